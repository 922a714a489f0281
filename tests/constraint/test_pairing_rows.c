// The rows of constraints between any two points: bodies, places in the world, sums of one to four nodes,
// frames of three nodes. Gradients are the derivatives of the values, impulses along them keep both momenta.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constraint/kind.h"
#include "support/joint_rig.h"
#include "support/memory.h"

enum { NODES = 8 }; // four of each end

typedef enum sort { WORLD, RIGID, NODE, EDGE, TRIANGLE, TETRAHEDRON, FRAME, SORTS } sort;
static const char *const sort_names[SORTS] = {"world",    "rigid",       "node", "edge",
                                              "triangle", "tetrahedron", "frame"};

// --- kinds ---------------------------------------------------------------------------------------

// A kind of a user: half the squared distance of the points against that of a length of 1 m.
static int square_rows(const sn_row_input *input, const void *data, sn_row *rows)
{
    (void)data;
    sn_vec3 between = sn_sub(input->frame[1].position, input->frame[0].position);
    rows[0].value = 0.5f * (sn_length_squared(between) - 1.0f);
    rows[0].linear[0] = sn_neg(between);
    rows[0].linear[1] = between;
    rows[0].angular[0] = sn_neg(sn_cross(input->arm[0], between));
    rows[0].angular[1] = sn_cross(input->arm[1], between);
    return 1;
}

typedef struct kind_case {
    const char *name;
    sn_row_function evaluate;
    sn_definition definition;
    int oriented_ends; // bits
} kind_case;

enum { KINDS = 10 };

static void make_kinds(kind_case kinds[KINDS])
{
    const kind_case all[KINDS] = {
        {"rod", sn_distance_rows, {.distance = sn_distance_def_default()}, 0},
        {"rope", sn_distance_rows, {.distance = sn_distance_def_default()}, 0},
        {"spring", sn_distance_rows, {.distance = sn_distance_def_default()}, 0},
        {"ball", sn_ball_rows, {.ball = sn_ball_def_default()}, 0},
        {"custom", square_rows, {.custom = sn_custom_def_default()}, 0},
        {"ball with limits", sn_ball_rows, {.ball = sn_ball_def_default()}, SN_BOTH_ENDS},
        {"hinge", sn_hinge_rows, {.hinge = sn_hinge_def_default()}, SN_BOTH_ENDS},
        {"slider", sn_slider_rows, {.slider = sn_slider_def_default()}, SN_BOTH_ENDS},
        {"fixed", sn_fixed_rows, {.fixed = sn_fixed_def_default()}, SN_BOTH_ENDS},
        {"axis", sn_axis_rows, {.axis = sn_axis_def_default()}, SN_END_A},
    };
    memcpy(kinds, all, sizeof all);
    kinds[0].definition.distance.lower = kinds[0].definition.distance.upper = 1.0f;
    kinds[1].definition.distance.upper = 1.0f;
    kinds[2].definition.distance.spring_stiffness = 100.0f;
    kinds[5].definition.ball.limit_cone = kinds[5].definition.ball.limit_twist = true;
    kinds[6].definition.hinge.limit = true;
    kinds[7].definition.slider.spring_stiffness = 10.0f;
    kinds[9].definition.axis.spring_stiffness = 10.0f;
}

// --- a pair --------------------------------------------------------------------------------------

static bool has_orientation(sort s)
{
    return s == WORLD || s == RIGID || s == FRAME;
}

static const sn_vec3 corners[4] = {
    {0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.2f, 1.0f, 0.0f}, {0.3f, 0.4f, 1.0f}};

static void make_end(joint_rig *p, int k, sort s, test_random *random)
{
    sn_solver_end *end = &p->inputs[0].ends[k];
    *end = (sn_solver_end){.rotation = has_orientation(s) ? test_random_rotation(random) : sn_quat_identity,
                           .fixed = test_random_vec3(random, 1.0f)};
    if (s == RIGID) {
        end->body = 1 + k;
        end->local = test_random_vec3(random, 0.5f);
    }
    if (s < NODE) {
        return;
    }
    end->node_count = s == FRAME ? 3 : 1 + (int)s - (int)NODE;
    end->has_frame = s == FRAME;
    float sum = 0.0f;
    for (int i = 0; i < end->node_count; ++i) {
        end->nodes[i] = 1 + 4 * k + i;
        end->weights[i] = test_random_float(random, 0.2f, 1.0f);
        sum += end->weights[i];
    }
    for (int i = 0; i < end->node_count; ++i) {
        end->weights[i] /= sum;
    }
    for (int i = 0; i < 3; ++i) {
        end->rest[i] = sn_add(corners[i], test_random_vec3(random, 0.1f));
    }
}

