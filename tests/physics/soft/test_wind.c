// Wind on deformables: drag ½ρ C A v² along the wind and lift across it, ρ = 1.2 kg/m³.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/physics.h"

#include <math.h>

static const double air_density = 1.2;

static sn_deformable add(sn_world *world, sn_mesh *mesh, sn_deformable_def *def)
{
    sn_deformable deformable;
    def->mesh = mesh;
    def->inextensible.on = true;
    must(sn_deformable_add(world, def, &deformable));
    sn_mesh_destroy(mesh);
    return deformable;
}

static sn_world *windy_world(sn_vec3 wind)
{
    sn_world *world = physics_world_without_gravity();
    must(sn_world_wind_set(world, wind));
    return world;
}

static sn_vec3 acceleration(sn_world *world, sn_deformable deformable)
{
    const float step = 1.0e-4f; // short enough for the force of the start
    sn_vec3 before = sn_deformable_measure_now(world, deformable).velocity;
    must(sn_world_step(world, step));
    sn_vec3 change = sn_sub(sn_deformable_measure_now(world, deformable).velocity, before);
    return sn_scale(change, 1.0f / step);
}

// --- falling -----------------------------------------------------------------------------------------------

static void test_a_flat_sheet_falls_at_its_terminal_speed_within_1_percent(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_mesh *mesh = NULL;
        sn_deformable_def def = sn_deformable_def_default();
        must(sn_mesh_grid(2.0f, 1.0f, 8, 4, SN_GRID_ALTERNATING, &mesh));
        def.density = 0.3f;
        def.drag = 1.1f;
        def.pose.rotation = sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), -0.5f * SN_PI);
        sn_deformable sheet = add(world, mesh, &def);
        physics_run(world, physics_steps[s], 3.0f);
        double expected = sqrt(2.0 * 0.3 * physics_gravity / (air_density * 1.1));
        check_relative(-(double)sn_deformable_measure_now(world, sheet).velocity.y, expected, 0.01, "speed");
        sn_world_destroy(world);
    }
}

static void test_a_level_strand_falls_at_its_terminal_speed_within_1_percent(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_mesh *mesh = NULL;
        sn_deformable_def def = sn_deformable_def_default();
        must(sn_mesh_line(2.0f, 10, &mesh));
        def.density = 0.02f;
        def.thickness = 0.005f;
        def.drag = 1.2f;
        sn_deformable strand = add(world, mesh, &def);
        // An end node has half an edge and half the mass, so all fall alike; for longer, and it would fold.
        physics_run(world, physics_steps[s], 3.0f);
        double expected = sqrt(2.0 * 0.02 * physics_gravity / (air_density * 1.2 * 0.005));
        check_relative(-(double)sn_deformable_measure_now(world, strand).velocity.y, expected, 0.01, "speed");
        sn_world_destroy(world);
    }
}

// --- pushing -----------------------------------------------------------------------------------------------

static void test_a_tilted_sheet_is_pushed_along_and_across_the_wind(void **state)
{
    (void)state;
    const float angle = 0.4f; // between its normal and the wind
    sn_world *world = windy_world(sn_v(10.0f, 0.0f, 0.0f));
    sn_mesh *mesh = NULL;
    sn_deformable_def def = sn_deformable_def_default();
    must(sn_mesh_grid(1.0f, 1.0f, 4, 4, SN_GRID_ALTERNATING, &mesh));
    def.density = 0.5f;
    def.drag = 1.0f;
    def.lift = 0.6f;
    // From z, which a sheet faces, towards x, and by the angle towards y.
    def.pose.rotation = sn_quat_multiply(sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), angle),
                                         sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), 0.5f * SN_PI));
    sn_vec3 actual = acceleration(world, add(world, mesh, &def));
    double pressure = 0.5 * air_density * 100.0 / 0.5, c = cos((double)angle), s = sin((double)angle);
    sn_vec3 expected = sn_v((float)(pressure * c), (float)(pressure * 0.6 * c * s), 0.0f);
    check_vector(actual, expected, 0.003, "acceleration");
    sn_world_destroy(world);
}

static void test_a_sheet_is_met_from_both_sides_alike_and_not_edge_on(void **state)
{
    (void)state;
    const sn_vec3 winds[] = {{0.0f, 0.0f, 5.0f}, {0.0f, 0.0f, -5.0f}, {5.0f, 0.0f, 0.0f}};
    for (int i = 0; i < 3; ++i) {
        sn_world *world = windy_world(winds[i]);
        sn_mesh *mesh = NULL;
        sn_deformable_def def = sn_deformable_def_default();
        must(sn_mesh_grid(1.0f, 1.0f, 4, 4, SN_GRID_CROSSED, &mesh));
        def.density = 1.0f;
        def.drag = def.lift = 1.0f;
        sn_vec3 actual = acceleration(world, add(world, mesh, &def));
        float expected = (float)(0.5 * air_density * 5.0) * winds[i].z;
        check_near((double)actual.z, (double)expected, 0.02, "acceleration");
        check_near((double)sn_length(sn_v(actual.x, actual.y, 0.0f)), 0.0, 0.01, "sideways");
        sn_world_destroy(world);
    }
}

