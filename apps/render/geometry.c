// The cache of triangles. Meshes are found by the address of their owner in a hash table with open
// addressing, and known to be the same by a fingerprint of its data.
#include "apps/render/geometry.h"

#include "scene/message.h"
#include "sinew_scene/triangles.h"

#include <string.h>

// Rings of the balls and capsules of each level.
static const int level_rings[GEOMETRY_LEVELS] = {2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 32};

#define STALE_FRAMES   60    // until a mesh is forgotten
#define SAMPLES        64    // triangles of a surface that tell it from another
#define OUTLINE_PIXELS 0.22f // that a round outline may be off

int geometry_level(float radius_pixels)
{
    // Middle and ends of a chord are r (1 − cos(π / n)) ≈ r π² / (2 n²) apart, with n = 4 rings; half of that
    // is outside the circle, half inside.
    float rings = 0.25f * SN_PI * sqrtf(0.25f * radius_pixels / OUTLINE_PIXELS);
    int level = 0;
    while (level + 1 < GEOMETRY_LEVELS && (float)level_rings[level] < rings) {
        ++level;
    }
    return level;
}

float geometry_round_scale(int level)
{
    float half_step = SN_PI / (float)(4 * level_rings[level]);
    return 1.5f - 0.5f * sn_cos(half_step);
}

