// A solver is a table of stages over one state, sn_run. The table is made once a step, when it is known what
// there is to do; stages with nothing to do are left out. The velocity solver's tables are in velocity.c, the
// staggered one's in staggered.c.
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

enum { SN_MOST_STAGES = 64, SN_EVERY_SUB_STEP = -1 };

typedef struct sn_schedule {
    sn_stage stages[SN_MOST_STAGES];
    int count;
} sn_schedule;

// Adds a stage if it is needed. There is room for all stages of the tables.
void sn_schedule_add(sn_schedule *schedule, bool is_needed, sn_stage_function function, size_t time);
// The same, for a stage that runs in one sub-step only.
void sn_schedule_add_once(sn_schedule *schedule, bool is_needed, sn_stage_function function, size_t time,
                          int sub_step);
// Runs all stages of the present sub-step in order. `mark` is the time since which is counted; null if times
// are not counted.
void sn_schedule_run(const sn_schedule *schedule, struct sn_run *run, double *mark);

#endif
