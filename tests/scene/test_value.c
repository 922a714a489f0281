// Values are read as Jansson reads them: the same texts are refused, the others mean the same.
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/value.h"
#include "support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- beside Jansson ----------------------------------------------------------------------------------------

// Whether it was taken for JSON.
static bool check_like_jansson(const char *text, size_t size)
{
    char *copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy, text, size);
    copy[size] = '\0';
    json_error_t error;
    json_t *expected = json_loadb(copy, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    sn_value_store store = {0};
    sn_value *root = NULL;
    sn_parsed parsed = sn_value_parse(&store, copy, size, &root);
    if ((parsed == SN_PARSED) != (expected != NULL)) {
        fail_msg("%s\nis %s JSON", copy, expected != NULL ? "no" : "taken for");
    }
    if (expected != NULL) {
        json_t *read = sn_value_to_json(root);
        if (!json_equal(read, expected)) {
            fail_msg("%s\nmeans something else", copy);
        }
        json_decref(read);
    }
    bool taken = expected != NULL;
    json_decref(expected);
    sn_value_store_release(&store);
    free(copy);
    return taken;
}

static void test_what_is_json(void **state)
{
    (void)state;
    static const char *const good[] = {"null",
                                       " true\n",
                                       "false",
                                       "0",
                                       "-0",
                                       "-0.0",
                                       "1e5",
                                       "1E+5",
                                       "1e-5",
                                       "0.1",
                                       "123456789012345678",
                                       "9223372036854775807",
                                       "-9223372036854775808",
                                       "0.30000000000000004",
                                       "1.7976931348623157e308",
                                       "4.9e-324",
                                       "1e-999",
                                       "0e999",
                                       "9007199254740993.0",
                                       "123456789012345678901234567890.5",
                                       "0.000000000000000000000000000000000000000001",
                                       "\"\"",
                                       "\"text\"",
                                       "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
                                       "\"\\u00e4\\u20AC\\ud83d\\uDE00\\u0001\"",
                                       "\"äöü € 😀 \x7f\"",
                                       "[]",
                                       "[ ]",
                                       "{}",
                                       "{ }",
                                       "[1,2 , [3,[]],{}]",
                                       "{\"a\":1,\"b\":{\"a\":[true]},\"\":0}"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; ++i) {
        assert_true(check_like_jansson(good[i], strlen(good[i])));
    }
}

static void test_what_is_none(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      " ",
                                      "nul",
                                      "nulll",
                                      "True",
                                      "true false",
                                      "01",
                                      "-",
                                      "+1",
                                      ".5",
                                      "1.",
                                      "1.e5",
                                      "1e",
                                      "1e+",
                                      "0x10",
                                      "1a",
                                      "9223372036854775808",
                                      "-9223372036854775809",
                                      "1e309",
                                      "-1e309",
                                      "NaN",
                                      "\"",
                                      "\"\\\"",
                                      "\"\\",
                                      "\"a\nb\"",
                                      "\"\\x\"",
                                      "\"\\u12\"",
                                      "\"\\u0000\"",
                                      "\"\\ud83d\"",
                                      "\"\\ud83d\\u0041\"",
                                      "\"\\ude00\"",
                                      "\"\xff\"",
                                      "\"\xc3\"",
                                      "\"\xc0\x80\"",
                                      "\"\xe0\x80\x80\"",
                                      "\"\xed\xa0\x80\"",
                                      "\"\xf4\x90\x80\x80\"",
                                      "[",
                                      "]",
                                      "[1",
                                      "[1,",
                                      "[1,]",
                                      "[,1]",
                                      "[1 2]",
                                      "[1}",
                                      "{",
                                      "{\"a\"",
                                      "{\"a\":",
                                      "{\"a\":1",
                                      "{\"a\":1,",
                                      "{\"a\":1,}",
                                      "{a:1}",
                                      "{\"a\" 1}",
                                      "{\"a\":1]",
                                      "{\"a\":1,\"a\":2}",
                                      "{\"a\":1,\"\\u0061\":2}",
                                      "{\"a\":1}x"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        assert_false(check_like_jansson(bad[i], strlen(bad[i])));
    }
    assert_false(check_like_jansson("[1]\0", 4));
    assert_false(check_like_jansson("\"a\0b\"", 5));
}

static void test_depth_has_the_same_end(void **state)
{
    (void)state;
    char text[2 * 2100 + 1];
    for (int depth = 2040; depth <= 2060; ++depth) {
        memset(text, '[', (size_t)depth);
        memset(text + depth, ']', (size_t)depth);
        assert_int_equal(check_like_jansson(text, 2 * (size_t)depth), depth <= 2048);
    }
}

