// Drawing constraints (frames, lines from the bodies to them, limits of the kind) and contacts (points,
// normals, forces).
#include "world/draw/draw.h"

// Of frames on bodies without shapes. [m]
#define DEFAULT_FRAME_SIZE 0.25f
// Of an arrow's head, as a part of its length.
#define HEAD_LENGTH 0.2f
#define HEAD_WIDTH  0.1f

// --- constraints ---------------------------------------------------------------------------------

// A joint as drawn: the frames in the world, and how large.
typedef struct joint_view {
    sn_pose a, b;
    sn_vec3 x, y, z; // axes of frame a
    float size;
} joint_view;

// The size of a member; 0 for places in the world.
static float radius_of(const sn_world *world, int member)
{
    if (sn_member_is_soft(member)) {
        sn_bounds bounds = world->deformables.data[member & ~SN_SOFT_MEMBER].bounds;
        return 0.5f * sn_distance_between(bounds.lower, bounds.upper);
    }
    return member >= 0 ? world->bodies.data[member].outer_radius : 0.0f;
}

static float frame_size(const sn_world *world, const int member[2])
{
    float a = radius_of(world, member[0]), b = radius_of(world, member[1]);
    float smaller = sn_min(a, b), larger = sn_max(a, b);
    float radius = smaller > 0.0f ? smaller : larger;
    return radius > 0.0f ? 0.5f * radius : DEFAULT_FRAME_SIZE;
}

static joint_view joint_view_make(const sn_world *world, int index)
{
    const sn_constraint_common *common = &world->constraints.data[index].definition.common;
    joint_view view = {.a = sn_point_pose_now(world, &common->a),
                       .b = sn_point_pose_now(world, &common->b),
                       .size = frame_size(world, world->constraint_links.data[index].member)};
    sn_mat3 axes = sn_mat3_from_quat(view.a.rotation);
    view.x = axes.x;
    view.y = axes.y;
    view.z = axes.z;
    return view;
}

// The colour, by how it is held.
static sn_pen pen_of(const sn_world *world, int index)
{
    switch (sn_constraint_hold_now(world, sn_constraint_id(world, index))) {
    case SN_CONSTRAINT_EXACT:
        return SN_PEN_EXACT;
    case SN_CONSTRAINT_ROWS_INSTEAD:
        return SN_PEN_INSTEAD;
    case SN_CONSTRAINT_OFF:
        return SN_PEN_OFF;
    default:
        return SN_PEN_JOINT;
    }
}

// The edge or the outline of the triangle that an end on a surface is on.
static void draw_piece(const sn_pencil *pencil, const sn_point *point)
{
    const sn_deformable_data *data = &pencil->world->deformables.data[point->deformable.index - 1];
    const sn_node_state *nodes = pencil->world->nodes.states.data + data->first_node;
    for (int i = point->node_count == 2 ? 1 : 0; i < point->node_count; ++i) {
        sn_pencil_line(pencil, nodes[point->nodes[i]].position,
                       nodes[point->nodes[(i + 1) % point->node_count]].position);
    }
}

static void draw_axes(sn_pencil *pencil, sn_pose frame, float size)
{
    sn_mat3 axes = sn_mat3_from_quat(frame.rotation);
    pencil->color = SN_PEN_AXIS_X;
    sn_pencil_line(pencil, frame.position, sn_add_scaled(frame.position, size, axes.x));
    pencil->color = SN_PEN_AXIS_Y;
    sn_pencil_line(pencil, frame.position, sn_add_scaled(frame.position, size, axes.y));
    pencil->color = SN_PEN_AXIS_Z;
    sn_pencil_line(pencil, frame.position, sn_add_scaled(frame.position, size, axes.z));
}

// From a body's mass centre to its frame. Static bodies have none.
static void draw_arm(const sn_pencil *pencil, const sn_point *point, sn_vec3 to)
{
    if (point->type == SN_POINT_RIGID) {
        const sn_body *body = &pencil->world->bodies.data[point->rigid.index - 1];
        if (body->type != SN_STATIC) {
            sn_pencil_line(pencil, body->center, to);
        }
    }
}

