// Eight floats at once, by compiler vector extensions: one source for SSE2, AVX2, NEON and WebAssembly. Lanes
// are independent and every operation is exactly rounded, so any lowering gives the bits of scalar code.
//
// Blocks in memory have eight lanes. Registers of SSE2, NEON and WebAssembly hold four: there, files that
// define SN_IN_HALVES go over a block in two parts, and an sn_f8 is one of them. Eight at once would be twice
// the code, and more than registers hold. A part is seen through a pointer that is half a row of lanes ahead
// (sn_part_of), so that kernels are written as if there were no parts; those that sum over lanes, or decide
// something for all of them, look at all parts themselves.
#ifndef SN_BASE_SIMD_H
#define SN_BASE_SIMD_H

#include "sinew/math.h"
#include <string.h>

#define SN_LANES 8
#if defined SN_IN_HALVES && !defined __AVX__
#define SN_WIDTH 4
#else
#define SN_WIDTH 8
#endif
#define SN_PARTS (SN_LANES / SN_WIDTH)

typedef float sn_f4 __attribute__((vector_size(16)));
typedef float sn_f8 __attribute__((vector_size(4 * SN_WIDTH)));
typedef int32_t sn_i4 __attribute__((vector_size(16)));
typedef int32_t sn_i8 __attribute__((vector_size(4 * SN_WIDTH)));

typedef struct sn_vec3x8 {
    sn_f8 x, y, z;
} sn_vec3x8;

// GCC and clang warn that passing 32-byte vectors changes the ABI without AVX; everything here is inlined, so
// no such call exists.
#pragma GCC diagnostic ignored "-Wpsabi"
#define SN_INLINE static inline __attribute__((always_inline))
// Long functions that several kernels of a build share.
#define SN_SHARED static __attribute__((noinline))

// Part k of all parts of an array of blocks of a size, or of one block.
SN_INLINE void *sn_part_of(const void *blocks, size_t size, int k)
{
    return (char *)blocks + (size_t)k / SN_PARTS * size + sizeof(sn_f8) * ((size_t)k % SN_PARTS);
}

// An array as the second part of its blocks sees it; there may be none.
SN_INLINE void *sn_second_part(const void *array)
{
    return array == NULL ? NULL : sn_part_of(array, 0, 1);
}

#if SN_WIDTH == 8
// Halves of eight, by the instructions that load or store one half, which compilers do not find for shuffles.
// Where registers hold four floats, compilers split shuffles of eight into single floats, so there the halves
// are copied one after the other.
typedef struct sn_f4_pair {
    sn_f4 low, high;
} sn_f4_pair;

SN_INLINE sn_f8 sn_f8_join(sn_f4 low, sn_f4 high)
{
#ifdef __AVX__
    sn_f8 wide = __builtin_shufflevector(low, low, 0, 1, 2, 3, -1, -1, -1, -1);
    return __builtin_ia32_vinsertf128_ps256(wide, high, 1);
#else
    sn_f4_pair pair = {low, high};
    sn_f8 r;
    memcpy(&r, &pair, sizeof r);
    return r;
#endif
}
SN_INLINE sn_f4 sn_f8_low(sn_f8 a)
{
#ifdef __AVX__
    return __builtin_shufflevector(a, a, 0, 1, 2, 3);
#else
    sn_f4_pair pair;
    memcpy(&pair, &a, sizeof pair);
    return pair.low;
#endif
}
SN_INLINE sn_f4 sn_f8_high(sn_f8 a)
{
#ifdef __AVX__
    return __builtin_ia32_vextractf128_ps256(a, 1);
#else
    sn_f4_pair pair;
    memcpy(&pair, &a, sizeof pair);
    return pair.high;
#endif
}
#endif

SN_INLINE sn_f8 sn_f8_set(float a)
{
#if SN_WIDTH == 4
    return (sn_f8){a, a, a, a};
#else
    return (sn_f8){a, a, a, a, a, a, a, a};
#endif
}
// Eight floats in memory.
typedef struct sn_lanes {
    float lane[SN_LANES];
} sn_lanes;

