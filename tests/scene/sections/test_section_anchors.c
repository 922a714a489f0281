// The section "anchors": what each way of giving points holds, in parts and copies too, and saving.
#include "scene/soft_scene_kit.h"

#include <math.h>

#define SHEET "'mesh': {'type': 'grid', 'width': 1, 'height': 1, 'columns': 2, 'rows': 2}"

// A sheet of nine nodes in the xy plane about (0, 2, 0), a body at its right edge, and anchors.
static sn_scene *scene_with(const char *anchors)
{
    char text[2048];
    assert_in_range(
        snprintf(text, sizeof text,
                 "{'sinew': 1, 'bodies': [{'name': 'box', 'position': [0.6, 2, 0], 'shape': {'type': "
                 "'box', 'size': [0.1, 1, 1], 'collides_with': []}}], 'deformables': [{'name': 'cloth', "
                 "'position': [0, 2, 0], " SHEET "}, {'name': 'other', 'position': [-1, 2, 0], " SHEET
                 "}], 'anchors': [%s]}",
                 anchors),
        1, sizeof text - 1);
    return scene_of(text);
}

static sn_anchor_def anchor_def(const sn_scene *scene, int index)
{
    sn_anchor anchors[32];
    assert_true(sn_world_anchors(sn_scene_world(scene), anchors, COUNT_OF(anchors)) > index);
    return sn_anchor_definition(sn_scene_world(scene), anchors[index]);
}

static int anchor_count(const sn_scene *scene)
{
    return sn_world_anchors(sn_scene_world(scene), NULL, 0);
}

static void test_at_holds_both_where_they_are_nearest(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_with("{'name': 'pin', 'a': 'cloth', 'b': 'box', 'at': [0.5, 2.25, 0], 'compliance': 0.01, "
                   "'damping': 2, 'break_force': 90, 'max_force': 80}");
    sn_anchor_def def = anchor_def(scene, 0);
    sn_vec3 place;
    assert_int_equal(def.a.type, SN_POINT_NODES);
    assert_int_equal(sn_point_place(sn_scene_world(scene), &def.a, &place), SN_OK);
    assert_vector(place, 0.5f, 2.25f, 0.0f, 1e-6);
    assert_int_equal(def.b.type, SN_POINT_RIGID);
    assert_vector(def.b.position, -0.1f, 0.25f, 0.0f, 1e-6);
    assert_true(def.compliance == 0.01f && def.damping == 2.0f && def.break_force == 90.0f &&
                def.max_force == 80.0f);
    assert_string_equal(def.name, "pin");
    sn_scene_destroy(scene);
}

static void test_select_holds_a_row_of_nodes(void **state)
{
    (void)state;
    sn_scene *scene = scene_with("{'a': 'box', 'b': 'cloth', 'select': {'part': 'right'}}");
    assert_int_equal(anchor_count(scene), 3);
    for (int i = 0; i < 3; ++i) {
        sn_anchor_def def = anchor_def(scene, i);
        assert_int_equal(def.b.nodes[0], 3 * i + 2);
        assert_vector(def.a.position, -0.1f, 0.5f * (float)(i - 1), 0.0f, 1e-6);
    }
    sn_scene_destroy(scene);
}

static void test_of_two_deformables_the_nodes_of_a_are_selected(void **state)
{
    (void)state;
    sn_scene *scene = scene_with("{'a': 'other', 'b': 'cloth', 'select': {'part': 'right'}}");
    assert_int_equal(anchor_count(scene), 3);
    sn_anchor_def def = anchor_def(scene, 1);
    sn_vec3 place;
    assert_int_equal(def.a.nodes[0], 5);
    sn_point_place(sn_scene_world(scene), &def.b, &place);
    assert_vector(place, -0.5f, 2.0f, 0.0f, 1e-5);
    sn_scene_destroy(scene);
}

static void test_a_box_takes_nodes_where_they_are(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_with("{'a': 'cloth', 'b': 'ground', 'lower': [-0.6, 1.9, -1], 'upper': [0.1, 3, 1]}");
    assert_int_equal(anchor_count(scene), 4);
    assert_int_equal(anchor_def(scene, 0).a.nodes[0], 3);
    assert_int_equal(anchor_def(scene, 3).a.nodes[0], 7);
    sn_scene_destroy(scene);
}

static void test_nodes_and_points_may_be_given(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_with("{'a': 'cloth', 'b': 'box', 'nodes_a': [[2, 0.25], [5, 0.75]], 'point_b': [0, 0.5, 0]}");
    sn_anchor_def def = anchor_def(scene, 0);
    assert_int_equal(def.a.node_count, 2);
    assert_true(def.a.nodes[1] == 5 && def.a.weights[1] == 0.75f);
    assert_vector(def.b.position, 0.0f, 0.5f, 0.0f, 0.0);
    sn_scene_destroy(scene);
}

