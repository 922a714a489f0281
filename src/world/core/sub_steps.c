// Classes of islands by how many sub-steps they take: what sub_step_demands.c says they ask for, rounded up.
// Islands that need about as many are solved together; no island pays for another.
#include "world/core/sub_steps.h"

#include "base/allocate.h"
#include "world/core/sub_step_demands.h"
#include "world/exact/exact_plan.h"

#include <math.h>

// What a first step is taken to last. [s]
#define USUAL_DURATION (1.0f / 60.0f)

// --- classes -----------------------------------------------------------------------------------------------

// More sub-steps than the least come in these numbers, so that there are few classes.
static const int numbers[] = {2, 4, 6, 8, 12, 16, 20, 24, 32, 48, 64, 96, 128, 160};

static int round_up(float wanted, float least)
{
    if (wanted <= least) {
        return (int)least;
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        if ((float)numbers[i] >= wanted) {
            return numbers[i] > (int)least ? numbers[i] : (int)least;
        }
    }
    return numbers[sizeof numbers / sizeof *numbers - 1];
}

// Where an island had more in the last step, it takes fewer only when a good part of them is not needed.
#define KEEP_MARGIN 1.3f

// How many sub-steps of that length the last step took.
static float number_before(const sn_world *world, float sub_step)
{
    return sub_step > 0.0f ? floorf(world->last_duration / sub_step + 0.5f) : 0.0f;
}

static void note_before(const sn_world *world, const sn_islands *islands, int member, float number,
                        float *before)
{
    int place = number > 0.0f ? sn_island_place(world, islands, member) : -1;
    if (place >= 0) {
        float *own = &before[sn_island_root(islands, place)];
        *own = sn_max(*own, number);
    }
}

// How many sub-steps the islands took last time, as far as rows remember. `told`: the same of bodies, zero to
// begin with.
static void find_before(const sn_world *world, const sn_islands *islands, float *told, float *before)
{
    for (int i = 0; i < world->deformables.count; ++i) {
        if (sn_id_pool_in_use(&world->deformable_ids, i)) {
            float number = number_before(world, world->deformables.data[i].sub_step);
            note_before(world, islands, sn_soft_member(i), number, before);
        }
    }
    float last = 0.0f, number = 0.0f; // nearly all have the same
    for (int i = 0; i < world->active_contacts.count; ++i) {
        const sn_contact_data *contact = &world->contacts.data[world->active_contacts.data[i]];
        number = contact->sub_step == last ? number : number_before(world, contact->sub_step);
        last = contact->sub_step;
        const int bodies[2] = {contact->body_a, contact->body_b};
        for (int side = 0; side < 2; ++side) {
            if (number > told[bodies[side]]) {
                told[bodies[side]] = number;
                note_before(world, islands, bodies[side], number, before);
            }
        }
    }
    for (int i = 0; i < world->active_constraints.count; ++i) {
        int index = world->active_constraints.data[i];
        const int *member = world->constraint_links.data[index].member;
        bool is_told = sn_member_is_soft(member[0]) || sn_member_is_soft(member[1]); // by the deformable
        for (int side = 0; side < 2 && !is_told; ++side) {
            number = number_before(world, world->constraints.data[index].sub_step);
            note_before(world, islands, member[side], number, before);
        }
    }
}

// Islands that must be solved together whatever they need: those with exact anchors, whose plan is one, and,
// where contacts between deformables are detected again within the step, those that may meet.
static void mark_shared(const sn_world *world, const sn_islands *islands, uint8_t *is_shared)
{
    for (int i = 0; i < world->active_constraints.count; ++i) {
        int index = world->active_constraints.data[i];
        uint8_t hold = world->exact->holds.data[index];
        if (hold != SN_CONSTRAINT_EXACT && hold != SN_CONSTRAINT_ROWS_INSTEAD) {
            continue;
        }
        for (int side = 0; side < 2; ++side) {
            int place = sn_island_place(world, islands, world->constraint_links.data[index].member[side]);
            if (place >= 0) {
                is_shared[sn_island_root(islands, place)] = 1;
            }
        }
    }
    for (int i = 0; world->soft.is_fast && i < world->soft.pairs.count; ++i) {
        const sn_soft_pair *pair = &world->soft.pairs.data[i];
        int members[2] = {sn_soft_member(pair->deformable),
                          pair->other >= 0 ? sn_soft_member(pair->other) : -1};
        for (int side = 0; pair->other >= 0 && side < 2; ++side) {
            int place = sn_island_place(world, islands, members[side]);
            if (place >= 0) {
                is_shared[sn_island_root(islands, place)] = 1;
            }
        }
    }
}

