// Objects read and written by a table: what goes in comes out.
#include "scene/scene_kit.h"

#include "scene/fields.h"
#include "scene/json_text.h"
#include "support/random.h"

#include <float.h>
#include <math.h>

typedef struct inner {
    float weight;
    int count;
} inner;

typedef struct thing {
    bool flag, has_color, has_inner;
    int number, choice;
    float length, angle;
    const char *text;
    sn_vec3 vector;
    sn_quat rotation;
    uint32_t color;
    float interval[2], angles[2];
    inner inner;
    sn_node node;
} thing;

static const char *const choices[] = {"red", "green", "blue"};

static const sn_field inner_fields[] = {SN_ROW("weight", NUMBER, inner, weight, "weight", .required = true),
                                        SN_ROW("count", INTEGER, inner, count, "count")};
static const sn_object inner_object = {.name = "inner",
                                       .text = "An inner one.",
                                       .size = sizeof(inner),
                                       .fields = inner_fields,
                                       .field_count = SN_COUNT(inner_fields)};

static const sn_field base_fields[] = {SN_ROW("flag", FLAG, thing, flag, "a flag"),
                                       SN_ROW("number", INTEGER, thing, number, "a number"),
                                       SN_ROW("length", NUMBER, thing, length, "a length", .unit = "m"),
                                       SN_ROW("angle", ANGLE, thing, angle, "an angle", .unit = "°"),
                                       SN_ROW("text", TEXT, thing, text, "a text")};

static void defaults(void *target)
{
    thing *t = target;
    t->flag = true;
    t->number = 7;
    t->choice = 1;
    t->length = 0.1f;
    t->rotation = sn_quat_identity;
    t->vector = sn_v(1.0f, 2.0f, 3.0f);
}

static const sn_object base_object = {.name = "base",
                                      .text = "What all have.",
                                      .size = sizeof(thing),
                                      .defaults = defaults,
                                      .fields = base_fields,
                                      .field_count = SN_COUNT(base_fields)};
static const sn_field thing_fields[] = {
    SN_ROW("choice", CHOICE, thing, choice, "a choice", .choices = choices, .choice_count = 3),
    SN_ROW("vector", VECTOR, thing, vector, "a vector"),
    SN_ROW("rotation", ROTATION, thing, rotation, "a rotation"),
    SN_ROW("color", COLOR, thing, color, "a colour", .flag = SN_FLAG_AT(thing, has_color)),
    SN_ROW("interval", INTERVAL, thing, interval, "an interval"),
    SN_ROW("angles", ANGLE_INTERVAL, thing, angles, "an interval of angles", .unit = "°"),
    SN_ROW("inner", OBJECT, thing, inner, "an object", .object = &inner_object,
           .flag = SN_FLAG_AT(thing, has_inner)),
    SN_ROW("node", NODE, thing, node, "anything")};
static const sn_object thing_object = {.name = "thing",
                                       .text = "A thing.",
                                       .size = sizeof(thing),
                                       .tagged = true,
                                       .base = &base_object,
                                       .fields = thing_fields,
                                       .field_count = SN_COUNT(thing_fields)};
static const sn_object plain_object = {
    .name = "plain", .text = "A plain one.", .size = sizeof(thing), .tagged = true, .base = &base_object};
static const sn_object *const objects[] = {&thing_object, &plain_object};
static const sn_family family = {"thing", "Things.", objects, 2};

typedef struct reading {
    sn_document document;
    sn_mistakes mistakes;
    thing thing;
    const sn_object *object;
} reading;

static reading *read_thing(const char *json)
{
    reading *r = calloc(1, sizeof *r);
    if (sn_document_parse(json, strlen(json), "t", &r->document) != SN_OK) {
        fail_msg("%s", sn_scene_error());
    }
    sn_node root = sn_node_root(&r->document, &r->mistakes);
    r->object = sn_family_read(&root, &family, &r->thing);
    return r;
}

static reading *read_quoted(const char *text)
{
    char *json = json_of(text);
    reading *r = read_thing(json);
    free(json);
    return r;
}

static void end(reading *r)
{
    sn_document_release(&r->document);
    free(r);
}

