// The hull object: made from points, checked, shared by reference count. How a hull is found is told in
// hull_shape.c; here its half-edges, planes and mass are laid out for the narrow phase. Made once and not in
// a step, so planes and mass are worked out in double.
#include "geometry/shapes/hull.h"
#include "base/allocate.h"
#include "geometry/shapes/check.h"
#include "geometry/shapes/hull_shape.h"
#include "geometry/shapes/mass.h"

#define MAX_CYLINDER_SIDES (SN_MAX_HULL_VERTICES / 2)

// --- layout --------------------------------------------------------------------------------------

static int count_half_edges(const sn_hull_shape *shape)
{
    int count = 0;
    for (int i = 0; i < shape->skin.count; ++i) {
        for (int k = 0; k < 3; ++k) {
            count += shape->faces.face_of[i] != shape->faces.face_of[shape->skin.triangles[i].neighbor[k]];
        }
    }
    return count;
}

sn_hull *sn_hull_allocate(int vertex_count, int face_count, int half_edge_count)
{
    size_t planes_at = sizeof(sn_hull);
    size_t vertices_at = planes_at + (size_t)face_count * sizeof(sn_face_plane);
    size_t half_edges_at = vertices_at + (size_t)vertex_count * sizeof(sn_vec3);
    size_t face_edges_at = half_edges_at + (size_t)half_edge_count * sizeof(sn_half_edge);
    size_t bytes = face_edges_at + (size_t)face_count * sizeof(uint16_t);
    char *block = sn_allocate_zero(1, bytes);
    if (!block) {
        return NULL;
    }
    sn_hull *hull = (sn_hull *)(void *)block;
    hull->reference_count = 1;
    hull->bytes = bytes;
    hull->planes = (sn_face_plane *)(void *)(block + planes_at);
    hull->vertices = (sn_vec3 *)(void *)(block + vertices_at);
    hull->half_edges = (sn_half_edge *)(void *)(block + half_edges_at);
    hull->face_edges = (uint16_t *)(void *)(block + face_edges_at);
    hull->polyhedron = (sn_polyhedron){
        .vertices = hull->vertices,
        .planes = hull->planes,
        .half_edges = hull->half_edges,
        .face_edges = hull->face_edges,
        .vertex_count = vertex_count,
        .face_count = face_count,
        .half_edge_count = half_edge_count,
    };
    return hull;
}

// Every triangle edge between two faces becomes a pair of half-edges.
static void lay_out_half_edges(sn_hull *hull, const sn_hull_shape *shape)
{
    const sn_hull_triangle *triangles = shape->skin.triangles;
    const int *face_of = shape->faces.face_of;
    int count = 0;
    for (int i = 0; i < shape->skin.count; ++i) {
        for (int k = 0; k < 3; ++k) {
            int neighbor = triangles[i].neighbor[k];
            if (neighbor < i || face_of[i] == face_of[neighbor]) {
                continue;
            }
            uint16_t from = (uint16_t)triangles[i].vertex[k];
            uint16_t to = (uint16_t)triangles[i].vertex[(k + 1) % 3];
            hull->half_edges[count++] = (sn_half_edge){.origin = from, .face = (uint16_t)face_of[i]};
            hull->half_edges[count++] = (sn_half_edge){.origin = to, .face = (uint16_t)face_of[neighbor]};
        }
    }
}

static void link_half_edges(sn_hull *hull)
{
    sn_half_edge *edges = hull->half_edges;
    for (int face = 0; face < hull->polyhedron.face_count; ++face) {
        uint16_t leaving[SN_MAX_HULL_VERTICES] = {0}; // this face's half-edge by the vertex it starts from
        for (int e = hull->polyhedron.half_edge_count - 1; e >= 0; --e) {
            if (edges[e].face == face) {
                leaving[edges[e].origin] = (uint16_t)e;
                hull->face_edges[face] = (uint16_t)e;
            }
        }
        for (int e = 0; e < hull->polyhedron.half_edge_count; ++e) {
            if (edges[e].face == face) {
                edges[e].next = leaving[edges[e ^ 1].origin];
            }
        }
    }
}

