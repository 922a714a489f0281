// Cold start of joints: what was added hanging at rest begins with the impulses that hold it.
//
// Without them joints carry nothing at first, and what hangs falls into their springs. The impulses of the
// hard rows of an island that stop what one sub-step of gravity and forces gives its bodies solve
// J W Jᵀ Λ = −J u, without motion. Sweeps would pass loads on by one joint each; conjugate gradients take
// about as many rounds as a chain has joints, and of redundant joints they find the smallest impulses.
//
// Only where that leaves the island at rest: what swings, stands on contacts or hangs on stops and springs
// begins as before.
// Tested by tests/physics/joints/test_joint_settling.c.
#include "solver/rows/joint_islands.h"

#include <math.h>

// An island is at rest if its kinetic energy is less than this part of what a sub-step of gravity and forces
// gives its bodies.
#define AT_REST 0.01
// Rounds end when r·z, the squared speeds of the rows by their effective masses, has fallen to this part, or
// rows have been visited so often.
#define RESIDUE 1.0e-12
enum { MOST_VISITS = 2000000 };

// Largest square of h times the rate at which a body swings about a joint.
#define FASTEST_SWING 1.0

enum { SPEEDS = SN_GRADIENT / 2 }; // of a body: linear, then angular

// A hard row of an island, with W Jᵀ beside J; x, r, p and K p of conjugate gradients, K = J W Jᵀ.
typedef struct start_row {
    const sn_joint_block *block;
    int lane, island, bodies[2];
    double gradient[SN_GRADIENT], push[SN_GRADIENT];
    double response; // κ
    double impulse, residue, direction, changed;
    float *kept, *reference; // where the row keeps its impulse and its reference
} start_row;

typedef struct start_island {
    bool is_fresh;
    bool is_light;            // its impulses would swing bodies too fast for its sub-steps
    double weight;            // twice the energy that a sub-step of gravity and forces gives
    double motion;            // the same of its motion
    double first, square;     // r·z, z = r/κ: at first, now
    double curvature, before; // p·K p; r·z of the round before
} start_island;

typedef struct sn_joint_start {
    const sn_joints *joints;
    start_island *islands;
    start_row *rows;
    int row_count;
    double *speeds; // by body, SPEEDS of them
} sn_joint_start;

// --- islands that begin --------------------------------------------------------------------------

// Whether a joint has carried nothing yet, and may carry whatever it must.
static bool is_new(const sn_joints *joints, const sn_joint_block *block, int lane)
{
    bool is_idle = block->most.lane[lane] == INFINITY;
    for (int i = 0; i < block->held_count; ++i) {
        const sn_held_row *row = &joints->pass.held[block->first_held + i];
        is_idle = is_idle && row->impulse.lane[lane] == 0.0f && row->reference.lane[lane] == 0.0f;
    }
    for (int i = 0; i < block->single_count; ++i) {
        is_idle = is_idle && joints->pass.singles[block->first_single + i].impulse.lane[lane] == 0.0f;
    }
    return is_idle;
}

static void measure_islands(const sn_joint_start *start)
{
    const sn_joints *joints = start->joints;
    const sn_solver *solver = joints->solver;
    for (int i = solver->dynamic_begin; i < solver->body_count; ++i) {
        if (joints->islands->of[i] >= 0 && start->islands[joints->islands->of[i]].is_fresh) {
            start_island *own = &start->islands[joints->islands->of[i]];
            sn_joint_measure_motion(joints, i, &solver->velocities[i], &own->weight, &own->motion);
        }
    }
}

// Islands that are held and new; false if there are none.
static bool find_new(const sn_joint_start *start)
{
    const sn_joints *joints = start->joints;
    bool any = false;
    for (int i = 0; i < joints->islands->count; ++i) {
        start->islands[i].is_fresh = joints->islands->is_held[i];
    }
    for (int b = 0; b < joints->block_count; ++b) {
        const sn_joint_block *block = &joints->pass.blocks[b];
        for (int lane = 0; lane < SN_LANES && block->group[lane] >= 0; ++lane) {
            start_island *own = &start->islands[block->island[lane]];
            own->is_fresh = own->is_fresh && is_new(joints, block, lane);
        }
    }
    for (int i = 0; i < joints->islands->count; ++i) {
        any = any || start->islands[i].is_fresh;
    }
    return any;
}

