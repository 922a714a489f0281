// What items are given: measures, and scenes that run and are timed. Tested by tests/apps/figures/test_job.c.
#include "apps/figures/figure.h"

#include "apps/interrupt.h"
#include "bench/shared/numbers.h"
#include "scene/message.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// --- measures ----------------------------------------------------------------------------------------------

bool figure_measure_passes(const figure_measure *measure)
{
    switch (measure->bar) {
    case FIGURE_AT_MOST:
        return measure->ours <= measure->limit;
    case FIGURE_AT_LEAST:
        return measure->ours >= measure->limit;
    case FIGURE_EQUAL:
        return measure->ours == measure->limit;
    default:
        return true;
    }
}

bool figure_note(figure_job *job, figure_value value, const char *what, ...)
{
    figure_measure measure = {.ours = value.ours, .limit = value.limit, .bar = value.bar};
    va_list arguments;
    va_start(arguments, what);
    vsnprintf(measure.what, sizeof measure.what, what, arguments);
    va_end(arguments);
    snprintf(measure.paper, sizeof measure.paper, "%s", value.paper != NULL ? value.paper : "");
    snprintf(measure.unit, sizeof measure.unit, "%s", value.unit != NULL ? value.unit : "");
    if (!SN_LIST_PUSH(&job->result->measures, measure)) {
        sn_scene_fail(SN_ERROR_MEMORY, "no memory for a measure");
        return false;
    }
    return true;
}

// --- scenes ------------------------------------------------------------------------------------------------

// Cuts the settings, which have blanks between them, into a list.
static int split(char *settings, const char *list[FIGURE_MAX_SETTINGS])
{
    int count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(settings, " ", &rest); word != NULL && count < FIGURE_MAX_SETTINGS;
         word = strtok_r(NULL, " ", &rest)) {
        list[count++] = word;
    }
    return count;
}

static bool begin(figure_run *run, sn_status status)
{
    if (status == SN_OK) {
        run->world = sn_scene_world(run->scene);
        run->step = sn_scene_step_length(run->scene);
    }
    return status == SN_OK;
}

bool figure_run_open(figure_job *job, figure_run *run, const char *file, const char *settings, int threads)
{
    char path[FIGURE_PATH], words[FIGURE_PATH];
    const char *list[FIGURE_MAX_SETTINGS];
    *run = (figure_run){.job = job};
    snprintf(run->name, sizeof run->name, "%s %s", file, settings);
    snprintf(path, sizeof path, "%s/%s", job->scenes, file);
    snprintf(words, sizeof words, "%s", settings);
    sn_scene_options options = {.threads = threads, .settings = list};
    options.setting_count = split(words, list);
    return begin(run, sn_scene_load(path, &options, &run->scene));
}

bool figure_run_parse(figure_job *job, figure_run *run, const char *text, const char *name,
                      const char *settings, int threads)
{
    char path[FIGURE_PATH], words[FIGURE_PATH];
    const char *list[FIGURE_MAX_SETTINGS];
    *run = (figure_run){.job = job};
    snprintf(run->name, sizeof run->name, "%s %s", name, settings);
    snprintf(path, sizeof path, "%s/%s", job->scenes, name);
    snprintf(words, sizeof words, "%s", settings);
    sn_scene_options options = {.threads = threads, .settings = list};
    options.setting_count = split(words, list);
    return begin(run, sn_scene_parse(text, strlen(text), path, &options, &run->scene));
}

void figure_run_close(figure_run *run)
{
    sn_scene_destroy(run->scene);
    *run = (figure_run){0};
}

void figure_run_reset(figure_run *run)
{
    run->steps = 0;
    run->cpu_total = run->cpu_worst = run->wall_total = 0.0;
    run->collide_total = run->solve_total = run->model_total = run->exact_total = run->move_total = 0.0;
}

static void add_profile(figure_run *run)
{
    sn_profile p = sn_world_profile(run->world);
    run->collide_total += (double)(p.collide + p.guard + p.sweep);
    run->solve_total += (double)(p.prepare + p.solve + p.relax + p.restitution);
    run->model_total += (double)p.models;
    run->exact_total += (double)p.exact;
    run->move_total += (double)p.integrate;
}

static void show_progress(figure_run *run)
{
    figure_job *job = run->job;
    char text[FIGURE_TEXT];
    if (progress_is_due(&job->progress)) {
        snprintf(text, sizeof text, "%s %.2f s", job->result->item->name, sn_world_time(run->world));
        progress_draw(&job->progress, job->done, text);
    }
}

