// S5: a hundred balls fall on a cloth that hangs from its corners. A ball is lost when it has got through the
// cloth, and off when it has left over the edge.
#include "cases.h"
#include "measure.h"
#include "soft_cases.h"
#include "soft_measure.h"
#include "soft_scenes.h"

#include <stdio.h>

enum { STEPS = 300 };

typedef enum ball_fate { BALL_ON, BALL_LOST, BALL_OFF } ball_fate;

typedef struct trampoline_result {
    int lost, off;
    double longest; ///< stretch at any time
    double end;     ///< and at the end
    soft_cost cost;
} trampoline_result;

typedef struct line_crossings {
    int above, below;
} line_crossings;

// Twice the signed area of a triangle seen from above.
static double area_above(sn_vec3 a, sn_vec3 b, sn_vec3 c)
{
    return ((double)b.x - (double)a.x) * ((double)c.z - (double)a.z) -
           ((double)c.x - (double)a.x) * ((double)b.z - (double)a.z);
}

// How often the vertical through a point meets the cloth above and below it.
static line_crossings cross_vertical(const soft_cloud *cloth, sn_vec3 p)
{
    const uint32_t *triangles = sn_mesh_triangles(cloth->mesh);
    line_crossings crossings = {0};
    for (int i = 0; i < sn_mesh_triangle_count(cloth->mesh); ++i) {
        sn_vec3 a = cloth->positions[triangles[3 * i]], b = cloth->positions[triangles[3 * i + 1]];
        sn_vec3 c = cloth->positions[triangles[3 * i + 2]];
        double u = area_above(b, c, p), v = area_above(c, a, p), w = area_above(a, b, p);
        if ((u > 0.0 && v > 0.0 && w > 0.0) || (u < 0.0 && v < 0.0 && w < 0.0)) {
            double y = (u * (double)a.y + v * (double)b.y + w * (double)c.y) / (u + v + w);
            *(y > (double)p.y ? &crossings.above : &crossings.below) += 1;
        }
    }
    return crossings;
}

// The cloth spans its frame once, so a vertical inside the frame meets it an odd number of times, folds or
// not, and a ball below it has an odd number of these above itself. Outside there is nothing below to catch
// it.
static ball_fate fate_of(const soft_cloud *cloth, sn_vec3 p)
{
    line_crossings crossings = cross_vertical(cloth, p);
    if ((crossings.above + crossings.below) % 2 == 1) {
        return crossings.above % 2 == 1 ? BALL_LOST : BALL_ON;
    }
    return crossings.above + crossings.below == 0 && p.y < -0.5f ? BALL_OFF : BALL_ON;
}

static sn_status run_trampoline(soft_run *run, int steps, trampoline_result *result)
{
    ball_fate fates[SOFT_MAX_SOLIDS] = {BALL_ON};
    *result = (trampoline_result){0};
    for (int i = 0; i < steps; ++i) {
        sn_status status = soft_run_step(run);
        if (status != SN_OK) {
            return status;
        }
        for (int k = 0; k < run->scene->solid_count; ++k) {
            fates[k] = fates[k] == BALL_ON ? fate_of(&run->clouds[0], run->solids[k].position) : fates[k];
        }
        result->end = soft_thread_stretch_of(&run->clouds[0]).longest;
        result->longest = result->end > result->longest ? result->end : result->longest;
    }
    for (int k = 0; k < run->scene->solid_count; ++k) {
        result->lost += fates[k] == BALL_LOST;
        result->off += fates[k] == BALL_OFF;
    }
    return SN_OK;
}

// --- rows --------------------------------------------------------------------------------------------------

typedef struct trampoline_variant {
    const char *words;
    float radius, mass, speed;
    bool has_bar;
    const char *today;
} trampoline_variant;

