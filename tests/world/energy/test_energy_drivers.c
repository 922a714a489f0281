// What drives an island gives it no more than motion can have of it: what is stuck or has levers without
// length is not thrown away, long levers start at once, and springs that are wound give back all.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/world_kit.h"

static sn_world *make_weightless(void)
{
    sn_world_def def = sn_world_def_default();
    def.gravity = sn_v(0, 0, 0);
    def.sleep = false;
    sn_world *world = NULL;
    assert_int_equal(sn_world_create(&def, &world), SN_OK);
    return world;
}

static sn_rigid add_body(sn_world *world, const sn_rigid_def *def, sn_vec3 half, float mass)
{
    sn_rigid rigid;
    sn_shape_def shape = sn_shape_def_default();
    shape.density = mass / (8.0f * half.x * half.y * half.z);
    assert_int_equal(sn_rigid_add(world, def, &rigid), SN_OK);
    assert_int_equal(sn_box_add(world, rigid, &shape, (sn_box){half}, NULL), SN_OK);
    return rigid;
}

static sn_rigid add_driver(sn_world *world, sn_vec3 position, sn_vec3 linear, sn_vec3 angular)
{
    sn_rigid_def def = sn_rigid_def_default();
    def.type = SN_KINEMATIC;
    def.position = position;
    def.linear_velocity = linear;
    def.angular_velocity = angular;
    return add_body(world, &def, sn_v(0.1f, 0.1f, 0.1f), 1.0f);
}

static void step(sn_world *world, int count, float duration)
{
    for (int i = 0; i < count; ++i) {
        assert_int_equal(sn_world_step(world, duration), SN_OK);
    }
}

// An axis that turns with what moves holds a body that can go along x alone. Where it stands across x, no
// speed is high enough.
static void test_what_has_nowhere_to_go_is_not_thrown(void **state)
{
    (void)state;
    sn_world *world = make_weightless();
    sn_rigid driver =
        add_driver(world, sn_v(4.8f, 1, 0), sn_v(-0.95f, -1.68f, 0.51f), sn_v(0, -0.49f, 0.92f));
    sn_rigid_def def = sn_rigid_def_default();
    def.position = sn_v(0, 1, 3.2f);
    def.locks = SN_LOCK_Y | SN_LOCK_Z | SN_LOCK_ROTATION_X | SN_LOCK_ROTATION_Z;
    sn_rigid body = add_body(world, &def, sn_v(0.2f, 0.2f, 0.2f), 6.7f);
    sn_axis_def axis = sn_axis_def_default();
    sn_vec3 at = sn_v(0.62f, 0.98f, 2.81f), along = sn_normalize(sn_v(0.30f, -0.95f, 0.036f));
    assert_int_equal(sn_constraint_place(world, &axis.common, driver, body, at, along), SN_OK);
    axis.limit = true;
    axis.lower = -0.3f;
    axis.upper = 0.9f;
    assert_int_equal(sn_axis_add(world, &axis, NULL), SN_OK);
    double fastest = 0.0;
    for (int i = 0; i < 300; ++i) {
        step(world, 1, 1.0f / 120.0f);
        fastest = fmax(fastest, (double)sn_length(sn_rigid_linear_velocity(world, body)));
    }
    assert_true(fastest < 50.0); // what drives has 10 m/s out there
    sn_world_destroy(world);
}

// A rod of ten metres on a hub that turns at once.
static void test_long_levers_start_at_once(void **state)
{
    (void)state;
    sn_world *world = make_weightless();
    sn_rigid hub = add_driver(world, sn_v(0, 0, 0), sn_v(0, 0, 0), sn_v(0, 0, 3));
    sn_rigid_def def = sn_rigid_def_default();
    def.position = sn_v(5.1f, 0, 0);
    sn_rigid rod = add_body(world, &def, sn_v(5, 0.1f, 0.1f), 10.0f);
    sn_fixed_def fixed = sn_fixed_def_default();
    assert_int_equal(sn_constraint_place(world, &fixed.common, hub, rod, sn_v(0.1f, 0, 0), sn_v(1, 0, 0)),
                     SN_OK);
    assert_int_equal(sn_fixed_add(world, &fixed, NULL), SN_OK);
    step(world, 2, 1.0f / 60.0f);
    assert_true(fabs((double)sn_rigid_angular_velocity(world, rod).z - 3.0) < 0.1);
    step(world, 120, 1.0f / 60.0f);
    assert_true(fabs((double)sn_rigid_angular_velocity(world, rod).z - 3.0) < 0.1);
    sn_world_destroy(world);
}

// Ten grams are drawn half a metre from where a spring of 100 N/m holds them, at 1 m/s, and let go.
static void test_springs_that_are_wound_give_back_all(void **state)
{
    (void)state;
    sn_world *world = make_weightless();
    sn_rigid driver = add_driver(world, sn_v(0.5f, 0, 0), sn_v(1, 0, 0), sn_v(0, 0, 0));
    sn_rigid_def def = sn_rigid_def_default();
    def.position = sn_v(0.1f, 0, 0);
    sn_rigid ball = add_body(world, &def, sn_v(0.05f, 0.05f, 0.05f), 0.01f);
    sn_distance_def spring = sn_distance_def_default();
    spring.common.a = sn_point_world(sn_v(0, 0, 0));
    spring.common.b = sn_point_rigid(ball, sn_v(0, 0, 0));
    spring.spring_stiffness = 100.0f;
    spring.spring_length = 0.1f;
    assert_int_equal(sn_distance_add(world, &spring, NULL), SN_OK);
    sn_fixed_def fixed = sn_fixed_def_default();
    sn_constraint hold;
    assert_int_equal(sn_constraint_place(world, &fixed.common, driver, ball, sn_v(0.1f, 0, 0), sn_v(1, 0, 0)),
                     SN_OK);
    assert_int_equal(sn_fixed_add(world, &fixed, &hold), SN_OK);
    step(world, 480, 1.0f / 960.0f);
    assert_int_equal(sn_constraint_remove(world, hold), SN_OK);
    double most = 0.0;
    for (int i = 0; i < 60; ++i) {
        step(world, 1, 1.0f / 960.0f);
        most = fmax(most, sn_world_energy(world).kinetic);
    }
    assert_true(most > 0.9 * 12.5 && most < 1.05 * 12.5);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_has_nowhere_to_go_is_not_thrown),
        cmocka_unit_test(test_long_levers_start_at_once),
        cmocka_unit_test(test_springs_that_are_wound_give_back_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
