// Closest points: against distances in double over shapes of every kind, inside and outside.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sinew/sinew.h"
#include "support/query_scene.h"
#include <float.h>
#include <string.h>

static sn_closest closest_to(const sn_world *world, sn_vec3 point, float reach)
{
    sn_closest closest;
    assert_int_equal(sn_world_closest(world, point, reach, sn_query_filter_default(), &closest), SN_OK);
    return closest;
}

static void assert_vec3_near(sn_vec3 a, sn_vec3 b, float tolerance)
{
    assert_true(sn_length(sn_sub(a, b)) <= tolerance);
}

// What an answer says of itself.
static void assert_sound(const sn_world *world, const sn_closest *closest, sn_vec3 asked)
{
    int index = scene_shape_index(closest->shape);
    assert_int_equal(closest->rigid.index, world->shapes.data[index].body + 1);
    assert_true(sn_shape_is_valid(world, closest->shape));
    assert_true(sn_abs(sn_length(closest->normal) - 1.0f) < 1.0e-5f);
    assert_vec3_near(sn_add_scaled(closest->point, closest->distance, closest->normal), asked, 2.0e-5f);
}

// --- brute force ---------------------------------------------------------------------------------

static void test_the_nearest_shape_agrees_with_brute_force(void **state)
{
    (void)state;
    query_scene scene = query_scene_make(141, 60, 3.0f, true);
    sn_world *world = scene.world;
    test_random random = {142};
    int none = 0, inside = 0, of_type[SN_COMPOUND + 1] = {0};
    for (int i = 0; i < 3000; ++i) {
        sn_vec3 point = test_random_vec3(&random, 4.5f);
        float reach = i % 5 == 0 ? test_random_float(&random, 0.1f, 0.5f) : 100.0f;
        double best = INFINITY, second = INFINITY;
        int nearest = -1;
        for (int k = 0; k < world->shapes.count; ++k) {
            double distance = oracle_distance(world, k, vec3d_from(point));
            second = fmin(second, fmax(best, distance));
            nearest = distance < best ? k : nearest;
            best = fmin(best, distance);
        }
        sn_closest closest = closest_to(world, point, reach);
        if (closest.shape.index == 0) {
            assert_true(best > reach - 1.0e-5f);
            ++none;
            continue;
        }
        assert_sound(world, &closest, point);
        assert_true(fabs(closest.distance - best) < 1.0e-5);
        assert_true(second - best < 1.0e-5 || scene_shape_index(closest.shape) == nearest);
        // Deep points may have several ways out: that the one named is one, the distance says.
        double at_point = oracle_distance(world, scene_shape_index(closest.shape), vec3d_from(closest.point));
        assert_true(closest.distance < 0.0f ? at_point < 2.0e-5 : fabs(at_point) < 2.0e-5);
        inside += closest.distance < 0.0f;
        ++of_type[world->shapes.data[nearest].type];
    }
    assert_true(none > 30 && inside > 100);
    for (int type = SN_SPHERE; type <= SN_COMPOUND; ++type) {
        assert_true(of_type[type] > 60);
    }
    query_scene_free(&scene);
}

static void test_answer_does_not_depend_on_the_trees(void **state)
{
    (void)state;
    query_scene scene = query_scene_make(151, 120, 5.0f, true);
    enum { POINTS = 500 };
    sn_closest before[POINTS];
    for (int pass = 0; pass < 2; ++pass) {
        test_random random = {152};
        for (int i = 0; i < POINTS; ++i) {
            sn_closest closest = closest_to(scene.world, test_random_vec3(&random, 6.0f), 10.0f);
            before[i] = pass == 0 ? closest : before[i];
            assert_memory_equal(&closest, &before[i], sizeof closest);
        }
        query_scene_shuffle(&scene);
    }
    query_scene_free(&scene);
}

// --- closed forms --------------------------------------------------------------------------------

