// Contacts of one node: what it bore where a contact ended goes on where one begins beside it; contacts
// between deformables that say the same become one, as a node over a corner of another surface is found by
// all faces around it, and by that corner's node in turn; and no node has more than so many. Tested by
// tests/collision/soft/test_soft_detection.c.
#include "collision/soft/soft_phases.h"

#include <string.h>

// Cosine of the angle up to which normals, and part of an edge up to which points, are the same.
static const float same_normal = 0.98f, same_place = 0.02f;
// Contacts of a node, or of edges that begin there; of more, those that are farthest from touching are left
// out.
enum { MOST_CONTACTS = 32 };

// Cosine of the angle by which the normal may turn from the contact that ends to the one that goes on.
static const float goes_on = 0.7f;

typedef struct merging {
    const sn_soft_scene *scene;
    sn_soft_contact_data *contacts;
    int *heads, *next; // lists of contacts, by the world's number of their first node
    uint8_t *dropped;  // by contact
} merging;

static bool is_of_node(const sn_soft_contact_data *contact)
{
    return sn_soft_feature_kind(contact->key.feature) == SN_SOFT_NODE;
}

// --- what ends and goes on ---------------------------------------------------------------------------------

// A contact of the same node with the same thing that bears nothing yet; −1 if there is none, or if it goes
// on itself. At rest it may be a hair's breadth apart.
static int find_heir(const merging *m, const sn_soft_contact_data *ended)
{
    int heir = -1;
    float best = goes_on;
    for (int i = m->heads[ended->nodes[0]]; i >= 0; i = m->next[i]) {
        const sn_soft_contact_data *contact = &m->contacts[i];
        float alike = sn_dot(contact->normal, ended->normal);
        if (memcmp(&contact->key, &ended->key, sizeof ended->key) == 0) {
            return -1;
        }
        if (contact->key.other == ended->key.other && contact->key.deformable == ended->key.deformable &&
            is_of_node(contact) && contact->normal_impulse == 0.0f && alike > best) {
            best = alike;
            heir = i;
        }
    }
    return heir;
}

// A node that slides from face to face, or from triangle to triangle, would start from nothing at every edge.
static void inherit(const merging *m, const sn_soft_detector *detector)
{
    for (int i = detector->asleep_count; i < detector->contacts.count; ++i) {
        const sn_soft_contact_data *ended = &detector->contacts.data[i];
        bool may_go_on = ended->normal_impulse > 0.0f && is_of_node(ended) &&
                         sn_soft_key_is_current(&ended->key, m->scene->deformable_ids, m->scene->shape_ids);
        int heir = may_go_on ? find_heir(m, ended) : -1;
        if (heir >= 0) {
            sn_soft_contact_data *contact = &m->contacts[heir];
            float along = sn_dot(ended->friction_impulse, contact->normal);
            contact->normal_impulse = ended->normal_impulse;
            contact->friction_impulse = sn_add_scaled(ended->friction_impulse, -along, contact->normal);
        }
    }
}

// --- what says the same ------------------------------------------------------------------------------------

static bool may_merge(const sn_soft_contact_data *contact)
{
    return contact->body < 0 && is_of_node(contact);
}

// Where the contact is on the other surface.
static sn_vec3 place_of(const merging *m, const sn_soft_contact_data *contact)
{
    sn_vec3 place = sn_v(0.0f, 0.0f, 0.0f);
    for (int k = 1; k < contact->width; ++k) {
        sn_vec3 node = m->scene->nodes->states.data[contact->nodes[k]].position;
        place = sn_add_scaled(place, -contact->weights[k], node);
    }
    return place;
}

// The node of the other surface that the contact is at, −1 if it is between nodes.
static int corner_of(const sn_soft_contact_data *contact)
{
    for (int k = 1; k < contact->width; ++k) {
        if (contact->weights[k] < same_place - 1.0f) {
            return contact->nodes[k];
        }
    }
    return -1;
}

static bool are_alike(const merging *m, const sn_soft_contact_data *a, const sn_soft_contact_data *b)
{
    const sn_soft_surface *surface = m->scene->colliders[sn_soft_key_other(&a->key)].surface;
    float far = same_place * surface->largest_edge;
    return a->key.other == b->key.other && sn_dot(a->normal, b->normal) > same_normal &&
           sn_length_squared(sn_sub(place_of(m, a), place_of(m, b))) < far * far;
}

