// Rays: against closed forms and against brute force in double over shapes of every kind.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sinew/sinew.h"
#include "support/query_scene.h"

static sn_world *empty_world(void)
{
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    assert_int_equal(sn_world_create(&def, &world), SN_OK);
    return world;
}

static sn_rigid body_at(sn_world *world, sn_rigid_type type, sn_vec3 position)
{
    sn_rigid_def def = sn_rigid_def_default();
    def.type = type;
    def.position = position;
    sn_rigid rigid;
    assert_int_equal(sn_rigid_add(world, &def, &rigid), SN_OK);
    return rigid;
}

static sn_hit ray(const sn_world *world, sn_vec3 origin, sn_vec3 translation)
{
    sn_hit hit;
    assert_int_equal(sn_world_ray(world, origin, translation, sn_query_filter_default(), &hit), SN_OK);
    return hit;
}

static void assert_vec3_near(sn_vec3 a, sn_vec3 b, float tolerance)
{
    assert_true(sn_length(sn_sub(a, b)) <= tolerance);
}

// Lengths along a ray are compared to this. [m]
static const double length_tolerance = 2.0e-5;

// --- brute force ---------------------------------------------------------------------------------

// Where a ray meets a triangle, as a length; `border` is how near it passes to an edge, in barycentric
// weight.
static double oracle_ray_triangle(const vec3d c[3], bool double_sided, vec3d origin, vec3d direction,
                                  double *border)
{
    vec3d normal = vec3d_cross(vec3d_sub(c[1], c[0]), vec3d_sub(c[2], c[0]));
    double approach = -vec3d_dot(normal, direction), area = vec3d_dot(normal, normal);
    *border = INFINITY;
    if (fabs(approach) < 1.0e-12 || (approach < 0.0 && !double_sided)) {
        return INFINITY;
    }
    double at = vec3d_dot(normal, vec3d_sub(origin, c[0])) / approach;
    vec3d p = vec3d_add_scaled(origin, at, direction);
    double least = INFINITY;
    for (int k = 0; k < 3; ++k) {
        vec3d edge = vec3d_sub(c[(k + 1) % 3], c[k]);
        least = fmin(least, vec3d_dot(normal, vec3d_cross(edge, vec3d_sub(p, c[k]))) / area);
    }
    *border = fabs(least);
    return at >= 0.0 && least >= 0.0 ? at : INFINITY;
}

typedef struct oracle_hit {
    double at;   // length along the ray, INFINITY for none
    bool unsure; // so close to an edge that either answer is right
} oracle_hit;

static oracle_hit oracle_ray(const sn_world *world, int index, vec3d origin, vec3d direction, double length)
{
    const sn_shape_data *shape = &world->shapes.data[index];
    oracle_hit hit = {INFINITY, false};
    if (shape->type != SN_SURFACE) {
        double nearest_miss;
        hit.at = oracle_march(world, index, origin, direction, length, 0.0, &nearest_miss);
        hit.unsure = hit.at > length && nearest_miss < 1.0e-4;
        return hit;
    }
    sn_pose pose = oracle_pose(world, shape);
    for (int i = 0; i < shape->surface->triangle_count; ++i) {
        sn_vec3 corners[3];
        double border;
        sn_surface_triangle(shape->surface, i, corners);
        vec3d c[3] = {vec3d_apply(pose, vec3d_from(corners[0])), vec3d_apply(pose, vec3d_from(corners[1])),
                      vec3d_apply(pose, vec3d_from(corners[2]))};
        double at = oracle_ray_triangle(c, shape->surface->double_sided, origin, direction, &border);
        hit.unsure = hit.unsure || border < 1.0e-4;
        hit.at = at <= length ? fmin(hit.at, at) : hit.at;
    }
    return hit;
}

