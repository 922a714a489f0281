// The contact kernels for the instruction set the library is built for.
#define SN_CONTACT_KERNELS sn_contact_kernels_base
#include "solver/contact/contact_kernel.h"

#include "base/processor.h"

const sn_contact_kernels *sn_contact_kernels_pick(void)
{
#ifdef SN_HAS_AVX2_KERNELS
    if (sn_has_avx2()) {
        return &sn_contact_kernels_avx2;
    }
#endif
    return &sn_contact_kernels_base;
}
