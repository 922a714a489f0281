// `sinew plot`: traces as curves, drawn by gnuplot.
#include "apps/command.h"
#include "apps/describe.h"
#include "apps/gnuplot.h"
#include "apps/loading.h"
#include "apps/plot_script.h"
#include "apps/timeline.h"
#include "scene/message.h"
#include "scene/output.h"
#include "scene/sources.h"
#include "sinew_scene/trace.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 64, MOST_CURVES = 1000 };

typedef struct plot_options {
    const char *output, *script, *title, *x;
    option_texts columns;
    option_size size;
    int log; // an index into `axes`
} plot_options;

static const char *const axes[] = {"none", "y", NULL};

static const option table_of_options[] = {
    {"output", 'o', OPTION_TEXT, offsetof(plot_options, output), "FILE", "the plot: .svg, .png or .pdf", 0, 0,
     NULL},
    {"columns", 'c', OPTION_TEXTS, offsetof(plot_options, columns), "NAME,NAME",
     "the columns to draw, with or without their units;\nall if not given; may be repeated", 0, 0, NULL},
    {"x", 'x', OPTION_TEXT, offsetof(plot_options, x), "NAME",
     "the column to draw them over; the first if not given", 0, 0, NULL},
    {"title", 't', OPTION_TEXT, offsetof(plot_options, title), "TEXT", "a line above the plot", 0, 0, NULL},
    {"size", 0, OPTION_SIZE, offsetof(plot_options, size), "WIDTHxHEIGHT",
     "of the plot in pixels (96 an inch)", 200, 10000, NULL},
    {"log", 0, OPTION_CHOICE, offsetof(plot_options, log), "AXIS", "a logarithmic scale for this axis: y", 0,
     0, axes},
    {"script", 0, OPTION_TEXT, offsetof(plot_options, script), "FILE.gp",
     "keep the gnuplot script, which has the numbers in it", 0, 0, NULL},
    {0}};

// --- scenes ------------------------------------------------------------------------------------------------

static int fail_with_scene_error(void)
{
    return command_fail("plot", EXIT_FAILED, "%s", sn_scene_error());
}

// Simulates a scene, or replays a recording, for its duration, with a trace into a file.
static bool trace_scene(sn_scene *scene, const char *path)
{
    sn_trace *trace = NULL;
    uint64_t steps = timeline_steps((double)sn_scene_duration(scene), (double)sn_scene_step_length(scene));
    bool fine = sn_trace_begin(scene, path, &trace) == SN_OK && sn_trace_row(trace) == SN_OK;
    for (uint64_t i = 0; i < steps && fine; ++i) {
        fine = sn_scene_step(scene, sn_scene_step_length(scene)) == SN_OK && sn_trace_row(trace) == SN_OK;
    }
    if (!fine) {
        sn_trace_drop(trace);
        return false;
    }
    return sn_trace_end(trace) == SN_OK;
}

// Makes standard input a file that can be read again, and says whether it is a scene: those begin with a
// brace or have bytes that no text has.
static bool look_at_standard_input(bool *is_scene)
{
    char buffer[4096];
    ssize_t got = 0;
    FILE *copy = tmpfile();
    bool fine = copy != NULL, begun = false;
    while (fine && (got = read(STDIN_FILENO, buffer, sizeof buffer)) > 0) {
        size_t first = 0, count = (size_t)got;
        while (first < count && (buffer[first] == ' ' || buffer[first] == '\t' || buffer[first] == '\r' ||
                                 buffer[first] == '\n')) {
            ++first;
        }
        if (!begun && first < count) {
            *is_scene = buffer[first] == '{' || memchr(buffer, '\0', count) != NULL;
            begun = true;
        }
        fine = fwrite(buffer, 1, count, copy) == count;
    }
    fine = fine && got == 0 && fflush(copy) == 0 && lseek(fileno(copy), 0, SEEK_SET) == 0 &&
           dup2(fileno(copy), STDIN_FILENO) >= 0;
    if (!fine) {
        command_fail("plot", EXIT_FAILED, "standard input cannot be kept: %s", strerror(errno));
    }
    if (copy != NULL) {
        fclose(copy);
    }
    return fine;
}

// The table of a trace, or of the trace of a scene; curves are called after the path in both cases.
static bool read_table(table *table, const char *path)
{
    bool is_standard = path_is_standard(path);
    bool is_scene = !is_standard && (path_ends_in(path, "json") || path_ends_in(path, "state") ||
                                     path_ends_in(path, "recording"));
    if (is_standard && !look_at_standard_input(&is_scene)) {
        return false;
    }
    if (!is_scene) {
        bool read = table_read(table, is_standard ? "/dev/stdin" : path) || (fail_with_scene_error(), false);
        table->path = path;
        return read;
    }
    char traced[] = "/tmp/sinew-plot-XXXXXX";
    sn_scene *scene = scene_open(path, 0, NULL, false);
    int file = scene != NULL ? mkstemp(traced) : -1;
    bool fine = file >= 0;
    if (scene != NULL && !fine) {
        command_fail("plot", EXIT_FAILED, "no temporary file: %s", strerror(errno));
    } else if (fine) {
        close(file);
        fine = (trace_scene(scene, traced) && table_read(table, traced)) || (fail_with_scene_error(), false);
        unlink(traced);
    }
    sn_scene_destroy(scene);
    table->path = path;
    return fine;
}

