// The section "deformables": every field arrives in the world, copies are placed, and what runs can be saved.
#include "scene/soft_scene_kit.h"

#include <math.h>

#define SHEET "'mesh': {'type': 'grid', 'width': 1, 'height': 1, 'columns': 2, 'rows': 2}"
#define BLOCK "'mesh': {'type': 'box', 'size': [1, 1, 1], 'cells': [2, 2, 2]}"

static void test_every_field_arrives(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(
        "{'sinew': 1, 'categories': ['ghost'], 'deformables': [{'name': 'ball', 'mesh': {'type': 'sphere', "
        "'radius': 1, 'rings': 2, 'surface': true}, 'scale': 2, 'mass': 3, 'thickness': 0.02, 'friction': "
        "0.7, "
        "'restitution': 0.2, 'category': 'ghost', 'collides_with': ['default'], 'group': -3, 'collide': "
        "false, "
        "'self_collide': true, 'linear_damping': 0.5, 'gravity_scale': 0.25, 'drag': 1.5, 'lift': 0.5, "
        "'allow_sleep': false, 'color': '#102030', "
        "'model': {'type': 'springs', 'stiffness': 100, 'damping': 2}, "
        "'inextensible': {'side': 'stretch', 'compliance': 0.001, 'damping': 0.1, 'max_force': 50}, "
        "'bending': {'type': 'dihedral', 'stiffness': 0.5, 'damping': 0.02, 'max_impulse': 4}, "
        "'enclosure': {'preserve': true, 'scale': 1.5, 'compliance': 1e-6}}]}");
    sn_deformable ball = soft_of(scene, "ball");
    sn_deformable_def def = sn_deformable_definition(sn_scene_world(scene), ball);
    assert_true(def.scale == 2.0f && def.mass == 3.0f && def.thickness == 0.02f && def.friction == 0.7f);
    assert_true(def.restitution == 0.2f && def.linear_damping == 0.5f && def.gravity_scale == 0.25f);
    assert_true(def.drag == 1.5f && def.lift == 0.5f);
    assert_true(!def.collide && def.self_collide && !def.allow_sleep);
    assert_int_equal(def.filter.category, 2);
    assert_int_equal(def.filter.mask, 1);
    assert_int_equal(def.filter.group, -3);
    assert_int_equal(def.model.type, SN_MODEL_SPRINGS);
    assert_true(def.model.stiffness == 100.0f && def.model.damping == 2.0f);
    assert_true(def.inextensible.on && def.inextensible.side == SN_HOLD_STRETCH);
    assert_true(def.inextensible.compliance == 0.001f && def.inextensible.damping == 0.1f &&
                def.inextensible.max_force == 50.0f);
    assert_int_equal(def.bending.type, SN_BENDING_DIHEDRAL);
    assert_true(def.bending.stiffness == 0.5f && def.bending.damping == 0.02f &&
                def.bending.max_impulse == 4.0f);
    assert_true(def.enclosure.preserve && def.enclosure.scale == 1.5f && def.enclosure.compliance == 1e-6f);
    assert_int_equal(sn_scene_deformable_color(scene, ball), 0x102030);
    sn_scene_destroy(scene);
}

static void test_every_model_can_be_asked_for(void **state)
{
    (void)state;
    const char *const names[] = {"none",
                                 "springs",
                                 "spring_forces",
                                 "corotational",
                                 "corotational_explicit",
                                 "corotational_implicit",
                                 "neo_hookean",
                                 "position_based",
                                 "shape_matching",
                                 "energy"};
    assert_int_equal(COUNT_OF(names), SN_MODEL_COUNT);
    assert_string_equal(sn_scene_model_name(SN_MODEL_COUNT), "");
    assert_string_equal(sn_scene_model_name((sn_model_type)-1), "");
    for (int i = 0; i < COUNT_OF(names); ++i) {
        assert_string_equal(sn_scene_model_name((sn_model_type)i), names[i]);
        char text[512];
        snprintf(text, sizeof text,
                 "{'sinew': 1, 'deformables': [{" BLOCK
                 ", 'model': {'type': '%s', 'stiffness': 0.5, 'matching': 'quadratic', 'share': 0.5}}]}",
                 names[i]);
        sn_scene *scene = scene_of(text);
        sn_model model = sn_deformable_definition(sn_scene_world(scene), only_soft(scene)).model;
        assert_int_equal(model.type, i);
        // Fields that a model does not have are as if they had not been given.
        assert_int_equal(model.matching, i == SN_MODEL_SHAPE_MATCHING ? SN_MATCH_QUADRATIC : SN_MATCH_RIGID);
        step_scene(scene, 2);
        sn_scene_destroy(save_and_load(scene));
        sn_scene_destroy(scene);
    }
}

