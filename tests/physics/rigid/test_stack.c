// Stacks stand: they neither sink nor drift.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

typedef struct stack {
    sn_world *world;
    sn_rigid boxes[16];
    int count;
} stack;

static stack build(int count, float half, const float *densities)
{
    stack s = {.world = physics_world(), .count = count};
    sn_shape_def material = physics_material(0.5f, 0.0f);
    physics_floor(s.world, material);
    for (int i = 0; i < count; ++i) {
        material.density = densities != NULL ? densities[i] : 1000.0f;
        s.boxes[i] = physics_box(s.world, material, sn_v(half, half, half),
                                 physics_at(0, half * (float)(2 * i + 1), 0));
    }
    return s;
}

// Largest sink and sideways drift of any box in `seconds`, and the largest speed at the end.
static void check_standing(stack *s, float half, float step, float seconds, double sink, double drift,
                           const char *name)
{
    double worst_sink = 0.0, worst_drift = 0.0, fastest = 0.0;
    while (sn_world_time(s->world) < (double)seconds) {
        physics_run(s->world, step, step);
        for (int i = 0; i < s->count; ++i) {
            sn_vec3 p = sn_rigid_position(s->world, s->boxes[i]);
            worst_sink = fmax(worst_sink, fabs((double)(half * (float)(2 * i + 1) - p.y)));
            worst_drift = fmax(worst_drift, (double)sn_length(sn_v(p.x, 0.0f, p.z)));
        }
    }
    for (int i = 0; i < s->count; ++i) {
        fastest = fmax(fastest, (double)sn_length(sn_rigid_linear_velocity(s->world, s->boxes[i])));
    }
    check_below(worst_sink, sink, "%s: sink [m]", name);
    check_below(worst_drift, drift, "%s: drift [m]", name);
    check_below(fastest, 0.01, "%s: fastest at the end [m/s]", name);
}

static void test_five_boxes_stand_10_s_sink_below_5_mm_drift_below_1_mm(void **state)
{
    (void)state;
    for (int i = 0; i < PHYSICS_STEPS; ++i) {
        stack s = build(5, 0.5f, NULL);
        check_standing(&s, 0.5f, physics_steps[i], 10.0f, 0.005, 0.001, i == 0 ? "step 1/60" : "step 1/240");
        sn_world_destroy(s.world);
    }
}

static void test_five_small_boxes_stand_10_s_sink_below_5_mm_drift_below_1_mm(void **state)
{
    (void)state;
    for (int i = 0; i < PHYSICS_STEPS; ++i) {
        stack s = build(5, 0.1f, NULL);
        check_standing(&s, 0.1f, physics_steps[i], 10.0f, 0.005, 0.001, i == 0 ? "step 1/60" : "step 1/240");
        sn_world_destroy(s.world);
    }
}

// Each box up to four times as heavy as the lowest.
static void test_four_boxes_of_growing_weight_stand_10_s(void **state)
{
    (void)state;
    const float densities[] = {500.0f, 1000.0f, 1500.0f, 2000.0f};
    for (int i = 0; i < PHYSICS_STEPS; ++i) {
        stack s = build(4, 0.5f, densities);
        check_standing(&s, 0.5f, physics_steps[i], 10.0f, 0.005, 0.001, i == 0 ? "step 1/60" : "step 1/240");
        sn_world_destroy(s.world);
    }
}

static void test_a_pyramid_of_ten_boxes_stands_10_s(void **state)
{
    (void)state;
    for (int i = 0; i < PHYSICS_STEPS; ++i) {
        stack s = {.world = physics_world(), .count = 10};
        sn_shape_def material = physics_material(0.5f, 0.0f);
        physics_floor(s.world, material);
        sn_vec3 start[10];
        int next = 0;
        for (int row = 0; row < 4; ++row) {
            for (int k = 0; k < 4 - row; ++k) {
                start[next] = sn_v(1.1f * ((float)k - 0.5f * (float)(3 - row)), 0.5f + (float)row, 0.0f);
                s.boxes[next] = physics_box(s.world, material, sn_v(0.5f, 0.5f, 0.5f),
                                            physics_at(start[next].x, start[next].y, 0));
                ++next;
            }
        }
        physics_run(s.world, physics_steps[i], 10.0f);
        double worst = 0.0;
        for (int k = 0; k < 10; ++k) {
            worst =
                fmax(worst, (double)sn_distance_between(sn_rigid_position(s.world, s.boxes[k]), start[k]));
        }
        check_below(worst, 0.005, "largest way of a box, step %d", i);
        sn_world_destroy(s.world);
    }
}

