// Surfaces against each other and against themselves: no pair that meets is missed (soft_feature_pairs.c),
// and normals point from one feature to the other (soft_meets_surface.c).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/memory.h"
#include "support/soft_view_rig.h"

enum { NODES = 49, FACES = 72 };
static soft_view_rig first, second;

// --- no pair is missed -------------------------------------------------------------------------------------

static bool found[NODES][FACES], found_back[FACES][NODES];

// Marks the pairs of nodes and faces.
static void note(const sn_feature_pair_list *pairs)
{
    memset(found, 0, sizeof found);
    memset(found_back, 0, sizeof found_back);
    for (int i = 0; i < pairs->count; ++i) {
        uint32_t a = pairs->data[i].feature, b = pairs->data[i].piece;
        if (sn_soft_feature_kind(a) == SN_SOFT_NODE) {
            found[sn_soft_feature_number(a)][sn_soft_feature_number(b)] = true;
        } else if (sn_soft_feature_kind(a) == SN_SOFT_FACE) {
            found_back[sn_soft_feature_number(a)][sn_soft_feature_number(b)] = true;
        }
    }
}

static sn_vec3 place_of(const soft_view_rig *rig, uint32_t node, float when)
{
    return sn_add_scaled(rig->nodes[node].position, when, rig->displacements[node]);
}

// Smallest distance of a node from a face while both move straight, sampled.
static float least_distance(const soft_view_rig *a, uint32_t node, const soft_view_rig *b, uint32_t face)
{
    float least = INFINITY;
    for (int s = 0; s <= 40; ++s) {
        float when = (float)s / 40.0f, weights[3];
        sn_vec3 corners[3], p = place_of(a, node, when);
        for (int k = 0; k < 3; ++k) {
            corners[k] = place_of(b, b->surface.faces.data[3 * face + (uint32_t)k], when);
        }
        (void)sn_triangle_nearest(corners, p, weights);
        for (int k = 0; k < 3; ++k) {
            p = sn_add_scaled(p, -weights[k], corners[k]);
        }
        least = sn_min(least, sn_length(p));
    }
    return least;
}

static void scatter(soft_view_rig *rig, test_random *random, sn_vec3 by, float roughness, float speed)
{
    sn_vec3 common = test_random_vec3(random, 1.0f);
    for (int i = 0; i < NODES; ++i) {
        rig->nodes[i].position = sn_add(sn_add(rig->mesh->nodes[i], by), test_random_vec3(random, roughness));
        rig->displacements[i] = sn_add(common, test_random_vec3(random, speed));
    }
    rig->view.margin = 0.005f;
    view_rig_fit(rig);
}

static void test_nodes_and_faces_of_two_sheets_that_meet_are_found(void **state)
{
    (void)state;
    int meetings = 0;
    for (uint64_t seed = 1; seed <= 30; ++seed) {
        test_random random = {seed};
        view_rig_make(&first, view_grid(1.0f, 6), false);
        view_rig_make(&second, view_grid(1.0f, 6), false);
        scatter(&first, &random, test_random_vec3(&random, 0.1f), 0.05f, 0.1f);
        scatter(&second, &random, sn_v(0.0f, 0.0f, 0.0f), 0.05f, 0.1f);
        assert_true(
            sn_soft_pair_features(&first.view, &second.view, &(sn_pair_output){.features = &first.pairs}));
        note(&first.pairs);
        for (uint32_t i = 0; i < NODES * FACES; ++i) {
            uint32_t node = i / FACES, face = i % FACES;
            bool meet = least_distance(&first, node, &second, face) <= 0.01f;
            bool meet_back = least_distance(&second, node, &first, face) <= 0.01f;
            assert_true((!meet || found[node][face]) && (!meet_back || found_back[face][node]));
            meetings += meet + meet_back;
        }
        view_rig_free(&first);
        view_rig_free(&second);
    }
    assert_true(meetings > 100);
}

