// Printing of rows. The table wraps words inside its columns, so that a row may say as much as it has to.
#include "report.h"

#include "sinew/sinew.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 5 };
static const int column_widths[COLUMNS] = {28, 34, 26, 34, 7};
static const char *const column_titles[COLUMNS] = {"case", "measured", "bar", "today's best", "verdict"};

static const char *verdict_text(bench_verdict verdict)
{
    static const char *const texts[] = {"pass", "MISS", "", "absent", "FAILED"};
    return texts[verdict];
}

void bench_row_value(bench_row *row, const char *key, double value)
{
    if (row->value_count < BENCH_MAX_VALUES) {
        row->values[row->value_count] = (bench_value){key, value};
        row->value_count += 1;
    }
}

// --- table -------------------------------------------------------------------------------------------------

// How many bytes of `text` go on a line of `width`: up to the last blank that fits, or `width` if none does.
static int line_length(const char *text, int width)
{
    int length = (int)strlen(text);
    if (length <= width) {
        return length;
    }
    for (int i = width; i > 0; --i) {
        if (text[i] == ' ') {
            return i;
        }
    }
    return width;
}

static void print_cells(const char *cells[COLUMNS])
{
    bool more = true;
    while (more) {
        more = false;
        for (int i = 0; i < COLUMNS; ++i) {
            int length = line_length(cells[i], column_widths[i]);
            printf("%-*.*s%s", column_widths[i], length, cells[i], i + 1 < COLUMNS ? "  " : "\n");
            cells[i] += length;
            while (isspace((unsigned char)*cells[i])) {
                cells[i] += 1;
            }
            more = more || *cells[i] != '\0';
        }
    }
}

static void print_rule(void)
{
    for (int i = 0; i < COLUMNS; ++i) {
        for (int k = 0; k < column_widths[i]; ++k) {
            putchar('-');
        }
        fputs(i + 1 < COLUMNS ? "  " : "\n", stdout);
    }
}

// --- JSON --------------------------------------------------------------------------------------------------

static void print_string(const char *text)
{
    putchar('"');
    for (; *text != '\0'; ++text) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            printf("\\%c", c);
        } else if (c < 0x20) {
            printf("\\u%04x", c);
        } else {
            putchar(c);
        }
    }
    putchar('"');
}

static void print_pair(const char *key, const char *text)
{
    printf("\"%s\": ", key);
    print_string(text);
    fputs(", ", stdout);
}

static void print_json_row(const bench_row *row)
{
    printf("    {");
    print_pair("case", row->name);
    print_pair("what", row->what);
    print_pair("measured", row->measured);
    print_pair("bar", row->bar);
    print_pair("today", row->today);
    print_pair("verdict", row->verdict == BENCH_INFO ? "info" : verdict_text(row->verdict));
    printf("\"values\": {");
    for (int i = 0; i < row->value_count; ++i) {
        printf("%s\"%s\": ", i > 0 ? ", " : "", row->values[i].key);
        if (isfinite(row->values[i].value)) {
            printf("%.9g", row->values[i].value);
        } else {
            fputs("null", stdout); // JSON has no other word for it
        }
    }
    fputs("}}", stdout);
}

// --- Markdown ----------------------------------------------------------------------------------------------

static void print_cell(const char *text)
{
    fputs(" ", stdout);
    for (; *text != '\0'; ++text) {
        fputs(*text == '|' ? "\\|" : (const char[]){*text, '\0'}, stdout);
    }
    fputs(" |", stdout);
}

static void print_line(const char *cells[COLUMNS])
{
    putchar('|');
    for (int i = 0; i < COLUMNS; ++i) {
        print_cell(cells[i]);
    }
    putchar('\n');
}

static void print_page_head(const char *compiler)
{
    printf("# Benchmarks\n\nWhat `build/release/bench/bench --markdown` printed: Sinew %s, %s.\n\n",
           sn_version(), compiler);
    puts("Default settings, one thread, sleep off, CPU time of the process. Rigid scenes are stepped by 1/60 "
         "s,\n"
         "those with deformables by 20 ms. Milliseconds depend on the machine; Bullet ran the same scenes in "
         "the\n"
         "same run, so the ratio to it is what carries over. Bars of milliseconds were set on a machine "
         "where\n"
         "Bullet takes 6.6 ms for a step of S1a: rows with such a bar tell the milliseconds on that machine, "
         "by\n"
         "Bullet's time for S1a in the same run, and are judged by them. Where it says *best of 3*, each "
         "step counts "
         "with the\n"
         "shortest time of three runs, which do the same to the bit. Figures in the column *today's best* "
         "were\n"
         "taken elsewhere, each engine hand-tuned with small steps.");
}

// --- report ------------------------------------------------------------------------------------------------

#if defined(__clang__)
static const char compiler[] = "clang " __clang_version__;
#elif defined(__GNUC__)
static const char compiler[] = "gcc " __VERSION__;
#else
static const char compiler[] = "unknown";
#endif

void bench_report_begin(bench_report *report)
{
    if (report->format == BENCH_MARKDOWN) {
        print_page_head(compiler);
        return;
    }
    if (report->format == BENCH_JSON) {
        printf("{\n  ");
        print_pair("version", sn_version());
        print_pair("compiler", compiler);
        printf("\"rows\": [\n");
        return;
    }
    printf("Sinew %s, %s; default settings, sleep off; steps of 1/60 s, with deformables of 20 ms\n\n",
           sn_version(), compiler);
    const char *cells[COLUMNS];
    memcpy(cells, column_titles, sizeof cells);
    print_cells(cells);
    print_rule();
}

void bench_report_case(bench_report *report, const char *name, const char *about)
{
    static const char *rule[COLUMNS] = {"---", "---", "---", "---", "---"};
    if (report->format == BENCH_MARKDOWN) {
        const char *cells[COLUMNS];
        memcpy(cells, column_titles, sizeof cells);
        printf("\n## %s (`--only %s`)\n\n", about, name);
        print_line(cells);
        print_line(rule);
    }
}

void bench_report_add(bench_report *report, const bench_row *row)
{
    const char *cells[COLUMNS] = {row->what, row->measured, row->bar, row->today, verdict_text(row->verdict)};
    switch (report->format) {
    case BENCH_JSON:
        fputs(report->row_count > 0 ? ",\n" : "", stdout);
        print_json_row(row);
        break;
    case BENCH_MARKDOWN:
        print_line(cells);
        break;
    case BENCH_TABLE:
    default:
        print_cells(cells);
        print_rule();
        break;
    }
    report->row_count += 1;
    fflush(stdout);
}

void bench_report_end(bench_report *report)
{
    if (report->format == BENCH_JSON) {
        printf("\n  ]\n}\n");
    }
}
