// Müller, Chentanez, Macklin and Jeschke 2017: figures 1 and 13 to 18, with and without what carries loads
// far. "Sweeps" are those of the position solver with one sub-step of 1/60 s, as in the paper. Tested by
// tests/apps/test_figures_slow.c.
#include "apps/figures/figure.h"
#include "apps/figures/items.h"
#include "apps/figures/shape_measures.h"
#include "scene/message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define AWAKE "world.sleep=false "

// Settings of the paper's solver: so many sweeps, with long-range constraints or without.
static const char *sweeps(int count, bool long_range, char text[FIGURE_TEXT])
{
    snprintf(text, FIGURE_TEXT,
             AWAKE "world.solver=position world.sub_steps=1 world.position.iterations=%d %s", count,
             long_range ? "world.long_range.sub_steps=false" : "world.long_range=off");
    return text;
}

// A way to solve a scene. With long-range constraints it is judged, as in the paper, by whatever solver;
// without them it is there to compare.
typedef struct way {
    const char *words, *ending;
    int sweeps; // 0: the velocity solver
    bool long_range;
} way;

static const char *settings_of(const way *way, char text[FIGURE_TEXT])
{
    if (way->sweeps > 0) {
        return sweeps(way->sweeps, way->long_range, text);
    }
    snprintf(text, FIGURE_TEXT, AWAKE "%s", way->long_range ? "" : "world.long_range=off");
    return text;
}

static figure_bar bar_of(const way *way, figure_bar bar)
{
    return way->long_range ? bar : FIGURE_TOLD;
}

// --- figure 14: weights on chains --------------------------------------------------------------------------

// How far the heaviest weight gets from where its chain hangs, over the chain's length, − 1 [%].
static bool chain_stretch(figure_job *job, const char *settings, double time, double *stretch, double *cost,
                          const char *picture, const char *words)
{
    figure_run run;
    bool fine = figure_run_open(job, &run, "heavy_chain.json", settings, 1);
    sn_vec3 hook = sn_v(1.6f, 4.0f, 0.0f);
    sn_rigid weight = fine ? figure_body(&run, "weight_ten_thousand") : (sn_rigid){0};
    double rest = fine ? (double)sn_length(sn_sub(sn_rigid_position(run.world, weight), hook)) : 1.0;
    *stretch = 0.0;
    while (fine && sn_world_time(run.world) < time) {
        fine = figure_run_step(&run);
        double now = (double)sn_length(sn_sub(sn_rigid_position(run.world, weight), hook));
        *stretch = fmax(*stretch, 100.0 * (now / rest - 1.0));
    }
    *cost = figure_run_mean(&run);
    if (fine && picture != NULL) {
        fine = figure_picture(&run, picture, words) && figure_run_hash(&run, words);
    }
    figure_run_close(&run);
    return fine;
}

static bool figure_14(figure_job *job)
{
    static const way ways[] = {{"velocity solver with long range", "auto", 0, true},
                               {"velocity solver without", "off", 0, false},
                               {"10 sweeps with long range", "10-auto", 10, true},
                               {"10 sweeps", "10", 10, false},
                               {"20 sweeps", "20", 20, false},
                               {"1000 sweeps", "1000", 1000, false}};
    double costs[6] = {0};
    for (int i = 0; i < (job->quick ? 5 : 6); ++i) {
        char settings[FIGURE_TEXT], file[FIGURE_TEXT];
        double stretch;
        snprintf(file, sizeof file, "muller-14-%s", ways[i].ending);
        if (!chain_stretch(job, settings_of(&ways[i], settings), job->quick ? 1.0 : 2.0, &stretch, &costs[i],
                           file, ways[i].words) ||
            !figure_note(job,
                         (figure_value){stretch, "%",
                                        i == 2  ? "holds its length"
                                        : i > 2 ? "on the floor"
                                                : NULL,
                                        bar_of(&ways[i], FIGURE_AT_MOST), 1.0},
                         "%s: how much too far 10,000 links' weight gets", ways[i].words)) {
            return false;
        }
    }
    return figure_note(job, (figure_value){costs[2] / costs[4], "", "cheaper", FIGURE_AT_MOST, 1.0},
                       "time of 10 sweeps with long range over that of 20 without");
}

