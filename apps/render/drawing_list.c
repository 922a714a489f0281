// From bodies and shapes to instances and planes: places relative to the eye, levels of detail, colours,
// order.
#include "apps/render/drawing_list.h"

#include "apps/render/heat.h"
#include "scene/message.h"

// Edges of boxes look round over this part of the smallest half extent; the shader makes it wider far away.
#define EDGE_PART 0.035f

// Everything needed while bodies are gone through.
typedef struct gathering {
    drawing_list *list;
    const sn_scene *scene;
    const sn_world *world;
    const render_options *options;
    const render_view *view;
    geometry_cache *cache;
    sn_vec3 body_position; // relative to the eye
    sn_quat body_rotation;
    float heat;     // of the body; negative if it keeps its colours
    uint8_t number; // tells it from its neighbours
    bool moving;
} gathering;

static bool no_memory(void)
{
    sn_scene_fail(SN_ERROR_MEMORY, "no memory for the list of things to draw");
    return false;
}

// --- instances ---------------------------------------------------------------------------------------------

static void set_color(drawn_instance *instance, sn_color color)
{
    instance->color[0] = (uint8_t)(color >> 16);
    instance->color[1] = (uint8_t)(color >> 8);
    instance->color[2] = (uint8_t)color;
}

// A frame given in that of the body.
static void set_place(const gathering *all, drawn_instance *instance, sn_pose local)
{
    sn_vec3 place = sn_add(all->body_position, sn_rotate(all->body_rotation, local.position));
    sn_mat3 turn = sn_mat3_from_quat(sn_quat_multiply(all->body_rotation, local.rotation));
    float rows[3][4] = {{turn.x.x, turn.y.x, turn.z.x, place.x},
                        {turn.x.y, turn.y.y, turn.z.y, place.y},
                        {turn.x.z, turn.y.z, turn.z.z, place.z}};
    for (int i = 0; i < 12; ++i) {
        instance->rows[i / 4][i % 4] = rows[i / 4][i % 4];
    }
}

static void set_size(drawn_instance *instance, sn_vec3 extent, float radius)
{
    instance->extent[0] = extent.x;
    instance->extent[1] = extent.y;
    instance->extent[2] = extent.z;
    instance->radius = radius;
}

// Places the item, given the sphere around it in the frame it is placed with; false if it is nowhere (a body
// that lost its numbers).
static bool place_item(const gathering *all, drawn_item *item, sn_pose local, sn_vec3 center, float reach)
{
    set_place(all, &item->instance, local);
    sn_vec3 inside = sn_add(local.position, sn_rotate(local.rotation, center));
    item->center = sn_add(all->body_position, sn_rotate(all->body_rotation, inside));
    item->reach = reach;
    item->depth = sn_dot(item->center, all->view->forward);
    item->visible = view_sees(all->view, item->center, reach);
    item->moving = all->moving;
    item->heat = all->heat;
    item->instance.color[3] = all->number;
    return sn_vec3_is_finite(item->center) && sn_is_finite(reach);
}

static float pixels_per_metre(const gathering *all, const drawn_item *item)
{
    // Things that reach behind the eye are as near as can be.
    return view_pixels_per_metre(all->view, sn_max(item->depth - item->reach, 0.02f * item->reach));
}

static int round_level(const gathering *all, const drawn_item *item, float radius)
{
    const float unseen = 4.0f; // pixels: fine enough for a shadow
    return geometry_level(item->visible ? radius * pixels_per_metre(all, item) : unseen);
}

static void shape_ball(const gathering *all, drawn_item *item, float radius)
{
    int level = round_level(all, item, radius);
    item->geometry = GEOMETRY_BALL + level;
    set_size(&item->instance, sn_v(0.0f, 0.0f, 0.0f), radius * geometry_round_scale(level));
}

static void shape_capsule(const gathering *all, drawn_item *item, float half_length, float radius)
{
    int level = round_level(all, item, radius);
    item->geometry = GEOMETRY_CAPSULE + level;
    set_size(&item->instance, sn_v(0.0f, half_length, 0.0f), radius * geometry_round_scale(level));
}

static void shape_box(drawn_item *item, sn_vec3 half)
{
    float smallest = sn_min(half.x, sn_min(half.y, half.z));
    item->geometry = GEOMETRY_BOX;
    set_size(&item->instance, half, -EDGE_PART * smallest);
}

