// Ends of constraints that are made of nodes: their velocities for the wide kernels, and impulses on them.
// Under the staggered schedule the deformable as one body (staggered_rigid_mode.h) has its part in both.
#include "solver/rows/joint_nodes.h"

sn_rigid_mode *sn_joint_rigid_mode(const sn_joint_pass *pass, const sn_node_end *end,
                                   sn_rigid_mode_point *point)
{
    if (pass->rigid_modes == NULL || end->count == 0) {
        return NULL;
    }
    sn_rigid_mode *rigid_mode = &pass->rigid_modes->items[pass->rigid_modes->of[end->nodes[0]]];
    *point = (sn_rigid_mode_point){0};
    for (int i = 0; i < end->count; ++i) {
        sn_vec3 arm = sn_sub(pass->node_states[end->nodes[i]].position, rigid_mode->center);
        point->weight += end->weights[i];
        point->arm = sn_add_scaled(point->arm, end->weights[i], arm);
    }
    return rigid_mode->held > 0.0f ? rigid_mode : NULL;
}

sn_vec3 sn_joint_node_response(const sn_joint_pass *pass, const sn_node_end *end)
{
    const sn_vec3 axes[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
    sn_rigid_mode_point point;
    const sn_rigid_mode *rigid_mode = sn_joint_rigid_mode(pass, end, &point);
    float own = (rigid_mode != NULL ? 1.0f - rigid_mode->held : 1.0f) * end->inverse_mass, bounds[3];
    for (int i = 0; i < 3; ++i) {
        bounds[i] = own;
        bounds[i] += rigid_mode != NULL ? sn_rigid_mode_response(rigid_mode, &point, axes[i], axes[i]) : 0.0f;
    }
    return sn_v(bounds[0], bounds[1], bounds[2]);
}

static void gather_end(const sn_joint_pass *pass, const sn_node_end *end, sn_solver_velocity *velocity)
{
    if (end->count == 0) {
        return;
    }
    sn_vec3 linear, angular;
    sn_node_end_velocity(end, pass->node_velocities, &linear, &angular);
    sn_rigid_mode_point point;
    const sn_rigid_mode *rigid_mode = sn_joint_rigid_mode(pass, end, &point);
    if (rigid_mode != NULL) {
        linear = sn_add(linear, sn_rigid_mode_velocity(rigid_mode, &point));
    }
    sn_put3(velocity->linear, linear);
    sn_put3(velocity->angular, angular);
}

static void push_end(const sn_joint_pass *pass, const sn_node_end *end, const sn_solver_velocity *impulse)
{
    sn_vec3 linear = sn_take3(impulse->linear);
    sn_rigid_mode_point point;
    sn_rigid_mode *rigid_mode = sn_joint_rigid_mode(pass, end, &point);
    if (rigid_mode != NULL) {
        sn_rigid_mode_push(rigid_mode, &point, linear);
        linear = sn_scale(linear, 1.0f - rigid_mode->held);
    }
    sn_node_end_push(end, pass->node_states, pass->node_velocities, linear, sn_take3(impulse->angular));
}

void sn_joint_gather_nodes(const sn_joint_pass *pass, const sn_joint_block *block, sn_solver_velocity *a,
                           sn_solver_velocity *b)
{
    const sn_node_end *ends = &pass->node_ends[block->first_node_end];
    for (int i = 0; i < SN_LANES; ++i) {
        gather_end(pass, &ends[i], &a[i]);
        gather_end(pass, &ends[SN_LANES + i], &b[i]);
    }
}

void sn_joint_push_nodes(const sn_joint_pass *pass, const sn_joint_block *block, const sn_solver_velocity *a,
                         const sn_solver_velocity *b)
{
    const sn_node_end *ends = &pass->node_ends[block->first_node_end];
    for (int i = 0; i < SN_LANES; ++i) {
        push_end(pass, &ends[i], &a[i]);
        push_end(pass, &ends[SN_LANES + i], &b[i]);
    }
}

// --- the stage -----------------------------------------------------------------------------------

static void hand_out(const sn_joints *joints, const sn_element_pass *pass)
{
    if (joints->pass.rigid_modes != NULL) {
        sn_rigid_modes_hand_out(joints->pass.rigid_modes, pass);
    }
}

static void touch(const void *data, uint8_t *touched)
{
    const sn_joints *joints = data;
    for (int i = 0; i < 2 * joints->count; ++i) {
        const sn_solver_end *end = &joints->inputs[i / 2].ends[i % 2];
        for (int k = 0; k < end->node_count; ++k) {
            touched[end->nodes[k]] = 1;
        }
    }
}

static bool prepare(void *data, sn_solver *solver, const sn_element_pass *pass)
{
    (void)pass;
    sn_joints *joints = data;
    joints->solver = solver;
    joints->first = true;
    return sn_joints_begin(joints);
}

static void refresh(void *data, const sn_element_pass *pass)
{
    (void)pass;
    sn_joints *joints = data;
    sn_joints_refresh(joints, joints->first);
    joints->first = false;
}

static void warm_start(void *data, const sn_element_pass *pass)
{
    sn_joints_warm_start(data);
    hand_out(data, pass);
}

static void sweep(void *data, const sn_element_pass *pass, bool use_bias)
{
    sn_joints_sweep(data, use_bias, pass->backwards);
    hand_out(data, pass);
}

static void finish(void *data, const sn_element_pass *pass)
{
    (void)pass;
    sn_joints_finish_sub_step(data);
}

static void store(void *data)
{
    sn_joints_store(data);
}

sn_coupling_stage sn_joints_coupling_stage(sn_joints *joints)
{
    return (sn_coupling_stage){.data = joints,
                               .touch = touch,
                               .prepare = prepare,
                               .warm_start = warm_start,
                               .sweep = sweep,
                               .refresh = refresh,
                               .finish = finish,
                               .store = store};
}