static bool iterations(figure_job *job)
{
    enum { MOST = 8 };
    static const int counts[MOST] = {2, 5, 10, 20, 50, 100, 300, 1000};
    double x[MOST], errors[2][MOST], cost;
    int count = job->quick ? 4 : MOST;
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < count; ++i) {
            char settings[FIGURE_TEXT];
            x[i] = counts[i];
            if (!chain_stretch(job, sweeps(counts[i], k == 1, settings), 1.0, &errors[k][i], &cost, NULL,
                               NULL)) {
                return false;
            }
            errors[k][i] = fmax(errors[k][i], 1e-4);
        }
    }
    const figure_curve curves[2] = {{"without", x, errors[0], count, false},
                                    {"with long range", x, errors[1], count, false}};
    return figure_note(job, (figure_value){errors[1][0], "%", "holds", FIGURE_AT_MOST, 1.0},
                       "2 sweeps with long range: how much too far the weight gets") &&
           figure_note(job,
                       (figure_value){errors[0][count - 1] / errors[1][0], "times", "still worse",
                                      FIGURE_AT_LEAST, 1.0},
                       "%d sweeps without, over 2 with", counts[count - 1]) &&
           figure_plot(job, "muller-iterations", "How much too far a weight of 10,000 links gets in 1 s",
                       (figure_axes){"sweeps", "%", true, true}, curves, 2);
}

// --- figure 13: a closed chain of hinges -------------------------------------------------------------------

// Drops the chain and notes how far off its plane a link gets at most.
static bool drop_chain(figure_job *job, const way *way, const char *paper, double time)
{
    char settings[FIGURE_TEXT], file[FIGURE_TEXT];
    figure_run run;
    double farthest = 0.0;
    snprintf(file, sizeof file, "muller-13-%s", way->ending);
    bool fine = figure_run_open(job, &run, "hinge_chain.json", settings_of(way, settings), 1);
    while (fine && sn_world_time(run.world) < time) {
        fine = figure_run_until(&run, sn_world_time(run.world) + 0.05);
        farthest = fmax(farthest, flatness_of_bodies(run.world, "ring.link").farthest);
        if (fine && fabs(sn_world_time(run.world) - 0.9) < 0.024) {
            fine = figure_picture(&run, file, way->words);
        }
    }
    fine = fine && figure_run_hash(&run, way->words) &&
           figure_note(job, (figure_value){1000.0 * farthest, "mm", paper, bar_of(way, FIGURE_AT_MOST), 10.0},
                       "%s: most that a link of 0.1 m gets off the plane", way->words);
    figure_run_close(&run);
    return fine;
}

// What keeping the plane costs: the chain flies, so that joints are all there is to solve.
static bool note_plane_cost(figure_job *job)
{
    figure_cost with, without;
    return figure_cost_measure(job, "hinge_chain.json", AWAKE, 0.4, job->quick ? 2 : 5, &with) &&
           figure_cost_measure(job, "hinge_chain.json", AWAKE "world.long_range.planes=false", 0.4,
                               job->quick ? 2 : 5, &without) &&
           figure_note(
               job, (figure_value){100.0 * (with.mean / without.mean - 1.0), "%", "10", FIGURE_AT_MOST, 10.0},
               "time of a step that projection on the plane adds");
}

static bool figure_13(figure_job *job)
{
    static const way ways[] = {{"velocity solver with long range", "auto", 0, true},
                               {"velocity solver without", "off", 0, false},
                               {"5 sweeps with long range", "5-auto", 5, true},
                               {"5 sweeps", "5", 5, false},
                               {"100 sweeps", "100", 100, false}};
    static const char *const papers[] = {NULL, NULL, "planar", "floppy", "still wrong"};
    for (int i = 0; i < 5; ++i) {
        if (!drop_chain(job, &ways[i], papers[i], job->quick ? 1.0 : 2.5)) {
            return false;
        }
    }
    return note_plane_cost(job);
}

// --- figure 15: rope bridge --------------------------------------------------------------------------------

