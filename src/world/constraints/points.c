// Points of the world, of bodies and of deformables.
#include "geometry/shapes/check.h"
#include "geometry/shapes/nearest.h"
#include "solver/rows/end.h"
#include "world/core/world.h"

sn_point sn_point_world(sn_vec3 position)
{
    return sn_point_world_frame((sn_pose){position, sn_quat_identity});
}

sn_point sn_point_world_frame(sn_pose pose)
{
    return (sn_point){.type = SN_POINT_WORLD, .position = pose.position, .rotation = pose.rotation};
}

sn_point sn_point_rigid(sn_rigid rigid, sn_vec3 local)
{
    return sn_point_rigid_frame(rigid, (sn_pose){local, sn_quat_identity});
}

sn_point sn_point_rigid_frame(sn_rigid rigid, sn_pose local)
{
    return (sn_point){
        .type = SN_POINT_RIGID, .rigid = rigid, .position = local.position, .rotation = local.rotation};
}

sn_point sn_point_on_rigid(const sn_world *world, sn_rigid rigid, sn_vec3 position)
{
    if (!sn_rigid_is_valid(world, rigid)) {
        return sn_point_rigid((sn_rigid){0}, sn_v(0.0f, 0.0f, 0.0f));
    }
    return sn_point_rigid(rigid, sn_pose_apply_inverse(sn_rigid_pose(world, rigid), position));
}

sn_point sn_point_node(sn_deformable deformable, int node)
{
    const float whole = 1.0f;
    return sn_point_nodes(deformable, &node, &whole, 1);
}

sn_point sn_point_nodes(sn_deformable deformable, const int *nodes, const float *weights, int count)
{
    sn_point point = {
        .type = SN_POINT_NODES, .rotation = sn_quat_identity, .deformable = deformable, .node_count = count};
    for (int i = 0; nodes != NULL && weights != NULL && i < count && i < 4; ++i) {
        point.nodes[i] = nodes[i];
        point.weights[i] = weights[i];
    }
    return point;
}

sn_point sn_point_frame(sn_deformable deformable, const int nodes[3])
{
    const float third = 1.0f / 3.0f, weights[3] = {third, third, third};
    sn_point point = sn_point_nodes(deformable, nodes, weights, 3);
    point.has_frame = true;
    return point;
}

sn_point sn_point_surface(sn_deformable deformable)
{
    return (sn_point){.type = SN_POINT_SURFACE, .rotation = sn_quat_identity, .deformable = deformable};
}

// --- checking ----------------------------------------------------------------------------------------------

static sn_status check_nodes(const sn_world *world, const sn_point *point, const char *object,
                             const char *field)
{
    const sn_deformable_data *data = sn_world_deformable(world, point->deformable);
    if (data == NULL) {
        return SN_ERROR_ID;
    }
    if (point->node_count < 1 || point->node_count > 4) {
        return sn_fail(world->error, SN_ERROR_RANGE, "%s: %s.node_count is %d, expected 1 to 4", object,
                       field, point->node_count);
    }
    if (point->has_frame && point->node_count != 3) {
        return sn_fail(world->error, SN_ERROR_RANGE, "%s: %s.node_count is %d, expected 3 nodes for a frame",
                       object, field, point->node_count);
    }
    float sum = 0.0f;
    for (int i = 0; i < point->node_count; ++i) {
        if (point->nodes[i] < 0 || point->nodes[i] >= data->node_count) {
            return sn_fail(world->error, SN_ERROR_RANGE, "%s: %s.nodes[%d] is %d, expected 0 to %d", object,
                           field, i, point->nodes[i], data->node_count - 1);
        }
        sn_status status =
            sn_check_range(point->weights[i], 0.0f, 1.0001f, world->error, object, "weight of a node");
        if (status != SN_OK) {
            return status;
        }
        sum += point->weights[i];
    }
    if (sn_abs(sum - 1.0f) > 1.0e-4f) {
        return sn_fail(world->error, SN_ERROR_RANGE, "%s: weights of %s sum to %g, expected 1", object, field,
                       (double)sum);
    }
    const int *nodes = point->nodes;
    if (point->has_frame && (nodes[0] == nodes[1] || nodes[1] == nodes[2] || nodes[2] == nodes[0])) {
        return sn_fail(world->error, SN_ERROR_RANGE,
                       "%s: %s.nodes are %d, %d and %d, expected three different ones for a frame", object,
                       field, nodes[0], nodes[1], nodes[2]);
    }
    return SN_OK;
}

