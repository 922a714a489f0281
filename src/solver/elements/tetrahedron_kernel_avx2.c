// The kernels of tetrahedra for processors with AVX2.
#define SN_TETRAHEDRON_KIND sn_element_tetrahedra_avx2
#include "solver/elements/tetrahedron_kernel.h"