int geometry_for_shadow(int entry)
{
    // Half the rings, but no fewer than make a round shadow.
    const int least = 3;
    if (entry >= GEOMETRY_BOX) {
        return entry;
    }
    int first = entry < GEOMETRY_CAPSULE ? GEOMETRY_BALL : GEOMETRY_CAPSULE, level = entry - first;
    int wanted = (level_rings[level] + 1) / 2 > least ? (level_rings[level] + 1) / 2 : least;
    int chosen = 0;
    while (chosen < level && level_rings[chosen] < wanted) {
        ++chosen;
    }
    return first + chosen;
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
    return solid_mesh_box(mesh);
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

#define HASH_START 0xcbf29ce484222325u

static uint64_t fingerprint_of_hull(const sn_hull *hull)
{
    int count = sn_hull_vertex_count(hull);
    return mix(mix_int(HASH_START, sn_hull_face_count(hull)), sn_hull_vertices(hull),
               (size_t)count * sizeof(sn_vec3));
}

static uint64_t fingerprint_of_compound(const sn_compound *compound)
{
    int count = sn_compound_part_count(compound);
    uint64_t hash = mix_int(HASH_START, count);
    for (int i = 0; i < count; ++i) {
        sn_solid part = sn_compound_part(compound, i);
        if (part.type == SN_HULL) {
            uint64_t hull = fingerprint_of_hull(part.hull);
            hash = mix(mix(hash, &hull, sizeof hull), &part.pose, sizeof part.pose);
        }
    }
    return hash;
}

static uint64_t fingerprint_of_surface(const sn_surface *surface)
{
    int count = sn_surface_triangle_count(surface);
    uint64_t hash = mix_int(HASH_START, count);
    int step = count / SAMPLES + 1;
    for (int i = 0; i < count; i += step) {
        sn_vec3 corners[3];
        sn_surface_triangle(surface, i, corners);
        hash = mix(hash, corners, sizeof corners);
    }
    return hash;
}

// --- the table of owners -----------------------------------------------------------------------------------

// Where the owner's entry is noted, or would be. The table always has room.
static int *find_slot(geometry_cache *cache, const void *owner)
{
    uint64_t mask = (uint64_t)cache->slots.count - 1;
    uint64_t at = mix(HASH_START, &owner, sizeof owner) & mask;
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

static int no_memory(void)
{
    sn_scene_fail(SN_ERROR_MEMORY, "no memory for the triangles of a shape");
    return -1;
}

// The entry of an owner if its mesh is still right; −1 if there is none.
static int find_mesh(geometry_cache *cache, const void *owner, uint64_t fingerprint)
{
    int entry = cache->slots.count > 0 ? *find_slot(cache, owner) : -1;
    if (entry < 0 || cache->entries.items[entry].fingerprint != fingerprint) {
        return -1;
    }
    cache->entries.items[entry].last_used = cache->frame;
    return entry;
}

// Whether the owner was asked for in this frame already: while a picture is drawn, no geometry comes or goes,
// so there is no need to look at all of it again.
static int find_seen(geometry_cache *cache, const void *owner)
{
    int entry = cache->slots.count > 0 ? *find_slot(cache, owner) : -1;
    return entry >= 0 && cache->entries.items[entry].last_used == cache->frame ? entry : -1;
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

// Takes over the mesh. What was known of the owner's address before is replaced, but for OpenGL's buffers,
// which are replaced when the mesh is uploaded.
static void find_sphere(geometry *entry)
{
    const solid_mesh *mesh = &entry->mesh;
    sn_vec3 first = mesh->vertex_count > 0 ? mesh->vertices[0].corner : sn_v(0.0f, 0.0f, 0.0f);
    sn_bounds bounds = {first, first};
    for (int i = 1; i < mesh->vertex_count; ++i) {
        bounds = sn_bounds_union(bounds, (sn_bounds){mesh->vertices[i].corner, mesh->vertices[i].corner});
    }
    entry->center = sn_scale(sn_add(bounds.lower, bounds.upper), 0.5f);
    entry->reach = 0.5f * sn_length(sn_sub(bounds.upper, bounds.lower));
}

static int keep_mesh(geometry_cache *cache, const void *owner, uint64_t fingerprint, bool closed,
                     solid_mesh *mesh)
{
    int *slot = make_room(cache) ? find_slot(cache, owner) : NULL;
    int entry = slot == NULL ? -1 : (*slot >= 0 ? *slot : empty_entry(cache));
    if (entry < 0) {
        solid_mesh_release(mesh);
        return no_memory();
    }
    geometry *kept = &cache->entries.items[entry];
    solid_mesh_release(&kept->mesh);
    kept->owner = owner;
    kept->fingerprint = fingerprint;
    kept->last_used = cache->frame;
    kept->closed = closed;
    kept->mesh = *mesh;
    find_sphere(kept);
    *find_slot(cache, owner) = entry;
    return entry;
}

// A fine mesh is known by the address after that of its owner, where nothing else can begin.
static const void *key_of(const void *owner, bool fine)
{
    return (const char *)owner + (fine ? 1 : 0);
}

static int keep_hulls(geometry_cache *cache, const void *owner, uint64_t fingerprint, const sn_solid *solids,
                      int count, bool fine)
{
    solid_mesh mesh;
    if (!solid_mesh_hulls(solids, count, &mesh) || (fine && !solid_mesh_round(&mesh))) {
        solid_mesh_release(&mesh);
        return no_memory();
    }
    return keep_mesh(cache, key_of(owner, fine), fingerprint, true, &mesh);
}

int geometry_hull(geometry_cache *cache, const sn_hull *hull, bool fine)
{
    int seen = find_seen(cache, key_of(hull, fine));
    if (seen >= 0) {
        return seen;
    }
    uint64_t fingerprint = fingerprint_of_hull(hull);
    int known = find_mesh(cache, key_of(hull, fine), fingerprint);
    sn_solid solid = {.type = SN_HULL, .pose = sn_pose_identity, .hull = hull};
    return known >= 0 ? known : keep_hulls(cache, hull, fingerprint, &solid, 1, fine);
}

int geometry_compound(geometry_cache *cache, const sn_compound *compound, bool fine)
{
    int seen = find_seen(cache, key_of(compound, fine));
    if (seen >= 0) {
        return seen;
    }
    uint64_t fingerprint = fingerprint_of_compound(compound);
    int known = find_mesh(cache, key_of(compound, fine), fingerprint);
    if (known >= 0) {
        return known;
    }
    int count = sn_compound_part_count(compound);
    sn_solid *parts = malloc(((size_t)count + 1) * sizeof *parts);
    if (parts == NULL) {
        return no_memory();
    }
    for (int i = 0; i < count; ++i) {
        parts[i] = sn_compound_part(compound, i);
    }
    int kept = keep_hulls(cache, compound, fingerprint, parts, count, fine);
    free(parts);
    return kept;
}

static bool copy_triangles(const sn_triangles *triangles, sn_pose offset, solid_mesh *mesh)
{
    size_t vertex_count = (size_t)triangles->vertex_count;
    size_t index_count = (size_t)triangles->triangle_count * 3;
    *mesh = (solid_mesh){.vertices = malloc(vertex_count * sizeof *mesh->vertices + 1),
                         .indices = malloc(index_count * sizeof *mesh->indices + 1),
                         .vertex_count = triangles->vertex_count,
                         .index_count = 3 * triangles->triangle_count};
    if (mesh->vertices == NULL || mesh->indices == NULL) {
        solid_mesh_release(mesh);
        return false;
    }
    for (size_t i = 0; i < vertex_count; ++i) {
        mesh->vertices[i].corner = sn_pose_apply_inverse(offset, triangles->positions[i]);
        mesh->vertices[i].normal = sn_rotate_inverse(offset.rotation, triangles->normals[i]);
    }
    if (index_count > 0) {
        memcpy(mesh->indices, triangles->indices, index_count * sizeof *mesh->indices);
    }
    return true;
}

int geometry_surface(geometry_cache *cache, const sn_world *world, sn_shape shape)
{
    const sn_surface *surface = sn_shape_surface(world, shape);
    int seen = find_seen(cache, surface);
    if (seen >= 0) {
        return seen;
    }
    uint64_t fingerprint = fingerprint_of_surface(surface);
    int known = find_mesh(cache, surface, fingerprint);
    if (known >= 0) {
        return known;
    }
    sn_triangles triangles;
    if (sn_shape_triangles(world, shape, 8, 1.0f, &triangles) != SN_OK) {
        return -1;
    }
    // The surface may be shared by shapes at other places of their bodies, so it is kept in its own frame.
    solid_mesh mesh;
    bool copied = copy_triangles(&triangles, sn_shape_definition(world, shape).offset, &mesh);
    sn_triangles_release(&triangles);
    return copied ? keep_mesh(cache, surface, fingerprint, false, &mesh) : no_memory();
}

void geometry_forget_stale(geometry_cache *cache, void (*discard)(geometry *entry))
{
    bool forgot = false;
    for (int i = GEOMETRY_MESHES; i < cache->entries.count; ++i) {
        geometry *entry = &cache->entries.items[i];
        if (entry->owner != NULL && cache->frame > entry->last_used + STALE_FRAMES) {
            discard(entry);
            solid_mesh_release(&entry->mesh);
            *entry = (geometry){0};
            forgot = true;
        }
    }
    if (forgot) {
        note_entries(cache);
    }
}
