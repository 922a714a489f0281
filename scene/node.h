// A value of a scene file that knows where it stands, so that every complaint names file, line, column, path
// and value. Nodes live on the stack of whoever walks down; a child refers to its parent.
#ifndef SN_SCENE_NODE_H
#define SN_SCENE_NODE_H

#include "scene/document.h"
#include "sinew/math.h"

// Complaints so far, and where values came from that no file holds.
typedef struct sn_mistakes {
    int count;                   // different ones, at most SN_SCENE_MAX_ERRORS
    int said;                    // all, those said before and those beyond the most included
    char text[16384];            // one line each
    bool no_memory, hopeless;    // whatever comes now is not worth reading
    const char *const *settings; // "path=value"
    int setting_count;
    const sn_document *set_document; // that the settings were put into
} sn_mistakes;

// Whether there is no use in going on.
bool sn_mistakes_are_enough(const sn_mistakes *mistakes);

typedef struct sn_node {
    const struct sn_node *parent; // null at the root of a document
    const char *key;              // in the parent; null if the parent is a list
    int index;                    // in the parent's list
    json_t *value;
    const sn_document *document;
    sn_mistakes *mistakes;
} sn_node;

sn_node sn_node_root(const sn_document *document, sn_mistakes *mistakes);
// The value of a key; its `value` is null if the key is not there.
sn_node sn_node_get(const sn_node *node, const char *key);
// A member of a list; the index must be valid.
sn_node sn_node_at(const sn_node *node, int index);
// Members of a list; 0 for everything else.
int sn_node_count(const sn_node *node);

// Records a complaint about the value and returns false, so that a reader ends in
// `return sn_node_fail(node, "…")`. The message should say what was expected.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
bool
sn_node_fail(const sn_node *node, const char *format, ...);

// The same about a key of an object: the place is that of the key, or of the object if the key is missing.
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
bool
sn_node_fail_key(const sn_node *node, const char *key, const char *format, ...);

// The value as text, at most 40 characters; the buffer is the caller's.
#define SN_NODE_TEXT 48
const char *sn_node_text(const sn_node *node, char text[SN_NODE_TEXT]);

// What numbers a field takes. All zeros: any.
typedef struct sn_range {
    double lower, upper; // no bounds if both are 0; upper may be infinite
    bool above_lower;    // lower itself is not allowed
} sn_range;

// Each reads a value of that kind into `*out` or complains; `unit` (may be null) is for the complaint.
bool sn_node_flag(const sn_node *node, bool *out);
bool sn_node_integer(const sn_node *node, sn_range range, int *out);
bool sn_node_number(const sn_node *node, sn_range range, const char *unit, float *out);
bool sn_node_text_value(const sn_node *node, const char **out);
bool sn_node_choice(const sn_node *node, const char *const *choices, int count, int *out);
bool sn_node_vector(const sn_node *node, sn_range range, const char *unit, sn_vec3 *out);
bool sn_node_interval(const sn_node *node, sn_range range, const char *unit, float out[2]);
bool sn_node_rotation(const sn_node *node, sn_quat *out);
bool sn_node_color(const sn_node *node, uint32_t *out);
// Names of colours, beside "#rrggbb"; null beyond the last.
const char *sn_color_name(int index);

#define SN_DEGREE (3.14159265358979323846 / 180.0)

#endif
