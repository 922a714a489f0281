// Contacts of deformables in the world: hands the world's state to detection (collision/soft), the contacts
// found to the solver, and answers questions about them.
// Tested by tests/world/deformables/test_soft_redetection.c.
#include "world/exact/exact_plan.h"

bool sn_soft_is_current(const sn_world *world, const sn_soft_key *key)
{
    return sn_soft_key_is_current(key, &world->deformable_ids, &world->shape_ids);
}

bool sn_soft_is_own(const sn_world *world, const sn_soft_contact_data *contact, int k)
{
    const sn_deformable_data *own = &world->deformables.data[contact->key.deformable];
    int node = contact->nodes[k] - own->first_node;
    return node >= 0 && node < own->node_count;
}

// --- detection ---------------------------------------------------------------------------------------------

static sn_soft_exclusions exclusions_of(const sn_exact_plan *plan)
{
    return (sn_soft_exclusions){.list = plan->exclusions.data,
                                .first = plan->exclusion_of.data,
                                .node_count = plan->exclusion_of.count,
                                .sliding_bodies = plan->sliding_bodies.data,
                                .sliding_body_count = plan->sliding_bodies.count};
}

bool sn_soft_describe(sn_world *world, float duration, sn_soft_scene *scene)
{
    int count = world->deformables.count;
    sn_soft_collider *colliders = sn_arena_take(&world->arena, (size_t)count, sizeof *colliders);
    *scene = (sn_soft_scene){.nodes = &world->nodes,
                             .colliders = colliders,
                             .collider_count = count,
                             .bodies = world->bodies.data,
                             .shapes = world->shapes.data,
                             .static_tree = &world->static_tree,
                             .moving_tree = &world->moving_tree,
                             .deformable_ids = &world->deformable_ids,
                             .shape_ids = &world->shape_ids,
                             .exclusions = exclusions_of(world->exact),
                             .gravity = world->def.gravity,
                             .margin = world->def.speculative_margin,
                             .duration = duration,
                             .may_be_halved =
                                 world->def.solver != SN_SOLVER_STAGGERED && world->def.sub_steps != 1,
                             .notes_near = sn_world_is_guarded(world),
                             .tasks = world->tasks,
                             .arena = &world->arena};
    for (int i = 0; colliders != NULL && i < count; ++i) {
        sn_deformable_data *data = &world->deformables.data[i];
        bool collides = sn_id_pool_in_use(&world->deformable_ids, i) && data->surface.face_count > 0;
        colliders[i] = (sn_soft_collider){.def = &data->def,
                                          .surface = collides ? &data->surface : NULL,
                                          .first_node = data->first_node,
                                          .node_count = data->node_count,
                                          .sleeps = sn_deformable_sleeps(data),
                                          .jumps = sn_world_nodes_before_recovery(world, data) != NULL};
    }
    return colliders != NULL;
}

bool sn_world_any_deformable_moves(const sn_world *world)
{
    for (int i = 0; i < world->deformables.count; ++i) {
        if (sn_id_pool_in_use(&world->deformable_ids, i) &&
            !sn_deformable_sleeps(&world->deformables.data[i])) {
            return true;
        }
    }
    return false;
}

bool sn_stage_soft(sn_world *world, float duration)
{
    sn_soft_detector *soft = &world->soft;
    soft->is_idle = world->awake_bodies.count == 0 && soft->asleep_count == soft->contacts.count &&
                    !sn_world_any_deformable_moves(world);
    if (soft->is_idle) {
        soft->is_replaced = soft->is_fast = false;
        soft->left_out = 0;
        return true;
    }
    if (world->deformable_ids.used == 0) {
        world->soft.contacts.count = world->soft.asleep_count = world->soft.left_out = 0;
        return true;
    }
    sn_soft_scene scene;
    return sn_soft_describe(world, duration, &scene) && sn_soft_detect(&scene, &world->soft);
}

// Whether its deformables are of the class that is being solved.
static bool is_solved(const sn_world *world, const sn_soft_contact_data *contact)
{
    int other = sn_soft_key_other(&contact->key);
    return sn_world_is_solved(world, sn_soft_member((int)contact->key.deformable)) &&
           (contact->body >= 0 || sn_world_is_solved(world, sn_soft_member(other)));
}

// Detects contacts between deformables again into `again`. What sleeps is not pushed: it does not move within
// this step, and wakes when the next one begins. False without memory.
static bool detect_again(const sn_soft_rows *rows, float duration, sn_soft_contacts *again)
{
    sn_world *world = rows->world;
    sn_soft_detector *soft = &world->soft;
    int kept = soft->contacts.count - rows->between.count; // see sn_soft_unload
    sn_soft_scene scene;
    if (!sn_soft_describe(world, duration, &scene) || !sn_soft_redetect(&scene, soft, kept)) {
        return false;
    }
    int found = soft->redetected.count - kept;
    again->count = 0;
    again->contacts = sn_arena_take(&world->arena, (size_t)found, sizeof *again->contacts);
    for (int i = kept; again->contacts != NULL && i < soft->redetected.count; ++i) {
        if (is_solved(world, &soft->redetected.data[i])) {
            again->contacts[again->count++] = &soft->redetected.data[i];
        }
    }
    return again->contacts != NULL;
}

