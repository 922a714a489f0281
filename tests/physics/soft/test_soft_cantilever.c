// A beam of finite elements, clamped at one end. Its static shape under weight is that of linear elasticity
// on the same mesh, for every kind of elements; so is its lowest frequency. Refined, beams approach what
// Euler and Bernoulli say, from the stiff side: linear tetrahedra lock, which is reported and not tuned away.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/linear_elastic.h"
#include "support/physics.h"
#include <stdio.h>

// As stiff as rows of 0.1 m can be held by default (SN_STIFFEST).
static const float young = 3.0e5f;
static const float length = 0.8f, width = 0.2f, density = 1000.0f;

typedef struct variant {
    const char *name;
    sn_model_type type;
} variant;

static const variant variants[] = {{"corotational rows", SN_MODEL_COROTATIONAL},
                                   {"explicit", SN_MODEL_COROTATIONAL_EXPLICIT},
                                   {"implicit", SN_MODEL_COROTATIONAL_IMPLICIT},
                                   {"neo-Hookean rows", SN_MODEL_NEO_HOOKEAN}};
enum { VARIANTS = sizeof variants / sizeof *variants, MOST_NODES = 600 };

// A beam along x with its end at −x clamped.
typedef struct beam {
    sn_world *world;
    sn_mesh *mesh;
    sn_deformable id;
    bool fixed[MOST_NODES];
    int node_count;
} beam;

static beam make_beam(sn_model model, int cells, int wide)
{
    beam b = {.world = physics_world_without_gravity()};
    must(sn_mesh_box(sn_v(length, width, width), cells, wide, wide, &b.mesh));
    b.node_count = sn_mesh_node_count(b.mesh);
    assert_true(b.node_count <= MOST_NODES);
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = b.mesh;
    def.model = model;
    def.density = density;
    def.collide = false;
    must(sn_deformable_add(b.world, &def, &b.id));
    for (int i = 0; i < b.node_count; ++i) {
        b.fixed[i] = sn_mesh_nodes(b.mesh)[i].x < -0.499f * length;
        if (b.fixed[i]) {
            must(sn_node_fix(b.world, b.id, i, true));
        }
    }
    return b;
}

static linear_elastic linear_of(const beam *b, sn_model model)
{
    return linear_make(b->mesh, (double)model.young, (double)model.poisson, (double)density, b->fixed);
}

static void free_beam(beam *b)
{
    sn_mesh_destroy(b->mesh);
    sn_world_destroy(b->world);
}

// Largest difference of displacements from those of the oracle, over the largest of the oracle's.
static double difference(const beam *b, const double *linear)
{
    const sn_node_state *nodes = sn_deformable_nodes(b->world, b->id);
    double worst = 0.0, largest = 0.0;
    for (int i = 0; i < b->node_count; ++i) {
        sn_vec3 u = sn_sub(nodes[i].position, sn_mesh_nodes(b->mesh)[i]);
        double x = (double)u.x - linear[3 * i], y = (double)u.y - linear[3 * i + 1];
        double z = (double)u.z - linear[3 * i + 2];
        worst = fmax(worst, sqrt(x * x + y * y + z * z));
        largest = fmax(largest, fabs(linear[3 * i + 1]));
    }
    return worst / largest;
}

static double mean_end(const beam *b)
{
    const sn_node_state *nodes = sn_deformable_nodes(b->world, b->id);
    double sum = 0.0, count = 0.0;
    for (int i = 0; i < b->node_count; ++i) {
        if (sn_mesh_nodes(b->mesh)[i].x > 0.499f * length) {
            sum += (double)(nodes[i].position.y - sn_mesh_nodes(b->mesh)[i].y);
            count += 1.0;
        }
    }
    return sum / count;
}

static void linear_weight(const linear_elastic *linear, double gravity, double *forces)
{
    for (int i = 0; i < linear->node_count; ++i) {
        forces[3 * i] = forces[3 * i + 2] = 0.0;
        forces[3 * i + 1] = -gravity * linear->masses[i];
    }
}

static sn_model model_of(sn_model_type type, float young, float poisson, float damping)
{
    sn_model model = sn_model_corotational(young, poisson);
    model.type = type;
    model.damping = damping;
    return model;
}

// --- static shape and frequency ----------------------------------------------------------------------------

