// Colouring and packing contacts of deformables before the sub-steps, running their kernels in them, and
// unpacking impulses afterwards.
#include "solver/contact/soft_contact_rows.h"

#include "base/coloring.h"
#include "base/tuple_sort.h"
#include "solver/contact/soft_contact_block.h"
#include "solver/contact/soft_contact_press.h"

#include <math.h>
#include <string.h>

// Bodies with more contacts than this get blocks of their own.
#define FEW_CONTACTS 40

// Lanes are solved at once if all of them together move the body by at most this part of what they move
// their nodes by.
#define HEAVY_PART 0.1f

enum { BLOCK_GRAIN = 16, IDLE_CLASSES = 3, KINDS = 2 * SN_SOFT_NODES, COLORS_AT_ONCE = 64 };

// --- colours -----------------------------------------------------------------------------------------------

typedef struct layout {
    const sn_soft_contacts *contacts;
    const sn_solver *rigid;
    const sn_node_state *nodes;
    int *body;        // by contact: solver number of its body
    uint8_t *partner; // by contact
    uint8_t *idle;    // by contact: 0 if it is likely to act, 1 if it may, 2 if it is not
    int *color;       // by contact
    int color_count;
    int *order, *spare; // contacts as they are packed
    int *key;           // by contact: what is sorted by at the moment
    int *begin;         // by key
} layout;

static bool is_dynamic(const layout *layout, int body)
{
    return body >= layout->rigid->dynamic_begin;
}

// Which contacts share their body with many others.
static void choose_partners(layout *layout, int *per_body)
{
    memset(per_body, 0, (size_t)layout->rigid->body_count * sizeof *per_body);
    for (int i = 0; i < layout->contacts->count; ++i) {
        int body = layout->contacts->contacts[i]->body;
        layout->body[i] = body < 0 ? 0 : layout->contacts->body_numbers[body];
        ++per_body[layout->body[i]];
    }
    for (int i = 0; i < layout->contacts->count; ++i) {
        int body = layout->body[i];
        layout->partner[i] = body == 0                                                   ? SN_PARTNER_NONE
                             : is_dynamic(layout, body) && per_body[body] > FEW_CONTACTS ? SN_PARTNER_SHARED
                                                                                         : SN_PARTNER_OWN;
    }
}

// How likely contacts are to act: blocks of those that do not are left out of sub-steps.
static void choose_idle(layout *layout, const sn_element_pass *pass, float push_speed)
{
    for (int i = 0; i < layout->contacts->count; ++i) {
        const sn_soft_contact_data *contact = layout->contacts->contacts[i];
        float closing = 2.0f * sn_max(contact->approach, 0.0f) + SN_SOFT_WAKE_PART * push_speed;
        layout->idle[i] = contact->closes || contact->normal_impulse > 0.0f ? 0
                          : contact->separation - pass->h * closing <= 0.0f ? 1
                                                                            : 2;
    }
}

// The lowest colour that neither the nodes nor a body of few contacts have yet. Fixed nodes count, for their
// velocity is written, too.
static int color_of(const layout *layout, int contact, uint64_t *node_colors, uint64_t *body_colors)
{
    const sn_soft_contact_data *data = layout->contacts->contacts[contact];
    int body = layout->body[contact], count = 0;
    uint64_t *members[SN_SOFT_NODES + 1];
    for (; count < data->width; ++count) {
        members[count] = &node_colors[data->nodes[count]];
    }
    if (layout->partner[contact] == SN_PARTNER_OWN && is_dynamic(layout, body)) {
        members[count++] = &body_colors[body];
    }
    return sn_color_take(members, count, COLORS_AT_ONCE);
}

// As many colours at once as a mask has bits; those of crumpled cloth that found none get the next ones.
static void choose_colors(layout *layout, uint64_t *colors, int member_count)
{
    uint64_t *body_colors = colors + member_count - layout->rigid->body_count;
    int count = layout->contacts->count, left = count;
    memset(layout->color, 0xff, (size_t)count * sizeof *layout->color); // −1: none
    for (int first = 0; left > 0; first += COLORS_AT_ONCE) {
        memset(colors, 0, (size_t)member_count * sizeof *colors);
        left = 0;
        for (int i = 0; i < count; ++i) {
            int color = layout->color[i] < 0 ? color_of(layout, i, colors, body_colors) : COLORS_AT_ONCE;
            left += layout->color[i] < 0 && color == COLORS_AT_ONCE ? 1 : 0;
            if (color < COLORS_AT_ONCE) {
                layout->color[i] = first + color;
                layout->color_count =
                    first + color < layout->color_count ? layout->color_count : first + color + 1;
            }
        }
    }
}

