// Indices with generations: a stale id is always noticed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/id_pool.h"
#include "support/memory.h"
#include "support/random.h"
#include <limits.h>

static uint16_t generation_of(const sn_id_pool *pool, int index)
{
    return pool->generation.data[index];
}

static void test_fresh_indices_count_up(void **state)
{
    (void)state;
    sn_id_pool pool = {0};
    for (int i = 0; i < 100; ++i) {
        assert_int_equal(sn_id_pool_take(&pool), i);
        assert_int_equal(generation_of(&pool, i), 1);
        assert_true(sn_id_pool_in_use(&pool, i));
        assert_true(sn_id_pool_holds(&pool, i, 1));
        assert_int_equal(pool.used, i + 1);
    }
    sn_id_pool_release(&pool);
}

static void test_freed_indices_come_back_last_in_first_out(void **state)
{
    (void)state;
    sn_id_pool pool = {0};
    for (int i = 0; i < 4; ++i) {
        sn_id_pool_take(&pool);
    }
    sn_id_pool_give_back(&pool, 1);
    sn_id_pool_give_back(&pool, 3);
    sn_id_pool_give_back(&pool, 0);
    assert_int_equal(pool.used, 1);
    assert_int_equal(sn_id_pool_take(&pool), 0);
    assert_int_equal(sn_id_pool_take(&pool), 3);
    assert_int_equal(sn_id_pool_take(&pool), 1);
    assert_int_equal(sn_id_pool_take(&pool), 4);
    sn_id_pool_release(&pool);
}

static void test_a_stale_id_is_noticed(void **state)
{
    (void)state;
    sn_id_pool pool = {0};
    int index = sn_id_pool_take(&pool);
    uint16_t stale = generation_of(&pool, index);
    sn_id_pool_give_back(&pool, index);
    assert_false(sn_id_pool_holds(&pool, index, stale));
    assert_false(sn_id_pool_in_use(&pool, index));
    assert_int_equal(sn_id_pool_take(&pool), index);
    assert_false(sn_id_pool_holds(&pool, index, stale));
    assert_true(sn_id_pool_holds(&pool, index, generation_of(&pool, index)));
    sn_id_pool_release(&pool);
}

static void test_any_question_is_safe(void **state)
{
    (void)state;
    sn_id_pool pool = {0};
    const int indices[] = {INT_MIN, -1, 0, 1, 2, 7, 8, INT_MAX};
    for (int round = 0; round < 2; ++round) {
        for (size_t i = 0; i < sizeof indices / sizeof *indices; ++i) {
            bool live = round == 1 && indices[i] == 0;
            assert_int_equal(sn_id_pool_in_use(&pool, indices[i]), live);
            assert_int_equal(sn_id_pool_holds(&pool, indices[i], 1), live);
            assert_false(sn_id_pool_holds(&pool, indices[i], 0));
            assert_false(sn_id_pool_holds(&pool, indices[i], 2));
        }
        sn_id_pool_take(&pool);
    }
    sn_id_pool_release(&pool);
}

static void test_giving_back_twice_is_harmless(void **state)
{
    (void)state;
    sn_id_pool pool = {0};
    sn_id_pool_take(&pool);
    sn_id_pool_give_back(&pool, 0);
    sn_id_pool_give_back(&pool, 0);
    sn_id_pool_give_back(&pool, -1);
    sn_id_pool_give_back(&pool, 5);
    assert_int_equal(pool.used, 0);
    assert_int_equal(sn_id_pool_take(&pool), 0);
    assert_int_equal(sn_id_pool_take(&pool), 1);
    sn_id_pool_release(&pool);
}

static void test_a_worn_out_index_is_retired(void **state)
{
    (void)state;
    sn_id_pool pool = {0};
    static bool seen[65536];
    // Generations 1, 3, … 65535: each names one life of index 0, then it must never come again.
    for (int life = 0; life < 32768; ++life) {
        assert_int_equal(sn_id_pool_take(&pool), 0);
        assert_false(seen[generation_of(&pool, 0)]);
        seen[generation_of(&pool, 0)] = true;
        sn_id_pool_give_back(&pool, 0);
    }
    assert_int_equal(pool.used, 0);
    assert_int_equal(sn_id_pool_take(&pool), 1);
    assert_false(sn_id_pool_in_use(&pool, 0));
    for (int generation = 0; generation < 65536; ++generation) {
        assert_false(sn_id_pool_holds(&pool, 0, (uint16_t)generation));
    }
    sn_id_pool_give_back(&pool, 0);
    assert_int_equal(pool.used, 1);
    sn_id_pool_release(&pool);
}

static void test_after_reserve_take_needs_no_memory(void **state)
{
    (void)state;
    sn_id_pool pool = {0};
    for (int i = 0; i < 50; ++i) {
        assert_true(sn_id_pool_reserve(&pool));
        test_memory_allow(0);
        assert_int_equal(sn_id_pool_take(&pool), i);
        test_memory_allow_all();
    }
    test_memory_allow(0);
    for (int i = 0; i < 50; ++i) {
        sn_id_pool_give_back(&pool, i);
    }
    for (int i = 49; i >= 0; --i) {
        assert_int_equal(sn_id_pool_take(&pool), i);
    }
    sn_id_pool_release(&pool);
}

static void test_without_memory_take_says_so(void **state)
{
    (void)state;
    for (int allowed = 0; allowed < 2; ++allowed) {
        sn_id_pool pool = {0};
        test_memory_allow(allowed);
        assert_false(sn_id_pool_reserve(&pool));
        test_memory_allow(0);
        assert_int_equal(sn_id_pool_take(&pool), -1);
        assert_int_equal(pool.used, 0);
        test_memory_allow_all();
        assert_int_equal(sn_id_pool_take(&pool), 0);
        sn_id_pool_release(&pool);
    }
}

static void test_random_life_matches_a_plain_list(void **state)
{
    (void)state;
    enum { SLOTS = 200 };
    sn_id_pool pool = {0};
    test_random random = {11};
    int held_index[SLOTS];
    uint16_t held_generation[SLOTS];
    int held = 0;
    for (int step = 0; step < 20000; ++step) {
        if (held < SLOTS && (held == 0 || test_random_u32(&random) % 2)) {
            held_index[held] = sn_id_pool_take(&pool);
            held_generation[held] = generation_of(&pool, held_index[held]);
            ++held;
        } else {
            int victim = (int)(test_random_u32(&random) % (uint32_t)held);
            sn_id_pool_give_back(&pool, held_index[victim]);
            assert_false(sn_id_pool_holds(&pool, held_index[victim], held_generation[victim]));
            --held;
            held_index[victim] = held_index[held];
            held_generation[victim] = held_generation[held];
        }
        assert_int_equal(pool.used, held);
        for (int i = 0; i < held; ++i) {
            assert_true(sn_id_pool_holds(&pool, held_index[i], held_generation[i]));
        }
    }
    assert_true(pool.generation.count <= SLOTS);
    sn_id_pool_release(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_fresh_indices_count_up),
        test_with_memory(test_freed_indices_come_back_last_in_first_out),
        test_with_memory(test_a_stale_id_is_noticed),
        test_with_memory(test_any_question_is_safe),
        test_with_memory(test_giving_back_twice_is_harmless),
        test_with_memory(test_a_worn_out_index_is_retired),
        test_with_memory(test_after_reserve_take_needs_no_memory),
        test_with_memory(test_without_memory_take_says_so),
        test_with_memory(test_random_life_matches_a_plain_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
