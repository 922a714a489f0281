// A file that takes the place of another one only when it is whole. It is written beside it under a name of
// its own, synced and renamed, so that a full disk, a failure or a killed process leaves what was there
// before. What is no regular file (a device, a pipe) is written in place; a link stays and what it points to
// is replaced.
#ifndef SN_SCENE_REPLACEMENT_H
#define SN_SCENE_REPLACEMENT_H

#include "sinew/base.h"

typedef struct sn_replacement {
    char *target; // what is replaced in the end
    char *beside; // what is written meanwhile; the target itself where it is written in place
} sn_replacement;

// Makes the file beside and opens it. Returns 0 or an errno; a replacement that failed needs no ending.
int sn_replacement_begin(sn_replacement *replacement, const char *path, int *file);
// Puts what has been written, and is closed by now, in the target's place. An errno if that fails: the
// target is what it was then.
int sn_replacement_keep(sn_replacement *replacement);
// Forgets what has been written.
void sn_replacement_drop(sn_replacement *replacement);

#endif
