// The kernels of contacts and elements for processors with AVX2.
// Tested by tests/solver/contact/test_contact_kernel.c.
#define SN_BUILD(name) name##_avx2
#include "solver/solver_kernels.h"
