// What lies still is carried: contact forces of deformables add up to weights, soft on hard and hard on soft.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/soft_touch.h"

#include <math.h>

static const float step = 1.0f / 60.0f;

static sn_deformable block_at(sn_world *world, float height)
{
    sn_deformable_def def =
        touch_block_def(sn_v(0.3f, 0.3f, 0.3f), 3, 8.0f, 5.0e4f, physics_at(0.0f, height, 0.0f));
    return touch_add(world, &def);
}

static void check_carried(sn_world *world, sn_deformable thing, sn_vec3 expected, const char *what)
{
    check_vector(touch_mean_force(world, thing, NULL, step, 0.5f), expected, 0.005, "%s", what);
}

static void test_a_soft_block_on_a_plane(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    physics_floor(world, physics_material(0.5f, 0.0f));
    sn_deformable block = block_at(world, 0.2f);
    physics_run(world, step, 4.0f);
    check_carried(world, block, sn_v(0.0f, 8.0f * 9.81f, 0.0f), "force on 8 kg [N]");
    check_near(touch_lowest(world, block), 0.005, 1.0e-4, "height of the lowest node over the plane [m]");
    check_below(touch_rms(world, block), 1.0e-4, "speed at rest [m/s]");
    sn_world_destroy(world);
}

static void test_a_soft_block_on_triangles(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    physics_triangle_floor(world, physics_material(0.5f, 0.0f), 1.0f, 7);
    sn_deformable block = block_at(world, 0.2f);
    physics_run(world, step, 4.0f);
    check_carried(world, block, sn_v(0.0f, 8.0f * 9.81f, 0.0f), "force on 8 kg [N]");
    check_near(touch_lowest(world, block), 0.005, 2.0e-4, "height of the lowest node over the floor [m]");
    sn_world_destroy(world);
}

static void test_a_soft_block_on_a_light_box(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    physics_floor(world, physics_material(0.5f, 0.0f));
    sn_shape_def light = physics_material(0.5f, 0.0f);
    light.density = 50.0f;
    sn_rigid box = physics_box(world, light, sn_v(0.3f, 0.1f, 0.3f), physics_at(0.0f, 0.1f, 0.0f));
    sn_deformable block = block_at(world, 0.4f);
    physics_run(world, step, 4.0f);
    check_carried(world, block, sn_v(0.0f, 8.0f * 9.81f, 0.0f), "force on 8 kg [N]");
    double floor = (double)sn_rigid_contact_force(world, box).y + 8.0 * 9.81;
    check_relative(floor, 8.0 * 9.81 + physics_weight(world, box), 0.005,
                   "what the floor bears: contact forces on the box less that of the block [N]");
    sn_world_destroy(world);
}

// A heavy box with corners and edges on light cells.
static void test_a_hard_box_on_a_soft_block(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    physics_floor(world, physics_material(0.5f, 0.0f));
    sn_deformable block = block_at(world, 0.16f);
    sn_rigid box = physics_box(world, physics_material(0.5f, 0.0f), sn_v(0.1f, 0.05f, 0.1f),
                               physics_at(0.01f, 0.4f, 0.005f));
    physics_run(world, step, 5.0f);
    double weight = physics_weight(world, box);
    sn_vec3 by_box = touch_mean_force(world, block, &box, step, 0.5f);
    check_relative(-(double)by_box.y, weight, 0.005, "force of the box on the block [N]");
    check_carried(world, block, sn_v(0.0f, 8.0f * 9.81f, 0.0f), "all forces on the block [N]");
    check_above((double)sn_rigid_position(world, box).y, 0.3, "the box lies on top [m]");
    sn_world_destroy(world);
}

