// A sheet of paper for debug drawing: callbacks that write down what they are told, and small worlds to draw.
// Include after cmocka.h.
#ifndef TESTS_SUPPORT_DRAWING_H
#define TESTS_SUPPORT_DRAWING_H

#include "sinew/sinew.h"
#include <string.h>

enum { MAX_LINES = 20000, CIRCLE = 24 };

typedef struct drawn_line {
    sn_vec3 a, b;
    sn_color color;
} drawn_line;

typedef struct drawing {
    int lines, points, triangles, capsules, texts;
    drawn_line line[MAX_LINES];
    sn_vec3 triangle[MAX_LINES][3];
    sn_vec3 point[64], capsule[64][2];
    float radius[64];
    sn_color point_color[64], triangle_color, capsule_color;
    char text[64][40];
    sn_vec3 text_position[64];
    sn_world *world; // to be meddled with, if not null
    sn_status meddled;
} drawing;

static drawing paper;

static inline void on_line(sn_vec3 a, sn_vec3 b, sn_color color, void *user)
{
    drawing *d = user;
    assert_true(d->lines < MAX_LINES && sn_vec3_is_finite(a) && sn_vec3_is_finite(b));
    d->line[d->lines++] = (drawn_line){a, b, color};
    if (d->world != NULL) {
        d->meddled = sn_world_step(d->world, 0.01f);
    }
}

static inline void on_point(sn_vec3 position, float size_pixels, sn_color color, void *user)
{
    drawing *d = user;
    assert_true(d->points < 64 && size_pixels > 0.0f);
    d->point_color[d->points] = color;
    d->point[d->points++] = position;
}

static inline void on_triangle(sn_vec3 a, sn_vec3 b, sn_vec3 c, sn_color color, void *user)
{
    drawing *d = user;
    assert_true(d->triangles < MAX_LINES);
    d->triangle[d->triangles][0] = a;
    d->triangle[d->triangles][1] = b;
    d->triangle[d->triangles++][2] = c;
    d->triangle_color = color;
}

static inline void on_capsule(sn_vec3 a, sn_vec3 b, float radius, sn_color color, void *user)
{
    drawing *d = user;
    assert_true(d->capsules < 64);
    d->radius[d->capsules] = radius;
    d->capsule[d->capsules][0] = a;
    d->capsule[d->capsules++][1] = b;
    d->capsule_color = color;
}

static inline void on_text(sn_vec3 position, const char *text, sn_color color, void *user)
{
    drawing *d = user;
    (void)color;
    assert_true(d->texts < 64 && strlen(text) < 40);
    d->text_position[d->texts] = position;
    strcpy(d->text[d->texts++], text);
}

// All callbacks but that for capsules; nothing wanted yet.
static inline sn_draw pencils(void)
{
    paper = (drawing){0};
    sn_draw draw = sn_draw_default();
    draw.line = on_line;
    draw.point = on_point;
    draw.triangle = on_triangle;
    draw.text = on_text;
    draw.user = &paper;
    draw.shapes = draw.constraints = false;
    return draw;
}

static inline sn_draw outlines(void)
{
    sn_draw draw = pencils();
    draw.shapes = true;
    return draw;
}

static inline sn_world *empty_world(void)
{
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    assert_int_equal(sn_world_create(&def, &world), SN_OK);
    return world;
}

static inline sn_rigid body_at(sn_world *world, sn_rigid_type type, sn_vec3 position, const char *name)
{
    sn_rigid_def def = sn_rigid_def_default();
    def.type = type;
    def.position = position;
    def.rotation = sn_quat_axis_angle(sn_v(0.6f, 0.0f, 0.8f), 0.7f);
    def.name = name;
    sn_rigid rigid;
    assert_int_equal(sn_rigid_add(world, &def, &rigid), SN_OK);
    return rigid;
}

static inline void assert_vec3_near(sn_vec3 a, sn_vec3 b, float tolerance)
{
    assert_true(sn_length(sn_sub(a, b)) <= tolerance);
}

static inline bool has_line(sn_vec3 a, sn_vec3 b)
{
    for (int i = 0; i < paper.lines; ++i) {
        const drawn_line *line = &paper.line[i];
        if ((sn_distance_between(line->a, a) < 1.0e-5f && sn_distance_between(line->b, b) < 1.0e-5f) ||
            (sn_distance_between(line->a, b) < 1.0e-5f && sn_distance_between(line->b, a) < 1.0e-5f)) {
            return true;
        }
    }
    return false;
}

// A ball tied to the ground at a point half a metre above its middle; its size makes frames 0.5 m large.
static inline sn_rigid hanging_ball(sn_world *world, sn_constraint_common *common)
{
    sn_rigid_def def = sn_rigid_def_default();
    sn_rigid rigid;
    assert_int_equal(sn_rigid_add(world, &def, &rigid), SN_OK);
    sn_sphere_add(world, rigid, NULL, (sn_sphere){{0, 0, 0}, 1.0f}, NULL);
    assert_int_equal(
        sn_constraint_place(world, common, sn_world_ground(world), rigid, sn_v(0, 0.5f, 0), sn_v(1, 0, 0)),
        SN_OK);
    return rigid;
}

#endif
