// What all exports have in common: folders, names, failures, and bodies that come and go.
#include "scene/export_kit.h"

static const sn_vec3 gravity = {0.0f, -9.81f, 0.0f};
static const sn_export_format formats[] = {SN_EXPORT_VTK, SN_EXPORT_OBJ, SN_EXPORT_GLTF};
enum { FORMAT_COUNT = 3 };

static void test_folder_is_made_with_those_above_it(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    char deep[128], path[256], expected[256];
    snprintf(deep, sizeof deep, "%s/a/b/c", folder.path);
    const char *opens[] = {"run.pvd", "run_0000.obj", "run.glb"};
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        sn_export *writer = begin(&w, formats[i], deep);
        frame(writer);
        assert_int_equal(sn_export_end(writer, path, sizeof path), SN_OK);
        snprintf(expected, sizeof expected, "%s/%s", deep, opens[i]);
        assert_string_equal(path, expected);
        assert_true(file_exists(deep, opens[i]));
    }
    export_world_destroy(&w);
    folder_remove(folder.path);
}

static void test_path_is_cut_off_at_its_capacity(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    sn_export *writer = begin(&w, SN_EXPORT_OBJ, folder.path);
    frame(writer);
    char path[8] = "1234567";
    assert_int_equal(sn_export_end(writer, path, 5), SN_OK);
    assert_memory_equal(path,
                        "/tmp\0"
                        "67",
                        8);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

static void test_bad_arguments_are_refused(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    char overlong[300], file[128], below[160];
    memset(overlong, 'x', 201);
    overlong[201] = '\0';
    snprintf(file, sizeof file, "%s/file", folder.path);
    snprintf(below, sizeof below, "%s/deeper", file);
    fclose(fopen(file, "w"));
    const struct {
        const sn_scene *scene;
        int format;
        const char *directory, *name;
        sn_status status;
    } cases[] = {
        {NULL, 0, folder.path, "run", SN_ERROR_NULL},
        {w.scene, 0, NULL, "run", SN_ERROR_NULL},
        {w.scene, 0, folder.path, NULL, SN_ERROR_NULL},
        {w.scene, 3, folder.path, "run", SN_ERROR_RANGE},
        {w.scene, -1, folder.path, "run", SN_ERROR_RANGE},
        {w.scene, 0, folder.path, "", SN_ERROR_NAME},
        {w.scene, 0, folder.path, "..", SN_ERROR_NAME},
        {w.scene, 0, folder.path, "a/b", SN_ERROR_NAME},
        {w.scene, 0, folder.path, "/etc/passwd", SN_ERROR_NAME},
        {w.scene, 0, folder.path, "a\\b", SN_ERROR_NAME},
        {w.scene, 0, folder.path, "a\nb", SN_ERROR_NAME},
        {w.scene, 0, folder.path, overlong, SN_ERROR_NAME},
        {w.scene, 0, "", "run", SN_ERROR_FILE},
        {w.scene, 0, file, "run", SN_ERROR_FILE},
        {w.scene, 0, below, "run", SN_ERROR_FILE},
        {w.scene, 0, "/proc/sinew/out", "run", SN_ERROR_FILE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        sn_export *writer = (sn_export *)&w;
        assert_int_equal(sn_export_begin(cases[i].scene, (sn_export_format)cases[i].format,
                                         cases[i].directory, cases[i].name, &writer),
                         cases[i].status);
        assert_null(writer);
        assert_true(strlen(sn_scene_error()) > 0);
    }
    assert_int_equal(sn_export_begin(w.scene, SN_EXPORT_VTK, folder.path, "run", NULL), SN_ERROR_NULL);
    assert_int_equal(sn_export_frame(NULL), SN_ERROR_NULL);
    assert_int_equal(sn_export_end(NULL, NULL, 0), SN_OK);
    export_world_destroy(&w);
    folder_remove(folder.path);
}

static void test_message_names_the_file_that_is_no_folder(void **state)
{
    (void)state;
    export_world w = export_world_make(gravity);
    sn_export *writer;
    assert_int_equal(sn_export_begin(w.scene, SN_EXPORT_OBJ, "/dev/null", "run", &writer), SN_ERROR_FILE);
    assert_non_null(strstr(sn_scene_error(), "/dev/null"));
    assert_non_null(strstr(sn_scene_error(), "expected a folder"));
    export_world_destroy(&w);
}

// A disk without room is a link to /dev/full.
static void test_full_disk_is_told_and_ends_the_export(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    const char *second[] = {"run_0001.vtp", "run_0001.obj"};
    for (int i = 0; i < 2; ++i) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", folder.path, second[i]);
        assert_int_equal(symlink("/dev/full", path), 0);
        sn_export *writer = begin(&w, formats[i], folder.path);
        frame(writer);
        assert_int_equal(sn_export_frame(writer), SN_ERROR_FILE);
        assert_non_null(strstr(sn_scene_error(), path));
        assert_non_null(strstr(sn_scene_error(), "frame 1"));
        assert_int_equal(sn_export_frame(writer), SN_ERROR_FILE);
        assert_int_equal(sn_export_end(writer, NULL, 0), SN_ERROR_FILE);
        assert_non_null(strstr(sn_scene_error(), path));
    }
    export_world_destroy(&w);
    folder_remove(folder.path);
}

static void test_full_disk_at_the_end_is_told(void **state)
{
    (void)state;
    export_world w = export_world_make(gravity);
    const char *last[] = {"run.pvd", "run.mtl", "run.glb"};
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        export_folder folder = folder_make();
        char path[128], opened[128];
        snprintf(path, sizeof path, "%s/%s", folder.path, last[i]);
        assert_int_equal(symlink("/dev/full", path), 0);
        sn_export *writer = begin(&w, formats[i], folder.path);
        frame(writer);
        assert_int_equal(sn_export_end(writer, opened, sizeof opened), SN_ERROR_FILE);
        assert_string_equal(opened, "");
        assert_non_null(strstr(sn_scene_error(), path));
        folder_remove(folder.path);
    }
    export_world_destroy(&w);
}

