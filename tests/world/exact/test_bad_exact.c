// Bad input to exact anchors: what is refused, and what is done instead where nothing can be met exactly.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/exact_kit.h"
#include "world/deformables/bad_soft.h"

static sn_anchor_def good_def(const bad_soft *s)
{
    return exact_def(sn_point_world(sn_v(25.0f, 10.0f, 0.0f)), sn_point_node(s->rope, 2));
}

static void refuse_def(bad_soft *s, const sn_anchor_def *def, sn_status expected, const char *part)
{
    refuse_answer(s->scene, &s->anchor, expected, part, sn_anchor_add(s->world, def, &s->anchor));
}

// --- refused -----------------------------------------------------------------------------------------------

static void test_exact_anchors_are_hard_and_without_a_largest_force(void **state)
{
    bad_soft *s = *state;
    sn_anchor_def def = good_def(s);
    def.compliance = 1.0e-9f;
    refuse_def(s, &def, SN_ERROR_RANGE, "exact with compliance 1e-09");
    def = good_def(s);
    def.max_force = 1.0e30f;
    refuse_def(s, &def, SN_ERROR_RANGE, "max_force 1e+30");
}

static void test_times_must_be_numbers_in_order(void **state)
{
    bad_soft *s = *state;
    const struct {
        float from, until;
        sn_status expected;
        const char *part;
    } rows[] = {
        {NAN, 1.0f, SN_ERROR_NOT_FINITE, "active_from is nan"},
        {0.0f, NAN, SN_ERROR_NOT_FINITE, "active_until is nan"},
        {-1.0f, 1.0f, SN_ERROR_RANGE, "active_from is -1"},
        {-INFINITY, 1.0f, SN_ERROR_RANGE, "active_from is -inf"},
        {1.0f, 1.0f, SN_ERROR_RANGE, "active_until is 1"},
        {2.0f, 1.0f, SN_ERROR_RANGE, "active_until is 1"},
        {INFINITY, INFINITY, SN_ERROR_RANGE, "active_until is inf"},
        {0.0f, 0.0f, SN_ERROR_RANGE, "active_until is 0"},
    };
    for (size_t i = 0; i < bad_count(rows); ++i) {
        for (int exact = 0; exact < 2; ++exact) {
            sn_anchor_def def = good_def(s);
            def.exact = exact == 1;
            def.active_from = rows[i].from;
            def.active_until = rows[i].until;
            refuse_def(s, &def, rows[i].expected, rows[i].part);
        }
    }
}

static void test_ramps_have_one_to_a_million_steps(void **state)
{
    bad_soft *s = *state;
    const int bad[] = {0, -1, 1000001, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < bad_count(bad); ++i) {
        sn_anchor_def def = good_def(s);
        def.ramp_steps = bad[i];
        refuse_def(s, &def, SN_ERROR_RANGE, "ramp_steps is");
    }
}

static void test_friction_is_a_number_from_zero(void **state)
{
    bad_soft *s = *state;
    const bad_field rows[] = {
        {offsetof(sn_anchor_def, friction), -0.1f, SN_ERROR_RANGE, "friction is -0.1"},
        {offsetof(sn_anchor_def, friction), 1001.0f, SN_ERROR_RANGE, "friction is 1001"},
        {offsetof(sn_anchor_def, friction), NAN, SN_ERROR_NOT_FINITE, "friction is nan"},
        {offsetof(sn_anchor_def, friction), INFINITY, SN_ERROR_NOT_FINITE, "friction is inf"},
    };
    for (size_t i = 0; i < bad_count(rows); ++i) {
        sn_anchor_def def = good_def(s);
        def.a = sn_point_surface(s->cloth);
        bad_spoil(&def, &rows[i]);
        refuse_def(s, &def, rows[i].expected, rows[i].part);
    }
}

static void test_a_surface_is_at_one_end_of_an_exact_anchor(void **state)
{
    bad_soft *s = *state;
    sn_point sheet = sn_point_surface(s->cloth), strand = sn_point_surface(s->rope);
    sn_anchor_def def = exact_def(sheet, strand);
    refuse_def(s, &def, SN_ERROR_KIND, "both ends are surfaces");
    def = exact_def(sheet, sheet);
    refuse_def(s, &def, SN_ERROR_KIND, "both ends are surfaces");
    def = exact_def(sheet, sn_point_node(s->rope, 1));
    def.exact = false;
    refuse_def(s, &def, SN_ERROR_KIND, "not exact");
    refuse(s->scene, SN_ERROR_KIND, "not exact", sn_anchor_point_set(s->world, s->nail, 0, &sheet));
    def.exact = true;
    sn_anchor slider = exact_add(s->world, &def);
    bad_scene_settled(s->scene);
    refuse(s->scene, SN_ERROR_KIND, "both ends", sn_anchor_point_set(s->world, slider, 1, &strand));
}

