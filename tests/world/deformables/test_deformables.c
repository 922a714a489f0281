// Deformables come and go: masses, places, ids, and what they keep of what they were made from.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/soft_kit.h"
#include "world/core/world.h"

static float total_mass(const sn_world *world, sn_deformable deformable)
{
    return sn_deformable_measure_now(world, deformable).mass;
}

// --- masses ------------------------------------------------------------------------------------------------

static void test_density_is_spread_over_elements_of_every_kind(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_mesh *meshes[3];
    assert_ok(sn_mesh_box(sn_v(1.0f, 2.0f, 0.5f), 2, 3, 1, &meshes[0]));
    assert_ok(sn_mesh_grid(2.0f, 3.0f, 4, 5, SN_GRID_CROSSED, &meshes[1]));
    assert_ok(sn_mesh_line(4.0f, 7, &meshes[2]));
    const float sizes[3] = {1.0f, 6.0f, 4.0f};
    for (int i = 0; i < 3; ++i) {
        sn_deformable_def def = soft_def(meshes[i], sn_v(0.0f, 0.0f, 0.0f));
        def.density = 2.5f;
        def.scale = 2.0f;
        float scale = i == 0 ? 8.0f : (i == 1 ? 4.0f : 2.0f);
        assert_float_equal(total_mass(world, soft_add(world, &def)), 2.5f * scale * sizes[i], 1.0e-3f);
        def.mass = 7.0f;
        assert_float_equal(total_mass(world, soft_add(world, &def)), 7.0f, 1.0e-5f);
        sn_mesh_destroy(meshes[i]);
    }
    sn_world_destroy(world);
}

static void test_masses_of_nodes_are_taken_as_given_and_zero_fixes(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_mesh *mesh;
    assert_ok(sn_mesh_line(1.0f, 3, &mesh));
    const float masses[4] = {0.0f, 0.5f, 2.0f, 1.0f};
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.0f, 0.0f));
    def.node_masses = masses;
    def.linear_velocity = sn_v(1.0f, 0.0f, 0.0f);
    sn_deformable rope = soft_add(world, &def);
    const sn_node_state *nodes = sn_deformable_nodes(world, rope);
    assert_true(nodes[0].inverse_mass == 0.0f && nodes[1].inverse_mass == 2.0f);
    assert_true(nodes[2].inverse_mass == 0.5f && nodes[3].inverse_mass == 1.0f);
    assert_true(sn_deformable_velocities(world, rope)[0].velocity.x == 0.0f);
    assert_true(sn_deformable_velocities(world, rope)[1].velocity.x == 1.0f);
    assert_null(sn_deformable_definition(world, rope).node_masses);
    assert_int_equal(sn_node_fix(world, rope, 0, false), SN_ERROR_RANGE); // has no mass to get back
    sn_mesh_destroy(mesh);
    sn_world_destroy(world);
}

// --- places ------------------------------------------------------------------------------------------------

static void test_pose_scale_and_spin_place_the_nodes(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_mesh *mesh;
    assert_ok(sn_mesh_line(2.0f, 2, &mesh)); // from x = −1 to 1
    sn_deformable_def def = soft_def(mesh, sn_v(10.0f, 0.0f, 0.0f));
    def.scale = 3.0f;
    def.pose.rotation = sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), 0.5f * SN_PI);
    def.linear_velocity = sn_v(0.0f, 0.0f, 4.0f);
    def.angular_velocity = sn_v(0.0f, 0.0f, 2.0f);
    sn_deformable rope = soft_add(world, &def);
    sn_vec3 end = soft_node(world, rope, 2), speed = sn_deformable_velocities(world, rope)[2].velocity;
    assert_true(sn_distance_between(end, sn_v(10.0f, 3.0f, 0.0f)) < 1.0e-5f);
    assert_true(sn_distance_between(speed, sn_v(-6.0f, 0.0f, 4.0f)) < 1.0e-5f);
    sn_mesh_destroy(mesh);
    sn_world_destroy(world);
}

