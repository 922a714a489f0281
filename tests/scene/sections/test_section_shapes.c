// Shapes of every type: what is said in the file is what the world holds.
#include "scene/scene_kit.h"

#include <math.h>

// A scene of one body with one shape; the body is static for those that need it.
static sn_scene *scene_of_shape(const char *type, const char *shape, sn_shape *id)
{
    char text[2048];
    snprintf(text, sizeof text,
             "{'sinew': 1, 'shapes': [{'name': 'ball', 'type': 'sphere', 'radius': 0.25},"
             " {'name': 'wedge', 'type': 'hull', 'points': [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}],"
             " 'bodies': [{'name': 'b', 'type': '%s', 'shape': %s}]}",
             type, shape);
    sn_scene *scene = scene_of(text);
    shapes_of(scene, "b", id, 1);
    return scene;
}

static void test_spheres_capsules_boxes_and_planes(void **state)
{
    (void)state;
    sn_shape id;
    sn_sphere sphere;
    sn_capsule capsule;
    sn_box box;
    sn_plane plane;
    sn_scene *scene =
        scene_of_shape("dynamic", "{'type': 'sphere', 'radius': 0.5, 'center': [1, 2, 3]}", &id);
    sphere = sn_shape_sphere(sn_scene_world(scene), id);
    assert_true(sphere.radius == 0.5f);
    assert_vector(sphere.center, 1.0f, 2.0f, 3.0f, 0.0);
    sn_scene_destroy(scene);
    scene = scene_of_shape("dynamic", "{'type': 'capsule', 'radius': 0.5, 'length': 3}", &id);
    capsule = sn_shape_capsule(sn_scene_world(scene), id);
    assert_vector(capsule.a, 0.0f, -1.5f, 0.0f, 0.0);
    assert_vector(capsule.b, 0.0f, 1.5f, 0.0f, 0.0);
    sn_scene_destroy(scene);
    scene =
        scene_of_shape("dynamic", "{'type': 'capsule', 'radius': 0.5, 'a': [1, 2, 3], 'b': [4, 5, 6]}", &id);
    capsule = sn_shape_capsule(sn_scene_world(scene), id);
    assert_true(capsule.radius == 0.5f);
    assert_vector(capsule.a, 1.0f, 2.0f, 3.0f, 0.0);
    assert_vector(capsule.b, 4.0f, 5.0f, 6.0f, 0.0);
    sn_scene_destroy(scene);
    scene = scene_of_shape("dynamic", "{'type': 'box', 'size': [1, 2, 3]}", &id);
    box = sn_shape_box(sn_scene_world(scene), id);
    assert_vector(box.half_extents, 0.5f, 1.0f, 1.5f, 0.0);
    sn_scene_destroy(scene);
    scene = scene_of_shape("static", "{'type': 'plane', 'normal': [0, 0, 2], 'offset': 0.5}", &id);
    plane = sn_shape_plane(sn_scene_world(scene), id);
    assert_vector(plane.normal, 0.0f, 0.0f, 1.0f, 0.0);
    assert_true(plane.offset == 0.5f);
    sn_scene_destroy(scene);
    scene = scene_of_shape("static", "{'type': 'plane'}", &id);
    plane = sn_shape_plane(sn_scene_world(scene), id);
    assert_vector(plane.normal, 0.0f, 1.0f, 0.0f, 0.0);
    sn_scene_destroy(scene);
}

static void test_cylinders_and_cones_are_hulls(void **state)
{
    (void)state;
    sn_shape id;
    const sn_hull *hull;
    sn_scene *scene =
        scene_of_shape("dynamic", "{'type': 'cylinder', 'height': 2, 'radius': 0.5, 'sides': 8}", &id);
    hull = sn_shape_hull(sn_scene_world(scene), id);
    assert_int_equal(sn_hull_vertex_count(hull), 16);
    sn_bounds bounds = sn_shape_bounds(sn_scene_world(scene), id);
    assert_vector(bounds.upper, 0.5f, 1.0f, 0.5f, 1e-6);
    sn_scene_destroy(scene);
    scene =
        scene_of_shape("dynamic", "{'type': 'cylinder', 'height': 2, 'radius': 0.5, 'top_radius': 0}", &id);
    hull = sn_shape_hull(sn_scene_world(scene), id);
    assert_int_equal(sn_hull_vertex_count(hull), 25); // 24 sides by default, and the tip
    sn_scene_destroy(scene);
}

