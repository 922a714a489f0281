// Collision exclusions (collision/soft/soft_exclusions.c): what hard anchors hold together does not collide
// there, and collides everywhere else.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/soft_kit.h"

static sn_world *weightless_world(void)
{
    sn_world *world = soft_restless_world();
    assert_ok(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)));
    return world;
}

static sn_deformable add_cube(sn_world *world, sn_vec3 position)
{
    sn_mesh *mesh;
    assert_ok(sn_mesh_box(sn_v(0.4f, 0.4f, 0.4f), 2, 2, 2, &mesh));
    sn_deformable_def def = soft_def(mesh, position);
    def.collide = true;
    def.model = sn_model_corotational(5.0e4f, 0.4f);
    sn_deformable cube = soft_add(world, &def);
    sn_mesh_destroy(mesh);
    return cube;
}

static float fastest_node(const sn_world *world, sn_deformable deformable)
{
    float most = 0.0f;
    for (int i = 0; i < sn_deformable_node_count(world, deformable); ++i) {
        most = sn_max(most, sn_length(sn_deformable_velocities(world, deformable)[i].velocity));
    }
    return most;
}

// A box that touches a face of the cube: closer than the thickness allows.
static sn_rigid add_flush_box(sn_world *world)
{
    return add_box_at(world, 0.1f, 0.3f, 0.0f, 0.0f);
}

static void test_a_body_anchored_to_the_face_of_a_jelly_makes_no_contact(void **state)
{
    (void)state;
    sn_world *world = weightless_world();
    sn_deformable cube = add_cube(world, sn_v(0.0f, 0.0f, 0.0f));
    sn_rigid box = add_flush_box(world);
    sn_vec3 place = {0.2f, 0.0f, 0.0f}; // the middle node of the face, around which all its triangles are
    (void)soft_tie(world, sn_point_on_rigid(world, box, place), sn_point_on_deformable(world, cube, place));
    for (int i = 0; i < 120; ++i) {
        run_steps(world, 1);
        assert_int_equal(sn_deformable_contacts(world, cube, NULL, 0), 0);
    }
    assert_true(fastest_node(world, cube) < 1.0e-5f);
    assert_true(sn_distance_between(sn_rigid_center(world, box), sn_v(0.3f, 0.0f, 0.0f)) < 1.0e-5f);
    sn_world_destroy(world);
}

// Compliant anchors yield to contacts, and a place in the world is no body: neither excludes contacts.
static void test_compliant_anchors_and_those_to_places_exclude_nothing(void **state)
{
    (void)state;
    for (int to_world = 0; to_world < 2; ++to_world) {
        sn_world *world = weightless_world();
        sn_deformable cube = add_cube(world, sn_v(0.0f, 0.0f, 0.0f));
        sn_rigid box = add_flush_box(world);
        sn_vec3 place = {0.2f, 0.0f, 0.0f};
        sn_anchor_def def = sn_anchor_def_default();
        def.a = to_world ? sn_point_world(place) : sn_point_on_rigid(world, box, place);
        def.b = sn_point_on_deformable(world, cube, place);
        def.compliance = to_world ? 0.0f : 1.0e-3f;
        assert_ok(sn_anchor_add(world, &def, NULL));
        run_steps(world, 2);
        assert_true(sn_deformable_contacts(world, cube, NULL, 0) > 0);
        sn_world_destroy(world);
    }
}

// A cloth tied to a ball by its middle is still stopped by it everywhere else.
static void test_the_rest_of_a_tied_sheet_collides(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid ball = add_ball_at(world, 0.3f, 0.0f, 0.0f, 0.0f);
    assert_ok(sn_rigid_type_set(world, ball, SN_STATIC));
    sn_mesh *mesh;
    assert_ok(sn_mesh_grid(1.0f, 1.0f, 16, 16, SN_GRID_ALTERNATING, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.305f, 0.0f));
    def.collide = true;
    def.mass = 0.2f;
    def.inextensible.on = true;
    def.linear_damping = 2.0f;
    def.pose.rotation = sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), -0.5f * SN_PI);
    sn_deformable cloth = soft_add(world, &def);
    sn_mesh_destroy(mesh);
    int middle = 8 * 17 + 8;
    (void)soft_tie(world, sn_point_on_rigid(world, ball, sn_v(0.0f, 0.3f, 0.0f)),
                   sn_point_node(cloth, middle));
    run_steps(world, 240);
    assert_true(sn_deformable_contacts(world, cloth, NULL, 0) > 20);
    for (int i = 0; i < sn_deformable_node_count(world, cloth); ++i) {
        float away = sn_length(soft_node(world, cloth, i));
        assert_true(i == middle ? sn_abs(away - 0.3f) < 1.0e-3f : away > 0.3f);
    }
    sn_world_destroy(world);
}

