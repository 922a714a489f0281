// Bad input to rigid bodies: definitions, poses, velocities, pushes, masses, and what a body's type forbids.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "world/core/bad_scene.h"

// --- definitions ---------------------------------------------------------------------------------

#define FIELD(field) offsetof(sn_rigid_def, field)

static const bad_field bad_fields[] = {
    {FIELD(position.x), NAN, SN_ERROR_NOT_FINITE, "rigid 'barrel': position is (nan, 0, 0)"},
    {FIELD(position.y), INFINITY, SN_ERROR_NOT_FINITE, "position is (0, inf, 0)"},
    {FIELD(position.z), -INFINITY, SN_ERROR_NOT_FINITE, "position is (0, 0, -inf)"},
    {FIELD(position.x), 1.0e10f, SN_ERROR_RANGE, "position is (1e+10, 0, 0)"},
    {FIELD(position.y), -1.1e6f, SN_ERROR_RANGE, "within +-1e+06"},
    {FIELD(rotation.w), 0.0f, SN_ERROR_ROTATION, "rotation is (0, 0, 0, 0) of length 0"},
    {FIELD(rotation.w), 0.998f, SN_ERROR_ROTATION, "expected length 1"},
    {FIELD(rotation.w), 2.0f, SN_ERROR_ROTATION, "of length 2"},
    {FIELD(rotation.x), 1.0f, SN_ERROR_ROTATION, "rotation is (1, 0, 0, 1)"},
    {FIELD(rotation.x), NAN, SN_ERROR_NOT_FINITE, "rotation is (nan, 0, 0, 1)"},
    {FIELD(rotation.y), INFINITY, SN_ERROR_NOT_FINITE, "rotation"},
    {FIELD(rotation.z), 1.0e30f, SN_ERROR_ROTATION, "of length inf"},
    {FIELD(linear_velocity.x), NAN, SN_ERROR_NOT_FINITE, "linear_velocity"},
    {FIELD(linear_velocity.y), -1.0e10f, SN_ERROR_RANGE, "linear_velocity is (0, -1e+10, 0)"},
    {FIELD(angular_velocity.y), INFINITY, SN_ERROR_NOT_FINITE, "angular_velocity"},
    {FIELD(angular_velocity.z), 1.0e5f, SN_ERROR_RANGE, "within +-10000"},
    {FIELD(linear_damping), -0.1f, SN_ERROR_RANGE, "linear_damping is -0.1"},
    {FIELD(linear_damping), NAN, SN_ERROR_NOT_FINITE, "linear_damping"},
    {FIELD(angular_damping), 1001.0f, SN_ERROR_RANGE, "angular_damping is 1001"},
    {FIELD(gravity_scale), -1.0e10f, SN_ERROR_RANGE, "gravity_scale"},
    {FIELD(gravity_scale), NAN, SN_ERROR_NOT_FINITE, "gravity_scale is nan"},
};

static void refuse_def(bad_scene *s, const sn_rigid_def *def, sn_status expected, const char *part)
{
    refuse_answer(s, &s->rigid, expected, part, sn_rigid_add(s->world, def, &s->rigid));
}

static void test_bodies_with_bad_numbers_are_not_made(void **state)
{
    bad_scene *s = *state;
    for (size_t i = 0; i < bad_count(bad_fields); ++i) {
        sn_rigid_def def = sn_rigid_def_default();
        def.name = "barrel";
        bad_spoil(&def, &bad_fields[i]);
        refuse_def(s, &def, bad_fields[i].expected, bad_fields[i].part);
    }
}

static void test_bodies_with_bad_types_locks_and_names_are_not_made(void **state)
{
    bad_scene *s = *state;
    sn_rigid_def def = sn_rigid_def_default(), zeros = {0};
    refuse_def(s, NULL, SN_ERROR_NULL, "definition is null");
    refuse_def(s, &zeros, SN_ERROR_DEFINITION, "sn_rigid_def_default");
    def.type = (sn_rigid_type)3;
    refuse_def(s, &def, SN_ERROR_RANGE, "type is 3, expected SN_STATIC");
    def.type = (sn_rigid_type)-1;
    refuse_def(s, &def, SN_ERROR_RANGE, "type is -1");
    def = sn_rigid_def_default();
    def.locks = 64;
    refuse_def(s, &def, SN_ERROR_RANGE, "locks is 64");
    def.locks = UINT32_MAX;
    refuse_def(s, &def, SN_ERROR_RANGE, "locks is 4.29497e+09");
    def = sn_rigid_def_default();
    def.name = "a name of sixty-four bytes, which is one more than there may be!";
    refuse_def(s, &def, SN_ERROR_NAME, "at most 63 bytes");
    def.position.x = NAN;
    refuse_def(s, &def, SN_ERROR_NOT_FINITE,
               "rigid 'a name of sixty-four bytes, which is one more than there may be': position");
}

