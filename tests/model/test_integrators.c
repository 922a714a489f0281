// What every integrator must do with any field of forces, run over a list of all but the default, which is in
// the models themselves.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/integrators/integrator.h"
#include "support/memory.h"
#include "support/model_rig.h"

static const sn_integrator plain[] = {SN_INTEGRATOR_EXPLICIT_EULER, SN_INTEGRATOR_MIDPOINT,
                                      SN_INTEGRATOR_HEUN, SN_INTEGRATOR_VERLET, SN_INTEGRATOR_IMPLICIT_EULER};

enum { PLAIN = sizeof plain / sizeof *plain, MOST_NODES = 8 };

// Nodes without a mesh under any field, moved as the solver moves them.
typedef struct swarm {
    sn_integration *it;
    sn_node_state states[MOST_NODES + 1]; // the first is the dummy
    sn_node_velocity velocities[MOST_NODES + 1];
    sn_vec3 forces[MOST_NODES + 1];
    sn_tasks *tasks;
    sn_element_pass pass;
} swarm;

static void swarm_make(swarm *s, sn_integrator integrator, sn_force_field field, int count, float h)
{
    *s = (swarm){.it = sn_integration_create(sn_integrator_kind_of(integrator), field, 1, count),
                 .tasks = sn_tasks_create(1, NULL)};
    assert_true(s->it != NULL && s->tasks != NULL);
    s->pass = (sn_element_pass){.nodes = s->states,
                                .velocities = s->velocities,
                                .user_forces = s->forces,
                                .h = h,
                                .inverse_h = 1.0f / h};
}

static void swarm_free(swarm *s)
{
    sn_integration_destroy(s->it);
    sn_tasks_destroy(s->tasks);
}

static void swarm_put(swarm *s, int node, float inverse_mass, sn_vec3 place, sn_vec3 velocity)
{
    s->states[node + 1] = (sn_node_state){place, inverse_mass};
    s->velocities[node + 1].velocity = velocity;
}

static void swarm_step(swarm *s)
{
    sn_integration_predict(s->it, &s->pass, s->tasks);
    for (int i = 1; i <= s->it->node_count; ++i) {
        s->states[i].position = sn_add_scaled(s->states[i].position, s->pass.h, s->velocities[i].velocity);
    }
    sn_integration_complete(s->it, &s->pass, s->tasks);
}

// --- a planet ----------------------------------------------------------------------------------------------

static int evaluations;

// Node 0 is the sun, which is fixed; node 1 goes round it with G M = 1.
static void attract(void *model, const sn_node_state *nodes, const sn_node_velocity *velocities,
                    sn_node_force *forces, sn_tasks *tasks)
{
    (void)model;
    (void)velocities;
    (void)tasks;
    sn_vec3 arm = sn_sub(nodes[1].position, nodes[0].position);
    float square = sn_length_squared(arm);
    forces[1].force = sn_scale(arm, -1.0f / (square * sqrtf(square)));
    forces[0].force = sn_neg(forces[1].force);
    ++evaluations;
}

// (1/r³) (1 − r̂ r̂ᵀ), without the part that gives way.
static void attract_resist(void *model, const sn_node_state *nodes, sn_resistance resistance,
                           const sn_vec3 *field, sn_vec3 *forces, sn_tasks *tasks)
{
    (void)model;
    (void)tasks;
    sn_vec3 arm = sn_sub(nodes[1].position, nodes[0].position), outward = sn_normalize(arm);
    float r = sn_length(arm);
    sn_vec3 apart = sn_sub(field[1], field[0]);
    sn_vec3 across = sn_add_scaled(apart, -sn_dot(apart, outward), outward);
    forces[1] = sn_scale(across, -resistance.stiffness / (r * r * r));
    forces[0] = sn_neg(forces[1]);
}

static void attract_diagonal(void *model, const sn_node_state *nodes, sn_resistance resistance,
                             sn_sym3 *blocks)
{
    (void)model;
    float r = sn_distance_between(nodes[1].position, nodes[0].position);
    blocks[1].xx += resistance.stiffness / (r * r * r);
    blocks[1].yy += resistance.stiffness / (r * r * r);
    blocks[1].zz += resistance.stiffness / (r * r * r);
}

