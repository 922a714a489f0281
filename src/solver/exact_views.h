// Links in a dense system, as seen where they are now, and the equations between them (exact_systems.c). In
// double, for dense_wide.h's reason: what a link does to a body by turning it may hide what it does by moving
// it.
#ifndef SN_SOLVER_EXACT_VIEWS_H
#define SN_SOLVER_EXACT_VIEWS_H

#include "solver/dense_wide.h"
#include "solver/exact_links.h"

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

typedef struct sn_link_equations {
    const sn_exact_stage *stage;
    sn_link_view views[SN_LINKS_AT_ONCE];
    int count;
    sn_vec3 rows[SN_WIDE_ROWS]; // directions of errors, and of the impulses that take them away
    int row_count;
    bool is_plain; // nothing but nodes: a number instead of every block of three rows
    sn_wide matrix;
} sn_link_equations;

// The links whose ramp has come so far, at most SN_LINKS_AT_ONCE of them. Impulses act at the points held.
void sn_link_view_all(sn_link_equations *equations, const sn_exact_stage *stage, const int *links, int count,
                      float share);
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
// Impulses that take errors away, by view.
void sn_link_solve(const sn_link_equations *equations, const sn_vec3 *errors, sn_vec3 *impulses);

#endif
