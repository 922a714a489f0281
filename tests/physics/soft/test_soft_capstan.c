// A rope over a round beam that does not turn: while it slides, its pulls obey Euler's T₂ = T₁ exp(µφ).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/soft_touch.h"

enum { EDGES = 60 };
static const float step = 1.0f / 60.0f;
static const float beam = 0.2f; // radius [m]
static const float rope_mass = 0.3f, end_mass = 0.2f;

// Half round the beam, the ends pointing down; there is no gravity.
static sn_deformable lay_rope(sn_world *world, float friction)
{
    static float masses[EDGES + 1];
    sn_mesh *mesh = NULL;
    float length = 2.4f, half_arc = 0.5f * SN_PI * (beam + 0.005f), thickness = 0.01f;
    must(sn_mesh_line(length, EDGES, &mesh));
    for (int i = 0; i <= EDGES; ++i) {
        masses[i] = rope_mass / EDGES;
    }
    masses[0] = masses[EDGES] = end_mass;
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.node_masses = masses;
    def.inextensible.on = true;
    def.thickness = thickness;
    def.friction = friction;
    sn_deformable rope = touch_add(world, &def);
    sn_node_state *nodes;
    sn_node_velocity *unused;
    must(sn_deformable_edit(world, rope, &nodes, &unused));
    for (int i = 0; i <= EDGES; ++i) {
        float along = length * ((float)i / EDGES - 0.5f); // from the top
        float round = sn_clamp(along, -half_arc, half_arc), angle = round / (beam + 0.005f);
        float down = sn_abs(along) - sn_abs(round), r = beam + 0.005f;
        nodes[i].position = sn_v(r * sn_sin(angle), r * sn_cos(angle) - down, 0.0f);
    }
    return rope;
}

static sn_world *beam_world(float friction)
{
    sn_world *world = physics_world_without_gravity();
    sn_shape_def material = physics_material(friction, 0.0f);
    sn_capsule round = {{0.0f, 0.0f, -1.0f}, {0.0f, 0.0f, 1.0f}, beam};
    must(sn_capsule_add(world, sn_world_ground(world), &material, round, NULL));
    return world;
}

static void pull(sn_world *world, sn_deformable rope, double weak, double strong, float seconds)
{
    for (int i = 0; i < (int)(seconds / step + 0.5f); ++i) {
        must(sn_node_force_add(world, rope, 0, sn_v(0.0f, (float)-weak, 0.0f)));
        must(sn_node_force_add(world, rope, EDGES, sn_v(0.0f, (float)-strong, 0.0f)));
        must(sn_world_step(world, step));
    }
}

// The rope's speed along itself: the mean of both ends, which swing against each other.
static double speed_of(const sn_world *world, sn_deformable rope)
{
    const sn_node_velocity *velocities = sn_deformable_velocities(world, rope);
    return 0.5 * (double)(velocities[0].velocity.y - velocities[EDGES].velocity.y);
}

// Ratio of the pulls where the rope leaves the beam, averaged over half a second: those on the ends, less
// what moves the straight parts, less the centrifugal ρv², which presses on nothing, and less what moves the
// part on the beam: dT = µ(T − ρv²)dφ + ρra dφ.
static double ratio_while_sliding(double friction, double weak, double strong)
{
    sn_world *world = beam_world((float)friction);
    sn_deformable rope = lay_rope(world, (float)friction);
    pull(world, rope, weak, strong, 0.2f);
    double before = speed_of(world, rope);
    pull(world, rope, weak, strong, 0.5f);
    double after = speed_of(world, rope), speed = 0.5 * (before + after);
    const sn_node_state *nodes = sn_deformable_nodes(world, rope);
    double acceleration = (after - before) / 0.5, per_metre = (double)rope_mass / 2.4,
           r = (double)beam + 0.005;
    double strong_side = (double)end_mass + per_metre * -(double)nodes[EDGES].position.y;
    double weak_side = (double)end_mass + per_metre * -(double)nodes[0].position.y;
    double centrifugal = per_metre * speed * speed, moved = per_metre * r * acceleration / friction;
    sn_world_destroy(world);
    return (strong - strong_side * acceleration - centrifugal + moved) /
           (weak + weak_side * acceleration - centrifugal + moved);
}

static void test_pulls_grow_exponentially_with_friction(void **state)
{
    (void)state;
    const double frictions[] = {0.1, 0.2, 0.3, 0.5};
    for (int i = 0; i < 4; ++i) {
        double expected = exp(frictions[i] * 3.14159265358979);
        check_relative(ratio_while_sliding(frictions[i], 1.0, 1.3 * expected), expected, 0.05,
                       "T2/T1 at friction %.1f", frictions[i]);
    }
}

static void test_it_sticks_below_that_ratio(void **state)
{
    (void)state;
    sn_world *world = beam_world(0.3f);
    sn_deformable rope = lay_rope(world, 0.3f);
    double strong = 0.95 * exp(0.3 * 3.14159265358979);
    pull(world, rope, 1.0, strong, 1.0f);
    float before = sn_deformable_nodes(world, rope)[EDGES].position.y;
    pull(world, rope, 1.0, strong, 1.0f);
    float after = sn_deformable_nodes(world, rope)[EDGES].position.y;
    check_near((double)after, (double)before, 2.0e-3, "where the strong end is after another second [m]");
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_pulls_grow_exponentially_with_friction),
        physics_test(test_it_sticks_below_that_ratio),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
