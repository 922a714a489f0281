// Joints: each kind, each field, and where they are placed.
#include "scene/scene_kit.h"

#include <math.h>

static const float degree = 0.017453292519943295f;

#define BODIES                                                                                               \
    "'bodies': [{'name': 'a', 'position': [1, 0, 0]}, {'name': 'b', 'position': [3, 0, 0],"                  \
    " 'rotation': {'axis': [0, 1, 0], 'angle': 90}}]"

// A scene with two bodies and a joint called "j".
static sn_scene *scene_of_joint(const char *joint, sn_constraint *id)
{
    char text[1024];
    snprintf(text, sizeof text, "{'sinew': 1, " BODIES ", 'joints': [{'name': 'j', 'a': 'a', 'b': 'b', %s}]}",
             joint);
    sn_scene *scene = scene_of(text);
    *id = joint_of(scene, "j");
    return scene;
}

static void test_what_every_joint_has(void **state)
{
    (void)state;
    const char *const kinds[] = {"'ball', 'at': [2, 0, 0]", "'hinge', 'at': [2, 0, 0]",
                                 "'slider', 'at': [2, 0, 0]", "'fixed', 'at': [2, 0, 0]",
                                 "'distance', 'from': [1, 0, 0], 'to': [3, 0, 0]"};
    for (int kind = 0; kind < 5; ++kind) {
        char joint[512];
        snprintf(
            joint, sizeof joint,
            "'type': %s, 'compliance': 1e-4, 'angular_compliance': 2e-4, 'damping': 3, 'angular_damping': 4,"
            " 'break_force': 5, 'break_torque': 6, 'collide_connected': true",
            kinds[kind]);
        sn_constraint id;
        sn_scene *scene = scene_of_joint(joint, &id);
        const sn_world *world = sn_scene_world(scene);
        assert_int_equal(sn_constraint_get_kind(world, id), kind);
        assert_string_equal(sn_rigid_name(world, sn_constraint_body_a(world, id)), "a");
        assert_string_equal(sn_rigid_name(world, sn_constraint_body_b(world, id)), "b");
        sn_constraint_common common = {0};
        switch (kind) {
        case SN_BALL:
            common = sn_ball_definition(world, id).common;
            break;
        case SN_HINGE:
            common = sn_hinge_definition(world, id).common;
            break;
        case SN_SLIDER:
            common = sn_slider_definition(world, id).common;
            break;
        case SN_FIXED:
            common = sn_fixed_definition(world, id).common;
            break;
        default:
            common = sn_distance_definition(world, id).common;
            break;
        }
        assert_true(common.cookie != 0);
        assert_true(common.compliance == 1e-4f && common.angular_compliance == 2e-4f);
        assert_true(common.damping == 3.0f && common.angular_damping == 4.0f);
        assert_true(common.break_force == 5.0f && common.break_torque == 6.0f && common.collide_connected);
        sn_scene_destroy(scene);
    }
}

// --- each kind ---------------------------------------------------------------------------------------------

static void test_balls_may_limit_cone_and_twist(void **state)
{
    (void)state;
    sn_constraint id;
    sn_ball_def def;
    sn_scene *scene = scene_of_joint("'type': 'ball', 'at': [2, 0, 0]", &id);
    def = sn_ball_definition(sn_scene_world(scene), id);
    assert_false(def.limit_cone || def.limit_twist);
    assert_true(isinf(def.common.break_force) && def.common.compliance == 0.0f &&
                !def.common.collide_connected);
    sn_scene_destroy(scene);
    scene = scene_of_joint("'type': 'ball', 'at': [2, 0, 0], 'cone': 30, 'twist': [-20, 40]", &id);
    def = sn_ball_definition(sn_scene_world(scene), id);
    assert_true(def.limit_cone && def.limit_twist);
    assert_near((double)def.cone_angle, 30.0 * (double)degree, 1e-7);
    assert_near((double)def.twist_lower, -20.0 * (double)degree, 1e-7);
    assert_near((double)def.twist_upper, 40.0 * (double)degree, 1e-7);
    sn_scene_destroy(scene);
}

