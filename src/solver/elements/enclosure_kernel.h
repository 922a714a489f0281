// The kernels of enclosures, eight triangles or nodes at a time (see summing_kernels.h). The mathematics is
// in enclosure_block.h.
#include "solver/elements/enclosure_block.h"
#include "solver/rows/row_softness.h"

// The sum of the lanes, in the same order in every build.
SN_INLINE float lane_sum(sn_f8 a)
{
    return ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]));
}

SN_INLINE sn_vec3x8 enclosure_load_gradients(const sn_enclosure_block *block, sn_f8 *unused)
{
    static const int32_t in_order[SN_LANES] = {0, 1, 2, 3, 4, 5, 6, 7};
    return sn_gather_nodes((const sn_node_state *)(const void *)block->gradient, in_order, unused);
}

// --- refreshing --------------------------------------------------------------------------------------------

static void clear_gradients(sn_enclosure_block *blocks, int count)
{
    for (int i = 0; i < count; ++i) {
        memset(blocks[i].gradient, 0, sizeof blocks[i].gradient);
    }
}

// Adds one row of four to a node's gradient.
SN_INLINE void add_to_gradient(sn_enclosure_block *blocks, int place, sn_f4 area)
{
    float *target = blocks[place / SN_LANES].gradient[place % SN_LANES];
    sn_f4 sum;
    memcpy(&sum, target, sizeof sum);
    sum = sum + area;
    memcpy(target, &sum, sizeof sum);
}

// Six times the volume between the first corner of the first triangle and one block's triangles, and their
// normals (b − a) × (c − a).
SN_INLINE float six_volumes(const sn_node_state *nodes, const sn_enclosure_block *blocks, int i,
                            sn_vec3x8 *normal)
{
    const sn_enclosure_block *block = &blocks[i];
    sn_vec3 first = nodes[blocks[0].corner[0][0]].position;
    sn_vec3x8 origin = {sn_f8_set(first.x), sn_f8_set(first.y), sn_f8_set(first.z)};
    sn_f8 unused;
    sn_vec3x8 a = sn_gather_nodes(nodes, block->corner[0], &unused);
    sn_vec3x8 b = sn_gather_nodes(nodes, block->corner[1], &unused);
    sn_vec3x8 c = sn_gather_nodes(nodes, block->corner[2], &unused);
    *normal = sn_vec3x8_cross(sn_vec3x8_sub(b, a), sn_vec3x8_sub(c, a));
    return lane_sum(sn_vec3x8_dot(sn_vec3x8_sub(a, origin), *normal));
}

// Adds the normals of one block's triangles to the gradients of their corners.
SN_INLINE void add_normals(sn_enclosure_block *blocks, int i, sn_vec3x8 normal)
{
    const sn_enclosure_block *block = &blocks[i];
    sn_f8 rows[4] = {normal.x, normal.y, normal.z, sn_f8_set(0.0f)};
    sn_f8_transpose(&rows[0], &rows[1], &rows[2], &rows[3]);
    for (int k = 0; k < 3; ++k) {
        for (int lane = 0; lane < 4; ++lane) {
            add_to_gradient(blocks, block->place[k][lane], sn_f8_low(rows[lane]));
            add_to_gradient(blocks, block->place[k][lane + 4], sn_f8_high(rows[lane]));
        }
    }
}

// Scales the gradients of one block's nodes to what they are; their share of κ.
SN_INLINE float finish_gradients(const sn_element_pass *pass, sn_enclosure_block *block)
{
    sn_f8 unused, weight, sixth = sn_f8_set(1.0f / 6.0f);
    (void)sn_gather_nodes(pass->felt, block->node, &weight);
    sn_vec3x8 gradient = sn_vec3x8_scale(enclosure_load_gradients(block, &unused), sixth);
    sn_f8 rows[4] = {gradient.x, gradient.y, gradient.z, sn_f8_set(0.0f)};
    sn_f8_transpose(&rows[0], &rows[1], &rows[2], &rows[3]);
    for (int lane = 0; lane < 4; ++lane) {
        sn_f4 low = sn_f8_low(rows[lane]), high = sn_f8_high(rows[lane]);
        memcpy(block->gradient[lane], &low, sizeof low);
        memcpy(block->gradient[lane + 4], &high, sizeof high);
    }
    sn_store(&block->inverse_mass, weight);
    return lane_sum(weight * sn_vec3x8_dot(gradient, gradient));
}

