// Snapshots spoilt on purpose, and what must hold when they are restored. Include after cmocka.h.
#ifndef TESTS_WORLD_SNAPSHOT_HOSTILE_H
#define TESTS_WORLD_SNAPSHOT_HOSTILE_H

#include "base/hash.h"
#include "world/core/world.h"
#include "world/snapshot/snapshot_world.h"

// --- heads -----------------------------------------------------------------------------------------

// Magic, version, size, checksum.
enum { VERSION_AT = 8, SIZE_AT = 12, CHECKSUM_AT = 20, HEAD_BYTES = 28 };

static inline void put(unsigned char *bytes, uint64_t value, int width)
{
    for (int i = 0; i < width; ++i) {
        bytes[i] = (unsigned char)(value >> (8 * i));
    }
}

// Makes the head tell the truth about what follows it, so that only the checks of the contents are left.
static inline void fix_head(unsigned char *bytes, size_t size)
{
    if (size < HEAD_BYTES) {
        return;
    }
    sn_hash hash = sn_hash_u64(sn_hash_begin(), size - HEAD_BYTES);
    for (size_t i = HEAD_BYTES; i < size; i += 8) {
        uint64_t word = 0;
        for (size_t k = 0; k < 8 && i + k < size; ++k) {
            word |= (uint64_t)bytes[i + k] << (8 * k);
        }
        hash = sn_hash_u64(hash, word);
    }
    put(bytes + SIZE_AT, size, 8);
    put(bytes + CHECKSUM_AT, hash, 8);
}

// --- restoring them ------------------------------------------------------------------------------

// One of everything, after a second and a half; the same half a second later is what is restored into.
typedef struct hostile {
    sn_world *world;
    snapshot_bytes sound;
    unsigned char *bytes; // to be spoilt
    uint64_t hash;        // of the world when nothing was accepted
    int accepted, refused;
} hostile;

static inline hostile begin_hostile(int stacks)
{
    hostile h = {.world = snapshot_empty_world(1, 0)};
    snapshot_fill(h.world, stacks);
    snapshot_run(h.world, 0, 90);
    h.world->def.sub_steps = 1; // for speed; set here, because the public function wakes everybody
    h.sound = snapshot_save(h.world);
    h.bytes = malloc(h.sound.size);
    memcpy(h.bytes, h.sound.data, h.sound.size);
    snapshot_run(h.world, 90, 30);
    h.hash = sn_world_hash(h.world);
    return h;
}

static inline void end_hostile(hostile *h)
{
    sn_world_destroy(h->world);
    free(h->sound.data);
    free(h->bytes);
}

// Restores the spoilt bytes. If they are refused, nothing has changed; if not, the world goes on.
static inline sn_status try_bytes(hostile *h, size_t size, int steps)
{
    // A copy of just that size, so that reading past its end is seen.
    unsigned char *exact = malloc(size > 0 ? size : 1);
    memcpy(exact, h->bytes, size);
    sn_status status = sn_world_restore(h->world, exact, size);
    free(exact);
    if (status != SN_OK) {
        assert_true(status == SN_ERROR_FORMAT || status == SN_ERROR_VERSION || status == SN_ERROR_NAME);
        assert_non_null(strstr(sn_world_error(h->world), "snapshot: "));
        ++h->refused;
    } else {
        for (int i = 0; i < steps; ++i) {
            assert_int_equal(sn_world_step(h->world, SNAPSHOT_STEP), SN_OK);
        }
        h->hash = sn_world_hash(h->world);
        ++h->accepted;
    }
    assert_int_equal(sn_world_hash(h->world), h->hash);
    return status;
}

// --- spoiling them -------------------------------------------------------------------------------

static inline uint32_t awkward_word(test_random *random)
{
    static const uint32_t words[] = {0,           1,           2,           3,           0xffffffffu,
                                     0xfffffffeu, 0x7fffffffu, 0x80000000u, 0x7fc00000u, 0x7f800000u,
                                     0xff800000u, 0x7f7fffffu, 0x00000001u, 0x3f800000u, 0x49742400u,
                                     0x01010101u, 64,          0x40000000u};
    uint32_t choice = test_random_u32(random) % (sizeof words / sizeof *words + 2);
    return choice < sizeof words / sizeof *words ? words[choice] : test_random_u32(random);
}

// One way or another: a bit, a byte, a word, several words, two words exchanged, a stretch from elsewhere.
static inline void spoil_at_random(unsigned char *bytes, size_t size, test_random *random)
{
    size_t at = HEAD_BYTES + test_random_u32(random) % (size - HEAD_BYTES - 16);
    size_t other = HEAD_BYTES + test_random_u32(random) % (size - HEAD_BYTES - 16);
    unsigned char kept[16];
    switch (test_random_u32(random) % 6) {
    case 0:
        bytes[at] ^= (unsigned char)(1u << test_random_u32(random) % 8);
        break;
    case 1:
        bytes[at] = (unsigned char)test_random_u32(random);
        break;
    case 2:
        put(bytes + at, awkward_word(random), 4);
        break;
    case 3:
        for (uint32_t i = 0, count = 2 + test_random_u32(random) % 6; i < count; ++i) {
            put(bytes + HEAD_BYTES + test_random_u32(random) % (size - HEAD_BYTES - 4), awkward_word(random),
                4);
        }
        break;
    case 4:
        memcpy(kept, bytes + at, 4);
        memmove(bytes + at, bytes + other, 4);
        memcpy(bytes + other, kept, 4);
        break;
    default:
        memmove(bytes + at, bytes + other, 1 + test_random_u32(random) % 16);
        break;
    }
}

// As they are they must be refused by the checksum; with the head put right, by the checks, or be harmless.
static inline void check_random_changes(int count)
{
    hostile h = begin_hostile(0);
    test_random random = {2024};
    for (int i = 0; i < count; ++i) {
        memcpy(h.bytes, h.sound.data, h.sound.size);
        spoil_at_random(h.bytes, h.sound.size, &random);
        bool changed = memcmp(h.bytes, h.sound.data, h.sound.size) != 0;
        if (changed) {
            assert_int_equal(sn_world_restore(h.world, h.bytes, h.sound.size), SN_ERROR_FORMAT);
        }
        fix_head(h.bytes, h.sound.size);
        try_bytes(&h, h.sound.size, 10);
    }
    // Both must happen a lot, or the test tests nothing.
    assert_true(h.accepted > count / 10 && h.refused > count / 10);
    end_hostile(&h);
}

#endif
