// From deformables to a heap of triangles, with colours for the front and back of cloth, or for numbers.
#include "apps/render/drawn_skins.h"

#include "apps/render/heat.h"
#include "scene/message.h"

#include <string.h>

#define SAMPLES 64 // elements of a mesh that tell it from another
// Triangles whose edges take more pixels than this are rounded, as long as there are no more of them than
// that.
#define EDGE_PIXELS    24.0f
#define MOST_TRIANGLES 12000
// Threads along the longer side of a sheet, and turns of a rope's strands along its girth.
#define THREADS 150.0f
#define TURNS   0.55f

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

static void release_kept(kept_skin *kept)
{
    sn_skin_release(&kept->skin);
    for (int i = 0; i < MOST_ROUNDINGS; ++i) {
        rounding_release(&kept->roundings[i]);
    }
}

static float mean_edge(const sn_mesh *mesh)
{
    int count = sn_mesh_triangle_count(mesh);
    const uint32_t *corners = sn_mesh_triangles(mesh);
    const sn_vec3 *nodes = sn_mesh_nodes(mesh);
    float sum = 0.0f;
    for (int i = 0; i < 3 * count; ++i) {
        sum += sn_distance_between(nodes[corners[i]], nodes[corners[i - i % 3 + (i + 1) % 3]]);
    }
    return count > 0 ? sum / (float)(3 * count) : 0.0f;
}

// Null without memory.
static kept_skin *skin_of(drawn_skins *skins, const sn_world *world, sn_deformable deformable, bool solid)
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
        release_kept(kept);
        *kept = (kept_skin){.mesh = mesh,
                            .fingerprint = fingerprint,
                            .thickness = thickness,
                            .solid = solid,
                            .edge_length = mean_edge(mesh)};
        if (sn_skin_create(mesh, thickness, solid, &kept->skin) != SN_OK) {
            kept->mesh = NULL;
            return NULL;
        }
    }
    return kept;
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

static skin_material material_of(const kept_skin *kept)
{
    if (kept->skin.radius > 0.0f) {
        return SKIN_PLAIN;
    }
    return sn_mesh_tetrahedron_count(kept->mesh) > 0 ? SKIN_JELLY : SKIN_CLOTH;
}

// What the rest shape is multiplied with to count threads or turns of strands.
static sn_vec3 grain_scale(const kept_skin *kept)
{
    sn_bounds bounds = sn_mesh_bounds(kept->mesh);
    sn_vec3 size = sn_sub(bounds.upper, bounds.lower);
    float longest = sn_max(size.x, sn_max(size.y, size.z));
    float threads = THREADS / sn_max(longest, 1.0e-6f),
          turns = TURNS / sn_max(2.0f * kept->skin.radius, 1.0e-6f);
    return material_of(kept) == SKIN_PLAIN ? sn_v(1.0f, 1.0f, turns) : sn_v(threads, threads, threads);
}

static bool add_vertices(drawn_skins *skins, const kept_skin *kept, skin_vertex pattern, sn_color color)
{
    const sn_skin *skin = &kept->skin;
    if (!SN_LIST_RESERVE(&skins->vertices, skins->vertices.count + skin->vertex_count)) {
        return no_memory();
    }
    sn_color back = back_color(color);
    sn_vec3 scale = grain_scale(kept);
    for (int i = 0; i < skin->vertex_count; ++i) {
        skin_vertex *vertex = &skins->vertices.items[skins->vertices.count++];
        *vertex = pattern;
        vertex->position = skin->positions[i];
        vertex->normal = skin->normals[i];
        vertex->grain[0] = scale.x * skin->rest[i].x;
        vertex->grain[1] = scale.y * skin->rest[i].y;
        vertex->grain[2] = scale.z * skin->rest[i].z;
        set_color(vertex, skin->sources[i].side == SN_SKIN_BACK ? back : color);
    }
    return true;
}

// --- round surfaces ----------------------------------------------------------------------------------------

