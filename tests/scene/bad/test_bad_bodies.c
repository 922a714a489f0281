// Mistakes in bodies and their shapes.
#include "scene/bad_scenes.h"

static const bad_scene bodies[] = {
    {BODY("5"), "scene.json:2:1: bodies[0]: 5 is not allowed, expected an object {…}: A rigid body."},
    {BODY("{'nam': 'a'}"), "scene.json:2:2: bodies[0].nam: unknown key \"nam\", did you mean \"name\"?"},
    {BODY("{'name': 5}"), "scene.json:2:10: bodies[0].name: 5 is not allowed, expected text in quotes"},
    {BODY("{'name': ''}"), "scene.json:2:2: bodies[0].name: \"\" is not allowed, expected a name"},
    {BODY("{'name': 'a'},\n{'name': 'a'}"),
     "scene.json:3:2: bodies[1].name: body \"a\" exists already, expected another name"},
    {BODY("{'type': 'statik'}"), "scene.json:2:10: bodies[0].type: \"statik\" is not allowed, expected "
                                 "\"static\", \"kinematic\" or \"dynamic\"; did you mean \"static\"?"},
    {BODY("{'type': 3}"),
     "scene.json:2:10: bodies[0].type: 3 is not allowed, expected \"static\", \"kinematic\" or \"dynamic\""},
    {BODY("{'type': 'fixed'}"), "scene.json:2:10: bodies[0].type: \"fixed\" is not allowed, expected "
                                "\"static\", \"kinematic\" or \"dynamic\""},
    {BODY("{'position': [0, 0]}"),
     "scene.json:2:14: bodies[0].position: [0,0] is not allowed, expected a list of 3 numbers [m]"},
    {BODY("{'position': [0, 0, 0, 0]}"),
     "scene.json:2:14: bodies[0].position: [0,0,0,0] is not allowed, expected a list of 3 numbers [m]"},
    {BODY("{'position': [0, '1', 0]}"),
     "scene.json:2:18: bodies[0].position[1]: \"1\" is not allowed, expected a number [m]"},
    {BODY("{'position': {'x': 1}}"),
     "scene.json:2:14: bodies[0].position: {\"x\":1} is not allowed, expected a list of 3 numbers [m]"},
    {BODY("{'position': [0, 1e7, 0]}"),
     "scene.json:2:1: bodies[0]: rigid: position is (0, 1e+07, 0), expected coordinates within +-1e+06"},
    {BODY("{'position': [0, 1e39, 0]}"), "scene.json:2:18: bodies[0].position[1]: 1e39 is not allowed, "
                                         "expected a number from -3.40282347e+38 to 3.40282347e+38 [m]"},
    {BODY("{'rotation': 90}"), "scene.json:2:14: bodies[0].rotation: 90 is not allowed, expected {\"axis\": "
                               "[x, y, z], \"angle\": degrees} or a quaternion [x, y, z, w]"},
    {BODY("{'rotation': [0, 0, 0, 2]}"),
     "scene.json:2:14: bodies[0].rotation: [0,0,0,2] is not allowed, expected a quaternion of length 1"},
    {BODY("{'rotation': [0, 0, 1]}"),
     "scene.json:2:14: bodies[0].rotation: [0,0,1] is not allowed, expected {\"axis\": [x, y, z], \"angle\": "
     "degrees} or a quaternion [x, y, z, w]"},
    {BODY("{'rotation': {'axis': [0, 0, 0], 'angle': 1}}"),
     "scene.json:2:23: bodies[0].rotation.axis: [0,0,0] is not allowed, expected a direction, which needs a "
     "length"},
    {BODY("{'rotation': {'axis': [0, 1, 0]}}"),
     "scene.json:2:14: bodies[0].rotation: {\"axis\":[0,1,0]} is not allowed, expected {\"axis\": [x, y, z], "
     "\"angle\": degrees}"},
    {BODY("{'rotation': {'axis': [0, 1, 0], 'angle': 'half'}}"),
     "scene.json:2:43: bodies[0].rotation.angle: \"half\" is not allowed, expected a number [°]"},
    {BODY("{'rotation': {'axis': [0, 1], 'angle': 1}}"),
     "scene.json:2:23: bodies[0].rotation.axis: [0,1] is not allowed, expected a list of 3 numbers"},
    {BODY("{'rotation': {'axis': [0, 1, 0], 'angel': 1}}"),
     "scene.json:2:14: bodies[0].rotation: {\"axis\":[0,1,0],\"angel\":1} is not allowed, expected "
     "{\"axis\": [x, y, z], \"angle\": degrees}"},
    {BODY("{'linear_velocity': [1e6, 0, 0]}"), "scene.json:2:1: bodies[0]: rigid: linear_velocity is (1e+06, "
                                               "0, 0), expected coordinates within +-100000"},
    {BODY("{'angular_velocity': 1}"),
     "scene.json:2:22: bodies[0].angular_velocity: 1 is not allowed, expected a list of 3 numbers [rad/s]"},
    {BODY("{'linear_damping': -1}"),
     "scene.json:2:20: bodies[0].linear_damping: -1 is not allowed, expected a number from 0 to 1000 [1/s]"},
    {BODY("{'angular_damping': 1001}"), "scene.json:2:21: bodies[0].angular_damping: 1001 is not allowed, "
                                        "expected a number from 0 to 1000 [1/s]"},
    {BODY("{'gravity_scale': 2000}"),
     "scene.json:2:19: bodies[0].gravity_scale: 2000 is not allowed, expected a number from -1000 to 1000"},
    {BODY("{'mass': 0}"),
     "scene.json:2:10: bodies[0].mass: 0 is not allowed, expected a number from 1e-12 to 1e+15 [kg]"},
    {BODY("{'mass': -3}"),
     "scene.json:2:10: bodies[0].mass: -3 is not allowed, expected a number from 1e-12 to 1e+15 [kg]"},
    {BODY("{'type': 'static', 'mass': 3}"),
     "scene.json:2:20: bodies[0].mass: a static body has no mass, expected a dynamic one"},
    {BODY("{'mass_properties': {'mass': 1}}"), "scene.json:2:21: bodies[0].mass_properties.inertia: is "
                                               "missing: moments xx, yy, zz about the centre, body axes"},
    {BODY("{'mass_properties': {'inertia': [1, 1, 1]}}"),
     "scene.json:2:21: bodies[0].mass_properties.mass: is missing: mass"},
    {BODY("{'mass_properties': {'mass': 1, 'inertia': [1, 1, -1]}}"),
     "scene.json:2:1: bodies[0]: rigid 1: inertia has the eigenvalues -1, 1, 1, expected all > 0 (1e-06 at "
     "least)"},
    {BODY("{'mass_properties': {'mass': 1, 'inertia': [1, 1, 1], 'centre': [0, 0, 0]}}"),
     "scene.json:2:55: bodies[0].mass_properties.centre: unknown key \"centre\", did you mean \"center\"?"},
    {BODY("{'mass_properties': 5}"),
     "scene.json:2:21: bodies[0].mass_properties: 5 is not allowed, expected an object {…}: Mass, mass "
     "centre and inertia, instead of what the shapes give."},
    {BODY("{'locks': 'x'}"),
     "scene.json:2:11: bodies[0].locks: \"x\" is not allowed, expected a list of directions"},
    {BODY("{'locks': ['w']}"),
     "scene.json:2:12: bodies[0].locks[0]: \"w\" is not allowed, expected \"x\", \"y\", \"z\", "
     "\"rotation_x\", \"rotation_y\" or \"rotation_z\"; did you mean \"x\"?"},
    {BODY("{'locks': ['rotation_xx']}"),
     "scene.json:2:12: bodies[0].locks[0]: \"rotation_xx\" is not allowed, expected \"x\", \"y\", \"z\", "
     "\"rotation_x\", \"rotation_y\" or \"rotation_z\"; did you mean \"rotation_x\"?"},
    {BODY("{'locks': [1]}"), "scene.json:2:12: bodies[0].locks[0]: 1 is not allowed, expected \"x\", \"y\", "
                             "\"z\", \"rotation_x\", \"rotation_y\" or \"rotation_z\""},
    {BODY("{'color': 'ornage'}"), "scene.json:2:11: bodies[0].color: \"ornage\" is not allowed, expected a "
                                  "colour as \"#rrggbb\", or black, white, gray, red, orange, yellow, green, "
                                  "teal, blue, purple, brown, pink; did you mean \"orange\"?"},
    {BODY("{'label': true}"),
     "scene.json:2:11: bodies[0].label: true is not allowed, expected text in quotes"},
    {BODY("{'awake': 0}"), "scene.json:2:11: bodies[0].awake: 0 is not allowed, expected true or false"},
    {BODY("{'bullet': 'no'}"),
     "scene.json:2:12: bodies[0].bullet: \"no\" is not allowed, expected true or false"},
    {BODY("{'allow_sleep': null}"),
     "scene.json:2:17: bodies[0].allow_sleep: null is not allowed, expected true or false"},
    {BODY("{'shapes': {'type': 'sphere', 'radius': 1}}"),
     "scene.json:2:12: bodies[0].shapes: {\"type\":\"sphere\",\"radius\":1} is not allowed, expected a list "
     "of shapes"},
    {BODY("{'shape': [{'type': 'sphere', 'radius': 1}]}"),
     "scene.json:2:11: bodies[0].shape: [{\"type\":\"sphere\",\"radius\":1}] is not allowed, expected an "
     "object {…}: What a body is made of and collides with."},
    {BODY("{'joints': []}"), "scene.json:2:2: bodies[0].joints: unknown key \"joints\", expected one of: "},
    {BODY("{'name': 'ground', 'position': [0, 1, 0]}"),
     "scene.json:2:20: bodies[0].position: the ground cannot have this, expected a name other than "
     "\"ground\""},
    {BODY("{'name': 'ground', 'type': 'dynamic'}"),
     "scene.json:2:20: bodies[0].type: the ground is static, expected \"static\" or another name"},
    {BODY("{'name': 'ground', 'gravity_scale': 2}"),
     "scene.json:2:20: bodies[0].gravity_scale: the ground cannot have this, expected a name other than "
     "\"ground\""},
    {BODY("{'name': 'ground', 'linear_dampin': 2}"), "scene.json:2:20: bodies[0].linear_dampin: unknown key "
                                                     "\"linear_dampin\", did you mean \"linear_damping\"?"}};

