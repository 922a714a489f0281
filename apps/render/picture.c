// One picture as a PNG or JPEG file.
#include "apps/render/film.h"

#include "scene/message.h"
#include "scene/output.h"

#include <stb_image_write.h>

#define LARGEST_SIDE 16384
#define JPEG_QUALITY 92

static void write_bytes(void *context, void *bytes, int size)
{
    sn_output_bytes(context, bytes, (size_t)size);
}

static bool write_picture(const char *path, int width, int height, const uint8_t *pixels, bool as_jpeg)
{
    if (path == NULL || pixels == NULL) {
        sn_scene_fail(SN_ERROR_NULL, "no picture is written: path or pixels is null");
        return false;
    }
    if (width < 1 || height < 1 || width > LARGEST_SIDE || height > LARGEST_SIDE) {
        sn_scene_fail(SN_ERROR_RANGE, "%s: the picture is %d × %d pixels, expected 1…%d each", path, width,
                      height, LARGEST_SIDE);
        return false;
    }
    sn_output output;
    if (sn_output_open(&output, path) != SN_OK) {
        return false;
    }
    int packed = as_jpeg
                     ? stbi_write_jpg_to_func(write_bytes, &output, width, height, 3, pixels, JPEG_QUALITY)
                     : stbi_write_png_to_func(write_bytes, &output, width, height, 3, pixels, 3 * width);
    if (packed == 0) {
        sn_output_drop(&output);
        sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory to pack the picture", path);
        return false;
    }
    return sn_output_close(&output) == SN_OK;
}

bool picture_write_png(const char *path, int width, int height, const uint8_t *pixels)
{
    return write_picture(path, width, height, pixels, false);
}

bool picture_write_jpeg(const char *path, int width, int height, const uint8_t *pixels)
{
    return write_picture(path, width, height, pixels, true);
}
