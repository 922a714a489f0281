// Which anchors are held exactly, and how (solver/exact.h): decided when anchors come, go, are switched or
// moved, and when nodes are fixed or let go of.
//
// Union–find over nodes (methods C): anchors between two nodes that hold fully merge the nodes into sets. A
// set is carried by at most one thing: a place in the world, or a body that cannot be moved, wins over one
// that can; of equals the first anchor wins. The others of the set's anchors to carriers are held by rows
// instead. All other exact anchors (weighted sums, surfaces, those whose ramp is not over) are links. Links
// that share nodes, sets or bodies are solved together, up to SN_EXACT_SYSTEM of them; the rest are rows. So
// are links on bodies that carry sets, and anchors between two bodies.
#ifndef SN_WORLD_EXACT_H
#define SN_WORLD_EXACT_H

#include "solver/exact.h"
#include "world/world.h"

// The most links solved together.
#define SN_EXACT_SYSTEM 8

// Whether an anchor holds if a step begins now: switched on, and at its time.
bool sn_anchor_is_on(const sn_world *world, int index);
// Something changed that sets and links follow from.
void sn_world_forget_exact(sn_world *world);
// Decides anew if something changed. False without memory: then all are held by rows.
bool sn_world_plan_exact(const sn_world *world);
// Fills the solver's stage for sub-steps of length h; `number` gives solver numbers of bodies. False without
// memory.
bool sn_world_load_exact(sn_world *world, float h, const int *number, sn_exact_stage *stage);
// After a step, bodies being where they stay: riders are put on them, ramps go on, errors are measured.
void sn_world_finish_exact(sn_world *world);
void sn_world_release_exact(sn_world *world);

#endif
