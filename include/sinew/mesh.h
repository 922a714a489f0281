/// \file
/// Meshes: the nodes, edges, triangles and tetrahedra a deformable body is made of.
#ifndef SINEW_MESH_H
#define SINEW_MESH_H

#include "base.h"
#include "math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The topology and rest shape of a deformable. Opaque, immutable and reference-counted: what is made from a
/// mesh keeps it, so the maker may destroy its own handle at once. One mesh may serve any number of
/// deformables and worlds (of one thread at a time).
typedef struct sn_mesh sn_mesh;

/// A mesh by hand. Strands are given by edges, sheets by triangles, volumes by tetrahedra. Arrays are copied;
/// those of count 0 may be null.
typedef struct sn_mesh_def {
    uint32_t cookie;       ///< set by sn_mesh_def_default; do not touch
    const sn_vec3 *nodes;  ///< rest positions, each coordinate within ± SN_MAX_COORDINATE [m]
    int node_count;        ///< 1…16,777,216
    const uint32_t *edges; ///< 2 nodes each, different ones, in any order. Repeated ones and those that an
                           ///< element has anyway count once
    int edge_count;        ///< 0…16,777,216
    const uint32_t *triangles;  ///< 3 nodes each, counter-clockwise from outside
    int triangle_count;         ///< 0…16,777,216; 0 if there are tetrahedra, whose boundary is found
    const uint32_t *tetrahedra; ///< 4 nodes each; those that are not right-handed are turned over
    int tetrahedron_count;      ///< 0…16,777,216
} sn_mesh_def;

/// No nodes and no elements yet.
SN_API sn_mesh_def sn_mesh_def_default(void);

/// Makes a mesh. SN_ERROR_NULL, SN_ERROR_DEFINITION; SN_ERROR_RANGE for counts out of range and indices
/// without a node; SN_ERROR_NOT_FINITE. SN_ERROR_GEOMETRY, naming the element, for one that has no size
/// (length below 1e-7 m; area or volume below 1e-7 of the square or cube of its longest edge) or that is
/// there twice, for tetrahedra that overlap (three at one face, or two on the same side of it), for a
/// definition without any element, and for a node that no triangle or tetrahedron uses; if there are edges
/// only, for one that no edge uses. Surfaces with holes, and those where more than two triangles meet at an
/// edge, are fine: see sn_mesh_is_closed and sn_mesh_is_manifold. Message in sn_last_error().
SN_API sn_status sn_mesh_create(const sn_mesh_def *def, sn_mesh **mesh);
/// Lets go of the maker's handle; deformables keep theirs. Null is fine.
SN_API void sn_mesh_destroy(sn_mesh *mesh);

/// Number of nodes; 0 for null.
SN_API int sn_mesh_node_count(const sn_mesh *mesh);
/// Rest positions, in the order given [m]; null for null.
SN_API const sn_vec3 *sn_mesh_nodes(const sn_mesh *mesh);
/// Number of edges: each edge of a triangle or tetrahedron and each given one, once. 0 for null.
SN_API int sn_mesh_edge_count(const sn_mesh *mesh);
/// 2 nodes each, the lower number first; sorted by first, then by second node. Null for null.
SN_API const uint32_t *sn_mesh_edges(const sn_mesh *mesh);
/// Number of triangles: those given, or the boundary of the tetrahedra. 0 for null.
SN_API int sn_mesh_triangle_count(const sn_mesh *mesh);
/// 3 nodes each, in the order given; of tetrahedra, counter-clockwise from outside, in their order. Null for
/// null.
SN_API const uint32_t *sn_mesh_triangles(const sn_mesh *mesh);
/// Number of tetrahedra; 0 for null.
SN_API int sn_mesh_tetrahedron_count(const sn_mesh *mesh);
/// 4 nodes each, in the order given, right-handed: (b − a) × (c − a) · (d − a) > 0. Null for null.
SN_API const uint32_t *sn_mesh_tetrahedra(const sn_mesh *mesh);

/// The box around the nodes; zeros for null. [m]
SN_API sn_bounds sn_mesh_bounds(const sn_mesh *mesh);
/// Whether there are triangles and none of their edges has one triangle only.
SN_API bool sn_mesh_is_closed(const sn_mesh *mesh);
/// Whether there are triangles and they form a surface: no edge has more than two of them, or two that run it
/// the same way, and those around a node form one fan.
SN_API bool sn_mesh_is_manifold(const sn_mesh *mesh);

/// Sum of the lengths of all edges [m]; 0 for null.
SN_API float sn_mesh_length(const sn_mesh *mesh);
/// Sum of the areas of all triangles [m²]; 0 for null.
SN_API float sn_mesh_area(const sn_mesh *mesh);
/// Volume of all tetrahedra or, if there are none, what a closed surface encloses (negative if it is inside
/// out). 0 for an open surface and for null. [m³]
SN_API float sn_mesh_volume(const sn_mesh *mesh);
/// Rest length of one edge [m]; 0 for one that does not exist.
SN_API float sn_mesh_edge_length(const sn_mesh *mesh, int edge);
/// Rest area of one triangle [m²]; 0 for one that does not exist.
SN_API float sn_mesh_triangle_area(const sn_mesh *mesh, int triangle);
/// Rest volume of one tetrahedron [m³]; 0 for one that does not exist.
SN_API float sn_mesh_tetrahedron_volume(const sn_mesh *mesh, int tetrahedron);