// The ring of four ropes of four copies: the first is held to the last, since the part is closed.
static void test_copies_hold_on_to_the_one_before(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of("{'sinew': 1, 'parts': [{'name': 'side', 'repeat': {'count': 4, 'rotation': {'axis': [0, 1, "
                 "0], 'angle': 90}, "
                 "'closed': true}, 'deformables': [{'name': 'rope', 'position': [0, 0, 1], 'mesh': {'type': "
                 "'line', 'length': "
                 "2, 'cells': 2}}], 'anchors': [{'a': 'previous.rope', 'b': 'rope', 'at': [-1, 0, 1]}]}]}");
    assert_int_equal(anchor_count(scene), 4);
    sn_anchor anchors[4];
    sn_world_anchors(sn_scene_world(scene), anchors, 4);
    for (int i = 0; i < 4; ++i) {
        assert_true(sn_anchor_error(sn_scene_world(scene), anchors[i]) < 1e-5f);
        assert_true(anchor_def(scene, i).a.deformable.index != anchor_def(scene, i).b.deformable.index);
    }
    sn_scene_destroy(scene);
}

static void test_anchors_are_saved_with_names_for_what_has_none(void **state)
{
    (void)state;
    sn_scene *scene = scene_with("{'a': 'cloth', 'b': 'box', 'select': {'part': 'right'}}, "
                                 "{'a': 'other', 'b': 'cloth', 'at': [-0.5, 2.1, 0], 'compliance': 1e-4}, "
                                 "{'a': 'ground', 'b': 'other', 'at': [-1.5, 2.5, 0]}");
    sn_world *world = sn_scene_world(scene);
    // One more deformable and body without a name, held to each other.
    sn_rigid_def body_def = sn_rigid_def_default();
    sn_rigid body;
    assert_int_equal(sn_rigid_add(world, &body_def, &body), SN_OK);
    sn_deformable_def soft_def = sn_deformable_definition(world, soft_of(scene, "cloth"));
    sn_deformable soft;
    soft_def.name = NULL;
    assert_int_equal(sn_deformable_add(world, &soft_def, &soft), SN_OK);
    sn_anchor_def def = sn_anchor_def_default();
    def.a = sn_point_node(soft, 4);
    def.b = sn_point_rigid(body, sn_v(0.0f, 1.0f, 0.0f));
    assert_int_equal(sn_anchor_add(world, &def, NULL), SN_OK);
    step_scene(scene, 5);
    sn_scene *loaded = save_and_load(scene);
    assert_int_equal(anchor_count(loaded), anchor_count(scene));
    for (int i = 0; i < anchor_count(scene); ++i) {
        sn_anchor_def before = anchor_def(scene, i), after = anchor_def(loaded, i);
        assert_int_equal(before.a.type, after.a.type);
        assert_int_equal(before.b.node_count, after.b.node_count);
        assert_true(before.compliance == after.compliance);
    }
    sn_scene_destroy(loaded);
    sn_scene_destroy(scene);
}

static void test_fields_of_exact_anchors_arrive(void **state)
{
    (void)state;
    sn_scene *scene = scene_with("{'a': 'cloth', 'b': 'box', 'at': [0.5, 2, 0], 'exact': true, 'ramp_steps': "
                                 "40, 'active': false, 'active_from': 1.5, 'active_until': 4}");
    sn_anchor_def def = anchor_def(scene, 0);
    assert_true(def.exact && !def.active);
    assert_int_equal(def.ramp_steps, 40);
    assert_true(def.active_from == 1.5f && def.active_until == 4.0f);
    sn_scene_destroy(scene);
}

// A place at a node is that node, without neighbours of hardly any weight.
static void test_exact_anchors_at_a_node_hold_the_node_alone(void **state)
{
    (void)state;
    sn_scene *scene = scene_with("{'a': 'cloth', 'b': 'other', 'at': [-0.499999, 2, 0], 'exact': true}");
    sn_anchor_def def = anchor_def(scene, 0);
    assert_int_equal(def.a.node_count, 1);
    assert_int_equal(def.a.nodes[0], 3);
    assert_true(def.a.weights[0] == 1.0f);
    assert_int_equal(def.b.node_count, 1);
    assert_int_equal(def.b.nodes[0], 5);
    sn_scene_destroy(scene);
}

static void test_an_end_may_slide_along_a_deformable(void **state)
{
    (void)state;
    sn_scene *scene = scene_with(
        "{'a': 'box', 'b': 'cloth', 'point_a': [-0.1, 0, 0], 'exact': true, 'slide': 'b', 'friction': 0.2}, "
        "{'a': 'cloth', 'b': 'other', 'at': [-0.5, 2, 0], 'exact': true, 'slide': 'a'}, "
        "{'a': 'other', 'b': 'cloth', 'select': {'part': 'right', 'every': 2}, 'exact': true, 'slide': 'b'}");
    assert_int_equal(anchor_count(scene), 4);
    sn_anchor_def first = anchor_def(scene, 0), second = anchor_def(scene, 1), last = anchor_def(scene, 3);
    assert_int_equal(first.a.type, SN_POINT_RIGID);
    assert_int_equal(first.b.type, SN_POINT_SURFACE);
    assert_true(first.friction == 0.2f);
    assert_int_equal(second.a.type, SN_POINT_SURFACE);
    assert_int_equal(second.b.nodes[0], 5);
    assert_int_equal(last.a.nodes[0], 8);
    assert_int_equal(last.b.type, SN_POINT_SURFACE);
    sn_scene *loaded = save_and_load(scene);
    for (int i = 0; i < 4; ++i) {
        sn_anchor_def before = anchor_def(scene, i), after = anchor_def(loaded, i);
        assert_int_equal(before.a.type, after.a.type);
        assert_int_equal(before.b.type, after.b.type);
        assert_true(after.exact && before.friction == after.friction);
    }
    sn_scene_destroy(loaded);
    sn_scene_destroy(scene);
}

