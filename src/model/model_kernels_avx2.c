// The kernels of models for processors with AVX2.
// Tested by tests/model/forces/test_terms.c.
#define SN_BUILD(name) name##_avx2
#include "model/model_kernels.h"
