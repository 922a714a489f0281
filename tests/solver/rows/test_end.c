// Ends of constraints made of nodes: sums of nodes, and frames of three. Where they are, how fast, and what
// impulses on them do to the nodes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "solver/rows/end.h"
#include "support/manifold_check.h"
#include "support/momenta.h"
#include "support/random.h"
#include <string.h>

enum { ROUNDS = 200 };

static const sn_vec3 nothing = {0.0f, 0.0f, 0.0f};

typedef struct nodes4 {
    sn_node_state states[4];
    sn_node_velocity velocities[4];
    sn_solver_end end;
} nodes4;

// Nodes of 0.1 to 10 kg within a metre, with any weights.
static nodes4 random_nodes(test_random *random, int count, bool has_frame)
{
    nodes4 n = {.end = {.node_count = count, .has_frame = has_frame, .rotation = sn_quat_identity}};
    float sum = 0.0f;
    for (int k = 0; k < count; ++k) {
        n.states[k].position = test_random_vec3(random, 1.0f);
        n.states[k].inverse_mass = test_random_float(random, 0.1f, 10.0f);
        n.velocities[k].velocity = test_random_vec3(random, 2.0f);
        n.end.nodes[k] = k;
        n.end.weights[k] = test_random_float(random, 0.1f, 1.0f);
        sum += n.end.weights[k];
    }
    for (int k = 0; k < count; ++k) {
        n.end.weights[k] /= sum;
        n.end.rest[k % 3] = n.states[k % 3].position;
    }
    return n;
}

// A frame of three nodes whose triangle is neither tiny nor flat.
static nodes4 random_frame(test_random *random)
{
    for (;;) {
        nodes4 n = random_nodes(random, 3, true);
        sn_vec3 side = sn_sub(n.states[1].position, n.states[0].position);
        sn_vec3 other = sn_sub(n.states[2].position, n.states[0].position);
        float area = sn_length(sn_cross(side, other));
        if (sn_length(side) > 0.3f && area > 0.3f * sn_length(side)) {
            return n;
        }
    }
}

static sn_end_place place_of(const nodes4 *n, float time, sn_node_end *end)
{
    return sn_end_of_nodes(&n->end, n->states, n->velocities, time, end);
}

static test_momenta momenta_of(const nodes4 *n)
{
    test_momenta sum = {0};
    for (int k = 0; k < n->end.node_count; ++k) {
        double mass = n->states[k].inverse_mass > 0.0f ? 1.0 / (double)n->states[k].inverse_mass : 0.0;
        test_momenta_add(&sum, mass, n->states[k].position, n->velocities[k].velocity);
    }
    return sum;
}

// --- sums of nodes -------------------------------------------------------------------------------

static void test_a_sum_of_nodes_is_where_its_weights_say_within_1e_6(void **state)
{
    (void)state;
    test_random random = {1};
    for (int round = 0; round < ROUNDS; ++round) {
        nodes4 n = random_nodes(&random, 1 + round % 4, false);
        sn_node_end end;
        const float time = round % 2 == 0 ? 0.0f : -0.1f;
        sn_end_place place = place_of(&n, time, &end);
        sn_vec3 expected = nothing, speed = nothing, linear, angular;
        float response = 0.0f;
        for (int k = 0; k < n.end.node_count; ++k) {
            float w = n.end.weights[k];
            expected = sn_add_scaled(expected, w, n.states[k].position);
            expected = sn_add_scaled(expected, w * time, n.velocities[k].velocity);
            speed = sn_add_scaled(speed, w, n.velocities[k].velocity);
            response += w * w * n.states[k].inverse_mass;
        }
        sn_node_end_velocity(&end, n.velocities, &linear, &angular);
        assert_vec3_near(place.frame.position, expected, 1e-6);
        assert_vec3_near(place.center, expected, 1e-6);
        assert_vec3_near(place.arm, nothing, 0.0f);
        assert_vec3_near(linear, speed, 1e-6);
        assert_vec3_near(angular, nothing, 0.0f);
        assert_near(end.inverse_mass, response, 1e-6f * response);
    }
}

