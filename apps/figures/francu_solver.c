// Frâncu and Moldoveanu 2017, what its solver is made of: Newmark's rule, residuals of its iterations, finite
// elements as constraints against linear elasticity.
// Tested by tests/apps/test_figures_slow.c.
#include "apps/figures/figure.h"
#include "apps/figures/items.h"
#include "apps/figures/linear_elasticity.h"
#include "scene/message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// --- Newmark -----------------------------------------------------------------------------------------------

enum { MOST_POINTS = 1300 };

// Of the bob of scenes/spring_pendulum.json: kinetic, of gravity, of the spring [J].
static double pendulum_energy(const figure_run *run)
{
    static const double stiffness = 40.0, length = 1.0;
    sn_vec3 spring = sn_sub(sn_rigid_position(run->world, figure_body(run, "bob")), sn_v(0.0f, 2.0f, 0.0f));
    double stretch = (double)sn_length(spring) - length;
    sn_energy energy = sn_world_energy(run->world);
    return energy.kinetic + energy.potential + 0.5 * stiffness * stretch * stretch;
}

static bool swing(figure_job *job, const char *settings, double time, double *times, double *energies,
                  int *count)
{
    figure_run run;
    bool fine = figure_run_open(job, &run, "spring_pendulum.json", settings, 1);
    *count = 0;
    while (fine && sn_world_time(run.world) < time && *count < MOST_POINTS) {
        times[*count] = sn_world_time(run.world);
        energies[(*count)++] = pendulum_energy(&run);
        fine = figure_run_step(&run);
    }
    fine = fine && figure_run_hash(&run, settings);
    figure_run_close(&run);
    return fine;
}

static bool newmark(figure_job *job)
{
    static double times[2][MOST_POINTS], energies[2][MOST_POINTS];
    static const char *const settings[2] = {"world.position.newmark=true", "world.position.newmark=false"};
    static const char *const names[2] = {"Newmark, β = ¼, γ = ½", "implicit Euler"};
    figure_curve curves[2];
    // What the bob, 1.07 kg, releases by falling as far as the spring is long [J].
    static const double released = 1.0724 * 9.81 * 1.0;
    double time = job->quick ? 5.0 : 20.0;
    for (int i = 0; i < 2; ++i) {
        int count;
        if (!swing(job, settings[i], time, times[i], energies[i], &count)) {
            return false;
        }
        double lowest = energies[i][0], highest = energies[i][0];
        for (int k = 0; k < count; ++k) {
            lowest = fmin(lowest, energies[i][k]);
            highest = fmax(highest, energies[i][k]);
        }
        curves[i] = (figure_curve){names[i], times[i], energies[i], count, false};
        if (!figure_note(job,
                         (figure_value){100.0 * (highest - lowest) / released, "%",
                                        i == 0 ? "keeps energy" : "loses it",
                                        i == 0 ? FIGURE_AT_MOST : FIGURE_AT_LEAST, i == 0 ? 5.0 : 20.0},
                         "%s: range of the energy in %.0f s, of what a fall by the spring's length releases",
                         names[i], time)) {
            return false;
        }
    }
    return figure_plot(job, "francu-newmark", "Energy of a spring pendulum",
                       (figure_axes){"time [s]", "J", false, false}, curves, 2);
}

// --- residuals ---------------------------------------------------------------------------------------------

enum { SWEEPS = 120 };

// It hangs from its upper side, where edges carry all that is below.
static const char cloth[] =
    "{\"sinew\": 1, \"world\": {\"solver\": \"position\", \"sub_steps\": 1, \"sleep\": false, "
    "\"long_range\": \"off\", "
    "\"position\": {\"iterations\": 120, \"monitor\": true}}, \"deformables\": [{\"name\": \"cloth\", "
    "\"position\": [0, 1, "
    "0], \"mass\": 0.2, \"mesh\": {\"type\": \"grid\", \"width\": 1, \"height\": 1, \"columns\": 14, "
    "\"rows\": 14}, "
    "\"inextensible\": {\"side\": \"both\"}, \"collide\": false, \"fixed\": {\"part\": \"top\"}}]}";

