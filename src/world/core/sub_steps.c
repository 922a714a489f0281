// How many sub-steps a step takes, where the user leaves that to the world.
//
// A rope of nodes of mass m stretches by F/(m ω²) at every node, F the load and ω a fixed share of the rate
// of sub-steps: light nodes under heavy bodies need more of them, as the square root of the ratio of masses.
#include "base/allocate.h"
#include "world/constraints/anchors.h"
#include "world/exact/exact_plan.h"

#include <math.h>

// Fourteen hold stacks of twenty and mass ratios of a hundred to a centimetre (see docs/solver.md).
#define DEFAULT_SUB_STEPS 14
// A column of bodies on springy contacts buckles under its own weight where g n³ t > 2 ω² w², n the number of
// bodies, t their thickness, w their width and ω a fixed share of the rate of sub-steps. Fourteen in a 60th
// of a second hold ten bodies of w²/t = 3 cm twice over; smaller ones that touch each other take more.
#define SMALL_SIZE           0.03f
#define SMALL_RATE           (60.0f * (float)DEFAULT_SUB_STEPS)
#define MOST_SMALL_SUB_STEPS 160.0f
// With cloth, ropes and jelly: sixteen keep cloth within a few per cent of its length.
#define DEFORMABLE_SUB_STEPS 16
// They do so, too, for bodies that weigh this many times as much as the nodes that hold them. Beyond, there
// are more, up to three times as many.
#define LIGHT_LOAD     100.0f
#define MOST_SUB_STEPS 48
// What a first step is taken to last. [s]
#define USUAL_DURATION (1.0f / 60.0f)
// In long steps at least so many [1/s]: pressure and stiff elements burst under sub-steps of a hundredth of a
// second. A step lasts a second at most.
#define SUB_STEPS_PER_SECOND 256.0f
// Of a step, where there has been none to go by [s].
#define USUAL_DURATION (1.0f / 60.0f)

// The mass that resists a push on a weighted sum of nodes; infinite if they are fixed.
static float mass_of(const sn_world *world, const sn_point *point)
{
    int first = sn_world_deformable(world, point->deformable)->first_node;
    float response = 0.0f;
    for (int i = 0; i < point->node_count; ++i) {
        float inverse_mass = world->nodes.states.data[first + point->nodes[i]].inverse_mass;
        response += point->weights[i] * point->weights[i] * inverse_mass;
    }
    return response > 0.0f ? 1.0f / response : INFINITY;
}

// Whether an anchor between nodes and a body hangs one on the nodes that is awake and dynamic: which.
static bool hangs_body(const sn_world *world, const sn_constraint_common *def, int *body,
                       const sn_point **nodes)
{
    const sn_point *rigid = def->a.type == SN_POINT_RIGID ? &def->a : &def->b;
    *nodes = rigid == &def->a ? &def->b : &def->a;
    *body = (int)rigid->rigid.index - 1;
    return sn_body_is_dynamic(&world->bodies.data[*body]) && !sn_world_member_sleeps(world, *body);
}

// The largest ratio of a body's mass to that of the nodes it hangs on; `held` are zeros, one a body.
static float heaviest_load(const sn_world *world, float *held)
{
    int body;
    const sn_point *nodes;
    float load = 0.0f;
    for (int i = 0; i < world->exact->hangers.count; ++i) {
        const sn_constraint_common *def =
            &world->constraints.data[world->exact->hangers.data[i]].definition.common;
        if (hangs_body(world, def, &body, &nodes)) {
            held[body] += mass_of(world, nodes);
        }
    }
    for (int i = 0; i < world->bodies.count; ++i) {
        load = held[i] > 0.0f ? sn_max(load, world->bodies.data[i].mass / held[i]) : load;
    }
    return load;
}

// w²/t of a body as wide and as thick as a box of its inertia that lies on its largest side. [m]
static float stacking_size(const sn_body *body)
{
    float x = body->inertia.x.x, y = body->inertia.y.y, z = body->inertia.z.z;
    float squared[3] = {y + z - x, z + x - y, x + y - z}; // of the sides, in units of 6/m
    float least = sn_min(squared[0], sn_min(squared[1], squared[2]));
    float most = sn_max(squared[0], sn_max(squared[1], squared[2]));
    float middle = squared[0] + squared[1] + squared[2] - least - most;
    return least > 0.0f ? middle * sqrtf(6.0f / (body->mass * least)) : INFINITY;
}

// Of the smallest body that touches, or nearly so, another one that is free to move.
static float smallest_stacked(const sn_world *world)
{
    float smallest = INFINITY;
    for (int i = 0; i < world->active_contacts.count; ++i) {
        const sn_contact_data *contact = &world->contacts.data[world->active_contacts.data[i]];
        const sn_body *a = &world->bodies.data[contact->body_a], *b = &world->bodies.data[contact->body_b];
        if (contact->patches.count > 0 && sn_body_is_dynamic(a) && sn_body_is_dynamic(b)) {
            smallest = sn_min(smallest, sn_min(stacking_size(a), stacking_size(b)));
        }
    }
    return smallest;
}

static int sub_steps_of_small(const sn_world *world, float duration)
{
    float wanted = duration * SMALL_RATE * sqrtf(SMALL_SIZE / smallest_stacked(world));
    return (int)sn_min(wanted, MOST_SMALL_SUB_STEPS);
}

int sn_world_choose_sub_steps(const sn_world *world, float duration, float *held)
{
    if (world->def.solver == SN_SOLVER_STAGGERED) {
        return 1;
    }
    if (world->def.sub_steps > 0) {
        return world->def.sub_steps;
    }
    int small = sub_steps_of_small(world, duration);
    if (world->deformable_ids.used == 0) {
        return small > DEFAULT_SUB_STEPS ? small : DEFAULT_SUB_STEPS;
    }
    float load = held != NULL ? heaviest_load(world, held) : 0.0f;
    float wanted = (float)DEFORMABLE_SUB_STEPS * sqrtf(load / LIGHT_LOAD);
    wanted = sn_clamp(wanted, (float)DEFORMABLE_SUB_STEPS, (float)MOST_SUB_STEPS);
    wanted = sn_max(wanted, (float)small);
    return (int)sn_max(wanted, duration * SUB_STEPS_PER_SECOND);
}

// Steps are usually alike: the next one is taken to last as long as the last one did.
int sn_world_sub_steps(const sn_world *world)
{
    if (world == NULL) {
        return 0;
    }
    float *held = NULL;
    if (world->constraint_ids.used > 0 && sn_world_plan_exact(world)) {
        held = sn_allocate_zero((size_t)world->bodies.count, sizeof *held);
    }
    float duration = world->last_duration > 0.0f ? world->last_duration : USUAL_DURATION;
    int count = sn_world_choose_sub_steps(world, duration, held);
    sn_release(held, (size_t)world->bodies.count * sizeof *held);
    return count;
}
