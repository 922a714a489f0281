// Mistakes in parts, repetitions, names and included files.
#include "scene/bad_scenes.h"

#define REPEAT(TEXT) BODY(TEXT)

static const bad_scene parts[] = {
    {PART("5"), "scene.json:2:1: parts[0]: 5 is not allowed, expected an object {…}: Things that belong "
                "together, placed as one. Holds `bodies`, `joints`, `parts`, … of its own, and `repeat`."},
    {PART("{'nme': 'a'}"), "scene.json:2:2: parts[0].nme: unknown key \"nme\", did you mean \"name\"?"},
    {PART("{'position': 1}"),
     "scene.json:2:14: parts[0].position: 1 is not allowed, expected a list of 3 numbers [m]"},
    {PART("{'rotation': 1}"), "scene.json:2:14: parts[0].rotation: 1 is not allowed, expected {\"axis\": [x, "
                              "y, z], \"angle\": degrees} or a quaternion [x, y, z, w]"},
    {PART("{'name': 5}"), "scene.json:2:10: parts[0].name: 5 is not allowed, expected text in quotes"},
    {PART("{'sinew': 2}"), "scene.json:2:11: parts[0].sinew: 2 is not allowed, expected 1"},
    {PART("{'cameras': []}"), "scene.json:2:2: parts[0].cameras: unknown key \"cameras\", expected one of: "},
    {PART("{'world': {}}"), "scene.json:2:2: parts[0].world: unknown key \"world\", expected one of: "},
    {PART("{'bodies': [{'name': 'ground'}]}"),
     "scene.json:2:14: parts[0].bodies[0].name: the ground cannot be in a part, expected another name"},
    {PART("{'bodies': {}}"),
     "scene.json:2:12: parts[0].bodies: {} is not allowed, expected a list […]: rigid bodies"},
    {PART("{'parts': {}}"), "scene.json:2:11: parts[0].parts: {} is not allowed, expected a list […]: A "
                            "group of things, placed as one."},
    {PART("{'parts': [{'bodies': [{'shape': {'type': 'sphere', 'radius': 0}}]}]}"),
     "scene.json:2:63: parts[0].parts[0].bodies[0].shape.radius: 0 is not allowed, expected a number above 0 "
     "[m]"},
    {PART("{'name': 'a', 'bodies': [{'name': 'rod'}], 'joints': [{'type': 'ball', 'a': 'rood', 'b': "
          "'ground', 'at': [0, 0, 0]}]}"),
     "scene.json:2:77: parts[0].joints[0].a: no body or deformable is called \"rood\", did you mean "
     "\"rod\"?"},
    {PART("{'name': 'a', 'bodies': [{'name': 'rod'}]}, {'name': 'b', 'joints': [{'type': 'ball', 'a': 'rod', "
          "'b': 'ground', 'at': [0, 0, 0]}]}"),
     "scene.json:2:92: parts[1].joints[0].a: no body or deformable is called \"rod\", expected the name of "
     "one"},
    {PART("{'name': 'a', 'bodies': [{'name': 'rod'}]}, {'name': 'a', 'bodies': [{'name': 'rod'}]}"),
     "scene.json:2:71: parts[1].bodies[0].name: body \"a.rod\" exists already, expected another name"},
    {PART("{'include': 5}"), "scene.json:2:13: parts[0].include: 5 is not allowed, expected text in quotes"},
    {PART("{'include': 'missing.json'}"),
     "scene.json:2:2: parts[0].include: \"missing.json\" cannot be included: missing.json: cannot be read: "
     "No such file or directory"}};

static void test_parts_are_checked(void **state)
{
    (void)state;
    check_bad_scenes(parts, COUNT_OF(parts));
}

