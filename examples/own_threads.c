// A program that has threads of its own lends them to the world. Results are the same bits as on one thread.
#include "example.h"

#include <pthread.h>

#define THREADS 4

typedef struct job {
    sn_task_function task;
    void *context;
    int begin, end;
} job;

static void *run(void *data)
{
    const job *job = data;
    job->task(job->context, job->begin, job->end);
    return NULL;
}

// Cuts the items into as many ranges as there are threads. An engine would hand them to its job system; new
// threads for every call, as here, are simple and slow.
static void parallel_for(int count, int grain, sn_task_function task, void *context, void *user)
{
    int *calls = user;
    pthread_t threads[THREADS];
    job jobs[THREADS];
    bool started[THREADS] = {false};
    ++*calls;
    if (count <= grain) {
        task(context, 0, count);
        return;
    }
    for (int i = 0; i < THREADS; ++i) {
        jobs[i] =
            (job){task, context, (int)((long)count * i / THREADS), (int)((long)count * (i + 1) / THREADS)};
        started[i] = jobs[i].begin < jobs[i].end && pthread_create(&threads[i], NULL, run, &jobs[i]) == 0;
        if (!started[i] && jobs[i].begin < jobs[i].end) {
            run(&jobs[i]); // no thread to be had: here and now
        }
    }
    for (int i = 0; i < THREADS; ++i) {
        if (started[i]) {
            pthread_join(threads[i], NULL);
        }
    }
}

// A heap of boxes after a second; with the program's own threads if `calls` is not null.
static uint64_t simulate(int *calls)
{
    sn_world *world = NULL;
    sn_world_def settings = sn_world_def_default();
    if (calls != NULL) {
        settings.tasks = (sn_task_system){parallel_for, calls};
    }
    must(NULL, sn_world_create(&settings, &world));
    must(world, sn_plane_add(world, sn_world_ground(world), NULL, (sn_plane){.normal = {0, 1, 0}}, NULL));
    for (int i = 0; i < 200; ++i) {
        sn_rigid_def def = sn_rigid_def_default();
        sn_rigid box;
        def.position =
            sn_v(0.45f * (float)(i % 5), 0.5f + 0.45f * (float)(i / 25), 0.45f * (float)(i / 5 % 5));
        must(world, sn_rigid_add(world, &def, &box));
        must(world, sn_box_add(world, box, NULL, (sn_box){.half_extents = {0.2f, 0.2f, 0.2f}}, NULL));
    }
    for (int frame = 0; frame < 60; ++frame) {
        must(world, sn_world_step(world, 1.0f / 60.0f));
    }
    uint64_t hash = sn_world_hash(world);
    if (calls != NULL) {
        save_for_picture(world, "own_threads.state");
    }
    sn_world_destroy(world);
    return hash;
}

int main(void)
{
    int calls = 0;
    uint64_t alone = simulate(NULL), together = simulate(&calls);
    printf("one thread:   %016llx\n%d threads:    %016llx (%d times work was shared)\n",
           (unsigned long long)alone, THREADS, (unsigned long long)together, calls);
    return alone == together ? EXIT_SUCCESS : EXIT_FAILURE;
}
