// Scenes that move: what keys and forces say comes true, survives saving, and mistakes are told by line and
// column.
#include "scene/bad_scenes.h"

#include "sinew_scene/recording.h"

#include <math.h>

#define MATTER                                                                                               \
    "{'sinew': 1, 'step': 0.0078125, 'world': {'gravity': [0, 0, 0]}, 'bodies': [{'name': "                  \
    "'lift', 'type': 'kinematic', 'position': [5, 0, 0], 'shape': {'type': 'box', 'size': [1,"               \
    " 0.1, 1]}}, {'name': 'arm', 'position': [0.5, 9, 0], 'shape': {'type': 'box', 'size': "                 \
    "[1, 0.1, 0.1]}}, {'name': 'cart', 'position': [0, 20, 0], 'shape': {'type': 'box', "                    \
    "'size': [0.2, 0.2, 0.2]}}, {'name': 'bob', 'position': [0, 30, 0], 'shape': {'type': "                  \
    "'sphere', 'radius': 0.1}}, {'name': 'free', 'position': [9, 9, 9], 'mass': 2, 'shape': "                \
    "{'type': 'sphere', 'radius': 0.1}}], 'joints': [{'name': 'elbow', 'type': 'hinge', 'a': "               \
    "'ground', 'b': 'arm', 'at': [0, 9, 0], 'axis': [0, 0, 1], 'spring': {'stiffness': 500, "                \
    "'damping': 50}}, {'name': 'rail', 'type': 'slider', 'a': 'ground', 'b': 'cart', 'at': "                 \
    "[0, 20, 0]}, {'name': 'rope', 'type': 'distance', 'a': 'ground', 'b': 'bob', 'from': [0,"               \
    " 31, 0], 'to': [0, 30, 0], 'rope': 1}, {'name': 'weld', 'type': 'fixed', 'a': 'cart', "                 \
    "'b': 'free', 'at': [0, 0, 0], 'active': false}], 'deformables': [{'name': 'cloth', "                    \
    "'position': [0, -9, 0], 'mesh': {'type': 'grid', 'width': 1, 'height': 1, 'columns': 4, "               \
    "'rows': 4}, 'inextensible': {}}], 'anchors': [{'name': 'top', 'a': 'cloth', 'b': "                      \
    "'ground', 'select': {'part': 'top'}}, {'name': 'tie', 'a': 'cloth', 'b': 'free', 'at': "                \
    "[0, -9.5, 0], 'active': false}], 'cameras': [{'name': 'c', 'eye': [0, 0, 9], 'target': "                \
    "[0, 0, 0]}, {'name': 'o', 'eye': [0, 0, 9], 'target': [0, 0, 0], 'orbit': 5}], "
#define MOVING(TEXT) MATTER "'motions': [\n" TEXT "]}"

static void run(sn_scene *scene, int steps)
{
    for (int i = 0; i < steps; ++i) {
        if (sn_scene_step(scene, sn_scene_step_length(scene)) != SN_OK) {
            fail_msg("%s", sn_scene_error());
        }
    }
}

// --- what comes true ---------------------------------------------------------------------------------------

static void test_a_kinematic_body_is_where_its_keys_say(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(
        MOVING("{'type': 'body', 'body': 'lift', 'path': 'linear', 'keys': [{'at': 0, 'position': [0, "
               "0, 0]}, {'at': 1, 'position': [0, 4, 0]}, {'at': 2, 'position': [2, 4, 0]}]}"));
    assert_vector(position_of(scene, "lift"), 0.0f, 0.0f, 0.0f, 0.0); // from the beginning
    run(scene, 64);
    assert_vector(position_of(scene, "lift"), 0.0f, 2.0f, 0.0f, 1e-5);
    run(scene, 128);
    assert_vector(position_of(scene, "lift"), 1.0f, 4.0f, 0.0f, 1e-5);
    run(scene, 200);
    assert_vector(position_of(scene, "lift"), 2.0f, 4.0f, 0.0f, 1e-5);
    sn_scene_destroy(scene);
}

