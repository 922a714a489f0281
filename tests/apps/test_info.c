// `sinew info` on scenes, states and meshes, in words, in JSON, and as a picture.
#define _XOPEN_SOURCE 700
#include "apps/capture.h"
#include "apps/scene_files.h"
#include "apps/thumbnail.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static int make_folder(void **state)
{
    char *folder = capture_folder();
    capture_file(folder, "stack.json", stack_scene);
    capture_file(folder, "pendulum.json", pendulum_scene);
    capture_file(folder, "bad.json", bad_scene);
    capture_file(folder, "cube.obj", cube_obj);
    *state = folder;
    return 0;
}

static json_t *info_of(const char *line, const char *folder)
{
    captured c = capture(line, folder);
    assert_int_equal(c.code, EXIT_FINE);
    assert_string_equal(c.err, "");
    json_t *info = json_loads(c.out, 0, NULL);
    assert_non_null(info);
    captured_release(&c);
    return info;
}

static int count_of(const json_t *info, const char *section, const char *kind)
{
    return (int)json_integer_value(json_object_get(json_object_get(info, section), kind));
}

static void test_a_scene_is_told_in_words(void **state)
{
    captured c = capture("info %s/stack.json", *state);
    assert_int_equal(c.code, EXIT_FINE);
    const char *parts[] = {"stack.json: A stack\n",
                           "  Ten bricks on a floor.\n",
                           "bodies     11: 1 static, 10 dynamic\n",
                           "shapes     11: 10 box, 1 plane\n",
                           "joints     0\n",
                           "mass       160 kg in all, lightest 16 kg, heaviest 16 kg\n",
                           "extent     0.4 × 2 × 0.2 m",
                           "time       0.5 s in steps of 16.67 ms\n",
                           "cameras    main\n",
                           "probes     height [m]\n",
                           "settings   sub_steps 12\n"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i) {
        assert_says(c.out, parts[i]);
    }
    assert_null(strchr(c.out, '\033'));
    captured_release(&c);
}

static const char soft_scene[] =
    "{\"sinew\": 1, \"deformables\": [{\"name\": \"jelly\", \"mesh\": {\"type\": \"box\", \"size\": [1, 1, "
    "1],"
    " \"cells\": [2, 2, 2]}, \"model\": {\"type\": \"corotational\"}, \"color\": \"red\"},"
    " {\"inextensible\": {}, \"position\": [3, 0, 0], \"mass\": 0.5, \"fixed\": {\"nodes\": [0]},"
    " \"mesh\": {\"type\": \"line\", \"length\": 1, \"cells\": 10}}],"
    " \"anchors\": [{\"a\": \"jelly\", \"b\": \"ground\", \"at\": [0, 0.5, 0]}]}";

static void test_deformables_are_told(void **state)
{
    capture_file(*state, "soft.json", soft_scene);
    captured c = capture("info %s/soft.json", *state);
    assert_int_equal(c.code, EXIT_FINE);
    assert_says(c.out, "deformable 2: 1 volume, 1 strand\n");
    assert_says(c.out, " jelly: volume of 27 nodes and 40 tetrahedra, model corotational, 1000 kg\n");
    assert_says(c.out, ": strand of 11 nodes and 10 edges, 1 fixed, inextensible, 0.5 kg\n");
    assert_says(c.out, "soft       38 nodes, 50 elements, 1 anchor, 1000.5 kg\n");
    assert_says(c.out, "extent     4 × 1 × 1 m");
    captured_release(&c);
    json_t *info = info_of("info %s/soft.json --json", *state);
    json_t *list = json_object_get(info, "deformables"), *jelly = json_array_get(list, 0);
    assert_int_equal(json_array_size(list), 2);
    assert_string_equal(json_string_value(json_object_get(jelly, "name")), "jelly");
    assert_string_equal(json_string_value(json_object_get(jelly, "type")), "volume");
    assert_int_equal(json_integer_value(json_object_get(jelly, "tetrahedra")), 40);
    assert_int_equal(json_integer_value(json_object_get(info, "anchors")), 1);
    json_decref(info);
}

static const char exact_scene[] =
    "{\"sinew\": 1, \"deformables\": [{\"name\": \"rope\", \"model\": {\"type\": \"spring_forces\", "
    "\"stiffness\": 100}, \"integrator\": \"verlet\", \"mesh\": {\"type\": \"line\", \"length\": 1, "
    "\"cells\": "
    "10}}], \"anchors\": [{\"a\": \"rope\", \"b\": \"ground\", \"at\": [-0.5, 0, 0], \"exact\": true}, "
    "{\"a\": "
    "\"rope\", \"b\": \"ground\", \"at\": [-0.5, 0.1, 0], \"exact\": true}, {\"a\": \"rope\", \"b\": "
    "\"ground\", "
    "\"at\": [0.5, 0, 0], \"active_from\": 2}]}";

