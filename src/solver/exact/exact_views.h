// Links in a system, as seen where they are now, and the equations between them (exact_systems.c). In double,
// for dense_wide.h's reason: what a link does to a body by turning it may hide what it does by moving it.
#ifndef SN_SOLVER_EXACT_EXACT_VIEWS_H
#define SN_SOLVER_EXACT_EXACT_VIEWS_H

#include "math/dense_wide.h"
#include "matter/wide.h"
#include "solver/exact/exact_links.h"

// A body that a link moves: an end of it, or what carries one of its nodes.
typedef struct sn_link_body {
    int body;
    int node;       // that it carries; −1 if it is an end
    int side;       // of the end
    float factor;   // signed weight
    sn_vec3 arm;    // from its centre to the point held
    sn_vec3 action; // to where impulses act
} sn_link_body;

typedef struct sn_link_view {
    const sn_exact_link *link;
    sn_link_state *state;
    int number;
    float share;
    int count;              // of moved nodes
    int nodes[8], units[8]; // the unit is what moves: a node, or minus one minus the number of a set
    float factors[8];       // signed weights
    float weights[8];       // inverse masses of the units
    sn_link_body bodies[8];
    int body_count;
    int first_row, row_count;
} sn_link_view;

// What flows to a body while impulses of many links are summed up.
typedef struct sn_link_flow {
    sn_vec3d linear, angular;
} sn_link_flow;

// Memory of systems that are too large to be solved by elimination. Each has its own range, that of its links
// in the order of all.
typedef struct sn_link_many {
    sn_link_view *views;
    sn_vec3 *rows;              // three a link
    sn_vec3 *errors, *impulses; // by link
    double *vectors;            // SN_LINK_VECTORS of three numbers a link
    sn_vec3d *node_flows;       // by node, of sets by their first; zero but while something flows
    sn_link_flow *body_flows;   // by body
} sn_link_many;

enum { SN_LINK_VECTORS = 6 };

// Memory of one that is not.
typedef struct sn_link_few {
    sn_link_view views[SN_LINKS_AT_ONCE];
    sn_vec3 rows[SN_WIDE_ROWS], errors[SN_LINKS_AT_ONCE], impulses[SN_LINKS_AT_ONCE];
    sn_wide matrix;
} sn_link_few;

typedef struct sn_link_equations {
    const sn_exact_stage *stage;
    const int *links; // of the system
    int link_count;
    sn_link_view *views;
    int count;
    sn_vec3 *rows; // directions of errors, and of the impulses that take them away
    int row_count;
    sn_vec3 *errors, *impulses; // by view
    bool is_plain;              // nothing but nodes: a number instead of every block of three rows
    bool is_large;
    sn_wide *matrix;  // of one that is not large
    double *scales;   // by row, of one that is: those of rows and columns; 0 for one that is zero
    double *unknowns; // by row, scaled
    // Energy, of systems that slide (exact_energy.c).
    bool is_watched;
    double gain; // by all impulses so far [J]
    double lead; // the same, had none of the others been before it
} sn_link_equations;

// The equations of links that follow each other in the order; `few` serves unless they are too many.
sn_link_equations sn_link_equations_of(const sn_exact_stage *stage, const int *links, int count,
                                       sn_link_few *few);
// Looks at the links whose ramp has come so far. Impulses act at the points held.
void sn_link_view_all(sn_link_equations *equations, float share);
// Where bodies are now.
void sn_link_view_bodies(const sn_exact_stage *stage, sn_link_view *view);
// What a unit impulse along a direction does to C along it.
float sn_link_view_response(const sn_exact_stage *stage, const sn_link_view *view, sn_vec3 direction);

// Begins anew with no rows.
void sn_link_clear_rows(sn_link_equations *equations);
// Adds the directions of a link, at most three; to be called in the order of views.
void sn_link_add_rows(sn_link_equations *equations, sn_link_view *view, const sn_vec3 *rows, int count);
void sn_link_add_axes(sn_link_equations *equations, sn_link_view *view);
// Once all have been added.
void sn_link_factor(sn_link_equations *equations);
// Impulses that take errors away.
void sn_link_solve(const sn_link_equations *equations);

// exact_many.c: the same for large systems.
void sn_link_many_factor(const sn_link_equations *equations);
void sn_link_many_solve(const sn_link_equations *equations);
// What the unknowns are flows to nodes and bodies, where impulses act.
void sn_link_many_pour(const sn_link_equations *equations);
// To a node or set.
sn_vec3d *sn_link_flow_of(const sn_exact_stage *stage, int unit);

// exact_moves.c: applies an impulse on b. If it `moves`, then as if at the beginning of the sub-step.
void sn_link_apply(sn_link_equations *equations, const sn_link_view *view, sn_vec3 impulse, bool moves);
// All impulses of a solution: ways of nodes if it moves, else changes of velocities.
void sn_link_apply_all(sn_link_equations *equations, bool moves);

// exact_energy.c: from now on the energy is counted,
void sn_link_energy_watch(sn_link_equations *equations);
// before (`is_first`) and after impulses have acted;
void sn_link_energy_count(sn_link_equations *equations, const sn_link_view *view, sn_vec3 impulse,
                          bool is_first);
// velocities do not change by more than what adds none.
void sn_link_energy_tame(sn_link_equations *equations);

#endif
