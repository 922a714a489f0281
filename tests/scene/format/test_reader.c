// Parts, parts in parts, included files, passes.
#include "scene/scene_kit.h"

#include <math.h>

static void test_a_head_alone_is_a_scene(void **state)
{
    (void)state;
    sn_scene *scene = scene_of("{'sinew': 1}");
    assert_string_equal(sn_scene_title(scene), "");
    assert_string_equal(sn_scene_description(scene), "");
    assert_true(sn_scene_step_length(scene) == 1.0f / 60.0f);
    assert_true(sn_scene_duration(scene) == 10.0f);
    assert_int_equal(sn_world_rigids(sn_scene_world(scene), NULL, 0), 0);
    sn_scene_destroy(scene);
    scene = scene_of("{'$schema': 'x', 'sinew': 1, 'title': 'T', 'description': 'D', 'step': 0.01,"
                     " 'duration': 2.5, 'comment': []}");
    assert_string_equal(sn_scene_title(scene), "T");
    assert_string_equal(sn_scene_description(scene), "D");
    assert_true(sn_scene_step_length(scene) == 0.01f && sn_scene_duration(scene) == 2.5f);
    sn_scene_destroy(scene);
}

static void test_parts_place_their_bodies_by_their_frame(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(
        "{'sinew': 1, 'parts': [{'name': 'p', 'position': [10, 0, 0],"
        " 'rotation': {'axis': [0, 0, 1], 'angle': 90},"
        " 'bodies': [{'name': 'a', 'position': [1, 2, 3], 'rotation': {'axis': [1, 0, 0], 'angle': 90},"
        "             'linear_velocity': [1, 0, 0], 'angular_velocity': [0, 1, 0]}]}]}");
    const sn_world *world = sn_scene_world(scene);
    sn_rigid a = body_of(scene, "p.a");
    assert_vector(sn_rigid_position(world, a), 8.0f, 1.0f, 3.0f, 1e-6);
    sn_quat turn = sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), 0.5f * SN_PI);
    sn_quat own = sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), 0.5f * SN_PI);
    assert_rotation(sn_rigid_rotation(world, a), sn_quat_multiply(turn, own), 1e-6);
    assert_vector(sn_rigid_linear_velocity(world, a), 0.0f, 1.0f, 0.0f, 1e-6);
    assert_vector(sn_rigid_angular_velocity(world, a), -1.0f, 0.0f, 0.0f, 1e-6);
    sn_scene_destroy(scene);
}

static void test_frames_of_parts_in_parts_add_up(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(
        "{'sinew': 1, 'parts': [{'name': 'a', 'position': [1, 0, 0],"
        " 'rotation': {'axis': [0, 1, 0], 'angle': 90}, 'parts': [{'position': [0, 0, 2],"
        " 'parts': [{'name': 'c', 'position': [0, 3, 0], 'rotation': {'axis': [0, 1, 0], 'angle': 90},"
        " 'bodies': [{'name': 'x', 'position': [0, 0, 4]}]}]}]}]}");
    // A part without a name adds none. z becomes x, then x becomes −z.
    assert_vector(position_of(scene, "a.c.x"), 3.0f, 3.0f, -4.0f, 1e-5);
    sn_scene_destroy(scene);
}

static void test_materials_and_shapes_may_come_with_a_part_and_serve_all(void **state)
{
    (void)state;
    // The part stands behind the body that uses its material, and is copied.
    sn_scene *scene = scene_of(
        "{'sinew': 1, 'bodies': [{'name': 'b', 'shape': {'type': 'shared', 'shape': 's', 'material': 'm'}}],"
        " 'parts': [{'name': 'p', 'repeat': {'count': 3}, 'materials': [{'name': 'm', 'friction': 0.25}],"
        " 'shapes': [{'name': 's', 'type': 'sphere', 'radius': 0.5}],"
        " 'bodies': [{'name': 'c', 'shape': {'type': 'shared', 'shape': 's'}}]}]}");
    sn_shape shape;
    shapes_of(scene, "b", &shape, 1);
    assert_true(sn_shape_definition(sn_scene_world(scene), shape).friction == 0.25f);
    shapes_of(scene, "p[2].c", &shape, 1);
    sn_scene_destroy(scene);
}

// --- included files ----------------------------------------------------------------------------------------

static void test_files_are_included_relative_to_the_file_that_names_them(void **state)
{
    (void)state;
    scene_folder folder = folder_make();
    scene_path path = write_scene(
        &folder, "scene.json",
        "{'sinew': 1, 'parts': [{'name': 'car', 'position': [10, 0, 0], 'include': 'sub/axle.json',"
        " 'bodies': [{'name': 'chassis'}],"
        " 'joints': [{'type': 'fixed', 'a': 'chassis', 'b': 'left.wheel', 'at': [0, 0, 0]}]}]}");
    write_scene(
        &folder, "sub/axle.json",
        "{'sinew': 1, 'parts': [{'name': 'left', 'position': [0, 0, 1], 'include': 'deep/wheel.json'},"
        " {'name': 'right', 'position': [0, 0, -1], 'include': 'deep/wheel.json'}]}");
    write_scene(&folder, "sub/deep/wheel.json",
                "{'$schema': 'x', 'position': [0, 2, 0], 'bodies': [{'name': 'wheel',"
                " 'shape': {'type': 'hull', 'file': '../../rim.obj'}}]}");
    write_scene(&folder, "rim.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n");
    sn_scene *scene = scene_of_file(path.text);
    assert_int_equal(sn_world_rigids(sn_scene_world(scene), NULL, 0), 3);
    assert_vector(position_of(scene, "car.left.wheel"), 10.0f, 2.0f, 1.0f, 1e-6);
    assert_vector(position_of(scene, "car.right.wheel"), 10.0f, 2.0f, -1.0f, 1e-6);
    assert_vector(position_of(scene, "car.chassis"), 10.0f, 0.0f, 0.0f, 1e-6);
    // The mesh is read once: both wheels have the same hull.
    sn_shape left, right;
    const sn_hull *hulls[2];
    shapes_of(scene, "car.left.wheel", &left, 1);
    shapes_of(scene, "car.right.wheel", &right, 1);
    hulls[0] = sn_shape_hull(sn_scene_world(scene), left);
    hulls[1] = sn_shape_hull(sn_scene_world(scene), right);
    assert_ptr_equal(hulls[0], hulls[1]);
    sn_scene_destroy(scene);
    folder_remove(folder.path);
}

