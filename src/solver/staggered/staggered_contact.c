// Solving contacts of deformables with rigid modes, lane by lane of the packed blocks.
#include "solver/staggered/staggered_contact.h"

#include "solver/contact/soft_contact_block.h"

enum { SIDES = 2 };

// What a lane needs besides its block.
typedef struct lane_rows {
    int rigid_mode[SIDES]; // −1: none
    sn_rigid_mode_point point[SIDES];
    float push[SN_SOFT_NODES]; // change of the node's own velocity by an impulse of 1, without the rigid mode
    float normal_mass, tangent_mass;
} lane_rows;

typedef struct sn_staggered_state {
    sn_coupling_stage soft;
    sn_rigid_modes *rigid_modes;
    lane_rows *rows; // by block and lane
} sn_staggered_state;

// --- making them -------------------------------------------------------------------------------------------

static sn_staggered_state *take_state(const sn_staggered_contacts *contacts, const sn_node_solver *nodes)
{
    sn_arena *arena = contacts->soft.arena;
    sn_staggered_state *state = sn_arena_take_zero(arena, 1, sizeof *state);
    size_t lanes = (size_t)contacts->soft.packing->block_count * SN_LANES;
    if (state == NULL) {
        return NULL;
    }
    state->rigid_modes = nodes->shared_motion->data;
    state->rows = sn_arena_take_zero(arena, lanes, sizeof *state->rows);
    return state->rows != NULL ? state : NULL;
}

static sn_rigid_mode_point *point_of(lane_rows *rows, int rigid_mode)
{
    for (int s = 0; s < SIDES; ++s) {
        if (rows->rigid_mode[s] == rigid_mode || rows->rigid_mode[s] < 0) {
            rows->rigid_mode[s] = rigid_mode;
            return &rows->point[s];
        }
    }
    return NULL;
}

static void find_points(const sn_staggered_state *state, const sn_soft_block *block, int lane,
                        const sn_node_state *nodes, lane_rows *rows)
{
    *rows = (lane_rows){.rigid_mode = {-1, -1}};
    for (int k = 0; k < block->width; ++k) {
        int node = block->node[k][lane];
        float weight = block->weight[k].lane[lane];
        if (node == 0 || weight == 0.0f) {
            continue;
        }
        const sn_rigid_mode *rigid_mode = &state->rigid_modes->items[state->rigid_modes->of[node]];
        rows->push[k] = (1.0f - rigid_mode->held) * block->push[k].lane[lane];
        sn_rigid_mode_point *point = point_of(rows, state->rigid_modes->of[node]);
        if (point != NULL) {
            point->weight += weight;
            point->arm = sn_add_scaled(point->arm, weight, sn_sub(nodes[node].position, rigid_mode->center));
        }
    }
}

static sn_sym3 inertia_of(const sn_soft_block *block, int lane)
{
    const sn_lanes *m = block->inverse_inertia;
    return (sn_sym3){m[0].lane[lane], m[1].lane[lane], m[2].lane[lane],
                     m[3].lane[lane], m[4].lane[lane], m[5].lane[lane]};
}

// dᵀ J W Jᵀ e.
static float response(const sn_staggered_state *state, const sn_soft_block *block, int lane,
                      const lane_rows *rows, sn_vec3 d, sn_vec3 e)
{
    float sum = 0.0f;
    for (int k = 0; k < block->width; ++k) {
        sum += block->weight[k].lane[lane] * rows->push[k];
    }
    sum *= sn_dot(d, e);
    for (int s = 0; s < SIDES && rows->rigid_mode[s] >= 0; ++s) {
        sum += sn_rigid_mode_response(&state->rigid_modes->items[rows->rigid_mode[s]], &rows->point[s], d, e);
    }
    if (block->body[lane] > 0) {
        sn_vec3 arm = sn_lanes_take3(block->arm, lane);
        sn_vec3 turn = sn_sym3_apply(inertia_of(block, lane), sn_cross(arm, e));
        sum += sn_dot(d, sn_mul(sn_lanes_take3(block->inverse_mass, lane), e));
        sum += sn_dot(sn_cross(arm, d), turn);
    }
    return sum;
}

static void make_rows(const sn_staggered_state *state, const sn_soft_block *block, int lane,
                      const sn_node_state *nodes, lane_rows *rows)
{
    find_points(state, block, lane, nodes, rows);
    sn_vec3 n = sn_lanes_take3(block->normal, lane), t1 = sn_lanes_take3(block->tangent, lane);
    sn_vec3 t2 = sn_cross(n, t1);
    float along = response(state, block, lane, rows, n, n);
    // A bound of the larger eigenvalue of the response along the surface.
    float across =
        sn_max(response(state, block, lane, rows, t1, t1), response(state, block, lane, rows, t2, t2)) +
        fabsf(response(state, block, lane, rows, t1, t2));
    rows->normal_mass = along > 0.0f ? 1.0f / along : 0.0f;
    rows->tangent_mass = across > 0.0f ? 1.0f / across : 0.0f;
}

