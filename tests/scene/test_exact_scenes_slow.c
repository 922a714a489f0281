// The scenes of exact anchors do what they say: counts of the paper, nothing held by rows instead, ends that
// coincide after every step, and what one sees in the pictures.
#include "scene/soft_scene_kit.h"

#include <math.h>

static sn_scene *load(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, SOURCE_FOLDER "/scenes/%s.json", name);
    return scene_of_file(path);
}

// Four units in the last place of coordinates up to four metres.
#define ROUNDING 2e-6

static void run_until(const sn_scene *scene, double time)
{
    sn_world *world = sn_scene_world(scene);
    while (sn_world_time(world) < time - 1e-6) {
        assert_int_equal(sn_world_step(world, sn_scene_step_length(scene)), SN_OK);
        sn_statistics now = sn_world_statistics(world);
        assert_int_equal(now.exact_rows_count, 0);
        assert_int_equal(now.frozen_node_count, 0);
        assert_near((double)now.exact_error, 0.0, ROUNDING);
    }
}

static int exact_count(const sn_scene *scene)
{
    return sn_world_statistics(sn_scene_world(scene)).exact_count;
}

static sn_vec3 center_of(const sn_scene *scene, const char *name)
{
    return sn_deformable_measure_now(sn_scene_world(scene), soft_of(scene, name)).center;
}

// Largest error of the anchors of a name.
static double error_of(const sn_scene *scene, const char *name)
{
    const sn_world *world = sn_scene_world(scene);
    int count = sn_world_anchors(world, NULL, 0);
    sn_anchor *anchors = malloc(((size_t)count + 1) * sizeof *anchors);
    assert_non_null(anchors);
    sn_world_anchors(world, anchors, count);
    double largest = -1.0;
    for (int i = 0; i < count; ++i) {
        const char *given = sn_anchor_definition(world, anchors[i]).name;
        if (given != NULL && strcmp(given, name) == 0) {
            largest = fmax(largest, (double)sn_anchor_error(world, anchors[i]));
        }
    }
    free(anchors);
    return largest;
}

static void test_the_checkerboard_hangs_and_is_released(void **state)
{
    (void)state;
    sn_scene *scene = load("checkerboard");
    run_until(scene, 1.0);
    assert_int_equal(exact_count(scene), 2964 + 160);
    assert_near((double)center_of(scene, "dark").y, 1.7, 0.2);
    run_until(scene, 2.2);
    assert_int_equal(exact_count(scene), 0);
    assert_true(center_of(scene, "dark").y < 0.8f);
    assert_true(error_of(scene, "joints") > 0.1);
    sn_scene_destroy(scene);
}

static void test_the_robot_slides_down_its_ropes(void **state)
{
    (void)state;
    sn_scene *scene = load("rope_robot");
    float start = center_of(scene, "torso").x;
    run_until(scene, 2.0);
    assert_int_equal(exact_count(scene), sn_world_anchors(sn_scene_world(scene), NULL, 0));
    assert_true(center_of(scene, "torso").x > start + 2.0f);
    assert_near(error_of(scene, "hands"), 0.0, ROUNDING);
    sn_scene_destroy(scene);
}

static void test_the_net_becomes_a_bridge_and_lifts_the_chest(void **state)
{
    (void)state;
    sn_scene *scene = load("net_bridge");
    run_until(scene, 2.9);
    int net = exact_count(scene);
    float low = position_of(scene, "chest").y;
    assert_true(low < 1.1f);
    run_until(scene, 8.0);
    assert_true(exact_count(scene) > 2 * net);
    assert_true(position_of(scene, "chest").y > low + 0.5f);
    sn_scene_destroy(scene);
}

static void test_the_figure_puts_itself_together(void **state)
{
    (void)state;
    sn_scene *scene = load("assembly");
    assert_true(error_of(scene, "joints") > 1.0);
    run_until(scene, 9.0);
    assert_int_equal(exact_count(scene), 52);
    assert_true(error_of(scene, "joints") < 1e-3);
    sn_vec3 along = sn_sub(center_of(scene, "head"), center_of(scene, "neck"));
    assert_near((double)sn_length(along), 0.2236, 0.01); // as in the plan: 0.1 along, 0.2 above
    sn_scene_destroy(scene);
}

static void test_the_marionette_dances_on_its_strings(void **state)
{
    (void)state;
    sn_scene *scene = load("marionette");
    float lowest = 9.0f, highest = 0.0f;
    for (int i = 1; i <= 30; ++i) {
        run_until(scene, 0.1 * i);
        float hand = center_of(scene, "left forearm").y;
        lowest = hand < lowest ? hand : lowest;
        highest = hand > highest ? hand : highest;
        assert_true(center_of(scene, "head").y > 0.8f);
    }
    assert_true(highest - lowest > 0.1f);
    assert_near(error_of(scene, "strings"), 0.0, ROUNDING);
    sn_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_checkerboard_hangs_and_is_released),
        cmocka_unit_test(test_the_robot_slides_down_its_ropes),
        cmocka_unit_test(test_the_net_becomes_a_bridge_and_lifts_the_chest),
        cmocka_unit_test(test_the_figure_puts_itself_together),
        cmocka_unit_test(test_the_marionette_dances_on_its_strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
