// How exactly exact anchors are met, whatever the integrator; and what they do to momenta and to velocities.
#include "cases.h"
#include "exact_scene.h"
#include "measure.h"
#include "soft_cases.h"

#include <math.h>
#include <stdio.h>

enum { EXPLICIT_STEPS = 40 };

// --- errors ------------------------------------------------------------------------------------------------

typedef struct exactness {
    double error; ///< largest after any step, over the largest coordinate
    int held;     ///< anchors that were held exactly at the end, of `asked`
    int asked;
    int frozen; ///< nodes that left the numbers
} exactness;

static sn_status measure_exactness(exact_kind kind, sn_integrator integrator, int steps, exactness *result)
{
    exact_scene scene;
    exact_scene_def def = {.kind = kind, .integrator = integrator};
    *result = (exactness){0};
    sn_status status = exact_scene_open(&scene, &def);
    for (int i = 0; i < steps && status == SN_OK; ++i) {
        status = exact_scene_step(&scene);
        result->error = fmax(result->error, exact_scene_error(&scene) / exact_scene_size(&scene));
    }
    if (status == SN_OK) {
        sn_statistics statistics = sn_world_statistics(scene.world);
        result->held = statistics.exact_count;
        result->asked = statistics.anchor_count;
        result->frozen = statistics.frozen_node_count;
    }
    exact_scene_close(&scene);
    return status;
}

static void report_kind(bench_report *report, const char *name, exact_kind kind, int steps)
{
    bench_row row = {.name = name, .bar = "each <= 1e-6", .today = ""};
    double worst = 0.0;
    bool sound = true;
    int written = 0;
    snprintf(row.what, sizeof row.what, "%s: largest error in %d steps over the largest coordinate",
             exact_kind_words(kind), steps);
    for (int i = 0; i < SN_INTEGRATOR_COUNT; ++i) {
        exactness result;
        sn_status status = measure_exactness(kind, (sn_integrator)i, steps, &result);
        if (status != SN_OK) {
            bench_row_fail(&row, NULL, status);
            bench_report_add(report, &row);
            return;
        }
        sound = sound && result.held == result.asked && result.frozen == 0;
        worst = fmax(worst, result.error);
        written += snprintf(row.measured + written, sizeof row.measured - (size_t)written, "%s%s %.0e%s",
                            i > 0 ? ", " : "", exact_integrator_words((sn_integrator)i), result.error,
                            result.frozen > 0            ? " (lost)"
                            : result.held < result.asked ? " (rows)"
                                                         : "");
        bench_row_value(&row, exact_integrator_words((sn_integrator)i), result.error);
    }
    bench_row_judge(&row, sound && worst <= 1e-6);
    bench_report_add(report, &row);
}

void bench_exact_errors(bench_report *report, const char *name, const bench_options *options)
{
    for (int i = 0; i < EXACT_KIND_COUNT; ++i) {
        report_kind(report, name, (exact_kind)i, options->quick ? 1500 : 10000);
    }
}

// --- velocities of nailed points ---------------------------------------------------------------------------

// The fastest nailed node after two steps, nails standing.
static sn_status nailed_speed(sn_integrator integrator, double *speed)
{
    exact_scene scene;
    exact_scene_def def = {.kind = EXACT_NAILS, .integrator = integrator};
    sn_status status = exact_scene_open(&scene, &def);
    for (int i = 0; i < 2 && status == SN_OK; ++i) {
        status = sn_world_step(scene.world, EXACT_SCENE_STEP);
    }
    *speed = 0.0;
    for (int i = 0; i < scene.nail_count && status == SN_OK; ++i) {
        sn_anchor_def nail = sn_anchor_definition(scene.world, scene.nails[i]);
        const sn_node_velocity *velocities = sn_deformable_velocities(scene.world, scene.jellies[0]);
        *speed = fmax(*speed, (double)sn_length(velocities[nail.a.nodes[0]].velocity));
    }
    exact_scene_close(&scene);
    return status;
}

