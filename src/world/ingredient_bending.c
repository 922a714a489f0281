// Bending of a sheet, over every edge that triangles share, or of a strand, at every node that edges share.
// What the rows are is in solver/bending_block.h.
#include "base/allocate.h"
#include "geometry/mesh_measure.h"
#include "geometry/tuple_sort.h"
#include "solver/bending_block.h"
#include "world/deformable.h"

#include <math.h>

// Strands bent by less than this at rest count as straight [rad].
static const double straight = 1.0e-3;
// Triangles below this fraction of their rest area, and edges of strands below this fraction of their
// length, count as flat.
static const double flat = 0.5;
// Rows have this times the rigidity asked for: a sheet finds softer ways to bend than into a cylinder, whose
// energy rows without the factor have exactly. Left free, strips of square cells cut by one diagonal are then
// 0.81 to 0.85 as stiff as asked for, of equilateral triangles 0.9, of cells cut by both diagonals 1.15.
static const double sheet_factor = 1.2;

// --- which nodes -------------------------------------------------------------------------------------------

// Rows of four node numbers: edge, edge, wing, wing. Joints repeat the middle instead of having an edge.
typedef struct hinges {
    uint32_t *nodes;
    int count;
    size_t bytes;
} hinges;

// Places where elements of a mesh meet: the edge (or the node, twice) they share, and what each has beyond.
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

// Neighbours in order that share what comes first. Where more than two meet, each is joined to the next.
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

static double length_of(sn_wide_vec3 v)
{
    return sqrt(sn_wide_dot(v, v));
}

// Sine and cosine of half an angle between −π and π.
static void half_angle(double sine, double cosine, float rest[2])
{
    float angle = 0.5f * sn_atan2((float)sine, (float)cosine);
    rest[0] = sn_sin(angle);
    rest[1] = sn_cos(angle);
}

// Rows of a type with stiffness `dihedral` [N m] by the angle, and the way C changes with it at a right
// angle.
static void set_strength(const sn_bending *bending, double dihedral, double slope, sn_bending_row *row)
{
    bool soft = bending->stiffness > 0.0f;
    // Neither nothing, which would mean hard, nor infinite.
    row->stiffness = soft ? sn_clamp((float)(dihedral / (slope * slope)), 1.0e-30f, 1.0e30f) : 0.0f;
    row->damping = bending->damping * row->stiffness;
    row->limit = soft ? INFINITY : bending->max_impulse;
}

static sn_bending_row hinge_of(const sn_deformable_def *def, const uint32_t *corners)
{
    const sn_vec3 *x = def->mesh->nodes;
    double scale = def->scale;
    sn_wide_vec3 edge = sn_wide_between(x[corners[0]], x[corners[1]]);
    sn_wide_vec3 first = sn_wide_between(x[corners[0]], x[corners[2]]);
    sn_wide_vec3 second = sn_wide_between(x[corners[0]], x[corners[3]]);
    sn_wide_vec3 normal_1 = sn_wide_cross(edge, first), normal_2 = sn_wide_cross(second, edge);
    double length = length_of(edge), twice_1 = length_of(normal_1), twice_2 = length_of(normal_2);
    double smaller = twice_1 < twice_2 ? twice_1 : twice_2;
    sn_bending_row row = {.enough = (float)(1.0 / (flat * scale * scale * smaller))};
    double dihedral =
        sheet_factor * (double)def->bending.stiffness * length * length / (0.5 * (twice_1 + twice_2));
    if (def->bending.type != SN_BENDING_DIAGONAL) {
        double both = 1.0 / (twice_1 * twice_2);
        half_angle(-sn_wide_dot(normal_1, second) * length * both, sn_wide_dot(normal_1, normal_2) * both,
                   row.rest);
        set_strength(&def->bending, dihedral, 1.0, &row);
        return row;
    }
    sn_wide_vec3 a = {first.x - 0.5 * edge.x, first.y - 0.5 * edge.y, first.z - 0.5 * edge.z};
    sn_wide_vec3 b = {second.x - 0.5 * edge.x, second.y - 0.5 * edge.y, second.z - 0.5 * edge.z};
    row.rest[0] = (float)(scale * scale * sn_wide_dot(a, b));
    set_strength(&def->bending, dihedral, scale * scale * length_of(a) * length_of(b), &row);
    return row;
}

static sn_bending_row joint_of(const sn_deformable_def *def, const uint32_t *corners)
{
    const sn_vec3 *x = def->mesh->nodes;
    double scale = def->scale;
    sn_wide_vec3 in = sn_wide_between(x[corners[2]], x[corners[0]]);
    sn_wide_vec3 out = sn_wide_between(x[corners[0]], x[corners[3]]), turn = sn_wide_cross(in, out);
    double length_in = scale * length_of(in), length_out = scale * length_of(out);
    double angular = (double)def->bending.stiffness / (0.5 * (length_in + length_out));
    double product = scale * scale / (length_in * length_out);
    double cosine = sn_wide_dot(in, out) * product, sine = length_of(turn) * product;
    sn_bending_row row = {.enough =
                              (float)(1.0 / (flat * (length_in < length_out ? length_in : length_out)))};
    if (def->bending.type != SN_BENDING_DIAGONAL) {
        half_angle(sine < straight * cosine ? 0.0 : sine, cosine, row.rest);
        set_strength(&def->bending, angular, 1.0, &row);
    } else {
        row.rest[0] = (float)(-cosine * length_in * length_out);
        set_strength(&def->bending, angular, length_in * length_out, &row);
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

static bool make_group(const sn_deformable_data *data, const hinges *hinges, sn_element_group *group)
{
    const sn_deformable_def *def = &data->def;
    bool sheet = def->mesh->triangle_count > 0;
    sn_bending_measure measure = measure_of(def->bending.type, sheet);
    const sn_element_kind *kind = sn_element_bending(measure);
    int *lanes = NULL;
    if (!sn_element_group_make(group, kind, hinges->nodes, 4, hinges->count, def->mesh->node_count, &lanes)) {
        return false;
    }
    for (int i = 0; i < hinges->count; ++i) {
        const uint32_t *corners = hinges->nodes + 4 * (size_t)i;
        sn_bending_row row = sheet ? hinge_of(def, corners) : joint_of(def, corners);
        for (int a = 0; a < 4; ++a) {
            row.node[a] = data->first_node + (int)corners[a];
        }
        row.node[1] = sheet ? row.node[1] : 0;
        row.measure = measure;
        sn_bending_put(group, lanes[i], &row);
    }
    sn_release(lanes, (size_t)hinges->count * sizeof *lanes);
    return true;
}

sn_status sn_ingredient_bending(const sn_deformable_data *data, const sn_nodes *nodes, sn_error *error,
                                sn_element_group *group)
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
    return good ? SN_OK : sn_fail(error, SN_ERROR_MEMORY, "deformable: out of memory for its bending");
}