// A sheet folded over: pairs across the fold are found, neighbours are not.
static void test_a_folded_sheet_meets_itself(void **state)
{
    (void)state;
    view_rig_make(&first, view_grid(1.0f, 6), true);
    for (int i = 0; i < NODES; ++i) {
        sn_vec3 *p = &first.nodes[i].position;
        p->z = p->x > 0.1f ? 0.012f : 0.0f;
        p->x = p->x > 0.1f ? 0.2f - p->x : p->x;
    }
    first.view.margin = 0.005f;
    view_rig_fit(&first);
    view_rig_pair_own(&first);
    note(&first.pairs);
    int meeting = 0;
    for (uint32_t i = 0; i < NODES; ++i) {
        for (uint32_t k = 0; k < FACES; ++k) {
            const uint32_t *n = first.surface.faces.data + 3 * k;
            sn_vec3 rest = sn_scale(
                sn_add(sn_add(first.mesh->nodes[n[0]], first.mesh->nodes[n[1]]), first.mesh->nodes[n[2]]),
                1.0f / 3.0f);
            float apart_at_rest = sn_distance_between(first.mesh->nodes[i], rest);
            bool across = (first.mesh->nodes[i].x > 0.1f) != (rest.x > 0.1f);
            if (across && apart_at_rest > 0.6f && least_distance(&first, i, &first, k) <= 0.013f) {
                ++meeting;
                assert_true(found[i][k]);
            }
            if (!across && apart_at_rest > 0.4f) {
                assert_false(found[i][k]);
            }
        }
    }
    assert_true(meeting > 5);
    view_rig_free(&first);
}

// --- contacts ----------------------------------------------------------------------------------------------

static void lay_over(float height)
{
    view_rig_make(&first, view_grid(0.9f, 6), false);
    view_rig_make(&second, view_grid(1.0f, 6), false);
    for (int i = 0; i < NODES; ++i) {
        first.nodes[i].position = sn_add(first.nodes[i].position, sn_v(0.01f, 0.02f, height));
    }
    first.view.margin = second.view.margin = 0.005f;
    first.view.first_node = 500;
    view_rig_fit(&first);
    view_rig_fit(&second);
}

static void test_a_node_over_a_face(void **state)
{
    (void)state;
    lay_over(0.012f);
    int met = 0;
    for (uint32_t i = 0; i < NODES; ++i) {
        for (uint32_t k = 0; k < FACES; ++k) {
            sn_soft_contact_data contact = {0};
            if (!sn_soft_node_meets_face(&first.view, i, &second.view, k, NULL, &contact)) {
                continue;
            }
            if (contact.width < 4) {
                // Closest to a corner or an edge that the face owns: along the line between them.
                assert_true(contact.separation >= 0.002f - 1.0e-5f);
                continue;
            }
            ++met;
            assert_true(sn_abs(contact.normal.z - 1.0f) < 1.0e-5f);
            assert_true(sn_abs(contact.separation - 0.002f) < 1.0e-5f);
            assert_int_equal(contact.nodes[0], 500 + (int)i);
            float sum = 0.0f;
            for (int w = 1; w < contact.width; ++w) {
                sum += contact.weights[w];
            }
            assert_true(sn_abs(sum + 1.0f) < 1.0e-5f);
        }
    }
    assert_true(met >= NODES - 10);
    view_rig_free(&first);
    view_rig_free(&second);
}

static void test_the_side_is_remembered(void **state)
{
    (void)state;
    lay_over(-0.002f);
    for (uint32_t k = 0; k < FACES; ++k) {
        sn_soft_contact_data before = {.normal = {0.0f, 0.0f, 1.0f}}, contact = {0};
        if (sn_soft_node_meets_face(&first.view, 24, &second.view, k, &before, &contact)) {
            assert_true(sn_abs(contact.normal.z - 1.0f) < 1.0e-5f);
            assert_true(sn_abs(contact.separation + 0.012f) < 1.0e-5f);
        }
    }
    view_rig_free(&first);
    view_rig_free(&second);
}

