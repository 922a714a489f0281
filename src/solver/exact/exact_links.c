// Links between weighted sums of nodes, points of bodies, places and surfaces: grouped into systems by
// union–find over what they move, which are then solved one by one (exact_systems.c).
#include "solver/exact/exact_links.h"

#include "base/union_find.h"

// How often closest points may go on to other pieces in a sub-step.
enum { MOST_ARRIVALS = 6 };
enum { SYSTEM_GRAIN = 4 };

// --- grouping ----------------------------------------------------------------------------------------------

// Sets that are attached to a place or fixed cannot be moved; those on bodies move with them.
static void index_sets(const sn_exact_stage *stage, sn_exact_links *work)
{
    for (int i = 0; i < stage->set_count; ++i) {
        const sn_exact_set *set = &stage->sets[i];
        int key = set->attachment == SN_EXACT_FREE ? stage->members[set->first].node
                                                   : sn_link_body_key(stage, sn_exact_body_of(stage, set));
        for (int k = set->first; k < set->first + set->count; ++k) {
            work->set_of[stage->members[k].node] = i;
            work->keys[stage->members[k].node] = key;
        }
    }
}

static bool take_memory(const sn_exact_stage *stage, sn_exact_links *work)
{
    sn_arena *arena = stage->solver->arena;
    size_t nodes = (size_t)stage->solver->nodes.nodes->states.count;
    size_t keys = nodes + (size_t)stage->solver->body_count, count = (size_t)stage->link_count;
    work->shares = sn_arena_take_zero(arena, count, sizeof *work->shares);
    work->states = sn_arena_take_zero(arena, count, sizeof *work->states);
    work->set_of = sn_arena_take(arena, nodes, sizeof *work->set_of);
    work->keys = sn_arena_take(arena, nodes, sizeof *work->keys);
    work->unit_of = sn_arena_take(arena, keys, sizeof *work->unit_of);
    work->parents = sn_arena_take(arena, keys, sizeof *work->parents);
    work->numbers = sn_arena_take(arena, keys, sizeof *work->numbers);
    work->order = sn_arena_take(arena, count, sizeof *work->order);
    work->begins = sn_arena_take(arena, count + 2, sizeof *work->begins);
    work->views = sn_arena_take(arena, count, sizeof *work->views);
    work->units = sn_arena_take(arena, count, SN_LINK_UNITS * sizeof *work->units);
    return work->shares != NULL && work->states != NULL && work->set_of != NULL && work->keys != NULL &&
           work->unit_of != NULL && work->parents != NULL && work->numbers != NULL && work->order != NULL &&
           work->begins != NULL && work->views != NULL && work->units != NULL;
}

static sn_exact_end end_on_piece(const sn_exact_link *link, int piece)
{
    sn_exact_end end = {.node_count = link->surface->corner_count};
    for (int i = 0; i < end.node_count; ++i) {
        size_t at = (size_t)piece * (size_t)end.node_count + (size_t)i;
        end.nodes[i] = link->first_node + (int)link->surface->corners[at];
    }
    return end;
}

// One that slides may move all corners of its piece; if it may stick to where it was, those of that, too.
int sn_link_list_ends(const sn_exact_stage *stage, int number, sn_exact_end ends[3])
{
    const sn_exact_link *link = &stage->links[number];
    ends[0] = link->ends[0];
    ends[1] = link->ends[1];
    if (link->sliding < 0 || stage->link_work->shares[number] == 0.0f) {
        return 2;
    }
    const sn_link_state *state = &stage->link_work->states[number];
    ends[link->sliding] = end_on_piece(link, state->after.piece);
    if (!sn_link_slide_rubs(stage, number) || state->before.piece == state->after.piece) {
        return 2;
    }
    ends[2] = end_on_piece(link, state->before.piece);
    return 3;
}

// The keys of all that a link may move. Returns how many.
static int list_keys(const sn_exact_stage *stage, int number, int keys[12])
{
    sn_exact_end ends[3];
    int count = 0;
    for (int k = sn_link_list_ends(stage, number, ends); k-- > 0;) {
        for (int i = 0; i < ends[k].node_count; ++i) {
            keys[count] = stage->link_work->keys[ends[k].nodes[i]];
            count += keys[count] >= 0 ? 1 : 0;
        }
        if (ends[k].node_count == 0 && sn_link_body_key(stage, ends[k].body) >= 0) {
            keys[count++] = sn_link_body_key(stage, ends[k].body);
        }
    }
    return count;
}

