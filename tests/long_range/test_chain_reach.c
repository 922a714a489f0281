// Ranges of distances along chains: no chain of segments whose joints open as far as they may leaves them,
// and they say something.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "long_range/chain_reach.h"
#include "support/random.h"

#include <math.h>

enum { SEGMENTS = 10, CHAINS = 400, SHAPES = 100 };

static const double pi = 3.14159265358979323846;

typedef struct chain {
    double lengths[SEGMENTS];
    sn_range openings[SEGMENTS]; // at the joint before each segment
    sn_chain_reach reach[SEGMENTS];
} chain;

static double pick(test_random *random, double lower, double upper)
{
    return lower + (upper - lower) * (double)test_random_float(random, 0.0f, 1.0f);
}

static chain make_chain(test_random *random, int trial)
{
    chain chain;
    sn_chain_reach reach = sn_chain_begin();
    double spread = pick(random, 0.0, 1.2);
    for (int i = 0; i < SEGMENTS; ++i) {
        double middle = trial % 3 == 0 ? pi : pick(random, 0.0, pi);
        chain.lengths[i] = i % 7 == 6 && trial % 4 == 0 ? 0.0 : pick(random, 0.05, 2.0);
        chain.openings[i] = (sn_range){fmax(middle - spread, 0.0), fmin(middle + spread, pi)};
        reach = sn_chain_extend(reach, (sn_range){chain.lengths[i], chain.lengths[i]}, chain.openings[i]);
        chain.reach[i] = reach;
    }
    return chain;
}

static sn_vec3 any_across(sn_vec3 direction)
{
    sn_vec3 other = fabsf(direction.x) < 0.7f ? sn_v(1.0f, 0.0f, 0.0f) : sn_v(0.0f, 1.0f, 0.0f);
    return sn_normalize(sn_cross(direction, other));
}

// Openings at their limits or between, turned evenly about the segment before, to one side (arcs), to and fro
// (zigzags), or anyhow.
static double worst_of_shape(const chain *chain, test_random *random, int shape)
{
    double worst = 0.0;
    sn_vec3 place = {0.0f, 0.0f, 0.0f}, along = {1.0f, 0.0f, 0.0f}, across = {0.0f, 1.0f, 0.0f};
    for (int i = 0; i < SEGMENTS; ++i) {
        sn_range opening = chain->openings[i];
        int kind = shape % 5 == 4 ? (int)(test_random_u32(random) % 3) : shape % 5;
        double angle = kind == 0   ? opening.lower
                       : kind == 1 ? opening.upper
                                   : pick(random, opening.lower, opening.upper);
        double turn = shape % 4 == 0 ? 0.0 : shape % 4 == 1 ? pi * i : pick(random, -pi, pi);
        across = sn_rotate(sn_quat_axis_angle(along, (float)turn), across);
        sn_vec3 axis = sn_cross(along, across);
        along = sn_normalize(sn_rotate(sn_quat_axis_angle(axis, (float)(pi - angle)), along));
        across = sn_cross(axis, along);
        across = sn_length(across) > 0.5f ? sn_normalize(across) : any_across(along);
        place = sn_add_scaled(place, (float)chain->lengths[i], along);
        double distance = (double)sn_length(place);
        worst = fmax(worst, fmax(distance - chain->reach[i].distance.upper,
                                 chain->reach[i].distance.lower - distance));
        assert_true(chain->reach[i].distance.lower <= chain->reach[i].distance.upper);
    }
    return worst;
}

static void test_no_shape_leaves_its_range(void **state)
{
    (void)state;
    test_random random = {11};
    int shorter = 0, lower = 0;
    for (int t = 0; t < CHAINS; ++t) {
        chain chain = make_chain(&random, t);
        double length = 0.0;
        for (int i = 0; i < SEGMENTS; ++i) {
            length += chain.lengths[i];
        }
        shorter += chain.reach[SEGMENTS - 1].distance.upper < 0.95 * length ? 1 : 0;
        lower += chain.reach[2].distance.lower > 0.05 * length ? 1 : 0;
        for (int s = 0; s < SHAPES; ++s) {
            double worst = worst_of_shape(&chain, &random, s);
            assert_true(worst < 1.0e-5);
        }
    }
    assert_true(shorter > CHAINS / 4);
    assert_true(lower > CHAINS / 10);
}

