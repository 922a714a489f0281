// `sinew run`: what it prints and writes, and every way it refuses.
#include "apps/capture.h"
#include "apps/scene_files.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

// The JSON report of a run that must succeed with nothing on stderr.
static json_t *report_of(const char *line, const char *folder)
{
    captured c = capture(line, folder);
    assert_string_equal(c.err, "");
    assert_int_equal(c.code, EXIT_FINE);
    json_error_t error;
    json_t *report = json_loads(c.out, JSON_REJECT_DUPLICATES, &error);
    if (report == NULL) {
        fprintf(stderr, "%s at line %d\n", error.text, error.line);
    }
    assert_non_null(report);
    captured_release(&c);
    return report;
}

static int integer_at(const json_t *report, const char *key)
{
    json_t *value = json_object_get(report, key);
    assert_true(json_is_integer(value));
    return (int)json_integer_value(value);
}

static void test_the_report_is_printed_and_nothing_else(void **state)
{
    captured c = capture("run %s/stack.json", *state);
    assert_int_equal(c.code, EXIT_FINE);
    assert_string_equal(c.err, "");
    assert_says(c.out, "stack.json: A stack\n");
    assert_says(c.out, "0.5 s in 30 steps");
    assert_says(c.out, "12 sub-steps");
    assert_says(c.out, "hash of the end ");
    assert_null(strchr(c.out, '\033'));
    captured_release(&c);
}

static void test_json_is_one_object(void **state)
{
    json_t *report = report_of("run %s/stack.json --json --steps 7", *state);
    assert_int_equal(integer_at(report, "steps"), 7);
    assert_string_equal(json_string_value(json_object_get(report, "title")), "A stack");
    assert_int_equal(json_integer_value(json_object_get(json_object_get(report, "counts"), "bodies")), 11);
    assert_true(json_is_false(json_object_get(report, "interrupted")));
    json_decref(report);
}

static void test_seconds_steps_and_step_length_agree(void **state)
{
    json_t *report = report_of("run %s/stack.json --json --seconds 0.1", *state);
    assert_int_equal(integer_at(report, "steps"), 6);
    json_decref(report);
    report = report_of("run %s/stack.json --json --seconds 0.1 --step 1/240", *state);
    assert_int_equal(integer_at(report, "steps"), 24);
    assert_true(fabs(json_real_value(json_object_get(report, "end_time")) - 0.1) < 1e-6);
    json_decref(report);
    report = report_of("run %s/stack.json --json --seconds 1e-6", *state);
    assert_int_equal(integer_at(report, "steps"), 1);
    json_decref(report);
}

static char *hash_of(const char *line, const char *folder)
{
    json_t *report = report_of(line, folder);
    char *hash = strdup(json_string_value(json_object_get(report, "hash")));
    json_decref(report);
    return hash;
}

static void test_the_hash_tells_equal_runs_from_others(void **state)
{
    char *one = hash_of("run %s/stack.json --json", *state);
    char *two = hash_of("run %s/stack.json --json --threads 2", *state);
    char *other = hash_of("run %s/stack.json --json --set world.sub_steps=13", *state);
    assert_string_equal(one, two);
    assert_string_not_equal(one, other);
    free(one);
    free(two);
    free(other);
}

static void test_a_saved_state_goes_on_bit_for_bit(void **state)
{
    json_t *first = report_of("run %s/stack.json --json --steps 10 --save %s/half.state", *state);
    char file[4200];
    snprintf(file, sizeof file, "%s/half.state", (const char *)*state);
    assert_string_equal(json_string_value(json_object_get(json_object_get(first, "files"), "saved")), file);
    json_decref(first);
    char *whole = hash_of("run %s/stack.json --json --steps 20", *state);
    char *halves = hash_of("run %s/half.state --json --steps 10", *state);
    assert_string_equal(whole, halves);
    free(whole);
    free(halves);
}

