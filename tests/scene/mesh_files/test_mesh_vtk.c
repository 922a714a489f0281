// VTK's legacy files: grids and polygons, cells of all versions, exact round trips, and texts that must be
// refused.
#include "scene/mesh_kit.h"

#define HEAD   "# vtk DataFile Version 3.0\ntitle\nASCII\nDATASET "
#define GRID   HEAD "UNSTRUCTURED_GRID\n"
#define POLY   HEAD "POLYDATA\n"
#define POINTS "POINTS 5 float\n0 0 0 1 0 0 0 1 0\n0 0 1 1 1 0\n"

static const char grid_3[] =
    GRID "FIELD FieldData 2\nTIME 1 1 double\n0.5\nname 1 2 string\nhello%20you\n\n" POINTS
         "METADATA\nINFORMATION 1\nNAME L2 LOCATION vtkDataArray\nDATA 2 0 1\n\n"
         "CELLS 6 27\n1 0\n2 0 1\n3 0 2 1\n4 0 1 4 2\n5 0 1 4 2 3\n6 0 1 2 3 4 0\n"
         "CELL_TYPES 6\n1 3 5 9 7 13\n"
         "POINT_DATA 5\nSCALARS x float 1\nLOOKUP_TABLE default\n0 1 2 3 nan\n";
static const char grid_5[] = "# vtk DataFile Version 5.1\nvtk output\nASCII\nDATASET UNSTRUCTURED_GRID\n"
                             "POINTS 5 double\n0 0 0 1 0 0 0 1 0\n0 0 1 1 1 0\n"
                             "CELLS 7 21\nOFFSETS vtktypeint64\n0 1 3 6 \n10 15 21\n"
                             "CONNECTIVITY vtktypeint64\n0 0 1 0 2 1 0 1 4 2\n0 1 4 2 3 0 1 2 3 4 0 \n"
                             "CELL_TYPES 6\n1\n3\n5\n9\n7\n13\n\nCELL_DATA 6\n";
static const char solid[] = GRID "CELL_TYPES 3\n10 10 5\nCELLS 3 14\n4 0 1 2 3\n4 1 4 3 2\n3 0 1 2\n" POINTS;

static void test_cells_of_all_versions_read_alike(void **state)
{
    (void)state;
    const char *const grids[] = {grid_3, grid_5};
    for (size_t i = 0; i < COUNT_OF(grids); ++i) {
        sn_mesh_data data = parse_good("a.vtk", grids[i]);
        assert_int_equal(data.node_count, 5);
        assert_true(data.nodes[3].z == 1.0f && data.nodes[4].y == 1.0f);
        static const uint32_t edges[] = {0, 1};
        static const uint32_t triangles[] = {0, 2, 1, 0, 1, 4, 0, 4, 2, 0, 1, 4, 0, 4, 2, 0, 2, 3};
        check_indices(data.edges, data.edge_count, edges, 1, 2);
        check_indices(data.triangles, data.triangle_count, triangles, 6, 3);
        assert_int_equal(data.tetrahedron_count, 0);
        sn_mesh_data_release(&data);
    }
}

// Sections may come in any order, tetrahedra in any handedness, triangles in any turn.
static void test_solids_are_put_right(void **state)
{
    (void)state;
    sn_mesh_data data = parse_good("a.vtk", solid);
    static const uint32_t tetrahedra[] = {0, 1, 2, 3, 1, 4, 3, 2};
    assert_int_equal(data.tetrahedron_count, 2);
    assert_memory_equal(data.tetrahedra, tetrahedra, 4 * sizeof *tetrahedra);
    static const uint32_t triangles[] = {0, 2, 1};
    check_indices(data.triangles, data.triangle_count, triangles, 1, 3);
    sn_mesh_data_release(&data);
}

static void test_polygonal_data_of_all_versions_reads_alike(void **state)
{
    (void)state;
    static const char *const texts[] = {
        POLY POINTS "VERTICES 1 2\n1 0\nLINES 2 7\n2 0 1\n3 2 3 4\nPOLYGONS 2 9\n3 0 1 2\n4 0 1 4 2\n"
                    "TRIANGLE_STRIPS 1 6\n5 0 1 2 3 4\n",
        "# vtk DataFile Version 5.1\r\n\r\nascii\r\nDATASET polydata\r\n" POINTS
        "VERTICES 2 1\nOFFSETS vtktypeint64\n0 1\nCONNECTIVITY vtktypeint64\n0\n"
        "LINES 3 5\nOFFSETS vtktypeint64\n0 2 5\nCONNECTIVITY vtktypeint64\n0 1 2 3 4\n"
        "POLYGONS 3 7\nOFFSETS vtktypeint32\n0 3 7\nCONNECTIVITY vtktypeint32\n0 1 2 0 1 4 2\n"
        "TRIANGLE_STRIPS 2 5\nOFFSETS vtktypeint64\n0 5\nCONNECTIVITY vtktypeint64\n0 1 2 3 4\n"
        "CELL_DATA 6\nwhatever",
    };
    for (size_t i = 0; i < COUNT_OF(texts); ++i) {
        sn_mesh_data data = parse_good("a.vtk", texts[i]);
        static const uint32_t edges[] = {0, 1, 2, 3, 3, 4};
        static const uint32_t triangles[] = {0, 1, 2, 0, 1, 4, 0, 4, 2, 0, 1, 2, 2, 1, 3, 2, 3, 4};
        check_indices(data.edges, data.edge_count, edges, 3, 2);
        check_indices(data.triangles, data.triangle_count, triangles, 6, 3);
        sn_mesh_data_release(&data);
    }
}

