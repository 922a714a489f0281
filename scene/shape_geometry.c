// From a shape's entry to its geometry: simple ones by value, hulls, meshes and compounds made once and
// shared.
#include "scene/shape_entry.h"

#include "scene/mesh_formats.h"

static bool make_capsule(const sn_node *node, const sn_shape_entry *entry, sn_geometry *geometry)
{
    geometry->type = SN_CAPSULE;
    geometry->capsule = entry->capsule;
    bool has_a = json_object_get(node->value, "a") != NULL, has_b = json_object_get(node->value, "b") != NULL;
    if (has_a != has_b || entry->has_ends == entry->has_length) {
        return sn_node_fail(node, "a capsule has either `length` or both `a` and `b`");
    }
    if (!entry->has_ends) {
        geometry->capsule.a = sn_v(0.0f, -0.5f * entry->length, 0.0f);
        geometry->capsule.b = sn_v(0.0f, 0.5f * entry->length, 0.0f);
    }
    return true;
}

static bool read_mesh_file(const sn_node *node, const char *name, sn_mesh_data *data)
{
    char *path = sn_path_beside(node->document->path, name);
    if (path == NULL) {
        node->mistakes->no_memory = true;
        return false;
    }
    sn_status status = sn_mesh_source_read(node->document->sources, path, data);
    free(path);
    return status == SN_OK ||
           sn_node_fail_key(node, "file", "\"%s\" cannot be used: %s", name, sn_scene_error());
}

static void scale_points(sn_vec3 *points, int count, float scale)
{
    for (int i = 0; i < count; ++i) {
        points[i] = sn_scale(points[i], scale);
    }
}

static bool made(const sn_node *node, sn_status status)
{
    return status == SN_OK || sn_node_fail(node, "%s", sn_last_error());
}

static bool make_hull(const sn_node *node, const sn_shape_entry *entry, sn_geometry *geometry)
{
    geometry->type = SN_HULL;
    if ((entry->file != NULL) == (entry->points.value != NULL)) {
        return sn_node_fail(node, "a hull has either `points` or `file`");
    }
    sn_mesh_data data = {0};
    bool good = entry->file != NULL ? read_mesh_file(node, entry->file, &data)
                                    : sn_node_points(&entry->points, &data.nodes, &data.node_count);
    if (good) {
        scale_points(data.nodes, data.node_count, entry->scale);
        good = made(node, sn_hull_create(data.nodes, data.node_count, entry->max_vertices, &geometry->hull));
    }
    sn_mesh_data_release(&data);
    return good;
}

static bool make_cylinder(const sn_node *node, const sn_shape_entry *entry, sn_geometry *geometry)
{
    geometry->type = SN_HULL;
    float top = entry->has_top_radius ? entry->top_radius : entry->radius;
    return made(node, sn_hull_cylinder(entry->height, entry->radius, top, entry->sides, &geometry->hull));
}

static bool make_mesh(const sn_node *node, const sn_shape_entry *entry, sn_geometry *geometry)
{
    geometry->type = SN_SURFACE;
    bool has_lists = entry->vertices.value != NULL && entry->triangles.value != NULL;
    bool has_one = entry->vertices.value != NULL || entry->triangles.value != NULL;
    if ((entry->file != NULL) == has_one || has_lists != has_one) {
        return sn_node_fail(node, "a mesh has either `file` or both `vertices` and `triangles`");
    }
    sn_mesh_data data = {0};
    bool good = entry->file != NULL ? read_mesh_file(node, entry->file, &data)
                                    : sn_node_points(&entry->vertices, &data.nodes, &data.node_count) &&
                                          sn_node_triangles(&entry->triangles, data.node_count,
                                                            &data.triangles, &data.triangle_count);
    if (good && data.triangle_count == 0) {
        good = sn_node_fail_key(node, "file", "\"%s\" has no triangles, expected a surface", entry->file);
    }
    if (good) {
        scale_points(data.nodes, data.node_count, entry->scale);
        good = made(node, sn_surface_create(data.nodes, data.node_count, data.triangles, data.triangle_count,
                                            entry->double_sided, &geometry->surface));
    }
    sn_mesh_data_release(&data);
    return good;
}

