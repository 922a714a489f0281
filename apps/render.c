// `sinew render`: one picture, a film, or a folder of pictures of a scene.
#include "apps/command.h"
#include "apps/interrupt.h"
#include "apps/loading.h"
#include "apps/render/film.h"
#include "apps/render/renderer.h"
#include "apps/render/view.h"
#include "apps/terminal.h"
#include "apps/timeline.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct render_request {
    const char *output;
    double at;
    double seconds, fps, step; // 0: not given
    option_size size;
    const char *camera;
    int samples; // index of sample_counts
    unsigned overlays;
    int heat;          // −1: none
    double heat_limit; // 0: not given
    bool no_shadows, no_grid, no_labels;
    int threads;
    option_texts settings;
    bool anywhere;
} render_request;

static const char *const sample_counts[] = {"1", "2", "4", "8", NULL};
static const char *const overlay_names[] = {"contacts", "joints", "forces", "wireframe", "nodes", NULL};
static const char *const heat_names[] = {"speed", "error", "strain", "stress", "support", NULL};
enum {
    OVERLAY_CONTACTS = 1,
    OVERLAY_JOINTS = 2,
    OVERLAY_FORCES = 4,
    OVERLAY_WIREFRAME = 8,
    OVERLAY_NODES = 16
};
enum { DEFAULT_SAMPLES = 2 }; // the index of 4

static const option table[] = {
    {"output", 'o', OPTION_TEXT, offsetof(render_request, output), "FILE",
     "a picture (.png, .jpg), a film (.mp4, .gif, .webp, which need\nffmpeg), or a folder of numbered "
     "pictures (ending in /)",
     0, 0, NULL},
    {"at", 0, OPTION_NUMBER, offsetof(render_request, at), "T",
     "the time a picture shows, or a film begins at [s]; 0 if not\ngiven", 0, 1e7, NULL},
    {"seconds", 0, OPTION_NUMBER, offsetof(render_request, seconds), "S",
     "length of a film [s]; else the scene's duration", 1e-6, 1e6, NULL},
    {"fps", 0, OPTION_NUMBER, offsetof(render_request, fps), "F",
     "frames a second of a film; if not given, the rate nearest to\n30 that is a whole number of steps", 0.1,
     1000, NULL},
    {"size", 0, OPTION_SIZE, offsetof(render_request, size), "WxH",
     "in pixels; 1280x720 if not given. Narrower pictures show as\nmuch to the sides", 16, 8192, NULL},
    {"camera", 0, OPTION_TEXT, offsetof(render_request, camera), "NAME",
     "one of the scene's cameras; else its first", 0, 0, NULL},
    {"samples", 0, OPTION_CHOICE, offsetof(render_request, samples), "N",
     "per pixel, for smooth edges: 1, 2, 4 (the default) or 8", 0, 0, sample_counts},
    {"overlay", 0, OPTION_CHOICES, offsetof(render_request, overlays), "LIST",
     "draw over it: contacts,joints (and anchors),forces,\nwireframe,nodes (of deformables)", 0, 0,
     overlay_names},
    {"heat", 0, OPTION_CHOICE, offsetof(render_request, heat), "WHAT",
     "colour by speed, by the error of what holds a body or by support,\nand deformables by strain or stress",
     0, 0, heat_names},
    {"heat-limit", 0, OPTION_NUMBER, offsetof(render_request, heat_limit), "V",
     "the value that is fully red; else the largest in the picture", 1e-30, 1e30, NULL},
    {"no-shadows", 0, OPTION_FLAG, offsetof(render_request, no_shadows), NULL, "faster", 0, 0, NULL},
    {"no-grid", 0, OPTION_FLAG, offsetof(render_request, no_grid), NULL, "no lines on the ground", 0, 0,
     NULL},
    {"no-labels", 0, OPTION_FLAG, offsetof(render_request, no_labels), NULL, "no texts of the scene", 0, 0,
     NULL},
    {"step", 0, OPTION_NUMBER, offsetof(render_request, step), "H",
     "length of a step [s], as 0.01 or 1/120; else the scene's", 1e-6, 1, NULL},
    {"threads", 0, OPTION_INTEGER, offsetof(render_request, threads), "N", "threads to simulate with", 1, 64,
     NULL},
    {"set", 0, OPTION_TEXTS, offsetof(render_request, settings), "PATH=VALUE",
     "change a value of the scene file before it is loaded; may be repeated", 0, 0, NULL},
    OPTION_ALLOW_ANYWHERE(render_request, anywhere),
    {0}};

// --- what is asked for -------------------------------------------------------------------------------------

static bool is_folder(const char *path)
{
    struct stat status;
    size_t length = strlen(path);
    return (length > 0 && path[length - 1] == '/') || (stat(path, &status) == 0 && S_ISDIR(status.st_mode));
}

static bool is_jpeg(const char *path)
{
    return !path_is_standard(path) && (path_ends_in(path, "jpg") || path_ends_in(path, "jpeg"));
}

static bool is_picture(const char *path)
{
    return path_ends_in(path, "png") || is_jpeg(path);
}

