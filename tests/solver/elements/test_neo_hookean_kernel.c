// Neo-Hookean rows against closed forms; what all kinds of elements have in common is in
// test_elements_gauntlet.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solver/elements/neo_hookean_block.h"
#include "support/element_rig.h"
#include "support/memory.h"

static const double young = 2000.0, poisson = 0.35;
static const double volume = 0.5 * 0.4 * 0.3;

// A block of 0.5 × 0.4 × 0.3 m.
static void make(element_rig *rig, float h)
{
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_box(sn_v(0.5f, 0.4f, 0.3f), 3, 2, 2, &mesh), SN_OK);
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.mass = 2.0f;
    def.model = sn_model_neo_hookean((float)young, (float)poisson);
    rig_make(rig, &def, h);
    sn_mesh_destroy(mesh);
}

// All nodes by one matrix from where they are.
static void deform(element_rig *rig, sn_mat3 f)
{
    for (int i = 0; i < rig->data.node_count; ++i) {
        *rig_position(rig, i) = sn_mat3_apply(f, *rig_position(rig, i));
    }
}

static double mu(void)
{
    return young / (2.0 * (1.0 + poisson));
}
static double lambda(void)
{
    return young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
}

// Of a stretch by the three factors, by volume.
static double density_of(const double s[3])
{
    double size = s[0] * s[0] + s[1] * s[1] + s[2] * s[2], growth = s[0] * s[1] * s[2] - 1.0;
    return 2.0 / 3.0 * mu() * (size - 3.0 - log(0.25 * (size + 1.0))) +
           0.5 * (lambda() + 5.0 / 6.0 * mu()) * growth * growth - mu() * growth;
}

static void test_an_even_stretch_has_the_energy_of_the_formula_turned_or_not(void **state)
{
    (void)state;
    const double cases[][3] = {
        {1.3, 1.0, 1.0}, {0.6, 1.2, 1.1}, {1.5, 1.5, 1.5}, {0.2, 1.0, 1.0}, {-0.5, 1.0, 1.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        element_rig rig;
        const double *s = cases[i];
        make(&rig, 1.0e-3f);
        deform(&rig, sn_mat3_diagonal((float)s[0], (float)s[1], (float)s[2]));
        double expected = volume * density_of(s), straight = rig_elastic_energy(&rig);
        deform(&rig, sn_mat3_from_quat(sn_quat_axis_angle(sn_v(0.48f, 0.6f, 0.64f), 2.1f)));
        assert_float_equal(straight, expected, 1.0e-5 * expected);
        assert_float_equal(rig_elastic_energy(&rig), expected, 1.0e-4 * expected);
        rig_free(&rig);
    }
}

// ½ (λ + 2µ) ε² of a stretch without contraction, 2µ ε² of a shear by 2ε.
static void test_small_strains_have_the_energy_of_hookes_law(void **state)
{
    (void)state;
    const float strain = 0.01f;
    element_rig rig;
    make(&rig, 1.0e-3f);
    deform(&rig, sn_mat3_diagonal(1.0f + strain, 1.0f, 1.0f));
    double expected = volume * 0.5 * (lambda() + 2.0 * mu()) * (double)(strain * strain);
    assert_float_equal(rig_elastic_energy(&rig), expected, 0.02 * expected);
    rig_free(&rig);
    make(&rig, 1.0e-3f);
    sn_mat3 shear = sn_mat3_diagonal(1.0f, 1.0f, 1.0f);
    shear.y.x = shear.x.y = strain;
    deform(&rig, shear);
    expected = volume * 2.0 * mu() * (double)(strain * strain);
    assert_float_equal(rig_elastic_energy(&rig), expected, 0.02 * expected);
    rig_free(&rig);
}

// The nodes of an end face, evenly stretched by 1 + ε sideways held, are pulled back with (λ + 2µ) ε A.
static void test_an_even_stretch_pulls_its_ends_with_the_stress_of_hookes_law(void **state)
{
    (void)state;
    const float h = 1.0e-5f, strain = 1.0e-3f;
    element_rig rig;
    make(&rig, h);
    deform(&rig, sn_mat3_diagonal(1.0f + strain, 1.0f, 1.0f));
    rig_refresh(&rig);
    rig_warm_start(&rig);
    rig_solve(&rig);
    double force = 0.0;
    for (int i = 0; i < rig.data.node_count; ++i) {
        if (rig_position(&rig, i)->x > 0.24f) {
            force += rig_mass(&rig, i) * (double)rig_velocity(&rig, i)->x / (double)h;
        }
    }
    double expected = -(lambda() + 2.0 * mu()) * (double)strain * 0.4 * 0.3;
    assert_float_equal(force, expected, -0.02 * expected);
    rig_free(&rig);
}

// Flat, turned inside out, at a point, scattered: back to its shape, without a bang.
static void test_ruined_blocks_come_back_to_their_shape(void **state)
{
    (void)state;
    for (int ruin = 0; ruin < 4; ++ruin) {
        test_random random = {23};
        element_rig rig;
        make(&rig, 1.0f / 800.0f);
        double flat = ruin == 0 ? 0.0 : ruin == 1 ? -1.0 : 1.0;
        deform(&rig,
               ruin == 2 ? sn_mat3_diagonal(0.0f, 0.0f, 0.0f) : sn_mat3_diagonal((float)flat, 1.0f, 1.0f));
        rig_shake(&rig, &random, ruin == 3 ? 0.5f : 1.0e-3f, 0.0f);
        rig_refresh(&rig);
        double first = rig_elastic_energy(&rig);
        for (int i = 0; i < 16000; ++i) {
            rig_sub_step(&rig);
            for (int k = 0; k < rig.data.node_count; ++k) { // air, to come to rest
                *rig_velocity(&rig, k) = sn_scale(*rig_velocity(&rig, k), 0.997f);
            }
            assert_true(rig_kinetic_energy(&rig) <= 1.01 * first);
        }
        assert_true(rig_elastic_energy(&rig) < 1.0e-6 * first);
        rig_free(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_an_even_stretch_has_the_energy_of_the_formula_turned_or_not),
        test_with_memory(test_small_strains_have_the_energy_of_hookes_law),
        test_with_memory(test_an_even_stretch_pulls_its_ends_with_the_stress_of_hookes_law),
        test_with_memory(test_ruined_blocks_come_back_to_their_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
