// Rays and translating solids against formulas, and against brute force along the path.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collision/narrow/cast.h"
#include "collision/narrow/gjk.h"
#include "support/convex_oracle.h"
#include "support/near.h"
#include "support/random_convex.h"

static void assert_hit(sn_cast_result hit, float fraction, sn_vec3 point, sn_vec3 normal)
{
    assert_true(hit.hit);
    assert_near(hit.fraction, fraction, 1.0e-6f);
    assert_near3(hit.point, point, 2.0e-6f);
    assert_near3(hit.normal, normal, 2.0e-6f);
}

// --- rays: formulas ----------------------------------------------------------------------------------------

static void test_ray_hits_a_sphere_where_the_formula_says(void **state)
{
    (void)state;
    sn_convex_storage s;
    sn_convex sphere = sn_convex_sphere(&s, (sn_sphere){{1.0f, 0.0f, 0.0f}, 0.5f});
    sn_vec3 along = {4.0f, 0.0f, 0.0f};
    assert_hit(sn_ray_convex(&sphere, sn_v(-1.0f, 0.0f, 0.0f), along), 0.375f, sn_v(0.5f, 0.0f, 0.0f),
               sn_v(-1.0f, 0.0f, 0.0f));
    assert_hit(sn_ray_convex(&sphere, sn_v(-1.0f, 0.3f, 0.0f), along), 0.4f, sn_v(0.6f, 0.3f, 0.0f),
               sn_v(-0.8f, 0.6f, 0.0f));
    assert_false(sn_ray_convex(&sphere, sn_v(-1.0f, 0.51f, 0.0f), along).hit);
    assert_false(sn_ray_convex(&sphere, sn_v(-1.0f, 0.0f, 0.0f), sn_v(1.4f, 0.0f, 0.0f)).hit);
    assert_false(sn_ray_convex(&sphere, sn_v(2.0f, 0.0f, 0.0f), along).hit);
    assert_hit(sn_ray_convex(&sphere, sn_v(1.1f, 0.0f, 0.0f), along), 0.0f, sn_v(1.1f, 0.0f, 0.0f),
               sn_v(-1.0f, 0.0f, 0.0f));
}

static void test_ray_from_a_kilometre_away_hits_a_marble(void **state)
{
    (void)state;
    test_random random = {6};
    sn_convex_storage s;
    sn_convex marble = sn_convex_sphere(&s, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.01f});
    for (int i = 0; i < 1000; ++i) {
        sn_vec3 direction = test_random_direction(&random);
        sn_vec3 origin = sn_scale(direction, -1000.0f);
        sn_cast_result hit = sn_ray_convex(&marble, origin, sn_scale(direction, 2000.0f));
        assert_true(hit.hit);
        assert_near(hit.fraction, 0.499995f, 1.0e-7f);
        assert_near(sn_length(hit.point), 0.01f, 1.0e-8f);
        assert_true(sn_dot(hit.normal, direction) < -0.999f);
    }
}