// Contacts of rigid bodies may keep all of their scaled impulses (sn_solver_laws.kept), those of single nodes
// only half of that (kept_soft). In between, the smallest rigid share of the contact's free nodes decides.
static void keep_more(const sn_staggered_state *state, sn_soft_block *block, int lane)
{
    float held = 1.0f;
    for (int k = 0; k < block->width; ++k) {
        if (block->push[k].lane[lane] != 0.0f) {
            held = sn_min(held, state->rigid_modes->items[state->rigid_modes->of[block->node[k][lane]]].held);
        }
    }
    block->normal_impulse.lane[lane] *= 1.0f + held;
    block->tangent_impulse[0].lane[lane] *= 1.0f + held;
    block->tangent_impulse[1].lane[lane] *= 1.0f + held;
}

static bool prepare(void *data, sn_solver *rigid, const sn_element_pass *pass)
{
    sn_staggered_contacts *contacts = data;
    sn_coupling_stage soft = sn_soft_contacts_stage(&contacts->soft);
    if (!soft.prepare(soft.data, rigid, pass)) {
        return false;
    }
    contacts->state = take_state(contacts, &rigid->nodes);
    if (contacts->state == NULL) {
        return false;
    }
    contacts->state->soft = soft;
    return true;
}

static void measure(void *data, const sn_element_pass *pass)
{
    const sn_staggered_contacts *contacts = data;
    const sn_staggered_state *state = contacts->state;
    state->soft.measure(state->soft.data, pass);
    for (int b = 0; b < contacts->soft.packing->block_count; ++b) {
        sn_soft_block *block = &contacts->soft.packing->pass.blocks[b];
        for (int i = 0; i < SN_LANES && block->input[i] >= 0 && !contacts->soft.packing->pass.rests[b]; ++i) {
            lane_rows *rows = &state->rows[b * SN_LANES + i];
            make_rows(state, block, i, pass->felt, rows);
            keep_more(state, block, i);
        }
    }
}

// --- solving -----------------------------------------------------------------------------------------------

typedef struct lane_view {
    sn_staggered_state *state;
    const sn_soft_pass *pass;
    sn_soft_block *block;
    int lane;
    const lane_rows *rows;
} lane_view;

static sn_vec3 relative_velocity(const lane_view *view)
{
    const sn_soft_block *block = view->block;
    sn_vec3 sum = sn_v(0.0f, 0.0f, 0.0f);
    for (int k = 0; k < block->width; ++k) {
        sum = sn_add_scaled(sum, block->weight[k].lane[view->lane],
                            view->pass->nodes->velocities[block->node[k][view->lane]].velocity);
    }
    for (int s = 0; s < SIDES && view->rows->rigid_mode[s] >= 0; ++s) {
        sum = sn_add(sum, sn_rigid_mode_velocity(&view->state->rigid_modes->items[view->rows->rigid_mode[s]],
                                                 &view->rows->point[s]));
    }
    int body = block->body[view->lane];
    if (body > 0) {
        const sn_solver_velocity *v = &view->pass->velocities[body];
        sn_vec3 swing = sn_cross(sn_take3(v->angular), sn_lanes_take3(block->arm, view->lane));
        sum = sn_sub(sum, sn_add(sn_take3(v->linear), swing));
    }
    return sum;
}

static void push_body(const lane_view *view, int body, sn_vec3 impulse)
{
    sn_vec3 moment = sn_cross(sn_lanes_take3(view->block->arm, view->lane), impulse);
    sn_vec3 spin = sn_sym3_apply(inertia_of(view->block, view->lane), moment);
    sn_velocity_change(&view->pass->velocities[body], &view->pass->residues[body],
                       sn_neg(sn_mul(sn_lanes_take3(view->block->inverse_mass, view->lane), impulse)),
                       sn_neg(spin));
}

static void push(const lane_view *view, sn_vec3 impulse)
{
    const sn_soft_block *block = view->block;
    for (int k = 0; k < block->width; ++k) {
        int node = block->node[k][view->lane];
        if (node != 0) {
            sn_vec3 *velocity = &view->pass->nodes->velocities[node].velocity;
            *velocity = sn_add_scaled(*velocity, view->rows->push[k], impulse);
        }
    }
    for (int s = 0; s < SIDES && view->rows->rigid_mode[s] >= 0; ++s) {
        sn_rigid_mode_push(&view->state->rigid_modes->items[view->rows->rigid_mode[s]], &view->rows->point[s],
                           impulse);
    }
    if (block->body[view->lane] >= view->pass->dynamic_begin) {
        push_body(view, block->body[view->lane], impulse);
    }
}

