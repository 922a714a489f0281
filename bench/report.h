// What the benchmarks say: rows of a table on stdout, or the same rows as one JSON object, or as a page of
// Markdown with a table for each case.
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdbool.h>

typedef enum bench_verdict {
    BENCH_PASS,
    BENCH_MISS,
    BENCH_INFO,   ///< a figure without a bar
    BENCH_ABSENT, ///< something needed is not installed
    BENCH_FAILED  ///< the library answered with an error; `measured` says which
} bench_verdict;

typedef struct bench_value {
    const char *key; ///< for JSON; ends in its unit
    double value;
} bench_value;

enum { BENCH_MAX_VALUES = 16, BENCH_TEXT = 400 };

typedef struct bench_row {
    const char *name;          ///< of the case, as --only takes it
    char what[BENCH_TEXT];     ///< the case in words
    char measured[BENCH_TEXT]; ///< the result in words
    const char *bar;           ///< what is asked for; empty for a figure without a bar
    const char *today;         ///< what the best of the others do; empty if unknown
    bench_verdict verdict;
    int value_count;
    bench_value values[BENCH_MAX_VALUES];
} bench_row;

typedef enum bench_format { BENCH_TABLE, BENCH_JSON, BENCH_MARKDOWN } bench_format;

typedef struct bench_report {
    bench_format format;
    int row_count;
} bench_report;

void bench_report_begin(bench_report *report);
/// The rows that follow are those of a case; `about` is what it is in words.
void bench_report_case(bench_report *report, const char *name, const char *about);
void bench_report_add(bench_report *report, const bench_row *row);
void bench_report_end(bench_report *report);

/// Adds a number for JSON; beyond BENCH_MAX_VALUES it is dropped.
void bench_row_value(bench_row *row, const char *key, double value);

#endif