// A cube of tissue without transverse contraction, pressed by a twentieth by a tool that is moved: F = E A ε,
// less half of its own weight.
static void test_a_moved_tool_feels_how_stiff_tissue_is(void **state)
{
    (void)state;
    const float side = 0.04f;
    for (float young = 1.0e4f; young < 3.0e6f; young *= 10.0f) {
        sn_world *world = physics_world();
        physics_floor(world, physics_material(0.0f, 0.0f));
        sn_mesh *mesh = NULL;
        must(sn_mesh_box(sn_v(side, side, side), 4, 4, 4, &mesh));
        sn_deformable_def def = sn_deformable_def_default();
        def.mesh = mesh;
        def.pose.position = sn_v(0.0f, 0.5f * side, 0.0f);
        def.mass = 0.064f;
        def.thickness = 1.0e-4f;
        def.model = sn_model_corotational(young, 0.0f);
        def.model.damping = 0.01f;
        sn_deformable tissue = touch_add(world, &def);
        sn_rigid_def tool = sn_rigid_def_default();
        tool.type = SN_KINEMATIC;
        tool.position = sn_v(0.0f, 1.5f * side, 0.0f);
        sn_rigid plate;
        sn_shape_def material = physics_material(0.0f, 0.0f);
        must(sn_rigid_add(world, &tool, &plate));
        must(sn_box_add(world, plate, &material, (sn_box){{side, 0.5f * side, side}}, NULL));
        for (int i = 1; i <= 120; ++i) {
            float part = sn_min((float)i / 60.0f, 1.0f);
            sn_pose target = {sn_v(0.0f, (1.5f - 0.05f * part) * side, 0.0f), sn_quat_identity};
            must(sn_rigid_target_set(world, plate, target));
            must(sn_world_step(world, step));
        }
        sn_vec3 force = touch_mean_force(world, tissue, &plate, step, 0.5f);
        double expected = (double)(young * side * side * 0.05f) - 0.5 * 0.064 * physics_gravity;
        check_relative(-(double)force.y, expected, 0.1, "E = %g Pa: force [N]", (double)young);
        sn_world_destroy(world);
    }
}

// The sheet has mass 0.4, the body 2 kg.
static void rest_on_sheet(bool is_box)
{
    sn_world *world = physics_world();
    sn_deformable_def def = touch_sheet_def(1.0f, 20, 0.4f, sn_v(0.0f, 0.0f, 0.0f));
    def.linear_damping = 20.0f;
    sn_deformable sheet = touch_add(world, &def);
    touch_pin(world, sheet, 20, false);
    sn_shape_def material = physics_material(0.5f, 0.0f);
    material.density = is_box ? 2.0f / 0.018f : 2.0f / (4.0f / 3.0f * SN_PI * 0.001f);
    sn_rigid body =
        is_box ? physics_box(world, material, sn_v(0.15f, 0.1f, 0.15f), physics_at(0.013f, 0.15f, 0.007f))
               : physics_sphere(world, material, 0.1f, physics_at(0.013f, 0.15f, 0.007f));
    physics_run(world, step, 8.0f);
    sn_vec3 force = touch_mean_force(world, sheet, &body, step, 2.0f);
    check_relative(-(double)force.y, 2.0 * 9.81, 0.005, "a %s on a sheet [N]", is_box ? "box" : "ball");
    check_below((double)sn_abs(sn_rigid_linear_velocity(world, body).y), 0.01, "it lies still [m/s]");
    sn_world_destroy(world);
}

static void test_a_box_on_a_pinned_sheet(void **state)
{
    (void)state;
    rest_on_sheet(true);
}

static void test_a_ball_on_a_pinned_sheet(void **state)
{
    (void)state;
    rest_on_sheet(false);
}

