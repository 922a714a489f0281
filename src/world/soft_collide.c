// Where deformables touch. Runs after the narrow phase of rigid bodies:
//
//   ways        how far every node goes in this step; boxes of the surfaces fitted around them (soft_ways.c)
//   encounters  parts of shapes, and deformables, whose boxes overlap (soft_encounters.c)
//   candidates  pairs of features whose boxes overlap (soft_candidates.c)
//   contacts    each candidate becomes one or nothing, on several threads; those of the last step between
//               the same features hand over their impulses and sides
#include "world/world.h"

#include <string.h>

enum { CANDIDATE_GRAIN = 128 };

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
static void name_surface_piece(sn_soft_key *key, const sn_encounter *encounter)
{
    uint32_t piece = (key->piece & ~SN_SOFT_PIECE_EDGE) - 1;
    uint32_t a = encounter->vertices[piece], b = encounter->vertices[(piece + 1) % 3];
    bool is_edge = (key->piece & SN_SOFT_PIECE_EDGE) != 0;
    key->part = is_edge && b < a ? b : a;
    key->piece = is_edge ? SN_SOFT_PIECE_EDGE | (b < a ? a : b) : 1;
}

static sn_soft_key key_of(const sn_world *world, const sn_encounter *encounter,
                          const sn_soft_candidate *candidate)
{
    sn_soft_key key = {.deformable = (uint32_t)encounter->deformable,
                       .feature = candidate->feature,
                       .generation = world->deformable_ids.generation.data[encounter->deformable]};
    if (encounter->other >= 0) {
        key.other = (uint32_t)encounter->other | SN_SOFT_OTHER_DEFORMABLE;
        key.part = candidate->piece;
        key.other_generation = world->deformable_ids.generation.data[encounter->other];
        return key;
    }
    key.other = (uint32_t)encounter->shape;
    key.part = encounter->part;
    key.piece = candidate->piece;
    key.other_generation = world->shape_ids.generation.data[encounter->shape];
    if (encounter->obstacle.kind == SN_OBSTACLE_TRIANGLE && key.piece != 0) {
        name_surface_piece(&key, encounter);
    }
    return key;
}

// The two sides of an encounter as the narrow phase sees them, kept from candidate to candidate.
typedef struct meeting {
    const sn_encounter *encounter;
    sn_soft_view a, b; // b with a deformable only
} meeting;

static void look_at(const sn_soft_search *search, const sn_encounter *encounter, meeting *meeting)
{
    if (meeting->encounter == encounter) {
        return;
    }
    meeting->encounter = encounter;
    if (encounter->other >= 0) {
        sn_soft_views_of(search, encounter, &meeting->a, &meeting->b);
    } else {
        meeting->a = sn_soft_view_of(search, encounter->deformable, encounter);
    }
}

static bool meet_other(const meeting *meeting, const sn_soft_candidate *candidate,
                       const sn_soft_contact_data *previous, sn_soft_contact_data *contact)
{
    uint32_t number = sn_soft_feature_number(candidate->feature);
    uint32_t other = sn_soft_feature_number(candidate->piece);
    return sn_soft_feature_kind(candidate->feature) == SN_SOFT_NODE
               ? sn_soft_node_meets_face(&meeting->a, number, &meeting->b, other, previous, contact)
               : sn_soft_edges_meet(&meeting->a, number, &meeting->b, other, previous, contact);
}

// The corner of something round and small that the candidate is about, −1 if it is about something else.
static int ball_of(const sn_encounter *encounter, const sn_soft_candidate *candidate)
{
    int piece = (int)(candidate->piece & ~SN_SOFT_PIECE_EDGE) - 1;
    if (!encounter->is_small || (candidate->piece & SN_SOFT_PIECE_EDGE) != 0 ||
        (piece < 0 && encounter->obstacle.convex.point_count != 1)) {
        return -1;
    }
    return piece < 0 ? 0 : piece;
}

static bool meet_shape(const meeting *meeting, const sn_soft_candidate *candidate,
                       const sn_soft_contact_data *previous, sn_soft_contact_data *contact)
{
    const sn_soft_view *view = &meeting->a;
    const sn_obstacle *obstacle = &meeting->encounter->obstacle;
    uint32_t number = sn_soft_feature_number(candidate->feature);
    int piece = (int)(candidate->piece & ~SN_SOFT_PIECE_EDGE) - 1;
    int ball = ball_of(meeting->encounter, candidate);
    if (ball >= 0) {
        return sn_soft_meets_ball(view, candidate->feature, obstacle, ball, previous, contact);
    }
    switch (sn_soft_feature_kind(candidate->feature)) {
    case SN_SOFT_NODE:
        return sn_soft_node_meets(view, number, obstacle, previous, contact);
    case SN_SOFT_FACE:
        return sn_soft_face_meets_corner(view, number, obstacle, piece, previous, contact);
    default:
        return candidate->piece & SN_SOFT_PIECE_EDGE
                   ? sn_soft_edge_meets_edge(view, number, obstacle, piece, previous, contact)
                   : sn_soft_edge_meets_corner(view, number, obstacle, piece, contact);
    }
}

