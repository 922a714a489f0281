// How fast what stands comes to rest where rigid things would: the rate at which the references of contacts
// follow their impulses (methods J.3, contact_kernel.h).
//
// Soft contacts of frequency ω and damping ratio ζ sink under their load. An island whose highest load sinks
// by δ has a slowest mode of the rate √(g/δ) and the damping 2ζ (g/δ)/ω, of which references may follow with
// a part. δ is found from the forces of the last step: each body sinks by what its contacts give way, and by
// what those sink on which it stands, in proportion to the load they carry.
// Tested by tests/physics/rigid/test_settle.c.
#include "world/core/settle.h"

#include "base/tuple_sort.h"
#include "solver/position.h"

// The part of the damping. Below half of it a column sinks without swinging; towers, whose bricks tilt on
// their neighbours as they sink, need less.
#define SETTLE_PART 0.04f
// References rest while nothing in the island is faster than this part of the speed at which it would rise
// from its full sag: what is left of the sag is about the same part, and what stands does not creep.
#define REST_PART 0.02f
// Most that references follow in a sub-step.
#define FASTEST 0.02f

typedef struct ranked {
    float height;
    int place;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *first = a, *second = b;
    if (first->height != second->height) {
        return first->height < second->height ? -1 : 1;
    }
    return first->place - second->place;
}

// The force of a contact on its body b, and the sum of its normal parts, in the last sub-step. [N]
static sn_vec3 contact_force(const sn_contact_data *contact, float *normal_force)
{
    sn_vec3 sum = {0.0f, 0.0f, 0.0f};
    float normal = 0.0f;
    for (int k = 0; k < contact->patches.count; ++k) {
        const sn_patch *patch = &contact->patches.data[k];
        for (int i = 0; i < patch->count; ++i) {
            sum = sn_add_scaled(sum, patch->points[i].normal_impulse, patch->normal);
            normal += patch->points[i].normal_impulse;
        }
        sum = sn_add(sum, patch->friction_impulse);
    }
    *normal_force = normal / contact->sub_step;
    return sn_scale(sum, 1.0f / contact->sub_step);
}

float sn_inverse_mass_of(const sn_body *body)
{
    return sn_body_is_dynamic(body) ? 1.0f / body->mass : 0.0f;
}

static float contact_stiffness_of(const sn_world *world)
{
    return world->def.solver == SN_SOLVER_POSITION
               ? sn_position_contact_stiffness(world->def.contact_stiffness, world->def.position.iterations)
               : world->def.contact_stiffness;
}

// By how much a contact gives way: F κ/ω². One with what cannot move is twice as stiff.
static float sag_of(const sn_world *world, const sn_contact_data *contact, float normal_force)
{
    float a = sn_inverse_mass_of(&world->bodies.data[contact->body_a]);
    float b = sn_inverse_mass_of(&world->bodies.data[contact->body_b]);
    float stiffness = 2.0f * SN_PI * contact_stiffness_of(world) * (a > 0.0f && b > 0.0f ? 1.0f : 2.0f);
    float rate = stiffness / contact->sub_step;
    return normal_force * (a + b) / (rate * rate);
}

// By place in the list of active contacts.
static void measure_contacts(const sn_world *world, sn_vec3 up, sn_contact_load *loads)
{
    for (int i = 0; i < world->active_contacts.count; ++i) {
        const sn_contact_data *contact = &world->contacts.data[world->active_contacts.data[i]];
        if (contact->patches.count > 0 && contact->sub_step > 0.0f) {
            float normal_force;
            loads[i].lift = sn_dot(contact_force(contact, &normal_force), up);
            loads[i].sag = sag_of(world, contact, normal_force);
        }
    }
}

// The contacts that hold a body up.
typedef struct supports {
    const sn_world *world;
    sn_contact_load *loads;
    float *sinks, *weights; // by place
} supports;

// Visits them: `lift` is what they hold up together, for the second visit. By how much the body sinks, if
// those below it are known, is the mean over them; or its weight is shared among them and handed down.
static float visit_supports(const supports *s, const sn_body *body, float lift, float weight, float *sink)
{
    float sum = 0.0f;
    for (int edge = body->first_contact; edge >= 0;
         edge = s->world->contacts.data[edge >> 1].next[edge & 1]) {
        const sn_contact_data *contact = &s->world->contacts.data[edge >> 1];
        sn_contact_load *load = contact->active_index >= 0 ? &s->loads[contact->active_index] : NULL;
        float carried = load != NULL ? (edge & 1 ? load->lift : -load->lift) : 0.0f;
        if (!(carried > 0.0f)) {
            continue;
        }
        const sn_body *other = &s->world->bodies.data[edge & 1 ? contact->body_a : contact->body_b];
        int place = sn_body_is_dynamic(other) ? other->awake_index : -1;
        sum += carried;
        *sink += carried * (load->sag + (place >= 0 ? s->sinks[place] : 0.0f));
        if (lift > 0.0f) {
            load->weight = weight * carried / lift;
            s->weights[place >= 0 ? place : 0] += place >= 0 ? load->weight : 0.0f;
        }
    }
    return sum;
}

