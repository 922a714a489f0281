// `sinew check`: mistakes with their places, and warnings of what may surprise.
#include "apps/capture.h"
#include "apps/scene_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_a_sound_scene_is_fine_and_silent(void **state)
{
    captured c = capture("check %s/stack.json", *state);
    assert_int_equal(c.code, EXIT_FINE);
    assert_says(c.out, "stack.json: fine: 11 bodies, 11 shapes, 0 joints\n");
    assert_null(strstr(c.out, "warning"));
    assert_string_equal(c.err, "");
    captured_release(&c);
    c = capture("check %s/pendulum.json", *state);
    assert_says(c.out, "pendulum.json: fine: 1 body, 1 shape, 1 joint\n");
    assert_null(strstr(c.out, "warning"));
    captured_release(&c);
}

static void test_all_mistakes_are_shown_where_they_are(void **state)
{
    captured c = capture("check %s/bad.json", *state);
    assert_int_equal(c.code, EXIT_FAILED);
    assert_says(c.out, "bad.json:4:57: bodies[0].shape.radius: -1");
    assert_says(c.out,
                "\n     4 |     {\"name\": \"a\", \"shape\": {\"type\": \"sphere\", \"radius\": -1}},\n");
    assert_says(c.out, "\n       |                                                         ^\n");
    assert_says(c.out, "bad.json:5:6: bodies[1].nmae");
    assert_says(c.out, "did you mean \"name\"?");
    captured_release(&c);
}

static void test_of_many_scenes_one_bad_one_is_enough_to_fail(void **state)
{
    captured c = capture("check %s/stack.json %s/bad.json %s/pendulum.json %s/missing.json", *state);
    assert_int_equal(c.code, EXIT_FAILED);
    assert_says(c.out, "stack.json: fine");
    assert_says(c.out, "pendulum.json: fine");
    assert_says(c.out, "missing.json");
    assert_says(c.out, "2 of 4 scenes are bad\n");
    captured_release(&c);
}

// Checks a scene with these bodies and joints and returns what was printed; to be freed.
static char *check_text(const char *folder, const char *content)
{
    char text[4096];
    snprintf(text, sizeof text, "{\"sinew\": 1, %s}\n", content);
    capture_file(folder, "odd.json", text);
    captured c = capture("check %s/odd.json", folder);
    if (c.code != EXIT_FINE) {
        fprintf(stderr, "%s", c.out);
    }
    assert_int_equal(c.code, EXIT_FINE);
    assert_says(c.out, "odd.json: fine");
    free(c.err);
    return c.out;
}

typedef struct odd_scene {
    const char *content, *warning;
} odd_scene;

// Each is warned of, and nothing else is.
static void check_odd_scenes(void *state, const odd_scene *scenes, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        char *said = check_text(state, scenes[i].content);
        assert_says(said, scenes[i].warning);
        char *first = strstr(said, "warning");
        assert_null(strstr(first + 1, "warning"));
        free(said);
    }
}

