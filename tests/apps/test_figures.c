// `sinew figures`: the command line, what is written, and machines that lack something.
#include "apps/capture.h"
#include "apps/figures/items.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static json_t *read_json(const char *folder, const char *below)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s/figures.json", folder, below);
    json_t *object = json_load_file(path, 0, NULL);
    assert_non_null(object);
    return object;
}

static char *read_page(const char *folder, const char *below)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s/index.html", folder, below);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = capture_read(file);
    fclose(file);
    return text;
}

// --- the list ----------------------------------------------------------------------------------------------

static void test_every_item_has_a_name_of_its_own_and_words(void **state)
{
    (void)state;
    int count = figure_item_count();
    assert_true(count > 30);
    for (int i = 0; i < count; ++i) {
        const figure_item *item = figure_item_at(i);
        assert_non_null(item->run);
        assert_true(strlen(item->title) > 5 && strlen(item->text) > 40);
        for (int k = 0; k < i; ++k) {
            assert_string_not_equal(item->name, figure_item_at(k)->name);
        }
    }
    assert_null(figure_item_at(count));
}

static void test_list_names_every_item(void **state)
{
    (void)state;
    captured c = capture("figures --list", "");
    assert_int_equal(c.code, EXIT_FINE);
    for (int i = 0; i < figure_item_count(); ++i) {
        assert_says(c.out, figure_item_at(i)->name);
    }
    captured_release(&c);
}

// --- what is written ---------------------------------------------------------------------------------------

static void test_measures_have_all_fields_and_verdicts_that_follow_from_them(void **state)
{
    (void)state;
    char *folder = capture_folder();
    captured c = capture("figures --quick --only vezzaro-errata-bias -o %s/out", folder);
    assert_int_equal(c.code, EXIT_FINE);
    assert_says(c.out, "vezzaro-errata-bias");
    assert_says(c.out, "/out/index.html");
    captured_release(&c);
    json_t *object = read_json(folder, "out"), *measures = json_object_get(object, "measures"), *measure;
    size_t index;
    assert_int_equal(json_array_size(measures), 6);
    json_array_foreach(measures, index, measure)
    {
        assert_string_equal(json_string_value(json_object_get(measure, "item")), "vezzaro-errata-bias");
        assert_true(json_is_string(json_object_get(measure, "measure")));
        assert_true(json_is_number(json_object_get(measure, "paper")));
        assert_string_equal(json_string_value(json_object_get(measure, "unit")), "m");
        double ours = json_number_value(json_object_get(measure, "ours"));
        json_t *limit = json_object_get(measure, "limit"), *pass = json_object_get(measure, "pass");
        if (index % 2 == 0) { // as printed: shown, not judged
            assert_true(json_is_null(limit) && json_is_null(pass) && ours > 0.1);
        } else {
            assert_int_equal(json_is_true(pass), ours <= json_number_value(limit));
        }
    }
    json_decref(object);
    char *page = read_page(folder, "out");
    assert_says(page, "Erratum: signs and scales of the bias");
    assert_null(strstr(page, "falls short</td>"));
    assert_says(page, "</html>");
    assert_null(strstr(page, "<img alt=\"\" src=\"http")); // it needs nothing from elsewhere
    free(page);
    capture_remove(folder);
}

static void test_only_takes_beginnings_and_several_names(void **state)
{
    (void)state;
    char *folder = capture_folder();
    captured c = capture(
        "figures --quick --only francu-errata muller-errata-bounds --only muller-errata-plane -o %s", folder);
    assert_int_equal(c.code, EXIT_FINE);
    captured_release(&c);
    json_t *object = read_json(folder, ".");
    json_t *items = json_object_get(object, "items");
    assert_int_equal(json_array_size(items), 4);
    assert_string_equal(json_string_value(json_object_get(json_array_get(items, 0), "item")),
                        "francu-errata-cone");
    json_decref(object);
    capture_remove(folder);
}

static void test_a_full_name_is_that_item_alone(void **state)
{
    (void)state;
    char *folder = capture_folder();
    captured c = capture("figures --quick --only muller-1 -o %s", folder);
    assert_int_equal(c.code, EXIT_FINE);
    captured_release(&c);
    json_t *object = read_json(folder, ".");
    assert_int_equal(json_array_size(json_object_get(object, "items")), 1);
    json_decref(object);
    capture_remove(folder);
}

