// Bodies that overlap when they are put into the world come apart no faster than push_speed, and keep next to
// nothing of that motion afterwards.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"
#include "support/random.h"

enum { MOST = 120 };

typedef struct crowd {
    sn_world *world;
    sn_rigid bodies[MOST];
    int count;
} crowd;

static crowd crowd_make(int sub_steps, bool gravity)
{
    sn_world_def def = sn_world_def_default();
    def.sleep = false;
    def.sub_steps = sub_steps;
    def.gravity = gravity ? def.gravity : sn_v(0.0f, 0.0f, 0.0f);
    crowd made = {.count = 0};
    must(sn_world_create(&def, &made.world));
    return made;
}

// Runs and gives the largest speed and, between two looks a step apart, the largest displacement of a body.
static void check_slow(crowd *crowd, float step, float seconds, double fastest, double farthest,
                       const char *name)
{
    double speed = 0.0, moved = 0.0;
    while (sn_world_time(crowd->world) < (double)seconds) {
        sn_vec3 before[MOST];
        for (int i = 0; i < crowd->count; ++i) {
            before[i] = sn_rigid_position(crowd->world, crowd->bodies[i]);
        }
        must(sn_world_step(crowd->world, step));
        for (int i = 0; i < crowd->count; ++i) {
            sn_rigid body = crowd->bodies[i];
            speed = fmax(speed, (double)sn_length(sn_rigid_linear_velocity(crowd->world, body)));
            moved =
                fmax(moved, (double)sn_distance_between(before[i], sn_rigid_position(crowd->world, body)));
        }
    }
    check_below(speed, fastest, "%s: fastest body [m/s]", name);
    check_below(moved / (double)step, farthest, "%s: fastest motion [m/s]", name);
    check_true(sn_world_statistics(crowd->world).frozen_count == 0, "%s: none frozen", name);
}

// Steps and sub-steps at which everything here is tried.
static const struct {
    float step;
    int sub_steps;
    const char *name;
} schedules[] = {{1.0f / 30.0f, 4, "4 of 1/30 s"},
                 {1.0f / 60.0f, 14, "14 of 1/60 s"},
                 {1.0f / 60.0f, 64, "64 of 1/60 s"},
                 {1.0f / 240.0f, 14, "14 of 1/240 s"}};

static void test_boxes_in_one_place_come_apart_no_faster_than_push_speed(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        crowd c = crowd_make(schedules[k].sub_steps, false);
        for (c.count = 0; c.count < 60; ++c.count) {
            c.bodies[c.count] = physics_box(c.world, physics_material(0.5f, 0.0f), sn_v(0.25f, 0.25f, 0.25f),
                                            physics_at(0, 0, 0));
        }
        check_slow(&c, schedules[k].step, 1.0f, 3.0, 4.5, schedules[k].name);
        sn_world_destroy(c.world);
    }
}

static void test_spheres_nearly_in_one_place_come_apart_no_faster_than_push_speed(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        crowd c = crowd_make(schedules[k].sub_steps, false);
        test_random random = {7u};
        for (c.count = 0; c.count < MOST; ++c.count) {
            sn_vec3 p = test_random_vec3(&random, 1.0e-3f);
            c.bodies[c.count] =
                physics_sphere(c.world, physics_material(0.5f, 0.0f), 0.25f, physics_at(p.x, p.y, p.z));
        }
        check_slow(&c, schedules[k].step, 0.5f, 3.0, 3.5, schedules[k].name);
        sn_world_destroy(c.world);
    }
}

// What the pushes give adds up along a row, where one relaxing sweep does not take it out again.
static void test_a_row_of_boxes_that_overlap_slightly_is_not_thrown_apart(void **state)
{
    (void)state;
    const float overlaps[] = {0.001f, 0.2f};
    for (int k = 0; k < 4; ++k) {
        for (int o = 0; o < 2; ++o) {
            crowd c = crowd_make(schedules[k].sub_steps, false);
            for (c.count = 0; c.count < 60; ++c.count) {
                c.bodies[c.count] =
                    physics_box(c.world, physics_material(0.5f, 0.0f), sn_v(0.25f, 0.25f, 0.25f),
                                physics_at((0.5f - overlaps[o]) * (float)c.count, 0, 0));
            }
            check_slow(&c, schedules[k].step, 1.0f, 3.0, 5.0, schedules[k].name);
            sn_world_destroy(c.world);
        }
    }
}

