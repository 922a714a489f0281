// `sinew figures`: the figures and tables of the four papers, made anew on this machine, next to the papers'
// own numbers.
#include "apps/command.h"
#include "apps/figures/items.h"
#include "apps/figures/results.h"
#include "apps/interrupt.h"
#include "apps/terminal.h"
#include "scene/output.h"
#include "scene/suggest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct figures_options {
    option_texts only;
    bool quick, list;
    const char *output;
} figures_options;

static const option table[] = {
    {"only", 0, OPTION_TEXTS, offsetof(figures_options, only), "NAME",
     "make this item or, if none is called so, all whose names begin\nso; more names may follow", 0, 0, NULL},
    {"quick", 0, OPTION_FLAG, offsetof(figures_options, quick), NULL,
     "a minute instead of a quarter of an hour: shorter runs,\nsmaller sizes, no films", 0, 0, NULL},
    {"output", 'o', OPTION_TEXT, offsetof(figures_options, output), "DIR",
     "folder to write into, made if missing; \"figures\" if not\ngiven", 0, 0, NULL},
    {"list", 0, OPTION_FLAG, offsetof(figures_options, list), NULL, "say which items there are", 0, 0, NULL},
    {0}};

// --- which items -------------------------------------------------------------------------------------------

static bool begins_so(const figure_item *item, const char *name)
{
    size_t length = strlen(name);
    return length > 0 && strncmp(item->name, name, length) == 0;
}

static bool is_item(const char *name)
{
    for (int i = 0; i < figure_item_count(); ++i) {
        if (strcmp(figure_item_at(i)->name, name) == 0) {
            return true;
        }
    }
    return false;
}

// Marks the items that a name stands for; false, with a message, if there are none.
static bool choose(const char *name, bool *chosen)
{
    bool found = false, exact = is_item(name);
    const char **names = calloc((size_t)figure_item_count(), sizeof *names);
    for (int i = 0; i < figure_item_count(); ++i) {
        const figure_item *item = figure_item_at(i);
        bool match = exact ? strcmp(item->name, name) == 0 : begins_so(item, name);
        chosen[i] = chosen[i] || match;
        found = found || match;
        if (names != NULL) {
            names[i] = item->name;
        }
    }
    if (!found) {
        const char *nearest = names != NULL ? sn_suggest(name, names, figure_item_count()) : NULL;
        command_fail("figures", EXIT_USAGE,
                     "--only: '%s' is no item%s%s%s; `sinew figures --list` lists them", name,
                     nearest != NULL ? ", did you mean '" : "", nearest != NULL ? nearest : "",
                     nearest != NULL ? "'?" : "");
    }
    free(names);
    return found;
}

static bool choose_all(const figures_options *options, char **operands, int operand_count, bool *chosen)
{
    bool fine = true;
    for (int i = 0; i < options->only.count; ++i) {
        fine = choose(options->only.items[i], chosen) && fine;
    }
    for (int i = 0; i < operand_count; ++i) {
        fine = choose(operands[i], chosen) && fine;
    }
    for (int i = 0; options->only.count + operand_count == 0 && i < figure_item_count(); ++i) {
        chosen[i] = true;
    }
    return fine;
}

static int print_list(void)
{
    for (int i = 0; i < figure_item_count(); ++i) {
        printf("%-24s %-14s %s\n", figure_item_at(i)->name, figure_item_at(i)->paper,
               figure_item_at(i)->title);
    }
    return EXIT_FINE;
}

// --- where ------------------------------------------------------------------------------------------------

// Makes the folder and tries to begin a file in it, before long work.
static bool make_folder(const char *path)
{
    char file[FIGURE_PATH];
    struct stat status;
    sn_output trial;
    // Names of files come behind it.
    bool is_long = strlen(path) >= FIGURE_PATH - FIGURE_TEXT;
    int error = is_long ? ENAMETOOLONG : mkdir(path, 0777) == 0 || errno == EEXIST ? 0 : errno;
    if (error == 0 && (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))) {
        error = ENOTDIR;
    }
    if (error != 0) {
        command_fail("figures", EXIT_FAILED, "%s: cannot be written into: %s", path, strerror(error));
        return false;
    }
    snprintf(file, sizeof file, "%s/figures.json", path);
    if (sn_output_open(&trial, file) != SN_OK) {
        command_fail("figures", EXIT_FAILED, "%s", sn_scene_error());
        return false;
    }
    sn_output_drop(&trial);
    return true;
}

// SINEW_SCENES_BUILT and SINEW_SCENES_INSTALLED come from the build.
static const char *find_scenes(void)
{
    return access(SINEW_SCENES_BUILT "/tower.json", R_OK) == 0 ? SINEW_SCENES_BUILT : SINEW_SCENES_INSTALLED;
}

// --- the work ----------------------------------------------------------------------------------------------