// Its impulses go on with the other one; `sign` is −1 if that is seen from the other side.
static void hand_over(merging *m, int from, int to, float sign)
{
    sn_soft_contact_data *a = &m->contacts[from], *b = &m->contacts[to];
    b->normal_impulse += a->normal_impulse;
    b->friction_impulse = sn_add_scaled(b->friction_impulse, sign, a->friction_impulse);
    m->dropped[from] = 1;
}

// Of two, the one that bore more in the last step stays, else the first.
static void unite(merging *m, int first, int second, float sign)
{
    bool second_stays = m->contacts[second].normal_impulse > m->contacts[first].normal_impulse;
    hand_over(m, second_stays ? first : second, second_stays ? second : first, sign);
}

// Contacts of one node among each other, then with those of the corner that they are at.
static void merge_at(merging *m, int node)
{
    for (int i = m->heads[node]; i >= 0; i = m->next[i]) {
        for (int k = m->next[i]; k >= 0 && !m->dropped[i]; k = m->next[k]) {
            if (!m->dropped[k] && may_merge(&m->contacts[i]) && may_merge(&m->contacts[k]) &&
                are_alike(m, &m->contacts[i], &m->contacts[k])) {
                unite(m, i, k, 1.0f);
            }
        }
    }
}

static void merge_across(merging *m, int node)
{
    for (int i = m->heads[node]; i >= 0; i = m->next[i]) {
        const sn_soft_contact_data *a = &m->contacts[i];
        int corner = may_merge(a) && !m->dropped[i] ? corner_of(a) : -1;
        for (int k = corner > node ? m->heads[corner] : -1; k >= 0 && !m->dropped[i]; k = m->next[k]) {
            const sn_soft_contact_data *b = &m->contacts[k];
            if (!m->dropped[k] && may_merge(b) && corner_of(b) == node &&
                sn_dot(a->normal, b->normal) < -same_normal) {
                unite(m, i, k, -1.0f);
            }
        }
    }
}

// How many were left out.
static int limit(merging *m, int node)
{
    int count = 0, left_out = 0;
    for (int i = m->heads[node]; i >= 0; i = m->next[i]) {
        count += m->dropped[i] ? 0 : 1;
    }
    for (; count > MOST_CONTACTS; --count, ++left_out) {
        int farthest = -1;
        for (int i = m->heads[node]; i >= 0; i = m->next[i]) {
            if (!m->dropped[i] &&
                (farthest < 0 || m->contacts[i].separation >= m->contacts[farthest].separation)) {
                farthest = i;
            }
        }
        m->dropped[farthest] = 1;
    }
    return left_out;
}

// --- the whole ---------------------------------------------------------------------------------------------

bool sn_soft_merge(const sn_soft_search *search, sn_soft_contact_list *found, int first)
{
    const sn_soft_scene *scene = search->scene;
    int count = found->count - first, node_count = scene->nodes->states.count, kept = first;
    if (count == 0) {
        return true;
    }
    merging m = {.scene = scene, .contacts = found->data + first};
    m.heads = sn_arena_take(scene->arena, (size_t)node_count, sizeof *m.heads);
    m.next = sn_arena_take(scene->arena, (size_t)count, sizeof *m.next);
    m.dropped = sn_arena_take_zero(scene->arena, (size_t)count, sizeof *m.dropped);
    if (m.heads == NULL || m.next == NULL || m.dropped == NULL) {
        return false;
    }
    for (int i = 0; i < node_count; ++i) {
        m.heads[i] = -1;
    }
    for (int i = count - 1; i >= 0; --i) { // lists are in the order of contacts
        int *head = &m.heads[m.contacts[i].nodes[0]];
        m.next[i] = *head;
        *head = i;
    }
    inherit(&m, search->detector);
    for (int i = 0; i < node_count; ++i) {
        merge_at(&m, i);
    }
    for (int i = 0; i < node_count; ++i) {
        merge_across(&m, i);
        search->detector->left_out += limit(&m, i);
    }
    for (int i = 0; i < count; ++i) {
        if (!m.dropped[i]) {
            found->data[kept++] = m.contacts[i];
        }
    }
    found->count = kept;
    return true;
}