static void test_surfaces_of_what_does_not_exist_are_refused(void **state)
{
    bad_soft *s = *state;
    for (int i = 0; i < BAD_IDS; ++i) {
        sn_point point = sn_point_surface(s->no_deformable[i]);
        sn_anchor_def def = good_def(s);
        def.a = point;
        refuse_def(s, &def, SN_ERROR_ID, "deformable id");
        refuse(s->scene, SN_ERROR_ID, "deformable id", sn_anchor_point_set(s->world, s->nail, 0, &point));
    }
}

static void test_a_surface_has_no_place_before_an_anchor_tells_it(void **state)
{
    bad_soft *s = *state;
    sn_point point = sn_point_surface(s->cloth);
    sn_vec3 place;
    refuse(s->scene, SN_ERROR_RANGE, "node_count is 0", sn_point_place(s->world, &point, &place));
    point.node_count = INT32_MAX;
    refuse(s->scene, SN_ERROR_RANGE, "node_count is", sn_point_place(s->world, &point, &place));
}

// What is written into them is nobody's business.
static void test_nodes_of_a_surface_are_ignored(void **state)
{
    bad_soft *s = *state;
    sn_anchor_def def = exact_def(sn_point_surface(s->cloth), sn_point_node(s->rope, 2));
    def.a.node_count = INT32_MIN;
    def.a.nodes[0] = INT32_MAX;
    def.a.weights[2] = NAN;
    def.a.position = sn_v(NAN, NAN, NAN);
    sn_anchor anchor = exact_add(s->world, &def);
    sn_point told = sn_anchor_definition(s->world, anchor).a;
    assert_int_equal(told.node_count, 3);
    assert_true(sn_vec3_is_finite(told.position));
    assert_int_equal(sn_world_step(s->world, BAD_STEP), SN_OK);
    assert_true(sn_anchor_error(s->world, anchor) < 1.0e-5f);
}

static void test_anchors_that_do_not_exist_cannot_be_switched(void **state)
{
    bad_soft *s = *state;
    for (int i = 0; i < BAD_IDS; ++i) {
        refuse(s->scene, SN_ERROR_ID, "constraint id",
               sn_anchor_active_set(s->world, s->no_anchor[i], false));
        refuse(s->scene, SN_ERROR_ID, "constraint id", sn_anchor_active_set(s->world, s->no_anchor[i], true));
        assert_int_equal(sn_anchor_hold_now(s->world, s->no_anchor[i]), SN_ANCHOR_OFF);
    }
    refuse(s->scene, SN_ERROR_NULL, "world is null", sn_anchor_active_set(NULL, s->nail, true));
    assert_int_equal(sn_anchor_hold_now(NULL, s->nail), SN_ANCHOR_OFF);
}

static int switch_from_inside(const sn_row_input *input, const void *data, sn_row *rows)
{
    (void)input;
    (void)rows;
    const bad_soft *s = *(bad_soft *const *)data;
    sn_anchor_def def = good_def(s);
    assert_int_equal(sn_anchor_active_set(s->world, s->nail, false), SN_ERROR_LOCKED);
    assert_int_equal(sn_anchor_add(s->world, &def, NULL), SN_ERROR_LOCKED);
    assert_int_equal(sn_anchor_hold_now(s->world, s->nail), SN_ANCHOR_ROWS);
    return 0;
}

static void test_nothing_is_switched_inside_a_step(void **state)
{
    bad_soft *s = *state;
    assert_int_equal(sn_custom_register(s->world, "switch", switch_from_inside, sizeof s), SN_OK);
    sn_custom_def def = sn_custom_def_default();
    assert_int_equal(sn_constraint_place(s->world, &def.common, sn_world_ground(s->world), s->scene->crate,
                                         sn_v(0, 0, 0), sn_v(1, 0, 0)),
                     SN_OK);
    def.kind_name = "switch";
    def.data = &s;
    assert_int_equal(sn_custom_add(s->world, &def, NULL), SN_OK);
    assert_int_equal(sn_world_step(s->world, BAD_STEP), SN_OK);
}