// --- order -------------------------------------------------------------------------------------------------

// Sorts the order stably by key.
static void sort_by_key(layout *layout, int key_count)
{
    sn_counting_sort(layout->key, 1, key_count, layout->order, layout->contacts->count, layout->spare,
                     layout->begin);
    int *swap = layout->order;
    layout->order = layout->spare;
    layout->spare = swap;
}

// By colour; within it by partner; those that share a body by body; all by how idle they are; by width,
// widest first, and by whether they follow.
static void sort_contacts(layout *layout)
{
    int count = layout->contacts->count;
    for (int i = 0; i < count; ++i) {
        layout->order[i] = i;
        const sn_soft_contact_data *contact = layout->contacts->contacts[i];
        int kind = 2 * (SN_SOFT_NODES - contact->width) + (contact->follows ? 1 : 0);
        layout->key[i] = KINDS * layout->idle[i] + kind;
    }
    sort_by_key(layout, KINDS * IDLE_CLASSES);
    for (int i = 0; i < count; ++i) {
        layout->key[i] = layout->partner[i] == SN_PARTNER_SHARED ? layout->body[i] : 0;
    }
    sort_by_key(layout, layout->rigid->body_count);
    for (int i = 0; i < count; ++i) {
        layout->key[i] = layout->color[i] * 3 + layout->partner[i];
    }
    sort_by_key(layout, layout->color_count * 3);
}

// Whether contact b may lie in the same block as a.
static bool shares_block(const layout *layout, int a, int b)
{
    const sn_soft_contact_data *first = layout->contacts->contacts[a];
    const sn_soft_contact_data *second = layout->contacts->contacts[b];
    return layout->color[a] == layout->color[b] && layout->partner[a] == layout->partner[b] &&
           first->follows == second->follows && (!first->follows || first->width == second->width) &&
           (layout->partner[a] != SN_PARTNER_SHARED || layout->body[a] == layout->body[b]);
}

// Whether the block that begins with contact b is to be solved after that of a on the same thread: it shares
// its body, or there is nothing to be gained by another thread.
static bool shares_unit(const layout *layout, int a, int b, int blocks_in_unit)
{
    if (layout->color[a] != layout->color[b]) {
        return false;
    }
    if (layout->partner[a] == SN_PARTNER_SHARED && layout->partner[b] == SN_PARTNER_SHARED) {
        return layout->body[a] == layout->body[b];
    }
    return layout->partner[a] != SN_PARTNER_SHARED && layout->partner[b] != SN_PARTNER_SHARED &&
           blocks_in_unit < BLOCK_GRAIN;
}

// Cuts the order into blocks and units. `block_of` gets the block of each place in the order.
static void cut(const layout *layout, sn_soft_packing *packing, int *block_of)
{
    int blocks = 0, units = 0, lanes = 0, color = 0;
    packing->color_begin[0] = 0;
    for (int i = 0; i < layout->contacts->count; ++i) {
        int contact = layout->order[i], previous = i > 0 ? layout->order[i - 1] : -1;
        bool joins = previous >= 0 && lanes < SN_LANES && shares_block(layout, previous, contact);
        if (!joins) {
            bool follows = previous >= 0 &&
                           shares_unit(layout, previous, contact, blocks - packing->unit_begin[units - 1]);
            for (; color < layout->color[contact]; ++color) {
                packing->color_begin[color + 1] = units;
            }
            if (!follows) {
                packing->unit_begin[units++] = blocks;
            }
            ++blocks;
            lanes = 0;
        }
        block_of[i] = blocks - 1;
        ++lanes;
    }
    packing->color_count = layout->color_count;
    packing->color_begin[layout->color_count] = units;
    packing->unit_begin[units] = blocks;
    packing->block_count = blocks;
}