static bool is_film(const char *path)
{
    return path_ends_in(path, "mp4") || path_ends_in(path, "gif") || path_ends_in(path, "webp");
}

static int check_request(const render_request *request)
{
    if (request->output == NULL) {
        return command_fail("render", EXIT_USAGE,
                            "-o is missing: a file ending in .png, .jpg, .mp4, .gif or .webp, or a folder/");
    }
    bool picture = is_picture(request->output);
    if (!picture && !is_film(request->output) && !is_folder(request->output)) {
        return command_fail(
            "render", EXIT_USAGE,
            "-o: '%s' ends in none of .png, .jpg, .mp4, .gif, .webp and /, and is no folder there is",
            request->output);
    }
    if (picture && request->seconds > 0.0) {
        return command_fail("render", EXIT_USAGE, "--seconds is for films; a picture shows one time: --at T");
    }
    if (picture && request->fps > 0.0) {
        return command_fail("render", EXIT_USAGE, "--fps is for films; a picture shows one time: --at T");
    }
    if (request->heat < 0 && request->heat_limit > 0.0) {
        return command_fail("render", EXIT_USAGE, "--heat-limit needs --heat, what to colour by");
    }
    return EXIT_FINE;
}

static render_options options_of(const render_request *request)
{
    render_options options = render_options_default();
    if (request->size.width > 0) {
        options.width = request->size.width;
        options.height = request->size.height;
    }
    options.samples = atoi(sample_counts[request->samples]);
    options.shadows = !request->no_shadows;
    options.grid = !request->no_grid;
    options.labels = !request->no_labels;
    options.contacts = (request->overlays & OVERLAY_CONTACTS) != 0;
    options.joints = (request->overlays & OVERLAY_JOINTS) != 0;
    options.forces = (request->overlays & OVERLAY_FORCES) != 0;
    options.wireframe = (request->overlays & OVERLAY_WIREFRAME) != 0;
    options.nodes = (request->overlays & OVERLAY_NODES) != 0;
    options.heat = (render_heat)(request->heat + 1); // the names are in its order
    options.heat_limit = (float)request->heat_limit;
    return options;
}

// --- drawing -----------------------------------------------------------------------------------------------

typedef struct studio {
    const render_request *request;
    sn_scene *scene;
    float step;
    uint64_t steps; // taken so far
    render_options options;
    renderer *renderer;
    uint8_t *pixels;
    progress progress;
    double started; // by the clock [s]
    bool filming;   // progress is told in frames, not in steps
} studio;

static int fail_with_scene_error(void)
{
    return command_fail("render", EXIT_FAILED, "%s", sn_scene_error());
}

static void show_progress(studio *studio, const char *what, uint64_t done, uint64_t total)
{
    char text[96];
    double share = (double)done / (double)total;
    double passed = clock_seconds() - studio->started;
    int left = share > 0.0 ? (int)(passed * (1.0 - share) / share + 0.5) : 0;
    snprintf(text, sizeof text, "%s %llu/%llu (%.2f s) %d:%02d left", what, (unsigned long long)done,
             (unsigned long long)total, sn_world_time(sn_scene_world(studio->scene)), left / 60, left % 60);
    progress_draw(&studio->progress, share, text);
}

static int step_until(studio *studio, uint64_t steps)
{
    for (; studio->steps < steps; ++studio->steps) {
        if (interrupt_came()) {
            return interrupt_code();
        }
        if (sn_scene_step(studio->scene, studio->step) != SN_OK) {
            return command_fail("render", EXIT_FAILED, "at %.4f s: %s",
                                sn_world_time(sn_scene_world(studio->scene)), sn_scene_error());
        }
        if (!studio->filming && progress_is_due(&studio->progress)) {
            show_progress(studio, "step", studio->steps, steps);
        }
    }
    return EXIT_FINE;
}

// A camera that was made up shows everything in pictures that are at least so wide by their height; those of
// scenes are made for 16 : 9.
static void widen(sn_camera *camera, const render_options *options)
{
    view_widen(camera, camera->name[0] == '\0' ? 1.4f : 16.0f / 9.0f,
               (float)options->width / (float)options->height);
}

static int draw(studio *studio)
{
    sn_camera camera;
    bool found = sn_scene_camera(studio->scene, studio->request->camera, &camera) == SN_OK;
    if (found) {
        widen(&camera, &studio->options);
    }
    if (!found || !renderer_draw(studio->renderer, studio->scene, &camera, studio->pixels)) {
        return fail_with_scene_error();
    }
    return EXIT_FINE;
}

static int make_picture(studio *studio)
{
    int code = step_until(studio, timeline_steps(studio->request->at, studio->step));
    if (code == EXIT_FINE) {
        code = draw(studio);
    }
    const char *path = studio->request->output;
    if (code == EXIT_FINE && !(is_jpeg(path) ? picture_write_jpeg : picture_write_png)(
                                 path, studio->options.width, studio->options.height, studio->pixels)) {
        code = fail_with_scene_error();
    }
    return code;
}

