// Stencils: all signs, right-handed, filling what is inside, and good angles wherever the surface runs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/meshing/lattice_stencil.h"
#include "support/mesh_quality.h"
#include "support/random.h"
#include <string.h>

#define SIGN_COUNT 81

// A lattice tetrahedron in half cells, right-handed, with its long edges 0–1 and 2–3.
static const sn_vec3 lattice_corners[4] = {{0, 0, 0}, {2, 0, 0}, {1, 1, -1}, {1, 1, 1}};

static void signs_of(int code, int8_t signs[4])
{
    for (int k = 0; k < 4; ++k, code /= 3) {
        signs[k] = (int8_t)(code % 3 - 1);
    }
}

static unsigned even_of(int choice)
{
    return (choice & 1 ? 1u : 2u) | (choice & 2 ? 4u : 8u);
}

static bool is_long(int a, int b)
{
    return (a ^ b) == 1;
}

// Where nodes and cut points of one tetrahedron are.
typedef struct placement {
    sn_vec3 corner[4];
    float cut[4][4]; // of the way from a corner inside to one outside
} placement;

static sn_vec3 place_of(const placement *placement, sn_stencil_point p)
{
    return sn_lerp(placement->corner[p.inside], placement->corner[p.outside],
                   p.inside == p.outside ? 0.0f : placement->cut[p.inside][p.outside]);
}

static double stencil_volume(const sn_stencil *stencil, const placement *placement)
{
    double sum = 0.0;
    for (int t = 0; t < stencil->count; ++t) {
        sn_vec3 corners[4];
        for (int k = 0; k < 4; ++k) {
            corners[k] = place_of(placement, stencil->tetrahedra[t][k]);
        }
        double volume = test_volume(corners);
        assert_true(volume > 0.0);
        sum += volume;
    }
    return sum;
}

// What is inside of a tetrahedron cut by a plane, by f = 1, 0, −1 at its corners: sampled.
static double sampled_volume(const int8_t signs[4])
{
    const int steps = 60;
    int inside = 0, all = 0;
    for (int i = 0; i < steps; ++i) {
        for (int j = 0; i + j < steps; ++j) {
            for (int k = 0; i + j + k < steps; ++k) {
                int l = steps - 1 - i - j - k;
                double f = (i + 0.25) * signs[0] + (j + 0.25) * signs[1] + (k + 0.25) * signs[2] +
                           (l + 0.25) * signs[3];
                all++;
                inside += f > 0.0;
            }
        }
    }
    return (double)inside / all * 2.0 / 3.0; // the lattice tetrahedron's volume is 2/3
}

static void test_stencils_fill_what_a_plane_leaves_inside(void **state)
{
    (void)state;
    for (int code = 0; code < SIGN_COUNT; ++code) {
        placement middle;
        memcpy(middle.corner, lattice_corners, sizeof lattice_corners);
        for (int i = 0; i < 16; ++i) {
            middle.cut[i / 4][i % 4] = 0.5f;
        }
        int8_t signs[4];
        signs_of(code, signs);
        for (int choice = 0; choice < 4; ++choice) {
            sn_stencil stencil;
            sn_lattice_stencil(signs, even_of(choice), &stencil);
            assert_float_equal(stencil_volume(&stencil, &middle), sampled_volume(signs), 0.02);
        }
    }
}

static void test_number_of_tetrahedra_follows_from_the_signs(void **state)
{
    (void)state;
    for (int code = 0; code < SIGN_COUNT; ++code) {
        int8_t signs[4];
        signs_of(code, signs);
        int inside = 0, outside = 0;
        for (int k = 0; k < 4; ++k) {
            inside += signs[k] > 0;
            outside += signs[k] < 0;
        }
        int expected = inside == 0 ? 0 : (outside == 0 || inside == 1 ? 1 : (inside + outside == 4 ? 3 : 2));
        sn_stencil stencil;
        sn_lattice_stencil(signs, 5u, &stencil);
        assert_int_equal(stencil.count, expected);
    }
}

// The triangles a stencil has on the face opposite to one corner, as a set of edges: bit a × 16 + b for two
// points of the face, numbered 0–3 for corners and 4–9 for cut points.
static int point_number(sn_stencil_point p)
{
    static const int edge_number[4][4] = {{0, 4, 5, 6}, {4, 1, 7, 8}, {5, 7, 2, 9}, {6, 8, 9, 3}};
    return edge_number[p.inside][p.outside];
}

static bool is_on_face(sn_stencil_point p, int opposite)
{
    return p.inside != opposite && p.outside != opposite;
}

static void edges_on_face(const sn_stencil *stencil, int opposite, bool edges[10][10])
{
    memset(edges, 0, 100 * sizeof(bool));
    for (int t = 0; t < stencil->count; ++t) {
        for (int i = 0; i < 4; ++i) {
            for (int j = 0; j < 4; ++j) {
                sn_stencil_point a = stencil->tetrahedra[t][i], b = stencil->tetrahedra[t][j];
                if (i != j && is_on_face(a, opposite) && is_on_face(b, opposite)) {
                    edges[point_number(a)][point_number(b)] = true;
                }
            }
        }
    }
}

