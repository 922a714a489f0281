// Corotational tetrahedra: making their blocks, their forces by the kernels, and their largest frequency.
// Tested by tests/model/test_model.c.
#include "model/forces/tetrahedra.h"

#include "base/allocate.h"
#include "solver/elements/tetrahedron_shape.h"
#include <string.h>

enum { BLOCK_GRAIN = 16 };

// --- making ------------------------------------------------------------------------------------------------

void sn_tetrahedra_release(sn_tetrahedra *t)
{
    size_t nodes = (size_t)t->node_count;
    sn_release(t->pass.blocks, (size_t)t->block_count * sizeof *t->pass.blocks);
    sn_release(t->places, nodes * sizeof *t->places);
    sn_release(t->field, nodes * sizeof *t->field);
    sn_release(t->sums, nodes * sizeof *t->sums);
    sn_release(t->node_volumes, nodes * sizeof *t->node_volumes);
    sn_release(t->inverse_masses, nodes * sizeof *t->inverse_masses);
    *t = (sn_tetrahedra){0};
}

// Shape gradients: the rows of the inverse of [x₁ − x₀, x₂ − x₀, x₃ − x₀] at rest.
static void put_element(sn_tetrahedra *t, int index, const sn_model_input *input)
{
    const uint32_t *corners = input->mesh->tetrahedra + 4 * (size_t)index;
    sn_corotational_block *block = &t->pass.blocks[index / SN_LANES];
    int lane = index % SN_LANES;
    sn_vec3 along[3];
    for (int k = 0; k < 3; ++k) {
        sn_vec3 edge = sn_sub(input->mesh->nodes[corners[k + 1]], input->mesh->nodes[corners[0]]);
        along[k] = sn_scale(edge, input->scale);
    }
    float volume6 = sn_dot(along[0], sn_cross(along[1], along[2])), inverse = 1.0f / volume6;
    for (int k = 0; k < 3; ++k) {
        sn_vec3 gradient = sn_scale(sn_cross(along[(k + 1) % 3], along[(k + 2) % 3]), inverse);
        sn_lanes_put3(block->gradient[k], lane, gradient);
    }
    block->volume.lane[lane] = volume6 / 6.0f;
    for (int a = 0; a < 4; ++a) {
        block->node[a][lane] = (int)corners[a];
        t->node_volumes[corners[a]] += volume6 / 6.0f;
    }
}

void sn_tetrahedra_tune(sn_tetrahedra *t, const sn_model *parameters)
{
    float young = parameters->young, poisson = parameters->poisson;
    t->pass.lambda = young * poisson / ((1.0f + poisson) * (1.0f - 2.0f * poisson));
    t->pass.mu = 0.5f * young / (1.0f + poisson);
    for (int i = 0; i < t->node_count; ++i) {
        t->inverse_masses[i] = -1.0f; // no node has that
    }
}

bool sn_tetrahedra_make(sn_tetrahedra *t, const sn_model_input *input, sn_quat *rotations)
{
    size_t nodes = (size_t)input->node_count;
    int elements = input->mesh->tetrahedron_count;
    *t = (sn_tetrahedra){.node_count = input->node_count,
                         .block_count = (elements + SN_LANES - 1) / SN_LANES,
                         .kernels = sn_corotational_kernels_pick(),
                         .pass = {.element_count = elements, .rotations = rotations}};
    t->pass.blocks = sn_allocate_zero((size_t)t->block_count, sizeof *t->pass.blocks);
    t->pass.places = t->places = sn_allocate_zero(nodes, sizeof *t->places);
    t->pass.field = t->field = sn_allocate_zero(nodes, sizeof *t->field);
    t->sums = sn_allocate_zero(nodes, sizeof *t->sums);
    t->node_volumes = sn_allocate_zero(nodes, sizeof *t->node_volumes);
    t->inverse_masses = sn_allocate_zero(nodes, sizeof *t->inverse_masses);
    if (!t->pass.blocks || !t->places || !t->field || !t->sums || !t->node_volumes || !t->inverse_masses) {
        sn_tetrahedra_release(t);
        return false;
    }
    for (int i = 0; i < elements; ++i) {
        put_element(t, i, input);
        rotations[i] = sn_quat_identity;
    }
    sn_tetrahedra_tune(t, &input->parameters);
    // The deformable may have been added with a rotation.
    memcpy(t->places, input->nodes->states.data + input->first_node, nodes * sizeof *t->places);
    t->kernels->look(&t->pass, 0, t->block_count);
    return true;
}

// --- forces ------------------------------------------------------------------------------------------------

typedef struct block_loop {
    const sn_corotational_pass *pass;
    void (*visit)(const sn_corotational_pass *pass, int begin, int end);
} block_loop;

static void visit(void *context, int begin, int end)
{
    const block_loop *loop = context;
    loop->visit(loop->pass, begin, end);
}

static void for_blocks(sn_tetrahedra *t, void (*function)(const sn_corotational_pass *, int, int),
                       sn_tasks *tasks)
{
    block_loop loop = {&t->pass, function};
    sn_tasks_for(tasks, t->block_count, BLOCK_GRAIN, visit, &loop);
}

