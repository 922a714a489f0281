// What all queries share: filters, and refusing bad questions without touching the answer.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sinew/sinew.h"
#include "world/core/world.h"
#include <string.h>

static sn_world *world_with_ball(sn_filter filter)
{
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    assert_int_equal(sn_world_create(&def, &world), SN_OK);
    sn_shape_def shape = sn_shape_def_default();
    shape.filter = filter;
    sn_sphere ball = {{0.0f, 0.0f, 0.0f}, 1.0f};
    assert_int_equal(sn_sphere_add(world, sn_world_ground(world), &shape, ball, NULL), SN_OK);
    return world;
}

static sn_solid unit_ball(void)
{
    return (sn_solid){.type = SN_SPHERE, .pose = sn_pose_identity, .sphere = {.radius = 1.0f}};
}

// --- filters -------------------------------------------------------------------------------------

static bool count_hit(const sn_hit *hit, void *user)
{
    (void)hit;
    ++*(int *)user;
    return true;
}

// How many of the six queries see the ball.
static int seen_by(sn_world *world, sn_query_filter filter)
{
    sn_vec3 origin = {0.0f, 3.0f, 0.0f}, down = {0.0f, -4.0f, 0.0f};
    sn_solid solid = unit_ball();
    solid.pose.position = origin;
    sn_hit by_ray, by_sweep;
    sn_closest by_distance;
    int by_ray_all = 0, by_overlap, by_bounds;
    sn_bounds box = {{-1.0f, -1.0f, -1.0f}, {1.0f, 1.0f, 1.0f}};
    assert_int_equal(sn_world_ray(world, origin, down, filter, &by_ray), SN_OK);
    assert_int_equal(sn_world_ray_all(world, origin, down, filter, count_hit, &by_ray_all), SN_OK);
    assert_int_equal(sn_world_sweep(world, &solid, down, filter, &by_sweep), SN_OK);
    solid.pose.position.y = 1.5f;
    assert_int_equal(sn_world_overlap(world, &solid, filter, NULL, 0, &by_overlap), SN_OK);
    assert_int_equal(sn_world_overlap_bounds(world, box, filter, NULL, 0, &by_bounds), SN_OK);
    assert_int_equal(sn_world_closest(world, origin, 5.0f, filter, &by_distance), SN_OK);
    return (by_ray.shape.index != 0) + by_ray_all + (by_sweep.shape.index != 0) + by_overlap + by_bounds +
           (by_distance.shape.index != 0);
}