// Stage of the solver's schedule: new contacts for what is left of the step, which go on with the impulses so
// far. Old rows are given up once the new ones are ready; without memory contacts and rows stay as they are.
static void redetect(void *context, struct sn_solver *solver, const sn_element_pass *pass, float duration)
{
    sn_soft_rows *rows = context;
    sn_soft_contacts *between = &rows->between, again = *between;
    sn_coupling_stage stage = sn_soft_contacts_stage(between);
    stage.store(between);
    if (detect_again(rows, duration, &again) && stage.prepare(&again, solver, pass)) {
        *between = again;
        rows->is_redetected = true;
        stage.refresh(between, pass);
    }
}

// --- into the solver ---------------------------------------------------------------------------------------

static sn_soft_contacts contacts_of(sn_world *world, sn_soft_contact_data **contacts, int count,
                                    const int *body_numbers)
{
    return (sn_soft_contacts){.contacts = contacts,
                              .count = count,
                              .body_numbers = body_numbers,
                              .arena = &world->arena,
                              .tasks = world->tasks};
}

sn_vec3 sn_soft_surface_velocity(const sn_world *world, const sn_soft_contact_data *contact)
{
    if (contact->body < 0) {
        return sn_v(0.0f, 0.0f, 0.0f);
    }
    const sn_shape_data *shape = &world->shapes.data[sn_soft_key_other(&contact->key)];
    return sn_rotate(world->bodies.data[contact->body].rotation, shape->surface_velocity);
}

// Those with bodies first, then those between deformables; returns how many are with bodies.
static int list_solved(const sn_world *world, sn_soft_contact_data **solved, int *count)
{
    const sn_soft_detector *soft = &world->soft;
    int with_bodies = 0;
    *count = 0;
    for (int between = 0; between < 2; ++between) {
        for (int i = soft->asleep_count; i < soft->contacts.count; ++i) {
            sn_soft_contact_data *contact = &soft->contacts.data[i];
            if ((contact->body < 0) == (between == 1) && is_solved(world, contact)) {
                contact->surface_velocity = sn_soft_surface_velocity(world, contact);
                solved[(*count)++] = contact;
            }
        }
        with_bodies = between == 0 ? *count : with_bodies;
    }
    return with_bodies;
}

// One stage for contacts with bodies, another for those between deformables, which may be detected again
// within the step.
static void load_rows(const sn_world *world, sn_soft_rows *rows, sn_node_solver *nodes)
{
    bool is_fast = world->soft.is_fast && world->classes.current == world->classes.shared;
    if (rows->with_bodies.count > 0) {
        nodes->coupling[nodes->coupling_count++] = sn_soft_contacts_stage(&rows->with_bodies);
    }
    if (rows->between.count > 0 || is_fast) {
        nodes->redetection = (sn_redetection){.function = is_fast ? redetect : NULL, .context = rows};
        nodes->coupling[nodes->coupling_count++] = sn_soft_contacts_stage(&rows->between);
    }
}

bool sn_soft_load(sn_world *world, const int *body_numbers, sn_soft_rows *rows, sn_node_solver *nodes)
{
    *rows = (sn_soft_rows){.world = world};
    sn_soft_contact_data **solved =
        sn_arena_take(&world->arena, (size_t)world->soft.contacts.count, sizeof *solved);
    if (solved == NULL) {
        return false;
    }
    int count, with_bodies = list_solved(world, solved, &count);
    rows->with_bodies = contacts_of(world, solved, count, body_numbers);
    world->last.soft_contact_count += count;
    if (count > 0 && world->def.solver == SN_SOLVER_STAGGERED && world->def.staggered.dummy_nodes) {
        rows->dummies = (sn_dummy_contacts){.contacts = solved, .count = count, .body_numbers = body_numbers};
        nodes->coupling[nodes->coupling_count++] = sn_dummy_contacts_stage(&rows->dummies);
    } else if (count > 0 && sn_has_rigid_modes(nodes)) {
        rows->staggered = (sn_staggered_contacts){.soft = rows->with_bodies};
        nodes->coupling[nodes->coupling_count++] = sn_staggered_contacts_stage(&rows->staggered);
    } else {
        rows->with_bodies.count = with_bodies;
        rows->between = contacts_of(world, solved + with_bodies, count - with_bodies, body_numbers);
        load_rows(world, rows, nodes);
    }
    return true;
}

// Contacts that were detected again replace the old ones: all others are copied into the places left for
// them, and the two lists swap roles.
void sn_soft_unload(const sn_soft_rows *rows)
{
    const sn_world *world = rows->world;
    sn_soft_detector *soft = &rows->world->soft;
    if (!rows->is_redetected) {
        return;
    }
    int kept = 0;
    for (int i = 0; i < soft->contacts.count; ++i) {
        const sn_soft_contact_data *contact = &soft->contacts.data[i];
        if (contact->body >= 0 || !is_solved(world, contact)) {
            soft->redetected.data[kept++] = *contact;
        }
    }
    sn_soft_contact_list old = soft->contacts;
    soft->contacts = soft->redetected;
    soft->redetected = old;
}

// --- questions ---------------------------------------------------------------------------------------------

// A contact as one of its deformables sees it; `sign` is −1 for the other one.
static sn_soft_contact seen_from(const sn_world *world, const sn_soft_contact_data *data, float sign)
{
    bool soft = sn_soft_key_is_soft(&data->key);
    int other = sn_soft_key_other(&data->key);
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

sn_vec3 sn_soft_impulse_on(const sn_world *world, int body)
{
    sn_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < world->soft.contacts.count; ++i) {
        const sn_soft_contact_data *data = &world->soft.contacts.data[i];
        if (data->body == body && sn_soft_is_current(world, &data->key)) {
            sum = sn_add_scaled(sum, -data->total_normal, data->normal);
            sum = sn_sub(sum, data->total_friction);
        }
    }
    return sum;
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
