// Tension of finite elements: a free bar pulled at both ends stretches by σ/E and thins by ν σ/E, by explicit
// forces, by implicit Euler and by rows, from ν = 0 to nearly incompressible.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/physics.h"

static const float length = 0.4f, width = 0.1f;
enum { CELLS = 8, WIDE = 2 };

typedef struct bar {
    sn_world *world;
    sn_deformable id;
} bar;

static bar make_bar(sn_model model)
{
    bar bar = {.world = physics_world_without_gravity()};
    sn_mesh *mesh = NULL;
    must(sn_mesh_box(sn_v(length, width, width), CELLS, WIDE, WIDE, &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.model = model;
    must(sn_deformable_add(bar.world, &def, &bar.id));
    sn_mesh_destroy(mesh);
    return bar;
}

// Traction on the end faces, a third of a triangle's to each of its corners.
static void pull(bar *bar, float stress)
{
    const sn_mesh *mesh = sn_deformable_mesh(bar->world, bar->id);
    const uint32_t *triangles = sn_mesh_triangles(mesh);
    for (int i = 0; i < sn_mesh_triangle_count(mesh); ++i) {
        const uint32_t *t = triangles + 3 * (size_t)i;
        float side = 0.0f;
        for (int k = 0; k < 3; ++k) {
            side += sn_mesh_nodes(mesh)[t[k]].x;
        }
        if (sn_abs(side) < 1.4999f * length) {
            continue;
        }
        float share = (side > 0.0f ? stress : -stress) * sn_mesh_triangle_area(mesh, i) / 3.0f;
        for (int k = 0; k < 3; ++k) {
            must(sn_node_force_add(bar->world, bar->id, (int)t[k], sn_v(share, 0.0f, 0.0f)));
        }
    }
}

// Mean distance of opposite faces along an axis, over that at rest, minus one.
static double strain_along(const bar *bar, int axis)
{
    const sn_mesh *mesh = sn_deformable_mesh(bar->world, bar->id);
    const sn_node_state *nodes = sn_deformable_nodes(bar->world, bar->id);
    double sum = 0.0, rest = 0.0;
    for (int i = 0; i < sn_mesh_node_count(mesh); ++i) {
        sn_vec3 q = sn_mesh_nodes(mesh)[i], x = nodes[i].position;
        float at_rest = axis == 0 ? q.x : q.y, now = axis == 0 ? x.x : x.y;
        float end = 0.499f * (axis == 0 ? length : width);
        if (sn_abs(at_rest) > end) {
            sum += at_rest > 0.0f ? (double)now : -(double)now;
            rest += (double)sn_abs(at_rest);
        }
    }
    return sum / rest - 1.0;
}

static double check_tension(sn_model model, float step, double tolerance)
{
    const float strain = 0.005f;
    const char *name = model.type == SN_MODEL_COROTATIONAL_EXPLICIT   ? "explicit"
                       : model.type == SN_MODEL_COROTATIONAL_IMPLICIT ? "implicit"
                       : model.type == SN_MODEL_COROTATIONAL          ? "corotational rows"
                                                                      : "neo-Hookean rows";
    double young = model.young, poisson = model.poisson;
    bar bar = make_bar(model);
    for (int i = 0; i < (int)(1.0f / step); ++i) {
        pull(&bar, strain * model.young);
        must(sn_world_step(bar.world, step));
    }
    double along = strain_along(&bar, 0), across = strain_along(&bar, 1);
    check_relative(along, (double)strain, tolerance, "%s, E %g, nu %g: strain along", name, young, poisson);
    check_near(across, -poisson * (double)strain, tolerance * (double)strain,
               "%s, E %g, nu %g: strain across", name, young, poisson);
    sn_world_destroy(bar.world);
    return fabs(along - (double)strain);
}

static void check_ratios(sn_model_type type, float young)
{
    const float ratios[] = {0.0f, 0.3f, 0.45f, 0.49f};
    for (int i = 0; i < 4; ++i) {
        sn_model model = sn_model_corotational(young, ratios[i]);
        model.type = type;
        check_tension(model, 1.0f / 60.0f, 0.01);
    }
}

static void test_explicit_elements_stretch_by_stress_over_modulus(void **state)
{
    (void)state;
    check_ratios(SN_MODEL_COROTATIONAL_EXPLICIT, 1.0e5f);
}

static void test_implicit_elements_stretch_by_stress_over_modulus(void **state)
{
    (void)state;
    check_ratios(SN_MODEL_COROTATIONAL_IMPLICIT, 1.0e5f);
}

// Of a material whose bulk modulus a sub-step can hold (SN_STIFFEST) when it is nearly incompressible.
static void test_rows_stretch_by_stress_over_modulus(void **state)
{
    (void)state;
    check_ratios(SN_MODEL_COROTATIONAL, 4.0e4f);
}

static void test_neo_hookean_rows_stretch_by_stress_over_modulus(void **state)
{
    (void)state;
    check_ratios(SN_MODEL_NEO_HOOKEAN, 4.0e4f);
}

// Explicit forces are softer where the sub-step does not resolve the motion of single elements: here by up to
// 4 % at the ends.
static void test_stiff_bars_converge_with_the_step(void **state)
{
    (void)state;
    const sn_model_type types[] = {SN_MODEL_COROTATIONAL_EXPLICIT, SN_MODEL_COROTATIONAL_IMPLICIT};
    const double tolerances[2][PHYSICS_STEPS] = {{0.04, 0.001}, {0.001, 0.001}};
    for (int k = 0; k < 2; ++k) {
        sn_model model = sn_model_corotational(1.0e6f, 0.3f);
        model.type = types[k];
        double errors[PHYSICS_STEPS];
        for (int i = 0; i < PHYSICS_STEPS; ++i) {
            errors[i] = check_tension(model, physics_steps[i], tolerances[k][i]);
        }
        check_converges(errors, 1.0e-6, "strain of a stiff bar");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_explicit_elements_stretch_by_stress_over_modulus),
        physics_test(test_implicit_elements_stretch_by_stress_over_modulus),
        physics_test(test_rows_stretch_by_stress_over_modulus),
        physics_test(test_neo_hookean_rows_stretch_by_stress_over_modulus),
        physics_test(test_stiff_bars_converge_with_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
