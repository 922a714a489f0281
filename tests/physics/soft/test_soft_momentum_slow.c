// Free systems of deformables glued to rods by anchors: no inner force changes their momentum, whatever the
// model, the edges, the bending or the enclosure.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/physics.h"

#include <math.h>

enum { STEPS = 1000 };
static const sn_vec3 drift = {0.2f, -0.1f, 0.15f};
static const sn_vec3 spin = {0.4f, 1.5f, 0.6f};

static sn_vec3 speed_at(sn_vec3 place)
{
    return sn_add(drift, sn_cross(spin, place));
}

// --- things ------------------------------------------------------------------------------------------------

static sn_deformable_def spinning(sn_mesh *mesh, float mass)
{
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.mass = mass;
    def.linear_velocity = drift;
    def.angular_velocity = spin;
    return def;
}

static sn_deformable add(sn_world *world, const sn_deformable_def *def)
{
    sn_deformable deformable;
    must(sn_deformable_add(world, def, &deformable));
    sn_mesh_destroy((sn_mesh *)def->mesh);
    return deformable;
}

// A rod along y that the nodes nearer than `radius` to it are glued to.
static void glue_rod(sn_world *world, sn_deformable deformable, sn_vec3 place, float mass, float radius)
{
    sn_rigid rod = physics_lump(world, mass, sn_v(0.1f * mass, 0.01f * mass, 0.1f * mass),
                                physics_at(place.x, place.y, place.z));
    must(sn_rigid_linear_velocity_set(world, rod, speed_at(place)));
    must(sn_rigid_angular_velocity_set(world, rod, spin));
    const sn_node_state *nodes = sn_deformable_nodes(world, deformable);
    int count = 0;
    for (int i = 0; i < sn_deformable_node_count(world, deformable); ++i) {
        sn_vec3 from = sn_sub(nodes[i].position, place);
        if (from.x * from.x + from.z * from.z < radius * radius) {
            sn_anchor_def anchor = sn_anchor_def_default();
            anchor.a = sn_point_node(deformable, i);
            anchor.b = sn_point_on_rigid(world, rod, nodes[i].position);
            must(sn_anchor_add(world, &anchor, NULL));
            ++count;
        }
    }
    check_true(count > 0, "the rod is glued to %d nodes", count);
}

// --- measures ----------------------------------------------------------------------------------------------

typedef struct momenta {
    double linear[3], angular[3]; // about the mass centre
} momenta;

static void add_center(double sum[3], double mass, sn_vec3 place)
{
    sum[0] += mass * (double)place.x;
    sum[1] += mass * (double)place.y;
    sum[2] += mass * (double)place.z;
}

static momenta momenta_of(const sn_world *world)
{
    sn_energy energy = sn_world_energy(world);
    sn_rigid rods[8];
    sn_deformable soft[8];
    double c[3] = {0.0, 0.0, 0.0};
    int rod_count = sn_world_rigids(world, rods, 8), soft_count = sn_world_deformables(world, soft, 8);
    for (int i = 0; i < rod_count; ++i) {
        add_center(c, (double)sn_rigid_mass(world, rods[i]).mass, sn_rigid_center(world, rods[i]));
    }
    for (int i = 0; i < soft_count; ++i) {
        sn_deformable_measure measure = sn_deformable_measure_now(world, soft[i]);
        add_center(c, (double)measure.mass, measure.center);
    }
    momenta result;
    const double *p = energy.momentum;
    for (int k = 0; k < 3; ++k) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        result.linear[k] = p[k];
        result.angular[k] = energy.angular_momentum[k] - (c[a] * p[b] - c[b] * p[a]) / energy.mass;
    }
    return result;
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

