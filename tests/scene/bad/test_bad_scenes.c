// Mistakes in a scene file: its syntax, its head, settings, materials, named shapes; and several at once.
#include "scene/bad_scenes.h"

#define WORLD(TEXT)      "{'sinew': 1, 'world': {\n" TEXT "}}"
#define CATEGORIES(TEXT) "{'sinew': 1, 'categories': [" TEXT "]}"
#define MATERIAL(TEXT)   "{'sinew': 1, 'materials': [\n" TEXT "]}"
#define SHAPE(TEXT)      "{'sinew': 1, 'shapes': [\n" TEXT "]}"

static const bad_scene syntax[] = {
    {"", "scene.json:1:1: not JSON: unexpected token near end of file"},
    {"   ", "scene.json:1:3: not JSON: unexpected token near end of file"},
    {"{", "scene.json:1:1: not JSON: string or '}' expected near end of file"},
    {"{'sinew': 1", "scene.json:1:11: not JSON: '}' expected near end of file"},
    {"{'sinew': 1,}", "scene.json:1:13: not JSON: a comma before '}', expected none after the last element"},
    {"{'sinew': 1, 'bodies': [{}, ]}",
     "scene.json:1:29: not JSON: a comma before ']', expected none after the last element"},
    {"{'sinew': 1 'title': 'x'}", "scene.json:1:13: not JSON: '}' expected near '\"title\"'"},
    {"{'sinew': 1, 'title': 'a', 'title': 'b'}",
     "scene.json:1:28: not JSON: duplicate object key near '\"title\"'"},
    {"{'sinew': 1, 'title': 'a", "scene.json:1:23: not JSON: premature end of input near '\"a'"},
    {"{'sinew': 1, 'title': '\xff'}", "scene.json:1:23: not JSON: unable to decode byte 0xff near '\"'"},
    {"{'sinew': 1, 'title': '\\u0000'}",
     "scene.json:1:23: not JSON: \\u0000 is not allowed without JSON_ALLOW_NUL near '\"\\u0000\"'"},
    {"{sinew: 1}", "scene.json:1:2: not JSON: string or '}' expected near 'sinew'"},
    {"{'sinew': 1} x", "scene.json:1:14: not JSON: end of file expected near 'x'"},
    {"{'sinew': NaN}", "scene.json:1:11: not JSON: invalid token near 'NaN'"},
    {"{'sinew': 1, 'step': 1e999}", "scene.json:1:22: real number overflow near '1e999'"},
    {"{'sinew': 99999999999999999999}", "scene.json:1:11: too big integer near '99999999999999999999'"},
    {"{'sinew': 1, 'step': 01}", "scene.json:1:22: not JSON: invalid token near '0'"},
    {"[1, 2]", "scene.json:1:1: [1,2] is not allowed, expected an object {…}: A scene file."},
    {"5", "scene.json:1:1: 5 is not allowed, expected an object {…}: A scene file."},
    {"'text'", "scene.json:1:1: \"text\" is not allowed, expected an object {…}: A scene file."},
    {"null", "scene.json:1:1: null is not allowed, expected an object {…}: A scene file."},
    {"\xff\xfe", "scene.json:1:1: not JSON: unable to decode byte 0xff"},
    {"// no comments\n{'sinew': 1}", "scene.json:1:1: not JSON: invalid token near '/'"}};

static void test_what_is_not_json_is_refused_at_its_place(void **state)
{
    (void)state;
    check_bad_scenes(syntax, COUNT_OF(syntax));
}

