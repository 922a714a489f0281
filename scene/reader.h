// Reading a scene file: passes over sections, parts in parts, copies of what is repeated, names.
//
// A section is one file: a table of what its entries hold and a function that reads one entry. The driver in
// reader.c walks the lists, the parts and the repetitions; adding a section is adding its file and a line in
// sections.c.
#ifndef SN_SCENE_READER_H
#define SN_SCENE_READER_H

#include "scene/fields.h"
#include "scene/names.h"
#include "scene/scene_parts.h"

#define SN_SUFFIX 40

// A frame in which positions are given and names are looked for: the scene, a part, a copy of either.
typedef struct sn_scope {
    const struct sn_scope *parent;
    sn_pose pose;
    char prefix[SN_MAX_NAME + 1]; // of names given inside
    char suffix[SN_SUFFIX];       // of the entry's own name: "[3]" in a repetition
    bool repeated;                // the names inside are those of one copy of several
    bool has_previous;
    char previous[SN_MAX_NAME + 1]; // the prefix in the copy before
} sn_scope;

// When a section is read: settings before the world exists, matter into it, links between matter, then views.
typedef enum sn_pass {
    SN_PASS_SETTINGS,
    SN_PASS_MATTER,
    SN_PASS_LINKS,
    SN_PASS_VIEWS,
    SN_PASS_COUNT
} sn_pass;

typedef struct sn_material {
    float density, friction, restitution, rolling_resistance;
    bool has_color;
    uint32_t color;
} sn_material;

// What a shape is made of. Shared geometry belongs to the reader until it is released.
typedef struct sn_geometry {
    sn_shape_type type;
    union {
        sn_sphere sphere;
        sn_capsule capsule;
        sn_box box;
        sn_plane plane;
        sn_hull *hull;
        sn_surface *surface;
        sn_compound *compound;
    };
} sn_geometry;

// Geometry made from a value of a document, so that copies share it.
typedef struct sn_made_geometry {
    const json_t *value;
    sn_geometry geometry;
} sn_made_geometry;

typedef struct sn_made_mesh {
    const json_t *value;
    sn_mesh *mesh;
} sn_made_mesh;

// What a part or a whole file may hold: fields of its own, and sections.
#define SN_MAX_MEMBERS 48

typedef struct sn_members {
    sn_field fields[SN_MAX_MEMBERS];
    sn_object object;
} sn_members;

// Parts within parts, files included from files.
#define SN_MAX_PART_DEPTH 24

typedef struct sn_reader {
    sn_scene *scene;
    sn_mistakes mistakes;
    int threads;
    SN_LIST(sn_document *) documents; // the scene's own first; each file once
    sn_members scene_members, part_members;
    int part_depth;
    const sn_document *including[SN_MAX_PART_DEPTH]; // files that are being read, the outermost first
    int include_depth;
    int entry_count;        // of this pass, copies included
    bool names_are_missing; // some things could not even be named, so that unknown names may be theirs
    sn_world_def world_def;
    bool assemble;
    float assemble_tolerance;
    // Names lead to indices into the lists below them, −2 for what failed.
    sn_names body_names;
    sn_names joint_names, anchor_names; // anchors may share one: the first has it
    SN_LIST(sn_rigid) bodies;
    SN_LIST(sn_constraint) joints; // anchors as well
    SN_LIST(sn_rigid) sleepers;    // bodies that begin asleep
    sn_names deformable_names;
    SN_LIST(sn_deformable) deformables;
    SN_LIST(sn_deformable) soft_sleepers;
    SN_LIST(sn_made_mesh) meshes;
    sn_names material_names;
    SN_LIST(sn_material) materials;
    SN_LIST(const json_t *) material_values; // where each came from: the same file may be included twice
    sn_names shape_names;
    SN_LIST(sn_node) shape_nodes;  // roots of named shapes
    SN_LIST(sn_node *) kept_nodes; // see sn_reader_keep
    SN_LIST(json_t *) varied;      // entries of copies that differ
    SN_LIST(sn_made_geometry) geometries;
    int *geometry_slots; // hash of the values, open addressing; index + 1
    int geometry_slot_count;
} sn_reader;

