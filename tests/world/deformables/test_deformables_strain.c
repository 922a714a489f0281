// What sn_deformable_strains and sn_deformable_measure_now say of deformables whose nodes were moved by a
// known map: strains, stresses, volumes and energies have closed forms.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/random.h"
#include "support/world_kit.h"
#include <math.h>

enum { MANY = 1000 };

static const float young = 2.0e5f, poisson = 0.3f;
static const sn_model_type element_types[] = {SN_MODEL_COROTATIONAL, SN_MODEL_COROTATIONAL_EXPLICIT,
                                              SN_MODEL_COROTATIONAL_IMPLICIT, SN_MODEL_NEO_HOOKEAN};
enum { ELEMENT_TYPES = sizeof element_types / sizeof *element_types };

static void expect_near(double actual, double expected, double tolerance)
{
    if (!(fabs(actual - expected) <= tolerance)) {
        fail_msg("%.9g instead of %.9g", actual, expected);
    }
}

typedef struct sample {
    sn_world *world;
    sn_deformable id;
} sample;

static sample make_sample(sn_mesh *mesh, sn_model model)
{
    sample s = {.world = kit_world()};
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.model = model;
    assert_ok(sn_deformable_add(s.world, &def, &s.id));
    sn_mesh_destroy(mesh);
    return s;
}

static sn_mesh *block_mesh(void)
{
    sn_mesh *mesh = NULL;
    assert_ok(sn_mesh_box(sn_v(0.3f, 0.2f, 0.1f), 3, 2, 1, &mesh));
    return mesh;
}

static sample make_elements(sn_model_type type)
{
    sn_model model = sn_model_corotational(young, poisson);
    model.type = type;
    return make_sample(block_mesh(), model);
}

// Stretches along the axes of the mesh, then a turn.
static void deform(sample *s, sn_vec3 stretch, sn_quat turn)
{
    sn_node_state *nodes = NULL;
    sn_node_velocity *velocities = NULL;
    assert_ok(sn_deformable_edit(s->world, s->id, &nodes, &velocities));
    const sn_mesh *mesh = sn_deformable_mesh(s->world, s->id);
    for (int i = 0; i < sn_mesh_node_count(mesh); ++i) {
        nodes[i].position = sn_rotate(turn, sn_mul(stretch, sn_mesh_nodes(mesh)[i]));
    }
}

static sn_quat some_turn(void)
{
    test_random random = {3};
    return test_random_rotation(&random);
}

// All elements of a body under such a map are strained alike.
static void expect_strains(const sample *s, double principal, double growth, double von_mises,
                           double tolerance)
{
    sn_element_strain strains[MANY];
    int count = sn_deformable_strains(s->world, s->id, strains, MANY);
    assert_true(count > 0 && count <= MANY);
    for (int i = 0; i < count; ++i) {
        expect_near((double)strains[i].principal, principal, 2.0e-6);
        expect_near((double)strains[i].growth, growth, 4.0e-6);
        expect_near((double)strains[i].von_mises, von_mises, tolerance * (double)young);
    }
    double largest = (double)sn_deformable_measure_now(s->world, s->id).largest_strain;
    expect_near(largest, fabs(principal), 2.0e-6);
}

static double energy_of(const sample *s)
{
    return (double)sn_deformable_measure_now(s->world, s->id).elastic_energy;
}

static void test_a_body_at_rest_has_neither_strain_nor_stress_nor_energy(void **state)
{
    (void)state;
    for (int k = 0; k < ELEMENT_TYPES; ++k) {
        sample s = make_elements(element_types[k]);
        deform(&s, sn_v(1.0f, 1.0f, 1.0f), some_turn());
        expect_strains(&s, 0.0, 0.0, 0.0, 2.0e-6);
        expect_near(energy_of(&s), 0.0, 2.0e-5); // µV is 460 N m
        sn_world_destroy(s.world);
    }
}

// Pulled along x and thinner by ν: σ = E ε and nothing across.
static void test_tension_has_the_stress_of_hooke(void **state)
{
    (void)state;
    const double strain = 0.01, volume = 0.3 * 0.2 * 0.1;
    const double across = 1.0 - (double)poisson * strain;
    for (int k = 0; k < ELEMENT_TYPES; ++k) {
        bool is_hooke = element_types[k] != SN_MODEL_NEO_HOOKEAN;
        sample s = make_elements(element_types[k]);
        deform(&s, sn_v((float)(1.0 + strain), (float)across, (float)across), some_turn());
        expect_strains(&s, strain, (1.0 + strain) * across * across - 1.0, (double)young * strain,
                       is_hooke ? 2.0e-6 : 0.01 * strain);
        double energy = 0.5 * (double)young * strain * strain * volume;
        expect_near(energy_of(&s), energy, (is_hooke ? 1.0e-3 : 1.0e-2) * energy);
        sn_world_destroy(s.world);
    }
}

