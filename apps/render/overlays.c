// Gathers what sn_world_draw says, one kind at a time, and draws every line as a rectangle that faces the
// eye.
#include "apps/render/overlays.h"

#include "scene/message.h"

#include <epoxy/gl.h>

// Widths in a picture 720 pixels high.
#define LINE_PIXELS      1.8f
#define WIRE_PIXELS      1.0f
#define NORMAL_PIXELS    26.0f // length of contact normals
#define REFERENCE_HEIGHT 720.0f
// In small pictures lines do not get thinner than this part.
#define LEAST_SCALE 0.6f

// What is being gathered, for the callbacks of sn_world_draw.
typedef struct gathering {
    overlays *overlays;
    const render_view *view;
    const drawing_list *list;
    float scale;         // of pixels, against the reference
    float width, behind; // of lines
    float length;        // that lines get [pixels]; 0: as they come
    bool enough;         // memory
} gathering;

void overlays_create(overlays *overlays)
{
    const GLsizei stride = sizeof(overlay_line);
    glGenVertexArrays(1, &overlays->vertex_array);
    glGenBuffers(1, &overlays->vertex_buffer);
    glBindVertexArray(overlays->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, overlays->vertex_buffer);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, stride, (const void *)offsetof(overlay_line, from));
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, stride, (const void *)offsetof(overlay_line, to));
    glVertexAttribPointer(2, 2, GL_FLOAT, GL_FALSE, stride, (const void *)offsetof(overlay_line, width));
    glVertexAttribPointer(3, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride,
                          (const void *)offsetof(overlay_line, color));
    for (GLuint i = 0; i < 4; ++i) {
        glEnableVertexAttribArray(i);
        glVertexAttribDivisor(i, 1);
    }
}

void overlays_destroy(overlays *overlays)
{
    glDeleteVertexArrays(1, &overlays->vertex_array);
    glDeleteBuffers(1, &overlays->vertex_buffer);
    overlays->vertex_array = overlays->vertex_buffer = 0;
    SN_LIST_FREE(&overlays->lines);
}

// --- gathering ---------------------------------------------------------------------------------------------

static void add_line(gathering *all, sn_vec3 from, sn_vec3 to, float width, sn_color color)
{
    sn_vec3 a = sn_sub(from, all->view->eye), b = sn_sub(to, all->view->eye);
    sn_vec3 middle = sn_lerp(a, b, 0.5f);
    if (!sn_vec3_is_finite(middle) || !view_sees(all->view, middle, 0.5f * sn_distance_between(a, b))) {
        return;
    }
    overlay_line line = {.from = {a.x, a.y, a.z},
                         .to = {b.x, b.y, b.z},
                         .width = width * all->scale,
                         .behind = all->behind,
                         .color = {(uint8_t)(color >> 16), (uint8_t)(color >> 8), (uint8_t)color, 255}};
    all->enough = all->enough && SN_LIST_PUSH(&all->overlays->lines, line);
}

static bool lies_in(const drawn_plane *plane, sn_vec3 place)
{
    return sn_abs(plane_height(plane, place)) < 1.0e-6f * (1.0f + sn_length(place));
}

// Outlines of shapes; those of planes are left out, as the ground has a grid of its own.
static void take_outline(sn_vec3 from, sn_vec3 to, sn_color color, void *user)
{
    gathering *all = user;
    sn_vec3 a = sn_sub(from, all->view->eye), b = sn_sub(to, all->view->eye);
    for (int i = 0; i < all->list->planes.count; ++i) {
        const drawn_plane *plane = &all->list->planes.items[i];
        if (lies_in(plane, a) && lies_in(plane, b)) {
            return;
        }
    }
    add_line(all, from, to, all->width, color);
}

static void take_line(sn_vec3 from, sn_vec3 to, sn_color color, void *user)
{
    gathering *all = user;
    if (all->length > 0.0f) {
        float depth = sn_dot(sn_sub(from, all->view->eye), all->view->forward);
        float metres = all->length * all->scale / view_pixels_per_metre(all->view, depth);
        to = sn_add_scaled(from, metres, sn_normalize(sn_sub(to, from)));
    }
    add_line(all, from, to, all->width, color);
}

static void take_point(sn_vec3 position, float size_pixels, sn_color color, void *user)
{
    add_line(user, position, position, size_pixels, color);
}

// Fixed nodes of deformables are larger and of another colour.
static void add_nodes(gathering *all, const sn_world *world)
{
    const sn_color free_color = 0xffe14d, fixed_color = 0xff4d4d;
    const drawn_skins *skins = &all->list->skins;
    for (int i = 0; i < skins->skins.count; ++i) {
        sn_deformable deformable = skins->skins.items[i].deformable;
        const sn_node_state *nodes = sn_deformable_nodes(world, deformable);
        for (int k = 0; k < sn_deformable_node_count(world, deformable); ++k) {
            bool fixed = !(nodes[k].inverse_mass > 0.0f);
            add_line(all, nodes[k].position, nodes[k].position, fixed ? 6.0f : 3.5f,
                     fixed ? fixed_color : free_color);
        }
    }
}

