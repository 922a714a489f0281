// Cloths on what is sharp, on triangles, on things made of parts and on things that move: they come to lie on
// them and nothing pokes through.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/soft_touch.h"

enum { CELLS = 16, NODES = (CELLS + 1) * (CELLS + 1) };
static const float step = 1.0f / 60.0f;

static sn_deformable drop_cloth(sn_world *world, float height)
{
    sn_deformable_def def = touch_sheet_def(1.2f, CELLS, 0.3f, sn_v(0.013f, height, 0.007f));
    def.bending = (sn_bending){SN_BENDING_ISOMETRIC, 1.0e-4f, 0.3f, INFINITY};
    return touch_add(world, &def);
}

// How far a point is over the cloth, where it is over a face of it; the least height if there are several
// faces.
static double height_over(const sn_world *world, sn_deformable cloth, sn_vec3 point)
{
    const sn_mesh *mesh = sn_deformable_mesh(world, cloth);
    const uint32_t *triangles = sn_mesh_triangles(mesh);
    const sn_node_state *nodes = sn_deformable_nodes(world, cloth);
    double least = 1.0;
    for (int t = 0; t < sn_mesh_triangle_count(mesh); ++t) {
        sn_vec3 corners[3];
        for (int k = 0; k < 3; ++k) {
            corners[k] = nodes[triangles[3 * t + k]].position;
        }
        sn_vec3 out = sn_normalize(sn_cross(sn_sub(corners[1], corners[0]), sn_sub(corners[2], corners[0])));
        float height = sn_dot(out, sn_sub(point, corners[0]));
        sn_vec3 closest = sn_add_scaled(point, -height, out);
        bool over = true;
        for (int k = 0; k < 3; ++k) {
            sn_vec3 along = sn_sub(corners[(k + 1) % 3], corners[k]);
            over = over && sn_dot(sn_cross(along, sn_sub(closest, corners[k])), out) >= 0.0f;
        }
        if (over && sn_abs(height) < 0.05f) {
            least = fmin(least, -(double)height);
        }
    }
    return least;
}

static void check_rests(sn_world *world, sn_deformable cloth, const char *what)
{
    sn_vec3 force = touch_mean_force(world, cloth, NULL, step, 1.0f);
    check_relative((double)force.y, 0.3 * physics_gravity, 0.02, "%s: what carries the cloth [N]", what);
}

// Corner up: the cloth hangs on three edges and a corner between its nodes.
static void test_a_cloth_on_the_corner_of_a_box(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    sn_quat turn = sn_quat_multiply(sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), 0.6154797f),
                                    sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), 0.25f * SN_PI));
    sn_rigid_def def = sn_rigid_def_default();
    def.type = SN_STATIC;
    def.rotation = turn;
    sn_rigid box;
    must(sn_rigid_add(world, &def, &box));
    sn_shape_def material = physics_material(0.5f, 0.0f);
    must(sn_box_add(world, box, &material, (sn_box){{0.3f, 0.3f, 0.3f}}, NULL));
    sn_deformable cloth = drop_cloth(world, 0.6f);
    physics_run(world, step, 6.0f);
    double top = 0.3 * sqrt(3.0);
    check_above(height_over(world, cloth, sn_v(0.0f, (float)top, 0.0f)), 0.0,
                "the cloth is over the corner [m]");
    check_above((double)sn_deformable_measure_now(world, cloth).bounds.upper.y, top, "and on it [m]");
    check_rests(world, cloth, "corner");
    sn_world_destroy(world);
}

static void spike(const sn_rigid_def *def, sn_world *world, sn_rigid *body)
{
    const sn_vec3 points[4] = {
        {-0.3f, 0.0f, -0.3f}, {0.3f, 0.0f, -0.3f}, {0.0f, 0.0f, 0.35f}, {0.021f, 0.5f, 0.017f}};
    sn_hull *hull = NULL;
    must(sn_hull_create(points, 4, 4, &hull));
    must(sn_rigid_add(world, def, body));
    sn_shape_def material = physics_material(0.5f, 0.0f);
    must(sn_hull_add(world, *body, &material, hull, NULL));
    sn_hull_destroy(hull);
}

static void test_a_cloth_on_the_tip_of_a_hull(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    sn_rigid_def def = sn_rigid_def_default();
    def.type = SN_STATIC;
    sn_rigid body;
    spike(&def, world, &body);
    sn_deformable cloth = drop_cloth(world, 0.6f);
    physics_run(world, step, 6.0f);
    check_above(height_over(world, cloth, sn_v(0.021f, 0.5f, 0.017f)), 0.0, "the cloth is over the tip [m]");
    check_rests(world, cloth, "tip");
    sn_world_destroy(world);
}

