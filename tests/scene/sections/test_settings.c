// Settings of the command line, put into the file's text before it is read.
#include "scene/bad_scenes.h"

static const char text[] = "{'sinew': 1, 'title': 'before',\n"
                           " 'bodies': [{'name': 'a', 'shape': {'type': 'sphere', 'radius': 1}},\n"
                           "            {'name': 'b', 'position': [1, 2, 3]}]}";

static sn_scene *scene_with(const char *setting)
{
    sn_scene_options options = {.settings = &setting, .setting_count = 1};
    sn_scene *scene = NULL;
    if (parse_with(text, "scene.json", &options, &scene) != SN_OK) {
        fail_msg("%s", sn_scene_error());
    }
    return scene;
}

static void test_settings_change_make_and_replace_values(void **state)
{
    (void)state;
    sn_scene *scene = scene_with("title=after=all");
    assert_string_equal(sn_scene_title(scene), "after=all");
    sn_scene_destroy(scene);
    scene = scene_with("title=\"5\"");
    assert_string_equal(sn_scene_title(scene), "5");
    sn_scene_destroy(scene);
    scene = scene_with("world.sub_steps=20"); // there is no world in the file
    assert_int_equal(sn_world_settings(sn_scene_world(scene)).sub_steps, 20);
    sn_scene_destroy(scene);
    scene = scene_with("world={\"gravity\": [0, 0, -1]}");
    assert_vector(sn_world_gravity(sn_scene_world(scene)), 0.0f, 0.0f, -1.0f, 0.0);
    sn_scene_destroy(scene);
    scene = scene_with("bodies[1].position[2]=30");
    assert_vector(position_of(scene, "b"), 1.0f, 2.0f, 30.0f, 0.0);
    sn_scene_destroy(scene);
    scene = scene_with("bodies[0].shape.radius=0.25");
    sn_shape shape;
    sn_sphere sphere;
    shapes_of(scene, "a", &shape, 1);
    sphere = sn_shape_sphere(sn_scene_world(scene), shape);
    assert_true(sphere.radius == 0.25f);
    sn_scene_destroy(scene);
}

static void test_later_settings_go_on_from_earlier_ones(void **state)
{
    (void)state;
    const char *settings[] = {"world={}", "world.sleep=false", "world.gravity=[0,0,0]", "world.gravity[0]=7"};
    sn_scene_options options = {.settings = settings, .setting_count = 4};
    sn_scene *scene = NULL;
    assert_int_equal(parse_with(text, "scene.json", &options, &scene), SN_OK);
    assert_false(sn_world_settings(sn_scene_world(scene)).sleep);
    assert_vector(sn_world_gravity(sn_scene_world(scene)), 7.0f, 0.0f, 0.0f, 0.0);
    sn_scene_destroy(scene);
}

static void test_mistakes_name_the_setting_they_came_with(void **state)
{
    (void)state;
    const char *const rows[][2] = {
        {"world.sub_steps=many",
         "world.sub_steps: \"many\" is not allowed, expected a whole number from 0 to 256"},
        {"world.sub_steps=", "world.sub_steps: \"\" is not allowed, expected a whole number from 0 to 256"},
        {"world.sub_step=4", "world.sub_step: unknown key \"sub_step\", did you mean \"sub_steps\"?"},
        {"wrold.sub_steps=4", "wrold: unknown key \"wrold\", did you mean \"world\"?"},
        {"world={\"gravity\": 5}", "world.gravity: 5 is not allowed, expected a list of 3 numbers [m/s²]"},
        {"world.gravity[0]=7", NULL},
        {"bodies[0].shape.radius=-1",
         "bodies[0].shape.radius: -1 is not allowed, expected a number above 0 [m]"},
        {"bodies[0].shape={\"type\": \"box\"}", "bodies[0].shape.size: is missing: whole edge lengths"},
        {"bodies[1].position[0]=x", "bodies[1].position[0]: \"x\" is not allowed, expected a number [m]"},
        {"step=1e999", "step: \"1e999\" is not allowed, expected a number from 1e-06 to 1 [s]"},
        {"sinew=2", "sinew: 2 is not allowed, expected 1"},
        {"title=[1, 2", NULL}};
    for (int i = 0; i < COUNT_OF(rows); ++i) {
        char message[512];
        sn_scene_options options = {.settings = &rows[i][0], .setting_count = 1};
        snprintf(message, sizeof message, "--set %s: %s", rows[i][0], rows[i][1] != NULL ? rows[i][1] : "");
        if (rows[i][1] != NULL) {
            check_refused(text, "scene.json", &options, message);
            assert_null(strchr(sn_scene_error(), '\n'));
        }
    }
}

