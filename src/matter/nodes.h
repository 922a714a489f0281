// Mass points: the nodes of all deformables in one set of arrays. A deformable is a range of them. Node 0 is
// nobody's: a fixed dummy that padding lanes of the solver's blocks refer to.
#ifndef SN_MATTER_NODES_H
#define SN_MATTER_NODES_H

#include "base/array.h"
#include "sinew/deformable.h"

// Nodes that belong to nobody, between ranges in use.
typedef struct sn_node_gap {
    int first, count;
} sn_node_gap;

// Sixteen bytes each, so that gathering eight nodes is eight loads and a transpose.
typedef struct sn_nodes {
    SN_ARRAY(sn_node_state) states; // position and inverse mass
    SN_ARRAY(sn_node_velocity) velocities;
    SN_ARRAY(sn_vec3) accelerations; // of Newmark's rule: where the last step ended
    SN_ARRAY(float) masses;          // own mass [kg], kept while a node is fixed; −1 for one fixed for ever
    SN_ARRAY(sn_vec3) forces;        // of the user, during the next step
    SN_ARRAY(sn_vec3) targets;       // of fixed nodes that are told where to go
    SN_ARRAY(uint8_t) has_target;
    SN_ARRAY(uint8_t) frozen;   // turned non-finite and stands still
    SN_ARRAY(sn_node_gap) gaps; // in ascending order; no two touch, and none is at the end
    int range_count;            // in use
} sn_nodes;

// At most so many that the offset of a record fits into 32 bits (sn_places in solver/elements/element.h).
#define SN_MOST_NODES (INT32_MAX / 8)

// A range of `count` (1 or more) fresh nodes, zeroed; −1 without memory. The first gap that is large enough
// is filled before the arrays grow.
int sn_nodes_take(sn_nodes *nodes, int count);
// Gives a range that was taken back. Never needs memory.
void sn_nodes_give_back(sn_nodes *nodes, int first, int count);
void sn_nodes_release(sn_nodes *nodes);

// Cubes of such coordinates are still finite, and nothing gets there by itself within hours. [m], [m/s]
#define SN_FARTHEST_NODE 1.0e9f
#define SN_FASTEST_NODE  1.0e9f

// Whether all components are finite and none is larger.
static inline bool sn_is_within(sn_vec3 v, float limit)
{
    return sn_abs(v.x) <= limit && sn_abs(v.y) <= limit && sn_abs(v.z) <= limit;
}

// Whether the solver can handle a node's state: finite, and so small that cubes stay finite too.
static inline bool sn_node_is_sound(const sn_nodes *nodes, int node)
{
    return sn_is_within(nodes->states.data[node].position, SN_FARTHEST_NODE) &&
           sn_is_within(nodes->velocities.data[node].velocity, SN_FASTEST_NODE);
}

#endif
