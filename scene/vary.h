// Copies that differ: `vary` of a repetition gives each copy a size, a turn, a place, a colour and a material
// of its own, drawn by a seeded random number generator: the same every time.
#ifndef SN_SCENE_VARY_H
#define SN_SCENE_VARY_H

#include "scene/fields.h"

typedef struct sn_vary {
    bool given;
    int seed;
    bool has_size;
    float size[2]; // factor: least and most
    float turn;    // at most, about any axis [rad]
    sn_vec3 shift; // at most, either way [m]
    sn_node colors, materials;
} sn_vary;

extern const sn_family sn_family_vary;

// Reads `vary` of a repetition, which need not be there; false after a complaint.
bool sn_vary_read(const sn_node *repeat, sn_vary *vary);
// The entry as copy `number` has it, a new value; null without memory. What is wrong in the entry stays
// wrong.
json_t *sn_vary_entry(const sn_vary *vary, int number, const sn_node *entry);

#endif