static void test_a_saved_scene_loads_again(void **state)
{
    captured c = capture("run %s/stack.json --steps 5 --save %s/later.json", *state);
    assert_int_equal(c.code, EXIT_FINE);
    assert_says(c.out, "later.json\n");
    captured_release(&c);
    json_t *report = report_of("run %s/later.json --json --steps 1", *state);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(report, "counts"), "bodies")), 11);
    json_decref(report);
}

static void test_a_trace_has_a_row_for_the_start_and_each_step(void **state)
{
    captured c = capture("run %s/stack.json --steps 9 --trace %s/t.csv", *state);
    assert_int_equal(c.code, EXIT_FINE);
    captured_release(&c);
    char path[4200];
    snprintf(path, sizeof path, "%s/t.csv", (const char *)*state);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = capture_read(file);
    fclose(file);
    int lines = 0;
    for (char *at = text; *at != '\0'; ++at) {
        lines += *at == '\n' ? 1 : 0;
    }
    assert_int_equal(lines, 1 + 10);
    assert_says(text, "height");
    free(text);
}

static void test_residuals_have_a_row_for_each_iteration(void **state)
{
    captured c = capture("run %s/stack.json --steps 3 --set world.solver=position "
                         "--set world.position.iterations=6 --residuals %s/r.csv",
                         *state);
    assert_string_equal(c.err, "");
    assert_int_equal(c.code, EXIT_FINE);
    assert_says(c.out, "end with a primal error of");
    captured_release(&c);
    c = capture("plot %s/r.csv -o %s/r.svg --log y", *state);
    assert_int_equal(c.code, EXIT_FINE);
    captured_release(&c);
    json_t *report = report_of("run %s/stack.json --steps 3 --set world.solver=position "
                               "--set world.position.iterations=6 --set world.position.monitor=true --json",
                               *state);
    assert_int_equal(json_array_size(json_object_get(report, "residuals")), 6);
    json_decref(report);
}

static void test_frames_are_exported_at_their_rate(void **state)
{
    captured c = capture("run %s/stack.json --seconds 0.1 --out %s/obj --format obj", *state);
    assert_int_equal(c.code, EXIT_FINE);
    assert_string_equal(c.err, "");
    assert_true(capture_exists(*state, "obj/stack_0000.obj"));
    assert_true(capture_exists(*state, "obj/stack_0003.obj")); // 30 frames/s: steps 0, 2, 4, 6
    assert_false(capture_exists(*state, "obj/stack_0004.obj"));
    captured_release(&c);
    c = capture("run %s/stack.json --seconds 0.1 --out %s/vtk --fps 60", *state);
    assert_int_equal(c.code, EXIT_FINE);
    assert_true(capture_exists(*state, "vtk/stack.pvd"));
    assert_says(c.out, "stack.pvd (7)");
    captured_release(&c);
    c = capture("run %s/stack.json --seconds 0.1 --out %s/gltf --format gltf --fps 24", *state);
    assert_int_equal(c.code, EXIT_FINE);
    assert_says(c.err, "note: ");
    assert_true(capture_exists(*state, "gltf/stack.glb"));
    captured_release(&c);
}

static void test_settings_may_be_changed_again_and_again(void **state)
{
    json_t *report =
        report_of("run %s/stack.json --json --steps 1 --set world.sub_steps=3 --set bodies[1].repeat.count=4 "
                  "--set world.long_range={\"sub_steps\":false}",
                  *state);
    assert_int_equal(integer_at(report, "sub_steps"), 3);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(report, "counts"), "bodies")), 5);
    json_decref(report);
}