// Nodes about a regular shape, so that no triangle is thin; any masses; any velocities.
static void make_nodes(joint_rig *p, test_random *random)
{
    joint_rig_nodes(p, NODES);
    for (int k = 0; k < 2; ++k) {
        sn_vec3 place = test_random_vec3(random, 1.0f);
        sn_quat turned = test_random_rotation(random);
        for (int i = 0; i < 4; ++i) {
            sn_vec3 corner = sn_add(corners[i], test_random_vec3(random, 0.1f));
            int node = 1 + 4 * k + i;
            p->nodes.states.data[node].position = sn_add(place, sn_rotate(turned, corner));
            p->nodes.states.data[node].inverse_mass = test_random_float(random, 0.5f, 5.0f);
            p->nodes.velocities.data[node].velocity = test_random_vec3(random, 1.0f);
        }
    }
}

// Of what carries the frame of an end.
static sn_quat base_rotation(const joint_rig *p, int k)
{
    const sn_solver_end *end = &p->inputs[0].ends[k];
    sn_vec3 corners[3];
    for (int i = 0; i < 3; ++i) {
        corners[i] = p->nodes.states.data[1 + 4 * k + i].position;
    }
    return end->has_frame ? sn_node_frame(corners) : p->rig.solver.bodies[end->body].rotation;
}

// Turns frame b to within a radian of frame a, away from where angles are cut off or jump.
static void align(joint_rig *p, test_random *random)
{
    sn_solver_end *a = &p->inputs[0].ends[0], *b = &p->inputs[0].ends[1];
    sn_quat wanted = sn_quat_multiply(base_rotation(p, 0), a->rotation);
    wanted = sn_quat_multiply(wanted, sn_quat_exponential(test_random_vec3(random, 0.5f)));
    b->rotation = sn_quat_multiply(sn_quat_conjugate(base_rotation(p, 1)), wanted);
}

static joint_rig *pair_make(const kind_case *kind, sort a, sort b, test_random *random)
{
    joint_rig *p = joint_rig_make(0, 2, 1.0f / 720.0f);
    rig_set_random(&p->rig, 1, random);
    rig_set_random(&p->rig, 2, random);
    make_nodes(p, random);
    (void)joint_rig_add(p, 0, 0);
    make_end(p, 0, a, random);
    make_end(p, 1, b, random);
    if (kind->oriented_ends == SN_BOTH_ENDS) {
        align(p, random);
    }
    p->inputs[0].evaluate = kind->evaluate;
    p->inputs[0].data = &kind->definition;
    return p;
}

static int evaluate(const joint_rig *p, float time, sn_node_end ends[2], sn_row *rows)
{
    sn_vec3 arms[2];
    sn_rows_clear(rows, SN_MAX_ROWS);
    return sn_joint_evaluate(&p->joints, &p->inputs[0], time, ends, rows, arms);
}

// --- gradients -----------------------------------------------------------------------------------

static double speed_of(const joint_rig *p, const sn_node_end ends[2], const sn_row *row)
{
    double speed = 0.0;
    for (int k = 0; k < 2; ++k) {
        const sn_solver_end *end = &p->inputs[0].ends[k];
        sn_vec3 linear = rig_linear(&p->rig, end->body), angular = rig_angular(&p->rig, end->body);
        if (ends[k].count > 0) {
            sn_node_end_velocity(&ends[k], p->nodes.velocities.data, &linear, &angular);
        }
        speed += (double)sn_dot(row->linear[k], linear) + (double)sn_dot(row->angular[k], angular);
    }
    return speed;
}

