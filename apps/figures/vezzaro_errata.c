// Errata of Vezzaro 2015, each as printed and corrected, on the smallest thing that shows it. Nothing here is
// used by the library; steps are the paper's, 20 ms, with a tenth of an error a step. Tested by
// tests/apps/test_figures_slow.c.
#include "apps/figures/figure.h"
#include "apps/figures/items.h"
#include "scene/message.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define STEP    0.02
#define RATE    (0.1 / STEP) // β [1/s]
#define GRAVITY 9.81

// --- signs and scales of the bias --------------------------------------------------------------------------

// Length of an edge of rest length 1 that begins at 1.2 [m]. Printed (equation 23): J = x, ζ = −β(L − |x|).
static double edge_after(bool printed, int steps)
{
    double length = 1.2;
    for (int i = 0; i < steps; ++i) {
        length += STEP * RATE * (printed ? (length - 1.0) / length : 1.0 - length);
    }
    return length;
}

// How deep a node that begins 1 cm deep is in the floor [m]. Printed: ζ = βε with ε < 0.
static double depth_after(bool printed, int steps)
{
    double height = -0.01, velocity = 0.0;
    for (int i = 0; i < steps; ++i) {
        double free = velocity - STEP * GRAVITY, target = printed ? RATE * height : -RATE * fmin(height, 0.0);
        velocity = height <= 0.0 ? fmax(free, target) : free;
        height += STEP * velocity;
    }
    return -height;
}

// How far a node that hangs on an anchor ends up from it: the largest distance in the last second [m].
// Printed (equations 15 and 20): one row along d, J = d, ζ = −β|d|. Corrected: three rows, ζ = −βd.
static double anchor_after(bool printed, int steps)
{
    double d[3] = {0.3, 0.0, 0.0}, v[3] = {0}, farthest = 0.0;
    for (int i = 0; i < steps; ++i) {
        double free[3] = {v[0], v[1] - STEP * GRAVITY, v[2]};
        double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        double along = d[0] * free[0] + d[1] * free[1] + d[2] * free[2];
        double impulse = square > 0.0 ? (-RATE * sqrt(square) - along) / square : 0.0;
        for (int k = 0; k < 3; ++k) {
            v[k] = printed ? free[k] + impulse * d[k] : -RATE * d[k];
        }
        for (int k = 0; k < 3; ++k) {
            d[k] += STEP * v[k];
        }
        double distance = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        farthest = i >= steps - 50 ? fmax(farthest, distance) : farthest;
    }
    return farthest;
}

static bool note_pair(figure_job *job, const char *what, double printed, double corrected, const char *unit,
                      double limit)
{
    return figure_note(job, (figure_value){.ours = printed, .unit = unit, .paper = "0"}, "%s, as printed",
                       what) &&
           figure_note(job, (figure_value){corrected, unit, "0", FIGURE_AT_MOST, limit}, "%s, corrected",
                       what);
}

static bool bias(figure_job *job)
{
    double x[60], printed[60], corrected[60];
    for (int i = 0; i < 60; ++i) {
        x[i] = STEP * i;
        printed[i] = edge_after(true, i);
        corrected[i] = edge_after(false, i);
    }
    const figure_curve curves[2] = {{"as printed", x, printed, 60, false},
                                    {"corrected", x, corrected, 60, false}};
    return note_pair(job, "error of an edge of 1 m after 60 steps, 0.2 m at first",
                     edge_after(true, 60) - 1.0, fabs(edge_after(false, 60) - 1.0), "m", 0.001) &&
           note_pair(job, "depth in the floor after 2 s, 1 cm at first", depth_after(true, 100),
                     depth_after(false, 100), "m", 0.001) &&
           note_pair(job, "distance of a hung node from its anchor after 3 s", anchor_after(true, 150),
                     anchor_after(false, 150), "m", 0.001) &&
           figure_plot(job, "vezzaro-errata-bias", "Length of an edge that should become 1 m",
                       (figure_axes){"time [s]", "m", false, false}, curves, 2);
}

// --- Algorithm 1 -------------------------------------------------------------------------------------------

enum { ROWS = 3, UNKNOWNS = 9 };

// Two edges and a contact between three particles.
typedef struct small_system {
    double jacobian[ROWS][UNKNOWNS], velocity[UNKNOWNS], force[UNKNOWNS], inverse_mass[UNKNOWNS];
    double target[ROWS], lower[ROWS];
} small_system;

