// Mistakes in cameras, labels and probes.
#include "scene/bad_scenes.h"

#define CAMERA(TEXT) "{'sinew': 1, 'bodies': [{'name': 'box'}], 'cameras': [\n" TEXT "]}"
#define LABEL(TEXT)  "{'sinew': 1, 'bodies': [{'name': 'box'}], 'labels': [\n" TEXT "]}"
#define PROBE(TEXT)                                                                                          \
    "{'sinew': 1, 'bodies': [{'name': 'box'}], 'joints': [{'name': 'hinge', 'type': 'hinge', 'a': "          \
    "'ground', 'b': 'box', 'at': [0, 0, 0]}], 'deformables': [{'name': 'jelly', 'mesh': {'type': 'box', "    \
    "'size': [1, 1, 1], 'cells': [1, 1, 1]}}], 'anchors': [{'name': 'tie', 'a': 'jelly', 'b': 'ground', "    \
    "'at': [0, 0, 0]}], 'probes': [\n" TEXT "]}"

static const bad_scene lights[] = {
    {"{'sinew': 1, 'light':\n{'direction': [0, 0, 0]}}",
     "scene.json:2:2: light.direction: has no length, expected a direction"},
    {"{'sinew': 1, 'light':\n{'strength': -1}}",
     "scene.json:2:14: light.strength: -1 is not allowed, expected a number from 0 to 10"},
    {"{'sinew': 1, 'light':\n{'colour': 'red'}}",
     "scene.json:2:2: light.colour: unknown key \"colour\", did you mean \"color\"?"},
};

static const bad_scene cameras[] = {
    {CAMERA("{'eye': [0, 0, 0]}"),
     "scene.json:2:1: cameras[0].target: is missing: what is in the middle of the picture"},
    {CAMERA("{'eye': [0, 0, 5], 'traget': [0, 0, 0]}"),
     "scene.json:2:20: cameras[0].traget: unknown key \"traget\", did you mean \"target\"?"},
    {CAMERA("{'eye': [0, 0, 5], 'target': [0, 0, 5]}"),
     "scene.json:2:20: cameras[0].target: is where the eye is, expected another place"},
    {CAMERA("{'eye': [0, 0, 5], 'target': [0, 0, 0], 'field_of_view': 180}"),
     "scene.json:2:58: cameras[0].field_of_view: 180 is not allowed, expected a number from 1 to 150 [°]"},
    {CAMERA("{'eye': [0, 0, 5], 'target': [0, 0, 0], 'fov': 40}"),
     "scene.json:2:41: cameras[0].fov: unknown key \"fov\", expected one of: "},
    {CAMERA("{'eye': [0, 0, 5], 'target': [0, 0, 0], 'follow': 'bo'}"),
     "scene.json:2:51: cameras[0].follow: no body or deformable is called \"bo\", did you mean \"box\"?"},
    {CAMERA("{'eye': [0, 0, 5], 'target': [0, 0, 0], 'follow': 'something'}"),
     "scene.json:2:51: cameras[0].follow: no body or deformable is called \"something\", expected the name "
     "of one"},
    {CAMERA("{'eye': [0, 0, 5], 'target': [0, 0, 0], 'up': [0, 0, 0]}"),
     "scene.json:2:41: cameras[0].up: has no length, expected a direction"},
    {CAMERA("{'eye': [0, 0, 5], 'target': [0, 0, 0], 'orbit': 1e4}"),
     "scene.json:2:50: cameras[0].orbit: 10000.0 is not allowed, expected a number from -3600 to 3600 [°/s]"},
    {CAMERA("{'name': 'main', 'eye': [0, 0, 5], 'target': [0, 0, 0]}, {'name': 'main', 'eye': [0, 0, 5], "
            "'target': [0, 0, 0]}"),
     "scene.json:2:59: cameras[1].name: camera \"main\" exists already, expected another name"},
    {CAMERA("'main'"),
     "scene.json:2:1: cameras[0]: \"main\" is not allowed, expected an object {…}: A place to look from."}};

static void test_cameras_are_checked(void **state)
{
    (void)state;
    check_bad_scenes(cameras, COUNT_OF(cameras));
}

static const bad_scene labels[] = {
    {LABEL("{}"), "scene.json:2:1: labels[0].text: is missing: what it says"},
    {LABEL("{'text': 5}"), "scene.json:2:10: labels[0].text: 5 is not allowed, expected text in quotes"},
    {LABEL("{'text': 'a', 'at': 5}"),
     "scene.json:2:21: labels[0].at: 5 is not allowed, expected a list of 3 numbers [m]"},
    {LABEL("{'text': 'a', 'body': 'bx'}"),
     "scene.json:2:23: labels[0].body: no body is called \"bx\", did you mean \"box\"?"},
    {LABEL("{'text': 'a', 'deformable': 'bx'}"),
     "scene.json:2:29: labels[0].deformable: no deformable is called \"bx\", expected the name of one"},
    {LABEL("{'text': 'a', 'body': 'box', 'deformable': 'bx'}"),
     "scene.json:2:1: labels[0]: a label moves along with either a `body` or a `deformable`"},
    {LABEL("{'text': 'a', 'colour': 'red'}"),
     "scene.json:2:15: labels[0].colour: unknown key \"colour\", did you mean \"color\"?"},
    {LABEL("{'text': 'a', 'color': 'redd'}"),
     "scene.json:2:24: labels[0].color: \"redd\" is not allowed, expected a colour as \"#rrggbb\", or black, "
     "white, gray, red, orange, yellow, green, teal, blue, purple, brown, pink; did you mean \"red\"?"}};

