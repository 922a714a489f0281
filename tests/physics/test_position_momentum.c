// Momenta of free systems under the position solver, whose implicit directions would lose angular momentum.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/position_rig.h"

static void test_a_system_of_all_sorts_keeps_its_momenta(void **state)
{
    (void)state;
    static const int paces[3][2] = {{8, 4}, {16, 1}, {2, 20}};
    for (int i = 0; i < 3; ++i) {
        sn_world_def def = position_def(paces[i][0], paces[i][1]);
        free_drift drift = free_system_drift(&def);
        check_below(drift.linear, 1e-5, "%d sub-steps of %d: momentum", paces[i][0], paces[i][1]);
        check_below(drift.angular, 1e-4, "angular momentum");
        check_below(drift.energy, 1.0, "part of the kinetic energy that is left");
    }
}

// A jelly and a box that fly into each other.
static sn_world *make_collision(void)
{
    sn_world_def def = position_def(8, 4);
    def.gravity = sn_v(0.0f, 0.0f, 0.0f);
    sn_world *world = position_world(&def);
    sn_mesh *mesh = NULL;
    must(sn_mesh_box(sn_v(0.4f, 0.4f, 0.4f), 3, 3, 3, &mesh));
    sn_deformable_def soft = sn_deformable_def_default();
    soft.mesh = mesh;
    soft.model = sn_model_corotational(1.0e5f, 0.3f);
    soft.mass = 10.0f;
    soft.angular_velocity = sn_v(0.0f, 3.0f, 1.0f);
    must(sn_deformable_add(world, &soft, NULL));
    sn_mesh_destroy(mesh);
    sn_rigid box =
        physics_box(world, sn_shape_def_default(), sn_v(0.1f, 0.1f, 0.1f), physics_at(-0.6f, 0.15f, 0.05f));
    must(sn_rigid_linear_velocity_set(world, box, sn_v(2.0f, 0.0f, 0.0f)));
    return world;
}

static void test_what_collides_keeps_its_momenta(void **state)
{
    (void)state;
    static const double none[3] = {0.0, 0.0, 0.0};
    sn_world *world = make_collision();
    sn_energy start = sn_world_energy(world);
    physics_run(world, 1.0f / 60.0f, 1.5f);
    sn_energy end = sn_world_energy(world);
    check_below(free_change(end.momentum, start.momentum) / free_change(start.momentum, none), 1e-5,
                "momentum of a box and a jelly that collide");
    check_below(free_change(end.angular_momentum, start.angular_momentum) /
                    free_change(start.angular_momentum, none),
                1e-4, "their angular momentum");
    check_below(end.kinetic / start.kinetic, 1.0, "what is left of their energy");
    sn_world_destroy(world);
}

// Two boxes that fly past each other and touch, of which nothing else is known.
static void test_bodies_that_only_touch_keep_their_momenta(void **state)
{
    (void)state;
    static const double none[3] = {0.0, 0.0, 0.0};
    sn_world_def def = position_def(8, 4);
    def.gravity = sn_v(0.0f, 0.0f, 0.0f);
    sn_world *world = position_world(&def);
    sn_shape_def material = physics_material(0.5f, 0.0f);
    sn_vec3 half = sn_v(0.1f, 0.1f, 0.1f);
    sn_rigid left = physics_box(world, material, half, physics_at(-0.4f, 0.05f, 0.0f));
    sn_rigid right = physics_box(world, material, half, physics_at(0.0f, -0.05f, 0.03f));
    must(sn_rigid_linear_velocity_set(world, left, sn_v(3.0f, -1.0f, 0.0f)));
    must(sn_rigid_angular_velocity_set(world, right, sn_v(0.0f, 1.0f, 4.0f)));
    sn_energy start = sn_world_energy(world);
    physics_run(world, 1.0f / 60.0f, 1.0f);
    sn_energy end = sn_world_energy(world);
    check_below(free_change(end.momentum, start.momentum) / free_change(start.momentum, none), 1e-5,
                "momentum of two boxes that collide");
    check_below(free_change(end.angular_momentum, start.angular_momentum) /
                    free_change(start.angular_momentum, none),
                1e-4, "their angular momentum");
    check_below(end.kinetic / start.kinetic, 0.999, "what is left of their energy");
    sn_world_destroy(world);
}

