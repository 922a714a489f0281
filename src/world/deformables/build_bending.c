// Bending of a sheet, over every edge that triangles share, or of a strand, at every node that edges share.
// The rows are described in solver/elements/bending_block.h.
// Tested by tests/physics/soft/test_elastica.c.
#include "base/allocate.h"
#include "base/tuple_sort.h"
#include "geometry/mesh/mesh_measure.h"
#include "solver/elements/bending_block.h"
#include "world/deformables/deformable.h"

#include <math.h>

// Strands bent by less than this at rest count as straight [rad].
static const double straight = 1.0e-3;
// The stiffness of rows is this times the rigidity of the definition. Without the factor, rows have exactly
// the energy of a sheet bent into a cylinder, but a free sheet bends into softer shapes. With it, strips of
// square cells cut by one diagonal have 0.81 to 0.85 of the rigidity, of equilateral triangles 0.9, of cells
// cut by both diagonals 1.15.
static const double sheet_factor = 1.2;

// --- which nodes -------------------------------------------------------------------------------------------

// Rows of four node numbers: edge, edge, wing, wing. Joints repeat the middle instead of having an edge.
typedef struct hinges {
    uint32_t *nodes;
    int count;
    size_t bytes;
} hinges;

// Where elements of a mesh meet: the edge (or twice the node) they share, and the node beyond it of each.
typedef struct meetings {
    uint32_t *rows; // 3 each
    int *order;
    int count;
} meetings;

// The three edges of every triangle, with the corner opposite.
static void list_triangles(const sn_mesh *mesh, uint32_t *rows)
{
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const uint32_t *corners = mesh->triangles + 3 * (size_t)t;
        for (int k = 0; k < 3; ++k) {
            uint32_t a = corners[k], b = corners[(k + 1) % 3], *row = rows + 9 * (size_t)t + 3 * (size_t)k;
            row[0] = a < b ? a : b;
            row[1] = a < b ? b : a;
            row[2] = corners[(k + 2) % 3];
        }
    }
}

// Both ends of every edge, with the other end.
static void list_edges(const sn_mesh *mesh, uint32_t *rows)
{
    for (int e = 0; e < mesh->edge_count; ++e) {
        const uint32_t *ends = mesh->edges + 2 * (size_t)e;
        for (int k = 0; k < 2; ++k) {
            uint32_t *row = rows + 6 * (size_t)e + 3 * (size_t)k;
            row[0] = row[1] = ends[k];
            row[2] = ends[1 - k];
        }
    }
}

// Consecutive rows that share the edge or node make a hinge or joint; where more than two meet, each with the
// next.
static void join_neighbours(const meetings *meetings, hinges *hinges)
{
    for (int i = 0; i + 1 < meetings->count; ++i) {
        const uint32_t *a = meetings->rows + 3 * (size_t)meetings->order[i];
        const uint32_t *b = meetings->rows + 3 * (size_t)meetings->order[i + 1];
        if (sn_tuple_equal(a, b, 2)) {
            uint32_t *row = hinges->nodes + 4 * (size_t)hinges->count++;
            row[0] = a[0];
            row[1] = a[1];
            row[2] = a[2];
            row[3] = b[2];
        }
    }
}

// Every hinge of a mesh with triangles, every joint of one without. False without memory.
static bool find_hinges(const sn_mesh *mesh, hinges *hinges)
{
    bool sheet = mesh->triangle_count > 0;
    size_t count = sheet ? 3 * (size_t)mesh->triangle_count : 2 * (size_t)mesh->edge_count;
    meetings meetings = {.rows = sn_allocate_zero(count, 3 * sizeof(uint32_t)),
                         .order = sn_allocate_zero(count, sizeof(int)),
                         .count = (int)count};
    *hinges = (struct hinges){.nodes = sn_allocate_zero(count, 4 * sizeof(uint32_t)),
                              .bytes = count * 4 * sizeof(uint32_t)};
    bool good = meetings.rows != NULL && meetings.order != NULL && hinges->nodes != NULL;
    if (good) {
        if (sheet) {
            list_triangles(mesh, meetings.rows);
        } else {
            list_edges(mesh, meetings.rows);
        }
        good = sn_tuple_sort(meetings.rows, 3, meetings.count, mesh->node_count, meetings.order);
    }
    if (good) {
        join_neighbours(&meetings, hinges);
    }
    sn_release(meetings.rows, count * 3 * sizeof(uint32_t));
    sn_release(meetings.order, count * sizeof(int));
    return good;
}

