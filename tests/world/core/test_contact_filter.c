// The world's contact filter: asked once for each pair, with the world locked, and obeyed by contacts and
// sweeps alike.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "support/world_kit.h"

typedef struct asked {
    sn_shape refused; // pairs with this shape may not touch
    int count;
    sn_status meddling; // what an attempt to change the world got
    sn_world *world;
} asked;

static bool ask(const sn_world *world, sn_shape a, sn_shape b, void *user)
{
    asked *it = user;
    ++it->count;
    assert_true(world == it->world);
    assert_true(sn_shape_is_valid(world, a) && sn_shape_is_valid(world, b));
    it->meddling = sn_world_gravity_set(it->world, sn_v(0.0f, 0.0f, 0.0f));
    return !same_shape(a, it->refused) && !same_shape(b, it->refused);
}

static void test_refused_pairs_do_not_touch_and_are_asked_about_once(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_rigid held = add_box_at(world, 0.5f, -2.0f, 0.5f, 0.0f),
             falls = add_box_at(world, 0.5f, 2.0f, 0.5f, 0.0f);
    asked it = {.refused = first_shape(world, falls), .world = world};
    assert_ok(sn_world_contact_filter_set(world, ask, &it));
    run_steps(world, 24);
    assert_int_equal(it.count, 2);
    assert_int_equal(it.meddling, SN_ERROR_LOCKED);
    assert_near(sn_rigid_position(world, held).y, 0.5f, 0.01);
    assert_near(sn_rigid_position(world, falls).y, 0.5f - 0.5f * 9.81f * 0.16f, 0.03);
    assert_int_equal(sn_world_statistics(world).contact_count, 1);
    sn_world_destroy(world);
}

static void test_without_a_filter_all_pairs_are_asked_anew(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_rigid box = add_box_at(world, 0.5f, 0.0f, 0.5f, 0.0f);
    run_steps(world, 120);
    assert_false(sn_rigid_is_awake(world, box));
    asked it = {.refused = first_shape(world, box), .world = world};
    assert_ok(sn_world_contact_filter_set(world, ask, &it));
    run_steps(world, 1);
    sn_events events = sn_world_events(world);
    assert_int_equal(events.end_count, 1);
    assert_ok(sn_world_contact_filter_set(world, NULL, NULL));
    run_steps(world, 60);
    assert_int_equal(it.count, 1);
    assert_near(sn_rigid_position(world, box).y, 0.5f, 0.01);
    assert_int_equal(sn_world_contact_filter_set(NULL, ask, &it), SN_ERROR_NULL);
    sn_world_destroy(world);
}

static void test_shots_pass_what_the_filter_refuses(void **state)
{
    (void)state;
    for (int refused = 0; refused < 2; ++refused) {
        sn_world *world = kit_world();
        assert_ok(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)));
        sn_shape wall;
        assert_ok(sn_box_add(world, sn_world_ground(world), NULL, (sn_box){{0.01f, 2.0f, 2.0f}}, &wall));
        sn_rigid ball = add_ball_at(world, 0.05f, -20.0f, 0.0f, 0.0f);
        assert_ok(sn_rigid_linear_velocity_set(world, ball, sn_v(300.0f, 0.0f, 0.0f)));
        asked it = {.world = world};
        it.refused = refused ? wall : it.refused;
        assert_ok(sn_world_contact_filter_set(world, ask, &it));
        run_steps(world, 12);
        if (refused) {
            assert_near(sn_rigid_position(world, ball).x, 40.0f, 1e-3);
        } else {
            assert_true(sn_rigid_position(world, ball).x < 0.0f);
        }
        sn_world_destroy(world);
    }
}

// The answers are saved, the function is not: it is asked about new pairs alone.
static void test_a_snapshot_keeps_the_answers(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_rigid box = add_box_at(world, 0.5f, 0.0f, 0.5f, 0.0f);
    asked it = {.refused = first_shape(world, box), .world = world};
    assert_ok(sn_world_contact_filter_set(world, ask, &it));
    run_steps(world, 2);
    size_t size = 0;
    (void)sn_world_save(world, NULL, 0, &size);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_ok(sn_world_save(world, bytes, size, &size));
    sn_world *other = kit_world();
    assert_ok(sn_world_restore(other, bytes, size));
    free(bytes);
    run_steps(world, 20);
    run_steps(other, 20);
    assert_true(sn_world_hash(world) == sn_world_hash(other));
    assert_true(sn_rigid_position(world, box).y < 0.0f);
    assert_int_equal(it.count, 1);
    sn_world_destroy(world);
    sn_world_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_refused_pairs_do_not_touch_and_are_asked_about_once),
        test_with_memory(test_without_a_filter_all_pairs_are_asked_anew),
        test_with_memory(test_shots_pass_what_the_filter_refuses),
        test_with_memory(test_a_snapshot_keeps_the_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