// --- blocks ------------------------------------------------------------------------------------------------

// Weights and what impulses do to the nodes; returns κ of their side.
static float fill_nodes(const layout *layout, sn_soft_block *block, int lane,
                        const sn_soft_contact_data *contact)
{
    float kappa = 0.0f;
    sn_vec3 point = sn_v(0.0f, 0.0f, 0.0f);
    for (int k = 0; k < contact->width; ++k) {
        const sn_node_state *node = &layout->nodes[contact->nodes[k]];
        float weight = contact->weights[k], push = weight * node->inverse_mass;
        block->node[k][lane] = contact->nodes[k];
        block->weight[k].lane[lane] = weight;
        block->push[k].lane[lane] = push;
        kappa += weight * push;
        // In the order of the kernel, so that what has not moved has a shift of exactly zero.
        sn_vec3 share = sn_scale(node->position, weight);
        point = k == 0 ? share : sn_add(point, share);
    }
    sn_lanes_put3(block->start_point, lane, point);
    block->width = contact->width > block->width ? contact->width : block->width;
    return kappa;
}

static void fill_body(const layout *layout, sn_soft_block *block, int lane, int body,
                      const sn_soft_contact_data *contact)
{
    const sn_solver_body *data = &layout->rigid->bodies[body];
    block->body[lane] = body;
    sn_lanes_put3(block->start_arm, lane, sn_sub(contact->point, data->center));
    block->goes.lane[lane] = contact->width == 1 && contact->weights[0] == 0.0f ? 0.0f : 1.0f;
    sn_lanes_put3(block->start_offset, lane, sn_sub(contact->ball, data->center));
    sn_lanes_put3(block->inverse_mass, lane, data->inverse_mass);
}

static void fill_lane(const layout *layout, sn_soft_block *block, int lane, int used)
{
    int input = block->input[lane], body = layout->body[input];
    const sn_soft_contact_data *contact = layout->contacts->contacts[input];
    const sn_solver_settings *settings = &layout->rigid->settings;
    sn_vec3 tangent = sn_perpendicular(contact->normal), bitangent = sn_cross(contact->normal, tangent);
    sn_lanes_put3(block->normal, lane, contact->normal);
    sn_lanes_put3(block->tangent, lane, tangent);
    sn_lanes_put3(block->bitangent, lane, bitangent);
    float kappa = fill_nodes(layout, block, lane, contact);
    // Refreshing overwrites the masses of lanes with a body.
    block->normal_mass.lane[lane] = block->tangent_mass.lane[lane] = kappa > 0.0f ? 1.0f / kappa : 0.0f;
    block->node_kappa.lane[lane] = kappa;
    block->follows = contact->follows;
    sn_lanes_put3(block->ball, lane, contact->ball);
    block->reach.lane[lane] = contact->reach;
    block->side.lane[lane] = contact->side;
    sn_lanes_put3(block->out, lane, contact->out);
    sn_lanes_put3(block->axis, lane, contact->axis);
    block->sharing.lane[lane] = block->partner == SN_PARTNER_SHARED ? (float)used : 1.0f;
    if (body > 0) {
        fill_body(layout, block, lane, body, contact);
    }
    block->friction.lane[lane] = contact->friction;
    block->restitution.lane[lane] = contact->restitution;
    block->has_restitution |= contact->restitution > 0.0f;
    block->has_surface_velocity |= sn_length_squared(contact->surface_velocity) > 0.0f;
    sn_lanes_put3(block->surface_velocity, lane, contact->surface_velocity);
    // As fast as between rigid bodies.
    bool yields = contact->body < 0 || is_dynamic(layout, body);
    sn_softness soft = yields ? settings->laws.contact : settings->laws.contact_with_immovable;
    block->bias_rate.lane[lane] = soft.bias_rate;
    block->start_separation.lane[lane] = contact->separation;
    float kept = settings->laws.kept_soft;
    block->normal_impulse.lane[lane] = kept * contact->normal_impulse;
    block->tangent_impulse[0].lane[lane] = kept * sn_dot(contact->friction_impulse, tangent);
    block->tangent_impulse[1].lane[lane] = kept * sn_dot(contact->friction_impulse, bitangent);
}

