// Beads that slide along strands and sheets: on them to the last bits, with Coulomb's friction or none.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/link_rig.h"
#include "support/near.h"

#include <math.h>

static link_rig rig;
static sn_closest_surface surface;
static sn_closest_point closest;

enum { BEAD = 1, GROUND = 2 };

static const float gravity = 9.81f;

// A bead, node 1, on a mesh of fixed nodes (or free ones of this mass) from node 2 on, turned about z by an
// angle.
static sn_exact_link *make(sn_mesh *mesh, float angle, float mass, float h, int sub_steps)
{
    int nodes = sn_mesh_node_count(mesh);
    link_rig_make(&rig, 0, 0, 1 + nodes, h, sub_steps);
    rig.range.gravity = sn_v(0.0f, -gravity, 0.0f);
    sn_quat turn = sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), angle);
    for (int i = 0; i < nodes; ++i) {
        link_rig_node(&rig, GROUND + i, mass, sn_rotate(turn, sn_mesh_nodes(mesh)[i]),
                      sn_v(0.0f, 0.0f, 0.0f));
    }
    assert_true(sn_closest_surface_make(&surface, mesh));
    sn_mesh_destroy(mesh);
    closest = (sn_closest_point){.piece = -1};
    sn_exact_link *link = link_rig_add(&rig, (sn_exact_end){0}, end_of_node(BEAD));
    link->sliding = 0;
    link->surface = &surface;
    link->first_node = GROUND;
    link->closest = &closest;
    return link;
}

static void finish(void)
{
    sn_closest_surface_release(&surface);
    link_rig_free(&rig);
}

static sn_mesh *strand(float length, int edges)
{
    sn_mesh *mesh;
    assert_int_equal(sn_mesh_line(length, edges, &mesh), SN_OK);
    return mesh;
}

// In the xz plane.
static sn_mesh *sheet(float size, int cells)
{
    sn_mesh *mesh;
    assert_int_equal(sn_mesh_grid(size, size, cells, cells, SN_GRID_ALTERNATING, &mesh), SN_OK);
    for (int i = 0; i < mesh->node_count; ++i) {
        sn_vec3 node = mesh->nodes[i];
        mesh->nodes[i] = sn_v(node.x, 0.0f, node.y);
    }
    return mesh;
}

static void put_bead(float mass, sn_vec3 place, sn_vec3 velocity)
{
    link_rig_node(&rig, BEAD, mass, place, velocity);
}

// --- slopes ------------------------------------------------------------------------------------------------

// How fast a bead slides down a slope, as a part of what it should: g (sin − μ cos).
static void check_slope(sn_mesh *mesh, float angle, float friction, float sub_step)
{
    float expected = gravity * (sn_sin(angle) - friction * sn_cos(angle));
    sn_exact_link *link = make(mesh, angle, 0.0f, sub_step, 16);
    link->friction = friction;
    sn_vec3 downhill = {-sn_cos(angle), -sn_sin(angle), 0.0f};
    put_bead(0.2f, sn_scale(downhill, -0.4f), sn_v(0.0f, 0.0f, 0.0f));
    closest = sn_closest_point_find(&surface, &rig.nodes.states.data[GROUND], link_rig_place(&rig, BEAD));
    int steps = (int)(0.25f / (16.0f * sub_step));
    for (int i = 0; i < steps; ++i) {
        link_rig_step(&rig);
        assert_true(link_rig_ulps(&rig, 0) <= 0.5f);
    }
    float time = (float)(steps * 16) * sub_step;
    sn_vec3 velocity = link_rig_velocity(&rig, BEAD);
    if (expected > 0.0f) {
        assert_near(sn_dot(velocity, downhill) / (expected * time), 1.0f, 0.01f);
        float displacement = sn_dot(link_rig_place(&rig, BEAD), downhill) + 0.4f;
        assert_near(displacement / (0.5f * expected * time * time), 1.0f, 0.02f);
    } else {
        assert_near3(velocity, sn_v(0.0f, 0.0f, 0.0f), 1.0e-6f);
        assert_near3(link_rig_place(&rig, BEAD), sn_scale(downhill, -0.4f), 1.0e-6f);
    }
    finish();
}

