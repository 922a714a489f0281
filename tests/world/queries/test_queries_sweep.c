// Moving solids: balls against marching in double, other solids against sampling of their path, and cases
// known in closed form.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "collision/narrow/gjk.h"
#include "sinew/sinew.h"
#include "support/query_scene.h"

static sn_world *empty_world(void)
{
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    assert_int_equal(sn_world_create(&def, &world), SN_OK);
    return world;
}

static sn_hit sweep(const sn_world *world, const sn_solid *solid, sn_vec3 translation)
{
    sn_hit hit;
    assert_int_equal(sn_world_sweep(world, solid, translation, sn_query_filter_default(), &hit), SN_OK);
    return hit;
}

static sn_solid ball_at(sn_vec3 position, float radius)
{
    return (sn_solid){
        .type = SN_SPHERE, .pose = {position, sn_quat_identity}, .sphere = {{0.0f, 0.0f, 0.0f}, radius}};
}

static sn_solid box_at(sn_vec3 position, sn_vec3 half_extents)
{
    return (sn_solid){.type = SN_BOX, .pose = {position, sn_quat_identity}, .box = {half_extents}};
}

static void assert_vec3_near(sn_vec3 a, sn_vec3 b, float tolerance)
{
    assert_true(sn_length(sn_sub(a, b)) <= tolerance);
}

static void assert_hit_names_its_part(const sn_world *world, const sn_hit *hit, double tolerance)
{
    const sn_shape_data *shape = &world->shapes.data[scene_shape_index(hit->shape)];
    assert_int_equal(hit->rigid.index, shape->body + 1);
    assert_true(sn_abs(sn_length(hit->normal) - 1.0f) < 1.0e-5f);
    assert_true(fabs(oracle_part(world, shape, hit->part, vec3d_from(hit->point))) < tolerance);
}

// --- balls ---------------------------------------------------------------------------------------

// Surfaces of the scene are marched against from both sides, so one-sided ones are left out by the caller.
static void test_a_ball_stops_where_marching_says(void **state)
{
    (void)state;
    query_scene scene = query_scene_make(61, 48, 3.0f, true);
    sn_world *world = scene.world;
    test_random random = {62};
    int hits = 0;
    for (int i = 0; i < 800; ++i) {
        float radius = test_random_float(&random, 0.05f, 0.5f);
        sn_solid ball = ball_at(test_random_vec3(&random, 5.0f), radius);
        sn_vec3 towards = sn_sub(test_random_vec3(&random, 3.0f), ball.pose.position);
        sn_vec3 translation = sn_scale(towards, test_random_float(&random, 0.2f, 2.0f));
        double length = vec3d_length(vec3d_from(translation)), best = INFINITY;
        vec3d unit = vec3d_from(sn_scale(translation, 1.0f / (float)length));
        bool unsure = false;
        for (int k = 0; k < world->shapes.count; ++k) {
            double nearest_miss;
            if (world->shapes.data[k].type == SN_SURFACE && !world->shapes.data[k].surface->double_sided) {
                continue;
            }
            double at =
                oracle_march(world, k, vec3d_from(ball.pose.position), unit, length, radius, &nearest_miss);
            unsure = unsure || (at > length && nearest_miss < 1.0e-3);
            best = fmin(best, at);
        }
        sn_hit hit = sweep(world, &ball, translation);
        if (hit.shape.index == 0) {
            assert_true(unsure || best > length);
            continue;
        }
        ++hits;
        assert_hit_names_its_part(world, &hit, 5.0e-5);
        const sn_shape_data *shape = &world->shapes.data[scene_shape_index(hit.shape)];
        if (shape->type == SN_SURFACE && !shape->surface->double_sided) {
            assert_true(unsure || hit.fraction * length < best + 1.0e-4);
            continue;
        }
        assert_true(unsure || fabs(hit.fraction * length - best) < 5.0e-4);
        if (hit.fraction > 0.0f) {
            sn_vec3 center = sn_add_scaled(ball.pose.position, hit.fraction, translation);
            // The nearest points are those of the last look before contact, a tolerance short of it.
            float slant = (float)length / -sn_dot(hit.normal, translation);
            assert_vec3_near(hit.point, sn_add_scaled(center, -radius, hit.normal), 2.0e-5f * slant);
        }
    }
    assert_true(hits > 400);
    query_scene_free(&scene);
}

