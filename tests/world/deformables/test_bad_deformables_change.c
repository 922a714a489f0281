// Bad input to the setters of deformables: numbers, models without the number, meshes without what is needed,
// ids, no world, a locked world. Each is refused by name, and the world stays as it was.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "world/deformables/bad_soft.h"
#include <stdio.h>

typedef sn_status (*number_setter)(sn_world *world, sn_deformable deformable, float value);

typedef struct named_setter {
    const char *name;
    number_setter set;
} named_setter;

#define SETTER(what)                                                                                         \
    {                                                                                                        \
#what, sn_deformable_##what##_set                                                                    \
    }

static const named_setter of_models[] = {
    SETTER(stiffness),      SETTER(damping),          SETTER(young),         SETTER(poisson),
    SETTER(area_stiffness), SETTER(volume_stiffness), SETTER(matching_share)};
static const named_setter of_others[] = {SETTER(drag),         SETTER(lift),        SETTER(thickness),
                                         SETTER(friction),     SETTER(restitution), SETTER(linear_damping),
                                         SETTER(gravity_scale)};

// --- numbers -----------------------------------------------------------------------------------------------

typedef struct bad_number {
    sn_model_type type;
    number_setter set;
    float value;
    sn_status expected;
    const char *part;
} bad_number;

static const bad_number bad_numbers[] = {
    {SN_MODEL_SPRINGS, sn_deformable_stiffness_set, 0.0f, SN_ERROR_RANGE,
     "deformable 'pudding': model.stiffness is 0"},
    {SN_MODEL_SPRINGS, sn_deformable_stiffness_set, -1.0f, SN_ERROR_RANGE, "model.stiffness is -1"},
    {SN_MODEL_SPRINGS, sn_deformable_stiffness_set, NAN, SN_ERROR_NOT_FINITE, "model.stiffness is nan"},
    {SN_MODEL_SPRING_FORCES, sn_deformable_damping_set, -1.0f, SN_ERROR_RANGE, "model.damping is -1"},
    {SN_MODEL_COROTATIONAL, sn_deformable_young_set, 0.0f, SN_ERROR_RANGE, "model.young is 0"},
    {SN_MODEL_COROTATIONAL, sn_deformable_young_set, INFINITY, SN_ERROR_NOT_FINITE, "model.young is inf"},
    {SN_MODEL_COROTATIONAL, sn_deformable_poisson_set, 0.5f, SN_ERROR_RANGE, "model.poisson is 0.5"},
    {SN_MODEL_NEO_HOOKEAN, sn_deformable_poisson_set, -0.1f, SN_ERROR_RANGE, "model.poisson is -0.1"},
    {SN_MODEL_COROTATIONAL_IMPLICIT, sn_deformable_damping_set, 101.0f, SN_ERROR_RANGE, "model.damping"},
    {SN_MODEL_COROTATIONAL_EXPLICIT, sn_deformable_young_set, 1.0e13f, SN_ERROR_RANGE, "model.young is"},
    {SN_MODEL_POSITION_BASED, sn_deformable_stiffness_set, 1.5f, SN_ERROR_RANGE, "model.stiffness is 1.5"},
    {SN_MODEL_POSITION_BASED, sn_deformable_volume_stiffness_set, NAN, SN_ERROR_NOT_FINITE,
     "model.volume_stiffness is nan"},
    {SN_MODEL_SHAPE_MATCHING, sn_deformable_matching_share_set, -0.1f, SN_ERROR_RANGE,
     "model.matching_share is -0.1"},
    {SN_MODEL_ENERGY, sn_deformable_area_stiffness_set, -1.0f, SN_ERROR_RANGE, "model.area_stiffness is -1"},
    {SN_MODEL_NONE, sn_deformable_drag_set, -0.1f, SN_ERROR_RANGE, "drag is -0.1"},
    {SN_MODEL_NONE, sn_deformable_lift_set, 1001.0f, SN_ERROR_RANGE, "lift is 1001"},
    {SN_MODEL_NONE, sn_deformable_thickness_set, 0.0f, SN_ERROR_RANGE, "thickness is 0"},
    {SN_MODEL_NONE, sn_deformable_thickness_set, NAN, SN_ERROR_NOT_FINITE, "thickness is nan"},
    {SN_MODEL_NONE, sn_deformable_friction_set, -0.1f, SN_ERROR_RANGE, "friction is -0.1"},
    {SN_MODEL_NONE, sn_deformable_friction_set, 101.0f, SN_ERROR_RANGE, "friction is 101"},
    {SN_MODEL_NONE, sn_deformable_restitution_set, 1.1f, SN_ERROR_RANGE, "restitution is 1.1"},
    {SN_MODEL_NONE, sn_deformable_linear_damping_set, -1.0f, SN_ERROR_RANGE, "linear_damping is -1"},
    {SN_MODEL_NONE, sn_deformable_gravity_scale_set, -1001.0f, SN_ERROR_RANGE, "gravity_scale is -1001"},
};

