// How groups of bodies have changed their shape: planes, lengths, distances.
#include "apps/figures/shape_measures.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static sn_world *world_of(const sn_vec3 *places, int count)
{
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    assert_int_equal(sn_world_create(&def, &world), SN_OK);
    for (int i = 0; i < count; ++i) {
        sn_rigid_def body = sn_rigid_def_default();
        char name[32];
        snprintf(name, sizeof name, "link[%d].bar", i);
        body.name = name;
        body.position = places[i];
        assert_int_equal(sn_rigid_add(world, &body, NULL), SN_OK);
    }
    return world;
}

static void test_points_of_a_tilted_plane_are_flat(void **state)
{
    (void)state;
    sn_vec3 places[24];
    for (int i = 0; i < 24; ++i) {
        float u = cosf((float)i), v = sinf((float)i);
        places[i] = sn_v(u + 5.0f, 0.5f * u + 0.3f * v, v);
    }
    sn_world *world = world_of(places, 24);
    assert_true(flatness_of_bodies(world, "link").farthest < 1e-5);
    sn_world_destroy(world);
}

static void test_what_sticks_out_of_a_plane_is_measured(void **state)
{
    (void)state;
    sn_vec3 places[41];
    for (int i = 0; i < 40; ++i) {
        places[i] = sn_v(cosf((float)i), 0.0f, sinf((float)i));
    }
    places[40] = sn_v(0.0f, 0.1f, 0.0f);
    sn_world *world = world_of(places, 41);
    flatness flat = flatness_of_bodies(world, "link");
    assert_true(fabs(flat.farthest - 0.1) < 0.005);
    sn_world_destroy(world);
}

static void test_lengths_go_from_number_to_number(void **state)
{
    (void)state;
    const sn_vec3 places[3] = {{0, 0, 0}, {3, 0, 0}, {3, 4, 0}};
    sn_world *world = world_of(places, 3);
    assert_true(fabs(length_along_bodies(world, "link[%d].bar", 3) - 7.0) < 1e-6);
    assert_true(isnan(length_along_bodies(world, "link[%d].bar", 4)));
    assert_true(isnan(length_along_bodies(world, "rope[%d].bar", 2)));
    sn_world_destroy(world);
}

static void test_moves_and_strains_are_of_what_moved(void **state)
{
    (void)state;
    const sn_vec3 places[3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}};
    sn_world *world = world_of(places, 3);
    body_places start;
    body_distances rest;
    double farthest;
    assert_true(body_places_take(world, "link", &start) && body_distances_take(world, "link", &rest));
    assert_int_equal(rest.count, 3);
    assert_true(body_distances_strain(world, &rest) == 0.0);
    sn_pose pose = {.position = {2.2f, 0, 0}, .rotation = {0, 0, 0, 1}};
    assert_int_equal(sn_rigid_pose_set(world, start.ids.items[1], pose), SN_OK);
    assert_int_equal(body_places_moved(world, &start, 0.1, &farthest), 1);
    assert_true(fabs(farthest - 0.2) < 1e-6);
    assert_true(fabs(body_distances_strain(world, &rest) - 0.1) < 1e-6);
    body_places_release(&start);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_of_a_tilted_plane_are_flat),
        cmocka_unit_test(test_what_sticks_out_of_a_plane_is_measured),
        cmocka_unit_test(test_lengths_go_from_number_to_number),
        cmocka_unit_test(test_moves_and_strains_are_of_what_moved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
