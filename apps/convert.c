// `sinew convert`: scenes into saved states and back, meshes from one format into another, surfaces into
// tetrahedra.
#include "apps/command.h"
#include "apps/describe.h"
#include "apps/loading.h"
#include "apps/mesh_measure.h"
#include "scene/mesh_formats.h"
#include "sinew/mesh.h"

typedef struct convert_options {
    double cell; // 0: not given
    int cells;   // 0: not given
    option_texts settings;
    bool anywhere;
} convert_options;

static const option table[] = {{"cell", 0, OPTION_NUMBER, offsetof(convert_options, cell), "C",
                                "fill a closed surface with tetrahedra of this size [m]", 1e-6, 1e6, NULL},
                               {"cells", 0, OPTION_INTEGER, offsetof(convert_options, cells), "N",
                                "the same, with so many along its longest side", 1, 1000, NULL},
                               {"set", 0, OPTION_TEXTS, offsetof(convert_options, settings), "PATH=VALUE",
                                "change a value of a scene file before it is loaded; may be repeated", 0, 0,
                                NULL},
                               OPTION_ALLOW_ANYWHERE(convert_options, anywhere),
                               {0}};

// --- scenes ------------------------------------------------------------------------------------------------

static int convert_scene(const convert_options *options, const char *from, const char *to)
{
    if (options->cell > 0.0 || options->cells > 0) {
        return command_fail("convert", EXIT_USAGE, "--cell and --cells are for meshes, and '%s' is a scene",
                            from);
    }
    if (!path_ends_in(to, "json") && !path_ends_in(to, "state")) {
        return command_fail("convert", EXIT_USAGE,
                            "'%s': a scene becomes a scene (.json) or a state (.state); `sinew run --out` "
                            "writes frames for other programs",
                            to);
    }
    sn_scene *scene = scene_open(from, 0, &options->settings, options->anywhere);
    if (scene == NULL) {
        return EXIT_FAILED;
    }
    bool fine = scene_spares("convert", scene, to) && scene_write("convert", scene, to);
    if (fine) {
        text_makes_way(to);
        sn_statistics s = sn_world_statistics(sn_scene_world(scene));
        printf("%s: %s, %s", to, describe_count(s.rigid_count, "body", "bodies").text,
               describe_count(s.constraint_count - s.anchor_count, "joint", "joints").text);
        if (s.deformable_count > 0) {
            printf(", %s", describe_count(s.deformable_count, "deformable", "deformables").text);
        }
        putchar('\n');
    }
    sn_scene_destroy(scene);
    return fine ? EXIT_FINE : EXIT_FAILED;
}

// --- meshes ------------------------------------------------------------------------------------------------

static void print_mesh(const char *path, const sn_mesh_data *mesh, const mesh_measure *measure)
{
    printf("%s: %s, %s, %s\n", path, describe_count(mesh->node_count, "node", "nodes").text,
           describe_count(mesh->triangle_count, "triangle", "triangles").text,
           describe_count(mesh->tetrahedron_count, "tetrahedron", "tetrahedra").text);
    if (mesh->tetrahedron_count > 0) {
        printf("  volume %.6g m³, angles between faces %.1f° to %.1f°\n", measure->volume,
               measure->least_angle, measure->largest_angle);
    } else if (mesh->triangle_count > 0 && measure->open_edges == 0) {
        printf("  closed, holds %.6g m³\n", measure->enclosed);
    }
}

static int fail_without_memory(const char *path)
{
    return command_fail("convert", EXIT_FAILED, "%s: no memory", path);
}

static int write_mesh(const char *to, const sn_mesh_data *mesh, mesh_measure *measure)
{
    if (sn_mesh_file_write(to, mesh) != SN_OK) {
        return command_fail("convert", EXIT_FAILED, "%s", sn_scene_error());
    }
    if (!mesh_measure_take(mesh, measure)) {
        return fail_without_memory(to);
    }
    print_mesh(to, mesh, measure);
    return EXIT_FINE;
}

static float cell_size(const convert_options *options, sn_bounds extent)
{
    sn_vec3 size = sn_sub(extent.upper, extent.lower);
    float longest = sn_max(size.x, sn_max(size.y, size.z));
    return options->cells > 0 ? longest / (float)options->cells : (float)options->cell;
}

