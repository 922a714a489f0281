// Linear elasticity on a mesh of tetrahedra, in double and without any of the library's mechanics: the answer
// that finite elements of every kind must come to for small loads. Static displacements by conjugate
// gradients, the lowest frequency by inverse iteration. Constant strain in each element, masses lumped by
// volume. Include after cmocka.h.
#ifndef TESTS_SUPPORT_LINEAR_ELASTIC_H
#define TESTS_SUPPORT_LINEAR_ELASTIC_H

#include "sinew/mesh.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct linear_elastic {
    const sn_mesh *mesh;
    double lambda, mu, density;
    const bool *fixed; // one a node
    int node_count, element_count;
    double (*gradients)[4][3]; // of shape functions, by element
    double *volumes, *masses;  // by element; by node
} linear_elastic;

static inline void linear_corner(const sn_mesh *mesh, int element, int corner, double x[3])
{
    sn_vec3 p = sn_mesh_nodes(mesh)[sn_mesh_tetrahedra(mesh)[4 * element + corner]];
    x[0] = (double)p.x, x[1] = (double)p.y, x[2] = (double)p.z;
}

static inline void linear_element(linear_elastic *e, int element)
{
    double x[4][3], edge[3][3], determinant = 0.0;
    double(*g)[3] = e->gradients[element];
    for (int a = 0; a < 4; ++a) {
        linear_corner(e->mesh, element, a, x[a]);
    }
    for (int k = 0; k < 9; ++k) {
        edge[k / 3][k % 3] = x[k / 3 + 1][k % 3] - x[0][k % 3];
    }
    for (int k = 0; k < 3; ++k) {
        const double *u = edge[(k + 1) % 3], *v = edge[(k + 2) % 3];
        g[k + 1][0] = u[1] * v[2] - u[2] * v[1];
        g[k + 1][1] = u[2] * v[0] - u[0] * v[2];
        g[k + 1][2] = u[0] * v[1] - u[1] * v[0];
    }
    for (int i = 0; i < 3; ++i) {
        determinant += edge[0][i] * g[1][i];
    }
    for (int i = 0; i < 3; ++i) {
        for (int k = 1; k < 4; ++k) {
            g[k][i] /= determinant;
        }
        g[0][i] = -g[1][i] - g[2][i] - g[3][i];
    }
    e->volumes[element] = determinant / 6.0;
    for (int a = 0; a < 4; ++a) {
        e->masses[sn_mesh_tetrahedra(e->mesh)[4 * element + a]] += e->density * determinant / 24.0;
    }
}

static inline linear_elastic linear_make(const sn_mesh *mesh, double young, double poisson, double density,
                                         const bool *fixed)
{
    linear_elastic e = {.mesh = mesh,
                        .lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)),
                        .mu = young / (2.0 * (1.0 + poisson)),
                        .density = density,
                        .fixed = fixed,
                        .node_count = sn_mesh_node_count(mesh),
                        .element_count = sn_mesh_tetrahedron_count(mesh)};
    e.gradients = calloc((size_t)e.element_count, sizeof *e.gradients);
    e.volumes = calloc((size_t)e.element_count, sizeof *e.volumes);
    e.masses = calloc((size_t)e.node_count, sizeof *e.masses);
    assert_true(e.gradients != NULL && e.volumes != NULL && e.masses != NULL);
    for (int i = 0; i < e.element_count; ++i) {
        linear_element(&e, i);
    }
    return e;
}

static inline void linear_free(linear_elastic *e)
{
    free(e->gradients);
    free(e->volumes);
    free(e->masses);
}

// forces = K u, zero at fixed nodes.
static inline void linear_multiply(const linear_elastic *e, const double *u, double *forces)
{
    memset(forces, 0, 3 * (size_t)e->node_count * sizeof *forces);
    for (int t = 0; t < e->element_count; ++t) {
        const uint32_t *corners = sn_mesh_tetrahedra(e->mesh) + 4 * t;
        const double(*g)[3] = (const double(*)[3])e->gradients[t];
        double h[3][3] = {{0.0}}, stress[3][3], trace;
        for (int k = 0; k < 36; ++k) {
            h[k / 12][k / 4 % 3] += u[3 * corners[k % 4] + (uint32_t)(k / 12)] * g[k % 4][k / 4 % 3];
        }
        trace = e->lambda * (h[0][0] + h[1][1] + h[2][2]);
        for (int k = 0; k < 9; ++k) {
            int i = k / 3, j = k % 3;
            stress[i][j] = e->volumes[t] * (e->mu * (h[i][j] + h[j][i]) + (i == j ? trace : 0.0));
        }
        for (int k = 0; k < 36; ++k) {
            forces[3 * corners[k % 4] + (uint32_t)(k / 12)] +=
                stress[k / 12][k / 4 % 3] * g[k % 4][k / 4 % 3];
        }
    }
    for (int i = 0; i < 3 * e->node_count; ++i) {
        forces[i] = e->fixed[i / 3] ? 0.0 : forces[i];
    }
}

static inline double linear_dot(const double *a, const double *b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

// K u = forces by conjugate gradients, to 1e-10 of the forces.
static inline void linear_solve(const linear_elastic *e, const double *forces, double *u)
{
    int count = 3 * e->node_count;
    double *r = calloc(3 * (size_t)count, sizeof *r), *d = r + count, *image = d + count;
    assert_non_null(r);
    for (int i = 0; i < count; ++i) {
        u[i] = 0.0;
        r[i] = d[i] = e->fixed[i / 3] ? 0.0 : forces[i];
    }
    double size = linear_dot(r, r, count), enough = 1.0e-20 * size;
    for (int k = 0; k < 20 * count && size > enough; ++k) {
        linear_multiply(e, d, image);
        double step = size / linear_dot(d, image, count);
        for (int i = 0; i < count; ++i) {
            u[i] += step * d[i];
            r[i] -= step * image[i];
        }
        double next = linear_dot(r, r, count);
        for (int i = 0; i < count; ++i) {
            d[i] = r[i] + next / size * d[i];
        }
        size = next;
    }
    free(r);
}

// Lowest frequency [Hz]; `u` is where the search begins, and ends as the form of the motion.
static inline double linear_frequency(const linear_elastic *e, double *u)
{
    int count = 3 * e->node_count;
    double *forces = calloc((size_t)count, sizeof *forces), squared = 0.0;
    assert_non_null(forces);
    for (int turn = 0; turn < 4; ++turn) {
        double before = 0.0, after = 0.0;
        for (int i = 0; i < count; ++i) {
            forces[i] = e->masses[i / 3] * u[i];
        }
        before = linear_dot(forces, u, count);
        double scale = 1.0 / sqrt(before);
        for (int i = 0; i < count; ++i) {
            forces[i] *= scale;
        }
        linear_solve(e, forces, u);
        after = linear_dot(forces, u, count); // uᵀ M K⁻¹ M u with uᵀ M u = 1
        squared = 1.0 / after;
    }
    free(forces);
    return sqrt(squared) / (2.0 * 3.14159265358979323846);
}

#endif
