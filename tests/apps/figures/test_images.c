// Pictures and plots of items: written, listed with their captions, and left out where they cannot be made.
#include "apps/capture.h"
#include "figure_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double x[3] = {1.0, 10.0, 100.0}, y[3] = {0.1, 0.01, 0.003};
static const figure_curve curves[2] = {{"measured", x, y, 3, true}, {"a line", x, y, 3, false}};

static void test_plots_are_drawn_with_points_lines_and_logarithms(void **state)
{
    (void)state;
    char *folder = capture_folder();
    figure_kit kit;
    figure_kit_open(&kit, folder);
    assert_true(figure_plot(&kit.job, "plot", "Errors", (figure_axes){"sweeps", "m", true, true}, curves, 2));
    if (kit.job.no_plots[0] == '\0') { // gnuplot is installed
        assert_true(capture_exists(folder, "plot.svg"));
        assert_int_equal(kit.result.images.count, 1);
        assert_string_equal(kit.result.images.items[0].file, "plot.svg");
        assert_string_equal(kit.result.images.items[0].caption, "Errors");
        assert_int_equal(kit.result.images.items[0].kind, FIGURE_PLOT);
    }
    figure_kit_close(&kit);
    capture_remove(folder);
}

static void test_plots_without_gnuplot_are_left_out_and_it_is_said_why(void **state)
{
    (void)state;
    figure_kit kit;
    char *path = strdup(getenv("PATH"));
    figure_kit_open(&kit, "/tmp");
    setenv("PATH", "/nowhere", 1);
    assert_true(figure_plot(&kit.job, "plot", "Errors", (figure_axes){"x", "m", false, false}, curves, 2));
    setenv("PATH", path, 1);
    free(path);
    assert_says(kit.job.no_plots, "gnuplot is not installed");
    assert_int_equal(kit.result.images.count, 0);
    figure_kit_close(&kit);
}

static void test_pictures_are_written_and_quick_films_only_run(void **state)
{
    (void)state;
    char *folder = capture_folder();
    figure_kit kit;
    figure_run run;
    figure_kit_open(&kit, folder);
    assert_true(figure_run_open(&kit.job, &run, "pendulum.json", "", 1));
    assert_true(figure_film(&run, 0.1, "film", "A film"));
    assert_true(sn_world_time(run.world) > 0.09);
    assert_false(capture_exists(folder, "film.mp4"));
    assert_true(figure_picture(&run, "picture", "A picture"));
    assert_int_equal(capture_exists(folder, "picture.png"), kit.job.no_pictures[0] == '\0');
    figure_run_close(&run);
    figure_kit_close(&kit);
    capture_remove(folder);
}

static void test_pictures_that_cannot_be_written_fail(void **state)
{
    (void)state;
    figure_kit kit;
    figure_run run;
    figure_kit_open(&kit, "/nowhere/at/all");
    assert_true(figure_run_open(&kit.job, &run, "pendulum.json", "", 1));
    bool written = figure_picture(&run, "picture", "A picture");
    if (kit.job.no_pictures[0] == '\0') {
        assert_false(written);
        assert_says(sn_scene_error(), "/nowhere/at/all");
    }
    figure_run_close(&run);
    figure_kit_close(&kit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plots_are_drawn_with_points_lines_and_logarithms),
        cmocka_unit_test(test_plots_without_gnuplot_are_left_out_and_it_is_said_why),
        cmocka_unit_test(test_pictures_are_written_and_quick_films_only_run),
        cmocka_unit_test(test_pictures_that_cannot_be_written_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
