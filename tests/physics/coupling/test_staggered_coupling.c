// Deformables and rigid bodies under the staggered schedule, at the paper's 20 ms and two sweeps each:
// momentum of what is free, weight of what rests, jellies of every stiffness, and what dummy nodes lose.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/soft_kit.h"

#include <math.h>

static const float step = 0.02f; // the paper's

static sn_world *paper_world(sn_vec3 gravity, bool dummy_nodes)
{
    sn_world_def def = sn_world_def_default();
    def.solver = SN_SOLVER_STAGGERED;
    def.staggered.dummy_nodes = dummy_nodes;
    def.gravity = gravity;
    def.sleep = false;
    sn_world *world = NULL;
    assert_ok(sn_world_create(&def, &world));
    return world;
}

static void advance(sn_world *world, int steps)
{
    for (int i = 0; i < steps; ++i) {
        assert_ok(sn_world_step(world, step));
    }
}

// A cube of 0.4 m in 3 × 3 × 3 cells that collides, 6.4 kg.
static sn_deformable add_jelly(sn_world *world, sn_vec3 position, sn_model model)
{
    sn_mesh *mesh = NULL;
    assert_ok(sn_mesh_box(sn_v(0.4f, 0.4f, 0.4f), 3, 3, 3, &mesh));
    sn_deformable_def def = soft_def(mesh, position);
    def.collide = true;
    def.density = 100.0f;
    def.model = model;
    sn_deformable jelly = soft_add(world, &def);
    sn_mesh_destroy(mesh);
    return jelly;
}

// --- momentum --------------------------------------------------------------------------------------------

// A jelly glued to a slab by nine anchors, thrown and spinning.
static sn_world *free_system(void)
{
    sn_world *world = paper_world(sn_v(0.0f, 0.0f, 0.0f), false);
    sn_deformable jelly = add_jelly(world, sn_v(0.0f, 0.3f, 0.0f), sn_model_corotational(2.0e4f, 0.4f));
    sn_rigid slab = soft_slab(world, sn_v(0.0f, 0.0f, 0.0f), 2.0f);
    const sn_node_state *nodes = sn_deformable_nodes(world, jelly);
    for (int i = 0; i < sn_deformable_node_count(world, jelly); ++i) {
        if (nodes[i].position.y < 0.11f) {
            (void)soft_tie(world, sn_point_node(jelly, i), sn_point_on_rigid(world, slab, nodes[i].position));
        }
    }
    sn_node_state *states;
    sn_node_velocity *velocities;
    assert_ok(sn_deformable_edit(world, jelly, &states, &velocities));
    for (int i = 0; i < sn_deformable_node_count(world, jelly); ++i) {
        velocities[i].velocity =
            sn_add(sn_v(0.5f, 0.0f, 0.0f), sn_cross(sn_v(0.3f, 1.0f, 0.5f), states[i].position));
    }
    return world;
}

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void test_a_free_coupled_system_keeps_both_momenta_over_1000_steps(void **state)
{
    (void)state;
    sn_world *world = free_system();
    sn_energy before = sn_world_energy(world);
    advance(world, 1000);
    sn_energy after = sn_world_energy(world);
    double linear = length_of(before.momentum), angular = length_of(before.angular_momentum);
    for (int k = 0; k < 3; ++k) {
        assert_float_equal(after.momentum[k], before.momentum[k], 1.0e-5 * linear);
        assert_float_equal(after.angular_momentum[k], before.angular_momentum[k], 1.0e-5 * angular);
    }
    assert_true(after.kinetic <= before.kinetic);
    sn_world_destroy(world);
}

// --- weight ----------------------------------------------------------------------------------------------

static double support_now(const sn_world *world, sn_deformable jelly)
{
    sn_soft_contact contacts[256];
    int count = sn_deformable_contacts(world, jelly, contacts, 256);
    double sum = 0.0;
    for (int i = 0; i < count && i < 256; ++i) {
        float along = contacts[i].normal_impulse * contacts[i].normal.y;
        sum += (double)(along + contacts[i].friction_impulse.y) / (double)step;
    }
    return sum;
}

