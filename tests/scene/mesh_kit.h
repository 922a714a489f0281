// What the tests of mesh files share: meshes to write and read back, folders to do it in, and hostile texts.
#ifndef TESTS_SCENE_MESH_KIT_H
#define TESTS_SCENE_MESH_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "scene/mesh_formats.h"
#include "scene/message.h"
#include "sinew_scene/scene.h"
#include "support/random.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

// --- folders -----------------------------------------------------------------------------------------------

typedef struct mesh_folder {
    char path[64];
} mesh_folder;

static inline mesh_folder mesh_folder_make(void)
{
    mesh_folder folder = {"/tmp/sinew_mesh_XXXXXX"};
    assert_non_null(mkdtemp(folder.path));
    return folder;
}

static inline void mesh_folder_remove(mesh_folder *folder)
{
    DIR *entries = opendir(folder->path);
    assert_non_null(entries);
    for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder->path, entry->d_name);
        if (entry->d_name[0] != '.') {
            assert_int_equal(remove(path), 0);
        }
    }
    closedir(entries);
    assert_int_equal(rmdir(folder->path), 0);
}

typedef struct mesh_path {
    char text[512];
} mesh_path;

static inline mesh_path mesh_path_in(const mesh_folder *folder, const char *name)
{
    mesh_path path;
    snprintf(path.text, sizeof path.text, "%s/%s", folder->path, name);
    return path;
}

static inline void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static inline void write_text(const char *path, const char *text)
{
    write_bytes(path, text, strlen(text));
}

// --- meshes ------------------------------------------------------------------------------------------------

// Six times the volume of a tetrahedron.
static inline double volume_of(const sn_vec3 *nodes, const uint32_t *tetrahedron)
{
    double e[3][3];
    for (int i = 0; i < 3; ++i) {
        sn_vec3 a = nodes[tetrahedron[0]], b = nodes[tetrahedron[i + 1]];
        e[i][0] = (double)b.x - (double)a.x;
        e[i][1] = (double)b.y - (double)a.y;
        e[i][2] = (double)b.z - (double)a.z;
    }
    return (e[0][1] * e[1][2] - e[0][2] * e[1][1]) * e[2][0] +
           (e[0][2] * e[1][0] - e[0][0] * e[1][2]) * e[2][1] +
           (e[0][0] * e[1][1] - e[0][1] * e[1][0]) * e[2][2];
}

// Whatever was read keeps the promises of sn_mesh_data.
static inline void check_promises(const sn_mesh_data *data)
{
    assert_true(data->node_count > 0);
    for (int i = 0; i < data->node_count; ++i) {
        sn_vec3 p = sn_abs3(data->nodes[i]);
        assert_true(p.x <= SN_MAX_COORDINATE && p.y <= SN_MAX_COORDINATE && p.z <= SN_MAX_COORDINATE);
    }
    uint32_t nodes = (uint32_t)data->node_count;
    for (int i = 0; i < 2 * data->edge_count; ++i) {
        assert_true(data->edges[i] < nodes);
    }
    for (int i = 0; i < 3 * data->triangle_count; ++i) {
        assert_true(data->triangles[i] < nodes);
    }
    for (int i = 0; i < 4 * data->tetrahedron_count; ++i) {
        assert_true(data->tetrahedra[i] < nodes);
    }
    for (int i = 0; i < data->tetrahedron_count; ++i) {
        assert_true(volume_of(data->nodes, data->tetrahedra + 4 * i) > 0.0);
    }
}

static inline void check_empty(const sn_mesh_data *data)
{
    assert_true(data->nodes == NULL && data->edges == NULL && data->triangles == NULL &&
                data->tetrahedra == NULL);
    assert_int_equal(data->node_count + data->edge_count + data->triangle_count + data->tetrahedron_count, 0);
}

static inline void check_indices(const uint32_t *indices, int count, const uint32_t *expected,
                                 int expected_count, int corners)
{
    assert_int_equal(count, expected_count);
    if (count > 0) {
        assert_memory_equal(indices, expected, (size_t)count * (size_t)corners * sizeof *indices);
    }
}

// Bit for bit.
static inline void check_same_mesh(const sn_mesh_data *a, const sn_mesh_data *b)
{
    assert_int_equal(a->node_count, b->node_count);
    assert_memory_equal(a->nodes, b->nodes, (size_t)a->node_count * sizeof *a->nodes);
    check_indices(a->edges, a->edge_count, b->edges, b->edge_count, 2);
    check_indices(a->triangles, a->triangle_count, b->triangles, b->triangle_count, 3);
    check_indices(a->tetrahedra, a->tetrahedron_count, b->tetrahedra, b->tetrahedron_count, 4);
}

enum { AWKWARD_NODES = 8 };

// Numbers that are hard to print and read: nearly everything a float can be within the bounds.
static const sn_vec3 awkward_nodes[AWKWARD_NODES] = {{0.0f, -0.0f, 1.0f / 3.0f},
                                                     {1.0f, 1.40129846e-45f, 0.1f},
                                                     {0.0f, 1.17549435e-38f, -1.0f},
                                                     {0.3f, 0.7f, 16.777217f},
                                                     {999999.938f, -1e6f, 0.2f},
                                                     {3.14159274f, 2.71828175f, 1e-7f},
                                                     {-1.17549421e-38f, 0.9999999f, 1.0000001f},
                                                     {-0.0123456789f, 12345.6789f, 8388607.5e-3f}};
