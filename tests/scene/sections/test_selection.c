// Nodes picked out by part, box, number and in turn.
#include "scene/soft_scene_kit.h"

// The nodes fixed in a mesh by a selection, which must be these.
static void check(const char *mesh, const char *selection, const char *expected)
{
    char text[1024], found[1024];
    assert_in_range(snprintf(text, sizeof text, "{'sinew': 1, 'deformables': [{'mesh': %s, 'fixed': %s}]}",
                             mesh, selection),
                    1, sizeof text - 1);
    sn_scene *scene = scene_of(text);
    fixed_nodes(scene, only_soft(scene), found, sizeof found);
    if (strcmp(found, expected) != 0) {
        fail_msg("%s in %s: %s, expected %s", selection, mesh, found, expected);
    }
    sn_scene_destroy(scene);
}

// Three columns of nodes and four rows, numbered along x first.
#define SHEET "{'type': 'grid', 'width': 2, 'height': 3, 'columns': 2, 'rows': 3}"
#define BLOCK "{'type': 'box', 'size': [1, 1, 1], 'cells': [2, 2, 2]}"
#define ROPE  "{'type': 'line', 'length': 2, 'cells': 4}"
#define DISC  "{'type': 'disc', 'radius': 1, 'rings': 2}"

static void test_parts_of_a_sheet(void **state)
{
    (void)state;
    check(SHEET, "{'part': 'all'}", "0 1 2 3 4 5 6 7 8 9 10 11 ");
    check(SHEET, "{'part': 'corners'}", "0 2 9 11 ");
    check(SHEET, "{'part': 'rim'}", "0 1 2 3 5 6 8 9 10 11 ");
    check(SHEET, "{'part': 'left'}", "0 3 6 9 ");
    check(SHEET, "{'part': 'right'}", "2 5 8 11 ");
    check(SHEET, "{'part': 'bottom'}", "0 1 2 ");
    check(SHEET, "{'part': 'top'}", "9 10 11 ");
}

static void test_parts_of_volumes_strands_and_discs(void **state)
{
    (void)state;
    check(BLOCK, "{'part': 'corners'}", "0 2 6 8 18 20 24 26 ");
    check(BLOCK, "{'part': 'back'}", "0 1 2 3 4 5 6 7 8 ");
    check(BLOCK, "{'part': 'front'}", "18 19 20 21 22 23 24 25 26 ");
    check(ROPE, "{'part': 'corners'}", "0 4 ");
    check(ROPE, "{'part': 'rim'}", "0 4 ");
    check(ROPE, "{'part': 'left'}", "0 ");
    check(DISC, "{'part': 'rim'}", "7 8 9 10 11 12 13 14 15 16 17 18 ");
}

static void test_boxes_may_be_open(void **state)
{
    (void)state;
    check(SHEET, "{'lower': [-1.1, -1.6, 0], 'upper': [0.1, -0.4, 0]}", "0 1 3 4 ");
    check(SHEET, "{'lower': [0.5, -9, -9]}", "2 5 8 11 ");
    check(SHEET, "{'upper': [9, -1.5, 9]}", "0 1 2 ");
}

static void test_numbers_and_every_so_manieth(void **state)
{
    (void)state;
    check(SHEET, "{'nodes': [7, 2, 7]}", "2 7 ");
    check(SHEET, "{'part': 'all', 'every': 5}", "0 5 10 ");
    check(SHEET, "{'part': 'left', 'every': 2}", "0 6 ");
    check(SHEET, "{'part': 'left', 'every': 100}", "0 ");
}

static void test_what_is_said_together_must_all_be_true(void **state)
{
    (void)state;
    check(SHEET, "{'part': 'rim', 'lower': [0.5, 0, -1]}", "8 11 ");
    check(SHEET, "{'part': 'corners', 'nodes': [0, 1, 11]}", "0 11 ");
}

static void test_a_list_takes_what_any_of_it_takes(void **state)
{
    (void)state;
    check(SHEET, "[{'part': 'top'}, {'nodes': [0]}, {'nodes': [10]}]", "0 9 10 11 ");
}

// Selections are made in the mesh's frame: scaled, but not placed.
static void test_selections_see_the_scale_and_not_the_place(void **state)
{
    (void)state;
    sn_scene *scene = scene_of("{'sinew': 1, 'deformables': [{'mesh': " SHEET
                               ", 'scale': 10, 'position': [100, 0, 0], 'rotation': {'axis': [0, 1, 0], "
                               "'angle': 90}, 'fixed': {'lower': [9, -99, -99]}}]}");
    char found[64];
    fixed_nodes(scene, only_soft(scene), found, sizeof found);
    assert_string_equal(found, "2 5 8 11 ");
    sn_scene_destroy(scene);
}

static void test_balls_and_planes(void **state)
{
    (void)state;
    check(SHEET, "{'center': [0, 0, 0], 'radius': 0.6}", "4 7 ");
    check(SHEET, "{'center': [-1, -1.5, 0], 'radius': 0}", "0 ");
    check(SHEET, "{'point': [0, 0.5, 0], 'normal': [0, 7, 0]}", "6 7 8 ");
    check(SHEET, "{'point': [0, 0.4, 0], 'normal': [0, 1, 0], 'within': 0.11}", "6 7 8 ");
    check(SHEET, "{'point': [-1, -1.5, 0], 'normal': [1, -1, 0], 'within': 0.36}", "0 4 8 ");
    check(SHEET, "{'center': [0, 0, 0], 'radius': 1, 'point': [0, 0, 0], 'normal': [1, 0, 0]}", "4 7 ");
}

static void test_a_tolerance_widens_a_box(void **state)
{
    (void)state;
    check(SHEET, "{'lower': [-0.9, -1.4, 0], 'upper': [0.9, -0.6, 0], 'within': 0.11}", "0 1 2 3 4 5 ");
    check(SHEET, "{'lower': [-0.9, -1.4, 0], 'upper': [0.9, -0.4, 0], 'within': 0.05}", "4 ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_of_a_sheet),
        cmocka_unit_test(test_parts_of_volumes_strands_and_discs),
        cmocka_unit_test(test_boxes_may_be_open),
        cmocka_unit_test(test_numbers_and_every_so_manieth),
        cmocka_unit_test(test_what_is_said_together_must_all_be_true),
        cmocka_unit_test(test_a_list_takes_what_any_of_it_takes),
        cmocka_unit_test(test_selections_see_the_scale_and_not_the_place),
        cmocka_unit_test(test_balls_and_planes),
        cmocka_unit_test(test_a_tolerance_widens_a_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
