// Shapes as scene files hold them. Geometry that several shapes share goes to the section "shapes", once.
#include "scene/settle.h"
#include "scene/shape_entry.h"
#include "scene/shared_geometry.h"

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
static json_t *write_hull_points(sn_writer *writer, const sn_hull *hull)
{
    int count = sn_hull_vertex_count(hull);
    sn_vec3 points[SN_MAX_HULL_VERTICES];
    memcpy(points, sn_hull_vertices(hull), (size_t)count * sizeof points[0]);
    qsort(points, (size_t)count, sizeof points[0], compare_points);
    json_t *list = json_array();
    for (int i = 0; i < count; ++i) {
        sn_writer_append(writer, list, sn_json_vector(points[i]));
    }
    return list;
}

// The number of a vertex, which is written when it is met first.
static int vertex_number(sn_writer *writer, sn_names *known, json_t *vertices, sn_vec3 v)
{
    char key[64];
    // Adding zero makes one of the two zeros there are.
    snprintf(key, sizeof key, "%a %a %a", (double)(v.x + 0.0f), (double)(v.y + 0.0f), (double)(v.z + 0.0f));
    int number = sn_names_find(known, key);
    if (number < 0) {
        number = (int)json_array_size(vertices);
        writer->no_memory = !sn_names_add(known, key, number) || writer->no_memory;
        sn_writer_append(writer, vertices, sn_json_vector(v));
    }
    return number;
}

// Triangles of a surface with each corner once, numbered in the order they are met.
static void write_surface_lists(sn_writer *writer, const sn_surface *surface, json_t *out)
{
    int count = sn_surface_triangle_count(surface);
    sn_names known = {0};
    json_t *vertices = json_array(), *triangles = json_array();
    for (int i = 0; i < count && !writer->no_memory; ++i) {
        sn_vec3 corners[3];
        sn_surface_triangle(surface, i, corners);
        json_t *triple = json_array();
        for (int k = 0; k < 3; ++k) {
            int number = vertex_number(writer, &known, vertices, corners[k]);
            sn_writer_append(writer, triple, json_integer(number));
        }
        sn_writer_append(writer, triangles, triple);
    }
    sn_names_release(&known);
    sn_writer_set(writer, out, "vertices", vertices);
    sn_writer_set(writer, out, "triangles", triangles);
}

// --- geometry ----------------------------------------------------------------------------------------------

static json_t *write_solid(sn_writer *writer, const sn_solid *solid)
{
    sn_shape_entry entry;
    sn_object_defaults(&sn_shape_sphere_object, &entry);
    entry.position = solid->pose.position;
    entry.rotation = sn_settled_rotation(solid->pose.rotation);
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
    sn_writer_set(writer, out, "points", write_hull_points(writer, solid->hull));
    return out;
}

static void write_compound_parts(sn_writer *writer, const sn_compound *compound, json_t *out)
{
    json_t *parts = json_array();
    for (int i = 0; i < sn_compound_part_count(compound); ++i) {
        sn_solid solid = sn_compound_part(compound, i);
        sn_writer_append(writer, parts, write_solid(writer, &solid));
    }
    sn_writer_set(writer, out, "parts", parts);
}

static json_t *write_named(sn_writer *writer, sn_shape_type type, const void *geometry, const char *name)
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
        sn_writer_set(writer, out, "points", write_hull_points(writer, geometry));
    } else if (type == SN_SURFACE) {
        write_surface_lists(writer, geometry, out);
    } else {
        write_compound_parts(writer, geometry, out);
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
    int count = 0;
    sn_shape *shapes = sn_writer_shapes(writer, rigid, &count);
    for (int i = 0; i < count; ++i) {
        const void *geometry = sn_shared_geometry(world, shapes[i]);
        if (geometry != NULL && shared_number(writer, geometry) < 0) {
            char name[24];
            shared_name(writer->shared.count, name);
            writer->no_memory = !SN_LIST_PUSH(&writer->shared, geometry) || writer->no_memory;
            json_t *named = write_named(writer, sn_shape_get_type(world, shapes[i]), geometry, name);
            sn_writer_append(writer, list, named);
        }
    }
    free(shapes);
}

json_t *sn_writer_shared_shapes(sn_writer *writer)
{
    int count = 0;
    sn_rigid *rigids = sn_writer_rigids(writer, &count);
    json_t *list = json_array();
    add_shared(writer, sn_world_ground(writer->scene->world), list);
    for (int i = 0; i < count; ++i) {
        add_shared(writer, rigids[i], list);
    }
    free(rigids);
    return list;
}

// --- shapes ------------------------------------------------------------------------------------------------

static json_t *write_bits(sn_writer *writer, uint64_t bits)
{
    json_t *list = json_array();
    for (int bit = 0; bit <= writer->category_count; ++bit) {
        if ((bits >> bit & 1u) != 0) {
            char made_up[SN_MAX_NAME + 1];
            sn_writer_append(writer, list, json_string(sn_writer_category(writer, bit, made_up)));
        }
    }
    return list;
}

void sn_writer_filter(sn_writer *writer, sn_filter filter, json_t *out)
{
    sn_filter plain = sn_shape_def_default().filter;
    if (filter.category != plain.category) {
        sn_writer_set(writer, out, "category", write_bits(writer, filter.category));
    }
    if (filter.mask != plain.mask) {
        sn_writer_set(writer, out, "collides_with", write_bits(writer, filter.mask));
    }
}

static void fill_material(const sn_shape_def *def, sn_shape_entry *entry)
{
    sn_shape_def plain = sn_shape_def_default();
    entry->position = def->offset.position;
    entry->rotation = sn_settled_rotation(def->offset.rotation);
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
    entry->contact_events = def->contact_events;
    entry->sensor = def->sensor;
    entry->surface_velocity = def->surface_velocity;
}

static const sn_object *fill_geometry(const sn_writer *writer, sn_shape shape, sn_shape_entry *entry,
                                      char name[24])
{
    const sn_world *world = writer->scene->world;
    sn_box box;
    switch (sn_shape_get_type(world, shape)) {
    case SN_SPHERE:
        entry->sphere = sn_shape_sphere(world, shape);
        return &sn_shape_sphere_object;
    case SN_CAPSULE:
        entry->capsule = sn_shape_capsule(world, shape);
        entry->has_ends = true;
        return &sn_shape_capsule_object;
    case SN_BOX:
        box = sn_shape_box(world, shape);
        entry->size = sn_scale(box.half_extents, 2.0f);
        return &sn_shape_box_object;
    case SN_PLANE:
        entry->plane = sn_shape_plane(world, shape);
        entry->plane.normal = sn_settled_direction(entry->plane.normal);
        return &sn_shape_plane_object;
    default:
        break;
    }
    shared_name(shared_number(writer, sn_shared_geometry(world, shape)), name);
    entry->shape = name;
    return &sn_shape_shared_object;
}

json_t *sn_writer_shape(sn_writer *writer, sn_shape shape, bool with_color)
{
    const sn_scene *scene = writer->scene;
    sn_shape_def def = sn_shape_definition(scene->world, shape);
    sn_shape_entry entry;
    char name[24];
    sn_object_defaults(&sn_shape_sphere_object, &entry);
    const sn_object *object = fill_geometry(writer, shape, &entry, name);
    fill_material(&def, &entry);
    entry.has_color = with_color && sn_scene_painted(scene, shape, &entry.color);
    json_t *out = sn_object_write(object, &entry);
    sn_writer_filter(writer, def.filter, out);
    return out;
}
