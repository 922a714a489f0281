// Rings of vertices for what is round, faces for boxes and hulls.
#include "apps/render/primitives.h"

#include <stdlib.h>
#include <string.h>

static bool reserve(solid_mesh *mesh, int vertex_count, int triangle_count)
{
    memset(mesh, 0, sizeof *mesh);
    mesh->vertices = malloc((size_t)vertex_count * sizeof *mesh->vertices);
    mesh->indices = malloc((size_t)triangle_count * 3 * sizeof *mesh->indices);
    if (mesh->vertices == NULL || mesh->indices == NULL) {
        solid_mesh_release(mesh);
        return false;
    }
    return true;
}

void solid_mesh_release(solid_mesh *mesh)
{
    free(mesh->vertices);
    free(mesh->indices);
    memset(mesh, 0, sizeof *mesh);
}

static void add_vertex(solid_mesh *mesh, sn_vec3 corner, sn_vec3 normal)
{
    mesh->vertices[mesh->vertex_count++] = (solid_vertex){corner, normal};
}

static void add_triangle(solid_mesh *mesh, int a, int b, int c)
{
    int corners[3] = {a, b, c};
    for (int i = 0; i < 3; ++i) {
        mesh->indices[mesh->index_count++] = (uint32_t)corners[i];
    }
}

// --- balls and capsules ------------------------------------------------------------------------------------
// Half a ball is a pole and rings around it, ring i of 4 i vertices: nearly equal triangles everywhere,
// unlike those of meridians and parallels.

// First vertex of ring i of a half that begins at vertex `start`.
static int ring_start(int start, int i)
{
    return i == 0 ? start : start + 1 + 2 * i * (i - 1);
}

static void add_half_vertices(solid_mesh *mesh, int rings, float side, sn_vec3 corner)
{
    add_vertex(mesh, corner, sn_v(0.0f, side, 0.0f));
    for (int i = 1; i <= rings; ++i) {
        float polar = 0.5f * SN_PI * (float)i / (float)rings;
        for (int k = 0; k < 4 * i; ++k) {
            float around = 0.5f * SN_PI * (float)k / (float)i;
            sn_vec3 normal = sn_v(sn_sin(polar) * sn_cos(around), i == rings ? 0.0f : side * sn_cos(polar),
                                  sn_sin(polar) * sn_sin(around));
            add_vertex(mesh, corner, normal);
        }
    }
}

// Between ring i and ring i + 1, a quarter at a time: the outer ring has one more edge in each.
static void add_half_triangles(solid_mesh *mesh, int start, int rings, bool upper)
{
    for (int i = 0; i < rings; ++i) {
        int inner = ring_start(start, i), outer = ring_start(start, i + 1);
        int inner_count = i == 0 ? 1 : 4 * i, outer_count = 4 * (i + 1);
        for (int quarter = 0; quarter < 4; ++quarter) {
            for (int k = 0; k <= i; ++k) {
                int a = inner + (quarter * i + k) % inner_count;
                int b = outer + quarter * (i + 1) + k;
                int c = outer + (quarter * (i + 1) + k + 1) % outer_count;
                add_triangle(mesh, a, upper ? c : b, upper ? b : c);
                if (k < i) {
                    int d = inner + (quarter * i + k + 1) % inner_count;
                    add_triangle(mesh, a, upper ? d : c, upper ? c : d);
                }
            }
        }
    }
}

static bool make_round(int rings, sn_vec3 end, bool tube, solid_mesh *mesh)
{
    int half = 1 + 2 * rings * (rings + 1), around = 4 * rings;
    if (!reserve(mesh, 2 * half, 8 * rings * rings + 2 * around)) {
        return false;
    }
    add_half_vertices(mesh, rings, 1.0f, end);
    add_half_vertices(mesh, rings, -1.0f, sn_neg(end));
    add_half_triangles(mesh, 0, rings, true);
    add_half_triangles(mesh, half, rings, false);
    int top = ring_start(0, rings), bottom = ring_start(half, rings);
    for (int k = 0; tube && k < around; ++k) {
        int next = (k + 1) % around;
        add_triangle(mesh, top + k, top + next, bottom + k);
        add_triangle(mesh, top + next, bottom + next, bottom + k);
    }
    return true;
}

bool solid_mesh_ball(int rings, solid_mesh *mesh)
{
    return make_round(rings, sn_v(0.0f, 0.0f, 0.0f), false, mesh);
}

bool solid_mesh_capsule(int rings, solid_mesh *mesh)
{
    return make_round(rings, sn_v(0.0f, 1.0f, 0.0f), true, mesh);
}

// --- boxes -------------------------------------------------------------------------------------------------