// An impulse P at the sum changes its velocity by Σ α² w P, the nodes' momentum by P and their angular
// momentum by p × P; an angular impulse has nothing to hold on to.
static void test_pushing_a_sum_of_nodes_is_pushing_its_nodes_within_1e_6(void **state)
{
    (void)state;
    test_random random = {2};
    for (int round = 0; round < ROUNDS; ++round) {
        nodes4 n = random_nodes(&random, 1 + round % 4, false);
        sn_node_end end;
        sn_end_place place = place_of(&n, 0.0f, &end);
        sn_vec3 before, after, angular, impulse = test_random_vec3(&random, 1.0f);
        test_momenta first = momenta_of(&n);
        sn_node_end_velocity(&end, n.velocities, &before, &angular);
        sn_node_end_push(&end, n.states, n.velocities, impulse, test_random_vec3(&random, 5.0f));
        sn_node_end_velocity(&end, n.velocities, &after, &angular);
        assert_vec3_near(sn_sub(after, before), sn_scale(impulse, end.inverse_mass), 5e-6);
        test_momenta last = momenta_of(&n), pushed = {0};
        test_momenta_add(&pushed, 1.0, place.center, impulse);
        for (int k = 0; k < 3; ++k) {
            // Relative to momenta of tens of kg m/s.
            assert_near((float)(last.linear[k] - first.linear[k] - pushed.linear[k]), 0.0f, 1e-5);
            assert_near((float)(last.angular[k] - first.angular[k] - pushed.angular[k]), 0.0f, 1e-5);
        }
    }
}

// --- frames --------------------------------------------------------------------------------------

// The frame in double, to differentiate: x along the first side, z normal.
typedef struct axes3 {
    double axis[3][3];
} axes3;

static void cross(const double *a, const double *b, double *c)
{
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        c[i] = a[j] * b[k] - a[k] * b[j];
    }
}

static void normalize(double *a)
{
    double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    for (int i = 0; i < 3; ++i) {
        a[i] /= length;
    }
}

static axes3 axes_at(const nodes4 *n, double time)
{
    double x[3][3];
    for (int k = 0; k < 3; ++k) {
        sn_vec3 p = n->states[k].position, v = n->velocities[k].velocity;
        const double place[3] = {(double)p.x, (double)p.y, (double)p.z};
        const double speed[3] = {(double)v.x, (double)v.y, (double)v.z};
        for (int i = 0; i < 3; ++i) {
            x[k][i] = place[i] + time * speed[i] - (k > 0 ? x[0][i] : 0.0);
        }
    }
    axes3 axes;
    memcpy(axes.axis[0], x[1], sizeof x[1]);
    cross(x[1], x[2], axes.axis[2]);
    normalize(axes.axis[0]);
    normalize(axes.axis[2]);
    cross(axes.axis[2], axes.axis[0], axes.axis[1]);
    return axes;
}

static void test_the_frame_has_x_along_the_first_side_and_z_normal_within_1e_6(void **state)
{
    (void)state;
    test_random random = {3};
    for (int round = 0; round < ROUNDS; ++round) {
        nodes4 n = random_frame(&random);
        sn_node_end end;
        sn_end_place place = place_of(&n, 0.0f, &end);
        axes3 axes = axes_at(&n, 0.0);
        for (int i = 0; i < 3; ++i) {
            sn_vec3 axis = sn_rotate(place.body_rotation, sn_v(i == 0, i == 1, i == 2));
            sn_vec3 expected = sn_v((float)axes.axis[i][0], (float)axes.axis[i][1], (float)axes.axis[i][2]);
            assert_vec3_near(axis, expected, 1e-6);
        }
        const sn_vec3 corners[3] = {n.states[0].position, n.states[1].position, n.states[2].position};
        sn_quat same = sn_node_frame(corners);
        assert_memory_equal(&same, &place.body_rotation, sizeof same);
    }
}