// --- ids ---------------------------------------------------------------------------------------------------

static void test_ids_name_what_they_were_given_for(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable a = soft_cloth(world, 2, sn_v(0.0f, 0.0f, 0.0f));
    sn_deformable b = soft_rope(world, 4, sn_v(3.0f, 0.0f, 0.0f)), listed[4];
    assert_true(sn_deformable_is_valid(world, a) && sn_deformable_is_valid(world, b));
    assert_int_equal(sn_world_deformables(world, NULL, 0), 2);
    assert_int_equal(sn_world_deformables(world, listed, 4), 2);
    assert_true(same_deformable(listed[0], a) && same_deformable(listed[1], b));
    assert_ok(sn_deformable_remove(world, a));
    assert_false(sn_deformable_is_valid(world, a));
    assert_int_equal(sn_deformable_node_count(world, b), 5);
    sn_deformable c = soft_jelly(world, 1, sn_v(0.0f, 0.0f, 0.0f), 1.0e4f);
    assert_int_equal(c.index, a.index);
    assert_int_not_equal(c.generation, a.generation);
    assert_int_equal(sn_deformable_remove(world, a), SN_ERROR_ID);
    assert_true(sn_deformable_is_valid(world, c));
    sn_world_destroy(world);
}

static void test_mesh_name_user_and_definition_are_kept(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    int user = 0;
    sn_mesh *mesh;
    assert_ok(sn_mesh_grid(1.0f, 1.0f, 2, 2, SN_GRID_FORWARD, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(1.0f, 2.0f, 3.0f));
    def.name = "flag";
    def.user = &user;
    def.thickness = 0.02f;
    sn_deformable flag = soft_add(world, &def);
    sn_mesh_destroy(mesh); // the deformable holds it
    const char *name = sn_deformable_name(world, flag);
    for (int i = 0; i < 20; ++i) {
        (void)soft_rope(world, 1, sn_v((float)i, 5.0f, 0.0f)); // the world's arrays move
    }
    assert_string_equal(name, "flag");
    assert_ptr_equal(sn_deformable_name(world, flag), name);
    assert_ptr_equal(sn_deformable_user(world, flag), &user);
    assert_int_equal(sn_mesh_node_count(sn_deformable_mesh(world, flag)), 9);
    sn_deformable_def kept = sn_deformable_definition(world, flag);
    assert_true(kept.thickness == 0.02f && kept.pose.position.z == 3.0f && kept.user == &user);
    assert_string_equal(kept.name, "flag");
    kept.pose.position.x = 9.0f;
    sn_deformable copy = soft_add(world, &kept); // a definition that was asked for can be used again
    assert_true(soft_node(world, copy, 0).x - soft_node(world, flag, 0).x == 8.0f);
    sn_world_destroy(world);
}

static void test_bad_ids_answer_nothing(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable none = {0};
    assert_null(sn_deformable_mesh(world, none));
    assert_null(sn_deformable_nodes(world, none));
    assert_null(sn_deformable_velocities(world, none));
    assert_null(sn_deformable_user(world, none));
    assert_string_equal(sn_deformable_name(world, none), "");
    assert_int_equal(sn_deformable_node_count(world, none), 0);
    assert_int_equal(sn_deformable_definition(world, none).cookie, 0);
    assert_true(sn_deformable_measure_now(world, none).mass == 0.0f);
    assert_false(sn_deformable_is_valid(NULL, none) || sn_deformable_is_awake(world, none));
    assert_false(sn_node_is_frozen(world, none, 0));
    assert_int_equal(sn_deformable_frozen_count(world, none), 0);
    assert_int_equal(sn_world_deformables(NULL, NULL, 0), 0);
    sn_world_destroy(world);
}

// --- steps -------------------------------------------------------------------------------------------------

static void test_a_deformable_falls_as_a_body_does(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_world_def settings = sn_world_settings(world);
    settings.sub_steps = 16; // of both: islands take their own
    assert_ok(sn_world_settings_set(world, &settings));
    sn_deformable jelly = soft_jelly(world, 2, sn_v(0.0f, 0.0f, 0.0f), 1.0e5f);
    sn_rigid ball = add_ball_at(world, 0.2f, 3.0f, 0.0f, 0.0f);
    run_steps(world, 30);
    float height = sn_deformable_measure_now(world, jelly).center.y;
    assert_float_equal(height, sn_rigid_center(world, ball).y, 1.0e-5f);
    assert_true(height < -1.0f);
    sn_world_destroy(world);
}

static void test_bad_durations_are_refused_and_change_nothing(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    (void)soft_cloth(world, 6, sn_v(0.0f, 0.0f, 0.0f));
    run_steps(world, 5);
    uint64_t hash = sn_world_hash(world);
    const float refused[] = {0.0f, -1.0f / 60.0f, 1.0e-7f, 1.5f, INFINITY, -INFINITY, NAN};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
        sn_status expected = sn_is_finite(refused[i]) ? SN_ERROR_RANGE : SN_ERROR_NOT_FINITE;
        assert_int_equal(sn_world_step(world, refused[i]), expected);
        assert_int_equal(sn_world_hash(world), hash);
    }
    sn_world_destroy(world);
}