static void test_an_included_file_may_have_a_name_and_a_repetition(void **state)
{
    (void)state;
    scene_folder folder = folder_make();
    scene_path path = write_scene(&folder, "scene.json",
                                  "{'sinew': 1, 'parts': [{'name': 'a', 'include': 'part.json'},"
                                  " {'repeat': {'count': 2, 'offset': [0, 0, 5]}, 'include': 'part.json'}]}");
    write_scene(&folder, "part.json",
                "{'name': 'p', 'repeat': {'count': 2, 'offset': [1, 0, 0]}, 'bodies': [{'name': 'x'}]}");
    sn_scene *scene = scene_of_file(path.text);
    assert_vector(position_of(scene, "a.p[1].x"), 1.0f, 0.0f, 0.0f, 0.0);
    assert_vector(position_of(scene, "[1].p[1].x"), 1.0f, 0.0f, 5.0f, 0.0);
    assert_int_equal(sn_world_rigids(sn_scene_world(scene), NULL, 0), 6);
    sn_scene_destroy(scene);
    folder_remove(folder.path);
}

// --- settling ----------------------------------------------------------------------------------------------

static void test_scenes_are_assembled_if_they_ask_for_it(void **state)
{
    (void)state;
    const char text[] =
        "{'sinew': 1, 'world': {'assemble': %s, 'assemble_tolerance': 0.001}, 'bodies': ["
        " {'name': 'a', 'position': [0, -3, 0]}, {'name': 'b', 'position': [1, -7, 0]}],"
        " 'joints': [{'name': 'r', 'type': 'distance', 'a': 'ground', 'b': 'a', 'from': [0, 0, 0],"
        " 'to': [0, -3, 0], 'length': 2}, {'name': 's', 'type': 'distance', 'a': 'a', 'b': 'b',"
        " 'from': [0, -3, 0], 'to': [1, -7, 0], 'length': 2}]}";
    for (int assemble = 0; assemble < 2; ++assemble) {
        char full[1024];
        snprintf(full, sizeof full, text, assemble ? "true" : "false");
        sn_scene *scene = scene_of(full);
        const sn_world *world = sn_scene_world(scene);
        double error = (double)sn_constraint_error(world, joint_of(scene, "r"));
        assert_near(error, assemble ? 0.0 : 1.0, 1e-3);
        assert_near((double)sn_constraint_error(world, joint_of(scene, "s")),
                    assemble ? 0.0 : sqrt(17.0) - 2.0, 1e-3);
        sn_scene_destroy(scene);
    }
}

static void test_bodies_may_begin_asleep(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(
        "{'sinew': 1, 'bodies': [{'name': 'a', 'awake': false, 'shapes': [{'type': 'sphere', 'radius': 1},"
        " {'type': 'sphere', 'radius': 1, 'center': [1, 0, 0]}]}, {'name': 'b', 'position': [0, 9, 0]}],"
        " 'joints': [{'type': 'ball', 'a': 'ground', 'b': 'a', 'at': [0, 0, 0]}]}");
    const sn_world *world = sn_scene_world(scene);
    assert_false(sn_rigid_is_awake(world, body_of(scene, "a")));
    assert_true(sn_rigid_is_awake(world, body_of(scene, "b")));
    sn_vec3 before = position_of(scene, "a");
    step_scene(scene, 10);
    sn_vec3 after = position_of(scene, "a");
    assert_memory_equal(&before, &after, sizeof before);
    assert_true(position_of(scene, "b").y < 9.0f);
    sn_scene_destroy(scene);
}

static void test_threads_are_those_of_the_options(void **state)
{
    (void)state;
    sn_scene *scene = NULL;
    sn_scene_options options = {.threads = 3};
    assert_int_equal(parse_with("{'sinew': 1}", "s", &options, &scene), SN_OK);
    assert_int_equal(sn_world_settings(sn_scene_world(scene)).threads, 3);
    sn_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_head_alone_is_a_scene),
        cmocka_unit_test(test_parts_place_their_bodies_by_their_frame),
        cmocka_unit_test(test_frames_of_parts_in_parts_add_up),
        cmocka_unit_test(test_materials_and_shapes_may_come_with_a_part_and_serve_all),
        cmocka_unit_test(test_files_are_included_relative_to_the_file_that_names_them),
        cmocka_unit_test(test_an_included_file_may_have_a_name_and_a_repetition),
        cmocka_unit_test(test_scenes_are_assembled_if_they_ask_for_it),
        cmocka_unit_test(test_bodies_may_begin_asleep),
        cmocka_unit_test(test_threads_are_those_of_the_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
