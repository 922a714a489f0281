// Mistakes in deformables, their meshes, selections of their nodes, and anchors.
#include "scene/bad_scenes.h"

#define SHEET "'mesh': {'type': 'grid', 'width': 1, 'height': 1, 'columns': 2, 'rows': 2}"
#define BLOCK "'mesh': {'type': 'box', 'size': [1, 1, 1], 'cells': [1, 1, 1]}"

#define SOFT(TEXT)  "{'sinew': 1, 'deformables': [\n" TEXT "]}"
#define BOTH(TEXT)  "{'sinew': 1, 'bodies': [{'name': 'box'}], 'deformables': [\n" TEXT "]}"
#define MESH(TEXT)  "{'sinew': 1, 'deformables': [{'mesh':\n" TEXT "}]}"
#define FIXED(TEXT) "{'sinew': 1, 'deformables': [{" SHEET ", 'fixed':\n" TEXT "}]}"
#define CLOSED(TEXT)                                                                                         \
    "{'sinew': 1, 'deformables': [{'mesh': {'type': 'sphere', 'radius': 1}, 'fixed':\n" TEXT "}]}"
#define ANCHOR(TEXT)                                                                                         \
    "{'sinew': 1, 'bodies': [{'name': 'box'}, {'name': 'wall', 'type': 'static'}], 'deformables': "          \
    "[{'name': "                                                                                             \
    "'cloth', " SHEET "}], 'anchors': [\n" TEXT "]}"

