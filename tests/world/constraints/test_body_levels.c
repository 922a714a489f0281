// Bounds along chains of bodies that nothing holds: they stretch less, keep their momentum, and bounds that
// are slack have no rows.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"
#include "support/random.h"
#include "world/constraints/body_bounds.h"
#include <math.h>

enum { MOST = 201 };

typedef struct chain {
    sn_world *world;
    sn_rigid links[MOST];
    int count;
} chain;

// Links of 0.1 m and `light` kg with `heavy` at either end, along x, that whirl about the middle and fly.
static chain make_chain(int count, float light, float heavy, bool has_bounds)
{
    chain chain = {.world = physics_world_without_gravity(), .count = count};
    sn_world_def def = sn_world_settings(chain.world);
    def.long_range.bounds = has_bounds;
    must(sn_world_settings_set(chain.world, &def));
    for (int i = 0; i < count; ++i) {
        float mass = i == 0 || i == count - 1 ? heavy : light;
        float x = 0.1f * ((float)i - 0.5f * (float)(count - 1));
        chain.links[i] =
            physics_lump(chain.world, mass, physics_ball_inertia(mass, 0.05f), physics_at(x, 0.0f, 0.0f));
        sn_ball_def ball = sn_ball_def_default();
        if (i > 0) {
            must(sn_constraint_place(chain.world, &ball.common, chain.links[i - 1], chain.links[i],
                                     sn_v(x - 0.05f, 0.0f, 0.0f), sn_v(1.0f, 0.0f, 0.0f)));
            must(sn_ball_add(chain.world, &ball, NULL));
        }
    }
    return chain;
}

static void whirl(chain *chain, float spin, sn_vec3 velocity)
{
    for (int i = 0; i < chain->count; ++i) {
        sn_vec3 place = sn_rigid_center(chain->world, chain->links[i]);
        sn_vec3 turn = {0.0f, 0.0f, spin};
        must(sn_rigid_linear_velocity_set(chain->world, chain->links[i],
                                          sn_add(velocity, sn_cross(turn, place))));
        must(sn_rigid_angular_velocity_set(chain->world, chain->links[i], turn));
    }
}

static float length_of(const chain *chain)
{
    return 0.1f * (float)(chain->count - 1);
}

typedef struct stretches {
    double ends, joint; // largest parts of the length by which ends were too far apart, and of a joint's arms
} stretches;

// Ends of 10 kg on links of 10 g, at 10 m/s about the middle.
static stretches whirled(int count, bool has_bounds)
{
    chain chain = make_chain(count, 0.01f, 10.0f, has_bounds);
    stretches most = {0.0, 0.0};
    whirl(&chain, 20.0f / length_of(&chain), sn_v(1.0f, 2.0f, 0.0f));
    for (int i = 0; i < 240; ++i) {
        must(sn_world_step(chain.world, 1.0f / 60.0f));
        sn_vec3 first = sn_rigid_center(chain.world, chain.links[0]);
        sn_vec3 last = sn_rigid_center(chain.world, chain.links[count - 1]);
        most.ends = fmax(most.ends, (double)(sn_distance_between(first, last) / length_of(&chain) - 1.0f));
        most.joint = fmax(most.joint, (double)sn_world_statistics(chain.world).largest_joint_stretch);
    }
    sn_world_destroy(chain.world);
    return most;
}

static void test_heavy_ends_do_not_stretch_a_free_chain(void **state)
{
    (void)state;
    const int counts[3] = {20, 51, 201};
    for (int i = 0; i < 3; ++i) {
        stretches with = whirled(counts[i], true), without = whirled(counts[i], false);
        check_below(with.ends, 1.0e-4, "stretch of %d links from end to end", counts[i]);
        check_below(with.joint, 2.0e-3, "of a joint");
        check_above(without.ends, 0.015, "from end to end without bounds");
    }
}

// Joints are told of what bounds carry past them: m v²/r everywhere, for the links weigh nothing.
static void test_joints_are_told_the_whole_tension(void **state)
{
    (void)state;
    chain chain = make_chain(51, 0.001f, 10.0f, true);
    whirl(&chain, 4.0f, sn_v(0.0f, 0.0f, 0.0f));
    physics_run(chain.world, 1.0f / 60.0f, 1.0f);
    sn_constraint joints[MOST];
    int count = sn_world_constraints(chain.world, joints, MOST);
    double least = INFINITY, most = 0.0;
    for (int i = 0; i < count; ++i) {
        double force = (double)sn_length(sn_constraint_force(chain.world, joints[i]));
        least = fmin(least, force);
        most = fmax(most, force);
    }
    check_relative(least, 10.0 * 16.0 * 2.5, 0.03, "least tension");
    check_relative(most, 10.0 * 16.0 * 2.5, 0.03, "largest tension");
    sn_world_destroy(chain.world);
}

