// The kernels of terms for the instruction set the library is built for.
#define SN_TERM_KERNELS sn_term_kernels_base
#include "model/forces/term_kernel.h"

#include "base/processor.h"

const sn_term_kernels *sn_term_kernels_pick(void)
{
#ifdef SN_HAS_AVX2_KERNELS
    if (sn_has_avx2()) {
        return &sn_term_kernels_avx2;
    }
#endif
    return &sn_term_kernels_base;
}