static void test_a_body_turns_by_its_keys_and_stays_in_place(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(MOVING(
        "{'type': 'body', 'body': 'lift', 'path': 'linear', 'loop': true, 'keys': [{'at': 0, 'rotation': "
        "{'axis': [0, 1, 0], 'angle': 0}}, {'at': 1, 'rotation': {'axis': [0, 1, 0], 'angle': 120}}, "
        "{'at': 2, 'rotation': {'axis': [0, 1, 0], 'angle': 240}}, {'at': 3, 'rotation': {'axis': [0, "
        "1, 0], 'angle': 360}}]}"));
    run(scene, 3 * 128 + 96); // three quarters of the first key again
    assert_vector(position_of(scene, "lift"), 5.0f, 0.0f, 0.0f, 1e-5);
    sn_quat expected = sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), 0.5f * SN_PI);
    assert_rotation(sn_rigid_rotation(sn_scene_world(scene), body_of(scene, "lift")), expected, 1e-4);
    sn_scene_destroy(scene);
}

static void test_a_servo_brings_a_hinge_to_its_angle(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(MOVING("{'type': 'joint', 'joint': 'elbow', 'keys': [{'at': 0, 'value': 0}, "
                                      "{'at': 0.5, 'value': 60}]}"));
    run(scene, 64);
    sn_constraint elbow = joint_of(scene, "elbow");
    assert_near((double)sn_hinge_angle(sn_scene_world(scene), elbow), SN_PI / 3.0, 0.01);
    run(scene, 128);
    assert_near((double)sn_hinge_angle(sn_scene_world(scene), elbow), SN_PI / 3.0, 0.001);
    sn_scene_destroy(scene);
}

static void test_a_speed_and_a_spring_are_driven_as_well(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(
        MOVING("{'type': 'joint', 'joint': 'rail', 'drive': 'speed', 'keys': [{'at': 0, 'value': 0.5}]},"
               "{'type': 'joint', 'joint': 'elbow', 'drive': 'spring', 'keys': [{'at': 0, 'value': 45}]}"));
    run(scene, 256);
    const sn_world *world = sn_scene_world(scene);
    assert_near((double)sn_slider_travel(world, joint_of(scene, "rail")), 1.0, 0.01);
    assert_near((double)sn_hinge_angle(world, joint_of(scene, "elbow")), SN_PI / 4.0, 0.02);
    sn_scene_destroy(scene);
}

static void test_a_rope_is_hauled_in(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of(MOVING("{'type': 'gravity', 'keys': [{'at': 0, 'acceleration': [0, -9.81, 0]}]},"
                        "{'type': 'joint', 'joint': 'rope', 'keys': [{'at': 0, 'value': 1}, "
                        "{'at': 1, 'value': 0.4}]}"));
    run(scene, 256);
    const sn_world *world = sn_scene_world(scene);
    assert_near((double)sn_distance_length(world, joint_of(scene, "rope")), 0.4, 0.005);
    assert_vector(sn_world_gravity(world), 0.0f, -9.81f, 0.0f, 1e-6);
    sn_scene_destroy(scene);
}

static void test_anchors_carry_what_they_hold(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of(MOVING("{'type': 'anchor', 'anchor': 'top', 'keys': [{'at': 0, 'offset': [0, 0, "
                        "0]}, {'at': 1, 'offset': [0.5, 0.25, 0]}]}"));
    sn_world *world = sn_scene_world(scene);
    sn_deformable cloth;
    assert_int_equal(sn_world_deformables(world, &cloth, 1), 1);
    int top = sn_deformable_node_count(world, cloth) - 1;
    sn_vec3 before = sn_deformable_nodes(world, cloth)[top].position;
    run(scene, 300);
    sn_vec3 after = sn_deformable_nodes(world, cloth)[top].position;
    assert_vector(sn_sub(after, before), 0.5f, 0.25f, 0.0f, 2e-3);
    sn_scene_destroy(scene);
}

