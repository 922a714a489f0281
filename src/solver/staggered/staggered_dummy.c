// Dummy nodes: making them, solving their rows, and spreading their velocities over faces. Serial, in order:
// this is for comparison only. Tested in tests/physics (test_staggered_coupling.c).
#include "solver/staggered/staggered_dummy.h"

#include "solver/solver.h"

typedef struct dummy {
    float inverse_mass;
    sn_vec3 velocity;
} dummy;

// Three directions: the normal, and two along the surface.
typedef struct contact_rows {
    dummy sides[2]; // of the positive weights, of the negative ones
    int body;       // solver number
    sn_vec3 directions[3];
    sn_vec3 arm; // of the body
    float masses[3];
    float impulses[3];
    float separation;
    sn_vec3 start; // weighted sum of the nodes when the step began
} contact_rows;

// The sum of the velocity changes that dummies give to a body or node.
typedef struct push_sum {
    sn_vec3 linear, angular;
    int count;
} push_sum;

typedef struct sn_dummy_state {
    sn_solver *rigid;
    contact_rows *rows; // by contact
    push_sum *bodies;   // by solver number
    push_sum *nodes;    // by the world's number
    int *range_of;      // by the world's number of a node
    sn_softness soft;
} sn_dummy_state;

static sn_vec3 zero3(void)
{
    return sn_v(0.0f, 0.0f, 0.0f);
}

static int side_of(float weight)
{
    return weight < 0.0f ? 1 : 0;
}

// --- making them ---------------------------------------------------------------------------------

static sn_dummy_state *take_state(const sn_dummy_contacts *contacts, sn_solver *rigid)
{
    sn_arena *arena = rigid->arena;
    size_t nodes = (size_t)rigid->nodes.nodes->states.count;
    sn_dummy_state *state = sn_arena_take_zero(arena, 1, sizeof *state);
    if (state == NULL) {
        return NULL;
    }
    *state = (sn_dummy_state){.rigid = rigid,
                              .rows = sn_arena_take_zero(arena, (size_t)contacts->count, sizeof *state->rows),
                              .bodies =
                                  sn_arena_take_zero(arena, (size_t)rigid->body_count, sizeof *state->bodies),
                              .nodes = sn_arena_take_zero(arena, nodes, sizeof *state->nodes),
                              .range_of = sn_arena_take_zero(arena, nodes, sizeof *state->range_of),
                              .soft = rigid->settings.laws.hard};
    bool complete = state->rows && state->bodies && state->nodes && state->range_of;
    return complete ? state : NULL;
}

// The deformable a side's nodes are of, by range; −1 for a side without nodes that move.
static int range_of_side(const sn_dummy_state *state, const sn_soft_contact_data *contact, int side)
{
    for (int k = 0; k < contact->width; ++k) {
        int node = contact->nodes[k];
        if (side_of(contact->weights[k]) == side &&
            state->rigid->nodes.nodes->states.data[node].inverse_mass > 0.0f) {
            return state->range_of[node];
        }
    }
    return -1;
}

// Divides the mass of each deformable, fixed nodes left out, among its dummies. False without memory.
static bool share_masses(sn_dummy_state *state, const sn_dummy_contacts *contacts)
{
    const sn_node_solver *nodes = &state->rigid->nodes;
    size_t ranges = (size_t)nodes->range_count;
    float *masses = sn_arena_take_zero(state->rigid->arena, ranges, sizeof *masses);
    int *dummies = sn_arena_take_zero(state->rigid->arena, ranges, sizeof *dummies);
    if (masses == NULL || dummies == NULL) {
        return false;
    }
    for (int r = 0; r < nodes->range_count; ++r) {
        for (int i = nodes->ranges[r].first; i < nodes->ranges[r].first + nodes->ranges[r].count; ++i) {
            state->range_of[i] = r;
            masses[r] += nodes->nodes->states.data[i].inverse_mass > 0.0f ? nodes->nodes->masses.data[i] : 0;
        }
    }
    for (int i = 0; i < 2 * contacts->count; ++i) {
        int range = range_of_side(state, contacts->contacts[i / 2], i % 2);
        dummies[range < 0 ? 0 : range] += range < 0 ? 0 : 1;
    }
    for (int i = 0; i < 2 * contacts->count; ++i) {
        int range = range_of_side(state, contacts->contacts[i / 2], i % 2);
        state->rows[i / 2].sides[i % 2].inverse_mass =
            range >= 0 && masses[range] > 0.0f ? (float)dummies[range] / masses[range] : 0.0f;
    }
    return true;
}

