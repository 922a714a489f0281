// Elements: rows between the nodes of one deformable (edges, bending, tetrahedra, …). They last as long as
// the deformable and are laid out for the solver when it is added.
//
// Rows of one kind form a group: coloured once, so that rows of one colour share no node, and packed into
// blocks of eight lanes. A kind is a table of functions over ranges of blocks; node_solver.c calls nothing
// else. Lanes without a row refer to node 0, the dummy.
//
// One sub-step of a group, in step with the rigid rows (solver.h):
//   warm_start   the last sub-step's impulses are applied
//   solve        one sweep with bias
//   (nodes move)
//   refresh      value, gradient, effective mass and bias at the new positions; unless relax does it
//   relax        one sweep of the hard rows without bias; soft (elastic) rows do nothing
// Tested by tests/solver/elements/test_elements_gauntlet.c.
#ifndef SN_SOLVER_ELEMENTS_ELEMENT_H
#define SN_SOLVER_ELEMENTS_ELEMENT_H

#include "base/processor.h"
#include "base/simd.h"
#include "matter/nodes.h"
#include "solver/rows/softness.h"

// Colours a group may use; rows that find none go to a last, serial one, one row a block.
#define SN_ELEMENT_COLORS 63
// Nodes of a row, at most.
#define SN_ELEMENT_NODES 4

// κ/γ of a soft row beyond which it is swept in both directions (is_stiff below). Blocks of 240 tetrahedra
// were stable in one direction up to 1.4 and unstable at 2.8.
#define SN_FIRM 0.7f

// Largest h²κk of elements of solids in sub-steps: stiffer ones act as stiff as that. A sweep cannot carry
// loads through stiffer ones; blocks of 20 to 320 tetrahedra dropped on a floor came to rest up to 1, and
// never at 2.5.
#define SN_STIFFEST 0.8f

// h²κk and hκd of a soft row, k its stiffness, d its damping, up to which an explicit force is used
// (multirate_span below). Some ten rows that meet at a node of a sheet contribute to each other's κ: explicit
// forces are stable below 0.4.
#define SN_EXPLICIT_LIMIT 0.125f
// The same over the span of sub-steps that one multirate force lasts (multirate_force.h). Cloth on a ball
// comes to rest up to this; at twice as much its folds snap, and so they do in longer spans, in shorter
// sub-steps too: held for 2.5 ms instead, a cloth under 10 kg never comes to rest.
#define SN_MULTIRATE_LIMIT 0.25f
#define SN_MULTIRATE_SPAN  2

// What the functions of a kind see.
typedef struct sn_element_pass {
    const sn_node_state *nodes; // positions, and their own inverse masses
    const sn_node_state *felt;  // positions, and felt inverse masses (node_felt.h)
    sn_node_velocity *velocities;
    const sn_vec3 *user_forces; // during the step, by node of the world [N]
    float h, inverse_h;
    sn_vec3 wind;        // velocity of the air [m/s]
    sn_softness hard;    // of rows without compliance
    sn_softness firmest; // the stiffest any spring may be
    // Positions are those after this much motion with the present velocities: 0, or h while the position
    // solver iterates, whose rows take C back to where the sub-step began, C − ahead J·u (position.h). [s]
    float ahead;
    float reference_rate; // part of Λ − Λ_ref that Λ_ref follows in a sub-step
    float reference_kept; // part of Λ_ref that stays: 0 while a deformable moves freely, else 1
    float yielding_kept; // the same of a Λ_ref against Λ, which keeps rows from pulling with all they could
    float settled;       // part of their length by which hard edges may be off without Λ_ref following
    float stiffest;      // largest h²κk of elements of solids
    float most_damped;   // largest κ/γ of them, damping included
    float bearing;       // ω² of the springs as which hard edges bear a pressure [1/s²]
    float resolved;      // largest κ/γ of soft rows that the position solver resolves; 0 of other solvers
    bool backwards;      // from the last block to the first
    bool is_implicit;    // soft rows are solved as rows always, never by multirate forces
} sn_element_pass;

typedef void (*sn_element_function)(const sn_element_pass *pass, void *blocks, int begin, int end);

// A part of a block that lasts from step to step: impulses for warm starting, rotations that are iterated,
// what measuring between steps needs of the last one.
typedef struct sn_element_memory {
    size_t offset; // in the block
    int count;     // of sn_lanes, one after the other
    float fresh;   // initial value, and the one that replaces non-finite lanes
    bool is_place; // a position, rotation or measure; else an impulse, scaled when sub-steps change
} sn_element_memory;

#define SN_ELEMENT_MEMORIES 4

