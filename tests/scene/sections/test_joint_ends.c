// Ends of joints on deformables and at places of the world: read, saved and refused.
#include "scene/bad_scenes.h"
#include "scene/soft_scene_kit.h"

#define SCENE(JOINTS)                                                                                        \
    "{'sinew': 1, 'bodies': [{'name': 'ball', 'position': [2, 0, 0], 'shape': {'type': 'sphere', 'radius': " \
    "0.1}}], 'deformables': [{'name': 'cloth', 'mesh': {'type': 'grid', 'width': 1, 'height': 1, "           \
    "'columns': 1, 'rows': 1}}, {'name': 'jelly', 'position': [0, 3, 0], 'mesh': {'type': 'box', 'size': "   \
    "[1, 1, 1], 'cells': [1, 1, 1]}}], 'joints': [\n" JOINTS "]}"

static sn_constraint_common common_of(const sn_scene *scene, int index)
{
    sn_constraint joints[16];
    assert_true(sn_world_constraints(sn_scene_world(scene), joints, 16) > index);
    return sn_constraint_definition(sn_scene_world(scene), joints[index]);
}

static void assert_same_point(sn_point a, sn_point b)
{
    assert_int_equal(a.type, b.type);
    assert_int_equal(a.node_count, b.node_count);
    assert_int_equal(a.has_frame, b.has_frame);
    assert_vector(a.position, b.position.x, b.position.y, b.position.z, 0.0);
    assert_rotation(a.rotation, b.rotation, 1e-6);
    for (int i = 0; i < a.node_count; ++i) {
        assert_int_equal(a.nodes[i], b.nodes[i]);
        assert_true(a.weights[i] == b.weights[i]);
    }
}

static void assert_saved_alike(const sn_scene *scene)
{
    sn_scene *loaded = save_and_load(scene);
    int count = sn_world_constraints(sn_scene_world(scene), NULL, 0);
    assert_int_equal(sn_world_constraints(sn_scene_world(loaded), NULL, 0), count);
    for (int i = 0; i < count; ++i) {
        sn_constraint_common before = common_of(scene, i), after = common_of(loaded, i);
        assert_same_point(before.a, after.a);
        assert_same_point(before.b, after.b);
        assert_true(before.exact == after.exact && before.ramp_steps == after.ramp_steps);
        assert_true(before.active == after.active && before.active_from == after.active_from);
        assert_true(before.active_until == after.active_until && before.max_force == after.max_force);
        assert_true(before.sliding_friction == after.sliding_friction);
        assert_true(before.collide_connected == after.collide_connected);
    }
    sn_scene_destroy(loaded);
}

static void test_a_rope_from_a_jelly_to_a_ball(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of(SCENE("{'name': 'rope', 'type': 'distance', 'a': 'jelly', 'b': 'ball', 'from': "
                       "[0.1, 3.2, 0], 'to': [2, 0.1, 0], 'rope': 5}"));
    sn_world *world = sn_scene_world(scene);
    sn_constraint_common common = common_of(scene, 0);
    assert_int_equal(common.a.type, SN_POINT_NODES);
    assert_int_equal(common.b.type, SN_POINT_RIGID);
    sn_vec3 place;
    assert_int_equal(sn_point_place(world, &common.a, &place), SN_OK);
    assert_vector(place, 0.1f, 3.2f, 0.0f, 1e-5);
    assert_near((double)sn_distance_length(world, joint_of(scene, "rope")), sqrt(1.9 * 1.9 + 3.1 * 3.1),
                1e-5);
    assert_saved_alike(scene);
    sn_scene_destroy(scene);
}

// Only a needs an orientation, so b on a cloth is a mere point of it.
static void test_a_bead_of_cloth_on_a_wire(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(SCENE(
        "{'name': 'wire', 'type': 'axis', 'a': 'ball', 'b': 'cloth', 'at': [0.5, 0.5, 0], 'axis': [0, 1, 0],"
        " 'limits': [-0.5, 1.25], 'motor': {'speed': 2}, 'spring': {'stiffness': 3, 'travel': 0.75}},"
        "{'type': 'axis', 'a': 'world', 'b': 'cloth', 'frame_a': {'position': [0, 1, 0]}, 'frame_b': "
        "{'nodes': [[3, 1]]}}"));
    sn_constraint_common common = common_of(scene, 0);
    assert_int_equal(common.a.type, SN_POINT_RIGID);
    assert_int_equal(common.b.type, SN_POINT_NODES);
    assert_false(common.b.has_frame);
    assert_saved_alike(scene);
    sn_scene *loaded = save_and_load(scene);
    sn_axis_def def = sn_axis_definition(sn_scene_world(loaded), joint_of(loaded, "wire"));
    assert_true(def.limit && def.lower == -0.5f && def.upper == 1.25f);
    assert_true(def.motor && def.motor_speed == 2.0f && isinf(def.motor_force));
    assert_true(def.spring_stiffness == 3.0f && def.spring_damping == 0.0f && def.spring_travel == 0.75f);
    sn_scene_destroy(loaded);
    sn_scene_destroy(scene);
}

