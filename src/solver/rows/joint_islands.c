// Kinetic energy of an island, the bodies that joints connect: hard rows may not add to it, neither by warm
// starts nor otherwise.
//
// A sub-step is warm-started with the impulses of the last one. At rest, and where bodies turn evenly, these
// are right. After an impact, or where joints have turned far, they are wrong, and push bodies harder than
// the sweep can correct. The work D of hard rows on an island is known exactly. If all impulses are scaled by
// a common factor s, the work is s a + ½ s² b
// with b = Δvᵀ M Δv and D = a + ½ b. Taken is the largest s ≤ 1 for which it is not positive, 1 − 2 D/b.
#include "solver/rows/joint_islands.h"
#include "base/union_find.h"
#include "solver/rows/hinge_planes.h"

#include <string.h>

// The work D may be positive up to this part of the effort of the island's warm start, the sum of ½ Pᵀ W P
// over its joints, and of what its springs store: to and fro within a turn, springs give and take so much.
#define FREE_GAIN 1.0e-3f

// Numbers the sets of bodies that joints make, in the order of their first bodies.
static void number_islands(const sn_joints *joints, int *parent, sn_joint_islands *islands)
{
    const sn_solver *solver = joints->solver;
    for (int i = 0; i < solver->body_count; ++i) {
        parent[i] = i;
        islands->of[i] = -1;
    }
    for (int i = 0; i < joints->count; ++i) {
        int a = joints->inputs[i].ends[0].body, b = joints->inputs[i].ends[1].body;
        if (a >= solver->dynamic_begin && b >= solver->dynamic_begin) {
            sn_union_find_join(parent, NULL, a, b);
        }
    }
    for (int i = 0; i < 2 * joints->count; ++i) {
        int body = joints->inputs[i / 2].ends[i % 2].body;
        if (body >= solver->dynamic_begin && islands->of[sn_union_find_root(parent, body)] < 0) {
            islands->of[sn_union_find_root(parent, body)] = islands->count++;
        }
    }
    for (int i = solver->dynamic_begin; i < solver->body_count; ++i) {
        islands->of[i] = islands->of[sn_union_find_root(parent, i)]; // roots come first
    }
}

static bool has_lock(const sn_solver *solver, int body)
{
    sn_vec3 w = solver->bodies[body].inverse_mass;
    const float *i = solver->inertias[body].diagonal;
    return !(w.x > 0.0f && w.y > 0.0f && w.z > 0.0f && i[0] > 0.0f && i[1] > 0.0f && i[2] > 0.0f);
}

static void find_held(const sn_joints *joints, const sn_joint_islands *islands)
{
    const sn_solver *solver = joints->solver;
    for (int i = 0; i < joints->count; ++i) {
        int a = joints->inputs[i].ends[0].body, b = joints->inputs[i].ends[1].body;
        int island = islands->of[a >= solver->dynamic_begin ? a : b];
        if (island >= 0 && (a < solver->dynamic_begin || b < solver->dynamic_begin)) {
            islands->is_held[island] = true;
        }
    }
    for (int i = solver->dynamic_begin; i < solver->body_count; ++i) {
        if (islands->of[i] >= 0 && has_lock(solver, i)) {
            islands->is_held[islands->of[i]] = true;
        }
    }
}

static void tell_blocks(const sn_joints *joints, const sn_joint_islands *islands)
{
    int dynamic_begin = joints->solver->dynamic_begin;
    for (int b = 0; b < joints->block_count; ++b) {
        sn_joint_block *block = &joints->pass.blocks[b];
        for (int lane = 0; lane < SN_LANES; ++lane) {
            int body = block->body_a[lane] >= dynamic_begin ? block->body_a[lane] : block->body_b[lane];
            block->island[lane] = block->group[lane] >= 0 ? islands->of[body] : -1;
        }
    }
}

