// Writing a world back: the same sections, each thing by itself.
#include "scene/reader.h"

#include <stdio.h>
#include <string.h>

void sn_writer_append(sn_writer *writer, json_t *list, json_t *value)
{
    writer->no_memory = json_array_append_new(list, value) != 0 || writer->no_memory;
}

void sn_writer_set(sn_writer *writer, json_t *object, const char *key, json_t *value)
{
    writer->no_memory = json_object_set_new(object, key, value) != 0 || writer->no_memory;
}

// --- ids ---------------------------------------------------------------------------------------------------

static void *allocate(sn_writer *writer, int count, size_t size)
{
    void *memory = malloc(((size_t)count + 1) * size);
    writer->no_memory = memory == NULL || writer->no_memory;
    return memory;
}

sn_rigid *sn_writer_rigids(sn_writer *writer, int *count)
{
    const sn_world *world = writer->scene->world;
    *count = sn_world_rigids(world, NULL, 0);
    sn_rigid *rigids = allocate(writer, *count, sizeof *rigids);
    *count = rigids != NULL ? sn_world_rigids(world, rigids, *count) : 0;
    return rigids;
}

sn_constraint *sn_writer_constraints(sn_writer *writer, int *count)
{
    const sn_world *world = writer->scene->world;
    *count = sn_world_constraints(world, NULL, 0);
    sn_constraint *constraints = allocate(writer, *count, sizeof *constraints);
    *count = constraints != NULL ? sn_world_constraints(world, constraints, *count) : 0;
    return constraints;
}

sn_deformable *sn_writer_deformables(sn_writer *writer, int *count)
{
    const sn_world *world = writer->scene->world;
    *count = sn_world_deformables(world, NULL, 0);
    sn_deformable *deformables = allocate(writer, *count, sizeof *deformables);
    *count = deformables != NULL ? sn_world_deformables(world, deformables, *count) : 0;
    return deformables;
}

sn_shape *sn_writer_shapes(sn_writer *writer, sn_rigid rigid, int *count)
{
    const sn_world *world = writer->scene->world;
    *count = sn_rigid_shapes(world, rigid, NULL, 0);
    sn_shape *shapes = allocate(writer, *count, sizeof *shapes);
    *count = shapes != NULL ? sn_rigid_shapes(world, rigid, shapes, *count) : 0;
    return shapes;
}

// --- names -------------------------------------------------------------------------------------------------

static bool add_name(sn_written_names *written, const char *name, uint32_t index)
{
    if (!sn_names_add(&written->names, name, (int)index)) {
        return false;
    }
    written->numbers.items[index] = written->names.names.count;
    return true;
}

bool sn_json_can_hold(const char *name)
{
    json_t *text = name != NULL && name[0] != '\0' ? json_string(name) : NULL;
    bool is_text = text != NULL;
    json_decref(text);
    return is_text;
}

// Worlds made in C may hold names that no JSON can, or the same one twice.
static bool is_usable(const sn_written_names *written, const char *name)
{
    return sn_json_can_hold(name) && sn_names_find(&written->names, name) == -1;
}

static bool make_up_name(sn_written_names *written, const char *kind, uint32_t index)
{
    char name[SN_MAX_NAME + 1];
    int length = snprintf(name, sizeof name, "%s-%u", kind, index);
    while (sn_names_find(&written->names, name) != -1 && length < SN_MAX_NAME) {
        name[length++] = '_';
        name[length] = '\0';
    }
    return add_name(written, name, index);
}

static const char *written_name(const sn_written_names *written, uint32_t index)
{
    int number = index < (uint32_t)written->numbers.count ? written->numbers.items[index] : 0;
    return number > 0 ? written->names.names.items[number - 1] : NULL;
}

static bool make_room(sn_written_names *written, uint32_t highest)
{
    if (highest >= INT32_MAX || !SN_LIST_RESERVE(&written->numbers, (int)highest + 1)) {
        return false;
    }
    written->numbers.count = (int)highest + 1;
    memset(written->numbers.items, 0, (size_t)written->numbers.count * sizeof *written->numbers.items);
    return true;
}

