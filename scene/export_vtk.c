// VTK's XML PolyData of bodies, one file a frame; a collection (.pvd) gives each its time, and ties it to the
// grid of the deformables. Contact points are a second series. Format: "VTK XML file formats", Kitware.
#include "scene/export_vtk.h"

#include "scene/message.h"

typedef struct vtk_state {
    SN_LIST(double) times;   // of the frames [s]
    SN_LIST(bool) has_softs; // whether there were deformables then
} vtk_state;

static sn_status vtk_begin(sn_export *writer)
{
    writer->state = calloc(1, sizeof(vtk_state));
    return writer->state != NULL ? SN_OK : sn_scene_fail(SN_ERROR_MEMORY, "export: no memory");
}

static void vtk_release(sn_export *writer)
{
    vtk_state *state = writer->state;
    if (state != NULL) {
        SN_LIST_FREE(&state->times);
        SN_LIST_FREE(&state->has_softs);
        free(state);
    }
}

// --- the frame around the arrays ---------------------------------------------------------------------------

sn_status sn_vtk_open(sn_vtk_file *file, const sn_export *writer, const char *suffix, const char *ending,
                      const char *type)
{
    *file = (sn_vtk_file){.type = type};
    char *path = sn_export_frame_path(writer, writer->frame_count, suffix, ending);
    sn_status status = sn_export_open(writer, path, &file->output);
    if (status == SN_OK) {
        sn_output *o = &file->output;
        sn_output_text(o,
                       "<?xml version=\"1.0\"?>\n<VTKFile type=\"%s\" version=\"1.0\" "
                       "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<%s>\n<FieldData>\n<DataArray "
                       "type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">",
                       type, type);
        sn_output_number(o, writer->time, 15);
        sn_output_text(o, "</DataArray>\n</FieldData>\n");
    }
    return status;
}

void sn_vtk_declare(sn_vtk_file *file, const char *type, const char *name, int components, uint64_t bytes)
{
    sn_output_text(&file->output,
                   "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" "
                   "offset=\"%llu\"/>\n",
                   type, name, components, (unsigned long long)file->offset);
    file->offset += sizeof(uint64_t) + bytes;
}

void sn_vtk_begin_data(sn_vtk_file *file)
{
    sn_output_text(&file->output, "</Piece>\n</%s>\n<AppendedData encoding=\"raw\">\n_", file->type);
}

sn_status sn_vtk_close(sn_vtk_file *file)
{
    sn_output_text(&file->output, "\n</AppendedData>\n</VTKFile>\n");
    return sn_output_close(&file->output);
}

// A piece of points, some of which are vertices, and polygons.
static void write_piece_head(sn_vtk_file *file, int points, int vertices, int polygons)
{
    sn_output_text(&file->output,
                   "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" NumberOfLines=\"0\" "
                   "NumberOfStrips=\"0\" NumberOfPolys=\"%d\">\n",
                   points, vertices, polygons);
}

// --- bodies ------------------------------------------------------------------------------------------------

static void declare_bodies(sn_vtk_file *file, uint64_t vertices, uint64_t triangles)
{
    sn_output *o = &file->output;
    write_piece_head(file, (int)vertices, 0, (int)triangles);
    sn_output_text(o, "<Points>\n");
    sn_vtk_declare(file, "Float32", "points", 3, 12 * vertices);
    sn_output_text(o, "</Points>\n<PointData Normals=\"normals\">\n");
    sn_vtk_declare(file, "Float32", "normals", 3, 12 * vertices);
    sn_output_text(o, "</PointData>\n<CellData Scalars=\"color\">\n");
    sn_vtk_declare(file, "Int32", "body", 1, 4 * triangles);
    sn_vtk_declare(file, "Float32", "speed", 1, 4 * triangles);
    sn_vtk_declare(file, "UInt8", "color", 3, 3 * triangles);
    sn_output_text(o, "</CellData>\n<Polys>\n");
    sn_vtk_declare(file, "Int32", "connectivity", 1, 12 * triangles);
    sn_vtk_declare(file, "Int32", "offsets", 1, 4 * triangles);
    sn_output_text(o, "</Polys>\n");
}