static void test_without_memory_no_exact_anchor_is_added(void **state)
{
    bad_soft *s = *state;
    int allowed = 0;
    sn_status status = SN_ERROR_MEMORY;
    sn_anchor_def def = exact_def(sn_point_surface(s->cloth), sn_point_node(s->rope, 2));
    def.name = "ring";
    for (; status == SN_ERROR_MEMORY; ++allowed) {
        test_memory_allow(allowed);
        status = sn_anchor_add(s->world, &def, NULL);
        test_memory_allow_all();
        assert_int_equal(sn_world_anchors(s->world, NULL, 0), status == SN_OK ? 2 : 1);
    }
    assert_int_equal(status, SN_OK);
    assert_true(allowed > 4);
}

static void test_without_memory_an_end_stays_where_it_is(void **state)
{
    bad_soft *s = *state;
    sn_anchor_def def = good_def(s);
    sn_anchor anchor = exact_add(s->world, &def);
    bad_scene_settled(s->scene);
    sn_point sheet = sn_point_surface(s->cloth);
    for (int allowed = 0; allowed < 4; ++allowed) {
        test_memory_allow(allowed);
        assert_int_equal(sn_anchor_point_set(s->world, anchor, 0, &sheet), SN_ERROR_MEMORY);
        test_memory_allow_all();
        assert_true(sn_world_hash(s->world) == s->scene->hash);
    }
}

// Sets, links, surfaces and rows, planned for the first time while memory fails at every allocation.
static void test_a_step_without_memory_moves_nothing(void **state)
{
    bad_soft *s = *state;
    for (int i = 0; i < 12; ++i) {
        (void)exact_tie(s->world, sn_point_node(s->jelly, i), sn_point_node(s->jelly, i + 13));
        (void)exact_tie(s->world, sn_point_node(s->cloth, i), sn_point_world(sn_v(22.0f, (float)i, 0.0f)));
    }
    (void)exact_tie(s->world, sn_point_nodes(s->rope, (int[]){1, 2}, (float[]){0.5f, 0.5f}, 2),
                    sn_point_rigid(s->scene->rod, sn_v(0, 0, 0)));
    (void)exact_tie(s->world, sn_point_node(s->rope, 4), sn_point_surface(s->cloth));
    (void)exact_tie(s->world, sn_point_node(s->rope, 3), sn_point_rigid(s->scene->crate, sn_v(0, 0, 0)));
    (void)exact_tie(s->world, sn_point_node(s->rope, 3), sn_point_rigid(s->scene->ball, sn_v(0, 0, 0)));
    sn_status status = SN_ERROR_MEMORY;
    int refused = 0;
    sn_node_state before[27];
    memcpy(before, sn_deformable_nodes(s->world, s->jelly), sizeof before);
    sn_energy energy = sn_world_energy(s->world);
    for (int allowed = 0; status == SN_ERROR_MEMORY; ++allowed) {
        assert_memory_equal(before, sn_deformable_nodes(s->world, s->jelly), sizeof before);
        sn_energy now = sn_world_energy(s->world);
        assert_memory_equal(&now, &energy, sizeof now);
        test_memory_allow(allowed);
        status = sn_world_step(s->world, BAD_STEP);
        test_memory_allow_all();
        refused += status == SN_ERROR_MEMORY ? 1 : 0;
    }
    assert_int_equal(status, SN_OK);
    assert_in_range(refused, 6, 1000);
    assert_int_equal(sn_world_statistics(s->world).exact_count, 27);
    assert_int_equal(sn_world_statistics(s->world).exact_rows_count, 1);
}

static void test_without_memory_nothing_is_said_to_be_exact(void **state)
{
    bad_soft *s = *state;
    sn_anchor_def def = good_def(s);
    sn_anchor anchor = exact_add(s->world, &def);
    test_memory_allow(0);
    bad_listen(s->scene);
    assert_int_equal(sn_anchor_hold_now(s->world, anchor), SN_ANCHOR_ROWS_INSTEAD);
    assert_non_null(strstr(sn_world_error(s->world), "memory"));
    test_memory_allow_all();
    assert_int_equal(sn_anchor_hold_now(s->world, anchor), SN_ANCHOR_EXACT);
}

// --- done as well as can be --------------------------------------------------------------------------------

static void step_some(bad_soft *s)
{
    for (int i = 0; i < 30; ++i) {
        assert_int_equal(sn_world_step(s->world, BAD_STEP), SN_OK);
        assert_int_equal(sn_world_statistics(s->world).frozen_node_count, 0);
    }
}