static const bad_scene deformables[] = {
    {SOFT("5"),
     "scene.json:2:1: deformables[0]: 5 is not allowed, expected an object {…}: A deformable body."},
    {SOFT("{}"), "scene.json:2:1: deformables[0].mesh: is missing: what it is made of"},
    {SOFT("{'mesh': {'type': 'grid', 'width': 1, 'height': 1}, 'positon': [0, 0, 0]}"),
     "scene.json:2:53: deformables[0].positon: unknown key \"positon\", did you mean \"position\"?"},
    {SOFT("{" SHEET ", 'name': 5}"),
     "scene.json:2:86: deformables[0].name: 5 is not allowed, expected text in quotes"},
    {SOFT("{" SHEET ", 'name': ''}"),
     "scene.json:2:78: deformables[0].name: \"\" is not allowed, expected a name"},
    {SOFT("{" SHEET ", 'position': [0, 0]}"),
     "scene.json:2:90: deformables[0].position: [0,0] is not allowed, expected a list of 3 numbers [m]"},
    {SOFT("{" SHEET ", 'rotation': 'up'}"),
     "scene.json:2:90: deformables[0].rotation: \"up\" is not allowed, expected {\"axis\": [x, y, z], "
     "\"angle\": degrees} or a quaternion [x, y, z, w]"},
    {SOFT("{" SHEET ", 'scale': 0}"),
     "scene.json:2:87: deformables[0].scale: 0 is not allowed, expected a number above 0"},
    {SOFT("{" SHEET ", 'scale': -1}"),
     "scene.json:2:87: deformables[0].scale: -1 is not allowed, expected a number above 0"},
    {SOFT("{" SHEET ", 'linear_velocity': 1}"),
     "scene.json:2:97: deformables[0].linear_velocity: 1 is not allowed, expected a list of 3 numbers [m/s]"},
    {SOFT("{" SHEET ", 'density': 0}"),
     "scene.json:2:89: deformables[0].density: 0 is not allowed, expected a number above 0"},
    {SOFT("{" SHEET ", 'density': 'heavy'}"),
     "scene.json:2:89: deformables[0].density: \"heavy\" is not allowed, expected a number above 0"},
    {SOFT("{" SHEET ", 'mass': 0}"),
     "scene.json:2:86: deformables[0].mass: 0 is not allowed, expected a number above 0 [kg]"},
    {SOFT("{" SHEET ", 'mass': -2}"),
     "scene.json:2:86: deformables[0].mass: -2 is not allowed, expected a number above 0 [kg]"},
    {SOFT("{" SHEET ", 'node_masses': 'a'}"), "scene.json:2:93: deformables[0].node_masses: \"a\" is not "
                                              "allowed, expected a list, one for each of 9 nodes"},
    {SOFT("{" SHEET ", 'node_masses': 0}"),
     "scene.json:2:93: deformables[0].node_masses: 0 is not allowed, expected a number above 0 [kg]"},
    {SOFT("{" SHEET ", 'name': 'a', 'integrator': 'verlet', 'model': {'type': 'springs', 'stiffness': 9}}"),
     "scene.json:2:105: deformables[0].integrator: is 'Verlet', but its model is not made of forces and "
     "takes "
     "the default alone"},
    {SOFT("{" SHEET ", 'integrator': 'verlett'}"),
     "scene.json:2:92: deformables[0].integrator: \"verlett\" is not allowed, expected \"euler_cromer\", "
     "\"explicit_euler\", \"midpoint\", \"heun\", \"verlet\" or \"implicit_euler\"; did you mean "
     "\"verlet\"?"},
    {SOFT("{" SHEET ", 'node_masses': [1, 2]}"), "scene.json:2:93: deformables[0].node_masses: a list of 2 "
                                                 "is not allowed, expected 9, one for each node"},
    {SOFT("{" SHEET ", 'node_masses': [1, 1, 1, 1, -1, 1, 1, 1, 1]}"),
     "scene.json:2:106: deformables[0].node_masses[4]: -1 is not allowed, expected a number of at least 0 "
     "[kg]"},
    {SOFT("{" SHEET ", 'node_masses': [1, 1, 1, 1, 'a', 1, 1, 1, 1]}"),
     "scene.json:2:106: deformables[0].node_masses[4]: \"a\" is not allowed, expected a number of at least 0 "
     "[kg]"},
    {SOFT("{" SHEET ", 'model': 'springs'}"),
     "scene.json:2:87: deformables[0].model: \"springs\" is not allowed, expected an object {…}: What gives "
     "the deformable its shape."},
    {SOFT("{" SHEET ", 'model': {}}"),
     "scene.json:2:87: deformables[0].model.type: is missing: the paradigm"},
    {SOFT("{" SHEET ", 'model': {'type': 'spring'}}"),
     "scene.json:2:96: deformables[0].model.type: \"spring\" is not allowed, expected \"none\", \"springs\", "
     "\"spring_forces\", \"corotational\", \"corotational_explicit\", \"corotational_implicit\", "
     "\"neo_hookean\", \"position_based\", \"shape_matching\" or \"energy\"; did you mean \"springs\"?"},
    {SOFT("{" SHEET ", 'model': {'type': 'jelly'}}"),
     "scene.json:2:96: deformables[0].model.type: \"jelly\" is not allowed, expected \"none\", \"springs\", "
     "\"spring_forces\", \"corotational\", \"corotational_explicit\", \"corotational_implicit\", "
     "\"neo_hookean\", \"position_based\", \"shape_matching\" or \"energy\""},
    {SOFT("{" SHEET ", 'model': {'type': 'springs', 'stifness': 1}}"),
     "scene.json:2:107: deformables[0].model.stifness: unknown key \"stifness\", did you mean "
     "\"stiffness\"?"},
    {SOFT("{" SHEET ", 'model': {'type': 'springs', 'stiffness': -1}}"),
     "scene.json:2:120: deformables[0].model.stiffness: -1 is not allowed, expected a number of at least 0 "
     "[N/m]"},
    {SOFT("{" SHEET ", 'model': {'type': 'springs'}}"),
     "scene.json:2:87: deformables[0].model.stiffness: is 0, expected >= 1e-09 and <= 1e+12"},
    {SOFT("{" SHEET ", 'model': {'type': 'springs', 'stiffness': 1, 'damping': -1}}"),
     "scene.json:2:134: deformables[0].model.damping: -1 is not allowed, expected a number of at least 0 "
     "[s]"},
    {SOFT("{" SHEET ", 'model': {'type': 'corotational', 'young': 1e5}}"),
     "scene.json:2:87: deformables[0].model: 'corotational' needs tetrahedra, which the mesh has none of"},
    {SOFT("{" BLOCK ", 'model': {'type': 'corotational', 'young': 0}}"),
     "scene.json:2:109: deformables[0].model.young: 0 is not allowed, expected a number above 0 [Pa]"},
    {SOFT("{" BLOCK ", 'model': {'type': 'corotational', 'poisson': 0.5}}"),
     "scene.json:2:111: deformables[0].model.poisson: 0.5 is not allowed, expected a number from 0 to 0.499"},
    {SOFT("{" BLOCK ", 'model': {'type': 'position_based', 'stiffness': 2}}"),
     "scene.json:2:115: deformables[0].model.stiffness: is 2, expected >= 0 and <= 1"},
    {SOFT("{" BLOCK ", 'model': {'type': 'shape_matching', 'stiffness': 0.5, 'matching': 'cubic'}}"),
     "scene.json:2:132: deformables[0].model.matching: \"cubic\" is not allowed, expected \"rigid\", "
     "\"linear\" or \"quadratic\""},
    {SOFT("{" BLOCK ", 'model': {'type': 'shape_matching', 'stiffness': 0.5, 'share': 2}}"),
     "scene.json:2:129: deformables[0].model.share: 2 is not allowed, expected a number from 0 to 1"},
    {SOFT("{" BLOCK ", 'model': {'type': 'shape_matching', 'stiffness': 0.5, 'cluster_rings': 17}}"),
     "scene.json:2:137: deformables[0].model.cluster_rings: 17 is not allowed, expected a whole number from "
     "0 to 16"},
    {SOFT("{" SHEET ", 'inextensible': true}"),
     "scene.json:2:94: deformables[0].inextensible: true is not allowed, expected an object {…}: Edges that "
     "keep their length."},
    {SOFT("{" SHEET ", 'inextensible': {'side': 'strech'}}"),
     "scene.json:2:103: deformables[0].inextensible.side: \"strech\" is not allowed, expected \"both\", "
     "\"stretch\" or \"compression\"; did you mean \"stretch\"?"},
    {SOFT("{" SHEET ", 'inextensible': {'compliance': -1}}"),
     "scene.json:2:109: deformables[0].inextensible.compliance: -1 is not allowed, expected a number of at "
     "least 0 [m/N]"},
    {SOFT("{" SHEET ", 'inextensible': {'max_force': 0}}"),
     "scene.json:2:108: deformables[0].inextensible.max_force: 0 is not allowed, expected a number above 0 "
     "[N]"},
    {SOFT("{" SHEET ", 'bending': {}}"),
     "scene.json:2:89: deformables[0].bending.type: is missing: how bending is resisted"},
    {SOFT("{" SHEET ", 'bending': {'type': 'diagnal'}}"),
     "scene.json:2:98: deformables[0].bending.type: \"diagnal\" is not allowed, expected \"none\", "
     "\"diagonal\", \"dihedral\" or \"isometric\"; did you mean \"diagonal\"?"},
    {SOFT("{" SHEET ", 'bending': {'type': 'isometric', 'stiffness': -1}}"),
     "scene.json:2:124: deformables[0].bending.stiffness: -1 is not allowed, expected a number of at least 0 "
     "[N m]"},
    {SOFT("{" SHEET ", 'bending': {'type': 'dihedral', 'max_impulse': 0}}"),
     "scene.json:2:125: deformables[0].bending.max_impulse: 0 is not allowed, expected a number above 0"},
    {SOFT("{" SHEET ", 'enclosure': {'preserve': true}}"),
     "scene.json:2:1: deformables[0]: deformable: an enclosure needs a closed, oriented surface, which the "
     "mesh is not"},
    {SOFT("{" SHEET ", 'enclosure': {'preserve': 1}}"),
     "scene.json:2:104: deformables[0].enclosure.preserve: 1 is not allowed, expected true or false"},
    {SOFT("{" SHEET ", 'enclosure': {'scale': 0}}"),
     "scene.json:2:101: deformables[0].enclosure.scale: 0 is not allowed, expected a number above 0"},
    {SOFT("{" SHEET ", 'enclosure': {'pressure': 'high'}}"),
     "scene.json:2:104: deformables[0].enclosure.pressure: \"high\" is not allowed, expected a number [Pa]"},
    {SOFT("{" SHEET ", 'enclosure': {'volume': 2}}"),
     "scene.json:2:92: deformables[0].enclosure.volume: unknown key \"volume\", expected one of: preserve, "
     "scale, compliance, pressure"},
    {SOFT("{" SHEET ", 'thickness': 0}"),
     "scene.json:2:91: deformables[0].thickness: 0 is not allowed, expected a number above 0 [m]"},
    {SOFT("{" SHEET ", 'friction': -0.1}"),
     "scene.json:2:90: deformables[0].friction: -0.1 is not allowed, expected a number from 0 to 100"},
    {SOFT("{" SHEET ", 'restitution': 1.5}"),
     "scene.json:2:93: deformables[0].restitution: 1.5 is not allowed, expected a number from 0 to 1"},
    {SOFT("{" SHEET ", 'category': 'jelly'}"),
     "scene.json:2:90: deformables[0].category: no category is called \"jelly\", expected \"default\" or one "
     "of the section `categories`"},
    {SOFT("{" SHEET ", 'category': 5}"),
     "scene.json:2:90: deformables[0].category: 5 is not allowed, expected text in quotes"},
    {SOFT("{" SHEET ", 'collides_with': ['default', 'jely']}"),
     "scene.json:2:107: deformables[0].collides_with[1]: no category is called \"jely\", expected "
     "\"default\" or one of the section `categories`"},
    {SOFT("{" SHEET ", 'group': 1.5}"),
     "scene.json:2:87: deformables[0].group: 1.5 is not allowed, expected a whole number"},
    {SOFT("{" SHEET ", 'collide': 1}"),
     "scene.json:2:89: deformables[0].collide: 1 is not allowed, expected true or false"},
    {SOFT("{" SHEET ", 'self_collide': 'yes'}"),
     "scene.json:2:94: deformables[0].self_collide: \"yes\" is not allowed, expected true or false"},
    {SOFT("{" SHEET ", 'linear_damping': -1}"), "scene.json:2:96: deformables[0].linear_damping: -1 is not "
                                                "allowed, expected a number from 0 to 1000 [1/s]"},
    {SOFT("{" SHEET ", 'gravity_scale': 1001}"), "scene.json:2:95: deformables[0].gravity_scale: 1001 is not "
                                                 "allowed, expected a number from -1000 to 1000"},
    {SOFT("{" SHEET ", 'drag': -1}"),
     "scene.json:2:86: deformables[0].drag: -1 is not allowed, expected a number from 0 to 1000"},
    {SOFT("{" SHEET ", 'lift': 1001}"),
     "scene.json:2:86: deformables[0].lift: 1001 is not allowed, expected a number from 0 to 1000"},
    {SOFT("{" SHEET ", 'allow_sleep': 0}"),
     "scene.json:2:93: deformables[0].allow_sleep: 0 is not allowed, expected true or false"},
    {SOFT("{" SHEET ", 'awake': 0}"),
     "scene.json:2:87: deformables[0].awake: 0 is not allowed, expected true or false"},
    {SOFT("{" SHEET ", 'color': 'reed'}"),
     "scene.json:2:87: deformables[0].color: \"reed\" is not allowed, expected a colour as \"#rrggbb\", or "
     "black, white, gray, red, orange, yellow, green, teal, blue, purple, brown, pink; did you mean "
     "\"red\"?"},
    {SOFT("{" SHEET ", 'positions': [[0, 0, 0]]}"),
     "scene.json:2:91: deformables[0].positions: a list of 1 is not allowed, expected 9, one for each node"},
    {SOFT("{" SHEET ", 'positions': 5}"),
     "scene.json:2:91: deformables[0].positions: 5 is not allowed, expected a list, one for each of 9 nodes"},
    {SOFT("{'mesh': {'type': 'line', 'length': 1, 'cells': 1}, 'positions': [[0, 0, 0], [0, 0]]}"),
     "scene.json:2:78: deformables[0].positions[1]: [0,0] is not allowed, expected a list of 3 numbers"},
    {SOFT("{'mesh': {'type': 'line', 'length': 1, 'cells': 1}, 'velocities': [[0, 0, 0], [0, 0, 1e7]]}"),
     "scene.json:2:86: deformables[0].velocities[1][2]: 10000000.0 is not allowed, expected a number from "
     "-1000000 to 1000000"},
    {SOFT("{" SHEET ", 'repeat': {'count': 0}}"), "scene.json:2:98: deformables[0].repeat.count: 0 is not "
                                                  "allowed, expected a whole number from 1 to 1000000"},
    {SOFT("{'name': 'a', " SHEET "}, {'name': 'a', " SHEET "}"),
     "scene.json:2:93: deformables[1].name: deformable \"a\" exists already, expected another name"},
    {BOTH("{'name': 'box', " SHEET "}"),
     "scene.json:2:2: deformables[0].name: body \"box\" exists already, expected another name"},
    {SOFT("{" SHEET ", 'edges': 5}"),
     "scene.json:2:87: deformables[0].edges: 5 is not allowed, expected an object {…}: Edges held in a way "
     "of their own, whatever holds the others."},
    {SOFT("{" SHEET ", 'edges': []}"),
     "scene.json:2:87: deformables[0].edges: [] is not allowed, expected one or more"},
    {SOFT("{" SHEET ", 'edges': {}}"), "scene.json:2:87: deformables[0].edges.select: is missing: those "
                                       "between two nodes that are both selected"},
    {SOFT("{" SHEET ", 'edges': {'select': {'nodes': [0, 8]}}}"),
     "scene.json:2:88: deformables[0].edges.select: no edge is between 2 selected nodes, expected one or "
     "more"},
    {SOFT("{" SHEET ", 'edges': {'select': {'part': 'left'}, 'side': 'left'}}"),
     "scene.json:2:124: deformables[0].edges.side: \"left\" is not allowed, expected \"both\", \"stretch\" "
     "or \"compression\""},
    {SOFT("{" SHEET ", 'edges': [{'select': {'part': 'left'}, 'max_force': -1}]}"),
     "scene.json:2:130: deformables[0].edges[0].max_force: -1 is not allowed, expected a number above 0 [N]"},
    {SOFT("{" SHEET ", 'opacity': 2}"),
     "scene.json:2:89: deformables[0].opacity: 2 is not allowed, expected a number from 0.05 to 1"},
    {SOFT("{" SHEET ", 'inextensible': {'shear_stiffness': -1}}"),
     "scene.json:2:114: deformables[0].inextensible.shear_stiffness: -1 is not allowed, expected a number of "
     "at least 0 [N/m]"}};

