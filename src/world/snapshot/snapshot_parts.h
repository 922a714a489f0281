// What the files of the snapshot share: the archive, and one function for each part of a world. Each function
// describes its part's fields once, for writing, reading and hashing (see snapshot_stream.h), and checks by
// snapshot_check.h what it read.
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

typedef struct sn_archive_geometry {
    sn_shared_type type;
    const void *object; // null while it is being read
} sn_archive_geometry;

typedef struct sn_archive {
    sn_stream stream;
    sn_world *world;                        // written and hashed: not changed; read: filled
    SN_ARRAY(sn_archive_geometry) geometry; // read: each with a reference of the archive's own
    sn_pair_map numbers;                    // written and hashed: address → number
} sn_archive;

// --- snapshot_parts.c: what its neighbours use as well -------------------------------------------

// The number of something in use, or −1 where that is allowed.
void sn_archive_index(sn_stream *stream, int *index, const sn_id_pool *pool, bool may_be_none,
                      const char *what);
// An edge of a contact or constraint, 2·index + side, or −1.
void sn_archive_edge(sn_stream *stream, int *edge, const sn_id_pool *pool, const char *what);
// The next member of a sleeping island, or −1.
void sn_archive_island_next(sn_archive *archive, int *member);
// A name in memory of its own, null for "".
void sn_archive_name(sn_stream *stream, char **name);

// --- snapshot_parts.c ----------------------------------------------------------------------------

void sn_archive_settings(sn_archive *archive);
// Tag (not hashed: it does not decide what happens), steps, time.
void sn_archive_clock(sn_archive *archive);
void sn_archive_id_pool(sn_archive *archive, sn_id_pool *pool, const char *what);
void sn_archive_body(sn_archive *archive, int index);
void sn_archive_shape(sn_archive *archive, int index);
void sn_archive_contact(sn_archive *archive, int index);

// --- snapshot_constraints.c ----------------------------------------------------------------------

// Reads it after bodies and deformables, which its ends are looked up in.
void sn_archive_constraint(sn_archive *archive, int index);

// --- snapshot_geometry.c -------------------------------------------------------------------------

void sn_archive_sphere(sn_stream *stream, sn_sphere *sphere);
void sn_archive_capsule(sn_stream *stream, sn_capsule *capsule);
// A hull, surface, compound or mesh. When read, the answer is borrowed from the archive, and null after a
// failure.
const void *sn_archive_shared(sn_archive *archive, sn_shared_type type, const void *object);
// Gives back the archive's references and lists.
void sn_archive_release_geometry(sn_archive *archive);

// --- snapshot_mesh.c -----------------------------------------------------------------------------

// A mesh that was not met before; null after a failure to read it.
const sn_mesh *sn_archive_mesh(sn_stream *stream, const sn_mesh *known);

// --- snapshot_soft.c -----------------------------------------------------------------------------

void sn_archive_deformable(sn_archive *archive, int index);
// The length of the sub-step that impulses belong to.
void sn_archive_sub_step(sn_stream *stream, float *sub_step);
// The contacts of all deformables with things that still exist.
void sn_archive_soft_contacts(sn_archive *archive);

// --- snapshot_links.c ----------------------------------------------------------------------------

// The lists of what is awake, active and pending; their members learn their places.
void sn_archive_lists(sn_archive *archive);
// Checks the lists that hang on bodies and the rings of sleeping islands, and makes what is not saved: links
// back, bounds trees, the map of pairs, room in lists for all that may come into them.
void sn_archive_link(sn_archive *archive);

#endif
