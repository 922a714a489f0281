// Forces and motion of nodes, four at a time. Where inverse masses are needed, lanes are the components of
// one node; where they are not, twelve numbers of four nodes are loaded one after the other. The bits are
// those of the scalar loops that handle the rest.
#include "solver/nodes/node_motion.h"

#include "base/simd.h"

// --- records of four and of three numbers ------------------------------------------------------------------

// Four vectors without fourth components from memory: x y z x, y z x y, z x y z.
typedef struct packed4 {
    sn_f4 part[3];
} packed4;

SN_INLINE sn_f4 load4(const void *from)
{
    sn_f4 four;
    memcpy(&four, from, sizeof four);
    return four;
}

SN_INLINE packed4 load_packed(const sn_vec3 *from)
{
    const char *bytes = (const char *)from;
    return (packed4){{load4(bytes), load4(bytes + sizeof(sn_f4)), load4(bytes + 2 * sizeof(sn_f4))}};
}

// Two steps where one shuffle would do: compilers without an instruction for it take it apart.
SN_INLINE packed4 packed_of(const sn_f4 v[4])
{
    sn_f4 z_x = __builtin_shufflevector(v[0], v[1], 2, 2, 4, 4);
    sn_f4 x_z = __builtin_shufflevector(v[2], v[3], 2, 2, 4, 4);
    return (packed4){{__builtin_shufflevector(v[0], z_x, 0, 1, 4, 6),
                      __builtin_shufflevector(v[1], v[2], 1, 2, 4, 5),
                      __builtin_shufflevector(x_z, v[3], 0, 2, 5, 6)}};
}

// The fourth components are arbitrary.
SN_INLINE void unpack(const packed4 *four, sn_f4 v[4])
{
    v[0] = four->part[0];
    v[1] = __builtin_shufflevector(four->part[0], four->part[1], 3, 4, 5, 5);
    v[2] = __builtin_shufflevector(four->part[1], four->part[2], 2, 3, 4, 4);
    v[3] = __builtin_shufflevector(four->part[2], four->part[2], 1, 2, 3, 3);
}

// x, y and z of one, the fourth of another.
SN_INLINE sn_f4 with_fourth(sn_f4 v, sn_f4 other)
{
    const sn_i4 first_three = {-1, -1, -1, 0};
    return sn_f4_select(first_three, v, other);
}

// --- speeds ------------------------------------------------------------------------------------------------

// Whether one of four nodes may be faster than SN_MAX_SPEED: none is if all components are below half of it.
// Non-finite components count as slow, as in sn_limited_velocity.
SN_INLINE bool may_be_fast(const sn_f4 v[4])
{
    const sn_i4 size = {INT32_MAX, INT32_MAX, INT32_MAX, 0};
    sn_f4 half = sn_f4_set(0.5f * SN_MAX_SPEED);
    sn_i4 fast = (sn_f4)((sn_i4)v[0] & size) > half;
    for (int i = 1; i < 4; ++i) {
        fast |= (sn_f4)((sn_i4)v[i] & size) > half;
    }
    return sn_i4_any(fast);
}

// --- forces ------------------------------------------------------------------------------------------------

// What one sub-step leaves of a speed under damping c, implicitly: 1/(1 + hc).
SN_INLINE void push_one(const sn_node_run *run, const sn_vec3 *share, sn_vec3 gravity, float h, float kept,
                        int i)
{
    float inverse_mass = run->states[i].inverse_mass;
    if (inverse_mass > 0.0f) {
        sn_vec3 velocity = run->velocities[i].velocity;
        velocity = share != NULL ? sn_add(velocity, share[i]) : velocity;
        sn_vec3 acceleration = sn_add_scaled(gravity, inverse_mass, run->forces[i]);
        velocity = sn_add_scaled(velocity, h, acceleration);
        run->velocities[i].velocity = sn_limited_velocity(sn_scale(velocity, kept));
    }
}

// The share of four nodes, added to their velocities.
SN_INLINE void share_four(const sn_vec3 *share, sn_f4 v[4])
{
    sn_f4 shares[4];
    packed4 packed = load_packed(share);
    unpack(&packed, shares);
    for (int k = 0; k < 4; ++k) {
        v[k] = v[k] + shares[k];
    }
}

