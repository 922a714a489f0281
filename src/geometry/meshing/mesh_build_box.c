// Blocks of cells: five tetrahedra each, and their surface. The tetrahedra of a cell are mirrored from cell
// to cell, so that the diagonal on every cell face joins the corners whose i + j + k is even, seen from both
// sides.
#include "geometry/meshing/mesh_build.h"
#include "geometry/shapes/check.h"

typedef struct block {
    sn_vec3 size;
    int nx, ny, nz;
} block;

static sn_status check_block(const block *b, const char *object)
{
    sn_status status = sn_check_size(b->size.x, NULL, object, "size.x");
    status = status ? status : sn_check_size(b->size.y, NULL, object, "size.y");
    status = status ? status : sn_check_size(b->size.z, NULL, object, "size.z");
    status = status ? status : sn_mesh_check_cells(b->nx, 1, object, "nx");
    status = status ? status : sn_mesh_check_cells(b->ny, 1, object, "ny");
    return status ? status : sn_mesh_check_cells(b->nz, 1, object, "nz");
}

static sn_vec3 block_point(const block *b, int i, int j, int k)
{
    return sn_v(b->size.x * ((float)(2 * i - b->nx) / (float)(2 * b->nx)),
                b->size.y * ((float)(2 * j - b->ny) / (float)(2 * b->ny)),
                b->size.z * ((float)(2 * k - b->nz) / (float)(2 * b->nz)));
}

// --- solid -------------------------------------------------------------------------------------------------

// Corners by bits: x, y, z. The tetrahedron in the middle, then those that it cuts off.
static const uint8_t even_cell[5][4] = {{0, 5, 3, 6}, {1, 3, 0, 5}, {2, 0, 3, 6}, {4, 5, 0, 6}, {7, 6, 3, 5}};
static const uint8_t odd_cell[5][4] = {{1, 2, 4, 7}, {0, 1, 2, 4}, {3, 2, 1, 7}, {5, 1, 4, 7}, {6, 4, 2, 7}};

static int block_node(const block *b, int i, int j, int k)
{
    return (k * (b->ny + 1) + j) * (b->nx + 1) + i;
}

static void add_cell(sn_mesh_parts *parts, const block *b, int i, int j, int k)
{
    const uint8_t(*pattern)[4] = (i + j + k) % 2 == 0 ? even_cell : odd_cell;
    int node[8];
    for (int corner = 0; corner < 8; ++corner) {
        node[corner] = block_node(b, i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2));
    }
    for (int t = 0; t < 5; ++t) {
        sn_mesh_add_tetrahedron(parts, node[pattern[t][0]], node[pattern[t][1]], node[pattern[t][2]],
                                node[pattern[t][3]]);
    }
}

static void add_block(sn_mesh_parts *parts, const block *b)
{
    for (int k = 0; k <= b->nz; ++k) {
        for (int j = 0; j <= b->ny; ++j) {
            for (int i = 0; i <= b->nx; ++i) {
                sn_mesh_add_node(parts, block_point(b, i, j, k));
            }
        }
    }
    for (int k = 0; k < b->nz; ++k) {
        for (int j = 0; j < b->ny; ++j) {
            for (int i = 0; i < b->nx; ++i) {
                add_cell(parts, b, i, j, k);
            }
        }
    }
}

sn_status sn_mesh_box(sn_vec3 size, int nx, int ny, int nz, sn_mesh **mesh)
{
    static const char *const object = "box mesh";
    block b = {size, nx, ny, nz};
    sn_mesh_parts parts = {0};
    sn_status status = check_block(&b, object);
    if (!status) {
        sn_mesh_counts counts = {.nodes = (nx + 1.0) * (ny + 1.0) * (nz + 1.0),
                                 .tetrahedra = 5.0 * nx * ny * nz};
        status = sn_mesh_parts_reserve(&parts, counts, object, mesh);
    }
    if (!status) {
        add_block(&parts, &b);
        status = sn_mesh_parts_create(&parts, mesh);
    }
    sn_mesh_parts_release(&parts);
    return status;
}

// --- surface -----------------------------------------------------------------------------------------------

// Nodes are numbered slice by slice in z: the end slices whole, those between by their rim, which is the row
// of j = 0, then two nodes for each j, then the row of j = ny.
static int surface_node(const block *b, int i, int j, int k)
{
    int whole = (b->nx + 1) * (b->ny + 1), rim = 2 * (b->nx + b->ny);
    if (k == 0) {
        return j * (b->nx + 1) + i;
    }
    int begin = whole + (k - 1) * rim;
    if (k == b->nz) {
        return begin + j * (b->nx + 1) + i;
    }
    if (j == 0) {
        return begin + i;
    }
    int middle = begin + b->nx + 1;
    return j == b->ny ? middle + 2 * (b->ny - 1) + i : middle + 2 * (j - 1) + (i > 0);
}

static void add_surface_nodes(sn_mesh_parts *parts, const block *b)
{
    for (int k = 0; k <= b->nz; ++k) {
        for (int j = 0; j <= b->ny; ++j) {
            bool whole_row = k == 0 || k == b->nz || j == 0 || j == b->ny;
            for (int i = 0; i <= b->nx; i += whole_row ? 1 : b->nx) {
                sn_mesh_add_node(parts, block_point(b, i, j, k));
            }
        }
    }
}

// A cell face from corner (i, j, k) along axes u and v, u × v pointing outward.
static void add_face(sn_mesh_parts *parts, const block *b, int i, int j, int k, const int u[3],
                     const int v[3])
{
    sn_mesh_add_square(parts, surface_node(b, i, j, k), surface_node(b, i + u[0], j + u[1], k + u[2]),
                       surface_node(b, i + u[0] + v[0], j + u[1] + v[1], k + u[2] + v[2]),
                       surface_node(b, i + v[0], j + v[1], k + v[2]), (i + j + k) % 2 == 0);
}

static void add_surface_faces(sn_mesh_parts *parts, const block *b)
{
    static const int x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
    for (int j = 0; j < b->ny; ++j) {
        for (int i = 0; i < b->nx; ++i) {
            add_face(parts, b, i, j, 0, y, x);
            add_face(parts, b, i, j, b->nz, x, y);
        }
    }
    for (int k = 0; k < b->nz; ++k) {
        for (int i = 0; i < b->nx; ++i) {
            add_face(parts, b, i, 0, k, x, z);
            add_face(parts, b, i, b->ny, k, z, x);
        }
        for (int j = 0; j < b->ny; ++j) {
            add_face(parts, b, 0, j, k, z, y);
            add_face(parts, b, b->nx, j, k, y, z);
        }
    }
}

sn_status sn_mesh_box_surface(sn_vec3 size, int nx, int ny, int nz, sn_mesh **mesh)
{
    static const char *const object = "box surface mesh";
    block b = {size, nx, ny, nz};
    sn_mesh_parts parts = {0};
    sn_status status = check_block(&b, object);
    if (!status) {
        double faces = 2.0 * ((double)nx * ny + (double)ny * nz + (double)nz * nx);
        sn_mesh_counts counts = {.nodes = faces + 2.0, .triangles = 2.0 * faces};
        status = sn_mesh_parts_reserve(&parts, counts, object, mesh);
    }
    if (!status) {
        add_surface_nodes(&parts, &b);
        add_surface_faces(&parts, &b);
        status = sn_mesh_parts_create(&parts, mesh);
    }
    sn_mesh_parts_release(&parts);
    return status;
}