// --- any solid -----------------------------------------------------------------------------------

// Signed distance of a solid and a shape, piece by piece, or of one part alone (−1: all).
static float separation_of(const sn_world *world, int index, int part, const sn_solid *solid)
{
    const sn_shape_data *shape = &world->shapes.data[index];
    sn_pose pose = oracle_pose(world, shape);
    sn_convex_storage storage, triangle_storage;
    sn_convex convex = sn_convex_solid(&storage, solid);
    float least = INFINITY;
    if (shape->type == SN_PLANE) {
        for (int i = 0; i < convex.point_count; ++i) {
            vec3d p = vec3d_apply(solid->pose, vec3d_from(convex.points[i]));
            least = sn_min(least, (float)oracle_part(world, shape, 0, p) - convex.radius);
        }
        return least;
    }
    for (int i = part < 0 ? 0 : part; i < (part < 0 ? oracle_part_count(shape) : part + 1); ++i) {
        sn_convex piece;
        sn_pose piece_pose = pose;
        if (shape->type == SN_SURFACE) {
            sn_vec3 c[3];
            sn_surface_triangle(shape->surface, i, c);
            piece = sn_convex_triangle(&triangle_storage, c[0], c[1], c[2]);
        } else if (shape->type == SN_COMPOUND) {
            piece = sn_compound_convex(shape->compound, i);
            piece_pose = sn_pose_multiply(pose, shape->compound->parts[i].solid.pose);
        } else {
            piece = sn_shape_convex(shape);
        }
        sn_pose solid_in_piece = sn_pose_relative(piece_pose, solid->pose);
        least = sn_min(least, sn_separation(&piece, &convex, solid_in_piece).distance);
    }
    return least;
}

static sn_solid random_solid(const query_scene *scene, test_random *random)
{
    sn_solid solid = {.pose.position = test_random_vec3(random, 5.0f)};
    solid.pose.rotation = test_random_rotation(random);
    switch (test_random_u32(random) % 3) {
    case 0:
        solid.type = SN_CAPSULE;
        solid.capsule = (sn_capsule){{-0.2f, 0.0f, 0.0f}, {0.3f, 0.1f, 0.0f}, 0.1f};
        break;
    case 1:
        solid.type = SN_BOX;
        solid.box = (sn_box){{0.2f, 0.3f, 0.1f}};
        break;
    default:
        solid.type = SN_HULL;
        solid.hull = scene->hull;
        break;
    }
    return solid;
}

static bool is_one_sided(const sn_shape_data *shape)
{
    return shape->type == SN_SURFACE && !shape->surface->double_sided;
}

static void test_no_solid_passes_through_anything_before_its_hit(void **state)
{
    (void)state;
    query_scene scene = query_scene_make(71, 30, 3.0f, true);
    sn_world *world = scene.world;
    test_random random = {72};
    int hits = 0, starts = 0;
    for (int i = 0; i < 200; ++i) {
        sn_solid solid = random_solid(&scene, &random);
        sn_vec3 towards = sn_sub(test_random_vec3(&random, 3.0f), solid.pose.position);
        sn_vec3 translation = sn_scale(towards, test_random_float(&random, 0.2f, 2.0f));
        sn_hit hit = sweep(world, &solid, translation);
        float end = hit.shape.index != 0 ? hit.fraction : 1.0f;
        for (int k = 0; end > 0.0f && k < world->shapes.count; ++k) {
            for (int sample = 0; sample < 24 && !is_one_sided(&world->shapes.data[k]); ++sample) {
                sn_solid moved = solid;
                float fraction = end * (float)sample / 24.0f;
                moved.pose.position = sn_add_scaled(solid.pose.position, fraction, translation);
                assert_true(separation_of(world, k, -1, &moved) > -1.0e-4f);
            }
        }
        if (hit.shape.index == 0) {
            continue;
        }
        ++hits;
        starts += hit.fraction == 0.0f;
        sn_solid moved = solid;
        moved.pose.position = sn_add_scaled(solid.pose.position, hit.fraction, translation);
        float there = separation_of(world, scene_shape_index(hit.shape), hit.part, &moved);
        assert_true(hit.fraction == 0.0f ? there < 1.0e-4f : sn_abs(there) < 2.0e-4f);
        assert_hit_names_its_part(world, &hit, hit.fraction == 0.0f ? 2.0e-3 : 2.0e-4);
        assert_true(hit.fraction == 0.0f || sn_dot(hit.normal, translation) <= 0.0f);
    }
    assert_true(hits > 100 && starts > 5);
    query_scene_free(&scene);
}

