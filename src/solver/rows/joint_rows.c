// From the rows that a kind's function returns to lanes of a block: force laws (methods 0.1, 0.2, F.2).
//
// Gradients turn during a sub-step while bodies move along straight lines. With J·u = 0 at the start of each
// sub-step, a body on a circle would move along the tangent, be pulled back, and have its velocity projected,
// which takes (ωh)²/2 of its speed every time: a pendulum would lose a percent of its energy per second.
// Instead velocities are those of chords, as in SHAKE: with t = ½ (J − J₋)·u, J₋ the gradient of the sub-step
// before, the chord on which a body arrives has J·u = t and the one on which it leaves J·u = −t, which turns
// the velocity without shortening it.
#include "solver/rows/joints.h"

#include "constraint/kind.h"
#include "solver/rows/joint_nodes.h"

#include <math.h>

// --- ends ----------------------------------------------------------------------------------------

// The place of an end on a body, or fixed in the world, with the body moved on by `time`.
static sn_end_place place_of_body(const sn_solver *solver, const sn_solver_end *end, float time)
{
    const sn_solver_body *body = &solver->bodies[end->body];
    if (end->body == 0) {
        return (sn_end_place){
            .center = end->fixed, .body_rotation = sn_quat_identity, .frame = {end->fixed, end->rotation}};
    }
    sn_end_place place = {.center = body->center, .body_rotation = body->rotation};
    if (time != 0.0f) {
        const sn_solver_velocity *velocity = &solver->velocities[end->body];
        place.center = sn_add_scaled(body->center, time, sn_take3(velocity->linear));
        place.body_rotation = sn_quat_turned(body->rotation, sn_scale(sn_take3(velocity->angular), time));
    }
    place.arm = sn_rotate(place.body_rotation, end->local);
    place.frame.position = sn_add(place.center, place.arm);
    place.frame.rotation = sn_quat_multiply(place.body_rotation, end->rotation);
    return place;
}

static bool turns(const sn_solver_end *end)
{
    return end->node_count == 0 || end->has_frame;
}

// The input of the kind's function. `nodes` is filled for ends made of nodes.
static sn_row_input input_at(const sn_joints *joints, const sn_constraint_input *constraint, float time,
                             sn_node_end nodes[2])
{
    sn_row_input input;
    for (int k = 0; k < 2; ++k) {
        const sn_solver_end *end = &constraint->ends[k];
        sn_end_place place = end->node_count > 0
                                 ? sn_end_of_nodes(end, joints->pass.node_states,
                                                   joints->pass.node_velocities, time, &nodes[k])
                                 : place_of_body(joints->solver, end, time);
        input.frame[k] = place.frame;
        input.center[k] = place.center;
        input.arm[k] = place.arm;
        input.turns[k] = turns(end);
        nodes[k].count = end->node_count > 0 ? nodes[k].count : 0;
    }
    return input;
}

int sn_joint_evaluate(const sn_joints *joints, const sn_constraint_input *constraint, float time,
                      sn_node_end nodes[2], sn_row *rows, sn_vec3 arms[2])
{
    sn_row_input input = input_at(joints, constraint, time, nodes);
    arms[0] = input.arm[0];
    arms[1] = input.arm[1];
    int count = constraint->evaluate(&input, constraint->data, rows);
    return count < 0 ? 0 : (count > SN_MAX_ROWS ? SN_MAX_ROWS : count);
}

void sn_joint_turn_row(sn_row *row)
{
    sn_vec3 linear = row->linear[0], angular = row->angular[0];
    row->linear[0] = row->linear[1];
    row->angular[0] = row->angular[1];
    row->linear[1] = linear;
    row->angular[1] = angular;
}

// --- force laws ----------------------------------------------------------------------------------

// A row's force for one sub-step: ΔΛ = −(J·u + bias + γΛ)/(κ + γ).
typedef struct row_law {
    float bias, rate; // rate: bias by value
    float gamma;
    float lower, upper; // limits of Λ [N s]
    bool is_spring;     // has a stiffness of its own: not relaxed
    bool is_open;       // a stop that is not reached: its bias holds in the relaxing sweep too
    bool is_motor;      // likewise
} row_law;

