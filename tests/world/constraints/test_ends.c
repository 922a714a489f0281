// Ends of constraints: which points they may be, and what becomes of constraints between bodies, deformables
// and places in the world.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "world/deformables/bad_soft.h"

// A point of each sort there is.
typedef enum sort { PLACE, BODY, NODE, FACE, FRAME, SURFACE, SORTS } sort;

static sn_point point_of(const bad_soft *s, sort sort, int side)
{
    sn_rigid rigid = side == 0 ? s->scene->crate : s->scene->ball;
    sn_deformable soft = side == 0 ? s->jelly : s->cloth;
    const int nodes[3] = {0, 1, 4};
    const float weights[3] = {0.25f, 0.25f, 0.5f};
    switch (sort) {
    case PLACE:
        return sn_point_world(sn_v(0.0f, 30.0f, 0.0f));
    case BODY:
        return sn_point_rigid(rigid, sn_v(0.1f, 0.0f, 0.0f));
    case NODE:
        return sn_point_node(soft, 1);
    case FACE:
        return sn_point_nodes(soft, nodes, weights, 3);
    case FRAME:
        return sn_point_frame(soft, nodes);
    default:
        return sn_point_surface(soft);
    }
}

static sn_status add(bad_soft *s, sn_constraint_kind kind, sn_point a, sn_point b, sn_constraint *out)
{
    sn_definition def = sn_definition_default(sn_kinds[kind]);
    float height = 0.0f;
    if (kind == SN_CUSTOM) {
        def.custom.kind_name = "height";
        def.custom.data = &height;
    }
    def.common.a = a;
    def.common.b = b;
    return sn_constraint_add(s->world, kind, &def, out);
}

static bool has_orientation(sort sort)
{
    return sort == PLACE || sort == BODY || sort == FRAME;
}

static void test_every_kind_takes_the_ends_it_can_use(void **state)
{
    bad_soft *s = *state;
    for (int kind = 0; kind < SN_CONSTRAINT_KIND_COUNT; ++kind) {
        bool needs_both = kind == SN_HINGE || kind == SN_SLIDER || kind == SN_FIXED;
        bool needs_a = needs_both || kind == SN_AXIS;
        for (int a = 0; a < SURFACE; ++a) {
            for (int b = 0; b < SURFACE; ++b) {
                sn_constraint made = {0};
                sn_status status =
                    add(s, (sn_constraint_kind)kind, point_of(s, (sort)a, 0), point_of(s, (sort)b, 1), &made);
                bool good =
                    (!needs_a || has_orientation((sort)a)) && (!needs_both || has_orientation((sort)b));
                sn_status expected = !good                      ? SN_ERROR_KIND
                                     : a == PLACE && b == PLACE ? SN_ERROR_IMMOVABLE
                                                                : SN_OK;
                assert_int_equal(status, expected);
                assert_int_equal(sn_constraint_is_valid(s->world, made), status == SN_OK);
                if (status == SN_OK) {
                    assert_int_equal(sn_constraint_get_kind(s->world, made), kind);
                    assert_true(sn_is_finite(sn_constraint_error(s->world, made)));
                    assert_ok(sn_constraint_remove(s->world, made));
                }
            }
        }
    }
}

static void test_what_lacks_an_orientation_is_named(void **state)
{
    bad_soft *s = *state;
    sn_hinge_def hinge = sn_hinge_def_default();
    hinge.common.name = "elbow";
    hinge.common.a = point_of(s, BODY, 0);
    hinge.common.b = sn_point_node(s->jelly, 1);
    refuse(s->scene, SN_ERROR_KIND,
           "hinge 'elbow': b is a node of deformable 0, expected an end with an orientation: a body, a "
           "place in the world or a frame of three nodes",
           sn_hinge_add(s->world, &hinge, NULL));
    // That b of an axis lacks one does not matter.
    sn_axis_def axis = sn_axis_def_default();
    axis.common.name = "wire";
    axis.common.a = sn_point_node(s->jelly, 1);
    axis.common.b = point_of(s, BODY, 0);
    refuse(s->scene, SN_ERROR_KIND, "axis 'wire': a is a node of deformable 0, expected an end with an",
           sn_axis_add(s->world, &axis, NULL));
    // A ball needs one as soon as it does more than hold a point.
    sn_ball_def ball = sn_ball_def_default();
    ball.common.a = point_of(s, FACE, 0);
    ball.common.b = point_of(s, BODY, 1);
    sn_constraint made;
    assert_ok(sn_ball_add(s->world, &ball, &made));
    assert_int_equal(sn_ball_cone_set(s->world, made, true, 0.5f), SN_ERROR_KIND);
    assert_non_null(strstr(sn_world_error(s->world), "a is a sum of three nodes of deformable 0, expected"));
    assert_int_equal(sn_ball_twist_set(s->world, made, true, -0.5f, 0.5f), SN_ERROR_KIND);
    assert_int_equal(sn_ball_motor_set(s->world, made, true, sn_v(1, 0, 0), 1.0f), SN_ERROR_KIND);
    assert_int_equal(sn_ball_spring_set(s->world, made, 1.0f, 0.0f, sn_quat_identity), SN_ERROR_KIND);
    ball.common.a = point_of(s, FRAME, 0);
    ball.limit_cone = ball.motor = true;
    assert_ok(sn_ball_add(s->world, &ball, &made));
    assert_ok(sn_ball_spring_set(s->world, made, 1.0f, 0.0f, (sn_quat){0, 0, 0, 0}));
    ball = sn_ball_definition(s->world, made);
    assert_true(ball.spring_rotation.w == 1.0f && ball.spring_stiffness == 1.0f);
}

