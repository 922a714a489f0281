// Constraint rows in the velocity solver (methods 0.1, 0.2, F.2).
#include "solver/rows.h"

#include "constraint/kind.h"
#include "solver/dense.h"
#include "solver/soft.h"

// --- velocities of the two bodies ----------------------------------------------------------------

typedef struct pair_velocity {
    sn_vec3 linear[2], angular[2];
    sn_vec3 linear_residue[2], angular_residue[2]; // what rounding cut off
} pair_velocity;

static pair_velocity load(const sn_solver *solver, const sn_constraint_input *input)
{
    pair_velocity u;
    const int body[2] = {input->body_a, input->body_b};
    for (int k = 0; k < 2; ++k) {
        u.linear[k] = sn_take3(solver->velocities[body[k]].linear);
        u.angular[k] = sn_take3(solver->velocities[body[k]].angular);
        u.linear_residue[k] = sn_take3(solver->residues[body[k]].linear);
        u.angular_residue[k] = sn_take3(solver->residues[body[k]].angular);
    }
    return u;
}

static void store(const sn_solver *solver, const sn_constraint_input *input, const pair_velocity *u)
{
    const int body[2] = {input->body_a, input->body_b};
    for (int k = 0; k < 2; ++k) {
        // Bodies that are not dynamic are shared between threads: never written, not even with what they
        // hold.
        if (body[k] >= solver->dynamic_begin) {
            sn_put3(solver->velocities[body[k]].linear, u->linear[k]);
            sn_put3(solver->velocities[body[k]].angular, u->angular[k]);
            sn_put3(solver->residues[body[k]].linear, u->linear_residue[k]);
            sn_put3(solver->residues[body[k]].angular, u->angular_residue[k]);
        }
    }
}

static float speed_of(const sn_solver_row *row, const pair_velocity *u)
{
    return sn_dot(row->linear[0], u->linear[0]) + sn_dot(row->linear[1], u->linear[1]) +
           sn_dot(row->angular[0], u->angular[0]) + sn_dot(row->angular[1], u->angular[1]);
}

// Adds the responses of several rows to the velocities at once: one rounding instead of one a row keeps
// momentum better.
static void apply(const sn_solver_row *rows, const float *impulses, int count, pair_velocity *u)
{
    for (int k = 0; k < 2; ++k) {
        sn_vec3 linear = {0.0f, 0.0f, 0.0f}, angular = {0.0f, 0.0f, 0.0f};
        for (int i = 0; i < count; ++i) {
            linear = sn_add_scaled(linear, impulses[i], rows[i].linear_response[k]);
            angular = sn_add_scaled(angular, impulses[i], rows[i].angular_response[k]);
        }
        sn_add_exactly(&u->linear[k], &u->linear_residue[k], linear);
        sn_add_exactly(&u->angular[k], &u->angular_residue[k], angular);
    }
}

// --- refreshing ----------------------------------------------------------------------------------

static float gradient_dot_response(const sn_solver_row *a, const sn_solver_row *b)
{
    float sum = 0.0f;
    for (int k = 0; k < 2; ++k) {
        sum += sn_dot(a->linear[k], b->linear_response[k]) + sn_dot(a->angular[k], b->angular_response[k]);
    }
    return sum;
}

// What rows without a stiffness of their own share, for steps of h.
typedef struct hard_law {
    sn_softness soft;
    float h, push_speed;
} hard_law;

static hard_law hard_law_of(const sn_solver *solver)
{
    const sn_solver_settings *settings = &solver->settings;
    return (hard_law){settings->laws.hard, sn_sub_step_length(settings), settings->push_speed};
}

static sn_row_law law_of(const sn_row *source, const hard_law *hard)
{
    float h = hard->h;
    sn_row_law law = {.lower =
                          source->type == SN_ROW_ABOVE ? sn_max(source->lower, 0.0f) * h : source->lower * h,
                      .upper = source->upper * h,
                      .elastic = source->compliance > 0.0f && source->type != SN_ROW_SPEED,
                      .unilateral_gap = source->type == SN_ROW_ABOVE && source->value > 0.0f,
                      .speed = source->type == SN_ROW_SPEED};
    if (law.speed) {
        law.bias = -source->target_speed;
    } else if (law.unilateral_gap) {
        law.bias = source->value / h;
    } else if (law.elastic) {
        // k = 1/compliance; written without k so that soft rows do not overflow.
        float resistance = source->damping * source->compliance + h; // (d + hk)/k
        law.bias = source->value / resistance;
        law.gamma = source->compliance / (h * resistance);
    } else {
        law.bias = hard->soft.bias_rate * source->value;
        law.gamma = hard->soft.inverse_a2; // in units of κ
        if (source->type == SN_ROW_ABOVE) {
            law.bias = sn_max(law.bias, -hard->push_speed);
        }
    }
    return law;
}

