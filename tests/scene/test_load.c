// Saved and loaded again: as a scene file, which saves to the same bytes, and as a state, which goes on bit
// for bit.
#include "scene/rich_scene.h"

#include "support/random.h"

// --- scene files -------------------------------------------------------------------------------------------

static void test_a_rich_scene_is_saved_and_loaded(void **state)
{
    (void)state;
    sn_scene *scene = rich_scene();
    sn_scene *loaded = save_and_load(scene);
    const sn_world *world = sn_scene_world(scene), *other = sn_scene_world(loaded);
    assert_string_equal(sn_scene_title(loaded), "Rich");
    assert_string_equal(sn_scene_description(loaded), "Some of everything");
    assert_true(sn_scene_step_length(loaded) == 0.015625f && sn_scene_duration(loaded) == 3.0f);
    assert_int_equal(sn_world_rigids(other, NULL, 0), sn_world_rigids(world, NULL, 0));
    assert_int_equal(sn_world_constraints(other, NULL, 0), sn_world_constraints(world, NULL, 0));
    assert_int_equal(sn_world_statistics(other).shape_count, sn_world_statistics(world).shape_count);
    sn_scene_destroy(loaded);
    sn_scene_destroy(scene);
}

static void test_a_scene_in_motion_is_saved_and_loaded(void **state)
{
    (void)state;
    sn_scene *scene = rich_scene_later();
    const sn_world *world = sn_scene_world(scene);
    int awake = sn_world_statistics(world).awake_count, count = sn_world_rigids(world, NULL, 0);
    assert_true(awake > 8 && awake < count - 2); // some of both, or the test shows little
    sn_scene *loaded = save_and_load(scene);
    const char *const names[] = {"rock[0]",   "rock[2]", "hammer", "odd",
                                 "turntable", "box[0]",  "still",  "row.bob[1]"};
    for (int i = 0; i < COUNT_OF(names); ++i) {
        sn_rigid a = body_of(scene, names[i]), b = body_of(loaded, names[i]);
        sn_pose p = sn_rigid_pose(world, a), q = sn_rigid_pose(sn_scene_world(loaded), b);
        assert_vector(q.position, p.position.x, p.position.y, p.position.z, 1e-6);
        assert_rotation(q.rotation, p.rotation, 3e-7);
        assert_int_equal(sn_rigid_is_awake(sn_scene_world(loaded), b), sn_rigid_is_awake(world, a));
        sn_vec3 v = sn_rigid_linear_velocity(world, a);
        assert_vector(sn_rigid_linear_velocity(sn_scene_world(loaded), b), v.x, v.y, v.z, 1e-6);
    }
    sn_scene_destroy(loaded);
    sn_scene_destroy(scene);
}

static void test_joints_go_on_from_where_they_were(void **state)
{
    (void)state;
    sn_scene *scene = rich_scene_later();
    sn_scene *loaded = save_and_load(scene);
    for (int i = 0; i < sn_scene_probe_count(scene); ++i) {
        assert_string_equal(sn_scene_probe_name(loaded, i), sn_scene_probe_name(scene, i));
        assert_string_equal(sn_scene_probe_unit(loaded, i), sn_scene_probe_unit(scene, i));
    }
    // The hinge stands at the angle it had.
    assert_near(sn_scene_probe_value(loaded, 2), sn_scene_probe_value(scene, 2), 1e-3);
    assert_near(sn_scene_probe_value(loaded, 1), sn_scene_probe_value(scene, 1), 1e-6);
    sn_scene_destroy(loaded);
    sn_scene_destroy(scene);
}

static void test_cameras_go_on_from_where_they_are(void **state)
{
    (void)state;
    sn_scene *scene = rich_scene_later();
    sn_scene *loaded = save_and_load(scene);
    assert_int_equal(sn_scene_camera_count(loaded), 2);
    for (int i = 0; i < 2; ++i) {
        sn_camera before, after;
        assert_int_equal(sn_scene_camera(scene, sn_scene_camera_name(scene, i), &before), SN_OK);
        assert_int_equal(sn_scene_camera(loaded, sn_scene_camera_name(scene, i), &after), SN_OK);
        assert_vector(after.eye, before.eye.x, before.eye.y, before.eye.z, 1e-5);
        assert_vector(after.target, before.target.x, before.target.y, before.target.z, 1e-5);
        assert_vector(after.up, before.up.x, before.up.y, before.up.z, 1e-6);
        assert_near((double)after.field_of_view, (double)before.field_of_view, 1e-7);
    }
    sn_scene_destroy(loaded);
    sn_scene_destroy(scene);
}

