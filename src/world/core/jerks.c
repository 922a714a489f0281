// What a fall into the slack of a deformable asks of its edges, before it acts.
//
// A body of mass M that n threads of N edges bring to a stop from the speed v pulls with F = v √(M K), for
// all of them are a spring of K = n k/N; a hard edge of nodes of mass m has k = ω² m/2. Each edge, of length
// l, stretches by the part ε = F/(n k l) = v/(ω l) √(2 M/(n m N)). What stops it is what the deformable
// touches, or another body that it hangs on, if the way to that is about to be as long as at rest. The
// tension of the last step knows nothing of that. Tested by tests/world/core/test_jerks.c.
#include "world/core/jerks.h"

#include "solver/elements/edge_block.h"
#include "world/exact/exact_plan.h"

#include <math.h>

// So many places are looked at of all at which a deformable may be stopped; neighbours tell the same.
enum { MOST_STOPS = 32 };

// A node that something stops, and the body on it (−1: a contact).
typedef struct stop {
    int node, body;
} stop;

// Those of one deformable.
typedef struct stops {
    const sn_deformable_data *data;
    float length; // of its edges [m]; 0 if they are not hard
    int count;
    stop list[MOST_STOPS];
} stops;

static const sn_constraint_common *hanger(const sn_world *world, int place)
{
    return &world->constraints.data[world->exact->hangers.data[place]].definition.common;
}

// The place of a hanger or, after all of these, of a contact, if it stops this deformable.
static bool stop_at(const sn_world *world, int deformable, int place, stop *stop)
{
    int hangers = world->exact->hangers.count;
    if (place < hangers) {
        const sn_point *nodes;
        bool hangs = sn_world_hangs_body(world, hanger(world, place), &stop->body, &nodes);
        stop->node = world->deformables.data[deformable].first_node + (int)nodes->nodes[0];
        return hangs && (int)nodes->deformable.index - 1 == deformable;
    }
    // Asked between steps, contacts may be those of what has gone.
    const sn_soft_contact_data *contact = &world->soft.contacts.data[place - hangers];
    const sn_deformable_data *data = &world->deformables.data[deformable];
    *stop = (struct stop){contact->nodes[0], -1};
    bool is_own = (int)contact->key.deformable == deformable && stop->node >= data->first_node &&
                  stop->node < data->first_node + data->node_count;
    return is_own && contact->body >= 0 && contact->normal_impulse > 0.0f;
}

static void find_stops(const sn_world *world, int deformable, stops *stops)
{
    int places = world->exact->hangers.count + world->soft.contacts.count, all = 0, seen = 0;
    stop stop;
    *stops = (struct stops){.data = &world->deformables.data[deformable]};
    int edges = stops->data->group_of[SN_ROWS_EDGES];
    const sn_edge_block *block = edges >= 0 ? stops->data->groups.data[edges].blocks : NULL;
    if (block == NULL || !sn_edge_is_hard(block, 0)) {
        return;
    }
    stops->length = block->rest.lane[0];
    for (int i = 0; i < places; ++i) {
        all += stop_at(world, deformable, i, &stop) ? 1 : 0;
    }
    int stride = (all + MOST_STOPS - 1) / MOST_STOPS;
    for (int i = 0; i < places && seen < all; ++i) {
        if (stop_at(world, deformable, i, &stop) && seen++ % stride == 0) {
            stops->list[stops->count++] = stop;
        }
    }
}

// v/(ε l) √(2/N), the ω that is asked for over √(M/(n m)); 0 where nothing gets taut in this step or the
// next.
static float rate_between(const sn_world *world, const stops *stops, int node, int stopped, float duration)
{
    int first = stops->data->first_node;
    sn_vec3 along =
        sn_sub(world->nodes.states.data[node].position, world->nodes.states.data[stopped].position);
    sn_vec3 parting =
        sn_sub(world->nodes.velocities.data[node].velocity, world->nodes.velocities.data[stopped].velocity);
    float distance = sn_length(along);
    float rest = sn_distance_between(sn_deformable_rest_place(stops->data, node - first),
                                     sn_deformable_rest_place(stops->data, stopped - first));
    float speed = distance > 0.0f ? sn_dot(parting, along) / distance : 0.0f;
    bool gets_taut = speed > 0.0f && rest > 0.0f && distance + 2.0f * speed * duration >= rest;
    float edges = sn_max(1.0f, rest / stops->length);
    return gets_taut ? speed / ((float)SN_STRETCH_LIMIT * stops->length) * sqrtf(2.0f / edges) : 0.0f;
}

void sn_world_each_jerk(const sn_world *world, const sn_hung_bodies *hung, float duration,
                        sn_jerk_function *function, void *context)
{
    int deformable = -1;
    stops stops = {0};
    for (int i = 0; i < world->exact->hangers.count; ++i) {
        const sn_point *nodes;
        int body;
        if (!sn_world_hangs_body(world, hanger(world, i), &body, &nodes)) {
            continue;
        }
        if ((int)nodes->deformable.index - 1 != deformable) {
            deformable = (int)nodes->deformable.index - 1;
            find_stops(world, deformable, &stops);
        }
        int node = stops.length > 0.0f ? stops.data->first_node + (int)nodes->nodes[0] : -1;
        float rate = 0.0f;
        for (int k = 0; k < stops.count && node >= 0; ++k) {
            bool stands = stops.list[k].body != body && stops.list[k].node != node;
            rate =
                stands ? sn_max(rate, rate_between(world, &stops, node, stops.list[k].node, duration)) : rate;
        }
        float ratio =
            rate > 0.0f ? sn_world_hanging_mass(world, hung, deformable, body) / hung->holders[body] : 0.0f;
        if (ratio > 0.0f) {
            function(context, body, rate * rate * ratio);
        }
    }
}
