// Contacts of deformables: handing them to the solver, asking for them.
#include "world/core/world.h"

void sn_soft_world_release(sn_soft_world *soft)
{
    sn_array_release(&soft->contacts);
    sn_array_release(&soft->redetected);
    sn_array_release(&soft->broad_pairs);
    sn_array_release(&soft->mid_pairs);
    sn_array_release(&soft->shapes);
}

bool sn_soft_is_current(const sn_world *world, const sn_soft_key *key)
{
    bool soft = (key->other & SN_SOFT_OTHER_DEFORMABLE) != 0;
    int other = (int)(key->other & ~SN_SOFT_OTHER_DEFORMABLE);
    return sn_id_pool_holds(&world->deformable_ids, (int)key->deformable, key->generation) &&
           sn_id_pool_holds(soft ? &world->deformable_ids : &world->shape_ids, other, key->other_generation);
}

bool sn_soft_is_own(const sn_world *world, const sn_soft_contact_data *contact, int k)
{
    const sn_deformable_data *own = &world->deformables.data[contact->key.deformable];
    int node = contact->nodes[k] - own->first_node;
    return node >= 0 && node < own->node_count;
}

// --- into the solver ---------------------------------------------------------------------------------------

// Those whose deformables are awake. One that sleeps and is not woken by what comes near it stays as it is.
static bool is_awake(const sn_world *world, const sn_soft_contact_data *contact)
{
    int other = (int)(contact->key.other & ~SN_SOFT_OTHER_DEFORMABLE);
    return !sn_deformable_sleeps(&world->deformables.data[contact->key.deformable]) &&
           (contact->body >= 0 || !sn_deformable_sleeps(&world->deformables.data[other]));
}

static sn_soft_contacts contacts_of(sn_world *world, sn_soft_contact_data **contacts, int count,
                                    const int *body_numbers)
{
    return (sn_soft_contacts){.contacts = contacts,
                              .count = count,
                              .body_numbers = body_numbers,
                              .arena = &world->arena,
                              .tasks = world->tasks};
}

// Those with bodies first, then those between deformables; returns how many there are of the first.
static int list_awake(sn_world *world, sn_soft_contact_data **awake, int *count)
{
    sn_soft_world *soft = &world->soft;
    int with_bodies = 0;
    *count = 0;
    for (int between = 0; between < 2; ++between) {
        for (int i = 0; i < soft->contacts.count; ++i) {
            sn_soft_contact_data *contact = &soft->contacts.data[i];
            if ((contact->body < 0) == (between == 1) && is_awake(world, contact)) {
                awake[(*count)++] = contact;
            }
        }
        with_bodies = between == 0 ? *count : with_bodies;
    }
    return with_bodies;
}

// One stage for contacts with bodies, another for those between deformables, which may be found again within
// the step.
static void load_rows(sn_world *world, sn_node_solver *nodes)
{
    sn_soft_world *soft = &world->soft;
    if (soft->solver.count > 0) {
        nodes->coupling[nodes->coupling_count++] = sn_soft_contacts_stage(&soft->solver);
    }
    if (soft->between.count > 0 || soft->is_fast) {
        nodes->redetection =
            (sn_redetection){.function = soft->is_fast ? sn_soft_detect_again : NULL, .context = world};
        nodes->coupling[nodes->coupling_count++] = sn_soft_contacts_stage(&soft->between);
    }
}

