// Every kind of element goes through the same tests, as the rows of small deformables: forces are the
// gradient of the energy, impulses have neither force nor torque, nothing moves at rest, no energy is made,
// both builds give the same bits, and a group goes on from what it remembers.
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/element_rig.h"
#include "support/memory.h"

enum {
    SOFT = 1,  // has an energy
    HARD = 2,  // has rows that relax
    PUSHES = 4 // moves at rest
};

typedef struct runner {
    const char *name;
    void (*define)(sn_deformable_def *def, float stiffness);
    int traits;
} runner;

#define require(condition, who)                                                                              \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fail_msg("%s: %s", (who)->name, #condition);                                                     \
        }                                                                                                    \
    } while (0)

// --- meshes ------------------------------------------------------------------------------------------------

static const sn_mesh *sheet(void)
{
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_grid(1.0f, 1.0f, 3, 3, SN_GRID_ALTERNATING, &mesh), SN_OK);
    return mesh;
}

static const sn_mesh *tube(void)
{
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_tube(0.5f, 1.0f, 7, 2, &mesh), SN_OK);
    return mesh;
}

static const sn_mesh *strand(void)
{
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_line(2.0f, 7, &mesh), SN_OK);
    return mesh;
}

// Edges of two lengths, bent at every node, not in a plane.
static const sn_mesh *bent_strand(void)
{
    enum { NODES = 9 };
    sn_vec3 nodes[NODES];
    uint32_t edges[2 * (NODES - 1)];
    for (int i = 0; i < NODES; ++i) {
        float angle = 0.9f * (float)i + (i % 2 == 0 ? 0.2f : 0.0f);
        nodes[i] = sn_v(0.4f * sn_cos(angle), 0.4f * sn_sin(angle), 0.1f * (float)i);
    }
    for (uint32_t i = 0; i + 1 < NODES; ++i) {
        edges[2 * i] = i;
        edges[2 * i + 1] = i + 1;
    }
    sn_mesh_def def = sn_mesh_def_default();
    def.nodes = nodes;
    def.node_count = NODES;
    def.edges = edges;
    def.edge_count = NODES - 1;
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_create(&def, &mesh), SN_OK);
    return mesh;
}

static const sn_mesh *ball(void)
{
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_sphere_surface(0.5f, 2, &mesh), SN_OK);
    return mesh;
}

static const sn_mesh *block(void)
{
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_box(sn_v(1.0f, 0.8f, 0.6f), 2, 2, 1, &mesh), SN_OK);
    return mesh;
}

// --- runners -----------------------------------------------------------------------------------------------

static void springs(sn_deformable_def *def, float stiffness)
{
    def->mesh = sheet();
    def->model = sn_model_springs(stiffness, 0.01f * stiffness);
}
static void hard_edges(sn_deformable_def *def, float stiffness)
{
    (void)stiffness;
    def->mesh = sheet();
    def->inextensible.on = true;
}

