// How every model that is not made of rows comes to rest: shaken, held, and on a floor.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/memory.h"
#include "support/model_rig.h"

// A failed expectation says which model it was.
static void expect(bool condition, const model_sample *sample, const char *what, double value)
{
    if (!condition) {
        fail_msg("%s: %s is %g", sample->name, what, value);
    }
}

static void test_a_shaken_jelly_comes_to_rest_in_its_shape(void **state)
{
    (void)state;
    for (int s = 0; s < MODEL_SAMPLES; ++s) {
        model_rig rig;
        rig_make_jelly(&rig, model_samples[s].model, sn_pose_identity);
        rig_shake(&rig, 0.01f, 11);
        rig_run(&rig, 3000);
        float error = rest_error(rig.mesh, rig_nodes(&rig));
        test_momenta sum = rig_measure(&rig);
        expect(error < 2.0e-4f, &model_samples[s], "deformation", (double)error);
        expect(sum.energy < 1.0e-6, &model_samples[s], "kinetic energy", sum.energy);
        rig_free(&rig);
    }
}

static void test_fixed_nodes_stay_and_hold_the_rest(void **state)
{
    (void)state;
    for (int s = 0; s < MODEL_SAMPLES; ++s) {
        model_rig rig;
        rig_make_jelly(&rig, model_samples[s].model, sn_pose_identity);
        rig.gravity = sn_v(0.0f, -9.81f, 0.0f);
        sn_vec3 held[27];
        assert_int_equal(rig.count, 27);
        for (int i = 0; i < rig.count; ++i) {
            held[i] = rig_nodes(&rig)[i].position;
            if (held[i].y > 0.099f) {
                rig_nodes(&rig)[i].inverse_mass = 0.0f;
            }
        }
        rig_run(&rig, 2000);
        for (int i = 0; i < rig.count; ++i) {
            sn_vec3 place = rig_nodes(&rig)[i].position;
            float sag = sn_distance_between(place, held[i]);
            bool is_fixed = rig_nodes(&rig)[i].inverse_mass == 0.0f;
            expect(is_fixed ? sag == 0.0f : sag < 0.15f, &model_samples[s], "sag", (double)sag);
        }
        double kinetic = rig_measure(&rig).energy;
        expect(kinetic < 1.0e-4, &model_samples[s], "kinetic energy", kinetic);
        rig_free(&rig);
    }
}

// Resting on a floor: every node that would go below y = 0 is pushed up, in the solver's place.
static double floor_impulse(model_rig *rig)
{
    double sum = 0.0;
    for (int i = 0; i < rig->count; ++i) {
        sn_node_state node = rig_nodes(rig)[i];
        sn_vec3 *velocity = &rig_velocities(rig)[i].velocity;
        float least = -node.position.y * rig->pass.inverse_h;
        if (velocity->y < least) {
            sum += (double)(least - velocity->y) / (double)node.inverse_mass;
            velocity->y = least;
        }
    }
    return sum;
}

static void test_a_resting_body_presses_with_its_weight(void **state)
{
    (void)state;
    for (int s = 0; s < MODEL_SAMPLES; ++s) {
        model_rig rig;
        sn_pose pose = {{0.0f, 0.1f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};
        rig_make_jelly(&rig, model_samples[s].model, pose);
        rig.gravity = sn_v(0.0f, -9.81f, 0.0f);
        double impulse = 0.0;
        for (int i = 0; i < 2500; ++i) {
            rig_push(&rig);
            double given = floor_impulse(&rig);
            impulse += i >= 1500 ? given : 0.0;
            rig_move(&rig);
        }
        double weight = 9.81 * 0.3 * rig.count;
        expect(fabs(impulse / weight - 1.0) < 5.0e-3, &model_samples[s], "force on the floor, in weights",
               impulse / weight);
        rig_free(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_shaken_jelly_comes_to_rest_in_its_shape),
        test_with_memory(test_fixed_nodes_stay_and_hold_the_rest),
        test_with_memory(test_a_resting_body_presses_with_its_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