static void test_beads_on_strands_slide_as_coulomb_says(void **state)
{
    (void)state;
    check_slope(strand(4.0f, 40), 0.5f, 0.0f, 0.001f);
    check_slope(strand(4.0f, 40), 0.5f, 0.3f, 0.001f);
    check_slope(strand(4.0f, 40), 0.5f, 0.5f, 0.001f);
    check_slope(strand(4.0f, 40), 0.5f, 0.56f, 0.001f); // tan 0.5 = 0.546
    check_slope(strand(4.0f, 40), 0.5f, 1.0f, 0.001f);
    check_slope(strand(4.0f, 7), 0.2f, 0.1f, 0.0005f);
}

static void test_beads_on_sheets_slide_as_coulomb_says(void **state)
{
    (void)state;
    check_slope(sheet(4.0f, 20), 0.5f, 0.0f, 0.001f);
    check_slope(sheet(4.0f, 20), 0.5f, 0.3f, 0.001f);
    check_slope(sheet(4.0f, 20), 0.5f, 0.5f, 0.001f);
    check_slope(sheet(4.0f, 20), 0.5f, 0.56f, 0.001f);
    check_slope(sheet(4.0f, 11), 1.0f, 0.7f, 0.0005f);
}

// Friction stops it, and lets it stay there.
static void test_a_bead_that_is_thrown_along_a_sheet_stops_after_the_right_way(void **state)
{
    (void)state;
    sn_exact_link *link = make(sheet(4.0f, 20), 0.0f, 0.0f, 0.001f, 16);
    link->friction = 0.4f;
    put_bead(0.2f, sn_v(-1.1f, 0.0f, 0.03f), sn_v(2.0f, 0.0f, 0.5f));
    for (int i = 0; i < 60; ++i) {
        link_rig_step(&rig);
    }
    sn_vec3 place = link_rig_place(&rig, BEAD);
    float displacement = sn_distance_between(place, sn_v(-1.1f, 0.0f, 0.03f));
    assert_near(displacement, 4.25f / (2.0f * 0.4f * gravity), 0.01f * displacement);
    for (int i = 0; i < 60; ++i) {
        link_rig_step(&rig);
    }
    assert_near3(link_rig_place(&rig, BEAD), place, 1.0e-6f);
    assert_near3(rig.forces[0], sn_v(0.0f, 0.2f * gravity, 0.0f), 1.0e-3f);
    finish();
}

// --- energy and momentum -----------------------------------------------------------------------------------

// Along a strand without friction or gravity nothing is lost, though it crosses pieces all the time.
static void test_sliding_without_friction_keeps_energy(void **state)
{
    (void)state;
    (void)make(strand(4.0f, 40), 0.7f, 0.0f, 0.001f, 16);
    rig.range.gravity = sn_v(0.0f, 0.0f, 0.0f);
    sn_vec3 along = {sn_cos(0.7f), sn_sin(0.7f), 0.0f};
    put_bead(0.2f, sn_scale(along, -1.5f), sn_scale(along, 3.0f));
    for (int i = 0; i < 60; ++i) {
        link_rig_step(&rig);
    }
    assert_near3(link_rig_velocity(&rig, BEAD), sn_scale(along, 3.0f), 1.0e-4f);
    assert_near3(link_rig_place(&rig, BEAD), sn_scale(along, 1.38f), 1.0e-4f);
    finish();
}

// On free nodes: what the bead gets the strand gives.
static void test_linear_momentum_is_kept_while_sliding(void **state)
{
    (void)state;
    sn_exact_link *link = make(strand(4.0f, 12), 0.0f, 0.3f, 0.001f, 16);
    link->friction = 0.2f;
    rig.range.gravity = sn_v(0.0f, 0.0f, 0.0f);
    test_random random = {9};
    for (int i = 0; i < 13; ++i) {
        rig.nodes.velocities.data[GROUND + i].velocity = test_random_vec3(&random, 0.3f);
    }
    put_bead(0.5f, sn_v(-1.0f, 0.0f, 0.0f), sn_v(3.0f, 0.2f, -0.1f));
    double before[6], after[6];
    link_rig_momentum(&rig, before);
    for (int i = 0; i < 30; ++i) {
        link_rig_step(&rig);
        assert_float_equal(link_rig_ulps(&rig, 0), 0.0f, 0.0f);
    }
    link_rig_momentum(&rig, after);
    for (int i = 0; i < 3; ++i) {
        assert_near((float)(after[i] - before[i]), 0.0f, 4.0e-6f); // of 2.7 kg m/s
    }
    finish();
}

