/// \file
/// A run written frame by frame for other programs: ParaView, Blender, three.js.
#ifndef SINEW_SCENE_EXPORT_H
#define SINEW_SCENE_EXPORT_H

#include "sinew_scene/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sn_export_format {
    SN_EXPORT_VTK, ///< NAME_0000.vtp … and NAME.pvd, which ParaView opens as one film
    SN_EXPORT_OBJ, ///< NAME_0000.obj … with NAME.mtl for colours
    SN_EXPORT_GLTF ///< one NAME.glb: meshes, materials, an animation of every moving body
} sn_export_format;

/// An export under way. Opaque.
typedef struct sn_export sn_export;

/// Begins an export into `directory`, which is made if it is missing. SN_ERROR_FILE, SN_ERROR_RANGE,
/// SN_ERROR_NULL, SN_ERROR_MEMORY; `*out` is null on failure. Message in sn_scene_error().
SN_API sn_status sn_export_begin(const sn_scene *scene, sn_export_format format, const char *directory,
                                 const char *name, sn_export **out);
/// Adds the scene as it is now as the next frame.
SN_API sn_status sn_export_frame(sn_export *writer);
/// Writes what ties the frames together and frees the writer, whatever it returns. Null is fine. `path` (may
/// be null) gets the file to open, at most `capacity` bytes.
SN_API sn_status sn_export_end(sn_export *writer, char *path, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
