// Adding and removing shapes: each call checks its input, then updates the bounds tree, the contacts and the
// body's mass.
// Tested by tests/world/bodies/test_bad_shape.c.
#include "geometry/shapes/check.h"
#include "geometry/shapes/mass.h"
#include "world/core/world.h"
#include "world/exact/exact_plan.h"

#include <string.h>

// The most by which boxes in the tree are larger than needed, so that slow bodies seldom move theirs. [m]
#define FAT_MARGIN 0.05f

sn_filter sn_filter_default(void)
{
    return (sn_filter){.category = 1, .mask = UINT64_MAX};
}

sn_shape_def sn_shape_def_default(void)
{
    return (sn_shape_def){.cookie = SN_COOKIE_SHAPE,
                          .offset = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}},
                          .density = 1000.0f,
                          .friction = 0.5f,
                          .filter = sn_filter_default(),
                          .contact_events = true};
}

sn_bounds_tree *sn_world_tree_of(sn_world *world, sn_rigid_type type)
{
    return type == SN_STATIC ? &world->static_tree : &world->moving_tree;
}

#define DEF(TYPE, MEMBER, ...) SN_MEMBER_FIELD(TYPE, sn_shape_def, MEMBER, __VA_ARGS__)

static const sn_field def_fields[] = {
    DEF(FLOAT, density, SN_DENSITY_RANGE),
    DEF(FLOAT, friction, SN_FRICTION_RANGE),
    DEF(FLOAT, restitution, SN_RESTITUTION_RANGE),
    DEF(FLOAT, rolling_resistance, SN_ROLLING_RANGE),
    DEF(VEC3, surface_velocity, .upper = SN_MAX_SPEED),
    {0},
};

static sn_status check_def(const sn_shape_def *def, sn_pose *offset, sn_error *error, const char *object)
{
    if (def->cookie != SN_COOKIE_SHAPE) {
        return sn_fail(error, SN_ERROR_DEFINITION, "%s: definition does not come from sn_shape_def_default",
                       object);
    }
    *offset = def->offset;
    sn_status status = sn_check_pose(offset, error, object, "offset");
    return status ? status : sn_fields_check(def_fields, def, error, object);
}

sn_status sn_shape_check_geometry(sn_shape_data *shape, sn_error *error, const char *object)
{
    switch (shape->type) {
    case SN_SPHERE:
        return sn_check_sphere(shape->sphere, error, object);
    case SN_CAPSULE:
        return sn_check_capsule(shape->capsule, error, object);
    case SN_BOX:
        return sn_check_box(shape->box, error, object);
    case SN_PLANE:
        return sn_check_plane(&shape->plane, error, object);
    default: // pointers to shared geometry are all in the same place
        return shape->hull != NULL ? SN_OK : sn_fail(error, SN_ERROR_NULL, "%s: geometry is null", object);
    }
}

// --- mass ----------------------------------------------------------------------------------------

static sn_mass mass_of_shapes(const sn_world *world, const sn_body *body)
{
    sn_mass sum = {0};
    for (int i = body->first_shape; i >= 0; i = world->shapes.data[i].next) {
        sn_mass one = sn_shape_mass(&world->shapes.data[i]);
        sum = one.mass > 0.0f ? (sum.mass > 0.0f ? sn_mass_sum(sum, one) : one) : sum;
    }
    return sum;
}

static sn_status check_shape_mass(float mass, sn_error *error, const char *object)
{
    if (mass != 0.0f && !(mass >= SN_MIN_MASS)) {
        return sn_fail(error, SN_ERROR_RANGE, "%s: mass of a shape is %g, expected 0 or >= %g", object,
                       (double)mass, (double)SN_MIN_MASS);
    }
    return SN_OK;
}

