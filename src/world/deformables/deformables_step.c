// Deformables before and after the solver runs: nodes that users wrote are checked, awake deformables are
// given to the solver, and afterwards bounds, rest times and events follow from the nodes.
// Tested by tests/world/deformables/test_deformables.c.
#include "solver/elements/bound_block.h"
#include "solver/elements/edge_block.h"
#include "world/core/hanging_loads.h"
#include "world/exact/exact_plan.h"

#include <math.h>

static bool is_awake(const sn_world *world, int index)
{
    return sn_id_pool_in_use(&world->deformable_ids, index) &&
           !sn_deformable_sleeps(&world->deformables.data[index]);
}

// Of the class that is being solved.
static bool is_solved(const sn_world *world, int index)
{
    return is_awake(world, index) && sn_world_is_solved(world, sn_soft_member(index));
}

// --- before ------------------------------------------------------------------------------------------------

// Inverse masses that users wrote are overwritten.
static void put_mass_right(sn_nodes *nodes, int node)
{
    float mass = nodes->masses.data[node], *inverse = &nodes->states.data[node].inverse_mass;
    *inverse = *inverse > 0.0f && mass > 0.0f ? 1.0f / mass : 0.0f;
}

// Nodes that only steps wrote are finite (freeze.c).
void sn_stage_nodes(sn_world *world)
{
    for (int i = 0; i < world->deformables.count; ++i) {
        sn_deformable_data *data = &world->deformables.data[i];
        for (int k = 0; data->edited && is_awake(world, i) && k < data->node_count; ++k) {
            int node = data->first_node + k;
            put_mass_right(&world->nodes, node);
            if (!sn_node_is_sound(&world->nodes, node)) {
                sn_world_freeze_node(world, data, node);
            }
        }
    }
}

// --- into the solver ---------------------------------------------------------------------------------------

static void scale_lanes(void *context, sn_lanes *lanes, const sn_element_memory *memory)
{
    const float *scale = context;
    for (int i = 0; !memory->is_place && i < SN_LANES; ++i) {
        lanes->lane[i] *= *scale;
    }
}

static void scale_contacts(sn_soft_detector *soft, int deformable, float scale)
{
    for (int i = 0; i < soft->contacts.count; ++i) {
        sn_soft_contact_data *contact = &soft->contacts.data[i];
        if ((int)contact->key.deformable == deformable) {
            contact->normal_impulse *= scale;
            contact->friction_impulse = sn_scale(contact->friction_impulse, scale);
        }
    }
}

// Hard rows are as stiff as sub-steps allow: ω²/κ, ω a share of their rate.
static float hard_share(const sn_world *world)
{
    return 2.0f * SN_PI * world->def.constraint_stiffness;
}

// In shorter sub-steps hard rows are stiffer. What is stretched by then must not gain energy.
static void keep_forces(const sn_world *world, sn_deformable_data *data, float before, float h)
{
    int edges = data->group_of[SN_ROWS_EDGES], bounds = data->group_of[SN_ROWS_BOUNDS];
    float share = hard_share(world), stiffer = share * share * (1.0f / h - h / (before * before));
    if (edges >= 0) {
        sn_edges_keep_forces(&data->groups.data[edges], world->nodes.states.data, stiffer);
    }
    if (bounds >= 0) {
        sn_bounds_keep_forces(&data->groups.data[bounds], world->nodes.states.data, stiffer);
    }
}

// In longer ones they are softer, and what keeps them from pulling with all they could has less to do.
static void keep_lengths(sn_deformable_data *data, float before, float h)
{
    int edges = data->group_of[SN_ROWS_EDGES], bounds = data->group_of[SN_ROWS_BOUNDS];
    float part = before * before / (h * h);
    if (edges >= 0) {
        sn_edges_keep_lengths(&data->groups.data[edges], part);
    }
    if (bounds >= 0) {
        sn_bounds_keep_lengths(&data->groups.data[bounds], part);
    }
}

static void fit_impulses(sn_world *world, int index, float h)
{
    sn_deformable_data *data = &world->deformables.data[index];
    float before = data->sub_step, scale = sn_impulse_scale(before, h);
    data->sub_step = h;
    if (scale == 1.0f) {
        return;
    }
    for (int g = 0; g < data->groups.count; ++g) {
        sn_element_group_visit(&data->groups.data[g], scale_lanes, &scale);
    }
    scale_contacts(&world->soft, index, scale);
    if (world->def.solver == SN_SOLVER_VELOCITY && world->def.long_range.settle) {
        before > h ? keep_forces(world, data, before, h) : keep_lengths(data, before, h);
    }
}