static const sn_force_field gravity_of_sun = {
    .forces = attract, .resist = attract_resist, .add_diagonal = attract_diagonal};

// x″ = −x/|x|³ in double, by Runge and Kutta's method in steps far too small to err.
static void true_orbit(double x[4], double time)
{
    int steps = 20000;
    double h = time / steps;
    for (int i = 0; i < steps; ++i) {
        double k[4][4], at[4];
        for (int s = 0; s < 4; ++s) {
            double part = s == 0 ? 0.0 : s == 3 ? h : 0.5 * h;
            for (int c = 0; c < 4; ++c) {
                at[c] = x[c] + (s == 0 ? 0.0 : part * k[s - 1][c]);
            }
            double r = sqrt(at[0] * at[0] + at[1] * at[1]), pull = -1.0 / (r * r * r);
            k[s][0] = at[2];
            k[s][1] = at[3];
            k[s][2] = pull * at[0];
            k[s][3] = pull * at[1];
        }
        for (int c = 0; c < 4; ++c) {
            x[c] += h / 6.0 * (k[0][c] + 2.0 * k[1][c] + 2.0 * k[2][c] + k[3][c]);
        }
    }
}

// Of an ellipse of eccentricity 0.2 after a good half of a turn in so many steps.
static double orbit_error(sn_integrator integrator, int steps)
{
    swarm s;
    const float speed = 1.0954451f;
    swarm_make(&s, integrator, gravity_of_sun, 2, 4.0f / (float)steps);
    swarm_put(&s, 1, 1.0f, sn_v(1.0f, 0.0f, 0.0f), sn_v(0.0f, speed, 0.0f));
    double x[4] = {1.0, 0.0, 0.0, (double)speed};
    true_orbit(x, (double)s.pass.h * steps);
    for (int i = 0; i < steps; ++i) {
        swarm_step(&s);
    }
    sn_vec3 p = s.states[2].position, v = s.velocities[2].velocity;
    double error = sqrt(pow((double)p.x - x[0], 2) + pow((double)p.y - x[1], 2) + pow((double)v.x - x[2], 2) +
                        pow((double)v.y - x[3], 2));
    swarm_free(&s);
    return error;
}

static void test_order_on_a_kepler_orbit(void **state)
{
    (void)state;
    for (int k = 0; k < PLAIN; ++k) {
        const sn_integrator_kind *kind = sn_integrator_kind_of(plain[k]);
        int steps = kind->order == 1 ? 1000 : 100;
        double coarse = orbit_error(plain[k], steps), fine = orbit_error(plain[k], 2 * steps);
        double order = log2(coarse / fine);
        if (!(fabs(order - kind->order) < 0.1)) {
            fail_msg("%s: order is %g, of errors %g and %g", kind->name, order, coarse, fine);
        }
    }
}

static void test_evaluations_of_forces(void **state)
{
    (void)state;
    const int expected[PLAIN] = {1, 2, 2, 1, 1};
    for (int k = 0; k < PLAIN; ++k) {
        swarm s;
        swarm_make(&s, plain[k], gravity_of_sun, 2, 1.0e-3f);
        swarm_put(&s, 1, 1.0f, sn_v(1.0f, 0.0f, 0.0f), sn_v(0.0f, 1.0f, 0.0f));
        swarm_step(&s);
        evaluations = 0;
        for (int i = 0; i < 10; ++i) {
            swarm_step(&s);
        }
        assert_int_equal(evaluations, 10 * expected[k]);
        swarm_free(&s);
    }
}

// --- the table ---------------------------------------------------------------------------------------------

static void test_every_integrator_has_a_kind(void **state)
{
    (void)state;
    for (int k = 0; k < SN_INTEGRATOR_COUNT; ++k) {
        const sn_integrator_kind *kind = sn_integrator_kind_of((sn_integrator)k);
        assert_non_null(kind);
        assert_true(kind->name[0] != '\0');
        assert_true((kind->predict == NULL) == (k == SN_INTEGRATOR_EULER_CROMER));
    }
    assert_null(sn_integrator_kind_of(SN_INTEGRATOR_COUNT));
    assert_null(sn_integrator_kind_of((sn_integrator)-1));
}

