// Creating and destroying worlds, their settings, and questions about them.
// Tested by tests/world/core/test_settings.c.
#include "base/allocate.h"
#include "geometry/shapes/check.h"
#include "world/constraints/body_bounds.h"
#include "world/constraints/unions.h"
#include "world/core/sub_steps.h"
#include "world/exact/exact_plan.h"

#include <stdatomic.h>
#include <string.h>

// Fastest air [m/s].
#define MAX_WIND 1.0e3f

sn_staggered sn_staggered_default(void)
{
    return (sn_staggered){
        .rigid_iterations = 2, .node_iterations = 2, .correction = 0.1f, .warm_start = 0.9f};
}

sn_position sn_position_default(void)
{
    return (sn_position){.iterations = 4, .newmark_beta = 0.25f, .newmark_gamma = 0.5f};
}

sn_long_range sn_long_range_auto(void)
{
    return (sn_long_range){true, true, true, true, true, true};
}

sn_long_range sn_long_range_off(void)
{
    return (sn_long_range){0};
}

sn_world_def sn_world_def_default(void)
{
    return (sn_world_def){
        .cookie = SN_COOKIE_WORLD,
        .gravity = {0.0f, -9.81f, 0.0f},
        .sub_steps = 0,
        .long_range = sn_long_range_auto(),
        .threads = 1,
        .sleep = true,
        .continuous = true,
        .guard = true,
        .contact_stiffness = 0.15f,
        .contact_damping = 10.0f,
        .constraint_stiffness = 0.25f,
        .constraint_damping = 2.0f,
        .push_speed = 3.0f,
        .restitution_threshold = 1.0f,
        .hit_threshold = 1.0f,
        .speculative_margin = 0.02f,
        .sleep_speed = 0.05f,
        .sleep_time = 0.5f,
        .solver = SN_SOLVER_VELOCITY,
        .staggered = sn_staggered_default(),
        .position = sn_position_default(),
    };
}

#define DEF(TYPE, MEMBER, ...) SN_MEMBER_FIELD(TYPE, sn_world_def, MEMBER, __VA_ARGS__)

const sn_field sn_world_def_fields[] = {
    DEF(VEC3, gravity, .upper = 1.0e5f),
    DEF(VEC3, wind, .upper = MAX_WIND),
    DEF(INT, sub_steps, SN_RANGE(0.0f, 256.0f)),
    DEF(BOOL, long_range.bounds, SN_ANY),
    DEF(BOOL, long_range.sub_steps, SN_ANY),
    DEF(BOOL, long_range.settle, SN_ANY),
    DEF(BOOL, long_range.support, SN_ANY),
    DEF(BOOL, long_range.unions, SN_ANY),
    DEF(BOOL, long_range.planes, SN_ANY),
    DEF(BOOL, sleep, SN_ANY),
    DEF(BOOL, guard, SN_ANY),
    DEF(BOOL, continuous, SN_ANY),
    DEF(FLOAT, contact_stiffness, SN_RANGE(1.0e-6f, 0.25f)),
    DEF(FLOAT, contact_damping, SN_RANGE(0.0f, 100.0f)),
    DEF(FLOAT, constraint_stiffness, SN_RANGE(1.0e-6f, 0.25f)),
    DEF(FLOAT, constraint_damping, SN_RANGE(0.0f, 100.0f)),
    DEF(FLOAT, push_speed, SN_RANGE(1.0e-6f, SN_MAX_SPEED)),
    DEF(FLOAT, restitution_threshold, SN_RANGE(0.0f, SN_MAX_SPEED)),
    DEF(FLOAT, hit_threshold, SN_RANGE(0.0f, SN_MAX_SPEED)),
    DEF(FLOAT, speculative_margin, SN_RANGE(0.001f, 1.0f)),
    DEF(FLOAT, sleep_speed, SN_RANGE(0.0f, SN_MAX_SPEED)),
    DEF(FLOAT, sleep_time, SN_RANGE(0.0f, 1.0e6f)),
    DEF(ENUM, solver, SN_RANGE(0.0f, SN_SOLVER_POSITION)),
    DEF(INT, staggered.rigid_iterations, SN_RANGE(1.0f, 1000.0f)),
    DEF(INT, staggered.node_iterations, SN_RANGE(1.0f, 1000.0f)),
    DEF(FLOAT, staggered.correction, SN_RANGE(1.0e-6f, 1.0f)),
    DEF(FLOAT, staggered.warm_start, SN_RANGE(0.0f, 1.0f)),
    DEF(BOOL, staggered.dummy_nodes, SN_ANY),
    DEF(INT, position.iterations, SN_RANGE(1.0f, 10000.0f)),
    DEF(ENUM, position.method, SN_RANGE(0.0f, SN_POSITION_JACOBI)),
    DEF(BOOL, position.newmark, SN_ANY),
    DEF(FLOAT, position.newmark_beta, SN_RANGE(0.01f, 1.0f)),
    DEF(FLOAT, position.newmark_gamma, SN_RANGE(0.0f, 1.0f)),
    DEF(BOOL, position.monitor, SN_ANY),
    {0},
};

