// Questions about shapes, and changing them.
// Tested by tests/world/bodies/test_change.c.
#include "geometry/shapes/check.h"
#include "world/core/world.h"

#include <string.h>

// A function that answers VALUE of the shape `data`, or OTHERWISE for an id that names none.
#define ASK(TYPE, FUNCTION, VALUE, OTHERWISE)                                                                \
    TYPE FUNCTION(const sn_world *world, sn_shape shape)                                                     \
    {                                                                                                        \
        const sn_shape_data *data = sn_world_shape(world, shape);                                            \
        return data != NULL ? (VALUE) : (OTHERWISE);                                                         \
    }

ASK(sn_shape_type, sn_shape_get_type, data->type, SN_SPHERE)
ASK(sn_rigid, sn_shape_rigid, sn_rigid_id(world, data->body), (sn_rigid){0})
ASK(sn_bounds, sn_shape_bounds, sn_shape_compute_bounds(data, sn_body_pose(&world->bodies.data[data->body])),
    (sn_bounds){0})
ASK(void *, sn_shape_user, data->user, NULL)

sn_shape_def sn_shape_definition(const sn_world *world, sn_shape shape)
{
    const sn_shape_data *data = sn_world_shape(world, shape);
    if (data == NULL) {
        return (sn_shape_def){0};
    }
    sn_shape_def def = sn_shape_def_default();
    def.offset = data->offset;
    def.density = data->density;
    def.friction = data->friction;
    def.restitution = data->restitution;
    def.rolling_resistance = data->rolling_resistance;
    def.filter = data->filter;
    def.contact_events = data->contact_events;
    def.hit_events = data->hit_events;
    def.sensor = data->sensor;
    def.surface_velocity = data->surface_velocity;
    def.user = data->user;
    return def;
}

// --- geometry ------------------------------------------------------------------------------------

// The shape, if it is of that type; null with a message if not.
static const sn_shape_data *of_type(const sn_world *world, sn_shape shape, sn_shape_type type)
{
    const sn_shape_data *data = sn_world_shape(world, shape);
    if (data != NULL && data->type != type) {
        sn_label label = sn_shape_label(world, (int)(data - world->shapes.data));
        (void)sn_fail(world->error, SN_ERROR_KIND, "%s is of type %d, expected %d", label.text,
                      (int)data->type, (int)type);
        return NULL;
    }
    return data;
}

// A function that answers the geometry of a shape of that type, or OTHERWISE.
#define ASK_GEOMETRY(TYPE, FUNCTION, SHAPE, MEMBER, OTHERWISE)                                               \
    TYPE FUNCTION(const sn_world *world, sn_shape shape)                                                     \
    {                                                                                                        \
        const sn_shape_data *data = of_type(world, shape, SHAPE);                                            \
        return data != NULL ? data->MEMBER : (OTHERWISE);                                                    \
    }

ASK_GEOMETRY(sn_sphere, sn_shape_sphere, SN_SPHERE, sphere, (sn_sphere){0})
ASK_GEOMETRY(sn_capsule, sn_shape_capsule, SN_CAPSULE, capsule, (sn_capsule){0})
ASK_GEOMETRY(sn_box, sn_shape_box, SN_BOX, box, (sn_box){0})
ASK_GEOMETRY(sn_plane, sn_shape_plane, SN_PLANE, plane, (sn_plane){0})
ASK_GEOMETRY(const sn_hull *, sn_shape_hull, SN_HULL, hull, NULL)
ASK_GEOMETRY(const sn_surface *, sn_shape_surface, SN_SURFACE, surface, NULL)
ASK_GEOMETRY(const sn_compound *, sn_shape_compound, SN_COMPOUND, compound, NULL)

// --- changing ------------------------------------------------------------------------------------

typedef struct change {
    sn_shape_data *shape;
    int index;
    sn_label label;
} change;

