// What the processor at hand can do, asked at run time.
#ifndef SN_BASE_PROCESSOR_H
#define SN_BASE_PROCESSOR_H

#include <stdbool.h>

// Whether kernels compiled for AVX2 may run; the environment variable SINEW_NO_AVX2 says no.
bool sn_has_avx2(void);

#endif