static sn_status check_def(const sn_world_def *def, sn_error *error)
{
    if (def == NULL) {
        return sn_fail(error, SN_ERROR_NULL, "world: definition is null");
    }
    if (def->cookie != SN_COOKIE_WORLD) {
        return sn_fail(error, SN_ERROR_DEFINITION,
                       "world: definition does not come from sn_world_def_default");
    }
    sn_status status = sn_fields_check(sn_world_def_fields, def, error, "world");
    return status ? status : sn_check_range((float)def->threads, 1.0f, 64.0f, error, "world", "threads");
}

static uint16_t next_tag(void)
{
    static atomic_uint counter;
    // Zero marks the null id. A tag is used again after 65535 worlds.
    return (uint16_t)(atomic_fetch_add(&counter, 1u) % 65535u + 1u);
}

// The static body at the origin that every world has.
static bool add_ground(sn_world *world)
{
    sn_rigid_def def = sn_rigid_def_default();
    def.type = SN_STATIC;
    def.name = "ground";
    return sn_rigid_add(world, &def, NULL) == SN_OK;
}

sn_status sn_world_create(const sn_world_def *def, sn_world **world)
{
    if (world == NULL) {
        return sn_fail(NULL, SN_ERROR_NULL, "sn_world_create: world is null");
    }
    *world = NULL;
    sn_status status = check_def(def, NULL);
    if (status != SN_OK) {
        return status;
    }
    sn_world *made = sn_allocate_zero(1, sizeof *made);
    if (made == NULL) {
        return sn_fail(NULL, SN_ERROR_MEMORY, "world: out of memory");
    }
    made->def = *def;
    made->tag = next_tag();
#ifndef NDEBUG
    made->verifies_guard = true;
#endif
    sn_bounds_tree_init(&made->static_tree);
    sn_bounds_tree_init(&made->moving_tree);
    made->error = sn_allocate_zero(1, sizeof *made->error);
    made->exact = sn_allocate_zero(1, sizeof *made->exact);
    made->tasks = sn_tasks_create(def->threads, def->tasks.parallel_for ? &def->tasks : NULL);
    if (made->error == NULL || made->exact == NULL || made->tasks == NULL || !add_ground(made)) {
        sn_world_destroy(made);
        return sn_fail(NULL, SN_ERROR_MEMORY, "world: out of memory");
    }
    *world = made;
    return SN_OK;
}