// ω of ė = ω × e is ½ Σ e × ė over the axes.
static void test_turning_is_the_derivative_of_the_frame_within_1e_5(void **state)
{
    (void)state;
    const double step = 1.0e-5;
    test_random random = {4};
    for (int round = 0; round < ROUNDS; ++round) {
        nodes4 n = random_frame(&random);
        sn_node_end end;
        (void)place_of(&n, 0.0f, &end);
        sn_vec3 linear, angular;
        sn_node_end_velocity(&end, n.velocities, &linear, &angular);
        axes3 now = axes_at(&n, 0.0), later = axes_at(&n, step), earlier = axes_at(&n, -step);
        double turning[3] = {0.0};
        for (int i = 0; i < 3; ++i) {
            double rate[3], part[3];
            for (int k = 0; k < 3; ++k) {
                rate[k] = (later.axis[i][k] - earlier.axis[i][k]) / (2.0 * step);
            }
            cross(now.axis[i], rate, part);
            for (int k = 0; k < 3; ++k) {
                turning[k] += 0.5 * part[k];
            }
        }
        sn_vec3 expected = sn_v((float)turning[0], (float)turning[1], (float)turning[2]);
        assert_vec3_near(angular, expected, 1e-5 * (1.0 + (double)sn_length(expected)));
    }
}

static void test_a_rigid_motion_has_exactly_its_own_angular_velocity_within_1e_5(void **state)
{
    (void)state;
    test_random random = {5};
    for (int round = 0; round < ROUNDS; ++round) {
        nodes4 n = random_frame(&random);
        sn_vec3 moves = test_random_vec3(&random, 3.0f), turns = test_random_vec3(&random, 3.0f);
        for (int k = 0; k < 3; ++k) {
            n.velocities[k].velocity = sn_add(moves, sn_cross(turns, n.states[k].position));
        }
        sn_node_end end;
        sn_end_place place = place_of(&n, 0.0f, &end);
        sn_vec3 linear, angular;
        sn_node_end_velocity(&end, n.velocities, &linear, &angular);
        assert_vec3_near(angular, turns, 1e-5);
        assert_vec3_near(linear, sn_add(moves, sn_cross(turns, place.center)), 1e-5);
    }
}

static void test_the_frame_moves_with_its_nodes_and_carries_its_rotation(void **state)
{
    (void)state;
    test_random random = {6};
    nodes4 n = random_frame(&random);
    sn_node_end end;
    n.end.rotation = test_random_rotation(&random);
    sn_end_place now = place_of(&n, 0.0f, &end), later = place_of(&n, 0.25f, &end);
    for (int k = 0; k < 3; ++k) {
        n.states[k].position = sn_add_scaled(n.states[k].position, 0.25f, n.velocities[k].velocity);
    }
    sn_end_place moved = place_of(&n, 0.0f, &end);
    assert_memory_equal(&later, &moved, sizeof later);
    assert_true(sn_distance_between(now.center, later.center) > 0.01f);
    sn_quat turned = sn_quat_multiply(now.body_rotation, n.end.rotation);
    assert_memory_equal(&turned, &now.frame.rotation, sizeof turned);
    assert_vec3_near(sn_add(now.center, now.arm), now.frame.position, 1e-6);
}

// At rest where the weights say; when the triangle deforms, fixed in the frame: d/dt p = v + ω × arm for any
// motion.
static void test_the_point_of_a_frame_is_fixed_in_it_within_1e_3(void **state)
{
    (void)state;
    const float step = 1.0e-3f;
    test_random random = {10};
    for (int round = 0; round < ROUNDS; ++round) {
        nodes4 n = random_frame(&random);
        sn_node_end end, unused;
        sn_vec3 mean = nothing, linear, angular;
        for (int k = 0; k < 3; ++k) {
            mean = sn_add_scaled(mean, n.end.weights[k], n.states[k].position);
        }
        assert_vec3_near(place_of(&n, 0.0f, &unused).frame.position, mean, 1e-6);
        // Its rest shape is another one.
        for (int k = 0; k < 3; ++k) {
            n.end.rest[k] = sn_add(n.end.rest[k], test_random_vec3(&random, 0.1f));
        }
        sn_end_place now = place_of(&n, 0.0f, &end);
        sn_vec3 later = place_of(&n, step, &unused).frame.position;
        sn_vec3 earlier = place_of(&n, -step, &unused).frame.position;
        sn_node_end_velocity(&end, n.velocities, &linear, &angular);
        sn_vec3 expected = sn_add(linear, sn_cross(angular, now.arm));
        assert_vec3_near(sn_scale(sn_sub(later, earlier), 0.5f / step), expected,
                         1e-3 * (1.0 + (double)sn_length(expected)));
    }
}

// --- impulses on frames --------------------------------------------------------------------------

