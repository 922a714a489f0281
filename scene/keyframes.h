// Values at times, and what lies between them: straight, or smooth by cubic Hermite splines whose slopes are
// those of Catmull and Rom (1974) for uneven times, limited as Fritsch and Carlson (1980) do: what two keys
// in a row say alike is held between them, and nothing swings beyond its keys. Rotations turn the short way.
#ifndef SN_SCENE_KEYFRAMES_H
#define SN_SCENE_KEYFRAMES_H

#include "scene/list.h"
#include "sinew/math.h"

// A key holds whatever its motion needs: two vectors, of which the first may be a number, and a rotation.
typedef struct sn_key {
    float at; // [s] by the motion's own clock
    sn_vec3 first, second;
    sn_quat rotation;
} sn_key;

typedef enum sn_key_path { SN_PATH_SMOOTH, SN_PATH_LINEAR } sn_key_path;

typedef struct sn_keyframes {
    SN_LIST(sn_key) items; // times rise; at least one
    sn_key_path path;
    bool loop;    // begins anew after the last key
    double start; // the world's time at which its own clock shows 0 [s]
} sn_keyframes;

// What the keys say at a time of the world: the first before the first, the last after the last.
sn_key sn_keyframes_at(const sn_keyframes *keyframes, double time);

#endif
