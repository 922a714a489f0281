// Overlaps: against distances shape by shape, and how the answer is handed over.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sinew/sinew.h"
#include "support/query_scene.h"

static sn_query_filter everything(void)
{
    return sn_query_filter_default();
}

// A row of overlapping balls on bodies of all types, one every metre from x = 0.
static sn_world *row_of_balls(int count)
{
    static const sn_rigid_type types[] = {SN_STATIC, SN_KINEMATIC, SN_DYNAMIC};
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    assert_int_equal(sn_world_create(&def, &world), SN_OK);
    for (int i = 0; i < count; ++i) {
        // Every other one from the far end, so that neither place nor tree follow the index.
        int place = i % 2 ? count - 1 - i / 2 : i / 2;
        sn_rigid_def body = sn_rigid_def_default();
        body.type = types[i % 3];
        body.position = sn_v((float)place, 0.0f, 0.0f);
        sn_rigid rigid;
        assert_int_equal(sn_rigid_add(world, &body, &rigid), SN_OK);
        sn_sphere_add(world, rigid, NULL, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.6f}, NULL);
    }
    return world;
}

static sn_solid bar(float length)
{
    return (sn_solid){.type = SN_CAPSULE,
                      .pose = sn_pose_identity,
                      .capsule = {{0.0f, 0.0f, 0.0f}, {length, 0.0f, 0.0f}, 0.1f}};
}

// --- solids --------------------------------------------------------------------------------------

// A ball overlaps what is no farther from its centre than its radius.
static void test_balls_overlap_what_distances_say(void **state)
{
    (void)state;
    query_scene scene = query_scene_make(101, 90, 3.0f, true);
    sn_world *world = scene.world;
    test_random random = {102};
    int found = 0, of_type[SN_COMPOUND + 1] = {0};
    for (int i = 0; i < 600; ++i) {
        sn_solid ball = {.type = SN_SPHERE, .pose.rotation = test_random_rotation(&random)};
        ball.pose.position = test_random_vec3(&random, 4.0f);
        ball.sphere.center = test_random_vec3(&random, 0.5f);
        ball.sphere.radius = test_random_float(&random, 0.05f, 1.0f);
        sn_shape out[128];
        int count = -1, next = 0;
        assert_int_equal(sn_world_overlap(world, &ball, everything(), out, 128, &count), SN_OK);
        vec3d center = vec3d_apply(ball.pose, vec3d_from(ball.sphere.center));
        for (int k = 0; k < world->shapes.count; ++k) {
            double distance = oracle_distance(world, k, center) - ball.sphere.radius;
            bool reported = next < count && scene_shape_index(out[next]) == k;
            next += reported;
            assert_true(fabs(distance) < 1.0e-5 || reported == (distance <= 0.0));
            of_type[world->shapes.data[k].type] += reported;
        }
        assert_int_equal(next, count); // sorted, each once
        found += count;
    }
    assert_true(found > 500);
    for (int type = SN_SPHERE; type <= SN_COMPOUND; ++type) {
        assert_true(of_type[type] > 30);
    }
    query_scene_free(&scene);
}

// A box overlaps what some point of a fine grid in it lies in, and nothing that is farther away than the
// grid is fine.
static void test_boxes_overlap_what_a_grid_of_points_says(void **state)
{
    (void)state;
    query_scene scene = query_scene_make(111, 24, 2.5f, true);
    sn_world *world = scene.world;
    test_random random = {112};
    enum { CELLS = 6 };
    const float half = 0.3f;
    const double spacing = 2.0 * half / CELLS, reach = 0.5 * spacing * sqrt(3.0);
    int sure = 0, found = 0;
    for (int i = 0; i < 60; ++i) {
        sn_solid box = {.type = SN_BOX, .box = {{half, half, half}}};
        box.pose.position = test_random_vec3(&random, 3.0f);
        box.pose.rotation = test_random_rotation(&random);
        sn_shape out[64];
        int count, next = 0;
        assert_int_equal(sn_world_overlap(world, &box, everything(), out, 64, &count), SN_OK);
        for (int k = 0; k < world->shapes.count; ++k) {
            double least = INFINITY;
            for (int p = 0; p < (CELLS + 1) * (CELLS + 1) * (CELLS + 1); ++p) {
                vec3d local = {-half + spacing * (p % (CELLS + 1)),
                               -half + spacing * (p / (CELLS + 1) % (CELLS + 1)),
                               -half + spacing * (p / (CELLS + 1) / (CELLS + 1))};
                least = fmin(least, oracle_distance(world, k, vec3d_apply(box.pose, local)));
            }
            bool reported = next < count && scene_shape_index(out[next]) == k;
            next += reported;
            found += reported;
            if (least < -1.0e-5 || least > reach + 1.0e-5) {
                assert_int_equal(reported, least < 0.0);
                ++sure;
            }
        }
        assert_int_equal(next, count);
    }
    assert_true(sure > 1000 && found > 30);
    query_scene_free(&scene);
}

static void test_a_solid_behind_a_surface_overlaps_only_its_sheet(void **state)
{
    (void)state;
    query_scene scene = query_scene_make(121, 0, 1.0f, false);
    sn_solid ball = {.type = SN_SPHERE, .pose = sn_pose_identity, .sphere = {.radius = 0.1f}};
    int count;
    for (float y = -2.0f; y <= 2.0f; y += 0.125f) {
        ball.pose.position = sn_v(0.3f, y, 0.2f);
        double distance = oracle_distance(scene.world, 0, vec3d_from(ball.pose.position));
        assert_int_equal(sn_world_overlap(scene.world, &ball, everything(), NULL, 0, &count), SN_OK);
        assert_int_equal(count, distance <= 0.1);
    }
    query_scene_free(&scene);
}

