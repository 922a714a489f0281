// What islands store when a step begins: springs, hard rows and elements tell, models that cannot tell are
// taken at their word, and what was paid in before is still there unless it was lost.
// Tested by tests/world/energy/test_energy_accounts.c.
#include "world/energy/energy_accounts.h"
#include "world/exact/exact_plan.h"

#include <math.h>

// Exact anchors farther from where they should be than this are not met. [m]
#define MET 1.0e-3f
// What drives would go on paying for what is lost: of driven islands, what neither rows nor elements tell is
// forgotten in this time. Chains of light links that carry much store more than their rows tell. [s]
#define FORGOTTEN 4.0
// Before a constraint has been solved, it is taken to be solved by so many.
#define USUAL_SUB_STEPS 16.0f
// Deformables whose models cannot tell their energy, and which begin crushed or torn by more than this part
// of an edge, are not watched: nobody can tell what it takes to bring them back.
#define RUINED 0.9f
// --- constraints
// ---------------------------------------------------------------------------------------------

static int root_of_ends(const sn_world *world, const sn_energy_islands *energy, const int members[2])
{
    int root = members[0] >= 0 ? sn_energy_root(world, energy, members[0]) : -1;
    return root >= 0 || members[1] < 0 ? root : sn_energy_root(world, energy, members[1]);
}

// The mass that a hard row of a constraint moves, or rather more than that: of its lighter end. [kg]
static float mass_at(const sn_world *world, const sn_constraint_link *link)
{
    float least = INFINITY;
    for (int side = 0; side < 2; ++side) {
        int member = link->member[side];
        if (sn_member_is_soft(member)) {
            least = sn_min(least, 4.0f * world->deformables.data[member & ~SN_SOFT_MEMBER].node_mass);
        } else if (member >= 0 && sn_body_is_dynamic(&world->bodies.data[member])) {
            least = sn_min(least, world->bodies.data[member].mass);
        }
    }
    return least;
}

// What a turn of a hard row counts as: the size of the larger body, seen from the joint. [m]
static float size_at(const sn_world *world, const sn_constraint_link *link,
                     const sn_constraint_common *common)
{
    const sn_point *points[2] = {&common->a, &common->b};
    float size = 0.0f;
    for (int side = 0; side < 2; ++side) {
        int member = link->member[side];
        if (member >= 0 && !sn_member_is_soft(member) && sn_body_is_dynamic(&world->bodies.data[member])) {
            const sn_body *body = &world->bodies.data[member];
            float lever = sn_distance_between(sn_point_now(world, points[side]), body->center);
            float moments = body->inertia.x.x + body->inertia.y.y + body->inertia.z.z;
            size = sn_max(size, lever + sn_max(body->outer_radius, sqrtf(moments / body->mass)));
        }
    }
    return size;
}

static bool turns(const sn_row *row)
{
    return sn_length_squared(row->linear[0]) + sn_length_squared(row->linear[1]) == 0.0f;
}

// Hard rows are springs, too (softness.h), and so are those that are stiffer than these. They are let go at
// the speed of overlaps at most, but what is changed under the position solver, which meets them in a
// sub-step.
typedef struct hard_row {
    double mass, rate, most_speed; // [kg], [1/s], [m/s]
    double size;                   // what a turn counts as [m]
} hard_row;

static double energy_of_row(const sn_row *row, const hard_row *hard)
{
    bool acts = row->type == SN_ROW_EQUAL || (row->type == SN_ROW_ABOVE && row->value < 0.0f);
    double value = fabs((double)row->value), size = turns(row) ? hard->size : 1.0;
    double speed = hard->rate * value * size;
    double limited = speed < hard->most_speed ? speed : hard->most_speed;
    double compliance = (double)row->compliance;
    if (!acts || value * value < compliance * hard->mass * speed * speed) { // a spring softer than a hard row
        return acts ? 0.5 * value * value / compliance : 0.0;
    }
    return 0.5 * hard->mass * limited * limited;
}

static bool is_held_exactly(const sn_world *world, int index)
{
    return world->constraints.data[index].definition.common.exact &&
           world->exact->holds.data[index] != SN_CONSTRAINT_ROWS_INSTEAD;
}

// Of a constraint that was solved by the sub-steps it remembers.
static hard_row hard_row_of(const sn_world *world, int index, float duration, bool is_fresh)
{
    const sn_constraint_data *data = &world->constraints.data[index];
    const sn_constraint_link *link = &world->constraint_links.data[index];
    float h = data->sub_step > 0.0f ? data->sub_step : duration / USUAL_SUB_STEPS;
    bool is_met_at_once = is_fresh && world->def.solver == SN_SOLVER_POSITION;
    return (hard_row){.mass = (double)mass_at(world, link),
                      .rate = (double)(2.0f * SN_PI * world->def.constraint_stiffness / h),
                      .most_speed = is_met_at_once ? (double)INFINITY : (double)world->def.push_speed,
                      .size = (double)size_at(world, link, &data->definition.common)};
}