static void test_every_type_of_field_is_read_to_its_place(void **state)
{
    (void)state;
    reading *r = read_quoted("{'type': 'thing', 'flag': false, 'number': -4, 'length': 2.5, 'angle': 90,"
                             " 'text': 'abc', 'choice': 'blue', 'vector': [4, 5, 6],"
                             " 'rotation': [0, 1, 0, 0], 'color': '#010203', 'interval': [-1, 1],"
                             " 'angles': [-180, 45], 'inner': {'weight': 3, 'count': 2}, 'node': {'x': [1]},"
                             " 'comment': {'any': 'thing'}}");
    assert_string_equal(r->mistakes.text, "");
    assert_ptr_equal(r->object, &thing_object);
    thing *t = &r->thing;
    assert_false(t->flag);
    assert_int_equal(t->number, -4);
    assert_true(t->length == 2.5f);
    assert_true(t->angle == (float)(0.5 * 3.14159265358979323846));
    assert_string_equal(t->text, "abc");
    assert_int_equal(t->choice, 2);
    assert_vector(t->vector, 4.0f, 5.0f, 6.0f, 0.0);
    assert_true(t->rotation.y == 1.0f);
    assert_true(t->has_color);
    assert_int_equal(t->color, 0x010203);
    assert_true(t->interval[0] == -1.0f && t->interval[1] == 1.0f);
    assert_true(t->angles[0] == -SN_PI && t->angles[1] == (float)(0.25 * 3.14159265358979323846));
    assert_true(t->has_inner && t->inner.weight == 3.0f && t->inner.count == 2);
    assert_true(json_is_object(t->node.value));
    assert_string_equal(t->node.key, "node");
    end(r);
}

static void test_what_is_not_said_has_its_default(void **state)
{
    (void)state;
    reading *r = read_quoted("{'type': 'thing'}");
    thing *t = &r->thing;
    assert_true(t->flag && t->number == 7 && t->choice == 1 && t->length == 0.1f);
    assert_false(t->has_color || t->has_inner);
    assert_null(t->text);
    assert_null(t->node.value);
    end(r);
}

static void test_the_type_chooses_which_keys_there_are(void **state)
{
    (void)state;
    reading *r = read_quoted("{'type': 'plain', 'number': 5}");
    assert_ptr_equal(r->object, &plain_object);
    end(r);
    r = read_quoted("{'type': 'plain', 'vector': [0, 0, 0]}");
    assert_null(r->object);
    assert_string_equal(r->mistakes.text,
                        "t:1:19: vector: unknown key \"vector\", expected one of: type, flag, "
                        "number, length, angle, text");
    end(r);
}

static void test_all_that_is_wrong_in_an_object_is_told(void **state)
{
    (void)state;
    reading *r = read_quoted("{'type': 'thing', 'flag': 1, 'numbr': 5, 'inner': {'wieght': 1}}");
    assert_null(r->object);
    assert_string_equal(r->mistakes.text,
                        "t:1:27: flag: 1 is not allowed, expected true or false\n"
                        "t:1:30: numbr: unknown key \"numbr\", did you mean \"number\"?\n"
                        "t:1:52: inner.wieght: unknown key \"wieght\", did you mean \"weight\"?");
    end(r);
}

static void test_fields_are_found_by_name_in_bases_too(void **state)
{
    (void)state;
    assert_ptr_equal(sn_object_field(&thing_object, "vector"), &thing_fields[1]);
    assert_ptr_equal(sn_object_field(&thing_object, "length"), &base_fields[2]);
    assert_null(sn_object_field(&thing_object, "type"));
    assert_null(sn_object_field(&thing_object, ""));
}

// --- writing -----------------------------------------------------------------------------------------------

static void assert_written(const thing *t, const char *expected)
{
    json_t *out = sn_object_write(&thing_object, t);
    char *text = json_dumps(out, JSON_COMPACT), *quoted = json_of(expected);
    assert_string_equal(text, quoted);
    free(text);
    free(quoted);
    json_decref(out);
}

static void test_only_what_differs_from_the_defaults_is_written(void **state)
{
    (void)state;
    thing t;
    sn_object_defaults(&thing_object, &t);
    assert_written(&t, "{'type':'thing'}");
    t.flag = false;
    t.number = 0;
    t.vector.y = -0.0f;
    t.color = 0xff00ff; // not given, so not written
    assert_written(&t, "{'type':'thing','flag':false,'number':0,'vector':[1,0,3]}");
    sn_object_defaults(&thing_object, &t);
    t.has_color = t.has_inner = true; // given, so written even if as by default
    assert_written(&t, "{'type':'thing','color':'#000000','inner':{'weight':0}}");
}

