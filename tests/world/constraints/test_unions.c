// Bodies that hard fixed joints hold together move as one, and their joints tell what they carry.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"
#include <math.h>
#include <stdlib.h>

static const sn_vec3 along_x = {1.0f, 0.0f, 0.0f};

static sn_constraint weld(sn_world *world, sn_rigid a, sn_rigid b, sn_vec3 point, float force)
{
    sn_fixed_def def = sn_fixed_def_default();
    def.common.break_force = force;
    sn_constraint joint;
    must(sn_constraint_place(world, &def.common, a, b, point, along_x));
    must(sn_fixed_add(world, &def, &joint));
    return joint;
}

// Cubes of 20 cm in a row along x, welded to each other.
enum { MOST = 60 };
typedef struct row {
    sn_rigid cubes[MOST];
    sn_constraint joints[MOST];
    int count;
} row;

static row make_row(sn_world *world, int count, sn_vec3 first, float force)
{
    row row = {.count = count};
    for (int i = 0; i < count; ++i) {
        sn_vec3 place = sn_add(first, sn_v(0.2f * (float)i, 0.0f, 0.0f));
        row.cubes[i] = physics_box(world, physics_material(0.5f, 0.0f), sn_v(0.1f, 0.1f, 0.1f),
                                   physics_at(place.x, place.y, place.z));
        if (i > 0) {
            row.joints[i] =
                weld(world, row.cubes[i - 1], row.cubes[i], sn_sub(place, sn_v(0.1f, 0.0f, 0.0f)), force);
        }
    }
    return row;
}

// How far the last cube is from where the first one says, and how much it is turned against it.
static double deformation(const sn_world *world, const row *row)
{
    sn_pose first = sn_rigid_pose(world, row->cubes[0]),
            last = sn_rigid_pose(world, row->cubes[row->count - 1]);
    float length = 0.2f * (float)(row->count - 1);
    sn_vec3 there = sn_pose_apply(first, sn_v(length, 0.0f, 0.0f));
    return (double)sn_distance_between(there, last.position) / (double)length;
}

static void test_a_welded_row_that_falls_on_its_end_stays_straight(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        physics_floor(world, physics_material(0.5f, 0.0f));
        row row = make_row(world, 10, sn_v(0.0f, 1.0f, 0.0f), INFINITY);
        must(sn_rigid_angular_velocity_set(world, row.cubes[0], sn_v(0.0f, 0.0f, 30.0f)));
        double worst = 0.0;
        for (int i = 0; i < (int)(4.0f / physics_steps[s]); ++i) {
            must(sn_world_step(world, physics_steps[s]));
            worst = fmax(worst, deformation(world, &row));
        }
        check_below(worst, 1e-5, "step %d: deformation", s);
        check_near((double)sn_rigid_pose(world, row.cubes[0]).position.y, 0.1, 2e-3, "  height at rest");
        check_below((double)sn_length(sn_rigid_linear_velocity(world, row.cubes[9])), 5e-3, "  speed");
        sn_world_destroy(world);
    }
}

static void test_a_free_union_keeps_its_momenta_for_1000_steps(void **state)
{
    (void)state;
    sn_world *world = physics_world_without_gravity();
    row row = make_row(world, 7, sn_v(0.0f, 1.0f, 0.0f), INFINITY);
    must(sn_rigid_linear_velocity_set(world, row.cubes[2], sn_v(3.0f, 1.0f, -2.0f)));
    must(sn_rigid_angular_velocity_set(world, row.cubes[5], sn_v(40.0f, -20.0f, 10.0f)));
    sn_energy before = sn_world_energy(world);
    physics_run(world, 1.0f / 60.0f, 1000.0f / 60.0f);
    sn_energy after = sn_world_energy(world);
    double p = 0.0, l = 0.0, p0 = 0.0,
           l0 = 0.0; // compared with the sums over members without regard to direction
    for (int i = 0; i < 3; ++i) {
        p += pow(after.momentum[i] - before.momentum[i], 2.0);
        l += pow(after.angular_momentum[i] - before.angular_momentum[i], 2.0);
    }
    for (int i = 0; i < row.count; ++i) {
        double speed =
            (double)sn_length(sn_rigid_linear_velocity(world, row.cubes[i])) * before.mass / row.count;
        p0 += speed;
        l0 += speed * (double)sn_length(sn_rigid_center(world, row.cubes[i]));
    }
    check_below(sqrt(p) / p0, 1e-5, "change of momentum");
    check_below(sqrt(l) / l0, 1e-5, "change of angular momentum");
    sn_world_destroy(world);
}

