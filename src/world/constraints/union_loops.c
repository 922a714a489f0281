// Forces in the loops of a union. Momentum alone does not say how joints share a load that has more ways than
// one through them, as bricks of a wall have; elasticity does. Every joint is a link of the same stiffness
// against being pulled apart, and s times that against being bent, s = d²/12 as of a square section that is
// as wide as the arms of the joint are long together. With x the small motions of the members, and
//
//     d = (u + θ × r)_b − (u + θ × r)_a,   e = θ_b − θ_a   of each joint,
//
// the joints give each member Σ ±(d, s e + r × d), which is to be what it needs: a singular, positive linear
// system (rigid motions need nothing), solved by conjugate gradients with the members' own blocks as
// preconditioner. It need not be solved exactly, since the tree of the union carries what is left over
// (union_forces.c), so that momentum is balanced whatever the number of iterations.
// Tested by tests/world/constraints/test_union_loops.c.
#include "world/constraints/union_loops.h"

#include <math.h>

#include "math/dense.h"
#include "math/wide.h"

// Of the preconditioned residual: forces are right to about a hundredth.
#define TOLERANCE 1.0e-2
// A wall of 80 bricks that is hit takes 77, one of 1200 that stands 55; what is hit there bends after more.
// Part of the momentum that members have and are given from outside: less than that is rounding, as in a free
// fall.
#define ROUNDING 1.0e-5
enum { MOST_ITERATIONS = 100, UNKNOWNS = 6, PACKED = UNKNOWNS * (UNKNOWNS + 1) / 2 };

typedef struct motion {
    sn_vec3d linear, angular;
} motion;

typedef struct link {
    int index;  // the constraint
    int end[2]; // places of its members
    sn_vec3d arm[2];
    double section; // s
} link;

// A union with its joints.
typedef struct loops {
    const link *links;
    int link_count, first, count; // members by place
    float (*blocks)[PACKED];      // of the members, factored
    motion *solution, *residual, *solved, *direction, *image;
} loops;

static sn_vec3d point_of(const motion *x, sn_vec3d arm)
{
    return sn_add_wide(x->linear, sn_cross_wide(x->angular, arm));
}

// What a link pulls with when its members have moved.
static motion pull_of(const link *link, const motion *x)
{
    const motion *a = &x[link->end[0]], *b = &x[link->end[1]];
    return (motion){sn_sub_wide(point_of(b, link->arm[1]), point_of(a, link->arm[0])),
                    sn_scale_wide(sn_sub_wide(b->angular, a->angular), link->section)};
}

static void add_pull(const link *link, const motion *pull, double sign, motion *sums)
{
    for (int end = 0; end < 2; ++end) {
        double part = end == 0 ? -sign : sign;
        motion *sum = &sums[link->end[end]];
        sn_vec3d turning = sn_add_wide(pull->angular, sn_cross_wide(link->arm[end], pull->linear));
        sum->linear = sn_add_scaled_wide(sum->linear, part, pull->linear);
        sum->angular = sn_add_scaled_wide(sum->angular, part, turning);
    }
}

