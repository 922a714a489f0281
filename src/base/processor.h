// What the processor at hand can do, asked at run time.
#ifndef SN_BASE_PROCESSOR_H
#define SN_BASE_PROCESSOR_H

#include <stdbool.h>

// Whether kernels compiled for AVX2 may run; the environment variable SINEW_NO_AVX2 says no.
bool sn_has_avx2(void);

// Wide kernels are compiled twice from the same source, with the same bits as a result: for the instruction
// set of the library (name_base) and for AVX2 (name_avx2). name_pick() is the build this processor runs. Each
// kernel header defines its table as SN_BUILD(name); one pair of files a room includes them all, in which
// SN_BUILD adds the suffix, and the base file of the pair defines the choice by SN_DEFINE_PICK.
#define SN_DECLARE_KERNELS(type, name)                                                                       \
    extern const type name##_base, name##_avx2;                                                              \
    const type *name##_pick(void)

#ifdef SN_HAS_AVX2_KERNELS
#define SN_DEFINE_PICK(type, name)                                                                           \
    const type *name##_pick(void)                                                                            \
    {                                                                                                        \
        return sn_has_avx2() ? &name##_avx2 : &name##_base;                                                  \
    }
#else
#define SN_DEFINE_PICK(type, name)                                                                           \
    const type *name##_pick(void)                                                                            \
    {                                                                                                        \
        return &name##_base;                                                                                 \
    }
#endif

#endif
