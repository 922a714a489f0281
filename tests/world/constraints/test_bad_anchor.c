// Bad input to anchors and points: what does not exist, weights that make no point, numbers out of range.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "world/deformables/bad_soft.h"

static sn_anchor_def good_def(const bad_soft *s)
{
    sn_anchor_def def = sn_anchor_def_default();
    def.a = sn_point_world(sn_v(0.0f, 10.0f, 0.0f));
    def.b = sn_point_node(s->rope, 2);
    return def;
}

static void refuse_def(bad_soft *s, const sn_anchor_def *def, sn_status expected, const char *part)
{
    refuse_answer(s->scene, &s->anchor, expected, part, sn_anchor_add(s->world, def, &s->anchor));
}

// As either end of a new anchor, as the end of one that exists, and asked where it is.
static void refuse_point(bad_soft *s, sn_point point, sn_status expected, const char *part)
{
    sn_anchor_def def = good_def(s);
    sn_vec3 place;
    def.a = point;
    refuse_def(s, &def, expected, part);
    def = good_def(s);
    def.b = point;
    refuse_def(s, &def, expected, part);
    refuse(s->scene, expected, part, sn_anchor_point_set(s->world, s->nail, 0, &point));
    refuse(s->scene, expected, part, sn_anchor_point_set(s->world, s->nail, 1, &point));
    refuse(s->scene, expected, part, sn_point_place(s->world, &point, &place));
}

// --- points ------------------------------------------------------------------------------------------------

static void test_points_of_what_does_not_exist_are_refused(void **state)
{
    bad_soft *s = *state;
    for (int i = 0; i < BAD_IDS; ++i) {
        refuse_point(s, sn_point_rigid(s->scene->no_rigid[i], sn_v(0, 0, 0)), SN_ERROR_ID, "rigid id");
        refuse_point(s, sn_point_node(s->no_deformable[i], 0), SN_ERROR_ID, "deformable id");
    }
}

static void test_points_at_no_place_are_refused(void **state)
{
    bad_soft *s = *state;
    refuse_point(s, sn_point_world(sn_v(NAN, 0, 0)), SN_ERROR_NOT_FINITE, "(nan, 0, 0)");
    refuse_point(s, sn_point_world(sn_v(0, 2e6f, 0)), SN_ERROR_RANGE, "within");
    refuse_point(s, sn_point_rigid(s->scene->crate, sn_v(0, 0, INFINITY)), SN_ERROR_NOT_FINITE, "inf");
    refuse_point(s, (sn_point){.type = (sn_point_type)4}, SN_ERROR_RANGE, "type is 4");
    refuse_point(s, (sn_point){.type = (sn_point_type)-1}, SN_ERROR_RANGE, "type is -1");
}

static void test_nodes_out_of_range_are_refused(void **state)
{
    bad_soft *s = *state;
    const int bad[] = {-1, 5, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < bad_count(bad); ++i) {
        refuse_point(s, sn_point_node(s->rope, bad[i]), SN_ERROR_RANGE, "nodes[0] is");
    }
    const int nodes[4] = {0, 1, 2, 7};
    const float weights[4] = {0.25f, 0.25f, 0.25f, 0.25f};
    refuse_point(s, sn_point_nodes(s->rope, nodes, weights, 4), SN_ERROR_RANGE, "nodes[3] is 7");
}

static void test_counts_of_nodes_are_one_to_four(void **state)
{
    bad_soft *s = *state;
    const int nodes[4] = {0, 1, 2, 3};
    const float weights[4] = {0.25f, 0.25f, 0.25f, 0.25f};
    const int bad[] = {0, -1, 5, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < bad_count(bad); ++i) {
        refuse_point(s, sn_point_nodes(s->rope, nodes, weights, bad[i]), SN_ERROR_RANGE, "node_count is");
    }
    // Without nodes or weights there is no point, and no crash.
    refuse_point(s, sn_point_nodes(s->rope, NULL, NULL, 2), SN_ERROR_RANGE, "sum to 0");
}

