// What stands on something presses on it with its weight: contact forces within 0.1 %.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

static const double tolerance = 1e-3;
static const float settling = 5.0f;

// The force on the body, and the same from the impulses of its patches.
static void check_carried(sn_world *world, sn_rigid body, float step, double weight, const char *name)
{
    sn_vec3 expected = sn_v(0.0f, (float)weight, 0.0f);
    check_vector(sn_rigid_contact_force(world, body), expected, tolerance, "%s: contact force", name);
    enum { CAPACITY = 16 };
    sn_contact contacts[CAPACITY];
    int count = sn_rigid_contacts(world, body, contacts, CAPACITY);
    sn_vec3 sum = sn_v(0.0f, 0.0f, 0.0f);
    for (int i = 0; i < count && i < CAPACITY; ++i) {
        sn_rigid owner = sn_shape_rigid(world, contacts[i].b);
        float sign = owner.index == body.index ? 1.0f : -1.0f;
        sn_vec3 impulse = contacts[i].friction_impulse;
        for (int k = 0; k < contacts[i].count; ++k) {
            impulse = sn_add_scaled(impulse, contacts[i].points[k].normal_impulse, contacts[i].normal);
        }
        sum = sn_add_scaled(sum, sign / step, impulse);
    }
    check_vector(sum, expected, tolerance, "%s: from %d patches", name, count);
}

// On the plane y = 0 or on triangles in it; `make` puts the body on them.
static void check_weight_of(sn_rigid (*make)(sn_world *world, sn_shape_def material), const char *name)
{
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        for (int on_triangles = 0; on_triangles < 2; ++on_triangles) {
            sn_world *world = physics_world();
            sn_shape_def material = physics_material(0.5f, 0.0f);
            if (on_triangles) {
                physics_triangle_floor(world, material, 5.0f, 7);
            } else {
                physics_floor(world, material);
            }
            sn_rigid body = make(world, material);
            physics_run(world, physics_steps[s], settling);
            check_carried(world, body, physics_steps[s], physics_weight(world, body), name);
            sn_world_destroy(world);
        }
    }
}

static sn_rigid make_box(sn_world *world, sn_shape_def material)
{
    return physics_box(world, material, sn_v(0.5f, 0.3f, 0.7f), physics_at(0, 0.3f, 0));
}

static sn_rigid make_tilted_box(sn_world *world, sn_shape_def material)
{
    sn_pose pose = {{0.0f, 0.9f, 0.0f}, sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), 0.3f)};
    return physics_box(world, material, sn_v(0.5f, 0.3f, 0.7f), pose);
}

static sn_rigid make_sphere(sn_world *world, sn_shape_def material)
{
    return physics_sphere(world, material, 0.4f, physics_at(0.1f, 0.4f, 0.2f));
}

static sn_rigid make_capsule(sn_world *world, sn_shape_def material)
{
    return physics_capsule(world, material, 0.5f, 0.2f, physics_at(0.1f, 0.2f, 0));
}

static sn_rigid make_cylinder(sn_world *world, sn_shape_def material)
{
    return physics_cylinder(world, material, 0.4f, 0.6f, physics_at(0.1f, 0.3f, 0));
}

// A table: a top and four legs of different shapes.
static sn_rigid make_table(sn_world *world, sn_shape_def material)
{
    sn_solid parts[5] = {{.type = SN_BOX, .pose = physics_at(0, 0.55f, 0), .box = {{0.6f, 0.05f, 0.4f}}}};
    for (int i = 0; i < 4; ++i) {
        parts[i + 1].pose = physics_at(i % 2 == 0 ? -0.5f : 0.5f, 0.25f, i / 2 == 0 ? -0.3f : 0.3f);
        parts[i + 1].type = i < 2 ? SN_BOX : SN_CAPSULE;
        if (i < 2) {
            parts[i + 1].box = (sn_box){{0.05f, 0.25f, 0.05f}};
        } else {
            parts[i + 1].capsule = (sn_capsule){{0.0f, -0.2f, 0.0f}, {0.0f, 0.2f, 0.0f}, 0.05f};
        }
    }
    sn_compound *compound = NULL;
    must(sn_compound_create(parts, 5, &compound));
    sn_rigid_def def = sn_rigid_def_default();
    sn_rigid body = {0};
    must(sn_rigid_add(world, &def, &body));
    must(sn_compound_add(world, body, &material, compound, NULL));
    sn_compound_destroy(compound);
    return body;
}

static void test_a_box_weighs_m_g(void **state)
{
    (void)state;
    check_weight_of(make_box, "box");
}

static void test_a_box_that_fell_on_its_edge_weighs_m_g(void **state)
{
    (void)state;
    check_weight_of(make_tilted_box, "fallen box");
}