static sn_vec3 place_of(const sn_node_state *nodes, const sn_soft_contact_data *contact)
{
    sn_vec3 sum = zero3();
    for (int k = 0; k < contact->width; ++k) {
        sum = sn_add_scaled(sum, contact->weights[k], nodes[contact->nodes[k]].position);
    }
    return sum;
}

static bool is_pushed(const sn_dummy_state *state, int body)
{
    return body >= state->rigid->dynamic_begin;
}

static float response_along(const sn_dummy_state *state, const contact_rows *rows, sn_vec3 direction)
{
    float kappa = rows->sides[0].inverse_mass + rows->sides[1].inverse_mass;
    if (is_pushed(state, rows->body)) {
        sn_sym3 inverse = sn_solver_inertia_matrix(&state->rigid->inertias[rows->body]);
        sn_vec3 turn = sn_cross(rows->arm, direction);
        sn_vec3 w = state->rigid->bodies[rows->body].inverse_mass;
        kappa += sn_dot(direction, sn_mul(w, direction)) + sn_dot(turn, sn_sym3_apply(inverse, turn));
    }
    return kappa;
}

static void make_rows(sn_dummy_state *state, const sn_dummy_contacts *contacts, int index,
                      const sn_node_state *nodes)
{
    const sn_soft_contact_data *contact = contacts->contacts[index];
    contact_rows *rows = &state->rows[index];
    rows->body = contact->body < 0 ? 0 : contacts->body_numbers[contact->body];
    rows->arm = sn_sub(contact->point, state->rigid->bodies[rows->body].center);
    rows->start = place_of(nodes, contact);
    rows->directions[0] = contact->normal;
    rows->directions[1] = sn_perpendicular(contact->normal);
    rows->directions[2] = sn_cross(contact->normal, rows->directions[1]);
    for (int i = 0; i < 3; ++i) {
        float kappa = response_along(state, rows, rows->directions[i]);
        rows->masses[i] = kappa > 0.0f ? 1.0f / kappa : 0.0f;
    }
    state->bodies[rows->body].count += 1;
    for (int k = 0; k < contact->width; ++k) {
        state->nodes[contact->nodes[k]].count += 1;
    }
}

static bool prepare(void *data, sn_solver *rigid, const sn_element_pass *pass)
{
    sn_dummy_contacts *contacts = data;
    contacts->state = take_state(contacts, rigid);
    if (contacts->state == NULL || !share_masses(contacts->state, contacts)) {
        return false;
    }
    for (int i = 0; i < contacts->count; ++i) {
        make_rows(contacts->state, contacts, i, pass->nodes);
    }
    return true;
}

// Dummies begin with the velocity their point has after forces and warm starting.
static void start_dummies(void *data, const sn_element_pass *pass)
{
    const sn_dummy_contacts *contacts = data;
    for (int i = 0; i < contacts->count; ++i) {
        const sn_soft_contact_data *contact = contacts->contacts[i];
        dummy *sides = contacts->state->rows[i].sides;
        for (int k = 0; k < contact->width; ++k) {
            sn_vec3 *velocity = &sides[side_of(contact->weights[k])].velocity;
            *velocity = sn_add_scaled(*velocity, fabsf(contact->weights[k]),
                                      pass->velocities[contact->nodes[k]].velocity);
        }
    }
}