// --- measures ------------------------------------------------------------------------------------

// Newell's normal of a face: the sum of the cross products round its outline, about its first corner.
static sn_vec3 face_normal(const sn_polyhedron *p, int face)
{
    double x = 0.0, y = 0.0, z = 0.0;
    int first = p->face_edges[face];
    sn_vec3 origin = p->vertices[p->half_edges[first].origin];
    for (int e = p->half_edges[first].next; e != first; e = p->half_edges[e].next) {
        sn_vec3 v = p->vertices[p->half_edges[e].origin];
        sn_vec3 w = p->vertices[p->half_edges[e ^ 1].origin];
        double ax = (double)v.x - origin.x, ay = (double)v.y - origin.y, az = (double)v.z - origin.z;
        double bx = (double)w.x - origin.x, by = (double)w.y - origin.y, bz = (double)w.z - origin.z;
        x += ay * bz - az * by;
        y += az * bx - ax * bz;
        z += ax * by - ay * bx;
    }
    double inverse_length = 1.0 / sqrt(x * x + y * y + z * z);
    return sn_v((float)(x * inverse_length), (float)(y * inverse_length), (float)(z * inverse_length));
}

static double height(sn_vec3 normal, sn_vec3 p)
{
    return (double)normal.x * p.x + (double)normal.y * p.y + (double)normal.z * p.z;
}

// Planes touch the vertex farthest out, so that all vertices are inside all of them.
static void measure_planes(sn_hull *hull)
{
    const sn_polyhedron *p = &hull->polyhedron;
    for (int face = 0; face < p->face_count; ++face) {
        sn_vec3 normal = face_normal(p, face);
        double offset = height(normal, p->vertices[0]);
        for (int i = 1; i < p->vertex_count; ++i) {
            double h = height(normal, p->vertices[i]);
            offset = h > offset ? h : offset;
        }
        hull->planes[face] = (sn_face_plane){normal, (float)offset};
    }
}

static void measure_mass(sn_hull *hull, const sn_hull_skin *skin)
{
    uint32_t triangles[3 * SN_MAX_HULL_TRIANGLES];
    for (int i = 0; i < 3 * skin->count; ++i) {
        triangles[i] = (uint32_t)skin->triangles[i / 3].vertex[i % 3];
    }
    hull->unit_mass = sn_mass_of_triangles(hull->vertices, triangles, skin->count);
}

static void measure_size(sn_hull *hull)
{
    sn_polyhedron *p = &hull->polyhedron;
    p->center = hull->unit_mass.center;
    hull->bounds = (sn_bounds){p->vertices[0], p->vertices[0]};
    for (int i = 1; i < p->vertex_count; ++i) {
        hull->bounds.lower = sn_min3(hull->bounds.lower, p->vertices[i]);
        hull->bounds.upper = sn_max3(hull->bounds.upper, p->vertices[i]);
    }
    double inner_radius = (double)INFINITY;
    for (int face = 0; face < p->face_count; ++face) {
        double depth = p->planes[face].offset - height(p->planes[face].normal, p->center);
        inner_radius = depth < inner_radius ? depth : inner_radius;
    }
    hull->inner_radius = (float)inner_radius;
}

// --- consistency ---------------------------------------------------------------------------------

static bool indices_are_in_range(const sn_polyhedron *p)
{
    for (int i = 0; i < p->half_edge_count; ++i) {
        if (p->half_edges[i].origin >= p->vertex_count || p->half_edges[i].face >= p->face_count) {
            return false;
        }
    }
    return true;
}

// The number of half-edges round a face; 0 unless they are a loop of at least three that meets no vertex
// twice and every one of them ends where the next begins.
static int loop_length(const sn_polyhedron *p, int face)
{
    bool met[SN_MAX_HULL_VERTICES] = {false};
    int first = p->face_edges[face], e = first, length = 0;
    do {
        const sn_half_edge *edge = &p->half_edges[e];
        if (edge->face != face || met[edge->origin] ||
            p->half_edges[edge->next].origin != p->half_edges[e ^ 1].origin) {
            return 0;
        }
        met[edge->origin] = true;
        ++length;
        e = edge->next;
    } while (e != first);
    return length < 3 ? 0 : length;
}

