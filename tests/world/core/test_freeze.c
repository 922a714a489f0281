// What turns non-finite stops and is reported; the rest of the world goes on. Custom kinds that answer
// nonsense, and pushes beyond what floats can hold.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "world/core/bad_scene.h"

static void run(sn_world *world, int steps)
{
    for (int i = 0; i < steps; ++i) {
        assert_int_equal(sn_world_step(world, BAD_STEP), SN_OK);
    }
}

// All values of bodies, constraints and events are finite.
static void require_finite(const sn_world *world)
{
    sn_rigid bodies[64];
    sn_constraint constraints[64];
    int body_count = sn_world_rigids(world, bodies, 64);
    int constraint_count = sn_world_constraints(world, constraints, 64);
    for (int i = 0; i < body_count; ++i) {
        sn_pose pose = sn_rigid_pose(world, bodies[i]);
        assert_true(sn_vec3_is_finite(pose.position) && sn_quat_is_finite(pose.rotation));
        assert_true(sn_vec3_is_finite(sn_rigid_linear_velocity(world, bodies[i])));
        assert_true(sn_vec3_is_finite(sn_rigid_angular_velocity(world, bodies[i])));
        assert_true(sn_vec3_is_finite(sn_rigid_contact_force(world, bodies[i])));
    }
    for (int i = 0; i < constraint_count; ++i) {
        assert_true(sn_vec3_is_finite(sn_constraint_force(world, constraints[i])));
        assert_true(sn_vec3_is_finite(sn_constraint_torque(world, constraints[i])));
    }
    sn_events events = sn_world_events(world);
    for (int i = 0; i < events.move_count; ++i) {
        assert_true(sn_vec3_is_finite(events.moves[i].pose.position));
    }
    sn_energy energy = sn_world_energy(world);
    assert_true(energy.kinetic - energy.kinetic == 0.0 && energy.potential - energy.potential == 0.0);
}

// --- a kind that answers nonsense ----------------------------------------------------------------

typedef struct nonsense {
    int row_count;
    float value, gradient;
    sn_row_type type;
} nonsense;

static int nonsense_rows(const sn_row_input *input, const void *data, sn_row *rows)
{
    (void)input;
    const nonsense *wanted = data;
    for (int i = 0; i < SN_MAX_ROWS; ++i) {
        rows[i].type = wanted->type;
        rows[i].value = wanted->value;
        rows[i].target_speed = wanted->value;
        rows[i].linear[0] = sn_v(0.0f, -wanted->gradient, 0.0f);
        rows[i].linear[1] = sn_v(0.0f, wanted->gradient, 0.0f);
        rows[i].angular[1] = sn_v(wanted->gradient, 0.0f, 0.0f);
    }
    return wanted->row_count;
}

static sn_constraint add_nonsense(bad_scene *s, sn_rigid a, sn_rigid b, nonsense data)
{
    sn_custom_def def = sn_custom_def_default();
    sn_constraint constraint;
    (void)sn_custom_register(s->world, "nonsense", nonsense_rows, sizeof data);
    def.common.a = sn_point_rigid(a, sn_v(0.0f, 0.0f, 0.0f));
    def.common.b = sn_point_rigid(b, sn_v(0.0f, 0.0f, 0.0f));
    def.common.collide_connected = true;
    def.kind_name = "nonsense";
    def.data = &data;
    assert_int_equal(sn_custom_add(s->world, &def, &constraint), SN_OK);
    return constraint;
}

static void test_a_body_of_non_finite_rows_is_frozen_and_the_rest_goes_on(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    sn_pose before = sn_rigid_pose(w, s->rod);
    sn_vec3 push = {0, 2000, 0};
    sn_constraint joint = add_nonsense(s, sn_world_ground(w), s->rod, (nonsense){1, NAN, 1.0f, SN_ROW_EQUAL});
    assert_int_equal(sn_rigid_impulse_add(w, s->crate, push), SN_OK);
    run(w, 1);
    assert_true(sn_rigid_is_frozen(w, s->rod));
    assert_int_equal(sn_world_statistics(w).frozen_count, 1);
    assert_true(sn_length(sn_rigid_linear_velocity(w, s->rod)) == 0.0f);
    assert_true(sn_length(sn_constraint_force(w, joint)) == 0.0f);
    require_finite(w);
    run(w, 10);
    sn_pose after = sn_rigid_pose(w, s->rod);
    assert_memory_equal(&before, &after, sizeof before);
    assert_false(sn_rigid_is_frozen(w, s->crate) || sn_rigid_is_frozen(w, s->ball));
    assert_true(sn_rigid_position(w, s->crate).y > 0.6f);
    assert_int_equal(sn_world_statistics(w).frozen_count, 1);
    require_finite(w);
}

