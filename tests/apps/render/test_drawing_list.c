// From a scene to what is drawn of it: where things are, how they are grouped, and what is left out.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "apps/render/drawing_list.h"
#include "scene/scene_parts.h"
#include "support/random.h"

typedef struct fixture {
    sn_world *world;
    sn_scene *scene;
    geometry_cache cache;
    drawing_list list;
    render_options options;
    sn_camera camera;
} fixture;

static fixture open_fixture(void)
{
    fixture f = {.options = render_options_default(),
                 .camera = {"", {0, 0, 20}, {0, 0, 0}, {0, 1, 0}, 0.6f, false}};
    sn_world_def def = sn_world_def_default();
    assert_int_equal(sn_world_create(&def, &f.world), SN_OK);
    assert_int_equal(sn_scene_wrap(f.world, &f.scene), SN_OK);
    assert_true(geometry_create(&f.cache));
    return f;
}

static void close_fixture(fixture *f)
{
    drawing_list_release(&f->list);
    geometry_destroy(&f->cache);
    sn_scene_destroy(f->scene);
    sn_world_destroy(f->world);
}

static void fill(fixture *f)
{
    render_view view = view_make(&f->camera, sn_v(0, 1, 0), 640, 360);
    ++f->cache.frame;
    assert_true(drawing_list_fill(&f->list, f->scene, &f->options, &view, &f->cache));
}

static sn_rigid add_body(fixture *f, sn_rigid_type type, sn_pose pose)
{
    sn_rigid_def def = sn_rigid_def_default();
    def.type = type;
    def.position = pose.position;
    def.rotation = pose.rotation;
    sn_rigid rigid;
    assert_int_equal(sn_rigid_add(f->world, &def, &rigid), SN_OK);
    return rigid;
}

static sn_pose at(float x, float y, float z)
{
    return (sn_pose){{x, y, z}, sn_quat_identity};
}

static sn_vec3 placed(const drawn_instance *instance, sn_vec3 local)
{
    const float(*m)[4] = instance->rows;
    return sn_v(m[0][0] * local.x + m[0][1] * local.y + m[0][2] * local.z + m[0][3],
                m[1][0] * local.x + m[1][1] * local.y + m[1][2] * local.z + m[1][3],
                m[2][0] * local.x + m[2][1] * local.y + m[2][2] * local.z + m[2][3]);
}

static void test_an_empty_scene_gives_an_empty_list(void **state)
{
    (void)state;
    fixture f = open_fixture();
    fill(&f);
    assert_int_equal(f.list.items.count + f.list.instances.count + f.list.batches.count + f.list.planes.count,
                     0);
    close_fixture(&f);
}

static void test_instances_are_placed_relative_to_the_eye(void **state)
{
    (void)state;
    test_random random = {4};
    fixture f = open_fixture();
    sn_pose pose = {{1, 2, 3}, test_random_rotation(&random)};
    sn_shape_def def = sn_shape_def_default();
    def.offset = (sn_pose){{0.5f, -0.25f, 1.0f}, test_random_rotation(&random)};
    sn_rigid rigid = add_body(&f, SN_DYNAMIC, pose);
    assert_int_equal(sn_box_add(f.world, rigid, &def, (sn_box){{0.2f, 0.3f, 0.4f}}, NULL), SN_OK);
    fill(&f);
    assert_int_equal(f.list.instances.count, 1);
    const drawn_instance *instance = &f.list.instances.items[0];
    for (int i = 0; i < 10; ++i) {
        sn_vec3 local = test_random_vec3(&random, 1.0f);
        sn_vec3 expected = sn_sub(sn_pose_apply(pose, sn_pose_apply(def.offset, local)), f.camera.eye);
        assert_true(sn_distance_between(placed(instance, local), expected) < 1e-5f);
    }
    assert_float_equal(instance->extent[0], 0.2f, 0.0f);
    assert_float_equal(instance->extent[2], 0.4f, 0.0f);
    // A small part of the smallest half extent looks round.
    assert_true(instance->radius < 0.0f && instance->radius > -0.04f);
    close_fixture(&f);
}

