// What drives a scene, its motions, events, cameras and light, as one list of numbers for the page, which
// reads no scene files. Names are left out: ids are enough to run it.
#ifndef SN_SCENE_DRIVE_H
#define SN_SCENE_DRIVE_H

#include "scene/list.h"

#include <stdbool.h>

typedef SN_LIST(double) sn_number_list;

struct sn_scene;

// Appends the numbers; false without memory.
bool sn_drive_write(const struct sn_scene *scene, sn_number_list *numbers);
// Replaces all of them by those of a list; a list without numbers has none. False without memory, or
// if the numbers make no sense; the scene is driven by nothing then.
bool sn_drive_read(struct sn_scene *scene, const double *numbers, int count);

#endif