static void test_empty_cell_lists_are_fine(void **state)
{
    (void)state;
    static const char *const texts[] = {
        GRID POINTS,
        GRID POINTS "CELLS 0 0\nCELL_TYPES 0\n",
        GRID POINTS "CELLS 1 0\nOFFSETS vtktypeint64\n0\nCONNECTIVITY vtktypeint64\nCELL_TYPES 0\n",
        GRID POINTS "CELLS 0 0\nOFFSETS vtktypeint64\nCONNECTIVITY vtktypeint64\nCELL_TYPES 0\n",
    };
    for (size_t i = 0; i < COUNT_OF(texts); ++i) {
        sn_mesh_data data = parse_good("a.vtk", texts[i]);
        assert_int_equal(data.node_count, 5);
        assert_int_equal(data.triangle_count + data.edge_count, 0);
        sn_mesh_data_release(&data);
    }
}

static void test_round_trip_is_exact(void **state)
{
    (void)state;
    for (int contents = 0; contents < 16; contents += 2) {
        sn_mesh_data data = awkward_mesh(contents);
        check_round_trip("mesh.vtk", &data);
    }
}

static void test_hostile_heads_are_refused(void **state)
{
    (void)state;
    static const hostile_text texts[] = {
        {"", "a.vtk:1: the file ends, expected #"},
        {"<VTKFile>", "a.vtk:1: \"<VTKFile>\", expected #"},
        {"# vtk DataFile Version 6.0\nt\nASCII\n", "a.vtk:1: version is \"6.0\", expected 1.0 to 5.1"},
        {"# vtk DataFile Version 3.0 beta\n", "a.vtk:1: \"beta\", expected the end of the line"},
        {"# vtk DataFile Version 3.0\nt\nBINARY\n", "a.vtk:3: \"BINARY\", expected ASCII"},
        {HEAD "STRUCTURED_POINTS\n",
         "a.vtk:4: dataset is \"STRUCTURED_POINTS\", expected UNSTRUCTURED_GRID or POLYDATA"},
        {GRID, "a.vtk:5: the file ends without any nodes, expected some"},
        {GRID "POINTS 0 float\n", "a.vtk:6: the file ends without any nodes, expected some"},
        {GRID "POINTS 20000000 float\n0 0 0\n",
         "a.vtk:5: number of points is \"20000000\", expected a whole number from 0 to 16777216"},
        {GRID "POINTS 10000000 float\n0 0 0\n", "a.vtk:5: number of points is 10000000, but what is left of "
                                                "the file has room for 2, expected no more"},
        {GRID "POINTS 2 float\n0 0 0 1 1 NaN\n",
         "a.vtk:6: z coordinate is \"NaN\", expected a number from -1000000 to 1000000"},
        {GRID POINTS POINTS, "a.vtk:8: POINTS again, expected them once"},
        {GRID POINTS "garbage",
         "a.vtk:8: \"garbage\", expected POINTS, CELLS, CELL_TYPES, LINES, POLYGONS …"},
        {GRID POINTS "POLYGONS 1 4\n",
         "a.vtk:8: POLYGONS belongs to another kind of dataset, expected its own"},
        {POLY POINTS "CELL_TYPES 1\n5\n", "a.vtk:8: CELL_TYPES of POLYDATA, expected none"},
        {POLY "FIELD f 1000000\n",
         "a.vtk:5: number of arrays is 1000000, but what is left of the file has room "
         "for 0, expected no more"},
        {POLY "FIELD f 1\nx 1 2 string\nonly one", "a.vtk:7: the file ends, expected the texts of the array"},
    };
    check_hostile(sn_mesh_parse, "a.vtk", texts, COUNT_OF(texts));
}

