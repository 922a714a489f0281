// Tested by tests/solver/rows/test_hinge_planes.c.
// Which hinges make chains (hinge_planes.h). Every hinge has two sockets, one on each of its bodies. Sockets
// of one body whose axes are parallel are of one class; hinges join classes; a chain is what they connect. A
// body with hinges along several directions is in a chain with each of them. What is static is a class of its
// own for every socket.
#include "solver/rows/hinge_planes.h"

#include "base/tuple_sort.h"
#include "constraint/kind.h"

#include <math.h>

// Axes whose cosine is beyond this are parallel: less than a thousandth of a radian.
#define PARALLEL 0.9999995f
// Offsets around a loop agree within this part of the chain's largest, or of a body's arms.
#define CLOSES 1.0e-3f

typedef struct socket {
    int hinge, body;
    sn_vec3 axis, place; // in the body's frame, from its mass centre; of what is static in the world
    int class;           // the first socket of its class
    float sign;          // of its axis along that one's
} socket;

// A class as a vertex of the graph of hinges, by its first socket.
typedef struct search {
    const sn_joints *joints;
    socket *sockets;
    int count;
    int *by_class, *class_begin; // sockets of a class
    bool *is_reached;
    float *sign, *offset; // of a class: its axis along the chain's normal, its body's centre along it
    int *from;            // the socket by which it was reached, −1 of a root
    int *member;          // its number in the chain, −1 of what holds it
    int *queue;
} search;

// --- sockets -------------------------------------------------------------------------------------

static bool is_free(const sn_solver *solver, int body)
{
    sn_vec3 w = solver->bodies[body].inverse_mass;
    const float *i = solver->inertias[body].diagonal;
    return w.x > 0.0f && w.y > 0.0f && w.z > 0.0f && i[0] > 0.0f && i[1] > 0.0f && i[2] > 0.0f;
}

static bool is_hard_hinge(const sn_joints *joints, const sn_constraint_input *input)
{
    const sn_hinge_def *def = input->data;
    if (input->evaluate != sn_hinge_rows || def->common.compliance != 0.0f ||
        def->common.angular_compliance != 0.0f || input->max_force < INFINITY || input->can_break) {
        return false;
    }
    for (int k = 0; k < 2; ++k) {
        const sn_solver_end *end = &input->ends[k];
        if (end->node_count > 0 ||
            (end->body >= joints->solver->dynamic_begin && !is_free(joints->solver, end->body))) {
            return false;
        }
    }
    return true;
}

static bool list_sockets(search *search)
{
    const sn_joints *joints = search->joints;
    int hinges = 0;
    for (int i = 0; i < joints->count; ++i) {
        hinges += is_hard_hinge(joints, &joints->inputs[i]) ? 1 : 0;
    }
    search->sockets = sn_arena_take(joints->solver->arena, 2 * (size_t)hinges, sizeof *search->sockets);
    search->count = 0;
    for (int i = 0; search->sockets != NULL && i < joints->count; ++i) {
        const sn_constraint_input *input = &joints->inputs[i];
        for (int k = 0; k < 2 && is_hard_hinge(joints, input); ++k) {
            const sn_solver_end *end = &input->ends[k];
            search->sockets[search->count] =
                (socket){.hinge = i,
                         .body = end->body,
                         .axis = sn_rotate(end->rotation, sn_v(1.0f, 0.0f, 0.0f)),
                         .place = end->body > 0 ? end->local : end->fixed,
                         .class = search->count,
                         .sign = 1.0f};
            ++search->count;
        }
    }
    return search->sockets != NULL;
}

// Puts each socket into the first class of its body that is parallel to it.
static bool find_classes(search *search)
{
    sn_arena *arena = search->joints->solver->arena;
    int bodies = search->joints->solver->body_count;
    size_t count = (size_t)search->count;
    int *key = sn_arena_take(arena, count, sizeof *key);
    int *sorted = sn_arena_take(arena, count, sizeof *sorted);
    int *begin = sn_arena_take(arena, (size_t)bodies + 1, sizeof *begin);
    if (!key || !sorted || !begin) {
        return false;
    }
    for (int i = 0; i < search->count; ++i) {
        key[i] = search->sockets[i].body;
    }
    sn_counting_sort(key, 1, bodies, NULL, search->count, sorted, begin);
    for (int b = 1; b < bodies; ++b) {
        for (int i = begin[b] + 1; i < begin[b + 1]; ++i) {
            socket *own = &search->sockets[sorted[i]];
            for (int k = begin[b]; k < i && own->class == sorted[i]; ++k) {
                const socket *other = &search->sockets[sorted[k]];
                float cosine = sn_dot(own->axis, other->axis);
                if (other->class == sorted[k] && sn_abs(cosine) > PARALLEL) {
                    own->class = sorted[k];
                    own->sign = cosine > 0.0f ? 1.0f : -1.0f;
                }
            }
        }
    }
    return true;
}

static bool take_search(search *search)
{
    sn_arena *arena = search->joints->solver->arena;
    size_t count = (size_t)search->count;
    int *key = sn_arena_take(arena, count, sizeof *key);
    search->by_class = sn_arena_take(arena, count, sizeof *search->by_class);
    search->class_begin = sn_arena_take(arena, count + 1, sizeof *search->class_begin);
    search->is_reached = sn_arena_take_zero(arena, count, sizeof *search->is_reached);
    search->sign = sn_arena_take(arena, count, sizeof *search->sign);
    search->offset = sn_arena_take(arena, count, sizeof *search->offset);
    search->queue = sn_arena_take(arena, count, sizeof *search->queue);
    search->from = sn_arena_take(arena, count, sizeof *search->from);
    search->member = sn_arena_take(arena, count, sizeof *search->member);
    if (!search->from || !search->member || !key || !search->by_class || !search->class_begin ||
        !search->is_reached || !search->sign || !search->offset || !search->queue) {
        return false;
    }
    for (int i = 0; i < search->count; ++i) {
        key[i] = search->sockets[i].class;
    }
    sn_counting_sort(key, 1, search->count, NULL, search->count, search->by_class, search->class_begin);
    return true;
}

