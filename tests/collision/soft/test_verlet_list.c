// Verlet lists miss no pair while they are used, last as long as nodes stay close to their reference
// positions, are given up when they do not, and follow from the reference positions alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/memory.h"
#include "support/soft_view_rig.h"

enum { CELLS = 12, NODES = (CELLS + 1) * (CELLS + 1), FACES = 2 * CELLS * CELLS };
static soft_view_rig sheet, other;
static bool found[NODES][FACES];

// Fits the surface and marks the pairs of nodes and faces.
static void look_for_pairs(soft_view_rig *rig)
{
    view_rig_fit(rig);
    view_rig_pair_own(rig);
    memset(found, 0, sizeof found);
    for (int i = 0; i < rig->pairs.count; ++i) {
        uint32_t a = rig->pairs.data[i].feature, b = rig->pairs.data[i].piece;
        if (sn_soft_feature_kind(a) == SN_SOFT_NODE) {
            found[sn_soft_feature_number(a)][sn_soft_feature_number(b)] = true;
        }
    }
}

// Folded over along a line, the halves so far apart; they are 10 mm thick.
static void make_folded(soft_view_rig *rig, float gap)
{
    view_rig_make(rig, view_grid(1.0f, CELLS), true);
    for (int i = 0; i < NODES; ++i) {
        sn_vec3 *p = &rig->nodes[i].position;
        p->z = p->x > 0.1f ? gap : 0.0f;
        p->x = p->x > 0.1f ? 0.2f - p->x : p->x;
    }
    rig->view.margin = 0.005f;
}

static float distance_of(const soft_view_rig *rig, uint32_t node, uint32_t face)
{
    float weights[3];
    sn_vec3 corners[3], p = rig->nodes[node].position;
    for (int k = 0; k < 3; ++k) {
        corners[k] = rig->nodes[rig->surface.faces.data[3 * face + (uint32_t)k]].position;
    }
    (void)sn_triangle_nearest(corners, p, weights);
    for (int k = 0; k < 3; ++k) {
        p = sn_add_scaled(p, -weights[k], corners[k]);
    }
    return sn_length(p);
}

// Nodes and faces that touch, of different halves, must have been found. Returns how many do.
static int check_found(const soft_view_rig *rig)
{
    int touching = 0;
    for (uint32_t i = 0; i < NODES; ++i) {
        for (uint32_t k = 0; k < FACES; ++k) {
            uint32_t corner = rig->surface.faces.data[3 * k];
            bool far_at_rest = sn_distance_between(rig->mesh->nodes[i], rig->mesh->nodes[corner]) > 0.4f;
            if (far_at_rest && distance_of(rig, i, k) <= 0.0145f) {
                ++touching;
                assert_true(found[i][k]);
            }
        }
    }
    return touching;
}

// The halves shake, and approach each other by `nearing` a step.
static void move(soft_view_rig *rig, test_random *random, float jitter, float nearing)
{
    for (int i = 0; i < NODES; ++i) {
        float displacement = rig->mesh->nodes[i].x > 0.1f ? -nearing : 0.0f;
        rig->nodes[i].position = sn_add(rig->nodes[i].position, rig->displacements[i]);
        rig->displacements[i] = sn_add(test_random_vec3(random, jitter), sn_v(0.0f, 0.0f, displacement));
    }
}

static void test_no_pair_is_missed_while_the_list_lasts(void **state)
{
    (void)state;
    int touching = 0, listed = 0;
    for (uint64_t seed = 1; seed <= 10; ++seed) {
        test_random random = {seed};
        make_folded(&sheet, 0.023f);
        look_for_pairs(&sheet);
        sn_node_state first = sheet.surface.verlet_list.reference.data[0];
        for (int step = 0; step < 10; ++step) {
            move(&sheet, &random, 2.0e-4f, 1.0e-3f);
            look_for_pairs(&sheet);
            touching += check_found(&sheet);
            listed += memcmp(&sheet.surface.verlet_list.reference.data[0], &first, sizeof first) == 0 ? 1 : 0;
        }
        view_rig_free(&sheet);
    }
    assert_true(listed >= 80);
    assert_true(touching > 1000);
}

static void test_a_list_is_made_once_while_nodes_stay_close(void **state)
{
    (void)state;
    test_random random = {5};
    make_folded(&sheet, 0.012f);
    look_for_pairs(&sheet);
    sn_node_state first = sheet.surface.verlet_list.reference.data[7];
    int pairs = sheet.surface.verlet_list.pairs.count;
    assert_true(pairs > 0);
    for (int step = 0; step < 5; ++step) {
        move(&sheet, &random, 2.0e-4f, 0.0f);
        look_for_pairs(&sheet);
        assert_int_equal(sheet.surface.verlet_list.escaped_count, 0);
    }
    assert_memory_equal(&sheet.surface.verlet_list.reference.data[7], &first, sizeof first);
    assert_int_equal(sheet.surface.verlet_list.pairs.count, pairs);
    view_rig_free(&sheet);
}

