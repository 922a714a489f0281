// The files a scene is made of: where they may lie, which have been read, and reading one. A file that a
// scene names is a regular file below the scene's own folder, links followed, unless the user allows any
// place; a pipe or a device among them cannot make a program wait. Which files have been read is kept, so
// that none is overwritten.
#ifndef SN_SCENE_SOURCES_H
#define SN_SCENE_SOURCES_H

#include "scene/list.h"
#include "sinew/base.h"

#include <sys/types.h>

// Largest scene, part or state that is read: a million bodies fit. [bytes]
#define SN_MAX_FILE_SIZE ((uint64_t)1 << 30)
// Largest mesh file or table that is read. [bytes]
#define SN_MAX_TEXT_BYTES ((uint64_t)4 << 30)

typedef struct sn_file_identity {
    dev_t device;
    ino_t number;
} sn_file_identity;

// All zeros lets files lie anywhere.
typedef struct sn_sources {
    char *folder; // with links followed; null: files may lie anywhere
    SN_LIST(sn_file_identity) files;
} sn_sources;

// Lets files lie below the folder of `path` only. False without memory.
bool sn_sources_confine(sn_sources *sources, const char *path);
void sn_sources_release(sn_sources *sources);
// Whether this is one of the files that have been read, by whatever name.
bool sn_sources_have(const sn_sources *sources, const char *path);

// The bytes of a file with a zero behind them, to be freed with `free`; `sources` may be null for a file that
// lies anywhere and is not kept in mind. SN_ERROR_FILE, SN_ERROR_MEMORY; `*bytes` is null then.
sn_status sn_source_read(sn_sources *sources, const char *path, uint64_t limit, char **bytes, size_t *size);
// The same of a file that the user names rather than a scene: from anywhere, and a pipe will do; "-" is
// standard input.
sn_status sn_source_read_main(sn_sources *sources, const char *path, char **bytes, size_t *size);

#endif
