// Values of bodies, and the map from values to colours.
#include "apps/render/heat.h"

#include <stdlib.h>

static float largest_error(const sn_world *world, sn_rigid rigid)
{
    enum { FEW = 32 };
    sn_constraint few[FEW];
    int count = sn_rigid_constraints(world, rigid, few, FEW);
    sn_constraint *all = count <= FEW ? few : malloc((size_t)count * sizeof *all);
    if (all == NULL) {
        all = few;
        count = FEW;
    }
    if (all != few) {
        sn_rigid_constraints(world, rigid, all, count);
    }
    float largest = 0.0f;
    for (int i = 0; i < count; ++i) {
        largest = sn_max(largest, sn_abs(sn_constraint_error(world, all[i])));
    }
    if (all != few) {
        free(all);
    }
    return largest;
}

float heat_value(const sn_world *world, sn_rigid rigid, render_heat heat)
{
    switch (heat) {
    case RENDER_SPEED:
        return sn_length(sn_rigid_linear_velocity(world, rigid));
    case RENDER_ERROR:
        return largest_error(world, rigid);
    case RENDER_SUPPORT:
        return sn_rigid_is_supported(world, rigid) ? 1.0f : 0.0f;
    default:
        return 0.0f;
    }
}

// Edges are wrong if they are to keep their length and do not.
static void spread_edge_errors(const sn_world *world, sn_deformable deformable, float *values)
{
    sn_deformable_def def = sn_deformable_definition(world, deformable);
    const sn_node_state *nodes = sn_deformable_nodes(world, deformable);
    const uint32_t *edges = sn_mesh_edges(def.mesh);
    for (int i = 0; def.inextensible.on && i < sn_mesh_edge_count(def.mesh); ++i) {
        uint32_t a = edges[2 * i], b = edges[2 * i + 1];
        float error = sn_distance_between(nodes[a].position, nodes[b].position) -
                      def.scale * sn_mesh_edge_length(def.mesh, i);
        bool allowed = (def.inextensible.side == SN_HOLD_STRETCH && error < 0.0f) ||
                       (def.inextensible.side == SN_HOLD_COMPRESSION && error > 0.0f);
        error = allowed ? 0.0f : sn_abs(error);
        values[a] = sn_max(values[a], error);
        values[b] = sn_max(values[b], error);
    }
}

static void spread_anchor_error(const sn_point *point, sn_deformable deformable, float error, float *values)
{
    for (int i = 0; point->type == SN_POINT_NODES && point->deformable.index == deformable.index &&
                    i < point->node_count;
         ++i) {
        values[point->nodes[i]] = sn_max(values[point->nodes[i]], error);
    }
}

static bool spread_anchor_errors(const sn_world *world, sn_deformable deformable, float *values)
{
    int count = sn_world_anchors(world, NULL, 0);
    sn_anchor *anchors = malloc(((size_t)count + 1) * sizeof *anchors);
    if (anchors == NULL) {
        return false;
    }
    sn_world_anchors(world, anchors, count);
    for (int i = 0; i < count; ++i) {
        sn_anchor_def def = sn_anchor_definition(world, anchors[i]);
        float error = sn_anchor_error(world, anchors[i]);
        spread_anchor_error(&def.a, deformable, error, values);
        spread_anchor_error(&def.b, deformable, error, values);
    }
    free(anchors);
    return true;
}

// Each node gets the largest value of its elements.
static bool spread_strains(const sn_world *world, sn_deformable deformable, bool stress, float *values)
{
    const sn_mesh *mesh = sn_deformable_mesh(world, deformable);
    const uint32_t *corners = sn_mesh_edges(mesh);
    int count = sn_deformable_strains(world, deformable, NULL, 0), size = 2;
    if (sn_mesh_triangle_count(mesh) > 0) {
        bool volume = sn_mesh_tetrahedron_count(mesh) > 0;
        size = volume ? 4 : 3;
        corners = volume ? sn_mesh_tetrahedra(mesh) : sn_mesh_triangles(mesh);
    }
    sn_element_strain *strains = malloc(((size_t)count + 1) * sizeof *strains);
    if (strains == NULL) {
        return false;
    }
    sn_deformable_strains(world, deformable, strains, count);
    for (int i = 0; i < count; ++i) {
        float value = stress ? strains[i].von_mises : sn_abs(strains[i].principal);
        for (int k = 0; k < size; ++k) {
            float *node = &values[corners[(size_t)size * (size_t)i + (size_t)k]];
            *node = sn_max(*node, value);
        }
    }
    free(strains);
    return true;
}

bool heat_node_values(const sn_world *world, sn_deformable deformable, render_heat heat, float *values)
{
    int count = sn_deformable_node_count(world, deformable);
    const sn_node_velocity *velocities = sn_deformable_velocities(world, deformable);
    for (int i = 0; i < count; ++i) {
        values[i] = heat == RENDER_SPEED ? sn_length(velocities[i].velocity) : 0.0f;
    }
    if (heat == RENDER_ERROR) {
        spread_edge_errors(world, deformable, values);
        return spread_anchor_errors(world, deformable, values);
    }
    return (heat != RENDER_STRAIN && heat != RENDER_STRESS) ||
           spread_strains(world, deformable, heat == RENDER_STRESS, values);
}

// c0 + c1 t + … + c5 t⁵
static float polynomial(const float *coefficients, float t)
{
    float sum = 0.0f;
    for (int i = 5; i >= 0; --i) {
        sum = sum * t + coefficients[i];
    }
    return sum;
}

sn_color heat_color(float fraction)
{
    // Mikhailov's "Turbo", in the polynomials of du Vair: even steps look even. Its ends are nearly black;
    // the part from 10 to 93 percent keeps bodies colourful.
    static const float channels[3][6] = {
        {0.13572138f, 4.61539260f, -42.66032258f, 132.13108234f, -152.94239396f, 59.28637943f},
        {0.09140261f, 2.19418839f, 4.84296658f, -14.18503333f, 4.27729857f, 2.82956604f},
        {0.10667330f, 12.64194608f, -60.58204836f, 110.36276771f, -89.90310912f, 27.34824973f}};
    float t = 0.10f + 0.83f * (fraction > 0.0f ? sn_min(fraction, 1.0f) : 0.0f);
    sn_color color = 0;
    for (int i = 0; i < 3; ++i) {
        float value = sn_clamp(polynomial(channels[i], t), 0.0f, 1.0f);
        color = color << 8 | (sn_color)(value * 255.0f + 0.5f);
    }
    return color;
}

const char *heat_unit(render_heat heat)
{
    // Errors are lengths or angles, as the constraint has it.
    static const char *const units[] = {"", "m/s", "m, rad", "1", "Pa", "1"};
    return units[heat];
}

const char *heat_name(render_heat heat)
{
    static const char *const names[] = {"", "speed", "constraint error", "strain", "stress", "supported"};
    return names[heat];
}
