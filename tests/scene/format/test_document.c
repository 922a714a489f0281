// JSON files in memory.
#include "scene/scene_kit.h"

#include "scene/document.h"

static void test_a_document_keeps_its_text_and_its_values(void **state)
{
    (void)state;
    sn_document document;
    const char text[] = "{\"a\": [1, 2.5]}trailing";
    assert_int_equal(sn_document_parse(text, 15, "some/file.json", &document), SN_OK);
    assert_string_equal(document.path, "some/file.json");
    assert_string_equal(document.text, "{\"a\": [1, 2.5]}");
    assert_int_equal(document.size, 15);
    assert_int_equal(json_array_size(json_object_get(document.root, "a")), 2);
    sn_document_release(&document);
    assert_null(document.root);
    assert_null(document.text);
}

static void test_what_is_not_json_leaves_nothing_behind(void **state)
{
    (void)state;
    sn_document document;
    assert_int_equal(sn_document_parse("{", 1, "f", &document), SN_ERROR_FORMAT);
    assert_null(document.root);
    assert_null(document.path);
    assert_null(document.text);
    // Zeros and bytes of no meaning are shown as something harmless.
    assert_int_equal(sn_document_parse("[\n\x01]", 4, "f", &document), SN_ERROR_FORMAT);
    assert_begins(sn_scene_error(), "f:2:1: not JSON: invalid token");
    assert_null(strchr(sn_scene_error(), '\x01'));
    assert_int_equal(sn_document_parse("[1]\0[2]", 7, "f", &document), SN_ERROR_FORMAT);
}

static void test_files_are_looked_for_beside_the_one_that_names_them(void **state)
{
    (void)state;
    const char *const rows[][3] = {{"scene.json", "wheel.obj", "wheel.obj"},
                                   {"a/b/scene.json", "wheel.obj", "a/b/wheel.obj"},
                                   {"a/scene.json", "../wheel.obj", "a/../wheel.obj"},
                                   {"/a/scene.json", "c/wheel.obj", "/a/c/wheel.obj"},
                                   {"/scene.json", "wheel.obj", "/wheel.obj"},
                                   {"a/scene.json", "/wheel.obj", "/wheel.obj"},
                                   {"a/scene.json", "", "a/"}};
    for (int i = 0; i < COUNT_OF(rows); ++i) {
        char *path = sn_path_beside(rows[i][0], rows[i][1]);
        assert_string_equal(path, rows[i][2]);
        free(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_document_keeps_its_text_and_its_values),
        cmocka_unit_test(test_what_is_not_json_leaves_nothing_behind),
        cmocka_unit_test(test_files_are_looked_for_beside_the_one_that_names_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
