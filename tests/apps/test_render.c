// `sinew render`: pictures, folders of pictures, films, and what it refuses.
#include "apps/capture.h"
#include "apps/scene_files.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

typedef struct picture {
    long size;
    int width, height;
    uint64_t hash; // of its bytes
} picture;

// Size of a PNG by its header; zeros if it is none.
static picture look_at(const char *folder, const char *name)
{
    char path[4200];
    unsigned char head[24];
    picture p = {.hash = 14695981039346656037u};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return p;
    }
    if (fread(head, 1, sizeof head, file) == sizeof head && memcmp(head, "\211PNG\r\n\032\n", 8) == 0) {
        p.width = head[18] << 8 | head[19];
        p.height = head[22] << 8 | head[23];
    }
    for (int c = getc(file); c != EOF; c = getc(file)) {
        p.hash = (p.hash ^ (uint64_t)c) * 1099511628211u;
    }
    p.size = ftell(file);
    fclose(file);
    return p;
}

static void render(const char *line, const char *folder)
{
    captured c = capture(line, folder);
    if (c.code != EXIT_FINE) {
        fprintf(stderr, "%s", c.err);
    }
    assert_int_equal(c.code, EXIT_FINE);
    assert_string_equal(c.err, "");
    captured_release(&c);
}

static void test_a_picture_has_the_size_asked_for(void **state)
{
    captured c = capture("render %s/stack.json -o %s/a.png --size 160x90", *state);
    assert_int_equal(c.code, EXIT_FINE);
    assert_string_equal(c.err, "");
    assert_says(c.out, "/a.png\n");
    captured_release(&c);
    picture p = look_at(*state, "a.png");
    assert_int_equal(p.width, 160);
    assert_int_equal(p.height, 90);
    render("render %s/stack.json -o %s/b.png", *state);
    p = look_at(*state, "b.png");
    assert_int_equal(p.width, 1280);
    assert_int_equal(p.height, 720);
}

static void test_options_change_the_picture(void **state)
{
    static const char *const lines[] = {
        "render %s/stack.json -o %s/p.png --size 320x180 --at 0.1",
        "render %s/stack.json -o %s/p.png --size 320x180 --at 0.1 --no-shadows",
        "render %s/stack.json -o %s/p.png --size 320x180 --at 0.1 --no-grid",
        "render %s/stack.json -o %s/p.png --size 320x180 --at 0.1 --samples 1",
        "render %s/stack.json -o %s/p.png --size 320x180 --at 0.1 --overlay contacts",
        "render %s/stack.json -o %s/p.png --size 320x180 --at 0.1 --overlay contacts,forces,wireframe",
        "render %s/stack.json -o %s/p.png --size 320x180 --at 0.1 --heat speed",
        "render %s/stack.json -o %s/p.png --size 320x180 --at 0.1 --set bodies[1].repeat.count=7",
        "render %s/pendulum.json -o %s/p.png --size 320x180 --at 0.2",
        "render %s/pendulum.json -o %s/p.png --size 320x180 --at 0.3",
        "render %s/pendulum.json -o %s/p.png --size 320x180 --at 0.2 --overlay joints",
    };
    enum { COUNT = sizeof lines / sizeof lines[0] };
    uint64_t hashes[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        render(lines[i], *state);
        hashes[i] = look_at(*state, "p.png").hash;
        for (int k = 0; k < i; ++k) {
            assert_true(hashes[i] != hashes[k]);
        }
    }
    render(lines[0], *state);
    assert_true(look_at(*state, "p.png").hash == hashes[0]); // the same again is the same picture
}

static void test_cameras_are_chosen_by_name(void **state)
{
    render("render %s/stack.json -o %s/a.png --size 64x64 --camera main", *state);
    assert_int_equal(look_at(*state, "a.png").width, 64);
}

static void test_a_folder_gets_a_numbered_picture_per_frame(void **state)
{
    render("render %s/stack.json -o %s/frames/ --seconds 0.1 --fps 60 --size 64x36", *state);
    assert_int_equal(look_at(*state, "frames/00000.png").width, 64);
    assert_int_equal(look_at(*state, "frames/00006.png").width, 64);
    assert_false(capture_exists(*state, "frames/00007.png"));
}

static void test_a_film_lasts_as_long_as_the_scene(void **state)
{
    render("render %s/stack.json -o %s/film.mp4 --size 64x36", *state);
    char path[4200];
    unsigned char head[12] = {0};
    snprintf(path, sizeof path, "%s/film.mp4", (const char *)*state);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(head, 1, sizeof head, file), sizeof head);
    fclose(file);
    assert_memory_equal(head + 4, "ftyp", 4);
}

static void test_frames_that_do_not_fit_are_told(void **state)
{
    captured c = capture("render %s/stack.json -o %s/odd/ --seconds 0.1 --fps 24 --size 64x36", *state);
    assert_int_equal(c.code, EXIT_FINE);
    assert_says(c.err, "note: a frame at 24 frames/s is 2.5 steps of 16.67 ms");
    captured_release(&c);
}