static void test_frames_are_of_three_different_nodes(void **state)
{
    bad_soft *s = *state;
    const int twice[3] = {0, 1, 0}, nodes[4] = {0, 1, 2, 3};
    const float weights[4] = {0.25f, 0.25f, 0.25f, 0.25f};
    sn_fixed_def fixed = sn_fixed_def_default();
    fixed.common.a = point_of(s, BODY, 0);
    fixed.common.b = sn_point_frame(s->jelly, twice);
    refuse(s->scene, SN_ERROR_RANGE, "b.nodes are 0, 1 and 0, expected three different",
           sn_fixed_add(s->world, &fixed, NULL));
    fixed.common.b = sn_point_nodes(s->jelly, nodes, weights, 4);
    fixed.common.b.has_frame = true;
    refuse(s->scene, SN_ERROR_RANGE, "b.node_count is 4, expected 3 nodes for a frame",
           sn_fixed_add(s->world, &fixed, NULL));
    fixed.common.b = sn_point_frame(s->jelly, nodes);
    fixed.common.b.rotation = (sn_quat){1.0f, 1.0f, 0.0f, 0.0f};
    refuse(s->scene, SN_ERROR_ROTATION, "fixed: b.rotation is (1, 1, 0, 0)",
           sn_fixed_add(s->world, &fixed, NULL));
    fixed.common.b = sn_point_frame(s->jelly, NULL);
    assert_int_equal(sn_fixed_add(s->world, &fixed, NULL), SN_ERROR_RANGE);
}

static void test_only_balls_are_exact_have_ramps_or_slide(void **state)
{
    bad_soft *s = *state;
    sn_distance_def rope = sn_distance_def_default();
    rope.common.name = "stay";
    rope.common.a = point_of(s, NODE, 0);
    rope.common.b = point_of(s, BODY, 1);
    rope.common.exact = true;
    refuse(s->scene, SN_ERROR_KIND, "distance 'stay': it is exact, expected a ball",
           sn_distance_add(s->world, &rope, NULL));
    rope.common.exact = false;
    rope.common.ramp_steps = 5;
    refuse(s->scene, SN_ERROR_RANGE, "ramp_steps is 5, expected 1 for what is no ball",
           sn_distance_add(s->world, &rope, NULL));
    rope.common.ramp_steps = 1;
    rope.common.a = point_of(s, SURFACE, 0);
    refuse(s->scene, SN_ERROR_KIND,
           "a is the surface of deformable 0 but it is not exact, expected an exact ball",
           sn_distance_add(s->world, &rope, NULL));
    sn_ball_def ball = sn_ball_def_default();
    ball.common.a = point_of(s, BODY, 0);
    ball.common.b = point_of(s, BODY, 1);
    ball.common.exact = ball.limit_cone = true;
    refuse(s->scene, SN_ERROR_KIND, "without limits, motor and spring", sn_ball_add(s->world, &ball, NULL));
    ball.limit_cone = false;
    ball.common.a = point_of(s, SURFACE, 0);
    ball.common.b = point_of(s, SURFACE, 1);
    refuse(s->scene, SN_ERROR_KIND, "both ends are surfaces", sn_ball_add(s->world, &ball, NULL));
}