// The class with that many sub-steps, a new one if there is none yet.
static int class_of(sn_solve_classes *classes, int sub_steps)
{
    int i = 0;
    while (i < classes->count && classes->sub_steps[i] != sub_steps) {
        ++i;
    }
    if (i == classes->count) {
        classes->sub_steps[classes->count++] = sub_steps;
    }
    return i;
}

typedef struct island_room {
    float *wanted, *least, *before;
    uint8_t *is_shared, *causes, *presses; // presses: what lies on it keeps its sub-steps from falling
} island_room;

static bool take_room(sn_world *world, size_t count, island_room *room)
{
    *room = (island_room){sn_arena_take_zero(&world->arena, count, sizeof(float)),
                          sn_arena_take_zero(&world->arena, count, sizeof(float)),
                          sn_arena_take_zero(&world->arena, count, sizeof(float)),
                          sn_arena_take_zero(&world->arena, count, 1),
                          sn_arena_take_zero(&world->arena, count, 1),
                          sn_arena_take_zero(&world->arena, count, 1)};
    return room->wanted != NULL && room->least != NULL && room->before != NULL && room->is_shared != NULL &&
           room->causes != NULL && room->presses != NULL;
}

// Sub-steps of the island of a root.
static int number_of(const island_room *room, int root)
{
    int number = round_up(room->wanted[root], room->least[root]);
    if (room->presses[root] && room->before[root] > (float)number) {
        return round_up(room->before[root], room->least[root]);
    }
    float careful = sn_min(KEEP_MARGIN * room->wanted[root], room->before[root]);
    return room->before[root] > (float)number ? round_up(careful, room->least[root]) : number;
}

static void sort_into_classes(const sn_islands *islands, const island_room *room, sn_solve_classes *classes)
{
    int shared = 0;
    for (int i = 0; i < islands->count; ++i) {
        if (islands->parent[i] == i && room->is_shared[i]) {
            int number = number_of(room, i);
            shared = number > shared ? number : shared;
        }
    }
    classes->shared = shared > 0 ? class_of(classes, shared) : -1;
    for (int i = 0; i < islands->count; ++i) {
        int root = sn_island_root(islands, i);
        int number = room->is_shared[root] ? shared : number_of(room, root);
        classes->of_place[i] = (uint8_t)class_of(classes, number);
    }
}

// Lists the islands that take more than the least, for who asks (sn_world_loads).
static bool note_loads(sn_world *world, const sn_islands *islands, const island_room *room,
                       const sn_solve_classes *classes)
{
    int *entries = sn_arena_take(&world->arena, (size_t)islands->count, sizeof *entries);
    world->loads.count = 0;
    for (int i = 0; entries != NULL && i < islands->count; ++i) {
        int root = sn_island_root(islands, i), sub_steps = classes->sub_steps[classes->of_place[root]];
        entries[i] = -1;
        if (i == root && (float)sub_steps > room->least[root]) {
            entries[i] = world->loads.count;
            sn_loaded_island load = {.sub_steps = sub_steps, .cause = (sn_sub_step_cause)room->causes[root]};
            if (!sn_array_push(&world->loads, load)) {
                return false;
            }
        }
    }
    for (int i = 0; entries != NULL && i < islands->count; ++i) {
        int entry = entries[sn_island_root(islands, i)];
        sn_loaded_island *load = entry >= 0 ? &world->loads.data[entry] : NULL;
        if (load != NULL && i < islands->body_count) {
            ++load->rigid_count;
            load->rigid = sn_rigid_id(world, world->awake_bodies.data[i]);
        } else if (load != NULL) {
            ++load->deformable_count;
            load->deformable = sn_deformable_id(world, i - islands->body_count);
        }
    }
    return entries != NULL;
}

// The staggered solver takes one sub-step, the position solver as many as it is told; 0: islands ask for
// them.
static int fixed_number(const sn_world *world)
{
    return world->def.solver == SN_SOLVER_STAGGERED  ? 1
           : world->def.solver == SN_SOLVER_POSITION ? world->def.sub_steps
                                                     : 0;
}

