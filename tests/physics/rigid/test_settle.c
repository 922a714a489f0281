// What stands comes to rest where rigid things would: contacts do not sag for long, and nothing creeps or
// jumps because of it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

#define GAP 5.0e-4f

typedef struct column {
    sn_world *world;
    sn_rigid boxes[24];
    int count;
} column;

// Cubes above each other, a little apart, the top one `ratio` times as heavy.
static column column_make(int count, float size, float ratio, bool settle)
{
    sn_world_def def = sn_world_def_default();
    def.sleep = false;
    def.long_range.settle = settle;
    column c = {.count = count};
    must(sn_world_create(&def, &c.world));
    sn_shape_def material = physics_material(0.5f, 0.0f);
    physics_floor(c.world, material);
    for (int i = 0; i < count; ++i) {
        material.density = i == count - 1 ? 1000.0f * ratio : 1000.0f;
        c.boxes[i] = physics_box(c.world, material, sn_v(0.5f * size, 0.5f * size, 0.5f * size),
                                 physics_at(0, size * ((float)i + 0.5f) + GAP * (float)(i + 1), 0));
    }
    return c;
}

static double sink_of_top(const column *c, float size)
{
    sn_vec3 p = sn_rigid_position(c->world, c->boxes[c->count - 1]);
    return (double)(size * ((float)c->count - 0.5f) - p.y);
}

static void test_columns_rest_without_sag_whatever_their_size(void **state)
{
    (void)state;
    const float sizes[] = {0.2f, 1.0f, 10.0f};
    for (int i = 0; i < 3; ++i) {
        column c = column_make(12, sizes[i], 1.0f, true);
        physics_run(c.world, 1.0f / 60.0f, 8.0f);
        check_near(sink_of_top(&c, sizes[i]), 0.0, 1.0e-4, "cubes of %g m: sink [m]", (double)sizes[i]);
        sn_world_destroy(c.world);
    }
}

static void test_without_settling_columns_sag(void **state)
{
    (void)state;
    column c = column_make(12, 1.0f, 1.0f, false);
    physics_run(c.world, 1.0f / 60.0f, 4.0f);
    check_above(sink_of_top(&c, 1.0f), 1.0e-3, "sink [m]");
    sn_world_destroy(c.world);
}

// A column on springs buckles under its weight unless they resist tilting: it takes the sub-steps it needs.
static void test_columns_of_twenty_stand_whatever_their_size_and_load(void **state)
{
    (void)state;
    const float sizes[] = {0.01f, 0.1f, 1.0f, 0.1f, 0.03f};
    const float ratios[] = {1.0f, 1.0f, 100.0f, 100.0f, 100.0f};
    for (int i = 0; i < 5; ++i) {
        column c = column_make(20, sizes[i], ratios[i], true);
        physics_run(c.world, 1.0f / 60.0f, 5.0f);
        sn_vec3 top = sn_rigid_position(c.world, c.boxes[19]);
        check_below(sink_of_top(&c, sizes[i]), 0.02, "cubes of %g m: sink [m]", (double)sizes[i]);
        check_below((double)sn_length(sn_v(top.x, 0.0f, top.z)), 0.01, "cubes of %g m: lean [m]",
                    (double)sizes[i]);
        sn_world_destroy(c.world);
    }
}

// Boxes that stand on two do not tilt with each of them, and are no column, however high the whole is.
static void test_a_pyramid_takes_no_more_sub_steps_than_a_box(void **state)
{
    (void)state;
    const int base = 40;
    sn_world *world = physics_world();
    sn_shape_def material = physics_material(0.5f, 0.0f);
    physics_floor(world, material);
    for (int row = 0; row < base; ++row) {
        for (int i = 0; i < base - row; ++i) {
            (void)physics_box(world, material, sn_v(0.5f, 0.5f, 0.5f),
                              physics_at(1.1f * ((float)i + 0.5f * (float)row), 0.5f + (float)row, 0.0f));
        }
    }
    physics_run(world, 1.0f / 60.0f, 0.1f);
    assert_int_equal(sn_world_statistics(world).sub_steps, 14);
    assert_int_equal(sn_world_loads(world, NULL, 0), 0);
    sn_world_destroy(world);
    column tall = column_make(24, 0.1f, 10.0f, true);
    physics_run(tall.world, 1.0f / 60.0f, 0.1f);
    sn_loaded_island load;
    assert_int_equal(sn_world_loads(tall.world, &load, 1), 1);
    assert_int_equal(load.cause, SN_SUB_STEPS_COLUMN);
    sn_world_destroy(tall.world);
}

// Those below touch each other, too, by contacts that hardly lift: they stand on a point all the same.
static void test_a_heap_of_balls_is_no_column(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    sn_shape_def material = physics_material(0.5f, 0.0f);
    physics_floor(world, material);
    const float radius = 0.065f, apart = 2.0002f * radius;
    for (int layer = 0; layer < 2; ++layer) {
        for (int i = 0; i < 5 - layer; ++i) {
            for (int k = 0; k < 5 - layer; ++k) {
                float raised = 1.0e-4f * (float)((7 * i + 3 * k) % 5), shift = 0.5f * (float)layer;
                float height = radius + 1.424f * radius * (float)layer + raised;
                (void)physics_sphere(
                    world, material, radius,
                    physics_at(apart * ((float)i + shift), height, apart * ((float)k + shift)));
            }
        }
    }
    for (int i = 0; i < 60; ++i) {
        must(sn_world_step(world, 1.0f / 60.0f));
        assert_true(sn_world_statistics(world).sub_steps <= 32); // 160 if they were columns
    }
    sn_world_destroy(world);
}

