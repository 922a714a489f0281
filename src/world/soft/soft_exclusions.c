// Contacts that anchors forbid. A hard anchor holds a point of a deformable where something else is, nearer
// than surfaces with a thickness may come: were both to have their way, they would fight for ever. So what an
// anchor holds together does not collide there: nodes of the anchor with the body at its other end, or with
// the nodes at its other end; of exact ones, all nodes that are one point, and the body that carries them.
// Around them everything collides as before. What slides along a surface does not
// collide with it anywhere.
#include "world/exact/exact_plan.h"

// The first bond of a node, −1 for none.
static int first_exclusion(const sn_world *world, int node)
{
    const sn_exact_plan *plan = world->exact;
    return node < plan->exclusion_of.count ? plan->exclusion_of.data[node] - 1 : -1;
}

static bool holds_body(const sn_world *world, const sn_soft_exclusion *exclusion, int body)
{
    const sn_constraint_common *def = &world->constraints.data[exclusion->anchor].definition.common;
    const sn_point *other = exclusion->end == 0 ? &def->b : &def->a;
    return other->type == SN_POINT_RIGID && (int)other->rigid.index - 1 == body;
}

// Whether nodes of both sides are one point, by whatever exact anchors.
static bool are_one_point(const sn_world *world, const sn_soft_contact_data *contact)
{
    const sn_soft_exclusion *exclusions = world->exact->exclusions.data;
    bool is_with_itself = (contact->key.other & ~SN_SOFT_OTHER_DEFORMABLE) == contact->key.deformable;
    for (int k = 1; k < contact->width; ++k) {
        int exclusion = first_exclusion(world, contact->nodes[k]);
        for (int i = 0; exclusion >= 0 && exclusions[exclusion].set >= 0 && i < k; ++i) {
            int other = first_exclusion(world, contact->nodes[i]);
            bool is_across =
                is_with_itself || sn_soft_is_own(world, contact, i) != sn_soft_is_own(world, contact, k);
            if (other >= 0 && exclusions[other].set == exclusions[exclusion].set && is_across) {
                return true;
            }
        }
    }
    return false;
}

// Whether the body of the contact carries one of its nodes.
static bool is_carried(const sn_world *world, const sn_soft_contact_data *contact)
{
    for (int k = 0; k < contact->width; ++k) {
        int exclusion = first_exclusion(world, contact->nodes[k]);
        if (exclusion >= 0 && world->exact->exclusions.data[exclusion].parent == contact->body) {
            return true;
        }
    }
    return false;
}

// Whether a node of the contact belongs to what the other end of the anchor slides along.
static bool slides_along(const sn_world *world, const sn_soft_exclusion *exclusion,
                         const sn_soft_contact_data *contact)
{
    const sn_constraint_common *def = &world->constraints.data[exclusion->anchor].definition.common;
    if (sn_anchor_sliding_end(def) != 1 - exclusion->end) {
        return false;
    }
    const sn_point *other = exclusion->end == 0 ? &def->b : &def->a;
    const sn_deformable_data *data = &world->deformables.data[other->deformable.index - 1];
    for (int k = 0; k < contact->width; ++k) {
        int node = contact->nodes[k] - data->first_node;
        if (contact->nodes[k] != exclusion->node && node >= 0 && node < data->node_count) {
            return true;
        }
    }
    return false;
}

// Whether the body of the contact slides along its deformable.
static bool body_slides(const sn_world *world, const sn_soft_contact_data *contact)
{
    for (int i = 0; i < world->exact->sliding_bodies.count; ++i) {
        const sn_constraint_common *def =
            &world->constraints.data[world->exact->sliding_bodies.data[i]].definition.common;
        const sn_point *slide = def->a.type == SN_POINT_SURFACE ? &def->a : &def->b;
        const sn_point *body = slide == &def->a ? &def->b : &def->a;
        if (slide->deformable.index - 1 == contact->key.deformable &&
            (int)body->rigid.index - 1 == contact->body) {
            return true;
        }
    }
    return false;
}

// Whether another node of the contact is at the other end of the same anchor.
static bool holds_nodes(const sn_world *world, const sn_soft_exclusion *exclusion,
                        const sn_soft_contact_data *contact)
{
    const sn_soft_exclusion *exclusions = world->exact->exclusions.data;
    for (int k = 0; k < contact->width; ++k) {
        for (int b = first_exclusion(world, contact->nodes[k]); b >= 0; b = exclusions[b].next) {
            if (exclusions[b].anchor == exclusion->anchor && exclusions[b].end != exclusion->end) {
                return true;
            }
        }
    }
    return false;
}

bool sn_soft_is_bound(const sn_soft_search *search, const sn_soft_contact_data *contact)
{
    const sn_world *world = search->world;
    const sn_soft_exclusion *exclusions = world->exact->exclusions.data;
    if (contact->body >= 0 ? is_carried(world, contact) : are_one_point(world, contact)) {
        return true;
    }
    for (int k = 0; k < contact->width; ++k) {
        for (int b = first_exclusion(world, contact->nodes[k]); b >= 0; b = exclusions[b].next) {
            if (contact->body >= 0 ? holds_body(world, &exclusions[b], contact->body)
                                   : holds_nodes(world, &exclusions[b], contact) ||
                                         slides_along(world, &exclusions[b], contact)) {
                return true;
            }
        }
    }
    return contact->body >= 0 && body_slides(world, contact);
}