static void test_deformables_are_checked(void **state)
{
    (void)state;
    check_bad_scenes(deformables, COUNT_OF(deformables));
}

static const bad_scene meshes[] = {
    {MESH("{}"), "scene.json:2:1: deformables[0].mesh.type: is missing: which kind of mesh this is"},
    {MESH("{'type': 'gird'}"), "scene.json:2:10: deformables[0].mesh.type: \"gird\" is not allowed, expected "
                               "\"grid\", \"strip\", \"line\", \"disc\", \"tube\", \"box\", \"cylinder\", "
                               "\"sphere\", \"file\", \"lists\" or \"pieces\"; did you mean \"grid\"?"},
    {MESH("{'type': 'grid', 'width': 1}"), "scene.json:2:1: deformables[0].mesh.height: is missing: along y"},
    {MESH("{'type': 'grid', 'width': 0, 'height': 1}"),
     "scene.json:2:27: deformables[0].mesh.width: 0 is not allowed, expected a number above 0 [m]"},
    {MESH("{'type': 'grid', 'width': 1, 'height': 1, 'columns': 0}"),
     "scene.json:2:54: deformables[0].mesh.columns: 0 is not allowed, expected a whole number from 1 to "
     "4096"},
    {MESH("{'type': 'grid', 'width': 1, 'height': 1, 'rows': 1.5}"),
     "scene.json:2:51: deformables[0].mesh.rows: 1.5 is not allowed, expected a whole number from 1 to 4096"},
    {MESH("{'type': 'grid', 'width': 1, 'height': 1, 'pattern': 'diagonal'}"),
     "scene.json:2:54: deformables[0].mesh.pattern: \"diagonal\" is not allowed, expected \"alternating\", "
     "\"forward\", \"backward\" or \"crossed\""},
    {MESH("{'type': 'grid', 'width': 1e-9, 'height': 1}"),
     "scene.json:2:1: deformables[0].mesh: grid mesh: width is 1e-09, expected >= 1e-05 and <= 1e+06"},
    {MESH("{'type': 'strip', 'length': 1}"),
     "scene.json:2:1: deformables[0].mesh.width: is missing: along y"},
    {MESH("{'type': 'line', 'length': -1}"),
     "scene.json:2:28: deformables[0].mesh.length: -1 is not allowed, expected a number above 0 [m]"},
    {MESH("{'type': 'disc', 'radius': 1, 'rings': 5000}"),
     "scene.json:2:40: deformables[0].mesh.rings: 5000 is not allowed, expected a whole number from 1 to "
     "4096"},
    {MESH("{'type': 'tube', 'radius': 1, 'height': 1, 'sides': 2}"),
     "scene.json:2:53: deformables[0].mesh.sides: 2 is not allowed, expected a whole number from 3 to 4096"},
    {MESH("{'type': 'box', 'size': [1, 1, 1]}"),
     "scene.json:2:1: deformables[0].mesh.cells: is missing: cells along x, y and z"},
    {MESH("{'type': 'box', 'size': [1, 0, 1], 'cells': [1, 1, 1]}"),
     "scene.json:2:29: deformables[0].mesh.size[1]: 0 is not allowed, expected a number above 0 [m]"},
    {MESH("{'type': 'box', 'size': [1, 1, 1], 'cells': [1, 1]}"),
     "scene.json:2:45: deformables[0].mesh.cells: [1,1] is not allowed, expected three whole numbers"},
    {MESH("{'type': 'box', 'size': [1, 1, 1], 'cells': [1, 0, 1]}"),
     "scene.json:2:49: deformables[0].mesh.cells[1]: 0 is not allowed, expected a whole number from 1 to "
     "4096"},
    {MESH("{'type': 'box', 'size': [1, 1, 1], 'cells': 4}"),
     "scene.json:2:45: deformables[0].mesh.cells: 4 is not allowed, expected three whole numbers"},
    {MESH("{'type': 'box', 'size': [1, 1, 1], 'cells': [4000, 4000, 4000]}"),
     "scene.json:2:1: deformables[0].mesh: box mesh: it would have 64048012001 nodes, expected <= 16777216"},
    {MESH("{'type': 'cylinder', 'radius': 1, 'height': 1, 'layers': 0}"),
     "scene.json:2:58: deformables[0].mesh.layers: 0 is not allowed, expected a whole number from 1 to 4096"},
    {MESH("{'type': 'sphere', 'radius': 0}"),
     "scene.json:2:30: deformables[0].mesh.radius: 0 is not allowed, expected a number above 0 [m]"},
    {MESH("{'type': 'sphere', 'radius': 1, 'surface': 1}"),
     "scene.json:2:44: deformables[0].mesh.surface: 1 is not allowed, expected true or false"},
    {MESH("{'type': 'sphere', 'radius': 1, 'shells': 3}"),
     "scene.json:2:33: deformables[0].mesh.shells: unknown key \"shells\", expected one of: type, radius, "
     "rings, surface"},
    {MESH("{'type': 'file'}"),
     "scene.json:2:1: deformables[0].mesh.file: is missing: a mesh file, relative to this one"},
    {MESH("{'type': 'file', 'file': 'nowhere.obj'}"),
     "scene.json:2:18: deformables[0].mesh.file: \"nowhere.obj\" cannot be used: nowhere.obj: cannot be "
     "read: No such file or directory"},
    {MESH("{'type': 'file', 'file': 'jelly.xyz'}"),
     "scene.json:2:18: deformables[0].mesh.file: \"jelly.xyz\" cannot be used: jelly.xyz: ending is "
     "\".xyz\", expected one of .obj "},
    {MESH("{'type': 'file', 'file': 'nowhere.obj', 'scale': 0}"),
     "scene.json:2:50: deformables[0].mesh.scale: 0 is not allowed, expected a number above 0"},
    {MESH("{'type': 'file', 'file': 'nowhere.obj', 'cell': 0}"),
     "scene.json:2:49: deformables[0].mesh.cell: 0 is not allowed, expected a number above 0 [m]"},
    {MESH("{'type': 'lists'}"), "scene.json:2:1: deformables[0].mesh.nodes: is missing: rest positions"},
    {MESH("{'type': 'lists', 'nodes': 5}"),
     "scene.json:2:28: deformables[0].mesh.nodes: 5 is not allowed, expected a list of points [x, y, z]"},
    {MESH("{'type': 'lists', 'nodes': []}"),
     "scene.json:2:28: deformables[0].mesh.nodes: [] is not allowed, expected a list of points [x, y, z]"},
    {MESH("{'type': 'lists', 'nodes': [[0, 0, 0], [1, 0]]}"),
     "scene.json:2:40: deformables[0].mesh.nodes[1]: [1,0] is not allowed, expected a list of 3 numbers [m]"},
    {MESH("{'type': 'lists', 'nodes': [[0, 0, 0], [1, 0, 0]]}"),
     "scene.json:2:1: deformables[0].mesh: mesh: there are 2 nodes and no element, expected edges, triangles "
     "or tetrahedra"},
    {MESH("{'type': 'lists', 'nodes': [[0, 0, 0], [1, 0, 0]], 'edges': [[0, 2]]}"),
     "scene.json:2:66: deformables[0].mesh.edges[0][1]: 2 is not allowed, expected the number of a node, 0 "
     "to 1"},
    {MESH("{'type': 'lists', 'nodes': [[0, 0, 0], [1, 0, 0]], 'edges': [[0, -1]]}"),
     "scene.json:2:66: deformables[0].mesh.edges[0][1]: -1 is not allowed, expected the number of a node, 0 "
     "to 1"},
    {MESH("{'type': 'lists', 'nodes': [[0, 0, 0], [1, 0, 0]], 'edges': [[0]]}"),
     "scene.json:2:62: deformables[0].mesh.edges[0]: [0] is not allowed, expected 2 node numbers"},
    {MESH("{'type': 'lists', 'nodes': [[0, 0, 0], [1, 0, 0]], 'edges': 5}"),
     "scene.json:2:61: deformables[0].mesh.edges: 5 is not allowed, expected a list of lists of 2 node "
     "numbers"},
    {MESH("{'type': 'lists', 'nodes': [[0, 0, 0], [1, 0, 0]], 'edges': [[0, 0]]}"),
     "scene.json:2:1: deformables[0].mesh: mesh: edge 0 has length 0, expected >= 1e-07"},
    {MESH("{'type': 'lists', 'nodes': [[0, 0, 0], [1, 0, 0], [2, 0, 0]], 'triangles': [[0, 1, 2]]}"),
     "scene.json:2:1: deformables[0].mesh: mesh: triangle 0 has area 0, expected >= 4e-07 as its longest "
     "edge has 2"},
    {MESH("{'type': 'lists', 'nodes': [[0, 0, 0], [1, 0, 0], [0, 1, 0], [5, 5, 5]], 'triangles': [[0, 1, "
          "2]]}"),
     "scene.json:2:1: deformables[0].mesh: mesh: node 3 belongs to no triangle or tetrahedron"},
    {MESH("{'type': 'lists', 'nodes': [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], 'tetrahedra': [[0, 1, 2, "
          "3]]}"),
     "scene.json:2:1: deformables[0].mesh: mesh: tetrahedron 0 has volume 0, expected >= 2.82843e-07 as its "
     "longest edge has 1.41421"}};

