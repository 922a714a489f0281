// Bad input to deformables: definitions field by field, meshes without what is needed, nodes, ids, locked
// worlds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "world/deformables/bad_soft.h"

// --- definitions -------------------------------------------------------------------------------------------

static void refuse_def(bad_soft *s, const sn_deformable_def *def, sn_status expected, const char *part)
{
    refuse_answer(s->scene, &s->deformable, expected, part, sn_deformable_add(s->world, def, &s->deformable));
}

#define FIELD(field) offsetof(sn_deformable_def, field)

static const bad_field bad_fields[] = {
    {FIELD(pose.position.x), NAN, SN_ERROR_NOT_FINITE, "deformable 'pudding': pose.position is (nan, 0, 0)"},
    {FIELD(pose.position.y), 1.1e6f, SN_ERROR_RANGE, "pose.position"},
    {FIELD(pose.position.z), 999999.9f, SN_ERROR_RANGE, "position of a node"},
    {FIELD(pose.rotation.w), 0.0f, SN_ERROR_ROTATION, "pose.rotation"},
    {FIELD(pose.rotation.x), NAN, SN_ERROR_NOT_FINITE, "pose.rotation"},
    {FIELD(scale), 0.0f, SN_ERROR_RANGE, "scale is 0"},
    {FIELD(scale), -1.0f, SN_ERROR_RANGE, "scale is -1"},
    {FIELD(scale), INFINITY, SN_ERROR_NOT_FINITE, "scale is inf"},
    {FIELD(scale), 1.0e7f, SN_ERROR_RANGE, "scale is 1e+07"},
    {FIELD(linear_velocity.x), 1.0e6f, SN_ERROR_RANGE, "linear_velocity"},
    {FIELD(linear_velocity.z), NAN, SN_ERROR_NOT_FINITE, "linear_velocity"},
    {FIELD(angular_velocity.y), 1.0e5f, SN_ERROR_RANGE, "angular_velocity"},
    {FIELD(density), 0.0f, SN_ERROR_RANGE, "density is 0"},
    {FIELD(density), -1.0f, SN_ERROR_RANGE, "density is -1"},
    {FIELD(density), NAN, SN_ERROR_NOT_FINITE, "density is nan"},
    {FIELD(density), 1.0e10f, SN_ERROR_RANGE, "density is 1e+10"},
    {FIELD(mass), -1.0f, SN_ERROR_RANGE, "mass is -1"},
    {FIELD(mass), NAN, SN_ERROR_NOT_FINITE, "mass is nan"},
    {FIELD(mass), 1.0e13f, SN_ERROR_RANGE, "mass is 1e+13"},
    {FIELD(mass), 1.0e-13f, SN_ERROR_RANGE, "node 0 weighs"},
    {FIELD(model.young), 0.0f, SN_ERROR_RANGE, "model.young is 0"},
    {FIELD(model.young), -1.0e4f, SN_ERROR_RANGE, "model.young is -10000"},
    {FIELD(model.young), 1.0e13f, SN_ERROR_RANGE, "model.young is 1e+13"},
    {FIELD(model.young), INFINITY, SN_ERROR_NOT_FINITE, "model.young is inf"},
    {FIELD(model.poisson), -0.1f, SN_ERROR_RANGE, "model.poisson is -0.1"},
    {FIELD(model.poisson), 0.5f, SN_ERROR_RANGE, "model.poisson is 0.5"},
    {FIELD(model.poisson), NAN, SN_ERROR_NOT_FINITE, "model.poisson is nan"},
    {FIELD(model.damping), -1.0f, SN_ERROR_RANGE, "model.damping is -1"},
    {FIELD(inextensible.compliance), -1.0f, SN_ERROR_RANGE, "inextensible.compliance is -1"},
    {FIELD(inextensible.damping), NAN, SN_ERROR_NOT_FINITE, "inextensible.damping is nan"},
    {FIELD(inextensible.max_force), 0.0f, SN_ERROR_RANGE, "inextensible.max_force is 0"},
    {FIELD(inextensible.max_force), -2.0f, SN_ERROR_RANGE, "inextensible.max_force is -2"},
    {FIELD(inextensible.max_force), NAN, SN_ERROR_NOT_FINITE, "inextensible.max_force is nan"},
    {FIELD(bending.stiffness), -1.0f, SN_ERROR_RANGE, "bending.stiffness is -1"},
    {FIELD(bending.damping), 101.0f, SN_ERROR_RANGE, "bending.damping is 101"},
    {FIELD(bending.max_impulse), 0.0f, SN_ERROR_RANGE, "bending.max_impulse is 0"},
    {FIELD(bending.max_impulse), NAN, SN_ERROR_NOT_FINITE, "bending.max_impulse is nan"},
    {FIELD(enclosure.scale), 0.0f, SN_ERROR_RANGE, "enclosure.scale is 0"},
    {FIELD(enclosure.compliance), -1.0f, SN_ERROR_RANGE, "enclosure.compliance is -1"},
    {FIELD(enclosure.pressure), INFINITY, SN_ERROR_NOT_FINITE, "enclosure.pressure is inf"},
    {FIELD(thickness), 1.0e-6f, SN_ERROR_RANGE, "thickness is 1e-06"},
    {FIELD(thickness), -0.01f, SN_ERROR_RANGE, "thickness is -0.01"},
    {FIELD(thickness), NAN, SN_ERROR_NOT_FINITE, "thickness is nan"},
    {FIELD(thickness), 2000.0f, SN_ERROR_RANGE, "thickness is 2000"},
    {FIELD(friction), -0.1f, SN_ERROR_RANGE, "friction is -0.1"},
    {FIELD(friction), 101.0f, SN_ERROR_RANGE, "friction is 101"},
    {FIELD(restitution), 1.1f, SN_ERROR_RANGE, "restitution is 1.1"},
    {FIELD(linear_damping), -1.0f, SN_ERROR_RANGE, "linear_damping is -1"},
    {FIELD(gravity_scale), 1001.0f, SN_ERROR_RANGE, "gravity_scale is 1001"},
    {FIELD(gravity_scale), NAN, SN_ERROR_NOT_FINITE, "gravity_scale is nan"},
    {FIELD(drag), -0.1f, SN_ERROR_RANGE, "drag is -0.1"},
    {FIELD(drag), NAN, SN_ERROR_NOT_FINITE, "drag is nan"},
    {FIELD(lift), 1001.0f, SN_ERROR_RANGE, "lift is 1001"},
};

