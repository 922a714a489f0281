// OBJ files: every kind of line, exact round trips, and texts that must be refused.
#include "scene/mesh_kit.h"

static const char cube[] = "# a cube\n"
                           "mtllib cube.mtl\n"
                           "o cube\n"
                           "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\n"
                           "v -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n"
                           "vn 0 0 1\nvt 0.5 0.5\n"
                           "usemtl red\ns off\n"
                           "f 4 3 2 1\nf 5/1 6/1 7/1 8/1\nf 1//1 2//1 6//1 5//1\nf 2/1/1 3/1/1 7/1/1 6/1/1\n"
                           "f -6 -5 -1 -2\nf -8 -4 -1 -5\n"
                           "l 1 2 3\n";

static void test_polygons_become_fans(void **state)
{
    (void)state;
    sn_mesh_data data = parse_good("cube.obj", cube);
    assert_int_equal(data.node_count, 8);
    assert_int_equal(data.triangle_count, 12);
    static const uint32_t first[] = {3, 2, 1, 3, 1, 0, 4, 5, 6, 4, 6, 7};
    assert_memory_equal(data.triangles, first, sizeof first);
    sn_mesh_data_release(&data);
    data = parse_good("pentagon.obj", "v 0 0 0\nv 1 0 0\nv 2 1 0\nv 1 2 0\nv 0 1 0\nf 1 2 3 4 5\n");
    static const uint32_t fan[] = {0, 1, 2, 0, 2, 3, 0, 3, 4};
    check_indices(data.triangles, data.triangle_count, fan, 3, 3);
    sn_mesh_data_release(&data);
}

static void test_negative_indices_count_back_from_the_latest_vertex(void **state)
{
    (void)state;
    sn_mesh_data data =
        parse_good("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 5 5 5\nf -1 -4 1/2/3\nl -1 1\n");
    static const uint32_t triangles[] = {0, 1, 2, 3, 0, 0};
    check_indices(data.triangles, data.triangle_count, triangles, 2, 3);
    static const uint32_t edges[] = {3, 0};
    check_indices(data.edges, data.edge_count, edges, 1, 2);
    sn_mesh_data_release(&data);
}

static void test_lines_become_edges(void **state)
{
    (void)state;
    sn_mesh_data data = parse_good("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1/1 2/2 3/3\nl 3 1\np 1 2\n");
    static const uint32_t edges[] = {0, 1, 1, 2, 2, 0};
    check_indices(data.edges, data.edge_count, edges, 3, 2);
    assert_int_equal(data.triangle_count, 0);
    sn_mesh_data_release(&data);
}

// Byte order mark, Windows line ends, lines continued, comments at the end of lines, no end of the last line.
static void test_dialects_read_alike(void **state)
{
    (void)state;
    static const char *const dialects[] = {
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
        "\xEF\xBB\xBFv 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n",
        "v 0 \\\n0 0\nv 1\\\r\n0 0\nv 0 1 0\nf 1 2\\\n 3",
        "\t v  0\t0 0 # first\n\n\n   \nv 1 0 0 1.0\nv 0 1 0 0.5 0.5 0.5\nf 1 2 3 # \\\n",
        "v 0 0 0 0.1 0.2 0.3 1\nv 1.0e0 -0e5 .0\nv +0. 10e-1 0\nf 1// 2/ 3\n",
        "f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0",
        "# C:\\meshes\\\nv 0 0 0\nv 1 0 0\nv 0 1 0\nmtllib a.mtl \\\n b.mtl\nf 1 2 3\n",
    };
    sn_mesh_data plain = parse_good("plain.obj", dialects[0]);
    for (size_t i = 1; i < COUNT_OF(dialects); ++i) {
        sn_mesh_data data = parse_good("dialect.obj", dialects[i]);
        assert_int_equal(data.node_count, 3);
        for (int k = 0; k < 3; ++k) {
            assert_true(sn_distance_between(data.nodes[k], plain.nodes[k]) == 0.0f);
        }
        check_indices(data.triangles, data.triangle_count, plain.triangles, 1, 3);
        sn_mesh_data_release(&data);
    }
    sn_mesh_data_release(&plain);
}

static void test_round_trip_is_exact(void **state)
{
    (void)state;
    sn_mesh_data all = awkward_mesh(SN_MESH_EDGES | SN_MESH_TRIANGLES);
    check_round_trip("mesh.obj", &all);
    sn_mesh_data nodes = awkward_mesh(0);
    check_round_trip("nodes.obj", &nodes);
}

