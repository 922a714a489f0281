#include "base/coloring.h"

#include <string.h>

void sn_sort_items(const int *bucket, const int *from, int count, int bucket_count, int *order, int *begin)
{
    memset(begin, 0, (size_t)(bucket_count + 1) * sizeof *begin);
    for (int i = 0; i < count; ++i) {
        ++begin[bucket[i] + 1];
    }
    for (int b = 0; b < bucket_count; ++b) {
        begin[b + 1] += begin[b];
    }
    for (int i = 0; i < count; ++i) {
        int item = from != NULL ? from[i] : i;
        order[begin[bucket[item]]++] = item;
    }
    // Every beginning has moved on to that of the next bucket.
    memmove(begin + 1, begin, (size_t)bucket_count * sizeof *begin);
    begin[0] = 0;
}
