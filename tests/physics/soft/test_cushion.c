// Closed surfaces full of air: pressure times area carries what lies on them, and a kept volume stays.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/physics.h"

#include <math.h>
#include <stdlib.h>

static const float radius = 0.3f;

typedef struct cushion {
    sn_world *world;
    sn_mesh *mesh;
    sn_deformable ball;
    sn_rigid plate;
} cushion;

// A ball of cloth on the floor, and a plate over it that goes straight down.
static cushion make_cushion(sn_enclosure enclosure, int cuts, float ball_mass, float plate_mass,
                            float stretch_compliance)
{
    cushion c = {.world = physics_world()};
    physics_floor(c.world, physics_material(0.5f, 0.0f));
    must(sn_mesh_sphere_surface(radius, cuts, &c.mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = c.mesh;
    def.mass = ball_mass;
    def.inextensible.on = true;
    def.inextensible.side = SN_HOLD_STRETCH;
    def.inextensible.compliance = stretch_compliance;
    def.inextensible.damping = stretch_compliance > 0.0f ? 0.2f : 0.0f;
    def.enclosure = enclosure;
    def.linear_damping = 0.5f;
    def.pose.position = sn_v(0.0f, radius + 0.006f, 0.0f);
    must(sn_deformable_add(c.world, &def, &c.ball));
    c.plate = physics_lump(c.world, plate_mass, sn_v(1.0f, 1.0f, 1.0f), physics_at(0.0f, 0.66f, 0.0f));
    must(sn_rigid_damping_set(c.world, c.plate, 1.0f, 0.0f)); // else it bounces for long
    sn_shape_def material = physics_material(0.5f, 0.0f);
    must(sn_box_add(c.world, c.plate, &material, (sn_box){{0.5f, 0.04f, 0.5f}}, NULL));
    sn_slider_def slider = sn_slider_def_default();
    must(sn_constraint_place(c.world, &slider.common, sn_world_ground(c.world), c.plate,
                             sn_v(0.0f, 0.66f, 0.0f), sn_v(0.0f, 1.0f, 0.0f)));
    must(sn_slider_add(c.world, &slider, NULL));
    return c;
}

static void destroy_cushion(cushion *c)
{
    sn_mesh_destroy(c->mesh);
    sn_world_destroy(c->world);
}

// --- measures ----------------------------------------------------------------------------------------------

// The mean force of contacts with the plate, and with everything else, upwards on what they carry.
static void contact_forces(const cushion *c, float step, double *plate, double *floor)
{
    static sn_soft_contact contacts[4096];
    int count = sn_deformable_contacts(c->world, c->ball, contacts, 4096);
    for (int i = 0; i < count && i < 4096; ++i) {
        double impulse = (double)(contacts[i].normal_impulse * contacts[i].normal.y) +
                         (double)contacts[i].friction_impulse.y;
        bool on_plate = contacts[i].rigid.index == c->plate.index;
        *(on_plate ? plate : floor) += (on_plate ? -impulse : impulse) / (double)step;
    }
}

// Area of the triangles that lie flat against the plate, within a millimetre. Those at the rim push up with
// half their pressure and pull down with their tension, which by Laplace's law is as much. A triangle is
// about a per cent of it.
static double area_of_contact(const cushion *c)
{
    const sn_node_state *nodes = sn_deformable_nodes(c->world, c->ball);
    const uint32_t *triangles = sn_mesh_triangles(c->mesh);
    float touching = sn_rigid_center(c->world, c->plate).y - 0.04f - 0.5f * 0.01f;
    double area = 0.0;
    for (int t = 0; t < sn_mesh_triangle_count(c->mesh); ++t) {
        sn_vec3 x[3];
        int near = 0;
        for (int k = 0; k < 3; ++k) {
            x[k] = nodes[triangles[3 * t + k]].position;
            near += x[k].y > touching - 1.0e-3f;
        }
        sn_vec3 normal = sn_cross(sn_sub(x[1], x[0]), sn_sub(x[2], x[0]));
        area += near == 3 ? fabs(0.5 * (double)normal.y) : 0.0;
    }
    return area;
}

// --- tests -------------------------------------------------------------------------------------------------

static void test_pressure_times_area_carries_a_plate_within_5_percent(void **state)
{
    (void)state;
    const struct {
        float pressure, mass;
    } cases[] = {{1000.0f, 10.0f}, {2000.0f, 10.0f}, {2000.0f, 20.0f}};
    for (int i = 0; i < 3; ++i) {
        cushion c = make_cushion((sn_enclosure){.pressure = cases[i].pressure, .scale = 1.0f}, 16, 2.0f,
                                 cases[i].mass, 0.0f);
        physics_run(c.world, physics_steps[0], 7.0f);
        double weight = physics_weight(c.world, c.plate), on_plate = 0.0, on_floor = 0.0;
        double area = 0.0;
        const int looks = 60;
        for (int k = 0; k < looks; ++k) {
            must(sn_world_step(c.world, physics_steps[0]));
            area += area_of_contact(&c) / looks;
            contact_forces(&c, physics_steps[0], &on_plate, &on_floor);
        }
        double pressure = (double)cases[i].pressure, mass = (double)cases[i].mass;
        check_relative(pressure * area, weight, 0.05, "%g Pa, %g kg: pressure times area", pressure, mass);
        check_relative(on_plate / looks, weight, 0.005, "%g Pa, %g kg: force on the plate", pressure, mass);
        check_relative(on_floor / looks, weight + 2.0 * physics_gravity, 0.005,
                       "%g Pa, %g kg: force on the floor", pressure, mass);
        destroy_cushion(&c);
    }
}

// The largest stretch of an edge of a pillow of this size, two seconds after it was blown up.
static double stretch_of_pillow(float size, int cells, float mass, float pressure)
{
    sn_world *world = physics_world();
    sn_world_def settings = sn_world_settings(world);
    settings.gravity = sn_v(0.0f, 0.0f, 0.0f);
    must(sn_world_settings_set(world, &settings));
    sn_mesh *mesh = NULL;
    sn_deformable pillow;
    must(sn_mesh_box_surface(sn_v(size, 0.3f * size, size), cells, cells / 3, cells, &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.mass = mass;
    def.inextensible.on = true;
    def.enclosure.pressure = pressure;
    def.linear_damping = 2.0f;
    must(sn_deformable_add(world, &def, &pillow));
    physics_run(world, physics_steps[0], 2.0f);
    sn_statistics statistics = sn_world_statistics(world);
    sn_mesh_destroy(mesh);
    sn_world_destroy(world);
    return (double)statistics.largest_stretch;
}

static void test_covers_take_the_sub_steps_that_their_pressure_asks_for(void **state)
{
    (void)state;
    const struct {
        float size;
        int cells;
        float mass, pressure;
    } cases[] = {{1.0f, 12, 1.0f, 300.0f},  {1.0f, 12, 1.0f, 3000.0f},  {1.0f, 12, 0.1f, 300.0f},
                 {0.1f, 12, 0.01f, 300.0f}, {3.0f, 12, 10.0f, 1000.0f}, {1.0f, 24, 1.0f, 1000.0f}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        double stretch = stretch_of_pillow(cases[i].size, cases[i].cells, cases[i].mass, cases[i].pressure);
        check_below(stretch, (double)SN_STRETCH_LIMIT, "a pillow of %g m, %d cells, %g kg, %g Pa",
                    (double)cases[i].size, cases[i].cells, (double)cases[i].mass, (double)cases[i].pressure);
    }
}

static void test_a_kept_volume_stays_within_1_percent_under_load(void **state)
{
    (void)state;
    for (float mass = 2.0f; mass < 30.0f; mass *= 10.0f) {
        cushion c = make_cushion((sn_enclosure){.preserve = true, .scale = 1.0f}, 10, 0.5f, mass, 0.0f);
        double worst = 0.0;
        for (int k = 0; k < 300; ++k) {
            must(sn_world_step(c.world, physics_steps[0]));
            sn_deformable_measure now = sn_deformable_measure_now(c.world, c.ball);
            worst = fmax(worst, fabs((double)(now.volume / now.rest_volume) - 1.0));
        }
        sn_deformable_measure now = sn_deformable_measure_now(c.world, c.ball);
        check_below(worst, 0.01, "%g kg: change of volume at worst", (double)mass);
        check_relative((double)now.volume, (double)now.rest_volume, 0.002, "%g kg: volume", (double)mass);
        check_above((double)sn_rigid_center(c.world, c.plate).y, 0.25, "%g kg: height", (double)mass);
        check_true(sn_deformable_frozen_count(c.world, c.ball) == 0, "nothing is frozen");
        destroy_cushion(&c);
    }
}

// A ball of full volume cannot be squeezed but by stretching its cover.
static void test_a_load_on_a_kept_volume_does_not_stretch_its_cover(void **state)
{
    (void)state;
    const struct {
        int cuts;
        float ball_mass, plate_mass;
    } cases[] = {
        {10, 0.5f, 2.0f}, {10, 0.5f, 20.0f}, {10, 5.0f, 100.0f}, {6, 0.5f, 20.0f}, {16, 0.5f, 10.0f}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        cushion c = make_cushion((sn_enclosure){.preserve = true, .scale = 1.0f}, cases[i].cuts,
                                 cases[i].ball_mass, cases[i].plate_mass, 0.0f);
        physics_run(c.world, physics_steps[0], 3.0f);
        sn_statistics statistics = sn_world_statistics(c.world);
        check_below((double)statistics.largest_stretch, (double)SN_STRETCH_LIMIT, "%g kg on %g kg, %d cuts",
                    (double)cases[i].plate_mass, (double)cases[i].ball_mass, cases[i].cuts);
        destroy_cushion(&c);
    }
}

// A load or a pressure that no sub-steps of this length could hold squashes it, or does not blow it up: it
// does not explode.
static void test_what_is_too_much_for_a_cushion_does_not_make_it_explode(void **state)
{
    (void)state;
    const sn_enclosure cases[] = {{.pressure = 1.0e6f, .scale = 1.0f}, {.preserve = true, .scale = 1.0f}};
    for (int i = 0; i < 2; ++i) {
        cushion c = make_cushion(cases[i], 10, 0.5f, 200.0f, 0.0f);
        double widest = 0.0;
        for (int k = 0; k < 300; ++k) {
            must(sn_world_step(c.world, physics_steps[0]));
            sn_bounds bounds = sn_deformable_measure_now(c.world, c.ball).bounds;
            widest = fmax(widest, (double)sn_length(sn_sub(bounds.upper, bounds.lower)));
        }
        check_below(widest, 20.0 * (double)radius, "size");
        check_true(sn_deformable_frozen_count(c.world, c.ball) == 0, "nothing is frozen");
        destroy_cushion(&c);
    }
}

// A rubber ball: the harder the load, the lower the plate; without load it is round again.
static void test_a_rubber_cushion_gives_way_and_comes_back(void **state)
{
    (void)state;
    cushion c = make_cushion((sn_enclosure){.preserve = true, .scale = 1.1f}, 10, 0.5f, 10.0f, 2.0e-4f);
    double heights[3];
    const float pulls[] = {0.0f, -200.0f, 120.0f}; // on top of its weight; the last lifts it off
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 240; ++k) {
            must(sn_rigid_force_add(c.world, c.plate, sn_v(0.0f, pulls[i], 0.0f)));
            must(sn_world_step(c.world, physics_steps[0]));
        }
        sn_bounds bounds = sn_deformable_measure_now(c.world, c.ball).bounds;
        heights[i] = (double)(bounds.upper.y - bounds.lower.y);
    }
    check_below(heights[1], heights[0] - 0.01, "height under more load");
    check_relative(heights[2], 2.0 * (double)radius * cbrt(1.1), 0.04, "height without load");
    destroy_cushion(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_pressure_times_area_carries_a_plate_within_5_percent),
        physics_test(test_covers_take_the_sub_steps_that_their_pressure_asks_for),
        physics_test(test_a_kept_volume_stays_within_1_percent_under_load),
        physics_test(test_a_load_on_a_kept_volume_does_not_stretch_its_cover),
        physics_test(test_what_is_too_much_for_a_cushion_does_not_make_it_explode),
        physics_test(test_a_rubber_cushion_gives_way_and_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
