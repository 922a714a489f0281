// Verification of the guard, by other means than its own: edges of deformables that pierce a face when a step
// ends and did not when it began, found by boxes sorted along x and told by signs of volumes in double
// precision. Tested by tests/physics/soft/test_soft_guard.c.
#include "collision/guard/soft_guard.h"
#include "collision/soft/soft_phases.h"

#include <stdlib.h>

// A face with the box around it when the step ends.
typedef struct face_box {
    sn_vec3 lower, upper;
    int collider;
    int nodes[3]; // the world's numbers
} face_box;

typedef struct verification {
    const sn_soft_scene *scene;
    const sn_vec3 *starts;
    face_box *faces; // by their lower x
    int count;
    float widest; // along x
} verification;

static int compare_faces(const void *a, const void *b)
{
    float x = ((const face_box *)a)->lower.x, y = ((const face_box *)b)->lower.x;
    return x < y ? -1 : x > y ? 1 : 0;
}

static sn_vec3 end_of(const verification *v, int node)
{
    return v->scene->nodes->states.data[node].position;
}

static void add_face(verification *v, int collider, const uint32_t *corners)
{
    int first = v->scene->colliders[collider].first_node;
    face_box box = {.collider = collider};
    sn_vec3 sum = sn_v(0.0f, 0.0f, 0.0f);
    for (int k = 0; k < 3; ++k) {
        sn_vec3 p = end_of(v, first + (int)corners[k]);
        box.nodes[k] = first + (int)corners[k];
        box.lower = k == 0 ? p : sn_min3(box.lower, p);
        box.upper = k == 0 ? p : sn_max3(box.upper, p);
        sum = sn_add(sum, p);
    }
    if (sn_is_finite(sum.x + sum.y + sum.z)) {
        v->faces[v->count++] = box;
        v->widest = sn_max(v->widest, box.upper.x - box.lower.x);
    }
}

static bool list_faces(verification *v)
{
    int most = 0;
    for (int i = 0; i < v->scene->collider_count; ++i) {
        const sn_soft_surface *surface = v->scene->colliders[i].surface;
        most += surface != NULL && surface->mesh->triangle_count > 0 ? surface->face_count : 0;
    }
    v->faces = sn_arena_take(v->scene->arena, (size_t)most, sizeof *v->faces);
    for (int i = 0; v->faces != NULL && i < v->scene->collider_count; ++i) {
        const sn_soft_surface *surface = v->scene->colliders[i].surface;
        bool has_faces = surface != NULL && surface->mesh->triangle_count > 0;
        for (int k = 0; has_faces && k < surface->face_count; ++k) {
            add_face(v, i, surface->faces.data + 3 * (size_t)k);
        }
    }
    if (v->count > 0) {
        qsort(v->faces, (size_t)v->count, sizeof *v->faces, compare_faces);
    }
    return v->faces != NULL;
}

// --- an edge and a face ------------------------------------------------------------------------------------

// Six times the signed volume.
static double volume_of(sn_vec3 a, sn_vec3 b, sn_vec3 c, sn_vec3 d)
{
    double ux = (double)b.x - (double)a.x, uy = (double)b.y - (double)a.y, uz = (double)b.z - (double)a.z;
    double vx = (double)c.x - (double)a.x, vy = (double)c.y - (double)a.y, vz = (double)c.z - (double)a.z;
    double wx = (double)d.x - (double)a.x, wy = (double)d.y - (double)a.y, wz = (double)d.z - (double)a.z;
    return ux * (vy * wz - vz * wy) - uy * (vx * wz - vz * wx) + uz * (vx * wy - vy * wx);
}

static bool pierces(sn_vec3 p, sn_vec3 q, const sn_vec3 t[3])
{
    double before = volume_of(t[0], t[1], t[2], p), after = volume_of(t[0], t[1], t[2], q);
    double a = volume_of(p, q, t[0], t[1]), b = volume_of(p, q, t[1], t[2]), c = volume_of(p, q, t[2], t[0]);
    return before * after < 0.0 && ((a > 0.0 && b > 0.0 && c > 0.0) || (a < 0.0 && b < 0.0 && c < 0.0));
}

