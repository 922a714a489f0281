// From deformables to a heap of triangles, with colours for the front and back of cloth, or for numbers.
#include "apps/render/drawn_skins.h"

#include "apps/render/heat.h"
#include "scene/message.h"

#include <string.h>

#define SAMPLES 64 // elements of a mesh that tell it from another

static bool no_memory(void)
{
    sn_scene_fail(SN_ERROR_MEMORY, "no memory for the surfaces of deformables");
    return false;
}

// --- skins that are remembered -----------------------------------------------------------------------------

static uint64_t mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * 0x100000001b3u;
}

static uint64_t mix_samples(uint64_t hash, const uint32_t *values, int count)
{
    hash = mix(hash, (uint64_t)count);
    int step = count / SAMPLES + 1;
    for (int i = 0; i < count; i += step) {
        hash = mix(hash, values[i]);
    }
    return hash;
}

static uint64_t fingerprint_of(const sn_mesh *mesh)
{
    uint64_t hash = mix(0xcbf29ce484222325u, (uint64_t)sn_mesh_node_count(mesh));
    hash = mix_samples(hash, sn_mesh_triangles(mesh), sn_mesh_triangle_count(mesh));
    hash = mix_samples(hash, sn_mesh_edges(mesh), sn_mesh_edge_count(mesh));
    sn_bounds bounds = sn_mesh_bounds(mesh);
    uint32_t bits[6];
    memcpy(bits, &bounds, sizeof bits);
    return mix_samples(hash, bits, 6);
}

// Null without memory.
static sn_skin *skin_of(drawn_skins *skins, const sn_world *world, sn_deformable deformable, bool solid)
{
    int index = (int)deformable.index;
    if (!SN_LIST_RESERVE(&skins->kept, index + 1)) {
        no_memory();
        return NULL;
    }
    while (skins->kept.count <= index) {
        skins->kept.items[skins->kept.count++] = (kept_skin){0};
    }
    kept_skin *kept = &skins->kept.items[index];
    const sn_mesh *mesh = sn_deformable_mesh(world, deformable);
    float thickness = sn_deformable_definition(world, deformable).thickness;
    uint64_t fingerprint = fingerprint_of(mesh);
    if (kept->mesh != mesh || kept->fingerprint != fingerprint || kept->thickness != thickness ||
        kept->solid != solid) {
        sn_skin_release(&kept->skin);
        *kept = (kept_skin){.mesh = mesh, .fingerprint = fingerprint, .thickness = thickness, .solid = solid};
        if (sn_skin_create(mesh, thickness, solid, &kept->skin) != SN_OK) {
            kept->mesh = NULL;
            return NULL;
        }
    }
    return &kept->skin;
}

// --- the heap ----------------------------------------------------------------------------------------------

// The back of cloth is a little paler and darker.
static sn_color back_color(sn_color color)
{
    int red = (int)(color >> 16 & 255), green = (int)(color >> 8 & 255), blue = (int)(color & 255);
    int gray = (2 * red + 5 * green + blue) / 8;
    int channels[3] = {red, green, blue};
    sn_color back = 0;
    for (int i = 0; i < 3; ++i) {
        back = back << 8 | (sn_color)((channels[i] * 8 + gray * 2) * 85 / 1000);
    }
    return back;
}

static void set_color(skin_vertex *vertex, sn_color color)
{
    vertex->color[0] = (uint8_t)(color >> 16);
    vertex->color[1] = (uint8_t)(color >> 8);
    vertex->color[2] = (uint8_t)color;
}

static skin_material material_of(const sn_mesh *mesh)
{
    if (sn_mesh_tetrahedron_count(mesh) > 0) {
        return SKIN_JELLY;
    }
    return sn_mesh_triangle_count(mesh) > 0 ? SKIN_CLOTH : SKIN_PLAIN;
}

static bool add_vertices(drawn_skins *skins, const sn_skin *skin, skin_vertex pattern, sn_color color)
{
    if (!SN_LIST_RESERVE(&skins->vertices, skins->vertices.count + skin->vertex_count)) {
        return no_memory();
    }
    sn_color back = back_color(color);
    for (int i = 0; i < skin->vertex_count; ++i) {
        skin_vertex *vertex = &skins->vertices.items[skins->vertices.count++];
        *vertex = pattern;
        vertex->position = skin->positions[i];
        vertex->normal = skin->normals[i];
        set_color(vertex, skin->sources[i].side == SN_SKIN_BACK ? back : color);
    }
    return true;
}

// Opaque skins go to the heap at once, clear ones wait until all of them are there.
static bool add_indices(drawn_skins *skins, const sn_skin *skin, uint32_t first_vertex, bool clear)
{
    int count = 3 * skin->triangle_count;
    int before = clear ? skins->clear.count : skins->indices.count;
    bool enough = clear ? SN_LIST_RESERVE(&skins->clear, before + count)
                        : SN_LIST_RESERVE(&skins->indices, before + count);
    if (!enough) {
        return no_memory();
    }
    uint32_t *out = (clear ? skins->clear.items : skins->indices.items) + before;
    for (int i = 0; i < count; ++i) {
        out[i] = skin->indices[i] + first_vertex;
    }
    *(clear ? &skins->clear.count : &skins->indices.count) += count;
    return true;
}

static int compare_depths(const void *left, const void *right)
{
    const clear_skin *a = left, *b = right;
    return a->depth != b->depth ? (a->depth < b->depth ? 1 : -1)
                                : (a->first > b->first) - (a->first < b->first);
}

