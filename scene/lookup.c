// What a name in a scene file refers to: seen from the innermost scope first, then from those around it.
#include "scene/reader.h"

#include <stdio.h>
#include <string.h>

bool sn_scope_name(const sn_scope *scope, const sn_node *entry, const char *name, char out[SN_MAX_NAME + 1])
{
    int length = snprintf(out, SN_MAX_NAME + 1, "%s%s%s", scope->prefix, name, scope->suffix);
    if (name[0] == '\0') {
        return sn_node_fail_key(entry, "name", "\"\" is not allowed, expected a name");
    }
    if (length > SN_MAX_NAME) {
        return sn_node_fail_key(entry, "name", "\"%s%s%s\" is too long, expected at most %d bytes",
                                scope->prefix, name, scope->suffix, SN_MAX_NAME);
    }
    return true;
}

static const char previous_mark[] = "previous.";

// The scope of the repetition the text stands in; null outside of all.
static const sn_scope *repeated_scope(const sn_scope *scope)
{
    while (scope != NULL && !scope->repeated) {
        scope = scope->parent;
    }
    return scope;
}

static int find_from(const sn_names *names, const sn_scope *scope, const char *name)
{
    char full[2 * SN_MAX_NAME + 2];
    for (; scope != NULL; scope = scope->parent) {
        if (strlen(name) <= SN_MAX_NAME) {
            snprintf(full, sizeof full, "%s%s", scope->prefix, name);
            int found = sn_names_find(names, full);
            if (found != -1) {
                return found;
            }
        }
    }
    return -1;
}

static sn_lookup fail_unknown(const sn_names *names, const sn_node *entry, const char *key, const char *what,
                              const char *name)
{
    sn_node node = sn_node_get(entry, key);
    const char *meant = sn_names_suggest(names, name);
    sn_node_fail(&node, "no %s is called \"%s\"%s%s%s", what, name, meant != NULL ? ", did you mean \"" : "",
                 meant != NULL ? meant : "", meant != NULL ? "\"?" : ", expected the name of one");
    return SN_LOOKUP_FAILED;
}

static sn_lookup find_index(const sn_names *names, const sn_scope *scope, const sn_node *entry,
                            const char *key, const char *what, const char *name, int *index)
{
    const sn_scope *from = scope;
    int found = -1;
    if (strncmp(name, previous_mark, strlen(previous_mark)) == 0) {
        const sn_scope *copy = repeated_scope(scope);
        if (copy != NULL && !copy->has_previous) {
            return SN_LOOKUP_SKIP;
        }
        if (copy != NULL) {
            sn_scope before = {.pose = sn_pose_identity};
            memcpy(before.prefix, copy->previous, sizeof before.prefix);
            found = find_from(names, &before, name + strlen(previous_mark));
        }
    } else {
        found = find_from(names, from, name);
    }
    if (found == -1) {
        return fail_unknown(names, entry, key, what, name);
    }
    *index = found;
    return found >= 0 ? SN_LOOKUP_FOUND : SN_LOOKUP_SKIP;
}

sn_lookup sn_reader_body(sn_reader *reader, const sn_scope *scope, const sn_node *entry, const char *key,
                         const char *name, sn_rigid *rigid)
{
    int index = 0;
    sn_lookup found = find_index(&reader->body_names, scope, entry, key, "body", name, &index);
    if (found == SN_LOOKUP_FOUND) {
        *rigid = reader->bodies.items[index];
    }
    return found;
}

sn_lookup sn_reader_joint(sn_reader *reader, const sn_scope *scope, const sn_node *entry, const char *key,
                          const char *name, sn_constraint *constraint)
{
    int index = 0;
    sn_lookup found = find_index(&reader->joint_names, scope, entry, key, "joint", name, &index);
    if (found == SN_LOOKUP_FOUND) {
        *constraint = reader->joints.items[index];
    }
    return found;
}