static sn_pose along_y(sn_pose local, const sn_capsule *capsule)
{
    sn_vec3 middle = sn_lerp(capsule->a, capsule->b, 0.5f);
    sn_vec3 axis = sn_normalize(sn_sub(capsule->b, capsule->a));
    sn_pose turned = {middle, sn_quat_between(sn_v(0.0f, 1.0f, 0.0f), axis)};
    return sn_pose_multiply(local, turned);
}

// A mesh, given the sphere around it in the frame it is placed with; `geometry` is −1 if there is none.
static bool add_mesh(const gathering *all, int geometry, sn_pose local, sn_vec3 center, float reach,
                     sn_color color)
{
    if (geometry < 0) {
        return false;
    }
    drawn_item item = {.geometry = geometry};
    bool somewhere = place_item(all, &item, local, center, reach);
    set_size(&item.instance, sn_v(1.0f, 1.0f, 1.0f), 0.0f);
    set_color(&item.instance, color);
    return !somewhere || SN_LIST_PUSH(&all->list->items, item) || no_memory();
}

// What takes more pixels than this is seen to be round or not.
#define FINE_PIXELS 24.0f

// Whether a mesh that is placed so takes many.
static bool is_fine(const gathering *all, int geometry, sn_pose local)
{
    const struct geometry *mesh = &all->cache->entries.items[geometry];
    drawn_item item = {0};
    return place_item(all, &item, local, mesh->center, mesh->reach) && item.visible &&
           mesh->reach * pixels_per_metre(all, &item) > FINE_PIXELS;
}

static bool add_kept_mesh(const gathering *all, int geometry, sn_pose local, sn_color color)
{
    if (geometry < 0) {
        return false;
    }
    const struct geometry *mesh = &all->cache->entries.items[geometry];
    return add_mesh(all, geometry, local, mesh->center, mesh->reach, color);
}

static bool add_hull(const gathering *all, const sn_hull *hull, sn_pose local, sn_color color)
{
    int geometry = geometry_hull(all->cache, hull, false);
    if (geometry >= 0 && is_fine(all, geometry, local)) {
        geometry = geometry_hull(all->cache, hull, true);
    }
    return add_kept_mesh(all, geometry, local, color);
}

static bool add_surface(const gathering *all, sn_shape shape, sn_pose local, sn_color color)
{
    sn_bounds bounds = sn_shape_bounds(all->world, shape);
    sn_vec3 half = sn_scale(sn_sub(bounds.upper, bounds.lower), 0.5f);
    sn_vec3 center = sn_sub(sn_add(bounds.lower, half), all->view->eye);
    sn_vec3 in_body = sn_rotate_inverse(all->body_rotation, sn_sub(center, all->body_position));
    return add_mesh(all, geometry_surface(all->cache, all->world, shape), local,
                    sn_pose_apply_inverse(local, in_body), sn_length(half), color);
}

// A convex solid, placed in the frame of the body.
static bool add_solid(const gathering *all, const sn_solid *solid, sn_color color)
{
    const sn_vec3 origin = {0.0f, 0.0f, 0.0f};
    drawn_item item = {0};
    bool somewhere = false;
    if (solid->type == SN_HULL) {
        return add_hull(all, solid->hull, solid->pose, color);
    }
    if (solid->type == SN_SPHERE) {
        sn_pose local = {sn_pose_apply(solid->pose, solid->sphere.center), solid->pose.rotation};
        somewhere = place_item(all, &item, local, origin, solid->sphere.radius);
        shape_ball(all, &item, solid->sphere.radius);
    } else if (solid->type == SN_CAPSULE) {
        float half_length = 0.5f * sn_distance_between(solid->capsule.a, solid->capsule.b);
        sn_pose local = along_y(solid->pose, &solid->capsule);
        somewhere = place_item(all, &item, local, origin, half_length + solid->capsule.radius);
        shape_capsule(all, &item, half_length, solid->capsule.radius);
    } else {
        somewhere = place_item(all, &item, solid->pose, origin, sn_length(solid->box.half_extents));
        shape_box(&item, solid->box.half_extents);
    }
    set_color(&item.instance, color);
    return !somewhere || SN_LIST_PUSH(&all->list->items, item) || no_memory();
}

