// What a name in a scene file refers to: seen from the innermost scope first, then from those around it.
#include "scene/reader.h"

#include <stdio.h>
#include <string.h>

bool sn_scope_name(const sn_scope *scope, const sn_node *entry, const char *name, char out[SN_MAX_NAME + 1])
{
    size_t prefix = strlen(scope->prefix), length = strlen(name), suffix = strlen(scope->suffix);
    if (length == 0) {
        return sn_node_fail_key(entry, "name", "\"\" is not allowed, expected a name");
    }
    if (prefix + length + suffix > SN_MAX_NAME) {
        return sn_node_fail_key(entry, "name", "\"%s%s%s\" is too long, expected at most %d bytes",
                                scope->prefix, name, scope->suffix, SN_MAX_NAME);
    }
    stpcpy(stpcpy(stpcpy(out, scope->prefix), name), scope->suffix);
    return true;
}

void sn_reader_name_failed(sn_reader *reader, sn_names *names, const sn_scope *scope, const sn_node *entry)
{
    json_t *member = json_object_get(entry->value, "name");
    const char *name = json_string_value(member);
    char full[SN_MAX_NAME + 1];
    if (json_is_object(entry->value) && member == NULL) {
        return;
    }
    int length = name == NULL ? -1
                              : snprintf(full, sizeof full, "%s%s%s", scope != NULL ? scope->prefix : "",
                                         name, scope != NULL ? scope->suffix : "");
    if (length < 1 || length > SN_MAX_NAME) {
        reader->names_are_missing = true;
    } else if (sn_names_find(names, full) == -1 && !sn_names_add(names, full, -2)) {
        sn_reader_no_memory(reader);
    }
}

// --- complaints --------------------------------------------------------------------------------------------

static const char previous_mark[] = "previous.";

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

// What a text may name: things of one kind, or of several.
typedef struct kinds {
    const char *what;
    const sn_names *names[2];
    int count;
} kinds;

// The nearest name as it would be written in this scope: one of the innermost frame before one of those
// around it.
static const char *suggest_from(const kinds *kinds, const sn_scope *scope, const char *name)
{
    char full[2 * SN_MAX_NAME + 2];
    for (; scope != NULL && strlen(name) <= SN_MAX_NAME; scope = scope->parent) {
        snprintf(full, sizeof full, "%s%s", scope->prefix, name);
        for (int i = 0; i < kinds->count; ++i) {
            const char *meant = sn_names_suggest(kinds->names[i], full);
            if (meant != NULL && begins_with(meant, scope->prefix) && meant[strlen(scope->prefix)] != '\0') {
                return meant + strlen(scope->prefix);
            }
        }
    }
    return NULL;
}

// `mark` is what stands before the meant name, "" or "previous.".
static sn_lookup fail_unknown(const sn_node *entry, const char *key, const char *what, const char *name,
                              const char *mark, const char *meant)
{
    sn_node node = sn_node_get(entry, key);
    if (meant != NULL) {
        sn_node_fail(&node, "no %s is called \"%s\", did you mean \"%s%s\"?", what, name, mark, meant);
    } else if (mark[0] == '\0' && begins_with(name, previous_mark)) {
        sn_node_fail(&node, "no %s is called \"%s\", expected \"previous.\" in parts that are repeated only",
                     what, name);
    } else {
        sn_node_fail(&node, "no %s is called \"%s\", expected the name of one", what, name);
    }
    return SN_LOOKUP_FAILED;
}

// --- names -------------------------------------------------------------------------------------------------

sn_lookup sn_reader_find(sn_reader *reader, const sn_names *names, const sn_node *entry, const char *key,
                         const char *what, const char *name, int *index)
{
    *index = sn_names_find(names, name);
    if (*index == -1 && !reader->names_are_missing) {
        return fail_unknown(entry, key, what, name, "", sn_names_suggest(names, name));
    }
    return *index >= 0 ? SN_LOOKUP_FOUND : SN_LOOKUP_SKIP;
}

// The scope of the repetition the text stands in; null outside of all.
static const sn_scope *repeated_scope(const sn_scope *scope)
{
    while (scope != NULL && !scope->repeated) {
        scope = scope->parent;
    }
    return scope;
}

