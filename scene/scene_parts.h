// What a scene holds besides its world. Known to the files of the scene library that fill, save and show it.
#ifndef SN_SCENE_PARTS_H
#define SN_SCENE_PARTS_H

#include "scene/motions.h"
#include "scene/scene_events.h"
#include "scene/sources.h"
#include "sinew_scene/scene.h"

// Colour of a shape, at the shape's index; generation 0 where nobody gave one.
typedef struct sn_paint {
    uint16_t generation;
    sn_color color;
} sn_paint;

typedef SN_LIST(sn_paint) sn_paint_list;

// Opacity of a deformable that is not 1; generation 0 for the others.
typedef struct sn_opacity {
    uint16_t generation;
    float value;
} sn_opacity;

typedef SN_LIST(sn_opacity) sn_opacity_list;

typedef struct sn_camera_record {
    char name[SN_MAX_NAME + 1];
    sn_vec3 eye, target, up;   // up is zero for the scene's up
    float field_of_view;       // [rad]
    sn_rigid follow;           // null id: none
    sn_deformable follow_soft; // instead; null id: none
    sn_vec3 follow_start; // where that body, or the deformable's mass centre, was when the camera was made
    float orbit;          // about the target and the up direction [rad/s]
} sn_camera_record;

typedef struct sn_label_record {
    char *text;
    sn_rigid rigid;           // the ground for a fixed place
    sn_deformable deformable; // instead; null id: none
    sn_vec3 position;         // in the body's frame; from the deformable's mass centre
    sn_color color;
} sn_label_record;

typedef enum sn_probe_subject {
    SN_PROBE_WORLD,
    SN_PROBE_BODY,
    SN_PROBE_JOINT,
    SN_PROBE_DEFORMABLE,
    SN_PROBE_NODE,
    SN_PROBE_ANCHOR
} sn_probe_subject;

typedef struct sn_probe_record {
    char *name;
    sn_probe_subject subject;
    int quantity; // row of the table in quantities.c
    sn_rigid rigid;
    sn_constraint constraint;
    sn_deformable deformable;
    int node;
    char *anchor; // name of one or several; null for none
} sn_probe_record;

// A step of a recording. `patch` is where its patch begins in the file.
typedef struct sn_recorded_step {
    float duration;
    uint64_t hash; // of the world after it
    size_t patch, patch_size;
} sn_recorded_step;

// A recording being replayed; all zeros for a scene that is none.
typedef struct sn_replay {
    bool is_recording, is_closed;
    uint8_t version[3]; // of the library that wrote it
    uint8_t *bytes;     // the whole file
    SN_LIST(sn_recorded_step) steps;
    int next;             // the step that is taken next
    int first_difference; // number of the first step that came out differently, from 1; 0 for none
} sn_replay;

struct sn_scene {
    sn_sources sources; // the files it was made of
    sn_world *world;
    bool owns_world;
    char *title, *description; // null for none
    float step_length, duration;
    SN_LIST(char *) categories;      // of collision filters: the first is bit 1; bit 0 is "default"
    sn_paint_list paints;            // at the shape's index
    sn_paint_list deformable_paints; // at the deformable's index
    sn_opacity_list opacities;       // at the deformable's index
    SN_LIST(sn_camera_record) cameras;
    sn_light light;
    SN_LIST(sn_label_record) labels;
    SN_LIST(sn_probe_record) probes;
    SN_LIST(sn_motion) motions;
    SN_LIST(sn_scene_event) events;
    sn_replay replay;
    bool has_overview;
    sn_camera overview; // made when first asked for, so that it does not move with the scene
};

// A scene without a world and with every default; null without memory.
sn_scene *sn_scene_new(void);

// The bit of a category, −1 if there is none of that name.
int sn_scene_category(const sn_scene *scene, const char *name);

// Gives a shape its colour; false without memory.
bool sn_scene_paint(sn_scene *scene, sn_shape shape, sn_color color);
// The colour given to a shape; false if none was.
bool sn_scene_painted(const sn_scene *scene, sn_shape shape, sn_color *color);

// Where what a camera follows is now; false if it follows nothing, or what is gone.
bool sn_camera_record_followed(const sn_scene *scene, const sn_camera_record *record, sn_vec3 *place);
// Moves a camera to where it is now: along with the body it follows, and, if `orbited`, as far as it has
// orbited.
void sn_camera_record_advance(const sn_scene *scene, sn_camera_record *record, bool orbited);

// The same for deformables.
bool sn_scene_paint_deformable(sn_scene *scene, sn_deformable deformable, sn_color color);
bool sn_scene_painted_deformable(const sn_scene *scene, sn_deformable deformable, sn_color *color);

// Makes a deformable let some light through; false without memory.
bool sn_scene_set_opacity(sn_scene *scene, sn_deformable deformable, float opacity);

// Bounds of every shape but planes, of moving bodies only if there are any and `moving` is set. False if
// there is nothing.
bool sn_scene_extent(const sn_scene *scene, bool moving, sn_bounds *bounds);

#endif
