// Projection of positions onto constraints: one pair by the closed form, then roughly placed chains, loops
// and joints the wrong way round, and what cannot be met.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "solver/assemble.h"
#include "support/random.h"
#include "support/world_kit.h"
#include <string.h>

// --- one pair of bodies --------------------------------------------------------------------------

static sn_body free_body(float mass, sn_vec3 center)
{
    sn_body body = {.type = SN_DYNAMIC,
                    .center = center,
                    .rotation = sn_quat_identity,
                    .mass = mass,
                    .inertia = sn_mat3_diagonal(mass, mass, mass)};
    return body;
}

// C = (b − a)·x − length.
static sn_row rod_row(const sn_body *a, const sn_body *b, float length)
{
    sn_row row = {.type = SN_ROW_EQUAL, .lower = -INFINITY, .upper = INFINITY};
    row.value = b->center.x - a->center.x - length;
    row.linear[0] = sn_v(-1.0f, 0.0f, 0.0f);
    row.linear[1] = sn_v(1.0f, 0.0f, 0.0f);
    return row;
}

static void test_a_straight_row_is_met_at_once_and_the_common_centre_stays_within_1e_4(void **state)
{
    (void)state;
    sn_body a = free_body(1.0f, sn_v(0.0f, 0.0f, 0.0f)), b = free_body(3.0f, sn_v(5.0f, 1.0f, 0.0f));
    sn_row row = rod_row(&a, &b, 1.0f);
    sn_project_rows(&a, &b, &row, 1);
    assert_vec3_near(a.center, sn_v(3.0f, 0.0f, 0.0f), 1e-4);
    assert_vec3_near(b.center, sn_v(4.0f, 1.0f, 0.0f), 1e-4);
}

static void test_springs_motors_and_limits_that_are_kept_move_nothing(void **state)
{
    (void)state;
    sn_body a = free_body(1.0f, sn_v(0.0f, 0.0f, 0.0f)), b = free_body(3.0f, sn_v(5.0f, 1.0f, 0.0f));
    sn_row rows[3] = {rod_row(&a, &b, 1.0f), rod_row(&a, &b, 1.0f), rod_row(&a, &b, 1.0f)};
    rows[0].compliance = 1.0e-3f;
    rows[1].type = SN_ROW_SPEED;
    rows[2].type = SN_ROW_ABOVE; // 4 m above its limit
    sn_project_rows(&a, &b, rows, 3);
    assert_true(same_vec3(a.center, sn_v(0.0f, 0.0f, 0.0f)) && same_vec3(b.center, sn_v(5.0f, 1.0f, 0.0f)));
    // Below its limit it is met.
    rows[2] = rod_row(&a, &b, 9.0f);
    rows[2].type = SN_ROW_ABOVE;
    sn_project_rows(&a, &b, rows, 3);
    assert_near(b.center.x - a.center.x, 9.0f, 1e-4);
}

static void test_what_cannot_move_stays_and_the_other_goes_all_the_way(void **state)
{
    (void)state;
    const sn_rigid_type types[] = {SN_STATIC, SN_KINEMATIC, SN_DYNAMIC};
    for (int i = 0; i < 3; ++i) {
        sn_body a = free_body(1.0f, sn_v(0.0f, 0.0f, 0.0f)), b = free_body(3.0f, sn_v(5.0f, 1.0f, 0.0f));
        a.type = types[i];
        a.frozen = types[i] == SN_DYNAMIC;
        sn_row row = rod_row(&a, &b, 1.0f);
        sn_project_rows(&a, &b, &row, 1);
        assert_true(same_vec3(a.center, sn_v(0.0f, 0.0f, 0.0f)));
        assert_vec3_near(b.center, sn_v(1.0f, 1.0f, 0.0f), 1e-4);
    }
}