// Sums over deformed elements.
typedef struct sn_element_measure {
    double stiffest;                   // given: largest κk of springs that rows resolve [1/s²]
    double energy;                     // elastic [J]
    double largest_stretch, stretches; // of hard edges: |length/rest − 1|, and the sum of it
    double largest_error;              // of hard edges [m]
    int hard_edges;                    // their number
} sn_element_measure;

typedef struct sn_element_kind {
    const char *name;
    size_t block_size;
    // All that lasts, impulses first; the list ends at a count of 0. Snapshots and the world's hash save
    // nothing else of a block: all other fields must follow from mesh and definition when the group is made,
    // or be computed by refresh. Otherwise a restored world would not continue bit for bit.
    sn_element_memory memory[SN_ELEMENT_MEMORIES];
    sn_element_function refresh, warm_start, solve, relax; // relax may be null
    bool relax_refreshes; // relax refreshes, which saves a pass over nodes and blocks
    // Whether κ/γ of some soft row is above a limit (null: never). Beyond SN_FIRM one warm-started sweep a
    // sub-step may be unstable: solve then sweeps in both directions. Warm starting turns an error that a
    // sweep multiplies by ν into one of μ = ν ± √(ν(ν − 1)), which is below one in size only for real ν
    // between 0 and 1; symmetric sweeps have no others.
    bool (*is_stiff)(const void *blocks, int block_count, float limit);
    // Whether all rows are so soft that their forces may be explicit: the number of sub-steps one force may
    // last, 0 if they are solved as rows. Asked before any refresh. If so, push (null: never) replaces all
    // other stages; `h` is the length of that span (multirate_force.h). Most rows of cloth are bending rows
    // and soft enough. Being a force, push uses the nodes' own masses. It comes before gravity and other
    // forces, so that it damps only motion that was there.
    int (*multirate_span)(const sn_element_pass *pass, const void *blocks, int block_count);
    sn_element_function push;
    // How many soft rows of a block have more stiffness than the pass resolves (null: none).
    int (*count_unresolved)(const sn_element_pass *pass, const void *block);
    // Where each lane is one row that pushes two nodes, those at the beginning of the block, along one
    // direction: the offset of that direction, three sn_lanes. Else 0.
    size_t direction;
    bool is_air;     // its warm start is the force of the wind
    bool is_elastic; // its rows are soft although they have a relaxing sweep
    // Scales impulses for the warm start: by one factor for hard rows, another for soft ones. Null: rows with
    // a relaxing sweep are hard unless they are elastic, the others soft.
    void (*scale_warm_start)(void *blocks, int block_count, float hard_part, float soft_part);
    // Adds energy and stretch of its elements at the positions of `nodes` (null: none).
    void (*measure)(const sn_node_state *nodes, const void *blocks, int block_count, sn_element_measure *sum);
} sn_element_kind;

// Rows of one kind of one deformable.
typedef struct sn_element_group {
    const sn_element_kind *kind;
    void *blocks; // block_count × kind->block_size bytes, 64-byte aligned; plain data
    int block_count, row_count;
    uint8_t *marks;             // a byte a lane for whoever made the group; may be null
    bool is_stiff;              // by the kind's is_stiff when the step began
    bool is_swept_back;         // stiff, or hard under loads (has_hard)
    int multirate_span;         // by the kind's multirate_span then; 0: solved as rows
    int first_node, node_count; // of its deformable, the world's numbers
    sn_vec3 *pushed;            // by node of these, during a step: see multirate_force.h
    float reference_rate, reference_kept, yielding_kept,
        settled;      // see sn_element_pass; set when a step begins
    sn_softness hard; // of its rows without compliance, where has_hard; else the solver's
    bool has_hard;
    int color_count;
    int color_begin[SN_ELEMENT_COLORS + 2]; // blocks of a colour; the last is the serial one
} sn_element_group;

// An empty group of `row_count` (1 or more) rows over `node_count` nodes, coloured. Row r touches the `width`
// nodes at nodes[r × width] (numbers of the deformable's own, 0 to node_count − 1; a number may be repeated).
// `lanes` (row_count entries, to be given to sn_release by the caller) tells where row r went: block × 8 +
// lane. Blocks are zeroed: the caller fills them in. False without memory.
bool sn_element_group_make(sn_element_group *group, const sn_element_kind *kind, const uint32_t *nodes,
                           int width, int row_count, int node_count, int **lanes);
void sn_element_group_release(sn_element_group *group);

// Visits all memory of a group in a fixed order, eight lanes at a time.
typedef void (*sn_memory_visitor)(void *context, sn_lanes *lanes, const sn_element_memory *memory);
void sn_element_group_visit(const sn_element_group *group, sn_memory_visitor visit, void *context);

// Whether some lane of one field, `stride` bytes from block to block, is above a limit.
static inline bool sn_any_lane_above(const sn_lanes *first, size_t stride, int block_count, float limit)
{
    bool is_above = false;
    for (int k = 0; k < SN_PARTS * block_count; ++k) {
        is_above = is_above || sn_i8_any(sn_load(sn_part_of(first, stride, k)) > sn_f8_set(limit));
    }
    return is_above;
}

