// How fast what stands comes to rest where rigid things would: the rate at which the references of contacts
// follow their impulses (methods J.3, contact_kernel.h).
//
// Soft contacts of frequency ω and damping ratio ζ sink under their load. An island whose highest load sinks
// by δ has a slowest mode of the rate √(g/δ) and the damping 2ζ (g/δ)/ω, of which references may follow with
// a part. δ is found from the forces of the last step: each body sinks by what its contacts give way, and by
// what those sink on which it stands, in proportion to the load they carry.
//
// On the same ways it is found how near what stands is to buckling, as sub_steps.c needs it. What is above a
// contact tilts on it against m ω² ρ², ρ the radius of the contact, and the weight F above, which acts at the
// height H, helps with F H. By Dunkerley's rule a column stands if the sum of F H/(m ω² ρ²) over its contacts
// is below 1.
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

// What a contact carries.
typedef struct contact_load {
    float lift;        // upward force on its body b in the last sub-step [N]
    float sag;         // by how much it gives way [m]
    float softness;    // way per force, in sub-steps of unit length [m/N s²]
    float radius2;     // mean square distance of its points from their middle [m²]
    float share, tilt; // its parts of what its upper body weighs, and of how that tilts
    sn_vec3 middle;    // of its points [m]
    bool is_inside;    // one body in the other
} contact_load;

// 0 for what forces do not move.
static float inverse_mass_of(const sn_body *body)
{
    return sn_body_is_dynamic(body) ? 1.0f / body->mass : 0.0f;
}

// 1/(m ω²), by which a contact gives way under a unit of force in sub-steps of length h. One with what cannot
// move is twice as stiff.
static float softness_of(const sn_world *world, const sn_contact_data *contact, float h)
{
    float a = inverse_mass_of(&world->bodies.data[contact->body_a]);
    float b = inverse_mass_of(&world->bodies.data[contact->body_b]);
    float stiffness = 2.0f * SN_PI * world->def.contact_stiffness * (a > 0.0f && b > 0.0f ? 1.0f : 2.0f);
    stiffness *= sn_position_contact_growth(world->def.solver, &world->def.position);
    float rate = stiffness / h;
    return (a + b) / (rate * rate);
}

// What is about to stand on something counts as if it stood there with this part of its weight, so that what
// lands and bounces does not change its sub-steps, and with them the stiffness of its contacts, in between.
// What constraints hold does not stand.
#define ABOUT_TO_STAND 1.0e-6f

static float nominal_lift(const sn_world *world, const sn_contact_data *contact, sn_vec3 up)
{
    const sn_body *a = &world->bodies.data[contact->body_a], *b = &world->bodies.data[contact->body_b];
    float slope = sn_dot(contact->patches.data[0].normal, up);
    const sn_body *upper = slope > 0.0f ? b : a;
    return upper->first_constraint < 0 ? ABOUT_TO_STAND * upper->mass * sn_length(world->def.gravity) * slope
                                       : 0.0f;
}

// What is inside something by more than this part of its inner radius does not stand on it: it is being let
// out.
#define DEEPEST_STAND 0.5f

static float inner_radius_of(const sn_body *body)
{
    return sn_body_is_dynamic(body) ? body->inner_radius : INFINITY;
}

// Sums over the points of a contact, in one pass: there are more of them than caches hold.
typedef struct point_sums {
    sn_vec3 impulse; // on its body b in the last sub-step [N s]
    float normal;    // the normal parts of it
    sn_vec3 arm;     // from body a's centre
    float square, count;
    float least_separation;
} point_sums;

static point_sums sum_points(const sn_contact_data *contact)
{
    point_sums sum = {.least_separation = INFINITY};
    for (int k = 0; k < contact->patches.count; ++k) {
        const sn_patch *patch = &contact->patches.data[k];
        for (int i = 0; i < patch->count; ++i) {
            const sn_patch_point *point = &patch->points[i];
            sum.impulse = sn_add_scaled(sum.impulse, point->normal_impulse, patch->normal);
            sum.normal += point->normal_impulse;
            sum.arm = sn_add(sum.arm, point->arm_a);
            sum.square += sn_length_squared(point->arm_a);
            sum.count += 1.0f;
            sum.least_separation = sn_min(sum.least_separation, point->separation);
        }
        sum.impulse = sn_add(sum.impulse, patch->friction_impulse);
    }
    return sum;
}

