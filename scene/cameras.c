// Where pictures are taken from: the scene's cameras at the present time, or one that sees everything.
#include "scene/message.h"
#include "scene/scene_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float overview_angle = 0.6f;  // vertical field of view [rad]
static const float overview_aspect = 1.4f; // width by height of a picture in which all is seen
static const float overview_fill = 0.8f;   // part of the picture that what moves takes
static const double two_pi = 6.28318530717958647692;

int sn_scene_camera_count(const sn_scene *scene)
{
    return scene->cameras.count;
}

const char *sn_scene_camera_name(const sn_scene *scene, int index)
{
    return index >= 0 && index < scene->cameras.count ? scene->cameras.items[index].name : "";
}

// A horizontal direction to look along: as far from the up direction as an axis can be, turned aside, so that
// boxes show three faces.
static sn_vec3 viewing_side(sn_vec3 up)
{
    sn_vec3 aside = sn_abs(up.z) < 0.9f ? sn_v(0.0f, 0.0f, 1.0f) : sn_v(0.0f, -1.0f, 0.0f);
    sn_vec3 forward = sn_normalize(sn_sub(aside, sn_scale(up, sn_dot(aside, up))));
    return sn_rotate(sn_quat_axis_angle(up, 0.5f), forward);
}

// Takes in where things will fall, if that is not much farther away than they are large.
static void include_landing(const sn_scene *scene, sn_bounds *bounds)
{
    sn_vec3 center = sn_scale(sn_add(bounds->lower, bounds->upper), 0.5f),
            size = sn_sub(bounds->upper, bounds->lower);
    sn_vec3 down = sn_neg(sn_scene_up(scene));
    sn_vec3 extent =
        sn_scale(sn_v(sn_abs(down.x) * size.x, sn_abs(down.y) * size.y, sn_abs(down.z) * size.z), 0.5f);
    float below = 1.001f * sn_length(extent);
    sn_hit hit;
    if (sn_world_ray(scene->world, sn_add(center, sn_scale(down, below)),
                     sn_scale(down, 4.0f * sn_length(size) + 1.0f), sn_query_filter_default(),
                     &hit) == SN_OK &&
        hit.shape.generation != 0) {
        bounds->lower = sn_min3(bounds->lower, hit.point);
        bounds->upper = sn_max3(bounds->upper, hit.point);
    }
}

// What stands still, if it is not much larger than what moves: beams, posts, ramps, but no landscape.
static void include_frame(const sn_scene *scene, sn_bounds *bounds)
{
    const float most = 2.0f;
    sn_bounds all;
    if (sn_scene_extent(scene, false, &all)) {
        all = sn_bounds_union(all, *bounds);
        bool fits = sn_distance_between(all.lower, all.upper) <=
                    most * sn_distance_between(bounds->lower, bounds->upper);
        *bounds = fits ? all : *bounds;
    }
}

