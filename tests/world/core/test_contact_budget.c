// Bodies put into one place: contacts grow with their number, not with its square, and what is left out is
// counted; what merely touches is never left out.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/world_kit.h"

static void add_ball(sn_world *world, sn_vec3 position, float radius)
{
    sn_rigid_def def = sn_rigid_def_default();
    def.position = position;
    sn_rigid rigid;
    assert_int_equal(sn_rigid_add(world, &def, &rigid), SN_OK);
    assert_int_equal(sn_sphere_add(world, rigid, NULL, (sn_sphere){.radius = radius}, NULL), SN_OK);
}

static sn_world *make_empty(void)
{
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    assert_int_equal(sn_world_create(&def, &world), SN_OK);
    return world;
}

static sn_statistics after_a_step(sn_world *world)
{
    assert_int_equal(sn_world_step(world, 1.0f / 60.0f), SN_OK);
    return sn_world_statistics(world);
}

static void test_coincident_balls_have_few_contacts_each(void **state)
{
    (void)state;
    enum { COUNT = 200, MOST = 32 };
    sn_world *world = make_empty();
    for (int i = 0; i < COUNT; ++i) {
        add_ball(world, sn_v(0, 1, 0), 0.1f);
    }
    sn_statistics now = after_a_step(world);
    assert_true(now.contact_count <= COUNT * MOST / 2);
    assert_true(now.contact_count >= COUNT * MOST / 2 - MOST); // the last ones find no free partner
    assert_int_equal(now.left_out_count, COUNT * (COUNT - 1) / 2 - now.contact_count);
    assert_int_equal(now.frozen_count, 0);
    sn_world_destroy(world);
}

static void test_few_coincident_balls_all_feel_each_other(void **state)
{
    (void)state;
    sn_world *world = make_empty();
    for (int i = 0; i < 30; ++i) {
        add_ball(world, sn_v(0, 1, 0), 0.1f);
    }
    sn_statistics now = after_a_step(world);
    assert_int_equal(now.left_out_count, 0);
    assert_int_equal(now.contact_count, 30 * 29 / 2);
    sn_world_destroy(world);
}

// Pebbles in a ball count for themselves, not for the ball.
static void test_all_pebbles_in_a_large_ball_are_felt(void **state)
{
    (void)state;
    sn_world *world = make_empty();
    add_ball(world, sn_v(0, 0, 0), 2.0f);
    for (int i = 0; i < 125; ++i) {
        add_ball(world,
                 sn_v(0.4f * (float)(i % 5 - 2), 0.4f * (float)(i / 5 % 5 - 2), 0.4f * (float)(i / 25 - 2)),
                 0.1f);
    }
    sn_statistics now = after_a_step(world);
    assert_int_equal(now.left_out_count, 0);
    assert_true(now.contact_count >= 125);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_coincident_balls_have_few_contacts_each),
                                       cmocka_unit_test(test_few_coincident_balls_all_feel_each_other),
                                       cmocka_unit_test(test_all_pebbles_in_a_large_ball_are_felt)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
