// What names refer to, seen from within parts.
#include "scene/scene_kit.h"

// The bodies of the joint called "j", or of the one in a part.
static void check_ends(const char *text, const char *joint, const char *a, const char *b)
{
    sn_scene *scene = scene_of(text);
    const sn_world *world = sn_scene_world(scene);
    sn_constraint found = joint_of(scene, joint);
    sn_rigid ends[2] = {sn_constraint_body_a(world, found), sn_constraint_body_b(world, found)};
    const char *const names[2] = {a, b};
    for (int i = 0; i < 2; ++i) {
        if (strcmp(names[i], "ground") == 0) {
            assert_int_equal(ends[i].index, sn_world_ground(world).index);
        } else {
            assert_string_equal(sn_rigid_name(world, ends[i]), names[i]);
        }
    }
    sn_scene_destroy(scene);
}

#define JOINED(A, B) "'joints': [{'name': 'j', 'type': 'ball', 'a': '" A "', 'b': '" B "', 'at': [0, 0, 0]}]"

static void test_the_innermost_name_is_meant(void **state)
{
    (void)state;
    check_ends("{'sinew': 1, 'bodies': [{'name': 'x'}, {'name': 'y'}], 'parts': [{'name': 'p', 'bodies': "
               "[{'name': 'x'}],"
               " 'parts': [{'name': 'q', 'bodies': [{'name': 'x'}], " JOINED("x", "y") "}]}]}",
               "p.q.j", "p.q.x", "y");
    check_ends("{'sinew': 1, 'bodies': [{'name': 'x'}, {'name': 'y'}], 'parts': [{'name': 'p', 'bodies': "
               "[{'name': 'x'}],"
               " 'parts': [{'name': 'q', " JOINED("x", "y") "}]}]}",
               "p.q.j", "p.x", "y");
}

static void test_parts_are_reached_from_outside_by_their_names(void **state)
{
    (void)state;
    check_ends("{'sinew': 1, 'parts': [{'name': 'p', 'parts': [{'name': 'q', 'repeat': {'count': 2},"
               " 'bodies': [{'name': 'x', 'repeat': {'count': 2}}]}]}], " JOINED("p.q[1].x[0]", "ground") "}",
               "j", "p.q[1].x[0]", "ground");
    check_ends(
        "{'sinew': 1, 'parts': [{'name': 'p', 'bodies': [{'name': 'x'}], 'parts': [{'name': 'q', 'bodies':"
        " [{'name': 'x'}]}, {'name': 'r', " JOINED("q.x", "p.x") "}]}]}",
        "p.r.j", "p.q.x", "p.x");
}

static void test_parts_without_a_name_hide_nothing(void **state)
{
    (void)state;
    check_ends("{'sinew': 1, 'parts': [{'bodies': [{'name': 'x'}]}, {'bodies': [{'name': 'y'}]}], " JOINED(
                   "x", "y") "}",
               "j", "x", "y");
}

static void test_joints_may_stand_before_the_bodies_they_join(void **state)
{
    (void)state;
    check_ends("{" JOINED("x", "ground") ", 'bodies': [{'name': 'x'}], 'sinew': 1}", "j", "x", "ground");
}

static void test_outside_of_repetitions_previous_is_a_name_like_others(void **state)
{
    (void)state;
    check_ends("{'sinew': 1, 'bodies': [{'name': 'previous.x'}], " JOINED("previous.x", "ground") "}", "j",
               "previous.x", "ground");
}

static void test_names_may_be_any_text(void **state)
{
    (void)state;
    check_ends(
        "{'sinew': 1, 'bodies': [{'name': 'Räder / 1\\t[x]'}], " JOINED("Räder / 1\\t[x]", "ground") "}", "j",
        "Räder / 1\t[x]", "ground");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_innermost_name_is_meant),
        cmocka_unit_test(test_parts_are_reached_from_outside_by_their_names),
        cmocka_unit_test(test_parts_without_a_name_hide_nothing),
        cmocka_unit_test(test_joints_may_stand_before_the_bodies_they_join),
        cmocka_unit_test(test_outside_of_repetitions_previous_is_a_name_like_others),
        cmocka_unit_test(test_names_may_be_any_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
