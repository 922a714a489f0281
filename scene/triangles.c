// Triangles of shapes. Spheres and capsules are turned on a lathe, boxes and hulls have flat faces, surfaces
// are smooth where they bend little. Knows shapes only by what the world tells, and nothing of colours.
#include "sinew_scene/triangles.h"

#include "scene/list.h"
#include "scene/message.h"

#include <string.h>

enum { LEAST_DETAIL = 8, MOST_DETAIL = 256, MOST_RINGS = MOST_DETAIL / 2 + 2 };

// Faces that meet at less than this share a normal: 30°.
static const float cosine_smooth = 0.86602540f;
// A vertex of more triangles than this keeps their own normals: comparing each with each costs the square.
enum { MOST_SMOOTHED = 128 };

static const float largest_plane = 1.0e7f; // [m]

// Triangles being collected, in the frame of the body.
typedef struct builder {
    SN_LIST(sn_vec3) positions;
    SN_LIST(sn_vec3) normals;
    SN_LIST(uint32_t) indices;
    sn_pose pose; // of what is added next
    int detail;
    bool enough; // memory, so far
} builder;

static uint32_t add_vertex(builder *b, sn_vec3 position, sn_vec3 normal)
{
    sn_vec3 placed = sn_pose_apply(b->pose, position);
    sn_vec3 turned = sn_rotate(b->pose.rotation, normal);
    b->enough = b->enough && SN_LIST_PUSH(&b->positions, placed) && SN_LIST_PUSH(&b->normals, turned);
    return (uint32_t)b->positions.count - 1;
}

static void add_triangle(builder *b, uint32_t i, uint32_t j, uint32_t k)
{
    b->enough = b->enough && SN_LIST_PUSH(&b->indices, i) && SN_LIST_PUSH(&b->indices, j) &&
                SN_LIST_PUSH(&b->indices, k);
}

// --- round shapes ------------------------------------------------------------------------------------------

// A ring of the lathe: points at `radius` from the axis and `height` along it, their normals sloping by the
// same split.
typedef struct ring {
    float radius, height;
    float normal_radius, normal_height;
} ring;

// A half-circle from pole to pole about `radius`; its halves are `length` apart, each ending in the equator.
// A sphere (length 0) has one equator.
static int make_rings(float radius, float length, int detail, ring *rings)
{
    int half = detail / 4, count = 0;
    for (int side = 0; side < 2; ++side) {
        for (int i = 0; i <= half; ++i) {
            bool equator = side == 0 ? i == half : i == 0;
            if (equator && side == 1 && length <= 0.0f) {
                continue;
            }
            float latitude = (float)(side == 0 ? i - half : i) * (0.5f * SN_PI / (float)half);
            bool pole = side == 0 ? i == 0 : i == half;
            float cosine = pole ? 0.0f : sn_cos(latitude), sine = sn_sin(latitude);
            float middle = side == 0 ? -0.5f * length : 0.5f * length;
            rings[count++] = (ring){radius * cosine, middle + radius * sine, cosine, sine};
        }
    }
    return count;
}

static void add_ring(builder *b, const ring *r, sn_vec3 center, const sn_mat3 *axes)
{
    bool pole = r->radius == 0.0f;
    for (int i = 0; i < (pole ? 1 : b->detail); ++i) {
        float angle = (float)i * (2.0f * SN_PI / (float)b->detail);
        sn_vec3 out = sn_add_scaled(sn_scale(axes->x, sn_cos(angle)), sn_sin(angle), axes->z);
        sn_vec3 on_axis = sn_add_scaled(center, r->height, axes->y);
        sn_vec3 normal = sn_add_scaled(sn_scale(axes->y, r->normal_height), r->normal_radius, out);
        add_vertex(b, sn_add_scaled(on_axis, r->radius, out), sn_normalize(normal));
    }
}

// Triangles between two rings, of which the lower or the upper may be a pole.
static void join_rings(builder *b, uint32_t lower, bool lower_pole, uint32_t upper, bool upper_pole)
{
    uint32_t n = (uint32_t)b->detail;
    for (uint32_t i = 0; i < n; ++i) {
        uint32_t next = (i + 1) % n;
        uint32_t a = lower + (lower_pole ? 0 : i), c = upper + (upper_pole ? 0 : i);
        if (!lower_pole) {
            add_triangle(b, a, c, lower + next);
        }
        if (!upper_pole) {
            add_triangle(b, lower + (lower_pole ? 0 : next), c, upper + next);
        }
    }
}

