// Triangle surfaces in the world: a flat floor is flat however it is cut into triangles; rims, sides and
// motion of surfaces count.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/contact_pieces.h"
#include "support/world_kit.h"

// --- sliding and rolling -------------------------------------------------------------------------

typedef enum { BOX, CYLINDER, SPHERE, CAPSULE, COMPOUND, TRAVELLERS } traveller;

static float height_of(traveller kind)
{
    const float heights[] = {0.2f, 0.2f, 0.3f, 0.2f, 0.2f};
    return heights[kind];
}

static sn_rigid add_traveller(sn_world *world, traveller kind, sn_shape_def material, sn_pose pose)
{
    if (kind == BOX) {
        return physics_box(world, material, sn_v(0.4f, 0.2f, 0.3f), pose);
    }
    if (kind == CYLINDER) {
        return physics_cylinder(world, material, 0.35f, 0.4f, pose);
    }
    if (kind == SPHERE) {
        return physics_sphere(world, material, 0.3f, pose);
    }
    if (kind == CAPSULE) {
        return physics_capsule(world, material, 0.3f, 0.2f, pose);
    }
    const sn_solid parts[2] = {
        {.type = SN_BOX, .pose = pose_at(-0.3f, 0.0f, 0.0f), .box = {{0.2f, 0.2f, 0.3f}}},
        {.type = SN_SPHERE, .pose = pose_at(0.3f, 0.0f, 0.0f), .sphere = {.radius = 0.2f}}};
    sn_rigid_def def = sn_rigid_def_default();
    def.position = pose.position;
    def.rotation = pose.rotation;
    sn_rigid body;
    sn_compound *compound;
    assert_ok(sn_rigid_add(world, &def, &body));
    assert_ok(sn_compound_create(parts, 2, &compound));
    assert_ok(sn_compound_add(world, body, &material, compound, NULL));
    sn_compound_destroy(compound);
    return body;
}

static void add_random_floor(sn_world *world, sn_shape_def material, int cells, uint64_t seed)
{
    test_random random = {seed};
    sn_surface *surface = flat_square(10.0f, cells, &random);
    assert_ok(sn_surface_add(world, sn_world_ground(world), &material, surface, NULL));
    sn_surface_destroy(surface);
}

// Across the floor in a direction that is no triangle's: neither up nor down by more than 1 mm/s, ever, and
// it stays on its way.
static void travel(traveller kind, int cells, uint64_t seed)
{
    sn_world *world = kit_world();
    sn_shape_def material = physics_material(kind == SPHERE ? 0.5f : 0.1f, 0.0f);
    add_random_floor(world, material, cells, seed);
    sn_pose start = pose_turned(-5.0f, height_of(kind), -2.0f, sn_v(0.0f, 1.0f, 0.0f), 0.3f * (float)seed);
    sn_rigid body = add_traveller(world, kind, material, start);
    sn_vec3 way = sn_normalize(sn_v(1.0f, 0.0f, 0.37f));
    assert_ok(sn_rigid_linear_velocity_set(world, body, sn_scale(way, 5.0f)));
    if (kind == SPHERE) {
        // Rolling: ω × r = v.
        sn_vec3 spin = sn_scale(sn_cross(sn_v(0.0f, 1.0f, 0.0f), way), 5.0f / 0.3f);
        assert_ok(sn_rigid_angular_velocity_set(world, body, spin));
    }
    for (int i = 0; i < 90; ++i) {
        run_steps(world, 1);
        assert_true(sn_abs(sn_rigid_linear_velocity(world, body).y) < 1e-3f);
        assert_near(sn_rigid_position(world, body).y, height_of(kind), 1e-3);
    }
    sn_vec3 gone = sn_sub(sn_rigid_position(world, body), start.position);
    float along = sn_dot(gone, way);
    assert_true(along > 4.0f);
    if (kind != CAPSULE) { // which rolls off sideways as it turns
        assert_near(sn_length(sn_add_scaled(gone, -along, way)), 0.0f, 0.02 * (double)along);
    }
    sn_world_destroy(world);
}

static void test_a_box_slides_over_any_flat_triangulation_without_a_bump(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; ++seed) {
        travel(BOX, 3, seed);
        travel(BOX, 10, seed);
        travel(BOX, 24, seed);
    }
}

