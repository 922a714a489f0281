// Events of scenes: at a time, when touched, when broken; they happen once, survive saving, and mistakes are
// told by line and column.
#include "scene/bad_scenes.h"

#include "sinew_scene/recording.h"

#define SCENE(TEXT)                                                                                          \
    "{'sinew': 1, 'bodies': [{'name': 'floor', 'type': 'static', 'shape': {'type': 'plane'}}, {'name': "     \
    "'ball', 'position': [0, 1, 0], 'shape': {'type': 'sphere', 'radius': 0.1}}, {'name': 'lamp', "          \
    "'position': [3, 2, 0], 'shape': {'type': 'sphere', 'radius': 0.1}}, {'name': 'load', 'position': [6, "  \
    "2, 0], 'shape': {'type': 'sphere', 'radius': 0.1}}], 'joints': [{'name': 'cord', 'type': 'ball', 'a': " \
    "'ground', 'b': 'lamp', 'at': [3, 3, 0], 'active': false}, {'name': 'thread', 'type': 'ball', 'a': "     \
    "'lamp', 'b': 'load', 'at': [4, 2, 0], 'break_force': 1}, {'name': 'hook', 'type': 'hinge', 'a': "       \
    "'ground', 'b': 'load', 'at': [6, 3, 0]}], 'deformables': [{'name': 'cloth', 'position': [-3, 0.6, 0], " \
    "'rotation': {'axis': [1, 0, 0], 'angle': -90}, 'mesh': {'type': 'grid', 'width': 1, 'height': 1, "      \
    "'columns': 4, 'rows': 4}, 'inextensible': {}}], 'anchors': [{'name': 'pins', 'a': 'cloth', 'b': "       \
    "'ground', 'select': {'part': 'corners'}, 'active': false}], 'events': [\n" TEXT "]}"

static void run(sn_scene *scene, int steps)
{
    for (int i = 0; i < steps; ++i) {
        if (sn_scene_step(scene, sn_scene_step_length(scene)) != SN_OK) {
            fail_msg("%s", sn_scene_error());
        }
    }
}

static bool has_body(const sn_scene *scene, const char *name)
{
    sn_rigid rigids[16];
    int count = sn_world_rigids(sn_scene_world(scene), rigids, 16);
    bool found = false;
    for (int i = 0; i < count; ++i) {
        found = found || strcmp(sn_rigid_name(sn_scene_world(scene), rigids[i]), name) == 0;
    }
    return found;
}

static bool is_on(const sn_scene *scene, const char *name)
{
    return sn_constraint_hold_now(sn_scene_world(scene), joint_of(scene, name)) != SN_CONSTRAINT_OFF;
}

static void test_a_time_comes(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(SCENE("{'at': 0.5, 'remove': ['ball', 'hook'], 'switch_on': 'cord'}"));
    run(scene, 30);
    assert_true(has_body(scene, "ball") && !is_on(scene, "cord"));
    run(scene, 1);
    assert_true(!has_body(scene, "ball") && is_on(scene, "cord"));
    assert_int_equal(sn_world_statistics(sn_scene_world(scene)).constraint_count,
                     1 + 4); // the thread broke too
    sn_scene_destroy(scene);
}

static void test_two_that_touch(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(SCENE("{'touched': ['ball', 'floor'], 'switch_on': ['cord', 'pins']}"));
    run(scene, 20); // it falls for 0.43 s
    assert_false(is_on(scene, "cord"));
    run(scene, 12);
    assert_true(is_on(scene, "cord") && is_on(scene, "pins"));
    sn_scene_destroy(scene);
}

static void test_a_cloth_that_touches_with_a_delay(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of(SCENE("{'touched': ['floor', 'cloth'], 'delay': 0.25, 'remove': ['cloth', 'lamp']}"));
    run(scene, 30); // it falls for 0.35 s
    assert_true(has_body(scene, "lamp"));
    run(scene, 12);
    assert_false(has_body(scene, "lamp"));
    assert_int_equal(sn_world_deformables(sn_scene_world(scene), NULL, 0), 0);
    run(scene, 10);
    sn_scene_destroy(scene);
}

static void test_something_that_breaks(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(SCENE("{'broken': 'thread', 'switch_off': 'hook', 'remove': 'ball'}"));
    assert_true(has_body(scene, "ball") && is_on(scene, "hook"));
    run(scene, 30);
    assert_false(has_body(scene, "ball"));
    assert_false(is_on(scene, "hook"));
    sn_scene_destroy(scene);
}