static void test_a_name_of_sixty_three_bytes_is_kept_whole(void **state)
{
    bad_scene *s = *state;
    sn_rigid_def def = sn_rigid_def_default();
    def.name = "a name of sixty-three bytes, which is as long as a name may be!";
    assert_int_equal(strlen(def.name), SN_MAX_NAME);
    assert_int_equal(sn_rigid_add(s->world, &def, &s->rigid), SN_OK);
    assert_string_equal(sn_rigid_name(s->world, s->rigid), def.name);
}

static void test_a_rotation_slightly_off_is_taken_and_made_whole(void **state)
{
    bad_scene *s = *state;
    static const float lengths[] = {0.9992f, 0.99999f, 1.00001f, 1.0008f};
    for (size_t i = 0; i < bad_count(lengths); ++i) {
        sn_rigid_def def = sn_rigid_def_default();
        def.rotation = (sn_quat){0.6f * lengths[i], 0.0f, 0.0f, 0.8f * lengths[i]};
        assert_int_equal(sn_rigid_add(s->world, &def, &s->rigid), SN_OK);
        sn_quat q = sn_rigid_rotation(s->world, s->rigid);
        assert_true(sn_abs(q.x - 0.6f) < 1.0e-6f && sn_abs(q.w - 0.8f) < 1.0e-6f);
        sn_pose pose = {{0, 3, 0}, {0, lengths[i], 0, 0}};
        assert_int_equal(sn_rigid_pose_set(s->world, s->rigid, pose), SN_OK);
        assert_true(sn_abs(sn_rigid_rotation(s->world, s->rigid).y - 1.0f) < 1.0e-6f);
    }
}

// --- vectors -------------------------------------------------------------------------------------

typedef sn_status (*vector_function)(sn_world *world, sn_rigid rigid, sn_vec3 v);

static sn_status force_at(sn_world *world, sn_rigid rigid, sn_vec3 v)
{
    return sn_rigid_force_add_at(world, rigid, v, sn_v(0.0f, 1.0f, 0.0f));
}
static sn_status force_at_point(sn_world *world, sn_rigid rigid, sn_vec3 v)
{
    return sn_rigid_force_add_at(world, rigid, sn_v(0.0f, 0.0f, 0.0f), v);
}
static sn_status impulse_at(sn_world *world, sn_rigid rigid, sn_vec3 v)
{
    return sn_rigid_impulse_add_at(world, rigid, v, sn_v(0.0f, 1.0f, 0.0f));
}
static sn_status impulse_at_point(sn_world *world, sn_rigid rigid, sn_vec3 v)
{
    return sn_rigid_impulse_add_at(world, rigid, sn_v(0.0f, 0.0f, 0.0f), v);
}
static sn_status position(sn_world *world, sn_rigid rigid, sn_vec3 v)
{
    return sn_rigid_pose_set(world, rigid, (sn_pose){v, sn_quat_identity});
}

// What each vector is called in messages, and the size that is too much for it.
static const struct {
    vector_function call;
    const char *part;
    float too_much;
} vector_rows[] = {
    {sn_rigid_linear_velocity_set, "rigid 'crate': linear_velocity", 1.0e10f},
    {sn_rigid_angular_velocity_set, "rigid 'crate': angular_velocity", 1.0e5f},
    {sn_rigid_force_add, "rigid 'crate': force", 1.0e13f},
    {sn_rigid_torque_add, "rigid 'crate': torque", 1.0e13f},
    {sn_rigid_impulse_add, "rigid 'crate': impulse", 1.0e13f},
    {sn_rigid_impulse_add, "rigid 'crate': linear velocity after the impulse", 1.0e9f},
    {sn_rigid_angular_impulse_add, "rigid 'crate': angular impulse", 1.0e13f},
    {sn_rigid_angular_impulse_add, "rigid 'crate': angular velocity after the impulse", 1.0e8f},
    {force_at, "rigid 'crate': force", 1.0e13f},
    {force_at_point, "rigid 'crate': point", 1.0e10f},
    {impulse_at, "rigid 'crate': impulse", 1.0e13f},
    {impulse_at, "rigid 'crate': linear velocity after the impulse", 1.0e9f},
    {impulse_at_point, "rigid 'crate': point", 1.0e10f},
    {position, "rigid 'crate': pose.position", 1.0e10f},
};