static void test_coincident_nodes_of_two_are_joined(void **state)
{
    (void)state;
    sn_scene *scene = scene_with("{'a': 'cloth', 'b': 'other', 'coincident': 1e-4, 'exact': true}");
    assert_int_equal(anchor_count(scene), 3);
    for (int i = 0; i < 3; ++i) {
        sn_anchor_def def = anchor_def(scene, i);
        assert_int_equal(def.a.nodes[0], 3 * i);
        assert_int_equal(def.b.nodes[0], 3 * i + 2);
        assert_true(def.exact && def.a.node_count == 1 && def.b.node_count == 1);
    }
    sn_scene_destroy(scene);
    scene = scene_with("{'a': 'cloth', 'b': 'other', 'coincident': 1e-4, 'select': {'part': 'bottom'}}");
    assert_int_equal(anchor_count(scene), 1);
    sn_scene_destroy(scene);
}

// Two rows of 3 and 2 cubes that meet at 4 edges: 8 pairs of nodes.
static void test_coincident_nodes_of_one_are_joined(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of("{'sinew': 1, 'deformables': [{'name': 'cubes', 'mesh': {'type': 'pieces', 'pieces': "
                 "[{'mesh': {'type': 'box', 'size': [1, 1, 1], 'cells': [1, 1, 1]}, 'repeat': {'count': 3, "
                 "'offset': [2, 0, 0]}}, {'mesh': {'type': 'box', 'size': [1, 1, 1], 'cells': [1, 1, 1]}, "
                 "'position': [1, -1, 0], 'repeat': {'count': 2, 'offset': [2, 0, 0]}}]}}], 'anchors': "
                 "[{'a': 'cubes', 'b': 'cubes', 'coincident': 1e-4, 'exact': true}]}");
    assert_int_equal(anchor_count(scene), 8);
    for (int i = 0; i < 8; ++i) {
        sn_anchor_def def = anchor_def(scene, i);
        assert_true(def.a.nodes[0] > def.b.nodes[0]);
    }
    sn_scene_destroy(scene);
}

// What is saved begins at time 0 again: schedules are what is left of them.
static void test_schedules_are_saved_from_now_on(void **state)
{
    (void)state;
    sn_scene *scene = scene_with("{'a': 'cloth', 'b': 'ground', 'at': [0, 2, 0], 'active_until': 0.05}, "
                                 "{'a': 'cloth', 'b': 'ground', 'at': [0.5, 2, 0], 'active_from': 0.05, "
                                 "'active_until': 2}, "
                                 "{'a': 'cloth', 'b': 'ground', 'at': [-0.5, 2, 0], 'active_from': 1}");
    step_scene(scene, 6);
    assert_near(sn_world_time(sn_scene_world(scene)), 0.1, 1e-6);
    sn_scene *loaded = save_and_load(scene);
    sn_anchor_def over = anchor_def(loaded, 0), on = anchor_def(loaded, 1), later = anchor_def(loaded, 2);
    assert_false(over.active);
    assert_true(on.active && on.active_from == 0.0f);
    assert_near((double)on.active_until, 1.9, 1e-6);
    assert_near((double)later.active_from, 0.9, 1e-6);
    assert_true(later.active && isinf(later.active_until));
    sn_scene_destroy(loaded);
    sn_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_at_holds_both_where_they_are_nearest),
        cmocka_unit_test(test_select_holds_a_row_of_nodes),
        cmocka_unit_test(test_of_two_deformables_the_nodes_of_a_are_selected),
        cmocka_unit_test(test_a_box_takes_nodes_where_they_are),
        cmocka_unit_test(test_nodes_and_points_may_be_given),
        cmocka_unit_test(test_copies_hold_on_to_the_one_before),
        cmocka_unit_test(test_anchors_are_saved_with_names_for_what_has_none),
        cmocka_unit_test(test_fields_of_exact_anchors_arrive),
        cmocka_unit_test(test_exact_anchors_at_a_node_hold_the_node_alone),
        cmocka_unit_test(test_an_end_may_slide_along_a_deformable),
        cmocka_unit_test(test_coincident_nodes_of_two_are_joined),
        cmocka_unit_test(test_coincident_nodes_of_one_are_joined),
        cmocka_unit_test(test_schedules_are_saved_from_now_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
