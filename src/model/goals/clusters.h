// Which nodes are matched together: the whole body, or overlapping clusters of neighbours. Knows node numbers
// and edges, not positions.
#ifndef SN_MODEL_GOALS_CLUSTERS_H
#define SN_MODEL_GOALS_CLUSTERS_H

#include "base/array.h"
#include "geometry/mesh/mesh.h"

// Things listed by the node they belong to: item[begin[node]] up to item[begin[node + 1]], ascending.
typedef struct sn_node_lists {
    int node_count, item_count;
    int *begin, *item;
} sn_node_lists;

// A node's part in a cluster is an entry.
typedef struct sn_clusters {
    int count;
    SN_ARRAY(int) begin;           // the entries of a cluster; one more than there are clusters
    SN_ARRAY(uint32_t) entry_node; // by entry
    sn_node_lists entries;         // of a node
} sn_clusters;

// `rings` 0: one cluster of all nodes. Otherwise clusters of all nodes within so many edges of a middle one;
// nodes are taken as middles in order, unless they are within rings − 1 edges of an earlier one. So every
// node lies in some cluster together with all its neighbours, and clusters overlap enough to hold together.
// False without memory, or if a mesh (of nodes with very many neighbours) needs more than 256 entries a node;
// then there is nothing left to release.
bool sn_clusters_make(sn_clusters *clusters, const sn_mesh *mesh, int rings);
void sn_clusters_release(sn_clusters *clusters);

#endif
