// Vezzaro, Zerbato and Fiorini 2015: the scenes of figures 1 to 4, with the paper's settings (steps of 20 ms,
// two sweeps over rigid rows and two over rows of nodes, a tenth of every error a step) and with Sinew's own.
// Tested by tests/apps/test_figures_slow.c.
#include "apps/figures/figure.h"
#include "apps/figures/items.h"
#include "apps/figures/vezzaro.h"
#include "scene/message.h"

#include <math.h>
#include <stdlib.h>

// The paper's own settings, the same with more sweeps, and what Sinew does unless told otherwise. All are
// judged by what the paper claims, only the last also by how well it holds beyond that.
typedef struct solver_case {
    const char *words, *settings, *ending;
    bool judged;
} solver_case;

static const solver_case solvers[] = {
    {"staggered, 2 + 2 sweeps", VEZZARO_SETTINGS, "paper", false},
    {"staggered, 40 + 40 sweeps",
     VEZZARO_SETTINGS " world.staggered.rigid_iterations=40 world.staggered.node_iterations=40", "sweeps",
     false},
    {"velocity solver", "world.sleep=false", "velocity", true}};
enum { SOLVER_COUNT = sizeof solvers / sizeof solvers[0] };

static figure_bar bar_of(const solver_case *solver, figure_bar bar)
{
    return solver->judged ? bar : FIGURE_TOLD;
}

// --- figure 1: convergence ---------------------------------------------------------------------------------

enum { MOST_SWEEPS = 24 };

// Momenta of all nodes and bodies, which is what rows change.
typedef struct momenta {
    SN_LIST(double) values;
} momenta;

static bool add_momentum(momenta *momenta, double mass, sn_vec3 velocity)
{
    return SN_LIST_PUSH(&momenta->values, mass * (double)velocity.x) &&
           SN_LIST_PUSH(&momenta->values, mass * (double)velocity.y) &&
           SN_LIST_PUSH(&momenta->values, mass * (double)velocity.z);
}

static bool take_momenta(const sn_world *world, momenta *momenta)
{
    sn_deformable deformables[8];
    sn_rigid rigids[8];
    bool fine = true;
    momenta->values.count = 0;
    int count = sn_world_deformables(world, deformables, 8);
    for (int i = 0; i < count && i < 8; ++i) {
        const sn_node_state *nodes = sn_deformable_nodes(world, deformables[i]);
        const sn_node_velocity *velocities = sn_deformable_velocities(world, deformables[i]);
        for (int k = 0; k < sn_deformable_node_count(world, deformables[i]) && fine; ++k) {
            double mass = nodes[k].inverse_mass > 0.0f ? 1.0 / (double)nodes[k].inverse_mass : 0.0;
            fine = add_momentum(momenta, mass, velocities[k].velocity);
        }
    }
    count = sn_world_rigids(world, rigids, 8);
    for (int i = 0; i < count && i < 8 && fine; ++i) {
        double mass = sn_rigid_get_type(world, rigids[i]) == SN_DYNAMIC
                          ? (double)sn_rigid_mass(world, rigids[i]).mass
                          : 0.0;
        fine = add_momentum(momenta, mass, sn_rigid_linear_velocity(world, rigids[i]));
    }
    return fine;
}

static double difference(const momenta *a, const momenta *b)
{
    double sum = 0.0;
    for (int i = 0; i < a->values.count; ++i) {
        double d = a->values.items[i] - b->values.items[i];
        sum += d * d;
    }
    return a->values.count > 0 ? sqrt(3.0 * sum / a->values.count) : 0.0;
}

// The same step again and again, with one sweep more each time: what the last sweep changed.
static bool sweep_changes(figure_run *run, const void *state, size_t size, double *changes, int sweeps)
{
    momenta now = {0}, before = {0};
    bool fine = true;
    for (int k = 1; k <= sweeps + 1 && fine; ++k) {
        fine = sn_world_restore(run->world, state, size) == SN_OK;
        sn_world_def settings = sn_world_settings(run->world);
        settings.staggered.rigid_iterations = settings.staggered.node_iterations = k;
        settings.staggered.warm_start = 0.0f;
        fine = fine && sn_world_settings_set(run->world, &settings) == SN_OK && figure_run_step(run) &&
               take_momenta(run->world, &now);
        if (k > 1 && fine) {
            changes[k - 2] = difference(&now, &before);
        }
        momenta swap = before;
        before = now;
        now = swap;
    }
    SN_LIST_FREE(&now.values);
    SN_LIST_FREE(&before.values);
    return fine;
}

