// Saved states: the snapshot of a world behind a little JSON that says how to look at it.
// Tested by tests/scene/test_load.c.
#include "scene/saved_state.h"

#include "scene/drive.h"
#include "scene/json_text.h"
#include "scene/message.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A saved state: these bytes, the size of the views' JSON (8 bytes, little-endian), that JSON, the snapshot.
static const char state_mark[8] = {'S', 'I', 'N', 'E', 'W', 'S', 'T', '1'};

#define STATE_HEADER (sizeof state_mark + 8)

static const char paints_key[] = "paints", soft_paints_key[] = "deformable_paints",
                  opacities_key[] = "deformable_opacities", drive_key[] = "drive";

static bool register_deformables(sn_reader *reader, const sn_writer *writer)
{
    const sn_world *world = reader->scene->world;
    int count = sn_world_deformables(world, NULL, 0);
    if (!SN_LIST_RESERVE(&reader->deformables, count + 1)) {
        return false;
    }
    reader->deformables.count = sn_world_deformables(world, reader->deformables.items, count);
    bool good = true;
    for (int i = 0; i < count && good; ++i) {
        const char *name = sn_writer_deformable_name(writer, reader->deformables.items[i]);
        good = sn_names_add(&reader->deformable_names, name, i);
    }
    return good;
}

// The views of a state refer to bodies, joints and deformables by the names a writer gives them.
static bool register_names(sn_reader *reader)
{
    const sn_world *world = reader->scene->world;
    int body_count = sn_world_rigids(world, NULL, 0), joint_count = sn_world_constraints(world, NULL, 0);
    sn_writer writer;
    bool good = sn_writer_begin(&writer, reader->scene, true) &&
                SN_LIST_RESERVE(&reader->bodies, body_count + 1) &&
                SN_LIST_RESERVE(&reader->joints, joint_count + 1);
    if (good) {
        reader->bodies.items[0] = sn_world_ground(world);
        sn_world_rigids(world, reader->bodies.items + 1, body_count);
        sn_world_constraints(world, reader->joints.items, joint_count);
    }
    for (int i = 0; i <= body_count && good; ++i) {
        const char *name = sn_writer_body_name(&writer, reader->bodies.items[i]);
        good = sn_names_add(&reader->body_names, name, i);
    }
    for (int i = 0; i < joint_count && good; ++i) {
        const char *name = sn_writer_joint_name(&writer, reader->joints.items[i]);
        good = sn_names_add(&reader->joint_names, name, i);
    }
    good = good && register_deformables(reader, &writer);
    sn_writer_release(&writer);
    return good;
}

static sn_status restore_world(sn_reader *reader, const char *path, const void *bytes, size_t size)
{
    sn_world_def def = sn_world_def_default();
    def.threads = reader->threads > 0 ? reader->threads : 1;
    sn_status status = sn_world_create(&def, &reader->scene->world);
    if (status != SN_OK) {
        return sn_scene_fail(status, "%s: %s", path, sn_last_error());
    }
    reader->scene->owns_world = true;
    status = sn_world_restore(reader->scene->world, bytes, size);
    if (status != SN_OK) {
        return sn_scene_fail(status, "%s: %s", path, sn_world_error(reader->scene->world));
    }
    return register_names(reader) ? SN_OK : sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory to read it", path);
}

static bool paint(sn_reader *reader, const sn_node *row, bool soft, int index, int generation, sn_color color)
{
    sn_scene *scene = reader->scene;
    uint16_t world = sn_world_ground(scene->world).world;
    sn_shape shape = {(uint32_t)index, (uint16_t)generation, world};
    sn_deformable deformable = {(uint32_t)index, (uint16_t)generation, world};
    if (soft ? !sn_deformable_is_valid(scene->world, deformable) : !sn_shape_is_valid(scene->world, shape)) {
        return sn_node_fail(row, "is the colour of no %s, expected the id of one",
                            soft ? "deformable" : "shape");
    }
    bool painted =
        soft ? sn_scene_paint_deformable(scene, deformable, color) : sn_scene_paint(scene, shape, color);
    return painted || sn_reader_no_memory(reader);
}

static bool restore_paints(sn_reader *reader, const sn_node *root, const char *key, bool soft)
{
    sn_node paints = sn_node_get(root, key);
    for (int i = 0; i < sn_node_count(&paints); ++i) {
        sn_node row = sn_node_at(&paints, i);
        int index = 0, generation = 0;
        sn_color color = 0;
        sn_node parts[3] = {sn_node_at(&row, 0), sn_node_at(&row, 1), sn_node_at(&row, 2)};
        if (!sn_node_integer(&parts[0], (sn_range){0.0, 1e8, false}, &index) ||
            !sn_node_integer(&parts[1], (sn_range){0.0, 65535.0, false}, &generation) ||
            !sn_node_color(&parts[2], &color) || !paint(reader, &row, soft, index, generation, color)) {
            return false;
        }
    }
    return true;
}

