// The bounds tree of a surface: its shape, and that its queries find what a search of all triangles finds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/shapes/surface_tree.h"
#include "support/memory.h"
#include "support/random.h"
#include <string.h>

#define MAX_TRIANGLES 2000

// Triangles strewn about; some sets lie on a line or are all the same, which splits badly.
static sn_surface *make_soup(test_random *random, int count, int kind, bool double_sided)
{
    static sn_vec3 vertices[3 * MAX_TRIANGLES];
    static uint32_t triangles[3 * MAX_TRIANGLES];
    for (int i = 0; i < count; ++i) {
        sn_vec3 center = test_random_vec3(random, 10.0f);
        if (kind == 1) {
            center = sn_v(center.x, 0.0f, 0.0f);
        } else if (kind == 2) {
            center = sn_v(1.0f, 2.0f, 3.0f);
        } else if (kind == 3) { // ever closer to the origin: SAH splits off one after another
            center = sn_scale(center, 1.0f / (float)(1 << (i % 20)));
        }
        for (int k = 0; k < 3; ++k) {
            sn_vec3 offset = kind == 2 ? sn_v(k == 1, k == 2, 0.5f) : test_random_vec3(random, 1.0f);
            vertices[3 * i + k] = sn_add(center, offset);
            triangles[3 * i + k] = (uint32_t)(3 * i + k);
        }
    }
    sn_surface *surface = NULL;
    assert_int_equal(sn_surface_create(vertices, 3 * count, triangles, count, double_sided, &surface), SN_OK);
    return surface;
}

// --- shape -------------------------------------------------------------------------------------------------

static void visit(const sn_surface *surface, int index, int depth, int *seen)
{
    assert_true(index >= 0 && index < surface->node_count);
    assert_true(depth <= SN_SURFACE_TREE_DEPTH);
    const sn_surface_node *node = &surface->nodes[index];
    if (node->count == 0) {
        for (int i = 0; i < 2; ++i) {
            assert_true(sn_bounds_contain(node->bounds, surface->nodes[node->first + i].bounds));
            visit(surface, node->first + i, depth + 1, seen);
        }
        return;
    }
    assert_true(node->count <= 4);
    for (int i = 0; i < node->count; ++i) {
        uint32_t triangle = surface->order[node->first + i];
        assert_true(i == 0 || triangle > surface->order[node->first + i - 1]);
        sn_bounds own = sn_triangle_bounds(surface->vertices, surface->triangles + 3 * triangle);
        assert_true(sn_bounds_contain(node->bounds, own));
        seen[triangle]++;
    }
}

static void test_tree_holds_each_triangle_once_in_tight_ordered_leaves(void **state)
{
    (void)state;
    test_random random = {1};
    static const int counts[] = {1, 2, 4, 5, 9, 100, MAX_TRIANGLES};
    for (int i = 0; i < 28; ++i) {
        sn_surface *surface = make_soup(&random, counts[i / 4], i % 4, false);
        int seen[MAX_TRIANGLES] = {0};
        visit(surface, 0, 0, seen);
        for (int t = 0; t < surface->triangle_count; ++t) {
            assert_int_equal(seen[t], 1);
        }
        assert_memory_equal(&surface->bounds, &surface->nodes[0].bounds, sizeof(sn_bounds));
        sn_surface_destroy(surface);
    }
}

// --- overlap -----------------------------------------------------------------------------------------------

typedef struct found {
    int seen[MAX_TRIANGLES];
    int count, stop_after;
} found;

static bool note(void *context, int triangle)
{
    found *f = context;
    f->seen[triangle]++;
    return ++f->count != f->stop_after;
}

static void test_overlap_finds_what_brute_force_finds(void **state)
{
    (void)state;
    test_random random = {2};
    for (int round = 0; round < 8; ++round) {
        sn_surface *surface = make_soup(&random, 700, round % 4, false);
        for (int q = 0; q < 100; ++q) {
            sn_vec3 center = test_random_vec3(&random, 10.0f);
            sn_vec3 half = sn_abs3(test_random_vec3(&random, q % 2 ? 1.0f : 6.0f));
            sn_bounds bounds = {sn_sub(center, half), sn_add(center, half)};
            found f = {.stop_after = -1};
            sn_surface_overlap(surface, bounds, note, &f);
            for (int t = 0; t < surface->triangle_count; ++t) {
                sn_bounds own = sn_triangle_bounds(surface->vertices, surface->triangles + 3 * t);
                assert_int_equal(f.seen[t], sn_bounds_overlap(own, bounds));
            }
        }
        sn_surface_destroy(surface);
    }
}

static void test_overlap_stops_when_told(void **state)
{
    (void)state;
    test_random random = {3};
    sn_surface *surface = make_soup(&random, 500, 0, false);
    for (int stop = 1; stop < 50; ++stop) {
        found f = {.stop_after = stop};
        sn_surface_overlap(surface, surface->bounds, note, &f);
        assert_int_equal(f.count, stop);
    }
    sn_surface_destroy(surface);
}

