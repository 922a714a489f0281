// Steps of 20 ms and materials from jelly to hard rubber and beyond, damped not at all or absurdly: whatever
// falls on the floor neither gains energy nor comes apart, and what is damped comes to rest.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/model_rig.h"
#include "support/physics.h"
#include "support/random.h"

static const float step = 0.02f, size = 0.2f, height = 0.3f;

typedef struct fall {
    double energy;      // when it began, kinetic and of height above lying on the floor [J]
    double most_motion; // kinetic energy at any time [J]
    double last_motion; // and in the end
    int frozen;
} fall;

static fall drop(sn_model model, float seconds)
{
    sn_world *world = physics_world();
    physics_floor(world, physics_material(0.5f, 0.0f));
    sn_mesh *mesh = jelly_mesh(2);
    sn_deformable_def def = sn_deformable_def_default();
    sn_deformable jelly = {0};
    def.mesh = mesh;
    def.model = model;
    def.pose = physics_at(0.0f, height, 0.0f);
    def.angular_velocity = sn_v(3.0f, 5.0f, 1.0f);
    must(sn_deformable_add(world, &def, &jelly));
    double mass = 1000.0 * (double)size * (double)size * (double)size;
    fall f = {.energy = sn_world_energy(world).kinetic + mass * physics_gravity * (double)height};
    for (int i = 0; i < (int)(seconds / step); ++i) {
        must(sn_world_step(world, step));
        double motion = sn_world_energy(world).kinetic;
        f.most_motion = motion > f.most_motion || !isfinite(motion) ? motion : f.most_motion;
        f.last_motion = motion;
    }
    f.frozen = sn_deformable_frozen_count(world, jelly);
    sn_mesh_destroy(mesh);
    sn_world_destroy(world);
    return f;
}

static void check_fall(sn_model model, double rest, const char *name)
{
    fall f = drop(model, 2.4f);
    double e = (double)model.young, nu = (double)model.poisson, b = (double)model.damping;
    check_below(f.most_motion / f.energy, 1.0, "%s, E %g, nu %g, b %g: most motion, of what there was", name,
                e, nu, b);
    check_below(f.last_motion / f.energy, rest, "%s, E %g, nu %g, b %g: motion that is left", name, e, nu, b);
    check_true(f.frozen == 0, "%s, E %g, nu %g, b %g: no node is frozen", name, e, nu, b);
}

static void check_elements(sn_model_type type, const char *name)
{
    const float dampings[] = {0.0f, 0.01f, 100.0f};
    for (int k = 0; k < 6; ++k) {
        const float moduli[] = {1.0e3f, 1.0e4f, 1.0e5f, 1.0e6f, 1.0e7f, 1.0e8f};
        for (int i = 0; i < 3; ++i) {
            sn_model model = sn_model_corotational(moduli[k], i == 1 ? 0.49f : 0.3f);
            model.type = type;
            model.damping = dampings[i];
            bool must_rest = model.damping > 0.0f && model.young > 5.0e4f;
            check_fall(model, must_rest ? 1.0e-4 : 0.2, name);
        }
    }
}

static void test_corotational_rows_of_any_stiffness_are_stable(void **state)
{
    (void)state;
    check_elements(SN_MODEL_COROTATIONAL, "corotational rows");
}

static void test_neo_hookean_rows_of_any_stiffness_are_stable(void **state)
{
    (void)state;
    check_elements(SN_MODEL_NEO_HOOKEAN, "neo-Hookean rows");
}

static void test_springs_of_any_stiffness_are_stable(void **state)
{
    (void)state;
    for (int k = 0; k < 3; ++k) {
        const float stiffness[] = {1.0e3f, 1.0e6f, 1.0e9f};
        for (int i = 0; i < 3; ++i) {
            const float dampings[] = {0.0f, 10.0f, 1.0e6f};
            sn_model model = sn_model_springs(stiffness[k], dampings[i]);
            check_fall(model, 0.2, "springs");
            model.type = SN_MODEL_SPRING_FORCES;
            check_fall(model, 0.2, "spring forces");
        }
    }
}

