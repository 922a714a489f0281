// What asks for sub-steps (methods J.4).
//
// A taut row of length L and tension T whose lighter end weighs m swings across with the rate √(T/(m L)), and
// is unstable in longer sub-steps than the inverse of that. Tensions are those of the last step. What hangs
// on nodes is known before there has been one: a rope of nodes of mass m stretches by F/(m ω²) at every node,
// F the load and ω a fixed share of the rate of sub-steps, so light nodes under heavy bodies need more of
// them, as the square root of the ratio of masses.
// Tested by tests/world/core/test_sub_steps.c.
#include "world/core/sub_step_demands.h"

#include "solver/elements/air_block.h"
#include "solver/elements/edge_block.h"
#include "solver/elements/enclosure_block.h"
#include "solver/elements/tetrahedron_block.h"
#include "world/core/bending_joints.h"
#include "world/deformables/jerks.h"
#include "world/exact/exact_plan.h"

#include <math.h>

// Fourteen hold stacks of twenty and mass ratios of a hundred to a centimetre (see docs/solver.md).
#define DEFAULT_SUB_STEPS 14
// The same of the position solver, which iterates in each of them; and so many a second where something
// deforms, for iterations resolve stiffness by the square of a sub-step.
#define POSITION_SUB_STEPS            8.0f
#define POSITION_SUB_STEPS_PER_SECOND 480.0f
// A column of bodies on springy contacts buckles under its own weight where g n³ t > 2 ω² w², n the number of
// bodies, t their thickness, w their width and ω a fixed share of the rate of sub-steps. Fourteen in a 60th
// of a second hold ten bodies of w²/t = 3 cm twice over; smaller ones that touch each other take more.
#define SMALL_SIZE           0.03f
#define USUAL_RATE           (60.0f * (float)DEFAULT_SUB_STEPS)
#define MOST_SMALL_SUB_STEPS 160.0f
// With cloth, ropes and jelly: sixteen keep cloth within a few per cent of its length.
#define DEFORMABLE_SUB_STEPS 16
// For loads heavier than SN_LIGHT_LOAD there are more: up to three times as many where bounds carry them past
// the nodes, up to ten times as many elsewhere.
#define MOST_HELD_SUB_STEPS 48.0f
#define MOST_FREE_SUB_STEPS 160.0f
// In long steps at least so many [1/s]: pressure and stiff elements burst under sub-steps of a hundredth of a
// second. A step lasts a second at most.
#define SUB_STEPS_PER_SECOND 256.0f
// Most sub-steps that tensions ask for, and the part of 1/√(T/(m L)) that a sub-step lasts.
#define MOST_TAUT_SUB_STEPS 128.0f
#define TAUT_SHARE          1.0f
// How far joints may turn out of line under the torques that they carry [rad], and the most sub-steps that is
// worth: joints that contradict each other, or contacts, carry ever more.
#define MOST_BENT           0.01f
#define MOST_BENT_SUB_STEPS 64.0f

// --- loads -------------------------------------------------------------------------------------------------

static void ask(const sn_sub_step_demands *demands, int member, float wanted, sn_sub_step_cause cause)
{
    int place = 0;
    if (demands->islands != NULL) {
        place = sn_island_place(demands->world, demands->islands, member);
        place = place >= 0 ? sn_island_root(demands->islands, place) : -1;
    }
    if (place >= 0 && wanted > demands->wanted[place]) {
        demands->wanted[place] = wanted;
        if (demands->causes != NULL) {
            demands->causes[place] = (uint8_t)cause;
        }
    }
}

// Bodies that hang on nodes, by the ratio of masses.
static void ask_for_hanging(void *context, int body, float ratio, bool is_carried)
{
    float wanted = (float)DEFORMABLE_SUB_STEPS * sqrtf(ratio / SN_LIGHT_LOAD);
    ask(context, body, sn_min(wanted, is_carried ? MOST_HELD_SUB_STEPS : MOST_FREE_SUB_STEPS),
        SN_SUB_STEPS_HANGING);
}

// Heavy bodies that light ones join, by the ratio of their masses. How far joints yield depends on the length
// of a sub-step, so shorter steps take fewer.
static void ask_for_bridges(const sn_sub_step_demands *demands)
{
    for (int i = 0; i < demands->bridges.count; ++i) {
        const sn_bridged_load *load = &demands->bridges.data[i];
        float wanted = demands->duration * USUAL_RATE * sqrtf(load->ratio / SN_LIGHT_LOAD);
        ask(demands, load->body, sn_min(wanted, MOST_FREE_SUB_STEPS), SN_SUB_STEPS_BRIDGING);
    }
}

