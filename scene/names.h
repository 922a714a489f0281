// A dictionary from names to numbers. Names are copied.
#ifndef SN_SCENE_NAMES_H
#define SN_SCENE_NAMES_H

#include "scene/list.h"

typedef struct sn_names {
    SN_LIST(char *) names; // in the order they came; value of names.items[i] is values.items[i]
    SN_LIST(int) values;
    int *slots; // open addressing: index into names + 1, 0 for empty
    int slot_count;
    struct sn_name_block *block; // that new names are copied to; it leads to those before it
} sn_names;

// False without memory. The name must not be there yet.
bool sn_names_add(sn_names *names, const char *name, int value);
// The value of a name, −1 if it is not there.
int sn_names_find(const sn_names *names, const char *name);
// The nearest name to a misspelt one, null if none is near.
const char *sn_names_suggest(const sn_names *names, const char *misspelt);
void sn_names_release(sn_names *names);

#endif
