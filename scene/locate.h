// Finds the place of a value in the text of a JSON document, for messages. The text has been parsed before,
// so it is known to be JSON; it is walked again only when there is something to complain about.
#ifndef SN_SCENE_LOCATE_H
#define SN_SCENE_LOCATE_H

#include <stdbool.h>
#include <stddef.h>

// One step down: a key of an object, or, with a null key, an index of an array.
typedef struct sn_path_step {
    const char *key;
    int index;
} sn_path_step;

typedef struct sn_place {
    int line, column; // from 1; columns count characters
    bool is_exact;    // false if a step led nowhere: the place is that of the deepest thing there is
} sn_place;

// The place of the value the steps lead to; of its key if `key_itself`.
sn_place sn_locate(const char *text, size_t size, const sn_path_step *steps, int count, bool key_itself);

#endif