bool sn_joint_start_make(sn_joints *joints)
{
    sn_arena *arena = joints->solver->arena;
    joints->start = NULL;
    if (joints->islands == NULL || joints->pass.is_projected || !joints->solver->settings.settles_joints) {
        return true;
    }
    sn_joint_start *start = sn_arena_take_zero(arena, 1, sizeof *start);
    start_island *islands = sn_arena_take_zero(arena, (size_t)joints->islands->count, sizeof *islands);
    if (start == NULL || islands == NULL) {
        return false;
    }
    *start = (sn_joint_start){.joints = joints, .islands = islands};
    if (!find_new(start)) {
        return true;
    }
    start->rows = sn_arena_take(arena, (size_t)joints->group_count * SN_HELD_ROWS, sizeof *start->rows);
    start->speeds = sn_arena_take(arena, (size_t)joints->solver->body_count * SPEEDS, sizeof *start->speeds);
    joints->start = start;
    return start->rows != NULL && start->speeds != NULL;
}

// --- rows ----------------------------------------------------------------------------------------

static void put3(double *to, sn_vec3 v)
{
    to[0] = (double)v.x;
    to[1] = (double)v.y;
    to[2] = (double)v.z;
}

static void fill_row(const sn_joint_pass *pass, int i, start_row *row)
{
    const sn_joint_block *block = row->block;
    sn_held_row *held = &pass->held[block->first_held + i];
    int lane = row->lane;
    float gradient[SN_GRADIENT];
    sn_joint_take_gradient(pass, block, i, lane, gradient);
    row->bodies[0] = block->body_a[lane];
    row->bodies[1] = block->body_b[lane];
    row->kept = &held->impulse.lane[lane];
    row->reference = &held->reference.lane[lane];
    for (int side = 0; side < 2; ++side) {
        int at = side * SPEEDS;
        const sn_lanes *m = side == 0 ? block->inverse_inertia_a : block->inverse_inertia_b;
        sn_sym3 inertia = {m[0].lane[lane], m[1].lane[lane], m[2].lane[lane],
                           m[3].lane[lane], m[4].lane[lane], m[5].lane[lane]};
        sn_vec3 mass = sn_lanes_take3(side == 0 ? block->inverse_mass_a : block->inverse_mass_b, lane);
        sn_vec3 linear = sn_take3(&gradient[at]), angular = sn_take3(&gradient[at + 3]);
        put3(&row->gradient[at], linear);
        put3(&row->gradient[at + 3], angular);
        put3(&row->push[at], sn_mul(mass, linear));
        put3(&row->push[at + 3], sn_sym3_apply(inertia, angular));
    }
    for (int k = 0; k < SN_GRADIENT; ++k) {
        row->response += row->gradient[k] * row->push[k];
    }
}

// Adds the hard rows of a joint of an island that begins.
static void add_rows(sn_joint_start *start, const sn_joint_block *block, int lane)
{
    const sn_joints *joints = start->joints;
    int island = block->island[lane];
    for (int i = 0; start->islands[island].is_fresh && i < joints->groups[block->group[lane]].hard_count;
         ++i) {
        start_row *row = &start->rows[start->row_count];
        *row = (start_row){.block = block, .lane = lane, .island = island};
        fill_row(&joints->pass, i, row);
        start->row_count += row->response > 0.0 ? 1 : 0;
    }
}

// --- conjugate gradients -------------------------------------------------------------------------