static bool joins_block(const sn_row *a, const sn_row *b)
{
    bool unlimited =
        a->lower == -INFINITY && a->upper == INFINITY && b->lower == -INFINITY && b->upper == INFINITY;
    return unlimited && a->type == SN_ROW_EQUAL && b->type == SN_ROW_EQUAL && a->block == b->block &&
           (a->compliance > 0.0f) == (b->compliance > 0.0f);
}

static void factor_block(sn_constraint_rows *rows, sn_row_block *block)
{
    for (int i = 0; i < block->count; ++i) {
        for (int j = 0; j <= i; ++j) {
            block->factor[sn_packed(i, j)] =
                gradient_dot_response(&rows->rows[block->first + i], &rows->rows[block->first + j]);
        }
        const sn_solver_row *row = &rows->rows[block->first + i];
        block->factor[sn_packed(i, i)] += row->next.elastic ? row->next.gamma : 0.0f;
    }
    sn_ldl_factor(block->factor, block->count);
}

// Takes out of a single row what it would do to the joint: J − K_lE K_EE⁻¹ J_E. A stop, motor or spring then
// moves the bodies only as the joint lets them, with the effective mass they have there (the Schur
// complement), and leaves the joint's own rows, bias and softness alone.
static void act_through_joint(sn_constraint_rows *rows, sn_solver_row *row)
{
    const sn_row_block *joint = &rows->blocks[0];
    float free_kappa = gradient_dot_response(row, row);
    float share[SN_BLOCK_ROWS];
    for (int i = 0; i < joint->count; ++i) {
        share[i] = gradient_dot_response(&rows->rows[joint->first + i], row);
    }
    sn_ldl_solve(joint->factor, joint->count, share);
    for (int i = 0; i < joint->count; ++i) {
        const sn_solver_row *held = &rows->rows[joint->first + i];
        for (int k = 0; k < 2; ++k) {
            row->linear[k] = sn_add_scaled(row->linear[k], -share[i], held->linear[k]);
            row->angular[k] = sn_add_scaled(row->angular[k], -share[i], held->angular[k]);
            row->linear_response[k] =
                sn_add_scaled(row->linear_response[k], -share[i], held->linear_response[k]);
            row->angular_response[k] =
                sn_add_scaled(row->angular_response[k], -share[i], held->angular_response[k]);
        }
    }
    if (!(gradient_dot_response(row, row) > 1.0e-5f * free_kappa)) {
        // The joint leaves it nothing to move: what is left is rounding.
        for (int k = 0; k < 2; ++k) {
            row->linear[k] = row->angular[k] = row->linear_response[k] = row->angular_response[k] =
                sn_v(0.0f, 0.0f, 0.0f);
        }
    }
}

static void make_blocks(sn_constraint_rows *rows, const sn_row *source)
{
    rows->block_count = 0;
    for (int i = 0; i < rows->row_count;) {
        sn_row_block *block = &rows->blocks[rows->block_count++];
        block->first = i;
        block->count = 1;
        while (i + block->count < rows->row_count && block->count < SN_BLOCK_ROWS &&
               joins_block(&source[i], &source[i + block->count])) {
            ++block->count;
        }
        if (block != rows->blocks && block->count == 1 && source[0].type == SN_ROW_EQUAL &&
            !rows->rows[0].next.elastic) {
            act_through_joint(rows, &rows->rows[block->first]);
        }
        factor_block(rows, block);
        i += block->count;
    }
}

