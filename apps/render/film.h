// Pictures to files: one PNG or JPEG, a folder of numbered PNGs, or a film through ffmpeg.
#ifndef SINEW_RENDER_FILM_H
#define SINEW_RENDER_FILM_H

#include <stdbool.h>
#include <stdint.h>

// Writes one picture, rows from top to bottom, 3 bytes a pixel. False: sn_scene_error() says why.
bool picture_write_png(const char *path, int width, int height, const uint8_t *pixels);
// The same as a JPEG of high quality.
bool picture_write_jpeg(const char *path, int width, int height, const uint8_t *pixels);

// A film being written. Opaque.
typedef struct film film;

// Opens `path`: ending in .mp4, .gif or .webp (ffmpeg must be installed), or a folder (ending in / or
// existing; made if it is missing) for numbered pictures 00000.png, 00001.png, … Null: sn_scene_error() says
// why.
film *film_open(const char *path, int width, int height, double frames_per_second);
bool film_add(film *film, const uint8_t *pixels);
// Finishes and frees it. False if the file could not be completed (ffmpeg's last words in sn_scene_error()).
bool film_close(film *film);
// Ends and frees it after a failure: the film that was there before stays.
void film_drop(film *film);

#endif
