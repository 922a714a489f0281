// Forces, stiffness and energies of terms, eight at a time (see model_kernels.h). Nodes are gathered, forces
// computed wide and added lane by lane, so that every build adds in the same order.
// Tested by tests/model/forces/test_terms.c.
#include "math/measures8.h"
#include "model/forces/force_sums.h"
#include "model/forces/terms.h"
#include "solver/elements/element.h"

// A term where its nodes are: C, ∂C/∂x, and what they are made of.
typedef struct term8 {
    sn_f8 error;           // C, within its limits
    sn_f8 beyond;          // what the limits took away
    sn_vec3x8 gradient[4]; // ∂C/∂x
    sn_f8 bend;            // a bound of Σ_j |∂²C/∂x_i∂x_j|
    sn_f8 slack;           // of edges: 1 − ℓ₀/ℓ where they are longer than at rest, else 0
} term8;

// An edge is never stiffer across its direction than along it: no bend.
SN_INLINE sn_f8 look_at_edge(const sn_term_block *block, const sn_vec3x8 x[4], term8 *term)
{
    sn_length8 now = sn_length8_between(x[0], x[1]);
    sn_f8 inverse = sn_f8_inverse_positive(now.length), rest = sn_load(&block->rest);
    term->gradient[1] = sn_vec3x8_scale(now.along, inverse);
    term->gradient[0] = sn_vec3x8_scale(term->gradient[1], sn_f8_set(-1.0f));
    term->slack = sn_f8_select(now.length > rest, sn_f8_set(1.0f) - rest * inverse, sn_f8_set(0.0f));
    return now.length;
}

SN_INLINE sn_f8 longest_squared(const sn_vec3x8 edges[3])
{
    sn_f8 longest = sn_f8_set(0.0f);
    for (int k = 0; k < 3; ++k) {
        longest = sn_f8_max(longest, sn_vec3x8_dot(edges[k], edges[k]));
    }
    return longest;
}

// Below its rest area a triangle only yields out of its plane: no bend.
SN_INLINE sn_f8 look_at_triangle(const sn_term_block *block, const sn_vec3x8 x[4], term8 *term)
{
    sn_area8 now = sn_area8_of(x);
    sn_f8 half = sn_f8_set(0.5f), area = half * now.twice;
    sn_f8 inverse = half * sn_f8_inverse_positive(now.twice);
    for (int a = 0; a < 3; ++a) {
        term->gradient[a] = sn_vec3x8_scale(now.slope[a], inverse);
    }
    sn_f8 bend = sn_f8_set(0.75f) * longest_squared(now.opposite) * sn_f8_inverse_positive(area);
    term->bend = sn_f8_select(area > sn_load(&block->rest), bend, sn_f8_set(0.0f));
    return area;
}

// Three edges over six, each at most twice the longest from node 0.
SN_INLINE sn_f8 look_at_tetrahedron(const sn_vec3x8 x[4], term8 *term)
{
    sn_f8 sixth = sn_f8_set(1.0f / 6.0f);
    sn_volume8 now = sn_volume8_of(x);
    for (int a = 0; a < 4; ++a) {
        term->gradient[a] = sn_vec3x8_scale(now.slope[a], sixth);
    }
    term->bend = sn_f8_sqrt(longest_squared(now.edge));
    return sixth * now.six_fold;
}

SN_INLINE term8 look_at(const sn_term_block *block, const sn_node_state *nodes, sn_term_family family)
{
    term8 term = {.bend = sn_f8_set(0.0f), .slack = sn_f8_set(0.0f)};
    sn_vec3x8 x[4];
    sn_f8 measure, unused, limit = sn_f8_set(SN_TERM_LIMIT), scale = sn_load(&block->inverse_scale);
    for (int a = 0; a < sn_term_widths[family]; ++a) {
        x[a] = sn_gather_nodes(nodes, block->node[a], &unused);
    }
    measure = family == SN_TERM_EDGES   ? look_at_edge(block, x, &term)
              : family == SN_TERM_AREAS ? look_at_triangle(block, x, &term)
                                        : look_at_tetrahedron(x, &term);
    sn_f8 error = (measure - sn_load(&block->rest)) * scale;
    term.error = family == SN_TERM_EDGES ? error : sn_f8_max(-limit, sn_f8_min(error, limit));
    term.beyond = error - term.error;
    for (int a = 0; a < sn_term_widths[family]; ++a) {
        term.gradient[a] = sn_vec3x8_scale(term.gradient[a], scale);
    }
    term.bend = term.bend * scale;
    return term;
}

