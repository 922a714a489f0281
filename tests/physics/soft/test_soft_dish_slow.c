// Jellies between a dish and a bar on a floor without friction (scene S2), one of each paradigm, each
// paradigm alone: nothing enters anything, and the bar's sideways momentum is shared among all three as
// Coulomb says.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/soft_touch.h"

enum { JELLIES = 4, JELLY = 5 }; // [kg]
static const float step = 0.02f, radius = 0.35f, height = 0.4f;
static const float dish_top = 0.1f, bar_half = 0.1f;

typedef struct dish_scene {
    sn_world *world;
    sn_rigid dish, bar;
    sn_deformable jellies[JELLIES];
} dish_scene;

static sn_model model_of(int paradigm)
{
    sn_model elements = sn_model_corotational(2.0e4f, 0.45f);
    elements.damping = 0.02f;
    sn_model soft = sn_model_neo_hookean(2.0e4f, 0.45f);
    soft.damping = 0.02f;
    const sn_model models[JELLIES] = {elements, soft, sn_model_springs(1500.0f, 5.0f),
                                      sn_model_shape_matching(0.7f, SN_MATCH_LINEAR, 0.3f)};
    return models[paradigm];
}

// `paradigm` of all jellies, or −1 for one of each. The bar starts 0.3 m above them.
static dish_scene build(int paradigm, float sideways)
{
    dish_scene s = {.world = physics_world()};
    physics_floor(s.world, physics_material(0.0f, 0.0f));
    sn_shape_def material = physics_material(0.5f, 0.0f);
    material.density = 5.0f / (2.4f * dish_top * 2.4f);
    s.dish = physics_box(s.world, material, sn_v(1.2f, 0.5f * dish_top, 1.2f),
                         physics_at(0.0f, 0.5f * dish_top, 0.0f));
    for (int k = 0; k < JELLIES; ++k) {
        sn_mesh *mesh = NULL;
        must(sn_mesh_cylinder(radius, height, 4, 6, &mesh));
        sn_deformable_def def = sn_deformable_def_default();
        def.mesh = mesh;
        def.mass = JELLY;
        def.model = model_of(paradigm < 0 ? k : paradigm);
        def.pose.position =
            sn_v(k % 2 == 0 ? -0.6f : 0.6f, dish_top + 0.5f * height + 0.01f, k / 2 == 0 ? -0.6f : 0.6f);
        s.jellies[k] = touch_add(s.world, &def);
    }
    material.density = 8.0f / (2.2f * 0.2f * 2.2f);
    s.bar = physics_box(s.world, material, sn_v(1.1f, bar_half, 1.1f),
                        physics_at(0.0f, dish_top + height + 0.3f + bar_half, 0.0f));
    must(sn_rigid_linear_velocity_set(s.world, s.bar, sn_v(sideways, 0.0f, 0.0f)));
    return s;
}

// How deep nodes are in the dish or the bar.
static double deepest(const dish_scene *s)
{
    double deep = 0.0;
    for (int k = 0; k < JELLIES; ++k) {
        const sn_node_state *nodes = sn_deformable_nodes(s->world, s->jellies[k]);
        for (int i = 0; i < sn_deformable_node_count(s->world, s->jellies[k]); ++i) {
            sn_vec3 in_bar = sn_pose_apply_inverse(sn_rigid_pose(s->world, s->bar), nodes[i].position);
            sn_vec3 in_dish = sn_pose_apply_inverse(sn_rigid_pose(s->world, s->dish), nodes[i].position);
            bool under_bar = sn_abs(in_bar.x) < 1.1f && sn_abs(in_bar.z) < 1.1f;
            deep = under_bar ? fmax(deep, (double)(in_bar.y + bar_half)) : deep;
            deep = fmax(deep, (double)(0.5f * dish_top - in_dish.y));
        }
    }
    return deep;
}

static double momentum(const dish_scene *s)
{
    double sum = 5.0 * (double)sn_rigid_linear_velocity(s->world, s->dish).x +
                 8.0 * (double)sn_rigid_linear_velocity(s->world, s->bar).x;
    for (int k = 0; k < JELLIES; ++k) {
        sn_deformable_measure now = sn_deformable_measure_now(s->world, s->jellies[k]);
        sum += (double)now.mass * (double)now.velocity.x;
    }
    return sum;
}

static void slide(int paradigm, const char *what)
{
    dish_scene s = build(paradigm, 1.0f);
    double before = momentum(&s), deep = 0.0, kept = 0.0;
    for (int i = 0; i < 300; ++i) {
        must(sn_world_step(s.world, step));
        deep = fmax(deep, deepest(&s));
        kept = fmax(kept, fabs(momentum(&s) - before) / before);
    }
    double common = 8.0 / (8.0 + 5.0 + JELLIES * JELLY);
    check_below(deep, 0.005, "%s: deepest penetration [m]", what);
    check_below(kept, 1.0e-4, "%s: part of the momentum that was lost", what);
    check_relative((double)sn_rigid_linear_velocity(s.world, s.bar).x, common, 0.03,
                   "%s: speed of the bar [m/s]", what);
    check_relative((double)sn_rigid_linear_velocity(s.world, s.dish).x, common, 0.03,
                   "%s: speed of the dish [m/s]", what);
    sn_world_destroy(s.world);
}

static void test_one_of_each_paradigm(void **state)
{
    (void)state;
    slide(-1, "one of each");
}

static void test_each_paradigm_alone(void **state)
{
    (void)state;
    const char *names[JELLIES] = {"corotational", "neo-Hookean", "springs", "shape matching"};
    for (int k = 0; k < JELLIES; ++k) {
        slide(k, names[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_one_of_each_paradigm),
        physics_test(test_each_paradigm_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
