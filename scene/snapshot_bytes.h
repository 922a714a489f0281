// The snapshot of a world in memory of its own, which is used again by the next one.
#ifndef SN_SCENE_SNAPSHOT_BYTES_H
#define SN_SCENE_SNAPSHOT_BYTES_H

#include "scene/message.h"
#include "sinew/sinew.h"

#include <stdlib.h>

typedef struct sn_snapshot_bytes {
    uint8_t *bytes; // to be freed with `free`
    size_t size, capacity;
} sn_snapshot_bytes;

static inline sn_status sn_snapshot_bytes_take(const sn_world *world, sn_snapshot_bytes *snapshot)
{
    sn_status status = sn_world_save(world, snapshot->bytes, snapshot->capacity, &snapshot->size);
    if (snapshot->bytes == NULL || status == SN_ERROR_BUFFER) {
        size_t capacity = snapshot->size + snapshot->size / 4;
        uint8_t *grown = realloc(snapshot->bytes, capacity);
        if (grown == NULL) {
            return sn_scene_fail(SN_ERROR_MEMORY, "no memory for a snapshot of %zu bytes", snapshot->size);
        }
        snapshot->bytes = grown;
        snapshot->capacity = capacity;
        status = sn_world_save(world, grown, capacity, &snapshot->size);
    }
    return status == SN_OK ? SN_OK : sn_scene_fail(status, "%s", sn_world_error(world));
}

#endif
