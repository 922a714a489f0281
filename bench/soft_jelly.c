// S2: a bar of chocolate falls on four jellies in a dish, of each paradigm alone and of one each. Volume,
// penetration, cost; then with the bar thrown sideways: momentum in flight, and how it is shared. At last the
// same in Bullet.
#include "cases.h"
#include "measure.h"
#include "soft_cases.h"
#include "soft_measure.h"
#include "soft_scenes.h"

#include <math.h>
#include <stdio.h>

// Flight lasts about 12 steps; what is shared is seen when jellies no longer swing.
enum { STEPS = 300, FLIGHT_STEPS = 10, SHARED_STEPS = 500, SECOND = 50 };

typedef struct jelly_result {
    double volume;              ///< of the jelly that lost or gained most, at rest, relative
    double worst_volume;        ///< the same at any time
    double depth;               ///< deepest of nodes in bar or dish, at any time [m]
    double sink;                ///< how far the bar is below where it first touched [m]
    double start_momentum;      ///< along x
    double flight_error, drift; ///< of momentum, relative: in flight, and later on
    double speed, bar_speed;    ///< of all together, and of the bar, in the last second [m/s]
} jelly_result;

static double largest_volume_change(const soft_run *run)
{
    double largest = 0.0;
    for (int i = 0; i < run->scene->body_count; ++i) {
        double change = soft_volume(&run->clouds[i]) / soft_rest_volume(&run->clouds[i]) - 1.0;
        largest = fabs(change) > fabs(largest) ? change : largest;
    }
    return largest;
}

static double deepest_in_boxes(const soft_run *run)
{
    double deepest = -INFINITY;
    for (int i = 0; i < run->scene->body_count; ++i) {
        for (int k = 0; k < run->scene->solid_count; ++k) {
            deepest = fmax(deepest,
                           soft_depth_in_box(&run->clouds[i], &run->solids[k], run->scene->solids[k].size));
        }
    }
    return deepest;
}

static void note_step(jelly_result *result, const soft_run *run, int step, int steps)
{
    double volume = largest_volume_change(run);
    result->volume = volume;
    result->worst_volume = fabs(volume) > fabs(result->worst_volume) ? volume : result->worst_volume;
    result->depth = fmax(result->depth, deepest_in_boxes(run));
    if (result->start_momentum > 0.0) {
        double error = fabs(soft_momentum_x(run) / result->start_momentum - 1.0);
        double *worst = step < FLIGHT_STEPS ? &result->flight_error : &result->drift;
        *worst = fmax(*worst, error);
    }
    if (step >= steps - SECOND) {
        result->bar_speed += (double)run->solids[1].velocity.x / SECOND;
    }
}

// The bar first touches where it would lie on undeformed jellies.
static double bar_sink(const soft_run *run)
{
    const soft_scene *scene = run->scene;
    return (double)(scene->solids[1].position.y - run->solids[1].position.y) - (double)scene->drop;
}

static sn_status run_jellies(soft_run *run, int steps, jelly_result *result)
{
    *result = (jelly_result){.start_momentum = soft_momentum_x(run)};
    double mass = 0.0;
    for (int i = 0; i < steps; ++i) {
        sn_status status = soft_run_step(run);
        if (status != SN_OK) {
            return status;
        }
        note_step(result, run, i, steps);
    }
    for (int i = 0; i < run->scene->body_count; ++i) {
        mass += (double)run->scene->bodies[i].def.mass;
    }
    for (int i = 0; i < run->scene->solid_count; ++i) {
        mass += (double)run->scene->solids[i].mass;
    }
    result->speed = result->start_momentum / mass;
    result->sink = bar_sink(run);
    return SN_OK;
}

// --- rows --------------------------------------------------------------------------------------------------

static void note_values(bench_row *row, const jelly_result *r)
{
    bench_row_value(row, "volume", r->volume);
    bench_row_value(row, "worst_volume", r->worst_volume);
    bench_row_value(row, "depth_m", r->depth);
    bench_row_value(row, "sink_m", r->sink);
}