static bool make_part(sn_reader *reader, const sn_node *node, sn_solid *solid)
{
    sn_shape_entry entry;
    const sn_object *object = sn_family_read(node, &sn_family_solid, &entry);
    sn_geometry geometry = {0};
    if (object == NULL || !sn_reader_geometry(reader, node, object, &entry, &geometry)) {
        return false;
    }
    *solid = (sn_solid){.type = geometry.type, .pose = {entry.position, entry.rotation}};
    switch (geometry.type) {
    case SN_SPHERE:
        solid->sphere = geometry.sphere;
        break;
    case SN_CAPSULE:
        solid->capsule = geometry.capsule;
        break;
    case SN_BOX:
        solid->box = geometry.box;
        break;
    default:
        solid->hull = geometry.hull;
        break;
    }
    return true;
}

static bool make_compound(sn_reader *reader, const sn_node *node, const sn_shape_entry *entry,
                          sn_geometry *geometry)
{
    geometry->type = SN_COMPOUND;
    int count = sn_node_count(&entry->parts);
    if (count < 1 || count > 4096) {
        return sn_node_fail_key(node, "parts", "%d parts are not allowed, expected a list of 1 to 4096",
                                count);
    }
    sn_solid *solids = malloc((size_t)count * sizeof *solids);
    if (solids == NULL) {
        return sn_reader_no_memory(reader);
    }
    bool good = true;
    for (int i = 0; i < count; ++i) {
        sn_node part = sn_node_at(&entry->parts, i);
        good = make_part(reader, &part, &solids[i]) && good;
    }
    good = good && made(node, sn_compound_create(solids, count, &geometry->compound));
    free(solids);
    return good;
}

static bool make_shared(sn_reader *reader, const sn_node *node, const sn_shape_entry *entry,
                        sn_geometry *geometry)
{
    int index = 0;
    if (sn_reader_find(reader, &reader->shape_names, node, "shape", "shape", entry->shape, &index) !=
        SN_LOOKUP_FOUND) {
        return false;
    }
    const sn_node *named = &reader->shape_nodes.items[index];
    if (sn_reader_geometry_find(reader, named->value, geometry)) {
        return true;
    }
    sn_shape_entry inner;
    const sn_object *object = sn_family_read(named, &sn_family_shape, &inner);
    if (object == &sn_shape_shared_object) {
        return sn_node_fail_key(node, "shape", "\"%s\" only names another shape, expected one of its own",
                                entry->shape);
    }
    return object != NULL && sn_reader_geometry(reader, named, object, &inner, geometry);
}

static bool make_geometry(sn_reader *reader, const sn_node *node, const sn_object *object,
                          const sn_shape_entry *entry, sn_geometry *geometry)
{
    if (object == &sn_shape_hull_object) {
        return make_hull(node, entry, geometry);
    }
    if (object == &sn_shape_cylinder_object) {
        return make_cylinder(node, entry, geometry);
    }
    if (object == &sn_shape_mesh_object) {
        return make_mesh(node, entry, geometry);
    }
    return make_compound(reader, node, entry, geometry);
}

bool sn_reader_geometry(sn_reader *reader, const sn_node *node, const sn_object *object,
                        const sn_shape_entry *entry, sn_geometry *geometry)
{
    *geometry = (sn_geometry){0};
    if (object == &sn_shape_sphere_object) {
        *geometry = (sn_geometry){.type = SN_SPHERE, .sphere = entry->sphere};
        return true;
    }
    if (object == &sn_shape_box_object) {
        *geometry = (sn_geometry){.type = SN_BOX, .box = {sn_scale(entry->size, 0.5f)}};
        return true;
    }
    if (object == &sn_shape_plane_object) {
        *geometry = (sn_geometry){.type = SN_PLANE, .plane = entry->plane};
        return true;
    }
    if (object == &sn_shape_capsule_object) {
        return make_capsule(node, entry, geometry);
    }
    if (object == &sn_shape_shared_object) {
        return make_shared(reader, node, entry, geometry);
    }
    return sn_reader_geometry_find(reader, node->value, geometry) ||
           (make_geometry(reader, node, object, entry, geometry) &&
            sn_reader_geometry_add(reader, node->value, *geometry));
}
