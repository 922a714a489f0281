// Sensors: shapes that report what overlaps them and do nothing else.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "support/world_kit.h"

static sn_shape_def sensor_material(void)
{
    sn_shape_def def = default_material();
    def.sensor = true;
    return def;
}

// A sensor of the ground: a box of a metre around y.
static sn_shape ground_sensor(sn_world *world, float y)
{
    sn_shape_def def = sensor_material();
    def.offset.position.y = y;
    sn_shape shape;
    assert_ok(sn_box_add(world, sn_world_ground(world), &def, (sn_box){{0.5f, 0.5f, 0.5f}}, &shape));
    return shape;
}

static int count(const sn_touch_event *events, int event_count, sn_shape sensor)
{
    int found = 0;
    for (int i = 0; i < event_count; ++i) {
        found += same_shape(events[i].a, sensor) || same_shape(events[i].b, sensor);
    }
    return found;
}

static int begun(const sn_world *world, sn_shape sensor)
{
    sn_events events = sn_world_events(world);
    return count(events.begin, events.begin_count, sensor);
}

static int ended(const sn_world *world, sn_shape sensor)
{
    sn_events events = sn_world_events(world);
    return count(events.end, events.end_count, sensor);
}

// Falls through as if nothing were there; begins when its lowest point enters, ends when its highest leaves.
static void test_a_ball_falls_through_a_sensor_and_is_reported_once_each_way(void **state)
{
    (void)state;
    sn_world *with = kit_world(), *without = kit_world();
    sn_shape sensor = ground_sensor(with, -2.0f);
    sn_rigid ball = add_ball_at(with, 0.1f, 0.0f, 0.0f, 0.0f);
    sn_rigid twin = add_ball_at(without, 0.1f, 0.0f, 0.0f, 0.0f);
    int begins = 0, ends = 0;
    float entered = 0.0f, left = 0.0f;
    for (int i = 0; i < 60; ++i) {
        float before = sn_rigid_position(with, ball).y;
        run_steps(with, 1);
        run_steps(without, 1);
        assert_true(same_vec3(sn_rigid_position(with, ball), sn_rigid_position(without, twin)));
        if (begun(with, sensor)) {
            ++begins;
            entered = before;
        }
        if (ended(with, sensor)) {
            ++ends;
            left = before;
        }
        assert_int_equal(sn_world_statistics(with).contact_count, 0);
    }
    assert_int_equal(begins, 1);
    assert_int_equal(ends, 1);
    // Edges at −1.5 and −2.5 m, a step of up to 0.12 m.
    assert_true(entered <= -1.4f && entered > -1.4f - 0.1f);
    assert_true(left <= -2.6f && left > -2.6f - 0.13f);
    sn_world_destroy(with);
    sn_world_destroy(without);
}

static void test_a_body_that_falls_asleep_in_a_sensor_stays_in_it_until_it_goes(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_shape sensor = ground_sensor(world, 0.5f);
    sn_rigid box = add_box_at(world, 0.2f, 0.0f, 0.25f, 0.0f);
    int begins = 0, ends = 0;
    for (int i = 0; i < 120; ++i) {
        run_steps(world, 1);
        begins += begun(world, sensor);
        ends += ended(world, sensor);
    }
    assert_false(sn_rigid_is_awake(world, box));
    assert_int_equal(begins, 1);
    assert_int_equal(ends, 0);
    assert_ok(sn_rigid_remove(world, box));
    run_steps(world, 1);
    assert_int_equal(ended(world, sensor), 1);
    sn_world_destroy(world);
}

static void test_a_moving_sensor_finds_sleeping_and_static_bodies_and_wakes_none(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_rigid box = add_box_at(world, 0.2f, 0.0f, 0.2f, 0.0f);
    run_steps(world, 120);
    assert_false(sn_rigid_is_awake(world, box));
    sn_rigid_def def = sn_rigid_def_default();
    def.type = SN_KINEMATIC;
    def.position = sn_v(-2.0f, 0.3f, 0.0f);
    def.linear_velocity = sn_v(2.0f, 0.0f, 0.0f);
    sn_rigid probe;
    assert_ok(sn_rigid_add(world, &def, &probe));
    sn_shape_def material = sensor_material();
    sn_shape sensor;
    assert_ok(sn_sphere_add(world, probe, &material, (sn_sphere){.radius = 0.2f}, &sensor));
    int begins = 0, ends = 0;
    for (int i = 0; i < 120; ++i) {
        run_steps(world, 1);
        begins += begun(world, sensor);
        ends += ended(world, sensor);
        assert_false(sn_rigid_is_awake(world, box));
    }
    // The box. The floor is 0.1 m below it.
    assert_int_equal(begins, 1);
    assert_int_equal(ends, 1);
    // Down into the floor.
    assert_ok(sn_rigid_linear_velocity_set(world, probe, sn_v(0.0f, -1.0f, 0.0f)));
    begins = 0;
    for (int i = 0; i < 20; ++i) {
        run_steps(world, 1);
        begins += begun(world, sensor);
    }
    assert_int_equal(begins, 1);
    sn_world_destroy(world);
}

static void test_sensors_do_not_see_each_other_nor_filtered_shapes_nor_silent_ones(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    assert_ok(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)));
    sn_shape sensor = ground_sensor(world, 0.0f);
    sn_shape_def other = sensor_material(), filtered = default_material(), silent = default_material();
    filtered.filter.mask = 2;
    silent.contact_events = false;
    (void)physics_sphere(world, other, 0.2f, physics_at(0.0f, 0.0f, 0.0f));
    (void)physics_sphere(world, filtered, 0.1f, physics_at(0.0f, 0.0f, 0.3f));
    (void)physics_sphere(world, silent, 0.1f, physics_at(0.3f, 0.0f, 0.0f));
    for (int i = 0; i < 5; ++i) {
        run_steps(world, 1);
        assert_int_equal(begun(world, sensor), 0);
    }
    sn_world_destroy(world);
}

