// Unions of bodies: which there are, and what they are as one body.
#include "world/constraints/unions.h"

#include <math.h>
#include <string.h>

// Members may be this far from where their joints put them, as part of their distance and size, and be turned
// by as much [rad]: beyond, rows bring them there first. Loops of joints that close worse are left to rows.
#define LOOSE 1.0e-3f

// --- which there are ---------------------------------------------------------------------------------------

static bool is_weld(const sn_world *world, int index)
{
    const sn_constraint_data *data = &world->constraints.data[index];
    const sn_constraint_common *common = &data->definition.common;
    return data->kind == SN_FIXED && world->constraint_links.data[index].is_on &&
           common->compliance == 0.0f && common->angular_compliance == 0.0f &&
           common->a.type == SN_POINT_RIGID && common->b.type == SN_POINT_RIGID;
}

// What else may keep a body out of a union is looked at in every step: membership follows from constraints
// and types of bodies alone, so that it is the same after restoring.
static bool may_belong(const sn_world *world, int body)
{
    return sn_id_pool_in_use(&world->body_ids, body) && world->bodies.data[body].type == SN_DYNAMIC;
}

static bool can_unite(const sn_body *body)
{
    return body->awake_index >= 0 && sn_body_is_dynamic(body) && body->locks == 0 && body->mass > 0.0f;
}

// Whether something holds the body that unions do not know: nodes, or what is met exactly.
static bool is_held_otherwise(const sn_world *world, int body)
{
    for (int edge = world->bodies.data[body].first_constraint; edge >= 0;
         edge = sn_next_constraint(world, edge)) {
        int other = sn_constraint_other(world, edge);
        if ((other >= 0 && sn_member_is_soft(other)) ||
            world->constraints.data[edge >> 1].definition.common.exact) {
            return true;
        }
    }
    return false;
}

static sn_pose frame_of(const sn_point *point)
{
    return (sn_pose){point->position, sn_quat_or_identity(point->rotation)};
}

// The pose of the body at the other end of an edge, in the frame of the body at this end.
static sn_pose other_pose(const sn_world *world, int edge)
{
    const sn_constraint_common *common = &world->constraints.data[edge >> 1].definition.common;
    const sn_point *own = edge & 1 ? &common->b : &common->a, *other = edge & 1 ? &common->a : &common->b;
    sn_pose back = sn_pose_relative(frame_of(other), sn_pose_identity);
    sn_pose pose = sn_pose_multiply(frame_of(own), back);
    pose.rotation = sn_quat_normalize(pose.rotation);
    return pose;
}

static bool are_alike(sn_pose a, sn_pose b, float size)
{
    float dot = a.rotation.x * b.rotation.x + a.rotation.y * b.rotation.y + a.rotation.z * b.rotation.z +
                a.rotation.w * b.rotation.w;
    float reach = LOOSE * (size + sn_length(a.position));
    return sn_distance_between(a.position, b.position) <= reach && 1.0f - dot * dot <= 0.25f * LOOSE * LOOSE;
}

// A length to compare errors of a joint with.
static float arms_of(const sn_world *world, int index)
{
    const sn_constraint_common *common = &world->constraints.data[index].definition.common;
    return sn_length(common->a.position) + sn_length(common->b.position);
}

typedef struct flood {
    sn_world *world;
    int *place; // by body: one more than its place; −1 for bodies of unions that are not
    bool is_sound;
} flood;

static bool add_member(flood *flood, int body, int root, int parent, int joint, sn_pose offset)
{
    sn_union_member member = {body, root, parent, joint, offset};
    flood->place[body] = flood->world->unions.count + 1;
    flood->is_sound = flood->is_sound && !is_held_otherwise(flood->world, body);
    return sn_array_push(&flood->world->unions, member);
}

