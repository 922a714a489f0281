// Scenes of deformable and rigid bodies as plain lists of things, so that Sinew and Bullet are given the same
// ones and are measured by the same code. Gravity is 9.81 m/s² along −y; the floor, if any, is y = 0.
#ifndef BENCH_SOFT_SCENE_H
#define BENCH_SOFT_SCENE_H

#include "sinew/sinew.h"

enum { SOFT_MAX_BODIES = 16, SOFT_MAX_SOLIDS = 112, SOFT_MAX_TIES = 8, SOFT_MAX_PINS = 256 };

/// Steps of all these scenes [s].
#define SOFT_STEP 0.02f

typedef enum soft_solid_shape {
    SOFT_SPHERE, ///< size.x is the radius
    SOFT_BOX,    ///< half extents
    SOFT_WHEEL,  ///< a capsule along z, turning freely about it: size.x radius, size.z half its length
    SOFT_LUMP    ///< a ball that touches nothing: size.x is the radius
} soft_solid_shape;

typedef struct soft_solid {
    soft_solid_shape shape;
    sn_vec3 size;
    float mass; ///< 0 for a static one [kg]
    sn_vec3 position, velocity;
    sn_vec3 spin;   ///< [rad/s]
    float friction; ///< of every pair it is part of that has the same
} soft_solid;

/// How Bullet is to hold a body in shape; found by hand, see soft_scenes.c.
typedef struct soft_bullet_material {
    float stretch, bend, volume; ///< 0…1 each, stiffness of links, of bending links, of volume
    float pose;                  ///< 0…1, shape matching
    float damping;
} soft_bullet_material;

typedef struct soft_body {
    sn_deformable_def def;   ///< mesh, pose and mass; and what holds it in shape in Sinew
    const sn_vec3 *places;   ///< where the nodes are, instead of the mesh at its pose; null for that
    int pins[SOFT_MAX_PINS]; ///< fixed nodes
    int pin_count;
    soft_bullet_material bullet;
} soft_body;

/// A node held to the place of a solid where it is at first.
typedef struct soft_tie {
    int body, node, solid;
} soft_tie;

typedef struct soft_scene {
    bool floor;
    float floor_friction;
    bool no_gravity;
    float drop; ///< S2: how far the bar falls [m]
    int body_count, solid_count, tie_count;
    soft_body bodies[SOFT_MAX_BODIES];
    soft_solid solids[SOFT_MAX_SOLIDS];
    soft_tie ties[SOFT_MAX_TIES];
    sn_mesh *meshes[SOFT_MAX_BODIES]; ///< owned
    int mesh_count;
    sn_vec3 *owned_places;
} soft_scene;

/// Adds a body of a mesh, which the scene takes over and which more bodies may use, with all else default.
/// The scene's arrays are large enough for all scenes there are.
soft_body *soft_scene_body(soft_scene *scene, sn_mesh *mesh, sn_vec3 position, float mass);
soft_solid *soft_scene_solid(soft_scene *scene, soft_solid_shape shape, sn_vec3 size, float mass,
                             sn_vec3 position);
void soft_scene_release(soft_scene *scene);

#endif
