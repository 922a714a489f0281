// Joints that need orientations, between frames of three nodes and bodies, the world, and each other: they
// hold, keep momenta and energy, turn by motors, and survive triangles without area.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "constraint/pairing_world.h"

typedef enum joint {
    HINGE_JOINT,
    SLIDER_JOINT,
    FIXED_JOINT,
    CONE_JOINT,
    SOFT_FIXED,
    HALF_SOFT,
    JOINTS
} joint;
static const char *const joint_names[JOINTS] = {
    "hinge", "slider", "fixed", "ball with a cone", "soft fixed", "fixed with soft angles"};

typedef struct frame_pair {
    pairing pair;
    joint joint;
    sn_constraint constraint;
} frame_pair;

// Two things whose points are in one place, their frames turned to fit: b's is a's, seen from b.
static sn_constraint add_joint(sn_world *world, joint joint, sn_point a, sn_point b)
{
    sn_constraint made = {0};
    sn_hinge_def hinge = sn_hinge_def_default();
    sn_slider_def slider = sn_slider_def_default();
    sn_fixed_def fixed = sn_fixed_def_default();
    sn_ball_def ball = sn_ball_def_default();
    sn_pose frame_a, frame_b;
    assert_ok(sn_point_pose(world, &a, &frame_a));
    assert_ok(sn_point_pose(world, &b, &frame_b));
    b.rotation = sn_quat_multiply(sn_quat_conjugate(frame_b.rotation), frame_a.rotation);
    hinge.common.a = slider.common.a = fixed.common.a = ball.common.a = a;
    hinge.common.b = slider.common.b = fixed.common.b = ball.common.b = b;
    ball.limit_cone = true;
    ball.cone_angle = 0.3f;
    fixed.common.compliance = joint == SOFT_FIXED ? 1.0e-4f : 0.0f;
    fixed.common.angular_compliance = joint == FIXED_JOINT ? 0.0f : 1.0e-2f;
    sn_status status = joint == HINGE_JOINT    ? sn_hinge_add(world, &hinge, &made)
                       : joint == SLIDER_JOINT ? sn_slider_add(world, &slider, &made)
                       : joint == CONE_JOINT   ? sn_ball_add(world, &ball, &made)
                                               : sn_fixed_add(world, &fixed, &made);
    if (status != SN_OK) {
        fail_msg("%s", sn_world_error(world));
    }
    return made;
}

static frame_pair make(joint joint, sort a, sort b, pairing_options options)
{
    // A ball holds the points together to begin with, and goes.
    frame_pair p = {.pair = pairing_make(BALL_LINK, a, b, options), .joint = joint};
    assert_ok(sn_constraint_remove(p.pair.world, p.pair.constraint));
    p.constraint = add_joint(p.pair.world, joint, p.pair.ends[0].point, p.pair.ends[1].point);
    return p;
}

#define require(condition, p, ...)                                                                           \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            print_message("%s between %s and %s: ", joint_names[(p)->joint],                                 \
                          sort_names[(p)->pair.ends[0].sort], sort_names[(p)->pair.ends[1].sort]);           \
            fail_msg(__VA_ARGS__);                                                                           \
        }                                                                                                    \
    } while (0)

typedef void (*frame_test)(joint joint, sort a, sort b);

static void visit(frame_test test)
{
    static const sort ends[][2] = {
        {RIGID, FRAME}, {FRAME, RIGID}, {WORLD, FRAME}, {FRAME, WORLD}, {FRAME, FRAME}};
    for (int joint = 0; joint < JOINTS; ++joint) {
        for (size_t i = 0; i < sizeof ends / sizeof ends[0]; ++i) {
            test((enum joint)joint, ends[i][0], ends[i][1]);
        }
    }
}

// --- motion ------------------------------------------------------------------------------------------------

static double largest_difference(const double *a, const double *b)
{
    return fmax(fabs(a[0] - b[0]), fmax(fabs(a[1] - b[1]), fabs(a[2] - b[2])));
}

static double energy_of(const frame_pair *p)
{
    return pairing_energy(&p->pair);
}

static void check_motion(joint joint, sort a, sort b)
{
    frame_pair p = make(joint, a, b, (pairing_options){.speed = 0.5f, .threads = 1});
    sn_world *world = p.pair.world;
    sn_energy before = sn_world_energy(world);
    double start = energy_of(&p), highest = 0.0;
    float worst = 0.0f;
    for (int i = 0; i < 120; ++i) {
        assert_ok(sn_world_step(world, frame));
        highest = fmax(highest, energy_of(&p));
        // The first steps bring different velocities together.
        worst = i < 10 ? 0.0f : sn_max(worst, sn_constraint_error(world, p.constraint));
    }
    require(pairing_is_sound(&p.pair), &p, "not sound");
    require(highest <= start + 1e-3, &p, "energy grew from %g to %g J", start, highest);
    require(worst <= 5e-3f, &p, "is off by %g", (double)worst);
    if (a != WORLD && b != WORLD) {
        sn_energy after = sn_world_energy(world);
        double linear = largest_difference(before.momentum, after.momentum);
        double angular = largest_difference(before.angular_momentum, after.angular_momentum);
        require(linear <= 2e-5, &p, "momentum changed by %g", linear);
        require(angular <= 2e-5, &p, "angular momentum changed by %g", angular);
    }
    pairing_free(&p.pair);
}

static void test_joints_of_frames_hold_and_keep_momenta_and_energy(void **state)
{
    (void)state;
    visit(check_motion);
}

