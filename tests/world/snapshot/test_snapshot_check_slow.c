// Twenty thousand random changes of a snapshot; half a minute of work.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/memory.h"
#include "world/snapshot/snapshot_hostile.h"

static void test_many_random_changes_are_refused_or_harmless(void **state)
{
    (void)state;
    check_random_changes(20000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_many_random_changes_are_refused_or_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
