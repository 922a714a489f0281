// Chains of hinges in their planes: which hinges make one (hinge_chains.c), and how such chains move.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"
#include <math.h>

enum { MOST = 140 };

// A chain of links, 10 cm each, along x or around a circle; hinges about `axis`.
typedef struct chain {
    sn_world *world;
    int count, hinge_count;
    sn_rigid links[MOST];
    sn_constraint hinges[MOST];
    float offsets[MOST]; // of mass centres from the plane, along the axis
    sn_vec3 axis;
} chain;

static sn_world *make_world(bool planes, sn_vec3 gravity, sn_solver_type solver)
{
    sn_world_def def = sn_world_def_default();
    def.sleep = false;
    def.gravity = gravity;
    def.solver = solver;
    def.long_range.planes = def.long_range.settle = planes; // joints that begin with their loads hardly sag
    sn_world *world = NULL;
    must(sn_world_create(&def, &world));
    return world;
}

static sn_rigid add_link(chain *chain, sn_pose pose, float half_height)
{
    sn_rigid_def def = sn_rigid_def_default();
    sn_shape_def shape = sn_shape_def_default();
    def.position = pose.position;
    def.rotation = pose.rotation;
    shape.filter.category = 2;
    shape.filter.mask = ~(uint64_t)2;
    sn_rigid link;
    must(sn_rigid_add(chain->world, &def, &link));
    must(
        sn_box_add(chain->world, link, &shape, (sn_box){.half_extents = {0.045f, half_height, 0.02f}}, NULL));
    chain->links[chain->count++] = link;
    return link;
}

static void add_hinge(chain *chain, sn_rigid a, sn_rigid b, sn_vec3 place, sn_vec3 axis)
{
    sn_hinge_def def = sn_hinge_def_default();
    must(sn_constraint_place(chain->world, &def.common, a, b, place, axis));
    must(sn_hinge_add(chain->world, &def, &chain->hinges[chain->hinge_count++]));
}

// Links along x, held by `holder`.
static chain make_straight(sn_world *world, sn_rigid holder, int links, sn_vec3 axis)
{
    chain chain = {.world = world, .axis = axis};
    for (int i = 0; i < links; ++i) {
        sn_pose pose = {{0.05f + 0.1f * (float)i, 0.0f, 0.0f}, sn_quat_identity};
        sn_rigid link = add_link(&chain, pose, 0.02f);
        add_hinge(&chain, i == 0 ? holder : chain.links[i - 1], link, sn_v(0.1f * (float)i, 0.0f, 0.0f),
                  axis);
    }
    return chain;
}

// A closed ring in the plane y = 0 of `frame`; a part of its links is taller, so that their centres are off
// the plane.
static chain make_ring(sn_world *world, int links, sn_pose frame)
{
    chain chain = {.world = world, .axis = {0.0f, 1.0f, 0.0f}};
    float radius = 0.1f * (float)links / (2.0f * SN_PI);
    for (int i = 0; i < links; ++i) {
        float angle = 2.0f * SN_PI * (float)i / (float)links;
        bool tall = i > links / 6 && i < links / 3;
        sn_quat turn = sn_quat_multiply(frame.rotation, sn_quat_axis_angle(sn_v(0, 1, 0), angle));
        chain.offsets[i] = tall ? 0.1f : 0.02f;
        sn_vec3 center = sn_rotate(turn, sn_v(radius, chain.offsets[i], 0.0f));
        sn_pose pose = {sn_add(frame.position, center),
                        sn_quat_multiply(turn, sn_quat_axis_angle(sn_v(0, 1, 0), 0.5f * SN_PI))};
        add_link(&chain, pose, tall ? 0.1f : 0.03f);
    }
    sn_vec3 axis = sn_rotate(frame.rotation, sn_v(0, 1, 0));
    for (int i = 0; i < links; ++i) {
        float angle = 2.0f * SN_PI * ((float)i + 0.5f) / (float)links;
        sn_quat turn = sn_quat_multiply(frame.rotation, sn_quat_axis_angle(sn_v(0, 1, 0), angle));
        sn_vec3 place = sn_add(frame.position, sn_rotate(turn, sn_v(radius, 0.0f, 0.0f)));
        add_hinge(&chain, chain.links[i], chain.links[(i + 1) % links], place, axis);
    }
    return chain;
}

static sn_vec3 axis_of(const chain *chain, int link)
{
    return sn_rotate(sn_rigid_pose(chain->world, chain->links[link]).rotation, chain->axis);
}