void sn_world_destroy(sn_world *world)
{
    // A callback may not destroy the world that calls it.
    if (world == NULL || world->locked) {
        return;
    }
    for (int i = 0; i < world->deformables.count; ++i) {
        if (sn_id_pool_in_use(&world->deformable_ids, i)) {
            sn_name_release(&world->deformables.data[i].name);
            sn_deformable_release(&world->deformables.data[i]);
        }
    }
    sn_array_release(&world->deformables);
    sn_id_pool_release(&world->deformable_ids);
    sn_world_release_exact(world);
    sn_nodes_release(&world->nodes);
    sn_array_release(&world->soft_touches);
    sn_array_release(&world->soft_touches_before);
    sn_soft_detector_release(&world->soft);
    for (int i = 0; i < world->shapes.count; ++i) {
        if (sn_id_pool_in_use(&world->shape_ids, i)) {
            sn_shape_release_geometry(&world->shapes.data[i]);
        }
    }
    for (int i = 0; i < world->bodies.count; ++i) {
        sn_name_release(&world->bodies.data[i].name);
    }
    for (int i = 0; i < world->constraints.count; ++i) {
        sn_name_release(&world->constraints.data[i].name);
    }
    sn_tasks_destroy(world->tasks);
    sn_arena_release(&world->arena);
    sn_id_pool_release(&world->body_ids);
    sn_id_pool_release(&world->shape_ids);
    sn_id_pool_release(&world->constraint_ids);
    sn_id_pool_release(&world->contact_ids);
    sn_array_release(&world->bodies);
    sn_array_release(&world->shapes);
    sn_array_release(&world->constraints);
    sn_array_release(&world->constraint_links);
    sn_array_release(&world->constraint_forces);
    sn_array_release(&world->contacts);
    sn_patch_pool_release(&world->patch_pool);
    sn_array_release(&world->custom_kinds);
    sn_array_release(&world->awake_bodies);
    sn_array_release(&world->active_contacts);
    sn_array_release(&world->met_contacts);
    sn_array_release(&world->active_constraints);
    sn_array_release(&world->active.pairs);
    sn_array_release(&world->active.bodies);
    sn_array_release(&world->active.nodes);
    sn_array_release(&world->active.breakable);
    sn_array_release(&world->active.bound_edges);
    sn_array_release(&world->active.bound_sources);
    sn_array_release(&world->active.bounds);
    sn_array_release(&world->body_bounds);
    sn_array_release(&world->unions);
    sn_array_release(&world->loads);
    sn_array_release(&world->residuals);
    sn_bounds_tree_release(&world->static_tree);
    sn_bounds_tree_release(&world->moving_tree);
    sn_pair_map_release(&world->pairs);
    sn_array_release(&world->pending_shapes);
    sn_array_release(&world->new_pairs);
#define RELEASE(T, name, count_name) sn_array_release(&world->events.name.list);
    SN_EVENT_LISTS(RELEASE)
#undef RELEASE
    sn_release(world->error, sizeof *world->error);
    sn_release(world, sizeof *world);
}

const char *sn_world_error(const sn_world *world)
{
    return world != NULL ? world->error->text : sn_last_error();
}

sn_rigid sn_world_ground(const sn_world *world)
{
    return world != NULL ? sn_rigid_id(world, SN_GROUND) : (sn_rigid){0};
}

sn_status sn_world_gravity_set(sn_world *world, sn_vec3 gravity)
{
    sn_status status = sn_world_check_open(world, "sn_world_gravity_set");
    if (status == SN_OK) {
        status = sn_check_vec3(gravity, 1.0e5f, world->error, "world", "gravity");
    }
    if (status != SN_OK) {
        return status;
    }
    world->def.gravity = gravity;
    for (int i = 0; i < world->bodies.count; ++i) {
        if (sn_id_pool_in_use(&world->body_ids, i) && world->bodies.data[i].type == SN_DYNAMIC) {
            sn_world_wake_pushed(world, i);
        }
    }
    for (int i = 0; i < world->deformables.count; ++i) {
        if (sn_id_pool_in_use(&world->deformable_ids, i)) {
            sn_world_wake_pushed(world, sn_soft_member(i));
        }
    }
    return SN_OK;
}

sn_vec3 sn_world_gravity(const sn_world *world)
{
    return world != NULL ? world->def.gravity : sn_v(0.0f, 0.0f, 0.0f);
}

sn_status sn_world_wind_set(sn_world *world, sn_vec3 wind)
{
    sn_status status = sn_world_check_open(world, "sn_world_wind_set");
    if (status == SN_OK) {
        status = sn_check_vec3(wind, MAX_WIND, world->error, "world", "wind");
    }
    if (status != SN_OK) {
        return status;
    }
    world->def.wind = wind;
    for (int i = 0; i < world->deformables.count; ++i) {
        const sn_deformable_def *def = &world->deformables.data[i].def;
        if (sn_id_pool_in_use(&world->deformable_ids, i) && (def->drag > 0.0f || def->lift > 0.0f)) {
            sn_world_wake_pushed(world, sn_soft_member(i));
        }
    }
    return SN_OK;
}

sn_world_def sn_world_settings(const sn_world *world)
{
    return world != NULL ? world->def : sn_world_def_default();
}