static void add_round(builder *b, sn_vec3 center, sn_vec3 axis, float length, float radius)
{
    ring rings[MOST_RINGS];
    int count = make_rings(radius, length, b->detail, rings);
    sn_vec3 side = sn_perpendicular(axis);
    sn_mat3 axes = {side, axis, sn_cross(side, axis)};
    uint32_t below = 0;
    for (int i = 0; i < count; ++i) {
        uint32_t first = (uint32_t)b->positions.count;
        add_ring(b, &rings[i], center, &axes);
        if (i > 0) {
            join_rings(b, below, i == 1, first, i == count - 1);
        }
        below = first;
    }
}

static void add_capsule(builder *b, sn_capsule capsule)
{
    sn_vec3 axis = sn_normalize(sn_sub(capsule.b, capsule.a));
    add_round(b, sn_lerp(capsule.a, capsule.b, 0.5f), axis, sn_distance_between(capsule.a, capsule.b),
              capsule.radius);
}

// --- flat faces --------------------------------------------------------------------------------------------

// A convex polygon as a fan, its corners counter-clockwise from outside.
static void add_polygon(builder *b, const sn_vec3 *corners, int count, sn_vec3 normal)
{
    uint32_t first = (uint32_t)b->positions.count;
    for (int i = 0; i < count; ++i) {
        add_vertex(b, corners[i], normal);
    }
    for (int i = 2; i < count; ++i) {
        add_triangle(b, first, first + (uint32_t)i - 1, first + (uint32_t)i);
    }
}

// A rectangle around `center`, spanned by half its sides.
static void add_rectangle(builder *b, sn_vec3 center, sn_vec3 u, sn_vec3 v, sn_vec3 normal)
{
    sn_vec3 corners[4] = {sn_sub(sn_sub(center, u), v), sn_sub(sn_add(center, u), v),
                          sn_add(sn_add(center, u), v), sn_add(sn_sub(center, u), v)};
    add_polygon(b, corners, 4, normal);
}

static void add_box(builder *b, sn_box box)
{
    sn_vec3 h = box.half_extents;
    sn_vec3 x = sn_v(h.x, 0.0f, 0.0f), y = sn_v(0.0f, h.y, 0.0f), z = sn_v(0.0f, 0.0f, h.z);
    add_rectangle(b, x, y, z, sn_v(1.0f, 0.0f, 0.0f));
    add_rectangle(b, sn_neg(x), z, y, sn_v(-1.0f, 0.0f, 0.0f));
    add_rectangle(b, y, z, x, sn_v(0.0f, 1.0f, 0.0f));
    add_rectangle(b, sn_neg(y), x, z, sn_v(0.0f, -1.0f, 0.0f));
    add_rectangle(b, z, x, y, sn_v(0.0f, 0.0f, 1.0f));
    add_rectangle(b, sn_neg(z), y, x, sn_v(0.0f, 0.0f, -1.0f));
}

// Twice the area times the normal (Newell): good for polygons whose first corners lie on one line, too.
static sn_vec3 polygon_normal(const sn_vec3 *corners, int count)
{
    sn_vec3 sum = sn_v(0.0f, 0.0f, 0.0f);
    for (int i = 2; i < count; ++i) {
        sn_vec3 a = sn_sub(corners[i - 1], corners[0]), c = sn_sub(corners[i], corners[0]);
        sum = sn_add(sum, sn_cross(a, c));
    }
    return sn_normalize(sum);
}

static void add_hull(builder *b, const sn_hull *hull)
{
    const sn_vec3 *vertices = sn_hull_vertices(hull);
    for (int face = 0; face < sn_hull_face_count(hull); ++face) {
        int indices[SN_MAX_HULL_VERTICES];
        sn_vec3 corners[SN_MAX_HULL_VERTICES];
        int count = sn_hull_face(hull, face, indices, SN_MAX_HULL_VERTICES);
        for (int i = 0; i < count; ++i) {
            corners[i] = vertices[indices[i]];
        }
        add_polygon(b, corners, count, polygon_normal(corners, count));
    }
}

static void add_plane(builder *b, sn_plane plane, float size)
{
    // The point of the plane nearest the body's origin, seen from the shape.
    sn_vec3 origin = sn_pose_apply_inverse(b->pose, sn_v(0.0f, 0.0f, 0.0f));
    sn_vec3 center = sn_add_scaled(origin, plane.offset - sn_dot(plane.normal, origin), plane.normal);
    sn_vec3 u = sn_perpendicular(plane.normal), v = sn_cross(plane.normal, u);
    add_rectangle(b, center, sn_scale(u, 0.5f * size), sn_scale(v, 0.5f * size), plane.normal);
}

