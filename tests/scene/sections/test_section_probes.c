// Probes: every quantity against what the world itself says.
#include "scene/scene_kit.h"

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

// --- deformables -------------------------------------------------------------------------------------------

#define OF_SOFT(VALUE) "{'name': '" VALUE "', 'deformable': 'jelly', 'value': '" VALUE "'}, "
#define OF_NODE(VALUE) "{'deformable': 'jelly', 'node': 5, 'value': '" VALUE "'}, "

// A jelly lands on the floor; a rope hangs from two anchors of one name, near each other.
static const char soft_text[] =
    "{'sinew': 1, 'bodies': [{'type': 'static', 'shape': {'type': 'plane'}}],"
    " 'deformables': [{'name': 'jelly', 'mesh': {'type': 'box', 'size': [0.5, 0.5, 0.5], 'cells': [2, 2, 2]},"
    " 'position': [0, 0.3, 0], 'linear_velocity': [0.5, 0, 0.25],"
    " 'model': {'type': 'corotational', 'young': 30000}},"
    " {'name': 'rope', 'mesh': {'type': 'line', 'length': 1, 'cells': 10}, 'mass': 0.5, 'inextensible': {},"
    " 'position': [3, 2, 0], 'thickness': 0.02}],"
    " 'anchors': [{'name': 'tie', 'a': 'rope', 'b': 'ground', 'select': {'nodes': [0, 1]}},"
    " {'name': 'later', 'a': 'jelly', 'b': 'rope', 'at': [0, 0, 0], 'active_from': 9},"
    " {'a': 'rope', 'b': 'ground', 'select': {'nodes': [3]}, 'exact': true}],"
    " 'probes': [" OF_SOFT("position.x") OF_SOFT("position.y") OF_SOFT("position.z") OF_SOFT("velocity.x")
        OF_SOFT("velocity.y") OF_SOFT("velocity.z") OF_SOFT("speed") OF_SOFT("volume")
            OF_SOFT("volume_change") OF_SOFT("area") OF_SOFT("stretch") OF_SOFT("mean_stretch")
                OF_SOFT("strain") OF_SOFT("stress") OF_SOFT("elastic_energy") OF_SOFT("contacts")
                    OF_SOFT("penetration") OF_NODE("position.x") OF_NODE("position.y") OF_NODE("position.z")
                        OF_NODE("velocity.x") OF_NODE("velocity.y") OF_NODE("velocity.z")
                            OF_NODE("speed") "{'anchor': 'tie', 'value': 'error'},"
                                             "{'anchor': 'tie', 'value': 'force'},"
                                             "{'name': 'all', 'value': "
                                             "'elastic_energy'},"
                                             "{'value': 'soft_contacts'}, {'value': 'exact_anchors'}, "
                                             "{'value': 'exact_error'},"
                                             "{'anchor': 'later', 'value': 'error', 'name': 'later'}]}";

static void check_soft_probes(const sn_scene *scene, sn_deformable jelly)
{
    const sn_world *world = sn_scene_world(scene);
    sn_deformable_measure m = sn_deformable_measure_now(world, jelly);
    assert_true(value_of(scene, "position.x", "m") == (double)m.center.x);
    assert_true(value_of(scene, "position.y", "m") == (double)m.center.y);
    assert_true(value_of(scene, "position.z", "m") == (double)m.center.z);
    assert_true(value_of(scene, "velocity.x", "m/s") == (double)m.velocity.x);
    assert_true(value_of(scene, "velocity.y", "m/s") == (double)m.velocity.y);
    assert_true(value_of(scene, "velocity.z", "m/s") == (double)m.velocity.z);
    assert_near(value_of(scene, "speed", "m/s"), (double)sn_length(m.velocity), 0.0);
    assert_true(value_of(scene, "volume", "m³") == (double)m.volume);
    assert_near(value_of(scene, "volume_change", ""), (double)m.volume / (double)m.rest_volume - 1.0, 1e-12);
    assert_true(value_of(scene, "area", "m²") == (double)m.area);
    assert_true(value_of(scene, "stretch", "") == (double)m.largest_stretch && m.largest_stretch > 1e-3f);
    assert_true(value_of(scene, "mean_stretch", "") == (double)m.mean_stretch);
    assert_true(value_of(scene, "strain", "") == (double)m.largest_strain);
    assert_true(value_of(scene, "stress", "Pa") > 100.0);
    assert_true(value_of(scene, "elastic_energy", "J") == (double)m.elastic_energy &&
                m.elastic_energy > 0.0f);
    assert_true(value_of(scene, "all", "J") >= (double)m.elastic_energy);
    assert_true(value_of(scene, "contacts", "") == sn_deformable_contacts(world, jelly, NULL, 0));
    assert_true(value_of(scene, "contacts", "") >= 9.0);
    assert_true(value_of(scene, "soft_contacts", "") == sn_world_statistics(world).soft_contact_count);
    assert_true(value_of(scene, "exact_anchors", "") == 1.0 && value_of(scene, "exact_error", "m") < 1e-6);
    assert_true(value_of(scene, "later", "m") == 0.0); // it is off
    assert_true(value_of(scene, "penetration", "m") >= 0.0 && value_of(scene, "penetration", "m") < 1e-3);
}