static void test_meshes_of_deformables_are_checked(void **state)
{
    (void)state;
    check_bad_scenes(meshes, COUNT_OF(meshes));
}

static const bad_scene selections[] = {
    {FIXED("{}"), "scene.json:2:1: deformables[0].fixed: selects nothing, expected `part`, `lower`, `upper`, "
                  "`center`, `point` or `nodes`"},
    {FIXED("{'center': [0, 0, 0]}"),
     "scene.json:2:1: deformables[0].fixed: a ball has both `center` and `radius`"},
    {FIXED("{'normal': [0, 1, 0]}"),
     "scene.json:2:1: deformables[0].fixed: a plane has both `point` and `normal`"},
    {FIXED("{'point': [0, 0, 0], 'normal': [0, 0, 0]}"),
     "scene.json:2:22: deformables[0].fixed.normal: has no length, expected a direction"},
    {FIXED("{'center': [0, 0, 0], 'radius': 1, 'within': -1}"),
     "scene.json:2:46: deformables[0].fixed.within: -1 is not allowed"},
    {FIXED("{'center': [99, 0, 0], 'radius': 1}"),
     "scene.json:2:1: deformables[0].fixed: selects none of the "},
    {FIXED("5"), "scene.json:2:1: deformables[0].fixed: 5 is not allowed, expected an object {…}: Nodes of a "
                 "mesh, in the mesh's frame. What several of these say must all be true."},
    {FIXED("[]"), "scene.json:2:1: deformables[0].fixed: [] is not allowed, expected one or more selections"},
    {FIXED("{'part': 'corner'}"),
     "scene.json:2:10: deformables[0].fixed.part: \"corner\" is not allowed, expected \"all\", \"corners\", "
     "\"rim\", \"left\", \"right\", \"bottom\", \"top\", \"back\" or \"front\"; did you mean \"corners\"?"},
    {FIXED("{'part': 'middle'}"),
     "scene.json:2:10: deformables[0].fixed.part: \"middle\" is not allowed, expected \"all\", \"corners\", "
     "\"rim\", \"left\", \"right\", \"bottom\", \"top\", \"back\" or \"front\""},
    {FIXED("{'nodes': 4}"),
     "scene.json:2:11: deformables[0].fixed.nodes: 4 is not allowed, expected a list of whole numbers"},
    {FIXED("{'nodes': []}"),
     "scene.json:2:1: deformables[0].fixed: selects none of the 9 nodes, expected one or more"},
    {FIXED("{'nodes': [9]}"), "scene.json:2:12: deformables[0].fixed.nodes[0]: 9 is not allowed, expected "
                              "the number of a node, 0 to 8"},
    {FIXED("{'nodes': [-1]}"), "scene.json:2:12: deformables[0].fixed.nodes[0]: -1 is not allowed, expected "
                               "the number of a node, 0 to 8"},
    {FIXED("{'nodes': [0.5]}"),
     "scene.json:2:12: deformables[0].fixed.nodes[0]: 0.5 is not allowed, expected a whole number"},
    {FIXED("{'nodes': ['a']}"),
     "scene.json:2:12: deformables[0].fixed.nodes[0]: \"a\" is not allowed, expected a whole number"},
    {FIXED("{'lower': [2, 2, 2]}"),
     "scene.json:2:1: deformables[0].fixed: selects none of the 9 nodes, expected one or more"},
    {FIXED("{'lower': [0, 0, 0], 'upper': [-1, 0, 0]}"),
     "scene.json:2:1: deformables[0].fixed: selects none of the 9 nodes, expected one or more"},
    {FIXED("{'part': 'left', 'every': 0}"), "scene.json:2:27: deformables[0].fixed.every: 0 is not allowed, "
                                            "expected a whole number from 1 to 1000000"},
    {FIXED("{'part': 'left', 'upper': [-1, 0, 0]}"),
     "scene.json:2:1: deformables[0].fixed: selects none of the 9 nodes, expected one or more"},
    {FIXED("{'lowr': [0, 0, 0]}"),
     "scene.json:2:2: deformables[0].fixed.lowr: unknown key \"lowr\", did you mean \"lower\"?"},
    {FIXED("[{'part': 'left'}, {'part': 'rihgt'}]"),
     "scene.json:2:29: deformables[0].fixed[1].part: \"rihgt\" is not allowed, expected \"all\", "
     "\"corners\", \"rim\", \"left\", \"right\", \"bottom\", \"top\", \"back\" or \"front\"; did you mean "
     "\"right\"?"},
    {CLOSED("{'part': 'rim'}"),
     "scene.json:2:1: deformables[0].fixed: selects none of the 309 nodes, expected one or more"}};

