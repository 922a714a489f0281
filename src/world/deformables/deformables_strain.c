// Strain and stress of every element of a deformable. With the edges of an element now and
// at rest, F maps the latter to the former; its stretches are the roots of the eigenvalues of FᵀF. Principal
// stresses are the changes of the energy density with the stretches, so per area at rest, and finite in every
// state.
#include "world/core/world.h"

// Principal stretches − 1, ascending. A tetrahedron turned inside out has a negative stretch: the smallest.
typedef struct principal {
    float strain[3];
    int count;           // 3, 2 or 1 of a tetrahedron, a triangle, an edge
    float measure_ratio; // volume, area or length, over that at rest
} principal;

static sn_vec3 now_between(const sn_node_state *nodes, const uint32_t *corners, int corner)
{
    return sn_sub(nodes[corners[corner]].position, nodes[corners[0]].position);
}

static sn_vec3 rest_between(const sn_deformable_data *data, const uint32_t *corners, int corner)
{
    const sn_vec3 *nodes = data->def.mesh->nodes;
    return sn_scale(sn_sub(nodes[corners[corner]], nodes[corners[0]]), data->def.scale);
}

// √(1 + c) − 1, precise for small c; −1 where rounding makes 1 + c negative.
static float stretch_less_one(float c)
{
    return c > -1.0f ? c / (1.0f + sqrtf(1.0f + c)) : -1.0f;
}

// From F by columns: of a triangle the third is zero.
static principal principal_of(sn_mat3 f, int count)
{
    float xy = sn_dot(f.x, f.y), xz = sn_dot(f.x, f.z), yz = sn_dot(f.y, f.z);
    sn_mat3 c = {{sn_dot(f.x, f.x) - 1.0f, xy, xz},
                 {xy, sn_dot(f.y, f.y) - 1.0f, yz},
                 {xz, yz, sn_dot(f.z, f.z) - 1.0f}};
    sn_vec3 values = sn_mat3_eigen(c, NULL);
    float all[3] = {values.x, values.y, values.z};
    principal p = {.count = count};
    for (int k = 0; k < count; ++k) {
        p.strain[k] = stretch_less_one(all[3 - count + k]);
    }
    return p;
}

static principal tetrahedron_strain(const sn_deformable_data *data, const sn_node_state *nodes,
                                    const uint32_t *corners)
{
    sn_vec3 rest[3], now[3];
    for (int k = 0; k < 3; ++k) {
        rest[k] = rest_between(data, corners, k + 1);
        now[k] = now_between(nodes, corners, k + 1);
    }
    float inverse = 1.0f / sn_dot(rest[0], sn_cross(rest[1], rest[2]));
    sn_mat3 f = sn_mat3_diagonal(0.0f, 0.0f, 0.0f);
    for (int k = 0; k < 3; ++k) {
        sn_vec3 b = sn_scale(sn_cross(rest[(k + 1) % 3], rest[(k + 2) % 3]), inverse);
        f.x = sn_add_scaled(f.x, b.x, now[k]);
        f.y = sn_add_scaled(f.y, b.y, now[k]);
        f.z = sn_add_scaled(f.z, b.z, now[k]);
    }
    principal p = principal_of(f, 3);
    p.measure_ratio = sn_mat3_determinant(f);
    if (p.measure_ratio < 0.0f) {
        p.strain[0] = -2.0f - p.strain[0];
    }
    return p;
}

// In the frame of the triangle at rest: its first edge along x.
static principal triangle_strain(const sn_deformable_data *data, const sn_node_state *nodes,
                                 const uint32_t *corners)
{
    sn_vec3 first = rest_between(data, corners, 1), second = rest_between(data, corners, 2);
    float length = sn_length(first), along = sn_dot(first, second) / length;
    float height = sn_length(sn_cross(first, second)) / length;
    sn_vec3 x = sn_scale(now_between(nodes, corners, 1), 1.0f / length);
    sn_vec3 y = sn_scale(sn_add_scaled(now_between(nodes, corners, 2), -along, x), 1.0f / height);
    sn_mat3 f = {x, y, {0.0f, 0.0f, 0.0f}};
    principal p = principal_of(f, 2);
    p.measure_ratio = sn_length(sn_cross(x, y));
    return p;
}