static void check_gradients(joint_rig *p, const kind_case *kind, sort a, sort b)
{
    const float step = 5.0e-4f;
    sn_node_end ends[2], other[2];
    sn_row rows[SN_MAX_ROWS], later[SN_MAX_ROWS], earlier[SN_MAX_ROWS];
    int count = evaluate(p, 0.0f, ends, rows);
    (void)evaluate(p, step, other, later);
    (void)evaluate(p, -step, other, earlier);
    for (int i = 0; i < count; ++i) {
        double expected = ((double)later[i].value - (double)earlier[i].value) / (2.0 * (double)step);
        double actual = speed_of(p, ends, &rows[i]);
        if (!(fabs(actual - expected) <= 2e-3 * (1.0 + fabs(expected)))) {
            fail_msg("%s between %s and %s, row %d: %g is not %g", kind->name, sort_names[a], sort_names[b],
                     i, actual, expected);
        }
    }
}

typedef void (*check)(joint_rig *p, const kind_case *kind, sort a, sort b);

// All kinds with all ends they can have, `rounds` times each.
static void visit_pairings(check function, int rounds, void (*change)(joint_rig *p, int round))
{
    kind_case kinds[KINDS];
    make_kinds(kinds);
    test_random random = {1};
    for (int k = 0; k < KINDS; ++k) {
        for (int ab = 0; ab < SORTS * SORTS; ++ab) {
            sort a = (sort)(ab / SORTS), b = (sort)(ab % SORTS);
            bool fits = ((kinds[k].oriented_ends & SN_END_A) == 0 || has_orientation(a)) &&
                        ((kinds[k].oriented_ends & SN_END_B) == 0 || has_orientation(b));
            for (int round = 0; fits && (a != WORLD || b != WORLD) && round < rounds; ++round) {
                joint_rig *p = pair_make(&kinds[k], a, b, &random);
                change(p, round);
                assert_true(sn_joints_begin(&p->joints));
                function(p, &kinds[k], a, b);
                joint_rig_free(p);
            }
        }
    }
}

static void leave(joint_rig *p, int round)
{
    (void)p;
    (void)round;
}

static void test_gradients_are_derivatives_between_any_two_points_within_2_per_mille(void **state)
{
    (void)state;
    visit_pairings(check_gradients, 20, leave);
}

// --- momenta -------------------------------------------------------------------------------------

static test_momenta pair_momenta(const joint_rig *p)
{
    test_momenta sum = joint_rig_momenta(p);
    for (int i = 1; i <= NODES; ++i) {
        const sn_node_state *node = &p->nodes.states.data[i];
        if (node->inverse_mass > 0.0f) {
            test_momenta_add(&sum, 1.0 / (double)node->inverse_mass, node->position,
                             p->nodes.velocities.data[i].velocity);
        }
    }
    return sum;
}

// Two sums of nodes have no lever: a ball keeps their angular momentum where they meet.
static void bring_sums_together(joint_rig *p, int round)
{
    (void)round;
    const sn_solver_end *ends = p->inputs[0].ends;
    if (p->inputs[0].evaluate != sn_ball_rows || ends[0].node_count == 0 || ends[0].has_frame ||
        ends[1].node_count == 0 || ends[1].has_frame) {
        return;
    }
    sn_node_end unused;
    const sn_node_velocity *velocities = p->nodes.velocities.data;
    sn_vec3 a = sn_end_of_nodes(&ends[0], p->nodes.states.data, velocities, 0.0f, &unused).center;
    sn_vec3 b = sn_end_of_nodes(&ends[1], p->nodes.states.data, velocities, 0.0f, &unused).center;
    for (int i = 5; i <= NODES; ++i) {
        sn_vec3 *place = &p->nodes.states.data[i].position;
        *place = sn_add(*place, sn_sub(a, b));
    }
}

