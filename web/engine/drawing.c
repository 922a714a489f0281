// What the page draws: bodies with the triangles of their shapes, skins of deformables, ropes. Lists are made
// when things come or go; page_refresh moves what they hold. Colours are those of a scene without paints: the
// page knows the others.
#include "bridge.h"

#include "sinew_scene/scene.h"
#include "sinew_scene/triangles.h"

#include <stdlib.h>
#include <string.h>

// Segments around a round shape.
#define DETAIL      32
#define POSE_FLOATS 8
#define ROPE_FLOATS 8

static int layout;

static sn_rigid *bodies;
static int body_count;
static float *poses, *body_heat;

static page_shape *shapes;
static int shape_count;
static float *positions, *normals;
static uint32_t *indices;
static int vertex_count, index_count;

static sn_deformable *softs;
static int soft_count;
static sn_skin *skins;
static float **vertex_heat, **node_heat;
static page_soft *drawn_softs;

static float *ropes;
static int rope_count, rope_capacity;

// Makes room for `count` more items behind `used`; the list stays as it is if there is none.
static bool make_room(void *list, int used, int count, size_t size)
{
    void *grown = realloc(*(void **)list, ((size_t)used + (size_t)count + 1) * size);
    if (grown != NULL) {
        *(void **)list = grown;
    }
    return grown != NULL;
}

// --- lists -------------------------------------------------------------------------------------------------

static void release_lists(void)
{
    for (int i = 0; i < soft_count; ++i) {
        sn_skin_release(&skins[i]);
        free(vertex_heat[i]);
        free(node_heat[i]);
    }
    shape_count = vertex_count = index_count = 0;
}

static bool add_triangles(sn_shape id, page_shape *shape)
{
    sn_triangles triangles;
    if (sn_shape_triangles(page_world, id, DETAIL, 1.0f, &triangles) != SN_OK) {
        return false;
    }
    int corners = 3 * triangles.triangle_count;
    bool fine = make_room(&positions, 3 * vertex_count, 3 * triangles.vertex_count, sizeof(float)) &&
                make_room(&normals, 3 * vertex_count, 3 * triangles.vertex_count, sizeof(float)) &&
                make_room(&indices, index_count, corners, sizeof(uint32_t));
    if (fine) {
        size_t bytes = (size_t)triangles.vertex_count * sizeof(sn_vec3);
        memcpy(positions + 3 * vertex_count, triangles.positions, bytes);
        memcpy(normals + 3 * vertex_count, triangles.normals, bytes);
        memcpy(indices + index_count, triangles.indices, (size_t)corners * sizeof(uint32_t));
        shape->first_vertex = (uint32_t)vertex_count;
        shape->vertex_count = (uint32_t)triangles.vertex_count;
        shape->first_index = (uint32_t)index_count;
        shape->index_count = (uint32_t)corners;
        vertex_count += triangles.vertex_count;
        index_count += corners;
    }
    sn_triangles_release(&triangles);
    return fine;
}

static void set_plane(sn_shape id, int body, page_shape *shape)
{
    sn_plane plane = sn_shape_plane(page_world, id);
    sn_pose pose =
        sn_pose_multiply(sn_rigid_pose(page_world, bodies[body]), sn_shape_definition(page_world, id).offset);
    sn_vec3 normal = sn_rotate(pose.rotation, plane.normal);
    shape->plane[0] = normal.x;
    shape->plane[1] = normal.y;
    shape->plane[2] = normal.z;
    shape->plane[3] = plane.offset + sn_dot(normal, pose.position);
}

