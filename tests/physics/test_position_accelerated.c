// The accelerated Jacobi method of the position solver against Gauss–Seidel, on the net of methods D.6: 14 ×
// 14 nodes, hard edges along and across in directions that are nearly random, the top row held. The motion of
// the one step is so small that directions are frozen.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/position_rig.h"

static void test_residuals_fall_as_methods_say(void **state)
{
    (void)state;
    static double solution[NET_NODES][3], moved[NET_NODES][3];
    static const int counts[4] = {10, 20, 50, 100};
    static const double expected[2][4] = {{0.32, 0.16, 0.022, 0.0011}, {0.54, 0.23, 0.014, 0.00018}};
    double error[2][4];
    sn_mesh *mesh = net_make(0.4f);
    net_step(mesh, SN_POSITION_GAUSS_SEIDEL, 4000, solution);
    double whole = net_distance(solution, NULL);
    for (int m = 0; m < 2; ++m) {
        for (int k = 0; k < 4; ++k) {
            net_step(mesh, (sn_position_method)m, counts[k], moved);
            error[m][k] = net_distance(moved, solution) / whole;
            check_below(error[m][k], 2.0 * expected[m][k] + 2e-3, "%s, error after %d iterations",
                        m == 0 ? "Gauss-Seidel" : "accelerated Jacobi", counts[k]);
        }
    }
    sn_mesh_destroy(mesh);
}

// Straight threads are what Gauss–Seidel is slowest with.
static void test_acceleration_wins_where_many_iterations_are_needed(void **state)
{
    (void)state;
    static double solution[NET_NODES][3], moved[NET_NODES][3];
    sn_mesh *mesh = net_make(0.0f);
    net_step(mesh, SN_POSITION_GAUSS_SEIDEL, 4000, solution);
    net_step(mesh, SN_POSITION_GAUSS_SEIDEL, 100, moved);
    double in_turn = net_distance(moved, solution);
    net_step(mesh, SN_POSITION_JACOBI_ACCELERATED, 100, moved);
    check_below(net_distance(moved, solution), 0.5 * in_turn,
                "accelerated error after 100, by half of the other");
    sn_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_residuals_fall_as_methods_say),
        cmocka_unit_test(test_acceleration_wins_where_many_iterations_are_needed)};
    return cmocka_run_group_tests(tests, physics_setup, physics_teardown);
}