// Steps the world and destroys it.
static void check_momenta(sn_world *world, const char *name)
{
    const double zero[3] = {0.0, 0.0, 0.0};
    momenta start = momenta_of(world);
    double linear = 0.0, angular = 0.0, glue = 0.0;
    for (int i = 0; i < STEPS; ++i) {
        must(sn_world_step(world, physics_steps[0]));
        momenta now = momenta_of(world);
        linear = fmax(linear, distance(now.linear, start.linear) / distance(start.linear, zero));
        angular = fmax(angular, distance(now.angular, start.angular) / distance(start.angular, zero));
    }
    sn_anchor anchors[64];
    int count = sn_world_anchors(world, anchors, 64);
    for (int i = 0; i < count && i < 64; ++i) {
        glue = fmax(glue, (double)sn_anchor_error(world, anchors[i]));
    }
    check_below(linear, 1e-5, "%s: change of momentum", name);
    check_below(angular, 1e-5, "%s: change of angular momentum", name);
    check_below(glue, 1e-4, "%s: how far apart the glue is", name);
    sn_world_destroy(world);
}

// --- jelly -------------------------------------------------------------------------------------------------

static void check_jelly(sn_model model, const char *name)
{
    sn_world *world = physics_world_without_gravity();
    sn_mesh *mesh = NULL;
    must(sn_mesh_box(sn_v(0.6f, 0.4f, 0.4f), 4, 3, 3, &mesh));
    sn_deformable_def def = spinning(mesh, 2.0f);
    def.model = model;
    sn_deformable jelly = add(world, &def);
    glue_rod(world, jelly, sn_v(0.3f, 0.0f, 0.0f), 1.5f, 0.15f);
    glue_rod(world, jelly, sn_v(-0.3f, 0.0f, 0.0f), 0.5f, 0.15f);
    check_momenta(world, name);
}

static void test_jelly_glued_to_rods_keeps_both_momenta_within_1e_5_for_1000_steps(void **state)
{
    (void)state;
    check_jelly(sn_model_corotational(2.0e4f, 0.3f), "corotational");
    check_jelly(sn_model_neo_hookean(2.0e4f, 0.4f), "neo-Hookean");
    check_jelly(sn_model_springs(1.0e3f, 1.0f), "springs");
}

static sn_model elements(sn_model_type type)
{
    sn_model model = sn_model_corotational(2.0e4f, 0.3f);
    model.type = type;
    model.damping = 0.01f;
    return model;
}

static void test_jelly_of_models_that_are_no_rows_keeps_both_momenta_within_1e_5(void **state)
{
    (void)state;
    sn_model forces = sn_model_springs(1.0e3f, 1.0f),
             clusters = sn_model_shape_matching(0.5f, SN_MATCH_RIGID, 0.0f);
    forces.type = SN_MODEL_SPRING_FORCES;
    clusters.cluster_rings = 1;
    sn_model energies = {
        .type = SN_MODEL_ENERGY, .stiffness = 20.0f, .volume_stiffness = 20.0f, .damping = 0.2f};
    check_jelly(elements(SN_MODEL_COROTATIONAL_EXPLICIT), "explicit elements");
    check_jelly(elements(SN_MODEL_COROTATIONAL_IMPLICIT), "implicit elements");
    check_jelly(forces, "spring forces");
    check_jelly(sn_model_position_based(0.5f, 0.5f), "position-based");
    check_jelly(sn_model_shape_matching(0.5f, SN_MATCH_LINEAR, 0.5f), "linear matching");
    check_jelly(clusters, "matching in clusters");
    check_jelly(energies, "energies");
}

// --- cloth and ropes ---------------------------------------------------------------------------------------

static void check_cloth(sn_bending_type type, float stiffness, const char *name)
{
    sn_world *world = physics_world_without_gravity();
    sn_mesh *mesh = NULL;
    must(sn_mesh_grid(1.0f, 0.5f, 10, 5, SN_GRID_ALTERNATING, &mesh));
    sn_deformable_def def = spinning(mesh, 0.5f);
    def.inextensible.on = true;
    def.collide = false;
    def.bending = (sn_bending){type, stiffness, 0.01f, INFINITY};
    sn_deformable cloth = add(world, &def);
    glue_rod(world, cloth, sn_v(0.5f, 0.0f, 0.0f), 2.0f, 0.01f);
    glue_rod(world, cloth, sn_v(-0.5f, 0.0f, 0.0f), 0.5f, 0.01f);
    check_momenta(world, name);
}