static void test_capsules_lie_along_their_axis(void **state)
{
    (void)state;
    fixture f = open_fixture();
    sn_rigid rigid = add_body(&f, SN_DYNAMIC, at(0, 1, 0));
    sn_capsule capsule = {{-1, 0, 0.5f}, {2, 1, 0}, 0.25f};
    assert_int_equal(sn_capsule_add(f.world, rigid, NULL, capsule, NULL), SN_OK);
    fill(&f);
    const drawn_instance *instance = &f.list.instances.items[0];
    sn_vec3 ends[2] = {placed(instance, sn_v(0, -instance->extent[1], 0)),
                       placed(instance, sn_v(0, instance->extent[1], 0))};
    sn_vec3 origin = sn_sub(sn_v(0, 1, 0), f.camera.eye);
    assert_true(sn_distance_between(ends[0], sn_add(origin, capsule.a)) < 1e-5f);
    assert_true(sn_distance_between(ends[1], sn_add(origin, capsule.b)) < 1e-5f);
    // Corners stand out a little, so that edges do not lie too deep.
    assert_true(instance->radius > 0.25f && instance->radius < 0.26f);
    close_fixture(&f);
}

static void test_batches_hold_one_geometry_each_visible_and_nearest_first(void **state)
{
    (void)state;
    test_random random = {9};
    fixture f = open_fixture();
    for (int i = 0; i < 300; ++i) {
        sn_rigid rigid =
            add_body(&f, SN_DYNAMIC, (sn_pose){test_random_vec3(&random, 15.0f), sn_quat_identity});
        if (i % 2 == 0) {
            sn_sphere_add(f.world, rigid, NULL, (sn_sphere){{0, 0, 0}, 0.3f}, NULL);
        } else {
            sn_box_add(f.world, rigid, NULL, (sn_box){{0.3f, 0.3f, 0.3f}}, NULL);
        }
    }
    fill(&f);
    assert_int_equal(f.list.instances.count, 300);
    int covered = 0, visible = 0;
    for (int i = 0; i < f.list.batches.count; ++i) {
        const drawn_batch *batch = &f.list.batches.items[i];
        assert_int_equal(batch->first, covered);
        assert_true(i == 0 || f.list.batches.items[i - 1].geometry < batch->geometry);
        for (int k = batch->first; k < batch->first + batch->count; ++k) {
            const drawn_item *item = &f.list.items.items[k];
            assert_int_equal(item->geometry, batch->geometry);
            assert_int_equal(item->visible, k < batch->first + batch->visible_count);
            bool first = k == batch->first || k == batch->first + batch->visible_count;
            assert_true(first || f.list.items.items[k - 1].depth <= item->depth);
        }
        covered += batch->count;
        visible += batch->visible_count;
    }
    assert_int_equal(covered, 300);
    assert_true(visible > 50 && visible < 300);
    close_fixture(&f);
}

static void test_compounds_are_drawn_part_by_part(void **state)
{
    (void)state;
    fixture f = open_fixture();
    sn_hull *hull;
    sn_hull_cylinder(1.0f, 0.5f, 0.5f, 8, &hull);
    sn_solid parts[3] = {{.type = SN_HULL, .pose = at(1, 0, 0), .hull = hull},
                         {.type = SN_SPHERE, .pose = at(0, 2, 0), .sphere = {{0, 0, 0.5f}, 0.4f}},
                         {.type = SN_BOX, .pose = at(0, 0, 0), .box = {{0.5f, 0.5f, 0.5f}}}};
    sn_compound *compound;
    assert_int_equal(sn_compound_create(parts, 3, &compound), SN_OK);
    sn_rigid rigid = add_body(&f, SN_DYNAMIC, at(0, 0, 3));
    sn_shape shape;
    assert_int_equal(sn_compound_add(f.world, rigid, NULL, compound, &shape), SN_OK);
    assert_true(sn_scene_paint(f.scene, shape, 0x123456));
    fill(&f);
    assert_int_equal(f.list.instances.count, 3);
    for (int i = 0; i < 3; ++i) {
        const drawn_item *item = &f.list.items.items[i];
        assert_int_equal(item->instance.color[1], 0x34);
        bool ball = item->geometry < GEOMETRY_CAPSULE, mesh = item->geometry >= GEOMETRY_MESHES;
        sn_vec3 expected = ball ? sn_v(0, 2, -16.5f) : (mesh ? sn_v(1, 0, -17) : sn_v(0, 0, -17));
        assert_true(sn_distance_between(item->center, expected) < 1e-5f);
    }
    sn_compound_destroy(compound);
    sn_hull_destroy(hull);
    close_fixture(&f);
}

