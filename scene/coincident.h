// Nodes at the same place: what joins many at once in a scene file.
#ifndef SN_SCENE_COINCIDENT_H
#define SN_SCENE_COINCIDENT_H

#include "scene/selection.h"

typedef struct sn_node_pair {
    int a, b;
} sn_node_pair;

typedef SN_LIST(sn_node_pair) sn_node_pair_list;

// Two deformables, or one twice.
typedef struct sn_coincidence {
    const sn_node_state *a, *b;
    int count_a, count_b;
    const int *chosen; // of a, ascending; null for all
    int chosen_count;
    float tolerance; // [m]
} sn_coincidence;

// Pairs of a node of a, among those chosen, and one of b that are no farther apart than the tolerance: just
// so many that nodes at one place all hang together. In ascending order of a. False without memory.
bool sn_find_coincident(const sn_coincidence *problem, sn_node_pair_list *pairs);

#endif
