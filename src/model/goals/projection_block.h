// Projections of positions onto lengths and volumes (position-based dynamics, methods B.3), eight at a time:
// each removes a share of its error, moving nodes in proportion to their inverse masses. Coloured as elements
// are (element.h), but they move positions and have no impulses.
#ifndef SN_MODEL_GOALS_PROJECTION_BLOCK_H
#define SN_MODEL_GOALS_PROJECTION_BLOCK_H

#include "solver/elements/element.h"

// Node numbers are those of `places`, 0 the dummy that stays where it is.
typedef struct sn_length_block {
    int32_t node[2][SN_LANES];
    sn_lanes rest; // [m]
} sn_length_block;

typedef struct sn_volume_block {
    int32_t node[4][SN_LANES];
    sn_lanes six_fold; // 6 V at rest [m³]
    sn_lanes size;     // a mean edge: the farthest a node moves in one projection [m]
} sn_volume_block;

typedef struct sn_projection_pass {
    sn_node_state *places;
    float length_share, volume_share; // of errors that are taken away
} sn_projection_pass;

typedef void (*sn_projection)(const sn_projection_pass *pass, void *blocks, int begin, int end);

// Over ranges of blocks of one colour.
typedef struct sn_projections {
    sn_projection lengths, volumes;
} sn_projections;

SN_DECLARE_KERNELS(sn_projections, sn_projections);

#endif