static int add_frames(studio *studio, film *film, const timeline *timeline, uint64_t first_step)
{
    double seconds =
        studio->request->seconds > 0.0 ? studio->request->seconds : (double)sn_scene_duration(studio->scene);
    uint64_t count = timeline_frame_count(timeline, timeline_steps(seconds, studio->step));
    int code = EXIT_FINE;
    studio->filming = true;
    studio->started = clock_seconds();
    for (uint64_t frame = 0; frame < count && code == EXIT_FINE; ++frame) {
        code = step_until(studio, first_step + timeline_frame_step(timeline, frame));
        code = code == EXIT_FINE ? draw(studio) : code;
        if (code == EXIT_FINE && !film_add(film, studio->pixels)) {
            code = fail_with_scene_error();
        }
        if (progress_is_due(&studio->progress)) {
            show_progress(studio, "frame", frame + 1, count);
        }
    }
    return code;
}

static int make_film(studio *studio)
{
    timeline timeline = {studio->step, studio->request->fps > 0.0 ? studio->request->fps
                                                                  : timeline_usual_rate(studio->step)};
    uint64_t first_step = timeline_steps(studio->request->at, studio->step);
    timeline_note(&timeline, "render");
    int code = step_until(studio, first_step);
    if (code != EXIT_FINE) {
        return code;
    }
    interrupt_hide(true);
    film *film = film_open(studio->request->output, studio->options.width, studio->options.height,
                           timeline.frames_per_second);
    interrupt_hide(false);
    if (film == NULL) {
        return fail_with_scene_error();
    }
    code = add_frames(studio, film, &timeline, first_step);
    if (code == EXIT_FAILED) {
        film_drop(film);
        return code;
    }
    return film_close(film) ? code : fail_with_scene_error();
}

// --- the command -------------------------------------------------------------------------------------------

static int work(studio *studio)
{
    const render_request *request = studio->request;
    sn_camera camera;
    // A misspelt camera is told before anything is simulated. Without a name, a picture may frame what there
    // is to see at its time.
    if (request->camera != NULL && sn_scene_camera(studio->scene, request->camera, &camera) != SN_OK) {
        return fail_with_scene_error();
    }
    studio->step = request->step > 0.0 ? (float)request->step : sn_scene_step_length(studio->scene);
    studio->renderer = renderer_create(&studio->options);
    if (studio->renderer == NULL) {
        return fail_with_scene_error();
    }
    studio->pixels = malloc((size_t)studio->options.width * (size_t)studio->options.height * 3);
    if (studio->pixels == NULL) {
        return command_fail("render", EXIT_FAILED, "no memory for a picture of %d × %d",
                            studio->options.width, studio->options.height);
    }
    studio->progress = progress_begin(stderr);
    studio->started = clock_seconds();
    interrupt_watch();
    int code = is_picture(request->output) ? make_picture(studio) : make_film(studio);
    interrupt_end();
    progress_end(&studio->progress);
    return code;
}

static int execute(int count, char **arguments)
{
    render_request request = {.samples = DEFAULT_SAMPLES, .heat = -1};
    if (options_read(&command_render.line, count, arguments, &request) < 0) {
        return EXIT_USAGE;
    }
    int code = check_request(&request);
    if (code != EXIT_FINE) {
        return code;
    }
    if (!is_folder(request.output) && !path_can_be_written("render", request.output)) {
        return EXIT_FAILED;
    }
    studio studio = {.request = &request, .options = options_of(&request)};
    studio.scene = scene_open(arguments[1], request.threads, &request.settings, request.anywhere);
    if (studio.scene == NULL) {
        return EXIT_FAILED;
    }
    bool fine = scene_spares("render", studio.scene, request.output) &&
                scene_takes_step("render", studio.scene, request.step);
    code = fine ? work(&studio) : EXIT_FAILED;
    if (code == EXIT_FINE) {
        text_makes_way(request.output);
        printf("%s\n", request.output);
    }
    if (studio.renderer != NULL) {
        renderer_destroy(studio.renderer);
    }
    free(studio.pixels);
    sn_scene_destroy(studio.scene);
    return code;
}

const command command_render = {
    .name = "render",
    .summary = "draw a scene: a picture, a film, or a folder of pictures",
    .help =
        "Draws a scene as it is at one time, or simulates it and films it. No display and no graphics card\n"
        "are needed. A frame shows the step nearest to its time. Prints the name of what it wrote.\n",
    .run = execute,
    .line = {"SCENE -o FILE", 1, 1, table},
    .examples = "  sinew render scenes/tower.json -o tower.png\n"
                "  sinew render scenes/tower.json -o tower.png --at 0.5 --size 1920x1080\n"
                "  sinew render scenes/marbles.json -o marbles.mp4 --seconds 1\n"
                "  sinew render scenes/marbles.json -o frames/ --seconds 0.2 --fps 60\n"
                "  sinew render scenes/stack.json -o contacts.png --at 0.2 --overlay contacts,forces\n"
                "  sinew render scenes/pendulum.json -o speed.png --at 1 --heat speed --no-grid\n"
                "  sinew render scenes/cloth_sphere.json -o strain.mp4 --seconds 0.2 --heat strain "
                "--heat-limit 0.1\n"};