static void test_a_sensor_weighs_nothing_and_queries_do_not_see_it(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid box = add_box_at(world, 0.5f, 0.0f, 0.0f, 0.0f);
    sn_mass before = sn_rigid_mass(world, box);
    sn_shape_def def = sensor_material();
    def.offset.position.x = 3.0f;
    sn_shape sensor;
    assert_ok(sn_sphere_add(world, box, &def, (sn_sphere){.radius = 1.0f}, &sensor));
    sn_mass after = sn_rigid_mass(world, box);
    assert_true(after.mass == before.mass && same_vec3(after.center, before.center));
    sn_hit hit;
    sn_query_filter filter = sn_query_filter_default();
    assert_ok(sn_world_ray(world, sn_v(3.0f, 5.0f, 0.0f), sn_v(0.0f, -10.0f, 0.0f), filter, &hit));
    assert_int_equal(hit.shape.index, 0);
    // Solid it has a mass, and is hit.
    assert_ok(sn_shape_sensor_set(world, sensor, false));
    assert_true(sn_rigid_mass(world, box).mass > before.mass);
    assert_ok(sn_world_ray(world, sn_v(3.0f, 5.0f, 0.0f), sn_v(0.0f, -10.0f, 0.0f), filter, &hit));
    assert_true(same_shape(hit.shape, sensor));
    assert_ok(sn_shape_sensor_set(world, sensor, true));
    assert_true(sn_rigid_mass(world, box).mass == before.mass);
    assert_true(sn_shape_definition(world, sensor).sensor);
    sn_world_destroy(world);
}

// A box on a floor that becomes a sensor falls; one that becomes solid again is pushed out.
static void test_a_floor_that_becomes_a_sensor_lets_through_what_lay_on_it(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_shape floor;
    assert_ok(sn_box_add(world, sn_world_ground(world), NULL, (sn_box){{5.0f, 0.5f, 5.0f}}, &floor));
    sn_rigid box = add_box_at(world, 0.2f, 0.0f, 0.7f, 0.0f);
    run_steps(world, 120);
    assert_false(sn_rigid_is_awake(world, box));
    assert_ok(sn_shape_sensor_set(world, floor, true));
    run_steps(world, 60);
    assert_true(sn_rigid_position(world, box).y < -2.0f);
    assert_int_equal(sn_shape_sensor_set(world, (sn_shape){0}, true), SN_ERROR_ID);
    assert_int_equal(sn_shape_sensor_set(NULL, floor, true), SN_ERROR_NULL);
    sn_world_destroy(world);
}

static void test_a_saved_sensor_goes_on_where_it_was(void **state)
{
    (void)state;
    sn_world *world = kit_world(), *other = kit_world();
    sn_shape sensor = ground_sensor(world, -2.0f);
    (void)add_ball_at(world, 0.1f, 0.0f, 0.0f, 0.0f);
    run_steps(world, 36); // in it
    size_t size = 0;
    (void)sn_world_save(world, NULL, 0, &size);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_ok(sn_world_save(world, bytes, size, &size));
    assert_ok(sn_world_restore(other, bytes, size));
    free(bytes);
    int ends = 0, begins = 0;
    for (int i = 0; i < 30; ++i) {
        run_steps(world, 1);
        run_steps(other, 1);
        sn_events a = sn_world_events(world), b = sn_world_events(other);
        assert_int_equal(a.begin_count, b.begin_count);
        assert_int_equal(a.end_count, b.end_count);
        begins += begun(world, sensor);
        ends += ended(world, sensor);
        assert_true(sn_world_hash(world) == sn_world_hash(other));
    }
    assert_int_equal(begins, 0);
    assert_int_equal(ends, 1);
    sn_world_destroy(world);
    sn_world_destroy(other);
}

// As fast as a shot: no sweep stops at a sensor, and none is made of a body that is nothing else.
static void test_shots_pass_sensors(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    assert_ok(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)));
    (void)ground_sensor(world, 0.0f);
    sn_rigid ball = add_ball_at(world, 0.05f, -20.0f, 0.0f, 0.0f);
    sn_rigid ghost = physics_sphere(world, sensor_material(), 0.05f, physics_at(-20.0f, 0.2f, 0.0f));
    assert_ok(sn_rigid_linear_velocity_set(world, ball, sn_v(300.0f, 0.0f, 0.0f)));
    assert_ok(sn_rigid_linear_velocity_set(world, ghost, sn_v(300.0f, 0.0f, 0.0f)));
    run_steps(world, 12);
    assert_near(sn_rigid_position(world, ball).x, 40.0f, 1e-3);
    assert_near(sn_rigid_position(world, ghost).x, 40.0f, 1e-3);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_ball_falls_through_a_sensor_and_is_reported_once_each_way),
        test_with_memory(test_a_body_that_falls_asleep_in_a_sensor_stays_in_it_until_it_goes),
        test_with_memory(test_a_moving_sensor_finds_sleeping_and_static_bodies_and_wakes_none),
        test_with_memory(test_sensors_do_not_see_each_other_nor_filtered_shapes_nor_silent_ones),
        test_with_memory(test_a_sensor_weighs_nothing_and_queries_do_not_see_it),
        test_with_memory(test_a_floor_that_becomes_a_sensor_lets_through_what_lay_on_it),
        test_with_memory(test_a_saved_sensor_goes_on_where_it_was),
        test_with_memory(test_shots_pass_sensors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
