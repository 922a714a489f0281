// Writing a world back: the same sections, each thing by itself.
#include "scene/reader.h"

#include <stdio.h>
#include <string.h>

// Marks the bodies that joints and labels refer to, so that they need a name.
static bool mark_referenced(const sn_scene *scene, bool *referenced, int capacity)
{
    const sn_world *world = scene->world;
    for (int i = 0; i < scene->labels.count; ++i) {
        sn_rigid rigid = scene->labels.items[i].rigid;
        if (rigid.index < (uint32_t)capacity) {
            referenced[rigid.index] = true;
        }
    }
    int count = sn_world_constraints(world, NULL, 0);
    sn_constraint *constraints = malloc(((size_t)count + 1) * sizeof *constraints);
    if (constraints == NULL) {
        return false;
    }
    sn_world_constraints(world, constraints, count);
    for (int i = 0; i < count; ++i) {
        sn_rigid ends[2] = {sn_constraint_body_a(world, constraints[i]),
                            sn_constraint_body_b(world, constraints[i])};
        for (int k = 0; k < 2; ++k) {
            if (ends[k].index < (uint32_t)capacity) {
                referenced[ends[k].index] = true;
            }
        }
    }
    free(constraints);
    return true;
}

// A name of one's own for a body that has none.
static bool make_up_name(sn_writer *writer, sn_rigid rigid)
{
    char name[SN_MAX_NAME + 1];
    int length = snprintf(name, sizeof name, "body-%u", rigid.index);
    while (sn_names_find(&writer->body_names, name) != -1 && length < SN_MAX_NAME) {
        name[length++] = '_';
        name[length] = '\0';
    }
    if (!sn_names_add(&writer->body_names, name, (int)rigid.index)) {
        return false;
    }
    writer->names_of_bodies.items[rigid.index] = writer->body_names.names.count;
    return true;
}

static bool name_bodies(sn_writer *writer, const sn_rigid *rigids, int count, const bool *referenced)
{
    const sn_world *world = writer->scene->world;
    for (int i = 0; i < count; ++i) {
        const char *name = sn_rigid_name(world, rigids[i]);
        if (name[0] != '\0' && sn_names_find(&writer->body_names, name) == -1) {
            if (!sn_names_add(&writer->body_names, name, (int)rigids[i].index)) {
                return false;
            }
            writer->names_of_bodies.items[rigids[i].index] = writer->body_names.names.count;
        }
    }
    for (int i = 0; i < count; ++i) {
        uint32_t index = rigids[i].index;
        if (writer->names_of_bodies.items[index] == 0 && referenced[index] &&
            !make_up_name(writer, rigids[i])) {
            return false;
        }
    }
    return true;
}

bool sn_writer_begin(sn_writer *writer, const sn_scene *scene)
{
    *writer = (sn_writer){.scene = scene};
    const sn_world *world = scene->world;
    int count = sn_world_rigids(world, NULL, 0);
    sn_rigid *rigids = malloc(((size_t)count + 1) * sizeof *rigids);
    if (rigids == NULL) {
        return false;
    }
    sn_world_rigids(world, rigids, count);
    int capacity = (int)sn_world_ground(world).index + 1;
    for (int i = 0; i < count; ++i) {
        capacity = (int)rigids[i].index + 1 > capacity ? (int)rigids[i].index + 1 : capacity;
    }
    bool *referenced = calloc((size_t)capacity, sizeof *referenced);
    bool good = referenced != NULL && SN_LIST_RESERVE(&writer->names_of_bodies, capacity);
    if (good) {
        memset(writer->names_of_bodies.items, 0, (size_t)capacity * sizeof *writer->names_of_bodies.items);
        writer->names_of_bodies.count = capacity;
        uint32_t ground = sn_world_ground(world).index;
        good = sn_names_add(&writer->body_names, "ground", (int)ground) &&
               mark_referenced(scene, referenced, capacity);
        writer->names_of_bodies.items[ground] = 1;
        good = good && name_bodies(writer, rigids, count, referenced);
    }
    free(referenced);
    free(rigids);
    return good;
}

void sn_writer_release(sn_writer *writer)
{
    SN_LIST_FREE(&writer->shared);
    SN_LIST_FREE(&writer->names_of_bodies);
    sn_names_release(&writer->body_names);
}

const char *sn_writer_body_name(const sn_writer *writer, sn_rigid rigid)
{
    if (!sn_rigid_is_valid(writer->scene->world, rigid) ||
        rigid.index >= (uint32_t)writer->names_of_bodies.count) {
        return NULL;
    }
    int number = writer->names_of_bodies.items[rigid.index];
    return number > 0 ? writer->body_names.names.items[number - 1] : NULL;
}

void sn_writer_write(sn_writer *writer, sn_pass from, json_t *out)
{
    for (int i = 0; i < sn_section_count; ++i) {
        json_t *section = sn_sections[i]->pass >= from ? sn_sections[i]->write(writer) : NULL;
        if (section != NULL && (json_array_size(section) > 0 || json_object_size(section) > 0)) {
            json_object_set_new(out, sn_sections[i]->name, section);
        } else {
            json_decref(section);
        }
    }
}
