// Frames show the nearest whole step, and films keep real time.
#include "apps/capture.h"
#include "apps/timeline.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double sixtieth = (double)(1.0f / 60.0f);

static void test_whole_steps_of_a_duration(void **state)
{
    (void)state;
    assert_int_equal(timeline_steps(10.0, sixtieth), 600);
    assert_int_equal(timeline_steps(0.0, sixtieth), 0);
    assert_int_equal(timeline_steps(-1.0, sixtieth), 0);
    assert_int_equal(timeline_steps(0.0249, sixtieth), 1);
    assert_int_equal(timeline_steps(0.0251, sixtieth), 2);
}

static void test_the_usual_rate_is_near_thirty_and_shows_whole_steps(void **state)
{
    (void)state;
    assert_true(timeline_usual_rate(sixtieth) == 30.0);
    assert_true(timeline_usual_rate((double)0.02f) == 25.0);
    assert_true(timeline_usual_rate((double)0.01f) == 33.333);
    assert_true(timeline_usual_rate((double)(1.0f / 240.0f)) == 30.0);
    assert_true(timeline_usual_rate((double)(1.0f / 128.0f)) == 32.0);
    assert_true(timeline_usual_rate((double)0.04f) == 25.0);
    assert_true(timeline_usual_rate(0.5) == 30.0); // frames are shown several times
    timeline t = {(double)0.02f, timeline_usual_rate((double)0.02f)};
    for (uint64_t frame = 0; frame < 1000; ++frame) {
        assert_int_equal(timeline_frame_step(&t, frame), 2 * frame);
    }
}

static void test_frames_that_fit_are_whole_numbers_of_steps(void **state)
{
    (void)state;
    timeline thirty = {sixtieth, 30.0};
    for (uint64_t frame = 0; frame < 3000; ++frame) {
        assert_int_equal(timeline_frame_step(&thirty, frame), 2 * frame);
    }
    timeline sixty = {sixtieth, 60.0};
    assert_int_equal(timeline_frame_step(&sixty, 599), 599);
}

static void test_frames_that_do_not_fit_are_never_off_by_more_than_half_a_step(void **state)
{
    (void)state;
    const double rates[] = {24.0, 25.0, 50.0, 120.0, 7.5};
    for (int i = 0; i < 5; ++i) {
        timeline t = {sixtieth, rates[i]};
        for (uint64_t frame = 0; frame < 1000; ++frame) {
            double shown = (double)timeline_frame_step(&t, frame) * t.step_length;
            assert_true(fabs(shown - (double)frame / rates[i]) <= 0.5 * t.step_length + 1e-9);
        }
    }
}

static void test_a_run_has_a_frame_at_both_ends(void **state)
{
    (void)state;
    timeline thirty = {sixtieth, 30.0};
    assert_int_equal(timeline_frame_count(&thirty, 60), 31);
    assert_int_equal(timeline_frame_count(&thirty, 61), 31);
    assert_int_equal(timeline_frame_count(&thirty, 0), 1);
    timeline slow = {sixtieth, 0.1};
    assert_int_equal(timeline_frame_count(&slow, 1), 1);
}

// What timeline_note prints on stderr; to be freed.
static char *note_of(timeline timeline)
{
    FILE *err = tmpfile();
    fflush(stderr);
    int old = dup(STDERR_FILENO);
    dup2(fileno(err), STDERR_FILENO);
    timeline_note(&timeline, "render");
    fflush(stderr);
    dup2(old, STDERR_FILENO);
    close(old);
    char *text = capture_read(err);
    fclose(err);
    return text;
}

static void test_only_frames_that_do_not_fit_are_told(void **state)
{
    (void)state;
    const double fitting[] = {60.0, 30.0, 20.0, 10.0, 1.0};
    for (int i = 0; i < 5; ++i) {
        char *said = note_of((timeline){sixtieth, fitting[i]});
        assert_string_equal(said, "");
        free(said);
    }
    const double others[] = {24.0, 25.0, 120.0};
    for (int i = 0; i < 3; ++i) {
        char *said = note_of((timeline){sixtieth, others[i]});
        assert_says(said, "sinew render: note: ");
        assert_says(said, "nearest step");
        free(said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_steps_of_a_duration),
        cmocka_unit_test(test_the_usual_rate_is_near_thirty_and_shows_whole_steps),
        cmocka_unit_test(test_frames_that_fit_are_whole_numbers_of_steps),
        cmocka_unit_test(test_frames_that_do_not_fit_are_never_off_by_more_than_half_a_step),
        cmocka_unit_test(test_a_run_has_a_frame_at_both_ends),
        cmocka_unit_test(test_only_frames_that_do_not_fit_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
