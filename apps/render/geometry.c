#include "apps/render/geometry.h"

#include "scene/message.h"
#include "sinew_scene/triangles.h"

#include <string.h>

// Rings of the balls and capsules of each level.
static const int level_rings[GEOMETRY_LEVELS] = {2, 3, 4, 6, 8, 12, 16, 24, 32};

#define MESH_DETAIL    32 // segments around the round parts of compounds
#define STALE_FRAMES   60
#define SAMPLES        64 // triangles of a surface that tell it from another
#define OUTLINE_PIXELS 0.35f

int geometry_level(float radius_pixels)
{
    // The middle of a chord is off the circle by r (1 − cos(π / n)) ≈ r π² / (2 n²), with n = 4 rings.
    float rings = 0.25f * SN_PI * sqrtf(0.5f * radius_pixels / OUTLINE_PIXELS);
    int level = 0;
    while (level + 1 < GEOMETRY_LEVELS && (float)level_rings[level] < rings) {
        ++level;
    }
    return level;
}

int geometry_for_shadow(int entry)
{
    // Levels 2 and below are coarse enough.
    const int least = 2, coarser = 2;
    if (entry >= GEOMETRY_BOX) {
        return entry;
    }
    int first = entry < GEOMETRY_CAPSULE ? GEOMETRY_BALL : GEOMETRY_CAPSULE, level = entry - first;
    int wanted = level - coarser > least ? level - coarser : least;
    return first + (wanted < level ? wanted : level);
}

// --- primitives --------------------------------------------------------------------------------------------

static bool make_primitive(int kind, solid_mesh *mesh)
{
    if (kind < GEOMETRY_CAPSULE) {
        return solid_mesh_ball(level_rings[kind - GEOMETRY_BALL], mesh);
    }
    if (kind < GEOMETRY_BOX) {
        return solid_mesh_capsule(level_rings[kind - GEOMETRY_CAPSULE], mesh);
    }
    return solid_mesh_box(kind == GEOMETRY_ROUNDED_BOX, mesh);
}

bool geometry_create(geometry_cache *cache)
{
    memset(cache, 0, sizeof *cache);
    for (int kind = 0; kind < GEOMETRY_MESHES; ++kind) {
        geometry entry = {.last_used = UINT64_MAX, .closed = true};
        if (!make_primitive(kind, &entry.mesh) || !SN_LIST_PUSH(&cache->entries, entry)) {
            solid_mesh_release(&entry.mesh);
            geometry_destroy(cache);
            sn_scene_fail(SN_ERROR_MEMORY, "no memory for the triangles of balls and boxes");
            return false;
        }
    }
    return true;
}

void geometry_destroy(geometry_cache *cache)
{
    for (int i = 0; i < cache->entries.count; ++i) {
        solid_mesh_release(&cache->entries.items[i].mesh);
    }
    SN_LIST_FREE(&cache->entries);
    SN_LIST_FREE(&cache->slots);
}

// --- telling meshes apart ----------------------------------------------------------------------------------

static uint64_t mix(uint64_t hash, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; ++i) {
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    }
    return hash;
}

static uint64_t mix_int(uint64_t hash, int value)
{
    return mix(hash, &value, sizeof value);
}

static uint64_t mix_hull(uint64_t hash, const sn_hull *hull)
{
    int count = sn_hull_vertex_count(hull);
    return mix(mix_int(hash, sn_hull_face_count(hull)), sn_hull_vertices(hull),
               (size_t)count * sizeof(sn_vec3));
}

static uint64_t mix_surface(uint64_t hash, const sn_surface *surface)
{
    int count = sn_surface_triangle_count(surface);
    hash = mix_int(hash, count);
    int step = count / SAMPLES + 1;
    for (int i = 0; i < count; i += step) {
        sn_vec3 corners[3];
        sn_surface_triangle(surface, i, corners);
        hash = mix(hash, corners, sizeof corners);
    }
    return hash;
}

static uint64_t mix_compound(uint64_t hash, const sn_compound *compound)
{
    int count = sn_compound_part_count(compound);
    for (int i = 0; i < count; ++i) {
        sn_solid part = sn_compound_part(compound, i);
        hash = mix(mix_int(hash, part.type), &part.pose, sizeof part.pose);
        switch (part.type) {
        case SN_SPHERE:
            hash = mix(hash, &part.sphere, sizeof part.sphere);
            break;
        case SN_CAPSULE:
            hash = mix(hash, &part.capsule, sizeof part.capsule);
            break;
        case SN_BOX:
            hash = mix(hash, &part.box, sizeof part.box);
            break;
        default:
            hash = mix_hull(hash, part.hull);
            break;
        }
    }
    return hash;
}

typedef struct mesh_owner {
    sn_shape_type type;
    union {
        const void *address;
        const sn_hull *hull;
        const sn_surface *surface;
        const sn_compound *compound;
    };
} mesh_owner;

static mesh_owner find_owner(const sn_world *world, sn_shape shape)
{
    mesh_owner owner = {.type = sn_shape_get_type(world, shape)};
    switch (owner.type) {
    case SN_HULL:
        sn_shape_hull(world, shape, &owner.hull);
        break;
    case SN_SURFACE:
        sn_shape_surface(world, shape, &owner.surface);
        break;
    default:
        sn_shape_compound(world, shape, &owner.compound);
        break;
    }
    return owner;
}

static uint64_t fingerprint(const mesh_owner *owner)
{
    uint64_t hash = mix_int(0xcbf29ce484222325u, owner->type);
    switch (owner->type) {
    case SN_HULL:
        return mix_hull(hash, owner->hull);
    case SN_SURFACE:
        return mix_surface(hash, owner->surface);
    default:
        return mix_compound(hash, owner->compound);
    }
}

