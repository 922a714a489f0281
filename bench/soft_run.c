// A scene running in Sinew or in Bullet.
#include "soft_run.h"

#include "measure.h"

#include <stdlib.h>
#include <string.h>

// --- state -------------------------------------------------------------------------------------------------

static sn_status make_clouds(soft_run *run)
{
    for (int i = 0; i < run->scene->body_count; ++i) {
        soft_cloud *cloud = &run->clouds[i];
        cloud->mesh = run->scene->bodies[i].def.mesh;
        cloud->count = sn_mesh_node_count(cloud->mesh);
        cloud->positions = calloc((size_t)cloud->count, sizeof *cloud->positions);
        cloud->velocities = calloc((size_t)cloud->count, sizeof *cloud->velocities);
        cloud->masses = calloc((size_t)cloud->count, sizeof *cloud->masses);
        if (cloud->positions == NULL || cloud->velocities == NULL || cloud->masses == NULL) {
            return SN_ERROR_MEMORY;
        }
    }
    return SN_OK;
}

static void read_world(soft_run *run)
{
    for (int i = 0; i < run->scene->body_count; ++i) {
        soft_cloud *cloud = &run->clouds[i];
        const sn_node_state *nodes = sn_deformable_nodes(run->world, run->deformables[i]);
        const sn_node_velocity *velocities = sn_deformable_velocities(run->world, run->deformables[i]);
        for (int k = 0; k < cloud->count; ++k) {
            cloud->positions[k] = nodes[k].position;
            cloud->velocities[k] = velocities[k].velocity;
            cloud->masses[k] = nodes[k].inverse_mass > 0.0f ? 1.0f / nodes[k].inverse_mass : 0.0f;
        }
    }
    for (int i = 0; i < run->scene->solid_count; ++i) {
        run->solids[i] = (soft_solid_state){.position = sn_rigid_center(run->world, run->rigids[i]),
                                            .velocity = sn_rigid_linear_velocity(run->world, run->rigids[i]),
                                            .spin = sn_rigid_angular_velocity(run->world, run->rigids[i]),
                                            .rotation = sn_rigid_rotation(run->world, run->rigids[i])};
    }
}

// The two kinds of vectors are laid out alike.
static sn_vec3 vector_from(bullet_vector v)
{
    return sn_v(v.x, v.y, v.z);
}

static bullet_vector vector_for(sn_vec3 v)
{
    return (bullet_vector){v.x, v.y, v.z};
}

static bullet_vector *vectors_for(sn_vec3 *vectors)
{
    return (bullet_vector *)(void *)vectors;
}

static void read_bullet(soft_run *run)
{
    for (int i = 0; i < run->scene->body_count; ++i) {
        soft_cloud *cloud = &run->clouds[i];
        bullet_soft_read(run->bullet, i, vectors_for(cloud->positions), vectors_for(cloud->velocities),
                         cloud->masses);
    }
    for (int i = 0; i < run->scene->solid_count; ++i) {
        bullet_solid_state state = bullet_soft_read_solid(run->bullet, i);
        const float *q = state.rotation;
        run->solids[i] = (soft_solid_state){.position = vector_from(state.position),
                                            .velocity = vector_from(state.velocity),
                                            .spin = vector_from(state.spin),
                                            .rotation = {q[0], q[1], q[2], q[3]}};
    }
}

// Solids are not turned at first.
static void note_ties(soft_run *run)
{
    for (int i = 0; i < run->scene->tie_count; ++i) {
        const soft_tie *tie = &run->scene->ties[i];
        run->tie_arms[i] =
            sn_sub(run->clouds[tie->body].positions[tie->node], run->scene->solids[tie->solid].position);
    }
}

// --- Sinew -------------------------------------------------------------------------------------------------

static sn_status add_shape(sn_world *world, sn_rigid rigid, const soft_solid *solid)
{
    sn_shape_def def = sn_shape_def_default();
    def.friction = solid->friction;
    switch (solid->shape) {
    case SOFT_LUMP:
        def.filter.mask = 0;
        return sn_sphere_add(world, rigid, &def, (sn_sphere){{0.0f, 0.0f, 0.0f}, solid->size.x}, NULL);
    case SOFT_SPHERE:
        return sn_sphere_add(world, rigid, &def, (sn_sphere){{0.0f, 0.0f, 0.0f}, solid->size.x}, NULL);
    case SOFT_BOX:
        return sn_box_add(world, rigid, &def, (sn_box){solid->size}, NULL);
    case SOFT_WHEEL:
    default: {
        sn_capsule capsule = {{0.0f, 0.0f, -solid->size.z}, {0.0f, 0.0f, solid->size.z}, solid->size.x};
        return sn_capsule_add(world, rigid, &def, capsule, NULL);
    }
    }
}