// The largest angle between an axis and their mean [rad].
static double axis_error(const chain *chain)
{
    sn_vec3 mean = {0.0f, 0.0f, 0.0f};
    double worst = 0.0;
    for (int i = 0; i < chain->count; ++i) {
        mean = sn_add(mean, axis_of(chain, i));
    }
    mean = sn_normalize(mean);
    for (int i = 0; i < chain->count; ++i) {
        worst = fmax(worst, (double)sn_length(sn_cross(mean, axis_of(chain, i))));
    }
    return worst;
}

// How far hinges are apart along the axes, at worst: a chain whose axes are parallel and whose hinges meet is
// flat [m].
static double hinge_error(const chain *chain)
{
    double worst = 0.0;
    for (int i = 0; i < chain->hinge_count; ++i) {
        worst = fmax(worst, (double)sn_constraint_error(chain->world, chain->hinges[i]));
    }
    return worst;
}

// How far links are out of the plane that fits best [m].
static double flatness(const chain *chain)
{
    sn_vec3 normal = {0.0f, 0.0f, 0.0f}, center = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < chain->count; ++i) {
        sn_vec3 place = sn_rigid_position(chain->world, chain->links[i]);
        place = sn_add_scaled(place, -chain->offsets[i], axis_of(chain, i));
        normal = sn_add(normal, axis_of(chain, i));
        center = sn_add_scaled(center, 1.0f / (float)chain->count, place);
    }
    normal = sn_normalize(normal);
    double worst = 0.0;
    for (int i = 0; i < chain->count; ++i) {
        sn_vec3 place = sn_rigid_position(chain->world, chain->links[i]);
        place = sn_sub(sn_add_scaled(place, -chain->offsets[i], axis_of(chain, i)), center);
        worst = fmax(worst, fabs((double)sn_dot(place, normal)));
    }
    return worst;
}

static const sn_vec3 down = {0.0f, -9.81f, 0.0f}, none = {0.0f, 0.0f, 0.0f};

// --- held ----------------------------------------------------------------------------------------

static double sag_of_bracket(bool planes, sn_solver_type solver)
{
    sn_world *world = make_world(planes, down, solver);
    chain chain = make_straight(world, sn_world_ground(world), 20, sn_v(0, 1, 0));
    physics_run(world, 1.0f / 60.0f, 2.0f);
    double sag = 0.0;
    for (int i = 0; i < chain.count; ++i) {
        sag = fmax(sag, fabs((double)sn_rigid_position(world, chain.links[i]).y));
    }
    sn_world_destroy(world);
    return sag;
}

static void test_a_bracket_of_20_links_with_upright_axes_does_not_sag_by_1_um(void **state)
{
    (void)state;
    check_below(sag_of_bracket(true, SN_SOLVER_VELOCITY), 1e-6, "sag");
    check_below(sag_of_bracket(true, SN_SOLVER_POSITION), 1e-6, "sag, position solver");
    check_above(sag_of_bracket(false, SN_SOLVER_VELOCITY), 0.05, "sag without planes");
}

// Weight and moment of the links beyond the hinge.
static void test_hinges_of_a_bracket_report_weight_and_moment_within_1e_4(void **state)
{
    (void)state;
    sn_world *world = make_world(true, down, SN_SOLVER_VELOCITY);
    chain chain = make_straight(world, sn_world_ground(world), 20, sn_v(0, 1, 0));
    physics_run(world, 1.0f / 60.0f, 1.0f);
    double weight = 9.81 * sn_world_energy(world).mass;
    for (int i = 0; i < chain.count; i += 6) {
        double part = 1.0 - i / 20.0, length = 2.0 * part;
        sn_vec3 force = sn_constraint_force(world, chain.hinges[i]);
        sn_vec3 torque = sn_constraint_torque(world, chain.hinges[i]);
        check_near((double)force.y, part * weight, 1e-4 * weight, "force");
        check_near((double)torque.z, part * weight * 0.5 * length, 1e-4 * weight, "torque");
    }
    sn_world_destroy(world);
}

