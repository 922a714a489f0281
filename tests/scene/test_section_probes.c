// Probes: every quantity against what the world itself says.
#include "scene_kit.h"

#include <math.h>

#define WORLD(VALUE)       "{'name': '" VALUE "', 'value': '" VALUE "'}, "
#define OF_BODY(VALUE)     "{'name': '" VALUE "', 'body': 'crank', 'value': '" VALUE "'}, "
#define OF_JOINT(J, VALUE) "{'name': '" J " " VALUE "', 'joint': '" J "', 'value': '" VALUE "'}, "

// A pendulum, a slider and a rope, all in motion, and a box on the floor.
static const char text[] =
    "{'sinew': 1, 'bodies': [{'name': 'floor', 'type': 'static', 'shape': {'type': 'plane', 'offset': -3}},"
    " {'name': 'crank', 'position': [1, 0, 0], 'rotation': {'axis': [0, 0, 1], 'angle': 20}, "
    "'angular_velocity': [0.1, 0.2, 3],"
    "  'linear_velocity': [0.5, 3, 0], 'shape': {'type': 'box', 'size': [1, 0.2, 0.3]}},"
    " {'name': 'sled', 'position': [0, 0, 5], 'linear_velocity': [2, 0, 0], 'shape': {'type': 'sphere', "
    "'radius': 0.3}},"
    " {'name': 'bob', 'position': [0, -2, 9], 'linear_velocity': [1, 0, 0], 'shape': {'type': 'sphere', "
    "'radius': 0.3}},"
    " {'name': 'box', 'position': [9, -2.5, 0], 'shape': {'type': 'box', 'size': [1, 1, 1]}}],"
    " 'joints': [{'name': 'hinge', 'type': 'hinge', 'a': 'ground', 'b': 'crank', 'at': [0, 0, 0], 'axis': "
    "[0, 0, 1]},"
    " {'name': 'slider', 'type': 'slider', 'a': 'ground', 'b': 'sled', 'at': [0, 0, 5], 'axis': [1, 0, 0]},"
    " {'name': 'rope', 'type': 'distance', 'a': 'ground', 'b': 'bob', 'from': [0, 0, 9], 'to': [0, -2, 9], "
    "'rope': 2}],"
    " 'probes': [" WORLD("kinetic_energy") WORLD("potential_energy") WORLD("energy") WORLD("momentum")
        WORLD("angular_momentum") WORLD("contacts") WORLD("awake") OF_BODY("position.x") OF_BODY("position.y")
            OF_BODY("position.z") OF_BODY("velocity.x") OF_BODY("velocity.y") OF_BODY("velocity.z") OF_BODY(
                "speed") OF_BODY("spin.x") OF_BODY("spin.y") OF_BODY("spin.z") OF_BODY("spin") OF_BODY("tilt")
                OF_JOINT("hinge", "error") OF_JOINT("hinge", "force") OF_JOINT("hinge", "torque")
                    OF_JOINT("hinge", "angle") OF_JOINT(
                        "slider",
                        "travel") "{'joint': 'rope', 'value': 'length'}, {'body': 'bob', 'value': 'speed'}]}";

static double value_of(const sn_scene *scene, const char *name, const char *unit)
{
    for (int i = 0; i < sn_scene_probe_count(scene); ++i) {
        if (strcmp(sn_scene_probe_name(scene, i), name) == 0) {
            assert_string_equal(sn_scene_probe_unit(scene, i), unit);
            return sn_scene_probe_value(scene, i);
        }
    }
    fail_msg("no probe is called %s", name);
    return 0.0;
}

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void check_world_probes(const sn_scene *scene)
{
    const sn_world *world = sn_scene_world(scene);
    sn_energy energy = sn_world_energy(world);
    sn_statistics statistics = sn_world_statistics(world);
    assert_true(value_of(scene, "kinetic_energy", "J") == energy.kinetic);
    assert_true(value_of(scene, "potential_energy", "J") == energy.potential);
    assert_true(value_of(scene, "energy", "J") == energy.kinetic + energy.potential);
    assert_near(value_of(scene, "momentum", "kg m/s"), length_of(energy.momentum), 1e-9);
    assert_near(value_of(scene, "angular_momentum", "kg m²/s"), length_of(energy.angular_momentum), 1e-9);
    assert_true(value_of(scene, "contacts", "") == statistics.contact_count);
    assert_true(value_of(scene, "awake", "") == statistics.awake_count);
    assert_int_equal(statistics.contact_count, 1);
    assert_int_equal(statistics.awake_count, 4);
}

