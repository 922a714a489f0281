// Constraint kinds from outside the library: one that repeats a built-in kind moves bodies to the same bits,
// and everything generic works for it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/world_kit.h"
#include <string.h>

// --- the distance, written as a user would -------------------------------------------------------

typedef struct rod_data {
    float length;
} rod_data;

static void set_gradient(const sn_row_input *input, sn_row *row)
{
    sn_vec3 between = sn_sub(input->frame[1].position, input->frame[0].position);
    sn_vec3 direction = sn_normalize(between);
    row->linear[0] = sn_neg(direction);
    row->linear[1] = direction;
    row->angular[0] = sn_cross(direction, sn_add(input->arm[0], between));
    row->angular[1] = sn_cross(input->arm[1], direction);
}

static int rod_rows(const sn_row_input *input, const void *data, sn_row *rows)
{
    const rod_data *rod = data;
    sn_vec3 between = sn_sub(input->frame[1].position, input->frame[0].position);
    rows[0].type = SN_ROW_EQUAL;
    rows[0].value = sn_length(between) - rod->length;
    set_gradient(input, &rows[0]);
    return 1;
}

// Rope and spring: an upper limit, then a compliant row.
typedef struct rope_data {
    float longest, stiffness, damping, rest;
} rope_data;

static int rope_rows(const sn_row_input *input, const void *data, sn_row *rows)
{
    const rope_data *rope = data;
    float length = sn_distance_between(input->frame[1].position, input->frame[0].position);
    rows[0].type = SN_ROW_ABOVE;
    rows[0].value = -length + rope->longest;
    rows[0].lower = 0.0f;
    set_gradient(input, &rows[0]);
    for (int k = 0; k < 2; ++k) {
        rows[0].linear[k] = sn_neg(rows[0].linear[k]);
        rows[0].angular[k] = sn_neg(rows[0].angular[k]);
    }
    rows[1].type = SN_ROW_EQUAL;
    rows[1].value = length - rope->rest;
    rows[1].compliance = 1.0f / rope->stiffness;
    rows[1].damping = rope->damping;
    set_gradient(input, &rows[1]);
    return 2;
}

// --- the same motion -----------------------------------------------------------------------------

enum { BOBS = 6 };

// A chain of boxes, hung askew from corner to corner, that swings and tumbles over a floor.
typedef struct chain {
    sn_world *world;
    sn_rigid bobs[BOBS];
    sn_constraint links[BOBS];
} chain;

static sn_constraint add_link(sn_world *world, sn_constraint_common common, bool custom, bool rope)
{
    sn_constraint link;
    if (custom) {
        sn_custom_def def = sn_custom_def_default();
        uint32_t cookie = def.common.cookie;
        def.common = common;
        def.common.cookie = cookie;
        rod_data rod = {1.0f};
        rope_data spring = {1.2f, 500.0f, 5.0f, 0.8f};
        def.kind_name = rope ? "rope" : "rod";
        def.data = rope ? (const void *)&spring : (const void *)&rod;
        assert_ok(sn_custom_add(world, &def, &link));
        memset(&rod, 0xff, sizeof rod); // it was copied
        memset(&spring, 0xff, sizeof spring);
    } else {
        sn_distance_def def = sn_distance_def_default();
        uint32_t cookie = def.common.cookie;
        def.common = common;
        def.common.cookie = cookie;
        def.lower = rope ? 0.0f : 1.0f;
        def.upper = rope ? 1.2f : 1.0f;
        def.spring_stiffness = rope ? 500.0f : 0.0f;
        def.spring_damping = 5.0f;
        def.spring_length = 0.8f;
        assert_ok(sn_distance_add(world, &def, &link));
    }
    return link;
}

