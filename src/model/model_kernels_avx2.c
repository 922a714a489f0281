// The kernels of models for processors with AVX2.
#define SN_BUILD(name) name##_avx2
#include "model/model_kernels.h"
