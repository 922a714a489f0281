// Soft blocks and sheets on slopes: they stick below the angle of friction and slide beyond it as points do.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/soft_touch.h"

static const float step = 1.0f / 60.0f;
static const float friction = 0.5f; // both sides: an angle of 26.57°

typedef enum thing { ELEMENTS, SPRINGS, SHEET, THING_COUNT } thing;
static const char *const names[] = {"finite elements", "springs", "a sheet"};

static sn_deformable put(sn_world *world, thing kind, float angle)
{
    sn_pose pose = physics_on_slope(angle, kind == SHEET ? 0.0051f : 0.0551f);
    sn_deformable_def def;
    if (kind == SHEET) {
        def = touch_sheet_def(0.5f, 10, 0.4f, pose.position);
        def.pose.rotation = sn_quat_multiply(pose.rotation, def.pose.rotation);
    } else {
        sn_mesh *mesh = NULL;
        must(sn_mesh_box(sn_v(0.3f, 0.1f, 0.3f), 4, 2, 4, &mesh));
        def = sn_deformable_def_default();
        def.mesh = mesh;
        def.mass = 2.0f;
        def.pose = pose;
        def.model = kind == ELEMENTS ? sn_model_corotational(1.0e5f, 0.3f) : sn_model_springs(2.0e4f, 20.0f);
        def.model.damping = kind == ELEMENTS ? 0.01f : def.model.damping;
    }
    def.friction = friction;
    return touch_add(world, &def);
}

// How far and how fast it has gone down the slope in the second second.
static void slide(thing kind, float degrees, double *way, double *acceleration)
{
    float angle = degrees * SN_PI / 180.0f;
    sn_world *world = physics_world();
    physics_slope(world, physics_material(friction, 0.0f), angle);
    sn_deformable thing = put(world, kind, angle);
    sn_vec3 down = physics_downhill(angle);
    physics_run(world, step, 1.0f);
    sn_deformable_measure first = sn_deformable_measure_now(world, thing);
    physics_run(world, step, 1.0f);
    sn_deformable_measure second = sn_deformable_measure_now(world, thing);
    *way = (double)sn_dot(sn_sub(second.center, first.center), down);
    *acceleration = (double)sn_dot(sn_sub(second.velocity, first.velocity), down);
    sn_world_destroy(world);
}

static void test_it_sticks_below_the_angle_of_friction(void **state)
{
    (void)state;
    double steepest = atan((double)friction) * 180.0 / 3.14159265358979;
    for (int kind = 0; kind < THING_COUNT; ++kind) {
        for (int k = 0; k < 2; ++k) {
            double way, acceleration, degrees = k == 0 ? 15.0 : 0.97 * steepest;
            slide((thing)kind, (float)degrees, &way, &acceleration);
            check_near(way, 0.0, 1.0e-3, "%s at %.1f°: way in a second [m]", names[kind], degrees);
        }
    }
}

static void test_it_slides_beyond_it(void **state)
{
    (void)state;
    double steepest = atan((double)friction);
    for (int kind = 0; kind < THING_COUNT; ++kind) {
        double way, acceleration;
        slide((thing)kind, (float)(1.03 * steepest * 180.0 / 3.14159265358979), &way, &acceleration);
        check_above(way, 0.01, "%s at 27.4°: way in a second [m]", names[kind]);
        for (int degrees = 32; degrees <= 48; degrees += 8) {
            double angle = degrees * 3.14159265358979 / 180.0;
            double expected = physics_gravity * (sin(angle) - (double)friction * cos(angle));
            slide((thing)kind, (float)degrees, &way, &acceleration);
            check_relative(acceleration, expected, 0.03, "%s at %d°: acceleration [m/s²]", names[kind],
                           degrees);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_it_sticks_below_the_angle_of_friction),
        physics_test(test_it_slides_beyond_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
