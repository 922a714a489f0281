// One picture as a PNG file.
#include "apps/render/film.h"

#include "scene/message.h"

#include <errno.h>
#include <stb_image_write.h>
#include <stdio.h>
#include <string.h>

#define LARGEST_SIDE 16384

// A file being written, and what went wrong: stb itself does not look.
typedef struct output {
    FILE *file;
    int error; // errno, or 0
} output;

static void write_bytes(void *context, void *bytes, int size)
{
    output *out = context;
    if (out->error == 0 && fwrite(bytes, 1, (size_t)size, out->file) != (size_t)size) {
        out->error = errno;
    }
}

bool picture_write_png(const char *path, int width, int height, const uint8_t *pixels)
{
    if (path == NULL || pixels == NULL) {
        sn_scene_fail(SN_ERROR_NULL, "picture_write_png: path or pixels is null");
        return false;
    }
    if (width < 1 || height < 1 || width > LARGEST_SIDE || height > LARGEST_SIDE) {
        sn_scene_fail(SN_ERROR_RANGE, "%s: the picture is %d × %d pixels, expected 1…%d each", path, width,
                      height, LARGEST_SIDE);
        return false;
    }
    output out = {.file = fopen(path, "wb")};
    if (out.file == NULL) {
        sn_scene_fail(SN_ERROR_FILE, "%s: cannot be written: %s", path, strerror(errno));
        return false;
    }
    bool packed = stbi_write_png_to_func(write_bytes, &out, width, height, 3, pixels, 3 * width) != 0;
    if (fclose(out.file) != 0 && out.error == 0) {
        out.error = errno;
    }
    if (!packed) {
        sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory to pack the picture", path);
    } else if (out.error != 0) {
        sn_scene_fail(SN_ERROR_FILE, "%s: cannot be written to its end: %s", path, strerror(out.error));
    }
    return packed && out.error == 0;
}
