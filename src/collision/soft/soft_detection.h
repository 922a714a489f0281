// Detection of the contacts of deformables with shapes, with each other and with themselves, in the order of
// the files:
//
//   soft_motion.c        displacement of every node in the step; boxes of the surfaces around them
//   soft_broad_phase.c   surfaces, and parts of shapes, whose boxes overlap
//   soft_mid_phase.c     features of these (nodes, edges, faces) whose boxes overlap; Verlet lists
//   soft_between.c       Verlet lists between surfaces
//   soft_narrow_phase.c  contacts of these features
//   soft_detection.c     all of the above; impulses of the last step for warm starting
//
// The world describes itself by an sn_soft_scene; nothing here knows the world, constraints or the solver.
#ifndef SN_COLLISION_SOFT_SOFT_DETECTION_H
#define SN_COLLISION_SOFT_SOFT_DETECTION_H

#include "base/arena.h"
#include "base/id_pool.h"
#include "base/tasks.h"
#include "collision/broad/bounds_tree.h"
#include "collision/narrow/cast.h"
#include "collision/narrow/shape.h"
#include "collision/soft/soft_exclusions.h"
#include "collision/soft/soft_feature_pairs.h"
#include "matter/nodes.h"
#include "matter/rigid.h"

// A deformable as collision sees it.
typedef struct sn_soft_collider {
    const sn_deformable_def *def; // thickness, material, filter, what it collides with
    sn_soft_surface *surface;     // null if it collides with nothing
    int first_node, node_count;   // in the world's array
    bool sleeps;
    bool jumps; // for the guard: its step began elsewhere than where detection saw it
} sn_soft_collider;

// Everything that detection reads.
typedef struct sn_soft_scene {
    const sn_nodes *nodes;
    const sn_soft_collider *colliders; // by index of the deformable
    int collider_count;
    const sn_body *bodies;
    const sn_shape_data *shapes;
    const sn_bounds_tree *static_tree, *moving_tree; // of shapes
    const sn_id_pool *deformable_ids, *shape_ids;
    sn_soft_exclusions exclusions;
    sn_vec3 gravity;
    float margin;       // contacts are made when surfaces are this close [m]
    float duration;     // of the step, or of what is left of it [s]
    bool may_be_halved; // contacts can be detected again halfway through the step
    bool notes_near;    // for the guard: notes which faces may meet
    // For the guard, after the step: how awake bodies moved in it, by place in their list, and the shapes
    // that left their boxes in the trees. Null before the step: bodies move as their velocities say.
    const sn_motion *motions;
    const int *outliers;
    int outlier_count;
    sn_tasks *tasks;
    sn_arena *arena;
} sn_soft_scene;

// Broad-phase pair: a surface and what may touch it in this step, which is one part of a shape (an obstacle),
// another surface, or the surface itself.
typedef struct sn_soft_pair {
    int deformable;
    int shape, body; // −1 between deformables
    int other;       // the other deformable; −1 with a shape
    uint32_t part;   // of a compound or surface shape
    sn_obstacle obstacle;
    uint32_t vertices[3]; // of a surface shape's triangle, by the shape's numbers
    sn_bounds bounds;     // where the part may be during the step
    bool is_small;        // a round obstacle that fits between the nodes of the surface
    uint8_t sides;        // of the surface where it had contacts in the last step: bit 0 front, bit 1 back
} sn_soft_pair;

typedef SN_ARRAY(sn_soft_contact_data) sn_soft_contact_list;

// Results, and memory that is kept from step to step. Only `contacts` is state of the world.
typedef struct sn_soft_detector {
    sn_soft_contact_list contacts;
    // The first so many of them are between things that sleep: no stage of a step looks at them. 0 once one
    // of these wakes or is removed. Some of the first are in `found`, too, and need not be copied.
    int asleep_count, shared_count;
    bool is_idle;                    // nothing moves in this step, and all contacts are as they were
    sn_soft_contact_list found;      // those of the last step, once `contacts` are those of this one
    bool is_replaced;                // they are
    sn_soft_contact_list redetected; // between deformables, halfway through a step
    bool is_fast;                    // a node moves so far that contacts should be detected again
    int left_out;                    // contacts of this step, since their node had too many
    SN_ARRAY(sn_soft_pair) pairs;
    sn_feature_pair_list feature_pairs;
    // Verlet lists between surfaces; the place of the last that was looked up; numbers of the last reference
    // positions and of this run.
    SN_ARRAY(sn_verlet_between) lists;
    int list_at, stamps, run;
    int most_listed; // pairs in one of them so far
    // For the guard: faces of deformables from Verlet lists that may meet in the step; whether bounds of
    // trees are around all of the step.
    sn_near_faces_array near;
    bool has_whole_bounds;
    SN_ARRAY(int) shapes; // close to the deformable of which pairs are being found
} sn_soft_detector;

// Replaces the contacts of the last step by those of this one. False without memory: nothing is replaced.
bool sn_soft_detect(const sn_soft_scene *scene, sn_soft_detector *detector);
// Puts those of the last step back, if the step cannot be taken after all.
void sn_soft_undo(sn_soft_detector *detector);
// Detects contacts between deformables again, where the nodes are now, into `redetected`. Its first
// `reserved` places are left to the caller. Impulses are those of the present contacts. False without memory.
bool sn_soft_redetect(const sn_soft_scene *scene, sn_soft_detector *detector, int reserved);
void sn_soft_detector_release(sn_soft_detector *detector);
// Memory that it holds.
size_t sn_soft_detector_bytes(const sn_soft_detector *detector);

#endif
