// Contacts and anchors work whatever the integrator: what lies is carried, what hangs is held, and both stay
// still.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/soft_touch.h"

static const char *const integrator_names[SN_INTEGRATOR_COUNT] = {
    "Euler-Cromer", "explicit Euler", "midpoint", "Heun", "Verlet", "implicit Euler"};

// About 10 kPa if 0.2 m large, and damped enough to come to rest.
static const sn_model models[] = {
    {.type = SN_MODEL_SPRING_FORCES, .stiffness = 1000.0f, .damping = 10.0f},
    {.type = SN_MODEL_COROTATIONAL_EXPLICIT, .young = 2.0e4f, .poisson = 0.3f, .damping = 0.01f},
    {.type = SN_MODEL_ENERGY,
     .stiffness = 20.0f,
     .area_stiffness = 5.0f,
     .volume_stiffness = 5.0f,
     .damping = 0.2f},
};
static const char *const model_names[] = {"springs", "elements", "energies"};

enum { MODELS = sizeof models / sizeof *models };

static const float step = 1.0f / 60.0f;

// 0.2 m, 8 kg.
static sn_deformable add_block(sn_world *world, int model, sn_integrator integrator, float height)
{
    sn_deformable_def def =
        touch_block_def(sn_v(0.2f, 0.2f, 0.2f), 2, 8.0f, 2.0e4f, physics_at(0.0f, height, 0.0f));
    def.model = models[model];
    def.integrator = integrator;
    return touch_add(world, &def);
}

static void test_a_block_on_the_floor(void **state)
{
    (void)state;
    for (int m = 0; m < MODELS; ++m) {
        for (int k = 0; k < SN_INTEGRATOR_COUNT; ++k) {
            sn_world *world = physics_world();
            physics_floor(world, physics_material(0.5f, 0.0f));
            sn_deformable block = add_block(world, m, (sn_integrator)k, 0.12f);
            physics_run(world, step, 4.0f);
            check_vector(touch_mean_force(world, block, NULL, step, 0.5f), sn_v(0.0f, 8.0f * 9.81f, 0.0f),
                         0.005, "%s by %s: force on 8 kg [N]", model_names[m], integrator_names[k]);
            check_near(touch_lowest(world, block), 0.005, 2.0e-4, "%s by %s: lowest node [m]", model_names[m],
                       integrator_names[k]);
            check_below(touch_rms(world, block), 1.0e-5, "%s by %s: speed at rest [m/s]", model_names[m],
                        integrator_names[k]);
            sn_world_destroy(world);
        }
    }
}

// By its four upper corners, by rows and exactly.
static void test_a_block_on_anchors(void **state)
{
    (void)state;
    for (int m = 0; m < 2 * MODELS; ++m) {
        for (int k = 0; k < SN_INTEGRATOR_COUNT; ++k) {
            sn_world *world = physics_world();
            sn_deformable block = add_block(world, m / 2, (sn_integrator)k, 1.0f);
            sn_anchor anchors[4];
            int count = 0;
            for (int i = 0; i < sn_deformable_node_count(world, block); ++i) {
                sn_vec3 place = sn_deformable_nodes(world, block)[i].position;
                if (place.y > 1.09f && sn_abs(place.x) > 0.09f && sn_abs(place.z) > 0.09f) {
                    sn_anchor_def def = sn_anchor_def_default();
                    def.a = sn_point_node(block, i);
                    def.b = sn_point_world(place);
                    def.exact = m % 2 == 1;
                    must(sn_anchor_add(world, &def, &anchors[count++]));
                }
            }
            physics_run(world, step, 6.0f);
            double force = 0.0, error = 0.0;
            for (int i = 0; i < count; ++i) {
                force += fabs((double)sn_anchor_force(world, anchors[i]).y);
                error = fmax(error, (double)sn_anchor_error(world, anchors[i]));
            }
            const char *how = m % 2 == 1 ? "exactly" : "by rows";
            check_relative(force, 8.0 * 9.81, 0.005, "%s by %s held %s [N]", model_names[m / 2],
                           integrator_names[k], how);
            check_below(error, m % 2 == 1 ? 1.0e-6 : 1.0e-3, "%s by %s held %s: error [m]",
                        model_names[m / 2], integrator_names[k], how);
            check_below(touch_rms(world, block), 1.0e-5, "%s by %s held %s: speed [m/s]", model_names[m / 2],
                        integrator_names[k], how);
            sn_world_destroy(world);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_block_on_the_floor),
        physics_test(test_a_block_on_anchors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