void sn_tetrahedra_look(sn_tetrahedra *t, const sn_vec3 *places, sn_tasks *tasks)
{
    for (int i = 0; i < t->node_count; ++i) {
        t->places[i].position = places[i];
    }
    for_blocks(t, t->kernels->look, tasks);
}

static void sum_forces(sn_tetrahedra *t, sn_vec3 *forces)
{
    memset(t->sums, 0, (size_t)t->node_count * sizeof *t->sums);
    t->kernels->add_forces(&t->pass, t->block_count, t->sums);
    for (int i = 0; i < t->node_count; ++i) {
        forces[i] = t->sums[i].force;
    }
}

void sn_tetrahedra_elastic(sn_tetrahedra *t, sn_vec3 *forces, sn_tasks *tasks)
{
    for_blocks(t, t->kernels->elastic, tasks);
    sum_forces(t, forces);
}

void sn_tetrahedra_resist(sn_tetrahedra *t, const sn_vec3 *field, sn_vec3 *forces, sn_tasks *tasks)
{
    for (int i = 0; i < t->node_count; ++i) {
        t->field[i].velocity = field[i];
    }
    for_blocks(t, t->kernels->resist, tasks);
    sum_forces(t, forces);
}

double sn_tetrahedra_energy(const sn_tetrahedra *t, const sn_node_state *nodes)
{
    sn_corotational_pass pass = t->pass;
    pass.places = nodes;
    return t->kernels->energy(&pass, t->block_count);
}

void sn_tetrahedra_add_diagonal(const sn_tetrahedra *t, float scale, sn_sym3 *blocks)
{
    t->kernels->diagonal(&t->pass, t->block_count, scale, blocks);
}

// --- the largest frequency ---------------------------------------------------------------------------------

enum { ROWS = SN_TETRAHEDRON_ROWS };

// A symmetric matrix divided by its largest diagonal entry, which is returned.
static double normalize_matrix(double m[ROWS][ROWS])
{
    double largest = 0.0;
    for (int r = 0; r < ROWS; ++r) {
        largest = m[r][r] > largest ? m[r][r] : largest;
    }
    for (int r = 0; r < ROWS && largest > 0.0; ++r) {
        for (int c = 0; c < ROWS; ++c) {
            m[r][c] /= largest;
        }
    }
    return largest;
}

// λ ≤ |S⁸|^(1/8) for the eigenvalues of a positive semi-definite S; with six rows no more than 6^(1/16)
// = 1.12 times the largest.
static double largest_eigenvalue(double m[ROWS][ROWS])
{
    double scale = normalize_matrix(m), squares = 0.0;
    for (int turn = 0; turn < 3; ++turn) {
        double square[ROWS][ROWS];
        for (int r = 0; r < ROWS; ++r) {
            for (int c = 0; c < ROWS; ++c) {
                square[r][c] = 0.0;
                for (int k = 0; k < ROWS; ++k) {
                    square[r][c] += m[r][k] * m[k][c];
                }
            }
        }
        memcpy(m, square, sizeof square);
    }
    for (int r = 0; r < ROWS; ++r) {
        for (int c = 0; c < ROWS; ++c) {
            squares += m[r][c] * m[r][c];
        }
    }
    return scale * sqrt(sqrt(sqrt(sqrt(squares))));
}

// The rows of the strain, each by its modulus.
static double fastest_of(const sn_tetrahedra *t, int index, const sn_node_state *nodes)
{
    const sn_corotational_block *block = &t->pass.blocks[index / SN_LANES];
    int lane = index % SN_LANES;
    double twice = 2.0 * (double)t->pass.mu, bulk = 3.0 * (double)t->pass.lambda + twice;
    double moduli[ROWS] = {bulk, twice, twice, 0.5 * twice, 0.5 * twice, 0.5 * twice};
    double m[ROWS][ROWS] = {{0.0}}, b[4][3];
    sn_shape_gradients(block->gradient[0], lane, b);
    for (int a = 0; a < 4; ++a) {
        double rows[ROWS][3];
        sn_strain_gradients(b[a], rows);
        // V cancels: a node's mass is shared by volume.
        int node = block->node[a][lane];
        double response = (double)nodes[node].inverse_mass * (double)t->node_volumes[node];
        for (int r = 0; r < ROWS; ++r) {
            for (int c = 0; c < ROWS; ++c) {
                double product = rows[r][0] * rows[c][0] + rows[r][1] * rows[c][1] + rows[r][2] * rows[c][2];
                m[r][c] += response * sqrt(moduli[r] * moduli[c]) * product;
            }
        }
    }
    return largest_eigenvalue(m);
}

float sn_tetrahedra_fastest(sn_tetrahedra *t, const sn_node_state *nodes)
{
    bool differs = false;
    for (int i = 0; i < t->node_count; ++i) {
        differs |= t->inverse_masses[i] != nodes[i].inverse_mass;
        t->inverse_masses[i] = nodes[i].inverse_mass;
    }
    if (differs) {
        double fastest = 0.0;
        for (int i = 0; i < t->pass.element_count; ++i) {
            double candidate = fastest_of(t, i, nodes);
            fastest = candidate > fastest ? candidate : fastest;
        }
        t->fastest = (float)fastest;
    }
    return t->fastest;
}
