// Energies of edges, triangles and tetrahedra as forces: gradients, what they keep, and how they resist.
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/forces/terms.h"
#include "support/memory.h"
#include "support/random.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// More terms than lanes, so that blocks are full and not full.
enum { NODES = 20, EDGES = 29, AREAS = 13, VOLUMES = 11 };
static const int term_counts[SN_TERM_FAMILIES] = {EDGES, AREAS, VOLUMES};

typedef struct cloud {
    sn_terms terms;
    sn_node_state nodes[NODES];
    sn_node_velocity velocities[NODES];
    sn_node_force forces[NODES];
} cloud;

static void pick_nodes(test_random *random, int count, int node[4])
{
    for (int k = 0; k < count; ++k) {
        bool taken = true;
        while (taken) {
            node[k] = (int)(test_random_u32(random) % NODES);
            taken = false;
            for (int j = 0; j < k; ++j) {
                taken = taken || node[j] == node[k];
            }
        }
    }
}

static void cloud_make(cloud *c, uint64_t seed, float damping)
{
    test_random random = {seed};
    *c = (cloud){0};
    assert_true(sn_terms_make(&c->terms, NODES, term_counts));
    c->terms.sets[SN_TERM_EDGES].stiffness = 3.0f;
    c->terms.sets[SN_TERM_EDGES].damping = damping;
    c->terms.sets[SN_TERM_AREAS].stiffness = 2.0f;
    c->terms.sets[SN_TERM_VOLUMES].stiffness = 1.5f;
    for (int i = 0; i < NODES; ++i) {
        c->nodes[i] = (sn_node_state){test_random_vec3(&random, 1.0f), 1.0f};
        c->velocities[i].velocity = test_random_vec3(&random, 1.0f);
    }
    for (int i = 0; i < EDGES; ++i) {
        sn_term term = {.rest = 0.7f, .inverse_scale = 1.0f};
        pick_nodes(&random, 2, term.node);
        sn_terms_put(&c->terms, SN_TERM_EDGES, i, term);
    }
    for (int i = 0; i < AREAS; ++i) {
        sn_term term = {.rest = 0.8f, .inverse_scale = 1.25f};
        pick_nodes(&random, 3, term.node);
        sn_terms_put(&c->terms, SN_TERM_AREAS, i, term);
    }
    for (int i = 0; i < VOLUMES; ++i) {
        sn_term term = {.rest = 0.3f, .inverse_scale = 2.0f};
        pick_nodes(&random, 4, term.node);
        sn_terms_put(&c->terms, SN_TERM_VOLUMES, i, term);
    }
}

static void cloud_look(cloud *c)
{
    sn_force_field field = sn_terms_field(&c->terms);
    field.forces(field.model, c->nodes, c->velocities, c->forces, NULL);
}

static void resist(cloud *c, sn_resistance resistance, const sn_vec3 *field, sn_vec3 *forces)
{
    sn_force_field f = sn_terms_field(&c->terms);
    f.resist(f.model, c->nodes, resistance, field, forces, NULL);
}

// --- energy in double --------------------------------------------------------------------------------------

typedef struct point {
    double c[3];
} point;

static point minus(point a, point b)
{
    return (point){{a.c[0] - b.c[0], a.c[1] - b.c[1], a.c[2] - b.c[2]}};
}

static point cross(point a, point b)
{
    return (point){{a.c[1] * b.c[2] - a.c[2] * b.c[1], a.c[2] * b.c[0] - a.c[0] * b.c[2],
                    a.c[0] * b.c[1] - a.c[1] * b.c[0]}};
}

static double dot(point a, point b)
{
    return a.c[0] * b.c[0] + a.c[1] * b.c[1] + a.c[2] * b.c[2];
}

// ½ k C², going on straight beyond the limit.
static double energy_of(double error, double k)
{
    double size = fabs(error), limit = (double)SN_TERM_LIMIT;
    return size < limit ? 0.5 * k * size * size : 0.5 * k * limit * limit + k * limit * (size - limit);
}

