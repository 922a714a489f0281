// Whether what was read from a snapshot is something a world may hold. Bytes may come from anywhere, and a
// sound checksum proves nothing: every number that a step relies on is checked by the rules the public
// functions apply to their input. Each check fails the stream with SN_ERROR_FORMAT and names the object;
// `at` is the byte where the object begins.
#ifndef SN_WORLD_SNAPSHOT_SNAPSHOT_CHECK_H
#define SN_WORLD_SNAPSHOT_SNAPSHOT_CHECK_H

#include "world/core/world.h"
#include "world/snapshot/snapshot_stream.h"

void sn_check_saved_id_pool(sn_stream *stream, size_t at, const sn_id_pool *pool, const char *what);
void sn_check_saved_body(sn_stream *stream, size_t at, const sn_world *world, int index);
void sn_check_saved_shape(sn_stream *stream, size_t at, const sn_world *world, int index);
void sn_check_saved_constraint(sn_stream *stream, size_t at, const sn_world *world, int index);
void sn_check_saved_contact(sn_stream *stream, size_t at, const sn_world *world, int index);

// snapshot_check_geometry.c: indices and links make a closed polyhedron, a tree over all triangles; faces are
// flat and nothing sticks out of them.
void sn_check_saved_hull(sn_stream *stream, size_t at, const sn_hull *hull);
void sn_check_saved_surface(sn_stream *stream, size_t at, const sn_surface *surface);
void sn_check_saved_solid(sn_stream *stream, size_t at, const sn_solid *solid);

#endif