// --- places ------------------------------------------------------------------------------------------------

static void test_parts_and_copies_place_and_turn_deformables(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of("{'sinew': 1, 'parts': [{'name': 'p', 'position': [10, 0, 0], 'rotation': {'axis': [0, 1, "
                 "0], 'angle': 90}, "
                 "'deformables': [{'name': 'rope', 'mesh': {'type': 'line', 'length': 2, 'cells': 1}, "
                 "'position': [0, 1, 0], "
                 "'linear_velocity': [1, 0, 0], 'repeat': {'count': 3, 'offset': [0, 2, 0]}}]}]}");
    const sn_node_state *nodes = nodes_of(scene, "p.rope[2]");
    assert_vector(nodes[0].position, 10.0f, 5.0f, 1.0f, 1e-5);
    assert_vector(nodes[1].position, 10.0f, 5.0f, -1.0f, 1e-5);
    const sn_node_velocity *velocities =
        sn_deformable_velocities(sn_scene_world(scene), soft_of(scene, "p.rope[2]"));
    assert_vector(velocities[0].velocity, 0.0f, 0.0f, -1.0f, 1e-6);
    sn_scene_destroy(scene);
}

static void test_positions_and_velocities_are_seen_from_the_frame_around(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(
        "{'sinew': 1, 'parts': [{'position': [10, 0, 0], 'rotation': {'axis': [0, 1, 0], 'angle': 90}, "
        "'deformables': [{'mesh': {'type': 'line', 'length': 1, 'cells': 1}, 'positions': [[0, 0, 0], [0.5, "
        "0.5, 0]], "
        "'velocities': [[0, 0, 0], [1, 2, 0]]}]}]}");
    const sn_world *world = sn_scene_world(scene);
    assert_vector(sn_deformable_nodes(world, only_soft(scene))[1].position, 10.0f, 0.5f, -0.5f, 1e-5);
    assert_vector(sn_deformable_velocities(world, only_soft(scene))[1].velocity, 0.0f, 2.0f, -1.0f, 1e-6);
    sn_scene_destroy(scene);
}

static void test_nodes_may_have_masses_of_their_own(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of("{'sinew': 1, 'deformables': [{'mesh': {'type': 'line', 'length': 1, 'cells': 2}, "
                 "'node_masses': [0, 2, 4]}]}");
    const sn_node_state *nodes = sn_deformable_nodes(sn_scene_world(scene), only_soft(scene));
    assert_true(nodes[0].inverse_mass == 0.0f && nodes[1].inverse_mass == 0.5f &&
                nodes[2].inverse_mass == 0.25f);
    sn_scene *loaded = save_and_load(scene);
    nodes = sn_deformable_nodes(sn_scene_world(loaded), only_soft(loaded));
    assert_true(nodes[0].inverse_mass == 0.0f && nodes[1].inverse_mass == 0.5f &&
                nodes[2].inverse_mass == 0.25f);
    sn_scene_destroy(loaded);
    sn_scene_destroy(scene);
}

static void test_all_nodes_may_have_one_mass(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of("{'sinew': 1, 'deformables': [{'name': 'a', 'mesh': {'type': 'box', 'size': [1, 1, 1], "
                 "'cells': [1, 1, 1]}, 'node_masses': 0.25}]}");
    for (int i = 0; i < 8; ++i) {
        assert_true(nodes_of(scene, "a")[i].inverse_mass == 4.0f);
    }
    sn_scene_destroy(save_and_load(scene));
    sn_scene_destroy(scene);
}

static void test_every_integrator_can_be_asked_for_and_is_saved(void **state)
{
    (void)state;
    static const char *const names[SN_INTEGRATOR_COUNT] = {
        "euler_cromer", "explicit_euler", "midpoint", "heun", "verlet", "implicit_euler"};
    for (int i = 0; i < SN_INTEGRATOR_COUNT; ++i) {
        char text[512];
        snprintf(
            text, sizeof text,
            "{'sinew': 1, 'deformables': [{'name': 'a', 'mesh': {'type': 'line', 'length': 1, 'cells': 3}, "
            "'model': {'type': 'spring_forces', 'stiffness': 10}, 'integrator': '%s'}]}",
            names[i]);
        sn_scene *scene = scene_of(text), *loaded = save_and_load(scene);
        assert_int_equal(sn_deformable_definition(sn_scene_world(scene), soft_of(scene, "a")).integrator, i);
        assert_int_equal(sn_deformable_definition(sn_scene_world(loaded), soft_of(loaded, "a")).integrator,
                         i);
        sn_scene_destroy(loaded);
        sn_scene_destroy(scene);
    }
}

