// Messages of failed calls, the phrases of statuses, the version.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void test_every_status_has_its_own_phrase(void **state)
{
    (void)state;
    for (int a = 0; a < SN_STATUS_COUNT; ++a) {
        const char *text = sn_status_text((sn_status)a);
        assert_non_null(text);
        assert_true(strlen(text) > 0);
        for (int b = 0; b < a; ++b) {
            assert_string_not_equal(text, sn_status_text((sn_status)b));
        }
    }
}

static void test_unknown_statuses_have_a_phrase_too(void **state)
{
    (void)state;
    // By memcpy, because converting a number no enumerator has is not for the compiler to see.
    const int unknown[] = {-1, SN_STATUS_COUNT, 1000000};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; ++i) {
        sn_status status;
        memcpy(&status, &unknown[i], sizeof status);
        assert_string_equal(sn_status_text(status), "unknown status");
    }
}

static void test_version_matches_the_header(void **state)
{
    (void)state;
    char expected[32];
    snprintf(expected, sizeof expected, "%d.%d.%d", SN_VERSION_MAJOR, SN_VERSION_MINOR, SN_VERSION_PATCH);
    assert_string_equal(sn_version(), expected);
}

static void test_fail_formats_and_returns_the_status(void **state)
{
    (void)state;
    sn_error error = {"old"};
    sn_status status =
        sn_fail(&error, SN_ERROR_RANGE, "sphere of rigid '%s': radius is %g, expected > 0", "crate", -1.0);
    assert_int_equal(status, SN_ERROR_RANGE);
    assert_string_equal(error.text, "sphere of rigid 'crate': radius is -1, expected > 0");
}

static void test_message_may_quote_the_one_it_replaces(void **state)
{
    (void)state;
    sn_error error = {"radius is -1"};
    sn_fail(&error, SN_ERROR_RANGE, "shape 3: %s, expected > 0", error.text);
    assert_string_equal(error.text, "shape 3: radius is -1, expected > 0");
}

static void test_long_messages_are_cut(void **state)
{
    (void)state;
    char name[1000];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    sn_error error;
    sn_fail(&error, SN_ERROR_NAME, "%s", name);
    assert_int_equal(strlen(error.text), SN_ERROR_CAPACITY_BYTES - 1);
}

static void test_cut_messages_end_with_a_whole_character(void **state)
{
    (void)state;
    // "é" is two bytes, "€" three; every phase of each is cut once.
    const char *const characters[] = {"\xc3\xa9", "\xe2\x82\xac"};
    for (int kind = 0; kind < 2; ++kind) {
        size_t size = strlen(characters[kind]);
        for (size_t lead = 0; lead < size; ++lead) {
            char name[600] = "abc";
            name[lead] = '\0';
            while (strlen(name) < 500) {
                strcat(name, characters[kind]);
            }
            sn_error error;
            sn_fail(&error, SN_ERROR_NAME, "%s", name);
            size_t length = strlen(error.text);
            assert_true(length >= SN_ERROR_CAPACITY_BYTES - 1 - size);
            assert_int_equal((length - lead) % size, 0);
            assert_memory_equal(error.text, name, length);
        }
    }
}

static void test_bytes_behind_a_message_are_zero(void **state)
{
    (void)state;
    sn_error error;
    memset(&error, 0xff, sizeof error);
    sn_fail(&error, SN_ERROR_NAME, "short");
    for (size_t i = 5; i < sizeof error.text; ++i) {
        assert_int_equal(error.text[i], 0);
    }
}

static void *fail_on_another_thread(void *context)
{
    bool *empty_at_first = context;
    *empty_at_first = sn_last_error()[0] == '\0';
    sn_fail(NULL, SN_ERROR_MEMORY, "theirs");
    return NULL;
}

static void test_last_error_is_each_threads_own(void **state)
{
    (void)state;
    assert_string_equal(sn_last_error(), "");
    assert_int_equal(sn_fail(NULL, SN_ERROR_NULL, "ours %d", 1), SN_ERROR_NULL);
    bool empty_at_first = false;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, fail_on_another_thread, &empty_at_first), 0);
    pthread_join(thread, NULL);
    assert_true(empty_at_first);
    assert_string_equal(sn_last_error(), "ours 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_status_has_its_own_phrase),
        cmocka_unit_test(test_unknown_statuses_have_a_phrase_too),
        cmocka_unit_test(test_version_matches_the_header),
        cmocka_unit_test(test_fail_formats_and_returns_the_status),
        cmocka_unit_test(test_message_may_quote_the_one_it_replaces),
        cmocka_unit_test(test_long_messages_are_cut),
        cmocka_unit_test(test_cut_messages_end_with_a_whole_character),
        cmocka_unit_test(test_bytes_behind_a_message_are_zero),
        cmocka_unit_test(test_last_error_is_each_threads_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