SN_INLINE sn_f8 sn_load(const sn_lanes *p)
{
    sn_f8 r;
    memcpy(&r, p->lane, sizeof r);
    return r;
}
SN_INLINE void sn_store(sn_lanes *p, sn_f8 a)
{
    memcpy(p->lane, &a, sizeof a);
}
SN_INLINE sn_vec3x8 sn_load3(const sn_lanes *p)
{
    return (sn_vec3x8){sn_load(&p[0]), sn_load(&p[1]), sn_load(&p[2])};
}
SN_INLINE void sn_store3(sn_lanes *p, sn_vec3x8 a)
{
    sn_store(&p[0], a.x);
    sn_store(&p[1], a.y);
    sn_store(&p[2], a.z);
}
// Lane by lane: mask (all ones or all zeros) picks a, else b.
SN_INLINE sn_f8 sn_f8_select(sn_i8 mask, sn_f8 a, sn_f8 b)
{
    return (sn_f8)((mask & (sn_i8)a) | (~mask & (sn_i8)b));
}
// 1/a in the lanes of `mask`, or where it is positive; 0 in others.
SN_INLINE sn_f8 sn_f8_inverse_where(sn_i8 mask, sn_f8 a)
{
    sn_f8 one = sn_f8_set(1.0f);
    return sn_f8_select(mask, one / sn_f8_select(mask, a, one), sn_f8_set(0.0f));
}
SN_INLINE sn_f8 sn_f8_inverse_positive(sn_f8 a)
{
    return sn_f8_inverse_where(a > sn_f8_set(0.0f), a);
}
// Four at once. a < b ? a : b, hence b where one is not a number: what the instructions do, which compilers
// do not find.
SN_INLINE sn_f4 sn_f4_set(float a)
{
    return (sn_f4){a, a, a, a};
}
SN_INLINE sn_f4 sn_f4_select(sn_i4 mask, sn_f4 a, sn_f4 b)
{
    return (sn_f4)((mask & (sn_i4)a) | (~mask & (sn_i4)b));
}
SN_INLINE sn_f4 sn_f4_min(sn_f4 a, sn_f4 b)
{
#if defined __SSE__
    return __builtin_ia32_minps(a, b);
#elif defined __wasm_simd128__
    return __builtin_wasm_pmin_f32x4(b, a);
#else
    return sn_f4_select(a < b, a, b);
#endif
}
SN_INLINE sn_f4 sn_f4_max(sn_f4 a, sn_f4 b)
{
#if defined __SSE__
    return __builtin_ia32_maxps(a, b);
#elif defined __wasm_simd128__
    return __builtin_wasm_pmax_f32x4(b, a);
#else
    return sn_f4_select(a > b, a, b);
#endif
}
SN_INLINE bool sn_i4_any(sn_i4 mask)
{
#if defined __SSE__
    return __builtin_ia32_movmskps((sn_f4)mask) != 0;
#elif defined __wasm_simd128__
    typedef signed char bytes __attribute__((vector_size(16)));
    return __builtin_wasm_any_true_v128((bytes)mask) != 0;
#else
    uint64_t words[2];
    memcpy(words, &mask, sizeof words);
    return (words[0] | words[1]) != 0;
#endif
}
// The same of eight.
SN_INLINE sn_f8 sn_f8_min(sn_f8 a, sn_f8 b)
{
#if SN_WIDTH == 4
    return sn_f4_min(a, b);
#elif defined __AVX__
    return __builtin_ia32_minps256(a, b);
#else
    return sn_f8_join(sn_f4_min(sn_f8_low(a), sn_f8_low(b)), sn_f4_min(sn_f8_high(a), sn_f8_high(b)));
#endif
}
SN_INLINE sn_f8 sn_f8_max(sn_f8 a, sn_f8 b)
{
#if SN_WIDTH == 4
    return sn_f4_max(a, b);
#elif defined __AVX__
    return __builtin_ia32_maxps256(a, b);
#else
    return sn_f8_join(sn_f4_max(sn_f8_low(a), sn_f8_low(b)), sn_f4_max(sn_f8_high(a), sn_f8_high(b)));
#endif
}
SN_INLINE sn_f8 sn_f8_sqrt(sn_f8 a)
{
#if defined __wasm_simd128__ && SN_WIDTH == 4
    return __builtin_wasm_sqrt_f32x4(a);
#elif defined __wasm_simd128__
    return sn_f8_join(__builtin_wasm_sqrt_f32x4(sn_f8_low(a)), __builtin_wasm_sqrt_f32x4(sn_f8_high(a)));
#else
    sn_f8 r;
    for (int i = 0; i < SN_WIDTH; ++i) {
        r[i] = sqrtf(a[i]);
    }
    return r;
#endif
}
SN_INLINE bool sn_i8_any(sn_i8 mask)
{
#if SN_WIDTH == 4
    return sn_i4_any(mask);
#elif defined __AVX__
    typedef long long words __attribute__((vector_size(32)));
    return __builtin_ia32_ptestz256((words)mask, (words)mask) == 0;
#else
    return sn_i4_any((sn_i4)sn_f8_low((sn_f8)mask) | (sn_i4)sn_f8_high((sn_f8)mask));
#endif
}