static void test_redundant_rows_act_as_one(void **state)
{
    (void)state;
    sn_body a = free_body(1.0f, sn_v(0.0f, 0.0f, 0.0f)), b = free_body(1.0f, sn_v(5.0f, 0.0f, 0.0f));
    sn_row rows[SN_MAX_ROWS];
    for (int i = 0; i < SN_MAX_ROWS; ++i) {
        rows[i] = rod_row(&a, &b, 1.0f);
    }
    sn_project_rows(&a, &b, rows, SN_MAX_ROWS);
    assert_near(b.center.x - a.center.x, 1.0f, 1e-3);
}

// C = height of the point `at` (from b's centre) above a, −`depth` now.
static sn_row gap_row(sn_vec3 at, float depth)
{
    const sn_vec3 up = {0.0f, 1.0f, 0.0f};
    sn_row row = {.type = SN_ROW_ABOVE, .value = -depth, .lower = 0.0f, .upper = INFINITY};
    row.linear[0] = sn_neg(up);
    row.linear[1] = up;
    row.angular[0] = sn_cross(up, at);
    row.angular[1] = sn_cross(at, up);
    return row;
}

static void test_four_equal_gaps_lift_a_body_without_turning_it(void **state)
{
    (void)state;
    sn_body ground = {.type = SN_STATIC, .rotation = sn_quat_identity};
    sn_body body = free_body(2.0f, sn_v(0.0f, 0.0f, 0.0f));
    sn_row rows[4];
    for (int i = 0; i < 4; ++i) {
        rows[i] = gap_row(sn_v(i & 1 ? 1.0f : -1.0f, -0.5f, i & 2 ? 1.0f : -1.0f), 0.005f);
    }
    sn_project_rows(&ground, &body, rows, 4);
    assert_vec3_near(body.center, sn_v(0.0f, 0.005f, 0.0f), 1e-6);
    assert_near(sn_length(sn_quat_logarithm(body.rotation)), 0.0f, 1e-6);
}

// A point right below the centre is 10 mm deep, one aside 1 mm: lifting the first lifts the other more than
// enough. As equations the two would turn the body and pull the second down to where it just touches.
static void test_gaps_push_and_never_pull(void **state)
{
    (void)state;
    sn_body ground = {.type = SN_STATIC, .rotation = sn_quat_identity};
    sn_body body = free_body(2.0f, sn_v(0.0f, 0.0f, 0.0f));
    sn_row rows[2] = {gap_row(sn_v(0.0f, -0.5f, 0.0f), 0.01f), gap_row(sn_v(1.0f, -0.5f, 0.0f), 0.001f)};
    sn_project_rows(&ground, &body, rows, 2);
    assert_vec3_near(body.center, sn_v(0.0f, 0.01f, 0.0f), 1e-6);
    assert_near(sn_length(sn_quat_logarithm(body.rotation)), 0.0f, 1e-6);
}

// --- whole scenes --------------------------------------------------------------------------------

static float worst_error(const sn_world *world)
{
    enum { MOST = 64 };
    sn_constraint constraints[MOST];
    int count = sn_world_constraints(world, constraints, MOST);
    float worst = 0.0f;
    for (int i = 0; i < count && i < MOST; ++i) {
        worst = sn_max(worst, sn_constraint_error(world, constraints[i]));
    }
    return worst;
}

static sn_constraint add_ball(sn_world *world, sn_rigid a, sn_rigid b, sn_vec3 at_a, sn_vec3 at_b)
{
    sn_ball_def def = sn_ball_def_default();
    def.common.a = sn_point_rigid(a, sn_v(0.0f, 0.0f, 0.0f));
    def.common.b = sn_point_rigid(b, sn_v(0.0f, 0.0f, 0.0f));
    def.common.a.position = at_a;
    def.common.b.position = at_b;
    sn_constraint constraint;
    assert_ok(sn_ball_add(world, &def, &constraint));
    return constraint;
}

