// Bodies and nodes whose motion became non-finite in a step: they are put back to where the step began, and
// those that caused it are frozen there. Others, which became non-finite only through contacts and
// constraints, skip this step and take part in the next.
#include "world/energy/energy_accounts.h"
#include "world/exact/exact_plan.h"

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

// Whether the body's own force is beyond float32, or a constraint on it has non-finite rows.
static bool is_source(const sn_world *world, const sn_body *body)
{
    sn_response response = sn_body_response(body);
    if (!sn_vec3_is_finite(sn_mul(response.inverse_mass, body->force)) ||
        !sn_vec3_is_finite(sn_sym3_apply(response.inverse_inertia, body->torque))) {
        return true;
    }
    for (int edge = body->first_constraint; edge >= 0; edge = sn_next_constraint(world, edge)) {
        sn_row rows[SN_MAX_ROWS];
        if (!rows_are_finite(rows, sn_world_evaluate(world, &world->constraints.data[edge >> 1], rows))) {
            return true;
        }
    }
    return false;
}

// Clears the impulses of this step.
void sn_world_forget_impulses(sn_world *world, int member)
{
    bool is_soft = sn_member_is_soft(member);
    const sn_body *body = is_soft ? NULL : &world->bodies.data[member];
    for (int edge = is_soft ? -1 : body->first_contact; edge >= 0;
         edge = world->contacts.data[edge >> 1].next[edge & 1]) {
        world->contacts.data[edge >> 1].patches.count = 0;
    }
    for (int edge = is_soft ? world->deformables.data[member & ~SN_SOFT_MEMBER].first_constraint
                            : body->first_constraint;
         edge >= 0; edge = sn_next_constraint(world, edge)) {
        sn_constraint_data *constraint = &world->constraints.data[edge >> 1];
        sn_constraint_forget(constraint);
        world->constraint_forces.data[edge >> 1] = constraint->torque = sn_v(0.0f, 0.0f, 0.0f);
    }
    for (int i = 0; i < world->soft.contacts.count; ++i) {
        int members[2];
        sn_soft_contact_data *contact = &world->soft.contacts.data[i];
        if (sn_world_soft_contact_members(world, contact, members) &&
            (members[0] == member || members[1] == member)) {
            contact->normal_impulse = 0.0f;
            contact->friction_impulse = sn_v(0.0f, 0.0f, 0.0f);
        }
    }
}

static void freeze(sn_world *world, sn_body *body)
{
    body->frozen = true;
    body->linear_velocity = body->angular_velocity = sn_v(0.0f, 0.0f, 0.0f);
    body->has_target = false;
    ++world->frozen_count;
    sn_world_forget_exact(world);
}

// --- nodes -------------------------------------------------------------------------------------------------

void sn_world_freeze_node(sn_world *world, sn_deformable_data *data, int node)
{
    sn_nodes *nodes = &world->nodes;
    nodes->velocities.data[node] = (sn_node_velocity){0};
    if (!sn_node_is_sound(nodes, node)) {
        nodes->states.data[node].position = sn_deformable_rest_place(data, node - data->first_node);
    }
    nodes->states.data[node].inverse_mass = 0.0f;
    nodes->has_target.data[node] = 0;
    sn_world_forget_exact(world);
    if (!nodes->frozen.data[node]) {
        nodes->frozen.data[node] = 1;
        ++data->frozen_count;
        ++world->frozen_node_count;
    }
}

static void mend_lanes(void *context, sn_lanes *lanes, const sn_element_memory *memory)
{
    (void)context;
    for (int i = 0; i < SN_LANES; ++i) {
        lanes->lane[i] = sn_is_finite(lanes->lane[i]) ? lanes->lane[i] : memory->fresh;
    }
}

static void mend_values(float *values, size_t size)
{
    for (size_t i = 0; values != NULL && i < size / sizeof *values; ++i) {
        values[i] = sn_is_finite(values[i]) ? values[i] : 0.0f;
    }
}

// Clears non-finite state of rows, of the model and of the integrator; that of the latter two is made of
// floats.
static void mend_memory(const sn_deformable_data *data)
{
    for (int g = 0; g < data->groups.count; ++g) {
        sn_element_group_visit(&data->groups.data[g], mend_lanes, NULL);
    }
    size_t size = 0;
    bool remembers = data->model != NULL && data->model_kind->state != NULL;
    float *values = remembers ? data->model_kind->state(data->model, &size) : NULL;
    mend_values(values, size);
    if (data->integration != NULL) {
        mend_values(data->integration->memory, data->integration->memory_size);
    }
}