// Bodies that lie on nodes, as those that hang on them, unless what holds the nodes bears them.
static void ask_for_pressing(const sn_sub_step_demands *demands)
{
    for (int i = 0; i < demands->pressing.count; ++i) {
        const sn_pressing_load *load = &demands->pressing.data[i];
        float wanted = (float)DEFORMABLE_SUB_STEPS * sqrtf(load->ratio / SN_LIGHT_LOAD);
        if (!demands->pressing.is_borne[load->body]) {
            ask(demands, load->body, sn_min(wanted, MOST_TAUT_SUB_STEPS), SN_SUB_STEPS_PRESSING);
        }
        int place =
            demands->presses != NULL ? sn_island_place(demands->world, demands->islands, load->body) : -1;
        if (place >= 0) {
            demands->presses[sn_island_root(demands->islands, place)] = 1;
        }
    }
}

static bool is_jointed(const sn_world *world, const sn_body *body)
{
    int edge = body->first_constraint;
    while (edge >= 0 && !(world->constraint_links.data[edge >> 1].is_on &&
                          sn_constraint_carries(&world->constraints.data[edge >> 1]))) {
        edge = sn_next_constraint(world, edge);
    }
    return edge >= 0;
}

// Heavy bodies on light ones that joints hold, as on a net of bodies: as if joints held them, too.
static void ask_for_laden(const sn_sub_step_demands *demands)
{
    const sn_world *world = demands->world;
    for (int i = 0; i < world->met_contacts.count; ++i) {
        const sn_contact_data *contact = &world->contacts.data[world->met_contacts.data[i]];
        const sn_body *a = &world->bodies.data[contact->body_a], *b = &world->bodies.data[contact->body_b];
        const sn_body *light = a->mass < b->mass ? a : b, *heavy = light == a ? b : a;
        bool is_laden =
            sn_body_is_dynamic(a) && sn_body_is_dynamic(b) && heavy->mass > SN_LIGHT_LOAD * light->mass;
        if (is_laden && is_jointed(world, light)) {
            float wanted =
                demands->duration * USUAL_RATE * sqrtf(heavy->mass / (SN_LIGHT_LOAD * light->mass));
            ask(demands, contact->body_a, sn_min(wanted, MOST_FREE_SUB_STEPS), SN_SUB_STEPS_PRESSING);
        }
    }
}

// w²/t of a body as wide and as thick as a box of its inertia that lies on its largest side. [m]
static float stacking_size(const sn_body *body)
{
    float x = body->inertia.x.x, y = body->inertia.y.y, z = body->inertia.z.z;
    float squared[3] = {y + z - x, z + x - y, x + y - z}; // of the sides, in units of 6/m
    float least = sn_min(squared[0], sn_min(squared[1], squared[2]));
    float most = sn_max(squared[0], sn_max(squared[1], squared[2]));
    float middle = squared[0] + squared[1] + squared[2] - least - most;
    return least > 0.0f ? middle * sqrtf(6.0f / (body->mass * least)) : INFINITY;
}

// Small bodies that touch, or nearly so, others that are free to move.
static void ask_for_small(const sn_sub_step_demands *demands)
{
    const sn_world *world = demands->world;
    for (int i = 0; i < world->met_contacts.count; ++i) {
        const sn_contact_data *contact = &world->contacts.data[world->met_contacts.data[i]];
        const sn_body *a = &world->bodies.data[contact->body_a], *b = &world->bodies.data[contact->body_b];
        if (sn_body_is_dynamic(a) && sn_body_is_dynamic(b)) {
            float size = sn_min(stacking_size(a), stacking_size(b));
            float wanted = demands->duration * USUAL_RATE * sqrtf(SMALL_SIZE / size);
            ask(demands, contact->body_a, sn_min(floorf(wanted), MOST_SMALL_SUB_STEPS), SN_SUB_STEPS_SMALL);
        }
    }
}

// Columns get this many times the sub-steps with which they would just not buckle (settle.c): they stand
// twice their weight.
#define COLUMN_MARGIN 1.4f

