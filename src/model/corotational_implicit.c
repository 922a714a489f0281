// Corotational finite elements by implicit Euler (methods B.1, B.2; Müller and Gross 2004):
//
//   (M + c K) Δv = h f(x) − c K v,   c = h (h + b)
//
// for the change Δv of velocities that have gravity and the user's forces in them already, b Rayleigh's
// damping. K is the stiffness with R's own change included (tetrahedra.h), so it takes nothing from rigid
// motion and has no torque. Solved by conjugate gradients, each node's 3 × 3 block as preconditioner, never
// assembling K. The first guess is as much of the last sub-step's change as helps: the solution then lowers
// what implicit Euler minimises however few iterations there were, so that stopping early is safe.
//
// Coupling (methods B.2): contacts, anchors and other rows are solved afterwards with W = M⁻¹, as if nodes
// were free. Their impulses are too small by an amount that grows with s = h² k/m: 7 % at 0.08, 26 % at 0.5,
// threefold at 8. So keep s below 0.1 by sub-steps where such forces matter, or take the model whose elements
// are rows themselves.
#include "model/rigid_part.h"
#include "model/tetrahedra.h"

#include "base/allocate.h"
#include <string.h>

enum { MOST_ITERATIONS = 30 };
static const double tolerance = 1.0e-4; // of the residual, in the preconditioner's norm

typedef struct corotational_implicit {
    int first_node, node_count;
    float damping; // b [s]
    sn_tetrahedra tetrahedra;
    sn_vec3 *residual, *preconditioned, *direction, *image;
    sn_sym3 *blocks; // inverses of M + c K on the diagonal; zero for fixed nodes
    // Kept from step to step, in one block: the rotations, then Δv, the next guess.
    char *memory;
    size_t memory_size;
    sn_vec3 *change;
} corotational_implicit;

static void corotational_implicit_destroy(void *model)
{
    corotational_implicit *m = model;
    if (m != NULL) {
        size_t nodes = (size_t)m->node_count;
        sn_release(m->residual, nodes * sizeof *m->residual);
        sn_release(m->preconditioned, nodes * sizeof *m->preconditioned);
        sn_release(m->direction, nodes * sizeof *m->direction);
        sn_release(m->image, nodes * sizeof *m->image);
        sn_release(m->blocks, nodes * sizeof *m->blocks);
        sn_tetrahedra_release(&m->tetrahedra);
        sn_release(m->memory, m->memory_size);
        sn_release(m, sizeof *m);
    }
}

static bool allocate(corotational_implicit *m, size_t rotation_bytes)
{
    size_t nodes = (size_t)m->node_count;
    m->residual = sn_allocate_zero(nodes, sizeof *m->residual);
    m->preconditioned = sn_allocate_zero(nodes, sizeof *m->preconditioned);
    m->direction = sn_allocate_zero(nodes, sizeof *m->direction);
    m->image = sn_allocate_zero(nodes, sizeof *m->image);
    m->blocks = sn_allocate_zero(nodes, sizeof *m->blocks);
    m->memory_size = rotation_bytes + nodes * sizeof *m->change;
    m->memory = sn_allocate_zero(1, m->memory_size);
    return m->residual && m->preconditioned && m->direction && m->image && m->blocks && m->memory;
}

static void *corotational_implicit_create(const sn_model_input *input)
{
    corotational_implicit *m = sn_allocate_zero(1, sizeof *m);
    if (m == NULL) {
        return NULL;
    }
    size_t rotation_bytes = (size_t)input->mesh->tetrahedron_count * sizeof(sn_quat);
    m->first_node = input->first_node;
    m->node_count = input->node_count;
    m->damping = input->parameters.damping;
    if (!allocate(m, rotation_bytes) ||
        !sn_tetrahedra_make(&m->tetrahedra, input, (sn_quat *)(void *)m->memory)) {
        corotational_implicit_destroy(m);
        return NULL;
    }
    m->change = (sn_vec3 *)(void *)(m->memory + rotation_bytes);
    return m;
}

// --- the system --------------------------------------------------------------------------------------------

// One sub-step's linear system. Of what belongs to fixed nodes nothing is looked at.
typedef struct linear_system {
    corotational_implicit *model;
    const sn_node_state *nodes;
    float factor; // c [s²]
    sn_tasks *tasks;
} linear_system;

// image = (M + c K) field.
static void multiply(const linear_system *system, const sn_vec3 *field, sn_vec3 *image)
{
    sn_tetrahedra_resist(&system->model->tetrahedra, field, image, system->tasks);
    for (int i = 0; i < system->model->node_count; ++i) {
        float inverse_mass = system->nodes[i].inverse_mass;
        float mass = inverse_mass > 0.0f ? 1.0f / inverse_mass : 0.0f;
        image[i] = sn_add_scaled(sn_scale(field[i], mass), -system->factor, image[i]);
    }
}

