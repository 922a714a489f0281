// Nodes that turn non-finite are frozen and reported; the rest of the world goes on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "solver/elements/tetrahedron_block.h"
#include "support/soft_kit.h"
#include "world/core/world.h"

static void spoil_velocity(sn_world *world, sn_deformable deformable, int node, float value)
{
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_ok(sn_deformable_edit(world, deformable, &nodes, &velocities));
    velocities[node].velocity.y = value;
}

static void spoil_place(sn_world *world, sn_deformable deformable, int node, float value)
{
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    assert_ok(sn_deformable_edit(world, deformable, &nodes, &velocities));
    nodes[node].position.x = value;
}

static void assert_all_finite(const sn_world *world, sn_deformable deformable)
{
    for (int i = 0; i < sn_deformable_node_count(world, deformable); ++i) {
        assert_true(sn_vec3_is_finite(soft_node(world, deformable, i)));
        assert_true(sn_vec3_is_finite(sn_deformable_velocities(world, deformable)[i].velocity));
    }
}

// --- what users write --------------------------------------------------------------------------------------

static void test_a_node_written_as_non_finite_is_frozen_alone(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY, 1.0e30f};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        sn_world *world = kit_world();
        sn_deformable cloth = soft_cloth(world, 4, sn_v(0.0f, 0.0f, 0.0f));
        sn_deformable jelly = soft_jelly(world, 2, sn_v(3.0f, 0.0f, 0.0f), 1.0e4f);
        sn_vec3 rest = soft_node(world, cloth, 5), place = soft_node(world, jelly, 5);
        spoil_place(world, cloth, 5, bad[i]);
        spoil_velocity(world, jelly, 5, bad[i]);
        run_steps(world, 60);
        assert_int_equal(sn_world_statistics(world).frozen_node_count, 2);
        assert_int_equal(sn_deformable_frozen_count(world, cloth), 1);
        assert_true(sn_node_is_frozen(world, cloth, 5) && sn_node_is_frozen(world, jelly, 5));
        // Where its mesh was placed, and where it was.
        assert_true(same_vec3(soft_node(world, cloth, 5), rest));
        assert_true(same_vec3(soft_node(world, jelly, 5), place));
        assert_all_finite(world, cloth);
        assert_all_finite(world, jelly);
        assert_true(soft_node(world, cloth, 24).y < 0.4f); // the others fall, and hang from it
        sn_world_destroy(world);
    }
}

static void test_a_frozen_node_is_let_go_by_fixing_or_freeing_it(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable rope = soft_rope(world, 4, sn_v(0.0f, 0.0f, 0.0f));
    spoil_velocity(world, rope, 2, NAN);
    run_steps(world, 2);
    assert_true(sn_node_is_frozen(world, rope, 2));
    assert_int_equal(sn_node_target_set(world, rope, 2, sn_v(0.0f, 0.0f, 0.0f)), SN_ERROR_KIND);
    assert_ok(sn_node_fix(world, rope, 2, false));
    assert_false(sn_node_is_frozen(world, rope, 2));
    assert_int_equal(sn_deformable_frozen_count(world, rope), 0);
    run_steps(world, 30);
    assert_true(soft_node(world, rope, 2).y < -0.5f);
    assert_int_equal(sn_world_statistics(world).frozen_node_count, 1); // in total, so far
    sn_world_destroy(world);
}

// --- what happens in a step --------------------------------------------------------------------------------

// A row that asks for a non-finite place.
static int ruin(const sn_row_input *input, const void *data, sn_row *rows)
{
    (void)input;
    (void)data;
    rows[0].value = NAN;
    rows[0].linear[1] = sn_v(0.0f, 1.0f, 0.0f);
    return 1;
}

