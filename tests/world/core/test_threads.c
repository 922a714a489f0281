// The same bits for any number of threads and any task system: two busy scenes, hashed as they go.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/random.h"
#include "support/scenes.h"
#include "support/world_kit.h"
#include <pthread.h>

// --- task systems a user might bring -------------------------------------------------------------

// Everything on the calling thread, in pieces of odd sizes, the last one first.
typedef struct piecewise {
    test_random random;
    int calls;
} piecewise;

static void run_piecewise(int count, int grain, sn_task_function task, void *context, void *user)
{
    (void)grain;
    piecewise *system = user;
    ++system->calls;
    for (int end = count; end > 0;) {
        int size = 1 + (int)(test_random_u32(&system->random) % 37);
        int begin = size < end ? end - size : 0;
        task(context, begin, end);
        end = begin;
    }
}

// Two threads of its own for every loop: item by item in turn.
typedef struct half {
    sn_task_function task;
    void *context;
    int first, count, grain;
} half;

static void *run_half(void *data)
{
    const half *job = data;
    for (int i = job->first * job->grain; i < job->count; i += 2 * job->grain) {
        int end = i + job->grain < job->count ? i + job->grain : job->count;
        job->task(job->context, i, end);
    }
    return NULL;
}

static void run_in_halves(int count, int grain, sn_task_function task, void *context, void *user)
{
    (void)user;
    grain = grain > 0 ? grain : 1;
    half jobs[2] = {{task, context, 0, count, grain}, {task, context, 1, count, grain}};
    pthread_t other;
    if (count <= grain || pthread_create(&other, NULL, run_half, &jobs[1]) != 0) {
        task(context, 0, count);
        return;
    }
    (void)run_half(&jobs[0]);
    pthread_join(other, NULL);
}

// --- hashes on the way ---------------------------------------------------------------------------

// Sanitizers look at every load and store: they get a shorter run.
#if defined(__has_feature)
#define HAS_FEATURE(feature) __has_feature(feature)
#else
#define HAS_FEATURE(feature) 0
#endif
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(thread_sanitizer) ||        \
    HAS_FEATURE(address_sanitizer)
enum { STEPS = 24 };
#else
enum { STEPS = 300 };
#endif
enum { LOOKS = 6, EVERY = STEPS / LOOKS };

typedef struct record {
    uint64_t hashes[LOOKS];
    int events;
} record;

static record run_scene(const char *name, int threads, const sn_task_system *tasks)
{
    const test_scene *scene = test_scene_find(name);
    assert_non_null(scene);
    sn_world_def def = sn_world_def_default();
    def.threads = threads;
    if (tasks != NULL) {
        def.tasks = *tasks;
    }
    test_scene_run run;
    assert_ok(test_scene_open(scene, &def, &run));
    record seen = {.events = 0};
    for (int i = 0; i < LOOKS; ++i) {
        for (int k = 0; k < EVERY; ++k) {
            assert_ok(test_scene_step(&run, 1));
            sn_events events = sn_world_events(run.world);
            // Order included: what comes at an odd place counts double.
            for (int e = 0; e < events.begin_count; ++e) {
                seen.events += (int)(events.begin[e].a.index + 3 * events.begin[e].b.index) * (1 + e % 2);
            }
            for (int e = 0; e < events.deformable_begin_count; ++e) {
                const sn_deformable_touch_event *touch = &events.deformable_begin[e];
                seen.events += (int)(touch->deformable.index + 5 * touch->shape.index) * (1 + e % 2);
            }
            seen.events += 17 * events.deformable_end_count + 19 * events.deformable_move_count;
            seen.events += 7 * events.move_count + 11 * events.sleep_count + 13 * events.end_count;
        }
        seen.hashes[i] = sn_world_hash(run.world);
        assert_true(seen.hashes[i] != 0);
    }
    test_scene_close(&run);
    return seen;
}

static void check_same(const record *a, const record *b)
{
    for (int i = 0; i < LOOKS; ++i) {
        assert_true(a->hashes[i] == b->hashes[i]);
    }
    assert_int_equal(a->events, b->events);
}

static void check_scene(const char *name, bool with_halves)
{
    record alone = run_scene(name, 1, NULL);
    for (int i = 1; i < LOOKS; ++i) {
        assert_true(alone.hashes[i] != alone.hashes[i - 1]); // something is going on
    }
    const int threads[] = {2, 4};
    for (int i = 0; i < 2; ++i) {
        record together = run_scene(name, threads[i], NULL);
        check_same(&alone, &together);
    }
    piecewise pieces = {{5}, 0};
    sn_task_system by_pieces = {run_piecewise, &pieces}, by_halves = {run_in_halves, NULL};
    record in_pieces = run_scene(name, 1, &by_pieces);
    assert_true(pieces.calls > STEPS);
    check_same(&alone, &in_pieces);
    if (with_halves) {
        record in_halves = run_scene(name, 1, &by_halves);
        check_same(&alone, &in_halves);
    }
}

static void test_a_bowl_of_falling_things_is_the_same_for_any_number_of_threads(void **state)
{
    (void)state;
    check_scene("rain", false);
}

static void test_machines_with_joints_and_motors_are_the_same_for_any_number_of_threads(void **state)
{
    (void)state;
    check_scene("machines", true);
}

static void test_cloth_on_balls_is_the_same_for_any_number_of_threads(void **state)
{
    (void)state;
    check_scene("cloth_on_spheres", true);
}

static void test_a_stack_of_jellies_is_the_same_for_any_number_of_threads(void **state)
{
    (void)state;
    check_scene("jelly_stack", false);
}

// A world with a user's tasks makes no threads, whatever number it is given.
static void test_the_users_tasks_take_precedence_over_the_pool(void **state)
{
    (void)state;
    piecewise pieces = {{1}, 0};
    sn_world_def def = sn_world_def_default();
    def.threads = 4;
    def.tasks = (sn_task_system){run_piecewise, &pieces};
    sn_world *world;
    assert_ok(sn_world_create(&def, &world));
    for (int i = 0; i < 200; ++i) {
        (void)add_ball_at(world, 0.4f, (float)(i % 20), (float)(i / 20), 0.0f);
    }
    run_steps(world, 3);
    assert_true(pieces.calls > 3);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_bowl_of_falling_things_is_the_same_for_any_number_of_threads),
        test_with_memory(test_machines_with_joints_and_motors_are_the_same_for_any_number_of_threads),
        test_with_memory(test_cloth_on_balls_is_the_same_for_any_number_of_threads),
        test_with_memory(test_a_stack_of_jellies_is_the_same_for_any_number_of_threads),
        test_with_memory(test_the_users_tasks_take_precedence_over_the_pool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