// Only elements promise a volume.
static void report_shape(bench_report *report, const char *name, soft_paradigm paradigm,
                         const jelly_result *r)
{
    bool elements = paradigm == SOFT_ELEMENTS;
    bench_row row = {.name = name,
                     .bar = elements ? "volume within 1 %, penetration <= 5 mm" : "penetration <= 5 mm",
                     .today = "hand-tuned: Jolt -0.08 %, 0; Bullet -0.4 %, 2 cm; PBD 0, 1.5 cm"};
    snprintf(row.what, sizeof row.what, "four jellies under a bar (S2), %s", soft_paradigm_name(paradigm));
    snprintf(row.measured, sizeof row.measured,
             "volume %+.2f %% (at impact %+.2f %%), penetration %.1f mm, bar sinks %.1f cm",
             100.0 * r->volume, 100.0 * r->worst_volume, 1.0e3 * fmax(r->depth, 0.0), 100.0 * r->sink);
    note_values(&row, r);
    bench_row_judge(&row, r->depth <= 0.005 && (!elements || fabs(r->volume) <= 0.01));
    bench_report_add(report, &row);
}

static void report_cost(bench_report *report, const char *name, soft_paradigm paradigm, soft_cost ours,
                        soft_cost bullet, int runs)
{
    bool has_bar = paradigm == SOFT_MIXED || paradigm == SOFT_ELEMENTS;
    bench_row row = {.name = name,
                     .bar = paradigm == SOFT_MIXED ? "<= 5"
                            : has_bar              ? "<= 10"
                                                   : "",
                     .today = "hand-tuned: Bullet 4.5, Jolt 6.2, PBD 20, MuJoCo 384"};
    snprintf(row.what, sizeof row.what, "four jellies (S2), %s: CPU ms per 20 ms, best of %d",
             soft_paradigm_name(paradigm), runs);
    bench_row_cost(&row, ours, bullet, !has_bar ? 0.0 : paradigm == SOFT_MIXED ? 5.0 : 10.0);
    bench_report_add(report, &row);
}

static void report_shared(bench_report *report, const char *name, soft_paradigm paradigm,
                          const jelly_result *r)
{
    double error = r->bar_speed / r->speed - 1.0;
    bench_row row = {.name = name,
                     .bar = "kept to 1e-4 in flight, shared to 3 %",
                     .today = "kept in the end: Jolt 70 %, Bullet 100 %"};
    snprintf(row.what, sizeof row.what, "four jellies, bar thrown sideways, %s: momentum",
             soft_paradigm_name(paradigm));
    snprintf(row.measured, sizeof row.measured,
             "in flight %.0e, later %.0e; bar ends at %.4f m/s, all together %.4f (%+.1f %%)",
             r->flight_error, r->drift, r->bar_speed, r->speed, 100.0 * error);
    bench_row_value(&row, "flight_error", r->flight_error);
    bench_row_value(&row, "drift", r->drift);
    bench_row_value(&row, "bar_speed", r->bar_speed);
    bench_row_value(&row, "common_speed", r->speed);
    bench_row_judge(&row, r->flight_error <= 1e-4 && fabs(error) <= 0.03);
    bench_report_add(report, &row);
}

static void report_bullet(bench_report *report, const char *name, const jelly_result *r)
{
    bench_row row = {.name = name, .bar = "", .today = "", .verdict = BENCH_INFO};
    snprintf(row.what, sizeof row.what, "four jellies (S2): Bullet, same run, " SOFT_BULLET_WORDS);
    snprintf(row.measured, sizeof row.measured,
             "volume %+.2f %% (at impact %+.2f %%), penetration %.1f mm, bar sinks %.1f cm",
             100.0 * r->volume, 100.0 * r->worst_volume, 1.0e3 * fmax(r->depth, 0.0), 100.0 * r->sink);
    note_values(&row, r);
    bench_report_add(report, &row);
}

// --- runs --------------------------------------------------------------------------------------------------

static bool run_ours(bench_report *report, const char *name, soft_paradigm paradigm, float speed, int steps,
                     jelly_result *result)
{
    static soft_scene scene;
    static soft_run run;
    sn_world_def settings = bench_settings(1);
    char words[BENCH_TEXT];
    sn_status status = soft_scene_jellies(&scene, paradigm, speed);
    if (status == SN_OK) {
        status = soft_run_open(&run, &scene, &settings);
    }
    if (status == SN_OK) {
        status = run_jellies(&run, steps, result);
    }
    snprintf(words, sizeof words, "%s_%d", name, (int)paradigm);
    soft_run_show(&run, words);
    if (status != SN_OK) {
        snprintf(words, sizeof words, "four jellies (S2), %s", soft_paradigm_name(paradigm));
        soft_report_failure(report, name, words, &run, status);
    }
    soft_run_close(&run);
    soft_scene_release(&scene);
    return status == SN_OK;
}

