// The hash must be the same everywhere and for ever: saved hashes depend on it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/hash.h"

static void test_known_values(void **state)
{
    (void)state;
    // Worked out from the definition with arbitrary-precision integers.
    sn_hash hash = sn_hash_u64(sn_hash_begin(), 0);
    assert_true(hash == 0xf8bb92c91b3f5cc0u);
    hash = sn_hash_u64(hash, 0x0123456789abcdefu);
    assert_true(hash == 0xce4575418b5dd99au);
    hash = sn_hash_float(hash, 1.5f);
    assert_true(hash == 0xfc1900be6ec4711cu);
}

static void test_negative_zero_hashes_as_zero(void **state)
{
    (void)state;
    sn_hash begin = sn_hash_begin();
    assert_true(sn_hash_float(begin, -0.0f) == sn_hash_float(begin, 0.0f));
    assert_true(sn_hash_vec3(begin, sn_v(-0.0f, 1.0f, -0.0f)) == sn_hash_vec3(begin, sn_v(0.0f, 1.0f, 0.0f)));
}

static void test_order_and_sign_matter(void **state)
{
    (void)state;
    sn_hash begin = sn_hash_begin();
    assert_true(sn_hash_vec3(begin, sn_v(1, 2, 3)) != sn_hash_vec3(begin, sn_v(2, 1, 3)));
    assert_true(sn_hash_float(begin, 1.0f) != sn_hash_float(begin, -1.0f));
    sn_quat a = {1, 0, 0, 0};
    sn_quat b = {0, 0, 0, 1};
    assert_true(sn_hash_quat(begin, a) != sn_hash_quat(begin, b));
}

static void test_a_quaternion_hashes_as_its_four_floats(void **state)
{
    (void)state;
    sn_quat q = {1, 2, 3, 4};
    sn_hash expected = sn_hash_begin();
    for (int i = 1; i <= 4; ++i) {
        expected = sn_hash_float(expected, (float)i);
    }
    assert_true(sn_hash_quat(sn_hash_begin(), q) == expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_values),
        cmocka_unit_test(test_negative_zero_hashes_as_zero),
        cmocka_unit_test(test_order_and_sign_matter),
        cmocka_unit_test(test_a_quaternion_hashes_as_its_four_floats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
