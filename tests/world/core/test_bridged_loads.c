// Which joints have to carry heavy bodies through light ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/memory.h"
#include "support/world_kit.h"
#include "world/core/bridged_loads.h"

static sn_rigid add_link(sn_world *world, float mass, float x)
{
    sn_rigid rigid = add_ball_at(world, 0.04f, x, 0.0f, 0.0f);
    sn_mass properties = {mass, {0.0f, 0.0f, 0.0f}, sn_mat3_diagonal(mass, mass, mass)};
    assert_ok(sn_rigid_mass_set(world, rigid, &properties));
    return rigid;
}

static sn_constraint join(sn_world *world, sn_rigid a, sn_rigid b, float x, float compliance)
{
    sn_constraint joint;
    sn_ball_def def = sn_ball_def_default();
    assert_ok(sn_constraint_place(world, &def.common, a, b, sn_v(x, 0.0f, 0.0f), sn_v(1.0f, 0.0f, 0.0f)));
    def.common.compliance = compliance;
    assert_ok(sn_ball_add(world, &def, &joint));
    return joint;
}

// Joins bodies of these masses in a row, 10 cm apart.
static void add_chain(sn_world *world, const float *masses, int count, sn_rigid *links)
{
    for (int i = 0; i < count; ++i) {
        links[i] = add_link(world, masses[i], 0.1f * (float)i);
        if (i > 0) {
            (void)join(world, links[i - 1], links[i], 0.1f * (float)i - 0.05f, 0.0f);
        }
    }
}

static sn_world *make_world(void)
{
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    def.gravity = sn_v(0.0f, 0.0f, 0.0f);
    assert_ok(sn_world_create(&def, &world));
    return world;
}

// After a step, so that bounds and lists of what is active are made.
static sn_bridged_loads find(sn_world *world)
{
    sn_bridged_loads loads;
    assert_ok(sn_world_step(world, 1.0f / 60.0f));
    assert_true(sn_world_find_bridged_loads(world, 100.0f, &loads));
    return loads;
}

static void test_the_lighter_of_two_heavy_bodies_counts_and_the_lightest_link_between(void **state)
{
    (void)state;
    sn_world *world = make_world();
    sn_rigid links[5];
    add_chain(world, (float[]){3000.0f, 1.0f, 0.5f, 1.0f, 2000.0f}, 5, links);
    sn_bridged_loads loads = find(world);
    assert_int_equal(loads.count, 1);
    assert_float_equal(loads.data[0].ratio, 4000.0f, 0.1f);
    assert_true(sn_rigid_mass(world, links[2]).mass == 0.5f);
    assert_int_equal(loads.data[0].body, (int)links[2].index - 1);
    assert_int_equal(sn_world_statistics(world).sub_steps, 96); // 14 √40 = 88.5, in classes
    sn_loaded_island island;
    assert_int_equal(sn_world_loads(world, &island, 1), 1);
    assert_int_equal(island.cause, SN_SUB_STEPS_BRIDGING);
    assert_string_equal(sn_sub_step_cause_text(island.cause), "light bodies join heavy ones");
    assert_ok(sn_world_step(world, 1.0f / 240.0f));
    // A quarter of 88.5, in classes; those that had more keep up to 1.3 times as many.
    assert_in_range(sn_world_statistics(world).sub_steps, 24, 32);
    sn_world_destroy(world);
}

static void test_a_second_way_of_heavy_links_takes_the_load(void **state)
{
    (void)state;
    sn_world *world = make_world();
    sn_rigid links[3];
    add_chain(world, (float[]){3000.0f, 1.0f, 2000.0f}, 3, links);
    assert_int_equal(find(world).count, 1);
    sn_rigid beam = add_link(world, 500.0f, 0.1f);
    (void)join(world, links[0], beam, 0.05f, 0.0f);
    (void)join(world, beam, links[2], 0.15f, 0.0f);
    assert_int_equal(find(world).count, 0);
    sn_world_destroy(world);
}

static void test_light_bodies_that_carry_nothing_heavy_do_not_count(void **state)
{
    (void)state;
    sn_world *world = make_world();
    sn_rigid links[4];
    add_chain(world, (float[]){3000.0f, 1.0f, 1.0f, 50.0f}, 4, links); // 50 : 1
    assert_int_equal(find(world).count, 0);
    assert_int_equal(sn_world_statistics(world).sub_steps, 14);
    sn_world_destroy(world);
}

// Bounds carry what hangs on the world.
static void test_chains_that_are_held_do_not_count(void **state)
{
    (void)state;
    sn_world *world = make_world();
    sn_rigid links[5];
    add_chain(world, (float[]){3000.0f, 1.0f, 1.0f, 1.0f, 2000.0f}, 5, links);
    assert_int_equal(find(world).count, 1);
    sn_constraint held = join(world, sn_world_ground(world), links[0], 0.0f, 0.0f);
    assert_int_equal(find(world).count, 0);
    assert_ok(sn_constraint_remove(world, held));
    assert_int_equal(find(world).count, 1);
    sn_world_destroy(world);
}

static void test_joints_that_yield_and_unions_do_not_count(void **state)
{
    (void)state;
    sn_world *world = make_world();
    sn_rigid links[3];
    for (int i = 0; i < 3; ++i) {
        links[i] = add_link(world, i == 1 ? 1.0f : 2000.0f, 0.1f * (float)i);
    }
    (void)join(world, links[0], links[1], 0.05f, 1.0e-6f);
    (void)join(world, links[1], links[2], 0.15f, 1.0e-6f);
    assert_int_equal(find(world).count, 0);
    for (int i = 0; i < 3; ++i) {
        links[i] = add_link(world, i == 1 ? 1.0f : 2000.0f, 1.0f + 0.1f * (float)i);
    }
    for (int i = 0; i < 2; ++i) {
        sn_fixed_def def = sn_fixed_def_default();
        assert_ok(sn_constraint_place(world, &def.common, links[i], links[i + 1],
                                      sn_v(1.05f + 0.1f * (float)i, 0.0f, 0.0f), sn_v(1.0f, 0.0f, 0.0f)));
        assert_ok(sn_fixed_add(world, &def, NULL));
    }
    assert_ok(sn_world_step(world, 1.0f / 60.0f));
    assert_int_equal(sn_world_statistics(world).union_count, 1);
    assert_int_equal(sn_world_statistics(world).sub_steps, 14);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_the_lighter_of_two_heavy_bodies_counts_and_the_lightest_link_between),
        test_with_memory(test_a_second_way_of_heavy_links_takes_the_load),
        test_with_memory(test_light_bodies_that_carry_nothing_heavy_do_not_count),
        test_with_memory(test_chains_that_are_held_do_not_count),
        test_with_memory(test_joints_that_yield_and_unions_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
