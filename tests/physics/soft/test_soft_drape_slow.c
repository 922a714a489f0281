// A cloth released above a ball (scenes S1a and S1b): it comes to lie on it, through nothing, and to rest.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/crossings.h"
#include "support/soft_touch.h"

enum { CELLS = 50, NODES = (CELLS + 1) * (CELLS + 1) };
static const float step = 0.02f, radius = 0.5f;

// A plain weave: 0.2 kg/m², a rigidity of 1e-4 N m that yarns rubbing on each other damp.
static sn_deformable drop_cloth(sn_world *world)
{
    sn_deformable_def def = touch_sheet_def(2.0f, CELLS, 0.8f, sn_v(0.0f, 1.1f, 0.0f));
    def.bending = (sn_bending){SN_BENDING_ISOMETRIC, 1.0e-4f, 0.5f, INFINITY};
    def.self_collide = true;
    return touch_add(world, &def);
}

// How far the nodes are outside of the ball, the cloth's half thickness taken off; negative inside.
static double least_gap(const sn_world *world, sn_deformable cloth, sn_vec3 center)
{
    const sn_node_state *nodes = sn_deformable_nodes(world, cloth);
    double least = 1.0;
    for (int i = 0; i < NODES; ++i) {
        least = fmin(least, (double)(sn_distance_between(nodes[i].position, center) - radius - 0.005f));
    }
    return least;
}

typedef struct drape {
    double gap;     // least of all steps [m]
    double rms;     // of the sixth second [m/s]
    double rest;    // at the end [m/s]
    int crossings;  // after six seconds
    double highest; // of the ball [m]
} drape;

static drape drop(sn_world *world, sn_rigid ball, float seconds)
{
    drape result = {.gap = 1.0};
    sn_deformable cloth = drop_cloth(world);
    for (int i = 0; i < (int)(seconds / step + 0.5f); ++i) {
        must(sn_world_step(world, step));
        sn_vec3 center = ball.index != sn_world_ground(world).index ? sn_rigid_position(world, ball)
                                                                    : sn_v(0.0f, radius, 0.0f);
        result.gap = fmin(result.gap, least_gap(world, cloth, center));
        result.highest = fmax(result.highest, (double)center.y);
        double rms = touch_rms(world, cloth);
        result.rms += i >= 250 && i < 300 ? rms * rms / 50.0 : 0.0;
        result.rest = rms;
        if (i == 299) {
            result.crossings =
                count_crossings(sn_deformable_nodes(world, cloth), sn_deformable_mesh(world, cloth));
        }
    }
    result.rms = sqrt(result.rms);
    return result;
}

static void check(const drape *result)
{
    check_above(result->gap, -1.0e-3, "least gap between cloth and ball in all steps [m]");
    check_true(result->crossings <= 10, "edges cross faces %d times", result->crossings);
    check_below(result->rms, 0.01, "speed in the sixth second [m/s]");
    check_below(result->rest, 0.001, "speed at the end [m/s]");
}

static void test_a_cloth_on_a_fixed_ball(void **state)
{
    (void)state;
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    must(sn_world_create(&def, &world));
    sn_rigid ground = sn_world_ground(world);
    must(sn_sphere_add(world, ground, NULL, (sn_sphere){{0.0f, radius, 0.0f}, radius}, NULL));
    drape result = drop(world, ground, 8.0f);
    check(&result);
    sn_world_destroy(world);
}

static void test_a_cloth_on_a_ball_that_rolls(void **state)
{
    (void)state;
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    must(sn_world_create(&def, &world));
    physics_floor(world, physics_material(0.5f, 0.0f));
    sn_shape_def material = physics_material(0.5f, 0.0f);
    material.density = 1.0f / (4.0f / 3.0f * SN_PI * radius * radius * radius);
    // As balls have: without, rounding would decide whether it comes to rest or rolls away for long.
    material.rolling_resistance = 0.005f;
    sn_rigid ball = physics_sphere(world, material, radius, physics_at(0.0f, radius, 0.0f));
    drape result = drop(world, ball, 15.0f);
    check(&result);
    sn_vec3 place = sn_rigid_position(world, ball);
    check_near((double)place.y, (double)radius, 0.002, "height of the ball: it has not sunk [m]");
    check_near(result.highest, (double)radius, 0.002, "nor was it thrown [m]");
    check_below((double)sn_length(sn_v(place.x, 0.0f, place.z)), 0.5, "it rolled [m]");
    sn_world_destroy(world);
}

// Falling cloth is chaotic. Whatever way it folds, rims that flap by several cells in a step do not go
// through each other: one tangle in twelve falls is a bad day.
static void test_cloths_that_fall_in_other_ways_do_not_tangle(void **state)
{
    (void)state;
    int tangled = 0;
    for (int k = 1; k <= 12; ++k) {
        sn_world_def def = sn_world_def_default();
        def.gravity = sn_scale(def.gravity, 1.0f + 1.0e-6f * (float)k);
        sn_world *world;
        must(sn_world_create(&def, &world));
        must(sn_sphere_add(world, sn_world_ground(world), NULL, (sn_sphere){{0.0f, radius, 0.0f}, radius},
                           NULL));
        sn_deformable cloth = drop_cloth(world);
        for (int i = 0; i < 50; ++i) {
            must(sn_world_step(world, step));
        }
        tangled += count_crossings(sn_deformable_nodes(world, cloth), sn_deformable_mesh(world, cloth)) > 0;
        sn_world_destroy(world);
    }
    check_true(tangled <= 1, "%d of 12 cloths are tangled", tangled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_cloth_on_a_fixed_ball),
        physics_test(test_a_cloth_on_a_ball_that_rolls),
        physics_test(test_cloths_that_fall_in_other_ways_do_not_tangle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