static void check_weight(const variant *v, float poisson)
{
    const float gravity = 0.06f;
    sn_model model = model_of(v->type, young, poisson, 0.2f);
    beam b = make_beam(model, 8, 2);
    linear_elastic linear = linear_of(&b, model);
    static double forces[3 * MOST_NODES], u[3 * MOST_NODES];
    linear_weight(&linear, (double)gravity, forces);
    linear_solve(&linear, forces, u);
    must(sn_world_gravity_set(b.world, sn_v(0.0f, -gravity, 0.0f)));
    // Neo-Hookean rows cannot hold as much damping.
    physics_run(b.world, physics_steps[0], v->type == SN_MODEL_NEO_HOOKEAN ? 5.0f : 2.0f);
    check_below(difference(&b, u), 0.01, "%s, nu %g: shape under its weight, off the linear one", v->name,
                (double)poisson);
    linear_free(&linear);
    free_beam(&b);
}

static void test_static_shape_is_that_of_linear_elasticity(void **state)
{
    (void)state;
    for (int i = 0; i < VARIANTS; ++i) {
        check_weight(&variants[i], 0.3f);
        check_weight(&variants[i], 0.45f);
    }
}

static void check_frequency(const variant *v)
{
    sn_model model = model_of(v->type, young, 0.3f, 0.0f);
    beam b = make_beam(model, 8, 2);
    linear_elastic linear = linear_of(&b, model);
    static double forces[3 * MOST_NODES], u[3 * MOST_NODES];
    linear_weight(&linear, 0.06, forces);
    linear_solve(&linear, forces, u);
    sn_node_state *nodes = NULL;
    sn_node_velocity *velocities = NULL;
    must(sn_deformable_edit(b.world, b.id, &nodes, &velocities));
    for (int i = 0; i < b.node_count; ++i) {
        sn_vec3 moved = {(float)u[3 * i], (float)u[3 * i + 1], (float)u[3 * i + 2]};
        nodes[i].position = sn_add(nodes[i].position, moved);
    }
    double expected = linear_frequency(&linear, u);
    physics_crossings crossings = {0};
    for (int i = 0; i < (int)(3.0f / physics_steps[0]); ++i) {
        must(sn_world_step(b.world, physics_steps[0]));
        physics_look(&crossings, (double)physics_steps[0] * (i + 1), mean_end(&b));
    }
    check_relative(1.0 / physics_period(&crossings), expected, 0.05, "%s: first frequency", v->name);
    linear_free(&linear);
    free_beam(&b);
}

static void test_first_frequency_is_that_of_linear_elasticity(void **state)
{
    (void)state;
    for (int i = 0; i < VARIANTS; ++i) {
        check_frequency(&variants[i]);
    }
}

// --- refinement --------------------------------------------------------------------------------------------

// The end's deflection over that of Euler and Bernoulli: by a force at the end F L³/3EI, by weight ρAgL⁴/8EI.
static double deflection(int wide, bool by_weight)
{
    const double load = 0.06;
    sn_model model = model_of(SN_MODEL_COROTATIONAL, young, 0.3f, 0.2f);
    beam b = make_beam(model, 4 * wide, wide);
    double area = (double)width * (double)width, moment = area * area / 12.0, l = (double)length;
    double weight = load * (double)density * area * l;
    int ends = (wide + 1) * (wide + 1);
    must(sn_world_gravity_set(b.world, sn_v(0.0f, by_weight ? (float)-load : 0.0f, 0.0f)));
    for (int i = 0; i < 150; ++i) {
        for (int n = 0; !by_weight && n < b.node_count; ++n) {
            if (sn_mesh_nodes(b.mesh)[n].x > 0.499f * length) {
                must(sn_node_force_add(b.world, b.id, n, sn_v(0.0f, (float)(-weight / ends), 0.0f)));
            }
        }
        must(sn_world_step(b.world, physics_steps[0]));
    }
    double exact = weight * l * l * l / ((by_weight ? 8.0 : 3.0) * (double)young * moment),
           end = -mean_end(&b);
    free_beam(&b);
    return end / exact;
}

static void test_refined_beams_approach_euler_and_bernoulli(void **state)
{
    (void)state;
    for (int by_weight = 0; by_weight < 2; ++by_weight) {
        const char *load = by_weight ? "rho A g L^4/8EI" : "F L^3/3EI";
        double before = 1.0;
        for (int wide = 1; wide <= 4; wide *= 2) {
            double ratio = deflection(wide, by_weight != 0), error = fabs(ratio - 1.0);
            printf("    %d x %d x %d cells: deflection is %.3f of %s\n", 4 * wide, wide, wide, ratio, load);
            check_below(error, 0.75 * before, "%d cells: distance from %s", wide, load);
            before = error;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_static_shape_is_that_of_linear_elasticity),
        physics_test(test_first_frequency_is_that_of_linear_elasticity),
        physics_test(test_refined_beams_approach_euler_and_bernoulli),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
