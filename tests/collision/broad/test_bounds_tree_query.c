// Queries of a bounds tree. Rays are checked against brute force in double precision: no box that the exact
// segment hits is missed, and none farther away than the rounding error is reported.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/bounds_tree_check.h"
#include "support/memory.h"
#include <float.h>

enum { MOST_BOXES = 200 };

typedef struct ray {
    sn_vec3 origin, translation, extent;
} ray;

typedef struct forest {
    sn_bounds_tree tree;
    sn_bounds bounds[MOST_BOXES];
    uint64_t category[MOST_BOXES];
    int count;
} forest;

static void plant(forest *forest, int count, uint64_t seed, sn_vec3 offset)
{
    test_random random = {seed};
    sn_bounds_tree_init(&forest->tree);
    forest->count = count;
    for (int i = 0; i < count; ++i) {
        sn_bounds box = test_random_box(&random, 8, 1.5f);
        forest->bounds[i] = (sn_bounds){sn_add(box.lower, offset), sn_add(box.upper, offset)};
        forest->category[i] = (uint64_t)1 << (i % 3 * 30);
        assert_true(sn_bounds_tree_add(&forest->tree, forest->bounds[i], forest->category[i], i) >= 0);
    }
}

// --- the oracle --------------------------------------------------------------------------------------------

// Narrows [enter, leave] to the time the point is inside the slab.
static void clip(double lower, double upper, double origin, double translation, double *enter, double *leave)
{
    if (translation == 0.0) {
        if (origin < lower || origin > upper) {
            *leave = -1.0;
        }
        return;
    }
    double a = (lower - origin) / translation;
    double b = (upper - origin) / translation;
    double first = a < b ? a : b;
    double last = a < b ? b : a;
    *enter = *enter > first ? *enter : first;
    *leave = *leave < last ? *leave : last;
}

// The fraction at which the segment enters the box grown by its extent and a margin; 2 if it does not.
static double exact_entry(sn_bounds box, ray ray, sn_vec3 margin)
{
    double enter = 0.0;
    double leave = 1.0;
    double x = (double)ray.extent.x + (double)margin.x;
    double y = (double)ray.extent.y + (double)margin.y;
    double z = (double)ray.extent.z + (double)margin.z;
    clip((double)box.lower.x - x, (double)box.upper.x + x, ray.origin.x, ray.translation.x, &enter, &leave);
    clip((double)box.lower.y - y, (double)box.upper.y + y, ray.origin.y, ray.translation.y, &enter, &leave);
    clip((double)box.lower.z - z, (double)box.upper.z + z, ray.origin.z, ray.translation.z, &enter, &leave);
    return enter <= leave ? enter : 2.0;
}

// Rounding error of a box: a few units in the last place of the numbers involved.
static sn_vec3 rounding_margin(ray ray)
{
    sn_vec3 size = sn_add(sn_add(sn_abs3(ray.origin), sn_abs3(ray.translation)), ray.extent);
    return sn_add_scaled(sn_v(1.0e-25f, 1.0e-25f, 1.0e-25f), 12.0f * FLT_EPSILON, size);
}

static float count_item(void *context, int item, float fraction)
{
    int *visits = context;
    ++visits[item];
    assert_true(fraction == 1.0f);
    return fraction;
}

static void expect_ray_matches_brute_force(const forest *forest, ray ray, uint64_t mask)
{
    int visits[MOST_BOXES] = {0};
    sn_bounds_tree_ray(&forest->tree, ray.origin, ray.translation, ray.extent, mask, count_item, visits);
    sn_vec3 margin = rounding_margin(ray);
    for (int i = 0; i < forest->count; ++i) {
        bool wanted = (forest->category[i] & mask) != 0;
        bool must = wanted && exact_entry(forest->bounds[i], ray, sn_v(0, 0, 0)) <= 1.0;
        bool may = wanted && exact_entry(forest->bounds[i], ray, margin) <= 1.0;
        assert_true(visits[i] <= may);
        assert_true(visits[i] >= must);
    }
}

// --- rays --------------------------------------------------------------------------------------------------