static void bend(sn_deformable_def *def, const sn_mesh *mesh, sn_bending_type type, float stiffness)
{
    def->mesh = mesh;
    def->bending.type = type;
    def->bending.stiffness = stiffness;
    def->bending.damping = 0.01f;
}
static void isometric(sn_deformable_def *def, float stiffness)
{
    bend(def, sheet(), SN_BENDING_ISOMETRIC, stiffness);
}
static void curved_isometric(sn_deformable_def *def, float stiffness)
{
    bend(def, tube(), SN_BENDING_ISOMETRIC, stiffness);
}
static void dihedral(sn_deformable_def *def, float stiffness)
{
    bend(def, sheet(), SN_BENDING_DIHEDRAL, stiffness);
}
static void curved_dihedral(sn_deformable_def *def, float stiffness)
{
    bend(def, tube(), SN_BENDING_DIHEDRAL, stiffness);
}
// Hard angles alone would be a mechanism that flies apart.
static void hard_dihedral(sn_deformable_def *def, float stiffness)
{
    (void)stiffness;
    bend(def, tube(), SN_BENDING_DIHEDRAL, 0.0f);
    def->inextensible.on = true;
}
static void diagonal(sn_deformable_def *def, float stiffness)
{
    bend(def, sheet(), SN_BENDING_DIAGONAL, stiffness);
}
static void hard_diagonal(sn_deformable_def *def, float stiffness)
{
    (void)stiffness;
    bend(def, tube(), SN_BENDING_DIAGONAL, 0.0f);
}
static void isometric_strand(sn_deformable_def *def, float stiffness)
{
    bend(def, strand(), SN_BENDING_ISOMETRIC, stiffness);
}
static void bent_isometric_strand(sn_deformable_def *def, float stiffness)
{
    bend(def, bent_strand(), SN_BENDING_ISOMETRIC, stiffness);
}
static void angle_strand(sn_deformable_def *def, float stiffness)
{
    bend(def, strand(), SN_BENDING_DIHEDRAL, stiffness);
}
static void hard_angle_strand(sn_deformable_def *def, float stiffness)
{
    (void)stiffness;
    bend(def, bent_strand(), SN_BENDING_DIHEDRAL, 0.0f);
}
static void diagonal_strand(sn_deformable_def *def, float stiffness)
{
    bend(def, bent_strand(), SN_BENDING_DIAGONAL, stiffness);
}

static void compliant_enclosure(sn_deformable_def *def, float stiffness)
{
    def->mesh = ball();
    def->enclosure.preserve = true;
    def->enclosure.compliance = 0.1f / stiffness;
}
static void hard_enclosure(sn_deformable_def *def, float stiffness)
{
    (void)stiffness;
    def->mesh = ball();
    def->enclosure.preserve = true;
}
static void pressure(sn_deformable_def *def, float stiffness)
{
    def->mesh = ball();
    def->enclosure.pressure = stiffness;
    def->model = sn_model_springs(20.0f * stiffness, 0.0f); // else it would grow for ever
}

static void corotational(sn_deformable_def *def, float stiffness)
{
    def->mesh = block();
    def->model = sn_model_corotational(stiffness, 0.3f);
}
static void neo_hookean(sn_deformable_def *def, float stiffness)
{
    def->mesh = block();
    def->model = sn_model_neo_hookean(stiffness, 0.3f);
}
static void incompressible(sn_deformable_def *def, float stiffness)
{
    def->mesh = block();
    def->model = sn_model_neo_hookean(stiffness, 0.45f);
}

static const runner runners[] = {
    {"springs", springs, SOFT},
    {"inextensible edges", hard_edges, HARD},
    {"isometric bending", isometric, SOFT},
    {"isometric bending, curved", curved_isometric, SOFT},
    {"dihedral angles", dihedral, SOFT},
    {"dihedral angles, curved", curved_dihedral, SOFT},
    {"dihedral angles, hard", hard_dihedral, HARD},
    {"diagonals", diagonal, SOFT},
    {"diagonals, hard", hard_diagonal, HARD},
    {"isometric bending of strands", isometric_strand, SOFT},
    {"isometric bending of strands, bent", bent_isometric_strand, SOFT},
    {"angles of strands", angle_strand, SOFT},
    {"angles of strands, hard", hard_angle_strand, HARD},
    {"diagonals of strands", diagonal_strand, SOFT},
    {"enclosure, compliant", compliant_enclosure, SOFT},
    {"enclosure, hard", hard_enclosure, HARD},
    {"pressure", pressure, SOFT | PUSHES},
    {"corotational", corotational, SOFT},
    {"neo-Hookean", neo_hookean, SOFT},
    {"neo-Hookean, nearly incompressible", incompressible, SOFT},
};

enum { RUNNERS = sizeof runners / sizeof *runners };

// One kilogram, turned and put aside.
static void make(element_rig *rig, const runner *who, float stiffness, float h)
{
    sn_deformable_def def = sn_deformable_def_default();
    def.mass = 1.0f;
    def.pose = (sn_pose){{0.3f, -0.2f, 0.5f}, sn_quat_axis_angle(sn_v(0.6f, 0.0f, 0.8f), 1.1f)};
    who->define(&def, stiffness);
    rig_make(rig, &def, h);
    sn_mesh_destroy((sn_mesh *)def.mesh);
    require(rig->data.groups.count >= 1, who);
    rig_refresh(rig);
}