// c and d are what a constant force on a free node at rest does.
static void test_c_and_d_are_true(void **state)
{
    (void)state;
    for (int k = 0; k < PLAIN; ++k) {
        const sn_integrator_kind *kind = sn_integrator_kind_of(plain[k]);
        swarm s;
        swarm_make(&s, plain[k], (sn_force_field){0}, 1, 0.5f);
        swarm_put(&s, 0, 0.25f, sn_v(0.0f, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 0.0f));
        s.forces[1] = sn_v(16.0f, 0.0f, 0.0f);
        swarm_step(&s);
        assert_true(s.states[1].position.x == kind->c * 0.25f * 0.25f * 16.0f);
        assert_true(s.velocities[1].velocity.x == kind->d * 0.5f * 0.25f * 16.0f);
        swarm_free(&s);
    }
}

// --- nodes -------------------------------------------------------------------------------------------------

static void test_fixed_nodes_keep_their_velocity(void **state)
{
    (void)state;
    for (int k = 0; k < PLAIN; ++k) {
        swarm s;
        swarm_make(&s, plain[k], gravity_of_sun, 2, 0.01f);
        s.it->gravity = sn_v(0.0f, -9.81f, 0.0f);
        s.it->linear_damping = 3.0f;
        swarm_put(&s, 0, 0.0f, sn_v(0.0f, 0.0f, 0.0f), sn_v(5.0f, 0.0f, 0.0f));
        swarm_put(&s, 1, 1.0f, sn_v(1.0f, 0.0f, 0.0f), sn_v(0.0f, 1.0f, 0.0f));
        s.forces[1] = sn_v(7.0f, 7.0f, 7.0f);
        for (int i = 0; i < 10; ++i) {
            swarm_step(&s);
        }
        assert_true(s.velocities[1].velocity.x == 5.0f && s.velocities[1].velocity.y == 0.0f);
        swarm_free(&s);
    }
}

// Verlet's forces are of the places it saw last; a node put elsewhere makes it look again.
static void test_edited_nodes_are_seen(void **state)
{
    (void)state;
    swarm s;
    swarm_make(&s, SN_INTEGRATOR_VERLET, gravity_of_sun, 2, 1.0e-3f);
    swarm_put(&s, 1, 1.0f, sn_v(1.0f, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 0.0f));
    swarm_step(&s);
    swarm_put(&s, 1, 1.0f, sn_v(0.0f, 2.0f, 0.0f), sn_v(0.0f, 0.0f, 0.0f));
    evaluations = 0;
    swarm_step(&s);
    assert_int_equal(evaluations, 2);
    assert_true(sn_abs(s.velocities[2].velocity.y + 0.25e-3f) < 1.0e-8f);
    assert_true(s.velocities[2].velocity.x == 0.0f);
    swarm_free(&s);
}

// Rows change û by a blow: velocity and way change by just that, whatever the scheme.
static void test_blows_change_velocity_and_way_alike(void **state)
{
    (void)state;
    for (int k = 0; k < PLAIN; ++k) {
        swarm s;
        swarm_make(&s, plain[k], (sn_force_field){0}, 1, 0.125f);
        s.it->gravity = sn_v(0.0f, -8.0f, 0.0f);
        swarm_put(&s, 0, 1.0f, sn_v(0.0f, 0.0f, 0.0f), sn_v(0.0f, 1.0f, 0.0f));
        sn_integration_predict(s.it, &s.pass, s.tasks);
        s.velocities[1].velocity.x += 4.0f;
        s.states[1].position = sn_scale(s.velocities[1].velocity, s.pass.h);
        sn_integration_complete(s.it, &s.pass, s.tasks);
        assert_true(s.velocities[1].velocity.x == 4.0f && s.states[1].position.x == 0.5f);
        assert_true(s.velocities[1].velocity.y == 0.0f);
        swarm_free(&s);
    }
}

