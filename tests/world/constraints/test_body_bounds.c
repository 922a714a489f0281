// Bounds of jointed bodies hold for every shape that the joints allow, and for nothing else than what joints
// hold against any force.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"
#include "support/random.h"
#include "world/constraints/body_bounds.h"
#include <math.h>

enum { LINKS = 14 };

// A tree of links: each hangs on an earlier one, or the first on the ground.
typedef struct tree {
    sn_world *world;
    sn_rigid links[LINKS];
    int parents[LINKS];
    sn_vec3 from[LINKS], to[LINKS]; // where a link is held: on its parent, on itself
    float reach[LINKS];             // of a rope between them; 0 for balls, hinges and welds
} tree;

static sn_quat random_rotation(test_random *random)
{
    sn_vec3 axis = test_random_direction(random);
    return sn_quat_axis_angle(axis, test_random_float(random, -SN_PI, SN_PI));
}

// Any pose that the joint of the link allows; of a weld there is only one.
static void place_link(tree *tree, int i, test_random *random)
{
    sn_pose parent = sn_pose_identity;
    if (i > 0) {
        parent = sn_rigid_pose(tree->world, tree->links[tree->parents[i]]);
    }
    sn_pose pose = {{0.0f, 0.0f, 0.0f}, random_rotation(random)};
    sn_vec3 held = sn_pose_apply(parent, tree->from[i]);
    sn_vec3 away =
        sn_rotate(random_rotation(random), sn_v(test_random_float(random, 0.0f, tree->reach[i]), 0, 0));
    held = sn_add(held, away);
    pose.position = sn_sub(held, sn_rotate(pose.rotation, tree->to[i]));
    must(sn_rigid_pose_set(tree->world, tree->links[i], pose));
}

static void hold_link(tree *tree, int i)
{
    sn_rigid parent = i > 0 ? tree->links[tree->parents[i]] : sn_world_ground(tree->world);
    sn_point a = {
        .type = SN_POINT_RIGID, .rigid = parent, .position = tree->from[i], .rotation = sn_quat_identity};
    sn_point b = {.type = SN_POINT_RIGID,
                  .rigid = tree->links[i],
                  .position = tree->to[i],
                  .rotation = sn_quat_identity};
    if (tree->reach[i] > 0.0f) {
        sn_distance_def def = sn_distance_def_default();
        def.common.a = a;
        def.common.b = b;
        def.upper = tree->reach[i];
        must(sn_distance_add(tree->world, &def, NULL));
    } else {
        sn_ball_def def = sn_ball_def_default();
        def.common.a = a;
        def.common.b = b;
        must(sn_ball_add(tree->world, &def, NULL));
    }
}

static tree make_tree(test_random *random)
{
    tree tree = {.world = physics_world()};
    for (int i = 0; i < LINKS; ++i) {
        tree.links[i] = physics_lump(tree.world, 1.0f, sn_v(0.1f, 0.1f, 0.1f), sn_pose_identity);
        tree.parents[i] = i > 0 ? (int)(test_random_float(random, 0.0f, 0.999f) * (float)i) : 0;
        tree.parents[i] = i > 3 && i % 2 == 0 ? i - 1 : tree.parents[i];
        // Some segments have no length at all.
        tree.from[i] = i % 5 == 4 ? sn_v(0.0f, 0.0f, 0.0f) : test_random_vec3(random, 0.5f);
        tree.to[i] = i % 5 == 4 ? sn_v(0.0f, 0.0f, 0.0f) : test_random_vec3(random, 0.5f);
        tree.reach[i] = i % 4 == 3 ? test_random_float(random, 0.1f, 1.0f) : 0.0f;
        hold_link(&tree, i);
    }
    return tree;
}