// A roof of two triangles in a box of others: only its ridge and what sticks out counts.
static void test_a_cloth_on_a_roof_of_triangles(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    const sn_vec3 vertices[6] = {{-0.4f, 0.0f, -0.4f}, {0.4f, 0.0f, -0.4f}, {0.4f, 0.0f, 0.4f},
                                 {-0.4f, 0.0f, 0.4f},  {0.0f, 0.4f, -0.4f}, {0.0f, 0.4f, 0.4f}};
    const uint32_t triangles[] = {0, 3, 5, 0, 5, 4, 1, 4, 5, 1, 5, 2, 0, 4, 1, 3, 2, 5};
    sn_surface *surface = NULL;
    must(sn_surface_create(vertices, 6, triangles, 6, false, &surface));
    sn_shape_def material = physics_material(0.5f, 0.0f);
    must(sn_surface_add(world, sn_world_ground(world), &material, surface, NULL));
    sn_surface_destroy(surface);
    sn_deformable cloth = drop_cloth(world, 0.5f);
    physics_run(world, step, 6.0f);
    for (int k = -1; k <= 1; ++k) {
        check_above(height_over(world, cloth, sn_v(0.0f, 0.4f, 0.3f * (float)k)), 0.0,
                    "the cloth is over the ridge [m]");
    }
    check_rests(world, cloth, "roof");
    sn_world_destroy(world);
}

// A compound of two capsules lifts the cloth.
static void test_a_cloth_is_lifted_by_a_cross_of_capsules(void **state)
{
    (void)state;
    sn_world *world = physics_world();
    physics_floor(world, physics_material(0.5f, 0.0f));
    sn_rigid_def def = sn_rigid_def_default();
    def.type = SN_KINEMATIC;
    def.position = sn_v(0.0f, 0.05f, 0.0f);
    def.linear_velocity = sn_v(0.0f, 0.3f, 0.0f);
    sn_rigid cross;
    must(sn_rigid_add(world, &def, &cross));
    sn_shape_def material = physics_material(0.5f, 0.0f);
    const sn_solid parts[2] = {{.type = SN_CAPSULE,
                                .pose = physics_at(0.0f, 0.0f, 0.0f),
                                .capsule = {{-0.3f, 0.0f, 0.0f}, {0.3f, 0.0f, 0.0f}, 0.03f}},
                               {.type = SN_CAPSULE,
                                .pose = physics_at(0.0f, 0.0f, 0.0f),
                                .capsule = {{0.0f, 0.0f, -0.3f}, {0.0f, 0.0f, 0.3f}, 0.03f}}};
    sn_compound *compound = NULL;
    must(sn_compound_create(parts, 2, &compound));
    must(sn_compound_add(world, cross, &material, compound, NULL));
    sn_compound_destroy(compound);
    sn_deformable cloth = drop_cloth(world, 0.12f);
    physics_run(world, step, 3.0f);
    must(sn_rigid_linear_velocity_set(world, cross, sn_v(0.0f, 0.0f, 0.0f)));
    physics_run(world, step, 3.0f);
    check_above((double)sn_deformable_measure_now(world, cloth).bounds.lower.y, 0.3,
                "the cloth hangs on it [m]");
    const sn_vec3 ends[4] = {
        {-0.28f, 0.95f, 0.0f}, {0.28f, 0.95f, 0.0f}, {0.0f, 0.95f, -0.28f}, {0.0f, 0.95f, 0.28f}};
    for (int k = 0; k < 4; ++k) {
        check_above(height_over(world, cloth, ends[k]), 0.0, "over end %d of the cross [m]", k);
    }
    check_rests(world, cloth, "cross");
    sn_world_destroy(world);
}

// A heavy box falls edge first into a cloth that is held by its rim, and is thrown up again: never below it,
// until it may have tumbled over the rim.
static void drop_box(float shift)
{
    sn_world *world = physics_world();
    sn_deformable cloth = drop_cloth(world, 0.0f);
    touch_pin(world, cloth, CELLS, false);
    sn_shape_def material = physics_material(0.5f, 0.0f);
    material.density = 1.0f / 0.008f;
    sn_pose pose = {{0.02f + shift, 0.5f + shift, 0.01f}, sn_quat_axis_angle(sn_v(1.0f, 0.2f, 0.4f), 0.7f)};
    pose.rotation = sn_quat_normalize(pose.rotation);
    sn_rigid box = physics_box(world, material, sn_v(0.1f, 0.1f, 0.1f), pose);
    double lowest = 1.0, least_height = 1.0;
    for (int i = 0; i < 300; ++i) {
        must(sn_world_step(world, step));
        sn_vec3 place = sn_rigid_position(world, box);
        if (sn_max(fabsf(place.x), fabsf(place.z)) > 0.45f) {
            break;
        }
        lowest = fmin(lowest, (double)place.y);
        least_height = fmin(least_height, height_over(world, cloth, place));
    }
    check_above(lowest, -0.35, "the lowest place of the box [m]");
    check_above(least_height, 0.05, "how far its middle is over the cloth [m]");
    sn_world_destroy(world);
}

static void test_a_box_falls_into_a_held_cloth(void **state)
{
    (void)state;
    for (int i = 0; i < 8; ++i) {
        drop_box(0.005f * (float)i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_cloth_on_the_corner_of_a_box),
        physics_test(test_a_cloth_on_the_tip_of_a_hull),
        physics_test(test_a_cloth_on_a_roof_of_triangles),
        physics_test(test_a_cloth_is_lifted_by_a_cross_of_capsules),
        physics_test(test_a_box_falls_into_a_held_cloth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