static void ask_for_columns(const sn_sub_step_demands *demands)
{
    const sn_solve_classes *classes = demands->classes;
    for (int i = 0; classes != NULL && classes->loads != NULL && i < demands->islands->body_count; ++i) {
        if (classes->load_of[i] == i && classes->loads[i].sway > 0.0f) {
            float wanted = demands->duration * COLUMN_MARGIN * sqrtf(classes->loads[i].sway);
            ask(demands, demands->world->awake_bodies.data[i], sn_min(wanted, MOST_SMALL_SUB_STEPS),
                SN_SUB_STEPS_COLUMN);
        }
    }
}

// --- tensions ----------------------------------------------------------------------------------------------

// Sub-steps for rows that swing across with a rate, given by its square.
static void ask_for_rate(const sn_sub_step_demands *demands, int member, float rate2, sn_sub_step_cause cause)
{
    if (rate2 > 0.0f) {
        float wanted = demands->duration * sqrtf(rate2) / TAUT_SHARE;
        ask(demands, member, sn_min(wanted, MOST_TAUT_SUB_STEPS), cause);
    }
}

static void ask_for_jerk(void *context, int body, float rate2)
{
    const sn_sub_step_demands *demands = context;
    float omega_h = 2.0f * SN_PI * demands->world->def.constraint_stiffness;
    ask_for_rate(demands, body, rate2 / (omega_h * omega_h), SN_SUB_STEPS_HANGING);
}

static void ask_for_edges(const sn_sub_step_demands *demands)
{
    const sn_world *world = demands->world;
    for (int i = 0; i < world->deformables.count; ++i) {
        const sn_deformable_data *data = &world->deformables.data[i];
        int group = data->group_of[SN_ROWS_EDGES];
        if (sn_id_pool_in_use(&world->deformable_ids, i) && !sn_deformable_sleeps(data) && group >= 0 &&
            data->sub_step > 0.0f) {
            ask_for_rate(demands, sn_soft_member(i),
                         sn_edges_swing(&data->groups.data[group], world->nodes.states.data) / data->sub_step,
                         SN_SUB_STEPS_TENSION);
        }
    }
}

// Covers under a pressure p: a constant one, or what kept their volume in the last step. No bound carries
// what that pulls, and more sub-steps after it has stretched a cover would only keep it so: it gets from the
// beginning those with which an edge yields by at most SN_STRETCH_LIMIT of its length. A ball of radius r,
// which has as much surface, is pulled with p r/2 in both directions a metre, most where a cover is flatter
// than a ball; an edge of length l that bears p r l yields by p r l κ/ω².
static void ask_for_pressure(const sn_sub_step_demands *demands)
{
    const sn_world *world = demands->world;
    float omega_h = 2.0f * SN_PI * world->def.constraint_stiffness;
    for (int i = 0; i < world->deformables.count; ++i) {
        const sn_deformable_data *data = &world->deformables.data[i];
        int group = data->group_of[SN_ROWS_ENCLOSURE];
        if (sn_id_pool_in_use(&world->deformable_ids, i) && !sn_deformable_sleeps(data) && group >= 0) {
            const sn_enclosure_block *block = data->groups.data[group].blocks;
            const sn_enclosure_row *row = &block->row;
            float kept = data->sub_step > 0.0f ? sn_abs(block->impulse.lane[0]) / data->sub_step : 0.0f;
            float pressure = sn_max(sn_abs(row->pressure), kept);
            float radius = data->def.scale * sqrtf(sn_mesh_area(data->def.mesh) / (4.0f * SN_PI));
            float kappa = 2.0f / data->node_mass;
            float omega2 = pressure * radius * kappa / (float)SN_STRETCH_LIMIT;
            bool is_held = row->holding > 0.0f; // by hard edges
            ask_for_rate(demands, sn_soft_member(i), is_held ? omega2 / (omega_h * omega_h) : 0.0f,
                         SN_SUB_STEPS_TENSION);
        }
    }
}

// Sheets in the wind. What flutters takes its bounds' tension away, and edges carry what the air pushes with,
// F: a sheet of n nodes along some √n threads. It begins at once and so stretches them twice as far as at
// rest, by 2 F/√n κ/(l ω²) of their length l.
#define SUDDEN 2.0f

