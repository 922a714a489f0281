// Which links are solved together: union–find over what they move. What cannot be moved joins nothing.
#include "solver/exact/exact_links.h"

// --- beginning ---------------------------------------------------------------------------------------------

// Nailed and carried sets, and those with a fixed node, cannot be moved.
static float weight_of_set(const sn_exact_stage *stage, const sn_exact_set *set)
{
    float mass = 0.0f;
    for (int i = set->first; i < set->first + set->count; ++i) {
        float inverse_mass = sn_link_nodes(stage)[stage->members[i].node].inverse_mass;
        if (inverse_mass == 0.0f) {
            return 0.0f;
        }
        mass += 1.0f / inverse_mass;
    }
    return set->attachment == SN_EXACT_FREE ? 1.0f / mass : 0.0f;
}

static void index_sets(sn_exact_stage *stage)
{
    for (int i = 0; i < stage->set_count; ++i) {
        const sn_exact_set *set = &stage->sets[i];
        stage->link_work->set_weights[i] = weight_of_set(stage, set);
        for (int k = set->first; k < set->first + set->count; ++k) {
            stage->set_of[stage->members[k].node] = i;
        }
    }
}

bool sn_link_groups_begin(sn_exact_stage *stage)
{
    sn_exact_links *work = stage->link_work;
    sn_arena *arena = stage->solver->arena;
    int node_count = stage->solver->nodes.nodes->states.count, body_count = stage->solver->body_count;
    size_t link_count = (size_t)stage->link_count;
    stage->set_of = sn_arena_take(arena, (size_t)node_count, sizeof *stage->set_of);
    work->order = sn_arena_take_zero(arena, link_count, sizeof *work->order);
    work->systems = sn_arena_take_zero(arena, link_count, sizeof *work->systems);
    work->set_weights = sn_arena_take_zero(arena, (size_t)stage->set_count, sizeof *work->set_weights);
    work->parents = sn_arena_take_zero(arena, link_count, sizeof *work->parents);
    work->numbers = sn_arena_take_zero(arena, link_count, sizeof *work->numbers);
    work->node_owners = sn_arena_take(arena, (size_t)node_count, sizeof *work->node_owners);
    work->body_owners = sn_arena_take(arena, (size_t)body_count, sizeof *work->body_owners);
    if (stage->set_of == NULL || work->order == NULL || work->systems == NULL || work->set_weights == NULL ||
        work->parents == NULL || work->numbers == NULL || work->node_owners == NULL ||
        work->body_owners == NULL) {
        return false;
    }
    for (int i = 0; i < node_count; ++i) {
        stage->set_of[i] = work->node_owners[i] = -1;
    }
    for (int i = 0; i < body_count; ++i) {
        work->body_owners[i] = -1;
    }
    index_sets(stage);
    return true;
}

// --- union–find --------------------------------------------------------------------------------------------

static int root_of(int *parents, int link)
{
    while (parents[link] != link) {
        parents[link] = parents[parents[link]];
        link = parents[link];
    }
    return link;
}

// The lower number becomes the root.
static void unite(int *parents, int a, int b)
{
    int root_a = root_of(parents, a), root_b = root_of(parents, b);
    if (root_a < root_b) {
        parents[root_b] = root_a;
    } else {
        parents[root_a] = root_b;
    }
}

// The owner of what an end moves by its i-th node: sets are known by their first one. Null if it moves
// nothing.
static int *owner_of(const sn_exact_stage *stage, const sn_solver_end *end, int i)
{
    int node = end->nodes[i], set = stage->set_of[node];
    if (end->weights[i] == 0.0f || sn_link_node_weight(stage, node) == 0.0f) {
        return NULL;
    }
    return &stage->link_work->node_owners[set < 0 ? node : stage->members[stage->sets[set].first].node];
}

static void claim(sn_exact_stage *stage, int *owner, int link)
{
    sn_exact_links *work = stage->link_work;
    if (*owner == link) {
        work->is_in_system[link] = true; // it has the node twice
    } else if (*owner < 0) {
        *owner = link;
    } else {
        work->is_in_system[link] = work->is_in_system[*owner] = true;
        unite(work->parents, *owner, link);
    }
}

