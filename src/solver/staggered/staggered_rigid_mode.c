// Mass and inertia of a deformable, its rigid motion, and the answers of rigid modes to joints with ends of
// nodes.
#include "solver/staggered/staggered_rigid_mode.h"

#include "geometry/mesh/mesh_measure.h"
#include "solver/nodes/node_felt.h"
#include "solver/rows/end.h"

// Inertia about an axis, as a part of the largest one, that counts as none.
#define THIN 1.0e-6f

typedef struct moments {
    double mass;
    sn_vec3d first;  // Σ m x
    sn_sym3d second; // Σ m x xᵀ
} moments;

// About the first node, in double: inertias are differences of these. False if some node is fixed.
static bool sum_moments(const sn_node_state *nodes, int count, moments *sums)
{
    *sums = (moments){0};
    for (int i = 0; i < count; ++i) {
        if (!(nodes[i].inverse_mass > 0.0f)) {
            return false;
        }
        double mass = 1.0 / (double)nodes[i].inverse_mass;
        sn_vec3d x = sn_between_wide(nodes[0].position, nodes[i].position);
        sums->mass += mass;
        sums->first = sn_add_scaled_wide(sums->first, mass, x);
        sn_sym3d_add_outer(&sums->second, mass, x);
    }
    return true;
}

// About the mass centre.
static sn_mat3 inertia_of(const moments *sums)
{
    double cx = sums->first.x / sums->mass, cy = sums->first.y / sums->mass, cz = sums->first.z / sums->mass;
    double xx = sums->second.xx - sums->first.x * cx, yy = sums->second.yy - sums->first.y * cy;
    double zz = sums->second.zz - sums->first.z * cz;
    float xy = (float)(sums->first.x * cy - sums->second.xy);
    float xz = (float)(sums->first.x * cz - sums->second.xz);
    float yz = (float)(sums->first.y * cz - sums->second.yz);
    return (sn_mat3){sn_v((float)(yy + zz), xy, xz), sn_v(xy, (float)(xx + zz), yz),
                     sn_v(xz, yz, (float)(xx + yy))};
}

// By its principal axes; zero about those with next to no inertia.
static sn_sym3 inverse_of(sn_mat3 inertia)
{
    sn_mat3 axes;
    sn_vec3 values = sn_mat3_eigen(inertia, &axes);
    float value[3] = {values.x, values.y, values.z};
    float least = THIN * sn_max(value[0], sn_max(value[1], value[2]));
    sn_vec3 axis[3] = {axes.x, axes.y, axes.z};
    sn_sym3 sum = {0};
    for (int k = 0; k < 3; ++k) {
        if (value[k] > least) {
            sn_vec3 a = axis[k], b = sn_scale(a, 1.0f / value[k]);
            sum.xx += a.x * b.x;
            sum.yy += a.y * b.y;
            sum.zz += a.z * b.z;
            sum.xy += a.x * b.y;
            sum.xz += a.x * b.z;
            sum.yz += a.y * b.z;
        }
    }
    return sum;
}

sn_rigid_mode sn_rigid_mode_of(const sn_node_range *range, const sn_node_state *nodes)
{
    sn_rigid_mode rigid_mode = {.first = range->first, .count = range->count};
    const sn_node_state *own = nodes + range->first;
    moments sums;
    if (!(range->rigid_share > 0.0f) || !sum_moments(own, range->count, &sums)) {
        return rigid_mode;
    }
    sn_vec3 center = sn_v((float)(sums.first.x / sums.mass), (float)(sums.first.y / sums.mass),
                          (float)(sums.first.z / sums.mass));
    rigid_mode.held = range->rigid_share;
    rigid_mode.center = sn_add(own[0].position, center);
    rigid_mode.inverse_mass = (float)(1.0 / sums.mass);
    rigid_mode.inverse_inertia = inverse_of(inertia_of(&sums));
    return rigid_mode;
}

float sn_rigid_mode_response(const sn_rigid_mode *rigid_mode, const sn_rigid_mode_point *point, sn_vec3 d,
                             sn_vec3 e)
{
    float straight = sn_dot(d, e) * point->weight * point->weight * rigid_mode->inverse_mass;
    sn_vec3 turn = sn_sym3_apply(rigid_mode->inverse_inertia, sn_cross(point->arm, e));
    return rigid_mode->held * (straight + sn_dot(sn_cross(point->arm, d), turn));
}

void sn_rigid_mode_push(sn_rigid_mode *rigid_mode, const sn_rigid_mode_point *point, sn_vec3 impulse)
{
    sn_vec3 part = sn_scale(impulse, rigid_mode->held);
    rigid_mode->linear = sn_add_scaled(rigid_mode->linear, point->weight * rigid_mode->inverse_mass, part);
    rigid_mode->angular =
        sn_add(rigid_mode->angular, sn_sym3_apply(rigid_mode->inverse_inertia, sn_cross(point->arm, part)));
}

sn_vec3 sn_rigid_mode_velocity(const sn_rigid_mode *rigid_mode, const sn_rigid_mode_point *point)
{
    return sn_add_scaled(sn_cross(rigid_mode->angular, point->arm), point->weight, rigid_mode->linear);
}