// Which of the kinds, and its value; −1 for both if there is none.
static int find_from(const kinds *kinds, const sn_scope *scope, const char *name, int *index)
{
    char full[2 * SN_MAX_NAME + 2];
    for (; scope != NULL && strlen(name) <= SN_MAX_NAME; scope = scope->parent) {
        snprintf(full, sizeof full, "%s%s", scope->prefix, name);
        for (int i = 0; i < kinds->count; ++i) {
            *index = sn_names_find(kinds->names[i], full);
            if (*index != -1) {
                return i;
            }
        }
    }
    *index = -1;
    return -1;
}

static sn_lookup find_index(const sn_reader *reader, const kinds *kinds, const sn_scope *scope,
                            const sn_node *entry, const char *key, const char *name, int *kind, int *index)
{
    const sn_scope *copy = begins_with(name, previous_mark) ? repeated_scope(scope) : NULL;
    if (copy != NULL && !copy->has_previous) {
        return SN_LOOKUP_NO_COPY;
    }
    sn_scope before = {.pose = sn_pose_identity};
    const char *mark = copy != NULL ? previous_mark : "", *inner = name + strlen(mark);
    if (copy != NULL) {
        memcpy(before.prefix, copy->previous, sizeof before.prefix);
        scope = &before;
    }
    *kind = find_from(kinds, scope, inner, index);
    if (*kind == -1 && !reader->names_are_missing) {
        return fail_unknown(entry, key, kinds->what, name, mark, suggest_from(kinds, scope, inner));
    }
    return *index >= 0 ? SN_LOOKUP_FOUND : SN_LOOKUP_SKIP;
}

sn_lookup sn_reader_body(sn_reader *reader, const sn_scope *scope, const sn_node *entry, const char *key,
                         const char *name, sn_rigid *rigid)
{
    int kind = 0, index = 0;
    kinds bodies = {"body", {&reader->body_names}, 1};
    sn_lookup found = find_index(reader, &bodies, scope, entry, key, name, &kind, &index);
    if (found == SN_LOOKUP_FOUND) {
        *rigid = reader->bodies.items[index];
    }
    return found;
}

sn_lookup sn_reader_joint(sn_reader *reader, const sn_scope *scope, const sn_node *entry, const char *key,
                          const char *name, sn_constraint *constraint)
{
    int kind = 0, index = 0;
    kinds joints = {"joint", {&reader->joint_names, &reader->anchor_names}, 2};
    sn_lookup found = find_index(reader, &joints, scope, entry, key, name, &kind, &index);
    if (found == SN_LOOKUP_FOUND) {
        *constraint = reader->joints.items[index];
    }
    return found;
}

sn_lookup sn_reader_deformable(sn_reader *reader, const sn_scope *scope, const sn_node *entry,
                               const char *key, const char *name, sn_deformable *deformable)
{
    int kind = 0, index = 0;
    kinds deformables = {"deformable", {&reader->deformable_names}, 1};
    sn_lookup found = find_index(reader, &deformables, scope, entry, key, name, &kind, &index);
    if (found == SN_LOOKUP_FOUND) {
        *deformable = reader->deformables.items[index];
    }
    return found;
}

sn_lookup sn_reader_matter(sn_reader *reader, const sn_scope *scope, const sn_node *entry, const char *key,
                           const char *name, sn_deformable *deformable, sn_rigid *rigid)
{
    int kind = 0, index = 0;
    kinds all = {"body or deformable", {&reader->deformable_names, &reader->body_names}, 2};
    *deformable = (sn_deformable){0};
    *rigid = (sn_rigid){0};
    sn_lookup found = find_index(reader, &all, scope, entry, key, name, &kind, &index);
    if (found == SN_LOOKUP_FOUND && kind == 0) {
        *deformable = reader->deformables.items[index];
    } else if (found == SN_LOOKUP_FOUND) {
        *rigid = reader->bodies.items[index];
    }
    return found;
}

bool sn_reader_has_matter(const sn_reader *reader, const sn_scope *scope, const char *name)
{
    int index = 0;
    kinds all = {"body or deformable", {&reader->deformable_names, &reader->body_names}, 2};
    return find_from(&all, scope, name, &index) >= 0;
}

bool sn_reader_name_is_free(const sn_reader *reader, const sn_node *entry, const char *name)
{
    bool is_body = sn_names_find(&reader->body_names, name) != -1;
    if (is_body || sn_names_find(&reader->deformable_names, name) != -1) {
        return sn_node_fail_key(entry, "name", "%s \"%s\" exists already, expected another name",
                                is_body ? "body" : "deformable", name);
    }
    return true;
}