sn_status sn_point_check(const sn_world *world, const sn_point *point, const char *object, const char *field)
{
    sn_pose place = {point->position, sn_quat_identity};
    switch (point->type) {
    case SN_POINT_SURFACE:
        return sn_world_deformable(world, point->deformable) != NULL ? SN_OK : SN_ERROR_ID;
    case SN_POINT_RIGID:
        if (sn_world_body(world, point->rigid) == NULL) {
            return SN_ERROR_ID;
        }
        return sn_check_pose(&place, world->error, object, field);
    case SN_POINT_WORLD:
        return sn_check_pose(&place, world->error, object, field);
    case SN_POINT_NODES:
        return check_nodes(world, point, object, field);
    }
    return sn_fail(world->error, SN_ERROR_RANGE,
                   "%s: %s.type is %d, expected SN_POINT_WORLD, …_RIGID, …_NODES or …_SURFACE", object, field,
                   (int)point->type);
}

static sn_pose frame_now(const sn_world *world, const sn_point *point)
{
    sn_solver_end end = sn_world_load_end(world, point, NULL);
    sn_node_end nodes;
    return sn_end_of_nodes(&end, world->nodes.states.data, world->nodes.velocities.data, 0.0f, &nodes).frame;
}

sn_vec3 sn_point_now(const sn_world *world, const sn_point *point)
{
    if (point->type == SN_POINT_RIGID) {
        return sn_pose_apply(sn_body_pose(sn_world_body(world, point->rigid)), point->position);
    }
    if (point->type == SN_POINT_WORLD) {
        return point->position;
    }
    if (point->has_frame) {
        return frame_now(world, point).position;
    }
    const sn_deformable_data *data = sn_world_deformable(world, point->deformable);
    sn_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < point->node_count; ++i) {
        sn_vec3 node = world->nodes.states.data[data->first_node + point->nodes[i]].position;
        sum = sn_add_scaled(sum, point->weights[i], node);
    }
    return sum;
}

sn_pose sn_point_pose_now(const sn_world *world, const sn_point *point)
{
    sn_pose pose = {sn_point_now(world, point), sn_quat_identity};
    if (point->type == SN_POINT_RIGID) {
        const sn_body *body = &world->bodies.data[point->rigid.index - 1];
        pose.rotation = sn_quat_normalize(sn_quat_multiply(body->rotation, point->rotation));
    } else if (point->type == SN_POINT_WORLD) {
        pose.rotation = point->rotation;
    } else if (point->has_frame) {
        pose.rotation = sn_quat_normalize(frame_now(world, point).rotation);
    }
    return pose;
}

int sn_point_member(const sn_point *point)
{
    switch (point->type) {
    case SN_POINT_RIGID:
        return (int)point->rigid.index - 1;
    case SN_POINT_NODES:
    case SN_POINT_SURFACE:
        return sn_soft_member((int)point->deformable.index - 1);
    default:
        return -1;
    }
}

// The checks of the two public functions.
static sn_status check_question(const sn_world *world, const sn_point *point, const void *answer,
                                const char *function)
{
    if (world == NULL || point == NULL || answer == NULL) {
        return sn_fail(world ? world->error : NULL, SN_ERROR_NULL, "%s: %s is null", function,
                       world == NULL   ? "world"
                       : point == NULL ? "point"
                                       : "the answer");
    }
    sn_status status = sn_point_check(world, point, function, "point");
    return status == SN_OK && point->type == SN_POINT_SURFACE ? check_nodes(world, point, function, "point")
                                                              : status;
}

sn_status sn_point_place(const sn_world *world, const sn_point *point, sn_vec3 *position)
{
    sn_status status = check_question(world, point, position, "sn_point_place");
    if (status == SN_OK) {
        *position = sn_point_now(world, point);
    }
    return status;
}