// Normals of a sheet are averaged with those around them: cells along a fold that are bent more and less in
// turn would look like beads.
static bool calm_normals(drawn_skins *skins, sn_skin *skin)
{
    int count = skin->vertex_count;
    if (!SN_LIST_RESERVE(&skins->normals, count)) {
        return no_memory();
    }
    sn_vec3 *sums = skins->normals.items;
    memset(sums, 0, (size_t)count * sizeof *sums);
    for (int t = 0; t < skin->triangle_count; ++t) {
        const uint32_t *corners = skin->indices + 3 * (size_t)t;
        sn_skin_side side = skin->sources[corners[0]].side;
        if (skin->sources[corners[1]].side == side && skin->sources[corners[2]].side == side) {
            sn_vec3 sum = sn_add(skin->normals[corners[0]],
                                 sn_add(skin->normals[corners[1]], skin->normals[corners[2]]));
            for (int k = 0; k < 3; ++k) {
                sums[corners[k]] = sn_add(sums[corners[k]], sum);
            }
        }
    }
    for (int i = 0; i < count; ++i) {
        float length = sn_length(sums[i]);
        skin->normals[i] = length > 1.0e-3f ? sn_scale(sums[i], 1.0f / length) : skin->normals[i];
    }
    return true;
}

// How often the triangles of a skin are divided to look round from here.
static int rounding_count(const kept_skin *kept, const drawn_skin *drawn, const render_view *view)
{
    float nearest = sn_max(sn_dot(drawn->center, view->forward) - drawn->reach, 0.2f * view->focus);
    float pixels = kept->edge_length * view_pixels_per_metre(view, nearest);
    int triangles = kept->skin.triangle_count, count = 0;
    while (count < MOST_ROUNDINGS && pixels > EDGE_PIXELS && 4 * triangles <= MOST_TRIANGLES) {
        pixels *= 0.5f;
        triangles *= 4;
        ++count;
    }
    return count;
}

static uint8_t mean_byte(uint8_t a, uint8_t b)
{
    return (uint8_t)((a + b + 1) / 2);
}

static skin_vertex between(const skin_vertex *a, const skin_vertex *b, sn_vec3 position, sn_vec3 normal)
{
    skin_vertex middle = *a;
    middle.position = position;
    middle.normal = normal;
    for (int k = 0; k < 3; ++k) {
        middle.grain[k] = 0.5f * (a->grain[k] + b->grain[k]);
        middle.color[k] = mean_byte(a->color[k], b->color[k]);
    }
    return middle;
}

// Adds the middles of edges to the last `plan->vertex_count` vertices of the heap, and to their values.
static bool add_middles(drawn_skins *skins, const rounding *plan, int first, bool hot)
{
    int count = plan->vertex_count, total = count + plan->edges.count;
    if (!SN_LIST_RESERVE(&skins->positions, total) || !SN_LIST_RESERVE(&skins->normals, total) ||
        !SN_LIST_RESERVE(&skins->vertices, first + total) ||
        (hot && !SN_LIST_RESERVE(&skins->heats, first + total))) {
        return no_memory();
    }
    skin_vertex *vertices = skins->vertices.items + first;
    for (int i = 0; i < count; ++i) {
        skins->positions.items[i] = vertices[i].position;
        skins->normals.items[i] = vertices[i].normal;
    }
    rounding_apply(plan, skins->positions.items, skins->normals.items);
    for (int i = 0; i < plan->edges.count; ++i) {
        const rounding_edge *edge = &plan->edges.items[i];
        vertices[count + i] = between(&vertices[edge->a], &vertices[edge->b],
                                      skins->positions.items[count + i], skins->normals.items[count + i]);
        if (hot) {
            float *heats = skins->heats.items + first;
            heats[count + i] = 0.5f * (heats[edge->a] + heats[edge->b]);
        }
    }
    skins->vertices.count = first + total;
    skins->heats.count = hot ? first + total : skins->heats.count;
    return true;
}

// Rounds the skin whose vertices begin at `first` in the heap; its triangles are in `indices` then.
static bool round_skin(drawn_skins *skins, kept_skin *kept, int count, int first, bool hot,
                       const uint32_t **indices, int *index_count)
{
    for (int i = 0; i < count; ++i) {
        rounding *plan = &kept->roundings[i];
        if (plan->indices.count == 0 &&
            !rounding_plan(plan, *indices, *index_count, skins->vertices.count - first, NULL)) {
            return no_memory();
        }
        if (!add_middles(skins, plan, first, hot)) {
            return false;
        }
        *indices = plan->indices.items;
        *index_count = plan->indices.count;
    }
    return true;
}

