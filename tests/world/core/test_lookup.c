// What things are called in messages, and names in memory of their own.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/memory.h"
#include "world/core/world.h"
#include <limits.h>
#include <string.h>

static const char *const longest = "a name of sixty-three bytes, which is as long as a name may be!";

static void test_things_are_called_by_name_or_number(void **state)
{
    (void)state;
    assert_string_equal(sn_label_make("rigid", "crate", 7).text, "rigid 'crate'");
    assert_string_equal(sn_label_make("rigid", "", 7).text, "rigid 7");
    assert_string_equal(sn_label_make("rigid", NULL, 0).text, "rigid 0");
    assert_string_equal(sn_label_make("rigid", NULL, 1203).text, "rigid 1203");
    assert_string_equal(sn_label_make("rigid", NULL, INT_MAX).text, "rigid 2147483647");
    assert_string_equal(sn_label_make("hinge", NULL, -1).text, "hinge");
    assert_string_equal(sn_label_make("hinge", "%s%n", -1).text, "hinge '%s%n'");
    sn_label owner = sn_label_make("rigid", "crate", 7);
    assert_string_equal(sn_label_part("box 3", &owner).text, "box 3 of rigid 'crate'");
}

static void test_the_longest_names_fit_and_longer_ones_are_cut(void **state)
{
    (void)state;
    assert_int_equal(strlen(longest), SN_MAX_NAME);
    sn_label owner = sn_label_make("rigid", longest, 7), part = sn_label_make("compound", NULL, INT_MAX);
    sn_label label = sn_label_part(part.text, &owner);
    assert_string_equal(label.text, "compound 2147483647 of rigid 'a name of sixty-three bytes, which is as "
                                    "long as a name may be!'");
    char endless[1000];
    memset(endless, 'x', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    label = sn_label_make("rigid", endless, 7);
    assert_int_equal(strlen(label.text), strlen("rigid ''") + SN_MAX_NAME);
    label = sn_label_part(endless, &owner);
    assert_int_equal(strlen(label.text), sizeof label.text - 1);
}

static void test_a_name_is_kept_in_memory_of_its_own(void **state)
{
    (void)state;
    char *name = NULL;
    assert_true(sn_name_set(&name, ""));
    assert_null(name);
    char text[] = "crate";
    assert_true(sn_name_set(&name, text));
    text[0] = 'x';
    assert_string_equal(name, "crate");
    const char *before = name;
    test_memory_allow(0);
    assert_true(sn_name_set(&name, "crate")); // needs none
    assert_ptr_equal(name, before);
    assert_false(sn_name_set(&name, "another"));
    assert_string_equal(name, "crate");
    assert_true(sn_name_set(&name, ""));
    assert_null(name);
    test_memory_allow_all();
    assert_true(sn_name_set(&name, longest));
    assert_string_equal(name, longest);
    sn_name_release(&name);
    sn_name_release(&name);
    assert_null(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_things_are_called_by_name_or_number),
        test_with_memory(test_the_longest_names_fit_and_longer_ones_are_cut),
        test_with_memory(test_a_name_is_kept_in_memory_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
