// The kernels of bending rows for processors with AVX2.
#define SN_BENDING_KINDS sn_element_bending_avx2
#include "solver/elements/bending_kernel.h"