// A sweep solves this single row exactly, so it may be stiffer than rows that form chains: four times by
// frequency, with more damping in proportion. With the stiffness of other rows, cushions lose 4 % of their
// volume under a load of forty times their weight.
static void refresh_row(const sn_element_pass *pass, sn_enclosure_row *row, float kappa, float grown)
{
    bool moves = kappa > 1.0e-30f && row->holds != 0;
    sn_element_pass firm = *pass;
    firm.hard.inverse_a2 *= 1.0f / 16.0f;
    sn_row_softness soft = sn_row_softness_of(&firm, sn_f8_set(moves ? kappa : 1.0f),
                                              sn_f8_set(row->stiffness), sn_f8_set(0.0f));
    row->mass = moves ? soft.mass[0] : 0.0f;
    row->softness = moves ? soft.softness[0] : 0.0f;
    row->bias = moves ? (row->volume - grown - row->target) * soft.pull[0] : 0.0f;
    row->relax_mass = moves && row->stiffness == 0.0f ? soft.inverse_kappa[0] : 0.0f;
    row->most = row->holding > 0.0f ? row->holding * pass->bearing : SN_NO_LIMIT;
}

// V̇ [m³/s].
static float growth(const sn_element_pass *pass, const sn_enclosure_block *blocks)
{
    double sum = 0.0;
    sn_f8 unused;
    for (int i = 0; i < blocks[0].row.node_block_count; ++i) {
        sn_vec3x8 v = sn_gather_velocities(pass->velocities, blocks[i].node);
        sum += (double)lane_sum(sn_vec3x8_dot(enclosure_load_gradients(&blocks[i], &unused), v));
    }
    return (float)sum;
}

static void enclosure_refresh(const sn_element_pass *pass, void *data, int begin, int end)
{
    (void)end;
    sn_enclosure_block *blocks = data;
    if (begin != 0) {
        return;
    }
    int node_blocks = blocks[0].row.node_block_count;
    sn_vec3x8 normal;
    double volume = 0.0, kappa = 0.0;
    clear_gradients(blocks, node_blocks);
    for (int i = 0; i < blocks[0].row.block_count; ++i) {
        volume += (double)six_volumes(pass->felt, blocks, i, &normal);
        add_normals(blocks, i, normal);
    }
    for (int i = 0; i < node_blocks; ++i) {
        kappa += (double)finish_gradients(pass, &blocks[i]);
    }
    blocks[0].row.volume = (float)(volume / 6.0);
    refresh_row(pass, &blocks[0].row, (float)kappa,
                pass->ahead != 0.0f ? pass->ahead * growth(pass, blocks) : 0.0f);
}

// --- impulses ----------------------------------------------------------------------------------------------

static void push_all(const sn_element_pass *pass, const sn_enclosure_block *blocks, float impulse)
{
    sn_f8 unused;
    for (int i = 0; i < blocks[0].row.node_block_count; ++i) {
        sn_vec3x8 v = sn_gather_velocities(pass->velocities, blocks[i].node);
        sn_f8 scale = sn_f8_set(impulse) * sn_load(&blocks[i].inverse_mass);
        v = sn_vec3x8_add(v, sn_vec3x8_scale(enclosure_load_gradients(&blocks[i], &unused), scale));
        sn_scatter_velocities(pass->velocities, blocks[i].node, v);
    }
}

// The impulse of the constant pressure, limited.
SN_INLINE float steady_impulse(const sn_element_pass *pass, const sn_enclosure_row *row)
{
    return pass->h * sn_clamp(row->pressure, -row->most, row->most);
}