// No gravity: what a spinning box gives a free sheet it loses.
static void check_hit(bool is_guarded)
{
    sn_world_def settings = sn_world_def_default();
    sn_world *world;
    settings.gravity = sn_v(0.0f, 0.0f, 0.0f);
    settings.sleep = false;
    settings.guard = is_guarded;
    must(sn_world_create(&settings, &world));
    sn_shape_def material = physics_material(0.5f, 0.0f);
    material.density = 1.0f / 0.018f;
    sn_rigid box = physics_box(world, material, sn_v(0.15f, 0.1f, 0.15f), physics_at(0.1f, 0.4f, 0.05f));
    must(sn_rigid_linear_velocity_set(world, box, sn_v(0.3f, -3.0f, 0.0f)));
    must(sn_rigid_angular_velocity_set(world, box, sn_v(1.0f, 2.0f, 3.0f)));
    sn_deformable_def def = touch_sheet_def(1.0f, 20, 0.4f, sn_v(0.0f, 0.0f, 0.0f));
    sn_deformable sheet = touch_add(world, &def);
    sn_energy before = sn_world_energy(world);
    int cut_count = 0;
    for (int i = 0; i < 2.0f / step; ++i) {
        must(sn_world_step(world, step));
        cut_count += sn_world_statistics(world).cut_node_count;
    }
    check_true(is_guarded == (cut_count > 0), "motions of nodes that were cut: %d", cut_count);
    sn_energy after = sn_world_energy(world);
    for (int k = 0; k < 3; ++k) {
        check_near(after.momentum[k], before.momentum[k], 1.0e-5, "momentum %c [N s]", 'x' + k);
        check_near(after.angular_momentum[k], before.angular_momentum[k], 1.0e-5, "angular momentum %c",
                   'x' + k);
    }
    check_above((double)-sn_deformable_measure_now(world, sheet).velocity.y, 1.0, "the sheet moves [m/s]");
    sn_world_destroy(world);
}

// The nodes under the box weigh a thousandth of it: a box that bounced on them would be told by its speed.
static void test_a_box_on_a_cloth_on_a_table(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    physics_floor(world, physics_material(0.5f, 0.0f));
    sn_deformable_def def = touch_sheet_def(0.6f, 20, 0.1f, sn_v(0.0f, 0.006f, 0.0f));
    sn_deformable sheet = touch_add(world, &def);
    sn_shape_def heavy = physics_material(0.5f, 0.0f);
    heavy.density = 2000.0f;
    sn_rigid box = physics_box(world, heavy, sn_v(0.1f, 0.1f, 0.1f), physics_at(0.0f, 0.112f, 0.0f));
    physics_run(world, step, 2.0f);
    sn_rigid ground = sn_world_ground(world);
    double weight = 16.0 * physics_gravity;
    check_relative((double)touch_mean_force(world, sheet, &box, step, 0.5f).y, -weight, 0.005,
                   "force of the box on the sheet [N]");
    check_relative((double)touch_mean_force(world, sheet, &ground, step, 0.5f).y,
                   weight + 0.1 * physics_gravity, 0.005, "force of the floor on the sheet [N]");
    check_below((double)sn_length(sn_rigid_linear_velocity(world, box)), 1.0e-3, "speed of the box [m/s]");
    sn_world_destroy(world);
}

// A sheet of 0.8 kg that is held at its rim, and a ball that lies on it.
typedef struct rim {
    sn_world *world;
    sn_deformable sheet;
    sn_rigid ball;
    sn_anchor anchors[4 * 20];
    int anchor_count;
} rim;

enum { RIM_CELLS = 20 };

static rim lay_on_rim(float mass, float x, bool by_anchors)
{
    rim rim = {.world = physics_world()};
    sn_deformable_def def = touch_sheet_def(2.0f, RIM_CELLS, 0.8f, sn_v(0.0f, 0.0f, 0.0f));
    def.inextensible.shear_stiffness = 5.0f;
    def.linear_damping = 1.5f;
    rim.sheet = touch_add(rim.world, &def);
    if (!by_anchors) {
        touch_pin(rim.world, rim.sheet, RIM_CELLS, false);
    }
    for (int i = 0; by_anchors && i < (RIM_CELLS + 1) * (RIM_CELLS + 1); ++i) {
        if (i % (RIM_CELLS + 1) % RIM_CELLS == 0 || i / (RIM_CELLS + 1) % RIM_CELLS == 0) {
            sn_anchor_def anchor = sn_anchor_def_default();
            anchor.a = sn_point_node(rim.sheet, i);
            anchor.b = sn_point_world(sn_deformable_nodes(rim.world, rim.sheet)[i].position);
            must(sn_anchor_add(rim.world, &anchor, &rim.anchors[rim.anchor_count++]));
        }
    }
    sn_shape_def material = physics_material(0.5f, 0.0f);
    material.density = mass / (4.0f / 3.0f * SN_PI * 0.15f * 0.15f * 0.15f);
    rim.ball = physics_sphere(rim.world, material, 0.15f, physics_at(x, 0.2f, 0.0f));
    return rim;
}

