// The work of what drives islands: bodies that move by themselves, moving surfaces, motors, wind, and what
// holds bounds. It is
// measured, not bounded: a row whose impulse is Λ takes −Λ Jₑ·uₑ from an end e that moves as it likes, and a
// motor gives Λ times the speed it is set to. What it has beyond that is lost in it. Tested by
// tests/world/energy/test_energy_accounts.c.
#include "solver/energy/energy_ledger.h"

#include "solver/contact/soft_contact_block.h"
#include "solver/contact/soft_contact_rows.h"
#include "solver/elements/bound_block.h"
#include "solver/exact/exact.h"
#include "solver/rows/hinge_planes.h"

static bool drives(const sn_solver *solver, int body)
{
    const sn_solver_velocity *velocity = &solver->velocities[body];
    return body < solver->dynamic_begin &&
           sn_length_squared(sn_take3(velocity->linear)) + sn_length_squared(sn_take3(velocity->angular)) >
               0.0f;
}

// Velocity · direction of what drives, at a point whose arm × direction is `turn`; zero of what is driven.
static float driving_along(const sn_solver *solver, int body, sn_vec3 direction, sn_vec3 turn)
{
    const sn_solver_velocity *velocity = &solver->velocities[body];
    return body < solver->dynamic_begin
               ? sn_dot(sn_take3(velocity->linear), direction) + sn_dot(sn_take3(velocity->angular), turn)
               : 0.0f;
}

static sn_vec3 driving_spin(const sn_solver *solver, int body)
{
    return body < solver->dynamic_begin ? sn_take3(solver->velocities[body].angular) : sn_v(0.0f, 0.0f, 0.0f);
}

int sn_ledger_account_of_node(const sn_solver *solver, int node)
{
    int account = -1;
    for (int r = 0; r < solver->nodes.range_count; ++r) {
        const sn_node_range *range = &solver->nodes.ranges[r];
        account = node >= range->first && node < range->first + range->count ? solver->ledger->of_range[r]
                                                                             : account;
    }
    return account;
}

void sn_ledger_add_work(double *work, int account, double done)
{
    if (account >= 0) {
        work[account] += done;
    }
}

// Impulses of this sub-step, or those of the step so far.
static double sign_of(sn_work_phase phase)
{
    return phase == SN_WORK_TO_BE_SUMMED ? -1.0 : 1.0;
}

static bool is_total(sn_work_phase phase)
{
    return phase != SN_WORK_SO_FAR;
}

// --- patches -----------------------------------------------------------------------------------------------

static double work_of_patch(const sn_run *run, const sn_contact_block *block, int lane, bool total)
{
    const sn_solver *solver = run->solver;
    int a = block->body_a[lane], b = block->body_b[lane];
    sn_vec3 normal = sn_lanes_take3(block->normal, lane), tangent = sn_lanes_take3(block->tangent, lane);
    double work = 0.0;
    for (int k = 0; k < block->point_count; ++k) {
        const sn_contact_lane_point *point = &run->pass.points[block->first_point + k];
        float away = driving_along(solver, b, normal, sn_lanes_take3(point->turn_b, lane)) -
                     driving_along(solver, a, normal, sn_lanes_take3(point->turn_a, lane));
        const sn_lanes *impulse = total ? &point->total_normal : &point->normal_impulse;
        work -= (double)impulse->lane[lane] * (double)away;
    }
    sn_vec3 center_a = sn_lanes_take3(block->center_a, lane),
            center_b = sn_lanes_take3(block->center_b, lane);
    const sn_lanes *friction = total ? block->total_tangent : block->tangent_impulse;
    const sn_vec3 along[2] = {tangent, sn_cross(normal, tangent)};
    for (int k = 0; k < 2; ++k) {
        float speed = driving_along(solver, b, along[k], sn_cross(center_b, along[k])) -
                      driving_along(solver, a, along[k], sn_cross(center_a, along[k])) +
                      block->surface_velocity[k].lane[lane];
        work -= (double)friction[k].lane[lane] * (double)speed;
    }
    sn_vec3 spin = sn_sub(driving_spin(solver, b), driving_spin(solver, a));
    sn_vec3 turn =
        sn_add_scaled(sn_lanes_take3(block->rolling_impulse, lane), block->twist_impulse.lane[lane], normal);
    return total ? work : work - (double)sn_dot(turn, spin);
}