// --- how hard rows of a deformable settle (methods J.3)
// ------------------------------------------------------

static bool is_borne(const sn_world *world, int body)
{
    return world->classes.is_borne != NULL && world->classes.is_borne[body];
}

// What bodies press on a deformable along gravity, as the mass that weighs so much [kg]. Not what passes
// through its nodes.
static float pressing_mass(const sn_world *world, int index)
{
    const sn_deformable_data *data = &world->deformables.data[index];
    float gravity = sn_length(world->def.gravity), sum = 0.0f;
    for (int i = world->soft.asleep_count; i < world->soft.contacts.count && gravity > 0.0f; ++i) {
        const sn_soft_contact_data *contact = &world->soft.contacts.data[i];
        if ((int)contact->key.deformable == index && contact->body >= 0 && contact->normal_impulse > 0.0f &&
            sn_body_is_dynamic(&world->bodies.data[contact->body]) && !is_borne(world, contact->body)) {
            sum += contact->normal_impulse * sn_dot(contact->normal, world->def.gravity);
        }
    }
    bool is_known = data->sub_step > 0.0f && gravity > 0.0f;
    return is_known ? sn_max(sum, 0.0f) / (data->sub_step * gravity * gravity) : 0.0f;
}

static bool is_tied_to_immovable(const sn_world *world, const sn_deformable_data *data)
{
    for (int edge = data->first_constraint; edge >= 0; edge = sn_next_constraint(world, edge)) {
        int other = sn_constraint_other(world, edge);
        if (other < 0 || (!sn_member_is_soft(other) && !sn_body_is_dynamic(&world->bodies.data[other]))) {
            return true;
        }
    }
    return sn_deformable_is_held(data);
}

// The mass of bodies that hang on a deformable which nothing holds, as those at the ends of a rope over a
// wheel; once, however many nodes hold them. Where it is held, references carry them. `counted` is by body,
// for the deformable that counted it last.
static float hanging_mass(const sn_world *world, int index, int *counted)
{
    const sn_exact_plan *plan = world->exact;
    float sum = 0.0f;
    bool is_free = plan->hangers.count > 0 && !is_tied_to_immovable(world, &world->deformables.data[index]);
    for (int i = 0; is_free && i < plan->hangers.count; ++i) {
        int body;
        const sn_point *nodes;
        const sn_constraint_common *def = &world->constraints.data[plan->hangers.data[i]].definition.common;
        if (sn_world_hangs_body(world, def, &body, &nodes) && (int)nodes->deformable.index - 1 == index &&
            counted[body] != index + 1) {
            counted[body] = index + 1;
            sum += sn_world_hanging_mass(world, &world->classes.hung, index, body);
        }
    }
    return sum;
}

// Under its load an island sinks by δ where its rows are soft: its slowest mode has the rate Ω = √(g/δ). By
// Rayleigh's quotient g/δ is about g² M/Σ F²/k, the load's square by mass over the work of all rows that
// yield with the stiffness k = ω²/κ.
static float slowest_rate2(const sn_world *world, const sn_deformable_data *data, float load_mass)
{
    int edges = data->group_of[SN_ROWS_EDGES], bounds = data->group_of[SN_ROWS_BOUNDS];
    const sn_node_state *nodes = world->nodes.states.data;
    double sum = edges >= 0 ? sn_edges_yield(&data->groups.data[edges], nodes) : 0.0;
    sum += bounds >= 0 ? sn_bounds_yield(&data->groups.data[bounds], nodes) : 0.0;
    float omega_h = hard_share(world);
    float mass = data->node_mass * (float)data->node_count + load_mass;
    float load2 =
        sn_length_squared(world->def.gravity) * data->def.gravity_scale * data->def.gravity_scale * mass;
    return sum > 0.0 ? (float)((double)(load2 * omega_h * omega_h) / sum) : 0.0f;
}

// Rows of damping ζ damp that mode by 2ζ Ω²/ω, of which references may follow with a part.
#define REFERENCE_PART    0.5f
#define FASTEST_REFERENCE 0.02f
// What is not held lies on others by friction, and creeps to and fro for seconds while references shorten it:
// they follow only where edges are off by more than this part of their length.
#define SETTLED_STRETCH 0.005f
// Light rows under heavy loads would let them swing up and down: ζ Ω/ω of them is small. They get more, up to
// the ζ whose relaxation takes as long as the mode does, by the part of the mass that is load.
#define LOADED_DAMPING      0.25f
#define MOST_LOADED_DAMPING 256.0f

