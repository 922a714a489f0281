// Compounds in the world: several convex parts move, weigh and touch as one body.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/random.h"
#include "support/world_kit.h"

static sn_solid box_part(float x, float y, float z, float half_x, float half_y, float half_z)
{
    return (sn_solid){.type = SN_BOX, .pose = physics_at(x, y, z), .box = {{half_x, half_y, half_z}}};
}

static sn_solid ball_part(float x, float y, float z, float radius)
{
    return (sn_solid){.type = SN_SPHERE, .pose = physics_at(x, y, z), .sphere = {.radius = radius}};
}

// A body with one compound; the caller's handle is gone at once.
static sn_rigid add_compound(sn_world *world, sn_rigid_type type, sn_pose pose, const sn_solid *parts,
                             int count)
{
    sn_rigid_def def = sn_rigid_def_default();
    def.type = type;
    def.position = pose.position;
    def.rotation = pose.rotation;
    sn_rigid body;
    assert_ok(sn_rigid_add(world, &def, &body));
    sn_compound *compound;
    assert_ok(sn_compound_create(parts, count, &compound));
    assert_ok(sn_compound_add(world, body, NULL, compound, NULL));
    sn_compound_destroy(compound);
    return body;
}

// The same parts as shapes of their own.
static sn_rigid add_shapes(sn_world *world, sn_pose pose, const sn_solid *parts, int count)
{
    sn_rigid_def def = sn_rigid_def_default();
    def.position = pose.position;
    def.rotation = pose.rotation;
    sn_rigid body;
    assert_ok(sn_rigid_add(world, &def, &body));
    for (int i = 0; i < count; ++i) {
        sn_shape_def shape = default_material();
        shape.offset = parts[i].pose;
        assert_ok(parts[i].type == SN_BOX ? sn_box_add(world, body, &shape, parts[i].box, NULL)
                                          : sn_sphere_add(world, body, &shape, parts[i].sphere, NULL));
    }
    return body;
}

// A table: top 2 m × 2 m at a height of 1 m, four legs. 0.4 + 4 × 0.036 m³.
static int table_parts(sn_solid parts[5])
{
    parts[0] = box_part(0.0f, 0.95f, 0.0f, 1.0f, 0.05f, 1.0f);
    for (int i = 0; i < 4; ++i) {
        parts[i + 1] = box_part(i & 1 ? 0.9f : -0.9f, 0.45f, i & 2 ? 0.9f : -0.9f, 0.1f, 0.45f, 0.1f);
    }
    return 5;
}

// --- mass and motion -----------------------------------------------------------------------------

static void test_a_compound_weighs_what_its_parts_weigh_within_1e_5(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_solid parts[5];
    int count = table_parts(parts);
    sn_mass whole = sn_rigid_mass(world, add_compound(world, SN_DYNAMIC, sn_pose_identity, parts, count));
    sn_mass shapes = sn_rigid_mass(world, add_shapes(world, sn_pose_identity, parts, count));
    assert_near(whole.mass, 544.0f, 1e-2);
    assert_near(shapes.mass, whole.mass, 1e-2);
    assert_vec3_near(shapes.center, whole.center, 1e-5);
    assert_vec3_near(shapes.inertia.x, whole.inertia.x, 1e-5 * 544.0);
    assert_vec3_near(shapes.inertia.y, whole.inertia.y, 1e-5 * 544.0);
    assert_vec3_near(shapes.inertia.z, whole.inertia.z, 1e-5 * 544.0);
    sn_world_destroy(world);
}