static bool run_bullet(int steps, jelly_result *result)
{
    static soft_scene scene;
    static soft_run run;
    *result = (jelly_result){0};
    bool done = soft_scene_jellies(&scene, SOFT_SPRINGS, 0.0f) == SN_OK &&
                soft_run_open_bullet(&run, &scene, SOFT_BULLET_SLICES, SOFT_BULLET_ITERATIONS) &&
                run_jellies(&run, steps, result) == SN_OK;
    soft_run_close(&run);
    soft_scene_release(&scene);
    return done;
}

static soft_cost find_cost(soft_paradigm paradigm, bool in_bullet, int steps, int runs)
{
    static soft_scene scene;
    soft_cost cost = {0};
    if (soft_scene_jellies(&scene, paradigm, 0.0f) == SN_OK) {
        cost = in_bullet ? soft_cost_in_bullet(&scene, steps, runs) : soft_cost_of(&scene, steps, runs);
    }
    soft_scene_release(&scene);
    return cost;
}

void bench_jellies(bench_report *report, const char *name, const bench_options *options)
{
    int steps = options->quick ? 100 : STEPS, runs = options->quick ? 1 : SOFT_COST_RUNS;
    jelly_result ours = {0}, bullet = {0};
    bool has_bullet = run_bullet(steps, &bullet);
    soft_cost bullet_cost = find_cost(SOFT_SPRINGS, true, steps, runs);
    for (int i = 0; i <= SOFT_MIXED; ++i) {
        if (run_ours(report, name, (soft_paradigm)i, 0.0f, steps, &ours)) {
            soft_cost cost = find_cost((soft_paradigm)i, false, steps, runs);
            report_shape(report, name, (soft_paradigm)i, &ours);
            report_cost(report, name, (soft_paradigm)i, cost, bullet_cost, runs);
        }
    }
    if (has_bullet) {
        report_bullet(report, name, &bullet);
    }
}

void bench_jellies_thrown(bench_report *report, const char *name, const bench_options *options)
{
    int steps = options->quick ? 150 : SHARED_STEPS;
    for (int i = 0; i <= SOFT_MIXED; ++i) {
        jelly_result ours = {0};
        if (run_ours(report, name, (soft_paradigm)i, 1.0f, steps, &ours)) {
            report_shared(report, name, (soft_paradigm)i, &ours);
        }
    }
}

// --- the paper's settings ----------------------------------------------------------------------------------

// Ten seconds; what moves after two of them shakes.
enum { PAPER_STEPS = 500, PAPER_SETTLED = 100 };

typedef struct paper_variant {
    const char *words;
    sn_status (*build)(soft_scene *scene);
    bool dummy_nodes;
} paper_variant;

typedef struct paper_result {
    jelly_result jellies;
    double depth;   ///< deepest of nodes in bar or dish in the last second [m]
    double fastest; ///< largest of the jellies' root mean square speeds once they have settled [m/s]
} paper_result;

static sn_status build_mixed(soft_scene *scene)
{
    return soft_scene_jellies(scene, SOFT_MIXED, 0.0f);
}

static sn_world_def paper_settings(bool dummy_nodes)
{
    sn_world_def settings = bench_settings(1);
    settings.solver = SN_SOLVER_STAGGERED;
    settings.staggered.warm_start = 1.0f; // as in the paper
    settings.staggered.dummy_nodes = dummy_nodes;
    return settings;
}

static double fastest_of(const soft_run *run)
{
    double fastest = 0.0;
    for (int i = 0; i < run->scene->body_count; ++i) {
        fastest = fmax(fastest, soft_rms_speed(&run->clouds[i]));
    }
    return fastest;
}