static void test_selections_of_nodes_are_checked(void **state)
{
    (void)state;
    check_bad_scenes(selections, COUNT_OF(selections));
}

static const bad_scene pieces[] = {
    {MESH("{'type': 'pieces'}"), "scene.json:2:1: deformables[0].mesh.pieces: is missing: meshes that do not "
                                 "hang together, each at its place"},
    {MESH("{'type': 'pieces', 'pieces': []}"),
     "scene.json:2:30: deformables[0].mesh.pieces: [] is not allowed, expected a list of one or more pieces"},
    {MESH("{'type': 'pieces', 'pieces': [{}]}"),
     "scene.json:2:31: deformables[0].mesh.pieces[0].mesh: is missing: what it is made of; not of pieces "
     "itself"},
    {MESH("{'type': 'pieces', 'pieces': [{'mesh': {'type': 'line', 'length': -1}}]}"),
     "scene.json:2:67: deformables[0].mesh.pieces[0].mesh.length: -1 is not allowed, expected a number above "
     "0 [m]"},
    {MESH("{'type': 'pieces', 'pieces': [{'mesh': {'type': 'pieces', 'pieces': []}}]}"),
     "scene.json:2:40: deformables[0].mesh.pieces[0].mesh: is made of pieces itself, expected another type "
     "of mesh"},
    {MESH("{'type': 'pieces', 'pieces': [{'mesh': {'type': 'line', 'length': 1}, 'repeat': {'count': 0}}]}"),
     "scene.json:2:91: deformables[0].mesh.pieces[0].repeat.count: 0 is not allowed, expected a whole number "
     "from 1 to 1000000"},
    {MESH("{'type': 'pieces', 'pieces': [{'mesh': {'type': 'line', 'length': 1}, 'repeat': {'count': "
          "1000000, 'offset': [0, 0, 1]}}]}"),
     "scene.json:2:31: deformables[0].mesh.pieces[0]: makes more than 16777216 nodes, which is the most"},
    {MESH("{'type': 'pieces', 'pieces': [{'mesh': {'type': 'line', 'length': 1}}, {'mesh': {'type': 'grid', "
          "'width': 1, 'height': 1}}]}"),
     "scene.json:2:30: deformables[0].mesh.pieces: "}};