static bool make_one_class(sn_world *world, sn_solve_classes *classes)
{
    classes->of_place =
        sn_arena_take_zero(&world->arena, (size_t)(world->awake_bodies.count + world->deformables.count), 1);
    classes->count = 1;
    classes->shared = 0;
    return classes->of_place != NULL;
}

bool sn_world_classify_islands(sn_world *world, float duration, sn_solve_classes *classes)
{
    *classes = (sn_solve_classes){.body_count = world->awake_bodies.count};
    void *memory = NULL;
    if (world->exact->hangers.count > 0) {
        memory = sn_arena_take_zero(&world->arena, (size_t)world->bodies.count, SN_HUNG_BYTES_A_BODY);
        if (memory == NULL) {
            return false;
        }
        classes->hung = sn_world_find_hung(world, memory);
    }
    if (fixed_number(world) > 0) {
        classes->sub_steps[0] = fixed_number(world);
        return make_one_class(world, classes);
    }
    sn_islands islands;
    island_room room;
    if (!sn_world_find_islands(world, true, &islands) || !take_room(world, (size_t)islands.count, &room)) {
        return false;
    }
    classes->of_place = sn_arena_take_zero(&world->arena, (size_t)islands.count, 1);
    float *told = sn_arena_take_zero(&world->arena, (size_t)world->bodies.count, sizeof *told);
    if (classes->of_place == NULL || told == NULL) {
        return false;
    }
    for (int i = 0; i < islands.count; ++i) {
        bool deforms = i >= islands.body_count;
        float *least = &room.least[sn_island_root(&islands, i)];
        *least = sn_max(*least, sn_world_least_sub_steps(world, duration, deforms));
    }
    sn_bridged_loads bridges;
    sn_pressing_loads pressing;
    if (!sn_world_find_sags(world, &islands, classes) ||
        !sn_world_find_bridged_loads(world, SN_LIGHT_LOAD, &bridges) ||
        !sn_world_find_pressing_loads(world, SN_LIGHT_LOAD, duration, &pressing)) {
        return false;
    }
    classes->is_borne = pressing.is_borne;
    const sn_hung_bodies *hung = memory != NULL ? &classes->hung : NULL;
    sn_sub_step_demands demands = {world,       &islands,     classes, duration, room.wanted,
                                   room.causes, room.presses, hung,    bridges,  pressing};
    sn_world_ask_for_sub_steps(&demands);
    find_before(world, &islands, told, room.before);
    mark_shared(world, &islands, room.is_shared);
    sort_into_classes(&islands, &room, classes);
    return note_loads(world, &islands, &room, classes);
}

bool sn_world_is_solved(const sn_world *world, int member)
{
    const sn_solve_classes *classes = &world->classes;
    if (sn_member_is_soft(member)) {
        int index = member & ~SN_SOFT_MEMBER;
        return !sn_deformable_sleeps(&world->deformables.data[index]) &&
               classes->of_place[classes->body_count + index] == classes->current;
    }
    const sn_body *body = &world->bodies.data[sn_member_body(member)];
    return body->awake_index >= 0 &&
           (body->type != SN_DYNAMIC ||
            (!body->is_supported && classes->of_place[body->awake_index] == classes->current));
}

// --- asking ------------------------------------------------------------------------------------------------

// Steps are usually alike: the next one is taken to last as long as the last one did.
int sn_world_sub_steps(const sn_world *world)
{
    if (world == NULL) {
        return 0;
    }
    if (fixed_number(world) > 0) {
        return fixed_number(world);
    }
    void *memory = NULL;
    sn_hung_bodies hung = {0};
    sn_world_list_met_contacts((sn_world *)world);
    if (world->constraint_ids.used > 0 && sn_world_plan_exact(world)) {
        memory = sn_allocate_zero((size_t)world->bodies.count, SN_HUNG_BYTES_A_BODY);
        hung = memory != NULL ? sn_world_find_hung(world, memory) : hung;
    }
    float duration = world->last_duration > 0.0f ? world->last_duration : USUAL_DURATION, wanted = 0.0f;
    sn_sub_step_demands demands = {.world = world, .duration = duration, .wanted = &wanted};
    demands.hung = memory != NULL ? &hung : NULL;
    sn_world_ask_for_sub_steps(&demands);
    sn_release(memory, (size_t)world->bodies.count * SN_HUNG_BYTES_A_BODY);
    return round_up(wanted, sn_world_least_sub_steps(world, duration, world->deformable_ids.used > 0));
}
