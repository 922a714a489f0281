// Things of millimetres, as in surgery: what is near has the same contacts at any size, and none with the far
// side of something thin.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/physics.h"

#include <math.h>

// Fastest node of a slab of jelly that floats below the corners of a tool, and farthest from where it began.
static void watch_slab(float thickness, int layers, double *fastest, double *farthest)
{
    sn_world *world = physics_world_without_gravity();
    sn_mesh *mesh = NULL;
    sn_deformable slab;
    must(sn_mesh_box(sn_v(0.06f, thickness, 0.04f), 18, layers, 12, &mesh));
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.model.type = SN_MODEL_NEO_HOOKEAN;
    def.model.young = 5000.0f;
    def.thickness = 0.0008f;
    must(sn_deformable_add(world, &def, &slab));
    sn_box tool = {{0.005f, 0.005f, 0.005f}};
    sn_rigid_def place = sn_rigid_def_default();
    sn_rigid rigid;
    place.type = SN_KINEMATIC;
    place.position.y = 0.5f * thickness + 0.007f;
    must(sn_rigid_add(world, &place, &rigid));
    must(sn_box_add(world, rigid, NULL, tool, NULL));
    *fastest = *farthest = 0.0;
    for (int i = 0; i < 20; ++i) {
        must(sn_world_step(world, 0.01f));
        for (int k = 0; k < sn_mesh_node_count(mesh); ++k) {
            sn_vec3 away = sn_sub(sn_deformable_nodes(world, slab)[k].position, sn_mesh_nodes(mesh)[k]);
            sn_vec3 velocity = sn_deformable_velocities(world, slab)[k].velocity;
            *fastest = fmax(*fastest, (double)sn_length(velocity));
            *farthest = fmax(*farthest, (double)sn_length(away));
        }
    }
    sn_mesh_destroy(mesh);
    sn_world_destroy(world);
}

static void test_a_tool_above_a_thin_slab_has_no_contact_with_its_far_side(void **state)
{
    (void)state;
    const struct {
        float thickness;
        int layers;
    } slabs[] = {{0.02f, 6}, {0.01f, 3}, {0.01f, 1}, {0.005f, 2}, {0.003f, 1}};
    for (size_t i = 0; i < sizeof slabs / sizeof *slabs; ++i) {
        double fastest, farthest;
        watch_slab(slabs[i].thickness, slabs[i].layers, &fastest, &farthest);
        check_below(fastest, 1.0e-5, "a slab of %g m in %d layers: fastest node [m/s]",
                    (double)slabs[i].thickness, slabs[i].layers);
        check_below(farthest, 1.0e-7, "  how far a node gets [m]");
    }
}

enum { DOWN = 28, ROUND = 7, NODES = 2 * DOWN + ROUND };

// A thread over a peg, a polygon, with both ends hanging: equally long, so that it stays. In units of `size`.
static sn_mesh *thread_mesh(float size, float radius, float cell)
{
    sn_vec3 nodes[NODES];
    uint32_t edges[2 * (NODES - 1)];
    for (int i = 0; i < DOWN; ++i) {
        nodes[i] = sn_v(-radius, -cell * (float)(DOWN - 1 - i), 0.0f);
        nodes[NODES - 1 - i] = sn_v(radius, nodes[i].y, 0.0f);
    }
    for (int i = 0; i < ROUND; ++i) {
        float angle = SN_PI * (float)(i + 1) / (float)(ROUND + 1);
        nodes[DOWN + i] = sn_v(-radius * sn_cos(angle), radius * sn_sin(angle), 0.0f);
    }
    for (uint32_t i = 0; i < NODES - 1; ++i) {
        edges[2 * i] = i;
        edges[2 * i + 1] = i + 1;
    }
    for (int i = 0; i < NODES; ++i) {
        nodes[i] = sn_scale(nodes[i], size);
    }
    sn_mesh_def def = sn_mesh_def_default();
    sn_mesh *mesh = NULL;
    def.nodes = nodes;
    def.node_count = NODES;
    def.edges = edges;
    def.edge_count = NODES - 1;
    must(sn_mesh_create(&def, &mesh));
    return mesh;
}

// Largest stretch after the jolt of the beginning, and how far the top has sunk in units of `size` [m], of a
// thread with a bead of a few nodes' weight at each end.
static void watch_thread(float size, float cell, double *stretch, double *sunk)
{
    sn_world *world = physics_world();
    sn_pose across = {{0.0f, 0.0f, 0.0f}, sn_quat_axis_angle(sn_v(1.0f, 0.0f, 0.0f), 0.5f * SN_PI)};
    sn_rigid peg = physics_cylinder(world, physics_material(0.5f, 0.0f), 0.003f * size, 0.02f * size, across);
    must(sn_rigid_type_set(world, peg, SN_STATIC));
    sn_mesh *mesh = thread_mesh(size, 0.0035f, cell);
    sn_deformable thread;
    sn_deformable_def def = sn_deformable_def_default();
    def.mesh = mesh;
    def.mass = 0.0002f * size * size * size;
    def.inextensible.on = true;
    def.thickness = 0.0004f * size;
    def.linear_damping = 1.0f;
    must(sn_deformable_add(world, &def, &thread));
    float step = 0.01f * sqrtf(size), top = sn_deformable_nodes(world, thread)[DOWN + ROUND / 2].position.y;
    for (int i = 0; i < 200; ++i) {
        must(sn_world_step(world, step));
    }
    *stretch = (double)sn_world_statistics(world).largest_stretch;
    *sunk = (double)((top - sn_deformable_nodes(world, thread)[DOWN + ROUND / 2].position.y) / size);
    sn_mesh_destroy(mesh);
    sn_world_destroy(world);
}

static void test_a_thread_hangs_over_a_peg_of_any_size(void **state)
{
    (void)state;
    const float sizes[] = {0.3f, 1.0f, 3.0f, 60.0f};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        double stretch, sunk;
        watch_thread(sizes[i], 0.002f, &stretch, &sunk);
        check_below(stretch, (double)SN_STRETCH_LIMIT, "a peg of %g mm: stretch", 3.0 * (double)sizes[i]);
        check_near(sunk, 0.0, 0.0005, "  how far the top has sunk for a peg of 3 mm [m]");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        physics_test(test_a_tool_above_a_thin_slab_has_no_contact_with_its_far_side),
        physics_test(test_a_thread_hangs_over_a_peg_of_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