bool sn_joint_islands_make(sn_joints *joints)
{
    joints->islands = NULL;
    // Newmark's rule keeps energy by itself; what it solves for is not the velocity (newmark.c).
    if (joints->holds_nodes || joints->count == 0 || sn_uses_newmark(&joints->solver->settings)) {
        return true;
    }
    sn_arena *arena = joints->solver->arena;
    size_t bodies = (size_t)joints->solver->body_count;
    sn_joint_islands *islands = sn_arena_take_zero(arena, 1, sizeof *islands);
    int *parent = sn_arena_take(arena, bodies, sizeof *parent);
    if (islands == NULL || parent == NULL) {
        return false;
    }
    islands->of = sn_arena_take(arena, bodies, sizeof *islands->of);
    islands->before = sn_arena_take(arena, bodies, sizeof *islands->before);
    if (islands->of == NULL || islands->before == NULL) {
        return false;
    }
    number_islands(joints, parent, islands);
    size_t count = (size_t)islands->count;
    islands->work = sn_arena_take(arena, count, sizeof *islands->work);
    islands->spread = sn_arena_take(arena, count, sizeof *islands->spread);
    islands->owed = sn_arena_take_zero(arena, count, sizeof *islands->owed);
    islands->scale = sn_arena_take(arena, count, sizeof *islands->scale);
    islands->settling = sn_arena_take(arena, count, sizeof *islands->settling);
    islands->is_held = sn_arena_take_zero(arena, count, sizeof *islands->is_held);
    islands->is_wild = sn_arena_take(arena, count, sizeof *islands->is_wild);
    islands->motions = sn_arena_take(arena, count, sizeof *islands->motions);
    islands->rests = sn_arena_take(arena, count, sizeof *islands->rests);
    joints->islands = islands;
    if (!islands->work || !islands->spread || !islands->owed || !islands->scale || !islands->is_held ||
        !islands->is_wild || !islands->motions || !islands->rests || !islands->settling) {
        return false;
    }
    find_held(joints, islands);
    tell_blocks(joints, islands);
    return true;
}

void sn_joint_islands_remember(sn_joints *joints)
{
    if (joints->islands != NULL) {
        memcpy(joints->islands->before, joints->solver->velocities,
               (size_t)joints->solver->body_count * sizeof *joints->islands->before);
    }
}

static bool has_gained(const sn_joint_islands *islands, int island)
{
    return islands->work[island].gain > (double)FREE_GAIN * islands->work[island].effort;
}

// What a joint has added: by its hard rows alone, or by stops and springs as well.
static float balance_of(const sn_joint_block *block, int lane, bool with_all)
{
    return block->balance.lane[lane] +
           (with_all ? block->stops.lane[lane] + block->springs.lane[lane] : 0.0f);
}

static void add_work(sn_joint_work *work, const sn_joint_block *block, int lane, bool with_all)
{
    float balance = balance_of(block, lane, with_all);
    work->gain += (double)balance;
    work->given += balance > 0.0f ? (double)balance : 0.0;
    work->givers += balance > 0.0f ? 1 : 0;
    work->effort += (double)block->effort.lane[lane];
    work->effort += with_all ? (double)block->stored.lane[lane] : 0.0;
}

// Whether some island gained energy. Neighbouring lanes are mostly of one island, whose sums stay at hand.
static bool sum_work(const sn_joints *joints, bool with_all)
{
    sn_joint_islands *islands = joints->islands;
    for (int i = 0; i < islands->count; ++i) {
        islands->work[i] = (sn_joint_work){.gain = with_all ? islands->owed[i] : 0.0};
    }
    int island = 0;
    sn_joint_work work = islands->count > 0 ? islands->work[0] : (sn_joint_work){0};
    for (int b = 0; b < joints->block_count; ++b) {
        const sn_joint_block *block = &joints->pass.blocks[b];
        for (int lane = 0; lane < SN_LANES && block->island[lane] >= 0; ++lane) {
            if (block->island[lane] != island) {
                islands->work[island] = work;
                island = block->island[lane];
                work = islands->work[island];
            }
            add_work(&work, block, lane, with_all);
        }
    }
    bool any = false;
    for (int i = 0; i < islands->count; ++i) {
        islands->work[i] = i == island ? work : islands->work[i];
        islands->scale[i] = 1.0f;
        any = any || has_gained(islands, i);
    }
    return any;
}