// What is held does not count as free: a pendulum turns about where it hangs.
static void test_what_is_held_is_not_turned(void **state)
{
    (void)state;
    sn_world_def def = position_def(8, 4);
    sn_world *world = position_world(&def);
    sn_rigid lump = physics_lump(world, 1.0f, sn_v(0.001f, 0.001f, 0.001f), physics_at(1.0f, 0.0f, 0.0f));
    free_tie(world, sn_point_world(sn_v(0.0f, 0.0f, 0.0f)), sn_point_rigid(lump, sn_v(-1.0f, 0.0f, 0.0f)));
    physics_run(world, 1.0f / 60.0f, 0.5f);
    double energy = physics_energy(world);
    check_below(energy, 1e-3, "energy of a pendulum let go level");
    check_above(energy, -0.02 * 9.81, "and what it lost in half a second");
    sn_world_destroy(world);
}

// A jelly of 30 g that a body of 4 t holds exactly, at a point between two nodes, and draws along.
static void test_what_is_held_between_nodes_keeps_its_shape(void **state)
{
    (void)state;
    sn_world_def def = position_def(40, 4);
    def.gravity = sn_v(0.0f, 0.0f, 0.0f);
    sn_world *world = position_world(&def);
    sn_mesh *mesh = NULL;
    must(sn_mesh_cylinder(0.177f, 0.354f, 1, 3, &mesh));
    sn_deformable_def soft = sn_deformable_def_default();
    soft.mesh = mesh;
    soft.model = sn_model_corotational(6.0e4f, 0.36f);
    soft.mass = 0.03f;
    sn_deformable jelly;
    must(sn_deformable_add(world, &soft, &jelly));
    sn_mesh_destroy(mesh);
    sn_rigid lump = physics_lump(world, 4000.0f, sn_v(25.0f, 36.0f, 48.0f), physics_at(-1.6f, 0.0f, 0.0f));
    must(sn_rigid_linear_velocity_set(world, lump, sn_v(0.4f, 0.05f, -0.06f)));
    sn_vec3 at = sn_v(0.0885f, 0.025f, -0.1533f);
    sn_anchor_def hold = sn_anchor_def_default();
    hold.a = sn_point_on_deformable(world, jelly, at);
    must(sn_point_place(world, &hold.a, &at));
    hold.b = sn_point_on_rigid(world, lump, at);
    hold.exact = true;
    must(sn_anchor_add(world, &hold, NULL));
    double worst = 0.0;
    for (int i = 0; i < 60; ++i) {
        must(sn_world_step(world, 1.0f / 120.0f));
        worst = fmax(worst, (double)sn_deformable_measure_now(world, jelly).largest_stretch);
    }
    check_below(worst, 0.01, "stretch of a jelly that is drawn at 0.4 m/s");
    sn_world_destroy(world);
}

// A jelly that turns with a box which two of its nodes are attached to exactly, and far away, at rest,
// another jelly that is nailed to the world.
static sn_world *make_attached(bool exact, float mass)
{
    sn_world_def def = position_def(8, 4);
    def.gravity = sn_v(0.0f, 0.0f, 0.0f);
    sn_world *world = position_world(&def);
    sn_mesh *mesh = NULL;
    must(sn_mesh_box(sn_v(0.4f, 0.4f, 0.4f), 2, 2, 2, &mesh));
    sn_deformable_def soft = sn_deformable_def_default();
    soft.mesh = mesh;
    soft.model = sn_model_corotational(1.0e5f, 0.3f);
    soft.mass = 10.0f;
    sn_deformable far, jelly;
    soft.pose.position = sn_v(0.0f, 0.0f, 10.0f);
    must(sn_deformable_add(world, &soft, &far));
    soft.pose.position = sn_v(0.0f, 0.0f, 0.0f);
    soft.angular_velocity = sn_v(0.0f, 1.0f, 4.0f);
    must(sn_deformable_add(world, &soft, &jelly));
    sn_mesh_destroy(mesh);
    sn_rigid lump =
        physics_lump(world, mass, sn_scale(sn_v(0.02f, 0.024f, 0.03f), mass), physics_at(-0.6f, 0.0f, 0.0f));
    for (int node = 0; node < 2; ++node) {
        sn_anchor_def hold = sn_anchor_def_default();
        hold.exact = exact;
        hold.a = sn_point_node(jelly, node);
        sn_vec3 at;
        must(sn_point_place(world, &hold.a, &at));
        hold.b = sn_point_on_rigid(world, lump, at);
        must(sn_anchor_add(world, &hold, NULL));
    }
    sn_anchor_def nail = sn_anchor_def_default();
    nail.exact = true;
    nail.a = sn_point_node(far, 0);
    sn_vec3 at;
    must(sn_point_place(world, &nail.a, &at));
    nail.b = sn_point_world(at);
    must(sn_anchor_add(world, &nail, NULL));
    return world;
}

