// Gissler, Becker and Teschner 2006: the scenes of figures 1 to 4, time against constraints, and speed by
// kind of constraint. The paper's times are of a Pentium 4 of 3.4 GHz. Tested by
// tests/apps/test_figures_slow.c.
#include "apps/figures/figure.h"
#include "apps/figures/items.h"
#include "apps/figures/sub_step_cost.h"
#include "bench/shared/exact_board.h"
#include "bench/shared/integrator_order.h"
#include "bench/shared/kind_speed.h"
#include "bench/shared/numbers.h"
#include "scene/message.h"

#include <stdio.h>

static bool fine(sn_status status)
{
    if (status != SN_OK) {
        sn_scene_fail(status, "%s: %s", sn_status_text(status), sn_last_error());
    }
    return status == SN_OK;
}

static exact_board_def paper_board(int columns)
{
    return (exact_board_def){
        .columns = columns, .exact = true, .sub_steps = 1, .integrator = SN_INTEGRATOR_VERLET};
}

// --- figure 1 ----------------------------------------------------------------------------------------------

static bool note_counts(figure_job *job)
{
    exact_board_def def = paper_board(40);
    exact_board board;
    bool good = fine(exact_board_open(&board, &def)) && fine(sn_world_step(board.world, BOARD_STEP));
    if (good) {
        int tetrahedra = sn_mesh_tetrahedron_count(sn_deformable_mesh(board.world, board.cubes));
        int exact = sn_world_statistics(board.world).exact_count;
        good =
            figure_note(job, (figure_value){board.cube_count, "", "790", FIGURE_EQUAL, 790.0}, "cubes") &&
            figure_note(job, (figure_value){tetrahedra, "", "3950", FIGURE_EQUAL, 3950.0}, "tetrahedra") &&
            figure_note(job, (figure_value){board.pair_count, "", "2964", FIGURE_EQUAL, 2964.0},
                        "constraints of two points") &&
            figure_note(job, (figure_value){board.nail_count, "", "160", FIGURE_EQUAL, 160.0}, "nails") &&
            figure_note(job, (figure_value){exact, "", "all", FIGURE_EQUAL, 3124.0}, "of these held exactly");
    }
    exact_board_close(&board);
    return good;
}

static bool note_costs(figure_job *job)
{
    exact_board_def def = paper_board(40);
    exact_cost cost;
    return fine(exact_board_cost(&def, job->quick ? 40 : 400, job->quick ? 2 : 4, &cost)) &&
           figure_note(job, (figure_value){cost.models, "ms", "3.42", FIGURE_AT_MOST, 3.42},
                       "forces and the Verlet scheme in a step (the paper's without the scheme)") &&
           figure_note(job, (figure_value){cost.constraints, "ms", "5.38", FIGURE_AT_MOST, 5.38},
                       "constraints in a step") &&
           figure_note(job, (figure_value){cost.step, "ms", "12", FIGURE_AT_MOST, 12.0}, "whole step") &&
           figure_note(job, (figure_value){cost.worst_error / cost.size, "", "exact", FIGURE_AT_MOST, 1e-6},
                       "largest error of any constraint after any step, of the board's size");
}

static bool figure_1(figure_job *job)
{
    figure_run run;
    if (!note_counts(job) || !note_costs(job) || !figure_run_open(job, &run, "checkerboard.json", "", 1)) {
        return false;
    }
    bool good = figure_film(&run, job->quick ? 0.3 : 1.1, "gissler-1-hanging", "790 cubes hang and swing") &&
                figure_picture(&run, "gissler-1-hanging", "790 cubes hang and swing");
    if (good && !job->quick) {
        good = figure_film(&run, 2.0, "gissler-1-released", "Everything lets go") &&
               figure_picture(&run, "gissler-1-released", "Everything lets go");
    }
    good = good && figure_run_hash(&run, "checkerboard");
    figure_run_close(&run);
    return good;
}