static bool figure_15(figure_job *job)
{
    static const way ways[] = {{"velocity solver with long range", "auto", 0, true},
                               {"velocity solver without", "off", 0, false},
                               {"20 sweeps with long range", "20-auto", 20, true},
                               {"20 sweeps", "20", 20, false}};
    for (int i = 0; i < 4; ++i) {
        char settings[FIGURE_TEXT], file[FIGURE_TEXT];
        figure_run run;
        snprintf(file, sizeof file, "muller-15-%s", ways[i].ending);
        bool fine = figure_run_open(job, &run, "rope_bridge.json", settings_of(&ways[i], settings), 1);
        double length = fine ? length_along_bodies(run.world, "bay[%d].plank", 141) : 1.0;
        int joints = fine ? sn_world_statistics(run.world).constraint_count : 0;
        fine = fine && (i != 0 ||
                        figure_note(job, (figure_value){joints, "", "1132", FIGURE_EQUAL, 1132.0}, "joints"));
        fine = fine && figure_run_until(&run, job->quick ? 0.5 : 4.0) &&
               figure_picture(&run, file, ways[i].words) && figure_run_hash(&run, ways[i].words) &&
               figure_note(job,
                           (figure_value){
                               100.0 * (length_along_bodies(run.world, "bay[%d].plank", 141) / length - 1.0),
                               "%",
                               i == 2   ? "holds"
                               : i == 3 ? "sags to the ground"
                                        : NULL,
                               bar_of(&ways[i], FIGURE_AT_MOST), 2.0},
                           "%s: how much longer the deck got", ways[i].words);
        figure_run_close(&run);
        if (!fine) {
            return false;
        }
    }
    return true;
}

// --- figure 16: crossbow -----------------------------------------------------------------------------------

#define STRING "left.string[%d].link", 8

static bool shoot(figure_job *job, const way *way)
{
    char settings[FIGURE_TEXT], file[FIGURE_TEXT];
    figure_run run;
    double fastest = 0.0, longest = 0.0;
    snprintf(file, sizeof file, "muller-16-%s", way->ending);
    bool fine = figure_run_open(job, &run, "crossbow.json", settings_of(way, settings), 1);
    double rest = fine ? length_along_bodies(run.world, STRING) : 1.0;
    fine = fine && figure_run_until(&run, 0.95) && figure_picture(&run, file, way->words);
    double drawn = fine ? length_along_bodies(run.world, STRING) : 1.0;
    while (fine && sn_world_time(run.world) < 1.5) {
        fine = figure_run_step(&run);
        fastest = fmax(fastest, figure_probe(&run, "speed of the bolt"));
        longest = fmax(longest, length_along_bodies(run.world, STRING));
    }
    fine =
        fine && figure_run_hash(&run, way->words) &&
        figure_note(job,
                    (figure_value){fastest, "m/s", "the arrow fires", bar_of(way, FIGURE_AT_LEAST), 10.0},
                    "%s: fastest speed of the bolt", way->words) &&
        figure_note(job,
                    (figure_value){100.0 * (drawn / rest - 1.0), "%", NULL, bar_of(way, FIGURE_AT_MOST), 2.0},
                    "%s: how much longer the string is, drawn", way->words) &&
        figure_note(
            job, (figure_value){100.0 * (longest / rest - 1.0), "%", NULL, bar_of(way, FIGURE_AT_MOST), 5.0},
            "%s: how much longer at most, in the shot", way->words);
    figure_run_close(&run);
    return fine;
}

static bool figure_16(figure_job *job)
{
    static const way ways[] = {{"with long range", "auto", 0, true}, {"without", "off", 0, false}};
    return shoot(job, &ways[0]) && shoot(job, &ways[1]);
}

// --- figure 17: vase ---------------------------------------------------------------------------------------

static void never_break(sn_world *world)
{
    sn_constraint ids[512];
    int count = sn_world_constraints(world, ids, 512);
    for (int i = 0; i < count && i < 512; ++i) {
        sn_constraint_break_set(world, ids[i], INFINITY, INFINITY);
    }
}

static bool vase_strain(figure_job *job, const way *way)
{
    char settings[FIGURE_TEXT], file[FIGURE_TEXT];
    figure_run run;
    double strain = 0.0;
    snprintf(file, sizeof file, "muller-17-%s", way->ending);
    bool fine = figure_run_open(job, &run, "vase.json", settings_of(way, settings), 1);
    body_distances rest = {0};
    if (fine) {
        never_break(run.world);
        fine = body_distances_take(run.world, "piece_", &rest);
    }
    while (fine && sn_world_time(run.world) < (job->quick ? 0.7 : 1.2)) {
        fine = figure_run_step(&run);
        strain = fmax(strain, body_distances_strain(run.world, &rest));
    }
    fine = fine && figure_picture(&run, file, way->words) && figure_run_hash(&run, way->words) &&
           figure_note(job,
                       (figure_value){strain, "", way->sweeps == 0 && way->long_range ? "rigid" : "soft",
                                      bar_of(way, FIGURE_AT_MOST), 1e-4},
                       "%s: largest strain between pieces that never break", way->words);
    figure_run_close(&run);
    return fine;
}

