// The contact kernels: the two builds give the same bits, and a single contact gives what the closed forms
// say.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "solver/contact/contact_block.h"
#include "support/manifold_check.h"
#include "support/memory.h"
#include "support/solver_rig.h"
#include <stdlib.h>
#include <string.h>

static const float h = 1.0f / 720.0f;

// --- contacts without a world --------------------------------------------------------------------

enum { MOST_CONTACTS = 32, MOST_BLOCKS = 4 };

typedef struct kit {
    solver_rig rig;
    sn_patch patches[MOST_CONTACTS];
    sn_contact_packing packing;
    sn_contact_pass pass;
} kit;

static void kit_make(kit *k, int kinematic, int dynamic)
{
    memset(k, 0, sizeof *k);
    solver_rig_make(&k->rig, kinematic, dynamic, MOST_CONTACTS, 0, h);
}

static void kit_free(kit *k)
{
    solver_rig_free(&k->rig);
}

static sn_contact_input *add_contact(kit *k, int body_a, int body_b, sn_vec3 normal)
{
    int i = k->rig.solver.contact_count++;
    k->patches[i].normal = normal;
    k->rig.solver.contacts[i] =
        (sn_contact_input){.patch = &k->patches[i], .body_a = body_a, .body_b = body_b, .kept = 1.0f};
    return &k->rig.solver.contacts[i];
}

static void add_point(sn_patch *patch, sn_vec3 arm_a, sn_vec3 arm_b, float separation)
{
    patch->points[patch->count++] =
        (sn_patch_point){.arm_a = arm_a, .arm_b = arm_b, .separation = separation, .feature = 1};
}

// Contacts must not share dynamic bodies: they go into blocks in order, the last one padded.
static void kit_pack(kit *k)
{
    sn_solver *solver = &k->rig.solver;
    sn_contact_packing *packing = &k->packing;
    packing->block_count = (solver->contact_count + SN_LANES - 1) / SN_LANES;
    packing->blocks = sn_arena_take_zero(&k->rig.arena, MOST_BLOCKS, sizeof *packing->blocks);
    packing->points =
        sn_arena_take_zero(&k->rig.arena, MOST_BLOCKS * SN_MANIFOLD_POINTS, sizeof *packing->points);
    assert_non_null(packing->blocks);
    assert_non_null(packing->points);
    for (int i = 0; i < packing->block_count; ++i) {
        sn_contact_block *block = &packing->blocks[i];
        for (int lane = 0; lane < SN_LANES; ++lane) {
            int input = i * SN_LANES + lane;
            block->input[lane] = input < solver->contact_count ? input : -1;
            int count = input < solver->contact_count ? k->patches[input].count : 0;
            block->point_count = count > block->point_count ? count : block->point_count;
        }
        block->first_point = packing->point_count;
        packing->point_count += block->point_count;
        sn_contact_block_fill(solver, packing, i);
    }
    k->pass = (sn_contact_pass){.velocities = solver->velocities,
                                .shifts = solver->shifts,
                                .inertias = solver->inertias,
                                .dynamic_begin = solver->dynamic_begin,
                                .blocks = packing->blocks,
                                .points = packing->points,
                                .h = h,
                                .inverse_h = 1.0f / h,
                                .push_speed = solver->settings.push_speed,
                                .bias_limit = sn_laws_of(&solver->settings).overlap_speed,
                                .moves = solver->velocities,
                                .restitution_threshold = solver->settings.restitution_threshold};
}

static void begin(kit *k, const sn_contact_kernels *kernels)
{
    kernels->measure(&k->pass, 0, k->packing.block_count);
    kernels->warm_start(&k->pass, 0, k->packing.block_count);
}

static void sweep(kit *k, const sn_contact_kernels *kernels, bool use_bias)
{
    k->pass.use_bias = use_bias;
    kernels->solve(&k->pass, 0, k->packing.block_count);
}

static void finish(kit *k, const sn_contact_kernels *kernels)
{
    kernels->finish(&k->pass, 0, k->packing.block_count);
    for (int i = 0; i < k->packing.block_count; ++i) {
        sn_contact_block_store(&k->rig.solver, &k->packing, i);
    }
}

