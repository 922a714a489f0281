// Recordings: whatever a program does between steps, they replay to the same hashes; they are small; and no
// bytes, made up or cut off, do harm.
#include "scene/scene_kit.h"

#include "scene/replay.h"
#include "sinew_scene/recording.h"
#include "support/random.h"

#define STEP  (1.0f / 60.0f)
#define STEPS 90

typedef struct studio {
    scene_folder folder;
    scene_path path;
    sn_world *world;
    sn_scene *scene;
    sn_recording *recording;
    uint64_t hashes[STEPS];
} studio;

static sn_rigid add_ball(sn_world *world, sn_vec3 place)
{
    sn_rigid_def def = sn_rigid_def_default();
    sn_rigid ball;
    def.position = place;
    assert_int_equal(sn_rigid_add(world, &def, &ball), SN_OK);
    assert_int_equal(sn_sphere_add(world, ball, NULL, (sn_sphere){.radius = 0.2f}, NULL), SN_OK);
    return ball;
}

static sn_deformable add_cloth(sn_world *world)
{
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_grid(1.0f, 1.0f, 8, 8, SN_GRID_ALTERNATING, &mesh), SN_OK);
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.pose.position = sn_v(0.0f, 1.0f, 0.0f);
    def.inextensible.on = true;
    sn_deformable cloth;
    assert_int_equal(sn_deformable_add(world, &def, &cloth), SN_OK);
    sn_mesh_destroy(mesh);
    return cloth;
}

static studio studio_begin(void)
{
    studio s = {.folder = folder_make()};
    sn_world_def def = sn_world_def_default();
    s.path = path_in(&s.folder, "film.recording");
    assert_int_equal(sn_world_create(&def, &s.world), SN_OK);
    assert_int_equal(
        sn_plane_add(s.world, sn_world_ground(s.world), NULL, (sn_plane){.normal = {0, 1, 0}}, NULL), SN_OK);
    assert_int_equal(sn_scene_wrap(s.world, &s.scene), SN_OK);
    return s;
}

static void studio_end(studio *s)
{
    sn_scene_destroy(s->scene);
    sn_world_destroy(s->world);
    folder_remove(s->folder.path);
}

// A program that does something of everything: pushes, adds and removes bodies, adds and drags an anchor,
// changes settings, steps of two lengths.
static void act(studio *s, int step, sn_rigid ball, sn_deformable cloth, sn_anchor *anchor)
{
    if (step % 2 == 0) {
        assert_int_equal(sn_rigid_linear_velocity_set(s->world, ball, sn_v(0.1f * (float)step, 0.0f, 0.0f)),
                         SN_OK);
    }
    if (step % 20 == 10) {
        add_ball(s->world, sn_v(0.1f * (float)step, 3.0f, 0.0f));
    }
    if (step == 30) {
        sn_anchor_def def = sn_anchor_def_default();
        def.a = sn_point_world(sn_v(0.0f, 1.5f, 0.0f));
        def.b = sn_point_node(cloth, 4);
        assert_int_equal(sn_anchor_add(s->world, &def, anchor), SN_OK);
    }
    if (step > 30 && step < 50) {
        sn_point place = sn_point_world(sn_v(0.0f, 1.5f + 0.01f * (float)step, 0.0f));
        assert_int_equal(sn_anchor_point_set(s->world, *anchor, 0, &place), SN_OK);
    }
    if (step == 60) {
        assert_int_equal(sn_rigid_remove(s->world, ball), SN_OK);
        assert_int_equal(sn_world_gravity_set(s->world, sn_v(0.0f, -5.0f, 1.0f)), SN_OK);
    }
}

static void record_everything(studio *s)
{
    sn_rigid ball = add_ball(s->world, sn_v(0.0f, 0.5f, 0.0f));
    sn_deformable cloth = add_cloth(s->world);
    sn_anchor anchor = {0};
    assert_int_equal(sn_recording_begin(s->scene, s->path.text, &s->recording), SN_OK);
    for (int i = 0; i < STEPS; ++i) {
        if (i <= 60) {
            act(s, i, ball, cloth, &anchor);
        }
        assert_int_equal(sn_recording_step(s->recording, i % 3 == 0 ? 0.5f * STEP : STEP), SN_OK);
        s->hashes[i] = sn_world_hash(s->world);
    }
    assert_int_equal(sn_recording_end(s->recording), SN_OK);
}