// Whatever it weighs, without a sub-step more.
static void test_a_ball_of_any_mass_lies_on_a_sheet_that_is_held_at_its_rim(void **state)
{
    (void)state;
    for (float mass = 1.0f; mass < 5000.0f; mass *= 10.0f) {
        rim rim = lay_on_rim(mass, 0.0f, false);
        int sub_steps = 0;
        double peak = 0.0;
        for (int i = 0; i < 300; ++i) {
            must(sn_world_step(rim.world, step));
            sn_statistics now = sn_world_statistics(rim.world);
            sub_steps = now.sub_steps > sub_steps ? now.sub_steps : sub_steps;
            peak = fmax(peak, (double)now.largest_stretch);
        }
        sn_vec3 force = touch_mean_force(rim.world, rim.sheet, &rim.ball, step, 0.5f);
        check_relative(-(double)force.y, (double)mass * physics_gravity, 0.005, "force of %g kg [N]",
                       (double)mass);
        check_below((double)sn_length(sn_rigid_linear_velocity(rim.world, rim.ball)), 0.01,
                    "its speed [m/s]");
        check_below(peak, 0.03, "largest stretch at any time");
        check_below((double)sn_world_statistics(rim.world).largest_stretch, 0.01, "and at rest");
        check_true(sub_steps == 16, "sub-steps: %d", sub_steps);
        sn_world_destroy(rim.world);
    }
}

// Its threads carry it by shearing, and are soft: they would let it bounce for many seconds.
static void test_a_ball_on_a_sheet_held_at_its_corners_stops_bouncing(void **state)
{
    (void)state;
    enum { CELLS = 50 };
    const float masses[] = {1.0f, 10.0f};
    for (int i = 0; i < 2; ++i) {
        sn_world *world = physics_world();
        sn_deformable_def def = touch_sheet_def(2.0f, CELLS, 0.8f, sn_v(0.0f, 0.0f, 0.0f));
        def.inextensible.shear_stiffness = 5.0f;
        def.linear_damping = 1.5f;
        touch_pin(world, touch_add(world, &def), CELLS, true);
        sn_shape_def material = physics_material(0.5f, 0.0f);
        material.density = masses[i] / (4.0f / 3.0f * SN_PI * 0.15f * 0.15f * 0.15f);
        sn_rigid ball = physics_sphere(world, material, 0.15f, physics_at(0.0f, 0.2f, 0.0f));
        physics_run(world, 0.02f, 3.6f);
        double fastest = 0.0;
        for (int k = 0; k < 30; ++k) {
            must(sn_world_step(world, 0.02f));
            fastest = fmax(fastest, fabs((double)sn_rigid_linear_velocity(world, ball).y));
        }
        check_below(fastest, 0.09, "a ball of %g kg after 3.6 s [m/s]", (double)masses[i]);
        sn_world_destroy(world);
    }
}

