// Rows of bending against their closed forms; what all kinds of elements have in common is in
// test_elements_gauntlet.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solver/elements/bending_block.h"
#include "support/element_rig.h"
#include "support/memory.h"

static const float h = 1.0f / 800.0f;
// What rows of sheets are stiffer by than asked for (build_bending.c says why).
static const double sheet_factor = 1.2;

static sn_deformable_def bending_def(sn_mesh *mesh, sn_bending_type type, float stiffness)
{
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.mass = 1.0f;
    def.bending.type = type;
    def.bending.stiffness = stiffness;
    return def;
}

static void make(element_rig *rig, const sn_deformable_def *def)
{
    rig_make(rig, def, h);
    sn_mesh_destroy((sn_mesh *)def->mesh);
}

static double relative(double a, double b)
{
    return fabs(a - b) / fabs(b);
}

// --- one hinge ---------------------------------------------------------------------------------------------

// Two triangles with the edge from 0 to 1 along x, 1 m, and wings of 0.5 m to either side.
static void make_hinge(element_rig *rig, sn_bending_type type, float stiffness)
{
    const sn_vec3 nodes[4] = {
        {0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.3f, 0.5f, 0.0f}, {0.6f, -0.5f, 0.0f}};
    const uint32_t triangles[6] = {0, 1, 2, 1, 0, 3};
    sn_mesh_def mesh_def = sn_mesh_def_default();
    mesh_def.nodes = nodes;
    mesh_def.node_count = 4;
    mesh_def.triangles = triangles;
    mesh_def.triangle_count = 2;
    sn_mesh *mesh = NULL;
    assert_int_equal(sn_mesh_create(&mesh_def, &mesh), SN_OK);
    sn_deformable_def def = bending_def(mesh, type, stiffness);
    make(rig, &def);
}

static void fold(element_rig *rig, double angle)
{
    *rig_position(rig, 3) = sn_v(0.6f, (float)(-0.5 * cos(angle)), (float)(-0.5 * sin(angle)));
}

// E = ½ k |e|²/(A₀ + A₁) C², C the angle, or twice the sine of its half.
static void test_a_folded_hinge_has_the_energy_of_its_angle(void **state)
{
    (void)state;
    const double k = 0.7, over = sheet_factor * k * 1.0 / 0.5;
    element_rig isometric, dihedral;
    make_hinge(&isometric, SN_BENDING_ISOMETRIC, (float)k);
    make_hinge(&dihedral, SN_BENDING_DIHEDRAL, (float)k);
    for (double angle = -2.8; angle < 2.9; angle += 0.4) {
        fold(&isometric, angle);
        fold(&dihedral, angle);
        double sine = 2.0 * sin(0.5 * angle);
        assert_true(relative(rig_elastic_energy(&isometric), 0.5 * over * sine * sine) < 1.0e-4);
        assert_true(relative(rig_elastic_energy(&dihedral), 0.5 * over * angle * angle) < 1.0e-4);
    }
    rig_free(&isometric);
    rig_free(&dihedral);
}

// A wing at a distance d from the edge is pushed with the moment by d, across the wing.
static void test_a_hinge_pushes_its_wings_with_its_moment(void **state)
{
    (void)state;
    const float k = 1.0e-3f;
    const double angle = 0.8, moment = sheet_factor * (double)k / 0.5 * angle;
    element_rig rig;
    make_hinge(&rig, SN_BENDING_DIHEDRAL, k);
    fold(&rig, angle);
    rig_refresh(&rig);
    rig_warm_start(&rig);
    rig_solve(&rig);
    double up = (double)rig_velocity(&rig, 2)->z * rig_mass(&rig, 2) / (double)h;
    assert_true(relative(fabs(up), moment / 0.5) < 1.0e-3);
    rig_free(&rig);
}