// Names under which things are written, each different from all others of its kind.
typedef struct sn_written_names {
    sn_names names;       // those made up included
    SN_LIST(int) numbers; // at the thing's index: its number in `names` + 1, 0 for none
} sn_written_names;

// The writer's state: the scene, geometry that several shapes share, and names for what has none.
typedef struct sn_writer {
    const sn_scene *scene;
    bool restarts;                // what is written begins at time 0 again
    SN_LIST(const void *) shared; // geometry in the order it was met
    sn_written_names bodies, joints, deformables;
    int category_count; // the scene's, and more for bits that shapes have without a name
    sn_world *spare;    // to try things in; null until it is needed
    bool has_custom;    // there was a constraint of a kind that has no file form
    bool no_memory;
} sn_writer;

typedef struct sn_section {
    const char *name, *text;
    sn_pass pass;
    bool single;   // one object instead of a list
    bool in_parts; // may stand in parts as well
    bool repeats;  // entries may have "repeat"
    const sn_family *family;
    const sn_family *(*find_family)(void); // instead of `family`: for one that is made at first use
    const char *form;                      // without a family: the form of an entry in words
    bool (*read)(sn_reader *reader, const sn_scope *scope, const sn_node *entry);
    json_t *(*write)(sn_writer *writer); // null result for nothing to say
} sn_section;

static inline const sn_family *sn_section_family(const sn_section *section)
{
    return section->find_family != NULL ? section->find_family() : section->family;
}

extern const sn_section *const sn_sections[];
extern const int sn_section_count;

extern const sn_section sn_section_world, sn_section_categories, sn_section_materials, sn_section_shapes,
    sn_section_bodies, sn_section_deformables, sn_section_joints, sn_section_anchors, sn_section_cameras,
    sn_section_light, sn_section_labels, sn_section_probes, sn_section_motions, sn_section_events;
extern const sn_family sn_family_parts, sn_family_repeat, sn_family_shape, sn_family_solid;
extern const sn_object sn_object_scene;

// Reads a scene whose root document is the first in the list.
bool sn_reader_read(sn_reader *reader);
void sn_reader_release(sn_reader *reader);

// Reads title, step and duration, categories, and the views from a root object, into a scene whose world and
// names are there already.
bool sn_reader_read_views(sn_reader *reader, const sn_node *root);
// The members of a root that belong to no section: version, title, step, duration. Null without memory.
json_t *sn_reader_write_head(const sn_scene *scene);

// The full name of something called `name` in a scope; complains about names that are empty or too long.
bool sn_scope_name(const sn_scope *scope, const sn_node *entry, const char *name, char out[SN_MAX_NAME + 1]);

typedef enum sn_lookup {
    SN_LOOKUP_FOUND,
    SN_LOOKUP_NO_COPY, // it would be in the copy before the first one: what refers to it is left out
    SN_LOOKUP_SKIP,    // it failed before: say nothing
    SN_LOOKUP_FAILED   // complained
} sn_lookup;

// What a text of the file names, as seen from a scope.
sn_lookup sn_reader_body(sn_reader *reader, const sn_scope *scope, const sn_node *entry, const char *key,
                         const char *name, sn_rigid *rigid);
sn_lookup sn_reader_joint(sn_reader *reader, const sn_scope *scope, const sn_node *entry, const char *key,
                          const char *name, sn_constraint *constraint);

sn_lookup sn_reader_deformable(sn_reader *reader, const sn_scope *scope, const sn_node *entry,
                               const char *key, const char *name, sn_deformable *deformable);
// Either: one of the ids is null afterwards.
sn_lookup sn_reader_matter(sn_reader *reader, const sn_scope *scope, const sn_node *entry, const char *key,
                           const char *name, sn_deformable *deformable, sn_rigid *rigid);
// Whether a body or a deformable is called so, as seen from a scope.
bool sn_reader_has_matter(const sn_reader *reader, const sn_scope *scope, const char *name);
// Complains if a body or deformable has that whole name already.
bool sn_reader_name_is_free(const sn_reader *reader, const sn_node *entry, const char *name);

