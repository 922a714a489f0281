// Energy accounts: whatever constraints, models and exact anchors do, an island has no more energy than it
// began with; springs give back what they hold, motors drive, and momentum is kept.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/world_kit.h"
#include "world/core/world.h"

static sn_world *make_weightless(void)
{
    sn_world_def def = sn_world_def_default();
    def.gravity = sn_v(0, 0, 0);
    sn_world *world = NULL;
    assert_int_equal(sn_world_create(&def, &world), SN_OK);
    return world;
}

static sn_rigid add_ball(sn_world *world, sn_vec3 position, float mass, sn_vec3 velocity)
{
    sn_rigid_def def = sn_rigid_def_default();
    def.position = position;
    def.linear_velocity = velocity;
    sn_shape_def shape = sn_shape_def_default();
    const float radius = 0.05f;
    shape.density = mass / (4.0f / 3.0f * SN_PI * radius * radius * radius);
    sn_rigid rigid;
    assert_int_equal(sn_rigid_add(world, &def, &rigid), SN_OK);
    assert_int_equal(sn_sphere_add(world, rigid, &shape, (sn_sphere){.radius = radius}, NULL), SN_OK);
    return rigid;
}

// A ball of 5 g holds a node five metres away exactly, and a ball of 10 kg by an axis: levers of a hundred
// times its size.
static void test_long_levers_of_light_bodies_gain_no_energy(void **state)
{
    (void)state;
    sn_world *world = make_weightless();
    sn_rigid light = add_ball(world, sn_v(0, 0, 0), 0.005f, sn_v(0.3f, 2, -1));
    sn_rigid heavy = add_ball(world, sn_v(1.6f, 0, 0), 10.0f, sn_v(0, 0, 0));
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_sphere_surface(0.3f, 2, &mesh), SN_OK);
    sn_deformable_def soft = sn_deformable_def_default();
    soft.mesh = mesh;
    soft.mass = 3.0f;
    soft.pose.position = sn_v(2, -4.5f, 1);
    soft.linear_velocity = sn_v(-5, 8, 3);
    soft.model.type = SN_MODEL_SPRINGS;
    soft.model.stiffness = 1e4f;
    soft.model.stiffness = 1e4f;
    sn_deformable balloon;
    assert_int_equal(sn_deformable_add(world, &soft, &balloon), SN_OK);
    sn_mesh_destroy(mesh);
    sn_anchor_def anchor = sn_anchor_def_default();
    sn_vec3 at = sn_deformable_nodes(world, balloon)[7].position;
    anchor.a = sn_point_node(balloon, 7);
    anchor.b = sn_point_on_rigid(world, light, at);
    anchor.exact = true;
    assert_int_equal(sn_anchor_add(world, &anchor, NULL), SN_OK);
    sn_axis_def axis = sn_axis_def_default();
    assert_int_equal(
        sn_constraint_place(world, &axis.common, heavy, light, sn_v(1.5f, 0.2f, 0), sn_v(0, 1, 0)), SN_OK);
    assert_int_equal(sn_axis_add(world, &axis, NULL), SN_OK);
    sn_energy start = sn_world_energy(world);
    for (int i = 0; i < 240; ++i) {
        assert_int_equal(sn_world_step(world, 1.0f / 60.0f), SN_OK);
        sn_energy now = sn_world_energy(world);
        assert_true(now.kinetic <= 1.02 * start.kinetic);
        for (int k = 0; k < 3; ++k) {
            assert_true(fabs(now.momentum[k] - start.momentum[k]) <
                        1e-3 * sqrt(2.0 * start.mass * start.kinetic));
        }
    }
    assert_int_equal(sn_world_statistics(world).frozen_count, 0);
    sn_world_destroy(world);
}

// A spring that is 0.2 m too short when it is added has ½ k x² = 2 J; both balls get it.
static void test_springs_give_back_what_they_hold(void **state)
{
    (void)state;
    sn_world *world = make_weightless();
    sn_rigid a = add_ball(world, sn_v(0, 0, 0), 1.0f, sn_v(0, 0, 0));
    sn_rigid b = add_ball(world, sn_v(0.8f, 0, 0), 1.0f, sn_v(0, 0, 0));
    sn_distance_def spring = sn_distance_def_default();
    assert_int_equal(sn_constraint_place_points(world, &spring.common, a, b, sn_v(0, 0, 0), sn_v(0.8f, 0, 0)),
                     SN_OK);
    spring.spring_length = 1.0f;
    spring.spring_stiffness = 100.0f;
    assert_int_equal(sn_distance_add(world, &spring, NULL), SN_OK);
    double most = 0.0;
    for (int i = 0; i < 60; ++i) {
        assert_int_equal(sn_world_step(world, 1.0f / 60.0f), SN_OK);
        most = fmax(most, sn_world_energy(world).kinetic);
        assert_true(sn_world_statistics(world).energy_taken == 0.0f);
    }
    assert_true(most > 1.9 && most <= 2.0); // sub-steps damp it a little
    sn_world_destroy(world);
}