static const bad_scene repeats[] = {
    {REPEAT("{'repeat': {}}"), "scene.json:2:12: bodies[0].repeat.count: is missing: how many copies"},
    {REPEAT("{'repeat': {'count': 2, 'vary': 5}}"),
     "scene.json:2:33: bodies[0].repeat.vary: 5 is not allowed"},
    {REPEAT("{'repeat': {'count': 2, 'vary': {'sise': [1, 2]}}}"),
     "scene.json:2:34: bodies[0].repeat.vary.sise: unknown key \"sise\", did you mean \"size\"?"},
    {REPEAT("{'repeat': {'count': 2, 'vary': {'size': [2, 1]}}}"),
     "scene.json:2:42: bodies[0].repeat.vary.size: "},
    {REPEAT("{'repeat': {'count': 2, 'vary': {'colors': []}}}"),
     "scene.json:2:44: bodies[0].repeat.vary.colors: expected a list of one text or more"},
    {REPEAT("{'repeat': {'count': 2, 'vary': {'colors': ['redd']}}}"),
     "scene.json:2:45: bodies[0].repeat.vary.colors[0]: \"redd\" is not allowed, expected a colour"},
    {REPEAT("{'shape': {'type': 'sphere', 'radius': 1}, 'repeat': {'count': 2, 'vary': {'materials': "
            "['tin']}}}"),
     "scene.json:2:11: bodies[0].shape.material: "},
    {REPEAT("{'repeat': 3}"),
     "scene.json:2:12: bodies[0].repeat: 3 is not allowed, expected an object {…}: Copies of an entry: copy "
     "k is turned k times, then moved k times. Copies are named name[0], name[1], …"},
    {REPEAT("{'repeat': {'count': 0}}"),
     "scene.json:2:22: bodies[0].repeat.count: 0 is not allowed, expected a whole number from 1 to 1000000"},
    {REPEAT("{'repeat': {'count': -1}}"),
     "scene.json:2:22: bodies[0].repeat.count: -1 is not allowed, expected a whole number from 1 to 1000000"},
    {REPEAT("{'repeat': {'count': 1e9}}"), "scene.json:2:22: bodies[0].repeat.count: 1e9 is not allowed, "
                                           "expected a whole number from 1 to 1000000"},
    {REPEAT("{'repeat': {'count': 1000001}}"), "scene.json:2:22: bodies[0].repeat.count: 1000001 is not "
                                               "allowed, expected a whole number from 1 to 1000000"},
    {REPEAT("{'repeat': {'count': 2.5}}"), "scene.json:2:22: bodies[0].repeat.count: 2.5 is not allowed, "
                                           "expected a whole number from 1 to 1000000"},
    {REPEAT("{'repeat': {'count': 'two'}}"), "scene.json:2:22: bodies[0].repeat.count: \"two\" is not "
                                             "allowed, expected a whole number from 1 to 1000000"},
    {REPEAT("{'repeat': {'count': 2, 'ofset': [1, 0, 0]}}"),
     "scene.json:2:25: bodies[0].repeat.ofset: unknown key \"ofset\", did you mean \"offset\"?"},
    {REPEAT("{'repeat': {'count': 2, 'rotation': 5}}"),
     "scene.json:2:37: bodies[0].repeat.rotation: 5 is not allowed, expected {\"axis\": [x, y, z], "
     "\"angle\": degrees} or a quaternion [x, y, z, w]"},
    {REPEAT("{'repeat': {'count': 2, 'closed': 1}}"),
     "scene.json:2:35: bodies[0].repeat.closed: 1 is not allowed, expected true or false"},
    {REPEAT("{'repeat': []}"),
     "scene.json:2:12: bodies[0].repeat: 0 repetitions are not allowed, expected 1 to 4"},
    {REPEAT("{'repeat': [{'count': 2}, {'count': 2}, {'count': 2}, {'count': 2}, {'count': 2}]}"),
     "scene.json:2:12: bodies[0].repeat: 5 repetitions are not allowed, expected 1 to 4"},
    {REPEAT("{'repeat': [{'count': 1001}, {'count': 1000}]}"),
     "scene.json:2:12: bodies[0].repeat: 1001000 copies are not allowed, expected at most 1000000"},
    {REPEAT("{'repeat': [{'count': 1}, {'cuont': 1}]}"),
     "scene.json:2:28: bodies[0].repeat[1].cuont: unknown key \"cuont\", did you mean \"count\"?"},
    {REPEAT("{'repeat': {'count': 1000}, 'shape': {'type': 'sphere', 'radius': -1}}"),
     "scene.json:2:67: bodies[0].shape.radius: -1 is not allowed, expected a number above 0 [m]"}};

static void test_repetitions_are_checked(void **state)
{
    (void)state;
    check_bad_scenes(repeats, COUNT_OF(repeats));
}

