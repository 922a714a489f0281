// More scenes that deformables are measured by: rope, trampoline, stacks, and one without gravity.
#include "soft_scenes.h"

#include <math.h>
#include <stdlib.h>

// --- rope --------------------------------------------------------------------------------------------------

enum { ROPE_CELLS = 24, ROPE_NODES = 2 * (ROPE_CELLS + 1) };
static const float rope_cell = 0.125f, rope_width = 0.1f, wheel_radius = 0.5f, wheel_height = 3.0f;

// Triangles, and the second diagonals: 97 + 24 = 121 edges; 47 pairs of triangles to bend.
static sn_status make_rope_mesh(sn_mesh **mesh)
{
    sn_vec3 nodes[ROPE_NODES];
    uint32_t triangles[6 * ROPE_CELLS], diagonals[2 * ROPE_CELLS];
    for (int i = 0; i < ROPE_NODES; ++i) {
        nodes[i] = sn_v(rope_cell * (float)(i / 2 - ROPE_CELLS / 2), 0.0f,
                        (float)(i % 2) * rope_width - 0.5f * rope_width);
    }
    for (uint32_t i = 0; i < ROPE_CELLS; ++i) {
        uint32_t a = 2 * i, b = a + 1, c = a + 2, d = a + 3;
        const uint32_t corners[6] = {a, b, c, b, d, c};
        for (uint32_t k = 0; k < 6; ++k) {
            triangles[6 * i + k] = corners[k];
        }
        diagonals[2 * i] = a;
        diagonals[2 * i + 1] = d;
    }
    sn_mesh_def def = sn_mesh_def_default();
    def.nodes = nodes;
    def.node_count = ROPE_NODES;
    def.triangles = triangles;
    def.triangle_count = 2 * ROPE_CELLS;
    def.edges = diagonals;
    def.edge_count = ROPE_CELLS;
    return sn_mesh_create(&def, mesh);
}

// Over the wheel without stretching: a polygon whose sides touch, then straight down.
static void lay_rope(float thickness, sn_vec3 places[ROPE_NODES])
{
    float reach = wheel_radius + 0.5f * thickness;
    float turn = 2.0f * sn_atan2(0.5f * rope_cell, reach);
    float x = 0.0f, y = wheel_height + sqrtf(reach * reach + 0.25f * rope_cell * rope_cell);
    for (int i = 0; i <= ROPE_CELLS / 2; ++i) {
        for (int side = 0; side < 2; ++side) {
            float z = (float)side * rope_width - 0.5f * rope_width;
            places[ROPE_CELLS + 2 * i + side] = sn_v(x, y, z);
            places[ROPE_CELLS - 2 * i + side] = sn_v(-x, y, z);
        }
        float slope = sn_min(((float)i + 0.5f) * turn, 0.5f * SN_PI);
        x += rope_cell * sn_cos(slope);
        y -= rope_cell * sn_sin(slope);
    }
}

static void add_weight(soft_scene *scene, float mass, int node)
{
    sn_vec3 end = sn_lerp(scene->owned_places[node], scene->owned_places[node + 1], 0.5f);
    soft_scene_solid(scene, SOFT_LUMP, sn_v(0.1f, 0.1f, 0.1f), mass, end);
    for (int side = 0; side < 2; ++side) {
        scene->ties[scene->tie_count++] = (soft_tie){0, node + side, scene->solid_count - 1};
    }
}

sn_status soft_scene_rope(soft_scene *scene, float ratio)
{
    const float node_mass = 0.01f;
    *scene = (soft_scene){.floor = false};
    scene->owned_places = calloc(ROPE_NODES, sizeof *scene->owned_places);
    sn_mesh *mesh = NULL;
    sn_status status = scene->owned_places != NULL ? make_rope_mesh(&mesh) : SN_ERROR_MEMORY;
    if (status != SN_OK) {
        return status;
    }
    soft_body *rope = soft_scene_body(scene, mesh, sn_v(0.0f, 0.0f, 0.0f), ROPE_NODES * node_mass);
    lay_rope(rope->def.thickness, scene->owned_places);
    rope->places = scene->owned_places;
    rope->def.inextensible.on = true;
    rope->def.bending.type = SN_BENDING_ISOMETRIC;
    rope->def.bending.stiffness = 1.0e-3f;
    rope->def.bending.damping = 0.02f;
    rope->bullet = (soft_bullet_material){.stretch = 1.0f};
    soft_scene_solid(scene, SOFT_WHEEL, sn_v(wheel_radius, wheel_radius, 0.2f), 1.0f,
                     sn_v(0.0f, wheel_height, 0.0f));
    add_weight(scene, ratio * node_mass, 0);
    add_weight(scene, 1.5f * ratio * node_mass, ROPE_NODES - 2);
    return SN_OK;
}

// With x the way of the heavy side: (m + 1.5 m + rope + I/r²) x'' = 0.5 m g + 2 (rope/length) g x, since what
// one side gains the other loses. So x = (Δ/2ρ) (cosh kt − 1) with Δ the difference of masses and ρ the
// rope's mass per length.
double soft_rope_spin(const soft_scene *scene, double time)
{
    const double gravity = 9.81;
    double light = (double)scene->solids[1].mass, heavy = (double)scene->solids[2].mass;
    double rope = (double)scene->bodies[0].def.mass, density = rope / (double)(rope_cell * ROPE_CELLS);
    double radius = (double)wheel_radius + 0.5 * (double)scene->bodies[0].def.thickness;
    double inertia = 0.5 * (double)scene->solids[0].mass * (double)(wheel_radius * wheel_radius);
    double mass = light + heavy + rope + inertia / (radius * radius);
    double rate = sqrt(2.0 * density * gravity / mass);
    return (heavy - light) / (2.0 * density) * rate * sinh(rate * time) / radius;
}