static void list_shapes_of(const sn_scene *scene, int body)
{
    int count = sn_rigid_shapes(page_world, bodies[body], NULL, 0);
    sn_shape *ids = malloc(((size_t)count + 1) * sizeof *ids);
    if (ids == NULL || !make_room(&shapes, shape_count, count, sizeof *shapes)) {
        free(ids);
        return;
    }
    sn_rigid_shapes(page_world, bodies[body], ids, count);
    for (int i = 0; i < count; ++i) {
        page_shape shape = {.body = (uint32_t)body,
                            .type = (uint32_t)sn_shape_get_type(page_world, ids[i]),
                            .index = ids[i].index,
                            .generation = ids[i].generation,
                            .color = sn_scene_shape_color(scene, ids[i]),
                            .sensor = sn_shape_definition(page_world, ids[i]).sensor};
        bool plane = shape.type == SN_PLANE;
        if (plane) {
            set_plane(ids[i], body, &shape);
        }
        if (plane || add_triangles(ids[i], &shape)) {
            shapes[shape_count++] = shape;
        }
    }
    free(ids);
}

static void list_soft(const sn_scene *scene, int i)
{
    sn_deformable_def def = sn_deformable_definition(page_world, softs[i]);
    memset(&skins[i], 0, sizeof skins[i]);
    sn_skin_create(def.mesh, def.thickness, true, &skins[i]);
    vertex_heat[i] = calloc((size_t)skins[i].vertex_count + 1, sizeof(float));
    node_heat[i] = calloc((size_t)sn_deformable_node_count(page_world, softs[i]) + 1, sizeof(float));
    drawn_softs[i] = (page_soft){.index = softs[i].index,
                                 .generation = softs[i].generation,
                                 .positions = skins[i].positions,
                                 .normals = skins[i].normals,
                                 .indices = skins[i].indices,
                                 .heat = vertex_heat[i],
                                 .vertex_count = (uint32_t)skins[i].vertex_count,
                                 .triangle_count = (uint32_t)skins[i].triangle_count,
                                 .color = sn_scene_deformable_color(scene, softs[i]),
                                 .closed = skins[i].closed};
}

static void list_all(sn_rigid *new_bodies, int new_body_count, sn_deformable *new_softs, int new_soft_count)
{
    release_lists();
    free(bodies);
    free(softs);
    bodies = new_bodies;
    body_count = new_body_count;
    softs = new_softs;
    soft_count = 0;
    sn_scene *scene = NULL;
    if (!make_room(&poses, 0, POSE_FLOATS * body_count, sizeof(float)) ||
        !make_room(&body_heat, 0, body_count, sizeof(float)) ||
        !make_room(&skins, 0, new_soft_count, sizeof *skins) ||
        !make_room(&vertex_heat, 0, new_soft_count, sizeof(float *)) ||
        !make_room(&node_heat, 0, new_soft_count, sizeof(float *)) ||
        !make_room(&drawn_softs, 0, new_soft_count, sizeof *drawn_softs) ||
        sn_scene_wrap(page_world, &scene) != SN_OK) {
        body_count = 0;
        return;
    }
    for (int i = 0; i < body_count; ++i) {
        list_shapes_of(scene, i);
    }
    for (int i = 0; i < new_soft_count; ++i) {
        list_soft(scene, i);
    }
    soft_count = new_soft_count;
    sn_scene_destroy(scene);
    ++layout;
}

void page_list(void)
{
    int rigid_count = sn_world_rigids(page_world, NULL, 0);
    int deformable_count = sn_world_deformables(page_world, NULL, 0);
    sn_rigid *new_bodies = calloc((size_t)rigid_count + 1, sizeof *new_bodies);
    sn_deformable *new_softs = calloc((size_t)deformable_count + 1, sizeof *new_softs);
    if (new_bodies == NULL || new_softs == NULL) {
        free(new_bodies);
        free(new_softs);
        return;
    }
    new_bodies[0] = sn_world_ground(page_world);
    sn_world_rigids(page_world, new_bodies + 1, rigid_count);
    sn_world_deformables(page_world, new_softs, deformable_count);
    bool same = body_count == rigid_count + 1 && soft_count == deformable_count &&
                memcmp(bodies, new_bodies, (size_t)body_count * sizeof *bodies) == 0 &&
                memcmp(softs, new_softs, (size_t)soft_count * sizeof *softs) == 0;
    if (same) {
        free(new_bodies);
        free(new_softs);
        return;
    }
    list_all(new_bodies, rigid_count + 1, new_softs, deformable_count);
}

