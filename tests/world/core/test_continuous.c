// Continuous collision: fast bodies do not pass thin ones, whatever those are and do, and what merely slides
// or rolls fast is not held up.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/random.h"
#include "support/world_kit.h"

static sn_world *weightless_world(void)
{
    sn_world *world = kit_world();
    assert_ok(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)));
    return world;
}

// --- thin walls ----------------------------------------------------------------------------------

// Walls 1 cm thick or thinner in the plane x = 0, of every type that can stand there.
typedef enum { BOX_WALL, HULL_WALL, COMPOUND_WALL, SURFACE_WALL, PLANE_WALL, WALLS } wall_kind;

static void add_wall(sn_world *world, sn_rigid owner, wall_kind kind)
{
    sn_box thin = {{0.005f, 4.0f, 4.0f}};
    sn_shape_def def = default_material();
    if (kind == BOX_WALL) {
        assert_ok(sn_box_add(world, owner, &def, thin, NULL));
    } else if (kind == HULL_WALL) {
        sn_vec3 points[8];
        for (int i = 0; i < 8; ++i) {
            points[i] = sn_v(i & 1 ? 0.005f : -0.005f, i & 2 ? 4.0f : -4.0f, i & 4 ? 4.0f : -4.0f);
        }
        sn_hull *hull;
        assert_ok(sn_hull_create(points, 8, 0, &hull));
        assert_ok(sn_hull_add(world, owner, &def, hull, NULL));
        sn_hull_destroy(hull);
    } else if (kind == COMPOUND_WALL) {
        sn_solid parts[2] = {
            {.type = SN_BOX, .pose = physics_at(0.0f, 2.0f, 0.0f), .box = {{0.005f, 2.0f, 4.0f}}},
            {.type = SN_BOX, .pose = physics_at(0.0f, -2.0f, 0.0f), .box = {{0.005f, 2.0f, 4.0f}}}};
        sn_compound *compound;
        assert_ok(sn_compound_create(parts, 2, &compound));
        assert_ok(sn_compound_add(world, owner, &def, compound, NULL));
        sn_compound_destroy(compound);
    } else if (kind == SURFACE_WALL) {
        const sn_vec3 corners[4] = {{0, -4, -4}, {0, 4, -4}, {0, 4, 4}, {0, -4, 4}};
        const uint32_t triangles[6] = {0, 2, 1, 0, 3, 2}; // seen from −x
        sn_surface *surface;
        assert_ok(sn_surface_create(corners, 4, triangles, 2, false, &surface));
        assert_ok(sn_surface_add(world, owner, &def, surface, NULL));
        sn_surface_destroy(surface);
    } else {
        assert_ok(sn_plane_add(world, owner, &def, (sn_plane){{-1.0f, 0.0f, 0.0f}, 0.0f}, NULL));
    }
}

typedef enum { BALL, CUBE, ROD, PEBBLE, DUMBBELL, SHOTS } shot_kind;

// A small dumbbell along x: the ball in front is larger than the one behind.
static void add_dumbbell(sn_world *world, sn_rigid body)
{
    sn_solid parts[2] = {
        {.type = SN_SPHERE, .pose = physics_at(0.3f, 0.0f, 0.0f), .sphere = {.radius = 0.12f}},
        {.type = SN_SPHERE, .pose = physics_at(-0.3f, 0.0f, 0.0f), .sphere = {.radius = 0.05f}}};
    sn_compound *compound;
    assert_ok(sn_compound_create(parts, 2, &compound));
    assert_ok(sn_compound_add(world, body, NULL, compound, NULL));
    sn_compound_destroy(compound);
}

