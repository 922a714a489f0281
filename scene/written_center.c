// Where the mass centre of a body will be once it is written and loaded. Writing turns shapes by a rounding
// or two (see settle.h), which moves the centre as much. What a world makes of such shapes only a world can
// say, to the last bit: a spare one is asked.
#include "scene/settle.h"
#include "scene/shape_entry.h"

static bool is_settled(sn_quat q)
{
    sn_quat s = sn_settled_rotation(q);
    return s.x == q.x && s.y == q.y && s.z == q.z && s.w == q.w;
}

static bool is_settled_compound(const sn_compound *compound)
{
    bool settled = true;
    for (int i = 0; i < sn_compound_part_count(compound) && settled; ++i) {
        settled = is_settled(sn_compound_part(compound, i).pose.rotation);
    }
    return settled;
}

static sn_geometry geometry_of(const sn_world *world, sn_shape shape)
{
    sn_geometry geometry = {.type = sn_shape_get_type(world, shape)};
    switch (geometry.type) {
    case SN_SPHERE:
        geometry.sphere = sn_shape_sphere(world, shape);
        break;
    case SN_CAPSULE:
        geometry.capsule = sn_shape_capsule(world, shape);
        break;
    case SN_BOX:
        geometry.box = sn_shape_box(world, shape);
        break;
    case SN_HULL:
        geometry.hull = (sn_hull *)sn_shape_hull(world, shape);
        break;
    case SN_COMPOUND:
        geometry.compound = (sn_compound *)sn_shape_compound(world, shape);
        break;
    default: // planes and surfaces are on bodies without a mass
        break;
    }
    return geometry;
}

// The compound as it will be loaded; to be destroyed.
static sn_compound *settle_compound(const sn_compound *compound)
{
    int count = sn_compound_part_count(compound);
    sn_solid *parts = malloc((size_t)count * sizeof *parts);
    sn_compound *settled = NULL;
    for (int i = 0; parts != NULL && i < count; ++i) {
        parts[i] = sn_compound_part(compound, i);
        parts[i].pose.rotation = sn_settled_rotation(parts[i].pose.rotation);
    }
    if (parts != NULL) {
        sn_compound_create(parts, count, &settled);
    }
    free(parts);
    return settled;
}

static sn_status add_settled(sn_world *spare, sn_rigid body, const sn_world *world, sn_shape shape)
{
    sn_shape_def def = sn_shape_definition(world, shape);
    sn_geometry geometry = geometry_of(world, shape);
    sn_compound *settled = geometry.type == SN_COMPOUND ? settle_compound(geometry.compound) : NULL;
    if (settled != NULL) {
        geometry.compound = settled;
    }
    def.offset.rotation = sn_settled_rotation(def.offset.rotation);
    sn_status status = sn_geometry_add(spare, body, &def, &geometry, NULL);
    sn_compound_destroy(settled);
    return status;
}

static bool needs_asking(const sn_world *world, const sn_shape *shapes, int count)
{
    bool settled = true;
    for (int i = 0; i < count && settled; ++i) {
        sn_geometry geometry = geometry_of(world, shapes[i]);
        settled = is_settled(sn_shape_definition(world, shapes[i]).offset.rotation) &&
                  (geometry.type != SN_COMPOUND || is_settled_compound(geometry.compound));
    }
    return !settled;
}

sn_world *sn_writer_spare(sn_writer *writer)
{
    sn_world_def def = sn_world_def_default();
    if (writer->spare == NULL && sn_world_create(&def, &writer->spare) != SN_OK) {
        writer->no_memory = true;
    }
    return writer->spare;
}

static bool ask(sn_writer *writer, const sn_shape *shapes, int count, sn_vec3 *center)
{
    sn_rigid_def body_def = sn_rigid_def_default();
    sn_rigid body;
    if (sn_writer_spare(writer) == NULL || sn_rigid_add(writer->spare, &body_def, &body) != SN_OK) {
        return false;
    }
    bool good = true;
    for (int i = 0; i < count && good; ++i) {
        good = add_settled(writer->spare, body, writer->scene->world, shapes[i]) == SN_OK;
    }
    *center = sn_rigid_mass(writer->spare, body).center;
    sn_rigid_remove(writer->spare, body);
    return good;
}

sn_vec3 sn_writer_center(sn_writer *writer, sn_rigid rigid)
{
    const sn_world *world = writer->scene->world;
    sn_vec3 center = sn_rigid_mass(world, rigid).center;
    if (sn_rigid_get_type(world, rigid) != SN_DYNAMIC || sn_rigid_mass_is_set(world, rigid)) {
        return center;
    }
    int count = 0;
    sn_shape *shapes = sn_writer_shapes(writer, rigid, &count);
    if (needs_asking(world, shapes, count) && !ask(writer, shapes, count, &center)) {
        writer->no_memory = true;
    }
    free(shapes);
    return center;
}
