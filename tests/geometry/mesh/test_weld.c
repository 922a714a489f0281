// Welding of coincident points.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/mesh/weld.h"
#include "support/memory.h"
#include "support/random.h"
#include <string.h>

#define COUNT 600

// The same by comparing all with all.
static int brute_weld(sn_vec3 *points, int count, float tolerance, int *kept_as)
{
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        if (kept_as[i] < 0) {
            continue;
        }
        sn_vec3 p = points[i];
        kept_as[i] = kept;
        for (int j = 0; j < kept && kept_as[i] == kept; ++j) {
            sn_vec3 gap = sn_abs3(sn_sub(points[j], p));
            if (gap.x <= tolerance && gap.y <= tolerance && gap.z <= tolerance) {
                kept_as[i] = j;
            }
        }
        if (kept_as[i] == kept) {
            points[kept++] = p;
        }
    }
    return kept;
}

static void test_random_points_agree_with_brute_force(void **state)
{
    (void)state;
    test_random random = {8};
    for (int round = 0; round < 60; ++round) {
        sn_vec3 points[COUNT], expected_points[COUNT];
        int kept_as[COUNT], expected[COUNT];
        float size = round % 3 ? 1.0f : 1.0e5f, tolerance = size * (round % 2 ? 0.03f : 4.0e-7f);
        for (int i = 0; i < COUNT; ++i) {
            points[i] = test_random_vec3(&random, size);
            if (i % 3 == 2) {
                points[i] = sn_add(points[i - 1], test_random_vec3(&random, 1.5f * tolerance));
            }
            kept_as[i] = i % 17 ? 0 : -1;
        }
        memcpy(expected_points, points, sizeof points);
        memcpy(expected, kept_as, sizeof kept_as);
        int kept = sn_weld(points, COUNT, tolerance, kept_as);
        assert_int_equal(kept, brute_weld(expected_points, COUNT, tolerance, expected));
        assert_true(kept > 10 && kept < COUNT);
        assert_memory_equal(kept_as, expected, sizeof kept_as);
        assert_memory_equal(points, expected_points, (size_t)kept * sizeof(sn_vec3));
    }
}

static void test_copies_across_cell_borders_are_one(void **state)
{
    (void)state;
    float tolerance = 1.0e-3f;
    for (int i = -50; i <= 50; ++i) {
        float x = (float)i * tolerance;
        sn_vec3 points[2] = {{x - 0.4e-3f, -x, 0.0f}, {x + 0.4e-3f, -x, -0.0f}};
        int kept_as[2] = {0, 0};
        assert_int_equal(sn_weld(points, 2, tolerance, kept_as), 1);
        assert_int_equal(kept_as[1], 0);
    }
}

static void test_without_memory_it_says_so(void **state)
{
    (void)state;
    sn_vec3 points[2] = {{0, 0, 0}, {1, 0, 0}};
    int kept_as[2] = {0, 0};
    test_memory_allow(0);
    assert_int_equal(sn_weld(points, 2, 0.1f, kept_as), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_random_points_agree_with_brute_force),
        test_with_memory(test_copies_across_cell_borders_are_one),
        test_with_memory(test_without_memory_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
