// Deformables for VTK: one unstructured grid a frame, of all nodes, and of tetrahedra, triangles or edges, as
// each deformable has them. Nodes know their velocity, elements their strain and stress.
#include "scene/export_vtk.h"

#include "scene/message.h"

// What an element of a deformable is to VTK.
typedef struct cell_kind {
    uint8_t type, corners;
} cell_kind;

// The elements of a deformable.
typedef struct cells {
    cell_kind kind;
    int count;
    const uint32_t *nodes;
} cells;

static cells cells_of(const sn_mesh *mesh)
{
    const cell_kind line = {3, 2}, triangle = {5, 3}, tetrahedron = {10, 4};
    if (sn_mesh_tetrahedron_count(mesh) > 0) {
        return (cells){tetrahedron, sn_mesh_tetrahedron_count(mesh), sn_mesh_tetrahedra(mesh)};
    }
    if (sn_mesh_triangle_count(mesh) > 0) {
        return (cells){triangle, sn_mesh_triangle_count(mesh), sn_mesh_triangles(mesh)};
    }
    return (cells){line, sn_mesh_edge_count(mesh), sn_mesh_edges(mesh)};
}

typedef struct totals {
    uint64_t nodes, cells, corners;
} totals;

static totals count_all(const sn_export *writer)
{
    totals all = {0};
    for (int i = 0; i < writer->softs.count; ++i) {
        cells c = cells_of(writer->softs.items[i].mesh);
        all.nodes += (uint64_t)sn_mesh_node_count(writer->softs.items[i].mesh);
        all.cells += (uint64_t)c.count;
        all.corners += (uint64_t)c.count * c.kind.corners;
    }
    return all;
}

static void declare_all(sn_vtk_file *file, const totals *all)
{
    sn_output *o = &file->output;
    sn_output_text(o, "<Piece NumberOfPoints=\"%llu\" NumberOfCells=\"%llu\">\n<Points>\n",
                   (unsigned long long)all->nodes, (unsigned long long)all->cells);
    sn_vtk_declare(file, "Float32", "points", 3, 12 * all->nodes);
    sn_output_text(o, "</Points>\n<PointData Vectors=\"velocity\">\n");
    sn_vtk_declare(file, "Float32", "velocity", 3, 12 * all->nodes);
    sn_vtk_declare(file, "UInt8", "fixed", 1, all->nodes);
    sn_output_text(o, "</PointData>\n<CellData Scalars=\"strain\">\n");
    sn_vtk_declare(file, "Int32", "deformable", 1, 4 * all->cells);
    sn_vtk_declare(file, "Float32", "strain", 1, 4 * all->cells);
    sn_vtk_declare(file, "Float32", "growth", 1, 4 * all->cells);
    sn_vtk_declare(file, "Float32", "von_mises", 1, 4 * all->cells);
    sn_vtk_declare(file, "UInt8", "color", 3, 3 * all->cells);
    sn_output_text(o, "</CellData>\n<Cells>\n");
    sn_vtk_declare(file, "Int32", "connectivity", 1, 4 * all->corners);
    sn_vtk_declare(file, "Int32", "offsets", 1, 4 * all->cells);
    sn_vtk_declare(file, "UInt8", "types", 1, all->cells);
    sn_output_text(o, "</Cells>\n");
}

// --- nodes -------------------------------------------------------------------------------------------------

static void write_nodes(const sn_export *writer, sn_output *o, const totals *all)
{
    sn_output_u64(o, 12 * all->nodes);
    for (int i = 0; i < writer->softs.count; ++i) {
        const sn_export_soft *soft = &writer->softs.items[i];
        for (int k = 0; k < sn_mesh_node_count(soft->mesh); ++k) {
            sn_output_vec3(o, soft->nodes[k].position);
        }
    }
    sn_output_u64(o, 12 * all->nodes);
    for (int i = 0; i < writer->softs.count; ++i) {
        const sn_export_soft *soft = &writer->softs.items[i];
        for (int k = 0; k < sn_mesh_node_count(soft->mesh); ++k) {
            sn_output_vec3(o, soft->velocities[k].velocity);
        }
    }
    sn_output_u64(o, all->nodes);
    for (int i = 0; i < writer->softs.count; ++i) {
        const sn_export_soft *soft = &writer->softs.items[i];
        for (int k = 0; k < sn_mesh_node_count(soft->mesh); ++k) {
            uint8_t fixed = soft->nodes[k].inverse_mass > 0.0f ? 0 : 1;
            sn_output_bytes(o, &fixed, 1);
        }
    }
}