sn_status sn_world_check_shape_masses(const sn_world *world, const sn_body *body, sn_rigid_type type,
                                      const sn_shape_data *changed, int replaced, const char *object)
{
    if (type != SN_DYNAMIC) {
        return SN_OK;
    }
    float sum = changed != NULL ? sn_shape_mass(changed).mass : 0.0f;
    sn_status status = check_shape_mass(sum, world->error, object);
    for (int i = body->first_shape; i >= 0 && status == SN_OK; i = world->shapes.data[i].next) {
        if (i != replaced) {
            float mass = sn_shape_mass(&world->shapes.data[i]).mass;
            status = check_shape_mass(mass, world->error, object);
            sum += mass;
        }
    }
    if (status == SN_OK && !(sum <= SN_MAX_MASS)) {
        status = sn_fail(world->error, SN_ERROR_RANGE, "%s: mass of the body would be %g, expected <= %g",
                         object, (double)sum, (double)SN_MAX_MASS);
    }
    return status;
}

// How far the body reaches from its mass centre, and the thickness of its thinnest part.
static void update_radii(const sn_world *world, sn_body *body)
{
    body->outer_radius = 0.0f;
    body->inner_radius = INFINITY;
    for (int i = body->first_shape; i >= 0; i = world->shapes.data[i].next) {
        const sn_shape_data *shape = &world->shapes.data[i];
        if (shape->sensor) {
            continue;
        }
        body->outer_radius = sn_max(body->outer_radius, sn_shape_outer_radius(shape, body->local_center));
        for (int part = 0; part < sn_shape_core_count(shape); ++part) {
            sn_vec3 center;
            body->inner_radius = sn_min(body->inner_radius, sn_shape_core(shape, part, &center));
        }
    }
    body->inner_radius = body->inner_radius < INFINITY ? body->inner_radius : 0.0f;
}

void sn_world_update_mass(sn_world *world, int index)
{
    sn_body *body = &world->bodies.data[index];
    if (!body->mass_is_set) {
        sn_pose pose = sn_body_pose(body);
        sn_vec3 old_center = body->center;
        sn_mass mass = body->type == SN_DYNAMIC ? mass_of_shapes(world, body) : (sn_mass){0};
        body->mass = mass.mass;
        body->local_center = mass.center;
        body->inertia = mass.inertia;
        if (!(mass.mass > 0.0f) && body->type == SN_DYNAMIC) {
            body->mass = 1.0f;
            body->inertia = sn_mat3_diagonal(0.4f, 0.4f, 0.4f);
        }
        sn_body_place(body, pose);
        // The material keeps its velocity: so the velocity is now that of the new mass centre.
        body->linear_velocity =
            sn_add(body->linear_velocity, sn_cross(body->angular_velocity, sn_sub(body->center, old_center)));
    }
    update_radii(world, body);
    sn_world_forget_exact(world);      // what its shapes cover around anchors has changed
    world->active.holds_fresh = false; // it may be heavy enough to hold deformables now, or no longer
}

// --- broad phase ---------------------------------------------------------------------------------

// Not much larger than the body itself: otherwise a small one in a heap would be paired with all of it.
float sn_world_fat_margin(const sn_body *body)
{
    return body->type == SN_STATIC ? 0.0f : sn_min(FAT_MARGIN, body->outer_radius);
}

static void look_for_partners(sn_world *world, int index)
{
    sn_shape_data *shape = &world->shapes.data[index];
    if (!shape->query_pending) {
        shape->query_pending = true;
        // Memory was reserved when the shape was added.
        world->pending_shapes.data[world->pending_shapes.count++] = index;
    }
}

void sn_world_shape_refresh(sn_world *world, int index)
{
    sn_shape_data *shape = &world->shapes.data[index];
    const sn_body *body = &world->bodies.data[shape->body];
    shape->bounds = sn_shape_compute_bounds(shape, sn_body_pose(body));
    shape->fat = sn_bounds_grow(shape->bounds, sn_world_fat_margin(body));
    sn_bounds_tree_move(sn_world_tree_of(world, body->type), shape->leaf, shape->fat);
    look_for_partners(world, index);
}