// Whether the guard may not hold them apart: they share a node, or an exact anchor says where one is, or an
// anchor holds them together.
static bool is_exempt(const verification *v, int collider, const int edge[2], const face_box *face)
{
    sn_soft_contact_data contact = {.key = {.deformable = (uint32_t)collider}, .body = -1};
    contact.key.other = (uint32_t)face->collider | SN_SOFT_OTHER_DEFORMABLE;
    contact.nodes[0] = edge[0];
    contact.nodes[1] = edge[1];
    contact.width = 3;
    bool is_exempt = false;
    for (int k = 0; k < 5; ++k) {
        int node = k < 2 ? edge[k] : face->nodes[k - 2];
        is_exempt = is_exempt || sn_soft_is_held_exactly(v->scene, node);
        if (k >= 2) {
            contact.nodes[2] = node;
            is_exempt =
                is_exempt || node == edge[0] || node == edge[1] || sn_soft_is_excluded(v->scene, &contact);
        }
    }
    return is_exempt;
}

static bool is_let_through(const verification *v, int collider, const int edge[2], const face_box *face)
{
    const sn_soft_collider *a = &v->scene->colliders[collider], *b = &v->scene->colliders[face->collider];
    sn_vec3 start[3], end[3];
    for (int k = 0; k < 3; ++k) {
        end[k] = end_of(v, face->nodes[k]);
        start[k] = b->sleeps ? end[k] : v->starts[face->nodes[k]];
    }
    sn_vec3 p = end_of(v, edge[0]), q = end_of(v, edge[1]);
    return sn_soft_may_collide(a, b) && pierces(p, q, end) &&
           !pierces(a->sleeps ? p : v->starts[edge[0]], a->sleeps ? q : v->starts[edge[1]], start) &&
           !is_exempt(v, collider, edge, face);
}

// The first face that may reach that far along x.
static int first_from(const verification *v, float x)
{
    int first = 0, last = v->count;
    while (first < last) {
        int middle = first + (last - first) / 2;
        first = v->faces[middle].lower.x < x ? middle + 1 : first;
        last = v->faces[middle].lower.x < x ? last : middle;
    }
    return first;
}

static int count_of_edge(const verification *v, int collider, const int edge[2])
{
    sn_vec3 p = end_of(v, edge[0]), q = end_of(v, edge[1]);
    sn_bounds box = {sn_min3(p, q), sn_max3(p, q)};
    int count = 0;
    for (int i = first_from(v, box.lower.x - v->widest); i < v->count && v->faces[i].lower.x <= box.upper.x;
         ++i) {
        const face_box *face = &v->faces[i];
        sn_bounds around = {face->lower, face->upper};
        count += sn_bounds_overlap(box, around) && is_let_through(v, collider, edge, face) ? 1 : 0;
    }
    return count;
}

int sn_soft_guard_verify(const sn_soft_scene *scene, const sn_vec3 *starts)
{
    verification v = {.scene = scene, .starts = starts};
    int count = 0;
    if (!list_faces(&v)) {
        return 0;
    }
    for (int i = 0; i < scene->collider_count; ++i) {
        const sn_soft_collider *collider = &scene->colliders[i];
        for (int k = 0; collider->surface != NULL && k < collider->surface->mesh->edge_count; ++k) {
            const int *beside = collider->surface->edge_faces.data + 2 * (size_t)k;
            const uint32_t *nodes = collider->surface->mesh->edges + 2 * (size_t)k;
            int edge[2] = {collider->first_node + (int)nodes[0], collider->first_node + (int)nodes[1]};
            bool is_of_surface = beside[0] >= 0 || beside[1] >= 0;
            count += is_of_surface ? count_of_edge(&v, i, edge) : 0;
        }
    }
    return count;
}
