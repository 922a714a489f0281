// A scene with some of everything, for saving and loading. Include after scene_kit.h.
#ifndef TESTS_SCENE_RICH_SCENE_H
#define TESTS_SCENE_RICH_SCENE_H

#include "scene/scene_kit.h"

// In pieces, because C promises no longer texts.
static const char rich_begin[] =
    "{'sinew': 1, 'title': 'Rich', 'description': 'Some of everything', 'step': 0.015625, 'duration': 3,"
    " 'world': {'sub_steps': 4, 'sleep_time': 0.3}, 'categories': ['wheel', 'ghost'],"
    " 'materials': [{'name': 'oak', 'density': 700, 'friction': 0.4, 'color': '#9c6644'}],"
    " 'shapes': [{'name': 'wedge', 'type': 'hull', 'points': [[0, 0, 0], [0.5, 0, 0.1], [0, 0.6, 0], [0.1, "
    "0, 0.7]]}],"
    " 'bodies': ["
    // The ground, and a hill of triangles.
    "{'name': 'ground', 'color': 'gray', 'shapes': [{'type': 'plane', 'normal': [0.1, 3, 0.2]},"
    " {'type': 'box', 'size': [1, 1, 1], 'position': [9, 0.5, 0], 'rotation': {'axis': [1, 2, 3], 'angle': "
    "10}}]},"
    "{'type': 'static', 'position': [0, 0, 12], 'rotation': {'axis': [0, 1, 0], 'angle': 33}, 'shape': "
    "{'type': 'mesh',"
    " 'double_sided': true, 'vertices': [[-3, 0.2, -3], [3, 0.1, -3], [-3, 0.4, 3], [3, 0, 3], [0, -0.1, 0]],"
    " 'triangles': [[0, 4, 1], [1, 4, 3], [3, 4, 2], [2, 4, 0]]}},"
    // Bodies that fall, roll, and lie off their centres.
    "{'name': 'rock', 'position': [0.3, 1, 12], 'shape': {'type': 'shared', 'shape': 'wedge', 'material': "
    "'oak'},"
    " 'repeat': {'count': 3, 'offset': [0.2, 0.9, 0.1], 'rotation': {'axis': [1, 1, 0], 'angle': 40}}},"
    "{'position': [4, 2, 0], 'angular_velocity': [1, 2, 3], 'linear_velocity': [0.1, 0.2, 0.3], 'shapes': ["
    " {'type': 'sphere', 'radius': 0.2, 'position': [0.5, 0.1, 0], 'color': '#112233'},"
    " {'type': 'capsule', 'radius': 0.1, 'a': [0, 0, 0], 'b': [0, 0.7, 0.1], 'restitution': 0.3},"
    " {'type': 'cylinder', 'height': 0.4, 'radius': 0.2, 'sides': 7, 'position': [0, 0, 0.4],"
    "  'rotation': {'axis': [1, 0, 1], 'angle': 70}}], 'label': 'unnamed'},"
    "{'name': 'hammer', 'position': [6, 1.5, 0], 'bullet': true, 'gravity_scale': 0.5, 'shape': {'type': "
    "'compound',"
    " 'density': 300, 'rolling_resistance': 0.01, 'parts': [{'type': 'capsule', 'radius': 0.1, 'length': 1},"
    " {'type': 'box', 'size': [0.6, 0.2, 0.3], 'position': [0, 0.6, 0], 'rotation': {'axis': [0, 0, 1], "
    "'angle': 12}},"
    " {'type': 'hull', 'points': [[0, 0, 0], [0.3, 0, 0], [0, 0.3, 0], [0, 0, 0.3]], 'position': [0.1, -0.5, "
    "0]}]}},"
    "{'name': 'odd', 'position': [-4, 1, 0], 'locks': ['z', 'rotation_x'], 'linear_damping': 0.1, "
    "'angular_damping': 0.2,"
    " 'mass_properties': {'mass': 3, 'center': [0.1, 0.05, -0.02], 'inertia': [0.3, 0.4, 0.5],"
    " 'products': [0.01, 0.02, 0.03]}, 'shape': {'type': 'box', 'size': [1, 0.5, 0.7], 'category': 'wheel',"
    " 'collides_with': ['default', 'ghost'], 'group': -2, 'hit_events': true, 'contact_events': false,"
    " 'surface_velocity': [0.1, 0, 0.2]}},"
    "{'name': 'turntable', 'type': 'kinematic', 'position': [-8, 0.5, 0], 'angular_velocity': [0, 1, 0],"
    " 'shapes': [{'type': 'box', 'size': [2, 0.2, 2]}, {'type': 'sphere', 'radius': 1.5, 'sensor': true}]},"
    // Bodies at rest, two of which begin asleep.
    "{'name': 'box', 'position': [0, 0.3, -5], 'awake': false, 'shape': {'type': 'box', 'size': [0.5, 0.5, "
    "0.5]},"
    " 'repeat': {'count': 2, 'offset': [2, 0, 0]}},"
    "{'name': 'still', 'position': [5, 0.6, -5], 'allow_sleep': false, 'mass': 2,"
    " 'shape': {'type': 'box', 'size': [0.5, 0.5, 0.5]}}],";