static bool converge(figure_job *job, const char *file, double time, double *changes, int sweeps)
{
    figure_run run;
    size_t size = 0;
    void *state = NULL;
    bool fine = figure_run_open(job, &run, file, VEZZARO_SETTINGS, 1) && figure_run_until(&run, time);
    fine = fine && sn_world_save(run.world, NULL, 0, &size) == SN_OK && (state = malloc(size)) != NULL &&
           sn_world_save(run.world, state, size, &size) == SN_OK &&
           sweep_changes(&run, state, size, changes, sweeps) && figure_run_hash(&run, file);
    free(state);
    figure_run_close(&run);
    return fine;
}

static bool figure_1(figure_job *job)
{
    static const char *const names[2] = {"jelly, chocolate, dish", "cloth and sphere"};
    static const char *const files[2] = {"jelly_chocolate_dish.json", "cloth_sphere.json"};
    double changes[2][MOST_SWEEPS], sweeps[MOST_SWEEPS];
    int count = job->quick ? 8 : MOST_SWEEPS;
    figure_curve curves[2];
    for (int i = 0; i < count; ++i) {
        sweeps[i] = i + 2;
    }
    for (int i = 0; i < 2; ++i) {
        if (!converge(job, files[i], job->quick ? 0.3 : 0.6, changes[i], count) ||
            !figure_note(job,
                         (figure_value){changes[i][0] / changes[i][6], "times", "a steep decrease",
                                        FIGURE_AT_LEAST, 2.0},
                         "%s: the second sweep changes impulses by so many times as much as the eighth",
                         names[i])) {
            return false;
        }
        curves[i] = (figure_curve){names[i], sweeps, changes[i], count, false};
    }
    return figure_plot(job, "vezzaro-1", "What a sweep still changes: root mean square of impulses",
                       (figure_axes){"sweep", "N s", false, true}, curves, 2);
}

// --- figure 2: jelly, chocolate, dish ----------------------------------------------------------------------

static double height_of(const figure_run *run, const char *name)
{
    sn_bounds bounds = sn_deformable_measure_now(run->world, figure_deformable(run, name)).bounds;
    return (double)(bounds.upper.y - bounds.lower.y);
}

static bool note_jellies(figure_run *run, const solver_case *solver)
{
    static const char *const names[4] = {"elements", "springs", "matching", "positions"};
    double lowest = INFINITY, highest = 0.0;
    for (int i = 0; i < 4; ++i) {
        lowest = fmin(lowest, height_of(run, names[i]));
        highest = fmax(highest, height_of(run, names[i]));
    }
    double above = (double)(sn_rigid_position(run->world, figure_body(run, "chocolate")).y -
                            sn_rigid_position(run->world, figure_body(run, "dish")).y);
    return figure_note(run->job, (figure_value){lowest / highest, "", "look alike", FIGURE_AT_LEAST, 0.7},
                       "%s: the lowest of the four jellies over the highest, under the bar", solver->words) &&
           figure_note(run->job, (figure_value){above, "m", "two-way coupling", FIGURE_AT_LEAST, 0.3},
                       "%s: how far above the dish the jellies hold the bar", solver->words) &&
           figure_note(run->job, (figure_value){.ours = figure_rows(run), .paper = "7595"},
                       "%s: rows at the end", solver->words);
}

static bool run_jellies(figure_job *job, const solver_case *solver)
{
    static const char scene[] = "jelly_chocolate_dish.json";
    figure_run run;
    figure_cost cost;
    char file[FIGURE_TEXT];
    snprintf(file, sizeof file, "vezzaro-2-%s", solver->ending);
    bool fine = figure_cost_measure(job, scene, solver->settings, job->quick ? 0.6 : 3.0, job->quick ? 1 : 3,
                                    &cost) &&
                figure_run_open(job, &run, scene, solver->settings, 1);
    if (!fine) {
        return false;
    }
    fine = figure_film(&run, job->quick ? 1.0 : 3.0, file, solver->words) &&
           figure_picture(&run, file, solver->words) && figure_run_hash(&run, solver->words) &&
           figure_note(job, (figure_value){cost.mean, "ms", "6", FIGURE_AT_MOST, 6.0},
                       "%s: mean time of a step", solver->words) &&
           figure_note(job, (figure_value){cost.worst, "ms", "14", FIGURE_AT_MOST, 14.0}, "%s: worst step",
                       solver->words) &&
           note_jellies(&run, solver);
    figure_run_close(&run);
    return fine;
}

