// What is held back takes its neighbours with it: a node that stays while the next one goes on would stretch
// the edge between them, many times its length where motion is fast. Parts of motions are lowered along edges
// until none is longer than it was, would have been or, but for a little, is at rest; nodes that move by the
// same part keep their edge within that. Tested by tests/physics/soft/test_soft_guard.c.
#include "collision/guard/soft_guard_run.h"

// By how much of its length at rest an edge may be stretched by cuts; passes over all edges, after which what
// is left stays.
static const float most_stretch = 0.5f, rounding = 1.0e-4f;
enum { MOST_PASSES = 32 };

// The largest part of a displacement, from `least` to `most`, that ends within `reach` of a place.
static float part_within(sn_vec3 place, sn_vec3 displacement, float reach, float least, float most)
{
    float a = sn_length_squared(displacement), b = sn_dot(displacement, place);
    float c = sn_length_squared(place) - reach * reach;
    if (most * (most * a - 2.0f * b) + c <= 0.0f) {
        return most;
    }
    float root = b * b - a * c;
    return a > 0.0f && root > 0.0f ? sn_clamp((b + sqrtf(root)) / a, least, most) : least;
}

// Lowers the part of the second node to what the first, which moves by less of its own, allows.
static bool follow(const sn_guard_run *run, int first, int second, float rest)
{
    float *parts = run->guard->node_parts, before = parts[second];
    sn_vec3 start = sn_sub(run->starts[first].position, run->starts[second].position);
    sn_vec3 end = sn_add(start, sn_sub(run->displacements[first], run->displacements[second]));
    float longest = sqrtf(sn_max(sn_length_squared(start), sn_length_squared(end)));
    float reach = sn_max((1.0f + most_stretch) * rest, (1.0f + rounding) * longest);
    sn_vec3 place = sn_add_scaled(start, parts[first], run->displacements[first]);
    parts[second] = part_within(place, run->displacements[second], reach, parts[first], before);
    if (parts[second] < before) {
        run->node_cuts[second] = 0.0f; // so that its faces are looked at again
    }
    return parts[second] < before;
}

static bool spread_once(const sn_guard_run *run, const sn_soft_collider *collider, bool backwards)
{
    const sn_mesh *mesh = collider->surface->mesh;
    const float *parts = run->guard->node_parts + collider->first_node;
    const sn_node_state *starts = run->starts + collider->first_node;
    bool any = false;
    for (int i = 0; i < mesh->edge_count; ++i) {
        const uint32_t *edge = mesh->edges + 2 * (size_t)(backwards ? mesh->edge_count - 1 - i : i);
        uint32_t first = parts[edge[0]] <= parts[edge[1]] ? edge[0] : edge[1],
                 second = edge[0] + edge[1] - first;
        if (parts[first] < parts[second] && starts[second].inverse_mass > 0.0f) {
            float rest =
                collider->surface->scale * sn_distance_between(mesh->nodes[first], mesh->nodes[second]);
            any = follow(run, collider->first_node + (int)first, collider->first_node + (int)second, rest) ||
                  any;
        }
    }
    return any;
}

void sn_guard_spread(const sn_guard_run *run, const sn_soft_collider *collider)
{
    bool any = false;
    for (int k = 0; k < collider->node_count && !any; ++k) {
        any = run->node_cuts[collider->first_node + k] < 1.0f;
    }
    for (int pass = 0; any && pass < MOST_PASSES; ++pass) {
        any = spread_once(run, collider, pass % 2 == 1);
    }
}
