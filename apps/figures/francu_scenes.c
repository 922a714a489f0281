// Frâncu and Moldoveanu 2017: the three scenes of figure 1, by the position solver, and friction. The paper's
// own numbers could not be had: bars are of closed forms and of common sense. Tested by
// tests/apps/test_figures_slow.c.
#include "apps/figures/figure.h"
#include "apps/figures/items.h"
#include "apps/figures/shape_measures.h"
#include "scene/message.h"

#include <math.h>
#include <stdio.h>

static double energy_of(const sn_world *world)
{
    sn_energy energy = sn_world_energy(world);
    sn_deformable deformables[16];
    double elastic = 0.0;
    int count = sn_world_deformables(world, deformables, 16);
    for (int i = 0; i < count && i < 16; ++i) {
        elastic += (double)sn_deformable_measure_now(world, deformables[i]).elastic_energy;
    }
    return energy.kinetic + energy.potential + elastic;
}

// Runs until a time and notes the most that energy was above that of the start, as a share of what the fall
// released.
static bool run_watching(figure_run *run, double time, const char *file, const char *words, double *gain)
{
    double start = energy_of(run->world), potential = sn_world_energy(run->world).potential,
           lowest = potential;
    double highest = start;
    while (sn_world_time(run->world) < time - 0.5 * (double)run->step) {
        double next = fmin(sn_world_time(run->world) + 0.5, time);
        if (!(file != NULL && next >= time ? figure_film(run, next, file, words)
                                           : figure_run_until(run, next))) {
            return false;
        }
        highest = fmax(highest, energy_of(run->world));
        lowest = fmin(lowest, sn_world_energy(run->world).potential);
    }
    *gain = potential > lowest ? fmax(0.0, highest - start) / (potential - lowest) : 0.0;
    return true;
}

// --- boxes -------------------------------------------------------------------------------------------------

// The deepest overlap of any two bodies [m].
static double deepest(const sn_world *world)
{
    double depth = 0.0;
    body_places all;
    if (!body_places_take(world, "box", &all)) {
        return (double)NAN;
    }
    for (int i = 0; i < all.ids.count; ++i) {
        sn_contact contacts[32];
        int count = sn_rigid_contacts(world, all.ids.items[i], contacts, 32);
        for (int k = 0; k < count && k < 32; ++k) {
            for (int p = 0; p < contacts[k].count; ++p) {
                depth = fmax(depth, -(double)contacts[k].points[p].separation);
            }
        }
    }
    body_places_release(&all);
    return depth;
}

static bool boxes(figure_job *job)
{
    figure_run run;
    double gain = 0.0;
    bool fine = figure_run_open(job, &run, "falling_boxes.json", "", 1) &&
                run_watching(&run, job->quick ? 1.5 : 6.0, "francu-1-boxes", "A thousand boxes", &gain);
    double speed =
        fine ? sqrt(2.0 * sn_world_energy(run.world).kinetic / sn_world_energy(run.world).mass) : 0.0;
    fine =
        fine && figure_picture(&run, "francu-1-boxes", "A thousand boxes") &&
        figure_run_hash(&run, "boxes") &&
        figure_note(job,
                    (figure_value){1000.0 * deepest(run.world), "mm", NULL,
                                   job->quick ? FIGURE_TOLD : FIGURE_AT_MOST, 2.0},
                    "deepest overlap of boxes of 200 mm") &&
        figure_note(job, (figure_value){100.0 * gain, "%", NULL, FIGURE_AT_MOST, 1.0},
                    "most energy above that of the start, of what the fall releases") &&
        figure_note(job, (figure_value){.ours = figure_run_mean(&run), .unit = "ms"}, "mean time of a step");
    if (fine && !job->quick) {
        fine = figure_note(job, (figure_value){1000.0 * speed, "mm/s", NULL, FIGURE_AT_MOST, 20.0},
                           "root mean square of speeds after 6 s");
    }
    figure_run_close(&run);
    return fine;
}

// --- bunnies -----------------------------------------------------------------------------------------------

static bool bunnies(figure_job *job)
{
    figure_run run;
    double gain = 0.0;
    int through = 0, carried = 0;
    body_places all = {0};
    bool fine = figure_run_open(job, &run, "bunnies_on_cloth.json", "", 1) &&
                run_watching(&run, job->quick ? 1.5 : 4.0, "francu-1-bunnies", "Bunnies on a cloth", &gain) &&
                body_places_take(run.world, "bunny", &all);
    for (int i = 0; fine && i < all.places.count; ++i) {
        sn_vec3 place = all.places.items[i];
        bool is_low = place.y < 0.5f;
        carried += !is_low;
        through += is_low && fabsf(place.x) < 0.9f && fabsf(place.z) < 0.9f;
    }
    sn_deformable cloth = {0};
    fine = fine && sn_world_deformables(run.world, &cloth, 1) == 1;
    sn_deformable_measure measure =
        fine ? sn_deformable_measure_now(run.world, cloth) : (sn_deformable_measure){0};
    fine =
        fine && figure_picture(&run, "francu-1-bunnies", "Bunnies on a cloth") &&
        figure_run_hash(&run, "bunnies") &&
        figure_note(job, (figure_value){through, "", NULL, FIGURE_EQUAL, 0.0},
                    "bunnies of %d that fell through", all.places.count) &&
        figure_note(job, (figure_value){.ours = carried},
                    "bunnies that the cloth carries; others rolled off") &&
        figure_note(job,
                    (figure_value){1.1 - (double)measure.bounds.lower.y, "m", NULL, FIGURE_AT_LEAST, 0.02},
                    "how far the cloth sags under them: coupling goes both ways") &&
        figure_note(job, (figure_value){100.0 * (double)measure.mean_stretch, "%", NULL, FIGURE_AT_MOST, 1.0},
                    "mean stretch of the cloth") &&
        figure_note(job, (figure_value){100.0 * gain, "%", NULL, FIGURE_AT_MOST, 1.0},
                    "most energy above that of the start, of what the fall releases");
    body_places_release(&all);
    figure_run_close(&run);
    return fine;
}