static chain make_chain(bool custom, bool rope)
{
    chain c = {.world = kit_world()};
    sn_world_def settings = sn_world_settings(c.world);
    settings.long_range = sn_long_range_off(); // knows the built-in kinds only
    assert_ok(sn_world_settings_set(c.world, &settings));
    assert_ok(sn_custom_register(c.world, "rod", rod_rows, sizeof(rod_data)));
    assert_ok(sn_custom_register(c.world, "rope", rope_rows, sizeof(rope_data)));
    add_floor(c.world);
    sn_rigid upper = sn_world_ground(c.world);
    sn_vec3 at_upper = {0.0f, 4.0f, 0.0f};
    for (int i = 0; i < BOBS; ++i) {
        float x = (float)(i + 1);
        c.bobs[i] = add_box_at(c.world, 0.2f, x, 4.0f + 0.1f * (float)(i % 2), 0.2f * (float)(i % 3));
        sn_constraint_common common = sn_distance_def_default().common;
        common.a = sn_point_rigid(upper, sn_v(0.0f, 0.0f, 0.0f));
        common.b = sn_point_rigid(c.bobs[i], sn_v(0.0f, 0.0f, 0.0f));
        common.a.position = at_upper;
        common.b.position = sn_v(-0.2f, 0.2f, 0.2f);
        c.links[i] = add_link(c.world, common, custom, rope);
        upper = c.bobs[i];
        at_upper = sn_v(0.2f, -0.2f, 0.2f);
    }
    return c;
}

static void check_same_motion(bool rope)
{
    chain built_in = make_chain(false, rope), own = make_chain(true, rope);
    for (int step = 0; step < 300; ++step) {
        run_steps(built_in.world, 1);
        run_steps(own.world, 1);
        for (int i = 0; i < BOBS; ++i) {
            assert_true(same_pose(sn_rigid_pose(built_in.world, built_in.bobs[i]),
                                  sn_rigid_pose(own.world, own.bobs[i])));
            assert_true(same_vec3(sn_rigid_linear_velocity(built_in.world, built_in.bobs[i]),
                                  sn_rigid_linear_velocity(own.world, own.bobs[i])));
            assert_true(same_vec3(sn_constraint_force(built_in.world, built_in.links[i]),
                                  sn_constraint_force(own.world, own.links[i])));
            assert_true(same_vec3(sn_constraint_torque(built_in.world, built_in.links[i]),
                                  sn_constraint_torque(own.world, own.links[i])));
            assert_true(sn_constraint_error(built_in.world, built_in.links[i]) ==
                        sn_constraint_error(own.world, own.links[i]));
        }
    }
    // It was no trivial motion.
    sn_vec3 start = {(float)BOBS, 4.0f, 0.0f};
    assert_true(sn_distance_between(sn_rigid_position(own.world, own.bobs[BOBS - 1]), start) > 2.0f);
    sn_world_destroy(built_in.world);
    sn_world_destroy(own.world);
}

static void test_a_custom_rod_moves_bodies_to_the_same_bits_as_the_built_in_one(void **state)
{
    (void)state;
    check_same_motion(false);
}

static void test_a_custom_rope_with_a_spring_does_so_too(void **state)
{
    (void)state;
    check_same_motion(true);
}

// --- everything generic --------------------------------------------------------------------------

typedef struct hung {
    sn_world *world;
    sn_rigid ball;
    sn_constraint rod;
} hung;

static hung make_hung(float length, float break_force)
{
    hung h = {.world = kit_world()};
    assert_ok(sn_custom_register(h.world, "rod", rod_rows, sizeof(rod_data)));
    h.ball = physics_lump(h.world, 10.0f, physics_ball_inertia(10.0f, 0.2f), physics_at(0.0f, -1.0f, 0.0f));
    sn_custom_def def = sn_custom_def_default();
    rod_data data = {length};
    def.common.a = sn_point_rigid(sn_world_ground(h.world), sn_v(0.0f, 0.0f, 0.0f));
    def.common.b = sn_point_rigid(h.ball, sn_v(0.0f, 0.0f, 0.0f));
    def.common.name = "tether";
    def.common.break_force = break_force;
    def.kind_name = "rod";
    def.data = &data;
    assert_ok(sn_custom_add(h.world, &def, &h.rod));
    return h;
}

static void test_reaction_kind_name_and_error_are_told(void **state)
{
    (void)state;
    hung h = make_hung(1.0f, INFINITY);
    run_steps(h.world, 60);
    assert_int_equal(sn_constraint_get_kind(h.world, h.rod), SN_CUSTOM);
    assert_string_equal(sn_constraint_name(h.world, h.rod), "tether");
    assert_vec3_near(sn_constraint_force(h.world, h.rod), sn_v(0.0f, 98.1f, 0.0f), 0.1);
    assert_true(sn_constraint_error(h.world, h.rod) < 1e-4f);
    assert_true(same_rigid(sn_constraint_body_b(h.world, h.rod), h.ball));
    sn_world_destroy(h.world);
}

