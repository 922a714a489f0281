// How firmly deformables of all kinds are held together, for the staggered solver.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/element_rig.h"

static const float h = 0.02f;

static float held_by(const sn_mesh *mesh, sn_model model, bool hard_edges)
{
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.mass = 1.0f;
    def.model = model;
    def.inextensible.on = hard_edges;
    element_rig rig;
    rig_make(&rig, &def, h);
    float held = sn_deformable_rigid_mode_share(&rig.data, h);
    rig_free(&rig);
    return held;
}

static sn_mesh *make_box(void)
{
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_box(sn_v(0.3f, 0.3f, 0.3f), 3, 3, 3, &mesh), SN_OK); // 64 nodes
    return mesh;
}

static void test_springs_hold_by_what_implicit_euler_makes_of_them(void **state)
{
    (void)state;
    sn_mesh *mesh = make_box();
    double s = 0.02 * (0.02 * 10.0 + 0.1) * 64.0; // h (h k + d)/m
    float held = held_by(mesh, sn_model_springs(10.0f, 0.1f), false);
    assert_float_equal((double)held, s / (1.0 + s), 1.0e-5);
    sn_mesh_destroy(mesh);
}

static void test_what_is_stiffer_is_held_more_but_never_quite(void **state)
{
    (void)state;
    sn_mesh *mesh = make_box();
    float last = 0.0f;
    for (float young = 1.0f; young < 2.0e12f; young *= 10.0f) {
        float held = held_by(mesh, sn_model_corotational(young, 0.3f), false);
        assert_true(held > last || held == 0.97f);
        assert_true(held <= 0.97f);
        last = held;
    }
    assert_true(last == 0.97f);
    assert_true(held_by(mesh, sn_model_springs(0.01f, 0.0f), true) == 0.97f); // hard edges
    sn_mesh_destroy(mesh);
}

static void test_goals_hold_by_what_is_gone_after_three_steps(void **state)
{
    (void)state;
    sn_mesh *mesh = make_box();
    double left = pow(1.0 - 0.2, 60.0 * 0.02 * 3.0);
    float held = held_by(mesh, sn_model_position_based(0.2f, 0.0f), false);
    assert_float_equal((double)held, 1.0 - left, 1.0e-5);
    assert_true(held_by(mesh, sn_model_shape_matching(0.2f, SN_MATCH_RIGID, 0.0f), false) == held);
    assert_true(held_by(mesh, sn_model_shape_matching(0.0f, SN_MATCH_RIGID, 0.0f), false) == 0.0f);
    sn_mesh_destroy(mesh);
}

static void test_sheets_and_what_nothing_holds_have_no_rigid_mode(void **state)
{
    (void)state;
    sn_mesh *sheet = NULL, *box = make_box();
    assert_int_equal(sn_mesh_grid(1.0f, 1.0f, 4, 4, SN_GRID_ALTERNATING, &sheet), SN_OK);
    assert_true(held_by(sheet, sn_model_springs(1.0e4f, 1.0f), true) == 0.0f);
    assert_true(held_by(box, sn_model_none(), false) == 0.0f);
    sn_mesh_destroy(sheet);
    sn_mesh_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_springs_hold_by_what_implicit_euler_makes_of_them),
        cmocka_unit_test(test_what_is_stiffer_is_held_more_but_never_quite),
        cmocka_unit_test(test_goals_hold_by_what_is_gone_after_three_steps),
        cmocka_unit_test(test_sheets_and_what_nothing_holds_have_no_rigid_mode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
