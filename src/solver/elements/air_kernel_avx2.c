// The kernels of the air's push for processors with AVX2.
#define SN_AIR_KINDS sn_element_air_avx2
#include "solver/elements/air_kernel.h"
