// A strand of inextensible edges that hangs between two points: y = a cosh(x/a), 2a sinh(d/2a) = L.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/physics.h"

#include <math.h>

enum { EDGES = 40 };
static const float length = 2.0f, distance = 1.2f;

// a, by bisection.
static double parameter_of(double arc, double span)
{
    double lower = 0.01, upper = 100.0;
    for (int i = 0; i < 100; ++i) {
        double middle = 0.5 * (lower + upper);
        *(2.0 * middle * sinh(0.5 * span / middle) > arc ? &lower : &upper) = middle;
    }
    return lower;
}

static double horizontal_pull(const sn_world *world, sn_deformable strand, double mass)
{
    // By the slope of the first edge: the upright pull there is half the weight.
    const sn_node_state *nodes = sn_deformable_nodes(world, strand);
    sn_vec3 along = sn_sub(nodes[1].position, nodes[0].position);
    return (double)(along.x / -along.y) * 0.5 * mass * physics_gravity * (1.0 - 1.0 / EDGES);
}

static void check_hanging_strand(float step, sn_limit_side side)
{
    sn_world *world = physics_world();
    sn_mesh *mesh = NULL;
    must(sn_mesh_line(length, EDGES, &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.density = 0.1f;
    def.inextensible.on = true;
    def.inextensible.side = side;
    def.linear_damping = 2.0f;
    sn_deformable strand;
    must(sn_deformable_add(world, &def, &strand));
    must(sn_node_fix(world, strand, 0, true));
    must(sn_node_fix(world, strand, EDGES, true));
    // The ends come together within a second.
    int steps = (int)lround(1.0 / (double)step);
    for (int i = 1; i <= steps; ++i) {
        float half = 0.5f * (length + (distance - length) * (float)i / (float)steps);
        must(sn_node_target_set(world, strand, 0, sn_v(-half, 0.0f, 0.0f)));
        must(sn_node_target_set(world, strand, EDGES, sn_v(half, 0.0f, 0.0f)));
        must(sn_world_step(world, step));
    }
    physics_run(world, step, 9.0f);
    const sn_node_state *nodes = sn_deformable_nodes(world, strand);
    double a = parameter_of((double)length, (double)distance), end = cosh(0.5 * (double)distance / a);
    for (int i = 5; i < EDGES; i += 5) {
        // By arc length: s = a sinh(x/a).
        double s = (double)length * ((double)i / EDGES - 0.5), x = a * asinh(s / a);
        check_near((double)nodes[i].position.x, x, 0.01 * (double)distance, "node %d: x", i);
        check_relative(-(double)nodes[i].position.y, a * (end - cosh(x / a)), 0.01, "node %d: sag", i);
    }
    double mass = 0.1 * (double)length;
    check_relative(horizontal_pull(world, strand, mass), mass * physics_gravity / (double)length * a, 0.01,
                   "horizontal pull");
    // Hard rows give way by force/stiffness, and their stiffness grows with the square of the sub-steps'
    // rate.
    double coarseness = (double)step / (double)physics_steps[0];
    check_below((double)sn_deformable_measure_now(world, strand).largest_stretch,
                4e-3 * coarseness * coarseness, "stretch");
    sn_mesh_destroy(mesh);
    sn_world_destroy(world);
}

static void test_a_hanging_strand_is_a_catenary_within_1_percent(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        check_hanging_strand(physics_steps[s], SN_HOLD_BOTH);
        check_hanging_strand(physics_steps[s], SN_HOLD_STRETCH);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_hanging_strand_is_a_catenary_within_1_percent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