bool sn_soft_load(sn_world *world, const int *body_numbers, sn_node_solver *nodes)
{
    sn_soft_world *soft = &world->soft;
    sn_soft_contact_data **awake = sn_arena_take(&world->arena, (size_t)soft->contacts.count, sizeof *awake);
    if (awake == NULL) {
        return false;
    }
    int count, with_bodies = list_awake(world, awake, &count);
    soft->solver = contacts_of(world, awake, count, body_numbers);
    soft->is_redetected = false;
    world->last.soft_contact_count = count;
    if (count > 0 && world->def.solver == SN_SOLVER_STAGGERED && world->def.staggered.dummy_nodes) {
        soft->dummies = (sn_dummy_contacts){.contacts = awake, .count = count, .body_numbers = body_numbers};
        nodes->coupling[nodes->coupling_count++] = sn_dummy_contacts_stage(&soft->dummies);
    } else if (count > 0 && sn_has_rigid_modes(nodes)) {
        soft->staggered = (sn_staggered_contacts){.soft = soft->solver};
        nodes->coupling[nodes->coupling_count++] = sn_staggered_contacts_stage(&soft->staggered);
    } else {
        soft->solver.count = with_bodies;
        soft->between = contacts_of(world, awake + with_bodies, count - with_bodies, body_numbers);
        load_rows(world, nodes);
    }
    return true;
}

// Those that were detected again take the places of the others: the two lists change roles.
void sn_soft_unload(sn_world *world)
{
    sn_soft_world *soft = &world->soft;
    if (!soft->is_redetected) {
        return;
    }
    int kept = 0;
    for (int i = 0; i < soft->contacts.count; ++i) {
        const sn_soft_contact_data *contact = &soft->contacts.data[i];
        if (contact->body >= 0 || !is_awake(world, contact)) {
            soft->redetected.data[kept++] = *contact;
        }
    }
    sn_contact_list old = soft->contacts;
    soft->contacts = soft->redetected;
    soft->redetected = old;
    soft->is_redetected = false;
}

// --- asking ------------------------------------------------------------------------------------------------

// A contact as seen from one of its sides; `sign` is −1 from the other one.
static sn_soft_contact seen_from(const sn_world *world, const sn_soft_contact_data *data, float sign)
{
    bool soft = (data->key.other & SN_SOFT_OTHER_DEFORMABLE) != 0;
    int other = (int)(data->key.other & ~SN_SOFT_OTHER_DEFORMABLE);
    sn_soft_contact seen = {.normal = sn_scale(data->normal, sign),
                            .separation = data->separation,
                            .normal_impulse = data->total_normal,
                            .friction_impulse = sn_scale(data->total_friction, sign),
                            .node_count = data->width};
    if (soft) {
        seen.other = sn_deformable_id(world, sign > 0.0f ? other : (int)data->key.deformable);
    } else {
        seen.shape = sn_shape_id(world, other);
        seen.rigid = sn_rigid_id(world, data->body);
    }
    int first = world->deformables.data[data->key.deformable].first_node;
    int other_first = soft ? world->deformables.data[other].first_node : 0;
    for (int k = 0; k < data->width; ++k) {
        seen.nodes[k] = data->nodes[k] - (sn_soft_is_own(world, data, k) ? first : other_first);
        seen.weights[k] = sign * data->weights[k];
        if (seen.weights[k] > 0.0f) {
            seen.position = sn_add_scaled(seen.position, seen.weights[k],
                                          world->nodes.states.data[data->nodes[k]].position);
        }
    }
    return seen;
}

int sn_deformable_contacts(const sn_world *world, sn_deformable deformable, sn_soft_contact *out,
                           int capacity)
{
    const sn_deformable_data *asked = sn_world_deformable(world, deformable);
    if (asked == NULL) {
        return 0;
    }
    uint32_t index = (uint32_t)(asked - world->deformables.data);
    int count = 0;
    for (int i = 0; i < world->soft.contacts.count; ++i) {
        const sn_soft_contact_data *data = &world->soft.contacts.data[i];
        bool is_first = data->key.deformable == index;
        bool is_second = data->key.other == (index | SN_SOFT_OTHER_DEFORMABLE);
        if ((is_first || is_second) && sn_soft_is_current(world, &data->key)) {
            if (out != NULL && count < capacity) {
                out[count] = seen_from(world, data, is_first ? 1.0f : -1.0f);
            }
            ++count;
        }
    }
    return count;
}
