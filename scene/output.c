// Files being written. stdio does the buffering; errors of any write surface at the latest in fclose.
#include "scene/output.h"

#include "scene/message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void release(sn_output *output)
{
    free(output->path);
    *output = (sn_output){0};
}

// Standard output replaces nothing.
static void drop_replacement(sn_output *output)
{
    if (output->replacement.target != NULL) {
        sn_replacement_drop(&output->replacement);
    }
}

sn_status sn_output_open(sn_output *output, const char *path)
{
    *output = (sn_output){.path = strdup(path)};
    if (output->path == NULL) {
        return sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory", path);
    }
    bool is_standard = strcmp(path, "-") == 0;
    int file = is_standard ? dup(STDOUT_FILENO) : -1;
    int error = !is_standard ? sn_replacement_begin(&output->replacement, path, &file) : file < 0 ? errno : 0;
    if (error == 0) {
        output->file = fdopen(file, "wb");
        error = output->file == NULL ? errno : 0;
        if (error != 0) {
            close(file);
            drop_replacement(output);
        }
    }
    if (error != 0) {
        release(output);
        return sn_scene_fail(SN_ERROR_FILE, "%s: cannot be written: %s", path, strerror(error));
    }
    return SN_OK;
}

static void note(sn_output *output, bool fine)
{
    if (!fine && output->error == 0) {
        output->error = errno != 0 ? errno : EIO;
    }
}

sn_status sn_output_status(const sn_output *output)
{
    if (output->error != 0) {
        return sn_scene_fail(SN_ERROR_FILE, "%s: cannot be written: %s", output->path,
                             strerror(output->error));
    }
    return SN_OK;
}

sn_status sn_output_close(sn_output *output)
{
    note(output, fclose(output->file) == 0);
    if (output->error != 0) {
        drop_replacement(output);
    } else if (output->replacement.target != NULL) {
        output->error = sn_replacement_keep(&output->replacement);
    }
    sn_status status = sn_output_status(output);
    release(output);
    return status;
}

void sn_output_drop(sn_output *output)
{
    fclose(output->file);
    drop_replacement(output);
    release(output);
}

void sn_output_bytes(sn_output *output, const void *bytes, size_t size)
{
    note(output, size == 0 || fwrite(bytes, 1, size, output->file) == size);
}

void sn_output_text(sn_output *output, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    note(output, vfprintf(output->file, format, arguments) >= 0);
    va_end(arguments);
}

void sn_output_number(sn_output *output, double value, int digits)
{
    char text[40];
    int length = snprintf(text, sizeof text, "%.*g", digits, value);
    char *comma = strchr(text, ',');
    if (comma != NULL) {
        *comma = '.';
    }
    sn_output_bytes(output, text, (size_t)length);
}

void sn_output_xml(sn_output *output, const char *text)
{
    for (; *text != '\0'; ++text) {
        switch (*text) {
        case '&':
            sn_output_text(output, "&amp;");
            break;
        case '<':
            sn_output_text(output, "&lt;");
            break;
        case '>':
            sn_output_text(output, "&gt;");
            break;
        case '"':
            sn_output_text(output, "&quot;");
            break;
        default:
            sn_output_bytes(output, text, 1);
            break;
        }
    }
}

static void put_u32(uint8_t *bytes, uint32_t value)
{
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
    bytes[2] = (uint8_t)(value >> 16);
    bytes[3] = (uint8_t)(value >> 24);
}

static void put_f32(uint8_t *bytes, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(bytes, bits);
}

void sn_output_u16(sn_output *output, uint16_t value)
{
    uint8_t bytes[2] = {(uint8_t)value, (uint8_t)(value >> 8)};
    sn_output_bytes(output, bytes, sizeof bytes);
}

void sn_output_u32(sn_output *output, uint32_t value)
{
    uint8_t bytes[4];
    put_u32(bytes, value);
    sn_output_bytes(output, bytes, sizeof bytes);
}

void sn_output_u64(sn_output *output, uint64_t value)
{
    sn_output_u32(output, (uint32_t)value);
    sn_output_u32(output, (uint32_t)(value >> 32));
}

void sn_output_f32(sn_output *output, float value)
{
    uint8_t bytes[4];
    put_f32(bytes, value);
    sn_output_bytes(output, bytes, sizeof bytes);
}

void sn_output_vec3(sn_output *output, sn_vec3 value)
{
    uint8_t bytes[12];
    put_f32(bytes, value.x);
    put_f32(bytes + 4, value.y);
    put_f32(bytes + 8, value.z);
    sn_output_bytes(output, bytes, sizeof bytes);
}