// --- the same bits -------------------------------------------------------------------------------

typedef enum { NONE_BOUNCE, SOME_BOUNCE, ALL_BOUNCE } bouncing;

// 29 contacts with one to four points between bodies of their own, some of them with what cannot move.
static void make_random(kit *k, uint64_t seed, bouncing bouncing)
{
    enum { CONTACTS = 29 };
    test_random random = {seed};
    kit_make(k, 3, 2 * CONTACTS);
    int next = k->rig.solver.dynamic_begin;
    for (int i = next; i < k->rig.solver.body_count; ++i) {
        rig_set_random(&k->rig, i, &random);
        rig_put(k->rig.solver.shifts[i].moved, test_random_vec3(&random, 0.02f));
        rig_put(k->rig.solver.shifts[i].turned, test_random_vec3(&random, 0.02f));
    }
    for (int i = 0; i < CONTACTS; ++i) {
        int a = i % 4 == 0 ? i % 3 : next++;
        int b = i % 5 == 1 ? i % 4 : next++;
        sn_contact_input *input = add_contact(k, a, b, test_random_direction(&random));
        input->friction = i % 6 == 0 ? 0.0f : test_random_float(&random, 0.0f, 1.0f);
        bool bounces = bouncing == ALL_BOUNCE || (bouncing == SOME_BOUNCE && i % 3 == 0);
        input->restitution = bounces ? test_random_float(&random, 0.1f, 1.0f) : 0.0f;
        input->rolling_resistance = i % 7 == 0 ? 0.1f : 0.0f;
        sn_patch *patch = input->patch;
        patch->friction_impulse = test_random_vec3(&random, 0.1f);
        patch->rolling_impulse = test_random_vec3(&random, 0.1f);
        patch->twist_impulse = test_random_float(&random, -0.1f, 0.1f);
        int points = 1 + (int)(test_random_u32(&random) % SN_MANIFOLD_POINTS);
        for (int p = 0; p < points; ++p) {
            sn_vec3 arm_a = test_random_vec3(&random, 1.0f);
            sn_vec3 arm_b = test_random_vec3(&random, 1.0f);
            add_point(patch, arm_a, arm_b, test_random_float(&random, -0.05f, 0.02f));
            patch->points[p].normal_impulse = test_random_float(&random, 0.0f, 0.5f);
        }
    }
    kit_pack(k);
}

static void run_everything(kit *k, const sn_contact_kernels *kernels)
{
    for (int i = 0; i < 6; ++i) {
        k->pass.backwards = i % 2 == 1;
        begin(k, kernels);
        sweep(k, kernels, true);
        sweep(k, kernels, false);
        finish(k, kernels);
    }
}

static void test_base_and_avx2_kernels_give_the_same_bits_on_random_blocks(void **state)
{
    (void)state;
    unsetenv("SINEW_NO_AVX2");
    const sn_contact_kernels *fast = sn_contact_kernels_pick();
    setenv("SINEW_NO_AVX2", "1", 1);
    const sn_contact_kernels *base = sn_contact_kernels_pick();
    unsetenv("SINEW_NO_AVX2");
    assert_ptr_equal(base, &sn_contact_kernels_base);
    if (fast == base) {
        print_message("no AVX2 here: nothing to compare\n");
        skip();
    }
    for (uint64_t seed = 1; seed <= 50; ++seed) {
        static kit one, two;
        make_random(&one, seed, SOME_BOUNCE);
        make_random(&two, seed, SOME_BOUNCE);
        run_everything(&one, base);
        run_everything(&two, fast);
        for (int i = 0; i < two.packing.block_count; ++i) { // as kernels that work in halves do
            sn_repeat_scalars(&two.packing.blocks[i].scalars);
        }
        const sn_solver *solver = &one.rig.solver;
        assert_memory_equal(solver->velocities, two.rig.solver.velocities,
                            (size_t)solver->body_count * sizeof *solver->velocities);
        assert_memory_equal(one.packing.points, two.packing.points,
                            (size_t)one.packing.point_count * sizeof *one.packing.points);
        assert_memory_equal(one.packing.blocks, two.packing.blocks,
                            (size_t)one.packing.block_count * sizeof *one.packing.blocks);
        assert_memory_equal(one.patches, two.patches, sizeof one.patches);
        // And it was worth comparing.
        assert_true(sn_vec3_is_finite(rig_linear(&one.rig, solver->body_count - 1)));
        kit_free(&one);
        kit_free(&two);
    }
}