static void test_motion_of_the_whole_sheet_does_not_count(void **state)
{
    (void)state;
    make_folded(&sheet, 0.012f);
    look_for_pairs(&sheet);
    int before = sheet.pairs.count;
    sn_vec3 far_away = sn_v(3.0f, -2.0f, 1.0f);
    for (int i = 0; i < NODES; ++i) {
        sheet.nodes[i].position = sn_add(sheet.nodes[i].position, far_away);
        sheet.displacements[i] = far_away;
    }
    sheet.surface.frame_displacement = far_away;
    view_rig_fit(&sheet);
    assert_true(sheet.surface.verlet_list.in_use);
    assert_int_equal(sheet.surface.verlet_list.escaped_count, 0);
    assert_true(before > 0);
    view_rig_free(&sheet);
}

// A corner is lifted and laid upon the middle: its faces escape.
static void test_pairs_of_escaped_faces_are_found(void **state)
{
    (void)state;
    view_rig_make(&sheet, view_grid(1.0f, CELLS), true);
    sheet.view.margin = 0.005f;
    look_for_pairs(&sheet);
    assert_true(sheet.surface.verlet_list.in_use);
    assert_int_equal(sheet.pairs.count, 0);
    sheet.nodes[0].position = sn_v(0.02f, 0.01f, 0.011f);
    look_for_pairs(&sheet);
    assert_true(sheet.surface.verlet_list.in_use);
    assert_true(sheet.surface.verlet_list.escaped_count > 0);
    bool meets = false;
    for (uint32_t k = 0; k < FACES; ++k) {
        meets = meets || (found[0][k] && distance_of(&sheet, 0, k) < 0.012f);
    }
    assert_true(meets);
    view_rig_free(&sheet);
}

static void test_faces_that_keep_escaping_end_the_list(void **state)
{
    (void)state;
    view_rig_make(&sheet, view_grid(1.0f, CELLS), true);
    sheet.view.margin = 0.005f;
    look_for_pairs(&sheet);
    sheet.nodes[0].position.z += 0.3f;
    int steps = 0;
    for (; sheet.surface.verlet_list.reference.data[0].position.z == 0.0f; ++steps) {
        look_for_pairs(&sheet);
        assert_true(steps < FACES);
    }
    assert_true(steps > 2);
    assert_int_equal(sheet.surface.verlet_list.escaped_count, 0);
    view_rig_free(&sheet);
}

static void test_fast_nodes_are_not_listed(void **state)
{
    (void)state;
    test_random random = {9};
    make_folded(&sheet, 0.012f);
    move(&sheet, &random, 0.02f, 0.0f);
    look_for_pairs(&sheet);
    assert_false(sheet.surface.verlet_list.in_use);
    assert_int_equal(sheet.surface.verlet_list.reference.count, 0);
    assert_true(check_found(&sheet) > 0);
    view_rig_free(&sheet);
}

// A surface that was given the reference positions alone finds the same pairs in the same order.
static void test_the_list_follows_from_the_reference_positions(void **state)
{
    (void)state;
    test_random random = {3};
    make_folded(&sheet, 0.012f);
    make_folded(&other, 0.012f);
    look_for_pairs(&sheet);
    for (int step = 0; step < 3; ++step) {
        move(&sheet, &random, 4.0e-4f, 0.0f);
        look_for_pairs(&sheet);
    }
    sn_verlet_list *list = &other.surface.verlet_list;
    assert_true(sn_array_resize(&list->reference, NODES));
    memcpy(list->reference.data, sheet.surface.verlet_list.reference.data,
           NODES * sizeof *list->reference.data);
    list->escape_total = sheet.surface.verlet_list.escape_total;
    memcpy(other.nodes, sheet.nodes, sizeof other.nodes);
    memcpy(other.displacements, sheet.displacements, sizeof other.displacements);
    look_for_pairs(&other);
    assert_int_equal(other.pairs.count, sheet.pairs.count);
    assert_true(sheet.pairs.count > 0);
    assert_memory_equal(other.pairs.data, sheet.pairs.data,
                        (size_t)sheet.pairs.count * sizeof *sheet.pairs.data);
    view_rig_free(&sheet);
    view_rig_free(&other);
}

static void test_non_finite_nodes_escape_and_meet_nothing(void **state)
{
    (void)state;
    make_folded(&sheet, 0.012f);
    look_for_pairs(&sheet);
    sheet.nodes[40].position.y = NAN;
    sheet.displacements[80] = sn_v(0.0f, INFINITY, 0.0f);
    look_for_pairs(&sheet);
    for (uint32_t k = 0; k < FACES; ++k) {
        assert_false(found[40][k] || found[80][k]);
    }
    assert_true(sheet.pairs.count > 0);
    view_rig_free(&sheet);
}

// --- between two surfaces ----------------------------------------------------------------------------------

static sn_verlet_between between;

// Follows a sheet in the world. Whether it has new reference positions.
static bool follow(soft_view_rig *rig)
{
    sn_verlet_list *list = &rig->surface.between;
    sn_verlet_step step = {
        .nodes = rig->nodes, .displacements = rig->displacements, .in_world = true, .growth = 0.0075f};
    assert_true(sn_verlet_list_follow(&rig->surface, list, &step));
    bool is_new = !list->is_listed;
    assert_true(!list->in_use || !is_new || sn_verlet_between_fit(&rig->surface, 0.00125f));
    return is_new;
}