static void test_hinges_may_have_limits_a_motor_and_a_spring(void **state)
{
    (void)state;
    sn_constraint id;
    sn_hinge_def def;
    sn_scene *scene = scene_of_joint("'type': 'hinge', 'at': [2, 0, 0]", &id);
    def = sn_hinge_definition(sn_scene_world(scene), id);
    assert_true(!def.limit && !def.motor && def.spring_stiffness == 0.0f);
    sn_scene_destroy(scene);
    scene = scene_of_joint(
        "'type': 'hinge', 'at': [2, 0, 0], 'limits': [-180, 90], 'motor': {'speed': -3, 'torque': 7},"
        " 'spring': {'stiffness': 11, 'damping': 0.5, 'angle': -45}",
        &id);
    def = sn_hinge_definition(sn_scene_world(scene), id);
    assert_true(def.limit && def.lower == -SN_PI && def.motor);
    assert_near((double)def.upper, 90.0 * (double)degree, 1e-7);
    assert_true(def.motor_speed == -3.0f && def.motor_torque == 7.0f);
    assert_true(def.spring_stiffness == 11.0f && def.spring_damping == 0.5f);
    assert_near((double)def.spring_angle, -45.0 * (double)degree, 1e-7);
    sn_scene_destroy(scene);
    scene = scene_of_joint("'type': 'hinge', 'at': [2, 0, 0], 'motor': {}", &id);
    def = sn_hinge_definition(sn_scene_world(scene), id);
    assert_true(def.motor && def.motor_speed == 0.0f && isinf(def.motor_torque)); // a brake
    sn_scene_destroy(scene);
}

static void test_sliders_may_have_limits_a_motor_and_a_spring(void **state)
{
    (void)state;
    sn_constraint id;
    sn_slider_def def;
    sn_scene *scene =
        scene_of_joint("'type': 'slider', 'at': [2, 0, 0], 'limits': [-1.5, 2], 'motor': {'speed': 3,"
                       " 'force': 7}, 'spring': {'stiffness': 11, 'damping': 0.5, 'travel': 0.25}",
                       &id);
    def = sn_slider_definition(sn_scene_world(scene), id);
    assert_true(def.limit && def.lower == -1.5f && def.upper == 2.0f);
    assert_true(def.motor && def.motor_speed == 3.0f && def.motor_force == 7.0f);
    assert_true(def.spring_stiffness == 11.0f && def.spring_damping == 0.5f && def.spring_travel == 0.25f);
    sn_scene_destroy(scene);
    scene = scene_of_joint("'type': 'slider', 'at': [2, 0, 0], 'motor': {'speed': 1}", &id);
    def = sn_slider_definition(sn_scene_world(scene), id);
    assert_true(!def.limit && def.motor && isinf(def.motor_force));
    sn_scene_destroy(scene);
}

static void test_points_on_axes_may_have_limits_a_motor_and_a_spring(void **state)
{
    (void)state;
    sn_constraint id;
    sn_scene *scene = scene_of_joint(
        "'type': 'axis', 'at': [2, 0, 0], 'axis': [0, 0, 2], 'limits': [-1.5, 2], 'motor': "
        "{'speed': 3, 'force': 7}, 'spring': {'stiffness': 11, 'damping': 0.5, 'travel': 0.25}",
        &id);
    sn_axis_def def = sn_axis_definition(sn_scene_world(scene), id);
    assert_true(def.limit && def.lower == -1.5f && def.upper == 2.0f);
    assert_true(def.motor && def.motor_speed == 3.0f && def.motor_force == 7.0f);
    assert_true(def.spring_stiffness == 11.0f && def.spring_damping == 0.5f && def.spring_travel == 0.25f);
    assert_vector(sn_rotate(def.common.a.rotation, sn_v(1.0f, 0.0f, 0.0f)), 0.0f, 0.0f, 1.0f, 1e-6);
    sn_scene_destroy(scene);
}

