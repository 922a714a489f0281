// Mass properties: closed forms against fine meshes, meshes against hand calculation, how masses move and
// add.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/shapes/compound.h"
#include "geometry/shapes/mass.h"
#include "support/memory.h"
#include "support/random.h"
#include <float.h>
#include <string.h>

static sn_pose random_pose(test_random *random, float reach)
{
    sn_vec3 position = test_random_vec3(random, reach);
    return (sn_pose){position, test_random_rotation(random)};
}

static void assert_close(float value, float expected, float tolerance)
{
    assert_float_equal(value, expected, tolerance * (1.0e-30f + sn_abs(expected)));
}

// Inertias differ by less than a fraction of the larger one's trace, entry by entry.
static void assert_masses_agree(sn_mass a, sn_mass b, float tolerance)
{
    float trace = b.inertia.x.x + b.inertia.y.y + b.inertia.z.z;
    assert_close(a.mass, b.mass, tolerance);
    float size = sqrtf(trace / b.mass) + sn_length(b.center);
    assert_true(sn_distance_between(a.center, b.center) <= tolerance * size);
    sn_mat3 difference = sn_mat3_add(a.inertia, sn_mat3_scale(b.inertia, -1.0f));
    assert_true(sn_length(difference.x) <= tolerance * trace);
    assert_true(sn_length(difference.y) <= tolerance * trace);
    assert_true(sn_length(difference.z) <= tolerance * trace);
}

// --- meshes ------------------------------------------------------------------------------------------------

#define MAX_VERTICES  20000
#define MAX_TRIANGLES 40000

typedef struct mesh {
    sn_vec3 vertices[MAX_VERTICES];
    uint32_t triangles[3 * MAX_TRIANGLES];
    int vertex_count, triangle_count;
} mesh;

static void add_triangle(mesh *m, int a, int b, int c)
{
    uint32_t *t = m->triangles + 3 * m->triangle_count++;
    t[0] = (uint32_t)a;
    t[1] = (uint32_t)b;
    t[2] = (uint32_t)c;
}

// A ball of radius 1 with its upper half lifted by `length`: a capsule along y, or a sphere. The equator is
// doubled, so that the cylinder between is there.
static void make_round(mesh *m, float length, int rings, int sectors)
{
    m->vertex_count = m->triangle_count = 0;
    m->vertices[m->vertex_count++] = sn_v(0.0f, -1.0f, 0.0f);
    for (int i = 1; i <= 2 * rings; ++i) {
        bool upper = i > rings;
        double latitude = 1.5707963267948966 * ((upper ? i - 1 : i) - rings) / rings;
        for (int j = 0; j < sectors; ++j) {
            double longitude = 6.283185307179586 * j / sectors;
            m->vertices[m->vertex_count++] = sn_v((float)(cos(latitude) * cos(longitude)),
                                                  (float)(sin(latitude) + (upper ? length : 0.0f)),
                                                  (float)(cos(latitude) * sin(longitude)));
        }
    }
    int top = m->vertex_count;
    m->vertices[m->vertex_count++] = sn_v(0.0f, 1.0f + length, 0.0f);
    for (int j = 0; j < sectors; ++j) {
        int k = (j + 1) % sectors, last = 1 + (2 * rings - 1) * sectors;
        add_triangle(m, 0, 1 + j, 1 + k);
        for (int i = 0; i + 1 < 2 * rings; ++i) {
            int a = 1 + i * sectors;
            add_triangle(m, a + j, a + sectors + j, a + k);
            add_triangle(m, a + k, a + sectors + j, a + sectors + k);
        }
        add_triangle(m, last + k, last + j, top);
    }
}

static const uint32_t box_triangles[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                           2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};

