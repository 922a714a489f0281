// Time per step on the tower, ours and Bullet's at its defaults: one thread each, CPU time, same bricks,
// density and friction, in one run. The two take turns in slices of a few steps, the whole is repeated from
// the start, and medians are compared. Bullet's tower does not stand; the figure for the time while it still
// does is given beside the one for the whole run.
#include "bullet_tower.h"
#include "cases.h"
#include "measure.h"

#include <stdio.h>

enum { MAX_STEPS = 300, MAX_REPETITIONS = 5, SLICE = 10 };
// The first of Bullet's bricks fall after one and a half seconds.
enum { STANDING_STEPS = 60 };

typedef struct duel {
    int steps, repetitions;
    double ours[MAX_STEPS], bullets[MAX_STEPS]; ///< each step of one repetition [ms]
    double our_median[MAX_REPETITIONS], bullet_median[MAX_REPETITIONS];
    double ratio[MAX_REPETITIONS], standing_ratio[MAX_REPETITIONS];
    int our_fallen, bullet_fallen; ///< at the end of the last repetition
} duel;

static bullet_tower *build_bullet(void)
{
    bullet_brick bricks[TEST_TOWER_BRICKS];
    for (int i = 0; i < TEST_TOWER_BRICKS; ++i) {
        sn_pose pose = test_tower_brick(i);
        sn_vec3 p = pose.position;
        sn_quat q = pose.rotation;
        bricks[i] = (bullet_brick){{p.x, p.y, p.z}, {q.x, q.y, q.z, q.w}};
    }
    sn_vec3 half = test_tower_half_extents();
    sn_shape_def material = sn_shape_def_default();
    const float half_extents[3] = {half.x, half.y, half.z};
    return bullet_tower_create(bricks, TEST_TOWER_BRICKS, half_extents, material.density, material.friction);
}

static int count_fallen_in_bullet(const bullet_tower *tower, float limit)
{
    int fallen = 0;
    for (int i = 0; i < TEST_TOWER_BRICKS; ++i) {
        float p[3];
        bullet_tower_position(tower, i, p);
        fallen += !(sn_distance_between(sn_v(p[0], p[1], p[2]), test_tower_brick(i).position) <= limit);
    }
    return fallen;
}

static void time_bullet(bullet_tower *tower, int steps, double *times)
{
    for (int i = 0; i < steps; ++i) {
        double start = bench_cpu_clock();
        bullet_tower_step(tower, TEST_SCENE_STEP);
        times[i] = bench_cpu_clock() - start;
    }
}

// Medians sort, so the part while both stand goes first.
static void note_medians(duel *duel, int repetition)
{
    double ours = bench_median(duel->ours, STANDING_STEPS);
    double bullets = bench_median(duel->bullets, STANDING_STEPS);
    duel->standing_ratio[repetition] = ours / bullets;
    ours = bench_median(duel->ours, duel->steps);
    bullets = bench_median(duel->bullets, duel->steps);
    duel->our_median[repetition] = ours;
    duel->bullet_median[repetition] = bullets;
    duel->ratio[repetition] = ours / bullets;
}

static sn_status repeat_once(duel *duel, int repetition)
{
    const test_scene *scene = test_scene_find("tower");
    sn_world_def def = bench_settings(1);
    test_scene_run run;
    sn_status status = test_scene_open(scene, &def, &run);
    if (status != SN_OK) {
        return status;
    }
    bullet_tower *bullet = build_bullet();
    for (int done = 0; done + SLICE <= duel->steps && status == SN_OK; done += SLICE) {
        status = bench_time_steps(&run, SLICE, bench_cpu_clock, duel->ours + done);
        time_bullet(bullet, SLICE, duel->bullets + done);
    }
    note_medians(duel, repetition);
    duel->our_fallen = test_scene_drift(&run).fallen;
    duel->bullet_fallen = count_fallen_in_bullet(bullet, scene->fallen_distance);
    bullet_tower_destroy(bullet);
    test_scene_close(&run);
    return status;
}

static void fill_duel_row(bench_row *row, duel *duel)
{
    double ratio = bench_median(duel->ratio, duel->repetitions);
    double standing_ratio = bench_median(duel->standing_ratio, duel->repetitions);
    double ours = bench_median(duel->our_median, duel->repetitions);
    double bullets = bench_median(duel->bullet_median, duel->repetitions);
    snprintf(row->measured, sizeof row->measured,
             "%.2f (%.2f ms / %.2f ms); while Bullet's stands %.2f; fallen at the end: ours %d, Bullet's %d",
             ratio, ours, bullets, standing_ratio, duel->our_fallen, duel->bullet_fallen);
    row->verdict = ratio <= 1.5 ? BENCH_PASS : BENCH_MISS;
    bench_row_value(row, "ratio", ratio);
    bench_row_value(row, "ratio_while_standing", standing_ratio);
    bench_row_value(row, "sinew_ms", ours);
    bench_row_value(row, "bullet_ms", bullets);
    bench_row_value(row, "sinew_fallen", duel->our_fallen);
    bench_row_value(row, "bullet_fallen", duel->bullet_fallen);
    bench_row_value(row, "bullet_version", bullet_version());
    bench_row_value(row, "repetitions", duel->repetitions);
}

void bench_tower_speed(bench_report *report, const char *name, const bench_options *options)
{
    bench_row row = {.name = name, .bar = "<= 1.5", .today = "Box3D about 0.4 at 4 sub-steps, 0.8 at 8"};
    static duel duel;
    duel.steps = options->quick ? 60 : MAX_STEPS;
    duel.repetitions = options->quick ? 1 : MAX_REPETITIONS;
    snprintf(row.what, sizeof row.what,
             "time per step on the tower, ours / Bullet at its defaults, one thread, %d x %d steps",
             duel.repetitions, duel.steps);
    if (bullet_version() == 0) {
        row.verdict = BENCH_ABSENT;
        snprintf(row.measured, sizeof row.measured, "Bullet not installed");
        bench_report_add(report, &row);
        return;
    }
    sn_status status = SN_OK;
    for (int i = 0; i < duel.repetitions && status == SN_OK; ++i) {
        status = repeat_once(&duel, i);
    }
    if (status == SN_OK) {
        fill_duel_row(&row, &duel);
    } else {
        bench_row_fail(&row, NULL, status);
    }
    bench_report_add(report, &row);
}