static void test_a_zero_of_either_sign_is_the_same(void **state)
{
    (void)state;
    thing t;
    sn_object_defaults(&thing_object, &t);
    t.angle = t.interval[0] = t.angles[1] = -0.0f;
    assert_written(&t, "{'type':'thing'}");
    t.interval[1] = 1.0f;
    assert_written(&t, "{'type':'thing','interval':[0,1]}");
}

static float awkward_float(test_random *random)
{
    static const float values[] = {0.1f,      1.0f / 3.0f, 1e6f,     1e7f,       16777216.0f, FLT_MAX,
                                   FLT_MIN,   1e-45f,      -1e-38f,  0.3f,       999999.9f,   1000000.1f,
                                   123456.7f, 1e-5f,       -2.5e-7f, 8388608.5f, 33554432.0f};
    uint32_t choice = test_random_u32(random) % 4;
    uint32_t bits = test_random_u32(random);
    float value;
    memcpy(&value, &bits, sizeof value);
    return choice == 0 || !isfinite(value) ? values[bits % (uint32_t)COUNT_OF(values)] : value;
}

static void test_any_numbers_come_back_bit_for_bit(void **state)
{
    (void)state;
    test_random random = {11};
    for (int i = 0; i < 3000; ++i) {
        thing t;
        sn_object_defaults(&thing_object, &t);
        t.length = awkward_float(&random);
        t.angle = test_random_float(&random, -SN_PI, SN_PI);
        t.vector = sn_v(awkward_float(&random), awkward_float(&random), awkward_float(&random));
        t.interval[0] = -fabsf(awkward_float(&random));
        t.interval[1] = fabsf(awkward_float(&random));
        t.angles[0] = test_random_float(&random, -SN_PI, 0.0f);
        t.angles[1] = test_random_float(&random, 0.0f, SN_PI);
        json_t *out = sn_object_write(&thing_object, &t);
        char *text = sn_json_text(out);
        reading *r = read_thing(text);
        assert_string_equal(r->mistakes.text, "");
        assert_true(r->thing.length == t.length && r->thing.angle == t.angle);
        assert_memory_equal(r->thing.interval, t.interval, sizeof t.interval);
        assert_memory_equal(r->thing.angles, t.angles, sizeof t.angles);
        assert_vector(r->thing.vector, t.vector.x, t.vector.y, t.vector.z, 0.0);
        end(r);
        free(text);
        json_decref(out);
    }
}

static void test_numbers_are_written_in_few_digits(void **state)
{
    (void)state;
    const struct {
        float value;
        const char *text;
    } rows[] = {{0.1f, "0.1\n"},
                {1.0f / 60.0f, "0.016666668\n"},
                {3.0f, "3\n"},
                {-250000.0f, "-250000\n"},
                {1e6f, "1e+06\n"},
                {1e30f, "1e+30\n"},
                {9.81f, "9.81\n"},
                {0.30000001f, "0.3\n"},
                {2.5e-7f, "2.5e-07\n"},
                {-0.0f, "0\n"},
                {FLT_MAX, "3.4028235e+38\n"}};
    for (int i = 0; i < COUNT_OF(rows); ++i) {
        json_t *number = sn_json_number(rows[i].value);
        char *text = sn_json_text(number);
        assert_string_equal(text, rows[i].text);
        free(text);
        json_decref(number);
    }
}

static void test_angles_are_written_in_plain_degrees(void **state)
{
    (void)state;
    thing t;
    sn_object_defaults(&thing_object, &t);
    t.angle = (float)(30.0 * SN_DEGREE);
    t.angles[0] = -SN_PI;
    t.angles[1] = (float)(22.5 * SN_DEGREE);
    assert_written(&t, "{'type':'thing','angle':30,'angles':[-180,22.5]}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_type_of_field_is_read_to_its_place),
        cmocka_unit_test(test_what_is_not_said_has_its_default),
        cmocka_unit_test(test_the_type_chooses_which_keys_there_are),
        cmocka_unit_test(test_all_that_is_wrong_in_an_object_is_told),
        cmocka_unit_test(test_fields_are_found_by_name_in_bases_too),
        cmocka_unit_test(test_only_what_differs_from_the_defaults_is_written),
        cmocka_unit_test(test_a_zero_of_either_sign_is_the_same),
        cmocka_unit_test(test_any_numbers_come_back_bit_for_bit),
        cmocka_unit_test(test_numbers_are_written_in_few_digits),
        cmocka_unit_test(test_angles_are_written_in_plain_degrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