// What a hit says of itself: the point is on the named part, and the distance grows along the normal.
static void assert_hit_sound(const sn_world *world, const sn_hit *hit, sn_vec3 origin, sn_vec3 translation)
{
    int index = scene_shape_index(hit->shape);
    const sn_shape_data *shape = &world->shapes.data[index];
    assert_true(sn_shape_is_valid(world, hit->shape));
    assert_int_equal(hit->rigid.index, shape->body + 1);
    assert_true(sn_rigid_is_valid(world, hit->rigid));
    assert_true(hit->part >= 0 && hit->part < oracle_part_count(shape));
    assert_true(sn_abs(sn_length(hit->normal) - 1.0f) < 1.0e-5f);
    assert_true(sn_dot(hit->normal, translation) <= 0.0f);
    vec3d point = vec3d_from(hit->point);
    assert_vec3_near(hit->point, sn_add_scaled(origin, hit->fraction, translation), 2.0e-5f);
    if (hit->fraction == 0.0f && oracle_distance(world, index, vec3d_from(origin)) < 0.0) {
        assert_vec3_near(hit->normal, sn_neg(sn_normalize(translation)), 1.0e-5f);
        return;
    }
    assert_true(fabs(oracle_part(world, shape, hit->part, point)) < 2.0e-5);
    vec3d above = vec3d_add_scaled(point, 1.0e-2, vec3d_from(hit->normal));
    assert_true(fabs(oracle_part(world, shape, hit->part, above) - 1.0e-2) < 5.0e-5);
}

static void test_nearest_hit_agrees_with_brute_force(void **state)
{
    (void)state;
    query_scene scene = query_scene_make(11, 60, 3.0f, true);
    test_random random = {12};
    int hits = 0, sure = 0, of_type[SN_COMPOUND + 1] = {0};
    for (int i = 0; i < 2000; ++i) {
        sn_vec3 origin = test_random_vec3(&random, 5.0f);
        sn_vec3 towards = sn_sub(test_random_vec3(&random, 3.0f), origin);
        sn_vec3 translation = sn_scale(towards, test_random_float(&random, 0.2f, 2.0f));
        double length = vec3d_length(vec3d_from(translation)), best = INFINITY;
        bool unsure = false;
        vec3d unit = vec3d_from(sn_scale(translation, 1.0f / (float)length));
        for (int k = 0; k < scene.world->shapes.count; ++k) {
            oracle_hit one = oracle_ray(scene.world, k, vec3d_from(origin), unit, length);
            best = fmin(best, one.at);
            unsure = unsure || one.unsure;
        }
        sn_hit hit = ray(scene.world, origin, translation);
        if (hit.shape.index != 0) {
            assert_hit_sound(scene.world, &hit, origin, translation);
            ++hits;
            ++of_type[scene.world->shapes.data[scene_shape_index(hit.shape)].type];
        }
        if (unsure || fabs(best - length) < 1.0e-4) {
            continue;
        }
        ++sure;
        assert_int_equal(hit.shape.index != 0, best <= length);
        if (best <= length) {
            // A march ends 1e-7 before the surface: many times that along it where the ray is slanting.
            assert_true(fabs(hit.fraction * length - best) < 10.0 * length_tolerance);
        }
    }
    assert_true(hits > 1000 && sure > 1900);
    for (int type = SN_SPHERE; type <= SN_COMPOUND; ++type) {
        assert_true(of_type[type] > 30);
    }
    query_scene_free(&scene);
}

static void test_answer_does_not_depend_on_the_trees(void **state)
{
    (void)state;
    query_scene scene = query_scene_make(21, 120, 5.0f, true);
    enum { RAYS = 500 };
    sn_hit before[RAYS];
    for (int pass = 0; pass < 2; ++pass) {
        test_random random = {22};
        for (int i = 0; i < RAYS; ++i) {
            sn_vec3 origin = test_random_vec3(&random, 6.0f);
            sn_hit hit = ray(scene.world, origin, test_random_vec3(&random, 10.0f));
            before[i] = pass == 0 ? hit : before[i];
            assert_memory_equal(&hit, &before[i], sizeof hit);
        }
        query_scene_shuffle(&scene);
    }
    query_scene_free(&scene);
}

// --- closed forms --------------------------------------------------------------------------------