static void test_stiff_explicit_and_implicit_elements_are_stable(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        sn_model model = sn_model_corotational(k % 2 == 0 ? 1.0e6f : 1.0e8f, 0.45f);
        model.damping = k % 2 == 0 ? 0.0f : 0.01f;
        model.type = k < 2 ? SN_MODEL_COROTATIONAL_EXPLICIT : SN_MODEL_COROTATIONAL_IMPLICIT;
        check_fall(model, 0.2, k < 2 ? "explicit elements" : "implicit elements");
    }
}

// What is far too stiff for the small steps of explicit forces swings from a corner as a rigid body would,
// instead of becoming soft: lighter blocks are stiffer for their mass.
static void test_explicit_forces_stay_stiff_whatever_a_node_weighs(void **state)
{
    (void)state;
    for (float mass = 1.0f; mass > 1.0e-3f; mass *= 0.1f) {
        for (int kind = 0; kind < 2; ++kind) {
            sn_world *world = physics_world();
            sn_world_def settings = sn_world_settings(world);
            settings.solver = SN_SOLVER_STAGGERED; // one sub-step
            must(sn_world_settings_set(world, &settings));
            sn_mesh *mesh = jelly_mesh(2);
            sn_deformable_def def = sn_deformable_def_default();
            sn_deformable jelly = {0};
            def.mesh = mesh;
            def.mass = mass;
            def.model = sn_model_corotational(6.0e5f, 0.35f);
            def.model.type = SN_MODEL_COROTATIONAL_EXPLICIT;
            if (kind == 1) {
                def.model = (sn_model){.type = SN_MODEL_SPRING_FORCES, .stiffness = 6.0e4f};
            }
            must(sn_deformable_add(world, &def, &jelly));
            must(sn_node_fix(world, jelly, 0, true));
            float stretch = 0.0f;
            for (int i = 0; i < 300; ++i) {
                must(sn_world_step(world, 1.0f / 30.0f));
                stretch = sn_max(stretch, sn_deformable_measure_now(world, jelly).largest_stretch);
                check_true(sn_world_statistics(world).put_back_count == 0, "nothing explodes at %g kg",
                           (double)mass);
            }
            check_below((double)stretch, 0.1, "kind %d of %g kg: stretch", kind, (double)mass);
            sn_mesh_destroy(mesh);
            sn_world_destroy(world);
        }
    }
}

// A block of springs that is crumpled, so that its own faces lie in each other, opens with what its springs
// hold and with nothing else.
static void test_crumpled_springs_in_contact_with_themselves_gain_no_energy(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; ++seed) {
        sn_world *world = physics_world();
        must(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)));
        sn_mesh *mesh = jelly_mesh(3);
        sn_deformable_def def = sn_deformable_def_default();
        sn_deformable jelly = {0};
        sn_node_state *nodes;
        sn_node_velocity *velocities;
        test_random random = {seed};
        def.mesh = mesh;
        def.mass = 1.0f;
        def.self_collide = true;
        def.model = (sn_model){.type = SN_MODEL_SPRINGS, .stiffness = 100.0f * (float)(seed * seed)};
        must(sn_deformable_add(world, &def, &jelly));
        must(sn_deformable_edit(world, jelly, &nodes, &velocities));
        for (int i = 0; i < sn_mesh_node_count(mesh); ++i) {
            nodes[i].position = sn_add(nodes[i].position, test_random_vec3(&random, 0.7f * size));
        }
        double begun = (double)sn_deformable_measure_now(world, jelly).elastic_energy, most = 0.0;
        for (int i = 0; i < 200; ++i) {
            must(sn_world_step(world, step));
            double strain = (double)sn_deformable_measure_now(world, jelly).elastic_energy;
            most = fmax(most, sn_world_energy(world).kinetic + strain);
        }
        check_below(most / begun, 1.02, "springs of %d N/m, crumpled: energy, of what there was",
                    (int)(100 * seed * seed));
        sn_mesh_destroy(mesh);
        sn_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_corotational_rows_of_any_stiffness_are_stable),
        physics_test(test_neo_hookean_rows_of_any_stiffness_are_stable),
        physics_test(test_springs_of_any_stiffness_are_stable),
        physics_test(test_stiff_explicit_and_implicit_elements_are_stable),
        physics_test(test_crumpled_springs_in_contact_with_themselves_gain_no_energy),
        physics_test(test_explicit_forces_stay_stiff_whatever_a_node_weighs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
