// Shapes of every type: boxes, masses and radii against points of the geometry, and filters.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "collision/narrow/shape.h"
#include "support/manifold_check.h"
#include "support/memory.h"
#include "support/random.h"

// --- one shape of each type ----------------------------------------------------------------------

typedef struct geometry {
    sn_hull *hull;
    sn_surface *surface;
    sn_compound *compound;
} geometry;

static sn_pose random_pose(test_random *random, float half_size)
{
    sn_vec3 position = test_random_vec3(random, half_size);
    return (sn_pose){position, test_random_rotation(random)};
}

static geometry make_geometry(test_random *random)
{
    geometry made = {0};
    sn_vec3 points[16], corners[8];
    for (int i = 0; i < 16; ++i) {
        points[i] = sn_mul(test_random_direction(random), sn_v(0.9f, 0.5f, 0.3f));
        points[i] = sn_add(points[i], sn_v(0.3f, -0.2f, 0.1f));
    }
    assert_int_equal(sn_hull_create(points, 16, 0, &made.hull), SN_OK);
    for (int i = 0; i < 8; ++i) {
        corners[i] = test_random_vec3(random, 1.0f);
    }
    const uint32_t triangles[] = {0, 1, 2, 2, 3, 4, 5, 6, 7, 1, 4, 7};
    assert_int_equal(sn_surface_create(corners, 8, triangles, 4, false, &made.surface), SN_OK);
    sn_solid parts[] = {{.type = SN_SPHERE, .sphere = {{0.1f, 0.2f, 0.0f}, 0.3f}},
                        {.type = SN_CAPSULE, .capsule = {{0.0f, 0.4f, 0.0f}, {0.3f, 0.0f, 0.1f}, 0.2f}},
                        {.type = SN_BOX, .box = {{0.15f, 0.4f, 0.25f}}},
                        {.type = SN_HULL, .hull = made.hull}};
    for (int i = 0; i < 4; ++i) {
        parts[i].pose = random_pose(random, 1.0f);
    }
    assert_int_equal(sn_compound_create(parts, 4, &made.compound), SN_OK);
    return made;
}

static void destroy_geometry(geometry *geometry)
{
    sn_hull_destroy(geometry->hull);
    sn_surface_destroy(geometry->surface);
    sn_compound_destroy(geometry->compound);
}

enum { TYPES = SN_COMPOUND + 1 };

static sn_shape_data make_shape(sn_shape_type type, const geometry *geometry, sn_pose offset)
{
    sn_shape_data shape = {.type = type, .offset = offset, .density = 700.0f};
    switch (type) {
    case SN_SPHERE:
        shape.sphere = (sn_sphere){{0.2f, -0.1f, 0.3f}, 0.7f};
        break;
    case SN_CAPSULE:
        shape.capsule = (sn_capsule){{-0.5f, 0.1f, 0.0f}, {0.4f, 0.3f, 0.6f}, 0.25f};
        break;
    case SN_BOX:
        shape.box = (sn_box){{0.3f, 0.6f, 0.9f}};
        break;
    case SN_HULL:
        shape.hull = geometry->hull;
        break;
    case SN_PLANE:
        shape.plane = (sn_plane){{0.0f, 0.6f, 0.8f}, 0.5f};
        break;
    case SN_SURFACE:
        shape.surface = geometry->surface;
        break;
    default:
        shape.compound = geometry->compound;
        break;
    }
    sn_shape_store(&shape);
    return shape;
}

// --- points on a shape ---------------------------------------------------------------------------

// The farthest point of a convex view along a direction of its own frame.
static sn_vec3 support_point(const sn_convex *convex, sn_vec3 direction)
{
    return sn_add_scaled(convex->points[sn_convex_support(convex, direction)], convex->radius, direction);
}

static sn_vec3 support_of_convex(const sn_convex *convex, sn_pose pose, sn_vec3 direction)
{
    return sn_pose_apply(pose, support_point(convex, sn_rotate_inverse(pose.rotation, direction)));
}

