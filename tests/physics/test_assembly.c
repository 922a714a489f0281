// sn_world_assemble: what was placed roughly is put together before the first step.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"
#include "support/random.h"

enum { LINKS = 12 };
static const float spacing = 0.5f;

// Links in a row along x from the origin; joints in between and one to the ground. Then every link is moved
// and turned at random by up to `disorder` (metres and about radians).
static void make_chain(sn_world *world, sn_rigid links[LINKS], sn_constraint joints[LINKS], float disorder)
{
    sn_rigid previous = sn_world_ground(world);
    for (int i = 0; i < LINKS; ++i) {
        sn_shape_def material = physics_material(0.5f, 0.0f);
        sn_pose pose = physics_at(spacing * ((float)i + 0.5f), 0, 0);
        links[i] = physics_box(world, material, sn_v(0.2f, 0.05f, 0.05f), pose);
        sn_vec3 point = sn_v(spacing * (float)i, 0.0f, 0.0f);
        sn_ball_def ball = sn_ball_def_default();
        sn_hinge_def hinge = sn_hinge_def_default();
        sn_fixed_def fixed = sn_fixed_def_default();
        if (i % 3 == 0) {
            must(sn_constraint_place(world, &ball.common, previous, links[i], point, sn_v(1, 0, 0)));
            must(sn_ball_add(world, &ball, &joints[i]));
        } else if (i % 3 == 1) {
            must(sn_constraint_place(world, &hinge.common, previous, links[i], point, sn_v(0, 0, 1)));
            must(sn_hinge_add(world, &hinge, &joints[i]));
        } else {
            must(sn_constraint_place(world, &fixed.common, previous, links[i], point, sn_v(0, 0, 1)));
            must(sn_fixed_add(world, &fixed, &joints[i]));
        }
        previous = links[i];
    }
    test_random random = {31};
    for (int i = 0; i < LINKS; ++i) {
        sn_pose pose = sn_rigid_pose(world, links[i]);
        sn_vec3 turn = test_random_vec3(&random, disorder);
        pose.position = sn_add(pose.position, test_random_vec3(&random, disorder));
        pose.rotation = sn_quat_normalize(sn_quat_multiply(sn_quat_exponential(turn), pose.rotation));
        must(sn_rigid_pose_set(world, links[i], pose));
    }
}

static void test_a_roughly_placed_chain_is_assembled_within_1e_5(void **state)
{
    (void)state;
    const float disorders[] = {0.02f, 0.1f, 0.3f};
    for (int d = 0; d < 3; ++d) {
        sn_world *world = physics_world();
        sn_rigid links[LINKS];
        sn_constraint joints[LINKS];
        make_chain(world, links, joints, disorders[d]);
        double before = 0.0, after = 0.0;
        for (int i = 0; i < LINKS; ++i) {
            before = fmax(before, (double)sn_constraint_error(world, joints[i]));
        }
        sn_assembly report = {0};
        sn_status status = sn_world_assemble(world, 1.0e-5f, 10000, &report);
        for (int i = 0; i < LINKS; ++i) {
            after = fmax(after, (double)sn_constraint_error(world, joints[i]));
        }
        check_true(status == SN_OK, "disorder %g: assembled in %d sweeps", (double)disorders[d],
                   report.iterations);
        check_above(before, (double)disorders[d], "  largest error before");
        check_below(after, 1e-5, "  largest error after");
        check_near((double)report.unmet_count, 0.0, 0.0, "  unmet");
        sn_world_destroy(world);
    }
}