// --- the table of owners -----------------------------------------------------------------------------------

// Where the owner's entry is noted, or would be. The table always has room.
static int *find_slot(geometry_cache *cache, const void *owner)
{
    uint64_t mask = (uint64_t)cache->slots.count - 1;
    uint64_t at = mix(0xcbf29ce484222325u, &owner, sizeof owner) & mask;
    while (cache->slots.items[at] >= 0 && cache->entries.items[cache->slots.items[at]].owner != owner) {
        at = (at + 1) & mask;
    }
    return &cache->slots.items[at];
}

static void note_entries(geometry_cache *cache)
{
    for (int i = 0; i < cache->slots.count; ++i) {
        cache->slots.items[i] = -1;
    }
    for (int i = GEOMETRY_MESHES; i < cache->entries.count; ++i) {
        if (cache->entries.items[i].owner != NULL) {
            *find_slot(cache, cache->entries.items[i].owner) = i;
        }
    }
}

// Keeps the table at most half full with one more owner. Its size is a power of two.
static bool make_room(geometry_cache *cache)
{
    int wanted = cache->slots.count > 0 ? cache->slots.count : 64;
    while (wanted < 2 * (cache->entries.count + 1)) {
        wanted *= 2;
    }
    if (wanted > cache->slots.count) {
        if (!SN_LIST_RESERVE(&cache->slots, wanted)) {
            return false;
        }
        cache->slots.count = wanted;
        note_entries(cache);
    }
    return true;
}

// --- meshes ------------------------------------------------------------------------------------------------

static bool copy_triangles(const sn_triangles *triangles, sn_pose offset, solid_mesh *mesh)
{
    size_t vertex_count = (size_t)triangles->vertex_count;
    size_t index_count = (size_t)triangles->triangle_count * 3;
    mesh->vertices = malloc(vertex_count * sizeof *mesh->vertices + 1);
    mesh->indices = malloc(index_count * sizeof *mesh->indices + 1);
    if (mesh->vertices == NULL || mesh->indices == NULL) {
        solid_mesh_release(mesh);
        return false;
    }
    for (size_t i = 0; i < vertex_count; ++i) {
        mesh->vertices[i].corner = sn_pose_apply_inverse(offset, triangles->positions[i]);
        mesh->vertices[i].normal = sn_rotate_inverse(offset.rotation, triangles->normals[i]);
    }
    memcpy(mesh->indices, triangles->indices, index_count * sizeof *mesh->indices);
    mesh->vertex_count = (int)vertex_count;
    mesh->index_count = (int)index_count;
    return true;
}

static bool make_mesh(const sn_world *world, sn_shape shape, solid_mesh *mesh)
{
    sn_triangles triangles;
    if (sn_shape_triangles(world, shape, MESH_DETAIL, 1.0f, &triangles) != SN_OK) {
        return false;
    }
    // What the shape shares with others is in its own frame, not in that of the body.
    bool copied = copy_triangles(&triangles, sn_shape_definition(world, shape).offset, mesh);
    sn_triangles_release(&triangles);
    if (!copied) {
        sn_scene_fail(SN_ERROR_MEMORY, "no memory for the triangles of a shape");
    }
    return copied;
}

static int empty_entry(geometry_cache *cache)
{
    for (int i = GEOMETRY_MESHES; i < cache->entries.count; ++i) {
        if (cache->entries.items[i].owner == NULL) {
            return i;
        }
    }
    return SN_LIST_PUSH(&cache->entries, (geometry){0}) ? cache->entries.count - 1 : -1;
}

static int add_mesh(geometry_cache *cache, const sn_world *world, sn_shape shape, const mesh_owner *owner)
{
    geometry made = {.owner = owner->address,
                     .fingerprint = fingerprint(owner),
                     .last_used = cache->frame,
                     .closed = owner->type != SN_SURFACE};
    if (!make_mesh(world, shape, &made.mesh)) {
        return -1;
    }
    int entry = make_room(cache) ? empty_entry(cache) : -1;
    if (entry < 0) {
        solid_mesh_release(&made.mesh);
        sn_scene_fail(SN_ERROR_MEMORY, "no memory for the triangles of a shape");
        return -1;
    }
    cache->entries.items[entry] = made;
    *find_slot(cache, made.owner) = entry;
    return entry;
}

int geometry_mesh(geometry_cache *cache, const sn_world *world, sn_shape shape)
{
    mesh_owner owner = find_owner(world, shape);
    int entry = cache->slots.count > 0 ? *find_slot(cache, owner.address) : -1;
    if (entry < 0) {
        return add_mesh(cache, world, shape, &owner);
    }
    geometry *known = &cache->entries.items[entry];
    // Once a frame is enough: while a picture is drawn, no geometry can come or go.
    if (known->last_used != cache->frame) {
        uint64_t now = fingerprint(&owner);
        if (now != known->fingerprint) {
            solid_mesh mesh = {0};
            if (!make_mesh(world, shape, &mesh)) {
                return -1;
            }
            solid_mesh_release(&known->mesh);
            known->mesh = mesh;
            known->fingerprint = now;
        }
        known->last_used = cache->frame;
    }
    return entry;
}

bool geometry_is_stale(const geometry_cache *cache, int entry)
{
    const geometry *known = &cache->entries.items[entry];
    return entry >= GEOMETRY_MESHES && known->owner != NULL && cache->frame > known->last_used + STALE_FRAMES;
}

void geometry_forget(geometry_cache *cache, int entry)
{
    solid_mesh_release(&cache->entries.items[entry].mesh);
    cache->entries.items[entry] = (geometry){0};
    note_entries(cache);
}