// The mesh as mesh files want it. The arrays stay the mesh's own; they are only read.
static sn_mesh_data view_of(const sn_mesh *mesh)
{
    return (sn_mesh_data){.nodes = (sn_vec3 *)sn_mesh_nodes(mesh),
                          .node_count = sn_mesh_node_count(mesh),
                          .triangles = (uint32_t *)sn_mesh_triangles(mesh),
                          .triangle_count = sn_mesh_triangle_count(mesh),
                          .tetrahedra = (uint32_t *)sn_mesh_tetrahedra(mesh),
                          .tetrahedron_count = sn_mesh_tetrahedron_count(mesh)};
}

static int fill_mesh(const convert_options *options, const char *from, const char *to,
                     const sn_mesh_data *surface)
{
    mesh_measure before, after = {0};
    sn_mesh *solid = NULL;
    if (surface->triangle_count == 0) {
        return command_fail("convert", EXIT_FAILED, "%s: has no triangles to fill, expected a closed surface",
                            from);
    }
    if (!mesh_measure_take(surface, &before)) {
        return fail_without_memory(from);
    }
    print_mesh(from, surface, &before);
    if (sn_mesh_fill(surface->nodes, surface->node_count, surface->triangles, surface->triangle_count,
                     cell_size(options, before.extent), &solid) != SN_OK) {
        return command_fail("convert", EXIT_FAILED, "%s: %s", from, sn_last_error());
    }
    sn_mesh_data filled = view_of(solid);
    int code = write_mesh(to, &filled, &after);
    if (code == EXIT_FINE && before.open_edges == 0 && before.enclosed > 0.0) {
        printf("  %.2f %% of what the surface holds\n", 100.0 * after.volume / before.enclosed);
    }
    sn_mesh_destroy(solid);
    return code;
}

static int convert_mesh(const convert_options *options, const char *from, const char *to)
{
    sn_mesh_data mesh = {0};
    if (path_is_scene(to)) {
        return command_fail("convert", EXIT_USAGE, "'%s': a mesh cannot become a scene; expected one of %s",
                            to, sn_mesh_file_endings(true));
    }
    sn_sources sources = {0};
    sn_status status = sn_mesh_source_read(&sources, from, &mesh);
    bool spared = !sn_sources_have(&sources, to);
    sn_sources_release(&sources);
    if (status != SN_OK) {
        return command_fail("convert", EXIT_FAILED, "%s", sn_scene_error());
    }
    if (!spared) {
        sn_mesh_data_release(&mesh);
        return command_fail("convert", EXIT_FAILED,
                            "%s: is what is converted, expected another file to write", to);
    }
    bool fill = options->cell > 0.0 || options->cells > 0;
    mesh_measure measure;
    int code = fill ? fill_mesh(options, from, to, &mesh) : write_mesh(to, &mesh, &measure);
    sn_mesh_data_release(&mesh);
    return code;
}

static int execute(int count, char **arguments)
{
    convert_options options = {0};
    if (options_read(&command_convert.line, count, arguments, &options) < 0) {
        return EXIT_USAGE;
    }
    if (options.cell > 0.0 && options.cells > 0) {
        return command_fail("convert", EXIT_USAGE, "--cell and --cells exclude each other: give one of them");
    }
    const char *from = arguments[1], *to = arguments[2];
    if (!path_can_be_written("convert", to)) {
        return EXIT_FAILED;
    }
    return path_is_scene(from) ? convert_scene(&options, from, to) : convert_mesh(&options, from, to);
}

const command command_convert = {
    .name = "convert",
    .summary = "turn scenes into states and back, meshes into other formats or into solids",
    .help =
        "The endings of the two names say what to do. A scene (.json) becomes a saved state (.state), which "
        "loads\n"
        "faster and goes on bit for bit; a state, or what a recording (.recording) begins with, becomes a "
        "scene.\n"
        "A mesh becomes a mesh of another format. With --cell or --cells a closed surface is filled with\n"
        "tetrahedra; quality and volume are printed.\n",
    .run = execute,
    .line = {"IN OUT", 2, 2, table},
    .examples = "  sinew convert scenes/tower.json tower.state\n"
                "  sinew convert tower.state tower.json\n"
                "  sinew convert scenes/meshes/bowl.obj bowl.stl\n"
                "  sinew convert scenes/meshes/bowl.obj bowl.msh --cells 30     # tetrahedra\n"};
