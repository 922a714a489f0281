// Section "joints": constraints between two points of bodies, deformables and the world. Placed by a point
// and an axis of the frame around them where things are, or by frames in bodies and nodes of deformables.
#include "scene/joint_ends.h"
#include "scene/settle.h"

#include <math.h>
#include <string.h>

typedef struct joint_entry {
    const char *name, *a, *b;
    sn_constraint_common common;
    bool has_at, has_axis, has_from, has_to, has_frame_a, has_frame_b;
    sn_vec3 at, axis, from, to;
    sn_frame_entry frame_a, frame_b;
    bool has_length, has_rope, has_limits, has_spring, has_rest, has_motor_strength;
    float length, rope;
    float motor_strength; // torque or force
    sn_ball_def ball;
    sn_hinge_def hinge;
    sn_slider_def slider;
    sn_distance_def distance;
} joint_entry;

static void defaults(void *target)
{
    joint_entry *entry = target;
    entry->ball = sn_ball_def_default();
    entry->hinge = sn_hinge_def_default();
    entry->slider = sn_slider_def_default();
    entry->distance = sn_distance_def_default();
    entry->common = entry->ball.common;
    entry->axis = sn_v(1.0f, 0.0f, 0.0f);
    entry->motor_strength = INFINITY;
    sn_frame_defaults(&entry->frame_a);
    sn_frame_defaults(&entry->frame_b);
}

#define ROW(NAME, TYPE, MEMBER, ...) SN_ROW(NAME, TYPE, joint_entry, MEMBER, __VA_ARGS__)
#define HAS(MEMBER)                  SN_FLAG_AT(joint_entry, MEMBER)

static const sn_field common_fields[] = {
    ROW("name", TEXT, name, "what probes call it"),
    ROW("a", TEXT, a,
        "name of a body or a deformable; \"ground\" is the body that never moves, \"world\" a place; "
        "\"previous.x\" is x of the copy before",
        .required = true),
    ROW("b", TEXT, b, "name of the other", .required = true),
    ROW("at", VECTOR, at, "the point both share, or are nearest to, in the frame around them", .unit = "m",
        .flag = HAS(has_at)),
    ROW("frame_a", OBJECT, frame_a, "instead of `at`: the joint in body a, or nodes of deformable a",
        .object = &sn_frame_object, .flag = HAS(has_frame_a)),
    ROW("frame_b", OBJECT, frame_b, "and in b", .object = &sn_frame_object, .flag = HAS(has_frame_b)),
    ROW("compliance", NUMBER, common.compliance, "1/stiffness of what is held; 0 is hard", .unit = "m/N",
        .range = SN_NOT_NEGATIVE),
    ROW("angular_compliance", NUMBER, common.angular_compliance, "the same for angles", .unit = "rad/(N m)",
        .range = SN_NOT_NEGATIVE),
    ROW("damping", NUMBER, common.damping, "with compliance", .unit = "N s/m", .range = SN_NOT_NEGATIVE),
    ROW("angular_damping", NUMBER, common.angular_damping, "with angular compliance", .unit = "N m s/rad",
        .range = SN_NOT_NEGATIVE),
    ROW("max_force", NUMBER, common.max_force, "of a ball: it pulls no harder, and gives way; default any",
        .unit = "N", .range = SN_ABOVE_ZERO),
    ROW("break_force", NUMBER, common.break_force, "it breaks beyond; default never", .unit = "N",
        .range = SN_ABOVE_ZERO),
    ROW("break_torque", NUMBER, common.break_torque, "it breaks beyond; default never", .unit = "N m",
        .range = SN_ABOVE_ZERO),
    ROW("collide_connected", FLAG, common.collide_connected,
        "the two bodies may touch, or the nodes that a ball holds what it holds them to"),
    ROW("active", FLAG, common.active, "it is switched on"),
    ROW("active_from", NUMBER, common.active_from, "time from which on it holds", .unit = "s",
        .range = SN_NOT_NEGATIVE),
    ROW("active_until", NUMBER, common.active_until, "time until which it holds; default for ever",
        .unit = "s", .range = SN_ABOVE_ZERO)};

