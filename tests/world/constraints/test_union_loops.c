// Joints that close loops in a union share what goes through it: bricks of a wall, links of a ring, two welds
// at one seam.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"
#include <math.h>

static sn_constraint weld(sn_world *world, sn_rigid a, sn_rigid b, sn_vec3 point, float force)
{
    sn_fixed_def def = sn_fixed_def_default();
    def.common.break_force = force;
    sn_constraint joint;
    must(sn_constraint_place(world, &def.common, a, b, point, sn_v(1.0f, 0.0f, 0.0f)));
    must(sn_fixed_add(world, &def, &joint));
    return joint;
}

// Cubes in columns and courses, each welded to its neighbours.
enum { MOST_COLUMNS = 10, MOST_COURSES = 8 };
typedef struct wall {
    sn_rigid cubes[MOST_COURSES][MOST_COLUMNS];
    sn_constraint upright[MOST_COURSES][MOST_COLUMNS]; // to the cube below
    int columns, courses;
    double weight; // of a cube
} wall;

static wall make_wall(sn_world *world, int columns, int courses, float size, float force)
{
    wall wall = {.columns = columns, .courses = courses};
    for (int j = 0; j < courses; ++j) {
        for (int i = 0; i < columns; ++i) {
            sn_vec3 place = {size * (float)i, size * ((float)j + 0.5f), 0.0f};
            float half = 0.5f * size;
            wall.cubes[j][i] = physics_box(world, physics_material(0.5f, 0.0f), sn_v(half, half, half),
                                           physics_at(place.x, place.y, place.z));
            if (i > 0) {
                (void)weld(world, wall.cubes[j][i - 1], wall.cubes[j][i],
                           sn_sub(place, sn_v(half, 0.0f, 0.0f)), force);
            }
            if (j > 0) {
                wall.upright[j][i] = weld(world, wall.cubes[j - 1][i], wall.cubes[j][i],
                                          sn_sub(place, sn_v(0.0f, half, 0.0f)), force);
            }
        }
    }
    wall.weight = physics_weight(world, wall.cubes[0][0]);
    return wall;
}

// What goes up through each course is the weight above it, and no joint carries more than a few columns do.
static void test_bricks_of_a_wall_share_its_weight(void **state)
{
    (void)state;
    const float sizes[] = {0.05f, 0.2f, 2.0f};
    for (int s = 0; s < 3; ++s) {
        sn_world *world = physics_world();
        physics_floor(world, physics_material(0.5f, 0.0f));
        wall wall = make_wall(world, 10, 8, sizes[s], 1e9f * sizes[s]);
        physics_run(world, 1.0f / 60.0f, 1.0f);
        for (int j = 1; j < wall.courses; ++j) {
            double sum = 0.0, most = 0.0;
            for (int i = 0; i < wall.columns; ++i) {
                double force = (double)sn_constraint_force(world, wall.upright[j][i]).y;
                sum += force;
                most = fmax(most, fabs(force));
            }
            double above = wall.weight * (wall.courses - j);
            check_near(sum / (above * wall.columns), 1.0, 0.01, "size %g, course %d: force", (double)sizes[s],
                       j);
            check_below(most, 3.0 * wall.weight * wall.courses, "  of one joint");
        }
        sn_world_destroy(world);
    }
}

static int count_constraints(const sn_world *world)
{
    return sn_world_constraints(world, NULL, 0);
}

// By the joints of a tree alone each course would hang on one joint, which would break at once.
static void test_a_wall_stands_until_it_is_hit(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    physics_floor(world, physics_material(0.5f, 0.0f));
    wall wall = make_wall(world, 10, 8, 0.2f, 3.0f * 8.0f * 79.0f);
    int joints = count_constraints(world);
    physics_run(world, 1.0f / 60.0f, 2.0f);
    check_near(count_constraints(world), joints, 0.0, "joints after two seconds");
    sn_rigid ball;
    sn_rigid_def def = sn_rigid_def_default();
    def.position = sn_v(0.9f, 0.9f, 2.0f);
    def.linear_velocity = sn_v(0.0f, 0.0f, -20.0f);
    must(sn_rigid_add(world, &def, &ball));
    must(sn_sphere_add(world, ball, NULL, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.15f}, NULL));
    physics_run(world, 1.0f / 60.0f, 1.0f);
    check_below(count_constraints(world), joints - 4, "joints after it was hit");
    check_near(sn_world_statistics(world).frozen_count, 0.0, 0.0, "frozen");
    (void)wall;
    sn_world_destroy(world);
}