double sn_joint_twice_energy(const sn_solver *solver, int body, sn_vec3 linear, sn_vec3 angular)
{
    sn_vec3 w = solver->bodies[body].inverse_mass;
    double sum = 0.0;
    sum += w.x > 0.0f ? (double)(linear.x * linear.x / w.x) : 0.0;
    sum += w.y > 0.0f ? (double)(linear.y * linear.y / w.y) : 0.0;
    sum += w.z > 0.0f ? (double)(linear.z * linear.z / w.z) : 0.0;
    sn_sym3 inertia = sn_sym3_inverse(sn_solver_inertia_matrix(&solver->inertias[body]));
    return sum + (double)sn_dot(angular, sn_sym3_apply(inertia, angular));
}

void sn_joint_measure_motion(const sn_joints *joints, int body, const sn_solver_velocity *velocity,
                             double *weight, double *motion)
{
    const sn_solver *solver = joints->solver;
    sn_vec3 push = sn_scale(solver->bodies[body].acceleration, joints->pass.h), none = {0.0f, 0.0f, 0.0f};
    *weight += sn_joint_twice_energy(solver, body, push, none);
    *motion += sn_joint_twice_energy(solver, body, sn_sub(sn_take3(velocity->linear), push),
                                     sn_take3(velocity->angular));
}

static sn_vec3 change_of(const float *now, const float *before)
{
    return sn_sub(sn_take3(now), sn_take3(before));
}

static void find_scales(const sn_joints *joints)
{
    const sn_solver *solver = joints->solver;
    sn_joint_islands *islands = joints->islands;
    memset(islands->spread, 0, (size_t)islands->count * sizeof *islands->spread);
    for (int i = solver->dynamic_begin; i < solver->body_count; ++i) {
        int island = islands->of[i];
        if (island >= 0 && has_gained(islands, island)) {
            const sn_solver_velocity *now = &solver->velocities[i], *before = &islands->before[i];
            islands->spread[island] += sn_joint_twice_energy(
                solver, i, change_of(now->linear, before->linear), change_of(now->angular, before->angular));
        }
    }
    for (int i = 0; i < islands->count; ++i) {
        if (has_gained(islands, i)) {
            double scale =
                islands->spread[i] > 0.0 ? 1.0 - 2.0 * islands->work[i].gain / islands->spread[i] : 0.0;
            islands->scale[i] = scale > 0.0 ? (float)scale : 0.0f; // also where it is not a number
        }
    }
}

static void scale_velocities(const sn_joints *joints)
{
    const sn_solver *solver = joints->solver;
    const sn_joint_islands *islands = joints->islands;
    for (int i = solver->dynamic_begin; i < solver->body_count; ++i) {
        float scale = islands->of[i] >= 0 ? islands->scale[islands->of[i]] : 1.0f;
        if (scale < 1.0f) {
            sn_solver_velocity *now = &solver->velocities[i];
            const sn_solver_velocity *before = &islands->before[i];
            sn_vec3 linear = change_of(now->linear, before->linear);
            sn_vec3 angular = change_of(now->angular, before->angular);
            sn_put3(now->linear, sn_add_scaled(sn_take3(before->linear), scale, linear));
            sn_put3(now->angular, sn_add_scaled(sn_take3(before->angular), scale, angular));
        }
    }
}

static void scale_impulses(const sn_joints *joints)
{
    for (int b = 0; b < joints->block_count; ++b) {
        sn_joint_block *block = &joints->pass.blocks[b];
        for (int lane = 0; lane < SN_LANES && block->group[lane] >= 0; ++lane) {
            float scale = joints->islands->scale[block->island[lane]];
            for (int i = 0; i < block->held_count && scale < 1.0f; ++i) {
                sn_held_row *row = &joints->pass.held[block->first_held + i];
                row->impulse.lane[lane] *= row->gamma.lane[lane] == 0.0f ? scale : 1.0f;
            }
            if (scale < 1.0f) {
                block->balance.lane[lane] = 0.0f;
                block->effort.lane[lane] *= scale * scale;
            }
        }
    }
}