// --- rest shape --------------------------------------------------------------------------------------------

// Of the angle between two vectors.
static double cotangent(sn_vec3d a, sn_vec3d b)
{
    return sn_dot_wide(a, b) / sn_length_wide(sn_cross_wide(a, b));
}

// Rows with stiffness `angular` [N m] by the angle; `slope` is how C changes with it.
static void set_strength(const sn_bending *bending, double angular, double slope, sn_bending_row *row)
{
    bool soft = bending->stiffness > 0.0f;
    // Not 0, which would mean hard, and not infinite.
    row->stiffness = soft ? sn_clamp((float)(angular / (slope * slope)), 1.0e-30f, 1.0e30f) : 0.0f;
    row->damping = bending->damping * row->stiffness;
    row->limit = soft ? INFINITY : bending->max_impulse;
}

// Rest value of a row by the angle. That of isometric rows changes with it by cos(θ₀/2); the stiffness is
// divided accordingly, unless the rest shape is folded upon itself.
static void set_angle(const sn_bending *bending, double angular, float angle, sn_bending_row *row)
{
    bool isometric = bending->type == SN_BENDING_ISOMETRIC;
    row->rest = isometric ? 2.0f * sn_sin(0.5f * angle) : angle;
    set_strength(bending, angular, isometric ? (double)sn_max(sn_cos(0.5f * angle), 0.1f) : 1.0, row);
}

static sn_bending_row hinge_of(const sn_deformable_def *def, const uint32_t *corners)
{
    const sn_vec3 *x = def->mesh->nodes;
    double scale = def->scale;
    sn_vec3d e = sn_between_wide(x[corners[0]], x[corners[1]]), back = {-e.x, -e.y, -e.z};
    sn_vec3d u = sn_between_wide(x[corners[0]], x[corners[2]]);
    sn_vec3d w = sn_between_wide(x[corners[0]], x[corners[3]]);
    sn_vec3d normal_1 = sn_cross_wide(e, u), normal_2 = sn_cross_wide(w, e);
    double length = sn_length_wide(e), twice_1 = sn_length_wide(normal_1), twice_2 = sn_length_wide(normal_2);
    double angular =
        sheet_factor * (double)def->bending.stiffness * length * length / (0.5 * (twice_1 + twice_2));
    sn_bending_row row = {
        .share = {(float)(1.0 / (scale * scale * twice_1)), (float)(1.0 / (scale * scale * twice_2))}};
    if (def->bending.type == SN_BENDING_DIAGONAL) {
        sn_vec3d half = {0.5 * e.x, 0.5 * e.y, 0.5 * e.z}, a = sn_sub_wide(u, half), b = sn_sub_wide(w, half);
        row.rest = (float)(scale * scale * sn_dot_wide(a, b));
        set_strength(&def->bending, angular, scale * scale * sn_length_wide(a) * sn_length_wide(b), &row);
        return row;
    }
    double cot_1 = cotangent(e, u), cot_2 = cotangent(e, w), inverse = 1.0 / (scale * length);
    row.weight[0] = (float)((cot_1 + cot_2) * inverse);
    row.weight[1] = (float)(-(cot_1 + cotangent(back, sn_sub_wide(u, e))) * inverse);
    row.weight[2] = (float)(-(cot_2 + cotangent(back, sn_sub_wide(w, e))) * inverse);
    double both = 1.0 / (twice_1 * twice_2);
    float sine = (float)(-sn_dot_wide(normal_1, w) * length * both);
    set_angle(&def->bending, angular, sn_atan2(sine, (float)(sn_dot_wide(normal_1, normal_2) * both)), &row);
    return row;
}

static sn_bending_row joint_of(const sn_deformable_def *def, const uint32_t *corners)
{
    const sn_vec3 *x = def->mesh->nodes;
    double scale = def->scale;
    sn_vec3d in = sn_between_wide(x[corners[2]], x[corners[0]]);
    sn_vec3d out = sn_between_wide(x[corners[0]], x[corners[3]]);
    double length_in = scale * sn_length_wide(in), length_out = scale * sn_length_wide(out);
    double product = length_in * length_out, cosine = scale * scale * sn_dot_wide(in, out) / product;
    double sine = scale * scale * sn_length_wide(sn_cross_wide(in, out)) / product;
    double angular = (double)def->bending.stiffness / (0.5 * (length_in + length_out));
    sn_bending_row row = {.weight = {0.0f, (float)(1.0 / length_in), (float)(1.0 / length_out)}};
    if (def->bending.type == SN_BENDING_DIAGONAL) {
        row.rest = (float)(-cosine * product);
        set_strength(&def->bending, angular, product, &row);
    } else {
        bool is_straight = sine < straight * cosine;
        set_angle(&def->bending, angular, is_straight ? 0.0f : sn_atan2((float)sine, (float)cosine), &row);
    }
    return row;
}

