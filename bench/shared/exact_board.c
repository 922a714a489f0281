// The checkerboard: building it, and what a step of it costs.
#include "bench/shared/exact_board.h"

#include "bench/shared/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 20, WARM_STEPS = 5 };
#define EDGE 0.1f

// --- building ----------------------------------------------------------------------------------------------

static int cubes_in_row(int columns, int row)
{
    return row % 2 == 0 ? columns : columns - 1;
}

// Number of a cube; rows go down, two of them have 2n − 1.
static int cube_at(int columns, int row, int place)
{
    return row / 2 * (2 * columns - 1) + (row % 2) * columns + place;
}

// Number of a node: right, up and back are 0 or 1.
static int node_of(int cube, int right, int up, int back)
{
    return 8 * cube + 4 * back + 2 * up + right;
}

static void fill_cube(int columns, int row, int place, sn_vec3 *nodes, uint32_t *tetrahedra)
{
    static const uint32_t parts[5][4] = {
        {0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}, {1, 2, 4, 7}};
    int cube = cube_at(columns, row, place);
    for (int k = 0; k < 8; ++k) {
        float x = (float)(2 * place + row % 2 - columns + k % 2), y = (float)(k / 2 % 2 - 1 - row);
        nodes[8 * cube + k] = sn_v(EDGE * x, EDGE * y, EDGE * (float)(k / 4));
    }
    for (int t = 0; t < 5; ++t) {
        for (int k = 0; k < 4; ++k) {
            tetrahedra[20 * cube + 4 * t + k] = (uint32_t)(8 * cube) + parts[t][k];
        }
    }
}

static sn_status make_mesh(int columns, int cube_count, sn_mesh **mesh)
{
    sn_vec3 *nodes = calloc((size_t)cube_count * 8, sizeof *nodes);
    uint32_t *tetrahedra = calloc((size_t)cube_count * 20, sizeof *tetrahedra);
    sn_status status = nodes != NULL && tetrahedra != NULL ? SN_OK : SN_ERROR_MEMORY;
    for (int row = 0; row < ROWS && status == SN_OK; ++row) {
        for (int place = 0; place < cubes_in_row(columns, row); ++place) {
            fill_cube(columns, row, place, nodes, tetrahedra);
        }
    }
    if (status == SN_OK) {
        sn_mesh_def def = sn_mesh_def_default();
        def.nodes = nodes;
        def.node_count = 8 * cube_count;
        def.tetrahedra = tetrahedra;
        def.tetrahedron_count = 5 * cube_count;
        status = sn_mesh_create(&def, mesh);
    }
    free(nodes);
    free(tetrahedra);
    return status;
}

static sn_status add_cubes(exact_board *board, const exact_board_def *def)
{
    sn_mesh *mesh = NULL;
    sn_status status = make_mesh(def->columns, board->cube_count, &mesh);
    sn_deformable_def cubes = sn_deformable_def_default();
    cubes.mesh = mesh;
    cubes.mass = 0.08f * (float)board->cube_count;
    cubes.model =
        (sn_model){.type = SN_MODEL_ENERGY, .stiffness = 10.0f, .volume_stiffness = 5.0f, .damping = 0.001f};
    cubes.integrator = def->integrator;
    cubes.collide = false;
    float *masses = calloc((size_t)board->cube_count * 8, sizeof *masses);
    for (int i = 0; masses != NULL && i < 8 * board->cube_count; ++i) {
        masses[i] = 0.01f;
    }
    cubes.node_masses = masses;
    status = status           ? status
             : masses == NULL ? SN_ERROR_MEMORY
                              : sn_deformable_add(board->world, &cubes, &board->cubes);
    sn_mesh_destroy(mesh);
    free(masses);
    return status;
}

// Every pair has a cube of the shorter rows, which are the odd ones.
static int list_pairs(int columns, exact_tie *ties)
{
    int count = 0;
    for (int row = 1; row < ROWS; row += 2) {
        for (int k = 0; k < 8 * cubes_in_row(columns, row); ++k) {
            int place = k / 8, right = k % 2, up = k / 2 % 2, back = k / 4 % 2;
            if (up == 1 || row + 1 < ROWS) {
                int other = cube_at(columns, up == 1 ? row - 1 : row + 1, place + right);
                ties[count++] = (exact_tie){.node = node_of(cube_at(columns, row, place), right, up, back),
                                            .other = node_of(other, 1 - right, 1 - up, back)};
            }
        }
    }
    return count;
}

static int list_nails(const exact_board *board, int columns, exact_tie *ties)
{
    const sn_node_state *nodes = sn_deformable_nodes(board->world, board->cubes);
    for (int k = 0; k < 4 * columns; ++k) {
        int node = node_of(cube_at(columns, 0, k / 4), k % 2, 1, k / 2 % 2);
        ties[k] = (exact_tie){.node = node, .other = -1, .place = nodes[node].position};
    }
    return 4 * columns;
}