// --- forces ------------------------------------------------------------------------------------------------

static double energy_at(element_rig *rig, int node, int axis, float distance)
{
    sn_vec3 *x = rig_position(rig, node), before = *x;
    float *component = axis == 0 ? &x->x : axis == 1 ? &x->y : &x->z;
    *component += distance;
    double energy = rig_elastic_energy(rig);
    *x = before;
    return energy;
}

// By central differences of two steps, extrapolated.
static double slope_of(element_rig *rig, int node, int axis, float step)
{
    double fine = energy_at(rig, node, axis, step) - energy_at(rig, node, axis, -step);
    double coarse = energy_at(rig, node, axis, 2.0f * step) - energy_at(rig, node, axis, -2.0f * step);
    return (8.0 * fine - coarse) / (12.0 * (double)step);
}

// Rows so soft that a sweep does not feel what it does itself. Places are as after shaking.
static void check_forces(const runner *who, element_rig *rig, float step)
{
    rig_refresh(rig);
    rig_warm_start(rig);
    for (int i = 0; i < 20; ++i) { // a sweep takes but a part of what pressed elements ask for
        rig_solve(rig);
    }
    double difference = 0.0, size = 0.0;
    for (int i = 0; i < rig->data.node_count; ++i) {
        sn_vec3 v = *rig_velocity(rig, i);
        double parts[3] = {v.x, v.y, v.z};
        for (int axis = 0; axis < 3; ++axis) {
            double force = rig_mass(rig, i) * parts[axis] / (double)rig->pass.h;
            double slope = slope_of(rig, i, axis, step);
            difference += (force + slope) * (force + slope);
            size += slope * slope;
        }
    }
    // Energies are rounded sums of rounded rows.
    double error = sqrt(difference / size);
    require(size > 1.0e-12 && error < 3.0e-4, who);
}

static void test_impulses_of_soft_rows_from_rest_are_minus_the_gradient_of_their_energy(void **state)
{
    (void)state;
    for (int r = 0; r < RUNNERS; ++r) {
        test_random random = {7};
        element_rig rig;
        if (!(runners[r].traits & SOFT)) {
            continue;
        }
        make(&rig, &runners[r], 0.01f, 1.0e-4f);
        rig_shake(&rig, &random, 0.05f, 0.0f);
        check_forces(&runners[r], &rig, 0.01f);
        rig_free(&rig);
    }
}

// To an eighth of their height: beyond the linear law.
static void test_pressed_elements_push_by_the_gradient_of_their_energy(void **state)
{
    (void)state;
    const runner who = {"corotational, pressed", corotational, SOFT};
    test_random random = {9};
    element_rig rig;
    make(&rig, &who, 0.01f, 1.0e-4f);
    sn_vec3 along = test_random_direction(&random);
    for (int i = 0; i < rig.data.node_count; ++i) {
        sn_vec3 *x = rig_position(&rig, i);
        *x = sn_add_scaled(*x, -0.875f * sn_dot(*x, along), along);
    }
    rig_shake(&rig, &random, 0.01f, 0.0f);
    check_forces(&who, &rig, 0.001f);
    rig_free(&rig);
}

// --- momentum ----------------------------------------------------------------------------------------------

static void check_momenta(const runner *who, rig_momenta before, rig_momenta after)
{
    for (int k = 0; k < 3; ++k) {
        require(fabs(after.linear[k] - before.linear[k]) <= 3.0e-7 * (before.linear_size + after.linear_size),
                who);
        require(fabs(after.angular[k] - before.angular[k]) <=
                    6.0e-7 * (before.angular_size + after.angular_size),
                who);
    }
}