static sn_status begin_change(sn_world *world, sn_shape shape, const char *function, change *change)
{
    sn_status status = sn_world_check_open(world, function);
    if (status != SN_OK) {
        return status;
    }
    change->shape = sn_world_shape(world, shape);
    if (change->shape == NULL) {
        return SN_ERROR_ID;
    }
    change->index = (int)(change->shape - world->shapes.data);
    change->label = sn_shape_label(world, change->index);
    return SN_OK;
}

// Whether the body can have the mass it would have with the changed shape.
static sn_status check_changed(const sn_world *world, const change *change, const sn_shape_data *changed)
{
    const sn_body *body = &world->bodies.data[change->shape->body];
    return sn_world_check_shape_masses(world, body, body->type, changed, change->index, change->label.text);
}

// Wakes what the shape touches and gives its contacts the new material.
static void end_material_change(sn_world *world, const change *change)
{
    int body = change->shape->body;
    sn_world_wake_neighbors(world, body);
    sn_world_wake(world, body);
    for (int edge = world->bodies.data[body].first_contact; edge >= 0;
         edge = world->contacts.data[edge >> 1].next[edge & 1]) {
        sn_contact_data *contact = &world->contacts.data[edge >> 1];
        sn_contact_mix_materials(contact, &world->shapes.data[contact->shape_a],
                                 &world->shapes.data[contact->shape_b]);
    }
}

#define SHAPE(TYPE, MEMBER, ...) SN_MEMBER_FIELD(TYPE, sn_shape_data, MEMBER, __VA_ARGS__)

static sn_status set_material(sn_world *world, sn_shape shape, const sn_field *field, const void *value,
                              const char *function)
{
    change change;
    sn_status status = begin_change(world, shape, function, &change);
    if (status != SN_OK) {
        return status;
    }
    sn_shape_data changed = *change.shape;
    memcpy((char *)&changed + field->offset, value, sn_field_size(field->type));
    status = sn_field_check(field, &changed, world->error, change.label.text);
    if (status == SN_OK) {
        memcpy((char *)change.shape + field->offset, value, sn_field_size(field->type));
        end_material_change(world, &change);
    }
    return status;
}

sn_status sn_shape_friction_set(sn_world *world, sn_shape shape, float friction)
{
    static const sn_field field = SHAPE(FLOAT, friction, SN_FRICTION_RANGE);
    return set_material(world, shape, &field, &friction, __func__);
}

sn_status sn_shape_restitution_set(sn_world *world, sn_shape shape, float restitution)
{
    static const sn_field field = SHAPE(FLOAT, restitution, SN_RESTITUTION_RANGE);
    return set_material(world, shape, &field, &restitution, __func__);
}

sn_status sn_shape_rolling_resistance_set(sn_world *world, sn_shape shape, float resistance)
{
    static const sn_field field = SHAPE(FLOAT, rolling_resistance, SN_ROLLING_RANGE);
    return set_material(world, shape, &field, &resistance, __func__);
}

sn_status sn_shape_surface_velocity_set(sn_world *world, sn_shape shape, sn_vec3 velocity)
{
    static const sn_field field = SHAPE(VEC3, surface_velocity, .upper = SN_MAX_SPEED);
    return set_material(world, shape, &field, &velocity, __func__);
}

sn_status sn_shape_density_set(sn_world *world, sn_shape shape, float density)
{
    static const sn_field field = SHAPE(FLOAT, density, SN_DENSITY_RANGE);
    change change;
    sn_status status = begin_change(world, shape, __func__, &change);
    if (status != SN_OK) {
        return status;
    }
    sn_shape_data changed = *change.shape;
    changed.density = density;
    status = sn_field_check(&field, &changed, world->error, change.label.text);
    status = status ? status : check_changed(world, &change, &changed);
    if (status == SN_OK) {
        change.shape->density = density;
        sn_world_wake(world, change.shape->body);
        sn_world_update_mass(world, change.shape->body);
    }
    return status;
}

// Removes the contacts of the shape; the next step finds the new ones.
static void redetect_contacts(sn_world *world, const change *change)
{
    sn_world_wake_neighbors(world, change->shape->body);
    sn_world_wake(world, change->shape->body);
    sn_world_contacts_remove(world, change->shape->body, -1, change->index);
    sn_world_shape_refresh(world, change->index);
}

