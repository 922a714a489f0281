// The stream under the snapshots: what bytes values become, and what happens to bytes that are no values.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "world/snapshot/snapshot_stream.h"
#include <limits.h>

static sn_stream writer(unsigned char *target, size_t size)
{
    return (sn_stream){.mode = SN_STREAM_WRITE, .target = target, .size = size};
}

static sn_stream reader(const unsigned char *source, size_t size, sn_error *error)
{
    return (sn_stream){.mode = SN_STREAM_READ, .source = source, .size = size, .error = error};
}

static void test_numbers_are_little_endian(void **state)
{
    (void)state;
    unsigned char bytes[19];
    sn_stream out = writer(bytes, sizeof bytes);
    uint8_t a = 0x12;
    uint16_t b = 0x3456;
    uint32_t c = 0x789abcdeu;
    uint64_t d = 0x0123456789abcdefu;
    int e = -2;
    sn_stream_integers(&out, &a, sizeof a, 1);
    sn_stream_integers(&out, &b, sizeof b, 1);
    sn_stream_u32(&out, &c);
    sn_stream_u64(&out, &d);
    sn_stream_int(&out, &e);
    const unsigned char expected[19] = {0x12, 0x56, 0x34, 0xde, 0xbc, 0x9a, 0x78, 0xef, 0xcd, 0xab,
                                        0x89, 0x67, 0x45, 0x23, 0x01, 0xfe, 0xff, 0xff, 0xff};
    assert_int_equal(out.at, 19);
    assert_memory_equal(bytes, expected, 19);
}

static void test_numbers_come_back(void **state)
{
    (void)state;
    const int ints[] = {0, 1, -1, INT_MAX, INT_MIN, 123456789};
    const float floats[] = {0.0f, 1.0f, -1.0e-45f, 3.4e38f, INFINITY, -INFINITY};
    unsigned char bytes[64];
    sn_stream out = writer(bytes, sizeof bytes);
    double time = 1.0 / 3.0;
    for (int i = 0; i < 6; ++i) {
        int whole = ints[i];
        float real = floats[i];
        sn_stream_int(&out, &whole);
        sn_stream_float(&out, &real);
    }
    sn_stream_double(&out, &time);
    sn_error error;
    sn_stream in = reader(bytes, out.at, &error);
    for (int i = 0; i < 6; ++i) {
        int whole = 7;
        float real = 7.0f;
        sn_stream_int(&in, &whole);
        sn_stream_float(&in, &real);
        assert_int_equal(whole, ints[i]);
        assert_memory_equal(&real, &floats[i], sizeof real);
    }
    double found = 0.0;
    sn_stream_double(&in, &found);
    assert_true(found == time);
    assert_int_equal(in.status, SN_OK);
    assert_int_equal(in.at, in.size);
}

static void test_zeros_and_nans_have_one_form(void **state)
{
    (void)state;
    const uint32_t patterns[4] = {0x00000000u, 0x80000000u, 0x7fc00000u, 0xffc12345u};
    const uint32_t expected[4] = {0, 0, 0x7fc00000u, 0x7fc00000u};
    for (int i = 0; i < 4; ++i) {
        float value;
        unsigned char bytes[4];
        memcpy(&value, &patterns[i], sizeof value);
        sn_stream out = writer(bytes, sizeof bytes);
        sn_stream_float(&out, &value);
        uint32_t found =
            bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
        assert_int_equal(found, expected[i]);
        uint32_t kept;
        memcpy(&kept, &value, sizeof kept);
        assert_int_equal(kept, patterns[i]); // what is written stays as it is
    }
}

static void test_hash_sees_the_same_values_as_bytes_do(void **state)
{
    (void)state;
    sn_hash hashes[3];
    const float values[3] = {0.0f, -0.0f, 1.0e-30f};
    for (int i = 0; i < 3; ++i) {
        sn_stream stream = {.mode = SN_STREAM_HASH, .hash = sn_hash_begin()};
        float value = values[i];
        sn_stream_float(&stream, &value);
        hashes[i] = stream.hash;
    }
    assert_int_equal(hashes[0], hashes[1]);
    assert_int_not_equal(hashes[0], hashes[2]);
}

static void test_writing_counts_past_the_end_and_writes_nothing_there(void **state)
{
    (void)state;
    unsigned char bytes[8] = {9, 9, 9, 9, 9, 9, 9, 9};
    sn_stream out = writer(bytes, 6);
    uint32_t value = 0;
    sn_stream_u32(&out, &value);
    sn_stream_u32(&out, &value);
    assert_int_equal(out.at, 8);
    assert_int_equal(bytes[3], 0);
    assert_int_equal(bytes[4], 9);
    sn_stream counting = writer(NULL, 0);
    sn_stream_u32(&counting, &value);
    assert_int_equal(counting.at, 4);
}

