// A picture in the terminal: two pixels a character, by half blocks in 24-bit colours.
#ifndef SINEW_APPS_THUMBNAIL_H
#define SINEW_APPS_THUMBNAIL_H

#include "apps/terminal.h"
#include "sinew_scene/scene.h"

// Draws the scene as wide as the terminal, within reason. Does nothing, and that is no failure, where the
// terminal cannot show it or nothing can be drawn.
void thumbnail_print(const terminal *terminal, sn_scene *scene);

// The picture alone: width × height pixels of 3 bytes, rows from the top; height is even.
void thumbnail_write(FILE *out, int width, int height, const uint8_t *pixels);

#endif
