// Forces and stiffness of terms, eight at a time (see model_kernels.h). Nodes are gathered, forces computed
// wide and added lane by lane, so that every build adds in the same order.
// Tested by tests/model/forces/test_terms.c.
#include "math/length8.h"
#include "model/forces/terms.h"
#include "solver/elements/element.h"

// Eight vectors as eight records of four floats.
SN_INLINE void to_rows(sn_vec3x8 v, sn_f4 rows[SN_LANES])
{
    sn_f8 columns[4] = {v.x, v.y, v.z, sn_f8_set(0.0f)};
    sn_f8_transpose(&columns[0], &columns[1], &columns[2], &columns[3]);
    for (int i = 0; i < 4; ++i) {
        rows[i] = sn_f8_low(columns[i]);
        rows[i + 4] = sn_f8_high(columns[i]);
    }
}

SN_INLINE sn_f4 load_force(const sn_node_force *force)
{
    sn_f4 row;
    memcpy(&row, force, sizeof row);
    return row;
}

SN_INLINE void store_force(sn_node_force *force, sn_f4 row)
{
    memcpy(force, &row, sizeof row);
}

SN_INLINE void add_force(sn_node_force *force, sn_f4 row)
{
    store_force(force, load_force(force) + row);
}

SN_INLINE sn_vec3x8 places_of(const sn_node_state *nodes, const int32_t *index)
{
    sn_f8 inverse_mass;
    return sn_gather_nodes(nodes, index, &inverse_mass);
}

// C of an area or a volume.
SN_INLINE sn_f8 error_of(sn_f8 measure, const sn_lanes *rest, const sn_lanes *inverse_scale)
{
    sn_f8 error = (measure - sn_load(rest)) * sn_load(inverse_scale), limit = sn_f8_set(SN_TERM_LIMIT);
    return sn_f8_max(-limit, sn_f8_min(error, limit));
}

// --- edges -------------------------------------------------------------------------------------------------

SN_INLINE void pull_together(const sn_term_block *block, sn_vec3x8 pull, sn_node_force *forces)
{
    sn_f4 rows[SN_LANES];
    to_rows(pull, rows);
    for (int i = 0; i < SN_LANES; ++i) {
        sn_node_force *a = &forces[block->node[0][i]], *b = &forces[block->node[1][i]];
        store_force(a, load_force(a) + rows[i]);
        store_force(b, load_force(b) - rows[i]);
    }
}

SN_INLINE void add_edge(const sn_term_block *block, const sn_node_state *nodes,
                        const sn_node_velocity *velocities, sn_node_force *forces, bool has_damping)
{
    sn_length8 now = sn_length8_between(places_of(nodes, block->node[0]), places_of(nodes, block->node[1]));
    sn_vec3x8 along = now.along;
    sn_f8 length = now.length, inverse = sn_f8_inverse_positive(length);
    sn_f8 pull = sn_load(&block->stiffness) * (length - sn_load(&block->rest));
    if (has_damping) {
        sn_vec3x8 apart = sn_vec3x8_sub(sn_gather_velocities(velocities, block->node[1]),
                                        sn_gather_velocities(velocities, block->node[0]));
        pull += sn_load(&block->damping) * (sn_vec3x8_dot(along, apart) * inverse);
    }
    pull_together(block, sn_vec3x8_scale(along, pull * inverse), forces);
}

static void edges(const sn_term_block *blocks, int count, const sn_node_state *nodes,
                  const sn_node_velocity *velocities, sn_node_force *forces)
{
    if (velocities == NULL) {
        for (int k = 0; k < count; ++k) {
            add_edge(&blocks[k], nodes, NULL, forces, false);
        }
        return;
    }
    for (int k = 0; k < count; ++k) {
        add_edge(&blocks[k], nodes, velocities, forces, true);
    }
}

