// Growing arrays of plain values: contiguous, never shrinking, zero-filled when they grow, so that no byte of
// saved or hashed state is ever uninitialised.
#ifndef SN_BASE_ARRAY_H
#define SN_BASE_ARRAY_H

#include "sinew/base.h"

// Declares an array of T: `SN_ARRAY(sn_vec3) points;` then points.data[i], points.count.
#define SN_ARRAY(T)                                                                                          \
    struct {                                                                                                 \
        T *data;                                                                                             \
        int count, capacity;                                                                                 \
    }

// Room for at least `capacity` elements; false (array unchanged) without memory or past INT_MAX/2 elements.
#define sn_array_reserve(array, capacity_wanted)                                                             \
    sn_array_reserve_bytes((void **)&(array)->data, &(array)->capacity, (capacity_wanted),                   \
                           sizeof(*(array)->data))

// Sets the count, growing if needed; new elements within fresh capacity are zero. False without memory.
#define sn_array_resize(array, count_wanted)                                                                 \
    (sn_array_reserve(array, count_wanted) ? ((array)->count = (count_wanted), true) : false)

// Appends a value; false without memory.
#define sn_array_push(array, value)                                                                          \
    (sn_array_reserve(array, (array)->count + 1) ? ((array)->data[(array)->count++] = (value), true) : false)

// Releases the memory; the array is empty and usable again.
#define sn_array_release(array)                                                                              \
    (sn_array_release_bytes((void **)&(array)->data, &(array)->capacity, sizeof(*(array)->data)),            \
     (array)->count = 0)

bool sn_array_reserve_bytes(void **data, int *capacity, int wanted, size_t element_size);
void sn_array_release_bytes(void **data, int *capacity, size_t element_size);

#endif
