// Air drag and lift of surfaces and strands: forces, applied with the warm start of every sub-step.
//
// A triangle of area A and unit normal n moves through the air with the relative velocity r = wind − own
// velocity, s = |r|. Its effective area is A |n·r|/s, on which the air exerts (Wejchert and Haumann 1991,
// with lift)
//   drag   ½ρ C_d A |n·r| r                  along r
//   lift   ½ρ C_l A |n·r| (s n' − |n·r| r/s)  across r, towards n' = ± n, the side away from the wind
// Sheets feel air on both sides, closed surfaces from outside only: a ball has the drag ½ρ C_d πR² s². An
// edge of a strand with thickness d and length l has the drag ½ρ C_d d l |r'| r', where r' is the part of r
// across it.
//
// The forces of a gale on light cloth would reverse its velocity in a sub-step, so a force c r is applied as
// c r/(1 + hc/m), as by implicit damping. m is the element's share of its nodes' masses: all elements around
// a node push at once, and with the full mass the nodes at the rim would become faster than the wind.
#ifndef SN_SOLVER_ELEMENTS_AIR_BLOCK_H
#define SN_SOLVER_ELEMENTS_AIR_BLOCK_H

#include "solver/elements/element.h"

// ρ [kg/m³].
#define SN_AIR_DENSITY 1.2f

typedef struct sn_air_block {
    int32_t node[3][SN_LANES];   // the world's numbers; of strands the third is the dummy
    sn_lanes drag, lift;         // ½ρ C [kg/m³]
    sn_lanes response;           // 1/m [1/kg]
    sn_lanes width;              // of strands: thickness [m]
    int32_t one_sided[SN_LANES]; // −1 where only the side of the normal feels air, else 0
    // Of the present positions.
    sn_lanes direction[3]; // normal; of strands along the edge
    sn_lanes area;         // [m²]
    sn_lanes inverse_mass[3];
} sn_air_block;

// What the air acts on.
typedef enum sn_air_target { SN_AIR_TRIANGLES, SN_AIR_STRANDS, SN_AIR_TARGETS } sn_air_target;

// One triangle or edge.
typedef struct sn_air_row {
    int node[3];
    float drag, lift; // coefficients
    float mass;       // m [kg]; 0 if none of it moves
    float width;
    bool one_sided;
} sn_air_row;

void sn_air_put(sn_element_group *group, int lane, const sn_air_row *row);
// Gives what is in a lane other coefficients and, of strands, another width.
void sn_air_tune(sn_element_group *group, int lane, float drag, float lift, float width);

typedef sn_element_kind sn_air_kinds[SN_AIR_TARGETS];
// How hard the air pushes on all elements together, whichever way, where nodes are now; at most. [N]
double sn_air_load(const sn_element_group *group, const sn_node_state *nodes,
                   const sn_node_velocity *velocities, sn_vec3 wind);

SN_DECLARE_KERNELS(sn_air_kinds, sn_element_air);

#endif