// What stands on a point rolls, however many sub-steps there are. Places at which the point is not
// below the middle to the last bit are meant as well.
static void test_a_ball_that_rolls_takes_no_more_sub_steps_than_a_box(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    sn_shape_def material = physics_material(0.5f, 0.0f);
    physics_floor(world, material);
    sn_rigid ball = physics_sphere(world, material, 0.5f, physics_at(0.3f, 0.5f, -0.7f));
    must(sn_rigid_linear_velocity_set(world, ball, sn_v(0.37f, 0.0f, 0.21f)));
    for (int i = 0; i < 60; ++i) {
        must(sn_world_step(world, 1.0f / 60.0f));
        assert_int_equal(sn_world_statistics(world).sub_steps, 14);
    }
    sn_world_destroy(world);
}

// Let down with gaps, they come to rest: that more sub-steps make contacts stiffer must not keep them moving.
static void test_columns_that_were_let_down_come_to_rest(void **state)
{
    (void)state;
    sn_world_def def = sn_world_def_default();
    def.sleep = false;
    sn_world *world;
    must(sn_world_create(&def, &world));
    sn_shape_def material = physics_material(0.5f, 0.0f);
    physics_floor(world, material);
    sn_rigid top = {0};
    for (int i = 0; i < 20; ++i) {
        top = physics_box(world, material, sn_v(0.05f, 0.05f, 0.05f),
                          physics_at(0, 0.055f + 0.105f * (float)i, 0));
    }
    physics_run(world, 1.0f / 60.0f, 4.0f);
    check_near((double)sn_rigid_position(world, top).y, 1.95, 1.0e-3, "height of the top one [m]");
    check_below((double)sn_length(sn_rigid_linear_velocity(world, top)), 0.01, "its speed [m/s]");
    sn_world_destroy(world);
}

static void test_a_heavy_load_on_light_boxes_comes_to_rest_without_sag(void **state)
{
    (void)state;
    column c = column_make(10, 1.0f, 100.0f, true);
    physics_run(c.world, 1.0f / 60.0f, 20.0f);
    check_near(sink_of_top(&c, 1.0f), 0.0, 1.0e-3, "sink [m]");
    sn_world_destroy(c.world);
}

// The edge carries more than the other points do. They must neither lift off nor sink on.
static void test_a_plank_that_overhangs_does_not_creep(void **state)
{
    (void)state;
    column c = column_make(3, 1.0f, 1.0f, true);
    sn_shape_def material = physics_material(0.5f, 0.0f);
    sn_rigid plank =
        physics_box(c.world, material, sn_v(1.0f, 0.05f, 0.3f), physics_at(0.45f, 3.05f + 4.0f * GAP, 0));
    physics_run(c.world, 1.0f / 60.0f, 6.0f);
    sn_vec3 before = sn_rigid_position(c.world, plank);
    physics_run(c.world, 1.0f / 60.0f, 4.0f);
    sn_vec3 after = sn_rigid_position(c.world, plank);
    check_near((double)after.y, 3.05, 5.0e-4, "height [m]");
    check_below((double)sn_distance_between(before, after) / 4.0, 1.0e-5, "creep [m/s]");
    sn_world_destroy(c.world);
}

// References are of loads, so nothing is stored in them: what was under a load that goes rises no faster than
// without them.
static void test_boxes_do_not_jump_when_their_load_is_taken_off(void **state)
{
    (void)state;
    double fastest[2] = {0.0, 0.0};
    for (int settle = 0; settle < 2; ++settle) {
        column c = column_make(6, 1.0f, 20.0f, settle == 1);
        physics_run(c.world, 1.0f / 60.0f, 8.0f);
        must(sn_rigid_remove(c.world, c.boxes[5]));
        for (int i = 0; i < 60; ++i) {
            physics_run(c.world, 1.0f / 60.0f, 1.0f / 60.0f);
            for (int k = 0; k < 5; ++k) {
                fastest[settle] =
                    fmax(fastest[settle], (double)sn_rigid_linear_velocity(c.world, c.boxes[k]).y);
            }
        }
        sn_world_destroy(c.world);
    }
    check_below(fastest[1], 1.05 * fastest[0] + 0.01, "fastest rise [m/s]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_columns_rest_without_sag_whatever_their_size),
        physics_test(test_without_settling_columns_sag),
        physics_test(test_columns_of_twenty_stand_whatever_their_size_and_load),
        physics_test(test_a_pyramid_takes_no_more_sub_steps_than_a_box),
        physics_test(test_a_heap_of_balls_is_no_column),
        physics_test(test_a_ball_that_rolls_takes_no_more_sub_steps_than_a_box),
        physics_test(test_columns_that_were_let_down_come_to_rest),
        physics_test(test_a_heavy_load_on_light_boxes_comes_to_rest_without_sag),
        physics_test(test_a_plank_that_overhangs_does_not_creep),
        physics_test(test_boxes_do_not_jump_when_their_load_is_taken_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
