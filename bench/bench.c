// Measures the library against the bars it has set itself and prints one row per case. It reports and never
// judges by its exit code: a missed bar is a figure, not a failure. See docs and --help.
#include "cases.h"

#include <stdio.h>
#include <string.h>

typedef struct bench_case {
    const char *name;
    void (*run)(bench_report *report, const char *name, const bench_options *options);
} bench_case;

static const bench_case cases[] = {
    {"box_stack", bench_box_stack},
    {"heavy_stack", bench_heavy_stack},
    {"tower", bench_tower},
    {"shots", bench_shots},
    {"tower_speed", bench_tower_speed},
    {"hashes", bench_hashes},
    {"profile", bench_profile},
    {"throughput", bench_throughput},
    {"scaling", bench_scaling},
    {"momentum", bench_momentum},
    {"load", bench_load},
    {"command", bench_command},
    {"render", bench_render},
    {"cloth_fixed", bench_cloth_fixed},
    {"cloth_rolling", bench_cloth_rolling},
    {"jellies", bench_jellies},
    {"jellies_thrown", bench_jellies_thrown},
    {"rope", bench_rope},
    {"rope_curve", bench_rope_curve},
    {"trampoline", bench_trampoline},
    {"jelly_stack", bench_jelly_stack},
    {"sheets", bench_sheets},
    {"glued", bench_glued},
    {"rows", bench_rows},
};
enum { CASE_COUNT = sizeof cases / sizeof cases[0] };

typedef struct command_line {
    bool json, help;
    const char *only; ///< null for all cases
    bench_options options;
} command_line;

static void print_usage(FILE *out, const char *program)
{
    fprintf(out,
            "usage: %s [--json] [--quick] [--only CASE]\n"
            "  --json       one JSON object instead of a table\n"
            "  --quick      shorter runs, to see that it works; bars are meant for full runs\n"
            "  --only CASE  one of:",
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

static bool read_command_line(int count, char **words, command_line *line)
{
    for (int i = 1; i < count; ++i) {
        if (strcmp(words[i], "--json") == 0) {
            line->json = true;
        } else if (strcmp(words[i], "--quick") == 0) {
            line->options.quick = true;
        } else if (strcmp(words[i], "--help") == 0) {
            line->help = true;
        } else if (strcmp(words[i], "--only") == 0 && i + 1 < count && is_case(words[i + 1])) {
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
    bench_report report = {.json = line.json};
    bench_report_begin(&report);
    for (int i = 0; i < CASE_COUNT; ++i) {
        if (line.only == NULL || strcmp(line.only, cases[i].name) == 0) {
            cases[i].run(&report, cases[i].name, &line.options);
        }
    }
    bench_report_end(&report);
    return 0;
}