// Zeros for fixed nodes drop out of all sums.
static void precondition(const linear_system *system)
{
    corotational_implicit *m = system->model;
    for (int i = 0; i < m->node_count; ++i) {
        m->preconditioned[i] = sn_sym3_apply(m->blocks[i], m->residual[i]);
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

static void invert_blocks(const linear_system *system)
{
    corotational_implicit *m = system->model;
    memset(m->blocks, 0, (size_t)m->node_count * sizeof *m->blocks);
    sn_tetrahedra_add_diagonal(&m->tetrahedra, system->factor, m->blocks);
    for (int i = 0; i < m->node_count; ++i) {
        float inverse_mass = system->nodes[i].inverse_mass;
        if (inverse_mass > 0.0f) {
            m->blocks[i].xx += 1.0f / inverse_mass;
            m->blocks[i].yy += 1.0f / inverse_mass;
            m->blocks[i].zz += 1.0f / inverse_mass;
            m->blocks[i] = sn_sym3_inverse(m->blocks[i]);
        } else {
            m->blocks[i] = (sn_sym3){0};
        }
    }
}

// residual = h f − c K v.
static void set_right_side(const linear_system *system, const sn_element_pass *pass)
{
    corotational_implicit *m = system->model;
    for (int i = 0; i < m->node_count; ++i) {
        m->direction[i] = pass->velocities[m->first_node + i].velocity;
    }
    sn_tetrahedra_resist(&m->tetrahedra, m->direction, m->image, system->tasks);
    sn_tetrahedra_elastic(&m->tetrahedra, m->residual, system->tasks);
    for (int i = 0; i < m->node_count; ++i) {
        m->residual[i] = sn_add_scaled(sn_scale(m->residual[i], pass->h), system->factor, m->image[i]);
    }
}

// --- solving -----------------------------------------------------------------------------------------------

// The multiple of the last change that lowers ½ Δvᵀ A Δv − bᵀ Δv most; the residual follows.
static void start_from_last(const linear_system *system)
{
    corotational_implicit *m = system->model;
    for (int i = 0; i < m->node_count; ++i) {
        if (!(system->nodes[i].inverse_mass > 0.0f) || !sn_vec3_is_finite(m->change[i])) {
            m->change[i] = sn_v(0.0f, 0.0f, 0.0f);
        }
    }
    multiply(system, m->change, m->image);
    double curvature = inner_product(m->change, m->image, m->node_count);
    double slope = inner_product(m->change, m->residual, m->node_count);
    float multiple = curvature > 0.0 ? (float)(slope / curvature) : 0.0f;
    for (int i = 0; i < m->node_count; ++i) {
        m->change[i] = sn_scale(m->change[i], multiple);
        m->residual[i] = sn_add_scaled(m->residual[i], -multiple, m->image[i]);
    }
}

static void solve(const linear_system *system)
{
    corotational_implicit *m = system->model;
    int count = m->node_count;
    precondition(system);
    double size = inner_product(m->residual, m->preconditioned, count), first = size;
    start_from_last(system);
    precondition(system);
    size = inner_product(m->residual, m->preconditioned, count);
    memcpy(m->direction, m->preconditioned, (size_t)count * sizeof *m->direction);
    for (int k = 0; k < MOST_ITERATIONS && size > tolerance * tolerance * first; ++k) {
        multiply(system, m->direction, m->image);
        double curvature = inner_product(m->direction, m->image, count);
        if (!(curvature > 0.0)) {
            break;
        }
        float step = (float)(size / curvature);
        for (int i = 0; i < count; ++i) {
            m->change[i] = sn_add_scaled(m->change[i], step, m->direction[i]);
            m->residual[i] = sn_add_scaled(m->residual[i], -step, m->image[i]);
        }
        precondition(system);
        double next = inner_product(m->residual, m->preconditioned, count);
        float conjugate = (float)(next / size);
        for (int i = 0; i < count; ++i) {
            m->direction[i] = sn_add_scaled(m->preconditioned[i], conjugate, m->direction[i]);
        }
        size = next;
    }
}

static void corotational_implicit_apply(void *model, const sn_element_pass *pass, sn_tasks *tasks)
{
    corotational_implicit *m = model;
    const sn_node_state *nodes = pass->nodes + m->first_node;
    linear_system system = {m, nodes, pass->h * (pass->h + m->damping), tasks};
    for (int i = 0; i < m->node_count; ++i) {
        m->direction[i] = sn_sub(nodes[i].position, nodes[0].position);
    }
    sn_tetrahedra_look(&m->tetrahedra, m->direction, tasks);
    invert_blocks(&system);
    set_right_side(&system, pass);
    solve(&system);
    // An iteration that ends early keeps momentum only nearly.
    sn_rigid_part_remove(nodes, m->node_count, m->change);
    for (int i = 0; i < m->node_count; ++i) {
        sn_vec3 *velocity = &pass->velocities[m->first_node + i].velocity;
        *velocity = sn_add(*velocity, m->change[i]);
    }
}

static void *corotational_implicit_state(void *model, size_t *size)
{
    corotational_implicit *m = model;
    *size = m->memory_size;
    return m->memory;
}

const sn_model_kind sn_model_corotational_implicit_kind = {.name = "corotational, implicit",
                                                           .needs_tetrahedra = true,
                                                           .create = corotational_implicit_create,
                                                           .destroy = corotational_implicit_destroy,
                                                           .apply = corotational_implicit_apply,
                                                           .state = corotational_implicit_state};
