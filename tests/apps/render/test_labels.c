// Text in pictures: labels where their places are, and the legend of heat.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "apps/render_kit.h"

static void add_label(render_kit *kit, const char *text, sn_vec3 position, sn_color color)
{
    sn_label_record label = {.text = malloc(strlen(text) + 1),
                             .rigid = sn_world_ground(kit->world),
                             .position = position,
                             .color = color};
    memcpy(label.text, text, strlen(text) + 1);
    assert_true(SN_LIST_PUSH(&kit->scene->labels, label));
}

// The part of the picture that differs from `other`.
typedef struct area {
    int left, right, top, bottom, count;
} area;

static area find_difference(const render_kit *kit, const uint8_t *other)
{
    area found = {kit->options.width, -1, kit->options.height, -1, 0};
    for (int y = 0; y < kit->options.height; ++y) {
        for (int x = 0; x < kit->options.width; ++x) {
            size_t at = 3 * (size_t)(y * kit->options.width + x);
            if (memcmp(kit->pixels + at, other + at, 3) != 0) {
                found.left = x < found.left ? x : found.left;
                found.right = x > found.right ? x : found.right;
                found.top = y < found.top ? y : found.top;
                found.bottom = y > found.bottom ? y : found.bottom;
                ++found.count;
            }
        }
    }
    return found;
}

static render_options label_options(bool labels)
{
    render_options options = kit_options();
    options.width = 320;
    options.height = 180;
    options.labels = labels;
    return options;
}

static area draw_label(const char *text, sn_vec3 position)
{
    render_options options = label_options(true);
    render_kit kit = kit_open(&options);
    kit_draw(&kit);
    uint8_t *plain = kit_copy(&kit);
    add_label(&kit, text, position, 0x101010);
    kit_draw(&kit);
    area found = find_difference(&kit, plain);
    free(plain);
    kit_close(&kit);
    return found;
}

static void test_a_label_stands_above_its_place(void **state)
{
    (void)state;
    area found = draw_label("box", sn_v(0, 0, 0));
    assert_true(found.count > 150);
    assert_true(abs((found.left + found.right) / 2 - 160) <= 3);
    assert_in_range(found.bottom, 88, 94);
    assert_true(found.top < 75);
}

static void test_longer_text_is_wider_and_letters_count_not_bytes(void **state)
{
    (void)state;
    area two = draw_label("mm", sn_v(0, 0, 0)), six = draw_label("mmmmmm", sn_v(0, 0, 0));
    assert_true(six.right - six.left > 2 * (two.right - two.left));
    area latin = draw_label("oooo", sn_v(0, 0, 0)), greek = draw_label("σσσσ", sn_v(0, 0, 0));
    assert_true(abs((latin.right - latin.left) - (greek.right - greek.left)) < 6);
}

static void test_labels_out_of_view_or_empty_are_not_drawn(void **state)
{
    (void)state;
    assert_int_equal(draw_label("behind", sn_v(0, 0, 50)).count, 0);
    assert_int_equal(draw_label("beside", sn_v(100, 0, 0)).count, 0);
    assert_int_equal(draw_label("", sn_v(0, 0, 0)).count, 0);
}

static void test_bytes_that_are_no_text_do_no_harm(void **state)
{
    (void)state;
    assert_true(draw_label("\xff\xfe\xc3", sn_v(0, 0, 0)).count > 0);
    assert_true(draw_label("\xf0\x9f\x98\x80 \xe6\x97\xa5", sn_v(0, 0, 0)).count > 0);
    char long_text[5000];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    assert_true(draw_label(long_text, sn_v(0, 0, 0)).count > 0);
}

static void test_labels_can_be_switched_off(void **state)
{
    (void)state;
    render_options options = label_options(false);
    render_kit kit = kit_open(&options);
    kit_draw(&kit);
    uint8_t *plain = kit_copy(&kit);
    add_label(&kit, "box", sn_v(0, 0, 0), 0x101010);
    kit_draw(&kit);
    assert_memory_equal(kit.pixels, plain, kit_size(&kit));
    free(plain);
    kit_close(&kit);
}

static void test_light_text_gets_a_dark_panel(void **state)
{
    (void)state;
    render_options options = label_options(true);
    render_kit kit = kit_open(&options);
    add_label(&kit, "          ", sn_v(0, 0, 0), 0xffffff);
    kit_draw(&kit);
    // In the panel, above the place.
    assert_true(kit_brightness(kit_at(&kit, 160, 74)) < 90);
    kit_close(&kit);
}

static void test_heat_has_a_legend_from_blue_to_red(void **state)
{
    (void)state;
    render_options options = label_options(true);
    render_kit kit = kit_open(&options);
    kit_draw(&kit);
    uint8_t *plain = kit_copy(&kit);
    kit_close(&kit);
    options.heat = RENDER_SPEED;
    kit = kit_open(&options);
    kit_draw(&kit);
    area legend = find_difference(&kit, plain);
    assert_true(legend.count > 800);
    assert_true(legend.right < 100 && legend.top > 140);
    bool blue = false, red = false;
    for (int y = legend.top; y <= legend.bottom; ++y) {
        blue = blue || kit_is_blue(kit_at(&kit, legend.left + 5, y));
        red = red || kit_is_red(kit_at(&kit, legend.right - 5, y));
    }
    assert_true(blue && red);
    free(plain);
    kit_close(&kit);
}

static void test_forces_have_a_legend_on_the_right(void **state)
{
    (void)state;
    render_options options = label_options(true);
    render_kit kit = kit_open(&options);
    kit_draw(&kit);
    uint8_t *plain = kit_copy(&kit);
    kit_close(&kit);
    options.forces = true;
    kit = kit_open(&options);
    kit_draw(&kit);
    area legend = find_difference(&kit, plain);
    assert_true(legend.count > 800);
    assert_true(legend.left > options.width / 2 && legend.top > options.height / 2);
    free(plain);
    kit_close(&kit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_label_stands_above_its_place),
        cmocka_unit_test(test_longer_text_is_wider_and_letters_count_not_bytes),
        cmocka_unit_test(test_labels_out_of_view_or_empty_are_not_drawn),
        cmocka_unit_test(test_bytes_that_are_no_text_do_no_harm),
        cmocka_unit_test(test_labels_can_be_switched_off),
        cmocka_unit_test(test_light_text_gets_a_dark_panel),
        cmocka_unit_test(test_heat_has_a_legend_from_blue_to_red),
        cmocka_unit_test(test_forces_have_a_legend_on_the_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