static void test_answer_does_not_depend_on_the_trees(void **state)
{
    (void)state;
    query_scene scene = query_scene_make(81, 120, 5.0f, true);
    enum { SWEEPS = 300 };
    sn_hit before[SWEEPS];
    for (int pass = 0; pass < 2; ++pass) {
        test_random random = {82};
        for (int i = 0; i < SWEEPS; ++i) {
            sn_solid solid = random_solid(&scene, &random);
            sn_hit hit = sweep(scene.world, &solid, test_random_vec3(&random, 10.0f));
            before[i] = pass == 0 ? hit : before[i];
            assert_memory_equal(&hit, &before[i], sizeof hit);
        }
        query_scene_shuffle(&scene);
    }
    query_scene_free(&scene);
}

// --- closed forms --------------------------------------------------------------------------------

static void test_a_box_falls_on_a_box_a_plane_and_a_triangle_alike(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_rigid ground = sn_world_ground(world);
    const sn_vec3 corners[4] = {{40, 0, -20}, {40, 0, 20}, {80, 0, -20}, {80, 0, 20}};
    const uint32_t triangles[6] = {0, 1, 2, 2, 1, 3};
    sn_surface *sheet;
    assert_int_equal(sn_surface_create(corners, 4, triangles, 2, false, &sheet), SN_OK);
    sn_shape_def def = sn_shape_def_default();
    def.offset.position = sn_v(0.0f, -1.0f, 0.0f);
    sn_box_add(world, ground, &def, (sn_box){{10.0f, 1.0f, 10.0f}}, NULL);
    sn_surface_add(world, ground, NULL, sheet, NULL);
    sn_solid over_box = box_at(sn_v(0.3f, 2.5f, 0.2f), sn_v(0.5f, 0.5f, 0.5f));
    sn_solid over_sheet = box_at(sn_v(60.3f, 2.5f, 0.2f), sn_v(0.5f, 0.5f, 0.5f));
    sn_solid over_plane = box_at(sn_v(-300.0f, 2.5f, 0.2f), sn_v(0.5f, 0.5f, 0.5f));
    sn_hit on_box = sweep(world, &over_box, sn_v(0.0f, -4.0f, 0.0f));
    sn_hit on_sheet = sweep(world, &over_sheet, sn_v(0.0f, -4.0f, 0.0f));
    assert_int_equal(sweep(world, &over_plane, sn_v(0.0f, -4.0f, 0.0f)).shape.index, 0);
    sn_plane_add(world, ground, NULL, (sn_plane){{0.0f, 1.0f, 0.0f}, 0.0f}, NULL);
    sn_hit on_plane = sweep(world, &over_plane, sn_v(0.0f, -4.0f, 0.0f));
    const sn_hit *hits[3] = {&on_box, &on_sheet, &on_plane};
    for (int i = 0; i < 3; ++i) {
        assert_int_not_equal(hits[i]->shape.index, 0);
        assert_true(sn_abs(hits[i]->fraction - 0.5f) < 2.0e-5f);
        assert_vec3_near(hits[i]->normal, sn_v(0.0f, 1.0f, 0.0f), 1.0e-4f);
        assert_true(sn_abs(hits[i]->point.y) < 1.0e-4f);
    }
    sn_world_destroy(world);
    sn_surface_destroy(sheet);
}

