// The camera's axes, clip matrix and questions about them.
#include "apps/render/view.h"

#include <math.h>

#define DEFAULT_ANGLE 0.6f // field of view [rad]

static bool usable(sn_vec3 v)
{
    float length = sn_length(v);
    return sn_vec3_is_finite(v) && length > 1.0e-9f && length < 1.0e9f;
}

// The first of three directions that is not (nearly) along the view.
static sn_vec3 choose_up(sn_vec3 forward, sn_vec3 wish, sn_vec3 scene_up)
{
    sn_vec3 candidates[2] = {wish, scene_up};
    for (int i = 0; i < 2; ++i) {
        if (usable(candidates[i])) {
            sn_vec3 up = sn_normalize(candidates[i]);
            if (sn_length(sn_cross(up, forward)) > 1.0e-3f) {
                return up;
            }
        }
    }
    return sn_perpendicular(forward);
}

render_view view_make(const sn_camera *camera, sn_vec3 scene_up, int width, int height)
{
    render_view view = {.width = width, .height = height};
    view.eye = sn_vec3_is_finite(camera->eye) ? camera->eye : sn_v(0.0f, 0.0f, 0.0f);
    sn_vec3 line = sn_sub(camera->target, view.eye);
    bool has_direction = usable(line);
    sn_vec3 away = sn_perpendicular(usable(scene_up) ? sn_normalize(scene_up) : sn_v(0.0f, 1.0f, 0.0f));
    view.forward = has_direction ? sn_normalize(line) : away;
    view.focus = has_direction ? sn_length(line) : 1.0f;
    sn_vec3 up = choose_up(view.forward, camera->up, scene_up);
    view.right = sn_normalize(sn_cross(view.forward, up));
    view.up = sn_cross(view.right, view.forward);
    float angle = camera->field_of_view;
    angle = sn_is_finite(angle) && angle > 0.0f ? sn_clamp(angle, 0.001f, 3.0f) : DEFAULT_ANGLE;
    view.slope_y = sn_sin(0.5f * angle) / sn_cos(0.5f * angle);
    view.slope_x = view.slope_y * (float)width / (float)height;
    view_set_depths(&view, 0.001f * view.focus, 1000.0f * view.focus);
    return view;
}

void view_widen(sn_camera *camera, float made_for, float aspect)
{
    if (aspect < made_for) {
        camera->field_of_view = 2.0f * atanf(tanf(0.5f * camera->field_of_view) * made_for / aspect);
    }
}

void view_set_depths(render_view *view, float nearest, float farthest)
{
    view->nearest = nearest;
    view->farthest = farthest;
    sn_vec3 r = sn_scale(view->right, 1.0f / view->slope_x), u = sn_scale(view->up, 1.0f / view->slope_y);
    sn_vec3 f = view->forward;
    float scale = (farthest + nearest) / (farthest - nearest);
    float shift = -2.0f * farthest * nearest / (farthest - nearest);
    // Columns: what x, y, z and 1 contribute to clip x, y, z and w.
    view->clip = (render_matrix){{r.x, u.x, scale * f.x, f.x, r.y, u.y, scale * f.y, f.y, r.z, u.z,
                                  scale * f.z, f.z, 0.0f, 0.0f, shift, 0.0f}};
}

bool view_sees(const render_view *view, sn_vec3 center, float radius)
{
    float depth = sn_dot(center, view->forward);
    if (depth < -radius) {
        return false;
    }
    // Distance from the side planes, whose normals are (±1, slope) in their own planes.
    float x = sn_abs(sn_dot(center, view->right)) - depth * view->slope_x;
    float y = sn_abs(sn_dot(center, view->up)) - depth * view->slope_y;
    return x <= radius * sqrtf(1.0f + view->slope_x * view->slope_x) &&
           y <= radius * sqrtf(1.0f + view->slope_y * view->slope_y);
}

float view_pixels_per_metre(const render_view *view, float depth)
{
    return 0.5f * (float)view->height / (view->slope_y * sn_max(depth, view->nearest));
}

bool view_project(const render_view *view, sn_vec3 place, float *x, float *y)
{
    float depth = sn_dot(place, view->forward);
    if (!(depth > view->nearest)) {
        return false;
    }
    float across = sn_dot(place, view->right) / (depth * view->slope_x);
    float upwards = sn_dot(place, view->up) / (depth * view->slope_y);
    *x = (0.5f + 0.5f * across) * (float)view->width;
    *y = (0.5f - 0.5f * upwards) * (float)view->height;
    return true;
}

// The pixels between two slopes against the view, of `count` across twice `half`.
static void clip_range(float low, float high, float half, int count, int *first, int *length)
{
    float begin = sn_clamp(0.5f + 0.5f * low / half, 0.0f, 1.0f) * (float)count;
    float end = sn_clamp(0.5f + 0.5f * high / half, 0.0f, 1.0f) * (float)count;
    *first = (int)begin;
    *length = (int)sn_min(end + 1.0f, (float)count) - *first;
}

render_rectangle view_rectangle(const render_view *view, sn_vec3 center, float radius)
{
    float depth = sn_dot(center, view->forward), near = depth - radius, far = depth + radius;
    if (!(near > 0.0f)) {
        return (render_rectangle){0, 0, view->width, view->height};
    }
    float x = sn_dot(center, view->right), y = sn_dot(center, view->up);
    float left = x - radius, right = x + radius, bottom = y - radius, top = y + radius;
    render_rectangle around;
    clip_range(left / (left < 0.0f ? near : far), right / (right > 0.0f ? near : far), view->slope_x,
               view->width, &around.left, &around.width);
    clip_range(bottom / (bottom < 0.0f ? near : far), top / (top > 0.0f ? near : far), view->slope_y,
               view->height, &around.bottom, &around.height);
    return around;
}

render_rectangle rectangle_union(render_rectangle a, render_rectangle b)
{
    if (a.width == 0 || b.width == 0) {
        return a.width == 0 ? b : a;
    }
    int left = a.left < b.left ? a.left : b.left, bottom = a.bottom < b.bottom ? a.bottom : b.bottom;
    int right_a = a.left + a.width, right_b = b.left + b.width;
    int top_a = a.bottom + a.height, top_b = b.bottom + b.height;
    return (render_rectangle){left, bottom, (right_a > right_b ? right_a : right_b) - left,
                              (top_a > top_b ? top_a : top_b) - bottom};
}