// Only its windward half counts: the drag of a ball is ½ρ C πR² v².
static void test_a_ball_has_the_drag_of_its_cross_section_inside_out_or_not(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; ++kind) {
        sn_world *world = windy_world(sn_v(3.0f, 4.0f, 0.0f));
        sn_mesh *mesh = NULL;
        sn_deformable_def def = sn_deformable_def_default();
        must(kind == 0 ? sn_mesh_sphere(0.5f, 6, &mesh) : sn_mesh_sphere_surface(0.5f, 12, &mesh));
        if (kind == 2) {
            uint32_t turned[20 * 12 * 12 * 3];
            sn_mesh_def again = sn_mesh_def_default();
            again.nodes = sn_mesh_nodes(mesh);
            again.node_count = sn_mesh_node_count(mesh);
            again.triangles = turned;
            again.triangle_count = sn_mesh_triangle_count(mesh);
            for (int i = 0; i < 3 * again.triangle_count; ++i) {
                turned[i] = sn_mesh_triangles(mesh)[i - i % 3 + 2 - i % 3];
            }
            sn_mesh *inside_out = NULL;
            must(sn_mesh_create(&again, &inside_out));
            sn_mesh_destroy(mesh);
            mesh = inside_out;
        }
        def.mass = 2.0f;
        def.drag = 0.5f;
        sn_vec3 actual = acceleration(world, add(world, mesh, &def));
        float force = (float)(0.5 * air_density * 0.5 * 3.14159265 * 0.25 * 5.0);
        check_vector(actual, sn_scale(sn_v(3.0f, 4.0f, 0.0f), 0.5f * force), 0.03, "acceleration");
        sn_world_destroy(world);
    }
}

// --- robustness --------------------------------------------------------------------------------------------

// Cloth as light as foil, in a hurricane with a coefficient beyond reason: it goes with the wind, no faster.
static void test_the_lightest_cloth_does_not_outrun_the_strongest_wind(void **state)
{
    (void)state;
    sn_world *world = windy_world(sn_v(0.0f, 0.0f, 100.0f));
    sn_mesh *mesh = NULL;
    sn_deformable_def def = sn_deformable_def_default();
    must(sn_mesh_grid(1.0f, 1.0f, 10, 10, SN_GRID_ALTERNATING, &mesh));
    def.density = 0.001f;
    def.drag = 100.0f;
    sn_deformable sheet = add(world, mesh, &def);
    double fastest = 0.0, largest = 0.0;
    for (int i = 0; i < 60; ++i) {
        must(sn_world_step(world, 1.0f / 60.0f));
        sn_deformable_measure now = sn_deformable_measure_now(world, sheet);
        fastest = fmax(fastest, (double)sn_length(now.velocity));
        largest = fmax(largest, (double)now.largest_stretch);
    }
    check_below(fastest, 100.1, "largest speed");
    check_below(largest, 0.02, "largest stretch");
    check_relative((double)sn_deformable_measure_now(world, sheet).velocity.z, 100.0, 0.01,
                   "speed in the end");
    sn_world_destroy(world);
}

// A flag on a pole, six metres of wind: it streams out, flutters, and stays one.
static void test_a_flag_streams_out_in_the_wind_and_flutters(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    must(sn_world_wind_set(world, sn_v(6.0f, 0.0f, 0.3f)));
    sn_mesh *mesh = NULL;
    sn_deformable_def def = sn_deformable_def_default();
    must(sn_mesh_grid(1.5f, 1.0f, 24, 16, SN_GRID_ALTERNATING, &mesh));
    def.density = 0.12f;
    def.drag = 0.6f;
    def.lift = 1.0f;
    def.bending = (sn_bending){SN_BENDING_ISOMETRIC, 1.0e-5f, 0.01f, INFINITY};
    sn_deformable flag = add(world, mesh, &def);
    for (int row = 0; row <= 16; ++row) {
        must(sn_node_fix(world, flag, row * 25, true));
    }
    double reach = 0.0, largest = 0.0, motion = 0.0;
    for (int i = 0; i < 360; ++i) {
        must(sn_world_step(world, 1.0f / 60.0f));
        sn_deformable_measure now = sn_deformable_measure_now(world, flag);
        largest = fmax(largest, (double)now.largest_stretch);
        if (i >= 120) {
            reach += (double)now.center.x / 240.0;
            motion += (double)sn_length(now.velocity) / 240.0;
        }
    }
    check_above(reach, -0.4, "how far out its middle is"); // hanging down it would be at -0.75
    check_above(motion, 0.05, "how fast it flutters");
    check_below(largest, 0.15, "stretch");
    check_true(sn_deformable_frozen_count(world, flag) == 0, "nothing is frozen");
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_flat_sheet_falls_at_its_terminal_speed_within_1_percent),
        physics_test(test_a_level_strand_falls_at_its_terminal_speed_within_1_percent),
        physics_test(test_a_tilted_sheet_is_pushed_along_and_across_the_wind),
        physics_test(test_a_sheet_is_met_from_both_sides_alike_and_not_edge_on),
        physics_test(test_a_ball_has_the_drag_of_its_cross_section_inside_out_or_not),
        physics_test(test_the_lightest_cloth_does_not_outrun_the_strongest_wind),
        physics_test(test_a_flag_streams_out_in_the_wind_and_flutters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