static bool add_compound(const gathering *all, sn_shape shape, sn_pose offset, sn_color color)
{
    const sn_compound *compound = sn_shape_compound(all->world, shape);
    int count = sn_compound_part_count(compound), hulls = 0;
    for (int i = 0; i < count; ++i) {
        sn_solid part = sn_compound_part(compound, i);
        hulls += part.type == SN_HULL;
        part.pose = sn_pose_multiply(offset, part.pose);
        if (part.type != SN_HULL && !add_solid(all, &part, color)) {
            return false;
        }
    }
    // Hulls are drawn together, as what is round must often be made of many.
    int geometry = hulls > 0 ? geometry_compound(all->cache, compound, false) : -1;
    if (geometry >= 0 && is_fine(all, geometry, offset)) {
        geometry = geometry_compound(all->cache, compound, true);
    }
    return hulls == 0 || add_kept_mesh(all, geometry, offset, color);
}

// --- planes ------------------------------------------------------------------------------------------------

static double dot_exactly(sn_vec3 a, sn_vec3 b)
{
    return (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z;
}

static bool add_plane(const gathering *all, sn_shape shape, sn_pose offset, sn_color color)
{
    sn_plane plane = sn_shape_plane(all->world, shape);
    sn_quat turn = sn_quat_multiply(all->body_rotation, offset.rotation);
    sn_vec3 along = sn_perpendicular(plane.normal);
    drawn_plane drawn = {.normal = sn_normalize(sn_rotate(turn, plane.normal)),
                         .along = sn_normalize(sn_rotate(turn, along)),
                         .color = color};
    drawn.across = sn_cross(drawn.normal, drawn.along);
    // From the origin of the shape's frame to the eye.
    sn_vec3 origin = sn_add(all->body_position, sn_rotate(all->body_rotation, offset.position));
    sn_vec3 eye = sn_neg(origin);
    drawn.height = (float)(dot_exactly(drawn.normal, eye) - (double)plane.offset);
    drawn.grid_along = dot_exactly(drawn.along, eye);
    drawn.grid_across = dot_exactly(drawn.across, eye);
    // From inside the solid there is nothing to see of it.
    return !(drawn.height > 0.0f) || SN_LIST_PUSH(&all->list->planes, drawn) || no_memory();
}

// --- bodies ------------------------------------------------------------------------------------------------

static bool add_shape(const gathering *all, sn_shape shape)
{
    sn_pose offset = sn_shape_definition(all->world, shape).offset;
    sn_color color = sn_scene_shape_color(all->scene, shape);
    sn_solid solid = {.type = sn_shape_get_type(all->world, shape), .pose = offset};
    switch (solid.type) {
    case SN_SPHERE:
        solid.sphere = sn_shape_sphere(all->world, shape);
        return add_solid(all, &solid, color);
    case SN_CAPSULE:
        solid.capsule = sn_shape_capsule(all->world, shape);
        return add_solid(all, &solid, color);
    case SN_BOX:
        solid.box = sn_shape_box(all->world, shape);
        return add_solid(all, &solid, color);
    case SN_HULL:
        solid.hull = sn_shape_hull(all->world, shape);
        return add_solid(all, &solid, color);
    case SN_PLANE:
        return add_plane(all, shape, offset, color);
    case SN_SURFACE:
        return add_surface(all, shape, offset, color);
    default:
        return add_compound(all, shape, offset, color);
    }
}

static bool add_body(gathering *all, sn_rigid rigid)
{
    drawing_list *list = all->list;
    int count = sn_rigid_shapes(all->world, rigid, list->shapes.items, list->shapes.capacity);
    if (count > list->shapes.capacity) {
        if (!SN_LIST_RESERVE(&list->shapes, count)) {
            return no_memory();
        }
        sn_rigid_shapes(all->world, rigid, list->shapes.items, count);
    }
    sn_pose pose = sn_rigid_pose(all->world, rigid);
    all->body_position = sn_sub(pose.position, all->view->eye);
    all->body_rotation = pose.rotation;
    all->number = (uint8_t)(1 + rigid.index % 255);
    all->moving = sn_rigid_get_type(all->world, rigid) != SN_STATIC;
    // Bodies are rigid.
    render_heat heat = all->options->heat;
    bool hot = all->moving && (heat == RENDER_SPEED || heat == RENDER_ERROR || heat == RENDER_SUPPORT);
    all->heat = hot ? heat_value(all->world, rigid, all->options->heat) : -1.0f;
    for (int i = 0; i < count; ++i) {
        if (!add_shape(all, list->shapes.items[i])) {
            return false;
        }
    }
    return true;
}

static bool gather(gathering *all)
{
    drawing_list *list = all->list;
    int count = sn_world_rigids(all->world, NULL, 0);
    if (!SN_LIST_RESERVE(&list->rigids, count + 1)) {
        return no_memory();
    }
    sn_world_rigids(all->world, list->rigids.items, count);
    list->rigids.items[count] = sn_world_ground(all->world);
    for (int i = 0; i <= count; ++i) {
        if (!add_body(all, list->rigids.items[i])) {
            return false;
        }
    }
    return true;
}

// Skins need no instance, but depths, shadows and scales of colours must reckon with them.
static bool gather_skins(const gathering *all)
{
    drawn_skins *skins = &all->list->skins;
    if (!drawn_skins_fill(skins, all->scene, all->options, all->view)) {
        return false;
    }
    for (int i = 0; i < skins->skins.count; ++i) {
        const drawn_skin *skin = &skins->skins.items[i];
        drawn_item item = {.center = skin->center,
                           .reach = skin->reach,
                           .depth = sn_dot(skin->center, all->view->forward),
                           .heat = skin->heat,
                           .geometry = -1,
                           .visible = view_sees(all->view, skin->center, skin->reach),
                           .moving = true};
        if (!SN_LIST_PUSH(&all->list->items, item)) {
            return no_memory();
        }
    }
    return true;
}

// --- colours of heat ---------------------------------------------------------------------------------------

static void paint_heat(drawing_list *list, float limit)
{
    if (!(limit > 0.0f)) {
        for (int i = 0; i < list->items.count; ++i) {
            const drawn_item *item = &list->items.items[i];
            limit = item->visible ? sn_max(limit, item->heat) : limit;
        }
    }
    // Where nothing moves, everything is blue, whatever the scale.
    list->heat_limit = limit > 0.0f ? limit : 1.0f;
    for (int i = 0; i < list->items.count; ++i) {
        drawn_item *item = &list->items.items[i];
        if (item->heat >= 0.0f) {
            set_color(&item->instance, heat_color(item->heat / list->heat_limit));
        }
    }
    drawn_skins_paint(&list->skins, list->heat_limit);
}

// --- order -------------------------------------------------------------------------------------------------

// By geometry; then visible ones, nearest first, so that what is hidden costs little.
static int compare(const void *first, const void *second)
{
    const drawn_item *a = first, *b = second;
    if (a->geometry != b->geometry) {
        return a->geometry < b->geometry ? -1 : 1;
    }
    if (a->visible != b->visible) {
        return a->visible ? -1 : 1;
    }
    return (a->depth > b->depth) - (a->depth < b->depth);
}

static bool make_batches(drawing_list *list)
{
    int count = list->items.count;
    if (!SN_LIST_RESERVE(&list->instances, count)) {
        return no_memory();
    }
    for (int i = 0; i < count; ++i) {
        const drawn_item *item = &list->items.items[i];
        if (item->geometry < 0) {
            continue;
        }
        if (i == 0 || item->geometry != list->items.items[i - 1].geometry) {
            if (!SN_LIST_PUSH(&list->batches, ((drawn_batch){item->geometry, list->instances.count, 0, 0}))) {
                return no_memory();
            }
        }
        drawn_batch *batch = &list->batches.items[list->batches.count - 1];
        batch->count++;
        batch->visible_count += item->visible;
        list->instances.items[list->instances.count++] = item->instance;
    }
    return true;
}

bool drawing_list_fill(drawing_list *list, const sn_scene *scene, const render_options *options,
                       const render_view *view, geometry_cache *cache)
{
    list->items.count = list->instances.count = list->batches.count = list->planes.count = 0;
    list->heat_limit = 0.0f;
    gathering all = {.list = list,
                     .scene = scene,
                     .world = sn_scene_world(scene),
                     .options = options,
                     .view = view,
                     .cache = cache};
    if (!gather(&all) || !gather_skins(&all)) {
        return false;
    }
    if (options->heat != RENDER_COLORS) {
        paint_heat(list, options->heat_limit);
    }
    if (list->items.count > 0) {
        qsort(list->items.items, (size_t)list->items.count, sizeof *list->items.items, compare);
    }
    return make_batches(list);
}

void drawing_list_release(drawing_list *list)
{
    SN_LIST_FREE(&list->items);
    SN_LIST_FREE(&list->instances);
    SN_LIST_FREE(&list->batches);
    SN_LIST_FREE(&list->planes);
    drawn_skins_release(&list->skins);
    SN_LIST_FREE(&list->rigids);
    SN_LIST_FREE(&list->shapes);
}
