// The last message of a thread.
#include "scene/scene_kit.h"

#include "scene/message.h"

#include <pthread.h>

static void test_a_failure_returns_its_status_and_leaves_its_message(void **state)
{
    (void)state;
    assert_int_equal(sn_scene_fail(SN_ERROR_RANGE, "%s is %d", "five", 5), SN_ERROR_RANGE);
    assert_string_equal(sn_scene_error(), "five is 5");
}

static void test_a_message_may_quote_the_one_before(void **state)
{
    (void)state;
    (void)sn_scene_fail(SN_ERROR_FILE, "a.obj: cannot be opened");
    (void)sn_scene_fail(SN_ERROR_FORMAT, "bodies[0]: %s", sn_scene_error());
    assert_string_equal(sn_scene_error(), "bodies[0]: a.obj: cannot be opened");
}

static void test_what_is_too_long_is_cut(void **state)
{
    (void)state;
    char *text = malloc(100001);
    memset(text, 'x', 100000);
    text[100000] = '\0';
    (void)sn_scene_fail(SN_ERROR_FORMAT, "%s", text);
    assert_in_range(strlen(sn_scene_error()), 10000, 99999);
    assert_int_equal(strspn(sn_scene_error(), "x"), strlen(sn_scene_error()));
    free(text);
}

static void *fail_elsewhere(void *unused)
{
    (void)sn_scene_fail(SN_ERROR_FORMAT, "elsewhere");
    return unused;
}

static void test_each_thread_has_its_own(void **state)
{
    (void)state;
    pthread_t thread;
    (void)sn_scene_fail(SN_ERROR_FORMAT, "here");
    assert_int_equal(pthread_create(&thread, NULL, fail_elsewhere, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_string_equal(sn_scene_error(), "here");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_failure_returns_its_status_and_leaves_its_message),
        cmocka_unit_test(test_a_message_may_quote_the_one_before),
        cmocka_unit_test(test_what_is_too_long_is_cut),
        cmocka_unit_test(test_each_thread_has_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
