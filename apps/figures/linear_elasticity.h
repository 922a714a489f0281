// Linear elasticity of a mesh of tetrahedra at rest under gravity: constant strains, small displacements,
// solved by conjugate gradients in double. What finite elements are compared with; nothing here knows a
// solver of Sinew's.
#ifndef SINEW_FIGURES_LINEAR_ELASTICITY_H
#define SINEW_FIGURES_LINEAR_ELASTICITY_H

#include "sinew/sinew.h"

typedef struct linear_problem {
    const sn_mesh *mesh;
    const bool *fixed; // by node
    double young, poisson, density;
    double gravity[3];
} linear_problem;

// Displacements, three a node. False without memory, or if it does not converge.
bool linear_elasticity_solve(const linear_problem *problem, double *displacements);

#endif