// The farthest point of any shape but a plane along a unit direction, in the frame in which `body` is given.
static sn_vec3 support_of_shape(const sn_shape_data *shape, sn_pose body, sn_vec3 direction)
{
    sn_pose pose = sn_pose_multiply(body, shape->offset);
    if (sn_shape_is_convex(shape->type)) {
        sn_convex convex = sn_shape_convex(shape);
        return support_of_convex(&convex, pose, direction);
    }
    sn_vec3 best = {0.0f, 0.0f, 0.0f};
    float farthest = -INFINITY;
    int count = shape->type == SN_COMPOUND ? shape->compound->part_count : shape->surface->vertex_count;
    for (int i = 0; i < count; ++i) {
        sn_vec3 point;
        if (shape->type == SN_COMPOUND) {
            sn_convex convex = sn_compound_convex(shape->compound, i);
            sn_pose part = sn_pose_multiply(pose, shape->compound->parts[i].solid.pose);
            point = support_of_convex(&convex, part, direction);
        } else {
            point = sn_pose_apply(pose, shape->surface->vertices[i]);
        }
        if (sn_dot(point, direction) > farthest) {
            farthest = sn_dot(point, direction);
            best = point;
        }
    }
    return best;
}

static sn_vec3 axis_of(int i)
{
    float sign = i < 3 ? 1.0f : -1.0f;
    return sn_v(i % 3 == 0 ? sign : 0.0f, i % 3 == 1 ? sign : 0.0f, i % 3 == 2 ? sign : 0.0f);
}

// --- boxes ---------------------------------------------------------------------------------------

// The boxes of convex shapes are tight; those of surfaces and compounds are boxes of boxes and contain them.
static void test_bounds_touch_the_farthest_points_within_1e_5(void **state)
{
    (void)state;
    test_random random = {11};
    geometry geometry = make_geometry(&random);
    for (int round = 0; round < 200; ++round) {
        sn_pose body = random_pose(&random, 5.0f);
        sn_pose offset = random_pose(&random, 1.0f);
        for (int type = 0; type < TYPES; ++type) {
            if (type == SN_PLANE) {
                continue;
            }
            sn_shape_data shape = make_shape((sn_shape_type)type, &geometry, offset);
            sn_bounds bounds = sn_shape_compute_bounds(&shape, body);
            for (int i = 0; i < 6; ++i) {
                sn_vec3 axis = axis_of(i);
                float reach = sn_dot(i < 3 ? bounds.upper : bounds.lower, axis);
                float farthest = sn_dot(support_of_shape(&shape, body, axis), axis);
                assert_true(farthest <= reach + 1e-5f);
                if (sn_shape_is_convex(shape.type)) {
                    assert_near(reach, farthest, 1e-5);
                }
            }
        }
    }
    destroy_geometry(&geometry);
}

