// Corotational finite elements as explicit forces (methods B.2), sub-stepped by the bound of the stiffest
// element. Damping is Rayleigh's: D = b K.
#include "model/explicit.h"
#include "model/tetrahedra.h"

#include "base/allocate.h"

typedef struct corotational_explicit {
    float damping;     // b [s]
    float damping_now; // at least what the sub-step asks for
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
    m->damping = input->parameters.damping;
    m->shortest = INFINITY;
    for (int i = 0; i < input->mesh->edge_count; ++i) {
        m->shortest = sn_min(m->shortest, input->scale * sn_mesh_edge_length(input->mesh, i));
    }
    return m;
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

static void damping(void *model, const sn_vec3 *velocities, sn_vec3 *forces, sn_tasks *tasks)
{
    corotational_explicit *m = model;
    sn_tetrahedra_resist(&m->tetrahedra, velocities, forces, tasks);
    for (int i = 0; i < m->tetrahedra.node_count; ++i) {
        forces[i] = sn_scale(forces[i], m->damping_now);
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
                                 .damping = m->damping_now > 0.0f ? damping : NULL,
                                 .damping_time = m->damping_now,
                                 .fastest = fastest,
                                 .reach = m->shortest};
    sn_explicit_apply(&m->scheme, pass, &forces, tasks);
}

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
                                                           .apply = corotational_explicit_apply,
                                                           .energy = corotational_explicit_energy,
                                                           .state = corotational_explicit_state};
