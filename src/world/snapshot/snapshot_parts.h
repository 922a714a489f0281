// What the files of the snapshot share: the archive, and one function for each part of a world. Each function
// describes its part once, mostly by tables of fields, for writing, reading and hashing (snapshot_stream.h).
// Bytes may come from anywhere, and a correct checksum proves nothing: every number that a step relies on is
// checked by the rules that public functions apply to their input. Numbers that a step leaves behind need
// only be finite, and those that are only shown to the user (forces of constraints) not even that.
#ifndef SN_WORLD_SNAPSHOT_SNAPSHOT_PARTS_H
#define SN_WORLD_SNAPSHOT_SNAPSHOT_PARTS_H

#include "world/core/world.h"
#include "world/snapshot/snapshot_stream.h"

// Shared geometry met so far, in the order of first use: it is described where it is met first and referred
// to by its number from then on.
typedef enum sn_shared_type {
    SN_SHARED_HULL,
    SN_SHARED_SURFACE,
    SN_SHARED_COMPOUND,
    SN_SHARED_MESH
} sn_shared_type;

typedef struct sn_shared_geometry {
    sn_shared_type type;
    const void *object; // null while it is being read
} sn_shared_geometry;

typedef struct sn_archive {
    sn_stream stream;
    sn_world *world;                     // written and hashed: not changed; read: filled
    SN_ARRAY(sn_shared_geometry) shared; // read: each with a reference of the archive's own
    sn_pair_map numbers;                 // written and hashed: address → number
} sn_archive;

static inline bool sn_archive_reads(const sn_archive *archive)
{
    return sn_stream_reads(&archive->stream);
}
// Whether something was read without a failure so far.
static inline bool sn_archive_has_read(const sn_archive *archive)
{
    return sn_archive_reads(archive) && archive->stream.status == SN_OK;
}

// --- snapshot_fields.c ---------------------------------------------------------------------------

// The fields of a struct; reading checks them. Messages begin with "<what> <index>", or without a number if
// that is −1.
void sn_archive_fields(sn_archive *archive, const sn_field *fields, void *data, const char *what, int index);
// The fields of `count` structs of that size, one after the other.
void sn_archive_array(sn_archive *archive, const sn_field *fields, void *items, size_t item_size, int count,
                      const char *what);
// The number of something in use of the id pool at that offset in sn_world.
void sn_archive_index(sn_archive *archive, int *index, size_t pool, const char *what);
// A name in memory of its own, null for "".
void sn_archive_name(sn_stream *stream, char **name);
// When read: fails the stream with "<what> <index>: <why>" unless the condition holds.
void sn_archive_require(sn_archive *archive, bool holds, const char *what, int index, const char *why);

// --- snapshot_parts.c ----------------------------------------------------------------------------

// Settings, tag (not hashed: it has no effect on what happens), steps, time.
void sn_archive_world(sn_archive *archive);
void sn_archive_id_pool(sn_archive *archive, sn_id_pool *pool, const char *what);
void sn_archive_energy(sn_archive *archive, sn_energy_share *share, const char *what, int index);
void sn_archive_body(sn_archive *archive, int index);
void sn_archive_shape(sn_archive *archive, int index);
void sn_archive_contact(sn_archive *archive, int index);

// --- snapshot_constraints.c ----------------------------------------------------------------------

// Comes after bodies and deformables, which its ends refer to.
void sn_archive_constraint(sn_archive *archive, int index);

// --- snapshot_geometry.c -------------------------------------------------------------------------

// The geometry of a shape or of a part of a compound: `geometry` is the union of all types that it is in.
void sn_archive_geometry(sn_archive *archive, sn_shape_type type, void *geometry, const char *what,
                         int index);
// A hull, surface, compound or mesh; `handle` is where the pointer to it is. When read, the pointer gets a
// reference of its own, or stays as it is after a failure.
void sn_archive_shared(sn_archive *archive, sn_shared_type type, void *handle);
// Gives back the archive's references and lists.
void sn_archive_release_geometry(sn_archive *archive);

// snapshot_mesh.c: a mesh that was not met before; null after a failure to read it.
const sn_mesh *sn_archive_mesh(sn_stream *stream, const sn_mesh *known);

// --- snapshot_soft.c -----------------------------------------------------------------------------

void sn_archive_deformable(sn_archive *archive, int index);
// snapshot_soft_contacts.c: the contacts of all deformables with things that still exist.
void sn_archive_soft_contacts(sn_archive *archive);

// --- snapshot_bounds.c ---------------------------------------------------------------------------

// Bounds of bodies; after constraints.
void sn_archive_bounds(sn_archive *archive);

// --- snapshot_links.c ----------------------------------------------------------------------------

// The lists of what is awake, active and pending; their members learn their places.
void sn_archive_lists(sn_archive *archive);
// Checks the lists that begin at bodies and deformables and the rings of sleeping islands, and makes what is
// not saved: links back, bounds trees, the map of pairs, room in lists for everything that may be listed.
void sn_archive_link(sn_archive *archive);

#endif
