// The accelerated Jacobi method of the position solver against Gauss–Seidel, on the net of methods D.6: 14 ×
// 14 nodes, hard edges along and across in directions that are nearly random, the top row held. The motion of
// the one step is so small that directions are frozen.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/soft_kit.h"
#include <math.h>

enum { SIDE = 14, NODES = SIDE * SIDE, EDGES = 2 * SIDE * (SIDE - 1) };

static sn_mesh *make_net(float disorder)
{
    static sn_vec3 nodes[NODES];
    static uint32_t edges[2 * EDGES];
    test_random random = {7};
    int count = 0;
    for (int i = 0; i < NODES; ++i) {
        sn_vec3 place = sn_v((float)(i % SIDE), -(float)(i / SIDE), 0.0f);
        nodes[i] = sn_add(place, test_random_vec3(&random, disorder));
    }
    for (int i = 0; i < NODES; ++i) {
        if (i % SIDE + 1 < SIDE) {
            edges[2 * count] = (uint32_t)i, edges[2 * count++ + 1] = (uint32_t)(i + 1);
        }
        if (i + SIDE < NODES) {
            edges[2 * count] = (uint32_t)i, edges[2 * count++ + 1] = (uint32_t)(i + SIDE);
        }
    }
    sn_mesh_def def = sn_mesh_def_default();
    def.nodes = nodes;
    def.node_count = NODES;
    def.edges = edges;
    def.edge_count = count;
    sn_mesh *mesh = NULL;
    must(sn_mesh_create(&def, &mesh));
    return mesh;
}

// Displacements by one step from a small velocity downwards. Positions are small next to the unit edges, so
// the step is not smaller than they can tell.
static void step_once(const sn_mesh *mesh, sn_position_method method, int iterations, double moved[NODES][3])
{
    sn_world_def settings = sn_world_def_default();
    settings.solver = SN_SOLVER_POSITION;
    settings.gravity = sn_v(0.0f, 0.0f, 0.0f);
    settings.sub_steps = 1;
    settings.position.method = method;
    settings.position.iterations = iterations;
    settings.long_range = sn_long_range_off();
    sn_world *world = NULL;
    must(sn_world_create(&settings, &world));
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.0f, 0.0f));
    def.mass = 1.0f;
    def.inextensible.on = true;
    sn_deformable net = soft_add(world, &def);
    sn_node_state *states;
    sn_node_velocity *velocities;
    must(sn_deformable_edit(world, net, &states, &velocities));
    for (int i = 0; i < NODES; ++i) {
        velocities[i].velocity = sn_v(0.0f, i < SIDE ? 0.0f : -0.1f, 0.0f);
    }
    for (int i = 0; i < SIDE; ++i) {
        must(sn_node_fix(world, net, i, true));
    }
    must(sn_world_step(world, 1.0f / 60.0f));
    const sn_node_state *nodes = sn_deformable_nodes(world, net);
    for (int i = 0; i < NODES; ++i) {
        sn_vec3 way = sn_sub(nodes[i].position, sn_mesh_nodes(mesh)[i]);
        moved[i][0] = (double)way.x, moved[i][1] = (double)way.y, moved[i][2] = (double)way.z;
    }
    sn_world_destroy(world);
}

static double distance(double (*a)[3], double (*b)[3])
{
    double sum = 0.0;
    for (int i = 0; i < 3 * NODES; ++i) {
        double d = a[i / 3][i % 3] - (b != NULL                     ? b[i / 3][i % 3]
                                      : i / 3 >= SIDE && i % 3 == 1 ? -0.1 / 60.0
                                                                    : 0.0);
        sum += d * d;
    }
    return sqrt(sum);
}

static void test_residuals_fall_as_methods_say(void **state)
{
    (void)state;
    static double solution[NODES][3], moved[NODES][3];
    static const int counts[4] = {10, 20, 50, 100};
    static const double expected[2][4] = {{0.32, 0.16, 0.022, 0.0011}, {0.54, 0.23, 0.014, 0.00018}};
    double error[2][4];
    sn_mesh *mesh = make_net(0.4f);
    step_once(mesh, SN_POSITION_GAUSS_SEIDEL, 4000, solution);
    double whole = distance(solution, NULL);
    for (int m = 0; m < 2; ++m) {
        for (int k = 0; k < 4; ++k) {
            step_once(mesh, (sn_position_method)m, counts[k], moved);
            error[m][k] = distance(moved, solution) / whole;
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
    static double solution[NODES][3], moved[NODES][3];
    sn_mesh *mesh = make_net(0.0f);
    step_once(mesh, SN_POSITION_GAUSS_SEIDEL, 4000, solution);
    step_once(mesh, SN_POSITION_GAUSS_SEIDEL, 100, moved);
    double in_turn = distance(moved, solution);
    step_once(mesh, SN_POSITION_JACOBI_ACCELERATED, 100, moved);
    check_below(distance(moved, solution), 0.5 * in_turn,
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
