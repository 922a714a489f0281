// A clamped strand or strip that sags under its own weight takes the shape of the heavy elastica:
// EI θ'' = −q (L − s) cos θ, θ(0) = 0, θ'(L) = 0, q the weight by length. Its droop depends on q L³/EI alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/physics.h"

#include <math.h>

static const float length = 1.0f;

// --- theory, for L = 1 and a load w = q L³/EI --------------------------------------------------------------

typedef struct curve {
    double load;
    double state[5]; // s, θ, θ', and how far out and down
} curve;

static void curve_rate(const double *state, double *rate, const void *user)
{
    double load = *(const double *)user;
    rate[0] = 1.0;
    rate[1] = state[2];
    rate[2] = -load * (1.0 - state[0]) * cos(state[1]);
    rate[3] = cos(state[1]);
    rate[4] = sin(state[1]);
}

// The end of the curve that starts with the given curvature.
static void shoot(double load, double curvature, double end[5])
{
    double start[5] = {0.0, 0.0, curvature, 0.0, 0.0};
    for (int i = 0; i < 5; ++i) {
        end[i] = start[i];
    }
    for (int i = 0; i < 500; ++i) {
        physics_runge_kutta(curve_rate, &load, end, 5, 1.0 / 500.0);
    }
}

// How far out and down the tip is.
static void tip_of(double load, double *reach, double *droop)
{
    double lower = 0.0, upper = load, end[5];
    for (int i = 0; i < 60; ++i) {
        double middle = 0.5 * (lower + upper);
        shoot(load, middle, end);
        *(end[2] > 0.0 ? &upper : &lower) = middle;
    }
    *reach = end[3];
    *droop = end[4];
}

// --- practice ----------------------------------------------------------------------------------------------

typedef struct beam {
    int cells, rows; // rows 0: a strand
    sn_bending_type type;
    double load;
} beam;

// The two first columns of nodes are fixed. Angles sit at nodes and edges between them are straight, so the
// clamp is at the middle of the first cell.
static void check_beam(beam beam, float step, double fraction, const char *name)
{
    const float density = 0.1f;
    double free_length = (double)length * (1.0 - 0.5 / beam.cells);
    sn_world *world = physics_world();
    sn_mesh *mesh = NULL;
    must(beam.rows > 0 ? sn_mesh_grid(length, length * (float)beam.rows / (float)beam.cells, beam.cells,
                                      beam.rows, SN_GRID_ALTERNATING, &mesh)
                       : sn_mesh_line(length, beam.cells, &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.density = density;
    def.inextensible.on = true;
    def.bending.type = beam.type;
    def.bending.stiffness = (float)((double)density * physics_gravity * pow(free_length, 3.0) / beam.load);
    def.bending.damping = 0.02f;
    def.linear_damping = 1.0f;
    def.pose.rotation = sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), -0.5f * SN_PI);
    sn_deformable deformable;
    must(sn_deformable_add(world, &def, &deformable));
    for (int row = 0; row <= beam.rows; ++row) {
        must(sn_node_fix(world, deformable, row * (beam.cells + 1), true));
        must(sn_node_fix(world, deformable, row * (beam.cells + 1) + 1, true));
    }
    physics_run(world, step, 8.0f);
    const sn_node_state *nodes = sn_deformable_nodes(world, deformable);
    double out = 0.0, down = 0.0, reach, droop;
    for (int row = 0; row <= beam.rows; ++row) {
        sn_vec3 tip = nodes[row * (beam.cells + 1) + beam.cells].position;
        out += ((double)tip.x + free_length - 0.5 * (double)length) / (beam.rows + 1);
        down -= (double)tip.y / (beam.rows + 1);
    }
    tip_of(beam.load, &reach, &droop);
    check_relative(down / free_length, droop, fraction, "%s, load %g: droop", name, beam.load);
    check_relative(out / free_length, reach, 0.2 * fraction, "%s, load %g: reach", name, beam.load);
    sn_mesh_destroy(mesh);
    sn_world_destroy(world);
}

static void test_a_clamped_strand_sags_like_the_elastica_within_1_percent(void **state)
{
    (void)state;
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        check_beam((beam){12, 0, SN_BENDING_ISOMETRIC, 1.0}, physics_steps[s], 0.01, "isometric");
        check_beam((beam){12, 0, SN_BENDING_DIHEDRAL, 1.0}, physics_steps[s], 0.01, "dihedral");
        check_beam((beam){12, 0, SN_BENDING_DIHEDRAL, 4.0}, physics_steps[s], 0.01, "dihedral");
    }
}

// A sheet of triangles is not as stiff all ways: see build_bending.c.
static void test_a_clamped_strip_sags_like_the_elastica_within_3_and_a_half_percent(void **state)
{
    (void)state;
    const float steps[PHYSICS_STEPS] = {1.0f / 240.0f, 1.0f / 480.0f};
    for (int s = 0; s < PHYSICS_STEPS; ++s) {
        check_beam((beam){12, 2, SN_BENDING_ISOMETRIC, 1.0}, steps[s], 0.035, "isometric");
        check_beam((beam){12, 2, SN_BENDING_DIHEDRAL, 1.0}, steps[s], 0.035, "dihedral");
        check_beam((beam){12, 1, SN_BENDING_ISOMETRIC, 1.0}, steps[s], 0.035, "narrow");
    }
}

// A quarter of a ring, clamped as it is without weight, stays so; bent the other way it comes back.
static void test_a_curved_sheet_keeps_its_shape_and_knows_it_from_its_mirror_image(void **state)
{
    (void)state;
    const sn_bending_type types[] = {SN_BENDING_ISOMETRIC, SN_BENDING_DIHEDRAL};
    for (int t = 0; t < 2; ++t) {
        sn_world *world = physics_world_without_gravity();
        sn_mesh *mesh = NULL;
        must(sn_mesh_tube(0.5f, 0.3f, 16, 2, &mesh));
        sn_deformable_def def = sn_deformable_def_default();
        def.mesh = mesh;
        def.density = 1.0f;
        def.inextensible.on = true;
        def.bending.type = types[t];
        def.bending.stiffness = 0.02f;
        def.bending.damping = 0.05f;
        sn_deformable deformable;
        must(sn_deformable_add(world, &def, &deformable));
        sn_deformable_measure before = sn_deformable_measure_now(world, deformable);
        physics_run(world, physics_steps[0], 1.0f);
        sn_deformable_measure after = sn_deformable_measure_now(world, deformable);
        check_below((double)before.elastic_energy, 1e-10, "elastic energy at rest");
        check_below((double)after.elastic_energy, 1e-9, "elastic energy a second later");
        sn_node_state *nodes = NULL;
        sn_node_velocity *velocities = NULL;
        must(sn_deformable_edit(world, deformable, &nodes, &velocities));
        for (int i = 0; i < sn_deformable_node_count(world, deformable); ++i) {
            nodes[i].position.x *= -1.0f; // the mirror image of a tube is a tube inside out
        }
        sn_deformable_measure mirrored = sn_deformable_measure_now(world, deformable);
        check_above((double)mirrored.elastic_energy, 0.05, "elastic energy inside out");
        sn_mesh_destroy(mesh);
        sn_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_clamped_strand_sags_like_the_elastica_within_1_percent),
        physics_test(test_a_clamped_strip_sags_like_the_elastica_within_3_and_a_half_percent),
        physics_test(test_a_curved_sheet_keeps_its_shape_and_knows_it_from_its_mirror_image),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
