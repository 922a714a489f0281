// Copies bodies, rigid and deformable, by what the world tells of them.
// Tested by tests/scene/sections/test_section_events.c.
#include "scene/body_copy.h"

#include "scene/scene_parts.h"

static sn_status copy_shape(sn_world *world, sn_shape like, sn_rigid rigid, sn_shape *shape)
{
    sn_shape_def def = sn_shape_definition(world, like);
    switch (sn_shape_get_type(world, like)) {
    case SN_SPHERE:
        return sn_sphere_add(world, rigid, &def, sn_shape_sphere(world, like), shape);
    case SN_CAPSULE:
        return sn_capsule_add(world, rigid, &def, sn_shape_capsule(world, like), shape);
    case SN_BOX:
        return sn_box_add(world, rigid, &def, sn_shape_box(world, like), shape);
    case SN_PLANE:
        return sn_plane_add(world, rigid, &def, sn_shape_plane(world, like), shape);
    case SN_HULL:
        return sn_hull_add(world, rigid, &def, sn_shape_hull(world, like), shape);
    case SN_SURFACE:
        return sn_surface_add(world, rigid, &def, sn_shape_surface(world, like), shape);
    default:
        return sn_compound_add(world, rigid, &def, sn_shape_compound(world, like), shape);
    }
}

static sn_status copy_shapes(sn_scene *scene, sn_rigid like, sn_rigid rigid)
{
    sn_world *world = scene->world;
    int count = sn_rigid_shapes(world, like, NULL, 0);
    sn_shape *shapes = malloc(((size_t)count + 1) * sizeof *shapes);
    sn_status status = shapes != NULL ? SN_OK : SN_ERROR_MEMORY;
    count = shapes != NULL ? sn_rigid_shapes(world, like, shapes, count) : 0;
    for (int i = 0; i < count && status == SN_OK; ++i) {
        sn_shape shape;
        sn_color color;
        status = copy_shape(world, shapes[i], rigid, &shape);
        if (status == SN_OK && sn_scene_painted(scene, shapes[i], &color) &&
            !sn_scene_paint(scene, shape, color)) {
            status = SN_ERROR_MEMORY;
        }
    }
    free(shapes);
    return status;
}

sn_status sn_body_copy(sn_scene *scene, sn_rigid like, sn_pose pose, sn_vec3 velocity)
{
    sn_world *world = scene->world;
    sn_rigid_def def = sn_rigid_definition(world, like);
    def.name = NULL;
    def.position = pose.position;
    def.rotation = pose.rotation;
    def.linear_velocity = velocity;
    def.angular_velocity = sn_v(0.0f, 0.0f, 0.0f);
    sn_rigid rigid;
    sn_status status = sn_rigid_add(world, &def, &rigid);
    if (status != SN_OK) {
        return status;
    }
    status = copy_shapes(scene, like, rigid);
    if (status == SN_OK && sn_rigid_mass_is_set(world, like)) {
        sn_mass mass = sn_rigid_mass(world, like);
        status = sn_rigid_mass_set(world, rigid, &mass);
    }
    if (status == SN_OK && sn_rigid_get_type(world, rigid) != SN_STATIC) {
        status = sn_rigid_linear_velocity_set(world, rigid, velocity);
    }
    if (status != SN_OK) {
        (void)sn_rigid_remove(world, rigid);
    }
    return status;
}

// --- deformables -------------------------------------------------------------------------------------------

// Masses of single nodes, which a definition does not tell; null without memory.
static float *masses_of(const sn_world *world, sn_deformable deformable)
{
    int count = sn_deformable_node_count(world, deformable);
    const sn_node_state *nodes = sn_deformable_nodes(world, deformable);
    float *masses = malloc(((size_t)count + 1) * sizeof *masses);
    for (int i = 0; masses != NULL && i < count; ++i) {
        masses[i] = nodes[i].inverse_mass > 0.0f ? 1.0f / nodes[i].inverse_mass : 0.0f;
    }
    return masses;
}

sn_status sn_deformable_copy(sn_scene *scene, sn_deformable like, sn_pose pose, sn_vec3 velocity)
{
    sn_world *world = scene->world;
    float *masses = masses_of(world, like);
    if (masses == NULL) {
        return SN_ERROR_MEMORY;
    }
    sn_deformable_def def = sn_deformable_definition(world, like);
    def.name = NULL;
    def.pose = pose;
    def.linear_velocity = velocity;
    def.angular_velocity = sn_v(0.0f, 0.0f, 0.0f);
    def.node_masses = masses;
    sn_deformable copy;
    sn_status status = sn_deformable_add(world, &def, &copy);
    free(masses);
    sn_color color;
    if (status == SN_OK && ((sn_scene_painted_deformable(scene, like, &color) &&
                             !sn_scene_paint_deformable(scene, copy, color)) ||
                            !sn_scene_set_opacity(scene, copy, sn_scene_deformable_opacity(scene, like)))) {
        (void)sn_deformable_remove(world, copy);
        status = SN_ERROR_MEMORY;
    }
    return status;
}