static void join_keys(const sn_exact_stage *stage, sn_exact_links *work)
{
    int keys[12];
    for (int i = 0; i < stage->link_count; ++i) {
        for (int k = list_keys(stage, i, keys); k-- > 0;) {
            work->parents[keys[k]] = keys[k];
            work->numbers[keys[k]] = -1;
        }
    }
    for (int i = 0; i < stage->link_count; ++i) {
        for (int k = list_keys(stage, i, keys); k-- > 1;) {
            sn_union_find_join(work->parents, NULL, keys[0], keys[k]);
        }
    }
}

// The system of a link, counted from 0 in the order of links; −1 if it moves nothing.
static int system_of(const sn_exact_stage *stage, sn_exact_links *work, int number)
{
    int keys[12];
    if (list_keys(stage, number, keys) == 0) {
        return -1;
    }
    int *system = &work->numbers[sn_union_find_root(work->parents, keys[0])];
    if (*system < 0) {
        *system = work->system_count++;
        work->begins[*system + 2] = 0;
    }
    return *system;
}

// A counting sort of links by system, which leaves the begin of each in `begins`.
static void make_systems(sn_exact_stage *stage)
{
    sn_exact_links *work = stage->link_work;
    join_keys(stage, work);
    work->system_count = work->begins[0] = work->begins[1] = 0;
    for (int i = 0; i < stage->link_count; ++i) {
        int system = system_of(stage, work, i);
        if (system >= 0) {
            ++work->begins[system + 2];
        }
    }
    for (int i = 0; i < work->system_count; ++i) {
        work->begins[i + 2] += work->begins[i + 1];
    }
    for (int i = 0; i < stage->link_count; ++i) {
        int system = system_of(stage, work, i);
        if (system >= 0) {
            work->order[work->begins[system + 1]++] = i;
        }
    }
}

bool sn_exact_links_begin(sn_exact_stage *stage)
{
    stage->link_work = NULL;
    if (stage->link_count == 0) {
        return true;
    }
    sn_exact_links *work = sn_arena_take_zero(stage->solver->arena, 1, sizeof *work);
    stage->link_work = work;
    if (work == NULL || !take_memory(stage, work)) {
        return false;
    }
    int nodes = stage->solver->nodes.nodes->states.count;
    for (int i = 0; i < nodes + stage->solver->body_count; ++i) {
        work->unit_of[i] = -1;
    }
    for (int i = 0; i < nodes; ++i) {
        work->set_of[i] = -1;
        work->keys[i] = sn_link_nodes(stage)[i].inverse_mass > 0.0f ? i : -1;
    }
    index_sets(stage, work);
    for (int i = 0; i < stage->link_count; ++i) {
        work->has_slides |= stage->links[i].sliding >= 0;
    }
    if (!work->has_slides) { // else closest points must be known first
        make_systems(stage);
    }
    return true;
}

// The share of its error that a link takes away in this sub-step.
static inline float share_of(const sn_exact_stage *stage, const sn_exact_link *link)
{
    float share = link->share + (float)stage->sub_step * link->growth;
    return share < 1.0f - 0.5f * link->growth ? share : 1.0f;
}

// --- stages ------------------------------------------------------------------------------------------------

static void place_systems(void *data, int begin, int end)
{
    for (int i = begin; i < end; ++i) {
        sn_link_system_place(data, i, false);
    }
}

static void place_systems_again(void *data, int begin, int end)
{
    for (int i = begin; i < end; ++i) {
        sn_link_system_place(data, i, true);
    }
}

static void settle_systems(void *data, int begin, int end)
{
    for (int i = begin; i < end; ++i) {
        sn_link_system_settle(data, i);
    }
}

void sn_exact_links_place(sn_exact_stage *stage)
{
    sn_exact_links *work = stage->link_work;
    sn_tasks *tasks = stage->solver->tasks;
    if (work == NULL) {
        return;
    }
    for (int i = 0; i < stage->link_count; ++i) {
        work->shares[i] = share_of(stage, &stage->links[i]);
    }
    if (work->has_slides && (sn_link_slides_follow(stage) || stage->sub_step == 0)) {
        make_systems(stage);
    }
    sn_tasks_for(tasks, work->system_count, SYSTEM_GRAIN, place_systems, stage);
    // Friction may have pulled some back over an edge, off the surface: again, without it.
    for (int i = 1; work->has_slides && i <= MOST_ARRIVALS; ++i) {
        if (!sn_link_slides_arrive(stage, i == MOST_ARRIVALS)) {
            break;
        }
        make_systems(stage);
        sn_tasks_for(tasks, work->system_count, SYSTEM_GRAIN, place_systems_again, stage);
    }
}

void sn_exact_links_settle(sn_exact_stage *stage)
{
    if (stage->link_work != NULL) {
        sn_tasks_for(stage->solver->tasks, stage->link_work->system_count, SYSTEM_GRAIN, settle_systems,
                     stage);
    }
}