static const sn_object common = {.name = "joint",
                                 .text = "What every joint has.",
                                 .size = sizeof(joint_entry),
                                 .defaults = defaults,
                                 .fields = common_fields,
                                 .field_count = SN_COUNT(common_fields)};

#define AXIS_ROW(TEXT) ROW("axis", VECTOR, axis, TEXT, .flag = HAS(has_axis))

static const sn_field ball_motor_fields[] = {
    ROW("velocity", VECTOR, ball.motor_velocity, "angular, of b against a, in frame a", .unit = "rad/s",
        .range = SN_BETWEEN(-SN_MAX_SPIN, SN_MAX_SPIN)),
    ROW("torque", NUMBER, motor_strength, "largest; default infinite", .unit = "N m",
        .range = SN_NOT_NEGATIVE, .flag = HAS(has_motor_strength))};
static const sn_object ball_motor = {.name = "motor",
                                     .text = "Turns b against a.",
                                     .size = sizeof(joint_entry),
                                     .fields = ball_motor_fields,
                                     .field_count = SN_COUNT(ball_motor_fields)};
static const sn_field ball_spring_fields[] = {
    ROW("stiffness", NUMBER, ball.spring_stiffness, "torque by angle", .unit = "N m/rad",
        .range = SN_ABOVE_ZERO, .required = true),
    ROW("damping", NUMBER, ball.spring_damping, "torque by speed", .unit = "N m s/rad",
        .range = SN_NOT_NEGATIVE),
    ROW("rotation", ROTATION, ball.spring_rotation, "of b against a where it is at rest")};
static const sn_object ball_spring = {.name = "spring",
                                      .text = "Pulls b to a rotation against a.",
                                      .size = sizeof(joint_entry),
                                      .fields = ball_spring_fields,
                                      .field_count = SN_COUNT(ball_spring_fields)};
static const sn_field ball_fields[] = {
    AXIS_ROW("of cone and twist, in the frame around the bodies; default x"),
    ROW("cone", ANGLE, ball.cone_angle, "how far the axes may part", .unit = "°",
        .range = SN_BETWEEN(0.0, 180.0), .flag = HAS(ball.limit_cone)),
    ROW("twist", ANGLE_INTERVAL, ball.twist_lower, "how far b may turn about the axis", .unit = "°",
        .range = SN_BETWEEN(-180.0, 180.0), .flag = HAS(ball.limit_twist)),
    {.name = "motor",
     .type = SN_FIELD_OBJECT,
     .text = "a motor",
     .object = &ball_motor,
     .flag = HAS(ball.motor)},
    {.name = "spring",
     .type = SN_FIELD_OBJECT,
     .text = "a spring",
     .object = &ball_spring,
     .flag = HAS(has_spring)},
    ROW("exact", FLAG, common.exact, "met to rounding error after every step; hard ones only"),
    ROW("ramp_steps", INTEGER, common.ramp_steps,
        "of exact ones: steps until it holds fully, for points that are apart at first",
        .range = SN_BETWEEN(1, 1000000)),
    ROW("sliding_friction", NUMBER, common.sliding_friction, "of an end on a surface: Coulomb's coefficient",
        .range = SN_BETWEEN(0.0, 1000.0))};

static const sn_field hinge_motor_fields[] = {
    ROW("speed", NUMBER, hinge.motor_speed, "of b against a", .unit = "rad/s",
        .range = SN_BETWEEN(-SN_MAX_SPIN, SN_MAX_SPIN)),
    ROW("torque", NUMBER, motor_strength, "largest; default infinite", .unit = "N m",
        .range = SN_NOT_NEGATIVE, .flag = HAS(has_motor_strength))};
static const sn_object hinge_motor = {.name = "motor",
                                      .text = "Drives the hinge.",
                                      .size = sizeof(joint_entry),
                                      .fields = hinge_motor_fields,
                                      .field_count = SN_COUNT(hinge_motor_fields)};
static const sn_field hinge_spring_fields[] = {ROW("stiffness", NUMBER, hinge.spring_stiffness,
                                                   "torque by angle", .unit = "N m/rad",
                                                   .range = SN_ABOVE_ZERO, .required = true),
                                               ROW("damping", NUMBER, hinge.spring_damping, "torque by speed",
                                                   .unit = "N m s/rad", .range = SN_NOT_NEGATIVE),
                                               ROW("angle", ANGLE, hinge.spring_angle, "where it is at rest",
                                                   .unit = "°", .range = SN_BETWEEN(-180.0, 180.0))};
