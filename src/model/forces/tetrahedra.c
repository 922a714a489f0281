// Corotational tetrahedra: their frames, forces and stiffness.
// Tested by tests/model/test_model.c.
#include "model/forces/tetrahedra.h"

#include "base/allocate.h"
#include <string.h>

enum { ELEMENT_GRAIN = 128, ROWS = 6 };

// --- making ------------------------------------------------------------------------------------------------

void sn_tetrahedra_release(sn_tetrahedra *t)
{
    size_t elements = (size_t)t->element_count, nodes = (size_t)t->node_count;
    sn_release(t->elements, elements * sizeof *t->elements);
    sn_release(t->frames, elements * sizeof *t->frames);
    sn_release(t->node_volumes, nodes * sizeof *t->node_volumes);
    sn_release(t->inverse_masses, nodes * sizeof *t->inverse_masses);
    *t = (sn_tetrahedra){0};
}

// Σ a_k b_kᵀ over the three edges from node 0, by columns.
static sn_mat3 outer_sum(const sn_vec3 a[3], const sn_vec3 b[3])
{
    sn_mat3 m = {sn_scale(a[0], b[0].x), sn_scale(a[0], b[0].y), sn_scale(a[0], b[0].z)};
    for (int k = 1; k < 3; ++k) {
        m.x = sn_add_scaled(m.x, b[k].x, a[k]);
        m.y = sn_add_scaled(m.y, b[k].y, a[k]);
        m.z = sn_add_scaled(m.z, b[k].z, a[k]);
    }
    return m;
}

static sn_mat3 deformation(const sn_corotational_element *element, const sn_vec3 *places)
{
    sn_vec3 along[3];
    for (int k = 0; k < 3; ++k) {
        along[k] = sn_sub(places[element->node[k + 1]], places[element->node[0]]);
    }
    return outer_sum(along, element->gradient);
}

// Shape gradients: the rows of the inverse of [x₁ − x₀, x₂ − x₀, x₃ − x₀] at rest.
static sn_corotational_element element_of(const sn_model_input *input, int index)
{
    const uint32_t *corners = input->mesh->tetrahedra + 4 * (size_t)index;
    sn_corotational_element element;
    sn_vec3 along[3];
    for (int a = 0; a < 4; ++a) {
        element.node[a] = (int)corners[a];
    }
    for (int k = 0; k < 3; ++k) {
        sn_vec3 edge = sn_sub(input->mesh->nodes[corners[k + 1]], input->mesh->nodes[corners[0]]);
        along[k] = sn_scale(edge, input->scale);
    }
    float volume6 = sn_dot(along[0], sn_cross(along[1], along[2])), inverse = 1.0f / volume6;
    for (int k = 0; k < 3; ++k) {
        element.gradient[k] = sn_scale(sn_cross(along[(k + 1) % 3], along[(k + 2) % 3]), inverse);
    }
    element.volume = volume6 / 6.0f;
    return element;
}

static sn_mat3 deformation_at(const sn_corotational_element *element, const sn_node_state *nodes)
{
    sn_vec3 along[3];
    for (int k = 0; k < 3; ++k) {
        along[k] = sn_sub(nodes[element->node[k + 1]].position, nodes[element->node[0]].position);
    }
    return outer_sum(along, element->gradient);
}

void sn_tetrahedra_tune(sn_tetrahedra *t, const sn_model *parameters)
{
    float young = parameters->young, poisson = parameters->poisson;
    t->lambda = young * poisson / ((1.0f + poisson) * (1.0f - 2.0f * poisson));
    t->mu = 0.5f * young / (1.0f + poisson);
    for (int i = 0; i < t->node_count; ++i) {
        t->inverse_masses[i] = -1.0f; // no node has that
    }
}