static void test_filters_must_agree_on_both_sides(void **state)
{
    (void)state;
    const struct {
        sn_filter shape;
        sn_query_filter query;
        bool seen;
    } cases[] = {{{1, UINT64_MAX, 0}, sn_query_filter_default(), true},
                 {{1, UINT64_MAX, 0}, {1, 1}, true},
                 {{2, UINT64_MAX, 0}, {1, 1}, false},
                 {{2, UINT64_MAX, 0}, {1, 2}, true},
                 {{2, 4, 0}, {1, 2}, false},
                 {{2, 4, 0}, {4, 2}, true},
                 {{2, 4, 0}, {4, 4}, false},
                 {{1ull << 63, 1ull << 62, 0}, {1ull << 62, 1ull << 63}, true},
                 {{0, UINT64_MAX, 0}, sn_query_filter_default(), false},
                 {{1, 0, 0}, sn_query_filter_default(), false},
                 {{1, UINT64_MAX, 0}, {0, UINT64_MAX}, false},
                 {{1, UINT64_MAX, 0}, {UINT64_MAX, 0}, false},
                 // Groups are for contacts.
                 {{1, UINT64_MAX, -7}, sn_query_filter_default(), true},
                 {{1, 1, 7}, {2, 1}, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        sn_world *world = world_with_ball(cases[i].shape);
        assert_int_equal(seen_by(world, cases[i].query), cases[i].seen ? 6 : 0);
        sn_world_destroy(world);
    }
}

static void test_a_changed_filter_is_obeyed_at_once(void **state)
{
    (void)state;
    sn_world *world = world_with_ball((sn_filter){1, UINT64_MAX, 0});
    sn_shape shape = sn_shape_id(world, 0);
    assert_int_equal(sn_shape_filter_set(world, shape, (sn_filter){8, UINT64_MAX, 0}), SN_OK);
    assert_int_equal(seen_by(world, (sn_query_filter){1, 1}), 0);
    assert_int_equal(seen_by(world, (sn_query_filter){1, 8}), 6);
    sn_world_destroy(world);
}

static void test_an_empty_world_has_no_answers(void **state)
{
    (void)state;
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    assert_int_equal(sn_world_create(&def, &world), SN_OK);
    assert_int_equal(seen_by(world, sn_query_filter_default()), 0);
    sn_world_destroy(world);
}

// --- bad questions -------------------------------------------------------------------------------

typedef enum query_name { RAY, RAY_ALL, SWEEP, OVERLAP, BOUNDS, CLOSEST, QUERY_COUNT } query_name;
static const char *const query_names[QUERY_COUNT] = {
    "sn_world_ray",     "sn_world_ray_all",        "sn_world_sweep",
    "sn_world_overlap", "sn_world_overlap_bounds", "sn_world_closest"};

// What is wrong: a field, and the bad value (x alone for scalars).
typedef enum bad_field {
    WORLD,
    ORIGIN, // or the point asked about
    TRANSLATION,
    ANSWER, // the pointer
    COUNT,  // the pointer
    CAPACITY,
    REACH,
    LOWER,
    UPPER,
    SOLID, // the pointer
    SOLID_TYPE,
    SOLID_POSITION,
    SOLID_ROTATION,
    SOLID_RADIUS,
    SOLID_CENTER,
    SOLID_BOX,
    SOLID_CAPSULE, // b; a is the origin
    SOLID_HULL
} bad_field;

typedef struct bad_question {
    query_name query;
    bad_field field;
    sn_vec3 value;
    sn_status expected;
    const char *named; // in the message
} bad_question;

#define FAR 1.1e6f

static const bad_question bad_questions[] = {
    {RAY, WORLD, {0, 0, 0}, SN_ERROR_NULL, "world"},
    {RAY, ANSWER, {0, 0, 0}, SN_ERROR_NULL, "hit"},
    {RAY, ORIGIN, {NAN, 0, 0}, SN_ERROR_NOT_FINITE, "origin"},
    {RAY, ORIGIN, {0, INFINITY, 0}, SN_ERROR_NOT_FINITE, "origin"},
    {RAY, ORIGIN, {0, 0, FAR}, SN_ERROR_RANGE, "origin"},
    {RAY, TRANSLATION, {0, 0, 0}, SN_ERROR_RANGE, "translation"},
    {RAY, TRANSLATION, {1.0e-30f, 0, 0}, SN_ERROR_RANGE, "translation"},
    {RAY, TRANSLATION, {0, -NAN, 0}, SN_ERROR_NOT_FINITE, "translation"},
    {RAY, TRANSLATION, {0, 0, -INFINITY}, SN_ERROR_NOT_FINITE, "translation"},
    {RAY, TRANSLATION, {FAR, 0, 0}, SN_ERROR_RANGE, "translation"},
    {RAY, TRANSLATION, {9.0e5f, 9.0e5f, 0}, SN_ERROR_RANGE, "translation"},
    {RAY_ALL, WORLD, {0, 0, 0}, SN_ERROR_NULL, "world"},
    {RAY_ALL, ANSWER, {0, 0, 0}, SN_ERROR_NULL, "function"},
    {RAY_ALL, ORIGIN, {0, 0, NAN}, SN_ERROR_NOT_FINITE, "origin"},
    {RAY_ALL, ORIGIN, {-FAR, 0, 0}, SN_ERROR_RANGE, "origin"},
    {RAY_ALL, TRANSLATION, {0, 0, 0}, SN_ERROR_RANGE, "translation"},
    {SWEEP, WORLD, {0, 0, 0}, SN_ERROR_NULL, "world"},
    {SWEEP, ANSWER, {0, 0, 0}, SN_ERROR_NULL, "hit"},
    {SWEEP, SOLID, {0, 0, 0}, SN_ERROR_NULL, "solid"},
    {SWEEP, TRANSLATION, {0, 0, 0}, SN_ERROR_RANGE, "translation"},
    {SWEEP, TRANSLATION, {0, 0, NAN}, SN_ERROR_NOT_FINITE, "translation"},
    {SWEEP, TRANSLATION, {0, 0, 3.0e38f}, SN_ERROR_RANGE, "translation"},
    {SWEEP, SOLID_TYPE, {SN_PLANE, 0, 0}, SN_ERROR_KIND, "type"},
    {SWEEP, SOLID_TYPE, {SN_SURFACE, 0, 0}, SN_ERROR_KIND, "type"},
    {SWEEP, SOLID_TYPE, {SN_COMPOUND, 0, 0}, SN_ERROR_KIND, "type"},
    {SWEEP, SOLID_TYPE, {99, 0, 0}, SN_ERROR_KIND, "type"},
    {SWEEP, SOLID_POSITION, {NAN, 0, 0}, SN_ERROR_NOT_FINITE, "pose.position"},
    {SWEEP, SOLID_POSITION, {0, FAR, 0}, SN_ERROR_RANGE, "pose.position"},
    {SWEEP, SOLID_ROTATION, {0, 0, 0}, SN_ERROR_ROTATION, "pose.rotation"},
    {SWEEP, SOLID_ROTATION, {NAN, 0, 0}, SN_ERROR_NOT_FINITE, "pose.rotation"},
    {SWEEP, SOLID_RADIUS, {0, 0, 0}, SN_ERROR_RANGE, "radius"},
    {SWEEP, SOLID_RADIUS, {-1, 0, 0}, SN_ERROR_RANGE, "radius"},
    {SWEEP, SOLID_RADIUS, {INFINITY, 0, 0}, SN_ERROR_NOT_FINITE, "radius"},
    {SWEEP, SOLID_CENTER, {0, NAN, 0}, SN_ERROR_NOT_FINITE, "center"},
    {SWEEP, SOLID_BOX, {1, 0, 1}, SN_ERROR_RANGE, "half_extents.y"},
    {SWEEP, SOLID_BOX, {1, 1, NAN}, SN_ERROR_NOT_FINITE, "half_extents.z"},
    {SWEEP, SOLID_CAPSULE, {0, 0, 0}, SN_ERROR_RANGE, "distance from a to b"},
    {SWEEP, SOLID_HULL, {0, 0, 0}, SN_ERROR_NULL, "hull"},
    {OVERLAP, WORLD, {0, 0, 0}, SN_ERROR_NULL, "world"},
    {OVERLAP, ANSWER, {0, 0, 0}, SN_ERROR_NULL, "out"},
    {OVERLAP, COUNT, {0, 0, 0}, SN_ERROR_NULL, "count"},
    {OVERLAP, CAPACITY, {-1, 0, 0}, SN_ERROR_RANGE, "capacity"},
    {OVERLAP, SOLID, {0, 0, 0}, SN_ERROR_NULL, "solid"},
    {OVERLAP, SOLID_TYPE, {SN_PLANE, 0, 0}, SN_ERROR_KIND, "type"},
    {OVERLAP, SOLID_RADIUS, {NAN, 0, 0}, SN_ERROR_NOT_FINITE, "radius"},
    {OVERLAP, SOLID_ROTATION, {2, 0, 0}, SN_ERROR_ROTATION, "pose.rotation"},
    {BOUNDS, WORLD, {0, 0, 0}, SN_ERROR_NULL, "world"},
    {BOUNDS, ANSWER, {0, 0, 0}, SN_ERROR_NULL, "out"},
    {BOUNDS, COUNT, {0, 0, 0}, SN_ERROR_NULL, "count"},
    {BOUNDS, CAPACITY, {-7, 0, 0}, SN_ERROR_RANGE, "capacity"},
    {BOUNDS, LOWER, {NAN, 0, 0}, SN_ERROR_NOT_FINITE, "bounds.lower"},
    {BOUNDS, LOWER, {-FAR, 0, 0}, SN_ERROR_RANGE, "bounds.lower"},
    {BOUNDS, LOWER, {0, 1.5f, 0}, SN_ERROR_RANGE, "bounds.upper - bounds.lower"},
    {BOUNDS, UPPER, {0, INFINITY, 0}, SN_ERROR_NOT_FINITE, "bounds.upper"},
    {BOUNDS, UPPER, {FAR, FAR, FAR}, SN_ERROR_RANGE, "bounds.upper"},
    {CLOSEST, WORLD, {0, 0, 0}, SN_ERROR_NULL, "world"},
    {CLOSEST, ANSWER, {0, 0, 0}, SN_ERROR_NULL, "closest"},
    {CLOSEST, ORIGIN, {NAN, NAN, NAN}, SN_ERROR_NOT_FINITE, "point"},
    {CLOSEST, ORIGIN, {0, 0, -FAR}, SN_ERROR_RANGE, "point"},
    {CLOSEST, REACH, {0, 0, 0}, SN_ERROR_RANGE, "reach"},
    {CLOSEST, REACH, {-1, 0, 0}, SN_ERROR_RANGE, "reach"},
    {CLOSEST, REACH, {NAN, 0, 0}, SN_ERROR_NOT_FINITE, "reach"},
    {CLOSEST, REACH, {INFINITY, 0, 0}, SN_ERROR_NOT_FINITE, "reach"},
};

// A question that is right in all fields but, perhaps, one.
typedef struct question {
    sn_vec3 origin, translation;
    sn_solid solid;
    sn_bounds bounds;
    float reach;
    int capacity;
} question;

static void spoil(question *q, bad_field field, sn_vec3 v)
{
    switch (field) {
    case ORIGIN:
        q->origin = v;
        break;
    case TRANSLATION:
        q->translation = v;
        break;
    case CAPACITY:
        q->capacity = (int)v.x;
        break;
    case REACH:
        q->reach = v.x;
        break;
    case LOWER:
        q->bounds.lower = v;
        break;
    case UPPER:
        q->bounds.upper = v;
        break;
    case SOLID_TYPE:
        q->solid.type = (sn_shape_type)(int)v.x;
        break;
    case SOLID_POSITION:
        q->solid.pose.position = v;
        break;
    case SOLID_ROTATION:
        q->solid.pose.rotation = (sn_quat){v.x, v.y, v.z, 0.0f};
        break;
    case SOLID_RADIUS:
        q->solid.sphere.radius = v.x;
        break;
    case SOLID_CENTER:
        q->solid.sphere.center = v;
        break;
    case SOLID_BOX:
        q->solid = (sn_solid){.type = SN_BOX, .pose = sn_pose_identity, .box = {v}};
        break;
    case SOLID_CAPSULE:
        q->solid = (sn_solid){.type = SN_CAPSULE, .pose = sn_pose_identity, .capsule = {{0, 0, 0}, v, 1.0f}};
        break;
    case SOLID_HULL:
        q->solid = (sn_solid){.type = SN_HULL, .pose = sn_pose_identity, .hull = NULL};
        break;
    default:
        break;
    }
}

// Every place an answer may be written to.
typedef struct answers {
    sn_hit hit;
    sn_closest closest;
    sn_shape out[4];
    int count;
    int calls;
} answers;

static sn_status ask(sn_world *world, const bad_question *bad, const question *q, answers *a)
{
    sn_query_filter filter = sn_query_filter_default();
    sn_world *w = bad->field == WORLD ? NULL : world;
    sn_hit *hit = bad->field == ANSWER ? NULL : &a->hit;
    sn_shape *out = bad->field == ANSWER ? NULL : a->out;
    int *count = bad->field == COUNT ? NULL : &a->count;
    const sn_solid *solid = bad->field == SOLID ? NULL : &q->solid;
    switch (bad->query) {
    case RAY:
        return sn_world_ray(w, q->origin, q->translation, filter, hit);
    case RAY_ALL:
        return sn_world_ray_all(w, q->origin, q->translation, filter, bad->field == ANSWER ? NULL : count_hit,
                                &a->calls);
    case SWEEP:
        return sn_world_sweep(w, solid, q->translation, filter, hit);
    case OVERLAP:
        return sn_world_overlap(w, solid, filter, out, q->capacity, count);
    case BOUNDS:
        return sn_world_overlap_bounds(w, q->bounds, filter, out, q->capacity, count);
    default:
        return sn_world_closest(w, q->origin, q->reach, filter, bad->field == ANSWER ? NULL : &a->closest);
    }
}

static void test_bad_questions_are_refused_and_answers_left_alone(void **state)
{
    (void)state;
    sn_world *world = world_with_ball((sn_filter){1, UINT64_MAX, 0});
    for (size_t i = 0; i < sizeof bad_questions / sizeof *bad_questions; ++i) {
        const bad_question *bad = &bad_questions[i];
        question q = {.origin = {0.0f, 3.0f, 0.0f},
                      .translation = {0.0f, -5.0f, 0.0f},
                      .solid = unit_ball(),
                      .bounds = {{-1.0f, -1.0f, -1.0f}, {1.0f, 1.0f, 1.0f}},
                      .reach = 5.0f,
                      .capacity = 4};
        spoil(&q, bad->field, bad->value);
        answers before, after;
        memset(&before, 0x5a, sizeof before);
        memset(&after, 0x5a, sizeof after);
        sn_status status = ask(world, bad, &q, &after);
        const char *message = sn_world_error(bad->field == WORLD ? NULL : world);
        if (status != bad->expected || strstr(message, bad->named) == NULL ||
            strstr(message, query_names[bad->query]) == NULL) {
            fail_msg("row %zu: status %d, expected %d; message '%s', expected '%s'", i, (int)status,
                     (int)bad->expected, message, bad->named);
        }
        assert_memory_equal(&before, &after, sizeof before);
    }
    assert_int_equal(seen_by(world, sn_query_filter_default()), 6);
    sn_world_destroy(world);
}

static void test_the_same_questions_are_answered_when_nothing_is_wrong(void **state)
{
    (void)state;
    sn_world *world = world_with_ball((sn_filter){1, UINT64_MAX, 0});
    for (query_name query = RAY; query < QUERY_COUNT; ++query) {
        // The field is one that `ask` and `spoil` leave as it is.
        const bad_question fine = {query, CAPACITY, {4, 0, 0}, SN_OK, ""};
        question q = {.origin = {0.0f, 3.0f, 0.0f},
                      .translation = {0.0f, -5.0f, 0.0f},
                      .solid = unit_ball(),
                      .bounds = {{-1.0f, -1.0f, -1.0f}, {1.0f, 1.0f, 1.0f}},
                      .reach = 5.0f,
                      .capacity = 4};
        answers a = {.count = -1};
        assert_int_equal(ask(world, &fine, &q, &a), SN_OK);
        bool answered = a.hit.shape.index == 1 || a.closest.shape.index == 1 || a.count == 1 || a.calls == 1;
        assert_true(answered);
    }
    sn_world_destroy(world);
}

static void test_extreme_but_legal_questions_get_answers(void **state)
{
    (void)state;
    sn_world *world = world_with_ball((sn_filter){1, UINT64_MAX, 0});
    sn_plane floor = {{0.0f, 1.0f, 0.0f}, -1.0e6f};
    sn_plane_add(world, sn_world_ground(world), NULL, floor, NULL);
    const float far = SN_MAX_COORDINATE;
    const sn_vec3 corners[4] = {{far, far, far}, {-far, far, -far}, {far, -far, -far}, {0, 0, 0}};
    const sn_vec3 displacements[4] = {{far, 0, 0}, {0, -far, 0}, {1.0e-11f, 0, 0}, {0, 0, 1.0e-3f}};
    sn_query_filter filter = sn_query_filter_default();
    for (int i = 0; i < 16; ++i) {
        sn_vec3 origin = corners[i / 4], translation = displacements[i % 4];
        sn_solid solids[3] = {unit_ball(), unit_ball(), unit_ball()};
        solids[0].sphere.radius = 1.0e-5f;
        solids[1].sphere.radius = far;
        solids[2] = (sn_solid){.type = SN_BOX, .pose = sn_pose_identity, .box = {{far, 1.0e-5f, 1.0f}}};
        sn_hit hit;
        sn_closest closest;
        int count;
        assert_int_equal(sn_world_ray(world, origin, translation, filter, &hit), SN_OK);
        assert_true(sn_vec3_is_finite(hit.point) && sn_vec3_is_finite(hit.normal));
        assert_int_equal(sn_world_closest(world, origin, 3.0e38f, filter, &closest), SN_OK);
        assert_true(closest.shape.index != 0 && sn_is_finite(closest.distance));
        for (int k = 0; k < 3; ++k) {
            solids[k].pose.position = origin;
            assert_int_equal(sn_world_sweep(world, &solids[k], translation, filter, &hit), SN_OK);
            assert_true(hit.fraction >= 0.0f && hit.fraction <= 1.0f && sn_vec3_is_finite(hit.point));
            assert_int_equal(sn_world_overlap(world, &solids[k], filter, NULL, 0, &count), SN_OK);
            assert_in_range(count, 0, 2);
        }
    }
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_filters_must_agree_on_both_sides),
        cmocka_unit_test(test_a_changed_filter_is_obeyed_at_once),
        cmocka_unit_test(test_an_empty_world_has_no_answers),
        cmocka_unit_test(test_bad_questions_are_refused_and_answers_left_alone),
        cmocka_unit_test(test_the_same_questions_are_answered_when_nothing_is_wrong),
        cmocka_unit_test(test_extreme_but_legal_questions_get_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
