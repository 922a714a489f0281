// Errata of Frâncu 2017: friction as a convex cone, and the map from angular velocities to rates of
// quaternions. Nothing here is used by the library. Tested by tests/apps/test_figures_slow.c.
#include "apps/figures/figure.h"
#include "apps/figures/items.h"
#include "scene/message.h"

#include <math.h>

typedef struct pair {
    double tangent, normal;
} pair;

static pair project(pair force, double friction)
{
    double size = fabs(force.tangent);
    if (size <= friction * force.normal) {
        return force;
    }
    if (friction * size <= -force.normal) {
        return (pair){0.0, 0.0};
    }
    double normal = (friction * size + force.normal) / (friction * friction + 1.0);
    return (pair){copysign(friction * normal, force.tangent), normal};
}

// A block of 1 kg slides at 2 m/s, one step of 10 ms by projected gradients on the friction cone;
// `correction` is added to the normal velocity (De Saxcé).
static pair slide(double friction, double correction)
{
    const pair free = {2.0, -9.81 * 0.01};
    pair force = {0.0, 0.0};
    for (int i = 0; i < 2000; ++i) {
        pair v = {free.tangent + force.tangent, free.normal + force.normal + correction};
        force = project((pair){force.tangent - 0.5 * v.tangent, force.normal - 0.5 * v.normal}, friction);
    }
    return (pair){free.tangent + force.tangent, free.normal + force.normal};
}

static bool cone(figure_job *job)
{
    static const double friction = 0.5;
    pair printed = slide(friction, 0.0), corrected = printed;
    for (int i = 0; i < 30; ++i) {
        corrected = slide(friction, friction * fabs(corrected.tangent));
    }
    double coulomb = 2.0 - friction * 9.81 * 0.01;
    return figure_note(job, (figure_value){.ours = printed.normal, .unit = "m/s", .paper = "0"},
                       "convex cone: speed at which a block that slides at 2 m/s lifts off") &&
           figure_note(job, (figure_value){fabs(corrected.normal), "m/s", "0", FIGURE_AT_MOST, 1e-6},
                       "with De Saxcé's correction") &&
           figure_note(job,
                       (figure_value){fabs(corrected.tangent - coulomb), "m/s", NULL, FIGURE_AT_MOST, 1e-6},
                       "with the correction: off Coulomb's %.5f m/s", coulomb);
}

static bool quaternions(figure_job *job)
{
    // Columns of L are ½ (0, e_k) q.
    const double q[4] = {0.5, -0.1, 0.7, 0.5}; // w, x, y, z of unit length
    double columns[3][4] = {
        {-q[1], q[0], -q[3], q[2]}, {-q[2], q[3], q[0], -q[1]}, {-q[3], -q[2], q[1], q[0]}};
    double diagonal = 0.0;
    for (int i = 0; i < 4; ++i) {
        diagonal += 0.25 * columns[0][i] * columns[0][i];
    }
    return figure_note(job, (figure_value){fabs(diagonal - 0.25), "", "1", FIGURE_AT_MOST, 1e-12},
                       "diagonal of the product of L with itself, off a quarter");
}

#define PAPER "Frâncu 2017"

const figure_item figure_francu_errata[] = {
    {"francu-errata-cone", PAPER, "Erratum: friction as a convex cone",
     "Where friction is a projection on a cone, what slides is pushed off the ground, as fast as it slides "
     "times the "
     "coefficient. De Saxcé's correction, or limits of the same sweep's normal forces as in Sinew, give "
     "Coulomb's law.",
     cone},
    {"francu-errata-quaternions", PAPER, "Erratum: the map of quaternion rates",
     "The product of L with itself is a quarter of the identity, not the identity.", quaternions},
    {0}};