// The next step finds nothing to correct: no joint jerks.
static void test_an_assembled_chain_does_not_jump_in_its_first_step(void **state)
{
    (void)state;
    sn_world *world = physics_world_without_gravity();
    sn_rigid links[LINKS];
    sn_constraint joints[LINKS];
    make_chain(world, links, joints, 0.1f);
    must(sn_world_assemble(world, 1.0e-5f, 10000, NULL));
    sn_vec3 before[LINKS];
    for (int i = 0; i < LINKS; ++i) {
        before[i] = sn_rigid_position(world, links[i]);
        check_below((double)sn_length(sn_rigid_linear_velocity(world, links[i])), 0.0, "speed of link %d", i);
    }
    physics_run(world, physics_steps[0], 1.0f);
    double farthest = 0.0;
    for (int i = 0; i < LINKS; ++i) {
        farthest = fmax(farthest, (double)sn_distance_between(sn_rigid_position(world, links[i]), before[i]));
    }
    check_below(farthest, 1e-3, "largest way of a link in the first second");
    sn_world_destroy(world);
}

// A four-bar linkage: a closed loop, placed roughly.
static void test_a_closed_loop_is_assembled_within_1e_5(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    const sn_vec3 corners[4] = {{0, 0, 0}, {0, 1, 0}, {1.5f, 1, 0}, {1.5f, 0, 0}};
    sn_rigid bars[3], ground = sn_world_ground(world);
    for (int i = 0; i < 3; ++i) {
        sn_pose pose = {sn_lerp(corners[i], corners[i + 1], 0.5f), sn_quat_identity};
        bars[i] = physics_lump(world, 1.0f, sn_v(0.1f, 0.1f, 0.1f), pose);
    }
    for (int i = 0; i < 4; ++i) {
        sn_hinge_def def = sn_hinge_def_default();
        must(sn_constraint_place(world, &def.common, i == 0 ? ground : bars[i - 1], i == 3 ? ground : bars[i],
                                 corners[i], sn_v(0.0f, 0.0f, 1.0f)));
        must(sn_hinge_add(world, &def, NULL));
    }
    test_random random = {9};
    for (int i = 0; i < 3; ++i) {
        sn_pose pose = sn_rigid_pose(world, bars[i]);
        pose.position = sn_add(pose.position, test_random_vec3(&random, 0.1f));
        pose.rotation = sn_quat_exponential(test_random_vec3(&random, 0.1f));
        must(sn_rigid_pose_set(world, bars[i], pose));
    }
    sn_assembly report = {0};
    sn_status status = sn_world_assemble(world, 1.0e-5f, 10000, &report);
    check_true(status == SN_OK, "assembled in %d sweeps", report.iterations);
    check_below((double)report.worst_error, 1e-5, "worst error");
    sn_world_destroy(world);
}

// A rod of 1 m cannot join points 3 m apart on the ground and on a body pinned elsewhere.
static void test_what_cannot_be_met_is_reported(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    sn_rigid body = physics_lump(world, 1.0f, sn_v(0.1f, 0.1f, 0.1f), physics_at(3, 0, 0));
    sn_ball_def pin = sn_ball_def_default();
    must(sn_constraint_place(world, &pin.common, sn_world_ground(world), body, sn_v(3, 0, 0), sn_v(1, 0, 0)));
    must(sn_ball_add(world, &pin, NULL));
    sn_distance_def rod = sn_distance_def_default();
    must(sn_constraint_place_points(world, &rod.common, sn_world_ground(world), body, sn_v(0, 0, 0),
                                    sn_v(3, 0, 0)));
    rod.lower = rod.upper = 1.0f;
    must(sn_distance_add(world, &rod, NULL));
    sn_assembly report = {0};
    check_true(sn_world_assemble(world, 1.0e-5f, 200, &report) == SN_ERROR_NOT_CONVERGED, "it says so");
    check_above((double)report.unmet_count, 1.0, "unmet constraints");
    check_above((double)report.worst_error, 0.5, "worst error");
    check_near((double)report.iterations, 200.0, 0.0, "sweeps");
    check_true(sn_constraint_is_valid(world, report.worst), "the worst is named");
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_roughly_placed_chain_is_assembled_within_1e_5),
        physics_test(test_an_assembled_chain_does_not_jump_in_its_first_step),
        physics_test(test_a_closed_loop_is_assembled_within_1e_5),
        physics_test(test_what_cannot_be_met_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