// --- elements ----------------------------------------------------------------------------------------------

typedef SN_LIST(sn_element_strain) strain_list;

// The strains of all elements, in order.
static bool find_strains(const sn_export *writer, const totals *all, strain_list *strains)
{
    const sn_world *world = sn_scene_world(writer->scene);
    strains->items = malloc(((size_t)all->cells + 1) * sizeof *strains->items);
    if (strains->items == NULL) {
        return false;
    }
    for (int i = 0; i < writer->softs.count; ++i) {
        strains->count +=
            sn_deformable_strains(world, writer->softs.items[i].deformable, strains->items + strains->count,
                                  (int)all->cells - strains->count);
    }
    return true;
}

static void write_strains(sn_output *o, const strain_list *strains)
{
    for (int k = 0; k < 3; ++k) {
        sn_output_u64(o, 4 * (uint64_t)strains->count);
        for (int i = 0; i < strains->count; ++i) {
            const sn_element_strain *strain = &strains->items[i];
            sn_output_f32(o, k == 0 ? strain->principal : k == 1 ? strain->growth : strain->von_mises);
        }
    }
}

static void write_owners(const sn_export *writer, sn_output *o, const totals *all)
{
    sn_output_u64(o, 4 * all->cells);
    for (int i = 0; i < writer->softs.count; ++i) {
        int count = cells_of(writer->softs.items[i].mesh).count;
        for (int k = 0; k < count; ++k) {
            sn_output_u32(o, writer->softs.items[i].deformable.index);
        }
    }
}

static void write_colors(const sn_export *writer, sn_output *o, const totals *all)
{
    sn_output_u64(o, 3 * all->cells);
    for (int i = 0; i < writer->softs.count; ++i) {
        sn_color color = writer->softs.items[i].color;
        uint8_t rgb[3] = {(uint8_t)(color >> 16), (uint8_t)(color >> 8), (uint8_t)color};
        int count = cells_of(writer->softs.items[i].mesh).count;
        for (int k = 0; k < count; ++k) {
            sn_output_bytes(o, rgb, sizeof rgb);
        }
    }
}

static void write_corners(const sn_export *writer, sn_output *o, const totals *all)
{
    uint32_t first = 0, end = 0;
    sn_output_u64(o, 4 * all->corners);
    for (int i = 0; i < writer->softs.count; ++i) {
        cells c = cells_of(writer->softs.items[i].mesh);
        for (int k = 0; k < c.count * c.kind.corners; ++k) {
            sn_output_u32(o, first + c.nodes[k]);
        }
        first += (uint32_t)sn_mesh_node_count(writer->softs.items[i].mesh);
    }
    sn_output_u64(o, 4 * all->cells);
    for (int i = 0; i < writer->softs.count; ++i) {
        cells c = cells_of(writer->softs.items[i].mesh);
        for (int k = 0; k < c.count; ++k) {
            end += c.kind.corners;
            sn_output_u32(o, end);
        }
    }
    sn_output_u64(o, all->cells);
    for (int i = 0; i < writer->softs.count; ++i) {
        cells c = cells_of(writer->softs.items[i].mesh);
        for (int k = 0; k < c.count; ++k) {
            sn_output_bytes(o, &c.kind.type, 1);
        }
    }
}

sn_status sn_vtk_write_softs(const sn_export *writer)
{
    totals all = count_all(writer);
    if (all.nodes > INT32_MAX || all.corners > INT32_MAX) {
        return sn_scene_fail(SN_ERROR_CAPACITY,
                             "export: %llu nodes and %llu corners of elements, expected at "
                             "most %d",
                             (unsigned long long)all.nodes, (unsigned long long)all.corners, INT32_MAX);
    }
    strain_list strains = {0};
    sn_vtk_file file;
    sn_status status =
        find_strains(writer, &all, &strains)
            ? sn_vtk_open(&file, writer, "_soft", ".vtu", "UnstructuredGrid")
            : sn_scene_fail(SN_ERROR_MEMORY, "export: no memory for the strains of %llu elements",
                            (unsigned long long)all.cells);
    if (status == SN_OK) {
        declare_all(&file, &all);
        sn_vtk_begin_data(&file);
        write_nodes(writer, &file.output, &all);
        write_owners(writer, &file.output, &all);
        write_strains(&file.output, &strains);
        write_colors(writer, &file.output, &all);
        write_corners(writer, &file.output, &all);
        status = sn_vtk_close(&file);
    }
    SN_LIST_FREE(&strains);
    return status;
}
