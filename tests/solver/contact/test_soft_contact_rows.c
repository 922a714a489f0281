// Contacts of deformables in the solver: momentum, Coulomb's law, bouncing, blocks that rest, batches of
// heavy bodies, the same bits from both builds, and geometry that has collapsed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/memory.h"
#include "support/soft_contact_rig.h"

static const float h = 1.0f / 840.0f;

// Body 1 becomes so heavy that its contacts are solved in batches. It stands, so that its momentum is rounded
// as little as that of the others.
static void make_heavy(soft_contact_rig *rig)
{
    rig_set_ball(&rig->rigid, 1, 1.0e4f, 0.3f);
    rig_put(rig->rigid.solver.velocities[1].linear, sn_v(0.0f, 0.0f, 0.0f));
    rig_put(rig->rigid.solver.velocities[1].angular, sn_v(0.0f, 0.0f, 0.0f));
}

static int count_heavy(const soft_contact_rig *rig)
{
    const sn_soft_packing *packing = rig->contacts.packing;
    int count = 0;
    for (int b = 0; b < packing->block_count; ++b) {
        count += packing->pass.blocks[b].partner == SN_PARTNER_HEAVY ? 1 : 0;
    }
    return count;
}

// Contacts of all widths with nothing, with their own bodies, with one that has many, and among nodes.
static void fill(soft_contact_rig *rig, test_random *random)
{
    for (int i = 0; i < SOFT_RIG_CONTACTS; ++i) {
        int kind = i % 4, width = 1 + (i / 4) % 3;
        int body = kind == 0 ? 0 : kind == 1 ? 1 : kind == 2 ? 2 + (i / 4) % 3 : -1;
        sn_soft_contact_data *contact = soft_rig_add(rig, random, body < 0 ? 4 : width, body);
        if (body >= 0 && i % 3 == 0) {
            soft_rig_follow(rig, random, contact);
        }
    }
    soft_rig_prepare(rig);
}

// Between deformables the normal leads from point to point. Friction acts on both, a thickness apart, and has
// a torque that nothing but thinner sheets makes smaller: it is left out.
static void face_each_other(const soft_contact_rig *rig, sn_soft_contact_data *contact)
{
    sn_vec3 apart = {0.0f, 0.0f, 0.0f};
    for (int k = 0; k < contact->width; ++k) {
        apart = sn_add_scaled(apart, contact->weights[k], rig->nodes.states.data[contact->nodes[k]].position);
    }
    contact->normal = sn_normalize(apart);
    contact->friction = 0.0f;
    contact->friction_impulse = sn_v(0.0f, 0.0f, 0.0f);
}

static void test_momentum_is_kept(void **state)
{
    (void)state;
    static soft_contact_rig rig;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        test_random random = {seed};
        soft_rig_make(&rig, &random, 4, 120, h);
        if (seed % 2 == 0) {
            make_heavy(&rig);
        }
        for (int i = 0; i < 150; ++i) {
            int body = i % 3 == 0 ? 1 : i % 3 == 1 ? 2 + i % 3 : -1;
            sn_soft_contact_data *contact = soft_rig_add(&rig, &random, body < 0 ? 4 : 1 + i % 3, body);
            if (body > 0 && i % 2 == 0) {
                soft_rig_follow(&rig, &random, contact);
            } else if (body < 0) {
                face_each_other(&rig, contact);
            }
        }
        soft_rig_prepare(&rig);
        assert_true(count_heavy(&rig) > 0 || seed % 2 != 0);
        test_momenta before = soft_rig_sum(&rig);
        for (int i = 0; i < 5; ++i) {
            soft_rig_sub_step(&rig);
        }
        test_momenta after = soft_rig_sum(&rig);
        for (int k = 0; k < 3; ++k) {
            assert_true(fabs(after.linear[k] - before.linear[k]) < 1.0e-5);
            assert_true(fabs(after.angular[k] - before.angular[k]) < 1.0e-5);
        }
        soft_rig_free(&rig);
    }
}

