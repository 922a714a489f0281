// Cold start: what was added at rest begins with the impulses that hold it, found by sweeps without motion.
//
// Without them contacts would carry nothing at first and everything would fall into its springs: a stack of
// twenty boxes by 8 mm. First bodies are taken from the top down, each with the load that those above have
// given it; contacts below carry it as if what is there could not move, and hand it on (shock propagation).
// That is exact for what stands on what. Then Gauss–Seidel goes over all contacts with all masses, for what
// leans and thrusts. Velocities are those that one sub-step of gravity and forces would give.
// Tested by tests/physics/rigid/test_cold_start.c.
#include "world/core/cold_start.h"

#include "base/tuple_sort.h"
#include "constraint/contact.h"
#include "math/dense.h"

#include <string.h>

// Most sweeps over all contacts, and most visits of a contact in all of them together.
enum { MOST_SWEEPS = 2000, MOST_VISITS = 400000 };
// Sweeps end when no body is left with more than this part of the velocity that a sub-step of gravity gives.
#define RESIDUE 1.0e-3f
// Points this many times as far apart as a body falls in a sub-step count as touching.
#define REACH 10.0f

typedef struct start_body {
    sn_vec3 linear, angular;
    sn_response response;
    float height, radius;
    int index; // the world's; −1 if it takes no part
} start_body;

typedef struct start {
    sn_world *world;
    start_body *bodies; // by place
    int *order;         // places, the highest first
    int count;
    sn_vec3 up;
    float h, fall; // length of a sub-step; how far and how fast things fall in one
} start;

static start_body *start_body_of(const start *start, int body)
{
    int place = start->world->bodies.data[body].awake_index;
    start_body *found = place >= 0 ? &start->bodies[place] : NULL;
    return found != NULL && found->index >= 0 ? found : NULL;
}

// --- rows ------------------------------------------------------------------------------------------

// One end of a row along some direction; what is no body does not move.
typedef struct row_end {
    start_body *body;
    sn_vec3 arm;
} row_end;

static float speed_at(const row_end *end, sn_vec3 direction)
{
    if (end->body == NULL) {
        return 0.0f;
    }
    return sn_dot(sn_add(end->body->linear, sn_cross(end->body->angular, end->arm)), direction);
}

static float response_at(const row_end *end, sn_vec3 direction)
{
    if (end->body == NULL) {
        return 0.0f;
    }
    sn_vec3 turn = sn_cross(end->arm, direction);
    return sn_dot(direction, sn_mul(end->body->response.inverse_mass, direction)) +
           sn_dot(turn, sn_sym3_apply(end->body->response.inverse_inertia, turn));
}

static void push_end(const row_end *end, sn_vec3 impulse)
{
    if (end->body != NULL) {
        start_body *body = end->body;
        body->linear = sn_add(body->linear, sn_mul(body->response.inverse_mass, impulse));
        body->angular =
            sn_add(body->angular, sn_sym3_apply(body->response.inverse_inertia, sn_cross(end->arm, impulse)));
    }
}

static void push_ends(const row_end ends[2], sn_vec3 impulse)
{
    push_end(&ends[0], sn_scale(impulse, -1.0f));
    push_end(&ends[1], impulse);
}

// By how much the impulse of the row must change to stop it; 0 if nothing in it moves.
static float stopping_impulse(const row_end ends[2], sn_vec3 direction)
{
    float response = response_at(&ends[0], direction) + response_at(&ends[1], direction);
    return response > 0.0f ? (speed_at(&ends[0], direction) - speed_at(&ends[1], direction)) / response
                           : 0.0f;
}

static void solve_friction(row_end ends[2], sn_patch *patch, float friction)
{
    float pressure = 0.0f;
    for (int i = 0; i < patch->count; ++i) {
        pressure += patch->points[i].normal_impulse;
    }
    sn_patch_friction_center(patch, &ends[0].arm, &ends[1].arm);
    sn_vec3 tangent = sn_perpendicular(patch->normal), bitangent = sn_cross(patch->normal, tangent);
    sn_vec3 old = patch->friction_impulse, new = old;
    new = sn_add_scaled(new, stopping_impulse(ends, tangent), tangent);
    push_ends(ends, sn_sub(new, old));
    new = sn_add_scaled(new, stopping_impulse(ends, bitangent), bitangent);
    float length = sn_length(new), limit = friction * pressure;
    sn_vec3 held = length > limit ? sn_scale(new, limit / length) : new;
    sn_vec3 first = sn_add_scaled(old, sn_dot(sn_sub(new, old), tangent), tangent);
    push_ends(ends, sn_sub(held, first));
    patch->friction_impulse = held;
}

