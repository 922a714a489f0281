// Parsing JSON files. What the values mean is for others to say.
#include "scene/document.h"

#include "scene/message.h"

#include <stdlib.h>
#include <string.h>

static void skip_byte_order_mark(const char **text, size_t *size)
{
    if (*size >= 3 && memcmp(*text, "\xef\xbb\xbf", 3) == 0) {
        *text += 3;
        *size -= 3;
    }
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

// Whether the parser stumbled over a bracket that closes right after a comma: which one, 0 if not.
static char bracket_after_comma(const char *text, size_t size, const json_error_t *error)
{
    size_t at = error->position > 0 ? (size_t)error->position - 1 : 0;
    if (at >= size || (text[at] != ']' && text[at] != '}')) {
        return 0;
    }
    size_t before = at;
    while (before > 0 && strchr(" \t\r\n", text[before - 1]) != NULL) {
        --before;
    }
    return before > 0 && text[before - 1] == ',' ? text[at] : 0;
}

static sn_status fail_parsing(const char *path, const char *text, size_t size, json_error_t *error)
{
    if (json_error_code(error) == json_error_out_of_memory) {
        return sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory to read it", path);
    }
    // Jansson quotes what it stumbled over, which may be a line of its own and unprintable.
    for (char *c = error->text; *c != '\0'; ++c) {
        *c = (unsigned char)*c < ' ' || *c == 0x7f ? ' ' : *c;
    }
    const char *what = json_error_code(error) == json_error_numeric_overflow ? "" : "not JSON: ";
    int column = error->column - quoted_length(error->text) + 1;
    char bracket = bracket_after_comma(text, size, error);
    if (bracket != 0) {
        snprintf(error->text, sizeof error->text, "a comma before '%c', expected none after the last element",
                 bracket);
    }
    return sn_scene_fail(SN_ERROR_FORMAT, "%s:%d:%d: %s%s", path, error->line > 0 ? error->line : 1,
                         column > 0 ? column : 1, what, error->text);
}

sn_status sn_document_parse(const char *text, size_t size, const char *path, sn_document *document)
{
    *document = (sn_document){0};
    skip_byte_order_mark(&text, &size);
    json_error_t error;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    if (root == NULL) {
        return fail_parsing(path, text, size, &error);
    }
    document->root = root;
    document->path = strdup(path);
    document->text = malloc(size + 1);
    if (document->path == NULL || document->text == NULL) {
        sn_document_release(document);
        return sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory to read it", path);
    }
    memcpy(document->text, text, size);
    document->text[size] = '\0';
    document->size = size;
    return SN_OK;
}

void sn_document_release(sn_document *document)
{
    json_decref(document->root);
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