static void test_motors_and_springs_of_balls_are_checked(void **state)
{
    bad_soft *s = *state;
    const bad_field rows[] = {
        {offsetof(sn_ball_def, motor_velocity.y), NAN, SN_ERROR_NOT_FINITE, "motor_velocity"},
        {offsetof(sn_ball_def, motor_velocity.x), 2.0e4f, SN_ERROR_RANGE, "motor_velocity"},
        {offsetof(sn_ball_def, motor_torque), -1.0f, SN_ERROR_RANGE, "motor_torque is -1"},
        {offsetof(sn_ball_def, spring_stiffness), -1.0f, SN_ERROR_RANGE, "spring_stiffness is -1"},
        {offsetof(sn_ball_def, spring_damping), NAN, SN_ERROR_NOT_FINITE, "spring_damping"},
        {offsetof(sn_ball_def, spring_rotation.z), 3.0f, SN_ERROR_ROTATION, "spring_rotation"},
    };
    for (size_t i = 0; i < bad_count(rows); ++i) {
        sn_ball_def ball = sn_ball_def_default();
        ball.common.a = point_of(s, BODY, 0);
        ball.common.b = point_of(s, BODY, 1);
        bad_spoil(&ball, &rows[i]);
        refuse(s->scene, rows[i].expected, rows[i].part, sn_ball_add(s->world, &ball, NULL));
    }
}

// --- in the world ------------------------------------------------------------------------------------------

// As it is told in the design: a rope from a jelly to a ball.
static sn_constraint add_rope(bad_soft *s)
{
    sn_distance_def rope = sn_distance_def_default();
    rope.common.a = sn_point_on_deformable(s->world, s->jelly, sn_v(20.0f, 10.1f, 0.0f));
    rope.common.b = sn_point_rigid(s->scene->ball, sn_v(0.0f, 0.03f, 0.0f));
    rope.common.name = "rope";
    rope.upper = 200.0f;
    sn_constraint made;
    assert_ok(sn_distance_add(s->world, &rope, &made));
    return made;
}

static void test_a_rope_from_a_jelly_to_a_ball_is_a_distance(void **state)
{
    bad_soft *s = *state;
    sn_constraint rope = add_rope(s);
    sn_distance_def def = sn_distance_definition(s->world, rope);
    assert_string_equal(def.common.name, "rope");
    assert_int_equal(def.common.a.type, SN_POINT_NODES);
    assert_int_equal(sn_constraint_body_a(s->world, rope).index, 0);
    assert_int_equal(sn_constraint_body_b(s->world, rope).index, s->scene->ball.index);
    sn_vec3 a, b;
    assert_ok(sn_point_place(s->world, &def.common.a, &a));
    assert_ok(sn_point_place(s->world, &def.common.b, &b));
    assert_float_equal(sn_distance_length(s->world, rope), sn_distance_between(a, b), 1.0e-4f);
    assert_true(sn_constraint_error(s->world, rope) == 0.0f);
    assert_ok(sn_distance_limits_set(s->world, rope, 0.0f, 1.0f));
    assert_float_equal(sn_constraint_error(s->world, rope), sn_distance_between(a, b) - 1.0f, 1.0e-4f);
}

static void test_what_is_removed_takes_its_constraints_along(void **state)
{
    bad_soft *s = *state;
    sn_constraint first = add_rope(s), second = add_rope(s), seam;
    assert_ok(add(s, SN_BALL, sn_point_node(s->jelly, 0), sn_point_node(s->jelly, 1), &seam));
    assert_ok(sn_constraint_remove(s->world, first));
    assert_ok(sn_deformable_remove(s->world, s->jelly));
    assert_false(sn_constraint_is_valid(s->world, second));
    assert_false(sn_constraint_is_valid(s->world, seam));
    s->jelly = s->cloth;
    first = add_rope(s);
    assert_ok(sn_rigid_remove(s->world, s->scene->ball));
    assert_false(sn_constraint_is_valid(s->world, first));
    run_steps(s->world, 3);
}