// ΔΛ = −m J·u − bias − s Λ, clamped so that the sum with the constant pressure stays within the limit.
static void solve_row(const sn_element_pass *pass, sn_enclosure_block *blocks, float mass, float softness,
                      float bias)
{
    if (mass > 0.0f) {
        float *impulse = &blocks[0].impulse.lane[0];
        float wanted = *impulse - mass * growth(pass, blocks) - bias - softness * *impulse;
        float steady = steady_impulse(pass, &blocks[0].row), most = pass->h * blocks[0].row.most;
        float given = sn_clamp(wanted, -most - steady, most - steady);
        push_all(pass, blocks, given - *impulse);
        *impulse = given;
    }
}

static void enclosure_warm_start(const sn_element_pass *pass, void *data, int begin, int end)
{
    (void)end;
    const sn_enclosure_block *blocks = data;
    if (begin == 0) {
        push_all(pass, blocks, blocks[0].impulse.lane[0] + steady_impulse(pass, &blocks[0].row));
    }
}

static void enclosure_solve(const sn_element_pass *pass, void *data, int begin, int end)
{
    (void)end;
    const sn_enclosure_row *row = &((const sn_enclosure_block *)data)->row;
    if (begin == 0) {
        solve_row(pass, data, row->mass, row->softness, row->bias);
    }
}

static void enclosure_relax(const sn_element_pass *pass, void *data, int begin, int end)
{
    (void)end;
    if (begin == 0) {
        solve_row(pass, data, ((const sn_enclosure_block *)data)->row.relax_mass, 0.0f, 0.0f);
    }
}

// Whether the volume is held by a spring too stiff for sweeps in one direction (is_stiff in element.h):
// κ/γ = (1 − s)/s with s = γ/(κ + γ).
static bool enclosure_is_stiff(const void *blocks, int block_count, float limit)
{
    (void)block_count;
    const sn_enclosure_row *row = &((const sn_enclosure_block *)blocks)->row;
    return row->stiffness > 0.0f && 1.0f - row->softness > limit * row->softness;
}

// Whether hard edges cannot bear the pressure, so that it is limited (count_unresolved in element.h).
static int enclosure_unresolved(const sn_element_pass *pass, const void *block)
{
    const sn_enclosure_row *row = &((const sn_enclosure_block *)block)->row;
    float held = (((const sn_enclosure_block *)block)->impulse.lane[0] + steady_impulse(pass, row)) / pass->h;
    bool is_limited = sn_max(sn_abs(row->pressure), sn_abs(held)) > 0.999f * row->most;
    return row->holding > 0.0f && is_limited ? 1 : 0;
}

// The energy ½ k C² of a compliant volume and the potential −p V of a constant pressure.
static void enclosure_measure(const sn_node_state *nodes, const void *blocks, int block_count,
                              sn_element_measure *sum)
{
    (void)block_count;
    const sn_enclosure_row *row = &((const sn_enclosure_block *)blocks)->row;
    sn_vec3x8 unused;
    double volume = 0.0;
    for (int i = 0; i < row->block_count; ++i) {
        volume += (double)six_volumes(nodes, blocks, i, &unused) / 6.0;
    }
    double error = volume - (double)row->target;
    sum->energy += row->holds != 0 ? 0.5 * (double)row->stiffness * error * error : 0.0;
    sum->energy -= (double)row->pressure * volume;
}

const sn_element_kind SN_BUILD(sn_element_enclosure) = {
    .name = "enclosure",
    .block_size = sizeof(sn_enclosure_block),
    .memory = {{offsetof(sn_enclosure_block, impulse), 1, 0.0f, false}},
    .refresh = enclosure_refresh,
    .warm_start = enclosure_warm_start,
    .solve = enclosure_solve,
    .relax = enclosure_relax,
    .is_stiff = enclosure_is_stiff,
    .count_unresolved = enclosure_unresolved,
    .measure = enclosure_measure};
