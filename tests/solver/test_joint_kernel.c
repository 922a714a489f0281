// The wide kernels of joints: two builds of the same source, the same bits.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "solver/node_solver.h"
#include "support/joint_rig.h"
#include "support/memory.h"

static const float h = 1.0f / 720.0f;

enum { BODIES = 60, JOINTS = 150, NODES = 100 };

typedef struct crowd {
    joint_rig *rig;
    sn_nodes nodes;
    sn_node_solver node_solver;
} crowd;

static void make_nodes(crowd *c, test_random *random)
{
    assert_true(sn_nodes_take(&c->nodes, NODES) >= 0);
    for (int i = 1; i < NODES; ++i) {
        c->nodes.states.data[i].position = test_random_vec3(random, 1.0f);
        c->nodes.states.data[i].inverse_mass = i % 7 == 0 ? 0.0f : test_random_float(random, 0.1f, 10.0f);
        c->nodes.velocities.data[i].velocity = test_random_vec3(random, 2.0f);
    }
    c->node_solver = (sn_node_solver){.nodes = &c->nodes};
    c->rig->rig.solver.nodes = &c->node_solver;
}

// A sum of nodes, or a frame.
static void random_node_end(sn_solver_end *end, test_random *random)
{
    end->node_count = 1 + (int)(test_random_u32(random) % 4);
    end->has_frame = end->node_count == 3 && test_random_u32(random) % 2u == 0u;
    int first = 1 + (int)(test_random_u32(random) % (NODES - 5));
    for (int k = 0; k < end->node_count; ++k) {
        end->nodes[k] = first + k;
        end->weights[k] = 1.0f / (float)end->node_count;
    }
}

static void crowd_make(crowd *c, uint64_t seed, bool with_nodes)
{
    test_random random = {seed};
    *c = (crowd){.rig = joint_rig_make(2, BODIES - 3, h)};
    for (int i = 3; i < BODIES; ++i) {
        rig_set_random(&c->rig->rig, i, &random);
    }
    if (with_nodes) {
        make_nodes(c, &random);
    }
    for (int i = 0; i < JOINTS; ++i) {
        int a = (int)(test_random_u32(&random) % BODIES), b = (int)(test_random_u32(&random) % BODIES);
        int joint = joint_rig_random(c->rig, a, a != b ? b : (b + 1) % BODIES, &random);
        for (int k = 0; with_nodes && k < 2; ++k) {
            if (test_random_u32(&random) % 2u == 0u) {
                random_node_end(&c->rig->inputs[joint].ends[k], &random);
            }
        }
    }
}

static void crowd_run(crowd *c, const sn_joint_kernels *kernels)
{
    assert_true(sn_joints_begin(&c->rig->joints));
    c->rig->joints.kernels = kernels;
    sn_joints_refresh(&c->rig->joints, true);
    sn_joints_warm_start(&c->rig->joints);
    joint_rig_sub_steps(c->rig);
    sn_joints_store(&c->rig->joints);
}

static void crowd_free(crowd *c)
{
    sn_nodes_release(&c->nodes);
    joint_rig_free(c->rig);
}

static void check_same_bits(const crowd *one, const crowd *two)
{
    const sn_solver *a = &one->rig->rig.solver, *b = &two->rig->rig.solver;
    assert_memory_equal(a->velocities, b->velocities, BODIES * sizeof *a->velocities);
    assert_memory_equal(a->residues, b->residues, BODIES * sizeof *a->residues);
    assert_memory_equal(one->rig->impulses, two->rig->impulses, sizeof one->rig->impulses);
    assert_memory_equal(one->rig->force, two->rig->force, sizeof one->rig->force);
    assert_memory_equal(one->rig->torque, two->rig->torque, sizeof one->rig->torque);
    if (one->nodes.velocities.count > 0) {
        assert_memory_equal(one->nodes.velocities.data, two->nodes.velocities.data,
                            NODES * sizeof *one->nodes.velocities.data);
    }
}

static const sn_joint_kernels *wide_kernels(void)
{
    unsetenv("SINEW_NO_AVX2");
    const sn_joint_kernels *fast = sn_joint_kernels_pick();
    setenv("SINEW_NO_AVX2", "1", 1);
    const sn_joint_kernels *base = sn_joint_kernels_pick();
    unsetenv("SINEW_NO_AVX2");
    assert_ptr_equal(base, &sn_joint_kernels_base);
    return fast;
}

static void compare(bool with_nodes)
{
    const sn_joint_kernels *fast = wide_kernels();
    if (fast == &sn_joint_kernels_base) {
        print_message("no AVX2 here: nothing to compare\n");
        skip();
    }
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        crowd one, two, before;
        crowd_make(&one, seed, with_nodes);
        crowd_make(&two, seed, with_nodes);
        crowd_make(&before, seed, with_nodes);
        crowd_run(&one, &sn_joint_kernels_base);
        crowd_run(&two, fast);
        check_same_bits(&one, &two);
        // Something happened.
        assert_true(memcmp(one.rig->rig.solver.velocities, before.rig->rig.solver.velocities,
                           BODIES * sizeof(sn_solver_velocity)) != 0);
        crowd_free(&one);
        crowd_free(&two);
        crowd_free(&before);
    }
}

static void test_wide_kernels_have_the_same_bits_between_bodies(void **state)
{
    (void)state;
    compare(false);
}

static void test_wide_kernels_have_the_same_bits_with_nodes(void **state)
{
    (void)state;
    compare(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_wide_kernels_have_the_same_bits_between_bodies),
        test_with_memory(test_wide_kernels_have_the_same_bits_with_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
