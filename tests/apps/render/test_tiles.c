// Runs of tiles cover the picture once, and hold every pixel that was marked.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "apps/render/tiles.h"
#include "support/random.h"

#include <stdlib.h>
#include <string.h>

enum { NOT_SEEN, MARKED, NOT_MARKED };

// Notes for every pixel of the picture in which run it is; each must be in one.
static int take_runs(const tile_mask *mask, uint8_t *seen)
{
    int count = 0;
    memset(seen, NOT_SEEN, (size_t)mask->width * (size_t)mask->height);
    for (tile_run run = {0}; tiles_next(mask, &run); ++count) {
        for (int y = run.pixels.bottom; y < run.pixels.bottom + run.pixels.height; ++y) {
            for (int x = run.pixels.left; x < run.pixels.left + run.pixels.width; ++x) {
                assert_true(x < mask->width && y < mask->height);
                assert_int_equal(seen[y * mask->width + x], NOT_SEEN);
                seen[y * mask->width + x] = run.marked ? MARKED : NOT_MARKED;
            }
        }
    }
    assert_null(memchr(seen, NOT_SEEN, (size_t)mask->width * (size_t)mask->height));
    return count;
}

static int below(test_random *random, int count)
{
    return (int)(test_random_u32(random) % (uint32_t)count);
}

static void test_runs_cover_every_pixel_once_and_what_was_marked(void **state)
{
    (void)state;
    test_random random = {3};
    for (int trial = 0; trial < 200; ++trial) {
        int width = 1 + below(&random, 400), height = 1 + below(&random, 400);
        tile_mask mask;
        assert_true(tiles_create(&mask, width, height));
        uint8_t *seen = malloc((size_t)width * (size_t)height);
        render_rectangle marked[3];
        for (int i = 0; i < 3; ++i) {
            marked[i] = (render_rectangle){below(&random, width), below(&random, height), 0, 0};
            marked[i].width = below(&random, width - marked[i].left + 1);
            marked[i].height = below(&random, height - marked[i].bottom + 1);
            tiles_mark(&mask, marked[i]);
        }
        take_runs(&mask, seen);
        for (int i = 0; i < 3; ++i) {
            for (int y = marked[i].bottom; y < marked[i].bottom + marked[i].height; ++y) {
                for (int x = marked[i].left; x < marked[i].left + marked[i].width; ++x) {
                    assert_int_equal(seen[y * width + x], MARKED);
                }
            }
        }
        tiles_clear(&mask);
        assert_int_equal(take_runs(&mask, seen), 1);
        assert_int_equal(seen[0], NOT_MARKED);
        free(seen);
        tiles_destroy(&mask);
    }
}

static void test_a_small_mark_leaves_most_of_the_picture(void **state)
{
    (void)state;
    tile_mask mask;
    assert_true(tiles_create(&mask, 1280, 720));
    uint8_t *seen = malloc(1280 * 720);
    tiles_mark(&mask, (render_rectangle){600, 300, 100, 100});
    assert_true(take_runs(&mask, seen) <= 5);
    int count = 0;
    for (int i = 0; i < 1280 * 720; ++i) {
        count += seen[i] == MARKED;
    }
    assert_true(count < 1280 * 720 / 15);
    free(seen);
    tiles_destroy(&mask);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs_cover_every_pixel_once_and_what_was_marked),
        cmocka_unit_test(test_a_small_mark_leaves_most_of_the_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
