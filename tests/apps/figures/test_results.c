// figures.json and index.html: what is in them, and what is made safe.
#include "apps/capture.h"
#include "apps/figures/results.h"
#include "figure_kit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void fill(figure_kit *kit)
{
    figure_note(&kit->job, (figure_value){2.0, "ms", "14", FIGURE_AT_MOST, 14.0}, "time of a step");
    figure_note(&kit->job, (figure_value){30.0, "ms", "14", FIGURE_AT_MOST, 14.0}, "worst step");
    figure_note(&kit->job, (figure_value){.ours = (double)INFINITY, .paper = "a <steep> \"decrease\""},
                "a & b");
}

static void test_summary_counts_what_passes_falls_short_and_is_told(void **state)
{
    (void)state;
    figure_kit kit;
    figure_kit_open(&kit, "/nowhere");
    fill(&kit);
    figure_results results = {&kit.result, 1, &kit.job};
    figure_summary summary = figure_summarise(&results);
    assert_int_equal(summary.passed, 1);
    assert_int_equal(summary.short_of, 1);
    assert_int_equal(summary.told, 1);
    assert_int_equal(summary.failed, 0);
    snprintf(kit.result.error, sizeof kit.result.error, "no such scene");
    assert_int_equal(figure_summarise(&results).failed, 1);
    figure_kit_close(&kit);
}

static void test_numbers_of_papers_are_numbers_and_words_are_words(void **state)
{
    (void)state;
    figure_kit kit;
    figure_kit_open(&kit, "/nowhere");
    fill(&kit);
    figure_results results = {&kit.result, 1, &kit.job};
    json_t *object = figure_json(&results), *measures = json_object_get(object, "measures");
    json_t *first = json_array_get(measures, 0), *second = json_array_get(measures, 1),
           *last = json_array_get(measures, 2);
    assert_true(json_number_value(json_object_get(first, "paper")) == 14.0);
    assert_true(json_is_true(json_object_get(first, "pass")) &&
                json_is_false(json_object_get(second, "pass")));
    assert_true(json_is_null(json_object_get(last, "pass")) && json_is_null(json_object_get(last, "ours")));
    assert_string_equal(json_string_value(json_object_get(last, "paper")), "a <steep> \"decrease\"");
    json_decref(object);
    figure_kit_close(&kit);
}

static void test_page_holds_its_pictures_and_escapes_words(void **state)
{
    (void)state;
    char *folder = capture_folder(), path[512];
    figure_kit kit;
    figure_kit_open(&kit, folder);
    fill(&kit);
    capture_file(folder, "a.png", "Man");
    capture_file(folder, "b.svg", "<?xml version=\"1.0\"?>\n<svg width=\"5\">\n</svg>\n");
    figure_image images[] = {{FIGURE_PICTURE, "a.png", "one < two"},
                             {FIGURE_PLOT, "b.svg", "plot"},
                             {FIGURE_FILM, "c.mp4", "film"},
                             {FIGURE_PICTURE, "gone.png", "a file that is gone"}};
    for (int i = 0; i < 4; ++i) {
        assert_true(SN_LIST_PUSH(&kit.result.images, images[i]));
    }
    assert_true(figure_page_write(&(figure_results){&kit.result, 1, &kit.job}));
    snprintf(path, sizeof path, "%s/index.html", folder);
    FILE *file = fopen(path, "rb");
    char *page = capture_read(file);
    fclose(file);
    assert_says(page, "data:image/png;base64,TWFu\"");
    assert_says(page, "one &lt; two");
    assert_says(page, "a &lt;steep&gt;");
    assert_says(page, "<svg width=\"5\">");
    assert_null(strstr(page, "<?xml"));
    assert_says(page, "src=\"c.mp4\"");
    assert_says(page, "falls short");
    assert_says(page, "not finite");
    free(page);
    figure_kit_close(&kit);
    capture_remove(folder);
}

static void test_folders_that_are_not_there_are_told(void **state)
{
    (void)state;
    figure_kit kit;
    figure_kit_open(&kit, "/nowhere/at/all");
    figure_results results = {&kit.result, 1, &kit.job};
    assert_false(figure_json_write(&results));
    assert_says(sn_scene_error(), "/nowhere/at/all");
    assert_false(figure_page_write(&results));
    figure_kit_close(&kit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_summary_counts_what_passes_falls_short_and_is_told),
        cmocka_unit_test(test_numbers_of_papers_are_numbers_and_words_are_words),
        cmocka_unit_test(test_page_holds_its_pictures_and_escapes_words),
        cmocka_unit_test(test_folders_that_are_not_there_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