static const bad_scene repeats_of_parts[] = {
    {PART("{'name': 'link', 'repeat': {'count': 3}, 'bodies': [{'name': 'rod'}], 'joints': [{'type': 'ball', "
          "'a': 'previous.rid', 'b': 'rod', 'at': [0, 0, 0]}]}"),
     "scene.json:2:104: parts[0].joints[0].a: no body or deformable is called \"previous.rid\", did you mean "
     "\"previous.rod\"?"},
    {PART("{'name': 'link', 'bodies': [{'name': 'rod'}], 'joints': [{'type': 'ball', 'a': 'previous.rod', "
          "'b': 'rod', 'at': [0, 0, 0]}]}"),
     "scene.json:2:80: parts[0].joints[0].a: no body or deformable is called \"previous.rod\", expected "
     "\"previous.\" in "
     "parts that are repeated only"},
    {PART("{'name': 'x', 'repeat': {'count': 0}, 'bodies': [{'name': 'rod'}]}"),
     "scene.json:2:35: parts[0].repeat.count: 0 is not allowed, expected a whole number from 1 to 1000000"}};

static void test_repeated_parts_are_checked(void **state)
{
    (void)state;
    check_bad_scenes(repeats_of_parts, COUNT_OF(repeats_of_parts));
}

// --- included files ----------------------------------------------------------------------------------------

static void check_file(const scene_folder *folder, const char *name, const char *message)
{
    sn_scene *scene = NULL;
    scene_path path = path_in(folder, name);
    assert_int_equal(sn_scene_load(path.text, NULL, &scene), SN_ERROR_FORMAT);
    assert_null(scene);
    char full[1024];
    snprintf(full, sizeof full, "%s/%s", folder->path, message);
    assert_begins(sn_scene_error(), full);
    assert_null(strchr(sn_scene_error(), '\n'));
}

static void test_an_included_file_that_cannot_be_read_is_told_with_the_reason(void **state)
{
    (void)state;
    scene_folder folder = folder_make();
    write_scene(&folder, "scene.json", PART("{'include': 'sub/wheel.json'}"));
    check_file(&folder, "scene.json",
               "scene.json:2:2: parts[0].include: \"sub/wheel.json\" cannot be included: ");
    assert_contains(sn_scene_error(), "sub/wheel.json: cannot be read: No such file or directory");
    write_scene(&folder, "sub/wheel.json", "{'bodies': [}");
    check_file(&folder, "scene.json",
               "scene.json:2:2: parts[0].include: \"sub/wheel.json\" cannot be included: ");
    assert_contains(sn_scene_error(), "sub/wheel.json:1:13: not JSON: unexpected token near '}'");
    folder_remove(folder.path);
}

static void test_mistakes_in_an_included_file_are_told_with_its_own_place(void **state)
{
    (void)state;
    scene_folder folder = folder_make();
    write_scene(&folder, "scene.json",
                PART("{'name': 'left', 'include': 'sub/wheel.json'}, {'name': 'right', 'include': "
                     "'sub/wheel.json'}"));
    write_scene(&folder, "sub/wheel.json", "{'sinew': 1,\n 'bodies': [{'mass': 0}]}");
    check_file(&folder, "scene.json", "sub/wheel.json:2:22: bodies[0].mass: 0 is not allowed");
    write_scene(&folder, "sub/wheel.json", "{'sinew': 7}");
    check_file(&folder, "scene.json", "sub/wheel.json:1:11: sinew: 7 is not allowed, expected 1");
    write_scene(&folder, "sub/wheel.json", "[]");
    check_file(&folder, "scene.json", "sub/wheel.json:1:1: [] is not allowed, expected an object {…}");
    write_scene(&folder, "sub/wheel.json", "{'title': 'A wheel'}");
    check_file(&folder, "scene.json", "sub/wheel.json:1:2: title: unknown key \"title\"");
    folder_remove(folder.path);
}

static void test_files_that_include_themselves_are_refused(void **state)
{
    (void)state;
    scene_folder folder = folder_make();
    write_scene(&folder, "a.json", PART("{'include': 'a.json'}"));
    check_file(&folder, "a.json", "a.json:2:2: parts[0].include: \"a.json\" includes itself");
    write_scene(&folder, "a.json", PART("{'include': 'b.json'}, {'include': 'b.json'}"));
    write_scene(&folder, "b.json", "{'include': 'c.json'}");
    write_scene(&folder, "c.json", "{'parts': [{}, {'include': 'b.json'}]}");
    check_file(&folder, "a.json", "c.json:1:17: parts[1].include: \"b.json\" includes itself");
    // By another name every time, so that only the depth tells.
    write_scene(&folder, "sub/d.json",
                "{'parts': [{'include': '../sub/d.json'}, {'include': '../sub/d.json'}]}");
    write_scene(&folder, "a.json", PART("{'include': 'sub/d.json'}"));
    check_file(&folder, "a.json", "sub/../sub/../sub/");
    assert_contains(sn_scene_error(), "d.json:1:12: parts[0]: is more than 24 parts and files deep");
    folder_remove(folder.path);
}