// --- trampoline --------------------------------------------------------------------------------------------

sn_status soft_scene_trampoline(soft_scene *scene, float radius, float mass, float speed)
{
    enum { CELLS = 50, SIDE = 10 };
    const float apart = 0.32f, height = 0.4f;
    *scene = (soft_scene){.floor = false};
    sn_status status = soft_scene_add_cloth(scene, 4.0f, 3.2f, 0.0f);
    if (status != SN_OK) {
        return status;
    }
    soft_body *cloth = &scene->bodies[0];
    const int corners[] = {0, CELLS, (CELLS + 1) * CELLS, (CELLS + 1) * (CELLS + 1) - 1};
    for (int i = 0; i < 4; ++i) {
        cloth->pins[cloth->pin_count++] = corners[i];
    }
    for (int i = 0; i < SIDE * SIDE; ++i) {
        sn_vec3 place = {apart * ((float)(i % SIDE) - 4.5f), height, apart * ((float)(i / SIDE) - 4.5f)};
        soft_scene_solid(scene, SOFT_SPHERE, sn_v(radius, radius, radius), mass, place)->velocity =
            sn_v(0.0f, -speed, 0.0f);
    }
    return SN_OK;
}

// --- stacks ------------------------------------------------------------------------------------------------

sn_status soft_scene_stack(soft_scene *scene)
{
    enum { JELLIES = 10 };
    const float radius = 0.2f, height = 0.12f, mass = 1.0f, gap = 0.02f;
    *scene = (soft_scene){.floor = true, .floor_friction = 0.5f};
    sn_mesh *mesh = NULL;
    sn_status status = sn_mesh_cylinder(radius, height, 3, 2, &mesh);
    for (int i = 0; i < JELLIES && status == SN_OK; ++i) {
        sn_vec3 place = {0.0f, gap + 0.5f * height + (float)i * (height + gap), 0.0f};
        soft_body *jelly = soft_scene_body(scene, mesh, place, mass);
        jelly->def.model = sn_model_corotational(2.0e4f, 0.4f);
        jelly->def.model.damping = 0.01f;
    }
    return status;
}

sn_status soft_scene_sheets(soft_scene *scene)
{
    enum { CELLS = 24 };
    *scene = (soft_scene){.floor = false};
    const float table_height = 0.5f;
    soft_scene_solid(scene, SOFT_BOX, sn_v(0.5f, 0.5f * table_height, 0.5f), 0.0f,
                     sn_v(0.0f, 0.5f * table_height, 0.0f));
    sn_mesh *mesh = NULL;
    sn_status status = sn_mesh_grid(1.2f, 1.2f, CELLS, CELLS, SN_GRID_ALTERNATING, &mesh);
    for (int i = 0; i < 2 && status == SN_OK; ++i) {
        sn_vec3 place = {0.05f * (float)i, table_height + 0.05f + 0.1f * (float)i, 0.03f * (float)i};
        soft_body *sheet = soft_scene_body(scene, mesh, place, 0.3f);
        sn_quat level = sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), -0.5f * SN_PI);
        sn_quat turned = sn_quat_axis_angle(sn_v(0.0f, 1.0f, 0.0f), 0.4f * (float)i);
        sheet->def.pose.rotation = sn_quat_multiply(turned, level);
        sheet->def.inextensible.on = true;
        sheet->def.self_collide = true;
        sheet->def.bending.type = SN_BENDING_ISOMETRIC;
        sheet->def.bending.stiffness = 1.0e-4f;
        sheet->def.bending.damping = 0.02f;
    }
    return status;
}

// --- free
// ----------------------------------------------------------------------------------------------------

// All turn together about the middle at first, which stays where it is: far from the origin rounding of
// places alone would change the angular momentum about it.
sn_status soft_scene_glued(soft_scene *scene)
{
    const sn_vec3 size = {0.4f, 0.2f, 0.2f}, rod = {0.02f, 0.3f, 0.02f}, spin = {0.5f, 2.0f, 1.0f};
    *scene = (soft_scene){.no_gravity = true};
    sn_mesh *mesh = NULL;
    sn_status status = sn_mesh_box(size, 6, 3, 3, &mesh);
    if (status != SN_OK) {
        return status;
    }
    soft_body *jelly = soft_scene_body(scene, mesh, sn_v(0.0f, 0.0f, 0.0f), 2.0f);
    jelly->def.model = sn_model_corotational(2.0e4f, 0.4f);
    jelly->def.angular_velocity = spin;
    jelly->def.collide = false;
    for (int end = -1; end <= 1; end += 2) {
        sn_vec3 place = {(float)end * 0.5f * size.x, 0.0f, 0.0f};
        soft_solid *solid = soft_scene_solid(scene, SOFT_BOX, rod, 1.0f, place);
        solid->spin = spin;
        solid->velocity = sn_cross(spin, place);
        for (int i = 0; i < 4; ++i) { // the corners of that end
            int corner = (end > 0 ? 6 : 0) + (i % 2) * 3 * 7 + (i / 2) * 3 * 7 * 4;
            scene->ties[scene->tie_count++] = (soft_tie){0, corner, scene->solid_count - 1};
        }
    }
    return SN_OK;
}