bool sn_tetrahedra_make(sn_tetrahedra *t, const sn_model_input *input, sn_quat *rotations)
{
    size_t elements = (size_t)input->mesh->tetrahedron_count, nodes = (size_t)input->node_count;
    *t = (sn_tetrahedra){.node_count = input->node_count,
                         .element_count = input->mesh->tetrahedron_count,
                         .rotations = rotations};
    t->elements = sn_allocate_zero(elements, sizeof *t->elements);
    t->frames = sn_allocate_zero(elements, sizeof *t->frames);
    t->node_volumes = sn_allocate_zero(nodes, sizeof *t->node_volumes);
    t->inverse_masses = sn_allocate_zero(nodes, sizeof *t->inverse_masses);
    if (!t->elements || !t->frames || !t->node_volumes || !t->inverse_masses) {
        sn_tetrahedra_release(t);
        return false;
    }
    for (int i = 0; i < t->element_count; ++i) {
        t->elements[i] = element_of(input, i);
        // The deformable may have been added with a rotation.
        sn_mat3 f = deformation_at(&t->elements[i], input->nodes->states.data + input->first_node);
        t->rotations[i] = sn_mat3_polar(f, sn_quat_identity);
        for (int a = 0; a < 4; ++a) {
            t->node_volumes[t->elements[i].node[a]] += t->elements[i].volume;
        }
    }
    sn_tetrahedra_tune(t, &input->parameters);
    return true;
}

// --- looking -----------------------------------------------------------------------------------------------

static sn_vec3 apply_transposed(const sn_mat3 *m, sn_vec3 v)
{
    return sn_v(sn_dot(m->x, v), sn_dot(m->y, v), sn_dot(m->z, v));
}

// Rᵀ M.
static sn_mat3 unturned(const sn_mat3 *turn, const sn_mat3 *m)
{
    return (sn_mat3){apply_transposed(turn, m->x), apply_transposed(turn, m->y),
                     apply_transposed(turn, m->z)};
}

// (tr U · 1 − U)⁻¹, or zeros where U is not positive definite (flat or inverted): R is then treated as frozen
// (see tetrahedron_block.h).
static sn_sym3 spin_inverse(sn_sym3 u)
{
    float minor = u.xx * u.yy - u.xy * u.xy;
    float determinant =
        u.zz * minor + u.xz * (u.xy * u.yz - u.xz * u.yy) + u.yz * (u.xy * u.xz - u.xx * u.yz);
    bool is_stretch = u.xx > 1.0e-3f && minor > 1.0e-6f && determinant > 1.0e-9f;
    sn_sym3 m = {u.yy + u.zz, u.xx + u.zz, u.xx + u.yy, -u.xy, -u.xz, -u.yz};
    return is_stretch ? sn_sym3_inverse(m) : (sn_sym3){0};
}

typedef struct element_loop {
    sn_tetrahedra *tetrahedra;
    const sn_vec3 *places, *field;
} element_loop;

static void look(void *context, int begin, int end)
{
    const element_loop *loop = context;
    sn_tetrahedra *t = loop->tetrahedra;
    for (int i = begin; i < end; ++i) {
        sn_corotational_frame *frame = &t->frames[i];
        sn_mat3 f = deformation(&t->elements[i], loop->places);
        t->rotations[i] = sn_mat3_polar(f, t->rotations[i]);
        frame->turn = sn_mat3_from_quat(t->rotations[i]);
        frame->stretch = sn_sym3_from(unturned(&frame->turn, &f));
        frame->spin_inverse = spin_inverse(frame->stretch);
    }
}

void sn_tetrahedra_look(sn_tetrahedra *tetrahedra, const sn_vec3 *places, sn_tasks *tasks)
{
    element_loop loop = {tetrahedra, places, NULL};
    sn_tasks_for(tasks, tetrahedra->element_count, ELEMENT_GRAIN, look, &loop);
}

// --- forces ------------------------------------------------------------------------------------------------

// V (λ tr e 1 + 2µ e).
static sn_sym3 stress_of(const sn_tetrahedra *t, int element, sn_sym3 e)
{
    float volume = t->elements[element].volume, twice = 2.0f * t->mu * volume;
    float pressure = t->lambda * volume * (e.xx + e.yy + e.zz);
    return (sn_sym3){pressure + twice * e.xx,
                     pressure + twice * e.yy,
                     pressure + twice * e.zz,
                     twice * e.xy,
                     twice * e.xz,
                     twice * e.yz};
}

