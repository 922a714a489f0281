// A jelly that hits a bowl too hard for its stiffness is crushed and turned inside out for a moment; it stays
// on its side of the bowl's triangles and recovers by its own forces. So do jellies that hit each other, and
// a weight alone turns nothing inside out.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/soft_kit.h"

enum { RINGS = 16, SECTORS = 32, VERTICES = RINGS * SECTORS + 1 };
static const float radius = 1.2f;

static sn_surface *bowl_surface(bool double_sided)
{
    static sn_vec3 vertices[VERTICES];
    static uint32_t triangles[6 * RINGS * SECTORS];
    int count = 0;
    for (int i = 0; i < RINGS * SECTORS; ++i) {
        float angle = 1.4f * (float)(i / SECTORS + 1) / RINGS;
        float turn = 2.0f * SN_PI * (float)(i % SECTORS) / SECTORS, across = radius * sn_sin(angle);
        vertices[i + 1] = sn_v(across * sn_cos(turn), radius * (1.0f - sn_cos(angle)), across * sn_sin(turn));
    }
    for (uint32_t i = 0; i < RINGS * SECTORS; ++i) {
        uint32_t a = 1 + i, b = 1 + i / SECTORS * SECTORS + (i + 1) % SECTORS;
        uint32_t c = i < SECTORS ? 0 : a - SECTORS, d = i < SECTORS ? 0 : b - SECTORS;
        const uint32_t corners[6] = {c, b, a, c, d, b};
        for (int k = 0; k < (i < SECTORS ? 3 : 6); ++k) {
            triangles[count++] = corners[k];
        }
    }
    sn_surface *surface;
    assert_int_equal(sn_surface_create(vertices, VERTICES, triangles, count / 3, double_sided, &surface),
                     SN_OK);
    return surface;
}

static bool is_inverted(const sn_world *world, sn_deformable jelly, const sn_mesh *mesh, int element)
{
    const sn_node_state *n = sn_deformable_nodes(world, jelly);
    const uint32_t *t = sn_mesh_tetrahedra(mesh) + 4 * element;
    sn_vec3 a = n[t[0]].position;
    return sn_dot(sn_sub(n[t[1]].position, a),
                  sn_cross(sn_sub(n[t[2]].position, a), sn_sub(n[t[3]].position, a))) <= 0.0f;
}

static int count_inverted(const sn_world *world, sn_deformable jelly, const sn_mesh *mesh)
{
    int count = 0;
    for (int i = 0; i < sn_mesh_tetrahedron_count(mesh); ++i) {
        count += is_inverted(world, jelly, mesh, i) ? 1 : 0;
    }
    return count;
}

static sn_deformable add_jelly(sn_world *world, const sn_mesh *mesh, float young, sn_vec3 position,
                               sn_vec3 velocity)
{
    sn_deformable_def def = sn_deformable_def_default();
    sn_deformable jelly;
    def.mesh = mesh;
    def.pose.position = position;
    def.linear_velocity = velocity;
    def.model = sn_model_corotational(young, 0.45f);
    def.model.damping = 0.02f;
    assert_int_equal(sn_deformable_add(world, &def, &jelly), SN_OK);
    return jelly;
}

static void add_bowl(sn_world *world, sn_surface *surface)
{
    sn_rigid_def place = sn_rigid_def_default();
    sn_shape_def look = sn_shape_def_default();
    sn_rigid bowl;
    place.type = SN_STATIC;
    assert_int_equal(sn_rigid_add(world, &place, &bowl), SN_OK);
    assert_int_equal(sn_surface_add(world, bowl, &look, surface, NULL), SN_OK);
}

static void check_drop(bool double_sided, float young)
{
    sn_world_def settings = sn_world_def_default();
    sn_world *world;
    assert_int_equal(sn_world_create(&settings, &world), SN_OK);
    sn_surface *surface = bowl_surface(double_sided);
    add_bowl(world, surface);
    sn_mesh *mesh;
    assert_int_equal(sn_mesh_sphere(0.15f, 3, &mesh), SN_OK);
    sn_deformable jelly = add_jelly(world, mesh, young, sn_v(0.1f, 2.2f, 0.05f), sn_v(0.0f, 0.0f, 0.0f));
    int most = 0, longest = 0, since = 0;
    for (int i = 0; i < 80; ++i) {
        assert_int_equal(sn_world_step(world, 0.02f), SN_OK);
        int inverted = count_inverted(world, jelly, mesh);
        since = inverted > 0 ? since + 1 : 0;
        most = inverted > most ? inverted : most;
        longest = since > longest ? since : longest;
    }
    assert_true(young > 1.0e4f || most > 0); // else nothing was tested
    assert_in_range(longest, 0, 25);         // half a second
    sn_deformable_measure now = sn_deformable_measure_now(world, jelly);
    assert_true(now.center.y > 0.05f && now.center.y < 0.3f);
    sn_world_destroy(world);
    sn_mesh_destroy(mesh);
    sn_surface_destroy(surface);
}

static void test_a_soft_jelly_recovers_in_a_double_sided_bowl(void **state)
{
    (void)state;
    check_drop(true, 5.0e3f);
}

static void test_a_soft_jelly_recovers_in_a_bowl_of_one_side(void **state)
{
    (void)state;
    check_drop(false, 5.0e3f);
}