static void test_ray_hits_mantle_and_ends_of_a_capsule(void **state)
{
    (void)state;
    sn_convex_storage s;
    sn_convex capsule = sn_convex_capsule(&s, (sn_capsule){{0.0f, -1.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, 0.5f});
    sn_vec3 along = {4.0f, 0.0f, 0.0f};
    assert_hit(sn_ray_convex(&capsule, sn_v(-2.0f, 0.5f, 0.3f), along), 0.4f, sn_v(-0.4f, 0.5f, 0.3f),
               sn_v(-0.8f, 0.0f, 0.6f));
    assert_hit(sn_ray_convex(&capsule, sn_v(-2.0f, 1.3f, 0.0f), along), 0.4f, sn_v(-0.4f, 1.3f, 0.0f),
               sn_v(-0.8f, 0.6f, 0.0f));
    assert_hit(sn_ray_convex(&capsule, sn_v(0.3f, 3.0f, 0.0f), sn_v(0.0f, -4.0f, 0.0f)), 0.4f,
               sn_v(0.3f, 1.4f, 0.0f), sn_v(0.6f, 0.8f, 0.0f));
    assert_false(sn_ray_convex(&capsule, sn_v(-2.0f, 1.51f, 0.0f), along).hit);
    assert_true(sn_ray_convex(&capsule, sn_v(0.2f, 0.9f, 0.0f), along).fraction == 0.0f);
    // From the surface itself, inwards: a hit at once, with the normal of the surface.
    assert_hit(sn_ray_convex(&capsule, sn_v(-0.5f, 0.0f, 0.0f), along), 0.0f, sn_v(-0.5f, 0.0f, 0.0f),
               sn_v(-1.0f, 0.0f, 0.0f));
}

static void test_ray_hits_the_entry_face_of_a_box(void **state)
{
    (void)state;
    sn_convex_storage s;
    sn_convex box = sn_convex_box(&s, (sn_box){{1.0f, 2.0f, 3.0f}});
    assert_hit(sn_ray_convex(&box, sn_v(0.5f, 4.0f, 1.0f), sn_v(0.0f, -8.0f, 0.0f)), 0.25f,
               sn_v(0.5f, 2.0f, 1.0f), sn_v(0.0f, 1.0f, 0.0f));
    assert_hit(sn_ray_convex(&box, sn_v(-3.0f, 0.0f, 0.0f), sn_v(4.0f, 2.0f, 0.0f)), 0.5f,
               sn_v(-1.0f, 1.0f, 0.0f), sn_v(-1.0f, 0.0f, 0.0f));
    assert_false(sn_ray_convex(&box, sn_v(-3.0f, 2.5f, 0.0f), sn_v(8.0f, 0.0f, 0.0f)).hit);
    assert_false(sn_ray_convex(&box, sn_v(-3.0f, 0.0f, 0.0f), sn_v(1.9f, 0.0f, 0.0f)).hit);
    assert_hit(sn_ray_convex(&box, sn_v(0.5f, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 9.0f)), 0.0f,
               sn_v(0.5f, 0.0f, 0.0f), sn_v(0.0f, 0.0f, -1.0f));
    assert_false(sn_ray_convex(&box, sn_v(1.0f, 0.0f, 0.0f), sn_v(1.0f, 0.0f, 0.0f)).hit);
}

static void test_ray_hits_the_half_space(void **state)
{
    (void)state;
    sn_plane plane = {{0.0f, 0.6f, 0.8f}, 2.0f};
    sn_vec3 down = sn_scale(plane.normal, -4.0f);
    assert_hit(sn_ray_plane(plane, sn_v(1.0f, 3.0f, 4.0f), down), 0.75f, sn_v(1.0f, 1.2f, 1.6f),
               plane.normal);
    assert_false(sn_ray_plane(plane, sn_v(1.0f, 3.0f, 4.0f), sn_neg(down)).hit);
    assert_false(sn_ray_plane(plane, sn_v(1.0f, 6.0f, 4.0f), sn_scale(down, 0.5f)).hit);
    assert_false(sn_ray_plane(plane, sn_v(0.0f, 3.0f, 4.0f), sn_v(1.0f, 0.0f, 0.0f)).hit);
    assert_true(sn_ray_plane(plane, sn_v(0.0f, 0.0f, 0.0f), down).fraction == 0.0f);
    assert_true(sn_ray_plane(plane, sn_v(0.0f, 0.0f, 0.0f), down).hit);
}

static void test_ray_hits_a_triangle_from_its_front(void **state)
{
    (void)state;
    sn_vec3 corners[3] = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}};
    sn_vec3 front = {0.25f, 0.25f, 1.0f}, back = {0.25f, 0.25f, -1.0f};
    sn_vec3 down = {0.0f, 0.0f, -4.0f}, up = {0.0f, 0.0f, 4.0f};
    assert_hit(sn_ray_triangle(corners, false, front, down), 0.25f, sn_v(0.25f, 0.25f, 0.0f),
               sn_v(0.0f, 0.0f, 1.0f));
    assert_false(sn_ray_triangle(corners, false, back, up).hit);
    assert_hit(sn_ray_triangle(corners, true, back, up), 0.25f, sn_v(0.25f, 0.25f, 0.0f),
               sn_v(0.0f, 0.0f, -1.0f));
    assert_false(sn_ray_triangle(corners, true, front, up).hit);
    assert_false(sn_ray_triangle(corners, true, sn_v(0.6f, 0.6f, 1.0f), down).hit);
    assert_false(sn_ray_triangle(corners, true, front, sn_v(1.0f, 0.0f, 0.0f)).hit);
}

