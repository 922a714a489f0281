// What hangs on joints comes to rest where rigid joints would hold it (methods J.3).
//
// Hard rows are springs of the frequency ω and the damping ratio ζ, so that what hangs on them sinks by δ. By
// Rayleigh's quotient the slowest mode of an island has Ω² = g/δ = Σ m a²/Σ F²/k; F²/k = (Λ/h)² κ/ω², and the
// sum of these is 2 E/(hω)², E the effort of the warm start. The mode is damped by 2ζ Ω²/ω. References, the
// impulses at which rows do not yield, may follow impulses with a part of that. (More damping would let them
// follow faster, but rows of a ratio of 8 and more do not pass on loads along chains in one sweep a
// sub-step.)
//
// Where an island swings, its rows carry other forces in the next moment: references that followed them would
// drive it, so they stay as they are. Where it moves as fast as its rows can throw it, they are forgotten, as
// slowly as they follow. (Forgotten at once, what they held up falls.)
// Tested by tests/physics/joints/test_joint_settling.c.
#include "solver/rows/joint_islands.h"

#include <math.h>
#include <string.h>

// Part of the mode's damping with which references follow, and the most in a sub-step.
#define SETTLE_PART    0.5
#define FASTEST_SETTLE 0.02
// They come to carry all but a few hundredths: where rows cannot be met, as in a loop that does not close,
// what follows without end would pull harder and harder.
#define MOST_SETTLED 0.97f
// Only what hangs settles: forces of joints pull at their bodies, and push by no more than this part of that.
// What stands on its joints has slower modes, of tilting, which references would drive.
#define MOST_PUSH 0.1
// An island hangs nearly at rest while its motion is less than this part of what its rows store, ½ Σ F²/k,
// and moves fast where it is more than that.
#define SLOW 0.001
#define FAST 0.1

static void measure(const sn_joints *joints)
{
    const sn_solver *solver = joints->solver;
    const sn_joint_islands *islands = joints->islands;
    memset(islands->settling, 0, (size_t)islands->count * sizeof *islands->settling);
    for (int i = solver->dynamic_begin; i < solver->body_count; ++i) {
        if (islands->of[i] < 0) {
            continue;
        }
        sn_joint_settling *own = &islands->settling[islands->of[i]];
        sn_joint_measure_motion(joints, i, &islands->before[i], &own->weight, &own->motion);
    }
}

// What a joint does to one of its bodies: pulls outwards at it, or pushes.
static void add_pull(const sn_joints *joints, sn_joint_settling *settling, int body, sn_vec3 impulse,
                     sn_vec3 arm)
{
    if (body >= joints->solver->dynamic_begin) {
        double outwards = (double)sn_dot(impulse, arm);
        *(outwards > 0.0 ? &settling->pull : &settling->push) += fabs(outwards);
    }
}

// What a unit impulse of a held row does to the momentum of b.
static sn_vec3 force_of_row(const sn_joint_pass *pass, const sn_joint_block *block, int i, int lane)
{
    const sn_lanes *gradient = sn_held_gradient(pass, block, i);
    if (!sn_joint_form_holds(block->form)) {
        return sn_lanes_take3(&gradient[SN_LINEAR_B], lane);
    }
    return i < SN_POINT_ROWS ? sn_lanes_take3(gradient, lane) : sn_v(0.0f, 0.0f, 0.0f);
}

static void measure_pulls(const sn_joints *joints)
{
    for (int b = 0; b < joints->block_count; ++b) {
        const sn_joint_block *block = &joints->pass.blocks[b];
        for (int lane = 0; lane < SN_LANES && block->group[lane] >= 0; ++lane) {
            sn_joint_settling *own = &joints->islands->settling[block->island[lane]];
            sn_vec3 impulse = {0.0f, 0.0f, 0.0f};
            for (int i = 0; i < block->held_count; ++i) {
                const sn_held_row *row = &joints->pass.held[block->first_held + i];
                impulse = sn_add_scaled(impulse, row->impulse.lane[lane],
                                        force_of_row(&joints->pass, block, i, lane));
            }
            add_pull(joints, own, block->body_b[lane], impulse, sn_lanes_take3(block->arm_b, lane));
            add_pull(joints, own, block->body_a[lane], sn_neg(impulse), sn_lanes_take3(block->arm_a, lane));
        }
    }
}

static void find_rate(const sn_solver_settings *settings, double effort, sn_joint_settling *settling)
{
    double omega_h = 2.0 * (double)(SN_PI * settings->constraint_stiffness);
    double stored = 2.0 * effort / (omega_h * omega_h);
    double damping = 2.0 * (double)settings->constraint_damping / omega_h; // by (Ωh)²
    double rate = stored > 0.0 ? SETTLE_PART * damping * settling->weight / stored : FASTEST_SETTLE;
    rate = rate < FASTEST_SETTLE ? rate : FASTEST_SETTLE;
    bool hangs = settling->push <= MOST_PUSH * settling->pull, follows = settling->motion < SLOW * stored;
    bool stays = hangs && !follows && settling->motion < FAST * stored;
    settling->kept = stays ? 1.0f : 1.0f - (float)rate;
    settling->rate = hangs && follows ? MOST_SETTLED * (float)rate : 0.0f;
}

void sn_joints_settle(sn_joints *joints)
{
    const sn_joint_islands *islands = joints->islands;
    measure(joints);
    measure_pulls(joints);
    for (int i = 0; i < islands->count; ++i) {
        find_rate(&joints->solver->settings, islands->work[i].effort, &islands->settling[i]);
    }
    for (int b = 0; b < joints->block_count; ++b) {
        sn_joint_block *block = &joints->pass.blocks[b];
        for (int lane = 0; lane < SN_LANES && block->group[lane] >= 0; ++lane) {
            const sn_joint_settling *settling = &islands->settling[block->island[lane]];
            block->settle_rate.lane[lane] = settling->rate;
            block->settle_kept.lane[lane] = settling->kept;
        }
    }
}