// Whether faces are loops that use up all half-edges, every vertex has three edges or more, and Euler's
// formula holds.
static bool is_closed(const sn_polyhedron *p)
{
    int edges_from[SN_MAX_HULL_VERTICES] = {0}, walked = 0;
    bool sound = p->vertex_count - p->half_edge_count / 2 + p->face_count == 2;
    for (int face = 0; sound && face < p->face_count; ++face) {
        int length = loop_length(p, face);
        sound = length > 0;
        walked += length;
    }
    for (int e = 0; sound && e < p->half_edge_count; ++e) {
        edges_from[p->half_edges[e].origin]++;
    }
    for (int i = 0; sound && i < p->vertex_count; ++i) {
        sound = edges_from[i] >= 3;
    }
    return sound && walked == p->half_edge_count;
}

// Faces are flat, nothing sticks out of them, and there is room inside.
static bool geometry_is_sound(const sn_hull *hull, float tolerance)
{
    const sn_polyhedron *p = &hull->polyhedron;
    for (int e = 0; e < p->half_edge_count; ++e) {
        const sn_face_plane *plane = &p->planes[p->half_edges[e].face];
        double h = height(plane->normal, p->vertices[p->half_edges[e].origin]) - plane->offset;
        if (!(fabs(h) <= (double)tolerance)) {
            return false;
        }
    }
    return hull->inner_radius > 0.0f && hull->unit_mass.mass > 0.0f && sn_is_finite(hull->unit_mass.mass);
}

bool sn_hull_complete(sn_hull *hull, float tolerance)
{
    if (!indices_are_in_range(&hull->polyhedron)) {
        return false;
    }
    link_half_edges(hull);
    if (!is_closed(&hull->polyhedron)) {
        return false;
    }
    measure_planes(hull);
    measure_size(hull);
    return geometry_is_sound(hull, tolerance);
}

// --- making --------------------------------------------------------------------------------------

static sn_status fail_outcome(sn_hull_outcome outcome, int count)
{
    switch (outcome) {
    case SN_HULL_POINT:
        return sn_fail(NULL, SN_ERROR_GEOMETRY, "hull: the %d points coincide, expected a solid", count);
    case SN_HULL_LINE:
        return sn_fail(NULL, SN_ERROR_GEOMETRY, "hull: the %d points lie on a line, expected a solid", count);
    case SN_HULL_FLAT:
        return sn_fail(NULL, SN_ERROR_GEOMETRY, "hull: the %d points lie on a plane, expected a solid",
                       count);
    case SN_HULL_NO_MEMORY:
        return sn_fail(NULL, SN_ERROR_MEMORY, "hull: no memory for %d points", count);
    default:
        return sn_fail(NULL, SN_ERROR_GEOMETRY, "hull: the %d points make no valid polyhedron", count);
    }
}

static sn_status create_from_shape(int count, const sn_hull_shape *shape, sn_hull **out)
{
    sn_hull *hull = sn_hull_allocate(shape->vertex_count, shape->faces.count, count_half_edges(shape));
    if (!hull) {
        return fail_outcome(SN_HULL_NO_MEMORY, count);
    }
    for (int i = 0; i < shape->vertex_count; ++i) {
        hull->vertices[i] = shape->vertices[i];
    }
    lay_out_half_edges(hull, shape);
    measure_mass(hull, &shape->skin);
    if (!sn_hull_complete(hull, 8.0f * shape->tolerance)) {
        sn_hull_destroy(hull);
        return fail_outcome(SN_HULL_BROKEN, count);
    }
    *out = hull;
    return SN_OK;
}

