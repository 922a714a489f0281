// Support (methods E.6, J.5): what stands, stands for ever, without sleep.
//
// A body is supported if it has stood still for a while, and the forces of its contacts, all inside their
// friction cones, balance its weight and what it carries, in force and in torque: these forces prove that
// rigid bodies would stand. That takes the place of the test whether the mass centre is above the polygon of
// the supporting contacts; it is the same for what lies on what, knows the loads of neighbours, and holds for
// what leans and thrusts too. The solver sees a supported body as immovable. Contacts between two of them are
// not solved and keep their forces, for events, for queries, and for the balance: where what is not supported
// presses otherwise than before, the balance fails and the body is released. Where something hits, a support
// moves or goes, or a user intervenes, all that stands together is released at once.
// Tested by tests/physics/rigid/test_support.c.
#include "world/graph/support.h"

#include "constraint/contact.h"

// How long a body stands still before it is supported [s]; with less than this part of gravity as
// acceleration, and moving by less than this part of its size.
#define STILL_TIME         0.25f
#define STILL_ACCELERATION 1.0e-3f
#define STILL_WAY          0.01f
// Parts of the forces on a body that may be out of balance: beyond the first the body is released, beyond the
// second all that stands with it.
#define UNBALANCED 0.02f
#define DISTURBED  0.2f
// Contacts nearer than this to their friction cone slide. Parts of loads that must have settled.
#define SLIDING 0.99f
#define SETTLED 0.03f

// --- balance -----------------------------------------------------------------------------------------

typedef struct balance {
    sn_vec3 force, torque; // of contacts and weight, about the mass centre [N, N m]
    float load;            // sum of the normal forces [N]
    float unsettled;       // the part of it that references do not carry yet [N]
    bool slides;
} balance;

static void add_patch(balance *sum, const sn_patch *patch, bool is_b, float friction, float rate)
{
    float sign = is_b ? rate : -rate, pressure = 0.0f;
    for (int i = 0; i < patch->count; ++i) {
        const sn_patch_point *point = &patch->points[i];
        sn_vec3 force = sn_scale(patch->normal, sign * point->normal_impulse);
        sum->force = sn_add(sum->force, force);
        sum->torque = sn_add(sum->torque, sn_cross(is_b ? point->arm_b : point->arm_a, force));
        sum->unsettled += rate * (point->normal_impulse - point->reference);
        pressure += rate * point->normal_impulse;
    }
    sn_vec3 arm_a, arm_b, tangential = sn_scale(patch->friction_impulse, sign);
    sn_patch_friction_center(patch, &arm_a, &arm_b);
    sum->force = sn_add(sum->force, tangential);
    sum->torque = sn_add(sum->torque, sn_cross(is_b ? arm_b : arm_a, tangential));
    sum->torque = sn_add(sum->torque, sn_scale(patch->normal, sign * patch->twist_impulse));
    sum->torque = sn_add(sum->torque, sn_scale(patch->rolling_impulse, sign));
    sum->load += pressure;
    sum->slides |= pressure > 0.0f && sn_length(tangential) > SLIDING * friction * pressure &&
                   sn_length(tangential) > UNBALANCED * sum->load;
}

static balance balance_of(const sn_world *world, const sn_body *body)
{
    balance sum = {.force = sn_scale(world->def.gravity, body->gravity_scale * body->mass)};
    for (int edge = body->first_contact; edge >= 0; edge = world->contacts.data[edge >> 1].next[edge & 1]) {
        const sn_contact_data *contact = &world->contacts.data[edge >> 1];
        for (int k = 0; k < contact->patches.count && contact->sub_step > 0.0f; ++k) {
            add_patch(&sum, &contact->patches.data[k], (edge & 1) != 0, contact->friction,
                      1.0f / contact->sub_step);
        }
    }
    return sum;
}

static bool is_balanced(const sn_body *body, const balance *sum, float part)
{
    return sn_length(sum->force) <= part * sum->load &&
           sn_length(sum->torque) <= part * sum->load * 0.5f * body->outer_radius;
}

