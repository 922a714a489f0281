// Contacts of bodies with what is behind the nodes that they lie on.
// Tested by tests/physics/soft/test_soft_weight.c.
#include "solver/contact/soft_contact_press.h"

#include "solver/contact/soft_contact_block.h"

#include <string.h>

// A node is pressed against what is behind it where the cosine between both normals is below minus this.
static const float opposite = 0.7f;

static bool is_near(const sn_soft_contact_data *contact)
{
    return contact->body >= 0 && !contact->follows && (contact->closes || contact->normal_impulse > 0.0f);
}

static bool stands_still(const sn_solver *rigid, int body)
{
    static const sn_solver_velocity still;
    return body < rigid->dynamic_begin && memcmp(&rigid->velocities[body], &still, sizeof still) == 0;
}

// By node: its contact with something that stands still, −1 if there is none. Whether there are any.
static bool find_behind(const sn_soft_contacts *contacts, const sn_solver *rigid, int *behind)
{
    bool any = false;
    memset(behind, 0xff, (size_t)rigid->nodes.nodes->states.count * sizeof *behind);
    for (int i = 0; i < contacts->count; ++i) {
        const sn_soft_contact_data *contact = contacts->contacts[i];
        if (contact->width == 1 && is_near(contact) &&
            stands_still(rigid, contacts->body_numbers[contact->body])) {
            behind[contact->nodes[0]] = i;
            any = true;
        }
    }
    return any;
}

// Whether all nodes of a contact with a body that moves are pressed against something.
static bool is_pressed(const sn_soft_contacts *contacts, const sn_solver *rigid, const int *behind, int i,
                       sn_soft_press *press)
{
    const sn_soft_contact_data *contact = contacts->contacts[i];
    bool pressed = is_near(contact) && contacts->body_numbers[contact->body] >= rigid->dynamic_begin;
    for (int k = 0; k < contact->width && pressed; ++k) {
        press->behind[k] = behind[contact->nodes[k]];
        press->weight[k] = contact->weights[k];
        pressed = press->behind[k] >= 0 &&
                  sn_dot(contact->normal, contacts->contacts[press->behind[k]]->normal) < -opposite;
    }
    press->above = i;
    press->width = contact->width;
    return pressed;
}

// A node of weight 0: the body and what stands still are all there is.
static void make_through(const sn_soft_contacts *contacts, const sn_soft_press *press,
                         sn_soft_contact_data *through)
{
    sn_soft_contact_data *above = contacts->contacts[press->above];
    *through = *above;
    through->width = 1;
    through->weights[0] = 0.0f;
    through->friction = through->restitution = 0.0f;
    through->friction_impulse = sn_v(0.0f, 0.0f, 0.0f);
    for (int k = 0; k < press->width; ++k) {
        through->separation += press->weight[k] * contacts->contacts[press->behind[k]]->separation;
    }
    above->normal_impulse = 0.0f;
}

bool sn_soft_contacts_press(sn_soft_contacts *contacts, const sn_solver *rigid)
{
    sn_arena *arena = contacts->arena;
    int count = contacts->count;
    int *behind = sn_arena_take(arena, (size_t)rigid->nodes.nodes->states.count, sizeof *behind);
    contacts->press_count = 0;
    if (behind == NULL || !find_behind(contacts, rigid, behind)) {
        return behind != NULL;
    }
    sn_soft_press press;
    for (int i = 0; i < count; ++i) {
        contacts->press_count += is_pressed(contacts, rigid, behind, i, &press) ? 1 : 0;
    }
    size_t added = (size_t)contacts->press_count;
    sn_soft_contact_data **all = sn_arena_take(arena, (size_t)count + added, sizeof *all);
    sn_soft_contact_data *through = sn_arena_take(arena, added, sizeof *through);
    contacts->presses = sn_arena_take(arena, added, sizeof *contacts->presses);
    if (all == NULL || through == NULL || contacts->presses == NULL) {
        return false;
    }
    memcpy(all, contacts->contacts, (size_t)count * sizeof *all);
    for (int i = 0, k = 0; i < count; ++i) {
        if (is_pressed(contacts, rigid, behind, i, &press)) {
            press.through = count + k;
            contacts->presses[k] = press;
            all[count + k] = &through[k];
            make_through(contacts, &press, &through[k++]);
        }
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
        add_load(packing, lane_of[press->through], lane_of[press->above], 1.0f);
        for (int k = 0; k < press->width; ++k) {
            add_load(packing, lane_of[press->through], lane_of[press->behind[k]], press->weight[k]);
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

void sn_soft_contacts_share(const sn_soft_contacts *contacts)
{
    for (int i = 0; i < contacts->press_count; ++i) {
        const sn_soft_press *press = &contacts->presses[i];
        sn_soft_contact_data *through = contacts->contacts[press->through];
        sn_soft_contact_data *above = contacts->contacts[press->above];
        above->normal_impulse += through->normal_impulse;
        above->total_normal += through->total_normal;
        for (int k = 0; k < press->width; ++k) {
            contacts->contacts[press->behind[k]]->total_normal += press->weight[k] * through->total_normal;
        }
        through->total_normal = 0.0f;
    }
}