// --- which curves ------------------------------------------------------------------------------------------

static bool find_column(const table *table, const char *name, int *column)
{
    *column = table_find(table, name);
    if (*column < 0) {
        const char *nearest = table_suggest(table, name);
        command_fail("plot", EXIT_FAILED, "%s: no column \"%s\"%s%s%s", table->path, name,
                     nearest != NULL ? ", did you mean \"" : "", nearest != NULL ? nearest : "",
                     nearest != NULL ? "\"?" : "");
    }
    return *column >= 0;
}

// Whether there is anything to see: a value at a place, above zero on a logarithmic scale.
static bool has_points(const table *table, int x, int y, bool log_y)
{
    for (int row = 0; row < table->row_count; ++row) {
        double value = table_value(table, row, y);
        if (isfinite(table_value(table, row, x)) && isfinite(value) && (!log_y || value > 0.0)) {
            return true;
        }
    }
    return false;
}

static bool add_curve(plot *plot, const table *table, int x, int y)
{
    if (!has_points(table, x, y, plot->log_y)) {
        command_fail("plot", EXIT_FAILED, "%s: column \"%s\" has no values%s to draw", table->path,
                     table->columns.items[y].title, plot->log_y ? " above zero" : "");
        return false;
    }
    if (plot->curves.count == MOST_CURVES) {
        command_fail("plot", EXIT_FAILED, "more than %d curves; choose some with --columns", MOST_CURVES);
        return false;
    }
    if (!plot_add(plot, table, x, y)) {
        command_fail("plot", EXIT_FAILED, "no memory for %d curves", plot->curves.count + 1);
        return false;
    }
    return true;
}

// One --columns: the name of a column, which may hold commas, or several with commas between them.
static bool add_named(plot *plot, const table *table, int x, const char *names)
{
    int y = table_find(table, names);
    if (y >= 0) {
        return add_curve(plot, table, x, y);
    }
    char *copy = strdup(names), *rest = copy;
    bool fine = copy != NULL || (command_fail("plot", EXIT_FAILED, "no memory"), false);
    while (fine && rest != NULL) {
        char *name = rest, *comma = strchr(rest, ',');
        rest = comma != NULL ? comma + 1 : NULL;
        if (comma != NULL) {
            *comma = '\0';
        }
        fine = find_column(table, name, &y) && add_curve(plot, table, x, y);
    }
    free(copy);
    return fine;
}

static bool add_table(plot *plot, const table *table, const plot_options *options)
{
    int x = 0;
    if (options->x != NULL && !find_column(table, options->x, &x)) {
        return false;
    }
    plot->x_title = table->columns.items[x].title;
    for (int i = 0; i < options->columns.count; ++i) {
        if (!add_named(plot, table, x, options->columns.items[i])) {
            return false;
        }
    }
    for (int y = 0; options->columns.count == 0 && y < table->columns.count; ++y) {
        bool empty = !has_points(table, x, y, plot->log_y);
        if (y != x && empty) {
            command_note("plot", "%s: column \"%s\" has no values%s and is left out", table->path,
                         table->columns.items[y].title, plot->log_y ? " above zero" : "");
        }
        if (y != x && !empty && !add_curve(plot, table, x, y)) {
            return false;
        }
    }
    return true;
}

// --- drawing -----------------------------------------------------------------------------------------------

static bool keep_script(const plot *plot, const char *path)
{
    sn_output output;
    if (sn_output_open(&output, path) == SN_OK) {
        plot_script_write(plot, output.file);
        if (ferror(output.file) != 0) {
            output.error = EIO;
        }
        if (sn_output_close(&output) == SN_OK) {
            return true;
        }
    }
    command_fail("plot", EXIT_FAILED, "%s", sn_scene_error());
    return false;
}

// gnuplot keeps standard output for what it has to say, so it draws into a file that is passed on.
static bool draw_to_standard_output(const plot *plot, FILE *script)
{
    struct plot drawn = *plot;
    char path[] = "/tmp/sinew-plot-XXXXXX";
    int file = mkstemp(path);
    if (file < 0) {
        sn_scene_fail(SN_ERROR_FILE, "%s: cannot be written: %s", path, strerror(errno));
        return false;
    }
    close(file);
    drawn.output = path;
    plot_script_write(&drawn, script);
    char *bytes = NULL;
    size_t size = 0;
    sn_output output;
    bool fine = gnuplot_run(script) && sn_source_read(NULL, path, SN_MAX_FILE_SIZE, &bytes, &size) == SN_OK &&
                sn_output_open(&output, plot->output) == SN_OK;
    if (fine) {
        sn_output_bytes(&output, bytes, size);
        fine = sn_output_close(&output) == SN_OK;
    }
    free(bytes);
    unlink(path);
    return fine;
}

