// The wide kernels of contacts and elements whose lanes are independent of each other. Included by
// solver_kernels_base.c and solver_kernels_avx2.c, which define SN_BUILD (base/processor.h).
#define SN_IN_HALVES
#include "solver/contact/contact_kernel.h"
#include "solver/elements/air_kernel.h"
#include "solver/elements/bending_kernel.h"
#include "solver/elements/bound_kernel.h"
#include "solver/elements/edge_kernel.h"
#include "solver/elements/neo_hookean_kernel.h"
#include "solver/elements/tetrahedron_kernel.h"
