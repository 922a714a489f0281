// Drawing deformables, their contacts and anchors: edges and faces at the present positions of nodes, contact
// points, and the points of anchors.
#include "world/draw/draw.h"
#include "world/exact/exact_plan.h"

// --- deformables -------------------------------------------------------------------------------------------

static void take_pen_of(sn_pencil *pencil, int index)
{
    const sn_world *world = pencil->world;
    bool asleep = sn_deformable_sleeps(&world->deformables.data[index]);
    pencil->color = asleep ? SN_PEN_ASLEEP : SN_PEN_AWAKE;
    if (pencil->islands != NULL) {
        pencil->color = sn_draw_island_color(pencil->islands[world->bodies.count + index], asleep);
    }
}

// A strand with its thickness if the user draws capsules, by lines otherwise.
static void draw_edges(const sn_pencil *pencil, const sn_deformable_data *data, const sn_node_state *nodes)
{
    const sn_mesh *mesh = data->def.mesh;
    const sn_draw *draw = pencil->draw;
    bool thick = mesh->triangle_count == 0 && draw->capsule != NULL;
    for (int i = 0; i < mesh->edge_count; ++i) {
        sn_vec3 a = nodes[mesh->edges[2 * (size_t)i]].position,
                b = nodes[mesh->edges[2 * (size_t)i + 1]].position;
        if (thick && sn_vec3_is_finite(a) && sn_vec3_is_finite(b)) {
            draw->capsule(a, b, 0.5f * data->def.thickness, pencil->color, draw->user);
        } else if (!thick) {
            sn_pencil_line(pencil, a, b);
        }
    }
}

static void draw_faces(const sn_pencil *pencil, const sn_mesh *mesh, const sn_node_state *nodes)
{
    for (int i = 0; i < mesh->triangle_count; ++i) {
        const uint32_t *corners = mesh->triangles + 3 * (size_t)i;
        sn_pencil_triangle(pencil, nodes[corners[0]].position, nodes[corners[1]].position,
                           nodes[corners[2]].position);
    }
}

// Nodes that forces do not move: fixed ones and frozen ones.
static void draw_held_nodes(sn_pencil *pencil, const sn_deformable_data *data)
{
    const sn_nodes *nodes = &pencil->world->nodes;
    for (int i = data->first_node; i < data->first_node + data->node_count; ++i) {
        if (!(nodes->states.data[i].inverse_mass > 0.0f)) {
            pencil->color = nodes->frozen.data[i] ? SN_PEN_FROZEN : SN_PEN_STATIC;
            sn_pencil_point(pencil, nodes->states.data[i].position, 5.0f);
        }
    }
}

// Nodes that are always fixed have no mass; a deformable of such nodes alone is drawn without a mass centre.
static void draw_mass_center(sn_pencil *pencil, const sn_deformable_data *data)
{
    const sn_nodes *nodes = &pencil->world->nodes;
    double mass = 0.0, x = 0.0, y = 0.0, z = 0.0;
    for (int i = data->first_node; i < data->first_node + data->node_count; ++i) {
        double share = sn_max(nodes->masses.data[i], 0.0f);
        sn_vec3 place = nodes->states.data[i].position;
        mass += share;
        x += share * place.x;
        y += share * place.y;
        z += share * place.z;
    }
    if (mass > 0.0) {
        pencil->color = SN_PEN_MASS_CENTER;
        sn_pencil_point(pencil, sn_v((float)(x / mass), (float)(y / mass), (float)(z / mass)), 6.0f);
    }
}

void sn_draw_deformable(sn_pencil *pencil, int index)
{
    const sn_world *world = pencil->world;
    const sn_deformable_data *data = &world->deformables.data[index];
    const sn_node_state *nodes = world->nodes.states.data + data->first_node;
    take_pen_of(pencil, index);
    if (pencil->draw->solid) {
        draw_faces(pencil, data->def.mesh, nodes);
    }
    if (pencil->draw->shapes) {
        draw_edges(pencil, data, nodes);
        draw_held_nodes(pencil, data);
    }
    sn_bounds bounds = sn_deformable_bounds(world, data);
    if (pencil->draw->bounds) {
        pencil->color = SN_PEN_BOUNDS;
        sn_pencil_box(pencil, bounds);
    }
    if (pencil->draw->mass_centers) {
        draw_mass_center(pencil, data);
    }
    if (pencil->draw->names) {
        pencil->color = SN_PEN_TEXT;
        sn_pencil_text(pencil, sn_lerp(bounds.lower, bounds.upper, 0.5f), data->name);
    }
}

// --- contacts ----------------------------------------------------------------------------------------------

void sn_draw_soft_contact(sn_pencil *pencil, const sn_soft_contact_data *contact)
{
    const sn_draw *draw = pencil->draw;
    float duration = pencil->world->last_duration;
    if (draw->contacts) {
        pencil->color = contact->separation <= 0.0f ? SN_PEN_TOUCHING : SN_PEN_NEAR;
        sn_pencil_point(pencil, contact->point, 5.0f);
        sn_pencil_line(pencil, contact->point,
                       sn_add_scaled(contact->point, SN_NORMAL_LENGTH, contact->normal));
    }
    if (draw->contact_forces && duration > 0.0f) {
        sn_vec3 impulse = sn_add_scaled(contact->total_friction, contact->total_normal, contact->normal);
        pencil->color = SN_PEN_FORCE;
        sn_draw_arrow(pencil, contact->point, sn_scale(impulse, draw->force_scale / duration));
    }
}