static double speed_of(const sn_joint_start *start, const start_row *row)
{
    double sum = 0.0;
    for (int i = 0; i < SN_GRADIENT; ++i) {
        sum += row->gradient[i] * start->speeds[SPEEDS * row->bodies[i / SPEEDS] + i % SPEEDS];
    }
    return sum;
}

// What does not move has pushes of zero.
static void push_bodies(const sn_joint_start *start, const start_row *row, double impulse)
{
    for (int i = 0; i < SN_GRADIENT; ++i) {
        start->speeds[SPEEDS * row->bodies[i / SPEEDS] + i % SPEEDS] += impulse * row->push[i];
    }
}

static void clear_speeds(const sn_joint_start *start)
{
    for (int i = 0; i < SPEEDS * start->joints->solver->body_count; ++i) {
        start->speeds[i] = 0.0;
    }
}

static void load_speeds(const sn_joint_start *start)
{
    const sn_solver *solver = start->joints->solver;
    for (int i = 0; i < solver->body_count; ++i) {
        put3(start->speeds + SPEEDS * i, sn_take3(solver->velocities[i].linear));
        put3(start->speeds + SPEEDS * i + 3, sn_take3(solver->velocities[i].angular));
    }
}

static bool has_converged(const start_island *island)
{
    return island->square <= RESIDUE * island->first;
}

// The next r and r·z by island; false once all islands have converged.
static bool step_residues(const sn_joint_start *start)
{
    int islands = start->joints->islands->count;
    bool goes_on = false;
    for (int i = 0; i < islands; ++i) {
        start->islands[i].before = start->islands[i].square;
        start->islands[i].square = 0.0;
    }
    for (int i = 0; i < start->row_count; ++i) {
        start_row *row = &start->rows[i];
        start_island *own = &start->islands[row->island];
        double length = own->curvature > 0.0 ? own->before / own->curvature : 0.0;
        row->impulse += length * row->direction;
        row->residue -= length * row->changed;
        own->square += row->residue * row->residue / row->response;
    }
    for (int i = 0; i < islands; ++i) {
        goes_on = goes_on || !has_converged(&start->islands[i]);
        start->islands[i].curvature = 0.0;
    }
    return goes_on;
}

// The next p, and K p.
static void step_directions(const sn_joint_start *start)
{
    clear_speeds(start);
    for (int i = 0; i < start->row_count; ++i) {
        start_row *row = &start->rows[i];
        const start_island *own = &start->islands[row->island];
        double turn = own->before > 0.0 ? own->square / own->before : 0.0;
        row->direction = has_converged(own) ? 0.0 : row->residue / row->response + turn * row->direction;
        push_bodies(start, row, row->direction);
    }
    for (int i = 0; i < start->row_count; ++i) {
        start_row *row = &start->rows[i];
        row->changed = speed_of(start, row);
        start->islands[row->island].curvature += row->direction * row->changed;
    }
}

static void find_impulses(const sn_joint_start *start)
{
    load_speeds(start);
    for (int i = 0; i < start->row_count; ++i) {
        start_row *row = &start->rows[i];
        row->residue = -speed_of(start, row);
        start->islands[row->island].square += row->residue * row->residue / row->response;
    }
    for (int i = 0; i < start->joints->islands->count; ++i) {
        start->islands[i].first = start->islands[i].square;
    }
    int rounds = MOST_VISITS / (start->row_count + 1);
    do {
        step_directions(start);
    } while (step_residues(start) && --rounds > 0);
}

// --- what begins ---------------------------------------------------------------------------------

// How the islands would move with their impulses.
static void measure_rests(const sn_joint_start *start)
{
    const sn_joints *joints = start->joints;
    load_speeds(start);
    for (int i = 0; i < start->row_count; ++i) {
        push_bodies(start, &start->rows[i], start->rows[i].impulse);
    }
    for (int i = 0; i < joints->islands->count; ++i) {
        start->islands[i].motion = 0.0;
    }
    for (int i = joints->solver->dynamic_begin; i < joints->solver->body_count; ++i) {
        const double *v = start->speeds + SPEEDS * i;
        if (joints->islands->of[i] >= 0) {
            start->islands[joints->islands->of[i]].motion +=
                sn_joint_twice_energy(joints->solver, i, sn_v((float)v[0], (float)v[1], (float)v[2]),
                                      sn_v((float)v[3], (float)v[4], (float)v[5]));
        }
    }
}

