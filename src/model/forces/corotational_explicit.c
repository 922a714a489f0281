// Corotational finite elements as explicit forces (methods B.2), sub-stepped by the bound of the stiffest
// element. Damping is Rayleigh's: D = b K.
// Tested by tests/model/test_model.c.
#include "model/forces/explicit.h"
#include "model/forces/tetrahedra.h"

#include "base/allocate.h"

typedef struct corotational_explicit {
    float damping;     // b [s]
    float damping_now; // no less than the sub-step needs
    float shortest;    // edge at rest [m]
    sn_explicit scheme;
    sn_tetrahedra tetrahedra;
    int rotation_count;
    sn_quat *rotations;
} corotational_explicit;

static void corotational_explicit_destroy(void *model)
{
    corotational_explicit *m = model;
    if (m != NULL) {
        sn_tetrahedra_release(&m->tetrahedra);
        sn_explicit_release(&m->scheme);
        sn_release(m->rotations, (size_t)m->rotation_count * sizeof *m->rotations);
        sn_release(m, sizeof *m);
    }
}

static void *corotational_explicit_create(const sn_model_input *input)
{
    corotational_explicit *m = sn_allocate_zero(1, sizeof *m);
    if (m == NULL) {
        return NULL;
    }
    m->rotation_count = input->mesh->tetrahedron_count;
    m->rotations = sn_allocate_zero((size_t)m->rotation_count, sizeof *m->rotations);
    if (m->rotations == NULL || !sn_explicit_make(&m->scheme, input->first_node, input->node_count) ||
        !sn_tetrahedra_make(&m->tetrahedra, input, m->rotations)) {
        corotational_explicit_destroy(m);
        return NULL;
    }
    m->damping = m->damping_now = input->parameters.damping;
    m->shortest = INFINITY;
    for (int i = 0; i < input->mesh->edge_count; ++i) {
        m->shortest = sn_min(m->shortest, input->scale * sn_mesh_edge_length(input->mesh, i));
    }
    return m;
}

static bool corotational_explicit_tune(void *model, const sn_model_input *input)
{
    corotational_explicit *m = model;
    m->damping = m->damping_now = input->parameters.damping;
    sn_tetrahedra_tune(&m->tetrahedra, &input->parameters);
    return true;
}

static void look(void *model, const sn_vec3 *places, sn_tasks *tasks)
{
    corotational_explicit *m = model;
    sn_tetrahedra_look(&m->tetrahedra, places, tasks);
}

static void elastic(void *model, sn_vec3 *forces, sn_tasks *tasks)
{
    corotational_explicit *m = model;
    sn_tetrahedra_elastic(&m->tetrahedra, forces, tasks);
}

static float factor_of(const corotational_explicit *m, sn_resistance resistance)
{
    return resistance.stiffness + m->damping_now * resistance.damping;
}

static void resist_here(void *model, sn_resistance resistance, const sn_vec3 *field, sn_vec3 *forces,
                        sn_tasks *tasks)
{
    corotational_explicit *m = model;
    sn_tetrahedra_resist(&m->tetrahedra, field, forces, tasks);
    for (int i = 0; i < m->tetrahedra.node_count; ++i) {
        forces[i] = sn_scale(forces[i], factor_of(m, resistance));
    }
}

static void corotational_explicit_apply(void *model, const sn_element_pass *pass, sn_tasks *tasks)
{
    corotational_explicit *m = model;
    float fastest = sn_tetrahedra_fastest(&m->tetrahedra, pass->nodes + m->scheme.first_node);
    m->damping_now = sn_max(m->damping, sn_explicit_least_damping(fastest, pass->h));
    sn_explicit_forces forces = {.model = m,
                                 .look = look,
                                 .elastic = elastic,
                                 .resist = resist_here,
                                 .is_damped = m->damping_now > 0.0f,
                                 .damping_time = m->damping_now,
                                 .fastest = fastest,
                                 .reach = m->shortest};
    sn_explicit_apply(&m->scheme, pass, &forces, tasks);
}

// --- other integrators -------------------------------------------------------------------------------------

// The scheme's room serves here too.
static void forces_of(void *model, const sn_node_state *nodes, const sn_node_velocity *velocities,
                      sn_node_force *forces, sn_tasks *tasks)
{
    corotational_explicit *m = model;
    sn_explicit *room = &m->scheme;
    for (int i = 0; i < room->node_count; ++i) {
        room->places[i] = sn_sub(nodes[i].position, nodes[0].position);
        room->rates[i] = velocities[i].velocity;
    }
    sn_tetrahedra_look(&m->tetrahedra, room->places, tasks);
    sn_tetrahedra_elastic(&m->tetrahedra, room->forces, tasks);
    if (m->damping > 0.0f) {
        sn_tetrahedra_resist(&m->tetrahedra, room->rates, room->before, tasks);
    }
    for (int i = 0; i < room->node_count; ++i) {
        forces[i].force =
            m->damping > 0.0f ? sn_add_scaled(room->forces[i], m->damping, room->before[i]) : room->forces[i];
    }
}

static void resist(void *model, const sn_node_state *nodes, sn_resistance resistance, const sn_vec3 *field,
                   sn_vec3 *forces, sn_tasks *tasks)
{
    (void)nodes;
    resist_here(model, resistance, field, forces, tasks);
}

static void add_diagonal(void *model, const sn_node_state *nodes, sn_resistance resistance, sn_sym3 *blocks)
{
    (void)nodes;
    const corotational_explicit *m = model;
    sn_tetrahedra_add_diagonal(&m->tetrahedra, factor_of(m, resistance), blocks);
}

static sn_force_field corotational_explicit_field(void *model)
{
    return (sn_force_field){
        .model = model, .forces = forces_of, .resist = resist, .add_diagonal = add_diagonal};
}

// --- memory ------------------------------------------------------------------------------------------------

static double corotational_explicit_energy(const void *model, const sn_node_state *nodes)
{
    const corotational_explicit *m = model;
    return sn_tetrahedra_energy(&m->tetrahedra, nodes);
}

static void *corotational_explicit_state(void *model, size_t *size)
{
    corotational_explicit *m = model;
    *size = (size_t)m->rotation_count * sizeof *m->rotations;
    return m->rotations;
}

const sn_model_kind sn_model_corotational_explicit_kind = {.name = "corotational, explicit",
                                                           .needs_tetrahedra = true,
                                                           .create = corotational_explicit_create,
                                                           .destroy = corotational_explicit_destroy,
                                                           .tune = corotational_explicit_tune,
                                                           .apply = corotational_explicit_apply,
                                                           .field = corotational_explicit_field,
                                                           .energy = corotational_explicit_energy,
                                                           .state = corotational_explicit_state};