static void push_about(sn_world *world, sn_rigid rigid, test_random *random, float distance, float angle)
{
    sn_pose pose = sn_rigid_pose(world, rigid);
    pose.position = sn_add(pose.position, test_random_vec3(random, distance));
    sn_vec3 axis = test_random_direction(random);
    pose.rotation =
        sn_quat_multiply(sn_quat_axis_angle(axis, test_random_float(random, -angle, angle)), pose.rotation);
    assert_ok(sn_rigid_pose_set(world, rigid, pose));
}

// Twenty links on ball joints, hung from the ground, each up to 0.3 m and 1 rad off.
static void make_rough_chain(sn_world *world, sn_rigid links[20], uint64_t seed)
{
    test_random random = {seed};
    sn_rigid upper = sn_world_ground(world);
    sn_vec3 end = {0.0f, 10.0f, 0.0f};
    for (int i = 0; i < 20; ++i) {
        links[i] = physics_box(world, default_material(), sn_v(0.1f, 0.25f, 0.1f),
                               physics_at(0.0f, 9.75f - 0.5f * (float)i, 0.0f));
        (void)add_ball(world, upper, links[i], end, sn_v(0.0f, 0.25f, 0.0f));
        upper = links[i];
        end = sn_v(0.0f, -0.25f, 0.0f);
    }
    for (int i = 0; i < 20; ++i) {
        push_about(world, links[i], &random, 0.3f, 1.0f);
    }
}

static void test_rough_chains_of_20_are_met_to_1e_4(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; ++seed) {
        sn_world *world = kit_world();
        sn_rigid links[20];
        make_rough_chain(world, links, seed);
        assert_true(worst_error(world) > 0.2f);
        sn_assembly report;
        assert_ok(sn_world_assemble(world, 1.0e-4f, 1000, &report));
        assert_in_range(report.iterations, 2, 1000);
        assert_int_equal(report.unmet_count, 0);
        assert_int_equal(report.worst.index, 0);
        assert_true(worst_error(world) <= 1.0e-4f);
        sn_world_destroy(world);
    }
}

static void test_velocities_stay_and_the_first_step_is_quiet(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    assert_ok(sn_world_gravity_set(world, sn_v(0.0f, 0.0f, 0.0f)));
    sn_rigid links[20];
    make_rough_chain(world, links, 3);
    assert_ok(sn_rigid_linear_velocity_set(world, links[7], sn_v(1.0f, 2.0f, 3.0f)));
    assert_ok(sn_world_assemble(world, 1.0e-4f, 1000, NULL));
    assert_true(same_vec3(sn_rigid_linear_velocity(world, links[7]), sn_v(1.0f, 2.0f, 3.0f)));
    assert_ok(sn_rigid_linear_velocity_set(world, links[7], sn_v(0.0f, 0.0f, 0.0f)));
    run_steps(world, 1);
    for (int i = 0; i < 20; ++i) {
        assert_true(sn_length(sn_rigid_linear_velocity(world, links[i])) < 0.05f);
    }
    sn_world_destroy(world);
}

// A closed ring of six bars on hinges about z, each bar off its place.
static void test_a_loop_of_six_hinged_bars_closes_to_1e_4(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; ++seed) {
        sn_world *world = kit_world();
        test_random random = {seed};
        sn_rigid bars[6];
        for (int i = 0; i < 6; ++i) {
            float angle = SN_PI / 3.0f * (float)i;
            sn_pose pose = {{0.866f * sn_cos(angle), 0.866f * sn_sin(angle), 0.0f},
                            sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), angle + 0.5f * SN_PI)};
            bars[i] = physics_box(world, default_material(), sn_v(0.5f, 0.05f, 0.05f), pose);
        }
        for (int i = 0; i < 6; ++i) {
            sn_hinge_def def = sn_hinge_def_default();
            float angle = SN_PI / 3.0f * ((float)i + 0.5f);
            assert_ok(sn_constraint_place(world, &def.common, bars[i], bars[(i + 1) % 6],
                                          sn_v(sn_cos(angle), sn_sin(angle), 0.0f), sn_v(0.0f, 0.0f, 1.0f)));
            assert_ok(sn_hinge_add(world, &def, NULL));
        }
        for (int i = 0; i < 6; ++i) {
            push_about(world, bars[i], &random, 0.2f, 0.5f);
        }
        assert_ok(sn_world_assemble(world, 1.0e-4f, 5000, NULL));
        assert_true(worst_error(world) <= 1.0e-4f);
        sn_world_destroy(world);
    }
}