static void test_whatever_a_program_does_replays_to_the_same_hashes(void **state)
{
    (void)state;
    studio s = studio_begin();
    record_everything(&s);
    sn_scene *replayed = scene_of_file(s.path.text);
    for (int i = 0; i < STEPS; ++i) {
        assert_int_equal(sn_scene_step(replayed, 0.01f), SN_OK);
        assert_true(sn_world_hash(sn_scene_world(replayed)) == s.hashes[i]);
    }
    sn_replay_progress progress = sn_scene_replay(replayed);
    assert_true(progress.is_recording && progress.is_closed);
    assert_int_equal(progress.step_count, STEPS);
    assert_int_equal(progress.steps_done, STEPS);
    assert_int_equal(progress.first_difference, 0);
    assert_near(sn_world_time(sn_scene_world(replayed)), sn_world_time(s.world), 0.0);
    sn_scene_destroy(replayed);
    studio_end(&s);
}

static void test_a_scene_lasts_as_long_as_its_recording_and_goes_on_by_itself(void **state)
{
    (void)state;
    studio s = studio_begin();
    add_ball(s.world, sn_v(0.0f, 3.0f, 0.0f));
    assert_int_equal(sn_recording_begin(s.scene, s.path.text, &s.recording), SN_OK);
    for (int i = 0; i < 10; ++i) {
        assert_int_equal(sn_recording_step(s.recording, STEP), SN_OK);
    }
    assert_int_equal(sn_recording_end(s.recording), SN_OK);
    sn_scene *replayed = scene_of_file(s.path.text);
    assert_near((double)sn_scene_duration(replayed), 10.0 / 60.0, 1e-6);
    assert_true(sn_scene_step_length(replayed) == STEP);
    for (int i = 0; i < 20; ++i) {
        assert_int_equal(sn_scene_step(replayed, STEP), SN_OK);
    }
    for (int i = 0; i < 10; ++i) {
        assert_int_equal(sn_world_step(s.world, STEP), SN_OK);
    }
    assert_true(sn_world_hash(sn_scene_world(replayed)) == sn_world_hash(s.world));
    sn_scene_destroy(replayed);
    studio_end(&s);
}

static void test_a_step_without_a_change_takes_21_bytes_and_a_velocity_below_200(void **state)
{
    (void)state;
    studio s = studio_begin();
    sn_rigid ball = add_ball(s.world, sn_v(0.0f, 30.0f, 0.0f));
    add_cloth(s.world);
    size_t sizes[3];
    for (int kind = 0; kind < 3; ++kind) {
        assert_int_equal(sn_recording_begin(s.scene, s.path.text, &s.recording), SN_OK);
        for (int i = 0; i < kind; ++i) {
            if (i == 1) {
                assert_int_equal(sn_rigid_linear_velocity_set(s.world, ball, sn_v(1.0f, 2.0f, 3.0f)), SN_OK);
            }
            assert_int_equal(sn_recording_step(s.recording, STEP), SN_OK);
        }
        assert_int_equal(sn_recording_end(s.recording), SN_OK);
        file_bytes bytes = read_bytes(s.path.text);
        sizes[kind] = bytes.size;
        free(bytes.data);
    }
    // Three recordings of a world that grows no larger; contacts may come in between.
    assert_int_equal(sizes[1] - sizes[0], 21);
    sn_replay_progress progress;
    sn_scene *replayed = scene_of_file(s.path.text);
    assert_int_equal(sn_scene_step(replayed, STEP), SN_OK);
    assert_int_equal(sn_scene_step(replayed, STEP), SN_OK);
    progress = sn_scene_replay(replayed);
    assert_int_equal(progress.first_difference, 0);
    file_bytes bytes = read_bytes(s.path.text);
    size_t state_size = 0;
    for (int i = 0; i < 8; ++i) {
        state_size |= (size_t)(unsigned char)bytes.data[12 + i] << (8 * i);
    }
    assert_in_range(bytes.size - SN_RECORDING_HEAD - state_size, 2 * 21 + 9, 2 * 21 + 9 + 200);
    free(bytes.data);
    sn_scene_destroy(replayed);
    studio_end(&s);
}

static void test_a_recording_that_was_never_ended_holds_every_step(void **state)
{
    (void)state;
    studio s = studio_begin();
    add_ball(s.world, sn_v(0.0f, 3.0f, 0.0f));
    assert_int_equal(sn_recording_begin(s.scene, s.path.text, &s.recording), SN_OK);
    for (int i = 0; i < 7; ++i) {
        assert_int_equal(sn_recording_step(s.recording, STEP), SN_OK);
    }
    sn_scene *replayed = scene_of_file(s.path.text); // as after a crash
    sn_replay_progress progress = sn_scene_replay(replayed);
    assert_true(progress.is_recording && !progress.is_closed);
    assert_int_equal(progress.step_count, 7);
    sn_scene_destroy(replayed);
    assert_int_equal(sn_recording_end(s.recording), SN_OK);
    studio_end(&s);
}

