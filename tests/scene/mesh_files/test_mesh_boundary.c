// The boundary of tetrahedra, against a count of every face.
#include "scene/mesh_kit.h"

#include "scene/mesh_boundary.h"

static const int face_corners[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};

static bool has(const uint32_t *tetrahedron, uint32_t node)
{
    return tetrahedron[0] == node || tetrahedron[1] == node || tetrahedron[2] == node ||
           tetrahedron[3] == node;
}

// How many faces of the tetrahedra have these three nodes; none of the tetrahedra repeats a node.
static int owners(const uint32_t *tetrahedra, int count, const uint32_t *triangle)
{
    int found = 0;
    for (int i = 0; i < count; ++i) {
        const uint32_t *t = tetrahedra + 4 * i;
        found += has(t, triangle[0]) && has(t, triangle[1]) && has(t, triangle[2]);
    }
    return found;
}

// Random tetrahedra over few nodes, many faces of which are shared by two or more.
static void test_boundary_is_what_belongs_to_one_tetrahedron(void **state)
{
    (void)state;
    test_random random = {11};
    for (int round = 0; round < 200; ++round) {
        enum { NODES = 7 };
        uint32_t tetrahedra[4 * 20];
        int count = 1 + (int)(test_random_u32(&random) % 20);
        for (int i = 0; i < count; ++i) {
            uint32_t order[NODES] = {0, 1, 2, 3, 4, 5, 6};
            for (uint32_t k = 0; k < 4; ++k) {
                uint32_t other = k + test_random_u32(&random) % (NODES - k);
                uint32_t kept = order[k];
                order[k] = order[other];
                order[other] = kept;
                tetrahedra[4 * i + (int)k] = order[k];
            }
        }
        uint32_t *triangles;
        int triangle_count, expected_count = 0;
        assert_int_equal(sn_mesh_boundary(tetrahedra, count, NODES, &triangles, &triangle_count), SN_OK);
        for (int i = 0; i < 4 * count; ++i) {
            const uint32_t *t = tetrahedra + i / 4 * 4;
            const int *corners = face_corners[i % 4];
            uint32_t face[3] = {t[corners[0]], t[corners[1]], t[corners[2]]};
            if (owners(tetrahedra, count, face) == 1) {
                assert_true(expected_count < triangle_count);
                assert_memory_equal(triangles + 3 * expected_count++, face, sizeof face);
            }
        }
        assert_int_equal(triangle_count, expected_count);
        free(triangles);
    }
}

enum {
    SIDE = 4,
    GRID_NODES = (SIDE + 1) * (SIDE + 1) * (SIDE + 1),
    GRID_TETRAHEDRA = 6 * SIDE * SIDE * SIDE
};

// A cube of SIDE³ cells of six tetrahedra around their diagonals: steps along the axes in every order.
static void make_grid(sn_vec3 *nodes, uint32_t *tetrahedra)
{
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    static const uint32_t strides[3] = {1, SIDE + 1, (SIDE + 1) * (SIDE + 1)};
    for (int i = 0; i < GRID_NODES; ++i) {
        nodes[i] = sn_v((float)(i % (SIDE + 1)), (float)(i / (SIDE + 1) % (SIDE + 1)),
                        (float)(i / ((SIDE + 1) * (SIDE + 1))));
    }
    for (int cell = 0; cell < SIDE * SIDE * SIDE; ++cell) {
        uint32_t corner = (uint32_t)(cell % SIDE) * strides[0] + (uint32_t)(cell / SIDE % SIDE) * strides[1] +
                          (uint32_t)(cell / (SIDE * SIDE)) * strides[2];
        for (int k = 0; k < 6; ++k) {
            uint32_t *t = tetrahedra + 4 * (6 * cell + k);
            t[0] = corner;
            t[1] = t[0] + strides[orders[k][0]];
            t[2] = t[1] + strides[orders[k][1]];
            t[3] = t[2] + strides[orders[k][2]];
            if (volume_of(nodes, t) < 0.0) {
                uint32_t kept = t[1];
                t[1] = t[2];
                t[2] = kept;
            }
        }
    }
}

