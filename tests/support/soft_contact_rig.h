// Contacts of deformables for the solver without a world: nodes and bodies at random, and contacts between
// them. Include after cmocka.h.
#ifndef TESTS_SUPPORT_SOFT_CONTACT_RIG_H
#define TESTS_SUPPORT_SOFT_CONTACT_RIG_H

#include "matter/nodes.h"
#include "solver/contact/soft_contact_block.h"
#include "solver/contact/soft_contact_rows.h"
#include "support/momenta.h"
#include "support/solver_rig.h"

#include <math.h>
#include <string.h>

enum { SOFT_RIG_CONTACTS = 200 };

typedef struct soft_contact_rig {
    solver_rig rigid;
    sn_nodes nodes;
    sn_element_pass pass;
    sn_soft_contact_data data[SOFT_RIG_CONTACTS];
    sn_soft_contact_data *pointers[SOFT_RIG_CONTACTS];
    int body_numbers[16]; // the world's are the solver's
    sn_soft_contacts contacts;
    sn_coupling_stage stage;
    int first_node, node_count;
} soft_contact_rig;

// `bodies` dynamic ones of 1 to 5 kg about the origin, nodes of 10 to 50 g, all moving. The rig must not move
// afterwards.
static inline void soft_rig_make(soft_contact_rig *rig, test_random *random, int bodies, int nodes, float h)
{
    memset(rig, 0, sizeof *rig);
    solver_rig_make(&rig->rigid, 0, bodies, 0, 0, h);
    for (int i = 0; i <= bodies; ++i) {
        rig->body_numbers[i] = i;
    }
    for (int i = 1; i <= bodies; ++i) {
        rig_set_ball(&rig->rigid, i, test_random_float(random, 1.0f, 5.0f), 0.3f);
        rig->rigid.solver.bodies[i].center = test_random_vec3(random, 0.2f);
        rig_put(rig->rigid.solver.velocities[i].linear, test_random_vec3(random, 1.0f));
        rig_put(rig->rigid.solver.velocities[i].angular, test_random_vec3(random, 1.0f));
    }
    rig->first_node = sn_nodes_take(&rig->nodes, nodes);
    rig->node_count = nodes;
    assert_true(rig->first_node > 0);
    for (int i = rig->first_node; i < rig->first_node + nodes; ++i) {
        float mass = test_random_float(random, 0.01f, 0.05f);
        rig->nodes.states.data[i] = (sn_node_state){test_random_vec3(random, 0.5f), 1.0f / mass};
        rig->nodes.masses.data[i] = mass;
        rig->nodes.velocities.data[i].velocity = test_random_vec3(random, 2.0f);
    }
    rig->pass = (sn_element_pass){.nodes = rig->nodes.states.data,
                                  .felt = rig->nodes.states.data,
                                  .velocities = rig->nodes.velocities.data,
                                  .h = h,
                                  .inverse_h = 1.0f / h,
                                  .hard = sn_softness_make(0.25f, 2.0f, h)};
    rig->rigid.solver.nodes.nodes = &rig->nodes;
    rig->rigid.solver.nodes.pass = rig->pass;
    rig->contacts = (sn_soft_contacts){.contacts = rig->pointers,
                                       .body_numbers = rig->body_numbers,
                                       .arena = &rig->rigid.arena,
                                       .tasks = sn_tasks_create(1, NULL)};
    assert_non_null(rig->contacts.tasks);
}

static inline void soft_rig_free(soft_contact_rig *rig)
{
    sn_tasks_destroy(rig->contacts.tasks);
    solver_rig_free(&rig->rigid);
    sn_nodes_release(&rig->nodes);
}

// A contact of `width` random nodes with a body (0: nothing that moves) or, if that is negative, among nodes:
// half of them on either side.
static inline sn_soft_contact_data *soft_rig_add(soft_contact_rig *rig, test_random *random, int width,
                                                 int body)
{
    sn_soft_contact_data *contact = &rig->data[rig->contacts.count];
    rig->pointers[rig->contacts.count++] = contact;
    int own = body < 0 ? width / 2 : width;
    contact->body = body;
    contact->width = width;
    int first = (int)(test_random_u32(random) % (uint32_t)(rig->node_count - width));
    for (int k = 0; k < width; ++k) {
        contact->nodes[k] = rig->first_node + first + k;
        contact->weights[k] = k < own ? 1.0f / (float)own : -1.0f / (float)(width - own);
        float share = k < own ? contact->weights[k] : 0.0f;
        contact->point =
            sn_add_scaled(contact->point, share, rig->nodes.states.data[contact->nodes[k]].position);
    }
    contact->normal = test_random_direction(random);
    contact->separation = test_random_float(random, -0.001f, 0.0005f);
    contact->friction = test_random_float(random, 0.0f, 0.8f);
    contact->normal_impulse = test_random_float(random, 0.0f, 0.01f);
    contact->friction_impulse =
        sn_scale(sn_perpendicular(contact->normal), 0.5f * contact->friction * contact->normal_impulse);
    return contact;
}

// Makes it one that follows a ball around a place of its own.
static inline void soft_rig_follow(soft_contact_rig *rig, test_random *random, sn_soft_contact_data *contact)
{
    (void)rig;
    contact->follows = true;
    contact->reach = 0.1f;
    contact->ball = sn_add_scaled(contact->point, -test_random_float(random, 0.09f, 0.11f), contact->normal);
    contact->side = test_random_u32(random) % 2 == 0 ? 1.0f : -1.0f;
    contact->out = sn_scale(contact->normal, -contact->side);
}

static inline void soft_rig_prepare(soft_contact_rig *rig)
{
    rig->stage = sn_soft_contacts_stage(&rig->contacts);
    assert_true(rig->stage.prepare(rig->stage.data, &rig->rigid.solver, &rig->pass));
    rig->stage.refresh(rig->stage.data, &rig->pass);
}

// One sub-step without motion.
static inline void soft_rig_sub_step(soft_contact_rig *rig)
{
    rig->stage.measure(rig->stage.data, &rig->pass);
    rig->stage.warm_start(rig->stage.data, &rig->pass);
    rig->stage.sweep(rig->stage.data, &rig->pass, true);
    rig->stage.refresh(rig->stage.data, &rig->pass);
    rig->stage.sweep(rig->stage.data, &rig->pass, false);
    rig->stage.finish(rig->stage.data, &rig->pass);
}

static inline test_momenta soft_rig_sum(const soft_contact_rig *rig)
{
    test_momenta sum = {0};
    for (int i = rig->first_node; i < rig->first_node + rig->node_count; ++i) {
        test_momenta_add(&sum, (double)rig->nodes.masses.data[i], rig->nodes.states.data[i].position,
                         rig->nodes.velocities.data[i].velocity);
    }
    for (int i = 1; i < rig->rigid.solver.body_count; ++i) {
        const sn_solver_body *body = &rig->rigid.solver.bodies[i];
        double mass = 1.0 / (double)body->inverse_mass.x;
        test_momenta_add(&sum, mass, body->center, rig_take(rig->rigid.solver.velocities[i].linear));
        sn_vec3 turning = rig_take(rig->rigid.solver.velocities[i].angular);
        test_momenta_add_spin(&sum, rig_inertia(&rig->rigid, i), turning);
    }
    return sum;
}

#endif
