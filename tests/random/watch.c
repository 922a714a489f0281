// Crossings by other means than the guard's and its verification's: by the public interface alone, all edges
// against all faces, signs of volumes in double precision. The guard's own conditions (docs/deformables.md)
// say which pairs are looked at, none of them by a number:
//
// - worlds that are guarded, and deformables that collide with each other, or with themselves;
// - what began the step without a crossing of the two: what is in each other is left to contacts, and one
//   edge that got out or in there says nothing. So of every two the first crossing counts;
// - two that no anchor holds together;
// - edges and faces none of whose nodes is held by an exact anchor: those are never cut.
#include "random/watch.h"

#include <string.h>

// --- an edge and a face ------------------------------------------------------------------------------------

// Six times the volume of a tetrahedron, with its sign.
static double volume(const sn_vec3 *a, const sn_vec3 *b, const sn_vec3 *c, const sn_vec3 *d)
{
    const sn_vec3 *tips[3] = {b, c, d};
    double m[3][3];
    for (int i = 0; i < 3; ++i) {
        m[i][0] = (double)tips[i]->x - (double)a->x;
        m[i][1] = (double)tips[i]->y - (double)a->y;
        m[i][2] = (double)tips[i]->z - (double)a->z;
    }
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

// The ends are on either side of the plane, and the line passes the three sides all the same way around.
static bool pierces(const sn_vec3 *p, const sn_vec3 *q, const sn_vec3 *const face[3])
{
    double above = volume(face[0], face[1], face[2], p), below = volume(face[0], face[1], face[2], q);
    if (above * below >= 0.0) {
        return false;
    }
    double around[3];
    for (int i = 0; i < 3; ++i) {
        around[i] = volume(p, q, face[i], face[(i + 1) % 3]);
    }
    return (around[0] > 0.0 && around[1] > 0.0 && around[2] > 0.0) ||
           (around[0] < 0.0 && around[1] < 0.0 && around[2] < 0.0);
}

// --- two deformables ---------------------------------------------------------------------------------------

typedef struct side {
    sn_deformable soft;
    const sn_node_state *nodes;
    const uint32_t *faces, *strands; // of what has no faces its edges
    int face_count, strand_count;
    bool collides, self_collides;
} side;

static bool describe(const random_world *w, const item *one, side *side)
{
    if (one->type != ITEM_SOFT || !one->is_built || !sn_deformable_is_valid(w->world, one->soft)) {
        return false;
    }
    const sn_mesh *mesh = sn_deformable_mesh(w->world, one->soft);
    sn_deformable_def def = sn_deformable_definition(w->world, one->soft);
    side->soft = one->soft;
    side->nodes = sn_deformable_nodes(w->world, one->soft);
    side->faces = sn_mesh_triangles(mesh);
    side->face_count = sn_mesh_triangle_count(mesh);
    side->strands = sn_mesh_edges(mesh);
    side->strand_count = sn_mesh_edge_count(mesh);
    side->collides = def.collide;
    side->self_collides = def.collide && def.self_collide;
    return true;
}

static bool is_anchored(const random_world *w, sn_deformable soft, uint32_t node)
{
    sn_anchor anchors[MAX_ITEMS];
    int count = sn_world_anchors(w->world, anchors, MAX_ITEMS);
    bool found = false;
    for (int i = 0; i < count && i < MAX_ITEMS; ++i) {
        sn_anchor_def def = sn_anchor_definition(w->world, anchors[i]);
        const sn_point *points[2] = {&def.a, &def.b};
        for (int k = 0; k < 2 && def.exact; ++k) {
            bool is_its = points[k]->deformable.index == soft.index;
            found = found || (is_its && points[k]->type == SN_POINT_SURFACE);
            for (int n = 0; n < points[k]->node_count && is_its && points[k]->type == SN_POINT_NODES; ++n) {
                found = found || (uint32_t)points[k]->nodes[n] == node;
            }
        }
    }
    return found;
}

static bool are_anchored_together(const random_world *w, sn_deformable a, sn_deformable b)
{
    sn_anchor anchors[MAX_ITEMS];
    int count = sn_world_anchors(w->world, anchors, MAX_ITEMS);
    bool found = false;
    for (int i = 0; i < count && i < MAX_ITEMS; ++i) {
        sn_anchor_def def = sn_anchor_definition(w->world, anchors[i]);
        uint32_t ends[2] = {def.a.deformable.index, def.b.deformable.index};
        found =
            found || (ends[0] == a.index && ends[1] == b.index) || (ends[0] == b.index && ends[1] == a.index);
    }
    return found;
}

// Edges of faces: those within a volume are not on its surface.
static int edge_count(const side *side)
{
    return side->face_count > 0 ? 3 * side->face_count : side->strand_count;
}

static void edge_of(const side *side, int edge, uint32_t ends[2])
{
    const uint32_t *face = side->faces + 3 * (edge / 3);
    ends[0] = side->face_count > 0 ? face[edge % 3] : side->strands[2 * edge];
    ends[1] = side->face_count > 0 ? face[(edge + 1) % 3] : side->strands[2 * edge + 1];
}

// How many edges of `a` pierce faces of `b`; with `free_only`, of nodes that no exact anchor holds.
static int count_piercing(const random_world *w, const side *a, const side *b, bool free_only)
{
    int count = 0;
    for (int e = 0; e < edge_count(a); ++e) {
        uint32_t ends[2];
        edge_of(a, e, ends);
        const sn_vec3 *p = &a->nodes[ends[0]].position, *q = &a->nodes[ends[1]].position;
        sn_vec3 low = sn_min3(*p, *q), high = sn_max3(*p, *q);
        for (int f = 0; f < b->face_count; ++f) {
            const uint32_t *corners = b->faces + 3 * f;
            const sn_vec3 *face[3];
            bool shares = false;
            for (int k = 0; k < 3; ++k) {
                face[k] = &b->nodes[corners[k]].position;
                shares = shares || (a->nodes == b->nodes && (corners[k] == ends[0] || corners[k] == ends[1]));
            }
            sn_bounds box = {sn_min3(*face[0], sn_min3(*face[1], *face[2])),
                             sn_max3(*face[0], sn_max3(*face[1], *face[2]))};
            if (shares || !sn_bounds_overlap(box, (sn_bounds){low, high}) || !pierces(p, q, face)) {
                continue;
            }
            bool is_free =
                !free_only || !(is_anchored(w, a->soft, ends[0]) || is_anchored(w, a->soft, ends[1]) ||
                                is_anchored(w, b->soft, corners[0]) || is_anchored(w, b->soft, corners[1]) ||
                                is_anchored(w, b->soft, corners[2]));
            count += is_free;
        }
    }
    return count;
}

// --- watching ----------------------------------------------------------------------------------------------

static bool is_guarded(const random_world *w)
{
    sn_world_def def = sn_world_settings(w->world);
    return def.guard && def.solver != SN_SOLVER_STAGGERED;
}

static bool are_crossed(const random_world *w, const side *a, const side *b, bool free_only)
{
    return count_piercing(w, a, b, free_only) > 0 || count_piercing(w, b, a, free_only) > 0;
}

bool watch_crossings(watch *watch, const random_world *w)
{
    bool any = false;
    for (int i = 0; i < w->item_count; ++i) {
        for (int k = 0; k <= i; ++k) {
            side a, b;
            bool both = describe(w, &w->items[i], &a) && describe(w, &w->items[k], &b);
            if (!both || !(i == k ? a.self_collides : a.collides && b.collides)) {
                continue;
            }
            bool is_crossed = are_crossed(w, &a, &b, false), *was_crossed = &watch->is_crossed[i][k];
            any = any || (is_crossed && !*was_crossed && is_guarded(w) &&
                          !are_anchored_together(w, a.soft, b.soft) && are_crossed(w, &a, &b, true));
            *was_crossed = is_crossed;
        }
    }
    return any;
}

void watch_begin(watch *watch, const random_world *w)
{
    memset(watch, 0, sizeof *watch);
    (void)watch_crossings(watch, w);
}

// --- memory ------------------------------------------------------------------------------------------------

// After so many steps at rest nothing is new: falling asleep included, for which islands have been told apart
// by then.
enum { REST_STEPS = 30 };

// By the world's own measure of rest. Of all there is: changes add balls that are no items.
static bool is_at_rest(const random_world *w)
{
    sn_rigid rigids[2 * MAX_ITEMS];
    sn_deformable softs[MAX_ITEMS];
    int rigid_count = sn_world_rigids(w->world, rigids, 2 * MAX_ITEMS);
    int soft_count = sn_world_deformables(w->world, softs, MAX_ITEMS);
    float most = 0.0f;
    for (int i = 0; i < rigid_count; ++i) {
        most = sn_max(most, sn_length(sn_rigid_linear_velocity(w->world, rigids[i])));
        most = sn_max(most, sn_length(sn_rigid_angular_velocity(w->world, rigids[i])));
    }
    for (int i = 0; i < soft_count; ++i) {
        const sn_node_velocity *nodes = sn_deformable_velocities(w->world, softs[i]);
        for (int k = 0; k < sn_deformable_node_count(w->world, softs[i]); ++k) {
            most = sn_max(most, sn_length(nodes[k].velocity));
        }
    }
    return most < w->def.sleep_speed;
}

// Whether something is changed from outside before that step, or a joint begins or ceases to hold about then.
static bool is_changed(const random_world *w, int step)
{
    bool any = false;
    float from = (float)(step - 1) * w->step, until = (float)(step + 1) * w->step;
    for (int i = 0; i < w->item_count; ++i) {
        const item *one = &w->items[i];
        any = any || (one->type == ITEM_CHANGE && !one->is_off && one->step == step);
        if (one->type == ITEM_JOINT && one->is_built && sn_constraint_is_valid(w->world, one->constraint)) {
            sn_constraint_common common = sn_constraint_definition(w->world, one->constraint);
            any = any || (from < common.active_from && common.active_from < until) ||
                  (from < common.active_until && common.active_until < until);
        }
    }
    return any;
}

void watch_before(watch *watch, const random_world *w, int step)
{
    bool changed = is_changed(w, step);
    watch->most_bytes = changed ? 0 : watch->most_bytes;
    watch->rest_steps = changed ? 0 : watch->rest_steps;
    watch->allocations = sn_allocation_count();
}

bool watch_memory(watch *watch, const random_world *w)
{
    bool took = sn_allocation_count() != watch->allocations;
    uint64_t bytes = sn_allocated_bytes();
    bool is_in_vain = took && (bytes <= watch->most_bytes || watch->rest_steps >= REST_STEPS);
    watch->most_bytes = bytes > watch->most_bytes ? bytes : watch->most_bytes;
    watch->rest_steps = is_at_rest(w) ? watch->rest_steps + 1 : 0;
    return is_in_vain;
}
