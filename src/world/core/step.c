// The life of a step, top to bottom.
// Tested by tests/world/core/test_events.c.
#include "base/clock.h"
#include "geometry/shapes/check.h"
#include "world/constraints/body_bounds.h"
#include "world/constraints/unions.h"
#include "world/energy/energy_accounts.h"
#include "world/exact/exact_plan.h"
#include "world/graph/support.h"

#include <string.h>

// Drops the events that the last step published; later ones wait to be published with this one.
static void begin_events(sn_world *world)
{
#define DROP_PUBLISHED(T, name, count_name)                                                                  \
    world->events.name.list.count -= world->events.name.published;                                           \
    if (world->events.name.list.count > 0) {                                                                 \
        memmove(world->events.name.list.data, world->events.name.list.data + world->events.name.published,   \
                (size_t)world->events.name.list.count * sizeof(T));                                          \
    }                                                                                                        \
    world->events.name.published = 0;
    SN_EVENT_LISTS(DROP_PUBLISHED)
}

static void publish_events(sn_world *world)
{
#define PUBLISH(T, name, count_name) world->events.name.published = world->events.name.list.count;
    SN_EVENT_LISTS(PUBLISH)
}

// Milliseconds since *mark, which moves to now.
static float lap(double *mark)
{
    double now = sn_clock();
    float milliseconds = (float)(1000.0 * (now - *mark));
    *mark = now;
    return milliseconds;
}

// Faces that escaped are counted once, however often a step is tried.
static void begin_escapes(const sn_world *world, bool is_undone)
{
    for (int i = 0; i < world->deformables.count; ++i) {
        sn_soft_surface *surface = &world->deformables.data[i].surface;
        sn_verlet_list *lists[2] = {&surface->verlet_list, &surface->between};
        for (int k = 0; k < 2; ++k) {
            lists[k]->escape_total -= is_undone ? lists[k]->counted : 0;
            lists[k]->counted = 0;
        }
    }
}

static bool run_stages(sn_world *world, float duration)
{
    sn_profile *profile = &world->profile;
    double start = sn_clock(), mark = start;
    world->soft.is_replaced = false;
    begin_escapes(world, false);
    sn_world_switch_constraints(world);
    sn_stage_nodes(world);
    sn_stage_recover(world, duration);
    bool ok = sn_stage_bounds(world) && sn_stage_unions(world) && sn_stage_body_bounds(world) &&
              sn_world_plan_exact(world) && sn_stage_pairs(world, duration);
    profile->pairs = lap(&mark);
    ok = ok && sn_stage_narrow(world, duration);
    ok = ok && sn_stage_soft(world, duration);
    profile->narrow = lap(&mark);
    profile->collide = profile->pairs + profile->narrow;
    ok = ok && sn_stage_islands(world, duration) && sn_stage_release(world, duration);
    profile->islands = lap(&mark);
    ok = ok && sn_stage_solve(world, duration);
    if (!ok) {
        sn_soft_undo(&world->soft);
        begin_escapes(world, true);
        sn_world_undo_recovery(world);
        return false; // nothing has moved
    }
    (void)lap(&mark);
    sn_stage_sweep(world, duration);
    profile->sweep = lap(&mark);
    sn_world_finish_exact(world);
    profile->exact += lap(&mark);
    sn_stage_guard(world, duration);
    profile->guard = lap(&mark);
    sn_energy_balances_close(world, world->energy_islands);
    sn_world_share_bounds(world, duration);
    sn_world_share_unions(world, duration);
    sn_world_share_body_bounds(world);
    sn_stage_support(world, duration);
    sn_stage_finish(world, duration);
    sn_stage_sleep(world, duration);
    profile->finish = lap(&mark);
    profile->step = (float)(1000.0 * (mark - start));
    return true;
}

sn_status sn_world_step(sn_world *world, float duration)
{
    sn_status status = sn_world_check_open(world, "sn_world_step");
    status =
        status ? status : sn_check_range(duration, 1.0e-6f, 1.0f, world->error, "sn_world_step", "duration");
    if (status != SN_OK) {
        return status;
    }
    uint64_t allocations = sn_allocation_count();
    sn_arena_reset(&world->arena);
    begin_events(world);
    world->last = (sn_statistics){0};
    world->locked = true; // functions of custom kinds and the user's tasks run inside
    bool ok = run_stages(world, duration);
    world->locked = false;
    publish_events(world);
    world->start_poses = NULL;
    world->sweep_times = NULL;
    world->swept_chains = NULL;
    world->united = NULL;
    world->node_starts = world->node_start_velocities = NULL;
    world->energy_islands = NULL;
    world->saved_shapes = NULL;
    world->step_allocations += sn_allocation_count() - allocations;
    if (!ok) {
        return sn_fail(world->error, SN_ERROR_MEMORY, "sn_world_step: out of memory; nothing has moved");
    }
    world->last_duration = duration;
    world->time += (double)duration;
    ++world->step_count;
    return SN_OK;
}