static void write_points(const sn_export *writer, sn_output *o, bool normals)
{
    for (int i = 0; i < writer->bodies.count; ++i) {
        const sn_export_body *body = &writer->bodies.items[i];
        for (int k = body->first_piece; k < body->first_piece + body->piece_count; ++k) {
            const sn_triangles *t = &writer->pieces.items[k].triangles;
            for (int v = 0; v < t->vertex_count; ++v) {
                sn_output_vec3(o, normals ? sn_rotate(body->pose.rotation, t->normals[v])
                                          : sn_pose_apply(body->pose, t->positions[v]));
            }
        }
    }
}

typedef enum cell_value { CELL_BODY, CELL_SPEED, CELL_COLOR } cell_value;

static void write_cell(sn_output *o, cell_value value, const sn_export_body *body, sn_color color)
{
    uint8_t rgb[3] = {(uint8_t)(color >> 16), (uint8_t)(color >> 8), (uint8_t)color};
    switch (value) {
    case CELL_BODY:
        sn_output_u32(o, body->rigid.index);
        break;
    case CELL_SPEED:
        sn_output_f32(o, body->speed);
        break;
    case CELL_COLOR:
        sn_output_bytes(o, rgb, sizeof rgb);
        break;
    }
}

static void write_cells(const sn_export *writer, sn_output *o, cell_value value)
{
    for (int i = 0; i < writer->bodies.count; ++i) {
        const sn_export_body *body = &writer->bodies.items[i];
        for (int k = body->first_piece; k < body->first_piece + body->piece_count; ++k) {
            const sn_export_piece *piece = &writer->pieces.items[k];
            for (int t = 0; t < piece->triangles.triangle_count; ++t) {
                write_cell(o, value, body, piece->color);
            }
        }
    }
}

static void write_corners(const sn_export *writer, sn_output *o)
{
    uint32_t first = 0;
    for (int k = 0; k < writer->pieces.count; ++k) {
        const sn_triangles *t = &writer->pieces.items[k].triangles;
        for (int i = 0; i < 3 * t->triangle_count; ++i) {
            sn_output_u32(o, first + t->indices[i]);
        }
        first += (uint32_t)t->vertex_count;
    }
}

static sn_status write_bodies(const sn_export *writer)
{
    int vertices, triangles;
    sn_status status = sn_export_count(writer, false, &vertices, &triangles);
    sn_vtk_file file;
    status = status == SN_OK ? sn_vtk_open(&file, writer, "", ".vtp", "PolyData") : status;
    if (status != SN_OK) {
        return status;
    }
    sn_output *o = &file.output;
    uint64_t v = (uint64_t)vertices, t = (uint64_t)triangles;
    declare_bodies(&file, v, t);
    sn_vtk_begin_data(&file);
    sn_output_u64(o, 12 * v);
    write_points(writer, o, false);
    sn_output_u64(o, 12 * v);
    write_points(writer, o, true);
    sn_output_u64(o, 4 * t);
    write_cells(writer, o, CELL_BODY);
    sn_output_u64(o, 4 * t);
    write_cells(writer, o, CELL_SPEED);
    sn_output_u64(o, 3 * t);
    write_cells(writer, o, CELL_COLOR);
    sn_output_u64(o, 12 * t);
    write_corners(writer, o);
    sn_output_u64(o, 4 * t);
    for (int i = 1; i <= triangles; ++i) {
        sn_output_u32(o, 3 * (uint32_t)i);
    }
    return sn_vtk_close(&file);
}

// --- contacts ----------------------------------------------------------------------------------------------

static void declare_contacts(sn_vtk_file *file, uint64_t count)
{
    sn_output *o = &file->output;
    write_piece_head(file, (int)count, (int)count, 0);
    sn_output_text(o, "<Points>\n");
    sn_vtk_declare(file, "Float32", "points", 3, 12 * count);
    sn_output_text(o, "</Points>\n<PointData Normals=\"normal\" Scalars=\"impulse\">\n");
    sn_vtk_declare(file, "Float32", "normal", 3, 12 * count);
    sn_vtk_declare(file, "Float32", "impulse", 1, 4 * count);
    sn_vtk_declare(file, "Float32", "separation", 1, 4 * count);
    sn_vtk_declare(file, "Int32", "bodies", 2, 8 * count);
    sn_output_text(o, "</PointData>\n<Verts>\n");
    sn_vtk_declare(file, "Int32", "connectivity", 1, 4 * count);
    sn_vtk_declare(file, "Int32", "offsets", 1, 4 * count);
    sn_output_text(o, "</Verts>\n");
}