static void check_distance(const char *more, float lower, float upper, float stiffness, float rest)
{
    char joint[256];
    sn_constraint id;
    sn_distance_def def;
    snprintf(joint, sizeof joint, "'type': 'distance', 'from': [1, 0, 0], 'to': [3, 0, 1.5]%s", more);
    sn_scene *scene = scene_of_joint(joint, &id);
    def = sn_distance_definition(sn_scene_world(scene), id);
    assert_near((double)def.lower, (double)lower, 1e-6);
    if (isinf(upper)) {
        assert_true(isinf(def.upper));
    } else {
        assert_near((double)def.upper, (double)upper, 1e-6);
    }
    assert_true(def.spring_stiffness == stiffness);
    assert_near((double)def.spring_length, (double)rest, 1e-6);
    assert_near((double)sn_distance_length(sn_scene_world(scene), id), 2.5, 1e-6);
    sn_scene_destroy(scene);
}

static void test_distances_are_rods_ropes_intervals_and_springs(void **state)
{
    (void)state;
    check_distance("", 2.5f, 2.5f, 0.0f, 0.0f);
    check_distance(", 'length': 4", 4.0f, 4.0f, 0.0f, 0.0f);
    check_distance(", 'length': 0", 0.0f, 0.0f, 0.0f, 0.0f);
    check_distance(", 'rope': 3", 0.0f, 3.0f, 0.0f, 0.0f);
    check_distance(", 'limits': [1, 3]", 1.0f, 3.0f, 0.0f, 0.0f);
    check_distance(", 'spring': {'stiffness': 9}", 0.0f, INFINITY, 9.0f, 2.5f);
    check_distance(", 'spring': {'stiffness': 9, 'length': 0}", 0.0f, INFINITY, 9.0f, 0.0f);
    check_distance(", 'rope': 3, 'spring': {'stiffness': 9, 'length': 1}", 0.0f, 3.0f, 9.0f, 1.0f);
}

// --- places ------------------------------------------------------------------------------------------------

// Where frame b of a joint is in the world, and which way its x axis points.
static void check_place(const char *text, sn_vec3 point, sn_vec3 axis)
{
    sn_scene *scene = scene_of(text);
    sn_world *world = sn_scene_world(scene);
    sn_constraint joints[4];
    assert_int_equal(sn_world_constraints(world, joints, 4), 1);
    sn_hinge_def def = sn_hinge_definition(world, joints[0]);
    const sn_point ends[2] = {def.common.a, def.common.b};
    for (int i = 0; i < 2; ++i) {
        sn_pose pose;
        assert_int_equal(sn_point_pose(world, &ends[i], &pose), SN_OK);
        assert_vector(pose.position, point.x, point.y, point.z, 5e-6);
        assert_vector(sn_rotate(pose.rotation, sn_v(1.0f, 0.0f, 0.0f)), axis.x, axis.y, axis.z, 5e-6);
    }
    assert_near((double)sn_constraint_error(world, joints[0]), 0.0, 2e-6);
    sn_scene_destroy(scene);
}

static void test_joints_are_placed_by_a_point_and_an_axis(void **state)
{
    (void)state;
    check_place("{'sinew': 1, " BODIES ", 'joints': [{'type': 'hinge', 'a': 'a', 'b': 'b', 'at': [2, 5, 0],"
                " 'axis': [0, 0, 3]}]}",
                sn_v(2.0f, 5.0f, 0.0f), sn_v(0.0f, 0.0f, 1.0f));
    check_place("{'sinew': 1, " BODIES
                ", 'joints': [{'type': 'hinge', 'a': 'ground', 'b': 'b', 'at': [0, 0, 0]}]}",
                sn_v(0.0f, 0.0f, 0.0f), sn_v(1.0f, 0.0f, 0.0f));
}

