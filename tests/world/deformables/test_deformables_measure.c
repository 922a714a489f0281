// Elastic energy is what rows can give back: nothing of slack ropes, and no more than they resolve of stiff
// ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/world_kit.h"

static sn_deformable add_rope(sn_world *world, sn_model model, sn_inextensible edges)
{
    sn_mesh *mesh = NULL;
    assert_ok(sn_mesh_line(1.0f, 10, &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.mass = 1.0f;
    def.model = model;
    def.inextensible = edges;
    sn_deformable rope;
    assert_ok(sn_deformable_add(world, &def, &rope));
    sn_mesh_destroy(mesh);
    return rope;
}

// Half as long as at rest: pushed together, which a rope does not resist.
static void test_slack_edges_store_no_energy(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_inextensible edges = sn_inextensible_default();
    edges.on = true;
    edges.compliance = 1e-5f;
    const sn_limit_side sides[] = {SN_HOLD_STRETCH, SN_HOLD_BOTH, SN_HOLD_COMPRESSION};
    const float expected[] = {0.0f, 1.0f, 1.0f};
    for (int i = 0; i < 3; ++i) {
        edges.side = sides[i];
        sn_deformable rope = add_rope(world, sn_model_none(), edges);
        sn_node_state *nodes;
        sn_node_velocity *velocities;
        assert_ok(sn_deformable_edit(world, rope, &nodes, &velocities));
        for (int k = 0; k <= 10; ++k) {
            nodes[k].position.x *= 0.5f;
        }
        float energy = 10.0f * 0.5f * 1e5f * 0.05f * 0.05f;
        assert_near(sn_deformable_measure_now(world, rope).elastic_energy, expected[i] * energy,
                    1e-3f * energy);
    }
    sn_world_destroy(world);
}

// Springs far beyond what sub-steps resolve stretch by what these do; at their nominal stiffness that would
// be a thousand times the energy they were given.
static void test_springs_store_no_more_than_they_were_given(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_deformable rope = add_rope(world, sn_model_springs(1e10f, 0.0f), sn_inextensible_default());
    assert_ok(sn_node_fix(world, rope, 0, true));
    sn_energy before = sn_world_energy(world);
    for (int i = 0; i < 120; ++i) {
        assert_ok(sn_world_step(world, 1.0f / 60.0f));
        sn_energy now = sn_world_energy(world);
        float elastic = sn_deformable_measure_now(world, rope).elastic_energy;
        double sum = now.kinetic + now.potential + (double)elastic;
        assert_true(elastic >= 0.0f && sum <= before.kinetic + before.potential + 0.05);
    }
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slack_edges_store_no_energy),
        cmocka_unit_test(test_springs_store_no_more_than_they_were_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
