// STL files as text and as bytes: joined corners, exact round trips, and files that must be refused.
#include "scene/mesh_kit.h"

static const char pyramid[] = "solid a small pyramid\n"
                              "  facet normal 0 0 -1\n    outer loop\n"
                              "      vertex 0 0 0\n      vertex 0 1 0\n      vertex 1 0 0\n"
                              "    endloop\n  endfacet\n"
                              "  facet normal 0 -1 0\n    outer loop\n"
                              "      vertex 0 0 0\n      vertex 1 0 0\n      vertex 0 0 1\n"
                              "    endloop\n  endfacet\n"
                              "  facet normal -1 0 0\n    outer loop\n"
                              "      vertex -0 0 0\n      vertex 0 0 1\n      vertex 0 1 0\n"
                              "    endloop\n  endfacet\n"
                              "  facet normal 0.577 0.577 0.577\n    outer loop\n"
                              "      vertex 1 0 0\n      vertex 0 1 0\n      vertex 0 0 1.0e0\n"
                              "    endloop\n  endfacet\n"
                              "endsolid a small pyramid\n";
static const uint32_t pyramid_triangles[] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 2, 1, 3};

static void put(char *bytes, uint32_t value)
{
    for (int i = 0; i < 4; ++i) {
        bytes[i] = (char)(unsigned char)(value >> (8 * i));
    }
}

enum { PYRAMID_BYTES = 84 + 4 * 50 };

// The pyramid in bytes.
static void make_binary(char bytes[PYRAMID_BYTES], const char *header)
{
    static const float corners[4][3] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}};
    memset(bytes, 0, PYRAMID_BYTES);
    strcpy(bytes, header);
    put(bytes + 80, 4);
    for (size_t i = 0; i < COUNT_OF(pyramid_triangles); ++i) {
        for (size_t k = 0; k < 3; ++k) {
            uint32_t bits;
            memcpy(&bits, &corners[pyramid_triangles[i]][k], sizeof bits);
            put(bytes + 84 + i / 3 * 50 + 12 + (i % 3) * 12 + 4 * k, bits);
        }
    }
}

static void check_pyramid(sn_mesh_data *data)
{
    check_promises(data);
    assert_int_equal(data->node_count, 4);
    assert_true(data->nodes[2].x == 1.0f && data->nodes[3].z == 1.0f);
    check_indices(data->triangles, data->triangle_count, pyramid_triangles, 4, 3);
    sn_mesh_data_release(data);
}

static void test_text_joins_equal_corners(void **state)
{
    (void)state;
    sn_mesh_data data = parse_good("a.stl", pyramid);
    check_pyramid(&data);
}

static void test_bytes_read_like_text(void **state)
{
    (void)state;
    // Programs put what they like into the header, even the word that begins text files.
    static const char *const headers[] = {"", "made somewhere", "solid but binary", "solid\n facet"};
    for (size_t i = 0; i < COUNT_OF(headers); ++i) {
        char bytes[PYRAMID_BYTES];
        make_binary(bytes, headers[i]);
        sn_mesh_data data;
        assert_int_equal(sn_mesh_parse(bytes, sizeof bytes, "a.stl", &data), SN_OK);
        check_pyramid(&data);
    }
}

static void test_dialects_read_alike(void **state)
{
    (void)state;
    static const char *const dialects[] = {
        "solid\nfacet normal nan -nan(ind) 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
        "endfacet\nendsolid",
        "SOLID X\r\nFACET NORMAL 0 0 1\r\nOUTER LOOP\r\nVERTEX 0 0 0\r\nVERTEX 1 0 0\r\nVERTEX 0 1 0\r\n"
        "ENDLOOP\r\nENDFACET\r\nENDSOLID X\r\n",
        "\xEF\xBB\xBF\n solid facet\n facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 "
        "endloop endfacet endsolid facet\n\n",
    };
    for (size_t i = 0; i < COUNT_OF(dialects); ++i) {
        sn_mesh_data data = parse_good("a.stl", dialects[i]);
        static const uint32_t triangle[] = {0, 1, 2};
        assert_int_equal(data.node_count, 3);
        check_indices(data.triangles, data.triangle_count, triangle, 1, 3);
        sn_mesh_data_release(&data);
    }
}

static void test_several_solids_share_corners(void **state)
{
    (void)state;
    char twice[2 * sizeof pyramid];
    snprintf(twice, sizeof twice, "%s%s", pyramid, pyramid);
    sn_mesh_data data = parse_good("a.stl", twice);
    assert_int_equal(data.node_count, 4);
    assert_int_equal(data.triangle_count, 8);
    sn_mesh_data_release(&data);
}

static void test_round_trip_is_exact(void **state)
{
    (void)state;
    // Nodes in the order of their first use, as reading numbers them.
    static const uint32_t triangles[] = {0, 1, 2, 2, 1, 3, 4, 5, 6, 6, 7, 0};
    sn_mesh_data data = awkward_mesh(0);
    data.triangles = (uint32_t *)triangles;
    data.triangle_count = 4;
    check_round_trip("mesh.stl", &data);
}

