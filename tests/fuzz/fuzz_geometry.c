// Hulls, surfaces, meshes and lattices of points that the fuzzer makes up: whatever they are, a builder gives
// a sound result or a message. The first byte chooses the builder, the others are floats and small numbers.
#include "sinew/sinew.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 64, MOST_TRIANGLES = 128 };

typedef struct input {
    const uint8_t *bytes;
    size_t size;
} input;

static uint8_t next_byte(input *in)
{
    if (in->size == 0) {
        return 0;
    }
    --in->size;
    return *in->bytes++;
}

// Half of them are small whole numbers, of which flat and coincident things are made.
static float next_float(input *in)
{
    uint8_t kind = next_byte(in);
    if (kind < 128) {
        return (float)(kind % 8) - 3.0f;
    }
    float value = 0.0f;
    for (int i = 0; i < 4; ++i) {
        ((uint8_t *)&value)[i] = next_byte(in);
    }
    return value;
}

static int next_points(input *in, sn_vec3 *points)
{
    int count = next_byte(in) % (MOST_POINTS + 1);
    for (int i = 0; i < count; ++i) {
        points[i] = sn_v(next_float(in), next_float(in), next_float(in));
    }
    return count;
}

static int next_triangles(input *in, uint32_t *triangles, int point_count)
{
    int count = next_byte(in) % (MOST_TRIANGLES + 1);
    for (int i = 0; i < 3 * count; ++i) {
        triangles[i] = next_byte(in) % (uint32_t)(point_count + 1); // one too many, at times
    }
    return count;
}

static void check(bool sound)
{
    if (!sound) {
        abort();
    }
}

static void try_hull(input *in)
{
    sn_vec3 points[MOST_POINTS];
    int count = next_points(in, points);
    sn_hull *hull = NULL;
    if (sn_hull_create(points, count, next_byte(in) % 130, &hull) == SN_OK) {
        check(sn_hull_vertex_count(hull) >= 4 && sn_hull_face_count(hull) >= 4);
        for (int i = 0; i < sn_hull_vertex_count(hull); ++i) {
            check(isfinite(sn_hull_vertices(hull)[i].x));
        }
    } else {
        check(hull == NULL && sn_last_error()[0] != '\0');
    }
    sn_hull_destroy(hull);
}

static void try_surface(input *in)
{
    sn_vec3 points[MOST_POINTS];
    uint32_t triangles[3 * MOST_TRIANGLES];
    int count = next_points(in, points), triangle_count = next_triangles(in, triangles, count);
    sn_surface *surface = NULL;
    if (sn_surface_create(points, count, triangles, triangle_count, next_byte(in) & 1, &surface) == SN_OK) {
        check(sn_surface_triangle_count(surface) > 0);
    }
    sn_surface_destroy(surface);
    sn_mass mass;
    if (sn_mesh_mass(points, count, triangles, triangle_count, 1000.0f, &mass) == SN_OK) {
        check(mass.mass > 0.0f && isfinite(mass.mass));
    }
}

static void step_with(const sn_mesh *mesh, input *in)
{
    sn_world_def world_def = sn_world_def_default();
    sn_world *world = NULL;
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.model = (sn_model){(sn_model_type)(next_byte(in) % SN_MODEL_COUNT),
                           1.0f,
                           0.1f,
                           1e4f,
                           0.3f,
                           1.0f,
                           1.0f,
                           SN_MATCH_LINEAR,
                           0.5f,
                           0};
    check(sn_world_create(&world_def, &world) == SN_OK);
    if (sn_deformable_add(world, &def, NULL) == SN_OK) {
        check(sn_world_step(world, 1.0f / 60.0f) == SN_OK);
    }
    sn_world_destroy(world);
}

static void try_mesh(input *in)
{
    sn_vec3 points[MOST_POINTS];
    uint32_t triangles[3 * MOST_TRIANGLES], tetrahedra[4 * MOST_TRIANGLES];
    sn_mesh_def def = {0};
    def.nodes = points;
    def.node_count = next_points(in, points);
    def.triangles = triangles;
    def.triangle_count = next_triangles(in, triangles, def.node_count);
    def.tetrahedra = tetrahedra;
    def.tetrahedron_count = next_byte(in) % 32;
    for (int i = 0; i < 4 * def.tetrahedron_count; ++i) {
        tetrahedra[i] = next_byte(in) % (uint32_t)(def.node_count + 1);
    }
    sn_mesh *mesh = NULL;
    if (sn_mesh_create(&def, &mesh) == SN_OK) {
        check(sn_mesh_node_count(mesh) == def.node_count);
        step_with(mesh, in);
    }
    sn_mesh_destroy(mesh);
}

static void try_lattice(input *in)
{
    sn_vec3 points[MOST_POINTS];
    uint32_t triangles[3 * MOST_TRIANGLES];
    int count = next_points(in, points), triangle_count = next_triangles(in, triangles, count);
    float cell = 0.5f + 0.05f * (float)(next_byte(in) % 32);
    for (int i = 0; i < count; ++i) { // so that cells are few
        points[i] = sn_v(fmodf(points[i].x, 2.0f), fmodf(points[i].y, 2.0f), fmodf(points[i].z, 2.0f));
    }
    sn_mesh *mesh = NULL;
    if (sn_mesh_fill(points, count, triangles, triangle_count, cell, &mesh) == SN_OK) {
        check(sn_mesh_tetrahedron_count(mesh) > 0);
    }
    sn_mesh_destroy(mesh);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const builders[])(input *) = {try_hull, try_surface, try_mesh, try_lattice};
    input in = {data, size};
    builders[next_byte(&in) % 4](&in);
    check(sn_allocated_bytes() == 0);
    return 0;
}