static sn_status add_ties(exact_board *board, const exact_board_def *def)
{
    sn_status status = SN_OK;
    board->ties = calloc((size_t)def->columns * 80, sizeof *board->ties);
    if (board->ties == NULL) {
        return SN_ERROR_MEMORY;
    }
    board->pair_count = list_pairs(def->columns, board->ties);
    board->nail_count = list_nails(board, def->columns, board->ties + board->pair_count);
    for (int i = 0; i < board->pair_count + board->nail_count && status == SN_OK; ++i) {
        const exact_tie *tie = &board->ties[i];
        sn_anchor_def anchor = sn_anchor_def_default();
        anchor.a = sn_point_node(board->cubes, tie->node);
        anchor.b = tie->other >= 0 ? sn_point_node(board->cubes, tie->other) : sn_point_world(tie->place);
        anchor.exact = def->exact;
        status = sn_anchor_add(board->world, &anchor, NULL);
    }
    return status;
}

int exact_board_constraints(int columns)
{
    return 76 * (columns - 1) + 4 * columns;
}

int exact_board_points(int columns)
{
    return 2 * 76 * (columns - 1) + 4 * columns;
}

sn_status exact_board_open(exact_board *board, const exact_board_def *def)
{
    *board = (exact_board){.cube_count = ROWS / 2 * (2 * def->columns - 1)};
    sn_world_def settings = bench_settings(1);
    settings.sub_steps = def->sub_steps;
    sn_status status = sn_world_create(&settings, &board->world);
    status = status ? status : add_cubes(board, def);
    return status ? status : add_ties(board, def);
}

void exact_board_close(exact_board *board)
{
    sn_world_destroy(board->world);
    free(board->ties);
    *board = (exact_board){0};
}

// --- measuring ---------------------------------------------------------------------------------------------

double exact_board_error(const exact_board *board)
{
    const sn_node_state *nodes = sn_deformable_nodes(board->world, board->cubes);
    double largest = 0.0;
    for (int i = 0; i < board->pair_count + board->nail_count; ++i) {
        const exact_tie *tie = &board->ties[i];
        sn_vec3 here = nodes[tie->node].position;
        sn_vec3 there = tie->other >= 0 ? nodes[tie->other].position : tie->place;
        double x = (double)here.x - (double)there.x, y = (double)here.y - (double)there.y,
               z = (double)here.z - (double)there.z, apart = sqrt(x * x + y * y + z * z);
        largest = apart <= largest ? largest : apart; // a position that is not finite counts
    }
    return largest;
}

double exact_board_size(const exact_board *board)
{
    sn_bounds bounds = sn_deformable_measure_now(board->world, board->cubes).bounds;
    double size = fmax(fabs((double)bounds.lower.x), fabs((double)bounds.upper.x));
    size = fmax(size, fmax(fabs((double)bounds.lower.y), fabs((double)bounds.upper.y)));
    return fmax(size, fmax(fabs((double)bounds.lower.z), fabs((double)bounds.upper.z)));
}

// Times of every step, by stage.
typedef struct board_times {
    double *step, *models, *constraints, *moving;
} board_times;

static void note(double *time, double now, bool first)
{
    *time = first || now < *time ? now : *time;
}

// One run; times of steps are merged with those of the runs before.
static sn_status run_board(const exact_board_def *def, int steps, bool first, const board_times *times,
                           exact_cost *cost)
{
    exact_board board;
    sn_status status = exact_board_open(&board, def);
    for (int i = -WARM_STEPS; i < steps && status == SN_OK; ++i) {
        double start = bench_cpu_clock();
        status = sn_world_step(board.world, BOARD_STEP);
        double time = bench_cpu_clock() - start;
        if (i >= 0) {
            sn_profile profile = sn_world_profile(board.world);
            float rows = profile.prepare + profile.solve + profile.relax;
            note(&times->step[i], time, first);
            note(&times->models[i], (double)profile.models, first);
            note(&times->constraints[i], (double)(def->exact ? profile.exact : rows), first);
            note(&times->moving[i], (double)profile.integrate, first);
        }
        cost->worst_error = fmax(cost->worst_error, exact_board_error(&board));
    }
    cost->size = status == SN_OK ? exact_board_size(&board) : 0.0;
    exact_board_close(&board);
    return status;
}

sn_status exact_board_cost(const exact_board_def *def, int steps, int runs, exact_cost *cost)
{
    double *all = calloc(4 * (size_t)steps, sizeof *all);
    board_times times = {all, all + steps, all + 2 * steps, all + 3 * steps};
    sn_status status = all != NULL ? SN_OK : SN_ERROR_MEMORY;
    *cost = (exact_cost){0};
    for (int k = 0; k < runs && status == SN_OK; ++k) {
        status = run_board(def, steps, k == 0, &times, cost);
    }
    if (status == SN_OK) {
        cost->step = bench_median(times.step, steps);
        cost->models = bench_median(times.models, steps);
        cost->constraints = bench_median(times.constraints, steps);
        cost->moving = bench_median(times.moving, steps);
    }
    free(all);
    return status;
}
