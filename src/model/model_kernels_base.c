// The kernels of models for the instruction set the library is built for, and the choice between the two
// builds.
// Tested by tests/model/forces/test_terms.c.
#define SN_BUILD(name) name##_base
#include "model/model_kernels.h"

SN_DEFINE_PICK(sn_term_kernels, sn_term_kernels)
SN_DEFINE_PICK(sn_corotational_kernels, sn_corotational_kernels)
SN_DEFINE_PICK(sn_projections, sn_projections)