static small_system make_system(void)
{
    static const double places[3][3] = {{0.0, 0.0, 0.0}, {1.0, 0.2, 0.0}, {2.0, 0.0, 0.1}};
    static const double masses[3] = {1.0, 2.0, 0.5};
    small_system s = {.velocity = {0.3, -1.1, 0.8, 0.9, -2.0, -1.3, 0.1, -0.3, 0.0},
                      .target = {0.1, -0.2, 0.05},
                      .lower = {-INFINITY, -INFINITY, 0.0}};
    for (int row = 0; row < 2; ++row) {
        double length = 0.0;
        for (int k = 0; k < 3; ++k) {
            double d = places[row + 1][k] - places[row][k];
            length += d * d;
        }
        for (int k = 0; k < 3; ++k) {
            double d = (places[row + 1][k] - places[row][k]) / sqrt(length);
            s.jacobian[row][3 * row + k] = -d;
            s.jacobian[row][3 * row + 3 + k] = d;
        }
    }
    s.jacobian[2][7] = 1.0;
    for (int i = 0; i < UNKNOWNS; ++i) {
        s.inverse_mass[i] = 1.0 / masses[i / 3];
        s.force[i] = i % 3 == 1 ? -GRAVITY * masses[i / 3] : 0.0;
    }
    return s;
}

static double times(const double *row, const double *vector)
{
    double sum = 0.0;
    for (int i = 0; i < UNKNOWNS; ++i) {
        sum += row[i] * vector[i];
    }
    return sum;
}

// Root mean square of what is left of the rows' targets. Printed: Δλ = d ζ − (d/h) J·I.
static double residual_after(bool printed, int sweeps)
{
    small_system s = make_system();
    double change[UNKNOWNS] = {0}, lambda[ROWS] = {0}, sum = 0.0;
    for (int i = 0; i < sweeps * ROWS; ++i) {
        int row = i % ROWS;
        double inertia = 0.0, now[UNKNOWNS];
        for (int k = 0; k < UNKNOWNS; ++k) {
            inertia += s.jacobian[row][k] * s.jacobian[row][k] * s.inverse_mass[k];
            now[k] = change[k] + (printed ? 0.0 : s.velocity[k] + STEP * s.inverse_mass[k] * s.force[k]);
        }
        double delta = (printed ? s.target[row] : s.target[row] / STEP) - times(s.jacobian[row], now) / STEP;
        double before = lambda[row];
        lambda[row] = fmax(before + delta / inertia, s.lower[row]);
        for (int k = 0; k < UNKNOWNS; ++k) {
            change[k] += STEP * (lambda[row] - before) * s.inverse_mass[k] * s.jacobian[row][k];
        }
    }
    for (int row = 0; row < ROWS; ++row) {
        double velocity[UNKNOWNS];
        for (int k = 0; k < UNKNOWNS; ++k) {
            velocity[k] = s.velocity[k] + change[k] + STEP * s.inverse_mass[k] * s.force[k];
        }
        double left = times(s.jacobian[row], velocity) - s.target[row];
        left = s.lower[row] == 0.0 && lambda[row] <= 0.0 ? fmin(left, 0.0) : left; // open contacts may part
        sum += left * left;
    }
    return sqrt(sum / ROWS);
}

static bool algorithm(figure_job *job)
{
    double x[20], printed[20], corrected[20];
    for (int i = 0; i < 20; ++i) {
        x[i] = i + 1;
        printed[i] = residual_after(true, i + 1);
        corrected[i] = fmax(residual_after(false, i + 1), 1e-12);
    }
    const figure_curve curves[2] = {{"as printed", x, printed, 20, false},
                                    {"corrected", x, corrected, 20, false}};
    return note_pair(job, "residual of three rows after 20 sweeps", printed[19], corrected[19], "m/s",
                     1e-6) &&
           figure_plot(job, "vezzaro-errata-algorithm", "Residual of three rows by Algorithm 1",
                       (figure_axes){"sweep", "m/s", false, true}, curves, 2);
}

// --- dummy nodes and averages ------------------------------------------------------------------------------

// A ball flies at a free sheet; nothing else is there, so momentum should stay.
static bool momentum_change(figure_job *job, bool dummy_nodes, double *change)
{
    static const char text[] = "{\"sinew\": 1, \"step\": 0.02, \"world\": {\"gravity\": [0, 0, 0], "
                               "\"solver\": \"staggered\", \"sleep\": false, "
                               "\"long_range\": \"off\"}, \"bodies\": [{\"name\": \"ball\", \"mass\": 1, "
                               "\"position\": [0, 0.35, 0], "
                               "\"linear_velocity\": [0, -2, 0], \"shape\": {\"type\": \"sphere\", "
                               "\"radius\": 0.2}}], \"deformables\": [{\"name\": "
                               "\"sheet\", \"rotation\": {\"axis\": [1, 0, 0], \"angle\": -90}, \"mass\": 1, "
                               "\"mesh\": {\"type\": \"grid\", "
                               "\"width\": 1, \"height\": 1, \"columns\": 16, \"rows\": 16}, "
                               "\"inextensible\": {\"side\": \"both\"}}]}";
    figure_run run;
    bool fine = figure_run_parse(job, &run, text, "ball and sheet",
                                 dummy_nodes ? "world.staggered.dummy_nodes=true" : "", 1);
    double start = fine ? sn_world_energy(run.world).momentum[1] : 0.0;
    fine = fine && figure_run_until(&run, 0.6) &&
           figure_run_hash(&run, dummy_nodes ? "dummy nodes" : "barycentric rows");
    if (fine) {
        sn_deformable_measure sheet = sn_deformable_measure_now(run.world, figure_deformable(&run, "sheet"));
        double ball = (double)sn_rigid_linear_velocity(run.world, figure_body(&run, "ball")).y;
        *change = 100.0 * fabs((double)(sheet.mass * sheet.velocity.y) + ball - start) / fabs(start);
    }
    figure_run_close(&run);
    return fine;
}

