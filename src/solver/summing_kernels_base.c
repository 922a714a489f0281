// Kernels that sum over lanes for the instruction set the library is built for, and the choice between the
// two builds. Tested by tests/solver/contact/test_soft_contact_rows.c.
#define SN_BUILD(name) name##_base
#include "solver/summing_kernels.h"

SN_DEFINE_PICK(sn_soft_kernels, sn_soft_kernels)
SN_DEFINE_PICK(sn_element_kind, sn_element_enclosure)