// --- surfaces ----------------------------------------------------------------------------------------------

// A corner of a triangle. Corners are sorted by place, so that those of one vertex lie side by side.
typedef struct corner {
    sn_vec3 position;
    uint32_t number; // 3 × triangle + corner
} corner;

static int compare_corners(const void *left, const void *right)
{
    const corner *a = left, *b = right;
    if (a->position.x != b->position.x) {
        return a->position.x < b->position.x ? -1 : 1;
    }
    if (a->position.y != b->position.y) {
        return a->position.y < b->position.y ? -1 : 1;
    }
    if (a->position.z != b->position.z) {
        return a->position.z < b->position.z ? -1 : 1;
    }
    return a->number < b->number ? -1 : a->number > b->number;
}

static bool same_place(sn_vec3 a, sn_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// The normals of a surface's triangles, and for each corner the angle there: the weight of its triangle in
// the normal of the vertex (Thürmer and Wüthrich 1998).
static void measure_corners(const sn_surface *surface, corner *corners, sn_vec3 *normals, float *angles)
{
    for (int t = 0; t < sn_surface_triangle_count(surface); ++t) {
        sn_vec3 p[3];
        sn_surface_triangle(surface, t, p);
        normals[t] = sn_normalize(sn_cross(sn_sub(p[1], p[0]), sn_sub(p[2], p[0])));
        for (int k = 0; k < 3; ++k) {
            uint32_t number = 3 * (uint32_t)t + (uint32_t)k;
            sn_vec3 next = sn_normalize(sn_sub(p[(k + 1) % 3], p[k]));
            sn_vec3 last = sn_normalize(sn_sub(p[(k + 2) % 3], p[k]));
            corners[number] = (corner){p[k], number};
            angles[number] = sn_acos(sn_dot(next, last));
        }
    }
}

static sn_vec3 smooth_normal(const corner *corners, int count, int self, const sn_vec3 *normals,
                             const float *angles)
{
    sn_vec3 own = normals[corners[self].number / 3], sum = sn_v(0.0f, 0.0f, 0.0f);
    for (int i = 0; count <= MOST_SMOOTHED && i < count; ++i) {
        sn_vec3 other = normals[corners[i].number / 3];
        if (sn_dot(own, other) >= cosine_smooth) {
            sum = sn_add_scaled(sum, angles[corners[i].number], other);
        }
    }
    return sn_length(sum) > 0.0f ? sn_normalize(sum) : own;
}

// Adds the vertices at one place: corners whose normals come out alike share one.
static void add_corners(builder *b, const corner *corners, int count, const sn_vec3 *normals,
                        const float *angles, uint32_t *vertex_of)
{
    sn_vec3 made[MOST_SMOOTHED];
    int made_count = 0;
    uint32_t first = (uint32_t)b->positions.count;
    for (int i = 0; i < count; ++i) {
        sn_vec3 normal = smooth_normal(corners, count, i, normals, angles);
        int found = 0;
        while (found < made_count && !same_place(made[found], normal)) {
            ++found;
        }
        if (found < made_count) {
            vertex_of[corners[i].number] = first + (uint32_t)found;
            continue;
        }
        vertex_of[corners[i].number] = add_vertex(b, corners[i].position, normal);
        if (made_count < MOST_SMOOTHED) {
            made[made_count++] = normal;
        }
    }
}

static void add_surface(builder *b, const sn_surface *surface)
{
    int triangle_count = sn_surface_triangle_count(surface), corner_count = 3 * triangle_count;
    size_t room = (size_t)corner_count + 1;
    corner *corners = malloc(room * sizeof *corners);
    sn_vec3 *normals = malloc(room * sizeof *normals);
    float *angles = malloc(room * sizeof *angles);
    uint32_t *vertex_of = calloc(room, sizeof *vertex_of);
    b->enough = b->enough && corners && normals && angles && vertex_of;
    if (b->enough) {
        measure_corners(surface, corners, normals, angles);
        qsort(corners, (size_t)corner_count, sizeof *corners, compare_corners);
        for (int begin = 0, end; begin < corner_count; begin = end) {
            end = begin + 1;
            while (end < corner_count && same_place(corners[begin].position, corners[end].position)) {
                ++end;
            }
            add_corners(b, corners + begin, end - begin, normals, angles, vertex_of);
        }
        for (int t = 0; t < triangle_count; ++t) {
            const uint32_t *v = vertex_of + 3 * (size_t)t;
            add_triangle(b, v[0], v[1], v[2]);
        }
    }
    free(corners);
    free(normals);
    free(angles);
    free(vertex_of);
}

// --- any shape ---------------------------------------------------------------------------------------------

static void add_solid(builder *b, const sn_solid *solid)
{
    sn_pose outer = b->pose;
    b->pose = sn_pose_multiply(outer, solid->pose);
    switch (solid->type) {
    case SN_SPHERE:
        add_round(b, solid->sphere.center, sn_v(0.0f, 1.0f, 0.0f), 0.0f, solid->sphere.radius);
        break;
    case SN_CAPSULE:
        add_capsule(b, solid->capsule);
        break;
    case SN_BOX:
        add_box(b, solid->box);
        break;
    default:
        add_hull(b, solid->hull);
        break;
    }
    b->pose = outer;
}

static void add_compound(builder *b, const sn_compound *compound)
{
    for (int i = 0; i < sn_compound_part_count(compound); ++i) {
        sn_solid part = sn_compound_part(compound, i);
        add_solid(b, &part);
    }
}

// Asks for what the type has only, so that the world notes no error.
static void add_shape(builder *b, const sn_world *world, sn_shape shape, float plane_size)
{
    sn_solid solid = {.type = sn_shape_get_type(world, shape), .pose = sn_pose_identity};
    sn_plane plane;
    const sn_surface *surface;
    const sn_compound *compound;
    switch (solid.type) {
    case SN_PLANE:
        plane = sn_shape_plane(world, shape);
        add_plane(b, plane, plane_size);
        return;
    case SN_SURFACE:
        surface = sn_shape_surface(world, shape);
        add_surface(b, surface);
        return;
    case SN_COMPOUND:
        compound = sn_shape_compound(world, shape);
        add_compound(b, compound);
        return;
    case SN_SPHERE:
        solid.sphere = sn_shape_sphere(world, shape);
        break;
    case SN_CAPSULE:
        solid.capsule = sn_shape_capsule(world, shape);
        break;
    case SN_BOX:
        solid.box = sn_shape_box(world, shape);
        break;
    case SN_HULL:
        solid.hull = sn_shape_hull(world, shape);
        break;
    }
    add_solid(b, &solid);
}

static sn_status check_request(const sn_world *world, sn_shape shape, int detail, float plane_size)
{
    if (!sn_shape_is_valid(world, shape)) {
        return sn_scene_fail(SN_ERROR_ID, "triangles: shape %u does not exist", (unsigned)shape.index);
    }
    if (detail < LEAST_DETAIL || detail > MOST_DETAIL) {
        return sn_scene_fail(SN_ERROR_RANGE, "triangles: detail is %d, expected %d to %d", detail,
                             LEAST_DETAIL, MOST_DETAIL);
    }
    bool plane = sn_shape_get_type(world, shape) == SN_PLANE;
    if (plane && !(plane_size > 0.0f && plane_size <= largest_plane)) {
        return sn_scene_fail(SN_ERROR_RANGE, "triangles: plane_size is %g, expected more than 0 to %g",
                             (double)plane_size, (double)largest_plane);
    }
    return SN_OK;
}

sn_status sn_shape_triangles(const sn_world *world, sn_shape shape, int detail, float plane_size,
                             sn_triangles *triangles)
{
    if (triangles == NULL) {
        return sn_scene_fail(SN_ERROR_NULL, "triangles: triangles is null, expected where to put them");
    }
    memset(triangles, 0, sizeof *triangles);
    sn_status status = check_request(world, shape, detail, plane_size);
    if (status != SN_OK) {
        return status;
    }
    builder b = {.pose = sn_shape_definition(world, shape).offset, .detail = detail, .enough = true};
    add_shape(&b, world, shape, plane_size);
    *triangles = (sn_triangles){b.positions.items, b.normals.items, b.indices.items, b.positions.count,
                                b.indices.count / 3};
    if (!b.enough) {
        sn_triangles_release(triangles);
        return sn_scene_fail(SN_ERROR_MEMORY, "triangles: no memory for shape %u", (unsigned)shape.index);
    }
    return SN_OK;
}

void sn_triangles_release(sn_triangles *triangles)
{
    if (triangles != NULL) {
        free(triangles->positions);
        free(triangles->normals);
        free(triangles->indices);
        memset(triangles, 0, sizeof *triangles);
    }
}