// --- solving -------------------------------------------------------------------------------------

static sn_vec3 relative_velocity(const sn_dummy_state *state, const contact_rows *rows)
{
    const sn_solver_velocity *body = &state->rigid->velocities[rows->body];
    sn_vec3 other = rows->body > 0
                        ? sn_add(sn_take3(body->linear), sn_cross(sn_take3(body->angular), rows->arm))
                        : rows->sides[1].velocity;
    return sn_sub(rows->sides[0].velocity, other);
}

static void push(sn_dummy_state *state, contact_rows *rows, sn_vec3 impulse)
{
    for (int side = 0; side < 2; ++side) {
        float share = (side == 0 ? 1.0f : -1.0f) * rows->sides[side].inverse_mass;
        rows->sides[side].velocity = sn_add_scaled(rows->sides[side].velocity, share, impulse);
    }
    if (is_pushed(state, rows->body)) {
        sn_solver_velocity *velocity = &state->rigid->velocities[rows->body];
        sn_sym3 inverse = sn_solver_inertia_matrix(&state->rigid->inertias[rows->body]);
        sn_vec3 linear = sn_neg(sn_mul(state->rigid->bodies[rows->body].inverse_mass, impulse));
        sn_vec3 angular = sn_neg(sn_sym3_apply(inverse, sn_cross(rows->arm, impulse)));
        sn_put3(velocity->linear, sn_add(sn_take3(velocity->linear), linear));
        sn_put3(velocity->angular, sn_add(sn_take3(velocity->angular), angular));
        push_sum *sum = &state->bodies[rows->body];
        sum->linear = sn_add(sum->linear, linear);
        sum->angular = sn_add(sum->angular, angular);
    }
}

static void solve_normal(sn_dummy_state *state, const sn_element_pass *pass, contact_rows *rows)
{
    float bias = rows->separation > 0.0f
                     ? rows->separation * pass->inverse_h
                     : sn_max(state->soft.bias_rate * rows->separation, -state->rigid->settings.push_speed);
    float speed = sn_dot(relative_velocity(state, rows), rows->directions[0]);
    float old = rows->impulses[0];
    rows->impulses[0] = sn_max(old - rows->masses[0] * (speed + bias), 0.0f);
    push(state, rows, sn_scale(rows->directions[0], rows->impulses[0] - old));
}

static void solve_friction(sn_dummy_state *state, contact_rows *rows, float friction)
{
    sn_vec3 slip = relative_velocity(state, rows), change = zero3();
    float wanted[2], squared = 0.0f, limit = friction * rows->impulses[0];
    for (int i = 0; i < 2; ++i) {
        wanted[i] = rows->impulses[i + 1] - rows->masses[i + 1] * sn_dot(slip, rows->directions[i + 1]);
        squared += wanted[i] * wanted[i];
    }
    float scale = squared > limit * limit ? limit / sqrtf(squared) : 1.0f;
    for (int i = 0; i < 2; ++i) {
        float new = wanted[i] * scale;
        change = sn_add_scaled(change, new - rows->impulses[i + 1], rows->directions[i + 1]);
        rows->impulses[i + 1] = new;
    }
    push(state, rows, change);
}

static void sweep(void *data, const sn_element_pass *pass, bool use_bias)
{
    (void)use_bias; // there is no relaxing in this schedule
    const sn_dummy_contacts *contacts = data;
    for (int k = 0; k < contacts->count; ++k) {
        int i = pass->backwards ? contacts->count - 1 - k : k;
        solve_normal(contacts->state, pass, &contacts->state->rows[i]);
        solve_friction(contacts->state, &contacts->state->rows[i], contacts->contacts[i]->friction);
    }
}

// --- afterwards ----------------------------------------------------------------------------------

