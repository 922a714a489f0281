// The one door to the heap. Everything the library holds comes through here, so that it can be counted,
// hooked and made to fail in tests. Memory is aligned to 64 bytes. Knows nothing of what the memory is for.
#ifndef SN_BASE_ALLOCATE_H
#define SN_BASE_ALLOCATE_H

#include "sinew/base.h"

// Null on failure or when size is 0.
void *sn_allocate(size_t size);
// Zero-filled; null on failure, on overflow of count × size, or when either is 0.
void *sn_allocate_zero(size_t count, size_t size);
// `size` must be what was asked for. Null is fine.
void sn_release(void *memory, size_t size);

#endif