sn_status sn_world_settings_set(sn_world *world, const sn_world_def *def)
{
    sn_status status = sn_world_check_open(world, "sn_world_settings_set");
    if (status == SN_OK) {
        status = check_def(def, world->error);
    }
    if (status != SN_OK) {
        return status;
    }
    int threads = world->def.threads;
    sn_task_system tasks = world->def.tasks;
    if (def->position.newmark && !(world->def.position.newmark && world->def.solver == SN_SOLVER_POSITION)) {
        // Of when the rule was last used. Those of bodies are forgotten in steps without it.
        for (int i = 0; i < world->nodes.accelerations.count; ++i) {
            world->nodes.accelerations.data[i] = sn_v(0.0f, 0.0f, 0.0f);
        }
    }
    world->def = *def;
    world->def.threads = threads;
    world->def.tasks = tasks;
    sn_world_forget_exact(world);
    world->active.holds_fresh = world->active.bounds_fresh = false;
    return sn_world_gravity_set(world, def->gravity); // wakes what a new setting may move
}

uint64_t sn_world_step_count(const sn_world *world)
{
    return world != NULL ? world->step_count : 0;
}

double sn_world_time(const sn_world *world)
{
    return world != NULL ? world->time : 0.0;
}

static void count_soft(const sn_world *world, sn_statistics *s)
{
    s->deformable_count = world->deformable_ids.used;
    s->anchor_count = sn_world_anchors(world, NULL, 0);
    for (int i = 0; i < world->deformables.count; ++i) {
        const sn_deformable_data *data = &world->deformables.data[i];
        if (!sn_id_pool_in_use(&world->deformable_ids, i)) {
            continue;
        }
        s->awake_deformable_count += sn_deformable_sleeps(data) ? 0 : 1;
        s->node_count += data->node_count;
        for (int g = 0; g < data->groups.count; ++g) {
            s->element_count += data->groups.data[g].row_count;
        }
    }
}

// Memory of nodes, rows, deformables, their contacts and the exact plan.
static size_t soft_bytes(const sn_world *world)
{
    const sn_nodes *nodes = &world->nodes;
    size_t node_bytes = sizeof(sn_node_state) + sizeof(sn_node_velocity) + sizeof(float) +
                        2 * sizeof(sn_vec3) + 2 * sizeof(uint8_t);
    size_t bytes = (size_t)nodes->states.capacity * node_bytes +
                   (size_t)world->deformables.capacity * sizeof *world->deformables.data +
                   sn_world_exact_bytes(world) + sn_soft_detector_bytes(&world->soft);
    for (int i = 0; i < world->deformables.count; ++i) {
        for (int g = 0; g < world->deformables.data[i].groups.count; ++g) {
            const sn_element_group *group = &world->deformables.data[i].groups.data[g];
            bytes += (size_t)group->block_count * group->kind->block_size;
        }
    }
    return bytes;
}

sn_statistics sn_world_statistics(const sn_world *world)
{
    if (world == NULL) {
        return (sn_statistics){0};
    }
    sn_statistics s = world->last;
    s.rigid_count = world->body_ids.used - 1;
    s.awake_count = world->awake_bodies.count;
    s.shape_count = world->shape_ids.used;
    s.constraint_count = world->constraint_ids.used;
    s.pair_count = world->contact_ids.used;
    s.contact_count = s.contact_point_count = 0;
    for (int i = 0; i < world->active_contacts.count; ++i) {
        const sn_contact_data *contact = &world->contacts.data[world->active_contacts.data[i]];
        s.contact_count += contact->touching && !contact->is_sensor ? 1 : 0;
        for (int k = 0; k < contact->patches.count; ++k) {
            s.contact_point_count += contact->patches.data[k].count;
        }
    }
    s.frozen_count = world->frozen_count;
    s.frozen_node_count = world->frozen_node_count;
    count_soft(world, &s);
    sn_world_count_loads(world, &s);
    s.tree_height = sn_bounds_tree_height(&world->moving_tree);
    s.bytes = sizeof *world + world->arena.capacity +
              (size_t)world->bodies.capacity * sizeof *world->bodies.data +
              (size_t)world->shapes.capacity * sizeof *world->shapes.data +
              (size_t)world->constraints.capacity * sizeof *world->constraints.data +
              (size_t)world->constraint_links.capacity * sizeof *world->constraint_links.data +
              (size_t)world->constraint_forces.capacity * sizeof *world->constraint_forces.data +
              (size_t)world->contacts.capacity * sizeof *world->contacts.data +
              world->patch_pool.patch_count * sizeof(sn_patch) + soft_bytes(world) +
              (size_t)(world->static_tree.nodes.capacity + world->moving_tree.nodes.capacity) *
                  sizeof(sn_tree_node);
    s.allocations = world->step_allocations;
    return s;
}

