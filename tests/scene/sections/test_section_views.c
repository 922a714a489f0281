// Cameras and labels as files give them.
#include "scene/scene_kit.h"

#define FALLING "'bodies': [{'name': 'b', 'position': [0, 5, 0], 'shape': {'type': 'sphere', 'radius': 1}}]"

static sn_camera camera_of(sn_scene *scene, const char *name)
{
    sn_camera camera;
    assert_int_equal(sn_scene_camera(scene, name, &camera), SN_OK);
    return camera;
}

static void test_cameras_have_names_places_and_angles(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of("{'sinew': 1, 'cameras': [{'name': 'main', 'eye': [1, 2, 3], 'target': [4, 5, 6],"
                 " 'up': [0, 0, 2], 'field_of_view': 60}, {'eye': [0, 0, 9], 'target': [0, 0, 0]}]}");
    assert_int_equal(sn_scene_camera_count(scene), 2);
    assert_string_equal(sn_scene_camera_name(scene, 0), "main");
    assert_string_equal(sn_scene_camera_name(scene, 1), "camera-2");
    assert_string_equal(sn_scene_camera_name(scene, 2), "");
    assert_string_equal(sn_scene_camera_name(scene, -1), "");
    sn_camera main = camera_of(scene, "main"), other = camera_of(scene, "camera-2"),
              first = camera_of(scene, NULL);
    assert_vector(main.eye, 1.0f, 2.0f, 3.0f, 0.0);
    assert_vector(main.target, 4.0f, 5.0f, 6.0f, 0.0);
    assert_vector(main.up, 0.0f, 0.0f, 1.0f, 0.0);
    assert_near((double)main.field_of_view, 1.0471975511965976, 1e-7);
    assert_string_equal(first.name, "main");
    assert_vector(other.up, 0.0f, 1.0f, 0.0f, 0.0);
    assert_near((double)other.field_of_view, 0.6108652381980153, 1e-7); // 35°
    sn_scene_destroy(scene);
}

static void test_unknown_cameras_are_told_with_those_there_are(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of("{'sinew': 1, 'cameras': [{'name': 'a', 'eye': [0, 0, 9], 'target': [0, 0, 0]},"
                 " {'name': 'b', 'eye': [0, 0, 9], 'target': [0, 0, 0]}]}");
    sn_camera camera;
    assert_int_equal(sn_scene_camera(scene, "c", &camera), SN_ERROR_NAME);
    assert_string_equal(sn_scene_error(), "camera \"c\" does not exist; the scene has \"a\", \"b\"");
    assert_int_equal(sn_scene_camera(scene, "a", NULL), SN_ERROR_NULL);
    assert_int_equal(sn_scene_camera(NULL, "a", &camera), SN_ERROR_NULL);
    sn_scene_destroy(scene);
    scene = scene_of("{'sinew': 1}");
    assert_int_equal(sn_scene_camera(scene, "c", &camera), SN_ERROR_NAME);
    assert_string_equal(sn_scene_error(), "camera \"c\" does not exist; the scene has none");
    sn_scene_destroy(scene);
}

static void test_a_camera_follows_its_body(void **state)
{
    (void)state;
    sn_scene *scene = scene_of("{'sinew': 1, " FALLING
                               ", 'cameras': [{'eye': [0, 6, 9], 'target': [0, 5, 0], 'follow': 'b'}]}");
    step_scene(scene, 30);
    float fallen = 5.0f - position_of(scene, "b").y;
    assert_true(fallen > 1.0f);
    sn_camera camera = camera_of(scene, NULL);
    assert_vector(camera.eye, 0.0f, 6.0f - fallen, 9.0f, 1e-5);
    assert_vector(camera.target, 0.0f, 5.0f - fallen, 0.0f, 1e-5);
    // When the body is gone it stays where it was told to be.
    assert_int_equal(sn_rigid_remove(sn_scene_world(scene), body_of(scene, "b")), SN_OK);
    camera = camera_of(scene, NULL);
    assert_vector(camera.eye, 0.0f, 6.0f, 9.0f, 0.0);
    sn_scene_destroy(scene);
}

static void test_a_camera_orbits_its_target(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(
        "{'sinew': 1, 'step': 0.1, 'cameras': [{'eye': [0, 2, 9], 'target': [0, 1, 0], 'orbit': 90}]}");
    step_scene(scene, 10);
    sn_camera camera = camera_of(scene, NULL);
    assert_vector(camera.eye, 9.0f, 2.0f, 0.0f, 2e-5);
    assert_vector(camera.target, 0.0f, 1.0f, 0.0f, 0.0);
    sn_scene_destroy(scene);
}

