// The first camera of every scene of the project shows it: over all of the scene's duration what moves takes
// two thirds of the picture, across or upwards, and nothing is cut off.
#include "apps/framing.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

// Scenes that throw things about: how many may have been cut or have left the picture at the end.
static const struct {
    const char *scene;
    int most;
} throwing[] = {{"bunnies_on_cloth.json", 2}, // two fall off
                {"crossbow.json", 1},         // the bolt
                {"tower_hit.json", 40},       // of 1001
                {"trampoline.json", 20},      // of 100
                {"vehicle.json", 10},         // of the 25 boxes it drives into
                {"wrecking_ball.json", 40}};

static int most_lost(const char *name)
{
    for (size_t i = 0; i < sizeof throwing / sizeof throwing[0]; ++i) {
        if (strcmp(name, throwing[i].scene) == 0) {
            return throwing[i].most;
        }
    }
    return 0;
}

// Looks at the scene ten times a second, to its end.
static void watch(sn_scene *scene, framing *framing)
{
    float step = sn_scene_step_length(scene);
    int steps = (int)(sn_scene_duration(scene) / step + 0.5f), between = (int)(0.1f / step + 0.5f);
    between = between > 0 ? between : 1;
    framing_begin(framing, scene);
    assert_true(framing_look(framing));
    for (int i = 1; i <= steps; ++i) {
        assert_int_equal(sn_scene_step(scene, step), SN_OK);
        if (i % between == 0 || i == steps) {
            assert_true(framing_look(framing));
        }
    }
}

// Whether all is well; says what is not.
static bool is_well_framed(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, SOURCE_FOLDER "/scenes/%s", name);
    sn_scene *scene = NULL;
    if (sn_scene_load(path, NULL, &scene) != SN_OK) {
        fail_msg("%s", sn_scene_error());
    }
    framing framing;
    watch(scene, &framing);
    framing_tally cut = framing_cut(&framing), left = framing_left(&framing);
    bool shown = cut.count + left.count <= most_lost(name);
    bool large = framing_share(&framing) >= FRAMING_USUAL_SHARE;
    if (!shown || !large) {
        print_error("%s: what moves takes %.0f %%; %d cut (%s), %d left (%s)\n", name,
                    100.0 * (double)framing_share(&framing), cut.count, cut.name.text, left.count,
                    left.name.text);
    }
    framing_release(&framing);
    sn_scene_destroy(scene);
    return shown && large;
}

static void test_every_scenes_camera_shows_what_moves_large_and_whole(void **state)
{
    (void)state;
    DIR *folder = opendir(SOURCE_FOLDER "/scenes");
    assert_non_null(folder);
    int count = 0, bad = 0;
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        const char *ending = strrchr(entry->d_name, '.');
        if (ending != NULL && strcmp(ending, ".json") == 0) {
            ++count;
            bad += is_well_framed(entry->d_name) ? 0 : 1;
        }
    }
    closedir(folder);
    assert_true(count >= 50);
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_scenes_camera_shows_what_moves_large_and_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
