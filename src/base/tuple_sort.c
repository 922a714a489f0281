// Counting sorts are linear; rows are sorted by their last column, then stably by the one before, and so on.
// In place it is a heap sort: qsort may allocate.
#include "base/tuple_sort.h"
#include "base/allocate.h"
#include <string.h>

void sn_counting_sort(const int *keys, int stride, int key_count, const int *items, int count, int *sorted,
                      int *begin)
{
    memset(begin, 0, ((size_t)key_count + 1) * sizeof *begin);
    for (int i = 0; i < count; ++i) {
        int item = items != NULL ? items[i] : i;
        ++begin[keys[(size_t)item * (size_t)stride] + 1];
    }
    for (int k = 0; k < key_count; ++k) {
        begin[k + 1] += begin[k];
    }
    for (int i = 0; i < count; ++i) {
        int item = items != NULL ? items[i] : i;
        sorted[begin[keys[(size_t)item * (size_t)stride]]++] = item;
    }
    // Every beginning has moved on to that of the next key.
    memmove(begin + 1, begin, (size_t)key_count * sizeof *begin);
    begin[0] = 0;
}

// --- in place ------------------------------------------------------------------------------------

static void swap_items(unsigned char *a, unsigned char *b, size_t size)
{
    for (size_t i = 0; i < size; ++i) {
        unsigned char swap = a[i];
        a[i] = b[i];
        b[i] = swap;
    }
}

static void sift_down(unsigned char *heap, size_t count, size_t size, sn_compare_function *compare, size_t i)
{
    for (size_t child = 2 * i + 1; child < count; child = 2 * i + 1) {
        if (child + 1 < count && compare(heap + (child + 1) * size, heap + child * size) > 0) {
            ++child;
        }
        if (compare(heap + i * size, heap + child * size) >= 0) {
            return;
        }
        swap_items(heap + i * size, heap + child * size, size);
        i = child;
    }
}

void sn_sort_in_place(void *items, int count, size_t size, sn_compare_function *compare)
{
    size_t total = count > 0 ? (size_t)count : 0;
    for (size_t i = total / 2; i-- > 0;) {
        sift_down(items, total, size, compare, i);
    }
    for (size_t last = total; last-- > 1;) {
        swap_items(items, (unsigned char *)items + last * size, size);
        sift_down(items, last, size, compare, 0);
    }
}

// --- rows ----------------------------------------------------------------------------------------

bool sn_tuple_sort(const uint32_t *rows, int width, int count, int value_count, int *order)
{
    if (count == 0) {
        return true;
    }
    size_t begin_bytes = ((size_t)value_count + 1) * sizeof(int), spare_bytes = (size_t)count * sizeof(int);
    int *begin = sn_allocate(begin_bytes), *spare = sn_allocate(spare_bytes);
    bool enough = begin != NULL && spare != NULL;
    // The last sort must end in `order`.
    int *source = NULL, *target = width % 2 == 0 ? spare : order;
    for (int column = width - 1; enough && column >= 0; --column) {
        sn_counting_sort((const int *)rows + column, width, value_count, source, count, target, begin);
        source = target;
        target = source == order ? spare : order;
    }
    sn_release(begin, begin_bytes);
    sn_release(spare, spare_bytes);
    return enough;
}

bool sn_tuple_order(uint32_t *row, int width)
{
    bool odd = false;
    for (int i = 1; i < width; ++i) {
        for (int j = i; j > 0 && row[j] < row[j - 1]; --j) {
            uint32_t swap = row[j];
            row[j] = row[j - 1];
            row[j - 1] = swap;
            odd = !odd;
        }
    }
    return odd;
}
