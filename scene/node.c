// Walking down a document and complaining about it.
#include "scene/node.h"

#include "scene/locate.h"
#include "sinew_scene/scene.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 64

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

const char *sn_node_text(const sn_node *node, char text[SN_NODE_TEXT])
{
    if (node->value == NULL) {
        return strcpy(text, "nothing");
    }
    char *dumped = json_dumps(node->value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(9));
    if (dumped == NULL) {
        return strcpy(text, "this value");
    }
    size_t length = strlen(dumped);
    if (length <= 40) {
        memcpy(text, dumped, length + 1);
    } else {
        // Not in the middle of a character of several bytes.
        size_t cut = 37;
        while (cut > 0 && ((unsigned char)dumped[cut] & 0xc0) == 0x80) {
            --cut;
        }
        memcpy(text, dumped, cut);
        strcpy(text + cut, "…");
    }
    free(dumped);
    return text;
}

// Steps from the root of the document; the deepest MAX_DEPTH are enough for any message.
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

// The setting that put the value at this path there, if one did.
static const char *setting_behind(const sn_mistakes *mistakes, const char *path)
{
    for (int i = 0; i < mistakes->setting_count; ++i) {
        const char *setting = mistakes->settings[i], *equals = strchr(setting, '=');
        size_t length = equals != NULL ? (size_t)(equals - setting) : strlen(setting);
        if (strncmp(path, setting, length) == 0 && strchr(".[", path[length]) != NULL) {
            return setting; // strchr finds the end of the path too
        }
    }
    return NULL;
}

static void complain(const sn_node *node, bool key_itself, const char *text)
{
    sn_mistakes *mistakes = node->mistakes;
    if (mistakes->count >= SN_SCENE_MAX_ERRORS) {
        return;
    }
    sn_path_step steps[MAX_DEPTH];
    int count = collect_steps(node, steps);
    char path[512], place_text[256];
    write_path(steps, count, path, sizeof path);
    const char *setting = setting_behind(mistakes, path);
    const sn_document *document = node->document;
    if (setting != NULL) {
        snprintf(place_text, sizeof place_text, "--set %s", setting);
    } else {
        sn_place place = sn_locate(document->text, document->size, steps, count, key_itself);
        snprintf(place_text, sizeof place_text, "%s:%d:%d", document->path, place.line, place.column);
    }
    char line[2048];
    snprintf(line, sizeof line, "%s: %s%s%s", place_text, path, path[0] != '\0' ? ": " : "", text);
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