// The solver must survive any combination; whether a body freezes or is merely thrown about is its affair.
static void test_no_kind_of_nonsense_harms_the_rest_of_the_world(void **state)
{
    bad_scene *s = *state;
    static const int counts[] = {-1, INT32_MIN, 0, 1, SN_MAX_ROWS, SN_MAX_ROWS + 1, INT32_MAX};
    static const float values[] = {NAN, INFINITY, -INFINITY, 1.0e38f, -1.0e38f, 0.0f};
    static const float gradients[] = {1.0f, 0.0f, NAN, INFINITY, 1.0e30f};
    sn_rigid ground = sn_world_ground(s->world);
    for (int i = 0; i < 7 * 6 * 5 * 3; ++i) {
        nonsense data = {counts[i % 7], values[i / 7 % 6], gradients[i / 42 % 5], (sn_row_type)(i / 210)};
        sn_constraint joint = add_nonsense(s, ground, s->rod, data);
        run(s->world, 1);
        require_finite(s->world);
        (void)sn_constraint_error(s->world, joint);
        assert_int_equal(sn_constraint_remove(s->world, joint), SN_OK);
        assert_int_equal(sn_rigid_pose_set(s->world, s->rod, scene_at(3.0f, 0.3f, 0.0f)), SN_OK);
        assert_int_equal(sn_rigid_linear_velocity_set(s->world, s->rod, sn_v(0, 0, 0)), SN_OK);
        assert_int_equal(sn_rigid_angular_velocity_set(s->world, s->rod, sn_v(0, 0, 0)), SN_OK);
    }
    run(s->world, 60);
    assert_false(sn_rigid_is_frozen(s->world, s->crate) || sn_rigid_is_frozen(s->world, s->rod));
    assert_true(sn_abs(sn_rigid_position(s->world, s->crate).y - 0.5f) < 0.01f);
    assert_true(sn_abs(sn_rigid_position(s->world, s->rod).y - 0.2f) < 0.01f);
}

static void test_assembly_survives_non_finite_rows(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    sn_constraint joint = add_nonsense(s, sn_world_ground(w), s->rod, (nonsense){2, NAN, 1.0f, SN_ROW_EQUAL});
    sn_pose before = sn_rigid_pose(w, s->rod);
    sn_assembly report;
    assert_int_equal(sn_world_assemble(w, 1.0e-3f, 20, &report), SN_ERROR_NOT_CONVERGED);
    assert_int_equal(report.worst.index, joint.index);
    assert_int_equal(report.unmet_count, 1);
    sn_pose after = sn_rigid_pose(w, s->rod);
    assert_memory_equal(&before, &after, sizeof before);
    require_finite(w);
    assert_true(sn_constraint_error(w, joint) != sn_constraint_error(w, joint)); // says so: NaN
}

// --- frozen bodies -------------------------------------------------------------------------------

static void freeze(bad_scene *s, sn_rigid rigid)
{
    sn_constraint joint =
        add_nonsense(s, sn_world_ground(s->world), rigid, (nonsense){1, NAN, 1.0f, SN_ROW_EQUAL});
    run(s->world, 1);
    assert_true(sn_rigid_is_frozen(s->world, rigid));
    assert_int_equal(sn_constraint_remove(s->world, joint), SN_OK);
}

static void test_a_frozen_body_stands_in_the_way_like_a_static_one(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    assert_int_equal(sn_rigid_pose_set(w, s->rod, scene_at(3.0f, 2.0f, 0.0f)), SN_OK);
    freeze(s, s->rod);
    assert_int_equal(sn_rigid_pose_set(w, s->ball, scene_at(3.0f, 2.6f, 0.0f)), SN_OK);
    assert_int_equal(sn_rigid_linear_velocity_set(w, s->ball, sn_v(0, 0, 0)), SN_OK);
    run(w, 60);
    assert_true(sn_abs(sn_rigid_position(w, s->ball).y - 2.5f) < 0.01f);
    assert_true(sn_rigid_position(w, s->rod).y == 2.0f);
    require_finite(w);
}