static void test_hulls_of_points_are_scaled_and_reduced(void **state)
{
    (void)state;
    sn_shape id;
    const sn_hull *hull;
    sn_scene *scene =
        scene_of_shape("dynamic",
                       "{'type': 'hull', 'scale': 2, 'points': [[0, 0, 0], [1, 0, 0], [0, 1, 0],"
                       " [0, 0, 1], [0.1, 0.1, 0.1]]}",
                       &id);
    hull = sn_shape_hull(sn_scene_world(scene), id);
    assert_int_equal(sn_hull_vertex_count(hull), 4);
    assert_vector(sn_shape_bounds(sn_scene_world(scene), id).upper, 2.0f, 2.0f, 2.0f, 1e-5);
    sn_scene_destroy(scene);
    scene = scene_of_shape("dynamic",
                           "{'type': 'hull', 'max_vertices': 4, 'points': [[0, 0, 0], [1, 0, 0], [0, 1, 0],"
                           " [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 1, 1]]}",
                           &id);
    hull = sn_shape_hull(sn_scene_world(scene), id);
    assert_int_equal(sn_hull_vertex_count(hull), 4);
    sn_scene_destroy(scene);
}

static void test_meshes_by_lists(void **state)
{
    (void)state;
    sn_shape id;
    const sn_surface *surface;
    sn_vec3 corners[3];
    sn_scene *scene =
        scene_of_shape("kinematic",
                       "{'type': 'mesh', 'double_sided': true, 'scale': 3, 'vertices': [[0, 0, 0],"
                       " [1, 0, 0], [0, 0, 1], [1, 0, 1]], 'triangles': [[0, 2, 1], [1, 2, 3]]}",
                       &id);
    surface = sn_shape_surface(sn_scene_world(scene), id);
    assert_int_equal(sn_surface_triangle_count(surface), 2);
    assert_true(sn_surface_is_double_sided(surface));
    sn_surface_triangle(surface, 0, corners);
    assert_vector(corners[1], 0.0f, 0.0f, 3.0f, 0.0);
    sn_scene_destroy(scene);
}