// --- which things need a name ------------------------------------------------------------------------------

static void mark(bool *marks, const sn_written_names *written, uint32_t index)
{
    if (index < (uint32_t)written->numbers.count) {
        marks[index] = true;
    }
}

static void mark_bodies(const sn_writer *writer, const sn_constraint *constraints, int count, bool *marks)
{
    const sn_scene *scene = writer->scene;
    for (int i = 0; i < scene->labels.count; ++i) {
        mark(marks, &writer->bodies, scene->labels.items[i].rigid.index);
    }
    for (int i = 0; i < scene->cameras.count; ++i) {
        mark(marks, &writer->bodies, scene->cameras.items[i].follow.index);
    }
    for (int i = 0; i < scene->probes.count; ++i) {
        mark(marks, &writer->bodies, scene->probes.items[i].rigid.index);
    }
    for (int i = 0; i < count; ++i) {
        mark(marks, &writer->bodies, sn_constraint_body_a(scene->world, constraints[i]).index);
        mark(marks, &writer->bodies, sn_constraint_body_b(scene->world, constraints[i]).index);
    }
}

// Deformables that constraints hold.
static void mark_held(sn_writer *writer, bool *marks)
{
    int count = 0;
    sn_constraint *constraints = sn_writer_constraints(writer, &count);
    for (int i = 0; i < count; ++i) {
        sn_constraint_common common = sn_constraint_definition(writer->scene->world, constraints[i]);
        const sn_point *ends[2] = {&common.a, &common.b};
        for (int end = 0; end < 2; ++end) {
            if (ends[end]->deformable.generation != 0) {
                mark(marks, &writer->deformables, ends[end]->deformable.index);
            }
        }
    }
    free(constraints);
}

// Deformables that cameras, labels and probes name.
static void mark_watched(const sn_writer *writer, bool *marks)
{
    const sn_scene *scene = writer->scene;
    for (int i = 0; i < scene->cameras.count; ++i) {
        if (scene->cameras.items[i].follow_soft.generation != 0) {
            mark(marks, &writer->deformables, scene->cameras.items[i].follow_soft.index);
        }
    }
    for (int i = 0; i < scene->labels.count; ++i) {
        if (scene->labels.items[i].deformable.generation != 0) {
            mark(marks, &writer->deformables, scene->labels.items[i].deformable.index);
        }
    }
    for (int i = 0; i < scene->probes.count; ++i) {
        const sn_probe_record *probe = &scene->probes.items[i];
        if (probe->subject == SN_PROBE_DEFORMABLE || probe->subject == SN_PROBE_NODE) {
            mark(marks, &writer->deformables, probe->deformable.index);
        }
    }
}

static void mark_joints(const sn_writer *writer, bool *marks)
{
    const sn_scene *scene = writer->scene;
    for (int i = 0; i < scene->probes.count; ++i) {
        if (scene->probes.items[i].subject == SN_PROBE_JOINT) {
            mark(marks, &writer->joints, scene->probes.items[i].constraint.index);
        }
    }
}

// Given names first, so that made-up ones keep clear of all of them.
static bool name_bodies(sn_writer *writer, const sn_rigid *rigids, int count, const bool *marks)
{
    const sn_world *world = writer->scene->world;
    bool good = add_name(&writer->bodies, "ground", sn_world_ground(world).index);
    for (int i = 0; i < count && good; ++i) {
        const char *name = sn_rigid_name(world, rigids[i]);
        good = !is_usable(&writer->bodies, name) || add_name(&writer->bodies, name, rigids[i].index);
    }
    for (int i = 0; i < count && good; ++i) {
        uint32_t index = rigids[i].index;
        good = writer->bodies.numbers.items[index] != 0 || !marks[index] ||
               make_up_name(&writer->bodies, "body", index);
    }
    return good;
}

