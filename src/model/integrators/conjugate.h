// Conjugate gradients for (M + c K) x = b over the nodes of one deformable; K is given by a function that
// multiplies it by a field. Fixed nodes have x = 0 and drop out. Stopping early is safe: x then still lowers
// ½ xᵀ (M + c K) x − bᵀ x, which for velocities is what implicit Euler minimises.
#ifndef SN_MODEL_INTEGRATORS_CONJUGATE_H
#define SN_MODEL_INTEGRATORS_CONJUGATE_H

#include "matter/rigid.h"
#include "solver/nodes/node_solver.h"

#define SN_CONJUGATE_ITERATIONS 60

// Work memory, one vector a node each.
typedef struct sn_conjugate {
    int node_count;
    sn_vec3 *residual; // b when it begins
    sn_vec3 *preconditioned, *direction, *image;
    sn_sym3 *blocks; // approximate inverses of the blocks of M + c K on the diagonal; zero for fixed nodes
    double nothing;  // squared norm of residuals that count as none, whatever b is
} sn_conjugate;

typedef struct sn_conjugate_system {
    const sn_node_state *nodes;
    float factor; // c
    void *model;
    // Writes −K field over `forces`.
    void (*resist)(void *model, const sn_vec3 *field, sn_vec3 *forces, sn_tasks *tasks);
    sn_tasks *tasks;
} sn_conjugate_system;

// False without memory, with nothing left to release.
bool sn_conjugate_make(sn_conjugate *room, int node_count);
void sn_conjugate_release(sn_conjugate *room);

// Makes room->blocks, which hold what K and D put on the diagonal, the inverses of what they are with the
// masses: the preconditioner.
void sn_conjugate_invert_blocks(sn_conjugate *room, const sn_node_state *nodes);

// Solves for `x`, given b in room->residual, and blocks. `x` is a first guess, of which as much is taken as
// helps. Ends when the residual, in the norm of the blocks, is 1e-4 of b, or nothing, or after
// SN_CONJUGATE_ITERATIONS. Returns the squared norm that was enough.
double sn_conjugate_solve(sn_conjugate *room, const sn_conjugate_system *system, sn_vec3 *x);

#endif