static bool figure_2(figure_job *job)
{
    static const solver_case paper = {"staggered, 2 + 2 sweeps", VEZZARO_JELLIES, "paper", false};
    return run_jellies(job, &paper) && run_jellies(job, &solvers[SOLVER_COUNT - 1]);
}

// --- figure 3: cloth and sphere ----------------------------------------------------------------------------

// How much neighbouring faces turn, on average: 1 − cos of the angle between them, by the nodes' second
// differences along the threads of the grid, over the length of a thread's edge.
static double sharpness(const figure_run *run)
{
    enum { SIDE = 51 };
    const sn_node_state *nodes = sn_deformable_nodes(run->world, figure_deformable(run, "cloth"));
    double sum = 0.0;
    int count = 0;
    for (int row = 0; row < SIDE; ++row) {
        for (int i = 1; i + 1 < SIDE; ++i) {
            sn_vec3 a = nodes[row * SIDE + i - 1].position, b = nodes[row * SIDE + i].position,
                    c = nodes[row * SIDE + i + 1].position;
            sn_vec3 turn = sn_sub(sn_add(a, c), sn_scale(b, 2.0f));
            double length = (double)sn_length(sn_sub(c, b));
            sum += length > 0.0 ? (double)sn_length(turn) / length : 0.0;
            ++count;
        }
    }
    return sum / count;
}

// `sharp` gets how sharply threads turn.
static bool run_cloth(figure_job *job, const solver_case *solver, bool bending, double *sharp)
{
    figure_run run;
    char words[FIGURE_TEXT], file[FIGURE_TEXT], settings[FIGURE_PATH];
    const char *with = bending ? "with bending" : "without bending";
    snprintf(words, sizeof words, "%s, %s", solver->words, with);
    snprintf(file, sizeof file, "vezzaro-3-%s%s", solver->ending, bending ? "" : "-limp");
    snprintf(settings, sizeof settings, "%s deformables[0].bending.stiffness=%s", solver->settings,
             bending ? "2e-3" : "1e-9");
    if (!figure_run_open(job, &run, "cloth_sphere.json", settings, 1)) {
        return false;
    }
    bool fine = figure_film(&run, job->quick ? 1.0 : 3.0, file, words) && figure_picture(&run, file, words) &&
                figure_run_hash(&run, words);
    sn_deformable_measure cloth = sn_deformable_measure_now(run.world, figure_deformable(&run, "cloth"));
    *sharp = fine ? sharpness(&run) : 0.0;
    fine =
        fine &&
        figure_note(job, (figure_value){figure_run_mean(&run), "ms", "real time: 20", FIGURE_AT_MOST, 20.0},
                    "%s: mean time of a step", words) &&
        figure_note(job,
                    (figure_value){100.0 * (double)cloth.mean_stretch, "%", NULL,
                                   bar_of(solver, FIGURE_AT_MOST), 1.0},
                    "%s: mean stretch of the threads at the end", words) &&
        figure_note(
            job,
            (figure_value){.ours = 100.0 * run.collide_total / run.wall_total, .unit = "%", .paper = "45"},
            "%s: collision, part of the time", words) &&
        figure_note(job, (figure_value){.ours = figure_rows(&run), .paper = "20492"}, "%s: rows at the end",
                    words);
    figure_run_close(&run);
    return fine;
}

static bool figure_3(figure_job *job)
{
    const solver_case *best = &solvers[SOLVER_COUNT - 1];
    double with, without, unused;
    return run_cloth(job, &solvers[0], true, &unused) && run_cloth(job, &solvers[1], true, &unused) &&
           run_cloth(job, best, true, &with) && run_cloth(job, best, false, &without) &&
           figure_note(
               job,
               (figure_value){without / with, "times", "finer folds without bending", FIGURE_AT_LEAST, 1.05},
               "how sharply threads turn, without bending over with");
}