static void test_hostile_cells_are_refused(void **state)
{
    (void)state;
    static const hostile_text texts[] = {
        {GRID POINTS "CELLS 1 4\n3 0 1 5\nCELL_TYPES 1\n5\n",
         "a.vtk:9: node 5 does not exist, expected 0 to 4"},
        {GRID POINTS "CELLS 1 4\n3 0 1 -1\nCELL_TYPES 1\n5\n",
         "a.vtk:9: node -1 does not exist, expected 0 to 4"},
        {GRID POINTS "CELLS 1 4\n3 0 1 2\nCELL_TYPES 2\n5 5\n",
         "a.vtk:12: 1 cells and 2 cell types, expected as many of both"},
        {GRID POINTS "CELLS 1 4\n3 0 1 2\n", "a.vtk:10: 1 cells and 0 cell types, expected as many of both"},
        {GRID POINTS "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n10\n",
         "a.vtk:9: a cell of type 10 with 3 nodes, expected 4"},
        {GRID POINTS "CELLS 1 3\n2 0 1\nCELL_TYPES 1\n7\n",
         "a.vtk:9: a cell of type 7 with 2 nodes, expected 3 or more"},
        {GRID POINTS "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n300\n",
         "a.vtk:11: cell type is \"300\", expected a whole number from 0 to 255"},
        {GRID POINTS "CELLS 1 4\n9 0 1 2\nCELL_TYPES 1\n7\n",
         "a.vtk:9: size of the cell is \"9\", expected a whole number from 0 to 3"},
        {GRID POINTS "CELLS 1 5\n3 0 1 2 4\nCELL_TYPES 1\n5\n",
         "a.vtk:9: the cells leave 1 numbers over, expected none"},
        {GRID POINTS "CELLS 2147483647 5\n3 0 1 2 4\n", "a.vtk:8: number of cells is 2147483647, but what is "
                                                        "left of the file has room for 7, expected no more"},
        {GRID POINTS "CELLS 1 9\n3 0 1 2\nCELL_TYPES 1\n5\n",
         "a.vtk:12: the file ends, expected a number of the cells"},
        {GRID POINTS "CELLS 1 5\n4 0 1 2 4\nCELL_TYPES 1\n10\n",
         "a.vtk:9: tetrahedron 1 of the file is flat, expected one with a volume"},
        {GRID POINTS "CELLS 1 7\n6 0 1 2 3 4 0\nCELL_TYPES 1\n13\n",
         "a.vtk:12: none of the 1 cells can be used, expected lines (3, 4), polygons (5, 6, 7, 9) or "
         "tetrahedra (10)"},
        {GRID POINTS
         "CELLS 2 3\nOFFSETS vtktypeint64\n1 3\nCONNECTIVITY vtktypeint64\n0 1 2\nCELL_TYPES 1\n5\n",
         "a.vtk:10: first offset is \"1\", expected 0"},
        {GRID POINTS
         "CELLS 2 3\nOFFSETS vtktypeint64\n0 4\nCONNECTIVITY vtktypeint64\n0 1 2\nCELL_TYPES 1\n5\n",
         "a.vtk:10: offset is \"4\", expected a whole number from 0 to 3"},
        {POLY POINTS "POLYGONS 3 6\nOFFSETS vtktypeint64\n0 6 3\nCONNECTIVITY vtktypeint64\n0 1 2 0 1 2\n",
         "a.vtk:10: offset is \"3\", expected 6"},
        {POLY POINTS "POLYGONS 2 3\nOFFSETS vtktypeint64\n0 3\nPOLYGONS", "a.vtk:11: \"POLYGONS\", expected "
                                                                          "CONNECTIVITY"},
        {POLY POINTS "LINES 1 2\n1 0\n", "a.vtk:9: a cell of type 4 with 1 nodes, expected 2 or more"},
        {POLY POINTS "LINES 1 3\n2 0 1\nLINES 1 3\n2 0 1\n", "a.vtk:10: LINES again, expected it once"},
    };
    check_hostile(sn_mesh_parse, "a.vtk", texts, COUNT_OF(texts));
}

static void test_damaged_files_are_survived(void **state)
{
    (void)state;
    const char *const texts[] = {grid_3, grid_5, solid};
    for (size_t i = 0; i < COUNT_OF(texts); ++i) {
        check_prefixes_survive(sn_mesh_parse, "a.vtk", texts[i], strlen(texts[i]));
        check_flips_survive(sn_mesh_parse, "a.vtk", texts[i], strlen(texts[i]), 20000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells_of_all_versions_read_alike),
        cmocka_unit_test(test_solids_are_put_right),
        cmocka_unit_test(test_polygonal_data_of_all_versions_reads_alike),
        cmocka_unit_test(test_empty_cell_lists_are_fine),
        cmocka_unit_test(test_round_trip_is_exact),
        cmocka_unit_test(test_hostile_heads_are_refused),
        cmocka_unit_test(test_hostile_cells_are_refused),
        cmocka_unit_test(test_damaged_files_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
