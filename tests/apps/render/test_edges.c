// Steps of edges become what the edge covers of each pixel; what has no edges stays as it is.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "apps/render/edges.h"
#include "support/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 97, HEIGHT = 61 };

static void set(uint8_t *pixels, int x, int y, uint8_t value)
{
    memset(pixels + 4 * (y * WIDTH + x), value, 4);
}

// How much of a pixel lies below the line y = offset + slope x, which is not steep.
static double covered(int x, int y, double offset, double slope)
{
    enum { PARTS = 16 };
    double sum = 0.0;
    for (int i = 0; i < PARTS; ++i) {
        double height = offset + slope * (x + (i + 0.5) / PARTS) - y;
        sum += fmin(fmax(height, 0.0), 1.0) / PARTS;
    }
    return sum;
}

static double mean_error(const uint8_t *pixels, double offset, double slope)
{
    double sum = 0.0;
    int count = 0;
    for (int y = 1; y < HEIGHT - 1; ++y) {
        for (int x = 10; x < WIDTH - 10; ++x) {
            double part = covered(x, y, offset, slope);
            if (part > 0.0 && part < 1.0) {
                sum += fabs(pixels[4 * (y * WIDTH + x)] / 255.0 - part);
                ++count;
            }
        }
    }
    return sum / count;
}

static void test_steps_become_what_the_edge_covers(void **state)
{
    (void)state;
    edge_smoother smoother;
    assert_true(edges_create(&smoother, WIDTH, HEIGHT));
    uint8_t pixels[4 * WIDTH * HEIGHT];
    const double slopes[] = {0.12, 0.2, 0.35, -0.25};
    for (size_t i = 0; i < sizeof slopes / sizeof slopes[0]; ++i) {
        double offset = slopes[i] > 0.0 ? 8.3 : 48.7;
        for (int y = 0; y < HEIGHT; ++y) {
            for (int x = 0; x < WIDTH; ++x) {
                set(pixels, x, y, y + 0.5 < offset + slopes[i] * (x + 0.5) ? 255 : 0);
            }
        }
        double stepped = mean_error(pixels, offset, slopes[i]);
        edges_smooth(&smoother, pixels);
        assert_true(mean_error(pixels, offset, slopes[i]) < 0.4 * stepped);
    }
    edges_destroy(&smoother);
}

static void test_soft_changes_and_the_outermost_pixels_stay(void **state)
{
    (void)state;
    edge_smoother smoother;
    assert_true(edges_create(&smoother, WIDTH, HEIGHT));
    uint8_t pixels[4 * WIDTH * HEIGHT], before[4 * WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT; ++i) {
        set(pixels, i % WIDTH, i / WIDTH, (uint8_t)(i % WIDTH + i / WIDTH));
    }
    memcpy(before, pixels, sizeof pixels);
    edges_smooth(&smoother, pixels);
    assert_memory_equal(pixels, before, sizeof pixels);

    test_random random = {5};
    for (int i = 0; i < WIDTH * HEIGHT; ++i) {
        set(pixels, i % WIDTH, i / WIDTH, (uint8_t)(test_random_u32(&random) >> 24));
    }
    memcpy(before, pixels, sizeof pixels);
    edges_smooth(&smoother, pixels);
    for (int x = 0; x < WIDTH; ++x) {
        assert_memory_equal(pixels + 4 * x, before + 4 * x, 4);
        assert_memory_equal(pixels + 4 * ((HEIGHT - 1) * WIDTH + x), before + 4 * ((HEIGHT - 1) * WIDTH + x),
                            4);
    }
    assert_memory_not_equal(pixels, before, sizeof pixels);
    edges_destroy(&smoother);
}

// The fourth byte says where edges are: what is drawn over them is not smeared.
static void test_edges_are_found_by_brightness_alone(void **state)
{
    (void)state;
    edge_smoother smoother;
    assert_true(edges_create(&smoother, WIDTH, HEIGHT));
    uint8_t pixels[4 * WIDTH * HEIGHT], before[4 * WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT; ++i) {
        set(pixels, i % WIDTH, i / WIDTH, (i / 7) % 2 != 0 ? 240 : 10);
        pixels[4 * i + 3] = 100;
    }
    memcpy(before, pixels, sizeof pixels);
    edges_smooth(&smoother, pixels);
    assert_memory_equal(pixels, before, sizeof pixels);
    edges_destroy(&smoother);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_become_what_the_edge_covers),
        cmocka_unit_test(test_soft_changes_and_the_outermost_pixels_stay),
        cmocka_unit_test(test_edges_are_found_by_brightness_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
