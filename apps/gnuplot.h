// The gnuplot program, run with a script on its standard input.
#ifndef SINEW_APPS_GNUPLOT_H
#define SINEW_APPS_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

// Runs the script in `script` from its beginning. False: sn_scene_error() has gnuplot's last words, or how to
// install it.
bool gnuplot_run(FILE *script);

#endif