static void check_momenta(const nodes4 *n, const test_momenta *before, const sn_end_place *place,
                          sn_vec3 impulse, sn_vec3 angular_impulse)
{
    test_momenta after = momenta_of(n), pushed = {0};
    test_momenta_add(&pushed, 1.0, place->center, impulse);
    const double turned[3] = {(double)angular_impulse.x, (double)angular_impulse.y,
                              (double)angular_impulse.z};
    for (int k = 0; k < 3; ++k) {
        assert_near((float)(after.linear[k] - before->linear[k] - pushed.linear[k]), 0.0f, 1e-6);
        assert_near((float)(after.angular[k] - before->angular[k] - pushed.angular[k] - turned[k]), 0.0f,
                    2e-6);
    }
}

// Of nodes at rest, so that rounding is that of what the impulses of 1 N s give.
static void test_impulses_on_a_frame_give_exactly_their_momenta_within_2e_6(void **state)
{
    (void)state;
    test_random random = {7};
    for (int round = 0; round < ROUNDS; ++round) {
        nodes4 n = random_frame(&random);
        for (int k = 0; k < 3; ++k) {
            n.velocities[k].velocity = nothing;
        }
        sn_node_end end;
        sn_end_place place = place_of(&n, 0.0f, &end);
        test_momenta before = momenta_of(&n);
        sn_vec3 impulse = test_random_direction(&random), turn = test_random_direction(&random);
        sn_node_end_push(&end, n.states, n.velocities, impulse, turn);
        check_momenta(&n, &before, &place, impulse, turn);
    }
}

// Column by column: what unit impulses do to the two velocities.
static void check_response(const nodes4 *n, double tolerance)
{
    sn_node_end end;
    nodes4 copy = *n;
    (void)place_of(n, 0.0f, &end);
    for (int i = 0; i < 6; ++i) {
        sn_vec3 unit = sn_v(i % 3 == 0, i % 3 == 1, i % 3 == 2), linear, angular;
        for (int k = 0; k < 3; ++k) {
            copy.velocities[k].velocity = nothing;
        }
        sn_node_end_push(&end, copy.states, copy.velocities, i < 3 ? unit : nothing, i < 3 ? nothing : unit);
        sn_node_end_velocity(&end, copy.velocities, &linear, &angular);
        sn_vec3 moved = i < 3 ? sn_scale(unit, end.inverse_mass) : nothing;
        sn_vec3 turned = i < 3 ? nothing : sn_sym3_apply(end.inverse_inertia, unit);
        double size = tolerance * (1.0 + (double)sn_length(turned));
        assert_vec3_near(linear, moved, size);
        assert_vec3_near(angular, turned, size);
    }
}

static void test_a_frame_answers_as_its_inverse_mass_and_inertia_say_within_2e_5(void **state)
{
    (void)state;
    test_random random = {8};
    for (int round = 0; round < ROUNDS; ++round) {
        nodes4 n = random_frame(&random);
        check_response(&n, 2e-5);
        sn_node_end end;
        (void)place_of(&n, 0.0f, &end);
        // The centre is that of mass: all three nodes together.
        float mass = 0.0f;
        for (int k = 0; k < 3; ++k) {
            mass += 1.0f / n.states[k].inverse_mass;
        }
        assert_near(end.inverse_mass * mass, 1.0f, 1e-6);
    }
}

// The centre is then at what is fixed, which impulses do not move; the others turn about it.
static void test_fixed_nodes_do_not_move_and_the_frame_turns_about_them(void **state)
{
    (void)state;
    test_random random = {9};
    for (int round = 0; round < ROUNDS; ++round) {
        nodes4 n = random_frame(&random);
        int fixed = 1 + round % 7; // bits of the nodes
        for (int k = 0; k < 3; ++k) {
            bool is_fixed = (fixed >> k & 1) != 0;
            n.states[k].inverse_mass = is_fixed ? 0.0f : n.states[k].inverse_mass;
            n.velocities[k].velocity = nothing;
        }
        check_response(&n, 2e-5);
        sn_node_end end;
        sn_end_place place = place_of(&n, 0.0f, &end);
        assert_true(end.inverse_mass == 0.0f);
        sn_node_end_push(&end, n.states, n.velocities, test_random_vec3(&random, 1.0f),
                         test_random_vec3(&random, 1.0f));
        sn_vec3 center = nothing;
        float count = 0.0f;
        for (int k = 0; k < 3; ++k) {
            if ((fixed >> k & 1) != 0) {
                assert_vec3_near(n.velocities[k].velocity, nothing, 0.0f);
                center = sn_add(center, n.states[k].position);
                count += 1.0f;
            }
        }
        assert_vec3_near(place.center, sn_scale(center, 1.0f / count), 1e-6);
    }
}