static void assert_same_colors(const sn_scene *scene, const sn_scene *loaded)
{
    sn_rigid rigids[64], others[64];
    int count = sn_world_rigids(sn_scene_world(scene), rigids, 64);
    assert_int_equal(sn_world_rigids(sn_scene_world(loaded), others, 64), count);
    for (int i = 0; i < count; ++i) {
        sn_shape a[8], b[8];
        int shapes = sn_rigid_shapes(sn_scene_world(scene), rigids[i], a, 8);
        assert_int_equal(sn_rigid_shapes(sn_scene_world(loaded), others[i], b, 8), shapes);
        for (int k = 0; k < shapes; ++k) {
            assert_int_equal(sn_scene_shape_color(loaded, b[k]), sn_scene_shape_color(scene, a[k]));
        }
    }
}

static void test_colours_and_labels_are_saved(void **state)
{
    (void)state;
    sn_scene *scene = rich_scene_later();
    sn_scene *loaded = save_and_load(scene);
    assert_same_colors(scene, loaded);
    assert_int_equal(sn_scene_label_count(loaded), 3);
    for (int i = 0; i < 3; ++i) {
        sn_label a = sn_scene_label(scene, i), b = sn_scene_label(loaded, i);
        assert_string_equal(b.text, a.text);
        assert_int_equal(b.color, a.color);
        assert_vector(b.position, a.position.x, a.position.y, a.position.z, 1e-6);
    }
    sn_scene_destroy(loaded);
    sn_scene_destroy(scene);
}

// What was removed meanwhile is not missed by what referred to it.
static void test_what_is_gone_is_left_out(void **state)
{
    (void)state;
    sn_scene *scene = rich_scene_later();
    const char *const names[] = {"rock[1]", "hammer", "row.bob[1]", "row.bob[3]"};
    for (int i = 0; i < COUNT_OF(names); ++i) {
        assert_int_equal(sn_rigid_remove(sn_scene_world(scene), body_of(scene, names[i])), SN_OK);
    }
    sn_scene *loaded = save_and_load(scene);
    assert_int_equal(sn_scene_label_count(loaded), 2);
    assert_int_equal(sn_scene_probe_count(loaded), 2);
    assert_int_equal(sn_scene_camera_count(loaded), 2);
    sn_scene_destroy(loaded);
    sn_scene_destroy(scene);
}

// --- states ------------------------------------------------------------------------------------------------

static sn_scene *through_state(const sn_scene *scene, const sn_scene_options *options)
{
    scene_folder folder = folder_make();
    scene_path path = path_in(&folder, "run.state");
    if (sn_scene_save_state(scene, path.text) != SN_OK) {
        fail_msg("%s", sn_scene_error());
    }
    sn_scene *loaded = NULL;
    if (sn_scene_load(path.text, options, &loaded) != SN_OK) {
        fail_msg("%s", sn_scene_error());
    }
    folder_remove(folder.path);
    return loaded;
}

static void test_a_state_goes_on_bit_for_bit(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 2; ++threads) {
        sn_scene *scene = rich_scene_later();
        sn_scene_options options = {.threads = threads};
        sn_scene *loaded = through_state(scene, &options);
        assert_int_equal(sn_world_hash(sn_scene_world(loaded)), sn_world_hash(sn_scene_world(scene)));
        assert_true(sn_world_time(sn_scene_world(loaded)) == sn_world_time(sn_scene_world(scene)));
        step_scene(scene, 100);
        step_scene(loaded, 100);
        assert_int_equal(sn_world_hash(sn_scene_world(loaded)), sn_world_hash(sn_scene_world(scene)));
        sn_scene_destroy(loaded);
        sn_scene_destroy(scene);
    }
}