static void test_a_chain_follows_the_plane_of_a_kinematic_body_that_turns(void **state)
{
    (void)state;
    sn_world *world = make_world(true, down, SN_SOLVER_VELOCITY);
    sn_rigid_def def = sn_rigid_def_default();
    def.type = SN_KINEMATIC;
    def.angular_velocity = sn_v(0.0f, 2.0f, 0.0f);
    sn_rigid holder;
    must(sn_rigid_add(world, &def, &holder));
    chain chain = make_straight(world, holder, 20, sn_v(0, 0, 1));
    double worst = 0.0;
    for (int s = 0; s < 120; ++s) {
        must(sn_world_step(world, 1.0f / 60.0f));
        sn_vec3 normal = sn_rotate(sn_rigid_pose(world, holder).rotation, sn_v(0, 0, 1));
        for (int i = 0; i < chain.count; ++i) {
            worst = fmax(worst, fabs((double)sn_dot(sn_rigid_position(world, chain.links[i]), normal)));
        }
    }
    check_below(worst, 1e-5, "out of plane");
    sn_world_destroy(world);
}

// --- free ----------------------------------------------------------------------------------------

static chain make_flying(bool planes, sn_solver_type solver)
{
    chain chain = make_ring(make_world(planes, none, solver), 132, sn_pose_identity);
    for (int i = 0; i < chain.count; ++i) {
        float a = 2.0f * SN_PI * (float)i / (float)chain.count;
        sn_vec3 velocity = sn_v(0.3f * sinf(3.0f * a), 0.2f * cosf(2.0f * a), 1.0f + 0.3f * cosf(5.0f * a));
        must(sn_rigid_linear_velocity_set(chain.world, chain.links[i], velocity));
        must(sn_rigid_angular_velocity_set(chain.world, chain.links[i], sn_v(1.0f, 0.5f, 0.2f)));
    }
    return chain;
}

static double largest_change(const double *a, const double *b)
{
    double change = 0.0, size = 0.0;
    for (int k = 0; k < 3; ++k) {
        change = fmax(change, fabs(a[k] - b[k]));
        size = fmax(size, fabs(a[k]));
    }
    return change / size;
}

static void test_a_flying_ring_of_132_stays_flat_and_keeps_momentum_within_1e_5(void **state)
{
    (void)state;
    chain chain = make_flying(true, SN_SOLVER_VELOCITY);
    sn_energy before = sn_world_energy(chain.world);
    double energy = before.kinetic, gain = 0.0, flat = 0.0, axes = 0.0;
    for (int s = 0; s < 300; ++s) {
        must(sn_world_step(chain.world, 1.0f / 60.0f));
        double now = sn_world_energy(chain.world).kinetic;
        gain = fmax(gain, now / energy - 1.0);
        energy = fmin(energy, now);
        flat = fmax(flat, flatness(&chain));
        axes = fmax(axes, axis_error(&chain));
    }
    check_below(gain, 1e-4, "energy gained");
    check_below(flat, 5e-6, "out of plane [m]");
    check_below(axes, 1e-5, "axes [rad]");
    sn_energy after = sn_world_energy(chain.world);
    check_below(largest_change(before.momentum, after.momentum), 1e-5, "momentum");
    check_below(largest_change(before.angular_momentum, after.angular_momentum), 5e-5, "angular momentum");
    sn_world_destroy(chain.world);
    chain = make_flying(false, SN_SOLVER_VELOCITY);
    physics_run(chain.world, 1.0f / 60.0f, 1.0f);
    check_above(flatness(&chain), 0.05, "out of plane without planes [m]");
    sn_world_destroy(chain.world);
}

static void drop(sn_solver_type solver)
{
    chain chain = make_ring(make_world(true, down, solver), 132,
                            (sn_pose){{0.0f, 2.5f, 0.0f}, sn_quat_axis_angle(sn_v(1, 0, 0), 0.6f)});
    must(
        sn_plane_add(chain.world, sn_world_ground(chain.world), NULL, (sn_plane){.normal = {0, 1, 0}}, NULL));
    double flat = 0.0, axes = 0.0;
    for (int s = 0; s < 240; ++s) { // with the steps in which continuous collision stops a link
        must(sn_world_step(chain.world, 1.0f / 60.0f));
        flat = fmax(flat, flatness(&chain));
        axes = fmax(axes, axis_error(&chain));
    }
    check_below(flat, 1e-3, "out of plane [m]");
    check_below(axes, 1.7e-4, "axes [rad]");
    check_below(hinge_error(&chain), 2e-3, "hinges apart [m]");
    sn_world_destroy(chain.world);
}

