// Scenes and meshes told to people.
#include "apps/info.h"

#include "apps/describe.h"

#include <stdlib.h>

static void print_row(const terminal *terminal, const char *name)
{
    fprintf(terminal->stream, "  %s%-10s%s ", terminal_code(terminal, STYLE_DIM), name,
            terminal_code(terminal, STYLE_PLAIN));
}

static void print_title(const terminal *terminal, const char *path, const char *title)
{
    fprintf(terminal->stream, "%s%s%s%s%s\n", terminal_code(terminal, STYLE_BOLD), path,
            terminal_code(terminal, STYLE_PLAIN), title[0] != '\0' ? ": " : "", title);
}

// "12: 10 box, 2 sphere".
static void print_counts(const terminal *terminal, const char *name, int total, const int *counts, int kinds,
                         const char *(*kind_name)(int kind))
{
    print_row(terminal, name);
    fprintf(terminal->stream, "%d", total);
    const char *separator = ": ";
    for (int i = 0; i < kinds; ++i) {
        if (counts[i] > 0) {
            fprintf(terminal->stream, "%s%d %s", separator, counts[i], kind_name(i));
            separator = ", ";
        }
    }
    fputc('\n', terminal->stream);
}

enum { MOST_DESCRIBED = 12 }; // deformables

// "jelly: volume of 64 nodes and 135 tetrahedra, corotational, 125 kg".
static void print_deformable(const terminal *terminal, const sn_world *world, sn_deformable deformable)
{
    static const char *const elements[SOFT_TYPE_COUNT] = {"tetrahedra", "triangles", "edges"};
    const sn_mesh *mesh = sn_deformable_mesh(world, deformable);
    sn_deformable_def def = sn_deformable_definition(world, deformable);
    const sn_node_state *nodes = sn_deformable_nodes(world, deformable);
    int fixed = 0;
    for (int i = 0; i < sn_mesh_node_count(mesh); ++i) {
        fixed += nodes[i].inverse_mass > 0.0f ? 0 : 1;
    }
    soft_type type = soft_type_of(mesh);
    bool plain = def.model.type == SN_MODEL_NONE && def.inextensible.on;
    print_row(terminal, "");
    fprintf(terminal->stream, "%s: %s of %s and %d %s", describe_deformable(world, deformable).text,
            soft_type_name(type), describe_count(sn_mesh_node_count(mesh), "node", "nodes").text,
            soft_element_count(mesh), elements[type]);
    if (fixed > 0) {
        fprintf(terminal->stream, ", %d fixed", fixed);
    }
    if (!plain) {
        fprintf(terminal->stream, ", model %s", sn_scene_model_name(def.model.type));
    }
    if (def.integrator != SN_INTEGRATOR_EULER_CROMER) {
        fprintf(terminal->stream, " by %s", sn_scene_integrator_name(def.integrator));
    }
    fprintf(terminal->stream, "%s, %.4g kg\n", def.inextensible.on ? ", inextensible" : "",
            (double)sn_deformable_measure_now(world, deformable).mass);
}

static void print_deformables(const terminal *terminal, const sn_world *world, const survey *survey)
{
    sn_deformable few[MOST_DESCRIBED];
    print_counts(terminal, "deformable", survey->soft_count, survey->softs, SOFT_TYPE_COUNT, soft_type_name);
    int count = sn_world_deformables(world, few, MOST_DESCRIBED);
    for (int i = 0; i < count && i < MOST_DESCRIBED; ++i) {
        print_deformable(terminal, world, few[i]);
    }
    if (count > MOST_DESCRIBED) {
        print_row(terminal, "");
        fprintf(terminal->stream, "and %d more\n", count - MOST_DESCRIBED);
    }
    print_row(terminal, "soft");
    fprintf(terminal->stream, "%s, %s, %s, %.6g kg\n",
            describe_count(survey->node_count, "node", "nodes").text,
            describe_count(survey->element_count, "element", "elements").text, survey_anchors(survey).text,
            survey->soft_mass);
}

static void print_extent(const terminal *terminal, sn_bounds extent)
{
    sn_vec3 l = extent.lower, u = extent.upper;
    print_row(terminal, "extent");
    fprintf(terminal->stream, "%.4g × %.4g × %.4g m, from (%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g)\n",
            u.x - l.x, u.y - l.y, u.z - l.z, l.x, l.y, l.z, u.x, u.y, u.z);
}