static void add_patches(const sn_run *run, sn_work_phase phase, double *work)
{
    const sn_solver *solver = run->solver;
    for (int i = 0; i < run->packing.block_count; ++i) {
        const sn_contact_block *block = &run->packing.blocks[i];
        for (int lane = 0; lane < SN_LANES && block->input[lane] >= 0; ++lane) {
            int a = block->body_a[lane], b = block->body_b[lane];
            if (block->has_surface_velocity || drives(solver, a) || drives(solver, b)) {
                int account = solver->ledger->of_body[b >= solver->dynamic_begin ? b : a];
                sn_ledger_add_work(work, account,
                                   sign_of(phase) * work_of_patch(run, block, lane, is_total(phase)));
            }
        }
    }
}

static void add_soft_block(const sn_solver *solver, const sn_soft_block *block, sn_work_phase phase,
                           double *work)
{
    bool total = is_total(phase);
    for (int lane = 0; lane < SN_LANES && block->input[lane] >= 0; ++lane) {
        int body = block->body[lane];
        if (!block->has_surface_velocity && !drives(solver, body)) {
            continue;
        }
        const sn_lanes *tangent = total ? block->total_tangent : block->tangent_impulse;
        float normal = (total ? &block->total_normal : &block->normal_impulse)->lane[lane];
        sn_vec3 impulse = sn_scale(sn_lanes_take3(block->normal, lane), normal); // on the nodes
        sn_vec3 pressed = impulse;
        impulse = sn_add_scaled(impulse, tangent[0].lane[lane], sn_lanes_take3(block->tangent, lane));
        impulse = sn_add_scaled(impulse, tangent[1].lane[lane], sn_lanes_take3(block->bitangent, lane));
        float gained =
            driving_along(solver, body, impulse, sn_cross(sn_lanes_take3(block->arm, lane), impulse)) +
            sn_dot(sn_sub(impulse, pressed), sn_lanes_take3(block->surface_velocity, lane));
        sn_ledger_add_work(work, sn_ledger_account_of_node(solver, block->node[0][lane]),
                           sign_of(phase) * (double)gained);
    }
}

void sn_soft_contacts_add_work(const void *data, const sn_solver *solver, sn_work_phase phase, double *work)
{
    const sn_soft_packing *packing = ((const sn_soft_contacts *)data)->packing;
    for (int b = 0; b < packing->block_count; ++b) {
        add_soft_block(solver, &packing->pass.blocks[b], phase, work);
    }
}

// --- joints ------------------------------------------------------------------------------------------------

// How fast what drives changes a row.
static double driving_speed(const sn_solver *solver, const float gradient[SN_GRADIENT], const int bodies[2])
{
    double speed = 0.0;
    for (int side = 0; side < 2; ++side) {
        const float *linear = &gradient[side == 0 ? SN_LINEAR_A : SN_LINEAR_B];
        const float *angular = &gradient[side == 0 ? SN_ANGULAR_A : SN_ANGULAR_B];
        if (bodies[side] < solver->dynamic_begin) {
            const sn_solver_velocity *velocity = &solver->velocities[bodies[side]];
            speed += (double)sn_dot(sn_take3(linear), sn_take3(velocity->linear)) +
                     (double)sn_dot(sn_take3(angular), sn_take3(velocity->angular));
        }
    }
    return speed;
}

static int account_of_lane(const sn_joints *joints, const sn_joint_block *block, int lane)
{
    const sn_solver *solver = joints->solver;
    for (int side = 0; side < 2; ++side) {
        int body = side == 0 ? block->body_a[lane] : block->body_b[lane];
        if (body >= solver->dynamic_begin) {
            return solver->ledger->of_body[body];
        }
        const sn_node_end *end = block->first_node_end >= 0
                                     ? &joints->pass.node_ends[block->first_node_end + side * SN_LANES + lane]
                                     : NULL;
        if (end != NULL && end->count > 0) {
            return sn_ledger_account_of_node(solver, end->nodes[0]);
        }
    }
    return -1;
}

static double work_of_joint(const sn_joints *joints, const sn_joint_block *block, int lane)
{
    const int bodies[2] = {block->body_a[lane], block->body_b[lane]};
    bool is_driven = drives(joints->solver, bodies[0]) || drives(joints->solver, bodies[1]);
    double work = 0.0;
    float gradient[SN_GRADIENT];
    const sn_held_row *rows = &joints->pass.held[block->first_held];
    for (int i = 0; is_driven && i < block->held_count; ++i) {
        sn_joint_take_gradient(&joints->pass, block, i, lane, gradient);
        work -= (double)rows[i].impulse.lane[lane] * driving_speed(joints->solver, gradient, bodies);
    }
    for (int i = 0; i < block->single_count; ++i) {
        const sn_single_row *row = &joints->pass.singles[block->first_single + i];
        bool is_motor = row->rate.lane[lane] == 0.0f;
        double speed = is_motor ? (double)row->bias.lane[lane] : 0.0;
        for (int k = 0; k < SN_GRADIENT; ++k) {
            gradient[k] = row->gradient[k].lane[lane];
        }
        speed += is_driven ? driving_speed(joints->solver, gradient, bodies) : 0.0;
        work -= (double)row->impulse.lane[lane] * speed;
    }
    return work;
}

