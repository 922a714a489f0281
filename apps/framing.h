// What the camera shows of a scene over time: how much of the picture its subjects take, and what the edges
// of the picture cut off. Subjects are all that moves; what stands still and is no larger than twice what
// moves (posts, ramps, tables, but no floor and no landscape) must not be cut off either. No OpenGL.
#ifndef SINEW_APPS_FRAMING_H
#define SINEW_APPS_FRAMING_H

#include "apps/describe.h"
#include "scene/list.h"
#include "sinew_scene/scene.h"

// Subjects that take less of the picture's width and of its height are small in it.
#define FRAMING_USUAL_SHARE 0.66f

// In parts of the picture, from its upper left corner; empty if left is not below right.
typedef struct framing_rectangle {
    float left, top, right, bottom;
} framing_rectangle;

// A body that moves, a shape that does not, or a deformable: how it has been seen so far.
typedef struct framing_thing {
    uint16_t generation; // of its id; 0: not seen yet
    bool was_whole;      // at some time
    bool was_inside;     // some of it, at some time
    bool began_outside;  // all of it, when it was looked at first
    bool was_cut;        // partly outside, at some time
    bool is_inside;      // some of it, at the last time
    bool is_whole;       // all of it, at the last time
    double cut_time;     // of the first [s]
    const char *edge;    // of the picture, that cut it then
    description name;    // then
} framing_thing;

typedef SN_LIST(framing_thing) framing_things;

// How many things, and the first of them.
typedef struct framing_tally {
    int count;
    description name;
    double time; // [s]
    const char *edge;
} framing_tally;

typedef struct framing {
    sn_scene *scene;
    framing_things bodies, shapes, deformables; // at the index of their ids
    sn_bounds extent;                           // of what moved so far [m]
    int looks;
    bool camera_moves;
    framing_rectangle subjects; // as far as they were inside
} framing;

// Begins to look at a scene, which outlives the framing, through its first camera.
void framing_begin(framing *framing, sn_scene *scene);
// Looks at the scene as it is now, in a picture of 16 : 9. False without memory.
bool framing_look(framing *framing);
void framing_release(framing *framing);

// How much of the width or of the height of the picture, whichever is more, subjects took over all times.
float framing_share(const framing *framing);
// What the edges of the picture cut, but what only passes them: what began outside and is inside now, and
// what has left. Of what stands still, and of everything if the camera moves, only what was never seen as a
// whole counts.
framing_tally framing_cut(const framing *framing);
// What moved out of the picture and stayed outside, or was never inside.
framing_tally framing_left(const framing *framing);

#endif