// About the normal, within what friction at the points' distances from their middle can give.
static void solve_twist(const row_end ends[2], sn_patch *patch, float friction)
{
    sn_vec3 center_a, center_b, n = patch->normal;
    sn_patch_friction_center(patch, &center_a, &center_b);
    float limit = 0.0f, response = 0.0f, spin = 0.0f;
    for (int i = 0; i < patch->count; ++i) {
        limit += friction * patch->points[i].normal_impulse *
                 sn_distance_between(patch->points[i].arm_a, center_a);
    }
    for (int side = 0; side < 2; ++side) {
        if (ends[side].body != NULL) {
            response += sn_dot(n, sn_sym3_apply(ends[side].body->response.inverse_inertia, n));
            spin += (side ? 1.0f : -1.0f) * sn_dot(ends[side].body->angular, n);
        }
    }
    float old = patch->twist_impulse, wanted = response > 0.0f ? old - spin / response : old;
    patch->twist_impulse = sn_clamp(wanted, -limit, limit);
    for (int side = 0; side < 2; ++side) {
        start_body *body = ends[side].body;
        if (body != NULL) {
            sn_vec3 turn = sn_scale(n, (side ? 1.0f : -1.0f) * (patch->twist_impulse - old));
            body->angular = sn_add(body->angular, sn_sym3_apply(body->response.inverse_inertia, turn));
        }
    }
}

static void solve_patch(const start *start, row_end ends[2], sn_patch *patch, float friction)
{
    for (int i = 0; i < patch->count; ++i) {
        sn_patch_point *point = &patch->points[i];
        if (point->separation > REACH * start->fall * start->h) {
            continue;
        }
        ends[0].arm = point->arm_a;
        ends[1].arm = point->arm_b;
        float old = point->normal_impulse;
        point->normal_impulse = sn_max(old + stopping_impulse(ends, patch->normal), 0.0f);
        push_ends(ends, sn_scale(patch->normal, point->normal_impulse - old));
    }
    solve_friction(ends, patch, friction);
    solve_twist(ends, patch, friction);
}

// --- bodies that take part -------------------------------------------------------------------------

static bool is_slow(const sn_body *body, float limit)
{
    return sn_length(body->linear_velocity) + sn_length(body->angular_velocity) * body->outer_radius < limit;
}

// Overlaps deeper than this part of a body are pushed apart first.
#define DEEP 0.01f

static bool is_deep(const sn_contact_data *contact, float radius)
{
    for (int k = 0; k < contact->patches.count; ++k) {
        for (int i = 0; i < contact->patches.data[k].count; ++i) {
            if (contact->patches.data[k].points[i].separation < -DEEP * radius) {
                return true;
            }
        }
    }
    return false;
}

// Whether all that moves in a contact takes part: what moves otherwise keeps the impulses it has.
static bool is_started(const start *start, const sn_contact_data *contact)
{
    if (contact->patches.count == 0) {
        return false;
    }
    for (int side = 0; side < 2; ++side) {
        int index = side ? contact->body_b : contact->body_a;
        const sn_body *body = &start->world->bodies.data[index];
        if (sn_body_is_dynamic(body) && is_deep(contact, body->outer_radius)) {
            return false;
        }
        if (body->type == SN_KINEMATIC ? body->awake_index >= 0
                                       : sn_body_is_dynamic(body) && start_body_of(start, index) == NULL) {
            return false;
        }
    }
    return true;
}

// Fits the impulses of a contact to sub-steps of length h, and applies them to the bodies that take part.
static void apply_kept(const start *start, sn_contact_data *contact)
{
    float scale = sn_impulse_scale(contact->sub_step, start->h);
    contact->sub_step = start->h;
    row_end ends[2] = {{.body = start_body_of(start, contact->body_a)},
                       {.body = start_body_of(start, contact->body_b)}};
    for (int k = 0; k < contact->patches.count; ++k) {
        sn_patch *patch = &contact->patches.data[k];
        patch->friction_impulse = sn_scale(patch->friction_impulse, scale);
        patch->rolling_impulse = sn_scale(patch->rolling_impulse, scale);
        patch->twist_impulse *= scale;
        sn_patch_friction_center(patch, &ends[0].arm, &ends[1].arm);
        push_ends(ends, patch->friction_impulse);
        for (int i = 0; i < patch->count; ++i) {
            sn_patch_point *point = &patch->points[i];
            point->normal_impulse *= scale;
            point->reference *= scale;
            ends[0].arm = point->arm_a;
            ends[1].arm = point->arm_b;
            push_ends(ends, sn_scale(patch->normal, point->normal_impulse));
        }
    }
}

