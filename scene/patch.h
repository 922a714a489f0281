// The difference between two strings of bytes: what is taken over from the old one, and what is new.
// Snapshots of a world before and after a call differ in a few bytes, or in a piece put in; their patch is as
// small.
#ifndef SN_SCENE_PATCH_H
#define SN_SCENE_PATCH_H

#include "scene/list.h"

typedef SN_LIST(uint8_t) sn_byte_list;

// Appends the patch that makes `to` of `from`. False without memory.
bool sn_patch_make(const uint8_t *from, size_t from_size, const uint8_t *to, size_t to_size,
                   sn_byte_list *patch);
// What a patch makes of `from`, to be freed with `free`; the patch may come from anywhere. Null if it does
// not fit `from` or is none, and without memory.
uint8_t *sn_patch_apply(const uint8_t *patch, size_t patch_size, const uint8_t *from, size_t from_size,
                        size_t *size);

#endif