static void test_a_solid_overlaps_all_below_a_plane(void **state)
{
    (void)state;
    sn_world *world = row_of_balls(0);
    sn_plane plane = {{0.0f, 0.0f, -1.0f}, 2.0f}; // solid where z ≥ −2
    sn_plane_add(world, sn_world_ground(world), NULL, plane, NULL);
    sn_solid box = {.type = SN_BOX, .pose = sn_pose_identity, .box = {{1.0f, 1.0f, 1.0f}}};
    const struct {
        float z;
        int count;
    } cases[] = {{-3.001f, 0}, {-2.999f, 1}, {-2.0f, 1}, {0.0f, 1}, {1000.0f, 1}, {-1000.0f, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        int count;
        box.pose.position.z = cases[i].z;
        assert_int_equal(sn_world_overlap(world, &box, everything(), NULL, 0, &count), SN_OK);
        assert_int_equal(count, cases[i].count);
    }
    sn_world_destroy(world);
}

// --- the answer ----------------------------------------------------------------------------------

static void test_answers_are_sorted_and_cut_at_the_lowest_indices(void **state)
{
    (void)state;
    sn_world *world = row_of_balls(40);
    sn_solid solid = bar(39.0f);
    sn_bounds box = {{0.0f, -0.1f, -0.1f}, {39.0f, 0.1f, 0.1f}};
    for (int capacity = 0; capacity <= 45; ++capacity) {
        for (int by_bounds = 0; by_bounds < 2; ++by_bounds) {
            sn_shape out[46] = {{0}};
            int count = -1, kept = capacity < 40 ? capacity : 40;
            sn_status status = by_bounds
                                   ? sn_world_overlap_bounds(world, box, everything(), out, capacity, &count)
                                   : sn_world_overlap(world, &solid, everything(), out, capacity, &count);
            assert_int_equal(status, SN_OK);
            assert_int_equal(count, 40);
            for (int i = 0; i < 46; ++i) {
                assert_int_equal(out[i].index, i < kept ? i + 1 : 0);
                assert_int_equal(sn_shape_is_valid(world, out[i]), i < kept);
            }
        }
    }
    sn_world_destroy(world);
}

static void test_answer_does_not_depend_on_the_trees(void **state)
{
    (void)state;
    sn_world *world = row_of_balls(30);
    sn_solid solid = bar(20.0f);
    sn_shape before[10], after[10];
    int count_before, count_after;
    assert_int_equal(sn_world_overlap(world, &solid, everything(), before, 10, &count_before), SN_OK);
    sn_bounds_tree_rebuild(&world->static_tree);
    sn_bounds_tree_rebuild(&world->moving_tree);
    assert_int_equal(sn_world_overlap(world, &solid, everything(), after, 10, &count_after), SN_OK);
    assert_int_equal(count_before, 21);
    assert_int_equal(count_after, 21);
    assert_memory_equal(before, after, sizeof before);
    sn_world_destroy(world);
}

// --- boxes ---------------------------------------------------------------------------------------

static void test_bounds_overlap_as_the_shapes_own_bounds_do(void **state)
{
    (void)state;
    query_scene scene = query_scene_make(131, 60, 3.0f, true);
    sn_world *world = scene.world;
    test_random random = {132};
    int found = 0;
    for (int i = 0; i < 500; ++i) {
        sn_vec3 a = test_random_vec3(&random, 4.0f), b = sn_add(a, test_random_vec3(&random, 1.0f));
        sn_bounds box = {sn_min3(a, b), sn_max3(a, b)};
        sn_shape out[128];
        int count, next = 0;
        assert_int_equal(sn_world_overlap_bounds(world, box, everything(), out, 128, &count), SN_OK);
        for (int k = 0; k < world->shapes.count; ++k) {
            bool reported = next < count && scene_shape_index(out[next]) == k;
            next += reported;
            sn_bounds own = sn_shape_bounds(world, (sn_shape){(uint32_t)k + 1, 1, world->tag});
            assert_int_equal(reported, sn_bounds_overlap(own, box));
        }
        assert_int_equal(next, count);
        found += count;
    }
    assert_true(found > 1000);
    query_scene_free(&scene);
}

static void test_a_box_without_volume_is_a_fine_question(void **state)
{
    (void)state;
    sn_world *world = row_of_balls(3);
    sn_bounds point = {{1.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}};
    int count;
    assert_int_equal(sn_world_overlap_bounds(world, point, everything(), NULL, 0, &count), SN_OK);
    assert_int_equal(count, 1);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balls_overlap_what_distances_say),
        cmocka_unit_test(test_boxes_overlap_what_a_grid_of_points_says),
        cmocka_unit_test(test_a_solid_behind_a_surface_overlaps_only_its_sheet),
        cmocka_unit_test(test_a_solid_overlaps_all_below_a_plane),
        cmocka_unit_test(test_answers_are_sorted_and_cut_at_the_lowest_indices),
        cmocka_unit_test(test_answer_does_not_depend_on_the_trees),
        cmocka_unit_test(test_bounds_overlap_as_the_shapes_own_bounds_do),
        cmocka_unit_test(test_a_box_without_volume_is_a_fine_question),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
