// Paths: endings, what can be written, scenes that cannot be opened.
#include "apps/capture.h"
#include "apps/loading.h"
#include "apps/scene_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static int make_folder(void **state)
{
    char *folder = capture_folder();
    capture_file(folder, "stack.json", stack_scene);
    *state = folder;
    return 0;
}

static char *in_folder(void **state, const char *name)
{
    static char path[4200];
    snprintf(path, sizeof path, "%s/%s", (const char *)*state, name);
    return path;
}

static void test_endings_are_those_of_the_last_part(void **state)
{
    (void)state;
    assert_true(path_ends_in("a/b.PNG", "png"));
    assert_true(path_ends_in("b.tar.png", "png"));
    assert_false(path_ends_in("a.png/b", "png"));
    assert_false(path_ends_in(".png", "png")); // a hidden file without ending
    assert_false(path_ends_in("png", "png"));
    assert_false(path_ends_in("", "png"));
    assert_false(path_ends_in("a.png/", "png"));
}

static void test_scenes_are_told_from_meshes_by_name(void **state)
{
    (void)state;
    assert_true(path_is_scene("a.json"));
    assert_true(path_is_scene("a.state"));
    assert_true(path_is_scene("a"));
    assert_true(path_is_scene("a.b/c"));
    assert_false(path_is_scene("a.obj"));
    assert_false(path_is_scene("a.json.stl"));
}

static void test_what_can_be_written_is_known_before(void **state)
{
    assert_true(path_can_be_written("test", in_folder(state, "new.txt")));
    assert_false(capture_exists(*state, "new.txt"));
    assert_true(path_can_be_written("test", in_folder(state, "stack.json")));
    assert_true(path_can_be_written("test", "in_this_folder"));
    assert_true(path_can_be_written("test", "/dev/null"));
    assert_false(path_can_be_written("test", *state));
    assert_false(path_can_be_written("test", in_folder(state, "no/new.txt")));
    assert_false(path_can_be_written("test", in_folder(state, "stack.json/new.txt")));
    assert_false(path_can_be_written("test", ""));
    assert_false(path_can_be_written("test", "/"));
}

static void test_scenes_open_and_are_written_by_their_ending(void **state)
{
    sn_scene *scene = scene_open(in_folder(state, "stack.json"), 2, NULL, false);
    assert_non_null(scene);
    assert_int_equal(sn_world_settings(sn_scene_world(scene)).threads, 2);
    assert_true(scene_write("test", scene, in_folder(state, "out.json")));
    assert_true(scene_write("test", scene, in_folder(state, "out.state")));
    assert_false(scene_write("test", scene, in_folder(state, "no/out.json")));
    assert_false(scene_write("test", scene, in_folder(state, "no/out.state")));
    sn_scene_destroy(scene);
    const char *names[] = {"out.json", "out.state"};
    for (int i = 0; i < 2; ++i) {
        scene = scene_open(in_folder(state, names[i]), 0, NULL, false);
        assert_non_null(scene);
        assert_int_equal(sn_world_statistics(sn_scene_world(scene)).rigid_count, 11);
        sn_scene_destroy(scene);
    }
    assert_null(scene_open(in_folder(state, "missing.json"), 0, NULL, false));
    assert_null(scene_open("", 0, NULL, false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_endings_are_those_of_the_last_part),
        cmocka_unit_test(test_scenes_are_told_from_meshes_by_name),
        cmocka_unit_test(test_what_can_be_written_is_known_before),
        cmocka_unit_test(test_scenes_open_and_are_written_by_their_ending),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_scene_folder);
}
