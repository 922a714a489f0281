// A large square on each plane, below what the camera looks at. The shader draws the grid and lets it fade.
// Where nothing is near that throws a shadow or hides the sky, a simpler one does.
#include "apps/render/ground.h"

#include "scene/message.h"

#include <epoxy/gl.h>
#include <math.h>
#include <string.h>

// Where the floor begins to fade and where it has become background, in units of the distance looked at.
#define FADE_BEGIN 1.6f
#define FADE_END   14.0f
// Lines of the grid, of cells and of ten cells: width [pixels] and how dark they are.
#define THIN_LINE     1.0f
#define THICK_LINE    1.5f
#define LINE_STRENGTH 0.5f
// How far from a place its shadow is looked for, in texels of the map: shader_lit_part's most_blur and the
// offset along the normal.
#define SHADOW_MARGIN 14.0f

bool ground_create(ground *ground, int width, int height)
{
    if (!tiles_create(&ground->near_things, width, height)) {
        sn_scene_fail(SN_ERROR_MEMORY, "no memory for the floor of a picture");
        return false;
    }
    const sn_vec3 corners[4] = {
        {-1.0f, -1.0f, 0.0f}, {1.0f, -1.0f, 0.0f}, {-1.0f, 1.0f, 0.0f}, {1.0f, 1.0f, 0.0f}};
    glGenVertexArrays(1, &ground->vertex_array);
    glGenBuffers(1, &ground->vertex_buffer);
    glBindVertexArray(ground->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, ground->vertex_buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
    glEnableVertexAttribArray(ATTRIBUTE_CORNER);
    glVertexAttribPointer(ATTRIBUTE_CORNER, 3, GL_FLOAT, GL_FALSE, sizeof(sn_vec3), NULL);
    return true;
}

void ground_destroy(ground *ground)
{
    glDeleteVertexArrays(1, &ground->vertex_array);
    glDeleteBuffers(1, &ground->vertex_buffer);
    tiles_destroy(&ground->near_things);
    memset(ground, 0, sizeof *ground);
}

// --- where -------------------------------------------------------------------------------------------------

// The middle of the floor: below what the camera looks at.
static sn_vec3 floor_center(const drawn_plane *plane, const render_view *view)
{
    sn_vec3 target = sn_scale(view->forward, view->focus);
    return sn_add_scaled(target, -plane_height(plane, target), plane->normal);
}

static float floor_scale(const drawn_plane *plane, const render_view *view)
{
    return sn_max(view->focus, plane->height);
}

float ground_nearest(const drawn_plane *plane, const render_view *view)
{
    // How steeply rays go down is linear across the picture, so the steepest is one of the corners'.
    float steepest = 0.0f;
    for (int corner = 0; corner < 4; ++corner) {
        float x = corner & 1 ? view->slope_x : -view->slope_x,
              y = corner & 2 ? view->slope_y : -view->slope_y;
        sn_vec3 ray = sn_add_scaled(sn_add_scaled(view->forward, x, view->right), y, view->up);
        steepest = sn_max(steepest, -sn_dot(ray, plane->normal));
    }
    return steepest > 0.0f ? plane->height / steepest : INFINITY;
}

float ground_reach(const drawn_plane *plane, const render_view *view)
{
    return sn_length(floor_center(plane, view)) + 1.42f * FADE_END * floor_scale(plane, view);
}

static void set_vector(unsigned program, const char *name, sn_vec3 v)
{
    glUniform3f(glGetUniformLocation(program, name), v.x, v.y, v.z);
}

static void set_number(unsigned program, const char *name, float value)
{
    glUniform1f(glGetUniformLocation(program, name), value);
}

static void set_square(unsigned program, const drawn_plane *plane, const render_view *view)
{
    set_vector(program, "center", floor_center(plane, view));
    set_vector(program, "along", plane->along);
    set_vector(program, "across", plane->across);
    set_number(program, "reach", FADE_END * floor_scale(plane, view));
    glUniform4f(glGetUniformLocation(program, "plane"), plane->normal.x, plane->normal.y, plane->normal.z,
                plane->height);
}

// --- how ---------------------------------------------------------------------------------------------------

// Cells are powers of ten; the smaller ones vanish as the camera moves away and larger ones take over.
static void set_grid(unsigned program, const drawn_plane *plane, const render_view *view, bool shown)
{
    float level = log10f(sn_max(0.16f * view->focus, 1.0e-6f));
    float whole = floorf(level);
    double cell = pow(10.0, whole);
    // The middle's place, in cells, up to a whole number of the larger cells.
    sn_vec3 center = floor_center(plane, view);
    double along = (plane->grid_along + (double)sn_dot(center, plane->along)) / cell;
    double across = (plane->grid_across + (double)sn_dot(center, plane->across)) / cell;
    along -= 10.0 * floor(along / 10.0);
    across -= 10.0 * floor(across / 10.0);
    glUniform4f(glGetUniformLocation(program, "grid"), (float)along, (float)across, (float)(1.0 / cell),
                1.0f - (level - whole));
    // Lines are so many pixels wide at the distance looked at.
    float pixel = 1.0f / (view_pixels_per_metre(view, view->focus) * (float)cell);
    glUniform3f(glGetUniformLocation(program, "line_looks"), THIN_LINE * pixel, THICK_LINE * 0.1f * pixel,
                shown ? LINE_STRENGTH : 0.0f);
}

static float to_light(int value)
{
    return powf((float)value / 255.0f, 2.2f);
}

// Marks where things near a plane hide the sky from it, and where their shadows fall.
static void mark_near_things(ground *ground, const drawn_plane *plane, const drawing_list *list,
                             const render_view *view, const shader_frame *frame)
{
    sn_vec3 light = sn_v(frame->key[0], frame->key[1], frame->key[2]);
    float slope = sn_dot(light, plane->normal), margin = SHADOW_MARGIN * frame->shadow_sizes[0];
    for (int i = 0; i < list->items.count; ++i) {
        const drawn_item *item = &list->items.items[i];
        float height = plane_height(plane, item->center);
        if (item->visible) {
            tiles_mark(&ground->near_things,
                       view_rectangle(view, item->center, item->reach + frame->zenith[3]));
        }
        if (slope > 0.0f && height > -item->reach) {
            sn_vec3 shadow = sn_add_scaled(item->center, -height / slope, light);
            tiles_mark(&ground->near_things, view_rectangle(view, shadow, (item->reach + margin) / slope));
        }
    }
}

static void set_looks(unsigned program, const drawn_plane *plane, const render_view *view, bool grid)
{
    glUseProgram(program);
    set_square(program, plane, view);
    set_grid(program, plane, view, grid);
    float scale = floor_scale(plane, view);
    glUniform2f(glGetUniformLocation(program, "fade"), FADE_BEGIN * scale, FADE_END * scale);
    // Floors are lighter than what stands on them.
    const float lighter = 1.25f;
    set_vector(program, "color",
               sn_v(lighter * to_light(plane->color >> 16 & 255), lighter * to_light(plane->color >> 8 & 255),
                    lighter * to_light(plane->color & 255)));
}

void ground_draw(ground *ground, const shader_set *shaders, const drawing_list *list, const render_view *view,
                 const shader_frame *frame, bool shadows, bool grid)
{
    glBindVertexArray(ground->vertex_array);
    glEnable(GL_SCISSOR_TEST);
    for (int i = 0; i < list->planes.count; ++i) {
        const drawn_plane *plane = &list->planes.items[i];
        set_looks(shaders->programs[SHADER_GROUND], plane, view, grid);
        set_looks(shaders->programs[SHADER_OPEN_GROUND], plane, view, grid);
        tiles_clear(&ground->near_things);
        if (shadows) {
            mark_near_things(ground, plane, list, view, frame);
        }
        for (tile_run run = {0}; tiles_next(&ground->near_things, &run);) {
            glUseProgram(shaders->programs[run.marked ? SHADER_GROUND : SHADER_OPEN_GROUND]);
            glScissor(run.pixels.left, run.pixels.bottom, run.pixels.width, run.pixels.height);
            glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        }
    }
    glDisable(GL_SCISSOR_TEST);
}

void ground_draw_depth(const ground *ground, const shader_set *shaders, const drawing_list *list,
                       const render_view *view)
{
    unsigned program = shaders->programs[SHADER_GROUND_DEPTH];
    glUseProgram(program);
    glBindVertexArray(ground->vertex_array);
    for (int i = 0; i < list->planes.count; ++i) {
        set_square(program, &list->planes.items[i], view);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
}
