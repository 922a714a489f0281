// A deformable from inside: a range of nodes, the rows that hold them together, the model if it is not made
// of rows, and the surface that collides.
// Tested by tests/world/deformables/test_deformables.c.
#ifndef SN_WORLD_DEFORMABLES_DEFORMABLE_H
#define SN_WORLD_DEFORMABLES_DEFORMABLE_H

#include "base/error.h"
#include "collision/soft/soft_surface.h"
#include "geometry/mesh/mesh.h"
#include "geometry/shapes/closest_point.h"
#include "long_range/distances.h"
#include "matter/energy_share.h"
#include "model/integrators/integrator.h"
#include "model/model.h"
#include "solver/nodes/node_solver.h"
#include "world/core/fields.h"

#define SN_COOKIE_DEFORMABLE 0x534e4446u

// The types of rows of a deformable (sn_row_builder below).
enum {
    SN_ROWS_EDGES,
    SN_ROWS_BOUNDS,
    SN_ROWS_BENDING,
    SN_ROWS_ENCLOSURE,
    SN_ROWS_TETRAHEDRA,
    SN_ROWS_NEO_HOOKEAN,
    SN_ROWS_AIR,
    SN_ROW_BUILDERS
};

typedef struct sn_deformable_data {
    sn_deformable_def def; // mesh held; edge_options its own; node_masses and name are null
    char *name;            // null for none; the world's to release
    int first_node, node_count;
    SN_ARRAY(sn_element_group) groups;
    int8_t group_of[SN_ROW_BUILDERS]; // place in `groups` by type of rows; −1 if it has none
    SN_ARRAY(int) held; // its nodes that are held in place, as bounds know them, by their own numbers
    bool held_by_body;  // by one that moves freely, but is much heavier than all of it
    sn_vec3 *pulled;    // during a step, if so: what bounds gave that body, by node of its own [N s]
    bool has_levels;    // bounds along its threads (long_range/levels.h)
    float sub_step;     // that impulses of its rows and contacts belong to [s]; 0 before the first
    const sn_model_kind *model_kind; // null if the model is none or made of rows
    void *model;
    float cell, node_mass;       // mean length of edges, 0 without tetrahedra, and mass of nodes [m], [kg]
    sn_integration *integration; // null with the default integrator
    sn_soft_surface surface;     // empty if it collides with nothing
    sn_closest_surface *slide;   // the surface that anchors slide along; null before there is one
    int frozen_count;            // of its nodes
    sn_bounds bounds;            // of its nodes, when it was added or after the last step
    bool edited;                 // nodes may have been written since
    int first_constraint;        // edge of its list (graph.c), −1 for none
    int island_next;             // ring of members (graph.c) that fell asleep together; −1 when awake
    float rest_time;             // how long it has been slow enough to sleep [s]
    sn_energy_share energy;
} sn_deformable_data;

// Whether something that does not move, or is moved, holds some of its nodes.
static inline bool sn_deformable_is_held(const sn_deformable_data *data)
{
    return data->held.count > 0 && !data->held_by_body;
}

static inline bool sn_deformable_sleeps(const sn_deformable_data *data)
{
    return data->island_next >= 0;
}

// Gives the nodes of a deformable, whose range is taken, masses, positions and velocities by its definition,
// then makes its rows and its model. `node_masses` may be null: then they are the definition's. Statuses as
// of sn_deformable_add. On failure what was made is left for sn_deformable_release.
sn_status sn_deformable_fill(sn_deformable_data *data, sn_nodes *nodes, const float *node_masses,
                             sn_error *error, const char *object);
// Where the mesh's node was placed by the definition.
sn_vec3 sn_deformable_rest_place(const sn_deformable_data *data, int node);
// deformables_recovery.c: elements begin without impulses.
void sn_deformable_forget_impulses(const sn_deformable_data *data);

// build_bounds.c: what does not stretch, its edges and, where all of a flat sheet does not, its triangles, by
// numbers of its own. There is no graph where there are no edges. `edges` is emptied first and stays the
// caller's. False without memory.
bool sn_deformable_graph_make(const sn_deformable_data *data, sn_arena *arena, sn_distance_edges *edges,
                              sn_distance_graph *graph);

// The largest principal strain of its elements, in size; `nodes` are its own.
float sn_deformable_largest_strain(const sn_deformable_data *data, const sn_node_state *nodes);