static void test_a_firm_jelly_stays_in_a_double_sided_bowl(void **state)
{
    (void)state;
    check_drop(true, 1.0e5f);
}

// Two jellies that fly at each other, so far off each other's middles.
typedef struct meeting {
    float young, speed, off_y, off_z;
} meeting;

static void check_meeting(meeting m, float duration)
{
    sn_world_def settings = sn_world_def_default();
    settings.gravity = sn_v(0.0f, 0.0f, 0.0f);
    sn_world *world;
    sn_mesh *mesh;
    assert_int_equal(sn_world_create(&settings, &world), SN_OK);
    assert_int_equal(sn_mesh_sphere(0.15f, 3, &mesh), SN_OK);
    sn_vec3 velocity = sn_v(0.5f * m.speed, 0.0f, 0.0f);
    sn_deformable a = add_jelly(world, mesh, m.young, sn_v(-0.25f, 0.0f, 0.0f), velocity);
    sn_deformable b = add_jelly(world, mesh, m.young, sn_v(0.25f, m.off_y, m.off_z), sn_neg(velocity));
    float since = 0.0f, longest = 0.0f;
    int most = 0;
    for (float time = 0.0f; time < 1.0f; time += duration) {
        assert_int_equal(sn_world_step(world, duration), SN_OK);
        int inverted = count_inverted(world, a, mesh) + count_inverted(world, b, mesh);
        since = inverted > 0 ? since + duration : 0.0f;
        longest = sn_max(longest, since);
        most = inverted > most ? inverted : most;
    }
    if (longest > 0.5f) {
        fail_msg("%g Pa, %g m/s, %g s: %d inverted, for %g s", (double)m.young, (double)m.speed,
                 (double)duration, most, (double)longest);
    }
    sn_world_destroy(world);
    sn_mesh_destroy(mesh);
}

static void test_two_soft_jellies_that_meet_at_6_m_per_s_recover(void **state)
{
    (void)state;
    for (float duration = 0.005f; duration < 0.03f; duration *= 2.0f) {
        check_meeting((meeting){5.0e3f, 6.0f, 0.05f, 0.0f}, duration);
    }
}

static void test_jellies_crushed_against_each_other_recover(void **state)
{
    (void)state;
    const meeting meetings[] = {
        {1.1e3f, 4.9f, 0.03f, 0.04f}, {1.9e3f, 5.8f, -0.07f, 0.04f},  {5.8e3f, 8.6f, -0.05f, 0.04f},
        {1.8e3f, 9.0f, 0.01f, 0.02f}, {2.2e4f, 20.3f, -0.02f, 0.01f}, {5.0e3f, 50.0f, 0.05f, 0.0f},
    };
    for (size_t i = 0; i < sizeof meetings / sizeof *meetings; ++i) {
        check_meeting(meetings[i], 0.02f);
    }
}

// Each weighs 14 kg: those below bear up to four times their own weight, nearly what they are stiff.
static void test_a_heap_of_soft_jellies_in_a_bowl_does_not_stay_inside_out(void **state)
{
    (void)state;
    enum { JELLIES = 20, MOST_ELEMENTS = 600 };
    static float upright[JELLIES][MOST_ELEMENTS]; // when each element was last
    sn_world_def settings = sn_world_def_default();
    sn_world *world;
    sn_mesh *mesh;
    sn_deformable jellies[JELLIES];
    assert_int_equal(sn_world_create(&settings, &world), SN_OK);
    assert_int_equal(sn_mesh_sphere(0.15f, 3, &mesh), SN_OK);
    assert_in_range(sn_mesh_tetrahedron_count(mesh), 1, MOST_ELEMENTS);
    sn_surface *surface = bowl_surface(false);
    add_bowl(world, surface);
    for (int i = 0; i < JELLIES; ++i) {
        sn_vec3 place = {0.36f * (float)(i % 3 - 1), 1.2f + 0.36f * (float)(i / 9),
                         0.36f * (float)(i / 3 % 3 - 1)};
        jellies[i] = add_jelly(world, mesh, 5.0e3f, place, sn_v(0.0f, 0.0f, 0.0f));
    }
    for (int i = 1; i <= 80; ++i) {
        float time = 0.02f * (float)i;
        assert_int_equal(sn_world_step(world, 0.02f), SN_OK);
        for (int k = 0; k < JELLIES * sn_mesh_tetrahedron_count(mesh); ++k) {
            int jelly = k % JELLIES, element = k / JELLIES;
            float *last = &upright[jelly][element];
            *last = is_inverted(world, jellies[jelly], mesh, element) ? *last : time;
            if (time - *last > 0.5f) {
                fail_msg("element %d of jelly %d: inside out since %g s", element, jelly, (double)*last);
            }
        }
    }
    sn_world_destroy(world);
    sn_mesh_destroy(mesh);
    sn_surface_destroy(surface);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_soft_jelly_recovers_in_a_double_sided_bowl),
        cmocka_unit_test(test_a_soft_jelly_recovers_in_a_bowl_of_one_side),
        cmocka_unit_test(test_a_firm_jelly_stays_in_a_double_sided_bowl),
        cmocka_unit_test(test_two_soft_jellies_that_meet_at_6_m_per_s_recover),
        cmocka_unit_test(test_jellies_crushed_against_each_other_recover),
        cmocka_unit_test(test_a_heap_of_soft_jellies_in_a_bowl_does_not_stay_inside_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
