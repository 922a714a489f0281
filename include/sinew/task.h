/// \file
/// How a world spreads its work over threads: its own small pool, or the user's task system.
#ifndef SINEW_TASK_H
#define SINEW_TASK_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One piece of work over the items [begin, end).
typedef void (*sn_task_function)(void *context, int begin, int end);

/// A user's task system, used instead of the built-in pool when `parallel_for` is set. It must call `task` so
/// that every item in [0, count) is covered exactly once, in ranges of about `grain` items, on any threads,
/// and return only when all of them are done. It may run everything on the calling thread. Results do not
/// depend on how it cuts the ranges.
typedef struct sn_task_system {
    void (*parallel_for)(int count, int grain, sn_task_function task, void *context, void *user);
    void *user;
} sn_task_system;

#ifdef __cplusplus
}
#endif
#endif
