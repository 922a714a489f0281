// A mesh of a million nodes loads, steps on the floor it lies on, and goes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/memory.h"
#include "support/soft_kit.h"

static void test_a_sheet_of_a_million_nodes_steps(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_world_def settings = sn_world_settings(world);
    settings.sub_steps = 4; // for speed
    assert_ok(sn_world_settings_set(world, &settings));
    add_floor(world);
    sn_mesh *mesh;
    assert_ok(sn_mesh_grid(20.0f, 20.0f, 999, 999, SN_GRID_ALTERNATING, &mesh));
    assert_int_equal(sn_mesh_node_count(mesh), 1000000);
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.005f, 0.0f));
    def.collide = true;
    def.mass = 40.0f;
    def.thickness = 0.01f;
    def.inextensible.on = true;
    def.pose.rotation = sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), -0.5f * SN_PI);
    sn_deformable sheet = soft_add(world, &def);
    sn_mesh_destroy(mesh);
    run_steps(world, 2);
    assert_int_equal(sn_world_statistics(world).frozen_node_count, 0);
    assert_int_equal(sn_deformable_contacts(world, sheet, NULL, 0), 1000000);
    sn_bounds bounds = sn_deformable_measure_now(world, sheet).bounds;
    assert_true(bounds.lower.y > 0.0045f && bounds.upper.y < 0.0055f);
    assert_ok(sn_deformable_remove(world, sheet));
    run_steps(world, 1);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_sheet_of_a_million_nodes_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
