// Contacts of bodies with what is behind the nodes that they lie on.
// Tested by tests/physics/soft/test_soft_weight.c.
#include "solver/contact/soft_contact_press.h"

#include "solver/contact/soft_contact_block.h"

#include <math.h>
#include <string.h>

// A node is pressed against what is behind it where the cosine between both normals is below minus this.
static const float opposite = 0.7f;

// A body's contact with what is behind goes on with all of its load where the gap is less than this part of
// the body's arm, as it is up to rounding in every step that it rests on it.
static const float touching = 1.0e-3f;

// What may be behind the nodes of a contact.
typedef struct backing {
    const sn_soft_contacts *contacts;
    const sn_solver *rigid;
    int *contact_of; // by node: its contact with something that stands still, −1 without
    sn_node_reaches reaches;
} backing;

static bool is_near(const sn_soft_contact_data *contact)
{
    return contact->body >= 0 && (contact->closes || contact->normal_impulse > 0.0f);
}

static bool is_loaded(const backing *backing, const sn_soft_contact_data *contact)
{
    return is_near(contact) &&
           backing->contacts->body_numbers[contact->body] >= backing->rigid->dynamic_begin;
}

static bool stands_still(const sn_solver *rigid, int body)
{
    static const sn_solver_velocity still;
    return body < rigid->dynamic_begin && memcmp(&rigid->velocities[body], &still, sizeof still) == 0;
}

static bool find_reaches(backing *backing, bool *any)
{
    const sn_node_solver *nodes = &backing->rigid->nodes;
    if (!sn_node_reaches_make(&backing->reaches, backing->contacts->arena)) {
        return false;
    }
    for (int g = 0; g < nodes->group_count && backing->reaches.count > 0; ++g) {
        if (nodes->groups[g]->kind == sn_element_bounds_pick() &&
            sn_node_reaches_add(&backing->reaches, nodes->groups[g], nodes->nodes,
                                backing->rigid->settings.duration)) {
            *any = true;
        }
    }
    return true;
}

// Whether `any`thing is behind nodes that bodies lie on. False without memory.
static bool find_behind(backing *backing, bool *any)
{
    const sn_soft_contacts *contacts = backing->contacts;
    int node_count = backing->rigid->nodes.nodes->states.count;
    backing->contact_of = sn_arena_take(contacts->arena, (size_t)node_count, sizeof(int));
    if (backing->contact_of == NULL ||
        !sn_node_reaches_open(&backing->reaches, contacts->arena, node_count)) {
        return false;
    }
    memset(backing->contact_of, 0xff, (size_t)node_count * sizeof(int));
    for (int i = 0; i < contacts->count; ++i) {
        const sn_soft_contact_data *contact = contacts->contacts[i];
        if (contact->width == 1 && is_near(contact) && !contact->follows &&
            stands_still(backing->rigid, contacts->body_numbers[contact->body])) {
            backing->contact_of[contact->nodes[0]] = i;
            *any = true;
        }
        for (int k = 0; k < contact->width && is_loaded(backing, contact); ++k) {
            sn_node_reaches_ask(&backing->reaches, contact->nodes[k]);
        }
    }
    return find_reaches(backing, any);
}

// Where a node is when it is pushed along a normal as far as it can be: to the contact that is behind it, or
// as far as it reaches. False if nothing is behind.
static bool find_end(const backing *backing, int node, sn_vec3 normal, sn_press_end *end)
{
    int behind = backing->contact_of[node];
    *end = (sn_press_end){.contact = behind, .reach = &backing->reaches.data[backing->reaches.of_node[node]]};
    if (behind >= 0 && sn_dot(normal, backing->contacts->contacts[behind]->normal) < -opposite) {
        end->at.place = sn_add_scaled(backing->rigid->nodes.nodes->states.data[node].position,
                                      backing->contacts->contacts[behind]->separation, normal);
        return true;
    }
    end->contact = -1;
    if (end->reach->count > 0) {
        end->at = sn_node_reach_end(end->reach, normal);
    }
    return end->reach->count > 0;
}

// The normal of what is behind: of the face, or across the edge, that the nodes make where they end.
static sn_vec3 normal_behind(const sn_soft_press *press, sn_vec3 normal)
{
    sn_vec3 other = normal, first = press->end[0].at.place;
    if (press->width == 3) {
        other = sn_cross(sn_sub(press->end[1].at.place, first), sn_sub(press->end[2].at.place, first));
        other = sn_dot(other, normal) < 0.0f ? sn_neg(other) : other;
    } else if (press->width == 2) {
        sn_vec3 along = sn_sub(press->end[1].at.place, first);
        float square = sn_length_squared(along);
        other = square > 0.0f ? sn_add_scaled(normal, -sn_dot(normal, along) / square, along) : normal;
    }
    other = sn_normalize(other);
    return sn_dot(other, normal) > opposite ? other : normal;
}

