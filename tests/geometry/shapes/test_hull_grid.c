// The exact orientation test: antisymmetric, zero exactly in the plane, right at the largest coordinates.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/shapes/hull_grid.h"
#include "support/random.h"

static sn_grid_point random_point(test_random *random, uint32_t limit)
{
    int32_t x = (int32_t)(test_random_u32(random) % (2 * limit + 1)) - (int32_t)limit;
    int32_t y = (int32_t)(test_random_u32(random) % (2 * limit + 1)) - (int32_t)limit;
    int32_t z = (int32_t)(test_random_u32(random) % (2 * limit + 1)) - (int32_t)limit;
    return (sn_grid_point){x, y, z};
}

__extension__ typedef __int128 wide;

static int wide_side(sn_grid_point a, sn_grid_point b, sn_grid_point c, sn_grid_point p)
{
    sn_grid_vector n = sn_grid_cross(sn_grid_difference(b, a), sn_grid_difference(c, a));
    sn_grid_vector d = sn_grid_difference(p, a);
    wide sum = (wide)n.x * d.x + (wide)n.y * d.y + (wide)n.z * d.z;
    return (sum > 0) - (sum < 0);
}

static void test_side_agrees_with_128_bit_arithmetic(void **state)
{
    (void)state;
    test_random random = {9};
    static const uint32_t limits[] = {1, 3, 1000, 1 << 20, SN_GRID_LIMIT};
    int zeros = 0;
    for (int i = 0; i < 100000; ++i) {
        uint32_t limit = limits[i % 5];
        sn_grid_point a = random_point(&random, limit), b = random_point(&random, limit);
        sn_grid_point c = random_point(&random, limit), p = random_point(&random, limit);
        int side = sn_grid_side(a, b, c, p);
        assert_int_equal(side, wide_side(a, b, c, p));
        assert_int_equal(side, -sn_grid_side(b, a, c, p));
        assert_int_equal(side, -sn_grid_side(a, b, p, c));
        zeros += side == 0;
    }
    assert_true(zeros > 1000);
}

// Points a hair off a plane that spans the whole grid: the determinant is 1 beside terms of 2^82.
static void test_side_tells_one_grid_unit_over_the_whole_grid(void **state)
{
    (void)state;
    int32_t m = SN_GRID_LIMIT;
    sn_grid_point a = {-m, -m, -m}, b = {m, m, m}, c = {-m, m, 0};
    sn_grid_point middle = {0, 0, 0};
    assert_int_equal(sn_grid_side(a, b, c, middle), 0);
    for (int axis = 0; axis < 3; ++axis) {
        sn_grid_point up = {axis == 0, axis == 1, axis == 2};
        sn_grid_point down = {-up.x, -up.y, -up.z};
        assert_int_equal(sn_grid_side(a, b, c, up), wide_side(a, b, c, up));
        assert_int_not_equal(sn_grid_side(a, b, c, up), 0);
        assert_int_equal(sn_grid_side(a, b, c, up), -sn_grid_side(a, b, c, down));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_side_agrees_with_128_bit_arithmetic),
        cmocka_unit_test(test_side_tells_one_grid_unit_over_the_whole_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
