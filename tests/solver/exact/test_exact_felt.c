// Held nodes weigh what holds them while rows are made and swept, and hand on what rows did.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/exact_kit.h"
#include "support/exact_rig.h"

static const sn_vec3 origin = {0.0f, 0.0f, 0.0f};

// --- rows that do nothing but push the first nodes ---------------------------------------------------------

typedef struct pusher {
    exact_rig *rig;
    int count;         // of the nodes that are pushed
    sn_vec3 impulse;   // on each, once a sub-step
    float made, swept; // inverse masses of the first node, as rows saw them
    bool agrees;       // in every stage
} pusher;

static void push_refresh(void *data, const sn_element_pass *pass)
{
    pusher *pusher = data;
    pusher->made = pass->felt[pusher->rig->first].inverse_mass;
}

static void push_warm_start(void *data, const sn_element_pass *pass)
{
    pusher *pusher = data;
    pusher->agrees &= pass->felt[pusher->rig->first].inverse_mass == pusher->made;
    for (int i = pusher->rig->first; i < pusher->rig->first + pusher->count; ++i) {
        sn_vec3 *velocity = &pass->velocities[i].velocity;
        *velocity = sn_add_scaled(*velocity, pass->felt[i].inverse_mass, pusher->impulse);
    }
}

static void push_sweep(void *data, const sn_element_pass *pass, bool use_bias)
{
    (void)use_bias;
    pusher *pusher = data;
    pusher->swept = pass->felt[pusher->rig->first].inverse_mass;
    pusher->agrees &= pusher->swept == pusher->made;
}

static void push_store(void *data)
{
    (void)data;
}

static void attach(exact_rig *rig, pusher *pusher, int count, sn_vec3 impulse)
{
    *pusher = (struct pusher){.rig = rig, .count = count, .impulse = impulse, .agrees = true};
    rig->rigid.solver.nodes.coupling_count = 1;
    rig->rigid.solver.nodes.coupling[0] = (sn_coupling_stage){.data = pusher,
                                                              .warm_start = push_warm_start,
                                                              .sweep = push_sweep,
                                                              .refresh = push_refresh,
                                                              .store = push_store};
}

static void look_at_own_masses(exact_rig *rig, int sub_step)
{
    (void)sub_step;
    assert_true(exact_rig_state(rig, 0)->inverse_mass == 1.0f / 0.3f);
}

static void test_rows_see_a_nail_and_all_others_the_node(void **state)
{
    (void)state;
    exact_rig rig;
    pusher pusher;
    exact_rig_make(&rig, 0, 0, 2);
    exact_rig_put(&rig, 0, origin, origin, 0.3f);
    (void)exact_rig_set(&rig, EXACT_RIG_ATTACHED, 0, 2);
    attach(&rig, &pusher, 1, origin);
    rig.look = look_at_own_masses;
    exact_rig_step(&rig, 0.01f, 3);
    assert_true(pusher.agrees);
    assert_near(pusher.swept, 1.0e-3f / 0.3f, 1.0e-9f);
    assert_true(exact_rig_state(&rig, 0)->inverse_mass == 1.0f / 0.3f);
    exact_rig_free(&rig);
}

static void test_what_rows_do_to_a_nailed_node_the_nail_takes(void **state)
{
    (void)state;
    exact_rig rig;
    pusher pusher;
    exact_rig_make(&rig, 0, 0, 2);
    (void)exact_rig_set(&rig, EXACT_RIG_ATTACHED, 0, 2);
    rig.members[1].end = SN_EXACT_A(rig.members[1].end);
    attach(&rig, &pusher, 2, sn_v(0.0f, -3.0f, 0.0f));
    exact_rig_step(&rig, 0.01f, 4);
    assert_near(rig.set_forces[0].y, 2.0f * 4.0f * 3.0f / 0.01f, 1.0e-2f);
    assert_near(rig.member_forces[1].y, -4.0f * 3.0f / 0.01f, 1.0e-2f);
    assert_true(exact_rig_same(exact_rig_state(&rig, 0)->position, origin));
    assert_true(exact_rig_same(*exact_rig_velocity(&rig, 0), origin));
    exact_rig_free(&rig);
}

