// Custom constraints: the little that can be known without a world.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "constraint/kind.h"

static void test_default_names_no_kind_and_is_rejected(void **state)
{
    (void)state;
    sn_definition d = {.custom = sn_custom_def_default()};
    sn_error error = {{0}};
    assert_int_equal(sn_definition_check(&sn_kind_custom, &d, &error, "custom 'gear'"), SN_ERROR_NULL);
    assert_string_equal(error.text, "custom 'gear': kind_name is null, expected a registered name");
}

static void test_named_kind_passes(void **state)
{
    (void)state;
    sn_definition d = {.custom = sn_custom_def_default()};
    sn_error error = {{0}};
    d.custom.kind_name = "gear";
    assert_int_equal(sn_definition_check(&sn_kind_custom, &d, &error, "custom 'gear'"), SN_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default_names_no_kind_and_is_rejected),
        cmocka_unit_test(test_named_kind_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
