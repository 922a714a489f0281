// How far nodes that are held by others can be pushed: where bounds (bound_block.h) join a node to places
// that stand still, it stays within the balls around these that its bounds are the radii of. Tested by
// tests/solver/contact/test_node_reach.c.
#ifndef SN_SOLVER_CONTACT_NODE_REACH_H
#define SN_SOLVER_CONTACT_NODE_REACH_H

#include "base/arena.h"
#include "solver/elements/bound_block.h"

#define SN_REACH_BALLS 4

// Of one node. Two balls at a time are looked at, the pairs that leave it the least room.
typedef struct sn_node_reach {
    int count;
    sn_vec3 center[SN_REACH_BALLS];
    float radius[SN_REACH_BALLS];
    sn_bound_block *block[SN_REACH_BALLS]; // and lane of the bound
    uint8_t lane[SN_REACH_BALLS];
    int pair_count;
    uint8_t pair[2][2];
} sn_node_reach;

typedef struct sn_node_reaches {
    int *of_node; // place in the list, −1 for nodes that are not asked for
    sn_node_reach *data;
    int count;
} sn_node_reaches;

// Room for nodes that are asked for; false without memory.
bool sn_node_reaches_open(sn_node_reaches *reaches, sn_arena *arena, int node_count);
// Asks for a node.
void sn_node_reaches_ask(sn_node_reaches *reaches, int node);
// Room for all that were asked for; false without memory.
bool sn_node_reaches_make(sn_node_reaches *reaches, sn_arena *arena);
// Adds bounds of one deformable to what does not move in a step that lasts so long. Whether there are any.
bool sn_node_reaches_add(sn_node_reaches *reaches, const sn_element_group *bounds, const sn_nodes *nodes,
                         float duration);

// The place farthest along a direction that a node can come to: no node comes farther. By its two balls.
typedef struct sn_reach_end {
    sn_vec3 place;
    uint8_t ball[2]; // the same twice if one ball ends it
} sn_reach_end;

// The direction has unit length; the reach has one ball at least.
sn_reach_end sn_node_reach_end(const sn_node_reach *reach, sn_vec3 direction);
// Whether a node has hardly any room across a direction, compared to that along it.
bool sn_node_reach_is_narrow(const sn_node_reach *reach, sn_vec3 direction);
// What a node that is pushed by an impulse at its end pulls on what holds it, is told with the bounds' own.
void sn_node_reach_pull(const sn_node_reach *reach, const sn_reach_end *end, sn_vec3 impulse);

#endif