static void check_rope(sn_bending_type type, float stiffness, const char *name)
{
    sn_world *world = physics_world_without_gravity();
    sn_mesh *mesh = NULL;
    must(sn_mesh_line(1.0f, 20, &mesh));
    sn_deformable_def def = spinning(mesh, 0.2f);
    def.inextensible.on = true;
    def.collide = false;
    def.bending = (sn_bending){type, stiffness, 0.01f, INFINITY};
    sn_deformable rope = add(world, &def);
    glue_rod(world, rope, sn_v(0.5f, 0.0f, 0.0f), 2.0f, 0.01f);
    glue_rod(world, rope, sn_v(-0.5f, 0.0f, 0.0f), 0.5f, 0.01f);
    check_momenta(world, name);
}

static void test_cloth_glued_to_rods_keeps_both_momenta_within_1e_5_for_1000_steps(void **state)
{
    (void)state;
    check_cloth(SN_BENDING_NONE, 0.0f, "no bending");
    check_cloth(SN_BENDING_ISOMETRIC, 0.01f, "isometric");
    check_cloth(SN_BENDING_DIHEDRAL, 0.01f, "dihedral");
    check_cloth(SN_BENDING_DIAGONAL, 0.01f, "diagonal");
    check_cloth(SN_BENDING_DIHEDRAL, 0.0f, "hard dihedral");
}

static void test_ropes_glued_to_rods_keep_both_momenta_within_1e_5_for_1000_steps(void **state)
{
    (void)state;
    check_rope(SN_BENDING_NONE, 0.0f, "no bending");
    check_rope(SN_BENDING_ISOMETRIC, 0.001f, "isometric");
    check_rope(SN_BENDING_DIHEDRAL, 0.001f, "dihedral");
    check_rope(SN_BENDING_DIAGONAL, 0.001f, "diagonal");
    check_rope(SN_BENDING_DIHEDRAL, 0.0f, "hard dihedral");
}

// --- cushions ----------------------------------------------------------------------------------------------

static void test_an_inflated_ball_between_rods_keeps_both_momenta_within_1e_5_for_1000_steps(void **state)
{
    (void)state;
    for (int pressure = 0; pressure < 2; ++pressure) {
        sn_world *world = physics_world_without_gravity();
        sn_mesh *mesh = NULL;
        must(sn_mesh_sphere_surface(0.4f, 4, &mesh));
        sn_deformable_def def = spinning(mesh, 0.5f);
        def.inextensible.on = true;
        def.enclosure.preserve = pressure == 0;
        def.enclosure.pressure = pressure == 0 ? 0.0f : 100.0f;
        sn_deformable ball = add(world, &def);
        glue_rod(world, ball, sn_v(0.4f, 0.0f, 0.0f), 1.0f, 0.12f);
        glue_rod(world, ball, sn_v(-0.4f, 0.0f, 0.0f), 0.5f, 0.12f);
        check_momenta(world, pressure == 0 ? "kept volume" : "pressure");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_jelly_glued_to_rods_keeps_both_momenta_within_1e_5_for_1000_steps),
        physics_test(test_jelly_of_models_that_are_no_rows_keeps_both_momenta_within_1e_5),
        physics_test(test_cloth_glued_to_rods_keeps_both_momenta_within_1e_5_for_1000_steps),
        physics_test(test_ropes_glued_to_rods_keep_both_momenta_within_1e_5_for_1000_steps),
        physics_test(test_an_inflated_ball_between_rods_keeps_both_momenta_within_1e_5_for_1000_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