static void test_tetrahedra_are_written_as_their_boundary(void **state)
{
    (void)state;
    sn_mesh_data data = {.nodes = (sn_vec3[]){{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                         .node_count = 4,
                         .tetrahedra = (uint32_t[]){0, 1, 2, 3},
                         .tetrahedron_count = 1};
    mesh_folder folder = mesh_folder_make();
    mesh_path path = mesh_path_in(&folder, "a.stl");
    assert_int_equal(sn_mesh_file_write(path.text, &data), SN_OK);
    sn_mesh_data back;
    assert_int_equal(sn_mesh_file_read(path.text, &back), SN_OK);
    assert_int_equal(back.triangle_count, 4);
    float volume = 0.0f;
    for (int i = 0; i < 4; ++i) {
        const uint32_t *t = back.triangles + 3 * i;
        volume += sn_dot(back.nodes[t[0]], sn_cross(back.nodes[t[1]], back.nodes[t[2]]));
    }
    assert_true(volume == 1.0f);
    sn_mesh_data_release(&back);
    mesh_folder_remove(&folder);
}

static void test_hostile_texts_are_refused(void **state)
{
    (void)state;
    static const hostile_text texts[] = {
        {"", "a.stl: byte 0: the file has 0 bytes, expected the word solid or a header of 84 bytes"},
        {"hello", "a.stl: byte 0: the file has 5 bytes, expected the word solid or a header of 84 bytes"},
        {"solid", "a.stl:1: the file ends, expected facet or endsolid"},
        {"solid\n", "a.stl:2: the file ends, expected facet or endsolid"},
        {"solid\nendsolid\n", "a.stl:3: the file ends without any nodes, expected some"},
        {"solid\nvertex 0 0 0\n", "a.stl:2: \"vertex\", expected facet or endsolid"},
        {"solid\nfacet 0 0 1\n", "a.stl:2: \"0\", expected normal"},
        {"solid\nfacet normal 0 0\nouter loop\n", "a.stl:3: \"loop\", expected outer"},
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\n",
         "a.stl:4: z coordinate is \"nan\", expected a number from -1000000 to 1000000"},
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 1e7 0\n",
         "a.stl:4: y coordinate is \"1e7\", expected a number from -1000000 to 1000000"},
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\n",
         "a.stl:6: \"endloop\", expected vertex"},
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nvertex 1 1 0\n",
         "a.stl:7: \"vertex\", expected endloop"},
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nfacet\n",
         "a.stl:8: \"facet\", expected endfacet"},
        {"solid\nendsolid\ngarbage\n", "a.stl:3: \"garbage\", expected solid"},
    };
    check_hostile(sn_mesh_parse, "a.stl", texts, COUNT_OF(texts));
}

static void check_bytes_refused(const char *bytes, size_t size, const char *message)
{
    sn_mesh_data data;
    assert_int_equal(sn_mesh_parse(bytes, size, "a.stl", &data), SN_ERROR_FORMAT);
    assert_string_equal(sn_scene_error(), message);
    check_empty(&data);
}

static void test_hostile_bytes_are_refused(void **state)
{
    (void)state;
    char bytes[PYRAMID_BYTES + 1];
    make_binary(bytes, "binary");
    bytes[PYRAMID_BYTES] = '\0';
    check_bytes_refused(bytes, 83,
                        "a.stl: byte 0: the file has 83 bytes, expected the word solid or a header of "
                        "84 bytes");
    check_bytes_refused(bytes, PYRAMID_BYTES - 1,
                        "a.stl: byte 80: the file has 283 bytes, expected 284 for its 4 triangles");
    check_bytes_refused(bytes, PYRAMID_BYTES + 1,
                        "a.stl: byte 80: the file has 285 bytes, expected 284 for its 4 triangles");
    put(bytes + 80, 0xFFFFFFFFu);
    check_bytes_refused(bytes, PYRAMID_BYTES,
                        "a.stl: byte 80: number of triangles is 4294967295, expected 0 to 16777216");
    put(bytes + 80, 0);
    check_bytes_refused(bytes, 84, "a.stl: byte 84: the file ends without any nodes, expected some");
    make_binary(bytes, "binary");
    put(bytes + 84 + 12 + 4, 0x7FC00000u);
    check_bytes_refused(bytes, PYRAMID_BYTES,
                        "a.stl: byte 100: coordinate is nan, expected a number from -1000000 to 1000000");
    put(bytes + 84 + 12 + 4, 0xFF800000u);
    check_bytes_refused(bytes, PYRAMID_BYTES,
                        "a.stl: byte 100: coordinate is -inf, expected a number from -1000000 to 1000000");
    put(bytes + 84 + 12 + 4, 0x49742408u); // the first float above a million
    check_bytes_refused(
        bytes, PYRAMID_BYTES,
        "a.stl: byte 100: coordinate is 1000000.5, expected a number from -1000000 to 1000000");
}

static void test_damaged_files_are_survived(void **state)
{
    (void)state;
    char bytes[PYRAMID_BYTES];
    make_binary(bytes, "binary");
    check_prefixes_survive(sn_mesh_parse, "a.stl", bytes, sizeof bytes);
    check_flips_survive(sn_mesh_parse, "a.stl", bytes, sizeof bytes, 20000);
    check_prefixes_survive(sn_mesh_parse, "a.stl", pyramid, sizeof pyramid - 1);
    check_flips_survive(sn_mesh_parse, "a.stl", pyramid, sizeof pyramid - 1, 20000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_joins_equal_corners),
        cmocka_unit_test(test_bytes_read_like_text),
        cmocka_unit_test(test_dialects_read_alike),
        cmocka_unit_test(test_several_solids_share_corners),
        cmocka_unit_test(test_round_trip_is_exact),
        cmocka_unit_test(test_tetrahedra_are_written_as_their_boundary),
        cmocka_unit_test(test_hostile_texts_are_refused),
        cmocka_unit_test(test_hostile_bytes_are_refused),
        cmocka_unit_test(test_damaged_files_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