static bool is_inside(const sn_world *world, const sn_contact_data *contact, float separation)
{
    float radius = sn_min(inner_radius_of(&world->bodies.data[contact->body_a]),
                          inner_radius_of(&world->bodies.data[contact->body_b]));
    return separation < -DEEPEST_STAND * radius;
}

static void measure_contact(const sn_world *world, sn_vec3 up, const sn_contact_data *contact,
                            contact_load *load)
{
    point_sums sum = sum_points(contact);
    load->is_inside = is_inside(world, contact, sum.least_separation);
    if (load->is_inside || contact->patches.count == 0) {
        return;
    }
    float h = contact->sub_step, normal_force = h > 0.0f ? sum.normal / h : 0.0f;
    load->lift =
        normal_force > 0.0f ? sn_dot(sn_scale(sum.impulse, 1.0f / h), up) : nominal_lift(world, contact, up);
    load->softness = softness_of(world, contact, 1.0f);
    load->sag = h > 0.0f ? normal_force * softness_of(world, contact, h) : 0.0f;
    sn_vec3 mean = sn_scale(sum.arm, sum.count > 0.0f ? 1.0f / sum.count : 0.0f);
    load->middle = sn_add(world->bodies.data[contact->body_a].center, mean);
    load->radius2 = sum.count > 0.0f ? sn_max(sum.square / sum.count - sn_length_squared(mean), 0.0f) : 0.0f;
}

// By place in the list of contacts with patches.
static void measure_contacts(const sn_world *world, sn_vec3 up, contact_load *loads)
{
    for (int i = 0; i < world->met_contacts.count; ++i) {
        measure_contact(world, up, &world->contacts.data[world->met_contacts.data[i]], &loads[i]);
    }
}

// --- ways of loads -----------------------------------------------------------------------------------------

// A contact that holds a body up: its upward force, and the place of the body below, −1 for what does not
// move.
typedef struct support {
    contact_load *contact;
    float lift;
    int below;
} support;

// What is known of a body, by place.
typedef struct body_load {
    support *supports;
    int support_count;
    float weight, moment; // of what stands on it; the latter is weight × height at which it acts [N, N m]
    float sink;           // by how much it sinks [m]
    float sway;           // see sn_island_load, of all below it
} body_load;

typedef struct load_paths {
    const sn_world *world;
    sn_vec3 up;
    contact_load *contacts;
    body_load *bodies;
} load_paths;

static int place_of(const sn_world *world, int body)
{
    return sn_body_is_dynamic(&world->bodies.data[body]) ? world->bodies.data[body].awake_index : -1;
}

// The place of the body that a contact holds up, −1 for none, and of the one below it.
static int held_by(const sn_world *world, int contact, const contact_load *load, int *below)
{
    const sn_contact_data *data = &world->contacts.data[contact];
    bool is_b = load->lift > 0.0f;
    *below = place_of(world, is_b ? data->body_a : data->body_b);
    return load->lift != 0.0f ? place_of(world, is_b ? data->body_b : data->body_a) : -1;
}

// Side by side for each body, in the order of the contacts: there is room for as many, for none holds up both
// of its bodies.
static void find_supports(load_paths *paths, support *room)
{
    const sn_world *world = paths->world;
    int below, count = world->met_contacts.count;
    for (int i = 0; i < count; ++i) {
        int held = held_by(world, world->met_contacts.data[i], &paths->contacts[i], &below);
        paths->bodies[held >= 0 ? held : 0].support_count += held >= 0 ? 1 : 0;
    }
    for (int i = 0; i < world->awake_bodies.count; ++i) {
        paths->bodies[i].supports = room;
        room += paths->bodies[i].support_count;
        paths->bodies[i].support_count = 0;
    }
    for (int i = 0; i < count; ++i) {
        contact_load *load = &paths->contacts[i];
        int held = held_by(world, world->met_contacts.data[i], load, &below);
        if (held >= 0) {
            body_load *own = &paths->bodies[held];
            own->supports[own->support_count++] = (support){load, sn_abs(load->lift), below};
        }
    }
}