// Powers of two: a damping that changed from step to step with the forces of contacts would drive them.
static float stepped(float value)
{
    float step = 1.0f;
    while (step < value) {
        step *= 2.0f;
    }
    return step;
}

// Whether it moves more than its sag explains: its kinetic energy exceeds what its hard rows store, ½ Σ F²/k
// = ½ g² M/Ω². Rows of what slides, swings or falls carry other forces in the next moment, and a reference
// would hold on to those of the last.
static bool moves_freely(const sn_world *world, const sn_deformable_data *data, float load_mass, float rate2)
{
    const sn_node_velocity *velocities = world->nodes.velocities.data + data->first_node;
    double speed2 = 0.0;
    for (int i = 0; i < data->node_count; ++i) {
        speed2 += (double)sn_length_squared(velocities[i].velocity);
    }
    float scale = data->def.gravity_scale, mass = data->node_mass * (float)data->node_count + load_mass;
    float load2 = sn_length_squared(world->def.gravity) * scale * scale * mass;
    return speed2 * (double)(data->node_mass * rate2) > (double)load2;
}

static void settle_rows(const sn_world *world, sn_deformable_data *data, float load_mass, float h)
{
    float rate2 = world->def.long_range.settle && world->def.solver == SN_SOLVER_VELOCITY
                      ? slowest_rate2(world, data, load_mass)
                      : 0.0f;
    float omega_h = hard_share(world), damping = world->def.constraint_damping;
    bool has_hard = false;
    if (rate2 > 0.0f && load_mass > 0.0f) {
        float own = data->node_mass * (float)data->node_count;
        float wanted = LOADED_DAMPING * omega_h / (h * sqrtf(rate2)) * load_mass / (load_mass + own);
        has_hard = wanted > damping;
        damping = has_hard ? stepped(sn_min(wanted, MOST_LOADED_DAMPING)) : damping;
    }
    // Loads do not stay in place to the node: references under them would keep the nodes trembling.
    bool is_free = moves_freely(world, data, load_mass, rate2);
    float rate = sn_min(REFERENCE_PART * 2.0f * damping * rate2 * h * h / omega_h, FASTEST_REFERENCE);
    for (int g = 0; g < data->groups.count; ++g) {
        sn_element_group *group = &data->groups.data[g];
        bool is_hard = g == data->group_of[SN_ROWS_EDGES] || g == data->group_of[SN_ROWS_BOUNDS];
        group->reference_rate = has_hard || is_free ? 0.0f : rate;
        group->yielding_kept = 1.0f - (rate2 > 0.0f ? rate : FASTEST_REFERENCE);
        group->reference_kept = is_free ? 0.0f : 1.0f;
        group->settled = data->held.count > 0 ? 0.0f : SETTLED_STRETCH;
        group->has_hard = has_hard && is_hard;
        group->hard = sn_softness_make(world->def.constraint_stiffness, damping, h);
    }
}

static void load_deformable(const sn_world *world, sn_deformable_data *data, float h, sn_node_solver *nodes)
{
    float rigid_share =
        world->def.solver == SN_SOLVER_STAGGERED ? sn_deformable_rigid_mode_share(data, h) : 0.0f;
    sn_vec3 gravity = sn_scale(world->def.gravity, data->def.gravity_scale);
    nodes->ranges[nodes->range_count++] = (sn_node_range){.first = data->first_node,
                                                          .count = data->node_count,
                                                          .gravity = gravity,
                                                          .linear_damping = data->def.linear_damping,
                                                          .has_integrator = data->integration != NULL,
                                                          .rigid_share = rigid_share};
    if (data->integration != NULL) {
        data->integration->gravity = gravity;
        data->integration->linear_damping = data->def.linear_damping;
        nodes->models[nodes->model_count++] = (sn_model_stage){
            .apply = sn_integration_predict, .complete = sn_integration_complete, .model = data->integration};
    } else if (data->model != NULL) {
        nodes->models[nodes->model_count++] =
            (sn_model_stage){.apply = data->model_kind->apply,
                             .estimate_response = data->model_kind->estimate_response,
                             .respond = data->model_kind->respond,
                             .model = data->model,
                             .first_node = data->first_node,
                             .node_count = data->node_count};
    }
    for (int g = 0; g < data->groups.count; ++g) {
        sn_element_group *group = &data->groups.data[g];
        group->first_node = data->first_node;
        group->node_count = data->node_count;
        nodes->groups[nodes->group_count++] = group;
    }
}