// What the kind's function says with the bodies moved on by `time` at velocities u (backwards for negative
// time). Returns the number of rows.
static int evaluate(const sn_solver *solver, const sn_constraint_input *input, const pair_velocity *u,
                    float time, sn_row *source, sn_vec3 *arm_b)
{
    const int number[2] = {input->body_a, input->body_b};
    const sn_pose fixed[2] = {input->fixed_a, input->fixed_b};
    sn_pose pose[2];
    for (int k = 0; k < 2; ++k) {
        const sn_solver_body *body = &solver->bodies[number[k]];
        pose[k] = fixed[k];
        if (number[k] > 0) {
            sn_vec3 center = sn_add_scaled(body->center, time, u->linear[k]);
            pose[k].rotation =
                time != 0.0f ? sn_quat_turned(body->rotation, sn_scale(u->angular[k], time)) : body->rotation;
            pose[k].position = sn_sub(center, sn_rotate(pose[k].rotation, body->local_center));
        }
    }
    sn_row_input at = sn_row_input_make(pose[0], solver->bodies[number[0]].local_center, pose[1],
                                        solver->bodies[number[1]].local_center, input->common);
    *arm_b = at.arm[1];
    sn_rows_clear(source);
    int count = input->evaluate(&at, input->data, source);
    return count < 0 ? 0 : (count > SN_MAX_ROWS ? SN_MAX_ROWS : count);
}

static void set_gradient(sn_solver_row *row, const sn_row *source)
{
    for (int k = 0; k < 2; ++k) {
        row->linear[k] = source->linear[k];
        row->angular[k] = source->angular[k];
    }
}

static void set_response(const sn_solver *solver, const sn_constraint_input *input, sn_solver_row *row)
{
    const int body[2] = {input->body_a, input->body_b};
    for (int k = 0; k < 2; ++k) {
        row->linear_response[k] = sn_mul(solver->bodies[body[k]].inverse_mass, row->linear[k]);
        row->angular_response[k] =
            sn_sym3_apply(sn_solver_inertia_matrix(&solver->inertias[body[k]]), row->angular[k]);
    }
}

// Joints turn while bodies move straight. With J·u = 0 at the start of each sub-step a body would leave its
// circle along the tangent, be pulled back, and have its velocity turned by projection, which costs it
// (ωh)²/2 of its speed every time: a pendulum would lose a percent of its energy a second. Velocities are
// those of chords instead, as in SHAKE: with t = ½ (J − J₋)·u, J₋ of the sub-step before, the chord a body
// arrives by has J·u = t and the one it leaves by J·u = −t, which turns the velocity without shortening it.
// The staggered schedule has no relaxing sweep to arrive in, and no chords.
void sn_rows_refresh(const sn_solver *solver, const sn_constraint_input *input, sn_constraint_rows *rows,
                     bool first)
{
    hard_law hard = hard_law_of(solver);
    pair_velocity u = load(solver, input);
    sn_row source[SN_MAX_ROWS];
    bool has_chords = solver->settings.laws.has_chords;
    int known = 0; // rows that hold J₋
    if (!first) {
        known = rows->row_count;
    } else if (has_chords) {
        known = evaluate(solver, input, &u, -hard.h, source, &rows->arm_b);
        for (int i = 0; i < known; ++i) {
            set_gradient(&rows->rows[i], &source[i]);
        }
    }
    rows->row_count = evaluate(solver, input, &u, 0.0f, source, &rows->arm_b);
    for (int i = 0; i < rows->row_count; ++i) {
        sn_solver_row *row = &rows->rows[i];
        float speed_before = i < known ? speed_of(row, &u) : 0.0f;
        set_gradient(row, &source[i]);
        set_response(solver, input, row);
        row->next = law_of(&source[i], &hard);
        if (first || i >= known) {
            row->law = row->next;
        }
        bool turns = has_chords && i < known && source[i].type == SN_ROW_EQUAL && !row->next.elastic;
        row->half_turn = turns ? 0.5f * (speed_of(row, &u) - speed_before) : 0.0f;
    }
    make_blocks(rows, source);
}

void sn_rows_add_pulls(const sn_constraint_input *input, const sn_constraint_rows *rows, float h,
                       float *pulls)
{
    sn_vec3 pull = {0.0f, 0.0f, 0.0f};
    float arms[2] = {0.0f, 0.0f};
    for (int i = 0; i < rows->row_count; ++i) {
        const sn_solver_row *row = &rows->rows[i];
        pull = sn_add_scaled(pull, row->impulse, row->linear[1]);
        for (int k = 0; k < 2; ++k) {
            bool has_arm = sn_length_squared(row->linear[k]) > 0.0f;
            arms[k] = has_arm ? sn_max(arms[k], sn_length(row->angular[k])) : arms[k];
        }
    }
    float force = sn_length(pull) / h;
    pulls[input->body_a] += force * arms[0];
    pulls[input->body_b] += force * arms[1];
}

