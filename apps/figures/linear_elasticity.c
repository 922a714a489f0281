// Linear elasticity. Tested by tests/apps/figures/test_linear_elasticity.c.
#include "apps/figures/linear_elasticity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A tetrahedron: gradients of its four shape functions, and its volume.
typedef struct element {
    int nodes[4];
    double gradients[4][3], volume;
} element;

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void make_element(const sn_mesh *mesh, int index, element *e)
{
    const uint32_t *corners = sn_mesh_tetrahedra(mesh) + 4 * index;
    const sn_vec3 *places = sn_mesh_nodes(mesh);
    double d[3][3], normal[3];
    for (int k = 0; k < 4; ++k) {
        e->nodes[k] = (int)corners[k];
    }
    for (int k = 0; k < 3; ++k) {
        sn_vec3 a = places[corners[0]], b = places[corners[k + 1]];
        d[k][0] = (double)b.x - (double)a.x;
        d[k][1] = (double)b.y - (double)a.y;
        d[k][2] = (double)b.z - (double)a.z;
    }
    cross(d[1], d[2], normal);
    double six_volumes = d[0][0] * normal[0] + d[0][1] * normal[1] + d[0][2] * normal[2];
    e->volume = fabs(six_volumes) / 6.0;
    for (int k = 0; k < 3; ++k) {
        cross(d[(k + 1) % 3], d[(k + 2) % 3], normal);
        for (int i = 0; i < 3; ++i) {
            e->gradients[k + 1][i] = normal[i] / six_volumes;
        }
    }
    for (int i = 0; i < 3; ++i) {
        e->gradients[0][i] = -e->gradients[1][i] - e->gradients[2][i] - e->gradients[3][i];
    }
}

// f += K u, by Lamé's constants.
static void add_forces(const element *e, double lambda, double mu, const double *u, double *f)
{
    double g[3][3] = {{0}};
    for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                g[i][j] += u[3 * e->nodes[k] + i] * e->gradients[k][j];
            }
        }
    }
    double trace = lambda * (g[0][0] + g[1][1] + g[2][2]);
    for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < 3; ++i) {
            double sum = trace * e->gradients[k][i];
            for (int j = 0; j < 3; ++j) {
                sum += mu * (g[i][j] + g[j][i]) * e->gradients[k][j];
            }
            f[3 * e->nodes[k] + i] += e->volume * sum;
        }
    }
}

typedef struct system {
    const linear_problem *problem;
    element *elements;
    int element_count, size; // unknowns: three a node
} linear_system;

// f = K u with the rows of fixed nodes left out.
static void multiply(const linear_system *s, const double *u, double *f)
{
    double young = s->problem->young, nu = s->problem->poisson;
    double lambda = young * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), mu = young / (2.0 * (1.0 + nu));
    memset(f, 0, (size_t)s->size * sizeof *f);
    for (int i = 0; i < s->element_count; ++i) {
        add_forces(&s->elements[i], lambda, mu, u, f);
    }
    for (int i = 0; i < s->size; ++i) {
        f[i] = s->problem->fixed[i / 3] ? 0.0 : f[i];
    }
}

static double dot(const double *a, const double *b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

// Conjugate gradients from u = 0; r holds the load.
static bool solve(const linear_system *s, double *u, double *r, double *p, double *kp)
{
    double now = dot(r, r, s->size), goal = 1e-18 * now;
    memcpy(p, r, (size_t)s->size * sizeof *p);
    memset(u, 0, (size_t)s->size * sizeof *u);
    for (int k = 0; k < 20 * s->size && now > goal; ++k) {
        multiply(s, p, kp);
        double alpha = now / dot(p, kp, s->size), before = now;
        for (int i = 0; i < s->size; ++i) {
            u[i] += alpha * p[i];
            r[i] -= alpha * kp[i];
        }
        now = dot(r, r, s->size);
        for (int i = 0; i < s->size; ++i) {
            p[i] = r[i] + now / before * p[i];
        }
    }
    return now <= goal;
}

bool linear_elasticity_solve(const linear_problem *problem, double *displacements)
{
    linear_system s = {.problem = problem,
                       .element_count = sn_mesh_tetrahedron_count(problem->mesh),
                       .size = 3 * sn_mesh_node_count(problem->mesh)};
    double *vectors = calloc(3 * (size_t)s.size, sizeof *vectors);
    s.elements = calloc((size_t)s.element_count, sizeof *s.elements);
    bool fine = vectors != NULL && s.elements != NULL;
    for (int i = 0; i < s.element_count && fine; ++i) {
        make_element(problem->mesh, i, &s.elements[i]);
        for (int k = 0; k < 12; ++k) {
            int node = s.elements[i].nodes[k / 3];
            double load = 0.25 * problem->density * s.elements[i].volume * problem->gravity[k % 3];
            vectors[3 * node + k % 3] += problem->fixed[node] ? 0.0 : load;
        }
    }
    fine = fine && solve(&s, displacements, vectors, vectors + s.size, vectors + 2 * s.size);
    free(vectors);
    free(s.elements);
    return fine;
}