static sn_rigid add_shot(sn_world *world, shot_kind kind, sn_pose pose)
{
    sn_rigid_def def = sn_rigid_def_default();
    def.position = pose.position;
    def.rotation = pose.rotation;
    sn_rigid body;
    assert_ok(sn_rigid_add(world, &def, &body));
    if (kind == BALL) {
        assert_ok(sn_sphere_add(world, body, NULL, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.1f}, NULL));
    } else if (kind == CUBE) {
        assert_ok(sn_box_add(world, body, NULL, (sn_box){{0.1f, 0.1f, 0.1f}}, NULL));
    } else if (kind == ROD) {
        assert_ok(sn_capsule_add(world, body, NULL, (sn_capsule){{-0.2f, 0, 0}, {0.2f, 0, 0}, 0.05f}, NULL));
    } else if (kind == PEBBLE) {
        sn_hull *hull;
        assert_ok(sn_hull_cylinder(0.2f, 0.1f, 0.08f, 8, &hull));
        assert_ok(sn_hull_add(world, body, NULL, hull, NULL));
        sn_hull_destroy(hull);
    } else {
        add_dumbbell(world, body);
    }
    return body;
}

// Steps until the shot has come to the wall and left it again; the mass centre must stay before the wall.
static void check_stopped(sn_world *world, sn_rigid shot, int steps, const sn_rigid *wall)
{
    for (int i = 0; i < steps; ++i) {
        run_steps(world, 1);
        float face = wall != NULL ? sn_rigid_position(world, *wall).x : 0.0f;
        assert_true(sn_rigid_center(world, shot).x < face);
        assert_false(sn_rigid_is_frozen(world, shot));
    }
}

static void test_no_shot_passes_a_thin_static_wall_of_any_type(void **state)
{
    (void)state;
    test_random random = {1};
    const float speeds[] = {10.0f, 30.0f, 100.0f, 300.0f};
    for (int wall = 0; wall < WALLS; ++wall) {
        for (int kind = 0; kind < SHOTS; ++kind) {
            for (int i = 0; i < 12; ++i) {
                sn_world *world = weightless_world();
                add_wall(world, sn_world_ground(world), (wall_kind)wall);
                sn_pose pose = {{test_random_float(&random, -6.0f, -3.0f), 0.0f, 0.0f}, sn_quat_identity};
                pose.position.y = test_random_float(&random, -1.0f, 1.0f);
                pose.rotation = test_random_rotation(&random);
                sn_rigid shot = add_shot(world, (shot_kind)kind, pose);
                sn_vec3 displacement = sn_v(1.0f, test_random_float(&random, -0.1f, 0.1f), 0.0f);
                assert_ok(sn_rigid_linear_velocity_set(world, shot, sn_scale(displacement, speeds[i % 4])));
                check_stopped(world, shot, 12 + (int)(400.0f / speeds[i % 4]), NULL);
                sn_world_destroy(world);
            }
        }
    }
}

// A kinematic wall that stands, comes towards the shot, runs before it, or turns.
static void test_no_shot_passes_a_thin_kinematic_wall(void **state)
{
    (void)state;
    const float wall_speeds[] = {0.0f, -5.0f, 5.0f};
    for (int kind = 0; kind < SHOTS; ++kind) {
        for (int i = 0; i < 3; ++i) {
            for (int by_target = 0; by_target < 2; ++by_target) {
                sn_world *world = weightless_world();
                sn_rigid wall =
                    physics_platform(world, default_material(), sn_v(0.005f, 4, 4), physics_at(0, 0, 0));
                sn_rigid shot = add_shot(world, (shot_kind)kind, physics_at(-4.03f, 0.1f, 0.2f));
                assert_ok(sn_rigid_linear_velocity_set(world, shot, sn_v(200.0f, 0.0f, 0.0f)));
                assert_ok(sn_rigid_linear_velocity_set(world, wall, sn_v(wall_speeds[i], 0.0f, 0.0f)));
                for (int k = 1; k <= 15; ++k) {
                    if (by_target) {
                        float x = wall_speeds[i] * frame * (float)k;
                        assert_ok(sn_rigid_target_set(world, wall, physics_at(x, 0.0f, 0.0f)));
                    }
                    check_stopped(world, shot, 1, &wall);
                }
                sn_world_destroy(world);
            }
        }
    }
}

// --- dynamic targets -----------------------------------------------------------------------------