static void test_a_sphere_rolls_over_any_flat_triangulation_without_a_bump(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; ++seed) {
        travel(SPHERE, 3, seed);
        travel(SPHERE, 10, seed);
        travel(SPHERE, 24, seed);
    }
}

static void test_cylinders_capsules_and_compounds_slide_without_a_bump(void **state)
{
    (void)state;
    const traveller kinds[] = {CYLINDER, CAPSULE, COMPOUND};
    for (int k = 0; k < 3; ++k) {
        for (uint64_t seed = 1; seed <= 2; ++seed) {
            travel(kinds[k], 3, seed);
            travel(kinds[k], 10, seed);
            travel(kinds[k], 24, seed);
        }
    }
}

// A rolling sphere without resistance keeps its speed over all the seams.
static void test_a_rolling_sphere_loses_no_speed_within_1_per_mille(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_shape_def material = physics_material(0.5f, 0.0f);
    add_random_floor(world, material, 24, 9);
    sn_rigid ball = physics_sphere(world, material, 0.3f, physics_at(-8.0f, 0.3f, 0.2f));
    assert_ok(sn_rigid_linear_velocity_set(world, ball, sn_v(6.0f, 0.0f, 0.0f)));
    assert_ok(sn_rigid_angular_velocity_set(world, ball, sn_v(0.0f, 0.0f, -20.0f)));
    run_steps(world, 120);
    assert_near(sn_rigid_linear_velocity(world, ball).x, 6.0f, 6e-3);
    assert_near(sn_rigid_linear_velocity(world, ball).z, 0.0f, 6e-3);
    sn_world_destroy(world);
}

// --- resting -------------------------------------------------------------------------------------

static void test_everything_rests_and_sleeps_on_a_triangulated_floor(void **state)
{
    (void)state;
    for (int kind = 0; kind < TRAVELLERS; ++kind) {
        for (uint64_t seed = 1; seed <= 3; ++seed) {
            sn_world *world = kit_world();
            sn_shape_def material = default_material();
            material.rolling_resistance = 0.01f;
            add_random_floor(world, material, 24, seed);
            sn_rigid body = add_traveller(world, (traveller)kind, material,
                                          pose_turned(0.1f, height_of((traveller)kind) + 0.05f, 0.2f,
                                                      sn_v(0.0f, 1.0f, 0.0f), (float)seed));
            run_steps(world, 180);
            assert_false(sn_rigid_is_awake(world, body));
            assert_near(sn_rigid_position(world, body).y, height_of((traveller)kind), 2e-3);
            double weight = physics_weight(world, body);
            assert_near(sn_rigid_contact_force(world, body).y, (float)weight, 0.01 * weight);
            sn_world_destroy(world);
        }
    }
}

// --- rims, sides, motion -------------------------------------------------------------------------

// A flat square a metre up, seen from above, or from both sides.
static sn_rigid add_shelf(sn_world *world, sn_rigid_type type, bool double_sided)
{
    const sn_vec3 corners[4] = {{-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1}};
    const uint32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    sn_surface *surface;
    sn_rigid_def def = sn_rigid_def_default();
    def.type = type;
    def.position = sn_v(0.0f, 1.0f, 0.0f);
    sn_rigid shelf;
    assert_ok(sn_rigid_add(world, &def, &shelf));
    assert_ok(sn_surface_create(corners, 4, triangles, 2, double_sided, &surface));
    assert_ok(sn_surface_add(world, shelf, NULL, surface, NULL));
    sn_surface_destroy(surface);
    return shelf;
}

static void test_a_one_sided_surface_lets_through_from_behind_and_a_double_sided_one_does_not(void **state)
{
    (void)state;
    for (int both = 0; both < 2; ++both) {
        sn_world *world = kit_world();
        (void)add_shelf(world, SN_STATIC, both);
        sn_rigid below = add_ball_at(world, 0.2f, 0.3f, 0.3f, 0.3f);
        sn_rigid above = add_ball_at(world, 0.2f, -0.3f, 1.7f, -0.3f);
        assert_ok(sn_rigid_linear_velocity_set(world, below, sn_v(0.0f, 8.0f, 0.0f)));
        float highest = 0.0f;
        for (int i = 0; i < 60; ++i) {
            run_steps(world, 1);
            highest = sn_max(highest, sn_rigid_position(world, below).y);
        }
        assert_true(both ? highest < 0.81f : highest > 2.0f);
        assert_near(sn_rigid_position(world, above).y, 1.2f, 5e-3);
        sn_world_destroy(world);
    }
}