// False if one of the four may be too fast: then they are done one by one.
SN_INLINE bool push_four(const sn_node_run *run, const sn_vec3 *share, sn_f4 gravity, float h, float kept,
                         int i)
{
    sn_f4 force[4], v[4], before[4];
    packed4 forces = load_packed(run->forces + i);
    unpack(&forces, force);
    for (int k = 0; k < 4; ++k) {
        v[k] = before[k] = load4(run->velocities + i + k);
    }
    if (share != NULL) {
        share_four(share + i, v);
    }
    for (int k = 0; k < 4; ++k) {
        sn_f4 state = load4(run->states + i + k);
        sn_f4 inverse_mass = __builtin_shufflevector(state, state, 3, 3, 3, 3);
        sn_f4 acceleration = gravity + inverse_mass * force[k];
        sn_f4 pushed = (v[k] + sn_f4_set(h) * acceleration) * sn_f4_set(kept);
        v[k] = with_fourth(sn_f4_select(inverse_mass > sn_f4_set(0.0f), pushed, before[k]), before[k]);
    }
    if (may_be_fast(v)) {
        return false;
    }
    for (int k = 0; k < 4; ++k) {
        memcpy(run->velocities + i + k, &v[k], sizeof v[k]);
    }
    return true;
}

void sn_node_run_push(sn_node_run run, const sn_node_range *range, float h, int begin, int end)
{
    float kept = 1.0f / (1.0f + h * range->linear_damping);
    sn_vec3 g = range->gravity;
    sn_f4 gravity = {g.x, g.y, g.z, 0.0f};
    int i = begin;
    for (; i + 4 <= end; i += 4) {
        if (!push_four(&run, range->share, gravity, h, kept, i)) {
            for (int k = i; k < i + 4; ++k) {
                push_one(&run, range->share, g, h, kept, k);
            }
        }
    }
    for (; i < end; ++i) {
        push_one(&run, range->share, g, h, kept, i);
    }
}

void sn_node_run_share(sn_node_run run, const sn_node_range *range, int begin, int end)
{
    for (int i = begin; i < end && range->share != NULL; ++i) {
        run.velocities[i].velocity = sn_add(run.velocities[i].velocity, range->share[i]);
    }
}

// --- motion ------------------------------------------------------------------------------------------------

// Fixed nodes keep the velocity that takes them to their targets.
SN_INLINE void move_one(const sn_node_run *run, float h, int i)
{
    if (run->states[i].inverse_mass > 0.0f) {
        run->velocities[i].velocity = sn_limited_velocity(run->velocities[i].velocity);
    }
    run->moved[i] = sn_add_scaled(run->moved[i], h, run->velocities[i].velocity);
    run->states[i].position = sn_add(run->starts[i], run->moved[i]);
}

// False if one of the four may be too fast: then they are done one by one.
SN_INLINE bool move_four(const sn_node_run *run, float h, int i)
{
    sn_f4 v[4], place[4];
    for (int k = 0; k < 4; ++k) {
        v[k] = load4(run->velocities + i + k);
    }
    if (may_be_fast(v)) {
        return false;
    }
    packed4 velocity = packed_of(v), start = load_packed(run->starts + i),
            displacement = load_packed(run->moved + i);
    for (int k = 0; k < 3; ++k) {
        displacement.part[k] = displacement.part[k] + sn_f4_set(h) * velocity.part[k];
        start.part[k] = start.part[k] + displacement.part[k];
    }
    unpack(&start, place);
    for (int k = 0; k < 4; ++k) {
        place[k] = with_fourth(place[k], load4(run->states + i + k));
    }
    for (int k = 0; k < 3; ++k) {
        memcpy((char *)(run->moved + i) + (size_t)k * sizeof(sn_f4), &displacement.part[k], sizeof(sn_f4));
    }
    for (int k = 0; k < 4; ++k) {
        memcpy(run->states + i + k, &place[k], sizeof place[k]);
    }
    return true;
}

void sn_node_run_move(sn_node_run run, float h, int begin, int end)
{
    int i = begin;
    for (; i + 4 <= end; i += 4) {
        if (!move_four(&run, h, i)) {
            for (int k = i; k < i + 4; ++k) {
                move_one(&run, h, k);
            }
        }
    }
    for (; i < end; ++i) {
        move_one(&run, h, i);
    }
}
