// What becomes of bodies whose motion came out of a step as no number: they never left where they were when
// it began, and those that brought it on themselves are frozen there. Whatever touches or is tied to such a
// body catches it within the step without any fault; it sits the step out and goes on with the next.
#include "world/world.h"

#include <string.h>

static bool rows_are_finite(const sn_row *rows, int count)
{
    for (int i = 0; i < count; ++i) {
        bool finite = sn_is_finite(rows[i].value) && sn_is_finite(rows[i].target_speed) &&
                      sn_is_finite(rows[i].compliance) && sn_is_finite(rows[i].damping);
        for (int k = 0; k < 2; ++k) {
            finite = finite && sn_vec3_is_finite(rows[i].linear[k]) && sn_vec3_is_finite(rows[i].angular[k]);
        }
        if (!finite) {
            return false;
        }
    }
    return true;
}

// Whether the body's own force is beyond floats, or a constraint on it has rows that are no numbers.
static bool is_source(const sn_world *world, const sn_body *body)
{
    sn_response response = sn_body_response(body);
    if (!sn_vec3_is_finite(sn_mul(response.inverse_mass, body->force)) ||
        !sn_vec3_is_finite(sn_sym3_apply(response.inverse_inertia, body->torque))) {
        return true;
    }
    for (int edge = body->first_constraint; edge >= 0;
         edge = world->constraints.data[edge >> 1].next[edge & 1]) {
        sn_row rows[SN_MAX_ROWS];
        if (!rows_are_finite(rows, sn_world_evaluate(world, &world->constraints.data[edge >> 1], rows))) {
            return true;
        }
    }
    return false;
}

// Impulses found in this step are no numbers either: nothing of them may be kept.
static void forget_impulses(sn_world *world, const sn_body *body)
{
    for (int edge = body->first_contact; edge >= 0; edge = world->contacts.data[edge >> 1].next[edge & 1]) {
        world->contacts.data[edge >> 1].patches.count = 0;
    }
    for (int edge = body->first_constraint; edge >= 0;
         edge = world->constraints.data[edge >> 1].next[edge & 1]) {
        sn_constraint_data *constraint = &world->constraints.data[edge >> 1];
        memset(constraint->impulses, 0, sizeof constraint->impulses);
        constraint->force = constraint->torque = sn_v(0.0f, 0.0f, 0.0f);
    }
}

static void freeze(sn_world *world, sn_body *body)
{
    body->frozen = true;
    body->linear_velocity = body->angular_velocity = sn_v(0.0f, 0.0f, 0.0f);
    body->has_target = false;
    ++world->frozen_count;
}

void sn_world_stop_lost_bodies(sn_world *world, const int *bodies, int count)
{
    bool source_known = false;
    for (int i = 0; i < count; ++i) {
        source_known = source_known || is_source(world, &world->bodies.data[bodies[i]]);
    }
    for (int i = 0; i < count; ++i) {
        sn_body *body = &world->bodies.data[bodies[i]];
        // Where none can be told apart, all are taken for the source: otherwise the next step would end
        // alike.
        if (!source_known || is_source(world, body)) {
            freeze(world, body);
        }
        forget_impulses(world, body);
        body->force = body->torque = sn_v(0.0f, 0.0f, 0.0f);
    }
}
