// Repetitions: rows, grids, rings, spirals.
#include "scene/scene_kit.h"

#include <math.h>

static void test_copies_in_a_row(void **state)
{
    (void)state;
    sn_scene *scene = scene_of("{'sinew': 1, 'bodies': [{'name': 'b', 'position': [1, 0, 0],"
                               " 'repeat': {'count': 5, 'offset': [0.5, 2, 0]}}]}");
    assert_int_equal(sn_world_rigids(sn_scene_world(scene), NULL, 0), 5);
    for (int i = 0; i < 5; ++i) {
        char name[32];
        snprintf(name, sizeof name, "b[%d]", i);
        assert_vector(position_of(scene, name), 1.0f + 0.5f * (float)i, 2.0f * (float)i, 0.0f, 0.0);
    }
    sn_scene_destroy(scene);
}

static void test_copies_in_a_grid_count_the_last_number_fastest(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of("{'sinew': 1, 'bodies': [{'name': 'b', 'repeat': [{'count': 2, 'offset': [10, 0, 0]},"
                 " {'count': 3, 'offset': [0, 10, 0]}, {'count': 4, 'offset': [0, 0, 10]}]}]}");
    sn_world *world = sn_scene_world(scene);
    sn_rigid rigids[24];
    assert_int_equal(sn_world_rigids(world, rigids, 24), 24);
    for (int i = 0; i < 24; ++i) {
        char name[48];
        int x = i / 12, y = i / 4 % 3, z = i % 4;
        snprintf(name, sizeof name, "b[%d][%d][%d]", x, y, z);
        assert_string_equal(sn_rigid_name(world, rigids[i]), name);
        assert_vector(sn_rigid_position(world, rigids[i]), 10.0f * (float)x, 10.0f * (float)y,
                      10.0f * (float)z, 0.0);
    }
    sn_scene_destroy(scene);
}

static void test_copies_in_a_ring_turn_about_a_point(void **state)
{
    (void)state;
    sn_scene *scene = scene_of("{'sinew': 1, 'bodies': [{'name': 'b', 'position': [3, 1, 0],"
                               " 'linear_velocity': [1, 0, 0], 'repeat': {'count': 360, 'about': [1, 0, 0],"
                               " 'rotation': {'axis': [0, 1, 0], 'angle': 1}}}]}");
    for (int i = 0; i < 360; ++i) {
        char name[32];
        snprintf(name, sizeof name, "b[%d]", i);
        double angle = i * 3.14159265358979323846 / 180.0;
        // The rotation is kept in single precision: 360 times it is off by a millionth at most.
        assert_vector(position_of(scene, name), (float)(1.0 + 2.0 * cos(angle)), 1.0f,
                      (float)(-2.0 * sin(angle)), 2e-6);
        sn_vec3 v = sn_rigid_linear_velocity(sn_scene_world(scene), body_of(scene, name));
        assert_vector(v, (float)cos(angle), 0.0f, (float)-sin(angle), 1e-6);
    }
    sn_scene_destroy(scene);
}

static void test_copies_in_a_spiral_are_turned_then_moved(void **state)
{
    (void)state;
    sn_scene *scene = scene_of("{'sinew': 1, 'bodies': [{'name': 'b', 'position': [1, 0, 0],"
                               " 'repeat': {'count': 5, 'offset': [0, 0, 7],"
                               " 'rotation': {'axis': [0, 0, 1], 'angle': 90}}}]}");
    assert_vector(position_of(scene, "b[1]"), 0.0f, 1.0f, 7.0f, 1e-6);
    assert_vector(position_of(scene, "b[3]"), 0.0f, -1.0f, 21.0f, 1e-6);
    assert_vector(position_of(scene, "b[4]"), 1.0f, 0.0f, 28.0f, 1e-6);
    sn_scene_destroy(scene);
}