static void test_snapshots_hold_every_sort_of_end(void **state)
{
    bad_soft *s = *state;
    sn_constraint made[64];
    int count = 0;
    for (int a = 0; a < SURFACE; ++a) {
        for (int b = 1; b < SURFACE; ++b) {
            assert_ok(add(s, SN_DISTANCE, point_of(s, (sort)a, 0), point_of(s, (sort)b, 1), &made[count]));
            assert_ok(sn_constraint_active_set(s->world, made[count], count % 3 > 0));
            ++count;
        }
    }
    assert_ok(sn_constraint_remove(s->world, made[3]));
    size_t size = 0;
    assert_ok(sn_world_save(s->world, NULL, 0, &size));
    unsigned char *bytes = test_malloc(size);
    assert_ok(sn_world_save(s->world, bytes, size, &size));
    uint64_t hash = sn_world_hash(s->world);
    run_steps(s->world, 3);
    assert_ok(sn_deformable_remove(s->world, s->cloth));
    uint64_t other = sn_world_hash(s->world);
    assert_true(other != hash);
    assert_ok(sn_world_restore(s->world, bytes, size));
    assert_true(sn_world_hash(s->world) == hash);
    for (int i = 0; i < count; ++i) {
        assert_int_equal(sn_constraint_is_valid(s->world, made[i]), i != 3);
    }
    run_steps(s->world, 3);
    assert_ok(sn_deformable_remove(s->world, s->cloth));
    assert_true(sn_world_hash(s->world) == other);
    test_free(bytes);
}

static void test_what_is_held_together_sleeps_and_wakes_together(void **state)
{
    bad_soft *s = *state;
    sn_constraint rope = add_rope(s);
    assert_ok(sn_deformable_awake_set(s->world, s->jelly, false));
    assert_true(!sn_rigid_is_awake(s->world, s->scene->ball));
    assert_ok(sn_rigid_awake_set(s->world, s->scene->ball, true));
    assert_true(sn_deformable_is_awake(s->world, s->jelly));
    // What is off ties nothing.
    assert_ok(sn_constraint_active_set(s->world, rope, false));
    assert_ok(sn_deformable_awake_set(s->world, s->jelly, false));
    assert_true(sn_rigid_is_awake(s->world, s->scene->ball));
    // Switching wakes.
    assert_ok(sn_constraint_active_set(s->world, rope, true));
    assert_true(sn_deformable_is_awake(s->world, s->jelly));
}

static void test_a_dragged_end_lets_go_of_what_it_was_on(void **state)
{
    bad_soft *s = *state;
    sn_constraint rope = add_rope(s);
    sn_point other = sn_point_node(s->cloth, 3);
    assert_ok(sn_constraint_point_set(s->world, rope, 0, &other));
    assert_ok(sn_deformable_remove(s->world, s->jelly));
    sn_constraint_common common = sn_constraint_definition(s->world, rope);
    assert_int_equal(common.a.deformable.index, s->cloth.index);
    assert_string_equal(common.name, "rope");
    bad_scene_settled(s->scene);
    sn_point surface = sn_point_surface(s->cloth), gone = sn_point_node(s->jelly, 0);
    refuse(s->scene, SN_ERROR_KIND, "expected an exact ball",
           sn_constraint_point_set(s->world, rope, 1, &surface));
    refuse(s->scene, SN_ERROR_ID, "deformable id", sn_constraint_point_set(s->world, rope, 1, &gone));
    assert_ok(sn_deformable_remove(s->world, s->cloth));
    assert_false(sn_constraint_is_valid(s->world, rope));
}

static void test_refused_tuning_changes_nothing(void **state)
{
    bad_soft *s = *state;
    sn_constraint rope = add_rope(s), gone = s->no_anchor[BAD_STALE];
    sn_world *w = s->world;
    bad_scene_settled(s->scene);
    refuse(s->scene, SN_ERROR_RANGE, "'rope': compliance is -1",
           sn_constraint_compliance_set(w, rope, -1, 0));
    refuse(s->scene, SN_ERROR_NOT_FINITE, "angular_damping",
           sn_constraint_angular_compliance_set(w, rope, 0, NAN));
    refuse(s->scene, SN_ERROR_RANGE, "break_torque", sn_constraint_break_set(w, rope, 1, 0));
    refuse(s->scene, SN_ERROR_RANGE, "max_force", sn_constraint_max_force_set(w, rope, -2));
    refuse(s->scene, SN_ERROR_RANGE, "lower is 2", sn_distance_limits_set(w, rope, 2, 1));
    refuse(s->scene, SN_ERROR_RANGE, "spring_stiffness", sn_distance_spring_set(w, rope, -1, 0, 0));
    refuse(s->scene, SN_ERROR_KIND, "is no hinge", sn_hinge_limit_set(w, rope, true, 0, 1));
    refuse(s->scene, SN_ERROR_KIND, "is no hinge", sn_hinge_spring_set(w, rope, 1, 0, 0));
    refuse(s->scene, SN_ERROR_KIND, "is no slider", sn_slider_limit_set(w, rope, true, 0, 1));
    refuse(s->scene, SN_ERROR_KIND, "is no slider", sn_slider_spring_set(w, rope, 1, 0, 0));
    refuse(s->scene, SN_ERROR_KIND, "is no ball", sn_ball_cone_set(w, rope, true, 1));
    refuse(s->scene, SN_ERROR_ID, "constraint id", sn_constraint_compliance_set(w, gone, 0, 0));
    refuse(s->scene, SN_ERROR_ID, "constraint id", sn_constraint_active_set(w, gone, true));
    refuse(s->scene, SN_ERROR_NULL, "world is null", sn_distance_limits_set(NULL, rope, 0, 1));
}

