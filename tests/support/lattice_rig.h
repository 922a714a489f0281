// A lattice with a surface in it, for tests of the stages of sn_mesh_fill. Include after cmocka.h.
#ifndef TESTS_SUPPORT_LATTICE_RIG_H
#define TESTS_SUPPORT_LATTICE_RIG_H

#include "geometry/meshing/lattice.h"
#include "geometry/meshing/lattice_winding.h"
#include "support/triangle_shapes.h"

typedef struct lattice_rig {
    sn_lattice lattice;
    sn_surface *surface; // in lattice coordinates
    sn_winding winding;
} lattice_rig;

/// Takes the shape.
static inline void lattice_rig_begin(lattice_rig *rig, triangle_shape shape, float cell)
{
    sn_bounds bounds = {shape.vertices[0], shape.vertices[0]};
    for (int i = 1; i < shape.vertex_count; ++i) {
        bounds.lower = sn_min3(bounds.lower, shape.vertices[i]);
        bounds.upper = sn_max3(bounds.upper, shape.vertices[i]);
    }
    assert_true(sn_lattice_make(&rig->lattice, bounds, cell));
    for (int i = 0; i < shape.vertex_count; ++i) {
        shape.vertices[i] = sn_lattice_from_world(&rig->lattice, shape.vertices[i]);
    }
    rig->surface = NULL;
    assert_int_equal(sn_surface_create(shape.vertices, shape.vertex_count, shape.triangles,
                                       shape.triangle_count, true, &rig->surface),
                     SN_OK);
    assert_true(sn_winding_make(&rig->winding, rig->surface));
    triangle_shape_release(&shape);
}

static inline void lattice_rig_end(lattice_rig *rig)
{
    sn_winding_release(&rig->winding);
    sn_surface_destroy(rig->surface);
    sn_lattice_release(&rig->lattice);
}

#endif