// How far from the middle the eye must be for all corners of a box to lie within a part of the picture.
static float distance_for(sn_bounds bounds, sn_vec3 direction, sn_vec3 up)
{
    sn_vec3 right = sn_normalize(sn_cross(up, direction)), upright = sn_cross(direction, right);
    sn_vec3 half = sn_scale(sn_sub(bounds.upper, bounds.lower), 0.5f);
    float slope = overview_fill * sn_sin(0.5f * overview_angle) / sn_cos(0.5f * overview_angle);
    float distance = 0.0f;
    for (int i = 0; i < 8; ++i) {
        sn_vec3 corner = sn_v(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
        float nearer = sn_dot(corner, direction);
        float high = sn_abs(sn_dot(corner, upright)) / slope;
        float wide = sn_abs(sn_dot(corner, right)) / (overview_aspect * slope);
        distance = sn_max(distance, nearer + sn_max(high, wide));
    }
    return distance;
}

// All that moves and what it hangs on, looking down a little.
static sn_camera make_overview(const sn_scene *scene)
{
    sn_bounds bounds = {sn_v(-1.0f, -1.0f, -1.0f), sn_v(1.0f, 1.0f, 1.0f)};
    if (sn_scene_extent(scene, true, &bounds)) {
        include_landing(scene, &bounds);
        include_frame(scene, &bounds);
    }
    sn_vec3 center = sn_scale(sn_add(bounds.lower, bounds.upper), 0.5f);
    sn_vec3 up = sn_scene_up(scene);
    sn_vec3 direction = sn_normalize(sn_add(viewing_side(up), sn_scale(up, 0.45f)));
    float distance = sn_max(distance_for(bounds, direction, up), 5e-3f);
    return (sn_camera){"", sn_add(center, sn_scale(direction, distance)), center, up, overview_angle, false};
}

static sn_vec3 up_of(const sn_scene *scene, const sn_camera_record *record)
{
    return sn_length(record->up) > 0.0f ? sn_normalize(record->up) : sn_scene_up(scene);
}

bool sn_camera_record_followed(const sn_scene *scene, const sn_camera_record *record, sn_vec3 *place)
{
    if (sn_deformable_is_valid(scene->world, record->follow_soft)) {
        *place = sn_deformable_measure_now(scene->world, record->follow_soft).center;
        return sn_vec3_is_finite(*place);
    }
    if (sn_rigid_is_valid(scene->world, record->follow)) {
        *place = sn_rigid_position(scene->world, record->follow);
        return true;
    }
    return false;
}

void sn_camera_record_advance(const sn_scene *scene, sn_camera_record *record, bool orbited)
{
    double turns = (double)record->orbit * sn_world_time(scene->world) / two_pi;
    float angle = (float)((turns - floor(turns)) * two_pi);
    if (orbited && angle != 0.0f) {
        sn_vec3 arm = sn_sub(record->eye, record->target);
        sn_quat rotation = sn_quat_axis_angle(up_of(scene, record), angle);
        record->eye = sn_add(record->target, sn_rotate(rotation, arm));
    }
    sn_vec3 position;
    if (sn_camera_record_followed(scene, record, &position)) {
        sn_vec3 moved = sn_sub(position, record->follow_start);
        record->eye = sn_add(record->eye, moved);
        record->target = sn_add(record->target, moved);
        record->follow_start = position;
    }
}

static bool has_motion(const sn_scene *scene, const sn_camera_record *record)
{
    for (int i = 0; i < scene->motions.count; ++i) {
        const sn_motion *motion = &scene->motions.items[i];
        if (motion->type == SN_MOTION_CAMERA && strcmp(motion->name, record->name) == 0) {
            return true;
        }
    }
    return false;
}

static sn_camera camera_now(const sn_scene *scene, const sn_camera_record *record)
{
    sn_camera_record now = *record;
    sn_vec3 place;
    sn_camera_record_advance(scene, &now, true);
    bool moves = record->orbit != 0.0f || has_motion(scene, record) ||
                 sn_camera_record_followed(scene, record, &place);
    return (sn_camera){record->name, now.eye, now.target, up_of(scene, record), now.field_of_view, moves};
}

static sn_status no_such_camera(const sn_scene *scene, const char *name)
{
    char names[512] = "";
    size_t used = 0;
    for (int i = 0; i < scene->cameras.count && used < sizeof names; ++i) {
        used += (size_t)snprintf(names + used, sizeof names - used, "%s\"%s\"", i > 0 ? ", " : "",
                                 scene->cameras.items[i].name);
    }
    return sn_scene_fail(SN_ERROR_NAME, "camera \"%s\" does not exist; the scene has %s", name,
                         names[0] != '\0' ? names : "none");
}

sn_status sn_scene_camera(sn_scene *scene, const char *name, sn_camera *camera)
{
    if (scene == NULL || camera == NULL) {
        return sn_scene_fail(SN_ERROR_NULL, "sn_scene_camera: scene or camera is null");
    }
    for (int i = 0; i < scene->cameras.count; ++i) {
        if (name == NULL || strcmp(name, scene->cameras.items[i].name) == 0) {
            *camera = camera_now(scene, &scene->cameras.items[i]);
            return SN_OK;
        }
    }
    if (name != NULL) {
        return no_such_camera(scene, name);
    }
    if (!scene->has_overview) {
        scene->overview = make_overview(scene);
        scene->has_overview = true;
    }
    *camera = scene->overview;
    return SN_OK;
}

sn_light sn_scene_light(const sn_scene *scene)
{
    return scene->light;
}

int sn_scene_label_count(const sn_scene *scene)
{
    return scene->labels.count;
}

sn_label sn_scene_label(const sn_scene *scene, int index)
{
    sn_label label = {"", {0.0f, 0.0f, 0.0f}, 0};
    if (index < 0 || index >= scene->labels.count) {
        return label;
    }
    const sn_label_record *record = &scene->labels.items[index];
    if (record->deformable.generation != 0) {
        if (sn_deformable_is_valid(scene->world, record->deformable)) {
            sn_vec3 center = sn_deformable_measure_now(scene->world, record->deformable).center;
            label = (sn_label){record->text, sn_add(center, record->position), record->color};
        }
    } else if (sn_rigid_is_valid(scene->world, record->rigid)) {
        sn_pose pose = sn_rigid_pose(scene->world, record->rigid);
        label = (sn_label){record->text, sn_pose_apply(pose, record->position), record->color};
    }
    return label;
}