// --- heat --------------------------------------------------------------------------------------------------

// The error of hard constraints at which a body is drawn hottest [m or rad].
static const float hot_error = 0.01f;
// The same for the stretch of edges and the strain of elements.
static const float hot_stretch = 0.02f, hot_strain = 0.5f;

static void heat_bodies(void)
{
    enum { MOST = 64 };
    sn_constraint list[MOST];
    for (int i = 0; i < body_count; ++i) {
        int count = sn_rigid_constraints(page_world, bodies[i], list, MOST);
        float largest = 0.0f;
        for (int k = 0; k < count && k < MOST; ++k) {
            largest = sn_max(largest, sn_constraint_error(page_world, list[k]));
        }
        body_heat[i] = sn_min(largest / hot_error, 1.0f);
    }
}

static void heat_edges(sn_deformable soft, const sn_deformable_def *def, float *values)
{
    const sn_node_state *nodes = sn_deformable_nodes(page_world, soft);
    const uint32_t *edges = sn_mesh_edges(def->mesh);
    for (int i = 0; i < sn_mesh_edge_count(def->mesh); ++i) {
        uint32_t a = edges[2 * i], b = edges[2 * i + 1];
        float rest = def->scale * sn_mesh_edge_length(def->mesh, i);
        float stretch = sn_distance_between(nodes[a].position, nodes[b].position) / rest - 1.0f;
        stretch = def->inextensible.side == SN_HOLD_STRETCH ? sn_max(stretch, 0.0f) : sn_abs(stretch);
        float value = sn_min(stretch / hot_stretch, 1.0f);
        values[a] = sn_max(values[a], value);
        values[b] = sn_max(values[b], value);
    }
}

static void heat_elements(sn_deformable soft, const sn_mesh *mesh, float *values)
{
    int count = sn_deformable_strains(page_world, soft, NULL, 0);
    sn_element_strain *strains = malloc(((size_t)count + 1) * sizeof *strains);
    if (strains == NULL) {
        return;
    }
    sn_deformable_strains(page_world, soft, strains, count);
    bool volume = sn_mesh_tetrahedron_count(mesh) > 0, sheet = sn_mesh_triangle_count(mesh) > 0;
    int size = volume ? 4 : sheet ? 3 : 2;
    const uint32_t *corners = volume  ? sn_mesh_tetrahedra(mesh)
                              : sheet ? sn_mesh_triangles(mesh)
                                      : sn_mesh_edges(mesh);
    for (int i = 0; i < size * count; ++i) {
        float value = sn_min(sn_abs(strains[i / size].principal) / hot_strain, 1.0f);
        values[corners[i]] = sn_max(values[corners[i]], value);
    }
    free(strains);
}

static void heat_soft(int i)
{
    sn_deformable_def def = sn_deformable_definition(page_world, softs[i]);
    float *values = node_heat[i];
    if (values == NULL || vertex_heat[i] == NULL) {
        return;
    }
    memset(values, 0, (size_t)sn_mesh_node_count(def.mesh) * sizeof *values);
    if (def.inextensible.on) {
        heat_edges(softs[i], &def, values);
    } else {
        heat_elements(softs[i], def.mesh, values);
    }
    for (int k = 0; k < skins[i].vertex_count; ++k) {
        sn_skin_source source = skins[i].sources[k];
        vertex_heat[i][k] = (1.0f - source.share) * values[source.from] + source.share * values[source.to];
    }
}

// --- motion ------------------------------------------------------------------------------------------------

static void place_bodies(void)
{
    for (int i = 0; i < body_count; ++i) {
        sn_pose pose = sn_rigid_pose(page_world, bodies[i]);
        bool fixed = sn_rigid_get_type(page_world, bodies[i]) != SN_DYNAMIC;
        float state = fixed ? 0.0f : sn_rigid_is_awake(page_world, bodies[i]) ? 2.0f : 1.0f;
        const float values[POSE_FLOATS] = {pose.position.x, pose.position.y, pose.position.z, pose.rotation.x,
                                           pose.rotation.y, pose.rotation.z, pose.rotation.w, state};
        memcpy(poses + POSE_FLOATS * i, values, sizeof values);
    }
}

