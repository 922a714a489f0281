// Loads that travel through bodies held together by joints and contacts, at default settings: figures of
// accuracy with a bar, run as the stability cases are.
#include "cases.h"

#include "apps/figures/shape_measures.h"
#include "sinew_scene/scene.h"
#include "soft_cases.h"
#include "support/free_systems.h"
#include "support/heavy_chain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- scenes ------------------------------------------------------------------------------------------------

// Null if it cannot be loaded, which is told. Nothing sleeps.
static sn_scene *open_scene(bench_report *report, bench_row *row, const char *file)
{
    static const char *const settings[] = {"world.sleep=false"};
    const sn_scene_options options = {.settings = settings, .setting_count = 1};
    char path[BENCH_TEXT];
    sn_scene *scene = NULL;
    snprintf(path, sizeof path, "%s/scenes/%s", SOURCE_FOLDER, file);
    if (sn_scene_load(path, &options, &scene) != SN_OK) {
        row->verdict = BENCH_FAILED;
        snprintf(row->measured, sizeof row->measured, "%.200s", sn_scene_error());
        bench_report_add(report, row);
    }
    return scene;
}

static bool step(sn_scene *scene)
{
    return sn_scene_step(scene, 1.0f / 60.0f) == SN_OK;
}

enum { MOST_BODIES = 1024 };

static sn_rigid find_body(const sn_world *world, const char *name)
{
    static sn_rigid ids[MOST_BODIES];
    int count = sn_world_rigids(world, ids, MOST_BODIES);
    for (int i = 0; i < count && i < MOST_BODIES; ++i) {
        if (strcmp(sn_rigid_name(world, ids[i]), name) == 0) {
            return ids[i];
        }
    }
    return (sn_rigid){0};
}

// --- rope bridge -------------------------------------------------------------------------------------------

enum { LINKS = 141, CRATES = 5 };

// The deck between its banks, all that a plank bears, and where crates lie on it.
static const double span = 2.0 * 13.689341, link_length = 0.2, bay_mass = 3.0;

typedef struct crates {
    int count;
    double mass, x[CRATES];
} crates;

// The end of a chain that leaves the left bank with these forces on it, and how high its middle is.
static void hang(const crates *crates, double across, double up, double end[2], double *middle)
{
    double x = -0.5 * span, y = 0.0;
    for (int i = 0; i < LINKS; ++i) {
        double size = hypot(across, up), before = y;
        x += link_length * across / size;
        y -= link_length * up / size;
        if (i == LINKS / 2) {
            *middle = 0.5 * (before + y);
        }
        up -= bay_mass;
        for (int k = 0; k < crates->count; ++k) {
            // A crate bears on the joints within a link's length of it.
            up -= crates->mass * fmax(0.0, 1.0 - fabs(x - crates->x[k]) / link_length);
        }
    }
    end[0] = x;
    end[1] = y;
}

// How high the middle of the deck is where nothing stretches: forces are those that let the chain end at the
// right bank, by Newton's method.
static double ideal_middle(const crates *crates)
{
    double across = 2.0 * bay_mass * LINKS, up = 0.5 * (bay_mass * LINKS + crates->mass * crates->count);
    double middle = 0.0;
    for (int i = 0; i < 100; ++i) {
        const double nudge = 1.0e-4 * across;
        double end[2], beside[2], above[2], unused;
        hang(crates, across, up, end, &middle);
        hang(crates, across + nudge, up, beside, &unused);
        hang(crates, across, up + nudge, above, &unused);
        double a = (beside[0] - end[0]) / nudge, b = (above[0] - end[0]) / nudge;
        double c = (beside[1] - end[1]) / nudge, d = (above[1] - end[1]) / nudge;
        double x = 0.5 * span - end[0], y = -end[1], determinant = a * d - b * c;
        across += 0.5 * (d * x - b * y) / determinant;
        up += 0.5 * (a * y - c * x) / determinant;
    }
    return middle;
}