// The mean of two seconds: single steps tremble by a per cent.
static double support_of(sn_world *world, sn_deformable jelly)
{
    double sum = 0.0;
    for (int i = 0; i < 100; ++i) {
        advance(world, 1);
        sum += support_now(world, jelly);
    }
    return sum / 100.0;
}

static void test_the_floor_pushes_as_hard_as_a_jelly_weighs(void **state)
{
    (void)state;
    sn_world *world = paper_world(sn_v(0.0f, -9.81f, 0.0f), false);
    add_floor(world);
    sn_deformable jelly = add_jelly(world, sn_v(0.0f, 0.21f, 0.0f), sn_model_corotational(1.0e5f, 0.3f));
    advance(world, 500);
    assert_float_equal(support_of(world, jelly), 6.4 * 9.81, 0.005 * 6.4 * 9.81);
    sn_world_destroy(world);
}

static void test_the_floor_pushes_as_hard_as_jelly_and_slab_weigh(void **state)
{
    (void)state;
    sn_world *world = paper_world(sn_v(0.0f, -9.81f, 0.0f), false);
    sn_world_def settings = sn_world_settings(world);
    settings.staggered.rigid_iterations = settings.staggered.node_iterations = 8; // two let the slab slip off
    assert_ok(sn_world_settings_set(world, &settings));
    add_floor(world);
    sn_deformable jelly = add_jelly(world, sn_v(0.0f, 0.21f, 0.0f), sn_model_corotational(1.0e5f, 0.3f));
    sn_rigid slab = soft_slab(world, sn_v(0.0f, 0.47f, 0.0f), 1.0f);
    advance(world, 200);
    // The slab pushes the jelly down, the floor up: together they carry the jelly alone.
    assert_float_equal(support_of(world, jelly), 6.4 * 9.81, 0.01 * 6.4 * 9.81);
    assert_true(sn_rigid_position(world, slab).y > 0.25f);
    sn_world_destroy(world);
}

// --- every material --------------------------------------------------------------------------------------

// How a node of a jelly moves that has hit the floor, while a rope far away is held by an anchor.
static sn_vec3 motion_beside(bool exact)
{
    sn_world *world = paper_world(sn_v(0.0f, -9.81f, 0.0f), false);
    add_floor(world);
    sn_deformable jelly = add_jelly(world, sn_v(0.0f, 0.21f, 0.0f), sn_model_corotational(2.0e5f, 0.4f));
    sn_deformable rope = soft_rope(world, 4, sn_v(20.0f, 5.0f, 0.0f));
    sn_anchor_def hold = sn_anchor_def_default();
    hold.a = sn_point_world(soft_node(world, rope, 0));
    hold.b = sn_point_node(rope, 0);
    hold.exact = exact;
    assert_ok(sn_anchor_add(world, &hold, NULL));
    advance(world, 10);
    sn_vec3 velocity = sn_deformable_velocities(world, jelly)[0].velocity;
    sn_world_destroy(world);
    return velocity;
}

static void test_an_exact_anchor_elsewhere_changes_nothing(void **state)
{
    (void)state;
    assert_true(same_vec3(motion_beside(true), motion_beside(false)));
}

static void test_jellies_of_any_stiffness_stay_whole(void **state)
{
    (void)state;
    static const float moduli[] = {1.0e3f, 1.0e4f, 1.0e5f, 1.0e6f, 1.0e8f};
    for (int i = 0; i < 5; ++i) {
        for (int kind = 0; kind < 2; ++kind) {
            sn_world *world = paper_world(sn_v(0.0f, -9.81f, 0.0f), false);
            add_floor(world);
            sn_model model =
                kind == 0 ? sn_model_corotational(moduli[i], 0.4f) : sn_model_neo_hookean(moduli[i], 0.4f);
            sn_deformable jelly = add_jelly(world, sn_v(0.0f, 0.5f, 0.0f), model);
            advance(world, 300);
            sn_deformable_measure measure = sn_deformable_measure_now(world, jelly);
            assert_true(measure.volume > 0.5f * measure.rest_volume);
            assert_true(measure.volume < 1.2f * measure.rest_volume);
            assert_true(measure.center.y > 0.08f && measure.center.y < 0.3f);
            sn_world_destroy(world);
        }
    }
}

