// The last stage of a step: touch, hit, break and move events.
// Tested by tests/world/core/test_events.c.
#include "world/core/world.h"

#include <string.h>

static bool touches(const sn_contact_data *contact)
{
    if (contact->is_sensor) {
        return contact->is_overlap;
    }
    for (int k = 0; k < contact->patches.count; ++k) {
        for (int i = 0; i < contact->patches.data[k].count; ++i) {
            const sn_patch_point *point = &contact->patches.data[k].points[i];
            if (point->separation <= 0.0f || point->total_normal > 0.0f) {
                return true;
            }
        }
    }
    return false;
}

static void report_touch(sn_world *world, sn_contact_data *contact)
{
    bool now = touches(contact);
    if (now == contact->touching) {
        return;
    }
    contact->touching = now;
    const sn_shape_data *a = &world->shapes.data[contact->shape_a],
                        *b = &world->shapes.data[contact->shape_b];
    if (a->contact_events && b->contact_events) {
        sn_touch_event event = {sn_shape_id(world, contact->shape_a), sn_shape_id(world, contact->shape_b)};
        if (now) {
            (void)sn_array_push(&world->events.begin.list, event);
        } else {
            (void)sn_array_push(&world->events.end.list, event);
        }
    }
}

// The fastest point of each contact that was hit.
static void report_hit(sn_world *world, const sn_contact_data *contact)
{
    const sn_shape_data *a = &world->shapes.data[contact->shape_a],
                        *b = &world->shapes.data[contact->shape_b];
    if (!a->hit_events && !b->hit_events) {
        return;
    }
    sn_hit_event event = {.speed = world->def.hit_threshold};
    bool hit = false;
    for (int k = 0; k < contact->patches.count; ++k) {
        const sn_patch *patch = &contact->patches.data[k];
        for (int i = 0; i < patch->count; ++i) {
            if (patch->points[i].approach_speed > event.speed) {
                hit = true;
                event = (sn_hit_event){
                    .a = sn_shape_id(world, contact->shape_a),
                    .b = sn_shape_id(world, contact->shape_b),
                    .position = sn_add(world->bodies.data[contact->body_a].center, patch->points[i].arm_a),
                    .normal = patch->normal,
                    .speed = patch->points[i].approach_speed};
            }
        }
    }
    if (hit) {
        (void)sn_array_push(&world->events.hits.list, event);
    }
}

static void break_constraint(sn_world *world, int index)
{
    const sn_constraint_data *data = &world->constraints.data[index];
    const sn_constraint_common *common = &data->definition.common;
    float force = sn_length(world->constraint_forces.data[index]), torque = sn_length(data->torque);
    if (force > common->break_force || torque > common->break_torque) {
        sn_break_event event = {sn_constraint_id(world, index), common->user, force, torque};
        (void)sn_array_push(&world->events.breaks.list, event);
        sn_world_constraint_drop(world, index);
    }
}

// Breaking does not change the list while it is visited: it is made again on demand.
static void break_constraints(sn_world *world)
{
    const sn_active_parts *parts = sn_world_active_parts(world);
    for (int i = parts->breakable.count - 1; i >= 0; --i) {
        break_constraint(world, parts->breakable.data[i]);
    }
}

static void report_moves(sn_world *world)
{
    for (int i = 0; i < world->awake_bodies.count; ++i) {
        int index = world->awake_bodies.data[i];
        const sn_body *body = &world->bodies.data[index];
        if (sn_body_has_moved(body, &world->start_poses[i])) {
            sn_move_event event = {sn_rigid_id(world, index), sn_body_pose(body), body->user};
            (void)sn_array_push(&world->events.moves.list, event);
        }
    }
}

void sn_stage_finish(sn_world *world, float duration)
{
    for (int i = 0; i < world->active_contacts.count; ++i) {
        sn_contact_data *contact = &world->contacts.data[world->active_contacts.data[i]];
        if (contact->patches.count > 0 || contact->touching || contact->is_sensor) {
            report_touch(world, contact);
            report_hit(world, contact);
        }
    }
    // An impact may have moved a shape out of its box.
    for (int i = 0; i < world->awake_bodies.count; ++i) {
        sn_world_keep_in_boxes(world, world->awake_bodies.data[i]);
    }
    report_moves(world); // before breaking wakes bodies, which have no start pose
    sn_world_finish_deformables(world, duration);
    sn_world_report_soft_touches(world);
    sn_world_report_soft_hits(world);
    break_constraints(world);
}
