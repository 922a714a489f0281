// Typed values, accepted and refused.
#include "scene/scene_kit.h"

#include "scene/fields.h"

#include <float.h>
#include <math.h>

// One value as a document of its own.
typedef struct value {
    sn_document document;
    sn_mistakes *mistakes;
    sn_node node;
} value;

static value value_of(const char *text)
{
    value v;
    char *json = json_of(text);
    assert_int_equal(sn_document_parse(json, strlen(json), "v", &v.document), SN_OK);
    free(json);
    v.mistakes = calloc(1, sizeof *v.mistakes);
    v.node = sn_node_root(&v.document, v.mistakes);
    return v;
}

// The value as it should be said after a failure, nothing otherwise.
static void end(value *v, bool accepted, const char *expected)
{
    v->node.document = &v->document;
    if (expected == NULL) {
        assert_true(accepted);
        assert_int_equal(v->mistakes->count, 0);
    } else {
        assert_false(accepted);
        assert_int_equal(v->mistakes->count, 1);
        assert_contains(v->mistakes->text, expected);
    }
    sn_document_release(&v->document);
    free(v->mistakes);
}

#define READ(TEXT, EXPECTED, CALL)                                                                           \
    do {                                                                                                     \
        value v = value_of(TEXT);                                                                            \
        v.node.document = &v.document;                                                                       \
        bool accepted = (CALL);                                                                              \
        end(&v, accepted, EXPECTED);                                                                         \
    } while (0)

static void test_flags(void **state)
{
    (void)state;
    bool flag = false;
    READ("true", NULL, sn_node_flag(&v.node, &flag));
    assert_true(flag);
    READ("false", NULL, sn_node_flag(&v.node, &flag));
    assert_false(flag);
    READ("0", "0 is not allowed, expected true or false", sn_node_flag(&v.node, &flag));
}

static void test_whole_numbers(void **state)
{
    (void)state;
    int number = 0;
    sn_range any = {0}, few = SN_BETWEEN(-3, 5);
    READ("2147483647", NULL, sn_node_integer(&v.node, any, &number));
    assert_int_equal(number, INT32_MAX);
    READ("-2147483647.0", NULL, sn_node_integer(&v.node, any, &number));
    assert_int_equal(number, -INT32_MAX);
    READ("2147483648", "expected a whole number", sn_node_integer(&v.node, any, &number));
    READ("9223372036854775807", "expected a whole number", sn_node_integer(&v.node, any, &number));
    READ("1e300", "expected a whole number", sn_node_integer(&v.node, any, &number));
    READ("-3", NULL, sn_node_integer(&v.node, few, &number));
    READ("5", NULL, sn_node_integer(&v.node, few, &number));
    READ("6", "6 is not allowed, expected a whole number from -3 to 5",
         sn_node_integer(&v.node, few, &number));
    READ("0.5", "0.5 is not allowed, expected a whole", sn_node_integer(&v.node, few, &number));
    assert_int_equal(number, 5);
}

static void test_numbers_and_their_ranges(void **state)
{
    (void)state;
    float number = 0.0f;
    sn_range any = {0}, above = SN_ABOVE_ZERO, not_negative = SN_NOT_NEGATIVE,
             below = {-INFINITY, 3.0, false}, half_open = {0.0, 0.25, true};
    READ("0.1", NULL, sn_node_number(&v.node, any, NULL, &number));
    assert_true(number == 0.1f);
    READ("-7", NULL, sn_node_number(&v.node, any, NULL, &number));
    READ("3.4028235e38", NULL, sn_node_number(&v.node, any, NULL, &number));
    assert_true(number == FLT_MAX);
    READ("3.4028236e38", "expected a number from -3.40282347e+38 to 3.40282347e+38 [m]",
         sn_node_number(&v.node, any, "m", &number));
    READ("0", "0 is not allowed, expected a number above 0 [m]",
         sn_node_number(&v.node, above, "m", &number));
    READ("1e-300", "1e-300 is not allowed, expected a number above 0",
         sn_node_number(&v.node, above, "", &number));
    READ("1e-40", NULL, sn_node_number(&v.node, above, NULL, &number));
    assert_true(number > 0.0f);
    READ("-0.0", NULL, sn_node_number(&v.node, not_negative, NULL, &number));
    READ("-1e-30", "expected a number of at least 0", sn_node_number(&v.node, not_negative, NULL, &number));
    READ("4", "expected a number of at most 3", sn_node_number(&v.node, below, NULL, &number));
    READ("0.25", NULL, sn_node_number(&v.node, half_open, NULL, &number));
    READ("0", "expected a number above 0, at most 0.25", sn_node_number(&v.node, half_open, NULL, &number));
    READ("'5'", "\"5\" is not allowed, expected a number", sn_node_number(&v.node, any, NULL, &number));
}

