// What the items found out, as files: figures.json for programs, index.html for people.
#ifndef SINEW_FIGURES_RESULTS_H
#define SINEW_FIGURES_RESULTS_H

#include "apps/figures/figure.h"

#include <jansson.h>

typedef struct figure_results {
    figure_result *items;
    int count;
    const figure_job *job; // what could not be made, and where files are
} figure_results;

// Measures that pass, fall short, and are told without a bar; items that could not be done.
typedef struct figure_summary {
    int passed, short_of, told, failed;
} figure_summary;

figure_summary figure_summarise(const figure_results *results);

// Both write into the job's folder. False: sn_scene_error() says why.
bool figure_json_write(const figure_results *results);
bool figure_page_write(const figure_results *results);

// The document, for tests and writing; null without memory.
json_t *figure_json(const figure_results *results);

#endif
