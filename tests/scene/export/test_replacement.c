// A file takes another's place only when it is whole.
#include "scene/scene_kit.h"

#include "scene/output.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void expect_text(const char *path, const char *expected)
{
    char text[64] = "";
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

static int files_in(const char *folder)
{
    DIR *directory = opendir(folder);
    int count = 0;
    while (readdir(directory) != NULL) {
        ++count;
    }
    closedir(directory);
    return count - 2; // without . and ..
}

static void test_what_was_there_stays_until_the_new_file_is_whole(void **state)
{
    (void)state;
    scene_folder folder = folder_make();
    scene_path path = path_in(&folder, "file");
    write_bytes(path.text, "old", 3);
    assert_int_equal(chmod(path.text, 0640), 0);
    sn_output output;
    assert_int_equal(sn_output_open(&output, path.text), SN_OK);
    sn_output_text(&output, "new");
    expect_text(path.text, "old");
    assert_int_equal(sn_output_close(&output), SN_OK);
    expect_text(path.text, "new");
    struct stat found;
    assert_int_equal(stat(path.text, &found), 0);
    assert_int_equal(found.st_mode & 0777, 0640);
    assert_int_equal(sn_output_open(&output, path.text), SN_OK);
    sn_output_text(&output, "never");
    sn_output_drop(&output);
    expect_text(path.text, "new");
    assert_int_equal(files_in(folder.path), 1);
    folder_remove(folder.path);
}

// A full disk, by the limit on the size of files.
static void test_a_full_disk_leaves_what_was_there(void **state)
{
    (void)state;
    scene_folder folder = folder_make();
    scene_path path = path_in(&folder, "file");
    write_bytes(path.text, "old", 3);
    struct rlimit before, small = {.rlim_cur = 10000, .rlim_max = RLIM_INFINITY};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    sn_output output;
    assert_int_equal(sn_output_open(&output, path.text), SN_OK);
    for (int i = 0; i < 20000; ++i) {
        sn_output_bytes(&output, "x", 1);
    }
    sn_status status = sn_output_close(&output);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, SN_ERROR_FILE);
    assert_non_null(strstr(sn_scene_error(), "cannot be written: File too large"));
    expect_text(path.text, "old");
    assert_int_equal(files_in(folder.path), 1);
    folder_remove(folder.path);
}

static void test_a_link_stays_and_its_target_is_replaced(void **state)
{
    (void)state;
    scene_folder folder = folder_make();
    scene_path path = path_in(&folder, "file"), link = path_in(&folder, "link");
    write_bytes(path.text, "old", 3);
    assert_int_equal(symlink("file", link.text), 0);
    sn_output output;
    assert_int_equal(sn_output_open(&output, link.text), SN_OK);
    sn_output_text(&output, "new");
    assert_int_equal(sn_output_close(&output), SN_OK);
    expect_text(path.text, "new");
    struct stat found;
    assert_int_equal(lstat(link.text, &found), 0);
    assert_true(S_ISLNK(found.st_mode));
    folder_remove(folder.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_was_there_stays_until_the_new_file_is_whole),
        cmocka_unit_test(test_a_full_disk_leaves_what_was_there),
        cmocka_unit_test(test_a_link_stays_and_its_target_is_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