// A body that a force T holds at the end of an arm r swings about it with the rate √(T r/(m (r² + k²))), k
// its radius of gyration, and is unstable in longer sub-steps than the inverse of that (methods J.4): where
// light bodies hold heavy ones, long-range bounds must carry the load past them. [h² times the square of the
// rate]
static double swing_of(const sn_solver *solver, int body, sn_vec3 impulse, sn_vec3 arm, float h)
{
    if (body < solver->dynamic_begin) {
        return 0.0;
    }
    sn_sym3 inertia = sn_sym3_inverse(sn_solver_inertia_matrix(&solver->inertias[body]));
    sn_vec3 w = solver->bodies[body].inverse_mass;
    float mass = 3.0f / (w.x + w.y + w.z), turning = (inertia.xx + inertia.yy + inertia.zz) / 3.0f;
    float spread = mass * sn_length_squared(arm) + turning;
    return spread > 0.0f ? (double)(h * sn_length(impulse) * sn_length(arm) / spread) : 0.0;
}

static void judge_joint(const sn_joint_start *start, const start_row *row, sn_vec3 impulse)
{
    const sn_solver *solver = start->joints->solver;
    float h = start->joints->pass.h;
    sn_vec3 arm_a = sn_lanes_take3(row->block->arm_a, row->lane),
            arm_b = sn_lanes_take3(row->block->arm_b, row->lane);
    start_island *own = &start->islands[row->island];
    own->is_light = own->is_light || swing_of(solver, row->bodies[0], impulse, arm_a, h) > FASTEST_SWING ||
                    swing_of(solver, row->bodies[1], impulse, arm_b, h) > FASTEST_SWING;
}

// Rows of a joint follow each other.
static void judge_joints(const sn_joint_start *start)
{
    sn_vec3 impulse = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < start->row_count; ++i) {
        const start_row *row = &start->rows[i], *next = i + 1 < start->row_count ? row + 1 : NULL;
        const double *along = row->gradient + SN_LINEAR_B;
        impulse = sn_add_scaled(impulse, (float)row->impulse,
                                sn_v((float)along[0], (float)along[1], (float)along[2]));
        if (next == NULL || next->block != row->block || next->lane != row->lane) {
            judge_joint(start, row, impulse);
            impulse = sn_v(0.0f, 0.0f, 0.0f);
        }
    }
}

static bool rests(const start_island *island)
{
    return island->motion < AT_REST * island->weight;
}

static void list_rows(sn_joint_start *start)
{
    const sn_joints *joints = start->joints;
    measure_islands(start);
    for (int i = 0; i < joints->islands->count; ++i) {
        start->islands[i].is_fresh = start->islands[i].is_fresh && rests(&start->islands[i]);
    }
    for (int b = 0; b < joints->block_count; ++b) {
        const sn_joint_block *block = &joints->pass.blocks[b];
        for (int lane = 0; lane < SN_LANES && block->group[lane] >= 0; ++lane) {
            add_rows(start, block, lane);
        }
    }
}

void sn_joints_start(sn_joints *joints)
{
    sn_joint_start *start = joints->start;
    if (start == NULL || !joints->first) {
        return;
    }
    list_rows(start);
    if (start->row_count > 0) {
        find_impulses(start);
        measure_rests(start);
        judge_joints(start);
    }
    for (int i = 0; i < start->row_count; ++i) {
        const start_row *row = &start->rows[i];
        const start_island *own = &start->islands[row->island];
        if (rests(own) && !own->is_light) {
            *row->kept = (float)row->impulse;
            *row->reference = *row->kept;
        }
    }
}