static const sn_object hinge_spring = {.name = "spring",
                                       .text = "Pulls the hinge to an angle.",
                                       .size = sizeof(joint_entry),
                                       .fields = hinge_spring_fields,
                                       .field_count = SN_COUNT(hinge_spring_fields)};
static const sn_field hinge_fields[] = {
    AXIS_ROW("b turns about this against a, in the frame around the bodies; default x"),
    ROW("limits", ANGLE_INTERVAL, hinge.lower, "of the angle", .unit = "°",
        .range = SN_BETWEEN(-180.0, 180.0), .flag = HAS(hinge.limit)),
    {.name = "motor",
     .type = SN_FIELD_OBJECT,
     .text = "a motor",
     .object = &hinge_motor,
     .flag = HAS(hinge.motor)},
    {.name = "spring",
     .type = SN_FIELD_OBJECT,
     .text = "a spring",
     .object = &hinge_spring,
     .flag = HAS(has_spring)}};

static const sn_field slider_motor_fields[] = {
    ROW("speed", NUMBER, slider.motor_speed, "of b against a", .unit = "m/s",
        .range = SN_BETWEEN(-SN_MAX_SPEED, SN_MAX_SPEED)),
    ROW("force", NUMBER, motor_strength, "largest; default infinite", .unit = "N", .range = SN_NOT_NEGATIVE,
        .flag = HAS(has_motor_strength))};
static const sn_object slider_motor = {.name = "motor",
                                       .text = "Drives the slider.",
                                       .size = sizeof(joint_entry),
                                       .fields = slider_motor_fields,
                                       .field_count = SN_COUNT(slider_motor_fields)};
static const sn_field slider_spring_fields[] = {
    ROW("stiffness", NUMBER, slider.spring_stiffness, "force by travel", .unit = "N/m",
        .range = SN_ABOVE_ZERO, .required = true),
    ROW("damping", NUMBER, slider.spring_damping, "force by speed", .unit = "N s/m",
        .range = SN_NOT_NEGATIVE),
    ROW("travel", NUMBER, slider.spring_travel, "where it is at rest", .unit = "m")};
static const sn_object slider_spring = {.name = "spring",
                                        .text = "Pulls the slider to a place.",
                                        .size = sizeof(joint_entry),
                                        .fields = slider_spring_fields,
                                        .field_count = SN_COUNT(slider_spring_fields)};
static const sn_field slider_fields[] = {
    AXIS_ROW("b slides along this against a, in the frame around the bodies; default x"),
    ROW("limits", INTERVAL, slider.lower, "of the travel", .unit = "m", .flag = HAS(slider.limit)),
    {.name = "motor",
     .type = SN_FIELD_OBJECT,
     .text = "a motor",
     .object = &slider_motor,
     .flag = HAS(slider.motor)},
    {.name = "spring",
     .type = SN_FIELD_OBJECT,
     .text = "a spring",
     .object = &slider_spring,
     .flag = HAS(has_spring)}};

static const sn_field fixed_fields[] = {AXIS_ROW("of no importance; frames coincide")};

static const sn_field distance_spring_fields[] = {
    ROW("stiffness", NUMBER, distance.spring_stiffness, "force by length", .unit = "N/m",
        .range = SN_ABOVE_ZERO, .required = true),
    ROW("damping", NUMBER, distance.spring_damping, "force by speed", .unit = "N s/m",
        .range = SN_NOT_NEGATIVE),
    ROW("length", NUMBER, distance.spring_length, "at rest; default the distance as placed", .unit = "m",
        .range = SN_NOT_NEGATIVE, .flag = HAS(has_rest))};
static const sn_object distance_spring = {.name = "spring",
                                          .text = "Pulls the points to a distance.",
                                          .size = sizeof(joint_entry),
                                          .fields = distance_spring_fields,
                                          .field_count = SN_COUNT(distance_spring_fields)};