static void test_a_state_keeps_the_views(void **state)
{
    (void)state;
    sn_scene *scene = rich_scene_later();
    sn_scene *loaded = through_state(scene, NULL);
    step_scene(scene, 20);
    step_scene(loaded, 20);
    assert_string_equal(sn_scene_title(loaded), "Rich");
    assert_true(sn_scene_step_length(loaded) == 0.015625f && sn_scene_duration(loaded) == 3.0f);
    assert_same_colors(scene, loaded);
    assert_int_equal(sn_scene_probe_count(loaded), sn_scene_probe_count(scene));
    for (int i = 0; i < sn_scene_probe_count(scene); ++i) {
        assert_string_equal(sn_scene_probe_name(loaded, i), sn_scene_probe_name(scene, i));
        assert_true(sn_scene_probe_value(loaded, i) == sn_scene_probe_value(scene, i));
    }
    assert_int_equal(sn_scene_label_count(loaded), 3);
    for (int i = 0; i < 3; ++i) {
        sn_label a = sn_scene_label(scene, i), b = sn_scene_label(loaded, i);
        assert_string_equal(b.text, a.text);
        assert_vector(b.position, a.position.x, a.position.y, a.position.z, 0.0);
    }
    for (int i = 0; i < 2; ++i) {
        sn_camera a, b;
        assert_int_equal(sn_scene_camera(scene, sn_scene_camera_name(scene, i), &a), SN_OK);
        assert_int_equal(sn_scene_camera(loaded, sn_scene_camera_name(scene, i), &b), SN_OK);
        assert_vector(b.eye, a.eye.x, a.eye.y, a.eye.z, 1e-5);
    }
    // And what they need to be saved as a scene: the names of categories.
    sn_scene *again = save_and_load(loaded);
    sn_shape shape;
    shapes_of(again, "odd", &shape, 1);
    assert_true(sn_shape_definition(sn_scene_world(again), shape).filter.mask == 5);
    sn_scene_destroy(again);
    sn_scene_destroy(loaded);
    sn_scene_destroy(scene);
}

static void test_a_state_takes_no_settings(void **state)
{
    (void)state;
    scene_folder folder = folder_make();
    scene_path path = path_in(&folder, "run.state");
    sn_scene *scene = scene_of("{'sinew': 1}"), *loaded = NULL;
    assert_int_equal(sn_scene_save_state(scene, path.text), SN_OK);
    const char *setting = "title=x";
    sn_scene_options options = {.settings = &setting, .setting_count = 1};
    assert_int_equal(sn_scene_load(path.text, &options, &loaded), SN_ERROR_FORMAT);
    assert_null(loaded);
    assert_contains(sn_scene_error(), "a saved state has no settings to change");
    sn_scene_destroy(scene);
    folder_remove(folder.path);
}

// --- hostile states ----------------------------------------------------------------------------------------

static const char small_scene[] =
    "{'sinew': 1, 'title': 'x', 'categories': ['k'], 'bodies': [{'name': 'b', 'label': 'l', 'color': 'red', "
    "'shape':"
    " {'type': 'box', 'size': [1, 1, 1]}}, {'name': 'c', 'position': [3, 0, 0], 'shape': {'type': 'sphere', "
    "'radius': 1}}],"
    " 'joints': [{'name': 'j', 'type': 'hinge', 'a': 'b', 'b': 'c', 'at': [1, 0, 0]}],"
    " 'cameras': [{'name': 'm', 'eye': [0, 0, 9], 'target': [0, 0, 0], 'follow': 'b', 'orbit': 5}],"
    " 'probes': [{'joint': 'j', 'value': 'angle'}]}";

typedef struct state_file {
    scene_folder folder;
    scene_path path;
    file_bytes sound;
} state_file;

static state_file make_state(void)
{
    state_file file = {.folder = folder_make()};
    file.path = path_in(&file.folder, "run.state");
    sn_scene *scene = scene_of(small_scene);
    step_scene(scene, 3);
    assert_int_equal(sn_scene_save_state(scene, file.path.text), SN_OK);
    sn_scene_destroy(scene);
    file.sound = read_bytes(file.path.text);
    return file;
}

static void end_state(state_file *file)
{
    free(file->sound.data);
    folder_remove(file->folder.path);
}

