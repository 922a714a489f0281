// Geometry in a snapshot. Hulls, surfaces, compounds and meshes may be shared: each is described where it is
// met first and referred to by its number afterwards. What follows from vertices, triangles and half-edges is
// made again, with the same bits. (Meshes are in snapshot_mesh.c.)
// Tested by tests/world/snapshot/test_snapshot_parts.c.
#include "base/allocate.h"
#include "geometry/shapes/check.h"
#include "world/snapshot/snapshot_parts.h"

#include <limits.h>
#include <string.h>

// Most parts of a compound, as in sn_compound_create.
#define MAX_PARTS 4096

#define UNIT_LENGTH SN_RANGE(1.0f - SN_ROTATION_TOLERANCE, 1.0f + SN_ROTATION_TOLERANCE)

// --- primitives ----------------------------------------------------------------------------------

static const sn_field sphere_fields[] = {
    SN_MEMBER_FIELD(VEC3, sn_sphere, center, SN_ANY),
    SN_MEMBER_FIELD(FLOAT, sn_sphere, radius, SN_ANY),
    {0},
};
static const sn_field capsule_fields[] = {
    SN_MEMBER_FIELD(VEC3, sn_capsule, a, SN_ANY),
    SN_MEMBER_FIELD(VEC3, sn_capsule, b, SN_ANY),
    SN_MEMBER_FIELD(FLOAT, sn_capsule, radius, SN_ANY),
    {0},
};
static const sn_field box_fields[] = {
    SN_MEMBER_FIELD(VEC3, sn_box, half_extents, SN_ANY),
    {0},
};
static const sn_field plane_fields[] = {
    SN_MEMBER_FIELD(DIRECTION, sn_plane, normal, UNIT_LENGTH),
    SN_MEMBER_FIELD(FLOAT, sn_plane, offset, SN_RANGE(-SN_MAX_COORDINATE, SN_MAX_COORDINATE)),
    {0},
};

// What tables cannot say of a primitive.
static sn_status check_primitive(sn_shape_type type, const void *geometry, sn_error *error,
                                 const char *object)
{
    switch (type) {
    case SN_SPHERE:
        return sn_check_sphere(*(const sn_sphere *)geometry, error, object);
    case SN_CAPSULE:
        return sn_check_capsule(*(const sn_capsule *)geometry, error, object);
    case SN_BOX:
        return sn_check_box(*(const sn_box *)geometry, error, object);
    default:
        return SN_OK;
    }
}

void sn_archive_geometry(sn_archive *archive, sn_shape_type type, void *geometry, const char *what, int index)
{
    static const sn_field *const primitives[] = {[SN_SPHERE] = sphere_fields,
                                                 [SN_CAPSULE] = capsule_fields,
                                                 [SN_BOX] = box_fields,
                                                 [SN_PLANE] = plane_fields,
                                                 [SN_COMPOUND] = NULL};
    static const sn_shared_type shared[] = {
        [SN_HULL] = SN_SHARED_HULL, [SN_SURFACE] = SN_SHARED_SURFACE, [SN_COMPOUND] = SN_SHARED_COMPOUND};
    if (primitives[type] == NULL) {
        sn_archive_shared(archive, shared[type], geometry);
        return;
    }
    sn_archive_fields(archive, primitives[type], geometry, what, index);
    sn_error why;
    if (sn_archive_has_read(archive) && check_primitive(type, geometry, &why, what) != SN_OK) {
        sn_stream_fail(&archive->stream, SN_ERROR_FORMAT, "%s", why.text);
    }
}

// --- hulls ---------------------------------------------------------------------------------------

static const sn_field half_edge_fields[] = {
    SN_MEMBER_FIELD(U16, sn_half_edge, origin, SN_ANY),
    SN_MEMBER_FIELD(U16, sn_half_edge, face, SN_ANY),
    {0},
};
static const sn_field hull_fields[] = {
    SN_MEMBER_FIELD(FLOAT, sn_hull, unit_mass.mass, SN_RANGE(FLT_MIN, FLT_MAX)),
    SN_MEMBER_FIELD(VEC3, sn_hull, unit_mass.center, SN_FINITE),
    SN_MEMBER_FIELD(VEC3, sn_hull, unit_mass.inertia, SN_ANY, .count = 3),
    {0},
};

