// What every model that is not made of rows must do, run over a list of all of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/memory.h"
#include "support/model_rig.h"
#include <stdio.h>

// A failed expectation says which model it was.
static void expect(bool condition, const model_sample *sample, const char *what, double value)
{
    if (!condition) {
        fail_msg("%s: %s is %g", sample->name, what, value);
    }
}

static void test_models_of_rows_have_no_kind(void **state)
{
    (void)state;
    const sn_model_type rows[] = {SN_MODEL_NONE,        SN_MODEL_SPRINGS, SN_MODEL_COROTATIONAL,
                                  SN_MODEL_NEO_HOOKEAN, SN_MODEL_COUNT,   (sn_model_type)-1};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        assert_null(sn_model_kind_of(rows[i]));
    }
}

static void test_all_other_models_have_a_kind_with_a_name(void **state)
{
    (void)state;
    for (int i = 0; i < MODEL_SAMPLES; ++i) {
        const sn_model_kind *kind = sn_model_kind_of(model_samples[i].model.type);
        assert_non_null(kind);
        assert_true(kind->name[0] != '\0');
    }
    assert_true(sn_model_kind_of(SN_MODEL_COROTATIONAL_EXPLICIT)->needs_tetrahedra);
    assert_true(sn_model_kind_of(SN_MODEL_COROTATIONAL_IMPLICIT)->needs_tetrahedra);
}

// All nodes fall alike, as fast as a single mass does, whatever holds them together.
static void test_free_fall_is_exact(void **state)
{
    (void)state;
    for (int s = 0; s < MODEL_SAMPLES; ++s) {
        model_rig rig;
        rig_make_jelly(&rig, model_samples[s].model, sn_pose_identity);
        rig.gravity = sn_v(0.0f, -9.81f, 0.0f);
        rig_run(&rig, 500);
        float alone = 0.0f;
        for (int i = 0; i < 500; ++i) {
            alone += rig.pass.h * rig.gravity.y;
        }
        test_momenta sum = rig_measure(&rig);
        double mean = sum.linear[1] / (0.3 * rig.count);
        expect(fabs(mean / (double)alone - 1.0) < 1.0e-6, &model_samples[s], "speed of fall", mean);
        expect(fabs(mean / (-9.81 * 0.5) - 1.0) < 1.0e-5, &model_samples[s], "speed of fall", mean);
        float error = rest_error(rig.mesh, rig_nodes(&rig));
        expect(error < 2.0e-5f, &model_samples[s], "deformation", (double)error);
        rig_free(&rig);
    }
}

// A shaken jelly that flies and spins keeps its momentum and angular momentum.
static void test_momentum_is_kept(void **state)
{
    (void)state;
    for (int s = 0; s < MODEL_SAMPLES; ++s) {
        model_rig rig;
        rig_make_jelly(&rig, model_samples[s].model, sn_pose_identity);
        rig_spin(&rig, sn_v(1.0f, -0.5f, 0.3f), sn_v(3.0f, 8.0f, -5.0f));
        rig_shake(&rig, 0.01f, 7);
        test_momenta before = rig_measure(&rig);
        rig_run(&rig, 300);
        test_momenta after = rig_measure(&rig);
        const double none[3] = {0.0, 0.0, 0.0};
        double linear = rig_difference(after.linear, before.linear) / rig_difference(before.linear, none);
        double angular = rig_difference(after.angular, before.angular) / rig_difference(before.angular, none);
        expect(linear < 1.0e-6, &model_samples[s], "change of momentum", linear);
        expect(angular < 5.0e-6, &model_samples[s], "change of angular momentum", angular);
        rig_free(&rig);
    }
}

// Placed turned and far away, it has nothing to do: rounding of places is all that moves it.
static void test_rigid_motion_is_free_of_forces(void **state)
{
    (void)state;
    test_random random = {5};
    for (int s = 0; s < MODEL_SAMPLES; ++s) {
        model_rig rig;
        sn_pose pose = {{0.0f, 0.0f, 0.0f}, test_random_rotation(&random)};
        rig_make_jelly(&rig, model_samples[s].model, pose);
        rig_push(&rig);
        float fastest = 0.0f;
        for (int i = 0; i < rig.count; ++i) {
            fastest = sn_max(fastest, sn_length(rig_velocities(&rig)[i].velocity));
        }
        // 1e-8 m, the rounding of a place, a few times in a sub-step.
        expect(fastest < 1.0e-4f, &model_samples[s], "speed", (double)fastest);
        rig_free(&rig);
    }
}