// m ω² r pulls at each cube, and T at both of its joints: 2 T sin(π/n) = m ω² r.
static void test_links_of_a_ring_that_spins_bear_the_same_tension(void **state)
{
    (void)state;
    enum { LINKS = 12 };
    const float radius = 1.0f, spin = 20.0f;
    sn_world *world = physics_world_without_gravity();
    sn_rigid cubes[LINKS];
    sn_constraint joints[LINKS];
    for (int i = 0; i < LINKS; ++i) {
        float angle = 2.0f * SN_PI * (float)i / (float)LINKS;
        sn_pose pose = {sn_v(radius * cosf(angle), 0.0f, -radius * sinf(angle)),
                        sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), angle)};
        cubes[i] = physics_box(world, physics_material(0.5f, 0.0f), sn_v(0.1f, 0.1f, 0.1f), pose);
        must(sn_rigid_linear_velocity_set(world, cubes[i], sn_cross(sn_v(0.0f, spin, 0.0f), pose.position)));
        must(sn_rigid_angular_velocity_set(world, cubes[i], sn_v(0.0f, spin, 0.0f)));
    }
    for (int i = 0; i < LINKS; ++i) {
        int next = (i + 1) % LINKS;
        sn_vec3 middle =
            sn_scale(sn_add(sn_rigid_center(world, cubes[i]), sn_rigid_center(world, cubes[next])), 0.5f);
        joints[i] = weld(world, cubes[i], cubes[next], middle, 1e6f);
    }
    double mass = physics_weight(world, cubes[0]) / physics_gravity;
    physics_run(world, 1.0f / 240.0f, 0.1f);
    double pull = mass * 20.0 * 20.0 * 1.0 / (2.0 * sin(3.141592653589793 / LINKS));
    for (int i = 0; i < LINKS; ++i) {
        check_near((double)sn_length(sn_constraint_force(world, joints[i])) / pull, 1.0, 0.02, "joint %d", i);
    }
    sn_world_destroy(world);
}

static void test_two_welds_at_a_seam_carry_half_each(void **state)
{
    (void)state;
    const float masses[] = {0.1f, 1.0f, 10.0f};
    for (int m = 0; m < 3; ++m) {
        sn_world *world = physics_world();
        sn_rigid cubes[5];
        sn_constraint joints[5][2];
        sn_shape_def material = physics_material(0.5f, 0.0f);
        material.density *= masses[m];
        for (int i = 0; i < 5; ++i) {
            cubes[i] = physics_box(world, material, sn_v(0.1f, 0.1f, 0.1f),
                                   physics_at(0.1f + 0.2f * (float)i, 1.0f, 0.0f));
            for (int k = 0; i > 0 && k < 2; ++k) {
                joints[i][k] = weld(world, cubes[i - 1], cubes[i],
                                    sn_v(0.2f * (float)i, 1.0f, k == 0 ? -0.1f : 0.1f), 1e6f);
            }
        }
        (void)weld(world, sn_world_ground(world), cubes[0], sn_v(0.0f, 1.0f, 0.0f), INFINITY);
        physics_run(world, 1.0f / 60.0f, 2.0f);
        double weight = physics_weight(world, cubes[0]);
        for (int i = 1; i < 5; ++i) {
            for (int k = 0; k < 2; ++k) {
                check_near((double)sn_constraint_force(world, joints[i][k]).y / (weight * (5 - i)), 0.5, 0.01,
                           "mass %g, joint %d, %d", (double)masses[m], i, k);
            }
        }
        sn_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_bricks_of_a_wall_share_its_weight),
        physics_test(test_a_wall_stands_until_it_is_hit),
        physics_test(test_links_of_a_ring_that_spins_bear_the_same_tension),
        physics_test(test_two_welds_at_a_seam_carry_half_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