// The same, for kernels that are not in a hurry.
SN_SHARED void measure_term(const sn_term_block *block, const sn_node_state *nodes, sn_term_family family,
                            term8 *term)
{
    switch (family) {
    case SN_TERM_EDGES:
        *term = look_at(block, nodes, SN_TERM_EDGES);
        break;
    case SN_TERM_AREAS:
        *term = look_at(block, nodes, SN_TERM_AREAS);
        break;
    default:
        *term = look_at(block, nodes, SN_TERM_VOLUMES);
        break;
    }
}

// Σ_j ∂C/∂x_j · v_j.
SN_INLINE sn_f8 rate_of(const sn_term_block *block, const term8 *term, const sn_node_velocity *field,
                        sn_term_family family)
{
    sn_f8 rate = sn_f8_set(0.0f);
    if (family != SN_TERM_AREAS) {
        sn_vec3x8 first = sn_gather_velocities(field, block->node[0]);
        for (int a = 1; a < sn_term_widths[family]; ++a) {
            sn_vec3x8 apart = sn_vec3x8_sub(sn_gather_velocities(field, block->node[a]), first);
            rate = rate + sn_vec3x8_dot(term->gradient[a], apart);
        }
        return rate;
    }
    for (int a = 0; a < 3; ++a) {
        rate = rate + sn_vec3x8_dot(term->gradient[a], sn_gather_velocities(field, block->node[a]));
    }
    return rate;
}

// --- forces ------------------------------------------------------------------------------------------------

SN_INLINE void add_forces(const sn_term_block *block, const sn_vec3x8 push[4], sn_node_force *forces,
                          sn_term_family family)
{
    sn_f4 records[4][SN_WIDTH];
    for (int a = 0; a < sn_term_widths[family]; ++a) {
        sn_records_of(push[a], sn_f8_set(0.0f), records[a]);
    }
    for (int i = 0; i < SN_WIDTH; ++i) {
        for (int a = 0; a < sn_term_widths[family]; ++a) {
            sn_force_add(&forces[block->node[a][i]], records[a][i]);
        }
    }
}

SN_INLINE void term_forces(const sn_term_set *set, const sn_node_state *nodes,
                           const sn_node_velocity *velocities, sn_node_force *forces, sn_term_family family)
{
    for (int k = 0; k < SN_PARTS * set->count; ++k) {
        const sn_term_block *block = sn_part_of(set->blocks, sizeof *block, k);
        term8 term = look_at(block, nodes, family);
        sn_f8 pull = sn_f8_set(set->stiffness) * term.error;
        if (velocities != NULL) {
            pull = pull + sn_f8_set(set->damping) * rate_of(block, &term, velocities, family);
        }
        for (int a = 0; a < sn_term_widths[family]; ++a) {
            term.gradient[a] = sn_vec3x8_scale(term.gradient[a], -pull);
        }
        add_forces(block, term.gradient, forces, family);
    }
}