static void find_crates(const sn_world *world, crates *crates)
{
    for (int i = 0; i < crates->count; ++i) {
        char crate[32];
        snprintf(crate, sizeof crate, "crate[%d]", i);
        sn_rigid body = find_body(world, crate);
        crates->mass = (double)sn_rigid_mass(world, body).mass;
        crates->x[i] = (double)sn_rigid_position(world, body).x;
    }
}

static bool remove_crates(sn_world *world)
{
    bool fine = true;
    for (int i = 0; i < CRATES; ++i) {
        char crate[32];
        snprintf(crate, sizeof crate, "crate[%d]", i);
        fine = fine && sn_rigid_remove(world, find_body(world, crate)) == SN_OK;
    }
    return fine;
}

// The bridge swings, for nothing damps it; so it is watched for a while, with crates after they have landed.
static void run_bridge(bench_report *report, const char *name, bool loaded, const bench_options *options)
{
    bench_row row = {.name = name,
                     .bar = loaded ? "mean <= 5 % of the sag" : "at worst <= 2 % of the sag",
                     .today = "peers 68 to 724 %"};
    snprintf(row.what, sizeof row.what, "rope bridge of 1132 joints%s: sag against the ideal",
             loaded ? " under five crates" : "");
    sn_scene *scene = open_scene(report, &row, "rope_bridge.json");
    if (scene == NULL) {
        return;
    }
    sn_world *world = sn_scene_world(scene);
    sn_rigid middle = find_body(world, "bay[70].plank");
    crates crates = {.count = loaded ? CRATES : 0};
    int steps = options->quick ? 180 : 1200, first = loaded ? steps / 2 : 0;
    double sum = 0.0, worst = 0.0, ideal = ideal_middle(&crates);
    bool fine = loaded || remove_crates(world);
    for (int i = 0; i < steps && fine; ++i) {
        fine = step(scene);
        if (i >= first) {
            find_crates(world, &crates);
            ideal = loaded ? ideal_middle(&crates) : ideal;
            double off = (double)sn_rigid_position(world, middle).y / ideal - 1.0;
            sum += off;
            worst = fmax(worst, fabs(off));
        }
    }
    double mean = sum / (steps - first);
    snprintf(row.measured, sizeof row.measured,
             "%.2f %% in the mean, %.2f %% at worst of %.3f m; joints part by %.2f %%", 100.0 * mean,
             100.0 * worst, -ideal, 100.0 * (double)sn_world_statistics(world).largest_joint_stretch);
    bench_row_value(&row, "mean", mean);
    bench_row_value(&row, "worst", worst);
    bench_row_judge(&row, fine && (loaded ? fabs(mean) <= 0.05 : worst <= 0.02));
    bench_report_add(report, &row);
    sn_scene_destroy(scene);
}

// --- closed chain of hinges --------------------------------------------------------------------------------

// The largest angle between the axes of two links [degrees]: as unit vectors, by the chord between them.
static double largest_tilt(const sn_world *world, int count)
{
    sn_vec3 first = {0.0f, 0.0f, 0.0f};
    double most = 0.0;
    for (int i = 0; i < count; ++i) {
        char link[32];
        snprintf(link, sizeof link, "ring.link[%d].bar", i);
        sn_vec3 axis = sn_rotate(sn_rigid_rotation(world, find_body(world, link)), sn_v(0.0f, 1.0f, 0.0f));
        first = i == 0 ? axis : first;
        most = fmax(most, (double)sn_length(sn_sub(axis, first)));
    }
    return 2.0 * asin(0.5 * most) * 180.0 / (double)SN_PI;
}