static void multiply(const loops *loops, const motion *x, motion *image)
{
    for (int k = loops->first; k < loops->first + loops->count; ++k) {
        image[k] = (motion){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    }
    for (int i = 0; i < loops->link_count; ++i) {
        motion pull = pull_of(&loops->links[i], x);
        add_pull(&loops->links[i], &pull, 1.0, image);
    }
}

static double product(const loops *loops, const motion *a, const motion *b)
{
    double sum = 0.0;
    for (int k = loops->first; k < loops->first + loops->count; ++k) {
        sum += sn_dot_wide(a[k].linear, b[k].linear) + sn_dot_wide(a[k].angular, b[k].angular);
    }
    return sum;
}

// to += factor · of
static void add_scaled(const loops *loops, double factor, const motion *of, motion *to)
{
    for (int k = loops->first; k < loops->first + loops->count; ++k) {
        to[k].linear = sn_add_scaled_wide(to[k].linear, factor, of[k].linear);
        to[k].angular = sn_add_scaled_wide(to[k].angular, factor, of[k].angular);
    }
}

// A link's part in the block of one of its members: (1, −[r]; [r], s + |r|² − r rᵀ).
static void add_block(float *block, const link *link, int end)
{
    sn_vec3 r = sn_narrow(link->arm[end]);
    float own = (float)link->section + sn_length_squared(r);
    const float arm[3] = {r.x, r.y, r.z};
    const float across[3][3] = {{0.0f, -r.z, r.y}, {r.z, 0.0f, -r.x}, {-r.y, r.x, 0.0f}};
    for (int i = 0; i < 3; ++i) {
        block[sn_packed(i, i)] += 1.0f;
        for (int j = 0; j < 3; ++j) {
            block[sn_packed(3 + i, j)] += across[i][j];
        }
        for (int j = 0; j <= i; ++j) {
            block[sn_packed(3 + i, 3 + j)] += (i == j ? own : 0.0f) - arm[i] * arm[j];
        }
    }
}

static void factor_blocks(const loops *loops)
{
    for (int k = loops->first; k < loops->first + loops->count; ++k) {
        for (int i = 0; i < PACKED; ++i) {
            loops->blocks[k][i] = 0.0f;
        }
    }
    for (int i = 0; i < loops->link_count; ++i) {
        for (int end = 0; end < 2; ++end) {
            add_block(loops->blocks[loops->links[i].end[end]], &loops->links[i], end);
        }
    }
    for (int k = loops->first; k < loops->first + loops->count; ++k) {
        sn_ldl_factor(loops->blocks[k], UNKNOWNS);
    }
}

static void precondition(const loops *loops)
{
    for (int k = loops->first; k < loops->first + loops->count; ++k) {
        sn_vec3 linear = sn_narrow(loops->residual[k].linear),
                angular = sn_narrow(loops->residual[k].angular);
        float x[UNKNOWNS] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
        sn_ldl_solve(loops->blocks[k], UNKNOWNS, x);
        loops->solved[k] = (motion){sn_widen(sn_v(x[0], x[1], x[2])), sn_widen(sn_v(x[3], x[4], x[5]))};
    }
}

// Needs of a whole that no joint of its own can meet: rounding, and what contacts do about their normals,
// which is not known over a whole step. They are taken out as those of members of equal mass that move as a
// rigid body.
static void take_out_whole(const sn_world *world, const loops *loops)
{
    sn_vec3d center = {0.0, 0.0, 0.0}, force = {0.0, 0.0, 0.0}, torque = {0.0, 0.0, 0.0};
    double share = 1.0 / (double)loops->count, section = 0.0;
    const sn_union_member *members = world->unions.data;
    for (int i = 0; i < loops->link_count; ++i) {
        section += loops->links[i].section / (double)loops->link_count;
    }
    for (int k = loops->first; k < loops->first + loops->count; ++k) {
        sn_vec3 place = world->bodies.data[members[k].body].center;
        center = sn_add_scaled_wide(center, share, sn_widen(place));
    }
    sn_sym3d inertia = {.xx = section / share, .yy = section / share, .zz = section / share};
    for (int k = loops->first; k < loops->first + loops->count; ++k) {
        const motion *need = &loops->residual[k];
        sn_vec3d arm = sn_sub_wide(sn_widen(world->bodies.data[members[k].body].center), center);
        double square = sn_dot_wide(arm, arm);
        force = sn_add_scaled_wide(force, share, need->linear);
        torque = sn_add_wide(torque, sn_add_wide(need->angular, sn_cross_wide(arm, need->linear)));
        inertia.xx += square;
        inertia.yy += square;
        inertia.zz += square;
        sn_sym3d_add_outer(&inertia, -1.0, arm);
    }
    sn_sym3 narrow = {(float)inertia.xx, (float)inertia.yy, (float)inertia.zz,
                      (float)inertia.xy, (float)inertia.xz, (float)inertia.yz};
    sn_vec3d turn = sn_widen(sn_sym3_apply(sn_sym3_inverse(narrow), sn_narrow(torque)));
    for (int k = loops->first; k < loops->first + loops->count; ++k) {
        motion *need = &loops->residual[k];
        sn_vec3d arm = sn_sub_wide(sn_widen(world->bodies.data[members[k].body].center), center);
        need->linear = sn_sub_wide(need->linear, sn_add_wide(force, sn_cross_wide(turn, arm)));
        need->angular = sn_add_scaled_wide(need->angular, -section, turn);
    }
}

// Whether members need more than rounding. Torques count as forces at the mean width of the sections.
static bool is_loaded(const sn_world *world, const loops *loops, float duration)
{
    double load = 0.0, known = 0.0, width = 0.0;
    for (int i = 0; i < loops->link_count; ++i) {
        width += sqrt(12.0 * loops->links[i].section) / (double)loops->link_count;
    }
    for (int k = loops->first; k < loops->first + loops->count; ++k) {
        const sn_body *body = &world->bodies.data[world->unions.data[k].body];
        known += (double)(body->mass * sn_length(body->linear_velocity));
        known += (double)(duration * sn_length(world->united->starts[k].force));
        load +=
            sn_length_wide(loops->residual[k].linear) + sn_length_wide(loops->residual[k].angular) / width;
    }
    return load > ROUNDING * known;
}

// The residual holds what is needed, and then what is left of it.
static void solve(const loops *loops)
{
    factor_blocks(loops);
    precondition(loops);
    double rest = product(loops, loops->residual, loops->solved), enough = TOLERANCE * TOLERANCE * rest;
    for (int k = loops->first; k < loops->first + loops->count; ++k) {
        loops->direction[k] = loops->solved[k];
        loops->solution[k] = (motion){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    }
    for (int i = 0; i < MOST_ITERATIONS && rest > enough; ++i) {
        multiply(loops, loops->direction, loops->image);
        double stiffness = product(loops, loops->direction, loops->image);
        if (!(stiffness > 0.0)) {
            return;
        }
        add_scaled(loops, rest / stiffness, loops->direction, loops->solution);
        add_scaled(loops, -rest / stiffness, loops->image, loops->residual);
        precondition(loops);
        double before = rest;
        rest = product(loops, loops->residual, loops->solved);
        for (int k = loops->first; k < loops->first + loops->count; ++k) {
            motion *direction = &loops->direction[k];
            direction->linear = sn_add_scaled_wide(loops->solved[k].linear, rest / before, direction->linear);
            direction->angular =
                sn_add_scaled_wide(loops->solved[k].angular, rest / before, direction->angular);
        }
    }
}

static void store(sn_world *world, const loops *loops, float duration, sn_union_need *needs)
{
    for (int i = 0; i < loops->link_count; ++i) {
        const link *link = &loops->links[i];
        motion pull = pull_of(link, loops->solution);
        double per_second = 1.0 / (double)duration;
        world->constraint_forces.data[link->index] = sn_narrow(sn_scale_wide(pull.linear, per_second));
        world->constraints.data[link->index].torque = sn_narrow(sn_scale_wide(pull.angular, per_second));
    }
    for (int k = loops->first; k < loops->first + loops->count; ++k) {
        needs[k] =
            (sn_union_need){sn_narrow(loops->residual[k].linear), sn_narrow(loops->residual[k].angular)};
    }
}

// --- which joints ------------------------------------------------------------------------------------------

static link link_of(const sn_world *world, int index)
{
    const sn_constraint_common *common = &world->constraints.data[index].definition.common;
    const int *member = world->constraint_links.data[index].member;
    sn_vec3 a = sn_point_now(world, &common->a), b = sn_point_now(world, &common->b);
    sn_vec3 joint = sn_scale(sn_add(a, b), 0.5f);
    link link = {.index = index};
    double width = 0.0;
    for (int end = 0; end < 2; ++end) {
        link.end[end] = world->united->place[member[end]] - 1;
        link.arm[end] = sn_between_wide(world->bodies.data[member[end]].center, joint);
        width += sn_length_wide(link.arm[end]);
    }
    // Where both centres are at the joint, any section will do.
    link.section = width > 0.0 ? width * width / 12.0 : 1.0;
    return link;
}

typedef struct union_links {
    int begin, count; // in the list of links, by unions
    bool can_break;
} union_links;

static int union_of_joint(const sn_world *world, int index)
{
    const int *member = world->constraint_links.data[index].member;
    return sn_joins_united(world, member) ? world->united->union_of[world->united->place[member[0]] - 1] : -1;
}

static void count_links(const sn_world *world, union_links *of_union)
{
    for (int i = 0; i < world->active_constraints.count; ++i) {
        int index = world->active_constraints.data[i], number = union_of_joint(world, index);
        if (number >= 0) {
            ++of_union[number].count;
            of_union[number].can_break |= world->constraint_links.data[index].can_break;
        }
    }
}

// Of those that need it: the others have none. Returns how many in all.
static int place_links(const sn_world *world, union_links *of_union)
{
    int total = 0;
    for (int u = 0; u < world->united->count; ++u) {
        bool has_loops = of_union[u].count >= world->united->union_bodies[u].count;
        int count = has_loops && of_union[u].can_break ? of_union[u].count : 0;
        of_union[u] = (union_links){.begin = total, .count = count};
        total += count;
    }
    return total;
}

static void fill_links(const sn_world *world, union_links *of_union, link *links)
{
    for (int u = 0; u < world->united->count; ++u) {
        of_union[u].can_break = of_union[u].count > 0;
        of_union[u].count = 0;
    }
    for (int i = 0; i < world->active_constraints.count; ++i) {
        int index = world->active_constraints.data[i], number = union_of_joint(world, index);
        if (number >= 0 && of_union[number].can_break) {
            links[of_union[number].begin + of_union[number].count++] = link_of(world, index);
        }
    }
}

static bool take_memory(sn_world *world, loops *loops)
{
    size_t members = (size_t)world->unions.count;
    loops->blocks = sn_arena_take(&world->arena, members, sizeof *loops->blocks);
    loops->solution = sn_arena_take(&world->arena, members, sizeof *loops->solution);
    loops->residual = sn_arena_take(&world->arena, members, sizeof *loops->residual);
    loops->solved = sn_arena_take(&world->arena, members, sizeof *loops->solved);
    loops->direction = sn_arena_take(&world->arena, members, sizeof *loops->direction);
    loops->image = sn_arena_take(&world->arena, members, sizeof *loops->image);
    return loops->blocks && loops->solution && loops->residual && loops->solved && loops->direction &&
           loops->image;
}

void sn_union_loops_share(sn_world *world, float duration, sn_union_need *needs)
{
    const sn_united *united = world->united;
    union_links *of_union = sn_arena_take_zero(&world->arena, (size_t)united->count, sizeof *of_union);
    if (of_union == NULL) {
        return;
    }
    count_links(world, of_union);
    int total = place_links(world, of_union);
    link *links = total > 0 ? sn_arena_take(&world->arena, (size_t)total, sizeof *links) : NULL;
    loops loops = {0};
    if (links == NULL || !take_memory(world, &loops)) {
        return;
    }
    fill_links(world, of_union, links);
    for (int u = 0; u < united->count; ++u) {
        if (of_union[u].count == 0) {
            continue;
        }
        loops.links = &links[of_union[u].begin];
        loops.link_count = of_union[u].count;
        loops.first = united->union_bodies[u].first;
        loops.count = united->union_bodies[u].count;
        for (int k = loops.first; k < loops.first + loops.count; ++k) {
            loops.residual[k] = (motion){sn_widen(needs[k].linear), sn_widen(needs[k].angular)};
        }
        take_out_whole(world, &loops);
        if (is_loaded(world, &loops, duration)) {
            solve(&loops);
            store(world, &loops, duration, needs);
        }
    }
}