// Relaxing asks for no speed but zero: it takes energy.
static void test_relaxing_makes_no_energy(void **state)
{
    (void)state;
    static soft_contact_rig rig;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        test_random random = {seed};
        soft_rig_make(&rig, &random, 4, 120, h);
        if (seed % 2 == 0) {
            make_heavy(&rig);
        }
        fill(&rig, &random);
        for (int i = 0; i < rig.contacts.count; ++i) {
            rig.data[i].normal_impulse = 0.0f;
            rig.data[i].friction_impulse = sn_v(0.0f, 0.0f, 0.0f);
        }
        soft_rig_prepare(&rig);
        rig.stage.measure(rig.stage.data, &rig.pass);
        double before = soft_rig_sum(&rig).energy;
        for (int i = 0; i < 10; ++i) {
            rig.stage.sweep(rig.stage.data, &rig.pass, false);
            double after = soft_rig_sum(&rig).energy;
            assert_true(after <= before * (1.0 + 1.0e-6));
            before = after;
        }
        soft_rig_free(&rig);
    }
}

static void test_impulses_push_and_obey_coulomb(void **state)
{
    (void)state;
    static soft_contact_rig rig;
    test_random random = {7};
    soft_rig_make(&rig, &random, 4, 120, h);
    fill(&rig, &random);
    soft_rig_sub_step(&rig);
    rig.stage.store(rig.stage.data);
    int pushing = 0;
    for (int i = 0; i < rig.contacts.count; ++i) {
        const sn_soft_contact_data *contact = &rig.data[i];
        assert_true(contact->total_normal >= 0.0f);
        assert_true(sn_length(contact->total_friction) <=
                    contact->friction * contact->total_normal + 1.0e-6f);
        pushing += contact->total_normal > 0.0f ? 1 : 0;
    }
    assert_true(pushing > 50);
    soft_rig_free(&rig);
}

// One node, one body, head on: what they do is in every textbook.
static void meet_head_on(float restitution, float friction, sn_vec3 *node, sn_vec3 *body)
{
    static soft_contact_rig rig;
    test_random random = {3};
    soft_rig_make(&rig, &random, 1, 8, h);
    sn_soft_contact_data *contact = soft_rig_add(&rig, &random, 1, 1);
    int which = contact->nodes[0];
    rig.nodes.states.data[which].inverse_mass = 2.0f;
    rig_set_ball(&rig.rigid, 1, 1.5f, 0.3f);
    rig.rigid.solver.bodies[1].center = sn_v(0.0f, 0.0f, 0.0f);
    rig.nodes.states.data[which].position = contact->point = sn_v(0.0f, 0.3f, 0.0f);
    rig.nodes.velocities.data[which].velocity = sn_v(0.1f, -3.0f, 0.0f);
    rig_put(rig.rigid.solver.velocities[1].linear, sn_v(0.0f, 0.0f, 0.0f));
    rig_put(rig.rigid.solver.velocities[1].angular, sn_v(0.0f, 0.0f, 0.0f));
    contact->normal = sn_v(0.0f, 1.0f, 0.0f);
    contact->separation = 0.0f;
    contact->restitution = restitution;
    contact->friction = friction;
    contact->normal_impulse = 0.0f;
    contact->friction_impulse = sn_v(0.0f, 0.0f, 0.0f);
    soft_rig_prepare(&rig);
    soft_rig_sub_step(&rig);
    *node = rig.nodes.velocities.data[which].velocity;
    *body = rig_take(rig.rigid.solver.velocities[1].linear);
    soft_rig_free(&rig);
}

static void test_a_node_meets_a_body_head_on(void **state)
{
    (void)state;
    sn_vec3 node, body;
    meet_head_on(0.0f, 0.0f, &node, &body);
    // 0.5 kg at −3 m/s and 1.5 kg at rest.
    assert_true(sn_abs(node.y + 0.75f) < 1.0e-5f && sn_abs(body.y + 0.75f) < 1.0e-5f);
    assert_true(sn_abs(node.x - 0.1f) < 1.0e-6f);
    meet_head_on(1.0f, 0.0f, &node, &body);
    assert_true(sn_abs(node.y - 1.5f) < 1.0e-5f && sn_abs(body.y + 1.5f) < 1.0e-5f);
    meet_head_on(0.0f, 0.5f, &node, &body);
    assert_true(node.x < 0.1f && node.x > 0.0f);
}

