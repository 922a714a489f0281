// Asking about shapes and changing them.
#include "geometry/shapes/check.h"
#include "world/core/world.h"

bool sn_shape_is_valid(const sn_world *world, sn_shape shape)
{
    return world != NULL && shape.index > 0 && shape.index <= (uint32_t)INT32_MAX &&
           shape.world == world->tag &&
           sn_id_pool_holds(&world->shape_ids, (int)(shape.index - 1), shape.generation);
}

sn_shape_type sn_shape_get_type(const sn_world *world, sn_shape shape)
{
    const sn_shape_data *data = sn_world_shape(world, shape);
    return data ? data->type : SN_SPHERE;
}

sn_rigid sn_shape_rigid(const sn_world *world, sn_shape shape)
{
    const sn_shape_data *data = sn_world_shape(world, shape);
    return data ? sn_rigid_id(world, data->body) : (sn_rigid){0};
}

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

sn_bounds sn_shape_bounds(const sn_world *world, sn_shape shape)
{
    const sn_shape_data *data = sn_world_shape(world, shape);
    return data ? sn_shape_compute_bounds(data, sn_body_pose(&world->bodies.data[data->body]))
                : (sn_bounds){0};
}

void *sn_shape_user(const sn_world *world, sn_shape shape)
{
    const sn_shape_data *data = sn_world_shape(world, shape);
    return data ? data->user : NULL;
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

sn_sphere sn_shape_sphere(const sn_world *world, sn_shape shape)
{
    const sn_shape_data *data = of_type(world, shape, SN_SPHERE);
    return data != NULL ? data->sphere : (sn_sphere){0};
}

sn_capsule sn_shape_capsule(const sn_world *world, sn_shape shape)
{
    const sn_shape_data *data = of_type(world, shape, SN_CAPSULE);
    return data != NULL ? data->capsule : (sn_capsule){0};
}

sn_box sn_shape_box(const sn_world *world, sn_shape shape)
{
    const sn_shape_data *data = of_type(world, shape, SN_BOX);
    return data != NULL ? data->box : (sn_box){0};
}

sn_plane sn_shape_plane(const sn_world *world, sn_shape shape)
{
    const sn_shape_data *data = of_type(world, shape, SN_PLANE);
    return data != NULL ? data->plane : (sn_plane){0};
}

const sn_hull *sn_shape_hull(const sn_world *world, sn_shape shape)
{
    const sn_shape_data *data = of_type(world, shape, SN_HULL);
    return data != NULL ? data->hull : NULL;
}

const sn_surface *sn_shape_surface(const sn_world *world, sn_shape shape)
{
    const sn_shape_data *data = of_type(world, shape, SN_SURFACE);
    return data != NULL ? data->surface : NULL;
}

const sn_compound *sn_shape_compound(const sn_world *world, sn_shape shape)
{
    const sn_shape_data *data = of_type(world, shape, SN_COMPOUND);
    return data != NULL ? data->compound : NULL;
}

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

// Wakes what the shape touches and takes its new material over into its contacts.
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

sn_status sn_shape_friction_set(sn_world *world, sn_shape shape, float friction)
{
    change change;
    sn_status status = begin_change(world, shape, "sn_shape_friction_set", &change);
    status =
        status ? status : sn_check_range(friction, 0.0f, 100.0f, world->error, change.label.text, "friction");
    if (status == SN_OK) {
        change.shape->friction = friction;
        end_material_change(world, &change);
    }
    return status;
}

sn_status sn_shape_restitution_set(sn_world *world, sn_shape shape, float restitution)
{
    change change;
    sn_status status = begin_change(world, shape, "sn_shape_restitution_set", &change);
    status = status ? status
                    : sn_check_range(restitution, 0.0f, 1.0f, world->error, change.label.text, "restitution");
    if (status == SN_OK) {
        change.shape->restitution = restitution;
        end_material_change(world, &change);
    }
    return status;
}

sn_status sn_shape_rolling_resistance_set(sn_world *world, sn_shape shape, float resistance)
{
    change change;
    sn_status status = begin_change(world, shape, "sn_shape_rolling_resistance_set", &change);
    status = status ? status
                    : sn_check_range(resistance, 0.0f, 1.0e6f, world->error, change.label.text,
                                     "rolling_resistance");
    if (status == SN_OK) {
        change.shape->rolling_resistance = resistance;
        end_material_change(world, &change);
    }
    return status;
}

sn_status sn_shape_surface_velocity_set(sn_world *world, sn_shape shape, sn_vec3 velocity)
{
    change change;
    sn_status status = begin_change(world, shape, "sn_shape_surface_velocity_set", &change);
    status = status
                 ? status
                 : sn_check_vec3(velocity, SN_MAX_SPEED, world->error, change.label.text, "surface_velocity");
    if (status == SN_OK) {
        change.shape->surface_velocity = velocity;
        end_material_change(world, &change);
    }
    return status;
}

sn_status sn_shape_density_set(sn_world *world, sn_shape shape, float density)
{
    change change;
    sn_status status = begin_change(world, shape, "sn_shape_density_set", &change);
    status =
        status ? status : sn_check_range(density, 0.0f, 1.0e9f, world->error, change.label.text, "density");
    if (status == SN_OK) {
        sn_shape_data changed = *change.shape;
        changed.density = density;
        status = check_changed(world, &change, &changed);
    }
    if (status == SN_OK) {
        change.shape->density = density;
        sn_world_wake(world, change.shape->body);
        sn_world_update_mass(world, change.shape->body);
    }
    return status;
}

// Contacts made under other rules go; the next step finds the new ones.
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
    sn_status status = begin_change(world, shape, "sn_shape_filter_set", &change);
    if (status == SN_OK) {
        change.shape->filter = filter;
        sn_bounds_tree *tree = sn_world_tree_of(world, world->bodies.data[change.shape->body].type);
        sn_bounds_tree_remove(tree, change.shape->leaf);
        // The leaf just freed is there for the taking, so this cannot fail.
        change.shape->leaf =
            sn_bounds_tree_add(tree, change.shape->fat, sn_filter_leaf_category(filter), change.index);
        redetect_contacts(world, &change);
    }
    return status;
}

