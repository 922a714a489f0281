// The kernels of enclosures for processors with AVX2.
#define SN_ENCLOSURE_KIND sn_element_enclosure_avx2
#include "solver/elements/enclosure_kernel.h"
