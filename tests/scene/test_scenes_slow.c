// Every scene of the project loads, runs for a hundred steps, and stays sane: nothing frozen, nothing lost,
// joints met, no energy from nowhere; and saving it gives a scene that loads again.
#include "sinew_scene/scene.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define MAX_SCENES 128

static char names[MAX_SCENES][64];
static int name_count;

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void list_scenes(void)
{
    DIR *folder = opendir(SOURCE_FOLDER "/scenes");
    assert_non_null(folder);
    name_count = 0;
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        size_t length = strlen(entry->d_name);
        if (length > 5 && length < sizeof names[0] && strcmp(entry->d_name + length - 5, ".json") == 0) {
            assert_true(name_count < MAX_SCENES);
            memcpy(names[name_count++], entry->d_name, length + 1);
        }
    }
    closedir(folder);
    qsort(names, (size_t)name_count, sizeof names[0], compare_names);
}

static sn_scene *load(const char *name)
{
    char path[512];
    assert_true(snprintf(path, sizeof path, SOURCE_FOLDER "/scenes/%s", name) < (int)sizeof path);
    sn_scene *scene = NULL;
    if (sn_scene_load(path, NULL, &scene) != SN_OK) {
        fail_msg("%s", sn_scene_error());
    }
    return scene;
}

static double largest_error(const sn_world *world)
{
    int count = sn_world_constraints(world, NULL, 0);
    sn_constraint *constraints = calloc((size_t)count + 1, sizeof *constraints);
    assert_non_null(constraints);
    sn_world_constraints(world, constraints, count);
    double largest = 0.0;
    for (int i = 0; i < count; ++i) {
        // Anchors are looked at below; what has let go is apart.
        bool counts = !sn_constraint_is_anchor(world, constraints[i]) &&
                      sn_constraint_hold_now(world, constraints[i]) != SN_CONSTRAINT_OFF;
        largest = fmax(largest, counts ? (double)sn_constraint_error(world, constraints[i]) : 0.0);
    }
    free(constraints);
    return largest;
}

// Of anchors that hold; a ramp may take longer than the test.
static double largest_anchor_error(const sn_world *world)
{
    int count = sn_world_anchors(world, NULL, 0);
    sn_anchor *anchors = calloc((size_t)count + 1, sizeof *anchors);
    assert_non_null(anchors);
    sn_world_anchors(world, anchors, count);
    double largest = 0.0;
    for (int i = 0; i < count; ++i) {
        bool holds = sn_anchor_hold_now(world, anchors[i]) != SN_ANCHOR_OFF &&
                     sn_anchor_definition(world, anchors[i]).ramp_steps == 1;
        largest = fmax(largest, holds ? (double)sn_anchor_error(world, anchors[i]) : 0.0);
    }
    free(anchors);
    return largest;
}

// No node frozen or lost, and volumes within a fifth of what they were: jellies under an impact.
static void check_deformables(const char *name, const sn_world *world)
{
    sn_deformable deformables[128];
    int count = sn_world_deformables(world, deformables, 128);
    assert_true(count <= 128);
    for (int i = 0; i < count; ++i) {
        sn_deformable_measure measure = sn_deformable_measure_now(world, deformables[i]);
        bool is_volume = sn_mesh_tetrahedron_count(sn_deformable_mesh(world, deformables[i])) > 0;
        double share = is_volume ? (double)(measure.volume / measure.rest_volume) : 1.0;
        if (sn_deformable_frozen_count(world, deformables[i]) > 0 ||
            !(sn_length(measure.bounds.lower) < 50.0f) || !(sn_length(measure.bounds.upper) < 50.0f) ||
            share < 0.8 || share > 1.2) {
            fail_msg("%s: %s: frozen %d, volume %g of what it was", name,
                     sn_deformable_name(world, deformables[i]),
                     sn_deformable_frozen_count(world, deformables[i]), share);
        }
    }
    if (largest_anchor_error(world) > 0.02) {
        fail_msg("%s: an anchor is off by %g", name, largest_anchor_error(world));
    }
}

