// Scenes hostile to the position solver: steps of 1/30 s, springs of 1e9 N/m, mass ratios of a thousand. What
// runs for 10,000 steps in bench runs for ten seconds here.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/hostile_scenes.h"
#include "support/physics.h"

static void test_hostile_scenes_live(void **state)
{
    (void)state;
    for (int i = 0; i < HOSTILE_SCENES; ++i) {
        hostile_result result = hostile_run(&hostile_scenes[i], 300);
        check_true(hostile_is_sane(&result), "%s: %g m away, %g m/s fast, %d frozen", hostile_scenes[i].name,
                   result.farthest, result.fastest, result.frozen);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {physics_test(test_hostile_scenes_live)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