static void test_sub_steps_allocate_nothing(void **state)
{
    (void)state;
    for (int s = 0; s < MODEL_SAMPLES; ++s) {
        model_rig rig;
        rig_make_jelly(&rig, model_samples[s].model, sn_pose_identity);
        rig_shake(&rig, 0.02f, 3);
        uint64_t before = sn_allocated_bytes();
        test_memory_allow(0);
        rig_run(&rig, 5);
        test_memory_allow_all();
        assert_int_equal(sn_allocated_bytes(), before);
        rig_free(&rig);
    }
}

static void test_creation_without_memory_fails_and_leaks_nothing(void **state)
{
    (void)state;
    for (int s = 0; s < MODEL_SAMPLES; ++s) {
        model_rig rig;
        rig_make_jelly(&rig, model_samples[s].model, sn_pose_identity);
        sn_model_input input = rig_input(&rig, model_samples[s].model);
        int refused = 0;
        for (void *model = NULL; model == NULL; ++refused) {
            uint64_t before = sn_allocated_bytes();
            test_memory_allow(refused);
            model = rig.kind->create(&input);
            test_memory_allow_all();
            if (model == NULL) {
                assert_int_equal(sn_allocated_bytes(), before);
            } else {
                rig.kind->destroy(model);
            }
            assert_true(refused < 100);
        }
        assert_true(refused > 3);
        rig_free(&rig);
    }
}

static bool same_motion(model_rig *a, model_rig *b)
{
    size_t count = (size_t)a->count;
    return memcmp(rig_nodes(a), rig_nodes(b), count * sizeof *rig_nodes(a)) == 0 &&
           memcmp(rig_velocities(a), rig_velocities(b), count * sizeof *rig_velocities(a)) == 0;
}

// Nodes and the model's own bytes are all there is to a deformable in motion.
static void test_state_carries_over_to_a_fresh_model(void **state)
{
    (void)state;
    for (int s = 0; s < MODEL_SAMPLES; ++s) {
        model_rig old, fresh;
        rig_make_jelly(&old, model_samples[s].model, sn_pose_identity);
        rig_make_jelly(&fresh, model_samples[s].model, sn_pose_identity);
        rig_spin(&old, sn_v(0.0f, 0.0f, 0.0f), sn_v(0.0f, 20.0f, 3.0f));
        rig_shake(&old, 0.05f, 13);
        rig_run(&old, 40);
        memcpy(rig_nodes(&fresh), rig_nodes(&old), (size_t)old.count * sizeof *rig_nodes(&old));
        memcpy(rig_velocities(&fresh), rig_velocities(&old),
               (size_t)old.count * sizeof *rig_velocities(&old));
        fresh.pass.backwards = old.pass.backwards;
        if (old.kind->state != NULL) {
            size_t size = 0, fresh_size = 0;
            const void *from = old.kind->state(old.model, &size);
            void *to = fresh.kind->state(fresh.model, &fresh_size);
            assert_int_equal(size, fresh_size);
            assert_true(size > 0);
            memcpy(to, from, size);
        }
        rig_run(&old, 40);
        rig_run(&fresh, 40);
        expect(same_motion(&old, &fresh), &model_samples[s], "difference", 1.0);
        rig_free(&old);
        rig_free(&fresh);
    }
}

// 343 nodes and 1080 tetrahedra are enough for every loop to be cut into pieces.
static void test_threads_do_not_change_a_bit(void **state)
{
    (void)state;
    for (int s = 0; s < MODEL_SAMPLES; ++s) {
        model_rig rigs[2];
        for (int k = 0; k < 2; ++k) {
            rig_make(&rigs[k], jelly_mesh(6), model_samples[s].model, sn_pose_identity, 0.02f, 1.0e-3f);
            rig_shake(&rigs[k], 0.02f, 17);
        }
        sn_tasks_destroy(rigs[1].tasks);
        rigs[1].tasks = sn_tasks_create(3, NULL);
        assert_non_null(rigs[1].tasks);
        rig_run(&rigs[0], 3);
        rig_run(&rigs[1], 3);
        expect(same_motion(&rigs[0], &rigs[1]), &model_samples[s], "difference", 1.0);
        rig_free(&rigs[0]);
        rig_free(&rigs[1]);
    }
}