static void test_labels_are_checked(void **state)
{
    (void)state;
    check_bad_scenes(labels, COUNT_OF(labels));
}

static const bad_scene probes[] = {
    {PROBE("{}"), "scene.json:2:1: probes[0].value: is missing: world: kinetic_energy, potential_energy, "
                  "energy, elastic_energy, momentum, angular_momentum, contacts, soft_contacts, awake, "
                  "exact_anchors, exact_error; "
                  "body: position.x/.y/.z, velocity.x/.y/.z, speed, spin.x/.y/.z, spin, tilt, "
                  "contact_force, contact_force.x/.y/.z (of all that touches it); joint: "},
    {PROBE("{'value': 5}"), "scene.json:2:11: probes[0].value: 5 is not allowed, expected text in quotes"},
    {PROBE("{'value': 'enrgy'}"),
     "scene.json:2:11: probes[0].value: \"enrgy\" is not allowed, expected \"kinetic_energy\", "
     "\"potential_energy\", \"energy\", \"momentum\", \"angular_momentum\", \"contacts\", \"awake\", "
     "\"elastic_energy\", \"soft_contacts\", \"exact_anchors\" or \"exact_error\"; did you mean \"energy\"?"},
    {PROBE("{'value': 'position.x'}"),
     "scene.json:2:11: probes[0].value: \"position.x\" is not allowed, expected \"kinetic_energy\", "
     "\"potential_energy\", \"energy\", \"momentum\", \"angular_momentum\", \"contacts\", \"awake\", "
     "\"elastic_energy\", \"soft_contacts\", \"exact_anchors\" or \"exact_error\""},
    {PROBE("{'body': 'box', 'value': 'energy'}"),
     "scene.json:2:26: probes[0].value: \"energy\" is not allowed, expected \"position.x\", \"position.y\", "
     "\"position.z\", \"velocity.x\", \"velocity.y\", \"velocity.z\", \"speed\", \"spin.x\", \"spin.y\", "
     "\"spin.z\", \"spin\", \"tilt\", \"contact_force\", "
     "\"contact_force.x\", \"contact_force.y\" or \"contact_force.z\""},
    {PROBE("{'body': 'box', 'value': 'positon.x'}"),
     "scene.json:2:26: probes[0].value: \"positon.x\" is not allowed, expected \"position.x\", "
     "\"position.y\", \"position.z\", \"velocity.x\", \"velocity.y\", \"velocity.z\", \"speed\", \"spin.x\", "
     "\"spin.y\", \"spin.z\", \"spin\", \"tilt\", "
     "\"contact_force\", \"contact_force.x\", \"contact_force.y\" or \"contact_force.z\"; did you mean "
     "\"position.x\"?"},
    {PROBE("{'body': 'bix', 'value': 'speed'}"),
     "scene.json:2:10: probes[0].body: no body is called \"bix\", did you mean \"box\"?"},
    {PROBE("{'joint': 'hinges', 'value': 'angle'}"),
     "scene.json:2:11: probes[0].joint: no joint is called \"hinges\", did you mean \"hinge\"?"},
    {PROBE("{'joint': 'hinge', 'value': 'travel'}"), "scene.json:2:29: probes[0].value: \"travel\" is not "
                                                     "allowed, expected \"error\", \"force\", \"torque\", "
                                                     "\"angle\" or \"motor_torque\""},
    {PROBE("{'body': 'box', 'joint': 'hinge', 'value': 'speed'}"),
     "scene.json:2:1: probes[0]: a probe watches either a `body`, a `joint`, a `deformable` or an `anchor`"},
    {PROBE("{'body': 'box', 'vlue': 'speed'}"),
     "scene.json:2:17: probes[0].vlue: unknown key \"vlue\", did you mean \"value\"?"},
    {PROBE("{'deformable': 'jely', 'value': 'volume'}"),
     "scene.json:2:16: probes[0].deformable: no deformable is called \"jely\", did you mean \"jelly\"?"},
    {PROBE("{'deformable': 'jelly', 'value': 'volum'}"), "scene.json:2:34: probes[0].value: \"volum\" is not "
                                                         "allowed, expected \"position.x\""},
    {PROBE("{'deformable': 'jelly', 'node': 8, 'value': 'speed'}"),
     "scene.json:2:25: probes[0].node: 8 does not exist, expected 0 to 7"},
    {PROBE("{'deformable': 'jelly', 'node': -1, 'value': 'speed'}"),
     "scene.json:2:33: probes[0].node: -1 is not allowed, expected a whole number from 0"},
    {PROBE("{'deformable': 'jelly', 'node': 1, 'value': 'volume'}"),
     "scene.json:2:45: probes[0].value: \"volume\" is not allowed, expected \"position.x\""},
    {PROBE("{'node': 1, 'value': 'energy'}"),
     "scene.json:2:2: probes[0].node: is not allowed without the `deformable` it is of"},
    {PROBE("{'anchor': 'ti', 'value': 'force'}"),
     "scene.json:2:2: probes[0].anchor: no anchor is called \"ti\", expected the name of one"},
    {PROBE("{'anchor': 'tie', 'value': 'torque'}"),
     "scene.json:2:28: probes[0].value: \"torque\" is not allowed, expected \"error\", \"force\", "
     "\"largest_force\" or \"count\""}};

static void test_probes_are_checked(void **state)
{
    (void)state;
    check_bad_scenes(probes, COUNT_OF(probes));
}

static void test_lights(void **state)
{
    (void)state;
    check_bad_scenes(lights, COUNT_OF(lights));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lights),
        cmocka_unit_test(test_cameras_are_checked),
        cmocka_unit_test(test_labels_are_checked),
        cmocka_unit_test(test_probes_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
