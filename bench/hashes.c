// Is the state after many steps the same bits for 1, 2 and 4 threads? Within this build only;
// tools/check_determinism.sh compares compilers and optimisation levels as well.
#include "cases.h"
#include "measure.h"

#include <stdio.h>

static sn_status hash_of(const test_scene *scene, int threads, int steps, uint64_t *hash)
{
    sn_world_def def = sn_world_def_default();
    def.threads = threads;
    test_scene_run run;
    sn_status status = test_scene_open(scene, &def, &run);
    if (status == SN_OK) {
        status = test_scene_step(&run, steps);
    }
    *hash = status == SN_OK ? sn_world_hash(run.world) : 0;
    test_scene_close(&run);
    return status;
}

static sn_status compare_threads(const test_scene *scene, int steps, bool *equal)
{
    static const int thread_counts[] = {1, 2, 4};
    uint64_t hashes[3];
    for (int i = 0; i < 3; ++i) {
        sn_status status = hash_of(scene, thread_counts[i], steps, &hashes[i]);
        if (status != SN_OK) {
            return status;
        }
    }
    *equal = hashes[0] == hashes[1] && hashes[0] == hashes[2];
    return SN_OK;
}

void bench_hashes(bench_report *report, const char *name, const bench_options *options)
{
    bench_row row = {.name = name, .bar = "equal", .today = "Box3D 4 scenes"};
    int steps = options->quick ? 100 : 1000;
    int equal_count = 0;
    snprintf(row.what, sizeof row.what,
             "same state hash for 1, 2, 4 threads (this build, sleep on), %d scenes, %d steps",
             test_scene_count, steps);
    sn_status status = SN_OK;
    const char *different = "";
    for (int i = 0; i < test_scene_count && status == SN_OK; ++i) {
        bool equal = false;
        status = compare_threads(&test_scenes[i], steps, &equal);
        equal_count += equal;
        different = equal ? different : test_scenes[i].name;
    }
    if (status != SN_OK) {
        bench_row_fail(&row, NULL, status);
    } else if (equal_count == test_scene_count) {
        snprintf(row.measured, sizeof row.measured, "equal in all %d scenes", equal_count);
        row.verdict = BENCH_PASS;
    } else {
        snprintf(row.measured, sizeof row.measured, "equal in %d of %d scenes, differs in %s", equal_count,
                 test_scene_count, different);
        row.verdict = BENCH_MISS;
    }
    bench_row_value(&row, "scenes", test_scene_count);
    bench_row_value(&row, "equal", equal_count);
    bench_row_value(&row, "steps", steps);
    bench_report_add(report, &row);
}