// Sticking out of a wall: each joint carries what is beyond it.
static void test_joints_of_a_cantilever_carry_what_is_beyond_them(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        row row = make_row(world, 5, sn_v(0.1f, 1.0f, 0.0f), INFINITY);
        weld(world, sn_world_ground(world), row.cubes[0], sn_v(0.0f, 1.0f, 0.0f), INFINITY);
        physics_run(world, physics_steps[s], 2.0f);
        float weight = (float)physics_weight(world, row.cubes[0]);
        for (int i = 1; i < 5; ++i) {
            float beyond = (float)(5 - i);
            sn_vec3 force = {0.0f, weight * beyond, 0.0f};
            sn_vec3 torque = {0.0f, 0.0f, weight * beyond * 0.1f * beyond};
            check_vector(sn_constraint_force(world, row.joints[i]), force, 5e-3, "step %d, joint %d: force",
                         s, i);
            check_vector(sn_constraint_torque(world, row.joints[i]), torque, 1e-2, "  torque");
        }
        sn_world_destroy(world);
    }
}

static int count_constraints(const sn_world *world)
{
    return sn_world_constraints(world, NULL, 0);
}

// A row that falls flat on one end breaks there, and nowhere before it lands; nothing gains momentum.
static void test_a_union_breaks_where_a_blow_asks_too_much_of_a_joint(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    row row = make_row(world, 8, sn_v(0.0f, 3.0f, 0.0f), 1500.0f);
    sn_rigid_def def = sn_rigid_def_default();
    def.type = SN_STATIC;
    def.position = sn_v(0.0f, 0.0f, 0.0f);
    sn_rigid block;
    sn_shape_def material = physics_material(0.5f, 0.0f);
    must(sn_rigid_add(world, &def, &block));
    must(sn_box_add(world, block, &material, (sn_box){sn_v(0.1f, 1.0f, 0.5f)}, NULL));
    double speed = 0.0;
    while (count_constraints(world) == 7 && sn_world_time(world) < 3.0) {
        speed = -(double)sn_rigid_linear_velocity(world, row.cubes[4]).y;
        must(sn_world_step(world, 1.0f / 60.0f));
    }
    check_near(speed, sqrt(2.0 * physics_gravity * 1.9), 0.3, "speed when it breaks");
    check_below((double)count_constraints(world), 6.0, "joints left");
    double energy = sn_world_energy(world).kinetic;
    physics_run(world, 1.0f / 60.0f, 1.0f / 60.0f);
    check_below(sn_world_energy(world).kinetic, 1.1 * energy + 1.0, "kinetic energy after breaking");
    physics_run(world, 1.0f / 60.0f, 0.5f);
    check_above((double)sn_distance_between(sn_rigid_center(world, row.cubes[0]),
                                            sn_rigid_center(world, row.cubes[7])),
                1.0, "the ends");
    check_near((double)sn_world_statistics(world).frozen_count, 0.0, 0.0, "frozen");
    sn_world_destroy(world);
}

// Four cubes in a square whose last joint asks for 5 cm more: rows share the error, and nothing blows up.
static void test_joints_that_do_not_close_are_held_by_rows(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    physics_floor(world, physics_material(0.5f, 0.0f));
    row row = make_row(world, 4, sn_v(0.0f, 0.3f, 0.0f), INFINITY);
    sn_fixed_def def = sn_fixed_def_default();
    must(
        sn_constraint_place(world, &def.common, row.cubes[0], row.cubes[3], sn_v(0.3f, 0.3f, 0.0f), along_x));
    def.common.a.position = sn_add(def.common.a.position, sn_v(0.0f, 0.05f, 0.0f));
    must(sn_fixed_add(world, &def, NULL));
    physics_run(world, 1.0f / 60.0f, 4.0f);
    check_below((double)sn_length(sn_rigid_linear_velocity(world, row.cubes[3])), 0.01, "speed");
    check_near((double)sn_distance_between(sn_rigid_center(world, row.cubes[0]),
                                           sn_rigid_center(world, row.cubes[3])),
               0.6, 0.06, "length");
    sn_world_destroy(world);
}