static void run_ring(bench_report *report, const char *name, const bench_options *options)
{
    bench_row row = {.name = name, .bar = "<= 1 mm, <= 0.01 degrees", .today = "paper: planar, in words"};
    snprintf(
        row.what, sizeof row.what,
        "closed chain of 132 hinges with offsets, dropped tilted: out of its plane, axes apart, at worst");
    sn_scene *scene = open_scene(report, &row, "hinge_chain.json");
    if (scene == NULL) {
        return;
    }
    const sn_world *world = sn_scene_world(scene);
    double farthest = 0.0, tilt = 0.0;
    int steps = options->quick ? 60 : 360;
    bool fine = true;
    for (int i = 0; i < steps && fine; ++i) {
        fine = step(scene);
        farthest = fmax(farthest, flatness_of_bodies(world, "ring.link").farthest);
        tilt = fmax(tilt, largest_tilt(world, 132));
    }
    snprintf(row.measured, sizeof row.measured, "%.3f mm, %.5f degrees; links of 0.1 m", 1.0e3 * farthest,
             tilt);
    bench_row_value(&row, "farthest_mm", 1.0e3 * farthest);
    bench_row_value(&row, "tilt_degrees", tilt);
    bench_row_judge(&row, fine && farthest <= 1.0e-3 && tilt <= 0.01);
    bench_report_add(report, &row);
    sn_scene_destroy(scene);
}

// --- vase --------------------------------------------------------------------------------------------------

// Until the first joint breaks; then whether all do.
static void run_vase(bench_report *report, const char *name)
{
    bench_row row = {.name = name, .bar = "<= 0.01 %, and it breaks", .today = "-"};
    snprintf(row.what, sizeof row.what,
             "vase of 60 pieces that falls: largest change of a distance between two before it breaks");
    sn_scene *scene = open_scene(report, &row, "vase.json");
    if (scene == NULL) {
        return;
    }
    const sn_world *world = sn_scene_world(scene);
    static body_distances rest;
    bool fine = body_distances_take(world, "piece_", &rest);
    int joints = sn_world_statistics(world).constraint_count, left = joints;
    double strain = 0.0;
    for (int i = 0; i < 120 && fine; ++i) {
        fine = step(scene);
        left = sn_world_statistics(world).constraint_count;
        strain = left == joints ? fmax(strain, body_distances_strain(world, &rest)) : strain;
    }
    snprintf(row.measured, sizeof row.measured, "%.5f %%; %d of %d joints break", 100.0 * strain,
             joints - left, joints);
    bench_row_value(&row, "strain", strain);
    bench_row_value(&row, "broken", joints - left);
    bench_row_judge(&row, fine && strain <= 1.0e-4 && left < joints);
    bench_report_add(report, &row);
    sn_scene_destroy(scene);
}

// --- tower -------------------------------------------------------------------------------------------------

// It has settled after two seconds.
static void run_tower(bench_report *report, const char *name, const bench_options *options)
{
    bench_row row = {.name = name, .bar = "<= 0.1 mm, 0 fallen", .today = "-"};
    int steps = options->quick ? 300 : 3600, settled = 120;
    snprintf(row.what, sizeof row.what, "tower of 1000 bricks, %d s, nothing sleeps: drift after settling",
             steps / 60);
    sn_scene *scene = open_scene(report, &row, "tower.json");
    if (scene == NULL) {
        return;
    }
    const sn_world *world = sn_scene_world(scene);
    body_places start = {0};
    bool fine = true;
    for (int i = 0; i < steps && fine; ++i) {
        fine = i != settled || body_places_take(world, "brick", &start);
        fine = fine && step(scene);
    }
    double farthest = 0.0;
    int fallen = fine ? body_places_moved(world, &start, 0.1, &farthest) : 0;
    snprintf(row.measured, sizeof row.measured, "%.4f mm, %d fallen", 1.0e3 * farthest, fallen);
    bench_row_value(&row, "farthest_mm", 1.0e3 * farthest);
    bench_row_value(&row, "fallen", fallen);
    bench_row_judge(&row, fine && farthest <= 1.0e-4 && fallen == 0);
    bench_report_add(report, &row);
    body_places_release(&start);
    sn_scene_destroy(scene);
}

