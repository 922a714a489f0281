// Triangle surfaces to be filled: round, sharp, nested, bumpy. Include after cmocka.h.
#ifndef TESTS_SUPPORT_TRIANGLE_SHAPES_H
#define TESTS_SUPPORT_TRIANGLE_SHAPES_H

#include "sinew/mesh.h"
#include <stdlib.h>
#include <string.h>

typedef struct triangle_shape {
    sn_vec3 *vertices;
    uint32_t *triangles;
    int vertex_count, triangle_count;
} triangle_shape;

static inline triangle_shape triangle_shape_make(int vertex_count, int triangle_count)
{
    triangle_shape shape = {calloc((size_t)vertex_count, sizeof(sn_vec3)),
                            calloc((size_t)triangle_count, 3 * sizeof(uint32_t)), vertex_count,
                            triangle_count};
    assert_true(shape.vertices && shape.triangles);
    return shape;
}

static inline void triangle_shape_release(triangle_shape *shape)
{
    free(shape->vertices);
    free(shape->triangles);
    *shape = (triangle_shape){0};
}

/// The surface of a mesh, which it destroys.
static inline triangle_shape triangle_shape_of_mesh(sn_mesh *mesh)
{
    triangle_shape shape = triangle_shape_make(sn_mesh_node_count(mesh), sn_mesh_triangle_count(mesh));
    memcpy(shape.vertices, sn_mesh_nodes(mesh), (size_t)shape.vertex_count * sizeof(sn_vec3));
    memcpy(shape.triangles, sn_mesh_triangles(mesh), (size_t)shape.triangle_count * 3 * sizeof(uint32_t));
    sn_mesh_destroy(mesh);
    return shape;
}

static inline triangle_shape make_sphere_shape(float radius, int cuts)
{
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_sphere_surface(radius, cuts, &mesh), SN_OK);
    return triangle_shape_of_mesh(mesh);
}

// The upper half of it, open below.
static inline triangle_shape make_half_sphere_shape(float radius, int cuts)
{
    triangle_shape half = make_sphere_shape(radius, cuts);
    int kept = 0;
    for (int i = 0; i < half.triangle_count; ++i) {
        const uint32_t *t = half.triangles + 3 * i;
        if (half.vertices[t[0]].y + half.vertices[t[1]].y + half.vertices[t[2]].y > 0.0f) {
            memmove(half.triangles + 3 * kept++, t, 3 * sizeof(uint32_t));
        }
    }
    half.triangle_count = kept;
    return half;
}

static inline triangle_shape make_box_shape(sn_vec3 size)
{
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_box_surface(size, 2, 2, 2, &mesh), SN_OK);
    return triangle_shape_of_mesh(mesh);
}

/// A torus about y: `radius` from the middle to that of the tube, 3 × sides sections.
static inline triangle_shape make_torus_shape(float radius, float tube, int sides)
{
    int sections = 3 * sides;
    triangle_shape shape = triangle_shape_make(sections * sides, 2 * sections * sides);
    for (int i = 0; i < sections * sides; ++i) {
        float around = 2.0f * SN_PI * (float)(i / sides) / (float)sections;
        float across = 2.0f * SN_PI * (float)(i % sides) / (float)sides;
        float out = radius + tube * sn_cos(across);
        shape.vertices[i] = sn_v(out * sn_cos(around), tube * sn_sin(across), out * sn_sin(around));
        int next_side = i / sides * sides + (i + 1) % sides;
        int next_section = (i + sides) % (sections * sides);
        int both = next_section / sides * sides + (next_section + 1) % sides;
        uint32_t *t = shape.triangles + 6 * i;
        t[0] = t[3] = (uint32_t)i;
        t[1] = (uint32_t)next_side;
        t[2] = t[4] = (uint32_t)both;
        t[5] = (uint32_t)next_section;
    }
    return shape;
}

/// A ball of bumps, ripples and twelve spikes: 20 cuts² triangles.
static inline triangle_shape make_bumpy_shape(int cuts)
{
    triangle_shape shape = make_sphere_shape(1.0f, cuts);
    for (int i = 0; i < shape.vertex_count; ++i) {
        sn_vec3 p = shape.vertices[i];
        float bumps = 0.08f * sn_sin(13.0f * p.x) * sn_sin(11.0f * p.y + 1.0f) * sn_cos(12.0f * p.z);
        float ripples = 0.02f * sn_sin(40.0f * p.x + 30.0f * p.y) * sn_cos(37.0f * p.z);
        float spikes = 0.0f;
        for (int k = 0; k < 12; ++k) {
            float angle = 2.39996f * (float)k, z = 1.0f - (float)(2 * k + 1) / 12.0f, r = sqrtf(1.0f - z * z);
            float cosine = sn_dot(p, sn_v(r * sn_cos(angle), r * sn_sin(angle), z));
            spikes += cosine > 0.97f ? 20.0f * (cosine - 0.97f) : 0.0f;
        }
        shape.vertices[i] = sn_scale(p, 1.0f + bumps + ripples + spikes);
    }
    return shape;
}

/// Both surfaces as one list; they are released.
static inline triangle_shape join_shapes(triangle_shape a, triangle_shape b)
{
    triangle_shape joined =
        triangle_shape_make(a.vertex_count + b.vertex_count, a.triangle_count + b.triangle_count);
    memcpy(joined.vertices, a.vertices, (size_t)a.vertex_count * sizeof(sn_vec3));
    memcpy(joined.vertices + a.vertex_count, b.vertices, (size_t)b.vertex_count * sizeof(sn_vec3));
    memcpy(joined.triangles, a.triangles, (size_t)a.triangle_count * 3 * sizeof(uint32_t));
    for (int i = 0; i < 3 * b.triangle_count; ++i) {
        joined.triangles[3 * a.triangle_count + i] = b.triangles[i] + (uint32_t)a.vertex_count;
    }
    triangle_shape_release(&a);
    triangle_shape_release(&b);
    return joined;
}

static inline void turn_inside_out(triangle_shape *shape)
{
    for (int i = 0; i < shape->triangle_count; ++i) {
        uint32_t swap = shape->triangles[3 * i];
        shape->triangles[3 * i] = shape->triangles[3 * i + 1];
        shape->triangles[3 * i + 1] = swap;
    }
}

static inline void place_shape(triangle_shape *shape, float scale, sn_pose pose)
{
    for (int i = 0; i < shape->vertex_count; ++i) {
        shape->vertices[i] = sn_pose_apply(pose, sn_scale(shape->vertices[i], scale));
    }
}

#endif