static void test_exact_anchors_keep_momenta(void **state)
{
    (void)state;
    static const double none[3] = {0.0, 0.0, 0.0};
    static const float masses[3] = {0.5f, 5.0f, 50.0f};
    for (int i = 0; i < 6; ++i) {
        bool exact = i % 2 != 0;
        sn_world *world = make_attached(exact, masses[i / 2]);
        sn_energy start = sn_world_energy(world);
        physics_run(world, 1.0f / 60.0f, 1.5f);
        sn_energy end = sn_world_energy(world);
        check_below(free_change(end.momentum, start.momentum) / sqrt(2.0 * start.kinetic * start.mass), 1e-5,
                    "momentum of a jelly with a body of %g kg, anchors %s", (double)masses[i / 2],
                    exact ? "exact" : "as rows");
        check_below(free_change(end.angular_momentum, start.angular_momentum) /
                        free_change(start.angular_momentum, none),
                    1e-4, "angular momentum");
        check_below(end.kinetic / start.kinetic, 1.0, "part of the kinetic energy that is left");
        sn_world_destroy(world);
    }
}

// Its nodes move farther than half a cell in a step, relative to its middle.
static void spinning_sheet(sn_world *world, sn_vec3 position, sn_vec3 velocity)
{
    sn_mesh *mesh = NULL;
    must(sn_mesh_grid(0.4f, 0.4f, 10, 10, SN_GRID_ALTERNATING, &mesh));
    sn_deformable_def soft = sn_deformable_def_default();
    soft.mesh = mesh;
    soft.self_collide = true;
    soft.inextensible.on = true;
    soft.pose.position = position;
    soft.linear_velocity = velocity;
    soft.angular_velocity = sn_v(0.0f, 15.0f, 0.0f);
    must(sn_deformable_add(world, &soft, NULL));
    sn_mesh_destroy(mesh);
}

// Two bodies held together that turn about each other, and far away a sheet that spins so fast that contacts
// are detected again within each step. Returns what is left of the bodies' angular momentum.
static double turning_beside_a_sheet(bool sheet)
{
    sn_world_def def = position_def(8, 4);
    def.gravity = sn_v(0.0f, 0.0f, 0.0f);
    sn_world *world = position_world(&def);
    sn_rigid lumps[2];
    for (int i = 0; i < 2; ++i) {
        float side = i == 0 ? -0.5f : 0.5f;
        lumps[i] = physics_lump(world, 1.0f, sn_v(0.01f, 0.01f, 0.01f), physics_at(side, 0.0f, 0.0f));
        must(sn_rigid_linear_velocity_set(world, lumps[i], sn_v(0.0f, 8.0f * side, 0.0f)));
    }
    sn_point held = sn_point_rigid(lumps[0], sn_v(0.5f, 0.0f, 0.0f));
    free_tie(world, held, sn_point_rigid(lumps[1], sn_v(-0.5f, 0.0f, 0.0f)));
    if (sheet) {
        spinning_sheet(world, sn_v(0.0f, 0.0f, 10.0f), sn_v(0.0f, 0.0f, 0.0f));
    }
    physics_run(world, 1.0f / 60.0f, 1.0f);
    sn_vec3 moment = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < 2; ++i) {
        sn_vec3 spin = sn_scale(sn_rigid_angular_velocity(world, lumps[i]), 0.01f);
        sn_vec3 orbit =
            sn_cross(sn_rigid_position(world, lumps[i]), sn_rigid_linear_velocity(world, lumps[i]));
        moment = sn_add(moment, sn_add(spin, orbit));
    }
    sn_world_destroy(world);
    return (double)moment.z / 4.0;
}

static void test_what_turns_is_not_braked_beside_something_fast(void **state)
{
    (void)state;
    for (int sheet = 0; sheet < 2; ++sheet) {
        check_below(fabs(turning_beside_a_sheet(sheet != 0) - 1.0), 1e-4,
                    "angular momentum of two bodies, %s", sheet ? "a fast sheet elsewhere" : "alone");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {physics_test(test_a_system_of_all_sorts_keeps_its_momenta),
                                       physics_test(test_what_collides_keeps_its_momenta),
                                       physics_test(test_bodies_that_only_touch_keep_their_momenta),
                                       physics_test(test_exact_anchors_keep_momenta),
                                       physics_test(test_what_turns_is_not_braked_beside_something_fast),
                                       physics_test(test_what_is_held_is_not_turned),
                                       physics_test(test_what_is_held_between_nodes_keeps_its_shape)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
