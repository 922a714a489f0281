// What a sub-step of a scene costs, by stage: what Gissler 2006 calls a step. For `sinew figures` and the
// benchmarks alike.
#ifndef SINEW_FIGURES_SUB_STEP_COST_H
#define SINEW_FIGURES_SUB_STEP_COST_H

#include "sinew_scene/scene.h"

typedef struct sub_step_cost {
    double step, forces, exact, moving; // by sub-step [ms]
    double error;                       // largest in any step [m]
    int exact_count, rows_count;
} sub_step_cost;

// Runs the scene until `end` [s] and measures from `begin` on: the median of steps by CPU time.
sn_status sub_step_cost_measure(sn_scene *scene, double begin, double end, sub_step_cost *cost);

#endif
