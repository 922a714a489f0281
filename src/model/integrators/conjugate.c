// Preconditioned conjugate gradients, without ever assembling the matrix. Sums are in double and in order.
// Tested by tests/model/test_model.c.
#include "model/integrators/conjugate.h"

#include "base/allocate.h"
#include <string.h>

static const double tolerance = 1.0e-4;

bool sn_conjugate_make(sn_conjugate *room, int node_count)
{
    size_t nodes = (size_t)node_count;
    *room = (sn_conjugate){.node_count = node_count};
    room->residual = sn_allocate_zero(nodes, sizeof *room->residual);
    room->preconditioned = sn_allocate_zero(nodes, sizeof *room->preconditioned);
    room->direction = sn_allocate_zero(nodes, sizeof *room->direction);
    room->image = sn_allocate_zero(nodes, sizeof *room->image);
    room->blocks = sn_allocate_zero(nodes, sizeof *room->blocks);
    if (!room->residual || !room->preconditioned || !room->direction || !room->image || !room->blocks) {
        sn_conjugate_release(room);
        return false;
    }
    return true;
}

void sn_conjugate_release(sn_conjugate *room)
{
    size_t nodes = (size_t)room->node_count;
    sn_release(room->residual, nodes * sizeof *room->residual);
    sn_release(room->preconditioned, nodes * sizeof *room->preconditioned);
    sn_release(room->direction, nodes * sizeof *room->direction);
    sn_release(room->image, nodes * sizeof *room->image);
    sn_release(room->blocks, nodes * sizeof *room->blocks);
    *room = (sn_conjugate){0};
}

// image = (M + c K) field.
static void multiply(const sn_conjugate *room, const sn_conjugate_system *system, const sn_vec3 *field,
                     sn_vec3 *image)
{
    system->resist(system->model, field, image, system->tasks);
    for (int i = 0; i < room->node_count; ++i) {
        float inverse_mass = system->nodes[i].inverse_mass;
        float mass = inverse_mass > 0.0f ? 1.0f / inverse_mass : 0.0f;
        image[i] = sn_add_scaled(sn_scale(field[i], mass), -system->factor, image[i]);
    }
}

// Zero for fixed nodes, so that they drop out of all sums and stay where they are.
static void precondition(const sn_conjugate *room)
{
    for (int i = 0; i < room->node_count; ++i) {
        room->preconditioned[i] = sn_sym3_apply(room->blocks[i], room->residual[i]);
    }
}

static double inner_product(const sn_vec3 *a, const sn_vec3 *b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        sum += (double)a[i].x * (double)b[i].x + (double)a[i].y * (double)b[i].y +
               (double)a[i].z * (double)b[i].z;
    }
    return sum;
}

// The multiple of the guess that lowers ½ xᵀ A x − bᵀ x most; the residual follows.
static void start(sn_conjugate *room, const sn_conjugate_system *system, sn_vec3 *x)
{
    bool is_zero = true;
    for (int i = 0; i < room->node_count; ++i) {
        if (!(system->nodes[i].inverse_mass > 0.0f) || !sn_vec3_is_finite(x[i])) {
            x[i] = sn_v(0.0f, 0.0f, 0.0f);
        }
        is_zero = is_zero && x[i].x == 0.0f && x[i].y == 0.0f && x[i].z == 0.0f;
    }
    if (is_zero) {
        return;
    }
    multiply(room, system, x, room->image);
    double curvature = inner_product(x, room->image, room->node_count);
    double slope = inner_product(x, room->residual, room->node_count);
    float multiple = curvature > 0.0 ? (float)(slope / curvature) : 0.0f;
    for (int i = 0; i < room->node_count; ++i) {
        x[i] = sn_scale(x[i], multiple);
        room->residual[i] = sn_add_scaled(room->residual[i], -multiple, room->image[i]);
    }
}

void sn_conjugate_invert_blocks(sn_conjugate *room, const sn_node_state *nodes)
{
    for (int i = 0; i < room->node_count; ++i) {
        sn_sym3 *block = &room->blocks[i];
        float inverse_mass = nodes[i].inverse_mass;
        if (inverse_mass > 0.0f) {
            block->xx += 1.0f / inverse_mass;
            block->yy += 1.0f / inverse_mass;
            block->zz += 1.0f / inverse_mass;
            *block = sn_sym3_inverse(*block);
        } else {
            *block = (sn_sym3){0};
        }
    }
}

double sn_conjugate_solve(sn_conjugate *room, const sn_conjugate_system *system, sn_vec3 *x)
{
    int count = room->node_count;
    precondition(room);
    double enough = tolerance * tolerance * inner_product(room->residual, room->preconditioned, count);
    enough = enough > room->nothing ? enough : room->nothing;
    start(room, system, x);
    precondition(room);
    double size = inner_product(room->residual, room->preconditioned, count);
    memcpy(room->direction, room->preconditioned, (size_t)count * sizeof *room->direction);
    for (int k = 0; k < SN_CONJUGATE_ITERATIONS && size > enough; ++k) {
        multiply(room, system, room->direction, room->image);
        double curvature = inner_product(room->direction, room->image, count);
        if (!(curvature > 0.0)) {
            break;
        }
        float step = (float)(size / curvature);
        for (int i = 0; i < count; ++i) {
            x[i] = sn_add_scaled(x[i], step, room->direction[i]);
            room->residual[i] = sn_add_scaled(room->residual[i], -step, room->image[i]);
        }
        precondition(room);
        double next = inner_product(room->residual, room->preconditioned, count);
        float conjugate = (float)(next / size);
        for (int i = 0; i < count; ++i) {
            room->direction[i] = sn_add_scaled(room->preconditioned[i], conjugate, room->direction[i]);
        }
        size = next;
    }
    return enough;
}
