// Whole machines of cloth, air and bodies: a hammock under a box a thousand times heavier than its nodes, a
// curtain between two rods on a trolley, a tyre on a driven wheel, a belt over a drum, a towel on a rail.
// They hold together, carry what they should, and let go what they should.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/physics.h"

#include <math.h>

static const float step = 1.0f / 60.0f;

static void anchor_node(sn_world *world, sn_deformable deformable, int node, sn_rigid rigid)
{
    sn_anchor_def def = sn_anchor_def_default();
    def.a = sn_point_node(deformable, node);
    def.b = sn_point_on_rigid(world, rigid, sn_deformable_nodes(world, deformable)[node].position);
    must(sn_anchor_add(world, &def, NULL));
}

static double worst_anchor(const sn_world *world)
{
    static sn_anchor anchors[1024];
    double worst = 0.0;
    int count = sn_world_anchors(world, anchors, 1024);
    for (int i = 0; i < count && i < 1024; ++i) {
        worst = fmax(worst, (double)sn_anchor_error(world, anchors[i]));
    }
    return worst;
}

// --- hammock -----------------------------------------------------------------------------------------------

// The mean upward force of a deformable's contacts on one body over some steps.
static double carried(sn_world *world, sn_deformable deformable, sn_rigid rigid, int steps)
{
    static sn_soft_contact contacts[4096];
    double sum = 0.0;
    for (int k = 0; k < steps; ++k) {
        must(sn_world_step(world, step));
        int count = sn_deformable_contacts(world, deformable, contacts, 4096);
        for (int i = 0; i < count && i < 4096; ++i) {
            if (contacts[i].rigid.index == rigid.index) {
                sum -= (double)(contacts[i].normal_impulse * contacts[i].normal.y) +
                       (double)contacts[i].friction_impulse.y;
            }
        }
    }
    return sum / (steps * (double)step);
}

static void test_a_hammock_carries_a_box_a_thousand_times_heavier_than_its_nodes(void **state)
{
    (void)state;
    enum { COLUMNS = 24, ROWS = 12 };
    const float node_mass = 0.01f;
    sn_world *world = physics_world();
    sn_mesh *mesh = NULL;
    must(sn_mesh_grid(2.4f, 1.2f, COLUMNS, ROWS, SN_GRID_ALTERNATING, &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.mass = node_mass * (COLUMNS + 1) * (ROWS + 1);
    def.inextensible.on = true;
    def.pose.rotation = sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), -0.5f * SN_PI);
    sn_deformable hammock;
    must(sn_deformable_add(world, &def, &hammock));
    sn_mesh_destroy(mesh);
    for (int row = 0; row <= ROWS; ++row) {
        must(sn_node_fix(world, hammock, row * (COLUMNS + 1), true));
        must(sn_node_fix(world, hammock, row * (COLUMNS + 1) + COLUMNS, true));
    }
    // The ends come together by 20 cm, so that it hangs.
    for (int i = 1; i <= 60; ++i) {
        for (int row = 0; row <= ROWS; ++row) {
            float x = 1.2f - 0.1f * (float)i / 60.0f, z = 0.6f - 0.1f * (float)row;
            must(sn_node_target_set(world, hammock, row * (COLUMNS + 1), sn_v(-x, 0.0f, z)));
            must(sn_node_target_set(world, hammock, row * (COLUMNS + 1) + COLUMNS, sn_v(x, 0.0f, z)));
        }
        must(sn_world_step(world, step));
    }
    float half = 0.15f, mass = 1000.0f * node_mass, inertia = mass * 2.0f / 3.0f * half * half;
    sn_rigid box = physics_lump(world, mass, sn_v(inertia, inertia, inertia), physics_at(0.05f, 0.1f, 0.02f));
    must(sn_box_add(world, box, NULL, (sn_box){{half, half, half}}, NULL));
    double largest = 0.0;
    for (int i = 0; i < 480; ++i) {
        must(sn_world_step(world, step));
        largest = fmax(largest, (double)sn_deformable_measure_now(world, hammock).largest_stretch);
    }
    check_relative(carried(world, hammock, box, 120), physics_weight(world, box), 0.01, "force on the box");
    check_above((double)sn_rigid_center(world, box).y, -0.8, "height of the box");
    // It swings; at one moment it may be anywhere between rest and its fastest.
    double fastest = 0.0;
    for (int i = 0; i < 60; ++i) {
        must(sn_world_step(world, step));
        fastest = fmax(fastest, (double)sn_length(sn_rigid_linear_velocity(world, box)));
    }
    check_below(fastest, 0.35, "speed of the box");
    check_below(largest, 0.2, "stretch when the box falls in");
    check_below((double)sn_deformable_measure_now(world, hammock).largest_stretch, 0.05, "stretch at rest");
    check_true(sn_deformable_frozen_count(world, hammock) == 0, "nothing is frozen");
    sn_world_destroy(world);
}