// A plane's work is that since it was last summed up.
static void add_planes(const sn_joints *joints, sn_work_phase phase, double *work)
{
    for (int i = 0; joints->planes != NULL && i < joints->planes->count; ++i) {
        sn_hinge_plane *plane = &joints->planes->planes[i];
        int body = joints->planes->members[plane->first].body;
        double done = plane->holder > 0 ? plane->work : 0.0; // a free chain gives itself nothing
        sn_ledger_add_work(work, joints->solver->ledger->of_body[body], done);
        plane->work = phase == SN_WORK_SO_FAR ? plane->work : 0.0;
    }
}

// What runs into a stop is forgotten when the sub-step is summed up.
void sn_joints_add_work(const void *data, const sn_solver *solver, sn_work_phase phase, double *work)
{
    (void)solver;
    const sn_joints *joints = data;
    if (phase == SN_WORK_SUMMED) {
        return;
    }
    add_planes(joints, phase, work);
    for (int b = 0; b < joints->block_count; ++b) {
        const sn_joint_block *block = &joints->pass.blocks[b];
        for (int lane = 0; lane < SN_LANES && block->group[lane] >= 0; ++lane) {
            double done = work_of_joint(joints, block, lane);
            if (done != 0.0) {
                sn_ledger_add_work(work, account_of_lane(joints, block, lane), done);
            }
        }
    }
}

// --- bounds ------------------------------------------------------------------------------------------------

// What holds the end b of a bound takes its pull, wherever it moves.
static double work_of_bound(const sn_solver *solver, const sn_bound_block *block, int lane)
{
    int held = sn_places_node(&block->node[1], lane);
    sn_vec3 velocity = solver->nodes.nodes->velocities.data[held].velocity;
    return -(double)block->impulse.lane[lane] * (double)sn_dot(sn_lanes_take3(block->normal, lane), velocity);
}

// Impulses are those of a sub-step, as those of joints are.
static void add_bounds(const sn_solver *solver, const sn_element_group *group, double *work)
{
    const sn_bound_block *blocks = group->blocks;
    for (int b = 0; b < group->block_count; ++b) {
        const sn_bound_block *block = &blocks[b];
        for (int lane = 0; lane < SN_LANES && block->is_active && !block->stands; ++lane) {
            bool is_held = sn_places_node(&block->moved, lane) == 0;
            if (is_held && block->impulse.lane[lane] < 0.0f) {
                int account = sn_ledger_account_of_node(solver, sn_places_node(&block->node[0], lane));
                sn_ledger_add_work(work, account, work_of_bound(solver, block, lane));
            }
        }
    }
}

// --- wind --------------------------------------------------------------------------------------------------

static void add_wind(const sn_solver *solver, sn_work_phase phase, double *work)
{
    for (int r = 0; r < solver->nodes.range_count && phase != SN_WORK_SUMMED; ++r) {
        sn_ledger_add_work(work, solver->ledger->of_range[r], solver->nodes.blown[r]);
        solver->nodes.blown[r] = phase == SN_WORK_SO_FAR ? solver->nodes.blown[r] : 0.0;
    }
}

// --- all of it ---------------------------------------------------------------------------------------------

void sn_run_add_work(const sn_run *run, sn_work_phase phase, double *work)
{
    const sn_solver *solver = run->solver;
    add_patches(run, phase, work);
    add_wind(solver, phase, work);
    sn_joints_add_work(&run->joints, solver, phase, work);
    for (int g = 0; g < solver->nodes.group_count && phase != SN_WORK_SUMMED; ++g) {
        if (solver->nodes.groups[g]->kind == sn_element_bounds_pick()) {
            add_bounds(solver, solver->nodes.groups[g], work);
        }
    }
    for (int i = 0; i < solver->nodes.coupling_count; ++i) {
        const sn_coupling_stage *stage = &solver->nodes.coupling[i];
        if (stage->add_work != NULL) {
            stage->add_work(stage->data, solver, phase, work);
        }
    }
    if (solver->nodes.exact != NULL && phase == SN_WORK_SUMMED) {
        sn_exact_add_work(solver->nodes.exact, work);
    }
}
