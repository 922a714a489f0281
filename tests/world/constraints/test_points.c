// Points of the world, of bodies and of deformables: where they are, and the nearest one of a deformable.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/random.h"
#include "support/soft_kit.h"

static sn_vec3 place_of(const sn_world *world, sn_point point)
{
    sn_vec3 place;
    assert_ok(sn_point_place(world, &point, &place));
    return place;
}

static void assert_place(sn_vec3 a, sn_vec3 b, float tolerance)
{
    if (!(sn_distance_between(a, b) <= tolerance)) {
        fail_msg("(%g, %g, %g) is not (%g, %g, %g)", (double)a.x, (double)a.y, (double)a.z, (double)b.x,
                 (double)b.y, (double)b.z);
    }
}

static void test_points_of_the_world_and_of_bodies(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid box = add_box_at(world, 0.5f, 1.0f, 2.0f, 3.0f);
    assert_ok(sn_rigid_pose_set(
        world, box, (sn_pose){{1.0f, 2.0f, 3.0f}, sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), 0.5f * SN_PI)}));
    assert_place(place_of(world, sn_point_world(sn_v(4.0f, 5.0f, 6.0f))), sn_v(4.0f, 5.0f, 6.0f), 0.0f);
    assert_place(place_of(world, sn_point_rigid(box, sn_v(0.5f, 0.0f, 0.0f))), sn_v(1.0f, 2.5f, 3.0f), 1e-6f);
    sn_point on = sn_point_on_rigid(world, box, sn_v(1.0f, 2.5f, 3.0f));
    assert_place(on.position, sn_v(0.5f, 0.0f, 0.0f), 1.0e-6f);
    sn_rigid none = {0};
    assert_int_equal(sn_point_on_rigid(world, none, sn_v(0.0f, 0.0f, 0.0f)).rigid.index, 0);
    sn_world_destroy(world);
}

static void test_points_of_nodes_are_weighted_sums(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable rope = soft_rope(world, 4, sn_v(0.0f, 1.0f, 0.0f));
    const int nodes[3] = {0, 2, 4};
    const float weights[3] = {0.5f, 0.25f, 0.25f};
    assert_place(place_of(world, sn_point_node(rope, 3)), sn_v(0.25f, 1.0f, 0.0f), 1.0e-6f);
    sn_point sum = sn_point_nodes(rope, nodes, weights, 3);
    assert_place(place_of(world, sum), sn_v(-0.125f, 1.0f, 0.0f), 1.0e-6f);
    run_steps(world, 10);
    sn_vec3 expected = sn_v(0.0f, 0.0f, 0.0f);
    for (int i = 0; i < 3; ++i) {
        expected = sn_add_scaled(expected, weights[i], soft_node(world, rope, nodes[i]));
    }
    assert_place(place_of(world, sum), expected, 0.0f); // points move with what they belong to
    sn_world_destroy(world);
}

// --- the nearest point -------------------------------------------------------------------------------------

static void test_inside_a_volume_the_point_is_the_place_itself(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable jelly = soft_jelly(world, 3, sn_v(1.0f, 0.0f, 0.0f), 1.0e4f);
    test_random random = {3};
    for (int i = 0; i < 200; ++i) {
        sn_vec3 place = sn_add(sn_v(1.0f, 0.0f, 0.0f), test_random_vec3(&random, 0.199f));
        sn_point point = sn_point_on_deformable(world, jelly, place);
        assert_place(place_of(world, point), place, 2.0e-6f);
    }
    sn_world_destroy(world);
}

static void test_outside_a_volume_the_point_is_on_its_surface(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable jelly = soft_jelly(world, 2, sn_v(0.0f, 0.0f, 0.0f), 1.0e4f);
    test_random random = {4};
    for (int i = 0; i < 300; ++i) {
        sn_vec3 place = test_random_vec3(&random, 0.6f);
        sn_vec3 nearest = sn_max3(sn_v(-0.2f, -0.2f, -0.2f), sn_min3(sn_v(0.2f, 0.2f, 0.2f), place));
        assert_place(place_of(world, sn_point_on_deformable(world, jelly, place)), nearest, 2.0e-6f);
    }
    sn_world_destroy(world);
}

static void test_points_on_sheets_and_strands(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable cloth = soft_cloth(world, 4, sn_v(0.0f, 0.0f, 0.0f));
    sn_deformable rope = soft_rope(world, 4, sn_v(0.0f, 5.0f, 0.0f));
    sn_point on_cloth = sn_point_on_deformable(world, cloth, sn_v(0.1f, 0.2f, 3.0f));
    assert_int_equal(on_cloth.node_count, 3);
    assert_place(place_of(world, on_cloth), sn_v(0.1f, 0.2f, 0.0f), 1.0e-6f);
    sn_point beside = sn_point_on_deformable(world, cloth, sn_v(2.0f, 0.3f, 0.0f));
    assert_place(place_of(world, beside), sn_v(0.5f, 0.3f, 0.0f), 1.0e-6f);
    sn_point on_rope = sn_point_on_deformable(world, rope, sn_v(0.1f, 4.0f, 1.0f));
    assert_int_equal(on_rope.node_count, 2);
    assert_place(place_of(world, on_rope), sn_v(0.1f, 5.0f, 0.0f), 1.0e-6f);
    sn_world_destroy(world);
}

static void test_a_deformable_that_does_not_exist_has_no_points(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable none = {0};
    sn_point point = sn_point_on_deformable(world, none, sn_v(0.0f, 0.0f, 0.0f));
    sn_vec3 place;
    assert_int_equal(point.node_count, 0);
    assert_int_equal(sn_point_place(world, &point, &place), SN_ERROR_ID);
    sn_world_destroy(world);
}

