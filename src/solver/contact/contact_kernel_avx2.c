// The contact kernels for processors with AVX2; built with that instruction set, chosen at run time.
#define SN_CONTACT_KERNELS sn_contact_kernels_avx2
#include "solver/contact/contact_kernel.h"
