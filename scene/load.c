// Scenes from files and back. Scene files are JSON; saved states and recordings are told by their first
// bytes.
#include "scene/json_text.h"
#include "scene/message.h"
#include "scene/output.h"
#include "scene/replay.h"
#include "scene/saved_state.h"
#include "scene/settings.h"

#include <stdio.h>
#include <string.h>

// --- scene files -------------------------------------------------------------------------------------------

sn_status sn_load_failed(const sn_reader *reader, const char *path)
{
    if (reader->mistakes.no_memory) {
        return sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory to read it", path);
    }
    return sn_scene_fail(SN_ERROR_FORMAT, "%s", reader->mistakes.text);
}

sn_status sn_load_open(const char *text, size_t size, const char *path, const sn_scene_options *options,
                       sn_reader *reader)
{
    sn_document *document = calloc(1, sizeof *document);
    bool anywhere = options != NULL && options->allow_anywhere;
    if (document == NULL || !SN_LIST_PUSH(&reader->documents, document)) {
        free(document);
        return sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory to read it", path);
    }
    sn_status status = sn_document_parse(text, size, path, document);
    if (status == SN_OK && !anywhere && !sn_sources_confine(&reader->scene->sources, path)) {
        status = sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory to read it", path);
    }
    document->sources = &reader->scene->sources;
    for (int i = 0; status == SN_OK && options != NULL && i < options->setting_count; ++i) {
        status = sn_setting_apply(document, options->settings[i]);
    }
    if (options != NULL) {
        reader->threads = options->threads;
        reader->mistakes.settings = options->settings;
        reader->mistakes.setting_count = options->setting_count;
        reader->mistakes.set_document = document;
    }
    return status;
}

static sn_status check_options(const sn_scene_options *options, sn_scene **scene)
{
    if (scene == NULL) {
        return sn_scene_fail(SN_ERROR_NULL, "scene is null, expected where to put it");
    }
    *scene = NULL;
    if (options == NULL) {
        return SN_OK;
    }
    if (options->threads < 0 || options->threads > 64) {
        return sn_scene_fail(SN_ERROR_RANGE, "threads is %d, expected 1 to 64, or 0 for one",
                             options->threads);
    }
    for (int i = 0; i < options->setting_count; ++i) {
        if (options->settings == NULL || options->settings[i] == NULL) {
            return sn_scene_fail(SN_ERROR_NULL, "setting %d is null, expected path=value", i);
        }
    }
    return SN_OK;
}

static sn_status load_scene(const char *text, size_t size, const char *path, const sn_scene_options *options,
                            sn_reader *reader)
{
    sn_status status = sn_load_open(text, size, path, options, reader);
    return status != SN_OK || sn_reader_read(reader) ? status : sn_load_failed(reader, path);
}

// --- either ------------------------------------------------------------------------------------------------

// Parses the bytes, or those of the file if there are none.
static sn_status read_scene(const char *text, size_t size, const char *path, const sn_scene_options *options,
                            sn_reader *reader)
{
    reader->scene = sn_scene_new();
    if (reader->scene == NULL) {
        return sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory to read it", path);
    }
    char *bytes = NULL;
    if (text == NULL) {
        sn_status status = sn_source_read_main(&reader->scene->sources, path, &bytes, &size);
        if (status != SN_OK) {
            return status;
        }
        text = bytes;
    }
    sn_status status = sn_saved_state_is(text, size) ? sn_saved_state_read(text, size, path, options, reader)
                       : sn_recording_is(text, size) ? sn_recording_read(text, size, path, options, reader)
                                                     : load_scene(text, size, path, options, reader);
    free(bytes);
    return status;
}

static sn_status make_scene(const char *text, size_t size, const char *path, const sn_scene_options *options,
                            sn_scene **scene)
{
    sn_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) {
        return sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory to read it", path);
    }
    sn_status status = read_scene(text, size, path, options, reader);
    if (status == SN_OK) {
        *scene = reader->scene;
    } else {
        sn_scene_destroy(reader->scene);
    }
    sn_reader_release(reader);
    free(reader);
    return status;
}

sn_status sn_scene_parse(const char *text, size_t size, const char *path, const sn_scene_options *options,
                         sn_scene **scene)
{
    sn_status status = check_options(options, scene);
    if (status != SN_OK) {
        return status;
    }
    if (text == NULL || path == NULL) {
        return sn_scene_fail(SN_ERROR_NULL, "sn_scene_parse: text or path is null");
    }
    return make_scene(text, size, path, options, scene);
}

sn_status sn_scene_load(const char *path, const sn_scene_options *options, sn_scene **scene)
{
    sn_status status = check_options(options, scene);
    if (status != SN_OK) {
        return status;
    }
    if (path == NULL) {
        return sn_scene_fail(SN_ERROR_NULL, "sn_scene_load: path is null, expected a file");
    }
    return make_scene(NULL, 0, path, options, scene);
}

bool sn_scene_was_read_from(const sn_scene *scene, const char *path)
{
    return scene != NULL && path != NULL && sn_sources_have(&scene->sources, path);
}

// --- saving ------------------------------------------------------------------------------------------------

sn_status sn_load_write(const char *path, const void *bytes, size_t size)
{
    sn_output output;
    sn_status status = sn_output_open(&output, path);
    if (status != SN_OK) {
        return status;
    }
    sn_output_bytes(&output, bytes, size);
    return sn_output_close(&output);
}

static sn_status write_root(const sn_scene *scene, const char *path, json_t **root)
{
    sn_writer writer;
    *root = sn_reader_write_head(scene);
    if (!sn_writer_begin(&writer, scene, false) || *root == NULL) {
        writer.no_memory = true;
    } else {
        writer.restarts = true;
        sn_writer_write(&writer, SN_PASS_SETTINGS, *root);
    }
    sn_writer_release(&writer);
    if (writer.no_memory) {
        return sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory to write it", path);
    }
    if (writer.has_custom) {
        return sn_scene_fail(SN_ERROR_KIND,
                             "%s: the world has a custom constraint, which no scene file can hold", path);
    }
    return SN_OK;
}

sn_status sn_scene_save(const sn_scene *scene, const char *path)
{
    if (scene == NULL || path == NULL) {
        return sn_scene_fail(SN_ERROR_NULL, "sn_scene_save: scene or path is null");
    }
    json_t *root = NULL;
    sn_status status = write_root(scene, path, &root);
    char *text = status == SN_OK ? sn_json_text(root) : NULL;
    status = status         ? status
             : text != NULL ? sn_load_write(path, text, strlen(text))
                            : sn_scene_fail(SN_ERROR_MEMORY, "%s: no memory to write it", path);
    free(text);
    json_decref(root);
    return status;
}