static void test_bounds_of_upright_surfaces_and_compounds_are_tight_within_1e_5(void **state)
{
    (void)state;
    test_random random = {12};
    geometry geometry = make_geometry(&random);
    const sn_pose body = {{1.0f, -2.0f, 3.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};
    const sn_shape_type types[] = {SN_SURFACE, SN_COMPOUND};
    for (int t = 0; t < 2; ++t) {
        sn_shape_data shape = make_shape(types[t], &geometry, sn_pose_identity);
        sn_bounds bounds = sn_shape_compute_bounds(&shape, body);
        for (int i = 0; i < 6; ++i) {
            sn_vec3 axis = axis_of(i);
            assert_near(sn_dot(i < 3 ? bounds.upper : bounds.lower, axis),
                        sn_dot(support_of_shape(&shape, body, axis), axis), 1e-5);
        }
    }
    destroy_geometry(&geometry);
}

static void test_a_plane_is_everywhere(void **state)
{
    (void)state;
    sn_shape_data shape = make_shape(SN_PLANE, NULL, sn_pose_identity);
    sn_bounds bounds = sn_shape_compute_bounds(&shape, pose_at(1.0f, 2.0f, 3.0f));
    float far = 2.0f * SN_MAX_COORDINATE;
    sn_bounds world = {{-far, -far, -far}, {far, far, far}};
    assert_true(sn_bounds_contain(bounds, world));
    assert_true(sn_vec3_is_finite(bounds.lower) && sn_vec3_is_finite(bounds.upper));
}

// --- mass ----------------------------------------------------------------------------------------

// ∫ over a box by midpoints of cells, where `inside` is true: mass, centre and inertia in double.
typedef struct integral {
    double mass, center[3], second[3][3];
} integral;

static bool is_inside(const sn_shape_data *shape, sn_vec3 p)
{
    sn_vec3 local = sn_pose_apply_inverse(shape->offset, p);
    sn_convex convex = sn_shape_convex(shape);
    if (convex.is_polyhedron) {
        for (int i = 0; i < convex.polyhedron.face_count; ++i) {
            sn_face_plane plane = convex.polyhedron.planes[i];
            if (sn_dot(plane.normal, local) > plane.offset) {
                return false;
            }
        }
        return true;
    }
    sn_vec3 a = convex.points[0], b = convex.points[convex.point_count - 1], ab = sn_sub(b, a);
    float length = sn_length_squared(ab);
    float t = length > 0.0f ? sn_clamp(sn_dot(sn_sub(local, a), ab) / length, 0.0f, 1.0f) : 0.0f;
    return sn_distance_between(local, sn_add_scaled(a, t, ab)) <= convex.radius;
}

static integral integrate(const sn_shape_data *shape, int cells)
{
    integral sum = {0};
    sn_bounds box = sn_shape_compute_bounds(shape, sn_pose_identity);
    sn_vec3 size = sn_scale(sn_sub(box.upper, box.lower), 1.0f / (float)cells);
    double cell = (double)size.x * size.y * size.z * shape->density;
    for (int i = 0; i < cells * cells * cells; ++i) {
        sn_vec3 index = sn_v((float)(i % cells) + 0.5f, (float)(i / cells % cells) + 0.5f,
                             (float)(i / cells / cells) + 0.5f);
        sn_vec3 p = sn_add(box.lower, sn_mul(index, size));
        if (is_inside(shape, p)) {
            const double at[3] = {p.x, p.y, p.z};
            sum.mass += cell;
            for (int k = 0; k < 3; ++k) {
                sum.center[k] += cell * at[k];
                for (int j = 0; j < 3; ++j) {
                    sum.second[k][j] += cell * at[k] * at[j];
                }
            }
        }
    }
    for (int k = 0; k < 3; ++k) {
        sum.center[k] /= sum.mass;
    }
    for (int k = 0; k < 9; ++k) {
        sum.second[k / 3][k % 3] -= sum.mass * sum.center[k / 3] * sum.center[k % 3];
    }
    return sum;
}

// The shape is rotated and moved in its body, so that centre and axes differ.
static void test_mass_of_convex_shapes_agrees_with_sums_over_cells_within_half_a_percent(void **state)
{
    (void)state;
    test_random random = {13};
    geometry geometry = make_geometry(&random);
    const sn_shape_type types[] = {SN_SPHERE, SN_CAPSULE, SN_BOX, SN_HULL};
    for (int t = 0; t < 4; ++t) {
        sn_shape_data shape = make_shape(types[t], &geometry, random_pose(&random, 1.0f));
        integral expected = integrate(&shape, 80);
        sn_mass mass = sn_shape_mass(&shape);
        assert_near(mass.mass / (float)expected.mass, 1.0f, 5e-3);
        assert_vec3_near(
            mass.center,
            sn_v((float)expected.center[0], (float)expected.center[1], (float)expected.center[2]), 2e-3);
        // Inertia = trace of the second moments − the second moments.
        double trace = expected.second[0][0] + expected.second[1][1] + expected.second[2][2];
        const sn_vec3 columns[3] = {mass.inertia.x, mass.inertia.y, mass.inertia.z};
        for (int k = 0; k < 3; ++k) {
            const float column[3] = {columns[k].x, columns[k].y, columns[k].z};
            for (int j = 0; j < 3; ++j) {
                double moment = (j == k ? trace : 0.0) - expected.second[j][k];
                assert_near(column[j], (float)moment, 5e-3 * trace);
            }
        }
    }
    destroy_geometry(&geometry);
}

static void test_mass_of_a_compound_is_the_sum_of_its_parts_within_1e_5(void **state)
{
    (void)state;
    test_random random = {14};
    geometry geometry = make_geometry(&random);
    sn_pose offset = random_pose(&random, 1.0f);
    sn_shape_data shape = make_shape(SN_COMPOUND, &geometry, offset);
    sn_mass mass = sn_shape_mass(&shape);
    float sum = 0.0f;
    sn_vec3 first = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < 4; ++i) {
        sn_solid part = sn_compound_part(geometry.compound, i);
        sn_mass one;
        assert_int_equal(sn_solid_mass(&part, shape.density, &one), SN_OK);
        sum += one.mass;
        first = sn_add_scaled(first, one.mass, sn_pose_apply(offset, one.center));
    }
    assert_near(mass.mass / sum, 1.0f, 1e-5);
    assert_vec3_near(mass.center, sn_scale(first, 1.0f / sum), 1e-5);
    destroy_geometry(&geometry);
}