// A difference of squares that is a smaller part of them is rounding.
#define ROUNDING 1.0e-6f

// Contacts that are less than this part of a body's size apart are one point.
#define POINT_SIZE 0.01f

// All that holds a body up, as one patch.
typedef struct base {
    float lift, softness, radius2;
    sn_vec3 middle;
} base;

static base base_of(const body_load *own, const sn_body *body)
{
    base sum = {0};
    float squares = 0.0f;
    for (int i = 0; i < own->support_count; ++i) {
        const support *next = &own->supports[i];
        sn_vec3 arm = sn_sub(next->contact->middle, body->center);
        sum.lift += next->lift;
        sum.softness += next->lift * next->contact->softness;
        sum.middle = sn_add_scaled(sum.middle, next->lift, arm);
        squares += next->lift * (sn_length_squared(arm) + next->contact->radius2);
    }
    if (sum.lift > 0.0f) {
        float rate = 1.0f / sum.lift;
        sum.softness *= rate;
        sum.middle = sn_scale(sum.middle, rate);
        sum.radius2 = squares * rate - sn_length_squared(sum.middle);
        sum.radius2 = sum.radius2 > ROUNDING * squares * rate ? sum.radius2 : 0.0f;
        sum.middle = sn_add(sum.middle, body->center);
    }
    return sum;
}

// What lands on a corner or tips over an edge is not held by it, however stiff that is: the wider of what is
// below it and how far it is beside that counts. [m²]
static float width2_of(const sn_body *body, const base *base, sn_vec3 up)
{
    sn_vec3 arm = sn_sub(body->center, base->middle);
    return base->radius2 + sn_length_squared(sn_add_scaled(arm, -sn_dot(arm, up), up));
}

// Hands the weight of a body, and of what stands on it, down to what holds it up. Where that is one contact,
// all of it tilts as what is below tilts, and weighs at its own height. Where several contacts apart from
// each other hold it, it hardly tilts with each of them, and weighs little higher than they are.
static void hand_down(load_paths *paths, int place, const sn_body *body)
{
    body_load *own = &paths->bodies[place];
    base base = base_of(own, body);
    float weight = body->mass * sn_length(paths->world->def.gravity);
    own->moment += weight * sn_dot(body->center, paths->up);
    own->weight += weight;
    if (!(base.lift > 0.0f)) {
        return;
    }
    float height = own->moment / own->weight - sn_dot(base.middle, paths->up);
    float width2 = width2_of(body, &base, paths->up);
    // What stands on a single point rolls or tips over: no stiffness keeps it from that.
    float point = POINT_SIZE * body->outer_radius;
    if (height > 0.0f && base.radius2 > point * point && body->first_constraint < 0) {
        own->sway = own->weight * height * base.softness / width2;
    }
    for (int i = 0; i < own->support_count; ++i) {
        const support *next = &own->supports[i];
        contact_load *contact = next->contact;
        contact->share = next->lift / base.lift;
        contact->tilt = base.radius2 > 0.0f ? sn_min(contact->radius2 / base.radius2, 1.0f) : 1.0f;
        if (next->below >= 0) {
            float handed = own->weight * contact->share;
            paths->bodies[next->below].weight += handed;
            paths->bodies[next->below].moment +=
                handed * (sn_dot(contact->middle, paths->up) + contact->tilt * height);
        }
    }
}