static void test_creation_without_memory_fails_and_leaks_nothing(void **state)
{
    (void)state;
    for (int k = 0; k < PLAIN; ++k) {
        int refused = 0;
        for (sn_integration *it = NULL; it == NULL; ++refused) {
            uint64_t before = sn_allocated_bytes();
            test_memory_allow(refused);
            it = sn_integration_create(sn_integrator_kind_of(plain[k]), gravity_of_sun, 1, 5);
            test_memory_allow_all();
            if (it == NULL) {
                assert_int_equal(sn_allocated_bytes(), before);
            }
            sn_integration_destroy(it);
            assert_true(refused < 100);
        }
        assert_true(refused >= 3);
    }
}

// --- models ------------------------------------------------------------------------------------------------

static const sn_model force_models[] = {
    {.type = SN_MODEL_SPRING_FORCES, .stiffness = 1000.0f},
    {.type = SN_MODEL_COROTATIONAL_EXPLICIT, .young = 1.0e4f, .poisson = 0.3f},
    {.type = SN_MODEL_ENERGY, .stiffness = 20.0f, .area_stiffness = 5.0f, .volume_stiffness = 5.0f},
};

enum { FORCE_MODELS = sizeof force_models / sizeof *force_models };

// A jelly whose model is made for an integrator.
typedef struct jelly {
    model_rig rig;
    sn_integration *it;
} jelly;

static void jelly_make_of(jelly *j, int cells, sn_model model, sn_integrator integrator, float h)
{
    rig_make(&j->rig, jelly_mesh(cells), model, sn_pose_identity, 0.3f, h);
    j->rig.kind->destroy(j->rig.model);
    sn_model_input input = rig_input(&j->rig, model);
    input.integrator = integrator;
    j->rig.model = j->rig.kind->create(&input);
    assert_non_null(j->rig.model);
    j->rig.pass.user_forces = j->rig.nodes.forces.data;
    j->it = sn_integration_create(sn_integrator_kind_of(integrator), j->rig.kind->field(j->rig.model),
                                  j->rig.first, j->rig.count);
    assert_non_null(j->it);
}

// 27 nodes.
static void jelly_make(jelly *j, sn_model model, sn_integrator integrator, float h)
{
    jelly_make_of(j, 2, model, integrator, h);
}

static void jelly_free(jelly *j)
{
    sn_integration_destroy(j->it);
    rig_free(&j->rig);
}

static void jelly_run(jelly *j, int steps)
{
    for (int i = 0; i < steps; ++i) {
        sn_integration_predict(j->it, &j->rig.pass, j->rig.tasks);
        rig_move(&j->rig);
        sn_integration_complete(j->it, &j->rig.pass, j->rig.tasks);
    }
}

static void test_momentum_of_a_free_jelly_is_kept_for_10000_steps(void **state)
{
    (void)state;
    const double none[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < PLAIN * FORCE_MODELS; ++k) {
        jelly j;
        sn_model model = force_models[k / PLAIN];
        // So that explicit Euler, too, comes to rest, of which forces in float then have their own idea.
        model.damping = model.type == SN_MODEL_COROTATIONAL_EXPLICIT ? 0.002f
                        : model.type == SN_MODEL_ENERGY              ? 0.03f
                                                                     : 2.0f;
        jelly_make(&j, model, plain[k % PLAIN], 5.0e-4f);
        rig_spin(&j.rig, sn_v(1.3f, -0.7f, 0.37f), sn_v(0.0f, 0.0f, 0.0f));
        rig_shake(&j.rig, 0.005f, 7);
        test_momenta before = rig_measure(&j.rig);
        jelly_run(&j, plain[k % PLAIN] == SN_INTEGRATOR_IMPLICIT_EULER ? 1000 : 10000);
        test_momenta after = rig_measure(&j.rig);
        double change = rig_difference(after.linear, before.linear) / rig_difference(before.linear, none);
        if (!(change < 1.0e-7)) {
            fail_msg("%s, model %d: momentum changed by %g", j.it->kind->name, (int)model.type, change);
        }
        jelly_free(&j);
    }
}