// --- degenerate ----------------------------------------------------------------------------------

static void expect_finite(const nodes4 *n)
{
    nodes4 copy = *n;
    sn_node_end end;
    sn_end_place place = place_of(n, 0.0f, &end);
    sn_quat q = place.body_rotation;
    assert_near(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1.0f, 1e-5);
    assert_true(sn_vec3_is_finite(place.center) && sn_vec3_is_finite(place.arm));
    sn_sym3 m = end.inverse_inertia;
    assert_true(sn_is_finite(m.xx + m.yy + m.zz + m.xy + m.xz + m.yz));
    sn_node_end_push(&end, copy.states, copy.velocities, sn_v(1.0f, 1.0f, 1.0f), sn_v(1.0f, 1.0f, 1.0f));
    sn_vec3 linear, angular;
    sn_node_end_velocity(&end, copy.velocities, &linear, &angular);
    assert_true(sn_vec3_is_finite(linear) && sn_vec3_is_finite(angular));
    for (int k = 0; k < 3; ++k) {
        assert_true(sn_vec3_is_finite(copy.velocities[k].velocity));
    }
}

static void test_triangles_without_area_stay_finite(void **state)
{
    (void)state;
    const sn_vec3 places[][3] = {
        {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}},
        {{1.0f, 2.0f, 3.0f}, {1.0f, 2.0f, 3.0f}, {1.0f, 2.0f, 3.0f}},
        {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}}, // no first side
        {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}}, // no second one
        {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {2.0f, 0.0f, 0.0f}}, // in a line
        {{0.0f, 0.0f, 0.0f}, {0.1f, 0.2f, 0.3f}, {-0.2f, -0.4f, -0.6f}},
        {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.5f, 1.0e-8f, 0.0f}},
        {{0.0f, 0.0f, 0.0f}, {1.0e-9f, 0.0f, 0.0f}, {0.0f, 1.0e-9f, 0.0f}},
        {{0.0f, 0.0f, 0.0f}, {1.0e-20f, 0.0f, 0.0f}, {0.0f, 1.0e-20f, 0.0f}},
        {{0.0f, 0.0f, 0.0f}, {1.0e6f, 0.0f, 0.0f}, {0.0f, 1.0e-6f, 0.0f}},
    };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; ++i) {
        nodes4 n = {.end = {.node_count = 3, .has_frame = true, .rotation = sn_quat_identity}};
        for (int k = 0; k < 3; ++k) {
            n.states[k] = (sn_node_state){.position = places[i][k], .inverse_mass = 1.0f};
            n.velocities[k].velocity = sn_v(1.0f, (float)k, -1.0f);
            n.end.nodes[k] = k;
            n.end.weights[k] = 1.0f / 3.0f;
        }
        expect_finite(&n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_sum_of_nodes_is_where_its_weights_say_within_1e_6),
        cmocka_unit_test(test_pushing_a_sum_of_nodes_is_pushing_its_nodes_within_1e_6),
        cmocka_unit_test(test_the_frame_has_x_along_the_first_side_and_z_normal_within_1e_6),
        cmocka_unit_test(test_turning_is_the_derivative_of_the_frame_within_1e_5),
        cmocka_unit_test(test_a_rigid_motion_has_exactly_its_own_angular_velocity_within_1e_5),
        cmocka_unit_test(test_the_frame_moves_with_its_nodes_and_carries_its_rotation),
        cmocka_unit_test(test_the_point_of_a_frame_is_fixed_in_it_within_1e_3),
        cmocka_unit_test(test_impulses_on_a_frame_give_exactly_their_momenta_within_2e_6),
        cmocka_unit_test(test_a_frame_answers_as_its_inverse_mass_and_inertia_say_within_2e_5),
        cmocka_unit_test(test_fixed_nodes_do_not_move_and_the_frame_turns_about_them),
        cmocka_unit_test(test_triangles_without_area_stay_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