static void test_deformables_with_bad_numbers_are_not_made(void **state)
{
    bad_soft *s = *state;
    for (size_t i = 0; i < bad_count(bad_fields); ++i) {
        sn_deformable_def def = soft_def(s->cube, sn_v(0, 0, 0));
        def.name = "pudding";
        def.model = sn_model_corotational(1.0e4f, 0.3f);
        bad_spoil(&def, &bad_fields[i]);
        refuse_def(s, &def, bad_fields[i].expected, bad_fields[i].part);
    }
}

typedef struct bad_model {
    sn_model model;
    const char *part;
} bad_model;

static void test_models_with_bad_parameters_are_refused(void **state)
{
    bad_soft *s = *state;
    const bad_model rows[] = {
        {{.type = SN_MODEL_COUNT}, "model.type is"},
        {{.type = (sn_model_type)-1}, "model.type is -1"},
        {{.type = SN_MODEL_SPRINGS, .stiffness = 0.0f}, "model.stiffness is 0"},
        {{.type = SN_MODEL_SPRINGS, .stiffness = 10.0f, .damping = -1.0f}, "model.damping is -1"},
        {{.type = SN_MODEL_SPRING_FORCES, .stiffness = -5.0f}, "model.stiffness is -5"},
        {{.type = SN_MODEL_NEO_HOOKEAN, .young = 1.0e4f, .poisson = 0.6f}, "model.poisson is 0.6"},
        {{.type = SN_MODEL_COROTATIONAL_EXPLICIT, .young = 0.0f}, "model.young is 0"},
        {{.type = SN_MODEL_COROTATIONAL_IMPLICIT, .young = 1.0e4f, .damping = 200.0f}, "model.damping"},
        {{.type = SN_MODEL_POSITION_BASED, .stiffness = 1.5f}, "model.stiffness is 1.5"},
        {{.type = SN_MODEL_POSITION_BASED, .volume_stiffness = -1.0f}, "model.volume_stiffness is -1"},
        {{.type = SN_MODEL_SHAPE_MATCHING, .matching = (sn_matching)3}, "model.matching is 3"},
        {{.type = SN_MODEL_SHAPE_MATCHING, .matching_share = 2.0f}, "model.matching_share is 2"},
        {{.type = SN_MODEL_SHAPE_MATCHING, .cluster_rings = -1}, "model.cluster_rings is -1"},
        {{.type = SN_MODEL_ENERGY, .area_stiffness = -1.0f}, "model.area_stiffness is -1"},
    };
    for (size_t i = 0; i < bad_count(rows); ++i) {
        sn_deformable_def def = soft_def(s->cube, sn_v(0, 0, 0));
        def.model = rows[i].model;
        refuse_def(s, &def, SN_ERROR_RANGE, rows[i].part);
    }
}