static void test_pieces_are_checked(void **state)
{
    (void)state;
    check_bad_scenes(pieces, COUNT_OF(pieces));
}

static const bad_scene anchors[] = {
    {ANCHOR("5"),
     "scene.json:2:1: anchors[0]: 5 is not allowed, expected an object {…}: Two points held together."},
    {ANCHOR("{'a': 'cloth'}"), "scene.json:2:1: anchors[0].b: is missing: name of the other"},
    {ANCHOR("{'a': 'cloth', 'b': 'box'}"),
     "scene.json:2:1: anchors[0].at: is missing: where the two are held together"},
    {ANCHOR("{'a': 'clot', 'b': 'box', 'at': [0, 0, 0]}"),
     "scene.json:2:7: anchors[0].a: no body or deformable is called \"clot\", did you mean \"cloth\"?"},
    {ANCHOR("{'a': 'cloth', 'b': 'bx', 'at': [0, 0, 0]}"),
     "scene.json:2:21: anchors[0].b: no body or deformable is called \"bx\", did you mean \"box\"?"},
    {ANCHOR("{'a': 'curtain', 'b': 'box', 'at': [0, 0, 0]}"),
     "scene.json:2:7: anchors[0].a: no body or deformable is called \"curtain\", expected the name of one"},
    {ANCHOR("{'a': 'cloth', 'b': 'box', 'at': 1}"),
     "scene.json:2:34: anchors[0].at: 1 is not allowed, expected a list of 3 numbers [m]"},
    {ANCHOR("{'a': 'cloth', 'b': 'box', 'att': [0, 0, 0]}"),
     "scene.json:2:28: anchors[0].att: unknown key \"att\", did you mean \"at\"?"},
    {ANCHOR("{'a': 'cloth', 'b': 'box', 'select': {'part': 'lft'}}"),
     "scene.json:2:47: anchors[0].select.part: \"lft\" is not allowed, expected \"all\", \"corners\", "
     "\"rim\", \"left\", \"right\", \"bottom\", \"top\", \"back\" or \"front\"; did you mean \"left\"?"},
    {ANCHOR("{'a': 'cloth', 'b': 'box', 'select': {'nodes': [9]}}"),
     "scene.json:2:49: anchors[0].select.nodes[0]: 9 is not allowed, expected the number of a node, 0 to 8"},
    {ANCHOR("{'a': 'box', 'b': 'ground', 'select': {'part': 'left'}}"),
     "scene.json:2:29: anchors[0].select: takes nodes of a deformable, and neither `a` nor `b` is one"},
    {ANCHOR("{'a': 'box', 'b': 'ground', 'lower': [0, 0, 0], 'upper': [1, 1, 1]}"),
     "scene.json:2:29: anchors[0].lower: takes nodes of a deformable, and neither `a` nor `b` is one"},
    {ANCHOR("{'a': 'cloth', 'b': 'box', 'lower': [5, 5, 5]}"),
     "scene.json:2:1: anchors[0].upper: is missing: the other corner of the box"},
    {ANCHOR("{'a': 'cloth', 'b': 'box', 'lower': [5, 5, 5], 'upper': [6, 6, 6]}"),
     "scene.json:2:28: anchors[0].lower: no node is in the box, expected one or more"},
    {ANCHOR("{'a': 'cloth', 'b': 'box', 'nodes_a': 3, 'point_b': [0, 0, 0]}"),
     "scene.json:2:39: anchors[0].nodes_a: 3 is not allowed, expected a list of 1 to 4 times [node, weight]"},
    {ANCHOR("{'a': 'cloth', 'b': 'box', 'nodes_a': [], 'point_b': [0, 0, 0]}"),
     "scene.json:2:39: anchors[0].nodes_a: [] is not allowed, expected a list of 1 to 4 times [node, "
     "weight]"},
    {ANCHOR("{'a': 'cloth', 'b': 'box', 'nodes_a': [3], 'point_b': [0, 0, 0]}"),
     "scene.json:2:40: anchors[0].nodes_a[0]: 3 is not allowed, expected [node, weight]"},
    {ANCHOR("{'a': 'cloth', 'b': 'box', 'nodes_a': [[3, 0.5]], 'point_b': [0, 0, 0]}"),
     "scene.json:2:39: anchors[0].nodes_a: weights that sum to 0.5 are not allowed, expected 1"},
    {ANCHOR("{'a': 'cloth', 'b': 'box', 'nodes_a': [[9, 1]], 'point_b': [0, 0, 0]}"),
     "scene.json:2:41: anchors[0].nodes_a[0][0]: 9 is not allowed, expected the number of a node, 0 to 8"},
    {ANCHOR("{'a': 'cloth', 'b': 'box', 'nodes_a': [[0, -1], [1, 2]], 'point_b': [0, 0, 0]}"),
     "scene.json:2:44: anchors[0].nodes_a[0][1]: -1 is not allowed, expected a number from 0 to 1"},
    {ANCHOR("{'a': 'cloth', 'b': 'box', 'nodes_a': [[0, 0.2], [1, 0.2], [2, 0.2], [3, 0.2], [4, 0.2]], "
            "'point_b': [0, 0, 0]}"),
     "scene.json:2:39: anchors[0].nodes_a: [[0,0.2],[1,0.2],[2,0.2],[3,0.2],[4,0… is not allowed, expected a "
     "list of 1 to 4 times [node, weight]"},
    {ANCHOR("{'a': 'cloth', 'b': 'box', 'nodes_b': [[0, 1]], 'at': [0, 0, 0]}"),
     "scene.json:2:39: anchors[0].nodes_b: is for deformables, expected a `point` of the body, or `at`"},
    {ANCHOR("{'a': 'cloth', 'b': 'box', 'point_a': [0, 0, 0], 'point_b': [0, 0, 0]}"),
     "scene.json:2:39: anchors[0].point_a: is for bodies, expected `nodes_a`, or `at`"},
    {ANCHOR("{'a': 'cloth', 'b': 'box', 'at': [0, 0, 0], 'compliance': -1}"),
     "scene.json:2:59: anchors[0].compliance: -1 is not allowed, expected a number of at least 0 [m/N]"},
    {ANCHOR("{'a': 'cloth', 'b': 'box', 'at': [0, 0, 0], 'damping': -1}"),
     "scene.json:2:56: anchors[0].damping: -1 is not allowed, expected a number of at least 0 [N s/m]"},
    {ANCHOR("{'a': 'cloth', 'b': 'box', 'at': [0, 0, 0], 'break_force': 0}"),
     "scene.json:2:60: anchors[0].break_force: 0 is not allowed, expected a number above 0 [N]"},
    {ANCHOR("{'a': 'cloth', 'b': 'box', 'at': [0, 0, 0], 'max_force': 0}"),
     "scene.json:2:58: anchors[0].max_force: 0 is not allowed, expected a number above 0 [N]"},
    {ANCHOR("{'a': 'wall', 'b': 'ground', 'at': [0, 0, 0]}"),
     "scene.json:2:1: anchors[0]: ball: neither rigid 'wall' nor rigid 'ground' can move, expected one "
     "dynamic body or deformable"},
    {ANCHOR("{'a': 'cloth', 'b': 'cloth', 'coincident': 0}"),
     "scene.json:2:44: anchors[0].coincident: 0 is not allowed, expected a number from 1e-09 to 1000 [m]"},
    {ANCHOR("{'a': 'box', 'b': 'cloth', 'at': [0, 0, 0], 'exact': true, 'slide': 'b', 'nodes_b': [[0, 1]]}"),
     "scene.json:2:85: anchors[0].nodes_b: is not allowed of the end that slides, expected a place of the "
     "other"},
    {ANCHOR("{'a': 'cloth', 'b': 'box', 'at': [0, 0, 0], 'exact': true, 'compliance': 0.1}"),
     "scene.json:2:54: anchors[0].exact: with compliance 0.1 and max_force inf, expected 0 and infinite"},
    {ANCHOR("{'a': 'cloth', 'b': 'box', 'at': [0, 0, 0], 'exact': true, 'max_force': 5}"),
     "scene.json:2:54: anchors[0].exact: with compliance 0 and max_force 5, expected 0 and infinite"},
    {ANCHOR("{'a': 'cloth', 'b': 'cloth', 'coincident': 0.1}"),
     "scene.json:2:30: anchors[0].coincident: no nodes of \"cloth\" and \"cloth\" are within 0.1 m, expected "
     "some"},
    {ANCHOR("{'a': 'cloth', 'b': 'box', 'coincident': 0.1}"),
     "scene.json:2:28: anchors[0].coincident: joins nodes of deformables, expected `a` and `b` to be such, "
     "without `slide`"},
    {ANCHOR("{'a': 'box', 'b': 'cloth', 'at': [0, 0, 0], 'slide': 'b'}"),
     "scene.json:2:45: anchors[0].slide: is of exact anchors, expected \"exact\": true"},
    {ANCHOR("{'a': 'box', 'b': 'cloth', 'at': [0, 0, 0], 'exact': true, 'slide': 'a'}"),
     "scene.json:2:60: anchors[0].slide: \"box\" is a body, expected a deformable to slide along"},
    {ANCHOR("{'a': 'box', 'b': 'cloth', 'at': [0, 0, 0], 'exact': true, 'slide': true}"),
     "scene.json:2:69: anchors[0].slide: true is not allowed, expected \"none\", \"a\" or \"b\""},
    {ANCHOR("{'a': 'box', 'b': 'cloth', 'select': {'part': 'left'}, 'exact': true, 'slide': 'b'}"),
     "scene.json:2:28: anchors[0].select: takes nodes of a deformable, and what does not slide is a body"},
    {ANCHOR("{'a': 'box', 'b': 'cloth', 'at': [0, 0, 0], 'exact': true, 'friction': 1}"),
     "scene.json:2:60: anchors[0].friction: is of anchors that slide, expected `slide`"},
    {ANCHOR("{'a': 'box', 'b': 'cloth', 'at': [0, 0, 0], 'ramp_steps': 5}"),
     "scene.json:2:45: anchors[0].ramp_steps: is of exact anchors, expected \"exact\": true"},
    {ANCHOR("{'a': 'box', 'b': 'cloth', 'at': [0, 0, 0], 'exact': true, 'ramp_steps': 0}"),
     "scene.json:2:74: anchors[0].ramp_steps: 0 is not allowed, expected a whole number from 1 to 1000000"},
    {ANCHOR("{'a': 'box', 'b': 'cloth', 'at': [0, 0, 0], 'active_from': -1}"),
     "scene.json:2:60: anchors[0].active_from: -1 is not allowed, expected a number of at least 0 [s]"},
    {ANCHOR("{'a': 'box', 'b': 'cloth', 'at': [0, 0, 0], 'active_from': 3, 'active_until': 2}"),
     "scene.json:2:63: anchors[0].active_until: 2 is not allowed, expected more than `active_from`, 3"},
    {ANCHOR("{'a': 'cloth', 'b': 'previous.box', 'at': [0, 0, 0]}"),
     "scene.json:2:21: anchors[0].b: no body or deformable is called \"previous.box\", expected "
     "\"previous.\" in parts that are repeated only"}};