static void test_planes_surfaces_and_shapes_without_density_weigh_nothing(void **state)
{
    (void)state;
    test_random random = {15};
    geometry geometry = make_geometry(&random);
    for (int type = 0; type < TYPES; ++type) {
        sn_shape_data shape = make_shape((sn_shape_type)type, &geometry, sn_pose_identity);
        bool hollow = type == SN_PLANE || type == SN_SURFACE;
        assert_true((sn_shape_mass(&shape).mass == 0.0f) == hollow);
        shape.density = 0.0f;
        assert_true(sn_shape_mass(&shape).mass == 0.0f);
    }
    destroy_geometry(&geometry);
}

// --- radii ---------------------------------------------------------------------------------------

// Exact for convex shapes, whose farthest point is a vertex of the core plus the radius; never too small for
// the others.
static void test_outer_radius_is_that_of_the_farthest_point_within_1e_5(void **state)
{
    (void)state;
    test_random random = {16};
    geometry geometry = make_geometry(&random);
    for (int round = 0; round < 50; ++round) {
        sn_pose offset = random_pose(&random, 1.0f);
        sn_vec3 center = test_random_vec3(&random, 1.0f);
        for (int type = 0; type < TYPES; ++type) {
            sn_shape_data shape = make_shape((sn_shape_type)type, &geometry, offset);
            float radius = sn_shape_outer_radius(&shape, center);
            if (type == SN_PLANE) {
                assert_true(radius == 0.0f);
                continue;
            }
            float farthest = 0.0f;
            for (int i = 0; i < 500; ++i) {
                sn_vec3 point = support_of_shape(&shape, sn_pose_identity, test_random_direction(&random));
                farthest = sn_max(farthest, sn_distance_between(point, center));
            }
            assert_true(farthest <= radius + 1e-5f);
            assert_true(radius <= farthest * (sn_shape_is_convex(shape.type) ? 1.01f : 2.0f));
        }
    }
    destroy_geometry(&geometry);
}

// How far inside the solid a point lies: the depth along the shallowest of many directions.
static float depth_inside(const sn_convex *convex, sn_pose pose, sn_vec3 point, test_random *random)
{
    float depth = INFINITY;
    for (int i = 0; i < 2000; ++i) {
        sn_vec3 direction = test_random_direction(random);
        sn_vec3 farthest = support_of_convex(convex, pose, direction);
        depth = sn_min(depth, sn_dot(direction, sn_sub(farthest, point)));
    }
    return depth;
}

static void test_the_core_of_each_convex_type_is_a_ball_inside_it(void **state)
{
    (void)state;
    test_random random = {17};
    geometry geometry = make_geometry(&random);
    const sn_shape_type types[] = {SN_SPHERE, SN_CAPSULE, SN_BOX, SN_HULL};
    for (int t = 0; t < 4; ++t) {
        sn_shape_data shape = make_shape(types[t], &geometry, random_pose(&random, 1.0f));
        sn_vec3 center;
        assert_int_equal(sn_shape_core_count(&shape), 1);
        float radius = sn_shape_core(&shape, 0, &center);
        sn_convex convex = sn_shape_convex(&shape);
        float depth = depth_inside(&convex, shape.offset, center, &random);
        assert_true(radius > 0.0f);
        assert_true(radius <= depth + 1e-5f);
        if (t < 3) {
            const float exact[] = {0.7f, 0.25f, 0.3f};
            assert_near(radius, exact[t], 1e-6);
        } else {
            assert_true(radius >
                        0.9f * depth); // a ball around the mass centre, not much smaller than possible
        }
    }
    destroy_geometry(&geometry);
}

static void test_a_compound_has_a_core_for_each_of_its_parts(void **state)
{
    (void)state;
    test_random random = {18};
    geometry geometry = make_geometry(&random);
    sn_pose offset = random_pose(&random, 1.0f);
    sn_shape_data shape = make_shape(SN_COMPOUND, &geometry, offset);
    assert_int_equal(sn_shape_core_count(&shape), 4);
    for (int i = 0; i < 4; ++i) {
        sn_vec3 center;
        float radius = sn_shape_core(&shape, i, &center);
        sn_convex convex = sn_compound_convex(geometry.compound, i);
        sn_pose part = sn_pose_multiply(offset, sn_compound_part(geometry.compound, i).pose);
        assert_true(radius > 0.1f);
        assert_true(radius <= depth_inside(&convex, part, center, &random) + 1e-5f);
    }
    destroy_geometry(&geometry);
}

