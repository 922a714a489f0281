// Fixed points of rounding.
#include "scene/settle.h"

#include <math.h>
#include <string.h>

// --- unit length -------------------------------------------------------------------------------------------

typedef void normalizer(float *values);

static void normalize_rotation(float *v)
{
    sn_quat q = sn_quat_normalize((sn_quat){v[0], v[1], v[2], v[3]});
    memcpy(v, (float[]){q.x, q.y, q.z, q.w}, 4 * sizeof *v);
}

// As worlds do it: divided by the largest member first.
static void normalize_direction(float *v)
{
    float largest = fmaxf(fabsf(v[0]), fmaxf(fabsf(v[1]), fabsf(v[2])));
    sn_vec3 d = sn_normalize(sn_v(v[0] / largest, v[1] / largest, v[2] / largest));
    memcpy(v, (float[]){d.x, d.y, d.z}, 3 * sizeof *v);
}

static bool is_settled(const float *values, int count, normalizer *normalize)
{
    float normalized[4];
    memcpy(normalized, values, (size_t)count * sizeof *values);
    normalize(normalized);
    for (int i = 0; i < count; ++i) {
        if (normalized[i] != values[i]) {
            return false;
        }
    }
    return true;
}

// Moves one member by up to a few units of its last place until all are settled; false if that is not enough.
static bool nudge(float *values, int count, int member, normalizer *normalize)
{
    const float original = values[member];
    for (int side = 0; side < 2; ++side) {
        values[member] = original;
        for (int i = 0; i < 8; ++i) {
            values[member] = nextafterf(values[member], side == 0 ? 2.0f : -2.0f);
            if (is_settled(values, count, normalize)) {
                return true;
            }
        }
    }
    values[member] = original;
    return false;
}

// Normalising again and again mostly ends at once, but may go back and forth between two neighbours for ever.
static void settle(float *values, int count, normalizer *normalize)
{
    for (int i = 0; i < 4 && !is_settled(values, count, normalize); ++i) {
        normalize(values);
    }
    bool settled = is_settled(values, count, normalize);
    for (int i = 0; i < count && !settled; ++i) {
        settled = values[i] != 0.0f && nudge(values, count, i, normalize);
    }
}

sn_quat sn_settled_rotation(sn_quat rotation)
{
    float v[4] = {rotation.x, rotation.y, rotation.z, rotation.w};
    settle(v, 4, normalize_rotation);
    return (sn_quat){v[0], v[1], v[2], v[3]};
}

sn_vec3 sn_settled_direction(sn_vec3 direction)
{
    float v[3] = {direction.x, direction.y, direction.z};
    settle(v, 3, normalize_direction);
    return sn_v(v[0], v[1], v[2]);
}

// --- motion ------------------------------------------------------------------------------------------------

static sn_vec3 limited(sn_vec3 v, float limit)
{
    return sn_v(sn_clamp(v.x, -limit, limit), sn_clamp(v.y, -limit, limit), sn_clamp(v.z, -limit, limit));
}

// Bodies may get farther and faster than worlds take them in; such are put where they just fit.
void sn_settle_motion(sn_rigid_def *def, sn_vec3 center)
{
    def->rotation = sn_settled_rotation(def->rotation);
    def->position = limited(def->position, SN_MAX_COORDINATE);
    def->angular_velocity = limited(def->angular_velocity, SN_MAX_SPIN);
    sn_vec3 arm = sn_rotate(def->rotation, center);
    for (int i = 0; i < 4; ++i) {
        sn_vec3 in_world = sn_add(def->position, arm);
        def->position = sn_sub(in_world, arm);
        sn_vec3 turning = sn_cross(def->angular_velocity, sn_sub(in_world, def->position));
        sn_vec3 velocity = limited(sn_add(def->linear_velocity, turning), SN_MAX_SPEED);
        def->linear_velocity = limited(sn_sub(velocity, turning), SN_MAX_SPEED);
    }
}
