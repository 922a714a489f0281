// The position solver beside the velocity solver: ten mixed scenes come to the same rest, with the same
// forces.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/mixed_scenes.h"
#include "support/physics.h"

static void test_ten_scenes_come_to_the_same_rest(void **state)
{
    (void)state;
    sn_world_def velocity = sn_world_def_default();
    velocity.sleep = false;
    velocity.sub_steps = 8;
    sn_world_def position = velocity;
    position.solver = SN_SOLVER_POSITION;
    for (int i = 0; i < MIXED_SCENES; ++i) {
        mixed_value expected[MIXED_VALUES], values[MIXED_VALUES];
        mixed_run(&mixed_scenes[i], &velocity, physics_steps[0], expected);
        mixed_run(&mixed_scenes[i], &position, physics_steps[0], values);
        for (int v = 0; v < MIXED_VALUES && values[v].name != NULL; ++v) {
            check_relative(values[v].value, expected[v].value, 0.02, "%s: %s", mixed_scenes[i].name,
                           values[v].name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {physics_test(test_ten_scenes_come_to_the_same_rest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