static void report_nailed(bench_report *report, const char *name)
{
    bench_row row = {
        .name = name,
        .what = "speed of points of a thrown jelly two steps after they were nailed, all integrators",
        .bar = "0",
        .today = "the paper's midpoint and RK2: 177 m/s and growing"};
    double worst = 0.0;
    for (int i = 0; i < SN_INTEGRATOR_COUNT; ++i) {
        double speed;
        sn_status status = nailed_speed((sn_integrator)i, &speed);
        if (status != SN_OK) {
            bench_row_fail(&row, NULL, status);
            bench_report_add(report, &row);
            return;
        }
        worst = fmax(worst, speed);
    }
    snprintf(row.measured, sizeof row.measured, "at most %g m/s", worst);
    bench_row_value(&row, "speed_m_s", worst);
    bench_row_judge(&row, worst == 0.0);
    bench_report_add(report, &row);
}

// --- momenta -----------------------------------------------------------------------------------------------

// How much the momentum of a free system changes, over what it is.
static sn_status momentum_change(exact_kind kind, sn_integrator integrator, int steps, double *change)
{
    exact_scene scene;
    exact_scene_def def = {.kind = kind, .integrator = integrator, .free = true};
    sn_status status = exact_scene_open(&scene, &def);
    sn_energy first = status ? (sn_energy){0} : sn_world_energy(scene.world);
    double size = sqrt(first.momentum[0] * first.momentum[0] + first.momentum[1] * first.momentum[1] +
                       first.momentum[2] * first.momentum[2]);
    *change = 0.0;
    for (int i = 0; i < steps && status == SN_OK; ++i) {
        status = sn_world_step(scene.world, EXACT_FREE_SUB_STEPS * EXACT_SCENE_STEP);
        sn_energy now = sn_world_energy(scene.world);
        for (int k = 0; k < 3; ++k) {
            *change = fmax(*change, fabs(now.momentum[k] - first.momentum[k]) / size);
        }
    }
    exact_scene_close(&scene);
    return status;
}

// The explicit Euler scheme, undamped, explodes in the long run.
static int steps_of(sn_integrator integrator, int steps)
{
    return integrator == SN_INTEGRATOR_EXPLICIT_EULER && steps > EXPLICIT_STEPS ? EXPLICIT_STEPS : steps;
}

static void report_momentum(bench_report *report, const char *name, exact_kind kind, int steps)
{
    bench_row row = {.name = name, .bar = "each <= 1e-6", .today = ""};
    double worst = 0.0;
    int written = 0;
    snprintf(row.what, sizeof row.what,
             "%s, flying freely: change of the momentum in %d steps of %d sub-steps (explicit "
             "Euler %d)",
             exact_kind_words(kind), steps, EXACT_FREE_SUB_STEPS,
             steps_of(SN_INTEGRATOR_EXPLICIT_EULER, steps));
    for (int i = 0; i < SN_INTEGRATOR_COUNT; ++i) {
        double change;
        int count = steps_of((sn_integrator)i, steps);
        sn_status status = momentum_change(kind, (sn_integrator)i, count, &change);
        if (status != SN_OK) {
            bench_row_fail(&row, NULL, status);
            bench_report_add(report, &row);
            return;
        }
        worst = fmax(worst, change);
        written += snprintf(row.measured + written, sizeof row.measured - (size_t)written, "%s%s %.0e",
                            i > 0 ? ", " : "", exact_integrator_words((sn_integrator)i), change);
        bench_row_value(&row, exact_integrator_words((sn_integrator)i), change);
    }
    bench_row_judge(&row, worst <= 1e-6);
    bench_report_add(report, &row);
}

void bench_exact_momentum(bench_report *report, const char *name, const bench_options *options)
{
    static const exact_kind kinds[] = {EXACT_PAIRS,     EXACT_MANY,       EXACT_LINES,
                                       EXACT_TRIANGLES, EXACT_TETRAHEDRA, EXACT_SURFACE,
                                       EXACT_RUBBING,   EXACT_ON_BODY,    EXACT_RAMPS};
    report_nailed(report, name);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        report_momentum(report, name, kinds[i], options->quick ? 50 : 500);
    }
}