static bool is_on_ramp(const sn_constraint_data *data)
{
    const sn_constraint_common *common = &data->definition.common;
    return common->exact && common->ramp_steps > 1 && data->ramp_done < common->ramp_steps;
}

// What an exact anchor holds, or lighter, gets twice the speed of the jump at most.
static void note_jump(const sn_energy_islands *energy, int root, double mass, double way)
{
    double speed = way / (double)energy->duration;
    energy->traits[root] |= SN_ENERGY_JUMPS;
    energy->balances[root].rise = fmax(energy->balances[root].rise, fabs(way));
    energy->balances[root].lifted += mass < (double)INFINITY ? 2.0 * mass * speed * speed : 0.0;
}

// Adds what a constraint stores [J]. Exact anchors store nothing; those that begin away from their place jump
// there, unless they have a ramp or their place is moved: these drive.
static void add_constraint(const sn_world *world, const sn_energy_islands *islands, int index, bool is_fresh,
                           double *energy)
{
    sn_constraint_data *data = &world->constraints.data[index];
    bool is_exact = is_held_exactly(world, index);
    const sn_constraint_link *link = &world->constraint_links.data[index];
    int root = root_of_ends(world, islands, link->member);
    bool jumps = is_fresh && is_exact && !is_on_ramp(data) && data->sub_step == 0.0f;
    hard_row hard = hard_row_of(world, index, islands->duration, is_fresh);
    sn_row rows[SN_MAX_ROWS];
    int count = sn_world_evaluate(world, data, rows);
    for (int i = 0; i < count; ++i) {
        if (jumps && sn_abs(rows[i].value) > MET) {
            note_jump(islands, root, (double)mass_at(world, link), (double)rows[i].value);
        } else if (is_exact && rows[i].value != 0.0f) {
            sn_energy_balance *balance = &islands->balances[root];
            islands->traits[root] |= SN_ENERGY_DRIVEN;
            balance->driver_speed = sn_max(balance->driver_speed, sn_abs(rows[i].value) / islands->duration);
        }
        *energy += !is_exact ? energy_of_row(&rows[i], &hard) : 0.0;
    }
    data->sub_step = is_exact ? islands->duration : data->sub_step; // it jumps once
}

double sn_energy_of_constraints(const sn_world *world, int first_constraint, float duration)
{
    double energy = 0.0;
    for (int edge = first_constraint; edge >= 0; edge = sn_next_constraint(world, edge)) {
        sn_row rows[SN_MAX_ROWS];
        int index = edge >> 1;
        bool acts = world->constraint_links.data[index].is_on && !is_held_exactly(world, index);
        hard_row hard = hard_row_of(world, index, duration, true);
        for (int i = acts ? sn_world_evaluate(world, &world->constraints.data[index], rows) : 0; i-- > 0;) {
            energy += energy_of_row(&rows[i], &hard);
        }
    }
    return energy;
}

// What holds does not store.
static bool holds_as_before(const sn_world *world, int member)
{
    if (member < 0 || (!sn_member_is_soft(member) && !sn_body_is_dynamic(&world->bodies.data[member]))) {
        return true;
    }
    const sn_energy_share *share = sn_member_energy(world, member);
    return share->is_known && !share->is_held_anew;
}

// Of what users have changed, of what is driven, and of what ramps drive.
static void measure_constraints(const sn_world *world, const sn_energy_islands *energy, double *measured,
                                double *fresh)
{
    bool has_ramps = world->exact->ramps.count > 0;
    for (int i = 0; i < world->active_constraints.count; ++i) {
        int index = world->active_constraints.data[i];
        const int *member = world->constraint_links.data[index].member;
        bool is_fresh = !holds_as_before(world, member[0]) || !holds_as_before(world, member[1]);
        int here = sn_island_place(world, &energy->islands, member[0]);
        here = here >= 0 ? here : sn_island_place(world, &energy->islands, member[1]);
        int root = here >= 0 ? sn_island_root(&energy->islands, here) : -1;
        if (root < 0 || (energy->traits[root] & SN_ENERGY_EXEMPT) != 0 ||
            (!is_fresh && (energy->traits[root] & SN_ENERGY_DRIVEN) == 0 &&
             !(has_ramps && is_on_ramp(&world->constraints.data[index])))) {
            continue;
        }
        double stored = 0.0;
        add_constraint(world, energy, index, is_fresh, &stored);
        measured[here] += stored;
        fresh[here] += is_fresh ? stored : 0.0;
    }
}

// --- deformables
// ---------------------------------------------------------------------------------------------