int sn_world_residuals(const sn_world *world, sn_residual *out, int capacity)
{
    int count = world != NULL ? world->residuals.count : 0;
    for (int i = 0; out != NULL && i < count && i < capacity; ++i) {
        out[i] = world->residuals.data[i];
    }
    return count;
}

sn_profile sn_world_profile(const sn_world *world)
{
    return world != NULL ? world->profile : (sn_profile){0};
}

static void add_energy(const sn_body *body, sn_vec3 gravity, sn_energy *sum)
{
    sn_vec3 v = body->linear_velocity, w = body->angular_velocity, c = body->center;
    sn_vec3 own = sn_rotate_inverse(body->rotation, w);
    sn_vec3 spin = sn_rotate(body->rotation, sn_mat3_apply(body->inertia, own));
    double m = body->mass;
    sum->mass += m;
    sum->kinetic += 0.5 * m * ((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z) +
                    0.5 * ((double)w.x * spin.x + (double)w.y * spin.y + (double)w.z * spin.z);
    sum->potential -= m * (double)body->gravity_scale *
                      ((double)gravity.x * c.x + (double)gravity.y * c.y + (double)gravity.z * c.z);
    sum->momentum[0] += m * v.x;
    sum->momentum[1] += m * v.y;
    sum->momentum[2] += m * v.z;
    sum->angular_momentum[0] += spin.x + m * ((double)c.y * v.z - (double)c.z * v.y);
    sum->angular_momentum[1] += spin.y + m * ((double)c.z * v.x - (double)c.x * v.z);
    sum->angular_momentum[2] += spin.z + m * ((double)c.x * v.y - (double)c.y * v.x);
}

// Fixed nodes move as prescribed: their energy is not part of the system.
static void add_node_energies(const sn_world *world, const sn_deformable_data *data, sn_energy *sum)
{
    sn_vec3 gravity = sn_scale(world->def.gravity, data->def.gravity_scale);
    for (int i = data->first_node; i < data->first_node + data->node_count; ++i) {
        if (world->nodes.states.data[i].inverse_mass <= 0.0f) {
            continue;
        }
        double m = world->nodes.masses.data[i];
        sn_vec3 c = world->nodes.states.data[i].position, v = world->nodes.velocities.data[i].velocity;
        sum->mass += m;
        sum->kinetic += 0.5 * m * ((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z);
        sum->potential -= m * ((double)gravity.x * c.x + (double)gravity.y * c.y + (double)gravity.z * c.z);
        sum->momentum[0] += m * v.x;
        sum->momentum[1] += m * v.y;
        sum->momentum[2] += m * v.z;
        sum->angular_momentum[0] += m * ((double)c.y * v.z - (double)c.z * v.y);
        sum->angular_momentum[1] += m * ((double)c.z * v.x - (double)c.x * v.z);
        sum->angular_momentum[2] += m * ((double)c.x * v.y - (double)c.y * v.x);
    }
}

sn_energy sn_world_energy(const sn_world *world)
{
    sn_energy sum = {0};
    for (int i = 0; world != NULL && i < world->bodies.count; ++i) {
        if (sn_id_pool_in_use(&world->body_ids, i) && world->bodies.data[i].type == SN_DYNAMIC) {
            add_energy(&world->bodies.data[i], world->def.gravity, &sum);
        }
    }
    for (int i = 0; world != NULL && i < world->deformables.count; ++i) {
        if (sn_id_pool_in_use(&world->deformable_ids, i)) {
            add_node_energies(world, &world->deformables.data[i], &sum);
        }
    }
    return sum;
}

sn_events sn_world_events(const sn_world *world)
{
    if (world == NULL) {
        return (sn_events){0};
    }
#define LIST(T, name, count_name)                                                                            \
    .name = world->events.name.list.data, .count_name = world->events.name.published,
    return (sn_events){SN_EVENT_LISTS(LIST)};
#undef LIST
}
