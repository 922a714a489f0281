// Overlays: the world draws itself, and what it draws is kept as lines for the page.
#include "bridge.h"

#include "sinew/draw.h"

#include <stdlib.h>
#include <string.h>

#define LINE_FLOATS 8

static float *lines;
static int line_count, line_capacity;
static float cross_size; // half the length of the lines that mark a point [m]

static void add_line(sn_vec3 a, sn_vec3 b, sn_color color, void *user)
{
    (void)user;
    if (line_count == line_capacity) {
        int capacity = 2 * line_capacity + 1024;
        float *grown = realloc(lines, (size_t)capacity * LINE_FLOATS * sizeof *lines);
        if (grown == NULL) {
            return;
        }
        lines = grown;
        line_capacity = capacity;
    }
    const float values[LINE_FLOATS] = {a.x, a.y, a.z, b.x, b.y, b.z, (float)color, 0.0f};
    memcpy(lines + LINE_FLOATS * line_count++, values, sizeof values);
}

static void add_point(sn_vec3 position, float size_pixels, sn_color color, void *user)
{
    (void)size_pixels;
    const sn_vec3 axes[3] = {{cross_size, 0.0f, 0.0f}, {0.0f, cross_size, 0.0f}, {0.0f, 0.0f, cross_size}};
    for (int i = 0; i < 3; ++i) {
        add_line(sn_sub(position, axes[i]), sn_add(position, axes[i]), color, user);
    }
}

// The weight of everything is an arrow twice as long as the camera is far away: single contacts bear little.
static float choose_scale(float size)
{
    sn_energy energy = sn_world_energy(page_world);
    float weight = (float)energy.mass * sn_max(sn_length(sn_world_gravity(page_world)), 1.0f);
    return weight > 0.0f ? sn_min(2.0f * size / weight, 1e6f) : 0.0f;
}

int page_lines(int overlays)
{
    line_count = 0;
    if (overlays == 0) {
        return 0;
    }
    const float *camera = page_camera();
    float size = sn_length(sn_v(camera[0] - camera[3], camera[1] - camera[4], camera[2] - camera[5]));
    cross_size = 0.004f * size;
    sn_draw draw = sn_draw_default();
    draw.line = add_line;
    draw.point = add_point;
    draw.shapes = false;
    draw.bounds = (overlays & PAGE_BOUNDS) != 0;
    draw.constraints = (overlays & PAGE_JOINTS) != 0;
    draw.contacts = (overlays & PAGE_CONTACTS) != 0;
    draw.contact_forces = (overlays & PAGE_FORCES) != 0;
    draw.mass_centers = (overlays & PAGE_MASS_CENTERS) != 0;
    draw.long_range = (overlays & PAGE_LONG_RANGE_LINKS) != 0;
    draw.force_scale = choose_scale(size);
    sn_world_draw(page_world, &draw);
    return line_count;
}

const float *page_line_data(void)
{
    return lines;
}