// The mass centre decides.
static void test_a_box_overhanging_by_less_than_half_stands_and_by_more_falls(void **state)
{
    (void)state;
    for (int i = 0; i < PHYSICS_STEPS; ++i) {
        for (int falls = 0; falls < 2; ++falls) {
            sn_world *world = physics_world();
            sn_shape_def material = physics_material(0.5f, 0.0f);
            physics_floor(world, material);
            physics_box(world, material, sn_v(0.5f, 0.5f, 0.5f), physics_at(0, 0.5f, 0));
            sn_rigid top = physics_box(world, material, sn_v(0.5f, 0.1f, 0.5f),
                                       physics_at(falls ? 0.53f : 0.47f, 1.1f, 0));
            physics_run(world, physics_steps[i], 5.0f);
            double height = (double)sn_rigid_position(world, top).y;
            if (falls) {
                check_below(height, 0.9, "height of the one that must fall, step %d", i);
            } else {
                check_near(height, 1.1, 0.005, "height of the one that must stand, step %d", i);
            }
            sn_world_destroy(world);
        }
    }
}

// Contacts yield by an absolute length, so that what is small needs shorter sub-steps not to buckle.
static void test_ten_cubes_stand_whatever_their_size(void **state)
{
    (void)state;
    const float sizes[] = {0.001f, 0.003f, 0.01f, 0.03f, 0.1f, 1.0f, 10.0f};
    for (int i = 0; i < 7; ++i) {
        for (int k = 0; k < PHYSICS_STEPS; ++k) {
            float half = 0.5f * sizes[i];
            stack s = build(10, half, NULL);
            physics_run(s.world, physics_steps[k], 10.0f);
            sn_vec3 top = sn_rigid_position(s.world, s.boxes[9]);
            double size = (double)sizes[i];
            check_near((double)top.y / size, 9.5, 0.06, "cubes of %g m: height of the top one [sizes]", size);
            check_below((double)sn_length(sn_v(top.x, 0.0f, top.z)) / size, 0.01,
                        "cubes of %g m: sideways drift of the top one [sizes]", size);
            sn_world_destroy(s.world);
        }
    }
}

// Impulses of contacts are those of a sub-step, and fit one of another length only in proportion. What is
// left is that longer ones yield more, 1 mm in all here; without that proportion boxes reach 0.17 m/s.
static void test_a_stack_stays_calm_while_steps_of_1_60_and_1_240_s_take_turns(void **state)
{
    (void)state;
    stack s = build(10, 0.5f, NULL);
    physics_run(s.world, 1.0f / 60.0f, 4.0f);
    double fastest = 0.0;
    for (int i = 0; i < 200; ++i) {
        must(sn_world_step(s.world, i % 2 == 0 ? 1.0f / 240.0f : 1.0f / 60.0f));
        for (int k = 0; k < s.count; ++k) {
            fastest = fmax(fastest, (double)sn_length(sn_rigid_linear_velocity(s.world, s.boxes[k])));
        }
    }
    check_below(fastest, 0.11, "fastest box [m/s]");
    sn_world_destroy(s.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_five_boxes_stand_10_s_sink_below_5_mm_drift_below_1_mm),
        physics_test(test_five_small_boxes_stand_10_s_sink_below_5_mm_drift_below_1_mm),
        physics_test(test_four_boxes_of_growing_weight_stand_10_s),
        physics_test(test_a_pyramid_of_ten_boxes_stands_10_s),
        physics_test(test_ten_cubes_stand_whatever_their_size),
        physics_test(test_a_stack_stays_calm_while_steps_of_1_60_and_1_240_s_take_turns),
        physics_test(test_a_box_overhanging_by_less_than_half_stands_and_by_more_falls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