// How far a box on so many contacts sinks in a second [m], with the mean of the impulses, or their sum.
static double sunk_after_a_second(bool mean, int contacts)
{
    double velocity = 0.0, sunk = 0.0;
    for (int step = 0; step < 50; ++step) {
        double impulses[8] = {0}, now = velocity - STEP * GRAVITY, sum = 0.0;
        for (int i = 0; i < 10 * contacts; ++i) {
            double before = impulses[i % contacts];
            impulses[i % contacts] = fmax(before - now, 0.0);
            now += impulses[i % contacts] - before;
        }
        for (int i = 0; i < contacts; ++i) {
            sum += impulses[i];
        }
        velocity += sum / (mean ? contacts : 1) - STEP * GRAVITY;
        sunk -= STEP * velocity;
    }
    return sunk;
}

static bool dummies(figure_job *job)
{
    double printed = 0.0, corrected = 0.0;
    return momentum_change(job, true, &printed) && momentum_change(job, false, &corrected) &&
           note_pair(job,
                     "momentum lost or made when a ball hits a free sheet (dummy nodes; barycentric rows)",
                     printed, corrected, "%", 0.1) &&
           note_pair(job,
                     "how far a box on eight contacts sinks in a second (mean of the impulses; their sum)",
                     sunk_after_a_second(true, 8), fabs(sunk_after_a_second(false, 8)), "m", 1e-6);
}

// --- friction ----------------------------------------------------------------------------------------------

// How fast a box creeps down a slope of 20° that should hold it [m/s]. Printed: no rows of friction where
// nothing slides at the beginning of a step.
static double creep(bool printed)
{
    double velocity = 0.0, way = 0.0;
    for (int i = 0; i < 100; ++i) {
        bool has_rows = !printed || fabs(velocity) > 1e-9;
        velocity += STEP * GRAVITY * sin(20.0 * 3.14159265358979 / 180.0);
        velocity = has_rows ? 0.0 : velocity; // friction is strong enough to stop it
        way += STEP * velocity;
    }
    return way / (100 * STEP);
}

static bool friction(figure_job *job)
{
    // A strap of 50 N over a wheel, twenty contacts on half of it: ρ = m g |sin φ| at the top, against T Δφ.
    static const double tension = 50.0, mass = 0.05;
    double printed = mass * GRAVITY, real = tension * 3.14159265358979 / 20.0;
    return note_pair(job, "speed of a box that should stand on a slope of 20°", creep(true), creep(false),
                     "m/s", 1e-9) &&
           figure_note(job, (figure_value){.ours = printed, .unit = "N", .paper = "μρ, ρ = m |g·n|"},
                       "normal force at a contact of a strap on a wheel, as printed") &&
           figure_note(job, (figure_value){.ours = real, .unit = "N"},
                       "normal force at the same contact by the strap's tension of %.0f N", tension);
}

#define PAPER "Vezzaro 2015"

const figure_item figure_vezzaro_errata[] = {
    {"vezzaro-errata-bias", PAPER, "Erratum: signs and scales of the bias",
     "As printed, edges that are too long become longer, what overlaps is pulled in deeper, and an anchor of "
     "one row, "
     "whose gradient vanishes where it is met, lets its node wander about.",
     bias},
    {"vezzaro-errata-algorithm", PAPER, "Erratum: Algorithm 1",
     "The printed algorithm lacks the velocities and forces of the step, and a factor 1/h of the bias: it "
     "converges to "
     "something else.",
     algorithm},
    {"vezzaro-errata-dummy", PAPER, "Erratum: dummy nodes and averaged impulses",
     "The paper gives every contact a node of its own and copies what it gets to the face, averaged. Action "
     "is not "
     "reaction then. Weights of the face's nodes keep momentum exactly; Sinew has both, for comparison.",
     dummies},
    {"vezzaro-errata-friction", PAPER, "Erratum: friction",
     "Rows of friction are left out where nothing slides, so what rests creeps in every second step; and the "
     "limit "
     "ignores loads and tension.",
     friction},
    {0}};