static void test_far_contacts_rest_until_something_comes(void **state)
{
    (void)state;
    static soft_contact_rig rig;
    test_random random = {5};
    soft_rig_make(&rig, &random, 0, 20, h);
    sn_soft_contact_data *contact = soft_rig_add(&rig, &random, 1, 0);
    contact->separation = 0.05f;
    contact->normal_impulse = 0.0f;
    contact->friction_impulse = sn_v(0.0f, 0.0f, 0.0f);
    soft_rig_prepare(&rig);
    soft_rig_sub_step(&rig);
    assert_true(rig.contacts.packing->pass.rests[0]);
    // Fast enough to get there within the sub-step.
    sn_vec3 *velocity = &rig.nodes.velocities.data[contact->nodes[0]].velocity;
    *velocity = sn_scale(contact->normal, -100.0f);
    soft_rig_sub_step(&rig);
    assert_false(rig.contacts.packing->pass.rests[0]);
    assert_true(sn_abs(sn_dot(*velocity, contact->normal) + 0.05f / h) < 1.0e-3f / h);
    soft_rig_free(&rig);
}

// A far contact that rests, and something fast elsewhere, which might push its node along.
static void test_what_is_fast_wakes_others(void **state)
{
    (void)state;
    static soft_contact_rig rig;
    test_random random = {6};
    soft_rig_make(&rig, &random, 1, 20, h);
    for (int i = 0; i < 2; ++i) {
        sn_soft_contact_data *contact = soft_rig_add(&rig, &random, 1, i);
        contact->nodes[0] = rig.first_node + i;
        contact->separation = i == 0 ? 0.002f : 1.0f;
        contact->normal_impulse = 0.0f;
        contact->friction_impulse = sn_v(0.0f, 0.0f, 0.0f);
        rig.nodes.velocities.data[contact->nodes[0]].velocity = sn_v(0.0f, 0.0f, 0.0f);
    }
    soft_rig_prepare(&rig);
    assert_int_equal(rig.contacts.packing->block_count, 2);
    rig_put(rig.rigid.solver.velocities[1].linear, sn_v(0.0f, 0.0f, 0.0f));
    rig_put(rig.rigid.solver.velocities[1].angular, sn_v(0.0f, 0.0f, 0.0f));
    soft_rig_sub_step(&rig);
    soft_rig_sub_step(&rig);
    assert_true(rig.contacts.packing->pass.rests[0]);
    rig_put(rig.rigid.solver.velocities[1].linear, sn_scale(rig.data[1].normal, 3.0f));
    soft_rig_sub_step(&rig);
    soft_rig_sub_step(&rig);
    assert_false(rig.contacts.packing->pass.rests[0]);
    soft_rig_free(&rig);
}

// Every other contact is far: they fill blocks of their own, which rest.
static void test_contacts_that_do_not_act_lie_together(void **state)
{
    (void)state;
    static soft_contact_rig rig;
    test_random random = {8};
    soft_rig_make(&rig, &random, 0, 64, h);
    for (int i = 0; i < 64; ++i) {
        sn_soft_contact_data *contact = soft_rig_add(&rig, &random, 1, 0);
        contact->nodes[0] = rig.first_node + i;
        contact->closes = i % 2 == 0;
        contact->separation = contact->closes ? 0.0f : 0.05f;
        contact->normal_impulse = 0.0f;
        contact->friction_impulse = sn_v(0.0f, 0.0f, 0.0f);
        rig.nodes.velocities.data[contact->nodes[0]].velocity = sn_v(0.0f, 0.0f, 0.0f);
    }
    soft_rig_prepare(&rig);
    soft_rig_sub_step(&rig);
    assert_int_equal(rig.contacts.packing->block_count, 8);
    for (int b = 0; b < 8; ++b) {
        assert_int_equal(rig.contacts.packing->pass.rests[b], b >= 4);
    }
    soft_rig_free(&rig);
}

// Two nodes with a hundred contacts each, more than a mask of colours has bits: no lane is left empty beyond
// those, and no block has a node twice.
static void test_crowded_nodes_share_blocks(void **state)
{
    (void)state;
    static soft_contact_rig rig;
    test_random random = {9};
    soft_rig_make(&rig, &random, 0, 2, h);
    for (int i = 0; i < 200; ++i) {
        soft_rig_add(&rig, &random, 1, 0)->nodes[0] = rig.first_node + i % 2;
    }
    soft_rig_prepare(&rig);
    assert_int_equal(rig.contacts.packing->block_count, 100);
    assert_int_equal(rig.contacts.packing->color_count, 100);
    for (int b = 0; b < 100; ++b) {
        const int32_t *nodes = rig.contacts.packing->pass.blocks[b].node[0];
        assert_int_not_equal(nodes[0], nodes[1]);
    }
    soft_rig_free(&rig);
}