static bool figure_17(figure_job *job)
{
    static const way ways[] = {
        {"unions", "auto", 0, true}, {"10 sweeps", "10", 10, false}, {"100 sweeps", "100", 100, false}};
    for (int i = 0; i < 3; ++i) {
        if (!vase_strain(job, &ways[i])) {
            return false;
        }
    }
    figure_run run;
    bool fine = figure_run_open(job, &run, "vase.json", AWAKE, 1);
    int before = fine ? sn_world_statistics(run.world).constraint_count : 0;
    fine = fine && figure_film(&run, job->quick ? 0.9 : 2.0, "muller-17-breaks", "The vase breaks") &&
           figure_picture(&run, "muller-17-breaks", "The vase breaks") &&
           figure_run_hash(&run, "vase that breaks");
    if (fine) {
        int broken = before - sn_world_statistics(run.world).constraint_count;
        fine = figure_note(job, (figure_value){broken, "", "fractures", FIGURE_AT_LEAST, 1.0},
                           "joints of %d that broke", before) &&
               figure_note(job, (figure_value){before - broken, "", "in parts", FIGURE_AT_LEAST, 1.0},
                           "that held");
    }
    figure_run_close(&run);
    return fine;
}

// --- figure 18: tower --------------------------------------------------------------------------------------

static bool note_standing(figure_run *run, const way *way, const body_places *start)
{
    double farthest = 0.0;
    body_places_moved(run->world, start, 0.0, &farthest);
    return figure_note(run->job,
                       (figure_value){1000.0 * farthest, "mm", way->long_range ? "stands" : NULL,
                                      bar_of(way, FIGURE_AT_MOST), 1.0},
                       "%s: how far the farthest brick moved before the hit", way->words);
}

static bool run_tower(figure_job *job, const way *way)
{
    char settings[FIGURE_TEXT], file[FIGURE_TEXT];
    figure_run run;
    body_places start = {0};
    snprintf(file, sizeof file, "muller-18-%s", way->ending);
    bool fine = figure_run_open(job, &run, "tower_hit.json", settings_of(way, settings), 1) &&
                body_places_take(run.world, "brick", &start) && figure_run_until(&run, 0.7) &&
                note_standing(&run, way, &start);
    if (fine && way->long_range && way->sweeps == 0) {
        int supported = sn_world_statistics(run.world).supported_count;
        fine = figure_note(job, (figure_value){supported, "", "all, in red", FIGURE_AT_LEAST, 1000.0},
                           "%s: bodies that are supported before the hit", way->words) &&
               figure_picture_by(&run, RENDER_SUPPORT, "muller-18-supported", "Supported bodies, in red") &&
               figure_note(job, (figure_value){.ours = figure_run_mean(&run), .unit = "ms"},
                           "%s: mean time of a step before the hit", way->words) &&
               figure_film(&run, job->quick ? 1.2 : 3.0, file, way->words);
        double share = 100.0 * body_places_moved(run.world, &start, 0.1, NULL) / 1000.0;
        fine = fine &&
               figure_note(job, (figure_value){share, "%", "collapses where it is hit", FIGURE_AT_LEAST, 5.0},
                           "%s: bricks that have moved by 10 cm and more after the hit", way->words);
    }
    fine = fine && figure_picture(&run, file, way->words) && figure_run_hash(&run, way->words);
    body_places_release(&start);
    figure_run_close(&run);
    return fine;
}

static bool figure_18(figure_job *job)
{
    static const way ways[] = {{"velocity solver with support", "auto", 0, true},
                               {"velocity solver without", "off", 0, false},
                               {"10 sweeps with support", "10-auto", 10, true},
                               {"10 sweeps without", "10", 10, false}};
    for (int i = 0; i < 4; ++i) {
        if (!run_tower(job, &ways[i])) {
            return false;
        }
    }
    return true;
}

// --- figure 1: cable cars ----------------------------------------------------------------------------------