static void test_a_ring_dropped_tilted_lies_flat_within_1_mm_and_a_hundredth_of_a_degree(void **state)
{
    (void)state;
    drop(SN_SOLVER_VELOCITY);
    drop(SN_SOLVER_POSITION);
}

// --- what is no chain ----------------------------------------------------------------------------

// A chain whose hinges are about two directions in turn is none; it hangs down as it must.
static void test_axes_that_are_not_parallel_make_no_plane(void **state)
{
    (void)state;
    sn_world *world = make_world(true, down, SN_SOLVER_VELOCITY);
    chain chain = {.world = world, .axis = {0, 1, 0}};
    for (int i = 0; i < 6; ++i) {
        sn_pose pose = {{0.05f + 0.1f * (float)i, 0.0f, 0.0f}, sn_quat_identity};
        sn_rigid link = add_link(&chain, pose, 0.02f), before = sn_world_ground(world);
        add_hinge(&chain, i == 0 ? before : chain.links[i - 1], link, sn_v(0.1f * (float)i, 0.0f, 0.0f),
                  i % 2 == 0 ? sn_v(0, 1, 0) : sn_v(0, 0, 1));
    }
    physics_run(world, 1.0f / 60.0f, 1.0f);
    check_below((double)sn_rigid_position(world, chain.links[5]).y, -0.1, "height of the last link");
    sn_world_destroy(world);
}

// The last hinge of the ring is 5 cm off along the axis: rows share the error, nothing turns non-finite.
static void test_a_ring_that_does_not_close_is_left_to_its_rows(void **state)
{
    (void)state;
    sn_world *world = make_world(true, down, SN_SOLVER_VELOCITY);
    chain chain = make_straight(world, sn_world_ground(world), 8, sn_v(0, 1, 0));
    sn_hinge_def def = sn_hinge_def_default();
    must(sn_constraint_place(world, &def.common, chain.links[7], sn_world_ground(world),
                             sn_v(0.8f, 0.05f, 0.0f), sn_v(0, 1, 0)));
    def.common.b.position = sn_v(0.8f, 0.0f, 0.0f);
    must(sn_hinge_add(world, &def, NULL));
    physics_run(world, 1.0f / 60.0f, 2.0f);
    for (int i = 0; i < chain.count; ++i) {
        assert_true(sn_is_finite(sn_rigid_position(world, chain.links[i]).y));
    }
    assert_int_equal(sn_world_statistics(world).frozen_count, 0);
    sn_world_destroy(world);
}

// Compliant, breakable and limited hinges, and locked bodies, are left to rows.
static void test_hinges_that_yield_make_no_plane(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; ++kind) {
        sn_world *world = make_world(true, down, SN_SOLVER_VELOCITY);
        chain chain = {.world = world, .axis = {0, 1, 0}};
        for (int i = 0; i < 8; ++i) {
            sn_pose pose = {{0.05f + 0.1f * (float)i, 0.0f, 0.0f}, sn_quat_identity};
            sn_rigid link = add_link(&chain, pose, 0.02f);
            sn_hinge_def def = sn_hinge_def_default();
            must(sn_constraint_place(world, &def.common, i == 0 ? sn_world_ground(world) : chain.links[i - 1],
                                     link, sn_v(0.1f * (float)i, 0.0f, 0.0f), sn_v(0, 1, 0)));
            def.common.compliance = kind == 0 ? 1e-3f : 0.0f;
            def.common.break_force = kind == 1 ? 1e9f : INFINITY;
            def.common.max_force = kind == 2 ? 1e3f : INFINITY;
            must(sn_hinge_add(world, &def, NULL));
        }
        physics_run(world, 1.0f / 60.0f, 0.5f);
        check_below((double)sn_rigid_position(world, chain.links[7]).y, -1e-4, "sag of the last link");
        sn_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_bracket_of_20_links_with_upright_axes_does_not_sag_by_1_um),
        physics_test(test_hinges_of_a_bracket_report_weight_and_moment_within_1e_4),
        physics_test(test_a_chain_follows_the_plane_of_a_kinematic_body_that_turns),
        physics_test(test_a_flying_ring_of_132_stays_flat_and_keeps_momentum_within_1e_5),
        physics_test(test_a_ring_dropped_tilted_lies_flat_within_1_mm_and_a_hundredth_of_a_degree),
        physics_test(test_axes_that_are_not_parallel_make_no_plane),
        physics_test(test_a_ring_that_does_not_close_is_left_to_its_rows),
        physics_test(test_hinges_that_yield_make_no_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
