// The hanging checkerboard of Gissler 2006, figures 1 and 2 (methods H): twenty rows of cubes, n and n − 1 in
// turn, five tetrahedra each. Cubes that are diagonal neighbours have one edge along the depth in common: two
// nodes of one are two of the other. The upper nodes of the first row are nailed.
#ifndef BENCH_SHARED_EXACT_BOARD_H
#define BENCH_SHARED_EXACT_BOARD_H

#include "sinew/sinew.h"

/// Neither size, masses nor step are in the paper. Edges are 0.1 m long, nodes weigh 0.01 kg; with its
/// stiffness (10 and 20 N m, damping 0.001) Verlet is stable up to 1.4 ms.
#define BOARD_STEP 0.001f

typedef struct exact_board_def {
    int columns; ///< n
    bool exact;  ///< false: the same anchors as rows of the solver
    int sub_steps;
    sn_integrator integrator;
} exact_board_def;

/// A node, and what it is held to: another node, or a place.
typedef struct exact_tie {
    int node, other; ///< −1: the place
    sn_vec3 place;
} exact_tie;

typedef struct exact_board {
    sn_world *world;
    sn_deformable cubes;
    exact_tie *ties;
    int cube_count, pair_count, nail_count;
} exact_board;

/// Constraints of a board, and points that are part of them, as the paper counts (figures 1 and 2).
int exact_board_constraints(int columns);
int exact_board_points(int columns);

sn_status exact_board_open(exact_board *board, const exact_board_def *def);
void exact_board_close(exact_board *board);
/// How far apart what is tied together is now, at most [m].
double exact_board_error(const exact_board *board);
/// The largest coordinate of a node in size [m].
double exact_board_size(const exact_board *board);

/// Milliseconds of a step.
typedef struct exact_cost {
    double step;        ///< CPU time of the whole
    double models;      ///< inner forces, gravity, the scheme
    double constraints; ///< exact anchors, or all that is done for rows
    double moving;      ///< positions from velocities
    double worst_error; ///< after any step [m]
    double size;        ///< largest coordinate [m]
} exact_cost;

/// Runs do the same to the bit: each step counts with the shortest time of all runs. Steps do the same work:
/// the median of them is taken.
sn_status exact_board_cost(const exact_board_def *def, int steps, int runs, exact_cost *cost);

#endif