static bool name_joints(sn_writer *writer, const sn_constraint *constraints, int count, const bool *marks)
{
    const sn_world *world = writer->scene->world;
    bool good = true;
    // Anchors after joints: they may share names with anything.
    for (int i = 0; i < 2 * count && good; ++i) {
        sn_constraint constraint = constraints[i % count];
        const char *name = sn_constraint_name(world, constraint);
        if (sn_constraint_is_anchor(world, constraint) == (i >= count)) {
            good = !is_usable(&writer->joints, name) || add_name(&writer->joints, name, constraint.index);
        }
    }
    for (int i = 0; i < count && good; ++i) {
        uint32_t index = constraints[i].index;
        good = writer->joints.numbers.items[index] != 0 || !marks[index] ||
               make_up_name(&writer->joints, "joint", index);
    }
    return good;
}

static bool name_all_bodies(sn_writer *writer, const sn_rigid *rigids, int count,
                            const sn_constraint *constraints, int constraint_count, bool name_all)
{
    uint32_t highest = sn_world_ground(writer->scene->world).index;
    for (int i = 0; i < count; ++i) {
        highest = rigids[i].index > highest ? rigids[i].index : highest;
    }
    bool *marks = make_room(&writer->bodies, highest) ? malloc((size_t)highest + 1) : NULL;
    bool good = marks != NULL;
    if (good) {
        memset(marks, name_all, (size_t)highest + 1);
        mark_bodies(writer, constraints, constraint_count, marks);
        good = name_bodies(writer, rigids, count, marks);
    }
    free(marks);
    return good;
}

static bool name_all_joints(sn_writer *writer, const sn_constraint *constraints, int count, bool name_all)
{
    uint32_t highest = 0;
    for (int i = 0; i < count; ++i) {
        highest = constraints[i].index > highest ? constraints[i].index : highest;
    }
    bool *marks = make_room(&writer->joints, highest) ? malloc((size_t)highest + 1) : NULL;
    bool good = marks != NULL;
    if (good) {
        memset(marks, name_all, (size_t)highest + 1);
        mark_joints(writer, marks);
        good = name_joints(writer, constraints, count, marks);
    }
    free(marks);
    return good;
}

// Bodies and deformables share their names.
static bool name_deformables(sn_writer *writer, const sn_deformable *deformables, int count,
                             const bool *marks)
{
    const sn_world *world = writer->scene->world;
    sn_written_names *written = &writer->deformables;
    bool good = true;
    for (int i = 0; i < count && good; ++i) {
        const char *name = sn_deformable_name(world, deformables[i]);
        bool is_free = is_usable(written, name) && sn_names_find(&writer->bodies.names, name) == -1;
        good = !is_free || add_name(written, name, deformables[i].index);
    }
    for (int i = 0; i < count && good; ++i) {
        uint32_t index = deformables[i].index;
        good =
            written->numbers.items[index] != 0 || !marks[index] || make_up_name(written, "deformable", index);
    }
    return good;
}

static bool name_all_deformables(sn_writer *writer, bool name_all)
{
    int count = 0;
    sn_deformable *deformables = sn_writer_deformables(writer, &count);
    uint32_t highest = 0;
    for (int i = 0; i < count; ++i) {
        highest = deformables[i].index > highest ? deformables[i].index : highest;
    }
    bool *marks = make_room(&writer->deformables, highest) ? malloc((size_t)highest + 1) : NULL;
    bool good = marks != NULL && deformables != NULL;
    if (good) {
        memset(marks, name_all, (size_t)highest + 1);
        mark_held(writer, marks);
        mark_watched(writer, marks);
        good = name_deformables(writer, deformables, count, marks);
    }
    free(marks);
    free(deformables);
    return good;
}

const char *sn_writer_body_name(const sn_writer *writer, sn_rigid rigid)
{
    return sn_rigid_is_valid(writer->scene->world, rigid) ? written_name(&writer->bodies, rigid.index) : NULL;
}

const char *sn_writer_joint_name(const sn_writer *writer, sn_constraint constraint)
{
    return sn_constraint_is_valid(writer->scene->world, constraint)
               ? written_name(&writer->joints, constraint.index)
               : NULL;
}