static void test_copies_of_parts_carry_all_they_hold(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(
        "{'sinew': 1, 'parts': [{'name': 'p', 'position': [0, 5, 0], 'repeat': {'count': 3, 'offset': [2, 0, "
        "0]},"
        " 'bodies': [{'name': 'a'}, {'name': 'b', 'position': [0, 1, 0], 'repeat': {'count': 2, 'offset': "
        "[0, 0, 1]}}],"
        " 'joints': [{'name': 'j', 'type': 'ball', 'a': 'a', 'b': 'b[1]', 'at': [0, 0.5, 0]}]}]}");
    const sn_world *world = sn_scene_world(scene);
    assert_int_equal(sn_world_rigids(world, NULL, 0), 9);
    assert_int_equal(sn_world_constraints(world, NULL, 0), 3);
    assert_vector(position_of(scene, "p[2].b[1]"), 4.0f, 6.0f, 1.0f, 0.0);
    sn_constraint joint = joint_of(scene, "p[2].j");
    assert_string_equal(sn_rigid_name(world, sn_constraint_body_a(world, joint)), "p[2].a");
    assert_string_equal(sn_rigid_name(world, sn_constraint_body_b(world, joint)), "p[2].b[1]");
    sn_scene_destroy(scene);
}

// How many joints there are, and that the first and the last rod are joined if they should be.
static void check_chain(const char *repeat, int expected, bool is_ring)
{
    char text[512];
    snprintf(
        text, sizeof text,
        "{'sinew': 1, 'parts': [{'name': 'link', 'repeat': %s, 'bodies': [{'name': 'rod'}],"
        " 'joints': [{'name': 'pin', 'type': 'ball', 'a': 'previous.rod', 'b': 'rod', 'at': [0, 0, 0]}]}]}",
        repeat);
    sn_scene *scene = scene_of(text);
    const sn_world *world = sn_scene_world(scene);
    assert_int_equal(sn_world_constraints(world, NULL, 0), expected);
    if (is_ring) {
        sn_constraint pin = joint_of(scene, "link[0].pin");
        assert_string_equal(sn_rigid_name(world, sn_constraint_body_a(world, pin)), "link[4].rod");
        assert_string_equal(sn_rigid_name(world, sn_constraint_body_b(world, pin)), "link[0].rod");
    }
    sn_scene_destroy(scene);
}

static void test_previous_is_the_copy_before(void **state)
{
    (void)state;
    check_chain("{'count': 5, 'offset': [1, 0, 0]}", 4, false);
    check_chain("{'count': 5, 'closed': true}", 5, true);
    check_chain("{'count': 2, 'closed': true}", 2, false);
    check_chain("{'count': 1, 'closed': true}", 0, false);
    // In a grid, the one before in the same row.
    check_chain("[{'count': 3}, {'count': 4}]", 9, false);
    check_chain("[{'count': 3}, {'count': 4, 'closed': true}]", 12, false);
}

static void test_previous_reaches_from_parts_within_a_copy(void **state)
{
    (void)state;
    sn_scene *scene = scene_of("{'sinew': 1, 'parts': [{'name': 'a', 'repeat': {'count': 3}, 'parts': "
                               "[{'name': 'in', 'bodies': [{'name': "
                               "'rod'}], 'joints': [{'name': 'j', 'type': 'ball', 'a': 'previous.in.rod', "
                               "'b': 'rod', 'at': [0, 0, 0]}]}]}]}");
    const sn_world *world = sn_scene_world(scene);
    assert_int_equal(sn_world_constraints(world, NULL, 0), 2);
    sn_constraint joint = joint_of(scene, "a[2].in.j");
    assert_string_equal(sn_rigid_name(world, sn_constraint_body_a(world, joint)), "a[1].in.rod");
    sn_scene_destroy(scene);
}

static void test_a_hundred_thousand_copies_are_made(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of("{'sinew': 1, 'bodies': [{'name': 'b', 'shape': {'type': 'sphere', 'radius': 0.1},"
                 " 'repeat': [{'count': 100, 'offset': [1, 0, 0]}, {'count': 1000, 'offset': [0, 0, 1]}]}]}");
    assert_int_equal(sn_world_rigids(sn_scene_world(scene), NULL, 0), 100000);
    assert_vector(position_of(scene, "b[99][999]"), 99.0f, 0.0f, 999.0f, 0.0);
    sn_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies_in_a_row),
        cmocka_unit_test(test_copies_in_a_grid_count_the_last_number_fastest),
        cmocka_unit_test(test_copies_in_a_ring_turn_about_a_point),
        cmocka_unit_test(test_copies_in_a_spiral_are_turned_then_moved),
        cmocka_unit_test(test_copies_of_parts_carry_all_they_hold),
        cmocka_unit_test(test_previous_is_the_copy_before),
        cmocka_unit_test(test_previous_reaches_from_parts_within_a_copy),
        cmocka_unit_test(test_a_hundred_thousand_copies_are_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