static sn_status run_paper(soft_run *run, int steps, paper_result *result)
{
    *result = (paper_result){.depth = -INFINITY};
    for (int i = 0; i < steps; ++i) {
        sn_status status = soft_run_step(run);
        if (status != SN_OK) {
            return status;
        }
        note_step(&result->jellies, run, i, steps);
        result->fastest = i >= PAPER_SETTLED ? fmax(result->fastest, fastest_of(run)) : 0.0;
        result->depth = i >= steps - SECOND ? fmax(result->depth, deepest_in_boxes(run)) : result->depth;
    }
    result->jellies.sink = bar_sink(run);
    return SN_OK;
}

// What it takes to be called stable: four jellies that have their volume, even when they were hit, lie still
// under the bar, neither in each other's way nor in that of bar and dish.
static bool is_stable(const paper_result *r)
{
    return fabs(r->jellies.volume) <= 0.1 && fabs(r->jellies.worst_volume) <= 0.2 && r->depth <= 0.005 &&
           r->fastest <= 0.05 && fabs(r->jellies.sink) <= 0.1;
}

static void report_paper(bench_report *report, const char *name, const paper_variant *variant,
                         const paper_result *r, soft_cost cost, const sn_world *world)
{
    bench_row row = {.name = name,
                     .bar = variant->dummy_nodes ? "" : "stable; <= 1.5 ms mean, <= 4 ms worst",
                     .verdict = BENCH_INFO,
                     .today = "paper: 6 ms mean, 14 ms worst at 7,595 rows (3.4 GHz i7, 2015)"};
    sn_statistics statistics = sn_world_statistics(world);
    snprintf(row.what, sizeof row.what, "staggered, 20 ms, 2 + 2 sweeps: %s", variant->words);
    snprintf(
        row.measured, sizeof row.measured,
        "%s for 10 s: volume %+.1f %% (at impact %+.1f %%), penetration %.1f mm (%.0f mm), %.0f mm/s after "
        "2 s, bar sinks %.1f cm; %.2f ms mean, %.2f ms worst; %d elements, %d contacts",
        is_stable(r) ? "stable" : "not stable", 100.0 * r->jellies.volume, 100.0 * r->jellies.worst_volume,
        1.0e3 * fmax(r->depth, 0.0), 1.0e3 * fmax(r->jellies.depth, 0.0), 1.0e3 * r->fastest,
        100.0 * r->jellies.sink, cost.mean, cost.worst, statistics.element_count,
        statistics.soft_contact_count);
    note_values(&row, &r->jellies);
    bench_row_value(&row, "rest_depth_m", r->depth);
    bench_row_value(&row, "fastest", r->fastest);
    bench_row_value(&row, "ms20", cost.mean);
    bench_row_value(&row, "worst_ms", cost.worst);
    // Dummies that hold up one N-th of what lies on N contacts can hold nothing: to be seen, not judged.
    if (!variant->dummy_nodes) {
        bench_row_judge(&row,
                        is_stable(r) && soft_bar_ms(cost.mean) <= 1.5 && soft_bar_ms(cost.worst) <= 4.0);
    }
    bench_report_add(report, &row);
}

static void bench_variant(bench_report *report, const char *name, const paper_variant *variant,
                          const bench_options *options)
{
    static soft_scene scene;
    static soft_run run;
    int runs = options->quick ? 1 : SOFT_COST_RUNS;
    sn_world_def settings = paper_settings(variant->dummy_nodes);
    paper_result result = {0};
    sn_status status = variant->build(&scene);
    soft_cost cost = {0};
    if (status == SN_OK) {
        cost = soft_cost_with(&scene, &settings, STEPS, runs);
        status = soft_run_open(&run, &scene, &settings);
    }
    if (status == SN_OK) {
        status = run_paper(&run, PAPER_STEPS, &result);
    }
    soft_run_show(&run, name);
    if (status == SN_OK) {
        report_paper(report, name, variant, &result, cost, run.world);
    } else {
        soft_report_failure(report, name, variant->words, &run, status);
    }
    soft_run_close(&run);
    soft_scene_release(&scene);
}

void bench_jellies_paper(bench_report *report, const char *name, const bench_options *options)
{
    static const paper_variant variants[] = {
        {"S2, one jelly of each paradigm", build_mixed, false},
        {"the paper's light bar, one of each", soft_scene_paper_jellies, false},
        {"the same, contacts by dummy nodes as in the paper", soft_scene_paper_jellies, true}};
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; ++i) {
        bench_variant(report, name, &variants[i], options);
    }
}