// Sewn together along a seam, two sheets rest; the same without the seam are pushed apart.
static void test_sheets_sewn_together_do_not_push_each_other_apart(void **state)
{
    (void)state;
    for (int sewn = 0; sewn < 2; ++sewn) {
        sn_world *world = weightless_world();
        sn_mesh *mesh;
        assert_ok(sn_mesh_grid(0.5f, 0.5f, 4, 4, SN_GRID_FORWARD, &mesh));
        sn_deformable sheets[2];
        for (int i = 0; i < 2; ++i) {
            sn_deformable_def def = soft_def(mesh, sn_v(0.5f * (float)i, 0.0f, 0.0f));
            def.collide = true;
            def.mass = 0.2f;
            def.inextensible.on = true;
            sheets[i] = soft_add(world, &def);
        }
        sn_mesh_destroy(mesh);
        for (int row = 0; sewn && row <= 4; ++row) { // the last column of one to the first of the other
            (void)soft_tie(world, sn_point_node(sheets[0], 5 * row + 4), sn_point_node(sheets[1], 5 * row));
        }
        run_steps(world, 1);
        assert_true(sewn || sn_deformable_contacts(world, sheets[0], NULL, 0) > 0);
        run_steps(world, 59);
        assert_true(!sewn || sn_deformable_contacts(world, sheets[0], NULL, 0) == 0);
        assert_true(!sewn || fastest_node(world, sheets[0]) < 1.0e-6f);
        sn_world_destroy(world);
    }
}

// Three sheets that share an edge, the second sewn to the first and the third to the second. Exact anchors
// make the nodes of all three one point, so the first and the third do not collide either.
static void test_what_exact_anchors_make_one_point_does_not_collide_there(void **state)
{
    (void)state;
    for (int exact = 0; exact < 2; ++exact) {
        sn_world *world = weightless_world();
        sn_mesh *mesh;
        assert_ok(sn_mesh_grid(0.5f, 0.5f, 4, 4, SN_GRID_FORWARD, &mesh));
        sn_deformable sheets[3];
        for (int i = 0; i < 3; ++i) {
            float angle = 0.5f * SN_PI * (float)i;
            sn_deformable_def def = soft_def(mesh, sn_v(0.25f * sn_cos(angle), 0.0f, -0.25f * sn_sin(angle)));
            def.pose.rotation = sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), angle);
            def.collide = true;
            def.mass = 0.2f;
            def.inextensible.on = true;
            sheets[i] = soft_add(world, &def);
        }
        sn_mesh_destroy(mesh);
        for (int k = 0; k < 10; ++k) {
            sn_anchor_def def = sn_anchor_def_default();
            def.a = sn_point_node(sheets[k % 2], 5 * (k / 2));
            def.b = sn_point_node(sheets[k % 2 + 1], 5 * (k / 2));
            def.exact = exact == 1;
            assert_ok(sn_anchor_add(world, &def, NULL));
        }
        run_steps(world, 2);
        int contacts = sn_deformable_contacts(world, sheets[0], NULL, 0);
        assert_true(exact ? contacts == 0 : contacts > 0);
        sn_world_destroy(world);
    }
}

// A cube closer to a sheet than its thickness: unless it slides along the sheet, it is pushed off.
static void test_what_slides_along_a_surface_does_not_collide_with_it(void **state)
{
    (void)state;
    for (int slides = 0; slides < 2; ++slides) {
        sn_world *world = weightless_world();
        sn_mesh *mesh;
        assert_ok(sn_mesh_grid(0.5f, 0.5f, 4, 4, SN_GRID_FORWARD, &mesh));
        sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.0f, 0.0f));
        def.collide = true;
        def.mass = 0.2f;
        sn_deformable sheet = soft_add(world, &def);
        sn_mesh_destroy(mesh);
        sn_deformable cube = add_cube(world, sn_v(0.03f, 0.02f, 0.204f));
        sn_anchor_def anchor = sn_anchor_def_default();
        anchor.a = sn_point_on_deformable(world, cube, sn_v(0.03f, 0.02f, 0.004f));
        anchor.b = sn_point_surface(sheet);
        anchor.exact = true;
        anchor.active = slides == 1;
        assert_ok(sn_anchor_add(world, &anchor, NULL));
        run_steps(world, 1);
        int contacts = sn_deformable_contacts(world, cube, NULL, 0), around = 0;
        sn_soft_contact found[64];
        (void)sn_deformable_contacts(world, cube, found, 64);
        for (int i = 0; i < contacts && i < 64; ++i) {
            around += sn_distance_between(found[i].position, sn_v(0.03f, 0.02f, 0.0f)) < 0.05f ? 1 : 0;
        }
        assert_int_equal(around == 0, slides);
        sn_world_destroy(world);
    }
}