static void test_weights_must_be_shares_of_one(void **state)
{
    bad_soft *s = *state;
    const int nodes[3] = {0, 1, 2};
    const struct {
        float weights[3];
        sn_status expected;
        const char *part;
    } rows[] = {
        {{0.5f, 0.5f, 0.5f}, SN_ERROR_RANGE, "sum to 1.5, expected 1"},
        {{0.3f, 0.3f, 0.3f}, SN_ERROR_RANGE, "sum to 0.9"},
        {{0.0f, 0.0f, 0.0f}, SN_ERROR_RANGE, "sum to 0"},
        {{0.5f, 0.5005f, 0.0f}, SN_ERROR_RANGE, "sum to 1.0005"},
        {{-0.5f, 1.0f, 0.5f}, SN_ERROR_RANGE, "weight of a node is -0.5"},
        {{2.0f, -0.5f, -0.5f}, SN_ERROR_RANGE, "weight of a node is 2"},
        {{NAN, 0.5f, 0.5f}, SN_ERROR_NOT_FINITE, "weight of a node is nan"},
        {{0.5f, INFINITY, 0.5f}, SN_ERROR_NOT_FINITE, "weight of a node is inf"},
    };
    for (size_t i = 0; i < bad_count(rows); ++i) {
        refuse_point(s, sn_point_nodes(s->rope, nodes, rows[i].weights, 3), rows[i].expected, rows[i].part);
    }
    const float nearly[3] = {0.33333f, 0.33333f, 0.33333f};
    sn_anchor_def def = good_def(s);
    def.b = sn_point_nodes(s->rope, nodes, nearly, 3);
    assert_int_equal(sn_anchor_add(s->world, &def, NULL), SN_OK);
}

// --- anchors -----------------------------------------------------------------------------------------------

static void test_anchors_with_bad_numbers_are_not_made(void **state)
{
    bad_soft *s = *state;
    const bad_field rows[] = {
        {offsetof(sn_anchor_def, compliance), -1.0f, SN_ERROR_RANGE, "compliance is -1"},
        {offsetof(sn_anchor_def, compliance), NAN, SN_ERROR_NOT_FINITE, "compliance is nan"},
        {offsetof(sn_anchor_def, compliance), INFINITY, SN_ERROR_NOT_FINITE, "compliance is inf"},
        {offsetof(sn_anchor_def, damping), -0.5f, SN_ERROR_RANGE, "damping is -0.5"},
        {offsetof(sn_anchor_def, damping), NAN, SN_ERROR_NOT_FINITE, "damping is nan"},
        {offsetof(sn_anchor_def, max_force), 0.0f, SN_ERROR_RANGE, "max_force is 0"},
        {offsetof(sn_anchor_def, max_force), -2.0f, SN_ERROR_RANGE, "max_force is -2"},
        {offsetof(sn_anchor_def, max_force), NAN, SN_ERROR_NOT_FINITE, "max_force is nan"},
        {offsetof(sn_anchor_def, break_force), 0.0f, SN_ERROR_RANGE, "break_force is 0"},
        {offsetof(sn_anchor_def, break_force), -1.0f, SN_ERROR_RANGE, "break_force is -1"},
        {offsetof(sn_anchor_def, break_force), NAN, SN_ERROR_NOT_FINITE, "break_force is nan"},
    };
    for (size_t i = 0; i < bad_count(rows); ++i) {
        sn_anchor_def def = good_def(s);
        bad_spoil(&def, &rows[i]);
        refuse_def(s, &def, rows[i].expected, rows[i].part);
    }
}

static void test_anchors_without_a_definition_or_a_short_name_are_not_made(void **state)
{
    bad_soft *s = *state;
    sn_anchor_def zeros = {0}, def = good_def(s);
    refuse_def(s, NULL, SN_ERROR_NULL, "definition is null");
    refuse_def(s, &zeros, SN_ERROR_DEFINITION, "sn_anchor_def_default");
    def.name = "a name of sixty-four bytes, which is one more than there may be!";
    refuse_def(s, &def, SN_ERROR_NAME, "at most 63 bytes");
    refuse_answer(s->scene, &s->anchor, SN_ERROR_NULL, "world is null",
                  sn_anchor_add(NULL, &def, &s->anchor));
}

