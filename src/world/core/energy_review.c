// Losses are not stored: now and then accounts are compared with what their islands can hold.
// Tested by tests/world/core/test_energy_accounts.c.
#include "solver/elements/bound_block.h"
#include "solver/elements/edge_block.h"
#include "world/core/energy_accounts.h"

// Every so many steps.
#define REVIEW_STEPS 8
// Islands whose accounts hold less than this part of the most they ever moved with are not looked at.
#define REVIEW_PART 0.02
// What is measured is known to this factor: masses that hard rows move are estimates.
#define REVIEW_MARGIN 2.0

typedef struct review {
    const sn_world *world;
    const sn_energy_islands *energy;
    double *stored, *peak, *slack; // in accounts, by root
    double *measured;              // the same: what springs and rows hold now
    bool *is_due;                  // by root
} review;

static bool take_room(sn_world *world, review *review)
{
    size_t count = (size_t)review->energy->islands.count;
    review->stored = sn_arena_take_zero(&world->arena, count, sizeof(double));
    review->peak = sn_arena_take_zero(&world->arena, count, sizeof(double));
    review->slack = sn_arena_take_zero(&world->arena, count, sizeof(double));
    review->measured = sn_arena_take_zero(&world->arena, count, sizeof(double));
    review->is_due = sn_arena_take_zero(&world->arena, count, sizeof(bool));
    return review->stored != NULL && review->peak != NULL && review->slack != NULL &&
           review->measured != NULL && review->is_due != NULL;
}

// Adds up the shares of members; those that have none have no account.
static void sum_shares(const review *review)
{
    const sn_energy_islands *energy = review->energy;
    for (int place = 0; place < energy->islands.count; ++place) {
        int member = sn_energy_member_at(review->world, energy, place);
        int root = member >= 0 ? sn_island_root(&energy->islands, place) : -1;
        if (sn_energy_has_account(energy, root)) {
            const sn_energy_share *share = sn_member_energy(review->world, member);
            review->stored[root] += (double)share->stored;
            review->peak[root] += (double)share->peak;
            review->slack[root] += sn_energy_slack(review->world, energy, place);
        }
    }
    for (int root = 0; root < energy->islands.count; ++root) {
        review->is_due[root] = review->stored[root] > REVIEW_PART * review->peak[root] + review->slack[root];
    }
}

static void measure_constraints(const review *review)
{
    const sn_world *world = review->world;
    for (int i = 0; i < world->active_constraints.count; ++i) {
        int index = world->active_constraints.data[i];
        const int *member = world->constraint_links.data[index].member;
        int root = sn_energy_root_of(world, review->energy, member[0] >= 0 ? member[0] : member[1]);
        root = root >= 0 ? root : sn_energy_root_of(world, review->energy, member[1]);
        if (root >= 0 && review->is_due[root] &&
            !sn_energy_add_constraint(world, review->energy, index, &review->measured[root])) {
            review->is_due[root] = false;
        }
    }
}

// Hard edges and bounds are springs: ½ Σ F²/k, F = Λ/h and k = ω²/κ.
static double held_by_rows(const sn_world *world, const sn_deformable_data *data)
{
    const sn_node_state *nodes = world->nodes.states.data;
    int edges = data->group_of[SN_ROWS_EDGES], bounds = data->group_of[SN_ROWS_BOUNDS];
    double sum = edges >= 0 ? sn_edges_yield(&data->groups.data[edges], nodes) : 0.0;
    sum += bounds >= 0 ? sn_bounds_yield(&data->groups.data[bounds], nodes) : 0.0;
    double omega_h = 2.0 * (double)SN_PI * (double)world->def.constraint_stiffness;
    return 0.5 * sum / (omega_h * omega_h);
}

static void measure_deformables(const review *review)
{
    const sn_world *world = review->world;
    for (int place = review->energy->islands.body_count; place < review->energy->islands.count; ++place) {
        int index = place - review->energy->islands.body_count;
        int root = sn_island_root(&review->energy->islands, place);
        if (sn_energy_member_at(world, review->energy, place) < 0 || !review->is_due[root]) {
            continue;
        }
        const sn_deformable_data *data = &world->deformables.data[index];
        sn_deformable_measure now = sn_deformable_measure_now(world, sn_deformable_id(world, index));
        review->is_due[root] = data->model_kind == NULL || data->model_kind->energy != NULL;
        review->measured[root] += (double)now.elastic_energy + held_by_rows(world, data);
    }
}

static void lower_shares(const review *review)
{
    const sn_energy_islands *energy = review->energy;
    for (int place = 0; place < energy->islands.count; ++place) {
        int member = sn_energy_member_at(review->world, energy, place);
        int root = member >= 0 ? sn_island_root(&energy->islands, place) : -1;
        if (root >= 0 && review->is_due[root]) {
            double most = REVIEW_MARGIN * review->measured[root] + review->slack[root];
            sn_energy_share *share = sn_member_energy(review->world, member);
            // Not twice, by rounding, where a step failed for lack of memory and is taken again.
            bool is_less = most < 0.999 * review->stored[root];
            share->stored *= is_less ? (float)(most / review->stored[root]) : 1.0f;
        }
    }
}

bool sn_energy_review(sn_world *world, const sn_energy_islands *energy)
{
    if (world->step_count % REVIEW_STEPS != 0) {
        return true;
    }
    review review = {.world = world, .energy = energy};
    if (!take_room(world, &review)) {
        return false;
    }
    sum_shares(&review);
    measure_constraints(&review);
    measure_deformables(&review);
    lower_shares(&review);
    return true;
}
