// Rows of edges against their closed forms; what all kinds of elements have in common is in
// test_elements_gauntlet.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solver/elements/edge_block.h"
#include "support/element_rig.h"
#include "support/memory.h"

static const float h = 1.0f / 800.0f;
static const float length = 0.4f;
// Of the two nodes: 0.3 and 0.3 kg.
static const double mass = 0.3, kappa = 2.0 / 0.3;

static sn_deformable_def edge_def(void)
{
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_line(length, 1, &mesh), SN_OK);
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.mass = (float)(2.0 * mass);
    def.inextensible.on = true;
    return def;
}

// One edge, stretched by a factor.
static void make(element_rig *rig, const sn_deformable_def *def, float stretch)
{
    rig_make(rig, def, h);
    sn_mesh_destroy((sn_mesh *)def->mesh);
    rig_position(rig, 0)->x *= stretch;
    rig_position(rig, 1)->x *= stretch;
    rig_refresh(rig);
}

static double error_of(element_rig *rig)
{
    sn_vec3 along = sn_sub(*rig_position(rig, 1), *rig_position(rig, 0));
    return (double)sn_length(along) - (double)length;
}

// The impulse that pushes the ends apart.
static double impulse_of(element_rig *rig)
{
    return mass * (double)rig_velocity(rig, 1)->x;
}

static void test_the_error_of_a_hard_edge_decays_by_the_same_share_every_sub_step(void **state)
{
    (void)state;
    element_rig rig;
    sn_deformable_def def = edge_def();
    make(&rig, &def, 1.1f);
    double share = 1.0 - (double)(h * rig.pass.hard.bias_rate * rig.pass.hard.mass_scale);
    double before = error_of(&rig);
    for (int i = 0; i < 8; ++i) {
        rig_sub_step(&rig);
        assert_float_equal(error_of(&rig) / before, share, 1.0e-3);
        assert_float_equal((double)rig_velocity(&rig, 1)->x, 0.0, 1.0e-5); // relaxed
        before = error_of(&rig);
    }
    rig_free(&rig);
}

// Λ = −h k C/(1 + κh(d + hk)).
static void test_a_spring_from_rest_gets_the_impulse_of_implicit_euler(void **state)
{
    (void)state;
    const double stiffness = 800.0, damping = 3.0;
    element_rig rig;
    sn_deformable_def def = edge_def();
    def.inextensible.compliance = (float)(1.0 / stiffness);
    def.inextensible.damping = (float)damping;
    make(&rig, &def, 1.2f);
    double expected = -(double)h * stiffness * error_of(&rig) /
                      (1.0 + kappa * (double)h * (damping + (double)h * stiffness));
    rig_warm_start(&rig);
    rig_solve(&rig);
    assert_float_equal(impulse_of(&rig), expected, 1.0e-5 * fabs(expected));
    rig_free(&rig);
}

// A load that pulls the ends apart stretches it by load/stiffness.
static void test_a_spring_comes_to_rest_where_hooke_says(void **state)
{
    (void)state;
    const float load = 6.0f, stiffness = 500.0f;
    element_rig rig;
    sn_deformable_def def = edge_def();
    def.inextensible.compliance = 1.0f / stiffness;
    def.inextensible.damping = 5.0f;
    make(&rig, &def, 1.0f);
    for (int i = 0; i < 4000; ++i) {
        rig_velocity(&rig, 0)->x -= h * load / (float)mass;
        rig_velocity(&rig, 1)->x += h * load / (float)mass;
        rig_sub_step(&rig);
    }
    assert_float_equal(error_of(&rig), (double)(load / stiffness), 1.0e-6);
    rig_free(&rig);
}

// --- limits ------------------------------------------------------------------------------------------------