static void test_models_of_goals_and_forces_fall_freely_as_stones_do(void **state)
{
    (void)state;
    sn_model springs = sn_model_springs(500.0f, 1.0f);
    springs.type = SN_MODEL_SPRING_FORCES;
    const sn_model models[] = {springs, sn_model_position_based(0.8f, 0.8f),
                               sn_model_shape_matching(0.8f, SN_MATCH_LINEAR, 0.5f),
                               sn_model_corotational(1.0e4f, 0.3f)};
    for (int i = 0; i < 4; ++i) {
        sn_world *world = paper_world(sn_v(0.0f, -10.0f, 0.0f), false);
        sn_deformable jelly = add_jelly(world, sn_v(0.0f, 0.0f, 0.0f), models[i]);
        advance(world, 25);
        // Semi-implicit Euler: h² g (1 + 2 + … + n).
        double expected = -10.0 * 0.0004 * 25.0 * 26.0 / 2.0;
        assert_float_equal((double)sn_deformable_measure_now(world, jelly).center.y, expected, 1.0e-4);
        sn_world_destroy(world);
    }
}

// --- rigid-mode correction -------------------------------------------------------------------------------

static double mean_speed(const sn_world *world, sn_deformable jelly)
{
    const sn_node_velocity *velocities = sn_deformable_velocities(world, jelly);
    int count = sn_deformable_node_count(world, jelly);
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        sum += (double)sn_length_squared(velocities[i].velocity);
    }
    return sqrt(sum / count);
}

static double lowest_node(const sn_world *world, sn_deformable jelly)
{
    const sn_node_state *nodes = sn_deformable_nodes(world, jelly);
    double lowest = INFINITY;
    for (int i = 0; i < sn_deformable_node_count(world, jelly); ++i) {
        lowest = fmin(lowest, (double)nodes[i].position.y);
    }
    return lowest;
}

// A slab of half its weight falls on a jelly of six layers: two sweeps would carry it two of them far.
static void test_a_jelly_of_any_paradigm_carries_a_slab_and_keeps_its_volume(void **state)
{
    (void)state;
    sn_model forces = sn_model_springs(400.0f, 8.0f);
    forces.type = SN_MODEL_SPRING_FORCES;
    const sn_model models[] = {
        sn_model_springs(400.0f, 8.0f),       forces,
        sn_model_corotational(5.0e3f, 0.45f), sn_model_neo_hookean(5.0e3f, 0.4f),
        sn_model_position_based(0.9f, 0.9f),  sn_model_shape_matching(0.5f, SN_MATCH_LINEAR, 0.5f)};
    for (int m = 0; m < 6; ++m) {
        sn_world *world = paper_world(sn_v(0.0f, -9.81f, 0.0f), false);
        add_floor(world);
        sn_mesh *mesh = NULL;
        assert_ok(sn_mesh_cylinder(0.35f, 0.7f, 3, 10, &mesh));
        sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.36f, 0.0f));
        def.collide = true;
        def.mass = 4.3f;
        def.model = models[m];
        sn_deformable jelly = soft_add(world, &def);
        sn_mesh_destroy(mesh);
        sn_rigid slab = soft_slab(world, sn_v(0.0f, 1.0f, 0.0f), 2.0f);
        for (int i = 0; i < 500; ++i) {
            advance(world, 1);
            assert_true(i < 150 || mean_speed(world, jelly) < 0.05);
        }
        sn_deformable_measure measure = sn_deformable_measure_now(world, jelly);
        assert_float_equal((double)(measure.volume / measure.rest_volume), 1.0, 0.04);
        assert_true(lowest_node(world, jelly) > 0.0);
        assert_float_equal((double)sn_rigid_position(world, slab).y, 0.75, 0.06);
        assert_float_equal(support_of(world, jelly), 4.3 * 9.81, 0.005 * 4.3 * 9.81);
        sn_world_destroy(world);
    }
}

