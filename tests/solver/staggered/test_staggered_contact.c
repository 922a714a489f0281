// Contacts with rigid-mode correction: both momenta, no energy, one contact solved by one sweep,
// and how much is kept.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solver/staggered/staggered_contact.h"
#include "solver/staggered/staggered_rigid_mode.h"
#include "support/soft_contact_rig.h"

static const float h = 0.02f;
enum { NODES = 120, HALF = NODES / 2 };

typedef struct rigid_mode_rig {
    soft_contact_rig soft;
    sn_node_range ranges[2];
    sn_staggered_contacts contacts;
    sn_coupling_stage stage;
} rigid_mode_rig;

// Two deformables of half of the nodes each, held by `first` and `second`.
static void make_rig(rigid_mode_rig *rig, test_random *random, float first, float second)
{
    soft_rig_make(&rig->soft, random, 4, NODES, h);
    rig->soft.rigid.solver.settings.type = SN_SOLVER_STAGGERED;
    rig->soft.rigid.solver.settings.staggered = (sn_staggered){2, 2, 0.1f, 1.0f, false};
    rig->soft.rigid.solver.settings.laws = sn_laws_of(&rig->soft.rigid.solver.settings);
    int node = rig->soft.first_node;
    rig->ranges[0] = (sn_node_range){.first = node, .count = HALF, .rigid_share = first};
    rig->ranges[1] = (sn_node_range){.first = node + HALF, .count = HALF, .rigid_share = second};
    rig->soft.rigid.solver.nodes.ranges = rig->ranges;
    rig->soft.rigid.solver.nodes.range_count = 2;
    rig->soft.rigid.solver.nodes.arena = &rig->soft.rigid.arena;
    rig->soft.rigid.solver.nodes.shared_motion = NULL;
}

static void prepare(rigid_mode_rig *rig)
{
    assert_true(sn_rigid_modes_begin(&rig->soft.rigid.solver.nodes));
    assert_non_null(rig->soft.rigid.solver.nodes.shared_motion);
    rig->contacts = (sn_staggered_contacts){.soft = rig->soft.contacts};
    rig->stage = sn_staggered_contacts_stage(&rig->contacts);
    assert_true(rig->stage.prepare(rig->stage.data, &rig->soft.rigid.solver, &rig->soft.pass));
    rig->stage.refresh(rig->stage.data, &rig->soft.pass);
    rig->stage.measure(rig->stage.data, &rig->soft.pass);
}

static sn_vec3 speed_of(const rigid_mode_rig *rig, const sn_soft_contact_data *contact)
{
    sn_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int k = 0; k < contact->width; ++k) {
        sum = sn_add_scaled(sum, contact->weights[k],
                            rig->soft.nodes.velocities.data[contact->nodes[k]].velocity);
    }
    return sum;
}

// Among nodes normals lead from point to point, and there is no friction: it would act a gap apart.
static void add_contacts(rigid_mode_rig *rig, test_random *random)
{
    for (int i = 0; i < 100; ++i) {
        int body = i % 3 == 0 ? 1 : i % 3 == 1 ? 2 + i % 2 : -1;
        sn_soft_contact_data *contact = soft_rig_add(&rig->soft, random, body < 0 ? 4 : 1 + i % 3, body);
        if (body < 0) {
            sn_vec3 apart = {0.0f, 0.0f, 0.0f};
            for (int k = 0; k < contact->width; ++k) {
                apart = sn_add_scaled(apart, contact->weights[k],
                                      rig->soft.nodes.states.data[contact->nodes[k]].position);
            }
            contact->normal = sn_normalize(apart);
            contact->friction = 0.0f;
            contact->friction_impulse = sn_v(0.0f, 0.0f, 0.0f);
        }
    }
}