static void test_switching_twice_changes_nothing(void **state)
{
    bad_soft *s = *state;
    sn_anchor_def def = good_def(s);
    sn_anchor anchor = exact_add(s->world, &def);
    for (int on = 1; on >= 0; --on) {
        assert_int_equal(sn_anchor_active_set(s->world, anchor, on == 1), SN_OK);
        uint64_t hash = sn_world_hash(s->world);
        assert_int_equal(sn_anchor_active_set(s->world, anchor, on == 1), SN_OK);
        assert_true(sn_world_hash(s->world) == hash);
    }
    step_some(s);
}

static void test_a_node_of_a_face_is_held_to_that_face(void **state)
{
    bad_soft *s = *state;
    sn_point face = sn_point_nodes(s->cloth, (int[]){0, 1, 4}, (float[]){0.25f, 0.25f, 0.5f}, 3);
    sn_anchor anchor = exact_tie(s->world, sn_point_node(s->cloth, 1), face);
    step_some(s);
    assert_true(sn_anchor_error(s->world, anchor) < 1.0e-5f);
}

static void test_a_node_is_held_to_its_own_surface(void **state)
{
    bad_soft *s = *state;
    sn_anchor anchor = exact_tie(s->world, sn_point_node(s->cloth, 5), sn_point_surface(s->cloth));
    step_some(s);
    assert_true(sn_anchor_error(s->world, anchor) < 1.0e-5f);
}

static void test_a_sum_is_held_to_itself(void **state)
{
    bad_soft *s = *state;
    sn_point sum = sn_point_nodes(s->cloth, (int[]){0, 0, 0, 0}, (float[]){0.25f, 0.25f, 0.25f, 0.25f}, 4);
    (void)exact_tie(s->world, sum, sum);
    (void)exact_tie(s->world, sn_point_node(s->cloth, 3), sn_point_node(s->cloth, 3));
    step_some(s);
}

static void test_places_that_contradict_each_other_end_in_peace(void **state)
{
    bad_soft *s = *state;
    sn_anchor first = {0};
    for (int i = 0; i < 20; ++i) {
        sn_anchor tie = exact_tie(s->world, sn_point_node(s->rope, 2),
                                  sn_point_world(sn_v(25.0f, 10.0f, 0.02f * (float)i)));
        (void)exact_tie(s->world, sn_point_node(s->rope, 2),
                        sn_point_rigid(s->scene->lift, sn_v(0.1f * (float)i, 0, 0)));
        (void)exact_tie(s->world, sn_point_nodes(s->rope, (int[]){3, 4}, (float[]){0.5f, 0.5f}, 2),
                        sn_point_world(sn_v(25.3f, 10.0f, 0.02f * (float)i)));
        first = i == 0 ? tie : first;
    }
    assert_int_equal(sn_anchor_hold_now(s->world, first), SN_CONSTRAINT_EXACT);
    step_some(s);
    // Rows pull so hard at the two that are exact that these yield.
    assert_int_equal(sn_world_statistics(s->world).exact_count, 0);
    assert_int_equal(sn_world_statistics(s->world).exact_rows_count, 20 * 3);
    assert_int_equal(sn_anchor_hold_now(s->world, first), SN_CONSTRAINT_ROWS_INSTEAD);
    assert_true(sn_world_energy(s->world).kinetic < 100.0 * sn_world_energy(s->world).mass);
    // Users may try again.
    assert_int_equal(sn_anchor_active_set(s->world, first, false), SN_OK);
    assert_int_equal(sn_anchor_active_set(s->world, first, true), SN_OK);
    assert_int_equal(sn_anchor_hold_now(s->world, first), SN_CONSTRAINT_EXACT);
}

static void test_both_ends_fixed_hold_nothing(void **state)
{
    bad_soft *s = *state;
    assert_int_equal(sn_node_fix(s->world, s->rope, 2, true), SN_OK);
    assert_int_equal(sn_node_fix(s->world, s->rope, 3, true), SN_OK);
    sn_anchor nodes = exact_tie(s->world, sn_point_node(s->rope, 2), sn_point_node(s->rope, 3));
    sn_anchor place = exact_tie(s->world, sn_point_node(s->rope, 2), sn_point_world(sn_v(0, 0, 0)));
    sn_anchor sum = exact_tie(s->world, sn_point_nodes(s->rope, (int[]){2, 3}, (float[]){0.5f, 0.5f}, 2),
                              sn_point_world(sn_v(0, 0, 0)));
    assert_int_equal(sn_anchor_hold_now(s->world, nodes), SN_ANCHOR_ROWS_INSTEAD);
    assert_int_equal(sn_anchor_hold_now(s->world, place), SN_ANCHOR_ROWS_INSTEAD);
    assert_int_equal(sn_anchor_hold_now(s->world, sum), SN_ANCHOR_ROWS_INSTEAD);
    step_some(s);
}