static void test_planes_are_seen_from_outside_only(void **state)
{
    (void)state;
    fixture f = open_fixture();
    sn_rigid tilted =
        add_body(&f, SN_STATIC, (sn_pose){{0, -3, 0}, sn_quat_axis_angle(sn_v(0, 0, 1), 0.5f * SN_PI)});
    // In the body's frame its normal is x, which the body turns into y.
    assert_int_equal(sn_plane_add(f.world, tilted, NULL, (sn_plane){{2, 0, 0}, 1.0f}, NULL), SN_OK);
    // The eye is inside this one.
    sn_plane behind = {{0, 0, -1}, 0.0f};
    assert_int_equal(sn_plane_add(f.world, sn_world_ground(f.world), NULL, behind, NULL), SN_OK);
    fill(&f);
    assert_int_equal(f.list.planes.count, 1);
    const drawn_plane *plane = &f.list.planes.items[0];
    assert_float_equal(plane->normal.y, 1.0f, 1e-6f);
    assert_float_equal(plane->height, 2.0f, 1e-5f);
    assert_float_equal(plane_height(plane, sn_sub(sn_v(7, -1, 4), f.camera.eye)), 1.0f, 1e-5f);
    assert_float_equal(sn_dot(plane->along, plane->normal), 0.0f, 1e-6f);
    assert_float_equal(sn_dot(plane->across, plane->along), 0.0f, 1e-6f);
    close_fixture(&f);
}

static void test_spheres_around_items_hold_their_shapes(void **state)
{
    (void)state;
    test_random random = {21};
    fixture f = open_fixture();
    sn_vec3 points[12];
    for (int i = 0; i < 12; ++i) {
        points[i] = sn_add(test_random_vec3(&random, 1.0f), sn_v(3, 0, 0));
    }
    sn_hull *hull;
    sn_surface *surface;
    const uint32_t triangle[3] = {0, 1, 2};
    assert_int_equal(sn_hull_create(points, 12, 0, &hull), SN_OK);
    assert_int_equal(sn_surface_create(points, 3, triangle, 1, true, &surface), SN_OK);
    sn_pose pose = {{1, 2, 3}, test_random_rotation(&random)};
    sn_rigid rigid = add_body(&f, SN_STATIC, pose);
    sn_shape_def def = sn_shape_def_default();
    def.offset = (sn_pose){{-1, 0.5f, 2}, test_random_rotation(&random)};
    assert_int_equal(sn_hull_add(f.world, rigid, &def, hull, NULL), SN_OK);
    assert_int_equal(sn_surface_add(f.world, rigid, &def, surface, NULL), SN_OK);
    fill(&f);
    assert_int_equal(f.list.items.count, 2);
    for (int i = 0; i < 2; ++i) {
        const drawn_item *item = &f.list.items.items[i];
        assert_false(item->moving);
        for (int k = 0; k < 3; ++k) {
            sn_vec3 corner = sn_pose_apply(pose, sn_pose_apply(def.offset, points[k]));
            sn_vec3 relative = sn_sub(corner, f.camera.eye);
            assert_true(sn_distance_between(relative, item->center) <= item->reach + 1e-4f);
            assert_true(sn_distance_between(placed(&item->instance, points[k]), relative) < 1e-4f);
        }
    }
    sn_hull_destroy(hull);
    sn_surface_destroy(surface);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_empty_scene_gives_an_empty_list),
        cmocka_unit_test(test_instances_are_placed_relative_to_the_eye),
        cmocka_unit_test(test_capsules_lie_along_their_axis),
        cmocka_unit_test(test_batches_hold_one_geometry_each_visible_and_nearest_first),
        cmocka_unit_test(test_compounds_are_drawn_part_by_part),
        cmocka_unit_test(test_planes_are_seen_from_outside_only),
        cmocka_unit_test(test_spheres_around_items_hold_their_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