static void fill_blocks(const layout *layout, sn_soft_packing *packing, const int *block_of)
{
    int count = layout->contacts->count;
    for (int i = 0; i < count;) {
        sn_soft_block *block = &packing->pass.blocks[block_of[i]];
        int used = 0;
        for (; i + used < count && block_of[i + used] == block_of[i]; ++used) {
            block->input[used] = layout->order[i + used];
        }
        block->partner = (sn_soft_partner)layout->partner[block->input[0]];
        for (int lane = 0; lane < SN_LANES; ++lane) {
            if (lane < used) {
                fill_lane(layout, block, lane, used);
                float approach = layout->contacts->contacts[block->input[lane]]->approach;
                packing->pass.fastest[block_of[i]] = sn_max(packing->pass.fastest[block_of[i]], approach);
            } else {
                block->input[lane] = -1;
                block->start_separation.lane[lane] = SN_SOFT_FAR;
                block->reach.lane[lane] = -SN_SOFT_FAR;
            }
        }
        i += used;
    }
}

// --- batches -----------------------------------------------------------------------------------------------

// A bound of the velocity change of a body by an impulse of 1 at an arm.
static float body_kappa(const sn_solver *rigid, int body, float arm_squared)
{
    sn_sym3 inverse = sn_solver_inertia_matrix(&rigid->inertias[body]);
    sn_vec3 mass = rigid->bodies[body].inverse_mass;
    float xy = sn_abs(inverse.xy), xz = sn_abs(inverse.xz), yz = sn_abs(inverse.yz);
    float turn = sn_max(inverse.xx + xy + xz, sn_max(inverse.yy + xy + yz, inverse.zz + xz + yz));
    return sn_max(mass.x, sn_max(mass.y, mass.z)) + arm_squared * turn;
}

// How many lanes of these blocks of one body may be solved at once.
static float lanes_at_once(const layout *layout, const sn_soft_block *blocks, int count)
{
    float arm_squared = 0.0f, least = INFINITY;
    for (int b = 0; b < count; ++b) {
        for (int i = 0; i < SN_LANES && blocks[b].input[i] >= 0; ++i) {
            sn_vec3 arm = sn_lanes_take3(blocks[b].start_arm, i);
            arm_squared = sn_max(arm_squared, sn_dot(arm, arm));
            float kappa = blocks[b].node_kappa.lane[i]; // 0 of contacts through nodes
            least = kappa > 0.0f ? sn_min(least, kappa) : least;
        }
    }
    return HEAVY_PART * least / body_kappa(layout->rigid, blocks[0].body[0], arm_squared);
}

static void make_batch(sn_soft_block *blocks, int number, int count)
{
    int used = 0;
    for (int b = 0; b < count; ++b) {
        for (int i = 0; i < SN_LANES && blocks[b].input[i] >= 0; ++i) {
            ++used;
        }
    }
    for (int b = 0; b < count; ++b) {
        blocks[b].partner = SN_PARTNER_HEAVY;
        blocks[b].batch = number;
        for (int i = 0; i < SN_LANES && blocks[b].input[i] >= 0; ++i) {
            blocks[b].sharing.lane[i] = (float)used;
        }
    }
}

// Blocks of one body need not wait for each other as long as all of their nodes together hardly move it.
static void make_batches(const layout *layout, const sn_soft_packing *packing)
{
    for (int u = 0; u < packing->color_begin[packing->color_count]; ++u) {
        int begin = packing->unit_begin[u], count = packing->unit_begin[u + 1] - begin;
        sn_soft_block *blocks = packing->pass.blocks + begin;
        if (blocks[0].partner != SN_PARTNER_SHARED) {
            continue;
        }
        float at_once = lanes_at_once(layout, blocks, count) / (float)SN_LANES;
        int size = at_once < (float)count ? (int)at_once : count;
        for (int b = 0; b < count && size > 0; b += size) {
            make_batch(blocks + b, begin + b, count - b < size ? count - b : size);
        }
    }
}

// --- the stage ---------------------------------------------------------------------------------------------