static double energy(const cloud *c, const point *x)
{
    double sum = 0.0;
    for (int i = 0; i < EDGES; ++i) {
        const sn_term_block *b = &c->terms.sets[SN_TERM_EDGES].blocks[i / SN_LANES];
        point along = minus(x[b->node[1][i % SN_LANES]], x[b->node[0][i % SN_LANES]]);
        double stretch = sqrt(dot(along, along)) - (double)0.7f;
        sum += 0.5 * 3.0 * stretch * stretch;
    }
    for (int i = 0; i < AREAS; ++i) {
        const sn_term_block *b = &c->terms.sets[SN_TERM_AREAS].blocks[i / SN_LANES];
        int k = i % SN_LANES;
        point n = cross(minus(x[b->node[1][k]], x[b->node[0][k]]), minus(x[b->node[2][k]], x[b->node[0][k]]));
        sum += energy_of((0.5 * sqrt(dot(n, n)) - (double)0.8f) * 1.25, 2.0);
    }
    for (int i = 0; i < VOLUMES; ++i) {
        const sn_term_block *b = &c->terms.sets[SN_TERM_VOLUMES].blocks[i / SN_LANES];
        int k = i % SN_LANES;
        point e[3];
        for (int n = 0; n < 3; ++n) {
            e[n] = minus(x[b->node[n + 1][k]], x[b->node[0][k]]);
        }
        sum += energy_of((dot(e[0], cross(e[1], e[2])) / 6.0 - (double)0.3f) * 2.0, 1.5);
    }
    return sum;
}

// --- forces ------------------------------------------------------------------------------------------------

static void test_elastic_forces_are_the_slope_of_the_energy(void **state)
{
    (void)state;
    cloud c;
    point x[NODES];
    cloud_make(&c, 3, 0.0f);
    cloud_look(&c);
    for (int i = 0; i < NODES; ++i) {
        sn_vec3 p = c.nodes[i].position;
        x[i] = (point){{(double)p.x, (double)p.y, (double)p.z}};
    }
    double stored = energy(&c, x);
    assert_true(fabs(sn_terms_energy(&c.terms, c.nodes) - stored) < 1.0e-6 * stored);
    const double small = 1.0e-5;
    for (int i = 0; i < NODES; ++i) {
        double force[3] = {(double)c.forces[i].force.x, (double)c.forces[i].force.y,
                           (double)c.forces[i].force.z};
        for (int k = 0; k < 3; ++k) {
            double here = x[i].c[k];
            x[i].c[k] = here + small;
            double above = energy(&c, x);
            x[i].c[k] = here - small;
            double below = energy(&c, x);
            x[i].c[k] = here;
            double slope = (above - below) / (2.0 * small);
            assert_true(fabs(force[k] + slope) < 2.0e-5);
        }
    }
    sn_terms_release(&c.terms);
}

// −d n (n · (v_b − v_a)).
static void test_damping_acts_along_edges(void **state)
{
    (void)state;
    cloud damped, plain;
    cloud_make(&damped, 5, 0.6f);
    cloud_make(&plain, 5, 0.0f);
    cloud_look(&damped);
    cloud_look(&plain);
    sn_vec3 expected[NODES] = {{0}};
    for (int i = 0; i < EDGES; ++i) {
        const sn_term_block *block = &damped.terms.sets[SN_TERM_EDGES].blocks[i / SN_LANES];
        int a = block->node[0][i % SN_LANES], b = block->node[1][i % SN_LANES];
        sn_vec3 n = sn_normalize(sn_sub(damped.nodes[b].position, damped.nodes[a].position));
        float pull = 0.6f * sn_dot(n, sn_sub(damped.velocities[b].velocity, damped.velocities[a].velocity));
        expected[a] = sn_add_scaled(expected[a], pull, n);
        expected[b] = sn_add_scaled(expected[b], -pull, n);
    }
    for (int i = 0; i < NODES; ++i) {
        sn_vec3 difference = sn_sub(damped.forces[i].force, plain.forces[i].force);
        assert_true(sn_length(sn_sub(difference, expected[i])) < 1.0e-5f);
    }
    sn_terms_release(&damped.terms);
    sn_terms_release(&plain.terms);
}

static void test_forces_have_no_sum_and_no_torque(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 20; ++seed) {
        cloud c;
        cloud_make(&c, seed, 0.5f);
        cloud_look(&c);
        sn_vec3 sum = {0}, torque = {0};
        for (int i = 0; i < NODES; ++i) {
            sum = sn_add(sum, c.forces[i].force);
            torque = sn_add(torque, sn_cross(c.nodes[i].position, c.forces[i].force));
        }
        assert_true(sn_length(sum) < 1.0e-5f && sn_length(torque) < 1.0e-5f);
        sn_terms_release(&c.terms);
    }
}