static void ask_for_air(const sn_sub_step_demands *demands)
{
    const sn_world *world = demands->world;
    float omega_h = 2.0f * SN_PI * world->def.constraint_stiffness;
    for (int i = 0; i < world->deformables.count; ++i) {
        const sn_deformable_data *data = &world->deformables.data[i];
        int edges = data->group_of[SN_ROWS_EDGES], air = data->group_of[SN_ROWS_AIR];
        bool is_tied = data->held.count > 0 || data->first_constraint >= 0;
        if (!sn_id_pool_in_use(&world->deformable_ids, i) || sn_deformable_sleeps(data) || edges < 0 ||
            air < 0 || !is_tied) {
            continue;
        }
        double force = sn_air_load(&data->groups.data[air], world->nodes.states.data,
                                   world->nodes.velocities.data, world->def.wind);
        float length = ((const sn_edge_block *)data->groups.data[edges].blocks)->rest.lane[0];
        float threads = data->def.mesh->triangle_count > 0 ? sqrtf((float)data->node_count) : 1.0f;
        float omega2 =
            SUDDEN * (float)force / threads * 2.0f / (data->node_mass * length * (float)SN_STRETCH_LIMIT);
        ask_for_rate(demands, sn_soft_member(i), omega2 / (omega_h * omega_h), SN_SUB_STEPS_TENSION);
    }
}

// Elements that are strained by more than this must not act less stiff than they are (SN_STIFFEST); κ/α of a
// tetrahedron is at most so many times E a/m, a the length of its edges and m the mass of its nodes.
#define SEEN_STRAIN   0.002f
#define MOST_STIFFEST 4.0f

// Whether a body that moves, or is moved, presses on a deformable.
static bool is_pressed(const sn_world *world, int index)
{
    for (int i = world->soft.asleep_count; i < world->soft.contacts.count; ++i) {
        const sn_soft_contact_data *contact = &world->soft.contacts.data[i];
        if ((int)contact->key.deformable == index && contact->body >= 0 && contact->normal_impulse > 0.0f &&
            world->bodies.data[contact->body].type != SN_STATIC) {
            return true;
        }
    }
    return false;
}

// Only under loads: where elements swing by themselves, a stiffness that changed with the number of sub-steps
// would give them energy.
static void ask_for_elements(const sn_sub_step_demands *demands)
{
    const sn_world *world = demands->world;
    for (int i = 0; i < world->deformables.count; ++i) {
        const sn_deformable_data *data = &world->deformables.data[i];
        int group = data->group_of[SN_ROWS_TETRAHEDRA];
        if (!sn_id_pool_in_use(&world->deformable_ids, i) || sn_deformable_sleeps(data) || group < 0 ||
            !(data->sub_step > 0.0f)) {
            continue;
        }
        float h = demands->duration / (float)DEFORMABLE_SUB_STEPS;
        float about = MOST_STIFFEST * data->def.model.young * data->cell / data->node_mass;
        if (h * h * about > SN_STIFFEST && is_pressed(world, i) &&
            sn_tetrahedra_strain(&data->groups.data[group], data->sub_step) > SEEN_STRAIN) {
            float rate2 = sn_tetrahedra_rate2(&data->groups.data[group], world->nodes.states.data);
            ask_for_rate(demands, sn_soft_member(i), rate2 * TAUT_SHARE * TAUT_SHARE / SN_STIFFEST,
                         SN_SUB_STEPS_STIFF);
        }
    }
}

// What turns a body swings its point: the square of the point's distance from the mass centre, and of the
// radius of gyration. [m²]
typedef struct lever {
    float mass, arm2, gyration2;
} lever;

static lever lever_of(const sn_body *body, sn_vec3 point)
{
    float moments = body->inertia.x.x + body->inertia.y.y + body->inertia.z.z;
    return (lever){body->mass, sn_length_squared(sn_sub(point, body->local_center)),
                   moments / (3.0f * body->mass)};
}

// What the tension of a constraint is multiplied by, for the square of the rate at which its end swings; 0
// for ends that are not on dynamic bodies. `length` is that of the constraint: bodies held in a point turn
// about it against r/(m (r² + k²)); the end of a rod swings across it.
static float lightness_of(const sn_world *world, const sn_point *point, float length)
{
    if (point->type != SN_POINT_RIGID || !sn_body_is_dynamic(&world->bodies.data[point->rigid.index - 1])) {
        return 0.0f;
    }
    lever lever = lever_of(&world->bodies.data[point->rigid.index - 1], point->position);
    float spread = lever.arm2 + lever.gyration2;
    if (!(spread > 0.0f)) {
        return length > 0.0f ? 1.0f / (lever.mass * length) : 0.0f;
    }
    float turning = sqrtf(lever.arm2) / (lever.mass * spread);
    return length > 0.0f ? sn_max(turning, 1.0f / (lever.mass * length)) : turning;
}