// What batches leave differs little from what blocks one by one leave: all see nearly the same body.
static void test_batches_are_as_good_as_blocks_one_by_one(void **state)
{
    (void)state;
    static soft_contact_rig rig;
    sn_vec3 velocities[2];
    for (int k = 0; k < 2; ++k) {
        test_random random = {10};
        soft_rig_make(&rig, &random, 1, 120, h);
        make_heavy(&rig);
        for (int i = 0; i < 100; ++i) {
            sn_soft_contact_data *contact = soft_rig_add(&rig, &random, 1, 1);
            contact->nodes[0] = rig.first_node + i;
        }
        soft_rig_prepare(&rig);
        assert_int_equal(count_heavy(&rig), 13);
        for (int b = 0; b < 13 && k == 1; ++b) {
            rig.contacts.packing->pass.blocks[b].partner = SN_PARTNER_SHARED;
        }
        soft_rig_sub_step(&rig);
        velocities[k] = rig_take(rig.rigid.solver.velocities[1].linear);
        soft_rig_free(&rig);
    }
    sn_vec3 difference = sn_sub(velocities[0], velocities[1]);
    assert_true(sn_length(velocities[1]) > 0.0f);
    assert_true(sn_length(difference) < 1.0e-3f * sn_length(velocities[1]));
}

static void run_all(const sn_soft_kernels *kernels, sn_soft_packing *packing)
{
    const sn_soft_kernel order[] = {kernels->refresh, kernels->measure, kernels->warm_start, kernels->solve,
                                    kernels->refresh, kernels->solve,   kernels->finish};
    for (size_t i = 0; i < sizeof order / sizeof *order; ++i) {
        packing->pass.use_bias = i == 3;
        order[i](&packing->pass, 0, packing->block_count);
    }
}

// Where there is no AVX2 the two are the same.
static void test_both_builds_give_the_same_bits(void **state)
{
    (void)state;
    static soft_contact_rig a, b;
    for (uint64_t seed = 1; seed <= 10; ++seed) {
        soft_contact_rig *rigs[2] = {&a, &b};
        for (int k = 0; k < 2; ++k) {
            test_random random = {seed};
            soft_rig_make(rigs[k], &random, 4, 120, h);
            if (seed % 3 == 0) {
                make_heavy(rigs[k]);
            }
            fill(rigs[k], &random);
            rigs[k]->pass.backwards = seed % 2 == 0;
            run_all(k == 0 ? &sn_soft_kernels_base : sn_soft_kernels_pick(), rigs[k]->contacts.packing);
        }
        const sn_soft_packing *first = a.contacts.packing, *second = b.contacts.packing;
        assert_int_equal(first->block_count, second->block_count);
        assert_memory_equal(first->pass.blocks, second->pass.blocks,
                            (size_t)first->block_count * sizeof(sn_soft_block));
        assert_memory_equal(a.nodes.velocities.data, b.nodes.velocities.data,
                            (size_t)a.nodes.velocities.count * sizeof *a.nodes.velocities.data);
        assert_memory_equal(a.rigid.solver.velocities, b.rigid.solver.velocities,
                            (size_t)a.rigid.solver.body_count * sizeof *a.rigid.solver.velocities);
        soft_rig_free(&a);
        soft_rig_free(&b);
    }
}