// Bodies of islands with new ones that stand still and that no constraint holds. False if there are none.
static bool choose_bodies(start *start, const bool *has_new)
{
    sn_world *world = start->world;
    const sn_solve_classes *classes = &world->classes;
    bool any = false;
    for (int i = 0; i < start->count; ++i) {
        int index = world->awake_bodies.data[i];
        const sn_body *body = &world->bodies.data[index];
        start_body *target = &start->bodies[i];
        bool takes_part = sn_body_is_dynamic(body) && has_new[classes->load_of[i]] &&
                          body->first_constraint < 0 && body->locks == 0 && is_slow(body, 2.0f * start->fall);
        *target = (start_body){.index = takes_part ? index : -1,
                               .height = sn_dot(body->center, start->up),
                               .radius = body->outer_radius};
        if (takes_part) {
            target->response = sn_body_response(body);
            sn_vec3 weight = sn_scale(world->def.gravity, body->gravity_scale * body->mass);
            target->linear =
                sn_scale(sn_mul(target->response.inverse_mass, sn_add(weight, body->force)), start->h);
            any = true;
        }
    }
    return any;
}

// --- sweeps ------------------------------------------------------------------------------------------

// The speed that is left, at the rim.
static float residue_of(const start_body *body)
{
    return sn_length(body->linear) + sn_length(body->angular) * body->radius;
}

// --- handing loads down ------------------------------------------------------------------------------

// A unit impulse on a body that one of the contacts below it can give: along the normal of a point, or along
// the surface at the middle of a patch.
typedef struct column {
    sn_patch *patch;
    int point; // −1 along the surface
    float friction;
    sn_vec3 direction;
    row_end own, other;
    float wrench[6]; // force, torque by radius
    float impulse;
    bool is_used;
} column;

enum { MOST_COLUMNS = 96, ROUNDS = 8 };
// Friction takes this part of what normals take of a load that both can carry.
#define FRICTION_PART 0.1f

static void add_column(column *columns, int *count, column new, float radius)
{
    if (*count < MOST_COLUMNS) {
        sn_vec3 torque = sn_scale(sn_cross(new.own.arm, new.direction), 1.0f / radius);
        float wrench[6] = {new.direction.x, new.direction.y, new.direction.z, torque.x, torque.y, torque.z};
        memcpy(new.wrench, wrench, sizeof wrench);
        new.is_used = true;
        columns[(*count)++] = new;
    }
}

static void add_patch(const start *start, column *columns, int *count, column base, bool is_b)
{
    sn_vec3 arms[2] = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    int touching = 0;
    float radius = base.own.body->radius;
    for (int i = 0; i < base.patch->count; ++i) {
        const sn_patch_point *point = &base.patch->points[i];
        if (point->separation <= REACH * start->fall * start->h) {
            base.point = i;
            base.direction = sn_scale(base.patch->normal, is_b ? 1.0f : -1.0f);
            base.own.arm = is_b ? point->arm_b : point->arm_a;
            base.other.arm = is_b ? point->arm_a : point->arm_b;
            add_column(columns, count, base, radius);
            arms[0] = sn_add(arms[0], base.own.arm);
            arms[1] = sn_add(arms[1], base.other.arm);
            ++touching;
        }
    }
    base.point = -1;
    base.own.arm = sn_scale(arms[0], touching > 0 ? 1.0f / (float)touching : 0.0f);
    base.other.arm = sn_scale(arms[1], touching > 0 ? 1.0f / (float)touching : 0.0f);
    sn_vec3 tangent = sn_perpendicular(base.patch->normal);
    for (int k = 0; k < 2 && touching > 0; ++k) {
        base.direction = k == 0 ? tangent : sn_cross(base.patch->normal, tangent);
        add_column(columns, count, base, radius);
    }
}