// k (n nᵀ + max(0, 1 − ℓ₀/ℓ) (1 − n nᵀ)) and d n nᵀ of edges. Compressed ones have a negative stiffness
// across: it is left out, as is that of areas and volumes by their own bend.
SN_INLINE void term_resist(const sn_term_set *set, const sn_node_state *nodes, sn_resistance resistance,
                           const sn_node_velocity *field, sn_node_force *forces, sn_term_family family)
{
    float along = resistance.stiffness * set->stiffness + resistance.damping * set->damping;
    for (int k = 0; k < SN_PARTS * set->count; ++k) {
        const sn_term_block *block = sn_part_of(set->blocks, sizeof *block, k);
        term8 term = look_at(block, nodes, family);
        sn_f8 pull = sn_f8_set(along) * rate_of(block, &term, field, family);
        sn_vec3x8 push[4];
        if (family == SN_TERM_EDGES) {
            sn_f8 scale = sn_load(&block->inverse_scale);
            sn_f8 across = sn_f8_set(resistance.stiffness * set->stiffness) * term.slack;
            sn_vec3x8 apart = sn_vec3x8_sub(sn_gather_velocities(field, block->node[1]),
                                            sn_gather_velocities(field, block->node[0]));
            pull = pull - across * sn_vec3x8_dot(term.gradient[1], apart);
            push[0] = sn_vec3x8_add(sn_vec3x8_scale(apart, across * scale * scale),
                                    sn_vec3x8_scale(term.gradient[1], pull));
            push[1] = sn_vec3x8_scale(push[0], sn_f8_set(-1.0f));
        } else {
            for (int a = 0; a < sn_term_widths[family]; ++a) {
                push[a] = sn_vec3x8_scale(term.gradient[a], -pull);
            }
        }
        add_forces(block, push, forces, family);
    }
}

// --- stiffness and energy ----------------------------------------------------------------------------------

SN_INLINE void term_diagonal(const sn_term_set *set, const sn_node_state *nodes, sn_resistance resistance,
                             sn_sym3 *blocks, sn_term_family family)
{
    float stiffness = resistance.stiffness * set->stiffness;
    float along = stiffness + resistance.damping * set->damping;
    for (int k = 0; k < SN_PARTS * set->count; ++k) {
        const sn_term_block *block = sn_part_of(set->blocks, sizeof *block, k);
        term8 term;
        measure_term(block, nodes, family, &term);
        for (int i = 0; i < SN_WIDTH; ++i) {
            for (int a = 0; a < sn_term_widths[family]; ++a) {
                sn_vec3 gradient = sn_v(term.gradient[a].x[i], term.gradient[a].y[i], term.gradient[a].z[i]);
                sn_sym3_add_outer(&blocks[block->node[a][i]], gradient, along, stiffness * term.slack[i]);
            }
        }
    }
}

// Gradients of edges are their scales, wherever the nodes are.
SN_INLINE float term_steepest(const sn_term_set *set, const sn_node_state *nodes, sn_term_family family)
{
    sn_f8 most = sn_f8_set(0.0f);
    for (int k = 0; k < SN_PARTS * set->count; ++k) {
        const sn_term_block *block = sn_part_of(set->blocks, sizeof *block, k);
        if (family == SN_TERM_EDGES) {
            sn_f8 scale = sn_load(&block->inverse_scale);
            most = sn_f8_max(most, scale * scale);
            continue;
        }
        term8 term = look_at(block, nodes, family);
        for (int a = 0; a < sn_term_widths[family]; ++a) {
            most = sn_f8_max(most, sn_vec3x8_dot(term.gradient[a], term.gradient[a]));
        }
    }
    float largest = 0.0f;
    for (int i = 0; i < SN_WIDTH; ++i) {
        largest = sn_max(largest, most[i]);
    }
    return largest;
}

