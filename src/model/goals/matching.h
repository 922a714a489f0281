// The best fitting rest shape of one set of nodes (Müller et al. 2005; methods B.4): a rotation R, and a
// linear or quadratic map fitted to the places by least squares, of which a share is taken:
//
//   goal = c + share · Ã q̃ / s + (1 − share) R q
//
// Instead of the matrix Ã, which needs the inverse of a moment matrix that flat and small bodies do not have,
// the functions q̃ (q, then its products of two) are made orthonormal over the nodes, constants included:
// Σ m φ_a φ_b = δ_ab, Σ m φ_a = 0. Then Ã q̃ = Σ_a (Σ m p φ_a) φ_a; functions that the nodes cannot tell from
// the ones before drop out. This also keeps the mass centre where the products' mean is not zero (as printed,
// the quadratic fit moves it).
//
// s keeps the volume: the cube root of what the map multiplies it by. A body that is nearly flat is blown up
// no more than twofold, one that is inside out not at all.
#ifndef SN_MODEL_GOALS_MATCHING_H
#define SN_MODEL_GOALS_MATCHING_H

#include "sinew/deformable.h"

#define SN_MOST_FUNCTIONS 9

// How many functions there are at most.
int sn_matching_functions(sn_matching matching);

// What is known of the rest shape, for masses that sum to one.
typedef struct sn_matching_rest {
    int count;           // of nodes
    const float *masses; // > 0, Σ = 1
    sn_vec3 *arms;       // q: rest places about the mass centre [m]
    float *functions;    // φ: node × functions + function [1]
    int functions_kept;  // the others are zero
    double volume;       // √ of the determinant of Σ m q qᵀ [m³]; 0 for flat bodies
} sn_matching_rest;

// Fills in arms (given as rest places, from any origin) and functions.
void sn_matching_prepare(sn_matching_rest *rest, sn_matching matching);

// How far each node is from its goal, goal − place, for nodes at `places`. `rotation` is where the search for
// R begins and where it ends.
void sn_matching_fit(const sn_matching_rest *rest, sn_matching matching, float share, const sn_vec3 *places,
                     sn_quat *rotation, sn_vec3 *toward);

#endif