// --- ready-made meshes -------------------------------------------------------------------------------------
// All are centred on the origin; sheets lie in the xy plane and face +z, round things stand along y. Lengths
// are 1e-5…1e6 m, numbers of cells at least 1 and such that neither nodes nor elements exceed 16,777,216:
// else SN_ERROR_NOT_FINITE or SN_ERROR_RANGE with a message in sn_last_error(). SN_ERROR_GEOMETRY for cells
// so small that float32 cannot tell their nodes apart.

/// How the cells of a grid are cut into triangles.
typedef enum sn_grid_pattern {
    SN_GRID_ALTERNATING, ///< diagonals turn from cell to cell, so that no direction is stiffer
    SN_GRID_FORWARD,     ///< all diagonals from (low x, low y) to (high x, high y)
    SN_GRID_BACKWARD,    ///< all diagonals from (high x, low y) to (low x, high y)
    SN_GRID_CROSSED      ///< both diagonals and a node where they cross: four triangles a cell
} sn_grid_pattern;

/// A strand along x: `edges` edges and one node more, no triangles.
SN_API sn_status sn_mesh_line(float length, int edges, sn_mesh **mesh);
/// A ribbon along x, one cell wide: 2 `cells` triangles.
SN_API sn_status sn_mesh_strip(float length, float width, int cells, sn_mesh **mesh);
/// A sheet of columns × rows cells, two triangles each (four if crossed). The node of column i and row j is
/// number j (columns + 1) + i; x and y grow with i and j; nodes of crossings follow after all of these.
SN_API sn_status sn_mesh_grid(float width, float height, int columns, int rows, sn_grid_pattern pattern,
                              sn_mesh **mesh);
/// A round sheet of `rings` rings about a middle node: the k-th has 6 k nodes; 6 rings² triangles.
SN_API sn_status sn_mesh_disc(float radius, int rings, sn_mesh **mesh);
/// A cylinder without ends, facing outwards: `sides` (3 or more) cells around, `rows` along y, two triangles
/// each.
SN_API sn_status sn_mesh_tube(float radius, float height, int sides, int rows, sn_mesh **mesh);
/// A block of nx × ny × nz cells, five tetrahedra each, mirrored from cell to cell so that they fit. The node
/// of cell corner i, j, k is number (k (ny + 1) + j) (nx + 1) + i.
SN_API sn_status sn_mesh_box(sn_vec3 size, int nx, int ny, int nz, sn_mesh **mesh);
/// The surface of the same block.
SN_API sn_status sn_mesh_box_surface(sn_vec3 size, int nx, int ny, int nz, sn_mesh **mesh);
/// A solid cylinder: the disc of `rings` rings, `layers` times; 18 rings² tetrahedra a layer. Best with
/// height / layers near radius / rings.
SN_API sn_status sn_mesh_cylinder(float radius, float height, int rings, int layers, sn_mesh **mesh);
/// The surface of the same cylinder, ends included.
SN_API sn_status sn_mesh_cylinder_surface(float radius, float height, int rings, int layers, sn_mesh **mesh);
/// A ball of `shells` shells about a middle node, the k-th an icosahedron with edges cut into k; 20 shells³
/// tetrahedra.
SN_API sn_status sn_mesh_sphere(float radius, int shells, sn_mesh **mesh);
/// A sphere: an icosahedron with its edges cut into `cuts`, blown up; 20 cuts² triangles.
SN_API sn_status sn_mesh_sphere_surface(float radius, int cuts, sn_mesh **mesh);

/// Fills a closed surface (3 indices a triangle, counter-clockwise from outside) with tetrahedra, about
/// `cell` in size (1e-5 m or more), by isosurface stuffing (Labelle and Shewchuk 2007): a body-centred cubic
/// lattice with cubes of `cell`, cut where it meets the surface. All dihedral angles are between 10° and
/// 165°; the boundary is closed and manifold; its nodes lie on the surface. Sharp edges are bevelled by up to
/// half a cell, and what is thinner than a cell may go missing, tear into pieces, or end in nodes short of
/// the surface.
///
/// Inside is where the surface winds around a point at least half a time, in either sense (generalised
/// winding numbers, Jacobson et al. 2013). So parts that overlap become one, a surface inside out is filled
/// all the same, a cavity is left empty if its wall faces it and filled if not, holes are closed by a smooth
/// cap, and of an open surface (half a sphere) the part is filled that sees more of it than not. A surface
/// with holes takes longer: every lattice point must be looked at, not only those near the surface.
///
/// SN_ERROR_NULL; SN_ERROR_NOT_FINITE; SN_ERROR_RANGE for counts outside 1…16,777,216, for indices without a
/// vertex, for a cell so small that it takes more than 16,777,216 lattice points or tetrahedra (the message
/// says how many) or that it is below 1/4096 of the largest coordinate, too fine for float32;
/// SN_ERROR_GEOMETRY if no triangle has an area, or if the cell is so large (or the surface so open) that
/// nothing lies inside. Message in sn_last_error().
SN_API sn_status sn_mesh_fill(const sn_vec3 *vertices, int vertex_count, const uint32_t *triangles,
                              int triangle_count, float cell, sn_mesh **mesh);

#ifdef __cplusplus
}
#endif
#endif
