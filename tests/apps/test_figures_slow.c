// `sinew figures --quick`: all items of all papers run, and say what they found.
#include "apps/capture.h"
#include "apps/figures/items.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void check_item(const json_t *item, const char *page)
{
    const char *name = json_string_value(json_object_get(item, "item"));
    char anchor[128];
    if (!json_is_null(json_object_get(item, "error"))) {
        fail_msg("%s: %s", name, json_string_value(json_object_get(item, "error")));
    }
    snprintf(anchor, sizeof anchor, "<h3 id=\"%s\">", name);
    assert_says(page, anchor);
}

// Whatever a machine's speed, these are what the figures are about.
static void check_verdicts(const json_t *measures)
{
    static const char *const certain[] = {"errata", "gissler-1", "gissler-integrators", "francu-friction",
                                          "muller-17"};
    size_t index;
    json_t *measure;
    json_array_foreach(measures, index, measure)
    {
        const char *name = json_string_value(json_object_get(measure, "item"));
        const char *unit = json_string_value(json_object_get(measure, "unit"));
        bool judged = !json_is_null(json_object_get(measure, "pass")), is_certain = false;
        for (size_t i = 0; i < sizeof certain / sizeof certain[0]; ++i) {
            is_certain = is_certain || strstr(name, certain[i]) != NULL;
        }
        if (judged && is_certain && strcmp(unit, "ms") != 0 &&
            !json_is_true(json_object_get(measure, "pass"))) {
            fail_msg("%s: %s is %g", name, json_string_value(json_object_get(measure, "measure")),
                     json_number_value(json_object_get(measure, "ours")));
        }
    }
}

static void test_all_items_run_quickly(void **state)
{
    (void)state;
    char *folder = capture_folder();
    captured c = capture("figures --quick -o %s", folder);
    assert_int_equal(c.code, EXIT_FINE);
    captured_release(&c);
    char path[512];
    snprintf(path, sizeof path, "%s/figures.json", folder);
    json_t *object = json_load_file(path, 0, NULL);
    snprintf(path, sizeof path, "%s/index.html", folder);
    FILE *file = fopen(path, "rb");
    assert_true(object != NULL && file != NULL);
    char *page = capture_read(file);
    fclose(file);
    json_t *items = json_object_get(object, "items");
    assert_int_equal(json_array_size(items), figure_item_count());
    for (size_t i = 0; i < json_array_size(items); ++i) {
        check_item(json_array_get(items, i), page);
    }
    check_verdicts(json_object_get(object, "measures"));
    free(page);
    json_decref(object);
    capture_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_items_run_quickly)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