// The force of the rows that keep its points together; what bounds carry past it does not count
// (body_bounds.c).
static float tension_of(const sn_constraint_data *data)
{
    bool is_point = data->kind == SN_BALL || data->kind == SN_HINGE || data->kind == SN_FIXED;
    const float *impulse = data->impulses;
    if (!(data->sub_step > 0.0f) || (!is_point && data->kind != SN_DISTANCE)) {
        return 0.0f;
    }
    return (is_point ? sn_length(sn_v(impulse[0], impulse[1], impulse[2])) : sn_abs(impulse[0])) /
           data->sub_step;
}

static void ask_of_ends(const sn_sub_step_demands *demands, const int member[2], float rate2,
                        sn_sub_step_cause cause)
{
    ask_for_rate(demands, member[0] >= 0 ? member[0] : member[1], rate2, cause);
    ask_for_rate(demands, member[1] >= 0 ? member[1] : member[0], rate2, cause);
}

static void ask_for_joints(const sn_sub_step_demands *demands)
{
    sn_world *world = (sn_world *)demands->world;
    float omega_h = 2.0f * SN_PI * world->def.constraint_stiffness; // of hard rows
    for (int i = 0; i < world->active_constraints.count; ++i) {
        int index = world->active_constraints.data[i];
        const int *member = world->constraint_links.data[index].member;
        if (!sn_member_is_dynamic_body(world, member[0]) && !sn_member_is_dynamic_body(world, member[1])) {
            continue; // nothing that lightness_of() knows
        }
        const sn_constraint_common *common = &world->constraints.data[index].definition.common;
        bool is_rod = world->constraints.data[index].kind == SN_DISTANCE;
        float length =
            is_rod ? sn_distance_between(sn_point_now(world, &common->a), sn_point_now(world, &common->b))
                   : 0.0f;
        float lightness =
            sn_max(lightness_of(world, &common->a, length), lightness_of(world, &common->b, length));
        float rate2 = lightness * tension_of(&world->constraints.data[index]);
        ask_of_ends(demands, member, rate2, SN_SUB_STEPS_TENSION);
        float turned = sn_joint_turning(world, index) / (omega_h * omega_h * MOST_BENT);
        float most = MOST_BENT_SUB_STEPS / demands->duration;
        ask_of_ends(demands, member, TAUT_SHARE * TAUT_SHARE * sn_min(turned, most * most),
                    SN_SUB_STEPS_TORQUE);
    }
}

void sn_world_ask_for_sub_steps(const sn_sub_step_demands *demands)
{
    const sn_world_def *def = &demands->world->def;
    if (def->sub_steps > 0 && !def->long_range.sub_steps) {
        return;
    }
    ask_for_small(demands);
    if (demands->hung != NULL) {
        sn_world_each_hanging(demands->world, demands->hung, ask_for_hanging, (void *)demands);
    }
    if (def->long_range.sub_steps) {
        if (demands->hung != NULL) {
            sn_world_each_jerk(demands->world, demands->hung, demands->duration, ask_for_jerk,
                               (void *)demands);
        }
        ask_for_pressing(demands);
        ask_for_bridges(demands);
        ask_for_laden(demands);
        ask_for_elements(demands);
        ask_for_columns(demands);
        ask_for_edges(demands);
        ask_for_pressure(demands);
        ask_for_air(demands);
        ask_for_joints(demands);
    }
}

float sn_world_least_sub_steps(const sn_world *world, float duration, bool deforms)
{
    if (world->def.sub_steps > 0) {
        return (float)world->def.sub_steps;
    }
    if (world->def.solver == SN_SOLVER_POSITION) {
        float by_duration = deforms ? floorf(duration * POSITION_SUB_STEPS_PER_SECOND) : 0.0f;
        return sn_max(POSITION_SUB_STEPS, by_duration);
    }
    return deforms ? sn_max((float)DEFORMABLE_SUB_STEPS, floorf(duration * SUB_STEPS_PER_SECOND))
                   : (float)DEFAULT_SUB_STEPS;
}