static void test_frames_nodes_surfaces_and_places(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(SCENE(
        "{'type': 'hinge', 'a': 'cloth', 'b': 'ball', 'frame_a': {'nodes': [[0, 0.5], [1, 0.25], [2, 0.25]], "
        "'oriented': true, 'rotation': {'axis': [0, 0, 1], 'angle': 90}}, 'frame_b': {'position': [0, 1, "
        "0]}},"
        "{'type': 'ball', 'a': 'world', 'b': 'cloth', 'frame_a': {'position': [0, 1, 0]}, 'frame_b': "
        "{'nodes': [[3, 1]]}, 'exact': true, 'ramp_steps': 3, 'active_from': 2, 'active_until': 3},"
        "{'type': 'ball', 'a': 'ball', 'b': 'jelly', 'frame_a': {}, 'frame_b': {'surface': true}, 'exact': "
        "true, 'sliding_friction': 0.5},"
        "{'type': 'ball', 'a': 'ground', 'b': 'jelly', 'at': [0.5, 3.5, 0.5], 'max_force': 7, 'active': "
        "false}"));
    sn_constraint_common hinge = common_of(scene, 0), nail = common_of(scene, 1), slide = common_of(scene, 2),
                         held = common_of(scene, 3);
    assert_true(hinge.a.has_frame && hinge.a.weights[0] == 0.5f);
    assert_near((double)hinge.a.rotation.z, sqrt(0.5), 1e-6);
    assert_int_equal(nail.a.type, SN_POINT_WORLD);
    assert_vector(nail.a.position, 0.0f, 1.0f, 0.0f, 0.0);
    assert_true(nail.exact && nail.ramp_steps == 3 && nail.active_from == 2.0f && nail.active_until == 3.0f);
    assert_int_equal(slide.b.type, SN_POINT_SURFACE);
    assert_true(slide.sliding_friction == 0.5f);
    assert_int_equal(held.a.type, SN_POINT_RIGID);
    assert_true(held.max_force == 7.0f && !held.active);
    assert_saved_alike(scene);
    sn_scene_destroy(scene);
}

// Three nodes of a cloth carry the axis of a joint that is placed on them.
static void test_a_joint_at_a_place_of_a_cloth_turns_with_its_triangle(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(
        SCENE("{'type': 'hinge', 'a': 'ball', 'b': 'cloth', 'at': [0.1, 0.2, 0], 'axis': [0, 0, 1]}"));
    sn_constraint_common common = common_of(scene, 0);
    sn_pose a, b;
    assert_true(common.b.has_frame);
    assert_int_equal(sn_point_pose(sn_scene_world(scene), &common.a, &a), SN_OK);
    assert_int_equal(sn_point_pose(sn_scene_world(scene), &common.b, &b), SN_OK);
    assert_vector(a.position, b.position.x, b.position.y, b.position.z, 1e-5);
    assert_vector(sn_rotate(b.rotation, sn_v(1.0f, 0.0f, 0.0f)), 0.0f, 0.0f, 1.0f, 1e-5);
    sn_constraint joint;
    assert_int_equal(sn_world_constraints(sn_scene_world(scene), &joint, 1), 1);
    assert_near((double)sn_constraint_error(sn_scene_world(scene), joint), 0.0, 1e-5);
    assert_saved_alike(scene);
    sn_scene_destroy(scene);
}

static void test_balls_have_motors_and_springs(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(
        SCENE("{'name': 'hip', 'type': 'ball', 'a': 'ground', 'b': 'ball', 'at': [2, 0, 0], 'motor': "
              "{'velocity': [1, 2, 3], 'torque': 4}, 'spring': {'stiffness': 5, 'damping': 6, 'rotation': "
              "{'axis': [1, 0, 0], 'angle': 90}}}"));
    for (int i = 0; i < 2; ++i) {
        sn_ball_def ball = sn_ball_definition(sn_scene_world(scene), joint_of(scene, "hip"));
        assert_true(ball.motor && ball.motor_torque == 4.0f);
        assert_vector(ball.motor_velocity, 1.0f, 2.0f, 3.0f, 0.0);
        assert_true(ball.spring_stiffness == 5.0f && ball.spring_damping == 6.0f);
        assert_near((double)ball.spring_rotation.x, sqrt(0.5), 1e-6);
        sn_scene *loaded = save_and_load(scene);
        sn_scene_destroy(scene);
        scene = loaded;
    }
    sn_scene_destroy(scene);
}

