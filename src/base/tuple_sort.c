// Rows sorted by their last column, then stably by the one before, and so on: a counting sort for each
// column, so the time is linear whatever the rows.
#include "base/tuple_sort.h"
#include "base/allocate.h"
#include <string.h>

typedef struct column_sort {
    const uint32_t *rows;
    int width, count, value_count;
    int *first; // by value, one more than there are: where its rows go
} column_sort;

static void sort_by_column(const column_sort *s, int column, const int *source, int *sorted)
{
    const uint32_t *values = s->rows + column;
    memset(s->first, 0, ((size_t)s->value_count + 1) * sizeof(int));
    for (int i = 0; i < s->count; ++i) {
        s->first[values[(size_t)i * (size_t)s->width] + 1]++;
    }
    for (int v = 0; v < s->value_count; ++v) {
        s->first[v + 1] += s->first[v];
    }
    for (int i = 0; i < s->count; ++i) {
        int row = source[i];
        sorted[s->first[values[(size_t)row * (size_t)s->width]]++] = row;
    }
}

bool sn_tuple_sort(const uint32_t *rows, int width, int count, int value_count, int *order)
{
    if (count == 0) {
        return true;
    }
    size_t first_bytes = ((size_t)value_count + 1) * sizeof(int), spare_bytes = (size_t)count * sizeof(int);
    column_sort s = {rows, width, count, value_count, sn_allocate(first_bytes)};
    int *spare = sn_allocate(spare_bytes);
    bool enough = s.first && spare;
    if (enough) {
        // The last sort must end in `order`.
        int *source = width % 2 == 0 ? order : spare, *target = width % 2 == 0 ? spare : order;
        for (int i = 0; i < count; ++i) {
            source[i] = i;
        }
        for (int column = width - 1; column >= 0; --column) {
            sort_by_column(&s, column, source, target);
            int *swap = source;
            source = target;
            target = swap;
        }
    }
    sn_release(s.first, first_bytes);
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