static void test_a_ray_meets_a_sphere_a_box_and_a_capsule_where_geometry_says(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_rigid ball = body_at(world, SN_DYNAMIC, sn_v(0.0f, 0.0f, 0.0f));
    sn_rigid crate = body_at(world, SN_STATIC, sn_v(10.0f, 0.0f, 0.0f));
    sn_rigid pill = body_at(world, SN_KINEMATIC, sn_v(20.0f, 0.0f, 0.0f));
    sn_sphere_add(world, ball, NULL, (sn_sphere){{0.0f, 0.0f, 0.0f}, 1.0f}, NULL);
    sn_box_add(world, crate, NULL, (sn_box){{1.0f, 2.0f, 3.0f}}, NULL);
    sn_capsule_add(world, pill, NULL, (sn_capsule){{0.0f, -1.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, 0.5f}, NULL);
    const struct {
        sn_vec3 origin, translation, point, normal;
        float fraction;
        sn_rigid rigid;
    } cases[] = {{{-5, 0, 0}, {8, 0, 0}, {-1, 0, 0}, {-1, 0, 0}, 0.5f, ball},
                 {{0, 5, 0}, {0, -16, 0}, {0, 1, 0}, {0, 1, 0}, 0.25f, ball},
                 {{10.5f, 4, 1}, {0, -4, 0}, {10.5f, 2, 1}, {0, 1, 0}, 0.5f, crate},
                 {{15, 1.5f, 2}, {-8, 0, 0}, {11, 1.5f, 2}, {1, 0, 0}, 0.5f, crate},
                 {{25, 0.5f, 0}, {-9, 0, 0}, {20.5f, 0.5f, 0}, {1, 0, 0}, 0.5f, pill},
                 {{20, 4.5f, 0}, {0, -6, 0}, {20, 1.5f, 0}, {0, 1, 0}, 0.5f, pill}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        sn_hit hit = ray(world, cases[i].origin, cases[i].translation);
        assert_int_equal(hit.rigid.index, cases[i].rigid.index);
        assert_true(sn_abs(hit.fraction - cases[i].fraction) < 1.0e-6f);
        assert_vec3_near(hit.point, cases[i].point, 1.0e-5f);
        assert_vec3_near(hit.normal, cases[i].normal, 1.0e-5f);
        assert_int_equal(hit.part, 0);
    }
    assert_int_equal(ray(world, sn_v(-5, 0, 0), sn_v(3.9f, 0, 0)).shape.index, 0);
    assert_int_equal(ray(world, sn_v(-5, 1.1f, 0), sn_v(12, 0, 0)).shape.index, 0);
    sn_world_destroy(world);
}

static void test_a_ray_meets_a_plane_of_a_turned_body(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_rigid_def def = sn_rigid_def_default();
    def.type = SN_STATIC;
    def.position = sn_v(3.0f, 0.0f, 0.0f);
    def.rotation = sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), -0.5f * SN_PI); // y becomes x
    sn_rigid wall;
    assert_int_equal(sn_rigid_add(world, &def, &wall), SN_OK);
    assert_int_equal(sn_plane_add(world, wall, NULL, (sn_plane){{0.0f, 2.0f, 0.0f}, 1.0f}, NULL), SN_OK);
    sn_hit hit = ray(world, sn_v(1000.0f, 7.0f, 8.0f), sn_v(-1992.0f, 0.0f, 0.0f));
    assert_true(sn_abs(hit.fraction - 0.5f) < 1.0e-6f);
    assert_vec3_near(hit.point, sn_v(4.0f, 7.0f, 8.0f), 1.0e-4f);
    assert_vec3_near(hit.normal, sn_v(1.0f, 0.0f, 0.0f), 1.0e-6f);
    assert_int_equal(ray(world, sn_v(5.0f, 0.0f, 0.0f), sn_v(1.0f, 9.0f, 0.0f)).shape.index, 0);
    sn_world_destroy(world);
}

static void test_a_ray_from_inside_hits_at_once_and_looks_back(void **state)
{
    (void)state;
    query_scene scene = query_scene_make(31, 0, 1.0f, false);
    sn_world *world = scene.world;
    sn_rigid bodies[5];
    for (int i = 0; i < 5; ++i) {
        bodies[i] = body_at(world, SN_DYNAMIC, sn_v(20.0f + 10.0f * (float)i, 0.0f, 0.0f));
    }
    sn_sphere_add(world, bodies[0], NULL, (sn_sphere){{0.0f, 0.0f, 0.0f}, 1.0f}, NULL);
    sn_capsule_add(world, bodies[1], NULL, (sn_capsule){{-1, 0, 0}, {1, 0, 0}, 0.5f}, NULL);
    sn_box_add(world, bodies[2], NULL, (sn_box){{1.0f, 1.0f, 1.0f}}, NULL);
    sn_hull_add(world, bodies[3], NULL, scene.hull, NULL);
    sn_compound_add(world, bodies[4], NULL, scene.compound, NULL);
    for (int i = 0; i < 5; ++i) {
        // The compound's ball lies 0.7 m off its middle.
        sn_vec3 origin = sn_v(20.0f + 10.0f * (float)i + (i == 4 ? 0.7f : 0.05f), 0.02f, 0.01f);
        sn_vec3 translation = sn_v(3.0f, -4.0f, 0.0f);
        sn_hit hit = ray(world, origin, translation);
        assert_int_equal(hit.rigid.index, bodies[i].index);
        assert_true(hit.fraction == 0.0f);
        assert_vec3_near(hit.point, origin, 1.0e-5f);
        assert_vec3_near(hit.normal, sn_v(-0.6f, 0.8f, 0.0f), 1.0e-5f);
    }
    query_scene_free(&scene);
}