static void run_hit(bench_report *report, const char *name)
{
    bench_row row = {.name = name, .bar = "5 % and more of them", .today = "-"};
    snprintf(row.what, sizeof row.what,
             "tower of 1000 bricks that a ball of seven tons hits: bricks that move by 10 cm and more");
    sn_scene *scene = open_scene(report, &row, "tower_hit.json");
    if (scene == NULL) {
        return;
    }
    const sn_world *world = sn_scene_world(scene);
    body_places start = {0};
    bool fine = body_places_take(world, "brick", &start);
    for (int i = 0; i < 180 && fine; ++i) {
        fine = step(scene);
    }
    int moved = fine ? body_places_moved(world, &start, 0.1, NULL) : 0;
    snprintf(row.measured, sizeof row.measured, "%d", moved);
    bench_row_value(&row, "moved", moved);
    bench_row_judge(&row, fine && moved >= 50);
    bench_report_add(report, &row);
    body_places_release(&start);
    sn_scene_destroy(scene);
}

// --- chains and free systems -------------------------------------------------------------------------------

static void run_chain(bench_report *report, const char *name, float ratio, bool swings,
                      const bench_options *options)
{
    bench_row row = {.name = name, .bar = "<= 0.1 %, <= 3 %", .today = "-"};
    int steps = options->quick ? 120 : 600;
    sn_vec3 direction = swings ? sn_v(1.0f, 0.0f, 0.0f) : sn_v(0.0f, -1.0f, 0.0f);
    snprintf(row.what, sizeof row.what,
             "chain of 50 links under %g times one's mass, %s for %d s: longer, worst joint", (double)ratio,
             swings ? "swinging" : "hanging", steps / 60);
    heavy_chain_errors worst = heavy_chain_run(ratio, direction, steps);
    snprintf(row.measured, sizeof row.measured, "%.4f %%, %.3f %%; energy gained %.4f %% of weight x length",
             100.0 * worst.longer, 100.0 * worst.parted, 100.0 * worst.gained);
    bench_row_value(&row, "longer", worst.longer);
    bench_row_value(&row, "parted", worst.parted);
    bench_row_judge(&row, worst.longer <= 1.0e-3 && worst.parted <= 0.03);
    bench_report_add(report, &row);
}

static void run_free(bench_report *report, const char *name, int index, const bench_options *options)
{
    bench_row row = {.name = name, .bar = "both <= 1e-5", .today = "-"};
    int steps = options->quick ? 250 : 1000;
    momentum_drift still = free_system_drift(index, sn_v(0.0f, 0.0f, 0.0f), steps);
    momentum_drift flying = free_system_drift(index, sn_v(2.0f, 1.0f, 0.0f), steps);
    double linear = fmax(still.linear, flying.linear), angular = fmax(still.angular, flying.angular);
    snprintf(row.what, sizeof row.what, "%s, free, %d steps", free_system_name(index), steps);
    snprintf(row.measured, sizeof row.measured,
             "momentum %.1e turning, %.1e flying at 2.2 m/s too; angular momentum %.1e, %.1e", still.linear,
             flying.linear, still.angular, flying.angular);
    bench_row_value(&row, "linear", linear);
    bench_row_value(&row, "angular", angular);
    bench_row_judge(&row, linear <= 1.0e-5 && angular <= 1.0e-5);
    bench_report_add(report, &row);
}

void bench_long_bodies(bench_report *report, const char *name, const bench_options *options)
{
    run_bridge(report, name, false, options);
    run_bridge(report, name, true, options);
    run_ring(report, name, options);
    run_vase(report, name);
    run_tower(report, name, options);
    run_hit(report, name);
    for (int i = 0; i < 4; ++i) {
        run_chain(report, name, i < 2 ? 1.0e4f : 1.0e6f, i % 2 == 1, options);
    }
    for (int i = 0; i < FREE_SYSTEMS; ++i) {
        run_free(report, name, i, options);
    }
}
