// What is worth knowing about a scene that loads but may not behave as its author hopes.
#ifndef SINEW_APPS_WARNINGS_H
#define SINEW_APPS_WARNINGS_H

#include "apps/terminal.h"
#include "sinew_scene/scene.h"

// Prints a line for each and returns how many there were, −1 without memory. The scene is moved on by a
// millionth of a second, for contacts are known only after a step.
int warnings_print(const terminal *terminal, sn_scene *scene);

#endif
