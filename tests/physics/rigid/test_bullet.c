// Fast bodies and thin walls: bullets of every shape at 300 m/s against walls one centimetre thick of every
// kind. None passes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"
#include "support/random.h"

static const float wall_half_size = 10.0f, wall_half_thickness = 0.005f, bullet_speed = 300.0f;

typedef enum wall { BOX_WALL, HULL_WALL, TRIANGLE_WALL, WALLS } wall;
static const char *const wall_names[] = {"box", "hull", "triangles"};

// In the plane x = 0.
static void add_wall(sn_world *world, wall wall)
{
    sn_rigid ground = sn_world_ground(world);
    sn_vec3 half = sn_v(wall_half_thickness, wall_half_size, wall_half_size);
    if (wall == BOX_WALL) {
        must(sn_box_add(world, ground, NULL, (sn_box){half}, NULL));
    } else if (wall == HULL_WALL) {
        sn_vec3 corners[8];
        for (int i = 0; i < 8; ++i) {
            corners[i] = sn_mul(half, sn_v(i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f));
        }
        sn_hull *hull = NULL;
        must(sn_hull_create(corners, 8, 0, &hull));
        must(sn_hull_add(world, ground, NULL, hull, NULL));
        sn_hull_destroy(hull);
    } else {
        // One sheet, facing −x, where the bullets come from.
        const float s = wall_half_size;
        const sn_vec3 corners[4] = {{0, -s, -s}, {0, s, -s}, {0, s, s}, {0, -s, s}};
        const uint32_t triangles[6] = {0, 2, 1, 0, 3, 2};
        sn_surface *surface = NULL;
        must(sn_surface_create(corners, 4, triangles, 2, false, &surface));
        must(sn_surface_add(world, ground, NULL, surface, NULL));
        sn_surface_destroy(surface);
    }
}

typedef enum bullet { SPHERE, BOX, CAPSULE, CYLINDER, DUMBBELL, BULLETS } bullet;
static const char *const bullet_names[] = {"sphere", "box", "capsule", "cylinder", "dumbbell"};

// Two balls of 0.1 m radius on a bar.
static sn_rigid add_dumbbell(sn_world *world, sn_pose pose)
{
    sn_solid parts[3] = {{.type = SN_SPHERE, .pose = physics_at(-0.2f, 0, 0), .sphere = {{0, 0, 0}, 0.1f}},
                         {.type = SN_SPHERE, .pose = physics_at(0.2f, 0, 0), .sphere = {{0, 0, 0}, 0.1f}},
                         {.type = SN_BOX, .pose = physics_at(0, 0, 0), .box = {{0.2f, 0.04f, 0.04f}}}};
    sn_compound *compound = NULL;
    must(sn_compound_create(parts, 3, &compound));
    sn_rigid_def def = sn_rigid_def_default();
    def.position = pose.position;
    def.rotation = pose.rotation;
    sn_rigid rigid = {0};
    must(sn_rigid_add(world, &def, &rigid));
    must(sn_compound_add(world, rigid, NULL, compound, NULL));
    sn_compound_destroy(compound);
    return rigid;
}

// All about as large as a sphere of 0.1 m radius.
static sn_rigid add_bullet(sn_world *world, bullet bullet, sn_pose pose)
{
    sn_shape_def material = sn_shape_def_default();
    switch (bullet) {
    case SPHERE:
        return physics_sphere(world, material, 0.1f, pose);
    case BOX:
        return physics_box(world, material, sn_v(0.1f, 0.08f, 0.12f), pose);
    case CAPSULE:
        return physics_capsule(world, material, 0.1f, 0.07f, pose);
    case CYLINDER:
        return physics_cylinder(world, material, 0.1f, 0.2f, pose);
    default:
        return add_dumbbell(world, pose);
    }
}