// Σ_j |∂²E/∂x_i∂x_j| ≤ k |∂C/∂x_i| Σ_j |∂C/∂x_j| + k |C| × bend.
SN_INLINE void term_bounds(const sn_term_set *set, const sn_node_state *nodes, float *sums,
                           sn_term_family family)
{
    sn_f8 stiffness = sn_f8_set(set->stiffness);
    for (int k = 0; k < set->count; ++k) {
        sn_lanes bound[4];
        for (int i = 0; i < SN_PARTS; ++i) {
            term8 term;
            measure_term(sn_part_of(&set->blocks[k], 0, i), nodes, family, &term);
            sn_f8 steepness[4], sum = sn_f8_set(0.0f), size = sn_f8_max(term.error, -term.error);
            for (int a = 0; a < sn_term_widths[family]; ++a) {
                steepness[a] = sn_f8_sqrt(sn_vec3x8_dot(term.gradient[a], term.gradient[a]));
                sum = sum + steepness[a];
            }
            for (int a = 0; a < sn_term_widths[family]; ++a) {
                sn_store(sn_part_of(&bound[a], 0, i), stiffness * (steepness[a] * sum + size * term.bend));
            }
        }
        for (int a = 0; a < sn_term_widths[family]; ++a) {
            for (int i = 0; i < SN_LANES; ++i) {
                sums[set->blocks[k].node[a][i]] += bound[a].lane[i];
            }
        }
    }
}

// ½ k C², linear beyond the limits of C.
SN_INLINE double term_energy(const sn_term_set *set, const sn_node_state *nodes, sn_term_family family)
{
    double sum = 0.0;
    for (int k = 0; k < SN_PARTS * set->count; ++k) {
        term8 term;
        measure_term(sn_part_of(set->blocks, sizeof *set->blocks, k), nodes, family, &term);
        for (int i = 0; i < SN_WIDTH; ++i) {
            double error = (double)term.error[i];
            sum += error * (0.5 * error + (double)term.beyond[i]);
        }
    }
    return (double)set->stiffness * sum;
}

// A function for each family.
#define SN_TERM_FUNCTIONS(name, family)                                                                      \
    static void forces_of_##name(const sn_term_set *set, const sn_node_state *nodes,                         \
                                 const sn_node_velocity *velocities, sn_node_force *forces)                  \
    {                                                                                                        \
        term_forces(set, nodes, velocities, forces, family);                                                 \
    }                                                                                                        \
    static void resist_##name(const sn_term_set *set, const sn_node_state *nodes, sn_resistance resistance,  \
                              const sn_node_velocity *field, sn_node_force *forces)                          \
    {                                                                                                        \
        term_resist(set, nodes, resistance, field, forces, family);                                          \
    }                                                                                                        \
    static void diagonal_of_##name(const sn_term_set *set, const sn_node_state *nodes,                       \
                                   sn_resistance resistance, sn_sym3 *blocks)                                \
    {                                                                                                        \
        term_diagonal(set, nodes, resistance, blocks, family);                                               \
    }                                                                                                        \
    static float steepest_of_##name(const sn_term_set *set, const sn_node_state *nodes)                      \
    {                                                                                                        \
        return term_steepest(set, nodes, family);                                                            \
    }                                                                                                        \
    static void bounds_of_##name(const sn_term_set *set, const sn_node_state *nodes, float *sums)            \
    {                                                                                                        \
        term_bounds(set, nodes, sums, family);                                                               \
    }                                                                                                        \
    static double energy_of_##name(const sn_term_set *set, const sn_node_state *nodes)                       \
    {                                                                                                        \
        return term_energy(set, nodes, family);                                                              \
    }
SN_TERM_FUNCTIONS(edges, SN_TERM_EDGES)
SN_TERM_FUNCTIONS(areas, SN_TERM_AREAS)
SN_TERM_FUNCTIONS(volumes, SN_TERM_VOLUMES)

const sn_term_kernels SN_BUILD(sn_term_kernels) = {
    .forces = {forces_of_edges, forces_of_areas, forces_of_volumes},
    .resist = {resist_edges, resist_areas, resist_volumes},
    .diagonal = {diagonal_of_edges, diagonal_of_areas, diagonal_of_volumes},
    .steepest = {steepest_of_edges, steepest_of_areas, steepest_of_volumes},
    .bounds = {bounds_of_edges, bounds_of_areas, bounds_of_volumes},
    .energy = {energy_of_edges, energy_of_areas, energy_of_volumes}};