// An explicit integrator far beyond its limit: the ball turns, stays, and gains nothing.
static void test_explicit_integrators_gain_no_energy(void **state)
{
    (void)state;
    sn_world *world = make_weightless();
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_sphere(0.3f, 1, &mesh), SN_OK);
    sn_deformable_def soft = sn_deformable_def_default();
    soft.mesh = mesh;
    soft.mass = 0.1f;
    soft.angular_velocity = sn_v(0, 5, 0);
    soft.model.type = SN_MODEL_SPRING_FORCES;
    soft.model.stiffness = 5e3f;
    soft.integrator = SN_INTEGRATOR_EXPLICIT_EULER;
    sn_deformable ball;
    assert_int_equal(sn_deformable_add(world, &soft, &ball), SN_OK);
    sn_mesh_destroy(mesh);
    double start = sn_world_energy(world).kinetic;
    for (int i = 0; i < 300; ++i) {
        assert_int_equal(sn_world_step(world, 1.0f / 30.0f), SN_OK);
        assert_true(sn_world_energy(world).kinetic <= 1.02 * start);
    }
    assert_int_equal(sn_world_statistics(world).frozen_node_count, 0);
    sn_world_destroy(world);
}

static void join(sn_world *world, sn_rigid a, sn_rigid b, sn_vec3 at, float compliance)
{
    sn_ball_def ball = sn_ball_def_default();
    ball.common.compliance = compliance;
    assert_int_equal(sn_constraint_place(world, &ball.common, a, b, at, sn_v(0, 1, 0)), SN_OK);
    assert_int_equal(sn_ball_add(world, &ball, NULL), SN_OK);
}

// A body that hangs on a static one, put elsewhere behind the world's back: the joint holds 5 J, which
// nobody paid in: they are no motion.
static void test_joints_to_what_does_not_move_store_no_more_than_was_paid_in(void **state)
{
    (void)state;
    sn_world *world = make_weightless();
    sn_rigid_def def = sn_rigid_def_default();
    sn_rigid post;
    def.type = SN_STATIC;
    assert_int_equal(sn_rigid_add(world, &def, &post), SN_OK);
    sn_rigid ball = add_ball(world, sn_v(0, -0.5f, 0), 1.0f, sn_v(0, 0, 0));
    join(world, post, ball, sn_v(0, 0, 0), 1e-3f);
    assert_int_equal(sn_world_step(world, 1.0f / 60.0f), SN_OK);
    sn_body *body = &world->bodies.data[ball.index - 1];
    body->center = sn_add(body->center, sn_v(0, -0.1f, 0));
    for (int i = 0; i < 30; ++i) {
        assert_int_equal(sn_world_step(world, 1.0f / 60.0f), SN_OK);
        assert_true(sn_world_energy(world).kinetic < 0.01);
    }
    sn_world_destroy(world);
}

static void test_still_air_gives_nothing_and_wind_does(void **state)
{
    (void)state;
    sn_world *world = make_weightless();
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_grid(1.0f, 1.0f, 4, 4, SN_GRID_ALTERNATING, &mesh), SN_OK);
    sn_deformable_def soft = sn_deformable_def_default();
    soft.mesh = mesh;
    soft.mass = 0.1f;
    soft.model.type = SN_MODEL_SPRING_FORCES;
    soft.model.stiffness = 10.0f;
    soft.drag = 1.0f;
    sn_deformable cloth;
    assert_int_equal(sn_deformable_add(world, &soft, &cloth), SN_OK);
    sn_mesh_destroy(mesh);
    assert_int_equal(sn_world_step(world, 1.0f / 60.0f), SN_OK);
    assert_float_equal(world->deformables.data[cloth.index - 1].energy.stored, 0.0f, 1e-6f);
    assert_int_equal(sn_world_wind_set(world, sn_v(0, 0, 5)), SN_OK);
    assert_int_equal(sn_world_step(world, 1.0f / 60.0f), SN_OK);
    assert_true(world->deformables.data[cloth.index - 1].energy.stored > 0.1f);
    assert_true(sn_world_energy(world).kinetic > 0.0);
    assert_true(sn_world_statistics(world).energy_taken == 0.0f);
    sn_world_destroy(world);
}

