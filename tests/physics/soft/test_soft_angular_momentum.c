// Deformables that meet in free flight keep their momentum and their angular momentum, whatever their speed,
// size, friction and thickness: contacts push both sides along one line, or what friction at two points takes
// is given back.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "support/soft_kit.h"

typedef struct meeting {
    float size, speed, young, friction, thickness; // thickness as a part of the size
} meeting;

// Jellies, or sheets without a modulus, that meet off their middles.
static void assert_kept(meeting e)
{
    sn_world_def world_def = sn_world_def_default();
    sn_world *world;
    sn_mesh *mesh;
    world_def.gravity = sn_v(0.0f, 0.0f, 0.0f);
    world_def.sleep = false;
    assert_ok(sn_world_create(&world_def, &world));
    if (e.young > 0.0f) {
        assert_ok(sn_mesh_sphere(e.size, 3, &mesh));
    } else {
        assert_ok(sn_mesh_grid(2.0f * e.size, 2.0f * e.size, 6, 6, SN_GRID_ALTERNATING, &mesh));
    }
    for (int i = 0; i < 2; ++i) {
        float side = i == 0 ? -1.0f : 1.0f, apart = e.young > 0.0f ? 1.3f : 0.1f;
        sn_deformable_def def = sn_deformable_def_default();
        def.mesh = mesh;
        def.pose.position = sn_scale(sn_v(0.3f * side, 0.35f * side, apart * side), e.size);
        def.linear_velocity = sn_scale(sn_v(0.1f, 0.0f, -0.5f * side), e.speed);
        def.friction = e.friction;
        def.thickness = e.thickness * e.size;
        if (e.young > 0.0f) {
            def.model = sn_model_corotational(e.young, 0.4f);
        } else {
            def.mass = 0.2f;
            def.inextensible.on = true;
        }
        assert_ok(sn_deformable_add(world, &def, NULL));
    }
    sn_mesh_destroy(mesh);
    sn_energy before = sn_world_energy(world);
    double size = sqrt(2.0 * before.kinetic * before.mass);
    int touched = 0;
    float step = 0.05f * e.size / e.speed;
    step = step < 0.01f ? step : 0.01f;
    for (int i = 0; i < 100; ++i) {
        assert_ok(sn_world_step(world, step));
        touched += sn_world_statistics(world).soft_contact_count;
    }
    sn_energy after = sn_world_energy(world);
    assert_true(touched > 0);
    assert_true(after.kinetic < 0.999 * before.kinetic);
    for (int k = 0; k < 3; ++k) {
        double lost = fabs(after.momentum[k] - before.momentum[k]) / size;
        double turned =
            fabs(after.angular_momentum[k] - before.angular_momentum[k]) / (size * (double)e.size);
        if (lost > 1.0e-5 || turned > 1.0e-5) {
            fail_msg("size %g, speed %g: %.1e of the momentum, %.1e of the angular momentum", (double)e.size,
                     (double)e.speed, lost, turned);
        }
    }
    sn_world_destroy(world);
}

static void test_jellies_that_meet_keep_their_angular_momentum(void **state)
{
    (void)state;
    assert_kept((meeting){0.15f, 1.0f, 5.0e3f, 0.5f, 0.06f});
    assert_kept((meeting){0.15f, 5.0f, 2.0e4f, 0.5f, 0.06f});
    assert_kept((meeting){0.15f, 5.0f, 2.0e4f, 0.0f, 0.06f});
    assert_kept((meeting){0.15f, 1.0f, 1.0e5f, 0.9f, 0.01f});
    assert_kept((meeting){1.5f, 5.0f, 2.0e4f, 0.5f, 0.06f});
    assert_kept((meeting){0.015f, 0.5f, 5.0e3f, 0.5f, 0.06f});
}

static void test_sheets_that_meet_keep_their_angular_momentum(void **state)
{
    (void)state;
    assert_kept((meeting){0.5f, 1.0f, 0.0f, 0.5f, 0.03f});
    assert_kept((meeting){0.5f, 1.0f, 0.0f, 0.0f, 0.03f});
    assert_kept((meeting){0.05f, 1.0f, 0.0f, 0.5f, 0.03f});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jellies_that_meet_keep_their_angular_momentum),
        cmocka_unit_test(test_sheets_that_meet_keep_their_angular_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