// An empty hull of counts that a polyhedron can have: by Euler's formula those of vertices and faces give
// that of the edges. Null after a failure.
static sn_hull *begin_hull(sn_stream *stream, int vertex_count, int face_count)
{
    if (vertex_count < 4 || vertex_count > SN_MAX_HULL_VERTICES || face_count < 4 ||
        face_count > 2 * vertex_count - 4) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, "a hull has %d vertices and %d faces", vertex_count,
                       face_count);
    }
    if (stream->status != SN_OK) {
        return NULL;
    }
    sn_hull *hull = sn_hull_allocate(vertex_count, face_count, 2 * (vertex_count + face_count - 2));
    if (hull == NULL) {
        sn_stream_fail(stream, SN_ERROR_MEMORY, "no memory for a hull of %d vertices", vertex_count);
    }
    return hull;
}

// Faces are flat to a thousandth of the hull's size, and what far coordinates lose by rounding.
static void complete_hull(sn_stream *stream, sn_hull *hull)
{
    const sn_polyhedron *p = &hull->polyhedron;
    sn_error why;
    if (sn_check_points(p->vertices, p->vertex_count, &why, "hull", "vertex") != SN_OK) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, "%s", why.text);
        return;
    }
    sn_vec3 lower = p->vertices[0], upper = p->vertices[0];
    for (int i = 1; i < p->vertex_count; ++i) {
        lower = sn_min3(lower, p->vertices[i]);
        upper = sn_max3(upper, p->vertices[i]);
    }
    sn_vec3 size = sn_sub(upper, lower), far = sn_max3(sn_abs3(lower), sn_abs3(upper));
    float tolerance =
        1.0e-3f * sn_max(size.x, sn_max(size.y, size.z)) + 1.0e-5f * sn_max(far.x, sn_max(far.y, far.z));
    if (!sn_hull_complete(hull, tolerance)) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, "the half-edges of a hull make no convex polyhedron");
    }
}

static const void *archive_hull(sn_archive *archive, const void *known)
{
    sn_stream *stream = &archive->stream;
    sn_hull *hull = (sn_hull *)known; // changed only if made here
    int vertex_count = hull ? hull->polyhedron.vertex_count : 0;
    int face_count = hull ? hull->polyhedron.face_count : 0;
    sn_stream_int(stream, &vertex_count);
    sn_stream_int(stream, &face_count);
    if (sn_stream_reads(stream)) {
        hull = begin_hull(stream, vertex_count, face_count);
    }
    if (hull == NULL) {
        return NULL;
    }
    sn_stream_floats(stream, (float *)hull->vertices, 3 * (size_t)vertex_count);
    sn_archive_array(archive, half_edge_fields, hull->half_edges, sizeof *hull->half_edges,
                     hull->polyhedron.half_edge_count, "half-edge");
    sn_archive_fields(archive, hull_fields, hull, "hull", -1);
    if (sn_archive_has_read(archive)) {
        complete_hull(stream, hull);
    }
    return hull;
}

// --- surfaces ------------------------------------------------------------------------------------