// k (n nᵀ + max(0, 1 − ℓ₀/ℓ) (1 − n nᵀ)) and d n nᵀ. Compressed edges have a negative stiffness across: it is
// left out.
static void resist_edges(const sn_term_block *blocks, int count, const sn_node_state *nodes,
                         sn_resistance resistance, const sn_node_velocity *field, sn_node_force *forces)
{
    for (int k = 0; k < count; ++k) {
        const sn_term_block *block = &blocks[k];
        sn_length8 now =
            sn_length8_between(places_of(nodes, block->node[0]), places_of(nodes, block->node[1]));
        sn_vec3x8 along = now.along;
        sn_vec3x8 apart = sn_vec3x8_sub(sn_gather_velocities(field, block->node[1]),
                                        sn_gather_velocities(field, block->node[0]));
        sn_f8 length = now.length, inverse = sn_f8_inverse_positive(length);
        sn_f8 rest = sn_load(&block->rest), zero = sn_f8_set(0.0f);
        sn_f8 stiffness = sn_f8_set(resistance.stiffness) * sn_load(&block->stiffness);
        sn_f8 damping = sn_f8_set(resistance.damping) * sn_load(&block->damping);
        sn_f8 slack = sn_f8_set(1.0f) - rest * inverse;
        sn_f8 across = sn_f8_select(length > rest, stiffness * slack, zero);
        sn_f8 rate = sn_vec3x8_dot(along, apart) * inverse;
        sn_f8 straight = (stiffness + damping - across) * rate * inverse;
        sn_vec3x8 pull = sn_vec3x8_add(sn_vec3x8_scale(apart, across), sn_vec3x8_scale(along, straight));
        pull_together(block, pull, forces);
    }
}

// --- triangles ---------------------------------------------------------------------------------------------

// 2 |A| ∂A/∂x_a = ½ (cross) × (the opposite edge, from the next node to the one before); returns |cross|.
SN_INLINE sn_f8 slopes_of_area(const sn_term_block *block, const sn_node_state *nodes, sn_vec3x8 slopes[3])
{
    sn_vec3x8 a = places_of(nodes, block->node[0]), b = places_of(nodes, block->node[1]);
    sn_vec3x8 c = places_of(nodes, block->node[2]);
    sn_vec3x8 opposite[3] = {sn_vec3x8_sub(c, b), sn_vec3x8_sub(a, c), sn_vec3x8_sub(b, a)};
    sn_vec3x8 cross = sn_vec3x8_cross(opposite[2], sn_vec3x8_sub(c, a));
    for (int n = 0; n < 3; ++n) {
        slopes[n] = sn_vec3x8_cross(cross, opposite[n]);
    }
    return sn_f8_sqrt(sn_vec3x8_dot(cross, cross));
}

SN_INLINE void add_area(const sn_term_block *block, const sn_vec3x8 slopes[3], sn_f8 pull,
                        sn_node_force *forces)
{
    sn_f4 rows[3][SN_LANES];
    for (int n = 0; n < 3; ++n) {
        to_rows(sn_vec3x8_scale(slopes[n], pull), rows[n]);
    }
    for (int i = 0; i < SN_LANES; ++i) {
        for (int n = 0; n < 3; ++n) {
            add_force(&forces[block->node[n][i]], rows[n][i]);
        }
    }
}

static void areas(const sn_term_block *blocks, int count, const sn_node_state *nodes,
                  const sn_node_velocity *velocities, sn_node_force *forces)
{
    (void)velocities; // areas have no damping
    const sn_f8 half = sn_f8_set(0.5f);
    for (int k = 0; k < count; ++k) {
        sn_vec3x8 slopes[3];
        sn_f8 length = slopes_of_area(&blocks[k], nodes, slopes);
        sn_f8 error = error_of(half * length, &blocks[k].rest, &blocks[k].inverse_scale);
        sn_f8 pull = -(sn_load(&blocks[k].stiffness) * error) * (half * sn_f8_inverse_positive(length));
        add_area(&blocks[k], slopes, pull, forces);
    }
}