static void test_base_and_avx2_builds_give_the_same_bits(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 20; ++seed) {
        cloud base, fast;
        setenv("SINEW_NO_AVX2", "1", 1);
        cloud_make(&base, seed, seed % 2 == 0 ? 0.5f : 0.0f);
        unsetenv("SINEW_NO_AVX2");
        cloud_make(&fast, seed, seed % 2 == 0 ? 0.5f : 0.0f);
        cloud_look(&base);
        cloud_look(&fast);
        assert_memory_equal(base.forces, fast.forces, sizeof base.forces);
        sn_vec3 field[NODES], answers[2][NODES];
        for (int i = 0; i < NODES; ++i) {
            field[i] = base.velocities[i].velocity;
        }
        resist(&base, (sn_resistance){0.7f, 0.3f}, field, answers[0]);
        resist(&fast, (sn_resistance){0.7f, 0.3f}, field, answers[1]);
        assert_memory_equal(answers[0], answers[1], sizeof answers[0]);
        sn_terms_release(&base.terms);
        sn_terms_release(&fast.terms);
    }
}

static void test_collapsed_terms_stay_finite(void **state)
{
    (void)state;
    cloud c;
    cloud_make(&c, 7, 0.5f);
    for (int i = 0; i < NODES; ++i) {
        c.nodes[i].position = sn_v(1.0f, 2.0f, 3.0f);
    }
    cloud_look(&c);
    for (int i = 0; i < NODES; ++i) {
        assert_true(sn_vec3_is_finite(c.forces[i].force));
    }
    sn_terms_release(&c.terms);
}

// --- resistance --------------------------------------------------------------------------------------------

static double work(const sn_vec3 *a, const sn_vec3 *b)
{
    double sum = 0.0;
    for (int i = 0; i < NODES; ++i) {
        sum += (double)sn_dot(a[i], b[i]);
    }
    return sum;
}

static void test_resistance_is_symmetric_and_never_gives_way(void **state)
{
    (void)state;
    test_random random = {11};
    for (uint64_t seed = 1; seed < 20; ++seed) {
        cloud c;
        sn_vec3 u[NODES], v[NODES], of_u[NODES], of_v[NODES];
        cloud_make(&c, seed, 0.5f);
        for (int i = 0; i < NODES; ++i) {
            u[i] = test_random_vec3(&random, 1.0f);
            v[i] = test_random_vec3(&random, 1.0f);
        }
        resist(&c, (sn_resistance){0.7f, 0.3f}, u, of_u);
        resist(&c, (sn_resistance){0.7f, 0.3f}, v, of_v);
        assert_true(fabs(work(u, of_v) - work(v, of_u)) < 1.0e-3);
        assert_true(work(u, of_u) < 0.0);
        sn_terms_release(&c.terms);
    }
}

// Of stretched edges all of it counts: that is how forces change with places.
static void test_stiffness_of_stretched_edges_is_exact(void **state)
{
    (void)state;
    sn_terms terms;
    assert_true(sn_terms_make(&terms, 2, (const int[]){1, 0, 0}));
    terms.sets[SN_TERM_EDGES].stiffness = 8.0f;
    sn_terms_put(&terms, SN_TERM_EDGES, 0, (sn_term){.node = {0, 1}, .rest = 1.0f, .inverse_scale = 1.0f});
    sn_force_field field = sn_terms_field(&terms);
    sn_node_state nodes[2] = {{{0.0f, 0.0f, 0.0f}, 1.0f}, {{1.5f, 0.0f, 0.0f}, 1.0f}};
    sn_vec3 u[2] = {{0.0f, 0.0f, 0.0f}, {1.0f, 3.0f, 0.0f}}, forces[2];
    field.resist(field.model, nodes, (sn_resistance){1.0f, 0.0f}, u, forces, NULL);
    // k along it, k (1 − 1/1.5) across it.
    assert_true(sn_length(sn_sub(forces[1], sn_v(-8.0f, -8.0f, 0.0f))) < 1.0e-5f);
    nodes[1].position.x = 0.5f;
    field.resist(field.model, nodes, (sn_resistance){1.0f, 0.0f}, u, forces, NULL);
    assert_true(sn_length(sn_sub(forces[1], sn_v(-8.0f, 0.0f, 0.0f))) < 1.0e-5f);
    sn_terms_release(&terms);
}