static void test_labels_stand_in_the_world_or_on_bodies(void **state)
{
    (void)state;
    sn_scene *scene = scene_of("{'sinew': 1, " FALLING ", 'labels': [{'text': 'here', 'at': [1, 2, 3]},"
                               " {'text': 'there', 'body': 'b', 'at': [0, 1, 0], 'color': 'red'}]}");
    assert_int_equal(sn_scene_label_count(scene), 2);
    sn_label here = sn_scene_label(scene, 0), there = sn_scene_label(scene, 1);
    assert_string_equal(here.text, "here");
    assert_vector(here.position, 1.0f, 2.0f, 3.0f, 0.0);
    assert_int_equal(here.color, 0x202226);
    assert_vector(there.position, 0.0f, 6.0f, 0.0f, 0.0);
    assert_int_equal(there.color, 0xd1495b);
    step_scene(scene, 10);
    assert_true(sn_scene_label(scene, 1).position.y < 6.0f);
    assert_int_equal(sn_rigid_remove(sn_scene_world(scene), body_of(scene, "b")), SN_OK);
    assert_string_equal(sn_scene_label(scene, 1).text, "");
    assert_string_equal(sn_scene_label(scene, 2).text, "");
    assert_string_equal(sn_scene_label(scene, -1).text, "");
    sn_scene_destroy(scene);
}

static void test_cameras_and_labels_move_along_with_deformables(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(
        "{'sinew': 1, 'deformables': [{'name': 'j', 'position': [0, 5, 0], 'model': {'type': 'corotational'},"
        " 'mesh': {'type': 'box', 'size': [1, 1, 1], 'cells': [2, 2, 2]}}],"
        " 'cameras': [{'eye': [0, 6, 9], 'target': [0, 5, 0], 'follow': 'j'}],"
        " 'labels': [{'text': 'jelly', 'deformable': 'j', 'at': [0, 1, 0]}]}");
    sn_deformable jelly;
    assert_int_equal(sn_world_deformables(sn_scene_world(scene), &jelly, 1), 1);
    step_scene(scene, 30);
    float height = sn_deformable_measure_now(sn_scene_world(scene), jelly).center.y, fallen = 5.0f - height;
    assert_true(fallen > 1.0f);
    assert_vector(camera_of(scene, NULL).eye, 0.0f, 6.0f - fallen, 9.0f, 1e-5);
    assert_vector(camera_of(scene, NULL).target, 0.0f, 5.0f - fallen, 0.0f, 1e-5);
    assert_vector(sn_scene_label(scene, 0).position, 0.0f, height + 1.0f, 0.0f, 1e-5);
    // The same again once saved, and without it when it is gone.
    char path[64];
    snprintf(path, sizeof path, "/tmp/sinew_views_%d.json", (int)getpid());
    sn_scene *again = NULL;
    assert_int_equal(sn_scene_save(scene, path), SN_OK);
    assert_int_equal(sn_scene_load(path, NULL, &again), SN_OK);
    unlink(path);
    step_scene(scene, 10);
    step_scene(again, 10);
    assert_near((double)camera_of(again, NULL).eye.y, (double)camera_of(scene, NULL).eye.y, 1e-3);
    assert_near((double)sn_scene_label(again, 0).position.y, (double)sn_scene_label(scene, 0).position.y,
                1e-3);
    sn_scene_destroy(again);
    assert_int_equal(sn_deformable_remove(sn_scene_world(scene), jelly), SN_OK);
    assert_string_equal(sn_scene_label(scene, 0).text, "");
    camera_of(scene, NULL);
    sn_scene_destroy(scene);
}

static void test_a_light_has_direction_strength_and_colour(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of("{'sinew': 1, 'light': {'direction': [0, 2, 0], 'strength': 0.5, 'color': '#ff8000'}}");
    assert_vector(sn_scene_light(scene).direction, 0.0f, 2.0f, 0.0f, 0.0);
    assert_near((double)sn_scene_light(scene).strength, 0.5, 0.0);
    assert_int_equal(sn_scene_light(scene).color, 0xff8000);
    char path[64];
    snprintf(path, sizeof path, "/tmp/sinew_light_%d.json", (int)getpid());
    sn_scene *again = NULL;
    assert_int_equal(sn_scene_save(scene, path), SN_OK);
    assert_int_equal(sn_scene_load(path, NULL, &again), SN_OK);
    unlink(path);
    assert_vector(sn_scene_light(again).direction, 0.0f, 2.0f, 0.0f, 0.0);
    assert_int_equal(sn_scene_light(again).color, 0xff8000);
    sn_scene_destroy(again);
    sn_scene_destroy(scene);
    scene = scene_of("{'sinew': 1}");
    assert_vector(sn_scene_light(scene).direction, 0.0f, 0.0f, 0.0f, 0.0);
    assert_near((double)sn_scene_light(scene).strength, 1.0, 0.0);
    sn_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cameras_have_names_places_and_angles),
        cmocka_unit_test(test_unknown_cameras_are_told_with_those_there_are),
        cmocka_unit_test(test_a_camera_follows_its_body),
        cmocka_unit_test(test_a_camera_orbits_its_target),
        cmocka_unit_test(test_a_light_has_direction_strength_and_colour),
        cmocka_unit_test(test_labels_stand_in_the_world_or_on_bodies),
        cmocka_unit_test(test_cameras_and_labels_move_along_with_deformables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
