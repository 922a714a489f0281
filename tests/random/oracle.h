// What must hold of every legal world, whatever is in it.
#ifndef TESTS_RANDOM_ORACLE_H
#define TESTS_RANDOM_ORACLE_H

#include "random/random_world.h"

typedef enum verdict_type {
    VERDICT_FINE,
    VERDICT_CRASHED,  // or took too long
    VERDICT_REFUSED,  // something legal was refused, or a step failed
    VERDICT_FROZEN,   // something turned non-finite
    VERDICT_ENERGY,   // more of it than at the start and from changes, by 2 %
    VERDICT_MOMENTUM, // not kept where nothing takes any
    VERDICT_THREADS,  // other bits on two threads
    VERDICT_SNAPSHOT, // other bits after a snapshot was restored
    VERDICT_FILE,     // saved, loaded and saved again is not the same file
    VERDICT_MEMORY,   // a call without memory moved or lost something
    VERDICT_CROSSED,  // a deformable passed through another one, or itself, although it is guarded
    VERDICT_CHURNED,  // a step took memory that had been given back: nothing is ever warm
    VERDICT_DRIVEN,   // driven, and more energy than what drives can give
    VERDICT_PUT_BACK, // otherwise fine, but something exploded and began its step anew
    VERDICT_TYPES
} verdict_type;

extern const char *const verdict_names[VERDICT_TYPES];

typedef struct verdict {
    verdict_type type;
    int step;
    double size;        // of energy or momentum: relative to what there was
    int put_back_steps; // in so many steps something began anew,
    int put_back_step;  // first in this one
} verdict;

// Draws nothing: `w` is drawn, some of its items may be off. `folder` is for files.
verdict oracle_judge(random_world *w, const char *folder);

// memory.c: whether every allocation of a few steps may fail. Changes the settings.
bool oracle_lives_without_memory(random_world *w);

// Switches off items as long as the verdict stays of its type.
verdict oracle_shrink(random_world *w, const char *folder, verdict found);

// Writes the start as a scene file.
bool oracle_write_scene(random_world *w, const char *path);

#endif
