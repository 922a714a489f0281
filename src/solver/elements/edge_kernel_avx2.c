// The kernels of edges for processors with AVX2.
#define SN_EDGE_KIND sn_element_edges_avx2
#include "solver/elements/edge_kernel.h"
