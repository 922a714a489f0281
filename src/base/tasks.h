// Running loops on several threads: a small pool of workers that spin briefly and then sleep, or the user's
// task system. Loops may be nested in neither. Results must not depend on how ranges are cut.
#ifndef SN_BASE_TASKS_H
#define SN_BASE_TASKS_H

#include "sinew/task.h"

typedef struct sn_tasks sn_tasks;

// `threads` counts the caller's; 1 makes no thread at all. `system` (may be null) with a parallel_for takes
// precedence over the pool. Null without memory or if threads cannot be made.
sn_tasks *sn_tasks_create(int threads, const sn_task_system *system);
void sn_tasks_destroy(sn_tasks *tasks);

// Calls `function` over [0, count) in ranges of at least `grain` items and returns when all are done. Small
// loops (count ≤ grain) run on the caller.
void sn_tasks_for(sn_tasks *tasks, int count, int grain, sn_task_function function, void *context);
// Threads that may work at once, the caller's included (1 for a user's system, which is not ours to know).
int sn_tasks_threads(const sn_tasks *tasks);

#endif