// Axial vector of T − Tᵀ for T = A B, A and B symmetric.
static sn_vec3 axial_of_product(sn_sym3 a, sn_sym3 b)
{
    float zy = a.xz * b.xy + a.yz * b.yy + a.zz * b.yz, yz = a.xy * b.xz + a.yy * b.yz + a.yz * b.zz;
    float xz = a.xx * b.xz + a.xy * b.yz + a.xz * b.zz, zx = a.xz * b.xx + a.yz * b.xy + a.zz * b.xz;
    float yx = a.xy * b.xx + a.yy * b.xy + a.yz * b.xz, xy = a.xx * b.xy + a.xy * b.yy + a.xz * b.yz;
    return sn_v(zy - yz, xz - zx, yx - xy);
}

// The forces of a stress.
static void set_forces(const sn_corotational_element *element, sn_corotational_frame *frame, sn_sym3 stress)
{
    sn_vec3 y = sn_sym3_apply(frame->spin_inverse, axial_of_product(frame->stretch, stress));
    for (int k = 0; k < 3; ++k) {
        sn_vec3 b = element->gradient[k];
        sn_vec3 push = sn_add(sn_sym3_apply(stress, b), sn_cross(y, b));
        frame->force[k] = sn_neg(sn_mat3_apply(frame->turn, push));
    }
}

static void find_elastic(void *context, int begin, int end)
{
    const element_loop *loop = context;
    sn_tetrahedra *t = loop->tetrahedra;
    for (int i = begin; i < end; ++i) {
        sn_sym3 strain = t->frames[i].stretch;
        strain.xx -= 1.0f;
        strain.yy -= 1.0f;
        strain.zz -= 1.0f;
        set_forces(&t->elements[i], &t->frames[i], stress_of(t, i, strain));
    }
}

// U̇ of an element whose nodes move with `field`.
static sn_sym3 rate_of(const sn_corotational_element *element, const sn_corotational_frame *frame,
                       const sn_vec3 *field)
{
    sn_mat3 gradient = deformation(element, field), l = unturned(&frame->turn, &gradient);
    sn_vec3 axial = sn_v(l.y.z - l.z.y, l.z.x - l.x.z, l.x.y - l.y.x);
    sn_vec3 spin = sn_sym3_apply(frame->spin_inverse, axial);
    sn_sym3 u = frame->stretch;
    sn_mat3 rate = {sn_sub(l.x, sn_cross(spin, sn_v(u.xx, u.xy, u.xz))),
                    sn_sub(l.y, sn_cross(spin, sn_v(u.xy, u.yy, u.yz))),
                    sn_sub(l.z, sn_cross(spin, sn_v(u.xz, u.yz, u.zz)))};
    return sn_sym3_from(rate);
}

static void find_resistance(void *context, int begin, int end)
{
    const element_loop *loop = context;
    sn_tetrahedra *t = loop->tetrahedra;
    for (int i = begin; i < end; ++i) {
        sn_sym3 rate = rate_of(&t->elements[i], &t->frames[i], loop->field);
        set_forces(&t->elements[i], &t->frames[i], stress_of(t, i, rate));
    }
}

// One thread, in order: elements share nodes.
static void gather_forces(const sn_tetrahedra *t, sn_vec3 *forces)
{
    memset(forces, 0, (size_t)t->node_count * sizeof *forces);
    for (int i = 0; i < t->element_count; ++i) {
        const int *node = t->elements[i].node;
        const sn_vec3 *force = t->frames[i].force;
        for (int k = 0; k < 3; ++k) {
            forces[node[k + 1]] = sn_add(forces[node[k + 1]], force[k]);
            forces[node[0]] = sn_sub(forces[node[0]], force[k]);
        }
    }
}

void sn_tetrahedra_elastic(sn_tetrahedra *tetrahedra, sn_vec3 *forces, sn_tasks *tasks)
{
    element_loop loop = {tetrahedra, NULL, NULL};
    sn_tasks_for(tasks, tetrahedra->element_count, ELEMENT_GRAIN, find_elastic, &loop);
    gather_forces(tetrahedra, forces);
}

void sn_tetrahedra_resist(sn_tetrahedra *tetrahedra, const sn_vec3 *field, sn_vec3 *forces, sn_tasks *tasks)
{
    element_loop loop = {tetrahedra, NULL, field};
    sn_tasks_for(tasks, tetrahedra->element_count, ELEMENT_GRAIN, find_resistance, &loop);
    gather_forces(tetrahedra, forces);
}