// The body is the source; the jelly it hangs on catches it, sits the step out and goes on.
static void test_nodes_that_catch_it_from_a_body_go_on(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid ball = add_ball_at(world, 0.1f, 0.3f, 0.0f, 0.0f);
    sn_deformable jelly = soft_jelly(world, 2, sn_v(0.0f, 0.0f, 0.0f), 1.0e4f);
    (void)soft_tie(world, sn_point_on_rigid(world, ball, sn_v(0.2f, 0.0f, 0.0f)),
                   sn_point_on_deformable(world, jelly, sn_v(0.2f, 0.0f, 0.0f)));
    run_steps(world, 5);
    assert_ok(sn_custom_register(world, "ruin", ruin, 0));
    sn_custom_def def = sn_custom_def_default();
    def.kind_name = "ruin";
    def.common.a = sn_point_rigid(sn_world_ground(world), sn_v(0.0f, 0.0f, 0.0f));
    def.common.b = sn_point_rigid(ball, sn_v(0.0f, 0.0f, 0.0f));
    assert_ok(sn_custom_add(world, &def, NULL));
    run_steps(world, 1);
    assert_true(sn_rigid_is_frozen(world, ball));
    assert_int_equal(sn_world_statistics(world).frozen_count, 1);
    assert_int_equal(sn_world_statistics(world).frozen_node_count, 0);
    assert_all_finite(world, jelly);
    run_steps(world, 120); // it hangs from the ball now
    assert_all_finite(world, jelly);
    assert_int_equal(sn_world_statistics(world).frozen_node_count, 0);
    assert_true(sn_deformable_measure_now(world, jelly).largest_stretch < 1.0f);
    sn_world_destroy(world);
}

// Rows with non-finite impulses ruin a step of their deformable: it is put back, and goes on from there; what
// does not touch it is not affected.
static void test_a_deformable_ruined_from_inside_begins_its_step_anew(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable jelly = soft_jelly(world, 2, sn_v(0.0f, 0.0f, 0.0f), 1.0e4f);
    sn_deformable other = soft_jelly(world, 2, sn_v(3.0f, 0.0f, 0.0f), 1.0e4f);
    sn_rigid ball = add_ball_at(world, 0.1f, 6.0f, 0.0f, 0.0f);
    run_steps(world, 3);
    sn_tetrahedron_block *blocks = world->deformables.data[0].groups.data[0].blocks;
    blocks[0].impulse[1].lane[0] = NAN;
    run_steps(world, 1);
    assert_int_equal(sn_world_statistics(world).put_back_count, 1);
    assert_true(sn_deformable_measure_now(world, jelly).center.y >
                sn_deformable_measure_now(world, other).center.y);
    assert_all_finite(world, jelly);
    assert_true(blocks[0].impulse[1].lane[0] == 0.0f);
    run_steps(world, 60);
    assert_all_finite(world, jelly);
    assert_int_equal(sn_world_statistics(world).put_back_count, 0);
    assert_int_equal(sn_world_statistics(world).frozen_node_count, 0);
    assert_true(sn_deformable_measure_now(world, jelly).center.y < -4.0f);
    assert_true(sn_deformable_measure_now(world, other).center.y < -4.0f);
    assert_true(sn_rigid_center(world, ball).y < -4.0f);
    assert_int_equal(sn_world_statistics(world).frozen_count, 0);
    sn_world_destroy(world);
}

static void test_extreme_forces_are_clamped_to_the_largest_speed(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable jelly = soft_jelly(world, 1, sn_v(0.0f, 0.0f, 0.0f), 1.0e4f);
    sn_deformable rope = soft_rope(world, 4, sn_v(3.0f, 0.0f, 0.0f));
    assert_ok(sn_node_force_add(world, jelly, 0, sn_v(1.0e15f, 0.0f, 0.0f)));
    assert_ok(sn_node_force_add(world, rope, 4, sn_v(0.0f, -1.0e15f, 1.0e15f)));
    for (int i = 0; i < 30; ++i) {
        run_steps(world, 1);
        assert_all_finite(world, jelly);
        assert_all_finite(world, rope);
        for (int k = 0; k < 8; ++k) {
            assert_true(sn_length(sn_deformable_velocities(world, jelly)[k].velocity) < 1.5f * SN_MAX_SPEED);
        }
    }
    assert_int_equal(sn_world_statistics(world).frozen_node_count, 0);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_node_written_as_non_finite_is_frozen_alone),
        test_with_memory(test_a_frozen_node_is_let_go_by_fixing_or_freeing_it),
        test_with_memory(test_nodes_that_catch_it_from_a_body_go_on),
        test_with_memory(test_a_deformable_ruined_from_inside_begins_its_step_anew),
        test_with_memory(test_extreme_forces_are_clamped_to_the_largest_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