// One shot from a random place, under a random angle, at a random phase of the step. True if the bullet's
// centre crosses the wall.
static bool shot_passes(wall wall, bullet bullet, test_random *random, float step)
{
    sn_world *world = physics_world();
    add_wall(world, wall);
    sn_vec3 aim = sn_v(0.0f, test_random_float(random, -3.0f, 3.0f), test_random_float(random, -3.0f, 3.0f));
    float y = test_random_float(random, -0.6f, 0.6f), z = test_random_float(random, -0.6f, 0.6f);
    sn_vec3 direction = sn_normalize(sn_v(1.0f, y, z));
    float distance = test_random_float(random, 3.0f, 9.0f);
    sn_pose pose = {sn_add_scaled(aim, -distance, direction), test_random_rotation(random)};
    sn_rigid body = add_bullet(world, bullet, pose);
    must(sn_rigid_linear_velocity_set(world, body, sn_scale(direction, bullet_speed)));
    must(sn_rigid_angular_velocity_set(world, body, test_random_vec3(random, 20.0f)));
    bool passes = false;
    sn_vec3 position = pose.position;
    // As long as it is before the wall, sideways too.
    while (!passes && sn_world_time(world) < 0.5 && fabsf(position.y) < 9.0f && fabsf(position.z) < 9.0f) {
        physics_run(world, step, step);
        position = sn_rigid_center(world, body);
        passes = position.x > 0.0f;
    }
    sn_world_destroy(world);
    return passes;
}

static int count_passed(wall wall, bullet bullet, int shots, float step)
{
    test_random random = {1000 + 10 * (uint64_t)wall + (uint64_t)bullet};
    int passed = 0;
    for (int i = 0; i < shots; ++i) {
        passed += shot_passes(wall, bullet, &random, step) ? 1 : 0;
    }
    return passed;
}

static void test_no_sphere_passes_a_wall_in_50_shots_each(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        for (wall wall = BOX_WALL; wall < WALLS; ++wall) {
            check_near((double)count_passed(wall, SPHERE, 50, physics_steps[s]), 0.0, 0.0,
                       "spheres through a wall of a %s, step %d", wall_names[wall], s);
        }
    }
}

static void test_no_bullet_of_any_shape_passes_a_wall_in_50_shots_each(void **state)
{
    (void)state;
    for (bullet bullet = BOX; bullet < BULLETS; ++bullet) {
        for (wall wall = BOX_WALL; wall < WALLS; ++wall) {
            check_near((double)count_passed(wall, bullet, 50, physics_steps[0]), 0.0, 0.0,
                       "%s through a wall of a %s", bullet_names[bullet], wall_names[wall]);
        }
    }
}

// Bodies declared bullets are swept against what moves too: the free plate is hit, not passed.
static void test_a_declared_bullet_hits_a_free_thin_plate(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        test_random random = {5};
        int missed = 0;
        for (int i = 0; i < 20; ++i) {
            sn_world *world = physics_world_without_gravity();
            sn_shape_def material = sn_shape_def_default();
            sn_rigid plate = physics_box(world, material, sn_v(0.005f, 1.0f, 1.0f), physics_at(0, 0, 0));
            float x = -test_random_float(&random, 3.0f, 9.0f);
            sn_rigid bullet = physics_sphere(world, material, 0.05f, physics_at(x, 0.1f, 0.2f));
            must(sn_rigid_bullet_set(world, bullet, true));
            must(sn_rigid_linear_velocity_set(world, bullet, sn_v(bullet_speed, 0.0f, 0.0f)));
            physics_run(world, physics_steps[s], 0.2f);
            missed += sn_rigid_linear_velocity(world, plate).x < 1.0f ? 1 : 0;
            sn_world_destroy(world);
        }
        check_near((double)missed, 0.0, 0.0, "plates passed without a touch, step %d", s);
    }
}

// A ball dropped from high onto a sheet of triangles comes to rest on it.
static void test_a_ball_that_falls_200_m_rests_on_a_sheet_of_triangles(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    sn_shape_def material = physics_material(0.5f, 0.0f);
    physics_triangle_floor(world, material, 5.0f, 10);
    sn_rigid ball = physics_sphere(world, material, 0.1f, physics_at(0.13f, 200.0f, 0.21f));
    physics_run(world, physics_steps[0], 10.0f);
    check_near((double)sn_rigid_position(world, ball).y, 0.1, 2e-3, "height of its centre");
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_no_sphere_passes_a_wall_in_50_shots_each),
        physics_test(test_no_bullet_of_any_shape_passes_a_wall_in_50_shots_each),
        physics_test(test_a_declared_bullet_hits_a_free_thin_plate),
        physics_test(test_a_ball_that_falls_200_m_rests_on_a_sheet_of_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