// What holds many nodes of one thing to another is called alike, and may share its name with a joint.
static void test_anchors_may_share_a_name(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of(SCENE("{'name': 'hem', 'type': 'ball', 'a': 'world', 'b': 'cloth', 'at': [-0.5, 0.5, 0]},"
                       "{'name': 'hem', 'type': 'ball', 'a': 'world', 'b': 'cloth', 'at': [0.5, 0.5, 0]},"
                       "{'name': 'hem', 'type': 'hinge', 'a': 'ground', 'b': 'ball', 'at': [2, 0, 0]}"));
    sn_scene *loaded = save_and_load(scene);
    const sn_world *world = sn_scene_world(loaded);
    sn_constraint joints[3];
    assert_int_equal(sn_world_constraints(world, joints, 3), 3);
    for (int i = 0; i < 3; ++i) {
        assert_string_equal(sn_constraint_name(world, joints[i]), "hem");
    }
    assert_int_equal(sn_world_anchors(world, NULL, 0), 2);
    sn_scene_destroy(loaded);
    sn_scene_destroy(scene);
}

// --- mistakes ----------------------------------------------------------------------------------------------

static const bad_scene mistakes[] = {
    {SCENE("{'type': 'hinge', 'a': 'jelly', 'b': 'ball', 'at': [0, 3, 0]}"),
     "scene.json:2:1: joints[0]: hinge: a is a sum of four nodes of deformable 'jelly', expected an end with "
     "an "
     "orientation: a body, a place in the world or a frame of three nodes"},
    {SCENE("{'type': 'ball', 'a': 'cloth', 'b': 'ball', 'frame_a': {'position': [0, 0, 0]}, 'frame_b': {}}"),
     "scene.json:2:57: joints[0].frame_a.position: is for bodies, expected `nodes` of the deformable"},
    {SCENE("{'type': 'ball', 'a': 'cloth', 'b': 'ball', 'frame_a': {}, 'frame_b': {}}"),
     "scene.json:2:56: joints[0].frame_a.nodes: is missing: which nodes of the deformable"},
    {SCENE("{'type': 'ball', 'a': 'cloth', 'b': 'ball', 'frame_a': {'nodes': [[9, 1]]}, 'frame_b': {}}"),
     "scene.json:2:68: joints[0].frame_a.nodes[0][0]: 9 is not allowed, expected the number of a node, 0 to "
     "3"},
    {SCENE("{'type': 'ball', 'a': 'cloth', 'b': 'ball', 'frame_a': {'nodes': [[1, 0.5]]}, 'frame_b': {}}"),
     "scene.json:2:66: joints[0].frame_a.nodes: weights that sum to 0.5 are not allowed, expected 1"},
    {SCENE("{'type': 'ball', 'a': 'cloth', 'b': 'ball', 'frame_a': {'nodes': [[1, 1]], 'oriented': true}, "
           "'frame_b': {}}"),
     "scene.json:2:76: joints[0].frame_a.oriented: 1 nodes make no frame, expected 3"},
    {SCENE("{'type': 'ball', 'a': 'cloth', 'b': 'ball', 'frame_a': {'nodes': [[1, 1]]}, 'frame_b': {'nodes': "
           "[[1, 1]]}}"),
     "scene.json:2:89: joints[0].frame_b.nodes: is for deformables, expected a `position`"},
    {SCENE("{'type': 'ball', 'a': 'world', 'b': 'ground', 'at': [0, 0, 0]}"),
     "scene.json:2:1: joints[0]: ball: neither a place in the world nor rigid 'ground' can move"},
    {SCENE("{'type': 'ball', 'a': 'ball', 'b': 'jelly', 'frame_a': {}, 'frame_b': {'surface': true}}"),
     "scene.json:2:1: joints[0]: ball: b is the surface of deformable 'jelly' but it is not exact"},
    {SCENE("{'type': 'distance', 'a': 'ball', 'b': 'jelly', 'from': [0, 0, 0], 'to': [0, 3, 0], 'exact': "
           "true}"),
     "scene.json:2:85: joints[0].exact: unknown key \"exact\", expected one of: type, from, to, length, "
     "rope, limits, spring, name, a, b, at, frame_a, frame_b, compliance, angular_compliance, damping, "
     "angular_damping, max_force, break_force, break_torque, collide_connected, active, active_from, "
     "active_until"},
};

static void test_mistakes_are_told_where_they_are(void **state)
{
    (void)state;
    check_bad_scenes(mistakes, COUNT_OF(mistakes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_rope_from_a_jelly_to_a_ball),
        cmocka_unit_test(test_a_bead_of_cloth_on_a_wire),
        cmocka_unit_test(test_frames_nodes_surfaces_and_places),
        cmocka_unit_test(test_a_joint_at_a_place_of_a_cloth_turns_with_its_triangle),
        cmocka_unit_test(test_balls_have_motors_and_springs),
        cmocka_unit_test(test_anchors_may_share_a_name),
        cmocka_unit_test(test_mistakes_are_told_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
