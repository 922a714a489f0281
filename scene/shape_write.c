// Shapes as scene files hold them. Geometry that several shapes share goes to the section "shapes", once.
#include "scene/shape_entry.h"

#include <stdio.h>
#include <string.h>

// --- lists -------------------------------------------------------------------------------------------------

static int compare_points(const void *a, const void *b)
{
    const sn_vec3 *p = a, *q = b;
    if (p->x != q->x) {
        return p->x < q->x ? -1 : 1;
    }
    if (p->y != q->y) {
        return p->y < q->y ? -1 : 1;
    }
    return p->z < q->z ? -1 : p->z > q->z;
}

// Corners of a hull in an order that does not depend on how it was built.
static json_t *write_hull_points(const sn_hull *hull)
{
    int count = sn_hull_vertex_count(hull);
    sn_vec3 points[SN_MAX_HULL_VERTICES];
    memcpy(points, sn_hull_vertices(hull), (size_t)count * sizeof points[0]);
    qsort(points, (size_t)count, sizeof points[0], compare_points);
    json_t *list = json_array();
    for (int i = 0; i < count; ++i) {
        json_array_append_new(list, sn_json_vector(points[i]));
    }
    return list;
}

// Triangles of a surface with each corner once, numbered in the order they are met.
static void write_surface_lists(const sn_surface *surface, json_t *out)
{
    int count = sn_surface_triangle_count(surface);
    sn_names known = {0};
    json_t *vertices = json_array(), *triangles = json_array();
    for (int i = 0; i < count; ++i) {
        sn_vec3 corners[3];
        sn_surface_triangle(surface, i, corners);
        json_t *triple = json_array();
        for (int k = 0; k < 3; ++k) {
            char key[64];
            snprintf(key, sizeof key, "%a %a %a", (double)corners[k].x, (double)corners[k].y,
                     (double)corners[k].z);
            int index = sn_names_find(&known, key);
            if (index < 0) {
                index = (int)json_array_size(vertices);
                sn_names_add(&known, key, index);
                json_array_append_new(vertices, sn_json_vector(corners[k]));
            }
            json_array_append_new(triple, json_integer(index));
        }
        json_array_append_new(triangles, triple);
    }
    sn_names_release(&known);
    json_object_set_new(out, "vertices", vertices);
    json_object_set_new(out, "triangles", triangles);
}

// --- geometry ----------------------------------------------------------------------------------------------

static json_t *write_solid(const sn_solid *solid)
{
    sn_shape_entry entry;
    sn_object_defaults(&sn_shape_sphere_object, &entry);
    entry.position = solid->pose.position;
    entry.rotation = solid->pose.rotation;
    switch (solid->type) {
    case SN_SPHERE:
        entry.sphere = solid->sphere;
        return sn_object_write(&sn_shape_sphere_object, &entry);
    case SN_CAPSULE:
        entry.capsule = solid->capsule;
        entry.has_ends = true;
        return sn_object_write(&sn_shape_capsule_object, &entry);
    case SN_BOX:
        entry.size = sn_scale(solid->box.half_extents, 2.0f);
        return sn_object_write(&sn_shape_box_object, &entry);
    default:
        break;
    }
    json_t *out = sn_object_write(&sn_shape_hull_object, &entry);
    json_object_set_new(out, "points", write_hull_points(solid->hull));
    return out;
}

static void write_compound_parts(const sn_compound *compound, json_t *out)
{
    json_t *parts = json_array();
    for (int i = 0; i < sn_compound_part_count(compound); ++i) {
        sn_solid solid = sn_compound_part(compound, i);
        json_array_append_new(parts, write_solid(&solid));
    }
    json_object_set_new(out, "parts", parts);
}

// The geometry several shapes may share; null for simple shapes.
static const void *shared_geometry(const sn_world *world, sn_shape shape)
{
    const sn_hull *hull = NULL;
    const sn_surface *surface = NULL;
    const sn_compound *compound = NULL;
    switch (sn_shape_get_type(world, shape)) {
    case SN_HULL:
        sn_shape_hull(world, shape, &hull);
        return hull;
    case SN_SURFACE:
        sn_shape_surface(world, shape, &surface);
        return surface;
    case SN_COMPOUND:
        sn_shape_compound(world, shape, &compound);
        return compound;
    default:
        return NULL;
    }
}

static json_t *write_named(sn_shape_type type, const void *geometry, const char *name)
{
    const sn_object *object = type == SN_HULL      ? &sn_shape_hull_object
                              : type == SN_SURFACE ? &sn_shape_mesh_object
                                                   : &sn_shape_compound_object;
    sn_shape_entry entry;
    sn_object_defaults(object, &entry);
    entry.name = name;
    entry.double_sided = type == SN_SURFACE && sn_surface_is_double_sided(geometry);
    json_t *out = sn_object_write(object, &entry);
    if (type == SN_HULL) {
        json_object_set_new(out, "points", write_hull_points(geometry));
    } else if (type == SN_SURFACE) {
        write_surface_lists(geometry, out);
    } else {
        write_compound_parts(geometry, out);
    }
    return out;
}

static int shared_number(const sn_writer *writer, const void *geometry)
{
    for (int i = 0; i < writer->shared.count; ++i) {
        if (writer->shared.items[i] == geometry) {
            return i;
        }
    }
    return -1;
}