static const sn_field distance_fields[] = {
    ROW("from", VECTOR, from, "the point on a, or that a is nearest to, in the frame around them",
        .unit = "m", .flag = HAS(has_from)),
    ROW("to", VECTOR, to, "the same of b", .unit = "m", .flag = HAS(has_to)),
    ROW("length", NUMBER, length, "a rod of this length", .unit = "m", .range = SN_NOT_NEGATIVE,
        .flag = HAS(has_length)),
    ROW("rope", NUMBER, rope, "a rope: at most this long", .unit = "m", .range = SN_NOT_NEGATIVE,
        .flag = HAS(has_rope)),
    ROW("limits", INTERVAL, distance.lower, "shortest and longest", .unit = "m", .range = SN_NOT_NEGATIVE,
        .flag = HAS(has_limits)),
    {.name = "spring",
     .type = SN_FIELD_OBJECT,
     .text = "a spring",
     .object = &distance_spring,
     .flag = HAS(has_spring)}};

#define JOINT(IDENTIFIER, TEXT)                                                                              \
    static const sn_object IDENTIFIER##_object = {.name = #IDENTIFIER,                                       \
                                                  .text = (TEXT),                                            \
                                                  .size = sizeof(joint_entry),                               \
                                                  .tagged = true,                                            \
                                                  .base = &common,                                           \
                                                  .fields = IDENTIFIER##_fields,                             \
                                                  .field_count = SN_COUNT(IDENTIFIER##_fields)}

JOINT(ball, "Two points coincide; cone and twist may be limited.");
JOINT(hinge, "Two points and axes coincide.");
JOINT(slider, "b slides along an axis of a and does not turn.");
JOINT(fixed, "Two frames coincide.");
JOINT(distance, "A rod, a rope or a spring between two points; without any, a rod as long as placed.");

// In the order of sn_constraint_kind.
static const sn_object *const objects[] = {&ball_object, &hinge_object, &slider_object, &fixed_object,
                                           &distance_object};
static const sn_family family = {"joint", "A constraint between two points.", objects, SN_COUNT(objects)};

// --- reading -----------------------------------------------------------------------------------------------

static bool place_by_points(sn_reader *reader, const sn_scope *scope, const sn_node *node, joint_entry *entry,
                            const sn_joint_end ends[2])
{
    if (entry->has_at || !entry->has_from || !entry->has_to) {
        return sn_node_fail(node, "a distance is placed by `from` and `to`, or by `frame_a` and `frame_b`");
    }
    const sn_world *world = reader->scene->world;
    sn_pose from = {sn_pose_apply(scope->pose, entry->from), sn_quat_identity};
    sn_pose to = {sn_pose_apply(scope->pose, entry->to), sn_quat_identity};
    if (ends[0].rigid.generation != 0 && ends[1].rigid.generation != 0) {
        return sn_constraint_place_points(world, &entry->common, ends[0].rigid, ends[1].rigid, from.position,
                                          to.position) == SN_OK ||
               sn_reader_world_failed(reader, node);
    }
    entry->common.a = sn_end_near(world, &ends[0], from, SN_END_PLAIN);
    entry->common.b = sn_end_near(world, &ends[1], to, SN_END_PLAIN);
    return true;
}

static bool place_by_frames(const sn_world *world, const sn_node *node, joint_entry *entry,
                            const sn_joint_end ends[2])
{
    sn_node a = sn_node_get(node, "frame_a"), b = sn_node_get(node, "frame_b");
    return sn_end_by_frame(world, &a, &entry->frame_a, &ends[0], &entry->common.a) &&
           sn_end_by_frame(world, &b, &entry->frame_b, &ends[1], &entry->common.b);
}

// Whether a ball does more than hold a point.
static bool is_plain_ball(const sn_object *kind, const joint_entry *entry)
{
    return kind == &ball_object && !entry->ball.limit_cone && !entry->ball.limit_twist &&
           !entry->ball.motor && !entry->has_spring;
}

// Both ends at one place, turned alike.
static bool place_at(sn_reader *reader, const sn_scope *scope, const sn_node *node, const sn_object *kind,
                     joint_entry *entry, const sn_joint_end ends[2])
{
    const sn_world *world = reader->scene->world;
    sn_vec3 at = sn_pose_apply(scope->pose, entry->at), axis = sn_rotate(scope->pose.rotation, entry->axis);
    if (ends[0].rigid.generation != 0 && ends[1].rigid.generation != 0) {
        return sn_constraint_place(world, &entry->common, ends[0].rigid, ends[1].rigid, at, axis) == SN_OK ||
               sn_reader_world_failed(reader, node);
    }
    sn_pose place = {at, sn_quat_between(sn_v(1.0f, 0.0f, 0.0f), sn_normalize(axis))};
    sn_end_need need = !is_plain_ball(kind, entry) ? SN_END_ORIENTED
                       : entry->common.exact       ? SN_END_EXACT
                                                   : SN_END_PLAIN;
    entry->common.a = sn_end_near(world, &ends[0], place, need);
    entry->common.b = sn_end_near(world, &ends[1], place, need);
    return true;
}

static bool place(sn_reader *reader, const sn_scope *scope, const sn_node *node, const sn_object *kind,
                  joint_entry *entry, const sn_joint_end ends[2])
{
    bool by_frames = entry->has_frame_a && entry->has_frame_b;
    bool by_point = entry->has_at || entry->has_from || entry->has_to || entry->has_axis;
    if ((entry->has_frame_a || entry->has_frame_b) && (by_point || !by_frames)) {
        return sn_node_fail(node,
                            "a joint is placed by `frame_a` and `frame_b` alone, or by a point and axis");
    }
    if (by_frames) {
        return place_by_frames(reader->scene->world, node, entry, ends);
    }
    if (kind == &distance_object) {
        return place_by_points(reader, scope, node, entry, ends);
    }
    if (!entry->has_at) {
        return sn_node_fail_key(node, "at", "is missing: the point both share");
    }
    if (!(sn_length(entry->axis) > 1e-18f)) {
        return sn_node_fail_key(node, "axis", "has no length, expected a direction");
    }
    return place_at(reader, scope, node, kind, entry, ends);
}

// How far apart the points of a distance are where the bodies are now.
static float placed_length(const sn_world *world, const sn_constraint_common *placed)
{
    sn_vec3 from = {0.0f, 0.0f, 0.0f}, to = from;
    (void)sn_point_place(world, &placed->a, &from);
    (void)sn_point_place(world, &placed->b, &to);
    return sn_distance_between(from, to);
}

static bool complete_distance(sn_reader *reader, const sn_node *node, joint_entry *entry)
{
    int ways = (int)entry->has_length + (int)entry->has_rope + (int)entry->has_limits;
    if (ways > 1) {
        return sn_node_fail(node, "a distance has one of `length`, `rope` and `limits`");
    }
    float now = placed_length(reader->scene->world, &entry->common);
    sn_distance_def *def = &entry->distance;
    if (entry->has_length || (ways == 0 && !entry->has_spring)) {
        def->lower = def->upper = entry->has_length ? entry->length : now;
    } else if (entry->has_rope) {
        def->upper = entry->rope;
    }
    if (entry->has_spring && !entry->has_rest) {
        def->spring_length = now;
    }
    return true;
}

static sn_status add(sn_world *world, const sn_object *kind, joint_entry *entry, sn_constraint *constraint)
{
    entry->ball.common = entry->hinge.common = entry->slider.common = entry->distance.common = entry->common;
    // Each kind marks its definition by a cookie of its own.
    entry->ball.common.cookie = sn_ball_def_default().common.cookie;
    entry->hinge.common.cookie = sn_hinge_def_default().common.cookie;
    entry->slider.common.cookie = sn_slider_def_default().common.cookie;
    entry->distance.common.cookie = sn_distance_def_default().common.cookie;
    entry->ball.motor_torque = entry->hinge.motor_torque = entry->slider.motor_force = entry->motor_strength;
    if (kind == &ball_object) {
        return sn_ball_add(world, &entry->ball, constraint);
    }
    if (kind == &hinge_object) {
        return sn_hinge_add(world, &entry->hinge, constraint);
    }
    if (kind == &slider_object) {
        return sn_slider_add(world, &entry->slider, constraint);
    }
    if (kind == &distance_object) {
        return sn_distance_add(world, &entry->distance, constraint);
    }
    sn_fixed_def fixed = sn_fixed_def_default();
    uint32_t cookie = fixed.common.cookie;
    fixed.common = entry->common;
    fixed.common.cookie = cookie;
    return sn_fixed_add(world, &fixed, constraint);
}

static bool register_joint(sn_reader *reader, const char *name, sn_constraint constraint)
{
    if (name[0] == '\0') {
        return true;
    }
    if (sn_constraint_is_anchor(reader->scene->world, constraint)) {
        return sn_reader_name_anchor(reader, name, constraint);
    }
    return (SN_LIST_RESERVE(&reader->joints, reader->joints.count + 1) &&
            sn_names_add(&reader->joint_names, name, reader->joints.count) &&
            SN_LIST_PUSH(&reader->joints, constraint)) ||
           sn_reader_no_memory(reader);
}

// Names are unique but for those of anchors: what holds many nodes of one thing to another is called alike.
static bool check_name(const sn_reader *reader, const sn_node *node, const sn_object *kind,
                       const joint_entry *entry, const sn_joint_end ends[2], const char *name)
{
    bool has_two_bodies = ends[0].rigid.generation != 0 && ends[1].rigid.generation != 0;
    bool is_anchor = is_plain_ball(kind, entry) && !has_two_bodies;
    return is_anchor || name[0] == '\0' || sn_names_find(&reader->joint_names, name) == -1 ||
           sn_node_fail_key(node, "name", "joint \"%s\" exists already, expected another name", name);
}

static bool read_joint(sn_reader *reader, const sn_scope *scope, const sn_node *node)
{
    joint_entry entry;
    char name[SN_MAX_NAME + 1] = "";
    const sn_object *kind = sn_family_read(node, &family, &entry);
    if (kind == NULL || (entry.name != NULL && !sn_scope_name(scope, node, entry.name, name))) {
        return false;
    }
    sn_joint_end ends[2];
    sn_lookup a = sn_find_end(reader, scope, node, "a", entry.a, &ends[0]);
    sn_lookup b = sn_find_end(reader, scope, node, "b", entry.b, &ends[1]);
    if (a != SN_LOOKUP_FOUND || b != SN_LOOKUP_FOUND) {
        return a == SN_LOOKUP_NO_COPY || b == SN_LOOKUP_NO_COPY;
    }
    if (!check_name(reader, node, kind, &entry, ends, name) ||
        !place(reader, scope, node, kind, &entry, ends) ||
        (kind == &distance_object && !complete_distance(reader, node, &entry))) {
        return false;
    }
    entry.common.name = name[0] != '\0' ? name : NULL;
    sn_constraint constraint;
    if (add(reader->scene->world, kind, &entry, &constraint) != SN_OK) {
        return sn_reader_world_failed(reader, node);
    }
    return register_joint(reader, name, constraint);
}

static bool read(sn_reader *reader, const sn_scope *scope, const sn_node *node)
{
    bool good = read_joint(reader, scope, node);
    if (!good) {
        sn_reader_name_failed(reader, &reader->joint_names, scope, node);
    }
    return good;
}

// --- writing -----------------------------------------------------------------------------------------------

// Infinity cannot be written: the bounds of a distance or a travel without an end become a reach beyond which
// nothing can be.
static void fill_distance(joint_entry *entry)
{
    sn_distance_def *def = &entry->distance;
    entry->has_spring = entry->has_rest = def->spring_stiffness > 0.0f;
    bool is_free = def->lower == 0.0f && !isfinite(def->upper);
    def->upper = sn_min(def->upper, SN_MAX_COORDINATE);
    if (is_free && entry->has_spring) {
        return;
    }
    entry->length = def->lower;
    entry->rope = def->upper;
    entry->has_length = def->lower == def->upper;
    entry->has_rope = def->lower == 0.0f && !entry->has_length;
    entry->has_limits = !entry->has_length && !entry->has_rope;
}

static void fill_motor(joint_entry *entry, bool motor, float strength)
{
    entry->has_motor_strength = motor && isfinite(strength);
    entry->motor_strength = entry->has_motor_strength ? strength : INFINITY;
}

// The definition of a joint as it is now.
static void fill(const sn_world *world, sn_constraint constraint, sn_constraint_kind kind, joint_entry *entry)
{
    switch (kind) {
    case SN_BALL:
        entry->ball = sn_ball_definition(world, constraint);
        entry->common = entry->ball.common;
        entry->has_spring = entry->ball.spring_stiffness > 0.0f;
        entry->ball.spring_rotation = sn_settled_rotation(entry->ball.spring_rotation);
        fill_motor(entry, entry->ball.motor, entry->ball.motor_torque);
        break;
    case SN_HINGE:
        entry->hinge = sn_hinge_definition(world, constraint);
        entry->common = entry->hinge.common;
        entry->has_spring = entry->hinge.spring_stiffness > 0.0f;
        fill_motor(entry, entry->hinge.motor, entry->hinge.motor_torque);
        break;
    case SN_SLIDER:
        entry->slider = sn_slider_definition(world, constraint);
        entry->common = entry->slider.common;
        entry->slider.lower = sn_max(entry->slider.lower, -SN_MAX_COORDINATE);
        entry->slider.upper = sn_min(entry->slider.upper, SN_MAX_COORDINATE);
        entry->has_spring = entry->slider.spring_stiffness > 0.0f;
        fill_motor(entry, entry->slider.motor, entry->slider.motor_force);
        break;
    case SN_FIXED:
        entry->common = sn_fixed_definition(world, constraint).common;
        break;
    default:
        entry->distance = sn_distance_definition(world, constraint);
        entry->common = entry->distance.common;
        fill_distance(entry);
        break;
    }
}

// A scene that is written begins at time 0: what is to come comes earlier, what is over stays off.
static void restart_schedule(const sn_writer *writer, sn_constraint_common *common)
{
    float now = writer->restarts ? (float)sn_world_time(writer->scene->world) : 0.0f;
    common->active_from = common->active_from > now ? common->active_from - now : 0.0f;
    common->active_until -= now;
    if (!(common->active_until > common->active_from)) {
        common->active = false;
        common->active_from = 0.0f;
        common->active_until = INFINITY;
    }
}

// Tables write no nodes.
static void add_nodes(json_t *joint, const char *key, const sn_point *point)
{
    if (point->type == SN_POINT_NODES) {
        json_object_set_new(json_object_get(joint, key), "nodes", sn_end_write_nodes(point));
    }
}

static json_t *write_joint(sn_writer *writer, sn_constraint constraint)
{
    const sn_world *world = writer->scene->world;
    sn_constraint_kind kind = sn_constraint_get_kind(world, constraint);
    joint_entry entry;
    sn_object_defaults(&common, &entry);
    fill(world, constraint, kind, &entry);
    restart_schedule(writer, &entry.common);
    entry.name = sn_writer_joint_name(writer, constraint);
    if (entry.name == NULL && sn_constraint_is_anchor(world, constraint)) {
        entry.name = sn_json_can_hold(entry.common.name) ? entry.common.name : NULL;
    }
    entry.a = sn_end_name(writer, &entry.common.a);
    entry.b = sn_end_name(writer, &entry.common.b);
    entry.has_frame_a = entry.has_frame_b = true;
    entry.frame_a = sn_frame_of(&entry.common.a);
    entry.frame_b = sn_frame_of(&entry.common.b);
    json_t *out = sn_object_write(objects[kind], &entry);
    add_nodes(out, "frame_a", &entry.common.a);
    add_nodes(out, "frame_b", &entry.common.b);
    return out;
}

static json_t *write(sn_writer *writer)
{
    const sn_world *world = writer->scene->world;
    int count = 0;
    sn_constraint *constraints = sn_writer_constraints(writer, &count);
    json_t *list = json_array();
    for (int i = 0; i < count; ++i) {
        if (sn_constraint_get_kind(world, constraints[i]) == SN_CUSTOM) {
            writer->has_custom = true;
        } else {
            sn_writer_append(writer, list, write_joint(writer, constraints[i]));
        }
    }
    free(constraints);
    return list;
}

const sn_section sn_section_joints = {
    .name = "joints",
    .text = "joints and other constraints between points of bodies, deformables and the world",
    .pass = SN_PASS_LINKS,
    .in_parts = true,
    .family = &family,
    .read = read,
    .write = write};
