// The row of an enclosed volume against its closed forms; what all kinds of elements have in common is in
// test_elements_gauntlet.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solver/elements/enclosure_block.h"
#include "support/element_rig.h"
#include "support/memory.h"

static const float h = 1.0f / 800.0f;

// A box of 0.6 × 0.4 × 0.2 m, the triangles turned over if it shall be inside out.
static sn_deformable_def box_def(bool inside_out)
{
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_box_surface(sn_v(0.6f, 0.4f, 0.2f), 3, 2, 2, &mesh), SN_OK);
    if (inside_out) {
        uint32_t turned[512];
        sn_mesh_def again = sn_mesh_def_default();
        again.nodes = sn_mesh_nodes(mesh);
        again.node_count = sn_mesh_node_count(mesh);
        again.triangle_count = sn_mesh_triangle_count(mesh);
        assert_true(3 * again.triangle_count <= 512);
        for (int i = 0; i < 3 * again.triangle_count; ++i) {
            turned[i] = sn_mesh_triangles(mesh)[i - i % 3 + 2 - i % 3];
        }
        again.triangles = turned;
        sn_mesh *other = NULL;
        assert_int_equal(sn_mesh_create(&again, &other), SN_OK);
        sn_mesh_destroy(mesh);
        mesh = other;
    }
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.mass = 0.5f;
    return def;
}

static void make(element_rig *rig, const sn_deformable_def *def, float size)
{
    rig_make(rig, def, h);
    sn_mesh_destroy((sn_mesh *)def->mesh);
    for (int i = 0; i < rig->data.node_count; ++i) {
        *rig_position(rig, i) = sn_scale(*rig_position(rig, i), size);
    }
    rig_refresh(rig);
}

static const sn_enclosure_row *row_of(const element_rig *rig)
{
    return &((const sn_enclosure_block *)rig->data.groups.data[0].blocks)->row;
}

// The force on all nodes of the face at x = +0.3, along x.
static double push_on_face(element_rig *rig)
{
    double sum = 0.0;
    for (int i = 0; i < rig->data.node_count; ++i) {
        if (rig_position(rig, i)->x > 0.29f) {
            sum += rig_mass(rig, i) * (double)rig_velocity(rig, i)->x / (double)h;
        }
    }
    return sum;
}

static void test_pressure_pushes_a_face_with_pressure_times_area_outwards(void **state)
{
    (void)state;
    for (int inside_out = 0; inside_out < 2; ++inside_out) {
        for (float pressure = -300.0f; pressure <= 300.0f; pressure += 600.0f) {
            element_rig rig;
            sn_deformable_def def = box_def(inside_out != 0);
            def.enclosure.pressure = pressure;
            make(&rig, &def, 1.0f);
            rig_warm_start(&rig);
            rig_solve(&rig);
            assert_float_equal(push_on_face(&rig), (double)pressure * 0.4 * 0.2, 1.0e-4);
            assert_float_equal((double)row_of(&rig)->volume, 0.6 * 0.4 * 0.2, 1.0e-7);
            rig_free(&rig);
        }
    }
}

// In size 1.001 the volume is too large by 3 per mille; the gradient hardly changes with so little.
static void test_the_error_of_a_kept_volume_decays_by_the_same_share_every_sub_step(void **state)
{
    (void)state;
    element_rig rig;
    sn_deformable_def def = box_def(false);
    def.enclosure.preserve = true;
    make(&rig, &def, 1.001f);
    // The row is four times as stiff as others, which leaves the rate of bias.
    double a2 = 16.0 / (double)rig.pass.hard.inverse_a2;
    double share = 1.0 - (double)(h * rig.pass.hard.bias_rate) * a2 / (1.0 + a2);
    double before = (double)(row_of(&rig)->volume - row_of(&rig)->target);
    for (int i = 0; i < 4; ++i) {
        rig_sub_step(&rig);
        double now = (double)(row_of(&rig)->volume - row_of(&rig)->target);
        assert_float_equal(now / before, share, 5.0e-3);
        before = now;
    }
    rig_free(&rig);
}

// Λ = −h C/c/(1 + κh²/c): as a pressure, (V − V₀)/c where κh² is small against c.
static void test_a_compliant_volume_pushes_back_with_its_stiffness(void **state)
{
    (void)state;
    const float compliance = 1.0e-4f;
    element_rig rig;
    sn_deformable_def def = box_def(false);
    def.enclosure.preserve = true;
    def.enclosure.compliance = compliance;
    make(&rig, &def, 0.99f);
    double pressure = -(double)(row_of(&rig)->volume - row_of(&rig)->target) / (double)compliance;
    double face = 0.4 * 0.2 * 0.99 * 0.99;
    rig_warm_start(&rig);
    rig_solve(&rig);
    assert_float_equal(push_on_face(&rig), pressure * face, 0.02 * pressure * face);
    assert_true(pressure > 10.0);
    rig_free(&rig);
}

// Hard edges bear only so much at this length of sub-steps.
static void test_no_pressure_exceeds_what_hard_edges_bear(void **state)
{
    (void)state;
    element_rig rig;
    sn_deformable_def def = box_def(false);
    def.inextensible.on = true;
    def.enclosure.pressure = 1.0e9f;
    rig_make(&rig, &def, h);
    sn_mesh_destroy((sn_mesh *)def.mesh);
    rig_refresh(&rig);
    const sn_element_group *group = &rig.data.groups.data[rig.data.groups.count - 1];
    const sn_enclosure_row *row = &((const sn_enclosure_block *)group->blocks)->row;
    assert_true(row->most > 100.0f && row->most < 1.0e6f);
    for (int i = 0; i < 2000; ++i) {
        rig_sub_step(&rig);
    }
    assert_true(row->volume < 5.0f * 0.6f * 0.4f * 0.2f && row->volume > 0.0f);
    rig_free(&rig);
}

static void test_a_scale_makes_the_kept_volume_so_much_larger(void **state)
{
    (void)state;
    element_rig rig;
    sn_deformable_def def = box_def(false);
    def.enclosure.preserve = true;
    def.enclosure.scale = 1.2f;
    make(&rig, &def, 1.0f);
    for (int i = 0; i < 100; ++i) {
        rig_sub_step(&rig);
    }
    assert_float_equal((double)row_of(&rig)->volume, 1.2 * 0.6 * 0.4 * 0.2, 1.0e-5);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_pressure_pushes_a_face_with_pressure_times_area_outwards),
        test_with_memory(test_the_error_of_a_kept_volume_decays_by_the_same_share_every_sub_step),
        test_with_memory(test_a_compliant_volume_pushes_back_with_its_stiffness),
        test_with_memory(test_no_pressure_exceeds_what_hard_edges_bear),
        test_with_memory(test_a_scale_makes_the_kept_volume_so_much_larger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