// A sheet with a hole in it: whatever slides stops at the rim, and nothing happens to the rest.
static void test_a_surface_with_a_hole_is_slid_along_to_its_rim(void **state)
{
    bad_soft *s = *state;
    sn_vec3 nodes[16];
    uint32_t triangles[3 * 16];
    int count = 0;
    for (int i = 0; i < 16; ++i) {
        nodes[i] = sn_v((float)(i % 4), 0.0f, (float)(i / 4));
    }
    for (int cell = 0; cell < 9; ++cell) {
        uint32_t a = (uint32_t)(cell / 3 * 4 + cell % 3);
        const uint32_t corners[6] = {a, a + 4, a + 1, a + 1, a + 4, a + 5};
        for (int k = 0; cell != 4 && k < 6; ++k) {
            triangles[count++] = corners[k];
        }
    }
    sn_mesh_def mesh_def = sn_mesh_def_default();
    mesh_def.nodes = nodes;
    mesh_def.node_count = 16;
    mesh_def.triangles = triangles;
    mesh_def.triangle_count = count / 3;
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_create(&mesh_def, &mesh), SN_OK);
    sn_deformable_def def = soft_def(mesh, sn_v(30.0f, 10.0f, 0.0f));
    def.density = 1.0f;
    sn_deformable sheet = soft_add(s->world, &def);
    sn_mesh_destroy(mesh);
    for (int i = 0; i < 16; ++i) {
        assert_int_equal(sn_node_fix(s->world, sheet, i, true), SN_OK);
    }
    sn_deformable bead = soft_rope(s->world, 1, sn_v(30.5f, 10.0f, 1.5f));
    sn_anchor anchor = exact_tie(s->world, sn_point_node(bead, 1), sn_point_surface(sheet));
    assert_int_equal(sn_world_gravity_set(s->world, sn_v(9.81f, 0.0f, 0.0f)), SN_OK); // towards the hole
    step_some(s);
    sn_vec3 place = soft_node(s->world, bead, 1);
    assert_true(sn_anchor_error(s->world, anchor) < 1.0e-5f);
    assert_true(place.x <= 31.0f + 1.0e-4f || place.x >= 32.0f - 1.0e-4f || place.z <= 1.0f + 1.0e-4f ||
                place.z >= 2.0f - 1.0e-4f);
}

static void test_far_ends_are_brought_together_without_breaking_the_world(void **state)
{
    bad_soft *s = *state;
    sn_anchor nail = exact_tie(s->world, sn_point_world(sn_v(9.0e5f, 0, 0)), sn_point_node(s->rope, 2));
    for (int i = 0; i < 30; ++i) {
        assert_int_equal(sn_world_step(s->world, BAD_STEP), SN_OK);
        assert_float_equal(sn_anchor_error(s->world, nail), 0.0f, 0.0f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        bad_soft_test(test_exact_anchors_are_hard_and_without_a_largest_force),
        bad_soft_test(test_times_must_be_numbers_in_order),
        bad_soft_test(test_ramps_have_one_to_a_million_steps),
        bad_soft_test(test_friction_is_a_number_from_zero),
        bad_soft_test(test_a_surface_is_at_one_end_of_an_exact_anchor),
        bad_soft_test(test_surfaces_of_what_does_not_exist_are_refused),
        bad_soft_test(test_a_surface_has_no_place_before_an_anchor_tells_it),
        bad_soft_test(test_nodes_of_a_surface_are_ignored),
        bad_soft_test(test_anchors_that_do_not_exist_cannot_be_switched),
        bad_soft_test(test_nothing_is_switched_inside_a_step),
        bad_soft_test(test_without_memory_no_exact_anchor_is_added),
        bad_soft_test(test_without_memory_an_end_stays_where_it_is),
        bad_soft_test(test_a_step_without_memory_moves_nothing),
        bad_soft_test(test_without_memory_nothing_is_said_to_be_exact),
        bad_soft_test(test_switching_twice_changes_nothing),
        bad_soft_test(test_a_node_of_a_face_is_held_to_that_face),
        bad_soft_test(test_a_node_is_held_to_its_own_surface),
        bad_soft_test(test_a_sum_is_held_to_itself),
        bad_soft_test(test_places_that_contradict_each_other_end_in_peace),
        bad_soft_test(test_both_ends_fixed_hold_nothing),
        bad_soft_test(test_a_surface_with_a_hole_is_slid_along_to_its_rim),
        bad_soft_test(test_far_ends_are_brought_together_without_breaking_the_world),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    print_message("%d refused calls judged\n", bad_row_count);
    return failures;
}
