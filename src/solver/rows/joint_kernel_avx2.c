// The kernels of constraints for processors with AVX2; built with that instruction set, chosen at run time.
#define SN_JOINT_KERNELS sn_joint_kernels_avx2
#include "solver/rows/joint_kernel.h"