static void check_one_by_one(bouncing bouncing)
{
    static kit many, single;
    make_random(&many, 77, bouncing);
    run_everything(&many, &sn_contact_kernels_base);
    for (int i = 0; i < many.rig.solver.contact_count; ++i) {
        make_random(&single, 77, bouncing);
        sn_solver *solver = &single.rig.solver;
        solver->contacts[0] = solver->contacts[i];
        solver->contact_count = 1;
        single.patches[0] = single.patches[i];
        solver->contacts[0].patch = &single.patches[0];
        single.packing = (sn_contact_packing){0};
        kit_pack(&single);
        run_everything(&single, &sn_contact_kernels_base);
        const int bodies[2] = {solver->contacts[0].body_a, solver->contacts[0].body_b};
        for (int k = 0; k < 2; ++k) {
            assert_memory_equal(&many.rig.solver.velocities[bodies[k]], &solver->velocities[bodies[k]],
                                sizeof *solver->velocities);
        }
        kit_free(&single);
    }
    kit_free(&many);
}

// A contact's answer does not depend on which lane it sits in, nor on its neighbours.
static void test_a_contact_alone_gives_the_same_bits_as_among_seven_others(void **state)
{
    (void)state;
    check_one_by_one(NONE_BOUNCE);
    check_one_by_one(ALL_BOUNCE);
}

// --- a ball on the floor -------------------------------------------------------------------------

static const float mass = 2.0f, radius = 0.5f;

// Body 1 is a ball that touches the floor below it.
static sn_contact_input *make_ball(kit *k, float separation)
{
    kit_make(k, 0, 1);
    rig_set_ball(&k->rig, 1, mass, radius);
    sn_contact_input *input = add_contact(k, 0, 1, sn_v(0.0f, 1.0f, 0.0f));
    add_point(input->patch, sn_v(3.0f, 0.0f, -1.0f), sn_v(0.0f, -radius, 0.0f), separation);
    return input;
}

static void set_motion(kit *k, sn_vec3 linear, sn_vec3 angular)
{
    rig_set_velocity(&k->rig, 1, linear, angular);
}

static const sn_vec3 none = {0.0f, 0.0f, 0.0f};

static void test_a_touching_ball_is_stopped_by_an_impulse_m_v_within_1e_6(void **state)
{
    (void)state;
    static kit k;
    (void)make_ball(&k, 0.0f);
    set_motion(&k, sn_v(0.0f, -0.8f, 0.0f), none);
    kit_pack(&k);
    begin(&k, &sn_contact_kernels_base);
    sweep(&k, &sn_contact_kernels_base, false);
    assert_near(rig_linear(&k.rig, 1).y, 0.0f, 1e-6);
    finish(&k, &sn_contact_kernels_base);
    assert_near(k.patches[0].points[0].total_normal, 0.8f * mass, 2e-6);
    assert_near(k.patches[0].points[0].approach_speed, 0.8f, 1e-6);
    kit_free(&k);
}

static void test_a_ball_that_leaves_is_not_held(void **state)
{
    (void)state;
    static kit k;
    (void)make_ball(&k, 0.0f);
    set_motion(&k, sn_v(0.0f, 0.8f, 0.0f), none);
    k.patches[0].points[0].normal_impulse = 1.0f; // of the last step, when it still pressed
    kit_pack(&k);
    begin(&k, &sn_contact_kernels_base);
    sweep(&k, &sn_contact_kernels_base, false);
    assert_near(rig_linear(&k.rig, 1).y, 0.8f, 1e-6);
    finish(&k, &sn_contact_kernels_base);
    assert_true(k.patches[0].points[0].total_normal == 0.0f);
    kit_free(&k);
}