static void test_planes_and_surfaces_have_no_core(void **state)
{
    (void)state;
    test_random random = {19};
    geometry geometry = make_geometry(&random);
    sn_shape_data plane = make_shape(SN_PLANE, &geometry, sn_pose_identity);
    sn_shape_data surface = make_shape(SN_SURFACE, &geometry, sn_pose_identity);
    assert_int_equal(sn_shape_core_count(&plane), 0);
    assert_int_equal(sn_shape_core_count(&surface), 0);
    destroy_geometry(&geometry);
}

// --- sharing and filters -------------------------------------------------------------------------

static void test_geometry_lives_until_the_last_shape_lets_go(void **state)
{
    (void)state;
    test_random random = {20};
    uint64_t before = sn_allocated_bytes();
    geometry geometry = make_geometry(&random);
    sn_shape_data shapes[TYPES];
    for (int type = 0; type < TYPES; ++type) {
        shapes[type] = make_shape((sn_shape_type)type, &geometry, sn_pose_identity);
        sn_shape_retain_geometry(&shapes[type]);
    }
    destroy_geometry(&geometry);
    assert_int_equal(sn_hull_vertex_count(shapes[SN_HULL].hull), 16);
    assert_int_equal(sn_surface_triangle_count(shapes[SN_SURFACE].surface), 4);
    assert_int_equal(sn_compound_part_count(shapes[SN_COMPOUND].compound), 4);
    for (int type = 0; type < TYPES; ++type) {
        sn_shape_release_geometry(&shapes[type]);
    }
    assert_int_equal(sn_allocated_bytes(), before);
}

static void test_filters_need_both_sides_and_groups_overrule_them(void **state)
{
    (void)state;
    const uint64_t all = UINT64_MAX;
    const struct {
        sn_filter a, b;
        bool allowed;
    } rows[] = {
        {{1, all, 0}, {1, all, 0}, true},  {{1, 2, 0}, {2, 1, 0}, true},
        {{1, 2, 0}, {2, 4, 0}, false},     {{1, 4, 0}, {2, 1, 0}, false},
        {{0, all, 0}, {1, all, 0}, false}, {{1ull << 63, 1ull << 62, 0}, {1ull << 62, 1ull << 63, 0}, true},
        {{1, 0, 3}, {1, 0, 3}, true},      {{1, all, -3}, {1, all, -3}, false},
        {{1, all, -3}, {1, all, 3}, true}, {{1, all, -3}, {1, all, -4}, true},
        {{1, 0, 3}, {1, all, 4}, false},   {{1, 0, 3}, {1, all, 0}, false},
    };
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows); ++i) {
        assert_int_equal(sn_filter_allows(rows[i].a, rows[i].b), rows[i].allowed);
        assert_int_equal(sn_filter_allows(rows[i].b, rows[i].a), rows[i].allowed);
    }
}

static void test_a_search_for_pairs_ignores_the_mask_for_a_positive_group_only(void **state)
{
    (void)state;
    assert_true(sn_filter_search_mask((sn_filter){1, 6, 0}) == 6);
    assert_true(sn_filter_search_mask((sn_filter){1, 6, -2}) == 6);
    assert_true(sn_filter_search_mask((sn_filter){1, 6, 2}) == UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_bounds_touch_the_farthest_points_within_1e_5),
        test_with_memory(test_bounds_of_upright_surfaces_and_compounds_are_tight_within_1e_5),
        test_with_memory(test_a_plane_is_everywhere),
        test_with_memory(test_mass_of_convex_shapes_agrees_with_sums_over_cells_within_half_a_percent),
        test_with_memory(test_mass_of_a_compound_is_the_sum_of_its_parts_within_1e_5),
        test_with_memory(test_planes_surfaces_and_shapes_without_density_weigh_nothing),
        test_with_memory(test_outer_radius_is_that_of_the_farthest_point_within_1e_5),
        test_with_memory(test_the_core_of_each_convex_type_is_a_ball_inside_it),
        test_with_memory(test_a_compound_has_a_core_for_each_of_its_parts),
        test_with_memory(test_planes_and_surfaces_have_no_core),
        test_with_memory(test_geometry_lives_until_the_last_shape_lets_go),
        test_with_memory(test_filters_need_both_sides_and_groups_overrule_them),
        test_with_memory(test_a_search_for_pairs_ignores_the_mask_for_a_positive_group_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