bool sn_world_load_deformables(sn_world *world, float h, sn_node_solver *nodes)
{
    int awake_count = 0, group_count = 0;
    for (int i = 0; i < world->deformables.count; ++i) {
        awake_count += is_solved(world, i) ? 1 : 0;
        group_count += is_solved(world, i) ? world->deformables.data[i].groups.count : 0;
    }
    *nodes = (sn_node_solver){.nodes = &world->nodes, .tasks = world->tasks, .arena = &world->arena};
    nodes->ranges = sn_arena_take(&world->arena, (size_t)awake_count, sizeof *nodes->ranges);
    nodes->models = sn_arena_take(&world->arena, (size_t)awake_count, sizeof *nodes->models);
    nodes->groups = sn_arena_take(&world->arena, (size_t)group_count, sizeof *nodes->groups);
    size_t hung = world->exact->hangers.count > 0 ? (size_t)world->bodies.count : 0;
    int *counted = sn_arena_take_zero(&world->arena, hung, sizeof *counted);
    if (nodes->ranges == NULL || nodes->models == NULL || nodes->groups == NULL || counted == NULL) {
        return false;
    }
    for (int i = 0; i < world->deformables.count; ++i) {
        if (is_solved(world, i)) {
            float load_mass = pressing_mass(world, i) + hanging_mass(world, i, counted);
            fit_impulses(world, i, h);
            settle_rows(world, &world->deformables.data[i], load_mass, h);
            load_deformable(world, &world->deformables.data[i], h, nodes);
        }
    }
    return true;
}

// --- afterwards --------------------------------------------------------------------------------------------

// The motion of the nodes of a deformable in a step.
typedef struct motion {
    float speed2;        // largest square of a velocity
    float displacement2; // largest square of a displacement
    sn_bounds bounds;
} motion;

static motion motion_of(const sn_world *world, const sn_deformable_data *data)
{
    const sn_node_state *states = world->nodes.states.data + data->first_node;
    const sn_node_velocity *velocities = world->nodes.velocities.data + data->first_node;
    const sn_vec3 *starts = world->node_starts + data->first_node;
    motion motion = {.bounds = {states[0].position, states[0].position}};
    for (int i = 0; i < data->node_count; ++i) {
        sn_vec3 position = states[i].position;
        motion.speed2 = sn_max(motion.speed2, sn_length_squared(velocities[i].velocity));
        motion.displacement2 = sn_max(motion.displacement2, sn_length_squared(sn_sub(position, starts[i])));
        motion.bounds.lower = sn_min3(motion.bounds.lower, position);
        motion.bounds.upper = sn_max3(motion.bounds.upper, position);
    }
    return motion;
}

void sn_world_finish_deformables(sn_world *world, float duration)
{
    world->last.left_out_count += world->soft.left_out;
    float sleep_speed2 = world->def.sleep_speed * world->def.sleep_speed;
    for (int i = 0; i < world->deformables.count && world->node_starts != NULL; ++i) {
        sn_deformable_data *data = &world->deformables.data[i];
        if (!is_awake(world, i)) {
            continue;
        }
        motion motion = motion_of(world, data);
        // As with bodies, both count: nodes pushed out of an overlap move without a velocity.
        bool slow = motion.speed2 < sleep_speed2 && motion.displacement2 < sleep_speed2 * duration * duration;
        data->rest_time = data->def.allow_sleep && slow ? data->rest_time + duration : 0.0f;
        data->bounds = motion.bounds;
        data->edited = false;
        if (motion.displacement2 > 0.0f) {
            sn_deformable_move_event event = {sn_deformable_id(world, i), data->bounds, data->def.user};
            (void)sn_array_push(&world->events.deformable_moves.list, event);
        }
    }
}

// --- bounds ------------------------------------------------------------------------------------------------

sn_bounds sn_deformable_bounds(const sn_world *world, const sn_deformable_data *data)
{
    if (!data->edited) {
        return data->bounds;
    }
    const sn_node_state *states = world->nodes.states.data + data->first_node;
    sn_bounds bounds = {states[0].position, states[0].position};
    for (int i = 1; i < data->node_count; ++i) {
        bounds.lower = sn_min3(bounds.lower, states[i].position);
        bounds.upper = sn_max3(bounds.upper, states[i].position);
    }
    return bounds;
}
