// `sinew view`: a scene in the browser, live, and again whenever its file changes.
// Tested by tests/apps/test_view_server.c.
#include "apps/command.h"
#include "apps/interrupt.h"
#include "apps/loading.h"
#include "apps/view_server.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef struct view_options {
    int port;
    const char *page;
    option_texts settings;
} view_options;

static const option table[] = {
    {"port", 0, OPTION_INTEGER, offsetof(view_options, port), "N",
     "port of 127.0.0.1 to serve on; else one that is free", 1, 65535, NULL},
    {"page", 0, OPTION_TEXT, offsetof(view_options, page), "DIR",
     "folder of the built page; else the one that was built or installed with this program", 0, 0, NULL},
    {"set", 0, OPTION_TEXTS, offsetof(view_options, settings), "PATH=VALUE",
     "change a value of the scene file before it is loaded; may be repeated", 0, 0, NULL},
    {0}};

// SINEW_PAGE_BUILT and SINEW_PAGE_INSTALLED come from the build.
static const char *find_page(const char *given)
{
    if (given != NULL) {
        return given;
    }
    return access(SINEW_PAGE_INSTALLED "/index.html", R_OK) == 0 ? SINEW_PAGE_INSTALLED : SINEW_PAGE_BUILT;
}

static void wait_for_interrupt(void)
{
    const struct timespec while_waiting = {0, 50000000};
    interrupt_watch();
    while (!interrupt_came()) {
        nanosleep(&while_waiting, NULL);
    }
    interrupt_end();
}

static int execute(int count, char **arguments)
{
    view_options options = {0};
    if (options_read(&command_view.line, count, arguments, &options) < 0) {
        return EXIT_USAGE;
    }
    live_scene live = {.path = arguments[1], .settings = &options.settings};
    if (access(live.path, R_OK) != 0) {
        return command_fail("view", EXIT_FAILED, "%s: cannot be read", live.path);
    }
    live_scene_refresh(&live);
    view_server *server = view_server_start(find_page(options.page), &live, options.port);
    if (server == NULL) {
        live_scene_release(&live);
        return EXIT_FAILED;
    }
    if (live.error != NULL) {
        fprintf(stderr, "%s\n", live.error);
    }
    printf("%s is at  http://127.0.0.1:%d/?view\n", live.path, view_server_port(server));
    printf("Changes of the file are shown at once. Ctrl-C ends it.\n");
    fflush(stdout);
    wait_for_interrupt();
    view_server_stop(server);
    live_scene_release(&live);
    return EXIT_FINE;
}

const command command_view = {
    .name = "view",
    .summary = "show a scene in the browser, where one can pull at it",
    .help = "Serves the page and the scene, compiled, to browsers on this machine. The page loads the scene\n"
            "again when its file, or another scene or mesh in the same folder, changes; mistakes in it are\n"
            "shown there. Nothing outside the page's folder is given out.\n",
    .run = execute,
    .line = {"SCENE", 1, 1, table},
    .examples = "  sinew view scenes/marionette.json\n"
                "  sinew view scenes/tower.json --port 8080 --set world.sub_steps=4\n"};