// Forces at x have no torque about x, and drifting along velocities keeps angular momentum: exact but for
// rounding. The others drift by other velocities, and keep it to their order.
static void test_angular_momentum_of_a_spinning_jelly_is_kept(void **state)
{
    (void)state;
    const sn_integrator exact[2] = {SN_INTEGRATOR_VERLET, SN_INTEGRATOR_IMPLICIT_EULER};
    const double none[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 2 * FORCE_MODELS; ++k) {
        jelly j;
        jelly_make(&j, force_models[k / 2], exact[k % 2], 5.0e-4f);
        rig_spin(&j.rig, sn_v(0.0f, 0.0f, 0.0f), sn_v(1.0f, 3.0f, -2.0f));
        rig_shake(&j.rig, 0.002f, 29);
        test_momenta before = rig_measure(&j.rig);
        jelly_run(&j, exact[k % 2] == SN_INTEGRATOR_VERLET ? 5000 : 200);
        test_momenta after = rig_measure(&j.rig);
        double change = rig_difference(after.angular, before.angular) / rig_difference(before.angular, none);
        if (!(change < 1.0e-5)) {
            fail_msg("%s, model %d: angular momentum changed by %g", j.it->kind->name, k / 2, change);
        }
        jelly_free(&j);
    }
}

// Kinetic and elastic energy of a shaken jelly without damping.
static void test_verlet_keeps_the_energy_of_a_jelly(void **state)
{
    (void)state;
    for (int m = 0; m < FORCE_MODELS; ++m) {
        jelly j;
        jelly_make(&j, force_models[m], SN_INTEGRATOR_VERLET, 1.0e-4f);
        rig_spin(&j.rig, sn_v(0.0f, 0.0f, 0.0f), sn_v(1.0f, 2.0f, 0.0f));
        rig_shake(&j.rig, 0.002f, 11);
        double start = 0.0;
        for (int i = 0; i < 20; ++i) {
            double energy = j.rig.kind->energy(j.rig.model, rig_nodes(&j.rig)) + rig_measure(&j.rig).energy;
            start = i == 0 ? energy : start;
            if (!(fabs(energy / start - 1.0) < 0.01)) {
                fail_msg("model %d: energy %g of %g", m, energy, start);
            }
            jelly_run(&j, 200);
        }
        jelly_free(&j);
    }
}

// All that lasts from step to step is in nodes and the bytes of model and integrator.
static void test_state_carries_over_to_fresh_ones(void **state)
{
    (void)state;
    for (int k = 0; k < PLAIN * FORCE_MODELS; ++k) {
        jelly old, fresh;
        jelly_make(&old, force_models[k / PLAIN], plain[k % PLAIN], 1.0e-3f);
        jelly_make(&fresh, force_models[k / PLAIN], plain[k % PLAIN], 1.0e-3f);
        rig_spin(&old.rig, sn_v(0.0f, 0.0f, 0.0f), sn_v(0.0f, 5.0f, 3.0f));
        rig_shake(&old.rig, 0.01f, 13);
        jelly_run(&old, 20);
        size_t count = (size_t)old.rig.count, size = 0;
        memcpy(rig_nodes(&fresh.rig), rig_nodes(&old.rig), count * sizeof *rig_nodes(&old.rig));
        memcpy(rig_velocities(&fresh.rig), rig_velocities(&old.rig),
               count * sizeof *rig_velocities(&old.rig));
        if (old.rig.kind->state != NULL) {
            const void *bytes = old.rig.kind->state(old.rig.model, &size);
            memcpy(fresh.rig.kind->state(fresh.rig.model, &size), bytes, size);
        }
        assert_int_equal(old.it->memory_size, fresh.it->memory_size);
        assert_true((old.it->remembered != NULL) == (plain[k % PLAIN] == SN_INTEGRATOR_VERLET));
        if (old.it->memory_size > 0) {
            memcpy(fresh.it->memory, old.it->memory, old.it->memory_size);
        }
        jelly_run(&old, 20);
        jelly_run(&fresh, 20);
        assert_memory_equal(rig_nodes(&fresh.rig), rig_nodes(&old.rig), count * sizeof *rig_nodes(&old.rig));
        jelly_free(&old);
        jelly_free(&fresh);
    }
}

