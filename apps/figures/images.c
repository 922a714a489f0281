// Pictures, films and plots of items. What a machine cannot make is left out and said once: why is kept in
// the job. Tested by tests/apps/figures/test_images.c.
#include "apps/figures/figure.h"

#include "apps/gnuplot.h"
#include "apps/interrupt.h"
#include "apps/plot_script.h"
#include "apps/render/film.h"
#include "apps/timeline.h"
#include "scene/message.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 960, HEIGHT = 540, FRAMES_PER_SECOND = 25 };

static bool add_image(figure_job *job, figure_kind kind, const char *file, const char *caption)
{
    figure_image image = {.kind = kind};
    snprintf(image.file, sizeof image.file, "%s", file);
    snprintf(image.caption, sizeof image.caption, "%s", caption);
    if (!SN_LIST_PUSH(&job->result->images, image)) {
        sn_scene_fail(SN_ERROR_MEMORY, "no memory for an image");
        return false;
    }
    return true;
}

static void path_of(const figure_job *job, const char *file, const char *ending, char path[FIGURE_PATH],
                    char name[FIGURE_TEXT])
{
    snprintf(name, FIGURE_TEXT, "%s.%s", file, ending);
    snprintf(path, FIGURE_PATH, "%s/%s", job->folder, name);
}

// --- drawing -----------------------------------------------------------------------------------------------

static renderer *create_renderer(render_heat heat)
{
    render_options options = render_options_default();
    options.width = WIDTH;
    options.height = HEIGHT;
    options.heat = heat;
    return renderer_create(&options);
}

// False: there are no pictures on this machine.
static bool can_draw(figure_job *job)
{
    if (job->renderer != NULL || job->no_pictures[0] != '\0') {
        return job->renderer != NULL;
    }
    job->renderer = create_renderer(RENDER_COLORS);
    job->pixels = malloc((size_t)WIDTH * HEIGHT * 3);
    if (job->renderer == NULL || job->pixels == NULL) {
        snprintf(job->no_pictures, sizeof job->no_pictures, "%.200s",
                 job->renderer == NULL ? sn_scene_error() : "no memory");
        return false;
    }
    return true;
}

static bool draw(figure_run *run)
{
    sn_camera camera;
    return sn_scene_camera(run->scene, NULL, &camera) == SN_OK &&
           renderer_draw(run->job->renderer, run->scene, &camera, run->job->pixels);
}

bool figure_picture(figure_run *run, const char *file, const char *caption)
{
    figure_job *job = run->job;
    char path[FIGURE_PATH], name[FIGURE_TEXT];
    path_of(job, file, "png", path, name);
    if (!can_draw(job)) {
        return true;
    }
    return draw(run) && picture_write_png(path, WIDTH, HEIGHT, job->pixels) &&
           add_image(job, FIGURE_PICTURE, name, caption);
}

bool figure_picture_by(figure_run *run, render_heat heat, const char *file, const char *caption)
{
    figure_job *job = run->job;
    if (!can_draw(job)) {
        return true;
    }
    renderer *own = job->renderer;
    job->renderer = create_renderer(heat);
    bool fine = job->renderer != NULL && figure_picture(run, file, caption);
    if (job->renderer != NULL) {
        renderer_destroy(job->renderer);
    }
    job->renderer = own;
    return fine;
}

// --- filming -----------------------------------------------------------------------------------------------

static film *open_film(figure_job *job, const char *path)
{
    if (job->quick || job->no_films[0] != '\0' || !can_draw(job)) {
        return NULL;
    }
    interrupt_hide(true);
    film *film = film_open(path, WIDTH, HEIGHT, FRAMES_PER_SECOND);
    interrupt_hide(false);
    if (film == NULL) {
        snprintf(job->no_films, sizeof job->no_films, "%.200s", sn_scene_error());
    }
    return film;
}

static bool add_frames(figure_run *run, film *film, double begin, double time)
{
    timeline timeline = {(double)run->step, FRAMES_PER_SECOND};
    uint64_t count = timeline_frame_count(&timeline, timeline_steps(time - begin, timeline.step_length));
    for (uint64_t frame = 0; frame < count; ++frame) {
        double then = begin + (double)timeline_frame_step(&timeline, frame) * timeline.step_length;
        if (!figure_run_until(run, then) || !draw(run) || !film_add(film, run->job->pixels)) {
            return false;
        }
    }
    return true;
}

bool figure_film(figure_run *run, double time, const char *file, const char *caption)
{
    char path[FIGURE_PATH], name[FIGURE_TEXT];
    path_of(run->job, file, "mp4", path, name);
    film *film = open_film(run->job, path);
    if (film == NULL) {
        return figure_run_until(run, time);
    }
    if (!add_frames(run, film, sn_world_time(run->world), time)) {
        film_drop(film);
        return false;
    }
    return film_close(film) && add_image(run->job, FIGURE_FILM, name, caption) && figure_run_until(run, time);
}

// --- plotting ----------------------------------------------------------------------------------------------

enum { MOST_CURVES = 12 };

// A curve as a table of two columns, which borrow their words.
static bool fill_table(table *table, const figure_curve *curve, const figure_axes *axes)
{
    table_column x = {.title = (char *)axes->x_title, .name = (char *)axes->x_title, .unit = ""};
    table_column y = {.title = (char *)curve->name, .name = (char *)curve->name, .unit = (char *)axes->unit};
    bool fine = SN_LIST_PUSH(&table->columns, x) && SN_LIST_PUSH(&table->columns, y);
    for (int i = 0; i < curve->count && fine; ++i) {
        fine = SN_LIST_PUSH(&table->values, curve->x[i]) && SN_LIST_PUSH(&table->values, curve->y[i]);
    }
    table->path = curve->name;
    table->row_count = curve->count;
    return fine;
}

static bool write_plot(plot *plot, table *tables, const figure_axes *axes, const figure_curve *curves,
                       int count)
{
    bool fine = true;
    for (int i = 0; i < count && fine; ++i) {
        fine = fill_table(&tables[i], &curves[i], axes) && plot_add(plot, &tables[i], 0, 1);
        if (fine) {
            plot->curves.items[i].points = curves[i].points;
        }
    }
    FILE *script = fine ? tmpfile() : NULL;
    if (script == NULL) {
        sn_scene_fail(SN_ERROR_MEMORY, "no memory for a plot");
        return false;
    }
    plot_script_write(plot, script);
    fine = gnuplot_run(script);
    fclose(script);
    return fine;
}

bool figure_plot(figure_job *job, const char *file, const char *caption, figure_axes axes,
                 const figure_curve *curves, int count)
{
    char path[FIGURE_PATH], name[FIGURE_TEXT];
    table tables[MOST_CURVES] = {{0}};
    path_of(job, file, "svg", path, name);
    if (job->no_plots[0] != '\0') {
        return true;
    }
    count = count < MOST_CURVES ? count : MOST_CURVES;
    plot plot = {.output = path,
                 .format = PLOT_SVG,
                 .title = caption,
                 .log_x = axes.log_x,
                 .log_y = axes.log_y,
                 .x_title = axes.x_title};
    bool fine = write_plot(&plot, tables, &axes, curves, count);
    plot_release(&plot);
    for (int i = 0; i < count; ++i) {
        SN_LIST_FREE(&tables[i].columns);
        SN_LIST_FREE(&tables[i].values);
    }
    if (!fine) {
        snprintf(job->no_plots, sizeof job->no_plots, "%.200s", sn_scene_error());
        return true;
    }
    return add_image(job, FIGURE_PLOT, name, caption);
}