static bool restore_opacities(sn_reader *reader, const sn_node *root)
{
    sn_node rows = sn_node_get(root, opacities_key);
    for (int i = 0; i < sn_node_count(&rows); ++i) {
        sn_node row = sn_node_at(&rows, i);
        int index = 0, generation = 0;
        float opacity = 1.0f;
        sn_node parts[3] = {sn_node_at(&row, 0), sn_node_at(&row, 1), sn_node_at(&row, 2)};
        if (!sn_node_integer(&parts[0], (sn_range){0.0, 1e8, false}, &index) ||
            !sn_node_integer(&parts[1], (sn_range){0.0, 65535.0, false}, &generation) ||
            !sn_node_number(&parts[2], (sn_range)SN_BETWEEN(0.05, 1.0), NULL, &opacity)) {
            return false;
        }
        uint16_t world = sn_world_ground(reader->scene->world).world;
        sn_deformable deformable = {(uint32_t)index, (uint16_t)generation, world};
        if (!sn_deformable_is_valid(reader->scene->world, deformable)) {
            return sn_node_fail(&row, "is the opacity of no deformable, expected the id of one");
        }
        if (!sn_scene_set_opacity(reader->scene, deformable, opacity)) {
            return sn_reader_no_memory(reader);
        }
    }
    return true;
}

sn_status sn_saved_state_read(const char *bytes, size_t size, const char *path,
                              const sn_scene_options *options, sn_reader *reader)
{
    if (options != NULL && options->setting_count > 0) {
        return sn_scene_fail(SN_ERROR_FORMAT,
                             "%s: a saved state has no settings to change, expected a scene "
                             "file with --set",
                             path);
    }
    uint64_t views = 0;
    for (int i = 0; size >= STATE_HEADER && i < 8; ++i) {
        views |= (uint64_t)(unsigned char)bytes[sizeof state_mark + (size_t)i] << (8 * i);
    }
    if (size < STATE_HEADER || views > size - STATE_HEADER) {
        return sn_scene_fail(SN_ERROR_FORMAT, "%s: byte %zu: a saved state that ends too early", path, size);
    }
    sn_scene_options without_settings = {.threads = options != NULL ? options->threads : 0,
                                         .allow_anywhere = options != NULL && options->allow_anywhere};
    sn_status status = sn_load_open(bytes + STATE_HEADER, (size_t)views, path, &without_settings, reader);
    if (status != SN_OK) {
        return status;
    }
    const char *snapshot = bytes + STATE_HEADER + views;
    status = restore_world(reader, path, snapshot, size - STATE_HEADER - (size_t)views);
    if (status != SN_OK) {
        return status;
    }
    sn_node root = sn_node_root(reader->documents.items[0], &reader->mistakes);
    bool good = sn_reader_read_views(reader, &root) && restore_paints(reader, &root, paints_key, false) &&
                restore_paints(reader, &root, soft_paints_key, true) && restore_opacities(reader, &root);
    return good && reader->mistakes.count == 0 ? SN_OK : sn_load_failed(reader, path);
}

bool sn_saved_state_is(const char *bytes, size_t size)
{
    return size >= sizeof state_mark && memcmp(bytes, state_mark, sizeof state_mark) == 0;
}

// --- saving -----------------------------------------------------------------------------------------------

static void write_paint(sn_writer *writer, json_t *list, int index, int generation, sn_color color)
{
    char text[8];
    snprintf(text, sizeof text, "#%06x", (unsigned)(color & 0xffffffu));
    sn_writer_append(writer, list, json_pack("[iis]", index, generation, text));
}

// Colours by the ids of shapes, which a state keeps.
static json_t *write_paints(sn_writer *writer)
{
    const sn_scene *scene = writer->scene;
    uint16_t world = sn_world_ground(scene->world).world;
    json_t *list = json_array();
    for (int i = 0; i < scene->paints.count; ++i) {
        sn_shape shape = {(uint32_t)i, scene->paints.items[i].generation, world};
        sn_color color;
        if (sn_shape_is_valid(scene->world, shape) && sn_scene_painted(scene, shape, &color)) {
            write_paint(writer, list, i, shape.generation, color);
        }
    }
    return list;
}

static json_t *write_soft_paints(sn_writer *writer)
{
    const sn_scene *scene = writer->scene;
    uint16_t world = sn_world_ground(scene->world).world;
    json_t *list = json_array();
    for (int i = 0; i < scene->deformable_paints.count; ++i) {
        sn_deformable deformable = {(uint32_t)i, scene->deformable_paints.items[i].generation, world};
        sn_color color;
        if (sn_deformable_is_valid(scene->world, deformable) &&
            sn_scene_painted_deformable(scene, deformable, &color)) {
            write_paint(writer, list, i, deformable.generation, color);
        }
    }
    return list;
}

