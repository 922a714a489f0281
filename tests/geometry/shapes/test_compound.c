// Compounds: parts as given, ready views, bounds, ownership of hulls, refusals.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/shapes/compound.h"
#include "support/memory.h"
#include "support/random.h"
#include <string.h>

static sn_pose random_pose(test_random *random, float reach)
{
    sn_vec3 position = test_random_vec3(random, reach);
    return (sn_pose){position, test_random_rotation(random)};
}

static sn_hull *make_cone(void)
{
    sn_hull *hull = NULL;
    assert_int_equal(sn_hull_cylinder(1.0f, 1.0f, 0.0f, 6, &hull), SN_OK);
    return hull;
}

static void test_parts_come_back_as_given_with_unit_rotations(void **state)
{
    (void)state;
    sn_hull *hull = make_cone();
    sn_pose pose = {{1, 2, 3}, {0, 0, 0, 1.0005f}};
    sn_solid parts[4] = {
        {.type = SN_SPHERE, .pose = pose, .sphere = {{1, 0, 0}, 2}},
        {.type = SN_CAPSULE, .pose = pose, .capsule = {{0, 0, 0}, {0, 1, 0}, 3}},
        {.type = SN_BOX, .pose = pose, .box = {{1, 2, 3}}},
        {.type = SN_HULL, .pose = pose, .hull = hull},
    };
    sn_compound *compound = NULL;
    assert_int_equal(sn_compound_create(parts, 4, &compound), SN_OK);
    assert_int_equal(sn_compound_part_count(compound), 4);
    for (int i = 0; i < 4; ++i) {
        sn_solid part = sn_compound_part(compound, i);
        assert_int_equal(part.type, parts[i].type);
        assert_memory_equal(&part.pose.position, &pose.position, sizeof(sn_vec3));
        assert_float_equal(part.pose.rotation.w, 1.0f, 1.0e-7f);
    }
    assert_float_equal(sn_compound_part(compound, 0).sphere.radius, 2.0f, 0.0f);
    assert_float_equal(sn_compound_part(compound, 2).box.half_extents.z, 3.0f, 0.0f);
    assert_ptr_equal(sn_compound_part(compound, 3).hull, hull);
    sn_compound_destroy(compound);
    sn_hull_destroy(hull);
}

static void test_views_and_bounds_are_those_of_the_solids(void **state)
{
    (void)state;
    test_random random = {5};
    sn_solid parts[50];
    for (int i = 0; i < 50; ++i) {
        sn_pose pose = random_pose(&random, 5);
        parts[i] = (sn_solid){.type = SN_BOX, .pose = pose, .box = {{1, 2, 3}}};
        if (i % 2) {
            parts[i] = (sn_solid){.type = SN_CAPSULE, .pose = pose, .capsule = {{0, 0, 0}, {0, 1, 0}, 0.5f}};
        }
    }
    sn_compound *compound = NULL;
    assert_int_equal(sn_compound_create(parts, 50, &compound), SN_OK);
    sn_bounds all = compound->parts[0].bounds;
    for (int i = 0; i < 50; ++i) {
        sn_convex_storage storage;
        sn_convex expected = sn_convex_solid(&storage, &parts[i]), view = sn_compound_convex(compound, i);
        assert_int_equal(view.point_count, expected.point_count);
        assert_memory_equal(view.points, expected.points, (size_t)view.point_count * sizeof(sn_vec3));
        assert_float_equal(view.radius, expected.radius, 0.0f);
        sn_bounds bounds = sn_convex_bounds(&expected, parts[i].pose);
        assert_float_equal(sn_distance_between(compound->parts[i].bounds.lower, bounds.lower), 0.0f, 1.0e-5f);
        assert_float_equal(sn_distance_between(compound->parts[i].bounds.upper, bounds.upper), 0.0f, 1.0e-5f);
        all = sn_bounds_union(all, compound->parts[i].bounds);
    }
    assert_memory_equal(&all, &compound->bounds, sizeof all);
    sn_compound_destroy(compound);
}

static void test_compound_keeps_its_hulls_alive_and_lets_them_go(void **state)
{
    (void)state;
    sn_hull *hull = make_cone();
    sn_solid parts[2] = {{.type = SN_HULL, .pose = sn_pose_identity, .hull = hull},
                         {.type = SN_HULL, .pose = sn_pose_identity, .hull = hull}};
    sn_compound *compound = NULL;
    assert_int_equal(sn_compound_create(parts, 2, &compound), SN_OK);
    assert_int_equal(hull->reference_count, 3);
    sn_hull_destroy(hull);
    assert_int_equal(sn_compound_convex(compound, 1).point_count, 7);
    sn_compound_retain(compound);
    sn_compound_destroy(compound);
    assert_int_equal(sn_compound_part_count(compound), 2);
    sn_compound_destroy(compound);
}

static void test_bad_compounds_are_refused_and_change_nothing(void **state)
{
    (void)state;
    sn_hull *hull = make_cone();
    sn_compound *compound = NULL;
    sn_solid parts[3] = {{.type = SN_HULL, .pose = sn_pose_identity, .hull = hull},
                         {.type = SN_BOX, .pose = sn_pose_identity, .box = {{1, 1, 1}}},
                         {.type = SN_SPHERE, .pose = sn_pose_identity, .sphere = {{0, 0, 0}, -1}}};
    assert_int_equal(sn_compound_create(NULL, 1, &compound), SN_ERROR_NULL);
    assert_int_equal(sn_compound_create(parts, 1, NULL), SN_ERROR_NULL);
    assert_int_equal(sn_compound_create(parts, 0, &compound), SN_ERROR_RANGE);
    assert_int_equal(sn_compound_create(parts, -5, &compound), SN_ERROR_RANGE);
    assert_int_equal(sn_compound_create(parts, 4097, &compound), SN_ERROR_RANGE);
    assert_int_equal(sn_compound_create(parts, 3, &compound), SN_ERROR_RANGE);
    assert_string_equal(sn_last_error(), "part 2 of compound: radius is -1, expected >= 1e-05 and <= 1e+06");
    parts[2].type = SN_PLANE;
    assert_int_equal(sn_compound_create(parts, 3, &compound), SN_ERROR_KIND);
    parts[1].pose.rotation.w = 0.5f;
    assert_int_equal(sn_compound_create(parts, 2, &compound), SN_ERROR_ROTATION);
    test_memory_allow(0);
    assert_int_equal(sn_compound_create(parts, 1, &compound), SN_ERROR_MEMORY);
    test_memory_allow_all();
    assert_null(compound);
    assert_int_equal(hull->reference_count, 1);
    sn_hull_destroy(hull);
}

static void test_looking_past_the_end_is_harmless(void **state)
{
    (void)state;
    sn_solid part = {.type = SN_BOX, .pose = sn_pose_identity, .box = {{1, 1, 1}}};
    sn_compound *compound = NULL;
    assert_int_equal(sn_compound_create(&part, 1, &compound), SN_OK);
    assert_int_equal(sn_compound_part(compound, 1).type, 0);
    assert_int_equal(sn_compound_part(compound, -1).type, 0);
    assert_int_equal(sn_compound_part(NULL, 0).type, 0);
    assert_int_equal(sn_compound_part_count(NULL), 0);
    sn_compound_destroy(compound);
    sn_compound_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_parts_come_back_as_given_with_unit_rotations),
        test_with_memory(test_views_and_bounds_are_those_of_the_solids),
        test_with_memory(test_compound_keeps_its_hulls_alive_and_lets_them_go),
        test_with_memory(test_bad_compounds_are_refused_and_change_nothing),
        test_with_memory(test_looking_past_the_end_is_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
