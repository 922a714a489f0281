// A scene file kept compiled while somebody edits it: loaded anew when it, or a file it may use, changes.
#ifndef SINEW_APPS_LIVE_SCENE_H
#define SINEW_APPS_LIVE_SCENE_H

#include "apps/options.h"

#include <stdint.h>

typedef struct live_scene {
    const char *path;
    const option_texts *settings;
    int version;          // counts loads; 0 before the first
    uint64_t fingerprint; // of the files it was loaded from
    char *error;          // what is wrong with it; null if nothing
    unsigned char *state; // the scene as a saved state, of the last time it was right; null if it never was
    size_t state_size;
} live_scene;

// Looks whether files changed since the last time, and loads the scene if they did.
void live_scene_refresh(live_scene *live);
void live_scene_release(live_scene *live);

#endif