// A ball of 0.1 kg that an anchor lifts by half a metre in a second, by a ramp or by a nail that is moved:
// the work is measured, so that nothing is taken back; nails leave no credit.
static void lift(bool by_ramp)
{
    sn_world *world = kit_world();
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_sphere(0.1f, 1, &mesh), SN_OK);
    sn_deformable_def soft = sn_deformable_def_default();
    soft.mesh = mesh;
    soft.mass = 0.1f;
    soft.model.type = SN_MODEL_SPRINGS;
    soft.model.stiffness = 1e4f;
    sn_deformable ball;
    assert_int_equal(sn_deformable_add(world, &soft, &ball), SN_OK);
    sn_mesh_destroy(mesh);
    sn_vec3 place = sn_deformable_nodes(world, ball)[0].position, top = sn_add(place, sn_v(0, 0.5f, 0));
    sn_anchor_def def = sn_anchor_def_default();
    def.exact = true;
    def.a = sn_point_world(by_ramp ? top : place);
    def.b = sn_point_node(ball, 0);
    def.ramp_steps = by_ramp ? 60 : 1;
    sn_anchor anchor;
    assert_int_equal(sn_anchor_add(world, &def, &anchor), SN_OK);
    double taken = 0.0;
    for (int i = 1; i <= 60; ++i) {
        sn_point there = sn_point_world(sn_add(place, sn_v(0, 0.5f * (float)i / 60.0f, 0)));
        assert_int_equal(by_ramp ? SN_OK : sn_anchor_point_set(world, anchor, 0, &there), SN_OK);
        assert_int_equal(sn_world_step(world, 1.0f / 60.0f), SN_OK);
        taken += (double)sn_world_statistics(world).energy_taken;
    }
    assert_true(sn_distance_between(sn_deformable_nodes(world, ball)[0].position, top) < 1e-5f);
    const double work = 0.1 * 9.81 * 0.5;
    assert_true(taken < 0.02 * work); // errors of integration that random worlds may have, too
    double stored = fabs((double)world->deformables.data[ball.index - 1].energy.stored);
    assert_true(by_ramp || stored < 0.1 * work);
    sn_world_destroy(world);
}

static void test_ramps_and_moved_nails_give_the_work_they_do(void **state)
{
    (void)state;
    lift(true);
    lift(false);
}

// Bounds carry what anchors on its rim draw the sheet with; the bar that has the anchors pays for it.
static void test_what_draws_a_sheet_by_its_bounds_gives_the_work_it_does(void **state)
{
    (void)state;
    enum { CELLS = 20 };
    sn_world *world = make_weightless();
    sn_rigid_def bar_def = sn_rigid_def_default();
    sn_rigid bar;
    bar_def.type = SN_KINEMATIC;
    assert_int_equal(sn_rigid_add(world, &bar_def, &bar), SN_OK);
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_grid(2.0f, 1.0f, CELLS, CELLS / 2, SN_GRID_ALTERNATING, &mesh), SN_OK);
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.mass = 0.2f;
    def.inextensible.on = true;
    sn_deformable sheet;
    assert_int_equal(sn_deformable_add(world, &def, &sheet), SN_OK);
    sn_mesh_destroy(mesh);
    for (int i = CELLS; i < sn_deformable_node_count(world, sheet); i += CELLS + 1) {
        sn_anchor_def anchor = sn_anchor_def_default();
        anchor.a = sn_point_node(sheet, i);
        anchor.b = sn_point_on_rigid(world, bar, sn_deformable_nodes(world, sheet)[i].position);
        assert_int_equal(sn_anchor_add(world, &anchor, NULL), SN_OK);
    }
    double taken = 0.0;
    for (int i = 0; i < 60; ++i) {
        float speed = 5.0f * sn_min((float)i / 30.0f, 1.0f);
        assert_int_equal(sn_rigid_linear_velocity_set(world, bar, sn_v(speed, 0, 0)), SN_OK);
        assert_int_equal(sn_world_step(world, 1.0f / 60.0f), SN_OK);
        taken += (double)sn_world_statistics(world).energy_taken;
    }
    double kinetic = sn_world_energy(world).kinetic;
    assert_true(kinetic > 0.9 * 0.5 * 0.2 * 25.0);
    assert_true(taken < 0.01 * kinetic);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_levers_of_light_bodies_gain_no_energy),
        cmocka_unit_test(test_springs_give_back_what_they_hold),
        cmocka_unit_test(test_explicit_integrators_gain_no_energy),
        cmocka_unit_test(test_joints_to_what_does_not_move_store_no_more_than_was_paid_in),
        cmocka_unit_test(test_still_air_gives_nothing_and_wind_does),
        cmocka_unit_test(test_ramps_and_moved_nails_give_the_work_they_do),
        cmocka_unit_test(test_what_draws_a_sheet_by_its_bounds_gives_the_work_it_does)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
