// Narrow phase: the contact, if any, of every feature pair, on several threads.
// Tested by tests/collision/soft/test_soft_detection.c.
#include "collision/soft/soft_phases.h"

enum { FEATURE_PAIR_GRAIN = 128 };

// --- views -------------------------------------------------------------------------------------------------

static sn_soft_view view_of(const sn_soft_search *search, int deformable)
{
    const sn_soft_collider *collider = &search->scene->colliders[deformable];
    return (sn_soft_view){.surface = collider->surface,
                          .nodes = search->scene->nodes->states.data + collider->first_node,
                          .displacements = search->displacements + collider->first_node,
                          .first_node = collider->first_node,
                          .half_thickness = 0.5f * collider->def->thickness,
                          .margin = sn_soft_margin_of(search->scene, collider),
                          .frame_displacement = collider->surface->frame_displacement,
                          .has_normals = collider->surface->has_normals};
}

sn_soft_view sn_soft_view_of(const sn_soft_search *search, const sn_soft_pair *pair)
{
    sn_soft_view view = view_of(search, pair->deformable);
    bool needs_normals = pair->is_small || (pair->other >= 0 && view.surface->one_sided);
    view.node_normals = search->normals != NULL && needs_normals ? search->normals + view.first_node : NULL;
    view.side = pair->sides == 1 ? 1.0f : pair->sides == 2 ? -1.0f : 0.0f;
    return view;
}

// Sheets that lie on each other are close everywhere: the margin must not exceed their thickness.
void sn_soft_views_of(const sn_soft_search *search, const sn_soft_pair *pair, sn_soft_view *a,
                      sn_soft_view *b)
{
    *a = sn_soft_view_of(search, pair);
    *b = view_of(search, pair->other);
    b->node_normals =
        search->normals != NULL && b->surface->one_sided ? search->normals + b->first_node : NULL;
    a->half_thickness = 0.5f * sn_soft_thickness_between(&search->scene->colliders[pair->deformable]);
    b->half_thickness = 0.5f * sn_soft_thickness_between(&search->scene->colliders[pair->other]);
    a->displacements = search->displacements_between + a->first_node;
    b->displacements = search->displacements_between + b->first_node;
    a->frame_displacement = sn_scale(a->frame_displacement, search->share);
    b->frame_displacement = sn_scale(b->frame_displacement, search->share);
    a->margin = b->margin = sn_min(a->margin, 0.5f * (a->half_thickness + b->half_thickness));
}

// A pair with its views, kept from feature pair to feature pair.
typedef struct viewed_pair {
    const sn_soft_pair *pair;
    sn_soft_view a, b; // b between deformables only
} viewed_pair;

static void view_pair(const sn_soft_search *search, const sn_soft_pair *pair, viewed_pair *viewed)
{
    if (viewed->pair == pair) {
        return;
    }
    viewed->pair = pair;
    if (pair->other >= 0) {
        sn_soft_views_of(search, pair, &viewed->a, &viewed->b);
    } else {
        viewed->a = sn_soft_view_of(search, pair);
    }
}

// --- keys --------------------------------------------------------------------------------------------------

// Corners and edges of a surface shape have the same key whichever of their triangles found them.
static void name_surface_piece(sn_soft_key *key, const uint32_t vertices[3])
{
    uint32_t piece = (key->piece & ~SN_SOFT_PIECE_EDGE) - 1;
    uint32_t a = vertices[piece], b = vertices[(piece + 1) % 3];
    bool is_edge = (key->piece & SN_SOFT_PIECE_EDGE) != 0;
    key->part = is_edge && b < a ? b : a;
    key->piece = is_edge ? SN_SOFT_PIECE_EDGE | (b < a ? a : b) : 1;
}

// Contacts of a node and a face are those of the node.
static sn_soft_key seen_from_node(const sn_soft_key *key)
{
    return (sn_soft_key){.deformable = (uint32_t)sn_soft_key_other(key),
                         .feature = key->part,
                         .other = key->deformable | SN_SOFT_OTHER_DEFORMABLE,
                         .part = key->feature,
                         .generation = key->other_generation,
                         .other_generation = key->generation};
}

