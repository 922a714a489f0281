// `sinew run`: simulates a scene as fast as it goes and reports how well that went.
#include "apps/command.h"
#include "apps/interrupt.h"
#include "apps/json_values.h"
#include "apps/loading.h"
#include "apps/outputs.h"
#include "apps/report.h"
#include "apps/terminal.h"
#include "sinew_scene/recording.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct run_options {
    double seconds; // 0: as long as the scene says
    int steps;      // 0: by seconds
    double step;    // 0: as the scene says
    int threads;
    option_texts settings;
    bool json, anywhere;
    const char *trace, *residuals, *folder, *save, *record;
    int format; // −1: not given
    double fps; // 0: not given
} run_options;

static const char *const formats[] = {"vtk", "obj", "gltf", NULL}; // in the order of sn_export_format

static const option table[] = {
    {"seconds", 0, OPTION_NUMBER, offsetof(run_options, seconds), "S",
     "how long to simulate [s]; else the scene's duration", 1e-6, 1e7, NULL},
    {"steps", 0, OPTION_INTEGER, offsetof(run_options, steps), "N", "how many steps to take instead", 1,
     INT_MAX, NULL},
    {"step", 0, OPTION_NUMBER, offsetof(run_options, step), "H",
     "length of a step [s], as 0.01 or 1/120; else the scene's", 1e-6, 1, NULL},
    {"threads", 0, OPTION_INTEGER, offsetof(run_options, threads), "N",
     "threads to compute with; the result is the same with any number", 1, 64, NULL},
    {"set", 0, OPTION_TEXTS, offsetof(run_options, settings), "PATH=VALUE",
     "change a value of the scene file before it is loaded; may be repeated", 0, 0, NULL},
    OPTION_ALLOW_ANYWHERE(run_options, anywhere),
    {"json", 0, OPTION_FLAG, offsetof(run_options, json), NULL, "the report as one JSON object", 0, 0, NULL},
    {"trace", 0, OPTION_TEXT, offsetof(run_options, trace), "FILE.csv",
     "write the scene's probes at every step", 0, 0, NULL},
    {"residuals", 0, OPTION_TEXT, offsetof(run_options, residuals), "FILE.csv",
     "write the errors of the position solver's iterations in the\nlast step, for `sinew plot --log y`", 0, 0,
     NULL},
    {"out", 0, OPTION_TEXT, offsetof(run_options, folder), "DIR",
     "write frames for other programs into this folder", 0, 0, NULL},
    {"format", 0, OPTION_CHOICE, offsetof(run_options, format), "FORMAT",
     "of those frames: vtk (ParaView; the default), obj, or\ngltf (three.js, Blender)", 0, 0, formats},
    {"fps", 0, OPTION_NUMBER, offsetof(run_options, fps), "F",
     "frames a second; if not given, nearest to 30 by whole steps", 0.001, 1e4, NULL},
    {"save", 0, OPTION_TEXT, offsetof(run_options, save), "FILE",
     "write the end as a scene (.json) or, to go on bit for bit,\nas a state (.state)", 0, 0, NULL},
    {"record", 0, OPTION_TEXT, offsetof(run_options, record), "FILE",
     "write every step into a recording (.recording), which replays\nto the same hashes", 0, 0, NULL},
    {0}};

static int conflict(const char *given, const char *problem)
{
    return command_fail("run", EXIT_USAGE, "%s %s", given, problem);
}

static int check_options(const run_options *options)
{
    if (options->seconds > 0.0 && options->steps > 0) {
        return conflict("--seconds and --steps", "exclude each other: give one of them");
    }
    if (options->folder == NULL && options->format >= 0) {
        return conflict("--format", "needs --out DIR, the folder to write into");
    }
    if (options->folder == NULL && options->fps > 0.0) {
        return conflict("--fps", "needs --out DIR, the folder to write into");
    }
    if (options->save != NULL && !path_ends_in(options->save, "json") &&
        !path_ends_in(options->save, "state")) {
        return command_fail("run", EXIT_USAGE, "--save: '%s' ends in neither .json (a scene) nor .state",
                            options->save);
    }
    if (options->record != NULL && !path_ends_in(options->record, "recording")) {
        return command_fail("run", EXIT_USAGE, "--record: '%s' does not end in .recording", options->record);
    }
    return EXIT_FINE;
}

// The file's name without folder and ending; to be freed.
static char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = strdup(slash != NULL ? slash + 1 : path);
    char *dot = name != NULL ? strrchr(name, '.') : NULL;
    if (dot != NULL && dot != name) {
        *dot = '\0';
    }
    return name;
}

// --- the loop ----------------------------------------------------------------------------------------------

typedef struct run {
    const run_options *options;
    sn_scene *scene;
    sn_world *world;
    float step;
    uint64_t step_count;
    outputs outputs;
    sn_recording *recording; // null: none
    report report;
    progress progress;
    bool interrupted;
} run;

