// Bounds of every second, fourth, … node along threads (levels.h).
// Tested by tests/long_range/test_levels.c.
#include "long_range/levels.h"

bool sn_levels_find(const sn_threads *threads, sn_bound_list *bounds)
{
    for (int t = 0; t < threads->count; ++t) {
        const int *nodes = threads->nodes + threads->begin[t];
        const float *along = threads->along + threads->begin[t];
        int edges = threads->begin[t + 1] - threads->begin[t] - 1;
        for (int stride = 2; edges > SN_LEVEL_EDGES * (stride / 2); stride *= 2) {
            for (int i = 0; i + stride <= edges; i += stride) {
                sn_bound bound = {
                    .node = nodes[i], .other = nodes[i + stride], .length = along[i + stride] - along[i]};
                if (!sn_array_push(bounds, bound)) {
                    return false;
                }
            }
        }
    }
    return true;
}