static void check_body_probes(const sn_scene *scene)
{
    const sn_world *world = sn_scene_world(scene);
    sn_rigid crank = body_of(scene, "crank");
    sn_vec3 p = sn_rigid_position(world, crank), v = sn_rigid_linear_velocity(world, crank),
            w = sn_rigid_angular_velocity(world, crank);
    const char *const names[] = {"position.x", "position.y", "position.z", "velocity.x", "velocity.y",
                                 "velocity.z", "spin.x",     "spin.y",     "spin.z"};
    const char *const units[] = {"m", "m/s", "rad/s"};
    const float values[] = {p.x, p.y, p.z, v.x, v.y, v.z, w.x, w.y, w.z};
    for (int i = 0; i < 9; ++i) {
        assert_true(value_of(scene, names[i], units[i / 3]) == (double)values[i]);
    }
    assert_near(value_of(scene, "speed", "m/s"), (double)sn_length(v), 0.0);
    assert_near(value_of(scene, "spin", "rad/s"), (double)sn_length(w), 0.0);
    sn_vec3 up = sn_rotate(sn_rigid_rotation(world, crank), sn_v(0.0f, 1.0f, 0.0f));
    assert_near(value_of(scene, "tilt", "°"), acos((double)up.y) * 180.0 / 3.14159265358979323846, 1e-3);
}

static void check_joint_probes(const sn_scene *scene)
{
    const sn_world *world = sn_scene_world(scene);
    sn_constraint hinge = joint_of(scene, "hinge");
    assert_true(value_of(scene, "hinge error", "m, rad") == (double)sn_constraint_error(world, hinge));
    assert_true(value_of(scene, "hinge force", "N") == (double)sn_length(sn_constraint_force(world, hinge)));
    assert_true(value_of(scene, "hinge torque", "N m") ==
                (double)sn_length(sn_constraint_torque(world, hinge)));
    assert_near(value_of(scene, "hinge angle", "°"),
                (double)sn_hinge_angle(world, hinge) * 180.0 / 3.14159265358979323846, 1e-9);
    assert_true(value_of(scene, "slider travel", "m") ==
                (double)sn_slider_travel(world, joint_of(scene, "slider")));
    assert_true(value_of(scene, "rope length", "m") ==
                (double)sn_distance_length(world, joint_of(scene, "rope")));
    assert_true(fabs(value_of(scene, "hinge angle", "°")) > 1.0 &&
                value_of(scene, "slider travel", "m") > 0.1);
    assert_true(value_of(scene, "hinge force", "N") > 1.0);
}

static void test_every_quantity_is_what_the_world_says(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(text);
    assert_int_equal(sn_scene_probe_count(scene), 26);
    step_scene(scene, 8);
    check_world_probes(scene);
    check_body_probes(scene);
    check_joint_probes(scene);
    sn_scene_destroy(scene);
}

static void test_a_probe_without_a_name_is_called_by_what_it_watches(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of("{'sinew': 1, 'bodies': [{'name': 'b'}], 'probes': [{'value': 'energy'},"
                 " {'body': 'b', 'value': 'speed'}, {'name': 'v', 'body': 'ground', 'value': 'speed'}]}");
    assert_string_equal(sn_scene_probe_name(scene, 0), "energy");
    assert_string_equal(sn_scene_probe_name(scene, 1), "b speed");
    assert_string_equal(sn_scene_probe_name(scene, 2), "v");
    sn_scene_destroy(scene);
}

static void test_a_tilted_body_is_upright_against_gravity(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of("{'sinew': 1, 'world': {'gravity': [0, 0, -5]}, 'bodies': [{'name': 'b',"
                 " 'rotation': {'axis': [1, 0, 0], 'angle': 30}}, {'name': 'c',"
                 " 'rotation': {'axis': [0, 0, 1], 'angle': 30}}],"
                 " 'probes': [{'body': 'b', 'value': 'tilt'}, {'body': 'c', 'value': 'tilt'}]}");
    assert_near(sn_scene_probe_value(scene, 0), 30.0, 1e-4);
    assert_near(sn_scene_probe_value(scene, 1), 0.0, 1e-4);
    sn_scene_destroy(scene);
}

static void test_what_is_gone_is_zero(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(text);
    step_scene(scene, 2);
    assert_int_equal(sn_rigid_remove(sn_scene_world(scene), body_of(scene, "crank")), SN_OK);
    assert_true(value_of(scene, "speed", "m/s") == 0.0);
    assert_true(value_of(scene, "hinge force", "N") == 0.0); // the hinge went with its body
    assert_true(value_of(scene, "bob speed", "m/s") > 0.0);
    assert_true(sn_scene_probe_value(scene, 99) == 0.0 && sn_scene_probe_value(scene, -1) == 0.0);
    assert_string_equal(sn_scene_probe_name(scene, 99), "");
    assert_string_equal(sn_scene_probe_unit(scene, -1), "");
    sn_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_quantity_is_what_the_world_says),
        cmocka_unit_test(test_a_probe_without_a_name_is_called_by_what_it_watches),
        cmocka_unit_test(test_a_tilted_body_is_upright_against_gravity),
        cmocka_unit_test(test_what_is_gone_is_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