static sn_soft_key key_of(const sn_soft_scene *scene, const sn_soft_pair *pair,
                          const sn_feature_pair *features)
{
    sn_soft_key key = {.deformable = (uint32_t)pair->deformable,
                       .feature = features->feature,
                       .generation = scene->deformable_ids->generation.data[pair->deformable]};
    if (pair->other >= 0) {
        key.other = (uint32_t)pair->other | SN_SOFT_OTHER_DEFORMABLE;
        key.part = features->piece;
        key.other_generation = scene->deformable_ids->generation.data[pair->other];
        return sn_soft_feature_kind(features->feature) == SN_SOFT_FACE ? seen_from_node(&key) : key;
    }
    key.other = (uint32_t)pair->shape;
    key.part = pair->part;
    key.piece = features->piece;
    key.other_generation = scene->shape_ids->generation.data[pair->shape];
    if (pair->obstacle.kind == SN_OBSTACLE_TRIANGLE && key.piece != 0) {
        name_surface_piece(&key, pair->vertices);
    }
    return key;
}

// --- contacts ----------------------------------------------------------------------------------------------

static bool meet_surface(const viewed_pair *viewed, const sn_feature_pair *features,
                         const sn_soft_contact_data *previous, sn_soft_contact_data *contact)
{
    uint32_t number = sn_soft_feature_number(features->feature);
    uint32_t other = sn_soft_feature_number(features->piece);
    switch (sn_soft_feature_kind(features->feature)) {
    case SN_SOFT_NODE:
        return sn_soft_node_meets_face(&viewed->a, number, &viewed->b, other, previous, contact);
    case SN_SOFT_FACE:
        return sn_soft_node_meets_face(&viewed->b, other, &viewed->a, number, previous, contact);
    default:
        return sn_soft_edges_meet(&viewed->a, number, &viewed->b, other, previous, contact);
    }
}

// The corner or edge of the obstacle, −1 for all of it.
static int piece_of(const sn_feature_pair *features)
{
    return (int)(features->piece & ~SN_SOFT_PIECE_EDGE) - 1;
}

// The corner of a small round obstacle that the features are about, −1 if they are about something else.
static int ball_of(const sn_soft_pair *pair, const sn_feature_pair *features)
{
    int piece = piece_of(features);
    if (!pair->is_small || (features->piece & SN_SOFT_PIECE_EDGE) != 0 ||
        (piece < 0 && pair->obstacle.convex.point_count != 1)) {
        return -1;
    }
    return piece < 0 ? 0 : piece;
}

static bool meet_obstacle(const viewed_pair *viewed, const sn_feature_pair *features,
                          const sn_soft_contact_data *previous, sn_soft_contact_data *contact)
{
    const sn_soft_view *view = &viewed->a;
    const sn_obstacle *obstacle = &viewed->pair->obstacle;
    uint32_t number = sn_soft_feature_number(features->feature);
    int piece = piece_of(features), ball = ball_of(viewed->pair, features);
    if (ball >= 0) {
        return sn_soft_meets_ball(view, features->feature, obstacle, ball, previous, contact);
    }
    switch (sn_soft_feature_kind(features->feature)) {
    case SN_SOFT_NODE:
        return sn_soft_node_meets(view, number, obstacle, previous, contact);
    case SN_SOFT_FACE:
        return sn_soft_face_meets_corner(view, number, obstacle, piece, previous, contact);
    default:
        return features->piece & SN_SOFT_PIECE_EDGE
                   ? sn_soft_edge_meets_edge(view, number, obstacle, piece, previous, contact)
                   : sn_soft_edge_meets_corner(view, number, obstacle, piece, contact);
    }
}

static void mix_materials(const sn_soft_scene *scene, const sn_soft_pair *pair, sn_soft_contact_data *contact)
{
    const sn_deformable_def *def = scene->colliders[pair->deformable].def;
    float friction, restitution;
    if (pair->other >= 0) {
        friction = scene->colliders[pair->other].def->friction;
        restitution = scene->colliders[pair->other].def->restitution;
    } else {
        friction = scene->shapes[pair->shape].friction;
        restitution = scene->shapes[pair->shape].restitution;
    }
    contact->friction = sqrtf(def->friction * friction);
    contact->restitution = sn_max(def->restitution, restitution);
}

