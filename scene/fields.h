// Tables that say what an object of a scene file may hold. One table serves the reader, the writer, the JSON
// Schema and the reference page, so they cannot disagree.
#ifndef SN_SCENE_FIELDS_H
#define SN_SCENE_FIELDS_H

#include "scene/node.h"

typedef enum sn_field_type {
    SN_FIELD_FLAG,           // bool
    SN_FIELD_INTEGER,        // int
    SN_FIELD_NUMBER,         // float
    SN_FIELD_ANGLE,          // float, degrees in the file, radians in the struct
    SN_FIELD_TEXT,           // const char *, owned by the document; null if not given
    SN_FIELD_CHOICE,         // int, index into `choices`
    SN_FIELD_VECTOR,         // sn_vec3
    SN_FIELD_ROTATION,       // sn_quat
    SN_FIELD_COLOR,          // uint32_t 0xRRGGBB
    SN_FIELD_INTERVAL,       // float[2], lower ≤ upper
    SN_FIELD_ANGLE_INTERVAL, // the same in degrees
    SN_FIELD_OBJECT,         // fields of `object`, at `offset` of this struct
    SN_FIELD_NODE            // sn_node, for the section to go on with; the writer skips it
} sn_field_type;

struct sn_object;
struct sn_family;

typedef struct sn_field {
    const char *name;
    sn_field_type type;
    size_t offset;
    const char *text; // documentation
    const char *unit; // null for none
    sn_range range;   // of numbers, and of each member of vectors and intervals
    bool required;
    size_t flag; // offset of a bool that says whether the field was given, plus 1; 0 for none
    const char *const *choices;
    int choice_count;
    const struct sn_object *object; // of SN_FIELD_OBJECT
    void (*choose)(void *place,
                   int choice);     // of SN_FIELD_OBJECT with `choices`: a word instead of its fields
    const struct sn_family *family; // of SN_FIELD_NODE: what may stand there
    const char *form;               // of SN_FIELD_NODE without a family: its form in words
    bool list;                      // of SN_FIELD_NODE: a list of the family's objects
    bool or_one;                    // of SN_FIELD_NODE: one of them instead of a list as well
    const char *schema;             // of SN_FIELD_NODE without a family: its JSON Schema
} sn_field;

// A kind of object, and the struct it is read into.
typedef struct sn_object {
    const char *name; // in families of several, the value of "type"
    const char *text;
    size_t size;                    // of the struct
    void (*defaults)(void *target); // null: all zeros
    const void *initial;            // instead of `defaults`: a struct to copy
    bool tagged;                    // "type" tells it from the others of its family
    const struct sn_object *base;   // whose fields it has as well, in the same struct
    const sn_field *fields;
    int field_count;
} sn_object;

// Objects that may stand in the same place, told apart by "type" if there are several.
typedef struct sn_family {
    const char *name, *text;
    const sn_object *const *objects;
    int count;
} sn_family;

// A row of a table: name, type without its prefix, struct and member, then the text and more as designated
// initialisers.
#define SN_ROW(NAME, TYPE, OWNER, MEMBER, ...)                                                               \
    {                                                                                                        \
        .name = (NAME), .type = SN_FIELD_##TYPE, .offset = offsetof(OWNER, MEMBER), .text = __VA_ARGS__      \
    }

#define SN_FLAG_AT(type, member) (offsetof(type, member) + 1)
#define SN_COUNT(array)          ((int)(sizeof(array) / sizeof((array)[0])))
#define SN_ABOVE_ZERO                                                                                        \
    {                                                                                                        \
        .lower = 0.0, .upper = INFINITY, .above_lower = true                                                 \
    }
#define SN_NOT_NEGATIVE                                                                                      \
    {                                                                                                        \
        .lower = 0.0, .upper = INFINITY                                                                      \
    }
#define SN_BETWEEN(a, b)                                                                                     \
    {                                                                                                        \
        .lower = (a), .upper = (b)                                                                           \
    }

// Fills the struct with what it is when nothing is said.
void sn_object_defaults(const sn_object *object, void *target);
// Reads one field into its place in a struct.
bool sn_field_read(const sn_node *node, const sn_field *field, void *target);
// Reads an object into a struct; complains about everything wrong in it and then returns false.
bool sn_object_read(const sn_node *node, const sn_object *object, void *target);
// The same for one of a family: the object it is, null after a complaint. All objects of a family fill
// structs of the same type.
const sn_object *sn_family_read(const sn_node *node, const sn_family *family, void *target);

// A JSON object of the fields that differ from the defaults. Null without memory.
json_t *sn_object_write(const sn_object *object, const void *source);

// JSON values as the writer makes them: numbers in the fewest digits that give the same float32 again.
json_t *sn_json_number(float value);
json_t *sn_json_numbers(const float *values, int count);
json_t *sn_json_vector(sn_vec3 v);

// A field of an object by name, its bases included; null if there is none.
const sn_field *sn_object_field(const sn_object *object, const char *name);

#endif