// --- momentum ----------------------------------------------------------------------------------------------

typedef struct momentum {
    double linear[3], angular[3];
    double size; // Σ m |v|
} momentum;

static momentum momentum_of(const chain *chain)
{
    momentum sum = {{0.0}, {0.0}, 0.0};
    for (int i = 0; i < chain->count; ++i) {
        sn_rigid link = chain->links[i];
        sn_vec3 x = sn_rigid_center(chain->world, link), v = sn_rigid_linear_velocity(chain->world, link);
        sn_vec3 w = sn_rigid_angular_velocity(chain->world, link);
        double m = (double)sn_rigid_mass(chain->world, link).mass, inertia = 0.4 * m * 0.05 * 0.05;
        const double at[3] = {(double)x.x, (double)x.y, (double)x.z};
        const double of[3] = {m * (double)v.x, m * (double)v.y, m * (double)v.z};
        const double turn[3] = {(double)w.x, (double)w.y, (double)w.z};
        sum.size += m * (double)sn_length(v);
        for (int k = 0; k < 3; ++k) {
            int a = (k + 1) % 3, b = (k + 2) % 3;
            sum.linear[k] += of[k];
            sum.angular[k] += at[a] * of[b] - at[b] * of[a] + inertia * turn[k];
        }
    }
    return sum;
}

static double difference(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

// Straight and whirled, or with links that each begin with a velocity of their own and fold.
static void keep_momentum(bool is_wild)
{
    const double none[3] = {0.0, 0.0, 0.0};
    test_random random = {3};
    chain chain = make_chain(50, 0.01f, 1.0f, true);
    whirl(&chain, 3.0f, sn_v(0.1f, 0.2f, 0.0f));
    for (int i = 0; i < chain.count && is_wild; ++i) {
        sn_vec3 v = sn_rigid_linear_velocity(chain.world, chain.links[i]);
        v = sn_add(v, test_random_vec3(&random, 2.0f));
        must(sn_rigid_linear_velocity_set(chain.world, chain.links[i], v));
    }
    momentum before = momentum_of(&chain);
    int taut = 0;
    for (int i = 0; i < 1000; ++i) {
        must(sn_world_step(chain.world, 1.0f / 60.0f));
        taut += sn_world_statistics(chain.world).taut_bound_count;
    }
    momentum after = momentum_of(&chain);
    check_above((double)taut, 100.0, "bounds that were taut");
    check_below(difference(after.linear, before.linear) / before.size, 1.0e-5, "linear momentum changes by");
    check_below(difference(after.angular, before.angular) / difference(before.angular, none), 1.0e-5,
                "angular momentum changes by");
    sn_world_destroy(chain.world);
}

static void test_free_chains_keep_their_momentum(void **state)
{
    (void)state;
    keep_momentum(false);
    keep_momentum(true);
}

// --- which there are ---------------------------------------------------------------------------------------

static int count_acting(const sn_world *world)
{
    int count = 0;
    for (int i = 0; i < world->body_bounds.count; ++i) {
        const sn_body_bound *bound = &world->body_bounds.data[i];
        count += bound->has_row && sn_body_bound_acts(world, bound, 1.0f / 60.0f) ? 1 : 0;
    }
    return count;
}

// Any shape of the chain: every link turned about its joint anyhow.
static void crumple(const chain *chain, test_random *random)
{
    sn_vec3 joint = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < chain->count; ++i) {
        sn_pose pose = {{0.0f, 0.0f, 0.0f}, test_random_rotation(random)};
        sn_vec3 half = sn_rotate(pose.rotation, sn_v(0.05f, 0.0f, 0.0f));
        pose.position = sn_add(joint, half);
        joint = sn_add(pose.position, half);
        must(sn_rigid_pose_set(chain->world, chain->links[i], pose));
    }
}