// Explicit forces of weak rows are minus the gradient of the energy, of whatever shape: folded flat too, and
// with triangles out of their own shapes.
static void test_a_weak_hinge_pushes_down_the_gradient_of_its_energy(void **state)
{
    (void)state;
    const float k = 1.0e-4f, step = 1.0e-3f;
    test_random random = {7};
    element_rig rig;
    make_hinge(&rig, SN_BENDING_ISOMETRIC, k);
    sn_element_group *group = &rig.data.groups.data[0];
    for (int trial = 0; trial < 40; ++trial) {
        fold(&rig, trial % 2 == 0 ? 0.15 * trial - 3.0 : 3.105 + 0.0018 * trial);
        *rig_position(&rig, 2) = sn_add(sn_v(0.3f, 0.5f, 0.0f), test_random_vec3(&random, 0.002f));
        for (int i = 0; i < 4; ++i) {
            *rig_velocity(&rig, i) = sn_v(0.0f, 0.0f, 0.0f);
        }
        rig_run(&rig, group, group->kind->push);
        for (int i = 0; i < 4; ++i) {
            double slope[3];
            for (int axis = 0; axis < 3; ++axis) {
                float *x = &(&rig_position(&rig, i)->x)[axis], middle = *x;
                *x = middle + step;
                double after = rig_elastic_energy(&rig), width = (double)*x;
                *x = middle - step;
                slope[axis] = (after - rig_elastic_energy(&rig)) / (width - (double)*x);
                *x = middle;
            }
            double weight = rig_mass(&rig, i) / (double)h;
            sn_vec3 v = *rig_velocity(&rig, i);
            double off = fabs(weight * (double)v.x + slope[0]) + fabs(weight * (double)v.y + slope[1]) +
                         fabs(weight * (double)v.z + slope[2]);
            assert_true(off < 0.02 * (double)k);
        }
    }
    rig_free(&rig);
}

// --- curvature ---------------------------------------------------------------------------------------------

// A square metre rolled to a radius has ½ k/R², but for the factor, whichever way its cells are cut.
static void test_a_sheet_on_a_cylinder_has_the_energy_of_its_curvature(void **state)
{
    (void)state;
    const double k = 0.3, radius = 1.0;
    const sn_grid_pattern patterns[] = {SN_GRID_ALTERNATING, SN_GRID_FORWARD};
    for (int p = 0; p < 2; ++p) {
        element_rig rig;
        sn_mesh *mesh = NULL;
        assert_int_equal(sn_mesh_grid(1.0f, 1.0f, 40, 40, patterns[p], &mesh), SN_OK);
        sn_deformable_def def = bending_def(mesh, SN_BENDING_ISOMETRIC, (float)k);
        make(&rig, &def);
        for (int i = 0; i < rig.data.node_count; ++i) {
            sn_vec3 *x = rig_position(&rig, i);
            double angle = (double)x->x / radius;
            *x = sn_v((float)(radius * sin(angle)), x->y, (float)(radius * cos(angle)));
        }
        // Rows stand at inner edges only: half a cell at either end bends for nothing.
        double expected = sheet_factor * 0.5 * k / (radius * radius) * (1.0 - 1.0 / 40);
        assert_true(relative(rig_elastic_energy(&rig), expected) < 0.02);
        rig_free(&rig);
    }
}

static void test_a_strand_in_a_circle_has_the_energy_of_its_curvature(void **state)
{
    (void)state;
    const double rigidity = 0.3, radius = 0.5;
    const sn_bending_type types[] = {SN_BENDING_ISOMETRIC, SN_BENDING_DIHEDRAL};
    for (int t = 0; t < 2; ++t) {
        element_rig rig;
        sn_mesh *mesh = NULL;
        assert_int_equal(sn_mesh_line(1.0f, 50, &mesh), SN_OK);
        sn_deformable_def def = bending_def(mesh, types[t], (float)rigidity);
        make(&rig, &def);
        for (int i = 0; i < rig.data.node_count; ++i) {
            sn_vec3 *x = rig_position(&rig, i);
            double angle = (double)x->x / radius;
            *x = sn_v((float)(radius * sin(angle)), 0.0f, (float)(radius * cos(angle)));
        }
        double expected = 0.5 * rigidity / (radius * radius) * (1.0 - 1.0 / 50);
        assert_true(relative(rig_elastic_energy(&rig), expected) < 1.0e-3);
        rig_free(&rig);
    }
}

