// Random legal worlds: a list of items (bodies, deformables, joints, anchors, changes while running), each
// made from a seed of its own, so that any of them can be left out without changing the others. That is how a
// world that fails is shrunk to the few items that matter.
#ifndef TESTS_RANDOM_RANDOM_WORLD_H
#define TESTS_RANDOM_RANDOM_WORLD_H

#include "sinew/sinew.h"
#include "support/random.h"

#include <stdio.h>

typedef enum item_type { ITEM_BODY, ITEM_SOFT, ITEM_JOINT, ITEM_ANCHOR, ITEM_CHANGE, ITEM_TYPES } item_type;

#define MAX_ITEMS 48

// How much of the first oracles' ground a world leaves them: what drives it from outside.
typedef struct world_kind {
    bool is_driven;   // motors, moving kinematic bodies, wind: energy may come in
    bool is_floating; // neither gravity nor anything that does not move: momentum is kept
    bool may_damp;    // something that takes momentum: damping, locks
} world_kind;

typedef struct item {
    item_type type;
    uint64_t seed;
    bool is_off;
    int step; // of changes: before which step
    // Once built, if it was:
    bool is_built;
    sn_rigid rigid;
    sn_deformable soft;
    sn_constraint constraint;
    char what[96]; // for messages: "anchor exact node–world"
} item;

typedef struct random_world {
    uint64_t seed;
    world_kind kind;
    sn_world_def def;
    float step; // length [s]
    int steps;
    item items[MAX_ITEMS];
    int item_count;
    sn_world *world; // null before it is built
} random_world;

// The settings and the list of items of a seed; nothing is built.
void random_world_draw(random_world *w, uint64_t seed);
// Builds what is not off. False, with a message on stderr, if the library refuses what should be legal.
bool random_world_build(random_world *w, int threads);
void random_world_release(random_world *w);
// Makes the changes that come before a step. Energy may have come from them, which the caller measures.
// False if the library refuses one.
bool random_world_change(random_world *w, int step, bool *energy_unknown);

// One file each.
bool random_body_add(random_world *w, int number);
bool random_soft_add(random_world *w, int number);
bool random_joint_add(random_world *w, int number);
bool random_anchor_add(random_world *w, int number);

// A number whose logarithm is uniform.
float random_log(test_random *random, float lower, float upper);
bool random_chance(test_random *random, float share);
int random_below(test_random *random, int count);
// The place of an item: a cell of a grid, so that nothing overlaps at the start.
sn_vec3 random_cell(const random_world *w, int number);
// Some item of a type that is built, other than `not_this`; null if there is none. Which one does not depend
// on items that are off, as far as possible.
const item *random_item(const random_world *w, test_random *random, item_type type, const item *not_this);
bool random_refused(const random_world *w, int number, sn_status status);

#endif