static ray random_ray(const forest *forest, test_random *random, int kind, sn_vec3 offset)
{
    ray ray = {sn_add(test_random_vec3(random, 10), offset), test_random_vec3(random, 15), {0, 0, 0}};
    sn_bounds box = forest->bounds[test_random_u32(random) % (uint32_t)forest->count];
    switch (kind % 8) {
    case 1: // along an axis, in the plane of a face
        ray.origin.y = box.upper.y;
        ray.origin.z = 0.5f * (box.lower.z + box.upper.z);
        ray.translation = sn_v(test_random_float(random, -20, 20), 0, 0);
        break;
    case 2: // ends exactly at a corner
        ray.origin = sn_add(box.lower, sn_v(-4, -2, -1));
        ray.translation = sn_v(4, 2, 1);
        break;
    case 3: // a point
        ray.translation = sn_v(0, 0, 0);
        ray.extent = sn_abs3(test_random_vec3(random, 1));
        break;
    case 4: // a moving box
        ray.extent = sn_abs3(test_random_vec3(random, 0.7f));
        break;
    case 5: // hardly any motion on one axis
        ray.translation.y = 1.0e-36f;
        ray.translation.z = -1.0e-20f;
        break;
    case 6: // starts on an edge and leaves outwards
        ray.origin = box.upper;
        ray.translation = sn_abs3(ray.translation);
        break;
    case 7: // backwards along an axis through a corner
        ray.origin = sn_v(box.lower.x, box.lower.y, box.upper.z + 5.0f);
        ray.translation = sn_v(-0.0f, 0, -9);
        break;
    default:
        break;
    }
    return ray;
}

static void test_rays_find_what_brute_force_finds(void **state)
{
    (void)state;
    const sn_vec3 offsets[] = {{0, 0, 0}, {300, -20, 7}, {-9.0e5f, 4.0e5f, 1000}};
    for (int seed = 0; seed < 60; ++seed) {
        forest forest;
        sn_vec3 offset = offsets[seed % 3];
        plant(&forest, 1 + seed * 3, (uint64_t)seed, offset);
        if (seed % 2) {
            sn_bounds_tree_rebuild(&forest.tree);
        }
        test_random random = {(uint64_t)seed + 1000};
        for (int k = 0; k < 80; ++k) {
            uint64_t mask = k % 5 ? UINT64_MAX : (uint64_t)1 << 30;
            expect_ray_matches_brute_force(&forest, random_ray(&forest, &random, k, offset), mask);
        }
        sn_bounds_tree_release(&forest.tree);
    }
}

static void test_a_ray_lies_in_a_plane_through_zero(void **state)
{
    (void)state;
    sn_bounds_tree tree;
    sn_bounds_tree_init(&tree);
    sn_bounds_tree_add(&tree, test_box(sn_v(5, -1, 0), sn_v(1, 1, 1)), 1, 0); // its top is y = 0
    int visits[1] = {0};
    sn_bounds_tree_ray(&tree, sn_v(0, 0, 0), sn_v(10, 0, 0), sn_v(0, 0, 0), 1, count_item, visits);
    assert_int_equal(visits[0], 1);
    sn_bounds_tree_release(&tree);
}

typedef struct closest {
    const forest *forest;
    ray ray;
    float fraction;
    int calls;
} closest;

static float keep_closest(void *context, int item, float fraction)
{
    closest *search = context;
    assert_true(fraction == search->fraction);
    ++search->calls;
    assert_true(exact_entry(search->forest->bounds[item], search->ray, rounding_margin(search->ray)) <=
                fraction);
    double entry = exact_entry(search->forest->bounds[item], search->ray, sn_v(0, 0, 0));
    if (entry < (double)fraction) {
        search->fraction = (float)entry;
    }
    return search->fraction;
}

static void test_the_closest_hit_is_that_of_brute_force_and_cheaper(void **state)
{
    (void)state;
    forest forest;
    plant(&forest, MOST_BOXES, 42, sn_v(0, 0, 0));
    test_random random = {43};
    int calls = 0;
    int all_calls = 0;
    for (int k = 0; k < 1000; ++k) {
        ray ray = {sn_scale(test_random_direction(&random), 14), {0, 0, 0}, {0, 0, 0}};
        ray.translation = sn_sub(test_random_vec3(&random, 8), ray.origin);
        ray.translation = sn_scale(ray.translation, 2);
        closest search = {&forest, ray, 1.0f, 0};
        sn_bounds_tree_ray(&forest.tree, ray.origin, ray.translation, ray.extent, UINT64_MAX, keep_closest,
                           &search);
        float expected = 1.0f;
        for (int i = 0; i < forest.count; ++i) {
            double entry = exact_entry(forest.bounds[i], ray, sn_v(0, 0, 0));
            expected = entry < (double)expected ? (float)entry : expected;
            all_calls += entry <= 1.0;
        }
        assert_true(search.fraction == expected);
        calls += search.calls;
    }
    assert_true(2 * calls < all_calls);
    sn_bounds_tree_release(&forest.tree);
}

typedef struct answers {
    float answer;
    int calls;
} answers;

static float answer_always(void *context, int item, float fraction)
{
    (void)item;
    answers *answers = context;
    ++answers->calls;
    assert_true(fraction > 0.0f && fraction <= 1.0f);
    return answers->answer;
}

