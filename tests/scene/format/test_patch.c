// Patches: what they make is what was asked for, they are small where little changed, and bytes that are no
// patch make nothing.
#include "scene/patch.h"

#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

enum { SIZE = 4000 };

typedef struct text {
    uint8_t bytes[2 * SIZE];
    size_t size;
} text;

static text random_text(uint64_t seed)
{
    text made = {.size = SIZE};
    test_random random = {seed};
    for (size_t i = 0; i < made.size; ++i) {
        made.bytes[i] = (uint8_t)(test_random_u32(&random) >> 24);
    }
    return made;
}

// Makes the patch, applies it, and tells its size.
static int check(const text *from, const text *to)
{
    sn_byte_list patch = {0};
    size_t size = 0;
    assert_true(sn_patch_make(from->bytes, from->size, to->bytes, to->size, &patch));
    uint8_t *made = sn_patch_apply(patch.items, (size_t)patch.count, from->bytes, from->size, &size);
    assert_non_null(made);
    assert_int_equal(size, to->size);
    assert_memory_equal(made, to->bytes, to->size);
    int length = patch.count;
    free(made);
    SN_LIST_FREE(&patch);
    return length;
}

static void test_equal_bytes_need_a_few(void **state)
{
    (void)state;
    text a = random_text(1);
    assert_true(check(&a, &a) <= 8);
}

static void test_a_changed_word_needs_a_few_bytes(void **state)
{
    (void)state;
    text a = random_text(1), b = a;
    for (int i = 0; i < 4; ++i) {
        b.bytes[1234 + i] ^= 0xff;
    }
    assert_true(check(&a, &b) <= 16);
}

static void test_what_is_put_in_moves_the_rest(void **state)
{
    (void)state;
    text a = random_text(1), b = a;
    memmove(b.bytes + 1037, b.bytes + 1000, SIZE - 1000);
    memset(b.bytes + 1000, 7, 37);
    b.size = SIZE + 37;
    assert_true(check(&a, &b) <= 37 + 48);
    assert_true(check(&b, &a) <= 48);
}

static void test_several_pieces_that_moved_are_found_again(void **state)
{
    (void)state;
    text a = random_text(1), b = {.size = SIZE - 11};
    memcpy(b.bytes, a.bytes + 2000, 1900);
    memcpy(b.bytes + 1900, a.bytes + 100, 1800);
    memset(b.bytes + 3700, 1, SIZE - 11 - 3700);
    assert_true(check(&a, &b) <= SIZE - 11 - 3700 + 120);
}

static void test_anything_can_be_made_of_anything(void **state)
{
    (void)state;
    text a = random_text(1), b = random_text(2), none = {.size = 0};
    assert_true(check(&a, &b) <= SIZE + 16);
    b.size = 17;
    check(&a, &b);
    check(&b, &a);
    check(&none, &a);
    check(&a, &none);
    check(&none, &none);
}

static void test_bytes_that_are_no_patch_make_nothing(void **state)
{
    (void)state;
    text a = random_text(1), b = a;
    size_t size = 0;
    memmove(b.bytes + 1037, b.bytes + 1000, SIZE - 1000);
    b.size = SIZE + 37;
    sn_byte_list patch = {0};
    assert_true(sn_patch_make(a.bytes, a.size, b.bytes, b.size, &patch));
    for (int cut = 0; cut < patch.count; ++cut) {
        assert_null(sn_patch_apply(patch.items, (size_t)cut, a.bytes, a.size, &size));
    }
    assert_null(sn_patch_apply(patch.items, (size_t)patch.count, a.bytes, 500, &size));
    test_random random = {3};
    for (int i = 0; i < 20000; ++i) {
        uint8_t wild[64];
        for (int j = 0; j < 64; ++j) {
            wild[j] = (uint8_t)(test_random_u32(&random) >> 24);
        }
        free(sn_patch_apply(wild, 1 + (size_t)(i % 64), a.bytes, a.size, &size)); // must not crash
    }
    const uint8_t huge[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0};
    assert_null(sn_patch_apply(huge, sizeof huge, a.bytes, a.size, &size));
    SN_LIST_FREE(&patch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_bytes_need_a_few),
        cmocka_unit_test(test_a_changed_word_needs_a_few_bytes),
        cmocka_unit_test(test_what_is_put_in_moves_the_rest),
        cmocka_unit_test(test_several_pieces_that_moved_are_found_again),
        cmocka_unit_test(test_anything_can_be_made_of_anything),
        cmocka_unit_test(test_bytes_that_are_no_patch_make_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