static void test_hostile_texts_are_refused(void **state)
{
    (void)state;
    static const hostile_text texts[] = {
        {"", "a.obj:1: the file ends without any nodes, expected some"},
        {"# nothing\n\n", "a.obj:3: the file ends without any nodes, expected some"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\n\nf 1 2 99\n",
         "a.obj:5: vertex index 99 does not exist, expected 1 to 3"},
        {"v 0 0 0\nf 1 1 0\n", "a.obj:2: vertex index 0 does not exist, expected 1 to 1"},
        {"v 0 0 0\nf -1 -1 -2\n", "a.obj:2: vertex index -2 does not exist, expected -1 to -1"},
        {"f -1 -1 -1\nv 0 0 0\n", "a.obj:1: vertex index -1 does not exist, expected nodes before it"},
        {"v 0 0 0\nf 1 1 9223372036854775807\n",
         "a.obj:2: vertex index 9223372036854775807 does not exist, expected 1 to 16777216"},
        {"v 0 0 0\nf 1 1 -9223372036854775807\n",
         "a.obj:2: vertex index -9223372036854775807 does not exist, expected -1 to -1"},
        {"v 0 0 0\nf 1 1 9223372036854775808\n",
         "a.obj:2: vertex index \"9223372036854775808\", expected it like 1, 1/2, 1//3 or 1/2/3"},
        {"v 0 0 0\nf 1 1 1.5\n", "a.obj:2: vertex index \"1.5\", expected it like 1, 1/2, 1//3 or 1/2/3"},
        {"v 0 0 0\nf 1 1 /1\n", "a.obj:2: vertex index \"/1\", expected it like 1, 1/2, 1//3 or 1/2/3"},
        {"v 0 0 0\nf 1 1 1/2/3/4\n",
         "a.obj:2: vertex index \"1/2/3/4\", expected it like 1, 1/2, 1//3 or 1/2/3"},
        {"v 0 0 0\nf 1 1 1/x\n", "a.obj:2: vertex index \"1/x\", expected it like 1, 1/2, 1//3 or 1/2/3"},
        {"v 0 0 0\nf 1 1\n", "a.obj:2: a face of 2 vertices, expected 3 or more"},
        {"v 0 0 0\nf\n", "a.obj:2: a face of 0 vertices, expected 3 or more"},
        {"v 0 0 0\nl 1\n", "a.obj:2: a line of 1 vertices, expected 2 or more"},
        {"v 0 0\n", "a.obj:1: the line ends, expected z coordinate"},
        {"v 0 0", "a.obj:1: the file ends, expected z coordinate"},
        {"v", "a.obj:1: the file ends, expected x coordinate"},
        {"v 0 nan 0\n", "a.obj:1: y coordinate is \"nan\", expected a number from -1000000 to 1000000"},
        {"v -inf 0 0\n", "a.obj:1: x coordinate is \"-inf\", expected a number from -1000000 to 1000000"},
        {"v 0 0 1e39\n", "a.obj:1: z coordinate is \"1e39\", expected a number from -1000000 to 1000000"},
        {"v 0 0 1000001\n",
         "a.obj:1: z coordinate is \"1000001\", expected a number from -1000000 to 1000000"},
        {"v 0,5 0 0\n", "a.obj:1: x coordinate is \"0,5\", expected a number from -1000000 to 1000000"},
        {"v 0x1p3 0 0\n", "a.obj:1: x coordinate is \"0x1p3\", expected a number from -1000000 to 1000000"},
        {"v 0 0 0 red\n", "a.obj:1: \"red\" after the coordinates, expected a weight or a colour"},
        {"v 0 0 0 1 1 1 1 1\n", "a.obj:1: \"1\", expected the end of the line"},
        {"v 0 0 0\ncstype bezier\n",
         "a.obj:2: \"cstype\" begins no known line, expected v, f, l, vn, vt, o, g, s, usemtl …"},
        {"\x89PNG\r\n\x1a\n",
         "a.obj:1: \"?PNG\" begins no known line, expected v, f, l, vn, vt, o, g, s, usemtl …"},
        {"v 0 0 0\nf 1 1 1 \\\n 2 \\\n", "a.obj:3: vertex index 2 does not exist, expected 1 to 1"},
    };
    check_hostile(sn_mesh_parse, "a.obj", texts, COUNT_OF(texts));
}

static void test_zero_bytes_are_no_blanks(void **state)
{
    (void)state;
    static const char text[] = "v 0 0\0 0\n";
    sn_mesh_data data;
    assert_int_equal(sn_mesh_parse(text, sizeof text - 1, "a.obj", &data), SN_ERROR_FORMAT);
    assert_string_equal(sn_scene_error(),
                        "a.obj:1: y coordinate is \"0?\", expected a number from -1000000 to 1000000");
}

static void test_damaged_files_are_survived(void **state)
{
    (void)state;
    check_prefixes_survive(sn_mesh_parse, "cube.obj", cube, sizeof cube - 1);
    check_flips_survive(sn_mesh_parse, "cube.obj", cube, sizeof cube - 1, 20000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_polygons_become_fans),
        cmocka_unit_test(test_negative_indices_count_back_from_the_latest_vertex),
        cmocka_unit_test(test_lines_become_edges),
        cmocka_unit_test(test_dialects_read_alike),
        cmocka_unit_test(test_round_trip_is_exact),
        cmocka_unit_test(test_hostile_texts_are_refused),
        cmocka_unit_test(test_zero_bytes_are_no_blanks),
        cmocka_unit_test(test_damaged_files_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
