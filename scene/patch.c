// A patch is the size of the result, then pairs of what is put in and what is taken over: the number of new
// bytes, those bytes, the number of bytes taken over, and how far their place in the old string lies from the
// end of what was taken over before. Numbers have seven bits a byte, the low ones first. Pieces of the old
// string are found again, wherever they have moved, by a table of its blocks (Tridgell 1999, rsync).
#include "scene/patch.h"

#include <string.h>

// Shortest piece that is worth being taken over, and the length of the blocks of the table.
enum { BLOCK = 16 };

// Largest result: that of the largest state that can be read.
#define MOST_BYTES ((uint64_t)1 << 30)

// --- numbers -----------------------------------------------------------------------------------------------

static bool put_number(sn_byte_list *out, uint64_t value)
{
    bool good = true;
    for (; value >= 0x80 && good; value >>= 7) {
        good = SN_LIST_PUSH(out, (uint8_t)(value | 0x80));
    }
    return good && SN_LIST_PUSH(out, (uint8_t)value);
}

typedef struct patch_reader {
    const uint8_t *at, *end;
} patch_reader;

static bool take_number(patch_reader *reader, uint64_t *value)
{
    *value = 0;
    for (int shift = 0; shift < 63 && reader->at < reader->end; shift += 7) {
        uint8_t byte = *reader->at++;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            return true;
        }
    }
    return false;
}

// Small numbers of either sign as small numbers: 0, −1, 1, −2, …
static uint64_t fold(int64_t value)
{
    return value < 0 ? (uint64_t)(-(value + 1)) * 2 + 1 : (uint64_t)value * 2;
}

static int64_t unfold(uint64_t value)
{
    return (value & 1) != 0 ? -(int64_t)(value / 2) - 1 : (int64_t)(value / 2);
}

// --- making ------------------------------------------------------------------------------------------------

// Where blocks of the old string are: number of the block + 1 by hash, 0 for none.
typedef struct block_table {
    uint32_t *slots;
    size_t mask;
} block_table;

static size_t hash_block(const uint8_t *block)
{
    uint64_t words[2];
    memcpy(words, block, sizeof words);
    uint64_t hash = words[0] * 0x9e3779b97f4a7c15u ^ (words[1] + (words[0] >> 29)) * 0xc2b2ae3d27d4eb4fu;
    return (size_t)(hash ^ hash >> 31);
}

static bool block_table_make(block_table *table, const uint8_t *from, size_t size)
{
    size_t count = size / BLOCK, capacity = 64;
    while (capacity < 2 * count) {
        capacity *= 2;
    }
    table->slots = calloc(capacity, sizeof *table->slots);
    table->mask = capacity - 1;
    for (size_t i = 0; table->slots != NULL && i < count; ++i) {
        uint32_t *slot = &table->slots[hash_block(from + i * BLOCK) & table->mask];
        *slot = *slot == 0 ? (uint32_t)i + 1 : *slot;
    }
    return table->slots != NULL;
}

typedef struct patch_maker {
    const uint8_t *from, *to;
    size_t from_size, to_size;
    block_table table; // empty where sizes are equal: what is not moved needs none
    size_t written;    // bytes of `to` that the patch makes so far
    size_t source;     // the end in `from` of what was taken over last
    sn_byte_list *patch;
} patch_maker;

static size_t common_length(const patch_maker *maker, size_t source, size_t at)
{
    size_t most = maker->to_size - at, left = source < maker->from_size ? maker->from_size - source : 0;
    most = most < left ? most : left;
    size_t length = 0;
    while (length + 8 <= most && memcmp(maker->from + source + length, maker->to + at + length, 8) == 0) {
        length += 8;
    }
    while (length < most && maker->from[source + length] == maker->to[at + length]) {
        ++length;
    }
    return length;
}