// Whether elements and rows hold all that an island stores, and tell how much.
static bool tells_store(const sn_energy_islands *energy, int root)
{
    unsigned traits = root >= 0 ? energy->traits[root] : SN_ENERGY_EXEMPT;
    return (traits & (SN_ENERGY_LINKED | SN_ENERGY_SPRINGY | SN_ENERGY_EXEMPT | SN_ENERGY_DRIVEN)) ==
               SN_ENERGY_SPRINGY ||
           (traits & (SN_ENERGY_EXEMPT | SN_ENERGY_DRIVEN)) == SN_ENERGY_DRIVEN;
}

// Models that cannot tell what they store move nodes to their goals within a step. [J]
static double goal_energy(const sn_world *world, const sn_energy_islands *energy, int place,
                          const sn_deformable_data *data, float stretch)
{
    sn_bounds now = sn_deformable_bounds(world, data);
    float size = sn_max(sn_distance_between(now.lower, now.upper), sn_energy_rest_size(data));
    double speed = (double)(sn_min(stretch, 1.0f) * size / energy->duration);
    return 0.5 * (double)energy->masses[place] * speed * speed;
}

static void measure_deformables(const sn_world *world, const sn_energy_islands *energy, double *measured)
{
    for (int i = 0; i < world->deformables.count; ++i) {
        const sn_deformable_data *data = &world->deformables.data[i];
        int place = energy->islands.body_count + i;
        int root = sn_island_root(&energy->islands, place);
        if (!sn_energy_has_deformable(world, i) || (data->energy.is_known && !tells_store(energy, root))) {
            continue;
        }
        bool is_told = data->model_kind == NULL || data->model_kind->energy != NULL;
        bool was_watched = data->energy.is_known || data->energy.peak > 0.0f;
        if (sn_energy_has_balance(energy, root) && !is_told && was_watched) {
            measured[place] += sn_energy_is_driven(energy, root) ? 0.0 : (double)data->energy.stored;
        } else if (sn_energy_has_balance(energy, root)) {
            sn_deformable_measure now = sn_deformable_measure_now(world, sn_deformable_id(world, i));
            measured[place] += is_told ? (double)sn_max(now.elastic_energy, 0.0f) // of rounding
                                       : goal_energy(world, energy, place, data, now.largest_stretch);
            if (!is_told && data->first_constraint < 0 && now.largest_stretch > RUINED) {
                energy->traits[root] |= SN_ENERGY_EXEMPT;
            }
        }
    }
}

static double part_forgotten(const sn_energy_islands *energy, int root, double lost)
{
    double part = (double)energy->duration / FORGOTTEN, most = sn_energy_most_lost(energy, root);
    return lost > most ? fmax(part, 1.0 - most / lost * (most / lost)) : part;
}

// What was paid in before is still there, unless elements tell that it is not: then it was lost. Bodies
// without constraints store nothing.
static void note_measures(const sn_world *world, const sn_energy_islands *energy, const double *measured,
                          const double *fresh, double *lost)
{
    for (int place = 0; place < energy->islands.count; ++place) {
        int member = sn_energy_member(world, energy, place);
        if (member >= 0) {
            lost[sn_island_root(&energy->islands, place)] +=
                (double)sn_member_energy(world, member)->stored - measured[place];
        }
    }
    for (int place = 0; place < energy->islands.count; ++place) {
        int member = sn_energy_member(world, energy, place);
        if (member < 0) {
            continue;
        }
        sn_energy_share *share = sn_member_energy(world, member);
        int root = sn_island_root(&energy->islands, place);
        unsigned traits = energy->traits[root];
        bool was_known = share->is_known && tells_store(energy, root);
        bool is_free = !sn_member_is_soft(member) &&
                       (traits & (SN_ENERGY_LINKED | SN_ENERGY_EXEMPT | SN_ENERGY_DRIVEN)) == 0;
        share->is_known = is_free || sn_energy_has_balance(energy, root);
        bool is_more = measured[place] > 0.0 && measured[place] > (double)share->stored;
        bool is_measured = was_known ? lost[root] > 0.0 : is_more;
        double beyond = (double)share->stored - measured[place];
        double part =
            was_known && (traits & SN_ENERGY_DRIVEN) != 0 ? part_forgotten(energy, root, lost[root]) : 1.0;
        share->stored = is_measured ? (float)((double)share->stored - part * beyond) : share->stored;
        share->stored = sn_max(share->stored, was_known ? (float)fresh[place] : share->stored);
        share->is_held_anew = false;
    }
}

void sn_energy_measure_stores(const sn_world *world, const sn_energy_islands *energy, double *measured)
{
    double *lost = measured + energy->islands.count, *fresh = lost + energy->islands.count;
    measure_constraints(world, energy, measured, fresh);
    measure_deformables(world, energy, measured);
    note_measures(world, energy, measured, fresh, lost);
}
