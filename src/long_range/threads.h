// Threads of a net of edges: chains of edges that go on straight where the net is at rest. The length of a
// thread between two of its nodes bounds their distance whatever the shape.
#ifndef SN_LONG_RANGE_THREADS_H
#define SN_LONG_RANGE_THREADS_H

#include "long_range/distances.h"

typedef struct sn_threads {
    int count;
    int *begin;   // by thread: its place in `nodes`; one more at the end
    int *nodes;   // one after the other along their threads
    float *along; // by place in these: the thread's length up to there [m]
    size_t room;  // of each of the three
} sn_threads;

// `places` are where nodes are at rest. Every edge is part of one thread. False without memory, with nothing
// to release.
bool sn_threads_make(sn_threads *threads, const sn_distance_graph *graph, const sn_vec3 *places);
void sn_threads_release(sn_threads *threads);

#endif