bool figure_run_step(figure_run *run)
{
    if (interrupt_came()) {
        sn_scene_fail(SN_ERROR_FILE, "ended by a signal");
        return false;
    }
    double cpu = bench_cpu_clock(), wall = bench_wall_clock();
    if (sn_world_step(run->world, run->step) != SN_OK) {
        sn_scene_fail(SN_ERROR_KIND, "%s at %.4f s: %s", run->name, sn_world_time(run->world),
                      sn_world_error(run->world));
        return false;
    }
    cpu = bench_cpu_clock() - cpu;
    run->wall_total += bench_wall_clock() - wall;
    run->cpu_total += cpu;
    run->cpu_worst = fmax(run->cpu_worst, cpu);
    ++run->steps;
    add_profile(run);
    show_progress(run);
    return true;
}

bool figure_run_until(figure_run *run, double time)
{
    // Half a step early: times are sums of steps.
    while (sn_world_time(run->world) < time - 0.5 * (double)run->step) {
        if (!figure_run_step(run)) {
            return false;
        }
    }
    return true;
}

bool figure_run_hash(figure_run *run, const char *words)
{
    figure_hash hash = {.hash = sn_world_hash(run->world)};
    snprintf(hash.run, sizeof hash.run, "%s", words);
    if (!SN_LIST_PUSH(&run->job->result->hashes, hash)) {
        sn_scene_fail(SN_ERROR_MEMORY, "no memory for a hash");
        return false;
    }
    return true;
}

double figure_run_mean(const figure_run *run)
{
    return run->steps > 0 ? run->cpu_total / run->steps : 0.0;
}

static bool time_steps(figure_job *job, const char *file, const char *settings, double seconds, bool first,
                       double *times, int *count)
{
    figure_run run;
    bool fine = figure_run_open(job, &run, file, settings, 1);
    *count = 0;
    while (fine && sn_world_time(run.world) < seconds && *count < FIGURE_MOST_STEPS) {
        double before = run.cpu_total;
        fine = figure_run_step(&run);
        double time = run.cpu_total - before;
        times[*count] = first ? time : fmin(times[*count], time);
        ++*count;
    }
    figure_run_close(&run);
    return fine;
}

bool figure_cost_measure(figure_job *job, const char *file, const char *settings, double seconds, int runs,
                         figure_cost *cost)
{
    double times[FIGURE_MOST_STEPS] = {0};
    int count = 0;
    *cost = (figure_cost){0};
    for (int i = 0; i < runs; ++i) {
        if (!time_steps(job, file, settings, seconds, i == 0, times, &count)) {
            return false;
        }
    }
    for (int i = 0; i < count; ++i) {
        cost->mean += times[i] / count;
        cost->worst = fmax(cost->worst, times[i]);
    }
    return true;
}

// --- what is in them ---------------------------------------------------------------------------------------

sn_rigid figure_body(const figure_run *run, const char *name)
{
    int count = sn_world_rigids(run->world, NULL, 0);
    sn_rigid *ids = malloc((size_t)count * sizeof *ids), found = {0};
    count = ids != NULL ? sn_world_rigids(run->world, ids, count) : 0;
    for (int i = 0; i < count; ++i) {
        if (strcmp(sn_rigid_name(run->world, ids[i]), name) == 0) {
            found = ids[i];
            break;
        }
    }
    free(ids);
    return found;
}

sn_deformable figure_deformable(const figure_run *run, const char *name)
{
    sn_deformable ids[64];
    int count = sn_world_deformables(run->world, ids, 64);
    for (int i = 0; i < count && i < 64; ++i) {
        if (strcmp(sn_deformable_name(run->world, ids[i]), name) == 0) {
            return ids[i];
        }
    }
    return (sn_deformable){0};
}

double figure_probe(const figure_run *run, const char *name)
{
    for (int i = 0; i < sn_scene_probe_count(run->scene); ++i) {
        if (strcmp(sn_scene_probe_name(run->scene, i), name) == 0) {
            return sn_scene_probe_value(run->scene, i);
        }
    }
    return (double)NAN;
}

int figure_rows(const figure_run *run)
{
    sn_statistics s = sn_world_statistics(run->world);
    // A contact is a row along its normal and two of friction.
    return s.element_count + 3 * (s.soft_contact_count + s.contact_point_count) + 3 * s.constraint_count;
}
