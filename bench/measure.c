// How cases fail, and times of many steps.
#include "measure.h"

#include <stdio.h>

sn_world_def bench_position_settings(int sub_steps, int iterations)
{
    sn_world_def def = bench_settings(1);
    def.solver = SN_SOLVER_POSITION;
    def.sub_steps = sub_steps;
    def.position.iterations = iterations;
    return def;
}

void bench_row_fail(bench_row *row, const sn_world *world, sn_status status)
{
    row->verdict = BENCH_FAILED;
    snprintf(row->measured, sizeof row->measured, "%s: %.100s", sn_status_text(status),
             world != NULL ? sn_world_error(world) : sn_last_error());
}

sn_status bench_time_steps(test_scene_run *run, int steps, double (*clock)(void), double *times)
{
    for (int i = 0; i < steps; ++i) {
        double start = clock();
        sn_status status = test_scene_step(run, 1);
        times[i] = clock() - start;
        if (status != SN_OK) {
            return status;
        }
    }
    return SN_OK;
}