// Dropped askew on the floor, a dumbbell of two balls tumbles for a second the same way, whether it is one
// compound or two shapes.
static void test_a_compound_falls_like_a_body_of_the_same_shapes_within_1_mm(void **state)
{
    (void)state;
    const sn_solid parts[2] = {ball_part(0.4f, 0.0f, 0.0f, 0.2f), ball_part(-0.4f, 0.0f, 0.0f, 0.1f)};
    sn_pose start = {{0.0f, 0.8f, 0.0f}, sn_quat_axis_angle(sn_v(0.0f, 0.6f, 0.8f), 0.5f)};
    sn_pose ends[2];
    for (int i = 0; i < 2; ++i) {
        sn_world *world = kit_world();
        add_floor(world);
        sn_rigid body =
            i == 0 ? add_compound(world, SN_DYNAMIC, start, parts, 2) : add_shapes(world, start, parts, 2);
        run_steps(world, 60);
        ends[i] = sn_rigid_pose(world, body);
        sn_world_destroy(world);
    }
    assert_vec3_near(ends[0].position, ends[1].position, 1e-3);
    sn_vec3 x = {1.0f, 0.0f, 0.0f};
    assert_vec3_near(sn_rotate(ends[0].rotation, x), sn_rotate(ends[1].rotation, x), 2e-3);
}

// An L on its short leg stands or falls as its mass centre says.
static void test_an_l_tips_over_when_its_arm_is_too_long(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        float arm = i == 0 ? 0.5f : 2.0f;
        sn_world *world = kit_world();
        add_floor(world);
        const sn_solid parts[2] = {box_part(0.0f, 0.5f, 0.0f, 0.3f, 0.5f, 0.3f),
                                   box_part(0.3f + arm, 0.9f, 0.0f, arm, 0.1f, 0.1f)};
        sn_rigid body = add_compound(world, SN_DYNAMIC, sn_pose_identity, parts, 2);
        bool stands = sn_rigid_mass(world, body).center.x < 0.3f;
        assert_int_equal(stands, i == 0);
        run_steps(world, 120);
        sn_vec3 up = sn_rotate(sn_rigid_rotation(world, body), sn_v(0.0f, 1.0f, 0.0f));
        assert_true(stands ? up.y > 0.9999f : up.y < 0.99f);
        sn_world_destroy(world);
    }
}

// --- touching ------------------------------------------------------------------------------------

static void test_a_table_stands_on_four_legs_that_carry_its_weight_within_1_per_mille(void **state)
{
    (void)state;
    for (int triangles = 0; triangles < 2; ++triangles) {
        sn_world *world = kit_world();
        if (triangles) {
            physics_triangle_floor(world, default_material(), 5.0f, 7);
        } else {
            add_floor(world);
        }
        sn_solid parts[5];
        sn_rigid table = add_compound(world, SN_DYNAMIC, sn_pose_identity, parts, table_parts(parts));
        assert_ok(sn_rigid_allow_sleep_set(world, table, false));
        run_steps(world, 60);
        sn_contact contacts[8];
        assert_int_equal(sn_rigid_contacts(world, table, contacts, 8), 4);
        float sum = 0.0f;
        for (int i = 0; i < 4; ++i) {
            float leg = 0.0f;
            for (int k = 0; k < contacts[i].count; ++k) {
                leg += contacts[i].points[k].normal_impulse / frame;
            }
            assert_near(leg, 0.25f * 544.0f * 9.81f, 0.02 * 544.0 * 9.81);
            sum += leg;
        }
        assert_near(sum, 544.0f * 9.81f, 1e-3 * 544.0 * 9.81);
        assert_near(sn_rigid_contact_force(world, table).y, 544.0f * 9.81f, 1e-3 * 544.0 * 9.81);
        assert_near(sn_rigid_position(world, table).y, 0.0f, 1e-3);
        sn_world_destroy(world);
    }
}

static void test_a_ball_lies_between_the_walls_of_a_cup(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    const sn_solid parts[5] = {
        box_part(0.0f, 0.05f, 0.0f, 0.5f, 0.05f, 0.5f), box_part(0.45f, 0.5f, 0.0f, 0.05f, 0.4f, 0.5f),
        box_part(-0.45f, 0.5f, 0.0f, 0.05f, 0.4f, 0.5f), box_part(0.0f, 0.5f, 0.45f, 0.4f, 0.4f, 0.05f),
        box_part(0.0f, 0.5f, -0.45f, 0.4f, 0.4f, 0.05f)};
    sn_rigid cup = add_compound(world, SN_DYNAMIC, sn_pose_identity, parts, 5);
    sn_rigid ball = add_ball_at(world, 0.2f, 0.1f, 1.5f, 0.05f);
    assert_ok(sn_rigid_linear_velocity_set(world, ball, sn_v(0.2f, 0.0f, -0.4f)));
    run_steps(world, 240);
    sn_vec3 inside = sn_pose_apply_inverse(sn_rigid_pose(world, cup), sn_rigid_position(world, ball));
    assert_near(inside.y, 0.3f, 5e-3);
    assert_true(sn_abs(inside.x) < 0.21f && sn_abs(inside.z) < 0.21f);
    sn_world_destroy(world);
}