static void claim_end(sn_exact_stage *stage, const sn_solver_end *end, int link)
{
    sn_exact_links *work = stage->link_work;
    for (int i = 0; i < end->node_count; ++i) {
        int *owner = owner_of(stage, end, i), parent = sn_link_parent(stage, end->nodes[i]);
        if (owner != NULL) {
            claim(stage, owner, link);
        }
        if (parent > 0) {
            claim(stage, &work->body_owners[parent], link);
        }
        work->is_in_system[link] |= stage->set_of[end->nodes[i]] >= 0;
    }
    if (sn_link_end_has_body(stage, end)) {
        claim(stage, &work->body_owners[end->body], link);
        work->is_in_system[link] = true;
    }
}

static void let_go(const sn_exact_stage *stage, const sn_solver_end *end)
{
    sn_exact_links *work = stage->link_work;
    for (int i = 0; i < end->node_count; ++i) {
        int *owner = owner_of(stage, end, i), parent = sn_link_parent(stage, end->nodes[i]);
        if (owner != NULL) {
            *owner = -1;
        }
        if (parent > 0) {
            work->body_owners[parent] = -1;
        }
    }
    if (sn_link_end_has_body(stage, end)) {
        work->body_owners[end->body] = -1;
    }
}

// --- ends --------------------------------------------------------------------------------------------------

static sn_solver_end end_on_piece(const sn_exact_link *link, int piece)
{
    sn_solver_end end = {.node_count = link->surface->corner_count};
    for (int i = 0; i < end.node_count; ++i) {
        size_t at = (size_t)piece * (size_t)end.node_count + (size_t)i;
        end.nodes[i] = link->first_node + (int)link->surface->corners[at];
        end.weights[i] = 1.0f;
    }
    return end;
}

// One that slides moves all corners of its piece; one that may stick to where it comes from those of that,
// too.
int sn_link_list_ends(const sn_exact_stage *stage, int number, sn_solver_end ends[3])
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

static void claim_all(sn_exact_stage *stage)
{
    for (int i = 0; i < stage->link_count; ++i) {
        sn_solver_end ends[3];
        for (int k = stage->links[i].sliding < 0 ? 0 : sn_link_list_ends(stage, i, ends); k-- > 0;) {
            claim_end(stage, &ends[k], i);
        }
        for (int k = 0; stage->links[i].sliding < 0 && k < 2; ++k) {
            claim_end(stage, &stage->links[i].ends[k], i);
        }
    }
}

static void let_go_all(sn_exact_stage *stage)
{
    for (int i = 0; i < stage->link_count; ++i) {
        sn_solver_end ends[3];
        for (int k = sn_link_list_ends(stage, i, ends); k-- > 0;) {
            let_go(stage, &ends[k]);
        }
    }
}

// --- order -------------------------------------------------------------------------------------------------

// Counts the links of every system, numbered in the order of their roots (which are their first links), and
// finds where each begins.
static void count_systems(sn_exact_stage *stage)
{
    sn_exact_links *work = stage->link_work;
    for (int i = 0; i < stage->link_count; ++i) {
        int root = root_of(work->parents, i);
        if (!work->is_in_system[i]) {
            work->order[work->alone_count++] = i;
            continue;
        }
        if (root == i) {
            work->numbers[i] = work->system_count;
            work->systems[work->system_count++] = (sn_link_system){0, 0};
        }
        ++work->systems[work->numbers[root]].count;
    }
    int next = work->alone_count;
    for (int i = 0; i < work->system_count; ++i) {
        work->systems[i].first = next;
        next += work->systems[i].count;
        work->systems[i].count = 0;
    }
}

static void list_systems(sn_exact_stage *stage)
{
    sn_exact_links *work = stage->link_work;
    count_systems(stage);
    for (int i = 0; i < stage->link_count; ++i) {
        if (work->is_in_system[i]) {
            sn_link_system *system = &work->systems[work->numbers[root_of(work->parents, i)]];
            work->order[system->first + system->count++] = i;
        }
    }
}

void sn_link_groups_make(sn_exact_stage *stage)
{
    sn_exact_links *work = stage->link_work;
    work->alone_count = work->system_count = 0;
    for (int i = 0; i < stage->link_count; ++i) {
        work->parents[i] = i;
        work->is_in_system[i] = stage->links[i].sliding >= 0;
    }
    claim_all(stage);
    if (work->has_slides) { // it will be done again
        let_go_all(stage);
    }
    list_systems(stage);
}
