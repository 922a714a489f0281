// Worlds of deformables spoilt field by field before they are saved. Include after cmocka.h.
#ifndef TESTS_WORLD_SNAPSHOT_SPOILT_H
#define TESTS_WORLD_SNAPSHOT_SPOILT_H

#include "support/world_kit.h"
#include "world/snapshot/snapshot_world.h"

// What makes a world unfit to be saved, and what the message of restoring it says.
typedef struct spoiling {
    const char *message;
    void (*spoil)(sn_world *world);
} spoiling;

// Each of them, done to a copy of a sound world, is refused, and leaves the world it was to be restored into
// as it was.
static inline void assert_spoilings_are_seen(const sn_world *sound, const spoiling *spoilings, size_t count)
{
    sn_world *fresh = kit_world();
    snapshot_bytes start = snapshot_save(sound);
    uint64_t hash = sn_world_hash(fresh);
    for (size_t i = 0; i < count; ++i) {
        sn_world *victim = kit_world();
        assert_ok(sn_world_restore(victim, start.data, start.size));
        spoilings[i].spoil(victim);
        snapshot_bytes bytes = snapshot_save(victim);
        sn_status status = sn_world_restore(fresh, bytes.data, bytes.size);
        if (status != SN_ERROR_FORMAT || strstr(sn_world_error(fresh), spoilings[i].message) == NULL) {
            fail_msg("%d: '%s' does not say '%s'", status, sn_world_error(fresh), spoilings[i].message);
        }
        assert_int_equal(sn_world_hash(fresh), hash);
        sn_world_destroy(victim);
        free(bytes.data);
    }
    sn_world_destroy(fresh);
    free(start.data);
}

#endif