// Tables on tables.
static void test_compounds_stack_on_compounds_and_sleep(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    add_floor(world);
    sn_solid parts[5];
    int count = table_parts(parts);
    sn_rigid tables[4];
    for (int i = 0; i < 4; ++i) {
        tables[i] = add_compound(world, SN_DYNAMIC, physics_at(0.0f, (float)i, 0.0f), parts, count);
    }
    run_steps(world, 240);
    for (int i = 0; i < 4; ++i) {
        assert_false(sn_rigid_is_awake(world, tables[i]));
        assert_vec3_near(sn_rigid_position(world, tables[i]), sn_v(0.0f, (float)i, 0.0f), 5e-3);
    }
    sn_world_destroy(world);
}

// Two rings of balls, crossed: they hang in each other.
static void test_two_links_of_a_chain_hold_each_other(void **state)
{
    (void)state;
    sn_solid ring[16];
    for (int i = 0; i < 16; ++i) {
        float angle = 2.0f * SN_PI * (float)i / 16.0f;
        ring[i] = ball_part(0.5f * sn_cos(angle), 0.5f * sn_sin(angle), 0.0f, 0.12f);
    }
    sn_world *world = kit_world();
    (void)add_compound(world, SN_STATIC, sn_pose_identity, ring, 16);
    sn_pose crossed = {{0.0f, -0.6f, 0.0f}, sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), 0.5f * SN_PI)};
    sn_rigid link = add_compound(world, SN_DYNAMIC, crossed, ring, 16);
    run_steps(world, 240);
    // Ring thickness against ring thickness: 1 m less twice 0.12 m below, give or take the beads.
    assert_near(sn_rigid_position(world, link).y, -0.76f, 0.08);
    sn_world_destroy(world);
}

static void test_the_geometry_can_be_asked_for_and_is_shared(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_solid parts[5];
    int count = table_parts(parts);
    sn_compound *compound;
    assert_ok(sn_compound_create(parts, count, &compound));
    sn_rigid bodies[3];
    for (int i = 0; i < 3; ++i) {
        bodies[i] = add_ball_at(world, 0.1f, 3.0f * (float)i, 0.0f, 0.0f);
        assert_ok(sn_compound_add(world, bodies[i], NULL, compound, NULL));
    }
    sn_compound_destroy(compound);
    const sn_compound *seen[3];
    for (int i = 0; i < 3; ++i) {
        sn_shape shapes[2];
        assert_int_equal(sn_rigid_shapes(world, bodies[i], shapes, 2), 2);
        assert_int_equal(sn_shape_get_type(world, shapes[1]), SN_COMPOUND);
        seen[i] = sn_shape_compound(world, shapes[1]);
        assert_int_equal(sn_compound_part_count(seen[i]), 5);
    }
    assert_ptr_equal(seen[0], seen[1]);
    assert_ok(sn_rigid_remove(world, bodies[0]));
    assert_ok(sn_rigid_remove(world, bodies[1]));
    assert_int_equal(sn_compound_part(seen[2], 4).type, SN_BOX);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_compound_weighs_what_its_parts_weigh_within_1e_5),
        test_with_memory(test_a_compound_falls_like_a_body_of_the_same_shapes_within_1_mm),
        test_with_memory(test_an_l_tips_over_when_its_arm_is_too_long),
        test_with_memory(test_a_table_stands_on_four_legs_that_carry_its_weight_within_1_per_mille),
        test_with_memory(test_a_ball_lies_between_the_walls_of_a_cup),
        test_with_memory(test_compounds_stack_on_compounds_and_sleep),
        test_with_memory(test_two_links_of_a_chain_hold_each_other),
        test_with_memory(test_the_geometry_can_be_asked_for_and_is_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
