// Recordings at the command line: every command takes one as it takes a scene, and what cannot be is told.
#include "apps/capture.h"
#include "apps/scene_files.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static int record(void **state)
{
    make_scene_folder(state);
    captured c = capture("run %s/stack.json --steps 12 --record %s/r.recording", *state);
    assert_int_equal(c.code, EXIT_FINE);
    assert_says(c.out, "recorded        ");
    captured_release(&c);
    return 0;
}

static void copy_hash(const char *line, const char *folder, char hash[17])
{
    captured c = capture(line, folder);
    assert_int_equal(c.code, EXIT_FINE);
    json_t *report = json_loads(c.out, 0, NULL);
    assert_non_null(report);
    snprintf(hash, 17, "%s", json_string_value(json_object_get(report, "hash")));
    json_decref(report);
    captured_release(&c);
}

static void test_a_recording_runs_to_the_same_hash(void **state)
{
    char scene[17], recording[17];
    copy_hash("run %s/stack.json --steps 12 --json", *state, scene);
    copy_hash("run %s/r.recording --json", *state, recording);
    assert_string_equal(scene, recording);
    captured c = capture("run %s/r.recording", *state);
    assert_says(c.out, "12 of 12 recorded steps replayed, all with the recorded hash");
    captured_release(&c);
}

static void test_every_command_takes_a_recording(void **state)
{
    const char *const lines[] = {
        "check %s/r.recording",
        "info %s/r.recording",
        "info %s/r.recording --json",
        "run %s/r.recording --trace %s/t.csv --out %s/frames --format gltf --save %s/end.json",
        "run %s/r.recording --record %s/again.recording",
        "run %s/again.recording",
        "render %s/r.recording -o %s/r.png --size 64x64 --at 0.1",
        "plot %s/r.recording -o %s/r.svg",
        "plot %s/pendulum.json -o %s/p.svg",
        "convert %s/r.recording %s/start.json",
        "convert %s/r.recording %s/start.state"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; ++i) {
        captured c = capture(lines[i], *state);
        if (c.code != EXIT_FINE) {
            fail_msg("`%s`: %s", lines[i], c.err);
        }
        captured_release(&c);
    }
}

static void test_a_replay_that_differs_fails_the_run(void **state)
{
    char path[512];
    snprintf(path, sizeof path, "%s/r.recording", (const char *)*state);
    FILE *file = fopen(path, "rb+");
    assert_non_null(file);
    fseek(file, -9 - 21 + 5, SEEK_END); // the hash of the last step
    int byte = fgetc(file);
    fseek(file, -1, SEEK_CUR);
    fputc(byte ^ 1, file);
    fclose(file);
    captured c = capture("run %s/r.recording", *state);
    assert_int_equal(c.code, EXIT_FAILED);
    assert_says(c.out, "the replay differs from the recording since step 12 of 12");
    assert_says(c.out, "THE RESULT CANNOT BE TRUSTED");
    captured_release(&c);
    c = capture("run %s/r.recording --json", *state);
    assert_int_equal(c.code, EXIT_FAILED);
    assert_says(c.out, "\"trusted\": false");
    assert_says(c.out, "\"first_difference\": 12");
    captured_release(&c);
}

static void test_what_cannot_be_is_told(void **state)
{
    capture_file(*state, "cut.recording", "SINEWRC1 cut off");
    const bad_line lines[] = {
        {"run %s/stack.json --record %s/x.json", EXIT_USAGE, "--record|x.json|.recording"},
        {"run %s/stack.json --record %s/no/x.recording", EXIT_FAILED, "no/x.recording|cannot be written"},
        {"run %s/r.recording --step 0.01", EXIT_FAILED, "--step|recording has steps of its own"},
        {"render %s/r.recording --step 0.01 -o %s/x.png", EXIT_FAILED,
         "--step|recording has steps of its own"},
        {"run %s/r.recording --set world.sub_steps=3", EXIT_FAILED, "r.recording|no settings to change"},
        {"run %s/r.recording --record %s/r.recording", EXIT_FAILED, "r.recording|expected another file"},
        {"run %s/cut.recording", EXIT_FAILED, "cut.recording|byte 16|ends before its first state"},
        {"plot %s/bad.json -o %s/x.svg", EXIT_FAILED, "bad.json:4:57|radius"},
        {"plot %s/cut.recording -o %s/x.svg", EXIT_FAILED, "cut.recording|byte 16"},
        {"convert %s/stack.json %s/x.recording", EXIT_USAGE, "x.recording|.state"},
    };
    assert_int_equal(capture_bad_lines(lines, sizeof lines / sizeof lines[0], *state), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_recording_runs_to_the_same_hash),
        cmocka_unit_test(test_every_command_takes_a_recording),
        cmocka_unit_test(test_what_cannot_be_is_told),
        cmocka_unit_test(test_a_replay_that_differs_fails_the_run),
    };
    return cmocka_run_group_tests(tests, record, remove_scene_folder);
}