// Marks the contacts of the sheet's nodes with the other's faces, among these pairs.
static int mark_contacts(const sn_feature_pair_list *pairs, bool contacts[NODES][FACES])
{
    int count = 0;
    memset(contacts, 0, sizeof(bool[NODES][FACES]));
    for (int i = 0; i < pairs->count; ++i) {
        uint32_t a = pairs->data[i].feature, b = pairs->data[i].piece;
        sn_soft_contact_data contact = {0};
        if (sn_soft_feature_kind(a) == SN_SOFT_NODE &&
            sn_soft_node_meets_face(&sheet.view, sn_soft_feature_number(a), &other.view,
                                    sn_soft_feature_number(b), NULL, &contact)) {
            contacts[sn_soft_feature_number(a)][sn_soft_feature_number(b)] = true;
            ++count;
        }
    }
    return count;
}

// One lies over the other, turned a little so that no two of their nodes are at the same place.
static void make_two(float gap)
{
    sn_quat turn = sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), 0.1f);
    view_rig_make(&sheet, view_grid(1.0f, CELLS), false);
    view_rig_make(&other, view_grid(1.0f, CELLS), false);
    for (int i = 0; i < NODES; ++i) {
        sheet.nodes[i].position = sn_rotate(turn, sheet.nodes[i].position);
        sheet.nodes[i].position.z += gap;
    }
    sheet.view.margin = other.view.margin = 0.005f;
    memset(&between, 0, sizeof between);
}

static void free_two(void)
{
    sn_array_release(&between.pairs);
    sn_array_release(&between.faces);
    view_rig_free(&sheet);
    view_rig_free(&other);
}

static void update_between(void)
{
    bool is_new = follow(&sheet);
    is_new = follow(&other) || is_new;
    if (is_new && sheet.surface.between.in_use && other.surface.between.in_use) {
        assert_true(sn_verlet_between_box(&sheet.surface, 0.0075f, 0.0f));
        assert_true(sn_verlet_between_box(&other.surface, 0.0075f, 0.0f));
        assert_true(sn_soft_fill_verlet_between(&sheet.surface, 0.0075f, &other.surface, 0.0075f, &between));
    }
    view_rig_fit(&sheet);
    view_rig_fit(&other);
}

static void test_a_list_between_surfaces_has_the_contacts_that_trees_find(void **state)
{
    (void)state;
    static bool by_trees[NODES][FACES];
    int contacts = 0, used = 0;
    for (uint64_t seed = 1; seed <= 10; ++seed) {
        test_random random = {seed};
        make_two(0.016f);
        for (int step = 0; step < 12; ++step) {
            move(&sheet, &random, 3.0e-4f, 4.0e-4f);
            move(&other, &random, 3.0e-4f, 0.0f);
            update_between();
            if (!sheet.surface.between.in_use || !other.surface.between.in_use) {
                continue;
            }
            sn_verlet_between_mark_sharp(&sheet.surface);
            sn_verlet_between_mark_sharp(&other.surface);
            sn_pair_output output = {.features = &sheet.pairs};
            sheet.pairs.count = 0;
            assert_true(sn_soft_pair_features(&sheet.view, &other.view, &output));
            int expected = mark_contacts(&sheet.pairs, by_trees);
            sheet.pairs.count = 0;
            assert_true(sn_soft_pair_listed(&sheet.view, &other.view, &between, 0.015f, &output));
            contacts += mark_contacts(&sheet.pairs, found);
            for (int i = 0; i < NODES * FACES; ++i) {
                assert_true((&found[0][0])[i] || !(&by_trees[0][0])[i]);
            }
            used += expected > 0 ? 1 : 0;
        }
        free_two();
    }
    assert_true(used > 50);
    assert_true(contacts > 1000);
}

// Sheets three centimetres apart: no face can reach another within its skin, so the guard has nothing to look
// at.
static void test_faces_that_skins_keep_apart_are_not_listed_for_the_guard(void **state)
{
    (void)state;
    make_two(0.03f);
    update_between();
    assert_true(between.pairs.count > 0);
    assert_int_equal(between.faces.count, 0);
    free_two();
    make_two(0.004f);
    update_between();
    assert_true(between.faces.count > FACES);
    free_two();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_no_pair_is_missed_while_the_list_lasts),
        test_with_memory(test_a_list_is_made_once_while_nodes_stay_close),
        test_with_memory(test_motion_of_the_whole_sheet_does_not_count),
        test_with_memory(test_pairs_of_escaped_faces_are_found),
        test_with_memory(test_faces_that_keep_escaping_end_the_list),
        test_with_memory(test_fast_nodes_are_not_listed),
        test_with_memory(test_the_list_follows_from_the_reference_positions),
        test_with_memory(test_non_finite_nodes_escape_and_meet_nothing),
        test_with_memory(test_a_list_between_surfaces_has_the_contacts_that_trees_find),
        test_with_memory(test_faces_that_skins_keep_apart_are_not_listed_for_the_guard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
