// A chain of fifty links holds whatever hangs on it, ten thousand or a million times as heavy as a link: it
// is as long as its links together, and no link parts from the next.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/heavy_chain.h"
#include "support/physics.h"

static void check_chain(float ratio, sn_vec3 direction, const char *name)
{
    heavy_chain_errors worst = heavy_chain_run(ratio, direction, 600);
    check_below(worst.longer, 1e-3, "%s, 1 : %g: longer by", name, (double)ratio);
    check_below(worst.parted, 0.03, "  links part by");
    check_below(worst.gained, 1e-3, "  energy gained");
}

static void test_it_hangs(void **state)
{
    (void)state;
    check_chain(1.0e4f, sn_v(0.0f, -1.0f, 0.0f), "hanging");
    check_chain(1.0e6f, sn_v(0.0f, -1.0f, 0.0f), "hanging");
}

static void test_it_swings(void **state)
{
    (void)state;
    check_chain(1.0e4f, sn_v(1.0f, 0.0f, 0.0f), "swinging");
    check_chain(1.0e6f, sn_v(1.0f, 0.0f, 0.0f), "swinging");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_it_hangs),
        physics_test(test_it_swings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