static void test_hashes_are_the_same_every_time(void **state)
{
    (void)state;
    char *folder = capture_folder();
    char *hashes[2];
    for (int i = 0; i < 2; ++i) {
        captured c = capture("figures --quick --only vezzaro-errata-dummy francu-residuals -o %s/a", folder);
        assert_int_equal(c.code, EXIT_FINE);
        captured_release(&c);
        json_t *object = read_json(folder, "a"), *items = json_object_get(object, "items");
        json_t *both = json_pack("[O, O]", json_object_get(json_array_get(items, 0), "hashes"),
                                 json_object_get(json_array_get(items, 1), "hashes"));
        assert_int_equal(json_object_size(json_array_get(both, 0)), 2);
        hashes[i] = json_dumps(both, JSON_SORT_KEYS);
        json_decref(both);
        json_decref(object);
    }
    assert_string_equal(hashes[0], hashes[1]);
    free(hashes[0]);
    free(hashes[1]);
    capture_remove(folder);
}

// --- what is wrong -----------------------------------------------------------------------------------------

static void test_bad_lines_are_told(void **state)
{
    (void)state;
    char *folder = capture_folder();
    capture_file(folder, "file", "");
    const bad_line lines[] = {
        {"figures --only nonsense -o %s/x", EXIT_USAGE, "nonsense|is no item|--list"},
        {"figures --only vezaro-4 -o %s/x", EXIT_USAGE, "vezaro-4|did you mean 'vezzaro-4'"},
        {"figures --only vezzaro-4 nothing -o %s/x", EXIT_USAGE, "nothing"},
        {"figures --quick=yes -o %s/x", EXIT_USAGE, "quick"},
        {"figures --only vezzaro-errata-bias -o %s/file", EXIT_FAILED, "file|cannot be written into"},
        {"figures --only vezzaro-errata-bias -o %s/no/such", EXIT_FAILED, "such|No such file"},
        {"figures --only vezzaro-errata-bias -o /proc", EXIT_FAILED, "/proc"}};
    assert_bad_lines(lines, folder);
    assert_false(capture_exists(folder, "x")); // nothing is begun
    capture_remove(folder);
}

static void test_names_of_folders_that_are_too_long_are_told(void **state)
{
    (void)state;
    char line[1200];
    int length = snprintf(line, sizeof line, "figures --only vezzaro-errata-bias -o /tmp/");
    memset(line + length, 'x', 1000);
    line[length + 1000] = '\0';
    captured c = capture(line, "");
    assert_int_equal(c.code, EXIT_FAILED);
    assert_says(c.err, "too long");
    captured_release(&c);
}

static void test_without_gnuplot_and_ffmpeg_the_rest_is_made(void **state)
{
    (void)state;
    char *folder = capture_folder(), *path = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    captured c = capture("figures --only vezzaro-errata-bias muller-17 -o %s/out", folder);
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(c.code, EXIT_FINE);
    assert_says(c.err, "there are no plots: gnuplot is not installed");
    if (strstr(c.err, "there are no pictures") == NULL) {
        assert_says(c.err, "there are no films");
        assert_says(c.err, "ffmpeg");
        assert_true(capture_exists(folder, "out/muller-17-breaks.png"));
    }
    captured_release(&c);
    assert_false(capture_exists(folder, "out/vezzaro-errata-bias.svg"));
    assert_false(capture_exists(folder, "out/muller-17-breaks.mp4"));
    char *page = read_page(folder, "out");
    assert_says(page, "There are no plots");
    free(page);
    capture_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_item_has_a_name_of_its_own_and_words),
        cmocka_unit_test(test_list_names_every_item),
        cmocka_unit_test(test_measures_have_all_fields_and_verdicts_that_follow_from_them),
        cmocka_unit_test(test_only_takes_beginnings_and_several_names),
        cmocka_unit_test(test_a_full_name_is_that_item_alone),
        cmocka_unit_test(test_hashes_are_the_same_every_time),
        cmocka_unit_test(test_bad_lines_are_told),
        cmocka_unit_test(test_names_of_folders_that_are_too_long_are_told),
        cmocka_unit_test(test_without_gnuplot_and_ffmpeg_the_rest_is_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