static const bad_scene root[] = {
    {"{}", "scene.json:1:1: sinew: is missing: version of the format: 1"},
    {"{'title': 'a'}", "scene.json:1:1: sinew: is missing: version of the format: 1"},
    {"{'sinew': 2}", "scene.json:1:11: sinew: 2 is not allowed, expected 1"},
    {"{'sinew': '1'}", "scene.json:1:11: sinew: \"1\" is not allowed, expected 1"},
    {"{'sinew': 1.5}", "scene.json:1:11: sinew: 1.5 is not allowed, expected 1"},
    {"{'sinew': null}", "scene.json:1:11: sinew: null is not allowed, expected 1"},
    {"{'sinew': 1, 'Title': 'a'}", "scene.json:1:14: Title: unknown key \"Title\", did you mean \"title\"?"},
    {"{'sinew': 1, 'boddies': []}",
     "scene.json:1:14: boddies: unknown key \"boddies\", did you mean \"bodies\"?"},
    {"{'sinew': 1, 'qqqqqqqq': []}",
     "scene.json:1:14: qqqqqqqq: unknown key \"qqqqqqqq\", expected one of: "},
    {"{'sinew': 1, 'title': 5}", "scene.json:1:23: title: 5 is not allowed, expected text in quotes"},
    {"{'sinew': 1,\n 'description': ['a']}",
     "scene.json:2:17: description: [\"a\"] is not allowed, expected text in quotes"},
    {"{'sinew': 1, 'step': 0}",
     "scene.json:1:22: step: 0 is not allowed, expected a number from 1e-06 to 1 [s]"},
    {"{'sinew': 1, 'step': 2}",
     "scene.json:1:22: step: 2 is not allowed, expected a number from 1e-06 to 1 [s]"},
    {"{'sinew': 1, 'step': '1/60'}",
     "scene.json:1:22: step: \"1/60\" is not allowed, expected a number from 1e-06 to 1 [s]"},
    {"{'sinew': 1, 'duration': -1}",
     "scene.json:1:26: duration: -1 is not allowed, expected a number from 0 to 1000000 [s]"},
    {"{'sinew': 1, 'bodies': {}}",
     "scene.json:1:24: bodies: {} is not allowed, expected a list […]: rigid bodies"},
    {"{'sinew': 1, 'parts': 3}",
     "scene.json:1:23: parts: 3 is not allowed, expected a list […]: A group of things, placed as one."},
    {"{'sinew': 1, 'joints': 'none'}", "scene.json:1:24: joints: \"none\" is not allowed, expected a list "
                                       "[…]: joints and other constraints "
                                       "between points of bodies, deformables and the world"},
    {"{'sinew': 1, 'world': []}", "scene.json:1:23: world: [] is not allowed, expected an object {…}: "
                                  "Settings of the world and its solver."},
    {"{'sinew': 1, '$schema': 1}", "scene.json:1:25: $schema: 1 is not allowed, expected text in quotes"}};

static void test_the_head_of_a_file_is_checked(void **state)
{
    (void)state;
    check_bad_scenes(root, COUNT_OF(root));
}

