// What the tests of deformables in scene files share. Include after scene_kit.h.
#ifndef TESTS_SCENE_SOFT_SCENE_KIT_H
#define TESTS_SCENE_SOFT_SCENE_KIT_H

#include "scene/scene_kit.h"

static inline sn_deformable soft_of(const sn_scene *scene, const char *name)
{
    const sn_world *world = sn_scene_world(scene);
    sn_deformable deformables[256], found = {0};
    int count = sn_world_deformables(world, deformables, COUNT_OF(deformables));
    for (int i = 0; i < count && i < COUNT_OF(deformables); ++i) {
        if (strcmp(sn_deformable_name(world, deformables[i]), name) == 0) {
            found = deformables[i];
        }
    }
    if (found.generation == 0) {
        fail_msg("no deformable is called %s", name);
    }
    return found;
}

static inline const sn_node_state *nodes_of(const sn_scene *scene, const char *name)
{
    return sn_deformable_nodes(sn_scene_world(scene), soft_of(scene, name));
}

// The first deformable of a scene that has one.
static inline sn_deformable only_soft(const sn_scene *scene)
{
    sn_deformable found;
    assert_int_equal(sn_world_deformables(sn_scene_world(scene), &found, 1), 1);
    return found;
}

// Numbers of the fixed nodes as text: "0 3 ".
static inline void fixed_nodes(const sn_scene *scene, sn_deformable deformable, char *text, size_t size)
{
    const sn_node_state *nodes = sn_deformable_nodes(sn_scene_world(scene), deformable);
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < sn_deformable_node_count(sn_scene_world(scene), deformable); ++i) {
        if (nodes[i].inverse_mass == 0.0f && used + 8 < size) {
            used += (size_t)snprintf(text + used, size - used, "%d ", i);
        }
    }
}

#endif
