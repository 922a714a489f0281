// What is watched from step to step: crossings of deformables, and memory.
#ifndef TESTS_RANDOM_WATCH_H
#define TESTS_RANDOM_WATCH_H

#include "random/random_world.h"

typedef struct watch {
    // By item, the later one first: a deformable pierces the other one, or itself.
    bool is_crossed[MAX_ITEMS][MAX_ITEMS];
    // Of the library: allocations before the step, and what it held at most after any step since a change.
    uint64_t allocations, most_bytes;
    int rest_steps; // so many in a row ended with everything at rest
} watch;

// Before the first step.
void watch_begin(watch *watch, const random_world *w);
// Before each step, after the changes that come before it: what they ask for is new.
void watch_before(watch *watch, const random_world *w, int step);
// After a step: whether two deformables, or one and itself, that had no crossing when the step began have one
// that the guard promises not to let happen.
bool watch_crossings(watch *watch, const random_world *w);
// After a step: whether it took memory although it left no more in use than there was before: what is given
// back only to be taken again is never warm. What is new, as more contacts than ever, may need more, but not
// where everything has been at rest for a while.
bool watch_memory(watch *watch, const random_world *w);

#endif