static void test_bodies_are_checked(void **state)
{
    (void)state;
    check_bad_scenes(bodies, COUNT_OF(bodies));
}

static const bad_scene shapes[] = {
    {BODY("{'shape': 5}"), "scene.json:2:11: bodies[0].shape: 5 is not allowed, expected an object {…}: What "
                           "a body is made of and collides with."},
    {BODY("{'shape': {}}"), "scene.json:2:11: bodies[0].shape.type: is missing: which kind of shape this is"},
    {BODY("{'shape': {'type': 'bax'}}"),
     "scene.json:2:20: bodies[0].shape.type: \"bax\" is not allowed, expected \"sphere\", \"capsule\", "
     "\"box\", \"cylinder\", \"hull\", \"mesh\", \"plane\", \"compound\" or \"shared\"; did you mean "
     "\"box\"?"},
    {BODY("{'shape': {'type': 'pyramid'}}"),
     "scene.json:2:20: bodies[0].shape.type: \"pyramid\" is not allowed, expected \"sphere\", \"capsule\", "
     "\"box\", \"cylinder\", \"hull\", \"mesh\", \"plane\", \"compound\" or \"shared\""},
    {BODY("{'shape': {'type': 1}}"),
     "scene.json:2:20: bodies[0].shape.type: 1 is not allowed, expected \"sphere\", \"capsule\", \"box\", "
     "\"cylinder\", \"hull\", \"mesh\", \"plane\", \"compound\" or \"shared\""},
    {BODY("{'shape': {'type': 'sphere'}}"), "scene.json:2:11: bodies[0].shape.radius: is missing: radius"},
    {BODY("{'shape': {'type': 'sphere', 'radius': 0}}"),
     "scene.json:2:40: bodies[0].shape.radius: 0 is not allowed, expected a number above 0 [m]"},
    {BODY("{'shape': {'type': 'sphere', 'radius': -1}}"),
     "scene.json:2:40: bodies[0].shape.radius: -1 is not allowed, expected a number above 0 [m]"},
    {BODY("{'shape': {'type': 'sphere', 'radius': '1'}}"),
     "scene.json:2:40: bodies[0].shape.radius: \"1\" is not allowed, expected a number above 0 [m]"},
    {BODY("{'shape': {'type': 'sphere', 'radius': 1e9}}"),
     "scene.json:2:11: bodies[0].shape: sphere of rigid 1: radius is 1e+09, expected >= 1e-05 and <= 1e+06"},
    {BODY("{'shape': {'type': 'sphere', 'radius': 1, 'centre': [0, 0, 0]}}"),
     "scene.json:2:43: bodies[0].shape.centre: unknown key \"centre\", did you mean \"center\"?"},
    {BODY("{'shape': {'type': 'sphere', 'radius': 1, 'size': [1, 1, 1]}}"),
     "scene.json:2:43: bodies[0].shape.size: unknown key \"size\", expected one of: "},
    {BODY("{'shape': {'type': 'capsule', 'radius': 1}}"),
     "scene.json:2:11: bodies[0].shape: a capsule has either `length` or both `a` and `b`"},
    {BODY("{'shape': {'type': 'capsule', 'radius': 1, 'length': 1, 'a': [0, 0, 0], 'b': [0, 1, 0]}}"),
     "scene.json:2:11: bodies[0].shape: a capsule has either `length` or both `a` and `b`"},
    {BODY("{'shape': {'type': 'capsule', 'radius': 1, 'a': [0, 0, 0]}}"),
     "scene.json:2:11: bodies[0].shape: a capsule has either `length` or both `a` and `b`"},
    {BODY("{'shape': {'type': 'capsule', 'radius': 1, 'a': [0, 0, 0], 'b': [0, 0, 0]}}"),
     "scene.json:2:11: bodies[0].shape: capsule of rigid 1: distance from a to b is 0, expected >= 0.0001"},
    {BODY("{'shape': {'type': 'capsule', 'radius': 1, 'lenght': 1}}"),
     "scene.json:2:44: bodies[0].shape.lenght: unknown key \"lenght\", did you mean \"length\"?"},
    {BODY("{'shape': {'type': 'box'}}"),
     "scene.json:2:11: bodies[0].shape.size: is missing: whole edge lengths"},
    {BODY("{'shape': {'type': 'box', 'size': 1}}"),
     "scene.json:2:35: bodies[0].shape.size: 1 is not allowed, expected a list of 3 numbers [m]"},
    {BODY("{'shape': {'type': 'box', 'size': [1, 0, 1]}}"),
     "scene.json:2:39: bodies[0].shape.size[1]: 0 is not allowed, expected a number above 0 [m]"},
    {BODY("{'shape': {'type': 'box', 'siez': [1, 1, 1]}}"),
     "scene.json:2:27: bodies[0].shape.siez: unknown key \"siez\", did you mean \"size\"?"},
    {BODY("{'shape': {'type': 'cylinder', 'radius': 1}}"),
     "scene.json:2:11: bodies[0].shape.height: is missing: along y, centred"},
    {BODY("{'shape': {'type': 'cylinder', 'radius': 1, 'height': 1, 'sides': 2}}"),
     "scene.json:2:67: bodies[0].shape.sides: 2 is not allowed, expected a whole number from 3 to 64"},
    {BODY("{'shape': {'type': 'cylinder', 'radius': 1, 'height': 1, 'sides': 65}}"),
     "scene.json:2:67: bodies[0].shape.sides: 65 is not allowed, expected a whole number from 3 to 64"},
    {BODY("{'shape': {'type': 'cylinder', 'radius': 1, 'height': 1, 'topradius': 1}}"),
     "scene.json:2:58: bodies[0].shape.topradius: unknown key \"topradius\", did you mean \"top_radius\"?"},
    {BODY("{'shape': {'type': 'cylinder', 'radius': 1, 'height': 1, 'top_radius': -1}}"),
     "scene.json:2:72: bodies[0].shape.top_radius: -1 is not allowed, expected a number of at least 0 [m]"},
    {BODY("{'shape': {'type': 'hull'}}"),
     "scene.json:2:11: bodies[0].shape: a hull has either `points` or `file`"},
    {BODY("{'shape': {'type': 'hull', 'points': []}}"),
     "scene.json:2:38: bodies[0].shape.points: [] is not allowed, expected a list of points [x, y, z]"},
    {BODY("{'shape': {'type': 'hull', 'points': [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}}"),
     "scene.json:2:11: bodies[0].shape: hull: the 4 points lie on a plane, expected a solid"},
    {BODY("{'shape': {'type': 'hull', 'points': [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1]]}}"),
     "scene.json:2:72: bodies[0].shape.points[3]: [1,1] is not allowed, expected a list of 3 numbers [m]"},
    {BODY("{'shape': {'type': 'hull', 'points': 'cube'}}"),
     "scene.json:2:38: bodies[0].shape.points: \"cube\" is not allowed, expected a list of points [x, y, z]"},
    {BODY("{'shape': {'type': 'hull', 'points': [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "
          "'max_vertices': 129}}"),
     "scene.json:2:100: bodies[0].shape.max_vertices: 129 is not allowed, expected a whole number from 0 to "
     "128"},
    {BODY("{'shape': {'type': 'hull', 'points': [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], 'scale': 0}}"),
     "scene.json:2:93: bodies[0].shape.scale: 0 is not allowed, expected a number above 0"},
    {BODY("{'shape': {'type': 'hull', 'point': [[0, 0, 0]]}}"),
     "scene.json:2:28: bodies[0].shape.point: unknown key \"point\", did you mean \"points\"?"},
    {BODY("{'shape': {'type': 'hull', 'points': [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], 'file': "
          "'a.obj'}}"),
     "scene.json:2:11: bodies[0].shape: a hull has either `points` or `file`"},
    {BODY("{'type': 'static', 'shape': {'type': 'mesh'}}"),
     "scene.json:2:29: bodies[0].shape: a mesh has either `file` or both `vertices` and `triangles`"},
    {BODY("{'type': 'static', 'shape': {'type': 'mesh', 'vertices': [[0, 0, 0]]}}"),
     "scene.json:2:29: bodies[0].shape: a mesh has either `file` or both `vertices` and `triangles`"},
    {BODY("{'type': 'static', 'shape': {'type': 'mesh', 'vertices': [[0, 0, 0], [1, 0, 0], [0, 0, 1]], "
          "'triangles': [[0, 1, 3]]}}"),
     "scene.json:2:114: bodies[0].shape.triangles[0][2]: 3 is not allowed, expected a whole number from 0 to "
     "2"},
    {BODY("{'type': 'static', 'shape': {'type': 'mesh', 'vertices': [[0, 0, 0], [1, 0, 0], [0, 0, 1]], "
          "'triangles': [[0, 1]]}}"),
     "scene.json:2:107: bodies[0].shape.triangles[0]: [0,1] is not allowed, expected three vertex numbers "
     "[i, j, k]"},
    {BODY("{'type': 'static', 'shape': {'type': 'mesh', 'vertices': [[0, 0, 0], [1, 0, 0], [0, 0, 1]], "
          "'triangles': [0, 1, 2]}}"),
     "scene.json:2:107: bodies[0].shape.triangles[0]: 0 is not allowed, expected three vertex numbers [i, j, "
     "k]"},
    {BODY("{'type': 'static', 'shape': {'type': 'mesh', 'vertices': [[0, 0, 0], [1, 0, 0], [2, 0, 0]], "
          "'triangles': [[0, 1, 2]]}}"),
     "scene.json:2:29: bodies[0].shape: surface: none of the 1 triangles has an area"},
    {BODY("{'type': 'static', 'shape': {'type': 'mesh', 'vertices': [[0, 0, 0], [1, 0, 0], [0, 0, 1]], "
          "'triangles': [[0, 1, 1.5]]}}"),
     "scene.json:2:114: bodies[0].shape.triangles[0][2]: 1.5 is not allowed, expected a whole number from 0 "
     "to 2"},
    {BODY("{'type': 'static', 'shape': {'type': 'mesh', 'vertexes': []}}"),
     "scene.json:2:46: bodies[0].shape.vertexes: unknown key \"vertexes\", did you mean \"vertices\"?"},
    {BODY("{'shape': {'type': 'mesh', 'vertices': [[0, 0, 0], [1, 0, 0], [0, 0, 1]], 'triangles': [[0, 1, "
          "2]]}}"),
     "scene.json:2:12: bodies[0].shape.type: a mesh has no mass, expected a static or kinematic body"},
    {BODY("{'shape': {'type': 'plane'}}"),
     "scene.json:2:12: bodies[0].shape.type: a plane cannot move, expected a static body"},
    {BODY("{'type': 'static', 'shape': {'type': 'plane', 'normal': [0, 0, 0]}}"),
     "scene.json:2:29: bodies[0].shape: plane of rigid 1: normal is (0, 0, 0), expected a direction"},
    {BODY("{'type': 'static', 'shape': {'type': 'plane', 'ofset': 1}}"),
     "scene.json:2:47: bodies[0].shape.ofset: unknown key \"ofset\", did you mean \"offset\"?"},
    {BODY("{'shape': {'type': 'compound'}}"),
     "scene.json:2:11: bodies[0].shape.parts: is missing: the convex parts"},
    {BODY("{'shape': {'type': 'compound', 'parts': []}}"),
     "scene.json:2:32: bodies[0].shape.parts: 0 parts are not allowed, expected a list of 1 to 4096"},
    {BODY("{'shape': {'type': 'compound', 'parts': {}}}"),
     "scene.json:2:32: bodies[0].shape.parts: 0 parts are not allowed, expected a list of 1 to 4096"},
    {BODY("{'shape': {'type': 'compound', 'parts': [{'type': 'plane'}]}}"),
     "scene.json:2:51: bodies[0].shape.parts[0].type: \"plane\" is not allowed, expected \"sphere\", "
     "\"capsule\", \"box\", \"cylinder\" or \"hull\""},
    {BODY("{'shape': {'type': 'compound', 'parts': [{'type': 'sphere', 'radius': 1}, {'type': 'box', 'sise': "
          "1}]}}"),
     "scene.json:2:91: bodies[0].shape.parts[1].sise: unknown key \"sise\", did you mean \"size\"?"},
    {BODY("{'shape': {'type': 'compound', 'part': []}}"),
     "scene.json:2:32: bodies[0].shape.part: unknown key \"part\", did you mean \"parts\"?"},
    {BODY("{'shape': {'type': 'shared'}}"),
     "scene.json:2:11: bodies[0].shape.shape: is missing: name of an entry of the section `shapes`"},
    {BODY("{'shape': {'type': 'shared', 'shape': 'rim'}}"),
     "scene.json:2:39: bodies[0].shape.shape: no shape is called \"rim\", expected the name of one"},
    {BODY("{'shape': {'type': 'shared', 'shapes': 'rim'}}"),
     "scene.json:2:30: bodies[0].shape.shapes: unknown key \"shapes\", did you mean \"shape\"?"},
    {BODY("{'shape': {'type': 'sphere', 'radius': 1, 'material': 'wood'}}"),
     "scene.json:2:55: bodies[0].shape.material: no material is called \"wood\", expected the name of one"},
    {BODY("{'shape': {'type': 'sphere', 'radius': 1, 'category': 'defalt'}}"),
     "scene.json:2:55: bodies[0].shape.category: no category is called \"defalt\", did you mean "
     "\"default\"?"},
    {BODY("{'shape': {'type': 'sphere', 'radius': 1, 'category': 'wheel'}}"),
     "scene.json:2:55: bodies[0].shape.category: no category is called \"wheel\", expected \"default\" or "
     "one of the section `categories`"},
    {BODY("{'shape': {'type': 'sphere', 'radius': 1, 'collides_with': ['default', 5]}}"),
     "scene.json:2:72: bodies[0].shape.collides_with[1]: 5 is not allowed, expected text in quotes"},
    {BODY("{'shape': {'type': 'sphere', 'radius': 1, 'group': 1.5}}"),
     "scene.json:2:52: bodies[0].shape.group: 1.5 is not allowed, expected a whole number"},
    {BODY("{'shape': {'type': 'sphere', 'radius': 1, 'hit_events': 1}}"),
     "scene.json:2:57: bodies[0].shape.hit_events: 1 is not allowed, expected true or false"},
    {BODY("{'shapes': [{'type': 'sphere', 'radius': 1}, {'type': 'sphere', 'radius': 1, 'frction': 1}]}"),
     "scene.json:2:78: bodies[0].shapes[1].frction: unknown key \"frction\", did you mean \"friction\"?"},
    {BODY("{'shape': {'type': 'sphere', 'radius': 1e-5, 'density': 1e-9}}"),
     "scene.json:2:11: bodies[0].shape: sphere of rigid 1: mass of a shape is 4.18879e-24, expected 0 or >= "
     "1e-12"}};

