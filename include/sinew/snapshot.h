/// \file
/// The complete world as bytes, and a hash of its state.
///
/// A restored world goes on bit for bit as the saved one would have: contacts, warm starts, sleep and ids
/// included. The bytes are little-endian, hold no pointers, and equal states give equal bytes. User pointers
/// and custom functions are not saved: user pointers come back null, and custom kinds must be registered
/// under the same names before restoring. Threads and task system are those of the world restored into.
/// Events are not saved either: a restored world has none, and those that were waiting for the next step are
/// lost. Geometry that shapes shared is shared again, by objects of the restored world's own.
#ifndef SINEW_SNAPSHOT_H
#define SINEW_SNAPSHOT_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Writes the world to `buffer`. `*size` gets the bytes needed; with a null buffer only that is done.
/// SN_ERROR_BUFFER if `capacity` is too small, and nothing is written then. SN_ERROR_NULL, SN_ERROR_LOCKED,
/// SN_ERROR_MEMORY.
SN_API sn_status sn_world_save(const sn_world *world, void *buffer, size_t capacity, size_t *size);

/// Makes the world what the buffer says. Ids of the saved world name the same things in the restored one; ids
/// of what the world held before are void. On any error (SN_ERROR_FORMAT, SN_ERROR_VERSION, SN_ERROR_NAME for
/// a custom kind that is not registered or has data of another size, SN_ERROR_NULL, SN_ERROR_LOCKED,
/// SN_ERROR_MEMORY) the world is as before, and the message tells the byte. The bytes may come from anywhere:
/// they are checked before they are believed. Only the data of custom constraints are not, for only their
/// functions know them.
SN_API sn_status sn_world_restore(sn_world *world, const void *buffer, size_t size);

/// A hash of everything that decides the future: poses, velocities, contacts, warm starts, sleep, settings.
/// Equal worlds hash alike on every platform, whatever their ids and user pointers. 0 for a null or locked
/// world, and without memory for the list of shared geometry.
SN_API uint64_t sn_world_hash(const sn_world *world);

#ifdef __cplusplus
}
#endif
#endif
