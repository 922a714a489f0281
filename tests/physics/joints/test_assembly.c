// sn_world_assemble: what was placed roughly is put together, and what overlaps taken apart, before the first
// step.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"
#include "support/random.h"
#include <stdlib.h>
#include <string.h>

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

// --- overlaps ----------------------------------------------------------------------------------------------

enum { MOST = 64 };

static double deepest_point_of(const sn_world *world, sn_rigid rigid)
{
    sn_contact contacts[MOST];
    int count = sn_rigid_contacts(world, rigid, contacts, MOST);
    double deepest = 0.0;
    for (int k = 0; k < count; ++k) {
        for (int p = 0; p < contacts[k].count; ++p) {
            deepest = fmax(deepest, -(double)contacts[k].points[p].separation);
        }
    }
    return deepest;
}

// How deep the deepest point of all contacts is where the bodies are now, as a step finds it; the world is
// then what it was.
static double deepest_point(sn_world *world)
{
    size_t size;
    must(sn_world_save(world, NULL, 0, &size));
    void *saved = malloc(size);
    must(sn_world_save(world, saved, size, &size));
    must(sn_world_step(world, physics_steps[0]));
    sn_rigid rigids[MOST];
    double deepest = 0.0;
    int count = sn_world_rigids(world, rigids, MOST);
    for (int i = 0; i < count; ++i) {
        deepest = fmax(deepest, deepest_point_of(world, rigids[i]));
    }
    must(sn_world_restore(world, saved, size));
    free(saved);
    return deepest;
}

// Cubes of 1 m, the lowest 5 mm in the floor, each 5 mm in the one below: each must rise by 5 mm more than
// that.
static void test_a_stack_of_cubes_5_mm_into_each_other_comes_apart_and_stays_upright(void **state)
{
    (void)state;
    enum { CUBES = 5 };
    sn_world *world = physics_world();
    sn_shape_def material = physics_material(0.5f, 0.0f);
    physics_floor(world, material);
    sn_rigid cubes[CUBES];
    for (int i = 0; i < CUBES; ++i) {
        cubes[i] = physics_box(world, material, sn_v(0.5f, 0.5f, 0.5f),
                               physics_at(0, 0.495f + 0.995f * (float)i, 0));
    }
    check_near(deepest_point(world), 0.005, 1e-5, "deepest overlap before");
    sn_assembly report = {0};
    sn_status status = sn_world_assemble(world, 1.0e-4f, 1000, &report);
    check_true(status == SN_OK, "assembled in %d sweeps", report.iterations);
    check_near((double)report.overlap_count, 0.0, 0.0, "overlaps reported");
    check_below(deepest_point(world), 1e-4 + 1e-6, "deepest overlap after");
    for (int i = 0; i < CUBES; ++i) {
        sn_pose pose = sn_rigid_pose(world, cubes[i]);
        sn_vec3 turn = sn_quat_logarithm(pose.rotation);
        check_near((double)pose.position.y, 0.5 + i, 1e-3, "height of cube %d", i);
        check_below((double)sn_length(sn_v(pose.position.x, 0.0f, pose.position.z)), 1e-4, "  aside");
        check_below((double)sn_length(turn), 1e-4, "  turned");
        check_below((double)sn_length(sn_rigid_linear_velocity(world, cubes[i])), 0.0, "  its speed");
    }
    sn_world_destroy(world);
}

// One of each shape, sunk into a floor of triangles by 5 mm, turned anyhow, next to a box sunk into each.
static void test_every_shape_comes_out_of_a_floor_of_triangles(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    sn_shape_def material = physics_material(0.5f, 0.0f);
    physics_triangle_floor(world, material, 10.0f, 20);
    physics_sphere(world, material, 0.4f, physics_at(-4, 0.395f, 0));
    sn_pose lying = physics_at(-2, 0.295f, 0), standing = physics_at(0, 0.495f, 0);
    sn_pose tilted = physics_at(2, 0.3f * 1.41421356f - 0.005f, 0);
    tilted.rotation = sn_quat_axis_angle(sn_v(0, 0, 1), SN_PI / 4.0f);
    physics_capsule(world, material, 0.5f, 0.3f, lying);
    physics_cylinder(world, material, 0.5f, 1.0f, standing);
    physics_box(world, material, sn_v(0.3f, 0.3f, 0.5f), tilted);
    for (int i = 0; i < 4; ++i) {
        physics_box(world, material, sn_v(0.2f, 0.2f, 0.2f),
                    physics_at(2.0f * (float)i - 4.0f, 0.195f, 0.6f));
    }
    check_above(deepest_point(world), 0.005, "deepest overlap before");
    sn_assembly report = {0};
    sn_status status = sn_world_assemble(world, 1.0e-4f, 1000, &report);
    check_true(status == SN_OK, "assembled in %d sweeps", report.iterations);
    check_below(deepest_point(world), 1e-4 + 1e-6, "deepest overlap after");
    sn_world_destroy(world);
}