static void test_anchors_are_checked(void **state)
{
    (void)state;
    check_bad_scenes(anchors, COUNT_OF(anchors));
}

// What is wrong with a thing that failed is not said again by what refers to it.
static void test_an_anchor_to_a_deformable_that_failed_says_nothing(void **state)
{
    (void)state;
    check_refused("{'sinew': 1, 'deformables': [{'name': 'cloth', " SHEET ", 'mass': 0}],\n"
                  "'anchors': [{'a': 'cloth', 'b': 'ground', 'at': [0, 0, 0]}]}",
                  "scene.json", NULL, "scene.json:1:");
    assert_null(strchr(sn_scene_error(), '\n'));
}

// Copies have the same mistake; it is told once.
static void test_a_mistake_in_a_repeated_deformable_is_told_once(void **state)
{
    (void)state;
    check_refused(SOFT("{" SHEET ", 'repeat': {'count': 50}, 'fixed': {'part': 'lft'}}"), "scene.json", NULL,
                  "scene.json:2:");
    assert_null(strchr(sn_scene_error(), '\n'));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deformables_are_checked),
        cmocka_unit_test(test_meshes_of_deformables_are_checked),
        cmocka_unit_test(test_pieces_are_checked),
        cmocka_unit_test(test_selections_of_nodes_are_checked),
        cmocka_unit_test(test_anchors_are_checked),
        cmocka_unit_test(test_an_anchor_to_a_deformable_that_failed_says_nothing),
        cmocka_unit_test(test_a_mistake_in_a_repeated_deformable_is_told_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
