// A world, a camera and a renderer, for tests that look at pixels. Include after cmocka.h.
#ifndef TESTS_APPS_RENDER_KIT_H
#define TESTS_APPS_RENDER_KIT_H

#include "apps/render/renderer.h"
#include "scene/scene_parts.h"
#include "support/random.h"

#include <stdlib.h>
#include <string.h>

typedef struct render_kit {
    sn_world *world;
    sn_scene *scene;
    renderer *renderer;
    render_options options;
    sn_camera camera;
    uint8_t *pixels;
} render_kit;

typedef struct kit_pixel {
    int red, green, blue;
} kit_pixel;

// Small, with everything off, so that a test sees what it asks for.
static inline render_options kit_options(void)
{
    render_options options = render_options_default();
    options.width = 160;
    options.height = 90;
    options.shadows = options.grid = options.labels = false;
    return options;
}

// An empty world, seen from (0, 2, 10).
static inline render_kit kit_open(const render_options *options)
{
    render_kit kit = {.options = *options};
    sn_world_def def = sn_world_def_default();
    assert_int_equal(sn_world_create(&def, &kit.world), SN_OK);
    assert_int_equal(sn_scene_wrap(kit.world, &kit.scene), SN_OK);
    kit.camera = (sn_camera){"", {0.0f, 2.0f, 10.0f}, {0.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, 0.6f, false};
    kit.renderer = renderer_create(options);
    if (kit.renderer == NULL) {
        fail_msg("%s", sn_scene_error());
    }
    kit.pixels = malloc((size_t)options->width * (size_t)options->height * 3);
    return kit;
}

static inline void kit_close(render_kit *kit)
{
    renderer_destroy(kit->renderer);
    sn_scene_destroy(kit->scene);
    sn_world_destroy(kit->world);
    free(kit->pixels);
}

static inline void kit_draw(render_kit *kit)
{
    if (!renderer_draw(kit->renderer, kit->scene, &kit->camera, kit->pixels)) {
        fail_msg("%s", sn_scene_error());
    }
}

static inline size_t kit_size(const render_kit *kit)
{
    return (size_t)kit->options.width * (size_t)kit->options.height * 3;
}

// A picture to compare with; free it.
static inline uint8_t *kit_copy(const render_kit *kit)
{
    uint8_t *copy = malloc(kit_size(kit));
    memcpy(copy, kit->pixels, kit_size(kit));
    return copy;
}

static inline kit_pixel kit_at(const render_kit *kit, int x, int y)
{
    const uint8_t *p = kit->pixels + 3 * ((size_t)y * (size_t)kit->options.width + (size_t)x);
    return (kit_pixel){p[0], p[1], p[2]};
}

static inline kit_pixel kit_middle(const render_kit *kit)
{
    return kit_at(kit, kit->options.width / 2, kit->options.height / 2);
}

static inline int kit_brightness(kit_pixel pixel)
{
    return (299 * pixel.red + 587 * pixel.green + 114 * pixel.blue) / 1000;
}

// How many pixels differ by more than `tolerance` in some colour.
static inline int kit_difference(const render_kit *kit, const uint8_t *other, int tolerance)
{
    int count = 0;
    for (size_t i = 0; i < kit_size(kit); i += 3) {
        bool differs = false;
        for (size_t k = i; k < i + 3; ++k) {
            differs = differs || abs((int)kit->pixels[k] - (int)other[k]) > tolerance;
        }
        count += differs;
    }
    return count;
}

static inline sn_rigid kit_body(render_kit *kit, sn_rigid_type type, sn_vec3 position)
{
    sn_rigid rigid;
    sn_rigid_def def = sn_rigid_def_default();
    def.type = type;
    def.position = position;
    assert_int_equal(sn_rigid_add(kit->world, &def, &rigid), SN_OK);
    return rigid;
}

static inline sn_rigid kit_box(render_kit *kit, sn_vec3 position, float half_size, sn_color color)
{
    sn_shape shape;
    sn_rigid rigid = kit_body(kit, SN_DYNAMIC, position);
    sn_box box = {{half_size, half_size, half_size}};
    assert_int_equal(sn_box_add(kit->world, rigid, NULL, box, &shape), SN_OK);
    assert_true(sn_scene_paint(kit->scene, shape, color));
    return rigid;
}

// So many boxes of all colours around the origin.
static inline void kit_fill(render_kit *kit, int count)
{
    test_random random = {11};
    for (int i = 0; i < count; ++i) {
        sn_vec3 position = test_random_vec3(&random, 2.0f);
        float half_size = test_random_float(&random, 0.1f, 0.4f);
        kit_box(kit, position, half_size, test_random_u32(&random) & 0xffffff);
    }
}

// The half-space below a height.
static inline void kit_floor(render_kit *kit, float height)
{
    sn_plane plane = {{0.0f, 1.0f, 0.0f}, height};
    assert_int_equal(sn_plane_add(kit->world, sn_world_ground(kit->world), NULL, plane, NULL), SN_OK);
}

static inline bool kit_is_red(kit_pixel pixel)
{
    return pixel.red > 120 && pixel.red > 2 * pixel.green && pixel.red > 2 * pixel.blue;
}

static inline bool kit_is_blue(kit_pixel pixel)
{
    return pixel.blue > 90 && pixel.blue > 3 * pixel.red / 2 && pixel.blue > pixel.green;
}

#endif
