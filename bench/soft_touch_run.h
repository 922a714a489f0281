// Scenes of deformables that touch, run in Sinew alone: how often anything passes through anything, counted
// by edges and triangles in every frame, and what else goes wrong.
#ifndef BENCH_SOFT_TOUCH_RUN_H
#define BENCH_SOFT_TOUCH_RUN_H

#include "sinew/sinew.h"

enum { TOUCH_MOST_SOFT = 256, TOUCH_MOST_SOLIDS = 1100, TOUCH_MOST_MESHES = 8 };

typedef enum touch_shape { TOUCH_BALL, TOUCH_BOX, TOUCH_ROD } touch_shape;

typedef struct touch_solid {
    touch_shape shape;
    sn_vec3 size; ///< radius; half extents; radius and half length along x
    sn_rigid rigid;
} touch_solid;

typedef struct touch_scene {
    sn_world *world;
    sn_status status; ///< of the first thing that failed
    sn_deformable soft[TOUCH_MOST_SOFT];
    touch_solid solids[TOUCH_MOST_SOLIDS];
    sn_mesh *meshes[TOUCH_MOST_MESHES];
    sn_surface *surface; ///< a static one, in the world's frame; null for none
    int soft_count, solid_count, mesh_count;
    void (*drive)(struct touch_scene *scene,
                  float time); ///< before each step, with the time at its end; or null
    float parameter;           ///< of that
} touch_scene;

typedef struct touch_result {
    int crossings, crossings_at_end; ///< edges in triangles: in the worst frame; in the last one
    int inside;                      ///< faces and edges in solids, in the worst frame
    int inverted_at_end;             ///< tetrahedra
    double inverted_longest;         ///< how long one has been at once [s]
    double least_volume;             ///< of a deformable, over that at rest
    int frozen;                      ///< nodes and bodies
    int contacts;                    ///< most at once
    long cut_nodes;                  ///< over all steps
    double mean, worst;              ///< CPU time of steps [ms]
    double step, collide, guard;     ///< wall-clock time of a step and of these parts, mean [ms]
    double bytes;                    ///< of the world at the end
    double rms;                      ///< speed of nodes over the last second [m/s]
    int nodes;
} touch_result;

void touch_open(touch_scene *scene, float gravity_factor);
sn_mesh *touch_own(touch_scene *scene, sn_mesh *mesh);
/// A cloth that does not stretch, level, with a cell of size/cells.
sn_deformable_def touch_cloth(touch_scene *scene, float size, int cells, float mass, sn_vec3 position);
sn_deformable touch_add(touch_scene *scene, const sn_deformable_def *def);
sn_rigid touch_solid_add(touch_scene *scene, touch_shape shape, sn_vec3 size, float mass, sn_pose pose,
                         sn_vec3 velocity);
void touch_floor(touch_scene *scene, float height);
/// A static one; the scene takes it over.
void touch_surface_add(touch_scene *scene, const sn_vec3 *vertices, int vertex_count,
                       const uint32_t *triangles, int triangle_count, bool double_sided);
sn_status touch_run(touch_scene *scene, int steps, float step, touch_result *result);
int touch_crossings(const touch_scene *scene);
/// Solids that are below the first deformable and were above it, or inside if it is a volume.
int touch_count_through(const touch_scene *scene);
void touch_close(touch_scene *scene);

#endif