// The largest error of any edge before each iteration of one step [mm].
static bool residuals_of(figure_job *job, const char *method, double *x, double *errors, int *count)
{
    char settings[FIGURE_TEXT];
    sn_residual residuals[SWEEPS];
    figure_run run;
    snprintf(settings, sizeof settings, "world.position.method=%s", method);
    bool fine = figure_run_parse(job, &run, cloth, "hung cloth", settings, 1) && figure_run_until(&run, 0.1);
    *count = fine ? sn_world_residuals(run.world, residuals, SWEEPS) : 0;
    *count = *count < SWEEPS ? *count : SWEEPS;
    for (int i = 0; i < *count; ++i) {
        x[i] = i + 1;
        errors[i] = 1000.0 * (double)residuals[i].primal;
    }
    fine = fine && figure_run_hash(&run, method);
    figure_run_close(&run);
    return fine;
}

static bool residuals(figure_job *job)
{
    enum { METHODS = 3 };
    static double x[METHODS][SWEEPS], errors[METHODS][SWEEPS];
    static const char *const methods[METHODS] = {"gauss_seidel", "jacobi_accelerated", "jacobi"};
    static const char *const names[METHODS] = {"Gauss-Seidel", "accelerated Jacobi", "Jacobi"};
    figure_curve curves[METHODS];
    for (int i = 0; i < METHODS; ++i) {
        int count;
        if (!residuals_of(job, methods[i], x[i], errors[i], &count) ||
            !figure_note(job, (figure_value){count, "", NULL, FIGURE_EQUAL, SWEEPS}, "%s: iterations",
                         names[i]) ||
            !figure_note(job, (figure_value){.ours = errors[i][SWEEPS - 1], .unit = "mm"},
                         "%s: largest error of an edge of 71 mm before the last of them", names[i])) {
            return false;
        }
        curves[i] = (figure_curve){names[i], x[i], errors[i], count, false};
    }
    return figure_note(job, (figure_value){.ours = errors[0][5] / errors[1][5], .unit = ""},
                       "after five iterations: error of Gauss-Seidel over that of accelerated Jacobi") &&
           figure_note(
               job,
               (figure_value){errors[1][SWEEPS - 1] / errors[0][SWEEPS - 1], "", NULL, FIGURE_AT_MOST, 1.0},
               "at the end: error of accelerated Jacobi over that of Gauss-Seidel") &&
           figure_note(
               job,
               (figure_value){errors[0][SWEEPS - 1] / errors[2][SWEEPS - 1], "", NULL, FIGURE_AT_MOST, 1.0},
               "at the end: error of Gauss-Seidel over that of Jacobi") &&
           figure_plot(job, "francu-residuals", "Largest error of an edge of a hung cloth, by iteration",
                       (figure_axes){"iteration", "mm", false, true}, curves, METHODS);
}

// --- finite elements ---------------------------------------------------------------------------------------

// A beam of 1 × 0.2 × 0.2 m held at one end, of so many cells across, under a tenth of gravity.
static bool open_beam(figure_job *job, figure_run *run, int cells, const char *settings)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "{\"sinew\": 1, \"world\": {\"gravity\": [0, -1, 0], \"sleep\": false}, \"deformables\": [{\"name\": "
        "\"beam\", \"position\": [0, 1, 0], \"density\": 1000, \"mesh\": {\"type\": \"box\", \"size\": [1, "
        "0.2, "
        "0.2], \"cells\": [%d, %d, %d]}, \"model\": {\"type\": \"corotational\", \"young\": 1e6, "
        "\"poisson\": 0.3, "
        "\"damping\": 0.05}, \"linear_damping\": 8, \"collide\": false, \"fixed\": {\"part\": \"left\"}}], "
        "\"cameras\": [{\"eye\": [0.6, 1.4, 2.2], \"target\": [0, 1, 0], \"field_of_view\": 34}]}",
        5 * cells, cells, cells);
    return figure_run_parse(job, run, text, "beam", settings, 1);
}