static void test_a_fixed_member_is_a_nail(void **state)
{
    (void)state;
    exact_rig rig;
    pusher pusher;
    exact_rig_make(&rig, 0, 0, 2);
    exact_rig_state(&rig, 1)->inverse_mass = 0.0f;
    (void)exact_rig_set(&rig, SN_EXACT_FIXED, 0, 2);
    rig.members[0].node = rig.first + 1;
    rig.members[1].node = rig.first;
    attach(&rig, &pusher, 1, sn_v(0.0f, -3.0f, 0.0f));
    exact_rig_step(&rig, 0.01f, 1);
    assert_near(pusher.swept, 1.0e-3f, 1.0e-9f);
    assert_true(exact_rig_state(&rig, 1)->inverse_mass == 0.0f);
    assert_true(exact_rig_same(exact_rig_state(&rig, 0)->position, origin));
    exact_rig_free(&rig);
}

// One attached node at the mass centre is as heavy as both; of four each is a quarter of it all.
static void test_attached_nodes_weigh_their_share_of_the_whole(void **state)
{
    (void)state;
    for (int attached = 1; attached <= 4; attached *= 4) {
        exact_rig rig;
        pusher pusher;
        exact_rig_make(&rig, 0, 1, attached);
        rig_set_ball(&rig.rigid, 1, 10.0f, 0.5f);
        for (int i = 0; i < attached; ++i) {
            (void)exact_rig_ride(&rig, 1, origin, i, 1);
        }
        attach(&rig, &pusher, attached, sn_v(1.4f, 0.0f, 0.0f));
        exact_rig_step(&rig, 0.01f, 1);
        assert_near(pusher.swept, (float)attached / (10.0f + (float)attached), 1.0e-6f);
        float speed = 1.4f * (float)attached / (10.0f + (float)attached);
        assert_near(rig_linear(&rig.rigid, 1).x, speed, 1.0e-6f);
        assert_near(exact_rig_velocity(&rig, 0)->x, speed, 1.0e-6f);
        assert_near(exact_rig_state(&rig, 0)->position.x, 0.01f * speed, 1.0e-8f);
        exact_rig_free(&rig);
    }
}

// Off the mass centre a body gives way by turning, too: w + (2/3) r²/I on the average.
static void test_attached_nodes_far_out_are_lighter(void **state)
{
    (void)state;
    exact_rig rig;
    pusher pusher;
    exact_rig_make(&rig, 0, 1, 1);
    rig_set_ball(&rig.rigid, 1, 10.0f, 0.5f); // 1 kg m²
    exact_rig_state(&rig, 0)->inverse_mass = 1.0e3f;
    (void)exact_rig_ride(&rig, 1, sn_v(0.0f, 0.6f, 0.0f), 0, 1);
    attach(&rig, &pusher, 1, origin);
    exact_rig_step(&rig, 0.01f, 1);
    assert_near(pusher.swept, 30.0f, 1.0e-3f); // no heavier than so many times its own mass
    exact_rig_state(&rig, 0)->inverse_mass = 10.0f;
    exact_rig_step(&rig, 0.01f, 1);
    // Along the arm 1/(M + m); across it 1/(m + 1/(1/M + r²/I)).
    float across = 1.0f / (0.1f + 1.0f / (0.1f + 0.36f));
    assert_near(pusher.swept, (1.0f / 10.1f + 2.0f * across) / 3.0f, 1.0e-4f);
    exact_rig_free(&rig);
}

static void test_light_nodes_on_heavy_ones_weigh_their_share(void **state)
{
    (void)state;
    exact_rig rig;
    pusher pusher;
    exact_rig_make(&rig, 0, 0, 4);
    exact_rig_put(&rig, 0, origin, origin, 1.0f);
    exact_rig_put(&rig, 1, origin, origin, 9.0f);
    (void)exact_rig_set(&rig, SN_EXACT_FREE, 0, 2);
    attach(&rig, &pusher, 1, sn_v(5.0f, 0.0f, 0.0f));
    exact_rig_step(&rig, 0.01f, 1);
    assert_near(pusher.swept, 2.0f / 10.0f, 1.0e-7f);
    assert_near(exact_rig_velocity(&rig, 1)->x, 0.5f, 1.0e-6f);
    assert_near(exact_rig_velocity(&rig, 0)->x, 0.5f, 1.0e-6f);
    assert_near(rig.member_forces[1].x, 4.5f / 0.01f, 1.0e-3f);
    exact_rig_free(&rig);
}