static void test_non_finite_or_too_long_vectors_are_refused(void **state)
{
    bad_scene *s = *state;
    for (size_t i = 0; i < bad_count(vector_rows); ++i) {
        vector_function call = vector_rows[i].call;
        const char *part = vector_rows[i].part;
        float much = vector_rows[i].too_much;
        refuse_named(s, part, SN_ERROR_RANGE, part, call(s->world, s->crate, sn_v(0, 0, -much)));
        if (strstr(part, "after") == NULL) {
            refuse_named(s, part, SN_ERROR_NOT_FINITE, part, call(s->world, s->crate, sn_v(NAN, 0, 0)));
            refuse_named(s, part, SN_ERROR_NOT_FINITE, part, call(s->world, s->crate, sn_v(0, INFINITY, 0)));
            refuse_named(s, part, SN_ERROR_NOT_FINITE, part, call(s->world, s->crate, sn_v(0, 0, -INFINITY)));
        }
    }
}

static void test_impulses_may_not_add_up_to_more_than_the_largest_speed(void **state)
{
    bad_scene *s = *state;
    sn_vec3 half = {0.0f, 6.0e4f * sn_rigid_mass(s->world, s->crate).mass, 0.0f};
    assert_int_equal(sn_rigid_impulse_add(s->world, s->crate, half), SN_OK);
    s->hash = sn_world_hash(s->world);
    refuse(s, SN_ERROR_RANGE, "120000", sn_rigid_impulse_add(s->world, s->crate, half));
}

// --- poses, masses, settings ---------------------------------------------------------------------

static void test_poses_must_turn_not_stretch(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    const sn_pose none = {{0, 0, 0}, {0, 0, 0, 0}}, twice = {{0, 0, 0}, {0, 2, 0, 0}};
    const sn_pose nan = {{0, 0, 0}, {0, 0, NAN, 1}};
    refuse(s, SN_ERROR_ROTATION, "'crate': pose.rotation is (0, 0, 0, 0)",
           sn_rigid_pose_set(w, s->crate, none));
    refuse(s, SN_ERROR_ROTATION, "of length 2", sn_rigid_pose_set(w, s->crate, twice));
    refuse(s, SN_ERROR_NOT_FINITE, "pose.rotation", sn_rigid_pose_set(w, s->crate, nan));
    refuse(s, SN_ERROR_ROTATION, "'lift': target.rotation", sn_rigid_target_set(w, s->lift, none));
    refuse(s, SN_ERROR_NOT_FINITE, "target.rotation", sn_rigid_target_set(w, s->lift, nan));
    sn_pose far = {{0, -1.0e10f, 0}, {0, 0, 0, 1}};
    refuse(s, SN_ERROR_RANGE, "target.position", sn_rigid_target_set(w, s->lift, far));
}