static void print_result(const figure_result *result, const terminal *terminal)
{
    int passed = 0, judged = 0;
    for (int i = 0; i < result->measures.count; ++i) {
        const figure_measure *measure = &result->measures.items[i];
        judged += measure->bar != FIGURE_TOLD;
        passed += measure->bar != FIGURE_TOLD && figure_measure_passes(measure);
    }
    bool fine = passed == judged && result->error[0] == '\0';
    printf("%-24s %s%d of %d%s %6.1f s  %s\n", result->item->name,
           terminal_code(terminal, fine ? STYLE_GREEN : STYLE_YELLOW), passed, judged,
           terminal_code(terminal, STYLE_PLAIN), result->seconds, result->item->title);
    if (result->error[0] != '\0') {
        printf("%-24s %s%s%s\n", "", terminal_code(terminal, STYLE_RED), result->error,
               terminal_code(terminal, STYLE_PLAIN));
    }
    fflush(stdout);
}

static void make_item(figure_job *job, const figure_item *item, figure_result *result)
{
    double begin = clock_seconds();
    *result = (figure_result){.item = item};
    job->result = result;
    if (job->progress.visible) {
        progress_draw(&job->progress, job->done, item->name);
    }
    if (!item->run(job)) {
        snprintf(result->error, sizeof result->error, "%.200s", sn_scene_error());
    }
    result->seconds = clock_seconds() - begin;
}

static void note_missing(const figure_job *job)
{
    const char *const words[] = {"pictures", "films", "plots"};
    const char *const reasons[] = {job->no_pictures, job->no_films, job->no_plots};
    for (int i = 0; i < 3; ++i) {
        if (reasons[i][0] != '\0') {
            command_note("figures", "there are no %s: %s", words[i], reasons[i]);
        }
    }
}

static int finish(const figure_results *results)
{
    figure_summary summary = figure_summarise(results);
    note_missing(results->job);
    if (!figure_json_write(results) || !figure_page_write(results)) {
        return command_fail("figures", EXIT_FAILED, "%s", sn_scene_error());
    }
    printf("%d of %d measures pass, %d fall short, %d are told without a bar\n%s/index.html\n",
           summary.passed, summary.passed + summary.short_of, summary.short_of, summary.told,
           results->job->folder);
    if (interrupt_came()) {
        return interrupt_code();
    }
    if (summary.failed > 0) {
        return command_fail("figures", EXIT_FAILED, "%d item%s could not be done", summary.failed,
                            summary.failed == 1 ? "" : "s");
    }
    return EXIT_FINE;
}

static int make_items(figure_job *job, const bool *chosen, figure_result *results)
{
    terminal terminal = terminal_of(stdout);
    int total = 0, count = 0;
    for (int i = 0; i < figure_item_count(); ++i) {
        total += chosen[i];
    }
    interrupt_watch();
    job->progress = progress_begin(stderr);
    for (int i = 0; i < figure_item_count() && !interrupt_came(); ++i) {
        if (chosen[i]) {
            job->done = (double)count / total;
            make_item(job, figure_item_at(i), &results[count++]);
            progress_end(&job->progress);
            print_result(&results[count - 1], &terminal);
        }
    }
    progress_end(&job->progress);
    int code = finish(&(figure_results){results, count, job});
    interrupt_end();
    return code;
}

static void release(figure_job *job, figure_result *results)
{
    for (int i = 0; results != NULL && i < figure_item_count(); ++i) {
        SN_LIST_FREE(&results[i].measures);
        SN_LIST_FREE(&results[i].images);
        SN_LIST_FREE(&results[i].hashes);
    }
    free(results);
    free(job->pixels);
    if (job->renderer != NULL) {
        renderer_destroy(job->renderer);
    }
}

static int execute(int count, char **arguments)
{
    figures_options options = {.output = "figures"};
    int operands = options_read(&command_figures.line, count, arguments, &options);
    if (operands < 0) {
        return EXIT_USAGE;
    }
    if (options.list) {
        return print_list();
    }
    bool *chosen = calloc((size_t)figure_item_count(), sizeof *chosen);
    figure_result *results = calloc((size_t)figure_item_count(), sizeof *results);
    figure_job job = {.quick = options.quick, .folder = options.output, .scenes = find_scenes()};
    int code = EXIT_FAILED;
    if (chosen == NULL || results == NULL) {
        command_fail("figures", EXIT_FAILED, "no memory");
    } else if (!choose_all(&options, arguments + 1, operands, chosen)) {
        code = EXIT_USAGE;
    } else if (make_folder(options.output)) {
        code = make_items(&job, chosen, results);
    }
    release(&job, results);
    free(chosen);
    return code;
}

const command command_figures = {
    .name = "figures",
    .summary = "make the figures and tables of the papers, with their numbers beside",
    .help =
        "Makes the figures and tables of the papers that Sinew implements on this machine: Vezzaro 2015, "
        "Gissler\n"
        "2006, Frâncu 2017, Müller 2017, and their errata. Writes figures.json (item, measure, the paper's\n"
        "number, ours, unit, whether it passes), index.html (all of it to look at), pictures, plots (by\n"
        "gnuplot) and films (by ffmpeg) into a folder. What falls short is said, and is no failure; an item\n"
        "that could not be done is.\n",
    .run = execute,
    .line = {"[NAME...]", 0, 200, table},
    .examples = "  sinew figures --quick --only gissler-2 vezzaro-errata -o figures\n"
                "  sinew figures --only vezzaro-4 -o figures\n"
                "  sinew figures --list\n"};
