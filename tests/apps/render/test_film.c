// Films: mp4 through ffmpeg, folders of pictures, and every way in which they can fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "apps/render/film.h"
#include "sinew_scene/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/sinew_film_XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static const char *in_folder(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void expect_message(const char *word)
{
    if (strstr(sn_scene_error(), word) == NULL) {
        fail_msg("expected \"%s\" in \"%s\"", word, sn_scene_error());
    }
}

// A picture of one colour.
static uint8_t *plain_picture(int width, int height, const uint8_t color[3])
{
    uint8_t *pixels = malloc(3 * (size_t)width * (size_t)height);
    for (int i = 0; i < 3 * width * height; ++i) {
        pixels[i] = color[i % 3];
    }
    return pixels;
}

static void write_film(const char *path, int width, int height, double rate, int count)
{
    film *film = film_open(path, width, height, rate);
    if (film == NULL) {
        fail_msg("%s", sn_scene_error());
    }
    for (int i = 0; i < count; ++i) {
        uint8_t *pixels = plain_picture(width, height, (const uint8_t[]){200, 40, (uint8_t)(10 * i)});
        assert_true(film_add(film, pixels));
        free(pixels);
    }
    if (!film_close(film)) {
        fail_msg("%s", sn_scene_error());
    }
}

static void read_output(const char *format, const char *path, char *output, size_t capacity)
{
    char command[512];
    snprintf(command, sizeof command, format, path);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t count = fread(output, 1, capacity - 1, pipe);
    output[count] = '\0';
    assert_int_equal(pclose(pipe), 0);
}

// --- mp4 ---------------------------------------------------------------------------------------------------

static void test_an_mp4_is_what_every_player_understands(void **state)
{
    (void)state;
    const char *path = in_folder("film.mp4");
    write_film(path, 64, 48, 25.0, 10);
    char found[512];
    read_output("ffprobe -v error -count_frames -of csv=p=0 -show_entries "
                "stream=codec_name,width,height,pix_fmt,color_space,r_frame_rate,nb_read_frames %s",
                path, found, sizeof found);
    assert_string_equal(found, "h264,64,48,yuv420p,bt709,25/1,10\n");
    unlink(path);
}

static void test_gif_and_webp_are_films_too(void **state)
{
    (void)state;
    const char *path = in_folder("film.gif");
    char found[512];
    write_film(path, 64, 48, 25.0, 10);
    read_output("ffprobe -v error -count_frames -of csv=p=0 -show_entries "
                "stream=codec_name,width,height,nb_read_frames %s",
                path, found, sizeof found);
    assert_string_equal(found, "gif,64,48,10\n");
    unlink(path);
    path = in_folder("film.webp");
    write_film(path, 64, 48, 25.0, 10);
    read_output("head -c 12 %s | tail -c 4", path, found, sizeof found);
    assert_string_equal(found, "WEBP");
    unlink(path);
}

static void test_the_index_comes_first_so_that_pages_can_start_playing(void **state)
{
    (void)state;
    const char *path = in_folder("fast.mp4");
    write_film(path, 32, 32, 30.0, 3);
    uint8_t start[4096];
    FILE *file = fopen(path, "rb");
    size_t count = fread(start, 1, sizeof start, file);
    fclose(file);
    size_t index = 0, pictures = 0;
    for (size_t i = 0; i + 4 <= count; ++i) {
        index = index == 0 && memcmp(start + i, "moov", 4) == 0 ? i : index;
        pictures = pictures == 0 && memcmp(start + i, "mdat", 4) == 0 ? i : pictures;
    }
    assert_true(index > 0 && pictures > index);
    unlink(path);
}

static void test_colours_survive(void **state)
{
    (void)state;
    const char *path = in_folder("red.mp4");
    write_film(path, 32, 32, 30.0, 1);
    char pixels[3 * 32 * 32 + 1];
    read_output("ffmpeg -v error -i %s -f rawvideo -pix_fmt rgb24 -", path, pixels, sizeof pixels);
    const uint8_t *middle = (const uint8_t *)pixels + 3 * (16 * 32 + 16);
    assert_in_range(middle[0], 194, 206);
    assert_in_range(middle[1], 34, 46);
    assert_in_range(middle[2], 0, 6);
    unlink(path);
}

static void test_odd_sizes_become_even(void **state)
{
    (void)state;
    const char *path = in_folder("odd.mp4");
    write_film(path, 33, 17, 12.5, 2);
    char found[512];
    read_output("ffprobe -v error -of csv=p=0 -show_entries stream=width,height,r_frame_rate %s", path, found,
                sizeof found);
    assert_string_equal(found, "34,18,25/2\n");
    unlink(path);
}

// --- folders -----------------------------------------------------------------------------------------------