// A heavy plate, free to move. Whoever has the flag is swept against it.
static bool passes_plate(bool bullet, float speed)
{
    sn_world *world = weightless_world();
    sn_shape_def heavy = default_material();
    heavy.density = 1.0e5f;
    sn_rigid plate = physics_box(world, heavy, sn_v(0.005f, 2.0f, 2.0f), physics_at(0.0f, 0.0f, 0.0f));
    sn_rigid shot = add_shot(world, BALL, physics_at(-3.2f, 0.0f, 0.0f));
    assert_ok(sn_rigid_bullet_set(world, shot, bullet));
    assert_ok(sn_rigid_linear_velocity_set(world, shot, sn_v(speed, 0.0f, 0.0f)));
    int swept = 0;
    for (int i = 0; i < 20; ++i) {
        run_steps(world, 1);
        swept += sn_world_statistics(world).swept_count;
    }
    bool passed = sn_rigid_position(world, shot).x > sn_rigid_position(world, plate).x;
    assert_true(bullet || swept == 0);
    sn_world_destroy(world);
    return passed;
}

static void test_a_bullet_does_not_pass_a_dynamic_plate_and_pushes_it(void **state)
{
    (void)state;
    const float speeds[] = {20.0f, 100.0f, 300.0f, 700.0f};
    for (int i = 0; i < 4; ++i) {
        assert_false(passes_plate(true, speeds[i]));
    }
    // Without the flag it is not looked for: that is what the flag is for.
    assert_true(passes_plate(false, 300.0f));
}

static void test_a_bullet_hits_a_plate_that_itself_moves(void **state)
{
    (void)state;
    const float plate_speeds[] = {-20.0f, 20.0f};
    for (int i = 0; i < 2; ++i) {
        sn_world *world = weightless_world();
        sn_shape_def heavy = default_material();
        heavy.density = 1.0e5f;
        sn_rigid plate = physics_box(world, heavy, sn_v(0.01f, 2.0f, 2.0f), physics_at(0.0f, 0.0f, 0.0f));
        sn_rigid shot = add_shot(world, BALL, physics_at(-5.0f, 0.0f, 0.0f));
        assert_ok(sn_rigid_bullet_set(world, shot, true));
        assert_ok(sn_rigid_linear_velocity_set(world, shot, sn_v(300.0f, 0.0f, 0.0f)));
        assert_ok(sn_rigid_linear_velocity_set(world, plate, sn_v(plate_speeds[i], 0.0f, 0.0f)));
        for (int k = 0; k < 10; ++k) {
            run_steps(world, 1);
            assert_true(sn_rigid_position(world, shot).x < sn_rigid_position(world, plate).x);
        }
        sn_world_destroy(world);
    }
}

static void test_with_continuous_off_nothing_is_swept(void **state)
{
    (void)state;
    sn_world *world = weightless_world();
    sn_world_def settings = sn_world_settings(world);
    settings.continuous = false;
    assert_ok(sn_world_settings_set(world, &settings));
    add_wall(world, sn_world_ground(world), BOX_WALL);
    sn_rigid shot = add_shot(world, BALL, physics_at(-2.6f, 0.0f, 0.0f));
    assert_ok(sn_rigid_linear_velocity_set(world, shot, sn_v(300.0f, 0.0f, 0.0f)));
    for (int i = 0; i < 5; ++i) {
        run_steps(world, 1);
        assert_int_equal(sn_world_statistics(world).swept_count, 0);
    }
    assert_true(sn_rigid_position(world, shot).x > 10.0f);
    sn_world_destroy(world);
}

// --- what must not be held up --------------------------------------------------------------------

static void add_flat_floor(sn_world *world, int kind, sn_shape_def material)
{
    if (kind == 0) {
        physics_floor(world, material);
    } else if (kind == 1) {
        material.offset.position.y = -0.5f;
        assert_ok(
            sn_box_add(world, sn_world_ground(world), &material, (sn_box){{100.0f, 0.5f, 100.0f}}, NULL));
    } else {
        physics_triangle_floor(world, material, 100.0f, 40);
    }
}

