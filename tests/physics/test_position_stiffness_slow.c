// Finite elements under the position solver are as stiff as they should be, where the velocity solver clamps
// them; and none gains energy, resolved or not.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/position_beam.h"
#include "support/position_rig.h"

static void test_a_beam_sags_as_linear_elasticity_says(void **state)
{
    (void)state;
    static const struct {
        float young;
        int sub_steps, iterations;
    } cases[] = {{1.0e6f, 8, 8}, {1.0e7f, 16, 16}, {1.0e7f, 32, 4}, {1.0e8f, 80, 8}};
    for (int i = 0; i < 4; ++i) {
        sn_world_def def = position_def(cases[i].sub_steps, cases[i].iterations);
        check_near(beam_error(def, cases[i].young), 0.0, 0.005, "sag of a beam of %g Pa, %d sub-steps of %d",
                   (double)cases[i].young, cases[i].sub_steps, cases[i].iterations);
    }
}

// A column of 0.1 × 0.6 × 0.1 m dropped on the floor, undamped; the most energy above that of the start, as a
// part of what the fall releases.
static double energy_gained(float young, int sub_steps, int iterations, float step)
{
    const float height = 0.8f;
    sn_world_def settings = position_def(sub_steps, iterations);
    sn_world *world = position_world(&settings);
    physics_floor(world, physics_material(0.8f, 0.0f));
    sn_mesh *mesh = NULL;
    must(sn_mesh_box(sn_v(0.1f, 0.6f, 0.1f), 2, 12, 2, &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.model = sn_model_corotational(young, 0.3f);
    def.model.damping = def.linear_damping = 0.0f;
    def.density = 100.0f;
    def.friction = 0.8f;
    def.pose = physics_at(0.0f, height, 0.0f);
    sn_deformable column;
    must(sn_deformable_add(world, &def, &column));
    sn_mesh_destroy(mesh);
    double start = sn_world_energy(world).potential, highest = start;
    while (sn_world_time(world) < 2.0) {
        must(sn_world_step(world, step));
        sn_energy now = sn_world_energy(world);
        double elastic = (double)sn_deformable_measure_now(world, column).elastic_energy;
        highest = fmax(highest, now.kinetic + now.potential + elastic);
    }
    double fall = start * (double)(1.0f - 0.3f / height);
    sn_world_destroy(world);
    return (highest - start) / fall;
}

static void test_solids_of_any_stiffness_gain_no_energy(void **state)
{
    (void)state;
    static const struct {
        int sub_steps, iterations;
        float step;
    } paces[] = {{8, 4, 1.0f / 60.0f}, {2, 2, 1.0f / 60.0f}, {8, 4, 1.0f / 30.0f}, {4, 16, 1.0f / 60.0f}};
    for (int i = 0; i < 4; ++i) {
        for (float young = 1.0e4f; young < 2.0e9f; young *= 10.0f) {
            double gain = energy_gained(young, paces[i].sub_steps, paces[i].iterations, paces[i].step);
            check_below(gain, 0.01, "energy gained by a column of %g Pa, %d sub-steps of %d in %g s",
                        (double)young, paces[i].sub_steps, paces[i].iterations, (double)paces[i].step);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {physics_test(test_a_beam_sags_as_linear_elasticity_says),
                                       physics_test(test_solids_of_any_stiffness_gain_no_energy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
