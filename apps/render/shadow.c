// Fits a square, parallel to the light, to what is around the camera's target, and draws depths into it.
#include "apps/render/shadow.h"

#include "apps/render/context.h"

#include <epoxy/gl.h>
#include <string.h>

#define MAP_SIZE 1536 // texels
// How far around what the camera looks at shadows are thrown, in units of half the width of the picture
// there. What is farther away makes the map no larger, so that no shadow becomes coarse, or comes and goes,
// with it.
#define REACH 2.2f

sn_vec3 shadow_light_direction(sn_vec3 up)
{
    // As scene/cameras.c looks: along an axis as far from up as can be.
    sn_vec3 aside = sn_abs(up.z) < 0.9f ? sn_v(0.0f, 0.0f, 1.0f) : sn_v(0.0f, -1.0f, 0.0f);
    sn_vec3 forward = sn_normalize(sn_sub(aside, sn_scale(up, sn_dot(aside, up))));
    sn_vec3 level = sn_rotate(sn_quat_axis_angle(up, -0.85f), forward);
    return sn_normalize(sn_add_scaled(level, 1.35f, up));
}

bool shadow_create(shadow_map *shadow)
{
    memset(shadow, 0, sizeof *shadow);
    glGenTextures(1, &shadow->texture);
    glBindTexture(GL_TEXTURE_2D, shadow->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT32F, MAP_SIZE, MAP_SIZE, 0, GL_DEPTH_COMPONENT, GL_FLOAT,
                 NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glGenSamplers(1, &shadow->comparing);
    glGenSamplers(1, &shadow->reading);
    unsigned samplers[2] = {shadow->comparing, shadow->reading};
    for (int i = 0; i < 2; ++i) {
        GLint filter = i == 0 ? GL_LINEAR : GL_NEAREST;
        glSamplerParameteri(samplers[i], GL_TEXTURE_MIN_FILTER, filter);
        glSamplerParameteri(samplers[i], GL_TEXTURE_MAG_FILTER, filter);
        glSamplerParameteri(samplers[i], GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glSamplerParameteri(samplers[i], GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    }
    glSamplerParameteri(shadow->comparing, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glSamplerParameteri(shadow->comparing, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    glGenFramebuffers(1, &shadow->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, shadow->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, shadow->texture, 0);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    glClear(GL_DEPTH_BUFFER_BIT);
    return context_check("making the shadow map");
}

void shadow_destroy(shadow_map *shadow)
{
    glDeleteFramebuffers(1, &shadow->framebuffer);
    glDeleteTextures(1, &shadow->texture);
    glDeleteSamplers(1, &shadow->comparing);
    glDeleteSamplers(1, &shadow->reading);
    memset(shadow, 0, sizeof *shadow);
}

// --- fitting -----------------------------------------------------------------------------------------------

// Axes of the map: right, up, and towards the light.
typedef struct light_axes {
    sn_vec3 x, y, z;
} light_axes;

static sn_vec3 to_light(const light_axes *axes, sn_vec3 p)
{
    return sn_v(sn_dot(axes->x, p), sn_dot(axes->y, p), sn_dot(axes->z, p));
}

// Everything within reach, as far as it is; what is larger than that, a floor, a hill, does not count.
static bool find_bounds(const drawing_list *list, const render_view *view, const light_axes *axes,
                        sn_bounds *bounds)
{
    float most = REACH * sn_max(view->slope_x, view->slope_y) * view->focus;
    sn_vec3 target = to_light(axes, sn_scale(view->forward, view->focus));
    sn_bounds reach = sn_bounds_grow((sn_bounds){target, target}, most);
    bool found = false;
    for (int i = 0; i < list->items.count; ++i) {
        const drawn_item *item = &list->items.items[i];
        sn_vec3 center = to_light(axes, item->center);
        sn_bounds box = sn_bounds_grow((sn_bounds){center, center}, item->reach);
        box.lower = sn_max3(box.lower, reach.lower);
        box.upper = sn_min3(box.upper, reach.upper);
        bool within = box.lower.x < box.upper.x && box.lower.y < box.upper.y && box.lower.z < box.upper.z;
        if (within && (item->moving || item->reach < most)) {
            *bounds = found ? sn_bounds_union(*bounds, box) : box;
            found = true;
        }
    }
    return found;
}

// How far up things reach that stand in the light of what is inside, and how far down those it falls upon.
static void find_depths(const drawing_list *list, const light_axes *axes, sn_bounds *bounds)
{
    for (int i = 0; i < list->items.count; ++i) {
        const drawn_item *item = &list->items.items[i];
        sn_vec3 center = to_light(axes, item->center);
        bool beside = center.x + item->reach < bounds->lower.x || center.x - item->reach > bounds->upper.x ||
                      center.y + item->reach < bounds->lower.y || center.y - item->reach > bounds->upper.y;
        if (!beside) {
            bounds->lower.z = sn_min(bounds->lower.z, center.z - item->reach);
            bounds->upper.z = sn_max(bounds->upper.z, center.z + item->reach);
        }
    }
}

// A size that changes in steps and a place that moves by whole texels keep edges of shadows from crawling
// while bodies move.
static float round_up_size(float size)
{
    float step = 1.0f;
    while (step < size) {
        step *= 1.25f;
    }
    while (step > 1.25f * size && step > 1.0e-6f) {
        step /= 1.25f;
    }
    return step;
}

static double snap(double place, double texel)
{
    return floor(place / texel) * texel;
}

static void write_row(float *row, sn_vec3 axis, float scale, float shift)
{
    row[0] = axis.x * scale;
    row[1] = axis.y * scale;
    row[2] = axis.z * scale;
    row[3] = shift;
}

bool shadow_fit(const drawing_list *list, const render_view *view, shader_frame *frame)
{
    sn_vec3 light = sn_v(frame->key[0], frame->key[1], frame->key[2]);
    light_axes axes = {.x = sn_perpendicular(light), .z = light};
    axes.y = sn_cross(axes.z, axes.x);
    sn_bounds bounds = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    if (!find_bounds(list, view, &axes, &bounds)) {
        return false;
    }
    float wanted = sn_max(bounds.upper.x - bounds.lower.x, bounds.upper.y - bounds.lower.y);
    float size = round_up_size(sn_max(1.05f * wanted, 1.0e-4f));
    float texel = size / MAP_SIZE;
    find_depths(list, &axes, &bounds);
    // Whole texels of the world, not of the eye's surroundings.
    sn_vec3 eye = to_light(&axes, view->eye);
    sn_vec3 center = sn_scale(sn_add(bounds.lower, bounds.upper), 0.5f);
    center.x = (float)(snap((double)center.x + eye.x, texel) - eye.x);
    center.y = (float)(snap((double)center.y + eye.y, texel) - eye.y);
    float depth = 1.02f * (bounds.upper.z - bounds.lower.z) + 2.0f * texel;
    write_row(frame->shadow_rows[0], axes.x, 1.0f / size, 0.5f - center.x / size);
    write_row(frame->shadow_rows[1], axes.y, 1.0f / size, 0.5f - center.y / size);
    write_row(frame->shadow_rows[2], axes.z, -1.0f / depth, 0.5f + center.z / depth);
    frame->shadow_sizes[0] = texel;
    frame->shadow_sizes[1] = depth;
    frame->shadow_sizes[2] = 1.0f / MAP_SIZE;
    frame->shadow_sizes[3] = 1.5f * texel / depth;
    frame->key[3] = 1.5f * texel;
    return true;
}

// --- drawing -----------------------------------------------------------------------------------------------

void shadow_bind(const shadow_map *shadow)
{
    glActiveTexture(GL_TEXTURE0 + TEXTURE_SHADOW);
    glBindTexture(GL_TEXTURE_2D, shadow->texture);
    glBindSampler(TEXTURE_SHADOW, shadow->comparing);
    glActiveTexture(GL_TEXTURE0 + TEXTURE_SHADOW_DEPTH);
    glBindTexture(GL_TEXTURE_2D, shadow->texture);
    glBindSampler(TEXTURE_SHADOW_DEPTH, shadow->reading);
}

void shadow_draw(const shadow_map *shadow, const shader_set *shaders, const solids *solids,
                 const skins *skins, const drawing_list *list, const geometry_cache *cache,
                 const shader_frame *frame)
{
    // From rows and the map's 0…1 to columns and OpenGL's −1…1.
    render_matrix clip = {{0}};
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
            clip.at[4 * column + row] = 2.0f * frame->shadow_rows[row][column] - (column == 3 ? 1.0f : 0.0f);
        }
    }
    clip.at[15] = 1.0f;
    unsigned program = shaders->programs[SHADER_SHADOW];
    glBindFramebuffer(GL_FRAMEBUFFER, shadow->framebuffer);
    glViewport(0, 0, MAP_SIZE, MAP_SIZE);
    glClear(GL_DEPTH_BUFFER_BIT);
    glUseProgram(program);
    glUniformMatrix4fv(glGetUniformLocation(program, "clip"), 1, GL_FALSE, clip.at);
    glEnable(GL_DEPTH_CLAMP);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.5f, 2.0f);
    solids_draw_shadow(solids, list, cache);
    skins_draw_shadow(skins);
    glDisable(GL_POLYGON_OFFSET_FILL);
    glDisable(GL_DEPTH_CLAMP);
}
