// All wide kernels of models. Included by model_kernels_base.c and model_kernels_avx2.c, which define
// SN_BUILD (base/processor.h).
#define SN_IN_HALVES
#include "model/forces/term_kernel.h"
#include "model/forces/tetrahedra_kernel.h"
#include "model/goals/projection_kernel.h"