static void test_diagonal_blocks_are_those_of_the_resistance(void **state)
{
    (void)state;
    cloud c;
    sn_sym3 blocks[NODES] = {{0}};
    cloud_make(&c, 13, 0.5f);
    sn_force_field f = sn_terms_field(&c.terms);
    f.add_diagonal(f.model, c.nodes, (sn_resistance){0.7f, 0.3f}, blocks);
    for (int i = 0; i < NODES; ++i) {
        for (int k = 0; k < 3; ++k) {
            sn_vec3 u[NODES] = {{0}}, forces[NODES];
            sn_vec3 unit = sn_v(k == 0 ? 1.0f : 0.0f, k == 1 ? 1.0f : 0.0f, k == 2 ? 1.0f : 0.0f);
            u[i] = unit;
            resist(&c, (sn_resistance){0.7f, 0.3f}, u, forces);
            assert_true(sn_length(sn_add(forces[i], sn_sym3_apply(blocks[i], unit))) < 1.0e-4f);
        }
    }
    sn_terms_release(&c.terms);
}

// The largest eigenvalue by iteration of the blocks themselves, in the state of the cloud and far from rest.
static void test_diagonal_bound_is_no_less_than_the_blocks(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 20; ++seed) {
        cloud c;
        sn_sym3 blocks[NODES] = {{0}};
        cloud_make(&c, seed, 0.5f);
        for (int i = 0; i < NODES; ++i) {
            c.nodes[i].position = sn_scale(c.nodes[i].position, seed % 2 == 0 ? 3.0f : 0.3f);
        }
        sn_force_field f = sn_terms_field(&c.terms);
        sn_resistance resistance = {0.7f, 0.3f};
        float bound = f.diagonal_bound(f.model, c.nodes, resistance), largest = 0.0f;
        f.add_diagonal(f.model, c.nodes, resistance, blocks);
        for (int i = 0; i < NODES; ++i) {
            sn_vec3 direction = sn_v(0.5f, 0.6f, 0.7f);
            for (int k = 0; k < 30; ++k) {
                direction = sn_normalize(sn_sym3_apply(blocks[i], direction));
            }
            float eigenvalue = sn_dot(direction, sn_sym3_apply(blocks[i], direction));
            largest = sn_max(largest, c.nodes[i].inverse_mass * eigenvalue);
        }
        assert_true(largest > 0.0f);
        assert_true(bound >= largest);
        assert_true(bound < 40.0f * largest); // or it would spare nothing
        sn_terms_release(&c.terms);
    }
}

// Gershgorin's bound of the sums of |K_ij|, K by differences of the forces.
static void test_bounds_are_no_less_than_the_stiffness(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 10; ++seed) {
        cloud c;
        float sums[NODES] = {0.0f};
        cloud_make(&c, seed, 0.0f);
        for (int f = 0; f < SN_TERM_FAMILIES; ++f) {
            c.terms.kernels->bounds[f](&c.terms.sets[f], c.nodes, sums);
        }
        const float small = 1.0e-3f;
        for (int j = 0; j < NODES; ++j) {
            sn_vec3 here = c.nodes[j].position, along = test_random_vec3(&(test_random){seed}, 1.0f);
            sn_node_force above[NODES];
            c.nodes[j].position = sn_add_scaled(here, small, sn_normalize(along));
            cloud_look(&c);
            memcpy(above, c.forces, sizeof above);
            c.nodes[j].position = here;
            cloud_look(&c);
            float stiffness = sn_length(sn_sub(above[j].force, c.forces[j].force)) / small;
            assert_true(stiffness < 1.01f * sums[j] + 1.0e-2f);
        }
        sn_terms_release(&c.terms);
    }
}

static void test_making_without_memory_fails_and_leaks_nothing(void **state)
{
    (void)state;
    for (int allowed = 0; allowed < 7; ++allowed) {
        sn_terms terms;
        test_memory_allow(allowed);
        assert_false(sn_terms_make(&terms, NODES, term_counts));
        test_memory_allow_all();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_elastic_forces_are_the_slope_of_the_energy),
        test_with_memory(test_damping_acts_along_edges),
        test_with_memory(test_forces_have_no_sum_and_no_torque),
        test_with_memory(test_base_and_avx2_builds_give_the_same_bits),
        test_with_memory(test_collapsed_terms_stay_finite),
        test_with_memory(test_resistance_is_symmetric_and_never_gives_way),
        test_with_memory(test_stiffness_of_stretched_edges_is_exact),
        test_with_memory(test_diagonal_blocks_are_those_of_the_resistance),
        test_with_memory(test_diagonal_bound_is_no_less_than_the_blocks),
        test_with_memory(test_bounds_are_no_less_than_the_stiffness),
        test_with_memory(test_making_without_memory_fails_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