static int list_columns(const start *start, int index, column *columns)
{
    sn_world *world = start->world;
    int count = 0;
    for (int edge = world->bodies.data[index].first_contact; edge >= 0;
         edge = world->contacts.data[edge >> 1].next[edge & 1]) {
        sn_contact_data *contact = &world->contacts.data[edge >> 1];
        bool is_b = (edge & 1) != 0;
        if (contact->active_index < 0 || !is_started(start, contact)) {
            continue;
        }
        column base = {.own = {.body = start_body_of(start, index)},
                       .other = {.body = start_body_of(start, is_b ? contact->body_a : contact->body_b)},
                       .friction = contact->friction};
        for (int k = 0; k < contact->patches.count; ++k) {
            base.patch = &contact->patches.data[k];
            if ((is_b ? 1.0f : -1.0f) * sn_dot(base.patch->normal, start->up) > 0.0f) {
                add_patch(start, columns, &count, base, is_b);
            }
        }
    }
    return count;
}

// The smallest impulses of the columns in use that together give the wrench: W Aᵀ (A W Aᵀ)⁻¹ w.
static void share_wrench(column *columns, int count, const float *wanted)
{
    float matrix[21] = {0}, solution[6];
    for (int c = 0; c < count; ++c) {
        float weight = columns[c].is_used ? (columns[c].point >= 0 ? 1.0f : FRICTION_PART) : 0.0f;
        for (int i = 0; i < 6; ++i) {
            for (int j = 0; j <= i; ++j) {
                matrix[sn_packed(i, j)] += weight * columns[c].wrench[i] * columns[c].wrench[j];
            }
        }
    }
    memcpy(solution, wanted, sizeof solution);
    sn_ldl_factor(matrix, 6);
    sn_ldl_solve(matrix, 6, solution);
    for (int c = 0; c < count; ++c) {
        float weight = columns[c].is_used ? (columns[c].point >= 0 ? 1.0f : FRICTION_PART) : 0.0f, sum = 0.0f;
        for (int i = 0; i < 6; ++i) {
            sum += columns[c].wrench[i] * solution[i];
        }
        columns[c].impulse = weight * sum;
    }
}

static void apply_column(const column *column, bool is_b)
{
    float impulse = column->impulse;
    if (column->point >= 0) {
        sn_patch_point *point = &column->patch->points[column->point];
        impulse = sn_max(impulse, -point->normal_impulse);
        point->normal_impulse += impulse;
    } else {
        float pressure = 0.0f;
        for (int i = 0; i < column->patch->count; ++i) {
            pressure += column->patch->points[i].normal_impulse;
        }
        impulse = sn_clamp(impulse, -column->friction * pressure, column->friction * pressure);
        column->patch->friction_impulse =
            sn_add_scaled(column->patch->friction_impulse, is_b ? impulse : -impulse, column->direction);
    }
    push_end(&column->own, sn_scale(column->direction, impulse));
    push_end(&column->other, sn_scale(column->direction, -impulse));
}

