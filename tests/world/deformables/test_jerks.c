// Weights that fall into the slack of a rope are stopped by it without drawing it out: sub-steps come before
// the jerk, and go again.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/physics.h"

#include <math.h>

typedef struct fall {
    float ratio; // of a weight to a node
    int edges;
    float rate; // steps a second
} fall;

typedef struct outcome {
    double stretch;
    int most, last; // sub-steps
} outcome;

static const float rope_length = 1.0f, clearance = 0.02f, rail_radius = 0.05f;

// A rope of 100 g across a rail, a weight at either end; these are at its height when it begins.
static outcome let_go(fall fall, float seconds)
{
    sn_world *world = physics_world();
    sn_shape_def material = physics_material(0.5f, 0.0f);
    sn_capsule rail = {{0.0f, 0.0f, -0.6f}, {0.0f, 0.0f, 0.6f}, rail_radius};
    must(sn_capsule_add(world, sn_world_ground(world), &material, rail, NULL));
    sn_deformable_def def = sn_deformable_def_default();
    sn_mesh *mesh = NULL;
    must(sn_mesh_line(rope_length, fall.edges, &mesh));
    def.mesh = mesh;
    def.mass = 0.1f;
    def.thickness = 0.01f;
    def.friction = 0.5f;
    def.pose.position = sn_v(0.0f, rail_radius + clearance, 0.0f);
    def.inextensible.on = true;
    sn_deformable rope;
    must(sn_deformable_add(world, &def, &rope));
    sn_mesh_destroy(mesh);
    float mass = fall.ratio * def.mass / (float)(fall.edges + 1);
    for (int side = 0; side < 2; ++side) {
        sn_vec3 place = sn_deformable_nodes(world, rope)[side * fall.edges].position;
        place.z = side == 0 ? -0.1f : 0.1f; // so that they do not meet below the rail
        sn_rigid weight =
            physics_lump(world, mass, physics_ball_inertia(mass, 0.03f), (sn_pose){place, sn_quat_identity});
        sn_anchor_def anchor = sn_anchor_def_default();
        anchor.a = sn_point_node(rope, side * fall.edges);
        anchor.b =
            sn_point_on_rigid(world, weight, sn_deformable_nodes(world, rope)[side * fall.edges].position);
        must(sn_anchor_add(world, &anchor, NULL));
    }
    outcome outcome = {0.0, 0, 0};
    for (int i = 0; i < (int)(seconds * fall.rate); ++i) {
        must(sn_world_step(world, 1.0f / fall.rate));
        sn_statistics statistics = sn_world_statistics(world);
        outcome.stretch = fmax(outcome.stretch, (double)statistics.largest_stretch);
        outcome.last = statistics.sub_steps;
        outcome.most = outcome.last > outcome.most ? outcome.last : outcome.most;
    }
    sn_world_destroy(world);
    return outcome;
}

// By mass, mesh and step.
static void test_ropes_are_not_drawn_out_by_weights_that_fall_into_their_slack(void **state)
{
    (void)state;
    check_below(let_go((fall){5.0f, 40, 60.0f}, 1.5f).stretch, 0.065, "5 nodes");
    check_below(let_go((fall){50.0f, 40, 60.0f}, 1.5f).stretch, 0.11, "50 nodes");
    check_below(let_go((fall){500.0f, 40, 60.0f}, 1.5f).stretch, 0.1, "500 nodes");
    check_below(let_go((fall){50.0f, 20, 60.0f}, 1.5f).stretch, 0.08, "50 nodes, 20 edges");
    check_below(let_go((fall){50.0f, 100, 60.0f}, 1.5f).stretch, 0.15, "50 nodes, 100 edges");
    check_below(let_go((fall){50.0f, 40, 30.0f}, 1.5f).stretch, 0.22, "50 nodes, steps of 1/30 s");
}

static void test_sub_steps_of_a_jerk_go_when_it_is_over(void **state)
{
    (void)state;
    outcome outcome = let_go((fall){5.0f, 40, 60.0f}, 3.0f);
    check_above(outcome.most, 17.0, "most sub-steps");
    check_near(outcome.last, 16.0, 0.0, "sub-steps at rest");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_ropes_are_not_drawn_out_by_weights_that_fall_into_their_slack),
        physics_test(test_sub_steps_of_a_jerk_go_when_it_is_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
