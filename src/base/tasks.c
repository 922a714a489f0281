// The thread pool of tasks.h, or the user's task system in its place.
//
// One loop runs at a time. Its ranges ("chunks") are claimed through a single atomic word, the ticket: the
// loop's number, how many chunks it has, and the next free one. A claim is a compare-and-swap of that word,
// so a worker that comes late, with the description of a loop that has ended, cannot claim anything of the
// next one. Nobody waits for workers that claimed nothing: on a busy machine the caller does all the work
// itself at the price of a few atomic operations.
//
// Without threads (WebAssembly) every loop runs on the caller.
#define _POSIX_C_SOURCE 200809L
#include "tasks.h"
#include "allocate.h"

#ifndef __wasi__

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#define MAX_THREADS 64
// More chunks than threads, so that one slow chunk does not leave the others idle.
#define CHUNKS_PER_THREAD 4
#define CHUNK_BITS        10
#define CHUNK_MASK        (((uint64_t)1 << CHUNK_BITS) - 1)
// Loops of one step follow each other within microseconds; longer than this, and the step is over.
#define SPIN_NANOSECONDS 40000
#define CACHE_LINE_BYTES 64

_Static_assert(MAX_THREADS *CHUNKS_PER_THREAD <= CHUNK_MASK, "chunk numbers must fit the ticket");

struct sn_tasks {
    int threads; // the caller's included
    sn_task_system system;
    pthread_t workers[MAX_THREADS - 1];

    // The loop in progress. Written by the caller between loops, while workers may be reading the last one's.
    _Alignas(CACHE_LINE_BYTES) _Atomic uint64_t ticket;
    _Atomic int item_count;
    _Atomic(sn_task_function) function;
    _Atomic(void *) context;

    _Alignas(CACHE_LINE_BYTES) _Atomic int chunks_done;

    // Sleeping. The two flags are raised under the mutex and looked at without it.
    _Alignas(CACHE_LINE_BYTES) _Atomic int sleeping_workers;
    _Atomic bool caller_sleeps;
    _Atomic bool stopping;
    pthread_mutex_t mutex;
    pthread_cond_t work_came;
    pthread_cond_t work_ended;
};

// One thread's copy of the description of a loop.
typedef struct parallel_loop {
    int chunk_count, item_count;
    sn_task_function function;
    void *context;
} parallel_loop;

// --- tickets: 44 bits of loop number, 10 of chunk count, 10 of next chunk ------------------------

static uint64_t ticket_make(uint64_t number, int chunk_count)
{
    return number << (2 * CHUNK_BITS) | (uint64_t)chunk_count << CHUNK_BITS;
}
static uint64_t ticket_number(uint64_t ticket)
{
    return ticket >> (2 * CHUNK_BITS);
}
static int ticket_chunk_count(uint64_t ticket)
{
    return (int)(ticket >> CHUNK_BITS & CHUNK_MASK);
}
static int ticket_next_chunk(uint64_t ticket)
{
    return (int)(ticket & CHUNK_MASK);
}

// --- waiting -------------------------------------------------------------------------------------

static void relax_processor(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
    __asm__ __volatile__("yield");
#endif
}

static int64_t nanoseconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// Asks `ready` again and again for SPIN_NANOSECONDS; returns its last answer. Yields now and then, because
// the thread waited for may be waiting for this very processor.
static bool spin_until(bool (*ready)(sn_tasks *tasks, uint64_t argument), sn_tasks *tasks, uint64_t argument)
{
    if (ready(tasks, argument)) {
        return true;
    }
    int64_t deadline = nanoseconds_now() + SPIN_NANOSECONDS;
    do {
        for (int i = 0; i < 32; ++i) {
            relax_processor();
            if (ready(tasks, argument)) {
                return true;
            }
        }
        sched_yield();
    } while (nanoseconds_now() < deadline);
    return false;
}

static bool has_new_loop(sn_tasks *tasks, uint64_t last_number)
{
    return ticket_number(atomic_load(&tasks->ticket)) != last_number;
}

static bool has_ended(sn_tasks *tasks, uint64_t chunk_count)
{
    return (uint64_t)atomic_load(&tasks->chunks_done) == chunk_count;
}

// --- running -------------------------------------------------------------------------------------