// How far the free end sinks by linear elasticity [m].
static bool linear_tip(const figure_run *run, double *tip)
{
    sn_deformable beam = figure_deformable(run, "beam");
    const sn_mesh *mesh = sn_deformable_mesh(run->world, beam);
    const sn_node_state *nodes = sn_deformable_nodes(run->world, beam);
    int count = sn_mesh_node_count(mesh), ends = 0;
    bool *fixed = calloc((size_t)count, sizeof *fixed);
    double *u = calloc(3 * (size_t)count, sizeof *u);
    bool fine = fixed != NULL && u != NULL;
    for (int i = 0; i < count && fine; ++i) {
        fixed[i] = nodes[i].inverse_mass == 0.0f;
    }
    linear_problem problem = {mesh, fixed, 1e6, 0.3, 1000.0, {0.0, -1.0, 0.0}};
    fine = fine && linear_elasticity_solve(&problem, u);
    *tip = 0.0;
    for (int i = 0; i < count && fine; ++i) {
        if (sn_mesh_nodes(mesh)[i].x > 0.499f) {
            *tip -= u[3 * i + 1];
            ++ends;
        }
    }
    *tip /= ends > 0 ? ends : 1;
    free(fixed);
    free(u);
    if (!fine) {
        sn_scene_fail(SN_ERROR_NOT_CONVERGED, "linear elasticity did not converge");
    }
    return fine;
}

static double tip_of(const figure_run *run)
{
    sn_deformable beam = figure_deformable(run, "beam");
    const sn_mesh *mesh = sn_deformable_mesh(run->world, beam);
    const sn_node_state *nodes = sn_deformable_nodes(run->world, beam);
    double sum = 0.0;
    int ends = 0;
    for (int i = 0; i < sn_mesh_node_count(mesh); ++i) {
        if (sn_mesh_nodes(mesh)[i].x > 0.499f) {
            sum += 1.0 + (double)sn_mesh_nodes(mesh)[i].y - (double)nodes[i].position.y;
            ++ends;
        }
    }
    return ends > 0 ? sum / ends : 0.0;
}

static bool bend(figure_job *job, int cells, const char *settings, const char *words, bool picture)
{
    // Bernoulli's beam under its own weight: ρ g L⁴ · 12 / (8 E h²).
    static const double theory = 1000.0 * 1.0 * 12.0 / (8.0 * 1e6 * 0.04);
    figure_run run;
    double linear = 0.0;
    bool fine = open_beam(job, &run, cells, settings) && linear_tip(&run, &linear) &&
                figure_run_until(&run, job->quick ? 2.0 : 4.0);
    fine = fine && (!picture || figure_picture(&run, "francu-fem", "A beam under its own weight")) &&
           figure_run_hash(&run, words);
    fine = fine &&
           figure_note(
               job, (figure_value){100.0 * fabs(tip_of(&run) / linear - 1.0), "%", NULL, FIGURE_AT_MOST, 3.0},
               "%s, %d cells across: sag of the end off that of linear elements (%.2f mm)", words, cells,
               1000.0 * linear) &&
           figure_note(job, (figure_value){.ours = tip_of(&run) / theory},
                       "%s, %d cells across: sag over that of a beam", words, cells);
    figure_run_close(&run);
    return fine;
}

static bool elements(figure_job *job)
{
    static const char position[] = "world.solver=position world.sub_steps=8 world.position.iterations=20";
    return bend(job, 2, position, "position solver", false) && bend(job, 2, "", "velocity solver", false) &&
           (job->quick ||
            (bend(job, 4, position, "position solver", true) && bend(job, 4, "", "velocity solver", false)));
}

#define PAPER "Frâncu 2017"

const figure_item figure_francu_solver[] = {
    {"francu-newmark", PAPER, "Energy by Newmark's rule",
     "A pendulum on a spring, without damping. By implicit Euler, which position solvers are as a rule, it "
     "comes to rest; "
     "by Newmark's rule it swings on.",
     newmark},
    {"francu-residuals", PAPER, "Residuals of the iterations",
     "One step of a cloth that hangs from its upper side. Gauss-Seidel is ahead at first; acceleration pays "
     "later.",
     residuals},
    {"francu-fem", PAPER, "Finite elements against linear elasticity",
     "A beam sags under its own weight. Elements as rows of the solver are compared with the linear solution "
     "on the same "
     "mesh, found by conjugate gradients; both are stiffer than a beam, as linear tetrahedra are.",
     elements},
    {0}};