// A row of pendulums, one of each kind; and views.
static const char rich_end[] =
    " 'parts': [{'name': 'row', 'position': [0, 5, -10], 'rotation': {'axis': [0, 1, 0], 'angle': 20},"
    " 'bodies': [{'name': 'bob', 'position': [0.5, -1, 0], 'linear_velocity': [0.5, 0, 0.2], 'shape': "
    "{'type': 'box',"
    " 'size': [0.3, 0.4, 0.5], 'position': [0.1, 0, 0]}, 'repeat': {'count': 9, 'offset': [1.5, 0, 0]}}],"
    " 'joints': [{'name': 'ball', 'type': 'ball', 'a': 'ground', 'b': 'bob[0]', 'at': [0, 0, 0], 'cone': 60,"
    " 'twist': [-10, 70], 'axis': [0, -1, 0]},"
    " {'name': 'hinge', 'type': 'hinge', 'a': 'ground', 'b': 'bob[1]', 'at': [1.5, 0, 0], 'axis': [0, 1, 1],"
    "  'limits': [-100, 80], 'motor': {'speed': 1, 'torque': 5}, 'spring': {'stiffness': 2, 'damping': 0.1, "
    "'angle': 20}},"
    " {'type': 'slider', 'a': 'ground', 'b': 'bob[2]', 'at': [3, 0, 0], 'axis': [0, 1, 0.3], 'limits': "
    "[-0.5, 0.7],"
    "  'motor': {'speed': -0.3}, 'spring': {'stiffness': 50, 'damping': 2, 'travel': 0.1}},"
    " {'type': 'fixed', 'a': 'bob[2]', 'b': 'bob[3]', 'at': [4, 0, 0], 'compliance': 1e-4, "
    "'angular_compliance': 1e-3,"
    "  'damping': 3, 'angular_damping': 4, 'break_force': 5000, 'break_torque': 600, 'collide_connected': "
    "true},"
    " {'name': 'rod', 'type': 'distance', 'a': 'ground', 'b': 'bob[4]', 'from': [6, 0.5, 0], 'to': [6.5, -1, "
    "0]},"
    " {'type': 'distance', 'a': 'bob[4]', 'b': 'bob[5]', 'from': [6, -1, 0], 'to': [8, -1, 0], 'rope': 2.5},"
    " {'type': 'distance', 'a': 'ground', 'b': 'bob[6]', 'from': [9, 0, 0], 'to': [9.5, -1, 0], 'limits': "
    "[0.5, 1.5]},"
    " {'name': 'spring', 'type': 'distance', 'a': 'ground', 'b': 'bob[7]', 'from': [11, 0, 0], 'to': [11, "
    "-1, 0],"
    "  'spring': {'stiffness': 900, 'damping': 5}},"
    " {'type': 'distance', 'a': 'ground', 'b': 'bob[8]', 'from': [12, 0, 0], 'to': [12, -1, 0], 'rope': 3,"
    "  'spring': {'stiffness': 30, 'length': 0.8}}]}],"
    " 'deformables': [{'name': 'sail', 'position': [-12, 4, 0], 'rotation': {'axis': [1, 0, 0], 'angle': 33},"
    " 'mesh': {'type': 'grid', 'width': 1, 'height': 0.8, 'columns': 4, 'rows': 3}, 'density': 0.3, 'drag': "
    "1,"
    " 'inextensible': {'side': 'stretch'}, 'bending': {'type': 'isometric', 'stiffness': 1e-4}, 'color': "
    "'teal',"
    " 'category': 'ghost', 'fixed': {'part': 'left', 'every': 3}, 'repeat': {'count': 2, 'offset': [0, 0, "
    "2]}},"
    " {'position': [-12, 0.6, 5], 'mesh': {'type': 'box', 'size': [0.6, 0.6, 0.6], 'cells': [2, 2, 2]}, "
    "'mass': 4,"
    " 'model': {'type': 'corotational', 'young': 4000, 'poisson': 0.4, 'damping': 0.02}}],"
    " 'anchors': [{'a': 'sail[0]', 'b': 'sail[1]', 'select': {'part': 'top', 'every': 2}, 'compliance': "
    "0.01},"
    " {'name': 'tie', 'a': 'sail[1]', 'b': 'still', 'nodes_a': [[4, 0.5], [9, 0.5]], 'point_b': [0, 0.2, 0],"
    "  'compliance': 1, 'damping': 0.1}],"
    " 'cameras': [{'name': 'main', 'eye': [5, 4, 20], 'target': [0, 1, 0], 'follow': 'hammer'},"
    " {'eye': [0, 20, 0.1], 'target': [0, 0, 0], 'up': [1, 0, 0], 'field_of_view': 50, 'orbit': 20}],"
    " 'labels': [{'text': 'a rock', 'body': 'rock[1]', 'at': [0, 0.2, 0], 'color': 'red'}, {'text': "
    "'nowhere'}],"
    " 'probes': [{'value': 'energy'}, {'name': 'p', 'body': 'row.bob[3]', 'value': 'position.y'},"
    " {'joint': 'row.hinge', 'value': 'angle'}, {'joint': 'row.rod', 'value': 'force'}]}";

static inline sn_scene *rich_scene(void)
{
    char text[sizeof rich_begin + sizeof rich_end];
    snprintf(text, sizeof text, "%s%s", rich_begin, rich_end);
    return scene_of(text);
}

// The same a second and a half later: some bodies asleep, some in contact, some in the air.
static inline sn_scene *rich_scene_later(void)
{
    sn_scene *scene = rich_scene();
    step_scene(scene, 100);
    return scene;
}

#endif