static json_t *write_opacities(sn_writer *writer)
{
    const sn_scene *scene = writer->scene;
    uint16_t world = sn_world_ground(scene->world).world;
    json_t *list = json_array();
    for (int i = 0; i < scene->opacities.count; ++i) {
        sn_deformable deformable = {(uint32_t)i, scene->opacities.items[i].generation, world};
        if (sn_deformable_is_valid(scene->world, deformable)) {
            sn_writer_append(writer, list,
                             json_pack("[iio]", i, (int)deformable.generation,
                                       sn_json_number(scene->opacities.items[i].value)));
        }
    }
    return list;
}

// What moves by itself, without being simulated.
static bool is_driven(const sn_scene *scene)
{
    bool driven = scene->motions.count + scene->events.count > 0;
    for (int i = 0; i < scene->cameras.count; ++i) {
        const sn_camera_record *camera = &scene->cameras.items[i];
        driven = driven || camera->orbit != 0.0f || camera->follow.generation != 0 ||
                 camera->follow_soft.generation != 0;
    }
    return driven;
}

// It once more, as numbers, for the page.
static json_t *write_drive(sn_writer *writer)
{
    sn_number_list numbers = {0};
    json_t *list = json_array();
    writer->no_memory |= !sn_drive_write(writer->scene, &numbers);
    for (int i = 0; i < numbers.count; ++i) {
        double number = numbers.items[i];
        bool whole = number == floor(number) && fabs(number) < 1.0e9;
        sn_writer_append(writer, list, whole ? json_integer((json_int_t)number) : json_real(number));
    }
    SN_LIST_FREE(&numbers);
    return list;
}

static sn_status no_memory_to_write(const char *path)
{
    return sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory to write it", path);
}

// The JSON before the snapshot: the head of a scene, views, colours by id. To be freed; null without memory.
static char *write_views(const sn_scene *scene)
{
    sn_writer writer;
    json_t *root = sn_reader_write_head(scene);
    if (!sn_writer_begin(&writer, scene, false) || root == NULL) {
        writer.no_memory = true;
    } else {
        sn_writer_write(&writer, SN_PASS_VIEWS, root);
        sn_writer_set(&writer, root, sn_section_categories.name, sn_section_categories.write(&writer));
        sn_writer_set(&writer, root, paints_key, write_paints(&writer));
        sn_writer_set(&writer, root, soft_paints_key, write_soft_paints(&writer));
        sn_writer_set(&writer, root, opacities_key, write_opacities(&writer));
        if (is_driven(scene)) {
            sn_writer_set(&writer, root, drive_key, write_drive(&writer));
        }
    }
    sn_writer_release(&writer);
    char *views = writer.no_memory ? NULL : json_dumps(root, JSON_COMPACT);
    json_decref(root);
    return views;
}

sn_status sn_saved_state_make(const sn_scene *scene, const char *path, char **bytes, size_t *size)
{
    *bytes = NULL;
    size_t snapshot = 0;
    sn_status status = sn_world_save(scene->world, NULL, 0, &snapshot);
    if (status != SN_OK) {
        return sn_scene_fail(status, "%s: %s", path, sn_world_error(scene->world));
    }
    char *views = write_views(scene);
    size_t length = views != NULL ? strlen(views) : 0;
    char *made = views != NULL ? malloc(STATE_HEADER + length + snapshot) : NULL;
    if (made != NULL) {
        memcpy(made, state_mark, sizeof state_mark);
        for (int i = 0; i < 8; ++i) {
            made[sizeof state_mark + (size_t)i] = (char)((uint64_t)length >> (8 * i) & 0xffu);
        }
        memcpy(made + STATE_HEADER, views, length);
        status = sn_world_save(scene->world, made + STATE_HEADER + length, snapshot, &snapshot);
    }
    free(views);
    if (made == NULL || status != SN_OK) {
        free(made);
        return made == NULL ? no_memory_to_write(path)
                            : sn_scene_fail(status, "%s: %s", path, sn_world_error(scene->world));
    }
    *bytes = made;
    *size = STATE_HEADER + length + snapshot;
    return SN_OK;
}

sn_status sn_scene_save_state(const sn_scene *scene, const char *path)
{
    if (scene == NULL || path == NULL) {
        return sn_scene_fail(SN_ERROR_NULL, "sn_scene_save_state: scene or path is null");
    }
    char *bytes = NULL;
    size_t size = 0;
    sn_status status = sn_saved_state_make(scene, path, &bytes, &size);
    status = status ? status : sn_load_write(path, bytes, size);
    free(bytes);
    return status;
}