// As fast as bodies may be, or files could not hold it.
static void limit_speed(sn_world *world, int node)
{
    sn_vec3 *velocity = &world->nodes.velocities.data[node].velocity;
    if (!sn_is_within(*velocity, SN_MAX_SPEED)) {
        *velocity = sn_scale(*velocity, SN_MAX_SPEED / sn_length(*velocity));
        ++world->last.clamped_count;
    }
}

static void stop_lost_nodes(sn_world *world, int index, const sn_node_solver *solver)
{
    sn_deformable_data *data = &world->deformables.data[index];
    sn_nodes *nodes = &world->nodes;
    bool lost = false;
    for (int i = data->first_node; i < data->first_node + data->node_count; ++i) {
        if (sn_node_is_sound(nodes, i)) {
            limit_speed(world, i);
            continue;
        }
        lost = true;
        nodes->states.data[i].position = solver->starts[i];
        nodes->velocities.data[i].velocity = solver->start_velocities[i];
        if (world->energy_islands == NULL) {
            sn_world_freeze_node(world, data, i);
        }
    }
    if (lost) {
        mend_memory(data);
        sn_energy_note_lost(world, world->energy_islands, sn_soft_member(index));
    }
}

static void mend_constraint(sn_world *world, int index)
{
    sn_constraint_data *data = &world->constraints.data[index];
    sn_vec3 *force = &world->constraint_forces.data[index];
    bool finite = sn_vec3_is_finite(*force) && sn_vec3_is_finite(data->torque);
    for (int i = 0; i < SN_MAX_ROWS; ++i) {
        finite = finite && sn_is_finite(data->impulses[i]) && sn_is_finite(data->references[i]);
    }
    if (!finite) {
        sn_constraint_forget(data);
        *force = data->torque = sn_v(0.0f, 0.0f, 0.0f);
    }
}

// Clears non-finite impulses; what is held exactly has none, only a force.
static void mend_constraints(sn_world *world)
{
    for (int i = 0; i < world->active_constraints.count; ++i) {
        int index = world->active_constraints.data[i];
        if (world->exact->holds.data[index] != SN_CONSTRAINT_EXACT ||
            !sn_vec3_is_finite(world->constraint_forces.data[index])) {
            mend_constraint(world, index);
        }
    }
}

static void mend_soft_contacts(sn_world *world)
{
    for (int i = world->soft.asleep_count; i < world->soft.contacts.count; ++i) {
        sn_soft_contact_data *contact = &world->soft.contacts.data[i];
        if (!sn_is_finite(contact->normal_impulse) || !sn_vec3_is_finite(contact->friction_impulse) ||
            !sn_is_finite(contact->total_normal) || !sn_vec3_is_finite(contact->total_friction) ||
            !sn_is_finite(contact->separation)) {
            contact->normal_impulse = contact->total_normal = contact->separation = 0.0f;
            contact->friction_impulse = contact->total_friction = sn_v(0.0f, 0.0f, 0.0f);
        }
    }
}

// --- all ---------------------------------------------------------------------------------------------------

// Ranges are in the order of deformables.
static void stop_all_lost_nodes(sn_world *world, const sn_node_solver *nodes)
{
    int range = 0;
    for (int i = 0; i < world->deformables.count && range < nodes->range_count; ++i) {
        if (sn_id_pool_in_use(&world->deformable_ids, i) &&
            world->deformables.data[i].first_node == nodes->ranges[range].first) {
            stop_lost_nodes(world, i, nodes);
            ++range;
        }
    }
}

// Nodes are first: constraints are asked where these are. Nodes cannot be the source: those that users write
// are checked before a step begins.
void sn_world_stop_lost(sn_world *world, const int *bodies, int body_count, const sn_node_solver *nodes)
{
    if (nodes->nodes != NULL) {
        stop_all_lost_nodes(world, nodes);
    }
    // If no source is found, islands begin the step anew and slower (energy_balance.c); where islands are not
    // known, all are frozen: otherwise the next step would end the same.
    bool source_known = false;
    for (int i = 0; i < body_count; ++i) {
        source_known = source_known || is_source(world, &world->bodies.data[bodies[i]]);
    }
    for (int i = 0; i < body_count; ++i) {
        sn_body *body = &world->bodies.data[bodies[i]];
        if (is_source(world, body) || (!source_known && world->energy_islands == NULL)) {
            freeze(world, body);
        } else if (!source_known) {
            sn_energy_note_lost(world, world->energy_islands, bodies[i]);
        }
        sn_world_forget_impulses(world, bodies[i]);
        body->force = body->torque = sn_v(0.0f, 0.0f, 0.0f);
    }
}

void sn_world_mend_rows(sn_world *world)
{
    mend_constraints(world);
    mend_soft_contacts(world);
}