// --- what bodies show --------------------------------------------------------------------------------------

// Two balls of 10 cm that overlap, held together where they are.
static sn_constraint add_overlapping(sn_world *world, float active_from, float active_until)
{
    sn_rigid a = add_ball_at(world, 0.1f, 0.0f, 5.0f, 0.0f), b = add_ball_at(world, 0.1f, 0.15f, 5.0f, 0.0f);
    sn_ball_def def = sn_ball_def_default();
    assert_ok(sn_constraint_place(world, &def.common, a, b, sn_v(0.1f, 5.0f, 0.0f), sn_v(1, 0, 0)));
    def.common.active_from = active_from;
    def.common.active_until = active_until;
    sn_constraint made;
    assert_ok(sn_ball_add(world, &def, &made));
    return made;
}

static void test_what_is_off_neither_holds_nor_keeps_from_touching(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_constraint held = add_overlapping(world, 0.0f, INFINITY);
    run_steps(world, 5);
    assert_int_equal(sn_world_statistics(world).contact_count, 0);
    assert_ok(sn_constraint_active_set(world, held, false));
    assert_int_equal(sn_constraint_hold_now(world, held), SN_CONSTRAINT_OFF);
    run_steps(world, 2);
    assert_int_equal(sn_world_statistics(world).contact_count, 1);
    assert_true(sn_length(sn_constraint_force(world, held)) == 0.0f);
    run_steps(world, 30);
    assert_true(sn_constraint_error(world, held) > 0.01f);
    assert_ok(sn_constraint_active_set(world, held, true));
    run_steps(world, 60);
    assert_true(sn_constraint_error(world, held) < 1.0e-3f);
    assert_int_equal(sn_world_statistics(world).contact_count, 0);
    sn_world_destroy(world);
}

static void test_constraints_hold_in_their_time_alone(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_constraint held = add_overlapping(world, 0.1f, 0.2f);
    bool seen[3] = {false};
    for (int i = 0; i < 20; ++i) {
        double time = sn_world_time(world);
        bool is_time = time >= (double)0.1f && time < (double)0.2f;
        assert_int_equal(sn_constraint_hold_now(world, held),
                         is_time ? SN_CONSTRAINT_ROWS : SN_CONSTRAINT_OFF);
        run_steps(world, 1);
        assert_int_equal(sn_world_statistics(world).contact_count == 0, is_time);
        seen[time < (double)0.1f ? 0 : is_time ? 1 : 2] = true;
        // Saved and restored in between, it goes on alike.
        size_t size = 0;
        assert_ok(sn_world_save(world, NULL, 0, &size));
        unsigned char *bytes = test_malloc(size);
        assert_ok(sn_world_save(world, bytes, size, &size));
        assert_ok(sn_world_restore(world, bytes, size));
        test_free(bytes);
    }
    assert_true(seen[0] && seen[1] && seen[2]);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        bad_soft_test(test_every_kind_takes_the_ends_it_can_use),
        bad_soft_test(test_what_lacks_an_orientation_is_named),
        bad_soft_test(test_frames_are_of_three_different_nodes),
        bad_soft_test(test_only_balls_are_exact_have_ramps_or_slide),
        bad_soft_test(test_motors_and_springs_of_balls_are_checked),
        bad_soft_test(test_a_rope_from_a_jelly_to_a_ball_is_a_distance),
        bad_soft_test(test_what_is_removed_takes_its_constraints_along),
        bad_soft_test(test_snapshots_hold_every_sort_of_end),
        bad_soft_test(test_what_is_held_together_sleeps_and_wakes_together),
        bad_soft_test(test_a_dragged_end_lets_go_of_what_it_was_on),
        bad_soft_test(test_refused_tuning_changes_nothing),
        cmocka_unit_test(test_what_is_off_neither_holds_nor_keeps_from_touching),
        cmocka_unit_test(test_constraints_hold_in_their_time_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