// 729 nodes are enough for every loop to be cut into pieces.
static void test_threads_do_not_change_a_bit(void **state)
{
    (void)state;
    for (int k = 0; k < PLAIN * FORCE_MODELS; ++k) {
        jelly jellies[2];
        for (int t = 0; t < 2; ++t) {
            jelly_make_of(&jellies[t], 8, force_models[k / PLAIN], plain[k % PLAIN], 1.0e-3f);
            rig_shake(&jellies[t].rig, 0.005f, 17);
        }
        sn_tasks_destroy(jellies[1].rig.tasks);
        jellies[1].rig.tasks = sn_tasks_create(3, NULL);
        assert_non_null(jellies[1].rig.tasks);
        jelly_run(&jellies[0], 3);
        jelly_run(&jellies[1], 3);
        assert_memory_equal(rig_nodes(&jellies[0].rig), rig_nodes(&jellies[1].rig),
                            (size_t)jellies[0].rig.count * sizeof(sn_node_state));
        jelly_free(&jellies[0]);
        jelly_free(&jellies[1]);
    }
}

static void test_sub_steps_allocate_nothing(void **state)
{
    (void)state;
    for (int k = 0; k < PLAIN * FORCE_MODELS; ++k) {
        jelly j;
        jelly_make(&j, force_models[k / PLAIN], plain[k % PLAIN], 1.0e-3f);
        rig_shake(&j.rig, 0.01f, 3);
        test_memory_allow(0);
        jelly_run(&j, 3);
        test_memory_allow_all();
        jelly_free(&j);
    }
}

// Implicit Euler bears a stiffness a million times what the others do.
static void test_implicit_euler_bears_any_stiffness(void **state)
{
    (void)state;
    for (int m = 0; m < FORCE_MODELS; ++m) {
        jelly j;
        sn_model model = force_models[m];
        model.stiffness *= 1.0e4f;
        model.young *= 1.0e4f;
        model.area_stiffness *= 1.0e4f;
        model.volume_stiffness *= 1.0e4f;
        jelly_make(&j, model, SN_INTEGRATOR_IMPLICIT_EULER, 5.0e-3f);
        rig_shake(&j.rig, 0.005f, 19);
        double before = j.rig.kind->energy(j.rig.model, rig_nodes(&j.rig));
        jelly_run(&j, 200);
        double after = j.rig.kind->energy(j.rig.model, rig_nodes(&j.rig)) + rig_measure(&j.rig).energy;
        if (!(after < 0.01 * before)) {
            fail_msg("model %d: energy %g, of %g", m, after, before);
        }
        jelly_free(&j);
    }
}

// Far beyond what they bear: no hang, nothing undefined.
static void test_explosions_do_no_harm(void **state)
{
    (void)state;
    for (int k = 0; k < PLAIN * FORCE_MODELS; ++k) {
        jelly j;
        jelly_make(&j, force_models[k / PLAIN], plain[k % PLAIN], 1.0f);
        rig_shake(&j.rig, 0.1f, 23);
        jelly_run(&j, 20);
        rig_nodes(&j.rig)[5].position.x = NAN;
        rig_velocities(&j.rig)[6].velocity.y = INFINITY;
        jelly_run(&j, 3);
        jelly_free(&j);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_every_integrator_has_a_kind),
        test_with_memory(test_order_on_a_kepler_orbit),
        test_with_memory(test_evaluations_of_forces),
        test_with_memory(test_c_and_d_are_true),
        test_with_memory(test_fixed_nodes_keep_their_velocity),
        test_with_memory(test_edited_nodes_are_seen),
        test_with_memory(test_blows_change_velocity_and_way_alike),
        test_with_memory(test_creation_without_memory_fails_and_leaks_nothing),
        test_with_memory(test_momentum_of_a_free_jelly_is_kept_for_10000_steps),
        test_with_memory(test_angular_momentum_of_a_spinning_jelly_is_kept),
        test_with_memory(test_verlet_keeps_the_energy_of_a_jelly),
        test_with_memory(test_state_carries_over_to_fresh_ones),
        test_with_memory(test_threads_do_not_change_a_bit),
        test_with_memory(test_sub_steps_allocate_nothing),
        test_with_memory(test_implicit_euler_bears_any_stiffness),
        test_with_memory(test_explosions_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