static void test_faces_are_cut_alike_from_both_sides(void **state)
{
    (void)state;
    // Whatever the sign of the corner that a face does not have, the face is cut the same way, if both sides
    // have something there.
    for (int code = 0; code < SIGN_COUNT; ++code) {
        for (int opposite = 0; opposite < 4; ++opposite) {
            for (int choice = 0; choice < 4; ++choice) {
                int8_t signs[4], others[4];
                signs_of(code, signs);
                memcpy(others, signs, sizeof signs);
                int inside_on_face = 0;
                for (int k = 0; k < 4; ++k) {
                    inside_on_face += k != opposite && signs[k] > 0;
                }
                for (int sign = -1; sign <= 1 && inside_on_face > 0; ++sign) {
                    others[opposite] = (int8_t)sign;
                    sn_stencil a, b;
                    bool a_edges[10][10], b_edges[10][10];
                    sn_lattice_stencil(signs, even_of(choice), &a);
                    sn_lattice_stencil(others, even_of(choice), &b);
                    edges_on_face(&a, opposite, a_edges);
                    edges_on_face(&b, opposite, b_edges);
                    assert_memory_equal(a_edges, b_edges, sizeof a_edges);
                }
            }
        }
    }
}

// Puts nodes on the surface anywhere warping may have moved them, cut points anywhere it leaves them.
static void place_at_random(placement *placement, const int8_t signs[4], test_random *random)
{
    for (int k = 0; k < 4; ++k) {
        placement->corner[k] = lattice_corners[k];
        // Extremes, where the worst angles are, more often than not.
        float amount = test_random_u32(random) % 3 ? 1.0f : test_random_float(random, 0.0f, 1.0f);
        unsigned direction = test_random_u32(random) % 14;
        if (signs[k] != 0) {
            continue;
        }
        sn_vec3 along = {0};
        if (direction < 6) {
            float length = (direction & 1 ? 2.0f : -2.0f) * SN_WARP_LONG;
            along = sn_v(direction / 2 == 0 ? length : 0.0f, direction / 2 == 1 ? length : 0.0f,
                         direction / 2 == 2 ? length : 0.0f);
        } else {
            unsigned bits = direction - 6;
            along = sn_scale(sn_v(bits & 1 ? 1.0f : -1.0f, bits & 2 ? 1.0f : -1.0f, bits & 4 ? 1.0f : -1.0f),
                             SN_WARP_SHORT);
        }
        placement->corner[k] = sn_add_scaled(placement->corner[k], amount, along);
    }
    for (int i = 0; i < 16; ++i) {
        float least = is_long(i / 4, i % 4) ? SN_WARP_LONG : SN_WARP_SHORT;
        unsigned kind = test_random_u32(random) % 4;
        float inner = test_random_float(random, least, 1.0f - least);
        placement->cut[i / 4][i % 4] = kind < 2 ? inner : (kind == 2 ? least : 1.0f - least);
    }
}

// Two nodes cannot have moved towards each other: their edge has one cut point.
static bool is_possible(const placement *placement)
{
    for (int a = 0; a < 4; ++a) {
        for (int b = a + 1; b < 4; ++b) {
            sn_vec3 edge = sn_sub(lattice_corners[b], lattice_corners[a]);
            sn_vec3 from_a = sn_sub(placement->corner[a], lattice_corners[a]);
            sn_vec3 from_b = sn_sub(lattice_corners[b], placement->corner[b]);
            bool a_along = sn_length(from_a) > 0.0f && sn_length(sn_cross(from_a, edge)) < 1.0e-5f;
            bool b_along = sn_length(from_b) > 0.0f && sn_length(sn_cross(from_b, edge)) < 1.0e-5f;
            if (a_along && b_along && sn_dot(from_a, edge) > 0.0f && sn_dot(from_b, edge) > 0.0f) {
                return false;
            }
        }
    }
    return true;
}

static void test_angles_stay_between_ten_and_a_hundred_and_sixty_five_degrees(void **state)
{
    (void)state;
    test_random random = {5};
    test_range angles = {180.0, 0.0};
    for (int code = 0; code < SIGN_COUNT; ++code) {
        int8_t signs[4];
        signs_of(code, signs);
        for (int trial = 0; trial < 4000; ++trial) {
            placement placement;
            sn_stencil stencil;
            place_at_random(&placement, signs, &random);
            sn_lattice_stencil(signs, even_of(trial), &stencil);
            if (!is_possible(&placement)) {
                continue;
            }
            for (int t = 0; t < stencil.count; ++t) {
                sn_vec3 corners[4];
                for (int k = 0; k < 4; ++k) {
                    corners[k] = place_of(&placement, stencil.tetrahedra[t][k]);
                }
                assert_true(test_volume(corners) > 0.0);
                test_add_dihedral_angles(&angles, corners);
            }
        }
    }
    assert_true(angles.lower > 10.0 && angles.lower < 12.0);
    assert_true(angles.upper < 165.0 && angles.upper > 158.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stencils_fill_what_a_plane_leaves_inside),
        cmocka_unit_test(test_number_of_tetrahedra_follows_from_the_signs),
        cmocka_unit_test(test_faces_are_cut_alike_from_both_sides),
        cmocka_unit_test(test_angles_stay_between_ten_and_a_hundred_and_sixty_five_degrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