static void test_a_light_body_inside_a_heavy_one_leaves_slowly_and_stops(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        crowd c = crowd_make(schedules[k].sub_steps, false);
        sn_shape_def material = physics_material(0.5f, 0.0f);
        c.bodies[0] =
            physics_box(c.world, material, sn_v(0.25f, 0.25f, 0.25f), physics_at(0.1f, 0.02f, -0.03f));
        material.density = 1.0e6f;
        c.bodies[1] = physics_box(c.world, material, sn_v(0.25f, 0.25f, 0.25f), physics_at(0, 0, 0));
        c.count = 2;
        check_slow(&c, schedules[k].step, 2.0f, 0.1, 3.2, schedules[k].name);
        check_above((double)sn_distance_between(sn_rigid_position(c.world, c.bodies[0]),
                                                sn_rigid_position(c.world, c.bodies[1])),
                    0.49, "%s: distance in the end [m]", schedules[k].name);
        sn_world_destroy(c.world);
    }
}

// Walls on four sides: the boxes can only come out at the top, fall back, some for 0.3 s, and then lie on
// each other.
static void test_boxes_in_one_place_in_a_shaft_become_a_column(void **state)
{
    (void)state;
    for (int k = 1; k < 3; ++k) {
        crowd c = crowd_make(schedules[k].sub_steps, true);
        sn_shape_def material = physics_material(0.3f, 0.0f);
        physics_floor(c.world, material);
        const sn_vec3 normals[] = {{1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}};
        for (int i = 0; i < 4; ++i) {
            must(sn_plane_add(c.world, sn_world_ground(c.world), &material, (sn_plane){normals[i], -0.26f},
                              NULL));
        }
        for (c.count = 0; c.count < 12; ++c.count) {
            c.bodies[c.count] = physics_box(c.world, material, sn_v(0.25f, 0.25f, 0.25f),
                                            physics_at(0, 0.25f + 0.01f * (float)c.count, 0));
        }
        check_slow(&c, schedules[k].step, 4.0f, 3.0 + 9.81 * 0.3, 6.0 + 9.81 * 0.3, schedules[k].name);
        check_below(sn_world_energy(c.world).kinetic, 1.0, "%s: kinetic energy in the end [J]",
                    schedules[k].name);
        sn_world_destroy(c.world);
    }
}

// A body that is sunk into the floor is lifted out of it and lies there.
static void test_a_sunken_box_is_lifted_out_without_a_jump(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        crowd c = crowd_make(schedules[k].sub_steps, true);
        sn_shape_def material = physics_material(0.5f, 0.0f);
        physics_floor(c.world, material);
        c.bodies[0] = physics_box(c.world, material, sn_v(0.25f, 0.25f, 0.25f), physics_at(0, 0.05f, 0));
        c.count = 1;
        check_slow(&c, schedules[k].step, 2.0f, 0.2, 3.2, schedules[k].name);
        check_near((double)sn_rigid_position(c.world, c.bodies[0]).y, 0.25, 0.01, "%s: height in the end [m]",
                   schedules[k].name);
        sn_world_destroy(c.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_boxes_in_one_place_come_apart_no_faster_than_push_speed),
        physics_test(test_spheres_nearly_in_one_place_come_apart_no_faster_than_push_speed),
        physics_test(test_a_row_of_boxes_that_overlap_slightly_is_not_thrown_apart),
        physics_test(test_a_light_body_inside_a_heavy_one_leaves_slowly_and_stops),
        physics_test(test_boxes_in_one_place_in_a_shaft_become_a_column),
        physics_test(test_a_sunken_box_is_lifted_out_without_a_jump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