static void test_shapes_are_checked(void **state)
{
    (void)state;
    check_bad_scenes(shapes, COUNT_OF(shapes));
}

static void test_names_that_are_too_long_are_refused(void **state)
{
    (void)state;
    char name[SN_MAX_NAME + 2], text[512], message[512];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    snprintf(text, sizeof text, BODY("{'name': '%s'}"), name);
    snprintf(message, sizeof message,
             "scene.json:2:2: bodies[0].name: \"%s\" is too long, expected at most %d bytes", name,
             SN_MAX_NAME);
    check_refused(text, "scene.json", NULL, message);
    // Without the last letter it just fits; the number of a copy is too much then.
    name[SN_MAX_NAME] = '\0';
    snprintf(text, sizeof text, BODY("{'name': '%s'}"), name);
    sn_scene_destroy(scene_of(text));
    snprintf(text, sizeof text, BODY("{'name': '%s', 'repeat': {'count': 1000}}"), name);
    snprintf(message, sizeof message,
             "scene.json:2:2: bodies[0].name: \"%s[0]\" is too long, expected at most %d bytes", name,
             SN_MAX_NAME);
    check_refused(text, "scene.json", NULL, message);
}

static void test_mesh_files_are_checked(void **state)
{
    (void)state;
    scene_folder folder = folder_make();
    write_scene(&folder, "bad.obj", "v 0 0 0\nv 1 zero 0\n");
    write_scene(&folder, "points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n");
    const struct {
        const char *file, *message;
    } files[] = {{"missing.obj", "\"missing.obj\" cannot be used: "},
                 {"bad.obj", "\"bad.obj\" cannot be used: "},
                 {"points.obj", "\"points.obj\" has no triangles, expected a surface"},
                 {"shape.doc", "\"shape.doc\" cannot be used: "}};
    for (int i = 0; i < COUNT_OF(files); ++i) {
        char text[256], message[1024];
        scene_path path = path_in(&folder, "scene.json");
        snprintf(text, sizeof text, BODY("{'type': 'static', 'shape': {'type': 'mesh', 'file': '%s'}}"),
                 files[i].file);
        snprintf(message, sizeof message, "%s:2:46: bodies[0].shape.file: %s", path.text, files[i].message);
        check_refused(text, path.text, NULL, message);
    }
    // The place in the mesh file follows that in the scene file.
    scene_path path = path_in(&folder, "scene.json");
    check_refused(BODY("{'shape': {'type': 'hull', 'file': 'bad.obj'}}"), path.text, NULL, path.text);
    assert_contains(sn_scene_error(), "/bad.obj:2: ");
    folder_remove(folder.path);
}

static void test_more_than_63_categories_are_refused(void **state)
{
    (void)state;
    char text[2048] = "{'sinew': 1, 'categories': [";
    for (int i = 0; i < 64; ++i) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s'c%d'", i > 0 ? ", " : "", i);
    }
    strcat(text, "]}");
    check_refused(text, "scene.json", NULL,
                  "scene.json:1:460: categories[63]: category 64 is not allowed, expected at most 63");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies_are_checked),
        cmocka_unit_test(test_shapes_are_checked),
        cmocka_unit_test(test_names_that_are_too_long_are_refused),
        cmocka_unit_test(test_mesh_files_are_checked),
        cmocka_unit_test(test_more_than_63_categories_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