static void test_what_may_surprise_is_warned_of(void **state)
{
    static const odd_scene scenes[] = {
        {"\"bodies\": [{\"name\": \"one\", \"shape\": {\"type\": \"box\", \"size\": [1, 1, 1]}},"
         "{\"name\": \"two\", \"position\": [0.5, 0, 0], \"shape\": {\"type\": \"box\", \"size\": [1, 1, "
         "1]}}]",
         "warning: bodies overlap deeply at the start and will be pushed apart; one and two by 50 %"},
        {"\"bodies\": [{\"name\": \"bob\", \"position\": [1, 0, 0], \"shape\": {\"type\": \"sphere\", "
         "\"radius\": 0.1}}],"
         "\"joints\": [{\"type\": \"ball\", \"name\": \"torn\", \"a\": \"ground\", \"b\": \"bob\","
         "\"frame_a\": {\"position\": [0, 0, 0]}, \"frame_b\": {\"position\": [-0.75, 0, 0]}}]",
         "warning: 1 joint is not met at the start; torn is off by 0.25"},
        {"\"bodies\": [{\"name\": \"fly\", \"position\": [0, 0, 0], \"shape\": {\"type\": \"sphere\", "
         "\"radius\": 0.01}},"
         "{\"name\": \"whale\", \"position\": [1, 0, 0], \"shape\": {\"type\": \"sphere\", \"radius\": "
         "0.5}}],"
         "\"joints\": [{\"type\": \"ball\", \"name\": \"leash\", \"a\": \"fly\", \"b\": \"whale\", \"at\": "
         "[0, 0, 0]}]",
         "warning: 1 joint holds bodies of very unequal mass; those of leash are 1.25e+05 : 1"},
        {"\"bodies\": [{\"name\": \"egg\", \"position\": [0, 0, 0], \"shape\": {\"type\": \"sphere\", "
         "\"radius\": 0.02}},"
         "{\"name\": \"safe\", \"position\": [0, 1.02, 0], \"shape\": {\"type\": \"box\", \"size\": [2, 2, "
         "2]}}]",
         "warning: bodies of very unequal mass touch; egg and safe are"},
        {"\"bodies\": [{\"name\": \"moon\", \"position\": [0, 0, 20000], \"shape\": {\"type\": \"sphere\", "
         "\"radius\": 1}}]",
         "warning: 1 body is farther than 4096 m from the origin; moon is 2e+04 m away"},
        {"\"bodies\": [{\"name\": \"ghost\"}]",
         "warning: 1 dynamic body has no shape and touches nothing; ghost weighs 1 kg"},
        {"\"bodies\": [{\"name\": \"bob\", \"position\": [1, 0, 0], \"mass\": 1,"
         "\"shape\": {\"type\": \"sphere\", \"radius\": 0.1}}],"
         "\"joints\": [{\"type\": \"distance\", \"name\": \"steel\", \"a\": \"ground\", \"b\": \"bob\","
         "\"from\": [0, 0, 0], \"to\": [1, 0, 0], \"spring\": {\"stiffness\": 1e8, \"length\": 1}}]",
         "warning: 1 spring is stiffer than sub-steps of 1.19 ms can follow; steel would swing at 1592 Hz"},
    };
    check_odd_scenes(*state, scenes, sizeof scenes / sizeof scenes[0]);
}