// The loop that `ticket` belongs to. If it has ended meanwhile, the copy may mix two loops; but then all its
// chunks are claimed, the ticket has changed, and the claim that follows fails. If the claim succeeds, the
// loop cannot have ended, and the copy is right.
static parallel_loop read_loop(sn_tasks *tasks, uint64_t ticket)
{
    parallel_loop current = {
        .chunk_count = ticket_chunk_count(ticket),
        .item_count = atomic_load_explicit(&tasks->item_count, memory_order_relaxed),
        .function = atomic_load_explicit(&tasks->function, memory_order_relaxed),
        .context = atomic_load_explicit(&tasks->context, memory_order_relaxed),
    };
    return current;
}

static void run_chunk(const parallel_loop *loop, int chunk)
{
    int begin = (int)((int64_t)loop->item_count * chunk / loop->chunk_count);
    int end = (int)((int64_t)loop->item_count * (chunk + 1) / loop->chunk_count);
    loop->function(loop->context, begin, end);
}

static void finish_chunk(sn_tasks *tasks, const parallel_loop *loop)
{
    int done = atomic_fetch_add(&tasks->chunks_done, 1) + 1;
    if (done == loop->chunk_count && atomic_load(&tasks->caller_sleeps)) {
        pthread_mutex_lock(&tasks->mutex);
        pthread_cond_signal(&tasks->work_ended);
        pthread_mutex_unlock(&tasks->mutex);
    }
}

// Claims and runs chunks until none is left; returns the number of the last loop seen.
static uint64_t run_chunks(sn_tasks *tasks)
{
    uint64_t ticket = atomic_load(&tasks->ticket);
    while (ticket_next_chunk(ticket) < ticket_chunk_count(ticket)) {
        parallel_loop current = read_loop(tasks, ticket);
        if (atomic_compare_exchange_weak(&tasks->ticket, &ticket, ticket + 1)) {
            run_chunk(&current, ticket_next_chunk(ticket));
            finish_chunk(tasks, &current);
            ticket = atomic_load(&tasks->ticket);
        }
    }
    return ticket_number(ticket);
}

// --- workers -------------------------------------------------------------------------------------

static void sleep_until_new_loop(sn_tasks *tasks, uint64_t last_number)
{
    pthread_mutex_lock(&tasks->mutex);
    atomic_fetch_add(&tasks->sleeping_workers, 1);
    while (!has_new_loop(tasks, last_number)) {
        pthread_cond_wait(&tasks->work_came, &tasks->mutex);
    }
    atomic_fetch_sub(&tasks->sleeping_workers, 1);
    pthread_mutex_unlock(&tasks->mutex);
}

static void *worker_main(void *argument)
{
    sn_tasks *tasks = argument;
    for (;;) {
        uint64_t last_number = run_chunks(tasks);
        // Looked at after the ticket, which changes after it: a stop not seen here is a loop not yet seen.
        if (atomic_load(&tasks->stopping)) {
            return NULL;
        }
        if (!spin_until(has_new_loop, tasks, last_number)) {
            sleep_until_new_loop(tasks, last_number);
        }
    }
}

// Begins the next loop. The ticket's store and the look at the sleepers after it must not trade places, nor
// must their counterparts in sleep_until_new_loop: both are sequentially consistent, so one side sees the
// other.
static void publish_ticket(sn_tasks *tasks, int chunk_count)
{
    uint64_t last_number = ticket_number(atomic_load_explicit(&tasks->ticket, memory_order_relaxed));
    atomic_store(&tasks->ticket, ticket_make(last_number + 1, chunk_count));
    if (atomic_load(&tasks->sleeping_workers) > 0) {
        pthread_mutex_lock(&tasks->mutex);
        pthread_cond_broadcast(&tasks->work_came);
        pthread_mutex_unlock(&tasks->mutex);
    }
}

static void stop_workers(sn_tasks *tasks, int made)
{
    atomic_store(&tasks->stopping, true);
    publish_ticket(tasks, 0);
    for (int i = 0; i < made; ++i) {
        pthread_join(tasks->workers[i], NULL);
    }
}

// Workers take no signals: those belong to the program's own threads.
static bool start_workers(sn_tasks *tasks)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int made = 0;
    while (made < tasks->threads - 1 &&
           pthread_create(&tasks->workers[made], NULL, worker_main, tasks) == 0) {
        ++made;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (made < tasks->threads - 1) {
        stop_workers(tasks, made);
        return false;
    }
    return true;
}