// Goes on from a member to those that its joints hold.
static bool visit(flood *flood, int place)
{
    sn_world *world = flood->world;
    sn_union_member from = world->unions.data[place];
    for (int edge = world->bodies.data[from.body].first_constraint; edge >= 0;
         edge = sn_next_constraint(world, edge)) {
        int other = is_weld(world, edge >> 1) ? sn_constraint_other(world, edge) : -1;
        if (other < 0 || !may_belong(world, other)) {
            continue;
        }
        sn_pose offset = sn_pose_multiply(from.offset, other_pose(world, edge));
        offset.rotation = sn_quat_normalize(offset.rotation);
        int seen = flood->place[other];
        if (seen > 0) {
            sn_pose there = world->unions.data[seen - 1].offset;
            flood->is_sound = flood->is_sound && are_alike(there, offset, arms_of(world, edge >> 1));
        } else if (!add_member(flood, other, from.root, place, edge >> 1, offset)) {
            return false;
        }
    }
    return true;
}

// The union of a body, if it is in one.
static bool flood_from(flood *flood, int body)
{
    sn_union_list *list = &flood->world->unions;
    int first = list->count;
    flood->is_sound = true;
    bool good = add_member(flood, body, first, -1, -1, sn_pose_identity);
    for (int place = first; good && place < list->count; ++place) {
        good = visit(flood, place);
    }
    if (good && (list->count == first + 1 || !flood->is_sound)) {
        for (int place = first; place < list->count; ++place) {
            flood->place[list->data[place].body] = -1;
        }
        list->count = first;
    }
    return good;
}

bool sn_stage_unions(sn_world *world)
{
    if (world->active.unions_fresh && world->active.bounds_fresh) {
        return true;
    }
    world->unions.count = 0;
    world->active.unions_fresh = false;
    // Newmark's rule keeps accelerations body by body.
    bool can_unite = world->def.solver == SN_SOLVER_VELOCITY ||
                     (world->def.solver == SN_SOLVER_POSITION && !world->def.position.newmark);
    if (world->def.long_range.unions && world->constraint_ids.used > 0 && can_unite) {
        flood flood = {world, sn_arena_take_zero(&world->arena, (size_t)world->bodies.count, sizeof(int)),
                       true};
        if (flood.place == NULL) {
            return false;
        }
        for (int i = 0; i < world->bodies.count; ++i) {
            if (flood.place[i] == 0 && may_belong(world, i) && !flood_from(&flood, i)) {
                return false;
            }
        }
    }
    world->active.unions_fresh = true;
    return true;
}

// --- as one body -------------------------------------------------------------------------------------------

// Where the joints put a member, from where the root is.
static sn_pose pose_of_member(const sn_pose *root, const sn_union_member *member)
{
    sn_pose pose = sn_pose_multiply(*root, member->offset);
    pose.rotation = sn_quat_normalize(pose.rotation);
    return pose;
}

static bool may_unite(const sn_world *world, int first, int count, const uint8_t *touches_soft)
{
    sn_pose root = sn_body_pose(&world->bodies.data[world->unions.data[first].body]);
    for (int k = first; k < first + count; ++k) {
        const sn_union_member *member = &world->unions.data[k];
        const sn_body *body = &world->bodies.data[member->body];
        sn_pose there = sn_pose_relative(root, sn_body_pose(body));
        if (!can_unite(body) || touches_soft[member->body] ||
            !are_alike(member->offset, there, body->outer_radius)) {
            return false;
        }
    }
    return true;
}

// The mass centre of a member in the frame of the root.
static sn_vec3 center_of(const sn_union_member *member, const sn_body *body)
{
    return sn_pose_apply(member->offset, body->local_center);
}

