// What the files about rigid bodies share.
#ifndef SN_WORLD_BODIES_BODIES_H
#define SN_WORLD_BODIES_BODIES_H

#include "world/core/world.h"

// Sets of body types.
enum {
    SN_TYPES_ALL = 1u << SN_STATIC | 1u << SN_KINEMATIC | 1u << SN_DYNAMIC,
    SN_TYPES_MOVING = 1u << SN_KINEMATIC | 1u << SN_DYNAMIC,
    SN_TYPES_KINEMATIC = 1u << SN_KINEMATIC,
    SN_TYPES_DYNAMIC = 1u << SN_DYNAMIC
};

// The body, if the world may change and the body is of one of `types` (SN_ERROR_KIND otherwise).
sn_status sn_body_changeable(sn_world *world, sn_rigid rigid, unsigned types, const char *function,
                             sn_body **body);
// Sets a member of a body of one of `types` to a value that its field allows, and wakes the body.
sn_status sn_body_set(sn_world *world, sn_rigid rigid, unsigned types, const sn_field *field,
                      const void *value, const char *function);
// A check whose message names the body.
sn_status sn_body_check_vec3(const sn_world *world, const sn_body *body, sn_vec3 v, float limit,
                             const char *field);
sn_status sn_check_rigid_type(sn_rigid_type type, sn_error *error, const char *object);

#endif