static void test_a_force_acts_between_its_times(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of(MOVING("{'type': 'force', 'body': 'free', 'force': [4, 0, 0], 'from': 0.5, 'until': 1}"));
    const sn_world *world = sn_scene_world(scene);
    run(scene, 64);
    assert_vector(sn_rigid_linear_velocity(world, body_of(scene, "free")), 0.0f, 0.0f, 0.0f, 0.0);
    run(scene, 128);
    // 4 N for half a second on 2 kg.
    assert_vector(sn_rigid_linear_velocity(world, body_of(scene, "free")), 1.0f, 0.0f, 0.0f, 1e-4);
    sn_scene_destroy(scene);
}

static void test_the_light_moves(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of(MOVING("{'type': 'light', 'path': 'linear', 'keys': [{'at': 0, 'direction': [1, 1, 0]}, "
                        "{'at': 1, 'direction': [-1, 1, 0], 'strength': 0.5}]}"));
    assert_vector(sn_scene_light(scene).direction, 1.0f, 1.0f, 0.0f, 1e-5);
    run(scene, 64);
    assert_vector(sn_scene_light(scene).direction, 0.0f, 1.0f, 0.0f, 1e-4);
    assert_float_equal(sn_scene_light(scene).strength, 0.75f, 1e-4f);
    run(scene, 70);
    assert_vector(sn_scene_light(scene).direction, -1.0f, 1.0f, 0.0f, 1e-5);
    sn_scene_destroy(scene);
}

static void test_wind_and_cameras_move(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(MOVING(
        "{'type': 'wind', 'path': 'linear', 'keys': [{'at': 0, 'velocity': [0, 0, 0]}, {'at': 1, "
        "'velocity': [8, 0, 0]}]},{'type': 'camera', 'camera': 'c', 'path': 'linear', 'keys': [{'at': "
        "0, 'eye': [0, 0, 9], 'target': [0, 0, 0]}, {'at': 1, 'eye': [4, 0, 9], 'target': [0, 2, 0]}]}"));
    run(scene, 64);
    sn_camera camera;
    assert_int_equal(sn_scene_camera(scene, "c", &camera), SN_OK);
    assert_vector(camera.eye, 2.0f, 0.0f, 9.0f, 1e-5);
    assert_vector(camera.target, 0.0f, 1.0f, 0.0f, 1e-5);
    assert_vector(sn_world_settings(sn_scene_world(scene)).wind, 4.0f, 0.0f, 0.0f, 1e-5);
    sn_scene_destroy(scene);
}

// --- files -------------------------------------------------------------------------------------------------

static const char everything[] = MOVING(
    "{'type': 'body', 'body': 'lift', 'loop': true, 'keys': [{'at': 0, 'position': [0, 0, 0], 'rotation': "
    "{'axis': [1, 0, 0], 'angle': 20}}, {'at': 1, 'position': [0, 1, 0], 'rotation': {'axis': [1, 0, 0], "
    "'angle': -20}}, {'at': 2, 'position': [0, 0, 0], 'rotation': {'axis': [1, 0, 0], 'angle': 20}}]},"
    "{'type': 'joint', 'joint': 'elbow', 'gain': 5, 'keys': [{'at': 0, 'value': 0}, {'at': 3, 'value': "
    "77.7}]},"
    "{'type': 'joint', 'joint': 'rope', 'keys': [{'at': 0, 'value': 1}, {'at': 3, 'value': 0.5}]},"
    "{'type': 'anchor', 'anchor': 'top', 'keys': [{'at': 0, 'offset': [0, 0, 0]}, {'at': 2, 'offset': [0.2, "
    "0, "
    "0]}]},"
    "{'type': 'force', 'body': 'free', 'force': [1, 2, 3], 'torque': [0, 1, 0], 'point': [0.1, 0, 0], "
    "'turns': "
    "true, 'until': 1.5},"
    "{'type': 'gravity', 'path': 'linear', 'keys': [{'at': 0, 'acceleration': [0, -1, 0]}, {'at': 2, "
    "'acceleration': [0, -5, 0]}]},"
    "{'type': 'camera', 'camera': 'c', 'keys': [{'at': 0, 'eye': [0, 0, 9], 'target': [0, 0, 0]}, {'at': 1, "
    "'eye': [4, 0, 9], 'target': [0, 2, 0]}]}");

