// Scenes around worlds of one's own: colours, what is up, what is in sight.
#include "scene/scene_kit.h"

#include "scene/scene_parts.h"

static sn_world *make_world(sn_vec3 gravity)
{
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    def.gravity = gravity;
    assert_int_equal(sn_world_create(&def, &world), SN_OK);
    return world;
}

static sn_rigid add_ball(sn_world *world, sn_rigid_type type, sn_vec3 position, sn_shape *shape)
{
    sn_rigid_def def = sn_rigid_def_default();
    sn_rigid rigid;
    def.type = type;
    def.position = position;
    assert_int_equal(sn_rigid_add(world, &def, &rigid), SN_OK);
    assert_int_equal(sn_sphere_add(world, rigid, NULL, (sn_sphere){{0.0f, 0.0f, 0.0f}, 1.0f}, shape), SN_OK);
    return rigid;
}

static void test_a_wrapped_world_has_defaults_and_outlives_the_scene(void **state)
{
    (void)state;
    sn_world *world = make_world(sn_v(0.0f, -1.0f, 0.0f));
    sn_scene *scene = NULL;
    assert_int_equal(sn_scene_wrap(world, &scene), SN_OK);
    assert_ptr_equal(sn_scene_world(scene), world);
    assert_string_equal(sn_scene_title(scene), "");
    assert_true(sn_scene_step_length(scene) == 1.0f / 60.0f && sn_scene_duration(scene) == 10.0f);
    assert_int_equal(sn_scene_camera_count(scene) + sn_scene_label_count(scene) + sn_scene_probe_count(scene),
                     0);
    sn_scene_destroy(scene);
    assert_int_equal(sn_world_step(world, 0.01f), SN_OK);
    sn_world_destroy(world);
    assert_int_equal(sn_scene_wrap(NULL, &scene), SN_ERROR_NULL);
    assert_null(scene);
    assert_int_equal(sn_scene_wrap(world, NULL), SN_ERROR_NULL);
    sn_scene_destroy(NULL);
}

static void test_colours_are_those_given_or_of_a_palette(void **state)
{
    (void)state;
    sn_world *world = make_world(sn_v(0.0f, -1.0f, 0.0f));
    sn_scene *scene = NULL;
    assert_int_equal(sn_scene_wrap(world, &scene), SN_OK);
    sn_shape shapes[3], wall;
    for (int i = 0; i < 3; ++i) {
        add_ball(world, SN_DYNAMIC, sn_v(3.0f * (float)i, 0.0f, 0.0f), &shapes[i]);
    }
    add_ball(world, SN_STATIC, sn_v(0.0f, 9.0f, 0.0f), &wall);
    sn_color color;
    assert_false(sn_scene_painted(scene, shapes[1], &color));
    sn_color before = sn_scene_shape_color(scene, shapes[1]);
    assert_int_not_equal(before, sn_scene_shape_color(scene, shapes[0])); // neighbours differ
    assert_int_not_equal(before, sn_scene_shape_color(scene, wall));
    assert_true(sn_scene_paint(scene, shapes[1], 0x123456));
    assert_int_equal(sn_scene_shape_color(scene, shapes[1]), 0x123456);
    assert_false(sn_scene_painted(scene, shapes[0], &color));
    // The colour goes with the shape: one that takes its place has none.
    sn_shape later;
    assert_int_equal(sn_shape_remove(world, shapes[1]), SN_OK);
    add_ball(world, SN_DYNAMIC, sn_v(0.0f, 5.0f, 0.0f), &later);
    assert_int_equal(later.index, shapes[1].index);
    assert_false(sn_scene_painted(scene, later, &color));
    sn_scene_destroy(scene);
    sn_world_destroy(world);
}

static void test_up_is_against_gravity(void **state)
{
    (void)state;
    const sn_vec3 gravities[] = {{0.0f, 0.0f, -9.0f}, {3.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    const sn_vec3 ups[] = {{0.0f, 0.0f, 1.0f}, {-1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}};
    for (int i = 0; i < 3; ++i) {
        sn_world *world = make_world(gravities[i]);
        sn_scene *scene = NULL;
        assert_int_equal(sn_scene_wrap(world, &scene), SN_OK);
        assert_vector(sn_scene_up(scene), ups[i].x, ups[i].y, ups[i].z, 0.0);
        sn_scene_destroy(scene);
        sn_world_destroy(world);
    }
}

static void test_the_extent_is_of_what_moves_or_of_all(void **state)
{
    (void)state;
    sn_world *world = make_world(sn_v(0.0f, -1.0f, 0.0f));
    sn_scene *scene = NULL;
    sn_bounds bounds;
    assert_int_equal(sn_scene_wrap(world, &scene), SN_OK);
    assert_false(sn_scene_extent(scene, true, &bounds));
    assert_int_equal(
        sn_plane_add(world, sn_world_ground(world), NULL, (sn_plane){{0.0f, 1.0f, 0.0f}, 0.0f}, NULL), SN_OK);
    assert_false(sn_scene_extent(scene, false, &bounds)); // planes have no end
    add_ball(world, SN_STATIC, sn_v(100.0f, 0.0f, 0.0f), NULL);
    assert_true(sn_scene_extent(scene, true, &bounds));
    assert_vector(bounds.upper, 101.0f, 1.0f, 1.0f, 0.1);
    add_ball(world, SN_DYNAMIC, sn_v(0.0f, 0.0f, 0.0f), NULL);
    assert_true(sn_scene_extent(scene, true, &bounds));
    assert_vector(bounds.upper, 1.0f, 1.0f, 1.0f, 0.1);
    assert_true(sn_scene_extent(scene, false, &bounds));
    assert_vector(bounds.upper, 101.0f, 1.0f, 1.0f, 0.1);
    sn_scene_destroy(scene);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_wrapped_world_has_defaults_and_outlives_the_scene),
        cmocka_unit_test(test_colours_are_those_given_or_of_a_palette),
        cmocka_unit_test(test_up_is_against_gravity),
        cmocka_unit_test(test_the_extent_is_of_what_moves_or_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