// From its upper side, six layers of nodes: rows that knew nothing but nodes stretched it by 5 to 30 cm.
static void test_a_jelly_hung_by_anchors_hangs_still(void **state)
{
    (void)state;
    const sn_model models[] = {sn_model_springs(400.0f, 8.0f), sn_model_corotational(5.0e3f, 0.45f),
                               sn_model_corotational(1.0e7f, 0.3f), sn_model_position_based(0.9f, 0.9f),
                               sn_model_shape_matching(0.5f, SN_MATCH_LINEAR, 0.5f)};
    for (int m = 0; m < 5; ++m) {
        sn_world *world = paper_world(sn_v(0.0f, -9.81f, 0.0f), false);
        sn_mesh *mesh = NULL;
        assert_ok(sn_mesh_cylinder(0.35f, 0.7f, 3, 10, &mesh));
        sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.35f, 0.0f));
        def.mass = 4.3f;
        def.model = models[m];
        sn_deformable jelly = soft_add(world, &def);
        sn_mesh_destroy(mesh);
        const sn_node_state *nodes = sn_deformable_nodes(world, jelly);
        for (int i = 0; i < sn_deformable_node_count(world, jelly); ++i) {
            if (nodes[i].position.y > 0.69f) {
                (void)soft_tie(world, sn_point_node(jelly, i), sn_point_world(nodes[i].position));
            }
        }
        advance(world, 200);
        assert_true(mean_speed(world, jelly) < 0.002);
        assert_float_equal(lowest_node(world, jelly), 0.0, 0.02);
        sn_world_destroy(world);
    }
}

// Friction acts across the gap between two surfaces, which is why angular momentum is kept less well.
static void test_jellies_that_meet_keep_both_momenta(void **state)
{
    (void)state;
    sn_world *world = paper_world(sn_v(0.0f, 0.0f, 0.0f), false);
    sn_deformable first = add_jelly(world, sn_v(-0.3f, 0.0f, 0.0f), sn_model_corotational(1.0e5f, 0.3f));
    (void)add_jelly(world, sn_v(0.3f, 0.15f, 0.02f), sn_model_springs(2.0e3f, 5.0f));
    sn_node_state *states;
    sn_node_velocity *velocities;
    assert_ok(sn_deformable_edit(world, first, &states, &velocities));
    for (int i = 0; i < sn_deformable_node_count(world, first); ++i) {
        velocities[i].velocity = sn_v(2.0f, 0.0f, 0.0f);
    }
    sn_energy before = sn_world_energy(world);
    advance(world, 50);
    sn_energy after = sn_world_energy(world);
    for (int k = 0; k < 3; ++k) {
        assert_float_equal(after.momentum[k], before.momentum[k], 1.0e-5 * 12.8);
        assert_float_equal(after.angular_momentum[k], before.angular_momentum[k], 3.0e-3 * 12.8);
    }
    assert_true(after.kinetic < 0.9 * before.kinetic);
    sn_world_destroy(world);
}

// --- dummy nodes -----------------------------------------------------------------------------------------

// A slab falls on a jelly, both free of gravity: what the contacts make of the momentum of 2 kg m/s.
static double momentum_after_a_hit(bool dummy_nodes)
{
    sn_world *world = paper_world(sn_v(0.0f, 0.0f, 0.0f), dummy_nodes);
    (void)add_jelly(world, sn_v(0.0f, 0.0f, 0.0f), sn_model_corotational(2.0e4f, 0.4f));
    sn_rigid slab = soft_slab(world, sn_v(0.0f, 0.28f, 0.0f), 2.0f);
    assert_ok(sn_rigid_linear_velocity_set(world, slab, sn_v(0.0f, -1.0f, 0.0f)));
    advance(world, 10);
    double momentum = sn_world_energy(world).momentum[1];
    sn_world_destroy(world);
    return momentum;
}

static void test_dummy_nodes_lose_momentum_that_weights_keep(void **state)
{
    (void)state;
    assert_float_equal(momentum_after_a_hit(false), -2.0, 1.0e-5);
    assert_true(fabs(momentum_after_a_hit(true) + 2.0) > 0.1);
}

