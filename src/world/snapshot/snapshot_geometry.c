// Shared geometry in a snapshot: hulls, surfaces, compounds, meshes. Each object is described where it is met
// first and named by its number afterwards. All that was worked out when it was made is saved with it
// (planes, half-edges, trees), so that the restored object is the same to the bit without being made again.
// (Meshes are made again, in snapshot_mesh.c.)
#include "base/allocate.h"
#include "world/snapshot/snapshot_check.h"
#include "world/snapshot/snapshot_parts.h"

// Most parts of a compound, as sn_compound_create has it.
#define MAX_PARTS 4096

// --- primitives ----------------------------------------------------------------------------------

void sn_archive_sphere(sn_stream *stream, sn_sphere *sphere)
{
    sn_stream_vec3(stream, &sphere->center);
    sn_stream_float(stream, &sphere->radius);
}

void sn_archive_capsule(sn_stream *stream, sn_capsule *capsule)
{
    sn_stream_vec3(stream, &capsule->a);
    sn_stream_vec3(stream, &capsule->b);
    sn_stream_float(stream, &capsule->radius);
}

// --- hulls ---------------------------------------------------------------------------------------

// An empty hull of counts that a polyhedron can have: by Euler's formula those of vertices and faces give
// that of the edges. Null after a failure.
static sn_hull *begin_hull(sn_stream *stream, size_t at, int vertex_count, int face_count)
{
    if (vertex_count < 4 || vertex_count > SN_MAX_HULL_VERTICES || face_count < 4 ||
        face_count > 2 * vertex_count - 4) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, at, "a hull has %d vertices and %d faces", vertex_count,
                       face_count);
    }
    if (stream->status != SN_OK) {
        return NULL;
    }
    sn_hull *hull = sn_hull_allocate(vertex_count, face_count, 2 * (vertex_count + face_count - 2));
    if (hull == NULL) {
        sn_stream_fail(stream, SN_ERROR_MEMORY, at, "no memory for a hull of %d vertices", vertex_count);
    }
    return hull;
}

static void archive_hull_fields(sn_stream *stream, sn_hull *hull)
{
    sn_polyhedron *p = &hull->polyhedron;
    for (int i = 0; i < p->vertex_count; ++i) {
        sn_stream_vec3(stream, &hull->vertices[i]);
    }
    for (int i = 0; i < p->face_count; ++i) {
        sn_stream_vec3(stream, &hull->planes[i].normal);
        sn_stream_float(stream, &hull->planes[i].offset);
        sn_stream_u16(stream, &hull->face_edges[i]);
    }
    for (int i = 0; i < p->half_edge_count; ++i) {
        sn_stream_u16(stream, &hull->half_edges[i].origin);
        sn_stream_u16(stream, &hull->half_edges[i].next);
        sn_stream_u16(stream, &hull->half_edges[i].face);
    }
    sn_stream_vec3(stream, &p->center);
    sn_stream_float(stream, &hull->inner_radius);
    sn_stream_bounds(stream, &hull->bounds);
    sn_stream_float(stream, &hull->unit_mass.mass);
    sn_stream_vec3(stream, &hull->unit_mass.center);
    sn_stream_mat3(stream, &hull->unit_mass.inertia);
}

static const sn_hull *archive_hull(sn_stream *stream, const sn_hull *known)
{
    size_t at = stream->at;
    sn_hull *hull = (sn_hull *)known; // changed only if made here
    int vertex_count = hull ? hull->polyhedron.vertex_count : 0;
    int face_count = hull ? hull->polyhedron.face_count : 0;
    sn_stream_int(stream, &vertex_count);
    sn_stream_int(stream, &face_count);
    if (sn_stream_reads(stream)) {
        hull = begin_hull(stream, at, vertex_count, face_count);
    }
    if (hull != NULL) {
        archive_hull_fields(stream, hull);
    }
    if (sn_stream_reads(stream) && stream->status == SN_OK) {
        sn_check_saved_hull(stream, at, hull);
    }
    return hull;
}

// --- surfaces ------------------------------------------------------------------------------------