static void test_no_level_acts_on_10000_crumpled_chains(void **state)
{
    (void)state;
    test_random random = {17};
    chain chain = make_chain(30, 1.0f, 1.0f, true);
    must(sn_world_step(chain.world, 1.0f / 60.0f));
    assert_int_equal(sn_world_count_body_bounds(chain.world), 14 + 7 + 3 + 1 + 1);
    double worst = -1.0;
    int acting = 0;
    for (int s = 0; s < 10000; ++s) {
        crumple(&chain, &random);
        for (int i = 0; i < chain.world->body_bounds.count; ++i) {
            const sn_body_bound *bound = &chain.world->body_bounds.data[i];
            sn_bound_ends ends = sn_body_bound_ends(chain.world, bound);
            sn_vec3 a = sn_point_now(chain.world, &ends.a), b = sn_point_now(chain.world, &ends.b);
            worst = bound->has_row ? fmax(worst, (double)(sn_distance_between(a, b) - bound->length)) : worst;
        }
        acting += s < 100 ? count_acting(chain.world) : 0;
    }
    check_below(worst, 1.0e-5, "farthest beyond a bound");
    check_below((double)acting, 10.0, "rows of a hundred crumpled chains at rest");
    sn_world_destroy(chain.world);
}

static void test_levels_follow_what_is_joined(void **state)
{
    (void)state;
    chain chain = make_chain(18, 1.0f, 1.0f, true);
    sn_constraint joints[MOST];
    (void)sn_world_constraints(chain.world, joints, MOST);
    must(sn_world_step(chain.world, 1.0f / 60.0f));
    assert_int_equal(sn_world_count_body_bounds(chain.world), 8 + 4 + 2 + 1);
    // Two chains of nine bodies.
    must(sn_constraint_remove(chain.world, joints[8]));
    must(sn_world_step(chain.world, 1.0f / 60.0f));
    assert_int_equal(sn_world_count_body_bounds(chain.world), 2 * (3 + 1 + 1));
    // One of them too short, the other held.
    must(sn_constraint_active_set(chain.world, joints[4], false));
    must(sn_rigid_type_set(chain.world, chain.links[17], SN_STATIC));
    must(sn_world_step(chain.world, 1.0f / 60.0f));
    for (int i = 0; i < chain.world->body_bounds.count; ++i) {
        assert_int_not_equal(chain.world->body_bounds.data[i].group, SN_FREE_GROUP);
    }
    sn_world_def def = sn_world_settings(chain.world);
    def.long_range = sn_long_range_off();
    must(sn_world_settings_set(chain.world, &def));
    must(sn_world_step(chain.world, 1.0f / 60.0f));
    assert_int_equal(sn_world_count_body_bounds(chain.world), 0);
    sn_world_destroy(chain.world);
}

// Contacts give way where bounds do not: a chain that lies, hangs over something or is hit has joints alone.
static void test_what_touches_something_is_not_free(void **state)
{
    (void)state;
    chain chain = make_chain(20, 1.0f, 1.0f, true);
    physics_floor(chain.world, physics_material(0.5f, 0.0f));
    whirl(&chain, 5.0f, sn_v(0.0f, 0.0f, 0.0f));
    must(sn_world_step(chain.world, 1.0f / 60.0f));
    check_above((double)sn_world_statistics(chain.world).taut_bound_count, 5.0, "taut bounds in flight");
    sn_sphere ball = {.radius = 0.06f};
    sn_shape_def material = physics_material(0.5f, 0.0f);
    must(sn_sphere_add(chain.world, chain.links[7], &material, ball, NULL));
    physics_run(chain.world, 1.0f / 60.0f, 0.05f);
    check_near((double)sn_world_statistics(chain.world).taut_bound_count, 0.0, 0.0, "when a link touches");
    sn_world_destroy(chain.world);
}

// A ring goes round to where it began; a short chain has a bound only between heavy ends.
static void test_rings_and_short_chains(void **state)
{
    (void)state;
    chain ring = make_chain(12, 1.0f, 1.0f, true);
    sn_ball_def ball = sn_ball_def_default();
    must(sn_constraint_place_points(ring.world, &ball.common, ring.links[0], ring.links[11],
                                    sn_v(-0.6f, 0.0f, 0.0f), sn_v(0.6f, 0.0f, 0.0f)));
    must(sn_ball_add(ring.world, &ball, NULL));
    must(sn_world_step(ring.world, 1.0e-6f));
    assert_int_equal(sn_world_count_body_bounds(ring.world), 5 + 2 + 1 + 1);
    sn_world_destroy(ring.world);
    for (int heavy = 0; heavy < 2; ++heavy) {
        chain few = make_chain(5, 1.0f, heavy == 0 ? 1.0f : 100.0f, true);
        must(sn_world_step(few.world, 1.0f / 60.0f));
        assert_int_equal(sn_world_count_body_bounds(few.world), heavy);
        sn_world_destroy(few.world);
    }
}

