// Coupling of implicit models with contacts and anchors (methods B.2). An implicit model solves (M + cK) Δv =
// …. Rows that are solved after it with W = M⁻¹ push single nodes where there is a connected body, and their
// impulses are too small by an amount that grows with s = h² k/m: threefold at 8.
//
// So nodes that contacts and anchors touch get a felt mass (node_felt.h): that of the response (M + cK)⁻¹ if
// all touched nodes are pushed alike. It is a diagonal that bounds the response matrix, so that sweeps never
// overshoot (each node has its share of the body, as in mass splitting). The impulse on a node, P = Δv/w, is
// then taken back and given to the model, which spreads it over the body by (M + cK)⁻¹ P. Impulses kept from
// the last sub-step are added to velocities before the model runs, which answers them with everything else;
// what is left for sweeps is small, and zero at rest.
//
// Nodes that exact attachments hold do not respond through the model.
#ifndef SN_SOLVER_NODES_NODE_RESPONSE_H
#define SN_SOLVER_NODES_NODE_RESPONSE_H

#include "solver/nodes/node_solver.h"

// One model with touched nodes.
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

// Finds the touched nodes and sets their felt masses, before rows are made; does nothing if no model
// responds. False without memory.
bool sn_responses_begin(sn_node_solver *solver);
// Before rows change velocities: stores them.
void sn_responses_open(const sn_node_solver *solver);
// After rows: takes their changes back from touched nodes, and keeps them as impulses.
void sn_responses_take(const sn_node_solver *solver);
// Models answer these impulses.
void sn_responses_answer(const sn_node_solver *solver);
// After the warm start instead: models run with these impulses added to velocities.
void sn_responses_start(const sn_node_solver *solver);
// Whether a model runs in sn_responses_start instead of sn_nodes_apply_models.
bool sn_responses_has(const sn_node_solver *solver, const sn_model_stage *stage);

#endif