// Stretches 1 + a and 1 − b: 2µ √(a² + ab + b²), which for a = b is √3 times the shear stress.
static void test_shear_has_the_stress_of_von_mises(void **state)
{
    (void)state;
    const double a = 0.021, b = 0.02, mu = (double)young / 2.6;
    for (int k = 0; k < 3; ++k) {
        sample s = make_elements(element_types[k]);
        deform(&s, sn_v(0.98f, 1.021f, 1.0f), some_turn());
        expect_strains(&s, a, 0.98 * 1.021 - 1.0, 2.0 * mu * sqrt(a * a + a * b + b * b), 2.0e-6);
        sn_world_destroy(s.world);
    }
}

static void test_pressure_has_a_negative_strain(void **state)
{
    (void)state;
    sample s = make_elements(SN_MODEL_COROTATIONAL);
    deform(&s, sn_v(0.7f, 1.1f, 1.1f), some_turn());
    double mu = (double)young / 2.6;
    expect_strains(&s, -0.3, 0.7 * 1.21 - 1.0, 2.0 * mu * 0.4, 2.0e-6);
    sn_world_destroy(s.world);
}

static void test_the_mirror_image_is_inside_out(void **state)
{
    (void)state;
    sample s = make_elements(SN_MODEL_COROTATIONAL);
    deform(&s, sn_v(-0.9f, 1.0f, 1.0f), some_turn());
    double mu = (double)young / 2.6;
    expect_strains(&s, -1.9, -1.9, 2.0 * mu * 1.9, 5.0e-6);
    sn_world_destroy(s.world);
}

static void test_a_point_is_finite(void **state)
{
    (void)state;
    for (int k = 0; k < ELEMENT_TYPES; ++k) {
        sample s = make_elements(element_types[k]);
        deform(&s, sn_v(0.0f, 0.0f, 0.0f), sn_quat_identity);
        expect_strains(&s, -1.0, -1.0, 0.0, 1.0e-6);
        assert_true(isfinite(energy_of(&s)));
        sn_world_destroy(s.world);
    }
}

// Principal stresses are the derivatives of the energy by the stretches.
static void test_large_neo_hookean_stress_is_the_derivative_of_the_energy(void **state)
{
    (void)state;
    const float stretch[3] = {1.6f, 0.7f, 1.1f}, change = 1.0e-2f;
    const double volume = 0.3 * 0.2 * 0.1;
    sample s = make_elements(SN_MODEL_NEO_HOOKEAN);
    double stress[3];
    for (int k = 0; k < 3; ++k) {
        double energy[2];
        for (int side = 0; side < 2; ++side) {
            float now[3] = {stretch[0], stretch[1], stretch[2]};
            now[k] += side == 0 ? -change : change;
            deform(&s, sn_v(now[0], now[1], now[2]), sn_quat_identity);
            energy[side] = energy_of(&s);
        }
        stress[k] = (energy[1] - energy[0]) / (2.0 * (double)change * volume);
    }
    deform(&s, sn_v(stretch[0], stretch[1], stretch[2]), some_turn());
    double a = stress[0] - stress[1], b = stress[1] - stress[2], c = stress[2] - stress[0];
    expect_strains(&s, 0.6, 1.6 * 0.7 * 1.1 - 1.0, sqrt(0.5 * (a * a + b * b + c * c)), 1.0e-3);
    sn_world_destroy(s.world);
}

static void test_sheets_have_strains_of_triangles(void **state)
{
    (void)state;
    sn_mesh *mesh = NULL;
    assert_ok(sn_mesh_grid(1.0f, 0.7f, 5, 4, SN_GRID_ALTERNATING, &mesh));
    int triangles = sn_mesh_triangle_count(mesh);
    sample s = make_sample(mesh, sn_model_springs(100.0f, 0.0f));
    assert_int_equal(sn_deformable_strains(s.world, s.id, NULL, 0), triangles);
    sn_bounds box = sn_mesh_bounds(sn_deformable_mesh(s.world, s.id));
    // The grid lies across one of the axes: what happens along it is not seen.
    bool lies_in_xy = box.upper.z - box.lower.z < 1.0e-6f;
    sn_vec3 stretch = lies_in_xy ? sn_v(1.1f, 0.95f, 3.0f) : sn_v(1.1f, 3.0f, 0.95f);
    deform(&s, stretch, some_turn());
    expect_strains(&s, 0.1, 1.1 * 0.95 - 1.0, 0.0, 1.0e-9);
    double area = (double)sn_deformable_measure_now(s.world, s.id).area;
    expect_near(area, 0.7 * 1.1 * 0.95, 1.0e-5);
    sn_world_destroy(s.world);
}

