// Ranges of nodes come and go.
#include "matter/nodes.h"

#include "sinew/math.h"

#include <string.h>

static bool resize(sn_nodes *nodes, int count)
{
    return sn_array_resize(&nodes->states, count) && sn_array_resize(&nodes->velocities, count) &&
           sn_array_resize(&nodes->accelerations, count) && sn_array_resize(&nodes->masses, count) &&
           sn_array_resize(&nodes->forces, count) && sn_array_resize(&nodes->targets, count) &&
           sn_array_resize(&nodes->has_target, count) && sn_array_resize(&nodes->frozen, count);
}

static void clear(sn_nodes *nodes, int first, int count)
{
    size_t size = (size_t)count;
    memset(nodes->states.data + first, 0, size * sizeof *nodes->states.data);
    memset(nodes->velocities.data + first, 0, size * sizeof *nodes->velocities.data);
    memset(nodes->accelerations.data + first, 0, size * sizeof *nodes->accelerations.data);
    memset(nodes->masses.data + first, 0, size * sizeof *nodes->masses.data);
    memset(nodes->forces.data + first, 0, size * sizeof *nodes->forces.data);
    memset(nodes->targets.data + first, 0, size * sizeof *nodes->targets.data);
    memset(nodes->has_target.data + first, 0, size * sizeof *nodes->has_target.data);
    memset(nodes->frozen.data + first, 0, size * sizeof *nodes->frozen.data);
}

// --- gaps --------------------------------------------------------------------------------------------------

static void remove_gap(sn_nodes *nodes, int gap)
{
    --nodes->gaps.count;
    memmove(nodes->gaps.data + gap, nodes->gaps.data + gap + 1,
            (size_t)(nodes->gaps.count - gap) * sizeof *nodes->gaps.data);
}

// Takes the beginning of the first gap that is large enough; −1 if there is none.
static int fill_gap(sn_nodes *nodes, int count)
{
    for (int i = 0; i < nodes->gaps.count; ++i) {
        sn_node_gap *gap = &nodes->gaps.data[i];
        if (gap->count >= count) {
            int first = gap->first;
            gap->first += count;
            gap->count -= count;
            if (gap->count == 0) {
                remove_gap(nodes, i);
            }
            return first;
        }
    }
    return -1;
}

// Adds a gap in its place and makes one of those that touch. There is room: see sn_nodes_take.
static void add_gap(sn_nodes *nodes, sn_node_gap gap)
{
    int at = nodes->gaps.count++;
    sn_node_gap *gaps = nodes->gaps.data;
    for (; at > 0 && gaps[at - 1].first > gap.first; --at) {
        gaps[at] = gaps[at - 1];
    }
    gaps[at] = gap;
    if (at + 1 < nodes->gaps.count && gap.first + gap.count == gaps[at + 1].first) {
        gaps[at].count += gaps[at + 1].count;
        remove_gap(nodes, at + 1);
    }
    if (at > 0 && gaps[at - 1].first + gaps[at - 1].count == gap.first) {
        gaps[at - 1].count += gaps[at].count;
        remove_gap(nodes, at);
    }
}

// --- ranges ------------------------------------------------------------------------------------------------

int sn_nodes_take(sn_nodes *nodes, int count)
{
    // Each range in use may become a gap.
    if (!sn_array_reserve(&nodes->gaps, nodes->range_count + 1)) {
        return -1;
    }
    int first = fill_gap(nodes, count);
    if (first < 0) {
        int before = nodes->states.count;
        bool is_first_ever = before == 0;
        first = is_first_ever ? 1 : before;
        if (count > SN_MOST_NODES - first || !resize(nodes, first + count)) {
            (void)resize(nodes, before);
            return -1;
        }
        if (is_first_ever) {
            clear(nodes, 0, 1);
        }
    }
    clear(nodes, first, count);
    ++nodes->range_count;
    return first;
}

void sn_nodes_give_back(sn_nodes *nodes, int first, int count)
{
    clear(nodes, first, count);
    add_gap(nodes, (sn_node_gap){first, count});
    --nodes->range_count;
    // What is free at the end is no gap: the arrays end before it.
    sn_node_gap *last = &nodes->gaps.data[nodes->gaps.count - 1];
    if (last->first + last->count == nodes->masses.count) {
        (void)resize(nodes, last->first);
        --nodes->gaps.count;
    }
}

void sn_nodes_release(sn_nodes *nodes)
{
    sn_array_release(&nodes->states);
    sn_array_release(&nodes->velocities);
    sn_array_release(&nodes->accelerations);
    sn_array_release(&nodes->masses);
    sn_array_release(&nodes->forces);
    sn_array_release(&nodes->targets);
    sn_array_release(&nodes->has_target);
    sn_array_release(&nodes->frozen);
    sn_array_release(&nodes->gaps);
    nodes->range_count = 0;
}
