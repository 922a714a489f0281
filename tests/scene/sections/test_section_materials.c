// Materials and categories.
#include "scene/scene_kit.h"

static sn_shape_def shape_def_of(const sn_scene *scene, const char *body)
{
    sn_shape shape;
    shapes_of(scene, body, &shape, 1);
    return sn_shape_definition(sn_scene_world(scene), shape);
}

static sn_color color_of(const sn_scene *scene, const char *body)
{
    sn_shape shape;
    shapes_of(scene, body, &shape, 1);
    return sn_scene_shape_color(scene, shape);
}

#define BALL(NAME, MORE)                                                                                     \
    "{'name': '" NAME "', 'shape': {'type': 'sphere', 'radius': 1, 'material': 'm'" MORE "}}"

static void test_a_material_gives_all_it_has(void **state)
{
    (void)state;
    sn_scene *scene = scene_of("{'sinew': 1, 'materials': [{'name': 'm', 'density': 7800, 'friction': 0.3,"
                               " 'restitution': 0.4, 'rolling_resistance': 0.05, 'color': '#123456'}],"
                               " 'bodies': [" BALL("b", "") "]}");
    sn_shape_def def = shape_def_of(scene, "b");
    assert_true(def.density == 7800.0f && def.friction == 0.3f);
    assert_true(def.restitution == 0.4f && def.rolling_resistance == 0.05f);
    assert_int_equal(color_of(scene, "b"), 0x123456);
    sn_scene_destroy(scene);
}

static void test_what_a_material_does_not_say_is_as_by_default(void **state)
{
    (void)state;
    sn_scene *scene = scene_of("{'sinew': 1, 'materials': [{'name': 'm'}], 'bodies': [" BALL("b", "") "]}");
    sn_shape_def def = shape_def_of(scene, "b"), plain = sn_shape_def_default();
    assert_true(def.density == plain.density && def.friction == plain.friction);
    assert_true(def.restitution == plain.restitution);
    assert_true(def.rolling_resistance == plain.rolling_resistance);
    sn_scene_destroy(scene);
}

static void test_what_a_shape_says_goes_before_its_material(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(
        "{'sinew': 1, 'materials': [{'name': 'm', 'density': 7800, 'friction': 0.3, 'restitution': 0.4,"
        " 'rolling_resistance': 0.05, 'color': '#111111'}],"
        " 'bodies': [" BALL("a", ", 'density': 1000, 'restitution': 0") ", " BALL(
            "b",
            ", 'friction': "
            "0.5") ", " BALL("c",
                             ", 'rolling_resistance': 0, 'color': '#333333'") ","
                                                                              "{'name': 'd', 'color': "
                                                                              "'#222222', "
                                                                              "'shape': {'type': 'sphere', "
                                                                              "'radius': "
                                                                              "1, 'material': 'm'}},"
                                                                              "{'name': 'e', 'color': "
                                                                              "'#222222', "
                                                                              "'shape': {'type': 'sphere', "
                                                                              "'radius': "
                                                                              "1, 'color': '#333333'}}]}");
    // Even if it says what is the default anyway.
    assert_true(shape_def_of(scene, "a").density == 1000.0f && shape_def_of(scene, "a").restitution == 0.0f);
    assert_true(shape_def_of(scene, "a").friction == 0.3f);
    assert_true(shape_def_of(scene, "b").friction == 0.5f && shape_def_of(scene, "b").density == 7800.0f);
    assert_true(shape_def_of(scene, "c").rolling_resistance == 0.0f);
    assert_int_equal(color_of(scene, "a"), 0x111111);
    assert_int_equal(color_of(scene, "c"), 0x333333);
    assert_int_equal(color_of(scene, "d"), 0x222222);
    assert_int_equal(color_of(scene, "e"), 0x333333);
    sn_scene_destroy(scene);
}

static void test_categories_become_bits_of_filters(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of("{'sinew': 1, 'categories': ['wheel', 'terrain', 'debris'], 'bodies': ["
                 "{'name': 'a', 'shape': {'type': 'sphere', 'radius': 1}},"
                 "{'name': 'b', 'shape': {'type': 'sphere', 'radius': 1, 'category': 'wheel', "
                 "'collides_with': 'terrain'}},"
                 "{'name': 'c', 'shape': {'type': 'sphere', 'radius': 1, 'category': ['default', 'debris'],"
                 " 'collides_with': [], 'group': -3}}]}");
    sn_filter a = shape_def_of(scene, "a").filter, b = shape_def_of(scene, "b").filter,
              c = shape_def_of(scene, "c").filter, plain = sn_shape_def_default().filter;
    assert_true(a.category == plain.category && a.mask == plain.mask && a.group == 0);
    assert_true(b.category == 2 && b.mask == 4);
    assert_true(c.category == 9 && c.mask == 0 && c.group == -3);
    sn_scene_destroy(scene);
}

static void test_there_may_be_63_categories(void **state)
{
    (void)state;
    char text[2048] = "{'sinew': 1, 'categories': [";
    for (int i = 1; i <= 63; ++i) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s'c%d'", i > 1 ? ", " : "", i);
    }
    strcat(text,
           "], 'bodies': [{'name': 'b', 'shape': {'type': 'sphere', 'radius': 1, 'category': 'c63'}}]}");
    sn_scene *scene = scene_of(text);
    assert_true(shape_def_of(scene, "b").filter.category == (uint64_t)1 << 63);
    sn_scene_destroy(scene);
}

// Two balls that would fall on each other.
static void test_filters_decide_what_touches(void **state)
{
    (void)state;
    const char text[] = "{'sinew': 1, 'categories': ['ghost'], 'bodies': [{'name': 'floor', 'type': 'static',"
                        " 'shape': {'type': 'box', 'size': [9, 1, 9], 'collides_with': '%s'}},"
                        " {'name': 'b', 'position': [0, 2, 0], 'shape': {'type': 'sphere', 'radius': 0.5}}]}";
    for (int ghost = 0; ghost < 2; ++ghost) {
        char full[512];
        snprintf(full, sizeof full, text, ghost ? "ghost" : "default");
        sn_scene *scene = scene_of(full);
        step_scene(scene, 120);
        assert_true(ghost ? position_of(scene, "b").y < -5.0f : position_of(scene, "b").y > 0.9f);
        sn_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_material_gives_all_it_has),
        cmocka_unit_test(test_what_a_material_does_not_say_is_as_by_default),
        cmocka_unit_test(test_what_a_shape_says_goes_before_its_material),
        cmocka_unit_test(test_categories_become_bits_of_filters),
        cmocka_unit_test(test_there_may_be_63_categories),
        cmocka_unit_test(test_filters_decide_what_touches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