static void test_choices_that_do_not_exist_are_refused(void **state)
{
    bad_soft *s = *state;
    sn_deformable_def def = soft_def(s->sheet, sn_v(0, 0, 0));
    def.inextensible.side = (sn_limit_side)3;
    refuse_def(s, &def, SN_ERROR_RANGE, "inextensible.side is 3");
    def = soft_def(s->sheet, sn_v(0, 0, 0));
    def.bending.type = (sn_bending_type)-1;
    refuse_def(s, &def, SN_ERROR_RANGE, "bending.type is -1");
}

static void test_deformables_without_a_definition_mesh_or_name_are_not_made(void **state)
{
    bad_soft *s = *state;
    sn_deformable_def zeros = {0}, def = soft_def(s->cube, sn_v(0, 0, 0));
    refuse_def(s, NULL, SN_ERROR_NULL, "definition is null");
    refuse_def(s, &zeros, SN_ERROR_DEFINITION, "sn_deformable_def_default");
    def.mesh = NULL;
    refuse_def(s, &def, SN_ERROR_NULL, "mesh is null");
    def.mesh = s->cube;
    def.name = "a name of sixty-four bytes, which is one more than there may be!";
    refuse_def(s, &def, SN_ERROR_NAME, "at most 63 bytes");
    refuse_answer(s->scene, &s->deformable, SN_ERROR_NULL, "world is null",
                  sn_deformable_add(NULL, &def, &s->deformable));
}

static void test_bad_masses_of_nodes_are_refused_by_number(void **state)
{
    bad_soft *s = *state;
    const float bad[] = {-1.0f, NAN, INFINITY, 1.0e-10f, 1.0e10f};
    for (size_t i = 0; i < bad_count(bad); ++i) {
        float masses[4] = {1.0f, 0.0f, 1.0f, 1.0f};
        masses[2] = bad[i];
        sn_deformable_def def = soft_def(s->line, sn_v(0, 0, 0));
        def.node_masses = masses;
        refuse_def(s, &def, sn_is_finite(bad[i]) ? SN_ERROR_RANGE : SN_ERROR_NOT_FINITE, "node_masses[2] is");
    }
}

static void test_meshes_that_lack_what_is_needed_are_refused(void **state)
{
    bad_soft *s = *state;
    sn_deformable_def def = soft_def(s->sheet, sn_v(0, 0, 0));
    def.model = sn_model_corotational(1.0e4f, 0.3f);
    refuse_def(s, &def, SN_ERROR_KIND, "needs tetrahedra");
    def.mesh = s->line;
    refuse_def(s, &def, SN_ERROR_KIND, "needs tetrahedra");
}

// --- ids, nodes --------------------------------------------------------------------------------------------

static void test_ids_that_name_nothing_are_refused(void **state)
{
    bad_soft *s = *state;
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    const char *parts[BAD_IDS] = {"is zero", "is stale", "of another world", "is stale", "is stale"};
    for (int i = 0; i < BAD_IDS; ++i) {
        sn_deformable id = s->no_deformable[i];
        refuse(s->scene, SN_ERROR_ID, parts[i], sn_deformable_remove(s->world, id));
        refuse(s->scene, SN_ERROR_ID, parts[i], sn_deformable_edit(s->world, id, &nodes, &velocities));
        refuse(s->scene, SN_ERROR_ID, parts[i], sn_node_fix(s->world, id, 0, true));
        refuse(s->scene, SN_ERROR_ID, parts[i], sn_node_target_set(s->world, id, 0, sn_v(0, 0, 0)));
        refuse(s->scene, SN_ERROR_ID, parts[i], sn_node_force_add(s->world, id, 0, sn_v(0, 0, 0)));
        refuse(s->scene, SN_ERROR_ID, parts[i], sn_deformable_awake_set(s->world, id, false));
        assert_null(sn_deformable_nodes(s->world, id));
        assert_false(sn_deformable_is_valid(s->world, id));
    }
}