// The face on one side of an axis: two triangles, counter-clockwise from outside.
static void add_face(solid_mesh *mesh, int axis, bool positive)
{
    int start = mesh->vertex_count;
    for (int i = 0; i < 4; ++i) {
        float corner[3], normal[3] = {0.0f, 0.0f, 0.0f};
        normal[axis] = corner[axis] = positive ? 1.0f : -1.0f;
        corner[(axis + 1) % 3] = i & 1 ? 1.0f : -1.0f;
        corner[(axis + 2) % 3] = i & 2 ? 1.0f : -1.0f;
        add_vertex(mesh, sn_v(corner[0], corner[1], corner[2]), sn_v(normal[0], normal[1], normal[2]));
    }
    int second = positive ? 1 : 2, third = positive ? 2 : 1;
    add_triangle(mesh, start, start + second, start + third);
    add_triangle(mesh, start + 3, start + third, start + second);
}

bool solid_mesh_box(solid_mesh *mesh)
{
    if (!reserve(mesh, 24, 12)) {
        return false;
    }
    for (int axis = 0; axis < 3; ++axis) {
        add_face(mesh, axis, false);
        add_face(mesh, axis, true);
    }
    return true;
}

// --- hulls -------------------------------------------------------------------------------------------------

// Faces that meet at less than this look like one bent face: 25°, more than between the sides of a cylinder
// of 16.
static const float cosine_smooth = 0.90630779f;

// The corners of all faces, one after the other.
typedef struct hull_faces {
    int *corners, *first; // indices of vertices; where each face begins, and after the last where it ends
    sn_vec3 *normals;     // of faces
    int count;
} hull_faces;

static void release_faces(hull_faces *faces)
{
    free(faces->corners);
    free(faces->first);
    free(faces->normals);
}

static sn_vec3 face_normal(const sn_vec3 *vertices, const int *corners, int count)
{
    sn_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = 2; i < count; ++i) {
        sn_vec3 a = vertices[corners[0]];
        sn_vec3 u = sn_sub(vertices[corners[i - 1]], a), v = sn_sub(vertices[corners[i]], a);
        sum = sn_add(sum, sn_cross(u, v));
    }
    return sn_normalize(sum);
}

static bool list_faces(const sn_hull *hull, hull_faces *faces)
{
    int corner_count = 0;
    faces->count = sn_hull_face_count(hull);
    for (int i = 0; i < faces->count; ++i) {
        corner_count += sn_hull_face(hull, i, NULL, 0);
    }
    faces->corners = malloc(((size_t)corner_count + 1) * sizeof *faces->corners);
    faces->first = malloc(((size_t)faces->count + 1) * sizeof *faces->first);
    faces->normals = malloc(((size_t)faces->count + 1) * sizeof *faces->normals);
    if (faces->corners == NULL || faces->first == NULL || faces->normals == NULL) {
        return false;
    }
    faces->first[0] = 0;
    for (int i = 0; i < faces->count; ++i) {
        int *corners = faces->corners + faces->first[i];
        int count = sn_hull_face(hull, i, corners, corner_count - faces->first[i]);
        faces->first[i + 1] = faces->first[i] + count;
        faces->normals[i] = face_normal(sn_hull_vertices(hull), corners, count);
    }
    return true;
}

// The normal of a face's corner: that of the face and of those around the vertex that bend little against it.
static sn_vec3 smooth_normal(const hull_faces *faces, int face, int vertex)
{
    sn_vec3 sum = faces->normals[face];
    for (int i = 0; i < faces->count; ++i) {
        for (int k = faces->first[i]; k < faces->first[i + 1]; ++k) {
            bool bends_little = sn_dot(faces->normals[i], faces->normals[face]) > cosine_smooth;
            if (i != face && faces->corners[k] == vertex && bends_little) {
                sum = sn_add(sum, faces->normals[i]);
            }
        }
    }
    return sn_normalize(sum);
}

bool solid_mesh_hull(const sn_hull *hull, solid_mesh *mesh)
{
    hull_faces faces = {0};
    memset(mesh, 0, sizeof *mesh);
    // As many triangles as corners is more than enough.
    bool enough = list_faces(hull, &faces);
    enough = enough && reserve(mesh, faces.first[faces.count] + 1, faces.first[faces.count] + 1);
    for (int i = 0; enough && i < faces.count; ++i) {
        int start = mesh->vertex_count;
        for (int k = faces.first[i]; k < faces.first[i + 1]; ++k) {
            int vertex = faces.corners[k];
            add_vertex(mesh, sn_hull_vertices(hull)[vertex], smooth_normal(&faces, i, vertex));
        }
        for (int k = start + 2; k < mesh->vertex_count; ++k) {
            add_triangle(mesh, start, k - 1, k);
        }
    }
    release_faces(&faces);
    return enough;
}