// Vertices and triangles: the tree, and what is known of edges, are made anew.
static const void *archive_surface(sn_archive *archive, const void *known)
{
    sn_stream *stream = &archive->stream;
    const sn_surface *surface = known;
    SN_ARRAY(sn_vec3) vertices = {0};
    SN_ARRAY(uint32_t) triangles = {0};
    sn_error why;
    int vertex_count = surface ? surface->vertex_count : 0;
    int triangle_count = surface ? surface->triangle_count : 0;
    bool double_sided = surface && surface->double_sided;
    sn_stream_bool(stream, &double_sided, "double_sided");
    sn_stream_count(stream, &vertex_count, sizeof(sn_vec3), "a surface's vertices");
    sn_stream_count(stream, &triangle_count, 3 * sizeof(uint32_t), "a surface's triangles");
    if (sn_archive_has_read(archive) &&
        (triangle_count > INT_MAX / 6 || !sn_array_resize(&vertices, vertex_count) ||
         !sn_array_resize(&triangles, 3 * triangle_count))) {
        sn_stream_fail(stream, SN_ERROR_MEMORY, "no memory for a surface of %d triangles", triangle_count);
    }
    if (stream->status == SN_OK) {
        sn_vec3 *places = surface ? surface->vertices : vertices.data;
        uint32_t *corners = surface ? surface->triangles : triangles.data;
        sn_stream_floats(stream, (float *)places, 3 * (size_t)vertex_count);
        sn_stream_integers(stream, corners, sizeof(uint32_t), 3 * (size_t)triangle_count);
    }
    if (sn_archive_has_read(archive) && sn_check_triangles(vertices.data, vertex_count, triangles.data,
                                                           triangle_count, &why, "surface") != SN_OK) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, "%s", why.text);
    }
    if (sn_archive_has_read(archive)) {
        surface = sn_surface_make(vertices.data, vertex_count, triangles.data, triangle_count, double_sided);
        if (surface == NULL) {
            sn_stream_fail(stream, SN_ERROR_MEMORY, "no memory for a surface of %d triangles",
                           triangle_count);
        }
    }
    sn_array_release(&vertices);
    sn_array_release(&triangles);
    return surface;
}

// --- compounds -----------------------------------------------------------------------------------

static const sn_field solid_fields[] = {
    SN_MEMBER_FIELD(ENUM, sn_solid, type, SN_RANGE(0.0f, SN_HULL)),
    SN_MEMBER_FIELD(POSE, sn_solid, pose, SN_CHECKED),
    {0},
};

static void archive_part(sn_archive *archive, sn_compound_part_data *part, int index)
{
    const char *what = "part of a compound";
    sn_solid *solid = &part->solid;
    sn_archive_fields(archive, solid_fields, solid, what, index);
    if (archive->stream.status == SN_OK) {
        sn_archive_geometry(archive, solid->type, &solid->sphere, what, index);
    }
    if (sn_archive_has_read(archive)) {
        sn_convex convex = sn_convex_solid(&part->storage, solid);
        part->bounds = sn_convex_bounds(&convex, solid->pose);
    }
}

static sn_compound *begin_compound(sn_stream *stream, int part_count)
{
    if (part_count < 1 || part_count > MAX_PARTS) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, "a compound has %d parts", part_count);
    }
    if (stream->status != SN_OK) {
        return NULL;
    }
    size_t bytes = sizeof(sn_compound) + (size_t)part_count * sizeof(sn_compound_part_data);
    sn_compound *compound = sn_allocate_zero(1, bytes);
    if (compound == NULL) {
        sn_stream_fail(stream, SN_ERROR_MEMORY, "no memory for a compound of %d parts", part_count);
        return NULL;
    }
    compound->reference_count = 1;
    compound->part_count = part_count;
    compound->parts = (sn_compound_part_data *)(void *)(compound + 1);
    compound->bytes = bytes;
    return compound;
}

static const void *archive_compound(sn_archive *archive, const void *known)
{
    const size_t smallest_part = 36;              // a hull met before
    sn_compound *compound = (sn_compound *)known; // changed only if made here
    int part_count = compound ? compound->part_count : 0;
    sn_stream_count(&archive->stream, &part_count, smallest_part, "a compound's parts");
    if (sn_archive_reads(archive)) {
        compound = begin_compound(&archive->stream, part_count);
    }
    for (int i = 0; compound != NULL && archive->stream.status == SN_OK && i < part_count; ++i) {
        sn_compound_part_data *part = &compound->parts[i];
        archive_part(archive, part, i);
        if (sn_archive_reads(archive)) {
            compound->bounds = i == 0 ? part->bounds : sn_bounds_union(compound->bounds, part->bounds);
        }
    }
    return compound;
}

