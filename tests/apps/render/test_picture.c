// PNG files hold the pixels they were given, and failures are told.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "apps/render/film.h"
#include "sinew_scene/scene.h"
#include "support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/sinew_picture_XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static void test_a_png_holds_the_pixels(void **state)
{
    (void)state;
    enum { WIDTH = 37, HEIGHT = 23, SIZE = 3 * WIDTH * HEIGHT };
    test_random random = {3};
    uint8_t pixels[SIZE], read[SIZE + 1];
    for (int i = 0; i < SIZE; ++i) {
        pixels[i] = (uint8_t)test_random_u32(&random);
    }
    char path[128], command[256];
    snprintf(path, sizeof path, "%s/noise.png", folder);
    assert_true(picture_write_png(path, WIDTH, HEIGHT, pixels));
    snprintf(command, sizeof command, "ffmpeg -v error -i %s -f rawvideo -pix_fmt rgb24 -", path);
    FILE *decoder = popen(command, "r");
    assert_non_null(decoder);
    assert_int_equal(fread(read, 1, sizeof read, decoder), SIZE);
    assert_int_equal(pclose(decoder), 0);
    assert_memory_equal(read, pixels, SIZE);
    unlink(path);
}

static void expect_failure(const char *path, int width, int height, const char *word)
{
    uint8_t pixels[3 * 16 * 16] = {0};
    assert_false(picture_write_png(path, width, height, pixels));
    if (strstr(sn_scene_error(), word) == NULL) {
        fail_msg("expected \"%s\" in \"%s\"", word, sn_scene_error());
    }
}

static void test_failures_name_the_file_and_the_reason(void **state)
{
    (void)state;
    expect_failure("/nonexistent/x.png", 16, 16, "No such file");
    expect_failure(folder, 16, 16, folder);
    expect_failure("x.png", 0, 16, "0 × 16");
    expect_failure("x.png", 16, -1, "expected 1…");
    expect_failure("x.png", 1 << 30, 16, "expected 1…");
    expect_failure(NULL, 16, 16, "null");
    assert_false(picture_write_png("x.png", 16, 16, NULL));
}

static void test_a_full_disk_is_noticed(void **state)
{
    (void)state;
    expect_failure("/dev/full", 16, 16, "No space left");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_png_holds_the_pixels),
        cmocka_unit_test(test_failures_name_the_file_and_the_reason),
        cmocka_unit_test(test_a_full_disk_is_noticed),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