// --- figure 2 ----------------------------------------------------------------------------------------------

static bool figure_2(figure_job *job)
{
    enum { SIZES = 6 };
    static const int columns[SIZES] = {40, 80, 150, 230, 314, 500};
    double counts[SIZES] = {0}, constraints[SIZES] = {0}, steps[SIZES] = {0};
    int count = job->quick ? 3 : SIZES;
    for (int i = 0; i < count; ++i) {
        exact_board_def def = paper_board(columns[i]);
        exact_cost cost;
        int length = (job->quick ? 2000 : 16000) / columns[i];
        if (!fine(exact_board_cost(&def, length, job->quick ? 2 : 3, &cost))) {
            return false;
        }
        counts[i] = exact_board_constraints(columns[i]);
        constraints[i] = cost.constraints;
        steps[i] = cost.step;
    }
    double rate = constraints[count - 1] / counts[count - 1];
    const figure_curve curves[] = {{"constraints", counts, constraints, count, false},
                                   {"whole step", counts, steps, count, false}};
    return figure_note(job,
                       (figure_value){bench_straightness(counts, constraints, count), "", "linear",
                                      FIGURE_AT_LEAST, 0.98},
                       "R² of a straight line of constraints against time, up to %.0f", counts[count - 1]) &&
           figure_note(job, (figure_value){25000.0 * rate, "ms", "50", FIGURE_AT_MOST, 50.0},
                       "25,000 constraints, by the largest board") &&
           figure_note(job, (figure_value){steps[2], "ms", "46.15", FIGURE_AT_MOST, 46.15},
                       "whole step of 150 columns: 14,950 tetrahedra, 11,924 constraints") &&
           figure_plot(job, "gissler-2", "Time of constraints, and of a step, against their number",
                       (figure_axes){"constraints", "ms", false, false}, curves, 2);
}

// --- figures 3 and 4 ---------------------------------------------------------------------------------------

typedef struct paper_time {
    const char *words, *time;
    double ms;
} paper_time;

static bool note_sub_steps(figure_run *run, double begin, double end, paper_time paper)
{
    sub_step_cost cost;
    return fine(sub_step_cost_measure(run->scene, begin, end, &cost)) &&
           figure_note(run->job, (figure_value){cost.step, "ms", paper.time, FIGURE_AT_MOST, paper.ms},
                       "%s: a sub-step, which the paper calls a step", paper.words) &&
           figure_note(run->job, (figure_value){.ours = cost.exact, .unit = "ms"}, "%s: of this constraints",
                       paper.words) &&
           figure_note(run->job, (figure_value){cost.error, "m", "exact", FIGURE_AT_MOST, 1e-5},
                       "%s: largest error of a constraint", paper.words) &&
           figure_note(run->job, (figure_value){cost.rows_count, "", NULL, FIGURE_EQUAL, 0.0},
                       "%s: constraints that conflict and are rows", paper.words);
}

static bool figure_3(figure_job *job)
{
    paper_time paper = {"robot on two ropes", "3.52", 3.52};
    figure_run run;
    bool good = figure_run_open(job, &run, "rope_robot.json", "", 1) &&
                note_sub_steps(&run, 0.2, job->quick ? 0.4 : 1.0, paper) &&
                figure_film(&run, job->quick ? 0.5 : 4.0, "gissler-3", "A robot slides down two ropes") &&
                figure_picture(&run, "gissler-3", "A robot slides down two ropes") &&
                figure_run_hash(&run, "robot");
    figure_run_close(&run);
    return good;
}