static void test_a_solid_that_starts_inside_hits_at_once_and_knows_the_way_out(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_rigid ground = sn_world_ground(world);
    sn_box_add(world, ground, NULL, (sn_box){{5.0f, 1.0f, 5.0f}}, NULL);
    sn_shape_def def = sn_shape_def_default();
    def.offset.position = sn_v(50.0f, 0.0f, 0.0f);
    sn_plane plane = {{0.0f, 0.0f, 1.0f}, -50.0f};
    sn_sphere_add(world, ground, &def, (sn_sphere){{0.0f, 0.0f, 0.0f}, 1.0f}, NULL);
    sn_plane_add(world, ground, NULL, plane, NULL);
    sn_solid crate = box_at(sn_v(0.0f, 1.3f, 0.0f), sn_v(0.5f, 0.5f, 0.5f));
    sn_solid ball = ball_at(sn_v(50.0f, 1.1f, 0.0f), 0.5f), deep = ball_at(sn_v(0.0f, 0.0f, -60.0f), 0.5f);
    const sn_vec3 displacements[4] = {{1, 0, 0}, {0, -1, 0}, {0, 3, 0}, {-1, 2, 5}};
    for (int i = 0; i < 4; ++i) {
        sn_hit hit = sweep(world, &crate, displacements[i]);
        assert_true(hit.shape.index == 1 && hit.fraction == 0.0f);
        assert_vec3_near(hit.normal, sn_v(0.0f, 1.0f, 0.0f), 1.0e-5f);
        assert_true(sn_abs(hit.point.y - 1.0f) < 1.0e-5f);
        hit = sweep(world, &ball, displacements[i]);
        assert_true(hit.shape.index == 2 && hit.fraction == 0.0f);
        assert_vec3_near(hit.normal, sn_v(0.0f, 1.0f, 0.0f), 1.0e-5f);
        assert_vec3_near(hit.point, sn_v(50.0f, 1.0f, 0.0f), 1.0e-5f);
        hit = sweep(world, &deep, displacements[i]);
        assert_true(hit.shape.index == 3 && hit.fraction == 0.0f);
        assert_vec3_near(hit.normal, plane.normal, 1.0e-6f);
        assert_vec3_near(hit.point, sn_v(0.0f, 0.0f, -50.0f), 1.0e-5f);
    }
    sn_world_destroy(world);
}

static void test_what_touches_may_slide_and_leave_but_not_go_in(void **state)
{
    (void)state;
    for (int with_plane = 0; with_plane < 2; ++with_plane) {
        sn_world *world = empty_world();
        sn_rigid ground = sn_world_ground(world);
        if (with_plane) {
            sn_plane_add(world, ground, NULL, (sn_plane){{0.0f, 1.0f, 0.0f}, 1.0f}, NULL);
        } else {
            sn_box_add(world, ground, NULL, (sn_box){{50.0f, 1.0f, 50.0f}}, NULL);
        }
        sn_solid crate = box_at(sn_v(0.1f, 1.5f, 0.2f), sn_v(0.5f, 0.5f, 0.5f));
        assert_int_equal(sweep(world, &crate, sn_v(3.0f, 0.0f, 1.0f)).shape.index, 0);
        assert_int_equal(sweep(world, &crate, sn_v(3.0f, 1.0f, 1.0f)).shape.index, 0);
        sn_hit hit = sweep(world, &crate, sn_v(0.0f, -1.0f, 0.0f));
        assert_int_not_equal(hit.shape.index, 0);
        assert_true(hit.fraction < 1.0e-3f);
        assert_vec3_near(hit.normal, sn_v(0.0f, 1.0f, 0.0f), 1.0e-4f);
        sn_solid above = box_at(sn_v(0.1f, 2.5f, 0.2f), sn_v(0.5f, 0.5f, 0.5f));
        assert_int_equal(sweep(world, &above, sn_v(0.0f, -1.0f, 0.0f)).shape.index, 0); // ends in touch
        assert_int_not_equal(sweep(world, &above, sn_v(0.0f, -1.002f, 0.0f)).shape.index, 0);
        sn_world_destroy(world);
    }
}