static void test_edges_may_be_held_in_a_way_of_their_own(void **state)
{
    (void)state;
    sn_scene *scene =
        scene_of("{'sinew': 1, 'deformables': [{" SHEET
                 ", 'inextensible': {}, 'edges': [{'select': {'part': 'left'}, 'side': 'stretch', "
                 "'compliance': 0.01, 'damping': 1, 'max_force': 7}, {'select': {'nodes': [0, 1]}}]}]}");
    sn_deformable_def def = sn_deformable_definition(sn_scene_world(scene), only_soft(scene));
    const uint32_t *edges = sn_mesh_edges(def.mesh);
    assert_int_equal(def.edge_option_count, 3);
    const sn_edge_option *first = &def.edge_options[0], *last = &def.edge_options[2];
    assert_true(edges[2 * first->edge] == 0 && edges[2 * first->edge + 1] == 3);
    assert_true(first->side == SN_HOLD_STRETCH && first->compliance == 0.01f && first->damping == 1.0f &&
                first->max_force == 7.0f);
    assert_true(edges[2 * last->edge] == 0 && edges[2 * last->edge + 1] == 1);
    assert_true(last->side == SN_HOLD_BOTH && isinf(last->max_force));
    sn_scene *loaded = save_and_load(scene);
    assert_int_equal(sn_deformable_definition(sn_scene_world(loaded), only_soft(loaded)).edge_option_count,
                     3);
    sn_scene_destroy(loaded);
    sn_scene_destroy(scene);
}

// --- saving ------------------------------------------------------------------------------------------------

static const char falling[] =
    "{'sinew': 1, 'categories': ['ghost'], 'world': {'wind': [1, 0, 2]}, 'bodies': [{'name': 'ground', "
    "'shape': "
    "{'type': 'plane'}}], "
    "'deformables': [{'name': 'cloth', " SHEET ", 'position': [0, 0.3, 0], 'rotation': {'axis': [1, 0.3, 0], "
    "'angle': -80}, 'density': 0.2, 'fixed': {'nodes': [0, 2]}, 'inextensible': {}, 'bending': {'type': "
    "'isometric', 'stiffness': 1e-4}, 'drag': 1, 'color': 'red'}, "
    "{" BLOCK
    ", 'position': [3, 0.7, 0], 'category': 'ghost', 'model': {'type': 'corotational', 'young': 5000}}]}";

static void test_what_has_run_is_saved_as_it_is(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(falling);
    step_scene(scene, 20);
    sn_scene *loaded = save_and_load(scene);
    const sn_world *worlds[] = {sn_scene_world(scene), sn_scene_world(loaded)};
    sn_deformable a[2], b[2];
    assert_int_equal(sn_world_deformables(worlds[0], a, 2), 2);
    assert_int_equal(sn_world_deformables(worlds[1], b, 2), 2);
    for (int i = 0; i < 2; ++i) {
        int count = sn_deformable_node_count(worlds[0], a[i]);
        assert_int_equal(sn_deformable_node_count(worlds[1], b[i]), count);
        assert_memory_equal(sn_deformable_nodes(worlds[0], a[i]), sn_deformable_nodes(worlds[1], b[i]),
                            (size_t)count * sizeof(sn_node_state));
        assert_memory_equal(sn_deformable_velocities(worlds[0], a[i]),
                            sn_deformable_velocities(worlds[1], b[i]),
                            (size_t)count * sizeof(sn_node_velocity));
    }
    assert_int_equal(sn_deformable_definition(worlds[1], b[1]).filter.category, 2);
    sn_scene_destroy(loaded);
    sn_scene_destroy(scene);
}

static void test_what_was_changed_while_running_is_saved(void **state)
{
    (void)state;
    sn_scene *scene = scene_of(falling);
    step_scene(scene, 5);
    sn_world *world = sn_scene_world(scene);
    sn_deformable both[2];
    assert_int_equal(sn_world_deformables(world, both, 2), 2);
    sn_bending bending = sn_deformable_definition(world, both[0]).bending;
    bending.stiffness = 3e-4f;
    assert_int_equal(sn_deformable_bending_set(world, both[0], bending), SN_OK);
    assert_int_equal(sn_deformable_drag_set(world, both[0], 0.0f), SN_OK);
    assert_int_equal(sn_deformable_young_set(world, both[1], 6000.0f), SN_OK);
    assert_int_equal(sn_deformable_friction_set(world, both[1], 0.9f), SN_OK);
    sn_scene *loaded = save_and_load(scene);
    assert_int_equal(sn_world_deformables(sn_scene_world(loaded), both, 2), 2);
    sn_deformable_def cloth = sn_deformable_definition(sn_scene_world(loaded), both[0]);
    sn_deformable_def block = sn_deformable_definition(sn_scene_world(loaded), both[1]);
    assert_true(cloth.bending.stiffness == 3e-4f && cloth.drag == 0.0f);
    assert_true(block.model.young == 6000.0f && block.friction == 0.9f);
    sn_scene_destroy(loaded);
    sn_scene_destroy(scene);
}