// Draws an end as a point, and the piece of surface it slides along.
static void draw_point(const sn_pencil *pencil, const sn_point *point, sn_vec3 at)
{
    sn_pencil_point(pencil, at, 5.0f);
    if (point->type == SN_POINT_SURFACE) {
        draw_piece(pencil, point);
    }
}

// Draws an end with an orientation as axes and an arm, others as points.
static void draw_end(sn_pencil *pencil, const sn_point *point, sn_pose at, float size, sn_pen pen)
{
    bool is_sum = point->type == SN_POINT_NODES && !point->has_frame;
    if (is_sum || point->type == SN_POINT_SURFACE) {
        pencil->color = pen;
        draw_point(pencil, point, at.position);
        return;
    }
    draw_axes(pencil, at, size);
    pencil->color = SN_PEN_LINK;
    draw_arm(pencil, point, at.position);
}

// The directions between which the other x axis stays.
static void draw_ball(sn_pencil *pencil, const joint_view *view, const sn_definition *definition)
{
    if (!definition->ball.limit_cone) {
        return;
    }
    float along = view->size * sn_cos(definition->ball.cone_angle);
    float across = view->size * sn_sin(definition->ball.cone_angle);
    sn_vec3 center = sn_add_scaled(view->a.position, along, view->x);
    sn_vec3 u = sn_scale(view->y, across), v = sn_scale(view->z, across);
    pencil->color = SN_PEN_LIMIT;
    sn_pencil_arc(pencil, center, u, v, SN_CIRCLE_LINES);
    sn_vec3 sides[4] = {u, v, sn_neg(u), sn_neg(v)};
    for (int i = 0; i < 4; ++i) {
        sn_pencil_line(pencil, view->a.position, sn_add(center, sides[i]));
    }
}

// The axis, and how far y of frame b may turn.
static void draw_hinge(sn_pencil *pencil, const joint_view *view, const sn_definition *definition)
{
    sn_vec3 center = view->a.position, half = sn_scale(view->x, view->size);
    pencil->color = SN_PEN_JOINT;
    sn_pencil_line(pencil, sn_sub(center, half), sn_add(center, half));
    if (!definition->hinge.limit) {
        return;
    }
    pencil->color = SN_PEN_LIMIT;
    float stops[2] = {definition->hinge.lower, definition->hinge.upper};
    for (int i = 0; i < 2; ++i) {
        sn_vec3 arm = sn_add_scaled(sn_scale(view->y, sn_cos(stops[i])), sn_sin(stops[i]), view->z);
        sn_pencil_line(pencil, center, sn_add_scaled(center, view->size, arm));
    }
}

// The line b slides along, from stop to stop where there are any.
static void draw_rail(sn_pencil *pencil, const joint_view *view, bool limit, float lower, float upper)
{
    float from = limit && sn_is_finite(lower) ? lower : -view->size;
    float to = limit && sn_is_finite(upper) ? upper : view->size;
    pencil->color = limit ? SN_PEN_LIMIT : SN_PEN_JOINT;
    sn_pencil_line(pencil, sn_add_scaled(view->a.position, from, view->x),
                   sn_add_scaled(view->a.position, to, view->x));
}

static void draw_slider(sn_pencil *pencil, const joint_view *view, const sn_definition *definition)
{
    const sn_slider_def *slider = &definition->slider;
    draw_rail(pencil, view, slider->limit, slider->lower, slider->upper);
}

static void draw_axis(sn_pencil *pencil, const joint_view *view, const sn_definition *definition)
{
    const sn_axis_def *axis = &definition->axis;
    draw_rail(pencil, view, axis->limit, axis->lower, axis->upper);
}

static void (*const draw_kind[SN_CONSTRAINT_KIND_COUNT])(sn_pencil *pencil, const joint_view *view,
                                                         const sn_definition *definition) = {
    [SN_BALL] = draw_ball, [SN_HINGE] = draw_hinge, [SN_SLIDER] = draw_slider, [SN_AXIS] = draw_axis};