static bool make_layout(layout *layout)
{
    sn_arena *arena = layout->contacts->arena;
    size_t count = (size_t)layout->contacts->count;
    layout->body = sn_arena_take(arena, count, sizeof(int));
    layout->partner = sn_arena_take(arena, count, 1);
    layout->idle = sn_arena_take(arena, count, 1);
    layout->color = sn_arena_take(arena, count, sizeof(int));
    layout->order = sn_arena_take(arena, count, sizeof(int));
    layout->spare = sn_arena_take(arena, count, sizeof(int));
    layout->key = sn_arena_take(arena, count, sizeof(int));
    return layout->body && layout->partner && layout->idle && layout->color && layout->order &&
           layout->spare && layout->key;
}

static void touch(const void *data, uint8_t *touched)
{
    const sn_soft_contacts *contacts = data;
    for (int i = 0; i < contacts->count; ++i) {
        const sn_soft_contact_data *contact = contacts->contacts[i];
        for (int k = 0; k < contact->width && (contact->closes || contact->normal_impulse > 0.0f); ++k) {
            touched[contact->nodes[k]] = 1;
        }
    }
}

static bool prepare(void *data, sn_solver *rigid, const sn_element_pass *pass)
{
    sn_soft_contacts *contacts = data;
    layout layout = {.contacts = contacts, .rigid = rigid, .nodes = pass->felt};
    if (!sn_soft_contacts_press(contacts, rigid)) {
        return false;
    }
    size_t count = (size_t)contacts->count, node_count = (size_t)rigid->nodes.nodes->states.count;
    sn_arena *arena = contacts->arena;
    sn_soft_packing *packing = sn_arena_take_zero(arena, 1, sizeof *packing);
    size_t member_count = node_count + (size_t)rigid->body_count;
    uint64_t *colors = sn_arena_take(arena, member_count, sizeof *colors);
    int *block_of = sn_arena_take(arena, count, sizeof *block_of);
    int *per_body = sn_arena_take(arena, (size_t)rigid->body_count, sizeof *per_body);
    if (!packing || !colors || !block_of || !per_body || !make_layout(&layout)) {
        return false;
    }
    choose_partners(&layout, per_body);
    choose_idle(&layout, pass, rigid->settings.push_speed);
    choose_colors(&layout, colors, (int)member_count);
    size_t keys = 3 * (size_t)layout.color_count, bodies = (size_t)rigid->body_count;
    layout.begin = sn_arena_take(arena, keys + bodies + KINDS * IDLE_CLASSES, sizeof(int));
    packing->unit_begin = sn_arena_take(arena, count + 1, sizeof *packing->unit_begin);
    packing->color_begin = sn_arena_take(arena, (size_t)layout.color_count + 1, sizeof *packing->color_begin);
    if (!layout.begin || !packing->unit_begin || !packing->color_begin) {
        return false;
    }
    sort_contacts(&layout);
    cut(&layout, packing, block_of);
    packing->kernels = sn_soft_kernels_pick();
    packing->pass = (sn_soft_pass){
        .nodes = pass,
        .velocities = rigid->velocities,
        .residues = rigid->residues,
        .shifts = rigid->shifts,
        .inertias = rigid->inertias,
        .dynamic_begin = rigid->dynamic_begin,
        .blocks = sn_arena_take_zero(arena, (size_t)packing->block_count, sizeof(sn_soft_block)),
        .rests = sn_arena_take_zero(arena, (size_t)packing->block_count, sizeof(uint8_t)),
        .fastest = sn_arena_take_zero(arena, (size_t)packing->block_count, sizeof(float)),
        .is_first = true,
        .push_speed = rigid->settings.push_speed,
        .restitution_threshold = rigid->settings.restitution_threshold};
    if (!packing->pass.blocks || !packing->pass.rests || !packing->pass.fastest) {
        return false;
    }
    fill_blocks(&layout, packing, block_of);
    if (!sn_soft_contacts_list_loads(contacts, packing)) {
        return false;
    }
    make_batches(&layout, packing);
    packing->rigid = rigid;
    contacts->packing = packing;
    return true;
}

typedef struct unit_loop {
    const sn_soft_packing *packing;
    sn_soft_kernel kernel;
    int offset;
} unit_loop;

