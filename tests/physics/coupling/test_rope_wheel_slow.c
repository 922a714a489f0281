// Two bodies on a rope over a free wheel (Vezzaro et al. 2015, figure 4): a strip of 2 × 25 nodes with 121
// edges that keep their length and 47 bending rows, friction 0.5, thickness 1 cm, steps of 20 ms. The wheel
// turns as in Atwood's machine: (m₁ + m₂ + rope + I/r²) v' = (m₂ − m₁ + 2ρx) g, x how far the rope has run.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/physics.h"

#include <math.h>
#include <string.h>

enum { CELLS = 24, ROW = CELLS + 1, NODES = 2 * ROW };
static const float radius = 0.5f, thickness = 0.01f, width = 0.1f, cell = 0.125f;
static const float node_mass = 0.01f, wheel_mass = 1.0f, step = 0.02f, duration = 0.6f;

typedef struct machine {
    sn_world *world;
    sn_mesh *mesh;
    sn_deformable rope;
    sn_rigid wheel, bodies[2];
    sn_anchor anchors[4];
    double masses[2];
} machine;

// What was seen on the way.
typedef struct run {
    double speed;   // of the wheel, by what theory says
    double stretch; // largest
    double gap;     // smallest distance of the rope's middle from the wheel [m]
    double parting; // of anchors, largest [m]
} run;

// --- making ------------------------------------------------------------------------------------------------

// Both diagonals of every cell are edges, one of them of triangles.
static sn_mesh *strip(void)
{
    sn_vec3 nodes[NODES];
    uint32_t triangles[6 * CELLS], edges[4 * CELLS];
    for (int i = 0; i < NODES; ++i) {
        nodes[i] = sn_v(cell * (float)(i % ROW - CELLS / 2), 0.0f, width * ((float)(i / ROW) - 0.5f));
    }
    for (uint32_t i = 0; i < CELLS; ++i) {
        uint32_t a = i, b = i + 1, c = ROW + i, d = ROW + i + 1;
        uint32_t pair[6] = {a, c, i % 2 ? d : b, i % 2 ? a : b, i % 2 ? d : c, i % 2 ? b : d};
        uint32_t diagonals[4] = {a, d, b, c};
        memcpy(triangles + 6 * i, pair, sizeof pair);
        memcpy(edges + 4 * i, diagonals, sizeof diagonals);
    }
    sn_mesh_def def = sn_mesh_def_default();
    def.nodes = nodes;
    def.node_count = NODES;
    def.triangles = triangles;
    def.triangle_count = 2 * CELLS;
    def.edges = edges;
    def.edge_count = 2 * CELLS;
    sn_mesh *mesh = NULL;
    must(sn_mesh_create(&def, &mesh));
    assert_int_equal(sn_mesh_edge_count(mesh), 121);
    return mesh;
}

// Over the wheel and straight down on either side, no edge longer or shorter than at rest.
static void lay_rope(machine *m)
{
    float inner = radius + 0.5f * thickness, r = sqrtf(inner * inner + 0.25f * cell * cell) + 1.0e-4f;
    float turn = 2.0f * asinf(0.5f * cell / r);
    sn_node_state *nodes = NULL;
    sn_node_velocity *velocities = NULL;
    must(sn_deformable_edit(m->world, m->rope, &nodes, &velocities));
    for (int side = -1; side <= 1; side += 2) {
        sn_vec3 place = sn_v(0.0f, r, 0.0f);
        for (int i = 0; i <= CELLS / 2; ++i) {
            float angle = turn * (float)i;
            place = angle <= 0.5f * SN_PI ? sn_v((float)side * r * sinf(angle), r * cosf(angle), 0.0f)
                                          : sn_sub(place, sn_v(0.0f, cell, 0.0f));
            for (int row = 0; row < 2; ++row) {
                sn_vec3 *node = &nodes[row * ROW + CELLS / 2 + side * i].position;
                *node = sn_v(place.x, place.y, width * ((float)row - 0.5f));
            }
        }
    }
}

