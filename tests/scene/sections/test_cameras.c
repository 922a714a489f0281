// The camera a scene has when it names none: everything is in the picture, and it stays where it is.
#include "scene/scene_kit.h"

#include <math.h>

// Whether a ball is within a picture of the width that an overview is made for.
static bool is_in_sight(const sn_camera *camera, sn_vec3 center, float radius)
{
    sn_vec3 forward = sn_normalize(sn_sub(camera->target, camera->eye)), to = sn_sub(center, camera->eye);
    sn_vec3 right = sn_normalize(sn_cross(forward, camera->up)), up = sn_cross(right, forward);
    float along = sn_dot(to, forward), slope = tanf(0.5f * camera->field_of_view);
    return along > 0.0f && sn_abs(sn_dot(to, up)) + radius * sqrtf(1.0f + slope * slope) <= along * slope &&
           sn_abs(sn_dot(to, right)) + radius * sqrtf(1.0f + 1.96f * slope * slope) <= along * 1.4f * slope;
}

static void test_the_overview_sees_all_that_moves(void **state)
{
    (void)state;
    const char *const gravities[] = {"[0, -9.81, 0]", "[0, 0, -9.81]", "[5, 0, 0]", "[0, 0, 0]",
                                     "[1, -2, 3]"};
    for (int i = 0; i < COUNT_OF(gravities); ++i) {
        char text[512];
        snprintf(text, sizeof text,
                 "{'sinew': 1, 'world': {'gravity': %s}, 'bodies': [{'name': 'ground', 'shape': {'type': "
                 "'plane'}},"
                 " {'name': 'a', 'position': [5, 1, 0], 'shape': {'type': 'sphere', 'radius': 0.5}},"
                 " {'name': 'b', 'position': [-7, 3, 9], 'shape': {'type': 'sphere', 'radius': 0.5}}]}",
                 gravities[i]);
        sn_scene *scene = scene_of(text);
        sn_camera camera;
        assert_int_equal(sn_scene_camera(scene, NULL, &camera), SN_OK);
        assert_string_equal(camera.name, "");
        assert_true(is_in_sight(&camera, position_of(scene, "a"), 0.5f));
        assert_true(is_in_sight(&camera, position_of(scene, "b"), 0.5f));
        assert_near((double)sn_length(camera.up), 1.0, 1e-6);
        // It looks down on things, and not straight.
        sn_vec3 up = sn_scene_up(scene), back = sn_normalize(sn_sub(camera.eye, camera.target));
        assert_in_range((int)(100.0f * sn_dot(back, up)), 10, 90);
        sn_scene_destroy(scene);
    }
}

static void test_the_overview_stays_where_it_was_first(void **state)
{
    (void)state;
    sn_scene *scene = scene_of("{'sinew': 1, 'bodies': [{'shape': {'type': 'sphere', 'radius': 0.5}}]}");
    sn_camera first, later;
    assert_int_equal(sn_scene_camera(scene, NULL, &first), SN_OK);
    step_scene(scene, 60);
    assert_int_equal(sn_scene_camera(scene, NULL, &later), SN_OK);
    assert_memory_equal(&first.eye, &later.eye, sizeof first.eye);
    assert_memory_equal(&first.target, &later.target, sizeof first.target);
    sn_scene_destroy(scene);
}

static void test_an_empty_scene_has_a_camera_too(void **state)
{
    (void)state;
    sn_scene *scene = scene_of("{'sinew': 1}");
    sn_camera camera;
    assert_int_equal(sn_scene_camera(scene, NULL, &camera), SN_OK);
    assert_true(sn_length(sn_sub(camera.eye, camera.target)) > 1.0f);
    sn_scene_destroy(scene);
}

static void test_orbits_are_exact_after_a_long_time(void **state)
{
    (void)state;
    // 1000 turns less a quarter.
    sn_scene *scene =
        scene_of("{'sinew': 1, 'step': 1, 'world': {'sub_steps': 1}, 'cameras': [{'eye': [0, 0, 1],"
                 " 'target': [0, 0, 0], 'orbit': 3599.1}]}");
    step_scene(scene, 100);
    sn_camera camera;
    assert_int_equal(sn_scene_camera(scene, NULL, &camera), SN_OK);
    assert_vector(camera.eye, -1.0f, 0.0f, 0.0f, 1e-3);
    sn_scene_destroy(scene);
}

