// Gmsh files of versions 2.2 and 4.1: dialects, exact round trips, and texts that must be refused.
#include "scene/mesh_kit.h"

#define FORMAT_2 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define FORMAT_4 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NODES_2  "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
#define NODES_4  "$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"

// Node tags with gaps and out of order; a point and a hexahedron-free mix of elements; groups and entities.
static const char mesh_2[] =
    FORMAT_2 "$PhysicalNames\n2\n2 1 \"the skin\"\n3 2 \"flesh\"\n$EndPhysicalNames\n"
             "$Comments\nanything $Nodes 7\n$EndComments\n"
             "$Nodes\n5\n"
             "40 0 0 0\n7 1 0 0\n1000000000000 0 1 0\n3 0 0 1\n8 1 1 0\n"
             "$EndNodes\n"
             "$Elements\n6\n"
             "1 15 2 0 1 40\n"
             "2 1 2 0 1 40 7\n"
             "3 2 2 1 1 40 1000000000000 7\n"
             "4 3 2 1 1 40 7 8 1000000000000\n"
             "9 4 4 2 1 1 1 40 7 1000000000000 3\n"
             "10 4 0 40 1000000000000 7 3\n"
             "$EndElements\n"
             "$NodeData\n1\n\"x\"\n1\n0.0\n3\n0\n1\n1\n1 0.5\n$EndNodeData\n";

static const char mesh_4[] = FORMAT_4 "$PhysicalNames\n1\n2 1 \"the skin\"\n$EndPhysicalNames\n"
                                      "$Entities\n1 0 0 0\n1 0 0 0 0\n$EndEntities\n"
                                      "$Nodes\n4 5 3 1000000000000\n"
                                      "0 1 0 1\n40\n0 0 0\n"
                                      "1 1 1 1\n7\n1 0 0 0.5\n"
                                      "2 1 1 1\n1000000000000\n0 1 0 0.5 0.5\n"
                                      "3 1 0 2\n3\n8\n0 0 1\n1 1 0\n"
                                      "$EndNodes\n"
                                      "$Elements\n5 6 1 10\n"
                                      "0 1 15 1\n1 40\n"
                                      "1 1 1 1\n2 40 7\n"
                                      "2 1 2 1\n3 40 1000000000000 7\n"
                                      "2 1 3 1\n4 40 7 8 1000000000000\n"
                                      "3 1 4 2\n9 40 7 1000000000000 3\n10 40 1000000000000 7 3\n"
                                      "$EndElements\n";

static void check_mesh(const char *text)
{
    sn_mesh_data data = parse_good("a.msh", text);
    assert_int_equal(data.node_count, 5);
    assert_true(data.nodes[2].y == 1.0f && data.nodes[3].z == 1.0f && data.nodes[4].x == 1.0f);
    static const uint32_t edges[] = {0, 1};
    static const uint32_t triangles[] = {0, 2, 1, 0, 1, 4, 0, 4, 2};
    // The second is the first, left-handed, and turned over.
    static const uint32_t tetrahedra[] = {0, 1, 2, 3, 0, 1, 2, 3};
    check_indices(data.edges, data.edge_count, edges, 1, 2);
    check_indices(data.triangles, data.triangle_count, triangles, 3, 3);
    check_indices(data.tetrahedra, data.tetrahedron_count, tetrahedra, 2, 4);
    sn_mesh_data_release(&data);
}

static void test_version_2_reads_sparse_unordered_tags(void **state)
{
    (void)state;
    check_mesh(mesh_2);
}

static void test_version_4_reads_sparse_unordered_tags(void **state)
{
    (void)state;
    check_mesh(mesh_4);
}

static void test_triangles_that_bound_the_tetrahedra_are_turned_outward(void **state)
{
    (void)state;
    sn_mesh_data data = parse_good("a.msh", FORMAT_2 NODES_2
                                   "$Elements\n3\n1 4 0 1 2 3 4\n2 2 0 1 2 3\n3 2 0 2 3 4\n$EndElements\n");
    static const uint32_t triangles[] = {0, 2, 1, 1, 2, 3};
    check_indices(data.triangles, data.triangle_count, triangles, 2, 3);
    sn_mesh_data_release(&data);
}

static void test_elements_without_a_place_are_passed_over(void **state)
{
    (void)state;
    // A pyramid, a triangle of second order and one of order five beside a plain one.
    sn_mesh_data data = parse_good("a.msh", FORMAT_2 NODES_2
                                   "$Elements\n4\n1 7 0 1 2 3 4 1\n2 9 0 1 2 3 4 4 4\n3 2 0 1 2 3\n"
                                   "4 25 0 1 2 3 4 4 4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n$EndElements\n");
    assert_int_equal(data.triangle_count, 1);
    assert_int_equal(data.tetrahedron_count, 0);
    sn_mesh_data_release(&data);
}

