// Putting scenes together.
#include "soft_scene.h"

#include <stdlib.h>

static void own_mesh(soft_scene *scene, sn_mesh *mesh)
{
    for (int i = 0; i < scene->mesh_count; ++i) {
        if (scene->meshes[i] == mesh) {
            return;
        }
    }
    scene->meshes[scene->mesh_count++] = mesh;
}

soft_body *soft_scene_body(soft_scene *scene, sn_mesh *mesh, sn_vec3 position, float mass)
{
    own_mesh(scene, mesh);
    soft_body *body = &scene->bodies[scene->body_count++];
    body->def = sn_deformable_def_default();
    body->def.thickness = 0.01f; // Bullet's margin is half of it
    body->def.mesh = mesh;
    body->def.pose.position = position;
    body->def.mass = mass;
    return body;
}

soft_solid *soft_scene_solid(soft_scene *scene, soft_solid_shape shape, sn_vec3 size, float mass,
                             sn_vec3 position)
{
    soft_solid *solid = &scene->solids[scene->solid_count++];
    *solid = (soft_solid){.shape = shape, .size = size, .mass = mass, .position = position, .friction = 0.5f};
    return solid;
}

void soft_scene_release(soft_scene *scene)
{
    for (int i = 0; i < scene->mesh_count; ++i) {
        sn_mesh_destroy(scene->meshes[i]);
    }
    free(scene->owned_places);
    *scene = (soft_scene){0};
}
