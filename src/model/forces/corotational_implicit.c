// Corotational finite elements by implicit Euler (methods B.1, B.2; Müller and Gross 2004):
//
//   (M + c K) Δv = h f(x) − c K v,   c = h (h + b)
//
// for the change Δv of velocities that have gravity and the user's forces in them already, b Rayleigh's
// damping. K is the stiffness with R's own change included (tetrahedra.h), so it takes nothing from rigid
// motion and has no torque. Solved by conjugate gradients, each node's 3 × 3 block as preconditioner, from
// the change of the last sub-step.
//
// Coupling (methods B.2): contacts and anchors push nodes that answer by the same matrix, solved once more
// for what they did (solver/nodes/node_response.h): Δv = (M + c K)⁻¹ P. Other rows, such as inextensible
// edges, still push free nodes.
// Tested by tests/model/test_model.c.
#include "model/forces/tetrahedra.h"
#include "model/goals/rigid_part.h"
#include "model/integrators/conjugate.h"

#include "base/allocate.h"
#include <string.h>

typedef struct corotational_implicit {
    int first_node;
    float damping; // b [s]
    sn_tetrahedra tetrahedra;
    sn_conjugate room;
    sn_vec3 *places; // relative to the first node
    sn_vec3 *answer; // to impulses
    // Kept from step to step, in one block: the rotations, then Δv, the next guess.
    char *memory;
    size_t memory_size;
    sn_vec3 *change;
} corotational_implicit;

static void corotational_implicit_destroy(void *model)
{
    corotational_implicit *m = model;
    if (m != NULL) {
        sn_release(m->places, (size_t)m->room.node_count * sizeof *m->places);
        sn_release(m->answer, (size_t)m->room.node_count * sizeof *m->answer);
        sn_conjugate_release(&m->room);
        sn_tetrahedra_release(&m->tetrahedra);
        sn_release(m->memory, m->memory_size);
        sn_release(m, sizeof *m);
    }
}

static void *corotational_implicit_create(const sn_model_input *input)
{
    corotational_implicit *m = sn_allocate_zero(1, sizeof *m);
    if (m == NULL || !sn_conjugate_make(&m->room, input->node_count)) {
        corotational_implicit_destroy(m);
        return NULL;
    }
    size_t nodes = (size_t)input->node_count;
    size_t rotation_bytes = (size_t)input->mesh->tetrahedron_count * sizeof(sn_quat);
    m->first_node = input->first_node;
    m->damping = input->parameters.damping;
    m->places = sn_allocate_zero(nodes, sizeof *m->places);
    m->answer = sn_allocate_zero(nodes, sizeof *m->answer);
    m->memory_size = rotation_bytes + nodes * sizeof *m->change;
    m->memory = sn_allocate_zero(1, m->memory_size);
    if (m->places == NULL || m->answer == NULL || m->memory == NULL ||
        !sn_tetrahedra_make(&m->tetrahedra, input, (sn_quat *)(void *)m->memory)) {
        corotational_implicit_destroy(m);
        return NULL;
    }
    m->change = (sn_vec3 *)(void *)(m->memory + rotation_bytes);
    return m;
}

static bool corotational_implicit_tune(void *model, const sn_model_input *input)
{
    corotational_implicit *m = model;
    m->damping = input->parameters.damping;
    sn_tetrahedra_tune(&m->tetrahedra, &input->parameters);
    return true;
}

static void resist(void *model, const sn_vec3 *field, sn_vec3 *forces, sn_tasks *tasks)
{
    corotational_implicit *m = model;
    sn_tetrahedra_resist(&m->tetrahedra, field, forces, tasks);
}

// The preconditioner: inverses of the diagonal blocks of M + c K.
static void invert_blocks(corotational_implicit *m, const sn_conjugate_system *system)
{
    sn_sym3 *blocks = m->room.blocks;
    memset(blocks, 0, (size_t)m->room.node_count * sizeof *blocks);
    sn_tetrahedra_add_diagonal(&m->tetrahedra, system->factor, blocks);
    sn_conjugate_invert_blocks(&m->room, system->nodes);
}

// b = h f − c K v.
static void set_right_side(corotational_implicit *m, const sn_conjugate_system *system,
                           const sn_element_pass *pass)
{
    sn_conjugate *room = &m->room;
    for (int i = 0; i < room->node_count; ++i) {
        room->direction[i] = pass->velocities[m->first_node + i].velocity;
    }
    sn_tetrahedra_resist(&m->tetrahedra, room->direction, room->image, system->tasks);
    sn_tetrahedra_elastic(&m->tetrahedra, room->residual, system->tasks);
    for (int i = 0; i < room->node_count; ++i) {
        sn_vec3 impulse = sn_scale(room->residual[i], pass->h);
        room->residual[i] = sn_add_scaled(impulse, system->factor, room->image[i]);
    }
}