static void test_ray_through_a_shared_edge_never_slips_between_two_triangles(void **state)
{
    (void)state;
    test_random random = {7};
    for (int i = 0; i < 20000; ++i) {
        sn_vec3 a = test_random_vec3(&random, 1.0f), b = test_random_vec3(&random, 1.0f);
        sn_vec3 c = test_random_vec3(&random, 1.0f);
        // d is across the edge a b from c, in about the same plane, so that every ray hits one of the two.
        sn_vec3 d = sn_sub(sn_add(a, b), c);
        sn_vec3 normal = sn_normalize(sn_cross(sn_sub(b, a), sn_sub(c, a)));
        sn_vec3 on_edge = sn_lerp(a, b, test_random_float(&random, 0.05f, 0.95f));
        sn_vec3 origin = sn_add(sn_add_scaled(on_edge, 2.0f, normal), test_random_vec3(&random, 1.0f));
        sn_vec3 translation = sn_scale(sn_sub(on_edge, origin), 2.0f);
        sn_vec3 first[3] = {a, b, c}, second[3] = {b, a, d};
        if (sn_length(sn_cross(sn_sub(b, a), sn_sub(c, a))) > 1.0e-2f) {
            assert_true(sn_ray_triangle(first, true, origin, translation).hit ||
                        sn_ray_triangle(second, true, origin, translation).hit);
        }
    }
}

static void test_path_without_length_hits_only_from_inside(void **state)
{
    (void)state;
    sn_convex_storage s, r;
    sn_vec3 none = {0.0f, 0.0f, 0.0f};
    sn_convex sphere = sn_convex_sphere(&s, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.5f});
    sn_convex box = sn_convex_box(&r, (sn_box){{1.0f, 1.0f, 1.0f}});
    assert_true(sn_ray_convex(&sphere, sn_v(0.1f, 0.0f, 0.0f), none).hit);
    assert_false(sn_ray_convex(&sphere, sn_v(1.0f, 0.0f, 0.0f), none).hit);
    assert_true(sn_ray_convex(&box, sn_v(0.1f, 0.0f, 0.0f), none).hit);
    assert_false(sn_ray_convex(&box, sn_v(2.0f, 0.0f, 0.0f), none).hit);
    sn_pose away = {{3.0f, 0.0f, 0.0f}, sn_quat_identity};
    assert_true(sn_cast_convex(&box, &sphere, sn_pose_identity, none).hit);
    assert_false(sn_cast_convex(&box, &sphere, away, none).hit);
}

// --- rays: brute force -------------------------------------------------------------------------------------

typedef struct scene {
    test_convex a, b;
    float size;
} scene;

static void scene_make(scene *scene, test_random *random, test_convex_kind kind_a, test_convex_kind kind_b)
{
    scene->size = test_random_power(random, -2.0f, 3.0f);
    test_convex_make(&scene->a, random, kind_a, scene->size);
    test_convex_make(&scene->b, random, kind_b, scene->size * test_random_power(random, -1.0f, 0.3f));
    bool sharp = test_random_u32(random) & 1;
    bool needs_radius = kind_a <= TEST_SEGMENT;
    scene->a.convex.radius =
        sharp && !needs_radius ? 0.0f : scene->size * test_random_float(random, 0.05f, 0.5f);
    scene->b.convex.radius =
        sharp && kind_b > TEST_SEGMENT ? 0.0f : scene->size * test_random_float(random, 0.02f, 0.3f);
}

static void scene_free(scene *scene)
{
    test_convex_free(&scene->a);
    test_convex_free(&scene->b);
}

static float separation_at(const scene *scene, sn_pose pose, sn_vec3 translation, float t)
{
    sn_pose moved = {sn_add_scaled(pose.position, t, translation), pose.rotation};
    return sn_separation(&scene->a.convex, &scene->b.convex, moved).distance;
}

typedef struct tally {
    int hits, misses, inside;
} tally;

// A cast is right if, to 3e-5 of the size: there is no overlap before the hit, there is contact at the hit
// (or the shapes overlapped at the start), and where no hit is reported nothing overlaps at all.
static void check_cast(const scene *scene, sn_pose pose, sn_vec3 translation, sn_cast_result hit,
                       tally *tally)
{
    float tolerance = 3.0e-5f * scene->size;
    float last = hit.hit ? hit.fraction : 1.0f;
    for (int i = 0; i <= 100; ++i) {
        float t = last * (float)i * 0.01f;
        bool inside = hit.hit && hit.fraction == 0.0f;
        assert_true(inside || separation_at(scene, pose, translation, t) > -tolerance);
    }
    if (!hit.hit) {
        ++tally->misses;
        return;
    }
    assert_true(hit.fraction >= 0.0f && hit.fraction <= 1.0f);
    assert_near(sn_length(hit.normal), 1.0f, 1.0e-5f);
    assert_true(sn_dot(hit.normal, translation) <= 0.0f);
    if (hit.fraction == 0.0f) {
        assert_true(separation_at(scene, pose, translation, 0.0f) < tolerance);
        ++tally->inside;
        return;
    }
    ++tally->hits;
    assert_true(sn_abs(separation_at(scene, pose, translation, hit.fraction)) < tolerance);
    sn_vec3 zero = {0.0f, 0.0f, 0.0f};
    sn_convex point = {.points = &zero, .point_count = 1};
    sn_pose at_point = {hit.point, sn_quat_identity};
    assert_true(sn_abs(sn_separation(&scene->a.convex, &point, at_point).distance) < tolerance);
}

