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

#define STONES(SEED)                                                                                         \
    "{'sinew': 1, 'materials': [{'name': 'wood', 'density': 600}, {'name': 'steel', 'density': 7800}], "     \
    "'bodies': [{'name': 'b', 'position': [0, 5, 0], 'shape': {'type': 'sphere', 'radius': 1}, 'repeat': "   \
    "{'count': 200, 'offset': [10, 0, 0], 'vary': {'seed': " SEED                                            \
    ", 'size': [0.5, 2], 'turn': 30, 'shift': [1, 0, 2], 'colors': ['#000001', '#000002', '#000003'], "      \
    "'materials': ['wood', 'steel']}}}]}"

typedef struct drawn {
    float radius, density;
    sn_pose pose;
    sn_color color;
} drawn;

static void draw_stones(const char *text, drawn stones[200])
{
    sn_scene *scene = scene_of(text);
    const sn_world *world = sn_scene_world(scene);
    sn_rigid rigids[200];
    assert_int_equal(sn_world_rigids(world, rigids, 200), 200);
    for (int i = 0; i < 200; ++i) {
        sn_shape shape;
        sn_rigid_shapes(world, rigids[i], &shape, 1);
        sn_bounds box = sn_shape_bounds(world, shape);
        float radius = 0.5f * (box.upper.y - box.lower.y);
        float volume = 4.0f / 3.0f * SN_PI * radius * radius * radius;
        stones[i] = (drawn){radius, sn_rigid_mass(world, rigids[i]).mass / volume,
                            sn_rigid_pose(world, rigids[i]), sn_scene_shape_color(scene, shape)};
    }
    sn_scene_destroy(scene);
}

static void test_copies_may_differ_within_what_is_said(void **state)
{
    (void)state;
    static drawn stones[200];
    int colors[4] = {0}, heavy = 0, large = 0;
    draw_stones(STONES("1"), stones);
    for (int i = 0; i < 200; ++i) {
        const drawn *stone = &stones[i];
        assert_true(stone->radius >= 0.499f && stone->radius <= 2.001f);
        assert_true(sn_abs(stone->pose.position.x - 10.0f * (float)i) <= 1.001f);
        assert_true(sn_abs(stone->pose.position.y - 5.0f) <= 1e-4f && sn_abs(stone->pose.position.z) <= 2.0f);
        assert_true(sn_acos(sn_abs(stone->pose.rotation.w)) <= 0.5f * SN_PI / 6.0f + 1e-3f);
        assert_in_range(stone->color, 1, 3);
        ++colors[stone->color];
        heavy += stone->density > 5000.0f;
        large += stone->radius > 1.25f;
    }
    // Every choice is drawn about as often as another.
    assert_true(colors[1] > 40 && colors[2] > 40 && colors[3] > 40);
    assert_in_range(heavy, 70, 130);
    assert_in_range(large, 70, 130);
}

static void test_a_seed_draws_the_same_again_and_another_one_something_else(void **state)
{
    (void)state;
    static drawn first[200], again[200], other[200];
    draw_stones(STONES("1"), first);
    draw_stones(STONES("1"), again);
    draw_stones(STONES("2"), other);
    assert_memory_equal(first, again, sizeof first);
    int same = 0;
    for (int i = 0; i < 200; ++i) {
        same += first[i].radius == other[i].radius;
    }
    assert_true(same < 5);
}

static void test_parts_and_deformables_differ_too(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(
        "{'sinew': 1, 'parts': [{'name': 'p', 'bodies': [{'name': 'a'}, {'name': 'b', 'position': [1, 0, "
        "0]}], 'joints': [{'type': 'fixed', 'a': 'a', 'b': 'b', 'at': [0, 0, 0]}], 'repeat': {'count': 3, "
        "'offset': [0, 9, 0], 'vary': {'turn': 90, 'shift': [1, 1, 1]}}}], 'deformables': [{'name': 'd', "
        "'mesh': {'type': 'box', 'size': [1, 1, 1], 'cells': [1, 1, 1]}, 'scale': 2, 'repeat': {'count': 9, "
        "'offset': [0, 0, 9], 'vary': {'size': [0.5, 0.5]}}}]}");
    sn_vec3 a = position_of(scene, "p[1].a"), b = position_of(scene, "p[1].b");
    assert_near((double)sn_distance_between(a, b), 1.0, 1e-5);
    assert_true(sn_abs(a.y - 9.0f) <= 1.0f && a.y != 9.0f && sn_abs(a.x - b.x) < 0.999f);
    sn_deformable soft[9];
    assert_int_equal(sn_world_deformables(sn_scene_world(scene), soft, 9), 9);
    assert_near((double)sn_deformable_measure_now(sn_scene_world(scene), soft[4]).volume, 1.0, 1e-5);
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
        cmocka_unit_test(test_copies_may_differ_within_what_is_said),
        cmocka_unit_test(test_a_seed_draws_the_same_again_and_another_one_something_else),
        cmocka_unit_test(test_parts_and_deformables_differ_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