// --- standing still ----------------------------------------------------------------------------------

static float speed_of(const sn_body *body)
{
    return sn_length(body->linear_velocity) + sn_length(body->angular_velocity) * body->outer_radius;
}

// Whether something that moves by itself touches it: a kinematic body, a surface that moves.
static bool is_driven(const sn_world *world, const sn_body *body)
{
    for (int edge = body->first_contact; edge >= 0; edge = world->contacts.data[edge >> 1].next[edge & 1]) {
        const sn_contact_data *contact = &world->contacts.data[edge >> 1];
        const sn_body *other = &world->bodies.data[edge & 1 ? contact->body_a : contact->body_b];
        if (contact->patches.count > 0 && (contact->has_surface_velocity || sn_body_is_driven(other))) {
            return true;
        }
    }
    return false;
}

// Constraints and deformables are not in the balance; locked bodies are held by more than contacts.
static bool may_stand(const sn_world *world, const sn_body *body)
{
    return sn_body_is_dynamic(body) && body->first_constraint < 0 && body->locks == 0 &&
           !body->touches_soft && sn_length_squared(body->force) + sn_length_squared(body->torque) == 0.0f &&
           !is_driven(world, body);
}

static bool stands_still(const sn_world *world, const sn_body *body, const sn_start_pose *start,
                         float duration)
{
    float g = sn_length(world->def.gravity) * sn_abs(body->gravity_scale);
    float limit = sn_min(STILL_ACCELERATION * g * STILL_TIME, STILL_WAY * body->outer_radius / STILL_TIME);
    float way = sn_distance_between(body->center, start->center);
    if (!(speed_of(body) < limit) || way > limit * duration || !may_stand(world, body)) {
        return false;
    }
    balance sum = balance_of(world, body);
    bool settled = !world->def.long_range.settle || sum.unsettled <= SETTLED * sum.load;
    return settled && !sum.slides && is_balanced(body, &sum, 0.5f * UNBALANCED);
}

static bool has_support(const sn_world *world)
{
    return world->def.long_range.support && world->def.solver == SN_SOLVER_VELOCITY;
}

static void begin_support(sn_world *world, sn_body *body)
{
    if (!body->is_supported) {
        body->is_supported = true;
        body->linear_velocity = body->angular_velocity = sn_v(0.0f, 0.0f, 0.0f);
    }
    ++world->last.supported_count;
}

// Islands begin to stand as a whole: immovable bodies among moving ones would disturb these. Does nothing
// without memory.
void sn_stage_support(sn_world *world, float duration)
{
    sn_islands islands;
    int count = world->awake_bodies.count;
    bool *moves = sn_arena_take_zero(&world->arena, (size_t)count + 1, sizeof *moves);
    if (!has_support(world) || moves == NULL || !sn_world_find_islands(world, false, &islands)) {
        return;
    }
    for (int i = 0; i < count; ++i) {
        sn_body *body = &world->bodies.data[world->awake_bodies.data[i]];
        if (!body->is_supported && body->type == SN_DYNAMIC) {
            bool still = stands_still(world, body, &world->start_poses[i], duration);
            body->still_time = still ? body->still_time + duration : 0.0f;
            moves[sn_island_root(&islands, i)] |= body->still_time < STILL_TIME;
        }
    }
    for (int i = 0; i < count; ++i) {
        sn_body *body = &world->bodies.data[world->awake_bodies.data[i]];
        if (body->is_supported || (sn_body_is_dynamic(body) && !moves[sn_island_root(&islands, i)])) {
            begin_support(world, body);
        }
    }
}

// --- release -----------------------------------------------------------------------------------------

// Bodies to be released with all that stands with them.
typedef struct release {
    sn_world *world;
    int *queue;
    int count;
} release;

static void release_body(release *list, int index)
{
    sn_body *body = &list->world->bodies.data[index];
    if (body->is_supported || body->releases) {
        body->is_supported = body->releases = false;
        body->still_time = 0.0f;
        list->queue[list->count++] = index;
    }
}