static void test_reading_past_the_end_fails_once_and_gives_zeros(void **state)
{
    (void)state;
    const unsigned char bytes[6] = {1, 2, 3, 4, 5, 6};
    sn_error error;
    sn_stream in = reader(bytes, sizeof bytes, &error);
    uint32_t value = 9;
    sn_stream_u32(&in, &value);
    assert_int_equal(value, 0x04030201);
    sn_stream_u32(&in, &value);
    assert_int_equal(value, 0);
    assert_int_equal(in.status, SN_ERROR_FORMAT);
    assert_string_equal(error.text, "snapshot: the bytes end early, expected 4 more (byte 4 of 6)");
    uint8_t small = 9;
    sn_stream_integers(&in, &small, sizeof small, 1);
    assert_int_equal(small, 0);
    sn_stream_fail(&in, SN_ERROR_MEMORY, "something else");
    assert_int_equal(in.status, SN_ERROR_FORMAT);
}

static void test_counts_that_cannot_be_are_refused_before_room_is_made(void **state)
{
    (void)state;
    const unsigned char bytes[12] = {2, 0, 0, 0};
    sn_error error;
    int count = 0;
    sn_stream in = reader(bytes, sizeof bytes, &error);
    sn_stream_count(&in, &count, 4, "things");
    assert_int_equal(count, 2);
    in = reader(bytes, sizeof bytes, &error);
    sn_stream_count(&in, &count, 5, "things");
    assert_int_equal(count, 0);
    assert_int_equal(in.status, SN_ERROR_FORMAT);
    const unsigned char huge[8] = {0xff, 0xff, 0xff, 0xff};
    in = reader(huge, sizeof huge, &error);
    sn_stream_count(&in, &count, 1, "things");
    assert_int_equal(count, 0);
    assert_int_equal(in.status, SN_ERROR_FORMAT);
}

static void test_flags_are_checked(void **state)
{
    (void)state;
    sn_error error;
    const unsigned char two = 2;
    bool flag = true;
    sn_stream in = reader(&two, 1, &error);
    sn_stream_bool(&in, &flag, "a flag");
    assert_int_equal(in.status, SN_ERROR_FORMAT);
    assert_false(flag);
    assert_string_equal(error.text, "snapshot: a flag is 2, expected 0 or 1 (byte 0 of 1)");
}

static sn_status read_name(const unsigned char *bytes, size_t size, char name[SN_MAX_NAME + 1])
{
    sn_error error;
    sn_stream in = reader(bytes, size, &error);
    sn_stream_name(&in, name);
    return in.status;
}

static void test_names_are_their_length_and_their_bytes(void **state)
{
    (void)state;
    char name[SN_MAX_NAME + 1];
    unsigned char bytes[4 + SN_MAX_NAME + 1] = {5, 0, 0, 0, 'c', 'r', 'a', 't', 'e', 'x'};
    assert_int_equal(read_name(bytes, 9, name), SN_OK);
    assert_string_equal(name, "crate");
    assert_int_equal(read_name(bytes, 8, name), SN_ERROR_FORMAT); // ends early
    bytes[6] = 0;                                                 // a zero inside
    assert_int_equal(read_name(bytes, 9, name), SN_ERROR_FORMAT);
    memset(bytes + 4, 'x', SN_MAX_NAME + 1);
    bytes[0] = SN_MAX_NAME;
    assert_int_equal(read_name(bytes, sizeof bytes, name), SN_OK);
    assert_int_equal(strlen(name), SN_MAX_NAME);
    bytes[0] = SN_MAX_NAME + 1;
    assert_int_equal(read_name(bytes, sizeof bytes, name), SN_ERROR_FORMAT);
    assert_string_equal(name, "");
    bytes[0] = 0;
    assert_int_equal(read_name(bytes, 4, name), SN_OK);
    assert_string_equal(name, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_are_little_endian),
        cmocka_unit_test(test_numbers_come_back),
        cmocka_unit_test(test_zeros_and_nans_have_one_form),
        cmocka_unit_test(test_hash_sees_the_same_values_as_bytes_do),
        cmocka_unit_test(test_writing_counts_past_the_end_and_writes_nothing_there),
        cmocka_unit_test(test_reading_past_the_end_fails_once_and_gives_zeros),
        cmocka_unit_test(test_counts_that_cannot_be_are_refused_before_room_is_made),
        cmocka_unit_test(test_flags_are_checked),
        cmocka_unit_test(test_names_are_their_length_and_their_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
