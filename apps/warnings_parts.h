// What the warnings share: the scene under inspection, and how a warning is counted and told.
#ifndef SINEW_APPS_WARNINGS_PARTS_H
#define SINEW_APPS_WARNINGS_PARTS_H

#include "apps/terminal.h"
#include "scene/list.h"
#include "sinew_scene/scene.h"

#define WARN_UNMET_ERROR 1.0e-3 // of joints and anchors [m] or [rad]
#define WARN_MASS_RATIO  1000.0 // beyond it the solver needs many sub-steps

#define WARN_ARM  0.5  // of anchors beside a body, by its longest side
#define WARN_STEP 0.05 // of a scene [s]

// How many there are of a sort, and the worst of them.
typedef struct tally {
    int count;
    double worst;
    int index; // of the worst
} tally;

typedef struct inspector {
    const terminal *terminal;
    const sn_scene *scene;
    sn_world *world;
    int warnings;
    int conflicts; // exact anchors that rows hold at the start
    SN_LIST(sn_rigid) rigids;
    SN_LIST(sn_constraint) constraints;
    SN_LIST(sn_contact) contacts;
    SN_LIST(sn_deformable) deformables;
    SN_LIST(sn_anchor) anchors;
} inspector;

// Counts what is worse than the limit.
void warnings_note(tally *tally, double badness, double limit, int index);
// Of two masses, the larger by the smaller; 1 if one does not move.
double warnings_ratio(double a, double b);

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void
warn(inspector *inspector, const char *format, ...);

// warnings_soft.c. Those that return something return false without memory.
bool warnings_gather_softs(inspector *inspector);
bool warn_of_deformables(inspector *inspector);
// warnings_anchors.c
bool warn_of_anchors(inspector *inspector);
// The last of all, for it leaves the anchors as they are at some later time.
bool warn_of_later_anchors(inspector *inspector);
// warnings_soft.c, after a glimpse of a step.
bool warn_of_soft_contacts(inspector *inspector);

#endif
