// Values that a world gives back as it got them.
#include "scene/scene_kit.h"

#include "scene/settle.h"
#include "support/random.h"

static void test_settled_rotations_are_of_unit_length_and_stay(void **state)
{
    (void)state;
    test_random random = {1};
    int moving = 0;
    for (int i = 0; i < 100000; ++i) {
        sn_quat q = test_random_rotation(&random), once = sn_quat_normalize(q);
        sn_quat settled = sn_settled_rotation(q), again = sn_quat_normalize(settled);
        moving += memcmp(&once, &q, sizeof q) != 0;
        assert_memory_equal(&settled, &again, sizeof again);
        // No component moves by more than four units of the last place of 1.
        assert_rotation(settled, q, 2.5e-7);
    }
    assert_true(moving > 1000); // or there would be nothing to settle
}

static void test_rotations_about_axes_keep_their_zeros(void **state)
{
    (void)state;
    test_random random = {2};
    for (int i = 0; i < 10000; ++i) {
        float angle = test_random_float(&random, -SN_PI, SN_PI);
        sn_quat q = sn_settled_rotation(sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), angle));
        assert_true(q.x == 0.0f && q.z == 0.0f);
    }
    sn_quat identity = sn_settled_rotation(sn_quat_identity);
    assert_memory_equal(&identity, &sn_quat_identity, sizeof identity);
}

// The world is asked, so that the test fails if it normalises in another way.
static void test_a_world_keeps_settled_directions(void **state)
{
    (void)state;
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    assert_int_equal(sn_world_create(&def, &world), SN_OK);
    test_random random = {3};
    for (int i = 0; i < 2000; ++i) {
        sn_plane plane = {sn_settled_direction(test_random_direction(&random)), 0.0f}, kept;
        sn_shape shape;
        assert_int_equal(sn_plane_add(world, sn_world_ground(world), NULL, plane, &shape), SN_OK);
        kept = sn_shape_plane(world, shape);
        assert_memory_equal(&kept.normal, &plane.normal, sizeof kept.normal);
        assert_int_equal(sn_shape_remove(world, shape), SN_OK);
    }
    sn_world_destroy(world);
}

static void test_a_world_keeps_settled_motions(void **state)
{
    (void)state;
    sn_world_def world_def = sn_world_def_default();
    sn_world *world;
    assert_int_equal(sn_world_create(&world_def, &world), SN_OK);
    test_random random = {4};
    for (int i = 0; i < 5000; ++i) {
        float size = test_random_float(&random, 0.01f, 100.0f);
        sn_rigid_def def = sn_rigid_def_default();
        def.position = test_random_vec3(&random, size);
        def.rotation = test_random_rotation(&random);
        def.linear_velocity = test_random_vec3(&random, 10.0f);
        def.angular_velocity = test_random_vec3(&random, 10.0f);
        sn_mass mass = {1.0f, test_random_vec3(&random, 1.0f), sn_mat3_diagonal(1.0f, 1.0f, 1.0f)};
        sn_settle_motion(&def, mass.center);
        sn_rigid rigid;
        assert_int_equal(sn_rigid_add(world, &def, &rigid), SN_OK);
        assert_int_equal(sn_rigid_mass_set(world, rigid, &mass), SN_OK);
        sn_rigid_def kept = sn_rigid_definition(world, rigid);
        assert_memory_equal(&kept.position, &def.position, sizeof kept.position);
        assert_memory_equal(&kept.rotation, &def.rotation, sizeof kept.rotation);
        assert_memory_equal(&kept.linear_velocity, &def.linear_velocity, sizeof kept.linear_velocity);
        assert_int_equal(sn_rigid_remove(world, rigid), SN_OK);
    }
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_settled_rotations_are_of_unit_length_and_stay),
        cmocka_unit_test(test_rotations_about_axes_keep_their_zeros),
        cmocka_unit_test(test_a_world_keeps_settled_directions),
        cmocka_unit_test(test_a_world_keeps_settled_motions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