// --- cow ---------------------------------------------------------------------------------------------------

static bool stand_cow(figure_job *job, const char *settings, const char *words, const char *file)
{
    figure_run run;
    double gain = 0.0;
    bool fine = figure_run_open(job, &run, "cow.json", settings, 1) &&
                run_watching(&run, job->quick ? 0.5 : 3.0, file, words, &gain);
    sn_deformable_measure cow = fine ? sn_deformable_measure_now(run.world, figure_deformable(&run, "cow"))
                                     : (sn_deformable_measure){0};
    fine =
        fine && figure_picture(&run, file, words) && figure_run_hash(&run, words) &&
        figure_note(job, (figure_value){(double)cow.center.y, "m", NULL, FIGURE_AT_LEAST, 0.5},
                    "%s: height of the mass centre, which is at 0.62 m in a rigid cow that stands", words) &&
        figure_note(job,
                    (figure_value){100.0 * fabs((double)(cow.volume / cow.rest_volume) - 1.0), "%", NULL,
                                   FIGURE_AT_MOST, 5.0},
                    "%s: change of volume", words) &&
        figure_note(job, (figure_value){100.0 * gain, "%", NULL, FIGURE_AT_MOST, 1.0},
                    "%s: most energy above that of the start, of what the fall releases", words);
    figure_run_close(&run);
    return fine;
}

static bool cow(figure_job *job)
{
    return stand_cow(job, "", "20 sub-steps", "francu-1-cow") &&
           stand_cow(job, "world.sub_steps=8 world.position.iterations=4", "8 sub-steps, the default",
                     "francu-1-cow-default");
}

// --- friction ----------------------------------------------------------------------------------------------

static bool slope(figure_job *job, const char *solver)
{
    static const struct {
        const char *name;
        double friction;
    } blocks[] = {{"mu 0.0", 0.0},   {"mu 0.2", 0.2},   {"mu 0.4", 0.4},
                  {"mu 0.45", 0.45}, {"mu 0.48", 0.48}, {"mu 0.6", 0.6}};
    static const double angle = 25.0 * 3.14159265358979 / 180.0;
    char settings[FIGURE_TEXT], file[FIGURE_TEXT];
    figure_run run;
    snprintf(settings, sizeof settings, "world.solver=%s world.sleep=false", solver);
    snprintf(file, sizeof file, "francu-friction-%s", solver);
    bool fine = figure_run_open(job, &run, "slopes.json", settings, 1) && figure_run_until(&run, 0.2);
    sn_vec3 before[6];
    double begin = fine ? sn_world_time(run.world) : 0.0;
    for (int i = 0; i < 6 && fine; ++i) {
        before[i] = sn_rigid_linear_velocity(run.world, figure_body(&run, blocks[i].name));
    }
    fine = fine && figure_run_until(&run, 0.9);
    for (int i = 0; i < 6 && fine; ++i) {
        sn_vec3 now = sn_rigid_linear_velocity(run.world, figure_body(&run, blocks[i].name));
        double gained = (double)(sn_length(now) - sn_length(before[i]));
        double expected = fmax(0.0, 9.81 * (sin(angle) - blocks[i].friction * cos(angle))) *
                          (sn_world_time(run.world) - begin);
        fine = figure_note(
            job, (figure_value){1000.0 * fabs(gained - expected), "mm/s", NULL, FIGURE_AT_MOST, 20.0},
            "%s solver, friction %.2f on a slope of 25°: off Coulomb's %.3f m/s after %.1f s", solver,
            blocks[i].friction, expected, sn_world_time(run.world) - begin);
    }
    fine = fine && figure_picture(&run, file, "Blocks on a slope of 25°") && figure_run_hash(&run, solver);
    figure_run_close(&run);
    return fine;
}

static bool friction(figure_job *job)
{
    return slope(job, "position") && slope(job, "velocity");
}

#define PAPER "Frâncu 2017"

const figure_item figure_francu_scenes[] = {
    {"francu-1-boxes", PAPER, "Figure 1: rigid boxes",
     "A thousand boxes fall into a pile, by the position solver: contacts and friction are projections of "
     "positions.",
     boxes},
    {"francu-1-bunnies", PAPER, "Figure 1: bunnies on a cloth",
     "Rigid bunnies fall on a cloth that is held by its corners: one solver for both, both ways.", bunnies},
    {"francu-1-cow", PAPER, "Figure 1: a flexible cow",
     "A cow of finite elements (Young's modulus 10⁵ Pa, Poisson's ratio 0.3), each a constraint of six rows, "
     "lands on its legs.",
     cow},
    {"francu-friction", PAPER, "Friction on a slope",
     "What slides, slides as fast as Coulomb's law says; what should stick, sticks. The tangent of 25° is "
     "0.466.",
     friction},
    {0}};
