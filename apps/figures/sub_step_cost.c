// What a sub-step of a scene costs. Tested by tests/apps/test_figures_slow.c.
#include "apps/figures/sub_step_cost.h"

#include "bench/shared/numbers.h"

#include <math.h>

enum { MAX_STEPS = 120 };

// Wall-clock times of stages count what else the machine did in between; their shares hardly do.
typedef struct shares {
    double step, forces, exact, moving;
} shares;

static void note(shares *shares, const sn_world *world)
{
    sn_profile profile = sn_world_profile(world);
    shares->step += (double)profile.step;
    shares->forces += (double)(profile.models + profile.prepare + profile.solve + profile.relax);
    shares->exact += (double)profile.exact;
    shares->moving += (double)profile.integrate;
}

sn_status sub_step_cost_measure(sn_scene *scene, double begin, double end, sub_step_cost *cost)
{
    double times[MAX_STEPS];
    int count = 0;
    shares sum = {0};
    sn_world *world = sn_scene_world(scene);
    sn_status status = SN_OK;
    *cost = (sub_step_cost){0};
    while (status == SN_OK && count < MAX_STEPS && sn_world_time(world) < end) {
        double start = bench_cpu_clock();
        status = sn_world_step(world, sn_scene_step_length(scene));
        double time = bench_cpu_clock() - start;
        cost->error = fmax(cost->error, (double)sn_world_statistics(world).exact_error);
        if (sn_world_time(world) > begin) {
            times[count++] = time / sn_world_statistics(world).sub_steps;
            note(&sum, world);
        }
    }
    sn_statistics statistics = sn_world_statistics(world);
    cost->step = bench_median(times, count);
    cost->forces = cost->step * sum.forces / sum.step;
    cost->exact = cost->step * sum.exact / sum.step;
    cost->moving = cost->step * sum.moving / sum.step;
    cost->exact_count = statistics.exact_count;
    cost->rows_count = statistics.exact_rows_count;
    return status;
}