static void test_each_side_is_held_where_asked_and_free_elsewhere(void **state)
{
    (void)state;
    const struct {
        sn_limit_side side;
        float stretch;
        int pushes; // apart: 1, together: −1, not at all: 0
    } cases[] = {{SN_HOLD_BOTH, 1.1f, -1},       {SN_HOLD_BOTH, 0.9f, 1},
                 {SN_HOLD_STRETCH, 1.1f, -1},    {SN_HOLD_STRETCH, 0.9f, 0},
                 {SN_HOLD_COMPRESSION, 1.1f, 0}, {SN_HOLD_COMPRESSION, 0.9f, 1},
                 {SN_HOLD_COMPRESSION, 1.0f, 0}, {SN_HOLD_STRETCH, 1.0f, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        for (int soft = 0; soft < 2; ++soft) {
            element_rig rig;
            sn_deformable_def def = edge_def();
            def.inextensible.side = cases[i].side;
            def.inextensible.compliance = soft ? 1.0e-3f : 0.0f;
            make(&rig, &def, cases[i].stretch);
            rig_warm_start(&rig);
            rig_solve(&rig);
            double impulse = impulse_of(&rig);
            assert_true(cases[i].pushes == 0 ? fabs(impulse) < 1.0e-6 : impulse * cases[i].pushes > 1.0e-3);
            rig_free(&rig);
        }
    }
}

// Pulled with twice what it bears, an edge gives way with exactly the rest.
static void test_no_edge_pulls_harder_than_its_largest_force(void **state)
{
    (void)state;
    const float most = 4.0f, load = 8.0f;
    for (int soft = 0; soft < 2; ++soft) {
        element_rig rig;
        sn_deformable_def def = edge_def();
        def.inextensible.max_force = most;
        def.inextensible.compliance = soft ? 1.0e-4f : 0.0f;
        make(&rig, &def, 1.01f);
        for (int i = 0; i < 200; ++i) {
            double before = (double)rig_velocity(&rig, 1)->x;
            rig_velocity(&rig, 0)->x -= h * load / (float)mass;
            rig_velocity(&rig, 1)->x += h * load / (float)mass;
            rig_sub_step(&rig);
            double gained = (double)rig_velocity(&rig, 1)->x - before;
            assert_true(i < 20 || fabs(gained * mass / (double)h - (double)(load - most)) < 0.02);
        }
        assert_true(error_of(&rig) > 0.05);
        rig_free(&rig);
    }
}

// Released, a stretch-only edge does not pull what comes back.
static void test_a_slack_edge_forgets_its_impulse(void **state)
{
    (void)state;
    element_rig rig;
    sn_deformable_def def = edge_def();
    def.inextensible.side = SN_HOLD_STRETCH;
    make(&rig, &def, 1.0f);
    rig_velocity(&rig, 1)->x = 2.0f;
    rig_sub_step(&rig);
    rig_velocity(&rig, 0)->x = 1.0f;
    rig_velocity(&rig, 1)->x = -1.0f;
    for (int i = 0; i < 3; ++i) {
        rig_sub_step(&rig);
    }
    assert_float_equal((double)rig_velocity(&rig, 1)->x, -1.0, 1.0e-5);
    rig_free(&rig);
}

// --- degenerate --------------------------------------------------------------------------------------------

static void test_an_edge_of_no_length_or_between_fixed_nodes_does_nothing(void **state)
{
    (void)state;
    element_rig rig;
    sn_deformable_def def = edge_def();
    make(&rig, &def, 0.0f);
    rig_sub_step(&rig);
    assert_true(sn_length(*rig_velocity(&rig, 0)) == 0.0f && sn_length(*rig_velocity(&rig, 1)) == 0.0f);
    rig_free(&rig);
    def = edge_def();
    make(&rig, &def, 1.5f);
    for (int i = 0; i < 2; ++i) {
        rig.nodes.states.data[rig.data.first_node + i].inverse_mass = 0.0f;
    }
    rig_refresh(&rig);
    rig_sub_step(&rig);
    assert_true(sn_length(*rig_velocity(&rig, 0)) == 0.0f && sn_length(*rig_velocity(&rig, 1)) == 0.0f);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_the_error_of_a_hard_edge_decays_by_the_same_share_every_sub_step),
        test_with_memory(test_a_spring_from_rest_gets_the_impulse_of_implicit_euler),
        test_with_memory(test_a_spring_comes_to_rest_where_hooke_says),
        test_with_memory(test_each_side_is_held_where_asked_and_free_elsewhere),
        test_with_memory(test_no_edge_pulls_harder_than_its_largest_force),
        test_with_memory(test_a_slack_edge_forgets_its_impulse),
        test_with_memory(test_an_edge_of_no_length_or_between_fixed_nodes_does_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
