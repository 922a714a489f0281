// Where deformables touch. Runs after the narrow phase of rigid bodies:
//
//   ways        how far every node goes in this step; boxes of the surfaces fitted around them
//   (soft_motion.c) encounters  parts of shapes, and deformables, whose boxes overlap (soft_broad_phase.c)
//   candidates  pairs of features whose boxes overlap (soft_mid_phase.c)
//   contacts    each candidate becomes one or nothing, on several threads; those of the last step between
//               the same features hand over their impulses and sides
#include "world/core/world.h"

#include <string.h>

enum { MID_PAIR_GRAIN = 128 };

// Places of contacts by the hash of their keys; −1 is empty.
typedef struct sn_key_table {
    int *slots;
    uint32_t mask;
} sn_key_table;

typedef struct job {
    sn_soft_search search;
    sn_key_table previous;      // contacts of the last step
    sn_soft_contact_data *made; // by candidate
    bool *meets;                // by candidate
} job;

// --- contacts of the last step -----------------------------------------------------------------------------

// Of words made from the parts, not read from memory: these have just been written one by one.
static uint32_t hash_key(const sn_soft_key *key)
{
    uint64_t words[3] = {
        (uint64_t)key->feature << 32 | key->deformable, (uint64_t)key->part << 32 | key->other,
        (uint64_t)key->other_generation << 48 | (uint64_t)key->generation << 32 | key->piece};
    uint64_t hash = 0x9e3779b97f4a7c15u;
    for (int i = 0; i < 3; ++i) {
        hash = (hash ^ words[i]) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    return (uint32_t)hash;
}

static bool same_key(const sn_soft_key *a, const sn_soft_key *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

// An empty table with room for `count` keys. False without memory.
static bool make_table(sn_arena *arena, int count, sn_key_table *table)
{
    uint32_t size = 16;
    while (size < 2 * (uint32_t)count) {
        size *= 2;
    }
    table->slots = sn_arena_take(arena, size, sizeof *table->slots);
    table->mask = size - 1;
    if (table->slots != NULL) {
        memset(table->slots, 0xff, size * sizeof *table->slots);
    }
    return table->slots != NULL;
}

static bool remember_contacts(job *job)
{
    const sn_soft_world *soft = &job->search.world->soft;
    sn_key_table *table = &job->previous;
    if (!make_table(&job->search.world->arena, soft->contacts.count, table)) {
        return false;
    }
    for (int i = 0; i < soft->contacts.count; ++i) {
        uint32_t slot = hash_key(&soft->contacts.data[i].key) & table->mask;
        while (table->slots[slot] >= 0) {
            slot = (slot + 1) & table->mask;
        }
        table->slots[slot] = i;
    }
    return true;
}

static const sn_soft_contact_data *find_previous(const job *job, const sn_soft_key *key)
{
    const sn_key_table *table = &job->previous;
    for (uint32_t slot = hash_key(key) & table->mask; table->slots[slot] >= 0;
         slot = (slot + 1) & table->mask) {
        const sn_soft_contact_data *contact = &job->search.world->soft.contacts.data[table->slots[slot]];
        if (same_key(&contact->key, key)) {
            return contact;
        }
    }
    return NULL;
}

// --- candidates become contacts ----------------------------------------------------------------------------

// Corners and edges of a surface have the same name whichever of their triangles found them.
static void name_surface_piece(sn_soft_key *key, const sn_soft_broad_pair *broad_pair)
{
    uint32_t piece = (key->piece & ~SN_SOFT_PIECE_EDGE) - 1;
    uint32_t a = broad_pair->vertices[piece], b = broad_pair->vertices[(piece + 1) % 3];
    bool is_edge = (key->piece & SN_SOFT_PIECE_EDGE) != 0;
    key->part = is_edge && b < a ? b : a;
    key->piece = is_edge ? SN_SOFT_PIECE_EDGE | (b < a ? a : b) : 1;
}

static sn_soft_key key_of(const sn_world *world, const sn_soft_broad_pair *broad_pair,
                          const sn_soft_mid_pair *mid_pair)
{
    sn_soft_key key = {.deformable = (uint32_t)broad_pair->deformable,
                       .feature = mid_pair->feature,
                       .generation = world->deformable_ids.generation.data[broad_pair->deformable]};
    if (broad_pair->other >= 0) {
        key.other = (uint32_t)broad_pair->other | SN_SOFT_OTHER_DEFORMABLE;
        key.part = mid_pair->piece;
        key.other_generation = world->deformable_ids.generation.data[broad_pair->other];
        return key;
    }
    key.other = (uint32_t)broad_pair->shape;
    key.part = broad_pair->part;
    key.piece = mid_pair->piece;
    key.other_generation = world->shape_ids.generation.data[broad_pair->shape];
    if (broad_pair->obstacle.kind == SN_OBSTACLE_TRIANGLE && key.piece != 0) {
        name_surface_piece(&key, broad_pair);
    }
    return key;
}

// The two sides of an encounter as the narrow phase sees them, kept from candidate to candidate.
typedef struct meeting {
    const sn_soft_broad_pair *broad_pair;
    sn_soft_view a, b; // b with a deformable only
} meeting;

static void look_at(const sn_soft_search *search, const sn_soft_broad_pair *broad_pair, meeting *meeting)
{
    if (meeting->broad_pair == broad_pair) {
        return;
    }
    meeting->broad_pair = broad_pair;
    if (broad_pair->other >= 0) {
        sn_soft_views_of(search, broad_pair, &meeting->a, &meeting->b);
    } else {
        meeting->a = sn_soft_view_of(search, broad_pair->deformable, broad_pair);
    }
}

static bool meet_other(const meeting *meeting, const sn_soft_mid_pair *mid_pair,
                       const sn_soft_contact_data *previous, sn_soft_contact_data *contact)
{
    uint32_t number = sn_soft_feature_number(mid_pair->feature);
    uint32_t other = sn_soft_feature_number(mid_pair->piece);
    return sn_soft_feature_kind(mid_pair->feature) == SN_SOFT_NODE
               ? sn_soft_node_meets_face(&meeting->a, number, &meeting->b, other, previous, contact)
               : sn_soft_edges_meet(&meeting->a, number, &meeting->b, other, previous, contact);
}

// The corner of something round and small that the candidate is about, −1 if it is about something else.
static int ball_of(const sn_soft_broad_pair *broad_pair, const sn_soft_mid_pair *mid_pair)
{
    int piece = (int)(mid_pair->piece & ~SN_SOFT_PIECE_EDGE) - 1;
    if (!broad_pair->is_small || (mid_pair->piece & SN_SOFT_PIECE_EDGE) != 0 ||
        (piece < 0 && broad_pair->obstacle.convex.point_count != 1)) {
        return -1;
    }
    return piece < 0 ? 0 : piece;
}

static bool meet_shape(const meeting *meeting, const sn_soft_mid_pair *mid_pair,
                       const sn_soft_contact_data *previous, sn_soft_contact_data *contact)
{
    const sn_soft_view *view = &meeting->a;
    const sn_obstacle *obstacle = &meeting->broad_pair->obstacle;
    uint32_t number = sn_soft_feature_number(mid_pair->feature);
    int piece = (int)(mid_pair->piece & ~SN_SOFT_PIECE_EDGE) - 1;
    int ball = ball_of(meeting->broad_pair, mid_pair);
    if (ball >= 0) {
        return sn_soft_meets_ball(view, mid_pair->feature, obstacle, ball, previous, contact);
    }
    switch (sn_soft_feature_kind(mid_pair->feature)) {
    case SN_SOFT_NODE:
        return sn_soft_node_meets(view, number, obstacle, previous, contact);
    case SN_SOFT_FACE:
        return sn_soft_face_meets_corner(view, number, obstacle, piece, previous, contact);
    default:
        return mid_pair->piece & SN_SOFT_PIECE_EDGE
                   ? sn_soft_edge_meets_edge(view, number, obstacle, piece, previous, contact)
                   : sn_soft_edge_meets_corner(view, number, obstacle, piece, contact);
    }
}

static void mix_materials(const sn_world *world, const sn_soft_broad_pair *broad_pair,
                          sn_soft_contact_data *contact)
{
    const sn_deformable_def *def = &world->deformables.data[broad_pair->deformable].def;
    float friction, restitution;
    if (broad_pair->other >= 0) {
        friction = world->deformables.data[broad_pair->other].def.friction;
        restitution = world->deformables.data[broad_pair->other].def.restitution;
    } else {
        friction = world->shapes.data[broad_pair->shape].friction;
        restitution = world->shapes.data[broad_pair->shape].restitution;
    }
    contact->friction = sqrtf(def->friction * friction);
    contact->restitution = sn_max(def->restitution, restitution);
}

// How far the two sides come nearer during the step, as far as can be seen now.
static float nearing(const sn_soft_search *search, const sn_soft_broad_pair *broad_pair,
                     const sn_soft_contact_data *contact)
{
    sn_vec3 displacement = sn_v(0.0f, 0.0f, 0.0f);
    const sn_vec3 *displacements =
        broad_pair->other < 0 ? search->displacements : search->displacements_between;
    for (int k = 0; k < contact->width; ++k) {
        displacement = sn_add_scaled(displacement, contact->weights[k], displacements[contact->nodes[k]]);
    }
    if (broad_pair->other < 0) {
        displacement = sn_sub(displacement, sn_obstacle_displacement(&broad_pair->obstacle, contact->point));
    }
    return -sn_dot(displacement, contact->normal);
}

static bool make_contact(const job *job, const meeting *meeting, const sn_soft_mid_pair *mid_pair,
                         sn_soft_contact_data *contact)
{
    const sn_world *world = job->search.world;
    const sn_soft_broad_pair *broad_pair = meeting->broad_pair;
    static const sn_soft_contact_data empty; // copied, which is faster than clearing
    *contact = empty;
    contact->key = key_of(world, broad_pair, mid_pair);
    contact->body = broad_pair->body;
    const sn_soft_contact_data *previous = find_previous(job, &contact->key);
    bool meets = broad_pair->other >= 0 ? meet_other(meeting, mid_pair, previous, contact)
                                        : meet_shape(meeting, mid_pair, previous, contact);
    meets = meets && !sn_soft_is_bound(&job->search, contact);
    if (meets) {
        mix_materials(world, broad_pair, contact);
        float nearer = nearing(&job->search, broad_pair, contact);
        contact->closes = contact->separation - nearer <= 0.0f;
        float share = broad_pair->other < 0 ? 1.0f : job->search.share;
        contact->approach = nearer / (share * job->search.duration);
        if (previous != NULL) {
            contact->normal_impulse = previous->normal_impulse;
            contact->friction_impulse = previous->friction_impulse;
        }
    }
    return meets;
}

// Most candidates become nothing: what is far is passed over before anything is looked up, and only contacts
// are written to memory.
static void make_contacts(void *context, int begin, int end)
{
    const job *job = context;
    const sn_soft_world *soft = &job->search.world->soft;
    meeting meeting = {0};
    sn_soft_contact_data contact;
    for (int i = begin; i < end; ++i) {
        const sn_soft_mid_pair *mid_pair = &soft->mid_pairs.data[i];
        const sn_soft_broad_pair *broad_pair = &soft->broad_pairs.data[mid_pair->broad_pair];
        look_at(&job->search, broad_pair, &meeting);
        int ball = ball_of(broad_pair, mid_pair);
        bool may_meet =
            ball < 0 || sn_soft_is_near_ball(&meeting.a, mid_pair->feature, &broad_pair->obstacle, ball);
        job->meets[i] = may_meet && make_contact(job, &meeting, mid_pair, &contact);
        if (job->meets[i]) {
            job->made[i] = contact;
        }
    }
}

// --- contacts of this step ---------------------------------------------------------------------------------

static bool may_be_repeated(const sn_soft_world *soft, const job *job, int mid_pair)
{
    const sn_soft_broad_pair *broad_pair = &soft->broad_pairs.data[soft->mid_pairs.data[mid_pair].broad_pair];
    return job->meets[mid_pair] && broad_pair->obstacle.kind == SN_OBSTACLE_TRIANGLE &&
           job->made[mid_pair].key.piece != 0;
}

// Pieces of surfaces are found by every triangle they belong to; the first one counts. False without memory.
static bool drop_repeated(job *job, int count)
{
    const sn_soft_world *soft = &job->search.world->soft;
    int suspects = 0;
    for (int i = 0; i < count; ++i) {
        suspects += may_be_repeated(soft, job, i) ? 1 : 0;
    }
    if (suspects == 0) {
        return true;
    }
    sn_key_table table;
    if (!make_table(&job->search.world->arena, suspects, &table)) {
        return false;
    }
    for (int i = 0; i < count; ++i) {
        if (!may_be_repeated(soft, job, i)) {
            continue;
        }
        uint32_t slot = hash_key(&job->made[i].key) & table.mask;
        while (table.slots[slot] >= 0 && !same_key(&job->made[table.slots[slot]].key, &job->made[i].key)) {
            slot = (slot + 1) & table.mask;
        }
        job->meets[i] = table.slots[slot] < 0;
        table.slots[slot] = job->meets[i] ? i : table.slots[slot];
    }
    return true;
}

// Contacts of the last step between things that all sleep now: nothing has moved, they hold when it wakes.
static bool sleeps_on(const sn_world *world, const sn_soft_contact_data *contact)
{
    int other = (int)(contact->key.other & ~SN_SOFT_OTHER_DEFORMABLE);
    if (!sn_soft_is_current(world, &contact->key) ||
        !sn_deformable_sleeps(&world->deformables.data[contact->key.deformable])) {
        return false;
    }
    return contact->body >= 0 ? world->bodies.data[contact->body].awake_index < 0
                              : sn_deformable_sleeps(&world->deformables.data[other]);
}

// The old ones that sleep on, then those that were made.
static bool gather_contacts(job *job, int count)
{
    sn_soft_world *soft = &job->search.world->soft;
    int kept = 0, met = 0;
    for (int i = 0; i < soft->contacts.count; ++i) {
        if (sleeps_on(job->search.world, &soft->contacts.data[i])) {
            soft->contacts.data[kept] = soft->contacts.data[i];
            soft->contacts.data[kept++].approach = 0.0f;
        }
    }
    for (int i = 0; i < count; ++i) {
        met += job->meets[i] ? 1 : 0;
    }
    soft->contacts.count = kept;
    if (!sn_array_reserve(&soft->contacts, kept + met)) {
        return false;
    }
    for (int i = 0; i < count; ++i) {
        if (job->meets[i]) {
            soft->contacts.data[soft->contacts.count++] = job->made[i];
        }
    }
    return true;
}

// Tries every candidate. False without memory.
static bool make_all(job *job)
{
    sn_world *world = job->search.world;
    int count = world->soft.mid_pairs.count;
    job->made = sn_arena_take(&world->arena, (size_t)count, sizeof *job->made);
    job->meets = sn_arena_take(&world->arena, (size_t)count, sizeof *job->meets);
    if (job->made == NULL || job->meets == NULL || !remember_contacts(job)) {
        return false;
    }
    sn_tasks_for(world->tasks, count, MID_PAIR_GRAIN, make_contacts, job);
    return true;
}

static bool find_contacts(job *job)
{
    int count = job->search.world->soft.mid_pairs.count;
    return make_all(job) && drop_repeated(job, count) && gather_contacts(job, count);
}

// --- again, half way through a step
// -------------------------------------------------------------------------

// What the same features had of the step already.
static void add_totals(const job *job, sn_soft_contact_data *contact)
{
    const sn_soft_contact_data *previous = find_previous(job, &contact->key);
    if (previous != NULL) {
        contact->total_normal = previous->total_normal;
        contact->total_friction = previous->total_friction;
    }
}

// Into the list of those detected again, and of that into the solver's. Its first places are for the contacts
// that were not looked for again (sn_soft_unload).
static bool gather_redetected(job *job, int count, sn_soft_contacts *again)
{
    sn_world *world = job->search.world;
    sn_soft_world *soft = &world->soft;
    int kept = soft->contacts.count - soft->between.count, met = 0;
    for (int i = 0; i < count; ++i) {
        met += job->meets[i] ? 1 : 0;
    }
    again->count = met;
    again->contacts = sn_arena_take(&world->arena, (size_t)met, sizeof *again->contacts);
    if (again->contacts == NULL || !sn_array_reserve(&soft->redetected, kept + met)) {
        return false;
    }
    soft->redetected.count = kept + met;
    for (int i = 0, next = 0; i < count; ++i) {
        if (job->meets[i]) {
            add_totals(job, &job->made[i]);
            soft->redetected.data[kept + next] = job->made[i];
            again->contacts[next] = &soft->redetected.data[kept + next];
            ++next;
        }
    }
    return true;
}

static void drop_shapes(sn_soft_world *soft)
{
    int kept = 0;
    for (int i = 0; i < soft->broad_pairs.count; ++i) {
        if (soft->broad_pairs.data[i].other >= 0) {
            soft->broad_pairs.data[kept++] = soft->broad_pairs.data[i];
        }
    }
    soft->broad_pairs.count = kept;
}

static bool find_again(sn_world *world, float duration, sn_soft_contacts *again)
{
    job job = {.search = {.world = world, .duration = duration, .share = 1.0f}};
    job.search.displacements =
        sn_arena_take(&world->arena, (size_t)world->nodes.states.count, sizeof(sn_vec3));
    if (job.search.displacements == NULL || !sn_soft_fit_surfaces(&job.search)) {
        return false;
    }
    job.search.displacements_between = job.search.displacements;
    drop_shapes(&world->soft);
    if (!sn_soft_find_mid_pairs(&job.search) || !make_all(&job)) {
        return false;
    }
    return gather_redetected(&job, world->soft.mid_pairs.count, again);
}

// All or nothing: the rows of the old contacts are given up once those of the new ones are ready.
void sn_soft_detect_again(void *context, struct sn_solver *solver, const sn_element_pass *pass,
                          float duration)
{
    sn_world *world = context;
    sn_soft_contacts *between = &world->soft.between, again = *between;
    sn_coupling_stage stage = sn_soft_contacts_stage(between);
    stage.store(between); // new ones go on with the impulses so far
    if (find_again(world, duration, &again) && stage.prepare(&again, solver, pass)) {
        *between = again;
        world->soft.is_redetected = true;
        stage.refresh(between, pass);
    }
}

bool sn_stage_soft(sn_world *world, float duration)
{
    if (world->deformable_ids.used == 0) {
        world->soft.contacts.count = 0;
        return true;
    }
    job job = {.search = {.world = world, .duration = duration, .share = 1.0f}};
    job.search.displacements =
        sn_arena_take(&world->arena, (size_t)world->nodes.states.count, sizeof(sn_vec3));
    if (job.search.displacements == NULL) {
        return false;
    }
    world->soft.is_fast = false;
    return sn_soft_fit_surfaces(&job.search) && sn_soft_choose_share(&job.search) &&
           sn_soft_find_broad_pairs(&job.search) && sn_soft_find_mid_pairs(&job.search) &&
           find_contacts(&job);
}
