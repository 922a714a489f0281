// Cutting with a stroke of the mouse: all that crosses the triangle between the eye and two points far away.
//
// Ropes and joints are removed. Strands and sheets lose the edges or triangles that the stroke crosses: a
// deformable's mesh never changes, so it is replaced by one made of what is left, with the motion of its
// nodes and the constraints that still find theirs.
#include "bridge.h"

#include <stdlib.h>
#include <string.h>

typedef struct stroke {
    sn_vec3 eye, from, to; // a triangle
    sn_vec3 normal;
} stroke;

// Whether the segment a b goes through the triangle.
static bool crosses(const stroke *cut, sn_vec3 a, sn_vec3 b)
{
    float side_a = sn_dot(cut->normal, sn_sub(a, cut->eye)),
          side_b = sn_dot(cut->normal, sn_sub(b, cut->eye));
    if ((side_a < 0.0f) == (side_b < 0.0f)) {
        return false;
    }
    sn_vec3 point = sn_lerp(a, b, side_a / (side_a - side_b));
    const sn_vec3 corners[3] = {cut->eye, cut->from, cut->to};
    for (int i = 0; i < 3; ++i) {
        sn_vec3 along = sn_sub(corners[(i + 1) % 3], corners[i]);
        if (sn_dot(sn_cross(along, sn_sub(point, corners[i])), cut->normal) < 0.0f) {
            return false;
        }
    }
    return true;
}

// --- constraints -------------------------------------------------------------------------------------------

static sn_vec3 middle_of(const sn_point *point, sn_vec3 place)
{
    return point->type == SN_POINT_RIGID && sn_rigid_get_type(page_world, point->rigid) != SN_STATIC
               ? sn_rigid_center(page_world, point->rigid)
               : place;
}

// A rope is cut anywhere along it, a joint on the inner half of the way between the middles of its bodies.
static bool cuts_constraint(const stroke *cut, sn_constraint id)
{
    sn_constraint_common common = sn_constraint_definition(page_world, id);
    sn_vec3 a, b;
    if (sn_point_place(page_world, &common.a, &a) != SN_OK ||
        sn_point_place(page_world, &common.b, &b) != SN_OK) {
        return false;
    }
    if (sn_constraint_get_kind(page_world, id) == SN_DISTANCE) {
        return crosses(cut, a, b);
    }
    sn_vec3 before = sn_lerp(a, middle_of(&common.a, a), 0.5f),
            after = sn_lerp(b, middle_of(&common.b, b), 0.5f);
    return crosses(cut, before, a) || crosses(cut, b, after) || crosses(cut, a, b);
}

static int cut_constraints(const stroke *cut)
{
    int count = sn_world_constraints(page_world, NULL, 0), removed = 0;
    sn_constraint *list = malloc(((size_t)count + 1) * sizeof *list);
    if (list == NULL) {
        return 0;
    }
    sn_world_constraints(page_world, list, count);
    for (int i = 0; i < count; ++i) {
        if (cuts_constraint(cut, list[i])) {
            removed += sn_constraint_remove(page_world, list[i]) == SN_OK;
        }
    }
    free(list);
    return removed;
}

// --- strands and sheets ------------------------------------------------------------------------------------

// What is left of a deformable's mesh.
typedef struct cut_rest {
    uint32_t *elements; // by new numbers
    int element_count;
    int *new_number; // of each node; −1 if it is in no element any more
    sn_vec3 *nodes;  // rest positions
    float *masses;
    sn_node_state *states;
    sn_node_velocity *velocities;
    int node_count;
} cut_rest;

static void release_rest(cut_rest *rest)
{
    free(rest->elements);
    free(rest->new_number);
    free(rest->nodes);
    free(rest->masses);
    free(rest->states);
    free(rest->velocities);
}

