// Linear elasticity against closed forms.
#include "apps/figures/linear_elasticity.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

// Mean displacement along y of the nodes of the end at x = length, of a box held at the other end.
static double end_displacement(int cells, double poisson, const double gravity[3], int axis)
{
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_box(sn_v(1.0f, 0.2f, 0.2f), 5 * cells, cells, cells, &mesh), SN_OK);
    int count = sn_mesh_node_count(mesh), ends = 0;
    bool *fixed = calloc((size_t)count, sizeof *fixed);
    double *u = calloc(3 * (size_t)count, sizeof *u), sum = 0.0;
    for (int i = 0; i < count; ++i) {
        fixed[i] = sn_mesh_nodes(mesh)[i].x < -0.499f;
    }
    linear_problem problem = {mesh, fixed, 1e6, poisson, 1000.0, {gravity[0], gravity[1], gravity[2]}};
    assert_true(linear_elasticity_solve(&problem, u));
    for (int i = 0; i < count; ++i) {
        if (sn_mesh_nodes(mesh)[i].x > 0.499f) {
            sum += u[3 * i + axis];
            ++ends;
        }
        if (fixed[i]) {
            assert_true(u[3 * i] == 0.0 && u[3 * i + 1] == 0.0 && u[3 * i + 2] == 0.0);
        }
    }
    free(fixed);
    free(u);
    sn_mesh_destroy(mesh);
    return sum / ends;
}

static void test_a_column_stretches_by_its_own_weight(void **state)
{
    (void)state;
    double expected = 1000.0 * 9.81 / (2.0 * 1e6); // ρ g L² / 2E
    double stretch = end_displacement(2, 0.0, (const double[3]){9.81, 0.0, 0.0}, 0);
    assert_true(fabs(stretch / expected - 1.0) < 0.01);
}

static void test_finer_beams_come_nearer_to_theory(void **state)
{
    (void)state;
    double expected = -1000.0 * 12.0 / (8.0 * 1e6 * 0.04); // ρ g L⁴ A / 8EI with g = 1
    double coarse = end_displacement(1, 0.3, (const double[3]){0.0, -1.0, 0.0}, 1) / expected;
    double fine = end_displacement(3, 0.3, (const double[3]){0.0, -1.0, 0.0}, 1) / expected;
    assert_true(coarse > 0.2 && coarse < fine && fine > 0.75 && fine < 1.05);
}

static void test_no_weight_moves_nothing(void **state)
{
    (void)state;
    assert_true(end_displacement(1, 0.3, (const double[3]){0.0, 0.0, 0.0}, 1) == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_column_stretches_by_its_own_weight),
        cmocka_unit_test(test_finer_beams_come_nearer_to_theory),
        cmocka_unit_test(test_no_weight_moves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