static void test_closed_forms(void **state)
{
    (void)state;
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    assert_int_equal(sn_world_create(&def, &world), SN_OK);
    sn_rigid ground = sn_world_ground(world);
    sn_shape_def at = sn_shape_def_default();
    sn_sphere_add(world, ground, &at, (sn_sphere){{0.0f, 0.0f, 0.0f}, 1.0f}, NULL);
    at.offset.position.x = 10.0f;
    sn_box_add(world, ground, &at, (sn_box){{1.0f, 2.0f, 3.0f}}, NULL);
    at.offset.position.x = 20.0f;
    sn_capsule_add(world, ground, &at, (sn_capsule){{0, -1, 0}, {0, 1, 0}, 0.5f}, NULL);
    sn_plane_add(world, ground, NULL, (sn_plane){{0.0f, 1.0f, 0.0f}, -50.0f}, NULL);
    const struct {
        sn_vec3 asked, point, normal;
        float distance;
        uint32_t shape;
    } cases[] = {{{3, 4, 0}, {0.6f, 0.8f, 0}, {0.6f, 0.8f, 0}, 4.0f, 1},
                 {{0, -0.5f, 0}, {0, -1, 0}, {0, -1, 0}, -0.5f, 1},
                 {{13, 1, 2}, {11, 1, 2}, {1, 0, 0}, 2.0f, 2},
                 {{14, 6, 3}, {11, 2, 3}, {0.6f, 0.8f, 0}, 5.0f, 2},
                 {{10.75f, 1, 1}, {11, 1, 1}, {1, 0, 0}, -0.25f, 2},
                 {{10.1f, 1.95f, 1}, {10.1f, 2, 1}, {0, 1, 0}, -0.05f, 2},
                 {{20, 0.3f, 2}, {20, 0.3f, 0.5f}, {0, 0, 1}, 1.5f, 3},
                 {{20, 4, 0}, {20, 1.5f, 0}, {0, 1, 0}, 2.5f, 3},
                 {{20.25f, 0.5f, 0}, {20.5f, 0.5f, 0}, {1, 0, 0}, -0.25f, 3},
                 {{30, -45, 7}, {30, -50, 7}, {0, 1, 0}, 5.0f, 4},
                 {{3, -60, 7}, {3, -50, 7}, {0, 1, 0}, -10.0f, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        sn_closest closest = closest_to(world, cases[i].asked, 5.5f);
        assert_int_equal(closest.shape.index, cases[i].shape);
        assert_true(sn_abs(closest.distance - cases[i].distance) < 2.0e-6f);
        assert_vec3_near(closest.point, cases[i].point, 1.0e-5f);
        assert_vec3_near(closest.normal, cases[i].normal, 1.0e-5f);
    }
    assert_int_equal(closest_to(world, sn_v(30.0f, 0.0f, 0.0f), 9.4f).shape.index, 0);
    assert_int_equal(closest_to(world, sn_v(30.0f, 0.0f, 0.0f), 9.6f).shape.index, 3);
    assert_int_equal(closest_to(world, sn_v(900.0f, 900.0f, 900.0f), FLT_MAX).shape.index, 4);
    sn_world_destroy(world);
}

static void test_a_surface_has_two_sides_and_no_inside(void **state)
{
    (void)state;
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    assert_int_equal(sn_world_create(&def, &world), SN_OK);
    const sn_vec3 corners[4] = {{0, 0, 0}, {0, 0, 2}, {2, 0, 0}, {2, 0, 2}};
    const uint32_t triangles[6] = {0, 1, 2, 2, 1, 3};
    sn_surface *sheet;
    assert_int_equal(sn_surface_create(corners, 4, triangles, 2, false, &sheet), SN_OK);
    sn_surface_add(world, sn_world_ground(world), NULL, sheet, NULL);
    for (int side = -1; side <= 1; side += 2) {
        sn_closest closest = closest_to(world, sn_v(1.5f, 0.25f * (float)side, 1.5f), 1.0f);
        assert_true(closest.distance == 0.25f);
        assert_vec3_near(closest.point, sn_v(1.5f, 0.0f, 1.5f), 1.0e-6f);
        assert_vec3_near(closest.normal, sn_v(0.0f, (float)side, 0.0f), 1.0e-6f);
    }
    sn_closest beside = closest_to(world, sn_v(-3.0f, 4.0f, 1.0f), 10.0f);
    assert_true(sn_abs(beside.distance - 5.0f) < 1.0e-5f);
    assert_vec3_near(beside.point, sn_v(0.0f, 0.0f, 1.0f), 1.0e-5f);
    sn_world_destroy(world);
    sn_surface_destroy(sheet);
}

static void test_of_equal_distances_the_lowest_shape_wins(void **state)
{
    (void)state;
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    assert_int_equal(sn_world_create(&def, &world), SN_OK);
    sn_shape shapes[6];
    for (int i = 0; i < 6; ++i) {
        sn_rigid_def body = sn_rigid_def_default();
        body.type = i % 2 ? SN_STATIC : SN_DYNAMIC;
        body.position.x = i < 3 ? 2.0f : -2.0f;
        sn_rigid rigid;
        assert_int_equal(sn_rigid_add(world, &body, &rigid), SN_OK);
        sn_sphere_add(world, rigid, NULL, (sn_sphere){{0.0f, 0.0f, 0.0f}, 1.0f}, &shapes[i]);
    }
    for (int i = 0; i < 6; ++i) {
        assert_int_equal(closest_to(world, sn_v(0.0f, 0.0f, 0.0f), 5.0f).shape.index, shapes[i].index);
        assert_int_equal(sn_shape_remove(world, shapes[i]), SN_OK);
    }
    assert_int_equal(closest_to(world, sn_v(0.0f, 0.0f, 0.0f), 5.0f).shape.index, 0);
    sn_world_destroy(world);
}

static void test_small_triangles_far_from_the_origin_keep_their_precision(void **state)
{
    (void)state;
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    assert_int_equal(sn_world_create(&def, &world), SN_OK);
    // A strip of a terrain, one kilometre out: float32 holds 0.06 mm there.
    sn_vec3 corners[42];
    uint32_t triangles[120];
    for (int i = 0; i < 42; ++i) {
        corners[i] = sn_v(1000.0f + 0.5f * (float)(i / 2), 3.0f, (float)(i % 2));
    }
    for (uint32_t i = 0; i < 20; ++i) {
        const uint32_t two[6] = {2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 2, 2 * i + 1, 2 * i + 3};
        memcpy(triangles + 6 * i, two, sizeof two);
    }
    sn_surface *strip;
    assert_int_equal(sn_surface_create(corners, 42, triangles, 40, false, &strip), SN_OK);
    sn_surface_add(world, sn_world_ground(world), NULL, strip, NULL);
    test_random random = {162};
    for (int i = 0; i < 200; ++i) {
        float x = test_random_float(&random, 1000.1f, 1009.9f), z = test_random_float(&random, 0.1f, 0.9f);
        sn_closest closest = closest_to(world, sn_v(x, 3.25f, z), 2.0f);
        assert_true(sn_abs(closest.distance - 0.25f) < 2.0e-6f);
        assert_vec3_near(closest.normal, sn_v(0.0f, 1.0f, 0.0f), 1.0e-5f);
        assert_vec3_near(closest.point, sn_v(x, 3.0f, z), 1.3e-4f);
    }
    sn_world_destroy(world);
    sn_surface_destroy(strip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_nearest_shape_agrees_with_brute_force),
        cmocka_unit_test(test_answer_does_not_depend_on_the_trees),
        cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_a_surface_has_two_sides_and_no_inside),
        cmocka_unit_test(test_of_equal_distances_the_lowest_shape_wins),
        cmocka_unit_test(test_small_triangles_far_from_the_origin_keep_their_precision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