static void test_nodes_alone_are_a_mesh(void **state)
{
    (void)state;
    sn_mesh_data data = parse_good("a.msh", FORMAT_4 NODES_4);
    assert_int_equal(data.node_count, 4);
    sn_mesh_data_release(&data);
}

static void test_round_trip_is_exact(void **state)
{
    (void)state;
    for (int contents = 0; contents < 16; contents += 2) {
        sn_mesh_data data = awkward_mesh(contents);
        check_round_trip("mesh.msh", &data);
    }
}

static void test_hostile_texts_of_version_2_are_refused(void **state)
{
    (void)state;
    static const hostile_text texts[] = {
        {"", "a.msh:1: the file ends without any nodes, expected some"},
        {"hello", "a.msh:1: \"hello\", expected a section like $Nodes"},
        {"$MeshFormat\n3.0 0 8\n", "a.msh:2: version is \"3.0\", expected 2.2 or 4.1"},
        {"$MeshFormat\n4.0 0 8\n", "a.msh:2: version is \"4.0\", expected 2.2 or 4.1"},
        {"$MeshFormat\nnew 0 8\n", "a.msh:2: version is \"new\", expected 2.2 or 4.1"},
        {"$MeshFormat\n2.2 1 8\n\1", "a.msh:2: file type is 1 (binary), expected 0 (text)"},
        {"$MeshFormat\n2.2 0 8\n$Nodes\n", "a.msh:3: \"$Nodes\", expected $EndMeshFormat"},
        {NODES_2, "a.msh:1: \"$Nodes\", expected $MeshFormat before it"},
        {FORMAT_2 "$Elements\n",
         "a.msh:4: $Elements before $Nodes, expected one section of elements after that "
         "of nodes"},
        {FORMAT_2 NODES_2 "$Nodes\n", "a.msh:11: $Nodes again, expected one section of nodes"},
        {FORMAT_2 "$Entities\n1 2 3\n", "a.msh:6: the file ends within \"$Entities\", expected its end"},
        {FORMAT_2 NODES_2 "garbage\n", "a.msh:11: \"garbage\", expected a section like $Nodes"},
        {FORMAT_2 "$Nodes\n99999999999\n",
         "a.msh:5: number of nodes is \"99999999999\", expected a whole number from 0 to 16777216"},
        {FORMAT_2 "$Nodes\n16777216\n1 0 0 0\n", "a.msh:5: number of nodes is 16777216, but what is left of "
                                                 "the file has room for 1, expected no more"},
        {FORMAT_2 "$Nodes\n-1\n",
         "a.msh:5: number of nodes is \"-1\", expected a whole number from 0 to 16777216"},
        {FORMAT_2 "$Nodes\n0\n$EndNodes\n", "a.msh:7: the file ends without any nodes, expected some"},
        {FORMAT_2 "$Nodes\n1\n1 0 0 inf\n$EndNodes\n",
         "a.msh:6: z coordinate is \"inf\", expected a number from -1000000 to 1000000"},
        {FORMAT_2 "$Nodes\n1\n-1 0 0 0\n$EndNodes\n",
         "a.msh:6: node tag is \"-1\", expected a whole number from 0 to 9223372036854775807"},
        {FORMAT_2 "$Nodes\n2\n5 0 0 0\n5 1 1 1\n$EndNodes\n",
         "a.msh:8: node tag 5 is there twice, expected each once"},
        {FORMAT_2 "$Nodes\n1\n1 0 0 0\n2 0 0 0\n$EndNodes\n", "a.msh:7: \"2\", expected $EndNodes"},
        {FORMAT_2 NODES_2 "$Elements\n1000\n1 2 0 1 2 3\n",
         "a.msh:12: number of elements is 1000, but what is left of the file has room for 3, expected no "
         "more"},
        {FORMAT_2 NODES_2 "$Elements\n1\n1 2 0 1 2 9\n$EndElements\n",
         "a.msh:13: node 9 does not exist, expected one of the 4 of $Nodes"},
        {FORMAT_2 NODES_2 "$Elements\n1\n1 40 0 1 2 3\n$EndElements\n",
         "a.msh:13: element type 40 is not known, expected 1 to 31, 92 or 93"},
        {FORMAT_2 NODES_2 "$Elements\n1\n1 2 999999999 1 2 3\n$EndElements\n",
         "a.msh:14: tag is \"$EndElements\", expected a whole number"},
        {FORMAT_2 NODES_2 "$Elements\n1\n1 4 0 1 2 3 1\n$EndElements\n",
         "a.msh:13: tetrahedron 1 of the file is flat, expected one with a volume"},
        {FORMAT_2 NODES_2 "$Elements\n1\n1 9 0 1 2 3 4 1 2\n$EndElements\n",
         "a.msh:15: none of the 1 elements can be used, expected lines (1), triangles (2), "
         "quadrangles "
         "(3) or tetrahedra (4)"},
        {FORMAT_2 NODES_2 "$Elements\n1\n1 2 0 1 2", "a.msh:13: the file ends, expected node tag"},
    };
    check_hostile(sn_mesh_parse, "a.msh", texts, COUNT_OF(texts));
}

