// Files of VTK's XML formats whose arrays are appended raw after the XML: first every array is declared, then
// all are written in the same order, each after its size in bytes.
#ifndef SN_SCENE_EXPORT_VTK_H
#define SN_SCENE_EXPORT_VTK_H

#include "scene/export_parts.h"
#include "scene/output.h"

// A file under way: where its next array will begin, counted from the underscore that opens the raw part.
typedef struct sn_vtk_file {
    sn_output output;
    const char *type; // of the data set
    uint64_t offset;
} sn_vtk_file;

// Opens DIRECTORY/NAME, `suffix`, the number of the frame and `ending`, and writes down to the time.
sn_status sn_vtk_open(sn_vtk_file *file, const sn_export *writer, const char *suffix, const char *ending,
                      const char *type);
void sn_vtk_declare(sn_vtk_file *file, const char *type, const char *name, int components, uint64_t bytes);
// Closes the piece; arrays follow.
void sn_vtk_begin_data(sn_vtk_file *file);
sn_status sn_vtk_close(sn_vtk_file *file);

// The deformables of the frame as an unstructured grid, NAME_soft_0000.vtu.
sn_status sn_vtk_write_softs(const sn_export *writer);

#endif