static void test_what_may_surprise_about_deformables_is_warned_of(void **state)
{
    static const odd_scene scenes[] = {
        {"\"deformables\": [{\"name\": \"plate\", \"inextensible\": {}, \"mesh\": {\"type\": \"grid\", "
         "\"width\": 1, \"height\": 100, \"columns\": 100, \"rows\": 1}}]",
         "warning: plate: 200 triangles are nearly flat"},
        {"\"deformables\": [{\"name\": \"rod\", \"model\": {\"type\": \"corotational\"}, \"mesh\": "
         "{\"type\": \"box\", \"size\": [100, 1, 1], \"cells\": [1, 1, 1]}}]",
         "warning: rod: 5 tetrahedra are nearly flat"},
        {"\"deformables\": [{\"name\": \"wall\", \"inextensible\": {}, \"mesh\": {\"type\": \"grid\", "
         "\"width\": 1, \"height\": 1}, \"fixed\": {\"lower\": [-9, -9, -9], \"upper\": [9, 9, 9]}}]",
         "warning: wall: all 441 nodes are fixed: it does not move"},
        {"\"deformables\": [{\"name\": \"ghost\", \"inextensible\": {}, \"collide\": false, \"mesh\": "
         "{\"type\": \"line\", \"length\": 1}}]",
         "warning: ghost touches nothing and has neither fixed nodes nor anchors: it falls for ever"},
        {"\"deformables\": [{\"name\": \"mud\", \"mesh\": {\"type\": \"box\", \"size\": [1, 1, 1], "
         "\"cells\": [1, 1, 1]}}]",
         "warning: mud: nothing keeps its shape"},
        {"\"step\": 0.2, \"bodies\": []", "warning: steps of 0.2 s are long"},
        {"\"bodies\": [{\"name\": \"pea\", \"position\": [0, 3, 0], \"shape\": {\"type\": \"sphere\", "
         "\"radius\": "
         "0.01}}], \"deformables\": [{\"name\": \"sheet\", \"inextensible\": {}, \"mesh\": {\"type\": "
         "\"grid\", "
         "\"width\": 1, \"height\": 1, \"columns\": 4, \"rows\": 4}}]",
         "m, are larger than pea, which is 0.02 m thick: it may sink in between nodes"},
        {"\"bodies\": [{\"name\": \"hook\", \"position\": [5, 0, 0], \"shape\": {\"type\": \"sphere\", "
         "\"radius\": "
         "0.5}}], \"deformables\": [{\"name\": \"sheet\", \"inextensible\": {}, \"mesh\": {\"type\": "
         "\"grid\", "
         "\"width\": 1, \"height\": 1, \"columns\": 4, \"rows\": 4}}], \"anchors\": [{\"name\": \"tie\", "
         "\"a\": "
         "\"sheet\", \"b\": \"hook\", \"at\": [0.5, 0.5, 0]}]",
         "warning: 1 anchor holds a body at a place beside it, as by an arm; that of tie is 4 times the "
         "body's size"},
        {"\"deformables\": [{\"name\": \"felt\", \"inextensible\": {}, \"self_collide\": true, "
         "\"thickness\": 0.1, \"mesh\": {\"type\": \"line\", \"length\": 1}}]",
         "warning: felt collides with itself but is 0.1 m thick with edges of 0.05 m"},
        {"\"deformables\": [{\"name\": \"felt\", \"inextensible\": {}, \"self_collide\": true, "
         "\"thickness\": 0.02, \"mesh\": {\"type\": \"line\", \"length\": 1}}]",
         "warning: felt collides with itself but is 0.02 m thick with edges of 0.05 m"},
        {"\"deformables\": [{\"name\": \"glove\", \"model\": {\"type\": \"corotational\"}, \"mesh\": "
         "{\"type\": \"lists\", \"nodes\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], \"tetrahedra\": "
         "[[0, 1, 2, 3]]}, "
         "\"positions\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, -1]]}]",
         "warning: glove: 1 tetrahedron is inside out at the start"},
        {"\"deformables\": [{\"name\": \"felt\", \"inextensible\": {}, \"thickness\": 0.1, \"mesh\": "
         "{\"type\": \"line\", \"length\": 1}}]",
         "warning: felt is 0.1 m thick, more than its edges are long, 0.05 m"},
        {"\"bodies\": [{\"name\": \"a\", \"shape\": {\"type\": \"sphere\", \"radius\": 0.5}}, {\"name\": "
         "\"b\", \"position\": [0, 2, 0], \"shape\": {\"type\": \"sphere\", \"radius\": 0.5}}], \"anchors\": "
         "[{\"a\": \"a\", \"b\": \"b\", \"at\": [3, 1, 0]}]",
         "warning: 1 joint holds two bodies at a place beside both, as by arms; that of"},
        {"\"deformables\": [{\"name\": \"rope\", \"inextensible\": {}, \"mesh\": {\"type\": \"line\", "
         "\"length\": 1}}], \"anchors\": [{\"name\": \"hook\", \"a\": \"rope\", \"b\": \"ground\", "
         "\"nodes_a\": [[0, 1]], \"point_b\": [-0.5, 0.25, 0]}]",
         "warning: 1 anchor is not met at the start; the points of hook are 0.25 m apart"},
        {"\"bodies\": [{\"name\": \"safe\", \"position\": [0.7, 0, 0], \"shape\": {\"type\": \"box\", "
         "\"size\": [0.3, 0.3, 0.3], \"density\": 8000}}], \"deformables\": [{\"name\": \"thread\", "
         "\"mass\": 0.01, \"inextensible\": {}, \"mesh\": {\"type\": \"line\", \"length\": 1}}], "
         "\"anchors\": [{\"name\": \"knot\", \"a\": \"thread\", \"b\": \"safe\", \"at\": [0.5, 0, 0]}]",
         "warning: 1 anchor holds things of very unequal mass; those of knot are 2.16e+04 : 1"},
        {"\"deformables\": [{\"name\": \"rope\", \"inextensible\": {}, \"mesh\": {\"type\": \"line\", "
         "\"length\": 1, \"cells\": 4}}], \"anchors\": [{\"name\": \"pin\", \"a\": \"rope\", \"b\": "
         "\"ground\", "
         "\"at\": [0.5, 0, 0], \"exact\": true}, {\"name\": \"peg\", \"a\": \"ground\", \"b\": \"rope\", "
         "\"at\": [0.5, 0, 0], \"exact\": true}]",
         "warning: 1 anchor cannot be exact beside the others and will be held by rows; peg: node 4 of rope "
         "is "
         "held by pin too"},
        {"\"bodies\": [{\"name\": \"bob\", \"shape\": {\"type\": \"sphere\", \"radius\": 0.1}}], "
         "\"anchors\": "
         "[{\"name\": \"pin\", \"a\": \"bob\", \"b\": \"ground\", \"at\": [0, 0, 0], \"exact\": true}]",
         "warning: 1 anchor cannot be exact beside the others and will be held by rows; pin: it holds no "
         "node"},
    };
    check_odd_scenes(*state, scenes, sizeof scenes / sizeof scenes[0]);
}