// --- the group ---------------------------------------------------------------------------------------------

static sn_bending_measure measure_of(sn_bending_type type, bool sheet)
{
    switch (type) {
    case SN_BENDING_DIAGONAL:
        return sheet ? SN_BENDING_HINGE_DIAGONAL : SN_BENDING_JOINT_DIAGONAL;
    case SN_BENDING_DIHEDRAL:
        return sheet ? SN_BENDING_HINGE_ANGLE : SN_BENDING_JOINT_ANGLE;
    default:
        return sheet ? SN_BENDING_HINGE_ISOMETRIC : SN_BENDING_JOINT_ISOMETRIC;
    }
}

// The row of a hinge or joint by its nodes in the mesh.
static sn_bending_row row_of(const sn_deformable_data *data, const uint32_t *corners)
{
    const sn_deformable_def *def = &data->def;
    bool sheet = def->mesh->triangle_count > 0;
    sn_bending_row row = sheet ? hinge_of(def, corners) : joint_of(def, corners);
    for (int a = 0; a < 4; ++a) {
        row.node[a] = data->first_node + (int)corners[a];
    }
    row.node[1] = sheet ? row.node[1] : 0;
    row.measure = measure_of(def->bending.type, sheet);
    return row;
}

static bool make_group(const sn_deformable_data *data, const hinges *hinges, sn_element_group *group)
{
    const sn_deformable_def *def = &data->def;
    sn_bending_measure measure = measure_of(def->bending.type, def->mesh->triangle_count > 0);
    const sn_element_kind *kind =
        &(*sn_element_bending_pick())[measure][def->bending.stiffness == 0.0f ? 1 : 0];
    int *lanes = NULL;
    if (!sn_element_group_make(group, kind, hinges->nodes, 4, hinges->count, def->mesh->node_count, &lanes)) {
        return false;
    }
    for (int i = 0; i < hinges->count; ++i) {
        sn_bending_row row = row_of(data, hinges->nodes + 4 * (size_t)i);
        sn_bending_put(group, lanes[i], &row);
    }
    sn_release(lanes, (size_t)hinges->count * sizeof *lanes);
    return true;
}

static sn_status make(const sn_deformable_data *data, const sn_nodes *nodes, sn_error *error,
                      const char *object, sn_element_group *group)
{
    (void)nodes;
    const sn_bending *bending = &data->def.bending;
    bool wanted = bending->type != SN_BENDING_NONE &&
                  !(bending->type == SN_BENDING_ISOMETRIC && bending->stiffness == 0.0f);
    hinges hinges = {0};
    if (!wanted) {
        return SN_OK;
    }
    bool good = find_hinges(data->def.mesh, &hinges);
    if (good && hinges.count > 0) {
        good = make_group(data, &hinges, group);
    }
    sn_release(hinges.nodes, hinges.bytes);
    return good ? SN_OK : sn_fail(error, SN_ERROR_MEMORY, "%s: out of memory for its bending", object);
}

// --- other numbers -----------------------------------------------------------------------------------------

// Rows are all soft or all hard.
static bool serves(const sn_deformable_def *before, const sn_deformable_def *after)
{
    return before->bending.type == after->bending.type &&
           (before->bending.stiffness > 0.0f) == (after->bending.stiffness > 0.0f);
}

static void tune(const sn_deformable_data *data, const sn_nodes *nodes, sn_element_group *group)
{
    (void)nodes;
    const sn_bending_block *blocks = group->blocks;
    for (int lane = 0; lane < group->block_count * SN_LANES; ++lane) {
        const sn_places *places = blocks[lane / SN_LANES].node;
        int middle = sn_places_node(&places[0], lane % SN_LANES);
        uint32_t corners[4];
        for (int a = 0; a < 4; ++a) {
            int node = sn_places_node(&places[a], lane % SN_LANES);
            corners[a] = (uint32_t)((node != 0 ? node : middle) - data->first_node); // joints have no second
        }
        if (middle != 0) {
            sn_bending_row row = row_of(data, corners);
            sn_bending_put(group, lane, &row);
        }
    }
}

const sn_row_builder sn_build_bending = {make, serves, tune};
