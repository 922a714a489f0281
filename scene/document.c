// Reading JSON files. What the values mean is for others to say.
#include "scene/document.h"

#include "scene/message.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Reads on to the end, whatever the size the file claims to have: it may be a pipe.
static char *read_all(FILE *file, const char *path, size_t *size)
{
    size_t capacity = 1 << 16, used = 0;
    char *text = malloc(capacity);
    while (text != NULL) {
        used += fread(text + used, 1, capacity - used - 1, file);
        if (used + 1 < capacity) {
            break;
        }
        if (capacity >= SN_MAX_FILE_SIZE) {
            sn_scene_fail(SN_ERROR_FILE, "%s: larger than %zu bytes, which is the most that is read", path,
                          SN_MAX_FILE_SIZE);
            free(text);
            return NULL;
        }
        capacity *= 2;
        char *grown = realloc(text, capacity);
        if (grown == NULL) {
            free(text);
        }
        text = grown;
    }
    if (text == NULL) {
        sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory to read it", path);
        return NULL;
    }
    if (ferror(file)) {
        sn_scene_fail(SN_ERROR_FILE, "%s: cannot be read: %s", path, strerror(errno));
        free(text);
        return NULL;
    }
    text[used] = '\0';
    *size = used;
    return text;
}

char *sn_file_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        sn_scene_fail(SN_ERROR_FILE, "%s: cannot be opened: %s", path, strerror(errno));
        return NULL;
    }
    char *text = read_all(file, path, size);
    fclose(file);
    return text;
}

static void skip_byte_order_mark(const char **text, size_t *size)
{
    if (*size >= 3 && memcmp(*text, "\xef\xbb\xbf", 3) == 0) {
        *text += 3;
        *size -= 3;
    }
}

static sn_status fail_memory(const char *path)
{
    return sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory to read it", path);
}

// Characters of what Jansson quotes at the end of its message, 1 for nothing: its column is that of the last.
static int quoted_length(const char *text)
{
    const char *near = strstr(text, "near '");
    int length = 0;
    for (const char *c = near != NULL ? near + 6 : ""; c[0] != '\0' && c[1] != '\0'; ++c) {
        length += ((unsigned char)*c & 0xc0) != 0x80;
    }
    return length > 0 ? length : 1;
}

// Jansson reads it once more and says what is wrong.
static sn_status fail_parsing(const sn_document *document, const char *path)
{
    json_error_t said = {.line = 1}, *error = &said;
    json_decref(json_loadb(document->text, document->size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, error));
    if (json_error_code(error) == json_error_out_of_memory) {
        return fail_memory(path);
    }
    // Jansson quotes what it stumbled over, which may be a line of its own and unprintable.
    for (char *c = error->text; *c != '\0'; ++c) {
        *c = (unsigned char)*c < ' ' || *c == 0x7f ? ' ' : *c;
    }
    const char *what = json_error_code(error) == json_error_numeric_overflow ? "" : "not JSON: ";
    int column = error->column - quoted_length(error->text) + 1;
    return sn_scene_fail(SN_ERROR_FORMAT, "%s:%d:%d: %s%s", path, error->line > 0 ? error->line : 1,
                         column > 0 ? column : 1, what, error->text);
}

sn_status sn_document_parse(const char *text, size_t size, const char *path, sn_document *document)
{
    *document = (sn_document){0};
    skip_byte_order_mark(&text, &size);
    document->path = strdup(path);
    document->text = size < SIZE_MAX ? malloc(size + 1) : NULL;
    sn_parsed parsed = SN_PARSED_NO_MEMORY;
    if (document->path != NULL && document->text != NULL) {
        memcpy(document->text, text, size);
        document->text[size] = '\0';
        document->size = size;
        parsed = sn_value_parse(&document->values, document->text, size, &document->root);
    }
    if (parsed == SN_PARSED) {
        return SN_OK;
    }
    sn_status status = parsed == SN_PARSED_NO_JSON ? fail_parsing(document, path) : fail_memory(path);
    sn_document_release(document);
    return status;
}

void sn_document_release(sn_document *document)
{
    sn_value_store_release(&document->values);
    free(document->path);
    free(document->text);
    *document = (sn_document){0};
}

char *sn_path_beside(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    if (name[0] == '/' || slash == NULL) {
        return strdup(name);
    }
    size_t folder = (size_t)(slash - path) + 1, length = strlen(name);
    char *joined = malloc(folder + length + 1);
    if (joined != NULL) {
        memcpy(joined, path, folder);
        memcpy(joined + folder, name, length + 1);
    }
    return joined;
}
