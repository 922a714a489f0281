// What blocks of linear tetrahedra have in common, whatever their material: nodes, gradients of the shape
// functions, and what their matrices were made for.
// Tested by tests/solver/elements/test_elements_gauntlet.c.
#ifndef SN_SOLVER_ELEMENTS_TETRAHEDRON_SHAPE_H
#define SN_SOLVER_ELEMENTS_TETRAHEDRON_SHAPE_H

#include "math/matrix8.h"
#include "solver/elements/element.h"

#define SN_TETRAHEDRON_ROWS 6

typedef struct sn_tetrahedron_shape {
    int32_t node[4][SN_LANES]; // the world's numbers
    sn_lanes gradient[3][3];   // b₁, b₂, b₃ [1/m]; b₀ = −Σ
    sn_lanes inverse_mass[4];  // of the nodes
    sn_lanes made_for[3];      // length of the sub-step, κ/γ and rate of bias of the firmest rows
} sn_tetrahedron_shape;

// A tetrahedron of an elastic material at rest.
typedef struct sn_tetrahedron {
    sn_vec3 gradient[3];
    float young, poisson, volume, damping;
} sn_tetrahedron;

// Writes one tetrahedron into its lane.
static inline void sn_shape_put(sn_tetrahedron_shape *shape, int lane, const int nodes[4],
                                const sn_vec3 gradients[3])
{
    for (int a = 0; a < 4; ++a) {
        shape->node[a][lane] = nodes[a];
    }
    for (int k = 0; k < 3; ++k) {
        sn_lanes_put3(shape->gradient[k], lane, gradients[k]);
    }
}

// b₀ to b₃ of one lane, from those of b₁ to b₃.
static inline void sn_shape_gradients(const sn_lanes *gradients, int lane, double b[4][3])
{
    for (int k = 0; k < 3; ++k) {
        double sum = 0.0;
        for (int a = 3; a > 0; --a) {
            b[a][k] = (double)gradients[3 * (a - 1) + k].lane[lane];
            sum += b[a][k];
        }
        b[0][k] = -sum;
    }
}

// The six rows of the strain (tetrahedron_block.h): their gradients with respect to the node whose shape
// gradient is b, in the frame that R turns: Ċ_i = g_i · Rᵀ v.
static inline void sn_strain_gradients(const double b[3], double g[SN_TETRAHEDRON_ROWS][3])
{
    const double third = 0.57735026918962576, half = 0.70710678118654752, sixth = 0.40824829046386302;
    const double rows[SN_TETRAHEDRON_ROWS][3] = {{b[0] * third, b[1] * third, b[2] * third},
                                                 {b[0] * half, -b[1] * half, 0.0},
                                                 {b[0] * sixth, b[1] * sixth, -2.0 * b[2] * sixth},
                                                 {0.0, b[2], b[1]},
                                                 {b[2], 0.0, b[0]},
                                                 {b[1], b[0], 0.0}};
    memcpy(g, rows, sizeof rows);
}

// Where the nodes are, and their inverse masses.
SN_INLINE void sn_shape_places(const sn_tetrahedron_shape *shape, const sn_node_state *nodes, sn_vec3x8 x[4],
                               sn_f8 inverse_mass[4])
{
    for (int a = 0; a < 4; ++a) {
        x[a] = sn_gather_nodes(nodes, shape->node[a], &inverse_mass[a]);
    }
}

// Σ (x_a − x₀) b_aᵀ: the deformation gradient F of places, its rate of velocities.
SN_INLINE sn_mat3x8 sn_shape_gradient_of(const sn_tetrahedron_shape *shape, const sn_vec3x8 x[4])
{
    sn_vec3x8 along[3], b[3];
    for (int k = 0; k < 3; ++k) {
        along[k] = sn_vec3x8_sub(x[k + 1], x[0]);
        b[k] = sn_load3(shape->gradient[k]);
    }
    return sn_outer_sum3x8(along, b);
}

// Whether the sub-step, its firmest rows or inverse masses differ from those of the matrices; they are noted.
static inline bool sn_shape_is_outdated(sn_tetrahedron_shape *shape, const sn_element_pass *pass,
                                        const sn_f8 inverse_mass[4])
{
    sn_f8 now[3] = {sn_f8_set(pass->h), sn_f8_set(pass->most_damped), sn_f8_set(pass->firmest.bias_rate)};
    sn_i8 differs = {0};
    for (int i = 0; i < 3; ++i) {
        differs |= sn_load(&shape->made_for[i]) != now[i];
    }
    for (int a = 0; a < 4; ++a) {
        differs |= sn_load(&shape->inverse_mass[a]) != inverse_mass[a];
    }
    if (!sn_i8_any(differs)) {
        return false;
    }
    for (int i = 0; i < 3; ++i) {
        sn_store(&shape->made_for[i], now[i]);
    }
    for (int a = 0; a < 4; ++a) {
        sn_store(&shape->inverse_mass[a], inverse_mass[a]);
    }
    return true;
}

SN_INLINE void sn_shape_gather(const sn_element_pass *pass, const sn_tetrahedron_shape *shape, sn_vec3x8 v[4])
{
    for (int a = 0; a < 4; ++a) {
        v[a] = sn_gather_velocities(pass->velocities, shape->node[a]);
    }
}

SN_INLINE void sn_shape_scatter(const sn_element_pass *pass, const sn_tetrahedron_shape *shape,
                                const sn_vec3x8 v[4])
{
    for (int a = 0; a < 4; ++a) {
        sn_scatter_velocities(pass->velocities, shape->node[a], v[a]);
    }
}

#endif
