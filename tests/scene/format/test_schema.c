// The JSON Schema agrees with the reader: what one takes the other takes, and the copy in docs/ is the one
// the library prints.
#include "scene/rich_scene.h"

#include "scene/schema_check.h"

static json_t *load_schema(void)
{
    char *text = sn_scene_schema();
    assert_non_null(text);
    json_error_t error;
    json_t *schema = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (schema == NULL) {
        fail_msg("line %d: %s", error.line, error.text);
    }
    free(text);
    return schema;
}

static void test_the_schema_is_json_and_complete(void **state)
{
    (void)state;
    json_t *schema = load_schema();
    assert_string_equal(json_string_value(json_object_get(schema, "$schema")),
                        "https://json-schema.org/draft/2020-12/schema");
    const char *const sections[] = {"world",  "categories", "materials", "shapes", "bodies",
                                    "joints", "cameras",    "labels",    "probes", "parts"};
    for (int i = 0; i < COUNT_OF(sections); ++i) {
        assert_non_null(json_object_get(json_object_get(schema, "properties"), sections[i]));
    }
    json_decref(schema);
}

// To be made anew with `sinew schema` and `sinew schema --markdown` when the tables change.
static void check_document(const char *name, char *printed)
{
    char path[512];
    snprintf(path, sizeof path, "%s/docs/%s", SOURCE_FOLDER, name);
    file_bytes kept = read_bytes(path);
    if (strcmp(kept.data, printed) != 0) {
        fail_msg("docs/%s is not what the library prints", name);
    }
    free(kept.data);
    free(printed);
}

static void test_the_documents_are_what_is_printed(void **state)
{
    (void)state;
    check_document("scene.schema.json", sn_scene_schema());
    check_document("scene-reference.md", sn_scene_reference());
}

// --- scenes ------------------------------------------------------------------------------------------------

static void check_folder(const json_t *schema, const char *folder, const json_t *definition, int least)
{
    char path[512];
    int count = 0;
    snprintf(path, sizeof path, "%s/%s", SOURCE_FOLDER, folder);
    DIR *entries = opendir(path);
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        const char *ending = strrchr(entry->d_name, '.');
        if (ending == NULL || strcmp(ending, ".json") != 0) {
            continue;
        }
        json_error_t error;
        int length = snprintf(path, sizeof path, "%s/%s/%s", SOURCE_FOLDER, folder, entry->d_name);
        assert_in_range(length, 1, sizeof path - 1);
        json_t *scene = json_load_file(path, 0, &error);
        assert_non_null(scene);
        if (!schema_accepts(schema, definition, scene)) {
            fail_msg("the schema refuses %s", path);
        }
        json_decref(scene);
        ++count;
    }
    closedir(entries);
    assert_true(count >= least);
}

static void test_the_schema_takes_all_example_scenes(void **state)
{
    (void)state;
    json_t *schema = load_schema();
    check_folder(schema, "scenes", schema, 5);
    check_folder(schema, "scenes/parts", schema_definition(schema, "#/$defs/part"), 1);
    json_decref(schema);
}

static bool is_taken(const json_t *schema, const char *text)
{
    char *json = json_of(text);
    json_error_t error;
    json_t *value = json_loads(json, JSON_DECODE_ANY, &error);
    assert_non_null(value);
    bool taken = schema_accepts(schema, schema, value);
    json_decref(value);
    free(json);
    return taken;
}

static void test_the_schema_takes_what_the_reader_takes(void **state)
{
    (void)state;
    json_t *schema = load_schema();
    char rich[sizeof rich_begin + sizeof rich_end];
    snprintf(rich, sizeof rich, "%s%s", rich_begin, rich_end);
    const char *const texts[] = {
        rich,
        "{'sinew': 1, '$schema': 'x', 'comment': 5}",
        "{'sinew': 1.0}",
        "{'sinew': 1, 'parts': [{'include': 'x.json', 'repeat': [{'count': 2}, {'count': 3, 'comment': "
        "'c'}]}]}",
        "{'sinew': 1, 'bodies': [{'repeat': {'count': 2, 'closed': true}, 'rotation': [0, 0, 0, 1]}]}",
        "{'sinew': 1, 'bodies': [{'shape': {'type': 'sphere', 'radius': 1, 'category': 'default',"
        " 'collides_with': ['default']}, 'rotation': {'axis': [0, 1, 0], 'angle': 5, 'comment': 1}}]}"};
    for (int i = 0; i < COUNT_OF(texts); ++i) {
        assert_true(is_taken(schema, texts[i]));
        if (strstr(texts[i], "include") == NULL) {
            sn_scene_destroy(scene_of(texts[i]));
        }
    }
    json_decref(schema);
}

static void test_the_schema_takes_what_the_writer_writes(void **state)
{
    (void)state;
    json_t *schema = load_schema();
    scene_folder folder = folder_make();
    scene_path path = path_in(&folder, "saved.json");
    sn_scene *scene = rich_scene_later();
    assert_int_equal(sn_scene_save(scene, path.text), SN_OK);
    json_error_t error;
    json_t *saved = json_load_file(path.text, 0, &error);
    assert_true(schema_accepts(schema, schema, saved));
    json_decref(saved);
    sn_scene_destroy(scene);
    folder_remove(folder.path);
    json_decref(schema);
}

#define JOINT(TEXT) "{'sinew': 1, 'bodies': [{'name': 'b'}], 'joints': [{'a': 'ground', 'b': 'b', " TEXT "}]}"