static void test_hostile_texts_of_version_4_are_refused(void **state)
{
    (void)state;
    static const hostile_text texts[] = {
        {FORMAT_4 "$Nodes\n1 99999999 1 2\n",
         "a.msh:5: number of nodes is \"99999999\", expected a whole number from 0 to 16777216"},
        {FORMAT_4 "$Nodes\n2000000000 0 1 2\n",
         "a.msh:5: number of blocks is 2000000000, but what is left of the file has room for 1, expected no "
         "more"},
        {FORMAT_4 "$Nodes\n1 1 1 1\n4 1 0 1\n1\n0 0 0\n$EndNodes\n",
         "a.msh:6: dimension is \"4\", expected a whole number from 0 to 3"},
        {FORMAT_4 "$Nodes\n1 1 1 1\n3 1 2 1\n1\n0 0 0\n$EndNodes\n",
         "a.msh:6: parametric flag is \"2\", expected a whole number from 0 to 1"},
        {FORMAT_4 "$Nodes\n1 1 1 1\n3 1 0 2\n1\n2\n0 0 0\n1 1 1\n$EndNodes\n",
         "a.msh:6: size of the block is \"2\", expected a whole number from 0 to 1"},
        {FORMAT_4 "$Nodes\n1 2 1 1\n3 1 0 1\n1\n0 0 0\n$EndNodes\n",
         "a.msh:8: the blocks lack 1 nodes, expected as many as announced"},
        {FORMAT_4 "$Nodes\n1 1 1 1\n3 1 1 1\n1\n0 0 0\n$EndNodes\n",
         "a.msh:9: parametric coordinate is \"$EndNodes\", expected a number from -3.40282347e+38 to "
         "3.40282347e+38"},
        {FORMAT_4 NODES_4 "$Elements\n1 1 1 1\n3 1 32 1\n1 1 2 3 4\n$EndElements\n",
         "a.msh:18: element type 32 is not known, expected 1 to 31, 92 or 93"},
        {FORMAT_4 NODES_4 "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 0\n$EndElements\n",
         "a.msh:19: node 0 does not exist, expected one of the 4 of $Nodes"},
        {FORMAT_4 NODES_4 "$Elements\n2 2 1 1\n3 1 4 1\n1 1 2 3 4\n3 1 4 0\n$EndElements\n",
         "a.msh:20: the blocks lack 1 elements, expected as many as announced"},
        {FORMAT_4 NODES_4 "$Elements\n0 0 0 0\n$EndElements\n$Elements\n",
         "a.msh:19: $Elements again, expected one section of elements after that of nodes"},
    };
    check_hostile(sn_mesh_parse, "a.msh", texts, COUNT_OF(texts));
}

static void test_damaged_files_are_survived(void **state)
{
    (void)state;
    check_prefixes_survive(sn_mesh_parse, "a.msh", mesh_2, sizeof mesh_2 - 1);
    check_prefixes_survive(sn_mesh_parse, "a.msh", mesh_4, sizeof mesh_4 - 1);
    check_flips_survive(sn_mesh_parse, "a.msh", mesh_2, sizeof mesh_2 - 1, 20000);
    check_flips_survive(sn_mesh_parse, "a.msh", mesh_4, sizeof mesh_4 - 1, 20000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_version_2_reads_sparse_unordered_tags),
        cmocka_unit_test(test_version_4_reads_sparse_unordered_tags),
        cmocka_unit_test(test_triangles_that_bound_the_tetrahedra_are_turned_outward),
        cmocka_unit_test(test_elements_without_a_place_are_passed_over),
        cmocka_unit_test(test_nodes_alone_are_a_mesh),
        cmocka_unit_test(test_round_trip_is_exact),
        cmocka_unit_test(test_hostile_texts_of_version_2_are_refused),
        cmocka_unit_test(test_hostile_texts_of_version_4_are_refused),
        cmocka_unit_test(test_damaged_files_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