static void test_bad_lines_and_files_are_refused(void **state)
{
    static const bad_line lines[] = {
        {"render %s/stack.json", EXIT_USAGE, "-o is missing"},
        {"render %s/stack.json -o", EXIT_USAGE, "--output: the value is missing"},
        {"render %s/stack.json -o %s/x.avi", EXIT_USAGE, "x.avi' ends in none of .png, .jpg, .mp4"},
        {"render %s/stack.json -o %s/nowhere", EXIT_USAGE, "nowhere' ends in none of"},
        {"render %s/stack.json -o %s/x.png --size 1280", EXIT_USAGE, "--size: '1280' is not a size"},
        {"render %s/stack.json -o %s/x.png --size 8x8", EXIT_USAGE, "--size: '8x8' is too small"},
        {"render %s/stack.json -o %s/x.png --size 9000x9000", EXIT_USAGE, "--size: '9000x9000' is too large"},
        {"render %s/stack.json -o %s/x.png --at -1", EXIT_USAGE, "--at: '-1' is too small"},
        {"render %s/stack.json -o %s/x.png --at nan", EXIT_USAGE, "--at: 'nan' is not a number"},
        {"render %s/stack.json -o %s/x.png --seconds 1", EXIT_USAGE, "--seconds is for films"},
        {"render %s/stack.json -o %s/x.png --fps 30", EXIT_USAGE, "--fps is for films"},
        {"render %s/stack.json -o %s/x.mp4 --fps 0", EXIT_USAGE, "--fps: '0' is too small"},
        {"render %s/stack.json -o %s/x.png --samples 3", EXIT_USAGE,
         "--samples: '3' is unknown, expected 1, 2, 4 or 8"},
        {"render %s/stack.json -o %s/x.png --overlay contcts", EXIT_USAGE,
         "'contcts' is unknown|did you mean contacts?"},
        {"render %s/stack.json -o %s/x.png --heat warmth", EXIT_USAGE,
         "--heat: 'warmth' is unknown, expected speed, error, strain, stress or support"},
        {"render %s/stack.json -o %s/x.png --heat-limit 2", EXIT_USAGE, "--heat-limit needs --heat"},
        {"render %s/stack.json -o %s/x.png --camera mian", EXIT_FAILED, "mian|main"},
        {"render %s/stack.json -o %s/no/x.png", EXIT_FAILED, "no/x.png: cannot be written"},
        {"render %s/stack.json -o /proc/no/frames/", EXIT_FAILED, "/proc/no"},
        {"render %s/bad.json -o %s/x.png", EXIT_FAILED, "bad.json:4:57|^"},
        {"render %s/missing.json -o %s/x.png", EXIT_FAILED, "missing.json"},
    };
    assert_bad_lines(lines, *state);
    assert_false(capture_exists(*state, "x.png"));
}

static void test_ctrl_c_completes_the_folder(void **state)
{
    const char *folder = *state;
    FILE *out = tmpfile(), *err = tmpfile();
    pid_t child = capture_start("render %s/pendulum.json -o %s/long/ --seconds 10000 --size 64x36", folder,
                                fileno(out), fileno(err));
    for (int i = 0; i < 1000 && !capture_exists(folder, "long/00002.png"); ++i) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    kill(-child, SIGINT);
    assert_int_equal(capture_wait(child), EXIT_INTERRUPTED);
    assert_int_equal(look_at(folder, "long/00002.png").width, 64);
    fclose(out);
    fclose(err);
}

// Whether the file has what a player needs: mp4 files get it when they are completed.
static bool is_complete_film(const char *folder, const char *name)
{
    char path[4200], window[4] = {0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    bool found = false;
    for (int c = file != NULL ? getc(file) : EOF; c != EOF && !found; c = getc(file)) {
        memmove(window, window + 1, 3);
        window[3] = (char)c;
        found = memcmp(window, "moov", 4) == 0;
    }
    if (file != NULL) {
        fclose(file);
    }
    return found;
}

static void test_ctrl_c_completes_the_film(void **state)
{
    const char *folder = *state;
    FILE *out = tmpfile(), *err = tmpfile();
    pid_t child = capture_start("render %s/pendulum.json -o %s/long.mp4 --seconds 10000 --size 64x36", folder,
                                fileno(out), fileno(err));
    for (int i = 0; i < 1000 && !capture_exists(folder, "long.mp4"); ++i) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    kill(-child, SIGINT);
    assert_int_equal(capture_wait(child), EXIT_INTERRUPTED);
    char *said = capture_read(err);
    assert_string_equal(said, "");
    assert_true(is_complete_film(folder, "long.mp4"));
    free(said);
    fclose(out);
    fclose(err);
}

static void test_a_jpeg_is_a_picture_too(void **state)
{
    captured c = capture("render %s/stack.json -o %s/p.jpg --size 64x64", *state);
    assert_int_equal(c.code, EXIT_FINE);
    captured_release(&c);
    char path[512];
    snprintf(path, sizeof path, "%s/p.jpg", (const char *)*state);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fgetc(file), 0xff);
    assert_int_equal(fgetc(file), 0xd8);
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_jpeg_is_a_picture_too),
        cmocka_unit_test(test_a_picture_has_the_size_asked_for),
        cmocka_unit_test(test_options_change_the_picture),
        cmocka_unit_test(test_cameras_are_chosen_by_name),
        cmocka_unit_test(test_a_folder_gets_a_numbered_picture_per_frame),
        cmocka_unit_test(test_a_film_lasts_as_long_as_the_scene),
        cmocka_unit_test(test_frames_that_do_not_fit_are_told),
        cmocka_unit_test(test_bad_lines_and_files_are_refused),
        cmocka_unit_test(test_ctrl_c_completes_the_folder),
        cmocka_unit_test(test_ctrl_c_completes_the_film),
    };
    return cmocka_run_group_tests(tests, make_scene_folder, remove_scene_folder);
}
