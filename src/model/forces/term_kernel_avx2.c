// The kernels of terms for processors with AVX2.
#define SN_TERM_KERNELS sn_term_kernels_avx2
#include "model/forces/term_kernel.h"