// How far a slab on a fixed sheet of contacts has sunk after a second.
static double sunk(bool dummy_nodes)
{
    sn_world *world = paper_world(sn_v(0.0f, -9.81f, 0.0f), dummy_nodes);
    sn_mesh *mesh = NULL;
    assert_ok(sn_mesh_grid(1.0f, 1.0f, 8, 8, SN_GRID_ALTERNATING, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.0f, 0.0f));
    def.collide = true;
    def.pose.rotation = sn_quat_exponential(sn_v(-1.5707963f, 0.0f, 0.0f));
    def.mass = 1.0f;
    sn_deformable sheet = soft_add(world, &def);
    sn_mesh_destroy(mesh);
    for (int i = 0; i < sn_deformable_node_count(world, sheet); ++i) {
        assert_ok(sn_node_fix(world, sheet, i, true));
    }
    sn_rigid slab = soft_slab(world, sn_v(0.01f, 0.056f, 0.01f), 2.0f);
    advance(world, 25);
    double height = (double)sn_rigid_position(world, slab).y;
    sn_world_destroy(world);
    return 0.055 - height;
}

static void test_the_mean_of_many_impulses_does_not_hold_a_body_up(void **state)
{
    (void)state;
    assert_true(fabs(sunk(false)) < 0.005);
    assert_true(sunk(true) > 0.05);
}

// A box of five elements with hard edges, hung exactly by a point beside one of its corners: rows push that
// corner and its neighbours together.
static void test_a_box_hung_beside_a_corner_keeps_its_shape(void **state)
{
    (void)state;
    sn_world *world = paper_world(sn_v(0.0f, -9.81f, 0.0f), false);
    sn_mesh *mesh = NULL;
    assert_ok(sn_mesh_box(sn_v(0.5f, 0.5f, 0.5f), 1, 1, 1, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 2.0f, 0.0f));
    def.mass = 0.022f;
    def.model = sn_model_corotational(2.0e5f, 0.44f);
    def.model.type = SN_MODEL_COROTATIONAL_EXPLICIT;
    def.model.damping = 0.0076f;
    def.inextensible.on = true;
    sn_deformable box = soft_add(world, &def);
    const uint32_t *face = sn_mesh_tetrahedra(mesh);
    sn_anchor_def hold = sn_anchor_def_default();
    hold.a = sn_point_node(box, (int)face[0]);
    hold.a.node_count = 3;
    for (int i = 0; i < 3; ++i) {
        static const float weights[3] = {0.915f, 0.005f, 0.08f};
        hold.a.nodes[i] = (int)face[i];
        hold.a.weights[i] = weights[i];
    }
    sn_vec3 at;
    assert_ok(sn_point_place(world, &hold.a, &at));
    hold.b = sn_point_world(at);
    hold.exact = true;
    assert_ok(sn_anchor_add(world, &hold, NULL));
    sn_mesh_destroy(mesh);
    float worst = 0.0f;
    for (int i = 0; i < 300; ++i) {
        assert_ok(sn_world_step(world, 1.0f / 120.0f));
        worst = sn_max(worst, sn_deformable_measure_now(world, box).largest_stretch);
        assert_int_equal(sn_world_statistics(world).put_back_count, 0);
    }
    assert_true(worst < 0.2f);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_free_coupled_system_keeps_both_momenta_over_1000_steps),
        cmocka_unit_test(test_the_floor_pushes_as_hard_as_a_jelly_weighs),
        cmocka_unit_test(test_the_floor_pushes_as_hard_as_jelly_and_slab_weigh),
        cmocka_unit_test(test_an_exact_anchor_elsewhere_changes_nothing),
        cmocka_unit_test(test_jellies_of_any_stiffness_stay_whole),
        cmocka_unit_test(test_models_of_goals_and_forces_fall_freely_as_stones_do),
        cmocka_unit_test(test_a_jelly_of_any_paradigm_carries_a_slab_and_keeps_its_volume),
        cmocka_unit_test(test_a_jelly_hung_by_anchors_hangs_still),
        cmocka_unit_test(test_a_box_hung_beside_a_corner_keeps_its_shape),
        cmocka_unit_test(test_jellies_that_meet_keep_both_momenta),
        cmocka_unit_test(test_dummy_nodes_lose_momentum_that_weights_keep),
        cmocka_unit_test(test_the_mean_of_many_impulses_does_not_hold_a_body_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