// One that was moved away is brought back by rows, and is one with the others then.
static void test_a_member_put_elsewhere_comes_back(void **state)
{
    (void)state;
    sn_world *world = physics_world_without_gravity();
    row row = make_row(world, 3, sn_v(0.0f, 0.0f, 0.0f), INFINITY);
    physics_run(world, 1.0f / 60.0f, 0.1f);
    must(sn_rigid_pose_set(world, row.cubes[2], physics_at(0.45f, 0.05f, 0.0f)));
    physics_run(world, 1.0f / 60.0f, 3.0f);
    check_below(deformation(world, &row), 2e-3, "deformation");
    sn_world_destroy(world);
}

// What happens after restoring, bit for bit, in the middle of a fall with blows.
static void test_a_restored_union_goes_on(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    physics_floor(world, physics_material(0.5f, 0.3f));
    make_row(world, 9, sn_v(0.0f, 0.5f, 0.0f), 1500.0f);
    sn_rigid cubes[16];
    sn_world_rigids(world, cubes, 16);
    must(sn_rigid_angular_velocity_set(world, cubes[3], sn_v(0.0f, 3.0f, 20.0f)));
    physics_run(world, 1.0f / 60.0f, 0.4f);
    size_t size = 0;
    must(sn_world_save(world, NULL, 0, &size));
    void *bytes = malloc(size);
    must(sn_world_save(world, bytes, size, &size));
    physics_run(world, 1.0f / 60.0f, 1.0f);
    uint64_t hash = sn_world_hash(world);
    must(sn_world_restore(world, bytes, size));
    physics_run(world, 1.0f / 60.0f, 1.0f);
    assert_int_equal(sn_world_hash(world), hash);
    free(bytes);
    sn_world_destroy(world);
}

// A ring of 60 cubes, each welded to its neighbours, that falls on its edge.
static void test_a_ring_of_60_that_falls_does_not_deform(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    physics_floor(world, physics_material(0.5f, 0.0f));
    sn_rigid cubes[60];
    const float radius = 2.1f;
    for (int i = 0; i < 60; ++i) {
        float angle = 2.0f * SN_PI * (float)i / 60.0f;
        sn_pose pose = {sn_v(radius * sn_cos(angle), 4.0f + radius * sn_sin(angle), 0.0f),
                        sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), angle)};
        cubes[i] = physics_box(world, physics_material(0.5f, 0.0f), sn_v(0.1f, 0.1f, 0.1f), pose);
    }
    for (int i = 0; i < 60; ++i) {
        sn_vec3 middle =
            sn_lerp(sn_rigid_center(world, cubes[i]), sn_rigid_center(world, cubes[(i + 1) % 60]), 0.5f);
        weld(world, cubes[i], cubes[(i + 1) % 60], middle, INFINITY);
    }
    double worst = 0.0;
    for (int i = 0; i < 180; ++i) {
        must(sn_world_step(world, 1.0f / 60.0f));
        for (int k = 0; k < 30; ++k) {
            double across = (double)sn_distance_between(sn_rigid_center(world, cubes[k]),
                                                        sn_rigid_center(world, cubes[k + 30]));
            worst = fmax(worst, fabs(across / (2.0 * (double)radius) - 1.0));
        }
    }
    check_below(worst, 1e-5, "deformation");
    check_near((double)sn_world_statistics(world).frozen_count, 0.0, 0.0, "frozen");
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_welded_row_that_falls_on_its_end_stays_straight),
        physics_test(test_a_free_union_keeps_its_momenta_for_1000_steps),
        physics_test(test_joints_of_a_cantilever_carry_what_is_beyond_them),
        physics_test(test_a_union_breaks_where_a_blow_asks_too_much_of_a_joint),
        physics_test(test_joints_that_do_not_close_are_held_by_rows),
        physics_test(test_a_member_put_elsewhere_comes_back),
        physics_test(test_a_restored_union_goes_on),
        physics_test(test_a_ring_of_60_that_falls_does_not_deform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