static bool figure_4(figure_job *job)
{
    paper_time net = {"net", "4.89", 4.89}, bridge = {"bridge", "5.67", 5.67};
    figure_run run;
    bool good = figure_run_open(job, &run, "net_bridge.json", "", 1) &&
                note_sub_steps(&run, 0.2, job->quick ? 0.4 : 1.5, net) &&
                figure_picture(&run, "gissler-4-net", "The net, with a chest in it");
    if (good && !job->quick) {
        good = figure_film(&run, 8.0, "gissler-4", "The net becomes a bridge") &&
               note_sub_steps(&run, 8.0, 8.5, bridge) &&
               figure_picture(&run, "gissler-4-bridge", "The same net as a bridge");
    }
    good = good && figure_run_hash(&run, "net and bridge");
    figure_run_close(&run);
    return good;
}

// --- kinds and integrators ---------------------------------------------------------------------------------

static bool kinds(figure_job *job)
{
    for (int i = 0; i < BENCH_KIND_COUNT; ++i) {
        const bench_kind *kind = &bench_kinds[i];
        char paper[32];
        double time;
        snprintf(paper, sizeof paper, "%.0f", kind->paper);
        if (!fine(bench_kind_time(kind, &time)) ||
            !figure_note(job, (figure_value){kind->count / time, "a ms", paper, FIGURE_AT_LEAST, kind->paper},
                         "%s", kind->words) ||
            !figure_note(
                job,
                (figure_value){kind->count * kind->points / time, "a ms", "1000", FIGURE_AT_LEAST, 1000.0},
                "%s: points", kind->words)) {
            return false;
        }
    }
    return true;
}

// The order by a closed solution, and how exactly a board is held whose cubes are moved by the scheme.
static bool integrators(figure_job *job)
{
    for (int i = 0; i < SN_INTEGRATOR_COUNT; ++i) {
        sn_integrator integrator = (sn_integrator)i;
        const char *name = sn_scene_integrator_name(integrator);
        exact_board_def def = paper_board(5);
        exact_cost cost;
        double order;
        def.integrator = integrator;
        if (!fine(bench_order_measure(integrator, false, &order)) ||
            !fine(exact_board_cost(&def, 100, 1, &cost)) ||
            !figure_note(
                job,
                (figure_value){order > bench_orders[i] ? order - bench_orders[i] : bench_orders[i] - order,
                               "", NULL, FIGURE_AT_MOST, 0.1},
                "%s: order %.2f off the theoretical %d by", name, order, bench_orders[i]) ||
            !figure_note(job, (figure_value){cost.worst_error / cost.size, "", "exact", FIGURE_AT_MOST, 1e-6},
                         "%s: largest error of a board's constraints, of its size", name)) {
            return false;
        }
    }
    return true;
}

#define PAPER "Gissler 2006"

const figure_item figure_gissler_scenes[] = {
    {"gissler-1", PAPER, "Figure 1: a hanging checkerboard",
     "Twenty rows of soft cubes, joined at their edges by constraints and nailed at the top. All counts are "
     "the paper's. "
     "Every constraint is met to rounding error after every step, without iterations.",
     figure_1},
    {"gissler-2", PAPER, "Figure 2: time against constraints",
     "The same board with 40 to 500 columns. Times of constraints and of whole steps grow in proportion.",
     figure_2},
    {"gissler-3", PAPER, "Figure 3: a robot on two ropes",
     "A robot of soft blocks jointed by exact anchors slides down two ropes of tetrahedra: each hand is held "
     "to the "
     "surface of its rope, wherever that is nearest.",
     figure_3},
    {"gissler-4", PAPER, "Figure 4: a net becomes a bridge",
     "Constraints are switched on and off while everything moves. Nothing jumps.", figure_4},
    {"gissler-kinds", PAPER, "Constraints a millisecond, by kind",
     "Points, lines, triangles and tetrahedra that share nothing. The paper counts about a thousand points a "
     "millisecond, whatever the kind.",
     kinds},
    {"gissler-integrators", PAPER, "Six integrators",
     "Each scheme's order, and how exactly constraints hold what it moves. The paper covers four and gets "
     "two of them "
     "wrong: see the errata.",
     integrators},
    {0}};