static void mix_materials(const sn_world *world, const sn_encounter *encounter, sn_soft_contact_data *contact)
{
    const sn_deformable_def *def = &world->deformables.data[encounter->deformable].def;
    float friction, restitution;
    if (encounter->other >= 0) {
        friction = world->deformables.data[encounter->other].def.friction;
        restitution = world->deformables.data[encounter->other].def.restitution;
    } else {
        friction = world->shapes.data[encounter->shape].friction;
        restitution = world->shapes.data[encounter->shape].restitution;
    }
    contact->friction = sqrtf(def->friction * friction);
    contact->restitution = sn_max(def->restitution, restitution);
}

// How far the two sides come nearer during the step, as far as can be seen now.
static float nearing(const sn_soft_search *search, const sn_encounter *encounter,
                     const sn_soft_contact_data *contact)
{
    sn_vec3 way = sn_v(0.0f, 0.0f, 0.0f);
    const sn_vec3 *ways = encounter->other < 0 ? search->ways : search->ways_between;
    for (int k = 0; k < contact->width; ++k) {
        way = sn_add_scaled(way, contact->weights[k], ways[contact->nodes[k]]);
    }
    if (encounter->other < 0) {
        way = sn_sub(way, sn_obstacle_way(&encounter->obstacle, contact->point));
    }
    return -sn_dot(way, contact->normal);
}

static bool make_contact(const job *job, const meeting *meeting, const sn_soft_candidate *candidate,
                         sn_soft_contact_data *contact)
{
    const sn_world *world = job->search.world;
    const sn_encounter *encounter = meeting->encounter;
    static const sn_soft_contact_data empty; // copied, which is faster than clearing
    *contact = empty;
    contact->key = key_of(world, encounter, candidate);
    contact->body = encounter->body;
    const sn_soft_contact_data *previous = find_previous(job, &contact->key);
    bool meets = encounter->other >= 0 ? meet_other(meeting, candidate, previous, contact)
                                       : meet_shape(meeting, candidate, previous, contact);
    meets = meets && !sn_soft_is_bound(&job->search, contact);
    if (meets) {
        mix_materials(world, encounter, contact);
        float nearer = nearing(&job->search, encounter, contact);
        contact->closes = contact->separation - nearer <= 0.0f;
        float share = encounter->other < 0 ? 1.0f : job->search.share;
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
        const sn_soft_candidate *candidate = &soft->candidates.data[i];
        const sn_encounter *encounter = &soft->encounters.data[candidate->encounter];
        look_at(&job->search, encounter, &meeting);
        int ball = ball_of(encounter, candidate);
        bool may_meet =
            ball < 0 || sn_soft_is_near_ball(&meeting.a, candidate->feature, &encounter->obstacle, ball);
        job->meets[i] = may_meet && make_contact(job, &meeting, candidate, &contact);
        if (job->meets[i]) {
            job->made[i] = contact;
        }
    }
}

// --- contacts of this step ---------------------------------------------------------------------------------

static bool may_be_repeated(const sn_soft_world *soft, const job *job, int candidate)
{
    const sn_encounter *encounter = &soft->encounters.data[soft->candidates.data[candidate].encounter];
    return job->meets[candidate] && encounter->obstacle.kind == SN_OBSTACLE_TRIANGLE &&
           job->made[candidate].key.piece != 0;
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
    int count = world->soft.candidates.count;
    job->made = sn_arena_take(&world->arena, (size_t)count, sizeof *job->made);
    job->meets = sn_arena_take(&world->arena, (size_t)count, sizeof *job->meets);
    if (job->made == NULL || job->meets == NULL || !remember_contacts(job)) {
        return false;
    }
    sn_tasks_for(world->tasks, count, CANDIDATE_GRAIN, make_contacts, job);
    return true;
}

static bool find_contacts(job *job)
{
    int count = job->search.world->soft.candidates.count;
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
    for (int i = 0; i < soft->encounters.count; ++i) {
        if (soft->encounters.data[i].other >= 0) {
            soft->encounters.data[kept++] = soft->encounters.data[i];
        }
    }
    soft->encounters.count = kept;
}

static bool find_again(sn_world *world, float duration, sn_soft_contacts *again)
{
    job job = {.search = {.world = world, .duration = duration, .share = 1.0f}};
    job.search.ways = sn_arena_take(&world->arena, (size_t)world->nodes.states.count, sizeof(sn_vec3));
    if (job.search.ways == NULL || !sn_soft_fit_surfaces(&job.search)) {
        return false;
    }
    job.search.ways_between = job.search.ways;
    drop_shapes(&world->soft);
    if (!sn_soft_find_candidates(&job.search) || !make_all(&job)) {
        return false;
    }
    return gather_redetected(&job, world->soft.candidates.count, again);
}

// All or nothing: the rows of the old contacts are given up once those of the new ones are ready.
void sn_soft_detect_again(void *context, struct sn_solver *solver, const sn_element_pass *pass,
                          float duration)
{
    sn_world *world = context;
    sn_soft_contacts *between = &world->soft.between, again = *between;
    sn_mixed_stage stage = sn_soft_contacts_stage(between);
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
    job.search.ways = sn_arena_take(&world->arena, (size_t)world->nodes.states.count, sizeof(sn_vec3));
    if (job.search.ways == NULL) {
        return false;
    }
    world->soft.is_fast = false;
    return sn_soft_fit_surfaces(&job.search) && sn_soft_choose_share(&job.search) &&
           sn_soft_find_encounters(&job.search) && sn_soft_find_candidates(&job.search) &&
           find_contacts(&job);
}