static row_law law_of(const sn_row *source, const sn_joint_laws *laws)
{
    float h = laws->h;
    row_law law = {.lower =
                       source->type == SN_ROW_ABOVE ? sn_max(source->lower, 0.0f) * h : source->lower * h,
                   .upper = source->upper * h,
                   .is_spring = source->compliance > 0.0f && source->type != SN_ROW_SPEED,
                   .is_open = source->type == SN_ROW_ABOVE && source->value > 0.0f,
                   .is_motor = source->type == SN_ROW_SPEED};
    if (law.is_motor) {
        law.bias = -source->target_speed;
    } else if (law.is_open) {
        law.rate = 1.0f / h;
        law.bias = source->value / h;
    } else if (law.is_spring) {
        // k = 1/compliance; written without k so that soft rows do not overflow.
        float resistance = source->damping * source->compliance + h; // (d + hk)/k
        law.rate = 1.0f / resistance;
        law.bias = source->value / resistance;
        law.gamma = source->compliance / (h * resistance);
    } else {
        law.rate = laws->hard.bias_rate;
        law.bias = laws->hard.bias_rate * source->value;
        if (source->type == SN_ROW_ABOVE) {
            law.bias = sn_max(law.bias, -laws->push_speed);
        }
    }
    return law;
}

// --- lanes ---------------------------------------------------------------------------------------

static void put_gradient(sn_lanes *gradient, int lane, const sn_row *source)
{
    sn_lanes_put3(&gradient[SN_LINEAR_A], lane, source->linear[0]);
    sn_lanes_put3(&gradient[SN_ANGULAR_A], lane, source->angular[0]);
    sn_lanes_put3(&gradient[SN_LINEAR_B], lane, source->linear[1]);
    sn_lanes_put3(&gradient[SN_ANGULAR_B], lane, source->angular[1]);
}

static void put_held(const sn_joints *joints, sn_held_row *row, int lane, const sn_row *source)
{
    row_law law = law_of(source, &joints->laws);
    row->bias.lane[lane] = law.bias;
    row->rate.lane[lane] = law.rate;
    row->gamma.lane[lane] = law.is_spring ? law.gamma : 0.0f;
}

// Relaxing belongs to the sub-step that is being ended, so it has the bias that row had before.
static void put_single(const sn_joints *joints, sn_single_row *row, int lane, const sn_row *source,
                       const sn_softness *hard)
{
    row_law law = law_of(source, &joints->laws);
    bool is_hard = !law.is_spring && !law.is_open && !law.is_motor;
    bool is_anew = joints->pass.is_anew;
    bool was_open = is_anew ? law.is_open : row->is_open.lane[lane] != 0.0f;
    float old_bias = is_anew ? law.bias : row->bias.lane[lane];
    row->relax_bias.lane[lane] = was_open || law.is_motor ? old_bias : 0.0f;
    row->kept.lane[lane] = was_open ? 0.0f : 1.0f;
    row->is_open.lane[lane] = law.is_open ? 1.0f : 0.0f;
    row->bias.lane[lane] = law.bias;
    row->rate.lane[lane] = law.rate;
    row->gamma.lane[lane] = law.is_spring && !law.is_open ? law.gamma : 0.0f;
    row->relaxes.lane[lane] = law.is_spring ? 0.0f : 1.0f;
    row->mass_scale.lane[lane] = is_hard ? hard->mass_scale : 1.0f;
    row->impulse_scale.lane[lane] = is_hard ? hard->impulse_scale : 0.0f;
    row->is_stop.lane[lane] = source->type == SN_ROW_ABOVE && !law.is_spring ? 1.0f : 0.0f;
    row->lower.lane[lane] = law.lower;
    row->upper.lane[lane] = law.upper;
}

void sn_joint_take_gradient(const sn_joint_pass *pass, const sn_joint_block *block, int i, int lane,
                            float gradient[SN_GRADIENT])
{
    const sn_lanes *held = sn_held_gradient(pass, block, i);
    if (sn_joint_form_holds(block->form)) {
        bool is_force = i < SN_POINT_ROWS;
        sn_vec3 axis = sn_lanes_take3(held, lane);
        sn_vec3 none = {0.0f, 0.0f, 0.0f}, force = is_force ? axis : none;
        sn_vec3 reach_a = sn_lanes_take3(block->reach_a, lane), arm_b = sn_lanes_take3(block->arm_b, lane);
        sn_put3(&gradient[SN_LINEAR_A], sn_neg(force));
        sn_put3(&gradient[SN_LINEAR_B], force);
        sn_put3(&gradient[SN_ANGULAR_A], sn_neg(is_force ? sn_cross(reach_a, axis) : axis));
        sn_put3(&gradient[SN_ANGULAR_B], is_force ? sn_cross(arm_b, axis) : axis);
    } else {
        for (int k = 0; k < SN_GRADIENT; ++k) {
            gradient[k] = held[k].lane[lane];
        }
    }
}