static void shared_name(int number, char name[24])
{
    snprintf(name, 24, "shape-%d", number + 1);
}

static void add_shared(sn_writer *writer, sn_rigid rigid, json_t *list)
{
    const sn_world *world = writer->scene->world;
    int count = sn_rigid_shapes(world, rigid, NULL, 0);
    sn_shape *shapes = malloc(((size_t)count + 1) * sizeof *shapes);
    if (shapes == NULL) {
        writer->no_memory = true;
        return;
    }
    sn_rigid_shapes(world, rigid, shapes, count);
    for (int i = 0; i < count; ++i) {
        const void *geometry = shared_geometry(world, shapes[i]);
        if (geometry != NULL && shared_number(writer, geometry) < 0) {
            char name[24];
            shared_name(writer->shared.count, name);
            writer->no_memory = !SN_LIST_PUSH(&writer->shared, geometry) || writer->no_memory;
            json_array_append_new(list, write_named(sn_shape_get_type(world, shapes[i]), geometry, name));
        }
    }
    free(shapes);
}

json_t *sn_writer_shared_shapes(sn_writer *writer)
{
    const sn_world *world = writer->scene->world;
    int count = sn_world_rigids(world, NULL, 0);
    sn_rigid *rigids = malloc(((size_t)count + 1) * sizeof *rigids);
    json_t *list = json_array();
    if (rigids == NULL || list == NULL) {
        writer->no_memory = true;
        free(rigids);
        return list;
    }
    sn_world_rigids(world, rigids, count);
    add_shared(writer, sn_world_ground(world), list);
    for (int i = 0; i < count; ++i) {
        add_shared(writer, rigids[i], list);
    }
    free(rigids);
    if (json_array_size(list) == 0) {
        json_decref(list);
        return NULL;
    }
    return list;
}

// --- shapes ------------------------------------------------------------------------------------------------

static json_t *write_bits(const sn_scene *scene, uint64_t bits)
{
    json_t *list = json_array();
    for (int i = 0; i <= scene->categories.count && i < 64; ++i) {
        if ((bits >> i & 1u) != 0) {
            json_array_append_new(list, json_string(i == 0 ? "default" : scene->categories.items[i - 1]));
        }
    }
    return list;
}

static void fill_material(const sn_shape_def *def, sn_shape_entry *entry)
{
    sn_shape_def plain = sn_shape_def_default();
    entry->position = def->offset.position;
    entry->rotation = def->offset.rotation;
    for (int i = 0; i < 8; ++i) {
        entry->rotation = sn_quat_normalize(entry->rotation);
    }
    entry->density = def->density;
    entry->friction = def->friction;
    entry->restitution = def->restitution;
    entry->rolling_resistance = def->rolling_resistance;
    entry->has_density = def->density != plain.density;
    entry->has_friction = def->friction != plain.friction;
    entry->has_restitution = def->restitution != plain.restitution;
    entry->has_rolling_resistance = def->rolling_resistance != plain.rolling_resistance;
    entry->group = def->filter.group;
    entry->hit_events = def->hit_events;
}

static const sn_object *fill_geometry(const sn_writer *writer, sn_shape shape, sn_shape_entry *entry,
                                      char name[24])
{
    const sn_world *world = writer->scene->world;
    sn_box box;
    switch (sn_shape_get_type(world, shape)) {
    case SN_SPHERE:
        sn_shape_sphere(world, shape, &entry->sphere);
        return &sn_shape_sphere_object;
    case SN_CAPSULE:
        sn_shape_capsule(world, shape, &entry->capsule);
        entry->has_ends = true;
        return &sn_shape_capsule_object;
    case SN_BOX:
        sn_shape_box(world, shape, &box);
        entry->size = sn_scale(box.half_extents, 2.0f);
        return &sn_shape_box_object;
    case SN_PLANE:
        sn_shape_plane(world, shape, &entry->plane);
        for (int i = 0; i < 8; ++i) { // until normalising changes nothing any more
            entry->plane.normal = sn_normalize(entry->plane.normal);
        }
        return &sn_shape_plane_object;
    default:
        break;
    }
    shared_name(shared_number(writer, shared_geometry(world, shape)), name);
    entry->shape = name;
    return &sn_shape_shared_object;
}

json_t *sn_writer_shape(sn_writer *writer, sn_shape shape, bool with_color)
{
    const sn_scene *scene = writer->scene;
    sn_shape_def def = sn_shape_definition(scene->world, shape), plain = sn_shape_def_default();
    sn_shape_entry entry;
    char name[24];
    sn_object_defaults(&sn_shape_sphere_object, &entry);
    const sn_object *object = fill_geometry(writer, shape, &entry, name);
    fill_material(&def, &entry);
    entry.has_color = with_color && sn_scene_painted(scene, shape, &entry.color);
    json_t *out = sn_object_write(object, &entry);
    if (def.filter.category != plain.filter.category) {
        json_object_set_new(out, "category", write_bits(scene, def.filter.category));
    }
    if (def.filter.mask != plain.filter.mask) {
        json_object_set_new(out, "collides_with", write_bits(scene, def.filter.mask));
    }
    return out;
}
