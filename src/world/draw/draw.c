// Debug drawing: passes lines, points, triangles and text to the user's callbacks.
// The world is locked while they run.
#include "world/draw/draw.h"
#include "base/allocate.h"
#include "geometry/shapes/check.h"

sn_draw sn_draw_default(void)
{
    return (sn_draw){.shapes = true, .constraints = true, .force_scale = 0.001f};
}

// --- the pencil ----------------------------------------------------------------------------------
// Nodes that users wrote may be non-finite until the next step; they and what is between them are not drawn.

void sn_pencil_line(const sn_pencil *pencil, sn_vec3 a, sn_vec3 b)
{
    if (pencil->draw->line != NULL && sn_vec3_is_finite(a) && sn_vec3_is_finite(b)) {
        pencil->draw->line(a, b, pencil->color, pencil->draw->user);
    }
}

void sn_pencil_point(const sn_pencil *pencil, sn_vec3 position, float size_pixels)
{
    if (pencil->draw->point != NULL && sn_vec3_is_finite(position)) {
        pencil->draw->point(position, size_pixels, pencil->color, pencil->draw->user);
    }
}

void sn_pencil_triangle(const sn_pencil *pencil, sn_vec3 a, sn_vec3 b, sn_vec3 c)
{
    if (pencil->draw->triangle != NULL && sn_vec3_is_finite(a) && sn_vec3_is_finite(b) &&
        sn_vec3_is_finite(c)) {
        pencil->draw->triangle(a, b, c, pencil->color, pencil->draw->user);
    }
}

void sn_pencil_text(const sn_pencil *pencil, sn_vec3 position, const char *text)
{
    if (pencil->draw->text != NULL && text != NULL && sn_vec3_is_finite(position)) {
        pencil->draw->text(position, text, pencil->color, pencil->draw->user);
    }
}

void sn_pencil_arc(const sn_pencil *pencil, sn_vec3 center, sn_vec3 u, sn_vec3 v, int lines)
{
    sn_vec3 from = sn_add(center, u);
    for (int i = 1; i <= lines; ++i) {
        sn_vec3 at = pencil->circle[i];
        sn_vec3 to = sn_add(center, sn_add_scaled(sn_scale(u, at.x), at.y, v));
        sn_pencil_line(pencil, from, to);
        from = to;
    }
}

void sn_pencil_box(const sn_pencil *pencil, sn_bounds bounds)
{
    sn_vec3 corners[8];
    for (int i = 0; i < 8; ++i) {
        corners[i] = sn_v(i & 1 ? bounds.upper.x : bounds.lower.x, i & 2 ? bounds.upper.y : bounds.lower.y,
                          i & 4 ? bounds.upper.z : bounds.lower.z);
    }
    for (int i = 0; i < 8; ++i) {
        for (int axis = 1; axis <= 4; axis *= 2) {
            if ((i & axis) == 0) {
                sn_pencil_line(pencil, corners[i], corners[i | axis]);
            }
        }
    }
}

static sn_pencil sharpen(const sn_world *world, const sn_draw *draw)
{
    sn_pencil pencil = {.world = world, .draw = draw};
    for (int i = 0; i < SN_CIRCLE_LINES; ++i) {
        float angle = 2.0f * SN_PI / SN_CIRCLE_LINES * (float)i;
        pencil.circle[i] = sn_v(sn_cos(angle), sn_sin(angle), 0.0f);
    }
    pencil.circle[SN_CIRCLE_LINES] = pencil.circle[0];
    return pencil;
}

// --- bodies and their shapes ---------------------------------------------------------------------

static sn_pen pen_of(const sn_body *body)
{
    if (body->frozen) {
        return SN_PEN_FROZEN;
    }
    if (body->type != SN_DYNAMIC) {
        return body->type == SN_STATIC ? SN_PEN_STATIC : SN_PEN_KINEMATIC;
    }
    return body->awake_index >= 0 ? SN_PEN_AWAKE : SN_PEN_ASLEEP;
}