// Without friction at 50 m/s: after a second a body is 50 m away, to the millimetre or so, and none was
// stopped by a sweep.
static void test_bodies_that_slide_fast_over_a_floor_are_not_held_up_within_2_mm(void **state)
{
    (void)state;
    sn_shape_def smooth = physics_material(0.0f, 0.0f);
    for (int floor = 0; floor < 3; ++floor) {
        for (int kind = 0; kind < 3; ++kind) {
            sn_world *world = kit_world();
            add_flat_floor(world, floor, smooth);
            sn_pose start = physics_at(-30.0f, kind == 1 ? 0.25f : 0.1f, 0.3f);
            sn_rigid body = kind == 0   ? physics_box(world, smooth, sn_v(0.4f, 0.1f, 0.3f), start)
                            : kind == 1 ? physics_sphere(world, smooth, 0.25f, start)
                                        : physics_capsule(world, smooth, 0.4f, 0.1f, start);
            assert_ok(sn_rigid_linear_velocity_set(world, body, sn_v(50.0f, 0.0f, 0.0f)));
            for (int i = 0; i < 60; ++i) {
                run_steps(world, 1);
                assert_int_equal(sn_world_statistics(world).swept_count, 0);
            }
            assert_near(sn_rigid_position(world, body).x, 20.0f, 2e-3);
            assert_near(sn_rigid_position(world, body).z, 0.3f, 2e-3);
            sn_world_destroy(world);
        }
    }
}

static void test_a_body_in_free_flight_keeps_its_speed(void **state)
{
    (void)state;
    sn_world *world = weightless_world();
    add_wall(world, sn_world_ground(world), BOX_WALL);
    // Along the wall, 5 cm beside it.
    sn_rigid shot = add_shot(world, BALL, physics_at(-0.16f, -50.0f, 0.0f));
    assert_ok(sn_rigid_linear_velocity_set(world, shot, sn_v(0.0f, 100.0f, 0.0f)));
    for (int i = 0; i < 60; ++i) {
        run_steps(world, 1);
        assert_int_equal(sn_world_statistics(world).swept_count, 0);
    }
    assert_vec3_near(sn_rigid_position(world, shot), sn_v(-0.16f, 50.0f, 0.0f), 1e-3);
    sn_world_destroy(world);
}

// Bodies may be joined to what they fly through.
static void test_a_body_is_not_stopped_by_what_it_is_joined_to(void **state)
{
    (void)state;
    sn_world *world = weightless_world();
    add_wall(world, sn_world_ground(world), BOX_WALL);
    sn_rigid shot = add_shot(world, BALL, physics_at(-4.0f, 0.0f, 0.0f));
    sn_distance_def rope = sn_distance_def_default();
    assert_ok(sn_constraint_place_points(world, &rope.common, sn_world_ground(world), shot,
                                         sn_v(0.0f, 0.0f, 0.0f), sn_v(-4.0f, 0.0f, 0.0f)));
    rope.upper = 1000.0f;
    assert_ok(sn_distance_add(world, &rope, NULL));
    assert_ok(sn_rigid_linear_velocity_set(world, shot, sn_v(300.0f, 0.0f, 0.0f)));
    run_steps(world, 5);
    assert_near(sn_rigid_position(world, shot).x, 21.0f, 1e-2);
    sn_world_destroy(world);
}

// --- after the hit -------------------------------------------------------------------------------

// With restitution 1 a ball shot at a wall comes back as fast as it went.
static void test_a_stopped_bullet_bounces_as_it_should_within_1_percent(void **state)
{
    (void)state;
    const float speeds[] = {20.0f, 100.0f, 300.0f};
    for (int i = 0; i < 3; ++i) {
        sn_world *world = weightless_world();
        sn_shape_def bouncy = physics_material(0.0f, 1.0f);
        assert_ok(sn_box_add(world, sn_world_ground(world), &bouncy, (sn_box){{0.005f, 4.0f, 4.0f}}, NULL));
        sn_rigid ball = physics_sphere(world, bouncy, 0.1f, physics_at(-3.07f, 0.0f, 0.0f));
        assert_ok(sn_rigid_linear_velocity_set(world, ball, sn_v(speeds[i], 0.0f, 0.0f)));
        run_steps(world, 3 + (int)(300.0f / speeds[i]));
        assert_near(sn_rigid_linear_velocity(world, ball).x, -speeds[i], 0.01 * (double)speeds[i]);
        sn_world_destroy(world);
    }
}