static void test_faces_that_cross_at_the_start_are_counted(void **state)
{
    char *said = check_text(
        *state,
        "\"deformables\": [{\"name\": \"level\", \"inextensible\": {}, \"rotation\": {\"axis\": [1, 0, 0], "
        "\"angle\": -90}, \"mesh\": {\"type\": \"grid\", \"width\": 1, \"height\": 1}}, {\"name\": "
        "\"upright\", \"inextensible\": {}, \"position\": [0.013, 0.02, 0.017], \"rotation\": {\"axis\": "
        "[0, 1, 0], \"angle\": 7}, \"mesh\": {\"type\": \"grid\", \"width\": 1, \"height\": 1}}]");
    assert_says(said, "pairs of faces touch or cross each other at the start");
    assert_says(said, "warning: level and upright overlap at the start");
    free(said);
    said = check_text(
        *state,
        "\"bodies\": [{\"name\": \"table\", \"type\": \"static\", \"shape\": {\"type\": \"plane\"}}], "
        "\"deformables\": [{\"name\": \"cloth\", \"inextensible\": {}, \"position\": [0, -0.02, 0], "
        "\"rotation\": {\"axis\": [1, 0, 0], \"angle\": -90}, \"mesh\": {\"type\": \"grid\", \"width\": 1, "
        "\"height\": 1}}]");
    assert_says(said, "800 pairs of faces touch or cross each other at the start");
    assert_says(said, "warning: cloth and table overlap at the start, by 0.025 m");
    free(said);
}

static void test_sound_deformables_pass(void **state)
{
    char *said = check_text(
        *state, "\"bodies\": [{\"name\": \"table\", \"type\": \"static\", \"shape\": {\"type\": "
                "\"plane\"}}], \"deformables\": [{\"name\": \"cloth\", \"inextensible\": {}, \"position\": "
                "[0, 0.005, 0], \"rotation\": {\"axis\": [1, 0, 0], \"angle\": -90}, \"mesh\": {\"type\": "
                "\"grid\", \"width\": 1, \"height\": 1}}, {\"name\": \"rope\", \"inextensible\": {}, "
                "\"position\": [0, 2, 0], \"mesh\": {\"type\": \"line\", \"length\": 1, \"cells\": 10}}], "
                "\"anchors\": [{\"a\": \"rope\", \"b\": \"ground\", \"at\": [0.5, 2, 0]}, {\"a\": \"rope\", "
                "\"b\": \"ground\", \"nodes_a\": [[0, 1]], \"point_b\": [0, 5, 0], \"active_from\": 3}]");
    assert_says(said, "1 body, 1 shape, 0 joints, 2 deformables of 452 nodes, 2 anchors (1 off)\n");
    assert_null(strstr(said, "warning"));
    free(said);
}

static void test_soft_springs_touching_bodies_and_thin_floors_pass(void **state)
{
    static const char *const scenes[] = {
        "\"bodies\": [{\"name\": \"bob\", \"position\": [1, 0, 0], \"mass\": 1,"
        "\"shape\": {\"type\": \"sphere\", \"radius\": 0.1}}],"
        "\"joints\": [{\"type\": \"distance\", \"a\": \"ground\", \"b\": \"bob\","
        "\"from\": [0, 0, 0], \"to\": [1, 0, 0], \"spring\": {\"stiffness\": 1e3, \"length\": 1}}]",
        "\"bodies\": [{\"shape\": {\"type\": \"box\", \"size\": [1, 1, 1]}},"
        "{\"position\": [0, 0.99, 0], \"shape\": {\"type\": \"box\", \"size\": [1, 1, 1]}}]",
        "\"bodies\": [{\"type\": \"static\", \"shape\": {\"type\": \"box\", \"size\": [9, 0.01, 9]}},"
        "{\"position\": [0, 0.5, 0], \"shape\": {\"type\": \"box\", \"size\": [1, 1, 1]}}]",
        "\"bodies\": [{\"type\": \"static\", \"name\": \"nothing\"}]",
    };
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; ++i) {
        char *said = check_text(*state, scenes[i]);
        assert_null(strstr(said, "warning"));
        free(said);
    }
}