static bool make_rest(cut_rest *rest, int nodes, int elements, int corners)
{
    size_t n = (size_t)nodes + 1;
    *rest = (cut_rest){.elements = malloc(((size_t)elements * (size_t)corners + 1) * sizeof(uint32_t)),
                       .new_number = malloc(n * sizeof(int)),
                       .nodes = malloc(n * sizeof(sn_vec3)),
                       .masses = malloc(n * sizeof(float)),
                       .states = malloc(n * sizeof(sn_node_state)),
                       .velocities = malloc(n * sizeof(sn_node_velocity))};
    return rest->elements != NULL && rest->new_number != NULL && rest->nodes != NULL &&
           rest->masses != NULL && rest->states != NULL && rest->velocities != NULL;
}

static bool element_is_cut(const stroke *cut, const sn_node_state *nodes, const uint32_t *element,
                           int corners)
{
    bool found = false;
    for (int k = 0; k < (corners == 2 ? 1 : 3) && !found; ++k) {
        found = crosses(cut, nodes[element[k]].position, nodes[element[(k + 1) % corners]].position);
    }
    return found;
}

// Copies the elements that are not cut, and the nodes they use. Returns how many were cut.
static int sort_elements(const stroke *cut, sn_deformable soft, const sn_mesh *mesh, int corners,
                         cut_rest *rest)
{
    const sn_node_state *nodes = sn_deformable_nodes(page_world, soft);
    const sn_node_velocity *velocities = sn_deformable_velocities(page_world, soft);
    const uint32_t *elements = corners == 2 ? sn_mesh_edges(mesh) : sn_mesh_triangles(mesh);
    int count = corners == 2 ? sn_mesh_edge_count(mesh) : sn_mesh_triangle_count(mesh), cut_count = 0;
    for (int i = 0; i < sn_mesh_node_count(mesh); ++i) {
        rest->new_number[i] = -1;
    }
    for (int i = 0; i < count; ++i) {
        const uint32_t *element = elements + (size_t)corners * (size_t)i;
        if (element_is_cut(cut, nodes, element, corners)) {
            ++cut_count;
            continue;
        }
        for (int k = 0; k < corners; ++k) {
            int *number = &rest->new_number[element[k]];
            if (*number < 0) {
                *number = rest->node_count++;
                rest->nodes[*number] = sn_mesh_nodes(mesh)[element[k]];
                rest->states[*number] = nodes[element[k]];
                rest->velocities[*number] = velocities[element[k]];
                float inverse = nodes[element[k]].inverse_mass;
                rest->masses[*number] = inverse > 0.0f ? 1.0f / inverse : 0.0f;
            }
            rest->elements[corners * rest->element_count + k] = (uint32_t)*number;
        }
        ++rest->element_count;
    }
    return cut_count;
}

static bool renumber(sn_point *point, sn_deformable before, sn_deformable after, const int *new_number)
{
    if (point->type != SN_POINT_NODES || point->deformable.index != before.index ||
        point->deformable.generation != before.generation) {
        return true;
    }
    point->deformable = after;
    for (int i = 0; i < point->node_count; ++i) {
        if (new_number[point->nodes[i]] < 0) {
            return false;
        }
        point->nodes[i] = new_number[point->nodes[i]];
    }
    return true;
}

// Constraints of the old deformable go over to the new one, unless they held what is gone.
static void move_constraints(sn_deformable before, sn_deformable after, const int *new_number)
{
    int count = sn_world_constraints(page_world, NULL, 0);
    sn_constraint *list = malloc(((size_t)count + 1) * sizeof *list);
    if (list == NULL) {
        return;
    }
    sn_world_constraints(page_world, list, count);
    for (int i = 0; i < count; ++i) {
        sn_constraint_common common = sn_constraint_definition(page_world, list[i]);
        sn_point a = common.a, b = common.b;
        bool left = renumber(&a, before, after, new_number) && renumber(&b, before, after, new_number);
        if (left && memcmp(&a, &common.a, sizeof a) != 0) {
            sn_constraint_point_set(page_world, list[i], 0, &a);
        }
        if (left && memcmp(&b, &common.b, sizeof b) != 0) {
            sn_constraint_point_set(page_world, list[i], 1, &b);
        }
    }
    free(list);
}