static principal edge_strain(const sn_deformable_data *data, const sn_node_state *nodes,
                             const uint32_t *corners)
{
    float rest = sn_length(rest_between(data, corners, 1)), now = sn_length(now_between(nodes, corners, 1));
    return (principal){.strain = {now / rest - 1.0f}, .count = 1, .measure_ratio = now / rest};
}

// Principal stresses of the models that are finite elements; zeros of others.
static sn_vec3 stress_of(const sn_model *model, const principal *p)
{
    float poisson = model->poisson, mu = 0.5f * model->young / (1.0f + poisson);
    float lambda = 2.0f * mu * poisson / (1.0f - 2.0f * poisson);
    sn_vec3 e = {p->strain[0], p->strain[1], p->strain[2]};
    if (model->type == SN_MODEL_NEO_HOOKEAN) {
        // solver/elements/neo_hookean_block.h, with stretches s.
        sn_vec3 s = sn_add(e, sn_v(1.0f, 1.0f, 1.0f));
        float shear = 4.0f / 3.0f * mu * (1.0f - 1.0f / (sn_dot(s, s) + 1.0f));
        float pressure = (lambda + 5.0f / 6.0f * mu) * (s.x * s.y * s.z - 1.0f) - mu;
        return sn_add_scaled(sn_scale(s, shear), pressure, sn_v(s.y * s.z, s.z * s.x, s.x * s.y));
    }
    float pressure = lambda * (e.x + e.y + e.z);
    return sn_add(sn_v(pressure, pressure, pressure), sn_scale(e, 2.0f * mu));
}

static bool has_stress(sn_model_type type)
{
    return type == SN_MODEL_COROTATIONAL || type == SN_MODEL_COROTATIONAL_EXPLICIT ||
           type == SN_MODEL_COROTATIONAL_IMPLICIT || type == SN_MODEL_NEO_HOOKEAN;
}

static float von_mises(sn_vec3 stress)
{
    sn_vec3 apart = {stress.x - stress.y, stress.y - stress.z, stress.z - stress.x};
    return sqrtf(0.5f * sn_dot(apart, apart));
}

static sn_element_strain element_strain(const sn_model *model, const principal *p)
{
    float lowest = p->strain[0], highest = p->strain[p->count - 1];
    sn_element_strain strain = {.principal = -lowest > highest ? lowest : highest,
                                .growth = p->measure_ratio - 1.0f};
    if (p->count == 3 && has_stress(model->type)) {
        strain.von_mises = von_mises(stress_of(model, p));
    }
    return strain;
}

// The elements that are measured: those of the highest dimension in the mesh.
typedef struct element_list {
    const uint32_t *corners;
    int width, count;
} element_list;

static element_list elements_of(const sn_mesh *mesh)
{
    if (mesh->tetrahedron_count > 0) {
        return (element_list){mesh->tetrahedra, 4, mesh->tetrahedron_count};
    }
    if (mesh->triangle_count > 0) {
        return (element_list){mesh->triangles, 3, mesh->triangle_count};
    }
    return (element_list){mesh->edges, 2, mesh->edge_count};
}

static sn_element_strain strain_at(const sn_deformable_data *data, const sn_node_state *nodes,
                                   const element_list *list, int index)
{
    const uint32_t *corners = list->corners + (size_t)list->width * (size_t)index;
    principal p = list->width == 4   ? tetrahedron_strain(data, nodes, corners)
                  : list->width == 3 ? triangle_strain(data, nodes, corners)
                                     : edge_strain(data, nodes, corners);
    return element_strain(&data->def.model, &p);
}

float sn_deformable_largest_strain(const sn_deformable_data *data, const sn_node_state *nodes)
{
    element_list list = elements_of(data->def.mesh);
    float largest = 0.0f;
    for (int i = 0; i < list.count; ++i) {
        largest = sn_max(largest, sn_abs(strain_at(data, nodes, &list, i).principal));
    }
    return largest;
}

int sn_deformable_strains(const sn_world *world, sn_deformable deformable, sn_element_strain *out,
                          int capacity)
{
    const sn_deformable_data *data = sn_world_deformable(world, deformable);
    if (data == NULL) {
        return 0;
    }
    const sn_node_state *nodes = world->nodes.states.data + data->first_node;
    element_list list = elements_of(data->def.mesh);
    for (int i = 0; out != NULL && i < list.count && i < capacity; ++i) {
        out[i] = strain_at(data, nodes, &list, i);
    }
    return list.count;
}
