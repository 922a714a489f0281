// Asking the processor.
// Tested by tests/determinism/hash_scenes.c.
#include "base/processor.h"

#include <stdlib.h>

bool sn_has_avx2(void)
{
#ifdef SN_HAS_AVX2_KERNELS
    return __builtin_cpu_supports("avx2") && getenv("SINEW_NO_AVX2") == NULL;
#else
    return false;
#endif
}
