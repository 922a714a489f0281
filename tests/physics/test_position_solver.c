// The position solver: nonlinear projection by the velocity solver's kernels. It must agree with an XPBD that
// is written out here, obey Coulomb's law, keep momenta, and be like any other solver to the world around it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/position_rig.h"
#include "support/soft_kit.h"
#include <stdlib.h>
#include <string.h>

// --- XPBD --------------------------------------------------------------------------------------------------

enum { MOST_NODES = 400, MOST_EDGES = 1200 };

// Points and hard edges, projected one by one at the present positions, in the order of the colours that the
// library gives to edges: each takes the first that neither of its points has.
typedef struct xpbd {
    double x[MOST_NODES][3], w[MOST_NODES];
    int edges[MOST_EDGES][2], order[MOST_EDGES];
    double rest[MOST_EDGES];
    int node_count, edge_count;
} xpbd;

static void order_by_color(xpbd *p)
{
    static uint64_t used[MOST_NODES];
    static int color[MOST_EDGES];
    memset(used, 0, sizeof used);
    int next = 0;
    for (int e = 0; e < p->edge_count; ++e) {
        uint64_t taken = used[p->edges[e][0]] | used[p->edges[e][1]];
        for (color[e] = 0; taken >> color[e] & 1u; ++color[e]) {
        }
        used[p->edges[e][0]] |= 1ull << color[e];
        used[p->edges[e][1]] |= 1ull << color[e];
    }
    for (int c = 0; c < 64; ++c) {
        for (int e = 0; e < p->edge_count; ++e) {
            if (color[e] == c) {
                p->order[next++] = e;
            }
        }
    }
}

static double edge_length(const xpbd *p, int e, double along[3])
{
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        along[i] = p->x[p->edges[e][1]][i] - p->x[p->edges[e][0]][i];
        sum += along[i] * along[i];
    }
    return sqrt(sum);
}

static void project(xpbd *p, int iterations)
{
    for (int k = 0; k < iterations * p->edge_count; ++k) {
        int e = p->order[k % p->edge_count], a = p->edges[e][0], b = p->edges[e][1];
        double along[3], length = edge_length(p, e, along), kappa = p->w[a] + p->w[b];
        double push = kappa > 0.0 ? (p->rest[e] - length) / (kappa * length) : 0.0;
        for (int i = 0; i < 3; ++i) {
            p->x[a][i] -= p->w[a] * push * along[i];
            p->x[b][i] += p->w[b] * push * along[i];
        }
    }
}

static double mean_stretch(const xpbd *p)
{
    double sum = 0.0, along[3];
    for (int e = 0; e < p->edge_count; ++e) {
        sum += fabs(edge_length(p, e, along) / p->rest[e] - 1.0);
    }
    return sum / p->edge_count;
}

static void take_nodes(xpbd *p, const sn_world *world, sn_deformable id)
{
    const sn_node_state *nodes = sn_deformable_nodes(world, id);
    p->node_count = sn_deformable_node_count(world, id);
    for (int i = 0; i < p->node_count; ++i) {
        p->x[i][0] = (double)nodes[i].position.x;
        p->x[i][1] = (double)nodes[i].position.y;
        p->x[i][2] = (double)nodes[i].position.z;
        p->w[i] = (double)nodes[i].inverse_mass;
    }
}

// One step of 1/60 s from a state in motion by both; the stretch that is left must be the same.
static void check_like_xpbd(sn_mesh *mesh, float ratio, int iterations, const char *what)
{
    static xpbd mine, theirs;
    const float h = 1.0f / 60.0f;
    sn_world_def settings = position_def(1, iterations);
    sn_world *world = position_world(&settings);
    int count = sn_mesh_node_count(mesh);
    float masses[MOST_NODES];
    for (int i = 0; i < count; ++i) {
        masses[i] = i == 0 ? 0.0f : i == count - 1 ? 0.01f * ratio : 0.01f;
    }
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.0f, 0.0f));
    def.node_masses = masses;
    def.inextensible.on = true;
    sn_deformable id = soft_add(world, &def);
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    must(sn_deformable_edit(world, id, &nodes, &velocities));
    for (int i = 1; i < count; ++i) {
        velocities[i].velocity =
            sn_v(0.3f * (float)(i % 3), -1.0f * (float)i / (float)count, 2.0f * (float)(i % 2));
    }
    take_nodes(&theirs, world, id);
    const uint32_t *edges = sn_mesh_edges(mesh);
    theirs.edge_count = sn_mesh_edge_count(mesh);
    for (int e = 0; e < theirs.edge_count; ++e) {
        double along[3];
        theirs.edges[e][0] = (int)edges[2 * e];
        theirs.edges[e][1] = (int)edges[2 * e + 1];
        theirs.rest[e] = edge_length(&theirs, e, along);
    }
    order_by_color(&theirs);
    for (int i = 1; i < count; ++i) {
        sn_vec3 v = velocities[i].velocity;
        theirs.x[i][0] += (double)(h * v.x);
        theirs.x[i][1] += (double)h * ((double)v.y - 9.81 * (double)h);
        theirs.x[i][2] += (double)(h * v.z);
    }
    project(&theirs, iterations);
    must(sn_world_step(world, h));
    mine = theirs;
    take_nodes(&mine, world, id);
    check_relative(mean_stretch(&mine), mean_stretch(&theirs), 0.03, "%s, 1 : %g, %d iterations", what,
                   (double)ratio, iterations);
    sn_world_destroy(world);
}