// A point between two nodes is nailed, nine parts of it the first one's: that keeps w (1 − 0.81/0.82). The
// second one is hardly held.
static void test_the_node_that_a_link_holds_most_is_lifted(void **state)
{
    (void)state;
    exact_rig rig;
    pusher pusher;
    exact_rig_make(&rig, 0, 0, 2);
    sn_vec3 force;
    sn_exact_link link = {.share = 1.0f, .sliding = -1};
    link.ends[1] =
        (sn_exact_end){.node_count = 2, .nodes = {rig.first, rig.first + 1}, .weights = {0.9f, 0.1f}};
    rig.stage.forces = &force;
    rig.stage.links = &link;
    rig.stage.link_count = 1;
    attach(&rig, &pusher, 1, sn_v(0.0f, -3.0f, 0.0f));
    exact_rig_step(&rig, 0.01f, 1);
    assert_near(pusher.swept, 0.03f, 1.0e-6f); // as far as nodes are lifted
    assert_true(exact_rig_state(&rig, 0)->inverse_mass == 1.0f);
    // λ = 0.9 P/0.82; velocities are those of the constrained motion.
    assert_near(force.y, 0.9f * 3.0f / 0.82f / 0.01f, 1.0e-2f);
    assert_near(exact_rig_velocity(&rig, 0)->y, -3.0f * (1.0f - 0.81f / 0.82f), 1.0e-5f);
    assert_near(exact_rig_velocity(&rig, 1)->y, 3.0f * 0.09f / 0.82f, 1.0e-5f);
    // A link on its way, and one that is shared evenly, lift nothing.
    link.share = 0.5f;
    exact_rig_step(&rig, 0.01f, 1);
    assert_true(pusher.swept == 1.0f);
    link.share = 1.0f;
    link.ends[1].weights[0] = link.ends[1].weights[1] = 0.5f;
    exact_rig_step(&rig, 0.01f, 1);
    assert_true(pusher.swept == 1.0f);
    exact_rig_free(&rig);
}

static void test_a_light_node_on_a_heavy_face_is_lifted(void **state)
{
    (void)state;
    exact_rig rig;
    pusher pusher;
    exact_rig_make(&rig, 0, 0, 4);
    sn_vec3 force;
    sn_exact_sum sum = {.count = 4, .split = 1};
    sn_exact_term terms[4] = {{rig.first, 1.0f}};
    for (int i = 1; i < 4; ++i) {
        exact_rig_put(&rig, i, origin, origin, 2.0f);
        terms[i] = (sn_exact_term){rig.first + i, -1.0f / 3.0f};
    }
    rig.stage.forces = &force;
    rig.stage.terms = terms;
    rig.stage.sums = &sum;
    rig.stage.sum_count = 1;
    attach(&rig, &pusher, 1, sn_v(0.0f, 7.0f, 0.0f));
    exact_rig_step(&rig, 0.01f, 1);
    assert_near(pusher.swept, 1.0f / 7.0f, 1.0e-6f); // K = 1 + 1/6
    assert_near(exact_rig_velocity(&rig, 0)->y, 1.0f, 1.0e-5f);
    assert_near(exact_rig_velocity(&rig, 2)->y, 1.0f, 1.0e-5f);
    exact_rig_free(&rig);
}

static void test_nothing_is_lifted_where_nothing_is_swept(void **state)
{
    (void)state;
    exact_rig rig;
    exact_rig_make(&rig, 0, 0, 2);
    (void)exact_rig_set(&rig, EXACT_RIG_ATTACHED, 0, 2);
    exact_rig_step(&rig, 0.01f, 1);
    assert_null(rig.stage.felt);
    exact_rig_free(&rig);
}