// A wheel weighs as a disc does, whatever its shape.
static sn_status set_mass(sn_world *world, sn_rigid rigid, const soft_solid *solid)
{
    sn_mass mass = sn_rigid_mass(world, rigid);
    mass.inertia = sn_mat3_scale(mass.inertia, solid->mass / mass.mass);
    mass.mass = solid->mass;
    if (solid->shape == SOFT_WHEEL) {
        float axial = 0.5f * solid->mass * solid->size.x * solid->size.x;
        mass.inertia = sn_mat3_diagonal(0.5f * axial, 0.5f * axial, axial);
    }
    return sn_rigid_mass_set(world, rigid, &mass);
}

static sn_status add_axle(sn_world *world, sn_rigid rigid, sn_vec3 position)
{
    sn_hinge_def def = sn_hinge_def_default();
    sn_status status = sn_constraint_place(world, &def.common, sn_world_ground(world), rigid, position,
                                           sn_v(0.0f, 0.0f, 1.0f));
    return status == SN_OK ? sn_hinge_add(world, &def, NULL) : status;
}

static sn_status add_solid(soft_run *run, int index)
{
    const soft_solid *solid = &run->scene->solids[index];
    sn_rigid_def def = sn_rigid_def_default();
    def.type = solid->mass > 0.0f ? SN_DYNAMIC : SN_STATIC;
    def.position = solid->position;
    def.linear_velocity = solid->velocity;
    def.angular_velocity = solid->spin;
    sn_rigid *rigid = &run->rigids[index];
    sn_status status = sn_rigid_add(run->world, &def, rigid);
    if (status == SN_OK) {
        status = add_shape(run->world, *rigid, solid);
    }
    if (status == SN_OK && solid->mass > 0.0f) {
        status = set_mass(run->world, *rigid, solid);
    }
    if (status == SN_OK && solid->shape == SOFT_WHEEL) {
        status = add_axle(run->world, *rigid, solid->position);
    }
    return status;
}

static sn_status place_nodes(soft_run *run, int index)
{
    const soft_body *body = &run->scene->bodies[index];
    sn_node_state *nodes = NULL;
    sn_node_velocity *velocities = NULL;
    sn_status status = SN_OK;
    if (body->places != NULL) {
        status = sn_deformable_edit(run->world, run->deformables[index], &nodes, &velocities);
        for (int i = 0; status == SN_OK && i < run->clouds[index].count; ++i) {
            nodes[i].position = body->places[i];
        }
    }
    for (int i = 0; status == SN_OK && i < body->pin_count; ++i) {
        status = sn_node_fix(run->world, run->deformables[index], body->pins[i], true);
    }
    return status;
}

static sn_status add_tie(soft_run *run, int index)
{
    const soft_tie *tie = &run->scene->ties[index];
    sn_anchor_def def = sn_anchor_def_default();
    sn_vec3 place = sn_deformable_nodes(run->world, run->deformables[tie->body])[tie->node].position;
    def.a = sn_point_on_rigid(run->world, run->rigids[tie->solid], place);
    def.b = sn_point_node(run->deformables[tie->body], tie->node);
    return sn_anchor_add(run->world, &def, &run->anchors[index]);
}

static sn_status add_floor(sn_world *world, float friction)
{
    sn_shape_def def = sn_shape_def_default();
    def.friction = friction;
    return sn_plane_add(world, sn_world_ground(world), &def, (sn_plane){{0.0f, 1.0f, 0.0f}, 0.0f}, NULL);
}

sn_status soft_run_open(soft_run *run, const soft_scene *scene, const sn_world_def *settings)
{
    *run = (soft_run){.scene = scene};
    sn_world_def def = *settings;
    if (scene->no_gravity) {
        def.gravity = sn_v(0.0f, 0.0f, 0.0f);
    }
    sn_status status = sn_world_create(&def, &run->world);
    if (status == SN_OK) {
        status = make_clouds(run);
    }
    if (status == SN_OK && scene->floor) {
        status = add_floor(run->world, scene->floor_friction);
    }
    for (int i = 0; i < scene->solid_count && status == SN_OK; ++i) {
        status = add_solid(run, i);
    }
    for (int i = 0; i < scene->body_count && status == SN_OK; ++i) {
        status = sn_deformable_add(run->world, &scene->bodies[i].def, &run->deformables[i]);
        if (status == SN_OK) {
            status = place_nodes(run, i);
        }
    }
    for (int i = 0; i < scene->tie_count && status == SN_OK; ++i) {
        status = add_tie(run, i);
    }
    if (status == SN_OK) {
        read_world(run);
        note_ties(run);
    }
    return status;
}

