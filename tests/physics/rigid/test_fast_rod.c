// A rod that turns fast among boxes throws them no faster than it is itself, and nothing gets energy that the
// rod did not have.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

enum { BOXES = 8 };

// Boxes in a ring about the rod: beside its ends, in its way, or on their way to it.
static const struct {
    float radius, inwards; // [m], [m/s]
    const char *name;
} rings[] = {{1.2f, 0.0f, "at the ends"}, {0.8f, 0.0f, "in the way"}, {2.0f, 5.0f, "coming"}};

static void check_rod(float spin, float restitution, int sub_steps, float step)
{
    for (int k = 0; k < 3; ++k) {
        sn_world_def def = sn_world_def_default();
        def.gravity = sn_v(0.0f, 0.0f, 0.0f);
        def.sleep = false;
        def.sub_steps = sub_steps;
        sn_world *world;
        must(sn_world_create(&def, &world));
        sn_shape_def material = physics_material(0.5f, restitution);
        sn_rigid rod = physics_box(world, material, sn_v(1.0f, 0.05f, 0.05f), physics_at(0, 0, 0));
        must(sn_rigid_angular_velocity_set(world, rod, sn_v(0.0f, spin, 0.0f)));
        sn_rigid boxes[BOXES];
        for (int i = 0; i < BOXES; ++i) {
            float angle = 0.25f * SN_PI * (float)i + 0.3f;
            sn_vec3 out = sn_v(sn_cos(angle), 0.0f, sn_sin(angle));
            sn_vec3 at = sn_scale(out, rings[k].radius);
            boxes[i] = physics_box(world, material, sn_v(0.15f, 0.15f, 0.15f), physics_at(at.x, at.y, at.z));
            must(sn_rigid_linear_velocity_set(world, boxes[i], sn_scale(out, -rings[k].inwards)));
        }
        double start = sn_world_energy(world).kinetic, most = start, fastest = 0.0;
        while (sn_world_time(world) < 2.0) {
            must(sn_world_step(world, step));
            most = fmax(most, sn_world_energy(world).kinetic);
            for (int i = 0; i < BOXES; ++i) {
                fastest = fmax(fastest, (double)sn_length(sn_rigid_linear_velocity(world, boxes[i])));
            }
        }
        check_below(most / start, 1.01, "%g rad/s, e = %g, boxes %s: most energy / that at the start",
                    (double)spin, (double)restitution, rings[k].name);
        check_below(fastest, (1.0 + (double)restitution) * (double)spin,
                    "%g rad/s, e = %g, boxes %s: fastest box [m/s]", (double)spin, (double)restitution,
                    rings[k].name);
        check_true(sn_world_statistics(world).frozen_count == 0, "none frozen");
        sn_world_destroy(world);
    }
}

static void test_a_rod_at_5000_rad_per_s_throws_boxes_no_faster_than_its_rim(void **state)
{
    (void)state;
    check_rod(5000.0f, 0.0f, 0, 1.0f / 60.0f);
    check_rod(5000.0f, 0.0f, 4, 1.0f / 30.0f);
    check_rod(5000.0f, 0.0f, 4, 1.0f / 240.0f);
}

static void test_a_rod_at_500_and_50_rad_per_s_makes_no_energy(void **state)
{
    (void)state;
    check_rod(500.0f, 0.0f, 0, 1.0f / 60.0f);
    check_rod(500.0f, 0.0f, 4, 1.0f / 60.0f);
    check_rod(50.0f, 0.0f, 0, 1.0f / 60.0f);
}

static void test_an_elastic_rod_makes_no_energy(void **state)
{
    (void)state;
    check_rod(5000.0f, 1.0f, 0, 1.0f / 60.0f);
    check_rod(500.0f, 1.0f, 0, 1.0f / 60.0f);
    check_rod(50.0f, 1.0f, 0, 1.0f / 60.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_rod_at_5000_rad_per_s_throws_boxes_no_faster_than_its_rim),
        physics_test(test_a_rod_at_500_and_50_rad_per_s_makes_no_energy),
        physics_test(test_an_elastic_rod_makes_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