static void test_strands_have_strains_of_edges_and_the_energy_of_springs(void **state)
{
    (void)state;
    const sn_model_type types[] = {SN_MODEL_SPRINGS, SN_MODEL_SPRING_FORCES};
    for (int k = 0; k < 2; ++k) {
        sn_mesh *mesh = NULL;
        assert_ok(sn_mesh_line(2.0f, 10, &mesh));
        sn_model model = sn_model_springs(100.0f, 0.0f);
        model.type = types[k];
        sample s = make_sample(mesh, model);
        deform(&s, sn_v(1.25f, 1.25f, 1.25f), some_turn());
        expect_strains(&s, 0.25, 0.25, 0.0, 1.0e-9);
        // Ten springs of 0.2 m, longer by 0.05 m.
        expect_near(energy_of(&s), 10.0 * 0.5 * 100.0 * 0.05 * 0.05, 1.0e-5);
        sn_world_destroy(s.world);
    }
}

static void test_energies_of_lengths_areas_and_volumes_add_up(void **state)
{
    (void)state;
    sn_mesh *mesh = block_mesh();
    double edges = sn_mesh_edge_count(mesh), triangles = sn_mesh_triangle_count(mesh);
    double tetrahedra = sn_mesh_tetrahedron_count(mesh);
    sn_model model = {
        .type = SN_MODEL_ENERGY, .stiffness = 3.0f, .area_stiffness = 5.0f, .volume_stiffness = 7.0f};
    sample s = make_sample(mesh, model);
    deform(&s, sn_v(1.2f, 1.2f, 1.2f), some_turn());
    double area = 1.2 * 1.2 - 1.0, volume = 1.2 * 1.2 * 1.2 - 1.0;
    double energy =
        0.5 * (3.0 * edges * 0.04 + 5.0 * triangles * area * area + 7.0 * tetrahedra * volume * volume);
    expect_near(energy_of(&s), energy, 1.0e-5 * energy);
    sn_world_destroy(s.world);
}

static void test_measures_of_a_stretched_block(void **state)
{
    (void)state;
    sample s = make_elements(SN_MODEL_COROTATIONAL);
    deform(&s, sn_v(1.5f, 0.8f, 1.0f), sn_quat_identity);
    sn_deformable_measure m = sn_deformable_measure_now(s.world, s.id);
    expect_near((double)m.mass, 6.0, 1.0e-5);
    expect_near((double)m.rest_volume, 0.006, 1.0e-8);
    expect_near((double)m.volume, 0.006 * 1.2, 1.0e-8);
    double x = 0.45, y = 0.16, z = 0.1;
    expect_near((double)m.area, 2.0 * (x * y + y * z + z * x), 1.0e-6);
    expect_near((double)m.largest_stretch, 0.5, 1.0e-5);
    expect_near((double)(m.bounds.upper.x - m.bounds.lower.x), x, 1.0e-6);
    expect_near((double)sn_length(m.center), 0.0, 1.0e-6);
    sn_world_destroy(s.world);
}

static void test_no_more_is_written_than_there_is_room_for(void **state)
{
    (void)state;
    sample s = make_elements(SN_MODEL_COROTATIONAL);
    deform(&s, sn_v(1.1f, 1.0f, 1.0f), sn_quat_identity);
    sn_element_strain strains[3] = {{0}};
    strains[2].growth = 77.0f;
    int count = sn_deformable_strains(s.world, s.id, strains, 2);
    assert_int_equal(count, sn_mesh_tetrahedron_count(sn_deformable_mesh(s.world, s.id)));
    assert_true(strains[1].growth > 0.0f && strains[2].growth == 77.0f);
    assert_int_equal(sn_deformable_strains(s.world, s.id, NULL, 5), count);
    assert_int_equal(sn_deformable_strains(s.world, s.id, strains, -1), count);
    sn_deformable nobody = {0};
    assert_int_equal(sn_deformable_strains(s.world, nobody, strains, 2), 0);
    assert_int_equal(sn_deformable_strains(NULL, s.id, strains, 2), 0);
    sn_world_destroy(s.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_body_at_rest_has_neither_strain_nor_stress_nor_energy),
        test_with_memory(test_tension_has_the_stress_of_hooke),
        test_with_memory(test_shear_has_the_stress_of_von_mises),
        test_with_memory(test_pressure_has_a_negative_strain),
        test_with_memory(test_the_mirror_image_is_inside_out),
        test_with_memory(test_a_point_is_finite),
        test_with_memory(test_large_neo_hookean_stress_is_the_derivative_of_the_energy),
        test_with_memory(test_sheets_have_strains_of_triangles),
        test_with_memory(test_strands_have_strains_of_edges_and_the_energy_of_springs),
        test_with_memory(test_energies_of_lengths_areas_and_volumes_add_up),
        test_with_memory(test_measures_of_a_stretched_block),
        test_with_memory(test_no_more_is_written_than_there_is_room_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