static void put_nothing(sn_lanes *gradient, int lane)
{
    for (int i = 0; i < SN_GRADIENT; ++i) {
        gradient[i].lane[lane] = 0.0f;
    }
}

// --- how ends answer -----------------------------------------------------------------------------

// The frequency of anchors of light nodes on a heavy body is up to this many times that of other hard rows,
// and so is their damping ratio, so that their rate of bias is the same. They come last in a sweep, so one
// sweep solves them. With the softness of other rows, which keeps long chains stable, a body of 10 kg on
// nodes of 10 g would hang millimetres too low. They are not quite hard, so that anchors that cannot all be
// met pull with bounded forces. Anchors of many nodes that together are heavy for their body are softer,
// because they would gain energy otherwise.
#define ANCHOR_FIRMNESS 8.0f

static float power8(float x)
{
    float square = x * x, fourth = square * square;
    return fourth * fourth;
}

// The factor of the frequency of hard rows. `nodes` and `bodies` are the responses of the two ends to a unit
// impulse, `crowded` is the response of the body to all its constraints together. It is large only where the
// body is heavier by far, because nodes that elements hold together are effectively heavier than they are.
// Where the load is heavier than the body, the constraints act as parallel springs and share the stiffness.
static float firmness_of(float nodes, float bodies, float crowded)
{
    float share = nodes > 0.0f ? nodes / (nodes + crowded) : 0.0f;
    float load = nodes + bodies > 0.0f ? crowded / (nodes + bodies) : 0.0f;
    return (1.0f + (ANCHOR_FIRMNESS - 1.0f) * power8(share)) / sqrtf(sn_max(load, 1.0f));
}

static float mean_of(sn_vec3 v)
{
    return (v.x + v.y + v.z) / 3.0f;
}