static const bad_scene world[] = {
    {WORLD("'gravity': 9.81"),
     "scene.json:2:12: world.gravity: 9.81 is not allowed, expected a list of 3 numbers [m/s²]"},
    {WORLD("'gravity': [0, -9.81]"),
     "scene.json:2:12: world.gravity: [0,-9.81] is not allowed, expected a list of 3 numbers [m/s²]"},
    {WORLD("'gravity': [0, 'down', 0]"),
     "scene.json:2:16: world.gravity[1]: \"down\" is not allowed, expected a number [m/s²]"},
    {WORLD("'gravity': [0, 1e6, 0]"),
     "scene.json:1:23: world: world: gravity is (0, 1e+06, 0), expected coordinates within +-100000"},
    {WORLD("'gravity': [0, 1e300, 0]"), "scene.json:2:16: world.gravity[1]: 1e300 is not allowed, expected a "
                                        "number from -3.40282347e+38 to 3.40282347e+38 [m/s²]"},
    {WORLD("'sub_step': 4"),
     "scene.json:2:1: world.sub_step: unknown key \"sub_step\", did you mean \"sub_steps\"?"},
    {WORLD("'sub_steps': -1"),
     "scene.json:2:14: world.sub_steps: -1 is not allowed, expected a whole number from 0 to 256"},
    {WORLD("'sub_steps': 257"),
     "scene.json:2:14: world.sub_steps: 257 is not allowed, expected a whole number from 0 to 256"},
    {WORLD("'sub_steps': 4.5"),
     "scene.json:2:14: world.sub_steps: 4.5 is not allowed, expected a whole number from 0 to 256"},
    {WORLD("'sub_steps': true"),
     "scene.json:2:14: world.sub_steps: true is not allowed, expected a whole number from 0 to 256"},
    {WORLD("'sub_steps': 1e10"),
     "scene.json:2:14: world.sub_steps: 1e10 is not allowed, expected a whole number from 0 to 256"},
    {WORLD("'sleep': 1"), "scene.json:2:10: world.sleep: 1 is not allowed, expected true or false"},
    {WORLD("'sleep': 'yes'"), "scene.json:2:10: world.sleep: \"yes\" is not allowed, expected true or false"},
    {WORLD("'contact_stiffness': 0"),
     "scene.json:2:22: world.contact_stiffness: 0 is not allowed, expected a number above 0, at most 0.25"},
    {WORLD("'contact_stiffness': 0.5"),
     "scene.json:2:22: world.contact_stiffness: 0.5 is not allowed, expected a number above 0, at most 0.25"},
    {WORLD("'push_speed': 0"),
     "scene.json:2:15: world.push_speed: 0 is not allowed, expected a number above 0 [m/s]"},
    {WORLD("'push_speed': 1e-60"),
     "scene.json:2:15: world.push_speed: 1e-60 is not allowed, expected a number above 0 [m/s]"},
    {WORLD("'speculative_margin': 0.0001"), "scene.json:2:23: world.speculative_margin: 0.0001 is not "
                                            "allowed, expected a number from 0.001 to 1 [m]"},
    {WORLD("'assemble': true, 'assemble_tolerance': 0"),
     "scene.json:2:41: world.assemble_tolerance: 0 is not allowed, expected a number above 0 [m, rad]"},
    {WORLD("'threads': 4"), "scene.json:2:1: world.threads: unknown key \"threads\", expected one of: "}};

static void test_settings_of_the_world_are_checked(void **state)
{
    (void)state;
    check_bad_scenes(world, COUNT_OF(world));
}

static const bad_scene categories[] = {
    {CATEGORIES("'a', 'a'"),
     "scene.json:1:34: categories[1]: \"a\" is not allowed, expected a name that is not in use"},
    {CATEGORIES("'default'"),
     "scene.json:1:29: categories[0]: \"default\" is not allowed, expected a name that is not in use"},
    {CATEGORIES("''"),
     "scene.json:1:29: categories[0]: \"\" is not allowed, expected a name that is not in use"},
    {CATEGORIES("5"), "scene.json:1:29: categories[0]: 5 is not allowed, expected text in quotes"}};

static void test_categories_are_checked(void **state)
{
    (void)state;
    check_bad_scenes(categories, COUNT_OF(categories));
}

