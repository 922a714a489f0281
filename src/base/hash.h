// A 64-bit hash over values, the same on every platform: FNV-1a by 64-bit words with a final mix. Floats hash
// by their bits, with −0 as 0.
#ifndef SN_BASE_HASH_H
#define SN_BASE_HASH_H

#include "sinew/math.h"
#include <string.h>

typedef uint64_t sn_hash;

static inline sn_hash sn_hash_begin(void)
{
    return 0xcbf29ce484222325u;
}
static inline sn_hash sn_hash_u64(sn_hash hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 32);
}
static inline sn_hash sn_hash_float(sn_hash hash, float value)
{
    float canonical = value == 0.0f ? 0.0f : value;
    uint32_t bits;
    memcpy(&bits, &canonical, sizeof bits);
    return sn_hash_u64(hash, bits);
}
static inline sn_hash sn_hash_vec3(sn_hash hash, sn_vec3 v)
{
    return sn_hash_float(sn_hash_float(sn_hash_float(hash, v.x), v.y), v.z);
}
static inline sn_hash sn_hash_quat(sn_hash hash, sn_quat q)
{
    return sn_hash_float(sn_hash_vec3(hash, sn_v(q.x, q.y, q.z)), q.w);
}

#endif
