// Measures the library against the bars it has set itself and prints one row per case. It reports and never
// judges by its exit code: a missed bar is a figure, not a failure. See docs and --help.
#include "cases.h"

#include <stdio.h>
#include <string.h>

typedef struct bench_case {
    const char *name, *about;
    void (*run)(bench_report *report, const char *name, const bench_options *options);
} bench_case;

static const bench_case cases[] = {
    {"box_stack", "Twenty boxes", bench_box_stack},
    {"heavy_stack", "Ten boxes, a heavy one on top", bench_heavy_stack},
    {"tower", "Tower of a thousand bricks", bench_tower},
    {"long_range_stacks", "What stands, with and without support", bench_long_range_stacks},
    {"shots", "Shots at a thin wall", bench_shots},
    {"tower_speed", "Tower, against Bullet", bench_tower_speed},
    {"hashes", "Same bits for any number of threads", bench_hashes},
    {"profile", "Where the time of a step goes", bench_profile},
    {"throughput", "Steps a second", bench_throughput},
    {"scaling", "A second thread", bench_scaling},
    {"momentum", "Momenta of a free cluster", bench_momentum},
    {"load", "Loading scene files", bench_load},
    {"command", "The command", bench_command},
    {"render", "Drawing", bench_render},
    {"cloth_fixed", "S1a: cloth on a fixed ball", bench_cloth_fixed},
    {"cloth_rolling", "S1b: cloth on a rolling ball", bench_cloth_rolling},
    {"jellies", "S2: jelly, chocolate, dish", bench_jellies},
    {"jellies_thrown", "S2: momentum of bar and jellies", bench_jellies_thrown},
    {"jellies_paper", "S2 at the settings of Vezzaro 2015", bench_jellies_paper},
    {"rope", "S3: rope over a wheel", bench_rope},
    {"rope_curve", "S3: stretch against sub-steps", bench_rope_curve},
    {"trampoline", "S5: a hundred balls on a cloth", bench_trampoline},
    {"jelly_stack", "Stacked jellies", bench_jelly_stack},
    {"sheets", "Two sheets on a table", bench_sheets},
    {"glued", "Momenta of a free jelly tied to rods", bench_glued},
    {"long_bodies", "Loads: bridges, chains, towers and what is free", bench_long_bodies},
    {"long_hung", "Loads: cloth hung by two corners", bench_long_hung},
    {"long_level", "Loads: the same, let go level", bench_long_level},
    {"long_drape", "Loads: fine cloth, small balls", bench_long_drape},
    {"long_rim", "Loads: a ball on cloth held at its rim", bench_long_rim},
    {"long_corners", "Loads: a ball on cloth held at its corners", bench_long_corners},
    {"long_trampoline", "Loads: a hundred balls on cloth", bench_long_trampoline},
    {"long_rope", "Loads: ropes with heavy ends", bench_long_rope},
    {"long_wheel", "Loads: heavy bodies on a rope over a wheel", bench_long_wheel},
    {"long_jelly", "Loads: jelly under heavy plates", bench_long_jelly},
    {"long_beside", "Loads: what others pay for a heavy island", bench_long_beside},
    {"touch_cloth", "Cloth on all sorts of things: crossings", bench_touch_cloth},
    {"touch_thrown", "Cloth thrown at a box", bench_touch_thrown},
    {"touch_sheets", "Ten sheets on a table", bench_touch_sheets},
    {"touch_towels", "Towels that are wrung", bench_touch_towels},
    {"touch_jellies", "Jellies that meet, pile up, fall into bowls", bench_touch_jellies},
    {"touch_meshes", "A triangle mesh against its smooth shape", bench_touch_meshes},
    {"touch_solids", "Small, thin, sharp and fast solids on a cloth", bench_touch_solids},
    {"exact_board", "S4: hanging cubes of Gissler 2006, steps of 1 ms, no sub-steps, Verlet",
     bench_exact_board},
    {"exact_linear", "S4: time against the number of exact anchors", bench_exact_linear},
    {"exact_rows", "S4: exact anchors against rows", bench_exact_rows},
    {"exact_kinds", "Exact anchors of every kind", bench_exact_kinds},
    {"exact_errors", "Errors of exact anchors, by kind and integrator", bench_exact_errors},
    {"exact_momentum", "Momenta under exact anchors", bench_exact_momentum},
    {"exact_scenes", "Figures 3 and 4 of Gissler 2006", bench_exact_scenes},
    {"integrators", "Orders of the integrators", bench_integrators},
    {"joints_grid", "Joints: a large grid", bench_joints_grid},
    {"joints_kinds", "Joints: time by kind", bench_joints_kinds},
    {"joints_redundant", "Joints: more than needed", bench_joints_redundant},
    {"joints_fast", "Joints: fast motion and mass ratios", bench_joints_fast},
    {"joints_compliant", "Joints: soft ones and locked axes", bench_joints_compliant},
    {"joints_crowded", "Grids, overlaps, small stacks", bench_joints_crowded},
    {"position_agree", "Position solver: the rest of ten scenes by both solvers", bench_position_agree},
    {"position_cantilever", "Position solver: true stiffness", bench_position_cantilever},
    {"position_stiffness", "Position solver: stiffness by any settings", bench_position_stiffness},
    {"position_residuals", "Position solver: convergence", bench_position_residuals},
    {"position_slope", "Position solver: friction", bench_position_slope},
    {"position_newmark", "Position solver: Newmark's rule", bench_position_newmark},
    {"position_momentum", "Position solver: momenta of a free system", bench_position_momentum},
    {"position_pile", "Position solver: a thousand boxes", bench_position_pile},
    {"position_hostile", "Position solver: hostile scenes", bench_position_hostile},
    {"position_cost", "Position solver: what an iteration costs", bench_position_cost},
    {"position_time", "Position solver: time at equal error", bench_position_time},
    {"rows", "Solve time against constraint count", bench_rows},
};
enum { CASE_COUNT = sizeof cases / sizeof cases[0] };