static void test_no_pass_changes_linear_or_angular_momentum(void **state)
{
    (void)state;
    for (int r = 0; r < RUNNERS; ++r) {
        test_random random = {11};
        element_rig rig;
        make(&rig, &runners[r], 50.0f, 1.0e-3f);
        rig_shake(&rig, &random, 0.05f, 1.0f);
        rig_refresh(&rig);
        for (int i = 0; i < 20; ++i) {
            rig_momenta start = rig_momenta_now(&rig), next;
            rig_warm_start(&rig);
            check_momenta(&runners[r], start, next = rig_momenta_now(&rig));
            rig_solve(&rig);
            check_momenta(&runners[r], next, rig_momenta_now(&rig));
            rig_move(&rig);
            rig_refresh(&rig);
            next = rig_momenta_now(&rig);
            rig_relax(&rig);
            check_momenta(&runners[r], next, rig_momenta_now(&rig));
        }
        rig_free(&rig);
    }
}

// --- rest and energy ---------------------------------------------------------------------------------------

static void test_nothing_moves_at_rest(void **state)
{
    (void)state;
    for (int r = 0; r < RUNNERS; ++r) {
        const runner *who = &runners[r];
        element_rig rig;
        if (who->traits & PUSHES) {
            continue;
        }
        make(&rig, who, 100.0f, 1.0e-3f);
        for (int i = 0; i < 50; ++i) {
            rig_sub_step(&rig);
        }
        // Places are rounded to 6e-8 m, and a hard row takes a third of its error away in a millisecond.
        for (int i = 0; i < rig.data.node_count; ++i) {
            require(sn_length(*rig_velocity(&rig, i)) < 5.0e-4f, who);
        }
        rig_free(&rig);
    }
}

// Soft rows: their own energy counts. Hard ones start undeformed, and have none.
static void check_energy(const runner *who, float stiffness, double allowed)
{
    test_random random = {13};
    element_rig rig;
    bool soft = (who->traits & SOFT) != 0;
    make(&rig, who, stiffness, 1.0f / 840.0f);
    rig_shake(&rig, &random, soft ? 0.02f : 0.0f, 0.5f);
    rig_refresh(&rig);
    double offset = who->traits & PUSHES ? (double)stiffness : 0.0; // −p V is less
    double first = rig_kinetic_energy(&rig) + rig_elastic_energy(&rig) + offset;
    for (int i = 0; i < 1000; ++i) {
        rig_sub_step(&rig);
        double now = rig_kinetic_energy(&rig) + (soft ? rig_elastic_energy(&rig) + offset : 0.0);
        require(now <= first * (1.0 + allowed), who);
    }
    rig_free(&rig);
}

static void test_1000_free_sub_steps_make_no_energy(void **state)
{
    (void)state;
    for (int r = 0; r < RUNNERS; ++r) {
        check_energy(&runners[r], 1.0f, 2.0e-3);
        if (!(runners[r].traits & PUSHES)) {
            check_energy(&runners[r], 1.0e3f, 2.0e-3);
        }
    }
}

// Far beyond what a sub-step can resolve: such rows act as stiff as hard ones, so their energy says nothing.
static void test_1000_sub_steps_of_rows_too_stiff_to_resolve_make_no_motion(void **state)
{
    (void)state;
    for (int r = 0; r < RUNNERS; ++r) {
        test_random random = {17};
        element_rig rig;
        if (runners[r].traits & PUSHES) {
            continue;
        }
        make(&rig, &runners[r], 1.0e9f, 1.0f / 840.0f);
        rig_shake(&rig, &random, 0.0f, 0.5f);
        rig_refresh(&rig);
        double first = rig_kinetic_energy(&rig);
        for (int i = 0; i < 1000; ++i) {
            rig_sub_step(&rig);
            require(rig_kinetic_energy(&rig) <= 1.02 * first, &runners[r]);
        }
        rig_free(&rig);
    }
}

// --- bits --------------------------------------------------------------------------------------------------

static void shake_and_run(element_rig *rig, uint64_t seed)
{
    test_random random = {seed};
    rig_shake(rig, &random, 0.05f, 1.0f);
    rig_refresh(rig);
    for (int i = 0; i < 30; ++i) {
        rig_sub_step(rig);
    }
}