static void test_contacts_return_when_the_anchor_goes(void **state)
{
    (void)state;
    sn_world *world = weightless_world();
    sn_deformable cube = add_cube(world, sn_v(0.0f, 0.0f, 0.0f));
    sn_rigid box = add_flush_box(world);
    sn_vec3 place = {0.2f, 0.0f, 0.0f};
    sn_anchor anchor =
        soft_tie(world, sn_point_on_rigid(world, box, place), sn_point_on_deformable(world, cube, place));
    run_steps(world, 5);
    assert_int_equal(sn_deformable_contacts(world, cube, NULL, 0), 0);
    assert_ok(sn_anchor_remove(world, anchor));
    run_steps(world, 1);
    assert_true(sn_deformable_contacts(world, cube, NULL, 0) > 0);
    run_steps(world, 120);
    assert_true(sn_rigid_center(world, box).x > 0.302f); // pushed off, as far as the thickness requires
    sn_world_destroy(world);
}

// 1 m along x from the origin.
static sn_deformable add_strand(sn_world *world)
{
    sn_mesh *mesh = NULL;
    assert_ok(sn_mesh_line(1.0f, 10, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(0.5f, 0.0f, 0.0f));
    def.collide = true;
    def.density = 0.1f;
    def.inextensible.on = true;
    sn_deformable strand = soft_add(world, &def);
    sn_mesh_destroy(mesh);
    return strand;
}

// A strand that begins on the axis of a ball, whose nodes at 0.1, 0.2 … m from there end outside of it.
static void test_nodes_that_a_body_covers_around_an_anchor_make_no_contact(void **state)
{
    (void)state;
    for (int shape_comes_last = 0; shape_comes_last < 2; ++shape_comes_last) {
        sn_world *world = weightless_world();
        sn_deformable rope = add_strand(world);
        sn_rigid ball = {0};
        sn_rigid_def def = sn_rigid_def_default();
        const sn_sphere sphere = {.radius = 0.25f};
        assert_ok(sn_rigid_add(world, &def, &ball));
        if (!shape_comes_last) {
            assert_ok(sn_sphere_add(world, ball, NULL, sphere, NULL));
        }
        (void)soft_tie(world, sn_point_rigid(ball, sn_v(0.0f, 0.0f, 0.0f)), sn_point_node(rope, 0));
        run_steps(world, 1);
        if (shape_comes_last) {
            assert_ok(sn_sphere_add(world, ball, NULL, sphere, NULL));
        }
        for (int i = 0; i < 60; ++i) {
            run_steps(world, 1);
            assert_int_equal(sn_deformable_contacts(world, rope, NULL, 0), 0);
        }
        assert_true(fastest_node(world, rope) < 1.0e-3f);
        assert_true(sn_world_statistics(world).largest_stretch < 1.0e-4f);
        assert_int_equal(sn_world_statistics(world).crossing_count, 0);
        sn_world_destroy(world);
    }
}

// The end of the same strand, bent back to the ball, collides with it.
static void test_nodes_that_only_come_near_the_body_of_an_anchor_collide_with_it(void **state)
{
    (void)state;
    sn_world *world = weightless_world();
    sn_deformable rope = add_strand(world);
    sn_rigid ball = {0};
    sn_rigid_def def = sn_rigid_def_default();
    sn_node_state *nodes = NULL;
    sn_node_velocity *velocities = NULL;
    assert_ok(sn_rigid_add(world, &def, &ball));
    assert_ok(sn_sphere_add(world, ball, NULL, (sn_sphere){.radius = 0.25f}, NULL));
    (void)soft_tie(world, sn_point_rigid(ball, sn_v(0.0f, 0.0f, 0.0f)), sn_point_node(rope, 0));
    assert_ok(sn_deformable_edit(world, rope, &nodes, &velocities));
    for (int i = 6; i <= 10; ++i) { // back along the y axis
        nodes[i].position = sn_v(0.5f - 0.05f * (float)(i - 5), 0.086f * (float)(i - 5), 0.0f);
        velocities[i].velocity = sn_v(0.0f, -2.0f, 0.0f);
    }
    int most = 0;
    for (int i = 0; i < 30; ++i) {
        run_steps(world, 1);
        int count = sn_deformable_contacts(world, rope, NULL, 0);
        most = count > most ? count : most;
    }
    assert_true(most > 0);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_body_anchored_to_the_face_of_a_jelly_makes_no_contact),
        test_with_memory(test_compliant_anchors_and_those_to_places_exclude_nothing),
        test_with_memory(test_the_rest_of_a_tied_sheet_collides),
        test_with_memory(test_sheets_sewn_together_do_not_push_each_other_apart),
        test_with_memory(test_contacts_return_when_the_anchor_goes),
        test_with_memory(test_what_exact_anchors_make_one_point_does_not_collide_there),
        test_with_memory(test_what_slides_along_a_surface_does_not_collide_with_it),
        test_with_memory(test_nodes_that_a_body_covers_around_an_anchor_make_no_contact),
        test_with_memory(test_nodes_that_only_come_near_the_body_of_an_anchor_collide_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