static void test_objects_of_many_members_have_no_key_twice(void **state)
{
    (void)state;
    enum { MEMBERS = 3000 };
    char *text = malloc(MEMBERS * 16);
    assert_non_null(text);
    for (int twin = 0; twin < 2; ++twin) {
        size_t used = 0;
        for (int i = 0; i < MEMBERS; ++i) {
            int key = twin == 1 && i == MEMBERS - 1 ? 17 : i;
            used += (size_t)sprintf(text + used, "%c\"k%d\":%d", i == 0 ? '{' : ',', key, i);
        }
        text[used++] = '}';
        assert_int_equal(check_like_jansson(text, used), twin == 0);
    }
    free(text);
}

// Texts a little wrong, and some still right.
static void test_spoilt_texts_are_refused_alike(void **state)
{
    (void)state;
    static const char *const seeds[] = {
        "{\"sinew\": 1, \"bodies\": [{\"name\": \"b\\u00e4\", \"position\": [0.5, -1e-3, 22]}], \"x\": true}",
        "[0.1, 12.75e2, -0.0, 123456789.123456789, null, false, \"a\\n\\ud83d\\ude00ä€\", {\"\": {}}, []]"};
    static const char pieces[] = "{}[]\",:\\/u0123456789abcdefnrt.eE+- \n\x01\xc3\xa4\xe2\xff";
    test_random random = {7};
    int taken = 0;
    for (int i = 0; i < 60000; ++i) {
        char text[160];
        const char *seed = seeds[i % 2];
        size_t size = strlen(seed);
        memcpy(text, seed, size);
        for (uint32_t k = 0; k < 1 + test_random_u32(&random) % 3; ++k) {
            size_t at = test_random_u32(&random) % size;
            char piece = pieces[test_random_u32(&random) % (sizeof pieces - 1)];
            if (test_random_u32(&random) % 3 == 0) {
                memmove(text + at, text + at + 1, --size - at);
            } else {
                text[at] = piece;
            }
        }
        taken += check_like_jansson(text, size) ? 1 : 0;
    }
    assert_in_range(taken, 1000, 59000);
}

// Bits agree whatever the number of digits.
static void test_numbers_round_alike(void **state)
{
    (void)state;
    test_random random = {9};
    for (int i = 0; i < 40000; ++i) {
        char text[64];
        uint64_t bits = (uint64_t)test_random_u32(&random) << 32 | test_random_u32(&random);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (value - value == 0.0) {
            int size = snprintf(text, sizeof text, "%.*e", (int)(test_random_u32(&random) % 18), value);
            check_like_jansson(text, (size_t)size);
        }
        value = (double)test_random_float(&random, -1000.0f, 1000.0f);
        int size = snprintf(text, sizeof text, "%.*f", 1 + (int)(test_random_u32(&random) % 20), value);
        assert_true(check_like_jansson(text, (size_t)size));
    }
}

// --- changing ----------------------------------------------------------------------------------------------

static void test_members_are_found_and_set(void **state)
{
    (void)state;
    sn_value_store store = {0};
    sn_value *root = NULL;
    const char text[] = "{\"a\": 1, \"list\": [1.5, \"t\"]}";
    assert_int_equal(sn_value_parse(&store, text, strlen(text), &root), SN_PARSED);
    assert_true(sn_value_number(sn_value_get(root, "a")) == 1.0);
    assert_null(sn_value_get(root, "b"));
    assert_null(sn_value_get(sn_value_get(root, "a"), "b"));
    assert_null(sn_value_get(NULL, "b"));
    const sn_value *list = sn_value_get(root, "list");
    assert_int_equal(sn_value_count(list), 2);
    assert_int_equal(sn_value_count(root), 0);
    assert_true(sn_value_number(sn_value_at(list, 0)) == 1.5);
    assert_string_equal(sn_value_text(sn_value_at(list, 1)), "t");
    assert_null(sn_value_text(list));
    assert_null(sn_value_at(list, 2));
    assert_null(sn_value_at(list, -1));
    assert_non_null(sn_value_set(&store, root, "a", (sn_value){.type = SN_VALUE_TRUE}));
    assert_non_null(sn_value_set(&store, root, "b", (sn_value){.type = SN_VALUE_OBJECT}));
    assert_int_equal(root->count, 3);
    assert_true(sn_value_is(sn_value_get(root, "a"), SN_VALUE_TRUE));
    assert_string_equal(root->members[2].key, "b");
    sn_value_store_release(&store);
    assert_null(store.block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_json),
        cmocka_unit_test(test_what_is_none),
        cmocka_unit_test(test_depth_has_the_same_end),
        cmocka_unit_test(test_objects_of_many_members_have_no_key_twice),
        cmocka_unit_test(test_spoilt_texts_are_refused_alike),
        cmocka_unit_test(test_numbers_round_alike),
        cmocka_unit_test(test_members_are_found_and_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