static void test_a_folder_gets_numbered_pictures(void **state)
{
    (void)state;
    write_film(in_folder("deep/er/"), 16, 16, 30.0, 2);
    assert_int_equal(access(in_folder("deep/er/00000.png"), R_OK), 0);
    assert_int_equal(access(in_folder("deep/er/00001.png"), R_OK), 0);
    assert_int_not_equal(access(in_folder("deep/er/00002.png"), R_OK), 0);
    // One that exists needs no slash.
    write_film(in_folder("deep"), 16, 16, 30.0, 1);
    assert_int_equal(unlink(in_folder("deep/00000.png")), 0);
    unlink(in_folder("deep/er/00000.png"));
    unlink(in_folder("deep/er/00001.png"));
    rmdir(in_folder("deep/er"));
    rmdir(in_folder("deep"));
}

static void test_a_folder_that_cannot_be_made_is_told(void **state)
{
    (void)state;
    FILE *file = fopen(in_folder("file"), "w");
    fclose(file);
    assert_null(film_open(in_folder("file/"), 16, 16, 30.0));
    expect_message("file/");
    assert_null(film_open(in_folder("file/inside/"), 16, 16, 30.0));
    expect_message("Not a directory");
    unlink(in_folder("file"));
}

// --- failures ----------------------------------------------------------------------------------------------

static void test_bad_arguments_are_named(void **state)
{
    (void)state;
    assert_null(film_open(NULL, 16, 16, 30.0));
    assert_null(film_open("", 16, 16, 30.0));
    expect_message("path");
    assert_null(film_open("x.avi", 16, 16, 30.0));
    expect_message(".mp4");
    assert_null(film_open("x.mp4", 0, 16, 30.0));
    expect_message("0 × 16");
    assert_null(film_open("x.mp4", 16, 100000, 30.0));
    expect_message("expected 1…");
    assert_null(film_open("x.mp4", 16, 16, 0.0));
    expect_message("frames per second is 0");
    assert_null(film_open("x.mp4", 16, 16, (double)NAN));
    expect_message("nan");
    assert_false(film_add(NULL, NULL));
    assert_false(film_close(NULL));
}

static void test_a_place_that_cannot_be_written_is_told(void **state)
{
    (void)state;
    assert_null(film_open("/nonexistent/x.mp4", 16, 16, 30.0));
    expect_message("/nonexistent/x.mp4");
    expect_message("No such file or directory");
}

static void test_a_film_without_pictures_is_no_film(void **state)
{
    (void)state;
    film *film = film_open(in_folder("empty.mp4"), 16, 16, 30.0);
    assert_non_null(film);
    assert_false(film_close(film));
    expect_message("empty.mp4");
    unlink(in_folder("empty.mp4"));
}

// Runs with a PATH that has only this folder in it, and there perhaps an ffmpeg of the test's own.
static char *take_path(const char *script)
{
    const char *path = getenv("PATH");
    char *before = malloc(strlen(path) + 1);
    strcpy(before, path);
    if (script != NULL) {
        FILE *file = fopen(in_folder("ffmpeg"), "w");
        fputs(script, file);
        fclose(file);
        chmod(in_folder("ffmpeg"), 0755);
    }
    setenv("PATH", folder, 1);
    return before;
}

static void give_path_back(char *before)
{
    setenv("PATH", before, 1);
    free(before);
    unlink(in_folder("ffmpeg"));
}

static void test_a_missing_ffmpeg_is_told(void **state)
{
    (void)state;
    char *before = take_path(NULL);
    film *film = film_open(in_folder("x.mp4"), 16, 16, 30.0);
    give_path_back(before);
    assert_null(film);
    expect_message("ffmpeg");
}

static void test_an_ffmpeg_that_dies_does_not_take_the_program_along(void **state)
{
    (void)state;
    char *before = take_path("#!/bin/sh\necho 'the encoder is on strike' >&2\nexit 1\n");
    film *film = film_open(in_folder("x.mp4"), 256, 256, 30.0);
    assert_non_null(film);
    uint8_t *pixels = plain_picture(256, 256, (const uint8_t[]){1, 2, 3});
    bool added = true;
    for (int i = 0; i < 100 && added; ++i) {
        added = film_add(film, pixels);
    }
    assert_false(added);
    expect_message("the encoder is on strike");
    assert_false(film_add(film, pixels));
    free(pixels);
    assert_false(film_close(film));
    give_path_back(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_mp4_is_what_every_player_understands),
        cmocka_unit_test(test_gif_and_webp_are_films_too),
        cmocka_unit_test(test_the_index_comes_first_so_that_pages_can_start_playing),
        cmocka_unit_test(test_colours_survive),
        cmocka_unit_test(test_odd_sizes_become_even),
        cmocka_unit_test(test_a_folder_gets_numbered_pictures),
        cmocka_unit_test(test_a_folder_that_cannot_be_made_is_told),
        cmocka_unit_test(test_bad_arguments_are_named),
        cmocka_unit_test(test_a_place_that_cannot_be_written_is_told),
        cmocka_unit_test(test_a_film_without_pictures_is_no_film),
        cmocka_unit_test(test_a_missing_ffmpeg_is_told),
        cmocka_unit_test(test_an_ffmpeg_that_dies_does_not_take_the_program_along),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