// Where the angle is a right one, a diagonal is as stiff as an angle: the moments of a small further fold
// agree.
static void test_a_diagonal_is_as_stiff_as_the_angle_around_a_right_one(void **state)
{
    (void)state;
    const double right = 0.5 * 3.14159265358979, step = 0.02;
    double second[2];
    const sn_bending_type types[] = {SN_BENDING_DIAGONAL, SN_BENDING_DIHEDRAL};
    for (int t = 0; t < 2; ++t) {
        const sn_vec3 nodes[4] = {
            {0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.5f, 0.5f, 0.0f}, {0.5f, 0.0f, -0.5f}};
        const uint32_t triangles[6] = {0, 1, 2, 1, 0, 3};
        sn_mesh_def mesh_def = sn_mesh_def_default();
        mesh_def.nodes = nodes;
        mesh_def.node_count = 4;
        mesh_def.triangles = triangles;
        mesh_def.triangle_count = 2;
        sn_mesh *mesh = NULL;
        assert_int_equal(sn_mesh_create(&mesh_def, &mesh), SN_OK);
        sn_deformable_def def = bending_def(mesh, types[t], 1.0f);
        element_rig rig;
        make(&rig, &def);
        double angle = right + step;
        *rig_position(&rig, 3) = sn_v(0.5f, (float)(-0.5 * cos(angle)), (float)(-0.5 * sin(angle)));
        second[t] = rig_elastic_energy(&rig);
        rig_free(&rig);
    }
    assert_true(relative(second[0], second[1]) < 0.01);
}

// --- limits and stability ----------------------------------------------------------------------------------

// A hard hinge bears its largest impulse and no more: fast wings fold on.
static void test_hard_rows_give_no_more_than_their_largest_impulse(void **state)
{
    (void)state;
    const float most = 1.0e-3f;
    const sn_bending_type types[] = {SN_BENDING_DIHEDRAL, SN_BENDING_DIAGONAL};
    for (int t = 0; t < 2; ++t) {
        element_rig rig;
        make_hinge(&rig, types[t], 0.0f);
        sn_element_group *group = &rig.data.groups.data[0];
        ((sn_bending_block *)group->blocks)->limit.lane[0] = most;
        fold(&rig, 0.5);
        rig_refresh(&rig);
        rig_velocity(&rig, 2)->z = 20.0f;
        rig_warm_start(&rig);
        rig_solve(&rig);
        double impulse = (double)((const sn_bending_block *)group->blocks)->impulse.lane[0];
        assert_float_equal(fabs(impulse), (double)most, 1.0e-9);
        rig_free(&rig);
    }
}

// Plates of hundreds of cells, far stiffer than sub-steps resolve, or hard.
static void test_stiff_plates_make_no_energy(void **state)
{
    (void)state;
    const struct {
        sn_bending_type type;
        float stiffness;
    } cases[] = {{SN_BENDING_DIHEDRAL, 0.0f}, {SN_BENDING_DIHEDRAL, 1.0e4f}, {SN_BENDING_ISOMETRIC, 1.0e4f}};
    for (int c = 0; c < 3; ++c) {
        test_random random = {5};
        element_rig rig;
        sn_mesh *mesh = NULL;
        assert_int_equal(sn_mesh_grid(2.0f, 2.0f, 20, 20, SN_GRID_ALTERNATING, &mesh), SN_OK);
        sn_deformable_def def = bending_def(mesh, cases[c].type, cases[c].stiffness);
        def.inextensible.on = true;
        def.angular_velocity = sn_v(0.4f, 1.5f, 0.6f);
        make(&rig, &def);
        rig_shake(&rig, &random, 0.0f, 0.2f);
        rig_refresh(&rig);
        double first = rig_kinetic_energy(&rig);
        for (int i = 0; i < 3000; ++i) {
            rig_sub_step(&rig);
        }
        assert_true(rig_kinetic_energy(&rig) < first);
        rig_free(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_folded_hinge_has_the_energy_of_its_angle),
        test_with_memory(test_a_hinge_pushes_its_wings_with_its_moment),
        test_with_memory(test_a_weak_hinge_pushes_down_the_gradient_of_its_energy),
        test_with_memory(test_a_sheet_on_a_cylinder_has_the_energy_of_its_curvature),
        test_with_memory(test_a_strand_in_a_circle_has_the_energy_of_its_curvature),
        test_with_memory(test_a_diagonal_is_as_stiff_as_the_angle_around_a_right_one),
        test_with_memory(test_hard_rows_give_no_more_than_their_largest_impulse),
        test_with_memory(test_stiff_plates_make_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
