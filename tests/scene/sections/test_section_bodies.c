// Bodies: every field arrives in the world.
#include "scene/scene_kit.h"

#include <math.h>

static sn_rigid_def def_of(const sn_scene *scene, const char *name)
{
    return sn_rigid_definition(sn_scene_world(scene), body_of(scene, name));
}

static void test_a_body_without_a_word_is_as_by_default(void **state)
{
    (void)state;
    sn_scene *scene = scene_of("{'sinew': 1, 'bodies': [{'name': 'b'}]}");
    sn_rigid_def def = def_of(scene, "b"), plain = sn_rigid_def_default();
    assert_int_equal(def.type, plain.type);
    assert_memory_equal(&def.position, &plain.position, sizeof def.position);
    assert_memory_equal(&def.rotation, &plain.rotation, sizeof def.rotation);
    assert_memory_equal(&def.linear_velocity, &plain.linear_velocity, sizeof def.linear_velocity);
    assert_true(def.linear_damping == plain.linear_damping && def.angular_damping == plain.angular_damping);
    assert_true(def.gravity_scale == plain.gravity_scale && def.locks == plain.locks);
    assert_true(def.allow_sleep == plain.allow_sleep && def.awake == plain.awake &&
                def.bullet == plain.bullet);
    sn_scene_destroy(scene);
}

static void test_every_field_arrives(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of("{'sinew': 1, 'bodies': [{'name': 'b', 'type': 'dynamic', 'position': [1, 2, 3],"
                 " 'rotation': {'axis': [0, 0, 1], 'angle': 90}, 'linear_velocity': [4, 5, 6], "
                 "'angular_velocity': [7, 8, 9],"
                 " 'linear_damping': 0.1, 'angular_damping': 0.2, 'gravity_scale': -0.5, 'allow_sleep': "
                 "false, 'bullet': true,"
                 " 'locks': ['y', 'rotation_x', 'rotation_z'], 'shape': {'type': 'sphere', 'radius': 1}}]}");
    sn_rigid_def def = def_of(scene, "b");
    assert_int_equal(def.type, SN_DYNAMIC);
    assert_vector(def.position, 1.0f, 2.0f, 3.0f, 0.0);
    const float half = sqrtf(0.5f);
    assert_rotation(def.rotation, (sn_quat){0.0f, 0.0f, half, half}, 1e-7);
    assert_vector(def.linear_velocity, 4.0f, 5.0f, 6.0f, 0.0);
    assert_vector(def.angular_velocity, 7.0f, 8.0f, 9.0f, 0.0);
    assert_true(def.linear_damping == 0.1f && def.angular_damping == 0.2f && def.gravity_scale == -0.5f);
    assert_int_equal(def.locks, SN_LOCK_Y | SN_LOCK_ROTATION_X | SN_LOCK_ROTATION_Z);
    assert_true(!def.allow_sleep && def.bullet && def.awake);
    sn_scene_destroy(scene);
}

static void test_bodies_are_of_three_types(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of("{'sinew': 1, 'bodies': [{'name': 's', 'type': 'static'}, {'name': 'd', 'type': 'dynamic'},"
                 " {'name': 'k', 'type': 'kinematic', 'linear_velocity': [1, 0, 0]}]}");
    const sn_world *world = sn_scene_world(scene);
    assert_int_equal(sn_rigid_get_type(world, body_of(scene, "s")), SN_STATIC);
    assert_int_equal(sn_rigid_get_type(world, body_of(scene, "k")), SN_KINEMATIC);
    assert_int_equal(sn_rigid_get_type(world, body_of(scene, "d")), SN_DYNAMIC);
    step_scene(scene, 60);
    assert_near((double)position_of(scene, "k").x, 1.0, 1e-5);
    sn_scene_destroy(scene);
}

static void test_each_lock_is_one_direction(void **state)
{
    (void)state;
    const char *const names[] = {"x", "y", "z", "rotation_x", "rotation_y", "rotation_z"};
    for (int i = 0; i < 6; ++i) {
        char text[128];
        snprintf(text, sizeof text, "{'sinew': 1, 'bodies': [{'name': 'b', 'locks': ['%s']}]}", names[i]);
        sn_scene *scene = scene_of(text);
        assert_int_equal(def_of(scene, "b").locks, 1 << i);
        sn_scene_destroy(scene);
    }
}

static void test_shape_and_shapes_add_up_in_their_order(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(
        "{'sinew': 1, 'bodies': [{'name': 'b', 'shapes': [{'type': 'box', 'size': [1, 1, 1]},"
        " {'type': 'capsule', 'radius': 1, 'length': 1}], 'shape': {'type': 'sphere', 'radius': 1}}]}");
    sn_shape shapes[3];
    shapes_of(scene, "b", shapes, 3);
    assert_int_equal(sn_shape_get_type(sn_scene_world(scene), shapes[0]), SN_SPHERE);
    assert_int_equal(sn_shape_get_type(sn_scene_world(scene), shapes[1]), SN_BOX);
    assert_int_equal(sn_shape_get_type(sn_scene_world(scene), shapes[2]), SN_CAPSULE);
    sn_scene_destroy(scene);
}

// --- mass --------------------------------------------------------------------------------------------------