SN_INLINE sn_vec3x8 sn_vec3x8_add(sn_vec3x8 a, sn_vec3x8 b)
{
    return (sn_vec3x8){a.x + b.x, a.y + b.y, a.z + b.z};
}
SN_INLINE sn_vec3x8 sn_vec3x8_sub(sn_vec3x8 a, sn_vec3x8 b)
{
    return (sn_vec3x8){a.x - b.x, a.y - b.y, a.z - b.z};
}
SN_INLINE sn_vec3x8 sn_vec3x8_mul(sn_vec3x8 a, sn_vec3x8 b)
{
    return (sn_vec3x8){a.x * b.x, a.y * b.y, a.z * b.z};
}
SN_INLINE sn_vec3x8 sn_vec3x8_scale(sn_vec3x8 a, sn_f8 s)
{
    return (sn_vec3x8){a.x * s, a.y * s, a.z * s};
}
SN_INLINE sn_f8 sn_vec3x8_dot(sn_vec3x8 a, sn_vec3x8 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
SN_INLINE sn_vec3x8 sn_vec3x8_cross(sn_vec3x8 a, sn_vec3x8 b)
{
    return (sn_vec3x8){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// Upper floats of two fours in turn. Where only half of a result is used clang would write other bytes for
// the rest, which browsers no longer take for one instruction; so WebAssembly is told every byte.
SN_INLINE sn_f4 sn_f4_upper_in_turn(sn_f4 a, sn_f4 b)
{
#ifdef __wasm_simd128__
    typedef signed char bytes __attribute__((vector_size(16)));
    return (sn_f4)__builtin_wasm_shuffle_i8x16((bytes)a, (bytes)b, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14,
                                               15, 28, 29, 30, 31);
#else
    return __builtin_shufflevector(a, b, 2, 6, 3, 7);
#endif
}
// Four rows of four floats to columns.
SN_INLINE void sn_f4_transpose(sn_f4 *a, sn_f4 *b, sn_f4 *c, sn_f4 *d)
{
    sn_f4 ab_low = __builtin_shufflevector(*a, *b, 0, 4, 1, 5), ab_high = sn_f4_upper_in_turn(*a, *b);
    sn_f4 cd_low = __builtin_shufflevector(*c, *d, 0, 4, 1, 5), cd_high = sn_f4_upper_in_turn(*c, *d);
    *a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
    *b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
    *c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
    *d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}
// The same for the lower and for the upper four of eight.
SN_INLINE void sn_f8_transpose(sn_f8 *a, sn_f8 *b, sn_f8 *c, sn_f8 *d)
{
#if SN_WIDTH == 4
    sn_f4_transpose(a, b, c, d);
#elif defined __AVX__
    sn_f8 ab_low = __builtin_shufflevector(*a, *b, 0, 8, 1, 9, 4, 12, 5, 13);
    sn_f8 ab_high = __builtin_shufflevector(*a, *b, 2, 10, 3, 11, 6, 14, 7, 15);
    sn_f8 cd_low = __builtin_shufflevector(*c, *d, 0, 8, 1, 9, 4, 12, 5, 13);
    sn_f8 cd_high = __builtin_shufflevector(*c, *d, 2, 10, 3, 11, 6, 14, 7, 15);
    *a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 8, 9, 4, 5, 12, 13);
    *b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 10, 11, 6, 7, 14, 15);
    *c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 8, 9, 4, 5, 12, 13);
    *d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 10, 11, 6, 7, 14, 15);