// --- the pool ------------------------------------------------------------------------------------

static void release_tasks(sn_tasks *tasks)
{
    pthread_cond_destroy(&tasks->work_ended);
    pthread_cond_destroy(&tasks->work_came);
    pthread_mutex_destroy(&tasks->mutex);
    sn_release(tasks, sizeof *tasks);
}

sn_tasks *sn_tasks_create(int threads, const sn_task_system *system)
{
    sn_tasks *tasks = sn_allocate_zero(1, sizeof *tasks);
    if (!tasks) {
        return NULL;
    }
    bool foreign = system && system->parallel_for;
    if (foreign) {
        tasks->system = *system;
    }
    tasks->threads = foreign || threads < 1 ? 1 : (threads > MAX_THREADS ? MAX_THREADS : threads);
    pthread_mutex_init(&tasks->mutex, NULL);
    pthread_cond_init(&tasks->work_came, NULL);
    pthread_cond_init(&tasks->work_ended, NULL);
    if (!start_workers(tasks)) {
        release_tasks(tasks);
        return NULL;
    }
    return tasks;
}

void sn_tasks_destroy(sn_tasks *tasks)
{
    if (tasks) {
        stop_workers(tasks, tasks->threads - 1);
        release_tasks(tasks);
    }
}

int sn_tasks_threads(const sn_tasks *tasks)
{
    return tasks->threads;
}

static void publish_loop(sn_tasks *tasks, const parallel_loop *loop)
{
    atomic_store_explicit(&tasks->item_count, loop->item_count, memory_order_relaxed);
    atomic_store_explicit(&tasks->function, loop->function, memory_order_relaxed);
    atomic_store_explicit(&tasks->context, loop->context, memory_order_relaxed);
    atomic_store_explicit(&tasks->chunks_done, 0, memory_order_relaxed);
    publish_ticket(tasks, loop->chunk_count);
}

// Chunks that other threads claimed may still be running when none is left to claim.
static void wait_for_end(sn_tasks *tasks, const parallel_loop *loop)
{
    if (spin_until(has_ended, tasks, (uint64_t)loop->chunk_count)) {
        return;
    }
    pthread_mutex_lock(&tasks->mutex);
    atomic_store(&tasks->caller_sleeps, true);
    while (!has_ended(tasks, (uint64_t)loop->chunk_count)) {
        pthread_cond_wait(&tasks->work_ended, &tasks->mutex);
    }
    atomic_store(&tasks->caller_sleeps, false);
    pthread_mutex_unlock(&tasks->mutex);
}

void sn_tasks_for(sn_tasks *tasks, int count, int grain, sn_task_function function, void *context)
{
    if (count <= 0) {
        return;
    }
    grain = grain < 1 ? 1 : grain;
    if (tasks->system.parallel_for && count > grain) {
        tasks->system.parallel_for(count, grain, function, context, tasks->system.user);
        return;
    }
    int chunks = count / grain;
    int most_chunks = tasks->threads * CHUNKS_PER_THREAD;
    chunks = chunks > most_chunks ? most_chunks : chunks;
    if (tasks->threads == 1 || chunks < 2) {
        function(context, 0, count);
        return;
    }
    parallel_loop next = {chunks, count, function, context};
    publish_loop(tasks, &next);
    run_chunks(tasks);
    wait_for_end(tasks, &next);
}

#else

struct sn_tasks {
    sn_task_system system;
};

sn_tasks *sn_tasks_create(int threads, const sn_task_system *system)
{
    (void)threads;
    sn_tasks *tasks = sn_allocate_zero(1, sizeof *tasks);
    if (tasks && system) {
        tasks->system = *system;
    }
    return tasks;
}

void sn_tasks_destroy(sn_tasks *tasks)
{
    sn_release(tasks, sizeof *tasks);
}

int sn_tasks_threads(const sn_tasks *tasks)
{
    (void)tasks;
    return 1;
}

void sn_tasks_for(sn_tasks *tasks, int count, int grain, sn_task_function function, void *context)
{
    if (count <= 0) {
        return;
    }
    if (tasks->system.parallel_for && count > grain) {
        tasks->system.parallel_for(count, grain < 1 ? 1 : grain, function, context, tasks->system.user);
        return;
    }
    function(context, 0, count);
}

#endif