static void add_rope(machine *m)
{
    float masses[NODES];
    for (int i = 0; i < NODES; ++i) {
        masses[i] = node_mass;
    }
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = m->mesh = strip();
    def.node_masses = masses;
    def.inextensible.on = true;
    def.bending = (sn_bending){SN_BENDING_ISOMETRIC, 1.0e-3f, 0.0f, INFINITY};
    def.thickness = thickness;
    must(sn_deformable_add(m->world, &def, &m->rope));
    lay_rope(m);
}

// Round, or a prism of so many sides along z.
static void add_wheel(machine *m, int sides)
{
    sn_shape_def material = physics_material(0.5f, 0.0f);
    float inertia = 0.5f * wheel_mass * radius * radius;
    m->wheel = physics_lump(m->world, wheel_mass, sn_v(inertia, inertia, inertia), physics_at(0, 0, 0));
    if (sides == 0) {
        sn_capsule capsule = {{0.0f, 0.0f, -0.2f}, {0.0f, 0.0f, 0.2f}, radius};
        must(sn_capsule_add(m->world, m->wheel, &material, capsule, NULL));
    } else {
        sn_vec3 corners[128];
        for (int i = 0; i < 2 * sides; ++i) {
            float angle = 2.0f * SN_PI * (float)(i / 2) / (float)sides;
            corners[i] = sn_v(radius * cosf(angle), radius * sinf(angle), i % 2 ? 0.2f : -0.2f);
        }
        sn_hull *hull = NULL;
        must(sn_hull_create(corners, 2 * sides, 2 * sides, &hull));
        must(sn_hull_add(m->world, m->wheel, &material, hull, NULL));
        sn_hull_destroy(hull);
    }
    sn_hinge_def hinge = sn_hinge_def_default();
    must(sn_constraint_place(m->world, &hinge.common, sn_world_ground(m->world), m->wheel, sn_v(0, 0, 0),
                             sn_v(0.0f, 0.0f, 1.0f)));
    must(sn_hinge_add(m->world, &hinge, NULL));
}

// Anchored by both nodes of an end.
static void hang_body(machine *m, int side, float mass)
{
    const float half = 0.07f;
    const sn_node_state *nodes = sn_deformable_nodes(m->world, m->rope);
    sn_vec3 end = nodes[side * CELLS].position;
    float inertia = mass * 2.0f / 3.0f * half * half;
    m->masses[side] = (double)mass;
    m->bodies[side] =
        physics_lump(m->world, mass, sn_v(inertia, inertia, inertia), physics_at(end.x, end.y - 0.1f, 0.0f));
    must(sn_box_add(m->world, m->bodies[side], NULL, (sn_box){{half, half, half}}, NULL));
    for (int row = 0; row < 2; ++row) {
        int node = row * ROW + side * CELLS;
        sn_anchor_def anchor = sn_anchor_def_default();
        anchor.a = sn_point_node(m->rope, node);
        anchor.b = sn_point_on_rigid(m->world, m->bodies[side], nodes[node].position);
        must(sn_anchor_add(m->world, &anchor, &m->anchors[2 * side + row]));
    }
}

static machine make_machine(float ratio, int sub_steps, int sides)
{
    machine m = {.world = physics_world()};
    sn_world_def settings = sn_world_settings(m.world);
    settings.sub_steps = sub_steps;
    settings.long_range.sub_steps = sub_steps == 0;
    must(sn_world_settings_set(m.world, &settings));
    add_rope(&m);
    add_wheel(&m, sides);
    hang_body(&m, 0, ratio * node_mass);
    hang_body(&m, 1, 1.5f * ratio * node_mass);
    return m;
}

// --- watching ----------------------------------------------------------------------------------------------

// Along all edges: the strip is straight across.
static double gap_now(const machine *m)
{
    const sn_node_state *nodes = sn_deformable_nodes(m->world, m->rope);
    const uint32_t *edges = sn_mesh_edges(m->mesh);
    double gap = 1.0;
    for (int e = 0; e < sn_mesh_edge_count(m->mesh); ++e) {
        for (int k = 0; k <= 8; ++k) {
            sn_vec3 place =
                sn_lerp(nodes[edges[2 * e]].position, nodes[edges[2 * e + 1]].position, (float)k / 8.0f);
            gap = fmin(gap, hypot((double)place.x, (double)place.y) - (double)radius);
        }
    }
    return gap;
}

