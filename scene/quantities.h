// What probes can watch.
#ifndef SN_SCENE_QUANTITIES_H
#define SN_SCENE_QUANTITIES_H

#include "scene/scene_parts.h"

#define SN_ANY_KIND (-1)

typedef struct sn_quantity {
    const char *name, *unit, *text;
    sn_probe_subject subject;
    int kind; // of joint it needs
    // What it watches exists.
    double (*value)(const sn_world *world, const sn_probe_record *probe);
} sn_quantity;

extern const sn_quantity sn_quantities[];
extern const int sn_quantity_count;

#endif