static sn_mat3 matrix_of(sn_sym3 m)
{
    return (sn_mat3){{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
}

static sn_sym3 add_shifted(sn_sym3 sum, sn_sym3 own, float mass, sn_vec3 d)
{
    float square = sn_length_squared(d);
    return (sn_sym3){sum.xx + own.xx + mass * (square - d.x * d.x),
                     sum.yy + own.yy + mass * (square - d.y * d.y),
                     sum.zz + own.zz + mass * (square - d.z * d.z),
                     sum.xy + own.xy - mass * d.x * d.y,
                     sum.xz + own.xz - mass * d.x * d.z,
                     sum.yz + own.yz - mass * d.y * d.z};
}

// Mass, centre and inertia.
static void weigh(const sn_world *world, sn_union_body *union_body)
{
    const sn_union_member *members = &world->unions.data[union_body->first];
    double mass = 0.0, center[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < union_body->count; ++k) {
        const sn_body *body = &world->bodies.data[members[k].body];
        sn_vec3 c = center_of(&members[k], body);
        double m = (double)body->mass;
        mass += m;
        center[0] += m * (double)c.x;
        center[1] += m * (double)c.y;
        center[2] += m * (double)c.z;
    }
    sn_body *all = &union_body->body;
    all->mass = (float)mass;
    all->local_center = sn_v((float)(center[0] / mass), (float)(center[1] / mass), (float)(center[2] / mass));
    sn_sym3 inertia = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    for (int k = 0; k < union_body->count; ++k) {
        const sn_body *body = &world->bodies.data[members[k].body];
        sn_sym3 own = sn_sym3_turned(sn_sym3_from(body->inertia), members[k].offset.rotation);
        sn_vec3 arm = sn_sub(center_of(&members[k], body), all->local_center);
        inertia = add_shifted(inertia, own, body->mass, arm);
    }
    all->inertia = matrix_of(inertia);
}

// From the centre of the whole to that of a member, world axes: by offsets, which are not rounded as places
// far from the origin are.
static sn_vec3d wide_arm(const sn_union_member *member, const sn_body *body, sn_vec3 center, sn_quat rotation)
{
    sn_mat3d r = sn_mat3d_from_quat(rotation);
    return sn_mat3d_apply(&r, sn_between_wide(center, center_of(member, body)));
}

static sn_vec3d arm_of(const sn_world *world, const sn_union_body *union_body, int place)
{
    const sn_union_member *member = &world->unions.data[place];
    return wide_arm(member, &world->bodies.data[member->body], union_body->body.local_center,
                    union_body->body.rotation);
}

static sn_sym3 turned_inertia(const sn_body *body)
{
    return sn_sym3_turned(sn_sym3_from(body->inertia), body->rotation);
}

// Momentum beyond that of the motion of the root is shared: members that move alike change nothing. Wide, and
// with what rounding cuts off the velocities, which would be lost in every step.
static void share_momentum(const sn_world *world, sn_union_body *union_body)
{
    sn_body *all = &union_body->body;
    const sn_body *root = &world->bodies.data[world->unions.data[union_body->first].body];
    sn_vec3d spin = sn_widen(root->angular_velocity), momentum = {0}, turning = {0};
    sn_vec3d linear = sn_sub_wide(sn_widen(root->linear_velocity),
                                  sn_cross_wide(spin, arm_of(world, union_body, union_body->first)));
    for (int k = union_body->first; k < union_body->first + union_body->count; ++k) {
        const sn_body *body = &world->bodies.data[world->unions.data[k].body];
        sn_vec3d arm = arm_of(world, union_body, k);
        sn_vec3d excess =
            sn_sub_wide(sn_widen(body->linear_velocity), sn_add_wide(linear, sn_cross_wide(spin, arm)));
        sn_vec3 turns = sn_narrow(sn_sub_wide(sn_widen(body->angular_velocity), spin));
        momentum = sn_add_scaled_wide(momentum, (double)body->mass, excess);
        turning = sn_add_scaled_wide(turning, (double)body->mass, sn_cross_wide(arm, excess));
        turning = sn_add_wide(turning, sn_widen(sn_sym3_apply(turned_inertia(body), turns)));
    }
    sn_vec3 turns = sn_sym3_apply(sn_sym3_inverse(turned_inertia(all)), sn_narrow(turning));
    sn_split(sn_add_scaled_wide(linear, 1.0 / (double)all->mass, momentum), &all->linear_velocity,
             &union_body->linear_rest);
    sn_split(sn_add_wide(spin, sn_widen(turns)), &all->angular_velocity, &union_body->angular_rest);
}

// Forces of the user; where gravity acts unequally, its torque. Damping is the mean by mass.
static void share_forces(const sn_world *world, sn_union_body *union_body, sn_member_start *starts)
{
    sn_body *all = &union_body->body;
    float linear = 0.0f, angular = 0.0f, gravity = 0.0f;
    for (int k = union_body->first; k < union_body->first + union_body->count; ++k) {
        const sn_body *body = &world->bodies.data[world->unions.data[k].body];
        linear += body->mass * body->linear_damping;
        angular += body->mass * body->angular_damping;
        gravity += body->mass * body->gravity_scale;
    }
    all->linear_damping = linear / all->mass;
    all->angular_damping = angular / all->mass;
    all->gravity_scale = gravity / all->mass;
    all->force = all->torque = sn_v(0.0f, 0.0f, 0.0f);
    for (int k = union_body->first; k < union_body->first + union_body->count; ++k) {
        const sn_body *body = &world->bodies.data[world->unions.data[k].body];
        sn_vec3 weight = sn_scale(world->def.gravity, body->mass * body->gravity_scale);
        sn_vec3 even = sn_scale(world->def.gravity, body->mass * all->gravity_scale);
        sn_vec3 uneven = sn_add(body->force, sn_sub(weight, even));
        all->force = sn_add(all->force, body->force);
        all->torque = sn_add(all->torque,
                             sn_add(body->torque, sn_cross(sn_narrow(arm_of(world, union_body, k)), uneven)));
        starts[k] = (sn_member_start){body->linear_velocity, body->angular_velocity,
                                      sn_add(weight, body->force), body->torque};
    }
}

static void make_whole(const sn_world *world, sn_union_body *union_body, sn_member_start *starts)
{
    const sn_body *root = &world->bodies.data[world->unions.data[union_body->first].body];
    union_body->body = *root;
    weigh(world, union_body);
    sn_vec3 shift = sn_sub(union_body->body.local_center, root->local_center);
    union_body->body.center = sn_add(root->center, sn_rotate(root->rotation, shift));
    share_momentum(world, union_body);
    share_forces(world, union_body, starts);
}

static uint8_t *mark_soft(sn_world *world)
{
    uint8_t *touches = sn_arena_take_zero(&world->arena, (size_t)world->bodies.count, 1);
    for (int i = 0; touches != NULL && i < world->soft.pairs.count; ++i) {
        int body = world->soft.pairs.data[i].body;
        touches[body >= 0 ? body : 0] |= body >= 0 ? 1 : 0;
    }
    return touches;
}

bool sn_world_unite(sn_world *world)
{
    size_t bodies = (size_t)world->bodies.count, members = (size_t)world->unions.count;
    world->united = NULL;
    if (members == 0) {
        return true;
    }
    sn_united *united = sn_arena_take_zero(&world->arena, 1, sizeof *united);
    uint8_t *touches_soft = mark_soft(world);
    if (united == NULL || touches_soft == NULL) {
        return false;
    }
    united->place = sn_arena_take_zero(&world->arena, bodies, sizeof *united->place);
    united->union_of = sn_arena_take_zero(&world->arena, members, sizeof *united->union_of);
    united->starts = sn_arena_take_zero(&world->arena, members, sizeof *united->starts);
    united->union_bodies = sn_arena_take_zero(&world->arena, members, sizeof *united->union_bodies);
    if (!united->place || !united->union_of || !united->starts || !united->union_bodies) {
        return false;
    }
    for (int first = 0, next; first < world->unions.count; first = next) {
        for (next = first + 1; next < world->unions.count && world->unions.data[next].root == first;) {
            ++next;
        }
        if (!may_unite(world, first, next - first, touches_soft)) {
            continue;
        }
        sn_union_body *union_body = &united->union_bodies[united->count];
        *union_body = (sn_union_body){.first = first, .count = next - first};
        make_whole(world, union_body, united->starts);
        for (int k = first; k < next; ++k) {
            united->place[world->unions.data[k].body] = k + 1;
            united->union_of[k] = united->count;
        }
        ++united->count;
    }
    world->united = united;
    return true;
}

// --- asking ------------------------------------------------------------------------------------------------

static int place_of(const sn_world *world, int body)
{
    return world->united != NULL && body >= 0 ? world->united->place[body] - 1 : -1;
}

const sn_union_body *sn_union_of(const sn_world *world, int body)
{
    int place = place_of(world, body);
    return place >= 0 ? &world->united->union_bodies[world->united->union_of[place]] : NULL;
}

bool sn_is_whole_root(const sn_world *world, int body)
{
    int place = place_of(world, body);
    return place >= 0 && world->unions.data[place].parent < 0;
}

bool sn_are_united(const sn_world *world, int body_a, int body_b)
{
    const sn_union_body *union_body = sn_union_of(world, body_a);
    return union_body != NULL && union_body == sn_union_of(world, body_b);
}

bool sn_joins_united(const sn_world *world, const int member[2])
{
    return member[0] >= 0 && member[1] >= 0 && !sn_member_is_soft(member[0]) &&
           !sn_member_is_soft(member[1]) && sn_are_united(world, member[0], member[1]);
}

sn_vec3 sn_union_shift(const sn_world *world, int body)
{
    const sn_union_body *union_body = sn_union_of(world, body);
    return union_body != NULL ? sn_sub(world->bodies.data[body].center, union_body->body.center)
                              : sn_v(0.0f, 0.0f, 0.0f);
}

void sn_union_fit_end(const sn_world *world, const sn_point *point, sn_solver_end *end)
{
    int place = point->type == SN_POINT_RIGID ? place_of(world, (int)point->rigid.index - 1) : -1;
    if (place >= 0 && end->body > 0) {
        const sn_union_body *union_body = &world->united->union_bodies[world->united->union_of[place]];
        const sn_pose *offset = &world->unions.data[place].offset;
        end->local = sn_sub(sn_pose_apply(*offset, point->position), union_body->body.local_center);
        end->rotation = sn_quat_normalize(sn_quat_multiply(offset->rotation, point->rotation));
    }
}

void sn_union_place_member(const sn_world *world, int body, const sn_solver *solver, int number,
                           sn_body *target)
{
    const sn_solver_body *moved = &solver->bodies[number];
    const sn_solver_velocity *velocity = &solver->velocities[number], *rest = &solver->residues[number];
    int place = place_of(world, body);
    if (place < 0) {
        target->center = moved->center;
        target->rotation = moved->rotation;
        target->linear_velocity = sn_take3(velocity->linear);
        target->angular_velocity = sn_take3(velocity->angular);
        return;
    }
    const sn_union_member *member = &world->unions.data[place];
    sn_vec3d arm = wide_arm(member, target, moved->local_center, moved->rotation);
    sn_vec3d linear = sn_add_wide(sn_widen(sn_take3(velocity->linear)), sn_widen(sn_take3(rest->linear)));
    sn_vec3d angular = sn_add_wide(sn_widen(sn_take3(velocity->angular)), sn_widen(sn_take3(rest->angular)));
    target->center = sn_narrow(sn_add_wide(sn_widen(moved->center), arm));
    target->rotation = sn_quat_normalize(sn_quat_multiply(moved->rotation, member->offset.rotation));
    target->linear_velocity = sn_narrow(sn_add_wide(linear, sn_cross_wide(angular, arm)));
    target->angular_velocity = sn_narrow(angular);
}

void sn_world_conform_unions(sn_world *world)
{
    for (int i = 0; world->united != NULL && i < world->united->count; ++i) {
        const sn_union_body *union_body = &world->united->union_bodies[i];
        int stopped = -1;
        float earliest = 1.0f;
        for (int k = union_body->first; k < union_body->first + union_body->count; ++k) {
            float time = world->sweep_times[world->bodies.data[world->unions.data[k].body].awake_index];
            if (time < earliest) {
                earliest = time;
                stopped = k;
            }
        }
        if (stopped < 0) {
            continue;
        }
        const sn_union_member *by = &world->unions.data[stopped];
        sn_pose back = sn_pose_relative(by->offset, sn_pose_identity);
        sn_pose root = sn_pose_multiply(sn_body_pose(&world->bodies.data[by->body]), back);
        for (int k = union_body->first; k < union_body->first + union_body->count; ++k) {
            if (k != stopped) {
                sn_body *body = &world->bodies.data[world->unions.data[k].body];
                sn_body_place(body, pose_of_member(&root, &world->unions.data[k]));
            }
        }
    }
}