void sn_rigid_mode_hand_out(sn_rigid_mode *rigid_mode, const sn_element_pass *pass)
{
    if (!(rigid_mode->held > 0.0f)) {
        return;
    }
    for (int i = rigid_mode->first; i < rigid_mode->first + rigid_mode->count; ++i) {
        sn_vec3 arm = sn_sub(pass->nodes[i].position, rigid_mode->center);
        sn_vec3 motion = sn_add(rigid_mode->linear, sn_cross(rigid_mode->angular, arm));
        pass->velocities[i].velocity = sn_add(pass->velocities[i].velocity, motion);
    }
    rigid_mode->linear = rigid_mode->angular = sn_v(0.0f, 0.0f, 0.0f);
}

// --- all of them -------------------------------------------------------------------------------------------

bool sn_has_rigid_modes(const sn_node_solver *solver)
{
    for (int r = 0; r < solver->range_count; ++r) {
        if (solver->ranges[r].rigid_share > 0.0f) {
            return true;
        }
    }
    return false;
}

// Whether exact attachments hold some of its nodes: they would take the motion of the rigid mode for an
// impulse.
static bool is_held_exactly(const sn_node_solver *solver, const sn_node_range *range)
{
    for (int i = range->first; i < range->first + range->count; ++i) {
        if (sn_felt_is_set(solver, i)) {
            return true;
        }
    }
    return false;
}

void sn_rigid_modes_hand_out(sn_rigid_modes *rigid_modes, const sn_element_pass *pass)
{
    for (int m = 0; m < rigid_modes->count; ++m) {
        sn_rigid_mode_hand_out(&rigid_modes->items[m], pass);
    }
}

// --- as the shared motion of nodes
// ---------------------------------------------------------------------------

// The mode that an end of nodes belongs to, and where on it the end is; null if it has none.
static sn_rigid_mode *mode_of(const sn_rigid_modes *modes, const sn_node_end *end, const sn_node_state *nodes,
                              sn_rigid_mode_point *point)
{
    *point = (sn_rigid_mode_point){0};
    if (end->count == 0) {
        return NULL;
    }
    sn_rigid_mode *mode = &modes->items[modes->of[end->nodes[0]]];
    for (int i = 0; i < end->count; ++i) {
        sn_vec3 arm = sn_sub(nodes[end->nodes[i]].position, mode->center);
        point->weight += end->weights[i];
        point->arm = sn_add_scaled(point->arm, end->weights[i], arm);
    }
    return mode->held > 0.0f ? mode : NULL;
}

static float end_response(const void *data, const sn_node_end *end, const sn_node_state *nodes, sn_vec3 axis)
{
    sn_rigid_mode_point point;
    const sn_rigid_mode *mode = mode_of(data, end, nodes, &point);
    return mode == NULL
               ? end->inverse_mass
               : (1.0f - mode->held) * end->inverse_mass + sn_rigid_mode_response(mode, &point, axis, axis);
}

static sn_vec3 end_velocity(const void *data, const sn_node_end *end, const sn_node_state *nodes, sn_vec3 own)
{
    sn_rigid_mode_point point;
    const sn_rigid_mode *mode = mode_of(data, end, nodes, &point);
    return mode == NULL ? own : sn_add(own, sn_rigid_mode_velocity(mode, &point));
}

static sn_vec3 push_end(void *data, const sn_node_end *end, const sn_node_state *nodes, sn_vec3 impulse)
{
    sn_rigid_mode_point point;
    sn_rigid_mode *mode = mode_of(data, end, nodes, &point);
    if (mode == NULL) {
        return impulse;
    }
    sn_rigid_mode_push(mode, &point, impulse);
    return sn_scale(impulse, 1.0f - mode->held);
}

static void hand_out(void *data, const sn_element_pass *pass)
{
    sn_rigid_modes_hand_out(data, pass);
}

static void fill(const sn_node_solver *solver, sn_rigid_modes *modes)
{
    for (int r = 0; r < solver->range_count; ++r) {
        sn_node_range range = solver->ranges[r];
        range.rigid_share = is_held_exactly(solver, &range) ? 0.0f : range.rigid_share;
        modes->items[r] = sn_rigid_mode_of(&range, solver->nodes->states.data);
        for (int i = range.first; i < range.first + range.count; ++i) {
            modes->of[i] = r;
        }
    }
}

bool sn_rigid_modes_begin(sn_node_solver *solver)
{
    sn_arena *arena = solver->arena;
    if (!sn_has_rigid_modes(solver)) {
        return true;
    }
    sn_rigid_modes *modes = sn_arena_take_zero(arena, 1, sizeof *modes);
    sn_shared_motion *shared = sn_arena_take_zero(arena, 1, sizeof *shared);
    if (modes == NULL || shared == NULL) {
        return false;
    }
    modes->count = solver->range_count;
    modes->items = sn_arena_take(arena, (size_t)solver->range_count, sizeof *modes->items);
    modes->of = sn_arena_take_zero(arena, (size_t)solver->nodes->states.count, sizeof *modes->of);
    if (modes->items == NULL || modes->of == NULL) {
        return false;
    }
    fill(solver, modes);
    *shared = (sn_shared_motion){modes, end_response, end_velocity, push_end, hand_out};
    solver->shared_motion = shared;
    return true;
}