static void test_there_are_at_least_thirty_scenes(void **state)
{
    (void)state;
    list_scenes();
    assert_true(name_count >= 30);
}

static void test_every_scene_runs_for_100_steps(void **state)
{
    (void)state;
    list_scenes();
    for (int i = 0; i < name_count; ++i) {
        sn_scene *scene = load(names[i]);
        sn_world *world = sn_scene_world(scene);
        sn_energy before = sn_world_energy(world);
        float lasting_error = INFINITY; // the least of the last ten steps
        for (int step = 0; step < 100; ++step) {
            assert_int_equal(sn_world_step(world, sn_scene_step_length(scene)), SN_OK);
            lasting_error = step < 90 ? INFINITY : sn_min(lasting_error, largest_error(world));
        }
        sn_energy after = sn_world_energy(world);
        sn_statistics counts = sn_world_statistics(world);
        assert_int_equal(counts.frozen_count, 0);
        assert_int_equal(counts.clamped_count, 0);
        assert_true(isfinite(after.kinetic) && isfinite(after.potential));
        check_deformables(names[i], world);
        // Stops give way under impacts, which pass: by no more than three degrees, or 5 cm, for longer.
        if (lasting_error > 0.05f) {
            fail_msg("%s: a joint is off by %g", names[i], (double)lasting_error);
        }
        // Motors and moving walls may put energy in; nothing here puts in more than all there is.
        double scale = fabs(before.potential) + before.kinetic + 1e4;
        if (after.kinetic + after.potential > before.kinetic + before.potential + scale) {
            fail_msg("%s: energy rose from %g to %g J", names[i], before.kinetic + before.potential,
                     after.kinetic + after.potential);
        }
        sn_scene_destroy(scene);
    }
}

static void test_every_scene_has_a_camera_a_title_and_probes(void **state)
{
    (void)state;
    list_scenes();
    for (int i = 0; i < name_count; ++i) {
        sn_scene *scene = load(names[i]);
        if (sn_scene_camera_count(scene) == 0 || sn_scene_probe_count(scene) == 0 ||
            sn_scene_title(scene)[0] == '\0') {
            fail_msg("%s: expected a title, a camera and a probe", names[i]);
        }
        sn_scene_destroy(scene);
    }
}

static void test_every_scene_saved_after_20_steps_loads_again(void **state)
{
    (void)state;
    list_scenes();
    char path[] = "/tmp/sinew_scene_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (int i = 0; i < name_count; ++i) {
        sn_scene *scene = load(names[i]), *again = NULL;
        for (int step = 0; step < 20; ++step) {
            assert_int_equal(sn_world_step(sn_scene_world(scene), sn_scene_step_length(scene)), SN_OK);
        }
        if (sn_scene_save(scene, path) != SN_OK || sn_scene_load(path, NULL, &again) != SN_OK) {
            fail_msg("%s: %s", names[i], sn_scene_error());
        }
        assert_int_equal(sn_world_statistics(sn_scene_world(again)).rigid_count,
                         sn_world_statistics(sn_scene_world(scene)).rigid_count);
        assert_int_equal(sn_world_statistics(sn_scene_world(again)).constraint_count,
                         sn_world_statistics(sn_scene_world(scene)).constraint_count);
        assert_int_equal(sn_world_deformables(sn_scene_world(again), NULL, 0),
                         sn_world_deformables(sn_scene_world(scene), NULL, 0));
        assert_int_equal(sn_world_anchors(sn_scene_world(again), NULL, 0),
                         sn_world_anchors(sn_scene_world(scene), NULL, 0));
        sn_scene_destroy(scene);
        sn_scene_destroy(again);
    }
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_there_are_at_least_thirty_scenes),
        cmocka_unit_test(test_every_scene_runs_for_100_steps),
        cmocka_unit_test(test_every_scene_has_a_camera_a_title_and_probes),
        cmocka_unit_test(test_every_scene_saved_after_20_steps_loads_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