// gnuplot draws into a file beside the plot, which takes its place when it is whole.
static bool draw_beside(const plot *plot, FILE *script)
{
    struct plot drawn = *plot;
    sn_replacement replacement;
    int file = -1, error = sn_replacement_begin(&replacement, plot->output, &file);
    if (error == 0) {
        close(file);
        drawn.output = replacement.beside;
        plot_script_write(&drawn, script);
        if (!gnuplot_run(script)) {
            sn_replacement_drop(&replacement);
            return false;
        }
        error = sn_replacement_keep(&replacement);
    }
    if (error != 0) {
        sn_scene_fail(SN_ERROR_FILE, "%s: cannot be written: %s", plot->output, strerror(error));
    }
    return error == 0;
}

static int draw(const plot *plot, const plot_options *options)
{
    if (plot->curves.count == 0) {
        return command_fail("plot", EXIT_FAILED, "nothing to draw: no column besides the x axis has values");
    }
    if (options->script != NULL && !keep_script(plot, options->script)) {
        return EXIT_FAILED;
    }
    FILE *script = tmpfile();
    if (script == NULL) {
        return command_fail("plot", EXIT_FAILED, "no temporary file: %s", strerror(errno));
    }
    bool fine = (path_is_standard(plot->output) ? draw_to_standard_output : draw_beside)(plot, script);
    fclose(script);
    if (!fine) {
        return command_fail("plot", EXIT_FAILED, "%s", sn_scene_error());
    }
    text_makes_way(plot->output);
    printf("%s: %s in %s\n", plot->output, describe_count(plot->curves.count, "curve", "curves").text,
           describe_count(plot->units.count, "panel", "panels").text);
    return EXIT_FINE;
}

// Whether a file to be written, which may be null, is none of the traces.
static bool spares(const char *written, int count, char **paths)
{
    struct stat found, trace;
    bool spared = true;
    for (int i = 0; written != NULL && stat(written, &found) == 0 && spared && i < count; ++i) {
        spared = stat(paths[i], &trace) != 0 || trace.st_dev != found.st_dev || trace.st_ino != found.st_ino;
    }
    if (!spared) {
        command_fail("plot", EXIT_FAILED, "%s: is what is drawn, expected another file to write", written);
    }
    return spared;
}

static int plot_files(const plot_options *options, plot_format format, int count, char **paths)
{
    table tables[MOST_FILES] = {0};
    plot plot = {.output = options->output,
                 .format = format,
                 .width = options->size.width,
                 .height = options->size.height,
                 .title = options->title,
                 .log_y = options->log == 1,
                 .name_files = count > 1};
    bool fine = true;
    for (int i = 0; i < count && fine; ++i) {
        fine = read_table(&tables[i], paths[i]) && add_table(&plot, &tables[i], options);
    }
    fine = fine && spares(options->output, count, paths) && spares(options->script, count, paths);
    int code = fine ? draw(&plot, options) : EXIT_FAILED;
    plot_release(&plot);
    for (int i = 0; i < count; ++i) {
        table_release(&tables[i]);
    }
    return code;
}

static int execute(int count, char **arguments)
{
    static const char *const endings[] = {[PLOT_SVG] = "svg", [PLOT_PNG] = "png", [PLOT_PDF] = "pdf"};
    plot_options options = {0};
    int files = options_read(&command_plot.line, count, arguments, &options);
    if (files < 0) {
        return EXIT_USAGE;
    }
    if (options.output == NULL) {
        return command_fail("plot", EXIT_USAGE,
                            "-o is missing, expected the file to draw: .svg, .png or .pdf");
    }
    int format = 0;
    while (format < 3 && !path_ends_in(options.output, endings[format])) {
        ++format;
    }
    if (format == 3 || strpbrk(options.output, "\r\n") != NULL) {
        return command_fail("plot", EXIT_USAGE,
                            "-o: '%s' is no plot, expected a name ending in .svg, .png or .pdf",
                            options.output);
    }
    if (!path_can_be_written("plot", options.output)) {
        return EXIT_FAILED;
    }
    return plot_files(&options, (plot_format)format, files, arguments + 1);
}

const command command_plot = {.name = "plot",
                              .summary = "draw traces as curves (gnuplot)",
                              .help =
                                  "Draws what `sinew run --trace` wrote: a column is a curve, curves of "
                                  "one unit share a panel. Several traces\n"
                                  "are drawn into the same panels, to be compared. A scene or a recording "
                                  "(.json, .state, .recording) is run for\n"
                                  "its duration, and what its probes say is drawn.\n",
                              .run = execute,
                              .line = {"TRACE.csv|SCENE…", 1, MOST_FILES, table_of_options},
                              .examples = "  sinew run scenes/pendulum.json --trace pendulum.csv\n"
                                          "  sinew plot pendulum.csv -o pendulum.svg\n"
                                          "  sinew plot scenes/pendulum.json -o pendulum.png\n"};
