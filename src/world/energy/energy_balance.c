// Balances of islands over a whole step: what moves or places anything outside of solvers (sweeps, exact
// anchors, the guard, limits of speeds) is in them, too, and islands of which no sub-step is watched.
//
// What an island has in the end beyond what it had and what was stored is taken from its motion relative to
// the whole, all by the same factor, so that momenta are kept and what is held together stays together; where
// something immovable holds it, from all motion.
// Tested by tests/world/energy/test_energy_accounts.c.
#include "matter/rigid_motion.h"
#include "world/energy/energy_accounts.h"
#include "world/exact/exact_plan.h"

#include <math.h>
#include <string.h>

// An island that a step makes owe more than this part of its largest kinetic energy, and that many times what
// it may gain in any case, has been thrown up.
#define MOST_OWED   0.01
#define MOST_SLACKS 10.0

// Islands with exact anchors of which more than so many times their largest kinetic energy was taken back in
// a step, or that of all of it at push_speed, have anchors that contradict something.
#define MOST_TAKEN 100.0

// --- what an island has ------------------------------------------------------------------------------------

static double kinetic_of_body(const sn_body *body, sn_vec3 linear, sn_vec3 angular)
{
    sn_vec3 w = sn_rotate_inverse(body->rotation, angular);
    sn_vec3 spin = sn_sym3_apply(sn_sym3_from(body->inertia), w);
    return 0.5 * (double)body->mass * (double)sn_length_squared(linear) + 0.5 * (double)sn_dot(w, spin);
}

static double height_energy(double mass, sn_vec3 gravity, sn_vec3 place)
{
    return -mass * ((double)gravity.x * place.x + (double)gravity.y * place.y + (double)gravity.z * place.z);
}