static void test_points_and_axes_are_in_the_frame_of_the_part(void **state)
{
    (void)state;
    check_place("{'sinew': 1, 'parts': [{'position': [10, 0, 0], 'rotation': {'axis': [0, 0, 1], 'angle': "
                "90}, " BODIES
                ", 'joints': [{'type': 'hinge', 'a': 'a', 'b': 'b', 'at': [2, 5, 1], 'axis': [1, 0, 0]}]}]}",
                sn_v(5.0f, 2.0f, 1.0f), sn_v(0.0f, 1.0f, 0.0f));
    // The second copy is turned about the origin of the scene.
    sn_scene *scene =
        scene_of("{'sinew': 1, 'parts': [{'position': [10, 0, 0], 'repeat': {'count': 2, 'rotation': "
                 "{'axis': [0, 1, 0],"
                 " 'angle': 90}}, 'bodies': [{'name': 'a'}, {'name': 'b', 'position': [2, 0, 0]}], 'joints': "
                 "[{'name': 'j',"
                 " 'type': 'distance', 'a': 'a', 'b': 'b', 'from': [0, 1, 0], 'to': [2, 1, 0]}]}]}");
    const sn_world *world = sn_scene_world(scene);
    sn_distance_def def = sn_distance_definition(world, joint_of(scene, "[1].j"));
    assert_vector(def.common.a.position, 0.0f, 1.0f, 0.0f, 1e-5);
    assert_vector(def.common.b.position, 0.0f, 1.0f, 0.0f, 1e-5);
    assert_vector(sn_rigid_position(world, def.common.b.rigid), 0.0f, 0.0f, -12.0f, 1e-5);
    sn_scene_destroy(scene);
}

static void test_joints_are_placed_by_frames_in_the_bodies(void **state)
{
    (void)state;
    sn_constraint id;
    sn_fixed_def def;
    sn_scene *scene = scene_of_joint("'type': 'fixed', 'frame_a': {'position': [1, 2, 3]},"
                                     " 'frame_b': {'rotation': {'axis': [0, 0, 1], 'angle': 180}}",
                                     &id);
    def = sn_fixed_definition(sn_scene_world(scene), id);
    assert_vector(def.common.a.position, 1.0f, 2.0f, 3.0f, 0.0);
    assert_rotation(def.common.a.rotation, sn_quat_identity, 0.0);
    assert_vector(def.common.b.position, 0.0f, 0.0f, 0.0f, 0.0);
    assert_rotation(def.common.b.rotation, (sn_quat){0.0f, 0.0f, 1.0f, 0.0f}, 1e-7);
    sn_scene_destroy(scene);
    // Distances as well; how long the rod is comes from where the points are.
    sn_distance_def rod;
    scene = scene_of_joint("'type': 'distance', 'frame_a': {'position': [0, 3, 0]}, 'frame_b': {}", &id);
    rod = sn_distance_definition(sn_scene_world(scene), id);
    assert_near((double)rod.lower, sqrt(13.0), 1e-6);
    assert_true(rod.lower == rod.upper);
    sn_scene_destroy(scene);
}

static void test_a_motor_turns_its_wheel(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of("{'sinew': 1, 'bodies': [{'name': 'w', 'shape': {'type': 'sphere', 'radius': 0.5}}],"
                 " 'joints': [{'name': 'j', 'type': 'hinge', 'a': 'ground', 'b': 'w', 'at': [0, 0, 0],"
                 " 'axis': [0, 0, 1], 'motor': {'speed': 2}}]}");
    step_scene(scene, 60);
    sn_vec3 spin = sn_rigid_angular_velocity(sn_scene_world(scene), body_of(scene, "w"));
    assert_vector(spin, 0.0f, 0.0f, 2.0f, 1e-3);
    sn_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_every_joint_has),
        cmocka_unit_test(test_balls_may_limit_cone_and_twist),
        cmocka_unit_test(test_hinges_may_have_limits_a_motor_and_a_spring),
        cmocka_unit_test(test_sliders_may_have_limits_a_motor_and_a_spring),
        cmocka_unit_test(test_points_on_axes_may_have_limits_a_motor_and_a_spring),
        cmocka_unit_test(test_distances_are_rods_ropes_intervals_and_springs),
        cmocka_unit_test(test_joints_are_placed_by_a_point_and_an_axis),
        cmocka_unit_test(test_points_and_axes_are_in_the_frame_of_the_part),
        cmocka_unit_test(test_joints_are_placed_by_frames_in_the_bodies),
        cmocka_unit_test(test_a_motor_turns_its_wheel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
