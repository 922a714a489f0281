// Sizes and quality of meshes.
#ifndef SINEW_APPS_MESH_MEASURE_H
#define SINEW_APPS_MESH_MEASURE_H

#include "sinew_scene/mesh_file.h"

typedef struct mesh_measure {
    sn_bounds extent;                  // [m]; zero without nodes
    double area;                       // of the triangles [m²]
    double enclosed;                   // by them, if they are closed [m³]
    int open_edges;                    // that have not one triangle on either side; 0: the surface is closed
    double volume;                     // of the tetrahedra [m³]
    double least_angle, largest_angle; // between faces of a tetrahedron [degrees]; 0 without any
} mesh_measure;

// False without memory.
bool mesh_measure_take(const sn_mesh_data *mesh, mesh_measure *measure);

#endif
