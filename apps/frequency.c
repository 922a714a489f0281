// Power iteration: a shape of motion is multiplied by stiffness over mass until only its fastest part is
// left. Stiffness is a sum over edges, triangles and tetrahedra, never a matrix. Terms of energies are
// ½ k C², so that their stiffness is k ∇C ∇Cᵀ at rest; finite elements strain linearly.
#include "apps/frequency.h"

#include <math.h>
#include <stdlib.h>

enum { ITERATIONS = 60 };

typedef struct vector {
    double x, y, z;
} vector;

typedef struct problem {
    const sn_mesh *mesh;
    sn_model model;
    float scale;
    const sn_node_state *nodes; // for their masses
    vector *shape, *forces;
} problem;

static vector place(const problem *p, uint32_t node)
{
    sn_vec3 at = sn_mesh_nodes(p->mesh)[node];
    double scale = (double)p->scale;
    return (vector){scale * (double)at.x, scale * (double)at.y, scale * (double)at.z};
}

static vector minus(vector a, vector b)
{
    return (vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static vector times(double s, vector a)
{
    return (vector){s * a.x, s * a.y, s * a.z};
}

static double dot(vector a, vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vector cross(vector a, vector b)
{
    return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static void add_to(vector *sum, double s, vector a)
{
    *sum = (vector){sum->x + s * a.x, sum->y + s * a.y, sum->z + s * a.z};
}

// Forces of one term: k ∇C (∇C · shape).
static void add_term(const problem *p, double k, const uint32_t *nodes, const vector *gradients, int count)
{
    double change = 0.0;
    for (int i = 0; i < count; ++i) {
        change += dot(gradients[i], p->shape[nodes[i]]);
    }
    for (int i = 0; i < count; ++i) {
        add_to(&p->forces[nodes[i]], k * change, gradients[i]);
    }
}

static void add_edges(const problem *p)
{
    bool is_energy = p->model.type == SN_MODEL_ENERGY;
    for (int i = 0; i < sn_mesh_edge_count(p->mesh); ++i) {
        const uint32_t *edge = sn_mesh_edges(p->mesh) + 2 * (size_t)i;
        vector along = minus(place(p, edge[1]), place(p, edge[0]));
        double length = sqrt(dot(along, along)), scale = is_energy ? length * length : length;
        vector gradients[2] = {times(-1.0 / scale, along), times(1.0 / scale, along)};
        add_term(p, (double)p->model.stiffness, edge, gradients, 2);
    }
}

// Of sheets: ∇A / A of each triangle.
static void add_triangles(const problem *p)
{
    int count = sn_mesh_tetrahedron_count(p->mesh) > 0 ? 0 : sn_mesh_triangle_count(p->mesh);
    for (int i = 0; i < count; ++i) {
        const uint32_t *c = sn_mesh_triangles(p->mesh) + 3 * (size_t)i;
        vector x[3] = {place(p, c[0]), place(p, c[1]), place(p, c[2])}, gradients[3];
        vector normal = cross(minus(x[1], x[0]), minus(x[2], x[0]));
        double squared = dot(normal, normal); // (2 A)²
        for (int k = 0; k < 3; ++k) {
            gradients[k] = times(1.0 / squared, cross(normal, minus(x[(k + 2) % 3], x[(k + 1) % 3])));
        }
        add_term(p, (double)p->model.area_stiffness, c, gradients, 3);
    }
}

// ∇V / V of a tetrahedron's corners, which are the gradients of its shape functions. Returns V.
static double shape_gradients(const problem *p, const uint32_t *c, vector gradients[4])
{
    vector a = place(p, c[0]), u = minus(place(p, c[1]), a), v = minus(place(p, c[2]), a),
           w = minus(place(p, c[3]), a);
    double six = dot(cross(u, v), w);
    gradients[1] = times(1.0 / six, cross(v, w));
    gradients[2] = times(1.0 / six, cross(w, u));
    gradients[3] = times(1.0 / six, cross(u, v));
    gradients[0] = (vector){0.0, 0.0, 0.0};
    for (int i = 1; i < 4; ++i) {
        add_to(&gradients[0], -1.0, gradients[i]);
    }
    return fabs(six) / 6.0;
}

// Σ_j (λ g_i g_j·u_j + µ u_j g_i·g_j + µ g_j g_i·u_j) V: linear elasticity.
static void add_element(const problem *p, const uint32_t *c, const vector gradients[4], double volume)
{
    double young = (double)p->model.young, poisson = (double)p->model.poisson;
    double mu = 0.5 * young / (1.0 + poisson);
    double lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            vector u = p->shape[c[j]];
            add_to(&p->forces[c[i]], volume * lambda * dot(gradients[j], u), gradients[i]);
            add_to(&p->forces[c[i]], volume * mu * dot(gradients[i], gradients[j]), u);
            add_to(&p->forces[c[i]], volume * mu * dot(gradients[i], u), gradients[j]);
        }
    }
}

static void add_tetrahedra(const problem *p)
{
    for (int i = 0; i < sn_mesh_tetrahedron_count(p->mesh); ++i) {
        const uint32_t *c = sn_mesh_tetrahedra(p->mesh) + 4 * (size_t)i;
        vector gradients[4];
        double volume = shape_gradients(p, c, gradients);
        if (p->model.type == SN_MODEL_ENERGY) {
            add_term(p, (double)p->model.volume_stiffness, c, gradients, 4);
        } else {
            add_element(p, c, gradients, volume);
        }
    }
}

static void add_forces(const problem *p)
{
    if (p->model.type != SN_MODEL_COROTATIONAL_EXPLICIT) {
        add_edges(p);
    }
    if (p->model.type == SN_MODEL_ENERGY) {
        add_triangles(p);
    }
    if (p->model.type != SN_MODEL_SPRING_FORCES) {
        add_tetrahedra(p);
    }
}

// Any shape that has a part of everything in it.
static void begin(const problem *p)
{
    uint32_t random = 1;
    for (int i = 0; i < sn_mesh_node_count(p->mesh); ++i) {
        double values[3];
        for (int k = 0; k < 3; ++k) {
            random = random * 1664525u + 1013904223u;
            values[k] = (double)(random >> 8) / 0x1p23 - 1.0;
        }
        p->shape[i] = (vector){values[0], values[1], values[2]};
    }
}

// The next shape, normalised. Returns Rayleigh's quotient of the last one, the square of its frequency.
static double iterate(const problem *p)
{
    int count = sn_mesh_node_count(p->mesh);
    double work = 0.0, motion = 0.0, size = 0.0;
    for (int i = 0; i < count; ++i) {
        bool is_free = p->nodes[i].inverse_mass > 0.0f;
        p->shape[i] = times(is_free ? 1.0 : 0.0, p->shape[i]);
        p->forces[i] = (vector){0.0, 0.0, 0.0};
        motion += is_free ? dot(p->shape[i], p->shape[i]) / (double)p->nodes[i].inverse_mass : 0.0;
    }
    add_forces(p);
    for (int i = 0; i < count; ++i) {
        work += dot(p->shape[i], p->forces[i]);
        p->shape[i] = times((double)p->nodes[i].inverse_mass, p->forces[i]);
        size += dot(p->shape[i], p->shape[i]);
    }
    for (int i = 0; i < count && size > 0.0; ++i) {
        p->shape[i] = times(1.0 / sqrt(size), p->shape[i]);
    }
    return motion > 0.0 ? work / motion : 0.0;
}

double frequency_highest(const sn_world *world, sn_deformable deformable)
{
    sn_deformable_def def = sn_deformable_definition(world, deformable);
    bool is_made_of_forces = def.model.type == SN_MODEL_SPRING_FORCES || def.model.type == SN_MODEL_ENERGY ||
                             def.model.type == SN_MODEL_COROTATIONAL_EXPLICIT;
    size_t count = (size_t)sn_deformable_node_count(world, deformable);
    if (!is_made_of_forces || count == 0) {
        return 0.0;
    }
    problem p = {.mesh = def.mesh,
                 .model = def.model,
                 .scale = def.scale,
                 .nodes = sn_deformable_nodes(world, deformable),
                 .shape = calloc(count, sizeof(vector)),
                 .forces = calloc(count, sizeof(vector))};
    double squared = -1.0;
    if (p.shape != NULL && p.forces != NULL) {
        begin(&p);
        for (int i = 0; i < ITERATIONS; ++i) {
            squared = fmax(squared, iterate(&p));
        }
    }
    free(p.shape);
    free(p.forces);
    return squared < 0.0 ? -1.0 : sqrt(squared);
}