// Within the step it spreads through contacts and joints to all that hangs together.
static void test_what_touches_a_lost_body_or_is_tied_to_it_only_sits_the_step_out(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    sn_rigid tower[10];
    for (int i = 0; i < 10; ++i) {
        tower[i] = bad_add_body(w, NULL, SN_DYNAMIC, sn_v(0.0f, 0.5f + (float)i, 6.0f));
        assert_int_equal(sn_box_add(w, tower[i], NULL, (sn_box){{0.5f, 0.5f, 0.5f}}, NULL), SN_OK);
    }
    sn_ball_def def = sn_ball_def_default();
    assert_int_equal(
        sn_constraint_place(w, &def.common, tower[5], s->rod, sn_v(1.5f, 5.5f, 3.0f), sn_v(1, 0, 0)), SN_OK);
    assert_int_equal(sn_ball_add(w, &def, NULL), SN_OK);
    run(w, 30);
    freeze(s, tower[5]);
    for (int i = 0; i < 10; ++i) {
        assert_int_equal(sn_rigid_is_frozen(w, tower[i]), i == 5);
    }
    assert_false(sn_rigid_is_frozen(w, s->rod));
    assert_int_equal(sn_world_statistics(w).frozen_count, 1);
    require_finite(w);
    run(w, 60);
    for (int i = 0; i < 10; ++i) {
        assert_true(sn_abs(sn_rigid_position(w, tower[i]).y - 0.5f - (float)i) < 0.05f);
    }
    assert_int_equal(sn_world_statistics(w).frozen_count, 1);
    require_finite(w);
}

static void test_nothing_but_a_new_pose_moves_a_frozen_body(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    freeze(s, s->rod);
    sn_pose before = sn_rigid_pose(w, s->rod);
    for (int i = 0; i < 20; ++i) {
        assert_int_equal(sn_rigid_force_add(w, s->rod, sn_v(0, 1.0e9f, 0)), SN_OK);
        assert_int_equal(sn_rigid_impulse_add(w, s->rod, sn_v(0, 10.0f, 0)), SN_OK);
        assert_int_equal(sn_rigid_awake_set(w, s->rod, true), SN_OK);
        run(w, 1);
    }
    sn_pose after = sn_rigid_pose(w, s->rod);
    assert_memory_equal(&before, &after, sizeof before);

    assert_int_equal(sn_rigid_pose_set(w, s->rod, scene_at(3.0f, 1.0f, 0.0f)), SN_OK);
    assert_false(sn_rigid_is_frozen(w, s->rod));
    assert_true(sn_rigid_is_awake(w, s->rod));
    run(w, 1);
    assert_true(sn_rigid_position(w, s->rod).y < 1.0f); // falls; old pushes are forgotten
    run(w, 120);
    assert_true(sn_abs(sn_rigid_position(w, s->rod).y - 0.2f) < 0.01f);
    assert_int_equal(sn_world_statistics(w).frozen_count, 1); // in total
}

static void test_a_frozen_body_can_change_type_and_go(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    freeze(s, s->rod);
    freeze(s, s->ball);
    assert_false(sn_rigid_is_frozen(w, s->crate));
    assert_int_equal(sn_rigid_type_set(w, s->rod, SN_KINEMATIC), SN_OK);
    assert_int_equal(sn_rigid_target_set(w, s->rod, scene_at(4.0f, 1.0f, 0.0f)), SN_OK);
    run(w, 2);
    assert_true(sn_rigid_is_frozen(w, s->rod));
    assert_int_equal(sn_rigid_remove(w, s->rod), SN_OK);
    assert_int_equal(sn_rigid_remove(w, s->ball), SN_OK);
    run(w, 60);
    assert_true(sn_abs(sn_rigid_position(w, s->crate).y - 0.5f) < 0.01f);
    require_finite(w);
}

// --- pushes too hard -----------------------------------------------------------------------------