static void test_one_sided_surfaces_let_solids_out_and_not_in(void **state)
{
    (void)state;
    query_scene scene = query_scene_make(91, 0, 1.0f, false);
    sn_solid above = box_at(sn_v(0.1f, 2.0f, 0.2f), sn_v(0.3f, 0.2f, 0.3f));
    sn_solid below = box_at(sn_v(0.1f, -2.0f, 0.2f), sn_v(0.3f, 0.2f, 0.3f));
    assert_int_not_equal(sweep(scene.world, &above, sn_v(0.0f, -4.0f, 0.0f)).shape.index, 0);
    assert_int_equal(sweep(scene.world, &below, sn_v(0.0f, 4.0f, 0.0f)).shape.index, 0);
    query_scene_free(&scene);
}

static void test_a_sweep_names_the_part_it_meets(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_solid parts[3] = {box_at(sn_v(-4, 0, 0), sn_v(1, 1, 1)), ball_at(sn_v(0, 0, 0), 1.0f),
                         box_at(sn_v(4, 0, 0), sn_v(1, 1, 1))};
    sn_compound *row;
    assert_int_equal(sn_compound_create(parts, 3, &row), SN_OK);
    sn_compound_add(world, sn_world_ground(world), NULL, row, NULL);
    for (int i = 0; i < 3; ++i) {
        sn_solid crate = box_at(sn_v(4.0f * (float)(i - 1), 5.0f, 0.1f), sn_v(0.2f, 0.2f, 0.2f));
        sn_hit hit = sweep(world, &crate, sn_v(0.0f, -10.0f, 0.0f));
        assert_int_equal(hit.part, i);
    }
    sn_solid from_left = ball_at(sn_v(-10, 0, 0), 0.5f), from_right = ball_at(sn_v(10, 0, 0), 0.5f);
    assert_int_equal(sweep(world, &from_left, sn_v(20, 0, 0)).part, 0);
    assert_int_equal(sweep(world, &from_right, sn_v(-20, 0, 0)).part, 2);
    sn_world_destroy(world);
    sn_compound_destroy(row);
}

static void test_of_equal_hits_the_lowest_shape_wins(void **state)
{
    (void)state;
    sn_world *world = empty_world();
    sn_shape shapes[6];
    for (int i = 0; i < 6; ++i) {
        sn_rigid_def def = sn_rigid_def_default();
        def.type = i % 2 ? SN_STATIC : SN_KINEMATIC;
        sn_rigid rigid;
        assert_int_equal(sn_rigid_add(world, &def, &rigid), SN_OK);
        sn_box_add(world, rigid, NULL, (sn_box){{1.0f, 1.0f, 1.0f}}, &shapes[i]);
    }
    sn_solid crate = box_at(sn_v(0.0f, 5.0f, 0.0f), sn_v(0.5f, 0.5f, 0.5f));
    sn_solid inside = box_at(sn_v(0.0f, 0.0f, 0.0f), sn_v(0.5f, 0.5f, 0.5f));
    for (int i = 0; i < 6; ++i) {
        assert_int_equal(sweep(world, &crate, sn_v(0, -9, 0)).shape.index, shapes[i].index);
        assert_int_equal(sweep(world, &inside, sn_v(0, -9, 0)).shape.index, shapes[i].index);
        assert_int_equal(sn_shape_remove(world, shapes[i]), SN_OK);
    }
    assert_int_equal(sweep(world, &crate, sn_v(0, -9, 0)).shape.index, 0);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_ball_stops_where_marching_says),
        cmocka_unit_test(test_no_solid_passes_through_anything_before_its_hit),
        cmocka_unit_test(test_answer_does_not_depend_on_the_trees),
        cmocka_unit_test(test_a_box_falls_on_a_box_a_plane_and_a_triangle_alike),
        cmocka_unit_test(test_a_solid_that_starts_inside_hits_at_once_and_knows_the_way_out),
        cmocka_unit_test(test_what_touches_may_slide_and_leave_but_not_go_in),
        cmocka_unit_test(test_one_sided_surfaces_let_solids_out_and_not_in),
        cmocka_unit_test(test_a_sweep_names_the_part_it_meets),
        cmocka_unit_test(test_of_equal_hits_the_lowest_shape_wins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
