// Deformables by themselves, and tied to bodies.
#include "support/scene_builder.h"
#include "support/scenes.h"

// --- cloth -------------------------------------------------------------------------------------------------

enum { CLOTH_CELLS = 20 };
static const float cloth_size = 1.0f;

// In the plane z = 0, its upper corners fixed; it is released flat and leans away a little.
sn_status scene_build_hanging_cloth(sn_world *world)
{
    sn_mesh *mesh = NULL;
    sn_status status =
        sn_mesh_grid(cloth_size, cloth_size, CLOTH_CELLS, CLOTH_CELLS, SN_GRID_ALTERNATING, &mesh);
    sn_deformable cloth = {0};
    if (status == SN_OK) {
        sn_deformable_def def = sn_deformable_def_default();
        def.mesh = mesh;
        def.mass = 0.2f;
        def.inextensible.on = true;
        def.inextensible.side = SN_HOLD_STRETCH;
        def.linear_damping = 0.2f;
        def.pose.rotation = sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), 0.9f);
        def.angular_velocity = sn_v(0.0f, 0.5f, 0.0f);
        status = sn_deformable_add(world, &def, &cloth);
    }
    const int corners[2] = {CLOTH_CELLS * (CLOTH_CELLS + 1), (CLOTH_CELLS + 1) * (CLOTH_CELLS + 1) - 1};
    for (int i = 0; i < 2 && status == SN_OK; ++i) {
        status = sn_node_fix(world, cloth, corners[i], true);
    }
    sn_mesh_destroy(mesh);
    return status;
}

// One corner goes round a circle of 10 cm every 4 s.
sn_status scene_drive_hanging_cloth(sn_world *world, int step)
{
    sn_deformable cloth;
    if (sn_world_deformables(world, &cloth, 1) != 1) {
        return SN_ERROR_NAME;
    }
    int corner = CLOTH_CELLS * (CLOTH_CELLS + 1);
    float turn = 2.0f * SN_PI * (float)(step % 240) / 240.0f,
          next = 2.0f * SN_PI * (float)(step % 240 + 1) / 240.0f;
    sn_vec3 displacement =
        sn_v(0.1f * (sn_cos(next) - sn_cos(turn)), 0.0f, 0.1f * (sn_sin(next) - sn_sin(turn)));
    sn_vec3 place = sn_deformable_nodes(world, cloth)[corner].position;
    return sn_node_target_set(world, cloth, corner, sn_add(place, displacement));
}

// --- jellies -----------------------------------------------------------------------------------------------

static sn_deformable add_jelly(scene_builder *builder, const sn_mesh *mesh, sn_vec3 position, sn_vec3 spin)
{
    sn_deformable jelly = {0};
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.pose.position = position;
    def.angular_velocity = spin;
    def.linear_velocity = sn_cross(spin, position); // about the world's origin
    def.model = sn_model_corotational(5.0e4f, 0.4f);
    def.gravity_scale = 0.0f;
    if (builder->status == SN_OK) {
        builder->status = sn_deformable_add(builder->world, &def, &jelly);
    }
    return jelly;
}

static void tie(scene_builder *builder, sn_point a, sn_point b)
{
    sn_anchor_def def = sn_anchor_def_default();
    def.a = a;
    def.b = b;
    if (builder->status == SN_OK) {
        builder->status = sn_anchor_add(builder->world, &def, NULL);
    }
}

static sn_rigid add_rod(scene_builder *builder, sn_vec3 position, sn_vec3 spin)
{
    sn_rigid rod =
        scene_box(builder, scene_at(position.x, position.y, position.z), sn_v(0.3f, 0.03f, 0.03f), 1000.0f);
    if (builder->status == SN_OK) {
        builder->status = sn_rigid_gravity_scale_set(builder->world, rod, 0.0f);
    }
    if (builder->status == SN_OK) {
        builder->status = sn_rigid_linear_velocity_set(builder->world, rod, sn_cross(spin, position));
    }
    if (builder->status == SN_OK) {
        builder->status = sn_rigid_angular_velocity_set(builder->world, rod, spin);
    }
    return rod;
}

// Jellies 1 m apart along x, with a rod between each two, all turning about the origin as one body; and apart
// from them a strand with a ball at its end, which swings.
sn_status scene_build_jelly_and_rods(sn_world *world)
{
    scene_builder builder = {world, SN_OK};
    sn_vec3 spin = {0.3f, 0.5f, 2.0f};
    sn_mesh *cube = NULL, *line = NULL;
    builder.status = sn_mesh_box(sn_v(0.4f, 0.4f, 0.4f), 3, 3, 3, &cube);
    sn_deformable jellies[3];
    for (int i = 0; i < 3; ++i) {
        jellies[i] = add_jelly(&builder, cube, sn_v((float)(i - 1), 0.0f, 0.0f), spin);
    }
    for (int i = 0; i < 2; ++i) {
        sn_rigid rod = add_rod(&builder, sn_v((float)i - 0.5f, 0.0f, 0.0f), spin);
        for (int end = 0; end < 2; ++end) {
            sn_vec3 place = sn_v((float)(i + end - 1) + (end == 0 ? 0.2f : -0.2f), 0.0f, 0.0f);
            tie(&builder, sn_point_on_rigid(world, rod, place),
                sn_point_on_deformable(world, jellies[i + end], place));
        }
    }
    if (builder.status == SN_OK) {
        builder.status = sn_mesh_line(1.0f, 16, &line);
    }
    sn_deformable_def def = sn_deformable_def_default();
    sn_deformable rope = {0};
    def.mesh = line;
    def.density = 0.1f;
    def.inextensible.on = true;
    def.pose.position = sn_v(0.5f, 3.0f, 0.0f);
    if (builder.status == SN_OK) {
        builder.status = sn_deformable_add(world, &def, &rope);
    }
    sn_rigid ball = scene_sphere(&builder, scene_at(1.1f, 3.0f, 0.0f), 0.1f);
    tie(&builder, sn_point_world(sn_v(0.0f, 3.0f, 0.0f)), sn_point_node(rope, 0));
    tie(&builder, sn_point_on_rigid(world, ball, sn_v(1.0f, 3.0f, 0.0f)), sn_point_node(rope, 16));
    sn_mesh_destroy(cube);
    sn_mesh_destroy(line);
    return builder.status;
}
