// How fast the integrators' errors fall with the step, and what they do to energy: measured through the world
// with one sub-step a step.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/soft_touch.h"

static const char *const names[SN_INTEGRATOR_COUNT] = {"Euler-Cromer", "explicit Euler", "midpoint",
                                                       "Heun",         "Verlet",         "implicit Euler"};
static const int orders[SN_INTEGRATOR_COUNT] = {1, 1, 2, 2, 2, 1};

// A spring of 1 m and 1 N/m from a fixed node at the origin to one of 1 kg: ω = 1/s.
typedef struct orbit_def {
    sn_integrator integrator;
    sn_vec3 position, velocity;
    float damping;        // of the spring [N s/m]
    float linear_damping; // [1/s]
} orbit_def;

typedef struct orbit {
    sn_world *world;
    sn_deformable spring;
} orbit;

static orbit open_orbit(const orbit_def *def)
{
    const float masses[2] = {0.0f, 1.0f};
    orbit orbit;
    sn_mesh *mesh = NULL;
    sn_world_def settings = sn_world_def_default();
    settings.gravity = sn_v(0.0f, 0.0f, 0.0f);
    settings.sleep = false;
    settings.sub_steps = 1;
    must(sn_world_create(&settings, &orbit.world));
    must(sn_mesh_line(1.0f, 1, &mesh));
    sn_deformable_def spring = sn_deformable_def_default();
    spring.mesh = mesh;
    spring.node_masses = masses;
    spring.collide = false;
    spring.model = (sn_model){.type = SN_MODEL_SPRING_FORCES, .stiffness = 1.0f, .damping = def->damping};
    spring.linear_damping = def->linear_damping;
    spring.integrator = def->integrator;
    orbit.spring = touch_add(orbit.world, &spring);
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    must(sn_deformable_edit(orbit.world, orbit.spring, &nodes, &velocities));
    nodes[0].position = sn_v(0.0f, 0.0f, 0.0f);
    nodes[1].position = def->position;
    velocities[1].velocity = def->velocity;
    return orbit;
}

// Position and velocity in the plane.
static void orbit_state(const orbit *orbit, double state[4])
{
    sn_vec3 x = sn_deformable_nodes(orbit->world, orbit->spring)[1].position;
    sn_vec3 v = sn_deformable_velocities(orbit->world, orbit->spring)[1].velocity;
    state[0] = (double)x.x;
    state[1] = (double)x.y;
    state[2] = (double)v.x;
    state[3] = (double)v.y;
}

static void true_rate(const double *state, double *rate, const void *user)
{
    const orbit_def *def = user;
    double length = hypot(state[0], state[1]);
    double along = (state[0] * state[2] + state[1] * state[3]) / length;
    double pull = (length - 1.0 + (double)def->damping * along) / length;
    for (int k = 0; k < 2; ++k) {
        rate[k] = state[2 + k];
        rate[2 + k] = -pull * state[k] - (double)def->linear_damping * state[2 + k];
    }
}

// How far off place and velocity are after five seconds in so many steps.
static double error_after(const orbit_def *def, int steps)
{
    orbit orbit = open_orbit(def);
    double expected[4], actual[4], square = 0.0;
    float h = 5.0f / (float)steps;
    orbit_state(&orbit, expected);
    for (int i = 0; i < steps; ++i) {
        must(sn_world_step(orbit.world, h));
    }
    orbit_state(&orbit, actual);
    sn_world_destroy(orbit.world);
    for (int i = 0; i < 5000; ++i) {
        physics_runge_kutta(true_rate, def, expected, 4, (double)h * steps / 5000.0);
    }
    for (int k = 0; k < 4; ++k) {
        square += (actual[k] - expected[k]) * (actual[k] - expected[k]);
    }
    return sqrt(square);
}

// Steps small enough for the order to show, large enough for rounding not to.
static void check_order(orbit_def def, int order, const char *what)
{
    int steps = order == 1 ? 400 : 100;
    double coarse = error_after(&def, steps), fine = error_after(&def, 2 * steps);
    check_near(log(coarse / fine) / log(2.0), order, 0.1, "%s by %s: order, with errors of %.1e and %.1e",
               what, names[def.integrator], coarse, fine);
}

static void test_order_on_a_linear_oscillator(void **state)
{
    (void)state;
    for (int k = 0; k < SN_INTEGRATOR_COUNT; ++k) {
        check_order((orbit_def){.integrator = (sn_integrator)k, .position = {1.2f, 0.0f, 0.0f}}, orders[k],
                    "oscillator");
    }
}