static void test_folder_that_vanishes_is_told(void **state)
{
    (void)state;
    export_world w = export_world_make(gravity);
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        export_folder folder = folder_make();
        sn_export *writer = begin(&w, formats[i], folder.path);
        folder_remove(folder.path);
        sn_status frame_status = sn_export_frame(writer);
        assert_int_equal(frame_status, formats[i] == SN_EXPORT_GLTF ? SN_OK : SN_ERROR_FILE);
        assert_int_equal(sn_export_end(writer, NULL, 0), SN_ERROR_FILE);
    }
    export_world_destroy(&w);
}

static void test_export_without_a_frame_is_refused_and_leaves_no_file(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        sn_export *writer = begin(&w, formats[i], folder.path);
        assert_int_equal(sn_export_end(writer, NULL, 0), SN_ERROR_RANGE);
    }
    assert_int_equal(rmdir(folder.path), 0);
    export_world_destroy(&w);
}

static void test_empty_world_can_be_exported(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    sn_world_def def = sn_world_def_default();
    export_world w = {0};
    assert_int_equal(sn_world_create(&def, &w.world), SN_OK);
    assert_int_equal(sn_scene_wrap(w.world, &w.scene), SN_OK);
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        sn_export *writer = begin(&w, formats[i], folder.path);
        frame(writer);
        step(&w, 1);
        frame(writer);
        end(writer);
    }
    export_world_destroy(&w);
    folder_remove(folder.path);
}

static void test_bodies_may_come_go_and_change_during_an_export(void **state)
{
    (void)state;
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        export_folder folder = folder_make();
        export_world w = export_world_make(gravity);
        sn_export *writer = begin(&w, formats[i], folder.path);
        sn_shape shape;
        sn_rigid_shapes(w.world, w.ball, &shape, 1);
        for (int k = 0; k < 12; ++k) {
            frame(writer);
            assert_int_equal(sn_shape_sphere_set(w.world, shape,
                                                 (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.25f + 0.01f * (float)k}),
                             SN_OK);
            if (k == 3) {
                assert_int_equal(sn_rigid_remove(w.world, w.boxes[1]), SN_OK);
            }
            if (k == 6) {
                ball_add(w.world, "late", sn_v(5.0f, 5.0f, 5.0f));
            }
            step(&w, 1);
        }
        end(writer);
        export_world_destroy(&w);
        folder_remove(folder.path);
    }
}

// A hull that is gone may leave its address to the next one; the export must not take one for the other.
static void test_geometry_of_a_body_that_went_is_not_taken_for_that_of_a_new_one(void **state)
{
    (void)state;
    export_folder folder = folder_make();
    export_world w = export_world_make(gravity);
    sn_export *writer = begin(&w, SN_EXPORT_OBJ, folder.path);
    for (int k = 0; k < 6; ++k) {
        sn_hull *hull;
        assert_int_equal(sn_hull_cylinder(1.0f, 0.5f, 0.5f, k % 2 == 0 ? 8 : 12, &hull), SN_OK);
        sn_rigid rigid = body_add(w.world, "hull", sn_v(9.0f, 9.0f, 9.0f));
        assert_int_equal(sn_hull_add(w.world, rigid, NULL, hull, NULL), SN_OK);
        sn_hull_destroy(hull);
        frame(writer);
        assert_int_equal(sn_rigid_remove(w.world, rigid), SN_OK);
    }
    end(writer);
    for (int k = 0; k < 6; ++k) {
        char name[32];
        snprintf(name, sizeof name, "run_%04d.obj", k);
        export_file file = file_read(folder.path, name);
        const char *hull = strstr(file.bytes, "\no hull\n");
        assert_non_null(hull);
        int sides = k % 2 == 0 ? 8 : 12;
        assert_int_equal(count_of(hull, "\nf "), 4 * sides - 4);
        free(file.bytes);
    }
    export_world_destroy(&w);
    folder_remove(folder.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_folder_is_made_with_those_above_it),
        cmocka_unit_test(test_path_is_cut_off_at_its_capacity),
        cmocka_unit_test(test_bad_arguments_are_refused),
        cmocka_unit_test(test_message_names_the_file_that_is_no_folder),
        cmocka_unit_test(test_full_disk_is_told_and_ends_the_export),
        cmocka_unit_test(test_full_disk_at_the_end_is_told),
        cmocka_unit_test(test_folder_that_vanishes_is_told),
        cmocka_unit_test(test_export_without_a_frame_is_refused_and_leaves_no_file),
        cmocka_unit_test(test_empty_world_can_be_exported),
        cmocka_unit_test(test_bodies_may_come_go_and_change_during_an_export),
        cmocka_unit_test(test_geometry_of_a_body_that_went_is_not_taken_for_that_of_a_new_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