static void test_masses_must_be_positive_and_inertias_positive_definite(void **state)
{
    bad_scene *s = *state;
    const sn_mat3 unit = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const struct {
        sn_mass mass;
        sn_status expected;
        const char *part;
    } rows[] = {
        {{0.0f, {0, 0, 0}, unit}, SN_ERROR_RANGE, "rigid 'crate': mass is 0"},
        {{-1.0f, {0, 0, 0}, unit}, SN_ERROR_RANGE, "mass is -1"},
        {{1.0e-20f, {0, 0, 0}, unit}, SN_ERROR_RANGE, "mass is 1e-20"},
        {{1.0e20f, {0, 0, 0}, unit}, SN_ERROR_RANGE, "<= 1e+15"},
        {{NAN, {0, 0, 0}, unit}, SN_ERROR_NOT_FINITE, "mass is nan"},
        {{INFINITY, {0, 0, 0}, unit}, SN_ERROR_NOT_FINITE, "mass is inf"},
        {{1.0f, {NAN, 0, 0}, unit}, SN_ERROR_NOT_FINITE, "center"},
        {{1.0f, {0, 1.0e10f, 0}, unit}, SN_ERROR_RANGE, "center is (0, 1e+10, 0)"},
        {{1.0f, {0, 0, 0}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}, SN_ERROR_RANGE, "eigenvalues 0, 0, 0"},
        {{1.0f, {0, 0, 0}, {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}}}, SN_ERROR_RANGE, "eigenvalues -1, 1, 1"},
        {{1.0f, {0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 0}}}, SN_ERROR_RANGE, "expected all > 0"},
        {{1.0f, {0, 0, 0}, {{1, 2, 0}, {2, 1, 0}, {0, 0, 1}}}, SN_ERROR_RANGE, "eigenvalues -1"},
        {{1.0f, {0, 0, 0}, {{1.0e-9f, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, SN_ERROR_RANGE, "1e-09"},
        {{1.0f, {0, 0, 0}, {{1.0e-40f, 0, 0}, {0, 1.0e-40f, 0}, {0, 0, 1.0e-40f}}},
         SN_ERROR_RANGE,
         "inertia"},
        {{1.0f, {0, 0, 0}, {{1, 0, 0}, {0, NAN, 0}, {0, 0, 1}}}, SN_ERROR_NOT_FINITE, "inertia.y"},
        {{1.0f, {0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, INFINITY}}}, SN_ERROR_NOT_FINITE, "inertia.z"},
        {{1.0f, {0, 0, 0}, {{1.0e30f, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, SN_ERROR_RANGE, "inertia.x"},
    };
    for (size_t i = 0; i < bad_count(rows); ++i) {
        refuse(s, rows[i].expected, rows[i].part, sn_rigid_mass_set(s->world, s->crate, &rows[i].mass));
    }
    refuse(s, SN_ERROR_NULL, "mass is null", sn_rigid_mass_set(s->world, s->crate, NULL));
}

static void test_damping_gravity_and_locks_have_their_ranges(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    refuse(s, SN_ERROR_RANGE, "linear_damping is -1", sn_rigid_damping_set(w, s->crate, -1.0f, 0.0f));
    refuse(s, SN_ERROR_RANGE, "angular_damping is 2000", sn_rigid_damping_set(w, s->crate, 0.0f, 2000.0f));
    refuse(s, SN_ERROR_NOT_FINITE, "angular_damping", sn_rigid_damping_set(w, s->crate, 0.0f, NAN));
    refuse(s, SN_ERROR_NOT_FINITE, "linear_damping", sn_rigid_damping_set(w, s->crate, INFINITY, 0.0f));
    refuse(s, SN_ERROR_RANGE, "gravity_scale is 1001", sn_rigid_gravity_scale_set(w, s->crate, 1001.0f));
    refuse(s, SN_ERROR_NOT_FINITE, "gravity_scale", sn_rigid_gravity_scale_set(w, s->crate, NAN));
    refuse(s, SN_ERROR_RANGE, "'crate': locks is 65", sn_rigid_locks_set(w, s->crate, 65));
    refuse(s, SN_ERROR_RANGE, "locks is 2.14748e+09", sn_rigid_locks_set(w, s->crate, 1u << 31));
}

// --- types ---------------------------------------------------------------------------------------

static void test_only_dynamic_bodies_are_pushed_and_weighed(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    const sn_rigid bodies[] = {s->lift, s->wall, sn_world_ground(w)};
    const char *const parts[] = {"'lift' is kinematic", "'wall' is static", "'ground' is static"};
    const sn_vec3 up = {0, 1, 0};
    const sn_mass mass = {1.0f, {0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (int i = 0; i < 3; ++i) {
        refuse(s, SN_ERROR_KIND, parts[i], sn_rigid_force_add(w, bodies[i], up));
        refuse(s, SN_ERROR_KIND, parts[i], sn_rigid_force_add_at(w, bodies[i], up, up));
        refuse(s, SN_ERROR_KIND, parts[i], sn_rigid_torque_add(w, bodies[i], up));
        refuse(s, SN_ERROR_KIND, parts[i], sn_rigid_impulse_add(w, bodies[i], up));
        refuse(s, SN_ERROR_KIND, parts[i], sn_rigid_impulse_add_at(w, bodies[i], up, up));
        refuse(s, SN_ERROR_KIND, parts[i], sn_rigid_angular_impulse_add(w, bodies[i], up));
        refuse(s, SN_ERROR_KIND, parts[i], sn_rigid_mass_set(w, bodies[i], &mass));
        refuse(s, SN_ERROR_KIND, parts[i], sn_rigid_mass_reset(w, bodies[i]));
    }
}

static void test_velocities_are_for_what_moves_and_targets_for_kinematic_bodies(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    const sn_vec3 up = {0, 1, 0};
    refuse(s, SN_ERROR_KIND, "'wall' is static", sn_rigid_linear_velocity_set(w, s->wall, up));
    refuse(s, SN_ERROR_KIND, "'wall' is static", sn_rigid_angular_velocity_set(w, s->wall, up));
    refuse(s, SN_ERROR_KIND, "'crate' is dynamic", sn_rigid_target_set(w, s->crate, sn_pose_identity));
    refuse(s, SN_ERROR_KIND, "'wall' is static", sn_rigid_target_set(w, s->wall, sn_pose_identity));
}

static void test_the_ground_stays_what_and_where_it_is(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    sn_rigid ground = sn_world_ground(w);
    refuse(s, SN_ERROR_KIND, "'ground' cannot be removed", sn_rigid_remove(w, ground));
    refuse(s, SN_ERROR_KIND, "'ground' cannot be moved", sn_rigid_pose_set(w, ground, sn_pose_identity));
    refuse(s, SN_ERROR_KIND, "'ground' is always static", sn_rigid_type_set(w, ground, SN_DYNAMIC));
    refuse(s, SN_ERROR_KIND, "'ground' is always static", sn_rigid_type_set(w, ground, SN_KINEMATIC));
}

static void test_a_type_must_exist_and_suit_the_shapes(void **state)
{
    bad_scene *s = *state;
    sn_world *w = s->world;
    refuse(s, SN_ERROR_RANGE, "'crate': type is 3", sn_rigid_type_set(w, s->crate, (sn_rigid_type)3));
    refuse(s, SN_ERROR_RANGE, "type is -7", sn_rigid_type_set(w, s->crate, (sn_rigid_type)-7));
    refuse(s, SN_ERROR_KIND, "plane", sn_rigid_type_set(w, s->wall, SN_DYNAMIC));
    refuse(s, SN_ERROR_KIND, "of rigid 'wall'", sn_rigid_type_set(w, s->wall, SN_KINEMATIC));
    refuse(s, SN_ERROR_KIND, "surface", sn_rigid_type_set(w, s->lift, SN_DYNAMIC));
    sn_rigid moon = bad_add_body(w, "moon", SN_STATIC, sn_v(0.0f, -2.0e5f, 0.0f));
    assert_int_equal(sn_sphere_add(w, moon, NULL, (sn_sphere){{0, 0, 0}, 1.0e5f}, NULL), SN_OK);
    s->hash = sn_world_hash(w);
    refuse(s, SN_ERROR_RANGE, "'moon': mass of the body would be 4.18879e+18",
           sn_rigid_type_set(w, moon, SN_DYNAMIC));
}

static void test_rows_were_many(void **state)
{
    (void)state;
    assert_true(bad_row_count >= 140);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        bad_test(test_bodies_with_bad_numbers_are_not_made),
        bad_test(test_bodies_with_bad_types_locks_and_names_are_not_made),
        bad_test(test_a_name_of_sixty_three_bytes_is_kept_whole),
        bad_test(test_a_rotation_slightly_off_is_taken_and_made_whole),
        bad_test(test_non_finite_or_too_long_vectors_are_refused),
        bad_test(test_impulses_may_not_add_up_to_more_than_the_largest_speed),
        bad_test(test_poses_must_turn_not_stretch),
        bad_test(test_masses_must_be_positive_and_inertias_positive_definite),
        bad_test(test_damping_gravity_and_locks_have_their_ranges),
        bad_test(test_only_dynamic_bodies_are_pushed_and_weighed),
        bad_test(test_velocities_are_for_what_moves_and_targets_for_kinematic_bodies),
        bad_test(test_the_ground_stays_what_and_where_it_is),
        bad_test(test_a_type_must_exist_and_suit_the_shapes),
        cmocka_unit_test(test_rows_were_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