static void resist_areas(const sn_term_block *blocks, int count, const sn_node_state *nodes,
                         sn_resistance resistance, const sn_node_velocity *field, sn_node_force *forces)
{
    for (int k = 0; k < count; ++k) {
        const sn_term_block *block = &blocks[k];
        sn_vec3x8 slopes[3];
        sn_f8 scale = sn_f8_set(0.5f) * sn_f8_inverse_positive(slopes_of_area(block, nodes, slopes));
        sn_f8 rate = sn_f8_set(0.0f);
        for (int n = 0; n < 3; ++n) {
            rate += sn_vec3x8_dot(slopes[n], sn_gather_velocities(field, block->node[n]));
        }
        sn_f8 stiffness = sn_load(&block->stiffness) * sn_load(&block->inverse_scale);
        sn_f8 pull = -(sn_f8_set(resistance.stiffness) * stiffness) * (scale * rate) * scale;
        add_area(block, slopes, pull, forces);
    }
}

// --- tetrahedra --------------------------------------------------------------------------------------------

// 6 ∂V/∂x_k = e_(k+1) × e_(k+2) of the edges from node 0, for nodes 1 to 3; returns 6 V.
SN_INLINE sn_f8 slopes_of_volume(const sn_term_block *block, const sn_node_state *nodes, sn_vec3x8 slopes[3])
{
    sn_vec3x8 first = places_of(nodes, block->node[0]), e[3];
    for (int n = 0; n < 3; ++n) {
        e[n] = sn_vec3x8_sub(places_of(nodes, block->node[n + 1]), first);
    }
    slopes[0] = sn_vec3x8_cross(e[1], e[2]);
    slopes[1] = sn_vec3x8_cross(e[2], e[0]);
    slopes[2] = sn_vec3x8_cross(e[0], e[1]);
    return sn_vec3x8_dot(e[0], slopes[0]);
}

SN_INLINE void add_volume(const sn_term_block *block, const sn_vec3x8 slopes[3], sn_f8 pull,
                          sn_node_force *forces)
{
    sn_f4 rows[3][SN_LANES];
    for (int n = 0; n < 3; ++n) {
        to_rows(sn_vec3x8_scale(slopes[n], pull), rows[n]);
    }
    for (int i = 0; i < SN_LANES; ++i) {
        sn_node_force *base = &forces[block->node[0][i]];
        store_force(base, load_force(base) - (rows[0][i] + rows[1][i] + rows[2][i]));
        for (int n = 0; n < 3; ++n) {
            add_force(&forces[block->node[n + 1][i]], rows[n][i]);
        }
    }
}

static void volumes(const sn_term_block *blocks, int count, const sn_node_state *nodes,
                    const sn_node_velocity *velocities, sn_node_force *forces)
{
    (void)velocities; // nor have volumes
    const sn_f8 sixth = sn_f8_set(1.0f / 6.0f);
    for (int k = 0; k < count; ++k) {
        sn_vec3x8 slopes[3];
        sn_f8 volume = sixth * slopes_of_volume(&blocks[k], nodes, slopes);
        sn_f8 error = error_of(volume, &blocks[k].rest, &blocks[k].inverse_scale);
        sn_f8 pull = -(sn_load(&blocks[k].stiffness) * error) * sixth;
        add_volume(&blocks[k], slopes, pull, forces);
    }
}

static void resist_volumes(const sn_term_block *blocks, int count, const sn_node_state *nodes,
                           sn_resistance resistance, const sn_node_velocity *field, sn_node_force *forces)
{
    const sn_f8 sixth = sn_f8_set(1.0f / 6.0f);
    for (int k = 0; k < count; ++k) {
        const sn_term_block *block = &blocks[k];
        sn_vec3x8 slopes[3], first = sn_gather_velocities(field, block->node[0]);
        (void)slopes_of_volume(block, nodes, slopes);
        sn_f8 rate = sn_f8_set(0.0f);
        for (int n = 0; n < 3; ++n) {
            sn_vec3x8 apart = sn_vec3x8_sub(sn_gather_velocities(field, block->node[n + 1]), first);
            rate += sn_vec3x8_dot(slopes[n], apart);
        }
        sn_f8 stiffness = sn_load(&block->stiffness) * sn_load(&block->inverse_scale);
        sn_f8 pull = -(sn_f8_set(resistance.stiffness) * stiffness) * (sixth * rate) * sixth;
        add_volume(block, slopes, pull, forces);
    }
}

const sn_term_kernels SN_BUILD(sn_term_kernels) = {.forces = {edges, areas, volumes},
                                                   .resist = {resist_edges, resist_areas, resist_volumes}};