// Puts the clear ones behind the others, and in order.
static bool add_clear(drawn_skins *skins)
{
    int opaque = skins->opaque_count = skins->indices.count;
    if (skins->clear.count == 0) {
        return true;
    }
    if (!SN_LIST_RESERVE(&skins->indices, opaque + skins->clear.count)) {
        return no_memory();
    }
    memcpy(skins->indices.items + opaque, skins->clear.items,
           (size_t)skins->clear.count * sizeof *skins->clear.items);
    skins->indices.count += skins->clear.count;
    for (int i = 0; i < skins->clear_skins.count; ++i) {
        skins->clear_skins.items[i].first += opaque;
    }
    qsort(skins->clear_skins.items, (size_t)skins->clear_skins.count, sizeof *skins->clear_skins.items,
          compare_depths);
    return true;
}

// Values of vertices from those of nodes; the largest of them.
static bool add_heats(drawn_skins *skins, const sn_skin *skin, const float *values, float *largest)
{
    if (!SN_LIST_RESERVE(&skins->heats, skins->heats.count + skin->vertex_count)) {
        return no_memory();
    }
    for (int i = 0; i < skin->vertex_count; ++i) {
        const sn_skin_source *source = &skin->sources[i];
        float value = values[source->from] + source->share * (values[source->to] - values[source->from]);
        skins->heats.items[skins->heats.count++] = value;
        *largest = sn_max(*largest, value);
    }
    return true;
}

static bool find_values(drawn_skins *skins, const sn_world *world, sn_deformable deformable, render_heat heat)
{
    int count = sn_deformable_node_count(world, deformable);
    if (!SN_LIST_RESERVE(&skins->values, count)) {
        return no_memory();
    }
    return heat_node_values(world, deformable, heat, skins->values.items) || no_memory();
}

static void find_sphere(const sn_skin *skin, drawn_skin *drawn)
{
    sn_bounds bounds = {skin->positions[0], skin->positions[0]};
    for (int i = 1; i < skin->vertex_count; ++i) {
        bounds = sn_bounds_union(bounds, (sn_bounds){skin->positions[i], skin->positions[i]});
    }
    drawn->center = sn_scale(sn_add(bounds.lower, bounds.upper), 0.5f);
    drawn->reach = 0.5f * sn_length(sn_sub(bounds.upper, bounds.lower));
}

static bool add_skin(drawn_skins *skins, const sn_scene *scene, sn_deformable deformable,
                     const render_options *options, const render_view *view)
{
    const sn_world *world = sn_scene_world(scene);
    sn_skin *skin = skin_of(skins, world, deformable, !options->wireframe);
    if (skin == NULL) {
        return false;
    }
    sn_skin_update(skin, sn_deformable_nodes(world, deformable), view->eye);
    drawn_skin drawn = {.deformable = deformable, .heat = -1.0f};
    find_sphere(skin, &drawn);
    if (!sn_vec3_is_finite(drawn.center) || !sn_is_finite(drawn.reach)) {
        return true; // nowhere to be seen
    }
    uint32_t first = (uint32_t)skins->vertices.count;
    // Colours that stand for numbers must not mix with what is behind.
    float opacity = options->heat == RENDER_COLORS ? sn_scene_deformable_opacity(scene, deformable) : 1.0f;
    bool clear = opacity < 1.0f;
    float material = clear ? opacity : (float)material_of(sn_deformable_mesh(world, deformable)) / 3.0f;
    clear_skin range = {sn_dot(drawn.center, view->forward), skins->clear.count, 3 * skin->triangle_count};
    if (clear && !SN_LIST_PUSH(&skins->clear_skins, range)) {
        return no_memory();
    }
    // Numbers of bodies begin at the low end, these at the high one.
    skin_vertex pattern = {.material = material, .color = {0, 0, 0, (uint8_t)(255 - deformable.index % 255)}};
    sn_color color = sn_scene_deformable_color(scene, deformable);
    if (!add_vertices(skins, skin, pattern, color) || !add_indices(skins, skin, first, clear)) {
        return false;
    }
    if (options->heat != RENDER_COLORS) {
        drawn.heat = 0.0f;
        if (!find_values(skins, world, deformable, options->heat) ||
            !add_heats(skins, skin, skins->values.items, &drawn.heat)) {
            return false;
        }
    }
    return SN_LIST_PUSH(&skins->skins, drawn) || no_memory();
}

bool drawn_skins_fill(drawn_skins *skins, const sn_scene *scene, const render_options *options,
                      const render_view *view)
{
    const sn_world *world = sn_scene_world(scene);
    skins->skins.count = skins->vertices.count = skins->indices.count = skins->heats.count = 0;
    skins->clear.count = skins->clear_skins.count = 0;
    int count = sn_world_deformables(world, NULL, 0);
    if (!SN_LIST_RESERVE(&skins->deformables, count)) {
        return no_memory();
    }
    sn_world_deformables(world, skins->deformables.items, count);
    for (int i = 0; i < count; ++i) {
        if (!add_skin(skins, scene, skins->deformables.items[i], options, view)) {
            return false;
        }
    }
    return add_clear(skins);
}

void drawn_skins_paint(drawn_skins *skins, float limit)
{
    for (int i = 0; i < skins->heats.count; ++i) {
        set_color(&skins->vertices.items[i], heat_color(skins->heats.items[i] / limit));
    }
}

void drawn_skins_release(drawn_skins *skins)
{
    for (int i = 0; i < skins->kept.count; ++i) {
        sn_skin_release(&skins->kept.items[i].skin);
    }
    SN_LIST_FREE(&skins->skins);
    SN_LIST_FREE(&skins->vertices);
    SN_LIST_FREE(&skins->indices);
    SN_LIST_FREE(&skins->clear);
    SN_LIST_FREE(&skins->clear_skins);
    SN_LIST_FREE(&skins->heats);
    SN_LIST_FREE(&skins->kept);
    SN_LIST_FREE(&skins->deformables);
    SN_LIST_FREE(&skins->values);
}
