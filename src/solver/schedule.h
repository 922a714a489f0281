// A solver is a table of stages over one state, sn_run: which there are is decided once a step, when it is
// known what there is to do, and stages with nothing to do are not in the table. The velocity solver's tables
// are in velocity.c, the staggered one's is in staggered.c.
#ifndef SN_SOLVER_SCHEDULE_H
#define SN_SOLVER_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>

struct sn_run;

typedef void (*sn_stage_function)(struct sn_run *run);

typedef struct sn_stage {
    sn_stage_function function;
    size_t time;  // offset in sn_solver_times of the time it counts to
    int sub_step; // the only one it runs in, −1 for all
} sn_stage;

enum { SN_MOST_STAGES = 40, SN_EVERY_SUB_STEP = -1 };

typedef struct sn_schedule {
    sn_stage stages[SN_MOST_STAGES];
    int count;
} sn_schedule;

// Adds a stage that is needed; leaves others out. There is room for all that the tables have.
void sn_schedule_add(sn_schedule *schedule, bool is_needed, sn_stage_function function, size_t time);
// The same for one sub-step alone.
void sn_schedule_add_once(sn_schedule *schedule, bool is_needed, sn_stage_function function, size_t time,
                          int sub_step);
// All of them, in order, as of the run's present sub-step; `mark` is the time since when is counted, null if
// nothing is to be counted.
void sn_schedule_run(const sn_schedule *schedule, struct sn_run *run, double *mark);

#endif