// --- gathering and scattering ------------------------------------------------------------------------------

// Eight nodes by their byte offsets in the arrays of states and velocities, so that gathering takes no
// arithmetic. 0 is the dummy.
typedef struct sn_places {
    uint32_t offset[SN_LANES];
} sn_places;

static inline void sn_places_put(sn_places *places, int lane, int node)
{
    places->offset[lane] = (uint32_t)node * (uint32_t)sizeof(sn_node_state);
}
static inline int sn_places_node(const sn_places *places, int lane)
{
    return (int)(places->offset[lane] / sizeof(sn_node_state));
}

// Eight records of four floats, by columns: the one of number n is n strides after the first.
SN_INLINE sn_vec3x8 sn_gather_records4(const void *first, const uint32_t *number, size_t stride,
                                       sn_f8 *fourth)
{
    sn_f4 records[SN_WIDTH];
    sn_f8 rows[4];
    for (int i = 0; i < SN_WIDTH; ++i) {
        memcpy(&records[i], (const char *)first + number[i] * stride, sizeof records[i]);
    }
    sn_columns_of(records, rows);
    *fourth = rows[3];
    return (sn_vec3x8){rows[0], rows[1], rows[2]};
}

// Positions and inverse masses of eight nodes.
SN_INLINE sn_vec3x8 sn_gather_nodes(const sn_node_state *nodes, const int32_t *index, sn_f8 *inverse_mass)
{
    return sn_gather_records4(nodes, (const uint32_t *)index, sizeof *nodes, inverse_mass);
}
SN_INLINE sn_vec3x8 sn_gather_nodes_at(const sn_node_state *nodes, const sn_places *places,
                                       sn_f8 *inverse_mass)
{
    return sn_gather_records4(nodes, places->offset, 1, inverse_mass);
}

// Velocities of eight nodes.
SN_INLINE sn_vec3x8 sn_gather_velocities(const sn_node_velocity *velocities, const int32_t *index)
{
    sn_f8 unused;
    return sn_gather_records4(velocities, (const uint32_t *)index, sizeof *velocities, &unused);
}
SN_INLINE sn_vec3x8 sn_gather_velocities_at(const sn_node_velocity *velocities, const sn_places *places)
{
    sn_f8 unused;
    return sn_gather_records4(velocities, places->offset, 1, &unused);
}

// Writes eight records, except to the dummy, which threads share.
SN_INLINE void sn_scatter_records4(void *first, const uint32_t *number, size_t stride, sn_vec3x8 v,
                                   sn_f8 fourth)
{
    sn_f4 records[SN_WIDTH];
    sn_records_of(v, fourth, records);
    sn_i8 numbers;
    memcpy(&numbers, number, sizeof numbers);
    if (!sn_i8_any(numbers == 0)) {
        for (int i = 0; i < SN_WIDTH; ++i) {
            memcpy((char *)first + number[i] * stride, &records[i], sizeof records[i]);
        }
        return;
    }
    for (int i = 0; i < SN_WIDTH; ++i) {
        if (number[i] != 0) {
            memcpy((char *)first + number[i] * stride, &records[i], sizeof records[i]);
        }
    }
}

// Positions and inverse masses.
SN_INLINE void sn_scatter_nodes(sn_node_state *nodes, const int32_t *index, sn_vec3x8 v, sn_f8 inverse_mass)
{
    sn_scatter_records4(nodes, (const uint32_t *)index, sizeof *nodes, v, inverse_mass);
}

// Velocities.
SN_INLINE void sn_scatter_velocities(sn_node_velocity *velocities, const int32_t *index, sn_vec3x8 v)
{
    sn_scatter_records4(velocities, (const uint32_t *)index, sizeof *velocities, v, sn_f8_set(0.0f));
}
SN_INLINE void sn_scatter_velocities_at(sn_node_velocity *velocities, const sn_places *places, sn_vec3x8 v)
{
    sn_scatter_records4(velocities, places->offset, 1, v, sn_f8_set(0.0f));
}

// What a loop from `begin` to `end` visits at its k-th turn, in the direction of the sub-step.
SN_INLINE int sn_element_turn(const sn_element_pass *pass, int begin, int end, int k)
{
    return pass->backwards ? end - 1 - (k - begin) : k;
}
// The same of the parts of blocks [begin, end).
SN_INLINE void *sn_element_part(const sn_element_pass *pass, const void *blocks, size_t size, int begin,
                                int end, int k)
{
    return sn_part_of(blocks, size, sn_element_turn(pass, SN_PARTS * begin, SN_PARTS * end, k));
}

#endif