static void test_sleeping_deformables_are_saved_asleep(void **state)
{
    (void)state;
    sn_scene *scene = scene_of("{'sinew': 1, 'deformables': [{" BLOCK ", 'awake': false}]}");
    assert_false(sn_deformable_is_awake(sn_scene_world(scene), only_soft(scene)));
    sn_scene *loaded = save_and_load(scene);
    assert_false(sn_deformable_is_awake(sn_scene_world(loaded), only_soft(loaded)));
    sn_scene_destroy(loaded);
    sn_scene_destroy(scene);
}

// Fields of a definition that its model does not use may hold anything, which neither the world nor its file
// keeps: `young` is NaN for all but those made of tetrahedra, and `matching` is out of range.
static void test_what_a_model_ignores_is_neither_kept_nor_saved(void **state)
{
    (void)state;
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_box(sn_v(1.0f, 1.0f, 1.0f), 1, 1, 1, &mesh), SN_OK);
    for (int type = 0; type < SN_MODEL_COUNT; ++type) {
        bool has_elements = type >= SN_MODEL_COROTATIONAL && type <= SN_MODEL_NEO_HOOKEAN;
        bool is_goal = type == SN_MODEL_POSITION_BASED || type == SN_MODEL_SHAPE_MATCHING;
        sn_scene *scene = scene_of("{'sinew': 1}");
        sn_world *world = sn_scene_world(scene);
        sn_deformable_def def = sn_deformable_def_default();
        def.mesh = mesh;
        def.model = (sn_model){.type = (sn_model_type)type, .stiffness = is_goal ? 0.5f : 10.0f};
        def.model.young = has_elements ? 1000.0f : NAN;
        def.model.poisson = has_elements ? 0.3f : -INFINITY;
        def.model.matching_share = is_goal ? 0.5f : 1.0e30f;
        def.model.matching = type == SN_MODEL_SHAPE_MATCHING ? SN_MATCH_RIGID : (sn_matching)3;
        assert_int_equal(sn_deformable_add(world, &def, NULL), SN_OK);
        size_t size = 0;
        assert_int_equal(sn_world_save(world, NULL, 0, &size), SN_OK);
        void *bytes = malloc(size);
        assert_int_equal(sn_world_save(world, bytes, size, &size), SN_OK);
        assert_int_equal(sn_world_restore(world, bytes, size), SN_OK);
        free(bytes);
        sn_scene *loaded = save_and_load(scene);
        assert_int_equal(sn_deformable_definition(sn_scene_world(loaded), only_soft(loaded)).model.type,
                         type);
        sn_scene_destroy(loaded);
        sn_scene_destroy(scene);
    }
    sn_mesh_destroy(mesh);
}

static void test_settings_reach_into_deformables(void **state)
{
    (void)state;
    const char *const settings[] = {"deformables[0].mesh.columns=5", "deformables[0].bending.stiffness=0.25",
                                    "deformables[1].model.young=7000"};
    sn_scene_options options = {.settings = settings, .setting_count = COUNT_OF(settings)};
    sn_scene *scene = NULL;
    assert_int_equal(parse_with(falling, "scene.json", &options, &scene), SN_OK);
    const sn_world *world = sn_scene_world(scene);
    sn_deformable both[2];
    sn_world_deformables(world, both, 2);
    assert_int_equal(sn_deformable_node_count(world, both[0]), 18);
    assert_true(sn_deformable_definition(world, both[0]).bending.stiffness == 0.25f);
    assert_true(sn_deformable_definition(world, both[1]).model.young == 7000.0f);
    sn_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_field_arrives),
        cmocka_unit_test(test_every_model_can_be_asked_for),
        cmocka_unit_test(test_parts_and_copies_place_and_turn_deformables),
        cmocka_unit_test(test_positions_and_velocities_are_seen_from_the_frame_around),
        cmocka_unit_test(test_nodes_may_have_masses_of_their_own),
        cmocka_unit_test(test_all_nodes_may_have_one_mass),
        cmocka_unit_test(test_every_integrator_can_be_asked_for_and_is_saved),
        cmocka_unit_test(test_edges_may_be_held_in_a_way_of_their_own),
        cmocka_unit_test(test_what_has_run_is_saved_as_it_is),
        cmocka_unit_test(test_what_was_changed_while_running_is_saved),
        cmocka_unit_test(test_sleeping_deformables_are_saved_asleep),
        cmocka_unit_test(test_what_a_model_ignores_is_neither_kept_nor_saved),
        cmocka_unit_test(test_settings_reach_into_deformables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
