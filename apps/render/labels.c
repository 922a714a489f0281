// Panels with text: labels stand above their places, legends in the lower corners.
#include "apps/render/labels.h"

#include "apps/render/heat.h"

#include <stdio.h>

#define DARK_PANEL  0x1c2026d0u
#define LIGHT_PANEL 0xffffffd8u

static flat_color opaque(sn_color color)
{
    return (color & 0xffffffu) << 8 | 255u;
}

// How bright a colour looks, 0…255.
static float brightness(sn_color color)
{
    return 0.299f * (float)(color >> 16 & 255) + 0.587f * (float)(color >> 8 & 255) +
           0.114f * (float)(color & 255);
}

// Text on a panel above its place, with a stem that leads there.
static bool add_label(flat_layer *layer, const sn_label *label, float x, float y)
{
    float height = layer->text_height, padding = 0.35f * height, stem = 0.9f * height;
    float width = flat_text_width(layer, label->text) + 2.0f * padding;
    float panel_height = height + padding, left = x - 0.5f * width, top = y - stem - panel_height;
    flat_color panel = brightness(label->color) > 140.0f ? DARK_PANEL : LIGHT_PANEL;
    float thin = 0.09f * height, dot = 0.3f * height;
    return flat_add_panel(layer, x - 0.5f * thin, y - stem, thin, stem, 0.0f, panel) &&
           flat_add_panel(layer, x - 0.5f * dot, y - 0.5f * dot, dot, dot, 0.5f * dot, panel) &&
           flat_add_panel(layer, left, top, width, panel_height, 0.3f * height, panel) &&
           flat_add_text(layer, left + padding, top + 0.5f * padding, label->text, opaque(label->color));
}

bool labels_add(flat_layer *layer, const sn_scene *scene, const render_view *view)
{
    int count = layer->text_height > 0.0f ? sn_scene_label_count(scene) : 0;
    for (int i = 0; i < count; ++i) {
        sn_label label = sn_scene_label(scene, i);
        sn_vec3 place = sn_sub(label.position, view->eye);
        float x = 0.0f, y = 0.0f;
        if (label.text[0] == '\0' || !view_project(view, place, &x, &y) || !view_sees(view, place, 0.0f)) {
            continue;
        }
        if (!add_label(layer, &label, x, y)) {
            return false;
        }
    }
    return true;
}

// --- legend ------------------------------------------------------------------------------------------------

static bool add_bar(flat_layer *layer, float x, float y, float width, float height)
{
    enum { STRIPES = 64 };
    float stripe = width / STRIPES;
    for (int i = 0; i < STRIPES; ++i) {
        flat_color color = opaque(heat_color(((float)i + 0.5f) / STRIPES));
        // Stripes overlap by a pixel, so that none of what is below shows between them.
        if (!flat_add_panel(layer, x + (float)i * stripe, y, stripe + 1.0f, height, 0.0f, color)) {
            return false;
        }
    }
    return true;
}

bool legend_add(flat_layer *layer, render_heat heat, float limit, const render_view *view)
{
    float unit = (float)view->height / 720.0f, line = layer->text_height;
    float width = 240.0f * unit, bar = 12.0f * unit, padding = 12.0f * unit;
    float height = 2.0f * line + bar + 2.0f * padding;
    float left = 20.0f * unit, top = (float)view->height - height - 20.0f * unit;
    float inner = left + padding, row = top + padding;
    char text[64];
    if (!flat_add_panel(layer, left, top, width + 2.0f * padding, height, 8.0f * unit, LIGHT_PANEL) ||
        !add_bar(layer, inner, row + line + 0.15f * line, width, bar)) {
        return false;
    }
    snprintf(text, sizeof text, "%s [%s]", heat_name(heat), heat_unit(heat));
    bool added = flat_add_text(layer, inner, row - 0.1f * line, text, opaque(0x20242a));
    row += 1.25f * line + bar;
    for (int i = 0; i <= 2 && added; ++i) {
        snprintf(text, sizeof text, "%.3g", (double)(0.5f * (float)i * limit));
        float x = inner + 0.5f * (float)i * (width - flat_text_width(layer, text));
        added = flat_add_text(layer, x, row, text, opaque(0x20242a));
    }
    return added;
}

// The largest of 1, 2, 5, 10, … that is not above.
static float round_down(float value)
{
    float power = 1.0f;
    for (; power > value && power > 1.0e-30f; power *= 0.1f) {
    }
    for (; 10.0f * power <= value && power < 1.0e30f; power *= 10.0f) {
    }
    return power * (value >= 5.0f * power ? 5.0f : value >= 2.0f * power ? 2.0f : 1.0f);
}

bool force_legend_add(flat_layer *layer, float metres_per_newton, const render_view *view)
{
    float unit = (float)view->height / 720.0f, line = layer->text_height, padding = 12.0f * unit;
    float pixels_per_newton = metres_per_newton * view_pixels_per_metre(view, view->focus);
    float newtons = round_down(160.0f * unit / sn_max(pixels_per_newton, 1.0e-30f));
    float bar = newtons * pixels_per_newton, thick = 3.0f * unit;
    char text[64];
    snprintf(text, sizeof text, "contact force: %g N", (double)newtons);
    float width = sn_max(bar, flat_text_width(layer, text)) + 2.0f * padding,
          height = 1.6f * line + 2.0f * padding;
    float left = (float)view->width - width - 20.0f * unit, top = (float)view->height - height - 20.0f * unit;
    float row = top + padding + 1.45f * line;
    return flat_add_panel(layer, left, top, width, height, 8.0f * unit, LIGHT_PANEL) &&
           flat_add_text(layer, left + padding, top + padding - 0.1f * line, text, opaque(0x20242a)) &&
           flat_add_panel(layer, left + padding, row, bar, thick, 0.0f, opaque(0x20242a)) &&
           flat_add_panel(layer, left + padding, row - thick, thick, 3.0f * thick, 0.0f, opaque(0x20242a)) &&
           flat_add_panel(layer, left + padding + bar - thick, row - thick, thick, 3.0f * thick, 0.0f,
                          opaque(0x20242a));
}