void sn_joint_islands_limit(sn_joints *joints)
{
    if (joints->islands == NULL) {
        return;
    }
    bool any = sum_work(joints, false);
    if (joints->first && joints->solver->settings.settles_joints) {
        sn_joints_settle(joints);
    }
    if (any) {
        find_scales(joints);
        scale_velocities(joints);
        scale_impulses(joints);
    }
}

// --- at the end of a sub-step --------------------------------------------------------------------

// Where an island has gained more than this part of its kinetic energy in a sub-step, single joints are
// unstable: it is taken back where it was added, by friction there, which brakes just what grows.
#define MILD 0.005

// Joints that gave more than the mean of those that gave, one after the other, in the order of their blocks.
static void take_at_joints(sn_joints *joints)
{
    const sn_joint_islands *islands = joints->islands;
    for (int b = 0; b < joints->block_count; ++b) {
        const sn_joint_block *block = &joints->pass.blocks[b];
        for (int lane = 0; lane < SN_LANES && block->group[lane] >= 0; ++lane) {
            int island = block->island[lane];
            const sn_joint_work *work = &islands->work[island];
            double balance = (double)balance_of(block, lane, true);
            if (!islands->is_wild[island] || !(islands->owed[island] > 0.0) || !(balance > 0.0) ||
                !(balance * (double)work->givers >= work->given) || !(balance < (double)INFINITY)) {
                continue;
            }
            double due = work->gain / work->given * balance;
            due = due < islands->owed[island] ? due : islands->owed[island];
            islands->owed[island] -= (double)sn_joint_take_back(&joints->pass, block, lane, (float)due);
        }
    }
}

// The rest is taken from the motion of all bodies of the island alike: relative to its rigid motion, so that
// its momenta are kept; as it is where something holds the island, so that joints to what holds it are met.
static bool owes(const sn_joint_islands *islands, int island)
{
    return island >= 0 && islands->owed[island] > 0.0;
}

static double mass_of(const sn_solver *solver, int body)
{
    return 1.0 / (double)solver->bodies[body].inverse_mass.x;
}

static bool moves_freely(const sn_joint_islands *islands, int island)
{
    return owes(islands, island) && !islands->is_held[island];
}

static void find_linear(const sn_solver *solver, sn_joint_islands *islands)
{
    for (int i = solver->dynamic_begin; i < solver->body_count; ++i) {
        if (moves_freely(islands, islands->of[i])) {
            sn_motion_add_mass(&islands->motions[islands->of[i]], mass_of(solver, i),
                               solver->bodies[i].center, sn_take3(solver->velocities[i].linear));
        }
    }
    for (int i = 0; i < islands->count; ++i) {
        sn_motion_find_linear(&islands->motions[i]);
    }
}

static void find_angular(const sn_solver *solver, sn_joint_islands *islands)
{
    for (int i = solver->dynamic_begin; i < solver->body_count; ++i) {
        if (moves_freely(islands, islands->of[i])) {
            sn_rigid_motion *motion = &islands->motions[islands->of[i]];
            sn_sym3 own = sn_sym3_inverse(sn_solver_inertia_matrix(&solver->inertias[i]));
            sn_motion_add_inertia(motion, own, sn_take3(solver->velocities[i].angular));
            sn_motion_add_spin(motion, (float)mass_of(solver, i), solver->bodies[i].center,
                               sn_take3(solver->velocities[i].linear));
        }
    }
    for (int i = 0; i < islands->count; ++i) {
        sn_motion_find_angular(&islands->motions[i]);
    }
}

// What a body does beyond the motion of its island.
static sn_vec3 linear_rest(const sn_solver *solver, const sn_rigid_motion *motion, int body)
{
    return sn_motion_beyond(motion, solver->bodies[body].center, sn_take3(solver->velocities[body].linear));
}

