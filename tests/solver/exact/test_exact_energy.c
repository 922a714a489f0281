// Links that slide add no energy, however far light nodes are turned by them; what nails put in arrives.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/link_rig.h"
#include "support/near.h"

#include <math.h>

enum { CLOSEST_POINTS = 6 };

static link_rig rig;
static sn_closest_surface surface;
static sn_closest_point closest_points[CLOSEST_POINTS];

static void slide_on(sn_mesh *mesh, int first_node)
{
    for (int i = 0; i < mesh->node_count; ++i) {
        mesh->nodes[i] = link_rig_place(&rig, first_node + i);
    }
    assert_true(sn_closest_surface_make(&surface, mesh));
    sn_mesh_destroy(mesh);
    for (int i = 0; i < rig.stage.link_count; ++i) {
        closest_points[i] = (sn_closest_point){.piece = -1};
        rig.links[i].sliding = 0;
        rig.links[i].surface = &surface;
        rig.links[i].first_node = first_node;
        rig.links[i].closest = &closest_points[i];
    }
}

static void finish(void)
{
    sn_closest_surface_release(&surface);
    link_rig_free(&rig);
}

static double energy_of_nodes(void)
{
    double sum = 0.0;
    for (int i = 1; i <= rig.range.count; ++i) {
        sn_vec3 v = link_rig_velocity(&rig, i);
        sum += 0.5 / (double)rig.nodes.states.data[i].inverse_mass * (double)sn_dot(v, v);
    }
    return sum;
}

// Heavy sliding nodes almost in a line hold a light square; across that line it turns by as much as they
// move.
static void check_square(float mass, float friction, uint64_t seed)
{
    test_random random = {seed};
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_grid(1.0f, 1.0f, 1, 1, SN_GRID_ALTERNATING, &mesh), SN_OK);
    link_rig_make(&rig, 0, 0, CLOSEST_POINTS + 4, 0.001f, 16);
    for (int i = 0; i < CLOSEST_POINTS; ++i) {
        sn_vec3 place = {-0.3f + 0.1f * (float)i, test_random_float(&random, -0.01f, 0.01f), 0.0f};
        link_rig_node(&rig, 1 + i, 1.0f, place, test_random_vec3(&random, 1.0f));
        link_rig_add(&rig, (sn_exact_end){0}, end_of_node(1 + i))->friction = friction;
    }
    for (int i = 0; i < 4; ++i) {
        link_rig_node(&rig, 1 + CLOSEST_POINTS + i, mass, sn_mesh_nodes(mesh)[i], sn_v(0.0f, 0.0f, 0.0f));
    }
    slide_on(mesh, 1 + CLOSEST_POINTS);
    double before[6], after[6], energy = energy_of_nodes();
    link_rig_momentum(&rig, before);
    for (int i = 0; i < 60; ++i) {
        link_rig_step(&rig);
        double now = energy_of_nodes();
        assert_true(now <= energy * (1.0 + 1.0e-5));
        energy = now;
    }
    link_rig_momentum(&rig, after);
    for (int i = 0; i < 3; ++i) {
        assert_near((float)(after[i] - before[i]), 0.0f, 1.0e-5f);
    }
    finish();
}

static void test_sliding_nodes_that_turn_a_light_square_gain_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; ++seed) {
        check_square(1.0e-3f, 0.0f, seed);
        check_square(1.0e-3f, 0.5f, seed);
        check_square(1.0e-5f, 0.0f, seed);
    }
}

// A nail that is moved takes a strand along that it slides on: it does work.
static void test_a_nail_that_moves_puts_energy_in(void **state)
{
    (void)state;
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_line(1.0f, 1, &mesh), SN_OK);
    link_rig_make(&rig, 0, 0, 2, 0.001f, 16);
    link_rig_node(&rig, 1, 1.0f, sn_v(-0.5f, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 0.0f));
    link_rig_node(&rig, 2, 1.0f, sn_v(0.5f, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 0.0f));
    sn_exact_link *link = link_rig_add(&rig, (sn_exact_end){0}, end_of_place(sn_v(0.0f, 0.0f, 0.0f)));
    link->displacement = sn_v(0.0f, 0.032f, 0.0f); // 2 m/s
    slide_on(mesh, 1);
    for (int i = 0; i < 5; ++i) {
        link_rig_step(&rig);
    }
    for (int i = 1; i <= 2; ++i) {
        assert_near3(link_rig_velocity(&rig, i), sn_v(0.0f, 2.0f, 0.0f), 1.0e-4f);
        assert_near(link_rig_place(&rig, i).y, 0.16f, 1.0e-5f);
    }
    finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sliding_nodes_that_turn_a_light_square_gain_nothing),
        cmocka_unit_test(test_a_nail_that_moves_puts_energy_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
