// Restores what the fuzzer makes up. Whatever the bytes, nothing may crash, leak or hang. The first byte
// chooses: even, the rest is a snapshot; odd, the rest is a list of changes to a sound one (four bytes where,
// four bytes what); with its second bit two steps are taken, which is slow. The head is put right in both
// cases, because no fuzzer guesses a checksum.
//
// Built and run by tools/fuzz.sh.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "world/snapshot/snapshot_hostile.h"

static uint32_t word_at(const uint8_t *data)
{
    return (uint32_t)data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
}

static void apply_changes(snapshot_bytes bytes, const uint8_t *changes, size_t size)
{
    for (size_t i = 0; i + 8 <= size; i += 8) {
        size_t at = HEAD_BYTES + word_at(changes + i) % (bytes.size - HEAD_BYTES - 4);
        put(bytes.data + at, word_at(changes + i + 4), 4);
    }
}

static const snapshot_bytes *sound_bytes(void)
{
    static snapshot_bytes sound;
    if (sound.data == NULL) {
        hostile h = begin_hostile(0);
        sound = h.sound;
        h.sound.data = NULL;
        end_hostile(&h);
    }
    return &sound;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    bool changes = data[0] & 1;
    const snapshot_bytes *sound = sound_bytes();
    snapshot_bytes bytes = {NULL, changes ? sound->size : size - 1};
    bytes.data = malloc(bytes.size + 1);
    if (changes) {
        memcpy(bytes.data, sound->data, sound->size);
        apply_changes(bytes, data + 1, size - 1);
    } else {
        memcpy(bytes.data, data + 1, size - 1);
        memcpy(bytes.data, sound->data, bytes.size < SIZE_AT ? bytes.size : SIZE_AT);
    }
    fix_head(bytes.data, bytes.size);
    sn_world *world = snapshot_empty_world(1, 0);
    if (sn_world_restore(world, bytes.data, bytes.size) == SN_OK && (data[0] & 2) != 0) {
        (void)sn_world_step(world, SNAPSHOT_STEP);
        (void)sn_world_step(world, SNAPSHOT_STEP);
    }
    sn_world_destroy(world);
    free(bytes.data);
    return 0;
}