// --- rays --------------------------------------------------------------------------------------------------

// Möller and Trumbore 1997 in double; edges within `slack` are neither hit nor missed for certain.
static bool oracle_hit(const sn_vec3 c[3], sn_vec3 origin, sn_vec3 translation, bool double_sided,
                       double slack, double *fraction)
{
    double e1[3] = {(double)c[1].x - c[0].x, (double)c[1].y - c[0].y, (double)c[1].z - c[0].z};
    double e2[3] = {(double)c[2].x - c[0].x, (double)c[2].y - c[0].y, (double)c[2].z - c[0].z};
    double s[3] = {(double)origin.x - c[0].x, (double)origin.y - c[0].y, (double)origin.z - c[0].z};
    double d[3] = {translation.x, translation.y, translation.z};
    double p[3] = {d[1] * e2[2] - d[2] * e2[1], d[2] * e2[0] - d[0] * e2[2], d[0] * e2[1] - d[1] * e2[0]};
    double q[3] = {s[1] * e1[2] - s[2] * e1[1], s[2] * e1[0] - s[0] * e1[2], s[0] * e1[1] - s[1] * e1[0]};
    double determinant = e1[0] * p[0] + e1[1] * p[1] + e1[2] * p[2];
    if (determinant == 0.0 || (!double_sided && determinant < 0.0)) {
        return false;
    }
    double u = (s[0] * p[0] + s[1] * p[1] + s[2] * p[2]) / determinant;
    double v = (d[0] * q[0] + d[1] * q[1] + d[2] * q[2]) / determinant;
    *fraction = (e2[0] * q[0] + e2[1] * q[1] + e2[2] * q[2]) / determinant;
    return u >= -slack && v >= -slack && u + v <= 1.0 + slack && *fraction >= -slack &&
           *fraction <= 1.0 + slack;
}

static void test_rays_hit_what_brute_force_hits(void **state)
{
    (void)state;
    test_random random = {4};
    int hits = 0;
    for (int round = 0; round < 8; ++round) {
        bool double_sided = round >= 4;
        sn_surface *surface = make_soup(&random, 600, round % 4, double_sided);
        for (int r = 0; r < 200; ++r) {
            sn_vec3 origin = test_random_vec3(&random, 12.0f);
            sn_vec3 target = test_random_vec3(&random, 10.0f);
            if (r % 2) { // at some triangle
                sn_vec3 aim[3];
                sn_surface_triangle(surface, r % surface->triangle_count, aim);
                target = sn_lerp(sn_lerp(aim[0], aim[1], 0.5f), aim[2], 0.3f);
            }
            sn_vec3 translation = sn_scale(sn_sub(target, origin), 1.2f);
            double surely = 2.0, perhaps = 2.0; // nearest fraction of hits well inside, and of any
            for (int t = 0; t < surface->triangle_count; ++t) {
                sn_vec3 corners[3];
                double fraction;
                sn_surface_triangle(surface, t, corners);
                if (oracle_hit(corners, origin, translation, double_sided, -1.0e-3, &fraction)) {
                    surely = fmin(surely, fraction);
                }
                if (oracle_hit(corners, origin, translation, double_sided, 1.0e-3, &fraction)) {
                    perhaps = fmin(perhaps, fraction);
                }
            }
            float fraction = -1.0f;
            sn_vec3 normal;
            int triangle = sn_surface_ray(surface, origin, translation, &fraction, &normal);
            if (triangle < 0) {
                assert_true(surely > 1.0);
                continue;
            }
            hits++;
            assert_true(fraction <= surely + 1.0e-4 && fraction >= perhaps - 1.0e-4);
            sn_vec3 c[3];
            sn_surface_triangle(surface, triangle, c);
            sn_vec3 face = sn_normalize(sn_cross(sn_sub(c[1], c[0]), sn_sub(c[2], c[0])));
            assert_float_equal(sn_abs(sn_dot(face, normal)), 1.0f, 1.0e-5f);
            assert_true(sn_dot(normal, translation) < 0.0f);
        }
        sn_surface_destroy(surface);
    }
    assert_true(hits > 600);
}

static sn_surface *make_square(bool double_sided)
{
    const sn_vec3 v[4] = {{-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1}};
    const uint32_t t[6] = {0, 1, 2, 0, 2, 3};
    sn_surface *surface = NULL;
    assert_int_equal(sn_surface_create(v, 4, t, 2, double_sided, &surface), SN_OK);
    return surface;
}

static void test_rays_see_the_front_only_unless_double_sided(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        sn_surface *surface = make_square(i == 1);
        float fraction = -1.0f;
        sn_vec3 normal = {0, 0, 0}, above = {0.5f, 1, 0.2f}, below = {0.5f, -1, 0.2f};
        assert_true(sn_surface_ray(surface, above, sn_v(0, -4, 0), &fraction, &normal) >= 0);
        assert_float_equal(fraction, 0.25f, 1.0e-7f);
        assert_float_equal(normal.y, 1.0f, 1.0e-7f);
        int triangle = sn_surface_ray(surface, below, sn_v(0, 2, 0), &fraction, &normal);
        assert_int_equal(triangle >= 0, i == 1);
        if (i == 1) {
            assert_float_equal(fraction, 0.5f, 1.0e-7f);
            assert_float_equal(normal.y, -1.0f, 1.0e-7f);
        }
        sn_surface_destroy(surface);
    }
}