static void test_the_schema_refuses_what_the_reader_refuses(void **state)
{
    (void)state;
    json_t *schema = load_schema();
    const char *const texts[] = {
        "[]",
        "{}",
        "{'sinew': 2}",
        "{'sinew': 1, 'titel': 'x'}",
        "{'sinew': 1, 'title': 5}",
        "{'sinew': 1, 'step': 0}",
        "{'sinew': 1, 'world': {'gravity': [0, 1]}}",
        "{'sinew': 1, 'world': {'sub_steps': 1.5}}",
        "{'sinew': 1, 'world': {'contact_stiffness': 0}}",
        "{'sinew': 1, 'categories': [5]}",
        "{'sinew': 1, 'materials': [{}]}",
        "{'sinew': 1, 'bodies': {}}",
        "{'sinew': 1, 'bodies': [{'type': 'statik'}]}",
        "{'sinew': 1, 'bodies': [{'locks': ['w']}]}",
        "{'sinew': 1, 'bodies': [{'rotation': [0, 0, 1]}]}",
        "{'sinew': 1, 'bodies': [{'rotation': {'axis': [0, 1, 0]}}]}",
        "{'sinew': 1, 'bodies': [{'mass_properties': {'mass': 1}}]}",
        "{'sinew': 1, 'bodies': [{'color': 'ornage'}]}",
        "{'sinew': 1, 'bodies': [{'color': '#12345'}]}",
        "{'sinew': 1, 'bodies': [{'shape': {'type': 'bax'}}]}",
        "{'sinew': 1, 'bodies': [{'shape': {'radius': 1}}]}",
        "{'sinew': 1, 'bodies': [{'shape': {'type': 'sphere'}}]}",
        "{'sinew': 1, 'bodies': [{'shape': {'type': 'sphere', 'radius': 0}}]}",
        "{'sinew': 1, 'bodies': [{'shape': {'type': 'box', 'size': [1, 1, 0]}}]}",
        "{'sinew': 1, 'bodies': [{'shape': {'type': 'sphere', 'radius': 1, 'size': [1, 1, 1]}}]}",
        "{'sinew': 1, 'bodies': [{'shape': {'type': 'compound', 'parts': [{'type': 'plane'}]}}]}",
        "{'sinew': 1, 'bodies': [{'shape': {'type': 'mesh', 'vertices': [[0, 0]], 'triangles': [[0, 1]]}}]}",
        "{'sinew': 1, 'bodies': [{'repeat': {'count': 0}}]}",
        "{'sinew': 1, 'bodies': [{'repeat': {}}]}",
        "{'sinew': 1, 'bodies': [{'repeat': []}]}",
        "{'sinew': 1, 'parts': [{'cameras': []}]}",
        "{'sinew': 1, 'parts': [{'sinew': 2}]}",
        JOINT("'type': 'weld', 'at': [0, 0, 0]"),
        JOINT("'type': 'ball', 'at': [0, 0, 0], 'limits': [0, 1]"),
        JOINT("'type': 'ball', 'at': [0, 0, 0], 'cone': 181"),
        JOINT("'type': 'hinge', 'at': [0, 0, 0], 'motor': {'force': 1}"),
        JOINT("'type': 'hinge', 'at': [0, 0, 0], 'spring': {}"),
        JOINT("'type': 'hinge', 'at': [0, 0, 0], 'limits': [0]"),
        "{'sinew': 1, 'joints': [{'type': 'ball', 'a': 'ground', 'at': [0, 0, 0]}]}",
        "{'sinew': 1, 'cameras': [{'eye': [0, 0, 5]}]}",
        "{'sinew': 1, 'labels': [{'text': 'a', 'colour': 'red'}]}",
        "{'sinew': 1, 'probes': [{'value': 5}]}"};
    for (int i = 0; i < COUNT_OF(texts); ++i) {
        sn_scene *scene = NULL;
        assert_int_equal(parse_with(texts[i], "s.json", NULL, &scene), SN_ERROR_FORMAT);
        if (is_taken(schema, texts[i])) {
            fail_msg("the schema takes %s", texts[i]);
        }
    }
    json_decref(schema);
}

// --- another judge -----------------------------------------------------------------------------------------

// Python's jsonschema, where it is installed, finds the schema sound and agrees about the examples.
static void test_another_validator_agrees(void **state)
{
    (void)state;
    if (system("python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null") != 0) {
        skip();
    }
    scene_folder folder = folder_make();
    char *schema = sn_scene_schema();
    scene_path path = path_in(&folder, "schema.json");
    write_bytes(path.text, schema, strlen(schema));
    free(schema);
    write_scene(&folder, "bad.json", "{'sinew': 1, 'bodies': [{'shape': {'type': 'sphere', 'radius': 0}}]}");
    char command[2048];
    snprintf(command, sizeof command,
             "python3 -c '\n"
             "import glob, json, jsonschema, sys\n"
             "schema = json.load(open(sys.argv[1] + \"/schema.json\"))\n"
             "jsonschema.Draft202012Validator.check_schema(schema)\n"
             "judge = jsonschema.Draft202012Validator(schema)\n"
             "for name in glob.glob(sys.argv[2] + \"/scenes/*.json\"):\n"
             "    judge.validate(json.load(open(name)))\n"
             "sys.exit(judge.is_valid(json.load(open(sys.argv[1] + \"/bad.json\"))))\n"
             "' '%s' '%s'",
             folder.path, SOURCE_FOLDER);
    assert_int_equal(system(command), 0);
    folder_remove(folder.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_schema_is_json_and_complete),
        cmocka_unit_test(test_the_documents_are_what_is_printed),
        cmocka_unit_test(test_the_schema_takes_all_example_scenes),
        cmocka_unit_test(test_the_schema_takes_what_the_reader_takes),
        cmocka_unit_test(test_the_schema_takes_what_the_writer_writes),
        cmocka_unit_test(test_the_schema_refuses_what_the_reader_refuses),
        cmocka_unit_test(test_another_validator_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
