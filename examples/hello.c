// A steel ball swings on a rope and knocks a wooden box across the floor.
#include <sinew/sinew.h>
#include <stdio.h>

// Says what went wrong, where and with which value; true if all is well.
static bool ok(const sn_world *world, sn_status status)
{
    if (status != SN_OK) {
        fprintf(stderr, "%s: %s\n", sn_status_text(status), world ? sn_world_error(world) : sn_last_error());
    }
    return status == SN_OK;
}

static bool build(sn_world *world, sn_rigid *ball, sn_rigid *box)
{
    sn_rigid ground = sn_world_ground(world);
    sn_plane floor = {.normal = {0.0f, 1.0f, 0.0f}};
    bool built = ok(world, sn_plane_add(world, ground, NULL, floor, NULL));

    sn_rigid_def body = sn_rigid_def_default();
    sn_shape_def shape = sn_shape_def_default();
    body.position = sn_v(-2.0f, 2.2f, 0.0f);
    shape.density = 7800.0f; // kg/m³
    built = built && ok(world, sn_rigid_add(world, &body, ball)) &&
            ok(world, sn_sphere_add(world, *ball, &shape, (sn_sphere){.radius = 0.1f}, NULL));

    sn_distance_def rope = sn_distance_def_default(); // a rope may be slack, but no longer than this
    rope.upper = 2.0f;
    sn_vec3 nail = {0.0f, 2.2f, 0.0f};
    built = built &&
            ok(world, sn_constraint_place_points(world, &rope.common, ground, *ball, nail, body.position)) &&
            ok(world, sn_distance_add(world, &rope, NULL));

    body.position = sn_v(0.35f, 0.25f, 0.0f);
    shape.density = 600.0f;
    return built && ok(world, sn_rigid_add(world, &body, box)) &&
           ok(world, sn_box_add(world, *box, &shape, (sn_box){{0.25f, 0.25f, 0.25f}}, NULL));
}

int main(void)
{
    sn_world *world = NULL;
    sn_world_def settings = sn_world_def_default(); // gravity −9.81 m/s² along y
    sn_rigid ball = {0}, box = {0};
    bool fine = ok(NULL, sn_world_create(&settings, &world)) && build(world, &ball, &box);
    for (int frame = 0; fine && frame <= 180; ++frame) {
        if (frame % 15 == 0) {
            sn_vec3 a = sn_rigid_position(world, ball), b = sn_rigid_position(world, box);
            printf("%4.2f s: ball at %6.3f, %6.3f m, box at %6.3f, %6.3f m\n", sn_world_time(world),
                   (double)a.x, (double)a.y, (double)b.x, (double)b.y);
        }
        fine = ok(world, sn_world_step(world, 1.0f / 60.0f));
    }
    sn_world_destroy(world);
    return fine ? 0 : 1;
}