static void test_any_answer_of_a_ray_callback_is_safe(void **state)
{
    (void)state;
    sn_bounds_tree tree;
    sn_bounds_tree_init(&tree);
    for (int i = 0; i < 10; ++i) {
        sn_bounds_tree_add(&tree, test_box(sn_v((float)i * 10.0f, 0, 0), sn_v(1, 1, 1)), 1, i);
    }
    // Boxes are entered at fractions 0, 0.09, 0.19, 0.29, …
    const float given[] = {0.0f, -1.0f, -INFINITY, NAN, INFINITY, 1.0f, 2.0f, 0.1f, 0.3f};
    const int calls[] = {1, 1, 1, 10, 10, 10, 10, 2, 4};
    for (int i = 0; i < 9; ++i) {
        answers answers = {given[i], 0};
        sn_bounds_tree_ray(&tree, sn_v(0, 0, 0), sn_v(100, 0, 0), sn_v(0, 0, 0), 1, answer_always, &answers);
        assert_int_equal(answers.calls, calls[i]);
    }
    sn_bounds_tree_release(&tree);
}

static void test_rays_that_are_not_finite_do_no_harm(void **state)
{
    (void)state;
    forest forest;
    plant(&forest, 100, 5, sn_v(0, 0, 0));
    const float bad[] = {NAN, INFINITY, -INFINITY, 3.0e38f};
    for (int i = 0; i < 64; ++i) {
        sn_vec3 v[3] = {{0, 0, 0}, {1, 1, 1}, {0, 0, 0}};
        v[i % 3].y = bad[i % 4];
        v[i / 4 % 3].x = bad[i / 16];
        answers answers = {1.0f, 0};
        sn_bounds_tree_ray(&forest.tree, v[0], v[1], v[2], UINT64_MAX, answer_always, &answers);
        assert_true(answers.calls <= 100);
    }
    sn_bounds_tree_release(&forest.tree);
}

// --- overlaps ----------------------------------------------------------------------------------------------

typedef struct stopper {
    int calls, stop_after;
} stopper;

static bool stop_after(void *context, int item)
{
    (void)item;
    stopper *stopper = context;
    return ++stopper->calls < stopper->stop_after;
}

static void test_an_overlap_query_stops_when_told(void **state)
{
    (void)state;
    forest forest;
    plant(&forest, 100, 6, sn_v(0, 0, 0));
    for (int limit = 1; limit <= 100; ++limit) {
        stopper stopper = {0, limit};
        sn_bounds_tree_overlap(&forest.tree, test_box(sn_v(0, 0, 0), sn_v(20, 20, 20)), UINT64_MAX,
                               stop_after, &stopper);
        assert_int_equal(stopper.calls, limit);
    }
    sn_bounds_tree_release(&forest.tree);
}

static void test_masks_that_share_no_bit_find_nothing(void **state)
{
    (void)state;
    forest forest;
    plant(&forest, 100, 7, sn_v(0, 0, 0));
    stopper stopper = {0, 1000};
    sn_bounds everything = test_box(sn_v(0, 0, 0), sn_v(20, 20, 20));
    sn_bounds_tree_overlap(&forest.tree, everything, (uint64_t)1 << 63, stop_after, &stopper);
    sn_bounds_tree_overlap(&forest.tree, everything, 0, stop_after, &stopper);
    assert_int_equal(stopper.calls, 0);
    sn_bounds_tree_overlap(&forest.tree, everything, (uint64_t)1 << 60, stop_after, &stopper);
    assert_int_equal(stopper.calls, 33);
    sn_bounds_tree_release(&forest.tree);
}

static void test_an_empty_tree_answers_nothing(void **state)
{
    (void)state;
    sn_bounds_tree tree;
    sn_bounds_tree_init(&tree);
    stopper stopper = {0, 1};
    answers answers = {1.0f, 0};
    sn_bounds_tree_overlap(&tree, test_box(sn_v(0, 0, 0), sn_v(1, 1, 1)), 1, stop_after, &stopper);
    sn_bounds_tree_ray(&tree, sn_v(0, 0, 0), sn_v(1, 1, 1), sn_v(0, 0, 0), 1, answer_always, &answers);
    assert_int_equal(stopper.calls + answers.calls, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_rays_find_what_brute_force_finds),
        test_with_memory(test_a_ray_lies_in_a_plane_through_zero),
        test_with_memory(test_the_closest_hit_is_that_of_brute_force_and_cheaper),
        test_with_memory(test_any_answer_of_a_ray_callback_is_safe),
        test_with_memory(test_rays_that_are_not_finite_do_no_harm),
        test_with_memory(test_an_overlap_query_stops_when_told),
        test_with_memory(test_masks_that_share_no_bit_find_nothing),
        test_with_memory(test_an_empty_tree_answers_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