sn_status sn_shape_filter_set(sn_world *world, sn_shape shape, sn_filter filter)
{
    change change;
    sn_status status = begin_change(world, shape, __func__, &change);
    if (status == SN_OK) {
        change.shape->filter = filter;
        sn_bounds_tree *tree = sn_world_tree_of(world, world->bodies.data[change.shape->body].type);
        sn_bounds_tree_remove(tree, change.shape->leaf);
        // The leaf that was just freed is taken again, so this cannot fail.
        change.shape->leaf =
            sn_bounds_tree_add(tree, change.shape->fat, sn_filter_leaf_category(filter), change.index);
        redetect_contacts(world, &change);
    }
    return status;
}

sn_status sn_shape_sensor_set(sn_world *world, sn_shape shape, bool sensor)
{
    change change;
    sn_status status = begin_change(world, shape, __func__, &change);
    if (status == SN_OK) {
        sn_shape_data changed = *change.shape;
        changed.sensor = sensor;
        status = check_changed(world, &change, &changed);
    }
    if (status == SN_OK) {
        change.shape->sensor = sensor;
        sn_world_update_mass(world, change.shape->body);
        redetect_contacts(world, &change);
    }
    return status;
}

sn_status sn_world_contact_filter_set(sn_world *world, sn_contact_filter filter, void *user)
{
    sn_status status = sn_world_check_open(world, __func__);
    if (status != SN_OK) {
        return status;
    }
    world->contact_filter = filter;
    world->contact_filter_user = user;
    for (int i = 0; i < world->bodies.count; ++i) {
        if (sn_id_pool_in_use(&world->body_ids, i)) {
            sn_world_wake(world, i);
            sn_world_contacts_remove(world, i, -1, -1);
        }
    }
    for (int i = 0; i < world->shapes.count; ++i) {
        if (sn_id_pool_in_use(&world->shape_ids, i)) {
            sn_world_shape_refresh(world, i);
        }
    }
    return SN_OK;
}

// Gives a shape the geometry of another one of its type: a sphere, a capsule or a box.
static sn_status set_geometry(sn_world *world, sn_shape shape, const sn_shape_data *geometry,
                              const char *function)
{
    change change;
    sn_status status = begin_change(world, shape, function, &change);
    if (status != SN_OK) {
        return status;
    }
    const char *object = change.label.text;
    sn_shape_data changed = *change.shape;
    if (changed.type != geometry->type) {
        return sn_fail(world->error, SN_ERROR_KIND, "%s is of type %d, expected %d", object,
                       (int)changed.type, (int)geometry->type);
    }
    if (geometry->type == SN_SPHERE) {
        changed.sphere = geometry->sphere;
    } else if (geometry->type == SN_CAPSULE) {
        changed.capsule = geometry->capsule;
    } else {
        changed.box = geometry->box;
    }
    status = sn_shape_check_geometry(&changed, world->error, object);
    status = status ? status : check_changed(world, &change, &changed);
    if (status == SN_OK) {
        sn_shape_store(&changed);
        *change.shape = changed;
        sn_world_update_mass(world, change.shape->body);
        redetect_contacts(world, &change);
    }
    return status;
}

sn_status sn_shape_sphere_set(sn_world *world, sn_shape shape, sn_sphere sphere)
{
    return set_geometry(world, shape, &(sn_shape_data){.type = SN_SPHERE, .sphere = sphere}, __func__);
}

sn_status sn_shape_capsule_set(sn_world *world, sn_shape shape, sn_capsule capsule)
{
    return set_geometry(world, shape, &(sn_shape_data){.type = SN_CAPSULE, .capsule = capsule}, __func__);
}

sn_status sn_shape_box_set(sn_world *world, sn_shape shape, sn_box box)
{
    return set_geometry(world, shape, &(sn_shape_data){.type = SN_BOX, .box = box}, __func__);
}