static const bad_scene materials[] = {
    {MATERIAL("{}"), "scene.json:2:1: materials[0].name: is missing: what shapes call it"},
    {MATERIAL("{'name': 5}"),
     "scene.json:2:10: materials[0].name: 5 is not allowed, expected text in quotes"},
    {MATERIAL("{'name': ''}"), "scene.json:2:2: materials[0].name: \"\" is not allowed, expected a name"},
    {MATERIAL("{'name': 'a'}, {'name': 'a'}"),
     "scene.json:2:17: materials[1].name: material \"a\" exists already, expected another name"},
    {MATERIAL("{'name': 'a', 'densty': 5}"),
     "scene.json:2:15: materials[0].densty: unknown key \"densty\", did you mean \"density\"?"},
    {MATERIAL("{'name': 'a', 'density': -5}"),
     "scene.json:2:26: materials[0].density: -5 is not allowed, expected a number from 0 to 1e+09 [kg/m³]"},
    {MATERIAL("{'name': 'a', 'density': 1e10}"),
     "scene.json:2:26: materials[0].density: 1e10 is not allowed, expected a number from 0 to 1e+09 [kg/m³]"},
    {MATERIAL("{'name': 'a', 'friction': 101}"),
     "scene.json:2:27: materials[0].friction: 101 is not allowed, expected a number from 0 to 100"},
    {MATERIAL("{'name': 'a', 'restitution': 1.01}"),
     "scene.json:2:30: materials[0].restitution: 1.01 is not allowed, expected a number from 0 to 1"},
    {MATERIAL("{'name': 'a', 'rolling_resistance': -1}"),
     "scene.json:2:37: materials[0].rolling_resistance: -1 is not allowed, expected a number of at least 0 "
     "[m]"},
    {MATERIAL("{'name': 'a', 'color': 'blu'}"),
     "scene.json:2:24: materials[0].color: \"blu\" is not allowed, expected a colour as \"#rrggbb\", or "
     "black, white, gray, red, orange, yellow, green, teal, blue, purple, brown, pink; did you mean "
     "\"blue\"?"},
    {MATERIAL("{'name': 'a', 'color': '#12345'}"),
     "scene.json:2:24: materials[0].color: \"#12345\" is not allowed, expected a colour as \"#rrggbb\", or "
     "black, white, gray, red, orange, yellow, green, teal, blue, purple, brown, pink"},
    {MATERIAL("{'name': 'a', 'color': '#12345g'}"),
     "scene.json:2:24: materials[0].color: \"#12345g\" is not allowed, expected a colour as \"#rrggbb\", or "
     "black, white, gray, red, orange, yellow, green, teal, blue, purple, brown, pink"},
    {MATERIAL("{'name': 'a', 'color': 255}"),
     "scene.json:2:24: materials[0].color: 255 is not allowed, expected a colour as \"#rrggbb\", or black, "
     "white, gray, red, orange, yellow, green, teal, blue, purple, brown, pink"},
    {MATERIAL("'wood'"),
     "scene.json:2:1: materials[0]: \"wood\" is not allowed, expected an object {…}: A material."}};

static void test_materials_are_checked(void **state)
{
    (void)state;
    check_bad_scenes(materials, COUNT_OF(materials));
}

static const bad_scene named_shapes[] = {
    {SHAPE("{'type': 'box', 'size': [1, 1, 1]}"),
     "scene.json:2:1: shapes[0].name: is missing: what others call the shape"},
    {SHAPE("{'type': 'box', 'size': [1, 1, 1], 'name': ''}"),
     "scene.json:2:36: shapes[0].name: is missing: what others call the shape"},
    {SHAPE("{'name': 'a', 'type': 'box'}"), "scene.json:2:1: shapes[0].size: is missing: whole edge lengths"},
    {SHAPE("{'name': 'a', 'type': 'box', 'size': [1, 1, 1], 'material': 'm'}"),
     "scene.json:2:49: shapes[0].material: is not part of a named shape, expected where the shape is used"},
    {SHAPE("{'name': 'a', 'type': 'sphere', 'radius': 1}, {'name': 'a', 'type': 'sphere', 'radius': 2}"),
     "scene.json:2:48: shapes[1].name: shape \"a\" exists already, expected another name"},
    {SHAPE("{'name': 'a'}"), "scene.json:2:1: shapes[0].type: is missing: which kind of shape this is"},
    {SHAPE("[]"), "scene.json:2:1: shapes[0]: [] is not allowed, expected an object {…}: What a body is made "
                  "of and collides with."}};

static void test_named_shapes_are_checked(void **state)
{
    (void)state;
    check_bad_scenes(named_shapes, COUNT_OF(named_shapes));
}

static const bad_scene references[] = {
    {"{'sinew': 1, 'materials': [{'name': 'brick'}], 'bodies': [{'shape': {'type': 'sphere', 'radius': 1, "
     "'material': 'brik'}}]}",
     "scene.json:1:113: bodies[0].shape.material: no material is called \"brik\", did you mean \"brick\"?"},
    {"{'sinew': 1, 'shapes': [{'name': 'rim', 'type': 'sphere', 'radius': 1}], 'bodies': [{'shape': {'type': "
     "'shared', 'shape': 'rin'}}]}",
     "scene.json:1:123: bodies[0].shape.shape: no shape is called \"rin\", did you mean \"rim\"?"},
    {"{'sinew': 1, 'shapes': [{'name': 'a', 'type': 'sphere', 'radius': 1}, {'name': 'b', 'type': 'shared', "
     "'shape': 'a'}], 'bodies': [{'shape': {'type': 'shared', 'shape': 'b'}}]}",
     "scene.json:1:159: bodies[0].shape.shape: \"b\" only names another shape, expected one of its own"},
    {"{'sinew': 1, 'categories': ['wheel'], 'bodies': [{'shape': {'type': 'sphere', 'radius': 1, "
     "'collides_with': ['weel']}}]}",
     "scene.json:1:110: bodies[0].shape.collides_with[0]: no category is called \"weel\", did you mean "
     "\"wheel\"?"},
    {"{'sinew': 1, 'shapes': [{'name': 'a', 'type': 'capsule', 'radius': 1}], 'bodies': [{'shape': {'type': "
     "'shared', 'shape': 'a'}}]}",
     "scene.json:1:25: shapes[0]: a capsule has either `length` or both `a` and `b`"}};