static void test_ten_thousand_rays_stop_where_the_distance_vanishes(void **state)
{
    (void)state;
    test_random random = {8};
    static scene ray;
    tally tally = {0};
    for (int i = 0; i < 10000; ++i) {
        scene_make(&ray, &random, (test_convex_kind)(test_random_u32(&random) % TEST_CONVEX_KINDS),
                   TEST_POINT);
        ray.b.storage.points[0] = sn_v(0.0f, 0.0f, 0.0f);
        ray.b.convex.radius = 0.0f;
        sn_vec3 origin =
            sn_scale(test_random_direction(&random), ray.size * test_random_float(&random, 0.1f, 5.0f));
        sn_vec3 aim = test_random_vec3(&random, 0.6f * ray.size);
        sn_vec3 translation = sn_scale(sn_sub(aim, origin), test_random_float(&random, 0.5f, 3.0f));
        sn_cast_result hit = sn_ray_convex(&ray.a.convex, origin, translation);
        check_cast(&ray, (sn_pose){origin, sn_quat_identity}, translation, hit, &tally);
        scene_free(&ray);
    }
    assert_in_range(tally.hits, 2000, 9000);
    assert_in_range(tally.misses, 1000, 7000);
    assert_in_range(tally.inside, 50, 3000);
}

// --- casts -------------------------------------------------------------------------------------------------

static void test_ball_cast_on_a_box_stops_at_its_radius(void **state)
{
    (void)state;
    sn_convex_storage s, r;
    sn_convex box = sn_convex_box(&s, (sn_box){{1.0f, 1.0f, 1.0f}});
    sn_convex ball = sn_convex_sphere(&r, (sn_sphere){{0.0f, 0.5f, 0.0f}, 0.25f});
    sn_pose pose = {{0.2f, 3.0f, -0.1f}, sn_quat_identity};
    sn_cast_result hit = sn_cast_convex(&box, &ball, pose, sn_v(0.0f, -4.5f, 0.0f));
    assert_true(hit.hit);
    assert_near(hit.fraction, 0.5f, 5.0e-6f);
    assert_near3(hit.point, sn_v(0.2f, 1.0f, -0.1f), 3.0e-5f);
    assert_near3(hit.normal, sn_v(0.0f, 1.0f, 0.0f), 1.0e-5f);
}

static void test_ball_cast_on_a_capsule_is_exact(void **state)
{
    (void)state;
    sn_convex_storage s, r;
    sn_convex capsule = sn_convex_capsule(&s, (sn_capsule){{0.0f, -1.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, 0.3f});
    sn_convex ball = sn_convex_sphere(&r, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.2f});
    sn_pose pose = {{-2.0f, 0.5f, 0.3f}, sn_quat_identity};
    assert_hit(sn_cast_convex(&capsule, &ball, pose, sn_v(4.0f, 0.0f, 0.0f)), 0.4f, sn_v(-0.24f, 0.5f, 0.18f),
               sn_v(-0.8f, 0.0f, 0.6f));
}