// --- rest --------------------------------------------------------------------------------------------------

// Begun off by a decimetre and a rotation, with damping.
static void check_rest(joint joint, sort a, sort b)
{
    frame_pair p = make(joint, a, b, (pairing_options){.damping = 3.0f, .threads = 1});
    sn_world *world = p.pair.world;
    for (int k = 0; k < 2; ++k) {
        const pairing_end *end = &p.pair.ends[k];
        sn_node_state *nodes;
        sn_node_velocity *velocities;
        if (end->sort == FRAME) {
            assert_ok(sn_deformable_edit(world, end->soft, &nodes, &velocities));
            for (int i = 0; i < 4; ++i) {
                sn_quat turned = sn_quat_axis_angle(sn_v(0.6f, 0.8f, 0.0f), 0.2f);
                nodes[i].position = sn_add(sn_rotate(turned, nodes[i].position), sn_v(0.05f, 0.0f, 0.1f));
            }
            break;
        }
    }
    require(sn_constraint_error(world, p.constraint) > 0.02f || joint >= CONE_JOINT, &p, "begins well");
    run_steps(world, 300);
    require(pairing_is_sound(&p.pair), &p, "not sound");
    require(sn_constraint_error(world, p.constraint) <= 1e-3f, &p, "is off by %g",
            (double)sn_constraint_error(world, p.constraint));
    double kinetic = sn_world_energy(world).kinetic;
    require(kinetic <= 1e-5, &p, "still has %g J", kinetic);
    pairing_free(&p.pair);
}

static void test_joints_of_frames_come_to_rest_where_they_should(void **state)
{
    (void)state;
    visit(check_rest);
}

// --- motors ------------------------------------------------------------------------------------------------

// Turns about the hinge of the two, in b against a, as told, from rest; momenta stay zero.
static void test_a_motor_turns_a_frame_against_a_body_at_its_speed_within_2_per_cent(void **state)
{
    (void)state;
    frame_pair p = make(HINGE_JOINT, RIGID, FRAME, (pairing_options){.threads = 1});
    sn_world *world = p.pair.world;
    assert_ok(sn_hinge_motor_set(world, p.constraint, true, 2.0f, INFINITY));
    run_steps(world, 30);
    float angle = sn_hinge_angle(world, p.constraint);
    run_steps(world, 30);
    float turned = sn_hinge_angle(world, p.constraint) - angle;
    assert_near(turned, 1.0f, 0.02);
    sn_energy now = sn_world_energy(world);
    const double nothing[3] = {0.0, 0.0, 0.0};
    assert_true(largest_difference(now.momentum, nothing) <= 2e-5);
    assert_true(largest_difference(now.angular_momentum, nothing) <= 2e-5);
    assert_true(sn_constraint_error(world, p.constraint) <= 5e-3f);
    pairing_free(&p.pair);
}

// --- degenerate --------------------------------------------------------------------------------------------

static void check_degenerate(joint joint, sort a, sort b)
{
    for (int spoil = 0; spoil < 2; ++spoil) {
        frame_pair p = make(joint, a, b, (pairing_options){.threads = 1});
        for (int k = 0; k < 2; ++k) {
            sn_node_state *nodes;
            sn_node_velocity *velocities;
            if (p.pair.ends[k].sort == FRAME) {
                assert_ok(sn_deformable_edit(p.pair.world, p.pair.ends[k].soft, &nodes, &velocities));
                for (int i = 1; i < 4; ++i) {
                    sn_vec3 along = sn_v(spoil == 0 ? 0.1f * (float)i : 0.0f, 0.0f, 0.0f);
                    nodes[i].position = sn_add(nodes[0].position, along);
                }
            }
        }
        double start = energy_of(&p);
        run_steps(p.pair.world, 30);
        require(pairing_is_sound(&p.pair), &p, "not sound after spoiling %d", spoil);
        require(energy_of(&p) <= start + 500.0, &p, "%g J have become %g after spoiling %d", start,
                energy_of(&p), spoil);
        pairing_free(&p.pair);
    }
}

static void test_frames_without_area_are_survived(void **state)
{
    (void)state;
    visit(check_degenerate);
}

// --- snapshots
// -----------------------------------------------------------------------------------------------

static void check_snapshot(joint joint, sort a, sort b)
{
    frame_pair p = make(joint, a, b, (pairing_options){.speed = 1.0f, .threads = 1});
    sn_world *world = p.pair.world;
    run_steps(world, 10);
    size_t size = 0;
    assert_ok(sn_world_save(world, NULL, 0, &size));
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_ok(sn_world_save(world, bytes, size, &size));
    run_steps(world, 10);
    uint64_t hash = sn_world_hash(world);
    assert_ok(sn_world_restore(world, bytes, size));
    run_steps(world, 10);
    require(sn_world_hash(world) == hash, &p, "goes on otherwise from a snapshot");
    free(bytes);
    pairing_free(&p.pair);
}

static void test_snapshots_of_frames_go_on_bit_for_bit(void **state)
{
    (void)state;
    visit(check_snapshot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_joints_of_frames_hold_and_keep_momenta_and_energy),
        test_with_memory(test_joints_of_frames_come_to_rest_where_they_should),
        test_with_memory(test_a_motor_turns_a_frame_against_a_body_at_its_speed_within_2_per_cent),
        test_with_memory(test_frames_without_area_are_survived),
        test_with_memory(test_snapshots_of_frames_go_on_bit_for_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
