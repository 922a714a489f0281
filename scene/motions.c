// Motions being applied: before each step, everything gets the target that its keys say for the step's end.
// Tested by tests/scene/sections/test_section_motions.c.
#include "scene/motions.h"

#include "scene/message.h"
#include "scene/scene_parts.h"

#include <math.h>
#include <string.h>

// Changes wake what feels them, so nothing is set that is so already: what rests while its keys do may sleep.
static bool differs(sn_vec3 a, sn_vec3 b)
{
    return a.x != b.x || a.y != b.y || a.z != b.z;
}

static sn_status move_body(sn_world *world, const sn_motion *motion, double time)
{
    if (!sn_rigid_is_valid(world, motion->rigid)) {
        return SN_OK;
    }
    sn_key key = sn_keyframes_at(&motion->keyframes, time);
    sn_pose pose = sn_rigid_pose(world, motion->rigid);
    pose.position = motion->has_first ? key.first : pose.position;
    pose.rotation = motion->has_rotation ? key.rotation : pose.rotation;
    return sn_rigid_target_set(world, motion->rigid, pose);
}

static sn_status move_anchors(sn_world *world, const sn_motion *motion, double time)
{
    sn_key key = sn_keyframes_at(&motion->keyframes, time);
    sn_status status = SN_OK;
    for (int i = 0; i < motion->ends.count && status == SN_OK; ++i) {
        const sn_moved_end *moved = &motion->ends.items[i];
        if (!sn_anchor_is_valid(world, moved->anchor)) {
            continue;
        }
        sn_anchor_def def = sn_anchor_definition(world, moved->anchor);
        sn_point place = sn_point_world(sn_add(moved->base, key.first));
        if (differs(place.position, (moved->end == 0 ? def.a : def.b).position)) {
            status = sn_anchor_point_set(world, moved->anchor, moved->end, &place);
        }
    }
    return status;
}

// --- joints ------------------------------------------------------------------------------------------------

// The way from one angle to another, at most half a turn.
static float turn_between(float from, float to)
{
    float way = to - from;
    return way - 2.0f * SN_PI * floorf(way / (2.0f * SN_PI) + 0.5f);
}

// What the keys say, in radians where they say degrees: the angles of hinges.
static float joint_value(const sn_world *world, const sn_motion *motion, double time)
{
    float value = sn_keyframes_at(&motion->keyframes, time).first.x;
    bool is_angle =
        motion->drive != SN_DRIVE_SPEED && sn_constraint_get_kind(world, motion->joint) == SN_HINGE;
    return is_angle ? value * (SN_PI / 180.0f) : value;
}

// The motor's speed that brings the joint to where its keys say at the end of the step, as fast as the gain
// allows what is missing now to shrink.
static float chasing_speed(const sn_world *world, const sn_motion *motion, double time, float duration)
{
    float wanted = joint_value(world, motion, time);
    float before = joint_value(world, motion, time - (double)duration);
    float now = sn_constraint_coordinate(world, motion->joint);
    bool is_hinge = sn_constraint_get_kind(world, motion->joint) == SN_HINGE;
    float missing = is_hinge ? turn_between(now, before) : before - now;
    float rate = (wanted - before) / duration;
    return rate + sn_min(motion->gain, 1.0f / duration) * missing;
}

static sn_status drive_hinge(sn_world *world, const sn_motion *motion, float value)
{
    sn_hinge_def def;
    sn_status status = sn_constraint_def_get(world, motion->joint, &def);
    if (status != SN_OK) {
        return status;
    }
    if (motion->drive == SN_DRIVE_SPRING) {
        float angle = turn_between(0.0f, value);
        return def.spring_angle == angle ? SN_OK
                                         : sn_hinge_spring_set(world, motion->joint, def.spring_stiffness,
                                                               def.spring_damping, angle);
    }
    float speed = sn_clamp(value, -SN_MAX_SPIN, SN_MAX_SPIN);
    return def.motor && def.motor_speed == speed
               ? SN_OK
               : sn_hinge_motor_set(world, motion->joint, true, speed, def.motor_torque);
}

static sn_status drive_slider(sn_world *world, const sn_motion *motion, float value)
{
    sn_slider_def def;
    sn_status status = sn_constraint_def_get(world, motion->joint, &def);
    if (status != SN_OK) {
        return status;
    }
    if (motion->drive == SN_DRIVE_SPRING) {
        return def.spring_travel == value ? SN_OK
                                          : sn_slider_spring_set(world, motion->joint, def.spring_stiffness,
                                                                 def.spring_damping, value);
    }
    float speed = sn_clamp(value, -SN_MAX_SPEED, SN_MAX_SPEED);
    return def.motor && def.motor_speed == speed
               ? SN_OK
               : sn_slider_motor_set(world, motion->joint, true, speed, def.motor_force);
}