// Two boxes on a hinge that was opened by 3 cm, both 5 mm in the floor: the joint closes and both come out.
static void test_a_jointed_pair_in_the_floor_meets_its_joint_and_comes_out(void **state)
{
    (void)state;
    for (int shift = 0; shift < 2; ++shift) {
        sn_world *world = physics_world();
        sn_shape_def material = physics_material(0.5f, 0.0f);
        physics_floor(world, material);
        sn_vec3 half = sn_v(0.4f, 0.1f, 0.2f);
        sn_rigid left = physics_box(world, material, half, physics_at(-0.5f, 0.095f, 0));
        sn_rigid right = physics_box(world, material, half, physics_at(0.5f, 0.095f, 0));
        sn_hinge_def hinge = sn_hinge_def_default();
        must(sn_constraint_place(world, &hinge.common, left, right, sn_v(0, 0.095f, 0), sn_v(0, 0, 1)));
        sn_constraint joint;
        must(sn_hinge_add(world, &hinge, &joint));
        // Apart along the boxes, or one of them deeper still.
        must(sn_rigid_pose_set(world, right, physics_at(shift ? 0.5f : 0.53f, shift ? 0.065f : 0.095f, 0)));
        check_near((double)sn_constraint_error(world, joint), 0.03, 1e-5, "joint open before");
        sn_assembly report = {0};
        sn_status status = sn_world_assemble(world, 1.0e-4f, 1000, &report);
        check_true(status == SN_OK, "assembled in %d sweeps", report.iterations);
        check_below((double)sn_constraint_error(world, joint), 1e-4, "joint after");
        check_below(deepest_point(world), 1e-4 + 1e-6, "deepest overlap after");
        check_below((double)sn_rigid_position(world, left).y, 0.13, "and nobody jumped: left");
        check_below((double)sn_rigid_position(world, right).y, 0.13, "  right");
        sn_world_destroy(world);
    }
}

// A joint that swings a rod through the floor: there is no overlap before the joint is met.
static void test_what_a_joint_moves_into_the_floor_comes_out_again(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    sn_shape_def material = physics_material(0.5f, 0.0f);
    physics_floor(world, material);
    sn_rigid rod = physics_box(world, material, sn_v(0.5f, 0.05f, 0.05f), physics_at(0.5f, 0.5f, 0));
    sn_ball_def ball = sn_ball_def_default();
    must(sn_constraint_place_points(world, &ball.common, sn_world_ground(world), rod, sn_v(0, 0.06f, 0),
                                    sn_v(0, 0.5f, 0)));
    sn_constraint joint;
    must(sn_ball_add(world, &ball, &joint));
    sn_assembly report = {0};
    sn_status status = sn_world_assemble(world, 1.0e-4f, 1000, &report);
    check_true(status == SN_OK, "assembled in %d sweeps", report.iterations);
    check_below((double)sn_constraint_error(world, joint), 1e-4, "joint after");
    check_below(deepest_point(world), 1e-4 + 1e-6, "deepest overlap after");
    sn_world_destroy(world);
}

// A ball of 1 m between walls 0.9 m apart.
static void test_overlaps_that_cannot_be_removed_are_reported(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    sn_shape_def material = physics_material(0.5f, 0.0f);
    physics_platform(world, material, sn_v(0.1f, 5.0f, 5.0f), physics_at(-0.55f, 0, 0));
    physics_platform(world, material, sn_v(0.1f, 5.0f, 5.0f), physics_at(0.55f, 0, 0));
    physics_sphere(world, material, 0.5f, physics_at(0.01f, 0, 0));
    sn_assembly report = {0};
    check_true(sn_world_assemble(world, 1.0e-4f, 50, &report) == SN_ERROR_NOT_CONVERGED, "it says so");
    check_above((double)report.overlap_count, 1.0, "overlaps");
    check_above((double)report.deepest_overlap, 0.05, "deepest");
    check_near((double)report.unmet_count, 0.0, 0.0, "unmet constraints");
    check_near((double)report.iterations, 50.0, 0.0, "sweeps");
    check_true(strstr(sn_world_error(world), "overlap") != NULL, "message: %s", sn_world_error(world));
    sn_world_destroy(world);
}

// A pile at rest overlaps by less than the tolerance: nothing moves, nobody wakes.
static void test_a_sleeping_pile_sleeps_on(void **state)
{
    (void)state;
    sn_world_def def = sn_world_def_default();
    def.long_range = sn_long_range_off(); // so that contacts sag
    sn_world *world = NULL;
    must(sn_world_create(&def, &world));
    sn_shape_def material = physics_material(0.5f, 0.0f);
    physics_floor(world, material);
    for (int i = 0; i < 4; ++i) {
        physics_box(world, material, sn_v(0.3f, 0.2f, 0.3f), physics_at(0, 0.2f + 0.4f * (float)i, 0));
    }
    physics_run(world, physics_steps[0], 3.0f);
    check_near((double)sn_world_statistics(world).awake_count, 0.0, 0.0, "awake before");
    uint64_t hash = sn_world_hash(world);
    must(sn_world_assemble(world, 0.01f, 100, NULL));
    check_true(sn_world_hash(world) == hash, "the world is the same to the bit");
    must(sn_world_assemble(world, 1.0e-6f, 1000, NULL));
    check_true(sn_world_hash(world) != hash, "a millionth of a metre is less than it overlaps");
    check_above((double)sn_world_statistics(world).awake_count, 1.0, "awake then");
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_roughly_placed_chain_is_assembled_within_1e_5),
        physics_test(test_an_assembled_chain_does_not_jump_in_its_first_step),
        physics_test(test_a_closed_loop_is_assembled_within_1e_5),
        physics_test(test_what_cannot_be_met_is_reported),
        physics_test(test_a_stack_of_cubes_5_mm_into_each_other_comes_apart_and_stays_upright),
        physics_test(test_every_shape_comes_out_of_a_floor_of_triangles),
        physics_test(test_a_jointed_pair_in_the_floor_meets_its_joint_and_comes_out),
        physics_test(test_what_a_joint_moves_into_the_floor_comes_out_again),
        physics_test(test_overlaps_that_cannot_be_removed_are_reported),
        physics_test(test_a_sleeping_pile_sleeps_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