static void print_names(const terminal *terminal, const sn_scene *scene)
{
    FILE *out = terminal->stream;
    if (sn_scene_camera_count(scene) > 0) {
        print_row(terminal, "cameras");
        for (int i = 0; i < sn_scene_camera_count(scene); ++i) {
            fprintf(out, "%s%s", i > 0 ? ", " : "", sn_scene_camera_name(scene, i));
        }
        fputc('\n', out);
    }
    if (sn_scene_probe_count(scene) > 0) {
        print_row(terminal, "probes");
        for (int i = 0; i < sn_scene_probe_count(scene); ++i) {
            fprintf(out, "%s%s [%s]", i > 0 ? ", " : "", sn_scene_probe_name(scene, i),
                    sn_scene_probe_unit(scene, i));
        }
        fputc('\n', out);
    }
}

static void print_settings(const terminal *terminal, const sn_scene *scene)
{
    json_t *settings = info_settings_json(scene), *value;
    const char *name;
    if (json_object_size(settings) > 0) {
        const char *separator = "";
        print_row(terminal, "settings");
        json_object_foreach(settings, name, value)
        {
            char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(7));
            fprintf(terminal->stream, "%s%s %s", separator, name, text != NULL ? text : "");
            free(text);
            separator = ", ";
        }
        fputc('\n', terminal->stream);
    }
    json_decref(settings);
}

static void print_replay(const terminal *terminal, const sn_scene *scene)
{
    sn_replay_progress replay = sn_scene_replay(scene);
    if (replay.is_recording) {
        print_row(terminal, "recording");
        fprintf(terminal->stream, "%s%s\n", describe_count(replay.step_count, "step", "steps").text,
                replay.is_closed ? "" : "; it was not ended: the program stopped before that");
    }
}

void info_scene_print(const terminal *terminal, const char *path, const sn_scene *scene, const survey *survey)
{
    FILE *out = terminal->stream;
    const sn_world *world = sn_scene_world(scene);
    print_title(terminal, path, sn_scene_title(scene));
    if (sn_scene_description(scene)[0] != '\0') {
        fprintf(out, "  %s\n", sn_scene_description(scene));
    }
    print_counts(terminal, "bodies", survey->body_count, survey->bodies, RIGID_TYPE_COUNT, rigid_type_name);
    print_counts(terminal, "shapes", survey->shape_count, survey->shapes, SHAPE_TYPE_COUNT, shape_type_name);
    print_counts(terminal, "joints", survey->joint_count, survey->joints, SN_CONSTRAINT_KIND_COUNT,
                 joint_kind_name);
    if (survey->bodies[SN_DYNAMIC] > 0) {
        print_row(terminal, "mass");
        fprintf(out, "%.6g kg in all, lightest %.4g kg, heaviest %.4g kg\n", survey->mass, survey->lightest,
                survey->heaviest);
    }
    if (survey->soft_count > 0 || survey->anchor_count > 0) {
        print_deformables(terminal, world, survey);
    }
    if (survey->has_extent) {
        print_extent(terminal, survey->extent);
    }
    print_row(terminal, "time");
    fprintf(out, "%.4g s in steps of %.4g ms", sn_scene_duration(scene),
            1000.0 * (double)sn_scene_step_length(scene));
    if (sn_world_step_count(world) > 0) {
        fprintf(out, "; %llu steps, %.4g s, are done", (unsigned long long)sn_world_step_count(world),
                sn_world_time(world));
    }
    fputc('\n', out);
    print_replay(terminal, scene);
    print_names(terminal, scene);
    print_settings(terminal, scene);
}

void info_mesh_print(const terminal *terminal, const char *path, const sn_mesh_data *mesh,
                     const mesh_measure *measure)
{
    FILE *out = terminal->stream;
    print_title(terminal, path, "");
    print_row(terminal, "holds");
    fprintf(out, "%s", describe_count(mesh->node_count, "node", "nodes").text);
    if (mesh->edge_count > 0) {
        fprintf(out, ", %s", describe_count(mesh->edge_count, "edge", "edges").text);
    }
    fprintf(out, ", %s, %s\n", describe_count(mesh->triangle_count, "triangle", "triangles").text,
            describe_count(mesh->tetrahedron_count, "tetrahedron", "tetrahedra").text);
    if (mesh->node_count > 0) {
        print_extent(terminal, measure->extent);
    }
    if (mesh->triangle_count > 0) {
        print_row(terminal, "surface");
        fprintf(out, "%.6g m², ", measure->area);
        if (measure->open_edges > 0) {
            fprintf(out, "open: %s not one triangle on either side\n",
                    describe_count(measure->open_edges, "edge has", "edges have").text);
        } else {
            fprintf(out, "closed, holds %.6g m³\n", measure->enclosed);
        }
    }
    if (mesh->tetrahedron_count > 0) {
        print_row(terminal, "solid");
        fprintf(out, "%.6g m³, angles between faces %.1f° to %.1f°\n", measure->volume, measure->least_angle,
                measure->largest_angle);
    }
}