static void test_new_data_take_effect_and_wake(void **state)
{
    (void)state;
    hung h = make_hung(1.0f, INFINITY);
    run_steps(h.world, 60);
    assert_false(sn_rigid_is_awake(h.world, h.ball));
    rod_data longer = {1.5f};
    assert_ok(sn_custom_data_set(h.world, h.rod, &longer));
    longer.length = 99.0f; // it was copied
    assert_true(sn_rigid_is_awake(h.world, h.ball));
    assert_near(sn_constraint_error(h.world, h.rod), 0.5f, 1e-3);
    run_steps(h.world, 120);
    assert_near(sn_rigid_position(h.world, h.ball).y, -1.5f, 1e-3);
    sn_world_destroy(h.world);
}

static void test_it_breaks(void **state)
{
    (void)state;
    hung h = make_hung(1.0f, 150.0f);
    run_steps(h.world, 10);
    assert_true(sn_constraint_is_valid(h.world, h.rod));
    assert_ok(sn_rigid_force_add(h.world, h.ball, sn_v(0.0f, -100.0f, 0.0f)));
    run_steps(h.world, 1);
    assert_int_equal(sn_world_events(h.world).break_count, 1);
    assert_false(sn_constraint_is_valid(h.world, h.rod));
    sn_world_destroy(h.world);
}

static void test_it_is_assembled_by_positions(void **state)
{
    (void)state;
    hung h = make_hung(3.0f, INFINITY);
    assert_ok(sn_world_assemble(h.world, 1.0e-4f, 100, NULL));
    assert_vec3_near(sn_rigid_position(h.world, h.ball), sn_v(0.0f, -3.0f, 0.0f), 1e-3);
    sn_world_destroy(h.world);
}

// A kind without data, with as many rows as there may be, all of them limited.
static int brake_rows(const sn_row_input *input, const void *data, sn_row *rows)
{
    (void)input;
    (void)data;
    for (int i = 0; i < SN_MAX_ROWS; ++i) {
        rows[i].type = SN_ROW_SPEED;
        rows[i].lower = -1.0f;
        rows[i].upper = 1.0f;
        rows[i].linear[1] =
            sn_v(i % 3 == 0 ? 1.0f : 0.0f, i % 3 == 1 ? 1.0f : 0.0f, i % 3 == 2 ? 1.0f : 0.0f);
    }
    return SN_MAX_ROWS;
}

// Four rows of 1 N along each axis: 4 N against each component of the motion.
static void test_a_kind_without_data_and_with_all_rows_works_within_1_percent(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    assert_ok(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)));
    assert_ok(sn_custom_register(world, "brake", brake_rows, 0));
    sn_rigid ball = physics_lump(world, 2.0f, physics_ball_inertia(2.0f, 0.2f), physics_at(0, 0, 0));
    assert_ok(sn_rigid_linear_velocity_set(world, ball, sn_v(3.0f, -4.0f, 0.5f)));
    sn_custom_def def = sn_custom_def_default();
    def.common.a = sn_point_rigid(sn_world_ground(world), sn_v(0.0f, 0.0f, 0.0f));
    def.common.b = sn_point_rigid(ball, sn_v(0.0f, 0.0f, 0.0f));
    def.kind_name = "brake";
    assert_ok(sn_custom_add(world, &def, NULL));
    run_steps(world, 60);
    assert_vec3_near(sn_rigid_linear_velocity(world, ball), sn_v(1.0f, -2.0f, 0.0f), 0.02);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_custom_rod_moves_bodies_to_the_same_bits_as_the_built_in_one),
        test_with_memory(test_a_custom_rope_with_a_spring_does_so_too),
        test_with_memory(test_reaction_kind_name_and_error_are_told),
        test_with_memory(test_new_data_take_effect_and_wake),
        test_with_memory(test_it_breaks),
        test_with_memory(test_it_is_assembled_by_positions),
        test_with_memory(test_a_kind_without_data_and_with_all_rows_works_within_1_percent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
