// Growing clusters ring by ring, and listing them by node.
// Tested by tests/model/test_model.c.
#include "model/goals/clusters.h"

#include "base/allocate.h"

enum { MOST_ENTRIES_A_NODE = 256 };

// --- lists -------------------------------------------------------------------------------------------------

static void release_lists(sn_node_lists *lists)
{
    sn_release(lists->begin, ((size_t)lists->node_count + 1) * sizeof *lists->begin);
    sn_release(lists->item, (size_t)lists->item_count * sizeof *lists->item);
    *lists = (sn_node_lists){0};
}

// Items 0…item_count − 1 by node_of[item].
static bool make_lists(sn_node_lists *lists, const uint32_t *node_of, int item_count, int node_count)
{
    *lists = (sn_node_lists){.node_count = node_count, .item_count = item_count};
    lists->begin = sn_allocate_zero((size_t)node_count + 1, sizeof *lists->begin);
    lists->item = sn_allocate_zero((size_t)item_count, sizeof *lists->item);
    if (lists->begin == NULL || (lists->item == NULL && item_count > 0)) {
        release_lists(lists);
        return false;
    }
    int *begin = lists->begin;
    for (int i = 0; i < item_count; ++i) {
        ++begin[node_of[i] + 1];
    }
    for (int n = 0; n < node_count; ++n) {
        begin[n + 1] += begin[n];
    }
    // Filling moves every begin on to the next node's, from where they are shifted back.
    for (int i = 0; i < item_count; ++i) {
        lists->item[begin[node_of[i]]++] = i;
    }
    for (int n = node_count; n > 0; --n) {
        begin[n] = begin[n - 1];
    }
    begin[0] = 0;
    return true;
}

// --- clusters ----------------------------------------------------------------------------------------------

typedef struct growth {
    const sn_mesh *mesh;
    sn_node_lists ends; // places in mesh->edges where a node is
    int *seen_by;       // the cluster that reached a node last, or −1
    bool *is_covered;   // with all its neighbours, by some cluster
} growth;

// Adds the nodes next to entries [begin, end) that the cluster does not have yet. False without memory.
static bool add_ring(sn_clusters *clusters, growth *growth, int cluster, int begin, int end)
{
    const int *list = growth->ends.begin;
    for (int i = begin; i < end; ++i) {
        uint32_t node = clusters->entry_node.data[i];
        for (int k = list[node]; k < list[node + 1]; ++k) {
            uint32_t other = growth->mesh->edges[growth->ends.item[k] ^ 1];
            if (growth->seen_by[other] != cluster) {
                growth->seen_by[other] = cluster;
                if (!sn_array_push(&clusters->entry_node, other)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static bool add_cluster(sn_clusters *clusters, growth *growth, int middle, int rings)
{
    int cluster = clusters->count++, begin = clusters->entry_node.count;
    growth->seen_by[middle] = cluster;
    if (!sn_array_push(&clusters->entry_node, (uint32_t)middle)) {
        return false;
    }
    for (int ring = 0; ring < rings; ++ring) {
        int end = clusters->entry_node.count;
        for (int i = begin; i < end; ++i) {
            growth->is_covered[clusters->entry_node.data[i]] = true;
        }
        if (!add_ring(clusters, growth, cluster, begin, end)) {
            return false;
        }
        begin = end;
    }
    return sn_array_push(&clusters->begin, clusters->entry_node.count);
}

static bool grow_clusters(sn_clusters *clusters, growth *growth, int rings)
{
    int node_count = growth->mesh->node_count;
    int64_t most = (int64_t)MOST_ENTRIES_A_NODE * node_count;
    for (int i = 0; i < node_count; ++i) {
        growth->seen_by[i] = -1;
    }
    for (int i = 0; i < node_count; ++i) {
        if (!growth->is_covered[i] &&
            (!add_cluster(clusters, growth, i, rings) || clusters->entry_node.count > most)) {
            return false;
        }
    }
    return true;
}

static bool make_rings(sn_clusters *clusters, const sn_mesh *mesh, int rings)
{
    size_t nodes = (size_t)mesh->node_count;
    growth growth = {.mesh = mesh};
    growth.seen_by = sn_allocate_zero(nodes, sizeof *growth.seen_by);
    growth.is_covered = sn_allocate_zero(nodes, sizeof *growth.is_covered);
    bool is_made = growth.seen_by != NULL && growth.is_covered != NULL &&
                   make_lists(&growth.ends, mesh->edges, 2 * mesh->edge_count, mesh->node_count) &&
                   grow_clusters(clusters, &growth, rings);
    sn_release(growth.seen_by, nodes * sizeof *growth.seen_by);
    sn_release(growth.is_covered, nodes * sizeof *growth.is_covered);
    release_lists(&growth.ends);
    return is_made;
}

static bool make_whole(sn_clusters *clusters, int node_count)
{
    if (!sn_array_resize(&clusters->entry_node, node_count)) {
        return false;
    }
    for (int i = 0; i < node_count; ++i) {
        clusters->entry_node.data[i] = (uint32_t)i;
    }
    clusters->count = 1;
    return sn_array_push(&clusters->begin, node_count);
}

bool sn_clusters_make(sn_clusters *clusters, const sn_mesh *mesh, int rings)
{
    *clusters = (sn_clusters){0};
    bool is_made = sn_array_push(&clusters->begin, 0) &&
                   (rings > 0 ? make_rings(clusters, mesh, rings) : make_whole(clusters, mesh->node_count)) &&
                   make_lists(&clusters->entries, clusters->entry_node.data, clusters->entry_node.count,
                              mesh->node_count);
    if (!is_made) {
        sn_clusters_release(clusters);
    }
    return is_made;
}

void sn_clusters_release(sn_clusters *clusters)
{
    sn_array_release(&clusters->begin);
    sn_array_release(&clusters->entry_node);
    release_lists(&clusters->entries);
    *clusters = (sn_clusters){0};
}
