// The kernels of constraints for the instruction set the library is built for.
#define SN_JOINT_KERNELS sn_joint_kernels_base
#include "solver/rows/joint_kernel.h"

#include "base/processor.h"

const sn_joint_kernels *sn_joint_kernels_pick(void)
{
#ifdef SN_HAS_AVX2_KERNELS
    if (sn_has_avx2()) {
        return &sn_joint_kernels_avx2;
    }
#endif
    return &sn_joint_kernels_base;
}