static void test_nodes_that_do_not_exist_are_refused(void **state)
{
    bad_soft *s = *state;
    const int bad[] = {-1, 5, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < bad_count(bad); ++i) {
        refuse(s->scene, SN_ERROR_RANGE, "expected 0 to 4", sn_node_fix(s->world, s->rope, bad[i], true));
        refuse(s->scene, SN_ERROR_RANGE, "expected 0 to 4",
               sn_node_target_set(s->world, s->rope, bad[i], sn_v(0, 0, 0)));
        refuse(s->scene, SN_ERROR_RANGE, "expected 0 to 4",
               sn_node_force_add(s->world, s->rope, bad[i], sn_v(0, 0, 0)));
        assert_false(sn_node_is_frozen(s->world, s->rope, bad[i]));
    }
}

static void test_bad_targets_and_forces_are_refused(void **state)
{
    bad_soft *s = *state;
    refuse(s->scene, SN_ERROR_KIND, "node 1 is free",
           sn_node_target_set(s->world, s->rope, 1, sn_v(0, 0, 0)));
    assert_int_equal(sn_node_fix(s->world, s->rope, 1, true), SN_OK);
    bad_scene_settled(s->scene);
    refuse(s->scene, SN_ERROR_NOT_FINITE, "target",
           sn_node_target_set(s->world, s->rope, 1, sn_v(NAN, 0, 0)));
    refuse(s->scene, SN_ERROR_RANGE, "target", sn_node_target_set(s->world, s->rope, 1, sn_v(0, 2e6f, 0)));
    refuse(s->scene, SN_ERROR_NOT_FINITE, "force",
           sn_node_force_add(s->world, s->rope, 2, sn_v(0, 0, INFINITY)));
    refuse(s->scene, SN_ERROR_RANGE, "force", sn_node_force_add(s->world, s->rope, 2, sn_v(1e20f, 0, 0)));
    refuse(s->scene, SN_ERROR_NULL, "null", sn_deformable_edit(s->world, s->rope, NULL, NULL));
}

// --- locked worlds -----------------------------------------------------------------------------------------

static void test_a_locked_world_lets_nothing_happen_to_deformables(void **state)
{
    bad_soft *s = *state;
    sn_world *w = s->world;
    sn_deformable_def def = soft_def(s->cube, sn_v(0, 0, 0));
    sn_anchor_def anchor = sn_anchor_def_default();
    sn_point point = sn_point_world(sn_v(0, 0, 0));
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    w->locked = true;
    assert_int_equal(sn_deformable_add(w, &def, NULL), SN_ERROR_LOCKED);
    assert_int_equal(sn_deformable_remove(w, s->jelly), SN_ERROR_LOCKED);
    assert_int_equal(sn_deformable_edit(w, s->jelly, &nodes, &velocities), SN_ERROR_LOCKED);
    assert_int_equal(sn_deformable_awake_set(w, s->jelly, false), SN_ERROR_LOCKED);
    assert_int_equal(sn_node_fix(w, s->jelly, 0, true), SN_ERROR_LOCKED);
    assert_int_equal(sn_node_target_set(w, s->jelly, 0, sn_v(0, 0, 0)), SN_ERROR_LOCKED);
    assert_int_equal(sn_node_force_add(w, s->jelly, 0, sn_v(0, 0, 0)), SN_ERROR_LOCKED);
    assert_int_equal(sn_anchor_add(w, &anchor, NULL), SN_ERROR_LOCKED);
    assert_int_equal(sn_anchor_remove(w, s->nail), SN_ERROR_LOCKED);
    assert_int_equal(sn_anchor_point_set(w, s->nail, 0, &point), SN_ERROR_LOCKED);
    w->locked = false;
    assert_int_equal(sn_world_hash(w), s->scene->hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        bad_soft_test(test_deformables_with_bad_numbers_are_not_made),
        bad_soft_test(test_models_with_bad_parameters_are_refused),
        bad_soft_test(test_choices_that_do_not_exist_are_refused),
        bad_soft_test(test_deformables_without_a_definition_mesh_or_name_are_not_made),
        bad_soft_test(test_bad_masses_of_nodes_are_refused_by_number),
        bad_soft_test(test_meshes_that_lack_what_is_needed_are_refused),
        bad_soft_test(test_ids_that_name_nothing_are_refused),
        bad_soft_test(test_nodes_that_do_not_exist_are_refused),
        bad_soft_test(test_bad_targets_and_forces_are_refused),
        bad_soft_test(test_a_locked_world_lets_nothing_happen_to_deformables),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    print_message("%d refused calls judged\n", bad_row_count);
    return failures;
}