static void test_unknown_names_get_a_suggestion(void **state)
{
    (void)state;
    check_bad_scenes(references, COUNT_OF(references));
}

// --- several mistakes --------------------------------------------------------------------------------------

static int lines_of(const char *text)
{
    int count = 1;
    for (; *text != '\0'; ++text) {
        count += *text == '\n';
    }
    return count;
}

static void test_all_mistakes_of_a_file_are_told_in_their_order(void **state)
{
    (void)state;
    check_refused(
        "{'sinew': 1, 'titel': 'x',\n"
        " 'world': {'gravity': 5, 'slep': true},\n"
        " 'materials': [{'name': 'wood', 'friction': -1}],\n"
        " 'bodies': [\n"
        "  {'name': 'box', 'shape': {'type': 'box', 'size': [1, 1, -1], 'frictoin': 1}, 'mas': 2},\n"
        "  {'name': 'ball', 'shape': {'type': 'sphere', 'radius': 1, 'material': 'wood'}},\n"
        "  {'name': 'rod', 'shape': {'type': 'sphere', 'radius': 1, 'material': 'steel'}}],\n"
        " 'joints': [{'name': 'j', 'type': 'ball', 'a': 'box', 'b': 'ball', 'at': [0, 0, 0]},\n"
        "  {'type': 'hinge', 'a': 'ground', 'b': 'boll', 'at': [0, 0, 0]}],\n"
        " 'cameras': [{'eye': [0, 0, 5], 'target': [0, 0, 0], 'follow': 'box', 'orbit': 'left'}],\n"
        " 'probes': [{'joint': 'j', 'value': 'error'}, {'body': 'bocks', 'value': 'speed'}]}",
        "scene.json", NULL,
        "scene.json:1:14: titel: unknown key \"titel\", did you mean \"title\"?\n"
        "scene.json:2:23: world.gravity: 5 is not allowed, expected a list of 3 numbers [m/s²]\n"
        "scene.json:2:26: world.slep: unknown key \"slep\", did you mean \"sleep\"?\n"
        "scene.json:3:45: materials[0].friction: -1 is not allowed, expected a number from 0 to 100\n"
        "scene.json:5:80: bodies[0].mas: unknown key \"mas\", did you mean \"mass\"?\n"
        "scene.json:5:59: bodies[0].shape.size[2]: -1 is not allowed, expected a number above 0 [m]\n"
        "scene.json:5:64: bodies[0].shape.frictoin: unknown key \"frictoin\", did you mean "
        "\"friction\"?\n"
        "scene.json:7:72: bodies[2].shape.material: no material is called \"steel\", expected the "
        "name of one\n"
        "scene.json:9:41: joints[1].b: no body or deformable is called \"boll\", did you mean \"ball\"?\n"
        "scene.json:10:80: cameras[0].orbit: \"left\" is not allowed, expected a number from -3600 "
        "to 3600 [°/s]\n"
        "scene.json:11:56: probes[1].body: no body is called \"bocks\", expected the name of one");
    // What refers to the things that failed says nothing: not the ball's material, the joint's bodies, the
    // camera's body, the probe's joint.
    assert_int_equal(lines_of(sn_scene_error()), 11);
}