// One that nothing presses, in a block of its own or beside one that is pressed.
static void test_a_ball_above_the_floor_keeps_its_motion_to_the_bit_beside_one_that_lands(void **state)
{
    (void)state;
    for (int lands = 0; lands < 2; ++lands) {
        static kit k;
        kit_make(&k, 0, 2);
        rig_set_ball(&k.rig, 1, mass, radius);
        rig_set_ball(&k.rig, 2, mass, radius);
        for (int body = 1; body <= 1 + lands; ++body) {
            sn_contact_input *input = add_contact(&k, 0, body, sn_v(0.0f, 1.0f, 0.0f));
            input->friction = 0.5f;
            add_point(input->patch, sn_v(0.0f, 0.0f, 0.0f), sn_v(0.0f, -radius, 0.0f),
                      body == 1 ? 0.01f : 0.0f);
        }
        sn_vec3 linear = sn_v(0.3f, -0.7f, 0.1f), angular = sn_v(1.0f, 2.0f, 3.0f);
        rig_set_velocity(&k.rig, 1, linear, angular);
        rig_set_velocity(&k.rig, 2, linear, angular);
        kit_pack(&k);
        run_everything(&k, &sn_contact_kernels_base);
        assert_true(rig_linear(&k.rig, 1).x == linear.x && rig_linear(&k.rig, 1).y == linear.y);
        assert_memory_equal(k.rig.solver.velocities[1].angular, &angular, sizeof angular);
        assert_true((rig_linear(&k.rig, 2).y > linear.y) == (lands == 1));
        kit_free(&k);
    }
}

static void test_a_ball_in_the_air_may_come_as_near_as_touching_within_1e_5(void **state)
{
    (void)state;
    const float gap = 0.002f;
    for (int i = 0; i < 2; ++i) {
        static kit k;
        (void)make_ball(&k, gap);
        // Slower than the gap allows, and faster.
        float speed = i == 0 ? 0.9f * gap / h : 5.0f * gap / h;
        set_motion(&k, sn_v(0.0f, -speed, 0.0f), none);
        kit_pack(&k);
        begin(&k, &sn_contact_kernels_base);
        sweep(&k, &sn_contact_kernels_base, true);
        assert_near(rig_linear(&k.rig, 1).y, i == 0 ? -speed : -gap / h, 1e-5);
        kit_free(&k);
    }
}

// Λ = −m·s·(v + max(rate·separation, −push)), s the soft share of the mass, push what bias_limit allows and
// what holds the impulse there is.
static void test_a_penetrating_ball_is_pushed_out_by_the_soft_law_within_1e_5(void **state)
{
    (void)state;
    const float depths[] = {1.0e-4f, 1.0e-3f, 0.1f};
    for (int i = 0; i < 3; ++i) {
        static kit k;
        (void)make_ball(&k, -depths[i]);
        kit_pack(&k);
        const sn_contact_block *block = &k.packing.blocks[0];
        float wanted = sn_min(block->bias_rate.lane[0] * depths[i], k.pass.push_speed);
        float share = block->mass_scale.lane[0], kept = block->impulse_scale.lane[0];
        assert_near(share + kept, 1.0f, 1e-6);
        begin(&k, &sn_contact_kernels_base);
        sweep(&k, &sn_contact_kernels_base, true);
        // Normals are visited twice: first v₁ = s·push, then v₂ = v₁ + s·(push − v₁) − kept·v₁, which is
        // s·push unless there is more to push then.
        float first = share * sn_min(wanted, k.pass.bias_limit);
        float push = sn_min(wanted, k.pass.bias_limit + kept * first / share);
        assert_near(rig_linear(&k.rig, 1).y, first + share * (push - first) - kept * first, 1e-5);
        // Relaxing takes the pushing speed out again.
        sweep(&k, &sn_contact_kernels_base, false);
        assert_near(rig_linear(&k.rig, 1).y, 0.0f, 1e-6);
        kit_free(&k);
    }
}

