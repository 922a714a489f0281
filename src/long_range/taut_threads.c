// Which threads are taut, and what they hold (taut_threads.h).
// Tested by tests/long_range/test_sheet_bounds.c.
#include "long_range/taut_threads.h"

#include "base/allocate.h"

// By this part a taut thread may be longer than its ends are apart.
#define TAUT 1.0e-4f

// How a node is held.
typedef struct hold {
    int node;           // one that is held; −1: by nothing
    sn_between between; // and the other, of a node on a taut thread; of a held one `share` is 0
} hold;

static bool is_taut(const hold *hold)
{
    return hold->node >= 0 && hold->between.share > 0.0f;
}

// A piece of a thread, by places in it.
typedef struct piece {
    int from, to;
} piece;

// The next piece between two nodes that are held, or, if `by_taut`, on a taut thread; none of those between
// is. `to` is where the last one ended, or the thread begins. False if the thread ends before.
static bool next_piece(const sn_threads *threads, const hold *holds, int end, bool by_taut, piece *piece)
{
    int from = -1;
    for (int i = piece->to; i < end; ++i) {
        const hold *hold = &holds[threads->nodes[i]];
        if (hold->node >= 0 && (by_taut || !is_taut(hold))) {
            if (from >= 0) {
                *piece = (struct piece){from, i};
                return true;
            }
            from = i;
        }
    }
    return false;
}

// Whether the ends of a piece leave it no room at rest.
static bool has_no_room(const sn_threads *threads, const sn_vec3 *places, piece piece)
{
    float span = threads->along[piece.to] - threads->along[piece.from];
    sn_vec3 a = places[threads->nodes[piece.from]], b = places[threads->nodes[piece.to]];
    return span > 0.0f && sn_distance_between(a, b) >= (1.0f - TAUT) * span;
}

// Nodes between two held ones that leave the thread no room.
static void mark_taut(const sn_threads *threads, const sn_vec3 *places, int thread, hold *holds)
{
    piece piece = {.to = threads->begin[thread]};
    while (next_piece(threads, holds, threads->begin[thread + 1], false, &piece)) {
        const float *along = threads->along;
        float span = along[piece.to] - along[piece.from];
        bool taut = has_no_room(threads, places, piece);
        for (int i = piece.from + 1; i < piece.to && taut; ++i) {
            hold *hold = &holds[threads->nodes[i]];
            if (hold->node < 0) {
                sn_between between = {threads->nodes[piece.to], (along[i] - along[piece.from]) / span, span};
                *hold = (struct hold){threads->nodes[piece.from], between};
            }
        }
    }
}

// Bounds of the nodes of a piece to its end, if that is on a taut thread; the next one is held by its edge.
static bool bind_to(const sn_threads *threads, const hold *holds, piece piece, int end, sn_bound_list *bounds)
{
    const hold *hold = &holds[threads->nodes[end]];
    bool good = true;
    for (int i = piece.from + 1; i < piece.to && is_taut(hold) && good; ++i) {
        float length = sn_abs(threads->along[i] - threads->along[end]);
        sn_bound bound = {threads->nodes[i], hold->node, length, true, hold->between};
        good = i == end - 1 || i == end + 1 || sn_array_push(bounds, bound);
    }
    return good;
}

static bool bind(const sn_threads *threads, const sn_vec3 *places, int thread, const hold *holds,
                 sn_bound_list *bounds)
{
    piece piece = {.to = threads->begin[thread]};
    bool good = true;
    while (good && next_piece(threads, holds, threads->begin[thread + 1], true, &piece)) {
        good = !has_no_room(threads, places, piece) || (bind_to(threads, holds, piece, piece.from, bounds) &&
                                                        bind_to(threads, holds, piece, piece.to, bounds));
    }
    return good;
}

bool sn_taut_threads_find(const sn_threads *threads, const sn_vec3 *places, int node_count, const int *held,
                          int held_count, sn_bound_list *bounds)
{
    hold *holds = sn_allocate_zero((size_t)node_count, sizeof *holds);
    if (holds == NULL) {
        return false;
    }
    for (int i = 0; i < node_count; ++i) {
        holds[i].node = -1;
    }
    for (int i = 0; i < held_count; ++i) {
        holds[held[i]].node = held[i];
    }
    for (int t = 0; t < threads->count; ++t) {
        mark_taut(threads, places, t, holds);
    }
    bool good = true;
    for (int t = 0; t < threads->count && good; ++t) {
        good = bind(threads, places, t, holds, bounds);
    }
    sn_release(holds, (size_t)node_count * sizeof *holds);
    return good;
}
