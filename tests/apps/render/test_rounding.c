// Coarse surfaces made round: places and normals of the middles of edges, and that nothing gapes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "apps/render/primitives.h"
#include "apps/render/rounding.h"
#include "sinew/sinew.h"

#include <math.h>
#include <string.h>

static const uint32_t octahedron[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                                        2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
static const sn_vec3 poles[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};

static void test_a_ball_of_eight_triangles_becomes_rounder(void **state)
{
    (void)state;
    rounding first, second;
    sn_vec3 positions[128], normals[128];
    memcpy(positions, poles, sizeof poles);
    memcpy(normals, poles, sizeof poles);
    assert_true(rounding_plan(&first, octahedron, 24, 6, NULL));
    assert_int_equal(first.edges.count, 12);
    assert_int_equal(first.indices.count, 4 * 24);
    rounding_apply(&first, positions, normals);
    for (int i = 6; i < 18; ++i) {
        // The chord is at 0.707; the circle at 1; a quarter of a turn is as much as can be.
        assert_in_range((int)(1000.0f * sn_length(positions[i])), 880, 1000);
        assert_float_equal(sn_dot(normals[i], sn_normalize(positions[i])), 1.0f, 1e-5f);
    }
    assert_true(rounding_plan(&second, first.indices.items, first.indices.count, 18, NULL));
    rounding_apply(&second, positions, normals);
    for (int i = 18; i < 18 + second.edges.count; ++i) {
        assert_in_range((int)(1000.0f * sn_length(positions[i])), 850, 1010);
    }
    rounding_release(&first);
    rounding_release(&second);
}

static void test_flat_triangles_stay_flat(void **state)
{
    (void)state;
    rounding plan;
    const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
    sn_vec3 positions[16] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, normals[16];
    for (int i = 0; i < 4; ++i) {
        normals[i] = sn_v(0.0f, 0.0f, 1.0f);
    }
    assert_true(rounding_plan(&plan, indices, 6, 4, NULL));
    assert_int_equal(plan.edges.count, 5);
    rounding_apply(&plan, positions, normals);
    for (int i = 0; i < 9; ++i) {
        assert_float_equal(positions[i].z, 0.0f, 0.0f);
        assert_float_equal(normals[i].z, 1.0f, 1e-6f);
    }
    rounding_release(&plan);
}

// A mesh is closed if, by places, every side of a triangle is run as often one way as the other.
static bool has_partner(const solid_mesh *mesh, int side)
{
    sn_vec3 a = mesh->vertices[mesh->indices[side]].corner;
    sn_vec3 b = mesh->vertices[mesh->indices[side - side % 3 + (side + 1) % 3]].corner;
    for (int i = 0; i < mesh->index_count; ++i) {
        sn_vec3 c = mesh->vertices[mesh->indices[i]].corner;
        sn_vec3 d = mesh->vertices[mesh->indices[i - i % 3 + (i + 1) % 3]].corner;
        if (memcmp(&a, &d, sizeof a) == 0 && memcmp(&b, &c, sizeof b) == 0) {
            return true;
        }
    }
    return false;
}

static void test_a_cylinder_becomes_rounder_and_stays_closed_at_its_sharp_edges(void **state)
{
    (void)state;
    enum { SIDES = 16 };
    sn_vec3 points[2 * SIDES];
    for (int i = 0; i < SIDES; ++i) {
        float angle = 2.0f * SN_PI * (float)i / SIDES;
        points[2 * i] = sn_v(sn_cos(angle), -0.5f, sn_sin(angle));
        points[2 * i + 1] = sn_v(sn_cos(angle), 0.5f, sn_sin(angle));
    }
    sn_hull *hull;
    assert_int_equal(sn_hull_create(points, 2 * SIDES, 0, &hull), SN_OK);
    sn_solid solid = {.type = SN_HULL, .pose = sn_pose_identity, .hull = hull};
    solid_mesh mesh;
    assert_true(solid_mesh_hulls(&solid, 1, &mesh));
    int before = mesh.index_count;
    assert_true(solid_mesh_round(&mesh));
    assert_int_equal(mesh.index_count, 16 * before);
    int on_rim = 0;
    for (int i = 0; i < mesh.vertex_count; ++i) {
        sn_vec3 place = mesh.vertices[i].corner;
        float radius = sqrtf(place.x * place.x + place.z * place.z);
        assert_true(radius < 1.001f && fabsf(place.y) < 0.501f);
        on_rim += radius > 0.998f;
    }
    // Corners of sixteen sides are 0.02 outside their middles: now all of the rim is as far out.
    assert_true(on_rim > 4 * 2 * SIDES);
    for (int i = 0; i < mesh.index_count; ++i) {
        assert_true(has_partner(&mesh, i));
    }
    solid_mesh_release(&mesh);
    sn_hull_destroy(hull);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_ball_of_eight_triangles_becomes_rounder),
        cmocka_unit_test(test_flat_triangles_stay_flat),
        cmocka_unit_test(test_a_cylinder_becomes_rounder_and_stays_closed_at_its_sharp_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
