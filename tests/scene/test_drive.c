// What drives a scene, as numbers: another scene that reads them moves alike, and numbers that make no sense
// are refused.
#include "scene/scene_kit.h"

#include "scene/drive.h"
#include "scene/scene_parts.h"

static const char driven[] =
    "{'sinew': 1, 'bodies': [{'name': 'floor', 'type': 'static', 'shape': {'type': 'plane'}},"
    "{'name': 'lift', 'type': 'kinematic', 'position': [2, 1, 0], 'shape': {'type': 'box', 'size': [1, 0.1, "
    "1]}},"
    "{'name': 'ball', 'position': [2, 1.4, 0], 'shape': {'type': 'sphere', 'radius': 0.1}},"
    "{'name': 'gate', 'position': [0, 0.5, 0], 'shape': {'type': 'box', 'size': [0.2, 1, 0.2]}},"
    "{'name': 'arm', 'position': [-2, 1, 0], 'shape': {'type': 'box', 'size': [1, 0.1, 0.1]}}],"
    "'joints': [{'name': 'shoulder', 'type': 'hinge', 'a': 'ground', 'b': 'arm', 'at': [-2, 1, 0], 'axis': "
    "[0, 0, 1],"
    "'motor': {'torque': 50}}],"
    "'motions': [{'type': 'body', 'body': 'lift', 'loop': true, 'keys': [{'at': 0, 'position': [2, 1, 0]},"
    "{'at': 1, 'position': [2, 1.5, 0]}]}, {'type': 'joint', 'joint': 'shoulder', 'gain': 10, 'keys': ["
    "{'at': 0, 'value': 0}, {'at': 1, 'value': 80}]}, {'type': 'force', 'body': 'gate', 'force': [3, 0, 0]},"
    "{'type': 'gravity', 'keys': [{'at': 0, 'acceleration': [0, -9, 0]}, {'at': 2, 'acceleration': [0, -4, "
    "0]}]}],"
    "'events': [{'touched': ['ball', 'lift'], 'delay': 0.2, 'remove': 'ball'},"
    "{'at': 0.5, 'add': [{'like': 'gate', 'position': [0, 3, 0]}]}]}";

static uint64_t hash_after(sn_scene *scene, int steps)
{
    for (int i = 0; i < steps; ++i) {
        assert_int_equal(sn_scene_step(scene, 1.0f / 60.0f), SN_OK);
    }
    return sn_world_hash(sn_scene_world(scene));
}

static void test_a_scene_that_reads_the_numbers_moves_alike(void **state)
{
    (void)state;
    sn_scene *first = scene_of(driven), *second = scene_of(driven);
    sn_number_list numbers = {0};
    assert_true(sn_drive_write(first, &numbers));
    assert_true(sn_drive_read(second, NULL, 0));
    assert_int_equal(second->motions.count + second->events.count, 0);
    assert_true(sn_drive_read(second, numbers.items, numbers.count));
    assert_true(hash_after(first, 60) == hash_after(second, 60));
    // And again in the middle, with what has happened already.
    numbers.count = 0;
    assert_true(sn_drive_write(first, &numbers));
    assert_true(sn_drive_read(second, numbers.items, numbers.count));
    assert_true(hash_after(first, 60) == hash_after(second, 60));
    assert_int_equal(sn_world_statistics(sn_scene_world(first)).rigid_count, 5); // one left, one came
    SN_LIST_FREE(&numbers);
    sn_scene_destroy(first);
    sn_scene_destroy(second);
}

// One camera travels, one follows a ball that falls, and the light fades.
static void test_cameras_and_the_light_move_alike(void **state)
{
    (void)state;
    static const char looked_at[] =
        "{'sinew': 1, 'bodies': [{'name': 'ball', 'position': [0, 9, 0], 'shape': {'type': 'sphere', "
        "'radius': "
        "0.1}}],"
        "'cameras': [{'name': 'chase', 'eye': [0, 9, 5], 'target': [0, 9, 0], 'follow': 'ball'},"
        "{'name': 'path', 'eye': [4, 1, 0], 'target': [0, 1, 0]}],"
        "'motions': [{'type': 'camera', 'camera': 'path', 'keys': [{'at': 0, 'eye': [4, 1, 0], 'target': [0, "
        "1, 0]},"
        "{'at': 2, 'eye': [0, 3, 4], 'target': [0, 2, 0]}]},"
        "{'type': 'light', 'keys': [{'at': 0, 'direction': [1, 1, 0], 'strength': 1}, {'at': 2, 'direction': "
        "[-1, "
        "1, 0], 'strength': 0.2}]}]}";
    sn_scene *first = scene_of(looked_at), *second = scene_of(looked_at);
    sn_number_list numbers = {0};
    assert_true(sn_drive_write(first, &numbers));
    assert_true(sn_drive_read(second, NULL, 0));
    assert_true(sn_drive_read(second, numbers.items, numbers.count));
    hash_after(first, 60);
    hash_after(second, 60);
    const char *const names[2][2] = {{"chase", "0"}, {"path", "1"}};
    for (int i = 0; i < 2; ++i) {
        sn_camera a, b;
        assert_int_equal(sn_scene_camera(first, names[i][0], &a), SN_OK);
        assert_int_equal(sn_scene_camera(second, names[i][1], &b), SN_OK);
        assert_true(a.moves && b.moves);
        assert_memory_equal(&a.eye, &b.eye, sizeof a.eye);
        assert_memory_equal(&a.target, &b.target, sizeof a.target);
        assert_true(a.target.y < 8.0f);
    }
    sn_light a = sn_scene_light(first), b = sn_scene_light(second);
    assert_memory_equal(&a.direction, &b.direction, sizeof a.direction);
    assert_float_equal(b.strength, 0.6f, 0.02f);
    SN_LIST_FREE(&numbers);
    sn_scene_destroy(first);
    sn_scene_destroy(second);
}

static void test_numbers_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(driven);
    sn_number_list numbers = {0};
    assert_true(sn_drive_write(scene, &numbers));
    for (int count = 1; count < numbers.count; ++count) {
        assert_false(sn_drive_read(scene, numbers.items, count));
        assert_int_equal(scene->motions.count + scene->events.count, 0);
    }
    const double wrong[] = {-1.0, 0.5, 1e9, 1e40, NAN};
    for (int i = 0; i < COUNT_OF(wrong); ++i) {
        double count = numbers.items[0];
        numbers.items[0] = wrong[i];
        assert_false(sn_drive_read(scene, numbers.items, numbers.count));
        numbers.items[0] = count;
    }
    assert_true(sn_drive_read(scene, numbers.items, numbers.count));
    SN_LIST_FREE(&numbers);
    sn_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_scene_that_reads_the_numbers_moves_alike),
        cmocka_unit_test(test_cameras_and_the_light_move_alike),
        cmocka_unit_test(test_numbers_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