static void test_what_the_camera_cuts_off_is_warned_of(void **state)
{
    static const char scene[] =
        "\"world\": {\"gravity\": [0, 0, 0]}, \"bodies\": [{\"name\": \"ball\", \"shape\": {\"type\": "
        "\"sphere\", \"radius\": 0.1}}, {\"name\": \"tall\", \"position\": [%s, 0, 0], \"shape\": {\"type\": "
        "\"box\", \"size\": [0.1, %s, 0.1]}}], \"cameras\": [{\"name\": \"near\", \"eye\": [0, 0, 10], "
        "\"target\": [0, 0, 0], \"field_of_view\": 30}]";
    char text[1024];
    snprintf(text, sizeof text, scene, "1", "8");
    char *said = check_text(*state, text);
    assert_says(said, "warning: camera \"near\" cuts 1 thing off; tall at the ");
    free(said);
    snprintf(text, sizeof text, scene, "1", "4");
    said = check_text(*state, text);
    assert_null(strstr(said, "warning"));
    free(said);
    // How much of the picture things take is told once they had time to move.
    snprintf(text, sizeof text, scene, "0.3", "0.4");
    said = check_text(*state, text);
    assert_null(strstr(said, "warning"));
    free(said);
    captured c = capture("check %s/odd.json --seconds 0.2", *state);
    assert_says(c.out, "warning: camera \"near\" is far away: what moves takes ");
    captured_release(&c);
}

static void test_settings_are_checked_too(void **state)
{
    captured c = capture("check %s/stack.json --set world.sub_steps=9999", *state);
    assert_int_equal(c.code, EXIT_FAILED);
    assert_says(c.out, "9999");
    captured_release(&c);
    c = capture("check %s/stack.json --set bodies[1].repeat.count=4", *state);
    assert_int_equal(c.code, EXIT_FINE);
    assert_says(c.out, "5 bodies");
    captured_release(&c);
}

static void test_files_that_are_no_scenes_are_bad(void **state)
{
    static const char *const contents[] = {"",
                                           "{",
                                           "[]",
                                           "\"sinew\"",
                                           "{\"sinew\": 2}",
                                           "{\"sinew\": 1",
                                           "\377\376",
                                           "{\"sinew\": 1, \"sinew\": 1}",
                                           "not json at all"};
    for (size_t i = 0; i < sizeof contents / sizeof contents[0]; ++i) {
        capture_file(*state, "odd.json", contents[i]);
        captured c = capture("check %s/odd.json", *state);
        assert_int_equal(c.code, EXIT_FAILED);
        assert_says(c.out, "odd.json");
        captured_release(&c);
    }
    captured c = capture("check %s", *state);
    assert_int_equal(c.code, EXIT_FAILED);
    captured_release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_sound_scene_is_fine_and_silent),
        cmocka_unit_test(test_all_mistakes_are_shown_where_they_are),
        cmocka_unit_test(test_of_many_scenes_one_bad_one_is_enough_to_fail),
        cmocka_unit_test(test_what_may_surprise_is_warned_of),
        cmocka_unit_test(test_what_may_surprise_about_deformables_is_warned_of),
        cmocka_unit_test(test_faces_that_cross_at_the_start_are_counted),
        cmocka_unit_test(test_sound_deformables_pass),
        cmocka_unit_test(test_soft_springs_touching_bodies_and_thin_floors_pass),
        cmocka_unit_test(test_what_the_camera_cuts_off_is_warned_of),
        cmocka_unit_test(test_settings_are_checked_too),
        cmocka_unit_test(test_files_that_are_no_scenes_are_bad),
    };
    return cmocka_run_group_tests(tests, make_scene_folder, remove_scene_folder);
}
