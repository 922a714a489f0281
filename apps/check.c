// `sinew check`: says whether scene files are right, and if not, what is wrong where.
#include "apps/command.h"
#include "apps/describe.h"
#include "apps/excerpt.h"
#include "apps/framing.h"
#include "apps/loading.h"
#include "apps/report.h"
#include "apps/survey.h"
#include "apps/terminal.h"
#include "apps/warnings.h"

#include <limits.h>

typedef struct check_options {
    option_texts settings;
    bool anywhere;
    double seconds;
} check_options;

static const option table[] = {
    {"set", 0, OPTION_TEXTS, offsetof(check_options, settings), "PATH=VALUE",
     "change a value of the scene file before it is loaded; may be repeated", 0, 0, NULL},
    {"seconds", 0, OPTION_NUMBER, offsetof(check_options, seconds), "S",
     "simulate that long, and warn of what stretches by more than 5 %\nand of what the camera does not show",
     0.0, 1e6, NULL},
    OPTION_ALLOW_ANYWHERE(check_options, anywhere),
    {0}};

static void print_fine(const terminal *terminal, const char *path, const survey *survey)
{
    fprintf(terminal->stream, "%s%s%s: %sfine%s: %s, %s, %s", terminal_code(terminal, STYLE_BOLD), path,
            terminal_code(terminal, STYLE_PLAIN), terminal_code(terminal, STYLE_GREEN),
            terminal_code(terminal, STYLE_PLAIN), describe_count(survey->body_count, "body", "bodies").text,
            describe_count(survey->shape_count, "shape", "shapes").text,
            describe_count(survey->joint_count, "joint", "joints").text);
    if (survey->soft_count > 0) {
        fprintf(terminal->stream, ", %s of %s",
                describe_count(survey->soft_count, "deformable", "deformables").text,
                describe_count(survey->node_count, "node", "nodes").text);
    }
    if (survey->anchor_count > 0) {
        fprintf(terminal->stream, ", %s", survey_anchors(survey).text);
    }
    fputc('\n', terminal->stream);
}

static const double look_interval = 0.1; // [s], simulated

// Simulates the scene for a while, looks at it now and then, and warns of what is not carried. False without
// memory.
static bool try_loads(const terminal *terminal, sn_scene *scene, double seconds, framing *framing)
{
    sn_world *world = sn_scene_world(scene);
    float step = sn_scene_step_length(scene);
    char before[64];
    report report;
    snprintf(before, sizeof before, "  %swarning:%s ", terminal_code(terminal, STYLE_YELLOW),
             terminal_code(terminal, STYLE_PLAIN));
    report_begin(&report, scene);
    double next_look = report.start_time + look_interval;
    bool fine = true;
    while (fine && sn_world_time(world) - report.start_time < seconds &&
           sn_scene_step(scene, step) == SN_OK) {
        report_step(&report);
        if (sn_world_time(world) >= next_look) {
            next_look += look_interval;
            fine = framing_look(framing);
        }
    }
    report_end(&report);
    report_uncarried_print(&report, before, terminal->stream);
    report_release(&report);
    return fine && framing_look(framing);
}

// Warns of what the scene's first camera does not show, if there is one. How much of the picture is filled
// can be told only of a scene that has moved.
static void warn_of_framing(const terminal *terminal, const sn_scene *scene, const framing *framing,
                            bool moved)
{
    const char *yellow = terminal_code(terminal, STYLE_YELLOW), *plain = terminal_code(terminal, STYLE_PLAIN);
    framing_tally cut = framing_cut(framing);
    float share = framing_share(framing);
    if (sn_scene_camera_count(scene) == 0) {
        return;
    }
    if (cut.count > 0) {
        fprintf(terminal->stream, "  %swarning:%s camera \"%s\" cuts %s off; %s at the %s edge at %.3g s\n",
                yellow, plain, sn_scene_camera_name(scene, 0),
                describe_count(cut.count, "thing", "things").text, cut.name.text, cut.edge, cut.time);
    }
    if (moved && share < FRAMING_USUAL_SHARE) {
        fprintf(
            terminal->stream,
            "  %swarning:%s camera \"%s\" is far away: what moves takes %.0f %% of the picture, across or "
            "upwards; two thirds are usual\n",
            yellow, plain, sn_scene_camera_name(scene, 0), 100.0 * (double)share);
    }
}

static bool check_scene(const terminal *terminal, const char *path, const check_options *wanted)
{
    sn_scene *scene = NULL;
    sn_scene_options options = {.settings = wanted->settings.items,
                                .setting_count = wanted->settings.count,
                                .allow_anywhere = wanted->anywhere};
    if (sn_scene_load(path, &options, &scene) != SN_OK) {
        excerpt_print(terminal, sn_scene_error());
        return false;
    }
    survey survey;
    framing framing;
    framing_begin(&framing, scene);
    bool fine = survey_take(scene, &survey) && framing_look(&framing);
    if (fine) {
        print_fine(terminal, path, &survey);
        fine = warnings_print(terminal, scene) >= 0 &&
               (wanted->seconds <= 0.0 || try_loads(terminal, scene, wanted->seconds, &framing));
        warn_of_framing(terminal, scene, &framing, wanted->seconds > 0.0);
    }
    framing_release(&framing);
    if (!fine) {
        command_fail("check", EXIT_FAILED, "%s: no memory", path);
    }
    sn_scene_destroy(scene);
    return fine;
}

static int execute(int count, char **arguments)
{
    check_options options = {0};
    int scenes = options_read(&command_check.line, count, arguments, &options);
    if (scenes < 0) {
        return EXIT_USAGE;
    }
    terminal terminal = terminal_of(stdout);
    int bad = 0;
    for (int i = 1; i <= scenes; ++i) {
        bad += check_scene(&terminal, arguments[i], &options) ? 0 : 1;
    }
    if (bad > 0 && scenes > 1) {
        printf("%d of %d scenes are bad\n", bad, scenes);
    }
    return bad == 0 ? EXIT_FINE : EXIT_FAILED;
}

const command command_check = {
    .name = "check",
    .summary = "say whether scene files are right, and what is wrong where",
    .help =
        "Loads each scene and lists every mistake with file, line, column, the value and what was expected.\n"
        "A scene without mistakes is looked at for what may surprise: bodies that overlap at the start,\n"
        "joints and anchors that are not met, very unequal masses, springs too stiff for the step, bodies\n"
        "far away or without shape, deformables of flat elements or that nothing holds, steps too long for\n"
        "an integrator, anchors that cannot be exact, what its first camera cuts off. Such warnings do not\n"
        "make a scene bad. Exit code 1 if any scene is.\n",
    .run = execute,
    .line = {"SCENE...", 1, INT_MAX, table},
    .examples = "  sinew check scenes/tower.json\n"
                "  sinew check scenes/*.json\n"
                "  sinew check scenes/tower.json --set world.sub_steps=4\n"
                "  sinew check scenes/heavy_chain.json --seconds 1\n"};
