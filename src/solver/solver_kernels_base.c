// The kernels of contacts and elements for the instruction set the library is built for, and the choice
// between the two builds.
// Tested by tests/solver/contact/test_contact_kernel.c.
#define SN_BUILD(name) name##_base
#include "solver/solver_kernels.h"

SN_DEFINE_PICK(sn_contact_kernels, sn_contact_kernels)
SN_DEFINE_PICK(sn_air_kinds, sn_element_air)
SN_DEFINE_PICK(sn_bending_kinds, sn_element_bending)
SN_DEFINE_PICK(sn_element_kind, sn_element_bounds)
SN_DEFINE_PICK(sn_element_kind, sn_element_edges)
SN_DEFINE_PICK(sn_element_kind, sn_element_neo_hookean)
SN_DEFINE_PICK(sn_element_kind, sn_element_tetrahedra)