sn_status sn_shape_sensor_set(sn_world *world, sn_shape shape, bool sensor)
{
    change change;
    sn_status status = begin_change(world, shape, "sn_shape_sensor_set", &change);
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
    sn_status status = sn_world_check_open(world, "sn_world_contact_filter_set");
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

static sn_status begin_geometry_change(sn_world *world, sn_shape shape, sn_shape_type type,
                                       const char *function, change *change)
{
    sn_status status = begin_change(world, shape, function, change);
    if (status == SN_OK && change->shape->type != type) {
        return sn_fail(world->error, SN_ERROR_KIND, "%s is of type %d, expected %d", change->label.text,
                       (int)change->shape->type, (int)type);
    }
    return status;
}

static sn_status end_geometry_change(sn_world *world, const change *change, sn_shape_data *changed)
{
    sn_status status = check_changed(world, change, changed);
    if (status == SN_OK) {
        sn_shape_store(changed);
        *change->shape = *changed;
        sn_world_update_mass(world, change->shape->body);
        redetect_contacts(world, change);
    }
    return status;
}

sn_status sn_shape_sphere_set(sn_world *world, sn_shape shape, sn_sphere sphere)
{
    change change;
    sn_status status = begin_geometry_change(world, shape, SN_SPHERE, "sn_shape_sphere_set", &change);
    status = status ? status : sn_check_sphere(sphere, world->error, change.label.text);
    if (status != SN_OK) {
        return status;
    }
    sn_shape_data changed = *change.shape;
    changed.sphere = sphere;
    return end_geometry_change(world, &change, &changed);
}

sn_status sn_shape_capsule_set(sn_world *world, sn_shape shape, sn_capsule capsule)
{
    change change;
    sn_status status = begin_geometry_change(world, shape, SN_CAPSULE, "sn_shape_capsule_set", &change);
    status = status ? status : sn_check_capsule(capsule, world->error, change.label.text);
    if (status != SN_OK) {
        return status;
    }
    sn_shape_data changed = *change.shape;
    changed.capsule = capsule;
    return end_geometry_change(world, &change, &changed);
}

sn_status sn_shape_box_set(sn_world *world, sn_shape shape, sn_box box)
{
    change change;
    sn_status status = begin_geometry_change(world, shape, SN_BOX, "sn_shape_box_set", &change);
    status = status ? status : sn_check_box(box, world->error, change.label.text);
    if (status != SN_OK) {
        return status;
    }
    sn_shape_data changed = *change.shape;
    changed.box = box;
    return end_geometry_change(world, &change, &changed);
}