// Little text, a thousand million parts.
static void test_copies_of_copies_are_bounded(void **state)
{
    (void)state;
    scene_folder folder = folder_make();
    scene_path path = write_scene(
        &folder, "a.json", PART("{'repeat': {'count': 1000}, 'include': 'b.json'}, {'include': 'b.json'}"));
    write_scene(&folder, "b.json",
                "{'repeat': {'count': 1000}, 'parts': [{'name': 'x', 'repeat': {'count': 1000}}]}");
    sn_scene *scene = NULL;
    assert_int_equal(sn_scene_load(path.text, NULL, &scene), SN_ERROR_FORMAT);
    assert_contains(sn_scene_error(),
                    "is one of more than 2000000 things, copies included, which is the most");
    folder_remove(folder.path);
}

static void test_parts_nested_without_end_are_refused(void **state)
{
    (void)state;
    char text[4096] = "{'sinew': 1";
    for (int i = 0; i < 100; ++i) {
        strcat(text, ", 'parts': [{'position': [0, 0, 0]");
    }
    for (int i = 0; i < 100; ++i) {
        strcat(text, "}]");
    }
    strcat(text, "}");
    check_refused(text, "scene.json", NULL, "scene.json:1:");
    assert_contains(sn_scene_error(), "is more than 24 parts and files deep, which is the most");
}

static void test_names_with_the_part_before_them_may_be_too_long(void **state)
{
    (void)state;
    char name[SN_MAX_NAME + 1], text[512], message[512];
    memset(name, 'n', sizeof name);
    name[SN_MAX_NAME] = '\0';
    snprintf(text, sizeof text, PART("{'name': '%s', 'bodies': [{}]}"), name);
    snprintf(message, sizeof message,
             "scene.json:2:2: parts[0].name: \"%s.\" is too long, expected at most %d bytes", name,
             SN_MAX_NAME);
    check_refused(text, "scene.json", NULL, message);
    name[SN_MAX_NAME - 3] = '\0';
    snprintf(text, sizeof text, PART("{'name': '%s', 'bodies': [{'name': 'ab'}, {'name': 'abc'}]}"), name);
    snprintf(message, sizeof message,
             "scene.json:2:%d: parts[0].bodies[1].name: \"%s.abc\" is too long, expected at most %d bytes",
             42 + SN_MAX_NAME - 3, name, SN_MAX_NAME);
    check_refused(text, "scene.json", NULL, message);
}

static void test_joints_that_cannot_be_assembled_are_told(void **state)
{
    (void)state;
    // Two rods from one body to the ground, both longer than there is room for.
    check_refused(
        "{'sinew': 1, 'world': {'assemble': true},\n"
        "'bodies': [{'name': 'a'}], 'joints': [\n"
        "{'type': 'distance', 'a': 'ground', 'b': 'a', 'from': [0, 0, 0], 'to': [0, 0, 0], 'length': 1},\n"
        "{'type': 'distance', 'a': 'ground', 'b': 'a', 'from': [0, 9, 0], 'to': [0, 0, 0], 'length': 1}]}",
        "scene.json", NULL, "scene.json:1:24: world.assemble: ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_are_checked),
        cmocka_unit_test(test_repetitions_are_checked),
        cmocka_unit_test(test_repeated_parts_are_checked),
        cmocka_unit_test(test_an_included_file_that_cannot_be_read_is_told_with_the_reason),
        cmocka_unit_test(test_mistakes_in_an_included_file_are_told_with_its_own_place),
        cmocka_unit_test(test_files_that_include_themselves_are_refused),
        cmocka_unit_test(test_copies_of_copies_are_bounded),
        cmocka_unit_test(test_parts_nested_without_end_are_refused),
        cmocka_unit_test(test_names_with_the_part_before_them_may_be_too_long),
        cmocka_unit_test(test_joints_that_cannot_be_assembled_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
