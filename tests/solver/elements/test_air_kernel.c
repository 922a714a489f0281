// The air's push, without a world: the two builds give the same bits, nothing outruns the wind, and what is
// still in still air is left alone. How strong it is, is in tests/physics/soft/test_wind.c.
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solver/elements/air_block.h"
#include "support/element_rig.h"
#include "support/memory.h"

#include <stdlib.h>

enum { SHEET, STRAND, BALL, THINGS };
static const sn_vec3 wind = {3.0f, -1.0f, 8.0f};

static void make(element_rig *rig, int thing, float density, float drag, float lift)
{
    sn_mesh *mesh = NULL;
    assert_int_equal(thing == SHEET    ? sn_mesh_grid(1.0f, 0.8f, 5, 4, SN_GRID_ALTERNATING, &mesh)
                     : thing == STRAND ? sn_mesh_line(1.0f, 11, &mesh)
                                       : sn_mesh_sphere_surface(0.4f, 3, &mesh),
                     SN_OK);
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.density = density;
    def.drag = drag;
    def.lift = lift;
    rig_make(rig, &def, 1.0f / 800.0f);
    rig->pass.wind = wind;
    sn_mesh_destroy(mesh);
    rig_refresh(rig);
}

static void run(element_rig *rig, int sub_steps)
{
    for (int i = 0; i < sub_steps; ++i) {
        rig_sub_step(rig);
    }
}

static void test_base_and_avx2_builds_give_the_same_bits(void **state)
{
    (void)state;
    for (int thing = 0; thing < THINGS; ++thing) {
        element_rig base, fast;
        test_random first = {3}, second = {3};
        setenv("SINEW_NO_AVX2", "1", 1);
        make(&base, thing, 0.1f, 1.0f, 0.7f);
        unsetenv("SINEW_NO_AVX2");
        make(&fast, thing, 0.1f, 1.0f, 0.7f);
        rig_shake(&base, &first, 0.05f, 2.0f);
        rig_shake(&fast, &second, 0.05f, 2.0f);
        run(&base, 30);
        run(&fast, 30);
        for (int i = 0; i < base.data.node_count; ++i) {
            assert_memory_equal(rig_velocity(&base, i), rig_velocity(&fast, i), sizeof(sn_vec3));
            assert_memory_equal(rig_position(&base, i), rig_position(&fast, i), sizeof(sn_vec3));
        }
        rig_free(&base);
        rig_free(&fast);
    }
}

// Seen from the air, drag takes energy away, whatever the masses.
static double energy_in_the_wind(element_rig *rig)
{
    double sum = 0.0;
    for (int i = 0; i < rig->data.node_count; ++i) {
        sum += 0.5 * rig_mass(rig, i) * (double)sn_length_squared(sn_sub(*rig_velocity(rig, i), wind));
    }
    return sum;
}

static void test_drag_takes_energy_as_the_air_sees_it_from_the_heaviest_to_the_lightest(void **state)
{
    (void)state;
    for (int thing = 0; thing < THINGS; ++thing) {
        for (float density = 10.0f; density > 1.0e-6f; density *= 0.1f) {
            test_random random = {9};
            element_rig rig;
            make(&rig, thing, density, 50.0f, 0.0f);
            rig_shake(&rig, &random, 0.0f, 5.0f);
            for (int i = 0; i < 50; ++i) {
                double before = energy_in_the_wind(&rig);
                rig_warm_start(&rig);
                assert_true(energy_in_the_wind(&rig) <= before * (1.0 + 1.0e-6));
            }
            rig_free(&rig);
        }
    }
}

static void test_what_goes_with_the_wind_is_left_alone(void **state)
{
    (void)state;
    for (int thing = 0; thing < THINGS; ++thing) {
        element_rig rig;
        make(&rig, thing, 0.2f, 2.0f, 2.0f);
        for (int i = 0; i < rig.data.node_count; ++i) {
            *rig_velocity(&rig, i) = wind;
        }
        run(&rig, 10);
        for (int i = 0; i < rig.data.node_count; ++i) {
            assert_true(sn_length(sn_sub(*rig_velocity(&rig, i), wind)) < 1.0e-5f);
        }
        rig_free(&rig);
    }
}

static void test_flat_and_fixed_elements_are_not_moved_and_give_no_nonsense(void **state)
{
    (void)state;
    for (int thing = 0; thing < THINGS; ++thing) {
        element_rig rig;
        make(&rig, thing, 0.2f, 2.0f, 2.0f);
        rig.nodes.states.data[rig.data.first_node].inverse_mass = 0.0f;
        for (int i = 0; i < rig.data.node_count; ++i) {
            *rig_position(&rig, i) = sn_v(0.0f, 0.0f, 0.0f);
        }
        rig_refresh(&rig);
        rig_warm_start(&rig);
        for (int i = 0; i < rig.data.node_count; ++i) {
            assert_true(sn_length(*rig_velocity(&rig, i)) == 0.0f);
        }
        rig_free(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_base_and_avx2_builds_give_the_same_bits),
        test_with_memory(test_drag_takes_energy_as_the_air_sees_it_from_the_heaviest_to_the_lightest),
        test_with_memory(test_what_goes_with_the_wind_is_left_alone),
        test_with_memory(test_flat_and_fixed_elements_are_not_moved_and_give_no_nonsense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