bool sn_world_change_tree(sn_world *world, int body, sn_rigid_type type)
{
    sn_rigid_type old_type = world->bodies.data[body].type;
    sn_bounds_tree *from = sn_world_tree_of(world, old_type), *to = sn_world_tree_of(world, type);
    int first = world->bodies.data[body].first_shape, count = 0;
    for (int i = first; i >= 0; i = world->shapes.data[i].next) {
        ++count;
    }
    if (from != to && !sn_bounds_tree_reserve(to, count)) {
        return false;
    }
    for (int i = first; i >= 0; i = world->shapes.data[i].next) {
        sn_shape_data *shape = &world->shapes.data[i];
        if (from != to) {
            sn_bounds_tree_remove(from, shape->leaf);
            shape->leaf = sn_bounds_tree_add(to, shape->fat, sn_filter_leaf_category(shape->filter), i);
        }
        look_for_partners(world, i);
    }
    return true;
}

// --- adding and removing -------------------------------------------------------------------------

static bool reserve_shape(sn_world *world, const sn_body *body)
{
    return sn_id_pool_reserve(&world->shape_ids) &&
           sn_array_reserve(&world->shapes, world->shapes.count + 1) &&
           sn_array_reserve(&world->pending_shapes, world->shapes.count + 1) &&
           sn_bounds_tree_reserve(sn_world_tree_of(world, body->type), 1);
}

static void append_to_body(sn_world *world, sn_body *body, int index)
{
    int *link = &body->first_shape;
    while (*link >= 0) {
        link = &world->shapes.data[*link].next;
    }
    *link = index;
}

// Copies a definition into a shape that has its geometry.
static void fill_shape(sn_shape_data *shape, const sn_shape_def *def, int body, sn_pose offset)
{
    shape->body = body;
    shape->next = -1;
    shape->offset = offset;
    shape->density = def->density;
    shape->friction = def->friction;
    shape->restitution = def->restitution;
    shape->rolling_resistance = def->rolling_resistance;
    shape->filter = def->filter;
    shape->contact_events = def->contact_events;
    shape->hit_events = def->hit_events;
    shape->sensor = def->sensor;
    shape->surface_velocity = def->surface_velocity;
    shape->user = def->user;
    sn_shape_store(shape);
}

// Adds a shape whose type and geometry are already in `shape` and checked.
static sn_status add_checked_shape(sn_world *world, sn_body *body, const sn_shape_def *def,
                                   sn_shape_data *shape, const char *object, sn_shape *out)
{
    sn_pose offset;
    sn_status status = check_def(def, &offset, world->error, object);
    if (status != SN_OK) {
        return status;
    }
    bool fits = (shape->type != SN_PLANE || body->type == SN_STATIC) &&
                (shape->type != SN_SURFACE || body->type != SN_DYNAMIC);
    if (!fits) {
        return sn_fail(world->error, SN_ERROR_KIND,
                       "%s: the body's type may not have this shape, expected %s", object,
                       shape->type == SN_PLANE ? "SN_STATIC" : "SN_STATIC or SN_KINEMATIC");
    }
    fill_shape(shape, def, sn_body_index(world, body), offset);
    status = sn_world_check_shape_masses(world, body, body->type, shape, -1, object);
    if (status != SN_OK) {
        return status;
    }
    if (!reserve_shape(world, body)) {
        return sn_fail(world->error, SN_ERROR_MEMORY, "%s: out of memory", object);
    }
    int index = sn_id_pool_take(&world->shape_ids);
    world->shapes.count = index >= world->shapes.count ? index + 1 : world->shapes.count;
    sn_shape_retain_geometry(shape);
    world->shapes.data[index] = *shape;
    append_to_body(world, body, index);
    shape = &world->shapes.data[index];
    shape->bounds = sn_shape_compute_bounds(shape, sn_body_pose(body));
    shape->fat = sn_bounds_grow(shape->bounds, sn_world_fat_margin(body));
    shape->leaf = sn_bounds_tree_add(sn_world_tree_of(world, body->type), shape->fat,
                                     sn_filter_leaf_category(shape->filter), index);
    look_for_partners(world, index);
    sn_world_update_mass(world, shape->body);
    if (body->island_next != shape->body || body->first_contact >= 0 || body->first_constraint >= 0) {
        sn_world_wake(world, shape->body); // unless it sleeps alone, with no contact and no constraint
    }
    if (out != NULL) {
        *out = sn_shape_id(world, index);
    }
    return SN_OK;
}