// Adds the rest as a deformable of its own, moving as the old one does.
static bool add_rest(sn_deformable before, int corners, const cut_rest *rest)
{
    sn_mesh_def mesh_def = sn_mesh_def_default();
    mesh_def.nodes = rest->nodes;
    mesh_def.node_count = rest->node_count;
    mesh_def.edges = corners == 2 ? rest->elements : NULL;
    mesh_def.edge_count = corners == 2 ? rest->element_count : 0;
    mesh_def.triangles = corners == 3 ? rest->elements : NULL;
    mesh_def.triangle_count = corners == 3 ? rest->element_count : 0;
    sn_mesh *mesh = NULL;
    if (sn_mesh_create(&mesh_def, &mesh) != SN_OK) {
        return false;
    }
    sn_deformable_def def = sn_deformable_definition(page_world, before);
    sn_deformable after;
    def.mesh = mesh;
    def.edge_options = NULL;
    def.edge_option_count = 0;
    def.node_masses = rest->masses;
    def.enclosure.preserve = def.enclosure.preserve && sn_mesh_is_closed(mesh);
    def.enclosure.pressure = sn_mesh_is_closed(mesh) ? def.enclosure.pressure : 0.0f;
    sn_status status = sn_deformable_add(page_world, &def, &after);
    sn_mesh_destroy(mesh);
    sn_node_state *states;
    sn_node_velocity *velocities;
    if (status != SN_OK || sn_deformable_edit(page_world, after, &states, &velocities) != SN_OK) {
        return false;
    }
    for (int i = 0; i < rest->node_count; ++i) {
        states[i].position = rest->states[i].position;
        velocities[i] = rest->velocities[i];
    }
    move_constraints(before, after, rest->new_number);
    return true;
}

static int cut_soft(const stroke *cut, sn_deformable soft)
{
    const sn_mesh *mesh = sn_deformable_mesh(page_world, soft);
    if (sn_mesh_tetrahedron_count(mesh) > 0) {
        return 0;
    }
    int corners = sn_mesh_triangle_count(mesh) > 0 ? 3 : 2;
    int count = corners == 2 ? sn_mesh_edge_count(mesh) : sn_mesh_triangle_count(mesh);
    cut_rest rest;
    int cut_count = 0;
    if (make_rest(&rest, sn_mesh_node_count(mesh), count, corners)) {
        cut_count = sort_elements(cut, soft, mesh, corners, &rest);
        bool fine = cut_count > 0 && (rest.element_count == 0 || add_rest(soft, corners, &rest));
        if (fine) {
            sn_deformable_remove(page_world, soft);
        } else {
            cut_count = 0;
        }
    }
    release_rest(&rest);
    return cut_count;
}

static int cut_softs(const stroke *cut)
{
    int count = sn_world_deformables(page_world, NULL, 0), cut_count = 0;
    sn_deformable *list = malloc(((size_t)count + 1) * sizeof *list);
    if (list != NULL) {
        sn_world_deformables(page_world, list, count);
        for (int i = 0; i < count; ++i) {
            cut_count += cut_soft(cut, list[i]);
        }
    }
    free(list);
    return cut_count;
}

int page_cut(const float *eye, const float *from, const float *to)
{
    stroke cut = {.eye = sn_v(eye[0], eye[1], eye[2]),
                  .from = sn_v(from[0], from[1], from[2]),
                  .to = sn_v(to[0], to[1], to[2])};
    cut.normal = sn_cross(sn_sub(cut.from, cut.eye), sn_sub(cut.to, cut.eye));
    if (!(sn_length(cut.normal) > 0.0f)) {
        return 0;
    }
    cut.normal = sn_normalize(cut.normal);
    page_grab_end();
    int count = cut_constraints(&cut) + cut_softs(&cut);
    page_list();
    return count;
}
