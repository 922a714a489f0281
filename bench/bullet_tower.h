// The tower in Bullet at its defaults, behind a C interface that knows neither library's types.
// bullet_tower.cpp implements it; where Bullet is not installed, bullet_absent.c does.
#ifndef BENCH_BULLET_TOWER_H
#define BENCH_BULLET_TOWER_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bullet_tower bullet_tower;

typedef struct bullet_brick {
    float position[3];
    float rotation[4]; ///< x, y, z, w
} bullet_brick;

/// Bullet's version as in 324; 0 if it is not installed, and then bullet_tower_create gives null.
int bullet_version(void);

/// `friction` is that of a pair of bricks, and of a brick on the floor (y = 0). Deactivation is off.
bullet_tower *bullet_tower_create(const bullet_brick *bricks, int count, const float half_extents[3],
                                  float density, float friction);
void bullet_tower_destroy(bullet_tower *tower);
/// One step of exactly `duration` seconds.
void bullet_tower_step(bullet_tower *tower, float duration);
void bullet_tower_position(const bullet_tower *tower, int brick, float position[3]);

#ifdef __cplusplus
}
#endif
#endif