static int compare_floats(const void *first, const void *second)
{
    const float *a = first, *b = second;
    return (*a > *b) - (*a < *b);
}

// Metres per newton that make the weight of most bodies an arrow about as long as they are large.
static float force_scale(const sn_world *world)
{
    const float usual = 0.001f;
    int count = sn_world_rigids(world, NULL, 0), used = 0;
    sn_rigid *rigids = malloc(((size_t)count + 1) * sizeof *rigids);
    float *scales = malloc(((size_t)count + 1) * sizeof *scales);
    float gravity = sn_length(sn_world_gravity(world));
    gravity = gravity > 0.0f ? gravity : 9.81f;
    if (rigids != NULL && scales != NULL) {
        sn_world_rigids(world, rigids, count);
        for (int i = 0; i < count; ++i) {
            sn_bounds bounds = sn_rigid_bounds(world, rigids[i]);
            float weight = gravity * sn_rigid_mass(world, rigids[i]).mass;
            float size = 0.5f * sn_length(sn_sub(bounds.upper, bounds.lower));
            if (weight > 0.0f && size > 0.0f) {
                scales[used++] = size / weight;
            }
        }
    }
    if (used > 0) {
        qsort(scales, (size_t)used, sizeof *scales, compare_floats);
    }
    float scale = used > 0 ? sn_min(scales[used / 2], 1.0e6f) : usual;
    free(rigids);
    free(scales);
    return sn_is_finite(scale) ? scale : usual;
}

// One kind of overlay: a drawing of the world with nothing else in it.
static sn_draw blank_drawing(gathering *all, float width, float behind, float length)
{
    sn_draw draw = sn_draw_default();
    draw.shapes = draw.constraints = false;
    draw.line = take_line;
    draw.point = take_point;
    draw.user = all;
    all->width = width;
    all->behind = behind;
    all->length = length;
    return draw;
}

bool overlays_fill(overlays *overlays, const sn_scene *scene, const render_options *options,
                   const render_view *view, const drawing_list *list)
{
    const sn_world *world = sn_scene_world(scene);
    overlays->lines.count = 0;
    overlays->force_scale = options->forces ? force_scale(world) : 0.0f;
    gathering all = {.overlays = overlays,
                     .view = view,
                     .list = list,
                     .scale = sn_max((float)view->height / REFERENCE_HEIGHT, LEAST_SCALE),
                     .enough = true};
    sn_status status = SN_OK;
    if (options->wireframe) {
        sn_draw draw = blank_drawing(&all, WIRE_PIXELS, 0.0f, 0.0f);
        draw.shapes = true;
        draw.line = take_outline;
        status = sn_world_draw(world, &draw);
    }
    if (options->nodes) {
        all.behind = 0.3f;
        add_nodes(&all, world);
    }
    if (options->joints && status == SN_OK) {
        sn_draw draw = blank_drawing(&all, LINE_PIXELS, 0.6f, 0.0f);
        draw.constraints = true;
        status = sn_world_draw(world, &draw);
    }
    if (options->contacts && status == SN_OK) {
        sn_draw draw = blank_drawing(&all, LINE_PIXELS, 0.45f, NORMAL_PIXELS);
        draw.contacts = true;
        status = sn_world_draw(world, &draw);
    }
    if (options->forces && status == SN_OK) {
        sn_draw draw = blank_drawing(&all, LINE_PIXELS, 0.6f, 0.0f);
        draw.contact_forces = true;
        draw.force_scale = overlays->force_scale;
        status = sn_world_draw(world, &draw);
    }
    if (status != SN_OK) {
        sn_scene_fail(status, "overlays: %s", sn_world_error(world));
    } else if (!all.enough) {
        sn_scene_fail(SN_ERROR_MEMORY, "no memory for the lines over the picture");
    }
    return status == SN_OK && all.enough;
}

// --- drawing -----------------------------------------------------------------------------------------------

void overlays_draw(const overlays *overlays, const shader_set *shaders, const render_view *view)
{
    if (overlays->lines.count == 0) {
        return;
    }
    unsigned program = shaders->programs[SHADER_LINE];
    glBindVertexArray(overlays->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, overlays->vertex_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)overlays->lines.count * sizeof(overlay_line)),
                 overlays->lines.items, GL_STREAM_DRAW);
    glUseProgram(program);
    glUniform1f(glGetUniformLocation(program, "nearest"), view->nearest);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
    for (int behind = 1; behind >= 0; --behind) {
        glDepthFunc(behind ? GL_GREATER : GL_LEQUAL);
        glUniform1i(glGetUniformLocation(program, "behind"), behind);
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, overlays->lines.count);
    }
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
}
