// Cloth and ropes on bodies that may move but are much heavier: a sheet below a beam on posts, a rope below a
// trolley. They hang there as on what does not move, with no more sub-steps, and the bodies bear them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/physics.h"

#include <math.h>

static void anchor_node(sn_world *world, sn_deformable deformable, int node, sn_rigid rigid,
                        sn_anchor *anchor)
{
    sn_anchor_def def = sn_anchor_def_default();
    def.a = sn_point_node(deformable, node);
    def.b = sn_point_on_rigid(world, rigid, sn_deformable_nodes(world, deformable)[node].position);
    must(sn_anchor_add(world, &def, anchor));
}

// --- a sheet below a beam ----------------------------------------------------------------------------------

typedef struct sheet_case {
    const char *words;
    float size; // of the square sheet [m]
    int cells;
    float mass, beam; // [kg]
    float step, wind; // [s], [m/s]
} sheet_case;

typedef struct sheet_result {
    int sub_steps;
    double peak, end; // stretch
    double pull;      // what both anchors bear in the last second, over the sheet's weight
} sheet_result;

static sn_rigid add_beam(sn_world *world, const sheet_case *sheet)
{
    float size = sheet->size, thick = 0.05f * size, height = 2.0f * size;
    sn_shape_def material = physics_material(0.8f, 0.0f);
    for (int side = -1; side <= 1; side += 2) {
        float half = 0.5f * (height - thick);
        (void)physics_platform(world, material, sn_v(thick, half, 4.0f * thick),
                               physics_at((float)side * 0.6f * size, half, 0.0f));
    }
    sn_rigid beam =
        physics_box(world, material, sn_v(0.65f * size, thick, thick), physics_at(0.0f, height, 0.0f));
    sn_mass mass = sn_rigid_mass(world, beam);
    float scale = sheet->beam / mass.mass;
    mass.mass = sheet->beam;
    mass.inertia =
        sn_mat3_diagonal(scale * mass.inertia.x.x, scale * mass.inertia.y.y, scale * mass.inertia.z.z);
    must(sn_rigid_mass_set(world, beam, &mass));
    return beam;
}

static sheet_result hang_sheet(const sheet_case *sheet, float seconds)
{
    sn_world *world = physics_world();
    sn_rigid beam = add_beam(world, sheet);
    sn_deformable_def def = sn_deformable_def_default();
    sn_mesh *mesh = NULL;
    must(sn_mesh_grid(sheet->size, sheet->size, sheet->cells, sheet->cells, SN_GRID_ALTERNATING, &mesh));
    def.mesh = mesh;
    def.mass = sheet->mass;
    def.pose = physics_at(0.0f, 1.45f * sheet->size, 0.0f);
    def.inextensible.on = true;
    def.drag = sheet->wind > 0.0f ? 1.0f : 0.0f;
    def.linear_damping = 1.0f;
    def.collide = false;
    sn_world_def settings = sn_world_settings(world);
    settings.wind = sn_v(0.0f, 0.0f, sheet->wind);
    must(sn_world_settings_set(world, &settings));
    sn_deformable cloth;
    must(sn_deformable_add(world, &def, &cloth));
    sn_mesh_destroy(mesh);
    int top = sheet->cells * (sheet->cells + 1);
    sn_anchor anchors[2];
    anchor_node(world, cloth, top, beam, &anchors[0]);
    anchor_node(world, cloth, top + sheet->cells, beam, &anchors[1]);
    sheet_result result = {0};
    int steps = (int)lround((double)(seconds / sheet->step)), last = (int)lround(1.0 / (double)sheet->step);
    for (int i = 0; i < steps; ++i) {
        must(sn_world_step(world, sheet->step));
        sn_statistics statistics = sn_world_statistics(world);
        result.sub_steps = statistics.sub_steps > result.sub_steps ? statistics.sub_steps : result.sub_steps;
        result.end = (double)statistics.largest_stretch;
        result.peak = fmax(result.peak, result.end);
        for (int k = 0; k < 2 && i >= steps - last; ++k) {
            result.pull += fabs((double)sn_anchor_force(world, anchors[k]).y) /
                           (physics_gravity * (double)sheet->mass * last);
        }
    }
    sn_world_destroy(world);
    return result;
}

static void test_a_sheet_hangs_on_a_heavy_beam_as_on_a_wall(void **state)
{
    (void)state;
    const sheet_case cases[] = {{"as it is", 1.0f, 30, 0.4f, 50.0f, 1.0f / 60.0f, 0.0f},
                                {"a beam ten times as heavy", 1.0f, 30, 0.4f, 500.0f, 1.0f / 60.0f, 0.0f},
                                {"ten times as large", 10.0f, 30, 40.0f, 5000.0f, 1.0f / 60.0f, 0.0f},
                                {"a tenth as large", 0.1f, 30, 0.004f, 0.5f, 1.0f / 60.0f, 0.0f},
                                {"twice as fine", 1.0f, 60, 0.4f, 50.0f, 1.0f / 60.0f, 0.0f},
                                {"in short steps", 1.0f, 30, 0.4f, 50.0f, 1.0f / 240.0f, 0.0f}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        sheet_result result = hang_sheet(&cases[i], 2.0f);
        check_below(result.sub_steps, 16, "%s: sub-steps", cases[i].words);
        check_below(result.end, 0.01, "%s: stretch after 2 s", cases[i].words);
        check_relative(result.pull, 1.0, 0.02, "%s: what its anchors bear", cases[i].words);
    }
}

// In a gust of 15 m/s; with rows alone the sheet stretches by a third, in 160 sub-steps.
static void test_a_sheet_on_a_heavy_beam_holds_in_the_wind(void **state)
{
    (void)state;
    const sheet_case windy = {"in the wind", 1.0f, 50, 0.4f, 50.0f, 1.0f / 60.0f, 15.0f};
    sheet_result result = hang_sheet(&windy, 1.0f);
    check_below(result.peak, 0.1, "in the wind: stretch");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_sheet_hangs_on_a_heavy_beam_as_on_a_wall),
        physics_test(test_a_sheet_on_a_heavy_beam_holds_in_the_wind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
