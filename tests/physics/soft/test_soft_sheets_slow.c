// Two sheets fall on each other and on a table: they lie one on the other, through nothing, and are carried.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/soft_touch.h"

enum { CELLS = 20, NODES = (CELLS + 1) * (CELLS + 1) };
static const float step = 1.0f / 60.0f;
static const double mass = 0.2;

// The least height of the upper sheet's nodes over the lower sheet's faces that they are near to and over.
static double least_gap(const sn_world *world, sn_deformable lower, sn_deformable upper)
{
    const sn_mesh *mesh = sn_deformable_mesh(world, lower);
    const uint32_t *triangles = sn_mesh_triangles(mesh);
    const sn_node_state *below = sn_deformable_nodes(world, lower),
                        *above = sn_deformable_nodes(world, upper);
    double least = 1.0;
    for (int i = 0; i < NODES; ++i) {
        for (int t = 0; t < sn_mesh_triangle_count(mesh); ++t) {
            sn_vec3 a = below[triangles[3 * t]].position, b = below[triangles[3 * t + 1]].position;
            sn_vec3 c = below[triangles[3 * t + 2]].position, p = above[i].position;
            sn_vec3 out = sn_normalize(sn_cross(sn_sub(b, a), sn_sub(c, a)));
            float height = sn_dot(out, sn_sub(p, a));
            sn_vec3 q = sn_add_scaled(p, -height, out);
            bool over = sn_dot(sn_cross(sn_sub(b, a), sn_sub(q, a)), out) >= 0.0f &&
                        sn_dot(sn_cross(sn_sub(c, b), sn_sub(q, b)), out) >= 0.0f &&
                        sn_dot(sn_cross(sn_sub(a, c), sn_sub(q, c)), out) >= 0.0f;
            if (over && sn_abs(height) < 0.02f && (double)height < least) {
                least = (double)height;
            }
        }
    }
    return least;
}

static void fall_on_table(bool table, const char *what)
{
    sn_world *world = physics_world();
    sn_shape_def material = physics_material(0.5f, 0.0f);
    if (table) {
        must(sn_box_add(world, sn_world_ground(world), &material, (sn_box){{0.4f, 0.05f, 0.4f}}, NULL));
    } else {
        physics_floor(world, material);
    }
    sn_deformable sheets[2];
    for (int k = 0; k < 2; ++k) {
        sn_vec3 place = sn_v(0.02f * (float)k, 0.08f + 0.06f * (float)k, 0.013f * (float)k);
        sn_deformable_def def = touch_sheet_def(1.0f, CELLS, (float)mass, place);
        sn_quat turn = sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), 0.3f * (float)k);
        def.pose.rotation = sn_quat_multiply(turn, def.pose.rotation);
        def.bending = (sn_bending){SN_BENDING_ISOMETRIC, 1.0e-5f, 0.1f, INFINITY};
        sheets[k] = touch_add(world, &def);
    }
    physics_run(world, step, 9.0f);
    sn_vec3 on_upper = touch_mean_force(world, sheets[1], NULL, step, 0.5f);
    sn_vec3 on_lower = touch_mean_force(world, sheets[0], NULL, step, 0.5f);
    check_relative((double)on_upper.y, mass * physics_gravity, 0.01, "%s: force on the upper sheet [N]",
                   what);
    check_relative((double)on_lower.y, mass * physics_gravity, 0.01, "%s: force on the lower sheet [N]",
                   what);
    check_above(least_gap(world, sheets[0], sheets[1]), 0.0, "%s: least gap between them [m]", what);
    check_below(touch_rms(world, sheets[1]), 0.05, "%s: speed of the upper one [m/s]", what);
    sn_world_destroy(world);
}

static void test_two_sheets_on_a_floor(void **state)
{
    (void)state;
    fall_on_table(false, "floor");
}

// With a table they hang over its edges.
static void test_two_sheets_on_a_table(void **state)
{
    (void)state;
    fall_on_table(true, "table");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_two_sheets_on_a_floor),
        physics_test(test_two_sheets_on_a_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