static bool find_ends(const backing *backing, const sn_soft_contact_data *contact, sn_soft_press *press)
{
    for (int k = 0; k < contact->width; ++k) {
        if (!find_end(backing, contact->nodes[k], press->normal, &press->end[k])) {
            return false;
        }
        press->weight[k] = contact->weights[k];
    }
    return true;
}

// How far a body may come along a normal in the step.
static float way_of(const sn_solver *rigid, int body, sn_vec3 normal)
{
    const float *velocity = rigid->velocities[body].linear;
    float speed = sn_dot(sn_v(velocity[0], velocity[1], velocity[2]), normal);
    return rigid->settings.duration * (sn_max(speed, 0.0f) + rigid->settings.push_speed);
}

// Whether all nodes of a contact with a body that moves are pressed against something, or nearly so.
static bool is_pressed(const backing *backing, int i, sn_soft_press *press)
{
    const sn_soft_contact_data *contact = backing->contacts->contacts[i];
    *press = (sn_soft_press){.above = i, .width = contact->width, .normal = contact->normal};
    if (!is_loaded(backing, contact) || !find_ends(backing, contact, press)) {
        return false;
    }
    press->normal = normal_behind(press, contact->normal);
    if (!find_ends(backing, contact, press)) {
        return false;
    }
    sn_vec3 end = {0.0f, 0.0f, 0.0f};
    press->rubs = true;
    for (int k = 0; k < press->width; ++k) {
        end = sn_add_scaled(end, press->weight[k], press->end[k].at.place);
        press->rubs = press->rubs && press->end[k].contact < 0 &&
                      sn_node_reach_is_narrow(press->end[k].reach, press->normal);
    }
    press->separation = contact->follows
                            ? sn_dot(press->normal, sn_sub(end, contact->ball)) - contact->reach
                            : contact->separation + sn_dot(press->normal, sn_sub(end, contact->point));
    // Where the nodes are already farther than they should be, the body lies on them as they are.
    if (press->separation < contact->separation) {
        press->separation = contact->separation;
        press->normal = contact->normal;
    }
    return press->separation <
           way_of(backing->rigid, backing->contacts->body_numbers[contact->body], press->normal);
}

// A node of weight 0: the body and what stands still are all there is. A ball is pushed towards its middle.
static void make_through(const sn_soft_contacts *contacts, const sn_solver *rigid, const sn_soft_press *press,
                         sn_soft_contact_data *through)
{
    const sn_vec3 none = {0.0f, 0.0f, 0.0f};
    sn_soft_contact_data *above = contacts->contacts[press->above];
    *through = *above;
    through->width = 1;
    through->weights[0] = 0.0f;
    through->follows = false;
    through->normal = press->normal;
    through->point = above->follows ? sn_add_scaled(above->ball, above->reach, press->normal) : above->point;
    through->separation = press->separation;
    through->restitution = 0.0f;
    through->friction = press->rubs ? above->friction : 0.0f;
    through->friction_impulse = press->rubs ? above->friction_impulse : none;
    sn_vec3 center = rigid->bodies[contacts->body_numbers[above->body]].center;
    if (press->separation <= touching * sn_distance_between(through->point, center)) {
        above->normal_impulse = 0.0f;
        above->friction_impulse = press->rubs ? none : above->friction_impulse;
    } else {
        through->normal_impulse = 0.0f;
        through->friction_impulse = none;
    }
}

bool sn_soft_contacts_press(sn_soft_contacts *contacts, const sn_solver *rigid)
{
    sn_arena *arena = contacts->arena;
    int count = contacts->count;
    bool any = false;
    backing backing = {.contacts = contacts, .rigid = rigid};
    contacts->press_count = 0;
    if (!find_behind(&backing, &any) || !any) {
        return !any && backing.reaches.data != NULL;
    }
    contacts->presses = sn_arena_take(arena, (size_t)count, sizeof *contacts->presses);
    for (int i = 0; contacts->presses != NULL && i < count; ++i) {
        contacts->press_count += is_pressed(&backing, i, &contacts->presses[contacts->press_count]) ? 1 : 0;
    }
    size_t added = (size_t)contacts->press_count;
    sn_soft_contact_data **all = sn_arena_take(arena, (size_t)count + added, sizeof *all);
    sn_soft_contact_data *through = sn_arena_take(arena, added, sizeof *through);
    if (contacts->presses == NULL || all == NULL || through == NULL) {
        return false;
    }
    memcpy(all, contacts->contacts, (size_t)count * sizeof *all);
    for (int k = 0; k < contacts->press_count; ++k) {
        contacts->presses[k].through = count + k;
        all[count + k] = &through[k];
        make_through(contacts, rigid, &contacts->presses[k], &through[k]);
    }
    contacts->contacts = all;
    contacts->count += contacts->press_count;
    return true;
}