static void test_a_saved_state_goes_on_bit_for_bit(void **state)
{
    (void)state;
    scene_folder folder = folder_make();
    scene_path path = path_in(&folder, "later.state");
    sn_scene *scene = scene_of(everything);
    run(scene, 50);
    assert_int_equal(sn_scene_save_state(scene, path.text), SN_OK);
    sn_scene *loaded = scene_of_file(path.text);
    run(scene, 150);
    run(loaded, 150);
    assert_true(sn_world_hash(sn_scene_world(loaded)) == sn_world_hash(sn_scene_world(scene)));
    sn_scene_destroy(loaded);
    sn_scene_destroy(scene);
    folder_remove(folder.path);
}

static void test_a_saved_scene_goes_on_from_where_it_was(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(everything);
    run(scene, 100);
    sn_scene *loaded = save_and_load(scene);
    run(scene, 60);
    run(loaded, 60);
    sn_vec3 lift = position_of(scene, "lift"), free_body = position_of(scene, "free");
    assert_vector(position_of(loaded, "lift"), lift.x, lift.y, lift.z, 1e-4);
    assert_vector(position_of(loaded, "free"), free_body.x, free_body.y, free_body.z, 1e-3);
    assert_near((double)sn_hinge_angle(sn_scene_world(loaded), joint_of(loaded, "elbow")),
                (double)sn_hinge_angle(sn_scene_world(scene), joint_of(scene, "elbow")), 1e-3);
    sn_scene_destroy(loaded);
    sn_scene_destroy(scene);
}

static void test_a_recording_of_a_moving_scene_replays(void **state)
{
    (void)state;
    scene_folder folder = folder_make();
    scene_path path = path_in(&folder, "moving.recording");
    sn_scene *scene = scene_of(everything);
    sn_recording *recording = NULL;
    assert_int_equal(sn_recording_begin(scene, path.text, &recording), SN_OK);
    for (int i = 0; i < 100; ++i) {
        assert_int_equal(sn_recording_step(recording, sn_scene_step_length(scene)), SN_OK);
    }
    assert_int_equal(sn_recording_end(recording), SN_OK);
    sn_scene *replayed = scene_of_file(path.text);
    run(replayed, 100);
    assert_int_equal(sn_scene_replay(replayed).first_difference, 0);
    assert_true(sn_world_hash(sn_scene_world(replayed)) == sn_world_hash(sn_scene_world(scene)));
    sn_camera a, b;
    assert_int_equal(sn_scene_camera(scene, "c", &a), SN_OK);
    assert_int_equal(sn_scene_camera(replayed, "c", &b), SN_OK);
    assert_vector(b.eye, a.eye.x, a.eye.y, a.eye.z, 0.0);
    sn_scene_destroy(replayed);
    sn_scene_destroy(scene);
    folder_remove(folder.path);
}

static void test_what_is_gone_is_moved_no_more(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(everything);
    sn_world *world = sn_scene_world(scene);
    run(scene, 5);
    assert_int_equal(sn_rigid_remove(world, body_of(scene, "lift")), SN_OK);
    assert_int_equal(sn_constraint_remove(world, joint_of(scene, "elbow")), SN_OK);
    assert_int_equal(sn_rigid_remove(world, body_of(scene, "free")), SN_OK);
    sn_deformable cloth;
    sn_world_deformables(world, &cloth, 1);
    assert_int_equal(sn_deformable_remove(world, cloth), SN_OK);
    run(scene, 5);
    sn_scene_destroy(save_and_load(scene));
    sn_scene_destroy(scene);
}