// A central force that is not linear, on a path that is neither straight nor a circle.
static void test_order_on_an_orbit(void **state)
{
    (void)state;
    for (int k = 0; k < SN_INTEGRATOR_COUNT; ++k) {
        check_order((orbit_def){.integrator = (sn_integrator)k,
                                .position = {1.3f, 0.0f, 0.0f},
                                .velocity = {0.1f, 0.8f, 0.0f}},
                    orders[k], "orbit");
    }
}

static void test_order_with_linear_damping(void **state)
{
    (void)state;
    for (int k = 0; k < SN_INTEGRATOR_COUNT; ++k) {
        check_order((orbit_def){.integrator = (sn_integrator)k,
                                .position = {1.3f, 0.0f, 0.0f},
                                .velocity = {0.0f, 0.8f, 0.0f},
                                .linear_damping = 0.7f},
                    orders[k], "orbit in a syrup");
    }
}

// Verlet's damping lags behind by half a step.
static void test_order_with_a_damped_spring(void **state)
{
    (void)state;
    for (int k = 0; k < SN_INTEGRATOR_COUNT; ++k) {
        check_order((orbit_def){.integrator = (sn_integrator)k,
                                .position = {1.3f, 0.0f, 0.0f},
                                .velocity = {0.0f, 0.8f, 0.0f},
                                .damping = 0.5f},
                    k == SN_INTEGRATOR_VERLET ? 1 : orders[k], "damped orbit");
    }
}

// --- energy ------------------------------------------------------------------------------------------------

static double energy_of(const orbit *orbit)
{
    double state[4];
    orbit_state(orbit, state);
    double stretch = hypot(state[0], state[1]) - 1.0;
    return 0.5 * (state[2] * state[2] + state[3] * state[3]) + 0.5 * stretch * stretch;
}

// What a step of the oscillator makes of the energy, by theory, on average. Explicit Euler would give 1 + z²,
// midpoint and Heun 1 + z⁴/4, were it not for the damping that is added: z² of the former, of the latter z⁴/4
// by a bound of z² that is twice as much here.
static double energy_factor(sn_integrator integrator, double z)
{
    switch (integrator) {
    case SN_INTEGRATOR_MIDPOINT:
    case SN_INTEGRATOR_HEUN:
        return 1.0 - z * z * z * z / 4.0;
    case SN_INTEGRATOR_IMPLICIT_EULER:
        return 1.0 / (1.0 + z * z);
    default:
        return 1.0;
    }
}

static void test_energy_of_an_oscillator_goes_as_theory_says(void **state)
{
    (void)state;
    const float h = 0.2f;
    for (int k = 0; k < SN_INTEGRATOR_COUNT; ++k) {
        orbit orbit =
            open_orbit(&(orbit_def){.integrator = (sn_integrator)k, .position = {1.02f, 0.0f, 0.0f}});
        double before = 0.0, after = 0.0;
        int steps = k == SN_INTEGRATOR_EXPLICIT_EULER || k == SN_INTEGRATOR_IMPLICIT_EULER ? 50 : 1000;
        // Averages over two periods, for energies of symplectic schemes waver.
        for (int i = 0; i < steps + 63; ++i) {
            before += i < 63 ? energy_of(&orbit) / 63.0 : 0.0;
            after += i >= steps ? energy_of(&orbit) / 63.0 : 0.0;
            must(sn_world_step(orbit.world, h));
        }
        double expected = pow(energy_factor((sn_integrator)k, (double)h), steps);
        check_relative(after / before, expected, 0.02, "%s: energy after %d steps over that before", names[k],
                       steps);
        sn_world_destroy(orbit.world);
    }
}

static void test_verlet_keeps_the_energy_of_an_orbit_for_100000_steps(void **state)
{
    (void)state;
    orbit orbit = open_orbit(&(orbit_def){
        .integrator = SN_INTEGRATOR_VERLET, .position = {1.3f, 0.0f, 0.0f}, .velocity = {0.1f, 0.8f, 0.0f}});
    double start = energy_of(&orbit), lowest = start, highest = start;
    for (int i = 0; i < 100000; ++i) {
        must(sn_world_step(orbit.world, 0.05f));
        lowest = fmin(lowest, energy_of(&orbit));
        highest = fmax(highest, energy_of(&orbit));
    }
    check_above(lowest / start, 0.999, "lowest energy over that of the start");
    check_below(highest / start, 1.001, "highest energy over that of the start");
    sn_world_destroy(orbit.world);
}

// --- free fall ---------------------------------------------------------------------------------------------