static sn_vec3 impulse_of(const contact_rows *rows)
{
    sn_vec3 sum = zero3();
    for (int i = 0; i < 3; ++i) {
        sum = sn_add_scaled(sum, rows->impulses[i], rows->directions[i]);
    }
    return sum;
}

static void average_bodies(sn_dummy_state *state)
{
    for (int i = state->rigid->dynamic_begin; i < state->rigid->body_count; ++i) {
        const push_sum *sum = &state->bodies[i];
        if (sum->count > 1) {
            float taken_back = 1.0f / (float)sum->count - 1.0f;
            sn_solver_velocity *velocity = &state->rigid->velocities[i];
            sn_put3(velocity->linear, sn_add_scaled(sn_take3(velocity->linear), taken_back, sum->linear));
            sn_put3(velocity->angular, sn_add_scaled(sn_take3(velocity->angular), taken_back, sum->angular));
        }
    }
}

// The nodes of a face take over the velocity change of its dummy; a node of several faces takes the mean.
static void spread(void *data, const sn_element_pass *pass)
{
    const sn_dummy_contacts *contacts = data;
    sn_dummy_state *state = contacts->state;
    for (int i = 0; i < contacts->count; ++i) {
        const sn_soft_contact_data *contact = contacts->contacts[i];
        sn_vec3 impulse = impulse_of(&state->rows[i]);
        for (int k = 0; k < contact->width; ++k) {
            push_sum *sum = &state->nodes[contact->nodes[k]];
            int side = side_of(contact->weights[k]);
            float share = (side == 0 ? 1.0f : -1.0f) * state->rows[i].sides[side].inverse_mass;
            sum->linear = sn_add_scaled(sum->linear, share, impulse);
        }
    }
    const sn_node_solver *nodes = &state->rigid->nodes;
    for (int r = 0; r < nodes->range_count; ++r) {
        for (int i = nodes->ranges[r].first; i < nodes->ranges[r].first + nodes->ranges[r].count; ++i) {
            const push_sum *sum = &state->nodes[i];
            if (sum->count > 0 && pass->nodes[i].inverse_mass > 0.0f) {
                float share = 1.0f / (float)sum->count;
                pass->velocities[i].velocity =
                    sn_add_scaled(pass->velocities[i].velocity, share, sum->linear);
            }
        }
    }
    average_bodies(state);
}

static void refresh(void *data, const sn_element_pass *pass)
{
    const sn_dummy_contacts *contacts = data;
    for (int i = 0; i < contacts->count; ++i) {
        contact_rows *rows = &contacts->state->rows[i];
        const sn_solver_shift *shift = &contacts->state->rigid->shifts[rows->body];
        sn_vec3 moved = sn_sub(place_of(pass->nodes, contacts->contacts[i]), rows->start);
        sn_vec3 body_moved = sn_add(sn_take3(shift->moved), sn_cross(sn_take3(shift->turned), rows->arm));
        rows->separation =
            contacts->contacts[i]->separation + sn_dot(sn_sub(moved, body_moved), rows->directions[0]);
    }
}

static void store(void *data)
{
    const sn_dummy_contacts *contacts = data;
    for (int i = 0; i < contacts->count; ++i) {
        const contact_rows *rows = &contacts->state->rows[i];
        sn_soft_contact_data *contact = contacts->contacts[i];
        contact->separation = rows->separation;
        contact->normal_impulse = contact->total_normal = rows->impulses[0];
        contact->friction_impulse = contact->total_friction =
            sn_add_scaled(impulse_of(rows), -rows->impulses[0], rows->directions[0]);
    }
}

sn_coupling_stage sn_dummy_contacts_stage(sn_dummy_contacts *contacts)
{
    return (sn_coupling_stage){.data = contacts,
                               .prepare = prepare,
                               .warm_start = start_dummies,
                               .sweep = sweep,
                               .refresh = refresh,
                               .finish = spread,
                               .store = store};
}
