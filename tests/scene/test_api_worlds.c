// Worlds that programs build, with whatever stands in fields that nothing uses: their snapshots are read
// back, and the scenes they are saved as load and save to the same bytes.
#include "scene/scene_kit.h"

#include <math.h>

static sn_mesh *box_mesh(void)
{
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_box(sn_v(0.3f, 0.2f, 0.2f), 2, 1, 1, &mesh), SN_OK);
    return mesh;
}

// A model whose every number is its own or `ignored`.
static sn_model model_of(sn_model_type type, float ignored)
{
    sn_model model = {type, ignored, ignored, ignored, ignored, ignored, ignored, 3, ignored, -7};
    switch (type) {
    case SN_MODEL_SPRINGS:
    case SN_MODEL_SPRING_FORCES:
        model.stiffness = 100.0f;
        model.damping = 1.0f;
        break;
    case SN_MODEL_COROTATIONAL:
    case SN_MODEL_COROTATIONAL_EXPLICIT:
    case SN_MODEL_COROTATIONAL_IMPLICIT:
    case SN_MODEL_NEO_HOOKEAN:
        model.young = 1e4f;
        model.poisson = 0.0f;
        model.damping = 0.01f;
        break;
    case SN_MODEL_POSITION_BASED:
    case SN_MODEL_SHAPE_MATCHING:
        model.stiffness = model.damping = model.volume_stiffness = model.matching_share = 0.5f;
        model.cluster_rings = 0;
        model.matching = SN_MATCH_LINEAR;
        break;
    case SN_MODEL_ENERGY:
        model.stiffness = model.area_stiffness = model.volume_stiffness = 1.0f;
        model.damping = 0.1f;
        break;
    default:
        break;
    }
    return model;
}

static sn_world *world_with(sn_model model, bool by_node_masses)
{
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    assert_int_equal(sn_world_create(&def, &world), SN_OK);
    sn_deformable_def soft = sn_deformable_def_default();
    sn_mesh *mesh = box_mesh();
    float masses[64];
    for (int i = 0; i < COUNT_OF(masses); ++i) {
        masses[i] = 0.01f * (float)(i + 1);
    }
    soft.mesh = mesh;
    soft.model = model;
    if (by_node_masses) {
        soft.node_masses = masses;
        soft.density = soft.mass = NAN;
    }
    if (sn_deformable_add(world, &soft, NULL) != SN_OK) {
        fail_msg("%s", sn_world_error(world));
    }
    sn_mesh_destroy(mesh);
    return world;
}

static void check_snapshot(sn_world *world)
{
    size_t size = 0;
    assert_int_equal(sn_world_save(world, NULL, 0, &size), SN_OK);
    void *bytes = malloc(size);
    assert_int_equal(sn_world_save(world, bytes, size, &size), SN_OK);
    uint64_t before = sn_world_hash(world);
    if (sn_world_restore(world, bytes, size) != SN_OK) {
        fail_msg("%s", sn_world_error(world));
    }
    assert_int_equal(sn_world_hash(world), before);
    free(bytes);
}

static void check_scene(sn_world *world, const scene_folder *folder)
{
    scene_path first = path_in(folder, "first.json"), second = path_in(folder, "second.json");
    sn_scene *scene = NULL;
    assert_int_equal(sn_scene_wrap(world, &scene), SN_OK);
    if (sn_scene_save(scene, first.text) != SN_OK) {
        fail_msg("%s", sn_scene_error());
    }
    sn_scene *loaded = scene_of_file(first.text);
    assert_int_equal(sn_scene_save(loaded, second.text), SN_OK);
    assert_same_files(first.text, second.text);
    sn_scene_destroy(loaded);
    sn_scene_destroy(scene);
}

static void test_what_a_model_ignores_does_no_harm(void **state)
{
    (void)state;
    const float ignored[] = {0.0f, -1.0f, NAN, INFINITY};
    scene_folder folder = folder_make();
    for (int type = 0; type < SN_MODEL_COUNT; ++type) {
        for (int i = 0; i < COUNT_OF(ignored); ++i) {
            for (int by_node_masses = 0; by_node_masses < 2; ++by_node_masses) {
                sn_world *world = world_with(model_of((sn_model_type)type, ignored[i]), by_node_masses);
                check_snapshot(world);
                check_scene(world, &folder);
                assert_int_equal(sn_world_step(world, 1.0f / 60.0f), SN_OK);
                check_snapshot(world);
                check_scene(world, &folder);
                sn_world_destroy(world);
            }
        }
    }
    folder_remove(folder.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_a_model_ignores_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
