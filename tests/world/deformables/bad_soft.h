// The scene of bad_scene.h with deformables and an anchor in it, and ids of such that name nothing. Include
// after cmocka.h.
#ifndef TESTS_WORLD_BAD_SOFT_H
#define TESTS_WORLD_BAD_SOFT_H

#include "support/soft_kit.h"
#include "world/core/bad_scene.h"

typedef struct bad_soft {
    bad_scene *scene;
    sn_world *world;
    sn_deformable jelly, cloth, rope;
    sn_anchor nail;
    sn_deformable no_deformable[BAD_IDS];
    sn_anchor no_anchor[BAD_IDS];
    sn_mesh *cube, *sheet, *line;
    // Where refused calls would put their answers.
    sn_deformable deformable;
    sn_anchor anchor;
} bad_soft;

static inline void bad_soft_make_ids(bad_soft *s)
{
    sn_deformable gone = soft_rope(s->world, 2, sn_v(0.0f, 20.0f, 0.0f));
    s->no_deformable[BAD_STALE] = gone;
    s->no_anchor[BAD_STALE] = soft_tie(s->world, sn_point_world(sn_v(0, 20, 0)), sn_point_node(gone, 0));
    assert_int_equal(sn_deformable_remove(s->world, gone), SN_OK);
    sn_deformable foreign = soft_rope(s->scene->other, 2, sn_v(0.0f, 20.0f, 0.0f));
    s->no_deformable[BAD_FOREIGN] = foreign;
    s->no_anchor[BAD_FOREIGN] =
        soft_tie(s->scene->other, sn_point_world(sn_v(0, 20, 0)), sn_point_node(foreign, 0));
    s->no_deformable[BAD_BEYOND] = (sn_deformable){UINT32_MAX, 1, s->jelly.world};
    s->no_anchor[BAD_BEYOND] = (sn_anchor){1u << 31, 1, s->jelly.world};
    s->no_deformable[BAD_LATER] = s->jelly;
    s->no_anchor[BAD_LATER] = s->nail;
    s->no_deformable[BAD_LATER].generation += 2;
    s->no_anchor[BAD_LATER].generation += 2;
}

static inline int bad_soft_setup(void **state)
{
    static bad_soft soft;
    bad_soft *s = &soft;
    memset(s, 0, sizeof *s);
    void *scene;
    (void)bad_scene_setup(&scene);
    s->scene = scene;
    s->world = s->scene->world;
    s->jelly = soft_jelly(s->world, 2, sn_v(20.0f, 10.0f, 0.0f), 1.0e4f);
    s->cloth = soft_cloth(s->world, 3, sn_v(22.0f, 10.0f, 0.0f));
    s->rope = soft_rope(s->world, 4, sn_v(25.0f, 10.0f, 0.0f));
    s->nail = soft_tie(s->world, sn_point_world(sn_v(24.5f, 10.0f, 0.0f)), sn_point_node(s->rope, 0));
    assert_int_equal(sn_mesh_box(sn_v(1, 1, 1), 1, 1, 1, &s->cube), SN_OK);
    assert_int_equal(sn_mesh_grid(1, 1, 1, 1, SN_GRID_FORWARD, &s->sheet), SN_OK);
    assert_int_equal(sn_mesh_line(1, 3, &s->line), SN_OK);
    bad_soft_make_ids(s);
    assert_int_equal(sn_world_step(s->world, BAD_STEP), SN_OK);
    bad_scene_settled(s->scene);
    *state = s;
    return 0;
}

static inline int bad_soft_teardown(void **state)
{
    bad_soft *s = *state;
    sn_mesh_destroy(s->cube);
    sn_mesh_destroy(s->sheet);
    sn_mesh_destroy(s->line);
    void *scene = s->scene;
    return bad_scene_teardown(&scene);
}

#define bad_soft_test(function) cmocka_unit_test_setup_teardown(function, bad_soft_setup, bad_soft_teardown)

#endif
