// Whatever carries loads past its rows keeps the momenta of what is free, while it flies away from the origin
// and turns: levels of chains, ropes and sheets, planes of hinges, unions.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/free_systems.h"
#include "support/physics.h"

static void test_free_systems_keep_their_momenta(void **state)
{
    (void)state;
    const sn_vec3 drifts[] = {{0.0f, 0.0f, 0.0f}, {2.0f, 1.0f, 0.0f}};
    for (int i = 0; i < FREE_SYSTEMS; ++i) {
        for (int k = 0; k < 2; ++k) {
            momentum_drift change = free_system_drift(i, drifts[k], 1000);
            const char *motion = k == 0 ? "turning" : "drifting";
            check_below(change.linear, 1.0e-5, "%s, %s: linear momentum changes by", free_system_name(i),
                        motion);
            check_below(change.angular, 1.0e-5, "%s, %s: angular momentum changes by", free_system_name(i),
                        motion);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_free_systems_keep_their_momenta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