// Mean over directions of what a unit impulse at the end of an arm does to the velocity there.
static float point_response(sn_vec3 inverse_mass, sn_sym3 inverse_inertia, sn_vec3 arm)
{
    const sn_vec3 axes[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
    float sum = 0.0f;
    for (int i = 0; i < 3; ++i) {
        sn_vec3 lever = sn_cross(arm, axes[i]);
        sum += sn_dot(lever, sn_sym3_apply(inverse_inertia, lever));
    }
    return mean_of(inverse_mass) + sum / 3.0f;
}

static void put_inertia(sn_lanes *target, int lane, sn_sym3 m)
{
    const float entries[6] = {m.xx, m.yy, m.zz, m.xy, m.xz, m.yz};
    for (int i = 0; i < 6; ++i) {
        target[i].lane[lane] = entries[i];
    }
}

// Inverse masses of the lane's ends, and how firm its hard rows are.
static void put_responses(const sn_joints *joints, sn_joint_block *block, int lane,
                          const sn_constraint_input *constraint, const sn_node_end nodes[2],
                          const sn_vec3 arms[2])
{
    const sn_solver *solver = joints->solver;
    const sn_joint_group *group = &joints->groups[block->group[lane]];
    float of_nodes = 0.0f, of_bodies = 0.0f, crowded = 0.0f;
    for (int k = 0; k < 2; ++k) {
        const sn_solver_end *end = &constraint->ends[k];
        bool moves = end->node_count == 0 && end->body >= solver->dynamic_begin;
        sn_vec3 mass = moves ? solver->bodies[end->body].inverse_mass : sn_v(0.0f, 0.0f, 0.0f);
        sn_sym3 inertia = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
        if (moves) {
            inertia = sn_solver_inertia_matrix(&solver->inertias[end->body]);
            float response = point_response(mass, inertia, arms[k]);
            of_bodies += response;
            crowded += response * (float)joints->crowds[end->body];
        } else if (end->node_count > 0) {
            mass = sn_joint_node_response(&joints->pass, &nodes[k]);
            inertia = nodes[k].inverse_inertia;
            of_nodes += mean_of(mass);
        }
        sn_lanes_put3(k == 0 ? block->inverse_mass_a : block->inverse_mass_b, lane, mass);
        put_inertia(k == 0 ? block->inverse_inertia_a : block->inverse_inertia_b, lane, inertia);
    }
    const sn_solver_settings *settings = &solver->settings;
    float firmness = joints->laws.is_firm ? firmness_of(of_nodes, of_bodies, crowded) : 1.0f;
    sn_softness soft = firmness == 1.0f
                           ? joints->laws.hard
                           : sn_softness_make(firmness * settings->constraint_stiffness,
                                              firmness * settings->constraint_damping, joints->laws.h);
    if (group->held_count == group->hard_count) { // those with springs are met in full (joints.c)
        block->mass_scale.lane[lane] = soft.mass_scale;
        block->impulse_scale.lane[lane] = soft.impulse_scale;
    }
}

// --- the block -----------------------------------------------------------------------------------

// The rows that one constraint contributes to the joint of a lane.
typedef struct lane_rows {
    int lane, member, count;
    const sn_row *rows;
} lane_rows;

static void put_held_rows(const sn_joints *joints, const sn_joint_block *block, const lane_rows *source,
                          bool gradients_only)
{
    const sn_joint_group *group = &joints->groups[block->group[source->lane]];
    for (int i = 0; i < group->held_count; ++i) {
        sn_held_row *row = &joints->pass.held[block->first_held + i];
        sn_lanes *gradient = sn_held_gradient(&joints->pass, block, i);
        if (group->held[i].member != source->member) {
            continue;
        }
        if (group->held[i].row >= source->count) {
            put_nothing(gradient, source->lane);
            continue;
        }
        put_gradient(gradient, source->lane, &source->rows[group->held[i].row]);
        if (!gradients_only) {
            put_held(joints, row, source->lane, &source->rows[group->held[i].row]);
        }
    }
}

static void put_single_rows(const sn_joints *joints, const sn_joint_block *block, const lane_rows *source)
{
    const sn_joint_group *group = &joints->groups[block->group[source->lane]];
    sn_softness hard = joints->laws.hard;
    if (group->held_count == group->hard_count) { // as firm as rows that hold both ways
        hard.mass_scale = block->mass_scale.lane[source->lane];
        hard.impulse_scale = block->impulse_scale.lane[source->lane];
    }
    for (int i = 0; i < group->single_count; ++i) {
        sn_single_row *row = &joints->pass.singles[block->first_single + i];
        if (group->singles[i].member != source->member) {
            continue;
        }
        if (group->singles[i].row >= source->count) {
            put_nothing(row->gradient, source->lane);
            continue;
        }
        put_gradient(row->gradient, source->lane, &source->rows[group->singles[i].row]);
        put_single(joints, row, source->lane, &source->rows[group->singles[i].row], &hard);
    }
}

static void put_nodes(const sn_joints *joints, sn_joint_block *block, int lane,
                      const sn_constraint_input *input, const sn_node_end nodes[2], const sn_vec3 arms[2])
{
    for (int k = 0; k < 2; ++k) {
        joints->pass.node_ends[block->first_node_end + k * SN_LANES + lane] = nodes[k];
    }
    put_responses(joints, block, lane, input, nodes, arms);
}

// Nodes move along straight lines where a body would turn: a frame of nodes that is turned far within a
// sub-step is stretched, and relaxing, with the gradients of the new shape, does not remove the velocity that
// solving has put in. So the error of an angle is reduced by at most this much per sub-step. [rad]
#define LARGEST_TURN 0.02f

static void limit_turns(const sn_joints *joints, const sn_constraint_input *input, sn_row *rows, int count)
{
    float largest = LARGEST_TURN / (joints->laws.h * joints->laws.hard.bias_rate);
    for (int i = 0; i < count && (input->ends[0].has_frame || input->ends[1].has_frame); ++i) {
        bool turns = sn_length_squared(rows[i].linear[0]) + sn_length_squared(rows[i].linear[1]) == 0.0f;
        if (turns && rows[i].type == SN_ROW_EQUAL && rows[i].compliance == 0.0f) {
            rows[i].value = sn_clamp(rows[i].value, -largest, largest);
        }
    }
}

static void evaluate_lane(const sn_joints *joints, sn_joint_block *block, int lane, float time,
                          bool gradients_only, sn_row *rows)
{
    const sn_joint_group *group = &joints->groups[block->group[lane]];
    for (int m = 0; m < group->member_count; ++m) {
        const sn_joint_member *member = &joints->members[group->first_member + m];
        const sn_constraint_input *input = &joints->inputs[member->input];
        sn_node_end nodes[2];
        sn_vec3 arms[2];
        int count = sn_joint_evaluate(joints, input, time, nodes, rows, arms);
        for (int i = 0; i < count && member->is_turned; ++i) {
            sn_joint_turn_row(&rows[i]);
        }
        limit_turns(joints, input, rows, count);
        if (block->first_node_end >= 0) {
            put_nodes(joints, block, lane, input, nodes, arms);
        }
        lane_rows source = {lane, m, count, rows};
        put_held_rows(joints, block, &source, gradients_only);
        if (!gradients_only) {
            put_single_rows(joints, block, &source);
        }
        sn_lanes_put3(block->arm_a, lane, arms[member->is_turned ? 1 : 0]);
        sn_lanes_put3(block->arm_b, lane, arms[member->is_turned ? 0 : 1]);
        sn_rows_clear(rows, count);
    }
}

float sn_joints_error(const void *data)
{
    const sn_joints *joints = data;
    float largest = 0.0f;
    for (int k = 0; k < joints->count; ++k) {
        sn_row rows[SN_MAX_ROWS];
        sn_node_end nodes[2];
        sn_vec3 arms[2];
        sn_rows_clear(rows, SN_MAX_ROWS);
        int count = sn_joint_evaluate(joints, &joints->inputs[k], 0.0f, nodes, rows, arms);
        largest = sn_max(largest, sn_rows_error(rows, count));
    }
    return largest;
}

static void put_quat(sn_lanes *target, int lane, sn_quat q)
{
    target[0].lane[lane] = q.x;
    target[1].lane[lane] = q.y;
    target[2].lane[lane] = q.z;
    target[3].lane[lane] = q.w;
}

static void fill_rope(const sn_joints *joints, const sn_joint_block *block, int lane,
                      const sn_distance_def *def)
{
    sn_single_row *row = &joints->pass.singles[block->first_single];
    joints->pass.points[block->points].longest.lane[lane] = def->upper;
    row->relaxes.lane[lane] = row->is_stop.lane[lane] = 1.0f;
    row->upper.lane[lane] = INFINITY;
}

// The law of held rows [first, end).
static void fill_laws(const sn_joints *joints, const sn_joint_block *block, int lane, int first, int end,
                      sn_stiffness stiffness)
{
    sn_row unit;
    sn_rows_clear(&unit, 1);
    unit.value = 1.0f;
    unit.compliance = stiffness.compliance;
    unit.damping = stiffness.damping;
    row_law law = law_of(&unit, &joints->laws);
    for (int i = first; i < end; ++i) {
        sn_held_row *row = &joints->pass.held[block->first_held + i];
        row->rate.lane[lane] = law.rate;
        row->gamma.lane[lane] = law.gamma;
    }
}

// What does not move counts as a point of body 0, at the origin.
void sn_joint_fill_points(const sn_joints *joints, const sn_joint_block *block)
{
    sn_joint_points *points = &joints->pass.points[block->points];
    for (int lane = 0; lane < SN_LANES && block->group[lane] >= 0; ++lane) {
        const sn_joint_group *group = &joints->groups[block->group[lane]];
        const sn_constraint_input *input = &joints->inputs[joints->members[group->first_member].input];
        const sn_solver_end *a = &input->ends[0], *b = &input->ends[1];
        sn_lanes_put3(points->local_a, lane, a->body > 0 ? a->local : a->fixed);
        sn_lanes_put3(points->local_b, lane, b->body > 0 ? b->local : b->fixed);
        put_quat(points->rotation_a, lane, a->rotation);
        put_quat(points->rotation_b, lane, b->rotation);
        if (block->form == SN_JOINT_ROPE) {
            fill_rope(joints, block, lane, input->data);
        } else {
            const sn_constraint_common *common = input->data;
            fill_laws(joints, block, lane, 0, 3, sn_stiffness_linear(common));
            fill_laws(joints, block, lane, 3, block->held_count, sn_stiffness_angular(common));
        }
    }
}

void sn_joint_evaluate_block(const sn_joints *joints, sn_joint_block *block, float time, bool gradients_only)
{
    sn_row rows[SN_MAX_ROWS];
    sn_rows_clear(rows, SN_MAX_ROWS);
    for (int lane = 0; lane < SN_LANES && block->group[lane] >= 0; ++lane) {
        evaluate_lane(joints, block, lane, time, gradients_only, rows);
    }
}
