// Watching and rationing the library's memory in tests. Use as setup and teardown of a cmocka test: the test
// fails if it leaks. In between, test_memory_allow(n) lets n more allocations succeed and no others.
// Include after cmocka.h.
#ifndef TESTS_SUPPORT_MEMORY_H
#define TESTS_SUPPORT_MEMORY_H

#include "sinew/base.h"
#include <stdlib.h>

typedef struct test_memory {
    uint64_t bytes_before;
    int allowed;
} test_memory;

static test_memory test_memory_state;

// Allocates and releases as the library's default does, so that blocks of either may be released by the
// other.
static inline void *test_memory_allocate(size_t size, void *user)
{
    test_memory *memory = user;
    if (memory->allowed == 0) {
        return NULL;
    }
    --memory->allowed;
    return aligned_alloc(64, (size + 63) / 64 * 64);
}

static inline void test_memory_release(void *block, size_t size, void *user)
{
    (void)size;
    (void)user;
    free(block);
}

static inline void test_memory_allow(int allocations)
{
    test_memory_state.allowed = allocations;
    sn_allocator rationed = {test_memory_allocate, test_memory_release, &test_memory_state};
    sn_allocator_set(&rationed);
}

static inline void test_memory_allow_all(void)
{
    sn_allocator_set(NULL);
}

static inline int test_memory_setup(void **state)
{
    (void)state;
    test_memory_state.bytes_before = sn_allocated_bytes();
    return 0;
}

static inline int test_memory_teardown(void **state)
{
    (void)state;
    test_memory_allow_all();
    assert_int_equal(sn_allocated_bytes(), test_memory_state.bytes_before);
    return 0;
}

#define test_with_memory(function)                                                                           \
    cmocka_unit_test_setup_teardown(function, test_memory_setup, test_memory_teardown)

// Makes a mesh, MAKE being a call that puts it into `mesh`, with ever more memory until there is enough.
// Before that there is a status that says so and no mesh.
#define assert_mesh_made_or_no_memory(MAKE)                                                                  \
    do {                                                                                                     \
        sn_mesh *mesh = NULL;                                                                                \
        for (int allowed = 0; !mesh; ++allowed) {                                                            \
            assert_in_range(allowed, 0, 60);                                                                 \
            test_memory_allow(allowed);                                                                      \
            sn_status status = (MAKE);                                                                       \
            test_memory_allow_all();                                                                         \
            assert_true(status == SN_ERROR_MEMORY || mesh);                                                  \
        }                                                                                                    \
        sn_mesh_destroy(mesh);                                                                               \
    } while (0)

#endif
