// Rows of numbers as they stand in the file.
#include "scene/mesh_kit.h"

#include "scene/mesh_write.h"

static void test_rows_are_written_with_all_their_digits(void **state)
{
    (void)state;
    mesh_folder folder = mesh_folder_make();
    mesh_path path = mesh_path_in(&folder, "rows");
    sn_output output;
    assert_int_equal(sn_output_open(&output, path.text), SN_OK);
    sn_mesh_write_position(&output, sn_v(0.1f, -1e-38f, 1e6f));
    sn_mesh_write_indices(&output, (uint32_t[]){0, 7, 4294967294u}, 3, 1);
    sn_mesh_write_indices(&output, NULL, 0, 1);
    assert_int_equal(sn_output_close(&output), SN_OK);
    char *text;
    size_t size;
    assert_int_equal(sn_source_read(NULL, path.text, SN_MAX_TEXT_BYTES, &text, &size), SN_OK);
    static const char expected[] = "0.100000001 -9.99999935e-39 1000000\n 1 8 4294967295\n\n";
    assert_int_equal(size, sizeof expected - 1);
    assert_memory_equal(text, expected, size);
    free(text);
    mesh_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_written_with_all_their_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
