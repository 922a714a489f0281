// Nodes four at a time against nodes one at a time: the same bits.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solver/nodes/node_motion.h"
#include "support/random.h"

#include <math.h>
#include <string.h>

enum { NODES = 23 };

static const float h = 1.0f / 700.0f;

typedef struct cloud {
    sn_node_state states[NODES];
    sn_node_velocity velocities[NODES];
    sn_vec3 forces[NODES], starts[NODES], moved[NODES];
} cloud;

static sn_node_run run_of(cloud *c)
{
    return (sn_node_run){c->states, c->velocities, c->forces, c->starts, c->moved};
}

// Every fifth node is fixed, every seventh faster than allowed, and one is nowhere.
static void fill(cloud *c, uint64_t seed)
{
    test_random random = {seed};
    memset(c, 0, sizeof *c);
    for (int i = 0; i < NODES; ++i) {
        float inverse_mass = i % 5 == 0 ? 0.0f : test_random_float(&random, 0.1f, 9.0f);
        float speed = i % 7 == 0 ? 9.0f * SN_MAX_SPEED : 4.0f;
        c->states[i] = (sn_node_state){test_random_vec3(&random, 3.0f), inverse_mass};
        c->velocities[i].velocity = test_random_vec3(&random, speed);
        c->forces[i] = test_random_vec3(&random, 10.0f);
        c->starts[i] = test_random_vec3(&random, 3.0f);
        c->moved[i] = test_random_vec3(&random, 0.1f);
    }
    c->velocities[17].velocity = sn_v(NAN, 1.0f, 2.0f);
}

static void test_pushes_have_the_same_bits_however_many_nodes_go_at_once(void **state)
{
    (void)state;
    const sn_node_range range = {.gravity = {0.5f, -9.81f, 0.25f}, .linear_damping = 0.3f};
    for (uint64_t seed = 1; seed < 20; ++seed) {
        cloud together, alone, before;
        fill(&together, seed);
        fill(&alone, seed);
        fill(&before, seed);
        sn_node_run_push(run_of(&together), &range, h, 1, NODES);
        for (int i = 1; i < NODES; ++i) {
            sn_node_run_push(run_of(&alone), &range, h, i, i + 1);
        }
        assert_memory_equal(&together, &alone, sizeof alone);
        assert_memory_equal(&together.velocities[5], &before.velocities[5], sizeof before.velocities[5]);
        assert_memory_not_equal(&together.velocities[6], &before.velocities[6], sizeof before.velocities[6]);
        assert_float_equal(sn_length(together.velocities[7].velocity), SN_MAX_SPEED, 1.0f);
    }
}

static void test_shares_of_multirate_forces_come_before_gravity(void **state)
{
    (void)state;
    sn_vec3 share[NODES];
    for (int i = 0; i < NODES; ++i) {
        share[i] = i % 5 == 0 ? sn_v(0.0f, 0.0f, 0.0f) : sn_v(0.1f * (float)i, -0.2f, 0.3f);
    }
    const sn_node_range none = {.gravity = {0.5f, -9.81f, 0.25f}, .linear_damping = 0.3f};
    sn_node_range shared = none;
    shared.share = share;
    for (uint64_t seed = 1; seed < 20; ++seed) {
        cloud together, alone, apart;
        fill(&together, seed);
        fill(&alone, seed);
        fill(&apart, seed);
        sn_node_run_push(run_of(&together), &shared, h, 1, NODES);
        sn_node_run_share(run_of(&apart), &shared, 1, NODES);
        sn_node_run_push(run_of(&apart), &none, h, 1, NODES);
        for (int i = 1; i < NODES; ++i) {
            sn_node_run_push(run_of(&alone), &shared, h, i, i + 1);
        }
        assert_memory_equal(&together, &alone, sizeof alone);
        assert_memory_equal(&together, &apart, sizeof apart);
        sn_node_run_share(run_of(&apart), &none, 1, NODES);
        assert_memory_equal(&together, &apart, sizeof apart);
    }
}

static void test_moves_have_the_same_bits_however_many_nodes_go_at_once(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 20; ++seed) {
        cloud together, alone;
        fill(&together, seed);
        fill(&alone, seed);
        sn_node_run_move(run_of(&together), h, 1, NODES);
        for (int i = 1; i < NODES; ++i) {
            sn_node_run_move(run_of(&alone), h, i, i + 1);
        }
        assert_memory_equal(&together, &alone, sizeof alone);
        sn_vec3 gone = sn_sub(together.states[6].position, sn_add(alone.starts[6], alone.moved[6]));
        assert_true(sn_length(gone) == 0.0f);
    }
}

// Fixed nodes go where they are told in one step, however far that is.
static void test_fixed_nodes_have_no_largest_speed(void **state)
{
    (void)state;
    cloud c;
    fill(&c, 3);
    sn_vec3 fast = sn_v(20.0f * SN_MAX_SPEED, 0.0f, 0.0f);
    c.velocities[5].velocity = c.velocities[6].velocity = fast;
    sn_node_run_move(run_of(&c), h, 4, 8);
    assert_true(c.velocities[5].velocity.x == fast.x);
    assert_true(c.velocities[6].velocity.x == SN_MAX_SPEED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pushes_have_the_same_bits_however_many_nodes_go_at_once),
        cmocka_unit_test(test_shares_of_multirate_forces_come_before_gravity),
        cmocka_unit_test(test_moves_have_the_same_bits_however_many_nodes_go_at_once),
        cmocka_unit_test(test_fixed_nodes_have_no_largest_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
