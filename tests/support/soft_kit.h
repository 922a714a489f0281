// Deformables for tests: small ones, made in one line, that collide with nothing unless the test says so.
// Include after cmocka.h.
#ifndef TESTS_SUPPORT_SOFT_KIT_H
#define TESTS_SUPPORT_SOFT_KIT_H

#include "sinew/sinew.h"
#include "support/random.h"
#include "support/world_kit.h"

// Default settings, but nothing sleeps.
static inline sn_world *soft_restless_world(void)
{
    sn_world_def def = sn_world_def_default();
    def.sleep = false;
    sn_world *world = NULL;
    assert_ok(sn_world_create(&def, &world));
    return world;
}

static inline sn_deformable_def soft_def(const sn_mesh *mesh, sn_vec3 position)
{
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.pose.position = position;
    def.collide = false;
    return def;
}

static inline sn_deformable soft_add(sn_world *world, const sn_deformable_def *def)
{
    sn_deformable deformable = {0};
    sn_status status = sn_deformable_add(world, def, &deformable);
    if (status != SN_OK) {
        fail_msg("%s", sn_world_error(world));
    }
    return deformable;
}

// 1 m × 1 m in the xy plane about `position`, 0.2 kg, held against stretch. Node j (cells + 1) + i is in
// column i and row j; rows go up.
static inline sn_deformable soft_cloth(sn_world *world, int cells, sn_vec3 position)
{
    sn_mesh *mesh = NULL;
    assert_ok(sn_mesh_grid(1.0f, 1.0f, cells, cells, SN_GRID_ALTERNATING, &mesh));
    sn_deformable_def def = soft_def(mesh, position);
    def.mass = 0.2f;
    def.inextensible.on = true;
    sn_deformable cloth = soft_add(world, &def);
    sn_mesh_destroy(mesh);
    return cloth;
}

// The same about the origin with every node moved by up to 10 cm along each axis.
static inline sn_deformable soft_crumpled_cloth(sn_world *world, int cells, uint64_t seed)
{
    sn_deformable cloth = soft_cloth(world, cells, sn_v(0.0f, 0.0f, 0.0f));
    sn_node_state *nodes;
    sn_node_velocity *velocities;
    test_random random = {seed};
    assert_ok(sn_deformable_edit(world, cloth, &nodes, &velocities));
    for (int i = 0; i < sn_deformable_node_count(world, cloth); ++i) {
        nodes[i].position = sn_add(nodes[i].position, test_random_vec3(&random, 0.1f));
    }
    return cloth;
}

// A square of 1 m in the xy plane that is of category 4 and collides with category 2.
static inline sn_deformable soft_filtered_sheet(sn_world *world)
{
    sn_mesh *mesh = NULL;
    assert_ok(sn_mesh_grid(1.0f, 1.0f, 1, 1, SN_GRID_FORWARD, &mesh));
    sn_deformable_def def = soft_def(mesh, sn_v(0.0f, 0.0f, 0.0f));
    def.filter = (sn_filter){4u, 2u, 0};
    sn_deformable sheet = soft_add(world, &def);
    sn_mesh_destroy(mesh);
    return sheet;
}

// A cube of 0.4 m, finite elements of Young's modulus `young`, 64 kg.
static inline sn_deformable soft_jelly(sn_world *world, int cells, sn_vec3 position, float young)
{
    sn_mesh *mesh = NULL;
    assert_ok(sn_mesh_box(sn_v(0.4f, 0.4f, 0.4f), cells, cells, cells, &mesh));
    sn_deformable_def def = soft_def(mesh, position);
    def.model = sn_model_corotational(young, 0.4f);
    def.model.damping = 0.02f;
    sn_deformable jelly = soft_add(world, &def);
    sn_mesh_destroy(mesh);
    return jelly;
}

// A strand of 1 m along x about `position`, 0.1 kg.
static inline sn_deformable soft_rope(sn_world *world, int edges, sn_vec3 position)
{
    sn_mesh *mesh = NULL;
    assert_ok(sn_mesh_line(1.0f, edges, &mesh));
    sn_deformable_def def = soft_def(mesh, position);
    def.density = 0.1f;
    def.inextensible.on = true;
    sn_deformable rope = soft_add(world, &def);
    sn_mesh_destroy(mesh);
    return rope;
}

static inline sn_anchor soft_tie(sn_world *world, sn_point a, sn_point b)
{
    sn_anchor_def def = sn_anchor_def_default();
    sn_anchor anchor = {0};
    def.a = a;
    def.b = b;
    if (sn_anchor_add(world, &def, &anchor) != SN_OK) {
        fail_msg("%s", sn_world_error(world));
    }
    return anchor;
}

// A slab of 0.5 × 0.1 × 0.5 m to lie on jellies.
static inline sn_rigid soft_slab(sn_world *world, sn_vec3 position, float mass)
{
    sn_rigid_def def = sn_rigid_def_default();
    sn_shape_def shape = sn_shape_def_default();
    sn_rigid slab = {0};
    def.position = position;
    shape.density = mass / (0.5f * 0.1f * 0.5f);
    assert_ok(sn_rigid_add(world, &def, &slab));
    assert_ok(sn_box_add(world, slab, &shape, (sn_box){sn_v(0.25f, 0.05f, 0.25f)}, NULL));
    return slab;
}

static inline sn_vec3 soft_node(const sn_world *world, sn_deformable deformable, int node)
{
    return sn_deformable_nodes(world, deformable)[node].position;
}

static inline bool same_deformable(sn_deformable a, sn_deformable b)
{
    return a.index == b.index && a.generation == b.generation && a.world == b.world;
}

#endif