// After every step of a wild scene each shape lies in the box by which it can be found.
// The rest of its step is lost to it, and so is what gravity would have given it meanwhile.
static void test_a_falling_body_that_is_stopped_gains_no_energy_within_1_in_1000(void **state)
{
    (void)state;
    int stopped = 0;
    for (int i = 0; i < 40; ++i) {
        sn_world *world = kit_world();
        sn_plane floor = {.normal = {0.0f, 1.0f, 0.0f}};
        assert_ok(sn_plane_add(world, sn_world_ground(world), NULL, floor, NULL));
        sn_rigid_def def = sn_rigid_def_default();
        def.position.y = 1.0f + 0.05f * (float)i;
        sn_rigid body;
        assert_ok(sn_rigid_add(world, &def, &body));
        assert_ok(sn_sphere_add(world, body, NULL, (sn_sphere){.radius = 0.02f}, NULL));
        sn_energy start = sn_world_energy(world);
        for (int step = 0; step < 60; ++step) {
            assert_ok(sn_world_step(world, 1.0f / 30.0f));
            sn_energy now = sn_world_energy(world);
            assert_true(now.kinetic + now.potential <= 1.001 * start.potential);
            stopped += sn_world_statistics(world).swept_count;
        }
        sn_world_destroy(world);
    }
    assert_true(stopped > 0);
}

static void test_queries_find_bodies_where_a_blow_has_sent_them(void **state)
{
    (void)state;
    sn_world *world = weightless_world();
    sn_rigid target = add_ball_at(world, 0.1f, 0.0f, 0.0f, 0.0f);
    sn_shape_def heavy = default_material();
    heavy.density = 1.0e6f;
    heavy.restitution = 1.0f;
    sn_rigid hammer = physics_sphere(world, heavy, 0.5f, physics_at(-1.2f, 0.0f, 0.0f));
    assert_ok(sn_rigid_linear_velocity_set(world, hammer, sn_v(50.0f, 0.0f, 0.0f)));
    for (int i = 0; i < 10; ++i) {
        run_steps(world, 1);
        sn_vec3 at = sn_rigid_position(world, target);
        sn_bounds near_it = {sn_sub(at, sn_v(0.01f, 0.01f, 0.01f)), sn_add(at, sn_v(0.01f, 0.01f, 0.01f))};
        sn_shape found[4];
        int count = 0;
        assert_ok(sn_world_overlap_bounds(world, near_it, sn_query_filter_default(), found, 4, &count));
        bool seen = false;
        for (int k = 0; k < count; ++k) {
            seen = seen || same_shape(found[k], first_shape(world, target));
        }
        assert_true(seen);
    }
    // It did fly off.
    assert_true(sn_rigid_linear_velocity(world, target).x > 80.0f);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_no_shot_passes_a_thin_static_wall_of_any_type),
        test_with_memory(test_no_shot_passes_a_thin_kinematic_wall),
        test_with_memory(test_a_bullet_does_not_pass_a_dynamic_plate_and_pushes_it),
        test_with_memory(test_a_bullet_hits_a_plate_that_itself_moves),
        test_with_memory(test_with_continuous_off_nothing_is_swept),
        test_with_memory(test_bodies_that_slide_fast_over_a_floor_are_not_held_up_within_2_mm),
        test_with_memory(test_a_body_in_free_flight_keeps_its_speed),
        test_with_memory(test_a_body_is_not_stopped_by_what_it_is_joined_to),
        test_with_memory(test_a_stopped_bullet_bounces_as_it_should_within_1_percent),
        test_with_memory(test_a_falling_body_that_is_stopped_gains_no_energy_within_1_in_1000),
        test_with_memory(test_queries_find_bodies_where_a_blow_has_sent_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
