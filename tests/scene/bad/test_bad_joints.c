// Mistakes in joints.
#include "scene/bad_scenes.h"

static const bad_scene joints[] = {
    {JOINT("5"),
     "scene.json:2:1: joints[0]: 5 is not allowed, expected an object {…}: A constraint between two points."},
    {JOINT("{}"), "scene.json:2:1: joints[0].type: is missing: which kind of joint this is"},
    {JOINT("{'type': 'hing', 'a': 'ground', 'b': 'box'}"),
     "scene.json:2:10: joints[0].type: \"hing\" is not allowed, expected \"ball\", \"hinge\", \"slider\", "
     "\"fixed\", \"distance\" or \"axis\"; did you mean \"hinge\"?"},
    {JOINT("{'type': 'weld', 'a': 'ground', 'b': 'box'}"),
     "scene.json:2:10: joints[0].type: \"weld\" is not allowed, expected \"ball\", \"hinge\", \"slider\", "
     "\"fixed\", \"distance\" or \"axis\""},
    {JOINT("{'type': 'ball', 'a': 'ground', 'at': [0, 0, 0]}"),
     "scene.json:2:1: joints[0].b: is missing: name of the other"},
    {JOINT("{'type': 'ball', 'a': 'ground', 'b': 'bax', 'at': [0, 0, 0]}"),
     "scene.json:2:38: joints[0].b: no body or deformable is called \"bax\", did you mean \"box\"?"},
    {JOINT("{'type': 'ball', 'a': 'nowhere', 'b': 'box', 'at': [0, 0, 0]}"),
     "scene.json:2:23: joints[0].a: no body or deformable is called \"nowhere\", expected the name of one"},
    {JOINT("{'type': 'ball', 'a': 'previous.box', 'b': 'box', 'at': [0, 0, 0]}"),
     "scene.json:2:23: joints[0].a: no body or deformable is called \"previous.box\", expected \"previous.\" "
     "in parts that "
     "are repeated only"},
    {JOINT("{'type': 'ball', 'a': 'box', 'b': 'box', 'at': [0, 0, 0]}"),
     "scene.json:2:1: joints[0]: ball: a and b are both rigid 'box', expected different bodies"},
    {JOINT("{'type': 'ball', 'a': 'ground', 'b': 'wall', 'at': [0, 0, 0]}"),
     "scene.json:2:1: joints[0]: ball: neither rigid 'ground' nor rigid 'wall' can move, expected one "
     "dynamic body"},
    {JOINT("{'type': 'ball', 'a': 1, 'b': 'box', 'at': [0, 0, 0]}"),
     "scene.json:2:23: joints[0].a: 1 is not allowed, expected text in quotes"},
    {JOINT("{'type': 'ball', 'a': 'ground', 'b': 'box'}"),
     "scene.json:2:1: joints[0].at: is missing: the point both share"},
    {JOINT("{'type': 'ball', 'a': 'ground', 'b': 'box', 'at': [0, 0]}"),
     "scene.json:2:51: joints[0].at: [0,0] is not allowed, expected a list of 3 numbers [m]"},
    {JOINT("{'type': 'ball', 'a': 'ground', 'b': 'box', 'at': [0, 1e7, 0]}"),
     "scene.json:2:1: joints[0]: constraint: point is (0, 1e+07, 0), expected coordinates within +-1e+06"},
    {JOINT("{'type': 'ball', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0], 'axis': [0, 0, 0]}"),
     "scene.json:2:62: joints[0].axis: has no length, expected a direction"},
    {JOINT("{'type': 'ball', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0], 'cone': 181}"),
     "scene.json:2:70: joints[0].cone: 181 is not allowed, expected a number from 0 to 180 [°]"},
    {JOINT("{'type': 'ball', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0], 'twist': [10, -10]}"),
     "scene.json:2:71: joints[0].twist: [10,-10] is not allowed, expected the lower bound first"},
    {JOINT("{'type': 'ball', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0], 'twist': 10}"),
     "scene.json:2:71: joints[0].twist: 10 is not allowed, expected a list of 2 numbers [°]"},
    {JOINT("{'type': 'ball', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0], 'limits': [0, 1]}"),
     "scene.json:2:62: joints[0].limits: unknown key \"limits\", expected one of: "},
    {JOINT("{'type': 'ball', 'a': 'ground', 'b': 'box', 'frame_a': {}}"),
     "scene.json:2:1: joints[0]: a joint is placed by `frame_a` and `frame_b` alone, or by a point and axis"},
    {JOINT("{'type': 'ball', 'a': 'ground', 'b': 'box', 'frame_a': {}, 'frame_b': {}, 'at': [0, 0, 0]}"),
     "scene.json:2:1: joints[0]: a joint is placed by `frame_a` and `frame_b` alone, or by a point and axis"},
    {JOINT("{'type': 'ball', 'a': 'ground', 'b': 'box', 'frame_a': {'positon': [0, 0, 0]}, 'frame_b': {}}"),
     "scene.json:2:57: joints[0].frame_a.positon: unknown key \"positon\", did you mean \"position\"?"},
    {JOINT("{'type': 'ball', 'a': 'ground', 'b': 'box', 'frame_a': [], 'frame_b': {}}"),
     "scene.json:2:56: joints[0].frame_a: [] is not allowed, expected an object {…}: A frame in a body, or "
     "nodes "
     "of a deformable."},
    {JOINT("{'type': 'hinge', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0], 'axes': [0, 0, 1]}"),
     "scene.json:2:63: joints[0].axes: unknown key \"axes\", did you mean \"axis\"?"},
    {JOINT("{'type': 'hinge', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0], 'limits': [-200, 0]}"),
     "scene.json:2:74: joints[0].limits[0]: -200 is not allowed, expected a number from -180 to 180 [°]"},
    {JOINT("{'type': 'hinge', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0], 'motor': {'sped': 1}}"),
     "scene.json:2:73: joints[0].motor.sped: unknown key \"sped\", did you mean \"speed\"?"},
    {JOINT("{'type': 'hinge', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0], 'motor': {'force': 1}}"),
     "scene.json:2:73: joints[0].motor.force: unknown key \"force\", expected one of: "},
    {JOINT("{'type': 'hinge', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0], 'motor': {'torque': -1}}"),
     "scene.json:2:83: joints[0].motor.torque: -1 is not allowed, expected a number of at least 0 [N m]"},
    {JOINT("{'type': 'hinge', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0], 'motor': 5}"),
     "scene.json:2:72: joints[0].motor: 5 is not allowed, expected an object {…}: a motor turns b against a"},
    {JOINT("{'type': 'hinge', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0], 'motor': {'speed': 1e5}}"),
     "scene.json:2:82: joints[0].motor.speed: 100000.0 is not allowed, expected a number from -10000 to "
     "10000 [rad/s]"},
    {JOINT("{'type': 'hinge', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0], 'spring': {}}"),
     "scene.json:2:73: joints[0].spring.stiffness: is missing: torque by angle"},
    {JOINT("{'type': 'hinge', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0], 'spring': {'stiffness': 0}}"),
     "scene.json:2:87: joints[0].spring.stiffness: 0 is not allowed, expected a number above 0 [N m/rad]"},
    {JOINT("{'type': 'hinge', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0], 'spring': {'stiffness': 1, "
           "'angel': 1}}"),
     "scene.json:2:90: joints[0].spring.angel: unknown key \"angel\", did you mean \"angle\"?"},
    {JOINT("{'type': 'slider', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0], 'limits': [1, 0]}"),
     "scene.json:2:74: joints[0].limits: [1,0] is not allowed, expected the lower bound first"},
    {JOINT("{'type': 'slider', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0], 'motor': {'torque': 1}}"),
     "scene.json:2:74: joints[0].motor.torque: unknown key \"torque\", expected one of: "},
    {JOINT("{'type': 'slider', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0], 'spring': {'stiffness': 1, "
           "'angle': 1}}"),
     "scene.json:2:91: joints[0].spring.angle: unknown key \"angle\", expected one of: "},
    {JOINT("{'type': 'slider', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0], 'cone': 1}"),
     "scene.json:2:64: joints[0].cone: unknown key \"cone\", expected one of: "},
    {JOINT("{'type': 'fixed', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0], 'motor': {}}"),
     "scene.json:2:63: joints[0].motor: unknown key \"motor\", expected one of: "},
    {JOINT("{'type': 'distance', 'a': 'ground', 'b': 'box'}"),
     "scene.json:2:1: joints[0]: a distance is placed by `from` and `to`, or by `frame_a` and `frame_b`"},
    {JOINT("{'type': 'distance', 'a': 'ground', 'b': 'box', 'from': [0, 0, 0]}"),
     "scene.json:2:1: joints[0]: a distance is placed by `from` and `to`, or by `frame_a` and `frame_b`"},
    {JOINT("{'type': 'distance', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0], 'from': [0, 0, 0], 'to': [0, 0, "
           "0]}"),
     "scene.json:2:1: joints[0]: a distance is placed by `from` and `to`, or by `frame_a` and `frame_b`"},
    {JOINT("{'type': 'distance', 'a': 'ground', 'b': 'box', 'from': [0, 0, 0], 'to': [0, 0, 0], 'length': 1, "
           "'rope': 2}"),
     "scene.json:2:1: joints[0]: a distance has one of `length`, `rope` and `limits`"},
    {JOINT(
         "{'type': 'distance', 'a': 'ground', 'b': 'box', 'from': [0, 0, 0], 'to': [0, 0, 0], 'lenght': 1}"),
     "scene.json:2:85: joints[0].lenght: unknown key \"lenght\", did you mean \"length\"?"},
    {JOINT("{'type': 'distance', 'a': 'ground', 'b': 'box', 'from': [0, 0, 0], 'to': [0, 0, 0], 'rope': -1}"),
     "scene.json:2:93: joints[0].rope: -1 is not allowed, expected a number of at least 0 [m]"},
    {JOINT("{'type': 'distance', 'a': 'ground', 'b': 'box', 'from': [0, 0, 0], 'to': [0, 0, 0], 'spring': "
           "{'stifness': 1}}"),
     "scene.json:2:96: joints[0].spring.stifness: unknown key \"stifness\", did you mean \"stiffness\"?"},
    {JOINT("{'type': 'distance', 'a': 'ground', 'b': 'box', 'from': [0, 0, 0], 'to': [0, 0, 0], 'limits': "
           "[-1, 2]}"),
     "scene.json:2:96: joints[0].limits[0]: -1 is not allowed, expected a number of at least 0 [m]"},
    {JOINT("{'type': 'ball', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0], 'break_force': 0}"),
     "scene.json:2:77: joints[0].break_force: 0 is not allowed, expected a number above 0 [N]"},
    {JOINT("{'type': 'ball', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0], 'complience': 0}"),
     "scene.json:2:62: joints[0].complience: unknown key \"complience\", did you mean \"compliance\"?"},
    {JOINT("{'type': 'ball', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0], 'compliance': -1}"),
     "scene.json:2:76: joints[0].compliance: -1 is not allowed, expected a number of at least 0 [m/N]"},
    {JOINT("{'type': 'ball', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0], 'collide_connected': 1}"),
     "scene.json:2:83: joints[0].collide_connected: 1 is not allowed, expected true or false"},
    {JOINT("{'type': 'ball', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0], 'repeat': {'count': 2}}"),
     "scene.json:2:62: joints[0].repeat: unknown key \"repeat\", expected one of: "},
    {JOINT("{'name': 'j', 'type': 'ball', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0]},\n{'name': 'j', "
           "'type': 'fixed', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0]}"),
     "scene.json:3:2: joints[1].name: joint \"j\" exists already, expected another name"},
    {JOINT("{'name': '', 'type': 'ball', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0]}"),
     "scene.json:2:2: joints[0].name: \"\" is not allowed, expected a name"},
    {JOINT("{'type': 'ball', 'a': 'ground', 'b': 'box', 'at': [0, 0, 0], 'comment': 1, 'comments': 1}"),
     "scene.json:2:76: joints[0].comments: unknown key \"comments\", did you mean \"comment\"?"}};

static void test_joints_are_checked(void **state)
{
    (void)state;
    check_bad_scenes(joints, COUNT_OF(joints));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joints_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