static bool figure_cable_cars(figure_job *job)
{
    static const way ways[] = {{"velocity solver with long range", "auto", 0, true},
                               {"velocity solver without", "off", 0, false},
                               {"10 sweeps with long range", "10-auto", 10, true},
                               {"10 sweeps", "10", 10, false}};
    for (int i = 0; i < 4; ++i) {
        char settings[FIGURE_TEXT], file[FIGURE_TEXT];
        figure_run run;
        snprintf(file, sizeof file, "muller-1-%s", ways[i].ending);
        bool fine = figure_run_open(job, &run, "cable_car.json", settings_of(&ways[i], settings), 1);
        double length = fine ? length_along_bodies(run.world, "rope[%d].rod", 60) : 1.0;
        fine = fine && (i == 0 ? figure_film(&run, job->quick ? 1.0 : 4.0, file, ways[i].words)
                               : figure_run_until(&run, job->quick ? 1.0 : 4.0));
        fine = fine && figure_picture(&run, file, ways[i].words) && figure_run_hash(&run, ways[i].words) &&
               figure_note(
                   job,
                   (figure_value){100.0 * (length_along_bodies(run.world, "rope[%d].rod", 60) / length - 1.0),
                                  "%", i == 2 ? "holds" : NULL, bar_of(&ways[i], FIGURE_AT_MOST), 2.0},
                   "%s: how much longer the rope got under cabins of 500 links each", ways[i].words);
        figure_run_close(&run);
        if (!fine) {
            return false;
        }
    }
    return true;
}

// --- figure 1: two cars lift a third -----------------------------------------------------------------------

static bool lift(figure_job *job, const char *settings, const char *words, const char *ending, bool judged)
{
    char file[FIGURE_TEXT];
    figure_run run;
    snprintf(file, sizeof file, "muller-lift-%s", ending);
    bool fine = figure_run_open(job, &run, "cable_lift.json", settings, 1);
    double start = fine ? figure_probe(&run, "middle car") : 0.0;
    double length = fine ? length_along_bodies(run.world, "link[%d]", 58) : 1.0;
    fine = fine && figure_film(&run, 1.2, file, words) && figure_picture(&run, file, words) &&
           figure_run_hash(&run, words) &&
           figure_note(job,
                       (figure_value){figure_probe(&run, "middle car") - start, "m",
                                      "two cars lift the third", judged ? FIGURE_AT_LEAST : FIGURE_TOLD, 0.5},
                       "%s: how far the car in the middle was lifted after 1.2 s", words) &&
           figure_note(job,
                       (figure_value){100.0 * (length_along_bodies(run.world, "link[%d]", 58) / length - 1.0),
                                      "%", NULL, judged ? FIGURE_AT_MOST : FIGURE_TOLD, 2.0},
                       "%s: how much longer the rope got", words);
    figure_run_close(&run);
    return fine;
}

static bool figure_lift(figure_job *job)
{
    return lift(job, AWAKE, "velocity solver with long range", "auto", true) &&
           lift(job, AWAKE "world.long_range=off", "velocity solver without", "off", false);
}

#define PAPER "Müller 2017"

const figure_item figure_muller_scenes[] = {
    {"muller-1", PAPER, "Figure 1: cable cars on a rope that is held",
     "Cabins of 1500 kg hang on a rope of links of 3 kg. Rows alone pass the load on by one link a sweep, so "
     "the rope "
     "stretches; bounds and the sub-steps that its tension asks for hold it.",
     figure_cable_cars},
    {"muller-lift", PAPER, "Figure 1: two cable cars lift a third",
     "A rope of links of 300 g runs over two pulleys; cars of 10,000 links each hang on its ends. No end of "
     "it is held, so "
     "bounds do not help; the sub-steps that the ratio of masses asks for do.",
     figure_lift},
    {"muller-13", PAPER, "Figure 13: a closed chain of 132 hinges",
     "All axes are parallel, so the chain can only move in its plane. It is dropped tilted and should stay "
     "flat; errors "
     "of the joints let it twist.",
     figure_13},
    {"muller-14", PAPER, "Figure 14: weights on chains",
     "The heaviest weighs 10,000 links. The bound from the weight to the ceiling carries what the links "
     "cannot.",
     figure_14},
    {"muller-iterations", PAPER, "Iterations against error",
     "The same chain with more and more sweeps, with long-range constraints and without.", iterations},
    {"muller-15", PAPER, "Figure 15: a rope bridge of 1132 joints",
     "A general graph: planks, handrails and hangers carry five crates.", figure_15},
    {"muller-16", PAPER, "Figure 16: a crossbow",
     "Two limbs on springs draw a string of light links, which shoots a bolt.", figure_16},
    {"muller-17", PAPER, "Figure 17: a vase that breaks",
     "Sixty pieces held together by fixed joints. As joints of sweeps they are soft; as a union they are one "
     "rigid body "
     "until a joint is asked too much.",
     figure_17},
    {"muller-18", PAPER, "Figure 18: a tower is hit",
     "What stands on its contacts is supported and does not move at all, until a ball comes.", figure_18},
    {0}};
