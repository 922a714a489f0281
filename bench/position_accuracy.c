// How true the position solver is: stiffness of finite elements and cloth against what they should have,
// whatever the step, sub-steps and iterations; and how fast its iterations converge.
#include "cases.h"
#include "measure.h"
#include "support/physics.h"
#define assert_true(condition)   must((condition) ? SN_OK : SN_ERROR_MEMORY)
#define assert_non_null(pointer) must((pointer) != NULL ? SN_OK : SN_ERROR_MEMORY)
#include "support/position_beam.h"
#include "support/position_rig.h"

#include <stdio.h>

// --- a beam ------------------------------------------------------------------------------------------------

void bench_position_cantilever(bench_report *report, const char *name, const bench_options *options)
{
    static const struct {
        float young;
        int sub_steps, iterations;
    } cases[] = {{1.0e5f, 8, 4}, {1.0e6f, 8, 8}, {1.0e7f, 16, 16}, {1.0e8f, 80, 8}, {1.0e9f, 250, 8}};
    for (int i = 0; i < (options->quick ? 3 : 5); ++i) {
        bench_row row = {.name = name, .bar = "<= 0.5 %", .today = "-"};
        double start = bench_cpu_clock();
        double error =
            beam_error(bench_position_settings(cases[i].sub_steps, cases[i].iterations), cases[i].young);
        snprintf(row.what, sizeof row.what,
                 "beam of 192 tetrahedra, E = %g Pa, %d sub-steps of %d iterations", (double)cases[i].young,
                 cases[i].sub_steps, cases[i].iterations);
        snprintf(row.measured, sizeof row.measured, "sag %+.3f %% off the linear solution, %.1f s",
                 100.0 * error, 1.0e-3 * (bench_cpu_clock() - start));
        bench_row_value(&row, "error", error);
        row.verdict = fabs(error) <= 0.005 ? BENCH_PASS : BENCH_MISS;
        bench_report_add(report, &row);
    }
}

// --- the same stiffness by any settings --------------------------------------------------------------------

typedef struct pace {
    float step;
    int sub_steps, iterations;
} pace;

static const pace paces[] = {{1.0f / 60.0f, 8, 8},   {1.0f / 60.0f, 8, 32}, {1.0f / 60.0f, 32, 4},
                             {1.0f / 30.0f, 16, 16}, {1.0f / 120.0f, 4, 8}, {1.0f / 240.0f, 2, 16}};
enum { PACES = sizeof paces / sizeof *paces };

// How far the end of a beam of 1 MPa, and the rim of a cloth of springs hung by its upper rim, sink by their
// weight.
static double sunk_beam(const sn_world_def *settings, float step)
{
    position_beam b = beam_make(settings, 1.0e6f);
    must(sn_deformable_damping_set(b.world, b.id, 0.005f));
    physics_run(b.world, step, 2.0f);
    must(sn_deformable_linear_damping_set(b.world, b.id, 0.0f));
    physics_run(b.world, step, 4.0f);
    double sunk = -beam_end(&b, NULL);
    sn_mesh_destroy(b.mesh);
    sn_world_destroy(b.world);
    return sunk;
}

static double sunk_cloth(const sn_world_def *settings, float step)
{
    enum { CELLS = 12 };
    sn_world *world = NULL;
    sn_mesh *mesh = NULL;
    sn_deformable cloth;
    must(sn_world_create(settings, &world));
    must(sn_mesh_grid(1.0f, 1.0f, CELLS, CELLS, SN_GRID_ALTERNATING, &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.mass = 0.3f;
    def.inextensible.on = true;
    def.inextensible.compliance = 0.02f;
    def.inextensible.damping = 0.2f;
    def.collide = false;
    must(sn_deformable_add(world, &def, &cloth));
    for (int i = 0; i <= CELLS; ++i) {
        must(sn_node_fix(world, cloth, CELLS * (CELLS + 1) + i, true));
    }
    physics_run(world, step, 6.0f);
    double sum = 0.0;
    for (int i = 0; i <= CELLS; ++i) {
        sum += -0.5 - (double)sn_deformable_nodes(world, cloth)[i].position.y;
    }
    sn_mesh_destroy(mesh);
    sn_world_destroy(world);
    return sum / (CELLS + 1);
}

void bench_position_stiffness(bench_report *report, const char *name, const bench_options *options)
{
    static const struct {
        const char *what;
        double (*sunk)(const sn_world_def *settings, float step);
    } things[] = {{"cloth of springs", sunk_cloth}, {"beam of tetrahedra, 1 MPa", sunk_beam}};
    (void)options;
    for (int t = 0; t < 2; ++t) {
        double least = INFINITY, most = 0.0;
        for (int i = 0; i < PACES; ++i) {
            sn_world_def settings = bench_position_settings(paces[i].sub_steps, paces[i].iterations);
            double sunk = things[t].sunk(&settings, paces[i].step);
            least = fmin(least, sunk);
            most = fmax(most, sunk);
        }
        bench_row row = {.name = name, .bar = "within 2 %", .today = "-"};
        snprintf(row.what, sizeof row.what,
                 "%s under its weight: steps of 1/30 to 1/240 s, 1 to 32 sub-steps, 4 to 32 iterations",
                 things[t].what);
        snprintf(row.measured, sizeof row.measured, "sag %.3f to %.3f mm: %.2f %%", 1.0e3 * least,
                 1.0e3 * most, 100.0 * (most / least - 1.0));
        bench_row_value(&row, "spread", most / least - 1.0);
        row.verdict = most / least <= 1.02 ? BENCH_PASS : BENCH_MISS;
        bench_report_add(report, &row);
    }
}

// --- residuals ---------------------------------------------------------------------------------------------

void bench_position_residuals(bench_report *report, const char *name, const bench_options *options)
{
    double errors[NET_METHODS][NET_COUNTS];
    sn_mesh *mesh = net_make(0.4f);
    (void)options;
    for (int m = 0; m < NET_METHODS; ++m) {
        bench_row row = {.name = name, .today = "-"};
        static char bars[NET_METHODS][128];
        const double *expected = net_expected[m], *error = errors[m];
        bool is_good = true;
        net_errors(mesh, (sn_position_method)m, errors[m]);
        for (int k = 0; k < NET_COUNTS; ++k) {
            is_good = is_good && error[k] <= 2.0 * expected[k];
        }
        if (m == SN_POSITION_JACOBI_ACCELERATED) { // it must win from some 50 on
            is_good = is_good && error[2] < errors[0][2] && error[3] < errors[0][3];
        }
        snprintf(row.what, sizeof row.what, "net of 14 x 14, %s, after 10/20/50/100 iterations",
                 net_names[m]);
        snprintf(row.measured, sizeof row.measured, "%.2g/%.2g/%.2g/%.2g", error[0], error[1], error[2],
                 error[3]);
        snprintf(bars[m], sizeof bars[m], "within 2 x of %.2g/%.2g/%.2g/%.2g%s", expected[0], expected[1],
                 expected[2], expected[3],
                 m == SN_POSITION_JACOBI_ACCELERATED ? "; less than Gauss-Seidel from 50 on" : "");
        row.bar = bars[m];
        bench_row_value(&row, "after_100", error[3]);
        row.verdict = is_good ? BENCH_PASS : BENCH_MISS;
        bench_report_add(report, &row);
    }
    sn_mesh_destroy(mesh);
}
