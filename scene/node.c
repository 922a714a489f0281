// Walking down a document and complaining about it.
#include "scene/node.h"

#include "scene/locate.h"
#include "sinew_scene/scene.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// More steps than the reader walks down in one file.
#define MAX_DEPTH 96

bool sn_mistakes_are_enough(const sn_mistakes *mistakes)
{
    return mistakes->no_memory || mistakes->hopeless || mistakes->count >= SN_SCENE_MAX_ERRORS;
}

sn_node sn_node_root(const sn_document *document, sn_mistakes *mistakes)
{
    return (sn_node){.value = document->root, .document = document, .mistakes = mistakes};
}

sn_node sn_node_get(const sn_node *node, const char *key)
{
    return (sn_node){.parent = node,
                     .key = key,
                     .value = json_object_get(node->value, key),
                     .document = node->document,
                     .mistakes = node->mistakes};
}

sn_node sn_node_at(const sn_node *node, int index)
{
    return (sn_node){.parent = node,
                     .index = index,
                     .value = json_array_get(node->value, (size_t)index),
                     .document = node->document,
                     .mistakes = node->mistakes};
}

int sn_node_count(const sn_node *node)
{
    return (int)json_array_size(node->value);
}

static const char *write_text(char text[SN_NODE_TEXT], const char *words)
{
    snprintf(text, SN_NODE_TEXT, "%s", words);
    return text;
}

const char *sn_node_text(const sn_node *node, char text[SN_NODE_TEXT])
{
    if (node->value == NULL) {
        return write_text(text, "nothing");
    }
    char *dumped = json_dumps(node->value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(9));
    if (dumped == NULL) {
        return write_text(text, "this value");
    }
    if (strlen(dumped) <= 40) {
        write_text(text, dumped);
    } else {
        // Not in the middle of a character of several bytes.
        size_t cut = 37;
        while (cut > 0 && ((unsigned char)dumped[cut] & 0xc0) == 0x80) {
            --cut;
        }
        snprintf(text, SN_NODE_TEXT, "%.*s…", (int)cut, dumped);
    }
    free(dumped);
    return text;
}

// Steps from the root of the document down, as many as there is room for.
static int collect_steps(const sn_node *node, sn_path_step steps[MAX_DEPTH])
{
    int depth = 0;
    for (const sn_node *n = node; n->parent != NULL; n = n->parent) {
        ++depth;
    }
    int count = depth < MAX_DEPTH ? depth : MAX_DEPTH, position = depth;
    for (const sn_node *n = node; n->parent != NULL; n = n->parent) {
        --position;
        if (position < count) {
            steps[position] = (sn_path_step){n->key, n->index};
        }
    }
    return count;
}

static void write_path(const sn_path_step *steps, int count, char *path, size_t capacity)
{
    size_t used = 0;
    path[0] = '\0';
    for (int i = 0; i < count && used < capacity; ++i) {
        used += (size_t)(steps[i].key != NULL
                             ? snprintf(path + used, capacity - used, "%s%s", i > 0 ? "." : "", steps[i].key)
                             : snprintf(path + used, capacity - used, "[%d]", steps[i].index));
    }
}

// The setting that put the value at this path there, or what is around it; with `or_inside`, what is in it.
static const char *setting_behind(const sn_mistakes *mistakes, const char *path, bool or_inside)
{
    size_t path_length = strlen(path);
    for (int i = 0; i < mistakes->setting_count; ++i) {
        const char *setting = mistakes->settings[i];
        size_t length = strcspn(setting, "=");
        size_t common = length < path_length ? length : path_length;
        // What follows the common part is the end of the path, or another step.
        bool is_around = length <= path_length && strchr(".[", path[length]) != NULL;
        bool is_inside = length > path_length && strchr(".[", setting[path_length]) != NULL;
        if (strncmp(path, setting, common) == 0 && (is_around || (or_inside && is_inside))) {
            return setting;
        }
    }
    return NULL;
}

// Where a value stands: a place in its file, or the setting that put it there.
static void write_place(const sn_node *node, bool key_itself, const char *path, const sn_path_step *steps,
                        int count, char *text, size_t capacity)
{
    const sn_document *document = node->document;
    sn_place place = sn_locate(document->text, document->size, steps, count, key_itself);
    const char *setting = document == node->mistakes->set_document
                              ? setting_behind(node->mistakes, path, !place.is_exact)
                              : NULL;
    if (setting != NULL) {
        snprintf(text, capacity, "--set %s", setting);
    } else {
        snprintf(text, capacity, "%s:%d:%d", document->path, place.line, place.column);
    }
}

static size_t character_size(unsigned char first)
{
    return first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

// Keys and names of a file may hold anything, and may have been cut off in the middle of a character: what is
// no printable text becomes a question mark, so that a complaint stays one line.
static void make_printable(char *line)
{
    for (char *c = line; *c != '\0';) {
        unsigned char first = (unsigned char)*c;
        size_t size = character_size(first), good = 1;
        while (good < size && ((unsigned char)c[good] & 0xc0) == 0x80) {
            ++good;
        }
        bool is_invalid = (first & 0xc0) == 0x80 || first < ' ' || first == 0x7f;
        if (is_invalid || good < size) {
            memset(c, '?', good);
        }
        c += good;
    }
}

static void complain(const sn_node *node, bool key_itself, const char *text)
{
    sn_mistakes *mistakes = node->mistakes;
    ++mistakes->said;
    if (mistakes->count >= SN_SCENE_MAX_ERRORS) {
        return;
    }
    sn_path_step steps[MAX_DEPTH];
    int count = collect_steps(node, steps);
    char path[512], place[4608], line[6656];
    write_path(steps, count, path, sizeof path);
    write_place(node, key_itself, path, steps, count, place, sizeof place);
    snprintf(line, sizeof line, "%s: %s%s%s", place, path, path[0] != '\0' ? ": " : "", text);
    make_printable(line);
    // Copies of one entry all have its mistakes.
    if (strstr(mistakes->text, line) == NULL) {
        size_t used = strlen(mistakes->text);
        snprintf(mistakes->text + used, sizeof mistakes->text - used, "%s%s", used > 0 ? "\n" : "", line);
        ++mistakes->count;
    }
}

bool sn_node_fail(const sn_node *node, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    complain(node, false, text);
    return false;
}

bool sn_node_fail_key(const sn_node *node, const char *key, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    sn_node child = sn_node_get(node, key);
    complain(&child, true, text);
    return false;
}