static void take_pen_of(sn_pencil *pencil, int index)
{
    const sn_body *body = &pencil->world->bodies.data[index];
    pencil->color = pen_of(body);
    if (pencil->islands != NULL && sn_body_is_dynamic(body)) {
        pencil->color = sn_draw_island_color(pencil->islands[index], body->awake_index < 0);
    }
}

static void draw_shapes_of(sn_pencil *pencil, int body)
{
    const sn_world *world = pencil->world;
    sn_pose body_pose = sn_body_pose(&world->bodies.data[body]);
    for (int i = world->bodies.data[body].first_shape; i >= 0; i = world->shapes.data[i].next) {
        const sn_shape_data *shape = &world->shapes.data[i];
        take_pen_of(pencil, body);
        sn_draw_shape(pencil, shape, sn_pose_multiply(body_pose, shape->offset));
        if (pencil->draw->bounds && shape->type != SN_PLANE) {
            pencil->color = SN_PEN_BOUNDS;
            sn_pencil_box(pencil, sn_shape_compute_bounds(shape, body_pose));
        }
    }
}

static void draw_body(sn_pencil *pencil, int index)
{
    const sn_body *body = &pencil->world->bodies.data[index];
    draw_shapes_of(pencil, index);
    if (pencil->draw->mass_centers && body->type == SN_DYNAMIC) {
        pencil->color = SN_PEN_MASS_CENTER;
        sn_pencil_point(pencil, body->center, 6.0f);
    }
    // Every world has a ground, so its name is not drawn.
    if (pencil->draw->names && index != SN_GROUND) {
        pencil->color = SN_PEN_TEXT;
        sn_pencil_text(pencil, body->center, body->name);
    }
}

// --- the world -----------------------------------------------------------------------------------

static void draw_all(sn_pencil *pencil)
{
    const sn_world *world = pencil->world;
    for (int i = 0; i < world->bodies.count; ++i) {
        if (sn_id_pool_in_use(&world->body_ids, i)) {
            draw_body(pencil, i);
        }
    }
    for (int i = 0; i < world->constraints.count; ++i) {
        if (sn_id_pool_in_use(&world->constraint_ids, i)) {
            sn_draw_constraint(pencil, i);
        }
    }
    for (int i = 0; i < world->contacts.count; ++i) {
        if (sn_id_pool_in_use(&world->contact_ids, i)) {
            sn_draw_contact(pencil, &world->contacts.data[i]);
        }
    }
    for (int i = 0; i < world->deformables.count; ++i) {
        if (sn_id_pool_in_use(&world->deformable_ids, i)) {
            sn_draw_deformable(pencil, i);
        }
    }
    for (int i = 0; i < world->soft.contacts.count; ++i) {
        if (sn_soft_is_current(world, &world->soft.contacts.data[i].key)) {
            sn_draw_soft_contact(pencil, &world->soft.contacts.data[i]);
        }
    }
    if (pencil->draw->long_range) {
        sn_draw_loads(pencil);
    }
}

sn_status sn_world_draw(const sn_world *world, const sn_draw *draw)
{
    sn_status status = sn_world_check_open(world, "sn_world_draw");
    if (status == SN_OK && draw == NULL) {
        status = sn_fail(world->error, SN_ERROR_NULL, "sn_world_draw: draw is null");
    }
    status = status ? status
                    : sn_check_range(draw->force_scale, 0.0f, SN_MAX_COORDINATE, world->error,
                                     "sn_world_draw", "force_scale");
    if (status != SN_OK) {
        return status;
    }
    sn_pencil pencil = sharpen(world, draw);
    size_t bytes = 0;
    int *islands = draw->islands ? sn_draw_find_islands(world, &bytes) : NULL;
    if (draw->islands && islands == NULL) {
        return sn_fail(world->error, SN_ERROR_MEMORY, "sn_world_draw: out of memory");
    }
    pencil.islands = islands;
    // Worlds are never const objects; drawing changes nothing but this flag.
    bool *locked = &((sn_world *)world)->locked;
    *locked = true;
    draw_all(&pencil);
    *locked = false;
    sn_release(islands, bytes);
    return SN_OK;
}