static void archive_surface_fields(sn_stream *stream, sn_surface *surface)
{
    sn_stream_bool(stream, &surface->double_sided);
    for (int i = 0; i < surface->vertex_count; ++i) {
        sn_stream_vec3(stream, &surface->vertices[i]);
    }
    for (size_t i = 0; i < (size_t)surface->triangle_count; ++i) {
        sn_stream_u32(stream, &surface->triangles[3 * i]);
        sn_stream_u32(stream, &surface->triangles[3 * i + 1]);
        sn_stream_u32(stream, &surface->triangles[3 * i + 2]);
        sn_stream_u8(stream, &surface->active_edges[i]);
        sn_stream_u32(stream, &surface->order[i]);
    }
    for (int i = 0; i < surface->node_count; ++i) {
        sn_stream_bounds(stream, &surface->nodes[i].bounds);
        sn_stream_int(stream, &surface->nodes[i].first);
        sn_stream_int(stream, &surface->nodes[i].count);
    }
}

static const sn_surface *archive_surface(sn_stream *stream, const sn_surface *known)
{
    const size_t vertex_bytes = 12, triangle_bytes = 17, node_bytes = 32;
    size_t at = stream->at;
    sn_surface *surface = (sn_surface *)known; // changed only if made here
    int vertex_count = surface ? surface->vertex_count : 0;
    int triangle_count = surface ? surface->triangle_count : 0;
    int node_count = surface ? surface->node_count : 0;
    sn_stream_count(stream, &vertex_count, vertex_bytes, "a surface's vertices");
    sn_stream_count(stream, &triangle_count, triangle_bytes, "a surface's triangles");
    sn_stream_count(stream, &node_count, node_bytes, "a surface's nodes");
    if (sn_stream_reads(stream) && stream->status == SN_OK) {
        surface = sn_surface_allocate(vertex_count, triangle_count, node_count);
        if (surface == NULL) {
            sn_stream_fail(stream, SN_ERROR_MEMORY, at, "no memory for a surface of %d triangles",
                           triangle_count);
        }
    }
    if (surface != NULL) {
        archive_surface_fields(stream, surface);
    }
    if (surface != NULL && sn_stream_reads(stream) && stream->status == SN_OK) {
        sn_check_saved_surface(stream, at, surface);
        if (stream->status == SN_OK) {
            surface->bounds = surface->nodes[0].bounds;
        }
    }
    return surface;
}

// --- compounds -----------------------------------------------------------------------------------

static void archive_solid(sn_archive *archive, sn_solid *solid)
{
    sn_stream *stream = &archive->stream;
    size_t at = stream->at;
    sn_stream_enum(stream, &solid->type, SN_HULL + 1, "a solid's type");
    sn_stream_pose(stream, &solid->pose);
    if (solid->type == SN_SPHERE) {
        sn_archive_sphere(stream, &solid->sphere);
    } else if (solid->type == SN_CAPSULE) {
        sn_archive_capsule(stream, &solid->capsule);
    } else if (solid->type == SN_BOX) {
        sn_stream_vec3(stream, &solid->box.half_extents);
    } else {
        const sn_hull *hull = sn_archive_shared(archive, SN_SHARED_HULL, solid->hull);
        if (sn_stream_reads(stream) && hull != NULL) {
            solid->hull = hull;
            sn_hull_retain(hull);
        }
    }
    if (sn_stream_reads(stream) && stream->status == SN_OK) {
        sn_check_saved_solid(stream, at, solid);
    }
}

// Views and bounds of the parts, from their solids.
static void finish_compound(sn_compound *compound)
{
    for (int i = 0; i < compound->part_count; ++i) {
        sn_compound_part_data *part = &compound->parts[i];
        sn_convex convex = sn_convex_solid(&part->storage, &part->solid);
        part->bounds = sn_convex_bounds(&convex, part->solid.pose);
        compound->bounds = i == 0 ? part->bounds : sn_bounds_union(compound->bounds, part->bounds);
    }
}

static sn_compound *begin_compound(sn_stream *stream, size_t at, int part_count)
{
    if (part_count < 1 || part_count > MAX_PARTS) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, at, "a compound has %d parts", part_count);
    }
    if (stream->status != SN_OK) {
        return NULL;
    }
    size_t bytes = sizeof(sn_compound) + (size_t)part_count * sizeof(sn_compound_part_data);
    sn_compound *compound = sn_allocate_zero(1, bytes);
    if (compound == NULL) {
        sn_stream_fail(stream, SN_ERROR_MEMORY, at, "no memory for a compound of %d parts", part_count);
        return NULL;
    }
    compound->reference_count = 1;
    compound->part_count = part_count;
    compound->parts = (sn_compound_part_data *)(void *)(compound + 1);
    compound->bytes = bytes;
    return compound;
}