// A cube of the model beside the others, in the scene that must not change.
static sn_deformable add_pudding(bad_soft *s, sn_model_type type)
{
    sn_deformable_def def = soft_def(s->cube, sn_v(30.0f, 10.0f, 0.0f));
    def.name = "pudding";
    def.model = (sn_model){.type = type, .stiffness = 0.5f, .young = 1.0e4f, .poisson = 0.3f};
    sn_deformable pudding = soft_add(s->world, &def);
    bad_scene_settled(s->scene);
    return pudding;
}

static void test_bad_numbers_are_refused_by_name(void **state)
{
    bad_soft *s = *state;
    for (size_t i = 0; i < bad_count(bad_numbers); ++i) {
        const bad_number *row = &bad_numbers[i];
        sn_deformable pudding = add_pudding(s, row->type);
        refuse_named(s->scene, row->part, row->expected, row->part, row->set(s->world, pudding, row->value));
        assert_int_equal(sn_deformable_remove(s->world, pudding), SN_OK);
    }
}

static void test_no_setter_takes_a_non_finite_value(void **state)
{
    bad_soft *s = *state;
    sn_deformable jelly = s->jelly;
    for (size_t i = 0; i < bad_count(of_others); ++i) {
        refuse_named(s->scene, of_others[i].name, SN_ERROR_NOT_FINITE, of_others[i].name,
                     of_others[i].set(s->world, jelly, NAN));
        refuse_named(s->scene, of_others[i].name, SN_ERROR_NOT_FINITE, "expected",
                     of_others[i].set(s->world, jelly, -INFINITY));
    }
}

// --- models ------------------------------------------------------------------------------------------------

static void test_models_have_only_numbers_of_their_own(void **state)
{
    bad_soft *s = *state;
    // By setter, in the order of `of_models`.
    static const char *const has[SN_MODEL_COUNT] = {
        [SN_MODEL_NONE] = "0000000",           [SN_MODEL_SPRINGS] = "1100000",
        [SN_MODEL_SPRING_FORCES] = "1100000",  [SN_MODEL_COROTATIONAL] = "0111000",
        [SN_MODEL_NEO_HOOKEAN] = "0111000",    [SN_MODEL_COROTATIONAL_EXPLICIT] = "0111000",
        [SN_MODEL_ENERGY] = "1100110",         [SN_MODEL_COROTATIONAL_IMPLICIT] = "0111000",
        [SN_MODEL_POSITION_BASED] = "1100010", [SN_MODEL_SHAPE_MATCHING] = "1100001"};
    static const char *const names[SN_MODEL_COUNT] = {"none",
                                                      "springs",
                                                      "spring forces",
                                                      "corotational",
                                                      "corotational, explicit",
                                                      "corotational, implicit",
                                                      "neo-Hookean",
                                                      "position based",
                                                      "shape matching",
                                                      "energy"};
    for (int type = 0; type < SN_MODEL_COUNT; ++type) {
        sn_deformable pudding = add_pudding(s, (sn_model_type)type);
        for (size_t i = 0; i < bad_count(of_models); ++i) {
            if (has[type][i] == '1') {
                assert_int_equal(of_models[i].set(s->world, pudding, 0.25f), SN_OK);
                bad_scene_settled(s->scene);
                continue;
            }
            char part[128];
            (void)snprintf(part, sizeof part, "deformable 'pudding': its model '%s' has no %s,", names[type],
                           of_models[i].name);
            refuse_named(s->scene, part, SN_ERROR_KIND, part, of_models[i].set(s->world, pudding, 0.25f));
        }
        assert_int_equal(sn_deformable_remove(s->world, pudding), SN_OK);
    }
}