// How much of the height or width of a picture the corners of a box take, at most.
static float filled(const sn_camera *camera, sn_bounds box, float aspect)
{
    sn_vec3 forward = sn_normalize(sn_sub(camera->target, camera->eye));
    sn_vec3 right = sn_normalize(sn_cross(forward, camera->up)), up = sn_cross(right, forward);
    float slope = tanf(0.5f * camera->field_of_view), most = 0.0f;
    for (int i = 0; i < 8; ++i) {
        sn_vec3 corner = sn_v(i & 1 ? box.upper.x : box.lower.x, i & 2 ? box.upper.y : box.lower.y,
                              i & 4 ? box.upper.z : box.lower.z);
        sn_vec3 from_eye = sn_sub(corner, camera->eye);
        float depth = sn_dot(from_eye, forward);
        assert_true(depth > 0.0f);
        most = sn_max(most, sn_abs(sn_dot(from_eye, up)) / (depth * slope));
        most = sn_max(most, sn_abs(sn_dot(from_eye, right)) / (depth * slope * aspect));
    }
    return most;
}

static void test_what_there_is_fills_two_thirds_of_the_overview(void **state)
{
    (void)state;
    const char *const sizes[] = {"[1, 1, 1]", "[4, 0.2, 0.2]", "[0.2, 4, 0.2]", "[0.2, 0.2, 4]",
                                 "[3, 0.1, 3]"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        char text[256];
        snprintf(
            text, sizeof text,
            "{'sinew': 1, 'bodies': [{'name': 'b', 'position': [7, 3, -2], 'shape': {'type': 'box', 'size': "
            "%s}}]}",
            sizes[i]);
        sn_scene *scene = scene_of(text);
        sn_camera camera;
        sn_rigid body;
        assert_int_equal(sn_scene_camera(scene, NULL, &camera), SN_OK);
        assert_int_equal(sn_world_rigids(sn_scene_world(scene), &body, 1), 1);
        sn_bounds box = sn_rigid_bounds(sn_scene_world(scene), body);
        float fill = filled(&camera, box, 1.4f);
        assert_true(fill > 0.66f && fill < 0.9f);
        // Nothing is cropped in wider pictures either.
        assert_true(filled(&camera, box, 16.0f / 9.0f) < 0.9f);
        sn_scene_destroy(scene);
    }
}

static void test_the_overview_shows_posts_but_no_landscape(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of("{'sinew': 1, 'bodies': [{'name': 'b', 'shape': {'type': 'box', 'size': [1, 1, 1]}}, "
                 "{'name': 'post', 'type': 'static', 'position': [0, 1.5, 0], 'shape': {'type': "
                 "'sphere', 'radius': 0.1}}]}");
    sn_camera camera;
    assert_int_equal(sn_scene_camera(scene, NULL, &camera), SN_OK);
    assert_true(is_in_sight(&camera, sn_v(0.0f, 1.5f, 0.0f), 0.1f));
    float near_by = sn_distance_between(camera.eye, camera.target);
    sn_scene_destroy(scene);
    scene = scene_of(
        "{'sinew': 1, 'bodies': [{'name': 'b', 'shape': {'type': 'box', 'size': [1, 1, 1]}}, {'name': "
        "'hill', 'type': 'static', 'position': [90, 0, 0], 'shape': {'type': 'sphere', 'radius': "
        "20}}]}");
    assert_int_equal(sn_scene_camera(scene, NULL, &camera), SN_OK);
    assert_true(sn_distance_between(camera.eye, camera.target) < near_by);
    sn_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_overview_sees_all_that_moves),
        cmocka_unit_test(test_the_overview_shows_posts_but_no_landscape),
        cmocka_unit_test(test_what_there_is_fills_two_thirds_of_the_overview),
        cmocka_unit_test(test_the_overview_stays_where_it_was_first),
        cmocka_unit_test(test_an_empty_scene_has_a_camera_too),
        cmocka_unit_test(test_orbits_are_exact_after_a_long_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