static void test_a_mass_scales_what_the_shapes_give(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of("{'sinew': 1, 'bodies': [{'name': 'a', 'shape': {'type': 'box', 'size': [1, 2, 3]}},"
                 " {'name': 'b', 'mass': 30, 'shape': {'type': 'box', 'size': [1, 2, 3]}},"
                 " {'name': 'c', 'mass': 5}]}");
    const sn_world *world = sn_scene_world(scene);
    sn_mass a = sn_rigid_mass(world, body_of(scene, "a")), b = sn_rigid_mass(world, body_of(scene, "b")),
            c = sn_rigid_mass(world, body_of(scene, "c"));
    assert_near((double)a.mass, 6000.0, 1e-2);
    assert_true(b.mass == 30.0f && c.mass == 5.0f);
    assert_near((double)b.inertia.x.x, 30.0 / 12.0 * (4.0 + 9.0), 1e-4);
    assert_near((double)b.inertia.z.z, 30.0 / 12.0 * (1.0 + 4.0), 1e-4);
    assert_near((double)c.inertia.x.x, 2.0, 1e-6); // 2/5 of a unit sphere's
    assert_false(sn_rigid_mass_is_set(world, body_of(scene, "a")));
    sn_scene_destroy(scene);
}

static void test_mass_properties_replace_what_the_shapes_give(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of("{'sinew': 1, 'bodies': [{'name': 'b', 'shape': {'type': 'sphere', 'radius': 1},"
                 " 'mass_properties': {'mass': 2, 'center': [0.1, 0.2, 0.3], 'inertia': [3, 4, 5],"
                 " 'products': [0.5, 0.25, -0.125]}}]}");
    sn_mass mass = sn_rigid_mass(sn_scene_world(scene), body_of(scene, "b"));
    assert_true(mass.mass == 2.0f);
    assert_vector(mass.center, 0.1f, 0.2f, 0.3f, 0.0);
    assert_vector(mass.inertia.x, 3.0f, 0.5f, 0.25f, 0.0);
    assert_vector(mass.inertia.y, 0.5f, 4.0f, -0.125f, 0.0);
    assert_vector(mass.inertia.z, 0.25f, -0.125f, 5.0f, 0.0);
    sn_scene_destroy(scene);
}

// Shapes off the centre, one after the other, move the mass centre; the origin stays where the file says.
static void test_the_origin_is_where_the_file_says_whatever_the_shapes(void **state)
{
    (void)state;
    sn_scene *scene = scene_of("{'sinew': 1, 'bodies': [{'name': 'b', 'position': [1.1, 2.2, 3.3], "
                               "'rotation': {'axis': [1, 2, 3], 'angle': 77},"
                               " 'linear_velocity': [1, 2, 3], 'angular_velocity': [0, 0, 2], 'shapes': ["
                               "{'type': 'sphere', 'radius': 0.3, 'position': [0.7, 0, 0]}, {'type': "
                               "'sphere', 'radius': 0.2, 'position': [0, 1.9, 0]},"
                               "{'type': 'box', 'size': [0.3, 0.1, 0.7], 'position': [0, 0, -1.3]}]}]}");
    const sn_world *world = sn_scene_world(scene);
    sn_rigid b = body_of(scene, "b");
    // One rounding of the mass centre and back.
    assert_vector(sn_rigid_position(world, b), 1.1f, 2.2f, 3.3f, 3e-7);
    assert_vector(sn_rigid_point_velocity(world, b, sn_v(1.1f, 2.2f, 3.3f)), 1.0f, 2.0f, 3.0f, 2e-6);
    assert_true(sn_length(sn_rigid_mass(world, b).center) > 0.1f);
    sn_scene_destroy(scene);
}

// --- the ground --------------------------------------------------------------------------------------------

static void test_the_ground_takes_shapes_and_a_label(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(
        "{'sinew': 1, 'bodies': [{'name': 'ground', 'type': 'static', 'label': 'here', 'color': 'red',"
        " 'shapes': [{'type': 'plane'}, {'type': 'box', 'size': [1, 1, 1]}], 'comment': 'floor'}]}");
    assert_int_equal(sn_world_rigids(sn_scene_world(scene), NULL, 0), 0);
    sn_shape shapes[2];
    shapes_of(scene, "ground", shapes, 2);
    assert_int_equal(sn_scene_shape_color(scene, shapes[1]), 0xd1495b);
    assert_int_equal(sn_scene_label_count(scene), 1);
    assert_string_equal(sn_scene_label(scene, 0).text, "here");
    sn_scene_destroy(scene);
}

static void test_a_label_follows_its_body(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of("{'sinew': 1, 'bodies': [{'name': 'b', 'position': [0, 5, 0], 'label': 'falls'}]}");
    assert_vector(sn_scene_label(scene, 0).position, 0.0f, 5.0f, 0.0f, 0.0);
    step_scene(scene, 10);
    sn_vec3 now = position_of(scene, "b");
    assert_vector(sn_scene_label(scene, 0).position, now.x, now.y, now.z, 0.0);
    assert_true(now.y < 5.0f);
    sn_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_body_without_a_word_is_as_by_default),
        cmocka_unit_test(test_every_field_arrives),
        cmocka_unit_test(test_bodies_are_of_three_types),
        cmocka_unit_test(test_each_lock_is_one_direction),
        cmocka_unit_test(test_shape_and_shapes_add_up_in_their_order),
        cmocka_unit_test(test_a_mass_scales_what_the_shapes_give),
        cmocka_unit_test(test_mass_properties_replace_what_the_shapes_give),
        cmocka_unit_test(test_the_origin_is_where_the_file_says_whatever_the_shapes),
        cmocka_unit_test(test_the_ground_takes_shapes_and_a_label),
        cmocka_unit_test(test_a_label_follows_its_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
