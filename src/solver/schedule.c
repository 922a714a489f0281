// Tables of stages: made by adding, run from top to bottom.
#include "solver/schedule.h"

#include "base/clock.h"
#include "solver/stages.h"

void sn_schedule_add_once(sn_schedule *schedule, bool is_needed, sn_stage_function function, size_t time,
                          int sub_step)
{
    if (is_needed && schedule->count < SN_MOST_STAGES) {
        schedule->stages[schedule->count++] = (sn_stage){function, time, sub_step};
    }
}

void sn_schedule_add(sn_schedule *schedule, bool is_needed, sn_stage_function function, size_t time)
{
    sn_schedule_add_once(schedule, is_needed, function, time, SN_EVERY_SUB_STEP);
}

// The clock is read where the time that is counted to changes.
void sn_schedule_run(const sn_schedule *schedule, sn_run *run, double *mark)
{
    char *times = (char *)&run->solver->times;
    for (int i = 0; i < schedule->count; ++i) {
        const sn_stage *stage = &schedule->stages[i];
        if (stage->sub_step == SN_EVERY_SUB_STEP || stage->sub_step == run->sub_step) {
            stage->function(run);
        }
        if (mark != NULL && (i + 1 == schedule->count || schedule->stages[i + 1].time != stage->time)) {
            sn_lap(mark, (double *)(void *)(times + stage->time));
        }
    }
}
