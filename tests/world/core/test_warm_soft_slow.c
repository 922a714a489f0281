// A warm world of deformables needs no memory: scenes run until they have seen their worst, are pushed about
// and fall asleep, and then do it all again without a single allocation.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/memory.h"
#include "support/scenes.h"

// Gravity leans over and comes back, so that contacts come and go.
static void shake(test_scene_run *run, int steps)
{
    for (int i = 0; i < steps; ++i) {
        float lean = 2.0f * sn_sin(0.1f * (float)i);
        assert_int_equal(sn_world_gravity_set(run->world, sn_v(lean, -9.81f, 0.5f * lean)), SN_OK);
        assert_int_equal(test_scene_step(run, 1), SN_OK);
    }
}

static void require_no_allocations(const char *name, int threads, bool sleep)
{
    sn_world_def def = sn_world_def_default();
    def.threads = threads;
    def.sleep = sleep;
    test_scene_run run;
    assert_int_equal(test_scene_open(test_scene_find(name), &def, &run), SN_OK);
    for (int i = 0; i < 8; ++i) { // sheets that slide apart list what is near in them for the first time late
        shake(&run, 63);
        assert_int_equal(test_scene_step(&run, 60), SN_OK);
    }
    uint64_t count = sn_allocation_count(), bytes = sn_allocated_bytes();
    shake(&run, 63);
    assert_int_equal(test_scene_step(&run, 60), SN_OK);
    if (sn_allocation_count() != count || sn_allocated_bytes() != bytes) {
        fail_msg("%s needed memory %llu times", name, (unsigned long long)(sn_allocation_count() - count));
    }
    assert_int_equal(sn_world_statistics(run.world).frozen_node_count, 0);
    test_scene_close(&run);
}

static void test_cloth_allocates_nothing(void **state)
{
    (void)state;
    require_no_allocations("hanging_cloth", 1, true);
    require_no_allocations("cloth_on_spheres", 2, false);
}

static void test_jellies_of_all_models_allocate_nothing(void **state)
{
    (void)state;
    require_no_allocations("jelly_stack", 1, true);
    require_no_allocations("jelly_and_rods", 1, false);
    require_no_allocations("models", 2, true);
}

static void test_ropes_and_cushions_allocate_nothing(void **state)
{
    (void)state;
    require_no_allocations("ropes", 1, false);
    require_no_allocations("cushions", 1, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_cloth_allocates_nothing),
        test_with_memory(test_jellies_of_all_models_allocate_nothing),
        test_with_memory(test_ropes_and_cushions_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