// What its nodes weigh goes past its edges: these carry next to nothing, and buckled where they came to push.
static void test_a_rope_under_any_load_hangs_still(void **state)
{
    (void)state;
    const float node_mass = 0.01f, length = 2.0f;
    for (int nodes = 50; nodes <= 200; nodes *= 4) {
        for (float load = 0.0f; load <= 100.0f; load = load > 0.0f ? 10.0f * load : 1.0f) {
            sn_world *world = physics_world();
            sn_mesh *mesh = NULL;
            must(sn_mesh_line(length, nodes - 1, &mesh));
            sn_deformable_def def = sn_deformable_def_default();
            def.mesh = mesh;
            def.mass = node_mass * (float)nodes;
            def.pose.rotation = sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), -0.5f * SN_PI);
            def.inextensible.on = true;
            def.collide = false;
            sn_deformable rope = touch_add(world, &def);
            must(sn_node_fix(world, rope, 0, true));
            if (load > 0.0f) {
                sn_shape_def material = physics_material(0.5f, 0.0f);
                material.density = load / (4.0f / 3.0f * SN_PI * 0.1f * 0.1f * 0.1f);
                sn_pose end = {sn_deformable_nodes(world, rope)[nodes - 1].position, sn_quat_identity};
                sn_anchor_def anchor = sn_anchor_def_default();
                anchor.a = sn_point_rigid(physics_sphere(world, material, 0.1f, end), sn_v(0.0f, 0.0f, 0.0f));
                anchor.b = sn_point_node(rope, nodes - 1);
                must(sn_anchor_add(world, &anchor, NULL));
            }
            physics_run(world, 0.02f, 4.0f);
            check_below(touch_rms(world, rope), 5.0e-4, "rope of %d nodes under %g kg [m/s]", nodes,
                        (double)load);
            check_below((double)sn_world_statistics(world).largest_stretch, 1.0e-3, "its stretch");
            sn_world_destroy(world);
        }
    }
}

// It rolls to and fro in a bowl a centimetre deep: as fast below as the height gives, no higher on the other
// side.
static void test_a_ball_that_rolls_on_a_sheet_gains_nothing(void **state)
{
    (void)state;
    rim rim = lay_on_rim(10.0f, 0.4f, false);
    float farthest = 0.0f, fastest = 0.0f;
    for (int i = 0; i < 1200; ++i) {
        must(sn_world_step(rim.world, step));
        farthest = sn_max(farthest, sn_abs(sn_rigid_position(rim.world, rim.ball).x));
        fastest = i > 60 ? sn_max(fastest, sn_length(sn_rigid_linear_velocity(rim.world, rim.ball))) : 0.0f;
    }
    check_below((double)farthest, 0.42, "farthest from the middle [m]");
    check_below((double)fastest, 0.16, "fastest [m/s]");
    sn_world_destroy(rim.world);
}

static void test_what_holds_a_sheet_feels_what_lies_on_it(void **state)
{
    (void)state;
    rim rim = lay_on_rim(100.0f, 0.0f, true);
    physics_run(rim.world, step, 3.0f);
    double sum = 0.0;
    for (int k = 0; k < 30; ++k) {
        must(sn_world_step(rim.world, step));
        for (int i = 0; i < rim.anchor_count; ++i) {
            sum += (double)sn_anchor_force(rim.world, rim.anchors[i]).y / 30.0;
        }
    }
    check_relative(sum < 0.0 ? -sum : sum, 100.8 * physics_gravity, 0.02, "upward force of all anchors [N]");
    sn_world_destroy(rim.world);
}

static void test_a_box_hits_a_free_sheet(void **state)
{
    (void)state;
    check_hit(false);
}

static void test_cuts_of_the_guard_keep_both_momenta(void **state)
{
    (void)state;
    check_hit(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_soft_block_on_a_plane),
        physics_test(test_a_soft_block_on_triangles),
        physics_test(test_a_soft_block_on_a_light_box),
        physics_test(test_a_hard_box_on_a_soft_block),
        physics_test(test_a_moved_tool_feels_how_stiff_tissue_is),
        physics_test(test_a_box_on_a_pinned_sheet),
        physics_test(test_a_ball_on_a_pinned_sheet),
        physics_test(test_a_box_on_a_cloth_on_a_table),
        physics_test(test_a_ball_of_any_mass_lies_on_a_sheet_that_is_held_at_its_rim),
        physics_test(test_a_ball_on_a_sheet_held_at_its_corners_stops_bouncing),
        physics_test(test_a_rope_under_any_load_hangs_still),
        physics_test(test_a_ball_that_rolls_on_a_sheet_gains_nothing),
        physics_test(test_what_holds_a_sheet_feels_what_lies_on_it),
        physics_test(test_a_box_hits_a_free_sheet),
        physics_test(test_cuts_of_the_guard_keep_both_momenta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
