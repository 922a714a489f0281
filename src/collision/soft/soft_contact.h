// A contact of a deformable: at most four nodes with weights, against one point of a rigid body or against
// another deformable (or itself). It is recognised from step to step by the key of the two features in
// contact. Knows geometry, not how impulses are found.
// Tested by tests/collision/soft/test_contact_table.c.
#ifndef SN_COLLISION_SOFT_SOFT_CONTACT_H
#define SN_COLLISION_SOFT_SOFT_CONTACT_H

#include "base/id_pool.h"
#include "sinew/math.h"

#define SN_SOFT_NODES 4

// Kind of a feature, in its top two bits; its number is in the others.
typedef enum sn_soft_feature { SN_SOFT_NODE, SN_SOFT_EDGE, SN_SOFT_FACE } sn_soft_feature;

static inline uint32_t sn_soft_feature_name(sn_soft_feature kind, uint32_t number)
{
    return (uint32_t)kind << 30 | number;
}

static inline sn_soft_feature sn_soft_feature_kind(uint32_t feature)
{
    return (sn_soft_feature)(feature >> 30);
}
static inline uint32_t sn_soft_feature_number(uint32_t feature)
{
    return feature & 0x3fffffffu;
}

// In `piece`: an edge, not a corner.
#define SN_SOFT_PIECE_EDGE 0x80000000u
// In `other`: index of a deformable, not of a shape.
#define SN_SOFT_OTHER_DEFORMABLE 0x80000000u

// The two features. Without padding, so that keys can be compared as bytes. Generations distinguish things
// that were removed from those that took over their index.
typedef struct sn_soft_key {
    uint32_t deformable; // index
    uint32_t feature;
    uint32_t other; // index of the shape or deformable
    uint32_t part;  // of a compound, triangle of a surface; feature of the other deformable
    uint32_t piece; // corner + 1, or edge + 1 with the top bit set, of an obstacle; 0 for all of it
    uint16_t generation, other_generation;
} sn_soft_key;

static inline bool sn_soft_key_is_soft(const sn_soft_key *key)
{
    return (key->other & SN_SOFT_OTHER_DEFORMABLE) != 0;
}
// Index of the other deformable or of the shape.
static inline int sn_soft_key_other(const sn_soft_key *key)
{
    return (int)(key->other & ~SN_SOFT_OTHER_DEFORMABLE);
}
// Whether both sides still exist.
static inline bool sn_soft_key_is_current(const sn_soft_key *key, const sn_id_pool *deformable_ids,
                                          const sn_id_pool *shape_ids)
{
    return sn_id_pool_holds(deformable_ids, (int)key->deformable, key->generation) &&
           sn_id_pool_holds(sn_soft_key_is_soft(key) ? deformable_ids : shape_ids, sn_soft_key_other(key),
                            key->other_generation);
}

typedef struct sn_soft_contact_data {
    sn_soft_key key;
    int body;  // the world's number of the rigid body on the other side; −1 between deformables
    int width; // nodes in use
    int nodes[SN_SOFT_NODES];     // the world's numbers
    float weights[SN_SOFT_NODES]; // positive ones sum to 1; negative ones, of the other deformable, to −1
    sn_vec3 normal;               // unit, from the other side to the deformable of the key
    sn_vec3 point;                // on that deformable, when the step began: where impulses act
    float separation;             // of the surfaces then; after the step, at its end
    float side;                   // ±1: of a sheet on which the obstacle was when they first met; else 0
    // Against a ball that is small compared to the cells, normal and weights follow it within the step:
    // `ball` is its centre when the step began, `reach` how close nodes may come to that, `out` the normal of
    // the surface at an edge or node, zero on the boundary of a sheet.
    bool follows;
    sn_vec3 ball, out;
    sn_vec3 axis; // of a capsule, unit: only what is across it counts; zero for a ball
    float reach;
    bool closes;    // the sides touch, or may within the step
    float approach; // speed of approach when the step begins; 0 while both sleep [m/s]
    float friction, restitution;
    sn_vec3
        surface_velocity; // of the shape along itself, beyond that of its body, world axes; set to be solved
    // Impulses on the deformable of the key: of the last sub-step, for warm starting, and over the last step.
    float normal_impulse;
    sn_vec3 friction_impulse;
    float total_normal;
    sn_vec3 total_friction;
} sn_soft_contact_data;

#endif