// --- figure 4: rope and wheel ------------------------------------------------------------------------------

// Atwood's machine with a heavy rope, which runs to the heavy side: how fast the wheel turns after a time
// [rad/s].
static double atwood_spin(double light, double heavy, double rope, double length, double inertia,
                          double radius, double time)
{
    double s = 0.0, v = 0.0, h = 1e-4, inert = light + heavy + rope + inertia / (radius * radius);
    for (double t = 0.0; t < time - 0.5 * h; t += h) {
        v += h * 9.81 * (heavy - light + 2.0 * rope * s / length) / inert;
        s += h * v;
    }
    return v / radius;
}

static bool note_rope(figure_run *run, const solver_case *solver, double time)
{
    static const double radius = 0.5108, length = 3.36;
    sn_rigid wheel = figure_body(run, "wheel");
    double expected = atwood_spin(1.0, 1.5, 0.5, length, (double)sn_rigid_mass(run->world, wheel).inertia.y.y,
                                  radius, time);
    double spin = -(double)sn_rigid_angular_velocity(run->world, wheel).z;
    double stretch =
        (double)sn_deformable_measure_now(run->world, figure_deformable(run, "rope")).largest_stretch;
    return figure_note(run->job, (figure_value){spin, "rad/s", "turns the right way", FIGURE_AT_LEAST, 0.1},
                       "%s: spin of the wheel towards the heavy side after %.1f s", solver->words, time) &&
           figure_note(run->job,
                       (figure_value){100.0 * fabs(spin / expected - 1.0), "%", NULL,
                                      bar_of(solver, FIGURE_AT_MOST), 10.0},
                       "%s: off what Atwood's machine says (%.3f rad/s)", solver->words, expected) &&
           figure_note(run->job,
                       (figure_value){100.0 * stretch, "%", NULL, bar_of(solver, FIGURE_AT_MOST), 5.0},
                       "%s: largest stretch of the rope", solver->words);
}

static bool run_rope(figure_job *job, const solver_case *solver)
{
    static const double time = 0.6;
    figure_run run;
    char file[FIGURE_TEXT];
    snprintf(file, sizeof file, "vezzaro-4-%s", solver->ending);
    if (!figure_run_open(job, &run, "rope_wheel.json", solver->settings, 1)) {
        return false;
    }
    bool fine = figure_film(&run, time, file, solver->words) && note_rope(&run, solver, time) &&
                figure_picture(&run, file, solver->words) && figure_run_hash(&run, solver->words);
    figure_run_close(&run);
    return fine;
}

static bool figure_4(figure_job *job)
{
    bool fine = true;
    for (int i = 0; i < SOLVER_COUNT && fine; ++i) {
        fine = run_rope(job, &solvers[i]);
    }
    return fine;
}

#define PAPER "Vezzaro 2015"

const figure_item figure_vezzaro_scenes[] = {
    {"vezzaro-1", PAPER, "Figure 1: convergence of the sweeps",
     "One step of each scene is taken again and again with one sweep more. What the last sweep changed, as "
     "the root mean "
     "square of the impulses on nodes and bodies, falls steeply at first and slowly later, as in the paper: "
     "two "
     "sweeps get most of the way.",
     figure_1},
    {"vezzaro-2", PAPER, "Figure 2: jelly, chocolate, dish",
     "Four jellies on a dish catch a bar of chocolate. Each is held in shape in a way of its own (springs, "
     "finite elements, "
     "positions, shape matching), and all four look alike: any model can be coupled with rigid bodies both "
     "ways. With two "
     "sweeps the jellies need the whole of the last step's impulses to begin with, and the cloth of figure 3 "
     "less, or either "
     "explodes.",
     figure_2},
    {"vezzaro-3", PAPER, "Figure 3: a cloth on a sphere, with and without bending",
     "A cloth of 51 × 51 nodes with edges that do not stretch falls on a ball. With rows that resist bending "
     "it folds in "
     "wider curves than without.",
     figure_3},
    {"vezzaro-4", PAPER, "Figure 4: rope, wheel and teapots",
     "A strap of 50 nodes runs over a wheel that turns freely; friction alone drives the wheel. How fast it "
     "turns is "
     "compared with Atwood's machine, with the wheel's inertia and the rope's mass.",
     figure_4},
    {0}};
