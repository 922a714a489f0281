// A warm world needs no memory: scenes run until they have seen their worst, and then for hundreds of steps
// without a single allocation.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/memory.h"
#include "support/scenes.h"

#define STEP (1.0f / 60.0f)

// Steps until for so many steps neither more pairs nor more points have touched than ever before: only then
// has the scene seen its worst. A bowl still settles for seconds after the last body has landed in it, and
// each pair that begins to touch, or touches in more places, may need memory.
static void warm_up(test_scene_run *run, int quiet_steps)
{
    int most_pairs = 0, most_points = 0, quiet = 0;
    for (int i = 0; i < 2000 && quiet < quiet_steps; ++i) {
        assert_int_equal(test_scene_step(run, 1), SN_OK);
        sn_statistics now = sn_world_statistics(run->world);
        bool worse = now.contact_count > most_pairs || now.contact_point_count > most_points;
        most_pairs = now.contact_count > most_pairs ? now.contact_count : most_pairs;
        most_points = now.contact_point_count > most_points ? now.contact_point_count : most_points;
        quiet = worse ? 0 : quiet + 1;
    }
    assert_int_equal(quiet, quiet_steps);
}

static void require_no_allocations(const char *name, int quiet_steps, int threads, bool sleep)
{
    const test_scene *scene = test_scene_find(name);
    assert_non_null(scene);
    sn_world_def def = sn_world_def_default();
    def.sleep = sleep;
    def.threads = threads;
    test_scene_run run;
    assert_int_equal(test_scene_open(scene, &def, &run), SN_OK);
    warm_up(&run, quiet_steps);
    assert_int_equal(sn_world_statistics(run.world).awake_count == 0, sleep);
    // The same gravity again: wakes all.
    assert_int_equal(sn_world_gravity_set(run.world, sn_world_gravity(run.world)), SN_OK);
    uint64_t count = sn_allocation_count(), bytes = sn_allocated_bytes();
    uint64_t in_steps = sn_world_statistics(run.world).allocations;
    for (int i = 0; i < 400; ++i) {
        assert_int_equal(sn_world_step(run.world, STEP), SN_OK);
    }
    assert_int_equal(sn_allocation_count(), count);
    assert_int_equal(sn_allocated_bytes(), bytes);
    assert_int_equal(sn_world_statistics(run.world).allocations, in_steps);
    assert_int_equal(sn_world_statistics(run.world).awake_count == 0, sleep);
    test_scene_close(&run);
}

static void test_a_settled_pile_allocates_nothing(void **state)
{
    (void)state;
    require_no_allocations("pyramid", 120, 1, false);
    require_no_allocations("box_stack", 120, 2, false);
}

static void test_a_chain_of_joints_allocates_nothing(void **state)
{
    (void)state;
    require_no_allocations("joint_chain", 120, 1, false);
}

static void test_a_pile_that_wakes_and_falls_asleep_again_allocates_nothing(void **state)
{
    (void)state;
    require_no_allocations("pyramid", 300, 1, true);
}

// Gravity goes round, and the pile with it: all shapes there are, tumbling over a bowl of triangles, make and
// lose contacts of one patch and of many.
static void stir(test_scene_run *run, int first, int steps)
{
    for (int i = first; i < first + steps; ++i) {
        float angle = 0.02f * (float)i;
        sn_vec3 gravity = {3.0f * sn_cos(angle), -9.81f, 3.0f * sn_sin(angle)};
        assert_int_equal(sn_world_gravity_set(run->world, gravity), SN_OK);
        assert_int_equal(test_scene_step(run, 1), SN_OK);
    }
}

static void test_rain_in_a_bowl_of_triangles_allocates_nothing_once_the_bowl_is_full(void **state)
{
    (void)state;
    require_no_allocations("rain", 180, 1, false);
}

static void test_a_stirred_bowl_allocates_nothing(void **state)
{
    (void)state;
    sn_world_def def = sn_world_def_default();
    def.threads = 2;
    test_scene_run run;
    assert_int_equal(test_scene_open(test_scene_find("rain"), &def, &run), SN_OK);
    stir(&run, 0, 120);
    uint64_t count = sn_allocation_count(), bytes = sn_allocated_bytes();
    stir(&run, 120, 400);
    assert_int_equal(sn_allocation_count(), count);
    assert_int_equal(sn_allocated_bytes(), bytes);
    test_scene_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_settled_pile_allocates_nothing),
        test_with_memory(test_a_chain_of_joints_allocates_nothing),
        test_with_memory(test_a_pile_that_wakes_and_falls_asleep_again_allocates_nothing),
        test_with_memory(test_rain_in_a_bowl_of_triangles_allocates_nothing_once_the_bowl_is_full),
        test_with_memory(test_a_stirred_bowl_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