// Loads the bytes: an error with a message and no scene, or a scene that runs and can be asked everything.
static sn_status try_state(const state_file *file, const char *bytes, size_t size)
{
    sn_scene *scene = NULL;
    // In a block of that very size, so that reading beyond it is seen.
    char *exact = malloc(size > 0 ? size : 1);
    memcpy(exact, bytes, size);
    sn_status status = sn_scene_parse(exact, size, file->path.text, NULL, &scene);
    free(exact);
    if (status != SN_OK) {
        assert_null(scene);
        assert_begins(sn_scene_error(), file->path.text);
        return status;
    }
    step_scene(scene, 1);
    sn_camera camera;
    for (int i = 0; i < sn_scene_camera_count(scene); ++i) {
        assert_int_equal(sn_scene_camera(scene, sn_scene_camera_name(scene, i), &camera), SN_OK);
    }
    for (int i = 0; i < sn_scene_probe_count(scene); ++i) {
        (void)sn_scene_probe_value(scene, i);
    }
    for (int i = 0; i < sn_scene_label_count(scene); ++i) {
        (void)sn_scene_label(scene, i);
    }
    sn_scene_destroy(scene);
    return SN_OK;
}

static void test_every_truncation_of_a_state_is_refused(void **state)
{
    (void)state;
    state_file file = make_state();
    assert_int_equal(try_state(&file, file.sound.data, file.sound.size), SN_OK);
    for (size_t size = 0; size < file.sound.size; ++size) {
        assert_int_not_equal(try_state(&file, file.sound.data, size), SN_OK);
    }
    end_state(&file);
}

static void test_changed_bytes_of_a_state_are_refused_or_harmless(void **state)
{
    (void)state;
    state_file file = make_state();
    char *bytes = malloc(file.sound.size);
    test_random random = {77};
    int refused = 0, accepted = 0;
    for (int i = 0; i < 1500; ++i) {
        memcpy(bytes, file.sound.data, file.sound.size);
        // Half of them in the views, which are text without a checksum.
        size_t range = i % 2 == 0 ? 700 : file.sound.size;
        for (uint32_t k = 0; k <= test_random_u32(&random) % 3; ++k) {
            static const char meaningful[] = "0123456789-.eE[]{}\",:#";
            uint32_t value = test_random_u32(&random);
            bytes[test_random_u32(&random) % range] =
                value % 2 == 0 ? (char)(value >> 8) : meaningful[(value >> 8) % (sizeof meaningful - 1)];
        }
        sn_status status = try_state(&file, bytes, file.sound.size);
        refused += status != SN_OK;
        accepted += status == SN_OK;
    }
    assert_true(refused > 150 && accepted > 5);
    free(bytes);
    end_state(&file);
}

// Other views before the same snapshot.
static sn_status try_views(const state_file *file, const char *views)
{
    char *json = json_of(views);
    size_t length = strlen(json), old = 0;
    for (int i = 0; i < 8; ++i) {
        old |= (size_t)(unsigned char)file->sound.data[8 + i] << (8 * i);
    }
    size_t rest = file->sound.size - 16 - old;
    char *bytes = malloc(16 + length + rest);
    memcpy(bytes, file->sound.data, 8);
    for (int i = 0; i < 8; ++i) {
        bytes[8 + i] = (char)(length >> (8 * i) & 0xff);
    }
    memcpy(bytes + 16, json, length);
    memcpy(bytes + 16 + length, file->sound.data + 16 + old, rest);
    sn_status status = try_state(file, bytes, 16 + length + rest);
    free(bytes);
    free(json);
    return status;
}

static void test_views_of_a_state_are_checked(void **state)
{
    (void)state;
    state_file file = make_state();
    assert_int_equal(try_views(&file, "{}"), SN_OK);
    assert_int_equal(try_views(&file, "[]"), SN_OK);
    const char *const views[][2] = {
        {"{'sinew': 9}", ":1:11: sinew: 9 is not allowed"},
        {"{'step': 5}", ":1:10: step: 5 is not allowed"},
        {"{'cameras': [{'eye': [0, 0, 0], 'target': [0, 0, 1], 'follow': 'x'}]}",
         "no body or deformable is called \"x\""},
        {"{'probes': [{'joint': 'k', 'value': 'angle'}]}", "no joint is called \"k\", did you mean \"j\"?"},
        {"{'paints': [[100000000, 1, '#ffffff']]}", "paints[0]: is the colour of no shape"},
        {"{'paints': [[0, 0, '#ffffff']]}", "paints[0]: is the colour of no shape"},
        {"{'paints': [[0, 70000, '#ffffff']]}", "paints[0][1]: 70000 is not allowed"},
        {"{'paints': [5]}", "paints[0][0]: nothing is not allowed"},
        {"{'categories': [1]}", "categories[0]: 1 is not allowed"}};
    for (int i = 0; i < COUNT_OF(views); ++i) {
        assert_int_equal(try_views(&file, views[i][0]), SN_ERROR_FORMAT);
        assert_contains(sn_scene_error(), views[i][1]);
    }
    end_state(&file);
}