static void test_one_sided_surfaces_are_hit_from_the_front_only(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    const sn_vec3 corners[4] = {{0, 0, 0}, {0, 0, 2}, {2, 0, 0}, {2, 0, 2}};
    const uint32_t triangles[6] = {0, 1, 2, 2, 1, 3};
    for (int double_sided = 0; double_sided < 2; ++double_sided) {
        sn_surface *sheet;
        sn_surface_create(corners, 4, triangles, 2, double_sided != 0, &sheet);
        sn_shape_def def = sn_shape_def_default();
        def.offset.position = sn_v(10.0f * (float)double_sided, 0.0f, 0.0f);
        assert_int_equal(sn_surface_add(world, sn_world_ground(world), &def, sheet, NULL), SN_OK);
        sn_surface_destroy(sheet);
        float x = 10.0f * (float)double_sided;
        sn_hit front = ray(world, sn_v(x + 0.25f, 1.0f, 0.5f), sn_v(0, -2, 0));
        assert_true(front.fraction == 0.5f && front.part == 0);
        assert_vec3_near(front.normal, sn_v(0, 1, 0), 1.0e-6f);
        assert_int_equal(ray(world, sn_v(x + 1.75f, 1.0f, 1.5f), sn_v(0, -2, 0)).part, 1);
        sn_hit back = ray(world, sn_v(x + 1.75f, -1.0f, 1.5f), sn_v(0, 2, 0));
        assert_int_equal(back.shape.index != 0, double_sided);
        if (double_sided) {
            assert_vec3_near(back.normal, sn_v(0, -1, 0), 1.0e-6f);
        }
    }
    sn_world_destroy(world);
}

static void test_a_ray_names_the_part_of_a_compound(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_solid parts[5];
    for (int i = 0; i < 5; ++i) {
        parts[i] = (sn_solid){.type = SN_SPHERE, .pose = sn_pose_identity, .sphere = {.radius = 0.5f}};
        parts[i].pose.position.x = 2.0f * (float)i;
    }
    sn_compound *row;
    assert_int_equal(sn_compound_create(parts, 5, &row), SN_OK);
    sn_rigid rigid = body_at(world, SN_DYNAMIC, sn_v(0.0f, 3.0f, 0.0f));
    assert_int_equal(sn_compound_add(world, rigid, NULL, row, NULL), SN_OK);
    for (int i = 0; i < 5; ++i) {
        sn_hit hit = ray(world, sn_v(2.0f * (float)i, 0.0f, 0.0f), sn_v(0.0f, 5.0f, 0.0f));
        assert_int_equal(hit.part, i);
        assert_true(sn_abs(hit.fraction - 0.5f) < 1.0e-6f);
    }
    assert_int_equal(ray(world, sn_v(-5.0f, 3.0f, 0.0f), sn_v(99.0f, 0.0f, 0.0f)).part, 0);
    assert_int_equal(ray(world, sn_v(15.0f, 3.0f, 0.0f), sn_v(-99.0f, 0.0f, 0.0f)).part, 4);
    sn_world_destroy(world);
    sn_compound_destroy(row);
}

static void test_of_equal_hits_the_lowest_shape_wins(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_shape shapes[10];
    // Static and moving shapes in turn, so that both trees hold some.
    for (int i = 0; i < 10; ++i) {
        // Side by side, so that the order in the trees is not that of the indices.
        sn_vec3 place = sn_v(0.3f * (float)(i * 7 % 10) - 1.5f, 0.0f, 0.0f);
        sn_rigid rigid = body_at(world, i % 2 ? SN_STATIC : SN_DYNAMIC, place);
        sn_box_add(world, rigid, NULL, (sn_box){{2.0f, 1.0f, 1.0f}}, &shapes[i]);
    }
    for (int i = 0; i < 10; ++i) {
        for (int pass = 0; pass < 2; ++pass) {
            assert_int_equal(ray(world, sn_v(0, 3, 0), sn_v(0, -4, 0)).shape.index, shapes[i].index);
            assert_int_equal(ray(world, sn_v(0, 0, 0), sn_v(0, 1, 0)).shape.index, shapes[i].index);
            sn_bounds_tree_rebuild(&world->static_tree);
            sn_bounds_tree_rebuild(&world->moving_tree);
        }
        assert_int_equal(sn_shape_remove(world, shapes[i]), SN_OK);
    }
    assert_int_equal(ray(world, sn_v(0, 0, 0), sn_v(0, 1, 0)).shape.index, 0);
    sn_world_destroy(world);
}

