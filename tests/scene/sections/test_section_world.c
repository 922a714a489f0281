// Settings of the world: every one arrives, and comes back when the scene is saved.
#include "scene/scene_kit.h"

static sn_world_def settings_of(const char *members)
{
    char text[1024];
    snprintf(text, sizeof text, "{'sinew': 1, 'world': {%s}}", members);
    sn_scene *scene = scene_of(text);
    sn_world_def def = sn_world_settings(sn_scene_world(scene));
    sn_scene_destroy(scene);
    return def;
}

static void assert_same_settings(const sn_world_def *a, const sn_world_def *b)
{
    assert_vector(a->gravity, b->gravity.x, b->gravity.y, b->gravity.z, 0.0);
    assert_int_equal(a->sub_steps, b->sub_steps);
    assert_int_equal(a->sleep, b->sleep);
    assert_int_equal(a->continuous, b->continuous);
    assert_true(a->contact_stiffness == b->contact_stiffness && a->contact_damping == b->contact_damping);
    assert_true(a->constraint_stiffness == b->constraint_stiffness);
    assert_true(a->constraint_damping == b->constraint_damping && a->push_speed == b->push_speed);
    assert_true(a->restitution_threshold == b->restitution_threshold);
    assert_true(a->hit_threshold == b->hit_threshold && a->speculative_margin == b->speculative_margin);
    assert_true(a->sleep_speed == b->sleep_speed && a->sleep_time == b->sleep_time);
    assert_int_equal(a->solver, b->solver);
    assert_int_equal(a->staggered.rigid_iterations, b->staggered.rigid_iterations);
    assert_int_equal(a->staggered.node_iterations, b->staggered.node_iterations);
    assert_true(a->staggered.correction == b->staggered.correction);
    assert_true(a->staggered.warm_start == b->staggered.warm_start);
    assert_int_equal(a->staggered.dummy_nodes, b->staggered.dummy_nodes);
}

static void test_without_a_word_the_world_is_as_by_default(void **state)
{
    (void)state;
    sn_world_def plain = sn_world_def_default(), def = settings_of("");
    assert_same_settings(&def, &plain);
}

static const char all_settings[] =
    "'gravity': [1, -2, 3], 'sub_steps': 21, 'sleep': false, 'continuous': false, 'contact_stiffness': 0.11,"
    " 'contact_damping': 12, 'constraint_stiffness': 0.13, 'constraint_damping': 14, 'push_speed': 15,"
    " 'restitution_threshold': 0.16, 'hit_threshold': 0.17, 'speculative_margin': 0.018, 'sleep_speed': "
    "0.019,"
    " 'sleep_time': 0.2, 'solver': 'staggered', 'staggered': {'rigid_iterations': 3, 'node_iterations': 4,"
    " 'correction': 0.22, 'warm_start': 0.23, 'dummy_nodes': true}";

static sn_world_def expected_settings(void)
{
    sn_world_def expected = sn_world_def_default();
    expected.gravity = sn_v(1.0f, -2.0f, 3.0f);
    expected.sub_steps = 21;
    expected.sleep = expected.continuous = false;
    expected.contact_stiffness = 0.11f;
    expected.contact_damping = 12.0f;
    expected.constraint_stiffness = 0.13f;
    expected.constraint_damping = 14.0f;
    expected.push_speed = 15.0f;
    expected.restitution_threshold = 0.16f;
    expected.hit_threshold = 0.17f;
    expected.speculative_margin = 0.018f;
    expected.sleep_speed = 0.019f;
    expected.sleep_time = 0.2f;
    expected.solver = SN_SOLVER_STAGGERED;
    expected.staggered = (sn_staggered){3, 4, 0.22f, 0.23f, true};
    return expected;
}

static void test_every_setting_arrives(void **state)
{
    (void)state;
    sn_world_def def = settings_of(all_settings), expected = expected_settings();
    assert_same_settings(&def, &expected);
}

static void test_every_setting_is_saved(void **state)
{
    (void)state;
    scene_folder folder = folder_make();
    scene_path path = path_in(&folder, "saved.json");
    char text[1024];
    snprintf(text, sizeof text, "{'sinew': 1, 'world': {%s}}", all_settings);
    sn_scene *scene = scene_of(text);
    assert_int_equal(sn_scene_save(scene, path.text), SN_OK);
    sn_scene_destroy(scene);
    scene = scene_of_file(path.text);
    sn_world_def def = sn_world_settings(sn_scene_world(scene)), expected = expected_settings();
    assert_same_settings(&def, &expected);
    sn_scene_destroy(scene);
    folder_remove(folder.path);
}

static void test_long_range_is_a_word_or_switches(void **state)
{
    (void)state;
    sn_long_range none = sn_long_range_off(), all = sn_long_range_auto();
    sn_world_def off = settings_of("'long_range': 'off'"), word = settings_of("'long_range': 'auto'");
    sn_world_def some = settings_of("'long_range': {'support': false}");
    assert_memory_equal(&off.long_range, &none, sizeof none);
    assert_memory_equal(&word.long_range, &all, sizeof all);
    assert_true(some.long_range.bounds && some.long_range.unions && !some.long_range.support);
}

static void test_bounds_are_allowed(void **state)
{
    (void)state;
    sn_world_def def = settings_of("'sub_steps': 0, 'contact_stiffness': 0.25, 'contact_damping': 0,"
                                   " 'speculative_margin': 1, 'sleep_speed': 0, 'gravity': [0, 0, 0]");
    assert_int_equal(def.sub_steps, 0);
    assert_true(def.contact_stiffness == 0.25f && def.speculative_margin == 1.0f);
    def = settings_of("'sub_steps': 256, 'speculative_margin': 0.001");
    assert_int_equal(def.sub_steps, 256);
    assert_true(def.speculative_margin == 0.001f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_a_word_the_world_is_as_by_default),
        cmocka_unit_test(test_every_setting_arrives),
        cmocka_unit_test(test_every_setting_is_saved),
        cmocka_unit_test(test_long_range_is_a_word_or_switches),
        cmocka_unit_test(test_bounds_are_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
