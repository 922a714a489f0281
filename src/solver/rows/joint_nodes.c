// Ends of constraints that are made of nodes: their velocities for the wide kernels, and impulses on them.
// Tested by tests/solver/rows/test_joints.c.
#include "solver/rows/joint_nodes.h"

sn_vec3 sn_joint_node_response(const sn_joint_pass *pass, const sn_node_end *end)
{
    const sn_vec3 axes[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
    const sn_shared_motion *shared = pass->shared_motion;
    float bounds[3];
    for (int i = 0; i < 3; ++i) {
        bounds[i] = shared != NULL ? shared->response(shared->data, end, pass->node_states, axes[i])
                                   : end->inverse_mass;
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
    const sn_shared_motion *shared = pass->shared_motion;
    if (shared != NULL) {
        linear = shared->velocity(shared->data, end, pass->node_states, linear);
    }
    sn_put3(velocity->linear, linear);
    sn_put3(velocity->angular, angular);
}

static void push_end(const sn_joint_pass *pass, const sn_node_end *end, const sn_solver_velocity *impulse)
{
    sn_vec3 linear = sn_take3(impulse->linear);
    const sn_shared_motion *shared = pass->shared_motion;
    if (shared != NULL) {
        linear = shared->push(shared->data, end, pass->node_states, linear);
    }
    sn_node_end_push(end, pass->node_states, pass->node_velocities, linear, sn_take3(impulse->angular));
}

void sn_joint_gather_nodes(const sn_joint_pass *pass, const sn_joint_block *block, int lanes,
                           sn_solver_velocity *a, sn_solver_velocity *b)
{
    const sn_node_end *ends = &pass->node_ends[block->first_node_end];
    for (int i = 0; i < lanes; ++i) {
        gather_end(pass, &ends[i], &a[i]);
        gather_end(pass, &ends[SN_LANES + i], &b[i]);
    }
}

void sn_joint_push_nodes(const sn_joint_pass *pass, const sn_joint_block *block, int lanes,
                         const sn_solver_velocity *a, const sn_solver_velocity *b)
{
    const sn_node_end *ends = &pass->node_ends[block->first_node_end];
    for (int i = 0; i < lanes; ++i) {
        push_end(pass, &ends[i], &a[i]);
        push_end(pass, &ends[SN_LANES + i], &b[i]);
    }
}

// --- the stage -----------------------------------------------------------------------------------

static void hand_out(const sn_joints *joints, const sn_element_pass *pass)
{
    const sn_shared_motion *shared = joints->pass.shared_motion;
    if (shared != NULL) {
        shared->hand_out(shared->data, pass);
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
    sn_joints *joints = data;
    joints->pass.ahead = pass->ahead;
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

static void drop(void *data, const sn_wild_units *wild)
{
    sn_joints_drop(data, wild);
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
                               .drop = drop,
                               .add_work = sn_joints_add_work,
                               .error = sn_joints_error,
                               .store = store};
}
