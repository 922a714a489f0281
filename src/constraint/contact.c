// A contact patch: at each point the bodies stay apart, along the surface friction resists their sliding and
// twisting, about all axes something may resist their rolling. The laws are Coulomb's with the caller's
// limits; a disc of friction is here the square around it. Within the step see
// solver/contact/contact_kernel.h.
#include "constraint/contact.h"
#include "constraint/kind.h"
#include "constraint/parts.h"
#include "geometry/shapes/check.h"

static sn_status check_place(const sn_contact_place *point, sn_error *error, const char *object)
{
    sn_status status = sn_check_vec3(point->place, SN_MAX_COORDINATE, error, object, "place");
    return status ? status
                  : sn_check_range(point->separation, -SN_MAX_COORDINATE, SN_MAX_COORDINATE, error, object,
                                   "separation");
}

static sn_status check(const sn_definition *definition, sn_error *error, const char *object)
{
    const sn_contact_def *contact = &definition->contact;
    sn_status status = sn_check_range((float)contact->point_count, 1.0f, (float)SN_MANIFOLD_POINTS, error,
                                      object, "point_count");
    for (int i = 0; !status && i < contact->point_count; ++i) {
        status = check_place(&contact->points[i], error, object);
    }
    status = status ? status : sn_check_strength(contact->friction, error, object, "friction");
    status = status ? status : sn_check_strength(contact->twist_friction, error, object, "twist_friction");
    return status ? status
                  : sn_check_strength(contact->rolling_resistance, error, object, "rolling_resistance");
}

// The same two bodies seen from frames moved to `place` of the old ones.
static sn_row_input moved_to(const sn_row_input *input, sn_vec3 place)
{
    sn_row_input moved = *input;
    for (int k = 0; k < 2; ++k) {
        sn_vec3 offset = sn_rotate(input->frame[k].rotation, place);
        moved.frame[k].position = sn_add(input->frame[k].position, offset);
        moved.arm[k] = sn_add(input->arm[k], offset);
    }
    return moved;
}

int sn_contact_rows(const sn_row_input *input, const void *data, sn_row *rows)
{
    const sn_contact_def *contact = data;
    int count = 0;
    for (int i = 0; i < contact->point_count; ++i) {
        sn_row_input there = moved_to(input, contact->points[i].place);
        sn_coordinate gap = sn_coordinate_travel(&there);
        count = sn_part_limits(&gap, -contact->points[i].separation, INFINITY, sn_hard, rows, count);
    }
    const sn_coordinate slides[3] = {sn_coordinate_along(input, sn_v(0.0f, 1.0f, 0.0f)),
                                     sn_coordinate_along(input, sn_v(0.0f, 0.0f, 1.0f)),
                                     sn_coordinate_twist(input)};
    count = sn_part_motor(&slides[0], 0.0f, contact->friction, rows, count);
    count = sn_part_motor(&slides[1], 0.0f, contact->friction, rows, count);
    count = sn_part_motor(&slides[2], 0.0f, contact->twist_friction, rows, count);
    if (contact->rolling_resistance > 0.0f) {
        sn_coordinate rotation[3];
        sn_coordinates_rotation(input, rotation);
        for (int i = 0; i < 3; ++i) {
            count = sn_part_motor(&rotation[i], 0.0f, contact->rolling_resistance, rows, count);
        }
    }
    return count;
}

const sn_kind sn_kind_contact = {SN_KIND(contact), .text = "Two surfaces touch, with friction.",
                                 .cookie = 0x636f6e74, .oriented_ends = SN_BOTH_ENDS, .check = check};

// --- from patches --------------------------------------------------------------------------------

void sn_patch_friction_center(const sn_patch *patch, sn_vec3 *arm_a, sn_vec3 *arm_b)
{
    float total = 0.0f;
    for (int i = 0; i < patch->count; ++i) {
        total += patch->points[i].normal_impulse;
    }
    *arm_a = *arm_b = sn_v(0.0f, 0.0f, 0.0f);
    for (int i = 0; i < patch->count; ++i) {
        float weight = total > 0.0f ? patch->points[i].normal_impulse / total : 1.0f / (float)patch->count;
        *arm_a = sn_add_scaled(*arm_a, weight, patch->points[i].arm_a);
        *arm_b = sn_add_scaled(*arm_b, weight, patch->points[i].arm_b);
    }
}

// A frame of the world, turned like that, at the end of an arm: in the body's own terms.
static sn_pose frame_in_body(sn_pose body, sn_vec3 center, sn_vec3 arm, sn_quat rotation)
{
    sn_pose frame = {
        sn_add(center, sn_rotate_inverse(body.rotation, arm)),
        sn_quat_normalize(sn_quat_multiply(sn_quat_conjugate(body.rotation), rotation)),
    };
    return frame;
}

sn_contact_def sn_contact_def_of(const sn_patch *patch, sn_pose body_a, sn_vec3 center_a, sn_pose body_b,
                                 sn_vec3 center_b)
{
    sn_contact_def contact = {.common = sn_common_default(sn_kind_contact.cookie),
                              .point_count = patch->count};
    sn_vec3 arm_a, arm_b, tangent = sn_perpendicular(patch->normal);
    sn_patch_friction_center(patch, &arm_a, &arm_b);
    sn_mat3 axes = {patch->normal, tangent, sn_cross(patch->normal, tangent)};
    sn_quat rotation = sn_quat_from_mat3(axes);
    sn_pose frame_a = frame_in_body(body_a, center_a, arm_a, rotation);
    sn_pose frame_b = frame_in_body(body_b, center_b, arm_b, rotation);
    contact.common.a =
        (sn_point){.type = SN_POINT_RIGID, .position = frame_a.position, .rotation = frame_a.rotation};
    contact.common.b =
        (sn_point){.type = SN_POINT_RIGID, .position = frame_b.position, .rotation = frame_b.rotation};
    for (int i = 0; i < patch->count; ++i) {
        contact.points[i].place = sn_rotate_inverse(rotation, sn_sub(patch->points[i].arm_a, arm_a));
        contact.points[i].separation = patch->points[i].separation;
    }
    return contact;
}