static void test_equals_fused_xpbd_on_chains_and_cloth(void **state)
{
    (void)state;
    sn_mesh *chain = NULL, *cloth = NULL;
    must(sn_mesh_line(2.0f, 20, &chain));
    must(sn_mesh_grid(1.0f, 1.0f, 10, 10, SN_GRID_FORWARD, &cloth));
    for (float ratio = 1.0f; ratio < 200.0f; ratio *= 10.0f) {
        for (int iterations = 10; iterations <= 40; iterations *= 2) {
            check_like_xpbd(chain, ratio, iterations, "chain");
            check_like_xpbd(cloth, ratio, iterations, "cloth");
        }
    }
    sn_mesh_destroy(chain);
    sn_mesh_destroy(cloth);
}

// --- friction ----------------------------------------------------------------------------------------------

static void check_coulomb(sn_position_method method)
{
    double way, speed, lift;
    const float friction = 0.5f, border = 0.4636476f; // atan 0.5
    slope_slide(method, 0.995f * border, friction, &way, &speed, &lift);
    check_below(fabs(way), 1e-3, "%s: way in a second, half a percent below the angle of friction",
                net_names[method]);
    slope_slide(method, 1.005f * border, friction, &way, &speed, &lift);
    check_above(way, 2e-3, "%s: way in a second, half a percent above it", net_names[method]);
    for (float angle = 0.55f; angle < 1.1f; angle += 0.25f) {
        slope_slide(method, angle, friction, &way, &speed, &lift);
        double expected = 9.81 * (sin((double)angle) - (double)friction * cos((double)angle));
        check_relative(speed, expected, 0.005, "%s: acceleration at %g rad", net_names[method],
                       (double)angle);
        check_below(lift, 1e-4, "%s: lift-off while sliding at %g rad", net_names[method], (double)angle);
        slope_slide_soft(method, angle, friction, &speed, &lift);
        check_relative(speed, expected, 0.005, "%s: acceleration of a soft block at %g rad",
                       net_names[method], (double)angle);
        check_below(lift, 1e-4, "%s: its lift-off at %g rad", net_names[method], (double)angle);
    }
}

static void test_blocks_stick_or_slide_by_coulombs_law_by_every_method(void **state)
{
    (void)state;
    for (int m = 0; m < NET_METHODS; ++m) {
        check_coulomb((sn_position_method)m);
    }
}

// --- momentum ----------------------------------------------------------------------------------------------

static void test_free_systems_keep_their_momentum(void **state)
{
    (void)state;
    sn_world_def def = position_def(8, 4);
    check_below(free_system_drift(&def).linear, 1e-5, "momentum");
}

// --- like any other solver ---------------------------------------------------------------------------------

static uint64_t hash_after(sn_position_method method, int threads, int steps, bool through_a_snapshot)
{
    sn_world_def def = position_def(0, 4);
    def.position.method = method;
    def.threads = threads;
    def.long_range = sn_long_range_auto();
    sn_world *world = free_system(&def);
    add_floor(world);
    must(sn_world_gravity_set(world, sn_v(0.0f, -9.81f, 0.0f)));
    for (int i = 0; i < steps; ++i) {
        if (through_a_snapshot && i == steps / 2) {
            size_t size = 0;
            must(sn_world_save(world, NULL, 0, &size));
            void *buffer = malloc(size);
            must(sn_world_save(world, buffer, size, &size));
            must(sn_world_restore(world, buffer, size));
            free(buffer);
        }
        must(sn_world_step(world, 1.0f / 60.0f));
    }
    uint64_t hash = sn_world_hash(world);
    sn_world_destroy(world);
    return hash;
}