static void test_rays_see_bodies_where_they_are_now(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_rigid rigid = body_at(world, SN_DYNAMIC, sn_v(0.0f, 100.0f, 0.0f));
    sn_sphere_add(world, rigid, NULL, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.5f}, NULL);
    sn_pose pose = {{50.0f, 100.0f, 0.0f}, sn_quat_identity};
    assert_int_equal(sn_rigid_pose_set(world, rigid, pose), SN_OK);
    assert_int_equal(ray(world, sn_v(0, 110, 0), sn_v(0, -20, 0)).shape.index, 0);
    assert_int_not_equal(ray(world, sn_v(50, 110, 0), sn_v(0, -20, 0)).shape.index, 0);
    for (int i = 0; i < 60; ++i) {
        assert_int_equal(sn_world_step(world, 1.0f / 60.0f), SN_OK);
        sn_vec3 center = sn_rigid_position(world, rigid);
        sn_hit hit = ray(world, sn_v(center.x, center.y + 2.5f, center.z), sn_v(0.0f, -4.0f, 0.0f));
        assert_true(sn_abs(hit.fraction - 0.5f) < 1.0e-5f);
    }
    assert_true(sn_rigid_position(world, rigid).y < 96.0f);
    sn_world_destroy(world);
}

// --- all hits ------------------------------------------------------------------------------------

typedef struct collected {
    sn_world *world;
    int count, limit;
    sn_hit hits[200];
} collected;

static bool collect(const sn_hit *hit, void *user)
{
    collected *all = user;
    all->hits[all->count++] = *hit;
    return all->count < all->limit;
}

static void test_ray_all_gives_the_nearest_hit_of_every_shape(void **state)
{
    (void)state;
    query_scene scene = query_scene_make(41, 120, 2.5f, true);
    test_random random = {42};
    int total = 0;
    for (int i = 0; i < 300; ++i) {
        sn_vec3 origin = test_random_vec3(&random, 4.0f);
        sn_vec3 translation = sn_scale(sn_sub(test_random_vec3(&random, 2.0f), origin), 1.5f);
        double length = vec3d_length(vec3d_from(translation));
        vec3d unit = vec3d_from(sn_scale(translation, 1.0f / (float)length));
        collected all = {.limit = 200};
        assert_int_equal(
            sn_world_ray_all(scene.world, origin, translation, sn_query_filter_default(), collect, &all),
            SN_OK);
        sn_hit nearest = ray(scene.world, origin, translation);
        float least = INFINITY;
        for (int k = 0; k < all.count; ++k) {
            assert_hit_sound(scene.world, &all.hits[k], origin, translation);
            least = sn_min(least, all.hits[k].fraction);
        }
        assert_true(all.count > 0 ? least == nearest.fraction : nearest.shape.index == 0);
        for (int k = 0; k < scene.world->shapes.count; ++k) {
            oracle_hit one = oracle_ray(scene.world, k, vec3d_from(origin), unit, length);
            int found = 0;
            for (int j = 0; j < all.count; ++j) {
                if (scene_shape_index(all.hits[j].shape) == k) {
                    ++found;
                    assert_true(one.unsure || fabs(all.hits[j].fraction * length - one.at) < 2.0e-4);
                }
            }
            assert_true(one.unsure || fabs(one.at - length) < 1.0e-4 || found == (one.at <= length));
            assert_true(found <= 1);
        }
        total += all.count;
    }
    assert_true(total > 1000);
    query_scene_free(&scene);
}

static void test_ray_all_stops_when_told(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    for (int i = 0; i < 10; ++i) {
        sn_rigid rigid = body_at(world, i % 2 ? SN_STATIC : SN_DYNAMIC, sn_v((float)i, 0.0f, 0.0f));
        sn_sphere_add(world, rigid, NULL, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.4f}, NULL);
    }
    for (int limit = 1; limit <= 11; ++limit) {
        collected all = {.limit = limit};
        assert_int_equal(
            sn_world_ray_all(world, sn_v(-2, 0, 0), sn_v(20, 0, 0), sn_query_filter_default(), collect, &all),
            SN_OK);
        assert_int_equal(all.count, limit < 10 ? limit : 10);
    }
    sn_world_destroy(world);
}

