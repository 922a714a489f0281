// The message of the last failure on this thread, as sn_scene_error() tells it.
#ifndef SN_SCENE_MESSAGE_H
#define SN_SCENE_MESSAGE_H

#include "sinew/base.h"

// Replaces the message and returns the status, so that a failing function ends in
// `return sn_scene_fail(SN_ERROR_FILE, "%s: cannot be read: %s", path, strerror(errno));`
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
sn_status
sn_scene_fail(sn_status status, const char *format, ...);

#endif