// A rope keeps being one: only its longest length changes.
static sn_status drive_distance(sn_world *world, const sn_motion *motion, float value)
{
    sn_distance_def def;
    sn_status status = sn_constraint_def_get(world, motion->joint, &def);
    if (status != SN_OK) {
        return status;
    }
    value = sn_max(value, 0.0f);
    if (motion->drive == SN_DRIVE_SPRING) {
        return def.spring_length == value ? SN_OK
                                          : sn_distance_spring_set(world, motion->joint, def.spring_stiffness,
                                                                   def.spring_damping, value);
    }
    return def.upper == value
               ? SN_OK
               : sn_distance_limits_set(world, motion->joint,
                                        def.lower < def.upper ? sn_min(def.lower, value) : value, value);
}

static sn_status drive_joint(sn_world *world, const sn_motion *motion, double time, float duration)
{
    if (!sn_constraint_is_valid(world, motion->joint)) {
        return SN_OK;
    }
    sn_constraint_kind kind = sn_constraint_get_kind(world, motion->joint);
    float value = joint_value(world, motion, time);
    if (kind == SN_DISTANCE) {
        return drive_distance(world, motion, value);
    }
    if (motion->drive == SN_DRIVE_POSITION) {
        value = chasing_speed(world, motion, time, duration);
    }
    return kind == SN_HINGE ? drive_hinge(world, motion, value) : drive_slider(world, motion, value);
}

// --- all else ----------------------------------------------------------------------------------------------

static sn_status move_field(sn_world *world, const sn_motion *motion, double time)
{
    sn_vec3 value = sn_keyframes_at(&motion->keyframes, time).first;
    if (motion->type == SN_MOTION_WIND) {
        return differs(value, sn_world_settings(world).wind) ? sn_world_wind_set(world, value) : SN_OK;
    }
    return differs(value, sn_world_gravity(world)) ? sn_world_gravity_set(world, value) : SN_OK;
}

static sn_status push(sn_world *world, const sn_motion *motion, double now)
{
    if (now < motion->from || now >= motion->until || !sn_rigid_is_valid(world, motion->rigid)) {
        return SN_OK;
    }
    sn_pose pose = sn_rigid_pose(world, motion->rigid);
    sn_vec3 force = motion->turns ? sn_rotate(pose.rotation, motion->force) : motion->force;
    sn_vec3 torque = motion->turns ? sn_rotate(pose.rotation, motion->torque) : motion->torque;
    sn_status status = sn_rigid_force_add_at(world, motion->rigid, force, sn_pose_apply(pose, motion->point));
    return status == SN_OK ? sn_rigid_torque_add(world, motion->rigid, torque) : status;
}

static sn_status move(sn_world *world, const sn_motion *motion, float duration)
{
    double now = sn_world_time(world), then = now + (double)duration;
    switch (motion->type) {
    case SN_MOTION_BODY:
        return move_body(world, motion, then);
    case SN_MOTION_ANCHOR:
        return move_anchors(world, motion, then);
    case SN_MOTION_JOINT:
        return drive_joint(world, motion, then, duration);
    case SN_MOTION_WIND:
    case SN_MOTION_GRAVITY:
        return move_field(world, motion, then);
    case SN_MOTION_FORCE:
        return push(world, motion, now);
    default:
        return SN_OK;
    }
}

sn_status sn_motions_before_step(sn_scene *scene, float duration)
{
    for (int i = 0; i < scene->motions.count; ++i) {
        sn_status status = move(scene->world, &scene->motions.items[i], duration);
        if (status != SN_OK) {
            return sn_scene_fail(status, "motions[%d]: %s", i, sn_world_error(scene->world));
        }
    }
    return SN_OK;
}

void sn_motions_look(sn_scene *scene)
{
    double now = sn_world_time(scene->world);
    for (int i = 0; i < scene->motions.count; ++i) {
        const sn_motion *motion = &scene->motions.items[i];
        if (motion->type == SN_MOTION_LIGHT) {
            sn_key key = sn_keyframes_at(&motion->keyframes, now);
            scene->light.direction = motion->has_first ? key.first : scene->light.direction;
            scene->light.strength = key.second.x;
        }
        for (int k = 0; motion->type == SN_MOTION_CAMERA && k < scene->cameras.count; ++k) {
            sn_camera_record *camera = &scene->cameras.items[k];
            if (strcmp(camera->name, motion->name) == 0) {
                sn_key key = sn_keyframes_at(&motion->keyframes, now);
                camera->eye = key.first;
                camera->target = key.second;
            }
        }
    }
}
