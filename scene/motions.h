// What moves by itself while a scene runs: kinematic bodies, anchors, joints, wind, gravity, cameras
// and the light by keyframes, and forces over a time. section_motions.c reads and writes it.
#ifndef SN_SCENE_MOTIONS_H
#define SN_SCENE_MOTIONS_H

#include "scene/keyframes.h"
#include "sinew/sinew.h"

typedef enum sn_motion_type {
    SN_MOTION_BODY,
    SN_MOTION_ANCHOR,
    SN_MOTION_JOINT,
    SN_MOTION_WIND,
    SN_MOTION_GRAVITY,
    SN_MOTION_CAMERA,
    SN_MOTION_LIGHT,
    SN_MOTION_FORCE
} sn_motion_type;

typedef enum sn_motion_drive {
    SN_DRIVE_POSITION, // the motor's speed chases an angle, a travel; the length of a distance is set
    SN_DRIVE_SPEED,    // of the motor
    SN_DRIVE_SPRING    // where the spring is at rest
} sn_motion_drive;

// An end of an anchor that is a place in the world, and where it is when the keys say zero.
typedef struct sn_moved_end {
    sn_anchor anchor;
    int end;
    sn_vec3 base;
} sn_moved_end;

typedef struct sn_motion {
    sn_motion_type type;
    sn_keyframes keyframes;       // of all but forces
    bool has_first, has_rotation; // which of its two the keys of a body say
    sn_rigid rigid;               // of bodies and forces
    sn_constraint joint;
    sn_motion_drive drive;
    float gain;                   // [1/s], of a drive by position
    char name[SN_MAX_NAME + 1];   // of the anchors or the camera
    SN_LIST(sn_moved_end) ends;   // of anchors
    sn_vec3 force, torque, point; // of forces [N], [N m]; in the body's frame [m]
    bool turns;                   // force and torque are given in the body's axes
    double from, until;           // when it acts, by the world's time [s]
} sn_motion;

struct sn_scene;

// Moves everything on for a step of this duration that is about to be taken. SN_OK, or the status and message
// of what the world refused.
sn_status sn_motions_before_step(struct sn_scene *scene, float duration);
// Moves cameras and the light to where they are now.
void sn_motions_look(struct sn_scene *scene);
// Frees what a motion holds.
static inline void sn_motion_release(sn_motion *motion)
{
    SN_LIST_FREE(&motion->keyframes.items);
    SN_LIST_FREE(&motion->ends);
}

#endif
