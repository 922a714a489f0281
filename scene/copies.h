// Copies of an entry that has "repeat": where each is, and what it is called.
#ifndef SN_SCENE_COPIES_H
#define SN_SCENE_COPIES_H

#include "scene/reader.h"

// One copy: its pose in the scope around it, and how it and the copy before it are numbered. An entry that is
// not repeated is its only copy.
typedef struct sn_copy {
    sn_pose pose;
    bool repeated, has_previous;
    char suffix[SN_SUFFIX], previous_suffix[SN_SUFFIX];
} sn_copy;

typedef void sn_visit_copy(sn_reader *reader, const sn_scope *scope, const sn_copy *copy,
                           const sn_node *entry, const void *context);

// Calls `visit` once for each copy of an entry. Copies have the same mistakes, so two that complain are
// enough: the first has no copy before it and may be special.
void sn_reader_visit_copies(sn_reader *reader, const sn_scope *scope, const sn_node *entry,
                            sn_visit_copy *visit, const void *context);

#endif