static void test_torques_beyond_floats_freeze_their_body_alone(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    sn_rigid mote = bad_add_body(w, "mote", SN_DYNAMIC, sn_v(0.0f, 5.0f, 5.0f));
    const sn_mass mass = {1.0e-12f, {0, 0, 0}, {{1.0e-29f, 0, 0}, {0, 1.0e-29f, 0}, {0, 0, 1.0e-29f}}};
    assert_int_equal(sn_rigid_mass_set(w, mote, &mass), SN_OK);
    assert_int_equal(sn_rigid_torque_add(w, mote, sn_v(1.0e12f, 1.0e12f, 0)), SN_OK);
    run(w, 1);
    assert_true(sn_rigid_is_frozen(w, mote));
    assert_int_equal(sn_world_statistics(w).frozen_count, 1);
    assert_true(sn_rigid_position(w, mote).y == 5.0f);
    run(w, 30);
    require_finite(w);
    assert_int_equal(sn_rigid_pose_set(w, mote, scene_at(0.0f, 5.0f, 5.0f)), SN_OK);
    run(w, 30);
    assert_false(sn_rigid_is_frozen(w, mote));
    assert_true(sn_rigid_position(w, mote).y < 4.0f);
}

static void test_forces_beyond_the_largest_speed_are_clamped_and_reported(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    sn_rigid mote = bad_add_body(w, "mote", SN_DYNAMIC, sn_v(0.0f, 5.0f, 5.0f));
    const sn_mass mass = {1.0e-12f, {0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    assert_int_equal(sn_rigid_mass_set(w, mote, &mass), SN_OK);
    assert_int_equal(sn_rigid_force_add(w, mote, sn_v(0, 1.0e12f, 0)), SN_OK); // 1e24 m/s²
    run(w, 1);
    assert_false(sn_rigid_is_frozen(w, mote));
    assert_int_equal(sn_world_statistics(w).clamped_count, 1);
    assert_true(sn_abs(sn_rigid_linear_velocity(w, mote).y / SN_MAX_SPEED - 1.0f) < 1.0e-6f);
    float farthest = 5.0f + 1.002f * SN_MAX_SPEED * BAD_STEP;
    assert_in_range((int)sn_rigid_position(w, mote).y, 1600, (int)farthest);
    run(w, 1);
    assert_int_equal(sn_world_statistics(w).clamped_count, 0);
    require_finite(w);
}

static void test_springs_and_masses_at_their_extremes_stay_finite_or_freeze(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    static const float stiffness[] = {1.0e-38f, 1.0e10f, 1.0e30f, 3.0e38f};
    static const float compliance[] = {1.0e-38f, 1.0e-20f, 1.0e20f, 3.0e38f};
    for (int i = 0; i < 16; ++i) {
        sn_hinge_def def = sn_hinge_definition(w, s->joints[SN_HINGE]);
        def.spring_stiffness = stiffness[i % 4];
        def.spring_damping = stiffness[i / 4];
        def.spring_angle = 1.0f;
        def.common.compliance = def.common.angular_compliance = compliance[i % 4];
        def.common.damping = def.common.angular_damping = stiffness[i / 4];
        assert_int_equal(sn_hinge_set(w, s->joints[SN_HINGE], &def), SN_OK);
        run(w, 10);
        require_finite(w);
        assert_int_equal(sn_rigid_pose_set(w, s->hung[SN_HINGE], scene_at(6.0f, 5.0f, 0.0f)), SN_OK);
        assert_int_equal(sn_rigid_linear_velocity_set(w, s->hung[SN_HINGE], sn_v(0, 0, 0)), SN_OK);
        assert_int_equal(sn_rigid_angular_velocity_set(w, s->hung[SN_HINGE], sn_v(0, 0, 0)), SN_OK);
    }
    assert_false(sn_rigid_is_frozen(w, s->crate));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        bad_test(test_a_body_of_non_finite_rows_is_frozen_and_the_rest_goes_on),
        bad_test(test_no_kind_of_nonsense_harms_the_rest_of_the_world),
        bad_test(test_assembly_survives_non_finite_rows),
        bad_test(test_a_frozen_body_stands_in_the_way_like_a_static_one),
        bad_test(test_what_touches_a_lost_body_or_is_tied_to_it_only_sits_the_step_out),
        bad_test(test_nothing_but_a_new_pose_moves_a_frozen_body),
        bad_test(test_a_frozen_body_can_change_type_and_go),
        bad_test(test_torques_beyond_floats_freeze_their_body_alone),
        bad_test(test_forces_beyond_the_largest_speed_are_clamped_and_reported),
        bad_test(test_springs_and_masses_at_their_extremes_stay_finite_or_freeze),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
