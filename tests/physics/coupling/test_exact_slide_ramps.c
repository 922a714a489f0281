// Exact anchors that slide along deformables of all kinds and come by a ramp from far away: once the ramp is
// over they are met, and stay so.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/random.h"
#include "support/world_kit.h"

enum { CASES = 24, STEPS_AFTER = 60 };
#define ROUNDING 2.0e-5f // of positions a metre away, in sums of three nodes

static sn_mesh *make_mesh(int kind)
{
    sn_mesh *mesh = NULL;
    sn_status status = kind == 0   ? sn_mesh_grid(1, 1, 6, 6, SN_GRID_ALTERNATING, &mesh)
                       : kind == 1 ? sn_mesh_box(sn_v(0.6f, 0.4f, 0.4f), 2, 2, 2, &mesh)
                       : kind == 2 ? sn_mesh_sphere_surface(0.3f, 2, &mesh)
                                   : sn_mesh_line(1, 10, &mesh);
    assert_int_equal(status, SN_OK);
    return mesh;
}

static sn_deformable add_soft(sn_world *world, test_random *random, int kind)
{
    sn_deformable_def def = sn_deformable_def_default();
    sn_mesh *mesh = make_mesh(kind);
    def.mesh = mesh;
    def.mass = test_random_float(random, 0.1f, 3.0f);
    def.model.type = SN_MODEL_SPRINGS;
    def.model.stiffness = test_random_float(random, 100.0f, 1e4f);
    sn_deformable soft;
    assert_int_equal(sn_deformable_add(world, &def, &soft), SN_OK);
    sn_mesh_destroy(mesh);
    return soft;
}

// A place, or a ball that hangs on.
static sn_point other_end(sn_world *world, sn_vec3 at, bool is_body)
{
    if (!is_body) {
        return sn_point_world(at);
    }
    sn_rigid_def def = sn_rigid_def_default();
    def.position = at;
    sn_rigid ball;
    assert_int_equal(sn_rigid_add(world, &def, &ball), SN_OK);
    assert_int_equal(sn_sphere_add(world, ball, NULL, (sn_sphere){.radius = 0.05f}, NULL), SN_OK);
    return sn_point_rigid(ball, sn_v(0, 0.03f, 0));
}

static void test_sliding_anchors_are_met_after_their_ramp(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; ++i) {
        test_random random = {(uint64_t)i + 1};
        sn_world_def settings = sn_world_def_default();
        sn_world *world = NULL;
        assert_int_equal(sn_world_create(&settings, &world), SN_OK);
        sn_anchor_def def = sn_anchor_def_default();
        def.a = sn_point_surface(add_soft(world, &random, i % 4));
        def.b = other_end(world, test_random_vec3(&random, 1.0f), i % 5 < 2);
        def.exact = true;
        def.ramp_steps = 1 + (int)(test_random_u32(&random) % 60);
        def.friction = i % 2 == 0 ? 0.0f : 0.3f;
        assert_int_equal(sn_anchor_add(world, &def, NULL), SN_OK);
        for (int k = 0; k < def.ramp_steps + STEPS_AFTER; ++k) {
            assert_int_equal(sn_world_step(world, 1.0f / 60.0f), SN_OK);
            assert_true(k < def.ramp_steps || sn_world_statistics(world).exact_error < ROUNDING);
        }
        sn_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sliding_anchors_are_met_after_their_ramp)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