typedef struct command_line {
    bool help;
    bench_format format;
    const char *only; ///< null for all cases
    bench_options options;
} command_line;

static void print_usage(FILE *out, const char *program)
{
    fprintf(out,
            "usage: %s [--json | --markdown] [--quick] [--only CASE]\n"
            "  --json       one JSON object instead of a table\n"
            "  --markdown   a page with a table for each case, as docs/benchmarks.md\n"
            "  --quick      shorter runs, to see that it works; bars are meant for full runs\n"
            "  --only CASE  one of these, or exact or joints for all that begin with it:",
            program);
    for (int i = 0; i < CASE_COUNT; ++i) {
        fprintf(out, " %s", cases[i].name);
    }
    fputc('\n', out);
}

static bool is_case(const char *name)
{
    for (int i = 0; i < CASE_COUNT; ++i) {
        if (strcmp(cases[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

// Whether a case is asked for: by its name or, if there is none of that name, by its first word.
static bool is_meant(const bench_case *one, const char *name)
{
    size_t length = strlen(name);
    return is_case(name) ? strcmp(one->name, name) == 0
                         : strncmp(one->name, name, length) == 0 && one->name[length] == '_';
}

static bool is_known(const char *name)
{
    for (int i = 0; i < CASE_COUNT; ++i) {
        if (is_meant(&cases[i], name)) {
            return true;
        }
    }
    return false;
}

static bool read_command_line(int count, char **words, command_line *line)
{
    for (int i = 1; i < count; ++i) {
        if (strcmp(words[i], "--json") == 0) {
            line->format = BENCH_JSON;
        } else if (strcmp(words[i], "--markdown") == 0) {
            line->format = BENCH_MARKDOWN;
        } else if (strcmp(words[i], "--quick") == 0) {
            line->options.quick = true;
        } else if (strcmp(words[i], "--help") == 0) {
            line->help = true;
        } else if (strcmp(words[i], "--only") == 0 && i + 1 < count && is_known(words[i + 1])) {
            line->only = words[++i];
        } else {
            return false;
        }
    }
    return true;
}

int main(int count, char **words)
{
    command_line line = {0};
    if (!read_command_line(count, words, &line)) {
        print_usage(stderr, words[0]);
        return 2;
    }
    if (line.help) {
        print_usage(stdout, words[0]);
        return 0;
    }
    bench_report report = {.format = line.format};
    bench_report_begin(&report);
    for (int i = 0; i < CASE_COUNT; ++i) {
        if (line.only == NULL || is_meant(&cases[i], line.only)) {
            bench_report_case(&report, cases[i].name, cases[i].about);
            cases[i].run(&report, cases[i].name, &line.options);
        }
    }
    bench_report_end(&report);
    return 0;
}
