// Making room in a bit set; its members are handled inline in bit_set.h.
#include "bit_set.h"
#include <string.h>

bool sn_bit_set_clear(sn_bit_set *set, int size)
{
    if (size < 0 || !sn_array_resize(&set->words, size / 64 + (size % 64 != 0))) {
        return false;
    }
    if (set->words.count > 0) {
        memset(set->words.data, 0, (size_t)set->words.count * sizeof(uint64_t));
    }
    return true;
}

void sn_bit_set_release(sn_bit_set *set)
{
    sn_array_release(&set->words);
}
