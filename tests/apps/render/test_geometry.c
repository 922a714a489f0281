// The cache of triangles: each kind made once, meshes known by address and recognised when another takes it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "apps/render/geometry.h"

static sn_hull *cylinder(int sides)
{
    sn_hull *hull;
    assert_int_equal(sn_hull_cylinder(1.0f, 1.0f, 1.0f, sides, &hull), SN_OK);
    return hull;
}

static void discard_nothing(geometry *entry)
{
    (void)entry;
}

static void test_levels_rise_with_the_size_in_pixels(void **state)
{
    (void)state;
    int before = 0;
    for (float pixels = 0.0f; pixels < 5000.0f; pixels = 1.3f * pixels + 0.1f) {
        int level = geometry_level(pixels);
        assert_true(level >= before && level < GEOMETRY_LEVELS);
        before = level;
    }
    assert_int_equal(geometry_level(0.0f), 0);
    assert_int_equal(before, GEOMETRY_LEVELS - 1);
}

static void test_shadows_use_coarser_balls_of_the_same_kind(void **state)
{
    (void)state;
    for (int i = 0; i < GEOMETRY_MESHES + 3; ++i) {
        int stand_in = geometry_for_shadow(i);
        assert_true(stand_in <= i);
        assert_int_equal(stand_in < GEOMETRY_CAPSULE, i < GEOMETRY_CAPSULE);
        assert_true(i < GEOMETRY_BOX ? stand_in < GEOMETRY_BOX : stand_in == i);
    }
    assert_true(geometry_for_shadow(GEOMETRY_CAPSULE + 13) < GEOMETRY_CAPSULE + 13);
}

static void test_a_hull_is_made_once(void **state)
{
    (void)state;
    geometry_cache cache;
    assert_true(geometry_create(&cache));
    sn_hull *hulls[100];
    int entries[100];
    for (int i = 0; i < 100; ++i) {
        hulls[i] = cylinder(3 + i % 60);
        entries[i] = geometry_hull(&cache, hulls[i], false);
        assert_int_equal(entries[i], GEOMETRY_MESHES + i);
    }
    for (int frame = 0; frame < 3; ++frame) {
        ++cache.frame;
        for (int i = 0; i < 100; ++i) {
            assert_int_equal(geometry_hull(&cache, hulls[i], false), entries[i]);
        }
    }
    assert_int_equal(cache.entries.count, GEOMETRY_MESHES + 100);
    for (int i = 0; i < 100; ++i) {
        sn_hull_destroy(hulls[i]);
    }
    geometry_destroy(&cache);
}

static void test_another_hull_at_the_same_address_is_noticed(void **state)
{
    (void)state;
    geometry_cache cache;
    assert_true(geometry_create(&cache));
    sn_hull *first = cylinder(8);
    const void *address = first;
    int entry = geometry_hull(&cache, first, false);
    // 8 sides of 4 corners, top and bottom of 8.
    assert_int_equal(cache.entries.items[entry].mesh.vertex_count, 48);
    sn_hull_destroy(first);
    sn_hull *kept[64];
    int count = 0;
    // The allocator hands out the same place again sooner or later; usually at once.
    do {
        kept[count++] = cylinder(9);
    } while (kept[count - 1] != address && count < 64);
    ++cache.frame;
    int again = geometry_hull(&cache, kept[count - 1], false);
    assert_int_equal(cache.entries.items[again].mesh.vertex_count, 54);
    for (int i = 0; i < count; ++i) {
        sn_hull_destroy(kept[i]);
    }
    geometry_destroy(&cache);
}

static void test_meshes_of_no_use_are_forgotten(void **state)
{
    (void)state;
    geometry_cache cache;
    assert_true(geometry_create(&cache));
    sn_hull *used = cylinder(5), *unused = cylinder(6);
    int first = geometry_hull(&cache, unused, false), second = geometry_hull(&cache, used, false);
    for (int frame = 0; frame < 100; ++frame) {
        ++cache.frame;
        assert_int_equal(geometry_hull(&cache, used, false), second);
        geometry_forget_stale(&cache, discard_nothing);
    }
    assert_null(cache.entries.items[first].owner);
    assert_null(cache.entries.items[first].mesh.vertices);
    assert_non_null(cache.entries.items[GEOMETRY_BALL].mesh.vertices);
    // Its place is taken by the next, and those that stayed are still found.
    assert_int_equal(geometry_hull(&cache, unused, false), first);
    assert_int_equal(geometry_hull(&cache, used, false), second);
    sn_hull_destroy(used);
    sn_hull_destroy(unused);
    geometry_destroy(&cache);
}

static void test_surfaces_are_kept_in_their_own_frame(void **state)
{
    (void)state;
    const sn_vec3 corners[3] = {{0, 0, 0}, {0, 0, 2}, {2, 0, 0}};
    const uint32_t triangle[3] = {0, 1, 2};
    sn_world *world;
    sn_world_def def = sn_world_def_default();
    assert_int_equal(sn_world_create(&def, &world), SN_OK);
    sn_surface *surface;
    assert_int_equal(sn_surface_create(corners, 3, triangle, 1, false, &surface), SN_OK);
    sn_shape_def shape_def = sn_shape_def_default();
    shape_def.offset = (sn_pose){{5, 6, 7}, sn_quat_axis_angle(sn_v(1, 0, 0), 0.5f * SN_PI)};
    sn_shape moved, plain;
    assert_int_equal(sn_surface_add(world, sn_world_ground(world), &shape_def, surface, &moved), SN_OK);
    assert_int_equal(sn_surface_add(world, sn_world_ground(world), NULL, surface, &plain), SN_OK);
    geometry_cache cache;
    assert_true(geometry_create(&cache));
    int entry = geometry_surface(&cache, world, moved);
    assert_int_equal(geometry_surface(&cache, world, plain), entry);
    const solid_mesh *mesh = &cache.entries.items[entry].mesh;
    assert_false(cache.entries.items[entry].closed);
    assert_int_equal(mesh->index_count, 3);
    float sum = 0.0f;
    for (int i = 0; i < mesh->vertex_count; ++i) {
        assert_float_equal(mesh->vertices[i].normal.y, 1.0f, 1e-5f);
        assert_float_equal(mesh->vertices[i].corner.y, 0.0f, 1e-5f);
        sum += mesh->vertices[i].corner.x + mesh->vertices[i].corner.z;
    }
    assert_float_equal(sum, 4.0f, 1e-5f);
    geometry_destroy(&cache);
    sn_surface_destroy(surface);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels_rise_with_the_size_in_pixels),
        cmocka_unit_test(test_shadows_use_coarser_balls_of_the_same_kind),
        cmocka_unit_test(test_a_hull_is_made_once),
        cmocka_unit_test(test_another_hull_at_the_same_address_is_noticed),
        cmocka_unit_test(test_meshes_of_no_use_are_forgotten),
        cmocka_unit_test(test_surfaces_are_kept_in_their_own_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
