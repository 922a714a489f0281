// Flags on a pole in winds whose air presses on them with many times their weight. They flutter, so that
// bounds are slack and edges carry it; they get the sub-steps that takes before they are stretched.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/physics.h"

#include <math.h>

typedef struct storm {
    const char *words;
    float size; // height of the flag, which is one and a half times as long [m]
    int rows;
    float density, wind, step; // [kg/m²], [m/s], [s]
    int held;                  // each so-manieth node beside the pole
} storm;

static double largest_stretch(const storm *storm)
{
    sn_world *world = physics_world();
    sn_world_def settings = sn_world_settings(world);
    settings.wind = sn_v(storm->wind, 0.0f, 0.1f * storm->wind);
    must(sn_world_settings_set(world, &settings));
    sn_deformable_def def = sn_deformable_def_default();
    sn_mesh *mesh = NULL;
    int columns = storm->rows * 3 / 2;
    must(sn_mesh_grid(1.5f * storm->size, storm->size, columns, storm->rows, SN_GRID_ALTERNATING, &mesh));
    def.mesh = mesh;
    def.density = storm->density;
    def.inextensible.on = true;
    def.inextensible.shear_stiffness = 20.0f;
    def.inextensible.shear_damping = 0.05f;
    def.drag = 0.3f;
    def.lift = 0.6f;
    sn_deformable flag;
    must(sn_deformable_add(world, &def, &flag));
    sn_mesh_destroy(mesh);
    for (int row = 0; row <= storm->rows; row += storm->held) {
        must(sn_node_fix(world, flag, row * (columns + 1), true));
    }
    double largest = 0.0;
    for (int i = 0; i < (int)lround(1.5 / (double)storm->step); ++i) {
        must(sn_world_step(world, storm->step));
        largest = fmax(largest, (double)sn_world_statistics(world).largest_stretch);
    }
    sn_world_destroy(world);
    return largest;
}

static void test_flags_hardly_stretch_in_a_storm(void **state)
{
    (void)state;
    const storm storms[] = {{"wind of 30 m/s", 1.0f, 24, 0.12f, 30.0f, 1.0f / 60.0f, 4},
                            {"of 10 m/s", 1.0f, 24, 0.12f, 10.0f, 1.0f / 60.0f, 4},
                            {"a flag ten times as large", 10.0f, 24, 0.12f, 30.0f, 1.0f / 60.0f, 4},
                            {"ten times as heavy", 1.0f, 24, 1.2f, 30.0f, 1.0f / 60.0f, 4},
                            {"twice as fine", 1.0f, 48, 0.12f, 30.0f, 1.0f / 60.0f, 4},
                            {"half as fine", 1.0f, 12, 0.12f, 30.0f, 1.0f / 60.0f, 4},
                            {"in steps of 1/240 s", 1.0f, 24, 0.12f, 30.0f, 1.0f / 240.0f, 4}};
    for (size_t i = 0; i < sizeof storms / sizeof *storms; ++i) {
        check_below(largest_stretch(&storms[i]), 0.12, "%s: largest stretch", storms[i].words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_flags_hardly_stretch_in_a_storm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
