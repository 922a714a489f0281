// Soft bodies in Bullet, behind a C interface that knows neither library's types. bullet_soft.cpp implements
// it; where Bullet is not installed, bullet_absent.c does.
#ifndef BENCH_BULLET_SOFT_H
#define BENCH_BULLET_SOFT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bullet_soft bullet_soft;

typedef struct bullet_vector {
    float x, y, z;
} bullet_vector;

typedef struct bullet_soft_def {
    const bullet_vector *nodes;
    int node_count;
    const uint32_t *edges, *triangles, *tetrahedra;
    int edge_count, triangle_count, tetrahedron_count;
    const int *pins; ///< nodes that do not move
    int pin_count;
    float mass, margin, friction;
    float stretch, bend, volume, pose, damping; ///< Bullet's coefficients, 0…1
} bullet_soft_def;

/// Spheres by radius, boxes by half extents; wheels are capsules along z on an axle, of radius size.x and
/// half length size.z; lumps are balls that touch nothing.
typedef enum bullet_solid_kind { BULLET_SPHERE, BULLET_BOX, BULLET_WHEEL, BULLET_LUMP } bullet_solid_kind;

typedef struct bullet_solid_def {
    bullet_solid_kind kind;
    bullet_vector size, position, velocity;
    float mass; ///< 0 for a static one
    float friction;
} bullet_solid_def;

/// Null if Bullet is not installed. `iterations` are those of soft and of rigid constraints.
bullet_soft *bullet_soft_create(float gravity, int iterations);
void bullet_soft_destroy(bullet_soft *world);
void bullet_soft_add_floor(bullet_soft *world, float friction);
/// Things are numbered in the order they are added, soft and solid ones apart.
bool bullet_soft_add(bullet_soft *world, const bullet_soft_def *def);
void bullet_soft_add_solid(bullet_soft *world, const bullet_solid_def *def);
void bullet_soft_tie(bullet_soft *world, int body, int node, int solid);
void bullet_soft_step(bullet_soft *world, float duration);
/// Arrays by node; masses of pinned nodes are 0.
void bullet_soft_read(const bullet_soft *world, int body, bullet_vector *positions, bullet_vector *velocities,
                      float *masses);

typedef struct bullet_solid_state {
    bullet_vector position, velocity, spin;
    float rotation[4]; ///< x, y, z, w
} bullet_solid_state;

bullet_solid_state bullet_soft_read_solid(const bullet_soft *world, int solid);

#ifdef __cplusplus
}
#endif
#endif
