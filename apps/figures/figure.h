// What an item of `sinew figures` is made of, and what it is given to work with: scenes that run, measures,
// pictures, films and plots. Items know scenes through the public headers only; they know nothing of files,
// of the page or of the command line.
#ifndef SINEW_FIGURES_FIGURE_H
#define SINEW_FIGURES_FIGURE_H

#include "apps/render/renderer.h"
#include "apps/terminal.h"
#include "scene/list.h"
#include "sinew_scene/scene.h"

enum { FIGURE_TEXT = 240, FIGURE_PATH = 1024 };

// --- what an item finds out --------------------------------------------------------------------------------

// How a measure is judged.
typedef enum figure_bar {
    FIGURE_TOLD, // not at all: a number to know
    FIGURE_AT_MOST,
    FIGURE_AT_LEAST,
    FIGURE_EQUAL
} figure_bar;

typedef struct figure_value {
    double ours;
    const char *unit;  // "" or null for a plain number
    const char *paper; // the paper's number, or its claim in words; null if it has none
    figure_bar bar;
    double limit;
} figure_value;

typedef struct figure_measure {
    char what[FIGURE_TEXT], paper[FIGURE_TEXT], unit[32];
    double ours, limit;
    figure_bar bar;
} figure_measure;

typedef enum figure_kind { FIGURE_PICTURE, FIGURE_FILM, FIGURE_PLOT } figure_kind;

typedef struct figure_image {
    figure_kind kind;
    char file[FIGURE_TEXT], caption[FIGURE_TEXT];
} figure_image;

// The state a run ended in: the same on every machine.
typedef struct figure_hash {
    char run[FIGURE_TEXT];
    uint64_t hash;
} figure_hash;

typedef struct figure_item figure_item;

typedef struct figure_result {
    const figure_item *item;
    double seconds;          // it took
    char error[FIGURE_TEXT]; // why it could not be done; empty if it was
    SN_LIST(figure_measure) measures;
    SN_LIST(figure_image) images;
    SN_LIST(figure_hash) hashes;
} figure_result;

bool figure_measure_passes(const figure_measure *measure);

// --- what an item works with -------------------------------------------------------------------------------

typedef struct figure_job {
    bool quick;         // shorter runs, smaller sizes, no films
    const char *folder; // that everything is written to
    const char *scenes; // folder of the scene files
    figure_result *result;
    renderer *renderer; // null until the first picture
    uint8_t *pixels;
    progress progress;
    double done; // items before this one, of all: 0…1
    char no_pictures[FIGURE_TEXT], no_films[FIGURE_TEXT], no_plots[FIGURE_TEXT]; // why there are none
} figure_job;

struct figure_item {
    const char *name;  // for --only
    const char *paper; // "Vezzaro 2015", …
    const char *title;
    const char *text; // a paragraph for the page
    // False: sn_scene_error() says why. What was found until then is kept.
    bool (*run)(figure_job *job);
};

// Every function here that returns false leaves its message in sn_scene_error().

// Adds a measure; `what` is a format.
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
bool figure_note(figure_job *job, figure_value value, const char *what, ...);

// --- scenes ------------------------------------------------------------------------------------------------

typedef struct figure_run {
    figure_job *job;
    sn_scene *scene;
    sn_world *world;
    float step; // [s]
    char name[FIGURE_TEXT];
    // Of the steps since figure_run_reset: how many, CPU time and wall-clock time [ms], sums of profiles.
    int steps;
    double cpu_total, cpu_worst, wall_total;
    double collide_total, solve_total, model_total, exact_total, move_total;
} figure_run;

enum { FIGURE_MAX_SETTINGS = 16 };

// A scene of the folder of scenes with settings as `--set` takes them, separated by blanks; "" for none.
bool figure_run_open(figure_job *job, figure_run *run, const char *file, const char *settings, int threads);
// The same from text; files it names are those of the folder of scenes.
bool figure_run_parse(figure_job *job, figure_run *run, const char *text, const char *name,
                      const char *settings, int threads);
void figure_run_close(figure_run *run);
void figure_run_reset(figure_run *run);
bool figure_run_step(figure_run *run);
bool figure_run_until(figure_run *run, double time);
// Notes the hash of the world now.
bool figure_run_hash(figure_run *run, const char *words);
// Mean CPU time of a step [ms].
double figure_run_mean(const figure_run *run);

// What steps of a scene cost. Runs do the same to the bit, so each step counts with the shortest CPU time of
// several runs: what else the machine did then is left out.
typedef struct figure_cost {
    double mean, worst; // [ms]
} figure_cost;

enum { FIGURE_MOST_STEPS = 1024 };

bool figure_cost_measure(figure_job *job, const char *file, const char *settings, double seconds, int runs,
                         figure_cost *cost);

// The body or deformable of this name; null ids if there is none.
sn_rigid figure_body(const figure_run *run, const char *name);
sn_deformable figure_deformable(const figure_run *run, const char *name);
double figure_probe(const figure_run *run, const char *name);
// Rows the last step solved: constraints of bodies, contacts with their friction, elements.
int figure_rows(const figure_run *run);

// --- pictures ----------------------------------------------------------------------------------------------

// Draws the scene as it is now, from its first camera. Without OpenGL there is no picture, and that is fine.
bool figure_picture(figure_run *run, const char *file, const char *caption);
// The same with bodies coloured by something.
bool figure_picture_by(figure_run *run, render_heat heat, const char *file, const char *caption);
// Runs on until `time` and films that; in a quick job, or without ffmpeg, only runs.
bool figure_film(figure_run *run, double time, const char *file, const char *caption);

typedef struct figure_curve {
    const char *name;
    const double *x, *y;
    int count;
    bool points; // not joined
} figure_curve;

typedef struct figure_axes {
    const char *x_title, *unit; // unit of y
    bool log_x, log_y;
} figure_axes;

bool figure_plot(figure_job *job, const char *file, const char *caption, figure_axes axes,
                 const figure_curve *curves, int count);

#endif