// Sub-steps from 10 µs to 20 ms, places and speeds of any size: numbers come out finite while those that go
// in are bearable, and nothing hangs or is undefined when they are not.
static void test_extreme_states_do_no_harm(void **state)
{
    (void)state;
    const float steps[] = {1.0e-5f, 5.0e-3f, 2.0e-2f, 1.0f};
    for (int s = 0; s < MODEL_SAMPLES; ++s) {
        for (int k = 0; k < 4; ++k) {
            model_rig rig;
            rig_make_jelly(&rig, model_samples[s].model, sn_pose_identity);
            rig_set_step(&rig, steps[k]);
            rig_shake(&rig, k < 3 ? 0.1f : 1.0e6f, 23);
            rig_run(&rig, 20);
            double kinetic = rig_measure(&rig).energy;
            expect(k == 3 || kinetic < 1.0e9, &model_samples[s], "kinetic energy", kinetic);
            rig_nodes(&rig)[5].position.x = NAN;
            rig_velocities(&rig)[6].velocity.y = INFINITY;
            rig_run(&rig, 2);
            rig_free(&rig);
        }
    }
}

// All nodes in one place: no direction, no rotation, no size.
static void test_a_body_collapsed_to_a_point_stays_finite(void **state)
{
    (void)state;
    for (int s = 0; s < MODEL_SAMPLES; ++s) {
        model_rig rig;
        rig_make_jelly(&rig, model_samples[s].model, sn_pose_identity);
        for (int i = 0; i < rig.count; ++i) {
            rig_nodes(&rig)[i].position = sn_v(1.0f, 2.0f, 3.0f);
        }
        rig_run(&rig, 100);
        for (int i = 0; i < rig.count; ++i) {
            expect(sn_vec3_is_finite(rig_nodes(&rig)[i].position), &model_samples[s], "place", NAN);
        }
        rig_free(&rig);
    }
}

// Whatever a mesh has: all models but elements take sheets and strands as well.
static void test_sheets_and_strands_work_too(void **state)
{
    (void)state;
    for (int s = 0; s < MODEL_SAMPLES; ++s) {
        if (sn_model_kind_of(model_samples[s].model.type)->needs_tetrahedra) {
            continue;
        }
        for (int k = 0; k < 2; ++k) {
            sn_mesh *mesh = NULL;
            sn_status status = k == 0 ? sn_mesh_grid(1.0f, 1.0f, 6, 6, SN_GRID_ALTERNATING, &mesh)
                                      : sn_mesh_line(1.0f, 20, &mesh);
            assert_int_equal(status, SN_OK);
            model_rig rig;
            sn_pose pose = {{0.0f, 0.0f, 0.0f}, sn_quat_axis_angle(sn_v(0.6f, 0.8f, 0.0f), 0.7f)};
            rig_make(&rig, mesh, model_samples[s].model, pose, 0.05f, 1.0e-3f);
            rig_push(&rig);
            double kinetic = rig_measure(&rig).energy;
            expect(kinetic < 1.0e-6, &model_samples[s], "kinetic energy at rest", kinetic);
            rig_shake(&rig, 0.01f, 29);
            test_momenta before = rig_measure(&rig);
            rig_run(&rig, 500);
            test_momenta after = rig_measure(&rig);
            // The stiffest begins with 1e5 J.
            expect(after.energy < 100.0, &model_samples[s], "kinetic energy", after.energy);
            double change = rig_difference(after.linear, before.linear);
            expect(change < 1.0e-5, &model_samples[s], "change of momentum", change);
            rig_free(&rig);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_models_of_rows_have_no_kind),
        test_with_memory(test_all_other_models_have_a_kind_with_a_name),
        test_with_memory(test_free_fall_is_exact),
        test_with_memory(test_momentum_is_kept),
        test_with_memory(test_rigid_motion_is_free_of_forces),
        test_with_memory(test_sub_steps_allocate_nothing),
        test_with_memory(test_creation_without_memory_fails_and_leaks_nothing),
        test_with_memory(test_state_carries_over_to_a_fresh_model),
        test_with_memory(test_threads_do_not_change_a_bit),
        test_with_memory(test_extreme_states_do_no_harm),
        test_with_memory(test_a_body_collapsed_to_a_point_stays_finite),
        test_with_memory(test_sheets_and_strands_work_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