static void test_meshes_and_hulls_from_files(void **state)
{
    (void)state;
    scene_folder folder = folder_make();
    write_scene(&folder, "tetrahedron.obj",
                "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    scene_path path =
        write_scene(&folder, "scene.json",
                    "{'sinew': 1, 'bodies': [{'name': 'm', 'type': 'static', 'shape': {'type': 'mesh',"
                    " 'file': 'tetrahedron.obj'}}, {'name': 'h', 'shape': {'type': 'hull',"
                    " 'file': 'tetrahedron.obj', 'scale': 0.5}}]}");
    sn_scene *scene = scene_of_file(path.text);
    sn_shape mesh, hull;
    const sn_surface *surface;
    shapes_of(scene, "m", &mesh, 1);
    shapes_of(scene, "h", &hull, 1);
    surface = sn_shape_surface(sn_scene_world(scene), mesh);
    assert_int_equal(sn_surface_triangle_count(surface), 4);
    assert_false(sn_surface_is_double_sided(surface));
    assert_vector(sn_shape_bounds(sn_scene_world(scene), mesh).upper, 2.0f, 2.0f, 2.0f, 1e-5);
    assert_vector(sn_shape_bounds(sn_scene_world(scene), hull).upper, 1.0f, 1.0f, 1.0f, 1e-5);
    sn_scene_destroy(scene);
    folder_remove(folder.path);
}

static void test_compounds_hold_their_parts(void **state)
{
    (void)state;
    sn_shape id;
    const sn_compound *compound;
    sn_scene *scene =
        scene_of_shape("dynamic",
                       "{'type': 'compound', 'parts': ["
                       "{'type': 'sphere', 'radius': 0.5, 'position': [1, 0, 0]},"
                       "{'type': 'capsule', 'radius': 0.1, 'length': 1},"
                       "{'type': 'box', 'size': [1, 2, 3], 'rotation': {'axis': [0, 1, 0], 'angle': 90}},"
                       "{'type': 'cylinder', 'height': 1, 'radius': 1, 'sides': 3},"
                       "{'type': 'hull', 'points': [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}]}",
                       &id);
    compound = sn_shape_compound(sn_scene_world(scene), id);
    assert_int_equal(sn_compound_part_count(compound), 5);
    const sn_shape_type types[] = {SN_SPHERE, SN_CAPSULE, SN_BOX, SN_HULL, SN_HULL};
    for (int i = 0; i < 5; ++i) {
        assert_int_equal(sn_compound_part(compound, i).type, types[i]);
    }
    assert_vector(sn_compound_part(compound, 0).pose.position, 1.0f, 0.0f, 0.0f, 0.0);
    assert_vector(sn_compound_part(compound, 2).box.half_extents, 0.5f, 1.0f, 1.5f, 0.0);
    const float half = sqrtf(0.5f);
    assert_rotation(sn_compound_part(compound, 2).pose.rotation, (sn_quat){0.0f, half, 0.0f, half}, 1e-6);
    assert_int_equal(sn_hull_vertex_count(sn_compound_part(compound, 3).hull), 6);
    sn_scene_destroy(scene);
}

static void test_where_a_shape_sits_and_what_else_it_has(void **state)
{
    (void)state;
    sn_shape id;
    sn_scene *scene =
        scene_of_shape("dynamic",
                       "{'type': 'box', 'size': [1, 1, 1], 'position': [1, 2, 3],"
                       " 'rotation': {'axis': [1, 0, 0], 'angle': 90}, 'density': 500, 'friction': 0.9,"
                       " 'restitution': 0.1, 'rolling_resistance': 0.2, 'group': 7, 'hit_events': true,"
                       " 'contact_events': false, 'sensor': true, 'surface_velocity': [1, 2, 3],"
                       " 'color': '#abcdef'}",
                       &id);
    sn_shape_def def = sn_shape_definition(sn_scene_world(scene), id);
    assert_vector(def.offset.position, 1.0f, 2.0f, 3.0f, 0.0);
    const float half = sqrtf(0.5f);
    assert_rotation(def.offset.rotation, (sn_quat){half, 0.0f, 0.0f, half}, 1e-6);
    assert_true(def.density == 500.0f && def.friction == 0.9f);
    assert_true(def.restitution == 0.1f && def.rolling_resistance == 0.2f);
    assert_int_equal(def.filter.group, 7);
    assert_true(def.hit_events && !def.contact_events && def.sensor);
    assert_vector(def.surface_velocity, 1.0f, 2.0f, 3.0f, 0.0);
    assert_int_equal(sn_scene_shape_color(scene, id), 0xabcdef);
    assert_int_equal(sn_shape_sensor_set(sn_scene_world(scene), id, false),
                     SN_OK); // solid it weighs something
    assert_near((double)sn_rigid_mass(sn_scene_world(scene), body_of(scene, "b")).mass, 500.0, 1e-3);
    sn_scene_destroy(scene);
}

static void test_plain_shapes_are_as_by_default(void **state)
{
    (void)state;
    sn_shape id;
    sn_scene *scene = scene_of_shape("dynamic", "{'type': 'box', 'size': [1, 1, 1]}", &id);
    sn_shape_def def = sn_shape_definition(sn_scene_world(scene), id), plain = sn_shape_def_default();
    assert_true(def.density == plain.density && def.friction == plain.friction);
    assert_true(def.restitution == plain.restitution && def.rolling_resistance == plain.rolling_resistance);
    assert_true(def.contact_events == plain.contact_events && def.hit_events == plain.hit_events);
    assert_true(!def.sensor && sn_length_squared(def.surface_velocity) == 0.0f);
    assert_true(def.filter.category == plain.filter.category && def.filter.mask == plain.filter.mask);
    sn_scene_destroy(scene);
}

// --- sharing -----------------------------------------------------------------------------------------------

static void test_shared_shapes_take_the_geometry_and_say_the_rest_themselves(void **state)
{
    (void)state;
    sn_shape id;
    sn_sphere sphere;
    sn_scene *scene = scene_of_shape(
        "dynamic", "{'type': 'shared', 'shape': 'ball', 'position': [0, 1, 0], 'friction': 0.75}", &id);
    sphere = sn_shape_sphere(sn_scene_world(scene), id);
    assert_true(sphere.radius == 0.25f);
    sn_shape_def def = sn_shape_definition(sn_scene_world(scene), id);
    assert_vector(def.offset.position, 0.0f, 1.0f, 0.0f, 0.0);
    assert_true(def.friction == 0.75f);
    sn_scene_destroy(scene);
}

static void test_geometry_is_made_once_for_all_that_share_it(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(
        "{'sinew': 1, 'shapes': [{'name': 'wedge', 'type': 'hull', 'points': [[0, 0, 0], [1, 0, 0], [0, 1, "
        "0],"
        " [0, 0, 1]]}], 'bodies': [{'name': 'a', 'shape': {'type': 'shared', 'shape': 'wedge'}},"
        " {'name': 'b', 'shape': {'type': 'shared', 'shape': 'wedge'}},"
        " {'name': 'c', 'repeat': {'count': 2}, 'shape': {'type': 'cylinder', 'height': 1, 'radius': 1}}]}");
    const char *const names[] = {"a", "b", "c[0]", "c[1]"};
    const sn_hull *hulls[4];
    for (int i = 0; i < 4; ++i) {
        sn_shape id;
        shapes_of(scene, names[i], &id, 1);
        hulls[i] = sn_shape_hull(sn_scene_world(scene), id);
    }
    assert_ptr_equal(hulls[0], hulls[1]);
    assert_ptr_equal(hulls[2], hulls[3]);
    assert_ptr_not_equal(hulls[0], hulls[2]);
    sn_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spheres_capsules_boxes_and_planes),
        cmocka_unit_test(test_cylinders_and_cones_are_hulls),
        cmocka_unit_test(test_hulls_of_points_are_scaled_and_reduced),
        cmocka_unit_test(test_meshes_by_lists),
        cmocka_unit_test(test_meshes_and_hulls_from_files),
        cmocka_unit_test(test_compounds_hold_their_parts),
        cmocka_unit_test(test_where_a_shape_sits_and_what_else_it_has),
        cmocka_unit_test(test_plain_shapes_are_as_by_default),
        cmocka_unit_test(test_shared_shapes_take_the_geometry_and_say_the_rest_themselves),
        cmocka_unit_test(test_geometry_is_made_once_for_all_that_share_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
