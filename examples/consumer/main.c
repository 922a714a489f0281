// Uses the installed library as a stranger would: a ball falls on the floor and has to end up lying on it.
#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>

static const float radius = 0.25f;

// A world with a floor at y = 0 and a ball two metres above it; null if anything failed.
static sn_world *make_world(sn_rigid *ball)
{
    sn_world_def world_def = sn_world_def_default();
    sn_world *world = NULL;
    if (sn_world_create(&world_def, &world)) {
        fprintf(stderr, "%s\n", sn_last_error());
        return NULL;
    }

    sn_rigid_def ball_def = sn_rigid_def_default();
    ball_def.position = (sn_vec3){0.0f, 2.0f, 0.0f};
    sn_plane floor = {.normal = {0.0f, 1.0f, 0.0f}};
    if (sn_plane_add(world, sn_world_ground(world), NULL, floor, NULL) ||
        sn_rigid_add(world, &ball_def, ball) ||
        sn_sphere_add(world, *ball, NULL, (sn_sphere){.radius = radius}, NULL)) {
        fprintf(stderr, "%s\n", sn_world_error(world));
        sn_world_destroy(world);
        return NULL;
    }
    return world;
}

int main(void)
{
    sn_rigid ball;
    sn_world *world = make_world(&ball);
    if (!world) {
        return 1;
    }
    for (int frame = 0; frame < 180; ++frame) {
        sn_world_step(world, 1.0f / 60.0f);
    }
    float height = sn_rigid_position(world, ball).y;
    printf("Sinew %s: the ball lies at %.4f m\n", sn_version(), height);
    sn_world_destroy(world);
    return fabsf(height - radius) < 0.005f ? 0 : 1;
}