static void test_saving_in_between_keeps_what_is_left(void **state)
{
    (void)state;
    scene_folder folder = folder_make();
    scene_path path = path_in(&folder, "later.state");
    sn_scene *scene =
        scene_of(SCENE("{'at': 0.1, 'remove': 'load'}, {'touched': ['ball', 'floor'], 'delay': 0.2, "
                       "'remove': 'lamp'}, {'at': 0.9, 'remove': 'ball'}"));
    run(scene, 30); // the first is done, the second is waiting for its delay
    assert_true(!has_body(scene, "load") && has_body(scene, "lamp"));
    assert_int_equal(sn_scene_save_state(scene, path.text), SN_OK);
    sn_scene *same = scene_of_file(path.text), *other = save_and_load(scene);
    run(scene, 40);
    run(same, 40);
    run(other, 40);
    assert_true(sn_world_hash(sn_scene_world(scene)) == sn_world_hash(sn_scene_world(same)));
    assert_true(!has_body(scene, "lamp") && !has_body(scene, "ball"));
    assert_true(!has_body(other, "lamp") && !has_body(other, "ball"));
    sn_scene_destroy(other);
    sn_scene_destroy(same);
    sn_scene_destroy(scene);
    folder_remove(folder.path);
}

static void test_a_recording_has_what_happened(void **state)
{
    (void)state;
    scene_folder folder = folder_make();
    scene_path path = path_in(&folder, "x.recording");
    sn_scene *scene =
        scene_of(SCENE("{'touched': ['ball', 'floor'], 'remove': 'lamp'}, {'at': 0.2, 'switch_on': "
                       "'pins'}"));
    sn_recording *recording = NULL;
    assert_int_equal(sn_recording_begin(scene, path.text, &recording), SN_OK);
    for (int i = 0; i < 60; ++i) {
        assert_int_equal(sn_recording_step(recording, 1.0f / 60.0f), SN_OK);
    }
    assert_int_equal(sn_recording_end(recording), SN_OK);
    sn_scene *replayed = scene_of_file(path.text);
    run(replayed, 60);
    assert_int_equal(sn_scene_replay(replayed).first_difference, 0);
    assert_false(has_body(replayed, "lamp"));
    sn_scene_destroy(replayed);
    sn_scene_destroy(scene);
    folder_remove(folder.path);
}

static const bad_scene mistakes[] = {
    {SCENE("{'remove': 'ball'}"),
     "scene.json:2:1: events[0]: an event has one cause: `at`, `touched` or `broken`"},
    {SCENE("{'at': 1, 'broken': 'cord', 'remove': 'ball'}"),
     "scene.json:2:1: events[0]: an event has one cause"},
    {SCENE("{'at': 1}"),
     "scene.json:2:1: events[0]: does nothing, expected `switch_on`, `switch_off`, `remove` or `add`"},
    {SCENE("{'at': 1, 'remove': 'bal'}"), "scene.json:2:21: events[0].remove: nothing is called \"bal\""},
    {SCENE("{'at': 1, 'remove': ['ball', 7]}"), "scene.json:2:30: events[0].remove[1]: 7 is not allowed"},
    {SCENE("{'at': 1, 'remove': 'ground'}"),
     "scene.json:2:11: events[0].remove: the ground cannot be removed"},
    {SCENE("{'at': 1, 'switch_on': 'ball'}"), "scene.json:2:24: events[0].switch_on: nothing is called "
                                              "\"ball\", expected the name of a joint or anchor"},
    {SCENE("{'touched': 'ball', 'remove': 'ball'}"),
     "scene.json:2:13: events[0].touched: expected a list of two names"},
    {SCENE("{'touched': ['ball'], 'remove': 'ball'}"),
     "scene.json:2:13: events[0].touched: expected a list of two names"},
    {SCENE("{'touched': ['ball', 'cord'], 'remove': 'ball'}"),
     "scene.json:2:22: events[0].touched[1]: nothing is called \"cord\", expected the name of a body or "
     "deformable"},
    {SCENE("{'broken': 'ball', 'remove': 'ball'}"),
     "scene.json:2:12: events[0].broken: nothing is called \"ball\", expected the name of a joint or anchor"},
    {SCENE("{'at': 1, 'delay': 2, 'remove': 'ball'}"),
     "scene.json:2:11: events[0].delay: is not allowed with `at`"},
    {SCENE("{'at': 1, 'add': [{'like': 'bell', 'position': [0, 1, 0]}]}"),
     "scene.json:2:28: events[0].add[0].like: no body is called \"bell\", did you mean \"ball\"?"},
    {SCENE("{'at': 1, 'add': [{'like': 'ground', 'position': [0, 1, 0]}]}"),
     "scene.json:2:20: events[0].add[0].like: there is one ground, expected the name of another body"},
    {SCENE("{'at': 1, 'add': [{'like': 'ball'}]}"),
     "scene.json:2:19: events[0].add[0].position: is missing: where it begins"},
    {SCENE("{'at': 1, 'delete': 'ball'}"), "scene.json:2:11: events[0].delete: unknown key \"delete\""},
};