static void check_same_nodes(const runner *who, const element_rig *a, const element_rig *b)
{
    size_t count = (size_t)a->nodes.states.count;
    require(memcmp(a->nodes.states.data, b->nodes.states.data, count * sizeof *a->nodes.states.data) == 0,
            who);
    require(memcmp(a->nodes.velocities.data, b->nodes.velocities.data,
                   count * sizeof *a->nodes.velocities.data) == 0,
            who);
}

static void test_base_and_avx2_builds_give_the_same_bits(void **state)
{
    (void)state;
    for (int r = 0; r < RUNNERS; ++r) {
        for (uint64_t seed = 1; seed <= 5; ++seed) {
            element_rig base, fast;
            setenv("SINEW_NO_AVX2", "1", 1);
            make(&base, &runners[r], seed % 2 == 0 ? 20.0f : 1.0e6f, 1.0e-3f);
            unsetenv("SINEW_NO_AVX2");
            make(&fast, &runners[r], seed % 2 == 0 ? 20.0f : 1.0e6f, 1.0e-3f);
            shake_and_run(&base, seed);
            shake_and_run(&fast, seed);
            check_same_nodes(&runners[r], &base, &fast);
            for (int g = 0; g < base.data.groups.count; ++g) {
                const sn_element_group *a = &base.data.groups.data[g], *b = &fast.data.groups.data[g];
                require(memcmp(a->blocks, b->blocks, (size_t)a->block_count * a->kind->block_size) == 0,
                        &runners[r]);
            }
            rig_free(&base);
            rig_free(&fast);
        }
    }
}

// --- memory ------------------------------------------------------------------------------------------------

typedef struct lane_list {
    sn_lanes lanes[4096];
    int count;
} lane_list;

static void remember(void *context, sn_lanes *lanes, const sn_element_memory *memory)
{
    (void)memory;
    lane_list *list = context;
    assert_true(list->count < 4096);
    list->lanes[list->count++] = *lanes;
}

static void recall(void *context, sn_lanes *lanes, const sn_element_memory *memory)
{
    (void)memory;
    lane_list *list = context;
    *lanes = list->lanes[list->count++];
}

// As a snapshot does: rows made anew, with the nodes and what kinds say lasts.
static void test_a_group_made_anew_goes_on_from_what_it_remembers(void **state)
{
    (void)state;
    for (int r = 0; r < RUNNERS; ++r) {
        static lane_list list;
        element_rig old, anew;
        make(&old, &runners[r], 20.0f, 1.0e-3f);
        make(&anew, &runners[r], 20.0f, 1.0e-3f);
        shake_and_run(&old, 3);
        memcpy(anew.nodes.states.data, old.nodes.states.data,
               (size_t)old.nodes.states.count * sizeof *old.nodes.states.data);
        memcpy(anew.nodes.velocities.data, old.nodes.velocities.data,
               (size_t)old.nodes.velocities.count * sizeof *old.nodes.velocities.data);
        for (int g = 0; g < old.data.groups.count; ++g) {
            list.count = 0;
            sn_element_group_visit(&old.data.groups.data[g], remember, &list);
            list.count = 0;
            sn_element_group_visit(&anew.data.groups.data[g], recall, &list);
        }
        shake_and_run(&old, 4);
        shake_and_run(&anew, 4);
        check_same_nodes(&runners[r], &old, &anew);
        rig_free(&old);
        rig_free(&anew);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_impulses_of_soft_rows_from_rest_are_minus_the_gradient_of_their_energy),
        test_with_memory(test_pressed_elements_push_by_the_gradient_of_their_energy),
        test_with_memory(test_no_pass_changes_linear_or_angular_momentum),
        test_with_memory(test_nothing_moves_at_rest),
        test_with_memory(test_1000_free_sub_steps_make_no_energy),
        test_with_memory(test_1000_sub_steps_of_rows_too_stiff_to_resolve_make_no_motion),
        test_with_memory(test_base_and_avx2_builds_give_the_same_bits),
        test_with_memory(test_a_group_made_anew_goes_on_from_what_it_remembers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