static void test_box_resting_on_a_floor_slides_but_does_not_sink(void **state)
{
    (void)state;
    sn_convex_storage s, r;
    sn_convex floor = sn_convex_box(&s, (sn_box){{10.0f, 1.0f, 10.0f}});
    sn_convex box = sn_convex_box(&r, (sn_box){{0.5f, 0.5f, 0.5f}});
    sn_pose pose = {{0.0f, 1.5f, 0.0f}, sn_quat_identity};
    assert_false(sn_cast_convex(&floor, &box, pose, sn_v(3.0f, 0.0f, 1.0f)).hit);
    assert_false(sn_cast_convex(&floor, &box, pose, sn_v(1.0f, 2.0f, 0.0f)).hit);
    sn_cast_result down = sn_cast_convex(&floor, &box, pose, sn_v(1.0f, -2.0f, 0.0f));
    assert_true(down.hit && down.fraction < 1.0e-5f);
    assert_near3(down.normal, sn_v(0.0f, 1.0f, 0.0f), 1.0e-5f);
    sn_pose sunk = {{0.0f, 1.2f, 0.0f}, sn_quat_identity};
    sn_cast_result inside = sn_cast_convex(&floor, &box, sunk, sn_v(0.0f, 0.0f, 2.0f));
    assert_true(inside.hit && inside.fraction == 0.0f);
    assert_near3(inside.normal, sn_v(0.0f, 0.0f, -1.0f), 0.0f);
}

static void test_ten_thousand_casts_stop_where_the_distance_vanishes(void **state)
{
    (void)state;
    test_random random = {9};
    static scene cast;
    tally tally = {0};
    for (int i = 0; i < 10000; ++i) {
        scene_make(&cast, &random, (test_convex_kind)(test_random_u32(&random) % TEST_CONVEX_KINDS),
                   (test_convex_kind)(test_random_u32(&random) % TEST_CONVEX_KINDS));
        sn_pose pose = {
            sn_scale(test_random_direction(&random), cast.size * test_random_float(&random, 0.5f, 5.0f)),
            test_random_rotation(&random)};
        sn_vec3 aim = test_random_vec3(&random, cast.size);
        sn_vec3 translation = sn_scale(sn_sub(aim, pose.position), test_random_float(&random, 0.5f, 3.0f));
        sn_cast_result hit = sn_cast_convex(&cast.a.convex, &cast.b.convex, pose, translation);
        check_cast(&cast, pose, translation, hit, &tally);
        scene_free(&cast);
    }
    assert_in_range(tally.hits, 2000, 9000);
    assert_in_range(tally.misses, 1000, 7000);
    assert_in_range(tally.inside, 50, 3000);
}

static void test_numbers_that_are_none_end_the_cast(void **state)
{
    (void)state;
    float bad[] = {NAN, INFINITY, -INFINITY, 1.0e30f, 1.0e-30f};
    sn_convex_storage s, r, q;
    sn_convex box = sn_convex_box(&s, (sn_box){{1.0f, 1.0f, 1.0f}});
    sn_convex capsule = sn_convex_capsule(&r, (sn_capsule){{-1.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, 0.5f});
    sn_convex sphere = sn_convex_sphere(&q, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.5f});
    const sn_convex *shapes[] = {&box, &capsule, &sphere};
    for (int i = 0; i < 5; ++i) {
        sn_vec3 wild = {bad[i], -bad[i], 2.0f};
        for (int k = 0; k < 9; ++k) {
            sn_pose pose = {wild, sn_quat_identity};
            (void)sn_cast_convex(shapes[k % 3], shapes[k / 3], pose, wild);
            (void)sn_cast_convex(shapes[k % 3], shapes[k / 3], sn_pose_identity, wild);
            (void)sn_ray_convex(shapes[k % 3], wild, sn_v(1.0f, 2.0f, 3.0f));
            (void)sn_ray_convex(shapes[k % 3], sn_v(1.0f, 2.0f, 3.0f), wild);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ray_hits_a_sphere_where_the_formula_says),
        cmocka_unit_test(test_ray_from_a_kilometre_away_hits_a_marble),
        cmocka_unit_test(test_ray_hits_mantle_and_ends_of_a_capsule),
        cmocka_unit_test(test_ray_hits_the_entry_face_of_a_box),
        cmocka_unit_test(test_ray_hits_the_half_space),
        cmocka_unit_test(test_ray_hits_a_triangle_from_its_front),
        cmocka_unit_test(test_ray_through_a_shared_edge_never_slips_between_two_triangles),
        cmocka_unit_test(test_path_without_length_hits_only_from_inside),
        cmocka_unit_test(test_ten_thousand_rays_stop_where_the_distance_vanishes),
        cmocka_unit_test(test_ball_cast_on_a_box_stops_at_its_radius),
        cmocka_unit_test(test_ball_cast_on_a_capsule_is_exact),
        cmocka_unit_test(test_box_resting_on_a_floor_slides_but_does_not_sink),
        cmocka_unit_test(test_ten_thousand_casts_stop_where_the_distance_vanishes),
        cmocka_unit_test(test_numbers_that_are_none_end_the_cast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