// Axes that point exactly or nearly the other way have no short way round, but there is one.
static void test_hinges_and_fixed_joints_put_on_the_wrong_way_round_are_turned_over(void **state)
{
    (void)state;
    const float angles[] = {SN_PI, 3.14f, 3.1f, 3.0f, 2.0f};
    for (int i = 0; i < 5; ++i) {
        for (int fixed = 0; fixed < 2; ++fixed) {
            sn_world *world = kit_world();
            sn_rigid body = add_box_at(world, 0.5f, 0.0f, 0.0f, 0.0f);
            sn_hinge_def hinge = sn_hinge_def_default();
            sn_fixed_def weld = sn_fixed_def_default();
            sn_constraint_common *common = fixed ? &weld.common : &hinge.common;
            assert_ok(sn_constraint_place(world, common, sn_world_ground(world), body, sn_v(0.5f, 0.5f, 0.0f),
                                          sn_v(1.0f, 0.0f, 0.0f)));
            assert_ok(fixed ? sn_fixed_add(world, &weld, NULL) : sn_hinge_add(world, &hinge, NULL));
            sn_pose turned = {{0.0f, 0.0f, 0.0f}, sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), angles[i])};
            assert_ok(sn_rigid_pose_set(world, body, turned));
            assert_true(worst_error(world) > 1.0f);
            assert_ok(sn_world_assemble(world, 1.0e-4f, 1000, NULL));
            sn_vec3 axis = sn_rotate(sn_rigid_rotation(world, body), sn_v(1.0f, 0.0f, 0.0f));
            assert_vec3_near(axis, sn_v(1.0f, 0.0f, 0.0f), 1e-3);
            sn_world_destroy(world);
        }
    }
}

static void test_limits_are_met_too(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid ground = sn_world_ground(world);
    sn_rigid door = add_box_at(world, 0.5f, 0.0f, 0.0f, 0.0f);
    sn_rigid cart = add_box_at(world, 0.5f, 5.0f, 0.0f, 0.0f);
    sn_rigid bob = add_ball_at(world, 0.2f, 10.0f, 0.0f, 0.0f);
    sn_hinge_def hinge = sn_hinge_def_default();
    assert_ok(sn_constraint_place(world, &hinge.common, ground, door, sn_v(-0.5f, 0.0f, 0.0f),
                                  sn_v(0.0f, 1.0f, 0.0f)));
    hinge.limit = true;
    hinge.lower = 0.5f;
    hinge.upper = 1.0f;
    sn_constraint hinge_id;
    assert_ok(sn_hinge_add(world, &hinge, &hinge_id));
    sn_slider_def slider = sn_slider_def_default();
    assert_ok(sn_constraint_place(world, &slider.common, ground, cart, sn_v(5.0f, 0.0f, 0.0f),
                                  sn_v(0.0f, 0.0f, 1.0f)));
    slider.limit = true;
    slider.lower = -3.0f;
    slider.upper = -2.0f;
    sn_constraint slider_id;
    assert_ok(sn_slider_add(world, &slider, &slider_id));
    sn_distance_def rope = sn_distance_def_default();
    assert_ok(sn_constraint_place_points(world, &rope.common, ground, bob, sn_v(10.0f, 4.0f, 0.0f),
                                         sn_v(10.0f, 0.0f, 0.0f)));
    rope.upper = 1.5f;
    sn_constraint rope_id;
    assert_ok(sn_distance_add(world, &rope, &rope_id));
    assert_ok(sn_world_assemble(world, 1.0e-4f, 1000, NULL));
    assert_near(sn_hinge_angle(world, hinge_id), 0.5f, 2e-4);
    assert_near(sn_slider_travel(world, slider_id), -2.0f, 2e-4);
    assert_near(sn_distance_length(world, rope_id), 1.5f, 2e-4);
    sn_world_destroy(world);
}