// Makes the rows or the model of a deformable whose nodes are placed and have their masses. On failure what
// was made is left for sn_deformable_release. SN_ERROR_KIND if the mesh lacks what is needed.
sn_status sn_deformable_build(sn_deformable_data *data, const sn_nodes *nodes, sn_error *error,
                              const char *object);
// The input that a model is made from.
sn_model_input sn_deformable_model_input(const sn_deformable_data *data, const sn_nodes *nodes);
// deformable_hold.c: the share of an impulse on a node that moves the deformable as a rigid body in a step of
// length h (sn_node_range). 0 for one without volume, or of free nodes.
float sn_deformable_rigid_mode_share(const sn_deformable_data *data, float h);
// Finds `cell` and `node_mass` of nodes that have their masses.
void sn_deformable_find_cell(sn_deformable_data *data, const sn_nodes *nodes);
// Copies the edge options of the definition. False without memory: then it has none.
bool sn_deformable_keep_options(sn_deformable_data *data);
// Frees rows, model, edge options and the reference to the mesh; nodes belong to the caller.
void sn_deformable_release(sn_deformable_data *data);

// deformable_check.c: the fields of a definition, in the order in which snapshots keep them: edge options
// come after those of its matter, then those of its contacts.
extern const sn_field sn_deformable_matter_fields[], sn_deformable_contact_fields[], sn_edge_option_fields[];
// Clears what the model and masses of single nodes do not use, so that it is neither checked nor saved.
void sn_deformable_forget_ignored(sn_deformable_def *def);
// Checks of the fields that may change while a deformable exists.
sn_status sn_deformable_check_tunable(const sn_deformable_def *def, sn_error *error, const char *object);
// Checks of all fields but the name; normalises the rotation.
sn_status sn_deformable_check(sn_deformable_def *def, sn_error *error, const char *object);

// --- row builders ------------------------------------------------------------------------------------------

// Makes the rows of one type. A deformable lists its rows in the order of the types.
typedef struct sn_row_builder {
    // Makes them, if the definition asks for them (`group->kind` stays null if not). SN_ERROR_MEMORY,
    // SN_ERROR_KIND.
    sn_status (*make)(const sn_deformable_data *data, const sn_nodes *nodes, sn_error *error,
                      const char *object, sn_element_group *group);
    // Whether rows that were made for one definition are those of the other, but for their numbers.
    bool (*serves)(const sn_deformable_def *before, const sn_deformable_def *after);
    // Writes the numbers of the definition into rows that serve; their impulses and rotations stay.
    void (*tune)(const sn_deformable_data *data, const sn_nodes *nodes, sn_element_group *group);
} sn_row_builder;

extern const sn_row_builder sn_build_edges, sn_build_bounds, sn_build_bending, sn_build_enclosure,
    sn_build_tetrahedra, sn_build_neo_hookean, sn_build_air;
extern const sn_row_builder *const sn_row_builders[SN_ROW_BUILDERS];

// --- deformable_refit.c ------------------------------------------------------------------------------------

// Parts that a change of the definition concerns, as bits.
enum {
    SN_PART_EDGES = 1 << SN_ROWS_EDGES,
    SN_PART_BOUNDS = 1 << SN_ROWS_BOUNDS,
    SN_PART_BENDING = 1 << SN_ROWS_BENDING,
    SN_PART_ENCLOSURE = 1 << SN_ROWS_ENCLOSURE,
    SN_PART_AIR = 1 << SN_ROWS_AIR,
    SN_PART_MODEL =
        1 << SN_ROWS_EDGES | 1 << SN_ROWS_TETRAHEDRA | 1 << SN_ROWS_NEO_HOOKEAN | 1 << SN_ROW_BUILDERS
};

// Gives a deformable another definition, which has been checked and differs only in numbers that these parts
// are made from or that steps look up. Rows that serve get other numbers and keep impulses and rotations,
// others are made again. On failure nothing has changed: SN_ERROR_MEMORY, SN_ERROR_KIND.
sn_status sn_deformable_refit(sn_deformable_data *data, const sn_nodes *nodes, const sn_deformable_def *def,
                              int parts, sn_error *error, const char *object);
// Removes its bounds, until the next step finds them anew.
void sn_deformable_drop_bounds(sn_deformable_data *data);

#endif
