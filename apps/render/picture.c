#include "apps/render/film.h"

#include "scene/message.h"

#include <errno.h>
#include <stb_image_write.h>
#include <string.h>

bool picture_write_png(const char *path, int width, int height, const uint8_t *pixels)
{
    errno = 0;
    if (stbi_write_png(path, width, height, 3, pixels, 3 * width) == 0) {
        sn_scene_fail(SN_ERROR_FILE, "%s: cannot be written: %s", path,
                      errno != 0 ? strerror(errno) : "no memory");
        return false;
    }
    return true;
}