static const trampoline_variant variants[] = {
    {"0.1 kg", 0.15f, 0.1f, 0.0f, true, "lost: Jolt 0, Bullet 0, PBD 3; ms20 13, 6.6, 31"},
    {"1 kg", 0.15f, 1.0f, 0.0f, true, "lost: Jolt 0 (6 off), Bullet 100, PBD 100"},
    {"0.1 kg, r = 3 cm (a cell has 8)", 0.03f, 0.1f, 0.0f, false, "lost: all of them, in all three"},
    {"0.1 kg at 20 m/s", 0.15f, 0.1f, 20.0f, false, "lost: Jolt 0 (76 off), Bullet 84, PBD 100"}};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static void report_variant(bench_report *report, const char *name, const trampoline_variant *variant,
                           const trampoline_result *r, const trampoline_result *bullet)
{
    bench_row row = {
        .name = name, .bar = variant->has_bar ? "0 lost, <= 8 ms per 20 ms" : "", .today = variant->today};
    snprintf(row.what, sizeof row.what, "100 balls on a cloth (S5), %s", variant->words);
    int written =
        snprintf(row.measured, sizeof row.measured,
                 "%d lost, %d off; stretch %.0f %% at impact, %.1f %% at the end; %.2f ms where Bullet takes "
                 "%.1f for S1a; here %.2f (worst %.1f)",
                 r->lost, r->off, 100.0 * r->longest, 100.0 * r->end, soft_bar_ms(r->cost.mean),
                 SOFT_BAR_BULLET_MS, r->cost.mean, r->cost.worst);
    bench_row_value(&row, "lost", r->lost);
    bench_row_value(&row, "off", r->off);
    bench_row_value(&row, "stretch_worst", r->longest);
    bench_row_value(&row, "stretch_end", r->end);
    bench_row_value(&row, "ms20", r->cost.mean);
    bench_row_value(&row, "bar_ms20", soft_bar_ms(r->cost.mean));
    bench_row_value(&row, "worst_ms", r->cost.worst);
    if (bullet->cost.mean > 0.0) {
        snprintf(row.measured + written, sizeof row.measured - (size_t)written,
                 "; Bullet in the same run: %d lost, %d off, %.2f ms", bullet->lost, bullet->off,
                 bullet->cost.mean);
        bench_row_value(&row, "bullet_lost", bullet->lost);
        bench_row_value(&row, "bullet_off", bullet->off);
        bench_row_value(&row, "bullet_ms20", bullet->cost.mean);
    }
    bench_row_judge(&row, r->lost == 0 && soft_bar_ms(r->cost.mean) <= 8.0);
    row.verdict = variant->has_bar ? row.verdict : BENCH_INFO;
    bench_report_add(report, &row);
}

static void run_variant(bench_report *report, const char *name, const trampoline_variant *variant, int steps,
                        int runs)
{
    static soft_scene scene;
    static soft_run run;
    sn_world_def settings = bench_settings(1);
    trampoline_result ours = {0}, bullet = {0};
    sn_status status = soft_scene_trampoline(&scene, variant->radius, variant->mass, variant->speed);
    if (status == SN_OK) {
        status = soft_run_open(&run, &scene, &settings);
    }
    if (status == SN_OK) {
        status = run_trampoline(&run, steps, &ours);
        soft_run_show(&run, name);
    }
    if (status != SN_OK) {
        soft_report_failure(report, name, variant->words, &run, status);
    } else {
        soft_run_close(&run);
        if (soft_run_open_bullet(&run, &scene, SOFT_BULLET_SLICES, SOFT_BULLET_ITERATIONS)) {
            run_trampoline(&run, steps, &bullet);
        }
        ours.cost = soft_cost_of(&scene, steps, variant->has_bar ? runs : 1);
        bullet.cost = soft_cost_in_bullet(&scene, steps, 1);
        report_variant(report, name, variant, &ours, &bullet);
    }
    soft_run_close(&run);
    soft_scene_release(&scene);
}

void bench_trampoline(bench_report *report, const char *name, const bench_options *options)
{
    for (int i = 0; i < VARIANTS; ++i) {
        run_variant(report, name, &variants[i], options->quick ? 60 : STEPS,
                    options->quick ? 1 : SOFT_COST_RUNS);
    }
}