// Deep overlaps change how bodies move in the sub-step; a loaded contact's own is left.
static void
test_a_deep_ball_is_moved_out_with_push_speed_less_what_its_load_explains_within_1e_5(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        static kit k;
        (void)make_ball(&k, -0.1f);
        k.patches[0].points[0].normal_impulse = i == 0 ? 0.0f : 2.0f * mass;
        kit_pack(&k);
        const sn_contact_block *block = &k.packing.blocks[0];
        assert_true(block->is_deep);
        float load = 2.0f * block->impulse_scale.lane[0] / block->mass_scale.lane[0];
        sn_contact_kernels_base.measure(&k.pass, 0, 1);
        sn_contact_kernels_base.warm_start(&k.pass, 0, 1);
        set_motion(&k, none, none);
        sn_contact_kernels_base.push_apart(&k.pass, 0, 1);
        assert_near(rig_linear(&k.rig, 1).y, i == 0 ? k.pass.push_speed : k.pass.push_speed - load, 1e-5);
        kit_free(&k);
    }
}

// --- friction ------------------------------------------------------------------------------------

// A sliding ball that may not slip starts to roll: impulse 2/7 m v.
static void test_a_sliding_ball_is_made_to_roll_by_two_sevenths_of_its_momentum_within_1e_5(void **state)
{
    (void)state;
    for (int i = 0; i < 16; ++i) {
        static kit k;
        make_ball(&k, 0.0f)->friction = 10.0f;
        float angle = 0.4f * (float)i;
        sn_vec3 way = sn_v(sn_cos(angle), 0.0f, sn_sin(angle));
        set_motion(&k, sn_add(sn_scale(way, 3.0f), sn_v(0.0f, -1.0f, 0.0f)), none);
        kit_pack(&k);
        begin(&k, &sn_contact_kernels_base);
        sweep(&k, &sn_contact_kernels_base, false);
        sn_vec3 linear = rig_linear(&k.rig, 1);
        assert_vec3_near(linear, sn_scale(way, 3.0f * 5.0f / 7.0f), 1e-5);
        sn_vec3 slip = sn_add(linear, sn_cross(rig_angular(&k.rig, 1), sn_v(0.0f, -radius, 0.0f)));
        assert_vec3_near(slip, none, 1e-5);
        finish(&k, &sn_contact_kernels_base);
        assert_vec3_near(k.patches[0].total_friction, sn_scale(way, -mass * 3.0f * 2.0f / 7.0f), 1e-5);
        kit_free(&k);
    }
}

// Too fast to hold: friction is µ times the normal impulse, against the slip, in any direction.
static void test_friction_is_a_disc_of_mu_times_the_normal_impulse_within_1e_5(void **state)
{
    (void)state;
    const float friction = 0.3f, fall = 1.0f;
    for (int i = 0; i < 16; ++i) {
        static kit k;
        make_ball(&k, 0.0f)->friction = friction;
        float angle = 0.4f * (float)i;
        sn_vec3 way = sn_v(sn_cos(angle), 0.0f, sn_sin(angle));
        set_motion(&k, sn_add(sn_scale(way, 20.0f), sn_v(0.0f, -fall, 0.0f)), none);
        kit_pack(&k);
        begin(&k, &sn_contact_kernels_base);
        sweep(&k, &sn_contact_kernels_base, false);
        assert_vec3_near(rig_linear(&k.rig, 1), sn_scale(way, 20.0f - friction * fall), 1e-5);
        finish(&k, &sn_contact_kernels_base);
        assert_vec3_near(k.patches[0].total_friction, sn_scale(way, -friction * fall * mass), 1e-5);
        kit_free(&k);
    }
}