// Adds a shape whose type and geometry are in `shape`; `def` may be null for the default one.
static sn_status add_shape(sn_world *world, sn_rigid rigid, const sn_shape_def *def, sn_shape_data *shape,
                           sn_shape *out)
{
    if (out != NULL) {
        *out = (sn_shape){0};
    }
    const char *name = sn_shape_type_name(shape->type);
    sn_status status = sn_world_check_open(world, name);
    sn_body *body = status ? NULL : sn_world_body(world, rigid);
    if (body == NULL) {
        return status ? status : SN_ERROR_ID;
    }
    sn_shape_def standard = sn_shape_def_default();
    def = def != NULL ? def : &standard;
    sn_label owner = sn_body_label(world, sn_body_index(world, body)), label = sn_label_part(name, &owner);
    status = sn_shape_check_geometry(shape, world->error, label.text);
    return status ? status : add_checked_shape(world, body, def, shape, label.text, out);
}

// A function that adds a shape of that type.
#define ADD(FUNCTION, TYPE, SHAPE, MEMBER)                                                                   \
    sn_status FUNCTION(sn_world *world, sn_rigid rigid, const sn_shape_def *def, TYPE MEMBER,                \
                       sn_shape *shape)                                                                      \
    {                                                                                                        \
        sn_shape_data data = {.type = SHAPE, .MEMBER = MEMBER};                                              \
        return add_shape(world, rigid, def, &data, shape);                                                   \
    }

ADD(sn_sphere_add, sn_sphere, SN_SPHERE, sphere)
ADD(sn_capsule_add, sn_capsule, SN_CAPSULE, capsule)
ADD(sn_box_add, sn_box, SN_BOX, box)
ADD(sn_plane_add, sn_plane, SN_PLANE, plane)
ADD(sn_hull_add, const sn_hull *, SN_HULL, hull)
ADD(sn_surface_add, const sn_surface *, SN_SURFACE, surface)
ADD(sn_compound_add, const sn_compound *, SN_COMPOUND, compound)

void sn_world_shape_drop(sn_world *world, int index)
{
    sn_shape_data *shape = &world->shapes.data[index];
    sn_body *body = &world->bodies.data[shape->body];
    sn_world_contacts_remove(world, shape->body, -1, index);
    sn_bounds_tree_remove(sn_world_tree_of(world, body->type), shape->leaf);
    int *link = &body->first_shape;
    while (*link != index) {
        link = &world->shapes.data[*link].next;
    }
    *link = shape->next;
    if (shape->query_pending) {
        int place = 0;
        while (world->pending_shapes.data[place] != index) {
            ++place;
        }
        world->pending_shapes.data[place] = world->pending_shapes.data[--world->pending_shapes.count];
        shape->query_pending = false;
    }
    sn_shape_release_geometry(shape);
    world->soft.asleep_count = 0;
    sn_id_pool_give_back(&world->shape_ids, index);
}

sn_status sn_shape_remove(sn_world *world, sn_shape shape)
{
    sn_status status = sn_world_check_open(world, __func__);
    sn_shape_data *data = status ? NULL : sn_world_shape(world, shape);
    if (data == NULL) {
        return status ? status : SN_ERROR_ID;
    }
    int body = data->body;
    sn_world_wake_neighbors(world, body);
    sn_world_wake(world, body);
    sn_world_shape_drop(world, (int)(data - world->shapes.data));
    sn_world_update_mass(world, body);
    return SN_OK;
}
