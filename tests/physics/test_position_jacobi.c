// Jacobi's method of the position solver, plain and accelerated, against Gauss–Seidel, on the net of methods
// D.6: 14 × 14 nodes, hard edges along and across in directions that are nearly random, the top row held. The
// motion of the one step is so small that directions are frozen.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/position_rig.h"

static void test_residuals_fall_as_methods_say(void **state)
{
    (void)state;
    double errors[NET_METHODS][NET_COUNTS];
    sn_mesh *mesh = net_make(0.4f);
    for (int m = 0; m < NET_METHODS; ++m) {
        net_errors(mesh, (sn_position_method)m, errors[m]);
        for (int k = 0; k < NET_COUNTS; ++k) {
            check_below(errors[m][k], 2.0 * net_expected[m][k], "%s, error after %d iterations", net_names[m],
                        net_counts[k]);
        }
    }
    for (int k = 2; k < NET_COUNTS; ++k) {
        check_below(errors[SN_POSITION_JACOBI_ACCELERATED][k], errors[SN_POSITION_GAUSS_SEIDEL][k],
                    "accelerated after %d, by Gauss-Seidel", net_counts[k]);
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
    const struct CMUnitTest tests[] = {physics_test(test_residuals_fall_as_methods_say),
                                       physics_test(test_acceleration_wins_where_many_iterations_are_needed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
