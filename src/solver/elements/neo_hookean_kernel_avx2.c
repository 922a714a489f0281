// The kernels of neo-Hookean tetrahedra for processors with AVX2.
#define SN_NEO_HOOKEAN_KIND sn_element_neo_hookean_avx2
#include "solver/elements/neo_hookean_kernel.h"