static sn_vec3 angular_rest(const sn_solver *solver, const sn_rigid_motion *motion, int body)
{
    return sn_motion_turning_beyond(motion, sn_take3(solver->velocities[body].angular));
}

static void find_rests(const sn_solver *solver, const sn_joint_islands *islands)
{
    for (int i = solver->dynamic_begin; i < solver->body_count; ++i) {
        if (owes(islands, islands->of[i])) {
            const sn_rigid_motion *motion = &islands->motions[islands->of[i]];
            islands->rests[islands->of[i]] +=
                0.5 * sn_joint_twice_energy(solver, i, linear_rest(solver, motion, i),
                                            angular_rest(solver, motion, i));
        }
    }
}

// What rounding cuts off is kept, or thousands of small changes lose momentum; not beside planes of hinges,
// which compare velocities without it.
static void shorten(const sn_joints *joints)
{
    const sn_solver *solver = joints->solver;
    const sn_joint_islands *islands = joints->islands;
    bool is_kept = joints->planes == NULL || joints->planes->count == 0;
    for (int i = solver->dynamic_begin; i < solver->body_count; ++i) {
        if (owes(islands, islands->of[i])) {
            const sn_rigid_motion *motion = &islands->motions[islands->of[i]];
            float change = islands->scale[islands->of[i]] - 1.0f;
            sn_solver_velocity *residue = is_kept ? &solver->residues[i] : NULL;
            sn_velocity_change(&solver->velocities[i], residue,
                               sn_scale(linear_rest(solver, motion, i), change),
                               sn_scale(angular_rest(solver, motion, i), change));
        }
    }
}

// Of the kinetic energy of floats.
#define ROUNDING 1.0e-6

static void measure_rests(const sn_joints *joints)
{
    sn_joint_islands *islands = joints->islands;
    memset(islands->motions, 0, (size_t)islands->count * sizeof *islands->motions);
    memset(islands->rests, 0, (size_t)islands->count * sizeof *islands->rests);
    find_linear(joints->solver, islands);
    find_angular(joints->solver, islands);
    find_rests(joints->solver, islands);
}

static bool find_wild(sn_joint_islands *islands)
{
    bool any = false;
    for (int i = 0; i < islands->count; ++i) {
        islands->is_wild[i] = owes(islands, i) && !(islands->owed[i] <= MILD * islands->rests[i]);
        any = any || islands->is_wild[i];
    }
    return any;
}

static void take_from_all(const sn_joints *joints)
{
    sn_joint_islands *islands = joints->islands;
    for (int i = 0; i < islands->count; ++i) {
        double rest = islands->rests[i];
        // Less than that is rounding.
        double owed = islands->owed[i] > ROUNDING * rest ? islands->owed[i] : 0.0;
        // A rest that is not a number stays as it is: such bodies are stopped elsewhere.
        islands->owed[i] = owed;
        islands->scale[i] = rest > owed ? sqrtf((float)(1.0 - owed / rest)) : rest >= 0.0 ? 0.0f : 1.0f;
    }
    shorten(joints);
    for (int i = 0; i < islands->count; ++i) {
        double rest = islands->rests[i];
        islands->owed[i] = owes(islands, i) && islands->owed[i] > rest ? islands->owed[i] - rest : 0.0;
    }
}

// What motion does not hold, such as energy that went into springs, is owed by the next sub-step.
void sn_joint_islands_take_back(sn_joints *joints)
{
    sn_joint_islands *islands = joints->islands;
    if (islands == NULL) {
        return;
    }
    bool any = sum_work(joints, true);
    for (int i = 0; i < islands->count; ++i) {
        double gain = islands->work[i].gain;
        bool is_due = has_gained(islands, i) && gain < (double)INFINITY;
        islands->owed[i] = is_due ? gain : 0.0;
    }
    if (any) {
        measure_rests(joints);
        if (find_wild(islands)) {
            take_at_joints(joints);
            measure_rests(joints);
        }
        take_from_all(joints);
    }
}
