// The pair map against a plain table, over many random additions, removals and look-ups.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "collision/broad/pair_map.h"
#include "support/memory.h"
#include "support/random.h"
#include <limits.h>
#include <string.h>

// --- keys ----------------------------------------------------------------------------------------

static void test_a_key_does_not_depend_on_the_order_and_is_never_zero(void **state)
{
    (void)state;
    const int numbers[] = {0, 1, 2, 63, 64, 65535, 65536, INT_MAX - 1, INT_MAX};
    const int count = (int)(sizeof numbers / sizeof *numbers);
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < count; ++k) {
            uint64_t key = sn_pair_key(numbers[i], numbers[k]);
            assert_true(key != 0);
            assert_true(key == sn_pair_key(numbers[k], numbers[i]));
            // The numbers can be read back, the lower one first.
            int low = i < k ? numbers[i] : numbers[k], high = i < k ? numbers[k] : numbers[i];
            assert_int_equal((key - 1) >> 32, low);
            assert_int_equal((key - 1) & UINT32_MAX, high);
        }
    }
}

static void test_an_empty_map_holds_nothing_and_forgets_nothing(void **state)
{
    (void)state;
    sn_pair_map map = {.used = 0};
    assert_int_equal(sn_pair_map_find(&map, sn_pair_key(0, 1)), -1);
    sn_pair_map_remove(&map, sn_pair_key(0, 1));
    assert_int_equal(map.used, 0);
    sn_pair_map_release(&map);
}

// --- against a table -----------------------------------------------------------------------------

enum { NUMBERS = 80 };

// Values by pair, −1 where there is none; `number` turns small numbers into the ones the keys are made of.
typedef struct table {
    sn_pair_map map;
    int value[NUMBERS][NUMBERS];
    int count;
    int (*number)(int small);
} table;

static int small_number(int i)
{
    return i;
}

// Far apart, up to the largest there is.
static int large_number(int i)
{
    return INT_MAX - i * 25000001;
}

// The low bits are all zero: a poor hash would send all of them to one slot.
static int round_number(int i)
{
    return i << 20;
}

static uint64_t key_of(const table *table, int a, int b)
{
    return sn_pair_key(table->number(a), table->number(b));
}

static void check_everything(const table *table)
{
    assert_int_equal(table->map.used, table->count);
    for (int a = 0; a < NUMBERS; ++a) {
        for (int b = a; b < NUMBERS; ++b) {
            assert_int_equal(sn_pair_map_find(&table->map, key_of(table, a, b)), table->value[a][b]);
        }
    }
}

static void add_or_remove(table *table, int a, int b, int value, bool fill)
{
    int *place = &table->value[a < b ? a : b][a < b ? b : a];
    if (*place < 0 && fill) {
        assert_true(sn_pair_map_reserve(&table->map, 1));
        sn_pair_map_add(&table->map, key_of(table, a, b), value);
        *place = value;
        ++table->count;
    } else if (!fill) {
        sn_pair_map_remove(&table->map, key_of(table, a, b)); // absent ones too: no effect
        table->count -= *place >= 0;
        *place = -1;
    }
}

static void run_random_operations(int (*number)(int), uint64_t seed)
{
    table table = {.number = number};
    memset(table.value, -1, sizeof table.value);
    test_random random = {seed};
    for (int i = 0; i < 100000; ++i) {
        int a = (int)(test_random_u32(&random) % NUMBERS), b = (int)(test_random_u32(&random) % NUMBERS);
        // Mostly filling and mostly emptying in turn, so that all load factors occur.
        bool fill = test_random_u32(&random) % 8 < (i / 10000 % 2 == 0 ? 6u : 2u);
        add_or_remove(&table, a, b, i, fill);
        int c = (int)(test_random_u32(&random) % NUMBERS);
        int low = a < c ? a : c, high = a < c ? c : a;
        assert_int_equal(sn_pair_map_find(&table.map, key_of(&table, a, c)), table.value[low][high]);
        if (i % 5000 == 0) {
            check_everything(&table);
        }
    }
    check_everything(&table);
    sn_pair_map_release(&table.map);
}

static void test_100000_random_operations_agree_with_a_table(void **state)
{
    (void)state;
    run_random_operations(small_number, 1);
    run_random_operations(large_number, 2);
    run_random_operations(round_number, 3);
}

// --- memory --------------------------------------------------------------------------------------

static void test_reserved_room_is_enough(void **state)
{
    (void)state;
    for (int extra = 0; extra <= 300; ++extra) {
        sn_pair_map map = {.used = 0};
        assert_true(sn_pair_map_reserve(&map, extra));
        test_memory_allow(0);
        for (int i = 0; i < extra; ++i) {
            assert_true(sn_pair_map_reserve(&map, 1));
            sn_pair_map_add(&map, sn_pair_key(i, i + 1), i);
        }
        test_memory_allow_all();
        // At least half of the slots stay empty, so that searches are short.
        assert_true(2 * map.used <= map.slots.count);
        for (int i = 0; i < extra; ++i) {
            assert_int_equal(sn_pair_map_find(&map, sn_pair_key(i, i + 1)), i);
        }
        sn_pair_map_release(&map);
    }
}

static void test_without_memory_the_map_stays_as_it_was(void **state)
{
    (void)state;
    sn_pair_map map = {.used = 0};
    test_memory_allow(0);
    assert_false(sn_pair_map_reserve(&map, 1));
    test_memory_allow_all();
    assert_true(sn_pair_map_reserve(&map, 20));
    for (int i = 0; i < 20; ++i) {
        sn_pair_map_add(&map, sn_pair_key(i, 7 * i + 1), i);
    }
    test_memory_allow(0);
    assert_false(sn_pair_map_reserve(&map, 100000));
    assert_false(sn_pair_map_reserve(&map, INT_MAX));
    test_memory_allow_all();
    assert_false(sn_pair_map_reserve(&map, INT_MAX));
    assert_int_equal(map.used, 20);
    for (int i = 0; i < 20; ++i) {
        assert_int_equal(sn_pair_map_find(&map, sn_pair_key(i, 7 * i + 1)), i);
    }
    sn_pair_map_release(&map);
}

static void test_adding_and_removing_for_ever_does_not_grow_the_table(void **state)
{
    (void)state;
    sn_pair_map map = {.used = 0};
    assert_true(sn_pair_map_reserve(&map, 30));
    int size = map.slots.count;
    for (int i = 0; i < 100000; ++i) {
        assert_true(sn_pair_map_reserve(&map, 1));
        sn_pair_map_add(&map, sn_pair_key(i, i + 3), i);
        if (i >= 30) {
            sn_pair_map_remove(&map, sn_pair_key(i - 30, i - 27));
        }
    }
    assert_int_equal(map.slots.count, size);
    assert_int_equal(map.used, 30);
    sn_pair_map_release(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_key_does_not_depend_on_the_order_and_is_never_zero),
        test_with_memory(test_an_empty_map_holds_nothing_and_forgets_nothing),
        test_with_memory(test_100000_random_operations_agree_with_a_table),
        test_with_memory(test_reserved_room_is_enough),
        test_with_memory(test_without_memory_the_map_stays_as_it_was),
        test_with_memory(test_adding_and_removing_for_ever_does_not_grow_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
