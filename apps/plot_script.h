// A plot as a gnuplot script with its numbers in it: curves of one unit share a panel, panels share the x
// axis. Knows nothing of files and processes.
#ifndef SINEW_APPS_PLOT_SCRIPT_H
#define SINEW_APPS_PLOT_SCRIPT_H

#include "apps/table.h"

#include <stdio.h>

typedef enum plot_format { PLOT_SVG, PLOT_PNG, PLOT_PDF } plot_format;

typedef struct plot_curve {
    const table *table;
    int x, y; // columns
    int panel;
    bool points; // dots instead of a line
} plot_curve;

typedef struct plot {
    const char *output; // file to be written
    plot_format format;
    int width, height; // [pixels]; 0: chosen by the number of panels
    const char *title; // null for none
    bool log_x, log_y;
    bool name_files; // in the legend
    const char *x_title;
    SN_LIST(plot_curve) curves;
    SN_LIST(const char *) units; // of the panels
} plot;

// Adds a curve to the panel of its unit, making one if there is none; false without memory.
bool plot_add(plot *plot, const table *table, int x, int y);
void plot_release(plot *plot);

void plot_script_write(const plot *plot, FILE *out);

#endif