static void test_boundary_of_a_cube_is_closed_and_outward(void **state)
{
    (void)state;
    sn_vec3 nodes[GRID_NODES];
    uint32_t tetrahedra[4 * GRID_TETRAHEDRA];
    make_grid(nodes, tetrahedra);
    uint32_t *triangles;
    int count;
    assert_int_equal(sn_mesh_boundary(tetrahedra, GRID_TETRAHEDRA, GRID_NODES, &triangles, &count), SN_OK);
    assert_int_equal(count, 6 * SIDE * SIDE * 2);
    sn_vec3 center = sn_v(SIDE / 2.0f, SIDE / 2.0f, SIDE / 2.0f);
    sn_vec3 area = {0};
    for (int i = 0; i < count; ++i) {
        sn_vec3 a = nodes[triangles[3 * i]];
        sn_vec3 normal =
            sn_cross(sn_sub(nodes[triangles[3 * i + 1]], a), sn_sub(nodes[triangles[3 * i + 2]], a));
        assert_true(sn_dot(normal, sn_sub(a, center)) == SIDE / 2.0f);
        area = sn_add(area, normal);
    }
    assert_true(sn_length(area) == 0.0f);
    free(triangles);
}

static void test_triangles_of_the_boundary_are_turned_and_others_left(void **state)
{
    (void)state;
    sn_vec3 nodes[GRID_NODES];
    uint32_t tetrahedra[4 * GRID_TETRAHEDRA];
    make_grid(nodes, tetrahedra);
    uint32_t *outward;
    int count;
    assert_int_equal(sn_mesh_boundary(tetrahedra, GRID_TETRAHEDRA, GRID_NODES, &outward, &count), SN_OK);
    uint32_t *triangles = malloc((size_t)(count + 2) * 3 * sizeof *triangles);
    for (int i = 0; i < count; ++i) {
        // Begun at any corner, and every other one the wrong way round.
        for (int k = 0; k < 3; ++k) {
            int corner = (i % 2 == 0 ? k : 2 - k) + i % 3;
            triangles[3 * i + k] = outward[3 * i + corner % 3];
        }
    }
    uint32_t others[6] = {tetrahedra[1], tetrahedra[2], tetrahedra[3], 5, 5, 5};
    memcpy(triangles + 3 * count, others, sizeof others);
    assert_int_equal(sn_mesh_turn_outward(tetrahedra, GRID_TETRAHEDRA, GRID_NODES, triangles, count + 2),
                     SN_OK);
    for (int i = 0; i < count; ++i) {
        const uint32_t *a = outward + 3 * i, *b = triangles + 3 * i;
        int shift = b[0] == a[0] ? 0 : b[1] == a[0] ? 1 : 2;
        assert_true(b[shift] == a[0] && b[(shift + 1) % 3] == a[1] && b[(shift + 2) % 3] == a[2]);
    }
    assert_int_equal(owners(tetrahedra, GRID_TETRAHEDRA, others), 2);
    assert_memory_equal(triangles + 3 * count, others, sizeof others);
    free(triangles);
    free(outward);
}

static void test_nothing_has_no_boundary(void **state)
{
    (void)state;
    uint32_t *triangles = (uint32_t[]){1};
    int count = 1;
    assert_int_equal(sn_mesh_boundary(NULL, 0, 0, &triangles, &count), SN_OK);
    assert_null(triangles);
    assert_int_equal(count, 0);
    // Every face of a tetrahedron that is there twice belongs to two.
    assert_int_equal(sn_mesh_boundary((uint32_t[]){0, 1, 2, 3, 0, 1, 2, 3}, 2, 4, &triangles, &count), SN_OK);
    assert_null(triangles);
    assert_int_equal(sn_mesh_turn_outward(NULL, 0, 3, (uint32_t[]){0, 1, 2}, 1), SN_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boundary_is_what_belongs_to_one_tetrahedron),
        cmocka_unit_test(test_boundary_of_a_cube_is_closed_and_outward),
        cmocka_unit_test(test_triangles_of_the_boundary_are_turned_and_others_left),
        cmocka_unit_test(test_nothing_has_no_boundary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
