// A kind of constraint of one's own: a bead on a hoop. Its one function says what is zero (C) and how that
// changes with the motion of the two ends (the gradient); solving, forces and breaking follow from it.
#include "example.h"

#include <string.h>

typedef struct hoop {
    float radius; // [m]
} hoop;

// Two rows: the distance from the hoop's centre, and the height over its plane, both of b in the frame of a.
static int hoop_rows(const sn_row_input *input, const void *data, sn_row *rows)
{
    hoop hoop;
    memcpy(&hoop, data, sizeof hoop);
    sn_vec3 between = sn_sub(input->frame[1].position, input->frame[0].position);
    sn_vec3 normal = sn_rotate(input->frame[0].rotation, (sn_vec3){0, 0, 1});
    float height = sn_dot(between, normal);
    sn_vec3 across = sn_sub(between, sn_scale(normal, height));
    float distance = sn_length(across);
    // In the very centre any direction within the plane will do.
    sn_vec3 outwards = distance > 0.0f ? sn_scale(across, 1.0f / distance) : sn_perpendicular(normal);
    const sn_vec3 direction[2] = {outwards, normal};
    const float value[2] = {distance - hoop.radius, height};
    for (int i = 0; i < 2; ++i) {
        rows[i].type = SN_ROW_EQUAL;
        rows[i].value = value[i];
        // Both ends are pushed along one line, through the point of b: no net force, no net torque.
        rows[i].linear[0] = sn_neg(direction[i]);
        rows[i].linear[1] = direction[i];
        rows[i].angular[0] = sn_neg(sn_cross(sn_add(input->arm[0], between), direction[i]));
        rows[i].angular[1] = sn_cross(input->arm[1], direction[i]);
    }
    return 2;
}

int main(void)
{
    sn_world *world = world_with_floor();
    must(world, sn_custom_register(world, "hoop", hoop_rows, sizeof(hoop)));
    sn_rigid bead;
    sn_rigid_def body = sn_rigid_def_default();
    body.position = sn_v(0.6f, 2.8f, 0.0f);
    must(world, sn_rigid_add(world, &body, &bead));
    must(world, sn_sphere_add(world, bead, NULL, (sn_sphere){.radius = 0.05f}, NULL));

    hoop size = {1.0f};
    sn_constraint held;
    sn_custom_def def = sn_custom_def_default();
    def.kind_name = "hoop";
    def.data = &size;
    def.common.a = sn_point_world(sn_v(0.0f, 2.0f, 0.0f));
    def.common.b = sn_point_rigid(bead, sn_v(0.0f, 0.0f, 0.0f));
    must(world, sn_custom_add(world, &def, &held));
    float worst = 0.0f;
    for (int frame = 0; frame < 180; ++frame) {
        must(world, sn_world_step(world, 1.0f / 60.0f));
        worst = sn_max(worst, sn_constraint_error(world, held));
        if (frame % 30 == 29) {
            sn_vec3 place = sn_rigid_position(world, bead);
            printf("%.1f s: the bead is at (%5.2f, %5.2f) m, the hoop holds it with %5.1f N\n",
                   sn_world_time(world), (double)place.x, (double)place.y,
                   (double)sn_length(sn_constraint_force(world, held)));
        }
    }
    printf("never farther than %.2g mm off the hoop\n", (double)worst * 1000.0);
    sn_world_destroy(world);
    return worst < 2e-3f ? EXIT_SUCCESS : EXIT_FAILURE;
}
