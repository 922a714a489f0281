// Ids that name nothing, handed to every function that takes one: refused, and questions answered by zeros.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "world/core/bad_scene.h"

// What the message says of each.
static const char *const parts[BAD_IDS] = {[BAD_ZERO] = "is zero",
                                           [BAD_STALE] = "is stale",
                                           [BAD_FOREIGN] = "is of another world",
                                           [BAD_BEYOND] = "is stale",
                                           [BAD_LATER] = "is stale"};

// --- functions of bodies -------------------------------------------------------------------------

#define CALL(type, function, ...)                                                                            \
    static sn_status call_##function(sn_world *world, type id)                                               \
    {                                                                                                        \
        return function(world, id, __VA_ARGS__);                                                             \
    }

static const sn_mass unit_mass = {1.0f, {0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
static const sn_vec3 up = {0, 1, 0};
static const sn_plane plane = {{0, 1, 0}, 0};
static const sn_capsule capsule = {{0, 0, 0}, {1, 0, 0}, 1};

CALL(sn_rigid, sn_rigid_type_set, SN_STATIC)
CALL(sn_rigid, sn_rigid_pose_set, sn_pose_identity)
CALL(sn_rigid, sn_rigid_target_set, sn_pose_identity)
CALL(sn_rigid, sn_rigid_linear_velocity_set, up)
CALL(sn_rigid, sn_rigid_angular_velocity_set, up)
CALL(sn_rigid, sn_rigid_force_add, up)
CALL(sn_rigid, sn_rigid_force_add_at, up, up)
CALL(sn_rigid, sn_rigid_torque_add, up)
CALL(sn_rigid, sn_rigid_impulse_add, up)
CALL(sn_rigid, sn_rigid_impulse_add_at, up, up)
CALL(sn_rigid, sn_rigid_angular_impulse_add, up)
CALL(sn_rigid, sn_rigid_mass_set, &unit_mass)
CALL(sn_rigid, sn_rigid_damping_set, 0.0f, 0.0f)
CALL(sn_rigid, sn_rigid_gravity_scale_set, 0.0f)
CALL(sn_rigid, sn_rigid_locks_set, SN_LOCK_X)
CALL(sn_rigid, sn_rigid_bullet_set, true)
CALL(sn_rigid, sn_rigid_allow_sleep_set, false)
CALL(sn_rigid, sn_rigid_awake_set, true)
CALL(sn_rigid, sn_rigid_user_set, NULL)
CALL(sn_rigid, sn_sphere_add, NULL, (sn_sphere){.radius = 1.0f}, NULL)
CALL(sn_rigid, sn_capsule_add, NULL, capsule, NULL)
CALL(sn_rigid, sn_box_add, NULL, (sn_box){{1, 1, 1}}, NULL)
CALL(sn_rigid, sn_plane_add, NULL, plane, NULL)
CALL(sn_rigid, sn_hull_add, NULL, NULL, NULL)
CALL(sn_rigid, sn_surface_add, NULL, NULL, NULL)
CALL(sn_rigid, sn_compound_add, NULL, NULL, NULL)

#define ROW(function)                                                                                        \
    {                                                                                                        \
#function, call_##function                                                                           \
    }

static const struct {
    const char *name;
    sn_status (*call)(sn_world *world, sn_rigid rigid);
} rigid_calls[] = {{"sn_rigid_remove", sn_rigid_remove},
                   {"sn_rigid_mass_reset", sn_rigid_mass_reset},
                   ROW(sn_rigid_type_set),
                   ROW(sn_rigid_pose_set),
                   ROW(sn_rigid_target_set),
                   ROW(sn_rigid_linear_velocity_set),
                   ROW(sn_rigid_angular_velocity_set),
                   ROW(sn_rigid_force_add),
                   ROW(sn_rigid_force_add_at),
                   ROW(sn_rigid_torque_add),
                   ROW(sn_rigid_impulse_add),
                   ROW(sn_rigid_impulse_add_at),
                   ROW(sn_rigid_angular_impulse_add),
                   ROW(sn_rigid_mass_set),
                   ROW(sn_rigid_damping_set),
                   ROW(sn_rigid_gravity_scale_set),
                   ROW(sn_rigid_locks_set),
                   ROW(sn_rigid_bullet_set),
                   ROW(sn_rigid_allow_sleep_set),
                   ROW(sn_rigid_awake_set),
                   ROW(sn_rigid_user_set),
                   ROW(sn_sphere_add),
                   ROW(sn_capsule_add),
                   ROW(sn_box_add),
                   ROW(sn_plane_add),
                   ROW(sn_hull_add),
                   ROW(sn_surface_add),
                   ROW(sn_compound_add)};

static void test_functions_of_bodies_refuse_ids_of_none(void **state)
{
    bad_scene *s = *state;
    for (size_t i = 0; i < bad_count(rigid_calls); ++i) {
        for (int k = 0; k < BAD_IDS; ++k) {
            refuse_named(s, rigid_calls[i].name, SN_ERROR_ID, parts[k],
                         rigid_calls[i].call(s->world, s->no_rigid[k]));
        }
        refuse_named(s, rigid_calls[i].name, SN_ERROR_NULL, "world is null",
                     rigid_calls[i].call(NULL, s->crate));
    }
}

// --- functions of shapes -------------------------------------------------------------------------

static sn_sphere a_sphere = {{0, 0, 0}, 1};
static sn_capsule a_capsule = {{0, 0, 0}, {1, 0, 0}, 1};
static sn_box a_box = {{1, 1, 1}};

CALL(sn_shape, sn_shape_friction_set, 0.1f)
CALL(sn_shape, sn_shape_restitution_set, 0.1f)
CALL(sn_shape, sn_shape_rolling_resistance_set, 0.1f)
CALL(sn_shape, sn_shape_density_set, 1.0f)
CALL(sn_shape, sn_shape_filter_set, (sn_filter){1, 1, 0})
CALL(sn_shape, sn_shape_sphere_set, a_sphere)
CALL(sn_shape, sn_shape_capsule_set, a_capsule)
CALL(sn_shape, sn_shape_box_set, a_box)

static const struct {
    const char *name;
    sn_status (*call)(sn_world *world, sn_shape shape);
} shape_calls[] = {{"sn_shape_remove", sn_shape_remove},
                   ROW(sn_shape_friction_set),
                   ROW(sn_shape_restitution_set),
                   ROW(sn_shape_rolling_resistance_set),
                   ROW(sn_shape_density_set),
                   ROW(sn_shape_filter_set),
                   ROW(sn_shape_sphere_set),
                   ROW(sn_shape_capsule_set),
                   ROW(sn_shape_box_set)};

static void test_functions_of_shapes_refuse_ids_of_none(void **state)
{
    bad_scene *s = *state;
    for (size_t i = 0; i < bad_count(shape_calls); ++i) {
        for (int k = 0; k < BAD_IDS; ++k) {
            refuse_named(s, shape_calls[i].name, SN_ERROR_ID, parts[k],
                         shape_calls[i].call(s->world, s->no_shape[k]));
        }
        refuse_named(s, shape_calls[i].name, SN_ERROR_NULL, "world is null",
                     shape_calls[i].call(NULL, s->crate_box));
    }
}

// --- functions of constraints --------------------------------------------------------------------

CALL(sn_constraint, sn_hinge_motor_set, true, 1.0f, 1.0f)
CALL(sn_constraint, sn_slider_motor_set, true, 1.0f, 1.0f)
CALL(sn_constraint, sn_custom_data_set, &up)

// Sets take a whole definition.
#define CALL_SET(kind)                                                                                       \
    static sn_status call_sn_##kind##_set(sn_world *world, sn_constraint id)                                 \
    {                                                                                                        \
        sn_##kind##_def def = sn_##kind##_def_default();                                                     \
        return sn_##kind##_set(world, id, &def);                                                             \
    }

CALL_SET(ball)
CALL_SET(hinge)
CALL_SET(slider)
CALL_SET(fixed)
CALL_SET(distance)

static const struct {
    const char *name;
    sn_status (*call)(sn_world *world, sn_constraint constraint);
} constraint_calls[] = {{"sn_constraint_remove", sn_constraint_remove},
                        ROW(sn_ball_set),
                        ROW(sn_hinge_set),
                        ROW(sn_slider_set),
                        ROW(sn_fixed_set),
                        ROW(sn_distance_set),
                        ROW(sn_hinge_motor_set),
                        ROW(sn_slider_motor_set),
                        ROW(sn_custom_data_set)};

static void test_functions_of_constraints_refuse_ids_of_none(void **state)
{
    bad_scene *s = *state;
    for (size_t i = 0; i < bad_count(constraint_calls); ++i) {
        for (int k = 0; k < BAD_IDS; ++k) {
            refuse_named(s, constraint_calls[i].name, SN_ERROR_ID, parts[k],
                         constraint_calls[i].call(s->world, s->no_constraint[k]));
        }
        refuse_named(s, constraint_calls[i].name, SN_ERROR_NULL, "world is null",
                     constraint_calls[i].call(NULL, s->joints[0]));
    }
}

// --- questions -----------------------------------------------------------------------------------

static bool is_zero(sn_vec3 v)
{
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

static bool is_zero_mass(sn_mass m)
{
    return m.mass == 0.0f && is_zero(m.center) && is_zero(m.inertia.x) && is_zero(m.inertia.y) &&
           is_zero(m.inertia.z);
}

static bool is_zero_pose(sn_pose p)
{
    sn_quat q = p.rotation;
    return is_zero(p.position) && q.x == 0.0f && q.y == 0.0f && q.z == 0.0f && q.w == 0.0f;
}

static void test_questions_about_no_body_get_zeros_and_a_message(void **state)
{
    bad_scene *s = *state;
    for (int k = 0; k < BAD_IDS; ++k) {
        const sn_world *w = s->world;
        sn_rigid id = s->no_rigid[k];
        sn_shape shapes[2];
        sn_constraint constraints[2];
        sn_contact contacts[2];
        assert_false(sn_rigid_is_valid(w, id));
        answers_nothing(s, parts[k], sn_rigid_get_type(w, id) == SN_STATIC);
        answers_nothing(s, parts[k], sn_rigid_name(w, id)[0] == '\0');
        answers_nothing(s, parts[k], is_zero_pose(sn_rigid_pose(w, id)));
        answers_nothing(s, parts[k], is_zero(sn_rigid_position(w, id)));
        answers_nothing(s, parts[k], sn_rigid_rotation(w, id).w == 0.0f);
        answers_nothing(s, parts[k], is_zero(sn_rigid_center(w, id)));
        answers_nothing(s, parts[k], is_zero(sn_rigid_linear_velocity(w, id)));
        answers_nothing(s, parts[k], is_zero(sn_rigid_angular_velocity(w, id)));
        answers_nothing(s, parts[k], is_zero(sn_rigid_point_velocity(w, id, up)));
        answers_nothing(s, parts[k], is_zero_mass(sn_rigid_mass(w, id)));
        answers_nothing(s, parts[k], sn_rigid_definition(w, id).cookie == 0);
        answers_nothing(s, parts[k], !sn_rigid_is_awake(w, id));
        answers_nothing(s, parts[k], !sn_rigid_is_frozen(w, id));
        answers_nothing(s, parts[k], sn_rigid_user(w, id) == NULL);
        answers_nothing(s, parts[k], sn_rigid_shapes(w, id, shapes, 2) == 0);
        answers_nothing(s, parts[k], sn_rigid_constraints(w, id, constraints, 2) == 0);
        answers_nothing(s, parts[k], sn_rigid_contacts(w, id, contacts, 2) == 0);
        answers_nothing(s, parts[k], is_zero(sn_rigid_contact_force(w, id)));
        answers_nothing(s, parts[k], is_zero(sn_rigid_bounds(w, id).upper));
    }
}

static void test_questions_about_no_shape_get_zeros_and_a_message(void **state)
{
    bad_scene *s = *state;
    for (int k = 0; k < BAD_IDS; ++k) {
        const sn_world *w = s->world;
        sn_shape id = s->no_shape[k];
        assert_false(sn_shape_is_valid(w, id));
        answers_nothing(s, parts[k], sn_shape_get_type(w, id) == SN_SPHERE);
        answers_nothing(s, parts[k], sn_shape_rigid(w, id).index == 0);
        answers_nothing(s, parts[k], sn_shape_definition(w, id).cookie == 0);
        answers_nothing(s, parts[k], is_zero(sn_shape_bounds(w, id).lower));
        answers_nothing(s, parts[k], sn_shape_user(w, id) == NULL);
        answers_nothing(s, parts[k], sn_shape_sphere(w, id).radius == 0.0f);
        answers_nothing(s, parts[k], sn_shape_capsule(w, id).radius == 0.0f);
        answers_nothing(s, parts[k], is_zero(sn_shape_box(w, id).half_extents));
        answers_nothing(s, parts[k], is_zero(sn_shape_plane(w, id).normal));
        answers_nothing(s, parts[k], sn_shape_hull(w, id) == NULL);
        answers_nothing(s, parts[k], sn_shape_surface(w, id) == NULL);
        answers_nothing(s, parts[k], sn_shape_compound(w, id) == NULL);
    }
}

static void test_questions_about_no_constraint_get_zeros_and_a_message(void **state)
{
    bad_scene *s = *state;
    for (int k = 0; k < BAD_IDS; ++k) {
        const sn_world *w = s->world;
        sn_constraint id = s->no_constraint[k];
        assert_false(sn_constraint_is_valid(w, id));
        answers_nothing(s, parts[k], sn_constraint_get_kind(w, id) == SN_BALL);
        answers_nothing(s, parts[k], sn_ball_definition(w, id).common.cookie == 0);
        answers_nothing(s, parts[k], sn_hinge_definition(w, id).common.cookie == 0);
        answers_nothing(s, parts[k], sn_slider_definition(w, id).common.cookie == 0);
        answers_nothing(s, parts[k], sn_fixed_definition(w, id).common.cookie == 0);
        answers_nothing(s, parts[k], sn_distance_definition(w, id).common.cookie == 0);
        answers_nothing(s, parts[k], sn_constraint_name(w, id)[0] == '\0');
        answers_nothing(s, parts[k], sn_constraint_user(w, id) == NULL);
        answers_nothing(s, parts[k], sn_constraint_body_a(w, id).index == 0);
        answers_nothing(s, parts[k], sn_constraint_body_b(w, id).index == 0);
        answers_nothing(s, parts[k], is_zero(sn_constraint_force(w, id)));
        answers_nothing(s, parts[k], is_zero(sn_constraint_torque(w, id)));
        answers_nothing(s, parts[k], sn_constraint_error(w, id) == 0.0f);
        answers_nothing(s, parts[k], sn_hinge_angle(w, id) == 0.0f);
        answers_nothing(s, parts[k], sn_slider_travel(w, id) == 0.0f);
        answers_nothing(s, parts[k], sn_distance_length(w, id) == 0.0f);
    }
    answers_nothing(s, "hinge 'door' is no slider", sn_slider_travel(s->world, s->joints[SN_HINGE]) == 0.0f);
    answers_nothing(s, "is no hinge", sn_hinge_angle(s->world, s->joints[SN_BALL]) == 0.0f);
    answers_nothing(s, "is no distance", sn_distance_length(s->world, s->joints[SN_BALL]) == 0.0f);
}

static void test_lists_without_room_still_count(void **state)
{
    bad_scene *s = *state;
    sn_rigid one = {0};
    sn_contact contact;
    int count = sn_world_rigids(s->world, NULL, 0);
    assert_int_equal(count, 5 + SN_CONSTRAINT_KIND_COUNT);
    assert_int_equal(sn_world_rigids(s->world, &one, -3), count);
    assert_int_equal(one.index, 0);
    assert_int_equal(sn_world_rigids(s->world, NULL, 99), count);
    assert_int_equal(sn_world_constraints(s->world, NULL, -1), SN_CONSTRAINT_KIND_COUNT);
    assert_int_equal(sn_rigid_shapes(s->world, s->crate, NULL, INT32_MAX), 1);
    assert_int_equal(sn_rigid_constraints(s->world, s->hung[0], NULL, -1), 1);
    assert_true(sn_rigid_contacts(s->world, s->crate, NULL, 5) >= 2);
    assert_true(sn_rigid_contacts(s->world, s->crate, &contact, 1) >= 2);
    assert_int_equal(sn_world_contacts(s->world, &contact, 1), sn_world_contacts(s->world, NULL, 5));
    assert_int_equal(sn_world_contacts(NULL, &contact, 1), 0);
}

static void test_rows_were_many(void **state)
{
    (void)state;
    assert_true(bad_row_count >= 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        bad_test(test_functions_of_bodies_refuse_ids_of_none),
        bad_test(test_functions_of_shapes_refuse_ids_of_none),
        bad_test(test_functions_of_constraints_refuse_ids_of_none),
        bad_test(test_questions_about_no_body_get_zeros_and_a_message),
        bad_test(test_questions_about_no_shape_get_zeros_and_a_message),
        bad_test(test_questions_about_no_constraint_get_zeros_and_a_message),
        bad_test(test_lists_without_room_still_count),
        cmocka_unit_test(test_rows_were_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
