// Stands in for bullet_tower.cpp where Bullet is not installed.
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