// x = x₀ + v t + ½ g t (t + s h): s is −1 where forces move nothing in their own sub-step, 1 where they act
// all through it, 0 where the parabola is exact.
static void test_free_fall_is_exact(void **state)
{
    (void)state;
    const double lead[SN_INTEGRATOR_COUNT] = {1.0, -1.0, 0.0, 0.0, 0.0, 1.0};
    const sn_model_type types[] = {SN_MODEL_NONE, SN_MODEL_SPRING_FORCES, SN_MODEL_COROTATIONAL_EXPLICIT,
                                   SN_MODEL_ENERGY};
    for (int k = 0; k < 4 * SN_INTEGRATOR_COUNT; ++k) {
        sn_integrator integrator = (sn_integrator)(k % SN_INTEGRATOR_COUNT);
        sn_world_def settings = sn_world_def_default();
        settings.sub_steps = 4;
        settings.gravity = sn_v(0.0f, -8.0f, 0.0f);
        sn_world *world = NULL;
        must(sn_world_create(&settings, &world));
        sn_deformable_def def =
            touch_block_def(sn_v(0.25f, 0.25f, 0.25f), 2, 8.0f, 1.0e4f, physics_at(0.0f, 0.0f, 0.0f));
        def.model = (sn_model){.type = types[k / SN_INTEGRATOR_COUNT],
                               .stiffness = 1.0f, // within what every scheme bears
                               .young = 1.0e3f,
                               .volume_stiffness = 0.1f};
        def.integrator = integrator;
        def.linear_velocity = sn_v(1.0f, 2.0f, 0.0f);
        sn_deformable block = touch_add(world, &def);
        sn_vec3 start = sn_deformable_nodes(world, block)[3].position;
        const float step = 1.0f / 64.0f;
        const double h = 1.0 / 256.0;
        for (int i = 0; i < 128; ++i) {
            must(sn_world_step(world, step));
        }
        sn_vec3 end = sn_deformable_nodes(world, block)[3].position;
        sn_vec3 speed = sn_deformable_velocities(world, block)[3].velocity;
        check_near((double)(end.y - start.y), 4.0 - 4.0 * 2.0 * (2.0 + lead[integrator] * h), 2.0e-5,
                   "model %d by %s: fallen [m]", types[k / SN_INTEGRATOR_COUNT], names[integrator]);
        check_near((double)speed.y, 2.0 - 16.0, 2.0e-5, "model %d by %s: speed [m/s]",
                   types[k / SN_INTEGRATOR_COUNT], names[integrator]);
        sn_world_destroy(world);
    }
}

// g/c while c h is small; of that size, and steady, when it is 1.
static void test_terminal_speed_under_linear_damping(void **state)
{
    (void)state;
    const float dampings[] = {1.0f, 1000.0f};
    for (int k = 1; k < 2 * SN_INTEGRATOR_COUNT; ++k) {
        sn_integrator integrator = (sn_integrator)(k % SN_INTEGRATOR_COUNT);
        if (integrator == SN_INTEGRATOR_EULER_CROMER) {
            continue;
        }
        float damping = dampings[k / SN_INTEGRATOR_COUNT];
        sn_world *world = physics_world();
        sn_deformable_def def =
            touch_block_def(sn_v(0.2f, 0.2f, 0.2f), 2, 8.0f, 1.0e4f, physics_at(0.0f, 0.0f, 0.0f));
        def.model = (sn_model){.type = SN_MODEL_NONE};
        def.integrator = integrator;
        def.linear_damping = damping;
        sn_deformable block = touch_add(world, &def);
        physics_run(world, 1.0f / 60.0f, 12.0f);
        float before = sn_deformable_nodes(world, block)[3].position.y;
        physics_run(world, 1.0f / 60.0f, 1.0f);
        float after = sn_deformable_nodes(world, block)[3].position.y;
        check_relative((double)(before - after), 9.81 / (double)damping, damping > 1.0f ? 0.7 : 2.0e-3,
                       "%s with damping of %g/s [m/s]", names[integrator], (double)damping);
        sn_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_order_on_a_linear_oscillator),
        physics_test(test_order_on_an_orbit),
        physics_test(test_order_with_linear_damping),
        physics_test(test_order_with_a_damped_spring),
        physics_test(test_energy_of_an_oscillator_goes_as_theory_says),
        physics_test(test_verlet_keeps_the_energy_of_an_orbit_for_100000_steps),
        physics_test(test_free_fall_is_exact),
        physics_test(test_terminal_speed_under_linear_damping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