// From the shortest to the longest step there is, deformables hang together.
static void test_every_duration_is_survived(void **state)
{
    (void)state;
    const float durations[] = {1.0e-6f, 1.0e-4f, 0.02f, 0.1f, 1.0f};
    for (size_t i = 0; i < sizeof durations / sizeof *durations; ++i) {
        sn_world *world = kit_world();
        sn_deformable cloth = soft_cloth(world, 6, sn_v(0.0f, 0.0f, 0.0f));
        sn_deformable jelly = soft_jelly(world, 2, sn_v(3.0f, 0.0f, 0.0f), 1.0e6f);
        assert_ok(sn_node_fix(world, cloth, 42, true));
        assert_ok(sn_node_fix(world, cloth, 48, true));
        for (int step = 0; step < 20; ++step) {
            assert_ok(sn_world_step(world, durations[i]));
        }
        assert_int_equal(sn_world_statistics(world).frozen_node_count, 0);
        // Sub-steps of 1/16 s let a swinging cloth stretch to some three times its length, no more.
        assert_true(sn_deformable_measure_now(world, cloth).largest_stretch < 3.0f);
        assert_true(sn_deformable_measure_now(world, jelly).largest_stretch < 0.1f);
        sn_world_destroy(world);
    }
}

// Impulses of long sub-steps do not act as such in short ones: a jelly that rests on fixed nodes goes on
// resting when the step becomes a tenth.
static void test_impulses_are_fitted_to_the_step(void **state)
{
    (void)state;
    sn_world_def def = sn_world_def_default();
    def.sleep = false;
    sn_world *world;
    assert_ok(sn_world_create(&def, &world));
    sn_deformable jelly = soft_jelly(world, 2, sn_v(0.0f, 0.0f, 0.0f), 2.0e4f);
    for (int i = 0; i < 27; ++i) {
        if (soft_node(world, jelly, i).y < -0.1f) {
            assert_ok(sn_node_fix(world, jelly, i, true));
        }
    }
    for (int i = 0; i < 300; ++i) {
        assert_ok(sn_world_step(world, 0.02f));
    }
    assert_true(sn_world_energy(world).kinetic < 1.0e-11);
    for (int i = 0; i < 20; ++i) {
        assert_ok(sn_world_step(world, 0.002f));
        assert_true(sn_world_energy(world).kinetic < 1.0e-10);
    }
    sn_world_destroy(world);
}

// --- memory ------------------------------------------------------------------------------------------------