static void test_what_is_met_already_stays_within_1e_6(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid box = add_box_at(world, 0.5f, 1.0f, 2.0f, 3.0f);
    (void)add_ball(world, sn_world_ground(world), box, sn_v(1.0f, 2.5f, 3.0f), sn_v(0.0f, 0.5f, 0.0f));
    sn_assembly report;
    assert_ok(sn_world_assemble(world, 1.0e-4f, 1000, &report));
    assert_int_equal(report.iterations, 1);
    assert_vec3_near(sn_rigid_position(world, box), sn_v(1.0f, 2.0f, 3.0f), 1e-6);
    sn_world_destroy(world);
}

static void test_locked_directions_are_respected(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid box = add_box_at(world, 0.5f, 1.0f, 2.0f, 3.0f);
    assert_ok(sn_rigid_locks_set(world, box,
                                 SN_LOCK_Y | SN_LOCK_ROTATION_X | SN_LOCK_ROTATION_Y | SN_LOCK_ROTATION_Z));
    sn_distance_def rod = sn_distance_def_default();
    assert_ok(sn_constraint_place_points(world, &rod.common, sn_world_ground(world), box,
                                         sn_v(0.0f, 0.0f, 0.0f), sn_v(1.0f, 2.0f, 3.0f)));
    rod.lower = rod.upper = 6.0f;
    assert_ok(sn_distance_add(world, &rod, NULL));
    assert_ok(sn_world_assemble(world, 1.0e-4f, 1000, NULL));
    assert_true(sn_rigid_position(world, box).y == 2.0f);
    assert_true(same_quat(sn_rigid_rotation(world, box), sn_quat_identity));
    assert_near(sn_length(sn_rigid_position(world, box)), 6.0f, 1e-3);
    sn_world_destroy(world);
}

// Bodies are where they were put for everything else as well: queries see them, sleepers wake.
static void test_the_rest_of_the_world_knows_of_the_new_places(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid ball = add_ball_at(world, 0.5f, 0.0f, 0.0f, 0.0f);
    assert_ok(sn_rigid_awake_set(world, ball, false));
    (void)add_ball(world, sn_world_ground(world), ball, sn_v(20.0f, 0.0f, 0.0f), sn_v(0.0f, 0.0f, 0.0f));
    assert_ok(sn_rigid_awake_set(world, ball, false));
    assert_ok(sn_world_assemble(world, 1.0e-4f, 10, NULL));
    assert_true(sn_rigid_is_awake(world, ball));
    sn_bounds there = {{19.0f, -1.0f, -1.0f}, {21.0f, 1.0f, 1.0f}}, here = {{-1, -1, -1}, {1, 1, 1}};
    int count;
    assert_ok(sn_world_overlap_bounds(world, there, sn_query_filter_default(), NULL, 0, &count));
    assert_int_equal(count, 1);
    assert_ok(sn_world_overlap_bounds(world, here, sn_query_filter_default(), NULL, 0, &count));
    assert_int_equal(count, 0);
    sn_world_destroy(world);
}

// --- what cannot be met --------------------------------------------------------------------------