// --- mistakes ----------------------------------------------------------------------------------------------

static const bad_scene mistakes[] = {
    {MOVING("{'body': 'lift'}"), "scene.json:2:1: motions[0].type: is missing"},
    {MOVING("{'type': 'bodies', 'body': 'lift'}"),
     "scene.json:2:10: motions[0].type: \"bodies\" is not allowed, expected \"body\", \"anchor\", \"joint\", "
     "\"wind\", \"gravity\", \"camera\", \"light\" or \"force\""},
    {MOVING("{'type': 'body', 'body': 'lift'}"),
     "scene.json:2:1: motions[0].keys: is missing: values at times"},
    {MOVING("{'type': 'body', 'body': 'lift', 'keys': []}"),
     "scene.json:2:42: motions[0].keys: has 0 keys, expected 1 to 100000"},
    {MOVING("{'type': 'body', 'body': 'lift', 'keys': [{'at': 0}]}"),
     "scene.json:2:43: motions[0].keys[0]: says nothing, expected `position` or `rotation`"},
    {MOVING(
         "{'type': 'body', 'body': 'lift', 'keys': [{'at': 0, 'position': [0, 0, 0]}, {'at': 0, 'position': "
         "[0, 0, 0]}]}"),
     "scene.json:2:78: motions[0].keys[1].at: 0 s is not after the key before it, at 0 s"},
    {MOVING(
         "{'type': 'body', 'body': 'lift', 'keys': [{'at': 0, 'position': [0, 0, 0]}, {'at': 1, 'rotation': "
         "[0, 0, 0, 1]}]}"),
     "scene.json:2:77: motions[0].keys[1]: says other things than the first key"},
    {MOVING("{'type': 'body', 'body': 'arm', 'keys': [{'at': 0, 'position': [0, 0, 0]}]}"),
     "scene.json:2:18: motions[0].body: \"arm\" is not kinematic"},
    {MOVING("{'type': 'body', 'body': 'lft', 'keys': [{'at': 0, 'position': [0, 0, 0]}]}"),
     "scene.json:2:26: motions[0].body: no body is called \"lft\", did you mean \"lift\"?"},
    {MOVING("{'type': 'force', 'body': 'lift', 'force': [1, 0, 0]}"),
     "scene.json:2:19: motions[0].body: \"lift\" is not dynamic"},
    {MOVING("{'type': 'force', 'body': 'free', 'force': [1, 0, 0], 'from': 2, 'until': 1}"),
     "scene.json:2:66: motions[0].until: 1 s is not after `from`, 2 s"},
    {MOVING("{'type': 'joint', 'joint': 'elbo', 'keys': [{'at': 0, 'value': 1}]}"),
     "scene.json:2:28: motions[0].joint: no joint is called \"elbo\", did you mean \"elbow\"?"},
    {MOVING("{'type': 'joint', 'joint': 'weld', 'keys': [{'at': 0, 'value': 1}]}"),
     "scene.json:2:19: motions[0].joint: \"weld\" is a fixed, expected a hinge, slider or distance"},
    {MOVING("{'type': 'joint', 'joint': 'rail', 'drive': 'spring', 'keys': [{'at': 0, 'value': 1}]}"),
     "scene.json:2:36: motions[0].drive: joint \"rail\" has no `spring` to drive"},
    {MOVING("{'type': 'joint', 'joint': 'rope', 'drive': 'speed', 'keys': [{'at': 0, 'value': 1}]}"),
     "scene.json:2:36: motions[0].drive: a distance has no motor"},
    {MOVING("{'type': 'anchor', 'anchor': 'bottom', 'keys': [{'at': 0, 'offset': [0, 0, 0]}]}"),
     "scene.json:2:20: motions[0].anchor: no anchor called \"bottom\" holds something at a place"},
    {MOVING("{'type': 'anchor', 'anchor': 'tie', 'keys': [{'at': 0, 'offset': [0, 0, 0]}]}"),
     "scene.json:2:20: motions[0].anchor: no anchor called \"tie\" holds something at a place in the world"},
    {MOVING("{'type': 'light', 'keys': [{'at': 0, 'direction': [0, 0, 0]}]}"),
     "scene.json:2:38: motions[0].keys[0].direction: has no length, expected a direction"},
    {MOVING("{'type': 'light', 'keys': [{'at': 0, 'strength': 11}]}"),
     "scene.json:2:50: motions[0].keys[0].strength: 11"},
    {MOVING("{'type': 'light', 'keys': [{'at': 0, 'direction': [0, 1, 0]}, {'at': 1}]}"),
     "scene.json:2:63: motions[0].keys[1]: says other things than the first key"},
    {MOVING("{'type': 'camera', 'camera': 'd', 'keys': [{'at': 0, 'eye': [0, 0, 1], 'target': [0, 0, 0]}]}"),
     "scene.json:2:20: motions[0].camera: no camera is called \"d\""},
    {MOVING("{'type': 'camera', 'camera': 'o', 'keys': [{'at': 0, 'eye': [0, 0, 1], 'target': [0, 0, 0]}]}"),
     "scene.json:2:20: motions[0].camera: \"o\" follows or orbits already"},
    {MOVING("{'type': 'camera', 'camera': 'c', 'keys': [{'at': 0, 'eye': [0, 0, 0], 'target': [0, 0, 0]}]}"),
     "scene.json:2:72: motions[0].keys[0].target: is where the eye is, expected another place"},
    {MOVING("{'type': 'wind', 'keys': [{'at': -1, 'velocity': [0, 0, 0]}]}"),
     "scene.json:2:34: motions[0].keys[0].at: -1 is not allowed"},
    {MOVING("{'type': 'wind', 'keys': [{'at': 0, 'velocity': [0, 0, 9000]}]}"),
     "scene.json:2:56: motions[0].keys[0].velocity[2]: 9000 is not allowed"},
    {MOVING("{'type': 'gravity', 'keys': [{'at': 0, 'velocity': [0, 0, 0]}]}"),
     "scene.json:2:40: motions[0].keys[0].velocity: unknown key \"velocity\""},
};