static void test_a_world_that_comes_out_differently_is_told(void **state)
{
    (void)state;
    studio s = studio_begin();
    record_everything(&s);
    file_bytes bytes = read_bytes(s.path.text);
    size_t state_size = 0;
    for (int i = 0; i < 8; ++i) {
        state_size |= (size_t)(unsigned char)bytes.data[12 + i] << (8 * i);
    }
    bytes.data[SN_RECORDING_HEAD + state_size + 5] ^= 1; // the hash of the first step
    sn_scene *replayed = NULL;
    assert_int_equal(sn_scene_parse(bytes.data, bytes.size, "x.recording", NULL, &replayed), SN_OK);
    sn_status status = SN_OK;
    int steps = 0;
    while (status == SN_OK && steps < STEPS) {
        status = sn_scene_step(replayed, STEP);
        ++steps;
    }
    assert_int_equal(sn_scene_replay(replayed).first_difference, 1);
    assert_int_equal(status, SN_ERROR_FORMAT);
    assert_contains(sn_scene_error(), "step 3 of the recording cannot be replayed");
    assert_contains(sn_scene_error(), "since step 1 (recorded by sinew 0.");
    sn_scene_destroy(replayed);
    free(bytes.data);
    studio_end(&s);
}

static void test_looks_come_back(void **state)
{
    (void)state;
    scene_folder folder = folder_make();
    scene_path path = path_in(&folder, "looks.recording");
    sn_scene *scene =
        scene_of("{'sinew': 1, 'title': 'Looks', 'bodies': [{'name': 'b', 'color': '#123456', "
                 "'shape': {'type': 'sphere', 'radius': 1}}], 'cameras': [{'name': 'c', 'eye': "
                 "[0, 0, 5], 'target': [0, 0, 0]}], 'probes': [{'body': 'b', 'value': 'position.y'}]}");
    sn_recording *recording = NULL;
    assert_int_equal(sn_recording_begin(scene, path.text, &recording), SN_OK);
    assert_int_equal(sn_recording_step(recording, STEP), SN_OK);
    assert_int_equal(sn_recording_end(recording), SN_OK);
    sn_scene *replayed = scene_of_file(path.text);
    sn_shape shape;
    shapes_of(replayed, "b", &shape, 1);
    assert_string_equal(sn_scene_title(replayed), "Looks");
    assert_string_equal(sn_scene_camera_name(replayed, 0), "c");
    assert_int_equal(sn_scene_probe_count(replayed), 1);
    assert_int_equal(sn_scene_shape_color(replayed, shape), 0x123456);
    sn_scene_destroy(replayed);
    sn_scene_destroy(scene);
    folder_remove(folder.path);
}

static void test_bad_calls_get_a_status(void **state)
{
    (void)state;
    studio s = studio_begin();
    sn_recording *recording = (sn_recording *)&s;
    assert_int_equal(sn_recording_begin(NULL, s.path.text, &recording), SN_ERROR_NULL);
    assert_null(recording);
    assert_int_equal(sn_recording_begin(s.scene, NULL, &recording), SN_ERROR_NULL);
    assert_int_equal(sn_recording_begin(s.scene, s.path.text, NULL), SN_ERROR_NULL);
    assert_int_equal(sn_recording_begin(s.scene, "/nowhere/at/all.recording", &recording), SN_ERROR_FILE);
    assert_contains(sn_scene_error(), "/nowhere/at/all.recording: cannot be written: No such file");
    assert_int_equal(sn_recording_step(NULL, STEP), SN_ERROR_NULL);
    assert_int_equal(sn_recording_end(NULL), SN_OK);
    assert_int_equal(sn_scene_step(NULL, STEP), SN_ERROR_NULL);
    assert_int_equal(sn_scene_step(s.scene, -1.0f), SN_ERROR_RANGE);
    assert_int_equal(sn_recording_begin(s.scene, s.path.text, &recording), SN_OK);
    assert_int_equal(sn_recording_step(recording, 2.0f), SN_ERROR_RANGE); // and is not recorded
    assert_int_equal(sn_recording_step(recording, STEP), SN_OK);
    assert_int_equal(sn_recording_end(recording), SN_OK);
    sn_scene *replayed = scene_of_file(s.path.text);
    assert_int_equal(sn_scene_replay(replayed).step_count, 1);
    sn_scene_destroy(replayed);
    studio_end(&s);
}

static void test_a_full_disk_is_told(void **state)
{
    (void)state;
    studio s = studio_begin();
    sn_recording *recording = NULL;
    assert_int_equal(sn_recording_begin(s.scene, "/dev/full", &recording), SN_ERROR_FILE);
    assert_contains(sn_scene_error(), "/dev/full: cannot be written: No space left");
    studio_end(&s);
}