// Contacts below a body take its load and hand it on. Points that would have to pull are left out.
static void hand_down(const start *start, int index)
{
    column columns[MOST_COLUMNS];
    int count = list_columns(start, index, columns);
    start_body *own = start_body_of(start, index);
    const sn_body *body = &start->world->bodies.data[index];
    sn_vec3 force = sn_scale(own->linear, -body->mass);
    sn_vec3 torque = sn_scale(sn_sym3_apply(sn_sym3_inverse(own->response.inverse_inertia), own->angular),
                              -1.0f / own->radius);
    float wanted[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
    bool pulls = count > 0;
    for (int round = 0; round < ROUNDS && pulls; ++round) {
        share_wrench(columns, count, wanted);
        pulls = false;
        for (int c = 0; c < count; ++c) {
            if (columns[c].point >= 0 && columns[c].is_used &&
                columns[c].patch->points[columns[c].point].normal_impulse + columns[c].impulse < 0.0f) {
                columns[c].is_used = false;
                pulls = true;
            }
        }
    }
    for (int c = 0; c < count; ++c) {
        bool is_b = sn_dot(columns[c].patch->normal, start->up) > 0.0f;
        if (columns[c].is_used) {
            apply_column(&columns[c], is_b);
        }
    }
}

static bool is_at_rest(const start *start)
{
    for (int i = 0; i < start->count; ++i) {
        const start_body *body = &start->bodies[i];
        if (body->index >= 0 && residue_of(body) > RESIDUE * start->fall) {
            return false;
        }
    }
    return true;
}

static void sweep_all(const start *start, bool backwards)
{
    sn_world *world = start->world;
    int count = world->active_contacts.count;
    for (int i = 0; i < count; ++i) {
        sn_contact_data *contact =
            &world->contacts.data[world->active_contacts.data[backwards ? count - 1 - i : i]];
        row_end ends[2] = {{.body = start_body_of(start, contact->body_a)},
                           {.body = start_body_of(start, contact->body_b)}};
        if ((ends[0].body == NULL && ends[1].body == NULL) || !is_started(start, contact)) {
            continue;
        }
        for (int k = 0; k < contact->patches.count; ++k) {
            solve_patch(start, ends, &contact->patches.data[k], contact->friction);
        }
    }
}

// --- the whole ---------------------------------------------------------------------------------------

typedef struct ranked {
    float height;
    int place;
} ranked;

static int highest_first(const void *a, const void *b)
{
    const ranked *first = a, *second = b;
    if (first->height != second->height) {
        return first->height > second->height ? -1 : 1;
    }
    return first->place - second->place;
}

// What is carried now is a load: springs carry it without giving way.
static void set_references(const start *start)
{
    sn_world *world = start->world;
    for (int i = 0; i < world->active_contacts.count; ++i) {
        sn_contact_data *contact = &world->contacts.data[world->active_contacts.data[i]];
        bool moves =
            start_body_of(start, contact->body_a) != NULL || start_body_of(start, contact->body_b) != NULL;
        for (int k = 0; k < contact->patches.count && moves && is_started(start, contact); ++k) {
            sn_patch *patch = &contact->patches.data[k];
            for (int p = 0; p < patch->count; ++p) {
                patch->points[p].reference = patch->points[p].normal_impulse;
            }
        }
    }
}

static bool start_class(sn_world *world, float h, const bool *has_new)
{
    int count = world->awake_bodies.count;
    float g = sn_length(world->def.gravity);
    start start = {.world = world,
                   .bodies = sn_arena_take(&world->arena, (size_t)count, sizeof(start_body)),
                   .count = count,
                   .up = sn_scale(world->def.gravity, -1.0f / g),
                   .h = h,
                   .fall = g * h};
    ranked *order = sn_arena_take(&world->arena, (size_t)count, sizeof *order);
    if (start.bodies == NULL || order == NULL) {
        return false;
    }
    if (!choose_bodies(&start, has_new)) {
        return true;
    }
    for (int i = 0; i < world->active_contacts.count; ++i) {
        sn_contact_data *contact = &world->contacts.data[world->active_contacts.data[i]];
        if (start_body_of(&start, contact->body_a) != NULL ||
            start_body_of(&start, contact->body_b) != NULL) {
            apply_kept(&start, contact);
        }
    }
    for (int i = 0; i < count; ++i) {
        order[i] = (ranked){start.bodies[i].height, i};
    }
    sn_sort_in_place(order, count, sizeof *order, highest_first);
    for (int i = 0; i < count; ++i) {
        int index = start.bodies[order[i].place].index;
        if (index >= 0) {
            hand_down(&start, index);
        }
    }
    int sweeps = MOST_VISITS / (world->active_contacts.count + 1);
    for (int i = 0; i < sweeps && i < MOST_SWEEPS && !is_at_rest(&start); ++i) {
        sweep_all(&start, (i & 1) != 0);
    }
    set_references(&start);
    return true;
}

// Islands with bodies that have never been solved; those are known from now on.
static bool find_new(sn_world *world, bool *has_new)
{
    bool any = false;
    for (int i = 0; i < world->awake_bodies.count; ++i) {
        sn_body *body = &world->bodies.data[world->awake_bodies.data[i]];
        if (body->is_new && sn_body_is_dynamic(body)) {
            has_new[world->classes.load_of[i]] = any = true;
        }
        body->is_new = false;
    }
    return any;
}

bool sn_world_start_contacts(sn_world *world, float duration)
{
    if (world->classes.loads == NULL || !world->def.long_range.settle) {
        return true;
    }
    bool *has_new = sn_arena_take_zero(&world->arena, (size_t)world->awake_bodies.count, sizeof *has_new);
    if (has_new == NULL) {
        return false;
    }
    return !find_new(world, has_new) ||
           start_class(world, duration / (float)world->classes.sub_steps[0], has_new);
}