static void test_one_end_must_be_able_to_move(void **state)
{
    bad_soft *s = *state;
    sn_anchor_def def = sn_anchor_def_default();
    refuse_def(s, &def, SN_ERROR_IMMOVABLE, "can move, expected one dynamic body or deformable");
    def.b = sn_point_rigid(s->scene->wall, sn_v(0, 0, 0));
    refuse_def(s, &def, SN_ERROR_IMMOVABLE, "can move, expected one dynamic body or deformable");
    def.a = sn_point_rigid(s->scene->lift, sn_v(0, 0, 0));
    refuse_def(s, &def, SN_ERROR_IMMOVABLE, "can move, expected one dynamic body or deformable");
    sn_point place = sn_point_world(sn_v(0, 0, 0));
    refuse(s->scene, SN_ERROR_IMMOVABLE, "can move, expected one dynamic body or deformable",
           sn_anchor_point_set(s->world, s->nail, 1, &place));
}

static void test_anchors_that_do_not_exist_are_refused(void **state)
{
    bad_soft *s = *state;
    sn_point place = sn_point_world(sn_v(0, 0, 0));
    for (int i = 0; i < BAD_IDS; ++i) {
        refuse(s->scene, SN_ERROR_ID, "constraint id", sn_anchor_remove(s->world, s->no_anchor[i]));
        refuse(s->scene, SN_ERROR_ID, "constraint id",
               sn_anchor_point_set(s->world, s->no_anchor[i], 0, &place));
        assert_false(sn_anchor_is_valid(s->world, s->no_anchor[i]));
        assert_true(sn_anchor_force(s->world, s->no_anchor[i]).x == 0.0f);
        assert_true(sn_anchor_error(s->world, s->no_anchor[i]) == 0.0f);
        assert_int_equal(sn_anchor_definition(s->world, s->no_anchor[i]).cookie, 0);
    }
    refuse(s->scene, SN_ERROR_RANGE, "end is 2", sn_anchor_point_set(s->world, s->nail, 2, &place));
    refuse(s->scene, SN_ERROR_RANGE, "end is -1", sn_anchor_point_set(s->world, s->nail, -1, &place));
    refuse(s->scene, SN_ERROR_NULL, "point is null", sn_anchor_point_set(s->world, s->nail, 0, NULL));
}

static void test_places_are_not_told_without_somewhere_to_put_them(void **state)
{
    bad_soft *s = *state;
    sn_point point = sn_point_node(s->rope, 0);
    sn_vec3 place;
    refuse(s->scene, SN_ERROR_NULL, "null", sn_point_place(s->world, &point, NULL));
    refuse(s->scene, SN_ERROR_NULL, "null", sn_point_place(s->world, NULL, &place));
    refuse(s->scene, SN_ERROR_NULL, "null", sn_point_place(NULL, &point, &place));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        bad_soft_test(test_points_of_what_does_not_exist_are_refused),
        bad_soft_test(test_points_at_no_place_are_refused),
        bad_soft_test(test_nodes_out_of_range_are_refused),
        bad_soft_test(test_counts_of_nodes_are_one_to_four),
        bad_soft_test(test_weights_must_be_shares_of_one),
        bad_soft_test(test_anchors_with_bad_numbers_are_not_made),
        bad_soft_test(test_anchors_without_a_definition_or_a_short_name_are_not_made),
        bad_soft_test(test_one_end_must_be_able_to_move),
        bad_soft_test(test_anchors_that_do_not_exist_are_refused),
        bad_soft_test(test_places_are_not_told_without_somewhere_to_put_them),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    print_message("%d refused calls judged\n", bad_row_count);
    return failures;
}
