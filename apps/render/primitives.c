// Rings of vertices for what is round, faces for boxes and hulls.
#include "apps/render/primitives.h"

#include "apps/render/rounding.h"
#include "scene/list.h"

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

// Faces that meet at less than this look like one bent face: 36°, more than between the sides of a cylinder
// of 12.
static const float cosine_smooth = 0.80901699f;

// More corners than this are not looked at together: every one is compared with all others.
#define MOST_CORNERS 4000
// Triangles of a mesh that is divided once more.
#define MOST_TRIANGLES 700

// The corners of all faces of all hulls, one after the other.
typedef struct hull_faces {
    SN_LIST(sn_vec3) corners; // where they are
    SN_LIST(int) owners;      // which hull they are of
    SN_LIST(int) first;       // where each face begins, and after the last where it ends
    SN_LIST(sn_vec3) normals; // of faces
} hull_faces;

static void release_faces(hull_faces *faces)
{
    SN_LIST_FREE(&faces->corners);
    SN_LIST_FREE(&faces->owners);
    SN_LIST_FREE(&faces->first);
    SN_LIST_FREE(&faces->normals);
}

static sn_vec3 face_normal(const sn_vec3 *corners, int count)
{
    sn_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = 2; i < count; ++i) {
        sum = sn_add(sum, sn_cross(sn_sub(corners[i - 1], corners[0]), sn_sub(corners[i], corners[0])));
    }
    return sn_normalize(sum);
}

static bool list_faces(const sn_solid *solid, int owner, hull_faces *faces)
{
    const sn_vec3 *vertices = sn_hull_vertices(solid->hull);
    for (int i = 0; i < sn_hull_face_count(solid->hull); ++i) {
        int corners[SN_MAX_HULL_VERTICES], start = faces->corners.count;
        int count = sn_hull_face(solid->hull, i, corners, SN_MAX_HULL_VERTICES);
        if (!SN_LIST_PUSH(&faces->first, start)) {
            return false;
        }
        for (int k = 0; k < count; ++k) {
            sn_vec3 corner = sn_pose_apply(solid->pose, vertices[corners[k]]);
            if (!SN_LIST_PUSH(&faces->corners, corner) || !SN_LIST_PUSH(&faces->owners, owner)) {
                return false;
            }
        }
        sn_vec3 normal = face_normal(faces->corners.items + start, count);
        if (!SN_LIST_PUSH(&faces->normals, normal)) {
            return false;
        }
    }
    return true;
}

// The normal of a face's corner: that of the face and of those at the same place that bend little against it.
// Two hulls that lie against each other have a face each there; they face opposite ways, and do not count.
static sn_vec3 smooth_normal(const hull_faces *faces, int face, int corner)
{
    sn_vec3 sum = faces->normals.items[face], place = faces->corners.items[corner];
    bool together = faces->corners.count <= MOST_CORNERS;
    for (int i = 0; i < faces->normals.count; ++i) {
        bool bends_little = sn_dot(faces->normals.items[i], faces->normals.items[face]) > cosine_smooth;
        bool counts = i != face && bends_little &&
                      (together || faces->owners.items[faces->first.items[i]] == faces->owners.items[corner]);
        for (int k = faces->first.items[i]; counts && k < faces->first.items[i + 1]; ++k) {
            sn_vec3 other = faces->corners.items[k];
            if (other.x == place.x && other.y == place.y && other.z == place.z) {
                sum = sn_add(sum, faces->normals.items[i]);
            }
        }
    }
    return sn_normalize(sum);
}

bool solid_mesh_hulls(const sn_solid *solids, int count, solid_mesh *mesh)
{
    hull_faces faces = {0};
    memset(mesh, 0, sizeof *mesh);
    bool enough = true;
    for (int i = 0; i < count && enough; ++i) {
        enough = solids[i].type != SN_HULL || list_faces(&solids[i], i, &faces);
    }
    enough = enough && SN_LIST_PUSH(&faces.first, faces.corners.count);
    // As many triangles as corners is more than enough.
    enough = enough && reserve(mesh, faces.corners.count + 1, faces.corners.count + 1);
    for (int i = 0; enough && i < faces.normals.count; ++i) {
        int start = mesh->vertex_count;
        for (int k = faces.first.items[i]; k < faces.first.items[i + 1]; ++k) {
            add_vertex(mesh, faces.corners.items[k], smooth_normal(&faces, i, k));
        }
        for (int k = start + 2; k < mesh->vertex_count; ++k) {
            add_triangle(mesh, start, k - 1, k);
        }
    }
    release_faces(&faces);
    return enough;
}

// --- round meshes ------------------------------------------------------------------------------------------

// The plan's vertices and triangles in place of the mesh's.
static bool take_rounded(const rounding *plan, const sn_vec3 *positions, const sn_vec3 *normals,
                         solid_mesh *mesh)
{
    solid_mesh rounded = {0};
    int vertices = plan->vertex_count + plan->edges.count;
    if (!reserve(&rounded, vertices, plan->indices.count / 3)) {
        return false;
    }
    for (int i = 0; i < vertices; ++i) {
        add_vertex(&rounded, positions[i], normals[i]);
    }
    memcpy(rounded.indices, plan->indices.items, (size_t)plan->indices.count * sizeof *rounded.indices);
    rounded.index_count = plan->indices.count;
    solid_mesh_release(mesh);
    *mesh = rounded;
    return true;
}

// Whether any edge is bent by more than a thousandth of its length.
static bool is_bent(const rounding *plan, const sn_vec3 *positions)
{
    for (int i = 0; i < plan->edges.count; ++i) {
        const rounding_edge *edge = &plan->edges.items[i];
        sn_vec3 a = positions[edge->a], b = positions[edge->b];
        sn_vec3 middle = sn_scale(sn_add(a, b), 0.5f);
        if (sn_distance_between(positions[plan->vertex_count + i], middle) >
            1.0e-3f * sn_distance_between(a, b)) {
            return true;
        }
    }
    return false;
}

static bool round_once(solid_mesh *mesh, bool *bent)
{
    rounding plan = {0};
    size_t most = (size_t)mesh->vertex_count + (size_t)mesh->index_count;
    sn_vec3 *positions = malloc((most + 1) * sizeof *positions),
            *normals = malloc((most + 1) * sizeof *normals);
    bool enough = positions != NULL && normals != NULL;
    for (int i = 0; enough && i < mesh->vertex_count; ++i) {
        positions[i] = mesh->vertices[i].corner;
        normals[i] = mesh->vertices[i].normal;
    }
    enough = enough && rounding_plan(&plan, mesh->indices, mesh->index_count, mesh->vertex_count, positions);
    *bent = false;
    if (enough) {
        rounding_apply(&plan, positions, normals);
        *bent = is_bent(&plan, positions);
        enough = !*bent || take_rounded(&plan, positions, normals, mesh);
    }
    rounding_release(&plan);
    free(positions);
    free(normals);
    return enough;
}

bool solid_mesh_round(solid_mesh *mesh)
{
    bool bent = true;
    for (int i = 0; i < 2 && bent && mesh->index_count <= 3 * MOST_TRIANGLES; ++i) {
        if (!round_once(mesh, &bent)) {
            return false;
        }
    }
    return true;
}
