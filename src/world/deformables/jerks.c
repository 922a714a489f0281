// What a fall into the slack of a deformable asks of its edges, before it acts.
//
// A body of mass M that n threads of N edges bring to a stop from the speed v pulls with F = v √(M K), for
// all of them are a spring of K = n k/N; a hard edge of nodes of mass m has k = ω² m/2. Each edge, of length
// l, stretches by the part ε = F/(n k l) = v/(ω l) √(2 M/(n m N)). What stops it is what the deformable
// touches, if the way to that is about to be as long as at rest. The tension of the last step knows nothing
// of that. Tested by tests/world/deformables/test_jerks.c.
#include "world/deformables/jerks.h"

#include "solver/elements/edge_block.h"
#include "world/exact/exact_plan.h"

#include <math.h>

// So many hangers, and places where a deformable may be stopped, are looked at; neighbours tell the same.
enum { MOST_PLACES = 32 };

// A node, and the body that hangs on it.
typedef struct hanger {
    int node, body;
} hanger;

// Nodes that touch something.
typedef struct stops {
    int count, nodes[MOST_PLACES];
} stops;

// What hangs on one deformable.
typedef struct hangers {
    int deformable;
    const sn_deformable_data *data;
    float length; // of its edges [m]
    int count;
    hanger list[MOST_PLACES];
} hangers;

static bool hangs(const sn_world *world, int edge, hanger *hanger)
{
    const sn_constraint_data *data = &world->constraints.data[edge >> 1];
    const sn_constraint_common *common = &data->definition.common;
    const sn_point *own = (edge & 1) == 0 ? &common->a : &common->b;
    const sn_point *other = (edge & 1) == 0 ? &common->b : &common->a, *nodes;
    if (own->type != SN_POINT_NODES || other->type != SN_POINT_RIGID ||
        !world->constraint_links.data[edge >> 1].is_on || !sn_constraint_carries(data) ||
        !sn_world_hangs_body(world, common, &hanger->body, &nodes)) {
        return false;
    }
    hanger->node = sn_world_deformable(world, own->deformable)->first_node + (int)own->nodes[0];
    return true;
}

// Of a deformable whose first edges are hard.
static void find_hangers(const sn_world *world, int deformable, hangers *hangers)
{
    const sn_deformable_data *data = &world->deformables.data[deformable];
    *hangers = (struct hangers){.deformable = deformable, .data = data};
    int group = data->group_of[SN_ROWS_EDGES], all = 0, seen = 0;
    const sn_edge_block *block = group >= 0 ? data->groups.data[group].blocks : NULL;
    if (block == NULL || !sn_edge_is_hard(block, 0) || sn_deformable_sleeps(data)) {
        return;
    }
    hangers->length = block->rest.lane[0];
    hanger hanger;
    for (int edge = data->first_constraint; edge >= 0; edge = sn_next_constraint(world, edge)) {
        all += hangs(world, edge, &hanger) ? 1 : 0;
    }
    int stride = (all + MOST_PLACES - 1) / MOST_PLACES;
    for (int edge = data->first_constraint; edge >= 0 && seen < all; edge = sn_next_constraint(world, edge)) {
        if (hangs(world, edge, &hanger) && seen++ % stride == 0) {
            hangers->list[hangers->count++] = hanger;
        }
    }
}

// Some of a run of contacts of one deformable. Asked between steps, they may be those of what has gone.
static void find_stops(const sn_world *world, const hangers *hangers, int begin, int end, stops *stops)
{
    int stride = (end - begin + MOST_PLACES - 1) / MOST_PLACES, first = hangers->data->first_node;
    stops->count = 0;
    for (int i = begin; i < end; i += stride) {
        const sn_soft_contact_data *contact = &world->soft.contacts.data[i];
        int node = contact->nodes[0];
        if (contact->body >= 0 && contact->normal_impulse > 0.0f && node >= first &&
            node < first + hangers->data->node_count) {
            stops->nodes[stops->count++] = node;
        }
    }
}

// v/(ε l) √(2/N), the ω that is asked for over √(M/(n m)); 0 where nothing gets taut in this step or the
// next.
static float rate_between(const sn_world *world, const hangers *hangers, int node, int stopped,
                          float duration)
{
    int first = hangers->data->first_node;
    sn_vec3 along =
        sn_sub(world->nodes.states.data[node].position, world->nodes.states.data[stopped].position);
    sn_vec3 parting =
        sn_sub(world->nodes.velocities.data[node].velocity, world->nodes.velocities.data[stopped].velocity);
    float distance = sn_length(along);
    float rest = sn_distance_between(sn_deformable_rest_place(hangers->data, node - first),
                                     sn_deformable_rest_place(hangers->data, stopped - first));
    float speed = distance > 0.0f ? sn_dot(parting, along) / distance : 0.0f;
    bool gets_taut = speed > 0.0f && rest > 0.0f && distance + 2.0f * speed * duration >= rest;
    float edges = sn_max(1.0f, rest / hangers->length);
    return gets_taut ? speed / ((float)SN_STRETCH_LIMIT * hangers->length) * sqrtf(2.0f / edges) : 0.0f;
}

typedef struct jerks {
    const sn_world *world;
    const sn_hung_bodies *hung;
    float duration;
    sn_jerk_function *function;
    void *context;
} jerks;

static void tell(const jerks *jerks, const hangers *hangers, const stops *stops)
{
    for (int i = 0; i < hangers->count; ++i) {
        const hanger *hanger = &hangers->list[i];
        float rate = 0.0f, holders = jerks->hung->holders[hanger->body];
        for (int k = 0; k < stops->count; ++k) {
            rate = sn_max(
                rate, rate_between(jerks->world, hangers, hanger->node, stops->nodes[k], jerks->duration));
        }
        if (rate > 0.0f && holders > 0.0f) {
            float mass = sn_world_hanging_mass(jerks->world, jerks->hung, hangers->deformable, hanger->body);
            jerks->function(jerks->context, hanger->body, rate * rate * mass / holders);
        }
    }
}

void sn_world_each_jerk(const sn_world *world, const sn_hung_bodies *hung, float duration,
                        sn_jerk_function *function, void *context)
{
    jerks jerks = {world, hung, duration, function, context};
    for (int begin = 0, end; begin < world->soft.contacts.count; begin = end) {
        int deformable = (int)world->soft.contacts.data[begin].key.deformable;
        for (end = begin + 1; end < world->soft.contacts.count &&
                              (int)world->soft.contacts.data[end].key.deformable == deformable;) {
            ++end;
        }
        if (sn_id_pool_in_use(&world->deformable_ids, deformable)) {
            hangers hangers;
            stops stops;
            find_hangers(world, deformable, &hangers);
            find_stops(world, &hangers, begin, end, &stops);
            tell(&jerks, &hangers, &stops);
        }
    }
}