// --- structs -----------------------------------------------------------------------------------------------

static void test_bad_edges_are_refused(void **state)
{
    bad_soft *s = *state;
    const bad_field fields[] = {
        {offsetof(sn_inextensible, compliance), -1.0f, SN_ERROR_RANGE, "inextensible.compliance is -1"},
        {offsetof(sn_inextensible, damping), NAN, SN_ERROR_NOT_FINITE, "inextensible.damping is nan"},
        {offsetof(sn_inextensible, max_force), 0.0f, SN_ERROR_RANGE, "inextensible.max_force is 0"},
        {offsetof(sn_inextensible, shear_stiffness), -1.0f, SN_ERROR_RANGE, "inextensible.shear_stiffness"},
        {offsetof(sn_inextensible, shear_damping), INFINITY, SN_ERROR_NOT_FINITE, "shear_damping is inf"},
    };
    for (size_t i = 0; i < bad_count(fields); ++i) {
        sn_inextensible hold = sn_inextensible_default();
        bad_spoil(&hold, &fields[i]);
        refuse(s->scene, fields[i].expected, fields[i].part,
               sn_deformable_inextensible_set(s->world, s->cloth, hold));
    }
    sn_inextensible hold = sn_inextensible_default();
    hold.side = (sn_limit_side)3;
    refuse(s->scene, SN_ERROR_RANGE, "inextensible.side is 3",
           sn_deformable_inextensible_set(s->world, s->cloth, hold));
}

static void test_bad_bending_is_refused(void **state)
{
    bad_soft *s = *state;
    const bad_field fields[] = {
        {offsetof(sn_bending, stiffness), -1.0f, SN_ERROR_RANGE, "bending.stiffness is -1"},
        {offsetof(sn_bending, damping), NAN, SN_ERROR_NOT_FINITE, "bending.damping is nan"},
        {offsetof(sn_bending, max_impulse), -1.0f, SN_ERROR_RANGE, "bending.max_impulse is -1"},
    };
    for (size_t i = 0; i < bad_count(fields); ++i) {
        sn_bending bending = sn_bending_default();
        bad_spoil(&bending, &fields[i]);
        refuse(s->scene, fields[i].expected, fields[i].part,
               sn_deformable_bending_set(s->world, s->cloth, bending));
    }
    sn_bending bending = sn_bending_default();
    bending.type = (sn_bending_type)4;
    refuse(s->scene, SN_ERROR_RANGE, "bending.type is 4",
           sn_deformable_bending_set(s->world, s->cloth, bending));
}