static void do_units(void *context, int begin, int end)
{
    const unit_loop *loop = context;
    const int *unit_begin = loop->packing->unit_begin + loop->offset;
    for (int i = begin; i < end; ++i) {
        loop->kernel(&loop->packing->pass, unit_begin[i], unit_begin[i + 1]);
    }
}

static void run_colors(const sn_soft_contacts *contacts, sn_soft_kernel kernel)
{
    const sn_soft_packing *packing = contacts->packing;
    for (int k = 0; k < packing->color_count; ++k) {
        int color = packing->pass.nodes->backwards ? packing->color_count - 1 - k : k;
        int begin = packing->color_begin[color], count = packing->color_begin[color + 1] - begin;
        unit_loop loop = {packing, kernel, begin};
        sn_tasks_for(contacts->tasks, count, 1, do_units, &loop);
    }
}

// Kernels that write only to their own blocks run over all colours at once.
static void run_all(const sn_soft_contacts *contacts, sn_soft_kernel kernel)
{
    const sn_soft_packing *packing = contacts->packing;
    unit_loop loop = {packing, kernel, 0};
    sn_tasks_for(contacts->tasks, packing->color_begin[packing->color_count], 1, do_units, &loop);
}

static void measure(void *data, const sn_element_pass *pass)
{
    (void)pass;
    const sn_soft_contacts *contacts = data;
    run_all(contacts, contacts->packing->kernels->measure);
}

static void warm_start(void *data, const sn_element_pass *pass)
{
    (void)pass;
    const sn_soft_contacts *contacts = data;
    run_colors(contacts, contacts->packing->kernels->warm_start);
}

// By what a lane touches: its nodes, then its body.
static int *sharing_of(const sn_solver *rigid, const sn_soft_block *block, int lane, int k)
{
    return k < SN_SOFT_NODES ? &rigid->sharing[block->node[k][lane]]
                             : &rigid->sharing[rigid->nodes.nodes->states.count + block->body[lane]];
}

// Contacts act that push or overlap where the iteration is.
static void split_among_acting(const sn_solver *rigid, const sn_soft_packing *packing)
{
    int count = rigid->nodes.nodes->states.count + rigid->body_count;
    memset(rigid->sharing, 0, (size_t)count * sizeof *rigid->sharing);
    for (int i = 0; i < packing->block_count * SN_LANES; ++i) {
        sn_soft_block *block = &packing->pass.blocks[i / SN_LANES];
        int lane = i % SN_LANES;
        bool acts = block->input[lane] >= 0 &&
                    (block->normal_impulse.lane[lane] > 0.0f || block->now.lane[lane] < 0.0f);
        block->parts.lane[lane] = acts ? 1.0f : 0.0f;
        for (int k = 0; k <= SN_SOFT_NODES && acts; ++k) {
            ++*sharing_of(rigid, block, lane, k);
        }
    }
    rigid->sharing[0] = 0; // the dummy
    for (int i = 0; i < packing->block_count * SN_LANES; ++i) {
        sn_soft_block *block = &packing->pass.blocks[i / SN_LANES];
        int lane = i % SN_LANES;
        float acts = block->parts.lane[lane], *parts = &block->parts.lane[lane];
        for (int k = 0; k < SN_SOFT_NODES; ++k) {
            *parts = sn_max(*parts, acts * (float)*sharing_of(rigid, block, lane, k));
        }
        block->body_parts.lane[lane] = acts * (float)*sharing_of(rigid, block, lane, SN_SOFT_NODES) /
                                       sn_max(block->sharing.lane[lane], 1.0f);
    }
}

static void project(void *data)
{
    const sn_soft_contacts *contacts = data;
    contacts->packing->pass.use_bias = true;
    split_among_acting(contacts->packing->rigid, contacts->packing);
    run_all(contacts, contacts->packing->kernels->project);
}

static void sweep(void *data, const sn_element_pass *pass, bool use_bias)
{
    (void)pass;
    const sn_soft_contacts *contacts = data;
    sn_soft_packing *packing = contacts->packing;
    packing->pass.use_bias = use_bias;
    sn_soft_pass_loads_on(packing);
    run_colors(contacts, packing->kernels->solve);
}

_Static_assert(offsetof(sn_soft_block, tangent_impulse) ==
                   offsetof(sn_soft_block, now) + 2 * sizeof(sn_lanes),
               "separations and impulses of a block are one after the other");