static void check_node_probes(const sn_scene *scene, sn_deformable jelly)
{
    const sn_world *world = sn_scene_world(scene);
    sn_vec3 p = sn_deformable_nodes(world, jelly)[5].position;
    sn_vec3 v = sn_deformable_velocities(world, jelly)[5].velocity;
    assert_true(value_of(scene, "jelly[5] position.x", "m") == (double)p.x);
    assert_true(value_of(scene, "jelly[5] position.y", "m") == (double)p.y);
    assert_true(value_of(scene, "jelly[5] position.z", "m") == (double)p.z);
    assert_true(value_of(scene, "jelly[5] velocity.x", "m/s") == (double)v.x);
    assert_true(value_of(scene, "jelly[5] velocity.y", "m/s") == (double)v.y);
    assert_true(value_of(scene, "jelly[5] velocity.z", "m/s") == (double)v.z);
    assert_near(value_of(scene, "jelly[5] speed", "m/s"), (double)sn_length(v), 0.0);
}

static void test_deformables_nodes_and_anchors_are_watched(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(soft_text);
    sn_deformable both[2];
    assert_int_equal(sn_world_deformables(sn_scene_world(scene), both, 2), 2);
    step_scene(scene, 12);
    check_soft_probes(scene, both[0]);
    check_node_probes(scene, both[0]);
    // The rope has just begun to swing down: the anchors carry more than half its weight, but for its
    // acceleration.
    assert_true(value_of(scene, "tie force", "N") > 0.5);
    assert_true(value_of(scene, "tie error", "m") < 1e-4);
    assert_int_equal(sn_deformable_remove(sn_scene_world(scene), both[0]), SN_OK);
    assert_true(value_of(scene, "volume", "m³") == 0.0 && value_of(scene, "jelly[5] speed", "m/s") == 0.0);
    assert_int_equal(sn_deformable_remove(sn_scene_world(scene), both[1]), SN_OK);
    assert_true(value_of(scene, "tie force", "N") == 0.0);
    sn_scene_destroy(scene);
}

static void test_hanging_ropes_pull_at_anchors_with_their_weight(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(
        "{'sinew': 1, 'deformables': [{'name': 'rope', 'mesh': {'type': 'line', 'length': 1, 'cells': "
        "10}, 'rotation': {'axis': [0, 0, 1], 'angle': 90}, 'mass': 0.5, 'inextensible': {}}],"
        " 'anchors': [{'name': 'tie', 'a': 'rope', 'b': 'ground', 'at': [0, 0.5, 0]}],"
        " 'probes': [{'anchor': 'tie', 'value': 'force'}]}");
    step_scene(scene, 60);
    assert_near(sn_scene_probe_value(scene, 0), 0.5 * 9.81, 0.01);
    sn_scene_destroy(scene);
}

static void test_probes_of_deformables_outlast_saving(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(soft_text), *again = NULL;
    step_scene(scene, 4);
    const char *const endings[] = {"json", "state"};
    for (int i = 0; i < 2; ++i) {
        char path[64];
        snprintf(path, sizeof path, "/tmp/sinew_probes_%d.%s", (int)getpid(), endings[i]);
        assert_int_equal(i == 0 ? sn_scene_save(scene, path) : sn_scene_save_state(scene, path), SN_OK);
        if (sn_scene_load(path, NULL, &again) != SN_OK) {
            fail_msg("%s", sn_scene_error());
        }
        unlink(path);
        assert_int_equal(sn_scene_probe_count(again), sn_scene_probe_count(scene));
        for (int k = 0; k < sn_scene_probe_count(scene); ++k) {
            assert_string_equal(sn_scene_probe_name(again, k), sn_scene_probe_name(scene, k));
            assert_string_equal(sn_scene_probe_unit(again, k), sn_scene_probe_unit(scene, k));
        }
        assert_near(value_of(again, "jelly[5] position.y", "m"), value_of(scene, "jelly[5] position.y", "m"),
                    0.0);
        assert_near(value_of(again, "volume", "m³"), value_of(scene, "volume", "m³"), 0.0);
        sn_scene_destroy(again);
    }
    sn_scene_destroy(scene);
}

