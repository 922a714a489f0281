// "path=value" settings put into a document before it is read.
#ifndef SN_SCENE_SETTINGS_H
#define SN_SCENE_SETTINGS_H

#include "scene/document.h"

// Puts one setting, as `world.sub_steps=20` or `bodies[3].shape.radius=0.1`, into the document. The value is
// JSON, or else a text as it stands. Objects on the way are made if they are missing; list members must
// exist. SN_ERROR_FORMAT with a message otherwise.
sn_status sn_setting_apply(sn_document *document, const char *setting);

#endif