static void test_settings_without_a_place_are_refused(void **state)
{
    (void)state;
    const char form[] = ", expected path=value as in world.sub_steps=20 or bodies[3].position=[0,1,0]";
    const char *const rows[][2] = {
        {"", "it has no path and value"},           {"title", "it has no path and value"},
        {"=5", "it has no path and value"},         {".title=5", "the path makes no sense"},
        {"title.=5", "the path makes no sense"},    {"world..sleep=5", "the path makes no sense"},
        {"[0]=5", "the path makes no sense"},       {"bodies[=5", "the path makes no sense"},
        {"bodies[x]=5", "the path makes no sense"}, {"bodies[-1]=5", "the path makes no sense"},
        {"bodies[0=5]", "the path makes no sense"}, {"bodies[0]shape=5", "the path makes no sense"},
        {"bodies]=5", "the path makes no sense"}};
    for (int i = 0; i < COUNT_OF(rows); ++i) {
        char message[512];
        sn_scene_options options = {.settings = &rows[i][0], .setting_count = 1};
        snprintf(message, sizeof message, "--set %s: %s%s", rows[i][0], rows[i][1], form);
        check_refused(text, "scene.json", &options, message);
    }
    const char *const places[][2] = {{"bodies[2].mass=5", "member [2] does not exist, the list has 2"},
                                     {"bodies[2]=5", "member [2] does not exist, the list has 2"},
                                     {"bodies[99999999999999999999].mass=5", "member ["},
                                     {"title.x=5", "what \"x\" should be in is no object"},
                                     {"title.x.y=5", "what \"x\" should be in is no object"},
                                     {"bodies.x=5", "what \"x\" should be in is no object"},
                                     {"title[0]=5", "member [0] does not exist, the list has 0"}};
    for (int i = 0; i < COUNT_OF(places); ++i) {
        char message[512];
        sn_scene_options options = {.settings = &places[i][0], .setting_count = 1};
        snprintf(message, sizeof message, "--set %s: %s", places[i][0], places[i][1]);
        check_refused(text, "scene.json", &options, message);
    }
    // Neither keys nor values that are no text can be put in.
    const char *const bytes[] = {"title=\xff", "\xff=1"};
    for (int i = 0; i < COUNT_OF(bytes); ++i) {
        sn_scene_options options = {.settings = &bytes[i], .setting_count = 1};
        check_refused(text, "scene.json", &options, "--set ");
    }
}

static void test_settings_and_files_with_mistakes_are_told_apart(void **state)
{
    (void)state;
    const char *settings[] = {"bodies[0].name=5", "bodies[1].mass=0"};
    sn_scene_options options = {.settings = settings, .setting_count = 2};
    check_refused(
        "{'sinew': 1, 'bodies': [{'mass': -1}, {'mas': 5}]}", "scene.json", &options,
        "scene.json:1:34: bodies[0].mass: -1 is not allowed, expected a number from 1e-12 to 1e+15 [kg]\n"
        "--set bodies[0].name=5: bodies[0].name: 5 is not allowed, expected text in quotes\n"
        "scene.json:1:40: bodies[1].mas: unknown key \"mas\", did you mean \"mass\"?\n"
        "--set bodies[1].mass=0: bodies[1].mass: 0 is not allowed");
}

// The same path in another file is another place.
static void test_settings_are_not_blamed_for_included_files(void **state)
{
    (void)state;
    scene_folder folder = folder_make();
    scene_path path =
        write_scene(&folder, "scene.json",
                    "{'sinew': 1, 'parts': [{'include': 'part.json'}], 'bodies': [{'name': 'a'}]}");
    write_scene(&folder, "part.json", "{'bodies': [{'mass': 0}]}");
    const char *setting = "bodies[0].mass=3";
    sn_scene_options options = {.settings = &setting, .setting_count = 1};
    sn_scene *scene;
    assert_int_equal(sn_scene_load(path.text, &options, &scene), SN_ERROR_FORMAT);
    assert_contains(sn_scene_error(), "/part.json:1:22: bodies[0].mass: 0 is not allowed");
    assert_null(strstr(sn_scene_error(), "--set"));
    folder_remove(folder.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_settings_change_make_and_replace_values),
        cmocka_unit_test(test_later_settings_go_on_from_earlier_ones),
        cmocka_unit_test(test_mistakes_name_the_setting_they_came_with),
        cmocka_unit_test(test_settings_without_a_place_are_refused),
        cmocka_unit_test(test_settings_and_files_with_mistakes_are_told_apart),
        cmocka_unit_test(test_settings_are_not_blamed_for_included_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
