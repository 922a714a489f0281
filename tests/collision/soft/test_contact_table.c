// Contacts found by their keys, also where many keys share a slot.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collision/soft/contact_table.h"
#include "support/memory.h"

enum { COUNT = 500 };
static sn_soft_contact_data contacts[COUNT];

// Keys that differ in one field each.
static sn_soft_key key_of(int i)
{
    sn_soft_key key = {.deformable = 3, .other = 7, .generation = 1, .other_generation = 1};
    uint32_t value = (uint32_t)(i / 5);
    switch (i % 5) {
    case 0:
        key.feature = value;
        break;
    case 1:
        key.part = value + 1;
        break;
    case 2:
        key.piece = value + 1;
        break;
    case 3:
        key.generation = (uint16_t)(2 * value + 3);
        break;
    default:
        key.other_generation = (uint16_t)(2 * value + 3);
    }
    return key;
}

static void test_contacts_are_found_by_their_keys(void **state)
{
    (void)state;
    sn_arena arena = {0};
    sn_contact_table table;
    for (int i = 0; i < COUNT; ++i) {
        contacts[i].key = key_of(i);
    }
    assert_true(sn_contact_table_make(&table, &arena, contacts, COUNT / 2));
    for (int i = 0; i < COUNT; i += 2) {
        assert_true(sn_contact_table_add(&table, i));
    }
    for (int i = 0; i < COUNT; ++i) {
        sn_soft_key key = key_of(i);
        assert_ptr_equal(sn_contact_table_find(&table, &key), i % 2 == 0 ? &contacts[i] : NULL);
    }
    sn_arena_release(&arena);
}

static void test_the_first_of_equal_keys_stays(void **state)
{
    (void)state;
    sn_arena arena = {0};
    sn_contact_table table;
    contacts[0].key = contacts[1].key = key_of(12);
    assert_true(sn_contact_table_make(&table, &arena, contacts, 2));
    assert_true(sn_contact_table_add(&table, 0));
    assert_false(sn_contact_table_add(&table, 1));
    assert_ptr_equal(sn_contact_table_find(&table, &contacts[1].key), &contacts[0]);
    sn_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_contacts_are_found_by_their_keys),
        test_with_memory(test_the_first_of_equal_keys_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