static bool has_loads(const sn_world *world)
{
    const sn_long_range *settings = &world->def.long_range;
    return (settings->settle || settings->sub_steps) && world->def.solver != SN_SOLVER_STAGGERED &&
           sn_length_squared(world->def.gravity) > 0.0f;
}

// Fastest body, and between which heights bodies are.
static void measure_island(sn_island_load *load, const sn_body *body, float height, bool is_first)
{
    float speed = sn_length(body->linear_velocity) + sn_length(body->angular_velocity) * body->outer_radius;
    load->speed = sn_max(load->speed, speed);
    float lower = height - body->outer_radius, upper = height + body->outer_radius;
    load->lower = is_first ? lower : sn_min(load->lower, lower);
    load->upper = is_first ? upper : sn_max(load->upper, upper);
}

static const sn_body *body_at(const sn_world *world, int place)
{
    return &world->bodies.data[world->awake_bodies.data[place]];
}

bool sn_world_find_sags(sn_world *world, const sn_islands *islands, sn_solve_classes *classes)
{
    int count = islands->body_count;
    size_t size = (size_t)count;
    if (!has_loads(world)) {
        return true;
    }
    classes->loads = sn_arena_take_zero(&world->arena, size, sizeof *classes->loads);
    classes->load_of = sn_arena_take(&world->arena, size, sizeof(int));
    classes->contact_loads = sn_arena_take_zero(&world->arena, (size_t)world->active_contacts.count,
                                                sizeof *classes->contact_loads);
    supports supports = {world, classes->contact_loads,
                         sn_arena_take_zero(&world->arena, size, sizeof(float)),
                         sn_arena_take_zero(&world->arena, size, sizeof(float))};
    ranked *order = sn_arena_take(&world->arena, size, sizeof *order);
    if (classes->loads == NULL || classes->load_of == NULL || classes->contact_loads == NULL ||
        supports.sinks == NULL || supports.weights == NULL || order == NULL) {
        return false;
    }
    sn_vec3 up = sn_normalize(sn_scale(world->def.gravity, -1.0f));
    for (int i = 0; i < count; ++i) { // the root of an island is its first place
        const sn_body *body = body_at(world, i);
        int root = classes->load_of[i] = sn_island_root(islands, i);
        order[i] = (ranked){sn_dot(body->center, up), i};
        measure_island(&classes->loads[root], body, order[i].height, root == i);
    }
    sn_sort_in_place(order, count, sizeof *order, compare_ranked);
    measure_contacts(world, up, classes->contact_loads);
    for (int i = 0; i < count; ++i) {
        int place = order[i].place;
        float sum = 0.0f, lift = visit_supports(&supports, body_at(world, place), 0.0f, 0.0f, &sum);
        sn_island_load *load = &classes->loads[classes->load_of[place]];
        supports.sinks[place] = lift > 0.0f ? sum / lift : 0.0f;
        load->sag = sn_max(load->sag, supports.sinks[place]);
    }
    for (int i = count - 1; i >= 0; --i) {
        int place = order[i].place;
        const sn_body *body = body_at(world, place);
        float none = 0.0f, lift = visit_supports(&supports, body, 0.0f, 0.0f, &none);
        float weight = supports.weights[place] + body->mass * sn_length(world->def.gravity);
        visit_supports(&supports, body, lift, weight, &none);
    }
    return true;
}

sn_settle_rates sn_settle_rates_of(const sn_world *world, const sn_contact_data *contact, float h)
{
    const sn_body *a = &world->bodies.data[contact->body_a], *b = &world->bodies.data[contact->body_b];
    if (world->classes.loads == NULL || !world->def.long_range.settle) {
        return (sn_settle_rates){0.0f, 0.0f};
    }
    int place = sn_body_is_dynamic(a) && a->awake_index >= 0 ? a->awake_index : b->awake_index;
    const sn_island_load *load = &world->classes.loads[world->classes.load_of[place]];
    float g = sn_length(world->def.gravity), omega_h = 2.0f * SN_PI * contact_stiffness_of(world);
    float rise = SETTLE_PART * 2.0f * world->def.contact_damping * g * h / omega_h; // from the full sag [m/s]
    if (!(load->sag > 0.0f) || load->speed < REST_PART * rise) {
        return (sn_settle_rates){0.0f, 0.0f};
    }
    float together = sn_min(rise * h / load->sag, FASTEST), height = load->upper - load->lower;
    return (sn_settle_rates){together, together / (height * height)};
}