// --- frames ------------------------------------------------------------------------------------------------

static void assert_axis(sn_quat rotation, sn_vec3 axis, sn_vec3 expected)
{
    sn_vec3 turned = sn_rotate(rotation, axis);
    assert_float_equal(sn_distance_between(turned, expected), 0.0f, 1.0e-5f);
}

static void test_points_carry_frames_of_the_world_and_of_bodies(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    const sn_vec3 x = {1.0f, 0.0f, 0.0f}, y = {0.0f, 1.0f, 0.0f}, z = {0.0f, 0.0f, 1.0f};
    sn_quat quarter = sn_quat_axis_angle(z, 0.5f * SN_PI);
    sn_point place = sn_point_world_frame((sn_pose){sn_v(1.0f, 2.0f, 3.0f), quarter});
    sn_pose pose;
    assert_ok(sn_point_pose(world, &place, &pose));
    assert_true(pose.position.y == 2.0f);
    assert_axis(pose.rotation, x, y);
    sn_rigid box = add_box_at(world, 0.1f, 5.0f, 0.0f, 0.0f);
    assert_ok(sn_rigid_pose_set(world, box, (sn_pose){sn_v(5.0f, 0.0f, 0.0f), quarter}));
    sn_point corner = sn_point_rigid_frame(box, (sn_pose){sn_v(0.1f, 0.0f, 0.0f), quarter});
    assert_ok(sn_point_pose(world, &corner, &pose));
    assert_float_equal(sn_distance_between(pose.position, sn_v(5.0f, 0.1f, 0.0f)), 0.0f, 1.0e-6f);
    assert_axis(pose.rotation, x, sn_neg(x));
    // Without one, that of the body; a zero quaternion stands for none.
    corner.rotation = (sn_quat){0.0f, 0.0f, 0.0f, 0.0f};
    assert_ok(sn_point_pose(world, &corner, &pose));
    assert_axis(pose.rotation, x, y);
    sn_world_destroy(world);
}

static void test_three_nodes_make_a_frame(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable cloth = soft_cloth(world, 1, sn_v(0.0f, 0.0f, 0.0f));
    const sn_vec3 x = {1.0f, 0.0f, 0.0f}, y = {0.0f, 1.0f, 0.0f}, z = {0.0f, 0.0f, 1.0f};
    const int nodes[3] = {0, 1, 2}; // (−½, −½), (½, −½), (−½, ½)
    sn_point point = sn_point_frame(cloth, nodes);
    sn_pose pose;
    assert_ok(sn_point_pose(world, &point, &pose));
    assert_float_equal(sn_distance_between(pose.position, sn_v(-1.0f / 6.0f, -1.0f / 6.0f, 0.0f)), 0.0f,
                       1.0e-6f);
    assert_axis(pose.rotation, x, x);
    assert_axis(pose.rotation, z, z);
    point.rotation = sn_quat_axis_angle(z, 0.5f * SN_PI);
    assert_ok(sn_point_pose(world, &point, &pose));
    assert_axis(pose.rotation, x, y);
    // Seen the other way round, z points away.
    const int turned[3] = {0, 2, 1};
    point = sn_point_frame(cloth, turned);
    assert_ok(sn_point_pose(world, &point, &pose));
    assert_axis(pose.rotation, x, y);
    assert_axis(pose.rotation, z, sn_neg(z));
    sn_world_destroy(world);
}

static void test_frames_of_nodes_in_one_place_or_on_a_line_are_rotations(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable rope = soft_rope(world, 4, sn_v(0.0f, 0.0f, 0.0f));
    const int nodes[3] = {0, 1, 2};
    sn_point point = sn_point_frame(rope, nodes);
    for (int i = 0; i < 2; ++i) {
        sn_pose pose;
        assert_ok(sn_point_pose(world, &point, &pose));
        sn_quat q = pose.rotation;
        assert_float_equal(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1.0f, 1.0e-6f);
        sn_node_state *states;
        sn_node_velocity *velocities;
        assert_ok(sn_deformable_edit(world, rope, &states, &velocities));
        states[1].position = states[2].position = states[0].position;
    }
    sn_world_destroy(world);
}

static void test_a_sum_of_nodes_has_no_orientation_of_its_own(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable cloth = soft_cloth(world, 1, sn_v(0.0f, 1.0f, 0.0f));
    sn_point point = sn_point_on_deformable(world, cloth, sn_v(0.1f, 1.1f, 0.0f));
    sn_pose pose;
    assert_ok(sn_point_pose(world, &point, &pose));
    assert_float_equal(sn_distance_between(pose.position, sn_v(0.1f, 1.1f, 0.0f)), 0.0f, 1.0e-6f);
    assert_true(pose.rotation.w == 1.0f);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_points_of_the_world_and_of_bodies),
        test_with_memory(test_points_of_nodes_are_weighted_sums),
        test_with_memory(test_inside_a_volume_the_point_is_the_place_itself),
        test_with_memory(test_outside_a_volume_the_point_is_on_its_surface),
        test_with_memory(test_points_on_sheets_and_strands),
        test_with_memory(test_a_deformable_that_does_not_exist_has_no_points),
        test_with_memory(test_points_carry_frames_of_the_world_and_of_bodies),
        test_with_memory(test_three_nodes_make_a_frame),
        test_with_memory(test_frames_of_nodes_in_one_place_or_on_a_line_are_rotations),
        test_with_memory(test_a_sum_of_nodes_has_no_orientation_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
