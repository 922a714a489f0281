// Wavefront OBJ, one file a frame: every body and deformable an object, every colour a material of the one
// .mtl file beside them.
#include "scene/export_parts.h"

#include "scene/message.h"
#include "scene/output.h"

typedef struct obj_state {
    SN_LIST(sn_color) colors; // of all frames, ascending
} obj_state;

static sn_status obj_begin(sn_export *writer)
{
    writer->state = calloc(1, sizeof(obj_state));
    return writer->state != NULL ? SN_OK : sn_scene_fail(SN_ERROR_MEMORY, "export: no memory");
}

static void obj_release(sn_export *writer)
{
    obj_state *state = writer->state;
    if (state != NULL) {
        SN_LIST_FREE(&state->colors);
        free(state);
    }
}

// --- frames ------------------------------------------------------------------------------------------------

static void write_vector(sn_output *o, const char *keyword, sn_vec3 v)
{
    sn_output_text(o, "%s ", keyword);
    sn_output_number(o, (double)v.x, 8);
    sn_output_text(o, " ");
    sn_output_number(o, (double)v.y, 8);
    sn_output_text(o, " ");
    sn_output_number(o, (double)v.z, 8);
    sn_output_text(o, "\n");
}

// Readers split lines at spaces.
static void write_object_name(sn_output *o, const char *name)
{
    sn_output_text(o, "o ");
    for (; *name != '\0'; ++name) {
        sn_output_bytes(o, *name == ' ' ? "_" : name, 1);
    }
    sn_output_text(o, "\n");
}

// `before` counts the vertices in the file so far; OBJ counts from 1.
static void write_triangles(sn_output *o, const sn_triangles *t, sn_color color, sn_pose pose, int before)
{
    for (int i = 0; i < t->vertex_count; ++i) {
        write_vector(o, "v", sn_pose_apply(pose, t->positions[i]));
    }
    for (int i = 0; i < t->vertex_count; ++i) {
        write_vector(o, "vn", sn_rotate(pose.rotation, t->normals[i]));
    }
    sn_output_text(o, "usemtl color_%06x\n", (unsigned)color);
    for (int i = 0; i < t->triangle_count; ++i) {
        const uint32_t *v = t->indices + 3 * (size_t)i;
        unsigned first = (unsigned)before + 1;
        unsigned a = first + v[0], b = first + v[1], c = first + v[2];
        sn_output_text(o, "f %u//%u %u//%u %u//%u\n", a, a, b, b, c, c);
    }
}

static bool note_color(obj_state *state, sn_color color)
{
    int at = 0, end = state->colors.count;
    while (at < end) {
        int middle = at + (end - at) / 2;
        if (state->colors.items[middle] < color) {
            at = middle + 1;
        } else {
            end = middle;
        }
    }
    if (at < state->colors.count && state->colors.items[at] == color) {
        return true;
    }
    if (!SN_LIST_PUSH(&state->colors, color)) {
        return false;
    }
    for (int i = state->colors.count - 1; i > at; --i) {
        state->colors.items[i] = state->colors.items[i - 1];
    }
    state->colors.items[at] = color;
    return true;
}

static void write_bodies(const sn_export *writer, sn_output *o)
{
    int before = 0;
    for (int i = 0; i < writer->bodies.count; ++i) {
        const sn_export_body *body = &writer->bodies.items[i];
        write_object_name(o, body->name);
        for (int k = body->first_piece; k < body->first_piece + body->piece_count; ++k) {
            const sn_export_piece *piece = &writer->pieces.items[k];
            write_triangles(o, &piece->triangles, piece->color, body->pose, before);
            before += piece->triangles.vertex_count;
        }
    }
    for (int i = 0; i < writer->softs.count; ++i) {
        const sn_export_soft *soft = &writer->softs.items[i];
        const sn_skin *skin = soft->skin;
        sn_triangles triangles = {skin->positions, skin->normals, skin->indices, skin->vertex_count,
                                  skin->triangle_count};
        write_object_name(o, soft->name);
        write_triangles(o, &triangles, soft->color, sn_pose_identity, before);
        before += skin->vertex_count;
    }
}

static bool note_colors(const sn_export *writer)
{
    bool enough = true;
    for (int i = 0; i < writer->pieces.count && enough; ++i) {
        enough = note_color(writer->state, writer->pieces.items[i].color);
    }
    for (int i = 0; i < writer->softs.count && enough; ++i) {
        enough = note_color(writer->state, writer->softs.items[i].color);
    }
    return enough;
}

static sn_status obj_frame(sn_export *writer)
{
    if (!note_colors(writer)) {
        return sn_scene_fail(SN_ERROR_MEMORY, "export: no memory for the colours");
    }
    int vertices, triangles;
    sn_status status = sn_export_count(writer, true, &vertices, &triangles);
    if (status != SN_OK) {
        return status;
    }
    char *path = sn_export_frame_path(writer, writer->frame_count, "", ".obj");
    sn_output o = {0};
    status = sn_export_open(writer, path, &o);
    if (status != SN_OK) {
        return status;
    }
    sn_output_text(&o, "# time ");
    sn_output_number(&o, writer->time, 15);
    sn_output_text(&o, " s, %d vertices, %d triangles\nmtllib %s.mtl\n", vertices, triangles, writer->name);
    write_bodies(writer, &o);
    return sn_output_close(&o);
}

// --- colours -----------------------------------------------------------------------------------------------

static sn_status obj_end(sn_export *writer)
{
    const obj_state *state = writer->state;
    char *path = sn_export_path(writer, ".mtl");
    sn_output o = {0};
    sn_status status = sn_export_open(writer, path, &o);
    if (status != SN_OK) {
        return status;
    }
    for (int i = 0; i < state->colors.count; ++i) {
        sn_color color = state->colors.items[i];
        sn_vec3 rgb = sn_v((float)(color >> 16 & 255), (float)(color >> 8 & 255), (float)(color & 255));
        sn_output_text(&o, "newmtl color_%06x\n", (unsigned)color);
        write_vector(&o, "Kd", sn_scale(rgb, 1.0f / 255.0f));
        sn_output_text(&o, "Ks 0.1 0.1 0.1\nNs 30\nillum 2\n");
    }
    return sn_output_close(&o);
}

const sn_export_format_parts sn_export_obj = {
    .opens = "_0000.obj",
    .whole_frames = true,
    .begin = obj_begin,
    .frame = obj_frame,
    .end = obj_end,
    .release = obj_release,
};