// A long enough piece of the old string that stands at `at`: first where it would be if nothing had moved
// since the last one, then anywhere.
static size_t find_piece(const patch_maker *maker, size_t at, size_t *source)
{
    *source = maker->source + (at - maker->written);
    size_t length = common_length(maker, *source, at);
    if (length >= BLOCK || length == maker->to_size - at || maker->table.slots == NULL ||
        maker->to_size - at < BLOCK) {
        return length;
    }
    uint32_t slot = maker->table.slots[hash_block(maker->to + at) & maker->table.mask];
    if (slot == 0) {
        return 0;
    }
    *source = (size_t)(slot - 1) * BLOCK;
    return common_length(maker, *source, at);
}

static bool put_pair(patch_maker *maker, size_t at, size_t source, size_t length)
{
    size_t inserted = at - maker->written;
    sn_byte_list *patch = maker->patch;
    bool good = put_number(patch, inserted) && inserted <= (size_t)(INT32_MAX - patch->count) &&
                SN_LIST_RESERVE(patch, patch->count + (int)inserted);
    if (!good) {
        return false;
    }
    memcpy(patch->items + patch->count, maker->to + maker->written, inserted);
    patch->count += (int)inserted;
    good = put_number(patch, length) && put_number(patch, fold((int64_t)source - (int64_t)maker->source));
    maker->written = at + length;
    maker->source = source + length;
    return good;
}

bool sn_patch_make(const uint8_t *from, size_t from_size, const uint8_t *to, size_t to_size,
                   sn_byte_list *patch)
{
    patch_maker maker = {.from = from, .to = to, .from_size = from_size, .to_size = to_size, .patch = patch};
    bool good = put_number(patch, to_size);
    if (good && from_size != to_size) {
        good = block_table_make(&maker.table, from, from_size);
    }
    for (size_t at = 0; at < to_size && good;) {
        size_t source = 0, length = find_piece(&maker, at, &source);
        if (length < BLOCK && length < to_size - at) {
            ++at;
            continue;
        }
        good = put_pair(&maker, at, source, length);
        at = maker.written;
    }
    if (good && maker.written < to_size) {
        good = put_pair(&maker, to_size, maker.source, 0);
    }
    free(maker.table.slots);
    return good;
}

// --- applying ----------------------------------------------------------------------------------------------

// Makes the whole result, of which there is room for `size` bytes.
static bool follow(patch_reader *reader, const uint8_t *from, size_t from_size, uint8_t *out, size_t size)
{
    size_t made = 0;
    int64_t source = 0;
    while (made < size) {
        uint64_t inserted, taken, shift;
        if (!take_number(reader, &inserted) || inserted > (size_t)(reader->end - reader->at) ||
            inserted > size - made) {
            return false;
        }
        memcpy(out + made, reader->at, (size_t)inserted);
        reader->at += inserted;
        made += (size_t)inserted;
        if (!take_number(reader, &taken) || !take_number(reader, &shift) || taken > size - made ||
            inserted + taken == 0 || shift > 4 * MOST_BYTES) {
            return false;
        }
        source += unfold(shift);
        if (source < 0 || (uint64_t)source > from_size || taken > from_size - (uint64_t)source) {
            return false;
        }
        memcpy(out + made, from + source, (size_t)taken);
        made += (size_t)taken;
        source += (int64_t)taken;
    }
    return reader->at == reader->end;
}

uint8_t *sn_patch_apply(const uint8_t *patch, size_t patch_size, const uint8_t *from, size_t from_size,
                        size_t *size)
{
    patch_reader reader = {patch, patch + patch_size};
    uint64_t made = 0;
    if (from_size > MOST_BYTES || !take_number(&reader, &made) || made > MOST_BYTES) {
        return NULL;
    }
    uint8_t *out = malloc((size_t)made + 1);
    if (out != NULL && !follow(&reader, from, from_size, out, (size_t)made)) {
        free(out);
        return NULL;
    }
    *size = (size_t)made;
    return out;
}