static void test_names_that_could_not_be_read_are_not_missed(void **state)
{
    (void)state;
    // Each has a mistake that hides a name others refer to.
    const char *const texts[] = {
        "{'sinew': 1, 'bodies': 5, 'probes': [{'body': 'a', 'value': 'speed'}]}",
        "{'sinew': 1, 'bodies': [{'name': ['a']}], 'probes': [{'body': 'a', 'value': 'speed'}]}",
        "{'sinew': 1, 'parts': [{'nam': 'p', 'bodies': [{'name': 'a'}]}],"
        " 'probes': [{'body': 'p.a', 'value': 'speed'}]}",
        "{'sinew': 1, 'parts': [{'include': 'nowhere.json'}], 'bodies': [{'shape': {'type': 'sphere',"
        " 'radius': 1, 'material': 'wood'}}], 'probes': [{'body': 'a', 'value': 'speed'}]}",
        "{'sinew': 1, 'bodies': [{'name': 'a', 'repeat': {'count': 0}}],"
        " 'labels': [{'text': 't', 'body': 'a[0]'}]}",
        "{'sinew': 1, 'bodies': [{'name': 'a', 'repeat': {'count': 9}, 'mass': -1}],"
        " 'joints': [{'type': 'ball', 'a': 'ground', 'b': 'a[8]', 'at': [0, 0, 0]}]}",
        "{'sinew': 1, 'shapes': [{'name': 's', 'type': 'bix'}],"
        " 'bodies': [{'shape': {'type': 'shared', 'shape': 's'}}]}",
        "{'sinew': 1, 'bodies': [{'name': 'a'}], 'joints': [{'name': 'j', 'type': 'bal', 'a': 'ground',"
        " 'b': 'a', 'at': [0, 0, 0]}], 'probes': [{'joint': 'j', 'value': 'force'}]}",
        "{'sinew': 1, 'bodies': [{'name': 'a', 'mass': 0}], 'joints': [{'name': 'j', 'type': 'ball',"
        " 'a': 'ground', 'b': 'a', 'at': [0, 0, 0]}], 'probes': [{'joint': 'j', 'value': 'force'}]}"};
    for (int i = 0; i < COUNT_OF(texts); ++i) {
        check_refused(texts[i], "scene.json", NULL, "scene.json:1:");
        assert_int_equal(lines_of(sn_scene_error()), 1);
    }
}

static void test_no_more_than_twenty_mistakes_are_told(void **state)
{
    (void)state;
    char text[4096] = "{'sinew': 1, 'bodies': [";
    for (int i = 0; i < 50; ++i) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s\n{'mass': -%d}", i > 0 ? "," : "", i + 1);
    }
    strcat(text, "]}");
    check_refused(text, "scene.json", NULL, "scene.json:2:10: bodies[0].mass: -1 is not allowed");
    assert_int_equal(lines_of(sn_scene_error()), SN_SCENE_MAX_ERRORS);
    assert_contains(sn_scene_error(), "\nscene.json:21:10: bodies[19].mass: -20 is not allowed");
}

static void test_what_a_file_says_cannot_break_the_message(void **state)
{
    (void)state;
    check_refused("{'sinew': 1, 'a\\n\\u001b[31mb': 1}", "scene.json", NULL,
                  "scene.json:1:1: a??[31mb: unknown key \"a??[31mb\"");
    assert_int_equal(lines_of(sn_scene_error()), 1);
    char text[5000] = "{'sinew': 1, '";
    for (int i = 0; i < 1000; ++i) {
        strcat(text, "\u00fc");
    }
    strcat(text, "': 1}");
    check_refused(text, "scene.json", NULL, "scene.json:1:14: üüü");
    assert_int_equal(lines_of(sn_scene_error()), 1);
    assert_contains(sn_scene_error(), "unknown key \"üüü");
}

static void test_a_long_path_keeps_its_line(void **state)
{
    (void)state;
    char path[3000], message[3100];
    memset(path, 'p', sizeof path);
    path[sizeof path - 1] = '\0';
    snprintf(message, sizeof message, "%s:1:11: sinew: 3 is not allowed, expected 1", path);
    check_refused("{'sinew': 3}", path, NULL, message);
}