static const uint32_t awkward_edges[] = {0, 1, 7, 4, 5, 6};
static const uint32_t awkward_triangles[] = {0, 1, 2, 4, 5, 6, 7, 0, 3, 3, 2, 1};
// Unrelated to the triangles above, which are therefore left as they are.
static const uint32_t awkward_tetrahedra[] = {0, 5, 2, 3, 1, 6, 4, 3};

// A mesh of all kinds of elements; the arrays are constant.
static inline sn_mesh_data awkward_mesh(int contents)
{
    sn_mesh_data data = {.nodes = (sn_vec3 *)awkward_nodes, .node_count = AWKWARD_NODES};
    if (contents & SN_MESH_EDGES) {
        data.edges = (uint32_t *)awkward_edges;
        data.edge_count = COUNT_OF(awkward_edges) / 2;
    }
    if (contents & SN_MESH_TRIANGLES) {
        data.triangles = (uint32_t *)awkward_triangles;
        data.triangle_count = COUNT_OF(awkward_triangles) / 3;
    }
    if (contents & SN_MESH_TETRAHEDRA) {
        data.tetrahedra = (uint32_t *)awkward_tetrahedra;
        data.tetrahedron_count = COUNT_OF(awkward_tetrahedra) / 4;
    }
    return data;
}

// Writes the mesh, reads it again and compares every bit.
static inline void check_round_trip(const char *name, const sn_mesh_data *data)
{
    mesh_folder folder = mesh_folder_make();
    mesh_path path = mesh_path_in(&folder, name);
    sn_mesh_data back;
    if (sn_mesh_file_write(path.text, data) != SN_OK || sn_mesh_file_read(path.text, &back) != SN_OK) {
        fail_msg("%s", sn_scene_error());
    }
    check_promises(&back);
    check_same_mesh(data, &back);
    sn_mesh_data_release(&back);
    check_empty(&back);
    mesh_folder_remove(&folder);
}

// Reads a text that must be good.
static inline sn_mesh_data parse_good(const char *path, const char *text)
{
    sn_mesh_data data;
    if (sn_mesh_parse(text, strlen(text), path, &data) != SN_OK) {
        fail_msg("%s", sn_scene_error());
    }
    check_promises(&data);
    return data;
}

// --- hostile texts -----------------------------------------------------------------------------------------

// sn_mesh_parse, or what a test makes of it.
typedef sn_status mesh_parse(const char *text, size_t size, const char *path, sn_mesh_data *data);

typedef struct hostile_text {
    const char *text;
    const char *message; // what sn_scene_error() must say, in full
} hostile_text;

static inline void check_hostile(mesh_parse *parse, const char *path, const hostile_text *texts, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        sn_mesh_data data;
        (void)sn_scene_fail(SN_OK, "no message");
        assert_int_equal(parse(texts[i].text, strlen(texts[i].text), path, &data), SN_ERROR_FORMAT);
        assert_string_equal(sn_scene_error(), texts[i].message);
        check_empty(&data);
    }
}

// Parses bytes in a block of their very size, so that reading beyond it is noticed. Good or not, nothing
// breaks, and a refusal says where: "path:line: " or, in binary files, "path: byte 84: ".
static inline void check_survives(mesh_parse *parse, const char *path, const char *bytes, size_t size)
{
    char *copy = malloc(size + (size == 0));
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    sn_mesh_data data;
    sn_status status = parse(copy, size, path, &data);
    if (status == SN_OK) {
        check_promises(&data);
    } else {
        const char *message = sn_scene_error();
        size_t length = strlen(path);
        unsigned place;
        assert_int_equal(status, SN_ERROR_FORMAT);
        assert_memory_equal(message, path, length);
        assert_true(sscanf(message + length, ":%u: ", &place) == 1 ||
                    sscanf(message + length, ": byte %u: ", &place) == 1);
        assert_non_null(strstr(message, "expected"));
        check_empty(&data);
    }
    sn_mesh_data_release(&data);
    free(copy);
}

static inline void check_prefixes_survive(mesh_parse *parse, const char *path, const char *bytes, size_t size)
{
    for (size_t i = 0; i <= size; ++i) {
        check_survives(parse, path, bytes, i);
    }
}

// Bytes of no meaning, and bytes that mean something to a parser, in one to four places.
static inline void check_flips_survive(mesh_parse *parse, const char *path, const char *bytes, size_t size,
                                       int rounds)
{
    static const char meaningful[] = "0123456789-+.eE \t\r\n#\\/$\"%,vfl\0\x7f\x80\xff";
    test_random random = {size};
    char *changed = malloc(size);
    assert_non_null(changed);
    for (int i = 0; i < rounds; ++i) {
        memcpy(changed, bytes, size);
        for (uint32_t k = 0; k <= test_random_u32(&random) % 4; ++k) {
            uint32_t value = test_random_u32(&random);
            bool any = value % 4 == 0;
            changed[test_random_u32(&random) % size] =
                any ? (char)(value >> 8) : meaningful[(value >> 8) % (sizeof meaningful - 1)];
        }
        check_survives(parse, path, changed, size);
    }
    free(changed);
}

#endif