static void test_exact_anchors_and_integrators_are_told(void **state)
{
    capture_file(*state, "exact.json", exact_scene);
    captured c = capture("info %s/exact.json", *state);
    assert_says(c.out, "model spring_forces by verlet");
    assert_says(c.out, "3 anchors (2 exact, 1 of these by rows, 1 off)");
    captured_release(&c);
    json_t *info = info_of("info %s/exact.json --json", *state);
    json_t *rope = json_array_get(json_object_get(info, "deformables"), 0);
    assert_string_equal(json_string_value(json_object_get(rope, "integrator")), "verlet");
    assert_int_equal(json_integer_value(json_object_get(info, "anchors_exact")), 2);
    assert_int_equal(json_integer_value(json_object_get(info, "anchors_exact_by_rows")), 1);
    assert_int_equal(json_integer_value(json_object_get(info, "anchors_off")), 1);
    json_decref(info);
}

static void test_a_scene_is_told_in_json(void **state)
{
    json_t *info = info_of("info %s/pendulum.json --json", *state);
    assert_string_equal(json_string_value(json_object_get(info, "title")), "Pendulum");
    assert_int_equal(count_of(info, "bodies", "dynamic"), 1);
    assert_int_equal(count_of(info, "shapes", "sphere"), 1);
    assert_int_equal(count_of(info, "joints", "ball"), 1);
    assert_int_equal(json_object_size(json_object_get(info, "settings")), 0);
    assert_int_equal(json_array_size(json_object_get(info, "cameras")), 0);
    json_decref(info);
}

static void test_only_settings_that_are_not_the_default_are_told(void **state)
{
    capture_file(
        *state, "odd.json",
        "{\"sinew\": 1, \"world\": {\"gravity\": [0, 0, -1.5], \"sleep\": false, \"sub_steps\": 0}}");
    json_t *info = info_of("info %s/odd.json --json", *state);
    json_t *settings = json_object_get(info, "settings");
    assert_int_equal(json_object_size(settings), 2);
    assert_true(json_is_false(json_object_get(settings, "sleep")));
    assert_true(json_real_value(json_array_get(json_object_get(settings, "gravity"), 2)) == -1.5);
    assert_true(json_is_null(json_object_get(info, "extent")));
    json_decref(info);
}

static void test_a_saved_state_tells_how_far_it_got(void **state)
{
    captured c = capture("run %s/stack.json --steps 30 --save %s/end.state", *state);
    assert_int_equal(c.code, EXIT_FINE);
    captured_release(&c);
    c = capture("info %s/end.state", *state);
    assert_int_equal(c.code, EXIT_FINE);
    assert_says(c.out, "end.state: A stack\n");
    assert_says(c.out, "30 steps, 0.5 s, are done");
    captured_release(&c);
}

static void test_a_mesh_is_told_in_words_and_json(void **state)
{
    captured c = capture("info %s/cube.obj", *state);
    assert_int_equal(c.code, EXIT_FINE);
    assert_says(c.out, "8 nodes, 12 triangles, 0 tetrahedra\n");
    assert_says(c.out, "extent     1 × 1 × 1 m");
    assert_says(c.out, "6 m², closed, holds 1 m³\n");
    captured_release(&c);
    json_t *info = info_of("info %s/cube.obj --json", *state);
    assert_int_equal(json_integer_value(json_object_get(info, "triangles")), 12);
    assert_true(json_is_true(json_object_get(info, "closed")));
    assert_true(fabs(json_real_value(json_object_get(info, "enclosed")) - 1.0) < 1e-6);
    assert_true(fabs(json_real_value(json_object_get(info, "area")) - 6.0) < 1e-6);
    json_decref(info);
}