static const sn_compound *archive_compound(sn_archive *archive, const sn_compound *known)
{
    const size_t smallest_part = 36; // a hull met before
    sn_stream *stream = &archive->stream;
    size_t at = stream->at;
    sn_compound *compound = (sn_compound *)known; // changed only if made here
    int part_count = compound ? compound->part_count : 0;
    sn_stream_count(stream, &part_count, smallest_part, "a compound's parts");
    if (sn_stream_reads(stream)) {
        compound = begin_compound(stream, at, part_count);
    }
    for (int i = 0; compound != NULL && stream->status == SN_OK && i < part_count; ++i) {
        archive_solid(archive, &compound->parts[i].solid);
    }
    if (sn_stream_reads(stream) && stream->status == SN_OK) {
        finish_compound(compound);
    }
    return compound;
}

// --- references ----------------------------------------------------------------------------------

static const void *archive_object(sn_archive *archive, sn_shared_type type, const void *object)
{
    switch (type) {
    case SN_SHARED_HULL:
        return archive_hull(&archive->stream, object);
    case SN_SHARED_SURFACE:
        return archive_surface(&archive->stream, object);
    case SN_SHARED_MESH:
        return sn_archive_mesh(&archive->stream, object);
    default:
        return archive_compound(archive, object);
    }
}

// The number of an object on its way out: that of its first use, or the next one.
static int number_of(sn_archive *archive, const void *object)
{
    uint64_t key = (uint64_t)(uintptr_t)object;
    int number = sn_pair_map_find(&archive->numbers, key);
    if (number >= 0) {
        return number;
    }
    if (!sn_pair_map_reserve(&archive->numbers, 1)) {
        sn_stream_fail(&archive->stream, SN_ERROR_MEMORY, archive->stream.at,
                       "no memory for the list of shared geometry");
        return 0;
    }
    number = archive->numbers.used;
    sn_pair_map_add(&archive->numbers, key, number);
    return number;
}

static const void *write_shared(sn_archive *archive, sn_shared_type type, const void *object)
{
    int count = archive->numbers.used;
    int number = number_of(archive, object);
    sn_stream_int(&archive->stream, &number);
    return number == count && archive->stream.status == SN_OK ? archive_object(archive, type, object)
                                                              : object;
}

static const void *read_shared(sn_archive *archive, sn_shared_type type)
{
    sn_stream *stream = &archive->stream;
    size_t at = stream->at;
    int number = 0, count = archive->geometry.count;
    sn_stream_int(stream, &number);
    if (stream->status != SN_OK) {
        return NULL;
    }
    if (number == count) {
        // Its place is taken before it is read: hulls inside a compound come after it.
        sn_archive_geometry place = {type, NULL};
        if (!sn_array_push(&archive->geometry, place)) {
            sn_stream_fail(stream, SN_ERROR_MEMORY, at, "no memory for the list of shared geometry");
            return NULL;
        }
        archive->geometry.data[number].object = archive_object(archive, type, NULL);
    } else if (number < 0 || number > count || archive->geometry.data[number].type != type ||
               archive->geometry.data[number].object == NULL) {
        sn_stream_fail(stream, SN_ERROR_FORMAT, at, "geometry %d is none of that type seen before", number);
    }
    return stream->status == SN_OK ? archive->geometry.data[number].object : NULL;
}

const void *sn_archive_shared(sn_archive *archive, sn_shared_type type, const void *object)
{
    return sn_stream_reads(&archive->stream) ? read_shared(archive, type)
                                             : write_shared(archive, type, object);
}

void sn_archive_release_geometry(sn_archive *archive)
{
    for (int i = 0; i < archive->geometry.count; ++i) {
        // The handles are const because geometry is immutable; its reference count is not part of it.
        void *object = (void *)archive->geometry.data[i].object;
        switch (archive->geometry.data[i].type) {
        case SN_SHARED_HULL:
            sn_hull_destroy(object);
            break;
        case SN_SHARED_SURFACE:
            sn_surface_destroy(object);
            break;
        case SN_SHARED_MESH:
            sn_mesh_destroy(object);
            break;
        default:
            sn_compound_destroy(object);
            break;
        }
    }
    sn_array_release(&archive->geometry);
    sn_pair_map_release(&archive->numbers);
}