// --- curtain -----------------------------------------------------------------------------------------------

// A rod along x.
static sn_rigid add_rod(sn_world *world, float mass, float y)
{
    sn_rigid rod =
        physics_lump(world, mass, sn_v(0.01f * mass, 0.1f * mass, 0.1f * mass), physics_at(0.0f, y, 0.0f));
    sn_capsule capsule = {{-0.5f, 0.0f, 0.0f}, {0.5f, 0.0f, 0.0f}, 0.02f};
    must(sn_capsule_add(world, rod, NULL, capsule, NULL));
    return rod;
}

static void test_a_curtain_between_two_rods_stays_hung_on_a_trolley_that_goes_to_and_fro(void **state)
{
    (void)state;
    enum { COLUMNS = 15, ROWS = 12 };
    sn_world *world = physics_world();
    sn_rigid trolley = physics_lump(world, 10.0f, sn_v(1.0f, 1.0f, 1.0f), physics_at(0.0f, 2.0f, 0.0f));
    sn_rigid upper = add_rod(world, 2.0f, 1.5f), lower = add_rod(world, 1.0f, 0.3f);
    sn_slider_def slider = sn_slider_def_default();
    must(sn_constraint_place(world, &slider.common, sn_world_ground(world), trolley, sn_v(0.0f, 2.0f, 0.0f),
                             sn_v(1.0f, 0.0f, 0.0f)));
    slider.motor = true;
    slider.motor_force = 100.0f;
    sn_constraint drive;
    must(sn_slider_add(world, &slider, &drive));
    sn_fixed_def fixed = sn_fixed_def_default();
    must(sn_constraint_place(world, &fixed.common, trolley, upper, sn_v(0.0f, 1.5f, 0.0f),
                             sn_v(1.0f, 0.0f, 0.0f)));
    must(sn_fixed_add(world, &fixed, NULL));
    sn_mesh *mesh = NULL;
    must(sn_mesh_grid(0.9f, 1.1f, COLUMNS, ROWS, SN_GRID_ALTERNATING, &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.density = 0.2f;
    def.inextensible.on = true;
    def.bending = (sn_bending){SN_BENDING_ISOMETRIC, 1.0e-5f, 0.01f, INFINITY};
    def.drag = 1.0f;
    def.pose.position = sn_v(0.0f, 0.9f, 0.0f);
    sn_deformable curtain;
    must(sn_deformable_add(world, &def, &curtain));
    sn_mesh_destroy(mesh);
    for (int i = 0; i <= COLUMNS; ++i) {
        anchor_node(world, curtain, i, lower);
        anchor_node(world, curtain, ROWS * (COLUMNS + 1) + i, upper);
    }
    double stretch = 0.0, parting = 0.0, lowest = 1.0;
    for (int i = 0; i < 600; ++i) {
        must(sn_slider_motor_set(world, drive, true, i / 60 % 2 == 0 ? 1.5f : -1.5f, 100.0f));
        must(sn_world_step(world, step));
        stretch = fmax(stretch, (double)sn_deformable_measure_now(world, curtain).largest_stretch);
        parting = fmax(parting, worst_anchor(world));
        lowest = fmin(lowest, (double)sn_rigid_center(world, lower).y);
    }
    check_below(parting, 1e-3, "anchors part");
    check_below(stretch, 0.08, "stretch");
    check_above(lowest, 0.25, "height of the lower rod");
    check_true(sn_deformable_frozen_count(world, curtain) == 0, "nothing is frozen");
    sn_world_destroy(world);
}

// --- tyre --------------------------------------------------------------------------------------------------

enum { AROUND = 32, ACROSS = 10 };
static const float wheel_radius = 0.3f, tyre_radius = 0.1f;

// A torus about z; node j of every ring is at the angle 2πj/ACROSS from outside.
static sn_mesh *tyre_mesh(void)
{
    sn_vec3 nodes[AROUND * ACROSS];
    uint32_t triangles[6 * AROUND * ACROSS];
    for (uint32_t i = 0; i < AROUND; ++i) {
        for (uint32_t j = 0; j < ACROSS; ++j) {
            float a = 2.0f * SN_PI * (float)i / AROUND, b = 2.0f * SN_PI * (float)j / ACROSS;
            float r = wheel_radius + tyre_radius * cosf(b);
            nodes[i * ACROSS + j] = sn_v(r * cosf(a), r * sinf(a), tyre_radius * sinf(b));
            uint32_t next_i = (i + 1) % AROUND * ACROSS, next_j = (j + 1) % ACROSS, this_i = i * ACROSS;
            uint32_t *t = triangles + 6 * (i * ACROSS + j);
            t[0] = this_i + j;
            t[1] = t[3] = next_i + j;
            t[2] = t[5] = this_i + next_j;
            t[4] = next_i + next_j;
        }
    }
    sn_mesh_def def = sn_mesh_def_default();
    def.nodes = nodes;
    def.node_count = AROUND * ACROSS;
    def.triangles = triangles;
    def.triangle_count = 2 * AROUND * ACROSS;
    sn_mesh *mesh = NULL;
    must(sn_mesh_create(&def, &mesh));
    return mesh;
}

// The load is on the hub, which is kept upright; the wheel turns about it.
static void test_a_tyre_rolls_a_driven_wheel_without_slipping_and_keeps_its_air(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    physics_floor(world, physics_material(0.8f, 0.0f));
    float height = wheel_radius + tyre_radius + 0.006f;
    sn_rigid hub = physics_lump(world, 5.0f, sn_v(1.0f, 1.0f, 1.0f), physics_at(0.0f, height, 0.0f));
    must(sn_rigid_locks_set(world, hub,
                            SN_LOCK_Z | SN_LOCK_ROTATION_X | SN_LOCK_ROTATION_Y | SN_LOCK_ROTATION_Z));
    sn_rigid wheel = physics_lump(world, 2.0f, sn_v(0.05f, 0.05f, 0.1f), physics_at(0.0f, height, 0.0f));
    sn_hinge_def hinge = sn_hinge_def_default();
    must(sn_constraint_place(world, &hinge.common, hub, wheel, sn_v(0.0f, height, 0.0f),
                             sn_v(0.0f, 0.0f, 1.0f)));
    hinge.motor = true;
    hinge.motor_speed = -4.0f;
    hinge.motor_torque = 5.0f;
    must(sn_hinge_add(world, &hinge, NULL));
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = tyre_mesh();
    def.mass = 2.0f;
    def.friction = 0.8f;
    def.model = sn_model_springs(8000.0f, 2.0f);
    def.enclosure.preserve = true;
    def.enclosure.scale = 1.02f;
    def.pose.position = sn_v(0.0f, height, 0.0f);
    sn_deformable tyre;
    must(sn_deformable_add(world, &def, &tyre));
    sn_mesh_destroy((sn_mesh *)def.mesh);
    for (int i = 0; i < AROUND; ++i) {
        for (int j = ACROSS / 2 - 1; j <= ACROSS / 2 + 1; ++j) {
            anchor_node(world, tyre, i * ACROSS + j, wheel);
        }
    }
    double air = 0.0, parting = 0.0;
    for (int i = 0; i < 360; ++i) {
        must(sn_world_step(world, step));
        sn_deformable_measure now = sn_deformable_measure_now(world, tyre);
        air = fmax(air, fabs((double)(now.volume / (1.02f * now.rest_volume)) - 1.0));
        parting = fmax(parting, worst_anchor(world));
    }
    double speed = (double)sn_rigid_linear_velocity(world, hub).x,
           low = (double)sn_rigid_center(world, hub).y;
    double turning = -(double)sn_rigid_angular_velocity(world, wheel).z;
    check_relative(turning, 4.0, 0.03, "turning of the wheel");
    check_relative(speed, turning * low, 0.06, "speed of the hub");
    check_above(low, 0.3, "height of the hub");
    check_below(air, 0.03, "change of volume");
    check_below(parting, 2e-3, "anchors part");
    check_true(sn_deformable_frozen_count(world, tyre) == 0, "nothing is frozen");
    sn_world_destroy(world);
}

// --- belt --------------------------------------------------------------------------------------------------

enum { BELT_CELLS = 24, BELT_NODES = 2 * (BELT_CELLS + 1) };
static const float belt_cell = 0.125f, belt_node = 0.01f, drum_radius = 0.5f, drum_height = 3.0f;

// Around the upper half of the drum as a polygon whose sides touch it, then straight down.
static void lay_belt(sn_world *world, sn_deformable belt, float half_thickness)
{
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    must(sn_deformable_edit(world, belt, &nodes, &velocities));
    float reach = drum_radius + half_thickness, turn = 2.0f * atanf(0.5f * belt_cell / reach);
    float x = 0.0f, y = drum_height + sqrtf(reach * reach + 0.25f * belt_cell * belt_cell);
    for (int i = 0; i <= BELT_CELLS / 2; ++i) {
        for (int row = 0; row < 2; ++row) {
            float z = 0.1f * (float)row - 0.05f;
            nodes[row * (BELT_CELLS + 1) + BELT_CELLS / 2 + i].position = sn_v(x, y, z);
            nodes[row * (BELT_CELLS + 1) + BELT_CELLS / 2 - i].position = sn_v(-x, y, z);
        }
        float slope = sn_min(((float)i + 0.5f) * turn, 0.5f * SN_PI);
        x += belt_cell * cosf(slope);
        y -= belt_cell * sinf(slope);
    }
}

static sn_rigid hang_on_belt(sn_world *world, sn_deformable belt, int end, float mass)
{
    sn_vec3 place = sn_deformable_nodes(world, belt)[end].position;
    sn_rigid body =
        physics_lump(world, mass, physics_ball_inertia(mass, 0.1f), physics_at(place.x, place.y, 0.0f));
    anchor_node(world, belt, end, body);
    anchor_node(world, belt, end + BELT_CELLS + 1, body);
    return body;
}

// How far the drum's speed is from that of ideal ones, as root of the mean square over the second half of
// 0.6 s. With M all that moves, Δ the difference of the bodies and ρ the belt's mass by length, of which one
// side gains what the other loses, the way is x = (Δ/2ρ) (cosh kt − 1), k² = 2ρg/M.
static double drum_unevenness(float ratio, float drum_mass, float duration)
{
    sn_world *world = physics_world();
    sn_vec3 inertia = sn_scale(sn_v(0.25f, 0.25f, 0.5f), drum_mass * drum_radius * drum_radius);
    sn_rigid drum = physics_lump(world, drum_mass, inertia, physics_at(0.0f, drum_height, 0.0f));
    sn_capsule capsule = {{0.0f, 0.0f, -0.2f}, {0.0f, 0.0f, 0.2f}, drum_radius};
    sn_shape_def material = physics_material(0.5f, 0.0f);
    must(sn_capsule_add(world, drum, &material, capsule, NULL));
    must(sn_rigid_mass_set(
        world, drum,
        &(sn_mass){.mass = drum_mass, .inertia = sn_mat3_diagonal(inertia.x, inertia.y, inertia.z)}));
    sn_hinge_def axle = sn_hinge_def_default();
    must(sn_constraint_place(world, &axle.common, sn_world_ground(world), drum, sn_v(0.0f, drum_height, 0.0f),
                             sn_v(0.0f, 0.0f, 1.0f)));
    must(sn_hinge_add(world, &axle, NULL));
    sn_deformable_def def = sn_deformable_def_default();
    sn_mesh *mesh = NULL;
    must(sn_mesh_grid(belt_cell * BELT_CELLS, 0.1f, BELT_CELLS, 1, SN_GRID_ALTERNATING, &mesh));
    def.mesh = mesh;
    def.mass = belt_node * BELT_NODES;
    def.thickness = 0.01f;
    def.inextensible.on = true;
    sn_deformable belt;
    must(sn_deformable_add(world, &def, &belt));
    sn_mesh_destroy(mesh);
    lay_belt(world, belt, 0.5f * def.thickness);
    double light = (double)(ratio * belt_node), heavy = 1.5 * light;
    hang_on_belt(world, belt, 0, (float)light);
    hang_on_belt(world, belt, BELT_CELLS, (float)heavy);
    double reach = (double)drum_radius + 0.005, density = (double)(belt_node * BELT_NODES) / 3.0;
    double turning = 0.5 * (double)(drum_mass * drum_radius * drum_radius) / (reach * reach);
    double rate = sqrt(2.0 * density * 9.81 / (light + heavy + 3.0 * density + turning)), squares = 0.0;
    int count = 0;
    for (double time = 0.0; time < 0.6;) {
        must(sn_world_step(world, duration));
        time += (double)duration;
        double ideal = (heavy - light) / (2.0 * density) * rate * sinh(rate * time) / reach;
        double part = fabs((double)sn_rigid_angular_velocity(world, drum).z) / ideal;
        squares += time > 0.3 ? (part - 1.0) * (part - 1.0) : 0.0;
        count += time > 0.3 ? 1 : 0;
    }
    sn_world_destroy(world);
    return sqrt(squares / count);
}

// Nodes that it carries around do not fly off along the tangent in each step, to be pulled back in the next.
static void test_a_belt_turns_its_drum_evenly_under_any_load(void **state)
{
    (void)state;
    const float ratios[] = {100.0f, 1000.0f, 10000.0f}, drums[] = {1.0f, 10.0f}, steps[] = {0.01f, 0.02f};
    for (int i = 0; i < 12; ++i) {
        float ratio = ratios[i % 3], drum = drums[i / 3 % 2], duration = steps[i / 6];
        check_below(drum_unevenness(ratio, drum, duration), 0.02, "bodies of %g nodes, drum of %g kg, %g s",
                    (double)ratio, (double)drum, (double)duration);
    }
}

// --- towel -------------------------------------------------------------------------------------------------

// How high the highest node of a towel is after two seconds that lay across a thin rail, 2 m above the
// ground, with a rod of five times its mass at one hem.
static double towel_height(float rail_radius)
{
    enum { COLUMNS = 40, ROWS = 20 };
    sn_world *world = physics_world();
    sn_capsule rail = {{0.0f, 2.0f, -0.6f}, {0.0f, 2.0f, 0.6f}, rail_radius};
    sn_shape_def material = physics_material(0.1f, 0.0f);
    must(sn_capsule_add(world, sn_world_ground(world), &material, rail, NULL));
    sn_deformable_def def = sn_deformable_def_default();
    sn_mesh *mesh = NULL;
    must(sn_mesh_grid(1.2f, 0.6f, COLUMNS, ROWS, SN_GRID_ALTERNATING, &mesh));
    def.mesh = mesh;
    def.mass = 0.4f;
    def.pose = (sn_pose){sn_v(0.0f, 2.03f + rail_radius, 0.0f),
                         sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), -0.5f * SN_PI)};
    def.inextensible.on = true;
    def.friction = 0.1f;
    def.self_collide = true;
    sn_deformable towel;
    must(sn_deformable_add(world, &def, &towel));
    sn_mesh_destroy(mesh);
    sn_rigid rod = physics_lump(world, 2.0f, physics_ball_inertia(2.0f, 0.2f), physics_at(0.6f, 1.95f, 0.0f));
    for (int row = 0; row <= ROWS; ++row) {
        anchor_node(world, towel, row * (COLUMNS + 1) + COLUMNS, rod);
    }
    physics_run(world, step, 2.0f);
    const sn_node_state *nodes = sn_deformable_nodes(world, towel);
    double highest = -(double)INFINITY;
    for (int i = 0; i < (COLUMNS + 1) * (ROWS + 1); ++i) {
        highest = fmax(highest, (double)nodes[i].position.y);
    }
    sn_world_destroy(world);
    return highest;
}

// Friction of 0.1 holds e^(0.1 π) times what pulls at the other side: it must slide off.
static void test_a_weighted_towel_slides_off_a_thin_rail(void **state)
{
    (void)state;
    check_below(towel_height(0.02f), 1.5, "rail of 2 cm");
    check_below(towel_height(0.045f), 1.5, "rail of 4.5 cm");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_hammock_carries_a_box_a_thousand_times_heavier_than_its_nodes),
        physics_test(test_a_curtain_between_two_rods_stays_hung_on_a_trolley_that_goes_to_and_fro),
        physics_test(test_a_belt_turns_its_drum_evenly_under_any_load),
        physics_test(test_a_weighted_towel_slides_off_a_thin_rail),
        physics_test(test_a_tyre_rolls_a_driven_wheel_without_slipping_and_keeps_its_air),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