// Nodes in one place, edges without length, faces without area, a ball on top of its node, nothing that can
// move: all of it stays numbers.
static void test_collapsed_geometry_stays_numbers(void **state)
{
    (void)state;
    static soft_contact_rig rig;
    for (int kind = 0; kind < 4; ++kind) {
        test_random random = {(uint64_t)kind + 1};
        soft_rig_make(&rig, &random, 2, 60, h);
        for (int i = 0; i < 60; ++i) {
            int width = 1 + i % 3;
            sn_soft_contact_data *contact = soft_rig_add(&rig, &random, width, i % 3);
            soft_rig_follow(&rig, &random, contact);
            contact->ball = kind == 1 ? rig.nodes.states.data[contact->nodes[0]].position : contact->ball;
        }
        for (int i = rig.first_node; i < rig.first_node + rig.node_count; ++i) {
            sn_node_state *node = &rig.nodes.states.data[i];
            node->position = kind == 0   ? sn_v(0.1f, 0.2f, 0.3f)
                             : kind == 2 ? sn_v(node->position.x, 0.0f, 0.0f)
                                         : node->position;
            node->inverse_mass = kind == 3 ? 0.0f : node->inverse_mass;
        }
        soft_rig_prepare(&rig);
        for (int i = 0; i < 3; ++i) {
            soft_rig_sub_step(&rig);
        }
        rig.stage.store(rig.stage.data);
        for (int i = rig.first_node; i < rig.first_node + rig.node_count; ++i) {
            assert_true(sn_vec3_is_finite(rig.nodes.velocities.data[i].velocity));
        }
        for (int i = 0; i < rig.contacts.count; ++i) {
            assert_true(sn_vec3_is_finite(rig.data[i].normal) && sn_is_finite(rig.data[i].separation));
            assert_true(sn_is_finite(rig.data[i].total_normal) &&
                        sn_vec3_is_finite(rig.data[i].total_friction));
        }
        soft_rig_free(&rig);
    }
}

// A ball rolls over the edge between two faces within the sub-steps: first the one carries it, then the
// other.
static void test_a_contact_follows_its_ball_to_another_face(void **state)
{
    (void)state;
    static soft_contact_rig rig;
    test_random random = {9};
    soft_rig_make(&rig, &random, 1, 8, h);
    const sn_vec3 places[4] = {
        {-0.5f, 0.0f, 0.0f}, {0.0f, 0.0f, -0.5f}, {0.0f, 0.0f, 0.5f}, {0.5f, 0.0f, 0.0f}};
    const int faces[2][3] = {{0, 2, 1}, {3, 1, 2}};
    for (int i = 0; i < 4; ++i) {
        rig.nodes.states.data[rig.first_node + i].position = places[i];
    }
    for (int f = 0; f < 2; ++f) {
        sn_soft_contact_data *contact = soft_rig_add(&rig, &random, 3, 1);
        for (int k = 0; k < 3; ++k) {
            contact->nodes[k] = rig.first_node + faces[f][k];
        }
        contact->follows = true;
        contact->side = 1.0f;
        contact->reach = 0.1f;
        contact->ball = rig.rigid.solver.bodies[1].center = sn_v(-0.1f, 0.1f, 0.0f);
        contact->normal = sn_v(0.0f, -1.0f, 0.0f);
    }
    soft_rig_prepare(&rig);
    for (int turn = 0; turn < 2; ++turn) {
        rig_put(rig.rigid.solver.shifts[1].moved, sn_v(turn == 0 ? 0.0f : 0.2f, 0.0f, 0.0f));
        rig.stage.refresh(rig.stage.data, &rig.pass);
        float separations[2] = {0.0f, 0.0f};
        const sn_soft_packing *packing = rig.contacts.packing;
        for (int b = 0; b < packing->block_count; ++b) {
            const sn_soft_block *block = &packing->pass.blocks[b];
            for (int lane = 0; lane < SN_LANES && block->input[lane] >= 0; ++lane) {
                separations[block->input[lane]] = block->separation.lane[lane];
            }
        }
        assert_true(sn_abs(separations[turn]) < 1.0e-6f);
        assert_true(separations[1 - turn] > 1000.0f);
    }
    soft_rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_memory(test_momentum_is_kept),
        test_with_memory(test_relaxing_makes_no_energy),
        test_with_memory(test_impulses_push_and_obey_coulomb),
        test_with_memory(test_a_node_meets_a_body_head_on),
        test_with_memory(test_far_contacts_rest_until_something_comes),
        test_with_memory(test_what_is_fast_wakes_others),
        test_with_memory(test_contacts_that_do_not_act_lie_together),
        test_with_memory(test_crowded_nodes_share_blocks),
        test_with_memory(test_batches_are_as_good_as_blocks_one_by_one),
        test_with_memory(test_both_builds_give_the_same_bits),
        test_with_memory(test_collapsed_geometry_stays_numbers),
        test_with_memory(test_a_contact_follows_its_ball_to_another_face),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
