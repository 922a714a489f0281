// `sinew info`: what is in a scene, a saved state or a mesh file.
#include "apps/info.h"

#include "apps/command.h"
#include "apps/json_values.h"
#include "apps/loading.h"
#include "apps/thumbnail.h"

#include <stdlib.h>

typedef struct info_options {
    bool json, anywhere;
} info_options;

static const option table[] = {
    {"json", 0, OPTION_FLAG, offsetof(info_options, json), NULL, "one JSON object", 0, 0, NULL},
    OPTION_ALLOW_ANYWHERE(info_options, anywhere),
    {0}};

static int tell_scene(const char *path, const info_options *options)
{
    bool json = options->json;
    sn_scene *scene = scene_open(path, 0, NULL, options->anywhere);
    if (scene == NULL) {
        return EXIT_FAILED;
    }
    survey survey;
    int code = EXIT_FINE;
    if (!survey_take(scene, &survey)) {
        code = command_fail("info", EXIT_FAILED, "%s: no memory", path);
    } else if (json) {
        code = json_print("info", info_scene_json(path, scene, &survey));
    } else {
        terminal terminal = terminal_of(stdout);
        thumbnail_print(&terminal, scene);
        info_scene_print(&terminal, path, scene, &survey);
    }
    sn_scene_destroy(scene);
    return code;
}

// The surface as a static body of a world of its own, which the renderer can draw.
static void show_mesh(const terminal *terminal, const sn_mesh_data *mesh)
{
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    sn_surface *surface = NULL;
    sn_scene *scene = NULL;
    if (terminal->true_colors && mesh->triangle_count > 0 && sn_world_create(&def, &world) == SN_OK &&
        sn_surface_create(mesh->nodes, mesh->node_count, mesh->triangles, mesh->triangle_count, true,
                          &surface) == SN_OK &&
        sn_surface_add(world, sn_world_ground(world), NULL, surface, NULL) == SN_OK &&
        sn_scene_wrap(world, &scene) == SN_OK) {
        thumbnail_print(terminal, scene);
    }
    sn_scene_destroy(scene);
    sn_surface_destroy(surface);
    sn_world_destroy(world);
}

static int tell_mesh(const char *path, bool json)
{
    sn_mesh_data mesh = {0};
    mesh_measure measure;
    int code = EXIT_FINE;
    if (sn_mesh_file_read(path, &mesh) != SN_OK) {
        return command_fail("info", EXIT_FAILED, "%s", sn_scene_error());
    }
    if (!mesh_measure_take(&mesh, &measure)) {
        code = command_fail("info", EXIT_FAILED, "%s: no memory", path);
    } else if (json) {
        code = json_print("info", info_mesh_json(path, &mesh, &measure));
    } else {
        terminal terminal = terminal_of(stdout);
        show_mesh(&terminal, &mesh);
        info_mesh_print(&terminal, path, &mesh, &measure);
    }
    sn_mesh_data_release(&mesh);
    return code;
}

static int execute(int count, char **arguments)
{
    info_options options = {0};
    if (options_read(&command_info.line, count, arguments, &options) < 0) {
        return EXIT_USAGE;
    }
    const char *path = arguments[1];
    return path_is_scene(path) ? tell_scene(path, &options) : tell_mesh(path, options.json);
}

const command command_info = {.name = "info",
                              .summary = "tell what is in a scene, a saved state or a mesh file",
                              .help = "Of a scene (.json) or a saved state (.state): title, bodies, shapes "
                                      "and joints by kind, masses, extent,\n"
                                      "cameras, probes, and the settings that are not the default. Of a "
                                      "mesh: counts, extent, area, volume,\n"
                                      "and whether it is closed. A terminal with 24-bit colours "
                                      "(COLORTERM=truecolor) also gets a picture.\n",
                              .run = execute,
                              .line = {"FILE", 1, 1, table},
                              .examples = "  sinew info scenes/tower.json\n"
                                          "  sinew info scenes/tower.json --json\n"
                                          "  sinew info scenes/meshes/bowl.obj\n"};