static void test_a_snapshot_goes_on_as_the_chain_did(void **state)
{
    (void)state;
    chain chain = make_chain(40, 0.01f, 1.0f, true);
    whirl(&chain, 5.0f, sn_v(0.0f, 1.0f, 0.0f));
    physics_run(chain.world, 1.0f / 60.0f, 0.5f);
    static uint8_t bytes[1 << 20];
    size_t size = 0;
    must(sn_world_save(chain.world, bytes, sizeof bytes, &size));
    physics_run(chain.world, 1.0f / 60.0f, 0.5f);
    uint64_t later = sn_world_hash(chain.world);
    must(sn_world_restore(chain.world, bytes, size));
    physics_run(chain.world, 1.0f / 60.0f, 0.5f);
    assert_int_equal(sn_world_hash(chain.world), later);
    sn_world_destroy(chain.world);
}

// --- held through something heavy --------------------------------------------------------------------------

typedef struct swing {
    double joint,
        gain; // largest stretch of a joint; most energy beyond that of the start, part of the swing's
} swing;

// A jib that turns about a post, and a chain from its end with a load that swings: the way from the post to
// the load bends at the end of the jib, so that no bound along it is ever taut.
static swing hung_from_jib(float jib_mass, float link_mass, float load_mass)
{
    enum { LINKS = 20 };
    sn_world *world = physics_world();
    sn_rigid above =
        physics_lump(world, jib_mass, physics_ball_inertia(jib_mass, 1.0f), physics_at(0.0f, 0.0f, 0.0f));
    sn_hinge_def post = sn_hinge_def_default();
    must(sn_constraint_place(world, &post.common, sn_world_ground(world), above, sn_v(-2.0f, 0.0f, 0.0f),
                             sn_v(0.0f, 1.0f, 0.0f)));
    must(sn_hinge_add(world, &post, NULL));
    for (int i = 0; i <= LINKS; ++i) {
        float mass = i == LINKS ? load_mass : link_mass, y = -0.1f * ((float)i + 0.5f);
        sn_rigid below =
            physics_lump(world, mass, physics_ball_inertia(mass, 0.05f), physics_at(2.0f, y, 0.0f));
        sn_ball_def ball = sn_ball_def_default();
        must(sn_constraint_place(world, &ball.common, above, below, sn_v(2.0f, y + 0.05f, 0.0f),
                                 sn_v(1.0f, 0.0f, 0.0f)));
        must(sn_ball_add(world, &ball, NULL));
        above = below;
    }
    must(sn_rigid_linear_velocity_set(world, above, sn_v(0.0f, 0.0f, 3.0f)));
    double start = physics_energy(world), swings = 0.5 * (double)load_mass * 9.0;
    swing most = {0.0, 0.0};
    for (int i = 0; i < 600; ++i) {
        must(sn_world_step(world, 1.0f / 60.0f));
        most.joint = fmax(most.joint, (double)sn_world_statistics(world).largest_joint_stretch);
        most.gain = fmax(most.gain, (physics_energy(world) - start) / swings);
    }
    sn_world_destroy(world);
    return most;
}

static void test_a_chain_is_carried_that_hangs_from_a_heavy_body_on_a_hinge(void **state)
{
    (void)state;
    const float sizes[3] = {1.0f, 0.01f, 100.0f};
    for (int i = 0; i < 3; ++i) {
        swing swing = hung_from_jib(600.0f * sizes[i], 0.5f * sizes[i], 500.0f * sizes[i]);
        check_below(swing.joint, 0.03, "largest stretch of a joint, masses times %g", (double)sizes[i]);
        check_below(swing.gain, 0.01, "energy gained");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_heavy_ends_do_not_stretch_a_free_chain),
        physics_test(test_joints_are_told_the_whole_tension),
        physics_test(test_free_chains_keep_their_momentum),
        physics_test(test_no_level_acts_on_10000_crumpled_chains),
        physics_test(test_levels_follow_what_is_joined),
        physics_test(test_what_touches_something_is_not_free),
        physics_test(test_a_chain_is_carried_that_hangs_from_a_heavy_body_on_a_hinge),
        physics_test(test_rings_and_short_chains),
        physics_test(test_a_snapshot_goes_on_as_the_chain_did),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
