// What stands comes to rest where rigid things would: contacts do not sag for long, and nothing creeps or
// jumps because of it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

typedef struct column {
    sn_world *world;
    sn_rigid boxes[24];
    int count;
} column;

// Cubes on top of each other, the top one `ratio` times as heavy.
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
                                 physics_at(0, size * ((float)i + 0.5f), 0));
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
    sn_rigid plank = physics_box(c.world, material, sn_v(1.0f, 0.05f, 0.3f), physics_at(0.45f, 3.05f, 0));
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
        physics_test(test_a_heavy_load_on_light_boxes_comes_to_rest_without_sag),
        physics_test(test_a_plank_that_overhangs_does_not_creep),
        physics_test(test_boxes_do_not_jump_when_their_load_is_taken_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
