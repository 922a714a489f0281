// Contacts of bodies with what is behind the nodes that they lie on.
// Tested by tests/physics/soft/test_soft_weight.c.
#include "solver/contact/soft_contact_press.h"

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