static sn_lanes *rows(void *data, size_t *stride, int *count)
{
    const sn_soft_packing *packing = ((const sn_soft_contacts *)data)->packing;
    *stride = sizeof *packing->pass.blocks;
    *count = packing->block_count;
    return packing->block_count > 0 ? &packing->pass.blocks->now : NULL;
}

// Contacts that act, or are pushed out, may push others.
static void choose_wake_speed(sn_soft_packing *packing)
{
    float speed = 0.0f, push_speed = packing->pass.push_speed;
    for (int b = 0; b < packing->block_count; ++b) {
        speed = sn_max(speed, packing->pass.fastest[b]);
    }
    packing->pass.wake_speed = sn_min(SN_SOFT_WAKE_PART * push_speed + speed, push_speed);
}

static void refresh(void *data, const sn_element_pass *pass)
{
    (void)pass;
    const sn_soft_contacts *contacts = data;
    run_all(contacts, contacts->packing->kernels->refresh);
    choose_wake_speed(contacts->packing);
    contacts->packing->pass.is_first = false;
}

static void finish(void *data, const sn_element_pass *pass)
{
    (void)pass;
    const sn_soft_contacts *contacts = data;
    run_colors(contacts, contacts->packing->kernels->finish);
}

static void drop(void *data, const sn_wild_units *wild)
{
    const sn_soft_contacts *contacts = data;
    for (int b = 0; b < contacts->packing->block_count; ++b) {
        sn_soft_block *block = &contacts->packing->pass.blocks[b];
        for (int lane = 0; lane < SN_LANES; ++lane) {
            if (wild == NULL || wild->nodes[block->node[0][lane]]) {
                block->normal_impulse.lane[lane] = 0.0f;
                block->tangent_impulse[0].lane[lane] = block->tangent_impulse[1].lane[lane] = 0.0f;
            }
        }
    }
}

static void store(void *data)
{
    const sn_soft_contacts *contacts = data;
    float part = sn_reported_part(&contacts->packing->rigid->settings);
    for (int b = 0; b < contacts->packing->block_count; ++b) {
        sn_soft_block *block = &contacts->packing->pass.blocks[b];
        for (int i = 0; i < SN_LANES && block->input[i] >= 0; ++i) {
            sn_soft_contact_data *contact = contacts->contacts[block->input[i]];
            sn_vec3 t1 = sn_lanes_take3(block->tangent, i), t2 = sn_lanes_take3(block->bitangent, i);
            // A ball that is not over its face any more has no distance from it.
            float separation = block->separation.lane[i];
            contact->separation = separation < SN_SOFT_FAR ? separation : contact->separation;
            contact->normal = sn_lanes_take3(block->normal, i);
            for (int k = 0; k < contact->width; ++k) {
                contact->weights[k] = block->weight[k].lane[i];
            }
            contact->normal_impulse = block->normal_impulse.lane[i];
            contact->friction_impulse = sn_add_scaled(sn_scale(t1, block->tangent_impulse[0].lane[i]),
                                                      block->tangent_impulse[1].lane[i], t2);
            // Besides what it had when it was stored half way, or taken over from one that was.
            contact->total_normal += part * block->total_normal.lane[i];
            sn_vec3 rubbed = sn_add_scaled(sn_scale(t1, block->total_tangent[0].lane[i]),
                                           block->total_tangent[1].lane[i], t2);
            contact->total_friction = sn_add_scaled(contact->total_friction, part, rubbed);
            block->total_normal.lane[i] = block->total_tangent[0].lane[i] = block->total_tangent[1].lane[i] =
                0.0f;
        }
    }
    sn_soft_contacts_share(contacts);
}

sn_coupling_stage sn_soft_contacts_stage(sn_soft_contacts *contacts)
{
    return (sn_coupling_stage){.data = contacts,
                               .touch = touch,
                               .prepare = prepare,
                               .measure = measure,
                               .warm_start = warm_start,
                               .sweep = sweep,
                               .refresh = refresh,
                               .finish = finish,
                               .drop = drop,
                               .add_work = sn_soft_contacts_add_work,
                               .project = project,
                               .rows = rows,
                               .store = store};
}