static void test_threads_and_snapshots_change_nothing(void **state)
{
    (void)state;
    for (int m = 0; m < NET_METHODS; ++m) {
        sn_position_method method = (sn_position_method)m;
        uint64_t hash = hash_after(method, 1, 40, false);
        assert_true(hash == hash_after(method, 2, 40, false));
        assert_true(hash == hash_after(method, 1, 40, true));
    }
}

static void test_unknown_methods_are_refused(void **state)
{
    (void)state;
    sn_world *world = NULL;
    sn_world_def def = position_def(0, 4);
    def.position.method = (sn_position_method)NET_METHODS;
    assert_int_equal(sn_world_create(&def, &world), SN_ERROR_RANGE);
    assert_null(world);
}

static void test_the_solver_may_change_while_running(void **state)
{
    (void)state;
    sn_world_def def = position_def(0, 4);
    sn_world *world = position_world(&def);
    add_floor(world);
    for (int i = 0; i < 6; ++i) {
        add_box_at(world, 0.1f, 0.0f, 0.1f + 0.2f * (float)i, 0.0f);
    }
    for (int i = 0; i < 120; ++i) {
        def.solver = i % 2 == 0 ? SN_SOLVER_POSITION : SN_SOLVER_VELOCITY;
        must(sn_world_settings_set(world, &def));
        must(sn_world_step(world, 1.0f / 60.0f));
    }
    check_below(sn_world_energy(world).kinetic, 1e-3, "kinetic energy of a stack, solvers in turn");
    sn_world_destroy(world);
}

static void test_stiffness_that_is_not_resolved_is_reported(void **state)
{
    (void)state;
    for (int solver = 0; solver < 2; ++solver) {
        for (int stiff = 0; stiff < 2; ++stiff) {
            sn_world_def def = position_def(8, 4);
            def.solver = solver == 0 ? SN_SOLVER_VELOCITY : SN_SOLVER_POSITION;
            sn_world *world = position_world(&def);
            soft_jelly(world, 2, sn_v(0.0f, 0.0f, 0.0f), stiff ? 1.0e9f : 1.0e4f);
            must(sn_world_step(world, 1.0f / 60.0f));
            int count = sn_world_statistics(world).unresolved_count;
            assert_true(stiff ? count > 0 : count == 0);
            sn_world_destroy(world);
        }
    }
}

// A cover of hard edges that is blown up harder than so many sub-steps bear.
static void test_pressure_that_is_limited_is_reported(void **state)
{
    (void)state;
    for (int solver = 0; solver < 2; ++solver) {
        for (int hard = 0; hard < 2; ++hard) {
            sn_world_def def = position_def(8, 4);
            def.solver = solver == 0 ? SN_SOLVER_VELOCITY : SN_SOLVER_POSITION;
            sn_world *world = position_world(&def);
            sn_mesh *mesh = NULL;
            must(sn_mesh_sphere_surface(0.3f, 4, &mesh));
            sn_deformable_def soft = soft_def(mesh, sn_v(0.0f, 0.0f, 0.0f));
            soft.mass = 0.5f;
            soft.inextensible.on = true;
            soft.enclosure.pressure = hard ? 1.0e6f : 10.0f;
            soft_add(world, &soft);
            sn_mesh_destroy(mesh);
            must(sn_world_step(world, 1.0f / 60.0f));
            assert_int_equal(sn_world_statistics(world).unresolved_count, hard);
            sn_world_destroy(world);
        }
    }
}

static void test_monitors_see_iterations_converge(void **state)
{
    (void)state;
    sn_world_def def = position_def(2, 30);
    def.position.monitor = true;
    sn_world *world = free_system(&def);
    must(sn_world_step(world, 1.0f / 60.0f));
    sn_residual residuals[30];
    assert_int_equal(sn_world_residuals(world, NULL, 0), 30);
    assert_int_equal(sn_world_residuals(world, residuals, 30), 30);
    check_below((double)residuals[29].dual, 0.05 * (double)residuals[0].dual,
                "dual error of the last iteration");
    check_below((double)residuals[29].primal, 0.6 * (double)residuals[0].primal, "primal error of it");
    assert_true(sn_world_statistics(world).dual_error == residuals[29].dual);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_equals_fused_xpbd_on_chains_and_cloth),
        physics_test(test_blocks_stick_or_slide_by_coulombs_law_by_every_method),
        physics_test(test_free_systems_keep_their_momentum),
        physics_test(test_threads_and_snapshots_change_nothing),
        physics_test(test_unknown_methods_are_refused),
        physics_test(test_the_solver_may_change_while_running),
        physics_test(test_stiffness_that_is_not_resolved_is_reported),
        physics_test(test_pressure_that_is_limited_is_reported),
        physics_test(test_monitors_see_iterations_converge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
