// Without memory: nothing breaks, nothing leaks, and no half a scene is taken for a whole one.
#include "scene/rich_scene.h"

#include "scene/json_text.h"
#include "support/memory.h"

#include <jansson.h>

// Jansson gets so many blocks more and no others.
static long json_blocks;

static void *ration(size_t size)
{
    return json_blocks-- > 0 ? malloc(size) : NULL;
}

static void allow_json(long blocks)
{
    json_blocks = blocks;
    json_set_alloc_funcs(ration, free);
}

static void allow_all_json(void)
{
    json_set_alloc_funcs(malloc, free);
}

// Small, but with some of everything.
static const char text[] =
    "{'sinew': 1, 'title': 't', 'categories': ['k'], 'materials': [{'name': 'm', 'friction': 0.1}], "
    "'bodies': [{'name': 'b',"
    " 'label': 'l', 'shapes': [{'type': 'box', 'size': [1, 2, 3], 'material': 'm', 'category': 'k', "
    "'position': [0.1, 0, 0],"
    " 'rotation': [0.5, 0.5, 0.5, 0.5]}, {'type': 'hull', 'points': [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, "
    "1]]},"
    " {'type': 'compound', 'parts': [{'type': 'sphere', 'radius': 0.3}]}], 'locks': ['x']}, {'type': "
    "'static', 'shape':"
    " {'type': 'mesh', 'vertices': [[0, 0, 0], [1, 0, 0], [0, 0, 1]], 'triangles': [[0, 2, 1]]}}],"
    " 'parts': [{'name': 'p', 'repeat': {'count': 2}, 'bodies': [{'name': 'c'}],"
    " 'joints': [{'type': 'hinge', 'a': 'b', 'b': 'c', 'at': [0, 0, 0], 'motor': {'speed': 1}}]}],"
    " 'deformables': [{'name': 'd', 'mesh': {'type': 'lists', 'nodes': [[0, 0, 0], [1, 0, 0], [0, 1, 0]],"
    " 'triangles': [[0, 1, 2]]}, 'node_masses': [1, 1, 2], 'fixed': {'part': 'rim', 'nodes': [0]}, "
    "'category': 'k',"
    " 'color': 'red', 'velocities': [[0, 0, 0], [0, 0, 1], [0, 0, 0]], 'repeat': {'count': 2}}],"
    " 'anchors': [{'a': 'd[1]', 'b': 'b', 'select': {'nodes': [1]}}, {'a': 'd[0]', 'b': 'ground', 'lower':"
    " [0, 0, 0], 'upper': [1, 1, 1]}],"
    " 'cameras': [{'eye': [0, 0, 1], 'target': [0, 0, 0], 'follow': 'b'}], 'probes': [{'value': 'energy'}]}";

static void test_loading_with_too_little_for_the_json_fails(void **state)
{
    (void)state;
    char *json = json_of(text);
    sn_status status = SN_ERROR_MEMORY;
    int failures = 0;
    for (long blocks = 0; status != SN_OK; ++blocks) {
        sn_scene *scene = NULL;
        allow_json(blocks);
        status = sn_scene_parse(json, strlen(json), "s.json", NULL, &scene);
        allow_all_json();
        if (status != SN_OK) {
            assert_null(scene);
            assert_begins(sn_scene_error(), "s.json:");
            ++failures;
        }
        sn_scene_destroy(scene);
    }
    assert_true(failures > 100);
    free(json);
}

static void test_loading_with_too_little_for_the_world_fails(void **state)
{
    (void)state;
    char *json = json_of(text);
    sn_status status = SN_ERROR_MEMORY;
    int failures = 0;
    for (int blocks = 0; status != SN_OK; ++blocks) {
        sn_scene *scene = NULL;
        uint64_t bytes = sn_allocated_bytes();
        test_memory_allow(blocks);
        status = sn_scene_parse(json, strlen(json), "s.json", NULL, &scene);
        test_memory_allow_all();
        if (status != SN_OK) {
            assert_null(scene);
            assert_begins(sn_scene_error(), "s.json:");
            assert_int_equal(sn_allocated_bytes(), bytes);
            ++failures;
        }
        sn_scene_destroy(scene);
    }
    assert_true(failures > 10);
    free(json);
}

// Saves with more and more blocks: a file is written as it should be, or not at all.
static void check_saving(sn_status save(const sn_scene *scene, const char *path))
{
    scene_folder folder = folder_make();
    scene_path whole = path_in(&folder, "whole"), rationed = path_in(&folder, "rationed");
    sn_scene *scene = scene_of(text);
    assert_int_equal(save(scene, whole.text), SN_OK);
    sn_status status = SN_ERROR_MEMORY;
    int failures = 0;
    for (long blocks = 0; status != SN_OK; ++blocks) {
        allow_json(blocks);
        status = save(scene, rationed.text);
        allow_all_json();
        if (status != SN_OK) {
            assert_int_equal(status, SN_ERROR_MEMORY);
            assert_begins(sn_scene_error(), rationed.text);
            assert_int_not_equal(access(rationed.text, F_OK), 0);
            ++failures;
        }
    }
    assert_true(failures > 20);
    assert_same_files(whole.text, rationed.text);
    sn_scene_destroy(scene);
    folder_remove(folder.path);
}

static void test_saving_with_too_little_fails(void **state)
{
    (void)state;
    check_saving(sn_scene_save);
    check_saving(sn_scene_save_state);
}

static void test_the_format_is_told_whole_or_not_at_all(void **state)
{
    (void)state;
    char *whole = sn_scene_schema(), *schema = NULL;
    int failures = 0;
    for (long blocks = 0; schema == NULL; blocks += 997) {
        allow_json(blocks);
        schema = sn_scene_schema();
        allow_all_json();
        failures += schema == NULL;
    }
    assert_string_equal(schema, whole);
    assert_true(failures > 3);
    free(whole);
    free(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loading_with_too_little_for_the_json_fails),
        cmocka_unit_test(test_loading_with_too_little_for_the_world_fails),
        cmocka_unit_test(test_saving_with_too_little_fails),
        cmocka_unit_test(test_the_format_is_told_whole_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