static void test_without_memory_nothing_is_added(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    (void)soft_rope(world, 3, sn_v(0.0f, 0.0f, 0.0f));
    sn_mesh *mesh;
    assert_ok(sn_mesh_box(sn_v(1.0f, 1.0f, 1.0f), 2, 2, 2, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(5.0f, 0.0f, 0.0f));
    def.model = sn_model_corotational(1.0e5f, 0.3f);
    def.inextensible.on = true;
    def.name = "cube";
    uint64_t hash = sn_world_hash(world);
    sn_status status = SN_ERROR_MEMORY;
    int allowed = 0;
    for (; status != SN_OK && allowed < 200; ++allowed) {
        test_memory_allow(allowed);
        status = sn_deformable_add(world, &def, NULL);
        test_memory_allow_all();
        assert_true(status == SN_OK || status == SN_ERROR_MEMORY);
        if (status != SN_OK) {
            assert_int_equal(sn_world_hash(world), hash);
            assert_int_equal(sn_world_statistics(world).node_count, 4);
        }
    }
    assert_int_equal(status, SN_OK);
    assert_true(allowed > 5);
    sn_mesh_destroy(mesh);
    sn_world_destroy(world);
}

static void test_a_warm_step_allocates_nothing(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable cloth = soft_cloth(world, 8, sn_v(0.0f, 0.0f, 0.0f));
    sn_rigid ball = add_ball_at(world, 0.1f, 0.6f, 0.0f, 0.0f);
    assert_ok(sn_node_fix(world, cloth, 80, true));
    (void)soft_tie(world, sn_point_on_rigid(world, ball, sn_v(0.5f, 0.0f, 0.0f)),
                   sn_point_on_deformable(world, cloth, sn_v(0.5f, 0.0f, 0.0f)));
    (void)soft_jelly(world, 2, sn_v(4.0f, 0.0f, 0.0f), 1.0e4f);
    run_steps(world, 10);
    uint64_t before = sn_world_statistics(world).allocations;
    run_steps(world, 50);
    assert_int_equal(sn_world_statistics(world).allocations, before);
    sn_world_destroy(world);
}

static void test_statistics_count_what_there_is(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    size_t bytes = sn_world_statistics(world).bytes;
    sn_deformable rope = soft_rope(world, 4, sn_v(0.0f, 0.0f, 0.0f));
    sn_deformable jelly = soft_jelly(world, 1, sn_v(3.0f, 0.0f, 0.0f), 1.0e4f);
    (void)soft_tie(world, sn_point_world(sn_v(-0.5f, 0.0f, 0.0f)), sn_point_node(rope, 0));
    sn_statistics s = sn_world_statistics(world);
    assert_int_equal(s.deformable_count, 2);
    assert_int_equal(s.awake_deformable_count, 2);
    assert_int_equal(s.node_count, 5 + 8);
    assert_int_equal(s.element_count, 4 + 5); // edges of the rope, tetrahedra of the cube
    assert_int_equal(s.anchor_count, 1);
    assert_int_equal(s.soft_contact_count, 0);
    assert_true(s.bytes > bytes + 13 * 60);
    assert_ok(sn_deformable_awake_set(world, jelly, false));
    assert_int_equal(sn_world_statistics(world).awake_deformable_count, 1);
    assert_ok(sn_deformable_remove(world, rope)); // and its anchor
    s = sn_world_statistics(world);
    assert_int_equal(s.deformable_count, 1);
    assert_int_equal(s.node_count, 8);
    assert_int_equal(s.anchor_count, 0);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_density_is_spread_over_elements_of_every_kind),
        test_with_memory(test_masses_of_nodes_are_taken_as_given_and_zero_fixes),
        test_with_memory(test_pose_scale_and_spin_place_the_nodes),
        test_with_memory(test_ids_name_what_they_were_given_for),
        test_with_memory(test_mesh_name_user_and_definition_are_kept),
        test_with_memory(test_bad_ids_answer_nothing),
        test_with_memory(test_a_deformable_falls_as_a_body_does),
        test_with_memory(test_bad_durations_are_refused_and_change_nothing),
        test_with_memory(test_every_duration_is_survived),
        test_with_memory(test_impulses_are_fitted_to_the_step),
        test_with_memory(test_without_memory_nothing_is_added),
        test_with_memory(test_a_warm_step_allocates_nothing),
        test_with_memory(test_statistics_count_what_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
