// Files being written: bytes in order, text escaped, failures told.
#include "scene/export_kit.h"
#include "scene/output.h"

#include <locale.h>

static void test_numbers_are_little_endian(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    char path[128];
    snprintf(path, sizeof path, "%s/bytes", folder.path);
    sn_output output;
    assert_int_equal(sn_output_open(&output, path), SN_OK);
    sn_output_u16(&output, 0x0102);
    sn_output_u32(&output, 0x03040506);
    sn_output_u64(&output, 0x0708090a0b0c0d0e);
    sn_output_f32(&output, 1.0f);
    sn_output_vec3(&output, sn_v(1.0f, -2.0f, 0.5f));
    assert_int_equal(sn_output_close(&output), SN_OK);
    export_file file = file_read(folder.path, "bytes");
    const unsigned char expected[] = {2, 1,   6,  5, 4, 3,   14, 13, 12, 11, 10,  9, 8, 7, 0,
                                      0, 128, 63, 0, 0, 128, 63, 0,  0,  0,  192, 0, 0, 0, 63};
    assert_int_equal(file.size, sizeof expected);
    assert_memory_equal(file.bytes, expected, sizeof expected);
    free(file.bytes);
    folder_remove(folder.path);
}

static void test_text_is_escaped_and_numbers_have_a_point_under_every_locale(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    char path[128];
    snprintf(path, sizeof path, "%s/text", folder.path);
    setlocale(LC_NUMERIC, "de_DE.UTF-8"); // where it is installed
    sn_output output;
    assert_int_equal(sn_output_open(&output, path), SN_OK);
    sn_output_xml(&output, "a<b>&\"c\"");
    sn_output_text(&output, " %d ", 42);
    sn_output_number(&output, -1.5, 9);
    sn_output_text(&output, " ");
    sn_output_number(&output, 1.0 / 3.0, 9);
    assert_int_equal(sn_output_close(&output), SN_OK);
    setlocale(LC_NUMERIC, "C");
    export_file file = file_read(folder.path, "text");
    assert_string_equal(file.bytes, "a&lt;b&gt;&amp;&quot;c&quot; 42 -1.5 0.333333333");
    free(file.bytes);
    folder_remove(folder.path);
}

static void test_failures_are_told_with_the_file(void **state)
{
    (void)state;
    sn_output output;
    assert_int_equal(sn_output_open(&output, "/nowhere/at/all"), SN_ERROR_FILE);
    assert_non_null(strstr(sn_scene_error(), "/nowhere/at/all: cannot be written: "));
    assert_int_equal(sn_output_open(&output, "/dev/full"), SN_OK);
    sn_output_text(&output, "a word in the buffer");
    assert_int_equal(sn_output_status(&output), SN_OK);
    assert_int_equal(sn_output_close(&output), SN_ERROR_FILE);
    assert_non_null(strstr(sn_scene_error(), "/dev/full: cannot be written: "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_are_little_endian),
        cmocka_unit_test(test_text_is_escaped_and_numbers_have_a_point_under_every_locale),
        cmocka_unit_test(test_failures_are_told_with_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
