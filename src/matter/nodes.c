// Ranges of nodes come and go. Free nodes are told from used ones by their mass: every node of a deformable
// has one, also while it is fixed; those that are fixed for ever have −1.
#include "matter/nodes.h"

#include <string.h>

static bool resize(sn_nodes *nodes, int count)
{
    return sn_array_resize(&nodes->states, count) && sn_array_resize(&nodes->velocities, count) &&
           sn_array_resize(&nodes->masses, count) && sn_array_resize(&nodes->forces, count) &&
           sn_array_resize(&nodes->targets, count) && sn_array_resize(&nodes->has_target, count);
}

// The first gap of that length, or where the used nodes end. Node 0 is the dummy.
static int find_gap(const sn_nodes *nodes, int count)
{
    int begin = 1;
    for (int i = 1; i < nodes->masses.count; ++i) {
        if (nodes->masses.data[i] != 0.0f) {
            begin = i + 1;
        } else if (i + 1 - begin == count) {
            return begin;
        }
    }
    return begin;
}

static void clear(sn_nodes *nodes, int first, int count)
{
    size_t size = (size_t)count;
    memset(nodes->states.data + first, 0, size * sizeof *nodes->states.data);
    memset(nodes->velocities.data + first, 0, size * sizeof *nodes->velocities.data);
    memset(nodes->masses.data + first, 0, size * sizeof *nodes->masses.data);
    memset(nodes->forces.data + first, 0, size * sizeof *nodes->forces.data);
    memset(nodes->targets.data + first, 0, size * sizeof *nodes->targets.data);
    memset(nodes->has_target.data + first, 0, size * sizeof *nodes->has_target.data);
}

int sn_nodes_take(sn_nodes *nodes, int count)
{
    int before = nodes->masses.count;
    int first = find_gap(nodes, count);
    int needed = first + count > before ? first + count : before;
    if (!resize(nodes, needed)) {
        return -1;
    }
    if (before == 0) {
        clear(nodes, 0, 1);
    }
    clear(nodes, first, count);
    return first;
}

void sn_nodes_give_back(sn_nodes *nodes, int first, int count)
{
    clear(nodes, first, count);
}

void sn_nodes_release(sn_nodes *nodes)
{
    sn_array_release(&nodes->states);
    sn_array_release(&nodes->velocities);
    sn_array_release(&nodes->masses);
    sn_array_release(&nodes->forces);
    sn_array_release(&nodes->targets);
    sn_array_release(&nodes->has_target);
}
