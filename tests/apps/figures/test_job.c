// What items are given: measures and their bars, scenes that run and are timed.
#include "figure_kit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_bars_judge_measures(void **state)
{
    (void)state;
    figure_measure m = {.ours = 2.0, .limit = 2.0};
    for (int bar = FIGURE_TOLD; bar <= FIGURE_EQUAL; ++bar) {
        m.bar = (figure_bar)bar;
        assert_true(figure_measure_passes(&m));
    }
    m.ours = 2.1;
    m.bar = FIGURE_AT_MOST;
    assert_false(figure_measure_passes(&m));
    m.bar = FIGURE_EQUAL;
    assert_false(figure_measure_passes(&m));
    m.ours = 1.9;
    m.bar = FIGURE_AT_LEAST;
    assert_false(figure_measure_passes(&m));
}

static void test_what_is_not_a_number_never_passes(void **state)
{
    (void)state;
    figure_measure m = {.ours = (double)NAN, .limit = 2.0};
    for (int bar = FIGURE_AT_MOST; bar <= FIGURE_EQUAL; ++bar) {
        m.bar = (figure_bar)bar;
        assert_false(figure_measure_passes(&m));
    }
}

static void test_notes_keep_their_words(void **state)
{
    (void)state;
    figure_kit kit;
    figure_kit_open(&kit, "/nowhere");
    assert_true(
        figure_note(&kit.job, (figure_value){3.0, "mm", "7", FIGURE_AT_MOST, 5.0}, "size of %d boxes", 4));
    const figure_measure *m = &kit.result.measures.items[0];
    assert_string_equal(m->what, "size of 4 boxes");
    assert_string_equal(m->paper, "7");
    assert_string_equal(m->unit, "mm");
    figure_kit_close(&kit);
}

static void test_settings_change_a_scene(void **state)
{
    (void)state;
    figure_kit kit;
    figure_run run;
    figure_kit_open(&kit, "/nowhere");
    assert_true(figure_run_open(&kit.job, &run, "pendulum.json", "world.sub_steps=3 world.sleep=false", 1));
    assert_true(figure_run_until(&run, 0.1));
    assert_int_equal(sn_world_statistics(run.world).sub_steps, 3);
    assert_int_equal(run.steps, sn_world_step_count(run.world));
    assert_true(figure_run_mean(&run) > 0.0 && run.cpu_worst >= figure_run_mean(&run));
    figure_run_reset(&run);
    assert_int_equal(run.steps, 0);
    assert_true(figure_run_hash(&run, "end") && kit.result.hashes.items[0].hash == sn_world_hash(run.world));
    figure_run_close(&run);
    figure_kit_close(&kit);
}

static void test_names_find_what_there_is(void **state)
{
    (void)state;
    figure_kit kit;
    figure_run run;
    figure_kit_open(&kit, "/nowhere");
    assert_true(figure_run_open(&kit.job, &run, "jelly_chocolate_dish.json", "", 1));
    assert_true(sn_rigid_is_valid(run.world, figure_body(&run, "dish")));
    assert_false(sn_rigid_is_valid(run.world, figure_body(&run, "soup")));
    assert_true(sn_deformable_is_valid(run.world, figure_deformable(&run, "springs")));
    assert_false(sn_deformable_is_valid(run.world, figure_deformable(&run, "soup")));
    assert_true(isfinite(figure_probe(&run, "chocolate")) && isnan(figure_probe(&run, "soup")));
    figure_run_close(&run);
    figure_kit_close(&kit);
}

static void test_bad_scenes_and_settings_say_why(void **state)
{
    (void)state;
    figure_kit kit;
    figure_run run;
    figure_cost cost;
    figure_kit_open(&kit, "/nowhere");
    assert_false(figure_run_open(&kit.job, &run, "no_such_scene.json", "", 1));
    assert_non_null(strstr(sn_scene_error(), "no_such_scene.json"));
    figure_run_close(&run);
    assert_false(figure_run_open(&kit.job, &run, "tower.json", "world.sub_stops=3", 1));
    assert_non_null(strstr(sn_scene_error(), "sub_stops"));
    figure_run_close(&run);
    assert_false(figure_run_parse(&kit.job, &run, "{", "text", "", 1));
    figure_run_close(&run);
    assert_false(figure_cost_measure(&kit.job, "no_such_scene.json", "", 1.0, 2, &cost));
    figure_kit_close(&kit);
}

static void test_costs_are_of_the_fastest_run(void **state)
{
    (void)state;
    figure_kit kit;
    figure_cost cost;
    figure_kit_open(&kit, "/nowhere");
    assert_true(figure_cost_measure(&kit.job, "pendulum.json", "", 0.2, 2, &cost));
    assert_true(cost.mean > 0.0 && cost.worst >= cost.mean);
    figure_kit_close(&kit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bars_judge_measures),
        cmocka_unit_test(test_what_is_not_a_number_never_passes),
        cmocka_unit_test(test_notes_keep_their_words),
        cmocka_unit_test(test_settings_change_a_scene),
        cmocka_unit_test(test_names_find_what_there_is),
        cmocka_unit_test(test_bad_scenes_and_settings_say_why),
        cmocka_unit_test(test_costs_are_of_the_fastest_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