static void test_bad_command_lines_are_refused_before_any_work(void **state)
{
    static const bad_line lines[] = {
        {"run %s/stack.json --seconds 1 --steps 2", EXIT_USAGE, "--seconds and --steps exclude each other"},
        {"run %s/stack.json --seconds 0", EXIT_USAGE, "--seconds: '0' is too small"},
        {"run %s/stack.json --seconds -1", EXIT_USAGE, "--seconds: '-1' is too small"},
        {"run %s/stack.json --seconds nan", EXIT_USAGE, "--seconds: 'nan' is not a number"},
        {"run %s/stack.json --seconds 1e999", EXIT_USAGE, "--seconds: '1e999' is not a number"},
        {"run %s/stack.json --seconds", EXIT_USAGE, "--seconds: the value is missing"},
        {"run %s/stack.json --steps 0", EXIT_USAGE, "--steps: '0' is too small|from 1 to 2147483647"},
        {"run %s/stack.json --steps -1", EXIT_USAGE, "--steps: '-1' is too small"},
        {"run %s/stack.json --steps 1.5", EXIT_USAGE, "--steps: '1.5' is not a whole number"},
        {"run %s/stack.json --steps 2147483648", EXIT_USAGE, "--steps: '2147483648' is not"},
        {"run %s/stack.json --step 0", EXIT_USAGE, "--step: '0' is too small"},
        {"run %s/stack.json --step 2", EXIT_USAGE, "--step: '2' is too large"},
        {"run %s/stack.json --threads 0", EXIT_USAGE, "--threads: '0' is too small|from 1 to 64"},
        {"run %s/stack.json --threads 65", EXIT_USAGE, "--threads: '65' is too large"},
        {"run %s/stack.json --format vtk", EXIT_USAGE, "--format needs --out DIR"},
        {"run %s/stack.json --fps 30", EXIT_USAGE, "--fps needs --out DIR"},
        {"run %s/stack.json --out %s --format gtlf", EXIT_USAGE, "'gtlf' is unknown|did you mean gltf?"},
        {"run %s/stack.json --out %s --fps 0", EXIT_USAGE, "--fps: '0' is too small"},
        {"run %s/stack.json --save %s/end.txt", EXIT_USAGE, "end.txt' ends in neither .json"},
        {"run %s/stack.json --json=yes", EXIT_USAGE, "--json: 'yes' is a value it does not take"},
        {"run %s/stack.json --residuals %s/r.csv", EXIT_USAGE, "needs the position solver"},
        {"run %s/stack.json --json --trace", EXIT_USAGE, "--trace: the value is missing"},
    };
    assert_bad_lines(lines, *state);
}

static void test_what_cannot_be_read_or_written_is_told(void **state)
{
    static const bad_line lines[] = {
        {"run %s/missing.json", EXIT_FAILED, "missing.json"},
        {"run %s", EXIT_FAILED, "/tmp/"},
        {"run %s/bad.json", EXIT_FAILED, "bad.json:4:57: bodies[0].shape.radius|bad.json:5:6|did you mean|^"},
        {"run %s/stack.json --set world.sub_stps=3", EXIT_FAILED, "sub_stps|sub_steps"},
        {"run %s/stack.json --set nonsense", EXIT_FAILED, "nonsense"},
        {"run %s/stack.json --trace %s/no/t.csv", EXIT_FAILED, "no/t.csv"},
        {"run %s/stack.json --trace %s", EXIT_FAILED, "/tmp/"},
        {"run %s/stack.json --out %s/stack.json", EXIT_FAILED, "stack.json"},
        {"run %s/stack.json --out /proc/no/such", EXIT_FAILED, "/proc/no"},
        {"run %s/stack.json --save %s/no/end.state", EXIT_FAILED, "no/end.state: cannot be written"},
        {"run %s/stack.json --save /end.state.json/x.json", EXIT_FAILED, "cannot be written"},
        {"run %s/stack.json --json --trace /dev/full", EXIT_FAILED, "/dev/full"},
    };
    assert_bad_lines(lines, *state);
}

static bool is_writing(const char *folder)
{
    DIR *directory = opendir(folder);
    bool found = false;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        found = found || strncmp(entry->d_name, ".sinew-unfinished", 17) == 0;
    }
    closedir(directory);
    return found;
}

static void wait_for_output(const char *folder)
{
    for (int i = 0; i < 1000 && !is_writing(folder); ++i) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
}