static sn_conjugate_system system_of(corotational_implicit *m, const sn_element_pass *pass, sn_tasks *tasks)
{
    return (sn_conjugate_system){pass->nodes + m->first_node, pass->h * (pass->h + m->damping), m, resist,
                                 tasks};
}

// Where the nodes are now, and the preconditioner there.
static void look(corotational_implicit *m, const sn_conjugate_system *system)
{
    for (int i = 0; i < m->room.node_count; ++i) {
        m->places[i] = sn_sub(system->nodes[i].position, system->nodes[0].position);
    }
    sn_tetrahedra_look(&m->tetrahedra, m->places, system->tasks);
    invert_blocks(m, system);
}

static void corotational_implicit_apply(void *model, const sn_element_pass *pass, sn_tasks *tasks)
{
    corotational_implicit *m = model;
    int count = m->room.node_count;
    sn_conjugate_system system = system_of(m, pass, tasks);
    look(m, &system);
    set_right_side(m, &system, pass);
    m->room.nothing = 0.0;
    m->room.nothing = sn_conjugate_solve(&m->room, &system, m->change);
    // An iteration that ends early conserves momentum only approximately.
    sn_rigid_part_remove(system.nodes, count, m->change);
    for (int i = 0; i < count; ++i) {
        sn_vec3 *velocity = &pass->velocities[m->first_node + i].velocity;
        *velocity = sn_add(*velocity, m->change[i]);
    }
}

// --- pushes ------------------------------------------------------------------------------------------------

// The response to impulses that would give free nodes the velocity 1 along an axis; the largest of three.
static void corotational_implicit_estimate_response(void *model, const sn_element_pass *pass,
                                                    const uint8_t *touched, float *parts, sn_tasks *tasks)
{
    corotational_implicit *m = model;
    sn_conjugate_system system = system_of(m, pass, tasks);
    look(m, &system);
    m->room.nothing = 0.0;
    memset(parts, 0, (size_t)m->room.node_count * sizeof *parts);
    for (int axis = 0; axis < 3; ++axis) {
        sn_vec3 along = sn_v(axis == 0 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f, axis == 2 ? 1.0f : 0.0f);
        for (int i = 0; i < m->room.node_count; ++i) {
            bool pushed = touched[i] && system.nodes[i].inverse_mass > 0.0f;
            float mass = pushed ? 1.0f / system.nodes[i].inverse_mass : 0.0f;
            m->room.residual[i] = sn_scale(along, mass);
            m->answer[i] = sn_v(0.0f, 0.0f, 0.0f);
        }
        (void)sn_conjugate_solve(&m->room, &system, m->answer);
        for (int i = 0; i < m->room.node_count; ++i) {
            parts[i] = sn_max(parts[i], sn_dot(m->answer[i], along));
        }
    }
}

// With the matrix of the sub-step. What the iteration leaves of momentum is that of the impulses.
static void corotational_implicit_respond(void *model, const sn_element_pass *pass, sn_vec3 *impulses,
                                          sn_tasks *tasks)
{
    corotational_implicit *m = model;
    int count = m->room.node_count;
    sn_conjugate_system system = system_of(m, pass, tasks);
    memcpy(m->room.residual, impulses, (size_t)count * sizeof *impulses);
    memset(m->answer, 0, (size_t)count * sizeof *m->answer);
    (void)sn_conjugate_solve(&m->room, &system, m->answer);
    for (int i = 0; i < count; ++i) {
        impulses[i] = sn_scale(impulses[i], system.nodes[i].inverse_mass);
        m->answer[i] = sn_sub(m->answer[i], impulses[i]);
    }
    sn_rigid_part_remove(system.nodes, count, m->answer);
    for (int i = 0; i < count; ++i) {
        impulses[i] = sn_add(impulses[i], m->answer[i]);
    }
}

static double corotational_implicit_energy(const void *model, const sn_node_state *nodes)
{
    const corotational_implicit *m = model;
    return sn_tetrahedra_energy(&m->tetrahedra, nodes);
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
                                                           .tune = corotational_implicit_tune,
                                                           .apply = corotational_implicit_apply,
                                                           .estimate_response =
                                                               corotational_implicit_estimate_response,
                                                           .respond = corotational_implicit_respond,
                                                           .energy = corotational_implicit_energy,
                                                           .state = corotational_implicit_state};