static bool meddle(const sn_hit *hit, void *user)
{
    collected *all = user;
    sn_world *world = all->world;
    sn_query_filter filter = sn_query_filter_default();
    sn_rigid_def def = sn_rigid_def_default();
    sn_draw draw = sn_draw_default();
    sn_vec3 up = {0.0f, 1.0f, 0.0f};
    sn_solid ball = {.type = SN_SPHERE, .pose = sn_pose_identity, .sphere = {.radius = 1.0f}};
    sn_hit other = {.part = 77};
    sn_closest closest = {.distance = 77.0f};
    int count = 77;
    assert_int_equal(sn_rigid_add(world, &def, NULL), SN_ERROR_LOCKED);
    assert_int_equal(sn_rigid_remove(world, hit->rigid), SN_ERROR_LOCKED);
    assert_int_equal(sn_world_step(world, 0.01f), SN_ERROR_LOCKED);
    assert_int_equal(sn_world_ray(world, up, up, filter, &other), SN_ERROR_LOCKED);
    assert_int_equal(sn_world_ray_all(world, up, up, filter, meddle, user), SN_ERROR_LOCKED);
    assert_int_equal(sn_world_sweep(world, &ball, up, filter, &other), SN_ERROR_LOCKED);
    assert_int_equal(sn_world_overlap(world, &ball, filter, NULL, 0, &count), SN_ERROR_LOCKED);
    assert_int_equal(
        sn_world_overlap_bounds(world, (sn_bounds){{0, 0, 0}, {1, 1, 1}}, filter, NULL, 0, &count),
        SN_ERROR_LOCKED);
    assert_int_equal(sn_world_closest(world, up, 1.0f, filter, &closest), SN_ERROR_LOCKED);
    assert_int_equal(sn_world_draw(world, &draw), SN_ERROR_LOCKED);
    assert_true(other.part == 77 && closest.distance == 77.0f && count == 77);
    ++all->count;
    return true;
}

static void test_the_world_is_locked_while_hits_are_reported(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_rigid rigid = body_at(world, SN_DYNAMIC, sn_v(0.0f, 0.0f, 0.0f));
    sn_sphere_add(world, rigid, NULL, (sn_sphere){{0.0f, 0.0f, 0.0f}, 0.4f}, NULL);
    collected all = {.world = world};
    assert_int_equal(
        sn_world_ray_all(world, sn_v(-2, 0, 0), sn_v(4, 0, 0), sn_query_filter_default(), meddle, &all),
        SN_OK);
    assert_int_equal(all.count, 1);
    assert_int_equal(sn_rigid_remove(world, rigid), SN_OK);
    sn_world_destroy(world);
}

static void test_rays_need_no_memory(void **state)
{
    (void)state;
    query_scene scene = query_scene_make(51, 60, 3.0f, true);
    uint64_t before = sn_allocation_count();
    for (int i = 0; i < 100; ++i) {
        (void)ray(scene.world, sn_v(-5.0f, 0.05f * (float)i, 0.0f), sn_v(10.0f, 0.0f, 0.1f * (float)i));
    }
    assert_int_equal(sn_allocation_count(), before);
    query_scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest_hit_agrees_with_brute_force),
        cmocka_unit_test(test_answer_does_not_depend_on_the_trees),
        cmocka_unit_test(test_a_ray_meets_a_sphere_a_box_and_a_capsule_where_geometry_says),
        cmocka_unit_test(test_a_ray_meets_a_plane_of_a_turned_body),
        cmocka_unit_test(test_a_ray_from_inside_hits_at_once_and_looks_back),
        cmocka_unit_test(test_one_sided_surfaces_are_hit_from_the_front_only),
        cmocka_unit_test(test_a_ray_names_the_part_of_a_compound),
        cmocka_unit_test(test_of_equal_hits_the_lowest_shape_wins),
        cmocka_unit_test(test_rays_see_bodies_where_they_are_now),
        cmocka_unit_test(test_ray_all_gives_the_nearest_hit_of_every_shape),
        cmocka_unit_test(test_ray_all_stops_when_told),
        cmocka_unit_test(test_the_world_is_locked_while_hits_are_reported),
        cmocka_unit_test(test_rays_need_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