static void show_progress(run *run)
{
    char text[160];
    double done = (double)run->report.steps / (double)run->step_count;
    double passed = clock_seconds() - run->report.started;
    int left = (int)(passed * (1.0 - done) / done + 0.5);
    sn_statistics s = sn_world_statistics(run->world);
    double end = run->report.start_time + (double)run->step_count * (double)run->step;
    char nodes[32] = "";
    if (s.node_count > 0) {
        snprintf(nodes, sizeof nodes, " %d nodes", s.node_count);
    }
    int constraints = s.constraint_count + s.contact_count + s.element_count + s.soft_contact_count;
    snprintf(text, sizeof text, "%.2f/%.2f s %d:%02d left %.0f steps/s %.2fx %d bodies%s %d constraints",
             sn_world_time(run->world), end, left / 60, left % 60, report_steps_per_second(&run->report),
             report_real_time_factor(&run->report), s.rigid_count, nodes, constraints);
    progress_draw(&run->progress, done, text);
}

static int take_steps(run *run)
{
    for (uint64_t step = 1; step <= run->step_count; ++step) {
        sn_status status = run->recording != NULL ? sn_recording_step(run->recording, run->step)
                                                  : sn_scene_step(run->scene, run->step);
        if (status != SN_OK) {
            return command_fail("run", EXIT_FAILED, "at %.4f s: %s", sn_world_time(run->world),
                                sn_scene_error());
        }
        report_step(&run->report);
        if (!outputs_step(&run->outputs, step)) {
            return EXIT_FAILED;
        }
        if (progress_is_due(&run->progress)) {
            show_progress(run);
        }
        if (interrupt_came()) {
            run->interrupted = true;
            return interrupt_code();
        }
    }
    return EXIT_FINE;
}

static int simulate(run *run, const char *path)
{
    const run_options *options = run->options;
    char *name = base_name(path);
    interrupt_watch();
    outputs_wanted wanted = {
        .trace = options->trace,
        .folder = options->folder,
        .name = name != NULL ? name : "run",
        .format = options->format >= 0 ? (sn_export_format)options->format : SN_EXPORT_VTK,
        .timeline = {run->step, options->fps > 0.0 ? options->fps : timeline_usual_rate(run->step)}};
    int code = outputs_open(&run->outputs, "run", run->scene, &wanted) ? EXIT_FINE : EXIT_FAILED;
    free(name);
    if (code == EXIT_FINE && options->record != NULL &&
        sn_recording_begin(run->scene, options->record, &run->recording) != SN_OK) {
        code = command_fail("run", EXIT_FAILED, "%s", sn_scene_error());
    }
    run->progress = progress_begin(stderr);
    report_begin(&run->report, run->scene);
    code = code == EXIT_FINE ? take_steps(run) : code;
    progress_end(&run->progress);
    report_end(&run->report);
    if (!outputs_close(&run->outputs, code != EXIT_FAILED)) {
        code = EXIT_FAILED;
    }
    if (sn_recording_end(run->recording) != SN_OK) {
        code = command_fail("run", EXIT_FAILED, "%s", sn_scene_error());
    }
    if (options->save != NULL && code != EXIT_FAILED && !scene_write("run", run->scene, options->save)) {
        code = EXIT_FAILED;
    }
    interrupt_end();
    return code;
}

// --- residuals ---------------------------------------------------------------------------------------------

// Has errors measured, if they are asked for.
static int watch_residuals(const run *run)
{
    sn_world_def settings = sn_world_settings(run->world);
    if (run->options->residuals == NULL) {
        return EXIT_FINE;
    }
    if (settings.solver != SN_SOLVER_POSITION) {
        return conflict("--residuals", "needs the position solver: --set world.solver=position");
    }
    settings.position.monitor = true;
    bool fine = sn_world_settings_set(run->world, &settings) == SN_OK;
    return fine ? EXIT_FINE : command_fail("run", EXIT_FAILED, "%s", sn_world_error(run->world));
}

static int write_residuals(const run *run)
{
    const char *path = run->options->residuals;
    int count = sn_world_residuals(run->world, NULL, 0);
    sn_residual *residuals = calloc((size_t)count + 1, sizeof *residuals);
    FILE *file = residuals != NULL ? fopen(path, "w") : NULL;
    bool fine = file != NULL && fprintf(file, "iteration,primal error [m],dual error [m/s]\n") > 0;
    count = fine ? sn_world_residuals(run->world, residuals, count) : 0;
    for (int i = 0; i < count && fine; ++i) {
        fine = fprintf(file, "%d,%.9g,%.9g\n", i + 1, (double)residuals[i].primal,
                       (double)residuals[i].dual) > 0;
    }
    fine = (file == NULL || fclose(file) == 0) && fine;
    free(residuals);
    return fine ? EXIT_FINE : command_fail("run", EXIT_FAILED, "%s: cannot be written", path);
}

// --- the report --------------------------------------------------------------------------------------------

static int print_json(const run *run, const char *path)
{
    json_t *object = report_json(&run->report);
    json_t *files = json_object();
    if (run->options->trace != NULL) {
        json_object_set_new(files, "trace", json_text(run->options->trace));
    }
    if (run->outputs.frames_path[0] != '\0') {
        json_object_set_new(files, "frames", json_text(run->outputs.frames_path));
    }
    if (run->options->save != NULL) {
        json_object_set_new(files, "saved", json_text(run->options->save));
    }
    if (run->options->record != NULL) {
        json_object_set_new(files, "recording", json_text(run->options->record));
    }
    json_object_set_new(object, "scene", json_text(path));
    json_object_set_new(object, "step_length", json_real((double)run->step));
    json_object_set_new(object, "interrupted", json_boolean(run->interrupted));
    json_object_set_new(object, "files", files);
    return json_print("run", object);
}

