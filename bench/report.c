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
    if (report->json) {
        printf("{\n  ");
        print_pair("version", sn_version());
        print_pair("compiler", compiler);
        printf("\"rows\": [\n");
        return;
    }
    printf("Sinew %s, %s; steps of 1/60 s, default settings, sleep off\n\n", sn_version(), compiler);
    const char *cells[COLUMNS];
    memcpy(cells, column_titles, sizeof cells);
    print_cells(cells);
    print_rule();
}

void bench_report_add(bench_report *report, const bench_row *row)
{
    if (report->json) {
        fputs(report->row_count > 0 ? ",\n" : "", stdout);
        print_json_row(row);
    } else {
        const char *cells[COLUMNS] = {row->what, row->measured, row->bar, row->today,
                                      verdict_text(row->verdict)};
        print_cells(cells);
        print_rule();
    }
    report->row_count += 1;
    fflush(stdout);
}

void bench_report_end(bench_report *report)
{
    if (report->json) {
        printf("\n  ]\n}\n");
    }
}