// --- the heap of triangles ---------------------------------------------------------------------------------

// Opaque skins go to the heap at once, clear ones wait until all of them are there.
static bool add_indices(drawn_skins *skins, const uint32_t *indices, int count, uint32_t first_vertex,
                        bool clear)
{
    int before = clear ? skins->clear.count : skins->indices.count;
    bool enough = clear ? SN_LIST_RESERVE(&skins->clear, before + count)
                        : SN_LIST_RESERVE(&skins->indices, before + count);
    if (!enough) {
        return no_memory();
    }
    uint32_t *out = (clear ? skins->clear.items : skins->indices.items) + before;
    for (int i = 0; i < count; ++i) {
        out[i] = indices[i] + first_vertex;
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

// Vertices and triangles of a skin that is where it is now.
static bool fill_heap(drawn_skins *skins, const sn_scene *scene, kept_skin *kept, drawn_skin *drawn,
                      const render_options *options, const render_view *view)
{
    const sn_world *world = sn_scene_world(scene);
    int first = skins->vertices.count, index_count = 3 * kept->skin.triangle_count;
    const uint32_t *indices = kept->skin.indices;
    bool hot = options->heat != RENDER_COLORS;
    // Colours that stand for numbers must not mix with what is behind, nor with threads.
    float opacity = hot ? 1.0f : sn_scene_deformable_opacity(scene, drawn->deformable);
    bool clear = opacity < 1.0f;
    skin_material material = material_of(kept);
    // Numbers of bodies begin at the low end, these at the high one.
    skin_vertex pattern = {.material = clear ? opacity : (float)material / 3.0f,
                           .grain = {0.0f, 0.0f, 0.0f, hot || material == SKIN_JELLY ? 0.0f : 1.0f},
                           .color = {0, 0, 0, (uint8_t)(255 - drawn->deformable.index % 255)}};
    if (!add_vertices(skins, kept, pattern, sn_scene_deformable_color(scene, drawn->deformable))) {
        return false;
    }
    if (hot) {
        drawn->heat = 0.0f;
        if (!find_values(skins, world, drawn->deformable, options->heat) ||
            !add_heats(skins, &kept->skin, skins->values.items, &drawn->heat)) {
            return false;
        }
    }
    // Lines over the picture go straight from node to node, and so must what they lie on.
    int roundings = options->wireframe ? 0 : rounding_count(kept, drawn, view);
    if (!round_skin(skins, kept, roundings, first, hot, &indices, &index_count)) {
        return false;
    }
    clear_skin range = {.depth = sn_dot(drawn->center, view->forward),
                        .first = skins->clear.count,
                        .count = index_count,
                        .opacity = opacity,
                        .around = view_rectangle(view, drawn->center, drawn->reach)};
    if (clear && !SN_LIST_PUSH(&skins->clear_skins, range)) {
        return no_memory();
    }
    return add_indices(skins, indices, index_count, (uint32_t)first, clear);
}

static bool add_skin(drawn_skins *skins, const sn_scene *scene, sn_deformable deformable,
                     const render_options *options, const render_view *view)
{
    const sn_world *world = sn_scene_world(scene);
    kept_skin *kept = skin_of(skins, world, deformable, !options->wireframe);
    if (kept == NULL) {
        return false;
    }
    sn_skin_update(&kept->skin, sn_deformable_nodes(world, deformable), view->eye);
    drawn_skin drawn = {.deformable = deformable, .heat = -1.0f};
    find_sphere(&kept->skin, &drawn);
    if (!sn_vec3_is_finite(drawn.center) || !sn_is_finite(drawn.reach)) {
        return true; // nowhere to be seen
    }
    if (material_of(kept) == SKIN_CLOTH && !calm_normals(skins, &kept->skin)) {
        return false;
    }
    return fill_heap(skins, scene, kept, &drawn, options, view) &&
           (SN_LIST_PUSH(&skins->skins, drawn) || no_memory());
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
        release_kept(&skins->kept.items[i]);
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
    SN_LIST_FREE(&skins->positions);
    SN_LIST_FREE(&skins->normals);
}
