// Finite elements under the position solver are as stiff as they should be, where the velocity solver clamps
// them; and the same by any settings that resolve them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/position_beam.h"
#include "support/position_rig.h"

static void test_a_beam_sags_as_linear_elasticity_says(void **state)
{
    (void)state;
    static const struct {
        float young;
        int sub_steps, iterations;
    } cases[] = {{1.0e6f, 8, 8}, {1.0e7f, 16, 16}, {1.0e7f, 32, 4}, {1.0e8f, 80, 8}};
    for (int i = 0; i < 4; ++i) {
        sn_world_def def = position_def(cases[i].sub_steps, cases[i].iterations);
        check_near(beam_error(def, cases[i].young), 0.0, 0.005, "sag of a beam of %g Pa, %d sub-steps of %d",
                   (double)cases[i].young, cases[i].sub_steps, cases[i].iterations);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {physics_test(test_a_beam_sags_as_linear_elasticity_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