static void test_rays_that_stop_short_run_beside_or_go_nowhere_miss(void **state)
{
    (void)state;
    sn_surface *surface = make_square(true);
    float fraction;
    sn_vec3 normal;
    assert_int_equal(sn_surface_ray(surface, sn_v(0, 1, 0), sn_v(0, -0.99f, 0), &fraction, &normal), -1);
    assert_int_equal(sn_surface_ray(surface, sn_v(0, 1, 0), sn_v(0, 5, 0), &fraction, &normal), -1);
    assert_int_equal(sn_surface_ray(surface, sn_v(1.1f, 1, 0), sn_v(0, -5, 0), &fraction, &normal), -1);
    assert_int_equal(sn_surface_ray(surface, sn_v(-5, 0, 0), sn_v(10, 0, 0), &fraction, &normal), -1);
    assert_int_equal(sn_surface_ray(surface, sn_v(0, 0, 0), sn_v(0, 0, 0), &fraction, &normal), -1);
    assert_int_equal(sn_surface_ray(surface, sn_v(NAN, 1, 0), sn_v(0, -5, 0), &fraction, &normal), -1);
    assert_int_equal(sn_surface_ray(surface, sn_v(0, 1, 0), sn_v(0, NAN, 0), &fraction, &normal), -1);
    assert_true(sn_surface_ray(surface, sn_v(0, 1, 0), sn_v(0, -1, 0), &fraction, &normal) >= 0);
    assert_true(sn_surface_ray(surface, sn_v(0, 0, 0), sn_v(0, -1, 0), &fraction, &normal) >= 0);
    sn_surface_destroy(surface);
}

// A closed ball: from inside, through any vertex, edge or face, each ray must hit.
static void test_no_ray_slips_through_an_edge_or_a_vertex(void **state)
{
    (void)state;
    enum { RINGS = 8, SECTORS = 12 };
    sn_vec3 vertices[(RINGS + 1) * SECTORS];
    uint32_t triangles[6 * RINGS * SECTORS];
    int count = 0;
    for (int i = 0; i <= RINGS; ++i) {
        for (int j = 0; j < SECTORS; ++j) {
            float latitude = SN_PI * ((float)i / RINGS - 0.5f), longitude = 2.0f * SN_PI * (float)j / SECTORS;
            float ring = i % RINGS == 0 ? 0.0f : sn_cos(latitude);
            vertices[i * SECTORS + j] =
                sn_v(ring * sn_cos(longitude), i == 0 ? -1.0f : (i == RINGS ? 1.0f : sn_sin(latitude)),
                     ring * sn_sin(longitude));
        }
    }
    for (int i = 0; i < RINGS * SECTORS; ++i) {
        uint32_t a = (uint32_t)i, b = (uint32_t)(i / SECTORS * SECTORS + (i + 1) % SECTORS);
        const uint32_t quad[6] = {a, b, a + SECTORS, b, b + SECTORS, a + SECTORS};
        memcpy(triangles + 6 * count++, quad, sizeof quad);
    }
    sn_surface *surface = NULL;
    assert_int_equal(
        sn_surface_create(vertices, (RINGS + 1) * SECTORS, triangles, 2 * count, false, &surface), SN_OK);
    test_random random = {5};
    for (int i = 0; i < 20000; ++i) {
        uint32_t t = test_random_u32(&random) % (uint32_t)surface->triangle_count;
        sn_vec3 corners[3];
        sn_surface_triangle(surface, (int)t, corners);
        float along = i % 3 == 0 ? 0.0f : test_random_float(&random, 0.0f, 1.0f);
        sn_vec3 target = sn_lerp(corners[i % 3], corners[(i + 1) % 3], along);
        sn_vec3 origin = test_random_vec3(&random, 0.5f);
        float fraction;
        sn_vec3 normal;
        int hit = sn_surface_ray(surface, origin, sn_scale(sn_sub(target, origin), 1.5f), &fraction, &normal);
        assert_true(hit >= 0);
        assert_float_equal(fraction, 1.0f / 1.5f, 1.0e-4f);
    }
    sn_surface_destroy(surface);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_tree_holds_each_triangle_once_in_tight_ordered_leaves),
        test_with_memory(test_overlap_finds_what_brute_force_finds),
        test_with_memory(test_overlap_stops_when_told),
        test_with_memory(test_rays_hit_what_brute_force_hits),
        test_with_memory(test_rays_see_the_front_only_unless_double_sided),
        test_with_memory(test_rays_that_stop_short_run_beside_or_go_nowhere_miss),
        test_with_memory(test_no_ray_slips_through_an_edge_or_a_vertex),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