static void test_nesting_without_end_is_refused(void **state)
{
    (void)state;
    size_t depth = 100000;
    char *text = malloc(depth + 1);
    memset(text, '[', depth);
    text[depth] = '\0';
    check_refused(text, "scene.json", NULL, "scene.json:1:2049: not JSON: maximum parsing depth reached");
    free(text);
}

static void test_every_truncation_is_refused(void **state)
{
    (void)state;
    const char text[] =
        "{'sinew': 1, 'materials': [{'name': 'oak', 'friction': 0.5e0}], 'bodies': [{'name': 'b\\u00e4r',\n"
        "'shape': {'type': 'box', 'size': [1, 2, 3.5], 'material': 'oak'}, 'repeat': {'count': 2}}],\n"
        "'joints': [{'type': 'ball', 'a': 'bär[0]', 'b': 'bär[1]', 'at': [0, -1, 0]}]}";
    sn_scene_destroy(scene_of(text));
    for (size_t length = 0; length < strlen(text); ++length) {
        char *cut = strndup(text, length);
        check_refused(cut, "scene.json", NULL, "scene.json:");
        free(cut);
    }
}

static void test_a_byte_order_mark_is_no_mistake(void **state)
{
    (void)state;
    sn_scene_destroy(scene_of("\xef\xbb\xbf{'sinew': 1}"));
    check_refused("\xef\xbb\xbf{'sinew': 3}", "scene.json", NULL, "scene.json:1:11: sinew: 3 is not allowed");
}

static void test_arguments_are_checked(void **state)
{
    (void)state;
    sn_scene *scene = NULL;
    const char text[] = "{\"sinew\": 1}";
    assert_int_equal(sn_scene_parse(NULL, 0, "a", NULL, &scene), SN_ERROR_NULL);
    assert_int_equal(sn_scene_parse(text, sizeof text - 1, NULL, NULL, &scene), SN_ERROR_NULL);
    assert_int_equal(sn_scene_parse(text, sizeof text - 1, "a", NULL, NULL), SN_ERROR_NULL);
    assert_int_equal(sn_scene_load(NULL, NULL, &scene), SN_ERROR_NULL);
    assert_int_equal(sn_scene_load("/tmp", NULL, &scene), SN_ERROR_FILE);
    assert_string_equal(sn_scene_error(), "/tmp: cannot be read: Is a directory");
    assert_int_equal(sn_scene_load("/nowhere/scene.json", NULL, &scene), SN_ERROR_FILE);
    assert_string_equal(sn_scene_error(), "/nowhere/scene.json: cannot be read: No such file or directory");
    sn_scene_options options = {.threads = 65};
    assert_int_equal(sn_scene_parse(text, sizeof text - 1, "a", &options, &scene), SN_ERROR_RANGE);
    options = (sn_scene_options){.setting_count = 1};
    assert_int_equal(sn_scene_parse(text, sizeof text - 1, "a", &options, &scene), SN_ERROR_NULL);
    assert_null(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_not_json_is_refused_at_its_place),
        cmocka_unit_test(test_the_head_of_a_file_is_checked),
        cmocka_unit_test(test_settings_of_the_world_are_checked),
        cmocka_unit_test(test_categories_are_checked),
        cmocka_unit_test(test_materials_are_checked),
        cmocka_unit_test(test_named_shapes_are_checked),
        cmocka_unit_test(test_unknown_names_get_a_suggestion),
        cmocka_unit_test(test_all_mistakes_of_a_file_are_told_in_their_order),
        cmocka_unit_test(test_names_that_could_not_be_read_are_not_missed),
        cmocka_unit_test(test_no_more_than_twenty_mistakes_are_told),
        cmocka_unit_test(test_what_a_file_says_cannot_break_the_message),
        cmocka_unit_test(test_a_long_path_keeps_its_line),
        cmocka_unit_test(test_nesting_without_end_is_refused),
        cmocka_unit_test(test_every_truncation_is_refused),
        cmocka_unit_test(test_a_byte_order_mark_is_no_mistake),
        cmocka_unit_test(test_arguments_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
