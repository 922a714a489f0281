// Whether anchors exclude a contact. Tested by test_soft_detection.c and test_soft_exclusions.c.
#include "collision/soft/soft_phases.h"

// The first exclusion of a node, null for none, and the next one of the same node.
static const sn_soft_exclusion *first_of(const sn_soft_exclusions *exclusions, int node)
{
    int first = node < exclusions->node_count ? exclusions->first[node] : 0;
    return first > 0 ? &exclusions->list[first - 1] : NULL;
}

static const sn_soft_exclusion *next_of(const sn_soft_exclusions *exclusions, const sn_soft_exclusion *e)
{
    return e->next >= 0 ? &exclusions->list[e->next] : NULL;
}

static bool has_node(const sn_soft_collider *collider, int node)
{
    return node >= collider->first_node && node < collider->first_node + collider->node_count;
}

// Whether exact anchors make nodes of both sides one point.
static bool are_one_point(const sn_soft_scene *scene, const sn_soft_contact_data *contact)
{
    const sn_soft_collider *own = &scene->colliders[contact->key.deformable];
    bool is_with_itself = sn_soft_key_other(&contact->key) == (int)contact->key.deformable;
    for (int k = 1; k < contact->width; ++k) {
        const sn_soft_exclusion *a = first_of(&scene->exclusions, contact->nodes[k]);
        for (int i = 0; a != NULL && a->set >= 0 && i < k; ++i) {
            const sn_soft_exclusion *b = first_of(&scene->exclusions, contact->nodes[i]);
            bool is_across =
                is_with_itself || has_node(own, contact->nodes[i]) != has_node(own, contact->nodes[k]);
            if (b != NULL && b->set == a->set && is_across) {
                return true;
            }
        }
    }
    return false;
}

// Whether another node of the contact is at the other end of the same anchor.
static bool is_at_other_end(const sn_soft_exclusions *exclusions, const sn_soft_exclusion *exclusion,
                            const sn_soft_contact_data *contact)
{
    for (int k = 0; k < contact->width; ++k) {
        for (const sn_soft_exclusion *e = first_of(exclusions, contact->nodes[k]); e != NULL;
             e = next_of(exclusions, e)) {
            if (e->anchor == exclusion->anchor && e->end != exclusion->end) {
                return true;
            }
        }
    }
    return false;
}

// Whether another node of the contact belongs to the deformable along which the other end slides.
static bool slides_along(const sn_soft_scene *scene, const sn_soft_exclusion *exclusion,
                         const sn_soft_contact_data *contact)
{
    for (int k = 0; exclusion->slides_on >= 0 && k < contact->width; ++k) {
        if (contact->nodes[k] != exclusion->node &&
            has_node(&scene->colliders[exclusion->slides_on], contact->nodes[k])) {
            return true;
        }
    }
    return false;
}

static bool body_slides(const sn_soft_exclusions *exclusions, const sn_soft_contact_data *contact)
{
    for (int i = 0; i < exclusions->sliding_body_count; ++i) {
        if (exclusions->sliding_bodies[i].body == contact->body &&
            exclusions->sliding_bodies[i].deformable == (int)contact->key.deformable) {
            return true;
        }
    }
    return false;
}

bool sn_soft_is_excluded(const sn_soft_scene *scene, const sn_soft_contact_data *contact)
{
    const sn_soft_exclusions *exclusions = &scene->exclusions;
    bool with_body = contact->body >= 0;
    for (int k = 0; k < contact->width; ++k) {
        for (const sn_soft_exclusion *e = first_of(exclusions, contact->nodes[k]); e != NULL;
             e = next_of(exclusions, e)) {
            if (with_body ? e->parent == contact->body || e->body == contact->body
                          : is_at_other_end(exclusions, e, contact) || slides_along(scene, e, contact)) {
                return true;
            }
        }
    }
    return with_body ? body_slides(exclusions, contact) : are_one_point(scene, contact);
}

bool sn_soft_is_held_exactly(const sn_soft_scene *scene, int node)
{
    const sn_soft_exclusions *exclusions = &scene->exclusions;
    int first = node < exclusions->node_count ? exclusions->first[node] : 0;
    return first > 0 && exclusions->list[first - 1].set >= 0;
}
