/// \file
/// A run written frame by frame for other programs: ParaView, Blender, three.js.
#ifndef SINEW_SCENE_EXPORT_H
#define SINEW_SCENE_EXPORT_H

#include "sinew_scene/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sn_export_format {
    /// NAME_0000.vtp … and NAME.pvd, which ParaView opens as one film. Triangles know their body, its speed
    /// [m/s] and colour; NAME_contacts.pvd has the contact points with their normals and impulses [N s].
    /// Deformables are beside them in NAME_soft_0000.vtu …: their tetrahedra, triangles or edges with strain
    /// and stress [Pa], their nodes with velocities [m/s]. Contacts call deformable i the body −1 − i.
    SN_EXPORT_VTK,
    /// NAME_0000.obj … with NAME.mtl for colours: every body and every deformable an object.
    SN_EXPORT_OBJ,
    /// One NAME.glb: meshes, materials, cameras, an animation of every body that moves. Its y axis points up
    /// in the scene, its time begins at 0. A body has the shapes and colours of the frame it is first seen
    /// in; before and after its life it is scaled to nothing. Deformables are morph targets, of as many
    /// frames
    /// as it takes to be right within a thousandth of their size. A frame that is not later than the one
    /// before replaces it.
    SN_EXPORT_GLTF
} sn_export_format;

/// An export under way. Opaque.
typedef struct sn_export sn_export;

/// Begins an export into `directory`, which is made if it is missing. `name` has 1 to 200 bytes without
/// slashes, colons and control characters (SN_ERROR_NAME). Planes become squares twice as large as the rest
/// of the scene is now. The scene must outlive the export; bodies may come and go. SN_ERROR_FILE,
/// SN_ERROR_RANGE for an unknown format, SN_ERROR_NULL, SN_ERROR_MEMORY; `*out` is null on failure. Message
/// in sn_scene_error().
SN_API sn_status sn_export_begin(const sn_scene *scene, sn_export_format format, const char *directory,
                                 const char *name, sn_export **out);
/// Adds the scene as it is now as the next frame. SN_ERROR_FILE, SN_ERROR_CAPACITY for more triangles than a
/// file can count, SN_ERROR_NULL, SN_ERROR_MEMORY; after a failure no more frames are taken.
SN_API sn_status sn_export_frame(sn_export *writer);
/// Writes what ties the frames together and frees the writer, whatever it returns. Null is fine. `path` (may
/// be null) gets the file to open, at most `capacity` bytes. The status of the first frame that failed, if
/// one did; SN_ERROR_RANGE if there was no frame; SN_ERROR_FILE, SN_ERROR_CAPACITY, SN_ERROR_MEMORY.
SN_API sn_status sn_export_end(sn_export *writer, char *path, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