static void test_bad_enclosures_are_refused(void **state)
{
    bad_soft *s = *state;
    const bad_field fields[] = {
        {offsetof(sn_enclosure, scale), 0.0f, SN_ERROR_RANGE, "enclosure.scale is 0"},
        {offsetof(sn_enclosure, compliance), -1.0f, SN_ERROR_RANGE, "enclosure.compliance is -1"},
        {offsetof(sn_enclosure, pressure), NAN, SN_ERROR_NOT_FINITE, "enclosure.pressure is nan"},
    };
    for (size_t i = 0; i < bad_count(fields); ++i) {
        sn_enclosure enclosure = sn_enclosure_default();
        bad_spoil(&enclosure, &fields[i]);
        refuse(s->scene, fields[i].expected, fields[i].part,
               sn_deformable_enclosure_set(s->world, s->jelly, enclosure));
    }
    sn_enclosure enclosure = sn_enclosure_default();
    enclosure.preserve = true;
    refuse(s->scene, SN_ERROR_KIND, "needs a closed, oriented surface",
           sn_deformable_enclosure_set(s->world, s->cloth, enclosure));
    enclosure = (sn_enclosure){false, 1.0f, 0.0f, 1.0f};
    refuse(s->scene, SN_ERROR_KIND, "needs a closed, oriented surface",
           sn_deformable_enclosure_set(s->world, s->rope, enclosure));
}

// --- ids and worlds ----------------------------------------------------------------------------------------

// Calls every setter with good values; `n` tells where to stop.
static int call_all(sn_world *world, sn_deformable id, sn_status *got)
{
    int n = 0;
    for (size_t i = 0; i < bad_count(of_models); ++i) {
        got[n++] = of_models[i].set(world, id, 0.25f);
    }
    for (size_t i = 0; i < bad_count(of_others); ++i) {
        got[n++] = of_others[i].set(world, id, 0.25f);
    }
    got[n++] = sn_deformable_inextensible_set(world, id, sn_inextensible_default());
    got[n++] = sn_deformable_bending_set(world, id, sn_bending_default());
    got[n++] = sn_deformable_enclosure_set(world, id, sn_enclosure_default());
    got[n++] = sn_deformable_filter_set(world, id, sn_filter_default());
    got[n++] = sn_deformable_allow_sleep_set(world, id, false);
    got[n++] = sn_deformable_user_set(world, id, got);
    return n;
}

static void require_all(bad_soft *s, sn_world *world, sn_deformable id, sn_status expected, const char *part)
{
    sn_status got[32];
    bad_listen(s->scene);
    int count = call_all(world, id, got);
    for (int i = 0; i < count; ++i) {
        bad_judge(s->scene, "a setter", got[i], expected, part);
    }
}

static void test_ids_that_name_nothing_are_refused(void **state)
{
    bad_soft *s = *state;
    const char *parts[BAD_IDS] = {"is zero", "is stale", "of another world", "is stale", "is stale"};
    for (int i = 0; i < BAD_IDS; ++i) {
        require_all(s, s->world, s->no_deformable[i], SN_ERROR_ID, parts[i]);
    }
}

static void test_no_world_is_refused(void **state)
{
    bad_soft *s = *state;
    require_all(s, NULL, s->jelly, SN_ERROR_NULL, "world is null");
}

static void test_a_locked_world_is_not_changed(void **state)
{
    bad_soft *s = *state;
    s->world->locked = true;
    sn_status got[32];
    int count = call_all(s->world, s->jelly, got);
    s->world->locked = false;
    for (int i = 0; i < count; ++i) {
        assert_int_equal(got[i], SN_ERROR_LOCKED);
    }
    assert_int_equal(sn_world_hash(s->world), s->scene->hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        bad_soft_test(test_bad_numbers_are_refused_by_name),
        bad_soft_test(test_no_setter_takes_a_non_finite_value),
        bad_soft_test(test_models_have_only_numbers_of_their_own),
        bad_soft_test(test_bad_edges_are_refused),
        bad_soft_test(test_bad_bending_is_refused),
        bad_soft_test(test_bad_enclosures_are_refused),
        bad_soft_test(test_ids_that_name_nothing_are_refused),
        bad_soft_test(test_no_world_is_refused),
        bad_soft_test(test_a_locked_world_is_not_changed),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    print_message("%d refused calls judged\n", bad_row_count);
    return failures;
}
