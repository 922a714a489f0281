// Stands in for bullet_tower.cpp and bullet_soft.cpp where Bullet is not installed.
#include "bullet_soft.h"
#include "bullet_tower.h"

#include <stddef.h>

int bullet_version(void)
{
    return 0;
}

bullet_tower *bullet_tower_create(const bullet_brick *bricks, int count, const float half_extents[3],
                                  float density, float friction)
{
    (void)bricks, (void)count, (void)half_extents, (void)density, (void)friction;
    return NULL;
}

void bullet_tower_destroy(bullet_tower *tower)
{
    (void)tower;
}

void bullet_tower_step(bullet_tower *tower, float duration)
{
    (void)tower, (void)duration;
}

void bullet_tower_position(const bullet_tower *tower, int brick, float position[3])
{
    (void)tower, (void)brick;
    position[0] = position[1] = position[2] = 0.0f;
}

bullet_soft *bullet_soft_create(float gravity, int iterations)
{
    (void)gravity, (void)iterations;
    return NULL;
}

void bullet_soft_destroy(bullet_soft *world)
{
    (void)world;
}

void bullet_soft_add_floor(bullet_soft *world, float friction)
{
    (void)world, (void)friction;
}

bool bullet_soft_add(bullet_soft *world, const bullet_soft_def *def)
{
    (void)world, (void)def;
    return false;
}

void bullet_soft_add_solid(bullet_soft *world, const bullet_solid_def *def)
{
    (void)world, (void)def;
}

void bullet_soft_tie(bullet_soft *world, int body, int node, int solid)
{
    (void)world, (void)body, (void)node, (void)solid;
}

void bullet_soft_step(bullet_soft *world, float duration)
{
    (void)world, (void)duration;
}

void bullet_soft_read(const bullet_soft *world, int body, bullet_vector *positions, bullet_vector *velocities,
                      float *masses)
{
    (void)world, (void)body, (void)positions, (void)velocities, (void)masses;
}

bullet_solid_state bullet_soft_read_solid(const bullet_soft *world, int solid)
{
    (void)world, (void)solid;
    return (bullet_solid_state){0};
}