static void test_texts_and_choices(void **state)
{
    (void)state;
    const char *const choices[] = {"sphere", "capsule", "box"};
    const char *text = NULL;
    int choice = -1;
    value v = value_of("'h\\u00e4'");
    v.node.document = &v.document;
    assert_true(sn_node_text_value(&v.node, &text));
    assert_string_equal(text, "hä");
    end(&v, true, NULL);
    READ("'box'", NULL, sn_node_choice(&v.node, choices, 3, &choice));
    assert_int_equal(choice, 2);
    READ("'Box'",
         "\"Box\" is not allowed, expected \"sphere\", \"capsule\" or \"box\"; did you mean \"box\"?",
         sn_node_choice(&v.node, choices, 3, &choice));
    READ("'cone'", "\"cone\" is not allowed, expected \"sphere\", \"capsule\" or \"box\"",
         sn_node_choice(&v.node, choices, 3, &choice));
    READ("['box']", "[\"box\"] is not allowed", sn_node_choice(&v.node, choices, 3, &choice));
}

static void test_vectors_and_intervals(void **state)
{
    (void)state;
    sn_vec3 vector;
    float interval[2];
    sn_range any = {0}, above = SN_ABOVE_ZERO;
    READ("[1, -2.5, 3e1]", NULL, sn_node_vector(&v.node, any, "m", &vector));
    assert_vector(vector, 1.0f, -2.5f, 30.0f, 0.0);
    READ("[1, 0, 1]", "v:1:5: [1]: 0 is not allowed, expected a number above 0",
         sn_node_vector(&v.node, above, "m", &vector));
    READ("[1, 2]", "[1,2] is not allowed, expected a list of 3 numbers [m]",
         sn_node_vector(&v.node, any, "m", &vector));
    READ("[-1, 2]", NULL, sn_node_interval(&v.node, any, NULL, interval));
    assert_true(interval[0] == -1.0f && interval[1] == 2.0f);
    READ("[2, 2]", NULL, sn_node_interval(&v.node, any, NULL, interval));
    READ("[2, 1]", "[2,1] is not allowed, expected the lower bound first",
         sn_node_interval(&v.node, any, NULL, interval));
}

static void test_rotations(void **state)
{
    (void)state;
    sn_quat q;
    const float half = sqrtf(0.5f);
    READ("{'axis': [0, 0, 5], 'angle': 90}", NULL, sn_node_rotation(&v.node, &q));
    assert_rotation(q, (sn_quat){0.0f, 0.0f, half, half}, 1e-7);
    READ("{'axis': [0, 1e-9, 0], 'angle': -180, 'comment': 'about'}", NULL, sn_node_rotation(&v.node, &q));
    assert_rotation(q, (sn_quat){0.0f, -1.0f, 0.0f, 0.0f}, 1e-7);
    READ("[0.70710678, 0, 0, 0.70710678]", NULL, sn_node_rotation(&v.node, &q));
    assert_rotation(q, (sn_quat){half, 0.0f, 0.0f, half}, 1e-7);
    // Within a thousandth it is made of length 1.
    READ("[0, 0, 0, 1.0005]", NULL, sn_node_rotation(&v.node, &q));
    assert_true(q.w == 1.0f);
    READ("[0, 0, 0, 1.01]", "expected a quaternion of length 1", sn_node_rotation(&v.node, &q));
    READ("{'axis': [0, 0, 1], 'angle': 1, 'about': 2}", "is not allowed, expected {\"axis\": [x, y, z]",
         sn_node_rotation(&v.node, &q));
}

static void test_colours(void **state)
{
    (void)state;
    uint32_t color = 0;
    READ("'#c8553D'", NULL, sn_node_color(&v.node, &color));
    assert_int_equal(color, 0xc8553d);
    READ("'teal'", NULL, sn_node_color(&v.node, &color));
    assert_int_equal(color, 0x4da1a9);
    READ("'#fff'", "\"#fff\" is not allowed, expected a colour as \"#rrggbb\"",
         sn_node_color(&v.node, &color));
    READ("'# 12345'", "is not allowed", sn_node_color(&v.node, &color));
    READ("'yelow'", "did you mean \"yellow\"?", sn_node_color(&v.node, &color));
}

static void test_long_values_are_cut_between_characters(void **state)
{
    (void)state;
    bool flag;
    READ("'aäääääääääääääääääääääääääääääääääääääääääääää'", "\"aäääääääääääääääää… is not allowed",
         sn_node_flag(&v.node, &flag));
    READ("[0.1, 1e-7, 12345678.5, 12345, 12345, 12345]",
         "[0.1,1e-7,12345678.5,12345,12345,12345] is not allowed", sn_node_flag(&v.node, &flag));
    READ("[0.1, 1e-7, 12345678.5, 12345, 12345, 12345, 1]", "[0.1,1e-7,12345678.5,12345,12345,1234… is not",
         sn_node_flag(&v.node, &flag));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_whole_numbers),
        cmocka_unit_test(test_numbers_and_their_ranges),
        cmocka_unit_test(test_texts_and_choices),
        cmocka_unit_test(test_vectors_and_intervals),
        cmocka_unit_test(test_rotations),
        cmocka_unit_test(test_colours),
        cmocka_unit_test(test_long_values_are_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