sn_status sn_hull_create(const sn_vec3 *points, int count, int max_vertices, sn_hull **hull)
{
    if (!points || !hull) {
        return sn_fail(NULL, SN_ERROR_NULL, "hull: %s is null", points ? "hull" : "points");
    }
    if (max_vertices != 0 && (max_vertices < 4 || max_vertices > SN_MAX_HULL_VERTICES)) {
        return sn_fail(NULL, SN_ERROR_RANGE, "hull: max_vertices is %d, expected 0 or >= 4 and <= %d",
                       max_vertices, SN_MAX_HULL_VERTICES);
    }
    if (count < 4) {
        return sn_fail(NULL, SN_ERROR_GEOMETRY, "hull: count is %d, expected >= 4", count);
    }
    if (count > SN_MAX_MESH_COUNT) {
        return sn_fail(NULL, SN_ERROR_RANGE, "hull: count is %d, expected <= %d", count, SN_MAX_MESH_COUNT);
    }
    sn_status status = sn_check_points(points, count, NULL, "hull", "point");
    if (status) {
        return status;
    }
    sn_hull_shape *shape = sn_allocate_zero(1, sizeof *shape);
    if (!shape) {
        return fail_outcome(SN_HULL_NO_MEMORY, count);
    }
    sn_hull_outcome outcome =
        sn_hull_shape_find(points, count, max_vertices ? max_vertices : SN_MAX_HULL_VERTICES, shape);
    status = outcome == SN_HULL_BUILT ? create_from_shape(count, shape, hull) : fail_outcome(outcome, count);
    sn_release(shape, sizeof *shape);
    return status;
}

sn_status sn_hull_cylinder(float height, float bottom_radius, float top_radius, int sides, sn_hull **hull)
{
    static const char *object = "cylinder hull";
    if (sides < 3 || sides > MAX_CYLINDER_SIDES) {
        return sn_fail(NULL, SN_ERROR_RANGE, "%s: sides is %d, expected >= 3 and <= %d", object, sides,
                       MAX_CYLINDER_SIDES);
    }
    sn_status status = sn_check_size(height, NULL, object, "height");
    status = status ? status : sn_check_size(bottom_radius, NULL, object, "bottom_radius");
    if (!status && top_radius != 0.0f) {
        status = sn_check_size(top_radius, NULL, object, "top_radius");
    }
    if (status) {
        return status;
    }
    sn_vec3 points[2 * MAX_CYLINDER_SIDES];
    for (int i = 0; i < sides; ++i) {
        float angle = 2.0f * SN_PI * (float)i / (float)sides;
        float x = sn_cos(angle), z = sn_sin(angle);
        points[2 * i] = sn_v(bottom_radius * x, -0.5f * height, bottom_radius * z);
        points[2 * i + 1] = sn_v(top_radius * x, 0.5f * height, top_radius * z);
    }
    return sn_hull_create(points, 2 * sides, 0, hull);
}

void sn_hull_retain(const sn_hull *hull)
{
    ((sn_hull *)hull)->reference_count++;
}

void sn_hull_destroy(sn_hull *hull)
{
    if (hull && --hull->reference_count == 0) {
        sn_release(hull, hull->bytes);
    }
}

// --- looking -------------------------------------------------------------------------------------

int sn_hull_vertex_count(const sn_hull *hull)
{
    return hull ? hull->polyhedron.vertex_count : 0;
}

int sn_hull_face_count(const sn_hull *hull)
{
    return hull ? hull->polyhedron.face_count : 0;
}

const sn_vec3 *sn_hull_vertices(const sn_hull *hull)
{
    return hull ? hull->vertices : NULL;
}

int sn_hull_face(const sn_hull *hull, int face, int *indices, int capacity)
{
    if (!hull || face < 0 || face >= hull->polyhedron.face_count) {
        return 0;
    }
    int count = 0, first = hull->face_edges[face], e = first;
    do {
        if (indices && count < capacity) {
            indices[count] = hull->half_edges[e].origin;
        }
        count++;
        e = hull->half_edges[e].next;
    } while (e != first);
    return count;
}
