// The kernels of contacts of deformables for processors with AVX2.
#define SN_SOFT_KERNELS sn_soft_kernels_avx2
#include "solver/contact/soft_contact_kernel.h"