// --- Bullet ------------------------------------------------------------------------------------------------

static bool add_bullet_body(soft_run *run, int index)
{
    const soft_body *body = &run->scene->bodies[index];
    const sn_mesh *mesh = body->def.mesh;
    soft_cloud *cloud = &run->clouds[index];
    for (int i = 0; i < cloud->count; ++i) {
        cloud->positions[i] =
            body->places != NULL ? body->places[i] : sn_pose_apply(body->def.pose, sn_mesh_nodes(mesh)[i]);
    }
    bullet_soft_def def = {.nodes = vectors_for(cloud->positions),
                           .node_count = cloud->count,
                           .edges = sn_mesh_edges(mesh),
                           .edge_count = sn_mesh_edge_count(mesh),
                           .triangles = sn_mesh_triangles(mesh),
                           .triangle_count = sn_mesh_triangle_count(mesh),
                           .tetrahedra = sn_mesh_tetrahedra(mesh),
                           .tetrahedron_count = sn_mesh_tetrahedron_count(mesh),
                           .pins = body->pins,
                           .pin_count = body->pin_count,
                           .mass = body->def.mass,
                           .margin = 0.5f * body->def.thickness,
                           .friction = body->def.friction,
                           .stretch = body->bullet.stretch,
                           .bend = body->bullet.bend,
                           .volume = body->bullet.volume,
                           .pose = body->bullet.pose,
                           .damping = body->bullet.damping};
    return bullet_soft_add(run->bullet, &def);
}

static void add_bullet_solid(soft_run *run, int index)
{
    const soft_solid *solid = &run->scene->solids[index];
    static const bullet_solid_kind kinds[] = {[SOFT_SPHERE] = BULLET_SPHERE,
                                              [SOFT_BOX] = BULLET_BOX,
                                              [SOFT_WHEEL] = BULLET_WHEEL,
                                              [SOFT_LUMP] = BULLET_LUMP};
    bullet_solid_def def = {.kind = kinds[solid->shape],
                            .size = vector_for(solid->size),
                            .position = vector_for(solid->position),
                            .velocity = vector_for(solid->velocity),
                            .mass = solid->mass,
                            .friction = solid->friction};
    bullet_soft_add_solid(run->bullet, &def);
}

bool soft_run_open_bullet(soft_run *run, const soft_scene *scene, int slices, int iterations)
{
    *run = (soft_run){.scene = scene, .bullet_slices = slices};
    run->bullet = bullet_soft_create(scene->no_gravity ? 0.0f : -9.81f, iterations);
    if (run->bullet == NULL || make_clouds(run) != SN_OK) {
        return false;
    }
    if (scene->floor) {
        bullet_soft_add_floor(run->bullet, scene->floor_friction);
    }
    for (int i = 0; i < scene->solid_count; ++i) {
        add_bullet_solid(run, i);
    }
    for (int i = 0; i < scene->body_count; ++i) {
        if (!add_bullet_body(run, i)) {
            return false;
        }
    }
    for (int i = 0; i < scene->tie_count; ++i) {
        bullet_soft_tie(run->bullet, scene->ties[i].body, scene->ties[i].node, scene->ties[i].solid);
    }
    read_bullet(run);
    note_ties(run);
    return true;
}

// --- both --------------------------------------------------------------------------------------------------

sn_status soft_run_step(soft_run *run)
{
    sn_status status = SN_OK;
    double start = bench_cpu_clock();
    if (run->world != NULL) {
        status = sn_world_step(run->world, SOFT_STEP);
    } else {
        for (int i = 0; i < run->bullet_slices; ++i) {
            bullet_soft_step(run->bullet, SOFT_STEP / (float)run->bullet_slices);
        }
    }
    run->last_time = bench_cpu_clock() - start;
    run->total_time += run->last_time;
    run->worst_time = run->last_time > run->worst_time ? run->last_time : run->worst_time;
    run->steps_done += 1;
    if (run->world != NULL) {
        read_world(run);
    } else {
        read_bullet(run);
    }
    return status;
}

double soft_run_mean_time(const soft_run *run)
{
    return run->steps_done > 0 ? run->total_time / run->steps_done : 0.0;
}

void soft_run_close(soft_run *run)
{
    for (int i = 0; i < SOFT_MAX_BODIES; ++i) {
        free(run->clouds[i].positions);
        free(run->clouds[i].velocities);
        free(run->clouds[i].masses);
    }
    sn_world_destroy(run->world);
    bullet_soft_destroy(run->bullet);
    *run = (soft_run){0};
}