static void test_a_box_slides_over_the_rim_and_falls_off(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    (void)add_shelf(world, SN_STATIC, false);
    sn_rigid box = physics_box(world, physics_material(0.0f, 0.0f), sn_v(0.2f, 0.2f, 0.2f),
                               physics_at(0.0f, 1.2f, 0.0f));
    assert_ok(sn_rigid_linear_velocity_set(world, box, sn_v(2.0f, 0.0f, 0.0f)));
    run_steps(world, 20);
    assert_near(sn_rigid_position(world, box).y, 1.2f, 1e-3);
    run_steps(world, 60);
    assert_true(sn_rigid_position(world, box).y < 0.0f);
    sn_world_destroy(world);
}

static void test_a_kinematic_surface_carries_what_lies_on_it(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid shelf = add_shelf(world, SN_KINEMATIC, false);
    sn_rigid box = add_box_at(world, 0.2f, 0.0f, 1.2f, 0.0f);
    run_steps(world, 30);
    for (int i = 1; i <= 60; ++i) {
        float time = (float)i * frame;
        assert_ok(sn_rigid_target_set(world, shelf, physics_at(time * time, 1.0f + 0.5f * time, 0.0f)));
        run_steps(world, 1);
        assert_near(sn_rigid_position(world, box).y, 1.2f + 0.5f * time, 5e-3);
    }
    assert_near(sn_rigid_position(world, box).x, 1.0f, 0.02);
    sn_world_destroy(world);
}

// A real step in the floor, 0.1 m high, stops what slides against it.
static void test_a_real_ledge_stops_a_box(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    const sn_vec3 corners[8] = {{-5, 0, -5},   {-5, 0, 5},   {0, 0, 5},    {0, 0, -5},
                                {0, 0.1f, -5}, {0, 0.1f, 5}, {5, 0.1f, 5}, {5, 0.1f, -5}};
    const uint32_t triangles[18] = {0, 1, 2, 0, 2, 3, 3, 2, 5, 3, 5, 4, 4, 5, 6, 4, 6, 7};
    sn_surface *surface;
    assert_ok(sn_surface_create(corners, 8, triangles, 6, false, &surface));
    sn_shape_def smooth = physics_material(0.0f, 0.0f);
    assert_ok(sn_surface_add(world, sn_world_ground(world), &smooth, surface, NULL));
    sn_surface_destroy(surface);
    sn_rigid box = physics_box(world, smooth, sn_v(0.3f, 0.05f, 0.3f), physics_at(-2.0f, 0.05f, 0.0f));
    assert_ok(sn_rigid_linear_velocity_set(world, box, sn_v(2.0f, 0.0f, 0.0f)));
    for (int i = 0; i < 70; ++i) {
        run_steps(world, 1);
        assert_true(sn_rigid_position(world, box).x < -0.299f);
        assert_near(sn_rigid_position(world, box).y, 0.05f, 0.01);
    }
    // It may rebound by a few per cent of its speed.
    assert_near(sn_rigid_linear_velocity(world, box).x, 0.0f, 0.1);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_box_slides_over_any_flat_triangulation_without_a_bump),
        test_with_memory(test_a_sphere_rolls_over_any_flat_triangulation_without_a_bump),
        test_with_memory(test_cylinders_capsules_and_compounds_slide_without_a_bump),
        test_with_memory(test_a_rolling_sphere_loses_no_speed_within_1_per_mille),
        test_with_memory(test_everything_rests_and_sleeps_on_a_triangulated_floor),
        test_with_memory(test_a_one_sided_surface_lets_through_from_behind_and_a_double_sided_one_does_not),
        test_with_memory(test_a_box_slides_over_the_rim_and_falls_off),
        test_with_memory(test_a_kinematic_surface_carries_what_lies_on_it),
        test_with_memory(test_a_real_ledge_stops_a_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