// Two segments: the triangle itself. Without limits: the sum of lengths, and nothing below.
static void test_what_is_known_exactly(void **state)
{
    (void)state;
    sn_range one = {1.0, 1.0}, opening = {0.5, 1.5};
    sn_chain_reach reach = sn_chain_extend(sn_chain_begin(), one, sn_any_opening);
    assert_true(reach.distance.lower > 1.0 - 1e-5 && reach.distance.upper < 1.0 + 1e-5);
    sn_chain_reach limited = sn_chain_extend(reach, one, opening);
    assert_true(fabs(limited.distance.lower - 2.0 * sin(0.25)) < 1e-5);
    assert_true(fabs(limited.distance.upper - 2.0 * sin(0.75)) < 1e-5);
    sn_chain_reach free = sn_chain_extend(reach, one, sn_any_opening);
    assert_true(free.distance.lower < 1e-5 && fabs(free.distance.upper - 2.0) < 1e-5);
    // Straight within a degree: nearly a rod.
    sn_chain_reach rod = sn_chain_begin();
    for (int i = 0; i < 20; ++i) {
        rod = sn_chain_extend(rod, one, (sn_range){pi - 0.017, pi});
    }
    assert_true(rod.distance.lower > 19.0 && rod.distance.upper <= 20.0 + 1e-4);
}

// Directions that joints turn against each other, by turning them.
static void test_openings_of_joints(void **state)
{
    (void)state;
    test_random random = {5};
    for (int t = 0; t < 300; ++t) {
        sn_vec3 u = test_random_vec3(&random, 1.0f), v = test_random_vec3(&random, 1.0f);
        double lower = pick(&random, -pi, pi), upper = pick(&random, lower, pi),
               cone = pick(&random, 0.0, pi);
        sn_range hinge = sn_opening_of_hinge(u, v, lower, upper), ball = sn_opening_of_cone(u, v, cone);
        sn_range seen = {pi, 0.0};
        for (int s = 0; s <= 200; ++s) {
            sn_quat turn = sn_quat_axis_angle(sn_v(1, 0, 0), (float)(lower + (upper - lower) * s / 200.0));
            sn_quat swing = sn_quat_axis_angle(sn_v(0, 1, 0), (float)pick(&random, 0.0, cone));
            sn_quat about = sn_quat_axis_angle(sn_v(1, 0, 0), (float)pick(&random, -pi, pi));
            sn_quat twist = sn_quat_axis_angle(sn_v(1, 0, 0), (float)pick(&random, -pi, pi));
            sn_vec3 turned = sn_rotate(turn, v),
                    swung = sn_rotate(about, sn_rotate(swing, sn_rotate(twist, v)));
            double of_hinge = atan2((double)sn_length(sn_cross(u, turned)), (double)sn_dot(u, turned));
            double of_ball = atan2((double)sn_length(sn_cross(u, swung)), (double)sn_dot(u, swung));
            seen = (sn_range){fmin(seen.lower, of_hinge), fmax(seen.upper, of_hinge)};
            assert_true(of_hinge > hinge.lower - 1e-5 && of_hinge < hinge.upper + 1e-5);
            assert_true(of_ball > ball.lower - 1e-5 && of_ball < ball.upper + 1e-5);
        }
        assert_true(seen.lower < hinge.lower + 0.05 && seen.upper > hinge.upper - 0.05);
    }
    sn_vec3 none = {0.0f, 0.0f, 0.0f}, x = {1.0f, 0.0f, 0.0f};
    assert_true(sn_opening_of_hinge(none, x, 0.0, 0.0).upper == sn_any_opening.upper);
    assert_true(sn_opening_of_cone(x, none, 0.0).lower == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_shape_leaves_its_range),
        cmocka_unit_test(test_what_is_known_exactly),
        cmocka_unit_test(test_openings_of_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