static void write_contact_values(const sn_export *writer, sn_output *o)
{
    int count = writer->contacts.count;
    const sn_export_contact *contacts = writer->contacts.items;
    sn_output_u64(o, 12 * (uint64_t)count);
    for (int i = 0; i < count; ++i) {
        sn_output_vec3(o, contacts[i].position);
    }
    sn_output_u64(o, 12 * (uint64_t)count);
    for (int i = 0; i < count; ++i) {
        sn_output_vec3(o, contacts[i].normal);
    }
    sn_output_u64(o, 4 * (uint64_t)count);
    for (int i = 0; i < count; ++i) {
        sn_output_f32(o, contacts[i].impulse);
    }
    sn_output_u64(o, 4 * (uint64_t)count);
    for (int i = 0; i < count; ++i) {
        sn_output_f32(o, contacts[i].separation);
    }
    sn_output_u64(o, 8 * (uint64_t)count);
    for (int i = 0; i < count; ++i) {
        sn_output_u32(o, (uint32_t)contacts[i].a);
        sn_output_u32(o, (uint32_t)contacts[i].b);
    }
}

static sn_status write_contacts(const sn_export *writer)
{
    sn_vtk_file file;
    sn_status status = sn_vtk_open(&file, writer, "_contacts", ".vtp", "PolyData");
    if (status != SN_OK) {
        return status;
    }
    uint32_t count = (uint32_t)writer->contacts.count;
    declare_contacts(&file, count);
    sn_vtk_begin_data(&file);
    write_contact_values(writer, &file.output);
    for (uint32_t first = 0; first <= 1; ++first) { // point i is vertex i, which ends before i + 1
        sn_output_u64(&file.output, 4 * (uint64_t)count);
        for (uint32_t i = 0; i < count; ++i) {
            sn_output_u32(&file.output, i + first);
        }
    }
    return sn_vtk_close(&file);
}

// --- the series --------------------------------------------------------------------------------------------

static sn_status vtk_frame(sn_export *writer)
{
    vtk_state *state = writer->state;
    sn_status status = write_bodies(writer);
    status = status == SN_OK ? write_contacts(writer) : status;
    bool has_softs = writer->softs.count > 0;
    status = status == SN_OK && has_softs ? sn_vtk_write_softs(writer) : status;
    if (status == SN_OK &&
        !(SN_LIST_PUSH(&state->has_softs, has_softs) && SN_LIST_PUSH(&state->times, writer->time))) {
        return sn_scene_fail(SN_ERROR_MEMORY, "export: no memory for the time of frame %d",
                             writer->frame_count);
    }
    return status;
}

static void write_entry(sn_output *o, const sn_export *writer, int frame, int part, const char *suffix,
                        const char *ending)
{
    const vtk_state *state = writer->state;
    sn_output_text(o, "<DataSet timestep=\"");
    sn_output_number(o, state->times.items[frame], 15);
    sn_output_text(o, "\" part=\"%d\" file=\"", part);
    sn_output_xml(o, writer->name);
    sn_output_text(o, "%s_%04d%s\"/>\n", suffix, frame, ending);
}

// All frames of a suffix; with them, if wanted, the deformables.
static sn_status write_collection(const sn_export *writer, const char *suffix, const char *ending, bool softs)
{
    const vtk_state *state = writer->state;
    char *path = sn_export_path(writer, ending);
    sn_output o = {0};
    sn_status status = sn_export_open(writer, path, &o);
    if (status != SN_OK) {
        return status;
    }
    sn_output_text(&o, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
                       "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<Collection>\n");
    for (int i = 0; i < state->times.count; ++i) {
        write_entry(&o, writer, i, 0, suffix, ".vtp");
        if (softs && state->has_softs.items[i]) {
            write_entry(&o, writer, i, 1, "_soft", ".vtu");
        }
    }
    sn_output_text(&o, "</Collection>\n</VTKFile>\n");
    return sn_output_close(&o);
}

static sn_status vtk_end(sn_export *writer)
{
    sn_status status = write_collection(writer, "", ".pvd", true);
    return status == SN_OK ? write_collection(writer, "_contacts", "_contacts.pvd", false) : status;
}

const sn_export_format_parts sn_export_vtk = {
    .opens = ".pvd",
    .wants_contacts = true,
    .whole_frames = true,
    .begin = vtk_begin,
    .frame = vtk_frame,
    .end = vtk_end,
    .release = vtk_release,
};
