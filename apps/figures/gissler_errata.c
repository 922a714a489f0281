// Errata of Gissler 2006: what its forces do to a node of mass m on a spring that is to be at a nail, by
// integrator, as printed and corrected. Nothing here is used by the library. Tested by
// tests/apps/test_figures_slow.c.
#include "apps/figures/figure.h"
#include "apps/figures/items.h"
#include "scene/message.h"

#include <math.h>
#include <string.h>

#define STEP      0.01
#define MASS      0.7
#define STIFFNESS 400.0

typedef enum scheme { VERLET, CROMER, MIDPOINT, HEUN, IMPLICIT, SCHEMES } scheme;

typedef struct point {
    double x[3], v[3], before[3]; // before: the place one step ago, for Verlet
} point;

static double force(double x, int axis)
{
    return -STIFFNESS * x - (axis == 1 ? MASS * 9.81 : 0.0);
}

// One step with a constant force `extra` besides.
static point advance(scheme scheme, const point *p, const double extra[3])
{
    point next = *p;
    for (int k = 0; k < 3; ++k) {
        double x = p->x[k], v = p->v[k], a = (force(x, k) + extra[k]) / MASS;
        switch (scheme) {
        case VERLET:
            next.x[k] = 2.0 * x - p->before[k] + STEP * STEP * a;
            next.v[k] = (next.x[k] - p->before[k]) / (2.0 * STEP);
            break;
        case MIDPOINT:
            next.x[k] = x + STEP * (v + 0.5 * STEP * a);
            next.v[k] = v + STEP * (force(x + 0.5 * STEP * v, k) + extra[k]) / MASS;
            break;
        case HEUN:
            next.x[k] = x + 0.5 * STEP * (2.0 * v + STEP * a);
            next.v[k] = v + 0.5 * STEP * (a + (force(x + STEP * v, k) + extra[k]) / MASS);
            break;
        case IMPLICIT:
            next.v[k] = (v + STEP * a) / (1.0 + STEP * STEP * STIFFNESS / MASS);
            next.x[k] = x + STEP * next.v[k];
            break;
        default:
            next.v[k] = v + STEP * a;
            next.x[k] = x + STEP * next.v[k];
            break;
        }
        next.before[k] = x;
    }
    return next;
}

// c of x⁺ = A s + c F.
static double response(scheme scheme, bool printed)
{
    double c = STEP * STEP / MASS;
    if (scheme == MIDPOINT || scheme == HEUN) {
        return 0.5 * c;
    }
    return scheme == IMPLICIT && !printed ? STEP * STEP / (MASS + STEP * STEP * STIFFNESS) : c;
}

static double length(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

typedef struct outcome {
    double error, speed; // largest of the last steps: distance from the nail [m], [m/s]
} outcome;

static outcome nail(scheme scheme, bool printed, int steps, double *speeds)
{
    static const double goal[3] = {0.3, -0.2, 0.5}, none[3] = {0};
    point p = {.x = {1.0, 0.0, 0.0}, .v = {0.5, 1.0, -0.3}};
    outcome out = {0};
    for (int k = 0; k < 3; ++k) {
        p.before[k] = p.x[k] - STEP * p.v[k];
    }
    for (int i = 0; i < steps; ++i) {
        point free = advance(scheme, &p, none);
        double extra[3];
        for (int k = 0; k < 3; ++k) {
            extra[k] = (goal[k] - free.x[k]) / response(scheme, printed);
        }
        point next = advance(scheme, &p, extra);
        for (int k = 0; k < 3 && !printed && (scheme == MIDPOINT || scheme == HEUN); ++k) {
            next.v[k] = (next.x[k] - p.x[k]) / STEP;
        }
        p = next;
        speeds[i] = length(p.v, none);
        out.error = i >= steps - 5 ? fmax(out.error, length(p.x, goal)) : 0.0;
        out.speed = i >= steps - 5 ? fmax(out.speed, speeds[i]) : 0.0;
    }
    return out;
}

static bool integrators(figure_job *job)
{
    enum { STEPS = 20 };
    static const char *const names[SCHEMES] = {"Verlet", "Euler-Cromer", "midpoint", "Heun (RK2)",
                                               "implicit Euler"};
    double x[STEPS], speeds[SCHEMES][2][STEPS];
    for (int i = 0; i < STEPS; ++i) {
        x[i] = i + 1;
    }
    for (int i = 0; i < SCHEMES; ++i) {
        outcome printed = nail((scheme)i, true, STEPS, speeds[i][0]),
                corrected = nail((scheme)i, false, STEPS, speeds[i][1]);
        if (!figure_note(job, (figure_value){.ours = printed.error, .unit = "m", .paper = "0"},
                         "%s, as printed: distance of a nailed point from its nail", names[i]) ||
            !figure_note(job, (figure_value){corrected.error, "m", "0", FIGURE_AT_MOST, 1e-12},
                         "%s, corrected: distance", names[i]) ||
            !figure_note(job, (figure_value){.ours = printed.speed, .unit = "m/s", .paper = "0"},
                         "%s, as printed: speed of a nailed point", names[i]) ||
            !figure_note(job, (figure_value){corrected.speed, "m/s", "0", FIGURE_AT_MOST, 1e-9},
                         "%s, corrected: speed", names[i])) {
            return false;
        }
    }
    const figure_curve curves[4] = {{"midpoint, as printed", x, speeds[MIDPOINT][0], STEPS, false},
                                    {"midpoint, corrected", x, speeds[MIDPOINT][1], STEPS, false},
                                    {"implicit Euler, as printed", x, speeds[IMPLICIT][0], STEPS, false},
                                    {"Verlet", x, speeds[VERLET][0], STEPS, false}};
    return figure_plot(job, "gissler-errata", "Speed of a point that is nailed, and should rest",
                       (figure_axes){"step", "m/s", false, false}, curves, 4);
}

const figure_item figure_gissler_errata[] = {
    {"gissler-errata", "Gissler 2006", "Erratum: integrators that flip velocities",
     "The force that puts a point on its nail in one step of the midpoint or the Heun scheme turns its "
     "velocity about in "
     "every step, and makes it grow; with implicit Euler the printed factor misses the nail. Corrected: the "
     "velocity is "
     "that of the step taken, and the factor is that of the spring too.",
     integrators},
    {0}};