static void make_box(sn_vec3 vertices[8], sn_vec3 half)
{
    for (int i = 0; i < 8; ++i) {
        vertices[i] = sn_v(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    }
}

static sn_mass solid_mass(sn_solid solid, float density)
{
    sn_mass mass;
    assert_int_equal(sn_solid_mass(&solid, density, &mass), SN_OK);
    return mass;
}

static sn_mass mesh_mass(const mesh *m, float density)
{
    sn_mass mass;
    assert_int_equal(
        sn_mesh_mass(m->vertices, m->vertex_count, m->triangles, m->triangle_count, density, &mass), SN_OK);
    return mass;
}

// --- closed forms ------------------------------------------------------------------------------------------

static void test_sphere_is_what_fine_meshes_converge_to(void **state)
{
    (void)state;
    static mesh m;
    sn_solid sphere = {.type = SN_SPHERE, .pose = sn_pose_identity, .sphere = {{0, 0, 0}, 1}};
    sn_mass expected = solid_mass(sphere, 2.0f);
    assert_close(expected.mass, 8.0f / 3.0f * SN_PI, 1.0e-6f);
    assert_close(expected.inertia.x.x, 0.4f * 8.0f / 3.0f * SN_PI, 1.0e-6f);
    make_round(&m, 0.0f, 16, 64);
    float coarse = 1.0f - mesh_mass(&m, 2.0f).mass / expected.mass;
    make_round(&m, 0.0f, 32, 128);
    float fine = 1.0f - mesh_mass(&m, 2.0f).mass / expected.mass;
    assert_true(coarse > 3.9f * fine && coarse < 4.1f * fine); // second order
    assert_masses_agree(mesh_mass(&m, 2.0f), expected, 2.0e-3f);
    make_round(&m, 0.0f, 45, 200);
    assert_masses_agree(mesh_mass(&m, 2.0f), expected, 1.0e-3f);
}

static void test_capsule_is_what_fine_meshes_converge_to(void **state)
{
    (void)state;
    static mesh m;
    static const float lengths[] = {0.01f, 1.0f, 20.0f};
    for (int i = 0; i < 3; ++i) {
        sn_solid capsule = {
            .type = SN_CAPSULE, .pose = sn_pose_identity, .capsule = {{0, 0, 0}, {0, lengths[i], 0}, 1}};
        make_round(&m, lengths[i], 45, 200);
        assert_masses_agree(mesh_mass(&m, 3.0f), solid_mass(capsule, 3.0f), 1.0e-3f);
    }
}

static void test_capsule_turns_with_its_axis(void **state)
{
    (void)state;
    test_random random = {6};
    for (int i = 0; i < 100; ++i) {
        sn_pose pose = random_pose(&random, 5);
        sn_solid upright = {.type = SN_CAPSULE, .pose = pose, .capsule = {{0, -1, 0}, {0, 1, 0}, 0.3f}};
        sn_solid turned = {.type = SN_CAPSULE, .pose = sn_pose_identity};
        turned.capsule =
            (sn_capsule){sn_pose_apply(pose, sn_v(0, -1, 0)), sn_pose_apply(pose, sn_v(0, 1, 0)), 0.3f};
        assert_masses_agree(solid_mass(upright, 700.0f), solid_mass(turned, 700.0f), 2.0e-6f);
    }
}

static void test_box_agrees_with_its_mesh_and_by_hand(void **state)
{
    (void)state;
    sn_solid box = {.type = SN_BOX, .pose = sn_pose_identity, .box = {{1, 2, 3}}};
    sn_mass mass = solid_mass(box, 10.0f), by_mesh;
    assert_close(mass.mass, 480.0f, 1.0e-6f);
    assert_close(mass.inertia.x.x, 480.0f / 12.0f * (16.0f + 36.0f), 1.0e-6f);
    assert_close(mass.inertia.y.y, 480.0f / 12.0f * (4.0f + 36.0f), 1.0e-6f);
    assert_close(mass.inertia.z.z, 480.0f / 12.0f * (4.0f + 16.0f), 1.0e-6f);
    sn_vec3 vertices[8];
    make_box(vertices, sn_v(1, 2, 3));
    assert_int_equal(sn_mesh_mass(vertices, 8, box_triangles, 12, 10.0f, &by_mesh), SN_OK);
    assert_masses_agree(by_mesh, mass, 1.0e-6f);
}

// Corner at the origin, edges 1 along the axes: volume 1/6, centre at 1/4, inertia about the centre 1/80 on
// the diagonal and 1/480 off it.
static void test_tetrahedron_by_hand(void **state)
{
    (void)state;
    const sn_vec3 vertices[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const uint32_t triangles[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    sn_mass mass;
    assert_int_equal(sn_mesh_mass(vertices, 4, triangles, 4, 1.0f, &mass), SN_OK);
    sn_mass expected = {1.0f / 6.0f,
                        {0.25f, 0.25f, 0.25f},
                        {{1 / 80.0f, 1 / 480.0f, 1 / 480.0f},
                         {1 / 480.0f, 1 / 80.0f, 1 / 480.0f},
                         {1 / 480.0f, 1 / 480.0f, 1 / 80.0f}}};
    assert_masses_agree(mass, expected, 1.0e-6f);
    assert_masses_agree(sn_mass_of_triangles(vertices, triangles, 4), expected, 1.0e-6f);
}

// A regular prism of n sides: area n/2 sin 2π/n, polar moment area × (2 + cos 2π/n)/6, for radius 1.
static void test_cylinder_hull_is_a_regular_prism(void **state)
{
    (void)state;
    for (int sides = 3; sides <= 64; ++sides) {
        sn_hull *hull = NULL;
        assert_int_equal(sn_hull_cylinder(3.0f, 1.0f, 1.0f, sides, &hull), SN_OK);
        sn_solid solid = {.type = SN_HULL, .pose = sn_pose_identity, .hull = hull};
        double angle = 6.283185307179586 / sides, area = 0.5 * sides * sin(angle);
        double mass = 5.0 * 3.0 * area, polar = mass * (2.0 + cos(angle)) / 6.0;
        sn_mass expected = {.mass = (float)mass};
        float across = (float)(0.5 * polar + mass * 9.0 / 12.0);
        expected.inertia = sn_mat3_diagonal(across, (float)polar, across);
        assert_masses_agree(solid_mass(solid, 5.0f), expected, 1.0e-6f);
        sn_hull_destroy(hull);
    }
}

// --- moving and adding -------------------------------------------------------------------------------------

static void test_moved_meshes_have_the_moved_mass(void **state)
{
    (void)state;
    test_random random = {7};
    for (int i = 0; i < 100; ++i) {
        sn_vec3 vertices[8], moved[8];
        sn_pose pose = random_pose(&random, 10);
        make_box(vertices, sn_v(1.0f, 0.5f, 0.25f));
        for (int k = 0; k < 8; ++k) {
            moved[k] = sn_pose_apply(pose, vertices[k]);
        }
        sn_mass expected = sn_mass_transformed(sn_mass_of_triangles(vertices, box_triangles, 12), pose);
        assert_masses_agree(sn_mass_of_triangles(moved, box_triangles, 12), expected, 1.0e-5f);
        sn_solid box = {.type = SN_BOX, .pose = pose, .box = {{1.0f, 0.5f, 0.25f}}};
        assert_masses_agree(sn_mass_of_solid(&box, 1.0f), expected, 2.0e-6f);
    }
}

static void test_turned_inertia_is_symmetric_to_the_bit(void **state)
{
    (void)state;
    test_random random = {17};
    for (int i = 0; i < 100; ++i) {
        sn_solid box = {.type = SN_BOX, .box = {{1, 2, 3}}};
        box.pose = random_pose(&random, 1);
        sn_mat3 inertia = solid_mass(box, 1.0f).inertia, transposed = sn_mat3_transpose(inertia);
        assert_memory_equal(&inertia, &transposed, sizeof inertia);
    }
}

// Cut a box in two at random: the halves' sum is the box, wherever it is. This is the parallel-axis theorem.
static void test_halves_add_up_to_the_whole(void **state)
{
    (void)state;
    test_random random = {8};
    for (int i = 0; i < 100; ++i) {
        float cut = test_random_float(&random, -0.9f, 0.9f);
        sn_pose pose = random_pose(&random, 3);
        sn_pose left = {{0.5f * (cut - 1.0f), 0, 0}, sn_quat_identity};
        sn_pose right = {{0.5f * (cut + 1.0f), 0, 0}, sn_quat_identity};
        sn_solid whole = {.type = SN_BOX, .pose = pose, .box = {{1, 2, 3}}};
        sn_solid a = {
            .type = SN_BOX, .pose = sn_pose_multiply(pose, left), .box = {{0.5f * (1 + cut), 2, 3}}};
        sn_solid b = {
            .type = SN_BOX, .pose = sn_pose_multiply(pose, right), .box = {{0.5f * (1 - cut), 2, 3}}};
        sn_mass sum = sn_mass_sum(sn_mass_of_solid(&a, 2.0f), sn_mass_of_solid(&b, 2.0f));
        assert_masses_agree(sum, sn_mass_of_solid(&whole, 2.0f), 3.0e-6f);
        sn_compound *compound = NULL;
        const sn_solid parts[2] = {a, b};
        assert_int_equal(sn_compound_create(parts, 2, &compound), SN_OK);
        assert_masses_agree(sn_mass_of_compound(compound, 2.0f), sum, 1.0e-6f);
        sn_compound_destroy(compound);
    }
}

static void test_adding_nothing_changes_nothing(void **state)
{
    (void)state;
    sn_mass nothing = {.center = {5, 5, 5}}, box = {3, {1, 2, 3}, {{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}};
    sn_mass sum = sn_mass_sum(box, nothing);
    assert_memory_equal(&sum, &box, sizeof sum);
    sum = sn_mass_sum(nothing, nothing);
    assert_memory_equal(&sum, &nothing, sizeof sum);
    assert_masses_agree(sn_mass_sum(nothing, box), box, 1.0e-6f);
}

static void test_no_density_gives_no_mass_but_a_centre(void **state)
{
    (void)state;
    sn_solid sphere = {.type = SN_SPHERE, .pose = sn_pose_identity, .sphere = {{1, 2, 3}, 1}};
    sn_mass mass = solid_mass(sphere, 0.0f);
    assert_float_equal(mass.mass, 0.0f, 0.0f);
    assert_float_equal(mass.inertia.x.x, 0.0f, 0.0f);
    assert_float_equal(mass.center.z, 3.0f, 0.0f);
}

// --- refusals ----------------------------------------------------------------------------------------------

static void test_open_doubled_and_inverted_meshes_are_refused(void **state)
{
    (void)state;
    sn_vec3 vertices[8];
    uint32_t triangles[36];
    sn_mass mass = {.mass = -7.0f};
    make_box(vertices, sn_v(1, 1, 1));
    assert_int_equal(sn_mesh_mass(vertices, 8, box_triangles, 11, 1.0f, &mass), SN_ERROR_GEOMETRY);
    assert_non_null(strstr(sn_last_error(), "has none, expected exactly one other triangle"));
    memcpy(triangles, box_triangles, sizeof triangles);
    triangles[0] = 6; // one triangle turned over
    triangles[2] = 0;
    assert_int_equal(sn_mesh_mass(vertices, 8, triangles, 12, 1.0f, &mass), SN_ERROR_GEOMETRY);
    assert_non_null(strstr(sn_last_error(), "several or one running the same way"));
    for (int i = 0; i < 36; ++i) { // all turned over
        triangles[i] = box_triangles[i / 3 * 3 + 2 - i % 3];
    }
    assert_int_equal(sn_mesh_mass(vertices, 8, triangles, 12, 1.0f, &mass), SN_ERROR_GEOMETRY);
    assert_non_null(strstr(sn_last_error(), "mass of mesh: volume is -8, expected > 0"));
    const uint32_t sheet[6] = {0, 1, 2, 2, 1, 0};
    assert_int_equal(sn_mesh_mass(vertices, 8, sheet, 2, 1.0f, &mass), SN_ERROR_GEOMETRY);
    const uint32_t collapsed[6] = {0, 0, 1, 1, 0, 0};
    assert_int_equal(sn_mesh_mass(vertices, 8, collapsed, 2, 1.0f, &mass), SN_ERROR_GEOMETRY);
    assert_float_equal(mass.mass, -7.0f, 0.0f);
}

static void test_bad_arguments_are_refused(void **state)
{
    (void)state;
    sn_vec3 vertices[8];
    sn_mass mass;
    make_box(vertices, sn_v(1, 1, 1));
    sn_solid box = {.type = SN_BOX, .pose = sn_pose_identity, .box = {{1e6f, 1e6f, 1e6f}}};
    assert_int_equal(sn_solid_mass(NULL, 1.0f, &mass), SN_ERROR_NULL);
    assert_int_equal(sn_solid_mass(&box, 1.0f, NULL), SN_ERROR_NULL);
    assert_int_equal(sn_solid_mass(&box, -1.0f, &mass), SN_ERROR_RANGE);
    assert_int_equal(sn_solid_mass(&box, NAN, &mass), SN_ERROR_NOT_FINITE);
    assert_int_equal(sn_solid_mass(&box, FLT_MAX, &mass), SN_ERROR_RANGE);
    assert_int_equal(sn_solid_mass(&box, 1.0e4f, &mass), SN_OK);
    box.box.half_extents.x = 0;
    assert_int_equal(sn_solid_mass(&box, 1.0f, &mass), SN_ERROR_RANGE);
    assert_int_equal(sn_mesh_mass(vertices, 8, box_triangles, 12, 1.0f, NULL), SN_ERROR_NULL);
    assert_int_equal(sn_mesh_mass(NULL, 8, box_triangles, 12, 1.0f, &mass), SN_ERROR_NULL);
    assert_int_equal(sn_mesh_mass(vertices, 7, box_triangles, 12, 1.0f, &mass), SN_ERROR_RANGE);
    assert_int_equal(sn_mesh_mass(vertices, 8, box_triangles, 0, 1.0f, &mass), SN_ERROR_RANGE);
    assert_int_equal(sn_mesh_mass(vertices, 8, box_triangles, 12, -1.0f, &mass), SN_ERROR_RANGE);
    vertices[3].y = INFINITY;
    assert_int_equal(sn_mesh_mass(vertices, 8, box_triangles, 12, 1.0f, &mass), SN_ERROR_NOT_FINITE);
}

static void test_without_memory_meshes_are_refused(void **state)
{
    (void)state;
    sn_vec3 vertices[8];
    sn_mass mass;
    make_box(vertices, sn_v(1, 1, 1));
    for (int allowed = 0; allowed < 4; ++allowed) {
        test_memory_allow(allowed);
        assert_int_equal(sn_mesh_mass(vertices, 8, box_triangles, 12, 1.0f, &mass), SN_ERROR_MEMORY);
    }
    test_memory_allow(4);
    assert_int_equal(sn_mesh_mass(vertices, 8, box_triangles, 12, 1.0f, &mass), SN_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_sphere_is_what_fine_meshes_converge_to),
        test_with_memory(test_capsule_is_what_fine_meshes_converge_to),
        test_with_memory(test_capsule_turns_with_its_axis),
        test_with_memory(test_box_agrees_with_its_mesh_and_by_hand),
        test_with_memory(test_tetrahedron_by_hand),
        test_with_memory(test_cylinder_hull_is_a_regular_prism),
        test_with_memory(test_moved_meshes_have_the_moved_mass),
        test_with_memory(test_turned_inertia_is_symmetric_to_the_bit),
        test_with_memory(test_halves_add_up_to_the_whole),
        test_with_memory(test_adding_nothing_changes_nothing),
        test_with_memory(test_no_density_gives_no_mass_but_a_centre),
        test_with_memory(test_open_doubled_and_inverted_meshes_are_refused),
        test_with_memory(test_bad_arguments_are_refused),
        test_with_memory(test_without_memory_meshes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
