// See cone.h. Impulses are numbered: those of points first, then those of whole patches, six for every block.
// Tested by tests/physics/test_position_cone.c.
#include "solver/cone.h"

#include <string.h>

// Of a patch: friction along two directions, twist, rolling resistance about three axes.
enum { FRICTIONS = 2, PATCH_IMPULSES = 6 };

static int impulse_count(const sn_run *run)
{
    return run->packing.point_count + PATCH_IMPULSES * run->packing.block_count;
}

static sn_lanes *impulse_at(const sn_run *run, int k)
{
    if (k < run->packing.point_count) {
        return &run->packing.points[k].normal_impulse;
    }
    k -= run->packing.point_count;
    sn_contact_block *block = &run->packing.blocks[k / PATCH_IMPULSES];
    k %= PATCH_IMPULSES;
    return k < FRICTIONS    ? &block->tangent_impulse[k]
           : k == FRICTIONS ? &block->twist_impulse
                            : &block->rolling_impulse[k - FRICTIONS - 1];
}

static void copy_impulses(const sn_run *run, sn_lanes *target)
{
    for (int k = 0; k < impulse_count(run); ++k) {
        target[k] = *impulse_at(run, k);
    }
}

// Immovable bodies need not be split.
static void split_bodies(const sn_run *run, int *patches)
{
    const sn_solver *solver = run->solver;
    for (int i = 0; i < solver->contact_count; ++i) {
        ++patches[solver->contacts[i].body_a];
        ++patches[solver->contacts[i].body_b];
    }
    for (int i = 0; i < solver->dynamic_begin; ++i) {
        patches[i] = 1;
    }
    for (int k = 0; k < run->packing.block_count * SN_LANES; ++k) {
        sn_contact_block *block = &run->packing.blocks[k / SN_LANES];
        int lane = k % SN_LANES, a = patches[block->body_a[lane]], b = patches[block->body_b[lane]];
        block->parts.lane[lane] = (float)(a > b ? a : b);
    }
}

bool sn_cone_make(const sn_run *run, sn_cone *cone)
{
    sn_arena *arena = run->solver->arena;
    size_t bodies = (size_t)run->solver->body_count, impulses = (size_t)impulse_count(run);
    int *patches = sn_arena_take_zero(arena, bodies, sizeof *patches);
    cone->base = sn_arena_take(arena, bodies, sizeof *cone->base);
    cone->tried = sn_arena_take_zero(arena, impulses + 1, sizeof *cone->tried);
    cone->last = sn_arena_take_zero(arena, impulses + 1, sizeof *cone->last);
    if (!(patches && cone->base && cone->tried && cone->last)) {
        return false;
    }
    split_bodies(run, patches);
    return true;
}

void sn_cone_begin(const sn_run *run, sn_cone *cone)
{
    copy_impulses(run, cone->last);
}

void sn_cone_sweep(sn_run *run)
{
    sn_cone *cone = run->cone;
    memcpy(cone->base, run->solver->velocities, (size_t)run->solver->body_count * sizeof *cone->base);
    copy_impulses(run, cone->tried);
    run->pass.base = cone->base;
    sn_run_sweep_blocks(run, run->kernels->project);
}

double sn_cone_slope(const sn_run *run, const sn_cone *cone)
{
    double sum = 0.0;
    for (int b = 0; b < run->packing.block_count; ++b) {
        const sn_contact_block *block = &run->packing.blocks[b];
        for (int i = 0; i < block->point_count + FRICTIONS; ++i) {
            int k = i < block->point_count
                        ? block->first_point + i
                        : run->packing.point_count + PATCH_IMPULSES * b + i - block->point_count;
            const sn_lanes *now = impulse_at(run, k);
            for (int lane = 0; lane < SN_LANES; ++lane) {
                float step = block->step.lane[lane], x = now->lane[lane];
                float product = (x - cone->tried[k].lane[lane]) * (x - cone->last[k].lane[lane]);
                sum += step > 0.0f ? (double)(product / step) : 0.0;
            }
        }
    }
    return sum;
}

// The kernel of warm starts makes velocities of impulses.
void sn_cone_carry_on(sn_run *run, sn_cone *cone, float part)
{
    copy_impulses(run, cone->tried);
    if (part > 0.0f) {
        for (int k = 0; k < impulse_count(run); ++k) {
            sn_lanes *impulse = impulse_at(run, k);
            sn_store(impulse, sn_f8_set(part) * (sn_load(impulse) - sn_load(&cone->last[k])));
        }
        sn_run_sweep_blocks(run, run->kernels->warm_start);
        for (int k = 0; k < impulse_count(run); ++k) {
            sn_lanes *impulse = impulse_at(run, k);
            sn_store(impulse, sn_load(impulse) + sn_load(&cone->tried[k]));
        }
    }
    memcpy(cone->last, cone->tried, (size_t)impulse_count(run) * sizeof *cone->last);
}