// --- rims --------------------------------------------------------------------------------------------------

static void check_rim(sn_mesh *mesh, sn_vec3 stop)
{
    (void)make(mesh, 0.0f, 0.0f, 0.001f, 16);
    put_bead(0.2f, sn_v(0.5f, 0.0f, 0.0f), sn_v(5.0f, 0.0f, 0.0f));
    for (int i = 0; i < 20; ++i) {
        link_rig_step(&rig);
        assert_true(link_rig_place(&rig, BEAD).x <= 1.0f + 1.0e-6f);
    }
    assert_near3(link_rig_place(&rig, BEAD), stop, 1.0e-6f);
    assert_near3(link_rig_velocity(&rig, BEAD), sn_v(0.0f, 0.0f, 0.0f), 1.0e-5f);
    rig.nodes.velocities.data[BEAD].velocity = sn_v(-1.0f, 0.0f, 0.0f); // and back again
    link_rig_step(&rig);
    link_rig_step(&rig);
    assert_near(link_rig_place(&rig, BEAD).x, 1.0f - 0.032f, 1.0e-4f);
    finish();
}

static void test_ends_and_rims_stop_a_bead(void **state)
{
    (void)state;
    check_rim(strand(2.0f, 10), sn_v(1.0f, 0.0f, 0.0f));
    check_rim(sheet(2.0f, 10), sn_v(1.0f, 0.0f, 0.0f));
}

// --- together with others ----------------------------------------------------------------------------------

// Two beads on one edge of a free strand meet in one system; the strand hangs on a link of its own.
static void test_beads_on_one_piece_are_solved_together(void **state)
{
    (void)state;
    sn_mesh *mesh = strand(2.0f, 2);
    int nodes = sn_mesh_node_count(mesh);
    (void)make(mesh, 0.3f, 0.5f, 0.001f, 16);
    (void)nodes;
    put_bead(0.2f, link_rig_place(&rig, GROUND + 1), sn_v(0.0f, 0.0f, 0.0f));
    // The second bead is the last node, which the strand does without.
    sn_closest_point other = {.piece = -1};
    sn_exact_link *second = link_rig_add(&rig, end_of_node(GROUND + 2), (sn_exact_end){0});
    surface.piece_count = 1;
    second->sliding = 1;
    second->surface = &surface;
    second->first_node = GROUND;
    second->closest = &other;
    (void)link_rig_add(&rig, end_of_place(link_rig_place(&rig, GROUND)), end_of_node(GROUND));
    for (int i = 0; i < 60; ++i) {
        link_rig_step(&rig);
        for (int k = 0; k < 3; ++k) {
            assert_true(link_rig_ulps(&rig, k) <= 4.0f);
        }
    }
    surface.piece_count = 2;
    finish();
}

static void test_nothing_to_slide_on_does_nothing(void **state)
{
    (void)state;
    sn_exact_link *link = make(strand(2.0f, 2), 0.0f, 0.0f, 0.001f, 4);
    sn_closest_surface none = {.corner_count = 2};
    link->surface = &none;
    put_bead(0.2f, sn_v(0.0f, 1.0f, 0.0f), sn_v(1.0f, 0.0f, 0.0f));
    rig.range.gravity = sn_v(0.0f, 0.0f, 0.0f);
    link_rig_step(&rig);
    assert_near3(link_rig_place(&rig, BEAD), sn_v(0.004f, 1.0f, 0.0f), 1.0e-6f);
    finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beads_on_strands_slide_as_coulomb_says),
        cmocka_unit_test(test_beads_on_sheets_slide_as_coulomb_says),
        cmocka_unit_test(test_a_bead_that_is_thrown_along_a_sheet_stops_after_the_right_way),
        cmocka_unit_test(test_sliding_without_friction_keeps_energy),
        cmocka_unit_test(test_linear_momentum_is_kept_while_sliding),
        cmocka_unit_test(test_ends_and_rims_stop_a_bead),
        cmocka_unit_test(test_beads_on_one_piece_are_solved_together),
        cmocka_unit_test(test_nothing_to_slide_on_does_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