static void test_forces_of_motors_contacts_and_several_anchors(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(
        "{'sinew': 1, 'bodies': [{'name': 'floor', 'type': 'static', 'shape': {'type': 'plane'}}, {'name': "
        "'arm', 'position': [0.5, 3, 0], 'mass': 2, 'shape': {'type': 'box', 'size': [1, 0.1, 0.1]}}, "
        "{'name': "
        "'lift', 'position': [5, 3, 0], 'mass': 3, 'shape': {'type': 'box', 'size': [0.2, 0.2, 0.2]}}, "
        "{'name': 'plate', 'type': 'static', 'position': [9, 0.5, 0], 'shape': {'type': 'box', 'size': [2, "
        "1, "
        "2]}}], 'joints': [{'name': 'elbow', 'type': 'hinge', 'a': 'ground', 'b': 'arm', 'at': [0, 3, 0], "
        "'axis': [0, 0, 1], 'motor': {'speed': 0}}, {'name': 'rail', 'type': 'slider', 'a': 'ground', 'b': "
        "'lift', 'at': [5, 3, 0], 'axis': [0, 1, 0], 'motor': {'speed': 0}}], 'deformables': [{'name': "
        "'jelly', 'position': [9, 1.26, 0], 'mass': 4, 'mesh': {'type': 'box', 'size': [0.5, 0.5, 0.5], "
        "'cells': [2, 2, 2]}, 'model': {'type': 'corotational', 'young': 50000}}, {'name': 'cloth', "
        "'position': [0, 9, 0], 'mass': 1, 'mesh': {'type': 'grid', 'width': 1, 'height': 1, 'columns': 2, "
        "'rows': 2}, 'inextensible': {}, 'linear_damping': 5}], 'anchors': [{'name': 'pins', 'a': 'cloth', "
        "'b': 'ground', 'select': {'part': 'top'}}], 'probes': [{'joint': 'elbow', 'value': 'motor_torque'}, "
        "{'joint': 'rail', 'value': 'motor_force'}, {'body': 'plate', 'value': 'contact_force'}, {'body': "
        "'plate', 'value': 'contact_force.y'}, {'anchor': 'pins', 'value': 'force'}, {'anchor': 'pins', "
        "'value': 'largest_force'}, {'anchor': 'pins', 'value': 'count'}]}");
    step_scene(scene, 180);
    assert_near(value_of(scene, "elbow motor_torque", "N m"), 2.0 * 9.81 * 0.5, 0.02);
    assert_near(value_of(scene, "rail motor_force", "N"), 3.0 * 9.81, 0.05);
    assert_near(value_of(scene, "plate contact_force", "N"), 4.0 * 9.81, 0.4);
    assert_near(value_of(scene, "plate contact_force.y", "N"), -4.0 * 9.81, 0.4);
    assert_near(value_of(scene, "pins force", "N"), 9.81, 0.2);
    assert_in_range((int)(1000.0 * value_of(scene, "pins largest_force", "N")), 3200, 9000);
    assert_near(value_of(scene, "pins count", ""), 3.0, 0.0);
    sn_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_quantity_is_what_the_world_says),
        cmocka_unit_test(test_a_probe_without_a_name_is_called_by_what_it_watches),
        cmocka_unit_test(test_a_tilted_body_is_upright_against_gravity),
        cmocka_unit_test(test_what_is_gone_is_zero),
        cmocka_unit_test(test_deformables_nodes_and_anchors_are_watched),
        cmocka_unit_test(test_hanging_ropes_pull_at_anchors_with_their_weight),
        cmocka_unit_test(test_probes_of_deformables_outlast_saving),
        cmocka_unit_test(test_forces_of_motors_contacts_and_several_anchors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