// The mass that hits, for one that is driven that of what is hit.
static float hitting_mass(const sn_body *other, const sn_body *body)
{
    return sn_body_is_dynamic(other) ? other->mass : body->mass;
}

// The force that would stop what comes at a supported body within the step. [N]
static float impact_force(const sn_world *world, const sn_contact_data *contact, const sn_body *body,
                          const sn_body *other, float duration)
{
    const sn_body *a = &world->bodies.data[contact->body_a], *b = &world->bodies.data[contact->body_b];
    float fastest = 0.0f;
    for (int k = 0; k < contact->patches.count; ++k) {
        const sn_patch *patch = &contact->patches.data[k];
        for (int i = 0; i < patch->count; ++i) {
            const sn_patch_point *point = &patch->points[i];
            sn_vec3 at_a = sn_add(a->linear_velocity, sn_cross(a->angular_velocity, point->arm_a));
            sn_vec3 at_b = sn_add(b->linear_velocity, sn_cross(b->angular_velocity, point->arm_b));
            float approach = sn_dot(sn_sub(at_a, at_b), patch->normal);
            fastest = sn_max(fastest, point->separation < approach * duration ? approach : 0.0f);
        }
    }
    return hitting_mass(other, body) * fastest / duration;
}

static bool is_hit(const sn_world *world, const sn_body *body, float load, float duration)
{
    for (int edge = body->first_contact; edge >= 0; edge = world->contacts.data[edge >> 1].next[edge & 1]) {
        const sn_contact_data *contact = &world->contacts.data[edge >> 1];
        const sn_body *other = &world->bodies.data[edge & 1 ? contact->body_a : contact->body_b];
        if (other->awake_index >= 0 && !other->is_supported && contact->patches.count > 0 &&
            impact_force(world, contact, body, other, duration) > DISTURBED * load) {
            return true;
        }
    }
    return false;
}

static void test_body(release *list, int index, float duration)
{
    sn_world *world = list->world;
    sn_body *body = &world->bodies.data[index];
    balance sum = balance_of(world, body);
    if (!may_stand(world, body) || !is_balanced(body, &sum, DISTURBED) ||
        is_hit(world, body, sum.load, duration)) {
        release_body(list, index);
    } else if (!is_balanced(body, &sum, UNBALANCED)) {
        body->is_supported = false;
        body->still_time = 0.0f;
    }
}

static void mark_soft_touched(sn_world *world)
{
    for (int i = 0; i < world->awake_bodies.count && world->deformable_ids.used > 0; ++i) {
        world->bodies.data[world->awake_bodies.data[i]].touches_soft = false;
    }
    for (int i = world->soft.asleep_count; i < world->soft.contacts.count; ++i) {
        int members[2];
        if (sn_world_soft_contact_joins(world, &world->soft.contacts.data[i], members) &&
            !sn_member_is_soft(members[1])) {
            world->bodies.data[members[1]].touches_soft = true;
        }
    }
}

bool sn_stage_release(sn_world *world, float duration)
{
    release list = {world, sn_arena_take(&world->arena, (size_t)world->bodies.count, sizeof(int)), 0};
    if (list.queue == NULL) {
        return false;
    }
    mark_soft_touched(world);
    for (int i = 0; i < world->awake_bodies.count; ++i) {
        int index = world->awake_bodies.data[i];
        const sn_body *body = &world->bodies.data[index];
        if (body->releases || (body->is_supported && !has_support(world))) {
            release_body(&list, index);
        } else if (body->is_supported) {
            test_body(&list, index, duration);
        }
    }
    for (int next = 0; next < list.count; ++next) {
        const sn_body *body = &world->bodies.data[list.queue[next]];
        for (int edge = body->first_contact; edge >= 0;
             edge = world->contacts.data[edge >> 1].next[edge & 1]) {
            const sn_contact_data *contact = &world->contacts.data[edge >> 1];
            if (contact->patches.count > 0) {
                release_body(&list, edge & 1 ? contact->body_a : contact->body_b);
            }
        }
    }
    return true;
}
