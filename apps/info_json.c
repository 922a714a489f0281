// Scenes and meshes told to programs.
#include "apps/info.h"

#include "apps/json_values.h"
#include "scene/reader.h"

static json_t *counts(const int *values, int count, const char *(*name)(int kind))
{
    json_t *object = json_object();
    for (int i = 0; i < count; ++i) {
        if (values[i] > 0) {
            json_object_set_new(object, name(i), json_integer(values[i]));
        }
    }
    return object;
}

static json_t *bounds(sn_bounds b)
{
    return json_pack("{s:[f,f,f], s:[f,f,f]}", "lower", (double)b.lower.x, (double)b.lower.y,
                     (double)b.lower.z, "upper", (double)b.upper.x, (double)b.upper.y, (double)b.upper.z);
}

json_t *info_settings_json(const sn_scene *scene)
{
    sn_writer writer = {.scene = scene};
    json_t *settings = sn_section_world.write(&writer);
    return settings != NULL ? settings : json_object();
}

static json_t *cameras(const sn_scene *scene)
{
    json_t *list = json_array();
    for (int i = 0; i < sn_scene_camera_count(scene); ++i) {
        json_array_append_new(list, json_text(sn_scene_camera_name(scene, i)));
    }
    return list;
}

static json_t *probes(const sn_scene *scene)
{
    json_t *list = json_array();
    for (int i = 0; i < sn_scene_probe_count(scene); ++i) {
        json_array_append_new(list, json_pack("{s:o, s:o}", "name", json_text(sn_scene_probe_name(scene, i)),
                                              "unit", json_text(sn_scene_probe_unit(scene, i))));
    }
    return list;
}

static json_t *deformable(const sn_world *world, sn_deformable id)
{
    const sn_mesh *mesh = sn_deformable_mesh(world, id);
    sn_deformable_def def = sn_deformable_definition(world, id);
    sn_deformable_measure measure = sn_deformable_measure_now(world, id);
    return json_pack("{s:o, s:s, s:s, s:s, s:b, s:i, s:i, s:i, s:i, s:f, s:f}", "name",
                     json_text(sn_deformable_name(world, id)), "type", soft_type_name(soft_type_of(mesh)),
                     "model", sn_scene_model_name(def.model.type), "integrator",
                     sn_scene_integrator_name(def.integrator), "inextensible", def.inextensible.on, "nodes",
                     sn_mesh_node_count(mesh), "edges", sn_mesh_edge_count(mesh), "triangles",
                     sn_mesh_triangle_count(mesh), "tetrahedra", sn_mesh_tetrahedron_count(mesh), "mass",
                     (double)measure.mass, "volume", (double)measure.volume);
}

static json_t *deformables(const sn_world *world)
{
    json_t *list = json_array();
    int count = sn_world_deformables(world, NULL, 0);
    sn_deformable *ids = malloc(((size_t)count + 1) * sizeof *ids);
    count = ids != NULL ? sn_world_deformables(world, ids, count) : 0;
    for (int i = 0; i < count; ++i) {
        json_array_append_new(list, deformable(world, ids[i]));
    }
    free(ids);
    return list;
}

json_t *info_scene_json(const char *path, const sn_scene *scene, const survey *survey)
{
    const sn_world *world = sn_scene_world(scene);
    json_t *object = json_pack(
        "{s:o, s:o, s:o, s:f, s:f, s:f, s:I}", "file", json_text(path), "title",
        json_text(sn_scene_title(scene)), "description", json_text(sn_scene_description(scene)),
        "step_length", (double)sn_scene_step_length(scene), "duration", (double)sn_scene_duration(scene),
        "time", sn_world_time(world), "steps", (json_int_t)sn_world_step_count(world));
    json_object_set_new(object, "bodies", counts(survey->bodies, RIGID_TYPE_COUNT, rigid_type_name));
    json_object_set_new(object, "shapes", counts(survey->shapes, SHAPE_TYPE_COUNT, shape_type_name));
    json_object_set_new(object, "joints", counts(survey->joints, SN_CONSTRAINT_KIND_COUNT, joint_kind_name));
    json_object_set_new(object, "mass",
                        json_pack("{s:f, s:f, s:f}", "total", survey->mass, "lightest", survey->lightest,
                                  "heaviest", survey->heaviest));
    json_object_set_new(object, "deformables", deformables(world));
    json_object_set_new(object, "anchors", json_integer(survey->anchor_count));
    json_object_set_new(object, "anchors_exact", json_integer(survey->exact_count));
    json_object_set_new(object, "anchors_exact_by_rows", json_integer(survey->instead_count));
    json_object_set_new(object, "anchors_off", json_integer(survey->off_count));
    json_object_set_new(object, "extent", survey->has_extent ? bounds(survey->extent) : json_null());
    json_object_set_new(object, "cameras", cameras(scene));
    json_object_set_new(object, "probes", probes(scene));
    sn_replay_progress replay = sn_scene_replay(scene);
    json_object_set_new(object, "recording",
                        replay.is_recording ? json_pack("{s:i, s:b}", "steps", replay.step_count, "closed",
                                                        (int)replay.is_closed)
                                            : json_null());
    json_object_set_new(object, "settings", info_settings_json(scene));
    return object;
}

json_t *info_mesh_json(const char *path, const sn_mesh_data *mesh, const mesh_measure *measure)
{
    bool closed = mesh->triangle_count > 0 && measure->open_edges == 0;
    json_t *object = json_pack(
        "{s:o, s:i, s:i, s:i, s:i, s:o, s:f, s:b, s:i, s:o}", "file", json_text(path), "nodes",
        mesh->node_count, "edges", mesh->edge_count, "triangles", mesh->triangle_count, "tetrahedra",
        mesh->tetrahedron_count, "extent", bounds(measure->extent), "area", measure->area, "closed", closed,
        "open_edges", measure->open_edges, "enclosed", closed ? json_real(measure->enclosed) : json_null());
    if (mesh->tetrahedron_count > 0) {
        json_object_set_new(object, "volume", json_real(measure->volume));
        json_object_set_new(object, "least_angle", json_real(measure->least_angle));
        json_object_set_new(object, "largest_angle", json_real(measure->largest_angle));
    }
    return object;
}
