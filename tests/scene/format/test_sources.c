// Which files a scene may read, and that reading one never waits.
#include "scene/scene_kit.h"

#include "scene/sources.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_files_of_any_size_are_read_whole(void **state)
{
    (void)state;
    scene_folder folder = folder_make();
    scene_path path = path_in(&folder, "file");
    const size_t sizes[] = {0, 1, 65534, 65535, 65536, 65537, 1000000};
    for (int i = 0; i < COUNT_OF(sizes); ++i) {
        char *bytes = malloc(sizes[i] + 1);
        for (size_t k = 0; k < sizes[i]; ++k) {
            bytes[k] = (char)(k * 7 + k / 251);
        }
        write_bytes(path.text, bytes, sizes[i]);
        size_t size = 1;
        char *read = NULL;
        assert_int_equal(sn_source_read(NULL, path.text, SN_MAX_TEXT_BYTES, &read, &size), SN_OK);
        assert_int_equal(size, sizes[i]);
        assert_memory_equal(read, bytes, size);
        assert_int_equal(read[size], 0);
        free(read);
        free(bytes);
    }
    folder_remove(folder.path);
}

static void check_refused(sn_sources *sources, const char *path, uint64_t limit, const char *message)
{
    char *bytes = (char *)path;
    size_t size = 1;
    assert_int_equal(sn_source_read(sources, path, limit, &bytes, &size), SN_ERROR_FILE);
    assert_null(bytes);
    assert_int_equal(size, 0);
    assert_non_null(strstr(sn_scene_error(), message));
}

static void test_a_file_larger_than_its_limit_is_refused(void **state)
{
    (void)state;
    scene_folder folder = folder_make();
    scene_path path = path_in(&folder, "file");
    write_bytes(path.text, "12345", 5);
    check_refused(NULL, path.text, 4, "larger than 4 bytes");
    char *bytes;
    size_t size;
    assert_int_equal(sn_source_read(NULL, path.text, 5, &bytes, &size), SN_OK);
    free(bytes);
    folder_remove(folder.path);
}

static void test_what_is_no_regular_file_is_refused_at_once(void **state)
{
    (void)state;
    scene_folder folder = folder_make();
    scene_path fifo = path_in(&folder, "fifo");
    assert_int_equal(mkfifo(fifo.text, 0600), 0);
    check_refused(NULL, fifo.text, 100, "is no regular file");
    check_refused(NULL, "/dev/zero", 100, "is no regular file");
    check_refused(NULL, folder.path, 100, "cannot be read");
    // A scene that the user names may come through a pipe; one that nobody writes to is empty.
    char *bytes;
    size_t size;
    assert_int_equal(sn_source_read_main(NULL, fifo.text, &bytes, &size), SN_OK);
    assert_int_equal(size, 0);
    free(bytes);
    folder_remove(folder.path);
}

static void test_files_outside_the_folder_are_refused(void **state)
{
    (void)state;
    scene_folder outer = folder_make(), inner = folder_make();
    scene_path secret = path_in(&outer, "secret"), scene = path_in(&inner, "scene.json");
    scene_path link = path_in(&inner, "link"), own = path_in(&inner, "own");
    write_bytes(secret.text, "password", 8);
    write_bytes(own.text, "fine", 4);
    assert_int_equal(symlink(secret.text, link.text), 0);
    char upwards[512];
    snprintf(upwards, sizeof upwards, "%s/../%s/secret", inner.path, strrchr(outer.path, '/') + 1);
    sn_sources sources = {0};
    assert_true(sn_sources_confine(&sources, scene.text));
    check_refused(&sources, secret.text, 100, "outside the scene's folder");
    check_refused(&sources, upwards, 100, "outside the scene's folder");
    check_refused(&sources, link.text, 100, "outside the scene's folder");
    char *bytes;
    size_t size;
    assert_int_equal(sn_source_read(&sources, own.text, 100, &bytes, &size), SN_OK);
    free(bytes);
    assert_true(sn_sources_have(&sources, own.text));
    assert_false(sn_sources_have(&sources, secret.text));
    assert_false(sn_sources_have(&sources, scene.text));
    sn_sources_release(&sources);
    folder_remove(outer.path);
    folder_remove(inner.path);
}

static void test_a_scene_cannot_include_what_lies_outside(void **state)
{
    (void)state;
    scene_folder outer = folder_make(), inner = folder_make();
    scene_path part = path_in(&outer, "part.json"), mesh = path_in(&outer, "mesh.obj");
    scene_path path = path_in(&inner, "scene.json");
    write_bytes(part.text, "SECRET", 6);
    write_bytes(mesh.text, "SECRET", 6);
    const char *const forms[] = {
        "{\"sinew\": 1, \"parts\": [{\"include\": \"%s\"}]}",
        "{\"sinew\": 1, \"bodies\": [{\"shape\": {\"type\": \"hull\", \"file\": \"%s\"}}]}",
        "{\"sinew\": 1, \"deformables\": [{\"mesh\": {\"type\": \"file\", \"file\": \"%s\"}}]}"};
    for (int i = 0; i < COUNT_OF(forms); ++i) {
        char text[512];
        snprintf(text, sizeof text, forms[i], i == 0 ? part.text : mesh.text);
        write_bytes(path.text, text, strlen(text));
        sn_scene *scene = NULL;
        assert_int_equal(sn_scene_load(path.text, NULL, &scene), SN_ERROR_FORMAT);
        assert_non_null(strstr(sn_scene_error(), "outside the scene's folder"));
        assert_null(strstr(sn_scene_error(), "SECRET"));
    }
    folder_remove(outer.path);
    folder_remove(inner.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_of_any_size_are_read_whole),
        cmocka_unit_test(test_a_file_larger_than_its_limit_is_refused),
        cmocka_unit_test(test_what_is_no_regular_file_is_refused_at_once),
        cmocka_unit_test(test_files_outside_the_folder_are_refused),
        cmocka_unit_test(test_a_scene_cannot_include_what_lies_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