const char *sn_writer_deformable_name(const sn_writer *writer, sn_deformable deformable)
{
    return sn_deformable_is_valid(writer->scene->world, deformable)
               ? written_name(&writer->deformables, deformable.index)
               : NULL;
}

// --- categories --------------------------------------------------------------------------------------------

static uint64_t categories_of(sn_writer *writer, sn_rigid rigid)
{
    int count = 0;
    uint64_t bits = 0;
    sn_shape *shapes = sn_writer_shapes(writer, rigid, &count);
    for (int i = 0; i < count; ++i) {
        bits |= sn_shape_definition(writer->scene->world, shapes[i]).filter.category;
    }
    free(shapes);
    return bits;
}

// Bits that nothing has as its category make no difference in any mask.
static void count_categories(sn_writer *writer, const sn_rigid *rigids, int count)
{
    uint64_t bits = categories_of(writer, sn_world_ground(writer->scene->world));
    for (int i = 0; i < count; ++i) {
        bits |= categories_of(writer, rigids[i]);
    }
    int soft_count = 0;
    sn_deformable *deformables = sn_writer_deformables(writer, &soft_count);
    for (int i = 0; i < soft_count; ++i) {
        bits |= sn_deformable_definition(writer->scene->world, deformables[i]).filter.category;
    }
    free(deformables);
    writer->category_count = writer->scene->categories.count;
    for (int bit = writer->category_count + 1; bit < 64; ++bit) {
        writer->category_count = (bits >> bit & 1u) != 0 ? bit : writer->category_count;
    }
}

const char *sn_writer_category(const sn_writer *writer, int bit, char made_up[SN_MAX_NAME + 1])
{
    const sn_scene *scene = writer->scene;
    if (bit <= scene->categories.count) {
        return bit == 0 ? "default" : scene->categories.items[bit - 1];
    }
    int length = snprintf(made_up, SN_MAX_NAME + 1, "category-%d", bit);
    while (sn_scene_category(scene, made_up) >= 0 && length < SN_MAX_NAME) {
        made_up[length++] = '_';
        made_up[length] = '\0';
    }
    return made_up;
}

// --- the whole ---------------------------------------------------------------------------------------------

bool sn_writer_begin(sn_writer *writer, const sn_scene *scene, bool name_all)
{
    *writer = (sn_writer){.scene = scene};
    int rigid_count = 0, constraint_count = 0;
    sn_rigid *rigids = sn_writer_rigids(writer, &rigid_count);
    sn_constraint *constraints = sn_writer_constraints(writer, &constraint_count);
    bool good = rigids != NULL && constraints != NULL;
    good = good && name_all_bodies(writer, rigids, rigid_count, constraints, constraint_count, name_all) &&
           name_all_joints(writer, constraints, constraint_count, name_all) &&
           name_all_deformables(writer, name_all);
    if (good) {
        count_categories(writer, rigids, rigid_count);
    }
    free(rigids);
    free(constraints);
    return good && !writer->no_memory;
}

void sn_writer_release(sn_writer *writer)
{
    sn_world_destroy(writer->spare);
    writer->spare = NULL;
    SN_LIST_FREE(&writer->shared);
    SN_LIST_FREE(&writer->bodies.numbers);
    SN_LIST_FREE(&writer->joints.numbers);
    SN_LIST_FREE(&writer->deformables.numbers);
    sn_names_release(&writer->bodies.names);
    sn_names_release(&writer->joints.names);
    sn_names_release(&writer->deformables.names);
}

void sn_writer_write(sn_writer *writer, sn_pass from, json_t *out)
{
    for (int i = 0; i < sn_section_count; ++i) {
        json_t *section = sn_sections[i]->pass >= from ? sn_sections[i]->write(writer) : NULL;
        if (json_array_size(section) > 0 || json_object_size(section) > 0) {
            sn_writer_set(writer, out, sn_sections[i]->name, section);
        } else {
            json_decref(section);
        }
    }
}
