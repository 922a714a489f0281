// The wide kernels of contacts and elements that sum over the lanes of a block. Included by
// summing_kernels_base.c and summing_kernels_avx2.c, which define SN_BUILD (base/processor.h).
#include "solver/contact/soft_contact_kernel.h"
#include "solver/elements/enclosure_kernel.h"