static void test_a_sphere_weighs_m_g(void **state)
{
    (void)state;
    check_weight_of(make_sphere, "sphere");
}

static void test_a_capsule_weighs_m_g(void **state)
{
    (void)state;
    check_weight_of(make_capsule, "capsule");
}

static void test_a_cylinder_weighs_m_g(void **state)
{
    (void)state;
    check_weight_of(make_cylinder, "cylinder");
}

static void test_a_compound_table_weighs_m_g(void **state)
{
    (void)state;
    check_weight_of(make_table, "table");
}

static void test_every_box_of_a_stack_is_carried_and_the_floor_carries_all(void **state)
{
    (void)state;
    enum { BOXES = 4 };
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_shape_def material = physics_material(0.5f, 0.0f);
        sn_rigid floor = physics_platform(world, material, sn_v(2.0f, 0.5f, 2.0f), physics_at(0, -0.5f, 0));
        double total = 0.0;
        sn_rigid boxes[BOXES];
        for (int i = 0; i < BOXES; ++i) {
            material.density = 500.0f * (float)(i + 1);
            boxes[i] =
                physics_box(world, material, sn_v(0.5f, 0.5f, 0.5f), physics_at(0, 0.5f + (float)i, 0));
            total += physics_weight(world, boxes[i]);
        }
        physics_run(world, physics_steps[s], settling);
        for (int i = 0; i < BOXES; ++i) {
            check_vector(sn_rigid_contact_force(world, boxes[i]),
                         sn_v(0.0f, (float)physics_weight(world, boxes[i]), 0.0f), tolerance, "box %d", i);
        }
        check_vector(sn_rigid_contact_force(world, floor), sn_v(0.0f, (float)-total, 0.0f), tolerance,
                     "floor");
        sn_world_destroy(world);
    }
}

static void test_on_a_slope_normal_force_and_friction_add_up_to_the_weight(void **state)
{
    (void)state;
    const float angle = 0.35f;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_shape_def material = physics_material(0.8f, 0.0f);
        physics_slope(world, material, angle);
        sn_rigid box = physics_box(world, material, sn_v(0.5f, 0.2f, 0.5f), physics_on_slope(angle, 0.2f));
        physics_run(world, physics_steps[s], settling);
        check_carried(world, box, physics_steps[s], physics_weight(world, box), "box on a slope");
        sn_world_destroy(world);
    }
}

// A plank on two posts, its load off the middle: the posts share it by the lever rule.
static void test_two_posts_share_a_load_by_the_lever_rule(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        sn_world *world = physics_world();
        sn_shape_def material = physics_material(0.5f, 0.0f);
        sn_rigid posts[2];
        for (int i = 0; i < 2; ++i) {
            float x = i == 0 ? -1.0f : 1.0f;
            posts[i] = physics_platform(world, material, sn_v(0.01f, 0.5f, 0.3f), physics_at(x, 0.5f, 0));
        }
        sn_rigid plank = physics_box(world, material, sn_v(1.3f, 0.05f, 0.2f), physics_at(0, 1.05f, 0));
        sn_rigid load = physics_sphere(world, material, 0.2f, physics_at(0.5f, 1.3f, 0));
        must(sn_rigid_locks_set(world, load, SN_LOCK_ROTATION_X | SN_LOCK_ROTATION_Y | SN_LOCK_ROTATION_Z));
        physics_run(world, physics_steps[s], settling);
        double half = 0.5 * physics_weight(world, plank), share = physics_weight(world, load);
        // The posts' tops are 2 cm wide, so where exactly they carry is uncertain by 1 %.
        check_relative(-(double)sn_rigid_contact_force(world, posts[0]).y, half + 0.25 * share, 0.01,
                       "post far from the load");
        check_relative(-(double)sn_rigid_contact_force(world, posts[1]).y, half + 0.75 * share, 0.01,
                       "post near the load");
        double sum =
            -(double)(sn_rigid_contact_force(world, posts[0]).y + sn_rigid_contact_force(world, posts[1]).y);
        check_relative(sum, 2.0 * half + share, tolerance, "both");
        sn_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_box_weighs_m_g),
        physics_test(test_a_box_that_fell_on_its_edge_weighs_m_g),
        physics_test(test_a_sphere_weighs_m_g),
        physics_test(test_a_capsule_weighs_m_g),
        physics_test(test_a_cylinder_weighs_m_g),
        physics_test(test_a_compound_table_weighs_m_g),
        physics_test(test_every_box_of_a_stack_is_carried_and_the_floor_carries_all),
        physics_test(test_on_a_slope_normal_force_and_friction_add_up_to_the_weight),
        physics_test(test_two_posts_share_a_load_by_the_lever_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