sn_status sn_point_pose(const sn_world *world, const sn_point *point, sn_pose *pose)
{
    sn_status status = check_question(world, point, pose, "sn_point_pose");
    sn_quat rotation = status ? sn_quat_identity : sn_quat_or_identity(point->rotation);
    status = status ? status : sn_check_rotation(&rotation, world->error, "sn_point_pose", "point.rotation");
    if (status == SN_OK) {
        sn_point turned = *point;
        turned.rotation = rotation;
        *pose = sn_point_pose_now(world, &turned);
    }
    return status;
}

// --- the nearest point of a deformable ---------------------------------------------------------------------

typedef struct nearest {
    const sn_world *world;
    const sn_deformable_data *data;
    sn_vec3 target;
    float distance2;
    sn_point best;
} nearest;

static sn_vec3 node_at(const nearest *search, uint32_t node)
{
    return search->world->nodes.states.data[search->data->first_node + (int)node].position;
}

static void try_point(nearest *search, const uint32_t *nodes, const float *weights, int count)
{
    sn_vec3 place = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < count; ++i) {
        place = sn_add_scaled(place, weights[i], node_at(search, nodes[i]));
    }
    float distance2 = sn_length_squared(sn_sub(place, search->target));
    if (!(distance2 < search->distance2)) {
        return;
    }
    search->distance2 = distance2;
    search->best.node_count = count;
    for (int i = 0; i < 4; ++i) {
        search->best.nodes[i] = i < count ? (int)nodes[i] : 0;
        search->best.weights[i] = i < count ? weights[i] : 0.0f;
    }
}

static void try_edge(nearest *search, const uint32_t *nodes)
{
    float weights[2];
    (void)sn_nearest_on_edge(node_at(search, nodes[0]), node_at(search, nodes[1]), search->target, weights);
    try_point(search, nodes, weights, 2);
}

static void try_triangle(nearest *search, const uint32_t *nodes)
{
    sn_vec3 corners[3] = {node_at(search, nodes[0]), node_at(search, nodes[1]), node_at(search, nodes[2])};
    float weights[3] = {1.0f, 0.0f, 0.0f};
    (void)sn_nearest_on_triangle(corners, search->target, weights);
    try_point(search, nodes, weights, 3);
}

static void try_tetrahedron(nearest *search, const uint32_t *nodes)
{
    sn_vec3 a = node_at(search, nodes[0]), u = sn_sub(node_at(search, nodes[1]), a);
    sn_vec3 v = sn_sub(node_at(search, nodes[2]), a), w = sn_sub(node_at(search, nodes[3]), a);
    sn_vec3 p = sn_sub(search->target, a);
    float volume = sn_dot(sn_cross(u, v), w);
    if (volume > 0.0f) {
        float s = sn_dot(sn_cross(p, v), w) / volume, t = sn_dot(sn_cross(u, p), w) / volume;
        float r = sn_dot(sn_cross(u, v), p) / volume;
        float weights[4] = {1.0f - s - t - r, s, t, r};
        if (s >= 0.0f && t >= 0.0f && r >= 0.0f && weights[0] >= 0.0f) {
            try_point(search, nodes, weights, 4);
        }
    }
}

sn_point sn_point_on_deformable(const sn_world *world, sn_deformable deformable, sn_vec3 position)
{
    nearest search = {.world = world,
                      .data = sn_world_deformable(world, deformable),
                      .target = position,
                      .distance2 = 3.0e38f,
                      .best = sn_point_nodes(deformable, NULL, NULL, 0)};
    if (search.data == NULL) {
        return search.best;
    }
    const sn_mesh *mesh = search.data->def.mesh;
    for (int i = 0; i < mesh->tetrahedron_count; ++i) {
        try_tetrahedron(&search, mesh->tetrahedra + 4 * (size_t)i);
    }
    for (int i = 0; i < mesh->triangle_count; ++i) {
        try_triangle(&search, mesh->triangles + 3 * (size_t)i);
    }
    // Edges of triangles and tetrahedra were searched with those; the others belong to strands.
    for (int i = 0; i < mesh->edge_count && mesh->triangle_count == 0; ++i) {
        try_edge(&search, mesh->edges + 2 * (size_t)i);
    }
    return search.best;
}