static void test_a_state_that_claims_to_be_large_is_refused(void **state)
{
    (void)state;
    state_file file = make_state();
    char *bytes = malloc(file.sound.size);
    for (int i = 8; i < 16; ++i) {
        memcpy(bytes, file.sound.data, file.sound.size);
        bytes[i] = (char)0xff;
        assert_int_equal(try_state(&file, bytes, file.sound.size), SN_ERROR_FORMAT);
    }
    free(bytes);
    end_state(&file);
}

// --- files -------------------------------------------------------------------------------------------------

static void test_files_that_cannot_be_written_are_told(void **state)
{
    (void)state;
    sn_scene *scene = scene_of("{'sinew': 1}");
    assert_int_equal(sn_scene_save(scene, "/nowhere/x.json"), SN_ERROR_FILE);
    assert_string_equal(sn_scene_error(), "/nowhere/x.json: cannot be written: No such file or directory");
    assert_int_equal(sn_scene_save_state(scene, "/nowhere/x.state"), SN_ERROR_FILE);
    assert_string_equal(sn_scene_error(), "/nowhere/x.state: cannot be written: No such file or directory");
    assert_int_equal(sn_scene_save(scene, NULL), SN_ERROR_NULL);
    assert_int_equal(sn_scene_save(NULL, "x"), SN_ERROR_NULL);
    assert_int_equal(sn_scene_save_state(NULL, "x"), SN_ERROR_NULL);
    assert_int_equal(sn_scene_save_state(scene, NULL), SN_ERROR_NULL);
    sn_scene_destroy(scene);
}

static void test_looks_of_deformables_outlast_saving(void **state)
{
    (void)state;
    sn_scene *scene = scene_of("{'sinew': 1, 'deformables': [{'mesh': {'type': 'line', 'length': 1}},"
                               " {'mesh': {'type': 'line', 'length': 1}, 'position': [0, 1, 0],"
                               " 'color': '#123456', 'opacity': 0.35}]}");
    const char *const endings[] = {"json", "state"};
    for (int i = 0; i < 2; ++i) {
        char path[64];
        snprintf(path, sizeof path, "/tmp/sinew_looks_%d.%s", (int)getpid(), endings[i]);
        assert_int_equal(i == 0 ? sn_scene_save(scene, path) : sn_scene_save_state(scene, path), SN_OK);
        sn_scene *again = NULL;
        assert_int_equal(sn_scene_load(path, NULL, &again), SN_OK);
        unlink(path);
        sn_deformable both[2];
        assert_int_equal(sn_world_deformables(sn_scene_world(again), both, 2), 2);
        assert_true(sn_scene_deformable_opacity(again, both[0]) == 1.0f);
        assert_true(sn_scene_deformable_opacity(again, both[1]) == 0.35f);
        assert_int_equal(sn_scene_deformable_color(again, both[1]), 0x123456);
        sn_scene_destroy(again);
    }
    sn_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_rich_scene_is_saved_and_loaded),
        cmocka_unit_test(test_a_scene_in_motion_is_saved_and_loaded),
        cmocka_unit_test(test_joints_go_on_from_where_they_were),
        cmocka_unit_test(test_cameras_go_on_from_where_they_are),
        cmocka_unit_test(test_colours_and_labels_are_saved),
        cmocka_unit_test(test_what_is_gone_is_left_out),
        cmocka_unit_test(test_a_state_goes_on_bit_for_bit),
        cmocka_unit_test(test_a_state_keeps_the_views),
        cmocka_unit_test(test_a_state_takes_no_settings),
        cmocka_unit_test(test_every_truncation_of_a_state_is_refused),
        cmocka_unit_test(test_changed_bytes_of_a_state_are_refused_or_harmless),
        cmocka_unit_test(test_views_of_a_state_are_checked),
        cmocka_unit_test(test_a_state_that_claims_to_be_large_is_refused),
        cmocka_unit_test(test_files_that_cannot_be_written_are_told),
        cmocka_unit_test(test_looks_of_deformables_outlast_saving),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
