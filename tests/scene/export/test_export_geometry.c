// Geometry is made once for shapes that are alike, and anew for those that are not.
#include "scene/export_kit.h"
#include "scene/export_parts.h"

static const sn_vec3 gravity = {0.0f, -9.81f, 0.0f};

static int find(sn_export_store *store, const sn_world *world, sn_shape shape)
{
    sn_status status;
    int found = sn_export_store_find(store, world, shape, 10.0f, &status);
    assert_int_equal(status, SN_OK);
    assert_in_range(found, 0, store->geometries.count - 1);
    return found;
}

static sn_shape shape_of(const sn_world *world, sn_rigid rigid)
{
    sn_shape shape;
    assert_int_equal(sn_rigid_shapes(world, rigid, &shape, 1), 1);
    return shape;
}

static void test_equal_shapes_have_one_geometry(void **state)
{
    (void)state;
    export_world w = export_world_make(gravity);
    sn_export_store store = {0};
    int first = find(&store, w.world, shape_of(w.world, w.boxes[0]));
    assert_int_equal(find(&store, w.world, shape_of(w.world, w.boxes[1])), first);
    assert_int_not_equal(find(&store, w.world, shape_of(w.world, w.ball)), first);
    assert_int_equal(store.geometries.count, 2);
    assert_int_equal(store.vertex_count, 24 + 2 + 32 * 15);
    sn_export_store_empty(&store);
    assert_int_equal(store.vertex_count, 0);
    export_world_destroy(&w);
}

static void test_size_and_place_in_the_body_tell_shapes_apart(void **state)
{
    (void)state;
    export_world w = export_world_make(gravity);
    sn_export_store store = {0};
    sn_shape shape = shape_of(w.world, w.ball), moved;
    int before = find(&store, w.world, shape);
    sn_shape_def def = sn_shape_def_default();
    def.offset.position.x = 1.0f;
    sn_sphere sphere = {{0.0f, 0.0f, 0.0f}, 0.25f};
    assert_int_equal(sn_sphere_add(w.world, w.ball, &def, sphere, &moved), SN_OK);
    assert_int_not_equal(find(&store, w.world, moved), before);
    sphere.radius = 0.5f;
    assert_int_equal(sn_shape_sphere_set(w.world, shape, sphere), SN_OK);
    assert_int_not_equal(find(&store, w.world, shape), before);
    assert_int_equal(store.geometries.count, 3);
    sn_export_store_empty(&store);
    export_world_destroy(&w);
}

static void test_hull_is_shared_as_long_as_its_first_shape_lives(void **state)
{
    (void)state;
    export_world w = export_world_make(gravity);
    sn_export_store store = {0};
    sn_hull *hull;
    sn_shape shapes[3];
    assert_int_equal(sn_hull_cylinder(1.0f, 0.5f, 0.5f, 8, &hull), SN_OK);
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(sn_hull_add(w.world, sn_world_ground(w.world), NULL, hull, &shapes[i]), SN_OK);
    }
    sn_hull_destroy(hull);
    int first = find(&store, w.world, shapes[0]);
    assert_int_equal(find(&store, w.world, shapes[1]), first);
    assert_int_equal(sn_shape_remove(w.world, shapes[0]), SN_OK);
    int second = find(&store, w.world, shapes[1]);
    assert_int_not_equal(second, first);
    assert_int_equal(find(&store, w.world, shapes[2]), second);
    assert_int_equal(sn_shape_remove(w.world, shapes[1]), SN_OK);
    assert_int_not_equal(find(&store, w.world, shapes[2]), second);
    assert_int_equal(store.geometries.count, 3);
    sn_export_store_empty(&store);
    export_world_destroy(&w);
}

static void test_shape_that_is_gone_is_told(void **state)
{
    (void)state;
    export_world w = export_world_make(gravity);
    sn_export_store store = {0};
    sn_shape shape = shape_of(w.world, w.ball);
    assert_int_equal(sn_shape_remove(w.world, shape), SN_OK);
    sn_status status;
    assert_int_equal(sn_export_store_find(&store, w.world, shape, 10.0f, &status), -1);
    assert_int_equal(status, SN_ERROR_ID);
    sn_export_store_empty(&store);
    export_world_destroy(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_shapes_have_one_geometry),
        cmocka_unit_test(test_size_and_place_in_the_body_tell_shapes_apart),
        cmocka_unit_test(test_hull_is_shared_as_long_as_its_first_shape_lives),
        cmocka_unit_test(test_shape_that_is_gone_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
