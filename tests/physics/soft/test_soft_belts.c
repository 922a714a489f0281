// Conveyor belts carry what is soft as they carry boxes: friction brings it up to their speed, and what
// sleeps on one that begins to move wakes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"
#include "support/soft_kit.h"

static const float speed = 2.0f;

// A belt of 40 m whose upper side is at y = 0, turned about y.
static sn_shape make_belt(sn_world *world, float angle)
{
    sn_rigid_def def = sn_rigid_def_default();
    sn_shape_def material = sn_shape_def_default();
    sn_rigid belt;
    sn_shape surface;
    def.type = SN_KINEMATIC;
    def.position = sn_v(0.0f, -0.5f, 0.0f);
    def.rotation = sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), angle);
    material.friction = 0.5f;
    must(sn_rigid_add(world, &def, &belt));
    must(sn_box_add(world, belt, &material, (sn_box){sn_v(20.0f, 0.5f, 2.0f)}, &surface));
    return surface;
}

static sn_deformable make_jelly(sn_world *world)
{
    sn_mesh *mesh = NULL;
    must(sn_mesh_box(sn_v(0.4f, 0.2f, 0.4f), 4, 2, 4, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.11f, 0.0f));
    def.collide = true;
    def.model = sn_model_corotational(1e5f, 0.3f);
    sn_deformable jelly = soft_add(world, &def);
    sn_mesh_destroy(mesh);
    return jelly;
}

static sn_deformable make_cloth(sn_world *world)
{
    sn_mesh *mesh = NULL;
    must(sn_mesh_grid(0.5f, 0.5f, 10, 10, SN_GRID_ALTERNATING, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.01f, 0.0f));
    def.collide = true;
    def.pose.rotation = sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), -0.5f * SN_PI);
    def.inextensible.on = true;
    def.mass = 0.1f;
    sn_deformable cloth = soft_add(world, &def);
    sn_mesh_destroy(mesh);
    return cloth;
}

typedef sn_deformable (*maker)(sn_world *world);
static const maker makers[] = {make_jelly, make_cloth};
static const char *const names[] = {"jelly", "cloth"};

// Mean of the nodes, which have nearly the same masses.
static sn_vec3 velocity_of(const sn_world *world, sn_deformable thing)
{
    int count = sn_deformable_node_count(world, thing);
    sn_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < count; ++i) {
        sum = sn_add(sum, sn_deformable_velocities(world, thing)[i].velocity);
    }
    return sn_scale(sum, 1.0f / (float)count);
}

static void test_a_belt_accelerates_what_is_soft_by_mu_g_up_to_its_speed(void **state)
{
    (void)state;
    for (int solver = 0; solver < 2; ++solver) {
        for (int i = 0; i < 2; ++i) {
            sn_world_def settings = sn_world_def_default();
            settings.solver = solver == 0 ? SN_SOLVER_VELOCITY : SN_SOLVER_POSITION;
            sn_world *world;
            must(sn_world_create(&settings, &world));
            sn_shape belt = make_belt(world, 0.0f);
            sn_deformable thing = makers[i](world);
            physics_run(world, 1.0f / 60.0f, 4.0f);
            check_true(!sn_deformable_is_awake(world, thing), "solver %d, %s sleeps", solver, names[i]);
            must(sn_shape_surface_velocity_set(world, belt, sn_v(speed, 0.0f, 0.0f)));
            physics_run(world, 1.0f / 60.0f, 0.2f);
            check_relative((double)velocity_of(world, thing).x, 0.5 * physics_gravity * 0.2, 0.005,
                           "speed while it slips");
            physics_run(world, 1.0f / 60.0f, 2.0f);
            check_relative((double)velocity_of(world, thing).x, (double)speed, 0.01, "speed of the belt");
            check_near((double)velocity_of(world, thing).z, 0.0, 0.01, "sideways");
            check_true(sn_deformable_is_awake(world, thing), "it is awake");
            sn_world_destroy(world);
        }
    }
}

static void test_a_turned_belt_moves_along_its_own_axes(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        sn_world *world = physics_world();
        sn_shape belt = make_belt(world, 0.5f * SN_PI);
        must(sn_shape_surface_velocity_set(world, belt, sn_v(speed, 0.0f, 0.0f)));
        sn_deformable thing = makers[i](world);
        physics_run(world, 1.0f / 60.0f, 2.0f);
        check_relative((double)-velocity_of(world, thing).z, (double)speed, 0.01, "%s: along the belt",
                       names[i]);
        check_near((double)velocity_of(world, thing).x, 0.0, 0.02, "  across it");
        sn_world_destroy(world);
    }
}

// What moves a hundred times as fast as a belt gives no more than its speed.
static void test_a_belt_of_fifty_metres_a_second_throws_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        sn_world *world = physics_world();
        sn_shape belt = make_belt(world, 0.0f);
        must(sn_shape_surface_velocity_set(world, belt, sn_v(50.0f, 0.0f, 0.0f)));
        sn_deformable thing = makers[i](world);
        double fastest = 0.0;
        for (int k = 0; k < 120; ++k) {
            physics_run(world, 1.0f / 60.0f, 1.0f / 60.0f);
            fastest = fmax(fastest, (double)sn_length(velocity_of(world, thing)));
        }
        check_near(fastest, 0.5 * physics_gravity * 2.0, 0.5, "%s: fastest", names[i]);
        check_near(sn_world_statistics(world).frozen_node_count, 0.0, 0.0, "  frozen");
        sn_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_belt_accelerates_what_is_soft_by_mu_g_up_to_its_speed),
        physics_test(test_a_turned_belt_moves_along_its_own_axes),
        physics_test(test_a_belt_of_fifty_metres_a_second_throws_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