static bool is_zero(sn_vec3 v)
{
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

typedef struct energy_sum {
    double kinetic, height;
    bool is_pushed;
} energy_sum;

// A constant pressure has the potential − p V.
static double pressure_energy(const sn_world *world, int index)
{
    double pressure = (double)world->deformables.data[index].def.enclosure.pressure;
    return pressure == 0.0
               ? 0.0
               : -pressure * (double)sn_deformable_measure_now(world, sn_deformable_id(world, index)).volume;
}

static void add_nodes(const sn_world *world, const sn_deformable_data *data, energy_sum *sum)
{
    const sn_nodes *nodes = &world->nodes;
    sn_vec3 gravity = sn_scale(world->def.gravity, data->def.gravity_scale);
    for (int i = data->first_node; i < data->first_node + data->node_count; ++i) {
        const sn_node_state *state = &nodes->states.data[i];
        if (state->inverse_mass > 0.0f) {
            double mass = nodes->masses.data[i];
            sum->kinetic += 0.5 * mass * (double)sn_length_squared(nodes->velocities.data[i].velocity);
            sum->height += height_energy(mass, gravity, state->position);
            sum->is_pushed = sum->is_pushed || !is_zero(nodes->forces.data[i]);
        }
    }
}

static energy_sum energy_of(const sn_world *world, int member)
{
    energy_sum sum = {0.0, 0.0, false};
    if (sn_member_is_soft(member)) {
        add_nodes(world, &world->deformables.data[member & ~SN_SOFT_MEMBER], &sum);
        sum.height += pressure_energy(world, member & ~SN_SOFT_MEMBER);
    } else {
        const sn_body *body = &world->bodies.data[member];
        sn_vec3 gravity = sn_scale(world->def.gravity, body->gravity_scale);
        sum.kinetic = kinetic_of_body(body, body->linear_velocity, body->angular_velocity);
        sum.height = height_energy((double)body->mass, gravity, body->center);
        sum.is_pushed = !is_zero(body->force) || !is_zero(body->torque);
    }
    return sum;
}

// Explicit Euler moves nodes by the velocity before a sub-step, so that they fall a little too fast: by ½ g²
// h² in each. [J]
static double fall_error(const sn_world *world, const sn_energy_islands *energy, int place, int member)
{
    const sn_deformable_data *data =
        sn_member_is_soft(member) ? &world->deformables.data[member & ~SN_SOFT_MEMBER] : NULL;
    if (data == NULL || data->integration == NULL || data->def.integrator != SN_INTEGRATOR_EXPLICIT_EULER) {
        return 0.0;
    }
    sn_vec3 gravity = sn_scale(world->def.gravity, data->def.gravity_scale);
    bool is_whole = world->def.solver == SN_SOLVER_STAGGERED || !(data->sub_step > 0.0f);
    double h = (double)(is_whole ? energy->duration : data->sub_step);
    return 0.5 * (double)energy->masses[place] * (double)sn_length_squared(gravity) * h *
           (double)energy->duration;
}

void sn_energy_balances_open(const sn_world *world, const sn_energy_islands *energy)
{
    for (int place = 0; place < energy->islands.count; ++place) {
        int member = sn_energy_member(world, energy, place);
        int root = member >= 0 ? sn_island_root(&energy->islands, place) : -1;
        if (root >= 0 && energy->balances[root].is_kept) {
            sn_energy_balance *balance = &energy->balances[root];
            energy_sum sum = energy_of(world, member);
            balance->begun += sum.kinetic + sum.height;
            balance->fast += sum.kinetic;
            balance->raised -= sum.height;
            balance->lifted += fall_error(world, energy, place, member);
            balance->is_pushed = balance->is_pushed || sum.is_pushed;
        }
    }
}

// --- taking back -------------------------------------------------------------------------------------------

// Calls `visit` for each body and node of islands of which something is due.
typedef void visit_function(sn_world *world, sn_energy_slowing *slowing, sn_body *body, int node);

static void visit_all(sn_world *world, const sn_energy_islands *energy, visit_function *visit)
{
    for (int place = 0; place < energy->islands.count; ++place) {
        int member = sn_energy_member(world, energy, place);
        int root = member >= 0 ? sn_island_root(&energy->islands, place) : -1;
        if (root < 0 || !(energy->balances[root].due > 0.0)) {
            continue;
        }
        sn_energy_slowing *one = &energy->slowings[root];
        if (!sn_member_is_soft(member)) {
            visit(world, one, &world->bodies.data[member], -1);
            continue;
        }
        const sn_deformable_data *data = &world->deformables.data[member & ~SN_SOFT_MEMBER];
        for (int i = data->first_node; i < data->first_node + data->node_count; ++i) {
            if (world->nodes.states.data[i].inverse_mass > 0.0f) {
                visit(world, one, NULL, i);
            }
        }
    }
}

static float mass_of(const sn_world *world, const sn_body *body, int node)
{
    return body != NULL ? body->mass : world->nodes.masses.data[node];
}

static sn_vec3 place_of(const sn_world *world, const sn_body *body, int node)
{
    return body != NULL ? body->center : world->nodes.states.data[node].position;
}

static sn_vec3 *velocity_of(const sn_world *world, sn_body *body, int node)
{
    return body != NULL ? &body->linear_velocity : &world->nodes.velocities.data[node].velocity;
}

static void add_mass(sn_world *world, sn_energy_slowing *slowing, sn_body *body, int node)
{
    sn_motion_add_mass(&slowing->whole, (double)mass_of(world, body, node), place_of(world, body, node),
                       *velocity_of(world, body, node));
}

static void add_spin(sn_world *world, sn_energy_slowing *slowing, sn_body *body, int node)
{
    sn_motion_add_spin(&slowing->whole, mass_of(world, body, node), place_of(world, body, node),
                       *velocity_of(world, body, node));
    if (body != NULL) {
        sn_motion_add_inertia(&slowing->whole, sn_sym3_turned(sn_sym3_from(body->inertia), body->rotation),
                              body->angular_velocity);
    }
}

static void add_rest(sn_world *world, sn_energy_slowing *slowing, sn_body *body, int node)
{
    sn_vec3 linear =
        sn_motion_beyond(&slowing->whole, place_of(world, body, node), *velocity_of(world, body, node));
    slowing->rest +=
        body != NULL ? kinetic_of_body(body, linear, sn_sub(body->angular_velocity, slowing->whole.angular))
                     : 0.5 * (double)mass_of(world, body, node) * (double)sn_length_squared(linear);
}

static void slow_down(sn_world *world, sn_energy_slowing *slowing, sn_body *body, int node)
{
    const sn_rigid_motion *whole = &slowing->whole;
    sn_vec3 *velocity = velocity_of(world, body, node);
    sn_vec3 place = place_of(world, body, node), beyond = sn_motion_beyond(whole, place, *velocity);
    sn_vec3 turning = sn_sub(sn_motion_carried(whole, place), whole->linear);
    *velocity = sn_add_scaled(*velocity, slowing->less, beyond);
    *velocity = sn_add_scaled(*velocity, slowing->turned_less, turning);
    if (body != NULL) {
        sn_vec3 spinning = sn_motion_turning_beyond(whole, body->angular_velocity);
        body->angular_velocity = sn_add_scaled(body->angular_velocity, slowing->less, spinning);
        body->angular_velocity = sn_add_scaled(body->angular_velocity, slowing->turned_less, whole->angular);
    }
}

static void find_motions(sn_world *world, const sn_energy_islands *energy)
{
    memset(energy->slowings, 0, (size_t)energy->islands.count * sizeof *energy->slowings);
    visit_all(world, energy, add_mass);
    for (int root = 0; root < energy->islands.count; ++root) {
        sn_motion_find_linear(&energy->slowings[root].whole);
    }
    visit_all(world, energy, add_spin);
    for (int root = 0; root < energy->islands.count; ++root) {
        sn_motion_find_angular(&energy->slowings[root].whole);
        if (sn_energy_is_held(energy, root)) {
            energy->slowings[root].whole = (sn_rigid_motion){0};
        }
    }
}

// By how much a motion with an energy is slowed to take what is due. That is less then.
static float less_by(double energy, double *due)
{
    double taken = *due < energy ? *due : energy;
    float less = *due < energy ? sqrtf((float)(1.0 - *due / energy)) - 1.0f : -1.0f;
    *due -= taken;
    return taken > 0.0 ? less : 0.0f;
}

// Where the motion beyond the whole is not enough, turning has been gained from nowhere, too.
static void take_back(sn_world *world, const sn_energy_islands *energy)
{
    find_motions(world, energy);
    visit_all(world, energy, add_rest);
    for (int root = 0; root < energy->islands.count; ++root) {
        sn_energy_slowing *slowing = &energy->slowings[root];
        sn_energy_balance *balance = &energy->balances[root];
        double due = balance->due, left = due;
        if (due > 0.0) {
            slowing->less = less_by(slowing->rest, &left);
            slowing->turned_less = less_by(sn_motion_turning(&slowing->whole), &left);
            double excused = left < balance->raised ? left : balance->raised; // motion does not pay for it
            balance->left += due - left + excused;
            left -= excused;
            world->last.energy_taken += (float)(due - left - excused);
            double before = -balance->stored - SN_FREE_GAIN * balance->peak - balance->slack;
            left -= before > 0.0 ? before : 0.0; // what it owed already is no reason to undo this step
            balance->is_lost = left > MOST_OWED * balance->peak + MOST_SLACKS * balance->slack;
        }
    }
    visit_all(world, energy, slow_down);
}

// --- undoing a step ----------------------------------------------------------------------------------------

// Motion beyond the whole is slowed by this part: what failed would fail again.
#define SLOWED_WHEN_LOST 0.5f

void sn_energy_note_lost(const sn_world *world, const sn_energy_islands *energy, int member)
{
    int root = energy != NULL ? sn_energy_root(world, energy, member) : -1;
    if (root >= 0) {
        energy->balances[root].is_lost = true;
    }
}

// What cannot be met exactly is held by rows from now on, which give way, until users switch or set it.
static void let_anchors_yield(sn_world *world, const sn_deformable_data *data)
{
    for (int edge = data->first_constraint; edge >= 0; edge = sn_next_constraint(world, edge)) {
        sn_constraint_data *constraint = &world->constraints.data[edge >> 1];
        if (constraint->definition.common.exact && !constraint->yields) {
            constraint->yields = true;
            sn_world_forget_exact(world);
        }
    }
}

static void put_back_nodes(sn_world *world, sn_deformable_data *data)
{
    for (int i = data->first_node; i < data->first_node + data->node_count; ++i) {
        world->nodes.states.data[i].position = world->node_starts[i];
        world->nodes.velocities.data[i].velocity = world->node_start_velocities[i];
    }
    sn_deformable_forget_impulses(data);
    let_anchors_yield(world, data);
}

static void put_back(sn_world *world, int place, int member)
{
    if (sn_member_is_soft(member)) {
        put_back_nodes(world, &world->deformables.data[member & ~SN_SOFT_MEMBER]);
    } else {
        sn_body *body = &world->bodies.data[member];
        const sn_start_pose *start = &world->start_poses[place];
        body->center = start->center;
        body->rotation = start->rotation;
        body->linear_velocity = start->linear_velocity;
        body->angular_velocity = start->angular_velocity;
    }
    sn_world_forget_impulses(world, member);
    ++world->last.put_back_count;
}

// What is lost begins the step anew, slower.
static void put_lost_back(sn_world *world, const sn_energy_islands *energy)
{
    for (int place = 0; place < energy->islands.count; ++place) {
        int member = sn_energy_member(world, energy, place);
        int root = member >= 0 ? sn_island_root(&energy->islands, place) : -1;
        if (root >= 0 && energy->balances[root].is_lost) {
            put_back(world, place, member);
        }
    }
    for (int root = 0; root < energy->islands.count; ++root) {
        sn_energy_balance *balance = &energy->balances[root];
        balance->due = balance->is_lost ? 1.0 : 0.0; // they alone are visited
    }
    find_motions(world, energy);
    for (int root = 0; root < energy->islands.count; ++root) {
        energy->slowings[root].less = -SLOWED_WHEN_LOST;
        energy->balances[root].left =
            energy->balances[root].is_lost ? energy->balances[root].stored : energy->balances[root].left;
    }
    visit_all(world, energy, slow_down);
}

// --- the end of a step -------------------------------------------------------------------------------------

// What drives takes no more than was stored, or was lost in this step: where it goes on pressing something
// into a floor, or lets it go, what it undoes is strain of rows that nobody measures.
static double driven_in(const sn_energy_balance *balance)
{
    double most_taken = fmax(balance->stored, 0.0) + fmax(balance->begun - balance->ended, 0.0);
    return fmax(balance->driven, -most_taken);
}

static void close_balance(sn_energy_balance *balance)
{
    if (!balance->is_pushed) {
        balance->left = balance->stored + driven_in(balance) + balance->begun - balance->ended;
        if (balance->is_lent && balance->left > 0.0) {
            balance->left = balance->left > balance->given ? balance->left - balance->given : 0.0;
        }
        if (balance->left < 0.0) {
            balance->left = -balance->left > balance->lifted ? balance->left + balance->lifted : 0.0;
        }
    }
}

static bool close_balances(const sn_energy_islands *energy, double gravity)
{
    bool any = false;
    for (int root = 0; root < energy->islands.count; ++root) {
        sn_energy_balance *balance = &energy->balances[root];
        if (balance->is_kept && !balance->is_lost) {
            balance->raised = fmax(fmin(balance->raised, balance->mass * gravity * balance->rise), 0.0);
            close_balance(balance);
            double due = -balance->left - SN_FREE_GAIN * balance->peak - balance->slack;
            balance->is_lost = !(fabs(balance->left) < (double)INFINITY); // so are forces
            balance->due = due > 0.0 && due < (double)INFINITY ? due : 0.0;
            any = any || balance->due > 0.0;
        }
    }
    return any;
}

// Exact anchors that contradict each other, or joints, throw about what they hold in every sub-step: what is
// taken back then is many times all that the island ever had.
static void find_contradictions(const sn_energy_islands *energy, double push_speed)
{
    for (int root = 0; root < energy->islands.count; ++root) {
        sn_energy_balance *balance = &energy->balances[root];
        double taken = balance->taken + balance->due;
        double jump = balance->rise / (double)energy->duration; // of anchors that begin away from their place
        double most = balance->peak + 0.5 * balance->mass * (push_speed * push_speed + jump * jump);
        bool is_exact = balance->is_kept && (energy->traits[root] & SN_ENERGY_EXACT) != 0;
        balance->is_lost |= is_exact && taken > MOST_TAKEN * most;
    }
}

static bool any_is_lost(const sn_energy_islands *energy)
{
    bool any = false;
    for (int root = 0; root < energy->islands.count; ++root) {
        any = any || energy->balances[root].is_lost;
    }
    return any;
}

void sn_energy_balances_close(sn_world *world, const sn_energy_islands *energy)
{
    if (energy == NULL) {
        return;
    }
    for (int place = 0; place < energy->islands.count; ++place) {
        int member = sn_energy_member(world, energy, place);
        int root = member >= 0 ? sn_island_root(&energy->islands, place) : -1;
        if (root >= 0 && energy->balances[root].is_kept) {
            energy_sum sum = energy_of(world, member);
            energy->balances[root].ended += sum.kinetic + sum.height;
            energy->balances[root].raised += sum.height;
        }
    }
    if (close_balances(energy, (double)sn_length(world->def.gravity))) {
        take_back(world, energy);
    }
    find_contradictions(energy, (double)world->def.push_speed);
    if (any_is_lost(energy)) {
        put_lost_back(world, energy);
    }
    sn_energy_share_out(world, energy);
}