// --- ropes -------------------------------------------------------------------------------------------------

// A rope of 1 m and ten edges, nodes of 10 g, hangs from a nail and holds a body of 10 kg.
typedef struct hanging {
    sn_world *world;
    sn_deformable rope;
    sn_rigid body;
    sn_anchor top, bottom;
} hanging;

// `weight` is that of the end nodes in the points that are held: 1, or less if their neighbours have a part.
static hanging hang(bool exact, float weight)
{
    hanging made = {.world = soft_restless_world()};
    sn_mesh *mesh = NULL;
    assert_ok(sn_mesh_line(1.0f, 10, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 3.0f, 0.0f));
    def.pose.rotation = sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), -0.5f * SN_PI);
    def.mass = 0.11f;
    def.inextensible.on = true;
    made.rope = soft_add(made.world, &def);
    sn_mesh_destroy(mesh);
    sn_vec3 end = soft_node(made.world, made.rope, 10);
    made.body = add_box_at(made.world, 0.1f, end.x, end.y - 0.1f, end.z);
    sn_mass mass = {10.0f, origin, sn_mat3_diagonal(0.07f, 0.07f, 0.07f)};
    assert_ok(sn_rigid_mass_set(made.world, made.body, &mass));
    sn_anchor (*tie)(sn_world *, sn_point, sn_point) = exact ? exact_tie : soft_tie;
    int ends[2][2] = {{0, 1}, {10, 9}};
    float weights[2] = {weight, 1.0f - weight};
    sn_vec3 places[2];
    sn_point points[2];
    for (int i = 0; i < 2; ++i) {
        points[i] = sn_point_nodes(made.rope, ends[i], weights, 2);
        assert_ok(sn_point_place(made.world, &points[i], &places[i]));
    }
    made.top = tie(made.world, sn_point_world(places[0]), points[0]);
    made.bottom = tie(made.world, sn_point_on_rigid(made.world, made.body, places[1]), points[1]);
    return made;
}

static float stretch_of(const hanging *it)
{
    float length = 0.0f;
    for (int i = 0; i < 10; ++i) {
        length +=
            sn_distance_between(soft_node(it->world, it->rope, i), soft_node(it->world, it->rope, i + 1));
    }
    return length - 1.0f;
}

static void compare_hanging(float weight, float most_apart)
{
    float worst[2] = {0.0f}, rest[2], speed[2], apart[2] = {0.0f}, force[2];
    for (int exact = 0; exact < 2; ++exact) {
        hanging it = hang(exact == 1, weight);
        for (int i = 0; i < 300; ++i) {
            run_steps(it.world, 1);
            worst[exact] = sn_max(worst[exact], stretch_of(&it));
            apart[exact] = sn_max(apart[exact], sn_anchor_error(it.world, it.bottom));
        }
        rest[exact] = stretch_of(&it);
        speed[exact] = sn_length(sn_rigid_linear_velocity(it.world, it.body));
        force[exact] = sn_anchor_force(it.world, it.top).y;
        sn_world_destroy(it.world);
    }
    assert_true(worst[1] < worst[0] && rest[1] < rest[0] && speed[1] < 0.002f);
    assert_true(apart[0] > 1.0e-6f && apart[1] <= most_apart);
    assert_near(rest[1], 0.0f, 0.0085f);
    assert_near(force[1], 10.11f * 9.81f, 0.005f * 99.2f);
}

static void test_a_body_hangs_from_an_exact_rope_as_well_as_from_an_anchored_one(void **state)
{
    (void)state;
    compare_hanging(1.0f, 0.0f);
}

static void test_the_same_by_points_between_nodes(void **state)
{
    (void)state;
    compare_hanging(0.9f, 1.0e-6f);
}

// --- what hangs on both sides of exact anchors -------------------------------------------------------------

