// Names of bodies and joints for people.
#include "apps/describe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static sn_world *make_world(void)
{
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    assert_int_equal(sn_world_create(&def, &world), SN_OK);
    return world;
}

static sn_rigid add_body(sn_world *world, const char *name)
{
    sn_rigid_def def = sn_rigid_def_default();
    sn_rigid rigid;
    def.name = name;
    assert_int_equal(sn_rigid_add(world, &def, &rigid), SN_OK);
    return rigid;
}

static void test_bodies_are_called_by_name_or_number(void **state)
{
    (void)state;
    sn_world *world = make_world();
    sn_rigid named = add_body(world, "bob"), nameless = add_body(world, NULL);
    char number[32];
    snprintf(number, sizeof number, "body #%u", nameless.index);
    assert_string_equal(describe_body(world, named).text, "bob");
    assert_string_equal(describe_body(world, nameless).text, number);
    assert_string_equal(describe_body(world, sn_world_ground(world)).text, "ground");
    sn_world_destroy(world);
}

static void test_nameless_joints_are_called_by_their_bodies(void **state)
{
    (void)state;
    sn_world *world = make_world();
    sn_rigid bob = add_body(world, "bob");
    sn_ball_def def = sn_ball_def_default();
    sn_constraint named, nameless;
    assert_int_equal(
        sn_constraint_place(world, &def.common, sn_world_ground(world), bob, sn_v(0, 0, 0), sn_v(1, 0, 0)),
        SN_OK);
    assert_int_equal(sn_ball_add(world, &def, &nameless), SN_OK);
    def.common.name = "pivot";
    assert_int_equal(sn_ball_add(world, &def, &named), SN_OK);
    assert_string_equal(describe_joint(world, named).text, "pivot");
    assert_string_equal(describe_joint(world, nameless).text, "ball of ground and bob");
    sn_world_destroy(world);
}

static void test_what_a_terminal_would_obey_is_replaced(void **state)
{
    (void)state;
    sn_world *world = make_world();
    assert_string_equal(describe_body(world, add_body(world, "a\033[31m\n\177b")).text, "a?[31m??b");
    sn_world_destroy(world);
}

static void test_the_longest_names_fit(void **state)
{
    (void)state;
    sn_world *world = make_world();
    const char *longest = "1234567890123456789012345678901"; // SN_MAX_NAME bytes
    sn_rigid a = add_body(world, longest), b = add_body(world, longest);
    sn_distance_def def = sn_distance_def_default();
    sn_constraint joint;
    assert_int_equal(sn_constraint_place(world, &def.common, a, b, sn_v(0, 0, 0), sn_v(1, 0, 0)), SN_OK);
    assert_int_equal(sn_distance_add(world, &def, &joint), SN_OK);
    assert_string_equal(describe_joint(world, joint).text,
                        "distance of 1234567890123456789012345678901 and 1234567890123456789012345678901");
    sn_world_destroy(world);
}

static void test_counts_have_the_right_form(void **state)
{
    (void)state;
    assert_string_equal(describe_count(0, "body", "bodies").text, "0 bodies");
    assert_string_equal(describe_count(1, "body", "bodies").text, "1 body");
    assert_string_equal(describe_count(2, "body", "bodies").text, "2 bodies");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies_are_called_by_name_or_number),
        cmocka_unit_test(test_nameless_joints_are_called_by_their_bodies),
        cmocka_unit_test(test_what_a_terminal_would_obey_is_replaced),
        cmocka_unit_test(test_the_longest_names_fit),
        cmocka_unit_test(test_counts_have_the_right_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
