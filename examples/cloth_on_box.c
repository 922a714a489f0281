// A cloth lies on a box that moves to and fro; the force between them is measured in every step.
#include "example.h"

#define CELLS 24

static sn_deformable add_cloth(sn_world *world)
{
    sn_mesh *mesh = NULL;
    must(NULL, sn_mesh_grid(1.2f, 1.2f, CELLS, CELLS, SN_GRID_ALTERNATING, &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.name = "cloth";
    // Grids are made upright, in the plane of x and y.
    def.pose = (sn_pose){sn_v(0.0f, 0.75f, 0.0f), sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), -0.5f * SN_PI)};
    def.density = 0.3f; // kg/m²
    def.inextensible.on = true;
    def.bending.type = SN_BENDING_ISOMETRIC;
    def.bending.stiffness = 1e-4f;
    def.thickness = 0.01f;
    def.friction = 0.8f;
    def.linear_damping = 0.5f;
    sn_deformable cloth;
    must(world, sn_deformable_add(world, &def, &cloth));
    sn_mesh_destroy(mesh); // the cloth keeps it
    return cloth;
}

// A kinematic body goes where its velocity says, whatever touches it.
static sn_rigid add_box(sn_world *world)
{
    sn_rigid_def def = sn_rigid_def_default();
    def.type = SN_KINEMATIC;
    def.name = "box";
    def.position = sn_v(0.0f, 0.5f, 0.0f);
    sn_rigid box;
    must(world, sn_rigid_add(world, &def, &box));
    must(world, sn_box_add(world, box, NULL, (sn_box){.half_extents = {0.3f, 0.2f, 0.3f}}, NULL));
    return box;
}

// The force of the box on the cloth in the last step. [N]
static sn_vec3 force_between(const sn_world *world, sn_deformable cloth, float duration)
{
    static sn_soft_contact contacts[16384];
    int count = sn_deformable_contacts(world, cloth, contacts, 16384);
    sn_vec3 sum = sn_v(0.0f, 0.0f, 0.0f);
    for (int i = 0; i < count && i < 16384; ++i) {
        if (contacts[i].rigid.index != 0) {
            sum = sn_add(sum, sn_scale(contacts[i].normal, contacts[i].normal_impulse));
            sum = sn_add(sum, contacts[i].friction_impulse);
        }
    }
    return sn_scale(sum, 1.0f / duration);
}

int main(void)
{
    const float step = 1.0f / 60.0f;
    sn_world *world = world_with_floor();
    sn_deformable cloth = add_cloth(world);
    sn_rigid box = add_box(world);
    film film = film_begin(world, "cloth_on_box.recording");
    for (int frame = 0; frame < 300; ++frame) {
        float time = (float)frame * step;
        float speed = time < 2.0f ? 0.0f : 0.4f * sn_sin(2.0f * (time - 2.0f));
        must(world, sn_rigid_linear_velocity_set(world, box, sn_v(speed, 0.0f, 0.0f)));
        film_step(&film, step);
        if (frame % 30 == 29) {
            sn_vec3 force = force_between(world, cloth, step);
            printf("%.1f s: box at %5.2f m, force on the cloth %5.2f N along, %5.2f N up\n",
                   (double)(time + step), (double)sn_rigid_position(world, box).x, (double)force.x,
                   (double)force.y);
        }
    }
    film_end(&film);
    sn_world_destroy(world);
}
