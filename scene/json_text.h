// JSON as people write it: short things on one line, numbers in the fewest digits that mean the same.
#ifndef SN_SCENE_JSON_TEXT_H
#define SN_SCENE_JSON_TEXT_H

#include <jansson.h>

// To be freed; null without memory, and for values deeper than Jansson could read again.
char *sn_json_text(const json_t *value);

#endif