static void print_text(const run *run, const char *path)
{
    terminal terminal = terminal_of(stdout);
    report_print(&run->report, path, &terminal);
    if (run->interrupted) {
        printf("ended by a signal before its time\n");
    }
    if (run->options->trace != NULL) {
        printf("trace           %s\n", run->options->trace);
    }
    if (run->outputs.frames_path[0] != '\0') {
        printf("frames          %s (%llu)\n", run->outputs.frames_path,
               (unsigned long long)run->outputs.next_frame);
    }
    if (run->options->save != NULL) {
        printf("saved           %s\n", run->options->save);
    }
    if (run->options->record != NULL) {
        printf("recorded        %s\n", run->options->record);
    }
}

static int print_report(const run *run, const char *path)
{
    text_makes_way(run->options->trace);
    text_makes_way(run->options->save);
    text_makes_way(run->options->record);
    if (run->options->json) {
        return print_json(run, path);
    }
    print_text(run, path);
    return EXIT_FINE;
}

static int run_scene(const run_options *options, const char *path)
{
    if (options->save != NULL && !path_can_be_written("run", options->save)) {
        return EXIT_FAILED;
    }
    run run = {.options = options,
               .scene = scene_open(path, options->threads, &options->settings, options->anywhere)};
    if (run.scene == NULL) {
        return EXIT_FAILED;
    }
    if (!scene_spares("run", run.scene, options->trace) ||
        !scene_spares("run", run.scene, options->residuals) ||
        !scene_spares("run", run.scene, options->save) || !scene_spares("run", run.scene, options->record) ||
        !scene_takes_step("run", run.scene, options->step)) {
        sn_scene_destroy(run.scene);
        return EXIT_FAILED;
    }
    run.world = sn_scene_world(run.scene);
    run.step = options->step > 0.0 ? (float)options->step : sn_scene_step_length(run.scene);
    double seconds = options->seconds > 0.0 ? options->seconds : (double)sn_scene_duration(run.scene);
    run.step_count = options->steps > 0 ? (uint64_t)options->steps : timeline_steps(seconds, run.step);
    run.step_count = run.step_count > 0 ? run.step_count : 1;
    int code = watch_residuals(&run);
    code = code == EXIT_FINE ? simulate(&run, path) : code;
    if (code == EXIT_FINE && options->residuals != NULL) {
        code = write_residuals(&run);
    }
    if (code != EXIT_FAILED && code != EXIT_USAGE) {
        int printed = print_report(&run, path);
        code = printed != EXIT_FINE ? printed : code;
        code = code == EXIT_FINE && !report_is_trusted(&run.report) ? EXIT_FAILED : code;
    }
    report_release(&run.report);
    sn_scene_destroy(run.scene);
    return code;
}

static int execute(int count, char **arguments)
{
    run_options options = {.format = -1};
    if (options_read(&command_run.line, count, arguments, &options) < 0) {
        return EXIT_USAGE;
    }
    int code = check_options(&options);
    return code == EXIT_FINE ? run_scene(&options, arguments[1]) : code;
}

const command command_run = {
    .name = "run",
    .summary = "simulate a scene and report times, errors, energy",
    .help =
        "Simulates a scene, goes on from a saved state, or replays a recording, as fast as it goes, then\n"
        "reports: what went wrong, time per stage, errors of the constraints (largest and root mean square "
        "of\n"
        "each kind, of all steps), penetration, energy and momentum, contacts, the worst step, and a hash "
        "of\n"
        "the end, equal for equal runs. Ctrl-C (or SIGTERM) ends the run early with its files complete; a "
        "run\n"
        "that fails leaves the files that were there. Exit code 1 too if the result cannot be trusted:\n"
        "something turned non-finite, or a recording did not come out as it was recorded.\n",
    .run = execute,
    .line = {"SCENE", 1, 1, table},
    .examples = "  sinew run scenes/tower.json\n"
                "  sinew run scenes/tower.json --seconds 2 --threads 2\n"
                "  sinew run scenes/tower.json --steps 100 --json > report.json\n"
                "  sinew run scenes/tower.json --steps 60 --set world.sub_steps=20 --set world.sleep=false\n"
                "  sinew run scenes/pendulum.json --step 1/240 --trace pendulum.csv\n"
                "  sinew plot pendulum.csv -o pendulum.svg\n"
                "  sinew run scenes/marbles.json --seconds 1 --out frames --format gltf\n"
                "  sinew run scenes/tower.json --seconds 1 --save later.state\n"
                "  sinew run later.state --seconds 1                 # goes on bit for bit\n"
                "  sinew run scenes/tower.json --seconds 1 --record tower.recording\n"
                "  sinew run tower.recording                         # the same hashes again\n"};