static void check_signal_ends_a_run(const char *folder, int number, int code)
{
    FILE *out = tmpfile(), *err = tmpfile();
    pid_t child =
        capture_start("run %s/pendulum.json --seconds 1e6 --json --trace %s/long.csv --save %s/end.state",
                      folder, fileno(out), fileno(err));
    wait_for_output(folder);
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    kill(-child, number);
    assert_int_equal(capture_wait(child), code);
    char *text = capture_read(out);
    json_t *report = json_loads(text, 0, NULL);
    assert_non_null(report);
    assert_true(json_is_true(json_object_get(report, "interrupted")));
    int steps = integer_at(report, "steps");
    assert_true(steps >= 1);
    assert_true(capture_exists(folder, "end.state"));
    char path[4200];
    snprintf(path, sizeof path, "%s/long.csv", folder);
    FILE *trace = fopen(path, "r");
    int lines = 0;
    for (int c = getc(trace); c != EOF; c = getc(trace)) {
        lines += c == '\n' ? 1 : 0;
    }
    fclose(trace);
    assert_int_equal(lines, steps + 2);
    json_decref(report);
    free(text);
    fclose(out);
    fclose(err);
}

static void test_signals_end_a_run_with_its_report_and_files(void **state)
{
    check_signal_ends_a_run(*state, SIGINT, EXIT_INTERRUPTED);
    check_signal_ends_a_run(*state, SIGTERM, 128 + SIGTERM);
}

static void test_what_is_read_is_not_overwritten(void **state)
{
    const char *folder = *state;
    char link_path[4200], scene[4200];
    snprintf(link_path, sizeof link_path, "%s/link.json", folder);
    snprintf(scene, sizeof scene, "%s/stack.json", folder);
    assert_int_equal(link(scene, link_path), 0);
    static const bad_line lines[] = {
        {"run %s/stack.json --trace %s/stack.json", EXIT_FAILED,
         "stack.json: is what the scene was read from"},
        {"run %s/stack.json --save %s/link.json", EXIT_FAILED, "link.json: is what the scene was read from"},
        {"convert %s/link.json %s/stack.json", EXIT_FAILED, "stack.json: is what the scene was read from"},
    };
    assert_bad_lines(lines, *state);
}

static void test_a_pipe_gets_no_progress(void **state)
{
    FILE *out = tmpfile(), *err = tmpfile();
    pid_t child = capture_start("run %s/pendulum.json --seconds 60", *state, fileno(out), fileno(err));
    assert_int_equal(capture_wait(child), EXIT_FINE);
    char *said = capture_read(err);
    assert_string_equal(said, "");
    free(said);
    fclose(out);
    fclose(err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_report_is_printed_and_nothing_else),
        cmocka_unit_test(test_json_is_one_object),
        cmocka_unit_test(test_seconds_steps_and_step_length_agree),
        cmocka_unit_test(test_the_hash_tells_equal_runs_from_others),
        cmocka_unit_test(test_a_saved_state_goes_on_bit_for_bit),
        cmocka_unit_test(test_a_saved_scene_loads_again),
        cmocka_unit_test(test_a_trace_has_a_row_for_the_start_and_each_step),
        cmocka_unit_test(test_residuals_have_a_row_for_each_iteration),
        cmocka_unit_test(test_frames_are_exported_at_their_rate),
        cmocka_unit_test(test_settings_may_be_changed_again_and_again),
        cmocka_unit_test(test_bad_command_lines_are_refused_before_any_work),
        cmocka_unit_test(test_what_cannot_be_read_or_written_is_told),
        cmocka_unit_test(test_signals_end_a_run_with_its_report_and_files),
        cmocka_unit_test(test_what_is_read_is_not_overwritten),
        cmocka_unit_test(test_a_pipe_gets_no_progress),
    };
    return cmocka_run_group_tests(tests, make_scene_folder, remove_scene_folder);
}