// --- loads in a sub-step ---------------------------------------------------------------------------------

static void add_load(sn_soft_packing *packing, int from, int to, float weight)
{
    packing->pass.blocks[to / SN_LANES].has_borne = true;
    packing->loads[packing->load_count++] = (sn_soft_load){from, to, weight};
}

bool sn_soft_contacts_list_loads(const sn_soft_contacts *contacts, sn_soft_packing *packing)
{
    if (contacts->press_count == 0) {
        return true;
    }
    int *lane_of = sn_arena_take(contacts->arena, (size_t)contacts->count, sizeof *lane_of);
    size_t most = (size_t)contacts->press_count * (SN_SOFT_NODES + 1);
    packing->loads = sn_arena_take(contacts->arena, most, sizeof *packing->loads);
    if (lane_of == NULL || packing->loads == NULL) {
        return false;
    }
    for (int i = 0; i < packing->block_count * SN_LANES; ++i) {
        int input = packing->pass.blocks[i / SN_LANES].input[i % SN_LANES];
        if (input >= 0) {
            lane_of[input] = i;
        }
    }
    for (int i = 0; i < contacts->press_count; ++i) {
        const sn_soft_press *press = &contacts->presses[i];
        if (!press->rubs) {
            add_load(packing, lane_of[press->through], lane_of[press->above], 1.0f);
        }
        for (int k = 0; k < press->width; ++k) {
            if (press->end[k].contact >= 0) {
                add_load(packing, lane_of[press->through], lane_of[press->end[k].contact], press->weight[k]);
            }
        }
    }
    return true;
}

void sn_soft_pass_loads_on(const sn_soft_packing *packing)
{
    sn_soft_block *blocks = packing->pass.blocks;
    for (int i = 0; i < packing->load_count; ++i) {
        int to = packing->loads[i].to;
        blocks[to / SN_LANES].borne.lane[to % SN_LANES] = 0.0f;
    }
    for (int i = 0; i < packing->load_count; ++i) {
        int from = packing->loads[i].from, to = packing->loads[i].to;
        float impulse = blocks[from / SN_LANES].normal_impulse.lane[from % SN_LANES];
        blocks[to / SN_LANES].borne.lane[to % SN_LANES] += packing->loads[i].weight * impulse;
    }
}

// --- results ---------------------------------------------------------------------------------------------

// What a node bore is told by the contact behind it, or by what holds it.
static void tell_behind(const sn_soft_contacts *contacts, const sn_press_end *end, float weight,
                        const sn_soft_contact_data *through, sn_vec3 impulse)
{
    if (end->contact >= 0) {
        contacts->contacts[end->contact]->total_normal += weight * through->total_normal;
    } else if (through->total_normal > 0.0f) {
        sn_node_reach_pull(end->reach, &end->at, sn_scale(impulse, weight));
    }
}

void sn_soft_contacts_share(const sn_soft_contacts *contacts)
{
    for (int i = 0; i < contacts->press_count; ++i) {
        const sn_soft_press *press = &contacts->presses[i];
        sn_soft_contact_data *through = contacts->contacts[press->through];
        sn_soft_contact_data *above = contacts->contacts[press->above];
        sn_vec3 impulse = sn_add_scaled(through->total_friction, through->total_normal, through->normal);
        float along = sn_dot(impulse, above->normal);
        above->normal_impulse += through->normal_impulse;
        above->friction_impulse = sn_add(above->friction_impulse, through->friction_impulse);
        above->total_normal += along;
        above->total_friction = sn_add(above->total_friction, sn_add_scaled(impulse, -along, above->normal));
        for (int k = 0; k < press->width; ++k) {
            tell_behind(contacts, &press->end[k], press->weight[k], through, impulse);
        }
        through->total_normal = 0.0f;
        through->total_friction = sn_v(0.0f, 0.0f, 0.0f);
    }
}
