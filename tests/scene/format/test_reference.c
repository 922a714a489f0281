// The reference page: every section, every key, and nothing that a Markdown table could not hold.
#include "scene/scene_kit.h"

#include <jansson.h>

static void test_every_section_has_a_heading(void **state)
{
    (void)state;
    char *page = sn_scene_reference();
    assert_begins(page, "# Scene files: every field\n\n");
    const char *const sections[] = {"world",   "categories", "materials", "shapes", "bodies", "joints",
                                    "cameras", "labels",     "probes",    "parts",  "repeat"};
    for (int i = 0; i < COUNT_OF(sections); ++i) {
        char heading[32];
        snprintf(heading, sizeof heading, "\n## `%s`\n", sections[i]);
        assert_contains(page, heading);
    }
    free(page);
}

// Keys of inner objects are written behind their own, as `motor.speed`.
static void check_keys(const char *page, const json_t *value)
{
    const char *key;
    json_t *member;
    size_t i;
    json_object_foreach(json_object_get(value, "properties"), key, member)
    {
        char plain[64], inner[64];
        snprintf(plain, sizeof plain, "| `%s` |", key);
        snprintf(inner, sizeof inner, ".%s` |", key);
        bool is_told = strstr(page, plain) != NULL || strstr(page, inner) != NULL;
        char heading[64];
        snprintf(heading, sizeof heading, "## `%s`\n", key);
        // "type" and "comment" are told in words, rotations at the beginning.
        if (!is_told && strstr(page, heading) == NULL && strcmp(key, "type") != 0 &&
            strcmp(key, "comment") != 0 && strcmp(key, "axis") != 0 && strcmp(key, "angle") != 0) {
            fail_msg("the page does not tell of %s", key);
        }
    }
    json_object_foreach((json_t *)value, key, member)
    {
        check_keys(page, member);
    }
    json_array_foreach(value, i, member)
    {
        check_keys(page, member);
    }
}

static void test_every_key_of_the_schema_is_told(void **state)
{
    (void)state;
    char *page = sn_scene_reference(), *text = sn_scene_schema();
    json_error_t error;
    json_t *schema = json_loads(text, 0, &error);
    assert_non_null(schema);
    check_keys(page, schema);
    json_decref(schema);
    free(text);
    free(page);
}

static void test_rows_of_tables_have_five_cells(void **state)
{
    (void)state;
    char *page = sn_scene_reference();
    int rows = 0;
    for (char *line = strtok(page, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        int bars = 0;
        for (const char *c = line; line[0] == '|' && *c != '\0'; ++c) {
            bars += *c == '|';
        }
        assert_true(line[0] != '|' || bars == 6);
        rows += line[0] == '|';
    }
    assert_true(rows > 150);
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_section_has_a_heading),
        cmocka_unit_test(test_every_key_of_the_schema_is_told),
        cmocka_unit_test(test_rows_of_tables_have_five_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