static void solve_normal(const lane_view *view)
{
    sn_soft_block *block = view->block;
    int i = view->lane;
    sn_vec3 normal = sn_lanes_take3(block->normal, i);
    float separation = block->separation.lane[i], *impulse = &block->normal_impulse.lane[i], old = *impulse;
    float bias = separation > 0.0f ? separation * view->pass->nodes->inverse_h
                                   : sn_max(block->bias_rate.lane[i] * separation, -view->pass->push_speed);
    float speed = sn_dot(relative_velocity(view), normal);
    *impulse = sn_max(old - view->rows->normal_mass * (speed + bias), 0.0f);
    block->peak.lane[i] = sn_max(block->peak.lane[i], *impulse);
    if (*impulse != old) {
        push(view, sn_scale(normal, *impulse - old));
    }
}

static void solve_friction(const lane_view *view)
{
    sn_soft_block *block = view->block;
    int i = view->lane;
    float limit = block->friction.lane[i] * block->normal_impulse.lane[i];
    float *first = &block->tangent_impulse[0].lane[i], *second = &block->tangent_impulse[1].lane[i];
    if (limit == 0.0f && *first == 0.0f && *second == 0.0f) {
        return;
    }
    sn_vec3 tangent = sn_lanes_take3(block->tangent, i);
    sn_vec3 bitangent = sn_cross(sn_lanes_take3(block->normal, i), tangent);
    sn_vec3 slip = relative_velocity(view);
    float new_1 = *first - view->rows->tangent_mass * sn_dot(slip, tangent);
    float new_2 = *second - view->rows->tangent_mass * sn_dot(slip, bitangent);
    float squared = new_1 * new_1 + new_2 * new_2;
    float scale = squared > limit * limit ? limit / sqrtf(squared) : 1.0f;
    new_1 *= scale;
    new_2 *= scale;
    push(view, sn_add_scaled(sn_scale(tangent, new_1 - *first), new_2 - *second, bitangent));
    *first = new_1;
    *second = new_2;
}

static void solve_lane(const lane_view *view)
{
    solve_normal(view);
    solve_friction(view);
}

static void start_lane(const lane_view *view)
{
    const sn_soft_block *block = view->block;
    int i = view->lane;
    sn_vec3 normal = sn_lanes_take3(block->normal, i), tangent = sn_lanes_take3(block->tangent, i);
    sn_vec3 impulse = sn_scale(normal, block->normal_impulse.lane[i]);
    impulse = sn_add_scaled(impulse, block->tangent_impulse[0].lane[i], tangent);
    impulse = sn_add_scaled(impulse, block->tangent_impulse[1].lane[i], sn_cross(normal, tangent));
    push(view, impulse);
}

// Calls the function for all lanes; then the motions of the rigid modes are added to their nodes.
static void for_lanes(const sn_staggered_contacts *contacts, const sn_element_pass *pass,
                      void (*function)(const lane_view *view))
{
    sn_staggered_state *state = contacts->state;
    const sn_soft_packing *packing = contacts->soft.packing;
    for (int k = 0; k < packing->block_count; ++k) {
        int b = pass->backwards ? packing->block_count - 1 - k : k;
        sn_soft_block *block = &packing->pass.blocks[b];
        for (int j = 0; j < SN_LANES && !packing->pass.rests[b]; ++j) {
            int i = pass->backwards ? SN_LANES - 1 - j : j;
            if (block->input[i] >= 0) {
                function(&(lane_view){state, &packing->pass, block, i, &state->rows[b * SN_LANES + i]});
            }
        }
    }
    sn_rigid_modes_hand_out(state->rigid_modes, pass);
}

static void warm_start(void *data, const sn_element_pass *pass)
{
    for_lanes(data, pass, start_lane);
}

static void sweep(void *data, const sn_element_pass *pass, bool use_bias)
{
    (void)use_bias; // there is no relaxing in this schedule
    for_lanes(data, pass, solve_lane);
}

// --- the stage ---------------------------------------------------------------------------------------------

static void refresh(void *data, const sn_element_pass *pass)
{
    const sn_coupling_stage *soft = &((const sn_staggered_contacts *)data)->state->soft;
    soft->refresh(soft->data, pass);
}

static void finish(void *data, const sn_element_pass *pass)
{
    const sn_coupling_stage *soft = &((const sn_staggered_contacts *)data)->state->soft;
    soft->finish(soft->data, pass);
}

static void store(void *data)
{
    const sn_coupling_stage *soft = &((const sn_staggered_contacts *)data)->state->soft;
    soft->store(soft->data);
}

sn_coupling_stage sn_staggered_contacts_stage(sn_staggered_contacts *contacts)
{
    return (sn_coupling_stage){.data = contacts,
                               .prepare = prepare,
                               .measure = measure,
                               .warm_start = warm_start,
                               .sweep = sweep,
                               .refresh = refresh,
                               .finish = finish,
                               .store = store};
}