#else
    sn_f4 low[4] = {sn_f8_low(*a), sn_f8_low(*b), sn_f8_low(*c), sn_f8_low(*d)};
    sn_f4 high[4] = {sn_f8_high(*a), sn_f8_high(*b), sn_f8_high(*c), sn_f8_high(*d)};
    sn_f4_transpose(&low[0], &low[1], &low[2], &low[3]);
    sn_f4_transpose(&high[0], &high[1], &high[2], &high[3]);
    *a = sn_f8_join(low[0], high[0]);
    *b = sn_f8_join(low[1], high[1]);
    *c = sn_f8_join(low[2], high[2]);
    *d = sn_f8_join(low[3], high[3]);
#endif
}

// One record of four floats a lane, to columns and back.
SN_INLINE void sn_columns_of(const sn_f4 record[SN_WIDTH], sn_f8 column[4])
{
    for (int i = 0; i < 4; ++i) {
#if SN_WIDTH == 4
        column[i] = record[i];
#else
        column[i] = sn_f8_join(record[i], record[i + 4]);
#endif
    }
    sn_f8_transpose(&column[0], &column[1], &column[2], &column[3]);
}
SN_INLINE void sn_records_of(sn_vec3x8 v, sn_f8 fourth, sn_f4 record[SN_WIDTH])
{
    sn_f8 column[4] = {v.x, v.y, v.z, fourth};
    sn_f8_transpose(&column[0], &column[1], &column[2], &column[3]);
    for (int i = 0; i < 4; ++i) {
#if SN_WIDTH == 4
        record[i] = column[i];
#else
        record[i] = sn_f8_low(column[i]);
        record[i + 4] = sn_f8_high(column[i]);
#endif
    }
}

// Records of eight floats, by index: first and second halves, fourth entries dropped.
SN_INLINE void sn_gather_records(const float *records, const int32_t *index, sn_vec3x8 *first,
                                 sn_vec3x8 *second)
{
    sn_f4 low[SN_WIDTH], high[SN_WIDTH];
    sn_f8 column[4];
    for (int i = 0; i < SN_WIDTH; ++i) {
        memcpy(&low[i], records + 8 * (size_t)index[i], sizeof low[i]);
        memcpy(&high[i], records + 8 * (size_t)index[i] + 4, sizeof high[i]);
    }
    sn_columns_of(low, column);
    *first = (sn_vec3x8){column[0], column[1], column[2]};
    sn_columns_of(high, column);
    *second = (sn_vec3x8){column[0], column[1], column[2]};
}

// Two vectors a lane, as records of eight floats with fourth entries 0.
typedef float sn_record __attribute__((vector_size(32)));
SN_INLINE void sn_wide_records_of(sn_vec3x8 first, sn_vec3x8 second, sn_record record[SN_WIDTH])
{
    sn_f4 low[SN_WIDTH], high[SN_WIDTH];
    sn_records_of(first, sn_f8_set(0.0f), low);
    sn_records_of(second, sn_f8_set(0.0f), high);
    for (int i = 0; i < SN_WIDTH; ++i) {
#if SN_WIDTH == 8
        record[i] = sn_f8_join(low[i], high[i]);
#else
        memcpy(&record[i], &low[i], sizeof low[i]);
        memcpy((float *)&record[i] + 4, &high[i], sizeof high[i]);
#endif
    }
}

// Whether the second part of a block has no lane in use, by numbers that are negative where there is none.
SN_INLINE bool sn_is_half_empty(const int32_t number[SN_LANES])
{
    return (number[4] & number[5] & number[6] & number[7]) < 0;
}

// Scalars of a block, 16 bytes at most, once more behind themselves: where its second part sees them.
SN_INLINE void sn_repeat_scalars(sn_lanes *scalars)
{
    memcpy(&scalars->lane[SN_LANES / 2], &scalars->lane[0], sizeof(sn_f4));
}

// A vector into and out of one of eight lanes.
static inline void sn_lanes_put3(sn_lanes *lanes, int lane, sn_vec3 v)
{
    lanes[0].lane[lane] = v.x;
    lanes[1].lane[lane] = v.y;
    lanes[2].lane[lane] = v.z;
}
static inline sn_vec3 sn_lanes_take3(const sn_lanes *lanes, int lane)
{
    return sn_v(lanes[0].lane[lane], lanes[1].lane[lane], lanes[2].lane[lane]);
}

#endif
