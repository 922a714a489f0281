// Reads what the fuzzer makes up as a mesh file. Whatever the bytes, nothing may crash, leak or hang, and
// what is read keeps its promises. The first byte chooses the format; TetGen's three files are parted by zero
// bytes.
//
// Built and run by tools/fuzz.sh.
//
// FUZZ_MESH_FORMAT in the environment, 0 to 4, keeps it to one format.
#include "scene/mesh_kit.h"

static const char *const paths[] = {"a.obj", "a.stl", "a.msh", "a.vtk"};
enum { TETGEN = COUNT_OF(paths), FORMAT_COUNT };

// The bytes up to the next zero, and past it.
static sn_text_reader next_part(const char **text, size_t *size, const char *path)
{
    const char *end = *size == 0 ? NULL : memchr(*text, '\0', *size);
    size_t length = end == NULL ? *size : (size_t)(end - *text);
    sn_text_reader reader = sn_text_begin(*text, length, path);
    size_t passed = length + (end != NULL);
    *text += passed;
    *size -= passed;
    return reader;
}

static sn_status parse_tetgen(const char *text, size_t size, sn_mesh_data *data)
{
    *data = (sn_mesh_data){0};
    sn_mesh_builder mesh = {0};
    sn_text_reader nodes = next_part(&text, &size, "a.node");
    sn_text_reader elements = next_part(&text, &size, "a.ele");
    sn_text_reader faces = next_part(&text, &size, "a.face");
    sn_status status = sn_tetgen_parse_nodes(&nodes, &mesh);
    status = status ? status : sn_tetgen_parse_elements(&elements, &mesh);
    status = status ? status : sn_tetgen_parse_faces(&faces, &mesh);
    status = status ? status : sn_mesh_finish(&mesh, data);
    sn_mesh_builder_release(&mesh);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) {
        return 0;
    }
    const char *chosen = getenv("FUZZ_MESH_FORMAT");
    size_t format = (chosen != NULL ? (size_t)atoi(chosen) : data[0]) % FORMAT_COUNT;
    const char *text = (const char *)data + 1;
    sn_mesh_data mesh;
    sn_status status = format == TETGEN ? parse_tetgen(text, size - 1, &mesh)
                                        : sn_mesh_parse(text, size - 1, paths[format], &mesh);
    if (status == SN_OK) {
        check_promises(&mesh);
    } else {
        check_empty(&mesh);
        assert_non_null(strstr(sn_scene_error(), "expected"));
    }
    sn_mesh_data_release(&mesh);
    return 0;
}