// By how much a body sinks, and how near it is to buckling, if those below it are known.
static void add_up(load_paths *paths, int place)
{
    body_load *own = &paths->bodies[place];
    float lift = 0.0f, sum = 0.0f;
    for (int i = 0; i < own->support_count; ++i) {
        const support *next = &own->supports[i];
        const contact_load *contact = next->contact;
        const body_load none = {0}, *below = next->below >= 0 ? &paths->bodies[next->below] : &none;
        lift += next->lift;
        sum += next->lift * (contact->sag + below->sink);
        own->sway += contact->share * contact->tilt * below->sway;
    }
    own->sink = lift > 0.0f ? sum / lift : 0.0f;
}

// An island with bodies inside each other is no column yet: it is let out first, with the sub-steps it has.
static void forget_crowds(const sn_world *world, const contact_load *loads, const sn_solve_classes *classes)
{
    for (int i = 0; i < world->met_contacts.count; ++i) {
        const sn_contact_data *contact = &world->contacts.data[world->met_contacts.data[i]];
        const sn_body *a = &world->bodies.data[contact->body_a], *b = &world->bodies.data[contact->body_b];
        if (sn_body_is_dynamic(a) && sn_body_is_dynamic(b) && a->awake_index >= 0 && loads[i].is_inside) {
            classes->loads[classes->load_of[a->awake_index]].sway = 0.0f;
        }
    }
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
    int count = islands->body_count, ranked_count = 0;
    size_t size = (size_t)count;
    if (!has_loads(world)) {
        return true;
    }
    classes->loads = sn_arena_take_zero(&world->arena, size, sizeof *classes->loads);
    classes->load_of = sn_arena_take(&world->arena, size, sizeof(int));
    ranked *order = sn_arena_take(&world->arena, size, sizeof *order);
    size_t met = (size_t)world->met_contacts.count;
    load_paths paths = {.world = world,
                        .contacts = sn_arena_take_zero(&world->arena, met, sizeof(contact_load)),
                        .bodies = sn_arena_take_zero(&world->arena, size, sizeof(body_load))};
    support *supports = sn_arena_take(&world->arena, met, sizeof *supports);
    if (classes->loads == NULL || classes->load_of == NULL || paths.contacts == NULL ||
        paths.bodies == NULL || supports == NULL || order == NULL) {
        return false;
    }
    sn_vec3 up = paths.up = sn_normalize(sn_scale(world->def.gravity, -1.0f));
    for (int i = 0; i < count; ++i) { // the root of an island is its first place
        const sn_body *body = body_at(world, i);
        int root = classes->load_of[i] = sn_island_root(islands, i);
        float height = sn_dot(body->center, up);
        measure_island(&classes->loads[root], body, height, root == i);
        if (body->first_contact >= 0) { // others neither stand on anything nor bear it
            order[ranked_count++] = (ranked){height, i};
        }
    }
    sn_sort_in_place(order, ranked_count, sizeof *order, compare_ranked);
    measure_contacts(world, up, paths.contacts);
    find_supports(&paths, supports);
    for (int i = ranked_count - 1; i >= 0; --i) {
        hand_down(&paths, order[i].place, body_at(world, order[i].place));
    }
    for (int i = 0; i < ranked_count; ++i) {
        int place = order[i].place;
        add_up(&paths, place);
        sn_island_load *load = &classes->loads[classes->load_of[place]];
        load->sag = sn_max(load->sag, paths.bodies[place].sink);
        load->sway = sn_max(load->sway, paths.bodies[place].sway);
    }
    forget_crowds(world, paths.contacts, classes);
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
    float g = sn_length(world->def.gravity), omega_h = 2.0f * SN_PI * world->def.contact_stiffness;
    omega_h *= sn_position_contact_growth(world->def.solver, &world->def.position);
    float rise = SETTLE_PART * 2.0f * world->def.contact_damping * g * h / omega_h; // from the full sag [m/s]
    if (!(load->sag > 0.0f) || load->speed < REST_PART * rise) {
        return (sn_settle_rates){0.0f, 0.0f};
    }
    float together = sn_min(rise * h / load->sag, FASTEST), height = load->upper - load->lower;
    return (sn_settle_rates){together, together / (height * height)};
}