// Crossed edges, 12 mm apart: along the direction perpendicular to both.
static void test_edges_that_cross(void **state)
{
    (void)state;
    lay_over(0.012f);
    int met = 0;
    for (int a = 0; a < first.mesh->edge_count; ++a) {
        for (int b = 0; b < second.mesh->edge_count; ++b) {
            sn_soft_contact_data contact = {0};
            if (sn_soft_edges_meet(&first.view, (uint32_t)a, &second.view, (uint32_t)b, NULL, &contact)) {
                ++met;
                assert_true(sn_abs(contact.normal.z - 1.0f) < 1.0e-5f);
                assert_true(sn_abs(contact.separation - 0.002f) < 1.0e-5f);
                assert_int_equal(contact.width, 4);
            }
        }
    }
    assert_true(met > 20);
    view_rig_free(&first);
    view_rig_free(&second);
}

// Sheets without area make finite contacts or none.
static void test_collapsed_sheets(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        test_random random = {seed};
        view_rig_make(&first, view_grid(1.0f, 6), false);
        view_rig_make(&second, view_grid(1.0f, 6), false);
        scatter(&first, &random, sn_v(0.0f, 0.0f, 0.0f), 0.3f, 0.1f);
        scatter(&second, &random, sn_v(0.0f, 0.0f, 0.0f), 0.3f, 0.1f);
        for (int i = 0; i < NODES; ++i) {
            float scale = seed % 4 == 0 ? 0.0f : 0.01f;
            first.nodes[i].position = sn_scale(first.nodes[i].position, scale);
            second.nodes[i].position.y = seed % 2 == 0 ? 0.0f : second.nodes[i].position.y;
        }
        view_rig_fit(&first);
        view_rig_fit(&second);
        for (uint32_t i = 0; i < NODES; ++i) {
            sn_soft_contact_data contact = {0};
            assert_true(!sn_soft_node_meets_face(&first.view, i, &second.view, i, NULL, &contact) ||
                        sn_soft_contact_is_sound(&contact));
            assert_true(!sn_soft_node_meets_face(&second.view, i, &first.view, i, NULL, &contact) ||
                        sn_soft_contact_is_sound(&contact));
            assert_true(!sn_soft_edges_meet(&first.view, i, &second.view, i, NULL, &contact) ||
                        sn_soft_contact_is_sound(&contact));
        }
        view_rig_free(&first);
        view_rig_free(&second);
    }
}

// The upper edges of one cube, and the lower ones of another that stands turned on it.
static void test_edges_of_volumes_are_held_apart_outwards_alone(void **state)
{
    (void)state;
    sn_mesh *lower = NULL, *upper = NULL;
    assert_int_equal(sn_mesh_box(sn_v(0.2f, 0.2f, 0.2f), 1, 1, 1, &lower), SN_OK);
    assert_int_equal(sn_mesh_box(sn_v(0.2f, 0.2f, 0.2f), 1, 1, 1, &upper), SN_OK);
    view_rig_make(&second, lower, false);
    view_rig_make(&first, upper, false);
    sn_quat turn = sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), 0.25f * SN_PI);
    for (int i = 0; i < upper->node_count; ++i) {
        first.nodes[i].position = sn_add(sn_rotate(turn, first.nodes[i].position), sn_v(0.0f, 0.21f, 0.0f));
    }
    view_rig_fit(&first);
    view_rig_fit(&second);
    int outwards = 0, inwards = 0;
    for (uint32_t a = 0; a < (uint32_t)upper->edge_count; ++a) {
        for (uint32_t b = 0; b < (uint32_t)lower->edge_count; ++b) {
            sn_soft_contact_data contact = {0}, previous = {.normal = sn_v(0.0f, -1.0f, 0.0f)};
            outwards += sn_soft_edges_meet(&first.view, a, &second.view, b, NULL, &contact) &&
                        contact.normal.y > 0.9f;
            inwards += sn_soft_edges_meet(&first.view, a, &second.view, b, &previous, &contact) &&
                       contact.normal.y < -0.9f;
        }
    }
    assert_true(outwards >= 8);
    assert_int_equal(inwards, 0);
    view_rig_free(&first);
    view_rig_free(&second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_nodes_and_faces_of_two_sheets_that_meet_are_found),
        test_with_memory(test_a_folded_sheet_meets_itself),
        test_with_memory(test_a_node_over_a_face),
        test_with_memory(test_the_side_is_remembered),
        test_with_memory(test_edges_that_cross),
        test_with_memory(test_edges_of_volumes_are_held_apart_outwards_alone),
        test_with_memory(test_collapsed_sheets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