// A spinning plate on four points at distance ρ from the middle: the torque is at most µ ρ N.
static void test_twist_is_limited_by_mu_rho_times_the_normal_impulse_within_1e_5(void **state)
{
    (void)state;
    const float friction = 0.4f, fall = 0.5f;
    static kit k;
    kit_make(&k, 0, 1);
    rig_set_mass(&k.rig, 1, mass, (sn_sym3){1.0f, 3.0f, 1.0f, 0.0f, 0.0f, 0.0f});
    sn_contact_input *input = add_contact(&k, 0, 1, sn_v(0.0f, 1.0f, 0.0f));
    input->friction = friction;
    for (int i = 0; i < 4; ++i) {
        sn_vec3 arm = sn_v(i & 1 ? 0.6f : -0.6f, -0.1f, i & 2 ? 0.8f : -0.8f);
        add_point(input->patch, arm, arm, 0.0f);
    }
    set_motion(&k, sn_v(0.0f, -fall, 0.0f), sn_v(0.0f, 50.0f, 0.0f));
    kit_pack(&k);
    begin(&k, &sn_contact_kernels_base);
    for (int i = 0; i < 40; ++i) {
        sweep(&k, &sn_contact_kernels_base, false);
    }
    float limit = friction * 1.0f * fall * mass;
    assert_near(rig_angular(&k.rig, 1).y, 50.0f - limit / 3.0f, 1e-5);
    assert_near(rig_linear(&k.rig, 1).y, 0.0f, 1e-5);
    kit_free(&k);
}

static void
test_rolling_resistance_is_limited_by_its_length_times_the_normal_impulse_within_1e_5(void **state)
{
    (void)state;
    const float resistance = 0.02f, fall = 1.0f, moment = 0.4f * mass * radius * radius;
    const float spins[] = {100.0f, 0.01f};
    for (int i = 0; i < 2; ++i) {
        static kit k;
        make_ball(&k, 0.0f)->rolling_resistance = resistance;
        set_motion(&k, sn_v(0.0f, -fall, 0.0f), sn_v(0.0f, 0.0f, spins[i]));
        kit_pack(&k);
        begin(&k, &sn_contact_kernels_base);
        sweep(&k, &sn_contact_kernels_base, false);
        float expected = sn_max(0.0f, spins[i] - resistance * fall * mass / moment);
        assert_near(rig_angular(&k.rig, 1).z, expected, 1e-5);
        kit_free(&k);
    }
}

// --- restitution ---------------------------------------------------------------------------------

static void test_a_ball_leaves_with_e_times_its_speed_above_the_threshold_within_1e_5(void **state)
{
    (void)state;
    const float speeds[] = {0.9f, 1.1f, 5.0f, 300.0f}, bounces[] = {0.0f, 0.5f, 0.9f, 1.0f};
    for (int i = 0; i < 16; ++i) {
        float speed = speeds[i % 4], bounce = bounces[i / 4];
        bool hit = speed > 1.0f;
        static kit k;
        make_ball(&k, 0.0f)->restitution = bounce;
        set_motion(&k, sn_v(0.0f, -speed, 0.0f), none);
        kit_pack(&k);
        begin(&k, &sn_contact_kernels_base);
        sweep(&k, &sn_contact_kernels_base, true);
        sweep(&k, &sn_contact_kernels_base, false);
        finish(&k, &sn_contact_kernels_base);
        float expected = hit ? bounce * speed : 0.0f;
        const sn_patch_point *point = &k.patches[0].points[0];
        assert_near(rig_linear(&k.rig, 1).y, expected, 1e-5 * (double)sn_max(speed, 1.0f));
        assert_near(point->total_normal, mass * (speed + expected), 1e-5 * (double)(mass * speed));
        assert_near(point->approach_speed, speed, 1e-5 * (double)speed);
        // An impact says nothing about the next sub-step.
        assert_true((point->normal_impulse == 0.0f) == hit);
        kit_free(&k);
    }
}

// --- two bodies ----------------------------------------------------------------------------------

typedef struct momenta {
    double linear[3], angular[3];
} momenta;

