// A walk through JSON text. Never reads beyond the text, whatever it holds.
#include "scene/locate.h"

#include <string.h>

typedef struct walker {
    const char *text;
    size_t size, at;
} walker;

static char peek(const walker *walker)
{
    return walker->at < walker->size ? walker->text[walker->at] : '\0';
}

static void skip_space(walker *walker)
{
    while (walker->at < walker->size && strchr(" \t\r\n", walker->text[walker->at]) != NULL &&
           walker->text[walker->at] != '\0') {
        ++walker->at;
    }
}

static void skip_string(walker *walker)
{
    ++walker->at;
    while (walker->at < walker->size && walker->text[walker->at] != '"') {
        walker->at += walker->text[walker->at] == '\\' ? 2 : 1;
    }
    ++walker->at;
}

// Over one value of any kind: brackets are counted, so nothing is recursive.
static void skip_value(walker *walker)
{
    int depth = 0;
    do {
        char c = peek(walker);
        if (c == '"') {
            skip_string(walker);
        } else if (c == '{' || c == '[') {
            ++depth;
            ++walker->at;
        } else if (c == '}' || c == ']') {
            --depth;
            ++walker->at;
        } else if (depth == 0) {
            while (walker->at < walker->size && strchr(",]} \t\r\n", peek(walker)) == NULL) {
                ++walker->at;
            }
        } else {
            ++walker->at;
        }
    } while (depth > 0 && walker->at < walker->size);
}

// Whether the string that begins here is the key. Keys with escapes are compared as they are written: those
// of scene files have none, and a name in a message that points one level up is no harm.
static bool is_key(const walker *walker, const char *key)
{
    size_t length = strlen(key);
    return walker->at + length + 1 < walker->size &&
           memcmp(walker->text + walker->at + 1, key, length) == 0 &&
           walker->text[walker->at + 1 + length] == '"';
}

// From the bracket of an object to the value of a key; `*key_at` is where the key is.
static bool enter_key(walker *walker, const char *key, size_t *key_at)
{
    if (peek(walker) != '{') {
        return false;
    }
    ++walker->at;
    for (skip_space(walker); peek(walker) == '"'; skip_space(walker)) {
        *key_at = walker->at;
        bool found = is_key(walker, key);
        skip_string(walker);
        skip_space(walker);
        ++walker->at; // the colon
        skip_space(walker);
        if (found) {
            return true;
        }
        skip_value(walker);
        skip_space(walker);
        if (peek(walker) == ',') {
            ++walker->at;
        }
    }
    return false;
}

static bool enter_index(walker *walker, int index)
{
    if (peek(walker) != '[') {
        return false;
    }
    ++walker->at;
    skip_space(walker);
    for (int i = 0; i < index; ++i) {
        skip_value(walker);
        skip_space(walker);
        if (peek(walker) != ',') {
            return false;
        }
        ++walker->at;
        skip_space(walker);
    }
    return peek(walker) != ']';
}

static sn_place place_of(const char *text, size_t at)
{
    sn_place place = {.line = 1, .column = 1};
    for (size_t i = 0; i < at; ++i) {
        if (text[i] == '\n') {
            ++place.line;
            place.column = 1;
        } else if (((unsigned char)text[i] & 0xc0) != 0x80) { // continuation bytes of UTF-8 do not count
            ++place.column;
        }
    }
    return place;
}

sn_place sn_locate(const char *text, size_t size, const sn_path_step *steps, int count, bool key_itself)
{
    walker walker = {text, size, 0};
    skip_space(&walker);
    size_t found = walker.at, key_at = walker.at;
    bool is_there = true;
    for (int i = 0; i < count && is_there; ++i) {
        is_there = steps[i].key != NULL ? enter_key(&walker, steps[i].key, &key_at)
                                        : enter_index(&walker, steps[i].index);
        if (is_there) {
            found = key_itself && i == count - 1 && steps[i].key != NULL ? key_at : walker.at;
        }
    }
    sn_place place = place_of(text, found < size ? found : size);
    place.is_exact = is_there;
    return place;
}