// --- chains --------------------------------------------------------------------------------------

// The axis of a class along the chain's normal, in the body's frame.
static sn_vec3 axis_of(const search *search, int class)
{
    return sn_scale(search->sockets[class].axis, search->sign[class]);
}

// The height at which a socket's hinge lies, by its body's centre.
static float height_of(const search *search, int index)
{
    const socket *own = &search->sockets[index];
    return search->offset[own->class] + sn_dot(own->place, axis_of(search, own->class));
}

// Goes from a class to all that hinges connect it with. Returns how many there are, or 0 if the chain does
// not close: then hinges pull against each other, and rows share the error.
static int follow(search *search, int root)
{
    int count = 1;
    bool closes = true;
    float largest = 0.0f;
    search->queue[0] = root;
    search->is_reached[root] = true;
    search->sign[root] = 1.0f;
    search->offset[root] = 0.0f;
    search->from[root] = -1;
    for (int at = 0; at < count; ++at) {
        int class = search->queue[at];
        for (int k = search->class_begin[class]; k < search->class_begin[class + 1]; ++k) {
            int near = search->by_class[k], far = near ^ 1;
            const socket *here = &search->sockets[near], *there = &search->sockets[far];
            float sign = search->sign[class] * here->sign * there->sign;
            if (!search->is_reached[there->class]) {
                search->is_reached[there->class] = true;
                search->queue[count++] = there->class;
                search->sign[there->class] = sign;
                search->from[there->class] = far;
                search->offset[there->class] = 0.0f;
                search->offset[there->class] = height_of(search, near) - height_of(search, far);
            }
            float gap = sn_abs(height_of(search, near) - height_of(search, far));
            largest = sn_max(largest, sn_max(sn_length(here->place), sn_abs(height_of(search, near))));
            closes = closes && search->sign[there->class] == sign && gap <= CLOSES * largest;
        }
    }
    return closes ? count : 0;
}

// All of what holds a chain is one: static, or the same kinematic body.
static bool find_holder(const search *search, int count, sn_hinge_plane *plane)
{
    plane->holder = -1;
    for (int i = 0; i < count; ++i) {
        int class = search->queue[i], body = search->sockets[class].body;
        if (body >= search->joints->solver->dynamic_begin) {
            continue;
        }
        sn_vec3 axis = axis_of(search, class);
        if (plane->holder >= 0 && (plane->holder != body || sn_dot(axis, plane->holder_axis) < PARALLEL)) {
            return false;
        }
        plane->holder = body;
        plane->holder_axis = axis;
        plane->holder_offset = search->offset[class];
    }
    return true;
}

static void add_plane(const search *search, int count, sn_hinge_planes *planes)
{
    const sn_solver *solver = search->joints->solver;
    sn_hinge_plane *plane = &planes->planes[planes->count];
    *plane = (sn_hinge_plane){.first = planes->member_count};
    if (!find_holder(search, count, plane)) {
        return;
    }
    for (int i = 0; i < count; ++i) {
        int class = search->queue[i], body = search->sockets[class].body, from = search->from[class];
        search->member[class] = body >= solver->dynamic_begin ? plane->first + plane->count : -1;
        if (body >= solver->dynamic_begin) {
            planes->members[plane->first + plane->count++] =
                (sn_plane_member){.body = body,
                                  .axis = axis_of(search, class),
                                  .offset = search->offset[class],
                                  .mass = 1.0f / solver->bodies[body].inverse_mass.x,
                                  .hinge = from >= 0 ? search->sockets[from].hinge : -1,
                                  .parent = from >= 0 ? search->member[search->sockets[from ^ 1].class] : -1,
                                  .is_b = (from & 1) != 0};
        }
    }
    if (plane->count >= SN_LEAST_CHAIN) {
        planes->member_count += plane->count;
        ++planes->count;
    }
}

bool sn_hinge_planes_find(sn_joints *joints, sn_hinge_planes *planes)
{
    search search = {.joints = joints};
    *planes = (sn_hinge_planes){0};
    if (joints->holds_nodes) {
        return true;
    }
    if (!list_sockets(&search)) {
        return false;
    }
    if (search.count < 2 * SN_LEAST_CHAIN - 2) {
        return true;
    }
    sn_arena *arena = joints->solver->arena;
    size_t most = (size_t)search.count;
    planes->planes = sn_arena_take(arena, most / SN_LEAST_CHAIN + 1, sizeof *planes->planes);
    planes->members = sn_arena_take(arena, most, sizeof *planes->members);
    if (!planes->planes || !planes->members || !find_classes(&search) || !take_search(&search)) {
        return false;
    }
    // What holds a chain is the root of its tree, so that forces reach it.
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < search.count; ++i) {
            bool is_holder = search.sockets[i].body < joints->solver->dynamic_begin;
            if (search.sockets[i].class == i && !search.is_reached[i] && is_holder == (pass == 0)) {
                int count = follow(&search, i);
                if (count >= SN_LEAST_CHAIN) {
                    add_plane(&search, count, planes);
                }
            }
        }
    }
    return true;
}
