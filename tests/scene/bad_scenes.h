// Tables of scene texts with a mistake, and what must be said about it. Include after scene_kit.h.
#ifndef TESTS_SCENE_BAD_SCENES_H
#define TESTS_SCENE_BAD_SCENES_H

#include "scene/scene_kit.h"

typedef struct bad_scene {
    const char *text;    // with ' for "
    const char *message; // its beginning; what is left is of the same line
} bad_scene;

#define BODY(TEXT) "{'sinew': 1, 'bodies': [\n" TEXT "]}"
#define JOINT(TEXT)                                                                                          \
    "{'sinew': 1, 'bodies': [{'name': 'box'}, {'name': 'wall', 'type': 'static'}], 'joints': [\n" TEXT "]}"
#define PART(TEXT) "{'sinew': 1, 'parts': [\n" TEXT "]}"

static const char good_scene[] =
    "{'sinew': 1, 'bodies': [{'name': 'ball', 'shape': {'type': 'sphere', 'radius': 1}}]}";

// The text is refused with that message, leaves no scene and no memory behind, and hinders nobody afterwards.
static inline void check_refused(const char *text, const char *path, const sn_scene_options *options,
                                 const char *message)
{
    uint64_t bytes = sn_allocated_bytes();
    sn_scene *scene = (sn_scene *)(void *)&bytes;
    assert_int_equal(parse_with(text, path, options, &scene), SN_ERROR_FORMAT);
    assert_null(scene);
    assert_int_equal(sn_allocated_bytes(), bytes);
    assert_begins(sn_scene_error(), message);
    sn_scene_destroy(scene_of(good_scene));
}

// Each has one mistake and no more.
static inline void check_bad_scenes(const bad_scene *scenes, int count)
{
    for (int i = 0; i < count; ++i) {
        check_refused(scenes[i].text, "scene.json", NULL, scenes[i].message);
        assert_null(strchr(sn_scene_error(), '\n'));
    }
}

#endif