// A ball on two rods to the same point, one 1 m and one 2 m long; beside it a chain that can be met.
static void test_rods_that_contradict_each_other_are_reported_and_the_rest_is_met(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid ball = add_ball_at(world, 0.1f, 0.0f, 20.0f, 0.0f);
    sn_constraint rods[2], fine;
    for (int i = 0; i < 2; ++i) {
        sn_distance_def rod = sn_distance_def_default();
        assert_ok(sn_constraint_place_points(world, &rod.common, sn_world_ground(world), ball,
                                             sn_v(0.0f, 21.5f, 0.0f), sn_v(0.0f, 20.0f, 0.0f)));
        rod.lower = rod.upper = (float)(i + 1);
        rod.common.name = i == 0 ? "short rod" : "long rod";
        assert_ok(sn_distance_add(world, &rod, &rods[i]));
    }
    sn_rigid box = add_box_at(world, 0.5f, 5.0f, 0.0f, 0.0f);
    fine = add_ball(world, sn_world_ground(world), box, sn_v(9.0f, 1.0f, 0.0f), sn_v(0.5f, 0.5f, 0.5f));
    sn_assembly report;
    assert_int_equal(sn_world_assemble(world, 1.0e-3f, 200, &report), SN_ERROR_NOT_CONVERGED);
    assert_int_equal(report.iterations, 200);
    assert_in_range(report.unmet_count, 1, 2);
    assert_true(same_constraint(report.worst, rods[0]) || same_constraint(report.worst, rods[1]));
    assert_in_range((int)(1000.0f * report.worst_error), 400, 1100);
    assert_non_null(strstr(sn_world_error(world), "rod"));
    assert_true(sn_constraint_error(world, fine) <= 1.0e-3f);
    // No farther off than they contradict each other.
    assert_true(worst_error(world) <= 1.01f);
    sn_world_destroy(world);
}

static void test_a_rod_too_short_to_reach_keeps_the_best_positions(void **state)
{
    (void)state;
    sn_world *world = kit_world();
    sn_rigid ball = add_ball_at(world, 0.1f, 1.0f, 5.0f, 0.0f);
    // Held between two points 4 m apart by two rods of 1 m: between them is the best there is.
    for (int i = 0; i < 2; ++i) {
        sn_distance_def rod = sn_distance_def_default();
        assert_ok(sn_constraint_place_points(world, &rod.common, sn_world_ground(world), ball,
                                             sn_v(i == 0 ? -2.0f : 2.0f, 0.0f, 0.0f),
                                             sn_v(1.0f, 5.0f, 0.0f)));
        rod.lower = rod.upper = 1.0f;
        assert_ok(sn_distance_add(world, &rod, NULL));
    }
    sn_assembly report;
    assert_int_equal(sn_world_assemble(world, 1.0e-4f, 1000, &report), SN_ERROR_NOT_CONVERGED);
    assert_int_equal(report.unmet_count, 2);
    sn_vec3 place = sn_rigid_position(world, ball);
    assert_near(place.y, 0.0f, 0.01);
    assert_near(place.z, 0.0f, 0.01);
    assert_true(sn_abs(place.x) <= 1.001f);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_a_straight_row_is_met_at_once_and_the_common_centre_stays_within_1e_4),
        test_with_memory(test_springs_motors_and_limits_that_are_kept_move_nothing),
        test_with_memory(test_what_cannot_move_stays_and_the_other_goes_all_the_way),
        test_with_memory(test_redundant_rows_act_as_one),
        test_with_memory(test_four_equal_gaps_lift_a_body_without_turning_it),
        test_with_memory(test_gaps_push_and_never_pull),
        test_with_memory(test_rough_chains_of_20_are_met_to_1e_4),
        test_with_memory(test_velocities_stay_and_the_first_step_is_quiet),
        test_with_memory(test_a_loop_of_six_hinged_bars_closes_to_1e_4),
        test_with_memory(test_hinges_and_fixed_joints_put_on_the_wrong_way_round_are_turned_over),
        test_with_memory(test_limits_are_met_too),
        test_with_memory(test_what_is_met_already_stays_within_1e_6),
        test_with_memory(test_locked_directions_are_respected),
        test_with_memory(test_the_rest_of_the_world_knows_of_the_new_places),
        test_with_memory(test_rods_that_contradict_each_other_are_reported_and_the_rest_is_met),
        test_with_memory(test_a_rod_too_short_to_reach_keeps_the_best_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