void sn_draw_constraint(sn_pencil *pencil, int index)
{
    const sn_constraint_data *constraint = &pencil->world->constraints.data[index];
    const sn_constraint_common *common = &constraint->definition.common;
    if (!pencil->draw->constraints) {
        return;
    }
    joint_view view = joint_view_make(pencil->world, index);
    sn_pen pen = pen_of(pencil->world, index);
    bool is_anchor = pencil->world->constraint_links.data[index].is_anchor;
    if (is_anchor) { // nothing but points, often thousands
        pencil->color = pen;
        draw_point(pencil, &common->a, view.a.position);
        draw_point(pencil, &common->b, view.b.position);
    } else {
        draw_end(pencil, &common->a, view.a, view.size, pen);
        draw_end(pencil, &common->b, view.b, view.size, pen);
    }
    pencil->color = is_anchor ? SN_PEN_LINK : pen;
    sn_pencil_line(pencil, view.a.position, view.b.position);
    if (draw_kind[constraint->kind] != NULL) {
        draw_kind[constraint->kind](pencil, &view, &constraint->definition);
    }
    if (pencil->draw->names) {
        pencil->color = SN_PEN_TEXT;
        sn_pencil_text(pencil, view.a.position, constraint->name);
    }
}

// --- contacts ------------------------------------------------------------------------------------

void sn_draw_arrow(const sn_pencil *pencil, sn_vec3 from, sn_vec3 along)
{
    float length = sn_length(along);
    sn_vec3 direction = sn_normalize(along), tip = sn_add(from, along);
    if (!(length > 0.0f) || !sn_vec3_is_finite(tip)) {
        return;
    }
    sn_vec3 side = sn_scale(sn_perpendicular(direction), HEAD_WIDTH * length);
    sn_vec3 neck = sn_add_scaled(tip, -HEAD_LENGTH * length, direction);
    sn_pencil_line(pencil, from, tip);
    sn_pencil_line(pencil, tip, sn_add(neck, side));
    sn_pencil_line(pencil, tip, sn_sub(neck, side));
}

static void draw_points(sn_pencil *pencil, sn_vec3 center, const sn_patch *patch)
{
    for (int i = 0; i < patch->count; ++i) {
        sn_vec3 position = sn_add(center, patch->points[i].arm_a);
        pencil->color = patch->points[i].separation <= 0.0f ? SN_PEN_TOUCHING : SN_PEN_NEAR;
        sn_pencil_point(pencil, position, 5.0f);
        sn_pencil_line(pencil, position, sn_add_scaled(position, SN_NORMAL_LENGTH, patch->normal));
    }
}

// On b: an arrow at every point that presses, and one for friction at the centre of pressure.
static void draw_forces(sn_pencil *pencil, sn_vec3 center, const sn_patch *patch, float scale)
{
    sn_vec3 pressure_center = {0.0f, 0.0f, 0.0f};
    float pressure = 0.0f;
    pencil->color = SN_PEN_FORCE;
    for (int i = 0; i < patch->count; ++i) {
        const sn_patch_point *point = &patch->points[i];
        sn_draw_arrow(pencil, sn_add(center, point->arm_a),
                      sn_scale(patch->normal, scale * point->total_normal));
        pressure += point->total_normal;
        pressure_center = sn_add_scaled(pressure_center, point->total_normal, point->arm_a);
    }
    if (pressure > 0.0f) {
        sn_vec3 at = sn_add_scaled(center, 1.0f / pressure, pressure_center);
        sn_draw_arrow(pencil, at, sn_scale(patch->total_friction, scale));
    }
}

void sn_draw_contact(sn_pencil *pencil, const sn_contact_data *contact)
{
    const sn_draw *draw = pencil->draw;
    float duration = pencil->world->last_duration;
    sn_vec3 center = pencil->world->bodies.data[contact->body_a].center;
    for (int i = 0; i < contact->patches.count; ++i) {
        if (draw->contacts) {
            draw_points(pencil, center, &contact->patches.data[i]);
        }
        if (draw->contact_forces && duration > 0.0f) {
            draw_forces(pencil, center, &contact->patches.data[i], draw->force_scale / duration);
        }
    }
}