// The wheel's angular velocity at the end.
static double atwood(const machine *m)
{
    double arm = (double)radius + 0.5 * (double)thickness, rope = NODES * (double)node_mass;
    double density = 2.0 * (double)node_mass / (double)cell;
    double inertia = 0.5 * (double)wheel_mass * (double)radius * (double)radius;
    double mass = m->masses[0] + m->masses[1] + rope + inertia / (arm * arm), x = 0.0, v = 0.0;
    const int parts = 100000;
    for (int i = 0; i < parts; ++i) {
        double dt = (double)duration / parts;
        v += dt * (m->masses[1] - m->masses[0] + 2.0 * density * x) * physics_gravity / mass;
        x += dt * v;
    }
    return v / arm;
}

static run run_machine(float ratio, int sub_steps, int sides)
{
    machine m = make_machine(ratio, sub_steps, sides);
    run run = {.gap = 1.0};
    for (int i = 0; i < (int)lroundf(duration / step); ++i) {
        must(sn_world_step(m.world, step));
        run.stretch = fmax(run.stretch, (double)sn_deformable_measure_now(m.world, m.rope).largest_stretch);
        run.gap = fmin(run.gap, gap_now(&m));
        for (int k = 0; k < 4; ++k) {
            run.parting = fmax(run.parting, (double)sn_anchor_error(m.world, m.anchors[k]));
        }
    }
    run.speed = -(double)sn_rigid_angular_velocity(m.world, m.wheel).z / atwood(&m);
    sn_mesh_destroy(m.mesh);
    sn_world_destroy(m.world);
    return run;
}

// --- tests -------------------------------------------------------------------------------------------------

static void test_the_wheel_turns_as_atwood_says_at_10_100_and_1000_to_1(void **state)
{
    (void)state;
    const struct {
        float ratio;
        double stretch;
    } cases[] = {{10.0f, 0.01}, {100.0f, 0.02}, {1000.0f, 0.03}};
    const int wheels[] = {0, 32, 64};
    for (int w = 0; w < 3; ++w) {
        for (int i = 0; i < 3; ++i) {
            run run = run_machine(cases[i].ratio, 0, wheels[w]);
            double ratio = (double)cases[i].ratio;
            check_relative(run.speed, 1.0, 0.03, "%g : 1, %d sides: speed of the wheel", ratio, wheels[w]);
            check_below(run.stretch, cases[i].stretch, "%g : 1, %d sides: stretch", ratio, wheels[w]);
            check_below(run.parting, 1e-3, "%g : 1, %d sides: anchors part", ratio, wheels[w]);
            check_above(run.gap, 0.0, "%g : 1, %d sides: the rope is outside", ratio, wheels[w]);
        }
    }
}

// Sixteen sub-steps, which a world takes that holds no such load, and up from there.
static void test_stretch_at_1000_to_1_falls_with_the_square_of_the_sub_steps(void **state)
{
    (void)state;
    const double bounds[] = {0.15, 0.03, 0.01};
    double stretch[3];
    for (int i = 0; i < 3; ++i) {
        int sub_steps = 16 << i;
        run run = run_machine(1000.0f, sub_steps, 0);
        stretch[i] = run.stretch;
        check_below(run.stretch, bounds[i], "%d sub-steps: stretch", sub_steps);
        check_below(run.parting, 1e-3, "%d sub-steps: anchors part", sub_steps);
        check_above(run.gap, 0.0, "%d sub-steps: the rope is outside", sub_steps);
    }
    check_relative(stretch[0] / stretch[1], 4.0, 0.2, "from 16 to 32");
    check_relative(stretch[1] / stretch[2], 4.0, 0.2, "from 32 to 64");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_the_wheel_turns_as_atwood_says_at_10_100_and_1000_to_1),
        physics_test(test_stretch_at_1000_to_1_falls_with_the_square_of_the_sub_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