// Of what is not the world, by solving and relaxing.
static void check_momenta(joint_rig *p, const kind_case *kind, sort a, sort b)
{
    if (a == WORLD || b == WORLD) {
        return;
    }
    test_momenta before = pair_momenta(p);
    sn_joints_refresh(&p->joints, true);
    sn_joints_warm_start(&p->joints);
    joint_rig_solve(p);
    joint_rig_relax(p);
    test_momenta after = pair_momenta(p);
    for (int k = 0; k < 3; ++k) {
        double linear = after.linear[k] - before.linear[k], angular = after.angular[k] - before.angular[k];
        // Errors of metres at 720 Hz are impulses of hundreds of N s.
        if (!(fabs(linear) <= 5e-4) || !(fabs(angular) <= 5e-4)) {
            fail_msg("%s between %s and %s: momenta change by %g and %g", kind->name, sort_names[a],
                     sort_names[b], linear, angular);
        }
    }
}

static void test_impulses_keep_momenta_between_any_two_points(void **state)
{
    (void)state;
    visit_pairings(check_momenta, 5, bring_sums_together);
}

// --- degenerate places ---------------------------------------------------------------------------

static void check_finite(joint_rig *p, const kind_case *kind, sort a, sort b)
{
    sn_node_end ends[2];
    sn_row rows[SN_MAX_ROWS];
    int count = evaluate(p, 0.0f, ends, rows);
    sn_joints_refresh(&p->joints, true);
    sn_joints_warm_start(&p->joints);
    for (int i = 0; i < 3; ++i) {
        joint_rig_solve(p);
        sn_joints_refresh(&p->joints, false);
        joint_rig_relax(p);
    }
    bool finite = true;
    for (int i = 0; i < count; ++i) {
        finite = finite && sn_is_finite(rows[i].value);
        for (int k = 0; k < 2; ++k) {
            finite = finite && sn_vec3_is_finite(rows[i].linear[k]) && sn_vec3_is_finite(rows[i].angular[k]);
        }
    }
    for (int i = 1; i <= 2; ++i) {
        finite =
            finite && sn_vec3_is_finite(rig_linear(&p->rig, i)) && sn_vec3_is_finite(rig_angular(&p->rig, i));
    }
    for (int i = 1; i <= NODES; ++i) {
        finite = finite && sn_vec3_is_finite(p->nodes.velocities.data[i].velocity);
    }
    if (!finite) {
        fail_msg("%s between %s and %s: not finite", kind->name, sort_names[a], sort_names[b]);
    }
}

// Everything in one place: no distance, no triangle, no tetrahedron.
static void collapse(joint_rig *p, int round)
{
    (void)round;
    sn_vec3 place = sn_v(0.25f, 0.5f, -1.0f);
    for (int i = 1; i <= NODES; ++i) {
        p->nodes.states.data[i].position = place;
    }
    for (int k = 0; k < 2; ++k) {
        p->inputs[0].ends[k].local = sn_v(0.0f, 0.0f, 0.0f);
        p->inputs[0].ends[k].fixed = place;
        p->rig.solver.bodies[1 + k].center = place;
    }
}

// Nodes in a line, evenly, through both ends.
static void flatten(joint_rig *p, int round)
{
    (void)round;
    for (int i = 1; i <= NODES; ++i) {
        p->nodes.states.data[i].position = sn_v(0.0f, 0.125f * (float)i, 0.0f);
    }
}

// Nothing moves at all: no inverse mass anywhere.
static void fix_all(joint_rig *p, int round)
{
    (void)round;
    for (int i = 1; i <= NODES; ++i) {
        p->nodes.states.data[i].inverse_mass = 0.0f;
    }
}

static void fix_one(joint_rig *p, int round)
{
    (void)round;
    p->nodes.states.data[1].inverse_mass = p->nodes.states.data[6].inverse_mass = 0.0f;
}

// A gram beside tonnes.
static void make_light(joint_rig *p, int round)
{
    (void)round;
    for (int i = 1; i <= NODES; ++i) {
        p->nodes.states.data[i].inverse_mass = i % 2 == 0 ? 1.0e6f : 1.0e-3f;
    }
}

static void test_degenerate_places_stay_finite(void **state)
{
    (void)state;
    void (*const changes[])(joint_rig *, int) = {collapse, flatten, fix_all, fix_one, make_light};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; ++i) {
        visit_pairings(check_finite, 2, changes[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_gradients_are_derivatives_between_any_two_points_within_2_per_mille),
        test_with_memory(test_impulses_keep_momenta_between_any_two_points),
        test_with_memory(test_degenerate_places_stay_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