static int body_count(const sn_scene *scene)
{
    return sn_world_rigids(sn_scene_world(scene), NULL, 0);
}

#define ADDED                                                                                                \
    "{'at': 0.5, 'remove': 'ball', 'add': [{'like': 'ball', 'position': [9, 5, 0], 'velocity': [0, 3, 0]}, " \
    "{'like': 'floor', 'position': [0, -50, 0]}]}"

static void test_bodies_come_like_others(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(SCENE(ADDED));
    sn_world *world = sn_scene_world(scene);
    int before = body_count(scene);
    run(scene, 30);
    assert_int_equal(body_count(scene), before);
    run(scene, 1);
    assert_int_equal(body_count(scene), before + 2 - 1);
    assert_false(has_body(scene, "ball"));
    sn_rigid rigids[16];
    int count = sn_world_rigids(world, rigids, 16), found = 0;
    for (int i = 0; i < count; ++i) {
        sn_vec3 place = sn_rigid_position(world, rigids[i]);
        if (place.x > 8.0f) {
            sn_shape shape;
            assert_int_equal(sn_rigid_shapes(world, rigids[i], &shape, 1), 1);
            assert_int_equal(sn_shape_get_type(world, shape), SN_SPHERE);
            assert_float_equal(sn_shape_sphere(world, shape).radius, 0.1f, 0.0f);
            assert_float_equal(place.y, 5.0f + 3.0f / 60.0f, 4e-3f);
            ++found;
        }
    }
    assert_int_equal(found, 1);
    sn_scene_destroy(scene);
}

static void test_deformables_come_like_others(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(
        SCENE("{'at': 0.5, 'add': [{'like': 'cloth', 'position': [9, 5, 0], 'velocity': [0, 3, 0]}]}"));
    sn_world *world = sn_scene_world(scene);
    run(scene, 31);
    sn_deformable both[4];
    assert_int_equal(sn_world_deformables(world, both, 4), 2);
    assert_int_equal(sn_deformable_node_count(world, both[1]), sn_deformable_node_count(world, both[0]));
    sn_vec3 place = sn_deformable_nodes(world, both[1])[12].position;
    assert_float_equal(place.x, 9.0f, 1e-3f);
    assert_float_equal(place.y, 5.0f + 3.0f / 60.0f, 4e-3f);
    sn_scene_destroy(scene);
}

static void test_what_comes_later_survives_saving(void **state)
{
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "/tmp/sinew_arrivals_%d.state", (int)getpid());
    sn_scene *scene = scene_of(SCENE(ADDED)), *again = NULL;
    run(scene, 10);
    assert_int_equal(sn_scene_save_state(scene, path), SN_OK);
    assert_int_equal(sn_scene_load(path, NULL, &again), SN_OK);
    unlink(path);
    run(scene, 40);
    run(again, 40);
    assert_int_equal(body_count(again), body_count(scene));
    assert_true(sn_world_hash(sn_scene_world(again)) == sn_world_hash(sn_scene_world(scene)));
    sn_scene_destroy(again);
    sn_scene_destroy(scene);
}

static void test_mistakes_are_told(void **state)
{
    (void)state;
    check_bad_scenes(mistakes, COUNT_OF(mistakes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_time_comes),
        cmocka_unit_test(test_two_that_touch),
        cmocka_unit_test(test_a_cloth_that_touches_with_a_delay),
        cmocka_unit_test(test_something_that_breaks),
        cmocka_unit_test(test_saving_in_between_keeps_what_is_left),
        cmocka_unit_test(test_a_recording_has_what_happened),
        cmocka_unit_test(test_bodies_come_like_others),
        cmocka_unit_test(test_deformables_come_like_others),
        cmocka_unit_test(test_what_comes_later_survives_saving),
        cmocka_unit_test(test_mistakes_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