// --- sharing -------------------------------------------------------------------------------------

static const void *archive_object(sn_archive *archive, sn_shared_type type, const void *object)
{
    switch (type) {
    case SN_SHARED_HULL:
        return archive_hull(archive, object);
    case SN_SHARED_SURFACE:
        return archive_surface(archive, object);
    case SN_SHARED_MESH:
        return sn_archive_mesh(&archive->stream, object);
    default:
        return archive_compound(archive, object);
    }
}

// Takes a reference to a shared object, or gives one back. Handles are const because geometry is immutable;
// its reference count is not part of it.
static void count_reference(const sn_shared_geometry *shared, bool takes)
{
    void *object = (void *)shared->object;
    switch (shared->type) {
    case SN_SHARED_HULL:
        takes ? sn_hull_retain(object) : sn_hull_destroy(object);
        break;
    case SN_SHARED_SURFACE:
        takes ? sn_surface_retain(object) : sn_surface_destroy(object);
        break;
    case SN_SHARED_MESH:
        takes ? sn_mesh_retain(object) : sn_mesh_destroy(object);
        break;
    default:
        takes ? sn_compound_retain(object) : sn_compound_destroy(object);
        break;
    }
}

// Written are a number, that of the object's first use or the next one, and after a new number the object.
static void write_shared(sn_archive *archive, sn_shared_type type, const void *object)
{
    uint64_t key = (uint64_t)(uintptr_t)object;
    int number = sn_pair_map_find(&archive->numbers, key);
    bool is_new = number < 0;
    if (is_new) {
        if (!sn_pair_map_reserve(&archive->numbers, 1)) {
            sn_stream_fail(&archive->stream, SN_ERROR_MEMORY, "no memory for the list of shared geometry");
            return;
        }
        number = archive->numbers.used;
        sn_pair_map_add(&archive->numbers, key, number);
    }
    sn_stream_int(&archive->stream, &number);
    if (is_new) {
        (void)archive_object(archive, type, object);
    }
}

// Null after a failure.
static const sn_shared_geometry *read_shared(sn_archive *archive, sn_shared_type type)
{
    sn_stream *stream = &archive->stream;
    int number = 0, count = archive->shared.count;
    sn_stream_int(stream, &number);
    if (stream->status == SN_OK && number == count) {
        // Its place is taken before it is read: hulls inside a compound come after it.
        sn_shared_geometry place = {type, NULL};
        if (!sn_array_push(&archive->shared, place)) {
            sn_stream_fail(stream, SN_ERROR_MEMORY, "no memory for the list of shared geometry");
            return NULL;
        }
        const void *object = archive_object(archive, type, NULL);
        archive->shared.data[number].object = object;
    } else if (number < 0 || number >= count || archive->shared.data[number].type != type ||
               archive->shared.data[number].object == NULL) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, "geometry %d is none of that type met before", number);
    }
    return stream->status == SN_OK ? &archive->shared.data[number] : NULL;
}

void sn_archive_shared(sn_archive *archive, sn_shared_type type, void *handle)
{
    const void *object; // copied: handles of all types have the same representation
    memcpy(&object, handle, sizeof object);
    if (!sn_archive_reads(archive)) {
        write_shared(archive, type, object);
        return;
    }
    const sn_shared_geometry *shared = read_shared(archive, type);
    if (shared != NULL) {
        count_reference(shared, true);
        memcpy(handle, &shared->object, sizeof shared->object);
    }
}

void sn_archive_release_geometry(sn_archive *archive)
{
    for (int i = 0; i < archive->shared.count; ++i) {
        count_reference(&archive->shared.data[i], false);
    }
    sn_array_release(&archive->shared);
    sn_pair_map_release(&archive->numbers);
}
