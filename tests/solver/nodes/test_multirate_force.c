// Pushes that stand for several sub-steps: when they are made, for how long, and how they are shared out.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solver/nodes/multirate_force.h"
#include "solver/nodes/node_motion.h"

#include <string.h>

enum { NODES = 4, FIRST = 2, OWN = 2, MOST_PUSHES = 16 };

static const float sub_step = 0.125f;

static struct {
    int pushes;
    float lengths[MOST_PUSHES];
} seen;

// A force of 1 m/s² along x, and damping of what is there along y by a tenth.
static void push_all(const sn_element_pass *pass, void *blocks, int begin, int end)
{
    (void)blocks;
    assert_int_equal(end - begin, 1);
    seen.lengths[seen.pushes++] = pass->h;
    for (int i = FIRST; i < FIRST + OWN; ++i) {
        pass->velocities[i].velocity.x += pass->h;
        pass->velocities[i].velocity.y *= 0.9f;
    }
}

static const sn_element_kind pushing = {.name = "pushing", .block_size = sizeof(int), .push = push_all};

typedef struct bench {
    sn_nodes nodes;
    sn_node_state states[NODES];
    sn_node_velocity velocities[NODES];
    sn_element_group group, *groups[1];
    sn_arena arena;
    sn_node_range range;
    sn_node_solver solver;
    int block;
} bench;

static void open_bench(bench *bench, int span, int sub_steps)
{
    memset(bench, 0, sizeof *bench);
    memset(&seen, 0, sizeof seen);
    bench->nodes.states.data = bench->states;
    bench->nodes.velocities.data = bench->velocities;
    bench->nodes.states.count = bench->nodes.velocities.count = NODES;
    bench->group = (sn_element_group){.kind = &pushing,
                                      .blocks = &bench->block,
                                      .block_count = 1,
                                      .row_count = 1,
                                      .color_count = 1,
                                      .multirate_span = span,
                                      .first_node = FIRST,
                                      .node_count = OWN};
    for (int c = 1; c <= SN_ELEMENT_COLORS + 1; ++c) {
        bench->group.color_begin[c] = 1;
    }
    bench->groups[0] = &bench->group;
    bench->range = (sn_node_range){.first = FIRST, .count = OWN};
    bench->solver = (sn_node_solver){.nodes = &bench->nodes,
                                     .groups = bench->groups,
                                     .group_count = 1,
                                     .ranges = &bench->range,
                                     .range_count = 1,
                                     .arena = &bench->arena,
                                     .tasks = sn_tasks_create(1, NULL),
                                     .pass = {.nodes = bench->states,
                                              .felt = bench->states,
                                              .velocities = bench->velocities,
                                              .h = sub_step,
                                              .inverse_h = 1.0f / sub_step},
                                     .sub_step_count = sub_steps};
    assert_true(sn_multirate_begin(&bench->solver));
}

static void close_bench(bench *bench)
{
    sn_tasks_destroy(bench->solver.tasks);
    sn_arena_release(&bench->arena);
}

static void run_bench(bench *bench, int sub_steps)
{
    for (int i = 0; i < sub_steps; ++i) {
        sn_multirate_force(&bench->solver);
        sn_node_run_share((sn_node_run){.velocities = bench->velocities + FIRST}, &bench->range, 0, OWN);
        ++bench->solver.sub_step;
        assert_float_equal(bench->velocities[FIRST].velocity.x, sub_step * (float)(i + 1), 1.0e-6);
    }
}

static void test_each_sub_step_pushes_where_spans_are_one(void **state)
{
    (void)state;
    bench bench;
    open_bench(&bench, 1, 3);
    run_bench(&bench, 3);
    assert_int_equal(seen.pushes, 3);
    assert_float_equal(seen.lengths[2], sub_step, 0.0);
    close_bench(&bench);
}

static void test_a_push_for_two_is_given_in_two_equal_parts(void **state)
{
    (void)state;
    bench bench;
    open_bench(&bench, 2, 4);
    bench.velocities[FIRST].velocity.y = 1.0f;
    run_bench(&bench, 4);
    assert_int_equal(seen.pushes, 2);
    assert_float_equal(seen.lengths[0], 2.0f * sub_step, 0.0);
    // What is damped is what was there when the span began.
    assert_float_equal(bench.velocities[FIRST].velocity.y, 0.9f * 0.9f, 1.0e-6);
    close_bench(&bench);
}

static void test_the_last_span_is_as_long_as_the_step_leaves(void **state)
{
    (void)state;
    bench bench;
    open_bench(&bench, 2, 5);
    run_bench(&bench, 5);
    assert_int_equal(seen.pushes, 3);
    assert_float_equal(seen.lengths[2], sub_step, 0.0);
    close_bench(&bench);
}

static void test_nodes_of_others_are_left_alone(void **state)
{
    (void)state;
    bench bench;
    open_bench(&bench, 2, 4);
    bench.velocities[1].velocity = sn_v(1.0f, 2.0f, 3.0f);
    run_bench(&bench, 4);
    assert_float_equal(bench.velocities[1].velocity.x, 1.0f, 0.0);
    assert_float_equal(bench.velocities[1].velocity.y, 2.0f, 0.0);
    assert_float_equal(bench.velocities[0].velocity.x, 0.0f, 0.0);
    assert_ptr_equal(bench.solver.pass.velocities, bench.velocities);
    assert_float_equal(bench.solver.pass.h, sub_step, 0.0);
    close_bench(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_sub_step_pushes_where_spans_are_one),
        cmocka_unit_test(test_a_push_for_two_is_given_in_two_equal_parts),
        cmocka_unit_test(test_the_last_span_is_as_long_as_the_step_leaves),
        cmocka_unit_test(test_nodes_of_others_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