void sn_rows_fade(sn_constraint_rows *rows, float part)
{
    for (int i = 0; i < rows->row_count; ++i) {
        sn_solver_row *row = &rows->rows[i];
        row->impulse *= row->next.elastic ? 1.0f : part;
    }
}

void sn_rows_warm_start(const sn_solver *solver, const sn_constraint_input *input, sn_constraint_rows *rows)
{
    pair_velocity u = load(solver, input);
    float impulses[SN_MAX_ROWS];
    for (int i = 0; i < rows->row_count; ++i) {
        sn_solver_row *row = &rows->rows[i];
        row->law = row->next;
        row->impulse = sn_clamp(row->impulse, row->law.lower, row->law.upper);
        impulses[i] = row->impulse;
    }
    apply(rows->rows, impulses, rows->row_count, &u);
    store(solver, input, &u);
}

// --- sweeping ------------------------------------------------------------------------------------

static void solve_block(sn_constraint_rows *rows, const sn_row_block *block, bool relax, pair_velocity *u)
{
    float change[SN_BLOCK_ROWS];
    for (int i = 0; i < block->count; ++i) {
        const sn_solver_row *row = &rows->rows[block->first + i];
        const sn_row_law *law = &row->law;
        bool biased = !relax || law->unilateral_gap || law->speed;
        float aim = relax ? row->half_turn : -row->half_turn;
        float gamma = law->elastic ? law->gamma : 0.0f;
        change[i] = -(speed_of(row, u) - aim + (biased ? law->bias : 0.0f) + gamma * row->impulse);
    }
    sn_ldl_solve(block->factor, block->count, change);
    for (int i = 0; i < block->count; ++i) {
        sn_solver_row *row = &rows->rows[block->first + i];
        const sn_row_law *law = &row->law;
        if (!relax && !law->elastic) { // methods (0.2) with the whole block's K
            change[i] = (change[i] - law->gamma * row->impulse) / (1.0f + law->gamma);
        }
        float impulse = sn_clamp(row->impulse + change[i], law->lower, law->upper);
        change[i] = impulse - row->impulse;
        row->impulse = impulse;
    }
    apply(&rows->rows[block->first], change, block->count, u);
}

void sn_rows_solve(const sn_solver *solver, const sn_constraint_input *input, sn_constraint_rows *rows,
                   bool relax, bool backwards)
{
    pair_velocity u = load(solver, input);
    for (int i = 0; i < rows->block_count; ++i) {
        const sn_row_block *block = &rows->blocks[backwards ? rows->block_count - 1 - i : i];
        if (!(relax && rows->rows[block->first].law.elastic)) {
            solve_block(rows, block, relax, &u);
        }
    }
    store(solver, input, &u);
}

void sn_rows_accumulate(sn_constraint_rows *rows)
{
    for (int i = 0; i < rows->row_count; ++i) {
        sn_solver_row *row = &rows->rows[i];
        sn_vec3 at_frame = sn_sub(row->angular[1], sn_cross(rows->arm_b, row->linear[1]));
        rows->force_sum = sn_add_scaled(rows->force_sum, row->impulse, row->linear[1]);
        rows->torque_sum = sn_add_scaled(rows->torque_sum, row->impulse, at_frame);
        if (row->law.unilateral_gap) {
            // It ran into its limit just now: an impact says nothing about the next sub-step.
            row->impulse = 0.0f;
        }
    }
}

void sn_rows_store(const sn_solver *solver, const sn_constraint_input *input, const sn_constraint_rows *rows)
{
    float per_second = 1.0f / solver->settings.duration;
    *input->force = sn_scale(rows->force_sum, per_second);
    *input->torque = sn_scale(rows->torque_sum, per_second);
    for (int i = 0; i < SN_MAX_ROWS; ++i) {
        input->impulses[i] = i < rows->row_count ? rows->rows[i].impulse : 0.0f;
    }
}
