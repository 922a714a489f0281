// Upper half blocks: the foreground is the upper pixel, the background the lower one.
#include "apps/thumbnail.h"

#include "apps/render/renderer.h"

#include <stdlib.h>

enum { WIDEST = 96, SCALE = 4 }; // columns; pixels drawn for one shown, along either side

void thumbnail_write(FILE *out, int width, int height, const uint8_t *pixels)
{
    for (int row = 0; row + 1 < height; row += 2) {
        for (int column = 0; column < width; ++column) {
            const uint8_t *upper = pixels + 3 * ((size_t)row * (size_t)width + (size_t)column);
            const uint8_t *lower = upper + 3 * (size_t)width;
            fprintf(out, "\033[38;2;%d;%d;%dm\033[48;2;%d;%d;%dm▀", upper[0], upper[1], upper[2], lower[0],
                    lower[1], lower[2]);
        }
        fputs("\033[0m\n", out);
    }
}

// The mean of scale × scale pixels for each of the result, which takes the place of the first ones.
static void shrink(uint8_t *pixels, int width, int height, int scale)
{
    uint8_t *out = pixels;
    for (int row = 0; row < height; row += scale) {
        for (int column = 0; column < width; column += scale) {
            int sum[3] = {0, 0, 0};
            for (int i = 0; i < scale * scale; ++i) {
                size_t at = (size_t)(row + i / scale) * (size_t)width + (size_t)(column + i % scale);
                for (int k = 0; k < 3; ++k) {
                    sum[k] += pixels[3 * at + (size_t)k];
                }
            }
            for (int k = 0; k < 3; ++k) {
                *out++ = (uint8_t)(sum[k] / (scale * scale));
            }
        }
    }
}

void thumbnail_print(const terminal *terminal, sn_scene *scene)
{
    if (!terminal->true_colors || !terminal->unicode) {
        return;
    }
    int width = terminal->width < WIDEST ? terminal->width : WIDEST;
    int height = width * 9 / 16 / 2 * 2;
    render_options options = render_options_default();
    options.width = SCALE * width;
    options.height = SCALE * height;
    options.labels = false;
    sn_camera camera;
    renderer *renderer = renderer_create(&options);
    uint8_t *pixels = malloc((size_t)options.width * (size_t)options.height * 3);
    if (renderer != NULL && pixels != NULL && sn_scene_camera(scene, NULL, &camera) == SN_OK &&
        renderer_draw(renderer, scene, &camera, pixels)) {
        shrink(pixels, options.width, options.height, SCALE);
        thumbnail_write(terminal->stream, width, height, pixels);
    }
    free(pixels);
    if (renderer != NULL) {
        renderer_destroy(renderer);
    }
}