double sn_tetrahedra_energy(const sn_tetrahedra *t, const sn_node_state *nodes)
{
    double energy = 0.0;
    for (int i = 0; i < t->element_count; ++i) {
        sn_mat3 f = deformation_at(&t->elements[i], nodes);
        sn_mat3 turn = sn_mat3_from_quat(sn_mat3_polar(f, t->rotations[i]));
        sn_sym3 e = sn_sym3_from(unturned(&turn, &f));
        e.xx -= 1.0f;
        e.yy -= 1.0f;
        e.zz -= 1.0f;
        sn_sym3 s = stress_of(t, i, e);
        energy += 0.5 * ((double)s.xx * e.xx + (double)s.yy * e.yy + (double)s.zz * e.zz +
                         2.0 * ((double)s.xy * e.xy + (double)s.xz * e.xz + (double)s.yz * e.yz));
    }
    return energy;
}

// --- stiffness ---------------------------------------------------------------------------------------------

// K_aa = V ((λ + µ) g gᵀ + µ |g|² 1) with g = R b_a.
void sn_tetrahedra_add_diagonal(const sn_tetrahedra *t, float scale, sn_sym3 *blocks)
{
    for (int i = 0; i < t->element_count; ++i) {
        const sn_corotational_element *element = &t->elements[i];
        sn_mat3 turn = sn_mat3_from_quat(t->rotations[i]); // which is saved, as frames are not
        sn_vec3 sum = sn_v(0.0f, 0.0f, 0.0f);
        for (int a = 3; a >= 0; --a) {
            sn_vec3 b = a > 0 ? element->gradient[a - 1] : sn_neg(sum);
            sn_vec3 g = sn_mat3_apply(turn, b);
            sum = sn_add(sum, b);
            float along = scale * element->volume * (t->lambda + t->mu);
            float across = scale * element->volume * t->mu * sn_length_squared(g);
            sn_sym3 *block = &blocks[element->node[a]];
            block->xx += along * g.x * g.x + across;
            block->yy += along * g.y * g.y + across;
            block->zz += along * g.z * g.z + across;
            block->xy += along * g.x * g.y;
            block->xz += along * g.x * g.z;
            block->yz += along * g.y * g.z;
        }
    }
}

// The six rows of tetrahedron_block.h, each times the root of its modulus: energy = ½ V Σ row².
static void scaled_rows(const sn_tetrahedra *t, sn_vec3 b, sn_vec3 rows[ROWS])
{
    float bulk = sqrtf((3.0f * t->lambda + 2.0f * t->mu) / 3.0f), shear = sqrtf(t->mu);
    float side = sqrtf(t->mu), height = sqrtf(t->mu / 3.0f);
    rows[0] = sn_scale(b, bulk);
    rows[1] = sn_v(side * b.x, -side * b.y, 0.0f);
    rows[2] = sn_v(height * b.x, height * b.y, -2.0f * height * b.z);
    rows[3] = sn_v(0.0f, shear * b.z, shear * b.y);
    rows[4] = sn_v(shear * b.z, 0.0f, shear * b.x);
    rows[5] = sn_v(shear * b.y, shear * b.x, 0.0f);
}

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

static double fastest_of(const sn_tetrahedra *t, int index, const sn_node_state *nodes)
{
    const sn_corotational_element *element = &t->elements[index];
    double m[ROWS][ROWS] = {{0.0}};
    sn_vec3 sum = sn_v(0.0f, 0.0f, 0.0f);
    for (int a = 3; a >= 0; --a) {
        sn_vec3 b = a > 0 ? element->gradient[a - 1] : sn_neg(sum), rows[ROWS];
        sum = sn_add(sum, b);
        scaled_rows(t, b, rows);
        // V cancels: a node's mass is shared by volume.
        int node = element->node[a];
        double response = (double)nodes[node].inverse_mass * (double)t->node_volumes[node];
        for (int r = 0; r < ROWS; ++r) {
            for (int c = 0; c < ROWS; ++c) {
                m[r][c] += response * (double)sn_dot(rows[r], rows[c]);
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
        for (int i = 0; i < t->element_count; ++i) {
            double candidate = fastest_of(t, i, nodes);
            fastest = candidate > fastest ? candidate : fastest;
        }
        t->fastest = (float)fastest;
    }
    return t->fastest;
}
