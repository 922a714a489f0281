// A hundred thousand random impulses: momentum is their sum, and pairs of them cancel.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"
#include "support/random.h"

enum { BODIES = 50, IMPULSES = 100000 };

typedef struct totals {
    double momentum[3], angular[3]; // about the origin
    double sizes;                   // sum of the impulses' lengths
} totals;

static void make_bodies(sn_world *world, sn_rigid bodies[BODIES], test_random *random)
{
    for (int i = 0; i < BODIES; ++i) {
        sn_pose pose = {test_random_vec3(random, 3.0f), test_random_rotation(random)};
        sn_shape_def material = physics_material(0.5f, 0.0f);
        material.density = test_random_float(random, 100.0f, 5000.0f);
        material.filter.mask = 0;
        float x = test_random_float(random, 0.1f, 0.6f), y = test_random_float(random, 0.1f, 0.6f);
        bodies[i] = physics_box(world, material, sn_v(x, y, 0.3f), pose);
    }
}

static void push(sn_world *world, sn_rigid body, sn_vec3 impulse, sn_vec3 point, totals *totals)
{
    must(sn_rigid_impulse_add_at(world, body, impulse, point));
    const double j[3] = {(double)impulse.x, (double)impulse.y, (double)impulse.z};
    const double p[3] = {(double)point.x, (double)point.y, (double)point.z};
    for (int k = 0; k < 3; ++k) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        totals->momentum[k] += j[k];
        totals->angular[k] += p[l] * j[m] - p[m] * j[l];
    }
    totals->sizes += sqrt(j[0] * j[0] + j[1] * j[1] + j[2] * j[2]);
}

static double difference(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static double size(const double a[3])
{
    const double zero[3] = {0.0, 0.0, 0.0};
    return difference(a, zero);
}

// Impulses with a drift, so that their sum is not small against their sizes.
static void test_momenta_are_the_sum_of_100000_impulses_within_1e_5(void **state)
{
    (void)state;
    sn_world *world = physics_world_without_gravity();
    test_random random = {77};
    sn_rigid bodies[BODIES];
    make_bodies(world, bodies, &random);
    totals totals = {0};
    for (int i = 0; i < IMPULSES; ++i) {
        sn_rigid body = bodies[test_random_u32(&random) % BODIES];
        sn_vec3 impulse = sn_add(test_random_vec3(&random, 1.0f), sn_v(0.3f, -0.2f, 0.1f));
        sn_vec3 point = sn_add(sn_rigid_center(world, body), test_random_vec3(&random, 0.5f));
        push(world, body, impulse, point, &totals);
    }
    sn_energy energy = sn_world_energy(world);
    check_below(difference(energy.momentum, totals.momentum) / size(totals.momentum), 1e-5,
                "momentum against the sum of impulses");
    check_below(difference(energy.angular_momentum, totals.angular) / size(totals.angular), 1e-5,
                "angular momentum against the sum of moments");
    sn_world_destroy(world);
}

// The bodies move and turn meanwhile. Two bodies push each other off a common point: nothing remains.
static void test_100000_impulses_in_opposite_pairs_leave_no_momentum_within_1e_5_of_their_sizes(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world_without_gravity();
        test_random random = {78};
        sn_rigid bodies[BODIES];
        make_bodies(world, bodies, &random);
        totals totals = {0};
        for (int i = 0; i < IMPULSES; ++i) {
            uint32_t a = test_random_u32(&random) % BODIES,
                     b = (a + 1 + test_random_u32(&random) % 49) % BODIES;
            sn_vec3 impulse = test_random_vec3(&random, 0.5f);
            sn_vec3 point =
                sn_lerp(sn_rigid_center(world, bodies[a]), sn_rigid_center(world, bodies[b]), 0.5f);
            push(world, bodies[a], impulse, point, &totals);
            push(world, bodies[b], sn_neg(impulse), point, &totals);
            if (i % 500 == 499) {
                physics_run(world, physics_steps[s], physics_steps[s]);
            }
        }
        sn_energy energy = sn_world_energy(world);
        check_below(size(energy.momentum) / totals.sizes, 1e-5, "step %d: momentum left", s);
        check_below(size(energy.angular_momentum) / totals.sizes, 1e-5, "step %d: angular momentum left", s);
        sn_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_momenta_are_the_sum_of_100000_impulses_within_1e_5),
        physics_test(test_100000_impulses_in_opposite_pairs_leave_no_momentum_within_1e_5_of_their_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