static void test_no_bound_pulls_on_10000_shapes_that_joints_allow(void **state)
{
    (void)state;
    test_random random = {7};
    double worst = 0.0;
    int rows = 0;
    for (int t = 0; t < 100; ++t) {
        tree tree = make_tree(&random);
        physics_run(tree.world, 1.0f / 60.0f, 1.0f / 60.0f);
        rows += sn_world_count_body_bounds(tree.world);
        for (int s = 0; s < 100; ++s) {
            for (int i = 0; i < LINKS; ++i) {
                place_link(&tree, i, &random);
            }
            for (int i = 0; i < tree.world->body_bounds.count; ++i) {
                const sn_body_bound *bound = &tree.world->body_bounds.data[i];
                sn_bound_ends ends = sn_body_bound_ends(tree.world, bound);
                sn_vec3 held = sn_point_now(tree.world, &ends.a);
                sn_vec3 end = sn_point_now(tree.world, &ends.b);
                double over = (double)(sn_distance_between(held, end) - bound->length);
                worst = bound->has_row ? fmax(worst, bound->is_lower ? -over : over) : worst;
            }
        }
        sn_world_destroy(tree.world);
    }
    check_above((double)rows, 500.0, "bounds looked at");
    check_below(worst, 1e-5, "farthest beyond a bound");
}

static int bounds_of_two(void (*change)(sn_ball_def *def))
{
    sn_world *world = physics_world();
    sn_rigid links[3], previous = sn_world_ground(world);
    for (int i = 0; i < 3; ++i) {
        sn_ball_def def = sn_ball_def_default();
        links[i] =
            physics_lump(world, 1.0f, sn_v(0.1f, 0.1f, 0.1f), physics_at(0.0f, -0.5f - (float)i, 0.0f));
        must(sn_constraint_place(world, &def.common, previous, links[i], sn_v(0.0f, -(float)i, 0.0f),
                                 sn_v(1.0f, 0.0f, 0.0f)));
        if (i == 0) {
            change(&def);
        }
        must(sn_ball_add(world, &def, NULL));
        previous = links[i];
    }
    physics_run(world, 1.0f / 60.0f, 0.1f);
    int count = sn_world_count_body_bounds(world);
    sn_world_destroy(world);
    return count;
}

static void nothing(sn_ball_def *def)
{
    (void)def;
}
static void soften(sn_ball_def *def)
{
    def->common.compliance = 1.0e-4f;
}
static void make_breakable(sn_ball_def *def)
{
    def->common.break_force = 1.0e6f;
}
static void limit(sn_ball_def *def)
{
    def->common.max_force = 100.0f;
}
static void switch_off(sn_ball_def *def)
{
    def->common.active = false;
}

// The second link has none, because the first one alone is between it and the ground.
static void test_bounds_stand_for_hard_joints_alone(void **state)
{
    (void)state;
    assert_int_equal(bounds_of_two(nothing), 1);
    assert_int_equal(bounds_of_two(soften), 0);
    assert_int_equal(bounds_of_two(make_breakable), 0);
    assert_int_equal(bounds_of_two(limit), 0);
    assert_int_equal(bounds_of_two(switch_off), 0);
}

// A chain of links that hangs from the ground: its last joint is switched off and on again.
static void test_bounds_that_are_made_again_and_again_need_no_memory(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    sn_rigid links[LINKS];
    sn_constraint last = {0};
    for (int i = 0; i < LINKS; ++i) {
        sn_pose pose = {{0.1f * (float)i, 0.0f, 0.0f}, sn_quat_identity};
        links[i] = physics_lump(world, 1.0f, sn_v(0.1f, 0.1f, 0.1f), pose);
        sn_ball_def def = sn_ball_def_default();
        def.common.a = i > 0 ? sn_point_rigid(links[i - 1], sn_v(0.05f, 0.0f, 0.0f))
                             : sn_point_rigid(sn_world_ground(world), sn_v(-0.05f, 0.0f, 0.0f));
        def.common.b = sn_point_rigid(links[i], sn_v(-0.05f, 0.0f, 0.0f));
        must(sn_ball_add(world, &def, &last));
    }
    uint64_t warm = 0;
    for (int round = 0; round < 6; ++round) {
        for (int i = 0; i < 2; ++i) {
            must(sn_constraint_active_set(world, last, i == 1));
            for (int step = 0; step < 5; ++step) {
                must(sn_world_step(world, 0.01f));
            }
        }
        uint64_t allocations = sn_world_statistics(world).allocations;
        assert_true(round < 3 || allocations == warm);
        warm = allocations;
    }
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_no_bound_pulls_on_10000_shapes_that_joints_allow),
        physics_test(test_bounds_stand_for_hard_joints_alone),
        physics_test(test_bounds_that_are_made_again_and_again_need_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