static void test_mistakes_are_told(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT_OF(mistakes); ++i) {
        sn_scene *scene = NULL;
        uint64_t bytes = sn_allocated_bytes();
        assert_int_equal(parse_with(mistakes[i].text, "scene.json", NULL, &scene), SN_ERROR_FORMAT);
        assert_null(scene);
        assert_int_equal(sn_allocated_bytes(), bytes);
        assert_begins(sn_scene_error(), mistakes[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_kinematic_body_is_where_its_keys_say),
        cmocka_unit_test(test_a_body_turns_by_its_keys_and_stays_in_place),
        cmocka_unit_test(test_a_servo_brings_a_hinge_to_its_angle),
        cmocka_unit_test(test_a_speed_and_a_spring_are_driven_as_well),
        cmocka_unit_test(test_a_rope_is_hauled_in),
        cmocka_unit_test(test_anchors_carry_what_they_hold),
        cmocka_unit_test(test_a_force_acts_between_its_times),
        cmocka_unit_test(test_the_light_moves),
        cmocka_unit_test(test_wind_and_cameras_move),
        cmocka_unit_test(test_a_saved_state_goes_on_bit_for_bit),
        cmocka_unit_test(test_a_saved_scene_goes_on_from_where_it_was),
        cmocka_unit_test(test_a_recording_of_a_moving_scene_replays),
        cmocka_unit_test(test_what_is_gone_is_moved_no_more),
        cmocka_unit_test(test_mistakes_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