// A copy of a node that outlasts the walk, with all its parents; the reader owns them.
bool sn_reader_keep(sn_reader *reader, const sn_node *node, sn_node *kept);

// Keeps the name of something that failed, so that what refers to it says nothing more. `scope` may be null
// for names that have no prefix.
void sn_reader_name_failed(sn_reader *reader, sn_names *names, const sn_scope *scope, const sn_node *entry);
// What a name means that is the same everywhere: that of a material or shape.
sn_lookup sn_reader_find(sn_reader *reader, const sn_names *names, const sn_node *entry, const char *key,
                         const char *what, const char *name, int *index);

// Counts what is read, copies included; false after a complaint once it is more than any scene needs.
bool sn_reader_count(sn_reader *reader, const sn_node *entry);
// Complains at `entry` with the message the world left.
bool sn_reader_world_failed(sn_reader *reader, const sn_node *entry);
// Complains about missing memory.
bool sn_reader_no_memory(sn_reader *reader);

// --- shapes ------------------------------------------------------------------------------------------------

// Filter bits of a name or a list of names of categories; untouched if the node has no value.
bool sn_reader_bits(const sn_reader *reader, const sn_node *node, uint64_t *bits);
// Reads one shape and adds it to a body. `color` (may be null) is the body's, for shapes without their own.
bool sn_reader_add_shape(sn_reader *reader, const sn_node *node, sn_rigid rigid, const uint32_t *color);
// Finds a made geometry or a place to put it; see geometry_cache.c.
bool sn_reader_geometry_find(const sn_reader *reader, const json_t *value, sn_geometry *geometry);
bool sn_reader_geometry_add(sn_reader *reader, const json_t *value, sn_geometry geometry);

// --- writing -----------------------------------------------------------------------------------------------

// Makes ready to write; false without memory. Bodies, joints and deformables without a name get one if
// something refers to them, or all of them; always the same, as long as the world's ids are.
bool sn_writer_begin(sn_writer *writer, const sn_scene *scene, bool name_all);
void sn_writer_release(sn_writer *writer);
// The name of a body, joint or deformable; null if it has none.
const char *sn_writer_body_name(const sn_writer *writer, sn_rigid rigid);
const char *sn_writer_joint_name(const sn_writer *writer, sn_constraint constraint);
const char *sn_writer_deformable_name(const sn_writer *writer, sn_deformable deformable);
// Whether a name is one that a file can hold: worlds made in C may have others.
bool sn_json_can_hold(const char *name);
// Names of filter bits, for "category" and "collides_with"; nothing where they are the default.
void sn_writer_filter(sn_writer *writer, sn_filter filter, json_t *out);
// The name of a bit of filters; the buffer is for one that has none.
const char *sn_writer_category(const sn_writer *writer, int bit, char made_up[SN_MAX_NAME + 1]);
// All sections of a pass and later ones into a JSON object.
void sn_writer_write(sn_writer *writer, sn_pass from, json_t *out);
// Adds to a list or an object and takes the value over; a value that is null for want of memory is noted.
void sn_writer_append(sn_writer *writer, json_t *list, json_t *value);
void sn_writer_set(sn_writer *writer, json_t *object, const char *key, json_t *value);
// Ids in an array to be freed; null without memory.
sn_rigid *sn_writer_rigids(sn_writer *writer, int *count);
sn_constraint *sn_writer_constraints(sn_writer *writer, int *count);
sn_shape *sn_writer_shapes(sn_writer *writer, sn_rigid rigid, int *count);
sn_deformable *sn_writer_deformables(sn_writer *writer, int *count);
// A world of its own to try things in; null without memory.
sn_world *sn_writer_spare(sn_writer *writer);

// Where the mass centre of a body will be, in the body, when it is loaded again.
sn_vec3 sn_writer_center(sn_writer *writer, sn_rigid rigid);

// JSON of a shape as it is now, with its colour; geometry that is shared becomes a name of section "shapes".
json_t *sn_writer_shape(sn_writer *writer, sn_shape shape, bool with_color);
// The section "shapes": geometry that several shapes share.
json_t *sn_writer_shared_shapes(sn_writer *writer);

#endif
