// Kernels that sum over lanes for processors with AVX2.
// Tested by tests/solver/contact/test_soft_contact_rows.c.
#define SN_BUILD(name) name##_avx2
#include "solver/summing_kernels.h"