// How much closer the two sides are expected to come during the step.
static float approach_of(const sn_soft_search *search, const sn_soft_pair *pair,
                         const sn_soft_contact_data *contact)
{
    sn_vec3 displacement = sn_v(0.0f, 0.0f, 0.0f);
    const sn_vec3 *displacements = pair->other < 0 ? search->displacements : search->displacements_between;
    for (int k = 0; k < contact->width; ++k) {
        displacement = sn_add_scaled(displacement, contact->weights[k], displacements[contact->nodes[k]]);
    }
    if (pair->other < 0) {
        displacement = sn_sub(displacement, sn_obstacle_displacement(&pair->obstacle, contact->point));
    }
    return -sn_dot(displacement, contact->normal);
}

static bool make_contact(const sn_soft_search *search, const sn_contact_table *table,
                         const viewed_pair *viewed, const sn_feature_pair *features,
                         sn_soft_contact_data *contact)
{
    const sn_soft_pair *pair = viewed->pair;
    static const sn_soft_contact_data empty; // copied, which is faster than clearing
    *contact = empty;
    contact->key = key_of(search->scene, pair, features);
    contact->body = pair->body;
    const sn_soft_contact_data *previous = sn_contact_table_find(table, &contact->key);
    bool meets = pair->other >= 0 ? meet_surface(viewed, features, previous, contact)
                                  : meet_obstacle(viewed, features, previous, contact);
    if (!meets || sn_soft_is_excluded(search->scene, contact)) {
        return false;
    }
    mix_materials(search->scene, pair, contact);
    float approach = approach_of(search, pair, contact), share = pair->other < 0 ? 1.0f : search->share;
    contact->closes = contact->separation - approach <= 0.0f;
    contact->approach = approach / (share * search->scene->duration);
    if (previous != NULL) {
        contact->normal_impulse = previous->normal_impulse;
        contact->friction_impulse = previous->friction_impulse;
    }
    return true;
}

// Feature pairs that are looked at before their contacts are gathered: of millions, few have one, and memory
// for all of them would be most of what a world needs.
enum { FEATURE_PAIR_BATCH = 2048 };

typedef struct contact_loop {
    const sn_soft_search *search;
    const sn_contact_table *previous;
    const sn_feature_pair *features; // of this batch
    sn_soft_contact_data *contacts;
    bool *exists;
} contact_loop;

// Most feature pairs have no contact: those too far from a small ball are passed over before anything is
// looked up, and only contacts are written to memory.
static void find_contacts(void *context, int begin, int end)
{
    const contact_loop *loop = context;
    viewed_pair viewed = {0};
    sn_soft_contact_data contact;
    for (int i = begin; i < end; ++i) {
        const sn_feature_pair *features = &loop->features[i];
        const sn_soft_pair *pair = &loop->search->detector->pairs.data[features->pair];
        view_pair(loop->search, pair, &viewed);
        int ball = ball_of(pair, features);
        loop->exists[i] =
            (ball < 0 || sn_soft_is_near_ball(&viewed.a, features->feature, &pair->obstacle, ball)) &&
            (pair->other < 0 || sn_soft_may_meet(&viewed.a, features->feature, &viewed.b, features->piece)) &&
            make_contact(loop->search, loop->previous, &viewed, features, &contact);
        if (loop->exists[i]) {
            loop->contacts[i] = contact;
        }
    }
}

bool sn_soft_find_contacts(const sn_soft_search *search, const sn_contact_table *previous,
                           sn_soft_contact_list *found)
{
    const sn_feature_pair_list *pairs = &search->detector->feature_pairs;
    int most = pairs->count < FEATURE_PAIR_BATCH ? pairs->count : FEATURE_PAIR_BATCH;
    contact_loop loop = {.search = search, .previous = previous};
    loop.contacts = sn_arena_take(search->scene->arena, (size_t)most, sizeof *loop.contacts);
    loop.exists = sn_arena_take(search->scene->arena, (size_t)most, sizeof *loop.exists);
    bool enough = loop.contacts != NULL && loop.exists != NULL;
    for (int begin = 0; enough && begin < pairs->count; begin += most) {
        int count = pairs->count - begin < most ? pairs->count - begin : most;
        loop.features = pairs->data + begin;
        sn_tasks_for(search->scene->tasks, count, FEATURE_PAIR_GRAIN, find_contacts, &loop);
        for (int i = 0; enough && i < count; ++i) {
            enough = !loop.exists[i] || sn_array_push(found, loop.contacts[i]);
        }
    }
    return enough;
}