static void test_an_open_mesh_is_told_so(void **state)
{
    capture_file(*state, "open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    captured c = capture("info %s/open.obj", *state);
    assert_int_equal(c.code, EXIT_FINE);
    assert_says(c.out, "0.5 m², open: 3 edges have not one triangle on either side\n");
    captured_release(&c);
    json_t *info = info_of("info %s/open.obj --json", *state);
    assert_true(json_is_false(json_object_get(info, "closed")));
    assert_true(json_is_null(json_object_get(info, "enclosed")));
    json_decref(info);
}

static void test_bad_files_and_lines_are_refused(void **state)
{
    capture_file(*state, "broken.obj", "v 0 0 0\nf 1 2 3\n");
    capture_file(*state, "broken.state", "SINEW nonsense");
    capture_file(*state, "what.xyzzy", "?");
    static const bad_line lines[] = {
        {"info %s/missing.json", EXIT_FAILED, "missing.json"},
        {"info %s/missing.obj", EXIT_FAILED, "missing.obj"},
        {"info %s/missing.state", EXIT_FAILED, "missing.state"},
        {"info %s/bad.json", EXIT_FAILED, "bad.json:4:57|^"},
        {"info %s/broken.obj", EXIT_FAILED, "broken.obj:2"},
        {"info %s/broken.state", EXIT_FAILED, "broken.state"},
        {"info %s/what.xyzzy", EXIT_FAILED, "what.xyzzy"},
        {"info %s", EXIT_FAILED, "/tmp/"},
        {"info %s/stack.json %s/stack.json", EXIT_USAGE, "one argument too many"},
        {"info %s/stack.json --json=1", EXIT_USAGE, "--json: '1' is a value it does not take"},
        {"info %s/stack.json --set a=1", EXIT_USAGE, "--set is no option"},
    };
    assert_bad_lines(lines, *state);
}

static void test_half_blocks_hold_two_pixels_each(void **state)
{
    (void)state;
    const uint8_t pixels[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    FILE *file = tmpfile();
    thumbnail_write(file, 2, 2, pixels);
    char *text = capture_read(file);
    assert_string_equal(text,
                        "\033[38;2;1;2;3m\033[48;2;7;8;9m▀\033[38;2;4;5;6m\033[48;2;10;11;12m▀\033[0m\n");
    free(text);
    fclose(file);
}

// Runs `sinew info` with stdout on a pseudo-terminal and returns what it wrote there.
static char *info_on_terminal(const char *line, const char *folder)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    pid_t child = capture_start(line, folder, slave, STDERR_FILENO);
    close(slave);
    size_t used = 0, capacity = 1 << 20;
    char *text = malloc(capacity);
    for (ssize_t got = 1; got > 0 && used + 1 < capacity;) {
        got = read(master, text + used, capacity - used - 1);
        used += got > 0 ? (size_t)got : 0;
    }
    text[used] = '\0';
    close(master);
    assert_int_equal(capture_wait(child), EXIT_FINE);
    return text;
}

static void test_a_picture_only_where_it_can_be_shown(void **state)
{
    setenv("COLUMNS", "60", 1);
    setenv("TERM", "xterm", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("COLORTERM", "truecolor", 1);
    unsetenv("NO_COLOR");
    char *text = info_on_terminal("info %s/stack.json", *state);
    int blocks = 0;
    for (char *at = strstr(text, "▀"); at != NULL; at = strstr(at + 1, "▀")) {
        ++blocks;
    }
    assert_int_equal(blocks, 60 * 16);
    assert_says(text, "A stack");
    free(text);
    text = info_on_terminal("info %s/cube.obj", *state);
    assert_says(text, "▀");
    free(text);
    setenv("NO_COLOR", "1", 1);
    text = info_on_terminal("info %s/stack.json", *state);
    assert_null(strstr(text, "▀"));
    assert_null(strchr(text, '\033'));
    free(text);
}

// How many half blocks of a picture in the terminal are clearly red.
static int count_red(const char *text)
{
    int count = 0, red, green, blue;
    for (const char *at = text; (at = strstr(at, "\033[38;2;")) != NULL; ++at) {
        if (sscanf(at, "\033[38;2;%d;%d;%dm", &red, &green, &blue) == 3) {
            count += red > green + 40 && red > blue + 40;
        }
    }
    return count;
}

static void test_deformables_are_in_the_picture(void **state)
{
    (void)state;
    sn_scene *scene = NULL;
    assert_int_equal(sn_scene_parse(soft_scene, strlen(soft_scene), "soft.json", NULL, &scene), SN_OK);
    FILE *file = tmpfile();
    terminal terminal = {.stream = file, .width = 40, .true_colors = true, .unicode = true};
    thumbnail_print(&terminal, scene);
    char *text = capture_read(file);
    assert_true(count_red(text) > 5);
    free(text);
    fclose(file);
    sn_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_scene_is_told_in_words),
        cmocka_unit_test(test_exact_anchors_and_integrators_are_told),
        cmocka_unit_test(test_a_scene_is_told_in_json),
        cmocka_unit_test(test_deformables_are_told),
        cmocka_unit_test(test_deformables_are_in_the_picture),
        cmocka_unit_test(test_only_settings_that_are_not_the_default_are_told),
        cmocka_unit_test(test_a_saved_state_tells_how_far_it_got),
        cmocka_unit_test(test_a_mesh_is_told_in_words_and_json),
        cmocka_unit_test(test_an_open_mesh_is_told_so),
        cmocka_unit_test(test_bad_files_and_lines_are_refused),
        cmocka_unit_test(test_half_blocks_hold_two_pixels_each),
        cmocka_unit_test(test_a_picture_only_where_it_can_be_shown),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_scene_folder);
}
