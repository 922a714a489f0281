// What implicit models make of pushes (methods B.2). Contacts and anchors solved with W = M⁻¹, after a model
// whose own equations are (M + cK) Δv = …, push free nodes where there is a body: their impulses are too
// small by an amount that grows with s = h² k/m, threefold at 8.
//
// So nodes that contacts and anchors touch feel as heavy as what they hold (node_felt.h): as much as answers
// (M + cK)⁻¹ give if all of the touched ones are pushed alike. That is a diagonal no less than the matrix
// behind it, so that sweeps never overshoot (each node has its share of the body, as in mass splitting). What
// rows did to a node, P = Δv/w, is then taken back and given to the model, which spreads it over the body by
// (M + cK)⁻¹ P. Impulses kept from the last sub-step are in velocities before the model runs, which answers
// them with all else; what is left for sweeps is small, and nothing at rest.
//
// Nodes that are held exactly answer by what holds them instead.
#ifndef SN_SOLVER_NODES_NODE_RESPONSE_H
#define SN_SOLVER_NODES_NODE_RESPONSE_H

#include "solver/nodes/node_solver.h"

// Of one model with nodes that are touched.
typedef struct sn_node_response {
    const sn_model_stage *stage;
    int count;       // of nodes that are touched
    int *nodes;      // the world's numbers
    sn_vec3 *before; // velocities before rows changed them
    sn_vec3 *field;  // by node of the model: impulses, then changes of velocity
    bool is_pushed;  // some impulse is not zero
} sn_node_response;

typedef struct sn_node_responses {
    sn_node_response *items;
    int count;
} sn_node_responses;

// Finds which nodes are touched and what they weigh, before rows are made; nothing if no model responds.
// False without memory.
bool sn_responses_begin(sn_node_solver *solver);
// Around rows that change velocities: remembers these,
void sn_responses_open(const sn_node_solver *solver);
// takes back what rows did to touched nodes, and keeps it as impulses;
void sn_responses_take(const sn_node_solver *solver);
// then models answer these,
void sn_responses_answer(const sn_node_solver *solver);
// or, after the warm start, run with these in velocities.
void sn_responses_start(const sn_node_solver *solver);
// Whether a model is run there.
bool sn_responses_has(const sn_node_solver *solver, const sn_model_stage *stage);

#endif