static void test_both_momenta_are_kept(void **state)
{
    (void)state;
    static rigid_mode_rig rig;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        test_random random = {seed};
        make_rig(&rig, &random, 0.97f, seed % 2 == 0 ? 0.5f : 0.0f);
        add_contacts(&rig, &random);
        prepare(&rig);
        test_momenta before = soft_rig_sum(&rig.soft);
        rig.stage.warm_start(rig.stage.data, &rig.soft.pass);
        for (int i = 0; i < 4; ++i) {
            rig.soft.pass.backwards = i % 2 != 0;
            rig.stage.sweep(rig.stage.data, &rig.soft.pass, true);
        }
        test_momenta after = soft_rig_sum(&rig.soft);
        for (int k = 0; k < 3; ++k) {
            assert_float_equal(after.linear[k], before.linear[k], 2.0e-5);
            assert_float_equal(after.angular[k], before.angular[k], 2.0e-5);
        }
        soft_rig_free(&rig.soft);
    }
}

// On a floor: what comes down on three nodes stops there, and all of its body hears of it.
static void test_one_sweep_stops_a_body_where_it_is_touched(void **state)
{
    (void)state;
    static rigid_mode_rig rig;
    test_random random = {3};
    make_rig(&rig, &random, 0.97f, 0.97f);
    for (int i = 0; i < NODES; ++i) {
        rig.soft.nodes.velocities.data[rig.soft.first_node + i].velocity = sn_v(0.0f, -1.0f, 0.0f);
    }
    sn_soft_contact_data *contact = soft_rig_add(&rig.soft, &random, 3, 0);
    *contact =
        (sn_soft_contact_data){.width = 3, .normal = {0.0f, 1.0f, 0.0f}, .weights = {0.2f, 0.3f, 0.5f}};
    for (int k = 0; k < 3; ++k) {
        contact->nodes[k] = rig.soft.first_node + 5 * k;
    }
    prepare(&rig);
    double before = soft_rig_sum(&rig.soft).linear[1];
    rig.stage.sweep(rig.stage.data, &rig.soft.pass, true);
    assert_float_equal((double)speed_of(&rig, contact).y, 0.0, 1.0e-5);
    rig.stage.finish(rig.stage.data, &rig.soft.pass);
    rig.stage.store(rig.stage.data);
    double push = (double)contact->total_normal;
    assert_float_equal(soft_rig_sum(&rig.soft).linear[1] - before, push, 1.0e-5);
    // Far more than what the three nodes weigh, no more than what all of it does.
    assert_true(push > 0.2 && push < 0.05 * HALF);
    assert_true(rig.soft.nodes.velocities.data[rig.soft.first_node + 1].velocity.y != -1.0f);
    assert_true(rig.soft.nodes.velocities.data[rig.soft.first_node + HALF].velocity.y == -1.0f);
    soft_rig_free(&rig.soft);
}

// Half of what is kept of nodes by themselves, up to all of it as they are held together.
static void test_impulses_of_what_is_held_are_kept(void **state)
{
    (void)state;
    static const float helds[] = {0.5f, 0.97f};
    for (int i = 0; i < 2; ++i) {
        static rigid_mode_rig rig;
        test_random random = {4};
        make_rig(&rig, &random, helds[i], 0.0f);
        sn_soft_contact_data *contact = soft_rig_add(&rig.soft, &random, 1, 0);
        contact->nodes[0] = rig.soft.first_node;
        contact->normal_impulse = 0.02f;
        contact->friction_impulse = sn_v(0.0f, 0.0f, 0.0f);
        prepare(&rig);
        test_momenta before = soft_rig_sum(&rig.soft);
        rig.stage.warm_start(rig.stage.data, &rig.soft.pass);
        test_momenta after = soft_rig_sum(&rig.soft);
        double kept = 0.5 * (1.0 + (double)helds[i]) * 0.02;
        assert_float_equal(after.linear[0] - before.linear[0], kept * (double)contact->normal.x, 1.0e-6);
        assert_float_equal(after.linear[1] - before.linear[1], kept * (double)contact->normal.y, 1.0e-6);
        soft_rig_free(&rig.soft);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_momenta_are_kept),
        cmocka_unit_test(test_one_sweep_stops_a_body_where_it_is_touched),
        cmocka_unit_test(test_impulses_of_what_is_held_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