static momenta measure_momenta(const kit *k, int a, int b)
{
    momenta sum = {{0.0}, {0.0}};
    const int bodies[2] = {a, b};
    for (int i = 0; i < 2; ++i) {
        const sn_solver_body *body = &k->rig.solver.bodies[bodies[i]];
        sn_vec3 p = sn_scale(rig_linear(&k->rig, bodies[i]), 1.0f / body->inverse_mass.x);
        sn_sym3 inertia = rig_inertia(&k->rig, bodies[i]);
        sn_vec3 l =
            sn_add(sn_cross(body->center, p), sn_sym3_apply(inertia, rig_angular(&k->rig, bodies[i])));
        const float linear[3] = {p.x, p.y, p.z}, angular[3] = {l.x, l.y, l.z};
        for (int j = 0; j < 3; ++j) {
            sum.linear[j] += (double)linear[j];
            sum.angular[j] += (double)angular[j];
        }
    }
    return sum;
}

static void test_two_bodies_exchange_momentum_without_loss_within_1e_4(void **state)
{
    (void)state;
    test_random random = {5};
    for (int round = 0; round < 50; ++round) {
        static kit k;
        kit_make(&k, 0, 2);
        rig_set_random(&k.rig, 1, &random);
        rig_set_random(&k.rig, 2, &random);
        sn_contact_input *input = add_contact(&k, 1, 2, test_random_direction(&random));
        input->friction = 0.6f;
        input->restitution = 0.5f;
        input->rolling_resistance = 0.05f;
        for (int i = 0; i < 4; ++i) {
            sn_vec3 point = test_random_vec3(&random, 1.0f);
            add_point(input->patch, sn_sub(point, k.rig.solver.bodies[1].center),
                      sn_sub(point, k.rig.solver.bodies[2].center), -0.01f);
        }
        kit_pack(&k);
        momenta before = measure_momenta(&k, 1, 2);
        run_everything(&k, &sn_contact_kernels_base);
        momenta after = measure_momenta(&k, 1, 2);
        for (int i = 0; i < 3; ++i) {
            assert_near((float)after.linear[i], (float)before.linear[i], 1e-4);
            assert_near((float)after.angular[i], (float)before.angular[i], 2e-4);
        }
        kit_free(&k);
    }
}

static void test_bodies_that_do_not_move_are_never_written(void **state)
{
    (void)state;
    static kit k;
    make_random(&k, 3, SOME_BOUNCE);
    sn_solver_velocity before[4];
    for (int i = 0; i < 4; ++i) {
        rig_set_velocity(&k.rig, i, i == 0 ? none : sn_v(-0.0f, 1.0f, 2.0f), none);
        before[i] = k.rig.solver.velocities[i];
    }
    run_everything(&k, &sn_contact_kernels_base);
    assert_memory_equal(before, k.rig.solver.velocities, sizeof before);
    kit_free(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_base_and_avx2_kernels_give_the_same_bits_on_random_blocks),
        test_with_memory(test_a_contact_alone_gives_the_same_bits_as_among_seven_others),
        test_with_memory(test_a_touching_ball_is_stopped_by_an_impulse_m_v_within_1e_6),
        test_with_memory(test_a_ball_that_leaves_is_not_held),
        test_with_memory(test_a_ball_above_the_floor_keeps_its_motion_to_the_bit_beside_one_that_lands),
        test_with_memory(test_a_ball_in_the_air_may_come_as_near_as_touching_within_1e_5),
        test_with_memory(test_a_penetrating_ball_is_pushed_out_by_the_soft_law_within_1e_5),
        test_with_memory(
            test_a_deep_ball_is_moved_out_with_push_speed_less_what_its_load_explains_within_1e_5),
        test_with_memory(test_a_sliding_ball_is_made_to_roll_by_two_sevenths_of_its_momentum_within_1e_5),
        test_with_memory(test_friction_is_a_disc_of_mu_times_the_normal_impulse_within_1e_5),
        test_with_memory(test_twist_is_limited_by_mu_rho_times_the_normal_impulse_within_1e_5),
        test_with_memory(
            test_rolling_resistance_is_limited_by_its_length_times_the_normal_impulse_within_1e_5),
        test_with_memory(test_a_ball_leaves_with_e_times_its_speed_above_the_threshold_within_1e_5),
        test_with_memory(test_two_bodies_exchange_momentum_without_loss_within_1e_4),
        test_with_memory(test_bodies_that_do_not_move_are_never_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