static void test_settings_cannot_be_put_into_a_recording(void **state)
{
    (void)state;
    studio s = studio_begin();
    record_everything(&s);
    const char *settings[] = {"world.sub_steps=3"};
    sn_scene_options options = {.settings = settings, .setting_count = 1};
    sn_scene *scene = NULL;
    assert_int_equal(sn_scene_load(s.path.text, &options, &scene), SN_ERROR_FORMAT);
    assert_contains(sn_scene_error(), "a recording has no settings to change");
    studio_end(&s);
}

// --- hostile bytes -----------------------------------------------------------------------------------------

static void try_bytes(const char *bytes, size_t size)
{
    sn_scene *scene = NULL;
    if (sn_scene_parse(bytes, size, "x.recording", NULL, &scene) != SN_OK) {
        assert_true(scene == NULL && sn_scene_error()[0] != '\0');
        return;
    }
    for (int i = 0; i < 3; ++i) {
        (void)sn_scene_step(scene, STEP);
    }
    sn_scene_destroy(scene);
}

static void test_files_cut_off_anywhere_do_no_harm(void **state)
{
    (void)state;
    studio s = studio_begin();
    record_everything(&s);
    file_bytes bytes = read_bytes(s.path.text);
    for (size_t size = 0; size < bytes.size; size += 1 + bytes.size / 400) {
        char *exact = malloc(size + 1); // so that a sanitizer sees what is read beyond
        memcpy(exact, bytes.data, size);
        try_bytes(exact, size);
        free(exact);
    }
    free(bytes.data);
    studio_end(&s);
}

static void test_changed_bytes_do_no_harm(void **state)
{
    (void)state;
    studio s = studio_begin();
    record_everything(&s);
    file_bytes bytes = read_bytes(s.path.text);
    size_t state_size = 0;
    for (int i = 0; i < 8; ++i) {
        state_size |= (size_t)(unsigned char)bytes.data[12 + i] << (8 * i);
    }
    size_t first = SN_RECORDING_HEAD + state_size;
    test_random random = {5};
    for (int i = 0; i < 300; ++i) {
        size_t at = i < 20 ? (size_t)i : first + test_random_u32(&random) % (bytes.size - first);
        char before = bytes.data[at];
        bytes.data[at] = (char)test_random_u32(&random);
        try_bytes(bytes.data, bytes.size);
        bytes.data[at] = before;
    }
    free(bytes.data);
    studio_end(&s);
}

static void test_mistakes_are_told_by_their_byte(void **state)
{
    (void)state;
    sn_scene *scene = NULL;
    assert_int_equal(sn_scene_parse("SINEWRC1", 8, "x.recording", NULL, &scene), SN_ERROR_FORMAT);
    assert_string_equal(sn_scene_error(),
                        "x.recording: byte 8: a recording that ends before its first state is whole");
    char empty[20] = "SINEWRC1";
    assert_int_equal(sn_scene_parse(empty, sizeof empty, "x.recording", NULL, &scene), SN_ERROR_FORMAT);
    assert_string_equal(sn_scene_error(),
                        "x.recording: byte 20: no saved state, expected the one the recording begins with");
    studio s = studio_begin();
    record_everything(&s);
    file_bytes bytes = read_bytes(s.path.text);
    bytes.data[bytes.size - 8] += 1;
    assert_int_equal(sn_scene_parse(bytes.data, bytes.size, "x.recording", NULL, &scene), SN_ERROR_FORMAT);
    assert_contains(sn_scene_error(), "the number of steps at the end is not that of the steps before it");
    bytes.data[bytes.size - 9] = 9;
    assert_int_equal(sn_scene_parse(bytes.data, bytes.size, "x.recording", NULL, &scene), SN_ERROR_FORMAT);
    assert_contains(sn_scene_error(), "neither a step nor the end of a recording");
    free(bytes.data);
    studio_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whatever_a_program_does_replays_to_the_same_hashes),
        cmocka_unit_test(test_a_scene_lasts_as_long_as_its_recording_and_goes_on_by_itself),
        cmocka_unit_test(test_a_step_without_a_change_takes_21_bytes_and_a_velocity_below_200),
        cmocka_unit_test(test_a_recording_that_was_never_ended_holds_every_step),
        cmocka_unit_test(test_a_world_that_comes_out_differently_is_told),
        cmocka_unit_test(test_looks_come_back),
        cmocka_unit_test(test_bad_calls_get_a_status),
        cmocka_unit_test(test_a_full_disk_is_told),
        cmocka_unit_test(test_settings_cannot_be_put_into_a_recording),
        cmocka_unit_test(test_files_cut_off_anywhere_do_no_harm),
        cmocka_unit_test(test_changed_bytes_do_no_harm),
        cmocka_unit_test(test_mistakes_are_told_by_their_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
