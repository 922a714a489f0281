// Projections onto lengths and volumes, in both builds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/goals/projection_block.h"
#include "support/random.h"

#include <math.h>
#include <string.h>

// One block: each of seven lanes has four nodes of its own; the eighth is padding.
enum { ROWS = 7, NODES = 4 * ROWS + 1 };

typedef struct bench {
    sn_node_state places[NODES];
    sn_length_block length;
    sn_volume_block volume;
    sn_projection_pass pass;
} bench;

static void make(bench *b, uint64_t seed)
{
    test_random random = {seed};
    memset(b, 0, sizeof *b);
    for (int i = 1; i < NODES; ++i) {
        b->places[i] =
            (sn_node_state){test_random_vec3(&random, 1.0f), test_random_float(&random, 0.5f, 3.0f)};
    }
    for (int row = 0; row < ROWS; ++row) {
        for (int k = 0; k < 4; ++k) {
            b->volume.node[k][row] = 4 * row + k + 1;
            b->length.node[k % 2][row] = 4 * row + k % 2 + 1;
        }
        b->length.rest.lane[row] = test_random_float(&random, 0.2f, 1.0f);
        b->volume.six_fold.lane[row] = test_random_float(&random, 0.2f, 1.0f);
        b->volume.size.lane[row] = 100.0f;
    }
    b->pass = (sn_projection_pass){.places = b->places, .length_share = 1.0f, .volume_share = 0.01f};
}

static double length_error(const bench *b, int row)
{
    sn_vec3 a = b->places[4 * row + 1].position, c = b->places[4 * row + 2].position;
    return (double)sn_distance_between(a, c) - (double)b->length.rest.lane[row];
}

static double volume_error(const bench *b, int row)
{
    const sn_node_state *x = &b->places[4 * row + 1];
    sn_vec3 e1 = sn_sub(x[1].position, x[0].position), e2 = sn_sub(x[2].position, x[0].position);
    sn_vec3 e3 = sn_sub(x[3].position, x[0].position);
    return (double)sn_dot(sn_cross(e2, e3), e1) - (double)b->volume.six_fold.lane[row];
}

static sn_vec3 mass_center(const bench *b, int row)
{
    sn_vec3 sum = sn_v(0.0f, 0.0f, 0.0f);
    float mass = 0.0f;
    for (int k = 1; k <= 4; ++k) {
        float m = 1.0f / b->places[4 * row + k].inverse_mass;
        sum = sn_add_scaled(sum, m, b->places[4 * row + k].position);
        mass += m;
    }
    return sn_scale(sum, 1.0f / mass);
}

static void test_a_length_is_right_at_once_and_keeps_the_mass_centre(void **state)
{
    (void)state;
    bench b;
    make(&b, 1);
    for (int row = 0; row < ROWS; ++row) {
        assert_true(fabs(length_error(&b, row)) > 1e-3);
    }
    sn_vec3 before = mass_center(&b, 3);
    sn_projections_base.lengths(&b.pass, &b.length, 0, 1);
    for (int row = 0; row < ROWS; ++row) {
        assert_true(fabs(length_error(&b, row)) < 1e-6);
    }
    assert_true(sn_distance_between(before, mass_center(&b, 3)) < 1e-6f);
}

static void test_a_volume_loses_its_share_of_the_error(void **state)
{
    (void)state;
    bench b;
    double before[ROWS];
    make(&b, 2);
    for (int row = 0; row < ROWS; ++row) {
        before[row] = volume_error(&b, row);
    }
    sn_vec3 center = mass_center(&b, 5);
    sn_projections_base.volumes(&b.pass, &b.volume, 0, 1);
    for (int row = 0; row < ROWS; ++row) {
        // To first order.
        assert_true(fabs(volume_error(&b, row) / before[row] - 0.99) < 2e-3);
    }
    assert_true(sn_distance_between(center, mass_center(&b, 5)) < 1e-6f);
}

static void test_a_volume_flat_to_a_line_moves_no_node_farther_than_its_size(void **state)
{
    (void)state;
    bench b;
    make(&b, 3);
    b.pass.volume_share = 1.0f;
    b.volume.size.lane[0] = 0.1f;
    for (int k = 1; k <= 4; ++k) {
        b.places[k].position = sn_v((float)k, k == 4 ? 1.0e-4f : 0.0f, k == 3 ? 1.0e-4f : 0.0f);
    }
    bench before = b;
    sn_projections_base.volumes(&b.pass, &b.volume, 0, 1);
    for (int k = 1; k <= 4; ++k) {
        assert_true(sn_distance_between(b.places[k].position, before.places[k].position) < 0.1001f);
    }
}

static void test_fixed_nodes_ends_that_coincide_and_the_dummy_stay(void **state)
{
    (void)state;
    bench b;
    make(&b, 4);
    b.places[2].position = b.places[1].position;
    for (int k = 1; k <= 4; ++k) {
        b.places[4 + k].inverse_mass = 0.0f;
    }
    b.places[9].position.x = NAN;
    bench before = b;
    sn_projections_base.lengths(&b.pass, &b.length, 0, 1);
    assert_memory_equal(b.places, before.places, 9 * sizeof *b.places);
    assert_memory_equal(&b.places[10], &before.places[10], sizeof *b.places);
    sn_projections_base.volumes(&b.pass, &b.volume, 0, 1);
    assert_memory_equal(&b.places[5], &before.places[5], 4 * sizeof *b.places);
    assert_memory_equal(&b.places[10], &before.places[10], 3 * sizeof *b.places);
    assert_memory_equal(&b.places[0], &before.places[0], sizeof *b.places);
}

static void test_both_builds_give_the_same_bits(void **state)
{
    (void)state;
    for (uint64_t seed = 10; seed < 30; ++seed) {
        bench a, b;
        make(&a, seed);
        make(&b, seed);
        for (int i = 0; i < 5; ++i) {
            sn_projections_base.lengths(&a.pass, &a.length, 0, 1);
            sn_projections_base.volumes(&a.pass, &a.volume, 0, 1);
            sn_projections_pick()->lengths(&b.pass, &b.length, 0, 1);
            sn_projections_pick()->volumes(&b.pass, &b.volume, 0, 1);
        }
        assert_memory_equal(a.places, b.places, sizeof a.places);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_length_is_right_at_once_and_keeps_the_mass_centre),
        cmocka_unit_test(test_a_volume_loses_its_share_of_the_error),
        cmocka_unit_test(test_a_volume_flat_to_a_line_moves_no_node_farther_than_its_size),
        cmocka_unit_test(test_fixed_nodes_ends_that_coincide_and_the_dummy_stay),
        cmocka_unit_test(test_both_builds_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