static sn_deformable add_jelly(sn_world *world, sn_vec3 position)
{
    sn_mesh *mesh = NULL;
    assert_ok(sn_mesh_box(sn_v(0.2f, 0.2f, 0.2f), 3, 3, 3, &mesh));
    sn_deformable_def def = soft_def(mesh, position);
    def.mass = 2.4f;
    def.model = sn_model_corotational(8.0e4f, 0.35f);
    def.model.damping = 0.01f;
    sn_deformable jelly = soft_add(world, &def);
    sn_mesh_destroy(mesh);
    return jelly;
}

// Upright, 1 m from the bar down to the jelly.
static sn_deformable add_string(sn_world *world, float x, sn_rigid bar, sn_deformable jelly)
{
    sn_mesh *mesh = NULL;
    assert_ok(sn_mesh_line(1.0f, 10, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(x, 0.5f, 0.0f));
    def.pose.rotation = sn_quat_axis_angle(sn_v(0.0f, 0.0f, 1.0f), -0.5f * SN_PI);
    def.mass = 0.06f;
    def.inextensible.on = true;
    sn_deformable string = soft_add(world, &def);
    sn_mesh_destroy(mesh);
    sn_vec3 top = {x, 1.0f, 0.0f}, bottom = {x, 0.0f, 0.0f};
    (void)exact_tie(world, sn_point_on_rigid(world, bar, top), sn_point_node(string, 0));
    (void)exact_tie(world, sn_point_on_deformable(world, jelly, bottom), sn_point_node(string, 10));
    return string;
}

// A bar on a hinge, two strings, and three jellies that hang on each other: the last edge of a string pulls
// at one side of its anchor, rows of the jellies at the other.
static void test_edges_beside_exact_anchors_carry_their_load(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_world_def settings = sn_world_settings(world);
    settings.sub_steps = 24;
    assert_ok(sn_world_settings_set(world, &settings));
    sn_rigid bar = add_box_at(world, 0.05f, 0.0f, 1.0f, 0.0f);
    sn_mass mass = {2.0f, origin, sn_mat3_diagonal(0.06f, 0.06f, 0.06f)};
    assert_ok(sn_rigid_mass_set(world, bar, &mass));
    sn_hinge_def hinge = sn_hinge_def_default();
    assert_ok(sn_constraint_place(world, &hinge.common, sn_world_ground(world), bar, sn_v(0.0f, 1.0f, 0.0f),
                                  sn_v(0.0f, 0.0f, 1.0f)));
    assert_ok(sn_hinge_add(world, &hinge, NULL));
    sn_deformable jelly = add_jelly(world, sn_v(0.0f, -0.1f, 0.0f));
    sn_deformable below = add_jelly(world, sn_v(0.0f, -0.3f, 0.0f)),
                  beside = add_jelly(world, sn_v(0.2f, -0.1f, 0.0f));
    sn_vec3 bottom = {0.02f, -0.2f, 0.02f}, side = {0.1f, -0.02f, 0.0f};
    (void)exact_tie(world, sn_point_on_deformable(world, jelly, bottom),
                    sn_point_on_deformable(world, below, bottom));
    (void)exact_tie(world, sn_point_on_deformable(world, jelly, side),
                    sn_point_on_deformable(world, beside, side));
    (void)add_string(world, -0.05f, bar, jelly);
    sn_deformable string = add_string(world, 0.05f, bar, jelly);
    run_steps(world, 120);
    float mean = 0.0f;
    for (int i = 0; i < 120; ++i) {
        run_steps(world, 1);
        for (int k = 0; k < 10; k += 9) {
            float length = sn_distance_between(soft_node(world, string, k), soft_node(world, string, k + 1));
            mean += (10.0f * length - 1.0f) / 240.0f;
        }
    }
    assert_true(mean < 0.05f); // 11 % if rows of one side do not see those of the other
    sn_world_destroy(world);
}

static void test_a_nailed_rope_reports_its_weight(void **state)
{
    (void)state;
    sn_world *world = soft_restless_world();
    sn_deformable rope = soft_rope(world, 20, sn_v(0.0f, 0.0f, 0.0f));
    sn_anchor nail = exact_tie(world, sn_point_world(soft_node(world, rope, 0)), sn_point_node(rope, 0));
    run_steps(world, 600); // it swings for long
    float sum = 0.0f;
    sn_vec3 before = sn_deformable_measure_now(world, rope).velocity;
    for (int i = 0; i < 600; ++i) {
        run_steps(world, 1);
        sum += sn_anchor_force(world, nail).y;
    }
    sn_vec3 after = sn_deformable_measure_now(world, rope).velocity;
    // What the nail gave is weight, and what the rope gained.
    float expected = 0.1f * 9.81f + 0.1f * (after.y - before.y) / 10.0f;
    assert_near(sum / 600.0f, expected, 0.0005f * 0.981f);
    sn_world_destroy(world);
}

// Two bodies on a rope fly and spin.
static void test_bodies_on_a_rope_keep_their_momentum(void **state)
{
    (void)state;
    sn_world_def world_def = sn_world_def_default();
    world_def.gravity = origin;
    world_def.sleep = false;
    sn_world *world = NULL;
    assert_ok(sn_world_create(&world_def, &world));
    sn_deformable rope = soft_rope(world, 10, origin);
    sn_rigid bodies[2] = {add_box_at(world, 0.1f, -0.6f, 0.0f, 0.0f),
                          add_box_at(world, 0.1f, 0.6f, 0.0f, 0.0f)};
    float mass = sn_rigid_mass(world, bodies[0]).mass;
    for (int i = 0; i < 2; ++i) {
        sn_vec3 end = soft_node(world, rope, 10 * i);
        (void)exact_tie(world, sn_point_on_rigid(world, bodies[i], end), sn_point_node(rope, 10 * i));
    }
    assert_ok(sn_rigid_linear_velocity_set(world, bodies[0], sn_v(2.0f, -1.0f, 0.5f)));
    assert_ok(sn_rigid_linear_velocity_set(world, bodies[1], sn_v(1.0f, 2.0f, 0.5f)));
    for (int i = 0; i < 300; ++i) {
        run_steps(world, 1);
    }
    double sum[3] = {0.0};
    for (int i = 0; i < 11; ++i) {
        sn_vec3 v = sn_deformable_velocities(world, rope)[i].velocity;
        double own = 1.0 / (double)sn_deformable_nodes(world, rope)[i].inverse_mass;
        sum[0] += own * (double)v.x;
        sum[1] += own * (double)v.y;
        sum[2] += own * (double)v.z;
    }
    for (int i = 0; i < 2; ++i) {
        sn_vec3 v = sn_rigid_linear_velocity(world, bodies[i]);
        sum[0] += (double)mass * (double)v.x;
        sum[1] += (double)mass * (double)v.y;
        sum[2] += (double)mass * (double)v.z;
    }
    assert_near((float)(sum[0] / (double)mass), 3.0f, 3.0e-6f);
    assert_near((float)(sum[1] / (double)mass), 1.0f, 3.0e-6f);
    assert_near((float)(sum[2] / (double)mass), 1.0f, 3.0e-6f);
    sn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_see_a_nail_and_all_others_the_node),
        cmocka_unit_test(test_what_rows_do_to_a_nailed_node_the_nail_takes),
        cmocka_unit_test(test_a_fixed_member_is_a_nail),
        cmocka_unit_test(test_attached_nodes_weigh_their_share_of_the_whole),
        cmocka_unit_test(test_attached_nodes_far_out_are_lighter),
        cmocka_unit_test(test_light_nodes_on_heavy_ones_weigh_their_share),
        cmocka_unit_test(test_the_node_that_a_link_holds_most_is_lifted),
        cmocka_unit_test(test_a_light_node_on_a_heavy_face_is_lifted),
        cmocka_unit_test(test_nothing_is_lifted_where_nothing_is_swept),
        cmocka_unit_test(test_a_body_hangs_from_an_exact_rope_as_well_as_from_an_anchored_one),
        cmocka_unit_test(test_the_same_by_points_between_nodes),
        cmocka_unit_test(test_edges_beside_exact_anchors_carry_their_load),
        cmocka_unit_test(test_a_nailed_rope_reports_its_weight),
        cmocka_unit_test(test_bodies_on_a_rope_keep_their_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