static void add_rope(sn_constraint id)
{
    sn_distance_def def = sn_distance_definition(page_world, id);
    sn_vec3 a, b;
    if (!def.common.active || sn_point_place(page_world, &def.common.a, &a) != SN_OK ||
        sn_point_place(page_world, &def.common.b, &b) != SN_OK) {
        return;
    }
    float kind = def.spring_stiffness > 0.0f ? 2.0f : def.lower > 0.0f ? 1.0f : 0.0f;
    float tension = sn_length(sn_constraint_force(page_world, id));
    const float values[ROPE_FLOATS] = {a.x, a.y, a.z, b.x, b.y, b.z, tension, kind};
    memcpy(ropes + ROPE_FLOATS * rope_count++, values, sizeof values);
}

static void place_ropes(void)
{
    int count = sn_world_constraints(page_world, NULL, 0);
    sn_constraint *list = malloc(((size_t)count + 1) * sizeof *list);
    rope_count = 0;
    if (list != NULL &&
        (count <= rope_capacity || make_room(&ropes, 0, ROPE_FLOATS * count, sizeof(float)))) {
        rope_capacity = count > rope_capacity ? count : rope_capacity;
        sn_world_constraints(page_world, list, count);
        for (int i = 0; i < count; ++i) {
            if (sn_constraint_get_kind(page_world, list[i]) == SN_DISTANCE) {
                add_rope(list[i]);
            }
        }
    }
    free(list);
}

void page_refresh(int heat)
{
    place_bodies();
    place_ropes();
    for (int i = 0; i < soft_count; ++i) {
        if (skins[i].vertex_count > 0) {
            sn_skin_update(&skins[i], sn_deformable_nodes(page_world, softs[i]), (sn_vec3){0.0f, 0.0f, 0.0f});
        }
        if (heat) {
            heat_soft(i);
        }
    }
    if (heat) {
        heat_bodies();
    }
}

// --- asked by the page -------------------------------------------------------------------------------------

int page_layout(void)
{
    return layout;
}
int page_body_count(void)
{
    return body_count;
}
const sn_rigid *page_bodies(void)
{
    return bodies;
}
const float *page_poses(void)
{
    return poses;
}
const char *page_body_name(int body)
{
    return body >= 0 && body < body_count ? sn_rigid_name(page_world, bodies[body]) : "";
}
int page_shape_count(void)
{
    return shape_count;
}
const void *page_shapes(void)
{
    return shapes;
}
const float *page_shape_positions(void)
{
    return positions;
}
const float *page_shape_normals(void)
{
    return normals;
}
const uint32_t *page_shape_indices(void)
{
    return indices;
}
int page_soft_count(void)
{
    return soft_count;
}
const void *page_softs(void)
{
    return drawn_softs;
}
const char *page_soft_name(int soft)
{
    return soft >= 0 && soft < soft_count ? sn_deformable_name(page_world, softs[soft]) : "";
}
const float *page_body_heat(void)
{
    return body_heat;
}
int page_rope_count(void)
{
    return rope_count;
}
const float *page_ropes(void)
{
    return ropes;
}

const float *page_camera(void)
{
    static float numbers[10];
    sn_scene *scene = NULL;
    sn_camera camera = {0};
    if (sn_scene_wrap(page_world, &scene) == SN_OK && sn_scene_camera(scene, NULL, &camera) == SN_OK) {
        const float values[] = {camera.eye.x,    camera.eye.y,        camera.eye.z, camera.target.x,
                                camera.target.y, camera.target.z,     camera.up.x,  camera.up.y,
                                camera.up.z,     camera.field_of_view};
        memcpy(numbers, values, sizeof values);
    }
    sn_scene_destroy(scene);
    return numbers;
}
